"""Connect Four as SVG."""

from typing import Any

from rlcourse.drawing.grid import coordinates, describe, rows_aloud, strike, winning_lines
from rlcourse.drawing.svg import (
    BEST,
    EDGE,
    INK,
    PLAYER_COLOURS,
    TILE,
    Marks,
    frame,
    halo,
    number_text,
    piece,
    symbol,
    tag,
    target,
    text,
)

XS, YS = [68 + 66 * column for column in range(7)], [48 + 62 * row for row in range(6)]


def draw(state: Any, marks: Marks | None = None) -> str:
    """SVG of a Connect Four position.

    An action is a column, 0 to 6 from the left; its number stands where the stone would land.
    """
    marks = marks or Marks()
    board = [[int(cell) for cell in row] for row in state.board]
    lines = winning_lines(board, 4)
    won = {cell for line in lines for cell in line}
    panel = tag("rect", x=33, y=14, width=468, height=378, rx=14, fill=EDGE, fill_opacity=0.55)
    cells, targets = [], []
    for column, x in enumerate(XS):
        top = next((row for row in range(6) if board[row][column]), 6)
        for row, y in enumerate(YS):
            number = marks.numbers.get(column) if row == top - 1 else None
            best = column in marks.best
            landed = column == marks.last and row == top
            fill = TILE if number is None else marks.colour(column)
            cells.append(tag("circle", cx=x, cy=y, r=27, fill=fill, stroke=EDGE))
            if landed:
                cells.append(halo(x, y, 29, marks))
            if stone := board[row][column]:
                cells.append(piece("XO"[stone - 1], x, y, _stone(x, y, stone), marks, "drops"))
            elif number is not None:
                cells.append(text(x, y, number_text(number, marks.scale), 15, font_weight=600))
                if best:
                    cells.append(tag("circle", cx=x, cy=y, r=24.5, **BEST))
            if column == marks.hint and row == top - 1:
                hint = _stone(x, y, state.next_player + 1)
                cells.append(
                    tag("g", hint, opacity=0.4) + tag("circle", cx=x, cy=y, r=24.5, **BEST)
                )
            if (row, column) in won:
                cells.append(_ring(x, y, 27, 5))
            elif landed and not won:
                cells.append(_ring(x, y, 26, 2.5))
        if marks.targets is not None:
            stones = [row[column] for row in board if row[column]]
            targets.append(_column_target(column, stones, state.next_player, marks))
    if marks.targets is not None:
        for (row, column), *_, (end_row, end_column) in lines:
            cells.append(strike(XS[column], YS[row], XS[end_column], YS[end_row]))
    return frame(
        516,
        424,
        coordinates(XS, YS, 18, 408, marks.name_size) + panel + "".join(cells + targets),
        title=f"Connect Four: {describe(state)}",
        description=rows_aloud(board),
        marks=marks,
        board=(33, 14, 468, 378),
    )


def _stone(x: float, y: float, stone: int) -> str:
    """The first player's stone (1) or the second's (2)."""
    disc = tag("circle", cx=x, cy=y, r=24, fill=PLAYER_COLOURS[stone - 1])
    return disc + symbol(stone - 1, x, y, 9, 5, TILE)


def _ring(x: float, y: float, radius: float, width: float) -> str:
    return tag("circle", cx=x, cy=y, r=radius, fill="none", stroke=INK, stroke_width=width)


def _column_target(column: int, stones: list[int], player: int, marks: Marks) -> str:
    """The clickable column of a live board. stones: from the top, 1 or 2 each."""
    x = XS[column]
    name = f"column {'abcdefg'[column]}, "
    if stones:
        name += "from the bottom " + " ".join("?XO"[stone] for stone in reversed(stones))
    else:
        name += "empty"
    if len(stones) == 6:
        name += ", full"
    shape = tag("rect", x=x - 32, y=17, width=64, height=372, rx=12, fill="transparent")
    landing_y = YS[max(5 - len(stones), 0)]
    ghost = tag("circle", cx=x, cy=landing_y, r=24, fill=PLAYER_COLOURS[player])
    return target(column, name, shape, ghost, marks)
