"""Answers to the hidden cases of sheet 51, right and with each usual slip.

Students never get this file.
"""

import numpy as np


def shaped_returns(rewards: np.ndarray, gamma: float, slip: str = "") -> np.ndarray:
    """[T] returns from each ply on: the reward of the ply itself counts in full."""
    returns, following = np.zeros(len(rewards)), 0.0
    for t in range(len(rewards))[:: 1 if slip == "forward" else -1]:
        following = rewards[t] + (1.0 if slip == "gamma" else gamma) * following
        returns[t] = following - rewards[t] if slip == "late" else following
    return returns
