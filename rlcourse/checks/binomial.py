"""How often each of several answers may come in n draws: exact binomial ranges, and their power.

SciPy is loaded when it is needed: no other check does.
"""

from functools import lru_cache

import numpy as np


def in_range(counts: np.ndarray, p: np.ndarray, share: float) -> bool:
    """Whether every count [A] lies in its exact binomial range around the probabilities p [A]."""
    low, high = ranges(int(counts.sum()), p, share)
    return bool(np.all((counts >= low) & (counts <= high)))


def ranges(n: int, p: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """(low [A], high [A]): counts of n draws that are accepted; all A leave out at most `share`."""
    uncertain = [float(x) for x in p if 0 < x < 1]
    tail = share / (2 * max(1, len(uncertain)))
    both = [_range(n, float(x), tail) for x in p]
    return np.array([low for low, _ in both]), np.array([high for _, high in both])


@lru_cache(maxsize=100_000)
def _range(n: int, p: float, tail: float) -> tuple[int, int]:
    """(low, high) of a binomial count: P(count < low) <= tail and P(count > high) <= tail."""
    from scipy.special import bdtr

    if p <= 0 or p >= 1:
        return (0, 0) if p <= 0 else (n, n)
    k = np.arange(n + 1)
    low = np.searchsorted(bdtr(k, n, p), tail, side="right")
    high = n - np.searchsorted(bdtr(k, n, 1 - p), tail, side="right")
    return int(low), int(high)


def power(n: int, right: np.ndarray, slip: np.ndarray, share: float) -> float:
    """The least chance that a function with probabilities `slip` [A] is called wrong."""
    from scipy.special import bdtr

    low, high = ranges(n, right, share)
    slip = np.asarray(slip, np.float64)
    below = np.where(low > 0, bdtr(np.maximum(low - 1, 0), n, slip), 0.0)
    above = np.where(high < n, bdtr(n - high - 1, n, 1 - slip), 0.0)
    return float(np.max(below + above))
