"""The common parts of tic-tac-toe and Connect Four: winning lines, coordinates, spoken text."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from rlcourse.drawing.svg import COORDINATES, GLOW, INK, tag, text

Cell = tuple[int, int]  # row, column


def winning_lines(board: Sequence[Sequence[int]], length: int) -> list[list[Cell]]:
    """Every line of `length` equal stones, as its cells from one end to the other."""
    height, width = len(board), len(board[0])
    winning: list[list[Cell]] = []
    for row, col in product(range(height), range(width)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(row + k * down, col + k * right) for k in range(length)]
            if not all(0 <= r < height and 0 <= c < width for r, c in line):
                continue
            stones = {board[r][c] for r, c in line}
            if len(stones) == 1 and stones != {0}:
                winning.append(line)
    return winning


def strike(x0: float, y0: float, x1: float, y1: float) -> str:
    """The stroke through a winning line of a live board."""
    style = {"d": f"M{x0:g} {y0:g}L{x1:g} {y1:g}", "fill": "none", "stroke_linecap": "round"}
    return "".join(
        tag("path", **style, stroke=colour, stroke_width=width, pathLength=1, class_="rl-won")
        for colour, width in ((INK, 11), (GLOW, 6))
    )


def describe(state: Any) -> str:
    """The player to move or the result, such as "X to move" or "O has won"."""
    if state.is_over():
        return {1: "X has won", -1: "O has won", 0: "A draw"}[state.winner()]
    return f"{'XO'[state.next_player]} to move"


def rows_aloud(board: Sequence[Sequence[int]]) -> str:
    """The board for a screen reader, row by row from the top."""
    sentences = []
    for r, row in enumerate(board):
        cells = ", ".join(("empty", "X", "O")[cell] for cell in row)
        sentences.append(f"Row {len(board) - r}: {cells}.")
    return " ".join(sentences)


def coordinates(
    xs: Iterable[float], ys: Iterable[float], x: float, y: float, size: float = 14
) -> str:
    """The letters of the columns at height y, the numbers of the rows at x; none of size 0."""
    if not size:
        return ""
    labels = []
    for column_x, letter in zip(xs, "abcdefg", strict=False):
        labels.append(text(column_x, y, letter, size, fill=COORDINATES))
    row_ys = list(ys)
    for row, row_y in enumerate(row_ys):
        labels.append(text(x, row_y, str(len(row_ys) - row), size, fill=COORDINATES))
    return "".join(labels)
