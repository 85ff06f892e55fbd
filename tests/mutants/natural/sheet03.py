"""Slips of a writer who knew only the text of sheet 03."""

ANSWERS = {
    "best_columns": """import numpy as np


def best_columns(q, q_mirrored, boards):
    boards = np.asarray(boards)
    mean = (np.asarray(q) + np.asarray(q_mirrored)[:, ::-1]) / 2
    stones = (boards != 0).sum(axis=(1, 2))
    sign = np.where(stones % 2 == 0, 1.0, -1.0)
    mine = mean * sign[:, None]
    free = boards[:, 0] == 0
    mine = np.where(free, mine, -np.inf)
    return mine.argmax(axis=1)
""",
    "double_targets": """import numpy as np


def double_targets(reward, done, boards, q_online, q_target, gamma):
    boards = np.asarray(boards)
    done = np.asarray(done, bool)
    free = boards[:, 0, :] == 0
    choice = np.where(free, q_online, -np.inf).argmax(axis=1)
    worth = np.asarray(q_target)[np.arange(len(boards)), choice]
    return np.asarray(reward, float) - np.where(done, 0.0, gamma * worth)
""",
    "gradients": """import numpy as np


def gradients(x, W1, b1, W2, b2, actions, targets):
    B = len(x)
    z = x @ W1 + b1
    h = np.maximum(0, z)
    q = h @ W2 + b2
    rows = np.arange(B)
    e = q[rows, actions] - targets
    dq = np.zeros_like(q)
    dq[rows, actions] = np.clip(e, -1, 1) / B
    dW2 = h.T @ dq
    db2 = dq.sum(axis=0)
    dz = (dq @ W2.T) * (z > 0)
    dW1 = x.T @ dz
    db1 = dz.sum(axis=0)
    return dW1, db1, dW2, db2
""",
    "memory": """import numpy as np


class Memory:
    def __init__(self, capacity):
        self.capacity = capacity
        self.items = []
        self.weights = []

    def add(self, transition, priority):
        if len(self.items) == self.capacity:
            self.items.pop(0)
            self.weights.pop(0)
        self.items.append(transition)
        self.weights.append(float(priority))

    def sample(self, n, rng):
        p = np.array(self.weights)
        p = p / p.sum()
        places = rng.choice(len(p), size=n, p=p)
        return [self.items[i] for i in places]
""",
    "learn": """import numpy as np


def learn(weights, batches, every, rate, gamma):
    weights = np.array(weights, float)
    target = weights.copy()
    for step in range(len(batches["x"])):
        if step % every == 0:
            target = weights.copy()
        x, action, reward, done, x_next = (batches[name][step] for name in ("x", "action", "reward", "done", "x_next"))
        best = (x_next @ target).max(axis=1)
        wanted = reward + gamma * np.where(done, 0.0, best)
        error = (x @ weights)[np.arange(len(x)), action] - wanted
        for row in range(len(x)):
            weights[:, action[row]] -= rate * error[row] * x[row] / len(x)
    return weights
""",
}
SLIPS = [
    (
        "best_columns",
        "row 0 is the bottom and the top cell is row 5",
        "free = boards[:, 0] == 0",
        "free = boards[:, 5] == 0",
    ),
    (
        "best_columns",
        "the network speaks for the player to move, everyone takes the largest",
        "mine = mean * sign[:, None]",
        "mine = mean",
    ),
    (
        "best_columns",
        "whose turn it is is the same for the whole batch, so I count the stones of the first board",
        "stones = (boards != 0).sum(axis=(1, 2))",
        "stones = np.full(len(boards), (boards[0] != 0).sum())",
    ),
    (
        "best_columns",
        "full columns are sorted out first, and only then the sign of the player is multiplied",
        "    mine = mean * sign[:, None]\n    free = boards[:, 0] == 0\n    mine = np.where(free, mine, -np.inf)\n",
        "    free = boards[:, 0] == 0\n    mine = np.where(free, mean, -np.inf) * sign[:, None]\n",
    ),
    (
        "double_targets",
        "double Q-learning takes the target network to choose and the online network to value",
        "    choice = np.where(free, q_online, -np.inf).argmax(axis=1)\n    worth = np.asarray(q_target)[np.arange(len(boards)), choice]\n",
        "    choice = np.where(free, q_target, -np.inf).argmax(axis=1)\n    worth = np.asarray(q_online)[np.arange(len(boards)), choice]\n",
    ),
    (
        "double_targets",
        "the opponent wants my worst, so the online network's smallest is chosen",
        "choice = np.where(free, q_online, -np.inf).argmax(axis=1)",
        "choice = np.where(free, q_online, np.inf).argmin(axis=1)",
    ),
    (
        "double_targets",
        "the target is the plain maximum of the target network over the open columns",
        "worth = np.asarray(q_target)[np.arange(len(boards)), choice]",
        "worth = np.where(free, q_target, -np.inf).max(axis=1)",
    ),
    (
        "double_targets",
        "the game is over where somebody has won, so where there is a reward",
        "np.where(done, 0.0, gamma * worth)",
        "np.where(np.asarray(reward) != 0, 0.0, gamma * worth)",
    ),
    (
        "gradients",
        "the loss is the sum over the rows",
        "np.clip(e, -1, 1) / B",
        "np.clip(e, -1, 1)",
    ),
    (
        "gradients",
        "the error is squared, its slope is e; outside 1 only its size is flattened to +1",
        "np.clip(e, -1, 1) / B",
        "np.where(np.abs(e) <= 1, e, 1.0) / B",
    ),
    (
        "gradients",
        "the ReLU is felt where the answer that comes back is positive",
        "* (z > 0)",
        "* (dq @ W2.T > 0)",
    ),
    (
        "memory",
        "when the memory is full the transition with the smallest priority leaves",
        "            self.items.pop(0)\n            self.weights.pop(0)\n",
        "            worst = int(np.argmin(self.weights))\n            self.items.pop(worst)\n            self.weights.pop(worst)\n",
    ),
    (
        "memory",
        "a sample has no repetitions, at most what is there",
        "places = rng.choice(len(p), size=n, p=p)",
        "places = rng.choice(len(p), size=min(n, len(p)), replace=False, p=p)",
    ),
    (
        "memory",
        "the oldest leaves when more than capacity are in it, checked before the new one is added",
        "if len(self.items) == self.capacity:",
        "if len(self.items) > self.capacity:",
    ),
    (
        "learn",
        "a copy is due after every `every` steps, the first steps have the start as the target, counted from 1",
        "if step % every == 0:",
        "if step % every == every - 1:",
    ),
]
