"""Answers to sheet 07 as students write them: RIGHT[task] -> sources, WRONG[task] ->
(mistake it must be told, source).

A wrong answer is a right one with one slip; `slip(source, old, new)` shows which. No answer looks
at the course's oracle, but those that are handed in as the reference itself.
"""

from rlcourse.grading.answers import slip

# --- points_advantages ----------------------------------------------------------------------------

POINTS_ARRAYS = """
import numpy as np

def points_advantages(outputs, player, result, points):
    values = outputs @ np.array(points)
    mine = np.where(player == 0, result, -result)
    got = np.array(points)[1 - mine]
    return got - values
"""

POINTS_LOOPS = """
def points_advantages(outputs, player, result, points):
    win, draw, loss = points
    answer = []
    for (w, d, l), p in zip(outputs, player):
        value = w * win + d * draw + l * loss
        won = result if p == 0 else -result
        got = win if won > 0 else loss if won < 0 else draw
        answer.append(got - value)
    return answer
"""

POINTS_ONE_HOT = '''
import numpy as np
import warnings

def points_advantages(outputs, player, result, points):
    """What happened, less what was expected, in chances; then in points."""
    warnings.warn("this answer is right and noisy")
    happened = np.zeros((len(player), 3))
    for row, p in enumerate(player):
        happened[row, 1 - (1 - 2 * p) * result] = 1
    return ((happened - outputs) * points).sum(axis=1)
'''

POINTS_RIGHT = [POINTS_ARRAYS, POINTS_LOOPS, POINTS_ONE_HOT]
POINTS_WRONG = [
    ("sign", slip(POINTS_ARRAYS, ("got - values", "values - got"))),
    ("sign", slip(POINTS_LOOPS, ("append(got - value)", "append(value - got)"))),
    (
        "one_return",
        slip(
            POINTS_ARRAYS,
            ("np.where(player == 0, result, -result)", "np.full(len(player), result)"),
        ),
    ),
    ("one_return", slip(POINTS_LOOPS, ("result if p == 0 else -result", "result"))),
    (
        "zero_sum",
        slip(
            POINTS_ARRAYS,
            (
                "got = np.array(points)[1 - mine]",
                "got = np.array(points)[1 - result] * (1 - 2 * player)",
            ),
        ),
    ),
    ("wrong_player", slip(POINTS_LOOPS, ("(w, d, l), p", "(l, d, w), p"))),
    (
        "wrong_player",
        slip(POINTS_ARRAYS, ("outputs @ np.array(points)", "outputs[:, ::-1] @ np.array(points)")),
    ),
    (
        "first_view",
        slip(POINTS_LOOPS, ("value = w", "if p == 1:\n            w, l = l, w\n        value = w")),
    ),
    ("alternates", slip(POINTS_ARRAYS, ("player == 0", "np.arange(len(player)) % 2 == 0"))),
    (
        "next_value",
        slip(
            POINTS_ARRAYS,
            ("outputs @ np.array(points)", "np.append(outputs[1:] @ np.array(points), 0)"),
        ),
    ),
    ("draw", slip(POINTS_LOOPS, (" + d * draw", ""), ("else draw", "else 0"))),
    (
        "draw",
        slip(POINTS_ARRAYS, ("    values", "    points = points[0], 0, points[2]\n    values")),
    ),
    ("draw_expected", slip(POINTS_LOOPS, (" + d * draw", ""))),
    (
        "draw_expected",
        slip(
            POINTS_ARRAYS,
            ("outputs @ np.array(points)", "outputs[:, 0] * points[0] + outputs[:, 2] * points[2]"),
        ),
    ),
    (
        "draw_got",
        slip(
            POINTS_LOOPS,
            ("win if won > 0 else loss if won < 0 else draw", "win if won > 0 else loss"),
        ),
    ),
    ("place", slip(POINTS_ARRAYS, ("[1 - mine]", "[mine]"))),
    (
        "second_result",
        slip(POINTS_LOOPS, ("result if p == 0 else -result", "-result if p == 0 else result")),
    ),
    ("fixed", slip(POINTS_LOOPS, ("= points", "= 3, 1, 0"))),
    (
        "centred",
        slip(
            POINTS_ARRAYS,
            (
                "return got - values",
                "advantage = got - values\n    return advantage - advantage.mean()",
            ),
        ),
    ),
    ("shape", slip(POINTS_ARRAYS, ("return got - values", "return (got - values)[:-1]"))),
    ("other", slip(POINTS_ARRAYS, ("got - values", "(got - values) / 3"))),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            POINTS_ARRAYS,
            (
                "return got - values",
                "return MEMO.setdefault((outputs.tobytes(), player.tobytes(), "
                "result), got - values)",
            ),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            POINTS_ARRAYS,
            (
                "return got - values",
                "return MEMO.setdefault((outputs.tobytes(), player.tobytes(), "
                "points), got - values)",
            ),
        ),
    ),
    (
        "other",
        slip(
            POINTS_LOOPS, ("result if p == 0 else -result", "result if p == player[0] else -result")
        ),
    ),
    (
        "other",
        slip(
            POINTS_ARRAYS,
            ("outputs @ np.array(points)", "np.array(points)[outputs.argmax(axis=1)]"),
        ),
    ),
    (
        "other",
        slip(POINTS_ARRAYS, ("np.array(points)[1 - mine]", "np.array(points, int)[1 - mine]")),
    ),
    ("imported", "from rlcourse.checks.oracle07 import points_advantages"),
]

