"""Slips of a writer who knew only the text of sheet 03."""

ANSWERS = {
    "best_columns": """import numpy as np


def best_columns(q, q_mirrored, boards):
    q, q_mirrored, boards = np.asarray(q, float), np.asarray(q_mirrored, float), np.asarray(boards)
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
    worth = q_target[np.arange(len(chosen)), chosen]
    return np.where(done, reward, reward - gamma * worth)
""",
    "gradients": """import numpy as np


def gradients(x, W1, b1, W2, b2, actions, targets):
    B = len(x)
    rows = np.arange(B)
    z = x @ W1 + b1
    h = np.maximum(0, z)
    q = h @ W2 + b2
    error = q[rows, actions] - targets
    slope = np.clip(error, -1, 1)
    d = np.zeros(q.shape)
    d[rows, actions] = slope / B
    dW2 = h.T @ d
    db2 = d.sum(axis=0)
    back = d @ W2.T
    back = back * (z > 0)
    dW1 = x.T @ back
    db1 = back.sum(axis=0)
    return dW1, db1, dW2, db2
""",
    "memory": """import numpy as np


class Memory:
    def __init__(self, capacity):
        self.capacity = capacity
        self.transitions = []
        self.priorities = []

    def add(self, transition, priority):
        if len(self.transitions) == self.capacity:
            del self.transitions[0]
            del self.priorities[0]
        self.transitions.append(transition)
        self.priorities.append(priority)

    def sample(self, n, rng):
        p = np.array(self.priorities, dtype=float)
        places = rng.choice(len(p), size=n, p=p / p.sum())
        return [self.transitions[place] for place in places]
""",
    "learn": """import numpy as np


def learn(weights, batches, every, rate, gamma):
    weights = np.array(weights, dtype=float)
    target = weights.copy()
    for step in range(len(batches["x"])):
        if step % every == 0:
            target = weights.copy()
        x, action, reward, done, x_next = (batches[name][step] for name in ("x", "action", "reward", "done", "x_next"))
        best = (x_next @ target).max(axis=1)
        wanted = np.where(done, reward, reward + gamma * best)
        error = (x @ weights)[np.arange(len(x)), action] - wanted
        for row in range(len(x)):
            weights[:, action[row]] -= rate * error[row] * x[row] / len(x)
    return weights
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "best_columns",
        "The board holds 1 and 2, and I took whether its sum is even for whether "
        "the number of stones is even.",
        "stones = (boards > 0).sum(axis=(1, 2))",
        "stones = boards.sum(axis=(1, 2))",
    ),
    (
        "best_columns",
        "I put the full columns to -infinity first and turned the sign for the "
        "second player afterwards.",
        """    mine = mean * sign[:, None]
    open_columns = boards[:, 0] == 0
    return np.where(open_columns, mine, -np.inf).argmax(axis=1)""",
        """    open_columns = boards[:, 0] == 0
    mine = np.where(open_columns, mean, -np.inf) * sign[:, None]
    return mine.argmax(axis=1)""",
    ),
    (
        "best_columns",
        "All boards of a batch have the same player to move, so I counted the "
        "stones of the first board only.",
        "sign = np.where(stones % 2 == 0, 1.0, -1.0)",
        "sign = np.where(stones[:1] % 2 == 0, 1.0, -1.0)",
    ),
    (
        "best_columns",
        "I read that the mirrored answers are listed from column 0 on and took "
        "them to be in the board's own order.",
        "q_mirrored[:, ::-1]",
        "q_mirrored",
    ),
    (
        "double_targets",
        "The target network sets the target, so it chooses the reply, and the "
        "online network says what it is worth.",
        """    chosen = np.where(open_columns, q_online, -np.inf).argmax(axis=1)
    worth = q_target[""",
        """    chosen = np.where(open_columns, q_target, -np.inf).argmax(axis=1)
    worth = q_online[""",
    ),
    (
        "double_targets",
        "In the next position the opponent moves, who wants my value small, so I took the argmin.",
        "np.where(open_columns, q_online, -np.inf).argmax(axis=1)",
        "np.where(open_columns, q_online, np.inf).argmin(axis=1)",
    ),
    (
        "double_targets",
        "Behind a finished game nothing comes, so its target is 0.",
        "np.where(done, reward, reward - gamma * worth)",
        "np.where(done, 0.0, reward - gamma * worth)",
    ),
    (
        "gradients",
        "Beyond 1 the Huber loss is a straight line of slope 1, and I forgot that"
        " it is -1 on the other side.",
        "slope = np.clip(error, -1, 1)",
        "slope = np.where(np.abs(error) <= 1, error, 1.0)",
    ),
    (
        "gradients",
        "A neuron that was cut off is one with h below 0, and I tested h >= 0, "
        "which is true everywhere.",
        "back = back * (z > 0)",
        "back = back * (h >= 0)",
    ),
    (
        "gradients",
        "The loss is a mean over the rows, so I took the mean over the rows for the two biases.",
        """    db2 = d.sum(axis=0)
    back = d @ W2.T
    back = back * (z > 0)
    dW1 = x.T @ back
    db1 = back.sum(axis=0)""",
        """    db2 = d.mean(axis=0)
    back = d @ W2.T
    back = back * (z > 0)
    dW1 = x.T @ back
    db1 = back.mean(axis=0)""",
    ),
    (
        "memory",
        "From a full memory the one with the lowest priority leaves, as there is "
        "least to learn from it.",
        """            del self.transitions[0]
            del self.priorities[0]
""",
        """            least = int(np.argmin(self.priorities))
            del self.transitions[least]
            del self.priorities[least]
""",
    ),
    (
        "memory",
        "I wrote over the oldest place of the transitions in a ring, but put the "
        "priorities in the order of their coming.",
        """            del self.transitions[0]
            del self.priorities[0]
        self.transitions.append(transition)
        self.priorities.append(priority)
""",
        """            self.transitions[self.place] = transition
            del self.priorities[0]
            self.place = (self.place + 1) % self.capacity
        else:
            self.place = 0
            self.transitions.append(transition)
        self.priorities.append(priority)
""",
    ),
    (
        "memory",
        "Priorities become probabilities by a softmax, as scores did in lesson 01.",
        """        p = np.array(self.priorities, dtype=float)
""",
        """        p = np.array(self.priorities, dtype=float)
        p = np.exp(p - p.max())
""",
    ),
    (
        "learn",
        "I read 'every' as a copy after that many steps and made it at the end of"
        " the steps 0, every, 2 * every, ...",
        """        if step % every == 0:
            target = weights.copy()
        x, action, reward, done, x_next = (batches[name][step] for name in ("x", "action", "reward", "done", "x_next"))
        best = (x_next @ target).max(axis=1)
        wanted = np.where(done, reward, reward + gamma * best)
        error = (x @ weights)[np.arange(len(x)), action] - wanted
        for row in range(len(x)):
            weights[:, action[row]] -= rate * error[row] * x[row] / len(x)
""",
        """        x, action, reward, done, x_next = (batches[name][step] for name in ("x", "action", "reward", "done", "x_next"))
        best = (x_next @ target).max(axis=1)
        wanted = np.where(done, reward, reward + gamma * best)
        error = (x @ weights)[np.arange(len(x)), action] - wanted
        for row in range(len(x)):
            weights[:, action[row]] -= rate * error[row] * x[row] / len(x)
        if step % every == 0:
            target = weights.copy()
""",
    ),
    (
        "learn",
        "I mended the modulo and the weights of the caller, but inside the loop "
        "the target is still only a second name.",
        """        if step % every == 0:
            target = weights.copy()
""",
        """        if step % every == 0:
            target = weights
""",
    ),
)
