"""Answers to sheet 03 as students write them: RIGHT[task] -> sources, WRONG[task] ->
(mistake it must be told, source).

A wrong answer is a right one with one slip; `slip(source, old, new)` shows which. No answer looks
at the course's oracle, but those that are handed in as the reference itself.
"""

from rlcourse.grading.answers import slip

# --- best_columns ---------------------------------------------------------------------------------

COLUMNS_ARRAYS = """
import numpy as np

def best_columns(q, q_mirrored, boards):
    value = (q + q_mirrored[:, ::-1]) / 2
    stones = (boards != 0).sum(axis=(1, 2))
    sign = np.where(stones % 2 == 0, 1, -1)
    mine = sign[:, None] * value
    mine[boards[:, 0] != 0] = -np.inf
    return mine.argmax(axis=1)
"""

COLUMNS_LOOPS = """
def best_columns(q, q_mirrored, boards):
    chosen = []
    for b, board in enumerate(boards):
        first, second = (board == 1).sum(), (board == 2).sum()
        best, best_value = None, None
        for column in range(7):
            if board[0, column] != 0:
                continue
            value = q[b, column] + q_mirrored[b, 6 - column]
            if first > second:
                value = -value
            if best is None or value > best_value:
                best, best_value = column, value
        chosen.append(best)
    return chosen
"""

COLUMNS_MINMAX = """
import numpy as np

def best_columns(q, q_mirrored, boards):
    mean = np.mean([q, np.flip(q_mirrored, axis=1)], axis=0)
    masked = np.ma.array(mean, mask=boards[:, 0] != 0)
    first_moves = np.count_nonzero(boards.reshape(len(boards), -1), axis=1) % 2 == 0
    return np.where(first_moves, masked.argmax(axis=1), masked.argmin(axis=1))
"""

COLUMNS_RIGHT = [COLUMNS_ARRAYS, COLUMNS_LOOPS, COLUMNS_MINMAX]
COLUMNS_WRONG = [
    ("rows_turned", slip(COLUMNS_ARRAYS, ("q_mirrored[:, ::-1]", "q_mirrored[::-1]"))),
    (
        "board_turned",
        slip(COLUMNS_ARRAYS, ("(q + q_mirrored[:, ::-1])", "(q[:, ::-1] + q_mirrored)")),
    ),
    ("sign", slip(COLUMNS_ARRAYS, ("sign[:, None] * value", "value"))),
    ("sign", slip(COLUMNS_LOOPS, ("value = -value", "pass"))),
    ("cells", slip(COLUMNS_ARRAYS, ("(boards != 0).sum", "boards.sum"))),
    (
        "one_parity",
        slip(
            COLUMNS_ARRAYS,
            ("(boards != 0).sum(axis=(1, 2))", "np.full(len(boards), (boards != 0).sum())"),
        ),
    ),
    (
        "first_board",
        slip(
            COLUMNS_ARRAYS,
            ("(boards != 0).sum(axis=(1, 2))", "np.full(len(boards), (boards[0] != 0).sum())"),
        ),
    ),
    (
        "other",
        slip(
            COLUMNS_ARRAYS,
            ("    return mine.argmax(axis=1)", "    return np.maximum(mine.argmax(axis=1), 1)"),
        ),
    ),
    (
        "changed",
        slip(
            COLUMNS_ARRAYS,
            ("    value =", "    q_mirrored[:] = q_mirrored[:, ::-1]\n    value ="),
            ("q_mirrored[:, ::-1]) / 2", "q_mirrored) / 2"),
        ),
    ),
    ("player", slip(COLUMNS_ARRAYS, ("stones % 2 == 0, 1, -1", "stones % 2 == 1, 1, -1"))),
    ("mask", slip(COLUMNS_ARRAYS, ("    mine[boards[:, 0] != 0] = -np.inf\n", ""))),
    (
        "mask_first",
        slip(
            COLUMNS_ARRAYS,
            ("    mine[boards[:, 0] != 0] = -np.inf\n", ""),
            (
                "    stones =",
                "    value = np.where(boards[:, 0] == 0, value, -np.inf)\n    stones =",
            ),
        ),
    ),
    ("zero", slip(COLUMNS_ARRAYS, ("= -np.inf", "= 0"))),
    (
        "short_list",
        slip(
            COLUMNS_ARRAYS,
            (
                "    mine[boards[:, 0] != 0] = -np.inf\n    return mine.argmax(axis=1)",
                "    legal = boards[:, 0] == 0\n"
                "    return [row[open_columns].argmax() for row, open_columns in zip(mine, legal)]",
            ),
        ),
    ),
    ("bottom", slip(COLUMNS_ARRAYS, ("boards[:, 0]", "boards[:, 5]"))),
    ("unturned", slip(COLUMNS_ARRAYS, ("q_mirrored[:, ::-1]", "q_mirrored"))),
    ("unturned", slip(COLUMNS_LOOPS, ("q_mirrored[b, 6 - column]", "q_mirrored[b, column]"))),
    ("one_view", slip(COLUMNS_ARRAYS, ("(q + q_mirrored[:, ::-1]) / 2", "q"))),
    (
        "maximum",
        slip(
            COLUMNS_ARRAYS, ("(q + q_mirrored[:, ::-1]) / 2", "np.maximum(q, q_mirrored[:, ::-1])")
        ),
    ),
    ("mirror_sign", slip(COLUMNS_ARRAYS, ("(q + q_m", "(q - q_m"))),
    ("kind", slip(COLUMNS_ARRAYS, ("return mine.argmax(axis=1)", "print(mine.argmax(axis=1))"))),
    ("imported", "from rlcourse.checks.oracle03 import best_columns"),
    ("mask_turned", slip(COLUMNS_ARRAYS, ("boards[:, 0]", "boards[:, 0, ::-1]"))),
    ("other", slip(COLUMNS_ARRAYS, ("= -np.inf", "= -1"))),
    ("other", slip(COLUMNS_ARRAYS, ("boards[:, 0] != 0", "boards[:, 0] == 1"))),
    ("other", slip(COLUMNS_ARRAYS, ("boards[:, 0]", "boards[:, 1]"))),
]

