"""Answers to sheet 08 as students write them: RIGHT[task] -> sources, WRONG[task] ->
(mistake it must be told, source).

A wrong answer is a right one with one slip; `slip(source, old, new)` shows which. No answer looks
at the course's oracle, but those that are handed in as the reference itself.
"""

from rlcourse.grading.answers import slip

# --- try_routes -----------------------------------------------------------------------------------

ROUTES_ARRAYS = """
import numpy as np

def try_routes(costs, means, c, mornings):
    n, total = np.zeros(len(costs), int), np.zeros(len(costs))
    routes, regret = [], []
    for N in range(mornings):
        untried = np.flatnonzero(n == 0)
        if len(untried):
            a = untried[0]
        else:
            a = np.argmin(total / n - c * np.sqrt(np.log(N) / n))
        total[a] += costs[a, n[a]]
        n[a] += 1
        routes.append(a)
        regret.append(means[a] - means.min())
    return np.array(routes), np.cumsum(regret)
"""

ROUTES_LISTS = '''
from math import log, sqrt

def try_routes(costs, means, c, mornings):
    """Every trip in a list of its route; what a route promises is how many minutes fewer than none."""
    trips = [[] for _ in costs]
    routes, regret, lost = [], [], 0.0
    def promise(a):
        paid = trips[a]
        if not paid:
            return float("inf")
        return -sum(paid) / len(paid) + c * sqrt(log(len(routes)) / len(paid))
    for morning in range(mornings):
        a = max(range(len(costs)), key=promise)
        trips[a].append(costs[a][len(trips[a])])
        routes.append(a)
        lost += means[a] - min(means)
        regret.append(lost)
    return routes, regret
'''

ROUTES_RUNNING = """
import numpy as np
import warnings

def try_routes(costs, means, c, mornings):
    warnings.warn("this answer is right and noisy")
    A = costs.shape[0]
    count, mean = [0] * A, [0.0] * A
    chosen = np.zeros(mornings, np.int64)
    for t in range(mornings):
        best, lowest = None, np.inf
        for a in range(A):
            bound = -np.inf if count[a] == 0 else mean[a] - c * (np.log(t) / count[a]) ** 0.5
            if best is None or bound < lowest:
                best, lowest = a, bound
        count[best] += 1
        mean[best] += (costs[best, count[best] - 1] - mean[best]) / count[best]
        chosen[t] = best
    return chosen, np.add.accumulate((means - min(means))[chosen])
"""