# --- batch_weights --------------------------------------------------------------------------------

WEIGHTS_JOINED = """
import numpy as np

def batch_weights(advantages, options, floor):
    free = np.concatenate(options) > 1
    joined = np.concatenate(advantages)
    mean = joined[free].mean()
    spread = max(joined[free].std(), floor)
    weights = np.where(free, (joined - mean) / spread, 0)
    ends = np.cumsum([len(game) for game in advantages])
    return np.split(weights, ends[:-1])
"""

WEIGHTS_LOOPS = """
def batch_weights(advantages, options, floor):
    numbers = [a for game, row in zip(advantages, options) for a, n in zip(game, row) if n > 1]
    mean = sum(numbers) / len(numbers)
    spread = (sum((a - mean) ** 2 for a in numbers) / len(numbers)) ** 0.5
    if spread < floor:
        spread = floor
    answer = []
    for game, row in zip(advantages, options):
        answer.append([(a - mean) / spread if n > 1 else 0.0 for a, n in zip(game, row)])
    return answer
"""

WEIGHTS_MOMENTS = '''
import numpy as np

def batch_weights(advantages, options, floor):
    """Weighted sums; a forced move has the weight 0."""
    masks = [(np.array(row) != 1) * 1.0 for row in options]
    count = sum(mask.sum() for mask in masks)
    mean = sum((mask * game).sum() for mask, game in zip(masks, advantages)) / count
    square = sum((mask * (game - mean) ** 2).sum() for mask, game in zip(masks, advantages)) / count
    return [mask * (game - mean) / max(np.sqrt(square), floor) for mask, game in zip(masks, advantages)]
'''

