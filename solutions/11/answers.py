"""Answers to sheet 11 as students write them: RIGHT[task] -> sources, WRONG[task] ->
(mistake it must be told, source).

A wrong answer is a right one with one slip; `slip(source, old, new)` shows which. No answer looks
at the course's oracle, but those that are handed in as the reference itself.
"""

from rlcourse.grading.answers import slip

# --- expected_sarsa -------------------------------------------------------------------------------

EXPECTED_SHORT = """
def expected_sarsa(q, state, action, reward, following, over, alpha, gamma, epsilon):
    q = q.copy()
    target = reward
    if not over:
        target += gamma * ((1 - epsilon) * q[following].max() + epsilon * q[following].mean())
    q[state, action] += alpha * (target - q[state, action])
    return q
"""
EXPECTED_POLICY = """
import numpy as np

def expected_sarsa(q, state, action, reward, following, over, alpha, gamma, epsilon):
    new = np.array(q)
    A = q.shape[1]
    policy = np.full(A, epsilon / A)
    policy[np.argmax(q[following])] += 1 - epsilon
    ahead = 0.0 if over else policy @ q[following]
    new[state, action] = (1 - alpha) * q[state, action] + alpha * (reward + gamma * ahead)
    return new
"""

EXPECTED_RIGHT = [EXPECTED_SHORT, EXPECTED_POLICY]
_MEAN = "((1 - epsilon) * q[following].max() + epsilon * q[following].mean())"
EXPECTED_WRONG = [
    ("q_learning", slip(EXPECTED_SHORT, (_MEAN, "q[following].max()"))),
    ("uniform", slip(EXPECTED_SHORT, (_MEAN, "q[following].mean()"))),
    (
        "swapped",
        slip(
            EXPECTED_SHORT,
            (_MEAN, "(epsilon * q[following].max() + (1 - epsilon) * q[following].mean())"),
        ),
    ),
    (
        "others",
        slip(
            EXPECTED_POLICY,
            ("np.full(A, epsilon / A)", "np.full(A, epsilon / max(1, A - 1))"),
            ("policy[np.argmax(q[following])] += 1", "policy[np.argmax(q[following])] = 1"),
        ),
    ),
    (
        "best_once",
        slip(
            EXPECTED_POLICY,
            ("policy[np.argmax(q[following])] += 1", "policy[np.argmax(q[following])] = 1"),
        ),
    ),
    (
        "all_best",
        slip(
            EXPECTED_POLICY,
            ("policy[np.argmax(q[following])]", "policy[q[following] == q[following].max()]"),
        ),
    ),
    ("summed", slip(EXPECTED_SHORT, ("q[following].mean()", "q[following].sum()"))),
    (
        "alpha_swapped",
        slip(
            EXPECTED_POLICY,
            (
                "(1 - alpha) * q[state, action] + alpha *",
                "alpha * q[state, action] + (1 - alpha) *",
            ),
        ),
    ),
    ("no_difference", slip(EXPECTED_SHORT, (" * (target - q[state, action])", " * target"))),
    ("end_value", slip(EXPECTED_POLICY, ("0.0 if over else policy", "policy"))),
    ("own_state", slip(EXPECTED_SHORT, (_MEAN, _MEAN.replace("following", "state")))),
    ("own_best", slip(EXPECTED_SHORT, ("q[following].max()", "q[state].max()"))),
    (
        "no_last",
        slip(
            EXPECTED_SHORT, ("    if not over:", "    if over:\n        return q\n    if not over:")
        ),
    ),
    ("no_reward", slip(EXPECTED_POLICY, ("(reward + gamma * ahead)", "ahead"))),
    (
        "discounted_reward",
        slip(EXPECTED_POLICY, ("(reward + gamma * ahead)", "gamma * (reward + ahead)")),
    ),
    (
        "discounted_sum",
        slip(
            EXPECTED_SHORT, (f"target += gamma * {_MEAN}", f"target = gamma * (target + {_MEAN})")
        ),
    ),
    ("no_gamma", slip(EXPECTED_SHORT, ("gamma * (", "("))),
    ("gamma", slip(EXPECTED_SHORT, ("gamma * (", "0.9 * ("))),
    ("full_step", slip(EXPECTED_SHORT, ("+= alpha * (target - q[state, action])", "= target"))),
    (
        "last_full",
        slip(
            EXPECTED_SHORT,
            ("    q[state, action] +=", "    alpha = max(alpha, over)\n    q[state, action] +="),
        ),
    ),
    ("changed", slip(EXPECTED_SHORT, ("    q = q.copy()\n", ""))),
    ("kind", slip(EXPECTED_SHORT, ("    return q", "    return"))),
    (
        "imported",
        "def expected_sarsa(*args):\n"
        "    from rlcourse.checks import oracle11\n"
        "    return oracle11.expected_sarsa(*args)",
    ),
    ("other", slip(EXPECTED_SHORT, ("+= alpha", "-= alpha"))),
]

