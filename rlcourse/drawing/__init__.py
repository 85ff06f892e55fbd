"""Positions as SVG: plain strings, the same for the same position, readable on light and dark pages.

Each game has a module of its name here, such as `go.py`, with `draw(state, marks)`.
A drawing knows a position by its public attributes only and carries its own light background;
there are no ids and no style sheets in it, so several can stand in one page.
"""

from typing import Any

from rlcourse.drawing.svg import Marks
from rlcourse.parts import part_of


def draw(state: Any, marks: Marks | None = None) -> str:
    """SVG of a position of any game of the course, with `marks` on top of it."""
    return part_of(__name__, state.game).draw(state, marks)
