"""Answers to sheet 04 as students write them: RIGHT[task] -> sources, WRONG[task] ->
(mistake it must be told, source).

A wrong answer is a right one with one slip; `slip(source, old, new)` shows which. No answer looks
at the course's oracle, but those that are handed in as the reference itself.
"""

from rlcourse.grading.answers import slip

# --- compound_return ------------------------------------------------------------------------------

COMPOUND_LOOP = """
def compound_return(rewards, values, weights, gamma):
    total = 0.0
    for n, weight in enumerate(weights, start=1):
        g = 0.0
        for k in range(min(n, len(rewards))):
            g += gamma ** k * rewards[k]
        if n < len(rewards):
            g += gamma ** n * values[n]
        total += weight * g
    return total
"""

COMPOUND_ARRAYS = """
import numpy as np

def compound_return(rewards, values, weights, gamma):
    T, N = len(rewards), len(weights)
    partial = np.cumsum(gamma ** np.arange(T) * rewards)
    n = np.arange(1, N + 1)
    ahead = np.append(values[1:], 0.0)
    last = np.minimum(n, T) - 1
    returns = partial[last] + gamma ** (last + 1) * ahead[last]
    return weights @ returns
"""

COMPOUND_BACKWARDS = """
import warnings

def compound_return(rewards, values, weights, gamma):
    warnings.warn("this answer is right and noisy")
    def n_step(k, n):
        if k == len(rewards):
            return 0.0
        if n == 0:
            return values[k]
        return rewards[k] + gamma * n_step(k + 1, n - 1)
    return sum(w * n_step(0, i + 1) for i, w in enumerate(weights))
"""

COMPOUND_RIGHT = [COMPOUND_LOOP, COMPOUND_ARRAYS, COMPOUND_BACKWARDS]
COMPOUND_WRONG = [
    (
        "end_value_ahead",
        slip(
            COMPOUND_LOOP,
            ("        if n < len(rewards):\n    ", ""),
            ("values[n]", "values[min(n, len(values) - 1)]"),
        ),
    ),
    ("off_by_one", slip(COMPOUND_LOOP, ("values[n]", "values[n - 1]"))),
    (
        "off_by_one",
        slip(
            COMPOUND_ARRAYS,
            ("ahead = np.append(values[1:], 0.0)", "ahead = np.append(values[:-1], 0.0)"),
        ),
    ),
    ("undiscounted", slip(COMPOUND_LOOP, ("gamma ** n * values[n]", "values[n]"))),
    ("short_discount", slip(COMPOUND_LOOP, ("gamma ** n * values", "gamma ** (n - 1) * values"))),
    ("plain_rewards", slip(COMPOUND_LOOP, ("gamma ** k * rewards[k]", "rewards[k]"))),
    ("plain_rewards", slip(COMPOUND_ARRAYS, ("gamma ** np.arange(T) * rewards", "rewards"))),
    (
        "changed",
        slip(
            COMPOUND_LOOP,
            ("    total = 0.0", "    total = 0.0\n    weights /= weights.sum() * (1 + 1e-12)"),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            COMPOUND_LOOP,
            ("    return total", "    return MEMO.setdefault(rewards.tobytes(), total)"),
        ),
    ),
    ("raised an error", slip(COMPOUND_LOOP, ("if n < len(rewards)", "if n <= len(rewards)"))),
    ("late", slip(COMPOUND_LOOP, ("gamma ** k * rewards", "gamma ** (k + 1) * rewards"))),
    (
        "past_end",
        slip(
            COMPOUND_LOOP,
            ("enumerate(weights, start=1)", "enumerate(weights[:len(rewards)], start=1)"),
        ),
    ),
    (
        "renormalised",
        slip(
            COMPOUND_LOOP,
            (
                "    total = 0.0",
                "    weights = weights[:len(rewards)]\n"
                "    weights = weights / sum(weights)\n"
                "    total = 0.0",
            ),
        ),
    ),
    (
        "end_value",
        slip(COMPOUND_ARRAYS, ("np.append(values[1:], 0.0)", "np.append(values[1:], values[-1])")),
    ),
    (
        "beyond_value",
        slip(
            COMPOUND_BACKWARDS,
            ("            return 0.0", "            return values[-1] if n > 0 else 0.0"),
        ),
    ),
    (
        "last_estimate",
        slip(
            COMPOUND_BACKWARDS,
            (
                "if k == len(rewards):\n            return 0.0",
                "if k == len(rewards) - 1:\n            return values[k]",
            ),
        ),
    ),
    ("from_zero", slip(COMPOUND_LOOP, ("start=1", "start=0"))),
    (
        "extra_reward",
        slip(COMPOUND_ARRAYS, ("partial[last]", "partial[np.minimum(last + 1, T - 1)]")),
    ),
    ("gamma", slip(COMPOUND_BACKWARDS, ("gamma * n_step", "0.9 * n_step"))),
    ("shape", slip(COMPOUND_ARRAYS, ("return weights @ returns", "return weights * returns"))),
    ("imported", "from rlcourse.checks.oracle04 import compound_return"),
    ("other", slip(COMPOUND_LOOP, ("gamma ** n * values[n]", "gamma ** n * max(values[n], 0)"))),
    ("other", slip(COMPOUND_LOOP, ("gamma ** n * values[n]", "gamma ** n * values[-1]"))),
]

