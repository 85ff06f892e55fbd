"""What students write into the blanks of lesson 09a.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = "import numpy as np\n"

BLOCK = """
def residual_block(x, first, second):
    inner = np.maximum(0, first(x))
    change = second(inner)
    return np.maximum(0, x + change)
"""
BLOCK_PLAIN = """
def residual_block(x, first, second):
    y = first(x)
    y = y * (y > 0)
    y = second(y) + x
    return np.where(y > 0, y, 0.0)
"""

LOSS = """
def alphazero_loss(pi, p, z, v, weights, c_l2=1e-4):
    cross_entropy = -np.sum(pi * np.log(p))
    squared_error = (z - v) ** 2
    penalty = np.sum(weights ** 2)
    return cross_entropy + squared_error + c_l2 * penalty
"""
LOSS_LOOP = """
import math

def alphazero_loss(pi, p, z, v, weights, c_l2=1e-4):
    loss = (v - z) * (v - z)
    for share, chance in zip(pi, p):
        loss -= share * math.log(chance)
    for weight in weights:
        loss += c_l2 * weight ** 2
    return loss
"""

REMEMBER = """
def remember(window, new, size):
    kept = {}
    for name in window:
        both = np.concatenate([window[name], new[name]])
        kept[name] = both[-size:]
    return kept
"""
REMEMBER_FROM = """
def remember(window, new, size):
    return {
        name: np.concatenate((window[name], new[name]))[max(0, len(window[name]) + len(new[name]) - size):]
        for name in new
    }
"""

RIGHT = {
    "residual_block": (BLOCK, BLOCK_PLAIN),
    "alphazero_loss": (LOSS, LOSS_LOOP),
    "remember": (REMEMBER, REMEMBER_FROM),
}

_PENALTY = "np.sum(weights ** 2)"
_BEHIND = "np.concatenate([window[name], new[name]])"
_LOGS = "-np.sum(pi * np.log(p))"

WRONG = {
    "residual_block": (
        ("no_skip", slip(BLOCK, ("x + change", "change"))),
        ("no_inner", slip(BLOCK, ("np.maximum(0, first(x))", "first(x)"))),
        ("no_outer", slip(BLOCK, ("np.maximum(0, x + change)", "x + change"))),
        ("relu_first", slip(BLOCK, ("np.maximum(0, x + change)", "x + np.maximum(0, change)"))),
        ("x_twice", slip(BLOCK, ("second(inner)", "second(x)"))),
        (
            "skip_inside",
            slip(BLOCK, ("second(inner)", "second(x + inner)"), ("x + change", "change")),
        ),
        ("minus", slip(BLOCK, ("x + change", "change - x"))),
    ),
    "alphazero_loss": (
        ("plus", slip(LOSS, ("-np.sum(pi", "np.sum(pi"))),
        ("swapped", slip(LOSS, ("pi * np.log(p)", "p * np.log(pi)"))),
        ("log2", slip(LOSS, ("np.log", "np.log2"))),
        ("one_hot", slip(LOSS, (_LOGS, "-np.log(p[np.argmax(pi)])"))),
        ("mean", slip(LOSS, (_LOGS, "-np.mean(pi * np.log(p))"))),
        ("no_policy", slip(LOSS, ("return cross_entropy + ", "return "))),
        ("no_square", slip(LOSS, ("(z - v) ** 2", "z - v"))),
        ("half", slip(LOSS, ("(z - v) ** 2", "(z - v) ** 2 / 2"))),
        ("sum", slip(LOSS, ("z - v", "z + v"))),
        ("no_value", slip(LOSS, (" + squared_error", ""))),
        ("no_l2", slip(LOSS, (" + c_l2 * penalty", ""))),
        ("minus_l2", slip(LOSS, ("+ c_l2", "- c_l2"))),
        ("no_c", slip(LOSS, ("c_l2 * penalty", "penalty"))),
        ("norm", slip(LOSS, (_PENALTY, "np.linalg.norm(weights)"))),
        ("absolute", slip(LOSS, (_PENALTY, "np.sum(np.abs(weights))"))),
    ),
    "remember": (
        ("lists", slip(REMEMBER, (_BEHIND, "list(window[name]) + list(new[name])"))),
        ("oldest", slip(REMEMBER, ("both[-size:]", "both[:size]"))),
        ("no_limit", slip(REMEMBER, ("both[-size:]", "both"))),
        ("only_new", slip(REMEMBER, ("both[-size:]", "new[name][-size:]"))),
        ("not_added", slip(REMEMBER, ("both[-size:]", "window[name][-size:]"))),
        ("in_front", slip(REMEMBER, ("[window[name], new[name]]", "[new[name], window[name]]"))),
        ("one_more", slip(REMEMBER, ("[-size:]", "[-size - 1:]"))),
    ),
}
