"""A plain function as a player: `choose(state) -> move`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.games import Batch, Game, GameState


class FunctionAgent(BatchAgent):
    """Asks `choose(state)` for a move, position by position. asked: positions so far."""

    name = "function"

    def __init__(self, game: Game, choose: Callable[[GameState], Any]) -> None:
        super().__init__(game)
        self.choose, self.asked = choose, 0

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """Raises IllegalMove for an answer that is no move at all, and whatever `choose` raises."""
        self.asked += len(rows)
        actions = [self.game.action(self.choose(batch.state(row))) for row in rows]
        return Decision(np.array(actions, np.int32))