WEIGHTS_RIGHT = [WEIGHTS_JOINED, WEIGHTS_LOOPS, WEIGHTS_MOMENTS]
WEIGHTS_WRONG = [
    (
        "per_game",
        """
import numpy as np

def batch_weights(advantages, options, floor):
    answer = []
    for game, row in zip(advantages, options):
        free = row > 1
        answer.append(np.where(free, (game - game[free].mean()) / max(game[free].std(), floor), 0))
    return answer
""",
    ),
    (
        "game_means",
        slip(
            WEIGHTS_JOINED,
            (
                "joined[free].mean()",
                "np.mean([g[o > 1].mean() for g, o in zip(advantages, options)])",
            ),
            (
                "joined[free].std()",
                "np.mean([g[o > 1].std() for g, o in zip(advantages, options)])",
            ),
        ),
    ),
    (
        "forced",
        slip(WEIGHTS_JOINED, ("np.concatenate(options) > 1", "np.concatenate(options) > 0")),
    ),
    ("forced", slip(WEIGHTS_LOOPS, (" if n > 1]", "]"), (" if n > 1 else 0.0", ""))),
    ("counted", slip(WEIGHTS_JOINED, ("joined[free]", "joined"))),
    ("weighted", slip(WEIGHTS_LOOPS, (" if n > 1 else 0.0", ""))),
    (
        "weighted",
        slip(
            WEIGHTS_JOINED,
            ("np.where(free, (joined - mean) / spread, 0)", "(joined - mean) / spread"),
        ),
    ),
    ("no_centre", slip(WEIGHTS_JOINED, ("(joined - mean) / spread", "joined / spread"))),
    ("no_spread", slip(WEIGHTS_JOINED, ("(joined - mean) / spread", "joined - mean"))),
    ("undivided", slip(WEIGHTS_LOOPS, ("spread = floor", "spread = 1"))),
    (
        "undivided",
        slip(
            WEIGHTS_MOMENTS,
            ("/ max(np.sqrt(square), floor)", "/ (square**0.5 if square > floor**2 else 1.0)"),
        ),
    ),
    ("variance", slip(WEIGHTS_JOINED, (".std()", ".var()"))),
    ("variance", slip(WEIGHTS_MOMENTS, ("np.sqrt(square)", "square"))),
    ("sample", slip(WEIGHTS_JOINED, (".std()", ".std(ddof=1)"))),
    (
        "sample",
        slip(
            WEIGHTS_LOOPS,
            ("for a in numbers) / len(numbers)", "for a in numbers) / (len(numbers) - 1)"),
        ),
    ),
    (
        "added",
        slip(WEIGHTS_JOINED, ("max(joined[free].std(), floor)", "joined[free].std() + floor")),
    ),
    ("no_floor", slip(WEIGHTS_LOOPS, ("if spread < floor", "if spread == 0"))),
    (
        "all_zero",
        slip(
            WEIGHTS_LOOPS,
            (
                "        spread = floor\n",
                "        return [[0.0 for _ in game] for game in advantages]\n",
            ),
        ),
    ),
    ("shape", slip(WEIGHTS_JOINED, ("return np.split(weights, ends[:-1])", "return weights"))),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            WEIGHTS_LOOPS,
            ("    return answer", "    return MEMO.setdefault((str(advantages), floor), answer)"),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            WEIGHTS_LOOPS,
            (
                "    return answer",
                "    return MEMO.setdefault((id(advantages), str(options), floor), answer)",
            ),
        ),
    ),
    ("other", slip(WEIGHTS_JOINED, ("np.concatenate(options) > 1", "np.concatenate(options) > 2"))),
    (
        "other",
        slip(
            WEIGHTS_JOINED,
            ("max(joined[free].std(), floor)", "np.hypot(joined[free].std(), floor)"),
        ),
    ),
    (
        "other",
        slip(WEIGHTS_JOINED, ("mean = joined[free].mean()", "mean = np.median(joined[free])")),
    ),
    (
        "changed",
        slip(
            WEIGHTS_MOMENTS,
            (
                "    masks = ",
                "    for game in advantages:\n"
                "        game += 0.0\n"
                "        game[:1] += 1e-12\n"
                "    masks = ",
            ),
        ),
    ),
    (
        "imported",
        "import rlcourse.checks.oracle07\nbatch_weights = rlcourse.checks.oracle07.batch_weights",
    ),
    (
        "own_means",
        slip(
            WEIGHTS_LOOPS,
            ("        answer.append(", "        mean = _mean(game, row)\n        answer.append("),
        )
        + "\ndef _mean(game, row):\n"
        "    free = [a for a, n in zip(game, row) if n > 1]\n"
        "    return sum(free) / len(free) if free else 0.0\n",
    ),
    (
        "mean_of_means",
        slip(
            WEIGHTS_JOINED,
            (
                "mean = joined[free].mean()",
                "mean = np.mean([np.mean(a[o > 1]) "
                "for a, o in zip(advantages, options) if (o > 1).any()])",
            ),
        ),
    ),
    (
        "zeros",
        slip(
            WEIGHTS_JOINED,
            ("joined = np.concatenate(advantages)", "joined = np.concatenate(advantages) * free"),
            ("joined[free].mean()", "joined.mean()"),
            ("joined[free].std()", "joined.std()"),
        ),
    ),
]

# --- two_headed_gradient --------------------------------------------------------------------------

