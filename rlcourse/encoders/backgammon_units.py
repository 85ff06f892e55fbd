"""Tesauro's 198 units of a backgammon position, as in Sutton & Barto (2018) sec. 16.1; float32, as halves occur."""

import numpy as np

from rlcourse.games import AfterstateBatch, Game, GameState
from rlcourse.games.backgammon import UNITS, units


class BackgammonUnitsEncoder:
    """[198] float32: the board seen by the player to move, whose 98 units come first; `rlcourse.games.backgammon.units`."""

    name = "backgammon-units"

    def __init__(self, game: Game) -> None:
        if game.name != "backgammon":
            raise ValueError(f"the 198 units describe backgammon, not {game.name}")
        self.shape = (UNITS,)

    def encode(self, state: GameState) -> np.ndarray:
        """[198] float32: one position."""
        return units(state.checkers[None], state.next_player, state.next_player)[0]

    def encode_batch(self, batch: AfterstateBatch, rows: np.ndarray | None = None) -> np.ndarray:
        """[R, 198] float32: those rows of the batch (default: all)."""
        rows = slice(None) if rows is None else rows
        return units(batch.checkers[rows], batch.to_play[rows], batch.to_play[rows])
