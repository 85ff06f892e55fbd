"""Slips of a writer who knew only the text of sheet 03."""

ANSWERS = {
    "best_columns": """import numpy as np


def best_columns(q, q_mirrored, boards):
    mean = (q + q_mirrored[:, ::-1]) / 2
    stones = (boards != 0).sum(axis=(1, 2))
    sign = np.where(stones % 2 == 0, 1.0, -1.0)
    mine = mean * sign[:, None]
    open_columns = boards[:, 0, :] == 0
    return np.where(open_columns, mine, -np.inf).argmax(axis=1)
""",
    "double_targets": """import numpy as np


def double_targets(reward, done, boards, q_online, q_target, gamma):
    open_columns = boards[:, 0] == 0
    chosen = np.where(open_columns, q_online, -np.inf).argmax(axis=1)
    worth = q_target[np.arange(len(boards)), chosen]
    return reward - np.where(done, 0.0, gamma * worth)
""",
    "gradients": """import numpy as np


def gradients(x, W1, b1, W2, b2, actions, targets):
    z = x @ W1 + b1
    h = np.maximum(z, 0.0)
    q = h @ W2 + b2
    rows = np.arange(len(x))
    e = q[rows, actions] - targets
    d = np.zeros(q.shape)
    d[rows, actions] = np.clip(e, -1, 1) / len(x)
    dz = (d @ W2.T) * (z > 0)
    return x.T @ dz, dz.sum(axis=0), h.T @ d, d.sum(axis=0)
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
        "The mirror image is worth the same as the board, so I take the mean of the two answers column by column.",
        "q_mirrored[:, ::-1]",
        "q_mirrored",
    ),
    (
        "best_columns",
        "An even sum on the board: then the first player is to move.",
        "stones = (boards != 0).sum(axis=(1, 2))",
        "stones = boards.sum(axis=(1, 2))",
    ),
    (
        "best_columns",
        "First I rule out the full columns with minus infinity, then I turn everything to the view of the player to move.",
        """    mine = mean * sign[:, None]
    open_columns = boards[:, 0, :] == 0
    return np.where(open_columns, mine, -np.inf).argmax(axis=1)
""",
        """    open_columns = boards[:, 0, :] == 0
    mean = np.where(open_columns, mean, -np.inf)
    return (mean * sign[:, None]).argmax(axis=1)
""",
    ),
    (
        "double_targets",
        "The target network stands still, so it chooses; the online network, which is newer, says what that is worth.",
        """np.where(open_columns, q_online, -np.inf).argmax(axis=1)
    worth = q_target[""",
        """np.where(open_columns, q_target, -np.inf).argmax(axis=1)
    worth = q_online[""",
    ),
    (
        "double_targets",
        "The game is over when there is a reward.",
        "np.where(done, 0.0, gamma * worth)",
        "np.where(reward != 0, 0.0, gamma * worth)",
    ),
    (
        "double_targets",
        "The opponent chooses the reply, and wants small values: so argmin.",
        "np.where(open_columns, q_online, -np.inf).argmax(axis=1)",
        "np.where(open_columns, q_online, np.inf).argmin(axis=1)",
    ),
    (
        "gradients",
        "Outside the range from -1 to 1 the slope of |e| - 1/2 is 1.",
        "np.clip(e, -1, 1) / len(x)",
        "np.where(np.abs(e) <= 1, e, 1.0) / len(x)",
    ),
    (
        "gradients",
        "The mean of the loss goes over all outputs, as with TensorFlow's mean over the array q.",
        "np.clip(e, -1, 1) / len(x)",
        "np.clip(e, -1, 1) / q.size",
    ),
    (
        "gradients",
        "A bias belongs to every row, so its gradient is the mean over the rows.",
        "return x.T @ dz, dz.sum(axis=0), h.T @ d, d.sum(axis=0)",
        "return x.T @ dz, dz.mean(axis=0), h.T @ d, d.mean(axis=0)",
    ),
    (
        "memory",
        "When the memory is full, the least important transition makes room.",
        """            self.transitions.pop(0)
            self.priorities.pop(0)
""",
        """            worst = self.priorities.index(min(self.priorities))
            self.transitions.pop(worst)
            self.priorities.pop(worst)
""",
    ),
    (
        "memory",
        "Prioritised replay takes the priorities to the power 0.6 before it draws.",
        "p = np.array(self.priorities, dtype=float)",
        "p = np.array(self.priorities, dtype=float) ** 0.6",
    ),
    (
        "memory",
        "The lists can be made once at the top of the class.",
        """    def __init__(self, capacity):
        self.capacity = capacity
        self.transitions = []
        self.priorities = []
""",
        """    transitions = []
    priorities = []

    def __init__(self, capacity):
        self.capacity = capacity
""",
    ),
    (
        "learn",
        "The target is copied every `every` steps, so when `every` steps are full: at the steps every - 1, 2 * every - 1 and so on.",
        "if step % every == 0:",
        "if (step + 1) % every == 0:",
    ),
    (
        "learn",
        "Each row of the minibatch takes its gradient step with the weights as they are by then.",
        """        error = (x @ weights)[np.arange(len(x)), action] - wanted
        for row in range(len(x)):
            weights[:, action[row]] -= rate * error[row] * x[row] / len(x)
""",
        """        for row in range(len(x)):
            error = x[row] @ weights[:, action[row]] - wanted[row]
            weights[:, action[row]] -= rate * error * x[row] / len(x)
""",
    ),
    (
        "learn",
        "The target network is the copy at the start of the loop; assigning it again in the loop renews it.",
        """        if step % every == 0:
            target = weights.copy()
""",
        """        if step % every == 0:
            target = weights
""",
    ),
]