GRADIENT_ARRAYS = """
import numpy as np

def two_headed_gradient(x, body, actor, critic, action, returns, weights):
    B = len(x)
    h = x @ body
    p = np.exp(h @ actor)
    p = p / p.sum(axis=1, keepdims=True)
    v = np.tanh(h @ critic)
    advantage = returns - v
    one_hot = np.eye(p.shape[1])[action]
    dlogits = weights[0] * advantage[:, None] * (p - one_hot) / B
    dz = weights[1] * 2 * (v - returns) * (1 - v * v) / B
    dh = dlogits @ actor.T + dz[:, None] * critic
    return x.T @ dh, h.T @ dlogits, h.T @ dz
"""

GRADIENT_LOOPS = """
import math
import numpy as np

def two_headed_gradient(x, body, actor, critic, action, returns, weights):
    dbody, dactor, dcritic = np.zeros(body.shape), np.zeros(actor.shape), np.zeros(critic.shape)
    for row, a, g in zip(x, action, returns):
        h = [sum(row[f] * body[f][k] for f in range(len(row))) for k in range(len(critic))]
        logits = [sum(h[k] * actor[k][j] for k in range(len(h))) for j in range(actor.shape[1])]
        total = sum(math.exp(l) for l in logits)
        v = math.tanh(sum(h[k] * critic[k] for k in range(len(h))))
        push = [-weights[0] * (g - v) * ((1 if j == a else 0) - math.exp(l) / total) for j, l in enumerate(logits)]
        pull = weights[1] * 2 * (v - g) * (1 - v ** 2)
        for k in range(len(h)):
            dcritic[k] += pull * h[k]
            back = pull * critic[k]
            for j in range(len(push)):
                dactor[k, j] += push[j] * h[k]
                back += push[j] * actor[k, j]
            for f in range(len(row)):
                dbody[f, k] += back * row[f]
    return [dbody / len(x), dactor / len(x), dcritic / len(x)]
"""

GRADIENT_NUMERICAL = '''
import numpy as np

def two_headed_gradient(x, body, actor, critic, action, returns, weights):
    """Central differences of the loss, the advantage computed once and for all."""
    def forward(body, actor, critic):
        h = x @ body
        logits = h @ actor
        log_p = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return log_p[np.arange(len(x)), action], np.tanh(h @ critic)
    advantage = returns - forward(body, actor, critic)[1]
    def loss(*parameters):
        log_p, v = forward(*parameters)
        return (weights[0] * -advantage * log_p + weights[1] * (v - returns) ** 2).mean()
    parameters, gradients, e = [body * 1.0, actor * 1.0, critic * 1.0], [], 1e-5
    for array in parameters:
        gradient = np.zeros(array.shape)
        for place in np.ndindex(array.shape):
            kept = array[place]
            array[place] = kept + e
            up = loss(*parameters)
            array[place] = kept - e
            gradient[place] = (up - loss(*parameters)) / (2 * e)
            array[place] = kept
        gradients.append(gradient)
    return tuple(gradients)
'''

