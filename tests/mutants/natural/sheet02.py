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
    old = q[heap, take - 1]
    left = heap - take
    if left == 0:
        target = -1.0
    else:
        target = -gamma * q[left, : min(3, left)].max()
    return old + alpha * (target - old)
""",
    "choose": """import numpy as np


def choose(q, visits, legal, player, epsilon, rng):
    actions = np.flatnonzero(legal)
    if rng.random() < epsilon:
        scores = -np.asarray(visits, dtype=float)[actions]
    else:
        scores = np.asarray(q, dtype=float)[actions]
        if player == 1:
            scores = -scores
    best = actions[scores == scores.max()]
    return int(rng.choice(best))
""",
    "two_estimates": """import numpy as np


def two_estimates(episodes, num_states, gamma):
    visits = np.zeros(num_states)
    returns = np.zeros(num_states)
    rewards = np.zeros(num_states)
    follows = np.zeros((num_states, num_states))
    for episode in episodes:
        g = 0.0
        following = None
        for state, reward in reversed(episode):
            g = reward + gamma * g
            returns[state] += g
            visits[state] += 1
            rewards[state] += reward
            if following is not None:
                follows[state, following] += 1
            following = state
    mc = returns / visits
    P = follows / visits[:, None]
    td = np.linalg.solve(np.eye(num_states) - gamma * P, rewards / visits)
    return mc, td
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
    return int(eight_views(numbers)[which].ravel()[move])
""",
}
SLIPS = [
    (
        "sweep",
        "Finished states are already 0 in v, so nothing is left to do for them.",
        "return np.where(terminal, 0.0, new)",
        "return new",
    ),
    (
        "sweep",
        "A finished state is not updated, so it keeps the value that it has.",
        "return np.where(terminal, 0.0, new)",
        "return np.where(terminal, values, new)",
    ),
    (
        "sweep",
        "The value of a finished state is 0, so a step that ends there brings nothing at all.",
        "q = (P * (R + gamma * v)).sum(axis=2)",
        "q = (P * np.where(terminal, 0.0, R + gamma * v)).sum(axis=2)",
    ),
    (
        "nim_update",
        "The row of the stones that are left holds the opponent's three takes, and the opponent plays the best of them.",
        "q[left, : min(3, left)].max()",
        "q[left].max()",
    ),
    (
        "nim_update",
        "The opponent plays what is worst for me, so it is the smallest entry, seen from my side.",
        "q[left, : min(3, left)].max()",
        "q[left, : min(3, left)].min()",
    ),
    (
        "nim_update",
        "With one stone left the opponent has to take it, so I have won and the target is +1.",
        "    else:\n",
        "    elif left == 1:\n        target = 1.0\n    else:\n",
    ),
    (
        "choose",
        "Among equally good actions I take the one that was tried least.",
        "    best = actions[scores == scores.max()]\n",
        "    best = actions[scores == scores.max()]\n    tried = np.asarray(visits)[best]\n    best = best[tried == tried.min()]\n",
    ),
    (
        "choose",
        "Exploring means another action than the best one: the least tried of the others.",
        "        scores = -np.asarray(visits, dtype=float)[actions]\n",
        """        view = np.asarray(q, dtype=float)[actions] * (1 if player == 0 else -1)
        if (view < view.max()).any():
            actions = actions[view < view.max()]
        scores = -np.asarray(visits, dtype=float)[actions]
""",
    ),
    (
        "choose",
        "The less an action was tried, the likelier it is drawn when exploring.",
        "        scores = -np.asarray(visits, dtype=float)[actions]\n",
        """        weight = 1 / (1 + np.asarray(visits, dtype=float)[actions])
        return int(rng.choice(actions, p=weight / weight.sum()))
""",
    ),
    (
        "two_estimates",
        "P says how often each state followed, so its rows have to sum to 1.",
        "P = follows / visits[:, None]",
        "P = follows / np.maximum(follows.sum(axis=1, keepdims=True), 1)",
    ),
    (
        "two_estimates",
        "Monte Carlo averages the returns of the first visit in each episode.",
        """            returns[state] += g
            visits[state] += 1
            rewards[state] += reward
            if following is not None:
                follows[state, following] += 1
            following = state
    mc = returns / visits
""",
        """            visits[state] += 1
            rewards[state] += reward
            if following is not None:
                follows[state, following] += 1
            following = state
        first, g = {}, 0.0
        for state, reward in reversed(episode):
            g = reward + gamma * g
            first[state] = g
        for state in first:
            returns[state] += first[state]
    seen = np.array([sum(any(s == k for s, _ in e) for e in episodes) for k in range(num_states)])
    mc = returns / seen
""",
    ),
    (
        "two_estimates",
        "A small step size and many repetitions: TD(0) has come to rest after 500 rounds with 0.01.",
        "    td = np.linalg.solve(np.eye(num_states) - gamma * P, rewards / visits)\n",
        """    td = np.zeros(num_states)
    for _ in range(500):
        for episode in episodes:
            for k, (state, reward) in enumerate(episode):
                after = td[episode[k + 1][0]] if k + 1 < len(episode) else 0.0
                td[state] += 0.01 * (reward + gamma * after - td[state])
""",
    ),
    (
        "play_from_book",
        "The smallest view is the one whose numbers 0, 1, 2 come first.",
        "which = texts.index(min(texts))",
        "which = min(range(8), key=lambda k: eight_views(board)[k].ravel().tolist())",
    ),
    (
        "play_from_book",
        "If the book has no move for the text I return None.",
        """    if texts[which] not in book:
        return None
    move = book[texts[which]]
""",
        """    move = book.get(texts[which])
    if not move:
        return None
""",
    ),
    (
        "play_from_book",
        "To go back I undo what made the view: first the mirror, then the turns.",
        "    return int(eight_views(numbers)[which].ravel()[move])\n",
        """    mark = (numbers == move).astype(int)
    if which >= 4:
        mark = np.fliplr(mark)
    mark = np.rot90(mark, -(which % 4))
    return int(mark.ravel().argmax())
""",
    ),
]
