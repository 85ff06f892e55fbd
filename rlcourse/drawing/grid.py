"""What the drawings of tic-tac-toe and Connect Four share: lines of stones, coordinates, words."""

from collections.abc import Iterable, Sequence
from typing import Any

from rlcourse.drawing.svg import COORDINATES, text


def winning_cells(board: Sequence[Sequence[int]], length: int) -> list[tuple[int, int]]:
    """The cells (row, column) of every line of `length` or more equal stones, in reading order."""
    height, width = len(board), len(board[0])
    found: set[tuple[int, int]] = set()
    for row in range(height):
        for col in range(width):
            for drow, dcol in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + k * drow, col + k * dcol) for k in range(length)]
                inside = all(0 <= r < height and 0 <= c < width for r, c in line)
                if inside and board[row][col] and len({board[r][c] for r, c in line}) == 1:
                    found.update(line)
    return sorted(found)


def describe(state: Any) -> str:
    """Who moves, or how the game ended, in a few words."""
    if state.is_over():
        return {1: "X has won", -1: "O has won", 0: "A draw"}[state.winner()]
    return f"{'XO'[state.next_player]} to move"


def rows_aloud(board: Sequence[Sequence[int]]) -> str:
    """The board for a screen reader, row by row from the top."""
    words = ("empty", "X", "O")
    return " ".join(
        f"Row {len(board) - r}: {', '.join(words[c] for c in row)}." for r, row in enumerate(board)
    )


def coordinates(xs: Iterable[float], ys: Iterable[float], x: float, y: float) -> str:
    """Letters of the columns at height y, numbers of the rows at x."""
    files = [
        text(at, y, letter, 14, fill=COORDINATES) for at, letter in zip(xs, "abcdefg", strict=False)
    ]
    places = list(ys)
    ranks = [
        text(x, at, str(len(places) - row), 14, fill=COORDINATES) for row, at in enumerate(places)
    ]
    return "".join(files + ranks)