ROUTES_RIGHT = [ROUTES_ARRAYS, ROUTES_LISTS, ROUTES_RUNNING]
BOUND = "np.argmin(total / n - c * np.sqrt(np.log(N) / n))"
ROUTES_WRONG = [
    ("rewards", slip(ROUTES_ARRAYS, ("np.argmin(total / n -", "np.argmax(total / n +"))),
    ("rewards", slip(ROUTES_LISTS, ("return -sum(paid)", "return sum(paid)"))),
    ("by_morning", slip(ROUTES_ARRAYS, ("costs[a, n[a]]", "costs[a, N]"))),
    (
        "by_morning",
        slip(
            ROUTES_LISTS,
            ("costs[a][len(trips[a])]", "costs[a][morning]"),
        ),
    ),
    ("wrong_side", slip(ROUTES_ARRAYS, ("total / n -", "total / n +"))),
    ("wrong_side", slip(ROUTES_RUNNING, ("mean[a] - c *", "mean[a] + c *"))),
    ("greedy", slip(ROUTES_ARRAYS, (BOUND, "np.argmin(total / n)"))),
    ("no_log", slip(ROUTES_RUNNING, ("np.log(t)", "t"))),
    ("twice", slip(ROUTES_RUNNING, ("np.log(t)", "2 * np.log(t)"))),
    ("own_log", slip(ROUTES_ARRAYS, ("np.log(N)", "np.log(n)"))),
    ("own_log", slip(ROUTES_LISTS, ("log(len(routes))", "log(len(paid))"))),
    (
        "no_root",
        slip(ROUTES_LISTS, ("sqrt(log(len(routes)) / len(paid))", "log(len(routes)) / len(paid)")),
    ),
    ("short_root", slip(ROUTES_ARRAYS, ("np.sqrt(np.log(N) / n)", "np.sqrt(np.log(N)) / n"))),
    (
        "short_root",
        slip(
            ROUTES_LISTS,
            ("sqrt(log(len(routes)) / len(paid))", "sqrt(log(len(routes))) / len(paid)"),
        ),
    ),
    ("under_root", slip(ROUTES_ARRAYS, ("np.log(N) / n))", "n / np.log(N)))"))),
    ("under_root", slip(ROUTES_ARRAYS, ("np.log(N) / n", "np.log(N) * n"))),
    ("today", slip(ROUTES_ARRAYS, ("np.log(N)", "np.log(N + 1)"))),
    ("sums", slip(ROUTES_ARRAYS, ("total / n -", "total -"))),
    (
        "last_tie",
        slip(
            ROUTES_ARRAYS,
            ("untried[0]", "untried[-1]"),
            (BOUND, "len(n) - 1 - np.argmin((total / n - c * np.sqrt(np.log(N) / n))[::-1])"),
        ),
    ),
    ("last_tie", slip(ROUTES_RUNNING, ("bound < lowest", "bound <= lowest"))),
    ("paid", slip(ROUTES_ARRAYS, ("regret.append(means[a]", "regret.append(costs[a, n[a] - 1]"))),
    ("each", slip(ROUTES_ARRAYS, ("np.cumsum(regret)", "np.array(regret)"))),
    ("each", slip(ROUTES_LISTS, ("lost += ", "lost = "))),
    ("minutes", slip(ROUTES_LISTS, ("lost += means[a] - min(means)", "lost += means[a]"))),
    (
        "other_routes",
        slip(
            ROUTES_ARRAYS,
            ("means[a] - means.min()", "means[a] - (total[n > 0] / n[n > 0]).min()"),
        ),
    ),
    (
        "before_today",
        slip(ROUTES_ARRAYS, ("np.cumsum(regret)", "np.cumsum([0, *regret[:-1]])")),
    ),
    (
        "before_today",
        slip(
            ROUTES_LISTS,
            ("        lost += means[a] - min(means)\n", ""),
            ("regret.append(lost)", "regret.append(lost)\n        lost += means[a] - min(means)"),
        ),
    ),
    ("kind", slip(ROUTES_LISTS, ("return routes, regret", "print(routes, regret)"))),
    ("shape", slip(ROUTES_ARRAYS, ("range(mornings)", "range(mornings - 1)"))),
    ("imported", "from rlcourse.checks.oracle08 import try_routes"),
    ("shape", slip(ROUTES_ARRAYS, ("range(mornings)", "range(costs.shape[1])"))),
    (
        "other",
        slip(
            ROUTES_ARRAYS,
            (
                "a = np.argmin(total / n - c * np.sqrt(np.log(N) / n))",
                "a = costs.shape[0] - 1 - np.argmin((total / n - c * "
                "np.sqrt(np.log(N) / n))[::-1])",
            ),
        ),
    ),
]

# --- box_backup -----------------------------------------------------------------------------------

BOXES_ONE_ACCOUNT = """
def box_backup(visits, totals, edges, mover, boxes, value, player):
    visits, totals = visits.copy(), totals.copy()
    ahead = value if player == 0 else -value
    for t in range(len(edges) - 1, -1, -1):
        sign = 1 if mover[t] == 0 else -1
        ahead += sign * boxes[t]
        visits[edges[t]] += 1
        totals[edges[t]] += sign * ahead
    return visits, totals
"""

BOXES_RELATIVE = '''
def box_backup(visits, totals, edges, mover, boxes, value, player):
    """The value is turned only where the turn passes."""
    visits, totals = list(visits), list(totals)
    who, ahead = player, value
    for edge, me, closed in reversed(list(zip(edges, mover, boxes))):
        if me != who:
            ahead = -ahead
        who = me
        ahead = ahead + closed
        visits[edge] += 1
        totals[edge] += ahead
    return visits, totals
'''

BOXES_MATRIX = '''
import numpy as np

def box_backup(visits, totals, edges, mover, boxes, value, player):
    """All outcomes at once: gains[t, k] is what move k brings to the mover of t, where k is not earlier than t."""
    who = np.append(mover, player)
    gained = np.append(boxes, value)
    same = np.where(who[:-1, None] == who[None, :], 1.0, -1.0)
    outcomes = np.triu(same * gained).sum(axis=1)
    new_visits, new_totals = np.array(visits), np.array(totals, float)
    np.add.at(new_visits, edges, 1)
    np.add.at(new_totals, edges, outcomes)
    return new_visits, new_totals
'''