# --- double_targets -------------------------------------------------------------------------------

TARGETS_ARRAYS = """
import numpy as np

def double_targets(reward, done, boards, q_online, q_target, gamma):
    legal = boards[:, 0] == 0
    chosen = np.where(legal, q_online, -np.inf).argmax(axis=1)
    value = q_target[np.arange(len(reward)), chosen]
    return np.where(done, reward, reward - gamma * value)
"""

TARGETS_LOOPS = """
def double_targets(reward, done, boards, q_online, q_target, gamma):
    targets = []
    for r, over, board, online, target in zip(reward, done, boards, q_online, q_target):
        if not over:
            open_columns = [c for c in range(7) if board[0][c] == 0]
            reply = max(open_columns, key=lambda c: online[c])
            r = r - gamma * target[reply]
        targets.append(r)
    return targets
"""

TARGETS_TAKE = """
import numpy as np
import warnings

def double_targets(reward, done, boards, q_online, q_target, gamma):
    warnings.warn("this answer is right and noisy")
    q = q_online.copy()
    q[boards[:, 0, :] > 0] = -1e9
    future = np.take_along_axis(q_target, np.argmax(q, axis=1)[:, None], axis=1)[:, 0]
    return reward + (1 - done.astype(int)) * -1.0 * gamma * future
"""

