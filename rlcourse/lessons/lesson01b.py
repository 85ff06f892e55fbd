"""The blank of lesson 01b, how sure are we?"""

import numpy as np
from scipy.stats import binom

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson


def power(n: int, needed: int, win_rate: float) -> float:
    """The chance that a match of n games convinces: at least `needed` wins at a true `win_rate`."""
    counts = np.arange(needed, n + 1)
    return binom.pmf(counts, n, win_rate).sum()


MISTAKES = {
    "strict": "the fewest wins that convince are left out: the counts begin with `needed` itself",
    "no_last": "the match in which every game is won is left out: np.arange stops before its end, "
    "so the counts go up to n + 1",
    "only_fewest": "this is the chance of exactly `needed` wins: more wins convince as well",
    "fewer": "these are the counts that do not convince: they begin with `needed`",
    "fair": "win_rate is not used: this is the power against a fair coin",
}

# Of the 1,024 ways in which ten fair games can go, 45, 10 and 1 have 8, 9 and 10 wins.
_FAIR = Case(
    (10, 8, 0.5),
    Key(56 / 1024),
    title="at least 8 wins in 10 games of equal players",
)
# Four games at 3/4 have 0 to 4 wins with the chances 1, 12, 54, 108 and 81 of 256.
_STRONGER = Case(
    (4, 2, 0.75),
    Key(243 / 256),
    title="at least 2 wins in 4 games at a true rate of 75%",
)

LESSON = Lesson("01b", "How sure are we?", Blank(power, (_FAIR, _STRONGER), MISTAKES))

your_turn = LESSON.your_turn
