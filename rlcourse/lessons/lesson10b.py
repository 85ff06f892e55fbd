"""The blank of lesson 10b, Elo."""

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson, changed_argument


def expected(difference: float) -> float:
    """The score in [0, 1] that Elo's formula expects of a player so many points ahead."""
    return float(1 / (1 + 10 ** (-difference / 400)))


def elo_update(ratings: np.ndarray, first: int, second: int, result: int, step: float = 16) -> None:
    """Move two ratings after one game, in place. Elo (1978).

    ratings [K]: in points. first, second: the two players. result: +1 the first won, -1 the second
    won, 0 a draw. step: Elo's K, in points.
    """
    score = (result + 1) / 2
    surprise = score - expected(ratings[first] - ratings[second])
    ratings[first] += step * surprise
    ratings[second] -= step * surprise


MISTAKES = {
    "result": "the result stands where the score belongs: +1, 0 and -1 are the scores 1, 0.5 and 0",
    "reversed": "the difference is turned: the first player's expected score grows with "
    "ratings[first] - ratings[second]",
    "together": "both ratings move in the same direction: what one player gains the other loses",
    "one": "only one rating moves: the other player's moves by as much, in the other direction",
    "turned": "the surprise has the wrong sign: it is the score less what was expected",
    "no_step": "the step is missing: it multiplies the surprise",
    "fixed": "the step is always 16: use the argument `step`",
    "draw": "a draw counts as a loss: its score is 0.5",
    "copy": "`ratings` stays as it was: change its entries, instead of returning other ratings",
    "late": "the second surprise is computed from the first player's new rating: compute it once, "
    "before either rating moves",
}


_E = 1 / (1 + 10**-0.5)  # what is expected of the player 200 points ahead: 0.7597
_UPSET = Case(
    (np.array([1_600.0, 1_400.0, 1_500.0]), 0, 1, -1, 16),
    # Surprise 0 - 0.7597: the ratings move by 16 * 0.7597 = 12.2.
    Key(np.array([1_600 - 16 * _E, 1_400 + 16 * _E, 1_500])),
    title="1,600 against 1,400 points; the stronger player moves first and loses; K = 16",
)
_DRAW = Case(
    (np.array([1_400.0, 1_600.0]), 0, 1, 0, 32),
    # The weaker player draws: the surprise is 0.5 - 0.2403.
    Key(np.array([1_400 + 32 * (_E - 0.5), 1_600 - 32 * (_E - 0.5)])),
    title="the weaker player, 1,400 against 1,600 points, moves first and draws; K = 32",
)
_EVEN = Case(
    (np.array([1_200.0, 1_200.0]), 1, 0, 1, 20),
    # Surprise 1 - 0.5: ten points.
    Key(np.array([1_190.0, 1_210.0])),
    title="two players of 1,200 points; player 1 moves first and wins; K = 20",
)

LESSON = Lesson(
    "10b",
    "Elo",
    Blank(elo_update, (_UPSET, _DRAW, _EVEN), MISTAKES, changed_argument),
)

your_turn = LESSON.your_turn
