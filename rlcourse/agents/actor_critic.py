"""The source's ACAgent: a policy agent whose network also estimates the value of the position.

The value belongs to the player to move, in (-1, 1): 1 is a win. The advantage of a move is what it
gains beyond that value, A(s, a) = Q(s, a) - V(s); the return of the game minus the value is one
sample of it (Sutton & Barto 2018, sec. 13.4). The source: SOURCES, "the master's hint".
"""

import numpy as np

from rlcourse.agents.policy import PolicyAgent


class ACAgent(PolicyAgent):
    """Draws its move as PolicyAgent does, and estimates the value of the position.

    model: a Keras model or Snapshot with two heads, planes [R, *encoder.shape] -> (probabilities,
    value [R, 1]). A collector also records the value, and `complete_episode` subtracts it from the
    return: the advantage.
    """

    name = "actor-critic"
    heads = 2
    usual = "ac-small"
    record = (*PolicyAgent.record, "value")

    def forward(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(clipped probabilities [R, A] float64, value [R] float32 for the player to move)."""
        policy, value = self.network(planes)
        return self._clipped(policy), value
