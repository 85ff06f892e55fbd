"""Slips of a writer who knew only the text of sheet 01."""

ANSWERS = {
    "boltzmann": """import numpy as np


def boltzmann(q, legal, player, temperature):
    values = np.array(q, dtype=float)
    if player == 1:
        values = -values
    best = values[legal].max()
    weights = np.zeros(len(values))
    weights[legal] = np.exp((values[legal] - best) / temperature)
    return weights / weights.sum()
""",
    "clip_legal": """import numpy as np


def clip_legal(p, legal, floor):
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
    tickets = np.asarray(tickets)
    orders = []
    for _ in range(n):
        left = tickets.astype(float)
        order = []
        for _ in range(places):
            player = int(rng.choice(len(left), p=left / left.sum()))
            order.append(player)
            left[player] = 0.0
        orders.append(order)
    return np.array(orders)
""",
    "box_returns": """import numpy as np


def box_returns(mover, boxes, gamma):
    returns = np.zeros(len(mover))
    following = 0.0
    for t in reversed(range(len(mover))):
        if t + 1 < len(mover) and mover[t + 1] != mover[t]:
            following = -following
        following = boxes[t] + gamma * following
        returns[t] = following
    return returns
""",
}
# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "boltzmann",
        "I subtracted the best of all values, and with a cold temperature an illegal one won",
        "best = values[legal].max()",
        "best = values.max()",
    ),
    (
        "boltzmann",
        "I turned the values around for the wrong player",
        "if player == 1:",
        "if player == 0:",
    ),
    (
        "boltzmann",
        "I divided only the best value by the temperature: brackets forgotten",
        "np.exp((values[legal] - best) / temperature)",
        "np.exp(values[legal] - best / temperature)",
    ),
    (
        "boltzmann",
        "I gave back the short list of the legal moves",
        "    return weights / weights.sum()",
        "    return weights[legal] / weights.sum()",
    ),
    (
        "clip_legal",
        "I thought that clipping already puts the illegal moves right and left the line out",
        "    kept[~legal] = 0.0\n",
        "",
    ),
    (
        "clip_legal",
        "I put the illegal moves back to 0 after the last division",
        "    kept[~legal] = 0.0\n    return kept / kept.sum(axis=1, keepdims=True)",
        "    kept = kept / kept.sum(axis=1, keepdims=True)\n    kept[~legal] = 0.0\n    return kept",
    ),
    (
        "clip_legal",
        "I believed that after clipping the sums are still 1",
        "    return kept / kept.sum(axis=1, keepdims=True)",
        "    return kept",
    ),
    (
        "draft",
        "I took out one ticket of the player who was drawn, not all of them",
        "left[player] = 0.0",
        "left[player] -= 1.0",
    ),
    (
        "draft",
        "I seeded a generator of my own for every draft, so that all drafts are the same",
        "        left = tickets.astype(float)\n        order = []\n",
        "        left = tickets.astype(float)\n        order = []\n        rng = np.random.default_rng(0)\n",
    ),
    (
        "draft",
        "everybody with a ticket had the same chance",
        "p=left / left.sum()",
        "p=(left > 0) / (left > 0).sum()",
    ),
    (
        "draft",
        "I sorted the players of a draft",
        "orders.append(order)",
        "orders.append(sorted(order))",
    ),
    (
        "box_returns",
        "I turned the sign at every move, as in tic-tac-toe",
        "if t + 1 < len(mover) and mover[t + 1] != mover[t]:",
        "if t + 1 < len(mover):",
    ),
    (
        "box_returns",
        "I compared with the move before instead of the next one",
        "if t + 1 < len(mover) and mover[t + 1] != mover[t]:",
        "if t > 0 and mover[t - 1] != mover[t]:",
    ),
    (
        "box_returns",
        "I discounted the boxes of the move itself as well",
        "following = boxes[t] + gamma * following",
        "following = gamma * (boxes[t] + following)",
    ),
)
