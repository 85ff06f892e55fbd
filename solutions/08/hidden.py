"""Sheet 08, tree search: how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

import numpy as np

from rlcourse.checks import oracle08, reference08
from rlcourse.checks.judging import by_oracle, fair, keyed, telling
from rlcourse.checks.sheet08 import (
    BOXES_MISTAKES,
    NIM_MISTAKES,
    PUCT_MISTAKES,
    ROLLOUT_MISTAKES,
    ROUTES_MISTAKES,
)
from rlcourse.checks.task import Case, Hidden

# --- try_routes -----------------------------------------------------------------------------------


def _routes_cases(rng: np.random.Generator) -> list[Case]:
    def one(rng: np.random.Generator, count: int, c: float, twins: bool = False) -> Case:
        """A town of `count` routes, the best two of them with the same minutes where asked for;
        more minutes than mornings.
        """
        mornings, means = int(rng.integers(20, 41)), rng.uniform(20, 35, count)
        if twins:
            means[0] = means.min() - 3
        costs = means[:, None] + rng.uniform(-13, 13, (count, mornings + 3))
        if twins:
            means[1], costs[1] = means[0], costs[0]
        args = costs, means, c * float(rng.uniform(0.8, 1.2)), mornings
        return keyed(oracle08.try_routes, ROUTES_MISTAKES, *args)

    def draw(rng: np.random.Generator) -> list[Case]:
        """Eight towns of 2 to 5 routes; traffic says more than the bonus, or the bonus more."""
        towns = [(count, c) for count in (2, 3) for c in (0.6, 3.0, 12.0)]
        cases = [fair(one, rng, *town) for town in [*towns, (5, 6.0)]]
        return [*cases, fair(one, rng, 4, 6.0, twins=True)]

    return telling(draw, rng)


def _routes_domain(costs: np.ndarray, means: np.ndarray, c: float, mornings: int) -> bool:
    return (
        len(costs) == len(means) and costs.shape[1] >= mornings >= 1 and costs.min() > 0 and c > 0
    )


# --- box_backup -----------------------------------------------------------------------------------


def _boxes_case(rng: np.random.Generator, length: int, closes_last: bool, begins: int) -> Case:
    count = int(rng.integers(length + 3, length + 10))
    boxes = rng.choice([0, 0, 0, 1, 1, 2], length)
    boxes[0] = 1 if length > 4 else boxes[0]
    boxes[-1] = int(rng.integers(1, 3)) if closes_last else 0
    mover = [begins]
    for closed in boxes.tolist():  # who closes a box moves again
        mover.append(mover[-1] if closed else 1 - mover[-1])
    visits, totals = rng.integers(1, 20, count), rng.uniform(-20, 20, count).round(2)
    edges = rng.permutation(count)[:length]
    visits[edges[-1]], totals[edges[-1]] = 0, 0.0
    value = float(rng.choice([-1, 1]) * rng.uniform(0.5, 4))
    args = visits, totals, edges, np.array(mover[:-1]), boxes, value, mover[-1]
    return keyed(oracle08.box_backup, BOXES_MISTAKES, *args)


def _boxes_cases(rng: np.random.Generator) -> list[Case]:
    """Either player begins, and the first and the last move of a path each close boxes once."""
    shapes = ((1, False, 0), (4, True, 1), (6, False, 1), (9, True, 1), (8, False, 0))
    return telling(lambda rng: [_boxes_case(rng, *shape) for shape in shapes], rng)


def _boxes_domain(
    visits: np.ndarray,
    totals: np.ndarray,
    edges: np.ndarray,
    mover: np.ndarray,
    boxes: np.ndarray,
    value: float,
    player: int,
) -> bool:
    """Who closes a box moves again; a path takes no edge twice."""
    who = [*mover.tolist(), player]
    turns = all(
        (a == b) == (closed > 0) for a, b, closed in zip(who, who[1:], boxes.tolist(), strict=False)
    )
    path = (
        len(set(edges.tolist())) == len(edges) == len(mover) == len(boxes)
        and 0 <= edges.min()
        and boxes.min() >= 0
    )
    return (
        turns
        and path
        and edges.max() < len(visits) == len(totals)
        and visits.min() >= 0
        and player in (0, 1)
    )


# --- puct_moves -----------------------------------------------------------------------------------


def _puct_case(rng: np.random.Generator, actions: int, rows: int = 5) -> Case:
    """Five nodes: one without visits, one that offers nothing good; where there are nine actions,
    one with a single legal one that was visited once.

    One node: a root without visits.
    """
    legal = rng.random((rows, actions)) < 0.6
    legal[:, :2], legal[:, 2] = True, False
    legal = rng.permuted(legal, axis=1)  # two legal actions in every node, and one that is not
    visits = np.where(legal, rng.integers(0, 9, (rows, actions)), 0)
    if actions == 9:
        legal[3] = np.arange(actions) == rng.integers(actions)
        visits[3] = legal[3]
    visits[4:] = np.where(legal[4:], rng.integers(12, 20, visits[4:].shape), 0)
    visits[0] = 0  # nothing tried yet: the prior decides
    for row in range(1, min(2, rows)):  # the best may be what was not tried
        visits[row, legal[row].argmax()] = 0
    means = rng.uniform(-0.8, 0.8, visits.shape)
    means[4:] = rng.uniform(
        0.7, 0.9, means[4:].shape
    )  # whatever is played here is good for the other
    totals = np.where(visits > 0, visits * means, 0.0)
    priors = rng.dirichlet(np.ones(actions), rows)
    twins = rng.permutation(np.flatnonzero(legal[0]))[:2]
    priors[0, twins] = priors[0].max()  # and it cannot tell these two apart
    priors[0] /= priors[0].sum()
    noise = np.where(legal, rng.gamma(0.5, size=legal.shape) + 1e-6, 0.0)
    if rows > 1:  # noise may leave a legal action out
        noise[1, legal[1].argmax()] = 0.0
    noise /= noise.sum(axis=1, keepdims=True)
    value = rng.uniform(-0.8, 0.5, rows)
    value[1:2] = 0.9
    root = np.ones(rows, bool)
    if rows > 1:
        root[rng.permutation(rows)[2:]] = False
        root[0] = False
    c, epsilon = float(rng.choice([0.8, 1.5, 2.0, 3.0])), float(rng.uniform(0.2, 0.5))
    c = 0.5 if actions == 7 else c
    args = visits, totals, priors, legal, value, root, noise, c, epsilon
    return keyed(oracle08.puct_moves, PUCT_MISTAKES, *args)


def _puct_cases(rng: np.random.Generator) -> list[Case]:
    sizes = (4, 5), (7, 5), (9, 5), (6, 1)
    return telling(lambda rng: [fair(_puct_case, rng, *size) for size in sizes], rng)


def _puct_domain(
    visits: np.ndarray,
    totals: np.ndarray,
    priors: np.ndarray,
    legal: np.ndarray,
    value: np.ndarray,
    root: np.ndarray,
    noise: np.ndarray,
    c: float,
    epsilon: float,
) -> bool:
    shares = (
        np.allclose(priors.sum(axis=1), 1)
        and np.allclose(noise.sum(axis=1), 1)
        and not noise[~legal].any()
        and (priors * legal).sum(axis=1).min() > 0
    )
    tried = (
        not visits[~legal].any()
        and bool(legal.any(axis=1).all())
        and visits.min() >= 0
        and not totals[visits == 0].any()
    )
    shapes = (
        len({table.shape for table in (visits, totals, priors, legal, noise)}) == 1
        and value.shape == root.shape == visits.shape[:1]
    )
    return (
        shapes
        and shares
        and tried
        and min(priors.min(), noise.min()) >= 0
        and c > 0
        and 0 <= epsilon <= 1
    )


# --- nim_search -----------------------------------------------------------------------------------


def _nim_case(rng: np.random.Generator, heap: int, simulations: int = 0) -> Case:
    """A search of so many simulations, 20 to 45 where it is not said; before the fifth the
    three moves are equally good.
    """
    values = rng.uniform(-0.9, 0.9, heap + 1)
    if simulations == 5:
        values[:] = 0.25
    args = heap, values, float(rng.uniform(0.4, 1.6)), simulations or int(rng.integers(20, 46))
    return keyed(oracle08.nim_search, NIM_MISTAKES, *args)


def _nim_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Six heaps, small ones and large ones; one simulation and two; equally good moves."""
        heaps = (1, 2, 4, *rng.choice(np.arange(5, 13), 3, replace=False).tolist())
        asked = [*((heap, 0) for heap in heaps), (6, 1), (7, 2), (8, 5)]
        return [fair(_nim_case, rng, *one) for one in asked]

    return telling(draw, rng)


