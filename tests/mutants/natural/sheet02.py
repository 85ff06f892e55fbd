"""Slips of a writer who knew only the text of sheet 02."""

ANSWERS = {
    "sweep": """import numpy as np


def sweep(values, P, R, terminal, gamma):
    old = np.where(terminal, 0.0, values)
    q = (P * (R + gamma * old)).sum(axis=2)
    new = q.max(axis=1)
    return np.where(terminal, 0.0, new)
""",
    "nim_update": """import numpy as np


def nim_update(q, heap, take, alpha, gamma):
    entry = q[heap, take - 1]
    left = heap - take
    if left == 0:
        target = -1.0
    else:
        possible = min(3, left)
        target = -gamma * q[left, :possible].max()
    return entry + alpha * (target - entry)
""",
    "choose": """import numpy as np


def choose(q, visits, legal, player, epsilon, rng):
    q = np.asarray(q, dtype=float)
    visits = np.asarray(visits, dtype=float)
    actions = np.flatnonzero(legal)
    mine = q[actions] if player == 0 else -q[actions]
    tried = visits[actions]
    if rng.random() < epsilon:
        candidates = actions[tried == tried.min()]
    else:
        candidates = actions[mine == mine.max()]
    return int(rng.choice(candidates))
""",
    "two_estimates": """import numpy as np


def two_estimates(episodes, num_states, gamma):
    total = np.zeros(num_states)
    count = np.zeros(num_states)
    rewards = np.zeros(num_states)
    moves = np.zeros((num_states, num_states))
    for episode in episodes:
        g = 0.0
        for state, reward in reversed(episode):
            g = reward + gamma * g
            total[state] += g
            count[state] += 1
            rewards[state] += reward
        for (state, _), (following, _) in zip(episode, episode[1:]):
            moves[state, following] += 1
    monte_carlo = total / count
    P = moves / count[:, None]
    r = rewards / count
    td = np.linalg.solve(np.eye(num_states) - gamma * P, r)
    return monte_carlo, td
""",
    "play_from_book": """import numpy as np


def play_from_book(board, book):
    board = np.asarray(board)
    numbers = np.arange(board.size).reshape(board.shape)
    best_text, best_squares = None, None
    for one, places in ((board, numbers), (np.fliplr(board), np.fliplr(numbers))):
        for k in range(4):
            text = "".join(".XO"[cell] for cell in np.rot90(one, k).ravel())
            if best_text is None or text < best_text:
                best_text = text
                best_squares = np.rot90(places, k).ravel()
    if best_text not in book:
        return None
    return int(best_squares[book[best_text]])
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "sweep",
        "A finished state's value is the same old and new, so it keeps what stands in values.",
        "return np.where(terminal, 0.0, new)",
        "return np.where(terminal, values, new)",
    ),
    (
        "sweep",
        "I set the finished states to 0 in the result and forgot that the old "
        "values may hold something else there.",
        "old = np.where(terminal, 0.0, values)",
        "old = np.asarray(values, dtype=float)",
    ),
    (
        "sweep",
        "I went through the states one after the other and wrote each new value "
        "into the array that the next state reads.",
        """    q = (P * (R + gamma * old)).sum(axis=2)
    new = q.max(axis=1)
    return np.where(terminal, 0.0, new)""",
        """    for s in range(len(old)):
        if not terminal[s]:
            old[s] = (P[s] * (R[s] + gamma * old)).sum(axis=1).max()
    return old""",
    ),
    (
        "nim_update",
        "With one stone left the opponent must take it and loses, so the target "
        "is +1 for me (one of the three kinds of positions of hint 3).",
        """    else:
        possible""",
        """    elif left == 1:
        target = 1.0
    else:
        possible""",
    ),
    (
        "nim_update",
        "No more stones than there are: I limited the opponent's takes by the heap before my take.",
        "possible = min(3, left)",
        "possible = min(3, heap)",
    ),
    (
        "nim_update",
        "The opponent plays what is worst for me, so I took the smallest entry of their row.",
        "q[left, :possible].max()",
        "q[left, :possible].min()",
    ),
    (
        "nim_update",
        "gamma is for each ply, and taking the last stone is a ply, so the -1 is discounted too.",
        "target = -1.0",
        "target = -gamma",
    ),
    (
        "choose",
        "Exploring means not playing the best, so I drew the least tried among "
        "the other legal actions.",
        """        candidates = actions[tried == tried.min()]
""",
        """        others = mine < mine.max()
        if not others.any():
            others[:] = True
        candidates = actions[others & (tried == tried[others].min())]
""",
    ),
    (
        "choose",
        "Among equally good actions the least tried one is to be preferred.",
        """        candidates = actions[mine == mine.max()]
""",
        """        best = mine == mine.max()
        candidates = actions[best & (tried == tried[best].min())]
""",
    ),
    (
        "choose",
        "I mixed up the ties: only the least tried are drawn at random, the best "
        "action is argmax as always.",
        "candidates = actions[mine == mine.max()]",
        "candidates = actions[[mine.argmax()]]",
    ),
    (
        "two_estimates",
        "The rows of P must have the sum 1, so I divided by the number of moves "
        "that go on, not by the visits.",
        "P = moves / count[:, None]",
        "P = moves / np.maximum(moves.sum(axis=1, keepdims=True), 1)",
    ),
    (
        "two_estimates",
        "The reward comes on leaving a state, so it belongs to the next one: the "
        "return of a visit starts with the reward behind it.",
        """            g = reward + gamma * g
            total[state] += g
""",
        """            total[state] += g
            g = reward + gamma * g
""",
    ),
    (
        "play_from_book",
        "Square 0 is falsy: I asked the book with get and took 'no number' and "
        "'number 0' for the same.",
        """    if best_text not in book:
        return None
    return int(best_squares[book[best_text]])""",
        """    move = book.get(best_text)
    if not move:
        return None
    return int(best_squares[move])""",
    ),
    (
        "play_from_book",
        "To carry the square back I must turn the numbers the other way round.",
        "np.rot90(places, k)",
        "np.rot90(places, -k)",
    ),
    (
        "play_from_book",
        "From the sentence '. < O < X' I took 1 to be O and 2 to be X.",
        '".XO"[cell]',
        '".OX"[cell]',
    ),
)
