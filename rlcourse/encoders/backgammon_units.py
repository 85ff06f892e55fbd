"""Tesauro's 198 units of a backgammon position. Sutton & Barto (2018) sec. 16.1."""

import numpy as np

from rlcourse.games import AfterstateBatch, Game, GameState
from rlcourse.games.backgammon import UNITS, units


class BackgammonUnitsEncoder:
    """[198] float32: see `rlcourse.games.backgammon.units`; the player to move comes first."""

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
        chosen = slice(None) if rows is None else rows
        return units(batch.checkers[chosen], batch.to_play[chosen], batch.to_play[chosen])
