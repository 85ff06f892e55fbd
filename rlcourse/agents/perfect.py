"""The player that nobody beats, where a game is solved."""

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.errors import BadValue
from rlcourse.games import Batch, Game
from rlcourse.sampling import categorical
from rlcourse.solvers import tictactoe as exact


class PerfectAgent(BatchAgent[Batch]):
    """Plays tic-tac-toe perfectly: uniform over the moves that keep the exact value."""

    name = "perfect"

    def __init__(self, game: Game, *, seed: int | None = None) -> None:
        if game.name != "tic-tac-toe":
            raise BadValue(f"the perfect player knows tic-tac-toe, not {game.name}")
        super().__init__(game, seed=seed)

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """q holds the exact value of each move in {-1, 0, 1}."""
        solution = exact.solve()
        codes = exact.codes_of(batch.cells[rows])
        policy = solution.best[codes] / solution.best[codes].sum(axis=1, keepdims=True)
        action = categorical(policy, rng)
        log_prob = np.log(policy[np.arange(len(rows)), action])
        value = solution.value[codes].astype(np.float32)
        return Decision(action, log_prob, value, policy, solution.q[codes])
