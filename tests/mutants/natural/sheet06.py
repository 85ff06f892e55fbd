"""Slips of a writer who knew only the text of sheet 06."""

ANSWERS = {
    "torus_areas": """import numpy as np


def torus_areas(board):
    board = np.asarray(board)
    H, W = board.shape
    areas = np.array([np.sum(board == c) for c in (1, 2, 3)])
    seen = np.zeros((H, W), dtype=bool)
    for row in range(H):
        for col in range(W):
            if board[row, col] != 0 or seen[row, col]:
                continue
            todo = [(row, col)]
            seen[row, col] = True
            colours = set()
            size = 0
            while todo:
                r, c = todo.pop()
                size += 1
                for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    rr, cc = (r + dr) % H, (c + dc) % W
                    if board[rr, cc] != 0:
                        colours.add(int(board[rr, cc]))
                    elif not seen[rr, cc]:
                        seen[rr, cc] = True
                        todo.append((rr, cc))
            if len(colours) == 1:
                areas[colours.pop() - 1] += size
    return areas
""",
    "ring_moves": """def ring_moves(size, moves):
    def chain(board, point):
        members = {point}
        liberties = set()
        for step in (1, -1):
            at = (point + step) % size
            while board[at] == board[point] and at not in members:
                members.add(at)
                at = (at + step) % size
            if board[at] == 0:
                liberties.add(at)
        return members, liberties

    def put(board, point, colour):
        board = list(board)
        board[point] = colour
        for step in (1, -1):
            neighbour = (point + step) % size
            if board[neighbour] == 3 - colour:
                members, liberties = chain(board, neighbour)
                if not liberties:
                    for m in members:
                        board[m] = 0
        return tuple(board)

    board = (0,) * size
    history = [board]
    colour = 1
    for move in moves:
        if move != -1:
            board = put(board, move, colour)
            history.append(board)
        colour = 3 - colour
    result = []
    for point in range(size):
        if board[point] != 0:
            continue
        after = put(board, point, colour)
        if not chain(after, point)[1]:
            continue
        if after in history:
            continue
        result.append(point)
    return result
""",
    "league_returns": """import numpy as np


def league_returns(agent, game, seats, areas, resigned, gamma):
    G = len(seats)
    reward = np.full((G, 3), -1.0)
    for g in range(G):
        a = np.where(resigned[g], -1, areas[g])
        winners = np.flatnonzero((a == a.max()) & ~np.asarray(resigned[g], bool))
        for c in winners:
            reward[g, c] = 3 / len(winners) - 1
    returns = np.zeros(len(agent))
    later = {}
    for t in range(len(agent) - 1, -1, -1):
        key = (int(agent[t]), int(game[t]))
        if key in later:
            later[key] *= gamma
        else:
            colour = list(seats[game[t]]).index(agent[t])
            later[key] = reward[game[t], colour]
        returns[t] = later[key]
    return returns
""",
    "surrogate_gradient": """import numpy as np


def surrogate_gradient(logits, legal, state, action, advantage, log_prob, bound):
    weights = np.where(legal, np.exp(logits), 0.0)
    p = weights / weights.sum(axis=1, keepdims=True)
    p = p[state]
    B = len(state)
    rows = np.arange(B)
    ratio = p[rows, action] / np.exp(log_prob)
    clipped = ((advantage > 0) & (ratio > 1 + bound)) | ((advantage < 0) & (ratio < 1 - bound))
    factor = np.where(clipped, 0.0, ratio * advantage) / B
    push = -p
    push[rows, action] += 1
    gradient = np.zeros(logits.shape)
    np.add.at(gradient, state, push * factor[:, None])
    return gradient
""",
    "two_stones": """import numpy as np


def welcome(cells):
    left = np.roll(cells, 1)
    right = np.roll(cells, -1)
    eye = (left == 1) & (right == 1)
    return (cells == 0) & ~eye


def two_stones(p, cells, n, clip, rng):
    P = len(p)
    q = np.clip(p, clip, 1 - clip)
    q = q / q.sum()
    pairs = np.full((n, 2), -1)
    for i in range(n):
        board = np.array(cells)
        for stone in range(2):
            good = welcome(board)
            if not good.any():
                break
            weights = np.where(good, q, 0)
            point = rng.choice(P, p=weights / weights.sum())
            pairs[i, stone] = point
            board[point] = 1
    return pairs
""",
}
# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "torus_areas",
        "gave a region to its only colour for one point, not for all its points",
        "areas[colours.pop() - 1] += size",
        "areas[colours.pop() - 1] += 1",
    ),
    (
        "torus_areas",
        "mixed up the height and the width when going round",
        "rr, cc = (r + dr) % H, (c + dc) % W",
        "rr, cc = (r + dr) % W, (c + dc) % H",
    ),
    (
        "torus_areas",
        "treated an empty board as if somebody must own it and a neutral region as everybody's",
        """            if len(colours) == 1:
                areas[colours.pop() - 1] += size""",
        """            for colour in colours:
                areas[colour - 1] += size""",
    ),
    (
        "ring_moves",
        "kept only the last two boards, as for simple ko",
        "        if after in history:",
        "        if after in history[-2:]:",
    ),
    (
        "ring_moves",
        "did not change sides after a pass",
        """            history.append(board)
        colour = 3 - colour""",
        """            history.append(board)
            colour = 3 - colour""",
    ),
    (
        "ring_moves",
        "looked only at the two neighbouring points, not at the chain",
        "            while board[at] == board[point] and at not in members:",
        "            while False:",
    ),
    (
        "ring_moves",
        "forgot that suicide is not allowed",
        """        if not chain(after, point)[1]:
            continue
""",
        "",
    ),
    (
        "league_returns",
        "used the agent's number as the colour",
        "colour = list(seats[game[t]]).index(agent[t])",
        "colour = agent[t]",
    ),
    (
        "league_returns",
        "gave everybody with the most area the full win",
        "reward[g, c] = 3 / len(winners) - 1",
        "reward[g, c] = 2",
    ),
    (
        "league_returns",
        "took the winner by area first, so that a resigned player's area still counts",
        "a = np.where(resigned[g], -1, areas[g])",
        "a = np.asarray(areas[g])",
    ),
    (
        "surrogate_gradient",
        "wrote the two conditions of the clip for positive advantages only",
        "clipped = ((advantage > 0) & (ratio > 1 + bound)) | ((advantage < 0) & (ratio < 1 - bound))",
        "clipped = (advantage > 0) & (ratio > 1 + bound)",
    ),
    (
        "surrogate_gradient",
        "forgot that the gradient of the ratio has the ratio as a factor",
        "np.where(clipped, 0.0, ratio * advantage) / B",
        "np.where(clipped, 0.0, advantage) / B",
    ),
    (
        "surrogate_gradient",
        "set the logits of illegal moves to 0 in place of minus infinity",
        "weights = np.where(legal, np.exp(logits), 0.0)",
        "weights = np.exp(np.where(legal, logits, 0.0))",
    ),
    (
        "two_stones",
        "worked out the welcome points once, before the first stone, and only took the point out",
        "            good = welcome(board)",
        "            good = welcome(np.array(cells)) & (board == 0)",
    ),
    (
        "two_stones",
        "clipped from below only",
        "q = np.clip(p, clip, 1 - clip)",
        "q = np.maximum(p, clip)",
    ),
)
