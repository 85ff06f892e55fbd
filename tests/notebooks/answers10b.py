"""What students write into the blank of lesson 10b.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = """
import numpy as np


def expected(difference):
    return 1 / (1 + 10 ** (-difference / 400))
"""

UPDATE = """
def elo_update(ratings, first, second, result, step=16):
    score = (result + 1) / 2
    surprise = score - expected(ratings[first] - ratings[second])
    ratings[first] += step * surprise
    ratings[second] -= step * surprise
"""
UPDATE_TWICE = """
def elo_update(ratings, first, second, result, step=16):
    ahead = ratings[first] - ratings[second]
    mine = {1: 1, 0: 0.5, -1: 0}[result]
    change = mine - expected(ahead)
    other = (1 - mine) - expected(-ahead)
    ratings[first] = ratings[first] + step * change
    ratings[second] = ratings[second] + step * other
    return ratings
"""

RIGHT = {"elo_update": (UPDATE, UPDATE_TWICE)}

_SCORE, _AHEAD = "(result + 1) / 2", "ratings[first] - ratings[second]"
_SECOND = "    ratings[second] -= step * surprise\n"
_LATE = "    ratings[second] -= step * (score - expected(ratings[first] - ratings[second]))\n"

WRONG = {
    "elo_update": (
        ("result", slip(UPDATE, (_SCORE, "result"))),
        ("reversed", slip(UPDATE, (_AHEAD, "ratings[second] - ratings[first]"))),
        ("together", slip(UPDATE, ("-= step", "+= step"))),
        ("one", slip(UPDATE, (_SECOND, ""))),
        (
            "turned",
            slip(
                UPDATE,
                ("+= step", "-= step "),
                ("    ratings[second] -=", "    ratings[second] +="),
            ),
        ),
        ("no_step", slip(UPDATE, ("+= step * ", "+= "), ("-= step * ", "-= "))),
        ("fixed", slip(UPDATE, ("+= step *", "+= 16 *"), ("-= step *", "-= 16 *"))),
        ("draw", slip(UPDATE, (_SCORE, "1 if result > 0 else 0"))),
        ("copy", slip(UPDATE, ("    score =", "    ratings = np.array(ratings)\n    score ="))),
        ("late", slip(UPDATE, (_SECOND, _LATE))),
    ),
}
