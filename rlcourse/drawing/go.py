"""Go as SVG; see `svg.py`. Stones are black and white, which every reader can distinguish, on wood.

A ring marks the last move, an empty square a point forbidden by superko, and small filled squares
the area of a finished game. Below the board are the captured stones and the pass, which is an
action like a point. A live board also offers resigning, which is no action and has the number after
the pass.
"""

from itertools import product
from typing import Any

from rlcourse.drawing.svg import (
    BEST,
    COORDINATES,
    EDGE,
    INK,
    TILE,
    Marks,
    frame,
    halo,
    number_text,
    piece,
    square,
    tag,
    target,
    text,
)

_COLOURS = (INK, TILE)
STONES = (INK, "#E0D8C8")  # the latter is a white stone's edge, away from the light
_KAYA, _GRAIN = "#DFBC7F", "#CFA766"  # the wood of the board and its lines
_LEAST = 0.01  # a share below one per cent is not drawn


def _stone(player: int, x: float, y: float, pitch: float) -> str:
    """A stone with its shadow and the light on it: a spot on a black one, most of a white one."""
    r = 0.46 * pitch
    size, aside, light = ((0.3, 0.36, 0.2), (0.84, 0.08, 1))[player]
    return (
        tag("circle", cx=x + 0.05 * r, cy=y + 0.1 * r, r=r, fill=INK, opacity=0.3)
        + tag("circle", cx=x, cy=y, r=r, fill=STONES[player], stroke=INK, stroke_width=1.5)
        + tag(
            "circle", cx=x - aside * r, cy=y - aside * r, r=size * r, fill="#FFFFFF", opacity=light
        )
    )


def _wood(side: float) -> str:
    """The board without its grid."""
    box = {"x": 34, "y": 14, "width": side, "height": side, "rx": 6}
    grain = ""
    for k in range(1, 12):
        bend = side * (0.02 if k % 3 else -0.03)
        grain += f"M{34 + side * k / 12:.1f} 14q{bend:.1f} {side / 2:g} 0 {side:g}"
    lines = {"fill": "none", "stroke": _GRAIN, "stroke_width": 2, "opacity": 0.5}
    return tag("rect", **box, fill=_KAYA, stroke=EDGE) + tag("path", d=grain, **lines)


def _grid(xs: list[float], ys: list[float], pitch: float, letters: str, font: float) -> str:
    """The lines, the star points, and the names of columns and rows in this font size."""
    size, lines = len(xs), ""
    for x, y in zip(xs, ys, strict=True):
        lines += f"M{xs[0]:g} {y:g}H{xs[-1]:g}M{x:g} {ys[0]:g}V{ys[-1]:g}"
    stroke = {"stroke": COORDINATES, "stroke_width": 1, "fill": "none"}
    grid = tag("path", d=lines, **stroke, stroke_linecap="square")
    stars = _star_lines(size)
    for row, col in product(stars, stars):
        grid += tag("circle", cx=xs[col], cy=ys[row], r=3, fill=COORDINATES)
    if not font:
        return grid
    for letter, x in zip(letters, xs, strict=True):
        grid += text(x, ys[-1] + 0.5 * pitch + 15, letter, font, fill=COORDINATES)
    for row, y in enumerate(ys):
        grid += text(18, y, str(size - row), font, fill=COORDINATES)
    return grid