TARGETS_RIGHT = [TARGETS_ARRAYS, TARGETS_LOOPS, TARGETS_TAKE]
TARGETS_WRONG = [
    ("sign", slip(TARGETS_ARRAYS, ("reward - gamma", "reward + gamma"))),
    ("sign", slip(TARGETS_LOOPS, ("r - gamma", "r + gamma"))),
    (
        "bootstrap",
        slip(
            TARGETS_ARRAYS,
            ("np.where(done, reward, reward - gamma * value)", "reward - gamma * value"),
        ),
    ),
    ("bootstrap", slip(TARGETS_TAKE, ("(1 - done.astype(int)) * ", ""))),
    ("mask", slip(TARGETS_ARRAYS, ("np.where(legal, q_online, -np.inf)", "q_online"))),
    ("zero", slip(TARGETS_ARRAYS, ("np.where(legal, q_online, -np.inf)", "(q_online * legal)"))),
    (
        "short_list",
        slip(
            TARGETS_LOOPS,
            (
                "reply = max(open_columns, key=lambda c: online[c])",
                "values = [online[c] for c in open_columns]\n"
                "            reply = values.index(max(values))",
            ),
        ),
    ),
    ("bottom", slip(TARGETS_ARRAYS, ("boards[:, 0]", "boards[:, -1]"))),
    ("gamma", slip(TARGETS_ARRAYS, ("gamma * value", "0.9 * value"))),
    (
        "way_reward",
        slip(
            TARGETS_ARRAYS,
            (
                "np.where(done, reward, reward - gamma * value)",
                "np.where(done, reward, -gamma * value)",
            ),
        ),
    ),
    ("way_reward", slip(TARGETS_LOOPS, ("r = r - gamma", "r = -gamma"))),
    (
        "not_finite",
        slip(
            TARGETS_ARRAYS,
            (
                "value = q_target[np.arange(len(reward)), chosen]",
                "value = np.where(legal, q_target, -np.inf)[np.arange(len(reward)), chosen]",
            ),
            ("np.where(done, reward, reward - gamma * value)", "reward - gamma * value * ~done"),
        ),
    ),
    ("changed", slip(TARGETS_TAKE, ("q = q_online.copy()", "q = q_online"))),
    (
        "changed",
        slip(
            TARGETS_ARRAYS,
            (
                "    return np.where",
                "    reward[done] += 0.0\n"
                "    reward[~done] -= gamma * value[~done]\n"
                "    return reward\n"
                "    return np.where",
            ),
        ),
    ),
    (
        "raised an error",
        slip(
            TARGETS_LOOPS,
            (
                "        if not over:\n            open_columns",
                "        if True:\n            open_columns",
            ),
            ("r = r - gamma * target[reply]", "r = r - (not over) * gamma * target[reply]"),
        ),
    ),
    ("single", slip(TARGETS_ARRAYS, ("np.where(legal, q_online,", "np.where(legal, q_target,"))),
    ("single", slip(TARGETS_LOOPS, ("key=lambda c: online[c]", "key=lambda c: target[c]"))),
    ("online", slip(TARGETS_ARRAYS, ("value = q_target[", "value = q_online["))),
    (
        "swapped",
        slip(
            TARGETS_ARRAYS,
            ("np.where(legal, q_online,", "np.where(legal, q_target,"),
            ("value = q_target[", "value = q_online["),
        ),
    ),
    ("opponent_minimises", slip(TARGETS_LOOPS, ("max(open_columns", "min(open_columns"))),
    ("shape", slip(TARGETS_TAKE, ("[:, 0]\n", "\n"))),
    (
        "imported",
        "import rlcourse.checks.oracle03 as answers\n"
        "def double_targets(*args):\n"
        "    return answers.double_targets(*args)",
    ),
    ("smaller", slip(TARGETS_ARRAYS, ("q_target[np", "np.minimum(q_target, q_online)[np"))),
    (
        "gamma_reward",
        slip(TARGETS_ARRAYS, ("reward - gamma * value)", "gamma * (reward - value))")),
    ),
    ("other", slip(TARGETS_ARRAYS, ("boards[:, 0]", "boards[:, 1]"))),
    (
        "other",
        slip(
            TARGETS_ARRAYS, ("np.where(legal, q_online, -np.inf)", "np.where(legal, q_online, -1)")
        ),
    ),
    ("other", slip(TARGETS_ARRAYS, ("gamma * value)", "np.clip(gamma * value, -1, 1))"))),
    ("rewarded", slip(TARGETS_ARRAYS, ("np.where(done,", "np.where(reward != 0,"))),
    (
        "shape",
        slip(
            TARGETS_ARRAYS,
            (
                "return np.where(done, reward, reward - gamma * value)",
                "return np.squeeze(np.where(done, reward, reward - gamma * value))",
            ),
        ),
    ),
    (
        "lost_reward",
        slip(TARGETS_ARRAYS, ("np.where(done, reward, reward", "np.where(done, 0.0, reward")),
    ),
]

# --- gradients ------------------------------------------------------------------------------------

