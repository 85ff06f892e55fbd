"""Slips of a writer who knew only the text of sheet 06."""

ANSWERS = {
    "torus_areas": """import numpy as np


def torus_areas(board):
    board = np.asarray(board)
    H, W = board.shape
    areas = np.array([(board == colour).sum() for colour in (1, 2, 3)])
    seen = np.zeros((H, W), dtype=bool)
    for row in range(H):
        for column in range(W):
            if board[row, column] != 0 or seen[row, column]:
                continue
            seen[row, column] = True
            todo, size, colours = [(row, column)], 0, set()
            while todo:
                r, c = todo.pop()
                size += 1
                for near in (((r + 1) % H, c), ((r - 1) % H, c), (r, (c + 1) % W), (r, (c - 1) % W)):
                    if board[near] != 0:
                        colours.add(int(board[near]))
                    elif not seen[near]:
                        seen[near] = True
                        todo.append(near)
            for colour in (1, 2, 3):
                if colours == {colour}:
                    areas[colour - 1] += size
    return areas
""",
    "ring_moves": """def chain(board, point):
    stones, free = [point], False
    for step in (1, -1):
        q = (point + step) % len(board)
        while board[q] == board[point] and q not in stones:
            stones.append(q)
            q = (q + step) % len(board)
        if board[q] == 0:
            free = True
    return stones, free


def put(board, point, colour):
    board = list(board)
    board[point] = colour
    for q in ((point + 1) % len(board), (point - 1) % len(board)):
        if board[q] == 3 - colour:
            stones, free = chain(board, q)
            if not free:
                for stone in stones:
                    board[stone] = 0
    return tuple(board)


def ring_moves(size, moves):
    board = (0,) * size
    earlier = [board]
    colour = 1
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
        if not chain(after, point)[1]:
            continue
        if after in earlier:
            continue
        found.append(point)
    return found
""",
    "league_returns": """import numpy as np


def league_returns(agent, game, seats, areas, resigned, gamma):
    seats = np.asarray(seats)
    left = np.where(resigned, -1, areas)
    best = left == left.max(axis=1, keepdims=True)
    share = 3 / best.sum(axis=1, keepdims=True)
    reward = np.where(best, share - 1, -1.0)
    T = len(agent)
    returns = np.zeros(T)
    following = {}
    for t in range(T - 1, -1, -1):
        who, g = int(agent[t]), int(game[t])
        key = (who, g)
        if key in following:
            returns[t] = gamma * following[key]
        else:
            colour = list(seats[g]).index(who)
            returns[t] = reward[g, colour]
        following[key] = returns[t]
    return returns
""",
    "surrogate_gradient": """import numpy as np


def surrogate_gradient(logits, legal, state, action, advantage, log_prob, bound):
    logits, legal = np.asarray(logits, dtype=float), np.asarray(legal, dtype=bool)
    state, action = np.asarray(state), np.asarray(action)
    advantage, log_prob = np.asarray(advantage, dtype=float), np.asarray(log_prob, dtype=float)
    masked = np.where(legal[state], logits[state], -np.inf)
    p = np.exp(masked - masked.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    rows = np.arange(len(state))
    ratio = p[rows, action] / np.exp(log_prob)
    flat = ((advantage > 0) & (ratio > 1 + bound)) | ((advantage < 0) & (ratio < 1 - bound))
    push = -p
    push[rows, action] += 1
    push *= np.where(flat, 0, ratio * advantage)[:, None]
    gradient = np.zeros(logits.shape)
    np.add.at(gradient, state, push / len(state))
    return gradient
""",
    "two_stones": """import numpy as np


def two_stones(p, cells, n, clip, rng):
    weights = np.clip(np.asarray(p, dtype=float), clip, 1 - clip)
    weights = weights / weights.sum()
    cells = np.asarray(cells)

    def is_welcome(board):
        left, right = np.roll(board, 1), np.roll(board, -1)
        eye = (left == 1) & (right == 1)
        return (board == 0) & ~eye

    def draw(board):
        welcome = is_welcome(board)
        if not welcome.any():
            return -1
        w = weights * welcome
        return int(rng.choice(len(board), p=w / w.sum()))

    pairs = []
    for _ in range(n):
        board = cells.copy()
        first = draw(board)
        second = -1
        if first >= 0:
            board[first] = 1
            second = draw(board)
        pairs.append([first, second])
    return np.array(pairs, dtype=int).reshape(n, 2)
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "torus_areas",
        "A region is a colour's if all stones beside it are of that colour; I "
        "forgot that 'all' holds when there is no stone at all.",
        "if colours == {colour}:",
        "if all(other == colour for other in colours):",
    ),
    (
        "torus_areas",
        "I asked of each empty point by itself which stones lie beside it, not of"
        " the whole region.",
        """                    elif not seen[near]:
                        seen[near] = True
                        todo.append(near)
""",
        "",
    ),
    (
        "ring_moves",
        "After a pass the same player is still to place the next stone, for the "
        "colours alternate on the board.",
        """            earlier.append(board)
        colour = 3 - colour
""",
        """            earlier.append(board)
            colour = 3 - colour
""",
    ),
    (
        "ring_moves",
        "I took superko for the simple ko rule: only the board before the "
        "opponent's last move may not come back.",
        "if after in earlier:",
        "if after in earlier[-2:]:",
    ),
    (
        "ring_moves",
        "I remembered superko with the player to move: the same board counts only"
        " if the same player is to move.",
        """            earlier.append(board)
        colour = 3 - colour
    found = []
    for point in range(size):
        if board[point] != 0:
            continue
        after = put(board, point, colour)
        if not chain(after, point)[1]:
            continue
        if after in earlier:
""",
        """            earlier.append((board, 3 - colour))
        colour = 3 - colour
    found = []
    for point in range(size):
        if board[point] != 0:
            continue
        after = put(board, point, colour)
        if not chain(after, point)[1]:
            continue
        if (after, 3 - colour) in earlier:
""",
    ),
    (
        "league_returns",
        "Who has resigned gets the area 0; I forgot that another may have no area either.",
        "np.where(resigned, -1, areas)",
        "np.where(resigned, 0, areas)",
    ),
    (
        "league_returns",
        "Those who tie share the winner's reward of 2 equally.",
        """share = 3 / best.sum(axis=1, keepdims=True)
    reward = np.where(best, share - 1, -1.0)""",
        """share = 2 / best.sum(axis=1, keepdims=True)
    reward = np.where(best, share, -1.0)""",
    ),
    (
        "league_returns",
        "I read seats as the colour on which each agent sits.",
        "colour = list(seats[g]).index(who)",
        "colour = seats[g, who]",
    ),
    (
        "league_returns",
        "Gamma counts every decision in the game, whoever made it, as in a usual episode.",
        """        if key in following:
            returns[t] = gamma * following[key]
        else:
            colour = list(seats[g]).index(who)
            returns[t] = reward[g, colour]
        following[key] = returns[t]
""",
        """        colour = list(seats[g]).index(who)
        later = following.get(g, 0)
        returns[t] = gamma**later * reward[g, colour]
        following[g] = later + 1
""",
    ),
    (
        "surrogate_gradient",
        "Illegal moves get probability 0 after the softmax; I did not divide by the sum again.",
        """masked = np.where(legal[state], logits[state], -np.inf)
    p = np.exp(masked - masked.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
""",
        """p = np.exp(logits[state])
    p /= p.sum(axis=1, keepdims=True)
    p = p * legal[state]
""",
    ),
    (
        "surrogate_gradient",
        "For a bad move the minimum is the clipped one when the ratio is too "
        "large: the same bound on both signs.",
        "((advantage < 0) & (ratio < 1 - bound))",
        "((advantage < 0) & (ratio > 1 + bound))",
    ),
    (
        "surrogate_gradient",
        "Each row of the gradient is a mean over the decisions in its state.",
        "np.add.at(gradient, state, push / len(state))",
        """np.add.at(gradient, state, push)
    gradient /= np.maximum(np.bincount(state, minlength=len(gradient)), 1)[:, None]""",
    ),
    (
        "two_stones",
        "I ranked for both stones on the first board; if the second point has "
        "become an eye by then, the stone is not played.",
        """            board[first] = 1
            second = draw(board)
""",
        """            board[first] = 2
            second = draw(board)
            board[first] = 1
            if second >= 0 and not is_welcome(board)[second]:
                second = -1
""",
    ),
    (
        "two_stones",
        "First I keep only the welcome points and divide by their sum, then I clip.",
        "w = weights * welcome",
        """w = np.where(welcome, p, 0.0)
        w = w / w.sum() if w.sum() > 0 else w
        w = np.clip(w, clip, 1 - clip) * welcome""",
    ),
    (
        "two_stones",
        "An eye is an empty point between two stones; I forgot that both must be the player's own.",
        "eye = (left == 1) & (right == 1)",
        "eye = (left != 0) & (right != 0)",
    ),
)
