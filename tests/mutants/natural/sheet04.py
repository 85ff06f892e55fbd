"""Slips of a writer who knew only the text of sheet 04."""

ANSWERS = {
    "compound_return": """import numpy as np


def compound_return(rewards, values, weights, gamma):
    T = len(rewards)
    target = 0.0
    for i, weight in enumerate(weights):
        n = min(i + 1, T)
        n_step = 0.0
        for k in range(n):
            n_step += gamma**k * rewards[k]
        if n < T:
            n_step += gamma**n * values[n]
        target += weight * n_step
    return target
""",
    "mover_targets": """import numpy as np


def mover_targets(values, player, result, lam, gamma):
    T = len(values)
    targets = np.zeros(T)
    targets[T - 1] = result if player[T - 1] == 0 else -result
    for t in range(T - 2, -1, -1):
        sign = 1 if player[t] == player[t + 1] else -1
        mixed = (1 - lam) * values[t + 1] + lam * targets[t + 1]
        targets[t] = gamma * sign * mixed
    return targets
""",
    "trace_history": """import numpy as np


def trace_history(features, starts, lam, gamma, kind):
    T, F = features.shape
    history = np.zeros((T, F))
    trace = np.zeros(F)
    for t in range(T):
        if starts[t]:
            trace = np.zeros(F)
        trace = gamma * lam * trace
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] == 1, 1.0, trace)
        history[t] = trace
    return history
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
    q = np.array(q, float)
    trace = np.zeros_like(q)
    T = len(states)
    for t in range(T):
        s, a = states[t], actions[t]
        if q[s, a] < q[s].max():
            trace[:] = 0
        else:
            trace *= gamma * lam
        trace[s, a] += 1
        best_next = q[states[t + 1]].max() if t + 1 < T else 0.0
        surprise = rewards[t] + gamma * best_next - q[s, a]
        q += alpha * surprise * trace
    return q
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "compound_return",
        "left out the weights of n-step returns that are longer than the episode",
        "        n = min(i + 1, T)\n",
        "        n = i + 1\n        if n > T:\n            break\n",
    ),
    (
        "compound_return",
        "bootstrapped from the state the last reward was left from, one too early",
        "gamma**n * values[n]",
        "gamma**n * values[n - 1]",
    ),
    (
        "compound_return",
        "thought the weights have to be normalised by how many there are",
        "    return target\n",
        "    return target / len(weights)\n",
    ),
    (
        "mover_targets",
        "flipped the sign at every ply, as in tic-tac-toe, whoever moves",
        "sign = 1 if player[t] == player[t + 1] else -1",
        "sign = -1",
    ),
    (
        "mover_targets",
        "turned the next target round but forgot the next estimate",
        "        mixed = (1 - lam) * values[t + 1] + lam * targets[t + 1]\n"
        "        targets[t] = gamma * sign * mixed\n",
        "        mixed = (1 - lam) * values[t + 1] + lam * sign * targets[t + 1]\n"
        "        targets[t] = gamma * mixed\n",
    ),
    (
        "mover_targets",
        "took the result as if it belonged to whoever moved last",
        "result if player[T - 1] == 0 else -result",
        "result",
    ),
    (
        "trace_history",
        "cleared the trace after counting the first step of the episode, so that step is lost",
        """        if starts[t]:
            trace = np.zeros(F)
        trace = gamma * lam * trace
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] == 1, 1.0, trace)
""",
        """        trace = gamma * lam * trace
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] == 1, 1.0, trace)
        if starts[t]:
            trace = np.zeros(F)
""",
    ),
    (
        "trace_history",
        "with replacing traces everything that is not active was set to 0 and does not fade",
        "trace = np.where(features[t] == 1, 1.0, trace)",
        "trace = features[t].astype(float)",
    ),
    (
        "trace_history",
        "changed one array in place and appended it to a list, so all rows are the last one",
        """    history = np.zeros((T, F))
    trace = np.zeros(F)
    for t in range(T):
        if starts[t]:
            trace = np.zeros(F)
        trace = gamma * lam * trace
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] == 1, 1.0, trace)
        history[t] = trace
    return history
""",
        """    history = []
    trace = np.zeros(F)
    for t in range(T):
        if starts[t]:
            trace[:] = 0
        trace *= gamma * lam
        if kind == "accumulating":
            trace += features[t]
        else:
            trace[features[t] == 1] = 1
        history.append(trace)
    return np.array(history)
""",
    ),
    (
        "learn_throws",
        "only mended the trace; the last throw still looks at values[0]",
        "                following = 0.0\n",
        "                following = values[0]\n",
    ),
    (
        "learn_throws",
        "set values[0] to 0 so that home counts nothing, and gave that back",
        "    values = np.array(values, float)\n",
        "    values = np.array(values, float)\n    values[0] = 0\n",
    ),
    (
        "learn_throws",
        "thought the throw that brings the counter home needs no count",
        "            surprise = 1 + following - values[square]\n",
        "            reward = 1 if t + 1 < len(squares) else 0\n"
        "            surprise = reward + following - values[square]\n",
    ),
    (
        "q_lambda",
        "cut the trace after the update, so the exploring step's own surprise reaches back",
        """        if q[s, a] < q[s].max():
            trace[:] = 0
        else:
            trace *= gamma * lam
        trace[s, a] += 1
        best_next = q[states[t + 1]].max() if t + 1 < T else 0.0
        surprise = rewards[t] + gamma * best_next - q[s, a]
        q += alpha * surprise * trace
""",
        """        explores = q[s, a] < q[s].max()
        trace *= gamma * lam
        trace[s, a] += 1
        best_next = q[states[t + 1]].max() if t + 1 < T else 0.0
        surprise = rewards[t] + gamma * best_next - q[s, a]
        q += alpha * surprise * trace
        if explores:
            trace[:] = 0
""",
    ),
    (
        "q_lambda",
        "used the action that was played next, as in Sarsa",
        "best_next = q[states[t + 1]].max() if t + 1 < T else 0.0",
        "best_next = q[states[t + 1], actions[t + 1]] if t + 1 < T else 0.0",
    ),
    (
        "q_lambda",
        "compared with argmax, so the second of two equally good actions counts as exploring",
        "if q[s, a] < q[s].max():",
        "if a != q[s].argmax():",
    ),
)
