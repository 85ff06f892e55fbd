"""Slips of a writer who knew only the text of sheet 09."""

ANSWERS = {
    "search_chances": """import numpy as np


def search_chances(visits, q, ply, halving, end):
    visits = np.asarray(visits, dtype=float)
    ply = np.asarray(ply)
    targets = visits / visits.sum(axis=1, keepdims=True)
    best = visits.max(axis=1, keepdims=True)
    relative = visits / best
    chances = np.zeros_like(targets)
    for r in range(len(visits)):
        if ply[r] >= end:
            weights = (visits[r] == visits[r].max()).astype(float)
        else:
            tau = 2.0 ** (-ply[r] / halving)
            weights = relative[r] ** (1 / tau)
        chances[r] = weights / weights.sum()
    return targets, chances
""",
    "hex_examples": """import numpy as np


def hex_examples(boards, movers, policies, results):
    size = boards.shape[1]
    seen, shares, z = [], [], []
    for board, mover, policy, result in zip(boards, movers, policies, results):
        square = policy[:-1].reshape(size, size)
        if mover == 1:
            board = -board.T
            square = square.T
            result = -result
        seen.append(board)
        shares.append(np.append(square, policy[-1]))
        z.append(result)
    turned = [np.rot90(board, 2) for board in seen]
    turned_shares = [np.append(p[:-1][::-1], p[-1]) for p in shares]
    return np.array(seen + turned), np.array(shares + turned_shares), np.array(z + z)
""",
    "value_targets": """import numpy as np


def value_targets(game, mover, root, result, cut, share):
    outcome = np.array(result, dtype=float)
    for g in range(len(result)):
        if cut[g]:
            last = np.flatnonzero(game == g)[-1]
            outcome[g] = root[last] if mover[last] == 0 else -root[last]
    sign = np.where(mover == 0, 1, -1)
    z = sign * outcome[game]
    return (1 - share) * z + share * root
""",
    "gate_chance": """import numpy as np


def gate_chance(first, second, games, percent):
    scores = np.array([1.0])
    for number in range(1, games + 1):
        win, draw, loss = first if number % 2 == 1 else second
        scores = np.convolve(scores, [loss, draw, win])
    needed = 0
    while 100 * needed < percent * 2 * games:
        needed += 1
    return needed / 2, scores[needed:].sum()
""",
    "token_search": """from collections import defaultdict

import numpy as np


def token_search(goes, ends, start, priors, values, noise, epsilon, c, simulations):
    visits, totals = defaultdict(int), defaultdict(float)
    for _ in range(simulations):
        node, place = (), start
        while visits[node] > 0 and (goes[place] >= 0).any():
            there = goes[place] >= 0
            p = np.where(there, priors[place], 0.0)
            p = p / p.sum()
            if node == ():
                p = (1 - epsilon) * p + epsilon * noise
            scores = np.full(len(p), -np.inf)
            for a in np.flatnonzero(there).tolist():
                n = visits[(*node, a)]
                q = -totals[(*node, a)] / n if n else 0.0
                scores[a] = q + c * p[a] * np.sqrt(max(1, visits[node] - 1)) / (1 + n)
            a = int(scores.argmax())
            node, place = (*node, a), goes[place, a]
        value = values[place] if (goes[place] >= 0).any() else ends[place]
        for depth in range(len(node), -1, -1):
            visits[node[:depth]] += 1
            totals[node[:depth]] += value
            value = -value
    counts = np.array([visits[(a,)] for a in range(len(noise))])
    return counts / counts.sum(), totals[()] / visits[()]
""",
}
# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "search_chances",
        "wrote the temperature itself as the power, so late moves became more random",
        "relative[r] ** (1 / tau)",
        "relative[r] ** tau",
    ),
    (
        "search_chances",
        "thought that the temperature becomes 0 only after ply end",
        "if ply[r] >= end:",
        "if ply[r] > end:",
    ),
    (
        "search_chances",
        "at temperature 0 simply took argmax and forgot that several can share the first place",
        "weights = (visits[r] == visits[r].max()).astype(float)",
        "weights = np.eye(visits.shape[1])[visits[r].argmax()]",
    ),
    (
        "search_chances",
        "let the temperature fall in steps: whole halvings only",
        "tau = 2.0 ** (-ply[r] / halving)",
        "tau = 2.0 ** -(ply[r] // halving)",
    ),
    (
        "hex_examples",
        "mirrored the board and its stones for player 1 but left the policy where it was",
        "            square = square.T\n",
        "",
    ),
    (
        "hex_examples",
        "took results as they come, for player 0, and did not think of who is to move",
        "            result = -result\n",
        "",
    ),
    (
        "hex_examples",
        "turned the whole policy with the swap in it, so the swap lands in the first place",
        "np.append(p[:-1][::-1], p[-1])",
        "p[::-1]",
    ),
    (
        "hex_examples",
        "turned by 90 degrees: forgot the 2 in rot90",
        "np.rot90(board, 2)",
        "np.rot90(board)",
    ),
    (
        "value_targets",
        "took the last root value of a cut game as if it were for player 0",
        "root[last] if mover[last] == 0 else -root[last]",
        "root[last]",
    ),
    (
        "value_targets",
        "gave share to the result instead of to the root value",
        "(1 - share) * z + share * root",
        "share * z + (1 - share) * root",
    ),
    (
        "value_targets",
        "treated a game that was cut off as a draw",
        "outcome[g] = root[last] if mover[last] == 0 else -root[last]",
        "outcome[g] = 0",
    ),
    (
        "gate_chance",
        "wanted more than percent percent, not at least",
        "100 * needed < percent",
        "100 * needed <= percent",
    ),
    (
        "gate_chance",
        "returned the needed score in half points",
        "return needed / 2, scores",
        "return needed, scores",
    ),
    (
        "token_search",
        "mixed the noise into the prior before throwing away the arrows that do not exist "
        "and did not think of dividing first",
        "            p = p / p.sum()\n",
        "",
    ),
    (
        "token_search",
        "took the shares of all visits of the root, with the first simulation among them",
        "counts / counts.sum(), totals",
        "counts / visits[()], totals",
    ),
)