def _nim_domain(heap: int, values: np.ndarray, c: float, simulations: int) -> bool:
    return (
        heap >= 1
        and len(values) == heap + 1
        and np.abs(values).max() <= 1
        and c > 0
        and simulations >= 1
    )


# --- rollout_values -------------------------------------------------------------------------------


def _rollout_cases(rng: np.random.Generator) -> list[Case]:
    def one(rng: np.random.Generator, lowest: int, count: int) -> Case:
        """One game in which rollouts mislead now and then."""
        takes = [
            lowest,
            *sorted(
                rng.choice(np.arange(lowest + 1, lowest + 8), count - 1, replace=False).tolist()
            ),
        ]
        heap = int(rng.integers(16, 31))
        if count == 2:  # a heap misleads that is smaller than the largest move
            misled = reference08.rollout_values(takes, 15)[1]
            if not len(misled):
                return one(rng, lowest, count)
            takes.append(max(takes[-1], int(misled[0])) + 1)
        if count == 4:  # the largest heap misleads
            heap = int(max(reference08.rollout_values(takes, 30)[1], default=0))
            if heap < 16:
                return one(rng, lowest, count)
        if count == 5:  # and so does the next one after the last that is asked for
            heap = int(max(reference08.rollout_values(takes, 30)[1], default=1)) - 1
        return keyed(reference08.rollout_values, ROLLOUT_MISTAKES, takes, heap)

    def draw(rng: np.random.Generator) -> list[Case]:
        """Four games of two to five kinds of moves."""
        return [fair(one, rng, *shape) for shape in ((1, 2), (2, 3), (3, 4), (1, 5))]

    while True:
        cases = telling(draw, rng)
        if any(len(case.secret.right[1]) > 1 for case in cases):  # their order shows
            return cases


def _rollout_domain(takes: list[int], heap: int) -> bool:
    return takes == sorted(set(takes)) and takes[0] >= 1 and heap >= 0


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "try_routes": Hidden(
        _routes_cases, _routes_domain, by_oracle(oracle08.try_routes, ROUTES_MISTAKES)
    ),
    "box_backup": Hidden(
        _boxes_cases, _boxes_domain, by_oracle(oracle08.box_backup, BOXES_MISTAKES)
    ),
    "puct_moves": Hidden(_puct_cases, _puct_domain, by_oracle(oracle08.puct_moves, PUCT_MISTAKES)),
    "nim_search": Hidden(_nim_cases, _nim_domain, by_oracle(oracle08.nim_search, NIM_MISTAKES)),
    "rollout_values": Hidden(
        _rollout_cases, _rollout_domain, by_oracle(reference08.rollout_values, ROLLOUT_MISTAKES)
    ),
}
