"""An encoder of Connect Four with hand-made features: what a strong player looks for."""

import numpy as np

from rlcourse.encoders.boards import GridEncoder
from rlcourse.errors import BadValue
from rlcourse.games import Game
from rlcourse.games.connect_four import LINES, OTHERS
from rlcourse.kernels import kernel


@kernel
def _encode(cells, to_play, lines, others, out):
    """out [R, 7, 42]: the planes of ThreatsEncoder. lines [42], others [42, L, 3]: see LINES."""
    for r in range(len(cells)):
        own = 1 + to_play[r]
        for cell in range(42):
            out[r, 6, cell] = (5 - cell // 7) % 2 == to_play[r]
            if cells[r, cell] != 0:
                out[r, 0 if cells[r, cell] == own else 1, cell] = 1
                continue
            for k in range(lines[cell]):
                mine, theirs = 0, 0
                for j in range(3):
                    stone = cells[r, others[cell, k, j]]
                    mine += stone == own
                    theirs += stone == 3 - own
                if mine >= 2 and theirs == 0:
                    out[r, 2 if mine == 3 else 4, cell] = 1
                if theirs >= 2 and mine == 0:
                    out[r, 3 if theirs == 3 else 5, cell] = 1


class ThreatsEncoder(GridEncoder):
    """[7, 6, 7] for Connect Four, seen by the player to move.

    Planes 0, 1: own stones, the opponent's stones. Planes 2, 3: threats, the empty cells that would
    complete four in a row, own and the opponent's, playable yet or not. Planes 4, 5: empty cells of
    lines with two stones of one player and none of the other. Plane 6: the rows that zugzwang gives
    to the player to move, the first, third and fifth from below to the first player, the others to
    the second (Allis 1988, chapter 3).
    """

    name = "threats"

    def __init__(self, game: Game) -> None:
        if game.name != "connect-four":
            raise BadValue(f"the encoder 'threats' sees positions of connect-four; got {game.name}")
        super().__init__(game)
        self.shape = (7, *game.board)

    def _encode(self, cells: np.ndarray, to_play: np.ndarray) -> np.ndarray:
        out = np.zeros((len(cells), 7, 42), np.int8)
        _encode(cells, to_play, LINES, OTHERS, out)
        return out.reshape(-1, *self.shape)