# --- best_within ----------------------------------------------------------------------------------

WITHIN_ROWS = """
import numpy as np

def best_within(chances, rewards, steps):
    rows = [np.zeros(len(rewards))]
    for _ in range(steps):
        q = rewards + chances @ rows[-1]
        rows.append(q.max(axis=1))
    return np.array(rows)
"""
WITHIN_LOOPS = """
import numpy as np

def best_within(chances, rewards, steps):
    S, A = rewards.shape
    V = np.zeros((steps + 1, S))
    for k in range(1, steps + 1):
        for s in range(S):
            values = []
            for a in range(A):
                values.append(rewards[s, a] + np.dot(chances[s, a], V[k - 1]))
            V[k, s] = max(values)
    return V
"""

WITHIN_RIGHT = [WITHIN_ROWS, WITHIN_LOOPS]
WITHIN_WRONG = [
    (
        "shifted",
        slip(
            WITHIN_ROWS,
            ("range(steps)", "range(steps + 1)"),
            ("np.array(rows)", "np.array(rows[1:])"),
        ),
    ),
    ("reversed", slip(WITHIN_ROWS, ("np.array(rows)", "np.array(rows[::-1])"))),
    ("mean", slip(WITHIN_ROWS, ("q.max", "q.mean"))),
    (
        "swept",
        slip(
            WITHIN_LOOPS,
            (
                "    for k in range(1, steps + 1):\n",
                "    for k in range(1, steps + 1):\n        V[k] = V[k - 1]\n",
            ),
            ("V[k - 1])", "V[k])"),
        ),
    ),
    ("myopic", slip(WITHIN_ROWS, ("rewards + chances @ rows[-1]", "rewards"))),
    (
        "same_moves",
        slip(
            WITHIN_ROWS,
            ("    for _ in", "    best = rewards.argmax(axis=1)\n    for _ in"),
            ("q.max(axis=1)", "q[np.arange(len(q)), best]"),
        ),
    ),
    (
        "never_ends",
        slip(
            WITHIN_ROWS,
            (
                "    rows = [",
                "    sums = chances.sum(axis=2, keepdims=True)\n"
                "    chances = np.divide(chances, sums, out=0 * chances, where=sums > 0)\n    rows = [",
            ),
        ),
    ),
    (
        "stays",
        slip(
            WITHIN_ROWS,
            ("@ rows[-1]\n", "@ rows[-1] + (1 - chances.sum(axis=2)) * rows[-1][:, None]\n"),
        ),
    ),
    ("end_free", slip(WITHIN_ROWS, ("q = rewards", "q = rewards * chances.sum(axis=2)"))),
    (
        "may_stop",
        slip(WITHIN_LOOPS, ("            values = []", "            values = [V[k - 1, s]]")),
    ),
    (
        "two_bests",
        slip(
            WITHIN_ROWS,
            ("q = rewards + chances @ rows[-1]", "ahead = chances @ rows[-1]"),
            ("q.max(axis=1)", "rewards.max(axis=1) + ahead.max(axis=1)"),
        ),
    ),
    ("from_states", slip(WITHIN_LOOPS, ("chances[s, a]", "chances[:, a, s]"))),
    ("gamma", slip(WITHIN_ROWS, ("+ chances", "+ 0.9 * chances"))),
    ("shape", slip(WITHIN_ROWS, ("np.array(rows)", "rows[-1]"))),
    (
        "imported",
        "def best_within(*args):\n"
        "    from rlcourse.checks import oracle11\n"
        "    return oracle11.best_within(*args)",
    ),
    ("other", slip(WITHIN_ROWS, ("q.max", "q.min"))),
    ("other", slip(WITHIN_LOOPS, ("V[k - 1])", "V[k - 1]) * 0.8"))),
]

# --- gain_of_calling ------------------------------------------------------------------------------

