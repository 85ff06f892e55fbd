"""Tic-tac-toe as SVG."""

from typing import Any

from rlcourse.drawing.grid import coordinates, describe, rows_aloud, strike, winning_lines
from rlcourse.drawing.svg import (
    BEST,
    EDGE,
    INK,
    TILE,
    Marks,
    frame,
    halo,
    number_text,
    piece,
    square,
    symbol,
    tag,
    target,
    text,
)


def draw(state: Any, marks: Marks | None = None) -> str:
    """SVG of a tic-tac-toe position. An action is a square, 0 to 8 from the top left."""
    marks = marks or Marks()
    board = [[int(cell) for cell in row] for row in state.board]
    lines = winning_lines(board, 3)
    won = {cell for line in lines for cell in line}
    centre = [(82 + 104 * (a % 3), 64 + 104 * (a // 3)) for a in range(9)]
    body, targets = [], []
    for a, (x, y) in enumerate(centre):
        stone, in_line = board[a // 3][a % 3], (a // 3, a % 3) in won
        body.append(_square(a, stone, x, y, marks))
        if in_line or (a == marks.last and not won):
            reach, rx, width = (46, 10, 5) if in_line else (44, 9, 2)
            body.append(square(x, y, reach, rx, fill="none", stroke=INK, stroke_width=width))
        if a == marks.last:
            body.append(halo(x, y, 38, marks))
        if stone:
            sign = symbol(stone - 1, x, y, 22, 11)
            body.append(piece("XO"[stone - 1], x, y, sign, marks, "appears"))
        elif a in marks.numbers:
            body.append(text(x, y, number_text(marks.numbers[a], marks.scale), 22, font_weight=600))
            if a in marks.best:
                body.append(square(x, y, 43, 8, **BEST))
        if a == marks.hint:
            sign = symbol(state.next_player, x, y, 22, 11)
            body.append(tag("g", sign, opacity=0.4) + square(x, y, 43, 8, **BEST))
        if marks.targets is not None:
            spoken = f"{'abc'[a % 3]}{3 - a // 3}, {('empty', 'X', 'O')[stone]}"
            shape = square(x, y, 48, 12, fill="transparent")
            targets.append(target(a, spoken, shape, symbol(state.next_player, x, y, 22, 11), marks))
    if marks.targets is not None:
        for (row, column), *_, (end_row, end_column) in lines:
            body.append(strike(*centre[3 * row + column], *centre[3 * end_row + end_column]))
    marks_on_edge = coordinates((82, 186, 290), (64, 168, 272), 19, 336, marks.name_size)
    return frame(
        354,
        354,
        marks_on_edge + "".join(body + targets),
        title=f"Tic-tac-toe: {describe(state)}",
        description=rows_aloud(board),
        marks=marks,
        board=(25, 7, 322, 322),
    )


def _square(action: int, stone: int, x: float, y: float, marks: Marks) -> str:
    """The tile of a square, coloured by its number if it is empty and has one."""
    fill = TILE if stone else marks.colour(action)
    return square(x, y, 48, 12, fill=fill, stroke=EDGE)