BOXES_RIGHT = [BOXES_ONE_ACCOUNT, BOXES_RELATIVE, BOXES_MATRIX]
BOXES_WRONG = [
    ("leaf_first", slip(BOXES_ONE_ACCOUNT, ("value if player == 0 else -value", "value"))),
    ("leaf_first", slip(BOXES_RELATIVE, ("who, ahead = player, value", "who, ahead = 0, value"))),
    (
        "leaf_turn",
        slip(BOXES_RELATIVE, ("who, ahead = player, value", "who, ahead = 1 - mover[-1], value")),
    ),
    (
        "changed",
        slip(
            BOXES_ONE_ACCOUNT,
            ("visits, totals = visits.copy(), totals.copy()", "visits = visits.copy()"),
        ),
    ),
    ("sign", slip(BOXES_RELATIVE, ("if me != who", "if False"))),
    ("sign", slip(BOXES_MATRIX, ("1.0, -1.0", "1.0, 1.0"))),
    ("alternates", slip(BOXES_RELATIVE, ("if me != who", "if True"))),
    (
        "alternates",
        slip(
            BOXES_MATRIX, ("who = np.append(mover, player)", "who = np.arange(len(mover) + 1) % 2")
        ),
    ),
    ("leaf_view", slip(BOXES_ONE_ACCOUNT, ("if player == 0", "if mover[-1] == 0"))),
    (
        "leaf_view",
        slip(BOXES_RELATIVE, ("who, ahead = player, value", "who, ahead = mover[-1], value")),
    ),
    ("box_sign", slip(BOXES_MATRIX, ("    outcomes", "    same[:, :-1] = 1\n    outcomes"))),
    ("no_boxes", slip(BOXES_ONE_ACCOUNT, ("        ahead += sign * boxes[t]\n", ""))),
    ("before", slip(BOXES_MATRIX, ("np.triu(same * gained)", "(same * gained)"))),
    ("own_boxes", slip(BOXES_MATRIX, ("np.triu(same * gained)", "np.triu(same * gained, 1)"))),
    (
        "own_boxes",
        slip(
            BOXES_ONE_ACCOUNT,
            ("        ahead += sign * boxes[t]\n", ""),
            ("+= sign * ahead", "+= sign * ahead\n        ahead += sign * boxes[t]"),
        ),
    ),
    (
        "stops",
        slip(BOXES_ONE_ACCOUNT, ("range(len(edges) - 1, -1, -1)", "range(len(edges) - 1, 0, -1)")),
    ),
    (
        "leaf_only",
        slip(
            BOXES_RELATIVE,
            ("reversed(list(zip(edges, mover, boxes)))", "list(zip(edges, mover, boxes))[-1:]"),
        ),
    ),
    ("replaced", slip(BOXES_ONE_ACCOUNT, ("totals[edges[t]] += sign", "totals[edges[t]] = sign"))),
    (
        "mean",
        slip(
            BOXES_RELATIVE,
            ("totals[edge] += ahead", "totals[edge] += (ahead - totals[edge]) / visits[edge]"),
        ),
    ),
    ("kind", slip(BOXES_RELATIVE, ("return visits, totals", "return ahead"))),
    (
        "shape",
        slip(
            BOXES_MATRIX,
            ("return new_visits, new_totals", "return new_visits[edges], new_totals[edges]"),
        ),
    ),
    (
        "imported",
        "from rlcourse.checks import oracle08\n"
        "\ndef box_backup(*args):\n"
        "    return oracle08.box_backup(*args)",
    ),
    (
        "other",
        slip(BOXES_ONE_ACCOUNT, ("value if player == 0 else", "value if player == mover[0] else")),
    ),
    ("other", slip(BOXES_ONE_ACCOUNT, ("sign * boxes[t]", "sign * min(boxes[t], 1)"))),
]

# --- puct_moves -----------------------------------------------------------------------------------

