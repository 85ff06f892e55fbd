"""What the tasks of sheet 08 ought to answer, and what each usual slip would answer instead.

Every function has one argument `slip`: "" for the right answer, else the name of a mistake; of one
that is made in several ways, which stand here, it gives `Ways` where their answers differ. Only
the grader's side runs this file; while a task is judged its functions are withheld.
"""

from collections.abc import Sequence

import numpy as np

from rlcourse.checks.difference import in_ways
from rlcourse.checks.judging import best

TAKES = (1, 2, 3)  # of nim_search
ROOT_WAYS = ("times", "upside_down")  # of "under_root"


def try_routes(
    costs: np.ndarray, means: np.ndarray, c: float, mornings: int, slip: str = ""
) -> tuple[np.ndarray, np.ndarray]:
    """(routes [T], regret [T]): the routes that optimism in the face of uncertainty takes, and
    their total regret so far.

    costs [A, K] minutes of the k-th trip on each route, means [A] their true means; UCB1
    turned round (Auer et al. 2002).
    """
    if slip == "under_root":
        return in_ways(try_routes(costs, means, c, mornings, way) for way in ROOT_WAYS)
    costs = np.asarray(costs)
    paid: list[list[float]] = [[] for _ in costs]
    routes: list[int] = []
    losses = []
    for _ in range(mornings):
        new = [a for a, trips in enumerate(paid) if not trips]
        if new:
            route = new[-1] if slip == "last_tie" else new[0]
        else:
            total = sum(map(len, paid)) + (slip == "today")
            bounds = [_route_bound(trips, total, c, slip) for trips in paid]
            route = best(bounds, paid, last=slip == "last_tie")
        trip = len(routes) if slip == "by_morning" else len(paid[route])
        cost = float(costs[route, trip])
        paid[route].append(cost)
        routes.append(route)
        best_mean = 0.0 if slip == "minutes" else min(means)
        if slip == "other_routes":
            best_mean = min(sum(trips) / len(trips) for trips in paid if trips)
        losses.append((cost if slip == "paid" else means[route]) - best_mean)
    regret = np.array(losses) if slip == "each" else np.cumsum(losses)
    return np.array(routes), regret - np.array(losses) if slip == "before_today" else regret


def _logarithm(total: int, n: int, slip: str) -> float:
    """What UCB1 divides by n: the logarithm of all trials."""
    if slip == "no_log":
        return total
    logarithm = float(np.log(n if slip == "own_log" else total))
    return 2 * logarithm if slip == "twice" else logarithm


def _route_bound(paid: list[float], total: int, c: float, slip: str) -> float:
    """What the route promises, higher is better."""
    n = len(paid)
    over = {"times": 1 / n, "short_root": n * n}.get(slip, n)
    spread = _logarithm(total, n, slip) / over
    spread = float(np.divide(1.0, spread)) if slip == "upside_down" else spread
    bonus = c * (spread if slip == "no_root" else np.sqrt(spread))
    cost = sum(paid) if slip == "sums" else sum(paid) / n
    if slip == "rewards":
        return cost + bonus
    return -cost + {"wrong_side": -bonus, "greedy": 0.0}.get(slip, bonus)


def box_backup(
    visits: np.ndarray,
    totals: np.ndarray,
    edges: Sequence[int],
    mover: Sequence[int],
    boxes: Sequence[int],
    value: float,
    player: int,
    slip: str = "",
) -> tuple[np.ndarray, np.ndarray]:
    """(visits [E], totals [E]) after one simulation went down these edges; each
    total is its mover's account.

    mover, boxes [T]: who made each move and how many boxes it closed. value: expected from the leaf
    on, for `player`, who moves there.
    """
    visits, totals = np.array(visits), np.array(totals, float)
    last = len(edges) - 1
    for t, edge in enumerate(edges):
        me = mover[t]
        first = {"own_boxes": t + 1, "before": 0}.get(slip, t)
        outcome = 0.0
        for k in range(first, last + 1):
            sign = _box_sign(me, mover[k], k - t, slip)
            outcome += (
                0.0
                if slip == "no_boxes"
                else abs(sign) * boxes[k]
                if slip == "box_sign"
                else sign * boxes[k]
            )
        leaf = {"leaf_view": mover[last], "leaf_turn": 1 - mover[last], "leaf_first": 0}.get(
            slip, player
        )
        outcome += _box_sign(me, leaf, last + 1 - t, slip) * value
        if (slip == "stops" and t == 0) or (slip == "leaf_only" and t < last):
            continue
        visits[edge] += 1
        if slip == "replaced":
            totals[edge] = outcome
        elif slip == "mean":
            totals[edge] += (outcome - totals[edge]) / visits[edge]
        else:
            totals[edge] += outcome
    return visits, totals


def _box_sign(me: int, other: int, plies: int, slip: str) -> float:
    """+1 where `other`'s gain is mine."""
    if slip == "sign":
        return 1.0
    if slip == "alternates":
        return 1.0 if plies % 2 == 0 else -1.0
    return 1.0 if me == other else -1.0


