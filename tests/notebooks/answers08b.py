"""What students write into the blanks of lesson 08b.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = """
import numpy as np
"""

AMAF_SET = """
def amaf(games, results, actions):
    n = np.zeros(actions)
    w = np.zeros(actions)
    for game, result in zip(games, results):
        played = set()
        for ply, action in enumerate(game):
            if ply % 2 == 0 and action not in played:
                n[action] += 1
                w[action] += result
            played.add(action)
    return n, w
"""
AMAF_FIRST_PLY = """
def amaf(games, results, actions):
    n, w = [0] * actions, [0.0] * actions
    for game, result in zip(games, results):
        game = list(game)
        for action in set(game):
            if game.index(action) % 2 == 0:
                n[action] += 1
                w[action] += result
    return np.array(n), np.array(w)
"""

MIXED_ARRAYS = """
def mixed(n, m, mean, amaf_mean, k):
    beta = m / (m + n + m * n / k)
    return (1 - beta) * mean + beta * amaf_mean
"""
MIXED_LOOP = """
def mixed(n, m, mean, amaf_mean, k):
    estimates = []
    for few, many, own, shared in zip(n, m, mean, amaf_mean):
        # Each mean weighs by one over its squared error.
        weight = 1 / (1 / many + 1 / k)
        estimates.append((few * own + weight * shared) / (few + weight))
    return np.array(estimates)
"""

RIGHT = {"amaf": (AMAF_SET, AMAF_FIRST_PLY), "mixed": (MIXED_ARRAYS, MIXED_LOOP)}

_TEST = "if ply % 2 == 0 and action not in played:"
_NOTE = "            played.add(action)\n"

WRONG = {
    "amaf": (
        ("first_only", slip(AMAF_SET, ("enumerate(game)", "enumerate(game[:1])"))),
        ("both", slip(AMAF_SET, (_TEST, "if action not in played:"))),
        ("opponent", slip(AMAF_SET, ("ply % 2 == 0", "ply % 2 == 1"))),
        ("again", slip(AMAF_SET, (_TEST, "if ply % 2 == 0 and action not in game[1:ply:2]:"))),
        (
            "taken",
            slip(
                AMAF_SET,
                (_NOTE, "            if ply % 2 == 0:\n                played.add(action)\n"),
            ),
        ),
        ("turned", slip(AMAF_SET, ("+= result", "-= result"))),
        ("means", slip(AMAF_SET, ("return n, w", "return n, w / np.maximum(n, 1)"))),
    ),
    "mixed": (
        ("swapped", slip(MIXED_ARRAYS, ("(1 - beta) * mean + beta", "beta * mean + (1 - beta)"))),
        ("no_bias", slip(MIXED_ARRAYS, (" + m * n / k", ""))),
        ("times", slip(MIXED_ARRAYS, ("m * n / k", "m * n * k"))),
        ("above", slip(MIXED_ARRAYS, ("= m / (", "= n / ("))),
        ("alone", slip(MIXED_ARRAYS, ("(1 - beta) * mean", "mean"))),
        ("total", slip(MIXED_ARRAYS, ("    beta", "    n = n.sum()\n    beta"))),
    ),
}
