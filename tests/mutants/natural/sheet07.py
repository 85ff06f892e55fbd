"""Slips of a writer who knew only the text of sheet 07."""

ANSWERS = {
    "points_advantages": """import numpy as np


def points_advantages(outputs, player, result, points):
    expected = np.asarray(outputs, float) @ np.array(points, float)
    win, draw, loss = points
    advantages = np.zeros(len(player))
    for t, who in enumerate(player):
        own = result if who == 0 else -result
        if own > 0:
            got = win
        elif own < 0:
            got = loss
        else:
            got = draw
        advantages[t] = got - expected[t]
    return advantages
""",
    "batch_weights": """import numpy as np


def batch_weights(advantages, options, floor):
    everything = np.concatenate([np.asarray(a, float) for a in advantages])
    free = np.concatenate([np.asarray(o) for o in options]) > 1
    mean = everything[free].mean()
    spread = max(everything[free].std(), floor)
    weights = []
    for a, o in zip(advantages, options):
        w = (np.asarray(a, float) - mean) / spread
        weights.append(np.where(np.asarray(o) > 1, w, 0.0))
    return weights
""",
    "two_headed_gradient": """import numpy as np


def two_headed_gradient(x, body, actor, critic, action, returns, weights):
    w0, w1 = weights
    B = len(x)
    hidden = x @ body
    logits = hidden @ actor
    pi = np.exp(logits)
    pi /= pi.sum(axis=1, keepdims=True)
    v = np.tanh(hidden @ critic)
    A = returns - v
    dlogits = pi.copy()
    dlogits[np.arange(B), action] -= 1
    dlogits *= w0 * A[:, None] / B
    dz = w1 * 2 * (v - returns) * (1 - v**2) / B
    dhidden = dlogits @ actor.T + dz[:, None] * critic
    return x.T @ dhidden, hidden.T @ dlogits, hidden.T @ dz
""",
    "recorder": """import numpy as np


class Recorder:
    def __init__(self, policy, values):
        self.policy = np.array(policy)
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
    S, A = leads.shape
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
        values[s] = (policy[s] * worth).sum()
        advantages[s] = np.where(policy[s] > 0, worth - values[s], 0.0)
    return values, advantages
""",
}
SLIPS = [
    (
        "points_advantages",
        "The outputs are the first player's chances, so for the second player win and loss change places.",
        "        advantages[t] = got - expected[t]\n",
        "        advantages[t] = got - (expected[t] if who == 0 else outputs[t][::-1] @ np.array(points, float))\n",
    ),
    (
        "points_advantages",
        "As always in a two-player game: the second player gets minus what the first gets.",
        """        own = result if who == 0 else -result
        if own > 0:
            got = win
        elif own < 0:
            got = loss
        else:
            got = draw
        advantages[t] = got - expected[t]
""",
        """        first = win if result > 0 else loss if result < 0 else draw
        got = first if who == 0 else -first
        advantages[t] = got - expected[t]
""",
    ),
    (
        "points_advantages",
        "The players alternate from the first move, so I took whose turn it is from the number of the move.",
        "    for t, who in enumerate(player):\n",
        "    for t, who in enumerate(np.arange(len(player)) % 2):\n",
    ),
    (
        "batch_weights",
        "Forced moves get the weight 0 at the end; I forgot that they also stay out of mean and spread.",
        """    mean = everything[free].mean()
    spread = max(everything[free].std(), floor)
""",
        """    mean = everything.mean()
    spread = max(everything.std(), floor)
""",
    ),
    (
        "batch_weights",
        "As in many programs, floor is the small number that is added to the standard deviation.",
        "    spread = max(everything[free].std(), floor)\n",
        "    spread = everything[free].std() + floor\n",
    ),
    (
        "batch_weights",
        "If the spread is below the floor the advantages are nearly alike and are not divided at all.",
        "    spread = max(everything[free].std(), floor)\n",
        "    spread = everything[free].std()\n    if spread < floor:\n        spread = 1.0\n",
    ),
    (
        "two_headed_gradient",
        "A is G - v and v depends on the network, so by the product rule the actor's loss also has a gradient for z.",
        "    dz = w1 * 2 * (v - returns) * (1 - v**2) / B\n",
        "    dz = (w1 * 2 * (v - returns) + w0 * np.log(pi[np.arange(B), action])) * (1 - v**2) / B\n",
    ),
    (
        "two_headed_gradient",
        "No gradient flows through A, so I let the critic's gradient end at its head and the body learns from the actor only.",
        "    dhidden = dlogits @ actor.T + dz[:, None] * critic\n",
        "    dhidden = dlogits @ actor.T\n",
    ),
    (
        "two_headed_gradient",
        "The weights are the shares of the two losses of the body only; each head learns from its own loss as it is.",
        """    dlogits *= w0 * A[:, None] / B
    dz = w1 * 2 * (v - returns) * (1 - v**2) / B
    dhidden = dlogits @ actor.T + dz[:, None] * critic
""",
        """    dlogits *= A[:, None] / B
    dz = 2 * (v - returns) * (1 - v**2) / B
    dhidden = w0 * (dlogits @ actor.T) + w1 * dz[:, None] * critic
""",
    ),
    (
        "recorder",
        "It is enough to note state and move; the critic is asked when the game is over and the advantage is needed.",
        "            self.rows.append((state, move, reward, reward - value))\n",
        "            self.rows.append((state, move, reward, reward - float(self.values[state])))\n",
    ),
    (
        "recorder",
        "complete_episode empties the list of steps, so begin_episode need not do it.",
        """        self.recording = True
        self.steps = []
""",
        """        self.recording = True
""",
    ),
    (
        "recorder",
        "The rows belong to one game, so a new game begins with an empty list of rows too.",
        """        self.recording = True
        self.steps = []
""",
        """        self.recording = True
        self.steps = []
        self.rows = []
""",
    ),
    (
        "exact_advantages",
        "The value of the next position is what the move is worth; I forgot that there the other player is to move.",
        "                worth[a] = -values[leads[s, a]]\n",
        "                worth[a] = values[leads[s, a]]\n",
    ),
    (
        "exact_advantages",
        "The value of a position is that of its best move.",
        "        values[s] = (policy[s] * worth).sum()\n",
        "        values[s] = worth[policy[s] > 0].max()\n",
    ),
    (
        "exact_advantages",
        "A move that is not allowed is worth 0, so its advantage is 0 less the value of the position.",
        "        advantages[s] = np.where(policy[s] > 0, worth - values[s], 0.0)\n",
        "        advantages[s] = worth - values[s]\n",
    ),
]
