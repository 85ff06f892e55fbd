"""Slips of a writer who knew only the text of sheet 08."""

ANSWERS = {
    "try_routes": """import numpy as np


def try_routes(costs, means, c, mornings):
    counts = np.zeros(len(means), dtype=int)
    sums = np.zeros(len(means))
    taken = np.zeros(mornings, dtype=int)
    for day in range(mornings):
        untried = np.flatnonzero(counts == 0)
        if len(untried) > 0:
            a = untried[0]
        else:
            bonus = c * np.sqrt(np.log(day) / counts)
            a = np.argmin(sums / counts - bonus)
        sums[a] += costs[a, counts[a]]
        counts[a] += 1
        taken[day] = a
    means = np.asarray(means, dtype=float)
    regret = np.cumsum(means[taken] - means.min())
    return taken, regret
""",
    "box_backup": """import numpy as np


def box_backup(visits, totals, edges, mover, boxes, value, player):
    visits = np.array(visits)
    totals = np.array(totals, dtype=float)
    worth = value if player == 0 else -value  # to the account of player 0
    for t in reversed(range(len(edges))):
        sign = 1 if mover[t] == 0 else -1
        worth += sign * boxes[t]
        visits[edges[t]] += 1
        totals[edges[t]] += sign * worth
    return visits, totals
""",
    "puct_moves": """import numpy as np


def puct_moves(visits, totals, priors, legal, value, root, noise, c, epsilon):
    q = np.where(visits > 0, -totals / np.maximum(visits, 1), value[:, None])
    p = np.where(legal, priors, 0.0)
    p = p / p.sum(axis=1, keepdims=True)
    p = np.where(root[:, None], (1 - epsilon) * p + epsilon * noise, p)
    big_n = np.maximum(1, visits.sum(axis=1, keepdims=True))
    u = c * p * np.sqrt(big_n) / (1 + visits)
    score = np.where(legal, q + u, -np.inf)
    action = score.argmax(axis=1)
    return action, score[np.arange(len(score)), action]
""",
    "nim_search": """import numpy as np


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
                log = np.log(visits[node])
                bounds = [-totals[k] / visits[k] + c * np.sqrt(log / visits[k]) for k in children]
                node = children[int(np.argmax(bounds))]
            left -= node[-1]
        for take in (1, 2, 3):
            if take <= left:
                visits[(*node, take)], totals[(*node, take)] = 0, 0.0
        value = values[left] if left > 0 else 1.0
        for depth in range(len(node), -1, -1):
            visits[node[:depth]] += 1
            totals[node[:depth]] += value
            value = -value
    return [visits.get((take,), 0) for take in (1, 2, 3)], totals[()] / visits[()]
""",
    "rollout_values": """import numpy as np


def rollout_values(takes, heap):
    means = np.zeros(heap + 1)
    won = [False] * (heap + 1)
    misled = []
    for h in range(heap + 1):
        moves = [t for t in takes if t <= h]
        if not moves:
            means[h] = -1
            continue
        results = [-means[h - t] for t in moves]
        means[h] = np.mean(results)
        won[h] = any(not won[h - t] for t in moves)
        best = moves[int(np.argmax(results))]
        if won[h] and won[h - best]:
            misled.append(h)
    return means, misled
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "try_routes",
        "costs[a, k] is what route a takes on morning k, so today's column is the"
        " morning's number.",
        "costs[a, counts[a]]",
        "costs[a, day]",
    ),
    (
        "try_routes",
        "N is the number of trips with today's, because today is a trip as well.",
        "np.log(day)",
        "np.log(day + 1)",
    ),
    (
        "try_routes",
        "Regret is how many minutes the trips really took longer than the best route's mean.",
        "    regret = np.cumsum(means[taken] - means.min())",
        """    minutes = np.array([costs[a, np.sum(taken[:day] == a)] for day, a in enumerate(taken)])
    regret = np.cumsum(minutes - means.min())""",
    ),
    (
        "try_routes",
        "The best route is the best of those that the courier has taken up to that morning.",
        "means[taken] - means.min()",
        "means[taken] - np.minimum.accumulate(means[taken])",
    ),
    (
        "box_backup",
        "The outcome of a simulation is my boxes minus yours on the whole path, "
        "and every edge of the path gets that.",
        """    for t in reversed(range(len(edges))):
        sign = 1 if mover[t] == 0 else -1
        worth += sign * boxes[t]
""",
        """    for t in range(len(edges)):
        worth += boxes[t] if mover[t] == 0 else -boxes[t]
    for t in reversed(range(len(edges))):
        sign = 1 if mover[t] == 0 else -1
""",
    ),
    (
        "box_backup",
        "As in the lesson the value changes its sign once per ply on the way up, "
        "and the mover's own boxes come on top.",
        """    worth = value if player == 0 else -value  # to the account of player 0
    for t in reversed(range(len(edges))):
        sign = 1 if mover[t] == 0 else -1
        worth += sign * boxes[t]
        visits[edges[t]] += 1
        totals[edges[t]] += sign * worth
""",
        """    worth = value
    for t in reversed(range(len(edges))):
        worth = -worth + boxes[t]
        visits[edges[t]] += 1
        totals[edges[t]] += worth
""",
    ),
    (
        "box_backup",
        "What counts for a move is what came after it, so the sum is booked "
        "before the move's own boxes are added.",
        """        worth += sign * boxes[t]
        visits[edges[t]] += 1
        totals[edges[t]] += sign * worth
""",
        """        visits[edges[t]] += 1
        totals[edges[t]] += sign * worth
        worth += sign * boxes[t]
""",
    ),
    (
        "puct_moves",
        "The noise is mixed into the network's priors, then illegal ones are "
        "taken out and the rest is divided by its sum.",
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
        "Everything comes from the other player's side, so the first guess must "
        "change its sign like the totals.",
        "value[:, None])",
        "-value[:, None])",
    ),
    (
        "puct_moves",
        "The first guess is for a node that has no visits at all; elsewhere an "
        "unvisited action has Q = 0 as in the lesson.",
        "q = np.where(visits > 0, -totals / np.maximum(visits, 1), value[:, None])",
        "q = np.where(visits.sum(axis=1, keepdims=True) > 0, -totals / "
        "np.maximum(visits, 1), value[:, None])",
    ),
    (
        "nim_search",
        "N are the visits of all children together, as the textbook has it; the "
        "parent's own evaluation is forgotten.",
        "log = np.log(visits[node])",
        "log = np.log(sum(visits[k] for k in children))",
    ),
    (
        "nim_search",
        "On an empty heap the player to move cannot move and has lost, as in ordinary Nim.",
        "if left > 0 else 1.0",
        "if left > 0 else -1.0",
    ),
    (
        "rollout_values",
        "Only the empty heap is lost; a heap that is too small for every take is "
        "nobody's win and stays 0.",
        """means[h] = -1
""",
        """means[h] = -1 if h == 0 else 0
""",
    ),
    (
        "rollout_values",
        "misled are the heaps in which the move with the best mean loses, whether"
        " or not there is a better one.",
        "if won[h] and won[h - best]:",
        "if won[h - best]:",
    ),
    (
        "rollout_values",
        "The player to move takes the best move, as the flat search does, so a "
        "heap is worth its best result.",
        "np.mean(results)",
        "np.max(results)",
    ),
)
