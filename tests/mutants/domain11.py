"""Questions from the whole domain of sheet 11's tasks, and the changes that change no answer."""

import numpy as np

from rlcourse.checks.task import Case
from tests.mutants.asking import Domain


def _share(rng: np.random.Generator, least: float = 0.01) -> float:
    """A discount, a step or a probability, now and then 1."""
    return float(rng.choice([1.0, rng.uniform(least, 1), rng.uniform(least, 1)]))


def _expected_sarsa(rng: np.random.Generator) -> Case:
    states, actions = int(rng.integers(1, 6)), int(rng.integers(1, 5))
    state, following = (int(k) for k in rng.integers(0, states, 2))
    # Numbers in common make equal entries likely.
    q = rng.choice(rng.uniform(-3, 3, 6), (states, actions))
    over, reward = bool(rng.random() < 0.3), float(rng.uniform(-2, 2))
    epsilon = float(rng.choice([0.0, 1.0, *rng.uniform(0, 1, 4)]))
    action = int(rng.integers(actions))
    shares = (_share(rng), _share(rng), epsilon)
    return Case((q, state, action, reward, following, over, *shares))


def _best_within(rng: np.random.Generator) -> Case:
    states, actions = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    chances = rng.dirichlet(np.ones(states), (states, actions))
    chances *= rng.uniform(0, 1, (states, actions, 1))
    rewards = rng.uniform(-2, 2, (states, actions))
    return Case((chances, rewards, int(rng.integers(0, 8))))


def _gain_of_calling(rng: np.random.Generator) -> Case:
    count = int(rng.integers(2, 9))
    bets = rng.uniform(0, 1, count) * (rng.random(count) < rng.uniform(0.1, 1))
    return Case((bets, float(rng.uniform(0.5, 6)), float(rng.uniform(0.2, 4))))


def _average_policies(rng: np.random.Generator) -> Case:
    rows, columns = (int(k) for k in rng.integers(1, 5, 2))
    return Case((rng.uniform(-2, 2, (rows, columns)), int(rng.integers(1, 25))))


DOMAINS = {
    "expected_sarsa": Domain(
        _expected_sarsa,
        (Case((np.array([[1.0]]), 0, 0, 1.0, 0, False, 0.5, 0.5, 0.5)),),
    ),
    "best_within": Domain(
        _best_within,
        (Case((np.zeros((1, 1, 1)), np.array([[-1.0]]), 0)),),
    ),
    "gain_of_calling": Domain(
        _gain_of_calling,
        (
            Case((np.zeros(2), 2.0, 1.0)),
            Case((np.array([1.0, 0.0]), 2.0, 1.0)),
        ),
    ),
    "average_policies": Domain(
        _average_policies,
        (
            Case((np.zeros((2, 2)), 3)),
            Case((np.array([[1.0]]), 1)),
        ),
    ),
}

# task -> the reason why these changes change no answer -> a part of each that tells it from others
EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "expected_sarsa": {
        "lines that do not need one another": (
            "moved: target = reward",
            "moved: A = q.shape[1]",
            "moved: target = cost",
        ),
        "a copy is a copy": ("-> new = q.copy()",),
        "the product of two rows has no order": ("q[following] @ policy",),
    },
    "best_within": {
        "steps are counted, states and actions do not need one another": (
            "range(steps - 1, -1, -1)",
            "range(S - 1, -1, -1)",
            "range(A - 1, -1, -1)",
        ),
        "a list of rows does for an array": ("-> return rows",),
        "zeros are whole numbers": ("dtype=int)",),
        "the product of two rows has no order": ("np.dot(V[k - 1], chances[s, a])",),
    },
    "gain_of_calling": {
        "a list does for an array": ("-> return gains",),
        "sums in another order, and lines that do not need one another": (
            "range(len(bets) - 1, -1, -1)",
            "moved: total +=",
            "moved: above =",
            "moved: seen =",
            "moved: won =",
        ),
        "the own card is left out before": ("own >= other",),
        "nobody holds a higher card than the highest": ("above[-1] = 0.0 -> ",),
        "where nobody bets the sum is 0 already, or is not taken": (
            "-> return won /",
            "-0.0)",
            "seen >= 0, won",
            "seen > -1, won",
            "won / seen, 0.0",
            "seen, 0.0), 0.0",
            "seen, -1.0)",
            "seen >= 0, seen",
            "seen > -1, seen",
        ),
    },
    "average_policies": {
        "lines that do not need one another": (
            "moved: row_sum, column_sum",
            "moved: columns =",
            "moved: row_regret =",
            "moved: column_regret =",
            "moved: row_sum +=",
            "moved: column_sum +=",
            "moved: R, C =",
            "moved: history =",
            "moved: means =",
            "moved: rows =",
            "moved: mine =",
            "moved: theirs =",
            "moved: regrets[0]",
            "moved: regrets[1]",
            "moved: sums = [np.zeros",
            "moved: sums[k] = sums[k]",
        ),
        "the larger of two numbers, sums and products have no order": (
            "np.maximum(0, regret)",
            "rows @ row",
            "columns @ column",
            "max(0.0, r)",
            "zip(rows, regrets[0])",
            "zip(columns, regrets[1])",
            "zip(rows, row)",
            "zip(columns, column)",
            "range(C - 1, -1, -1))) for i",
            "range(R - 1, -1, -1))) for j",
        ),
        "rounds are only counted": ("range(rounds - 1, -1, -1)",),
        "zeros are whole numbers": ("dtype=int)",),
        "a mean is positive where the sum is": ("positive.mean() > 0",),
        "a list of two does for a tuple": ("-> return means",),
        "the two players, sums and products have no order": (
            "for k in (1, 0):",
            "worth[k] - worth[k] @ policies[k]",
        ),
        "each player's sum is an array of its own": ("-> sums[k] += policies[k]",),
        "a mean is 0 where the sum of numbers of at least 0 is": ("positive.mean() == 0",),
    },
}