# --- mover_targets --------------------------------------------------------------------------------

MOVER_BACKWARDS = """
import numpy as np

def mover_targets(values, player, result, lam, gamma):
    T = len(values)
    targets = np.zeros(T)
    targets[-1] = result if player[-1] == 0 else -result
    for t in range(T - 2, -1, -1):
        mixed = (1 - lam) * values[t + 1] + lam * targets[t + 1]
        if player[t] != player[t + 1]:
            mixed = -mixed
        targets[t] = gamma * mixed
    return targets
"""

MOVER_FIRST_PLAYERS_VIEW = """
import numpy as np
from rlcourse.experience import lambda_returns

def mover_targets(values, player, result, lam, gamma):
    sign = np.where(player == 0, 1.0, -1.0)
    first = sign * values
    rewards = np.zeros(len(values))
    rewards[-1] = result
    return sign * lambda_returns(rewards, np.append(first[1:], 0.0), lam, gamma)
"""

MOVER_DEFINITION = """
def mover_targets(values, player, result, lam, gamma):
    T = len(values)
    found = []
    for t in range(T):
        total = 0.0
        for n in range(1, T - t + 1):
            if t + n < T:
                seen = values[t + n] if player[t + n] == player[t] else -values[t + n]
                weight, discount = (1 - lam) * lam ** (n - 1), gamma ** n
            else:
                seen = result if player[t] == 0 else -result
                weight, discount = lam ** (n - 1), gamma ** (n - 1)
            total += weight * discount * seen
        found.append(total)
    return found
"""

