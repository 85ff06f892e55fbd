"""Slips of a writer who knew only the text of sheet 04."""

ANSWERS = {
    "compound_return": """import numpy as np


def compound_return(rewards, values, weights, gamma):
    T = len(rewards)
    total = 0.0
    for n, weight in enumerate(weights, start=1):
        g = 0.0
        for k in range(min(n, T)):
            g += gamma**k * rewards[k]
        if n < T:
            g += gamma**n * values[n]
        total += weight * g
    return total
""",
    "mover_targets": """import numpy as np


def mover_targets(values, player, result, lam, gamma):
    T = len(values)
    out = np.zeros(T)
    out[-1] = result if player[-1] == 0 else -result
    for t in range(T - 2, -1, -1):
        sign = 1 if player[t + 1] == player[t] else -1
        out[t] = sign * gamma * ((1 - lam) * values[t + 1] + lam * out[t + 1])
    return out
""",
    "trace_history": """import numpy as np


def trace_history(features, starts, lam, gamma, kind):
    features = np.asarray(features, float)
    T, F = features.shape
    out = np.zeros((T, F))
    trace = np.zeros(F)
    for t in range(T):
        if starts[t]:
            trace = np.zeros(F)  # nothing is remembered
        trace = gamma * lam * trace
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] > 0, 1.0, trace)
        out[t] = trace
    return out
""",
    "learn_throws": """import numpy as np


def learn_throws(values, games, alpha, lam):
    values = np.array(values, float)
    home = values[0]
    values[0] = 0.0
    for squares in games:
        trace = np.zeros(len(values))
        for t, square in enumerate(squares):
            following = squares[t + 1] if t + 1 < len(squares) else 0
            surprise = 1 + values[following] - values[square]
            trace *= lam
            trace[square] += 1
            values += alpha * surprise * trace
    values[0] = home
    return values
""",
    "q_lambda": """import numpy as np


def q_lambda(q, states, actions, rewards, alpha, lam, gamma):
    q = np.array(q, float)
    trace = np.zeros(q.shape)
    T = len(states)
    for t in range(T):
        s, a = states[t], actions[t]
        if q[s, a] < q[s].max():
            trace[:] = 0.0
        else:
            trace *= gamma * lam
        trace[s, a] += 1
        following = q[states[t + 1]].max() if t + 1 < T else 0.0
        surprise = rewards[t] + gamma * following - q[s, a]
        q += alpha * surprise * trace
    return q
""",
}
SLIPS = [
    (
        "compound_return",
        "An n-step return with n larger than T does not exist, so I left these weights out.",
        "        g = 0.0\n",
        "        if n > T:\n            break\n        g = 0.0\n",
    ),
    (
        "compound_return",
        "The n-step return ends with the estimate of the last state that was seen, "
        "so at the end of the episode values[-1] counts.",
        "        if n < T:\n            g += gamma**n * values[n]",
        "        m = min(n, T)\n        g += gamma**m * values[min(m, T - 1)]",
    ),
    (
        "compound_return",
        "The last value is that of step T - 1, so I thought that after T - 1 steps "
        "the episode is over and no estimate counts any more.",
        "if n < T:",
        "if n < T - 1:",
    ),
    (
        "mover_targets",
        "Who makes the last move has won, so the last target is +1 (or 0 after a draw).",
        "out[-1] = result if player[-1] == 0 else -result",
        "out[-1] = abs(result)",
    ),
    (
        "mover_targets",
        "The players' signs turn for the next estimate; the next target is already "
        "computed, so I left it as it is.",
        "sign * gamma * ((1 - lam) * values[t + 1] + lam * out[t + 1])",
        "gamma * ((1 - lam) * sign * values[t + 1] + lam * out[t + 1])",
    ),
    (
        "mover_targets",
        "The lambda-return mixes the estimate of the position itself with the next target.",
        "sign * gamma * ((1 - lam) * values[t + 1] + lam * out[t + 1])",
        "(1 - lam) * values[t] + lam * sign * gamma * out[t + 1]",
    ),
    (
        "trace_history",
        "'Features that are not active only fade': so active ones do not fade, they only grow.",
        "        trace = gamma * lam * trace\n",
        "        trace = np.where(features[t] > 0, trace, gamma * lam * trace)\n",
    ),
    (
        "trace_history",
        "Replacing traces: the trace is replaced by the features of the step.",
        "trace = np.where(features[t] > 0, 1.0, trace)",
        "trace = features[t]",
    ),
    (
        "trace_history",
        "Read starts as 'the episode is over after this step' and cleared the traces "
        "after the step was counted.",
        "        if starts[t]:\n"
        "            trace = np.zeros(F)  # nothing is remembered\n"
        "        trace = gamma * lam * trace\n"
        '        if kind == "accumulating":\n'
        "            trace = trace + features[t]\n"
        "        else:\n"
        "            trace = np.where(features[t] > 0, 1.0, trace)\n"
        "        out[t] = trace\n",
        "        trace = gamma * lam * trace\n"
        '        if kind == "accumulating":\n'
        "            trace = trace + features[t]\n"
        "        else:\n"
        "            trace = np.where(features[t] > 0, 1.0, trace)\n"
        "        out[t] = trace\n"
        "        if starts[t]:\n"
        "            trace = np.zeros(F)\n",
    ),
    (
        "learn_throws",
        "At home no throw is needed, so I set values[0] to 0 and forgot to give it back as it was.",
        "    values[0] = home\n",
        "",
    ),
    (
        "learn_throws",
        "No throw is needed once you are home: the last step has the target 0 "
        "(forgot that the last throw itself counts).",
        "surprise = 1 + values[following] - values[square]",
        "surprise = (1 + values[following] if following else 0.0) - values[square]",
    ),
    (
        "learn_throws",
        "Home needs no throw, so I put values[0] back to 0 after every game; in the "
        "first game the given number still counts.",
        "    values[0] = 0.0\n    for squares in games:\n        trace = np.zeros(len(values))\n",
        "    for played, squares in enumerate(games):\n"
        "        if played > 0:\n"
        "            values[0] = 0.0\n"
        "        trace = np.zeros(len(values))\n",
    ),
    (
        "q_lambda",
        "An action explores if it is not the argmax; with a tie the second "
        "best-equal one counts as exploring.",
        "if q[s, a] < q[s].max():",
        "if a != q[s].argmax():",
    ),
    (
        "q_lambda",
        "Whether an action explores I judged by the table before the episode, with "
        "which the player played.",
        "    q = np.array(q, float)\n"
        "    trace = np.zeros(q.shape)\n"
        "    T = len(states)\n"
        "    for t in range(T):\n"
        "        s, a = states[t], actions[t]\n"
        "        if q[s, a] < q[s].max():",
        "    given = np.array(q, float)\n"
        "    q = given.copy()\n"
        "    trace = np.zeros(q.shape)\n"
        "    T = len(states)\n"
        "    for t in range(T):\n"
        "        s, a = states[t], actions[t]\n"
        "        if given[s, a] < given[s].max():",
    ),
    (
        "q_lambda",
        "The cut comes after the exploring step has been learned from, so the "
        "earlier ones still hear its surprise.",
        "        if q[s, a] < q[s].max():\n"
        "            trace[:] = 0.0\n"
        "        else:\n"
        "            trace *= gamma * lam\n"
        "        trace[s, a] += 1\n"
        "        following = q[states[t + 1]].max() if t + 1 < T else 0.0\n"
        "        surprise = rewards[t] + gamma * following - q[s, a]\n"
        "        q += alpha * surprise * trace\n",
        "        explores = q[s, a] < q[s].max()\n"
        "        trace *= gamma * lam\n"
        "        trace[s, a] += 1\n"
        "        following = q[states[t + 1]].max() if t + 1 < T else 0.0\n"
        "        surprise = rewards[t] + gamma * following - q[s, a]\n"
        "        q += alpha * surprise * trace\n"
        "        if explores:\n"
        "            trace[:] = 0.0\n",
    ),
]