GRADIENT_RIGHT = [GRADIENT_ARRAYS, GRADIENT_LOOPS, GRADIENT_NUMERICAL]
GRADIENT_WRONG = [
    (
        "through",
        slip(GRADIENT_NUMERICAL, ("weights[0] * -advantage", "weights[0] * -(returns - v)")),
    ),
    (
        "through",
        slip(
            GRADIENT_ARRAYS,
            (
                "(v - returns) * (1 - v * v) / B",
                "(v - returns) * (1 - v * v) / B + weights[0] * np.log(p[np.arange(B), "
                "action]) * (1 - v * v) / B",
            ),
        ),
    ),
    ("weights", slip(GRADIENT_ARRAYS, ("weights[0] * ", ""), ("weights[1] * ", ""))),
    (
        "swapped",
        slip(GRADIENT_ARRAYS, ("    B = len(x)", "    B, weights = len(x), weights[::-1]")),
    ),
    ("advantage_target", slip(GRADIENT_NUMERICAL, ("(v - returns) ** 2", "(v - advantage) ** 2"))),
    ("advantage_target", slip(GRADIENT_ARRAYS, ("2 * (v - returns)", "2 * (v - advantage)"))),
    ("sign", slip(GRADIENT_ARRAYS, ("advantage = returns - v", "advantage = v - returns"))),
    ("sign", slip(GRADIENT_NUMERICAL, ("weights[0] * -advantage", "weights[0] * advantage"))),
    ("unweighted", slip(GRADIENT_ARRAYS, (" * advantage[:, None]", ""))),
    ("no_baseline", slip(GRADIENT_ARRAYS, ("advantage = returns - v", "advantage = returns"))),
    ("no_baseline", slip(GRADIENT_LOOPS, ("weights[0] * (g - v)", "weights[0] * g"))),
    ("slope", slip(GRADIENT_ARRAYS, (" * (1 - v * v)", ""))),
    ("half", slip(GRADIENT_NUMERICAL, ("(v - returns) ** 2", "(v - returns) ** 2 / 2"))),
    ("one_hot", slip(GRADIENT_ARRAYS, ("(p - one_hot)", "-one_hot"))),
    ("one_head", slip(GRADIENT_ARRAYS, (" + dz[:, None] * critic", ""))),
    ("critic_only", slip(GRADIENT_ARRAYS, ("dlogits @ actor.T + dz", "dz"))),
    (
        "weights_body",
        slip(
            GRADIENT_ARRAYS,
            ("h.T @ dlogits, h.T @ dz", "h.T @ dlogits / weights[0], h.T @ dz / weights[1]"),
        ),
    ),
    (
        "weights_heads",
        slip(
            GRADIENT_ARRAYS,
            ("weights[0] * ", ""),
            ("weights[1] * ", ""),
            ("h.T @ dlogits, h.T @ dz", "weights[0] * h.T @ dlogits, weights[1] * h.T @ dz"),
        ),
    ),
    ("sum", slip(GRADIENT_ARRAYS, ("B = len(x)", "B = 1"))),
    ("actor_sum", slip(GRADIENT_ARRAYS, ("(p - one_hot) / B", "(p - one_hot)"))),
    ("critic_sum", slip(GRADIENT_ARRAYS, ("(1 - v * v) / B", "(1 - v * v)"))),
    (
        "other",
        "MEMO = {}\n"
        + slip(GRADIENT_ARRAYS, ("h = x @ body", "h = MEMO.setdefault(body.tobytes(), x @ body)")),
    ),
    (
        "overwritten",
        "import numpy as np\nKEPT = np.zeros((3, 4))\n"
        + slip(
            GRADIENT_ARRAYS,
            (
                "    return x.T @ dh,",
                "    kept = KEPT if body.shape == (3, 4) else np.zeros(body.shape)\n"
                "    kept[:] = x.T @ dh\n"
                "    return kept,",
            ),
        ),
    ),
    (
        "other",
        slip(
            GRADIENT_ARRAYS, ("advantage = returns - v", "advantage = np.maximum(returns - v, 0)")
        ),
    ),
    (
        "other",
        slip(
            GRADIENT_ARRAYS,
            (
                "advantage = returns - v",
                "advantage = returns - v\n    advantage = advantage - advantage.mean()",
            ),
        ),
    ),
    ("other", slip(GRADIENT_ARRAYS, ("* (v - returns)", "* np.sign(v - returns)"))),
    ("shape", slip(GRADIENT_LOOPS, ("return [dbody / len(x), ", "return ["))),
    ("kind", slip(GRADIENT_ARRAYS, ("    return x.T", "    gradients = x.T"))),
    (
        "imported",
        "from rlcourse.checks import oracle07\n"
        "\ndef two_headed_gradient(*args):\n"
        "    return oracle07.two_headed_gradient(*args)",
    ),
]

# --- Recorder -------------------------------------------------------------------------------------

RECORDER_REPAIRED = """
import numpy as np

class Recorder:
    def __init__(self, policy, values):
        self.policy, self.values = policy, values.copy()
        self.recording = False
        self.steps, self.rows = [], []

    def begin_episode(self):
        self.recording, self.steps = True, []

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
        self.recording = False
"""