MOVER_RIGHT = [MOVER_BACKWARDS, MOVER_FIRST_PLAYERS_VIEW, MOVER_DEFINITION]
MOVER_WRONG = [
    (
        "per_turn",
        slip(
            MOVER_DEFINITION,
            (
                "    T = len(values)\n",
                "    T = len(values)\n"
                "    turn = [sum(a != b for a, b in zip(player[:t], player[1 : t + 1])) for t in range(T)]\n",
            ),
            ("gamma ** n\n", "gamma ** (turn[t + n] - turn[t])\n"),
            ("gamma ** (n - 1)", "gamma ** (turn[-1] - turn[t])"),
        ),
    ),
    ("sign", slip(MOVER_BACKWARDS, ("mixed = -mixed", "pass"))),
    (
        "alternates",
        slip(
            MOVER_BACKWARDS,
            (
                "        if player[t] != player[t + 1]:\n            mixed = -mixed",
                "        mixed = -mixed",
            ),
        ),
    ),
    (
        "half_sign",
        slip(
            MOVER_BACKWARDS,
            (
                "            mixed = -mixed",
                "            mixed = -(1 - lam) * values[t + 1] + lam * targets[t + 1]",
            ),
        ),
    ),
    (
        "half_turned",
        slip(
            MOVER_BACKWARDS,
            (
                "            mixed = -mixed",
                "            mixed = (1 - lam) * values[t + 1] - lam * targets[t + 1]",
            ),
        ),
    ),
    ("result_sign", slip(MOVER_BACKWARDS, ("result if player[-1] == 0 else -result", "result"))),
    ("own_value", slip(MOVER_BACKWARDS, ("(1 - lam) * values[t + 1]", "(1 - lam) * values[t]"))),
    (
        "end_value",
        slip(
            MOVER_BACKWARDS,
            (
                "    for t in",
                "    targets[-1] = (1 - lam) * values[-1] + lam * targets[-1]\n    for t in",
            ),
        ),
    ),
    (
        "swapped",
        slip(
            MOVER_BACKWARDS,
            (
                "(1 - lam) * values[t + 1] + lam * targets[t + 1]",
                "lam * values[t + 1] + (1 - lam) * targets[t + 1]",
            ),
        ),
    ),
    ("swapped", slip(MOVER_FIRST_PLAYERS_VIEW, ("0.0), lam, gamma)", "0.0), 1 - lam, gamma)"))),
    *(
        (
            name,
            slip(
                MOVER_FIRST_PLAYERS_VIEW,
                ("np.where(player == 0,", f"np.where(({first} + np.arange(len(player))) % 2 == 0,"),
            ),
        )
        for name, first in (("alternates_first", "player[0]"), ("first_moves", "0"))
    ),
    (
        "target_undiscounted",
        slip(
            MOVER_BACKWARDS,
            ("mixed = (1 - lam) *", "mixed = gamma * (1 - lam) *"),
            ("gamma * mixed", "mixed"),
        ),
    ),
    (
        "estimate_undiscounted",
        slip(
            MOVER_BACKWARDS,
            ("+ lam * targets", "+ gamma * lam * targets"),
            ("gamma * mixed", "mixed"),
        ),
    ),
    ("no_gamma", slip(MOVER_BACKWARDS, ("gamma * mixed", "mixed"))),
    (
        "late_result",
        slip(MOVER_DEFINITION, ("lam ** (n - 1), gamma ** (n - 1)", "lam ** (n - 1), gamma**n")),
    ),
    ("one_view", slip(MOVER_FIRST_PLAYERS_VIEW, ("return sign * lambda", "return lambda"))),
    ("gamma", slip(MOVER_BACKWARDS, ("gamma * mixed", "0.9 * mixed"))),
    (
        "changed",
        slip(MOVER_BACKWARDS, ("    T = len(values)", "    T = len(values)\n    values[0] = 0.0")),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            MOVER_BACKWARDS,
            ("    return targets", "    return MEMO.setdefault(values.tobytes(), targets)"),
        ),
    ),
    ("shape", slip(MOVER_BACKWARDS, ("return targets", "return targets[:, None]"))),
    (
        "imported",
        "import rlcourse.checks.oracle04 as answers\n"
        "def mover_targets(*args):\n"
        "    return answers.mover_targets(*args)",
    ),
    (
        "not_finite",
        slip(
            MOVER_BACKWARDS,
            (
                "(1 - lam) * values[t + 1] + lam * targets[t + 1]",
                "lam * ((1 - lam) / np.float64(lam) * values[t + 1] + targets[t + 1])",
            ),
        ),
    ),
    ("other", slip(MOVER_BACKWARDS, ("player[t] != player[t + 1]", "player[t] == 1"))),
    ("other", slip(MOVER_BACKWARDS, ("lam * targets[t + 1]", "lam * result"))),
]

# --- trace_history --------------------------------------------------------------------------------

TRACE_LOOPS = """
import numpy as np

def trace_history(features, starts, lam, gamma, kind):
    T, F = features.shape
    history = np.zeros((T, F))
    trace = np.zeros(F)
    for t in range(T):
        if starts[t]:
            trace[:] = 0.0
        for f in range(F):
            trace[f] *= gamma * lam
            if features[t, f]:
                trace[f] = trace[f] + 1 if kind == "accumulating" else 1.0
        history[t] = trace
    return history
"""

TRACE_ARRAYS = """
import numpy as np

def trace_history(features, starts, lam, gamma, kind):
    rows, trace = [], 0.0 * features[0]
    for x, start in zip(features, starts):
        trace = gamma * lam * trace * (not start)
        if kind == "replacing":
            trace = np.maximum(trace, x)
        else:
            trace = trace + x
        rows.append(trace)
    return np.stack(rows)
"""

