"""Positions as SVG strings: deterministic, and readable on light and dark pages.

Each game has a module of its name here, such as `go.py`, with `draw(state, marks)`. A drawing uses
only the public attributes of a position and brings its own light background. It has no ids and no
style sheets, so one page can hold several.
"""

from typing import Any

from rlcourse.drawing.svg import Marks
from rlcourse.parts import part_of


def draw(state: Any, marks: Marks | None = None) -> str:
    """SVG of a position of any game of the course, with `marks` on top of it."""
    return part_of(__name__, state.game).draw(state, marks)