PUCT_ARRAYS = """
import numpy as np

def puct_moves(visits, totals, priors, legal, value, root, noise, c, epsilon):
    p = priors * legal
    p = p / p.sum(axis=1, keepdims=True)
    p[root] = (1 - epsilon) * p[root] + epsilon * noise[root]
    q = np.where(visits > 0, -totals / np.maximum(visits, 1), value[:, None])
    u = c * p * np.sqrt(np.maximum(1, visits.sum(axis=1, keepdims=True))) / (1 + visits)
    scores = np.where(legal, q + u, -np.inf)
    best = scores.argmax(axis=1)
    return best, np.take_along_axis(scores, best[:, None], axis=1)[:, 0]
"""

PUCT_LOOPS = """
from math import sqrt

def puct_moves(visits, totals, priors, legal, value, root, noise, c, epsilon):
    actions, scores = [], []
    for r in range(len(visits)):
        mass = sum(p for p, ok in zip(priors[r], legal[r]) if ok)
        N = max(1, sum(visits[r]))
        best, highest = -1, float("-inf")
        for a, n in enumerate(visits[r]):
            if not legal[r][a]:
                continue
            p = priors[r][a] / mass
            if root[r]:
                p += epsilon * (noise[r][a] - p)
            q = value[r] if n == 0 else -totals[r][a] / n
            score = q + c * p * sqrt(N) / (n + 1)
            if score > highest:
                best, highest = a, score
        actions.append(best)
        scores.append(highest)
    return actions, scores
"""

PUCT_LEGAL_ONLY = '''
import numpy as np

def puct_moves(visits, totals, priors, legal, value, root, noise, c, epsilon):
    """Each node by itself, with its legal actions only."""
    result = []
    for n, w, p, ok, v, is_root, eta in zip(visits, totals, priors, legal, value, root, noise):
        moves = np.flatnonzero(ok)
        n, w, p, eta = n[moves], w[moves], p[moves] / p[moves].sum(), eta[moves]
        mix = epsilon if is_root else 0.0
        p = p * (1 - mix) + mix * eta
        q = np.full(len(moves), v)
        q[n > 0] = -w[n > 0] / n[n > 0]
        score = q + c * np.sqrt(max(1, n.sum())) * p / (1 + n)
        result.append((moves[score.argmax()], score.max()))
    actions, scores = zip(*result)
    return np.array(actions), np.array(scores)
'''

