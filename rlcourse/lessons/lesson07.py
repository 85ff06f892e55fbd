"""The blanks of lesson 07, actor-critic.

In all of them two players take turns, X at the even plies; each number belongs to the player who
moves at its ply.
"""

import numpy as np
from numpy import ndarray as Array

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson

# --- the advantage of the return ------------------------------------------------------------------


def return_advantages(values: Array, winner: int) -> Array:
    """[T] return less value. REINFORCE with baseline, Sutton & Barto (2018) 13.4.

    values [T] in [-1, 1], for the player to move; winner: +1 X, -1 O, 0 for a draw.
    """
    advantages = np.zeros(len(values))
    for t, value in enumerate(values):
        if t % 2 == 0:
            result = winner
        else:
            result = -winner
        advantages[t] = result - value
    return advantages


RETURN_MISTAKES = {
    "one_side": "every return is X's: at the odd plies O moves, and O's return is -winner",
    "swapped": "the sides are exchanged: X moves at the even plies, where the return is winner",
    "added": "the value is added: the advantage is what the return brings beyond it",
    "reversed": "the sign is wrong: the advantage is the return less the value, not the value less "
    "the return",
    "no_value": "the value is left out: this is the return alone",
}

_X_WINS = Case(
    (np.array([0.2, -0.5, 0.5]), 1),
    # 1 - 0.2; O has lost: -1 + 0.5; 1 - 0.5.
    Key([0.8, -0.5, 0.5]),
    title="three plies, X wins; V = 0.2, -0.5, 0.5",
)
_O_WINS = Case(
    (np.array([0.25, 0.5, -0.75, 0.5]), -1),
    # -1 - 0.25; 1 - 0.5; -1 + 0.75; 1 - 0.5.
    Key([-1.25, 0.5, -0.25, 0.5]),
    title="four plies, O wins; V = 0.25, 0.5, -0.75, 0.5",
)

# --- the TD error ---------------------------------------------------------------------------------


def td_errors(values: Array, winner: int) -> Array:
    """[T] TD errors of self-play. One-step actor-critic, Sutton & Barto (2018) 13.5.

    values, winner: as in `return_advantages`. The next value is the opponent's, so it is negated.
    """
    errors = np.zeros(len(values))
    for t, value in enumerate(values):
        if t + 1 < len(values):
            target = -values[t + 1]
        elif t % 2 == 0:
            target = winner
        else:
            target = -winner
        errors[t] = target - value
    return errors


TD_MISTAKES = {
    "not_negated": "the next value is not negated: it belongs to the opponent, and what is good "
    "for them is bad for the player who moves",
    "last_sign": "the last target is X's result: if O makes the last move, it is -winner",
    "no_end": "the last target is 0: no value follows the last move, but its reward does",
    "rewarded": "the result is a reward at every ply: it comes with the last move only",
    "returns": "every target is the result of the game: before the last move it is the next value",
    "away": "the sign is wrong: a TD error is the target less the value",
    "target_only": "the value of the present position is not subtracted",
}

_X_LAST = Case(
    (np.array([0.2, -0.5, 0.5]), 1),
    # 0.5 - 0.2; -0.5 + 0.5; 1 - 0.5.
    Key([0.3, 0.0, 0.5]),
    title="three plies, X wins with the last; V = 0.2, -0.5, 0.5",
)
_O_LAST = Case(
    (np.array([0.25, 0.5, -0.75, 0.5]), -1),
    # -0.5 - 0.25; 0.75 - 0.5; -0.5 + 0.75; 1 - 0.5.
    Key([-0.75, 0.25, 0.25, 0.5]),
    title="four plies, O wins with the last; V = 0.25, 0.5, -0.75, 0.5",
)

# --- GAE ------------------------------------------------------------------------------------------


def gae(errors: Array, lam: float) -> Array:
    """[T] generalised advantages from TD errors [T]; gamma is 1. Schulman et al. (2016), eq. 16.

    The next advantage is the opponent's, so it is subtracted.
    """
    advantages = np.zeros(len(errors))
    later = 0.0
    for t in reversed(range(len(errors))):
        later = errors[t] - lam * later
        advantages[t] = later
    return advantages


GAE_MISTAKES = {
    "added": "what follows is added: the next advantage is the opponent's, so it is subtracted",
    "forwards": "the game is walked from its beginning: an advantage collects later TD errors, so "
    "begin at the end",
    "no_lam": "lam is missing: every ply later counts lam times as much",
    "two_terms": "only one later TD error counts: subtract lam times the whole next advantage",
    "weighted": "the present TD error is weighted with 1 - lam: it counts in full",
    "unfaded": "lam weakens all later TD errors alike: each ply later, it weakens them once more",
}

_HALF = Case(
    (np.array([0.3, 0.0, 0.5]), 0.5),
    # From the end: 0.5; 0 - 0.5 * 0.5 = -0.25; 0.3 + 0.5 * 0.25 = 0.425.
    Key([0.425, -0.25, 0.5]),
    title="TD errors 0.3, 0, 0.5; lambda 0.5",
)
_FOUR_FIFTHS = Case(
    (np.array([-0.75, 0.25, 0.25, 0.5]), 0.8),
    # 0.5; 0.25 - 0.8 * 0.5 = -0.15; 0.25 + 0.8 * 0.15 = 0.37; -0.75 - 0.8 * 0.37 = -1.046.
    Key([-1.046, 0.37, -0.15, 0.5]),
    title="TD errors -0.75, 0.25, 0.25, 0.5; lambda 0.8",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "07",
    "Actor-critic on Go",
    Blank(return_advantages, (_X_WINS, _O_WINS), RETURN_MISTAKES),
    Blank(td_errors, (_X_LAST, _O_LAST), TD_MISTAKES),
    Blank(gae, (_HALF, _FOUR_FIFTHS), GAE_MISTAKES),
)

your_turn = LESSON.your_turn