TRACE_RIGHT = [TRACE_LOOPS, TRACE_ARRAYS]
TRACE_WRONG = [
    (
        "fades_itself",
        slip(
            TRACE_ARRAYS,
            ("trace = gamma * lam * trace * (not start)", "trace = trace * (not start)"),
            (
                "        rows.append(trace)",
                "        trace = trace * gamma * lam\n        rows.append(trace)",
            ),
        ),
    ),
    (
        "row_fades",
        slip(
            TRACE_ARRAYS,
            (
                "        trace = gamma * lam * trace * (not start)\n",
                "        if start:\n"
                "            trace = np.zeros(len(x))\n"
                "        trace *= gamma * lam\n",
            ),
        ),
    ),
    (
        "episode_array",
        slip(
            TRACE_ARRAYS,
            (
                "        trace = gamma * lam * trace * (not start)\n",
                "        trace = np.zeros(len(x)) if start else trace\n"
                "        np.multiply(trace, gamma * lam, out=trace)\n",
            ),
            ("trace = np.maximum(trace, x)", "np.maximum(trace, x, out=trace)"),
            ("trace = trace + x", "trace += x"),
        ),
    ),
    (
        "start_empty",
        slip(TRACE_ARRAYS, ("        if kind", "        x = x * (not start)\n        if kind")),
    ),
    ("no_fade", slip(TRACE_LOOPS, ("trace[f] *= gamma * lam", "pass"))),
    ("only_lam", slip(TRACE_LOOPS, ("*= gamma * lam", "*= lam"))),
    ("only_gamma", slip(TRACE_ARRAYS, ("gamma * lam * trace", "gamma * trace"))),
    ("not_reset", slip(TRACE_LOOPS, ("        if starts[t]:\n            trace[:] = 0.0\n", ""))),
    (
        "start_ends",
        slip(
            TRACE_LOOPS,
            ("        if starts[t]:\n            trace[:] = 0.0\n", ""),
            (
                "        history[t] = trace\n",
                "        history[t] = trace\n        trace *= not starts[t]\n",
            ),
        ),
    ),
    (
        "start_ends",
        slip(TRACE_ARRAYS, ("zip(features, starts)", "zip(features, [True, *starts[:-1]])")),
    ),
    (
        "late",
        slip(
            TRACE_LOOPS,
            (
                "            if features[t, f]:",
                "            history[t, f] = trace[f]\n            if features[t, f]:",
            ),
            ("        history[t] = trace\n", ""),
        ),
    ),
    (
        "accumulates",
        slip(TRACE_LOOPS, ('trace[f] + 1 if kind == "accumulating" else 1.0', "trace[f] + 1")),
    ),
    ("replaces", slip(TRACE_ARRAYS, ('if kind == "replacing"', "if True"))),
    (
        "one_array",
        slip(
            TRACE_LOOPS,
            ("history = np.zeros((T, F))", "history = []"),
            ("history[t] = trace", "history.append(trace)"),
        ),
    ),
    ("clears", slip(TRACE_ARRAYS, ("np.maximum(trace, x)", "1.0 * x"))),
    (
        "changed",
        slip(
            TRACE_LOOPS,
            ("    trace = np.zeros(F)", "    trace = np.zeros(F)\n    starts[0] = False"),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            TRACE_LOOPS, ("return history", "return MEMO.setdefault(features.tobytes(), history)")
        ),
    ),
    (
        "one_array",
        slip(
            TRACE_ARRAYS,
            ("rows.append(trace)", "rows.append(trace)\n        trace[:] = rows[-1]"),
            ("trace = gamma * lam * trace * (not start)", "trace *= gamma * lam * (not start)"),
            ("np.maximum(trace, x)", "np.maximum(trace, x, out=trace)"),
            ("trace + x", "np.add(trace, x, out=trace)"),
        ),
    ),
    ("shape", slip(TRACE_LOOPS, ("return history", "return history[-1]"))),
    (
        "imported",
        "from rlcourse.checks import oracle04\n"
        "def trace_history(*args):\n"
        "    return oracle04.trace_history(*args)",
    ),
    ("other", slip(TRACE_LOOPS, ("trace[f] + 1 if", "min(3.0, trace[f] + 1) if"))),
    (
        "other",
        slip(
            TRACE_LOOPS,
            ("trace[f] *= gamma * lam", "trace[f] *= gamma * lam if features[t].any() else 1"),
        ),
    ),
    (
        "active_stays",
        slip(
            TRACE_LOOPS,
            (
                "            trace[f] *= gamma * lam\n            if features[t, f]:",
                "            if not features[t, f]:\n"
                "                trace[f] *= gamma * lam\n"
                "            else:",
            ),
        ),
    ),
]