CALLING_LOOPS = """
import numpy as np

def gain_of_calling(bets, pot, size):
    gains = []
    for own in range(len(bets)):
        total = weights = 0.0
        for other in range(len(bets)):
            if other != own:
                weights += bets[other]
                total += bets[other] * (pot + size if own > other else -size)
        gains.append(total / weights if weights > 0 else 0.0)
    return np.array(gains)
"""
CALLING_SUMS = """
import numpy as np

def gain_of_calling(bets, pot, size):
    below = np.cumsum(bets) - bets
    above = bets.sum() - np.cumsum(bets)
    above[-1] = 0.0
    seen = np.array([np.delete(bets, k).sum() for k in range(len(bets))])
    won = (pot + size) * below - size * above
    return np.where(seen > 0, won / np.where(seen > 0, seen, 1.0), 0.0)
"""

CALLING_RIGHT = [CALLING_LOOPS, CALLING_SUMS]
_WON = "(pot + size if own > other else -size)"
_GAIN = "total / weights if weights > 0 else 0.0"
CALLING_WRONG = [
    (
        "tie_won",
        slip(CALLING_LOOPS, ("if other != own", "if True"), ("own > other", "own >= other")),
    ),
    ("whole_sum", slip(CALLING_LOOPS, (_GAIN, "total / bets.sum() if weights > 0 else 0.0"))),
    (
        "not_bet",
        slip(
            CALLING_LOOPS,
            ("    gains = []", "    bets = 1 - bets\n    gains = []"),
        ),
    ),
    ("may_fold", slip(CALLING_LOOPS, ("np.array(gains)", "np.maximum(gains, 0)"))),
    ("own_card", slip(CALLING_LOOPS, ("if other != own", "if True"))),
    (
        "unweighted",
        slip(
            CALLING_LOOPS,
            ("weights += bets[other]", "weights += 1"),
            ("total += bets[other] *", "total +="),
        ),
    ),
    (
        "ever",
        slip(CALLING_SUMS, ("    below =", "    bets = np.where(bets > 0, 1.0, 0.0)\n    below =")),
    ),
    ("turned", slip(CALLING_LOOPS, ("own > other", "own < other"))),
    ("pot_only", slip(CALLING_LOOPS, (_WON, "(pot if own > other else -size)"))),
    ("bet_only", slip(CALLING_LOOPS, (_WON, "(size if own > other else -size)"))),
    ("own_chips", slip(CALLING_LOOPS, (_WON, "(pot + 2 * size if own > other else -size)"))),
    ("pot_lost", slip(CALLING_LOOPS, (_WON, "(pot + size if own > other else -pot - size)"))),
    ("free", slip(CALLING_LOOPS, (_WON, "(pot + size if own > other else 0)"))),
    ("not_divided", slip(CALLING_LOOPS, (_GAIN, "total"))),
    ("count", slip(CALLING_LOOPS, (_GAIN, "total / (len(bets) - 1)"))),
    ("not_finite", slip(CALLING_LOOPS, (_GAIN, "np.float64(total) / weights"))),
    (
        "imported",
        "def gain_of_calling(*args):\n"
        "    from rlcourse.checks import oracle11\n"
        "    return oracle11.gain_of_calling(*args)",
    ),
    ("other", slip(CALLING_LOOPS, ("-size)", "size)"))),
]

# --- average_policies -----------------------------------------------------------------------------

AVERAGE_ARRAYS = """
import numpy as np

def matched(regret):
    positive = np.maximum(regret, 0)
    if positive.sum() > 0:
        return positive / positive.sum()
    return np.full(len(regret), 1 / len(regret))

def average_policies(payoff, rounds):
    R, C = payoff.shape
    row_regret, column_regret = np.zeros(R), np.zeros(C)
    row_sum, column_sum = np.zeros(R), np.zeros(C)
    for _ in range(rounds):
        row, column = matched(row_regret), matched(column_regret)
        rows = payoff @ column
        columns = -(row @ payoff)
        row_regret = row_regret + rows - row @ rows
        column_regret = column_regret + columns - column @ columns
        row_sum += row
        column_sum += column
    return row_sum / rounds, column_sum / rounds
"""
AVERAGE_LISTS = """
def average_policies(payoff, rounds):
    def match(regrets):
        positive = [max(r, 0.0) for r in regrets]
        if not any(positive):
            return [1 / len(regrets)] * len(regrets)
        return [r / sum(positive) for r in positive]

    R, C = payoff.shape
    regrets = [[0.0] * R, [0.0] * C]
    history = []
    for _ in range(rounds):
        row, column = match(regrets[0]), match(regrets[1])
        history.append((row, column))
        rows = [sum(payoff[i, j] * column[j] for j in range(C)) for i in range(R)]
        columns = [-sum(payoff[i, j] * row[i] for i in range(R)) for j in range(C)]
        mine = sum(p * v for p, v in zip(row, rows))
        theirs = sum(p * v for p, v in zip(column, columns))
        regrets[0] = [r + v - mine for r, v in zip(regrets[0], rows)]
        regrets[1] = [r + v - theirs for r, v in zip(regrets[1], columns)]
    means = []
    for k, size in ((0, R), (1, C)):
        means.append([sum(both[k][a] for both in history) / rounds for a in range(size)])
    return tuple(means)
"""