GRADIENTS_ARRAYS = """
import numpy as np

def gradients(x, W1, b1, W2, b2, actions, targets):
    B = len(x)
    z = x @ W1 + b1
    hidden = np.maximum(z, 0)
    q = hidden @ W2 + b2
    error = q[np.arange(B), actions] - targets
    d_q = np.zeros_like(q)
    d_q[np.arange(B), actions] = np.clip(error, -1, 1) / B
    d_z = (d_q @ W2.T) * (z > 0)
    return x.T @ d_z, d_z.sum(axis=0), hidden.T @ d_q, d_q.sum(axis=0)
"""

GRADIENTS_LOOPS = """
import numpy as np

def gradients(x, W1, b1, W2, b2, actions, targets):
    g1, gb1, g2, gb2 = (np.zeros(w.shape) for w in (W1, b1, W2, b2))
    for row, a, wanted in zip(x, actions, targets):
        hidden = [max(0.0, row @ W1[:, j] + b1[j]) for j in range(len(b1))]
        error = sum(h * w for h, w in zip(hidden, W2[:, a])) + b2[a] - wanted
        slope = error if abs(error) <= 1 else (1 if error > 0 else -1)
        gb2[a] += slope
        for j, h in enumerate(hidden):
            g2[j, a] += slope * h
            if h > 0:
                gb1[j] += slope * W2[j, a]
                g1[:, j] += slope * W2[j, a] * row
    return [g / len(x) for g in (g1, gb1, g2, gb2)]
"""

GRADIENTS_MEASURED = """
import numpy as np

def gradients(x, W1, b1, W2, b2, actions, targets):
    def loss(W1, b1, W2, b2):
        q = np.maximum(x @ W1 + b1, 0) @ W2 + b2
        error = np.abs(q[np.arange(len(x)), actions] - targets)
        return np.mean(np.where(error < 1, error ** 2 / 2, error - 0.5))

    weights = [np.array(w, float) for w in (W1, b1, W2, b2)]
    measured = []
    for w in weights:
        g = np.zeros(w.shape)
        for place in np.ndindex(w.shape):
            kept = w[place]
            w[place] = kept + 1e-5
            up = loss(*weights)
            w[place] = kept - 1e-5
            g[place] = (up - loss(*weights)) / 2e-5
            w[place] = kept
        measured.append(g)
    return tuple(measured)
"""

