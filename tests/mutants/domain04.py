"""Questions from the whole domain of sheet 04's tasks, and the changes that change no answer."""

import numpy as np

from rlcourse.checks.task import Case
from tests.mutants.asking import Domain


def _share(rng: np.random.Generator, least: float = 0.01) -> float:
    """A discount or a step, now and then 1."""
    return float(rng.choice([1.0, rng.uniform(least, 1), rng.uniform(least, 1)]))


def _compound_return(rng: np.random.Generator) -> Case:
    length, count = int(rng.integers(1, 8)), int(rng.integers(1, 9))
    weights = rng.dirichlet(np.ones(count)) * (rng.random(count) < 0.8)
    weights[rng.integers(count)] += 1 - weights.sum()
    return Case((rng.uniform(-3, 3, length), rng.uniform(-3, 3, length), weights, _share(rng)))


def _mover_targets(rng: np.random.Generator) -> Case:
    length = int(rng.integers(1, 11))
    player = rng.integers(0, 2, length)
    result, lam = float(rng.integers(-1, 2)), float(rng.choice([0.0, 1.0, *rng.uniform(0, 1, 3)]))
    return Case((rng.uniform(-1, 1, length), player, result, lam, _share(rng)))


def _trace_history(rng: np.random.Generator) -> Case:
    steps, count = int(rng.integers(1, 13)), int(rng.integers(1, 7))
    features = (rng.random((steps, count)) < rng.uniform(0.1, 0.9)).astype(np.int64)
    starts = rng.random(steps) < 0.2
    starts[0] = True
    lam = float(rng.choice([0.0, 1.0, *rng.uniform(0, 1, 3)]))
    kind = str(rng.choice(["accumulating", "replacing"]))
    return Case((features, starts, lam, _share(rng), kind))


def _learn_throws(rng: np.random.Generator) -> Case:
    size = int(rng.integers(7, 16))
    games: list[list[int]] = []
    for _ in range(int(rng.integers(0, 6))):
        squares = [int(rng.integers(1, size))]
        while (left := squares[-1] - int(rng.integers(1, 7))) > 0:
            squares.append(left)
        games.append(squares)
    games = [[1], *games]
    lam = float(rng.choice([0.0, 1.0, *rng.uniform(0, 1, 3)]))
    return Case((rng.uniform(-2, 5, size), games, _share(rng), lam))


def _q_lambda(rng: np.random.Generator) -> Case:
    states, actions, steps = (int(rng.integers(1, n)) for n in (6, 4, 10))
    # Numbers in common make equal entries likely; what is learned makes all others different.
    q = rng.choice(rng.uniform(-1, 1, 4), (states, actions))
    seen = rng.integers(0, states, steps)
    played = rng.integers(0, actions, steps)
    greedy = rng.random(steps) < 0.6
    played[greedy] = q[seen[greedy]].argmax(axis=1)
    lam = float(rng.choice([0.0, 1.0, *rng.uniform(0, 1, 3)]))
    alpha, gamma = float(rng.uniform(0.01, 0.99)), _share(rng)
    return Case((q, seen, played, rng.uniform(-1, 1, steps), alpha, lam, gamma))


DOMAINS = {
    "compound_return": Domain(
        _compound_return,
        (
            Case((np.array([1.0]), np.array([5.0]), np.array([1.0]), 1.0)),
            Case((np.array([1.0, 2.0]), np.array([5.0, 3.0]), np.array([0.0, 0.0, 1.0]), 0.5)),
        ),
    ),
    "mover_targets": Domain(
        _mover_targets,
        (
            Case((np.array([0.3]), np.array([1]), 1.0, 0.5, 0.5)),
            Case((np.array([0.3]), np.array([0]), 0.0, 0.5, 0.5)),
        ),
    ),
    "trace_history": Domain(
        _trace_history,
        (Case((np.ones((4, 2), int), np.ones(4, bool), 0.5, 0.8, "accumulating")),),
    ),
    "learn_throws": Domain(_learn_throws, (Case((np.array([7.0, 0.0]), [[1], [1]], 1.0, 1.0)),)),
    "q_lambda": Domain(
        _q_lambda,
        (Case((np.zeros((1, 1)), np.array([0]), np.array([0]), np.array([1.0]), 0.5, 0.5, 1.0)),),
    ),
}

