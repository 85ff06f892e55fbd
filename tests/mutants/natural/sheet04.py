"""Slips of two writers who knew only the text of sheet 04, told in the answers of the first."""

ANSWERS = {
    "compound_return": """import numpy as np


def compound_return(rewards, values, weights, gamma):
    T = len(rewards)
    total = 0.0
    for i, weight in enumerate(weights):
        n = i + 1
        steps = min(n, T)
        g = sum(gamma**k * rewards[k] for k in range(steps))
        if n < T:
            g += gamma**n * values[n]
        total += weight * g
    return total
""",
    "mover_targets": """import numpy as np


def mover_targets(values, player, result, lam, gamma):
    T = len(values)
    targets = np.zeros(T)
    targets[-1] = result if player[-1] == 0 else -result
    for t in range(T - 2, -1, -1):
        sign = 1 if player[t] == player[t + 1] else -1
        mixed = (1 - lam) * values[t + 1] + lam * targets[t + 1]
        targets[t] = sign * gamma * mixed
    return targets
""",
    "trace_history": """import numpy as np


def trace_history(features, starts, lam, gamma, kind):
    features = np.asarray(features)
    T, F = features.shape
    trace = np.zeros(F)
    history = []
    for t in range(T):
        if starts[t]:
            trace = np.zeros(F)
        trace = trace * (gamma * lam)
        if kind == "accumulating":
            trace = trace + features[t]
        else:
            trace = np.where(features[t] == 1, 1.0, trace)
        history.append(trace)
    return np.array(history)
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
    table = np.array(q, dtype=float)
    trace = np.zeros_like(table)
    T = len(states)
    for t in range(T):
        s, a = states[t], actions[t]
        explores = table[s, a] < table[s].max()
        if explores:
            trace[:] = 0
        else:
            trace *= gamma * lam
        trace[s, a] += 1
        target = rewards[t]
        if t + 1 < T:
            target += gamma * table[states[t + 1]].max()
        surprise = target - table[s, a]
        table += alpha * surprise * trace
    return table
""",
}
SLIPS = [
    (
        "compound_return",
        "An n-step return needs n steps, so the weights for n larger than T have nothing to count and are left out.",
        ("        steps = min(n, T)\n"),
        ("        if n > T:\n            break\n        steps = min(n, T)\n"),
    ),
    (
        "compound_return",
        "Weights behind T are meaningless, so the weights up to T are scaled to the sum 1 again.",
        ("    for i, weight in enumerate(weights):\n"),
        (
            "    weights = np.array(weights[:T], float)\n"
            "    weights = weights / weights.sum()\n"
            "    for i, weight in enumerate(weights):\n"
        ),
    ),
    (
        "compound_return",
        "From n = T on there is no next state, so the last estimate there is stands in for it.",
        ("        if n < T:\n            g += gamma**n * values[n]\n"),
        ("        g += gamma**steps * values[min(n, T - 1)]\n"),
    ),
    (
        "compound_return",
        "The n-step return ends with the last of the n states that it has gone through, so its estimate is values[n - 1].",
        ("gamma**n * values[n]"),
        ("gamma**n * values[n - 1]"),
    ),
    (
        "mover_targets",
        "It is a game for two, so the sign turns at every step (the sentence about moving again was forgotten).",
        ("        sign = 1 if player[t] == player[t + 1] else -1\n"),
        ("        sign = -1\n"),
    ),
    (
        "mover_targets",
        "The discount is for a turn: when the same player moves again no turn has passed.",
        ("sign * gamma * mixed"),
        ("mixed if sign == 1 else -gamma * mixed"),
    ),
    (
        "mover_targets",
        "The result is seen by the other side only where the movers differ; the estimates are for the player to move already and need no sign.",
        (
            "        mixed = (1 - lam) * values[t + 1] + lam * targets[t + 1]\n"
            "        targets[t] = sign * gamma * mixed\n"
        ),
        (
            "        targets[t] = gamma * ((1 - lam) * values[t + 1] + lam * sign * targets[t + 1])\n"
        ),
    ),
    (
        "mover_targets",
        "In a game for two the players take turns, so the sign changes with every position, beginning with whoever moves first.",
        ("    targets = np.zeros(T)\n"),
        ("    player = [(player[0] + t) % 2 for t in range(T)]\n    targets = np.zeros(T)\n"),
    ),
    (
        "mover_targets",
        "The last target is the result as it is given, for who is to move there.",
        ("result if player[-1] == 0 else -result"),
        ("result"),
    ),
    (
        "trace_history",
        "Replacing means that the traces are replaced by the features that are active now.",
        ("np.where(features[t] == 1, 1.0, trace)"),
        ("features[t].astype(float)"),
    ),
    (
        "trace_history",
        "At the step at which an episode starts nothing has been visited yet, so its row is zero.",
        ("            trace = np.zeros(F)\n        trace = trace * (gamma * lam)\n"),
        (
            "            trace = np.zeros(F)\n"
            "            history.append(trace)\n"
            "            continue\n"
            "        trace = trace * (gamma * lam)\n"
        ),
    ),
    (
        "trace_history",
        "The traces are kept in one array that is changed in place, and that array is put into the list at every step.",
        (
            "        trace = trace * (gamma * lam)\n"
            '        if kind == "accumulating":\n'
            "            trace = trace + features[t]\n"
            "        else:\n"
            "            trace = np.where(features[t] == 1, 1.0, trace)\n"
        ),
        (
            "        trace *= gamma * lam\n"
            '        if kind == "accumulating":\n'
            "            trace += features[t]\n"
            "        else:\n"
            "            trace[features[t] == 1] = 1.0\n"
        ),
    ),
    (
        "trace_history",
        "The traces of the features that are not active fade; those that are active grow instead.",
        ("        trace = trace * (gamma * lam)\n"),
        ("        trace = np.where(features[t] > 0, trace, trace * (gamma * lam))\n"),
    ),
    (
        "learn_throws",
        "Home is worth 0, so the entry of home is set to 0 at the beginning and everything else may stay.",
        ("    values = np.array(values, float)\n"),
        ("    values = np.array(values, float)\n    values[0] = 0.0\n"),
    ),
    (
        "learn_throws",
        "The throw that brings the counter home needs no further throw, so its surprise is that no throw is left.",
        ("            surprise = 1 + following - values[square]\n"),
        (
            "            surprise = (1 if t + 1 < len(squares) else 0) + following - values[square]\n"
        ),
    ),
    (
        "learn_throws",
        "A game must not move squares on which it never was, so at its start the traces of those squares are cleared (those of the squares it shares with the game before stay).",
        ("    for squares in games:\n        trace = np.zeros(len(values))\n"),
        (
            "    trace = np.zeros(len(values))\n"
            "    for squares in games:\n"
            "        trace[[s for s in range(len(values)) if s not in squares]] = 0.0\n"
        ),
    ),
    (
        "learn_throws",
        "When the counter comes home the game is over, so the trace is emptied at the last throw.",
        ("            trace *= lam\n"),
        (
            "            if t + 1 == len(squares):\n"
            "                trace[:] = 0\n"
            "            trace *= lam\n"
        ),
    ),
    (
        "q_lambda",
        "The action explores if it is not the one that argmax gives (a tie with the best counts as exploring).",
        ("table[s, a] < table[s].max()"),
        ("a != table[s].argmax()"),
    ),
    (
        "q_lambda",
        "Whether an action explores is decided by the table that the player had during the episode, the one that is given.",
        ("table[s, a] < table[s].max()"),
        ("q[s, a] < q[s].max()"),
    ),
    (
        "q_lambda",
        "The exploring action is cut off itself: after its count all traces become 0, so that it learns nothing.",
        (
            "        if explores:\n"
            "            trace[:] = 0\n"
            "        else:\n"
            "            trace *= gamma * lam\n"
            "        trace[s, a] += 1\n"
        ),
        (
            "        trace *= gamma * lam\n"
            "        trace[s, a] += 1\n"
            "        if explores:\n"
            "            trace[:] = 0\n"
        ),
    ),
    (
        "q_lambda",
        "As in the textbook: learn with the trace first, and cut it after the exploring action, so that what comes later starts afresh.",
        (
            "        if explores:\n"
            "            trace[:] = 0\n"
            "        else:\n"
            "            trace *= gamma * lam\n"
            "        trace[s, a] += 1\n"
            "        target = rewards[t]\n"
            "        if t + 1 < T:\n"
            "            target += gamma * table[states[t + 1]].max()\n"
            "        surprise = target - table[s, a]\n"
            "        table += alpha * surprise * trace\n"
        ),
        (
            "        trace *= gamma * lam\n"
            "        trace[s, a] += 1\n"
            "        target = rewards[t]\n"
            "        if t + 1 < T:\n"
            "            target += gamma * table[states[t + 1]].max()\n"
            "        surprise = target - table[s, a]\n"
            "        table += alpha * surprise * trace\n"
            "        if explores:\n"
            "            trace[:] = 0\n"
        ),
    ),
]
