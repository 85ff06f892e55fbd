"""The bandit: several machines, one of which pays best, and every pull spent on finding out costs.

UCB1 pulls the arm whose mean *could* still be the highest: mean + c sqrt(ln t / n). Auer,
Cesa-Bianchi & Fischer (2002); Sutton & Barto (2018) sec. 2.7. Tree search asks the same question
at every node.
"""

from collections.abc import Callable

import numpy as np

# (counts [K], means [K], rng) -> the arm to pull
Choice = Callable[[np.ndarray, np.ndarray, np.random.Generator], int]


def ucb1(c: float = 2**0.5) -> Choice:
    """Every arm once, in order; then the highest mean + c sqrt(ln t / n), ties to the lowest arm.

    t is the number of pulls so far. For payments in [0, 1] the proof takes c = sqrt(2): then the
    regret grows with ln t.
    """

    def choose(counts: np.ndarray, means: np.ndarray, rng: np.random.Generator) -> int:
        if (counts == 0).any():
            return int(np.argmax(counts == 0))
        return int(np.argmax(means + c * np.sqrt(np.log(counts.sum()) / counts)))

    return choose


def play_bandit(
    chances: np.ndarray, choose: Choice, pulls: int, rng: np.random.Generator
) -> np.ndarray:
    """The arms pulled, [pulls] int64. An arm pays 1 with its probability in chances [K], else 0."""
    counts, paid = np.zeros(len(chances), np.int64), np.zeros(len(chances))
    arms = np.empty(pulls, np.int64)
    for t in range(pulls):
        means = np.divide(paid, counts, out=np.zeros(len(chances)), where=counts > 0)
        arms[t] = arm = choose(counts, means, rng)
        counts[arm] += 1
        paid[arm] += rng.random() < chances[arm]
    return arms


def regret(chances: np.ndarray, arms: np.ndarray) -> np.ndarray:
    """[T] float64: the expected loss, up to each pull, against pulling the best arm every time."""
    chances = np.asarray(chances)
    return np.cumsum(chances.max() - chances[arms])