# task -> the reason why these changes change no answer -> a part of each that tells it from others
EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "compound_return": {
        "lines that do not need one another, and sums in another order": (
            "moved: if n < len(rewards):",
            "range(min(n, len(rewards)) - 1, -1, -1)",
            "moved: n = np.arange",
            "moved: ahead = np.append",
            "moved: last = np.minimum",
        ),
        "the smaller of two numbers, and the product of two rows, have no order": (
            "min(len(rewards), n)",
            "returns @ weights",
            "np.minimum(T, n)",
        ),
    },
    "mover_targets": {
        "every entry is written before it is read": (
            "-> targets = values.copy()",
            "-> targets = np.ones(T)",
        ),
        "lines that do not need one another": (
            "moved: rewards = np.zeros",
            "moved: found = []",
            "moved: weight, discount",
        ),
        "a result is a whole number, and the other rewards are 0": ("dtype=int)",),
        "only the product of the two counts": (
            "(gamma ** n, (1 - lam) * lam ** (n - 1))",
            "(gamma ** (n - 1), lam ** (n - 1))",
        ),
    },
    "trace_history": {
        "the first step begins an episode, so whatever the trace was is forgotten": (
            "-> trace = np.ones(F)",
            "-> rows, trace = ([],",
            "(np.zeros(features.shape[1], dtype=int), [])",
            "(np.zeros(1), [])",
            "(np.ones(features.shape[1]), [])",
        ),
        "every row is written": ("np.ones((T, F))",),
        "lines, and features, that do not need one another": (
            "moved: trace = np.zeros(F)",
            "range(F - 1, -1, -1)",
        ),
        "a list of rows does for an array": ("-> return rows", "-> return history"),
        "the trace is a new array in every step": ("trace += x",),
        "the larger of two numbers has no order": ("np.maximum(x, trace)",),
        "all arguments have as many steps": (
            "zip(features, ends):",
            "zip(features, ends, strict=False)",
            "zip(features, before == 0):",
            "zip(features, before == 0, strict=False)",
        ),
        "0 is a whole number, and what is added to it makes the row": (
            "-> trace = np.zeros(len(trace), dtype=int)",
        ),
    },
    "learn_throws": {
        "the values are numbers with a point already, in an array or a list": (
            "-> values = values.copy()",
            "-> v = values.copy()",
            "-> return values",
        ),
        "a counter never comes back to a square, whose trace was 0": (
            "moved: trace *= lam",
            "-> trace[square] = 1",
        ),
        "squares of a game differ, so their values may move in any order": (
            "range(t + 1 - 1, -1, -1)",
        ),
        "lists and rows of NumPy are picked with alike": (
            "steps = [s for s in squares]",
            "-> ahead = np.append(v[squares[1:]], 0.0)",
            "(targets[::-1] - v[squares])",
            "np.array(squares[1:], dtype=int)",
        ),
        "lines that do not need one another": ("moved: g, targets",),
        "what is behind the last square is not read, nor is the first g": (
            "-> ahead = v[np.array(squares[1:], int)]",
            "([], [])",
            "int)], 1.0)",
            "(1.0, [])",
        ),
        "behind the last square 0 is ahead and g is 0, so the sum is 1 as well": (
            "-> g = 1 + (1 - lam) * ahead[k] + lam * g",
        ),
    },
    "q_lambda": {
        "lines that do not need one another": (
            "moved: trace = np.zeros_like(q)",
            "moved: ahead = q[",
            "moved: best = lambda",
            "moved: following = ",
            "moved: delta = r",
            "moved: q, trace = (",
        ),
        "lists of rows do for an array": ("-> return [[table",),
        "states and actions may come in any order": (
            "range(q.shape[0] - 1, -1, -1)",
            "range(q.shape[1] - 1, -1, -1)",
        ),
        "all arguments have as many steps": ("zip(states, actions)):", "strict=False)):"),
    },
}