GRADIENTS_RIGHT = [GRADIENTS_ARRAYS, GRADIENTS_LOOPS, GRADIENTS_MEASURED]
GRADIENTS_WRONG = [
    ("upper_only", slip(GRADIENTS_ARRAYS, ("np.clip(error, -1, 1)", "np.minimum(error, 1)"))),
    ("mean_b1", slip(GRADIENTS_ARRAYS, ("d_z.sum(axis=0)", "d_z.mean(axis=0)"))),
    ("mean_b2", slip(GRADIENTS_ARRAYS, ("d_q.sum(axis=0)", "d_q.mean(axis=0)"))),
    (
        "all_actions",
        slip(
            GRADIENTS_ARRAYS,
            ("error = q[np.arange(B), actions] - targets", "error = q - targets[:, None]"),
            ("d_q[np.arange(B), actions] = ", "d_q = "),
        ),
    ),
    (
        "greedy",
        slip(GRADIENTS_ARRAYS, ("    error =", "    actions = q.argmax(axis=1)\n    error =")),
    ),
    ("squared", slip(GRADIENTS_ARRAYS, ("np.clip(error, -1, 1)", "error"))),
    (
        "squared",
        slip(
            GRADIENTS_MEASURED,
            (
                "np.mean(np.where(error < 1, error ** 2 / 2, error - 0.5))",
                "np.mean(error ** 2 / 2)",
            ),
        ),
    ),
    (
        "slope",
        slip(GRADIENTS_ARRAYS, ("np.clip(error, -1, 1)", "np.where(abs(error) <= 1, error, 1)")),
    ),
    ("slope", slip(GRADIENTS_LOOPS, ("(1 if error > 0 else -1)", "1"))),
    (
        "changed",
        slip(
            GRADIENTS_ARRAYS,
            (
                "    hidden = np.maximum(z, 0)",
                "    b1 += 0.0\n    W1 *= 1 + 1e-12\n    hidden = np.maximum(z, 0)",
            ),
        ),
    ),
    (
        "height",
        slip(
            GRADIENTS_ARRAYS,
            (
                "np.clip(error, -1, 1)",
                "np.where(abs(error) <= 1, error**2 / 2, abs(error) - 0.5)",
            ),
        ),
    ),
    (
        "mean_biases",
        slip(
            GRADIENTS_ARRAYS,
            (
                "d_z.sum(axis=0), hidden.T @ d_q, d_q.sum(",
                "d_z.mean(axis=0), hidden.T @ d_q, d_q.mean(",
            ),
        ),
    ),
    ("relu", slip(GRADIENTS_ARRAYS, (" * (z > 0)", ""))),
    ("linear", slip(GRADIENTS_ARRAYS, (" * (z > 0)", ""), ("np.maximum(z, 0)", "z"))),
    (
        "sum",
        slip(GRADIENTS_LOOPS, ("[g / len(x) for g in (g1, gb1, g2, gb2)]", "g1, gb1, g2, gb2")),
    ),
    (
        "mean_all",
        slip(GRADIENTS_ARRAYS, ("np.clip(error, -1, 1) / B", "np.clip(error, -1, 1) / q.size")),
    ),
    (
        "sign",
        slip(
            GRADIENTS_ARRAYS,
            ("q[np.arange(B), actions] - targets", "targets - q[np.arange(B), actions]"),
        ),
    ),
    (
        "twice",
        slip(GRADIENTS_ARRAYS, ("np.clip(error, -1, 1) / B", "2 * np.clip(error, -1, 1) / B")),
    ),
    (
        "shape",
        slip(
            GRADIENTS_ARRAYS,
            (
                "return x.T @ d_z, d_z.sum(axis=0), hidden.T @ d_q, d_q.sum(axis=0)",
                "return x.T @ d_z, hidden.T @ d_q",
            ),
        ),
    ),
    (
        "imported",
        "def gradients(*args):\n"
        "    from rlcourse.checks import reference03\n"
        "    return reference03.gradients(*args)",
    ),
    ("other", slip(GRADIENTS_ARRAYS, ("/ B\n", "/ 5\n"))),
    ("raised an error", slip(GRADIENTS_ARRAYS, ("np.zeros_like(q)", "np.zeros((B, 3))"))),
    ("other", slip(GRADIENTS_ARRAYS, ("np.clip(error, -1, 1)", "error * (abs(error) <= 1)"))),
    ("uncut", slip(GRADIENTS_ARRAYS, ("hidden.T @ d_q", "z.T @ d_q"))),
    (
        "positive",
        slip(GRADIENTS_ARRAYS, ("(d_q @ W2.T) * (z > 0)", "np.maximum(d_q @ W2.T, 0)")),
    ),
]

# --- Memory ---------------------------------------------------------------------------------------

MEMORY_LISTS = """
import numpy as np

class Memory:
    def __init__(self, capacity):
        self.capacity = capacity
        self.items, self.priorities = [], []

    def add(self, transition, priority):
        self.items.append(transition)
        self.priorities.append(priority)
        if len(self.items) > self.capacity:
            self.items.pop(0)
            self.priorities.pop(0)

    def sample(self, n, rng):
        p = np.array(self.priorities) / sum(self.priorities)
        return [self.items[k] for k in rng.choice(len(self.items), size=n, p=p)]
"""

MEMORY_RING = """
import numpy as np

class Memory:
    def __init__(self, capacity):
        self.items = [None] * capacity
        self.priorities = np.zeros(capacity)
        self.added = 0

    def add(self, transition, priority):
        place = self.added % len(self.items)
        self.items[place] = transition
        self.priorities[place] = priority
        self.added += 1

    def sample(self, n, rng):
        bounds = np.cumsum(self.priorities)
        places = np.searchsorted(bounds, rng.random(n) * bounds[-1], side="right")
        return [self.items[place] for place in places]
"""

MEMORY_DEQUE = """
from collections import deque

class Memory:
    def __init__(self, capacity):
        self.pairs = deque(maxlen=capacity)

    def add(self, transition, priority):
        self.pairs.append((priority, transition))
        return len(self.pairs)

    def sample(self, n, rng):
        drawn = []
        while len(drawn) < n:  # throw a dart: keep a candidate as often as its priority says
            priority, transition = self.pairs[rng.integers(len(self.pairs))]
            if rng.uniform(0, max(self.pairs)[0]) < priority:
                drawn.append(transition)
        return tuple(drawn)
"""

