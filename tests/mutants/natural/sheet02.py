"""Slips of a writer who knew only the text of sheet 02."""

ANSWERS = {
    "sweep": """import numpy as np


def sweep(values, P, R, terminal, gamma):
    old = np.array(values, dtype=float)
    old[terminal] = 0.0
    q = (P * (R + gamma * old)).sum(axis=2)
    fresh = q.max(axis=1)
    fresh[terminal] = 0.0
    return fresh
""",
    "nim_update": """import numpy as np


def nim_update(q, heap, take, alpha, gamma):
    left = heap - take
    if left == 0:
        target = -1.0
    else:
        replies = q[left, : min(3, left)]
        target = -gamma * np.max(replies)
    old = q[heap, take - 1]
    return old + alpha * (target - old)
""",
    "choose": """import numpy as np


def choose(q, visits, legal, player, epsilon, rng):
    actions = np.flatnonzero(legal)
    if rng.random() < epsilon:
        scores = -np.asarray(visits)[actions]
    else:
        scores = np.asarray(q)[actions]
        if player == 1:
            scores = -scores
    best = np.flatnonzero(scores == scores.max())
    return int(actions[rng.choice(best)])
""",
    "two_estimates": """import numpy as np


def two_estimates(episodes, num_states, gamma):
    total = np.zeros(num_states)
    visits = np.zeros(num_states)
    reward_sum = np.zeros(num_states)
    follows = np.zeros((num_states, num_states))
    for episode in episodes:
        g = 0.0
        for state, reward in reversed(episode):
            g = reward + gamma * g
            total[state] += g
            visits[state] += 1
        for i, (state, reward) in enumerate(episode):
            reward_sum[state] += reward
            if i + 1 < len(episode):
                follows[state, episode[i + 1][0]] += 1
    P = follows / visits[:, None]
    r = reward_sum / visits
    td = np.linalg.solve(np.eye(num_states) - gamma * P, r)
    return total / visits, td
""",
    "play_from_book": """import numpy as np


def text_of(board):
    return "".join(".XO"[cell] for cell in board.ravel())


def eight_views(array):
    return [np.rot90(one, k) for one in (array, np.fliplr(array)) for k in range(4)]


def play_from_book(board, book):
    numbers = np.arange(board.size).reshape(board.shape)
    texts = [text_of(view) for view in eight_views(board)]
    smallest = min(texts)
    if smallest not in book:
        return None
    which = texts.index(smallest)
    return int(eight_views(numbers)[which].ravel()[book[smallest]])
""",
}
# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "sweep",
        "I set the finished states to 0 among the old values only, not in what I return",
        "    fresh[terminal] = 0.0\n",
        "",
    ),
    (
        "sweep",
        "I forgot that the old values of finished states may hold anything",
        "    old[terminal] = 0.0\n",
        "",
    ),
    (
        "sweep",
        "I wrote the reward outside the brackets, so gamma discounts it as well",
        "R + gamma * old",
        "gamma * (R + old)",
    ),
    (
        "nim_update",
        "I took the best of the whole row, also of takes that are not possible",
        "replies = q[left, : min(3, left)]",
        "replies = q[left]",
    ),
    (
        "nim_update",
        "I thought that whoever takes the last stone wins",
        "target = -1.0",
        "target = 1.0",
    ),
    (
        "nim_update",
        "I let the opponent choose what is worst: two signs at once",
        "-gamma * np.max(replies)",
        "gamma * np.min(replies)",
    ),
    (
        "nim_update",
        "I cut the row by the stones before the take instead of those that are left",
        "q[left, : min(3, left)]",
        "q[left, : min(3, heap)]",
    ),
    (
        "choose",
        "I gave back the place in the list of legal actions",
        "return int(actions[rng.choice(best)])",
        "return int(rng.choice(best))",
    ),
    (
        "choose",
        "I explored where it was tried most: a minus forgotten",
        "scores = -np.asarray(visits)[actions]",
        "scores = np.asarray(visits)[actions]",
    ),
    (
        "choose",
        "argmax always takes the first among equals",
        "    best = np.flatnonzero(scores == scores.max())\n    return int(actions[rng.choice(best)])",
        "    return int(actions[np.argmax(scores)])",
    ),
    (
        "two_estimates",
        "I skipped the last step of an episode altogether, because nothing follows it",
        "            reward_sum[state] += reward\n            if i + 1 < len(episode):\n"
        "                follows[state, episode[i + 1][0]] += 1\n",
        "            if i + 1 < len(episode):\n                reward_sum[state] += reward\n"
        "                follows[state, episode[i + 1][0]] += 1\n",
    ),
    (
        "two_estimates",
        "I divided by how often a state was followed by another, not by its visits",
        "P = follows / visits[:, None]",
        "P = follows / np.maximum(1, follows.sum(axis=1, keepdims=True))",
    ),
    (
        "two_estimates",
        "I set the sum back once at the beginning, not for each episode",
        "    for episode in episodes:\n        g = 0.0\n",
        "    g = 0.0\n    for episode in episodes:\n",
    ),
    (
        "play_from_book",
        "I looked for the board as it is, not for its smallest view",
        "smallest = min(texts)",
        "smallest = texts[0]",
    ),
    (
        "play_from_book",
        "I turned the book's square with the view once more in the wrong direction",
        "eight_views(numbers)[which].ravel()[book[smallest]]",
        "np.argsort(eight_views(numbers)[which].ravel())[book[smallest]]",
    ),
)
