"""Slips of a writer who knew only the text of sheet 02."""

ANSWERS = {
    "sweep": """import numpy as np


def sweep(values, P, R, terminal, gamma):
    old = np.array(values, float)
    done = np.asarray(terminal, bool)
    old[done] = 0.0
    q = (np.asarray(P) * (np.asarray(R) + gamma * old)).sum(axis=2)
    new = q.max(axis=1)
    new[done] = 0.0
    return new
""",
    "nim_update": """import numpy as np


def nim_update(q, heap, take, alpha, gamma):
    entry = q[heap, take - 1]
    left = heap - take
    if left == 0:
        target = -1.0
    else:
        best = np.max(q[left, : min(3, left)])
        target = -gamma * best
    return entry + alpha * (target - entry)
""",
    "choose": """import numpy as np


def choose(q, visits, legal, player, epsilon, rng):
    moves = np.flatnonzero(legal)
    if rng.random() < epsilon:
        counts = np.asarray(visits)[moves]
        equal = moves[counts == counts.min()]
    else:
        mine = np.asarray(q, float)[moves]
        if player == 1:
            mine = -mine
        equal = moves[mine == mine.max()]
    return int(rng.choice(equal))
""",
    "two_estimates": """import numpy as np


def two_estimates(episodes, num_states, gamma):
    total = np.zeros(num_states)
    count = np.zeros(num_states)
    reward_sum = np.zeros(num_states)
    follow = np.zeros((num_states, num_states))
    for episode in episodes:
        g = 0.0
        for state, reward in reversed(episode):
            g = reward + gamma * g
            total[state] += g
            count[state] += 1
            reward_sum[state] += reward
        for (state, _), (after, _) in zip(episode, episode[1:]):
            follow[state, after] += 1
    mc = total / count
    P = follow / count[:, None]
    r = reward_sum / count
    td = np.zeros(num_states)
    for _ in range(100000):
        new = r + gamma * P @ td
        done = np.abs(new - td).max() < 1e-13
        td = new
        if done:
            break
    return mc, td
""",
    "play_from_book": """import numpy as np


def play_from_book(board, book):
    board = np.asarray(board)
    numbers = np.arange(board.size).reshape(board.shape)
    found = None
    for flip in (False, True):
        for k in range(4):
            view, places = board, numbers
            if flip:
                view, places = np.fliplr(view), np.fliplr(places)
            view, places = np.rot90(view, k), np.rot90(places, k)
            text = "".join(".XO"[c] for c in view.ravel())
            if found is None or text < found[0]:
                found = (text, places.ravel())
    text, places = found
    if text not in book:
        return None
    return int(places[book[text]])
""",
}
SLIPS = [
    (
        "sweep",
        "the mean reward belongs to the step, only the next values are weighted with the probability",
        "q = (np.asarray(P) * (np.asarray(R) + gamma * old)).sum(axis=2)",
        "q = np.asarray(R).mean(axis=2) + gamma * (np.asarray(P) * old).sum(axis=2)",
    ),
    (
        "sweep",
        "the value of a finished state is 0 in the result; the old values are taken as they come",
        "    old[done] = 0.0\n",
        "",
    ),
    (
        "sweep",
        "finished states count as 0 when they are looked at, the result needs no second look",
        "    new[done] = 0.0\n",
        "",
    ),
    (
        "sweep",
        "the step that ends the episode brings nothing: reward into a finished state is left out too",
        "(np.asarray(R) + gamma * old)",
        "np.where(done, 0.0, np.asarray(R) + gamma * old)",
    ),
    (
        "nim_update",
        "the opponent wants to hurt me, so I take the minimum of the next row, negated",
        "best = np.max(q[left, : min(3, left)])",
        "best = np.min(q[left, : min(3, left)])",
    ),
    (
        "nim_update",
        "rows are always three long, takes that are not possible hold 0 anyway",
        "np.max(q[left, : min(3, left)])",
        "np.max(q[left])",
    ),
    (
        "nim_update",
        "the next position of mine is two plies later, so the discount counts twice",
        "target = -gamma * best",
        "target = -gamma * gamma * best",
    ),
    (
        "choose",
        "the least tried action is looked for among all, and then the legal ones are kept, all legal ones if none remains",
        "equal = moves[counts == counts.min()]",
        "equal = moves[counts == np.min(visits)]\n        if len(equal) == 0:\n            equal = moves",
    ),
    (
        "choose",
        "exploring draws any legal action that is not tried yet, else any legal one",
        "equal = moves[counts == counts.min()]",
        "equal = moves[counts == 0]\n        if len(equal) == 0:\n            equal = moves",
    ),
    (
        "choose",
        "among equals the first one will do",
        "        equal = moves[mine == mine.max()]\n",
        "        equal = moves[[int(np.argmax(mine))]]\n",
    ),
    (
        "two_estimates",
        "Monte Carlo counts each state once an episode, from its first visit on",
        """        g = 0.0
        for state, reward in reversed(episode):
            g = reward + gamma * g
            total[state] += g
            count[state] += 1
            reward_sum[state] += reward
        for (state, _), (after, _) in zip(episode, episode[1:]):
            follow[state, after] += 1
    mc = total / count
""",
        """        g = 0.0
        first = {}
        for state, reward in reversed(episode):
            g = reward + gamma * g
            first[state] = g
            count[state] += 1
            reward_sum[state] += reward
        for state in first:
            total[state] += first[state]
        for (state, _), (after, _) in zip(episode, episode[1:]):
            follow[state, after] += 1
    mc = total / np.array([sum(any(s == k for s, _ in e) for e in episodes) for k in range(num_states)])
""",
    ),
    (
        "two_estimates",
        "the probabilities to follow are a distribution, so the row of successors is divided by its own sum and the ends do not count",
        "P = follow / count[:, None]",
        "P = follow / np.maximum(follow.sum(axis=1, keepdims=True), 1)",
    ),
    (
        "play_from_book",
        "the book's square is the one to play, both number row by row",
        "return int(places[book[text]])",
        "return int(book[text])",
    ),
    (
        "play_from_book",
        "the views are the four quarter turns of the board",
        "for flip in (False, True):",
        "for flip in (False,):",
    ),
    (
        "play_from_book",
        "the symbols are ordered as the cells are, 0 1 2, so the smallest array is taken",
        "if found is None or text < found[0]:",
        "if found is None or text.replace('O', 'Y') < found[0].replace('O', 'Y'):",
    ),
]
