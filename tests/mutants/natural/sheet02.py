"""Slips of two writers who knew only the text of sheet 02, told in the answers of the first."""

ANSWERS = {
    "sweep": """import numpy as np


def sweep(values, P, R, terminal, gamma):
    old = np.array(values, dtype=float)
    old[terminal] = 0.0
    new = np.zeros(len(old))
    for s in range(len(old)):
        if terminal[s]:
            continue
        q = np.sum(P[s] * (R[s] + gamma * old), axis=1)
        new[s] = q.max()
    return new
""",
    "nim_update": """import numpy as np


def nim_update(q, heap, take, alpha, gamma):
    left = heap - take
    entry = q[heap, take - 1]
    if left == 0:
        target = -1.0
    else:
        replies = q[left, :min(3, left)]
        target = -gamma * replies.max()
    return entry + alpha * (target - entry)
""",
    "choose": """import numpy as np


def choose(q, visits, legal, player, epsilon, rng):
    actions = np.flatnonzero(legal)
    if rng.random() < epsilon:
        tried = np.asarray(visits)[actions]
        candidates = actions[tried == tried.min()]
    else:
        worth = np.asarray(q)[actions]
        if player == 1:
            worth = -worth
        candidates = actions[worth == worth.max()]
    return int(rng.choice(candidates))
""",
    "two_estimates": """import numpy as np


def two_estimates(episodes, num_states, gamma):
    count = np.zeros(num_states)
    returns = np.zeros(num_states)
    reward_sum = np.zeros(num_states)
    follows = np.zeros((num_states, num_states))
    for episode in episodes:
        g = 0.0
        after = None
        for state, reward in reversed(episode):
            g = reward + gamma * g
            count[state] += 1
            returns[state] += g
            reward_sum[state] += reward
            if after is not None:
                follows[state, after] += 1
            after = state
    monte_carlo = returns / count
    P = follows / count[:, None]
    r = reward_sum / count
    td = np.linalg.solve(np.eye(num_states) - gamma * P, r)
    return monte_carlo, td
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
    key = texts[which]
    if key not in book:
        return None
    squares = eight_views(numbers)[which].ravel()
    return int(squares[book[key]])
""",
}
SLIPS = [
    (
        "sweep",
        "The finished states get the new value 0 and that is all; the sentence's 'old and new' was forgotten, so what values holds for them still counts.",
        ("    old[terminal] = 0.0\n"),
        (""),
    ),
    (
        "sweep",
        "One array is enough: the new values are written into the one they are made from, state after state.",
        ("    new = np.zeros(len(old))\n"),
        ("    new = old\n"),
    ),
    (
        "sweep",
        "A step into a finished state is worth 0, reward and all, because a finished state has no value.",
        ("np.sum(P[s] * (R[s] + gamma * old), axis=1)"),
        ("np.sum(P[s] * (R[s] + gamma * old) * ~np.asarray(terminal), axis=1)"),
    ),
    (
        "sweep",
        "The reward of an action is the average of its rewards, to which the expected next value is added.",
        ("np.sum(P[s] * (R[s] + gamma * old), axis=1)"),
        ("R[s].mean(axis=1) + gamma * (P[s] @ old)"),
    ),
    (
        "nim_update",
        "The opponent wants the opposite of me, so they take the smallest entry of their row, and then I see it with the other sign.",
        ("-gamma * replies.max()"),
        ("-gamma * replies.min()"),
    ),
    (
        "nim_update",
        "The row of the stones that are left has three entries, and the opponent takes the best of them.",
        ("q[left, :min(3, left)]"),
        ("q[left]"),
    ),
    (
        "nim_update",
        "My own next turn comes two plies later, so gamma counts twice.",
        ("-gamma * replies.max()"),
        ("-gamma ** 2 * replies.max()"),
    ),
    (
        "nim_update",
        "In Nim whoever takes the last stone has won.",
        ("target = -1.0"),
        ("target = 1.0"),
    ),
    (
        "nim_update",
        "The opponent wants what is smallest in the table, as the second player did in lesson 02.",
        ("-gamma * replies.max()"),
        ("gamma * replies.min()"),
    ),
    (
        "nim_update",
        "If one stone is left the opponent must take it, so I have won already and the target is +1.",
        ("    else:\n        replies"),
        ("    elif left == 1:\n        target = 1.0\n    else:\n        replies"),
    ),
    (
        "choose",
        "Exploring means something else than the best: the best action is left out unless it is the only one.",
        ("        tried = np.asarray(visits)[actions]\n"),
        (
            "        sign = -1 if player == 1 else 1\n"
            "        worth = sign * np.asarray(q)[actions]\n"
            "        if (worth < worth.max()).any():\n"
            "            actions = actions[worth < worth.max()]\n"
            "        tried = np.asarray(visits)[actions]\n"
        ),
    ),
    (
        "choose",
        "'Where it knows least' also decides among equally good actions: the less tried of them is played.",
        ("        candidates = actions[worth == worth.max()]\n"),
        (
            "        candidates = actions[worth == worth.max()]\n"
            "        tried = np.asarray(visits)[candidates]\n"
            "        candidates = candidates[tried == tried.min()]\n"
        ),
    ),
    (
        "choose",
        "Illegal actions are set to -infinity first, and only then the sign is turned for the second player.",
        (
            "        worth = np.asarray(q)[actions]\n"
            "        if player == 1:\n"
            "            worth = -worth\n"
            "        candidates = actions[worth == worth.max()]\n"
        ),
        (
            "        worth = np.where(legal, q, -np.inf)\n"
            "        if player == 1:\n"
            "            worth = -worth\n"
            "        candidates = np.flatnonzero(worth == worth.max())\n"
        ),
    ),
    (
        "choose",
        "q is worth what it is worth to the player who asks, and the largest is always the best.",
        ("        if player == 1:\n            worth = -worth\n"),
        (""),
    ),
    (
        "two_estimates",
        "The transition probabilities of a state have the sum 1, so its row is divided by the number of its visits that had a next state.",
        ("P = follows / count[:, None]"),
        ("P = follows / np.maximum(follows.sum(axis=1, keepdims=True), 1)"),
    ),
    (
        "two_estimates",
        "The last pair is where the episode is over: it is the terminal state and is no visit for TD.",
        ("            reward_sum[state] += reward\n            if after is not None:\n"),
        ("            if after is not None:\n                reward_sum[state] += reward\n"),
    ),
    (
        "two_estimates",
        "The reward of a pair is the one received on arriving in the state (as in many textbooks R_t belongs to S_t), so it comes after the return of the state was noted.",
        (
            "            g = reward + gamma * g\n"
            "            count[state] += 1\n"
            "            returns[state] += g\n"
        ),
        (
            "            count[state] += 1\n"
            "            returns[state] += gamma * g\n"
            "            g = reward + gamma * g\n"
        ),
    ),
    (
        "two_estimates",
        "Monte Carlo counts the first visit of an episode, as in the textbook.",
        ("    monte_carlo = returns / count\n"),
        (
            "    firsts = [[] for _ in range(num_states)]\n"
            "    for episode in episodes:\n"
            "        g, found = 0.0, {}\n"
            "        for state, reward in reversed(episode):\n"
            "            g = reward + gamma * g\n"
            "            found[state] = g\n"
            "        for state in found:\n"
            "            firsts[state].append(found[state])\n"
            "    monte_carlo = np.array([np.mean(some) for some in firsts])\n"
        ),
    ),
    (
        "two_estimates",
        "I set the state behind once at the start and forgot that it must be forgotten between episodes.",
        ("    for episode in episodes:\n        g = 0.0\n        after = None\n"),
        ("    after = None\n    for episode in episodes:\n        g = 0.0\n"),
    ),
    (
        "play_from_book",
        "Only a quarter turn does not undo itself, so every view with a quarter turn in it, the mirrored ones too, must be undone by the opposite turn.",
        ("    squares = eight_views(numbers)[which].ravel()\n    return int(squares[book[key]])\n"),
        (
            "    back = [np.rot90(one, -k) for one in (numbers, np.fliplr(numbers)) for k in range(4)]\n"
            "    squares = back[which].ravel().tolist()\n"
            "    return squares.index(book[key])\n"
        ),
    ),
    (
        "play_from_book",
        "book.get gives the move or None, and 'if not move' is the test for None (square 0 forgotten).",
        ("    if key not in book:\n        return None\n"),
        ("    if not book.get(key):\n        return None\n"),
    ),
    (
        "play_from_book",
        "The smallest view is found by comparing the boards as numbers, which is the same as comparing the texts (but X is 1 and O is 2).",
        ("texts.index(min(texts))"),
        ("min(range(8), key=lambda k: eight_views(board)[k].ravel().tolist())"),
    ),
]
