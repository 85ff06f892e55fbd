"""Slips of a writer who knew only the text of sheet 03."""

ANSWERS = {
    "best_columns": """import numpy as np


def best_columns(q, q_mirrored, boards):
    mean = (q + q_mirrored[:, ::-1]) / 2
    stones = (boards != 0).sum(axis=(1, 2))
    sign = np.where(stones % 2 == 0, 1, -1)
    mine = sign[:, None] * mean
    open_columns = boards[:, 0, :] == 0
    return np.where(open_columns, mine, -np.inf).argmax(axis=1)
""",
    "double_targets": """import numpy as np


def double_targets(reward, done, boards, q_online, q_target, gamma):
    open_columns = boards[:, 0, :] == 0
    online = np.where(open_columns, q_online, -np.inf)
    chosen = online.argmax(axis=1)
    value = q_target[np.arange(len(reward)), chosen]
    return np.where(done, reward, reward - gamma * value)
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
    dh = d @ W2.T
    dz = dh * (z > 0)
    dW1 = x.T @ dz
    db1 = dz.sum(axis=0)
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
            self.transitions.pop(0)
            self.priorities.pop(0)
        self.transitions.append(transition)
        self.priorities.append(priority)

    def sample(self, n, rng):
        p = np.array(self.priorities) / sum(self.priorities)
        places = rng.choice(len(self.transitions), size=n, p=p)
        return [self.transitions[place] for place in places]
""",
    "learn": """import numpy as np


def learn(weights, batches, every, rate, gamma):
    weights = weights.copy()
    for step in range(len(batches["x"])):
        if step % every == 0:
            target = weights.copy()
        names = ("x", "action", "reward", "done", "x_next")
        x, action, reward, done, x_next = (batches[name][step] for name in names)
        future = (x_next @ target).max(axis=1)
        wanted = reward + gamma * future * ~done
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
        "added the mirrored answers as they were, without turning them round",
        "q_mirrored[:, ::-1]",
        "q_mirrored",
    ),
    (
        "best_columns",
        "looked for open columns in the bottom row, because in my head row 0 is at the bottom",
        "boards[:, 0, :] == 0",
        "boards[:, -1, :] == 0",
    ),
    (
        "best_columns",
        "thought that an even number of stones means that the second player moves",
        "np.where(stones % 2 == 0, 1, -1)",
        "np.where(stones % 2 == 0, -1, 1)",
    ),
    (
        "best_columns",
        "added up the boards instead of counting stones, so a 2 counts double",
        "(boards != 0).sum(axis=(1, 2))",
        "boards.sum(axis=(1, 2))",
    ),
    (
        "double_targets",
        "wrote plus as in the lesson with one player: forgot that the opponent moves next",
        "reward - gamma * value",
        "reward + gamma * value",
    ),
    (
        "double_targets",
        "let the target network choose as well",
        "np.where(open_columns, q_online, -np.inf)",
        "np.where(open_columns, q_target, -np.inf)",
    ),
    (
        "double_targets",
        "swapped the two: valued the reply with the online network",
        "value = q_target[",
        "value = q_online[",
    ),
    (
        "double_targets",
        "put 0 where a column is full, as I would for probabilities",
        "np.where(open_columns, q_online, -np.inf)",
        "np.where(open_columns, q_online, 0)",
    ),
    (
        "gradients",
        "forgot to limit the slope: took the error itself as for the squared loss",
        "slope = np.clip(error, -1, 1)",
        "slope = error",
    ),
    (
        "gradients",
        "used the loss in place of its slope",
        "slope = np.clip(error, -1, 1)",
        "slope = np.where(np.abs(error) <= 1, error**2 / 2, np.abs(error) - 0.5)",
    ),
    (
        "gradients",
        "took the mean over rows for the biases although the division by B was already done",
        "db2 = d.sum(axis=0)",
        "db2 = d.mean(axis=0)",
    ),
    (
        "memory",
        "popped the newest, as pop() does without an argument, but the oldest priority",
        "self.transitions.pop(0)",
        "self.transitions.pop()",
    ),
    (
        "memory",
        "let it hold one more than the capacity",
        "if len(self.transitions) == self.capacity:",
        "if len(self.transitions) > self.capacity:",
    ),
    (
        "learn",
        "read it as a copy after every `every` steps, the first one after `every`",
        "if step % every == 0:\n            target = weights.copy()",
        "if step == 0 or (step + 1) % every == 0:\n            target = weights.copy()",
    ),
    (
        "learn",
        "copied the target but went on writing into the caller's weights",
        "    weights = weights.copy()\n    for",
        "    for",
    ),
)