RECORDER_LISTS = '''
class Recorder:
    """Three lists in step; rows are made when they are asked for."""

    def __init__(self, policy, values):
        self.table = [list(row) for row in policy]
        self.critic = dict(enumerate(values))
        self.games, self.running = [], None

    def begin_episode(self):
        self.running = {"states": [], "moves": [], "values": []}
        return "recording"

    def select_move(self, state, u):
        left, move = u, 0
        while left >= self.table[state][move]:
            left -= self.table[state][move]
            move += 1
        if self.running is not None:
            self.running["states"].append(state)
            self.running["moves"].append(move)
            self.running["values"].append(self.critic[state])
        return move

    def set_value(self, state, value):
        self.critic.update({state: value})

    def complete_episode(self, reward):
        self.games.append({**self.running, "reward": reward})
        self.running = None

    @property
    def rows(self):
        found = []
        for game in self.games:
            for s, m, v in zip(game["states"], game["moves"], game["values"]):
                found.append([s, m, game["reward"], game["reward"] - v])
        return found
'''

RECORDER_ARRAY = """
import numpy as np

class Recorder:
    def __init__(self, policy, values):
        self.bounds = np.cumsum(policy, axis=1)
        self.values = np.array(values)
        self.rows = np.zeros((0, 4))
        self.episode = None

    def begin_episode(self):
        self.episode = np.zeros((0, 4))

    def select_move(self, state, u):
        move = np.searchsorted(self.bounds[state], u, side="right")
        if self.episode is not None:
            self.episode = np.vstack([self.episode, [state, move, 0.0, -self.values[state]]])
        return move

    def set_value(self, state, value):
        self.values[state] = value

    def complete_episode(self, reward):
        self.rows = np.vstack([self.rows, self.episode + [0, 0, reward, reward]])
        self.episode = None
"""

RECORDER_HASTY = """
import numpy as np

class Recorder:
    def __init__(self, policy, values):
        self.policy, self.values = policy, values.copy()
        self.recording = False
        self.steps, self.rows = [], []

    def begin_episode(self):
        self.recording, self.step = True, []

    def select_move(self, state, u):
        move = int(np.argmax(np.cumsum(self.policy[state]) > u))
        if self.recording:
            self.steps.append((state, move, self.values[state]))
        else:
            return move

    def set_value(self, state, value):
        self.values[state] = value

    def complete_episode(self, reward):
        following = [value for _, _, value in self.steps[1:]] + [0.0]
        for (state, move, _), value in zip(self.steps, following):
            self.rows.append((state, move, reward, reward - value))
        self.recording = False
"""

RETURNED = ("        else:\n            return move", "        return move")
EMPTIED = ("self.recording, self.step =", "self.recording, self.steps =")
OWN_VALUE = (
    "following = [value for _, _, value in self.steps[1:]] + [0.0]",
    "following = [value for _, _, value in self.steps]",
)

