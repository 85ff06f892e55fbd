"""Slips of a writer who knew only the text of sheet 06."""

ANSWERS = {
    "torus_areas": """import numpy as np


def torus_areas(board):
    board = np.asarray(board)
    H, W = board.shape
    areas = np.zeros(3, int)
    for colour in (1, 2, 3):
        areas[colour - 1] = (board == colour).sum()
    seen = set()
    for i in range(H):
        for j in range(W):
            if board[i, j] != 0 or (i, j) in seen:
                continue
            seen.add((i, j))
            todo = [(i, j)]
            size = 0
            touched = set()
            while todo:
                r, c = todo.pop()
                size += 1
                for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    n = ((r + dr) % H, (c + dc) % W)
                    if board[n] != 0:
                        touched.add(int(board[n]))
                    elif n not in seen:
                        seen.add(n)
                        todo.append(n)
            if len(touched) == 1:
                areas[touched.pop() - 1] += size
    return areas
""",
    "ring_moves": """def chain_at(board, point):
    size = len(board)
    colour = board[point]
    chain = {point}
    free = set()
    for d in (1, -1):
        k = (point + d) % size
        while board[k] == colour and k not in chain:
            chain.add(k)
            k = (k + d) % size
        if board[k] == 0:
            free.add(k)
    return chain, free


def put(board, point, colour):
    new = list(board)
    size = len(new)
    new[point] = colour
    for n in ((point - 1) % size, (point + 1) % size):
        if new[n] == 3 - colour:
            chain, free = chain_at(new, n)
            if not free:
                for k in chain:
                    new[k] = 0
    return tuple(new)


def ring_moves(size, moves):
    board = (0,) * size
    history = [board]
    colour = 1
    for move in moves:
        if move != -1:
            board = put(board, move, colour)
        history.append(board)
        colour = 3 - colour
    good = []
    for point in range(size):
        if board[point] != 0:
            continue
        after = put(board, point, colour)
        if not chain_at(after, point)[1]:
            continue
        if after in history:
            continue
        good.append(point)
    return good
""",
    "league_returns": """import numpy as np


def league_returns(agent, game, seats, areas, resigned, gamma):
    seats = np.asarray(seats)
    areas = np.asarray(areas)
    resigned = np.asarray(resigned, bool)
    score = np.where(resigned, -1, areas)
    best = score == score.max(axis=1, keepdims=True)
    reward = best * 3.0 / best.sum(axis=1, keepdims=True) - 1
    returns = np.zeros(len(agent))
    running = {}
    for t in range(len(agent) - 1, -1, -1):
        key = (agent[t], game[t])
        if key in running:
            running[key] *= gamma
        else:
            colour = int(np.flatnonzero(seats[game[t]] == agent[t])[0])
            running[key] = reward[game[t], colour]
        returns[t] = running[key]
    return returns
""",
    "surrogate_gradient": """import numpy as np


def surrogate_gradient(logits, legal, state, action, advantage, log_prob, bound):
    logits = np.asarray(logits, float)
    state = np.asarray(state)
    masked = np.where(legal, logits, -np.inf)[state]
    p = np.exp(masked - masked.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    rows = np.arange(len(state))
    ratio = p[rows, action] / np.exp(log_prob)
    advantage = np.asarray(advantage, float)
    flat = ((advantage > 0) & (ratio > 1 + bound)) | ((advantage < 0) & (ratio < 1 - bound))
    push = -p
    push[rows, action] += 1
    push *= (~flat * ratio * advantage)[:, None] / len(state)
    gradient = np.zeros(logits.shape)
    np.add.at(gradient, state, push)
    return gradient
""",
    "two_stones": """import numpy as np


def welcome(cells):
    eye = (np.roll(cells, 1) == 1) & (np.roll(cells, -1) == 1)
    return (cells == 0) & ~eye


def two_stones(p, cells, n, clip, rng):
    q = np.clip(np.asarray(p, float), clip, 1 - clip)
    q = q / q.sum()
    pairs = []
    for _ in range(n):
        board = np.array(cells)
        pair = []
        for _ in range(2):
            w = np.where(welcome(board), q, 0.0)
            if w.sum() == 0:
                pair.append(-1)
                continue
            point = int(rng.choice(len(q), p=w / w.sum()))
            board[point] = 1
            pair.append(point)
        pairs.append(pair)
    return np.array(pairs, dtype=int).reshape(n, 2)
""",
}
SLIPS = [
    (
        "torus_areas",
        "only the left and right edges are joined, top and bottom are not beside each other",
        "                    n = ((r + dr) % H, (c + dc) % W)\n",
        "                    n = (r + dr, (c + dc) % W)\n                    if not 0 <= n[0] < H:\n                        continue\n",
    ),
    (
        "torus_areas",
        "a region beside one colour is that colour's, one beside two goes to the colour with the most stones",
        "            if len(touched) == 1:\n                areas[touched.pop() - 1] += size\n",
        "            if touched:\n                areas[max(touched, key=lambda k: (board == k).sum()) - 1] += size\n",
    ),
    (
        "ring_moves",
        "ko forbids only the board that was there one move ago",
        "        if after in history:\n",
        "        if len(history) > 1 and after == history[-2]:\n",
    ),
    (
        "ring_moves",
        "a position is the board and the player to move, so only boards with the same player to move count",
        "        if after in history:\n",
        "        if after in history[(len(moves) + 1) % 2 :: 2]:\n",
    ),
    (
        "ring_moves",
        "no suicide: the new stone must have a liberty before anything is captured",
        "        if not chain_at(after, point)[1]:\n",
        "        before = list(board)\n        before[point] = colour\n        if not chain_at(before, point)[1]:\n",
    ),
    (
        "league_returns",
        "seats[g, agent] gives the colour of the agent",
        "int(np.flatnonzero(seats[game[t]] == agent[t])[0])",
        "int(seats[game[t], agent[t]])",
    ),
    (
        "league_returns",
        "an agent who resigned with the largest area loses, and then nobody gets the pot",
        "score = np.where(resigned, -1, areas)\n    best = score == score.max(axis=1, keepdims=True)\n    reward = best * 3.0 / best.sum(axis=1, keepdims=True) - 1\n",
        "best = areas == areas.max(axis=1, keepdims=True)\n    best = best & ~resigned\n    reward = best * 3.0 / np.maximum(best.sum(axis=1, keepdims=True), 1) - 1\n",
    ),
    (
        "league_returns",
        "the last rows of the log end the game, so all decisions of the game count for the discount",
        "        key = (agent[t], game[t])\n        if key in running:\n            running[key] *= gamma\n        else:\n            colour = int(np.flatnonzero(seats[game[t]] == agent[t])[0])\n            running[key] = reward[game[t], colour]\n        returns[t] = running[key]\n",
        "        later = int(np.sum(np.asarray(game[t + 1 :]) == game[t]))\n        colour = int(np.flatnonzero(seats[game[t]] == agent[t])[0])\n        returns[t] = gamma**later * reward[game[t], colour]\n",
    ),
    (
        "league_returns",
        "an agent has one collector, so the discount goes over all their decisions in all games after this one",
        "        key = (agent[t], game[t])\n        if key in running:\n            running[key] *= gamma\n        else:\n            colour = int(np.flatnonzero(seats[game[t]] == agent[t])[0])\n            running[key] = reward[game[t], colour]\n        returns[t] = running[key]\n",
        "        later = int(np.sum(np.asarray(agent[t + 1 :]) == agent[t]))\n        colour = int(np.flatnonzero(seats[game[t]] == agent[t])[0])\n        returns[t] = gamma**later * reward[game[t], colour]\n",
    ),
    (
        "league_returns",
        "a resigned player has area 0",
        "np.where(resigned, -1, areas)",
        "np.where(resigned, 0, areas)",
    ),
    (
        "surrogate_gradient",
        "clipping stops the gradient on both sides, with the sign of the advantage only for the upper bound",
        "((advantage < 0) & (ratio < 1 - bound))",
        "(ratio < 1 - bound)",
    ),
    (
        "two_stones",
        "the distribution is made of the welcome points first, then it is clipped",
        "w = np.where(welcome(board), q, 0.0)",
        "w = np.where(welcome(board), p, 0.0)\n            w = np.where(welcome(board), np.clip(w / max(w.sum(), 1e-300), clip, 1 - clip), 0.0)",
    ),
    (
        "two_stones",
        "the second stone is the next welcome point of the old board, eyes are not looked at again",
        "            w = np.where(welcome(board), q, 0.0)\n",
        "            w = np.where(welcome(np.asarray(cells)) & (board == 0), q, 0.0)\n",
    ),
    (
        "two_stones",
        "the second point of the ranking is looked at; if it is not welcome the stone is not played",
        "            if w.sum() == 0:\n                pair.append(-1)\n                continue\n            point = int(rng.choice(len(q), p=w / w.sum()))\n",
        "            if pair:\n                w = np.where(np.arange(len(q)) == pair[0], 0.0, np.where(welcome(np.asarray(cells)), q, 0.0))\n            if w.sum() == 0:\n                pair.append(-1)\n                continue\n            point = int(rng.choice(len(q), p=w / w.sum()))\n            if not welcome(board)[point]:\n                pair.append(-1)\n                continue\n",
    ),
    (
        "two_stones",
        "clip keeps zeros at zero, because a probability of 0 means not allowed",
        "q = q / q.sum()",
        "q[np.asarray(p) == 0] = 0.0\n    q = q / q.sum()",
    ),
]
