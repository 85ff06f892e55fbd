"""Slips of a writer who knew only the text of sheet 06."""

ANSWERS = {
    "torus_areas": """import numpy as np


def torus_areas(board):
    board = np.asarray(board)
    H, W = board.shape
    areas = [int((board == c).sum()) for c in (1, 2, 3)]
    seen = np.zeros((H, W), bool)
    for r0 in range(H):
        for c0 in range(W):
            if board[r0, c0] != 0 or seen[r0, c0]:
                continue
            stack, points, touching = [(r0, c0)], 0, set()
            seen[r0, c0] = True
            while stack:
                r, c = stack.pop()
                points += 1
                for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    rr, cc = (r + dr) % H, (c + dc) % W
                    if board[rr, cc] != 0:
                        touching.add(int(board[rr, cc]))
                    elif not seen[rr, cc]:
                        seen[rr, cc] = True
                        stack.append((rr, cc))
            if len(touching) == 1:
                areas[touching.pop() - 1] += points
    return np.array(areas)
""",
    "ring_moves": """def ring_moves(size, moves):
    def chain_of(board, point):
        colour = board[point]
        chain, todo = {point}, [point]
        while todo:
            p = todo.pop()
            for q in ((p + 1) % size, (p - 1) % size):
                if board[q] == colour and q not in chain:
                    chain.add(q)
                    todo.append(q)
        return chain

    def has_liberty(board, chain):
        return any(board[(p + d) % size] == 0 for p in chain for d in (1, -1))

    def put(board, point, colour):
        after = list(board)
        after[point] = colour
        for q in ((point + 1) % size, (point - 1) % size):
            if after[q] == -colour:
                chain = chain_of(after, q)
                if not has_liberty(after, chain):
                    for p in chain:
                        after[p] = 0
        return tuple(after)

    board = (0,) * size
    history = [board]
    colour = 1
    for move in moves:
        if move >= 0:
            board = put(board, move, colour)
        history.append(board)
        colour = -colour

    allowed = []
    for point in range(size):
        if board[point] != 0:
            continue
        after = put(board, point, colour)
        if not has_liberty(after, chain_of(after, point)):
            continue
        if after in history:
            continue
        allowed.append(point)
    return allowed
""",
    "league_returns": """import numpy as np


def league_returns(agent, game, seats, areas, resigned, gamma):
    seats, areas, resigned = np.asarray(seats), np.asarray(areas), np.asarray(resigned, bool)
    area = np.where(resigned, -1, areas)
    best = area == area.max(axis=1, keepdims=True)
    reward = np.where(best, 3 / best.sum(axis=1, keepdims=True), 0.0) - 1
    returns = np.zeros(len(agent))
    following = {}
    for t in reversed(range(len(agent))):
        a, g = int(agent[t]), int(game[t])
        if (a, g) in following:
            value = gamma * following[a, g]
        else:
            colour = int(np.flatnonzero(seats[g] == a)[0])
            value = reward[g, colour]
        following[a, g] = value
        returns[t] = value
    return returns
""",
    "surrogate_gradient": """import numpy as np


def surrogate_gradient(logits, legal, state, action, advantage, log_prob, bound):
    rows = np.arange(len(state))
    z = np.where(legal, logits, -np.inf)[state]
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    ratio = p[rows, action] / np.exp(log_prob)
    counts = np.where(advantage > 0, ratio < 1 + bound, ratio > 1 - bound)
    push = -p
    push[rows, action] += 1
    push *= (counts * ratio * advantage)[:, None] / len(state)
    gradient = np.zeros(logits.shape)
    np.add.at(gradient, state, push)
    return gradient
""",
    "two_stones": """import numpy as np


def two_stones(p, cells, n, clip, rng):
    q = np.clip(np.asarray(p, float), clip, 1 - clip)
    q = q / q.sum()

    def welcome(board):
        mine = board == 1
        eye = np.roll(mine, 1) & np.roll(mine, -1)
        return (board == 0) & ~eye

    def draw(board):
        ok = welcome(board)
        if not ok.any():
            return -1
        weights = np.where(ok, q, 0.0)
        return int(rng.choice(len(q), p=weights / weights.sum()))

    pairs = []
    for _ in range(n):
        board = np.array(cells)
        one = draw(board)
        if one < 0:
            pairs.append([-1, -1])
            continue
        board[one] = 1
        two = draw(board)
        pairs.append([one, two])
    return np.array(pairs, int).reshape(n, 2)
""",
}
SLIPS = [
    (
        "torus_areas",
        "A region that touches two colours is shared territory, so its points count for every colour beside it.",
        """            if len(touching) == 1:
                areas[touching.pop() - 1] += points
""",
        """            for colour in touching:
                areas[colour - 1] += points
""",
    ),
    (
        "torus_areas",
        "An empty point belongs to a colour if the stones directly beside this point are all of that colour; I looked at points, not regions.",
        """                    elif not seen[rr, cc]:
                        seen[rr, cc] = True
                        stack.append((rr, cc))
""",
        "",
    ),
    (
        "ring_moves",
        "Ko as I know it: you must not make the board that was there before the other player's last move.",
        "        if after in history:\n",
        "        if len(history) > 1 and after == history[-2]:\n",
    ),
    (
        "ring_moves",
        "Superko is about positions, and a position is the board together with who is to move.",
        "        if after in history:\n",
        "        if after in history[(len(moves) + 1) % 2 :: 2]:\n",
    ),
    (
        "ring_moves",
        "A pass is no move, so it does not change whose turn it is.",
        """            board = put(board, move, colour)
        history.append(board)
        colour = -colour
""",
        """            board = put(board, move, colour)
            history.append(board)
            colour = -colour
""",
    ),
    (
        "league_returns",
        "seats[g, a] is the seat (colour) of agent a in game g.",
        "            colour = int(np.flatnonzero(seats[g] == a)[0])\n",
        "            colour = int(seats[g, a])\n",
    ),
    (
        "league_returns",
        "Who resigned has no area any more, so I set it to 0.",
        "    area = np.where(resigned, -1, areas)\n",
        "    area = np.where(resigned, 0, areas)\n",
    ),
    (
        "league_returns",
        "Discounting goes by the decisions of the game, whoever made them.",
        """        if (a, g) in following:
            value = gamma * following[a, g]
        else:
            colour = int(np.flatnonzero(seats[g] == a)[0])
            value = reward[g, colour]
        following[a, g] = value
""",
        """        colour = int(np.flatnonzero(seats[g] == a)[0])
        value = gamma ** following.get(g, 0) * reward[g, colour]
        following[g] = following.get(g, 0) + 1
""",
    ),
    (
        "league_returns",
        "Resigning costs the resigned player the pot, but the most area is the most area of all three, so nobody wins if they had it.",
        """    area = np.where(resigned, -1, areas)
    best = area == area.max(axis=1, keepdims=True)
    reward = np.where(best, 3 / best.sum(axis=1, keepdims=True), 0.0) - 1
""",
        """    best = (areas == areas.max(axis=1, keepdims=True)) & ~resigned
    reward = np.where(best, 3 / np.maximum(1, best.sum(axis=1, keepdims=True)), 0.0) - 1
""",
    ),
    (
        "surrogate_gradient",
        "The upper bound stops the good moves and the bad ones alike; below 1 - c everything counts, because the minimum is then the unclipped number.",
        "    counts = np.where(advantage > 0, ratio < 1 + bound, ratio > 1 - bound)\n",
        "    counts = ratio < 1 + bound\n",
    ),
    (
        "surrogate_gradient",
        "An illegal move has the logit 0, I thought; then its exponential vanishes.",
        """    z = np.where(legal, logits, -np.inf)[state]
""",
        """    z = np.where(legal, logits, 0)[state]
""",
    ),
    (
        "surrogate_gradient",
        "It is a mean, so the decisions that were clipped away should not be in the number I divide by.",
        "    push *= (counts * ratio * advantage)[:, None] / len(state)\n",
        "    push *= (counts * ratio * advantage)[:, None] / max(1, counts.sum())\n",
    ),
    (
        "two_stones",
        "The second in the ranking gets the second stone; if it has become an eye by then, that stone is not played.",
        """        board[one] = 1
        two = draw(board)
""",
        """        old = board.copy()
        board[one] = 1
        old[one] = 2
        two = draw(old)
        if two >= 0 and not welcome(board)[two]:
            two = -1
""",
    ),
    (
        "two_stones",
        "First forget the points that are not welcome and normalise, then clip the rest.",
        """        weights = np.where(ok, q, 0.0)
""",
        """        weights = np.where(ok, p, 0.0)
        weights = weights / max(weights.sum(), 1e-12)
        weights = np.where(ok, np.clip(weights, clip, 1 - clip), 0.0)
""",
    ),
    (
        "two_stones",
        "An eye is an empty point between two stones of one colour, whoever owns them; the other's eye is left alone too.",
        """        mine = board == 1
        eye = np.roll(mine, 1) & np.roll(mine, -1)
""",
        """        left, right = np.roll(board, 1), np.roll(board, -1)
        eye = (left == right) & (left != 0)
""",
    ),
]
