"""Slips of a writer who knew only the text of sheet 09."""

ANSWERS = {
    "search_chances": """import numpy as np


def search_chances(visits, q, ply, halving, end):
    visits, ply = np.asarray(visits, float), np.asarray(ply)
    targets = visits / visits.sum(axis=1, keepdims=True)
    share = visits / visits.max(axis=1, keepdims=True)
    power = 2.0 ** (ply / halving)
    chances = share ** power[:, None]
    first = share == 1
    chances = np.where((ply >= end)[:, None], first, chances)
    return targets, chances / chances.sum(axis=1, keepdims=True)
""",
    "hex_examples": """import numpy as np


def hex_examples(boards, movers, policies, results):
    S = len(boards[0])
    plain, turned = [], []
    for board, mover, policy, z in zip(boards, movers, policies, results):
        board, policy = np.asarray(board), np.asarray(policy, float)
        square, swap = policy[:-1].reshape(S, S), policy[-1]
        if mover == 1:
            board, square, z = -board.T, square.T, -z
        plain.append((board, np.append(square, swap), z))
        turned.append((board[::-1, ::-1], np.append(square[::-1, ::-1], swap), z))
    both = plain + turned
    return tuple(np.array([example[i] for example in both]) for i in range(3))
""",
    "value_targets": """import numpy as np


def value_targets(game, mover, root, result, cut, share):
    game, mover, root = np.asarray(game), np.asarray(mover), np.asarray(root, float)
    outcome = np.array(result, float)
    for g in range(len(outcome)):
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
    for k in range(games):
        win, draw, loss = first if k % 2 == 0 else second
        scores = np.convolve(scores, [loss, draw, win])
    needed = -((-percent * 2 * games) // 100)
    return needed / 2, float(scores[needed:].sum())
""",
    "token_search": """from collections import defaultdict

import numpy as np


def token_search(goes, ends, start, priors, values, noise, epsilon, c, simulations):
    visits, totals = defaultdict(int), defaultdict(float)
    for _ in range(simulations):
        node, place = (), start
        while visits[node] > 0 and (goes[place] >= 0).any():
            p = np.where(goes[place] >= 0, priors[place], 0.0)
            p = p / p.sum()
            if node == ():
                p = (1 - epsilon) * p + epsilon * noise
            scores = np.full(len(p), -np.inf)
            for a in np.flatnonzero(goes[place] >= 0).tolist():
                n = visits[(*node, a)]
                q = -totals[(*node, a)] / n if n else 0.0
                scores[a] = q + c * p[a] * np.sqrt(max(1, visits[node] - 1)) / (1 + n)
            a = int(scores.argmax())
            node, place = (*node, a), int(goes[place, a])
        value = values[place] if (goes[place] >= 0).any() else ends[place]
        for depth in range(len(node), -1, -1):
            visits[node[:depth]] += 1
            totals[node[:depth]] += value
            value = -value
    counts = np.array([visits[(a,)] for a in range(len(noise))])
    return counts / counts.sum(), totals[()] / visits[()]
""",
}
SLIPS = [
    (
        "search_chances",
        "Of several moves that share the first place I took the one with the better "
        "Q, since q is given.",
        "    first = share == 1\n",
        "    first = share == 1\n"
        "    looks = np.where(first, q, -np.inf)\n"
        "    first = looks == looks.max(axis=1, keepdims=True)\n",
    ),
    (
        "search_chances",
        "'It halves every `halving` plies': I let it fall in steps, after every `halving` plies.",
        "(ply / halving)",
        "(ply // halving)",
    ),
    (
        "search_chances",
        "The network shall learn what is played, so the target has the temperature as well.",
        "    return targets, chances / chances.sum(axis=1, keepdims=True)",
        "    chances = chances / chances.sum(axis=1, keepdims=True)\n"
        "    return chances.copy(), chances",
    ),
    (
        "hex_examples",
        "Laid each turned example right behind its own.",
        "both = plain + turned",
        "both = [example for pair in zip(plain, turned) for example in pair]",
    ),
    (
        "hex_examples",
        "Turning by 180 degrees is reading the policy backwards; the swap came along to the front.",
        "np.append(square[::-1, ::-1], swap)",
        "np.append(square, swap)[::-1]",
    ),
    (
        "hex_examples",
        "'Top and bottom change places and so do left and right': I thought the turn "
        "exchanges the two players, so stones and z change their sign.",
        "(board[::-1, ::-1], np.append(square[::-1, ::-1], swap), z)",
        "(-board[::-1, ::-1], np.append(square[::-1, ::-1], swap), -z)",
    ),
    (
        "value_targets",
        "The last root value stands for the result; forgot that it is for the player "
        "to move there, not for player 0.",
        "outcome[g] = root[last] if mover[last] == 0 else -root[last]",
        "outcome[g] = root[last]",
    ),
    (
        "value_targets",
        "Turned the whole target to the player to move, root included (which belongs "
        "to that player already).",
        "return (1 - share) * z + share * root",
        "return sign * ((1 - share) * outcome[game] + share * root)",
    ),
    (
        "value_targets",
        "The last root value says who would have won: its sign is the outcome.",
        "outcome[g] = root[last] if mover[last] == 0 else -root[last]",
        "outcome[g] = np.sign(root[last]) * (1 if mover[last] == 0 else -1)",
    ),
    (
        "gate_chance",
        "The score needed is a whole number of points, as in the example of 11.",
        "needed = -((-percent * 2 * games) // 100)",
        "needed = -2 * ((-percent * games) // 100)",
    ),
    (
        "gate_chance",
        "Read `second` as the chances of the one who moves first in these games, so "
        "that win and loss are exchanged for the candidate.",
        "        win, draw, loss = first if k % 2 == 0 else second\n",
        "        win, draw, loss = first if k % 2 == 0 else second[::-1]\n",
    ),
    (
        "gate_chance",
        "Half of the games with either colour: games // 2 as first player, the others as second.",
        "if k % 2 == 0 else",
        "if k < games // 2 else",
    ),
    (
        "token_search",
        "Mixed the noise into the raw prior and divided by the sum over the arrows "
        "that exist afterwards.",
        "            p = np.where(goes[place] >= 0, priors[place], 0.0)\n"
        "            p = p / p.sum()\n"
        "            if node == ():\n"
        "                p = (1 - epsilon) * p + epsilon * noise\n",
        "            p = priors[place]\n"
        "            if node == ():\n"
        "                p = (1 - epsilon) * p + epsilon * noise\n"
        "            p = np.where(goes[place] >= 0, p, 0.0)\n"
        "            p = p / p.sum()\n",
    ),
    (
        "token_search",
        "The share of an arrow in all simulations: divided by the root's visits, "
        "which are one more.",
        "counts / counts.sum()",
        "counts / visits[()]",
    ),
]
