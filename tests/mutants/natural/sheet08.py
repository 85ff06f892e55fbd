"""Slips of a writer who knew only the text of sheet 08."""

ANSWERS = {
    "try_routes": """
import numpy as np


def try_routes(costs, means, c, mornings):
    counts = np.zeros(len(means), dtype=int)
    sums = np.zeros(len(means))
    routes = []
    for morning in range(mornings):
        if np.any(counts == 0):
            route = int(np.argmin(counts))
        else:
            bonus = c * np.sqrt(np.log(morning) / counts)
            route = int(np.argmin(sums / counts - bonus))
        sums[route] += costs[route, counts[route]]
        counts[route] += 1
        routes.append(route)
    routes = np.array(routes, dtype=int)
    regret = np.cumsum(means[routes] - np.min(means))
    return routes, regret
""",
    "box_backup": """
def box_backup(visits, totals, edges, mover, boxes, value, player):
    visits = visits.copy()
    totals = totals.copy()
    outcome = value if player == 0 else -value
    for t in range(len(edges) - 1, -1, -1):
        sign = 1 if mover[t] == 0 else -1
        outcome += sign * boxes[t]
        visits[edges[t]] += 1
        totals[edges[t]] += sign * outcome
    return visits, totals
""",
    "puct_moves": """
import numpy as np


def puct_moves(visits, totals, priors, legal, value, root, noise, c, epsilon):
    p = np.where(legal, priors, 0.0)
    p = p / p.sum(axis=1, keepdims=True)
    mixed = (1 - epsilon) * p + epsilon * noise
    p = np.where(root[:, None], mixed, p)
    q = np.where(visits > 0, -totals / np.maximum(visits, 1), value[:, None])
    n = np.maximum(1, visits.sum(axis=1, keepdims=True))
    u = c * p * np.sqrt(n) / (1 + visits)
    score = np.where(legal, q + u, -np.inf)
    action = np.argmax(score, axis=1)
    return action, score.max(axis=1)
""",
    "nim_search": """
import numpy as np


def nim_search(heap, values, c, simulations):
    visits, totals = {(): 0}, {(): 0.0}
    for _ in range(simulations):
        node, left = (), heap
        while left > 0 and (*node, 1) in visits:
            children = [(*node, take) for take in (1, 2, 3) if take <= left]
            new = [child for child in children if visits[child] == 0]
            if new:
                node = new[0]
            else:
                log = np.log(max(1, visits[node]))
                bounds = []
                for child in children:
                    q = totals[child] / visits[child]
                    bounds.append(-q + c * np.sqrt(log / visits[child]))
                node = children[int(np.argmax(bounds))]
            left -= node[-1]
        for take in (1, 2, 3):
            if take <= left:
                visits[(*node, take)] = 0
                totals[(*node, take)] = 0.0
        value = 1.0 if left == 0 else values[left]
        for depth in range(len(node), -1, -1):
            visits[node[:depth]] += 1
            totals[node[:depth]] += value
            value = -value
    return [visits.get((take,), 0) for take in (1, 2, 3)], totals[()] / max(1, visits[()])
""",
    "rollout_values": """
import numpy as np


def rollout_values(takes, heap):
    means = np.zeros(heap + 1)
    won = [False] * (heap + 1)
    misled = []
    for left in range(heap + 1):
        moves = [take for take in takes if take <= left]
        if not moves:
            means[left] = -1.0
            continue
        after = [-means[left - take] for take in moves]
        means[left] = np.mean(after)
        wins = [not won[left - take] for take in moves]
        won[left] = any(wins)
        best = int(np.argmax(after))
        if won[left] and not wins[best]:
            misled.append(left)
    return means, misled
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "try_routes",
        "added the bonus, as UCB does, although few minutes are good",
        "sums / counts - bonus",
        "sums / counts + bonus",
    ),
    (
        "try_routes",
        "counted today's trip among the trips made before",
        "np.log(morning)",
        "np.log(morning + 1)",
    ),
    (
        "try_routes",
        "took the regret from the minutes that the trip really needed",
        "means[routes] - np.min(means)",
        "costs[routes, 0] - np.min(means)",
    ),
    (
        "try_routes",
        "returned the regret of each morning and forgot to add up",
        "np.cumsum(means[routes] - np.min(means))",
        "means[routes] - np.min(means)",
    ),
    (
        "box_backup",
        "gave the leaf's value its sign by the last mover: assumed that the players alternate",
        "outcome = value if player == 0 else -value",
        "outcome = -value if mover[-1] == 0 else value",
    ),
    (
        "box_backup",
        "booked the sum before adding the move's own boxes",
        """        outcome += sign * boxes[t]
        visits[edges[t]] += 1
        totals[edges[t]] += sign * outcome
""",
        """        visits[edges[t]] += 1
        totals[edges[t]] += sign * outcome
        outcome += sign * boxes[t]
""",
    ),
    (
        "box_backup",
        "wrote into the totals that were given",
        "    totals = totals.copy()\n",
        "",
    ),
    (
        "puct_moves",
        "forgot that the totals are for the player who moves after the move",
        "-totals / np.maximum(visits, 1)",
        "totals / np.maximum(visits, 1)",
    ),
    (
        "puct_moves",
        "turned the first guess round together with the mean",
        "q = np.where(visits > 0, -totals / np.maximum(visits, 1), value[:, None])",
        "q = -np.where(visits > 0, totals / np.maximum(visits, 1), value[:, None])",
    ),
    (
        "puct_moves",
        "mixed in the noise before the illegal priors were taken out",
        """    p = np.where(legal, priors, 0.0)
    p = p / p.sum(axis=1, keepdims=True)
    mixed = (1 - epsilon) * p + epsilon * noise
    p = np.where(root[:, None], mixed, p)
""",
        """    mixed = (1 - epsilon) * priors + epsilon * noise
    p = np.where(root[:, None], mixed, priors)
    p = np.where(legal, p, 0.0)
    p = p / p.sum(axis=1, keepdims=True)
""",
    ),
    (
        "nim_search",
        "an empty heap is lost for the player to move, I thought: who takes last wins",
        "value = 1.0 if left == 0",
        "value = -1.0 if left == 0",
    ),
    (
        "nim_search",
        "turned the value round before it is booked, so the leaf gets the other player's",
        """            totals[node[:depth]] += value
            value = -value
""",
        """            value = -value
            totals[node[:depth]] += value
""",
    ),
    (
        "nim_search",
        "found two bugs only: the root still gets no visit",
        "range(len(node), -1, -1)",
        "range(len(node), 0, -1)",
    ),
    (
        "rollout_values",
        "forgot that after my move the other player is to move",
        "after = [-means[left - take] for take in moves]",
        "after = [means[left - take] for take in moves]",
    ),
    (
        "rollout_values",
        "only the empty heap is lost: a heap from which no move is possible kept the mean 0",
        """        if not moves:
            means[left] = -1.0
            continue
""",
        """        if left == 0:
            means[left] = -1.0
            continue
        if not moves:
            continue
""",
    ),
)
