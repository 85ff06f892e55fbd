"""The player that gives no result away, where a game is solved."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.errors import BadValue
from rlcourse.games import Game
from rlcourse.parts import part_of
from rlcourse.sampling import categorical


def exact_moves_of(game_name: str) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]] | None:
    """The function of that name of the game's solver; None where the game is not solved."""
    return getattr(part_of("rlcourse.solvers", game_name), "exact_moves", None)


class PerfectAgent(BatchAgent[Any]):
    """Plays tic-tac-toe and Connect Four perfectly: uniform over the best moves.

    A best move keeps the result; in Connect Four it also wins soon or loses late, see `exact_moves`
    of the solver. That game is begun by a book, which holds one answer to whatever the opponent
    plays from the empty board on. In a position with few stones to which none of its own games
    leads, the player searches as UCT does, and may err.
    """

    name = "perfect"

    def __init__(self, game: Game, *, seed: int | None = None) -> None:
        exact = exact_moves_of(game.name)
        if exact is None:
            raise BadValue(f"the perfect player knows tic-tac-toe and Connect Four, not {game}")
        super().__init__(game, seed=seed)
        self._exact = exact

    def decide(self, batch: Any, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """q holds the exact result of each move in {-1, 0, 1}, NaN where it is not known."""
        q, choice = self._exact(batch.cells[rows])
        value = np.where(choice, q, -1).max(axis=1)
        unknown = np.flatnonzero(~choice.any(axis=1))
        if len(unknown):
            # Imported when it is needed: a player of tic-tac-toe does without search.
            from rlcourse.agents.search import UCTAgent

            uct = UCTAgent(self.game, simulations=1_000)
            searched = uct.decide(batch, rows[unknown], rng)
            choice[unknown, searched.action] = True
            value[unknown] = searched.value
        policy = choice / choice.sum(axis=1, keepdims=True)
        action = categorical(policy, rng)
        log_prob = np.log(policy[np.arange(len(rows)), action])
        return Decision(action, log_prob, value.astype(np.float32), policy, q)