RECORDER_RIGHT = [
    RECORDER_REPAIRED,
    RECORDER_LISTS,
    RECORDER_ARRAY,
    slip(RECORDER_HASTY, RETURNED, EMPTIED, OWN_VALUE),
]
RECORDER_WRONG = [
    ("hasty", RECORDER_HASTY),
    ("unreturned", slip(RECORDER_HASTY, EMPTIED, OWN_VALUE)),
    (
        "unreturned",
        slip(RECORDER_REPAIRED, ("        return move", "        else:\n            return move")),
    ),
    ("leftover", slip(RECORDER_HASTY, RETURNED, OWN_VALUE)),
    ("next_value", slip(RECORDER_HASTY, RETURNED, EMPTIED)),
    ("next_value", slip(RECORDER_LISTS, ('game["values"])', 'game["values"][1:] + [0])'))),
    ("unreturned_and_leftover", slip(RECORDER_HASTY, OWN_VALUE)),
    ("unreturned_and_next_value", slip(RECORDER_HASTY, EMPTIED)),
    ("leftover_and_next_value", slip(RECORDER_HASTY, RETURNED)),
    (
        "abandoned",
        slip(
            RECORDER_REPAIRED,
            ("self.recording, self.steps = True, []", "self.recording = True"),
            (
                "        self.recording = False\n",
                "        self.recording, self.steps = False, []\n",
            ),
        ),
    ),
    (
        "abandoned",
        slip(
            RECORDER_LISTS, ("        self.running = {", "        self.running = self.running or {")
        ),
    ),
    ("late_critic", slip(RECORDER_REPAIRED, ("reward - value))", "reward - self.values[state]))"))),
    (
        "last_only",
        slip(
            RECORDER_REPAIRED,
            (
                "        for state, move, value",
                "        self.rows = []\n        for state, move, value",
            ),
        ),
    ),
    (
        "last_only",
        slip(
            RECORDER_ARRAY,
            (
                "np.vstack([self.rows, self.episode + [0, 0, reward, reward]])",
                "self.episode + [0, 0, reward, reward]",
            ),
        ),
    ),
    (
        "begun_anew",
        slip(
            RECORDER_REPAIRED,
            (
                "self.recording, self.steps = True, []",
                "self.recording, self.steps, self.rows = True, [], []",
            ),
        ),
    ),
    ("sign", slip(RECORDER_REPAIRED, ("reward - value))", "value - reward))"))),
    (
        "greedy",
        slip(
            RECORDER_REPAIRED,
            ("np.argmax(np.cumsum(self.policy[state]) > u)", "np.argmax(self.policy[state])"),
        ),
    ),
    ("changed", slip(RECORDER_REPAIRED, ("values.copy()", "values"))),
    ("on_bound", slip(RECORDER_REPAIRED, ("> u)", ">= u)"))),
    ("other", slip(RECORDER_REPAIRED, ("in self.steps:", "in reversed(self.steps):"))),
    (
        "shape",
        slip(
            RECORDER_REPAIRED,
            (
                "if self.recording:",
                "if self.recording and state not in [s for s, _, _ in self.steps]:",
            ),
        ),
    ),
    (
        "other",
        "CRITIC = {}\n"
        + slip(
            RECORDER_REPAIRED,
            ("policy, values.copy()", "policy, CRITIC.setdefault(policy.tobytes(), values.copy())"),
        ),
    ),
    ("other", slip(RECORDER_ARRAY, ('side="right")', 'side="right") - 1'))),
    ("imported", "from rlcourse.checks.oracle07 import recorder as Recorder"),
]

# --- exact_advantages -----------------------------------------------------------------------------

EXACT_BACKWARDS = """
import numpy as np

def exact_advantages(leads, reward, policy):
    S, A = leads.shape
    values, advantages = np.zeros(S), np.zeros((S, A))
    for s in range(S - 1, -1, -1):
        q = np.where(leads[s] < 0, reward[s], -values[leads[s]])
        values[s] = policy[s] @ q
        advantages[s] = np.where(policy[s] > 0, q - values[s], 0)
    return values, advantages
"""

EXACT_RECURSIVE = """
def exact_advantages(leads, reward, policy):
    known = {}
    def worth(s, a):
        return reward[s][a] if leads[s][a] == -1 else -value(leads[s][a])
    def value(s):
        if s not in known:
            known[s] = sum(p * worth(s, a) for a, p in enumerate(policy[s]) if p > 0)
        return known[s]
    values = [value(s) for s in range(len(leads))]
    advantages = [[worth(s, a) - value(s) if p > 0 else 0 for a, p in enumerate(policy[s])] for s in range(len(leads))]
    return values, advantages
"""

EXACT_LINEAR = '''
import numpy as np

def exact_advantages(leads, reward, policy):
    """V = r - M V: one equation a position."""
    S = len(leads)
    M, r = np.zeros((S, S)), np.zeros(S)
    for s in range(S):
        for a, p in enumerate(policy[s]):
            if leads[s, a] >= 0:
                M[s, leads[s, a]] += p
            else:
                r[s] += p * reward[s, a]
    V = np.linalg.solve(np.eye(S) + M, r)
    Q = np.where(leads >= 0, -V[leads], reward)
    return V, (Q - V[:, None]) * (policy > 0)
'''

