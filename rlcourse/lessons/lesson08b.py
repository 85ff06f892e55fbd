"""The blanks of lesson 08b, Go without learning."""

from collections.abc import Sequence

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson

# --- all moves as first ---------------------------------------------------------------------------


def amaf(
    games: Sequence[Sequence[int]], results: Sequence[float], actions: int
) -> tuple[np.ndarray, np.ndarray]:
    """(n [A], w [A]): how many games count for each action, and the sum of their results.

    All moves as first, Gelly and Silver (2011), section 4. games: the actions of each game from
    one position on; the player to move there has made those of plies 0, 2, 4, ... results: for that
    player. A game counts for an action if that player was the first to play it, at any ply.
    """
    n, w = np.zeros(actions), np.zeros(actions)
    for game, result in zip(games, results, strict=True):
        played = set()
        for ply, action in enumerate(game):
            if ply % 2 == 0 and action not in played:
                n[action] += 1
                w[action] += result
            played.add(action)
    return n, w


AMAF_MISTAKES = {
    "first_only": "only the first move of a game counts: count every move of this player",
    "both": "the opponent's moves count as well: this player makes the moves of plies 0, 2, 4, ...",
    "opponent": "the opponent's moves count: this player makes the moves of plies 0, 2, 4, ...",
    "again": "a game counts twice for an action that was played twice: it counts once",
    "taken": "a game counts although the opponent was there first: note those actions, too",
    "turned": "results are turned: they belong to the player to move in the position already",
    "means": "w holds means: it holds the sums of the results",
}

_ONE = Case(
    ([[4, 1, 0, 3, 2]], [1.0], 5),
    # Plies 0, 2, 4 are the player's: actions 4, 0, 2.
    Key((np.array([1.0, 0, 1, 0, 1]), np.array([1.0, 0, 1, 0, 1]))),
    title="one game of the actions 4, 1, 0, 3, 2, which was won",
)
_THREE = Case(
    ([[0, 1, 2], [2, 0, 1], [0, 3]], [1.0, -1.0, 1.0], 4),
    # Action 0: games 0 and 2; 1: game 1, in game 0 it is the opponent's; 2: games 0 and 1.
    Key((np.array([2.0, 1, 2, 0]), np.array([2.0, -1, 0, 0]))),
    title="three games; the second was lost, the others were won",
)
_TAKEN = Case(
    ([[0, 1, 2, 3, 0, 0, 1]], [-1.0], 4),
    # Action 0 was played twice and counts once. Action 1 was the opponent's first.
    Key((np.array([1.0, 0, 1, 0]), np.array([-1.0, 0, -1, 0]))),
    title="a lost game in which stones are taken, so that points are played more than once",
)

# --- own games and all moves as first -----------------------------------------------------------


def mixed(
    n: np.ndarray, m: np.ndarray, mean: np.ndarray, amaf_mean: np.ndarray, k: float
) -> np.ndarray:
    """[A] the estimates of a search with RAVE, each for the player to move.

    Gelly and Silver (2011), section 4, the schedule of least mean squared error. n, m [A]: the own
    games of each action, and those that count for it as all moves as first, 1 or more. mean,
    amaf_mean [A]: their mean results. k: 1 / b ** 2, where b is the bias of amaf_mean.
    """
    beta = m / (m + n + m * n / k)
    return np.asarray((1 - beta) * mean + beta * amaf_mean)


MIXED_MISTAKES = {
    "swapped": "beta weighs the mean: it is the weight of all moves as first",
    "no_bias": "the bias is missing in beta: m * n / k belongs to the sum below",
    "times": "m * n is multiplied by k: divide it by k",
    "above": "n stands above the line: it is m, so that beta falls with n",
    "alone": "the mean keeps its whole weight: the two weights add up to 1",
    "total": "n is the sum over all actions: each action has a beta of its own",
}

_HALF = Case(
    (np.array([0.0, 2.0]), np.array([5.0, 4.0]), np.array([0.0, 1.0]), np.array([0.5, -1.0]), 4.0),
    # beta = 5 / 5 and 4 / (4 + 2 + 2).
    Key(np.array([0.5, 0.0])),
    title="an action without own games, and one with n = 2, m = 4; k = 4",
)
_THREE_ACTIONS = Case(
    (
        np.array([6.0, 1.0, 40.0]),
        np.array([3.0, 1.0, 200.0]),
        np.array([0.25, -1.0, 0.5]),
        np.array([-0.5, 0.5, 0.0]),
        2.0,
    ),
    # beta = 3 / (3 + 6 + 9), 1 / (1 + 1 + 1/2), 200 / (200 + 40 + 4,000).
    Key(np.array([0.25 - 0.75 / 6, -1 + 0.4 * 1.5, 0.5 * (1 - 200 / 4_240)])),
    title="6, 1 and 40 own games, 3, 1 and 200 by AMAF; k = 2",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "08b",
    "Go without learning",
    Blank(amaf, (_ONE, _THREE, _TAKEN), AMAF_MISTAKES),
    Blank(mixed, (_HALF, _THREE_ACTIONS), MIXED_MISTAKES),
)

your_turn = LESSON.your_turn
