"""What students write into the blanks of lesson 04.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = "import numpy as np\n"

TD_LOOP = """
def td_0(V, rooms, reward, alpha):
    for t in range(len(rooms)):
        here = rooms[t]
        target = reward if t == len(rooms) - 1 else V[rooms[t + 1]]
        V[here] = V[here] + alpha * (target - V[here])
"""
TD_MIXED = """
def td_0(V, rooms, reward, alpha):
    for room, following in zip(rooms[:-1], rooms[1:]):
        V[room] = (1 - alpha) * V[room] + alpha * V[following]
    V[rooms[-1]] = (1 - alpha) * V[rooms[-1]] + alpha * reward
    return V
"""

LAMBDA_LOOP = """
def lambda_targets(rooms, reward, V, lam, gamma=1.0):
    G = reward
    targets = [reward]
    for room in rooms[:0:-1]:
        G = gamma * (1 - lam) * V[room] + gamma * lam * G
        targets.insert(0, G)
    return targets
"""
LAMBDA_RECURSIVE = """
import numpy as np

def lambda_targets(rooms, reward, V, lam, gamma=1.0):
    if len(rooms) == 1:
        return np.array([reward])
    rest = lambda_targets(rooms[1:], reward, V, lam, gamma)
    first = gamma * ((1 - lam) * V[rooms[1]] + lam * rest[0])
    return np.append(first, rest)
"""

TRACE_LOOP = """
import numpy as np

def backward(V, rooms, reward, alpha, lam, gamma=1.0):
    trace, change, traces = np.zeros(len(V)), np.zeros(len(V)), []
    for t, room in enumerate(rooms):
        ahead = gamma * V[rooms[t + 1]] if t + 1 < len(rooms) else reward
        trace *= gamma * lam
        trace[room] += 1
        change += alpha * (ahead - V[room]) * trace
        traces.append(trace.copy())
    return change, np.array(traces)
"""
TRACE_MATRIX = """
import numpy as np

def backward(V, rooms, reward, alpha, lam, gamma=1.0):
    delta = np.append(gamma * V[rooms[1:]], reward) - V[rooms]
    steps = np.arange(len(rooms))
    ages = steps[:, None] - steps
    share = np.where(ages >= 0, (gamma * lam) ** np.maximum(ages, 0), 0.0)
    traces = share @ np.eye(len(V))[rooms]
    return alpha * delta @ traces, traces
"""

RIGHT = {
    "td_0": (TD_LOOP, TD_MIXED),
    "lambda_targets": (LAMBDA_LOOP, LAMBDA_RECURSIVE),
    "backward": (TRACE_LOOP, TRACE_MATRIX),
}

_TARGET = "reward if t == len(rooms) - 1 else V[rooms[t + 1]]"
_MIX = "gamma * (1 - lam) * V[room] + gamma * lam * G"
_CHANGE = "change += alpha * (ahead - V[room]) * trace"
_VISIT = "        trace[room] += 1\n"
_NOTE = "        traces.append"
_FADES = "        trace *= gamma * lam\n"

WRONG = {
    "td_0": (
        ("monte_carlo", slip(TD_LOOP, (_TARGET, "reward"))),
        ("no_reward", slip(TD_LOOP, ("range(len(rooms))", "range(len(rooms) - 1)"))),
        ("full_step", slip(TD_LOOP, ("alpha * ", ""))),
        ("away", slip(TD_LOOP, ("target - V[here]", "V[here] - target"))),
        (
            "stale",
            slip(TD_LOOP, ("else V[", "else old["), ("    for", "    old = V.copy()\n    for")),
        ),
        ("rewarded", slip(TD_LOOP, ("V[rooms[t + 1]]", "V[rooms[t + 1]] + reward"))),
        ("unchanged", slip(TD_LOOP, ("    for", "    V = V.copy()\n    for"))),
        ("other", slip(TD_LOOP, ("target - V[here]", "target - 2 * V[here]"))),
    ),
    "lambda_targets": (
        ("swapped", slip(LAMBDA_LOOP, (_MIX, "gamma * lam * V[room] + gamma * (1 - lam) * G"))),
        ("own_value", slip(LAMBDA_LOOP, ("rooms[:0:-1]", "rooms[-2::-1]"))),
        ("half_gamma", slip(LAMBDA_LOOP, ("gamma * lam * G", "lam * G"))),
        ("no_gamma", slip(LAMBDA_LOOP, (_MIX, "(1 - lam) * V[room] + lam * G"))),
        ("late", slip(LAMBDA_LOOP, ("G = reward", "G = gamma * reward"), ("[reward]", "[G]"))),
        ("plain_return", slip(LAMBDA_LOOP, (_MIX, "gamma * G"))),
        ("changed", slip(LAMBDA_LOOP, ("    G = reward", "    V[0] = 7.0\n    G = reward"))),
        ("kind", slip(LAMBDA_LOOP, ("    return targets", ""))),
    ),
    "backward": (
        ("no_fade", slip(TRACE_LOOP, ("trace *= gamma * lam", "pass"))),
        ("only_lam", slip(TRACE_LOOP, ("trace *= gamma * lam", "trace *= lam"))),
        ("late", slip(TRACE_LOOP, (_VISIT, ""), (_NOTE, _VISIT + _NOTE))),
        ("early", slip(TRACE_LOOP, (_FADES, ""), (_VISIT, _VISIT + _FADES))),
        ("replaces", slip(TRACE_LOOP, ("trace[room] += 1", "trace[room] = 1"))),
        ("td_0", slip(TRACE_LOOP, (_CHANGE, "change[room] += alpha * (ahead - V[room])"))),
        ("no_alpha", slip(TRACE_LOOP, ("alpha * (ahead", "(ahead"))),
        ("shape", slip(TRACE_LOOP, ("np.array(traces)", "np.array(traces)[0]"))),
    ),
}
