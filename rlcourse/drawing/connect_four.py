"""Connect Four as SVG."""

from typing import Any

from rlcourse.drawing.grid import coordinates, describe, rows_aloud, winning_cells
from rlcourse.drawing.svg import (
    BEST,
    EDGE,
    INK,
    PLAYER_COLOURS,
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
    """SVG of a Connect Four position. An action is a column, 0 to 6 from the left; its number stands where the stone lands."""
    marks = marks or Marks()
    board = [[int(cell) for cell in row] for row in state.board]
    won = winning_cells(board, 4)
    xs, ys = [68 + 66 * c for c in range(7)], [48 + 62 * r for r in range(6)]
    tops = [next((r for r in range(6) if board[r][c]), 6) for c in range(7)]
    panel = tag("rect", x=33, y=14, width=468, height=378, rx=14, fill=EDGE, fill_opacity=0.55)
    body, targets = [panel], []
    for c, x in enumerate(xs):
        landing = tops[c] - 1
        for r, y in enumerate(ys):
            stone, number = board[r][c], marks.numbers.get(c) if r == landing else None
            fill = TILE if number is None else number_colour(number, marks.scale)
            body.append(tag("circle", cx=x, cy=y, r=27, fill=fill, stroke=EDGE))
            if stone:
                body.append(tag("circle", cx=x, cy=y, r=24, fill=PLAYER_COLOURS[stone - 1]))
                body.append(symbol(stone - 1, x, y, 9, 5, TILE))
            elif number is not None:
                body.append(text(x, y, number_text(number, marks.scale), 15, font_weight=600))
                if c in marks.best:
                    body.append(tag("circle", cx=x, cy=y, r=24.5, **BEST))
            if (r, c) in won:
                body.append(
                    tag("circle", cx=x, cy=y, r=27, fill="none", stroke=INK, stroke_width=5)
                )
            elif c == marks.last and r == tops[c] and not won:
                body.append(
                    tag("circle", cx=x, cy=y, r=26, fill="none", stroke=INK, stroke_width=2.5)
                )
        if marks.targets is not None:
            stones = " ".join("?XO"[board[r][c]] for r in range(5, -1, -1) if board[r][c])
            spoken = f"column {'abcdefg'[c]}, " + (
                f"from the bottom {stones}" if stones else "empty"
            )
            spoken += ", full" if landing < 0 else ""
            shape = tag("rect", x=x - 32, y=17, width=64, height=372, rx=12, fill="transparent")
            where = ys[max(landing, 0)]
            ghost = tag("circle", cx=x, cy=where, r=24, fill=PLAYER_COLOURS[state.next_player])
            targets.append(target(c, spoken, shape, ghost, marks))
    edges = coordinates(xs, ys, 18, 408)
    return frame(
        516,
        424,
        edges + "".join(body + targets),
        title=f"Connect Four: {describe(state)}",
        description=rows_aloud(board),
        marks=marks,
    )
