"""Questions from the whole domain of sheet 07's tasks, and the changes that change no answer."""

import numpy as np

from rlcourse.checks.task import Case
from tests.mutants.asking import Domain


def _points_advantages(rng: np.random.Generator) -> Case:
    moves = int(rng.integers(1, 8))
    points = [(3, 1, 0), tuple(np.sort(rng.uniform(-4, 4, 3))[::-1].tolist())][rng.integers(2)]
    outputs, player = rng.dirichlet(np.ones(3), moves), rng.integers(0, 2, moves)
    return Case((outputs, player, int(rng.integers(-1, 2)), points))


def _batch_weights(rng: np.random.Generator) -> Case:
    games = [
        rng.choice([0.01, 1.0]) * rng.normal(rng.uniform(-1, 1), 1, int(rng.integers(1, 8)))
        for _ in range(int(rng.integers(1, 5)))
    ]
    options = [rng.choice([1, 1, 2, 3, 7], len(game)) for game in games]
    options[rng.integers(len(games))][0] = 2  # there is one decision at least
    return Case((games, options, float(rng.choice([0.001, rng.uniform(0.01, 2)]))))


def _two_headed_gradient(rng: np.random.Generator) -> Case:
    rows, features, hidden = rng.integers(1, 5, 3).tolist()
    actions = int(rng.integers(2, 5))  # with one move there is no policy to learn
    sizes = (rows, features), (features, hidden), (hidden, actions), (hidden,)
    arrays = [rng.normal(size=size) * 0.7 for size in sizes]
    returns = rng.choice([1.0, -1.0, 0.0, rng.uniform(-1, 1)], rows)
    weights = tuple(rng.uniform(0.1, 2, 2).tolist())
    return Case((*arrays, rng.integers(0, actions, rows), returns, weights))


def _recorder(rng: np.random.Generator) -> Case:
    states, actions = rng.integers(1, 5, 2).tolist()
    # In sixteenths, so that cumulative probabilities are exact, and u may be just one of them.
    policy = rng.multinomial(16, rng.dirichlet(np.ones(actions)), states) / 16
    script: list[tuple[str, tuple]] = []
    playing = False
    for _ in range(int(rng.integers(1, 20))):
        ends = [("complete_episode", (float(rng.integers(-1, 2)),)), ("rows", ())]
        state = int(rng.integers(states))
        kind = rng.choice(["move", "move", "move", "learn", "begin", "end"])
        if kind == "move":
            u = float(rng.choice([rng.integers(16) / 16, rng.random()]))
            script.append(("select_move", (state, u)))
        elif kind == "learn":
            script.append(("set_value", (state, float(rng.uniform(-1, 1)))))
        elif kind == "begin" or not playing:
            script.append(("begin_episode", ()))
            playing = True
        else:
            script += ends
            playing = False
    return Case((policy, rng.uniform(-1, 1, states)), script=(*script, ("rows", ())))


def _exact_advantages(rng: np.random.Generator) -> Case:
    states, actions = int(rng.integers(1, 9)), int(rng.integers(1, 5))
    policy = np.zeros((states, actions))
    leads = np.full((states, actions), -1)
    for s, row in enumerate(policy):
        allowed = rng.random(actions) < 0.7
        allowed[rng.integers(actions)] = True
        row[allowed] = rng.dirichlet(np.ones(allowed.sum()))
        if s + 1 < states:
            ahead = rng.integers(s + 1, states, actions)
            leads[s] = np.where(rng.random(actions) < 0.3, -1, ahead)
    # Where a move is not allowed, leads and reward say nothing.
    reward = rng.choice([1.0, 0.0, -1.0], (states, actions))
    return Case((leads, np.where((leads < 0) | (policy == 0), reward, 0.0), policy))


DOMAINS = {
    "points_advantages": Domain(
        _points_advantages,
        (Case((np.array([[0.2, 0.3, 0.5]]), np.array([1]), 0, (3, 1, 0))),),
    ),
    "batch_weights": Domain(
        _batch_weights,
        (
            Case(([np.array([0.5])], [np.array([2])], 0.1)),
            Case(([np.array([0.5]), np.array([0.1, 0.9])], [np.array([1]), np.array([2, 3])], 0.1)),
        ),
    ),
    "two_headed_gradient": Domain(_two_headed_gradient),
    "recorder": Domain(_recorder),
    "exact_advantages": Domain(
        _exact_advantages,
        (Case((np.array([[-1]]), np.array([[1.0]]), np.array([[1.0]]))),),
    ),
}