# --- learn_throws ---------------------------------------------------------------------------------

THROWS_MENDED = """
import numpy as np

def learn_throws(values, games, alpha, lam):
    values = np.array(values, float)
    for squares in games:
        trace = np.zeros(len(values))
        for t, square in enumerate(squares):
            ahead = values[squares[t + 1]] if t + 1 < len(squares) else 0.0
            surprise = 1 + ahead - values[square]
            trace *= lam
            trace[square] += 1
            values += alpha * surprise * trace
    return values
"""

THROWS_HOME_IS_ZERO = """
import numpy as np

def learn_throws(values, games, alpha, lam):
    values = list(values)
    home, values[0] = values[0], 0.0
    for squares in games:
        steps = [int(s) for s in squares] + [0]
        for t in range(len(squares)):
            surprise = 1 + values[steps[t + 1]] - values[steps[t]]
            for k in range(t + 1):
                values[steps[k]] += alpha * surprise * lam ** (t - k)
    values[0] = home
    return np.array(values)
"""

THROWS_FORWARD = """
import numpy as np

def learn_throws(values, games, alpha, lam):
    # A counter never comes back to a square, so every square may simply move to its lambda-return at the end of the game.
    v = np.array(values, float)
    for squares in games:
        ahead = np.append(v[np.array(squares[1:], int)], 0.0)
        g, targets = 0.0, []
        for k in reversed(range(len(squares))):
            g = 1 + (1 - lam) * ahead[k] + lam * g if k + 1 < len(squares) else 1.0
            targets.append(g)
        v[squares] += alpha * (np.array(targets[::-1]) - v[squares])
    return v
"""

THROWS_RIGHT = [THROWS_MENDED, THROWS_HOME_IS_ZERO, THROWS_FORWARD]
THROWS_WRONG = [
    (
        "cut_home",
        slip(
            THROWS_HOME_IS_ZERO,
            ("range(t + 1):", "range(0 if steps[t + 1] else t, t + 1):"),
        ),
    ),
    ("no_last", slip(THROWS_HOME_IS_ZERO, ("range(len(squares)):", "range(len(squares) - 1):"))),
    (
        "not_reset",
        slip(
            THROWS_MENDED,
            (
                "    for squares in games:\n        trace = np.zeros(len(values))\n",
                "    trace = np.zeros(len(values))\n    for squares in games:\n",
            ),
        ),
    ),
    (
        "half_reset",
        slip(
            THROWS_MENDED,
            (
                "    for squares in games:\n        trace = np.zeros(len(values))\n",
                "    trace = np.zeros(len(values))\n"
                "    for squares in games:\n"
                "        trace = np.array([e if s in squares else 0.0 for s, e in enumerate(trace)])\n",
            ),
        ),
    ),
    (
        "own_reset",
        slip(
            THROWS_MENDED,
            (
                "    for squares in games:\n        trace = np.zeros(len(values))\n",
                "    trace = np.zeros(len(values))\n"
                "    for squares in games:\n"
                "        trace[list(squares)] = 0.0\n",
            ),
        ),
    ),
    (
        "home",
        slip(
            THROWS_MENDED,
            (
                "values[squares[t + 1]] if t + 1 < len(squares) else 0.0",
                "values[squares[t + 1]] if t + 1 < len(squares) else values[0]",
            ),
        ),
    ),
    ("home", slip(THROWS_HOME_IS_ZERO, ("home, values[0] = values[0], 0.0", "home = values[0]"))),
    (
        "hasty",
        slip(
            THROWS_MENDED,
            (
                "    for squares in games:\n        trace = np.zeros(len(values))\n",
                "    trace = np.zeros(len(values))\n    for squares in games:\n",
            ),
            ("else 0.0", "else values[0]"),
        ),
    ),
    (
        "last_throw",
        slip(THROWS_MENDED, ("surprise = 1 + ahead", "surprise = (t + 1 < len(squares)) + ahead")),
    ),
    ("home_changed", slip(THROWS_HOME_IS_ZERO, ("    values[0] = home\n", ""))),
    (
        "home_changed",
        slip(
            THROWS_MENDED,
            ("    for squares in games:", "    values[0] = 0.0\n    for squares in games:"),
        ),
    ),
    (
        "changed",
        slip(
            THROWS_MENDED,
            ("values = np.array(values, float)", "values = np.asarray(values, float)"),
        ),
    ),
    (
        "changed",
        slip(
            THROWS_HOME_IS_ZERO,
            ("steps = [int(s) for s in squares] + [0]", "steps = squares\n        steps.append(0)"),
            ("range(len(squares))", "range(len(squares) - 1)"),
        ),
    ),
    (
        "other",
        "MEMO = {}\n"
        + slip(
            THROWS_MENDED,
            ("    return values", "    return MEMO.setdefault((str(games), len(values)), values)"),
        ),
    ),
    ("no_fade", slip(THROWS_MENDED, ("            trace *= lam\n", ""))),
    ("td_0", slip(THROWS_MENDED, ("trace *= lam", "trace *= 0"))),
    (
        "late",
        slip(
            THROWS_MENDED,
            (
                "            trace[square] += 1\n            values += alpha * surprise * trace",
                "            values += alpha * surprise * trace\n            trace[square] += 1",
            ),
        ),
    ),
    ("kind", slip(THROWS_MENDED, ("    return values", ""))),
    ("imported", "from rlcourse.checks.oracle04 import learn_throws"),
    ("other", slip(THROWS_MENDED, ("    return values", "    return np.maximum(values, 1)"))),
    (
        "other",
        slip(
            THROWS_MENDED,
            (
                "    for squares in games:\n",
                "    for squares in games:\n        if len(squares) == 1:\n            continue\n",
            ),
        ),
    ),
    (
        "other",
        slip(
            THROWS_MENDED,
            (
                "    for squares in games:\n",
                "    for squares in games:\n        squares = [games[-1][0], *squares[1:]]\n",
            ),
        ),
    ),
]

