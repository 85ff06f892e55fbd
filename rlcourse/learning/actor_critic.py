"""Actor-critic on Go: the policy gradient with an advantage in place of the return, and a value head that learns the return.

One step from the policy gradient and nothing else: games, examples, symmetries and the clipped update are those of
`rlcourse.learning.policy_gradient`. With lam 1 it is REINFORCE with baseline (Sutton & Barto 2018, sec. 13.4); with a smaller
lam the advantage bootstraps (sec. 13.5; Schulman et al. 2016, GAE). Two heads and the sum of two losses as in the source, and
in Mnih et al. (2016), sec. 4.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rlcourse.agents.actor_critic import CLIP_AS_PRINTED, ACAgent
from rlcourse.experience import ExperienceBuffer, advantages_of
from rlcourse.learning.policy_gradient import (
    REINFORCE,
    PolicyGradientConfig,
    PolicyGradientLearner,
)
from rlcourse.tf import tf


@dataclass(frozen=True)
class ActorCriticConfig(PolicyGradientConfig):
    """Beside the settings of the policy gradient those of the value. The defaults are the course's recipe; AS_PRINTED is the
    source's listing with its slips repaired."""

    network: str = "ac-small"  # its architecture, by name; one with two heads
    value_weight: float = (
        0.5  # of the value's loss, the mean squared error against the return; the policy's has 1
    )
    lam: float = 1.0  # of the advantage: 1 the return less the value, 0 the TD error of one ply, between them GAE
    n_step: int = 0  # plies after which the advantage bootstraps, in place of lam; 0: lam
    baseline: bool = True  # moves count by their advantage; False: by the return, and the value is learned beside it


AS_PRINTED = {
    "network": "ac-seed",
    "optimizer": "sgd",
    "learning_rate": 0.1,
    "batch": 128,
    "masked": False,
    **REINFORCE,
    "games": 256,
    "clip": CLIP_AS_PRINTED,
}


class ActorCriticLearner(PolicyGradientLearner):
    """Self-play of Go and the policy gradient of the advantage; see ActorCriticConfig.

    The advantages come from the values that the network gave when the moves were played: they are numbers by now, and no
    gradient flows through them.
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
            columns["advantage"] = advantages_of(
                buffer, lam=self.config.lam, n_step=self.config.n_step
            )
        return super().examples(ExperienceBuffer(columns, buffer.meta))

    def loss(self, said: Mapping[str, Any], examples: Mapping[str, Any]) -> tuple[Any, ...]:
        """(loss, entropy in nats, share of bounded decisions, mean squared error of the value) of a minibatch."""
        config = self.config
        advantage = examples["advantage" if config.baseline else "outcome"]
        policy, *figures = super().loss(said, {**examples, "advantage": advantage})
        error = value_loss(said["value"][:, 0], examples["outcome"])
        return policy + config.value_weight * error, *figures, error


def value_loss(value: Any, outcome: Any) -> Any:
    """Mean squared error of the values [B] against the returns [B] of the games, both for the player who moved."""
    return tf.reduce_mean(tf.square(value - outcome))
