"""Slips of a writer who knew only the text of sheet 06."""

ANSWERS = {
    "torus_areas": """import numpy as np


def torus_areas(board):
    board = np.asarray(board)
    H, W = board.shape
    areas = [int((board == colour).sum()) for colour in (1, 2, 3)]
    seen = set()
    for row in range(H):
        for column in range(W):
            if board[row, column] != 0 or (row, column) in seen:
                continue
            todo, size, beside = [(row, column)], 0, []
            seen.add((row, column))
            while todo:
                y, x = todo.pop()
                size += 1
                for a, b in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                    a, b = a % H, b % W
                    if board[a, b] != 0:
                        beside.append(int(board[a, b]))
                    elif (a, b) not in seen:
                        seen.add((a, b))
                        todo.append((a, b))
            if len(set(beside)) == 1:
                areas[beside[0] - 1] += size
    return np.array(areas)
""",
    "ring_moves": """def chain_of(board, point):
    size = len(board)
    chain, liberties, todo = {point}, set(), [point]
    while todo:
        p = todo.pop()
        for q in ((p + 1) % size, (p - 1) % size):
            if board[q] == 0:
                liberties.add(q)
            elif board[q] == board[point] and q not in chain:
                chain.add(q)
                todo.append(q)
    return chain, liberties


def put(board, point, colour):
    after = list(board)
    after[point] = colour
    for q in range(len(after)):
        if after[q] == 3 - colour:
            chain, liberties = chain_of(after, q)
            if not liberties:
                for p in chain:
                    after[p] = 0
    return tuple(after)


def ring_moves(size, moves):
    board, colour = (0,) * size, 1
    earlier = [board]
    for move in moves:
        if move >= 0:
            board = put(board, move, colour)
        earlier.append(board)
        colour = 3 - colour
    found = []
    for point in range(size):
        if board[point] != 0:
            continue
        after = put(board, point, colour)
        if not chain_of(after, point)[1]:
            continue
        if after in earlier:
            continue
        found.append(point)
    return found
""",
    "league_returns": """import numpy as np


def league_returns(agent, game, seats, areas, resigned, gamma):
    seats, resigned = np.asarray(seats), np.asarray(resigned, bool)
    counted = np.where(resigned, -1, areas)
    best = counted == counted.max(axis=1, keepdims=True)
    winner = best & ~resigned
    reward = 3 * winner / np.maximum(1, winner.sum(axis=1, keepdims=True)) - 1
    out, after = np.zeros(len(agent)), {}
    for t in range(len(agent) - 1, -1, -1):
        key = (int(agent[t]), int(game[t]))
        if key in after:
            after[key] = gamma * after[key]
        else:
            colour = seats[key[1]].tolist().index(key[0])
            after[key] = reward[key[1], colour]
        out[t] = after[key]
    return out
""",
    "surrogate_gradient": """import numpy as np


def surrogate_gradient(logits, legal, state, action, advantage, log_prob, bound):
    allowed = np.asarray(legal, bool)[state]
    x = np.where(allowed, np.asarray(logits, float)[state], -np.inf)
    p = np.exp(x - x.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    rows = np.arange(len(state))
    ratio = p[rows, action] / np.exp(log_prob)
    clipped = ((advantage > 0) & (ratio > 1 + bound)) | ((advantage < 0) & (ratio < 1 - bound))
    push = -p
    push[rows, action] += 1
    push *= (~clipped * ratio * advantage)[:, None] / len(state)
    gradient = np.zeros(np.shape(logits))
    np.add.at(gradient, state, push)
    return gradient
""",
    "two_stones": """import numpy as np


def welcome(cells):
    own = cells == 1
    eye = np.roll(own, 1) & np.roll(own, -1)
    return (cells == 0) & ~eye


def two_stones(p, cells, n, clip, rng):
    cells = np.array(cells)
    weights = np.clip(np.asarray(p, float), clip, 1 - clip)
    weights = weights / weights.sum()
    out = np.full((n, 2), -1)
    for i in range(n):
        board = cells.copy()
        for k in range(2):
            ok = welcome(board)
            if not ok.any():
                break
            w = np.where(ok, weights, 0.0)
            point = int(rng.choice(len(cells), p=w / w.sum()))
            out[i, k] = point
            board[point] = 1
    return out
""",
}
SLIPS = [
    (
        "torus_areas",
        "I looked at each empty point alone: if all stones among its four neighbours "
        "are of one colour it counts for that colour.",
        "            if len(set(beside)) == 1:\n"
        "                areas[beside[0] - 1] += size\n"
        "    return np.array(areas)",
        "    for row in range(H):\n"
        "        for column in range(W):\n"
        "            if board[row, column] == 0:\n"
        "                around = {int(board[(row + a) % H, (column + b) % W]) for "
        "a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))} - {0}\n"
        "                if len(around) == 1:\n"
        "                    areas[around.pop() - 1] += 1\n"
        "    return np.array(areas)",
    ),
    (
        "torus_areas",
        "Joined the left and the right edge only: a region does not go over the top.",
        "                    a, b = a % H, b % W\n",
        "                    if not 0 <= a < H:\n"
        "                        continue\n"
        "                    b = b % W\n",
    ),
    (
        "torus_areas",
        "The region goes to the colour that has most stones beside it.",
        "            if len(set(beside)) == 1:\n                areas[beside[0] - 1] += size",
        "            if beside:\n"
        "                areas[max(sorted(set(beside)), key=beside.count) - 1] += size",
    ),
    (
        "ring_moves",
        "A pass is no move on the board, so I skipped it and did not change the turn.",
        "        if move >= 0:\n            board = put(board, move, colour)\n",
        "        if move < 0:\n            continue\n        board = put(board, move, colour)\n",
    ),
    (
        "ring_moves",
        "Asked for the liberties of the new stone before taking the captured stones off.",
        "        if not chain_of(after, point)[1]:",
        "        before = list(board)\n"
        "        before[point] = colour\n"
        "        if not chain_of(before, point)[1]:",
    ),
    (
        "ring_moves",
        "Ordinary ko: only the board before the opponent's last move may not come back.",
        "if after in earlier:",
        "if after in earlier[-2:-1]:",
    ),
    (
        "league_returns",
        "Looked up seats[g, agent] as the colour of the agent (it is the other way round).",
        "colour = seats[key[1]].tolist().index(key[0])",
        "colour = seats[key[1], key[0]]",
    ),
    (
        "league_returns",
        "The colour with the most area wins, but who has resigned cannot: then "
        "nobody gets the pot.",
        "counted = np.where(resigned, -1, areas)",
        "counted = np.asarray(areas)",
    ),
    (
        "league_returns",
        "Discounted by every later decision in the game, whoever made it.",
        "    for t in range(len(agent) - 1, -1, -1):\n"
        "        key = (int(agent[t]), int(game[t]))\n"
        "        if key in after:\n"
        "            after[key] = gamma * after[key]\n"
        "        else:\n"
        "            colour = seats[key[1]].tolist().index(key[0])\n"
        "            after[key] = reward[key[1], colour]\n"
        "        out[t] = after[key]",
        "    for t in range(len(agent) - 1, -1, -1):\n"
        "        g = int(game[t])\n"
        "        colour = seats[g].tolist().index(int(agent[t]))\n"
        "        out[t] = reward[g, colour] * gamma ** after.get(g, 0)\n"
        "        after[g] = after.get(g, 0) + 1",
    ),
    (
        "surrogate_gradient",
        "Put the gradient at illegal moves to 0, but let them keep their share of the softmax.",
        "    x = np.where(allowed, np.asarray(logits, float)[state], -np.inf)\n"
        "    p = np.exp(x - x.max(axis=1, keepdims=True))\n"
        "    p /= p.sum(axis=1, keepdims=True)\n",
        "    x = np.asarray(logits, float)[state]\n"
        "    p = np.exp(x - x.max(axis=1, keepdims=True))\n"
        "    p /= p.sum(axis=1, keepdims=True)\n"
        "    p = np.where(allowed, p, 0.0)\n",
    ),
    (
        "surrogate_gradient",
        "The mean: each state's gradient is the mean over the decisions in that state.",
        "    push *= (~clipped * ratio * advantage)[:, None] / len(state)",
        "    often = np.bincount(state, minlength=len(logits))[state]\n"
        "    push *= (~clipped * ratio * advantage / often)[:, None]",
    ),
    (
        "surrogate_gradient",
        "min picks the clipped number whenever the ratio is above 1 + c; below 1 - c "
        "I thought the plain number is always the smaller one.",
        "clipped = ((advantage > 0) & (ratio > 1 + bound)) | ((advantage < 0) & "
        "(ratio < 1 - bound))",
        "clipped = ratio > 1 + bound",
    ),
    (
        "two_stones",
        "The second stone is the second welcome point of the ranking; I did not ask "
        "again after the first stone.",
        "            ok = welcome(board)\n",
        "            ok = welcome(cells) & (board == 0)\n",
    ),
    (
        "two_stones",
        "Took out the unwelcome points first, made the sum 1 and clipped then (as a "
        "clip of legal moves goes).",
        "            w = np.where(ok, weights, 0.0)\n",
        "            w = np.where(ok, p, 0.0)\n"
        "            w = w / w.sum() if w.sum() > 0 else w\n"
        "            w = np.where(ok, np.clip(w, clip, 1 - clip), 0.0)\n",
    ),
    (
        "two_stones",
        "The neighbours of the first and the last point: I took what is outside the "
        "list for no stone, so there is no eye over the joint.",
        "    eye = np.roll(own, 1) & np.roll(own, -1)\n",
        "    eye = np.append(False, own[:-1]) & np.append(own[1:], False)\n",
    ),
]
