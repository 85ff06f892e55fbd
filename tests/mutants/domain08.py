"""Questions from the whole domain of sheet 08's tasks, and the changes that change no answer."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from rlcourse.checks import oracle08, reference08
from rlcourse.checks.judging import fair
from rlcourse.checks.task import Case
from tests.mutants.asking import Domain


def _settled(
    draw: Callable[[np.random.Generator], tuple], oracle: Callable[..., Any]
) -> Callable[[np.random.Generator], Case]:
    """A question that nobody's rounding can answer in another way."""

    def one(rng: np.random.Generator) -> Case:
        args = draw(rng)
        oracle(*args)
        return Case(args)

    return partial(fair, one)


def _town(rng: np.random.Generator) -> tuple:
    count, mornings = int(rng.integers(1, 7)), int(rng.integers(1, 31))
    means = rng.uniform(5, 40, count)
    trips = mornings + int(rng.integers(0, 4))
    costs = means[:, None] + rng.uniform(-4, 4, (count, trips))
    twin, other = rng.integers(0, count, 2)
    if rng.random() < 0.4:
        costs[twin], means[twin] = costs[other], means[other]
    return costs, means, float(rng.uniform(0.5, 15)), mornings


def _box_backup(rng: np.random.Generator) -> Case:
    length = int(rng.integers(1, 11))
    count = length + int(rng.integers(0, 8))
    boxes = rng.choice([0, 0, 1, 2], length)
    mover = [int(rng.integers(2))]
    for closed in boxes.tolist():
        mover.append(mover[-1] if closed else 1 - mover[-1])
    visits = rng.integers(0, 30, count)
    totals = np.where(visits > 0, rng.uniform(-30, 30, count), 0.0)
    edges, value = rng.permutation(count)[:length], float(rng.uniform(-6, 6))
    return Case((visits, totals, edges, np.array(mover[:-1]), boxes, value, mover[-1]))


def _nodes(rng: np.random.Generator) -> tuple:
    shape = rows, actions = int(rng.integers(1, 6)), int(rng.integers(1, 9))
    legal = rng.random(shape) < rng.uniform(0.2, 1)
    legal[np.arange(rows), rng.integers(0, actions, rows)] = True
    visits = np.where(legal, rng.integers(0, rng.choice([2, 6, 60]), shape), 0)
    visits[rng.random(rows) < 0.2] = 0
    totals = visits * rng.uniform(-1, 1, shape)
    priors = rng.dirichlet(np.ones(actions), rows)
    if rng.random() < 0.3:  # a network that has learned nothing
        priors[:] = 1 / actions
    noise = np.where(legal, rng.gamma(0.5, size=shape) * (rng.random(shape) < 0.8), 0.0)
    noise += legal * (noise.sum(axis=1, keepdims=True) == 0)
    noise /= noise.sum(axis=1, keepdims=True)
    value, root = rng.uniform(-1, 1, rows), rng.random(rows) < 0.5
    c, epsilon = float(rng.uniform(0.2, 5)), float(rng.choice([0.0, 1.0, *rng.uniform(0, 1, 4)]))
    return visits, totals, priors, legal, value, root, noise, c, epsilon


def _heap(rng: np.random.Generator) -> tuple:
    heap, simulations = int(rng.integers(1, 13)), int(rng.integers(1, 46))
    values = rng.uniform(-1, 1, heap + 1)
    if rng.random() < 0.3:  # a table that knows nothing, or little
        values = rng.choice(rng.uniform(-1, 1, 2), heap + 1)
    return heap, values, float(rng.uniform(0.1, 3)), simulations


def _takes(rng: np.random.Generator) -> tuple:
    most = int(rng.integers(2, 11))
    chosen = rng.random(most) < rng.uniform(0.2, 0.9)
    chosen[rng.integers(most)] = True
    return (np.flatnonzero(chosen) + 1).tolist(), int(rng.integers(0, 31))


_ONE = np.ones((1, 1))
_LONE = np.array([3]), np.array([2.0]), np.array([0])
DOMAINS = {
    "try_routes": Domain(
        _settled(_town, oracle08.try_routes),
        (Case((np.full((1, 4), 9.0), np.array([8.0]), 2.0, 4)),),
    ),
    "box_backup": Domain(
        _box_backup,
        (
            Case((*_LONE, np.array([1]), np.array([2]), 0.5, 1)),
            Case((*_LONE, np.array([0]), np.array([0]), 0.0, 1)),
        ),
    ),
    "puct_moves": Domain(
        _settled(_nodes, oracle08.puct_moves),
        (
            Case((0 * _ONE, 0 * _ONE, _ONE, _ONE > 0, _ONE[0], _ONE[0] > 0, _ONE, 1.0, 0.25)),
            Case((9 * _ONE, -_ONE, _ONE, _ONE > 0, _ONE[0], _ONE[0] < 0, _ONE, 1.0, 0.25)),
        ),
    ),
    "nim_search": Domain(
        _settled(_heap, oracle08.nim_search),
        (Case((1, np.array([0.5, -0.5]), 1.0, 1)), Case((3, np.zeros(4), 1.0, 40))),
    ),
    "rollout_values": Domain(
        _settled(_takes, reference08.rollout_values),
        (
            Case(([1], 0)),
            Case(([5], 4)),
            Case(([1], 9)),
            Case(([1, 3, 4, 10], 9)),
        ),
    ),
}

