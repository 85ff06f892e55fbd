"""The blank of lesson 09b, the laboratory."""

import numpy as np
from numpy import ndarray as Array

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson

Line = list[tuple[int, int]]  # four cells, each its row from above and its column
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))  # right, down, and down along both diagonals


def lines_of_four(rows: int, columns: int) -> list[Line]:
    """All lines of four cells on a board, by their upper (or left) end."""
    lines = []
    for row in range(rows):
        for column in range(columns):
            for down, right in STEPS:
                line = [(row + k * down, column + k * right) for k in range(4)]
                last_row, last_column = line[-1]
                if last_row < rows and 0 <= last_column < columns:
                    lines.append(line)
    return lines


# --- threats --------------------------------------------------------------------------------------


def threats(board: Array, player: int, lines: list[Line]) -> Array:
    """A plane [H, W] with 1 on each empty cell that would complete four in a row for the player.

    board [H, W]: 0 empty, 1 and 2 the stones of the two players. The cell may be out of reach yet.
    Allis (1988), chapter 3, calls such a cell an odd or an even threat by its row.
    """
    plane = np.zeros_like(board)
    for line in lines:
        stones = [board[cell] for cell in line]
        if stones.count(player) == 3 and stones.count(0) == 1:
            plane[line[stones.index(0)]] = 1
    return plane


MISTAKES = {
    "colour": "three stones count whoever owns them: all three must be the player's",
    "blocked": "a cell with a stone of the opponent is marked: the fourth cell must be empty",
    "other": "these are the cells of the other player: count the stones of `player`",
    "line": "the whole line is marked: mark its empty cell alone",
    "count": "a cell that completes two lines has a 2: the plane says only where, so write 1",
    "player": "the number of the player stands in the plane: write 1, whoever it is",
    "first": "only the first line is noted: look at all lines, and return the plane after the loop",
}


def _plane(*cells: tuple[int, int]) -> Array:
    plane = np.zeros((4, 5), int)
    for cell in cells:
        plane[cell] = 1
    return plane


_LINES = lines_of_four(4, 5)
# The last column and a diagonal meet in (0, 4). In row 2 a stone of 2 blocks two lines.
_MEETING = Case(
    (np.array([[0, 0, 0, 0, 0], [0, 0, 0, 1, 1], [1, 1, 1, 2, 1], [2, 1, 2, 2, 1]]), 1, _LINES),
    Key(_plane((0, 4))),
    title="player 1 on a board of 4 rows; two lines meet in one cell",
)
# The first column and the bottom row, and in row 2 a threat of the other player.
_BOTH = Case(
    (np.array([[0, 0, 0, 0, 0], [2, 0, 0, 0, 0], [2, 1, 1, 1, 0], [2, 2, 2, 0, 1]]), 2, _LINES),
    Key(_plane((0, 0), (3, 3))),
    title="player 2 on a board of 4 rows; two cells, and one of player 1",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson("09b", "A laboratory", Blank(threats, (_MEETING, _BOTH), MISTAKES))

your_turn = LESSON.your_turn
