"""Slips of a writer who knew only the text of sheet 08."""

ANSWERS = {
    "try_routes": """import numpy as np


def try_routes(costs, means, c, mornings):
    A = len(means)
    counts = np.zeros(A, int)
    sums = np.zeros(A)
    routes, extra = [], []
    best = min(means)
    for morning in range(mornings):
        if (counts == 0).any():
            a = int(np.argmax(counts == 0))
        else:
            bonus = c * np.sqrt(np.log(morning) / counts)
            a = int(np.argmin(sums / counts - bonus))
        sums[a] += costs[a][counts[a]]
        counts[a] += 1
        routes.append(a)
        extra.append(means[a] - best)
    return np.array(routes, int), np.cumsum(extra)
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
    mean = -totals / np.maximum(visits, 1)
    q = np.where(visits > 0, mean, value[:, None])
    p = np.where(legal, priors, 0.0)
    p = p / p.sum(axis=1, keepdims=True)
    p = np.where(root[:, None], (1 - epsilon) * p + epsilon * noise, p)
    n = np.maximum(1, visits.sum(axis=1, keepdims=True))
    u = c * p * np.sqrt(n) / (1 + visits)
    scores = np.where(legal, q + u, -np.inf)
    action = scores.argmax(axis=1)
    return action, scores[np.arange(len(action)), action]
""",
    "nim_search": """import numpy as np


def nim_search(heap, values, c, simulations):
    visits, totals = {(): 0}, {(): 0.0}
    for _ in range(simulations):
        node, left = (), heap
        while left > 0 and (*node, 1) in visits:
            children = [(*node, take) for take in (1, 2, 3) if take <= left]
            fresh = [child for child in children if visits[child] == 0]
            if fresh:
                node = fresh[0]
            else:
                log = np.log(visits[node])
                bounds = [-totals[k] / visits[k] + c * np.sqrt(log / visits[k]) for k in children]
                node = children[int(np.argmax(bounds))]
            left -= node[-1]
        for take in (1, 2, 3):
            if take <= left:
                visits[(*node, take)] = 0
                totals[(*node, take)] = 0.0
        value = 1.0 if left == 0 else float(values[left])
        for depth in range(len(node), -1, -1):
            visits[node[:depth]] += 1
            totals[node[:depth]] += value
            value = -value
    return [visits.get((take,), 0) for take in (1, 2, 3)], totals[()] / max(1, visits[()])
""",
    "rollout_values": """import numpy as np


def rollout_values(takes, heap):
    means, won, misled = np.zeros(heap + 1), [], []
    for h in range(heap + 1):
        moves = [t for t in takes if t <= h]
        if not moves:
            means[h] = -1.0
            won.append(False)
            continue
        results = [-means[h - t] for t in moves]
        wins = [not won[h - t] for t in moves]
        means[h] = sum(results) / len(moves)
        won.append(any(wins))
        chosen = results.index(max(results))
        if any(wins) and not wins[chosen]:
            misled.append(h)
    return means, misled
""",
}
SLIPS = [
    (
        "try_routes",
        "costs[a, k] is what route a takes on morning k.",
        "        sums[a] += costs[a][counts[a]]\n",
        "        sums[a] += costs[a][morning]\n",
    ),
    (
        "try_routes",
        "The regret compares the minutes of the trip with the mean of the best route.",
        """        sums[a] += costs[a][counts[a]]
        counts[a] += 1
        routes.append(a)
        extra.append(means[a] - best)
""",
        """        minutes = costs[a][counts[a]]
        sums[a] += minutes
        counts[a] += 1
        routes.append(a)
        extra.append(minutes - best)
""",
    ),
    (
        "try_routes",
        "N is the number of the trip, with today's trip already counted, as in UCB with t.",
        "np.log(morning)",
        "np.log(morning + 1)",
    ),
    (
        "box_backup",
        "An edge's total is the outcome of the whole simulation, so each edge gets all boxes of the path and the leaf's value.",
        """        account += sign * boxes[t]
        visits[edges[t]] += 1
        totals[edges[t]] += sign * account
""",
        """        account += sign * boxes[t]
    for t in range(len(edges)):
        sign = 1 if mover[t] == 0 else -1
        visits[edges[t]] += 1
        totals[edges[t]] += sign * account
""",
    ),
    (
        "box_backup",
        "What comes from a move on is what happens after it; I booked first and added the move's own boxes for the ones above.",
        """        account += sign * boxes[t]
        visits[edges[t]] += 1
        totals[edges[t]] += sign * account
""",
        """        visits[edges[t]] += 1
        totals[edges[t]] += sign * account
        account += sign * boxes[t]
""",
    ),
    (
        "box_backup",
        "At the leaf it is the other player's turn than at the last move, so the value is minus for the last mover.",
        "    account = value if player == 0 else -value\n",
        "    account = -value if mover[-1] == 0 else value\n",
    ),
    (
        "puct_moves",
        "The first guess is one of the totals' kind, so it changes its sign together with them.",
        "    q = np.where(visits > 0, mean, value[:, None])\n",
        "    q = np.where(visits > 0, mean, -value[:, None])\n",
    ),
    (
        "puct_moves",
        "First the noise comes into the raw priors, then the illegal ones are taken out and all is divided by the sum.",
        """    p = np.where(legal, priors, 0.0)
    p = p / p.sum(axis=1, keepdims=True)
    p = np.where(root[:, None], (1 - epsilon) * p + epsilon * noise, p)
""",
        """    p = np.where(root[:, None], (1 - epsilon) * priors + epsilon * noise, priors)
    p = np.where(legal, p, 0.0)
    p = p / p.sum(axis=1, keepdims=True)
""",
    ),
    (
        "puct_moves",
        "First guess: as long as a node has no visits at all its actions are worth value; later an action without visits has Q = 0.",
        "    q = np.where(visits > 0, mean, value[:, None])\n",
        "    q = np.where(visits.sum(axis=1, keepdims=True) > 0, mean, value[:, None])\n",
    ),
    (
        "nim_search",
        "N is the number of all simulations so far.",
        "np.log(visits[node])",
        "np.log(visits[()])",
    ),
    (
        "nim_search",
        "Who takes the last stone has lost, so the end of the game is worth -1.",
        "value = 1.0 if left == 0",
        "value = -1.0 if left == 0",
    ),
    (
        "nim_search",
        "The value is the leaf's for its player to move; the path belongs to the player before, so it is turned before each booking.",
        """            visits[node[:depth]] += 1
            totals[node[:depth]] += value
            value = -value
""",
        """            value = -value
            visits[node[:depth]] += 1
            totals[node[:depth]] += value
""",
    ),
    (
        "rollout_values",
        "A flat search is misled where the move with the best mean is not the winning move; I compared with the first winning move only.",
        "        if any(wins) and not wins[chosen]:\n",
        "        if any(wins) and chosen != wins.index(True):\n",
    ),
    (
        "rollout_values",
        "A heap is lost for who cannot move only when it is empty; in another heap without a legal move it is a draw, 0.",
        "            means[h] = -1.0\n",
        "            means[h] = -1.0 if h == 0 else 0.0\n",
    ),
    (
        "rollout_values",
        "Each move of takes is equally likely, so the sum is divided by how many moves there are in takes.",
        "        means[h] = sum(results) / len(moves)\n",
        "        means[h] = sum(results) / len(takes)\n",
    ),
]
