"""Slips of a writer who knew only the text of sheet 04."""

ANSWERS = {
    "compound_return": """import numpy as np


def compound_return(rewards, values, weights, gamma):
    T = len(rewards)
    total = 0.0
    for i, w in enumerate(weights):
        n = i + 1
        steps = min(n, T)
        g = sum(gamma**k * rewards[k] for k in range(steps))
        if n < T:
            g += gamma**n * values[n]
        total += w * g
    return float(total)
""",
    "mover_targets": """import numpy as np


def mover_targets(values, player, result, lam, gamma):
    T = len(values)
    out = np.zeros(T)
    out[T - 1] = result if player[T - 1] == 0 else -result
    for t in range(T - 2, -1, -1):
        mixed = (1 - lam) * values[t + 1] + lam * out[t + 1]
        same = player[t] == player[t + 1]
        out[t] = gamma * (mixed if same else -mixed)
    return out
""",
    "trace_history": """import numpy as np


def trace_history(features, starts, lam, gamma, kind):
    features = np.asarray(features)
    T, F = features.shape
    out = np.zeros((T, F))
    trace = np.zeros(F)
    for t in range(T):
        if starts[t]:
            trace = np.zeros(F)
        trace = gamma * lam * trace
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] == 1, 1.0, trace)
        out[t] = trace
    return out
""",
    "learn_throws": """import numpy as np


def learn_throws(values, games, alpha, lam):
    values = np.array(values, float)
    for squares in games:
        trace = np.zeros(len(values))
        for t, square in enumerate(squares):
            if t + 1 < len(squares):
                following = values[squares[t + 1]]
            else:
                following = 0.0
            surprise = 1 + following - values[square]
            trace *= lam
            trace[square] += 1
            values += alpha * surprise * trace
    return values
""",
    "q_lambda": """import numpy as np


def q_lambda(q, states, actions, rewards, alpha, lam, gamma):
    start = np.asarray(q, float)
    q = start.copy()
    trace = np.zeros_like(q)
    T = len(states)
    for t in range(T):
        s, a = states[t], actions[t]
        if q[s, a] < q[s].max():
            trace[:] = 0.0
        else:
            trace *= gamma * lam
        trace[s, a] += 1
        target = rewards[t]
        if t + 1 < T:
            target = target + gamma * q[states[t + 1]].max()
        q += alpha * (target - q[s, a]) * trace
    return q
""",
}
SLIPS = [
    (
        "compound_return",
        "after n steps the last state passed is that of step n - 1, its estimate counts",
        "g += gamma**n * values[n]",
        "g += gamma**n * values[n - 1]",
    ),
    (
        "compound_return",
        "n-step returns beyond the end fall out and the remaining weights are scaled to 1",
        "        total += w * g\n    return float(total)\n",
        "        if n <= T:\n            total += w * g\n    return float(total / sum(weights[:T]))\n",
    ),
    (
        "compound_return",
        "there is always an estimate at the end; for the last step the last one in the list",
        "        if n < T:\n            g += gamma**n * values[n]\n",
        "        g += gamma**steps * values[min(n, T - 1)]\n",
    ),
    (
        "mover_targets",
        "players take turns, so the sign changes at each move",
        "gamma * (mixed if same else -mixed)",
        "gamma * -mixed",
    ),
    (
        "mover_targets",
        "only the change of the player is a ply, moving again is not discounted",
        "gamma * (mixed if same else -mixed)",
        "mixed if same else -gamma * mixed",
    ),
    (
        "mover_targets",
        "the estimate that is mixed in is the position's own",
        "(1 - lam) * values[t + 1]",
        "(1 - lam) * values[t]",
    ),
    (
        "mover_targets",
        "only the target was computed for the other one, the estimate is already for the player to move",
        "        mixed = (1 - lam) * values[t + 1] + lam * out[t + 1]\n        same = player[t] == player[t + 1]\n        out[t] = gamma * (mixed if same else -mixed)\n",
        "        same = player[t] == player[t + 1]\n        later = out[t + 1] if same else -out[t + 1]\n        out[t] = gamma * ((1 - lam) * values[t + 1] + lam * later)\n",
    ),
    (
        "trace_history",
        "a replacing trace sets the traces to the present features, the others become 0",
        "np.where(features[t] == 1, 1.0, trace)",
        "features[t].astype(float)",
    ),
    (
        "trace_history",
        "first the step is counted and then everything fades, also what is active now",
        '        trace = gamma * lam * trace\n        if kind == "accumulating":\n            trace = trace + features[t]\n        else:\n            trace = np.where(features[t] == 1, 1.0, trace)\n        out[t] = trace\n',
        '        if kind == "accumulating":\n            trace = trace + features[t]\n        else:\n            trace = np.where(features[t] == 1, 1.0, trace)\n        trace = gamma * lam * trace\n        out[t] = trace\n',
    ),
    (
        "trace_history",
        "what starts marks is the last step of an episode, so the traces are emptied after it",
        "        if starts[t]:\n            trace = np.zeros(F)\n        trace = gamma * lam * trace\n",
        "        if t and starts[t - 1]:\n            trace = np.zeros(F)\n        trace = gamma * lam * trace\n",
    ),
    (
        "learn_throws",
        "values[0] is home and must be 0, so it is set to 0 at the start",
        "    values = np.array(values, float)\n",
        "    values = np.array(values, float)\n    values[0] = 0.0\n",
    ),
    (
        "q_lambda",
        "an exploring action cuts its own trace too, so the cut comes after the counting",
        "        if q[s, a] < q[s].max():\n            trace[:] = 0.0\n        else:\n            trace *= gamma * lam\n        trace[s, a] += 1\n",
        "        trace *= gamma * lam\n        trace[s, a] += 1\n        if q[s, a] < q[s].max():\n            trace[:] = 0.0\n",
    ),
    (
        "q_lambda",
        "whether the action explores is judged by the table that was given",
        "if q[s, a] < q[s].max():",
        "if start[s, a] < start[s].max():",
    ),
    (
        "q_lambda",
        "the action is greedy only if argmax says so",
        "if q[s, a] < q[s].max():",
        "if a != q[s].argmax():",
    ),
    (
        "q_lambda",
        "the surprise is made with the action that was played next, as in SARSA",
        "q[states[t + 1]].max()",
        "q[states[t + 1], actions[t + 1]]",
    ),
]
