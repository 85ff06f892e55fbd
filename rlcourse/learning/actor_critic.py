"""Actor-critic on Go: the policy gradient of an advantage, and a value head that learns the return.

It is one step from the policy gradient: games, examples, symmetries and clipped update are those of
`rlcourse.learning.policy_gradient`. With lam 1 it is REINFORCE with baseline (Sutton & Barto 2018,
sec. 13.4); with a smaller lam the advantage bootstraps (sec. 13.5; Schulman et al. 2016, GAE). Two
heads and the sum of their losses are as in the source, and in Mnih et al. (2016), sec. 4.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rlcourse.agents.actor_critic import ACAgent
from rlcourse.experience import ExperienceBuffer, advantages_of
from rlcourse.learning.policy_gradient import (
    REINFORCE,
    PolicyGradientConfig,
    PolicyGradientLearner,
)
from rlcourse.tf import tf


@dataclass(frozen=True)
class ActorCriticConfig(PolicyGradientConfig):
    """Adds the settings of the value to those of the policy gradient.

    The defaults are the course's recipe; AS_PRINTED is the source's listing with its slips mended.
    """

    network: str = "ac-small"  # its architecture, by name; one with two heads
    value_weight: float = 0.5  # of the value's mean squared error; the policy's loss has weight 1
    lam: float = 1.0  # of the advantage: 1 return - value, 0 TD error of one ply, between them GAE
    n_step: int = 0  # plies after which the advantage bootstraps, instead of lam; 0: use lam
    # True: moves are weighted by their advantage. False: by the return; the value still learns.
    baseline: bool = True


AS_PRINTED = {
    "network": "ac-seed",
    "optimizer": "sgd",
    "learning_rate": 0.1,
    "batch": 128,
    "masked": False,
    **REINFORCE,
    "games": 256,
    "clip": 1e-6,  # its bound on probabilities, a tenth of the book's
}


class ActorCriticLearner(PolicyGradientLearner):
    """Self-play of Go and the policy gradient of the advantage; see ActorCriticConfig.

    The advantages use the values that the network gave when the moves were played. They are plain
    numbers by the time of the update, so no gradient flows through them.
    """

    name = "actor-critic"
    config: ActorCriticConfig
    player, settings = ACAgent, ActorCriticConfig
    learns_from: ClassVar = {"advantage": "advantage", "outcome": "reward"}
    heads = ("logits", "value")
    figures = ("loss", "entropy", "bounded", "value_error")

    def examples(self, buffer: ExperienceBuffer) -> dict[str, np.ndarray]:
        """As for the policy gradient, with the advantages that the config asks for."""
        columns = dict(buffer.columns)
        columns.pop("advantage", None)
        if "value" in columns:
            lam, n_step = self.config.lam, self.config.n_step
            columns["advantage"] = advantages_of(buffer, lam=lam, n_step=n_step)
        return super().examples(ExperienceBuffer(columns, buffer.meta))

    def loss(self, outputs: Mapping[str, Any], examples: Mapping[str, Any]) -> tuple[Any, ...]:
        """(loss, entropy in nats, share of clipped decisions, mean squared error of the value)."""
        config = self.config
        advantage = examples["advantage" if config.baseline else "outcome"]
        policy, *figures = super().loss(outputs, {**examples, "advantage": advantage})
        # Value and return are both for the player who moved.
        error = tf.reduce_mean(tf.square(outputs["value"][:, 0] - examples["outcome"]))
        return policy + config.value_weight * error, *figures, error
