"""What students write into the blank of lesson 01b.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = "import numpy as np\nfrom scipy.stats import binom\n"

LOOP = """
def power(n, needed, win_rate):
    chance = 0.0
    for wins in range(needed, n + 1):
        chance += binom.pmf(wins, n, win_rate)
    return chance
"""
TAIL = """
def power(n, needed, win_rate):
    return binom.sf(needed - 1, n, win_rate)
"""

RIGHT = {"power": (LOOP, TAIL)}

WRONG = {
    "power": (
        ("strict", slip(TAIL, ("needed - 1", "needed"))),
        ("no_last", slip(LOOP, ("n + 1", "n"))),
        ("only_fewest", slip(LOOP, ("n + 1", "needed + 1"))),
        ("fewer", slip(TAIL, ("sf", "cdf"))),
        ("fair", slip(TAIL, ("win_rate)\n", "0.5)\n"))),
        ("other", slip(LOOP, ("binom.pmf(wins, n, win_rate)", "win_rate**wins"))),
        ("kind", slip(LOOP, ("    return chance", ""))),
    )
}
