"""Slips of a writer who knew only the text of sheet 01."""

ANSWERS = {
    "boltzmann": """import numpy as np


def boltzmann(q, legal, player, temperature):
    legal = np.asarray(legal, bool)
    v = np.asarray(q, float)
    if player == 1:
        v = -v
    v = np.where(legal, v, -np.inf)
    z = (v - v.max()) / temperature
    e = np.exp(z)
    return e / e.sum()
""",
    "clip_legal": """import numpy as np


def clip_legal(p, legal, floor):
    legal = np.asarray(legal, bool)
    kept = np.where(legal, p, 0.0)
    nothing = kept.sum(axis=1) == 0
    kept[nothing] = legal[nothing]
    kept = kept / kept.sum(axis=1, keepdims=True)
    kept = np.clip(kept, floor, 1 - floor)
    kept[~legal] = 0.0
    return kept / kept.sum(axis=1, keepdims=True)
""",
    "draft": """import numpy as np


def draft(tickets, places, n, rng):
    tickets = np.asarray(tickets, float)
    rows = []
    for _ in range(n):
        urn = tickets.copy()
        row = []
        for _ in range(places):
            who = int(rng.choice(len(urn), p=urn / urn.sum()))
            row.append(who)
            urn[who] = 0
        rows.append(row)
    return np.array(rows, dtype=int).reshape(n, places)
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
        "q is always seen by the mover, so the player argument is not needed",
        "    if player == 1:\n        v = -v\n",
        "",
    ),
    (
        "boltzmann",
        "players are numbered 1 and 2 as on the boards, so player 1 is the first one",
        "    if player == 1:\n        v = -v\n",
        "    if player != 1:\n        v = -v\n",
    ),
    (
        "boltzmann",
        "an illegal move is given the value 0, then it does not count",
        "np.where(legal, v, -np.inf)",
        "np.where(legal, v, 0.0)",
    ),
    (
        "boltzmann",
        "the largest number is taken off after the division, but the one before it was divided",
        "z = (v - v.max()) / temperature",
        "z = v / temperature - v.max()",
    ),
    (
        "boltzmann",
        "the sum is over all moves b, and only then are the illegal ones set to 0",
        "    v = np.where(legal, v, -np.inf)\n    z = (v - v.max()) / temperature\n    e = np.exp(z)\n    return e / e.sum()\n",
        "    z = (v - v.max()) / temperature\n    e = np.exp(z)\n    return np.where(legal, e / e.sum(), 0.0)\n",
    ),
    (
        "clip_legal",
        "illegal moves are put back to 0 at the very end, after the division by the sum",
        "    kept[~legal] = 0.0\n    return kept / kept.sum(axis=1, keepdims=True)\n",
        "    kept = kept / kept.sum(axis=1, keepdims=True)\n    kept[~legal] = 0.0\n    return kept\n",
    ),
    (
        "clip_legal",
        "step 1 only takes the illegal ones out; one division at the end is enough",
        "    kept = kept / kept.sum(axis=1, keepdims=True)\n    kept = np.clip(kept, floor, 1 - floor)\n",
        "    kept = np.clip(kept, floor, 1 - floor)\n",
    ),
    (
        "clip_legal",
        "where the legal moves have nothing all moves of the row share equally",
        "kept[nothing] = legal[nothing]\n    kept = kept / kept.sum(axis=1, keepdims=True)\n    kept = np.clip(kept, floor, 1 - floor)\n    kept[~legal] = 0.0",
        "kept[nothing] = 1.0\n    legal = legal | nothing[:, None]\n    kept = kept / kept.sum(axis=1, keepdims=True)\n    kept = np.clip(kept, floor, 1 - floor)\n    kept[~legal] = 0.0",
    ),
    (
        "draft",
        "a drawn ticket leaves the urn, but the owner's other tickets stay in it",
        "urn[who] = 0",
        "urn[who] -= 1",
    ),
    (
        "draft",
        "the whole list is drawn again when a player comes twice",
        "        urn = tickets.copy()\n        row = []\n        for _ in range(places):\n            who = int(rng.choice(len(urn), p=urn / urn.sum()))\n            row.append(who)\n            urn[who] = 0\n",
        "        row = [0] * 2\n        while len(set(row)) < len(row):\n            row = rng.choice(len(tickets), size=places, p=tickets / tickets.sum()).tolist()\n",
    ),
    (
        "draft",
        "returns who is drawn into the team, the numbers sorted",
        "rows.append(row)",
        "rows.append(sorted(row))",
    ),
    (
        "box_returns",
        "players draw in turn, so the sign changes at every move",
        "if t + 1 < T and mover[t + 1] != mover[t]:",
        "if t + 1 < T:",
    ),
    (
        "box_returns",
        "only player changes count as a step of time, moves of one turn are not discounted among themselves",
        "        if t + 1 < T and mover[t + 1] != mover[t]:\n            g = -g\n        g = boxes[t] + gamma * g\n",
        "        if t + 1 < T and mover[t + 1] != mover[t]:\n            g = -gamma * g\n        g = boxes[t] + g\n",
    ),
    (
        "box_returns",
        "a closed box means the same player, but looked up at the next move instead of at this one",
        "if t + 1 < T and mover[t + 1] != mover[t]:",
        "if t + 1 < T and boxes[t + 1] == 0:",
    ),
    (
        "box_returns",
        "the return is what comes after the move, as the reward is booked one step later",
        "        g = boxes[t] + gamma * g\n        out[t] = g\n",
        "        out[t] = gamma * g\n        g = boxes[t] + gamma * g\n",
    ),
]
