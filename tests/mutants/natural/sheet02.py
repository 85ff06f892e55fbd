"""Slips of a writer who knew only the text of sheet 02."""

ANSWERS = {
    "sweep": """import numpy as np


def sweep(values, P, R, terminal, gamma):
    v = np.where(terminal, 0.0, values)
    q = (P * (R + gamma * v)).sum(axis=2)
    new = q.max(axis=1)
    return np.where(terminal, 0.0, new)
""",
    "nim_update": """import numpy as np


def nim_update(q, heap, take, alpha, gamma):
    left = heap - take
    old = q[heap, take - 1]
    if left == 0:
        target = -1.0
    else:
        target = -gamma * q[left, : min(3, left)].max()
    return old + alpha * (target - old)
""",
    "choose": """import numpy as np


def choose(q, visits, legal, player, epsilon, rng):
    moves = np.flatnonzero(legal)
    if rng.random() < epsilon:
        score = -np.asarray(visits, float)[moves]
    else:
        score = np.asarray(q, float)[moves]
        if player == 1:
            score = -score
    best = moves[score == score.max()]
    return int(rng.choice(best))
""",
    "two_estimates": """import numpy as np


def two_estimates(episodes, num_states, gamma):
    total, count = np.zeros(num_states), np.zeros(num_states)
    reward = np.zeros(num_states)
    follow = np.zeros((num_states, num_states))
    for episode in episodes:
        g = 0.0
        after = None
        for state, r in reversed(episode):
            g = r + gamma * g
            total[state] += g
            count[state] += 1
            reward[state] += r
            if after is not None:
                follow[state, after] += 1
            after = state
    P = follow / count[:, None]
    td = np.linalg.solve(np.eye(num_states) - gamma * P, reward / count)
    return total / count, td
""",
    "play_from_book": """import numpy as np


def text_of(board):
    return "".join(".XO"[cell] for cell in board.ravel())


def eight_views(array):
    return [np.rot90(one, k) for one in (array, np.fliplr(array)) for k in range(4)]


def play_from_book(board, book):
    numbers = np.arange(board.size).reshape(board.shape)
    texts = [text_of(view) for view in eight_views(board)]
    which = texts.index(min(texts))
    if texts[which] not in book:
        return None
    move = book[texts[which]]
    squares = eight_views(numbers)[which].ravel().tolist()
    return squares[move]
""",
}
SLIPS = [
    (
        "sweep",
        "The value of a finished state is 0: I set it in the result, and looked the "
        "next states up in the old values as they were.",
        "v = np.where(terminal, 0.0, values)",
        "v = np.asarray(values, float)",
    ),
    (
        "sweep",
        "Finished states are not updated, so they keep what values holds.",
        "return np.where(terminal, 0.0, new)",
        "return np.where(terminal, values, new)",
    ),
    (
        "sweep",
        "One sweep goes through the states and uses the new values as soon as they are there.",
        "    q = (P * (R + gamma * v)).sum(axis=2)\n"
        "    new = q.max(axis=1)\n"
        "    return np.where(terminal, 0.0, new)",
        "    for s in np.flatnonzero(~np.asarray(terminal)):\n"
        "        v[s] = (P[s] * (R[s] + gamma * v)).sum(axis=1).max()\n"
        "    return v",
    ),
    (
        "nim_update",
        "With one stone left the opponent must take it and lose, so that is worth +1 "
        "without looking into the table.",
        "    else:\n        target = -gamma",
        "    elif left == 1:\n        target = gamma * 1.0\n    else:\n        target = -gamma",
    ),
    (
        "nim_update",
        "I forgot that of a small heap not all takes are possible when the "
        "opponent's best is sought.",
        "q[left, : min(3, left)].max()",
        "q[left].max()",
    ),
    (
        "nim_update",
        "The opponent does what is worst for me, so it is the minimum (of a row that "
        "is already the opponent's, with the minus in front).",
        "q[left, : min(3, left)].max()",
        "q[left, : min(3, left)].min()",
    ),
    (
        "choose",
        "I turned the sign for the second player once, below both branches, so the "
        "second player explores where it has been MOST.",
        "        score = np.asarray(q, float)[moves]\n"
        "        if player == 1:\n"
        "            score = -score\n",
        "        score = np.asarray(q, float)[moves]\n"
        "    if player == 1:\n"
        "        score = -score\n",
    ),
    (
        "choose",
        "This player explores where it knows least, so among equally good moves I "
        "preferred the least tried.",
        "    best = moves[score == score.max()]\n    return int(rng.choice(best))",
        "    best = moves[score == score.max()]\n"
        "    tried = np.asarray(visits)[best]\n"
        "    return int(rng.choice(best[tried == tried.min()]))",
    ),
    (
        "choose",
        "Least tried means not tried yet; if all have been tried, any legal one.",
        "score = -np.asarray(visits, float)[moves]",
        "score = (np.asarray(visits)[moves] == 0).astype(float)",
    ),
    (
        "two_estimates",
        "Where the episode ended there is no transition, so I divided by the number "
        "of transitions that go on.",
        "P = follow / count[:, None]",
        "P = follow / np.maximum(follow.sum(axis=1, keepdims=True), 1) * (1 - 1e-9)",
    ),
    (
        "two_estimates",
        "I set 'after' once at the start, so the last state of an episode is "
        "followed by the first of another.",
        "    for episode in episodes:\n        g = 0.0\n        after = None\n",
        "    after = None\n    for episode in episodes:\n        g = 0.0\n",
    ),
    (
        "two_estimates",
        "First-visit Monte Carlo, as in the book: going backwards, only the earliest "
        "visit of a state in an episode stays.",
        "    return total / count, td",
        "    total, seen = np.zeros(num_states), np.zeros(num_states)\n"
        "    for episode in episodes:\n"
        "        g, first = 0.0, {}\n"
        "        for state, r in reversed(episode):\n"
        "            g = r + gamma * g\n"
        "            first[state] = g\n"
        "        for state, g in first.items():\n"
        "            total[state] += g\n"
        "            seen[state] += 1\n"
        "    return total / seen, td",
    ),
    (
        "play_from_book",
        "I asked 'if not move' to see whether the book knows the board; but the move "
        "may be square 0.",
        "    if texts[which] not in book:\n        return None\n    move = book[texts[which]]\n",
        "    move = book.get(texts[which])\n    if not move:\n        return None\n",
    ),
    (
        "play_from_book",
        "A turn is undone by turning back, so I took the view of the opposite turn "
        "for the mirrored ones too (a mirrored turn undoes itself).",
        "    squares = eight_views(numbers)[which].ravel().tolist()\n    return squares[move]",
        "    back = (4 - which) % 4 + (4 if which >= 4 else 0)\n"
        "    squares = eight_views(numbers)[back].ravel().tolist()\n"
        "    return squares.index(move)",
    ),
    (
        "play_from_book",
        "The view is mirrored first and turned then; I undid the mirror first and "
        "the turn after it.",
        "    squares = eight_views(numbers)[which].ravel().tolist()\n    return squares[move]",
        "    spot = (numbers == move).astype(int)\n"
        "    if which >= 4:\n"
        "        spot = np.fliplr(spot)\n"
        "    return int(np.rot90(spot, -(which % 4)).ravel().argmax())",
    ),
]
