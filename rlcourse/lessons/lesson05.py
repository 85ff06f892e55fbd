"""The blanks of lesson 05, TD-Gammon."""

from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from typing import Any

import numpy as np
from numpy import ndarray as Array

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson

# --- the units of a point -------------------------------------------------------------------------


def point_units(n: int) -> list[float]:
    """The four units [4] of a point with n checkers. Sutton & Barto (2018) 16.1."""
    blot = 1.0 if n == 1 else 0.0
    made_point = 1.0 if n >= 2 else 0.0
    one_spare = 1.0 if n == 3 else 0.0
    more_spares = (n - 3) / 2 if n > 3 else 0.0
    return [blot, made_point, one_spare, more_spares]


UNIT_MISTAKES = {
    "blot_stays": "the first unit stays on beyond one checker: a blot is exactly one",
    "exactly_two": "the second unit goes off beyond two checkers: two or more make the point",
    "spare_stays": "the third unit stays on beyond three checkers: it says exactly one spare",
    "not_halved": "the fourth unit is not halved: beyond three checkers it is (n - 3) / 2",
    "no_half": "the half is cut off: (n - 3) / 2 divides with /, not with //",
    "negative": "the fourth unit is (n - 3) / 2 for few checkers as well: up to three it is 0",
}

_ONE = Case(
    (1,),
    Key([1.0, 0.0, 0.0, 0.0]),
    title="one checker",
)
_TWO = Case(
    (2,),
    Key([0.0, 1.0, 0.0, 0.0]),
    title="two checkers",
)
_THREE = Case(
    (3,),
    Key([0.0, 1.0, 1.0, 0.0]),
    title="three checkers",
)
_SIX = Case(
    (6,),
    # (6 - 3) / 2
    Key([0.0, 1.0, 0.0, 1.5]),
    title="six checkers",
)

# --- the step of TD(lambda) on the weights of a network -------------------------------------------

Weights = dict[str, Array]


def learn(
    weights: Weights,
    traces: Weights,
    gradient: Weights,
    td_error: float,
    alpha: float,
    lam: float,
) -> None:
    """Move all weights by one step of TD(lambda), in place.

    Sutton & Barto (2018) 12.2. weights, traces, gradient: name of a layer's array -> array, each
    of the same shape in all three; the traces change as well.
    """
    for name in weights:
        traces[name] = lam * traces[name] + gradient[name]
        weights[name] += alpha * td_error * traces[name]


def changed_weights(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function for `learn`: it gives weights and traces as changed."""

    @wraps(function)
    def changed(weights: Weights, traces: Weights, *others: Any) -> tuple[Weights, Weights]:
        own_weights, own_traces = deepcopy(weights), deepcopy(traces)
        function(own_weights, own_traces, *others)
        return own_weights, own_traces

    return changed


LEARN_MISTAKES = {
    "no_fade": "the traces do not fade: first every trace is multiplied by lam",
    "fades_late": "the gradient fades at once: only what is left of the old trace counts lam",
    "forgets": "the old traces are lost: a trace is lam times itself, plus the gradient",
    "old_trace": "the weights move by the old traces: the gradient of this ply is added first",
    "td_0": "the weights move by the gradient alone: they move by the traces",
    "no_alpha": "alpha is missing: a weight moves by alpha * td_error * its trace",
    "away": "the sign is wrong: the weights move by plus alpha * td_error * trace",
    "unchanged": "the weights stay as they were: assign to weights[name]",
}


def _layers(hidden: list[float], output: float) -> Weights:
    """Two arrays of weights, for a case."""
    return {"hidden": np.array(hidden), "output": np.array([output])}


# Traces: 0.5 * 0.4 + 0.1 = 0.3; 0 + 0.2; 0.5 * 0.2 - 0.3 = -0.2. A weight moves by 0.1 * 0.5 of it.
_FRESH = _layers([0.3, 0.2], -0.2)
_STEP = Case(
    (_layers([0.5, -0.5], 1.0), _layers([0.4, 0.0], 0.2), _layers([0.1, 0.2], -0.3), 0.5, 0.1, 0.5),
    Key((_layers([0.515, -0.49], 0.99), _FRESH)),
    title="two layers; TD error 0.5, alpha 0.1, lambda 0.5",
)

# --- the points that five probabilities promise ---------------------------------------------------


def points_expected(p: Array) -> float:
    """The cubeless equity in [-3, 3] of p [5].

    p: win, win a gammon, win a backgammon, lose a gammon, lose a backgammon, each "or more".
    """
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = p
    won = win + win_gammon + win_backgammon
    lost = (1 - win) + lose_gammon + lose_backgammon
    return float(won - lost)


EQUITY_MISTAKES = {
    "wins_only": "gammons and backgammons are left out: each counts one point more",
    "doubled": "a gammon is counted as two points more: it is in `win` with one already, and a "
    "backgammon is in both",
    "exclusive": "a backgammon is counted as two points more than a gammon: the gammons hold it "
    "already, so it adds one",
    "no_losses": "lost gammons and backgammons are left out: each costs one point more",
    "lost_added": "lost gammons are added: they are points of the opponent",
    "free_loss": "a lost game costs nothing: with probability 1 - win a point is lost",
}

_SINGLE = Case(
    (np.array([0.7, 0.0, 0.0, 0.0, 0.0]),),
    # 0.7 - 0.3
    Key(0.4),
    title="70% wins, no gammons",
)
_ALL = Case(
    (np.array([0.6, 0.2, 0.05, 0.1, 0.02]),),
    # won 0.6 + 0.2 + 0.05 = 0.85; lost 0.4 + 0.1 + 0.02 = 0.52.
    Key(0.33),
    title="60% wins, 20% gammons, 5% backgammons; 10% gammons and 2% backgammons lost",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "05",
    "TD-Gammon",
    Blank(point_units, (_ONE, _TWO, _THREE, _SIX), UNIT_MISTAKES),
    Blank(learn, (_STEP,), LEARN_MISTAKES, changed_weights),
    Blank(points_expected, (_SINGLE, _ALL), EQUITY_MISTAKES),
)

your_turn = LESSON.your_turn