def puct_moves(
    visits: np.ndarray,
    totals: np.ndarray,
    priors: np.ndarray,
    legal: np.ndarray,
    value: np.ndarray,
    root: np.ndarray,
    noise: np.ndarray,
    c: float,
    epsilon: float,
    slip: str = "",
) -> tuple[np.ndarray, np.ndarray]:
    """(action [R], score [R]): the move that PUCT follows in each node, and its
    score (Silver et al. 2017).

    N is the lesson's: the visits of all moves of the node, and 1 where there is none.

    visits, totals, priors, noise [R, A], legal [R, A] bool, value [R], root [R] bool. totals are
    for the player who moves after the move; a move without visits is taken to be worth the node's
    own value, which is for the player to move there.
    """
    share = np.where(root | (slip == "noise_everywhere"), epsilon, 0.0)[:, None]
    p = np.array(priors, float)
    if slip == "noise_first":
        p = (1 - share) * p + share * noise
    if slip != "mask":
        p = np.where(legal, p, 0.0)
        if slip != "not_rescaled":
            p = p / p.sum(axis=1, keepdims=True)
    if slip != "noise_first":
        p = (1.0 if slip == "noise_added" else 1 - share) * p + share * noise
    sign = 1.0 if slip == "view" else -1.0
    untried = np.asarray(value) * {"zero": 0.0, "guess": -1.0}.get(slip, 1.0)
    if slip == "new_nodes":
        untried = np.where(visits.any(axis=1), 0.0, untried)
    q = np.where(visits > 0, sign * totals / np.maximum(visits, 1), untried[:, None])
    n = visits.sum(axis=1, keepdims=True)
    n = {"zero_total": n, "own": n + 1}.get(slip, np.maximum(1, n))
    root_n = {"no_root": n, "no_total": 1.0}.get(slip, np.sqrt(n))
    u = p * root_n / (np.maximum(visits, 1) if slip == "plus_one" else 1 + visits)
    scores = c * q + u if slip == "c_side" else q + c * u
    if slip != "mask":
        scores = np.where(legal, scores, -np.inf)
    past = np.stack([visits, q, u], axis=2).tolist()
    action = np.array(
        [
            best(row, made, last=slip == "last_tie")
            for row, made in zip(scores.tolist(), past, strict=True)
        ]
    )
    return action, scores[np.arange(len(action)), action]


def nim_search(
    heap: int, values: Sequence[float], c: float, simulations: int, slip: str = ""
) -> tuple[np.ndarray, float]:
    """(visits [3] of the first moves, the root's mean value for its player to
    move) of UCT on misere Nim.

    A move takes 1 to 3 stones; who takes the last has lost. values [H + 1]: the table's
    word on a heap, for its mover.
    """
    bugs = set(slip.split("_and_")) if slip.startswith(("sign", "stops", "asks")) else set()
    bugs = {"sign", "stops", "asks"} if slip == "hasty" else bugs
    # Moves so far -> the values backed up, each for the mover there.
    seen: dict[tuple[int, ...], list[float]] = {(): []}
    for _ in range(simulations):
        node: tuple[int, ...] = ()
        left = heap
        while left and (*node, 1) in seen:
            node = _nim_child(node, left, seen, c, bugs, slip)
            left -= node[-1]
        if left:
            seen.update({(*node, take): [] for take in TAKES if take <= left})
            value = float(values[left])
        else:
            value = float(values[0]) if "asks" in bugs else -1.0 if slip == "loser" else 1.0
        value = -value if slip == "turned_first" else value
        for depth in range(len(node), 0 if "stops" in bugs else -1, -1):
            seen[node[:depth]].append(value)
            value = value if "sign" in bugs else -value
    counts = np.array([len(seen.get((take,), ())) for take in TAKES])
    if slip == "from_moves":
        return counts, float(
            -sum(sum(seen[take,]) for take in TAKES if (take,) in seen) / max(1, counts.sum())
        )
    value = sum(seen[()]) / max(1, len(seen[()]))
    return counts, float(-value if slip == "root_view" else value)


def _nim_child(
    node: tuple[int, ...],
    left: int,
    seen: dict[tuple[int, ...], list[float]],
    c: float,
    bugs: set[str],
    slip: str,
) -> tuple[int, ...]:
    children = [(*node, take) for take in TAKES if take <= left]
    new = [child for child in children if not seen[child]]
    if new:
        return new[-1] if slip in ("last_tie", "last_new") else new[0]
    total = max(1, len(seen[node]) + {"one_more": 1, "children_only": -1}.get(slip, 0))
    total = len(seen[()]) if slip == "all_simulations" else total
    bounds = []
    for child in children:
        n = len(seen[child])
        q = sum(seen[child]) / n
        bonus = np.sqrt(_logarithm(total, n, slip) / n)
        bounds.append((q if slip == "friendly" else -q) + c * bonus)
    return children[best(bounds, [seen[child] for child in children], last=slip == "last_tie")]
