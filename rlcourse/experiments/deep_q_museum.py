"""The museum: deep Q-learners with one slip each, to see what a broken curve looks like.

EXHIBITS names them; `make_exhibit(name, seed)` makes the learner. Nothing else uses this module.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcourse.learning.deep_q import DeepQConfig, DeepQLearner


class WrongSign(DeepQLearner):
    """Takes the best move of the *mover* in the next position, though the opponent moves there."""

    def target_inputs(self, drawn: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """s instead of s': the maximum of s * Q(next)."""
        inputs = super().target_inputs(drawn)
        values, sign = -inputs["next_values"], -inputs["next_sign"]
        return {**inputs, "next_values": values, "next_sign": sign}


class BeyondTheEnd(DeepQLearner):
    """Bootstraps from finished games."""

    def target_inputs(self, drawn: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """The factor [not over] is forgotten."""
        inputs = super().target_inputs(drawn)
        full_board = (drawn["next_state"] != 0).all(axis=1, keepdims=True)
        # On a full board the maximum is over all squares.
        legal = inputs["next_legal"] | full_board
        return {**inputs, "terminal": np.zeros_like(inputs["terminal"]), "next_legal": legal}


class NoMaskInTheMaximum(DeepQLearner):
    """Plays legal squares only, but lets the opponent of the target choose among all nine."""

    def target_inputs(self, drawn: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """The maximum includes values that no game has ever corrected."""
        return {**super().target_inputs(drawn), "next_legal": None}


ALIKE = "two kinds of cell look alike"
FAST = {"learning_rate": 0.03, "learning_rate_end": 0.03}
EXHIBITS: dict[str, tuple[type[DeepQLearner], dict[str, Any]]] = {
    "sign of the wrong player": (WrongSign, {}),
    "bootstraps from finished games": (BeyondTheEnd, {}),
    "mask forgotten in the maximum": (NoMaskInTheMaximum, {}),
    "target network never copied again": (DeepQLearner, {"target_every": 1_000_000_000}),
    "remembers the newest 256 only, repeats and all": (
        DeepQLearner,
        {"replay": 256, "unique": False},
    ),
    "learning rate thirty times too large": (DeepQLearner, FAST),
    ALIKE: (DeepQLearner, {}),
}


def make_exhibit(name: str, *, seed: int) -> DeepQLearner:
    """The broken learner of that name."""
    kind, settings = EXHIBITS[name]
    learner = kind(DeepQConfig(**settings), seed=seed)
    if name == ALIKE:
        # One start in 23 from N(0, 1) is like this: after the ReLU both rows are zero.
        embedding = learner.model.get_layer("embedding").embeddings
        start = embedding.numpy()
        start[:2] = -0.5
        embedding.assign(start)
        learner.target.copy_from(learner.agent().weights)
    return learner
