"""Slips of a writer who knew only the text of sheet 01."""

ANSWERS = {
    "boltzmann": """import numpy as np


def boltzmann(q, legal, player, temperature):
    q = np.asarray(q, dtype=float)
    legal = np.asarray(legal, dtype=bool)
    own = q if player == 0 else -q
    own = np.where(legal, own, -np.inf)
    z = (own - own.max()) / temperature
    e = np.exp(z)
    return e / e.sum()
""",
    "clip_legal": """import numpy as np


def clip_legal(p, legal, floor):
    legal = np.asarray(legal, dtype=bool)
    kept = np.where(legal, p, 0.0)
    total = kept.sum(axis=1, keepdims=True)
    equal = legal / legal.sum(axis=1, keepdims=True)
    kept = np.where(total > 0, kept / np.where(total > 0, total, 1.0), equal)
    kept = np.clip(kept, floor, 1 - floor)
    kept = np.where(legal, kept, 0.0)
    return kept / kept.sum(axis=1, keepdims=True)
""",
    "draft": """import numpy as np


def draft(tickets, places, n, rng):
    tickets = np.asarray(tickets, dtype=float)
    result = np.zeros((n, places), dtype=int)
    for i in range(n):
        urn = tickets.copy()
        for place in range(places):
            player = rng.choice(len(urn), p=urn / urn.sum())
            result[i, place] = player
            urn[player] = 0
    return result
""",
    "box_returns": """import numpy as np


def box_returns(mover, boxes, gamma):
    T = len(boxes)
    returns = np.zeros(T)
    g = 0.0
    for t in range(T - 1, -1, -1):
        if t + 1 < T and mover[t + 1] != mover[t]:
            g = -g
        g = boxes[t] + gamma * g
        returns[t] = g
    return returns
""",
}
SLIPS = [
    (
        "boltzmann",
        "Player 1 is the first player and player 2 the second, so player 1 keeps the values.",
        "own = q if player == 0 else -q",
        "own = q if player == 1 else -q",
    ),
    (
        "boltzmann",
        "I subtract the largest number of the whole table, and leave the illegal moves out afterwards.",
        """    own = np.where(legal, own, -np.inf)
    z = (own - own.max()) / temperature
    e = np.exp(z)
""",
        """    z = (own - own.max()) / temperature
    e = np.where(legal, np.exp(z), 0.0)
""",
    ),
    (
        "boltzmann",
        "So that nothing overflows at tiny temperatures I do not let the temperature fall below 0.01.",
        "z = (own - own.max()) / temperature",
        "z = (own - own.max()) / max(temperature, 0.01)",
    ),
    (
        "boltzmann",
        "At a temperature near 0 the player simply plays the best move.",
        "    z = (own - own.max()) / temperature\n",
        """    if temperature < 0.01:
        best = np.zeros(len(own))
        best[own.argmax()] = 1.0
        return best
    z = (own - own.max()) / temperature
""",
    ),
    (
        "clip_legal",
        "Illegal moves must be exactly 0 in what I return, so I put them to 0 at the very end.",
        """    kept = np.where(legal, kept, 0.0)
    return kept / kept.sum(axis=1, keepdims=True)
""",
        """    kept = kept / kept.sum(axis=1, keepdims=True)
    return np.where(legal, kept, 0.0)
""",
    ),
    (
        "clip_legal",
        "The sum is made 1 by the division in step 3, so taking the illegal moves out is enough in step 1.",
        "np.where(total > 0, kept / np.where(total > 0, total, 1.0), equal)",
        "np.where(total > 0, kept, equal)",
    ),
    (
        "clip_legal",
        "In the end every legal move shall lie in the range, so I clip once more after the division.",
        """    return kept / kept.sum(axis=1, keepdims=True)
""",
        """    kept = kept / kept.sum(axis=1, keepdims=True)
    return np.where(legal, np.clip(kept, floor, 1 - floor), 0.0)
""",
    ),
    (
        "clip_legal",
        "Clipping is about a lowest probability: lift what is below the floor, the rest comes from dividing.",
        "kept = np.clip(kept, floor, 1 - floor)",
        "kept = np.maximum(kept, floor)",
    ),
    (
        "draft",
        "A ticket is drawn and leaves the urn (only this one).",
        "urn[player] = 0",
        "urn[player] -= 1",
    ),
    (
        "draft",
        "The urn says who chooses first; the other places go to the remaining players with tickets by equal chance.",
        "player = rng.choice(len(urn), p=urn / urn.sum())",
        """weight = urn if place == 0 else (urn > 0).astype(float)
            player = rng.choice(len(urn), p=weight / weight.sum())""",
    ),
    (
        "draft",
        "If somebody comes twice, the draft is not valid and I start it over.",
        """        urn = tickets.copy()
        for place in range(places):
            player = rng.choice(len(urn), p=urn / urn.sum())
            result[i, place] = player
            urn[player] = 0
""",
        """        row = rng.choice(len(tickets), size=places, p=tickets / tickets.sum())
        while len(set(row.tolist())) < places:
            row = rng.choice(len(tickets), size=places, p=tickets / tickets.sum())
        result[i] = row
""",
    ),
    (
        "box_returns",
        "An array like boxes is just what I need for the returns (it is of whole numbers).",
        "returns = np.zeros(T)",
        "returns = np.zeros_like(np.asarray(boxes))",
    ),
    (
        "box_returns",
        "Whoever closes a box moves again, so the sign changes where the next move closed nothing.",
        "if t + 1 < T and mover[t + 1] != mover[t]:",
        "if t + 1 < T and boxes[t + 1] == 0:",
    ),
    (
        "box_returns",
        "A move again belongs to the same turn, so only a change of player is discounted.",
        """            g = -g
        g = boxes[t] + gamma * g
""",
        """            g = -gamma * g
        g = boxes[t] + g
""",
    ),
    (
        "box_returns",
        "Compute everything for player 0: boxes of player 0 are + and those of player 1 are -, and that is the return.",
        """        if t + 1 < T and mover[t + 1] != mover[t]:
            g = -g
        g = boxes[t] + gamma * g
""",
        """        g = (boxes[t] if mover[t] == 0 else -boxes[t]) + gamma * g
""",
    ),
]
