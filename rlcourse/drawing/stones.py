"""Boards that are arrays of numbers, as a picture and as text. Rows and columns count from 0."""

from typing import Any

import numpy as np

from rlcourse.drawing.svg import (
    COORDINATES,
    EDGE,
    INK,
    PLAYER_COLOURS,
    TILE,
    Marks,
    frame,
    square,
    symbol,
    text,
)

PITCH = 44  # from cell to cell
MARGIN = 40
MOST = 4  # boards that are drawn


class Stones:
    """One board [H, W] or several [B, H, W] of whole numbers.

    signs: the letter of each number from 0 on; of -1 it is the last one.
    """

    def __init__(self, boards: Any, signs: str = ".XO") -> None:
        cells = np.asarray(boards)
        self._boards = cells.reshape(-1, *cells.shape[-2:])[:MOST]
        self._signs = signs

    def __str__(self) -> str:
        return "\n\n".join("\n".join(self._rows(board)) for board in self._boards)

    def _rows(self, board: np.ndarray) -> list[str]:
        return [" ".join(self._signs[cell] for cell in row) for row in board]

    def _repr_svg_(self) -> str:
        return "".join(map(self._drawn, self._boards))

    def _drawn(self, board: np.ndarray) -> str:
        height, width = board.shape
        body = [text(_at(col), 20, str(col), fill=COORDINATES) for col in range(width)]
        body += [text(20, _at(row), str(row), fill=COORDINATES) for row in range(height)]
        for (row, col), cell in np.ndenumerate(board):
            body.append(square(_at(col), _at(row), 20, 5, fill=TILE, stroke=EDGE))
            body.append(_stone(self._signs[cell], _at(col), _at(row)))
        return frame(
            MARGIN + width * PITCH + 8,
            MARGIN + height * PITCH + 8,
            "".join(body),
            title=f"A board of {height} x {width}",
            description=" ".join(
                f"Row {number}: {row}." for number, row in enumerate(self._rows(board))
            ),
            marks=Marks(),
        )


def _at(number: int) -> float:
    """The middle of a row or column."""
    return MARGIN + (number + 0.5) * PITCH


def _stone(sign: str, x: float, y: float) -> str:
    """X and O as everywhere in the course; any other sign as it is written."""
    if sign in "XO":
        return symbol("XO".index(sign), x, y, 10, 5)
    if sign == ".":
        return ""
    colour = PLAYER_COLOURS[int(sign) - 1] if sign in "12" else INK
    return text(x, y, sign, 22, fill=colour, font_weight=600)
