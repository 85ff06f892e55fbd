"""Slips of a writer who knew only the text of sheet 09."""

ANSWERS = {
    "search_chances": """import numpy as np


def search_chances(visits, q, ply, halving, end):
    visits = np.asarray(visits, float)
    ply = np.asarray(ply)
    targets = visits / visits.sum(axis=1, keepdims=True)
    share = visits / visits.max(axis=1, keepdims=True)
    chances = np.zeros_like(share)
    for r in range(len(share)):
        if ply[r] >= end:
            chances[r] = share[r] == 1
        else:
            power = 2.0 ** (ply[r] / halving)
            chances[r] = share[r] ** power
    return targets, chances / chances.sum(axis=1, keepdims=True)
""",
    "hex_examples": """import numpy as np


def hex_examples(boards, movers, policies, results):
    boards = np.asarray(boards)
    T, S, _ = boards.shape
    views, shares, outcome = [], [], []
    for t in range(T):
        board = boards[t]
        square = np.asarray(policies[t], float)[:-1].reshape(S, S)
        z = results[t]
        if movers[t] == 1:
            board = -board.T
            square = square.T
            z = -z
        views.append(board)
        shares.append((square, policies[t][-1]))
        outcome.append(z)
    views += [np.rot90(v, 2) for v in views]
    shares += [(np.rot90(s, 2), swap) for s, swap in shares]
    policy = [np.append(s.ravel(), swap) for s, swap in shares]
    return np.array(views), np.array(policy), np.array(outcome + outcome, dtype=float)
""",
    "value_targets": """import numpy as np


def value_targets(game, mover, root, result, cut, share):
    game = np.asarray(game)
    mover = np.asarray(mover)
    root = np.asarray(root, float)
    outcome = np.array(result, float)
    for g in range(len(outcome)):
        if cut[g]:
            last = np.flatnonzero(game == g)[-1]
            outcome[g] = root[last] if mover[last] == 0 else -root[last]
    sign = np.where(mover == 0, 1.0, -1.0)
    z = sign * outcome[game]
    return (1 - share) * z + share * root
""",
    "gate_chance": """import numpy as np


def gate_chance(first, second, games, percent):
    scores = np.array([1.0])
    for g in range(games):
        win, draw, loss = first if g % 2 == 0 else second
        scores = np.convolve(scores, [loss, draw, win])
    h = 0
    while 100 * h < percent * 2 * games:
        h += 1
    return h / 2, float(scores[h:].sum())
""",
    "token_search": """import numpy as np


def token_search(goes, ends, start, priors, values, noise, epsilon, c, simulations):
    goes = np.asarray(goes)
    A = goes.shape[1]
    visits, totals = {}, {}
    for _ in range(simulations):
        node, place = (), int(start)
        while visits.get(node, 0) > 0 and (goes[place] >= 0).any():
            exists = goes[place] >= 0
            p = np.where(exists, priors[place], 0.0)
            p = p / p.sum()
            if node == ():
                p = (1 - epsilon) * p + epsilon * np.asarray(noise)
            n = np.array([visits.get(node + (a,), 0) for a in range(A)])
            w = np.array([totals.get(node + (a,), 0.0) for a in range(A)])
            q = np.where(n > 0, -w / np.maximum(n, 1), 0.0)
            score = q + c * p * np.sqrt(max(1, n.sum())) / (1 + n)
            a = int(np.where(exists, score, -np.inf).argmax())
            node, place = node + (a,), int(goes[place, a])
        over = not (goes[place] >= 0).any()
        v = float(ends[place] if over else values[place])
        for depth in range(len(node), -1, -1):
            visits[node[:depth]] = visits.get(node[:depth], 0) + 1
            totals[node[:depth]] = totals.get(node[:depth], 0.0) + v
            v = -v
    pi = np.array([visits.get((a,), 0) for a in range(A)], float)
    return pi / pi.sum(), totals[()] / visits[()]
""",
}
SLIPS = [
    (
        "search_chances",
        "the target is sharpened with the temperature as well",
        "    return targets, chances / chances.sum(axis=1, keepdims=True)\n",
        "    chances = chances / chances.sum(axis=1, keepdims=True)\n    return chances, chances\n",
    ),
    (
        "search_chances",
        "the temperature is 0 after ply end, so end itself is still warm",
        "if ply[r] >= end:",
        "if ply[r] > end:",
    ),
    (
        "search_chances",
        "halving every so many plies means in steps, at each multiple of halving",
        "2.0 ** (ply[r] / halving)",
        "2.0 ** (ply[r] // halving)",
    ),
    (
        "search_chances",
        "of the most visited moves the one with the highest q is drawn",
        "chances[r] = share[r] == 1",
        "chances[r] = np.arange(len(share[r])) == np.where(share[r] == 1, q[r], -np.inf).argmax()",
    ),
    (
        "hex_examples",
        "the board is mirrored for player 1, the policy stays as the search wrote it",
        "            square = square.T\n",
        "",
    ),
    (
        "hex_examples",
        "turned by 180 degrees is a mirror upside down",
        "views += [np.rot90(v, 2) for v in views]\n    shares += [(np.rot90(s, 2), swap) for s, swap in shares]",
        "views += [v[::-1] for v in views]\n    shares += [(s[::-1], swap) for s, swap in shares]",
    ),
    (
        "hex_examples",
        "each position is followed at once by its turned twin",
        "    return np.array(views), np.array(policy), np.array(outcome + outcome, dtype=float)\n",
        "    order = [k for t in range(T) for k in (t, T + t)]\n    return np.array(views)[order], np.array(policy)[order], np.array(outcome + outcome, dtype=float)[order]\n",
    ),
    (
        "value_targets",
        "the last root value stands for the outcome of each position as it is",
        "root[last] if mover[last] == 0 else -root[last]",
        "root[last]",
    ),
    (
        "value_targets",
        "the last position of the list is the last one of the game that was cut off",
        "np.flatnonzero(game == g)[-1]",
        "len(game) - 1",
    ),
    (
        "value_targets",
        "a game that was cut off has no z, so the target is the root value alone",
        "    return (1 - share) * z + share * root\n",
        "    target = (1 - share) * z + share * root\n    return np.where(np.asarray(cut, bool)[game], root, target)\n",
    ),
    (
        "value_targets",
        "a game that was cut off counts as a draw",
        "outcome[g] = root[last] if mover[last] == 0 else -root[last]",
        "outcome[g] = 0.0",
    ),
    (
        "gate_chance",
        "at least means more than that percentage",
        "while 100 * h < percent * 2 * games:",
        "while 100 * h <= percent * 2 * games:",
    ),
    (
        "gate_chance",
        "a score is counted in whole points, so the next whole number is needed",
        "    return h / 2, float(scores[h:].sum())\n",
        "    h += h % 2\n    return h / 2, float(scores[h:].sum())\n",
    ),
    (
        "gate_chance",
        "half the games are first and half are second, rounded down for the first",
        "first if g % 2 == 0 else second",
        "first if g < games // 2 else second",
    ),
    (
        "token_search",
        "the noise is already a distribution, it is mixed in before the sum is made 1 over the arrows",
        "            p = p / p.sum()\n            if node == ():\n                p = (1 - epsilon) * p + epsilon * np.asarray(noise)\n",
        "            if node == ():\n                p = (1 - epsilon) * p + epsilon * np.asarray(noise)\n            p = p / p.sum()\n",
    ),
]