# --- q_lambda -------------------------------------------------------------------------------------

WATKINS_ARRAYS = """
import numpy as np

def q_lambda(q, states, actions, rewards, alpha, lam, gamma):
    q = q.copy()
    trace = np.zeros_like(q)
    for t in range(len(states)):
        s, a = states[t], actions[t]
        if q[s, a] < q[s].max():
            trace[:] = 0.0
        else:
            trace *= gamma * lam
        trace[s, a] += 1.0
        ahead = q[states[t + 1]].max() if t + 1 < len(states) else 0.0
        q += alpha * (rewards[t] + gamma * ahead - q[s, a]) * trace
    return q
"""

WATKINS_DICT = """
import numpy as np

def q_lambda(q, states, actions, rewards, alpha, lam, gamma):
    table, owed = {(s, a): q[s, a] for s in range(q.shape[0]) for a in range(q.shape[1])}, {}
    best = lambda s: max(table[s, a] for a in range(q.shape[1]))
    following = list(states[1:]) + [None]
    for s, a, r, s_next in zip(states, actions, rewards, following):
        greedy = table[s, a] == best(s)
        owed = {key: gamma * lam * e for key, e in owed.items()} if greedy else {}
        owed[s, a] = owed.get((s, a), 0.0) + 1.0
        delta = r - table[s, a]
        if s_next is not None:
            delta += gamma * best(s_next)
        for key, e in owed.items():
            table[key] += alpha * delta * e
    return np.array([[table[s, a] for a in range(q.shape[1])] for s in range(q.shape[0])])
"""

