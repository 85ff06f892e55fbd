"""What students write into the blanks of lesson 07.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = "import numpy as np\n"

RETURN_LOOP = """
def return_advantages(values, winner):
    advantages, result = [], winner
    for value in values:
        advantages.append(result - value)
        result = -result
    return advantages
"""
RETURN_ARRAY = """
import numpy as np

def return_advantages(values, winner):
    side = 1 - 2 * (np.arange(len(values)) % 2)
    return winner * side - values
"""

TD_LOOP = """
def td_errors(values, winner):
    errors = []
    for t, value in enumerate(values):
        result = winner if t % 2 == 0 else -winner
        if t == len(values) - 1:
            target = result
        else:
            target = -values[t + 1]
        errors.append(target - value)
    return errors
"""
TD_ARRAY = """
import numpy as np

def td_errors(values, winner):
    side = 1 - 2 * (np.arange(len(values) + 1) % 2)
    of_x = np.append(values, 0.0) * side
    of_x[-1] = winner
    return side[:-1] * np.diff(of_x)
"""

GAE_LOOP = """
def gae(errors, lam):
    advantages = [0.0] * len(errors)
    later = 0.0
    for t in range(len(errors) - 1, -1, -1):
        advantages[t] = errors[t] - lam * later
        later = advantages[t]
    return advantages
"""
GAE_SUM = """
import numpy as np

def gae(errors, lam):
    weights = (-lam) ** np.arange(len(errors))
    return np.array([errors[t:] @ weights[: len(errors) - t] for t in range(len(errors))])
"""

RIGHT = {
    "return_advantages": (RETURN_LOOP, RETURN_ARRAY),
    "td_errors": (TD_LOOP, TD_ARRAY),
    "gae": (GAE_LOOP, GAE_SUM),
}

_MIX = "errors[t] - lam * later"
_LATER = "later = advantages[t]"
_TARGET = "target = -values[t + 1]"
_STEP = "range(len(errors) - 1, -1, -1)"

WRONG = {
    "return_advantages": (
        ("one_side", slip(RETURN_LOOP, ("        result = -result\n", ""))),
        ("swapped", slip(RETURN_LOOP, ("[], winner", "[], -winner"))),
        ("added", slip(RETURN_LOOP, ("result - value", "result + value"))),
        ("reversed", slip(RETURN_LOOP, ("result - value", "value - result"))),
        ("no_value", slip(RETURN_LOOP, ("result - value", "result"))),
        ("changed", slip(RETURN_ARRAY, ("    side", "    values[0] = 7.0\n    side"))),
        ("shape", slip(RETURN_LOOP, ("return advantages", "return advantages[1:]"))),
    ),
    "td_errors": (
        ("not_negated", slip(TD_LOOP, (_TARGET, "target = values[t + 1]"))),
        ("last_sign", slip(TD_LOOP, ("winner if t % 2 == 0 else -winner", "winner"))),
        ("no_end", slip(TD_LOOP, ("target = result", "target = 0.0"))),
        ("rewarded", slip(TD_LOOP, (_TARGET, "target = result - values[t + 1]"))),
        ("returns", slip(TD_LOOP, (_TARGET, "target = result"))),
        ("away", slip(TD_LOOP, ("target - value", "value - target"))),
        ("target_only", slip(TD_LOOP, ("target - value", "target"))),
        ("other", slip(TD_LOOP, ("target - value", "target - 2 * value"))),
    ),
    "gae": (
        ("added", slip(GAE_LOOP, (_MIX, "errors[t] + lam * later"))),
        ("forwards", slip(GAE_LOOP, (_STEP, "range(len(errors))"))),
        ("no_lam", slip(GAE_LOOP, (_MIX, "errors[t] - later"))),
        ("two_terms", slip(GAE_LOOP, (_LATER, "later = errors[t]"))),
        ("weighted", slip(GAE_LOOP, (_MIX, "(1 - lam) * errors[t] - lam * later"))),
        ("unfaded", slip(GAE_LOOP, (_LATER, "later = errors[t] - later"))),
        ("kind", slip(GAE_LOOP, ("    return advantages", ""))),
    ),
}
