"""Tic-tac-toe as SVG."""

from typing import Any

from rlcourse.drawing.grid import coordinates, describe, rows_aloud, winning_cells
from rlcourse.drawing.svg import (
    BEST,
    EDGE,
    INK,
    TILE,
    Marks,
    frame,
    number_colour,
    number_text,
    symbol,
    tag,
    target,
    text,
)


def draw(state: Any, marks: Marks | None = None) -> str:
    """SVG of a tic-tac-toe position. An action is a square, 0 to 8 from the top left."""
    marks = marks or Marks()
    board = [[int(cell) for cell in row] for row in state.board]
    won = winning_cells(board, 3)
    centre = [(82 + 104 * (a % 3), 64 + 104 * (a // 3)) for a in range(9)]
    body, targets = [], []
    for a, (x, y) in enumerate(centre):
        stone = board[a // 3][a % 3]
        name = f"{'abc'[a % 3]}{3 - a // 3}"
        fill = (
            TILE
            if stone or a not in marks.numbers
            else number_colour(marks.numbers[a], marks.scale)
        )
        box = {"x": x - 48, "y": y - 48, "width": 96, "height": 96, "rx": 12}
        body.append(tag("rect", **box, fill=fill, stroke=EDGE))
        if a == marks.last and not won:
            body.append(
                tag(
                    "rect",
                    x=x - 44,
                    y=y - 44,
                    width=88,
                    height=88,
                    rx=9,
                    fill="none",
                    stroke=INK,
                    stroke_width=2,
                )
            )
        if (a // 3, a % 3) in won:
            body.append(
                tag(
                    "rect",
                    x=x - 46,
                    y=y - 46,
                    width=92,
                    height=92,
                    rx=10,
                    fill="none",
                    stroke=INK,
                    stroke_width=5,
                )
            )
        if stone:
            body.append(symbol(stone - 1, x, y, 22, 11))
        elif a in marks.numbers:
            body.append(text(x, y, number_text(marks.numbers[a], marks.scale), 22, font_weight=600))
            if a in marks.best:
                body.append(tag("rect", x=x - 43, y=y - 43, width=86, height=86, rx=8, **BEST))
        if marks.targets is not None:
            spoken = f"{name}, {('empty', 'X', 'O')[stone]}"
            shape = tag("rect", **box, fill="transparent")
            targets.append(target(a, spoken, shape, symbol(state.next_player, x, y, 22, 11), marks))
    marks_on_edge = coordinates((82, 186, 290), (64, 168, 272), 19, 336)
    return frame(
        354,
        354,
        marks_on_edge + "".join(body + targets),
        title=f"Tic-tac-toe: {describe(state)}",
        description=rows_aloud(board),
        marks=marks,
    )
