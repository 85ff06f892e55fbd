"""Encoders for Go, by the names of their sources. Rows of a plane from the top of the board, columns from the left."""

import numpy as np

from rlcourse.encoders.boards import GridEncoder
from rlcourse.games import Batch, Game


class GoEncoder(GridEncoder):
    """What the encoders of this file share. A subclass gives `planes` and writes `_planes`."""

    planes = 0

    def __init__(self, game: Game) -> None:
        if game.name != "go":
            raise ValueError(f"the encoder {self.name!r} is made for go, not for {game.name}")
        super().__init__(game)
        self.shape = (self.planes, *game.board)

    def encode_batch(self, batch: Batch, rows: np.ndarray | None = None) -> np.ndarray:
        """int8 [R, planes, H, W]: those rows of the batch (default: all), each seen by its player to move."""
        rows = np.arange(len(batch)) if rows is None else np.arange(len(batch))[rows]
        out = np.zeros((len(rows), self.planes, self.game.board[0] * self.game.board[1]), np.int8)
        self._planes(batch, rows, batch.to_play[rows][:, None], out)
        return out.reshape(-1, *self.shape)

    def _planes(self, batch: Batch, rows: np.ndarray, player: np.ndarray, out: np.ndarray) -> None:
        """Fill out [R, planes, P], which is 0. player [R, 1]: who moves."""
        raise NotImplementedError


class OnePlaneEncoder(GoEncoder):
    """[1, H, W]: 1 a stone of the player to move, -1 of the opponent. Pumperla & Ferguson (2019) sec. 6.1."""

    name, planes = "oneplane", 1

    def _planes(self, batch: Batch, rows: np.ndarray, player: np.ndarray, out: np.ndarray) -> None:
        cells = batch.cells[rows]
        out[:, 0] = (cells == 1 + player).view(np.int8) - (cells == 2 - player).view(np.int8)


class SimpleEncoder(GoEncoder):
    """[11, H, W] after Pumperla & Ferguson (2019) ch. 9: stones of the player to move whose group has 1, 2, 3, more
    liberties; the opponent's likewise; all 1 if Black moves; all 1 if White moves; where superko forbids a stone.

    Two differences: the book's first four planes are Black's and the next four White's, whoever moves; and its ko is
    situational (a board may come back with the other player to move), where the rules of this course are positional.
    """

    name, planes = "simple", 11

    def _planes(self, batch: Batch, rows: np.ndarray, player: np.ndarray, out: np.ndarray) -> None:
        cells, liberties = batch.cells[rows], np.minimum(batch.liberties(rows), 4)
        for count in range(1, 5):
            has = liberties == count
            out[:, count - 1] = has & (cells == 1 + player)
            out[:, count + 3] = has & (cells == 2 - player)
        out[:, 8] = player == 0
        out[:, 9] = player == 1
        out[:, 10] = batch.forbidden_by_ko(rows)


class AlphaGoZeroEncoder(GoEncoder):
    """[17, H, W]: own and opponent's stones in turn, after the last ply and the seven before; then all 1 if Black moves.

    0 before the first board. Silver et al. (2017), Methods, "Neural network architecture".
    """

    name, planes = "alphago-zero", 17

    def _planes(self, batch: Batch, rows: np.ndarray, player: np.ndarray, out: np.ndarray) -> None:
        boards = batch.boards(rows, 8)
        out[:, 0:16:2] = boards == 1 + player[:, None]
        out[:, 1:16:2] = boards == 2 - player[:, None]
        out[:, 16] = player == 0