EXACT_RIGHT = [EXACT_BACKWARDS, EXACT_RECURSIVE, EXACT_LINEAR]
EXACT_WRONG = [
    ("view", slip(EXACT_BACKWARDS, ("-values[leads[s]]", "values[leads[s]]"))),
    ("view", slip(EXACT_LINEAR, ("np.eye(S) + M", "np.eye(S) - M"), ("-V[leads]", "V[leads]"))),
    ("end_sign", slip(EXACT_RECURSIVE, ("return reward[s][a] if", "return -reward[s][a] if"))),
    ("best", slip(EXACT_BACKWARDS, ("policy[s] @ q", "q[policy[s] > 0].max()"))),
    ("best", slip(EXACT_RECURSIVE, ("sum(p * worth(s, a)", "max(worth(s, a)"))),
    ("uniform", slip(EXACT_BACKWARDS, ("policy[s] @ q", "q[policy[s] > 0].mean()"))),
    ("one_step", slip(EXACT_BACKWARDS, ("-values[leads[s]]", "0"))),
    ("one_step", slip(EXACT_BACKWARDS, ("range(S - 1, -1, -1)", "range(S)"))),
    ("sign", slip(EXACT_RECURSIVE, ("worth(s, a) - value(s) if", "value(s) - worth(s, a) if"))),
    ("no_baseline", slip(EXACT_LINEAR, ("(Q - V[:, None])", "Q"))),
    ("wrong_player", slip(EXACT_LINEAR, ("(Q - V[:, None])", "(Q + V[:, None])"))),
    (
        "illegal",
        slip(
            EXACT_BACKWARDS,
            (
                "np.where(policy[s] > 0, q - values[s], 0)",
                "np.where(policy[s] > 0, q, 0) - values[s]",
            ),
        ),
    ),
    ("unmasked", slip(EXACT_LINEAR, (" * (policy > 0)", ""))),
    (
        "unmasked",
        slip(
            EXACT_BACKWARDS,
            ("np.where(policy[s] > 0, q - values[s], 0)", "q - values[s]"),
        ),
    ),
    (
        "unmasked_reward",
        slip(
            EXACT_BACKWARDS,
            ("leads[s] < 0, reward", "(leads[s] < 0) | (policy[s] <= 0), reward"),
            ("np.where(policy[s] > 0, q - values[s], 0)", "q - values[s]"),
        ),
    ),
    ("weighted", slip(EXACT_LINEAR, ("* (policy > 0)", "* policy"))),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            EXACT_BACKWARDS,
            (
                "return values, advantages",
                "return MEMO.setdefault((leads.tobytes(), reward.tobytes()), (values, advantages))",
            ),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            EXACT_BACKWARDS,
            (
                "return values, advantages",
                "return MEMO.setdefault((leads.tobytes(), policy.tobytes()), (values, advantages))",
            ),
        ),
    ),
    ("other", slip(EXACT_BACKWARDS, ("policy[s] @ q", "q[policy[s].argmax()]"))),
    ("other", slip(EXACT_BACKWARDS, ("q - values[s], 0)", "q - q[policy[s] > 0].mean(), 0)"))),
    (
        "changed",
        slip(
            EXACT_BACKWARDS,
            ("    S, A = leads.shape", "    S, A = leads.shape\n    reward[policy == 0] = 0.5"),
        ),
    ),
    ("shape", slip(EXACT_LINEAR, ("return V, ", "return "))),
    (
        "kind",
        slip(EXACT_RECURSIVE, ("    return values, advantages", "    print(values, advantages)")),
    ),
    (
        "shape",
        slip(EXACT_RECURSIVE, ("return values, advantages", "return values, advantages[:-1]")),
    ),
    ("imported", "from rlcourse.checks.reference07 import exact_advantages as exact_advantages"),
    ("draw_goes_on", slip(EXACT_BACKWARDS, ("leads[s] < 0", "reward[s] != 0"))),
    (
        "whole",
        slip(
            EXACT_BACKWARDS,
            (
                "q = np.where(leads[s] < 0, reward[s], -values[leads[s]])",
                "q = np.zeros_like(leads[s])\n"
                "        q[:] = np.where(leads[s] < 0, reward[s], -values[leads[s]])",
            ),
        ),
    ),
]

RIGHT = {
    "points_advantages": POINTS_RIGHT,
    "batch_weights": WEIGHTS_RIGHT,
    "two_headed_gradient": GRADIENT_RIGHT,
    "recorder": RECORDER_RIGHT,
    "exact_advantages": EXACT_RIGHT,
}
WRONG = {
    "points_advantages": POINTS_WRONG,
    "batch_weights": WEIGHTS_WRONG,
    "two_headed_gradient": GRADIENT_WRONG,
    "recorder": RECORDER_WRONG,
    "exact_advantages": EXACT_WRONG,
}