# task -> the reason why these changes change no answer -> a part of each that tells it from others
EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "try_routes": {
        "lines that do not need one another, and a day's number that nobody reads": (
            "moved: routes, regret",
            "moved: routes.append(a)",
            "moved: regret.append(means",
            "moved: lost += ",
            "moved: chosen",
            "for morning in range(mornings - 1, -1, -1):",
        ),
        "lists and rows of whole numbers do for arrays of them": (
            "-> return (routes, np.cumsum",
            "np.array(routes, dtype=int)",
            "np.zeros(len(costs), dtype=int), np.zeros(len(costs))",
            "-> chosen = np.zeros(mornings, dtype=int)",
        ),
        "where a route has no trips its bound is -inf by division, too, and the first -inf wins": (
            "-> a = np.argmin(total / n - c * np.sqrt(np.log(N) / n))",
            "n == -1",
        ),
        "every entry is written before it is read, and a first mean is replaced whole": (
            "np.ones(mornings, np.int64)",
            "[0] * A, [0] * A",
            "[0] * A, [1.0] * A",
        ),
        "None is looked at first, and every bound is below infinity": (
            "(None, None)",
            "(np.inf, np.inf)",
            "-> if bound < lowest:",
        ),
    },
    "box_backup": {
        "lines that do not need one another": (
            "moved: ahead = value if",
            "moved: visits[edges[t]]",
            "moved: totals[edges[t]]",
            "moved: who, ahead",
            "moved: ahead = ahead",
            "moved: visits[edge]",
            "moved: totals[edge]",
            "moved: gained",
            "moved: same",
            "moved: new_visits",
            "moved: np.add.at",
        ),
        "over the whole path every edge gets its visit, whoever is first": (
            "visits[edges[t - 1]] += 1",
        ),
        "a copy of the arrays in another way; numbers are not changed in place": (
            "ahead += closed",
            "(visits.copy(), np.array(totals, float))",
            "(np.array(visits), totals.copy())",
            "np.array(visits, dtype=int)",
        ),
        "a row beside a column": ("who[:-1, None] == who,",),
    },
    "puct_moves": {
        "lines that do not need one another": (
            "moved: q = ",
            "moved: u = ",
            "moved: N = ",
            "moved: best, highest",
            "moved: scores.append",
            "moved: p = priors[r][a]",
            "moved: mix = ",
        ),
        "the larger of two numbers has no order": (
            "np.maximum(1, visits), value",
            "np.maximum(visits.sum(axis=1, keepdims=True), 1)",
            "max(sum(visits[r]), 1)",
            "max(n.sum(), 1)",
            "totals / np.maximum(1, visits), -value",
        ),
        "where nothing was visited the first guess is picked, whatever the division gives": (
            "-totals / visits, value",
            "np.maximum(visits, 0), value",
            "totals / visits, -value",
            "np.maximum(visits, 0), -value",
        ),
        "a sign in front of all priors goes with the division by their sum": ("-> p = -priors",),
        "p is an array of its own, and a list does for an array": (
            "p /= p.sum",
            "-> return (actions, np.array",
            "np.array(actions, dtype=int)",
            "-> return (np.array(actions), scores)",
        ),
        "one entry a row is both the first and the last": ("best[:, None], axis=1)[:, -1]",),
        "with indices of one column NumPy takes axis -1, the same": ("best[:, None])[:, 0]",),
        "every legal move has a score above -1, and so takes the place of what stood there": (
            "-> best, highest = ",
        ),
        "an array may be masked before it is used, and what is divided by 1 stays": (
            "-> priors = np.where(legal, priors, 0.0)",
            "-> totals = np.where(visits > 0, totals, -value",
        ),
        "0 has no sign": ("np.where(legal, priors, -0.0)",),
    },
    "nim_search": {
        "lines that do not need one another, and a simulation's number that nobody reads": (
            "moved: ",
            "-> def bound(self, child, c):",
            "for _ in range(simulations - 1, -1, -1):",
        ),
        "0 and 0.0 count alike": (
            "-> visits, totals = ({(): 0",
            "visits[*node, take], totals[*node, take] = (0, 0)",
            "visits[*node, take], totals[*node, take] = (0.0, 0",
        ),
        "a finished game was never expanded": (
            "-> while (*node, 1) in visits",
            "while left >= 0",
            "while left > -1",
        ),
        "children that the heap has no stones for are never looked at": (
            "if take <= left: ; visits[*node, take]",
        ),
        "the larger or smaller of two numbers has no order": (
            "max(visits[()], 1)",
            "max(visits[node], 1)",
            "min(leaf.left, 3)",
            "min(3, left) + 1)]",
        ),
        "there is at least one simulation, and before the second no child has a bound": (
            "max(0, visits[()])",
            "np.log(max(2, visits[node]))",
            "np.log(max(0, visits[node]))",
        ),
        "a list of whole numbers does for an array, and is picked from with NumPy's, too": (
            "-> return ([N.get(",
            "-> return (np.array([N.get((k,), 0) for k in (1, 2, 3)], dtype=int)",
            "children[np.argmax(bounds)]",
            "kids[np.argmax(scores)]",
        ),
        "the root has children: there is at least one stone": (
            "-> counts = [child.n for child in root.children]",
        ),
    },
    "rollout_values": {
        "lines that do not need one another": ("moved: ",),
        "lists and whole numbers do for arrays, and nobody reads one entry more": (
            "np.zeros(heap + 1, dtype=int)",
            "-> left = [h - k",
            "dtype=int)",
            "np.zeros(heap + 2, bool)",
            "-> return (means, misled)",
        ),
        "without a memory it only takes longer": ("-> def best(h):",),
    },
}