PUCT_RIGHT = [PUCT_ARRAYS, PUCT_LOOPS, PUCT_LEGAL_ONLY]
PUCT_WRONG = [
    (
        "own",
        slip(
            PUCT_ARRAYS,
            (
                "np.maximum(1, visits.sum(axis=1, keepdims=True))",
                "(1 + visits.sum(axis=1, keepdims=True))",
            ),
        ),
    ),
    ("own", slip(PUCT_LOOPS, ("max(1, sum(visits[r]))", "sum(visits[r], start=1)"))),
    (
        "zero_total",
        slip(
            PUCT_ARRAYS,
            (
                "np.maximum(1, visits.sum(axis=1, keepdims=True))",
                "visits.sum(axis=1, keepdims=True)",
            ),
        ),
    ),
    ("zero_total", slip(PUCT_LOOPS, ("N = max(1, sum(visits[r]))", "N = sum(visits[r])"))),
    (
        "changed",
        slip(
            PUCT_ARRAYS,
            ("    p = priors * legal", "    priors[~legal] = 0.0\n    p = priors * legal"),
        ),
    ),
    ("view", slip(PUCT_ARRAYS, ("-totals /", "totals /"))),
    ("view", slip(PUCT_LEGAL_ONLY, ("-w[n > 0]", "w[n > 0]"))),
    ("zero", slip(PUCT_ARRAYS, ("value[:, None]", "0.0"))),
    ("zero", slip(PUCT_LOOPS, ("value[r] if n == 0", "0 if n == 0"))),
    ("guess", slip(PUCT_ARRAYS, ("value[:, None]", "-value[:, None]"))),
    (
        "new_nodes",
        slip(
            PUCT_LOOPS,
            ("value[r] if n == 0", "0 if n == 0 < sum(visits[r]) else value[r] if n == 0"),
        ),
    ),
    (
        "new_nodes",
        slip(
            PUCT_LEGAL_ONLY, ("np.full(len(moves), v)", "np.full(len(moves), v * (n.sum() == 0))")
        ),
    ),
    ("guess", slip(PUCT_LOOPS, ("value[r] if n == 0", "-value[r] if n == 0"))),
    (
        "mask",
        slip(
            PUCT_ARRAYS, ("priors * legal", "priors"), ("np.where(legal, q + u, -np.inf)", "q + u")
        ),
    ),
    ("not_rescaled", slip(PUCT_ARRAYS, ("    p = p / p.sum(axis=1, keepdims=True)\n", ""))),
    ("not_rescaled", slip(PUCT_LOOPS, ("priors[r][a] / mass", "priors[r][a]"))),
    ("noise_everywhere", slip(PUCT_LEGAL_ONLY, ("epsilon if is_root else 0.0", "epsilon"))),
    ("noise_everywhere", slip(PUCT_LOOPS, ("if root[r]", "if True"))),
    ("noise_added", slip(PUCT_ARRAYS, ("(1 - epsilon) * p[root]", "p[root]"))),
    ("noise_added", slip(PUCT_LOOPS, ("epsilon * (noise[r][a] - p)", "epsilon * noise[r][a]"))),
    (
        "noise_first",
        slip(
            PUCT_ARRAYS,
            (
                "p = priors * legal",
                "p = np.where(root[:, None], (1 - epsilon) * priors + epsilon * "
                "noise, priors) * legal",
            ),
            ("    p[root] = (1 - epsilon) * p[root] + epsilon * noise[root]\n", ""),
        ),
    ),
    ("no_root", slip(PUCT_LOOPS, ("sqrt(N)", "N"))),
    ("no_total", slip(PUCT_LEGAL_ONLY, ("np.sqrt(max(1, n.sum())) * ", ""))),
    ("no_total", slip(PUCT_LOOPS, (" * sqrt(N)", ""))),
    ("plus_one", slip(PUCT_ARRAYS, ("(1 + visits)", "np.maximum(1, visits)"))),
    ("c_side", slip(PUCT_LOOPS, ("q + c * p", "c * q + p"))),
    ("last_tie", slip(PUCT_LOOPS, ("score > highest", "score >= highest"))),
    (
        "last_tie",
        slip(PUCT_LEGAL_ONLY, ("score.argmax()", "len(moves) - 1 - score[::-1].argmax()")),
    ),
    (
        "not_finite",
        slip(
            PUCT_ARRAYS,
            ("np.take_along_axis(scores, best[:, None], axis=1)[:, 0]", "scores.min(axis=1)"),
        ),
    ),
    ("kind", slip(PUCT_LEGAL_ONLY, ("return np.array(actions), np.array(scores)", "return None"))),
    ("shape", slip(PUCT_ARRAYS, ("axis=1)[:, 0]", "axis=1)"))),
    (
        "imported",
        "def puct_moves(*args):\n"
        "    from rlcourse.checks.oracle08 import puct_moves\n"
        "    return puct_moves(*args)",
    ),
    (
        "shape",
        slip(
            PUCT_ARRAYS,
            (
                "return best, np.take_along_axis(scores, best[:, None], axis=1)[:, 0]",
                "return best, np.take_along_axis(scores, best[:, None], axis=1).squeeze()",
            ),
        ),
    ),
    (
        "other",
        slip(
            PUCT_ARRAYS,
            (
                "p[root] = (1 - epsilon) * p[root] + epsilon * noise[root]",
                "at = root & (visits.sum(axis=1) > 0)\n"
                "    p[at] = (1 - epsilon) * p[at] + epsilon * noise[at]",
            ),
        ),
    ),
    ("other", slip(PUCT_ARRAYS, ("np.where(legal, q + u, -np.inf)", "(q + u) * legal"))),
    (
        "other",
        slip(
            PUCT_LEGAL_ONLY,
            (
                "        moves = np.flatnonzero(ok)\n",
                "        moves = np.flatnonzero(ok)\n"
                "        if len(moves) == 1:\n"
                "            result.append((moves[0], 0.0))\n"
                "            continue\n",
            ),
        ),
    ),
]

# --- nim_search -----------------------------------------------------------------------------------

