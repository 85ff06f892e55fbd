"""Positions of Go as SVG; see `svg.py`. Stones are black and white, which every reader can tell apart.

A ring marks the last move, an empty square a point that superko forbids, small filled squares the area of a finished game.
Below the board stand the stones taken so far and the pass, which is an action like a point; on a live board also resigning,
which is none and has the number after the pass.
"""

from typing import Any

from rlcourse.drawing.svg import (
    BEST,
    COORDINATES,
    EDGE,
    INK,
    TILE,
    Marks,
    frame,
    number_colour,
    number_text,
    square,
    tag,
    target,
    text,
)

_COLOURS = (INK, TILE)


def _stone(player: int, x: float, y: float, pitch: float) -> str:
    return tag(
        "circle", cx=x, cy=y, r=0.46 * pitch, fill=_COLOURS[player], stroke=INK, stroke_width=1.5
    )


def _grid(xs: list[float], ys: list[float], pitch: float, letters: str) -> str:
    """The lines, the star points, and the names of columns and rows."""
    size, lines = len(xs), ""
    for x, y in zip(xs, ys, strict=True):
        lines += f"M{xs[0]:g} {y:g}H{xs[-1]:g}M{x:g} {ys[0]:g}V{ys[-1]:g}"
    parts = [
        tag(
            "path",
            d=lines,
            stroke=COORDINATES,
            stroke_width=1,
            fill="none",
            stroke_linecap="square",
        )
    ]
    edge = 2 if size < 13 else 3
    stars = {edge, size - 1 - edge} | ({size // 2} if size % 2 else set()) if size > 6 else set()
    parts += [
        tag("circle", cx=xs[c], cy=ys[r], r=3, fill=COORDINATES)
        for r in sorted(stars)
        for c in sorted(stars)
    ]
    parts += [
        text(x, ys[-1] + 0.5 * pitch + 15, letters[c], 14, fill=COORDINATES)
        for c, x in enumerate(xs)
    ]
    parts += [text(20, y, str(size - r), 14, fill=COORDINATES) for r, y in enumerate(ys)]
    return "".join(parts)


def _number(action: int, x: float, y: float, pitch: float, marks: Marks) -> str:
    """The tile of an action that has a number. Shares that round to nothing, and all on crowded boards, are colour alone."""
    number = marks.numbers[action]
    reach, rx = 0.44 * pitch, 0.16 * pitch
    drawn = square(x, y, reach, rx, fill=number_colour(number, marks.scale), stroke=EDGE)
    if action in marks.best:
        drawn += square(x, y, reach, rx, **BEST)
    if pitch >= 30 and (marks.scale == "value" or number >= 0.005):
        words = number_text(
            number, marks.scale
        )  # in bold, whose signs are some 0.72 of the font size wide
        drawn += text(x, y, words, min(0.3, 0.8 / (0.72 * len(words))) * pitch, font_weight=600)
    return drawn


def _button(
    action: int, words: str, x: float, y: float, width: float, last: int | None, marks: Marks
) -> str:
    """A button with its left end at x for what is no point of the board."""
    box = {"x": x, "y": y - 14, "width": width, "height": 28, "rx": 14}
    number = marks.numbers.get(action)
    fill = TILE if number is None else number_colour(number, marks.scale)
    shown = words if number is None else f"{words} {number_text(number, marks.scale)}"
    heavy = action == last or action in marks.picked
    drawn = tag(
        "rect", **box, fill=fill, stroke=INK if heavy else EDGE, stroke_width=2.5 if heavy else 1
    )
    drawn += tag("rect", **box, **BEST) if action in marks.best else ""
    drawn += text(x + width / 2, y, shown, 14, font_weight=600)
    return drawn + (
        ""
        if marks.targets is None
        else target(action, words, tag("rect", **box, fill="transparent"), "", marks)
    )


def _buttons(right: float, y: float, state: Any, last: int | None, marks: Marks) -> str:
    """The pass, shown where it can be chosen, has a number, or was the last move; where one can choose also resigning."""
    action, choice = len(state.board) ** 2, marks.targets is not None and not marks.watched
    drawn = ""
    if choice or action in marks.numbers or last == action:
        drawn = _button(action, "pass", right - 84, y, 84, last, marks)
    return drawn + (
        _button(action + 1, "resign", right - 158, y, 66, last, marks) if choice else ""
    )


def _last_action(state: Any, marks: Marks) -> int | None:
    move = state.last_move
    if marks.last is not None or move is None or move.is_resign:
        return marks.last
    size = len(state.board)
    return (
        size * size if move.point is None else (size - move.point.row) * size + move.point.col - 1
    )


def _names(state: Any) -> list[str]:
    """[H * W]: the points as players name them, row by row from the top left."""
    rows = range(len(state.board), 0, -1)
    return [f"{letter}{row}" for row in rows for letter in state.columns]


def _spoken(state: Any) -> str:
    """Where the stones stand, and what has been taken."""
    cells = state.board.ravel().tolist()
    places = [
        ", ".join(name for name, cell in zip(_names(state), cells, strict=True) if cell == colour)
        for colour in (1, 2)
    ]
    return f"Black: {places[0] or 'no stone'}. White: {places[1] or 'no stone'}. {_taken(state)}."


def _taken(state: Any) -> str:
    return f"Taken: {state.captured[0]} black, {state.captured[1]} white"


def draw(state: Any, marks: Marks | None = None) -> str:
    """SVG of a position of Go. An action is a point, row by row from the top left, then the pass."""
    marks = marks or Marks()
    size, cells, names = len(state.board), state.board.ravel().tolist(), _names(state)
    pitch = max(26.0, min(68.0, 440 / size))
    xs, ys = ([start + pitch * (k + 0.5) for k in range(size)] for start in (34, 14))
    last = _last_action(state, marks)
    ko = {(point.row, point.col) for point in state.forbidden_by_ko()}
    scored = state.is_over() and not (state.last_move and state.last_move.is_resign)
    area = state.area().ravel().tolist() if scored else [0] * size**2
    panel = tag(
        "rect", x=34, y=14, width=size * pitch, height=size * pitch, rx=6, fill=TILE, stroke=EDGE
    )
    body, targets = [panel, _grid(xs, ys, pitch, state.columns)], []
    for action, cell in enumerate(cells):
        x, y = xs[action % size], ys[action // size]
        forbidden = (size - action // size, action % size + 1) in ko
        if cell:
            body.append(_stone(cell - 1, x, y, pitch))
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
        if marks.targets is not None:
            spoken = f"{names[action]}, {('empty', 'black', 'white')[cell]}"
            spoken += ", forbidden by superko" if forbidden else ""
            shape = square(x, y, pitch / 2, fill="transparent")
            ghost = _stone(state.next_player, x, y, pitch)
            targets.append(target(action, spoken, shape, ghost, marks))
    below = ys[-1] + 0.5 * pitch + 46
    right = max(34 + size * pitch, 376.0)
    body.append(text(34, below, _taken(state), 14, fill=COORDINATES, text_anchor="start"))
    drawn = "".join(body + targets) + _buttons(right, below, state, last, marks)
    title = f"Go {size} x {size}: {state.verdict()}"
    return frame(
        right + 20, below + 24, drawn, title=title, description=_spoken(state), marks=marks
    )
