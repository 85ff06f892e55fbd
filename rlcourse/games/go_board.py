"""The vocabulary of the Go chapters, in plain Python: Player, Point, Move, Board, GoString, eyes.

Source: Pumperla & Ferguson (2019), ch. 3. Rows are numbered from 1 at the bottom, columns from 1
(A) at the left; the column letters skip I. The compiled rules are in `go_kernels.py`, and a test
compares the two.
"""

import re
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from rlcourse.games.game import IllegalMove

LETTERS = "ABCDEFGHJKLMNOPQRST"


class Player(IntEnum):
    """Black moves first. A Player equals the number 0 or 1 used in the rest of the course."""

    black = 0
    white = 1

    @property
    def other(self) -> "Player":
        """The opponent."""
        return Player(1 - self)


class Point(NamedTuple):
    """An intersection of the board: row 1 is the lowest, col 1 is A; `str` gives "C3"."""

    row: int
    col: int

    def neighbors(self) -> list["Point"]:
        """The four adjacent points; some of them may lie off the board."""
        row, col = self
        return [Point(row - 1, col), Point(row + 1, col), Point(row, col - 1), Point(row, col + 1)]

    def __str__(self) -> str:
        return f"{LETTERS[self.col - 1]}{self.row}"


class Move(NamedTuple):
    """A move: Move.play(point), Move.pass_turn() or Move.resign()."""

    point: Point | None = None
    is_pass: bool = False
    is_resign: bool = False

    @property
    def is_play(self) -> bool:
        """Whether the move places a stone."""
        return self.point is not None

    @classmethod
    def play(cls, point: Point) -> "Move":
        """Place a stone on `point`."""
        return cls(Point(*point))

    @classmethod
    def pass_turn(cls) -> "Move":
        """Pass."""
        return cls(is_pass=True)

    @classmethod
    def resign(cls) -> "Move":
        """Give up the game."""
        return cls(is_resign=True)

    @classmethod
    def from_text(cls, text: str) -> "Move":
        """The move written as "C3", "pass" or "resign" in any case. Raises IllegalMove."""
        word = text.strip().lower()
        if word in ("pass", "resign"):
            return cls(is_pass=word == "pass", is_resign=word == "resign")
        if not re.fullmatch("[a-hj-t](1[0-9]|[1-9])", word):
            raise IllegalMove(
                f"{text!r} is no move in Go; moves read C3 (letters leave out I), pass or resign"
            )
        return cls(Point(int(word[1:]), LETTERS.index(word[0].upper()) + 1))

    def __str__(self) -> str:
        return str(self.point) if self.is_play else ("pass" if self.is_pass else "resign")


class GoString(NamedTuple):
    """A group: connected stones of one colour and their liberties."""

    color: Player
    stones: frozenset[Point]
    liberties: frozenset[Point]


class Board(np.ndarray):
    """The stones [H, W] int8, the top row first: 0 empty, 1 black, 2 white.

    The methods of the book look stones up by Point.
    """

    @property
    def num_rows(self) -> int:
        """H."""
        return self.shape[0]

    @property
    def num_cols(self) -> int:
        """W."""
        return self.shape[1]

    def is_on_grid(self, point: Point) -> bool:
        """Whether the point lies on the board."""
        return 1 <= point[0] <= self.num_rows and 1 <= point[1] <= self.num_cols

    def get(self, point: Point) -> Player | None:
        """The owner of the stone on `point`, None if empty. Raises IndexError off the board."""
        if not self.is_on_grid(point):
            raise IndexError(
                f"row {point[0]}, column {point[1]} is not on a board of {self.num_rows} x "
                f"{self.num_cols}"
            )
        cell = int(self[self.num_rows - point[0], point[1] - 1])
        return Player(cell - 1) if cell else None

    def get_go_string(self, point: Point) -> GoString | None:
        """The group on `point`, None for an empty point."""
        color = self.get(point)
        if color is None:
            return None
        stones, liberties, frontier = set(), set(), [Point(*point)]
        while frontier:
            stone = frontier.pop()
            stones.add(stone)
            for neighbor in filter(self.is_on_grid, stone.neighbors()):
                if self.get(neighbor) is None:
                    liberties.add(neighbor)
                elif self.get(neighbor) == color and neighbor not in stones:
                    frontier.append(neighbor)
        return GoString(color, frozenset(stones), frozenset(liberties))


def is_point_an_eye(board: Board, point: Point, color: Player) -> bool:
    """Whether `point` is an eye of `color` by the book's rule of thumb (ch. 3.4).

    An eye is empty, all its neighbours are stones of `color`, and so are three of its four corners,
    or all existing corners on the edge of the board.
    """
    if board.get(point) is not None:
        return False
    neighbors = filter(board.is_on_grid, point.neighbors())
    if any(board.get(neighbor) != color for neighbor in neighbors):
        return False
    diagonal = [Point(point.row + up, point.col + right) for up in (-1, 1) for right in (-1, 1)]
    corners = [corner for corner in diagonal if board.is_on_grid(corner)]
    friendly = sum(board.get(corner) == color for corner in corners)
    return friendly >= 3 if len(corners) == 4 else friendly == len(corners)
