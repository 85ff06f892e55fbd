"""Slips of a writer who knew only the text of sheet 08."""

ANSWERS = {
    "try_routes": """import numpy as np


def try_routes(costs, means, c, mornings):
    costs, means = np.asarray(costs, float), np.asarray(means, float)
    counts, sums = np.zeros(len(means), int), np.zeros(len(means))
    taken = []
    for trips in range(mornings):
        if (counts == 0).any():
            a = int(np.argmin(counts > 0))
        else:
            bonus = c * np.sqrt(np.log(trips) / counts)
            a = int(np.argmin(sums / counts - bonus))
        sums[a] += costs[a, counts[a]]
        counts[a] += 1
        taken.append(a)
    taken = np.array(taken, int)
    return taken, np.cumsum(means[taken] - means.min())
""",
    "box_backup": """import numpy as np


def box_backup(visits, totals, edges, mover, boxes, value, player):
    visits, totals = np.array(visits), np.array(totals, float)
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
    visits, legal, root = np.asarray(visits), np.asarray(legal, bool), np.asarray(root, bool)
    p = np.where(legal, priors, 0.0)
    p = p / p.sum(axis=1, keepdims=True)
    p = np.where(root[:, None], (1 - epsilon) * p + epsilon * np.asarray(noise), p)
    q = np.where(visits > 0, -np.asarray(totals) / np.maximum(visits, 1), np.asarray(value)[:, None])
    n = np.maximum(1, visits.sum(axis=1, keepdims=True))
    u = c * p * np.sqrt(n) / (1 + visits)
    score = np.where(legal, q + u, -np.inf)
    action = score.argmax(axis=1)
    return action, score[np.arange(len(action)), action]
""",
    "nim_search": """import numpy as np


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
        value = values[left] if left > 0 else 1.0
        for depth in range(len(node), -1, -1):
            visits[node[:depth]] += 1
            totals[node[:depth]] += value
            value = -value
    return [visits.get((take,), 0) for take in (1, 2, 3)], totals[()] / max(1, visits[()])
""",
    "rollout_values": """import numpy as np


def rollout_values(takes, heap):
    means, won, misled = np.zeros(heap + 1), [False] * (heap + 1), []
    for h in range(heap + 1):
        options = [h - take for take in takes if take <= h]
        if not options:
            means[h] = -1.0
            continue
        worth = [-means[left] for left in options]
        means[h] = np.mean(worth)
        won[h] = any(not won[left] for left in options)
        best = options[int(np.argmax(worth))]
        if won[h] and won[best]:
            misled.append(h)
    return means, misled
""",
}
SLIPS = [
    (
        "try_routes",
        "The k-th trip is that of the k-th morning: read costs[a, morning], whatever "
        "route was taken before.",
        "sums[a] += costs[a, counts[a]]",
        "sums[a] += costs[a, trips % costs.shape[1]]",
    ),
    (
        "try_routes",
        "Regret is what the trip really took, less the mean of the best route.",
        "    return taken, np.cumsum(means[taken] - means.min())",
        "    minutes = [costs[a, (taken[:i] == a).sum()] for i, a in enumerate(taken)]\n"
        "    return taken, np.cumsum(np.array(minutes) - means.min())",
    ),
    (
        "try_routes",
        "The UCB bonus is added to the mean, and the lowest is taken (the bonus "
        "makes it look worse).",
        "sums / counts - bonus",
        "sums / counts + bonus",
    ),
    (
        "box_backup",
        "The leaf's value is for the opponent of whoever made the last move (forgot "
        "that this player may move again).",
        "account = value if player == 0 else -value",
        "account = -value if mover[-1] == 0 else value",
    ),
    (
        "box_backup",
        "Booked the sum first and added the move's own boxes then, so each move misses its own.",
        "        account += sign * boxes[t]\n"
        "        visits[edges[t]] += 1\n"
        "        totals[edges[t]] += sign * account\n",
        "        visits[edges[t]] += 1\n"
        "        totals[edges[t]] += sign * account\n"
        "        account += sign * boxes[t]\n",
    ),
    (
        "box_backup",
        "The outcome of a simulation is one number, all boxes of the path and the "
        "leaf, and each edge gets it with its mover's sign.",
        "    for t in range(len(edges) - 1, -1, -1):\n"
        "        sign = 1 if mover[t] == 0 else -1\n"
        "        account += sign * boxes[t]\n",
        "    for t in range(len(edges)):\n"
        "        account += boxes[t] if mover[t] == 0 else -boxes[t]\n"
        "    for t in range(len(edges)):\n"
        "        sign = 1 if mover[t] == 0 else -1\n",
    ),
    (
        "puct_moves",
        "The first guess is turned round like the totals, since value belongs to a "
        "node below (it is that of the node itself).",
        "np.asarray(value)[:, None])",
        "-np.asarray(value)[:, None])",
    ),
    (
        "puct_moves",
        "Mixed the noise into the raw priors first, then took out the illegal ones "
        "and made it a distribution again.",
        "    p = np.where(legal, priors, 0.0)\n"
        "    p = p / p.sum(axis=1, keepdims=True)\n"
        "    p = np.where(root[:, None], (1 - epsilon) * p + epsilon * "
        "np.asarray(noise), p)\n",
        "    p = np.where(root[:, None], (1 - epsilon) * np.asarray(priors) + "
        "epsilon * np.asarray(noise), priors)\n"
        "    p = np.where(legal, p, 0.0)\n"
        "    p = p / p.sum(axis=1, keepdims=True)\n",
    ),
    (
        "puct_moves",
        "Took N as the visits of the node, its own first visit included.",
        "np.maximum(1, visits.sum(axis=1, keepdims=True))",
        "1 + visits.sum(axis=1, keepdims=True)",
    ),
    (
        "nim_search",
        "On an empty heap the player to move has lost (as in ordinary Nim).",
        "else 1.0",
        "else -1.0",
    ),
    (
        "nim_search",
        "N is the sum of the children's visits, as in PUCT, not the visits of the parent.",
        "log = np.log(max(1, visits[node]))",
        "log = np.log(max(1, sum(visits[child] for child in children)))",
    ),
    (
        "nim_search",
        "Every node holds its value for its own player to move, so I took the child "
        "with the highest Q without the minus.",
        "[-totals[child] / visits[child] + c",
        "[totals[child] / visits[child] + c",
    ),
    (
        "rollout_values",
        "Listed the heaps in which the move with the best mean leads to a won heap, "
        "without asking whether there is a winning move at all.",
        "if won[h] and won[best]:",
        "if won[best]:",
    ),
    (
        "rollout_values",
        "Only the empty heap is lost; where stones lie but nobody can move it is a "
        "draw (the mean 0).",
        "means[h] = -1.0",
        "means[h] = -1.0 if h == 0 else 0.0",
    ),
    (
        "rollout_values",
        "Each take has the weight 1 / len(takes), also where some are not possible.",
        "means[h] = np.mean(worth)",
        "means[h] = np.sum(worth) / len(takes)",
    ),
]
