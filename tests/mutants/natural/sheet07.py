"""Slips of a writer who knew only the text of sheet 07."""

ANSWERS = {
    "points_advantages": """import numpy as np


def points_advantages(outputs, player, result, points):
    outputs = np.asarray(outputs, dtype=float)
    advantages = np.zeros(len(outputs))
    for t in range(len(outputs)):
        chances = outputs[t]
        own = result if player[t] == 0 else -result
        got = points[0] if own > 0 else points[1] if own == 0 else points[2]
        expected = chances[0] * points[0] + chances[1] * points[1] + chances[2] * points[2]
        advantages[t] = got - expected
    return advantages
""",
    "batch_weights": """import numpy as np


def batch_weights(advantages, options, floor):
    together = np.concatenate([np.asarray(a, dtype=float) for a in advantages])
    free = np.concatenate([np.asarray(o) for o in options]) > 1
    mean = together[free].mean()
    spread = together[free].std()
    divisor = max(spread, floor)
    weights = []
    for a, o in zip(advantages, options):
        w = (np.asarray(a, dtype=float) - mean) / divisor
        weights.append(np.where(np.asarray(o) > 1, w, 0.0))
    return weights
""",
    "two_headed_gradient": """import numpy as np


def two_headed_gradient(x, body, actor, critic, action, returns, weights):
    B = len(x)
    hidden = x @ body
    e = np.exp(hidden @ actor)
    pi = e / e.sum(axis=1, keepdims=True)
    v = np.tanh(hidden @ critic)
    A = returns - v
    one_hot = np.zeros(pi.shape)
    one_hot[np.arange(B), action] = 1
    dlogits = weights[0] * A[:, None] * (pi - one_hot) / B
    dv = weights[1] * 2 * (v - returns) / B
    dz = dv * (1 - v**2)
    dhidden = dlogits @ actor.T + dz[:, None] * critic
    return x.T @ dhidden, hidden.T @ dlogits, hidden.T @ dz
""",
    "recorder": """import numpy as np


class Recorder:
    def __init__(self, policy, values):
        self.policy = np.array(policy, dtype=float)
        self.values = np.array(values, dtype=float)
        self.recording = False
        self.steps = []
        self.rows = []

    def begin_episode(self):
        self.recording = True
        self.steps = []

    def select_move(self, state, u):
        reached = np.cumsum(self.policy[state])
        move = int(np.searchsorted(reached, u, side="right"))
        move = min(move, len(reached) - 1)
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
    S, A = policy.shape
    values = np.zeros(S)
    advantages = np.zeros((S, A))
    for s in range(S - 1, -1, -1):
        worth = np.zeros(A)
        allowed = [a for a in range(A) if policy[s, a] > 0]
        for a in allowed:
            if leads[s, a] == -1:
                worth[a] = reward[s, a]
            else:
                worth[a] = -values[leads[s, a]]
        values[s] = sum(policy[s, a] * worth[a] for a in allowed)
        for a in allowed:
            advantages[s, a] = worth[a] - values[s]
    return values, advantages
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "points_advantages",
        "First and second player move in turn, so I took the row's number for who"
        " moved and forgot the argument player.",
        "player[t] == 0",
        "t % 2 == 0",
    ),
    (
        "points_advantages",
        "The result counts for the first player; the second one gets minus what "
        "the first one gets.",
        """own = result if player[t] == 0 else -result
        got = points[0] if own > 0 else points[1] if own == 0 else points[2]""",
        """got = points[0] if result > 0 else points[1] if result == 0 else points[2]
        got = got if player[t] == 0 else -got""",
    ),
    (
        "points_advantages",
        "Like the result, I took the critic's chances for those of the first "
        "player and turned them round for the second.",
        "chances = outputs[t]",
        "chances = outputs[t] if player[t] == 0 else outputs[t][::-1]",
    ),
    (
        "batch_weights",
        "The floor is the small number one adds to the standard deviation, the "
        "epsilon of all the programs.",
        "divisor = max(spread, floor)",
        "divisor = spread + floor",
    ),
    (
        "batch_weights",
        "A forced move counts nothing: I set its advantage to 0 first, and took "
        "the mean and spread of all.",
        """mean = together[free].mean()
    spread = together[free].std()""",
        """together = np.where(free, together, 0.0)
    mean = together.mean()
    spread = together.std()""",
    ),
    (
        "batch_weights",
        "If the spread is below the floor I take off the mean only and do not divide.",
        "divisor = max(spread, floor)",
        "divisor = spread if spread >= floor else 1.0",
    ),
    (
        "two_headed_gradient",
        "The loss holds A, and A holds v, so I let the gradient of the first part"
        " run through v as well.",
        "dv = weights[1] * 2 * (v - returns) / B",
        """log_pi = np.log(pi[np.arange(B), action])
    dv = (weights[1] * 2 * (v - returns) + weights[0] * log_pi) / B""",
    ),
    (
        "two_headed_gradient",
        "'A is a number': one number for the batch, the mean of G - v.",
        "dlogits = weights[0] * A[:, None] * (pi - one_hot) / B",
        "dlogits = weights[0] * A.mean() * (pi - one_hot) / B",
    ),
    (
        "recorder",
        "searchsorted finds the first cumulative probability that reaches u; I "
        "did not think of the two being equal.",
        'side="right"',
        'side="left"',
    ),
    (
        "recorder",
        "I note state and move while playing and ask the critic when the game is "
        "over, when the advantage is needed.",
        "reward - value))",
        "reward - float(self.values[state])))",
    ),
    (
        "recorder",
        "complete_episode empties the list, so begin_episode need not do it.",
        """        self.recording = True
        self.steps = []
""",
        """        self.recording = True
""",
    ),
    (
        "recorder",
        "Values are for the player to move and the players take turns, so the "
        "reward changes its sign from move to move, back from the last.",
        """        for state, move, value in self.steps:
            self.rows.append((state, move, reward, reward - value))
""",
        """        for i, (state, move, value) in enumerate(self.steps):
            own = reward if (len(self.steps) - 1 - i) % 2 == 0 else -reward
            self.rows.append((state, move, own, own - value))
""",
    ),
    (
        "exact_advantages",
        "All values are for the player to move, so I took the next position's value as it is.",
        "worth[a] = -values[leads[s, a]]",
        "worth[a] = values[leads[s, a]]",
    ),
    (
        "exact_advantages",
        "The value of a position is the worth of its best move, as in minimax.",
        "values[s] = sum(policy[s, a] * worth[a] for a in allowed)",
        "values[s] = max(worth[a] for a in allowed)",
    ),
    (
        "exact_advantages",
        "Reward minus the next value does for all moves, since one of the two is "
        "0; I forgot that index -1 is the last position.",
        """            if leads[s, a] == -1:
                worth[a] = reward[s, a]
            else:
                worth[a] = -values[leads[s, a]]
""",
        """            worth[a] = reward[s, a] - values[leads[s, a]]
""",
    ),
)
