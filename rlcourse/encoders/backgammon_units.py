"""Tesauro's 198 units of a backgammon position. Sutton & Barto (2018) sec. 16.1."""

import numpy as np

from rlcourse.encoders.boards import Encoder
from rlcourse.errors import BadValue
from rlcourse.games import Game
from rlcourse.games.backgammon import UNITS, BackgammonBatch, units


class BackgammonUnitsEncoder(Encoder[BackgammonBatch]):
    """[198] float32: see `rlcourse.games.backgammon.units`; the player to move comes first."""

    name = "backgammon-units"

    def __init__(self, game: Game) -> None:
        if game.name != "backgammon":
            raise BadValue(f"the 198 units describe backgammon, not {game.name}")
        super().__init__(game)
        self.shape = (UNITS,)

    def encode_batch(self, batch: BackgammonBatch, rows: np.ndarray | None = None) -> np.ndarray:
        """[R, 198] float32: those rows of the batch (default: all)."""
        chosen = slice(None) if rows is None else rows
        return units(batch.checkers[chosen], batch.to_play[chosen], batch.to_play[chosen])
