"""Slips of a writer who knew only the text of sheet 09."""

ANSWERS = {
    "search_chances": """import numpy as np


def search_chances(visits, q, ply, halving, end):
    visits = np.asarray(visits, float)
    targets = visits / visits.sum(axis=1, keepdims=True)
    chances = np.zeros(visits.shape)
    for r in range(len(visits)):
        share = visits[r] / visits[r].max()
        if ply[r] >= end:
            weight = (share == 1).astype(float)
        else:
            power = 2.0 ** (ply[r] / halving)
            weight = share**power
        chances[r] = weight / weight.sum()
    return targets, chances
""",
    "hex_examples": """import numpy as np


def hex_examples(boards, movers, policies, results):
    T, S, _ = boards.shape
    views, shares, z = [], [], []
    for board, mover, policy, result in zip(boards, movers, policies, results):
        square, swap = policy[:-1].reshape(S, S), policy[-1]
        if mover == 1:
            board, square, result = -board.T, square.T, -result
        views.append(board)
        shares.append(np.append(square, swap))
        z.append(result)
    for t in range(T):
        square, swap = shares[t][:-1].reshape(S, S), shares[t][-1]
        views.append(views[t][::-1, ::-1])
        shares.append(np.append(square[::-1, ::-1], swap))
        z.append(z[t])
    return np.array(views), np.array(shares), np.array(z)
""",
    "value_targets": """import numpy as np


def value_targets(game, mover, root, result, cut, share):
    game, mover, root = np.asarray(game), np.asarray(mover), np.asarray(root, float)
    side = 1 - 2 * mover
    outcome = np.zeros(len(result))
    for g in range(len(result)):
        if cut[g]:
            last = np.flatnonzero(game == g)[-1]
            outcome[g] = side[last] * root[last]
        else:
            outcome[g] = result[g]
    z = side * outcome[game]
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
from collections import defaultdict


def token_search(goes, ends, start, priors, values, noise, epsilon, c, simulations):
    visits, totals = defaultdict(int), defaultdict(float)
    for _ in range(simulations):
        node, place = (), start
        while visits[node] > 0 and (goes[place] >= 0).any():
            exists = goes[place] >= 0
            p = np.where(exists, priors[place], 0.0)
            p = p / p.sum()
            if node == ():
                p = (1 - epsilon) * p + epsilon * noise
            scores = np.full(len(p), -np.inf)
            for a in np.flatnonzero(exists).tolist():
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
    pi = np.array([visits[(a,)] for a in range(len(noise))], float)
    return pi / pi.sum(), totals[()] / visits[()]
""",
}
SLIPS = [
    (
        "search_chances",
        "The temperature is 0 after ply end; ply end itself is still drawn with a temperature.",
        "        if ply[r] >= end:\n",
        "        if ply[r] > end:\n",
    ),
    (
        "search_chances",
        "It halves every `halving` plies, so it stays the same for `halving` plies and then drops to a half.",
        "            power = 2.0 ** (ply[r] / halving)\n",
        "            power = 2.0 ** (ply[r] // halving)\n",
    ),
    (
        "search_chances",
        "Several moves that share the first place: q, which is given, says which of them is the better one.",
        "            weight = (share == 1).astype(float)\n",
        "            weight = ((share == 1) & (q[r] == q[r][share == 1].max())).astype(float)\n",
    ),
    (
        "hex_examples",
        "The board becomes that of the mover, but I thought the policy is the mover's already and needs no mirror.",
        "            board, square, result = -board.T, square.T, -result\n",
        "            board, result = -board.T, -result\n",
    ),
    (
        "hex_examples",
        "Mirrored along the diagonal, and then once more for the turn: by 180 degrees top and bottom change places, so the rows are reversed.",
        """        views.append(views[t][::-1, ::-1])
        shares.append(np.append(square[::-1, ::-1], swap))
""",
        """        views.append(views[t][::-1])
        shares.append(np.append(square[::-1], swap))
""",
    ),
    (
        "hex_examples",
        "After the turn it is the other one who joins top and bottom, so z changes its sign there.",
        "        z.append(z[t])\n",
        "        z.append(-z[t])\n",
    ),
    (
        "value_targets",
        "The last root value stands for z as it is; I forgot that it is for the player to move there.",
        "            outcome[g] = side[last] * root[last]\n",
        "            outcome[g] = root[last]\n",
    ),
    (
        "value_targets",
        "root in the formula is for player 0, like z, and the whole mixture is turned to the mover at the end.",
        """    z = side * outcome[game]
    return (1 - share) * z + share * root
""",
        """    z = outcome[game]
    return side * ((1 - share) * z + share * root)
""",
    ),
    (
        "value_targets",
        "In a game that was cut off there is no z, so the target is the position's own root value.",
        """    z = side * outcome[game]
""",
        """    z = np.where(np.asarray(cut, bool)[game], root, side * outcome[game])
""",
    ),
    (
        "gate_chance",
        "The candidate moves first in games 1, 3, 5, ..., so where the loop's g is odd.",
        "first if g % 2 == 0 else second",
        "first if g % 2 == 1 else second",
    ),
    (
        "gate_chance",
        "The result of the percentage is rounded up to whole points.",
        """    while 100 * h < percent * 2 * games:
        h += 1
""",
        """    while 100 * h < percent * 2 * games or h % 2:
        h += 1
""",
    ),
    (
        "gate_chance",
        "The second triple is (win, draw, loss) of the match's second player, that is the old network's chances when the candidate is second.",
        """        scores = np.convolve(scores, [loss, draw, win])
""",
        """        if g % 2:
            win, loss = loss, win
        scores = np.convolve(scores, [loss, draw, win])
""",
    ),
    (
        "token_search",
        "pi is the visits divided by the number of simulations.",
        "    return pi / pi.sum(), totals[()] / visits[()]\n",
        "    return pi / simulations, totals[()] / visits[()]\n",
    ),
    (
        "token_search",
        "Noise is mixed into the root's prior first, then the arrows that exist are divided by their sum.",
        """            p = np.where(exists, priors[place], 0.0)
            p = p / p.sum()
            if node == ():
                p = (1 - epsilon) * p + epsilon * noise
""",
        """            p = priors[place]
            if node == ():
                p = (1 - epsilon) * p + epsilon * noise
            p = np.where(exists, p, 0.0)
            p = p / p.sum()
""",
    ),
]