# task -> the reason why these changes change no answer -> a part of each that tells it from others
EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "points_advantages": {
        "lines that do not need one another": (
            "moved: mine =",
            "moved: answer = []",
            "moved: won =",
            "moved: to_first, to_second = (",
            "moved: own = np.where((player == 0)",
        ),
        "the result of the first player is turned once, early or late": ("-> result = np.where(",),
        "NumPy takes a tuple for an array": (
            "-> values = outputs @ points",
            "points = np.array(points, float) ->",
        ),
        "what has happened is 0 or 1": ("happened = np.zeros((len(player), 3), dtype=int)",),
        "the outputs are not read again": ("-> outputs = np.where((player == 0)",),
    },
    "batch_weights": {
        "lines that do not need one another": (
            "moved: joined",
            "moved: spread",
            "moved: ends",
            "moved: answer",
        ),
        "the larger of two numbers, and a product, have no order": (
            "max(floor, joined[free].std())",
            "max(floor, np.sqrt(square))",
            "zip(advantages, masks)",
        ),
        "0 has no sign and is the same number with a point": (", 0.0)", ", -0)"),
        "what equals the floor is the floor": ("if spread <= floor",),
        "a square has no sign": (
            "(-(a - mean))",
            "(mean - a)",
            "(-(game - mean))",
            "(mean - game)",
        ),
        "True counts 1 and False 0, and options are whole numbers in an array": (
            "!= 1) / 1.0",
            "-> masks = [np.array(row) != 1 for",
            "-> masks = [(row != 1)",
            "np.array(row, dtype=int)",
        ),
    },
    "two_headed_gradient": {
        "lines that do not need one another, and sums in another order": (
            "moved: ",
            "range(len(h) - 1, -1, -1)",
            "range(len(push) - 1, -1, -1)",
            "range(len(row) - 1, -1, -1)",
        ),
        "p is a new array already, and the copies of the parameters come back as they were": (
            "-> p /= p.sum",
            "-> parameters, gradients, e =",
        ),
        "a square has no sign": ("(1 - (-v) ** 2)", "(-(v - returns)) ** 2", "(returns - v) ** 2"),
        "a list does for a tuple": ("-> return gradients",),
        "every entry is written": ("-> gradient = np.ones(array.shape)",),
        "a constant beside log pi has no gradient": ("np.exp(logits).mean(axis=1, keepdims=True)",),
    },
    "recorder": {
        "methods, attributes and lists that do not need one another": (
            "moved: ",
            "def begin_episode",
            "def set_value",
            "def complete_episode",
        ),
        "what is noted outside a game is forgotten when the next one begins": (
            "-> self.steps.append(",
            "self.recording = False ->",
            "self.episode = None ->",
        ),
        "NumPy's whole number does for Python's": ("-> move = np.argmax",),
        "what begin_episode returns does not matter": ("return 'recording' ->",),
        "the policy is only read": ("-> self.table = [row for row in policy]",),
        "a copy made by another name": ("-> self.values = values.copy()",),
        "an array of no rows has no numbers in it": ("np.ones((0, 4))", "np.zeros((0, 4), dtype"),
        "the value that was noted stands in the row twice": ("reward - _",),
    },
    "exact_advantages": {
        "nothing leads to position 0": (
            "leads[s] <= 0",
            "leads[s] < 1",
            "leads > 0",
            "leads[s, a] > 0",
            "leads >= 1",
            "leads[s, a] >= 1",
        ),
        "a last round with the number -1 is the last position again": ("-1 - 1, -1)", "-2, -1)"),
        "every entry is written before it is read": (
            "reward.copy())",
            "policy.copy())",
            "(np.ones(S), np.zeros((S, A)))",
            "(np.zeros(S), np.ones((S, A)))",
            "(np.ones(len(leads)), np.zeros(leads.shape))",
            "(np.zeros(len(leads)), np.ones(leads.shape))",
        ),
        "0 has no sign, and a product of two rows no order": (", 0.0)", ", -0)", "q @ policy[s]"),
        "lines, and positions, that do not need one another": ("moved:", "for s in range(S):"),
        "what is computed again is the same": ("if s not in known: ;",),
        "a move that is not allowed has the probability 0, whatever it is worth": (
            "for a, p in enumerate(policy[s])))",
            "if p >= 0))",
            "if p > -1))",
        ),
    },
}
