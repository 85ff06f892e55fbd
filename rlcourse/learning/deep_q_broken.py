"""The museum: the course's deep Q-learner with one slip each, to see what a broken curve looks like.

EXHIBITS names them; `make_exhibit(name, seed)` gives the learner. Nothing else in the course uses this module.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcourse.agents.deep_q import signs_of
from rlcourse.learning.deep_q import DeepQConfig, DeepQLearner, td_targets


class WrongSign(DeepQLearner):
    """Takes the best move of the *mover* in the next position, though his opponent moves there."""

    def targets(self, drawn: Mapping[str, np.ndarray]) -> np.ndarray:
        """s instead of s': the maximum of s * Q(next)."""
        after = drawn["next_state"]
        values, legal = -self.target.values(after), after == 0
        return td_targets(
            drawn["reward"], drawn["terminal"], values, -signs_of(after), legal, self.config.gamma
        )


class BeyondTheEnd(DeepQLearner):
    """Asks the network what a finished game is still worth."""

    def targets(self, drawn: Mapping[str, np.ndarray]) -> np.ndarray:
        """The factor [not over] is forgotten."""
        after, running = drawn["next_state"], np.zeros(len(drawn["terminal"]), np.bool_)
        legal = (after == 0) | (after != 0).all(
            axis=1, keepdims=True
        )  # on a full board the maximum is over all squares
        return td_targets(
            drawn["reward"],
            running,
            self.target.values(after),
            signs_of(after),
            legal,
            self.config.gamma,
        )


class NoMaskInTheMaximum(DeepQLearner):
    """Plays legal squares only, but lets the opponent of the target choose among all nine."""

    def targets(self, drawn: Mapping[str, np.ndarray]) -> np.ndarray:
        """What no game has ever corrected stands in the maximum."""
        after = drawn["next_state"]
        return td_targets(
            drawn["reward"],
            drawn["terminal"],
            self.target.values(after),
            signs_of(after),
            None,
            self.config.gamma,
        )


EXHIBITS: dict[str, tuple[type[DeepQLearner], dict[str, Any]]] = {
    "sign of the wrong player": (WrongSign, {}),
    "bootstraps from finished games": (BeyondTheEnd, {}),
    "mask forgotten in the maximum": (NoMaskInTheMaximum, {}),
    "target network never copied again": (DeepQLearner, {"target_every": 1_000_000_000}),
    "remembers the newest 256 only, repeats and all": (
        DeepQLearner,
        {"replay": 256, "unique": False},
    ),
    "learning rate thirty times too large": (
        DeepQLearner,
        {"learning_rate": 0.03, "learning_rate_end": 0.03},
    ),
    "two kinds of cell look alike": (DeepQLearner, {}),
}


def make_exhibit(name: str, *, seed: int) -> DeepQLearner:
    """The broken learner of that name. Raises ValueError for an unknown one."""
    if name not in EXHIBITS:
        raise ValueError(f"the museum has no {name!r}; it shows {', '.join(EXHIBITS)}")
    kind, settings = EXHIBITS[name]
    learner = kind(DeepQConfig(**settings), seed=seed)
    if (
        name == "two kinds of cell look alike"
    ):  # as one start in 23 from N(0, 1): behind the ReLU both rows are zero
        embedding = learner.model.get_layer("embedding").embeddings
        start = embedding.numpy()
        start[:2] = -0.5
        embedding.assign(start)
        learner.target.copy_from(learner.agent().weights)
    return learner
