"""Slips of a writer who knew only the text of sheet 08."""

ANSWERS = {
    "try_routes": """import numpy as np


def try_routes(costs, means, c, mornings):
    costs = np.asarray(costs, float)
    means = np.asarray(means, float)
    A = len(means)
    counts = np.zeros(A, int)
    sums = np.zeros(A)
    routes = []
    regret = []
    total = 0.0
    for morning in range(mornings):
        new = np.flatnonzero(counts == 0)
        if len(new) > 0:
            a = int(new[0])
        else:
            bound = sums / counts - c * np.sqrt(np.log(morning) / counts)
            a = int(bound.argmin())
        sums[a] += costs[a, counts[a]]
        counts[a] += 1
        total += means[a] - means.min()
        routes.append(a)
        regret.append(total)
    return np.array(routes, dtype=int), np.array(regret, dtype=float)
""",
    "box_backup": """import numpy as np


def box_backup(visits, totals, edges, mover, boxes, value, player):
    visits = np.array(visits)
    totals = np.array(totals, float)
    account = value if player == 0 else -value
    for t in range(len(edges) - 1, -1, -1):
        sign = 1 if mover[t] == 0 else -1
        account += sign * boxes[t]
        visits[edges[t]] += 1
        totals[edges[t]] += sign * account
    return visits, totals
""",
    "puct_moves": """import numpy as np


def puct_moves(visits, totals, priors, legal, value, root, noise, c, epsilon):
    visits = np.asarray(visits)
    legal = np.asarray(legal, bool)
    p = np.where(legal, priors, 0.0)
    p = p / p.sum(axis=1, keepdims=True)
    mixed = (1 - epsilon) * p + epsilon * np.asarray(noise)
    p = np.where(np.asarray(root, bool)[:, None], mixed, p)
    q = -np.asarray(totals) / np.maximum(visits, 1)
    q = np.where(visits > 0, q, np.asarray(value, float)[:, None])
    N = np.maximum(1, visits.sum(axis=1, keepdims=True))
    score = q + c * p * np.sqrt(N) / (1 + visits)
    score = np.where(legal, score, -np.inf)
    action = score.argmax(axis=1)
    return action, score[np.arange(len(action)), action]
""",
    "nim_search": """import numpy as np


def nim_search(heap, values, c, simulations):
    visits, totals = {(): 0}, {(): 0.0}
    expanded = set()
    for _ in range(simulations):
        node, left = (), heap
        while left > 0 and node in expanded:
            children = [node + (take,) for take in (1, 2, 3) if take <= left]
            fresh = [child for child in children if visits[child] == 0]
            if fresh:
                node = fresh[0]
            else:
                log = np.log(visits[node])
                bounds = [-totals[k] / visits[k] + c * np.sqrt(log / visits[k]) for k in children]
                node = children[int(np.argmax(bounds))]
            left -= node[-1]
        if left > 0 and node not in expanded:
            expanded.add(node)
            for take in (1, 2, 3):
                if take <= left:
                    visits[node + (take,)], totals[node + (take,)] = 0, 0.0
        outcome = values[left] if left > 0 else 1.0
        for depth in range(len(node), -1, -1):
            visits[node[:depth]] += 1
            totals[node[:depth]] += outcome
            outcome = -outcome
    return [visits.get((take,), 0) for take in (1, 2, 3)], totals[()] / visits[()]
""",
    "rollout_values": """import numpy as np


def rollout_values(takes, heap):
    means = np.zeros(heap + 1)
    won = [False] * (heap + 1)
    misled = []
    for h in range(heap + 1):
        after = [h - take for take in takes if take <= h]
        if not after:
            means[h] = -1.0
            continue
        mine = [-means[k] for k in after]
        means[h] = sum(mine) / len(mine)
        won[h] = any(not won[k] for k in after)
        best = after[int(np.argmax(mine))]
        if won[h] and won[best]:
            misled.append(h)
    return means, misled
""",
}
SLIPS = [
    ("try_routes", "N counts today's trip as well", "np.log(morning)", "np.log(morning + 1)"),
    (
        "try_routes",
        "column k of the costs is the k-th morning",
        "costs[a, counts[a]]",
        "costs[a, morning]",
    ),
    (
        "try_routes",
        "the regret is the minutes the trip took more than the best route's true mean",
        "        sums[a] += costs[a, counts[a]]\n        counts[a] += 1\n        total += means[a] - means.min()\n",
        "        minutes = costs[a, counts[a]]\n        sums[a] += minutes\n        counts[a] += 1\n        total += minutes - means.min()\n",
    ),
    (
        "try_routes",
        "the regret of each morning alone is asked for",
        "regret.append(total)",
        "regret.append(means[a] - means.min())",
    ),
    (
        "box_backup",
        "the leaf's value is for the player who made the last move",
        "account = value if player == 0 else -value",
        "account = value if mover[-1] == 0 else -value",
    ),
    (
        "box_backup",
        "the sum is booked first and the move's own boxes count only for the moves above it",
        "        account += sign * boxes[t]\n        visits[edges[t]] += 1\n        totals[edges[t]] += sign * account\n",
        "        visits[edges[t]] += 1\n        totals[edges[t]] += sign * account\n        account += sign * boxes[t]\n",
    ),
    (
        "puct_moves",
        "unvisited actions have the value for the player after the move, so the first guess is turned too",
        "np.asarray(value, float)[:, None])\n",
        "-np.asarray(value, float)[:, None])\n",
    ),
    (
        "puct_moves",
        "unvisited actions count 0 as in the lesson, the value is for the leaf only",
        "np.asarray(value, float)[:, None])\n",
        "0.0)\n",
    ),
    (
        "puct_moves",
        "noise is mixed into the raw priors, then the illegal ones are taken out and it is normalised",
        "    p = np.where(legal, priors, 0.0)\n    p = p / p.sum(axis=1, keepdims=True)\n    mixed = (1 - epsilon) * p + epsilon * np.asarray(noise)\n    p = np.where(np.asarray(root, bool)[:, None], mixed, p)\n",
        "    p = np.asarray(priors, float)\n    mixed = (1 - epsilon) * p + epsilon * np.asarray(noise)\n    p = np.where(np.asarray(root, bool)[:, None], mixed, p)\n    p = np.where(legal, p, 0.0)\n    p = p / p.sum(axis=1, keepdims=True)\n",
    ),
    (
        "puct_moves",
        "N is the visits of this node, which are one more than those of its actions",
        "np.maximum(1, visits.sum(axis=1, keepdims=True))",
        "1 + visits.sum(axis=1, keepdims=True)",
    ),
    (
        "nim_search",
        "who takes the last stone has lost, so an empty heap is -1",
        "values[left] if left > 0 else 1.0",
        "values[left] if left > 0 else -1.0",
    ),
    (
        "rollout_values",
        "the random player's mean is over all takes listed, also those that are too large",
        "means[h] = sum(mine) / len(mine)",
        "means[h] = sum(mine) / len(takes)",
    ),
    (
        "rollout_values",
        "misled are all heaps in which the best mean leads to a lost game, won or not",
        "if won[h] and won[best]:",
        "if won[best]:",
    ),
    (
        "rollout_values",
        "a flat search is misled where the sign of its mean is wrong",
        "if won[h] and won[best]:",
        "if won[h] and means[h] < 0:",
    ),
    (
        "rollout_values",
        "only the empty heap is lost at once, other heaps without a legal take are a pass to the other player",
        "        if not after:\n            means[h] = -1.0\n            continue\n",
        "        if h == 0:\n            means[h] = -1.0\n            continue\n        if not after:\n            means[h] = 1.0\n            won[h] = True\n            continue\n",
    ),
]