NIM_HASTY = """
import numpy as np

def nim_search(heap, values, c, simulations):
    visits, totals = {(): 0}, {(): 0.0}
    for _ in range(simulations):
        node, left = (), heap
        while left > 0 and (*node, 1) in visits:
            children = [(*node, take) for take in (1, 2, 3) if take <= left]
            new = [child for child in children if visits[child] == 0]
            log = np.log(max(1, visits[node]))
            bounds = [] if new else [-totals[child] / visits[child] + c * np.sqrt(log / visits[child]) for child in children]
            node = new[0] if new else children[int(np.argmax(bounds))]
            left -= node[-1]
        for take in (1, 2, 3):
            if take <= left:
                visits[(*node, take)], totals[(*node, take)] = 0, 0.0
        value = values[left]
        for depth in range(len(node), 0, -1):
            visits[node[:depth]] += 1
            totals[node[:depth]] += value
    return [visits.get((take,), 0) for take in (1, 2, 3)], totals[()] / max(1, visits[()])
"""
NEGATED = (
    "totals[node[:depth]] += value",
    "totals[node[:depth]] += value\n            value = -value",
)
TO_THE_ROOT = ("range(len(node), 0, -1)", "range(len(node), -1, -1)")
BY_THE_RULES = ("value = values[left]", "value = values[left] if left else 1.0")
NIM_REPAIRED = slip(NIM_HASTY, NEGATED, TO_THE_ROOT, BY_THE_RULES)

NIM_NODES = '''
from math import inf, log, sqrt

class Node:
    """total: for the player who moved here, so that their parent takes the highest."""
    def __init__(self, left):
        self.left, self.n, self.total, self.children = left, 0, 0.0, None

    def bound(self, child, c):
        return inf if child.n == 0 else child.total / child.n + c * sqrt(log(self.n) / child.n)

def nim_search(heap, values, c, simulations):
    root = Node(heap)
    for _ in range(simulations):
        path = [root]
        while path[-1].children:
            node = path[-1]
            path.append(max(node.children, key=lambda child: node.bound(child, c)))
        leaf = path[-1]
        leaf.children = [Node(leaf.left - take) for take in range(1, min(3, leaf.left) + 1)]
        good = -1.0 if leaf.left == 0 else -values[leaf.left]
        for node in reversed(path):
            node.n += 1
            node.total += good
            good = -good
    counts = [child.n for child in root.children] if root.children else []
    return counts + [0] * (3 - len(counts)), -root.total / root.n
'''

NIM_RECURSIVE = '''
import numpy as np

def nim_search(heap, values, c, simulations):
    N, Q = {}, {}

    def simulate(path, left):
        """One simulation below this node: its value for the player to move here. Q are running means."""
        if left == 0:
            v = 1.0
        elif path not in N:
            v = values[left]
        else:
            kids = [path + (k,) for k in range(1, min(left, 3) + 1)]
            fresh = [kid for kid in kids if kid not in N]
            if fresh:
                kid = fresh[0]
            else:
                scores = [c * np.sqrt(np.log(N[path]) / N[kid]) - Q[kid] for kid in kids]
                kid = kids[int(np.argmax(scores))]
            v = -simulate(kid, left - kid[-1])
        N[path] = N.get(path, 0) + 1
        Q[path] = Q.get(path, 0.0) + (v - Q.get(path, 0.0)) / N[path]
        return v

    for _ in range(simulations):
        simulate((), heap)
    return np.array([N.get((k,), 0) for k in (1, 2, 3)]), Q[()]
'''

