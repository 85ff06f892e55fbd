"""Encoders of the games on a grid."""

from typing import Protocol

import numpy as np

from rlcourse.games import AfterstateBatch, Batch, Game, GameState


class Encoder(Protocol):
    """Turns positions into int8 arrays of `shape`; the batch itself does not encode."""

    name: str
    game: Game
    shape: tuple[int, ...]

    def encode(self, state: GameState) -> np.ndarray:
        """[*shape] int8: one position, seen by the player to move."""

    def encode_batch(self, batch: Batch, rows: np.ndarray | None = None) -> np.ndarray:
        """[R, *shape] int8: those rows of a batch (default: all), each seen by its player to move."""


class GridEncoder:
    """What the encoders of this file share: one position is a batch of one. A subclass writes `_encode`."""

    name = ""

    def __init__(self, game: Game) -> None:
        if game.num_actions is None:
            raise ValueError(f"{self.name} describes stones on a grid, not {game.name}")
        self.game = game
        self.shape: tuple[int, ...] = ()

    def encode(self, state: GameState) -> np.ndarray:
        """int8 [*shape]: one position."""
        batch = self.game.new_batch(1)
        batch.load(0, state)
        return self.encode_batch(batch)[0]

    def encode_batch(self, batch: Batch, rows: np.ndarray | None = None) -> np.ndarray:
        """int8 [R, *shape]: those rows of the batch (default: all)."""
        rows = slice(None) if rows is None else rows
        return self._encode(batch.cells[rows], batch.to_play[rows])

    def _encode(self, cells: np.ndarray, to_play: np.ndarray) -> np.ndarray:
        raise NotImplementedError


class CellsEncoder(GridEncoder):
    """The board as it is, [H*W]: 0 empty, 1 the first player's stones, 2 the second's."""

    name = "cells"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.shape = (game.board[0] * game.board[1],)

    def _encode(self, cells: np.ndarray, to_play: np.ndarray) -> np.ndarray:
        return cells.copy()


class TwoPlaneEncoder(GridEncoder):
    """[2, H, W]: the stones of the player to move, then the opponent's; 1 where there is one."""

    name = "two-plane"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.shape = (2, *game.board)

    def _encode(self, cells: np.ndarray, to_play: np.ndarray) -> np.ndarray:
        own = cells == 1 + to_play[:, None]
        other = cells == 2 - to_play[:, None]
        return np.stack([own, other], axis=1).astype(np.int8).reshape(-1, *self.shape)


class CheckersEncoder(GridEncoder):
    """Backgammon's board as it is, [2, 26]: both players' checkers on their own points, on the bar, borne off."""

    name = "checkers"

    def __init__(self, game: Game) -> None:
        if game.name != "backgammon":
            raise ValueError(f"checkers on points and bar describe backgammon, not {game.name}")
        self.game, self.shape = game, (2, 26)

    def encode_batch(self, batch: AfterstateBatch, rows: np.ndarray | None = None) -> np.ndarray:
        """int8 [R, 2, 26]: those rows of the batch (default: all)."""
        return batch.checkers[slice(None) if rows is None else rows].copy()
