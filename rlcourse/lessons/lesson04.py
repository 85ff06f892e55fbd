"""The blanks of lesson 04, TD(lambda)."""

import numpy as np
from numpy import ndarray as Array

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson, changed_argument

# --- the TD update --------------------------------------------------------------------------------


def td_0(V: Array, rooms: Array, reward: float, alpha: float) -> None:
    """Move the value of each room towards that of the next room, in place.

    TD(0), Sutton & Barto (2018) 6.1. V [R] the table, rooms [T] of one walk, reward at its end.
    """
    for t, room in enumerate(rooms):
        if t + 1 < len(rooms):
            target = V[rooms[t + 1]]
        else:
            target = reward
        V[room] += alpha * (target - V[room])


TD_MISTAKES = {
    "monte_carlo": "every target is the reward, as in Monte Carlo: before the last step the "
    "target is the present estimate of the next room",
    "no_reward": "the last step learns nothing: no room follows it, so its target is the reward",
    "full_step": "alpha is missing: a value moves only a part alpha of the way to its target",
    "away": "the sign is wrong: a value moves towards its target, by alpha * (target - V[room])",
    "stale": "the targets come from the table as it was before the walk: read V at each step, "
    "after the steps before it have changed it",
    "rewarded": "the reward is added at every step: it comes once, at the end",
    "unchanged": "V stays as it was: assign to V[room], so that the caller's table changes",
}

_STRAIGHT = Case(
    (np.array([0.0, 0.2, 0.6]), np.array([1, 2]), 1.0, 0.5),
    # V(1) = 0.2 + (0.6 - 0.2) / 2 = 0.4; in the last room V(2) = 0.6 + (1 - 0.6) / 2 = 0.8.
    Key([0.0, 0.4, 0.8]),
    title="the rooms 1 and 2, then out with +1; alpha 0.5, V = 0, 0.2, 0.6",
)
_AND_BACK = Case(
    (np.array([0.0, 0.2, 0.4, 0.8]), np.array([2, 1, 2, 3]), -1.0, 0.5),
    # V(2) = 0.4 + (0.2 - 0.4) / 2 = 0.3; V(1) = 0.2 + (0.3 - 0.2) / 2 = 0.25;
    # V(2) = 0.3 + (0.8 - 0.3) / 2 = 0.55; V(3) = 0.8 + (-1 - 0.8) / 2 = -0.1.
    Key([0.0, 0.25, 0.55, -0.1]),
    title="the rooms 2, 1, 2, 3, then out with -1; alpha 0.5, V = 0, 0.2, 0.4, 0.8",
)

# --- the lambda-return ----------------------------------------------------------------------------


def lambda_targets(rooms: Array, reward: float, V: Array, lam: float, gamma: float = 1.0) -> Array:
    """The lambda-return [T] of each step of a walk. Sutton & Barto (2018), exercise 12.1."""
    targets = np.zeros(len(rooms))
    targets[-1] = reward
    for t in reversed(range(len(rooms) - 1)):
        estimate = V[rooms[t + 1]]
        targets[t] = gamma * ((1 - lam) * estimate + lam * targets[t + 1])
    return targets


LAMBDA_MISTAKES = {
    "swapped": "lam and 1 - lam are exchanged: the estimate counts 1 - lam, the next target lam",
    "own_value": "off by one: the estimate is that of the room to which the step leads",
    "half_gamma": "gamma stands before the estimate only: the next target is discounted as well",
    "no_gamma": "gamma is missing: what lies one step ahead counts gamma as much",
    "late": "the last target is discounted: it is the reward itself, which comes with that step",
    "plain_return": "the estimates are left out: this is the return alone",
}