MEMORY_RIGHT = [MEMORY_LISTS, MEMORY_RING, MEMORY_DEQUE]
MEMORY_WRONG = [
    (
        "newest",
        slip(
            MEMORY_LISTS,
            (
                "[self.items[k] for k in rng.choice(len(self.items), size=n, p=p)]",
                "self.items[-n:]",
            ),
        ),
    ),
    (
        "newest",
        slip(
            MEMORY_LISTS,
            (
                "[self.items[k] for k in rng.choice(len(self.items), size=n, p=p)]",
                "[self.items[-1]] * n",
            ),
        ),
    ),
    (
        "power",
        slip(
            MEMORY_RING,
            ("self.priorities[place] = priority", "self.priorities[place] = priority**0.6"),
        ),
    ),
    (
        "softmax",
        slip(
            MEMORY_LISTS,
            (
                "np.array(self.priorities) / sum(self.priorities)",
                "np.exp(self.priorities)\n        p /= p.sum()",
            ),
        ),
    ),
    (
        "shared",
        slip(
            MEMORY_LISTS,
            ("        self.items, self.priorities = [], []\n", ""),
            ("class Memory:\n", "class Memory:\n    items, priorities = [], []\n\n"),
        ),
    ),
    ("uniform", slip(MEMORY_LISTS, ("size=n, p=p", "size=n"))),
    ("shape", slip(MEMORY_LISTS, ("size=n, p=p", "size=min(n, len(p)), replace=False, p=p"))),
    (
        "greedy",
        slip(MEMORY_LISTS, ("rng.choice(len(self.items), size=n, p=p)", "[int(np.argmax(p))] * n")),
    ),
    (
        "one_more",
        slip(
            MEMORY_LISTS, ("len(self.items) > self.capacity", "len(self.items) > self.capacity + 1")
        ),
    ),
    (
        "torn",
        slip(MEMORY_LISTS, ("self.items.pop(0)", "self.items.pop()")),
    ),
    ("places", slip(MEMORY_LISTS, ("[self.items[k] for k in rng", "[int(k) for k in rng"))),
    ("no_limit", slip(MEMORY_LISTS, ("len(self.items) > self.capacity", "False"))),
    (
        "never_leaves",
        slip(
            MEMORY_LISTS,
            ("self.items.pop(0)", "self.items.pop()"),
            ("self.priorities.pop(0)", "self.priorities.pop()"),
        ),
    ),
    (
        "newest_leaves",
        slip(MEMORY_RING, ("self.added % len(self.items)", "min(self.added, len(self.items) - 1)")),
    ),
    (
        "least_leaves",
        slip(
            MEMORY_LISTS,
            (
                "            self.items.pop(0)\n            self.priorities.pop(0)",
                "            k = int(np.argmin(self.priorities[:-1]))\n"
                "            self.items.pop(k)\n"
                "            self.priorities.pop(k)",
            ),
        ),
    ),
    (
        "least_of_all",
        slip(
            MEMORY_LISTS,
            (
                "            self.items.pop(0)\n            self.priorities.pop(0)",
                "            worst = self.priorities.index(min(self.priorities))\n"
                "            del self.items[worst], self.priorities[worst]",
            ),
        ),
    ),
    (
        "stale",
        slip(
            MEMORY_RING,
            (
                "self.priorities[place] = priority",
                "self.priorities[place] = self.priorities[place] or priority",
            ),
        ),
    ),
    ("empty", slip(MEMORY_RING, ("np.zeros(capacity)", "np.ones(capacity)"))),
    (
        "empty",
        slip(
            MEMORY_RING,
            ("[None] * capacity", "np.zeros(capacity)"),
            ("np.zeros(capacity)\n        self.added", "np.ones(capacity)\n        self.added"),
        ),
    ),
    (
        "rng",
        slip(
            MEMORY_LISTS,
            ("        p = np", "        rng = np.random.default_rng()\n        p = np"),
        ),
    ),
    ("rng", slip(MEMORY_LISTS, ("rng.choice", "np.random.choice"))),
    (
        "rng",
        "import random\n"
        + slip(
            MEMORY_LISTS,
            (
                "[self.items[k] for k in rng.choice(len(self.items), size=n, p=p)]",
                "random.choices(self.items, self.priorities, k=n)",
            ),
        ),
    ),
    (
        "rng",
        slip(
            MEMORY_RING,
            (
                "        self.added = 0",
                "        self.added = 0\n        self.rng = np.random.default_rng(0)",
            ),
            ("rng.random(n)", "self.rng.random(n)"),
        ),
    ),
    (
        "rng",
        "import time\n"
        + slip(MEMORY_RING, ("rng.random(n)", "np.random.default_rng(time.time_ns()).random(n)")),
    ),
    (
        "rng",
        "import secrets\n"
        + slip(
            MEMORY_DEQUE, ("rng.integers(len(self.pairs))", "secrets.randbelow(len(self.pairs))")
        ),
    ),
    ("raised an error", slip(MEMORY_LISTS, ("size=n, p=p", "size=n, p=p, replace=False"))),
    (
        "repeated",
        slip(
            MEMORY_LISTS,
            ("        p = np", "        rng = np.random.default_rng(5)\n        p = np"),
        ),
    ),
    (
        "distribution",
        slip(
            MEMORY_LISTS,
            (
                "np.array(self.priorities) / sum(self.priorities)",
                "np.array(self.priorities) ** 2\n        p /= p.sum()",
            ),
        ),
    ),
    ("kind", slip(MEMORY_DEQUE, ("        return tuple(drawn)", "        print(drawn[:3])"))),
    (
        "imported",
        "import numpy as np\nfrom rlcourse.checks.oracle03 import memory_chances\n"
        + slip(
            MEMORY_LISTS,
            (
                "np.array(self.priorities) / sum(self.priorities)",
                "memory_chances(self.capacity, np.array(self.priorities))",
            ),
        ),
    ),
]

