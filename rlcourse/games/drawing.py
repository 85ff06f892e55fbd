"""Positions as SVG: plain strings, the same for the same position, readable on light and dark pages.

Players have colours of Okabe and Ito (2008), values go from violet to leaf green: pairs that colour-blind readers can tell
apart (a test simulates it). Shape and text always say the same as colour. Each drawing carries its own light background.
There are no ids and no style sheets in it, so several can stand in one page. A live board (`Marks.targets`) makes one
element with `data-action` and a spoken name for every action.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

BLUE, VERMILLION, SKY = "#0072B2", "#D55E00", "#56B4E9"  # Okabe and Ito
GOOD, BAD = "#4DAC26", "#B58BD6"  # +1 and -1
PLAYER_COLOURS = (BLUE, VERMILLION)  # first player, second player, in the whole course
WOOD, TILE, EDGE, INK, COORDINATES = "#EAD9B9", "#FDFAF3", "#CDB68C", "#26221C", "#55493A"
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
MINUS = "\N{MINUS SIGN}"
_BEST = {"fill": "none", "stroke": INK, "stroke_width": 2.5, "stroke_dasharray": "6 5"}


@dataclass(frozen=True)
class Marks:
    """What is drawn on top of a position.

    numbers: one for each action that has one; `scale` "value" means [-1, 1] for the player to move, "share" [0, 1].
    best: the actions with the highest number, outlined by dashes. caption: below the board, one line or, without numbers, two.
    last: the action that led here. picked: actions clicked so far in a move of several clicks. win: the probability, in
    [0, 1], that the first player wins.
    targets: None for a picture; otherwise the board is live and these actions can be clicked (the others say why not).
    watched: a live board on which a finished game is stepped through: nothing can be chosen.
    """

    numbers: Mapping[int, float] = field(default_factory=dict)
    scale: str = "value"
    best: frozenset[Any] = frozenset()
    caption: str = ""
    last: Any = None
    picked: tuple[int, ...] = ()
    targets: frozenset[int] | None = None
    win: float | None = None
    watched: bool = False


def number_text(number: float, scale: str = "value") -> str:
    """A number of the overlay as people read it: +0.35, 0, a real minus sign; shares in per cent."""
    if scale == "share":
        percent = 100 * number
        return "<1%" if 0 < percent < 0.5 else f"{percent:.0f}%"
    rounded = round(number, 2)
    if rounded == round(rounded):
        return "0" if rounded == 0 else f"{rounded:+.0f}".replace("-", MINUS)
    return f"{rounded:+.2f}".replace("-", MINUS)


def number_colour(number: float, scale: str = "value") -> str:
    """Violet (-1) over the colour of an empty tile (0) to leaf green (+1); shares from the tile (0) to sky blue
    (1), by the square root, because among many moves even a large share is small."""
    end = SKY if scale == "share" else (GOOD if number > 0 else BAD)
    weight = 0.85 * min(1.0, abs(number) ** (0.5 if scale == "share" else 1))
    mixed = [
        round(int(TILE[i : i + 2], 16) * (1 - weight) + int(end[i : i + 2], 16) * weight)
        for i in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02X}" for part in mixed)


def tag(name: str, content: str = "", /, **attributes: Any) -> str:
    """One SVG element. `stroke_width` becomes `stroke-width`, `class_` is `class`; at most two decimals; None is left out."""
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            shown = (
                f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
            )
            parts.append(f'{key.rstrip("_").replace("_", "-")}="{escape(shown)}"')
    return f"<{' '.join(parts)}>{content}</{name}>" if content else f"<{' '.join(parts)}/>"


def text(x: float, y: float, words: str, size: float = 14, **attributes: Any) -> str:
    """One line of text, centred at x (unless `text_anchor` says otherwise), its middle at y."""
    settings = {"fill": INK, "text_anchor": "middle", "font_size": size, **attributes}
    return tag("text", escape(words), x=x, y=y + 0.35 * size, **settings)


def frame(
    width: float, height: float, body: str, *, title: str, description: str, marks: Marks
) -> str:
    """The outer element: wooden background, a spoken name, and below the board the caption with its colour scale.

    A picture also shows `title` below the board; a live board leaves that to the status line of its page.
    """
    lines = (
        []
        if marks.targets is not None
        else [text(width / 2, height + 8, title, 15, font_weight=600)]
    )
    y = height + 8 + 24 * len(lines)
    if marks.caption:
        words = marks.caption.split("\n")
        lines += [
            text(width / 2, y + 22 * k, line, fitting(line, 13, width), fill=COORDINATES)
            for k, line in enumerate(words)
        ]
        if marks.numbers:
            lines += [legend(width / 2, y + 22, marks.scale)]
        y += 46  # the same height with and without numbers: the board does not jump
    total = y if lines else height
    background = tag(
        "rect",
        x=1,
        y=1,
        width=width - 2,
        height=total - 2,
        rx=16,
        fill=WOOD,
        stroke=EDGE,
        stroke_width=2,
    )
    live = marks.targets is not None
    spoken = "" if live else tag("title", escape(title)) + tag("desc", escape(description))
    return tag(
        "svg",
        spoken + background + body + "".join(lines),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {total:g}",
        width=f"{(1 if live else 0.8) * width:g}",
        height=f"{(1 if live else 0.8) * total:g}",
        font_family=FONT,
        role="group" if live else "img",
        aria_label=title,
    )


def fitting(words: str, size: float, width: float) -> float:
    """The font size, at most `size`, at which a line of text stays within `width`."""
    return min(size, (width - 16) / (0.54 * max(1, len(words))))


def legend(x: float, y: float, scale: str) -> str:
    """The colour scale with its ends named, centred at x."""
    low, high = ("0%", "100%") if scale == "share" else (f"{MINUS}1 loses", "+1 wins")
    numbers = [i / 8 if scale == "share" else i / 4 - 1 for i in range(9)]
    steps = "".join(
        tag(
            "rect",
            x=x - 72 + 16 * i,
            y=y - 6,
            width=16,
            height=12,
            fill=number_colour(number, scale),
        )
        for i, number in enumerate(numbers)
    )
    outline = tag("rect", x=x - 72, y=y - 6, width=144, height=12, fill="none", stroke=COORDINATES)
    left = text(x - 80, y, low, 12, fill=COORDINATES, text_anchor="end")
    return steps + outline + left + text(x + 80, y, high, 12, fill=COORDINATES, text_anchor="start")


def symbol(
    player: int, x: float, y: float, reach: float, stroke: float, colour: str | None = None
) -> str:
    """X of the first player or O of the second, centred at (x, y)."""
    style = {
        "fill": "none",
        "stroke": colour or PLAYER_COLOURS[player],
        "stroke_width": stroke,
        "stroke_linecap": "round",
    }
    if player == 0:
        low_x, high_x, low_y, high_y = (
            f"{value:g}" for value in (x - reach, x + reach, y - reach, y + reach)
        )
        return tag(
            "path",
            d=f"M{low_x} {low_y}L{high_x} {high_y}M{low_x} {high_y}L{high_x} {low_y}",
            **style,
        )
    return tag("circle", cx=x, cy=y, r=1.12 * reach, **style)


def target(action: int, name: str, shape: str, ghost: str, marks: Marks) -> str:
    """The element that is clicked for `action`: `shape` takes the pointer and the focus ring, `ghost` shows on hover."""
    ready = action in (marks.targets or ())
    if action in marks.numbers:
        name += (
            ", "
            + ("value " if marks.scale == "value" else "share ")
            + number_text(marks.numbers[action], marks.scale)
        )
    preview = tag("g", ghost, class_="rl-ghost", opacity=0) if ready else ""
    return tag(
        "g",
        preview + shape,
        data_action=action,
        role="button",
        aria_label=name,
        aria_disabled=None if ready else "true",
        aria_pressed="true" if action in marks.picked else None,
    )


def winning_cells(board: Sequence[Sequence[int]], length: int) -> list[tuple[int, int]]:
    """The cells (row, column) of every line of `length` or more equal stones, in reading order."""
    height, width = len(board), len(board[0])
    found: set[tuple[int, int]] = set()
    for row in range(height):
        for col in range(width):
            for drow, dcol in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + k * drow, col + k * dcol) for k in range(length)]
                inside = all(0 <= r < height and 0 <= c < width for r, c in line)
                if inside and board[row][col] and len({board[r][c] for r, c in line}) == 1:
                    found.update(line)
    return sorted(found)


def describe(state: Any) -> str:
    """Who moves, or how the game ended, in a few words."""
    if state.is_over():
        return {1: "X has won", -1: "O has won", 0: "A draw"}[state.winner()]
    return f"{'XO'[state.next_player]} to move"


def _rows_aloud(board: Sequence[Sequence[int]]) -> str:
    words = ("empty", "X", "O")
    return " ".join(
        f"Row {len(board) - r}: {', '.join(words[c] for c in row)}." for r, row in enumerate(board)
    )


def _coordinates(xs: Iterable[float], ys: Iterable[float], x: float, y: float) -> str:
    files = [
        text(at, y, letter, 14, fill=COORDINATES) for at, letter in zip(xs, "abcdefg", strict=False)
    ]
    places = list(ys)
    ranks = [
        text(x, at, str(len(places) - row), 14, fill=COORDINATES) for row, at in enumerate(places)
    ]
    return "".join(files + ranks)


def draw_tictactoe(state: Any, marks: Marks | None = None) -> str:
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
                body.append(tag("rect", x=x - 43, y=y - 43, width=86, height=86, rx=8, **_BEST))
        if marks.targets is not None:
            spoken = f"{name}, {('empty', 'X', 'O')[stone]}"
            shape = tag("rect", **box, fill="transparent")
            targets.append(target(a, spoken, shape, symbol(state.next_player, x, y, 22, 11), marks))
    marks_on_edge = _coordinates((82, 186, 290), (64, 168, 272), 19, 336)
    return frame(
        354,
        354,
        marks_on_edge + "".join(body + targets),
        title=f"Tic-tac-toe: {describe(state)}",
        description=_rows_aloud(board),
        marks=marks,
    )


def draw_connect_four(state: Any, marks: Marks | None = None) -> str:
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
                    body.append(tag("circle", cx=x, cy=y, r=24.5, **_BEST))
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
    edges = _coordinates(xs, ys, 18, 408)
    return frame(
        516,
        424,
        edges + "".join(body + targets),
        title=f"Connect Four: {describe(state)}",
        description=_rows_aloud(board),
        marks=marks,
    )