NIM_RIGHT = [NIM_RECURSIVE, NIM_REPAIRED, NIM_NODES]
NIM_WRONG = [
    ("hasty", NIM_HASTY),
    ("sign_and_stops", slip(NIM_HASTY, BY_THE_RULES)),
    ("sign_and_asks", slip(NIM_HASTY, TO_THE_ROOT)),
    ("stops_and_asks", slip(NIM_HASTY, NEGATED)),
    ("sign", slip(NIM_HASTY, TO_THE_ROOT, BY_THE_RULES)),
    ("sign", slip(NIM_RECURSIVE, ("v = -simulate", "v = simulate"))),
    ("stops", slip(NIM_HASTY, NEGATED, BY_THE_RULES)),
    ("asks", slip(NIM_HASTY, NEGATED, TO_THE_ROOT)),
    ("asks", slip(NIM_RECURSIVE, ("v = 1.0", "v = values[0]"))),
    ("loser", slip(NIM_REPAIRED, ("if left else 1.0", "if left else -1.0"))),
    ("loser", slip(NIM_NODES, ("good = -1.0 if", "good = 1.0 if"))),
    (
        "turned_first",
        slip(
            NIM_REPAIRED,
            ("            totals[node[:depth]] += value\n", ""),
            ("value = -value", "value = -value\n            totals[node[:depth]] += value"),
        ),
    ),
    ("root_view", slip(NIM_NODES, ("-root.total / root.n", "root.total / root.n"))),
    ("all_simulations", slip(NIM_REPAIRED, ("max(1, visits[node])", "max(1, visits[()])"))),
    ("all_simulations", slip(NIM_RECURSIVE, ("np.log(N[path])", "np.log(N[()])"))),
    ("children_only", slip(NIM_REPAIRED, ("max(1, visits[node])", "max(1, visits[node] - 1)"))),
    ("one_more", slip(NIM_RECURSIVE, ("np.log(N[path])", "np.log(N[path] + 1)"))),
    ("friendly", slip(NIM_RECURSIVE, ("- Q[kid]", "+ Q[kid]"))),
    ("friendly", slip(NIM_REPAIRED, ("-totals[child]", "totals[child]"))),
    (
        "from_moves",
        slip(
            NIM_NODES,
            (
                "-root.total / root.n",
                "sum(child.total for child in root.children) / max(1, sum(counts))",
            ),
        ),
    ),
    ("no_log", slip(NIM_RECURSIVE, ("np.log(N[path])", "N[path]"))),
    ("own_log", slip(NIM_NODES, ("log(self.n)", "log(child.n)"))),
    ("last_new", slip(NIM_RECURSIVE, ("fresh[0]", "fresh[-1]"))),
    ("last_new", slip(NIM_REPAIRED, ("new[0] if new", "new[-1] if new"))),
    (
        "last_tie",
        slip(
            NIM_RECURSIVE,
            ("fresh[0]", "fresh[-1]"),
            ("kids[int(np.argmax(scores))]", "kids[::-1][int(np.argmax(scores[::-1]))]"),
        ),
    ),
    ("other", slip(NIM_NODES, ("sqrt(log(self.n) / child.n)", "log(self.n) / child.n"))),
    (
        "kind",
        slip(NIM_RECURSIVE, ("    return np", "    print(np"), ("Q[()]\n", "Q[()])\n")),
    ),
    ("shape", slip(NIM_NODES, ("counts + [0] * (3 - len(counts))", "counts"))),
    ("imported", "from rlcourse.checks import oracle08\nnim_search = oracle08.nim_search"),
    (
        "other",
        slip(
            NIM_REPAIRED,
            (
                "children[int(np.argmax(bounds))]",
                "children[len(bounds) - 1 - int(np.argmax(bounds[::-1]))]",
            ),
        ),
    ),
    ("one_more", slip(NIM_REPAIRED, ("np.log(max(1, visits[node]))", "np.log(1 + visits[node])"))),
    ("children_only", slip(NIM_NODES, ("log(self.n)", "log(self.n - 1)"))),
    ("other", slip(NIM_REPAIRED, ("range(simulations)", "range(simulations + 1)"))),
]

# --- rollout_values -------------------------------------------------------------------------------

ROLLOUT_LOOP = """
import numpy as np

def rollout_values(takes, heap):
    means, wins, misled = np.full(heap + 1, -1.0), np.zeros(heap + 1, bool), []
    for h in range(heap + 1):
        left = np.array([h - k for k in takes if k <= h], int)
        if len(left) == 0:
            continue
        means[h] = -means[left].mean()
        wins[h] = not wins[left].all()
        if wins[h] and wins[left[means[left].argmin()]]:
            misled.append(h)
    return means, misled
"""

ROLLOUT_RECURSIVE = """
from functools import lru_cache

def rollout_values(takes, heap):
    @lru_cache(None)
    def mean(h):
        after = [-mean(h - k) for k in takes if k <= h]
        return sum(after) / len(after) if after else -1.0

    @lru_cache(None)
    def best(h):
        return max((-best(h - k) for k in takes if k <= h), default=-1)

    misled = []
    for h in range(heap + 1):
        moves = [k for k in takes if k <= h]
        if best(h) == 1:
            flat = max(moves, key=lambda k: -mean(h - k))
            if best(h - flat) == 1:
                misled.append(h)
    return [mean(h) for h in range(heap + 1)], misled
"""