# --- learn ----------------------------------------------------------------------------------------

LEARN_REPAIRED = """
import numpy as np

def learn(weights, batches, every, rate, gamma):
    weights = weights.copy()
    target = weights.copy()
    for step in range(len(batches["x"])):
        if step % every == 0:
            target = weights.copy()
        x, action, reward, done, x_next = (batches[name][step] for name in ("x", "action", "reward", "done", "x_next"))
        wanted = reward + gamma * (x_next @ target).max(axis=1) * ~done
        error = (x @ weights)[np.arange(len(x)), action] - wanted
        for row in range(len(x)):
            weights[:, action[row]] -= rate * error[row] * x[row] / len(x)
    return weights
"""

LEARN_NO_STEP_IN_PLACE = """
import numpy as np

def learn(weights, batches, every, rate, gamma):
    now = old = weights
    for step, (x, a, r, over, x_next) in enumerate(zip(*[batches[k] for k in ("x", "action", "reward", "done", "x_next")])):
        old = now if step % every == 0 else old
        future = np.where(over, 0.0, np.max(x_next @ old, axis=1))
        chosen = np.eye(now.shape[1])[a]
        error = (x @ now) - (r + gamma * future)[:, None]
        now = now - rate * x.T @ (error * chosen) / len(x)
    return now
"""

LEARN_COUNTDOWN = """
import numpy as np

def learn(weights, batches, every, rate, gamma):
    w, frozen, left = np.array(weights), np.array(weights), every
    for step in range(batches["x"].shape[0]):
        g = np.zeros(w.shape)
        for x, a, r, over, y in zip(*(batches[k][step] for k in ("x", "action", "reward", "done", "x_next"))):
            wanted = r if over else r + gamma * max(y @ frozen)
            g[:, a] += (x @ w[:, a] - wanted) * x
        w -= rate * g / batches["x"].shape[1]
        left -= 1
        if left == 0:
            frozen, left = w.copy(), every
    return w
"""

