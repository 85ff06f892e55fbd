"""Slips of a writer who knew only the text of sheet 07."""

ANSWERS = {
    "points_advantages": """import numpy as np


def points_advantages(outputs, player, result, points):
    points, player = np.asarray(points, float), np.asarray(player)
    expected = np.asarray(outputs, float) @ points
    mine = np.where(player == 0, result, -result)
    got = points[1 - mine]
    return got - expected
""",
    "batch_weights": """import numpy as np


def batch_weights(advantages, options, floor):
    joined = np.concatenate([np.asarray(a, float) for a in advantages])
    free = np.concatenate([np.asarray(o) for o in options]) > 1
    if not free.any():
        return [np.zeros(len(a)) for a in advantages]
    mean = joined[free].mean()
    scale = max(joined[free].std(), floor)
    out = []
    for a, o in zip(advantages, options):
        w = (np.asarray(a, float) - mean) / scale
        out.append(np.where(np.asarray(o) > 1, w, 0.0))
    return out
""",
    "two_headed_gradient": """import numpy as np


def two_headed_gradient(x, body, actor, critic, action, returns, weights):
    B = len(x)
    rows = np.arange(B)
    hidden = x @ body
    e = np.exp(hidden @ actor)
    pi = e / e.sum(axis=1, keepdims=True)
    z = hidden @ critic
    v = np.tanh(z)
    advantage = returns - v
    dlogits = pi.copy()
    dlogits[rows, action] -= 1
    dlogits *= (weights[0] * advantage / B)[:, None]
    dz = weights[1] * 2 * (v - returns) * (1 - v**2) / B
    dhidden = dlogits @ actor.T + dz[:, None] * critic
    return x.T @ dhidden, hidden.T @ dlogits, hidden.T @ dz
""",
    "recorder": """import numpy as np


class Recorder:
    def __init__(self, policy, values):
        self.policy = np.array(policy, float)
        self.values = np.array(values, float)
        self.recording = False
        self.steps, self.rows = [], []

    def begin_episode(self):
        self.recording = True
        self.steps = []

    def select_move(self, state, u):
        move = int(np.argmax(np.cumsum(self.policy[state]) > u))
        if self.recording:
            self.steps.append((state, move, float(self.values[state])))
        return move

    def set_value(self, state, value):
        self.values[state] = value

    def complete_episode(self, reward):
        for state, move, value in self.steps:
            self.rows.append((state, move, reward, reward - value))
        self.recording, self.steps = False, []
""",
    "exact_advantages": """import numpy as np


def exact_advantages(leads, reward, policy):
    policy = np.asarray(policy, float)
    S, A = policy.shape
    values, advantages = np.zeros(S), np.zeros((S, A))
    for s in range(S - 1, -1, -1):
        worth = np.zeros(A)
        for a in range(A):
            if policy[s, a] == 0:
                continue
            if leads[s][a] == -1:
                worth[a] = reward[s][a]
            else:
                worth[a] = -values[leads[s][a]]
        values[s] = policy[s] @ worth
        advantages[s] = np.where(policy[s] > 0, worth - values[s], 0.0)
    return values, advantages
""",
}
SLIPS = [
    (
        "points_advantages",
        "What the second player gets is what is left of the points of a win (read "
        "over 'not what the other loses').",
        "    mine = np.where(player == 0, result, -result)\n    got = points[1 - mine]\n",
        "    first = points[1 - result]\n"
        "    got = np.where(player == 0, first, points[0] - first)\n",
    ),
    (
        "points_advantages",
        "The players take turns, so even moves are the first player's.",
        "mine = np.where(player == 0, result, -result)",
        "mine = np.where(np.arange(len(player)) % 2 == 0, result, -result)",
    ),
    (
        "points_advantages",
        "Result and points have the same sign convention: a win brings its points, a "
        "loss costs them.",
        "got = points[1 - mine]",
        "got = np.where(mine == 0, points[1], mine * points[0])",
    ),
    (
        "batch_weights",
        "'When all advantages are nearly alike there is nothing to learn': below the "
        "floor all weights are 0.",
        "    scale = max(joined[free].std(), floor)\n",
        "    scale = joined[free].std()\n"
        "    if scale < floor:\n"
        "        return [np.zeros(len(a)) for a in advantages]\n",
    ),
    (
        "batch_weights",
        "A forced move gets the weight 0, so I put its advantage to 0 before taking "
        "mean and spread over all.",
        "    mean = joined[free].mean()\n    scale = max(joined[free].std(), floor)\n",
        "    joined = np.where(free, joined, 0.0)\n"
        "    mean = joined.mean()\n"
        "    scale = max(joined.std(), floor)\n",
    ),
    (
        "batch_weights",
        "The divisor is the standard deviation plus a small floor, as many programs have it.",
        "max(joined[free].std(), floor)",
        "joined[free].std() + floor",
    ),
    (
        "two_headed_gradient",
        "A = G - v depends on the critic, so I let its gradient flow as well (read "
        "over 'A is a number').",
        "    dz = weights[1] * 2 * (v - returns) * (1 - v**2) / B\n",
        "    dz = (weights[1] * 2 * (v - returns) + weights[0] * np.log(pi[rows, "
        "action])) * (1 - v**2) / B\n",
    ),
    (
        "two_headed_gradient",
        "No gradient flows from the critic into the body: I thought the body is the actor's.",
        "dhidden = dlogits @ actor.T + dz[:, None] * critic",
        "dhidden = dlogits @ actor.T",
    ),
    (
        "two_headed_gradient",
        "The slope of tanh is 1 - z squared (half remembered).",
        "(1 - v**2) / B",
        "(1 - z**2) / B",
    ),
    (
        "recorder",
        "Looked the value up when the game was over, instead of noting it when the move was made.",
        "for state, move, value in self.steps:",
        "for state, move, value in [(s, m, float(self.values[s])) for s, m, _ in self.steps]:",
    ),
    (
        "recorder",
        "When a game begins everything earlier is forgotten, the rows as well.",
        "        self.recording = True\n        self.steps = []\n",
        "        self.recording = True\n        self.steps, self.rows = [], []\n",
    ),
    (
        "recorder",
        "The first move whose cumulative probability reaches u.",
        "> u))",
        ">= u))",
    ),
    (
        "exact_advantages",
        "A game is over where there is a reward; forgot the draws, whose -1 then "
        "points to the last position.",
        "if leads[s][a] == -1:",
        "if reward[s][a] != 0:",
    ),
    (
        "exact_advantages",
        "The value of a position is that of its best move (best play instead of this policy).",
        "values[s] = policy[s] @ worth",
        "values[s] = worth[policy[s] > 0].max()",
    ),
    (
        "exact_advantages",
        "The advantage of a move that is not allowed came out as minus the value, "
        "since its worth is 0.",
        "np.where(policy[s] > 0, worth - values[s], 0.0)",
        "worth - values[s]",
    ),
]
