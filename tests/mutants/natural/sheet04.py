"""Slips of a writer who knew only the text of sheet 04."""

ANSWERS = {
    "compound_return": """import numpy as np


def compound_return(rewards, values, weights, gamma):
    T = len(rewards)
    answer = 0.0
    for n in range(1, len(weights) + 1):
        g = sum(gamma**k * rewards[k] for k in range(min(n, T)))
        if n < T:
            g += gamma**n * values[n]
        answer += weights[n - 1] * g
    return answer
""",
    "mover_targets": """import numpy as np


def mover_targets(values, player, result, lam, gamma):
    T = len(values)
    targets = np.zeros(T)
    targets[T - 1] = result if player[T - 1] == 0 else -result
    for t in range(T - 2, -1, -1):
        sign = 1 if player[t] == player[t + 1] else -1
        targets[t] = sign * gamma * ((1 - lam) * values[t + 1] + lam * targets[t + 1])
    return targets
""",
    "trace_history": """import numpy as np


def trace_history(features, starts, lam, gamma, kind):
    features = np.asarray(features, dtype=float)
    traces = np.zeros(features.shape)
    trace = np.zeros(features.shape[1])
    for t in range(len(features)):
        if starts[t]:
            trace = np.zeros(features.shape[1])
        trace = gamma * lam * trace
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] > 0, 1.0, trace)
        traces[t] = trace
    return traces
""",
    "learn_throws": """import numpy as np


def learn_throws(values, games, alpha, lam):
    values = np.array(values, dtype=float)
    for squares in games:
        trace = np.zeros(len(values))
        for t, square in enumerate(squares):
            following = values[squares[t + 1]] if t + 1 < len(squares) else 0.0
            surprise = 1 + following - values[square]
            trace *= lam
            trace[square] += 1
            values += alpha * surprise * trace
    return values
""",
    "q_lambda": """import numpy as np


def q_lambda(q, states, actions, rewards, alpha, lam, gamma):
    q = np.array(q, dtype=float)
    trace = np.zeros(q.shape)
    T = len(states)
    for t in range(T):
        s, a = states[t], actions[t]
        if q[s, a] < q[s].max():
            trace[:] = 0.0
        else:
            trace *= gamma * lam
        trace[s, a] += 1
        best = q[states[t + 1]].max() if t + 1 < T else 0.0
        surprise = rewards[t] + gamma * best - q[s, a]
        q += alpha * surprise * trace
    return q
""",
}
SLIPS = [
    (
        "compound_return",
        "The weights count the n-step returns there are; where n is larger than T there is none.",
        "for n in range(1, len(weights) + 1):",
        "for n in range(1, min(len(weights), T) + 1):",
    ),
    (
        "compound_return",
        "After n steps the last state that was seen is that of step n - 1, so its estimate ends the n-step return.",
        "g += gamma**n * values[n]",
        "g += gamma**n * values[n - 1]",
    ),
    (
        "compound_return",
        "An n-step return that goes past the end is cut off there and ends with the last estimate that there is.",
        """        if n < T:
            g += gamma**n * values[n]
""",
        """        if n < T:
            g += gamma**n * values[n]
        elif n > T:
            g += gamma**T * values[T - 1]
""",
    ),
    (
        "mover_targets",
        "The two move in turn, so the sign changes from each position to the next.",
        "sign = 1 if player[t] == player[t + 1] else -1",
        "sign = -1",
    ),
    (
        "mover_targets",
        "The discount is for the change of the player: who moves again is still in the same turn.",
        "targets[t] = sign * gamma * (",
        "targets[t] = (1 if sign == 1 else -gamma) * (",
    ),
    (
        "mover_targets",
        "Estimates are for the player to move anyway; only the target that comes from behind must be turned.",
        "sign * gamma * ((1 - lam) * values[t + 1] + lam * targets[t + 1])",
        "gamma * ((1 - lam) * values[t + 1] + sign * lam * targets[t + 1])",
    ),
    (
        "trace_history",
        "With replacing traces the old trace is replaced by the present features.",
        "trace = np.where(features[t] > 0, 1.0, trace)",
        "trace = features[t].copy()",
    ),
    (
        "trace_history",
        "A trace either grows, if its feature is active, or fades, if not.",
        "trace = gamma * lam * trace",
        "trace = np.where(features[t] > 0, 1.0, gamma * lam) * trace",
    ),
    (
        "trace_history",
        "starts marks the step with which an episode is over, so the traces are cleared after it has been counted.",
        """        if starts[t]:
            trace = np.zeros(features.shape[1])
        trace = gamma * lam * trace
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] > 0, 1.0, trace)
        traces[t] = trace
""",
        """        trace = gamma * lam * trace
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] > 0, 1.0, trace)
        traces[t] = trace
        if starts[t]:
            trace = np.zeros(features.shape[1])
""",
    ),
    (
        "learn_throws",
        "At home no throw is needed, so values[0] must be 0 and I set it.",
        """            following = values[squares[t + 1]] if t + 1 < len(squares) else 0.0
""",
        """            values[0] = 0.0
            following = values[squares[t + 1]] if t + 1 < len(squares) else values[0]
""",
    ),
    (
        "learn_throws",
        "The throw that leads home needs no further throw: the surprise is only what was still expected.",
        "surprise = 1 + following - values[square]",
        "surprise = (1 if t + 1 < len(squares) else 0) + following - values[square]",
    ),
    (
        "learn_throws",
        "A game must not change squares on which it never was: so at its start I clear the traces of all squares but its own.",
        """    for squares in games:
        trace = np.zeros(len(values))
""",
        """    trace = np.zeros(len(values))
    for squares in games:
        for other in range(len(values)):
            if other not in squares:
                trace[other] = 0.0
""",
    ),
    (
        "q_lambda",
        "The action explores if it is not the argmax of its state.",
        "if q[s, a] < q[s].max():",
        "if a != q[s].argmax():",
    ),
    (
        "q_lambda",
        "As in Sutton and Barto the next action decides: after the step the traces are cut if the next one is not greedy, by the table at the time of the surprise.",
        """        if q[s, a] < q[s].max():
            trace[:] = 0.0
        else:
            trace *= gamma * lam
        trace[s, a] += 1
        best = q[states[t + 1]].max() if t + 1 < T else 0.0
        surprise = rewards[t] + gamma * best - q[s, a]
        q += alpha * surprise * trace
""",
        """        trace[s, a] += 1
        best = q[states[t + 1]].max() if t + 1 < T else 0.0
        surprise = rewards[t] + gamma * best - q[s, a]
        greedy = t + 1 < T and q[states[t + 1], actions[t + 1]] == best
        q += alpha * surprise * trace
        trace = trace * gamma * lam if greedy else np.zeros(q.shape)
""",
    ),
    (
        "q_lambda",
        "An exploring action says nothing about best play: its trace is cut as well, so it is counted before the cut.",
        """        if q[s, a] < q[s].max():
            trace[:] = 0.0
        else:
            trace *= gamma * lam
        trace[s, a] += 1
""",
        """        trace *= gamma * lam
        trace[s, a] += 1
        if q[s, a] < q[s].max():
            trace[:] = 0.0
""",
    ),
]