AVERAGE_RIGHT = [AVERAGE_ARRAYS, AVERAGE_LISTS]
_MEANS = "row_sum / rounds, column_sum / rounds"
AVERAGE_WRONG = [
    ("last", slip(AVERAGE_ARRAYS, (_MEANS, "row, column"))),
    ("next", slip(AVERAGE_ARRAYS, (_MEANS, "matched(row_regret), matched(column_regret)"))),
    ("sums", slip(AVERAGE_ARRAYS, (_MEANS, "row_sum, column_sum"))),
    ("same_side", slip(AVERAGE_ARRAYS, ("-(row @ payoff)", "row @ payoff"))),
    ("absolute", slip(AVERAGE_ARRAYS, ("np.maximum(regret, 0)", "np.abs(regret)"))),
    (
        "in_turn",
        slip(
            AVERAGE_ARRAYS,
            ("        columns = -(row @ payoff)\n", ""),
            (
                "        column_regret =",
                "        columns = -(matched(row_regret) @ payoff)\n        column_regret =",
            ),
        ),
    ),
    (
        "clipped",
        slip(
            AVERAGE_ARRAYS,
            (
                "        row_sum += row",
                "        row_regret = np.maximum(row_regret, 0)\n"
                "        column_regret = np.maximum(column_regret, 0)\n        row_sum += row",
            ),
        ),
    ),
    (
        "late",
        slip(
            AVERAGE_ARRAYS,
            ("row_sum += row", "row_sum += matched(row_regret)"),
            ("column_sum += column", "column_sum += matched(column_regret)"),
        ),
    ),
    ("nothing", slip(AVERAGE_ARRAYS, ("np.full(len(regret), 1 / len(regret))", "positive"))),
    (
        "greedy",
        slip(
            AVERAGE_ARRAYS,
            ("return positive / positive.sum()", "return np.eye(len(regret))[regret.argmax()]"),
        ),
    ),
    (
        "against_mean",
        slip(
            AVERAGE_ARRAYS,
            ("    for _ in range(rounds):", "    for played in range(1, rounds + 1):"),
            ("payoff @ column\n", "payoff @ (column_sum + column) / played\n"),
            ("-(row @ payoff)", "-((row_sum + row) @ payoff) / played"),
        ),
    ),
    (
        "plain_mean",
        slip(
            AVERAGE_ARRAYS,
            ("rows - row @ rows", "rows - rows.mean()"),
            ("columns - column @ columns", "columns - columns.mean()"),
        ),
    ),
    ("no_value", slip(AVERAGE_ARRAYS, (" - row @ rows", ""), (" - column @ columns", ""))),
    (
        "forgets",
        slip(
            AVERAGE_ARRAYS,
            ("= row_regret + rows", "= rows"),
            ("= column_regret + columns", "= columns"),
        ),
    ),
    (
        "from_one",
        slip(
            AVERAGE_ARRAYS,
            ("column_regret = np.zeros(R), np.zeros(C)", "column_regret = np.ones(R), np.ones(C)"),
        ),
    ),
    ("kind", slip(AVERAGE_ARRAYS, (_MEANS, "None"))),
    (
        "imported",
        "def average_policies(*args):\n"
        "    from rlcourse.checks import oracle11\n"
        "    return oracle11.average_policies(*args)",
    ),
    ("other", slip(AVERAGE_ARRAYS, ("rows - row @ rows", "row @ rows - rows"))),
]

RIGHT = {
    "expected_sarsa": EXPECTED_RIGHT,
    "best_within": WITHIN_RIGHT,
    "gain_of_calling": CALLING_RIGHT,
    "average_policies": AVERAGE_RIGHT,
}
WRONG = {
    "expected_sarsa": EXPECTED_WRONG,
    "best_within": WITHIN_WRONG,
    "gain_of_calling": CALLING_WRONG,
    "average_policies": AVERAGE_WRONG,
}
