"""Slips of a writer who knew only the text of sheet 03."""

ANSWERS = {
    "best_columns": """import numpy as np


def best_columns(q, q_mirrored, boards):
    mean = (q + q_mirrored[:, ::-1]) / 2
    stones = (boards > 0).sum(axis=(1, 2))
    sign = np.where(stones % 2 == 0, 1.0, -1.0)
    mine = mean * sign[:, None]
    open_columns = boards[:, 0] == 0
    return np.where(open_columns, mine, -np.inf).argmax(axis=1)
""",
    "double_targets": """import numpy as np


def double_targets(reward, done, boards, q_online, q_target, gamma):
    open_columns = boards[:, 0] == 0
    chosen = np.where(open_columns, q_online, -np.inf).argmax(axis=1)
    value = q_target[np.arange(len(chosen)), chosen]
    return reward - gamma * np.where(done, 0.0, value)
""",
    "gradients": """import numpy as np


def gradients(x, W1, b1, W2, b2, actions, targets):
    B = len(x)
    z = x @ W1 + b1
    h = np.maximum(0, z)
    q = h @ W2 + b2
    rows = np.arange(B)
    error = q[rows, actions] - targets
    d = np.zeros(q.shape)
    d[rows, actions] = np.clip(error, -1, 1) / B
    dW2 = h.T @ d
    db2 = d.sum(axis=0)
    dh = (d @ W2.T) * (z > 0)
    dW1 = x.T @ dh
    db1 = dh.sum(axis=0)
    return dW1, db1, dW2, db2
""",
    "memory": """import numpy as np


class Memory:
    def __init__(self, capacity):
        self.capacity = capacity
        self.transitions = []
        self.priorities = []

    def add(self, transition, priority):
        self.transitions.append(transition)
        self.priorities.append(priority)
        if len(self.transitions) > self.capacity:
            self.transitions.pop(0)
            self.priorities.pop(0)

    def sample(self, n, rng):
        p = np.array(self.priorities, float)
        places = rng.choice(len(p), size=n, p=p / p.sum())
        return [self.transitions[i] for i in places]
""",
    "learn": """import numpy as np


def learn(weights, batches, every, rate, gamma):
    weights = weights.copy()
    target = weights.copy()
    for step in range(len(batches["x"])):
        if step % every == 0:
            target = weights.copy()  # a new copy is due
        x, action, reward, done, x_next = (batches[name][step] for name in ("x", "action", "reward", "done", "x_next"))
        wanted = reward + gamma * (x_next @ target).max(axis=1) * ~done
        error = (x @ weights)[np.arange(len(x)), action] - wanted
        for row in range(len(x)):
            weights[:, action[row]] -= rate * error[row] * x[row] / len(x)
    return weights
""",
}
SLIPS = [
    (
        "best_columns",
        "I counted the stones with boards.sum(), where the second player's stones count two.",
        "(boards > 0).sum(axis=(1, 2))",
        "boards.sum(axis=(1, 2))",
    ),
    (
        "best_columns",
        "Read over 'column 0 of the mirror image first' and took the mean of the two "
        "answers column by column.",
        "q_mirrored[:, ::-1]",
        "q_mirrored",
    ),
    (
        "best_columns",
        "The second player takes the smallest; but the full columns had been put to "
        "-infinity for both.",
        "    mine = mean * sign[:, None]\n"
        "    open_columns = boards[:, 0] == 0\n"
        "    return np.where(open_columns, mine, -np.inf).argmax(axis=1)",
        "    open_columns = boards[:, 0] == 0\n"
        "    masked = np.where(open_columns, mean, -np.inf)\n"
        "    return np.where(sign > 0, masked.argmax(axis=1), masked.argmin(axis=1))",
    ),
    (
        "double_targets",
        "The target network chooses the reply and the online network says what it is "
        "worth (wrong way round).",
        "    chosen = np.where(open_columns, q_online, -np.inf).argmax(axis=1)\n"
        "    value = q_target[",
        "    chosen = np.where(open_columns, q_target, -np.inf).argmax(axis=1)\n"
        "    value = q_online[",
    ),
    (
        "double_targets",
        "The opponent moves next and wants what is bad for me, so the reply is the argmin.",
        "np.where(open_columns, q_online, -np.inf).argmax(axis=1)",
        "np.where(open_columns, q_online, np.inf).argmin(axis=1)",
    ),
    (
        "double_targets",
        "A game is over when somebody got a reward; I forgot the full board.",
        "np.where(done, 0.0, value)",
        "np.where(reward != 0, 0.0, value)",
    ),
    (
        "gradients",
        "The slope of |e| - 1/2 is 1 (forgot that it is -1 on the left).",
        "np.clip(error, -1, 1) / B",
        "np.where(np.abs(error) <= 1, error, 1.0) / B",
    ),
    (
        "gradients",
        "Backwards through the ReLU I applied the ReLU to what comes back, instead "
        "of cutting where the neuron was cut.",
        "dh = (d @ W2.T) * (z > 0)",
        "dh = np.maximum(0, d @ W2.T)",
    ),
    (
        "gradients",
        "The biases get the mean over the rows, because the loss is a mean (but d is "
        "divided by B already).",
        "    db2 = d.sum(axis=0)",
        "    db2 = d.mean(axis=0)",
    ),
    (
        "memory",
        "A full memory lets the least important transition go (half remembered from "
        "another paper).",
        "            self.transitions.pop(0)\n            self.priorities.pop(0)",
        "            worst = self.priorities.index(min(self.priorities))\n"
        "            self.transitions.pop(worst)\n"
        "            self.priorities.pop(worst)",
    ),
    (
        "memory",
        "A newcomer takes the oldest one's place in the list, at a position that I "
        "forgot to move on, so the second newcomer pushes out the first.",
        "            self.transitions.pop(0)\n            self.priorities.pop(0)",
        "            self.transitions[0] = self.transitions.pop()\n"
        "            self.priorities[0] = self.priorities.pop()",
    ),
    (
        "learn",
        "I repaired the condition of the copy but did not think of the caller's weights.",
        "    weights = weights.copy()\n",
        "",
    ),
    (
        "learn",
        "A copy every `every` steps is due at the last step of each block: (step + 1) % every.",
        "if step % every == 0:",
        "if (step + 1) % every == 0:",
    ),
    (
        "learn",
        "I copied the weights at the start for the caller, and thought that target = "
        "weights is then a copy too.",
        "target = weights.copy()  # a new copy is due",
        "target = weights",
    ),
]