LEARN_RIGHT = [LEARN_REPAIRED, LEARN_NO_STEP_IN_PLACE, LEARN_COUNTDOWN]
LEARN_AS_GIVEN = slip(
    LEARN_REPAIRED,
    ("    weights = weights.copy()\n    target = weights.copy()", "    target = weights"),
    ("step % every == 0", "step % every == every"),
)
LEARN_WRONG = [
    ("twice", slip(LEARN_REPAIRED, ("-= rate * error", "-= 2 * rate * error"))),
    (
        "double",
        slip(
            LEARN_NO_STEP_IN_PLACE,
            (
                "np.max(x_next @ old, axis=1)",
                "(x_next @ old)[np.arange(len(a)), (x_next @ now).argmax(axis=1)]",
            ),
        ),
    ),
    (
        "same_action",
        slip(
            LEARN_REPAIRED,
            ("(x_next @ target).max(axis=1)", "(x_next @ target)[np.arange(len(x)), action]"),
        ),
    ),
    ("aliased", LEARN_AS_GIVEN),
    (
        "aliased",
        slip(
            LEARN_AS_GIVEN,
            ("    target = weights\n", "    weights = weights.copy()\n    target = weights\n"),
        ),
    ),
    ("aliased", slip(LEARN_NO_STEP_IN_PLACE, ("now if step % every == 0 else old", "now"))),
    ("never", slip(LEARN_AS_GIVEN, ("    target = weights\n", "    target = weights.copy()\n"))),
    ("never", slip(LEARN_REPAIRED, ("step % every == 0", "step % every == every"))),
    (
        "late",
        slip(
            LEARN_COUNTDOWN,
            (
                "        left -= 1\n"
                "        if left == 0:\n"
                "            frozen, left = w.copy(), every",
                "        if step % every == 0:\n            frozen = w.copy()",
            ),
        ),
    ),
    (
        "early",
        slip(LEARN_REPAIRED, ("step % every == 0", "step == 0 or (step + 1) % every == 0")),
    ),
    ("changed", slip(LEARN_REPAIRED, ("    weights = weights.copy()\n", ""))),
    (
        "changed",
        slip(
            LEARN_COUNTDOWN, ("w, frozen, left = np.array(weights),", "w, frozen, left = weights,")
        ),
    ),
    (
        "one_go",
        slip(
            LEARN_REPAIRED,
            (
                "        for row in range(len(x)):\n"
                "            weights[:, action[row]] -= rate * error[row] * x[row] / len(x)",
                "        weights[:, action] -= rate * (error[:, None] * x).T / len(x)",
            ),
        ),
    ),
    (
        "row_by_row",
        slip(
            LEARN_REPAIRED,
            (
                "rate * error[row] * x[row]",
                "rate * (x[row] @ weights[:, action[row]] - wanted[row]) * x[row]",
            ),
        ),
    ),
    (
        "changed",
        slip(LEARN_REPAIRED, ("        wanted =", "        reward *= 1 + 1e-12\n        wanted =")),
    ),
    ("bootstrap", slip(LEARN_REPAIRED, (" * ~done", ""))),
    ("gamma", slip(LEARN_COUNTDOWN, ("gamma * max", "0.9 * max"))),
    ("sum", slip(LEARN_REPAIRED, (" / len(x)", ""))),
    ("imported", "from rlcourse.checks import oracle03\nlearn = oracle03.learn"),
    ("other", slip(LEARN_REPAIRED, ("x[row] / len(x)", "x[row] / 4"))),
    ("raised an error", slip(LEARN_NO_STEP_IN_PLACE, ("np.eye(now.shape[1])[a]", "np.eye(3)[a]"))),
    (
        "double",
        slip(
            LEARN_REPAIRED,
            (
                "(x_next @ target).max(axis=1)",
                "(x_next @ target)[np.arange(len(x)), (x_next @ weights).argmax(axis=1)]",
            ),
        ),
    ),
    (
        "other",
        slip(
            LEARN_REPAIRED,
            ("(x_next @ target).max(axis=1)", "np.maximum((x_next @ target).max(axis=1), 0)"),
        ),
    ),
    ("other", slip(LEARN_REPAIRED, ("step % every == 0", "step % (every + 1) == 0"))),
]

RIGHT = {
    "best_columns": COLUMNS_RIGHT,
    "double_targets": TARGETS_RIGHT,
    "gradients": GRADIENTS_RIGHT,
    "memory": MEMORY_RIGHT,
    "learn": LEARN_RIGHT,
}
WRONG = {
    "best_columns": COLUMNS_WRONG,
    "double_targets": TARGETS_WRONG,
    "gradients": GRADIENTS_WRONG,
    "memory": MEMORY_WRONG,
    "learn": LEARN_WRONG,
}
