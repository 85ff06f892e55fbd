"""Learning from recorded games, the second half of the book's cycle with files (ch. 9)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent
from rlcourse.agents.policy import PolicyAgent
from rlcourse.errors import BadValue
from rlcourse.experience import ExperienceBuffer
from rlcourse.learning import make_learner
from rlcourse.learning.train import Learner

LEARN_FROM_FILES = ("policy-gradient", "actor-critic", "alphazero")


def learner_from(
    agent: BatchAgent, name: str = "policy-gradient", *, seed: int = 0, **settings: Any
) -> Learner:
    """The learner of that name with the agent's game, encoder, network and weights.

    Raises ValueError for an agent that is no network of probabilities.
    """
    if not isinstance(agent, PolicyAgent):
        raise BadValue(
            f"{name} goes on from an agent such as `rlcourse new-agent` makes, not from "
            f"{agent.name}"
        )
    options = agent.options()
    described = {key: options[key] for key in ("encoder", "network", "network_options")}
    learner = make_learner(name, seed=seed, **{**agent.game.options, **described, **settings})
    learner.start_from(agent)
    return learner


class FromFiles(Learner):
    """Learns from recorded games, one file per update, instead of playing; for `train`.

    Raises ValueError for a learner that does not.
    """

    def __init__(self, learner: Learner, files: Sequence[str | Path]) -> None:
        if learner.name not in LEARN_FROM_FILES:
            able = ", ".join(LEARN_FROM_FILES)
            raise BadValue(f"{learner.name} does not learn from recorded games; these do: {able}")
        self.learner, self.files = learner, list(files)
        self.name, self.config, self.game = learner.name, learner.config, learner.game
        self.done = 0

    def collect(self, rng: np.random.Generator) -> ExperienceBuffer:
        """The games of the next file."""
        return ExperienceBuffer.load(self.files[self.done])

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        metrics = self.learner.update(buffer, rng)
        self.done += 1
        return metrics

    def agent(self) -> BatchAgent:
        return self.learner.agent()

    def state(self) -> dict[str, np.ndarray]:
        """The learner's state and the number of files learned."""
        return {**self.learner.state(), "files": np.array([self.done], np.int64)}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        self.done = int(arrays["files"][0])
        self.learner.restore({name: array for name, array in arrays.items() if name != "files"})