_UNDISCOUNTED = Case(
    (np.array([1, 2, 3]), 1.0, np.array([0.0, 0.2, 0.4, 0.8]), 0.25, 1.0),
    # From the end: 1; 0.75 * 0.8 + 0.25 * 1 = 0.85; 0.75 * 0.4 + 0.25 * 0.85 = 0.5125.
    Key([0.5125, 0.85, 1.0]),
    title="the rooms 1, 2, 3, then out with +1; lambda 0.25, gamma 1, V = 0, 0.2, 0.4, 0.8",
)
_DISCOUNTED = Case(
    (np.array([2, 1, 2]), -1.0, np.array([0.0, 0.4, -0.8]), 0.25, 0.5),
    # -1; 0.5 * (0.75 * -0.8 + 0.25 * -1) = -0.425; 0.5 * (0.75 * 0.4 + 0.25 * -0.425).
    Key([0.096875, -0.425, -1.0]),
    title="the rooms 2, 1, 2, then out with -1; lambda 0.25, gamma 0.5, V = 0, 0.4, -0.8",
)

# --- the eligibility trace ------------------------------------------------------------------------


def backward(
    V: Array, rooms: Array, reward: float, alpha: float, lam: float, gamma: float = 1.0
) -> tuple[Array, Array]:
    """(change of all values [R] by one walk, traces [T, R] after each step); V stands still.

    Offline TD(lambda), Sutton & Barto (2018) 12.2.
    """
    trace = np.zeros(len(V))
    change = np.zeros(len(V))
    traces = []
    for t, room in enumerate(rooms):
        if t + 1 < len(rooms):
            td_error = gamma * V[rooms[t + 1]] - V[room]
        else:
            td_error = reward - V[room]
        trace = gamma * lam * trace
        trace[room] += 1
        change += alpha * td_error * trace
        traces.append(trace)
    return change, np.array(traces)


TRACE_MISTAKES = {
    "no_fade": "the traces do not fade: at every step all of them are multiplied by gamma * lam",
    "only_lam": "the traces fade by lam alone: they fade by gamma * lam",
    "late": "the values change before the present room is counted: that room, too, is owed a "
    "share of its own TD error",
    "early": "the visit is counted before the traces fade: all traces fade first, then the present "
    "room gets its 1",
    "replaces": "the trace of the present room is set to 1: a visit adds 1 to what is left there",
    "td_0": "only the present room changes: every room changes by alpha * td_error * its trace",
    "no_alpha": "alpha is missing: a room changes by alpha * td_error * its trace",
}

# The TD errors are 0.6 - 0.2 = 0.4 and 1 - 0.6 = 0.4; room 1 gets 0.2 and half of 0.2 more.
_TWO_TRACES = [[0.0, 1.0, 0.0], [0.0, 0.5, 1.0]]
_TWO_STEPS = Case(
    (np.array([0.0, 0.2, 0.6]), np.array([1, 2]), 1.0, 0.5, 0.5, 1.0),
    Key(([0.0, 0.3, 0.2], _TWO_TRACES)),
    title="the rooms 1 and 2, then out with +1; alpha 0.5, lambda 0.5, gamma 1, V = 0, 0.2, 0.6",
)
# A trace keeps 0.25. The TD errors: 0.5 * 0.8 - 0.4 = 0; 0.5 * 0.4 - 0.8 = -0.6; 1 - 0.4 = 0.6.
# Room 1: 0.5 * (-0.6 * 0.25 + 0.6 * 1.0625) = 0.24375; room 2: 0.5 * (-0.6 + 0.6 * 0.25) = -0.225.
_THREE_TRACES = [[0.0, 1.0, 0.0], [0.0, 0.25, 1.0], [0.0, 1.0625, 0.25]]
_RETURNS = Case(
    (np.array([0.0, 0.4, 0.8]), np.array([1, 2, 1]), 1.0, 0.5, 0.5, 0.5),
    Key(([0.0, 0.24375, -0.225], _THREE_TRACES)),
    title="the rooms 1, 2, 1, then out with +1; alpha, lambda and gamma 0.5, V = 0, 0.4, 0.8",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "04",
    "TD(lambda)",
    Blank(td_0, (_STRAIGHT, _AND_BACK), TD_MISTAKES, changed_argument),
    Blank(lambda_targets, (_UNDISCOUNTED, _DISCOUNTED), LAMBDA_MISTAKES),
    Blank(backward, (_TWO_STEPS, _RETURNS), TRACE_MISTAKES),
)

your_turn = LESSON.your_turn
