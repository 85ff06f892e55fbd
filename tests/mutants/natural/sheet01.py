"""Slips of a writer who knew only the text of sheet 01."""

ANSWERS = {
    "boltzmann": """import numpy as np


def boltzmann(q, legal, player, temperature):
    q = np.asarray(q, dtype=float)
    legal = np.asarray(legal, dtype=bool)
    mine = q if player == 0 else -q
    scores = np.where(legal, mine, -np.inf)
    scores = scores - scores.max()
    weights = np.exp(scores / temperature)
    return weights / weights.sum()
""",
    "clip_legal": """import numpy as np


def clip_legal(p, legal, floor):
    p = np.asarray(p, dtype=float)
    legal = np.asarray(legal, dtype=bool)
    kept = np.where(legal, p, 0.0)
    total = kept.sum(axis=1, keepdims=True)
    nothing = total == 0
    kept = np.where(nothing, legal, kept)
    total = kept.sum(axis=1, keepdims=True)
    share = kept / total
    clipped = np.clip(share, floor, 1 - floor)
    clipped = np.where(legal, clipped, 0.0)
    return clipped / clipped.sum(axis=1, keepdims=True)
""",
    "draft": """import numpy as np


def draft(tickets, places, n, rng):
    tickets = np.asarray(tickets, dtype=float)
    result = np.zeros((n, places), dtype=int)
    for row in range(n):
        urn = tickets.copy()
        for place in range(places):
            owner = rng.choice(len(urn), p=urn / urn.sum())
            result[row, place] = owner
            urn[owner] = 0
    return result
""",
    "box_returns": """import numpy as np


def box_returns(mover, boxes, gamma):
    T = len(mover)
    returns = np.zeros(T)
    g = 0.0
    for t in reversed(range(T)):
        if t + 1 < T and mover[t + 1] != mover[t]:
            g = -g
        g = boxes[t] + gamma * g
        returns[t] = g
    return returns
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "boltzmann",
        "The formula says 'in the mover's own view', so I took q to be in that "
        "view already and never used player.",
        "mine = q if player == 0 else -q",
        "mine = q",
    ),
    (
        "boltzmann",
        "I made the largest exponent 0 first, with the maximum of all moves, and "
        "left the illegal ones out afterwards.",
        """scores = np.where(legal, mine, -np.inf)
    scores = scores - scores.max()""",
        "scores = np.where(legal, mine - mine.max(), -np.inf)",
    ),
    (
        "boltzmann",
        "At a temperature near 0 the distribution is simply the best move, so I "
        "return that one and avoid the overflow.",
        "    weights = np.exp(scores / temperature)",
        """    if temperature < 0.01:
        return np.eye(len(q))[scores.argmax()]
    weights = np.exp(scores / temperature)""",
    ),
    (
        "boltzmann",
        "I computed the softmax of all moves and then set the illegal ones to 0, "
        "without making the sum 1 again.",
        """    scores = np.where(legal, mine, -np.inf)
    scores = scores - scores.max()
    weights = np.exp(scores / temperature)
    return weights / weights.sum()""",
        """    scores = mine - mine.max()
    weights = np.exp(scores / temperature)
    return np.where(legal, weights / weights.sum(), 0.0)""",
    ),
    (
        "clip_legal",
        "There is a division at the end anyhow, so I clipped the legal part "
        "before its sum was made 1.",
        """    share = kept / total
""",
        """    share = kept
""",
    ),
    (
        "clip_legal",
        "A legal move is one with a probability above 0, so only those are lifted to the floor.",
        "clipped = np.where(legal, clipped, 0.0)",
        "clipped = np.where(share > 0, clipped, 0.0)",
    ),
    (
        "clip_legal",
        "The result has to lie between floor and 1 - floor, so I clipped once "
        "more after the division.",
        "    return clipped / clipped.sum(axis=1, keepdims=True)",
        """    clipped = clipped / clipped.sum(axis=1, keepdims=True)
    return np.where(legal, np.clip(clipped, floor, 1 - floor), 0.0)""",
    ),
    (
        "clip_legal",
        "Hint 3 asks before or after; I put the illegal moves back to 0 after the division.",
        """    clipped = np.where(legal, clipped, 0.0)
    return clipped / clipped.sum(axis=1, keepdims=True)""",
        """    clipped = clipped / clipped.sum(axis=1, keepdims=True)
    return np.where(legal, clipped, 0.0)""",
    ),
    (
        "draft",
        "A drawn ticket leaves the urn, so I took one ticket away from its owner.",
        "urn[owner] = 0",
        "urn[owner] -= 1",
    ),
    (
        "draft",
        "I drew all places with the same chances and drew the whole list again "
        "when a player came twice.",
        """        urn = tickets.copy()
        for place in range(places):
            owner = rng.choice(len(urn), p=urn / urn.sum())
            result[row, place] = owner
            urn[owner] = 0
""",
        """        chance = tickets / tickets.sum()
        owners = rng.choice(len(chance), size=places, p=chance)
        while len(set(owners)) < places:
            owners = rng.choice(len(chance), size=places, p=chance)
        result[row] = owners
""",
    ),
    (
        "draft",
        "Only the first place is drawn by tickets; after that the owner is out "
        "and I drew evenly among the others who have tickets.",
        """            urn[owner] = 0
""",
        """            urn[owner] = 0
            urn = (urn > 0).astype(float)
""",
    ),
    (
        "box_returns",
        "The discount is for each change of turn: a player who moves again is "
        "still in the same turn.",
        """            g = -g
        g = boxes[t] + gamma * g""",
        """            g = -gamma * g
        g = boxes[t] + g""",
    ),
    (
        "box_returns",
        "Whoever closes a box moves again, so the sign changes where the next "
        "move closed none (I looked at t + 1 instead of t).",
        "mover[t + 1] != mover[t]",
        "boxes[t + 1] == 0",
    ),
    (
        "box_returns",
        "A move that closes a box, or two at once, counts 1: I read boxes as "
        "whether something was closed.",
        "g = boxes[t] + gamma * g",
        "g = min(boxes[t], 1) + gamma * g",
    ),
    (
        "box_returns",
        "The return of a player is made of the boxes that this player gets, so I "
        "left the opponent's boxes out.",
        """    g = 0.0
    for t in reversed(range(T)):
        if t + 1 < T and mover[t + 1] != mover[t]:
            g = -g
        g = boxes[t] + gamma * g
        returns[t] = g
""",
        """    for t in range(T):
        for u in range(t, T):
            if mover[u] == mover[t]:
                returns[t] += gamma ** (u - t) * boxes[u]
""",
    ),
)
