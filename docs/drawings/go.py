"""Drawings for Go: a board with stones, and the planes that a network reads."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from docs.drawings.parts import SIZE, arrow, label, sheet, tag
from rlcourse.drawing.svg import COORDINATES, EDGE, INK, TILE, WOOD, text
from rlcourse.encoders import get_encoder_by_name
from rlcourse.games import from_recipe, get_game

ON_WOOD = {"stroke": INK}
STONES = (INK, TILE)  # of Black and of White, on a light page and on a dark one
# Black has just captured at C3; White moves and must not play there.
KO = "go size=5 komi=7.5:C4 D4 B3 E3 C2 D2 A1 C3 D3"


def goban(board: Any, left: float, top: float, pitch: float) -> str:
    """A board of Go with its stones; left, top: the corner of its box, which is 5 pitches wide."""
    return wood(len(board), left, top, pitch) + stones(board, left, top, pitch)


def wood(size: int, left: float, top: float, pitch: float) -> str:
    """An empty board of `size` x `size` points."""
    side = size * pitch
    body = tag("rect", x=left, y=top, width=side, height=side, rx=8, fill=WOOD, stroke=EDGE)
    path = ""
    for k in range(size):
        step = (k + 0.5) * pitch
        path += f"M{left + pitch / 2:g} {top + step:g}h{side - pitch:g}"
        path += f"M{left + step:g} {top + pitch / 2:g}v{side - pitch:g}"
    return body + tag("path", d=path, stroke=COORDINATES, fill="none")


def point(action: int, left: float, top: float, pitch: float, size: int = 5) -> tuple[float, float]:
    """Where the point of an action lies on such a board."""
    row, col = divmod(action, size)
    return left + (col + 0.5) * pitch, top + (row + 0.5) * pitch


def stones(
    board: Any, left: float, top: float, pitch: float, edge: Mapping[str, str] = ON_WOOD
) -> str:
    """The stones alone. board [H, W]: 1 for a black stone, 2 for a white one."""
    body = ""
    for action in np.flatnonzero(board):
        x, y = point(int(action), left, top, pitch, len(board))
        fill = STONES[np.ravel(board)[action] - 1]
        body += tag("circle", cx=x, cy=y, r=0.46 * pitch, fill=fill, **edge, stroke_width=1.5)
    return body


def planes() -> str:
    """A position, and the eleven planes of the simple encoder."""
    position = from_recipe(KO)
    encoded = get_encoder_by_name("simple", get_game("go")).encode(position)
    body = [goban(position.board, 10, 84, 28), label(80, 62, "White to move")]
    body.append(arrow((158, 154), (196, 154)))
    columns = [242 + 74 * k for k in range(4)]
    for first, owner in ((0, "own stones"), (4, "opponent's stones")):
        y = 62 + 29 * first
        body.append(label(210, y - 46, f"{owner}, liberties:", anchor="start", bold=True))
        body += _row(encoded[first : first + 4], columns, y, ("1", "2", "3", "4 or more"))
    names = ("Black\nmoves", "White\nmoves", "ko")
    body += _row(encoded[8:], columns, 278, names)
    return sheet(
        348,
        "".join(body),
        title="A position of Go as eleven planes",
        description=(
            "A board of 5 by 5 with a ko, White to move. Beside it eleven planes of 5 by 5 cells; "
            "a cell is filled where the answer is yes. Four planes show White's stones in chains "
            "with one, two, three, and four or more liberties, four show Black's. The plane "
            "'Black moves' is empty, 'White moves' is full, and 'ko' has one filled cell, C3."
        ),
    )


PLIES = ("C3", "D3", "D4", "C4", "D2", "B3", "C2")  # the game in `amaf`; Black begins


def amaf() -> str:
    """A random game, and the points that it counts for by all moves as first."""
    labels = get_game("go").labels
    actions = [labels.index(name) for name in PLIES]
    board = np.zeros((5, 5), int)
    for ply, action in enumerate(actions):
        board.flat[action] = 1 + ply % 2
    left, top, pitch = 10, 12, 42
    body = [goban(board, left, top, pitch)]
    for ply, action in enumerate(actions):
        x, y = point(action, left, top, pitch)
        body.append(text(x, y, str(ply), SIZE, fill=STONES[1 - ply % 2]))
        if ply % 2 == 0:
            body.append(
                tag("circle", cx=x, cy=y, r=20, fill="none", class_="s-first", stroke_width=4)
            )
    ours, theirs = ", ".join(PLIES[::2]), ", ".join(PLIES[1::2])
    for y, line, bold in (
        (36, "Black has won this game.", False),
        (84, "Own games:", True),
        (108, f"+1 for {PLIES[0]} alone", False),
        (146, "All moves as first:", True),
        (170, f"+1 for {ours}", False),
        (208, f"nothing for White's {theirs}", False),
    ):
        body.append(label(244, y, line, anchor="start", bold=bold))
    return sheet(
        234,
        "".join(body),
        title="One random game, counted in two ways",
        description=(
            "A board of 5 by 5 with seven stones, which carry their plies 0 to 6. Black played "
            f"{ours} and White {theirs}, and Black won. Among own games it counts for "
            f"{PLIES[0]} alone, by all moves as first for Black's four points, which have a ring."
        ),
    )


def _row(
    drawn: Iterable[np.ndarray], columns: Iterable[float], y: float, names: Iterable[str]
) -> list[str]:
    """Planes side by side, centred at y, with their names below."""
    body = []
    for plane, x, name in zip(drawn, columns, names, strict=False):
        body += [_plane(plane, x, y), label(x, y + (50 if "\n" in name else 42), name)]
    return body


def _plane(plane: np.ndarray, x: float, y: float) -> str:
    """A plane of 5 x 5 cells around (x, y)."""
    side, size = 11, len(plane)
    left, top = x - size * side / 2, y - size * side / 2
    edge = size * side
    body = tag("rect", x=left, y=top, width=edge, height=edge, class_="f-ground s-edge")
    for row, col in zip(*np.nonzero(plane), strict=True):
        place = {"x": left + int(col) * side, "y": top + int(row) * side}
        body += tag("rect", **place, width=side, height=side, class_="f-first")
    lines = "".join(
        f"M{left:g} {top + k * side:g}h{edge}M{left + k * side:g} {top:g}v{edge}"
        for k in range(1, size)
    )
    return body + tag("path", d=lines, fill="none", class_="s-edge")
