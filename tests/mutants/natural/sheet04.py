"""Slips of a writer who knew only the text of sheet 04."""

ANSWERS = {
    "compound_return": """import numpy as np


def compound_return(rewards, values, weights, gamma):
    T = len(rewards)
    total = 0.0
    for n, weight in enumerate(weights, start=1):
        steps = min(n, T)
        g = sum(gamma**k * rewards[k] for k in range(steps))
        if n < T:
            g += gamma**n * values[n]
        total += weight * g
    return float(total)
""",
    "mover_targets": """import numpy as np


def mover_targets(values, player, result, lam, gamma):
    T = len(values)
    targets = np.zeros(T)
    targets[T - 1] = result if player[T - 1] == 0 else -result
    for t in range(T - 2, -1, -1):
        sign = 1 if player[t + 1] == player[t] else -1
        mixed = (1 - lam) * values[t + 1] + lam * targets[t + 1]
        targets[t] = sign * gamma * mixed
    return targets
""",
    "trace_history": """import numpy as np


def trace_history(features, starts, lam, gamma, kind):
    features = np.asarray(features)
    T, F = features.shape
    trace = np.zeros(F)
    history = np.zeros((T, F))
    for t in range(T):
        if starts[t]:
            trace = np.zeros(F)
        trace = trace * gamma * lam
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] == 1, 1.0, trace)
        history[t] = trace
    return history
""",
    "learn_throws": """import numpy as np


def learn_throws(values, games, alpha, lam):
    values = np.array(values, dtype=float)
    for squares in games:
        trace = np.zeros(len(values))
        for t, square in enumerate(squares):
            if t + 1 < len(squares):
                ahead = values[squares[t + 1]]
            else:
                ahead = 0.0
            surprise = 1 + ahead - values[square]
            trace *= lam
            trace[square] += 1
            values += alpha * surprise * trace
    return values
""",
    "q_lambda": """import numpy as np


def q_lambda(q, states, actions, rewards, alpha, lam, gamma):
    given = q
    q = np.array(given, dtype=float)
    trace = np.zeros(q.shape)
    T = len(states)
    for t in range(T):
        s, a = states[t], actions[t]
        if q[s, a] < q[s].max():
            trace[:] = 0
        else:
            trace *= gamma * lam
        trace[s, a] += 1
        best = q[states[t + 1]].max() if t + 1 < T else 0.0
        surprise = rewards[t] + gamma * best - q[s, a]
        q += alpha * surprise * trace
    return q
""",
}

# (task, what went wrong in a student's words, text in the answer above, what stands there instead)
SLIPS = (
    (
        "compound_return",
        "The last state that the n steps have seen is that of step n - 1, so its "
        "estimate stands at the end.",
        "gamma**n * values[n]",
        "gamma**n * values[n - 1]",
    ),
    (
        "compound_return",
        "Behind the end there are no more n-step returns, so I stopped at n = T "
        "and the weights that are over count for nothing.",
        """        steps = min(n, T)
""",
        """        if n > T:
            break
        steps = n
""",
    ),
    (
        "compound_return",
        "After n steps there is always an estimate; where the episode is over I "
        "took that of the last state.",
        """        if n < T:
            g += gamma**n * values[n]
""",
        """        g += gamma**steps * values[min(n, T - 1)]
""",
    ),
    (
        "mover_targets",
        "The result is +1 if the player who made the last move wins, so I took it over as it is.",
        "targets[T - 1] = result if player[T - 1] == 0 else -result",
        "targets[T - 1] = result",
    ),
    (
        "mover_targets",
        "A player who moves again is still in the same turn, so there I neither "
        "turned the sign nor discounted.",
        "        targets[t] = sign * gamma * mixed",
        "        targets[t] = mixed if sign == 1 else -gamma * mixed",
    ),
    (
        "mover_targets",
        "The target already knows whose it is; only the next estimate is the "
        "opponent's and has to be turned.",
        """        mixed = (1 - lam) * values[t + 1] + lam * targets[t + 1]
        targets[t] = sign * gamma * mixed""",
        """        mixed = (1 - lam) * sign * values[t + 1] + lam * targets[t + 1]
        targets[t] = gamma * mixed""",
    ),
    (
        "trace_history",
        "I took starts for the ends of episodes and forgot everything after such "
        "a step instead of before it.",
        """        if starts[t]:
            trace = np.zeros(F)
        trace = trace * gamma * lam
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] == 1, 1.0, trace)
        history[t] = trace
""",
        """        trace = trace * gamma * lam
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] == 1, 1.0, trace)
        history[t] = trace
        if starts[t]:
            trace = np.zeros(F)
""",
    ),
    (
        "trace_history",
        "Only what is not active now fades; an active feature grows by 1 from where it was.",
        "trace = trace * gamma * lam",
        "trace = np.where(features[t] == 1, trace, trace * gamma * lam)",
    ),
    (
        "trace_history",
        "Replacing: the new step replaces what was remembered, so all traces "
        "become the features of this step.",
        "trace = np.where(features[t] == 1, 1.0, trace)",
        "trace = features[t].astype(float)",
    ),
    (
        "learn_throws",
        "Home is worth 0, so I set values[0] to 0 before I began, and returned it like that.",
        """    values = np.array(values, dtype=float)
""",
        """    values = np.array(values, dtype=float)
    values[0] = 0
""",
    ),
    (
        "learn_throws",
        "The second symptom is the trace that lives on, so I made a fresh one, "
        "but in the inner loop, at every throw.",
        """        trace = np.zeros(len(values))
        for t, square in enumerate(squares):
""",
        """        for t, square in enumerate(squares):
            trace = np.zeros(len(values))
""",
    ),
    (
        "q_lambda",
        "An action explores if it is not argmax: at a tie the second of the best "
        "ones is taken for exploring.",
        "if q[s, a] < q[s].max():",
        "if a != q[s].argmax():",
    ),
    (
        "q_lambda",
        "Whether an action explores is read in the table as it was before the "
        "episode, because that is what the player used.",
        "if q[s, a] < q[s].max():",
        "if given[s][a] < max(given[s]):",
    ),
    (
        "q_lambda",
        "As in the textbook I cut after the step was counted, so the exploring "
        "action itself learns nothing either.",
        """            trace[:] = 0
        else:
            trace *= gamma * lam
        trace[s, a] += 1
""",
        """            trace[:] = 0
        else:
            trace *= gamma * lam
            trace[s, a] += 1
""",
    ),
    (
        "q_lambda",
        "The surprise asks for the entry of the action that is played next, as in Sarsa(lambda).",
        "q[states[t + 1]].max()",
        "q[states[t + 1], actions[t + 1]]",
    ),
)
