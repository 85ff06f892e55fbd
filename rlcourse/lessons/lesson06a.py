"""The blanks of lesson 06a, Go and self-play."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numpy import ndarray as Array

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson

PointOf = tuple[int, int]  # row and column, (0, 0) the top left corner


def neighbours(point: PointOf, size: int = 5) -> list[PointOf]:
    """The points beside this one along the lines of a board."""
    row, col = point
    beside = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    return [(r, c) for r, c in beside if 0 <= r < size and 0 <= c < size]


# --- the liberties of a chain ---------------------------------------------------------------------


def liberties(stones: Array, chain: set[PointOf]) -> set[PointOf]:
    """The empty points beside a chain, each of them once.

    stones [5, 5]: 1 black, 2 white, 0 empty. chain: the points of its stones.
    """
    free = set()
    for point in chain:
        for beside in neighbours(point):
            if stones[beside] == 0:
                free.add(beside)
    return free


def _in_order(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its points as a sorted list: a set has no order to compare."""

    @wraps(function)
    def ordered(stones: Array, chain: set[PointOf]) -> Any:
        free = function(stones, chain)
        return sorted(free) if isinstance(free, set | list | tuple) else free

    return ordered


LIBERTIES_MISTAKES = {
    "twice": "a point beside two stones of the chain is counted twice: it is one liberty",
    "opponent": "points with the opponent's stones are in it: a liberty is empty",
    "all": "every neighbour is in it, whatever stands there: a liberty is empty",
    "first": "only one stone is looked at: the stones of a chain share their liberties",
    "number": "the number of liberties is returned: return the points themselves",
}

# Black on B4, B3 and C4 in the notation of the board; C3 lies beside two of these stones.
_BENT = np.array([[0, 0, 0, 0, 0], [0, 1, 1, 2, 0], [0, 1, 0, 0, 0], [0, 2, 0, 0, 0], [0] * 5])
_BENT_FREE = [(0, 1), (0, 2), (1, 0), (2, 0), (2, 2)]
_BEND = Case(
    (_BENT, {(1, 1), (1, 2), (2, 1)}),
    Key(_BENT_FREE),
    title="black stones on B4, C4 and B3, white ones on D4 and B2",
)
# White in the corner: A1 and B1; Black on A2. Only B2 and C1 are empty neighbours.
_CORNERED = np.array([[0] * 5, [0] * 5, [0] * 5, [1, 0, 0, 0, 0], [2, 2, 0, 0, 0]])
_CORNER = Case(
    (_CORNERED, {(4, 0), (4, 1)}),
    Key([(3, 1), (4, 2)]),
    title="white stones on A1 and B1, a black one on A2",
)
_LINE_STONES = np.array([[0] * 5, [0] * 5, [2, 2, 2, 0, 0], [0] * 5, [0] * 5])
_LINE_FREE = [(1, 0), (1, 1), (1, 2), (2, 3), (3, 0), (3, 1), (3, 2)]
_LINE = Case(
    (_LINE_STONES, {(2, 0), (2, 1), (2, 2)}),
    Key(_LINE_FREE),
    title="white stones on A3, B3 and C3",
)

# --- a convolution --------------------------------------------------------------------------------


def convolve(plane: Array, window: Array) -> Array:
    """The new plane [H, W]: at every point the sum of nine products, zeros beyond the edge.

    plane [H, W], window [3, 3], not turned round, as in all libraries for networks.
    """
    padded = np.pad(plane, 1)
    new = np.zeros(plane.shape)
    for row in range(plane.shape[0]):
        for col in range(plane.shape[1]):
            patch = padded[row : row + 3, col : col + 3]
            new[row, col] = np.sum(patch * window)
    return new


CONVOLVE_MISTAKES = {
    "no_frame": "the new plane is smaller: pad the plane with a frame of zeros first, so that the "
    "window has nine numbers at the edge as well",
    "turned": "the window lies upside down: number [i, j] of the window meets number [i, j] of the "
    "patch",
    "shifted": "the window is shifted: in the padded plane, the patch around point (row, col) "
    "begins at (row, col)",
    "mean": "the mean of the nine products is taken: take their sum",
    "matrix": "the patch and the window are multiplied as matrices: multiply number by number, "
    "with *",
    "no_window": "the window is not used: multiply each number of the patch by one of its weights",
}

_ONE_TO_NINE = np.arange(1.0, 10.0).reshape(3, 3)
_ONE_STONE = np.array([[0.0, 0, 0], [0, 1, 0], [0, 0, 0]])
_SPOT = Case(
    (_ONE_STONE, _ONE_TO_NINE),
    # The stone lies in the window's lower right corner at the top left point: weight 9.
    Key(np.array([[9.0, 8, 7], [6, 5, 4], [3, 2, 1]])),
    title="one stone in the middle of 3 x 3 points, the weights 1 to 9",
)
_DRAWN = np.array([[1.0, 1, 0], [0, 1, 0], [1, 0, 0]])
_EDGES = np.array([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]])
_RESULT = np.array([[-3.0, -2, 1], [3, -3, 1], [-4, 2, 0]])
_FROM_DRAWING = Case(
    (_DRAWN, _EDGES),
    # Top left: -4 for the own stone and 1 for the one beside it. The middle is the drawing's.
    Key(_RESULT),
    title="the nine numbers under the filter in the drawing",
)

# --- the reward of every decision -----------------------------------------------------------------


def rewards_of(players: Array, winner: int) -> Array:
    """The reward [T] of each decision: +1 for the winner's, -1 for the loser's.

    players [T]: who decided, 0 for Black and 1 for White; winner: 0 or 1.
    """
    rewards = np.zeros(len(players))
    for t, player in enumerate(players):
        if player == winner:
            rewards[t] = 1
        else:
            rewards[t] = -1
    return rewards


REWARDS_MISTAKES = {
    "black": "Black's decisions get +1 whoever wins: the winner may be White",
    "both": "all decisions get the same reward: those of the loser get -1",
    "sign": "the sign is wrong: the winner's decisions get +1",
    "nothing": "the loser's decisions get 0: a lost game has the reward -1",
    "last": "only the last decision of each side has a reward: every decision of the game gets it",
    "turns": "the players are taken to alternate: look up who decided",
}

# Black, White, Black, White, White: Black has passed in between, which was no choice of theirs.
_WHITE_WINS = Case(
    (np.array([0, 1, 0, 1, 1]), 1),
    Key(np.array([-1.0, 1, -1, 1, 1])),
    title="Black, White, Black, White, White decide, and White wins",
)
_BLACK_WINS = Case(
    (np.array([0, 1, 0]), 0),
    Key(np.array([1.0, -1, 1])),
    title="Black, White, Black decide, and Black wins",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "06a",
    "Go and self-play",
    Blank(liberties, (_BEND, _CORNER, _LINE), LIBERTIES_MISTAKES, _in_order),
    Blank(convolve, (_SPOT, _FROM_DRAWING), CONVOLVE_MISTAKES),
    Blank(rewards_of, (_WHITE_WINS, _BLACK_WINS), REWARDS_MISTAKES),
)

your_turn = LESSON.your_turn
