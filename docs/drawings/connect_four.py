"""Drawings for Connect Four: a board, and the planes that show a network where threats are."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from docs.drawings.parts import arrow, label, sheet, tag
from rlcourse.drawing.svg import BEST, EDGE, PLAYER_COLOURS, TILE, number_colour, symbol
from rlcourse.encoders import get_encoder_by_name
from rlcourse.games import from_recipe, get_game

# O is to move. O would complete four at c3, and X at c4, right above it.
SHOWN = "connect-four:......./......./...O.../...X.../XO.OXOX/OXOOXXX"
NAMES = ("own\nstones", "other's\nstones", "own\nfourth", "other's\nfourth")
MORE = ("own\npairs", "other's\npairs", "own\nrows")


def board(position: Any, left: float, top: float, pitch: float, policy: Any = None) -> str:
    """The 7 x 6 cells with their stones; the corner of the panel is at (left, top).

    policy [7]: tints the cells where a stone would land, and rings the likeliest.
    """
    cells = np.array(position.board)
    body = tag("rect", x=left, y=top, width=7 * pitch, height=6 * pitch, rx=8, fill=EDGE)
    heights = (cells == 0).sum(axis=0)  # the free cells of each column
    for (row, column), stone in np.ndenumerate(cells):
        x, y = left + pitch * (column + 0.5), top + pitch * (row + 0.5)
        lands = policy is not None and row == heights[column] - 1
        fill = number_colour(policy[column], "share") if lands else TILE
        body += tag("circle", cx=x, cy=y, r=0.44 * pitch, fill=fill)
        if stone:
            body += tag("circle", cx=x, cy=y, r=0.4 * pitch, fill=PLAYER_COLOURS[stone - 1])
            body += symbol(int(stone) - 1, x, y, 0.15 * pitch, 0.08 * pitch, TILE)
        elif lands and policy[column] == max(policy):
            body += tag("circle", cx=x, cy=y, r=0.4 * pitch, **BEST)
    return body


def threat_planes() -> str:
    """A position, and the seven planes of the encoder that shows threats."""
    position = from_recipe(SHOWN)
    planes = get_encoder_by_name("threats", get_game("connect-four")).encode(position)
    body = [board(position, 10, 76, 24), label(94, 56, "O to move")]
    body.append(arrow((184, 148), (214, 148)))
    body += _row(planes[:4], [262 + 72 * k for k in range(4)], 56, NAMES)
    body += _row(planes[4:], [262 + 72 * k for k in range(3)], 188, MORE)
    return sheet(
        276,
        "".join(body),
        title="A position of Connect Four as seven planes",
        description=DESCRIPTION,
    )


DESCRIPTION = (
    "A board of Connect Four with O to move, and beside it seven planes of 7 by 6 cells. Two show "
    "own stones and the other player's. Two show the empty cells that would complete four in a row "
    "for O and for X. Two show the empty cells of lines that have two stones of one player and "
    "none of the other. The last is filled in every second row from below."
)


def _row(
    planes: Iterable[np.ndarray], columns: Iterable[float], y: float, names: Iterable[str]
) -> list[str]:
    """Planes side by side, centred at y, with their names below."""
    body = []
    for plane, x, name in zip(planes, columns, names, strict=True):
        body += [_plane(plane, x, y), label(x, y + 50, name)]
    return body


def _plane(plane: np.ndarray, x: float, y: float) -> str:
    """A plane of 6 x 7 cells around (x, y)."""
    side, (rows, columns) = 9, plane.shape
    width, height = columns * side, rows * side
    left, top = x - width / 2, y - height / 2
    body = tag("rect", x=left, y=top, width=width, height=height, class_="f-ground s-edge")
    for row, column in zip(*np.nonzero(plane), strict=True):
        place = {"x": left + int(column) * side, "y": top + int(row) * side}
        body += tag("rect", **place, width=side, height=side, class_="f-first")
    path = "".join(f"M{left:g} {top + k * side:g}h{width}" for k in range(1, rows))
    path += "".join(f"M{left + k * side:g} {top:g}v{height}" for k in range(1, columns))
    return body + tag("path", d=path, fill="none", class_="s-edge")