WATKINS_RIGHT = [WATKINS_ARRAYS, WATKINS_DICT]
WATKINS_WRONG = [
    (
        "stale_ahead",
        slip(
            WATKINS_DICT,
            ("    following =", "    first = q.max(axis=1)\n    following ="),
            ("gamma * best(s_next)", "gamma * first[s_next]"),
        ),
    ),
    (
        "offline",
        slip(
            WATKINS_ARRAYS,
            ("    q = q.copy()\n", "    learned = q.copy()\n"),
            ("        q += alpha", "        learned += alpha"),
            ("    return q", "    return learned"),
        ),
    ),
    ("always_cut", slip(WATKINS_DICT, ("if greedy else {}", "if not s < len(q) else {}"))),
    (
        "never_cut",
        slip(
            WATKINS_ARRAYS,
            (
                "        if q[s, a] < q[s].max():\n"
                "            trace[:] = 0.0\n"
                "        else:\n"
                "            trace *= gamma * lam",
                "        trace *= gamma * lam",
            ),
        ),
    ),
    (
        "cut_late",
        slip(
            WATKINS_ARRAYS,
            (
                "        if q[s, a] < q[s].max():\n"
                "            trace[:] = 0.0\n"
                "        else:\n"
                "            trace *= gamma * lam",
                "        explores = q[s, a] < q[s].max()\n        trace *= gamma * lam",
            ),
            ("    return q", "        if explores:\n            trace[:] = 0.0\n    return q"),
        ),
    ),
    (
        "cut_itself",
        slip(
            WATKINS_ARRAYS,
            (
                "        if q[s, a] < q[s].max():\n"
                "            trace[:] = 0.0\n"
                "        else:\n"
                "            trace *= gamma * lam\n"
                "        trace[s, a] += 1.0",
                "        trace *= gamma * lam\n"
                "        trace[s, a] += 1.0\n"
                "        if q[s, a] < q[s].max():\n"
                "            trace[:] = 0.0",
            ),
        ),
    ),
    ("sarsa", slip(WATKINS_ARRAYS, ("q[states[t + 1]].max()", "q[states[t + 1], actions[t + 1]]"))),
    ("end_value", slip(WATKINS_ARRAYS, ("else 0.0", "else q[s].max()"))),
    (
        "one_entry",
        slip(
            WATKINS_ARRAYS, ("q += alpha", "q[s, a] += alpha"), (" * trace\n", " * trace[s, a]\n")
        ),
    ),
    ("tie", slip(WATKINS_ARRAYS, ("q[s, a] < q[s].max()", "a != q[s].argmax()"))),
    (
        "stale_table",
        slip(
            WATKINS_ARRAYS,
            ("    q = q.copy()", "    given = q\n    q = q.copy()"),
            ("if q[s, a] < q[s].max()", "if given[s, a] < given[s].max()"),
        ),
    ),
    ("changed", slip(WATKINS_ARRAYS, ("    q = q.copy()\n", ""))),
    ("no_fade", slip(WATKINS_ARRAYS, ("trace *= gamma * lam", "pass"))),
    (
        "early_table",
        slip(
            WATKINS_DICT,
            (
                "    for s, a, r, s_next in zip",
                "    greedy = table[states[0], actions[0]] == best(states[0])\n    for t, (s, a, r, s_next) in enumerate(zip",
            ),
            ("rewards, following):", "rewards, following)):"),
            ("        greedy = table[s, a] == best(s)\n", ""),
            (
                "            delta += gamma * best(s_next)\n",
                "            delta += gamma * best(s_next)\n            greedy = table[s_next, actions[t + 1]] == best(s_next)\n",
            ),
        ),
    ),
    ("only_gamma", slip(WATKINS_ARRAYS, ("trace *= gamma * lam", "trace *= gamma"))),
    ("no_gamma", slip(WATKINS_DICT, ("delta += gamma * best", "delta += best"))),
    ("only_lam", slip(WATKINS_DICT, ("gamma * lam * e", "lam * e"))),
    ("kind", slip(WATKINS_ARRAYS, ("    return q", "    return"))),
    (
        "imported",
        "def q_lambda(*args):\n"
        "    from rlcourse.checks import oracle04\n"
        "    return oracle04.q_lambda(*args)",
    ),
    (
        "other",
        slip(WATKINS_ARRAYS, ("q[s, a] < q[s].max()", "a != q.shape[1] - 1 - q[s, ::-1].argmax()")),
    ),
    ("replaces", slip(WATKINS_ARRAYS, ("trace[s, a] += 1.0", "trace[s, a] = 1.0"))),
    ("other", slip(WATKINS_ARRAYS, ("q[s, a] < q[s].max()", "q[s, a] < q[s].max() - 0.1"))),
    ("other", slip(WATKINS_ARRAYS, ("gamma * lam", "gamma * 0.8"))),
]

RIGHT = {
    "compound_return": COMPOUND_RIGHT,
    "mover_targets": MOVER_RIGHT,
    "trace_history": TRACE_RIGHT,
    "learn_throws": THROWS_RIGHT,
    "q_lambda": WATKINS_RIGHT,
}
WRONG = {
    "compound_return": COMPOUND_WRONG,
    "mover_targets": MOVER_WRONG,
    "trace_history": TRACE_WRONG,
    "learn_throws": THROWS_WRONG,
    "q_lambda": WATKINS_WRONG,
}
