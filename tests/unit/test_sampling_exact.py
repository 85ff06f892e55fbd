"""The distributions of rlcourse.sampling: exact by enumeration for small cases, then by drawing.

A test that draws says a right function is wrong with probability at most FALSE_ALARM (union bound
over its counts, exact binomial ranges), so a red test here means a fault, not bad luck.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from rlcourse.checks.binomial import in_range
from rlcourse.sampling import categorical, ranked
from tests.unit.test_sampling import Scripted

FALSE_ALARM = 1e-8
SMALL = [(5, 3, 2), (1, 1, 1), (7, 1), (1, 2, 3, 4), (6, 0, 3, 1)]


def drawn_one_by_one(weights: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
    """The chance of every order when one is drawn after the other without
    replacement: the definition.
    """
    chances = {}
    for order in permutations([k for k, weight in enumerate(weights) if weight]):
        chance, left = Fraction(1), sum(weights)
        for k in order:
            chance *= Fraction(weights[k], left)
            left -= weights[k]
        chances[order] = chance
    return chances


class Exponentials:
    """A generator whose exponential numbers are given."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers = numbers

    def standard_exponential(self, shape: tuple[int, ...]) -> np.ndarray:
        return self.numbers.reshape(shape)


@pytest.mark.parametrize("weights", SMALL)
def test_rank_sorts_keys(weights):
    """U ** (1 / w) stands in the order of log w + Gumbel noise (Efraimidis & Spirakis 2006)."""
    numbers = np.random.default_rng(1).random((200, len(weights)))
    expected = []
    for row in numbers:
        keys = {k: float(row[k]) ** (1 / weight) for k, weight in enumerate(weights) if weight}
        order = sorted(keys, key=lambda k: -keys[k])
        expected.append(order + [-1] * (len(weights) - len(order)))
    found = ranked(np.tile(weights, (200, 1)), Exponentials(-np.log(numbers)))
    assert found.tolist() == expected


@pytest.mark.parametrize("weights", SMALL)
def test_one_draw_has_exactly_its_probabilities(weights):
    # Every bound is a multiple of 1 / total, so the midpoints of `total`
    # cells stand for all of [0, 1).
    total = sum(weights)
    midpoints = (np.arange(total) + 0.5) / total
    drawn = categorical(np.tile(weights, (total, 1)), Scripted(*midpoints))
    assert np.bincount(drawn, minlength=len(weights)).tolist() == list(weights)


@pytest.mark.parametrize("weights", [(5, 3, 2), (1, 2, 3, 4), (40, 0, 3, 1)])
def test_drawn_orders_have_the_chances_of_the_definition(weights):
    chances = drawn_one_by_one(weights)
    orders = list(chances)
    p = np.array([float(chances[order]) for order in orders])
    drawn = ranked(np.tile(weights, (20_000, 1)), np.random.default_rng(3))
    length = len(orders[0])
    counts = Counter(tuple(row[:length]) for row in drawn.tolist())
    assert in_range(np.array([counts[order] for order in orders]), p, FALSE_ALARM)


def test_the_test_of_orders_has_power():
    """Drawing the pair again until it differs is a usual fault; the counts above would
    tell it from the right one.
    """
    weights = np.array([5, 3, 2]) / 10
    chances = drawn_one_by_one((5, 3, 2))
    p = np.array([float(chance) for chance in chances.values()])
    rng = np.random.default_rng(5)
    pairs = categorical(np.tile(weights, (80_000, 1)), rng).reshape(-1, 2)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]][:20_000]
    counts = np.array([int((pairs == order[:2]).all(axis=1).sum()) for order in chances])
    assert not in_range(counts, p, FALSE_ALARM)


def test_drawn_actions_have_their_probabilities():
    p = np.array([0.5, 0.3, 0.2, 0.0])
    counts = np.bincount(
        categorical(np.tile(p, (50_000, 1)), np.random.default_rng(6)), minlength=4
    )
    assert in_range(counts, p, FALSE_ALARM)
    p = np.array(
        [1 - 3e-5, 1e-5, 1e-5, 1e-5]
    )  # what clipping leaves of a certain move: the others do come up
    counts = np.bincount(
        categorical(np.tile(p, (1_000_000, 1)), np.random.default_rng(7)), minlength=4
    )
    assert in_range(counts, p, FALSE_ALARM)
    assert counts[1:].sum() > 0
