"""Slips of a writer who knew only the text of sheet 09."""

ANSWERS = {
    "search_chances": """import numpy as np


def search_chances(visits, q, ply, halving, end):
    visits = np.asarray(visits, dtype=float)
    ply = np.asarray(ply)
    targets = visits / visits.sum(axis=1, keepdims=True)
    chances = np.zeros(visits.shape)
    for r in range(len(visits)):
        top = visits[r].max()
        if ply[r] >= end:
            weights = (visits[r] == top).astype(float)
        else:
            tau = 2.0 ** (-ply[r] / halving)
            weights = (visits[r] / top) ** (1 / tau)
        chances[r] = weights / weights.sum()
    return targets, chances
""",
    "hex_examples": """import numpy as np


def hex_examples(boards, movers, policies, results):
    size = boards.shape[1]
    views, shares, z = [], [], []
    for board, mover, policy, result in zip(boards, movers, policies, results):
        square = policy[:-1].reshape(size, size)
        if mover == 1:
            board, square, result = -board.T, square.T, -result
        views.append(board)
        shares.append(np.append(square, policy[-1]))
        z.append(result)
    turned = [board[::-1, ::-1] for board in views]
    turned_shares = [np.append(share[:-1][::-1], share[-1]) for share in shares]
    return np.array(views + turned), np.array(shares + turned_shares), np.array(z + z)
""",
    "value_targets": """import numpy as np


def value_targets(game, mover, root, result, cut, share):
    game, mover, root = np.asarray(game), np.asarray(mover), np.asarray(root, dtype=float)
    outcome = np.array(result, dtype=float)  # for player 0
    for g in range(len(outcome)):
        if cut[g]:
            last = np.flatnonzero(game == g)[-1]
            outcome[g] = root[last] if mover[last] == 0 else -root[last]
    z = np.where(mover == 0, outcome[game], -outcome[game])
    return (1 - share) * z + share * root
""",
    "gate_chance": """import numpy as np


def gate_chance(first, second, games, percent):
    scores = np.array([1.0])  # chance of 0, 1, 2, ... half points
    for g in range(1, games + 1):
        win, draw, loss = first if g % 2 == 1 else second
        scores = np.convolve(scores, [loss, draw, win])
    h = 0
    while 100 * h < percent * 2 * games:
        h += 1
    return h / 2, float(scores[h:].sum())
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
            node, place = (*node, a), goes[place, a]
        value = values[place] if (goes[place] >= 0).any() else ends[place]
        for depth in range(len(node), -1, -1):
            visits[node[:depth]] += 1
            totals[node[:depth]] += value
            value = -value
    counts = np.array([visits[(a,)] for a in range(len(noise))], dtype=float)
    return counts / counts.sum(), totals[()] / visits[()]
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "search_chances",
        "The target is what is played, the visits to the power 1/tau in "
        "proportion, as in the AlphaZero paper.",
        "    return targets, chances",
        """    targets = chances.copy()
    return targets, chances""",
    ),
    (
        "search_chances",
        "The temperature is halved once every `halving` plies and stays the same in between.",
        "(-ply[r] / halving)",
        "(-(ply[r] // halving))",
    ),
    (
        "search_chances",
        "Among the most visited moves those with the highest q come first; that "
        "must be what q is given for.",
        """            weights = (visits[r] == top).astype(float)
""",
        """            best_q = np.asarray(q)[r][visits[r] == top].max()
            weights = ((visits[r] == top) & (np.asarray(q)[r] == best_q)).astype(float)
""",
    ),
    (
        "hex_examples",
        "Only the board is mirrored for player 1; the policy is already the mover's own and stays.",
        "-board.T, square.T, -result",
        "-board.T, square, -result",
    ),
    (
        "hex_examples",
        "Each position gives two examples, so its turned one comes right behind it.",
        "    return np.array(views + turned), np.array(shares + turned_shares), np.array(z + z)",
        """    boards_out = [x for pair in zip(views, turned) for x in pair]
    policies_out = [x for pair in zip(shares, turned_shares) for x in pair]
    return np.array(boards_out), np.array(policies_out), np.repeat(z, 2)""",
    ),
    (
        "hex_examples",
        "Mirrored along the diagonal means turned by a quarter, which exchanges "
        "the two goals just as well.",
        "-board.T, square.T, -result",
        "-np.rot90(board), np.rot90(square), -result",
    ),
    (
        "value_targets",
        "The last root value is used as the game's outcome as it stands, as if it"
        " were for player 0.",
        "root[last] if mover[last] == 0 else -root[last]",
        "root[last]",
    ),
    (
        "value_targets",
        "In a game that was cut off nobody knows the result, so each position has"
        " its own root value as its target.",
        "    return (1 - share) * z + share * root",
        "    return np.where(np.asarray(cut)[game], root, (1 - share) * z + share * root)",
    ),
    (
        "value_targets",
        "From the last position backwards the sign of z changes with every "
        "position, because the players take turns.",
        """    z = np.where(mover == 0, outcome[game], -outcome[game])
""",
        """    z = np.zeros(len(game))
    for g in range(len(outcome)):
        where = np.flatnonzero(game == g)
        now = outcome[g] if mover[where[-1]] == 0 else -outcome[g]
        for t in where[::-1]:
            z[t], now = now, -now
""",
    ),
    (
        "value_targets",
        "A game that was cut off was not won by anybody and counts as a draw.",
        """            last = np.flatnonzero(game == g)[-1]
            outcome[g] = root[last] if mover[last] == 0 else -root[last]
""",
        """            outcome[g] = 0.0
""",
    ),
    (
        "gate_chance",
        "range counts from 0, and the candidate moves first in the odd games.",
        "for g in range(1, games + 1):",
        "for g in range(games):",
    ),
    (
        "gate_chance",
        "The score needed is rounded up to whole points, because percent of games are points.",
        "    return h / 2, float(scores[h:].sum())",
        """    h += h % 2
    return h / 2, float(scores[h:].sum())""",
    ),
    (
        "gate_chance",
        "The colours are taken in turn, so every game has the mean of the two chances.",
        "win, draw, loss = first if g % 2 == 1 else second",
        "win, draw, loss = (np.array(first) + np.array(second)) / 2",
    ),
    (
        "token_search",
        "pi is each arrow's share of all simulations.",
        "return counts / counts.sum(),",
        "return counts / simulations,",
    ),
    (
        "token_search",
        "Noise is for the root's prior, then the arrows that do not exist are "
        "taken out and the rest is normalised.",
        """            p = np.where(goes[place] >= 0, priors[place], 0.0)
            p = p / p.sum()
            if node == ():
                p = (1 - epsilon) * p + epsilon * noise
""",
        """            p = priors[place]
            if node == ():
                p = (1 - epsilon) * p + epsilon * noise
            p = np.where(goes[place] >= 0, p, 0.0)
            p = p / p.sum()
""",
    ),
)