ROLLOUT_FORWARD = '''
import numpy as np

def rollout_values(takes, heap):
    """Rows of (my move's mean, does it win), best mean last."""
    means, wins = [], []
    misled = []
    for h in range(heap + 1):
        rows = sorted((-means[h - k], not wins[h - k]) for k in takes if h - k >= 0)
        if rows:
            means.append(sum(m for m, _ in rows) / len(rows))
            wins.append(any(w for _, w in rows))
            if wins[-1] and not rows[-1][1]:
                misled.append(h)
        else:
            means.append(-1.0)
            wins.append(False)
    return np.array(means), misled
'''

ROLLOUT_RIGHT = [ROLLOUT_LOOP, ROLLOUT_RECURSIVE, ROLLOUT_FORWARD]
ROLLOUT_WRONG = [
    (
        "sign",
        slip(
            ROLLOUT_LOOP,
            ("= -means[left].mean()", "= means[left].mean()"),
            (".argmin()", ".argmax()"),
        ),
    ),
    (
        "sign",
        slip(
            ROLLOUT_RECURSIVE,
            ("[-mean(h - k)", "[mean(h - k)"),
            ("lambda k: -mean", "lambda k: mean"),
        ),
    ),
    ("all_takes", slip(ROLLOUT_FORWARD, ("/ len(rows)", "/ len(takes)"))),
    ("all_takes", slip(ROLLOUT_LOOP, ("-means[left].mean()", "-means[left].sum() / len(takes)"))),
    ("strict", slip(ROLLOUT_LOOP, ("if k <= h", "if k < h"))),
    ("strict", slip(ROLLOUT_FORWARD, ("h - k >= 0", "h - k > 0"))),
    (
        "end",
        slip(
            ROLLOUT_LOOP, ("np.full(heap + 1, -1.0), np.zeros", "np.full(heap + 1, 1.0), np.ones")
        ),
    ),
    (
        "stuck",
        slip(
            ROLLOUT_LOOP,
            ("            continue", "            means[h] = 0 if h else -1\n            continue"),
        ),
    ),
    (
        "stuck_won",
        slip(
            ROLLOUT_FORWARD,
            ("means.append(-1.0)", "means.append(1.0 if h else -1.0)"),
            ("wins.append(False)", "wins.append(h > 0)"),
        ),
    ),
    ("best_play", slip(ROLLOUT_LOOP, ("-means[left].mean()", "max(-means[left])"))),
    ("best_play", slip(ROLLOUT_RECURSIVE, ("sum(after) / len(after)", "max(after)"))),
    ("worst", slip(ROLLOUT_RECURSIVE, ("max(moves", "min(moves"))),
    ("worst", slip(ROLLOUT_LOOP, (".argmin()", ".argmax()"))),
    ("lost_too", slip(ROLLOUT_LOOP, ("if wins[h] and wins", "if wins"))),
    ("lost_too", slip(ROLLOUT_RECURSIVE, ("if best(h) == 1", "if moves"))),
    (
        "first_win",
        slip(
            ROLLOUT_LOOP,
            ("wins[left[means[left].argmin()]]", "means[left].argmin() != wins[left].argmin()"),
        ),
    ),
    ("by_sign", slip(ROLLOUT_FORWARD, ("not rows[-1][1]", "means[-1] < 0"))),
    ("kind", slip(ROLLOUT_FORWARD, ("return np.array(means)", "print(means)"))),
    ("shape", slip(ROLLOUT_LOOP, ("return means", "return means[1:]"))),
    ("imported", "from rlcourse.checks.reference08 import rollout_values as rollout_values"),
    (
        "other",
        slip(ROLLOUT_LOOP, ("        if wins[h] and", "        if h < heap and wins[h] and")),
    ),
    ("other", slip(ROLLOUT_LOOP, ("-means[left].mean()", "-np.median(means[left])"))),
]

RIGHT = {
    "try_routes": ROUTES_RIGHT,
    "box_backup": BOXES_RIGHT,
    "puct_moves": PUCT_RIGHT,
    "nim_search": NIM_RIGHT,
    "rollout_values": ROLLOUT_RIGHT,
}
WRONG = {
    "try_routes": ROUTES_WRONG,
    "box_backup": BOXES_WRONG,
    "puct_moves": PUCT_WRONG,
    "nim_search": NIM_WRONG,
    "rollout_values": ROLLOUT_WRONG,
}
