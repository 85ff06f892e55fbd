"""Slips of a writer who knew only the text of sheet 07."""

ANSWERS = {
    "points_advantages": """import numpy as np


def points_advantages(outputs, player, result, points):
    player = np.asarray(player)
    expected = np.asarray(outputs) @ np.array(points, dtype=float)
    mine = np.where(player == 0, result, -result)
    got = np.array(points, dtype=float)[1 - mine]
    return got - expected
""",
    "batch_weights": """import numpy as np


def batch_weights(advantages, options, floor):
    together = np.concatenate(advantages)
    choices = np.concatenate(options)
    real = together[choices > 1]
    if len(real) == 0:
        return [np.zeros(len(a)) for a in advantages]
    mean = real.mean()
    spread = max(real.std(), floor)
    weights = []
    for a, o in zip(advantages, options):
        w = (np.asarray(a) - mean) / spread
        weights.append(np.where(np.asarray(o) > 1, w, 0.0))
    return weights
""",
    "two_headed_gradient": """import numpy as np


def two_headed_gradient(x, body, actor, critic, action, returns, weights):
    w0, w1 = weights
    B = len(x)
    hidden = x @ body
    logits = hidden @ actor
    e = np.exp(logits)
    pi = e / e.sum(axis=1, keepdims=True)
    v = np.tanh(hidden @ critic)
    advantage = returns - v
    one_hot = np.eye(actor.shape[1])[action]
    dlogits = w0 * advantage[:, None] * (pi - one_hot) / B
    dz = w1 * 2 * (v - returns) * (1 - v**2) / B
    dhidden = dlogits @ actor.T + np.outer(dz, critic)
    return x.T @ dhidden, hidden.T @ dlogits, hidden.T @ dz
""",
    "recorder": """import numpy as np


class Recorder:
    def __init__(self, policy, values):
        self.policy = policy
        self.values = values.copy()
        self.recording = False
        self.steps = []
        self.rows = []

    def begin_episode(self):
        self.recording = True
        self.steps = []

    def select_move(self, state, u):
        move = int(np.argmax(np.cumsum(self.policy[state]) > u))
        if self.recording:
            self.steps.append((state, move, self.values[state]))
        return move

    def set_value(self, state, value):
        self.values[state] = value

    def complete_episode(self, reward):
        for state, move, value in self.steps:
            self.rows.append((state, move, reward, reward - value))
        self.steps = []
        self.recording = False
""",
    "exact_advantages": """import numpy as np


def exact_advantages(leads, reward, policy):
    S, A = policy.shape
    values = np.zeros(S)
    worth = np.zeros((S, A))
    for s in range(S - 1, -1, -1):
        for a in range(A):
            if policy[s, a] == 0:
                continue
            if leads[s, a] == -1:
                worth[s, a] = reward[s, a]
            else:
                worth[s, a] = -values[leads[s, a]]
        values[s] = np.sum(policy[s] * worth[s])
    advantages = worth - values[:, None]
    advantages[policy == 0] = 0
    return values, advantages
""",
}
# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "points_advantages",
        "assumed that the players take turns",
        "mine = np.where(player == 0, result, -result)",
        "mine = np.where(np.arange(len(player)) % 2 == 0, result, -result)",
    ),
    (
        "points_advantages",
        "the second player's points as the negative of the first player's",
        "got = np.array(points, dtype=float)[1 - mine]",
        "got = np.where(player == 0, 1, -1) * np.array(points, dtype=float)[1 - result]",
    ),
    (
        "points_advantages",
        "used the result itself as the index into the points",
        "np.array(points, dtype=float)[1 - mine]",
        "np.array(points, dtype=float)[mine]",
    ),
    (
        "batch_weights",
        "normalised every game by itself",
        "    for a, o in zip(advantages, options):\n",
        """    for a, o in zip(advantages, options):
        own = np.asarray(a)[np.asarray(o) > 1]
        if len(own):
            mean, spread = own.mean(), max(own.std(), floor)
""",
    ),
    (
        "batch_weights",
        "left the forced moves in the mean and the spread",
        "    real = together[choices > 1]",
        "    real = together",
    ),
    (
        "batch_weights",
        "added the floor to the standard deviation",
        "max(real.std(), floor)",
        "real.std() + floor",
    ),
    (
        "two_headed_gradient",
        "let the gradient flow through the advantage as well",
        "    dz = w1 * 2 * (v - returns) * (1 - v**2) / B",
        """    log_pi = np.log(pi[np.arange(B), action])
    dz = (w1 * 2 * (v - returns) + w0 * log_pi) * (1 - v**2) / B""",
    ),
    (
        "two_headed_gradient",
        "forgot the slope of the tanh",
        "dz = w1 * 2 * (v - returns) * (1 - v**2) / B",
        "dz = w1 * 2 * (v - returns) / B",
    ),
    (
        "two_headed_gradient",
        "turned the advantage round",
        "advantage = returns - v",
        "advantage = v - returns",
    ),
    (
        "recorder",
        "noted the move only, and asked the critic at the end of the game",
        "self.rows.append((state, move, reward, reward - value))",
        "self.rows.append((state, move, reward, reward - self.values[state]))",
    ),
    (
        "recorder",
        "took >= where the text says larger than u",
        "np.cumsum(self.policy[state]) > u",
        "np.cumsum(self.policy[state]) >= u",
    ),
    (
        "exact_advantages",
        "forgot to turn the sign of the next position's value",
        "worth[s, a] = -values[leads[s, a]]",
        "worth[s, a] = values[leads[s, a]]",
    ),
    (
        "exact_advantages",
        "took the best move in place of the mean over the policy",
        "values[s] = np.sum(policy[s] * worth[s])",
        "values[s] = worth[s][policy[s] > 0].max()",
    ),
    (
        "exact_advantages",
        "left an advantage of minus the value at moves that are not allowed",
        "    advantages[policy == 0] = 0\n",
        "",
    ),
)
