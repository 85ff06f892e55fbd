"""The control of the experiment td-gammon-averages."""

import numpy as np

from rlcourse.experience import ExperienceBuffer
from rlcourse.learning.td_gammon import TDGammonLearner


class AveragesLearner(TDGammonLearner):
    """A control: every position learns the target of another one, drawn at random.

    The targets as a whole are the same, so the network can learn how often games are won, lost and
    lost as gammons, but not which positions are good.
    """

    def targets(
        self, buffer: ExperienceBuffer, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Those of `TDGammonLearner`, exchanged at random among the positions that learn."""
        targets, learned = super().targets(buffer, rng)
        targets[learned] = targets[rng.permutation(learned)]
        return targets, learned
