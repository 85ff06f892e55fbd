"""Slips of a writer who knew only the text of sheet 01."""

ANSWERS = {
    "boltzmann": """import numpy as np


def boltzmann(q, legal, player, temperature):
    q = np.asarray(q, float)
    mine = q if player == 0 else -q
    x = np.where(legal, mine / temperature, -np.inf)
    x = x - x.max()
    e = np.exp(x)
    return e / e.sum()
""",
    "clip_legal": """import numpy as np


def clip_legal(p, legal, floor):
    p = np.array(p, float)
    legal = np.asarray(legal, bool)
    kept = np.where(legal, p, 0.0)
    nothing = kept.sum(axis=1) == 0
    kept[nothing] = legal[nothing]
    kept = kept / kept.sum(axis=1, keepdims=True)
    kept = np.clip(kept, floor, 1 - floor)
    kept = np.where(legal, kept, 0.0)
    return kept / kept.sum(axis=1, keepdims=True)
""",
    "draft": """import numpy as np


def draft(tickets, places, n, rng):
    tickets = np.array(tickets, float)
    rows = []
    for _ in range(n):
        left = tickets.copy()
        row = []
        while len(row) < places:
            who = int(rng.choice(len(left), p=left / left.sum()))
            row.append(who)
            left[who] = 0
        rows.append(row)
    return np.array(rows).reshape(n, places)
""",
    "box_returns": """import numpy as np


def box_returns(mover, boxes, gamma):
    T = len(mover)
    out = np.zeros(T)
    g = 0.0
    for t in range(T - 1, -1, -1):
        if t + 1 < T and mover[t + 1] != mover[t]:
            g = -g
        g = boxes[t] + gamma * g
        out[t] = g
    return out
""",
}
SLIPS = [
    (
        "boltzmann",
        "The formula says v is in the mover's own view, and I took q to be these v already.",
        "mine = q if player == 0 else -q",
        "mine = q",
    ),
    (
        "boltzmann",
        "Softmax over all moves first, then the illegal ones get 0; I forgot that "
        "the sum runs over legal b only.",
        "    x = np.where(legal, mine / temperature, -np.inf)\n"
        "    x = x - x.max()\n"
        "    e = np.exp(x)\n"
        "    return e / e.sum()",
        "    x = mine / temperature\n"
        "    x = x - x.max()\n"
        "    e = np.exp(x)\n"
        "    return np.where(legal, e / e.sum(), 0.0)",
    ),
    (
        "boltzmann",
        "Subtract the largest of all values so that nothing overflows, then zero the "
        "illegal ones (the largest may stand at an illegal move, and the rest "
        "underflows when it is cold).",
        "    x = np.where(legal, mine / temperature, -np.inf)\n"
        "    x = x - x.max()\n"
        "    e = np.exp(x)",
        "    x = (mine - mine.max()) / temperature\n    e = np.where(legal, np.exp(x), 0.0)",
    ),
    (
        "boltzmann",
        "The second player wants small values, so I take the first player's "
        "probabilities and turn them round with 1 - p, normalised again.",
        "    mine = q if player == 0 else -q\n"
        "    x = np.where(legal, mine / temperature, -np.inf)\n"
        "    x = x - x.max()\n"
        "    e = np.exp(x)\n"
        "    return e / e.sum()",
        "    x = np.where(legal, q / temperature, -np.inf)\n"
        "    x = x - x.max()\n"
        "    e = np.exp(x)\n"
        "    p = e / e.sum()\n"
        "    if player == 1 and np.sum(legal) > 1:\n"
        "        p = np.where(legal, 1 - p, 0.0)\n"
        "        p = p / p.sum()\n"
        "    return p",
    ),
    (
        "clip_legal",
        "Divide by the sum first and put the illegal moves back to 0 at the very end.",
        "    kept = np.where(legal, kept, 0.0)\n    return kept / kept.sum(axis=1, keepdims=True)",
        "    kept = kept / kept.sum(axis=1, keepdims=True)\n    return np.where(legal, kept, 0.0)",
    ),
    (
        "clip_legal",
        "Only the zeros of legal moves need lifting to floor, as hint 2 asks about "
        "the zeros; small positive ones I left.",
        "kept = np.clip(kept, floor, 1 - floor)",
        "kept = np.minimum(np.where(kept == 0, floor, kept), 1 - floor)",
    ),
    (
        "clip_legal",
        "I thought dividing once at the end is enough, so the clip works on the "
        "probabilities that are not yet normalised over the legal moves.",
        "    kept = kept / kept.sum(axis=1, keepdims=True)\n    kept = np.clip",
        "    kept = np.clip",
    ),
    (
        "clip_legal",
        "'Where the legal moves have nothing' I tested on the whole row p.",
        "nothing = kept.sum(axis=1) == 0",
        "nothing = p.sum(axis=1) == 0",
    ),
    (
        "draft",
        "A ticket is drawn and that ticket leaves the urn (the owner's other tickets stay).",
        "left[who] = 0",
        "left[who] -= 1",
    ),
    (
        "draft",
        "Draw the whole list with replacement and start over when a player comes twice.",
        "        left = tickets.copy()\n"
        "        row = []\n"
        "        while len(row) < places:\n"
        "            who = int(rng.choice(len(left), p=left / left.sum()))\n"
        "            row.append(who)\n"
        "            left[who] = 0\n",
        "        row = [0, 0]\n"
        "        while len(set(row)) < len(row):\n"
        "            row = rng.choice(len(tickets), size=places, p=tickets / "
        "tickets.sum()).tolist()\n",
    ),
    (
        "draft",
        "Draw which players are in the draft by tickets; the order of the row I made "
        "that of their numbers.",
        "rows.append(row)",
        "rows.append(sorted(row))",
    ),
    (
        "box_returns",
        "Players draw lines in turn, so the sign turns at every move.",
        "if t + 1 < T and mover[t + 1] != mover[t]:",
        "if t + 1 < T:",
    ),
    (
        "box_returns",
        "Who closes a box moves again in the same turn, so I discounted only where "
        "the turn passes to the other.",
        "            g = -g\n        g = boxes[t] + gamma * g",
        "            g = -gamma * g\n        g = boxes[t] + g",
    ),
    (
        "box_returns",
        "I computed everything for player 0 and forgot to give each move its mover's "
        "sign at the end.",
        "        if t + 1 < T and mover[t + 1] != mover[t]:\n"
        "            g = -g\n"
        "        g = boxes[t] + gamma * g",
        "        g = (boxes[t] if mover[t] == 0 else -boxes[t]) + gamma * g",
    ),
    (
        "box_returns",
        "A player moves again when a box was closed, so the sign stays where the "
        "NEXT move closes one (looked at the wrong move).",
        "mover[t + 1] != mover[t]",
        "boxes[t + 1] == 0",
    ),
]
