"""Slips of a writer who knew only the text of sheet 07."""

ANSWERS = {
    "points_advantages": """import numpy as np


def points_advantages(outputs, player, result, points):
    outputs = np.asarray(outputs, float)
    out = np.zeros(len(outputs))
    for t in range(len(outputs)):
        expected = sum(c * w for c, w in zip(outputs[t], points))
        mine = result if player[t] == 0 else -result
        if mine > 0:
            got = points[0]
        elif mine == 0:
            got = points[1]
        else:
            got = points[2]
        out[t] = got - expected
    return out
""",
    "batch_weights": """import numpy as np


def batch_weights(advantages, options, floor):
    a = np.concatenate([np.asarray(x, float) for x in advantages])
    o = np.concatenate([np.asarray(x) for x in options])
    free = o > 1
    mean = a[free].mean()
    spread = max(a[free].std(), floor)
    weights = np.where(free, (a - mean) / spread, 0.0)
    cuts = np.cumsum([len(x) for x in advantages])[:-1]
    return np.split(weights, cuts)
""",
    "two_headed_gradient": """import numpy as np


def two_headed_gradient(x, body, actor, critic, action, returns, weights):
    B = len(x)
    hidden = x @ body
    logits = hidden @ actor
    e = np.exp(logits)
    pi = e / e.sum(axis=1, keepdims=True)
    v = np.tanh(hidden @ critic)
    A = returns - v
    onehot = np.zeros_like(pi)
    onehot[np.arange(B), action] = 1
    dlogits = weights[0] * A[:, None] * (pi - onehot) / B
    dz = weights[1] * 2 * (v - returns) * (1 - v**2) / B
    dactor = hidden.T @ dlogits
    dcritic = hidden.T @ dz
    dhidden = dlogits @ actor.T + dz[:, None] * critic[None, :]
    dbody = x.T @ dhidden
    return dbody, dactor, dcritic
""",
    "recorder": """import numpy as np


class Recorder:
    def __init__(self, policy, values):
        self.policy = np.asarray(policy, float)
        self.values = np.array(values, float)
        self.recording = False
        self.steps = []
        self.rows = []

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
        self.steps = []
        self.recording = False
""",
    "exact_advantages": """import numpy as np


def exact_advantages(leads, reward, policy):
    leads = np.asarray(leads)
    reward = np.asarray(reward, float)
    policy = np.asarray(policy, float)
    S, A = policy.shape
    values = np.zeros(S)
    advantages = np.zeros((S, A))
    for s in range(S - 1, -1, -1):
        worth = np.zeros(A)
        for a in range(A):
            if policy[s, a] == 0:
                continue
            if leads[s, a] == -1:
                worth[a] = reward[s, a]
            else:
                worth[a] = -values[leads[s, a]]
        values[s] = policy[s] @ worth
        advantages[s] = np.where(policy[s] > 0, worth - values[s], 0.0)
    return values, advantages
""",
}
SLIPS = [
    (
        "points_advantages",
        "players take turns, so the position's number says who moves",
        "mine = result if player[t] == 0 else -result",
        "mine = result if t % 2 == 0 else -result",
    ),
    (
        "points_advantages",
        "in the second player's positions the outputs must be turned round to the first player",
        "        expected = sum(c * w for c, w in zip(outputs[t], points))\n",
        "        chances = outputs[t] if player[t] == 0 else outputs[t][::-1]\n        expected = sum(c * w for c, w in zip(chances, points))\n",
    ),
    (
        "batch_weights",
        "each game is normalised by its own mean and spread",
        "    weights = np.where(free, (a - mean) / spread, 0.0)\n    cuts = np.cumsum([len(x) for x in advantages])[:-1]\n    return np.split(weights, cuts)\n",
        "    cuts = np.cumsum([len(x) for x in advantages])[:-1]\n    out = []\n    for b, f in zip(np.split(a, cuts), np.split(free, cuts)):\n        some = b[f] if f.any() else b\n        out.append(np.where(f, (b - some.mean()) / max(some.std(), floor), 0.0))\n    return out\n",
    ),
    (
        "batch_weights",
        "forced moves get the weight 0 at the end, mean and spread are those of all decisions",
        "    mean = a[free].mean()\n    spread = max(a[free].std(), floor)\n",
        "    mean = a.mean()\n    spread = max(a.std(), floor)\n",
    ),
    (
        "batch_weights",
        "a floor is added to the spread so that nothing is divided by zero",
        "max(a[free].std(), floor)",
        "a[free].std() + floor",
    ),
    (
        "batch_weights",
        "forced moves have the advantage 0 and so have no influence on the mean",
        "    mean = a[free].mean()\n    spread = max(a[free].std(), floor)\n",
        "    a = np.where(free, a, 0.0)\n    mean = a.mean()\n    spread = max(a.std(), floor)\n",
    ),
    (
        "batch_weights",
        "where the spread is below the floor there is nothing to learn: all weights 0",
        "    weights = np.where(free, (a - mean) / spread, 0.0)\n",
        "    weights = np.where(free & (a[free].std() >= floor), (a - mean) / spread, 0.0)\n",
    ),
    (
        "two_headed_gradient",
        "the square's factor 2 goes with the half that the loss has",
        "weights[1] * 2 * (v - returns)",
        "weights[1] * (v - returns)",
    ),
    (
        "two_headed_gradient",
        "A depends on v, so the critic gets a part of the actor's loss",
        "    dactor = hidden.T @ dlogits\n",
        "    dz = dz + weights[0] * np.log(pi[np.arange(B), action]) * (1 - v**2) / B\n    dactor = hidden.T @ dlogits\n",
    ),
    (
        "two_headed_gradient",
        "the value head's gradient stops at the body, it learns from the actor alone",
        "dlogits @ actor.T + dz[:, None] * critic[None, :]",
        "dlogits @ actor.T",
    ),
    (
        "recorder",
        "the advantage is made with what the critic says at the end of the game",
        "for state, move, value in self.steps:\n",
        "for state, move, value in [(s, m, self.values[s]) for s, m, _ in self.steps]:\n",
    ),
    (
        "recorder",
        "a game that was never completed is counted with the next one, begin only switches on",
        "        self.recording = True\n        self.steps = []\n",
        "        self.recording = True\n",
    ),
    (
        "exact_advantages",
        "values follow best play, the best allowed move counts",
        "values[s] = policy[s] @ worth",
        "values[s] = worth[policy[s] > 0].max()",
    ),
    (
        "exact_advantages",
        "moves that are not allowed are worth nothing, so their advantage is minus the value",
        "np.where(policy[s] > 0, worth - values[s], 0.0)",
        "worth - values[s]",
    ),
    (
        "exact_advantages",
        "the advantage of a move is weighted with the policy, so that the sum is 0",
        "np.where(policy[s] > 0, worth - values[s], 0.0)",
        "policy[s] * (worth - values[s])",
    ),
]
