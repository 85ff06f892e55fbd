"""Encoders for Go under the names of their sources. The first row of a plane is the top row."""

import numpy as np

from rlcourse.encoders.boards import Encoder
from rlcourse.errors import BadValue
from rlcourse.games import Game
from rlcourse.games.go import GoBatch


class GoEncoder(Encoder[GoBatch]):
    """The common part of the encoders for Go. A subclass defines `planes` and `_planes`."""

    planes = 0

    def __init__(self, game: Game) -> None:
        if game.name != "go":
            raise BadValue(f"the encoder {self.name!r} is made for go, not for {game.name}")
        super().__init__(game)
        self.shape = (self.planes, *game.board)

    def encode_batch(self, batch: GoBatch, rows: np.ndarray | None = None) -> np.ndarray:
        """int8 [R, planes, H, W]: those rows (default: all), each seen by the player to move."""
        rows = np.arange(len(batch)) if rows is None else np.arange(len(batch))[rows]
        out = np.zeros((len(rows), self.planes, self.game.board[0] * self.game.board[1]), np.int8)
        self._planes(batch, rows, batch.to_play[rows][:, None], out)
        return out.reshape(-1, *self.shape)

    def _planes(
        self, batch: GoBatch, rows: np.ndarray, player: np.ndarray, out: np.ndarray
    ) -> None:
        """Fill `out` [R, planes, P], which is zero. player [R, 1]: the player to move."""
        raise NotImplementedError


class OnePlaneEncoder(GoEncoder):
    """[1, H, W]: 1 for a stone of the player to move, -1 for one of the opponent.

    Pumperla & Ferguson (2019) sec. 6.1.
    """

    name, planes = "oneplane", 1

    def _planes(
        self, batch: GoBatch, rows: np.ndarray, player: np.ndarray, out: np.ndarray
    ) -> None:
        cells = batch.cells[rows]
        out[:, 0] = (cells == 1 + player).view(np.int8) - (cells == 2 - player).view(np.int8)


class SimpleEncoder(GoEncoder):
    """[11, H, W] after Pumperla & Ferguson (2019) ch. 9.

    Planes 0 to 3: stones of the player to move in groups with 1, 2, 3, or more liberties. Planes 4
    to 7: the opponent's. Planes 8, 9: all 1 if Black, or White, moves. Plane 10: points forbidden
    by superko. Two differences: the book's first four planes are always Black's and the next four
    White's, and its ko is situational (a board may recur with the other player to move), while this
    course uses positional superko.
    """

    name, planes = "simple", 11

    def _planes(
        self, batch: GoBatch, rows: np.ndarray, player: np.ndarray, out: np.ndarray
    ) -> None:
        cells, liberties = batch.cells[rows], np.minimum(batch.liberties(rows), 4)
        for count in range(1, 5):
            in_group = liberties == count
            out[:, count - 1] = in_group & (cells == 1 + player)
            out[:, count + 3] = in_group & (cells == 2 - player)
        out[:, 8] = player == 0
        out[:, 9] = player == 1
        out[:, 10] = batch.forbidden_by_ko(rows)


class AlphaGoZeroEncoder(GoEncoder):
    """[17, H, W]: own and opponent's stones on the last eight boards, newest first, 0 before start.

    The last plane is all 1 if Black moves. Silver et al. (2017), Methods, "Neural network
    architecture".
    """

    name, planes = "alphago-zero", 17

    def _planes(
        self, batch: GoBatch, rows: np.ndarray, player: np.ndarray, out: np.ndarray
    ) -> None:
        boards = batch.boards(rows, 8)
        out[:, 0:16:2] = boards == 1 + player[:, None]
        out[:, 1:16:2] = boards == 2 - player[:, None]
        out[:, 16] = player == 0
