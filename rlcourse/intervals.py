"""How sure we can be: intervals of rates and of differences, and how many games they need."""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from rlcourse.errors import BadValue

CONFIDENCE, POWER = 0.95, 0.8  # of every interval, and of what a test would find
# In standard errors: from the middle of an interval to its ends, and the room that POWER needs.
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
Z_POWER = NormalDist().inv_cdf(POWER)


def wilson(successes: float, n: int) -> tuple[float, float]:
    """Wilson score interval (95%) of a share, (low, high) in [0, 1].

    (p + z^2 / 2n -+ z sqrt(p q / n + z^2 / 4n^2)) / (1 + z^2 / n); Wilson (1927).
    """
    if n == 0:
        return 0.0, 1.0
    p, z = successes / n, Z
    middle = p + z * z / (2 * n)
    reach = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low, high = ((middle + sign * reach) / (1 + z * z / n) for sign in (-1, 1))
    return 0.0 if successes == 0 else low, 1.0 if successes == n else high


def sample_size(p: float) -> int:
    """Games needed to tell a win rate `p` from 1/2 with a power of 80%.

    Two-sided test at the level 5%, in the normal approximation:
    n = ((z_alpha sqrt(p0 q0) + z_power sqrt(p1 q1)) / (p1 - p0))^2 with p0 = 1/2.
    """
    if not 0 < p < 1 or p == 0.5:
        raise BadValue(f"a rate between 0 and 1 that is not 1/2 is needed, such as 0.55; got {p}")
    spread = Z / 2 + Z_POWER * math.sqrt(p * (1 - p))
    return math.ceil((spread / (p - 0.5)) ** 2)


class SeedComparison(NamedTuple):
    """Two algorithms compared over training seeds.

    mean: of the differences. low, high: its interval. detectable: the smallest true mean difference
    that so many seeds of this spread would have shown with a power of 80%.
    """

    mean: float
    low: float
    high: float
    detectable: float
    seeds: int

    def __str__(self) -> str:
        verdict = "different" if self.low > 0 or self.high < 0 else "no difference shown"
        return (
            f"{self.mean:+.3f} [{self.low:+.3f}, {self.high:+.3f}] over {self.seeds} seeds: "
            f"{verdict}; "
            f"one of {self.detectable:.3f} would have been found"
        )


def compare_over_seeds(differences: Sequence[float]) -> SeedComparison:
    """What a difference, one number a training seed, says about two algorithms.

    The unit is the seed, not the game.

    Student's t: mean -+ t s / sqrt(n), s the standard deviation of n seeds, 95%; detectable: (t +
    t_power) s / sqrt(n). Raises ValueError for fewer than two seeds.
    """
    from scipy.stats import t

    values = np.asarray(differences, np.float64)
    if values.ndim != 1 or len(values) < 2:
        raise BadValue("one number a training seed is needed, of at least two seeds")
    error = values.std(ddof=1) / math.sqrt(len(values))
    width, reach = t.ppf((1 + CONFIDENCE) / 2, len(values) - 1), t.ppf(POWER, len(values) - 1)
    mean = float(values.mean())
    return SeedComparison(
        mean,
        float(mean - width * error),
        float(mean + width * error),
        float((width + reach) * error),
        len(values),
    )