def _star_lines(size: int) -> list[int]:
    """The numbers of the lines with star points: on odd boards the middle, where it has room."""
    if size <= 6:
        return [size // 2] if size == 5 else []
    edge = 2 if size < 13 else 3
    lines = {edge, size - 1 - edge}
    if size % 2 and size > 7:
        lines.add(size // 2)
    return sorted(lines)


def _is_shown(number: float, marks: Marks) -> bool:
    return marks.scale == "value" or number >= _LEAST


def _number(action: int, x: float, y: float, pitch: float, marks: Marks) -> str:
    """The disc of an action that has a number, through which the grid is seen.

    There is none for a share below `_LEAST`, and no text on a board with small squares.
    """
    number = marks.numbers[action]
    if not _is_shown(number, marks):
        return ""
    place = {"cx": x, "cy": y, "r": 0.44 * pitch}
    tile = tag("circle", **place, fill=marks.colour(action), opacity=0.85)
    if action in marks.best:
        tile += tag("circle", **place, **BEST)
    if pitch >= 30:
        label = number_text(number, marks.scale)
        # A bold character is about 0.72 of the font size wide.
        size = min(0.3, 0.76 / (0.72 * len(label))) * pitch
        tile += text(x, y, label, size, font_weight=600)
    return tile


def _button(
    action: int, name: str, x: float, y: float, width: float, last: int | None, marks: Marks
) -> str:
    """A button, its left end at x, for a move that is no point of the board."""
    box = {"x": x, "y": y - 14, "width": width, "height": 28, "rx": 14}
    fill, label, number = marks.colour(action), name, marks.numbers.get(action)
    if number is not None and _is_shown(number, marks):
        label = f"{name} {number_text(number, marks.scale)}"
    if action == last or action in marks.picked:
        button = tag("rect", **box, fill=fill, stroke=INK, stroke_width=2.5)
    else:
        button = tag("rect", **box, fill=fill, stroke=EDGE, stroke_width=1)
    if action in marks.best or action == marks.hint:
        button += tag("rect", **box, **BEST)
    button += text(x + width / 2, y, label, 14, font_weight=600)
    if marks.targets is not None:
        button += target(action, name, tag("rect", **box, fill="transparent"), "", marks)
    return button


def _buttons(right: float, y: float, state: Any, last: int | None, marks: Marks) -> str:
    """The buttons for passing and resigning.

    The pass is drawn if it can be chosen, has a number, or was the last move; resigning only if it
    can be chosen.
    """
    passing, choice = len(state.board) ** 2, marks.targets is not None and not marks.watched
    buttons = ""
    counts = passing in marks.numbers and (
        not marks.bare or _is_shown(marks.numbers[passing], marks)
    )
    if choice or counts or last == passing:
        buttons += _button(passing, "pass", right - 84, y, 84, last, marks)
    if choice:
        buttons += _button(passing + 1, "resign", right - 158, y, 66, last, marks)
    return buttons


def _last_action(state: Any, marks: Marks) -> int | None:
    move = state.last_move
    if marks.last is not None or move is None or move.is_resign:
        return marks.last
    size = len(state.board)
    if move.point is None:
        return size * size
    return (size - move.point.row) * size + move.point.col - 1


def _names(state: Any) -> list[str]:
    """[H * W]: the names of the points such as C3, row by row from the top left."""
    rows = range(len(state.board), 0, -1)
    return [f"{letter}{row}" for row in rows for letter in state.columns]


def _spoken(state: Any) -> str:
    """The stones on the board and the captured stones, for a screen reader."""
    stones: dict[int, list[str]] = {0: [], 1: [], 2: []}
    for name, cell in zip(_names(state), state.board.ravel().tolist(), strict=True):
        stones[cell].append(name)
    black, white = ", ".join(stones[1]), ", ".join(stones[2])
    return f"Black: {black or 'no stone'}. White: {white or 'no stone'}. {_taken(state)}."


def _taken(state: Any) -> str:
    return f"Taken: {state.captured[0]} black, {state.captured[1]} white"


def draw(state: Any, marks: Marks | None = None) -> str:
    """SVG of a position of Go. The actions are the points from the top left, then the pass."""
    marks = marks or Marks()
    size, names = len(state.board), _names(state)
    pitch = max(26.0, min(68.0, 440 / size))
    xs, ys = ([start + pitch * (k + 0.5) for k in range(size)] for start in (34, 14))
    last = _last_action(state, marks)
    ko = {str(point) for point in state.forbidden_by_ko()}
    scored = state.is_over() and not (state.last_move and state.last_move.is_resign)
    area = state.area().ravel().tolist() if scored else [0] * size**2
    side = size * pitch
    grid = _grid(xs, ys, pitch, state.columns, marks.name_size)
    body, targets = [_wood(side), grid], []
    for action, cell in enumerate(state.board.ravel().tolist()):
        x, y = xs[action % size], ys[action // size]
        forbidden = names[action] in ko
        if cell:
            stone = _stone(cell - 1, x, y, pitch)
            if action == last:
                body.append(halo(x, y, 0.46 * pitch + 3, marks))
            body.append(piece("XO"[cell - 1], x, y, stone, marks, "appears"))
            if action == last:
                ring = {"fill": "none", "stroke": _COLOURS[2 - cell], "stroke_width": 2.5}
                body.append(tag("circle", cx=x, cy=y, r=0.25 * pitch, **ring))
        elif action in marks.numbers:
            body.append(_number(action, x, y, pitch, marks))
        elif area[action]:
            colour = _COLOURS[area[action] - 1]
            body.append(square(x, y, 0.14 * pitch, fill=colour, stroke=INK, stroke_width=1.5))
        elif forbidden:
            body.append(square(x, y, 0.14 * pitch, fill="none", stroke=INK, stroke_width=2))
        if action == marks.hint:
            hint = tag("g", _stone(state.next_player, x, y, pitch), opacity=0.5)
            body.append(hint + tag("circle", cx=x, cy=y, r=0.46 * pitch, **BEST))
        if marks.targets is not None:
            spoken = f"{names[action]}, {('empty', 'black', 'white')[cell]}"
            spoken += ", forbidden by superko" if forbidden else ""
            shape = square(x, y, pitch / 2, fill="transparent")
            ghost = _stone(state.next_player, x, y, pitch)
            targets.append(target(action, spoken, shape, ghost, marks))
    right, below, bottom = max(34 + side, 376.0), 14 + side + 46, 14 + side + 70
    if marks.bare:
        right, bottom = 34 + side, 14 + side + (32 if marks.named else 0)
        below = bottom + 22
    buttons = _buttons(right, below, state, last, marks)
    if marks.bare and buttons:
        bottom += 42
    if not marks.bare:
        body.append(text(34, below, _taken(state), 14, fill=COORDINATES, text_anchor="start"))
    return frame(
        right + (4 if marks.bare else 20),
        bottom,
        "".join(body + targets) + buttons,
        title=f"Go {size} x {size}: {state.verdict()}",
        description=_spoken(state),
        marks=marks,
        board=(34, 14, side, bottom - 14),
    )
