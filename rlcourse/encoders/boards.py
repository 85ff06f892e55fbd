"""What all encoders share, and those of the games on a grid."""

from typing import Generic, TypeVar

import numpy as np

from rlcourse.errors import BadValue
from rlcourse.games import Batch, Game, GameState
from rlcourse.games.backgammon import BackgammonBatch

Positions = TypeVar("Positions")  # the kind of batch: Batch, or that of one game


class Encoder(Generic[Positions]):
    """Turns positions into arrays of `shape`, seen by the player to move.

    One position is a batch of one. A subclass writes `encode_batch`.
    """

    name = ""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.shape: tuple[int, ...] = ()

    def encode(self, state: GameState) -> np.ndarray:
        """[*shape]: one position."""
        batch = self.game.new_batch(1)
        batch.load(0, state)
        return self.encode_batch(batch)[0]

    def encode_batch(self, batch: Positions, rows: np.ndarray | None = None) -> np.ndarray:
        """[R, *shape]: those rows of the batch (default: all)."""
        raise NotImplementedError


class GridEncoder(Encoder[Batch]):
    """The common part of encoders that read the cells alone. A subclass writes `_encode`."""

    def __init__(self, game: Game) -> None:
        if game.num_actions is None:
            raise BadValue(f"{self.name} describes stones on a grid, not {game.name}")
        super().__init__(game)

    def encode_batch(self, batch: Batch, rows: np.ndarray | None = None) -> np.ndarray:
        """int8 [R, *shape]: those rows of the batch (default: all)."""
        chosen = slice(None) if rows is None else rows
        return self._encode(batch.cells[chosen], batch.to_play[chosen])

    def _encode(self, cells: np.ndarray, to_play: np.ndarray) -> np.ndarray:
        raise NotImplementedError


class CellsEncoder(GridEncoder):
    """The cells [H*W]: 0 empty, 1 the first player's stone, 2 the second player's."""

    name = "cells"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.shape = (game.board[0] * game.board[1],)

    def _encode(self, cells: np.ndarray, to_play: np.ndarray) -> np.ndarray:
        return cells.copy()


class TwoPlaneEncoder(GridEncoder):
    """[2, H, W]: 1 for a stone of the player to move, then 1 for a stone of the opponent."""

    name = "two-plane"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.shape = (2, *game.board)

    def _encode(self, cells: np.ndarray, to_play: np.ndarray) -> np.ndarray:
        own = cells == 1 + to_play[:, None]
        other = cells == 2 - to_play[:, None]
        return np.stack([own, other], axis=1).astype(np.int8).reshape(-1, *self.shape)


class CheckersEncoder(Encoder[BackgammonBatch]):
    """Backgammon [2, 26]: each player's checkers on their own points, on the bar, borne off."""

    name = "checkers"

    def __init__(self, game: Game) -> None:
        if game.name != "backgammon":
            raise BadValue(f"checkers on points and bar describe backgammon, not {game.name}")
        super().__init__(game)
        self.shape = (2, 26)

    def encode_batch(self, batch: BackgammonBatch, rows: np.ndarray | None = None) -> np.ndarray:
        """int8 [R, 2, 26]: those rows of the batch (default: all)."""
        return batch.checkers[slice(None) if rows is None else rows].copy()
