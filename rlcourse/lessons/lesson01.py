"""The blanks of lesson 01, sampling and clipping."""

import numpy as np
from numpy import ndarray as Array

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson

# --- the order by Gumbel noise --------------------------------------------------------------------


def gumbel_order(p: Array, u: Array) -> Array:
    """Indices [A] in ranked order, by Gumbel noise. Yellott (1977); Kool and others (2019), eq. 4.

    p [A] probabilities above 0; u [A] random numbers between 0 and 1.
    """
    noise = -np.log(-np.log(u))
    return np.argsort(-(np.log(p) + noise))


GUMBEL_MISTAKES = {
    "smallest_first": "the smallest sum comes first: np.argsort goes up, so sort the negative sums",
    "no_noise": "there is no noise: the order would be the same in every draw",
    "no_logarithm": "the noise is added to p itself: add it to np.log(p)",
    "one_logarithm": "one logarithm is missing in the noise: it is -np.log(-np.log(u))",
    "sign": "the sign of the noise is wrong: it is -np.log(-np.log(u)), large where u is near 1",
    "only_noise": "the probabilities are left out: add np.log(p) to the noise",
}

_FOUR = Case(
    # -ln u is 1/4, 1/2, 1 and 1/5.
    (np.array([0.4, 0.3, 0.2, 0.1]), np.exp([-0.25, -0.5, -1.0, -0.2])),
    # The clocks ring at 0.25 / 0.4 = 0.625, then at 1.67, 5 and 2.
    Key(np.array([0, 1, 3, 2])),
    title="0.4, 0.3, 0.2, 0.1; the clocks ring at 0.6, 1.7, 5 and 2",
)
_LATE = Case(
    # -ln u is 2, 0.2, 2.5 and 0.1.
    (np.array([0.6, 0.2, 0.15, 0.05]), np.exp([-2.0, -0.2, -2.5, -0.1])),
    # The clocks ring at 3.33, 1, 16.7 and 2. By p * u the last two would change places.
    Key(np.array([1, 3, 0, 2])),
    title="0.6, 0.2, 0.15, 0.05; the clocks ring at 3.3, 1, 16.7 and 2",
)

# --- softmax --------------------------------------------------------------------------------------


def softmax(scores: Array, temperature: float) -> Array:
    """Probabilities [A] of scores [A] at a temperature above 0. Sutton & Barto (2018), eq. 13.2."""
    differences = scores - scores.max()
    weights = np.exp(differences / temperature)
    return weights / weights.sum()


SOFTMAX_MISTAKES = {
    "multiplied": "the temperature multiplies: scores are divided by it, so that heat evens out",
    "no_temperature": "the temperature has no effect: divide the scores by it, inside np.exp",
    "no_sum": "the sum is not 1: divide the exponentials by their sum",
    "no_exponential": "the exponential is missing: take np.exp before the division by the sum",
    "not_finite": "nan or infinity: subtract the largest score before np.exp, which overflows "
    "from about 710 on",
}

_SCORES = np.log([1.0, 2.0, 4.0])
_PLAIN = Case(
    (_SCORES, 1.0),
    Key([1 / 7, 2 / 7, 4 / 7]),
    title="the scores ln 1, ln 2, ln 4 at temperature 1",
)
_COLD = Case(
    (_SCORES, 0.5),
    # At temperature 1/2 the weights 1, 2, 4 are squared.
    Key([1 / 21, 4 / 21, 16 / 21]),
    title="the same scores at temperature 1/2",
)
_LARGE = Case(
    (np.array([3000.0, 3000.0 - 2 * np.log(3), 0.0]), 2.0),
    # The first difference, divided by the temperature, is ln 3, and the second is 1500.
    Key([3 / 4, 1 / 4, 0.0]),
    title="the scores 3000, 3000 - 2 ln 3 and 0 at temperature 2",
)

# --- clipping -------------------------------------------------------------------------------------


def clip(p: Array, floor: float) -> Array:
    """Probabilities [A], clipped to [floor, 1 - floor] and renormalised. p [A] with the sum 1.

    Pumperla & Ferguson (2019), chapter 9.
    """
    p = np.clip(p, floor, 1 - floor)
    return p / p.sum()


CLIP_MISTAKES = {
    "no_sum": "the sum is not 1: divide by the sum after clipping",
    "no_ceiling": "there is a floor but no ceiling: clip to 1 - floor as well",
    "no_floor": "there is a ceiling but no floor: clip to floor as well",
    "added": "the floor is added to every probability: np.clip lifts those below it and leaves "
    "the others",
    "fixed": "the floor is that of the book: use the argument",
}

_EDGES = Case(
    (np.array([0.0, 0.0, 1.0]), 0.1),
    # 0.1, 0.1 and 0.9 have the sum 1.1.
    Key([1 / 11, 1 / 11, 9 / 11]),
    title="0, 0, 1 with the floor 0.1",
)
_INSIDE = Case(
    (np.array([0.05, 0.25, 0.7]), 0.1),
    # 0.1, 0.25 and 0.7 have the sum 1.05.
    Key([2 / 21, 5 / 21, 14 / 21]),
    title="0.05, 0.25, 0.7 with the floor 0.1",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "01",
    "Sampling and clipping",
    Blank(gumbel_order, (_FOUR, _LATE), GUMBEL_MISTAKES),
    Blank(softmax, (_PLAIN, _COLD, _LARGE), SOFTMAX_MISTAKES),
    Blank(clip, (_EDGES, _INSIDE), CLIP_MISTAKES),
)

your_turn = LESSON.your_turn
