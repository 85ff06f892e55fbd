"""The common parts of all drawings: colours, elements, the frame, and the marks on a position.

The players' colours are from Okabe and Ito (2008), and values run from violet to leaf green:
colour-blind readers can distinguish both pairs (a test simulates it). Shape and text repeat what
colour says. A live board (`Marks.targets`) has one element with `data-action` and a spoken name for
every action.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

BLUE, VERMILLION, SKY = "#0072B2", "#D55E00", "#56B4E9"  # Okabe and Ito
GOOD, BAD = "#4DAC26", "#B58BD6"  # +1 and -1
PLAYER_COLOURS = (BLUE, VERMILLION)  # first player, second player, in the whole course
WOOD, TILE, EDGE, INK, COORDINATES = "#EAD9B9", "#FDFAF3", "#CDB68C", "#26221C", "#55493A"
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
MINUS = "\N{MINUS SIGN}"
GLOW = "#F0B429"  # the opponent's last move, the winning line
Box = tuple[float, float, float, float]  # left, upper edge, width, height
BEST = {"fill": "none", "stroke": INK, "stroke_width": 2.5, "stroke_dasharray": "6 5"}


@dataclass(frozen=True)
class Marks:
    """The overlay of a position.

    numbers: a number for some actions; `scale` "value" means [-1, 1] for the player to move,
    "share" means [0, 1]. reach: the number with the full colour.
    best: the actions with the highest number, with a dashed outline.
    caption: the text below the board, one line or, without numbers, two.
    last: the action that led here. picked: the actions clicked so far in a move of several clicks.
    win: the probability in [0, 1] that the first player wins.
    targets: None for a picture; otherwise the board is live and these actions can be clicked.
    watched: a live board that replays a finished game, so that nothing can be chosen.
    glows: whether `last` is a bot's move, which a live board surrounds with light.
    hint: a suggested move, in the form of `last`.
    bare: a picture of the board alone: no title, no wood around it, and no names of its squares
    unless `named`.
    """

    numbers: Mapping[int, float] = field(default_factory=dict)
    scale: str = "value"
    reach: float = 1.0
    best: frozenset[Any] = frozenset()
    caption: str = ""
    last: Any = None
    picked: tuple[int, ...] = ()
    targets: frozenset[int] | None = None
    win: float | None = None
    watched: bool = False
    glows: bool = False
    hint: Any = None
    bare: bool = False
    named: bool = False

    def colour(self, action: int) -> str:
        """The colour of the action's number, that of an empty tile where it has none."""
        number = self.numbers.get(action)
        return TILE if number is None else number_colour(number / self.reach, self.scale)

    @property
    def name_size(self) -> int:
        """The font size of the names of the squares; 0 where they are not written.

        A bare picture is a small one among others, in which they are to be read as well.
        """
        if not self.bare:
            return 14
        return 20 if self.named else 0


def number_text(number: float, scale: str = "value") -> str:
    """A number of the overlay as text: +0.35, 0, a true minus sign; shares in per cent."""
    if scale == "share":
        percent = 100 * number
        return "<1%" if 0 < percent < 0.5 else f"{percent:.0f}%"
    rounded = round(number, 2)
    if rounded == round(rounded):
        return "0" if rounded == 0 else f"{rounded:+.0f}".replace("-", MINUS)
    return f"{rounded:+.2f}".replace("-", MINUS)


def true_minus(line: str) -> str:
    """The line with a minus sign in place of a hyphen before a number; not in 6-5 or bot-5x5."""
    return re.sub(r"(?<![\w.,)])-(?=[\d.])", MINUS, line)


def number_colour(number: float, scale: str = "value") -> str:
    """Violet (-1), the colour of an empty tile (0), leaf green (+1); shares end in sky blue (1)."""
    end = SKY if scale == "share" else (GOOD if number > 0 else BAD)
    # Among many moves even a large share is small: its square root uses the range of colours.
    weight = 0.85 * min(1.0, abs(number) ** (0.5 if scale == "share" else 1))
    colour = "#"
    for i in (1, 3, 5):
        low, high = int(TILE[i : i + 2], 16), int(end[i : i + 2], 16)
        colour += f"{round(low * (1 - weight) + high * weight):02X}"
    return colour


def tag(name: str, content: str = "", /, **attributes: Any) -> str:
    """One SVG element.

    `stroke_width` becomes `stroke-width`, `class_` becomes `class`. Floats have at most two
    decimals; attributes that are None are omitted.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is None:
            continue
        setting = str(value)
        if isinstance(value, float):
            setting = f"{value:.2f}".rstrip("0").rstrip(".")
        parts.append(f'{key.rstrip("_").replace("_", "-")}="{escape(setting)}"')
    return f"<{' '.join(parts)}>{content}</{name}>" if content else f"<{' '.join(parts)}/>"


def square(x: float, y: float, reach: float, rx: float | None = None, **attributes: Any) -> str:
    """A square centred at (x, y) with half side `reach` and corner radius `rx`."""
    side = 2 * reach
    return tag("rect", x=x - reach, y=y - reach, width=side, height=side, rx=rx, **attributes)


def text(x: float, y: float, line: str, size: float = 14, **attributes: Any) -> str:
    """One line of text, centred at y and, unless `text_anchor` is given, at x."""
    settings = {"fill": INK, "text_anchor": "middle", "font_size": size, **attributes}
    return tag("text", escape(true_minus(line)), x=x, y=y + 0.35 * size, **settings)


class Drawing:
    """An SVG, and the plain text that stands for it."""

    def __init__(self, svg: str, plain_text: str) -> None:
        self.svg, self.plain_text = svg, plain_text

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"image/svg+xml": self.svg, "text/plain": self.plain_text}, {}

    def __repr__(self) -> str:
        return self.plain_text


def frame(
    width: float,
    height: float,
    body: str,
    *,
    title: str,
    description: str,
    marks: Marks,
    board: Box | None = None,
) -> str:
    """The outer element: background, spoken name, caption and colour scale below the board.

    A picture also shows `title` below the board; the page of a live board has a status line for it.
    board: the part without the names of the squares, which is all that a bare picture shows.
    """
    live = marks.targets is not None
    spoken = "" if live else tag("title", escape(title)) + tag("desc", escape(description))
    if marks.bare:
        shown = (0, 0, width, height) if marks.named or board is None else board
        x, y, width, height = shown
        wood = tag("rect", x=x, y=y, width=width, height=height, rx=16, fill=WOOD)
        return _outer(spoken + wood + body, shown, 0.8, title, live=live)
    lines = []
    if not live:
        size = fitting(title, 15, width, bold=True)
        lines.append(text(width / 2, height + 8, title, size, font_weight=600))
    y = height + 8 + 24 * len(lines)
    if marks.caption:
        for k, line in enumerate(marks.caption.split("\n")):
            size = fitting(line, 13, width)
            lines.append(text(width / 2, y + 22 * k, line, size, fill=COORDINATES))
        if marks.numbers:
            lines.append(legend(width / 2, y + 22, marks.scale))
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
    whole = spoken + background + body + "".join(lines)
    return _outer(whole, (0, 0, width, total), 1 if live else 0.8, title, live=live)


def card(width: float, height: float, *parts: str, plain_text: str, label: str) -> Drawing:
    """A drawing on a light ground of its own, which can be read on a dark page as well.

    One that is wider than COLUMN is shown smaller. label: what a screen reader says of it.
    """
    zoom = min(1.0, COLUMN / width)
    svg = tag(
        "svg",
        tag("rect", width=width, height=height, rx=12, fill="#FFFFFF") + "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=zoom * width,
        height=zoom * height,
        font_family=FONT,
        role="img",
        aria_label=label,
    )
    return Drawing(svg, plain_text)


def _outer(content: str, shown: Box, zoom: float, title: str, *, live: bool) -> str:
    """The SVG element that shows this box of its content."""
    return tag(
        "svg",
        content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(f"{number:g}" for number in shown),
        width=f"{zoom * shown[2]:g}",
        height=f"{zoom * shown[3]:g}",
        font_family=FONT,
        role="group" if live else "img",
        aria_label=title,
    )


def size_of(drawing: str) -> tuple[float, float]:
    """Width and height of a drawing made by `frame`, in its own units."""
    box = re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)"', drawing)
    assert box is not None
    return float(box[1]), float(box[2])


def placed(drawing: str, x: float, y: float, width: float, height: float) -> str:
    """The drawing inside another: an SVG is placed and scaled by its attributes."""
    box = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    size = r'<svg ([^>]*?) width="[^"]*" height="[^"]*"'
    return re.sub(size, rf"<svg \1 {box}", drawing, count=1)


def fitting(line: str, size: float, width: float, *, bold: bool = False) -> float:
    """The largest font size up to `size` at which a line of text stays within `width`."""
    share = 0.58 if bold else 0.54  # the width of a character in font sizes
    return min(size, (width - 16) / (share * max(1, len(line))))


LEGEND = 270  # the width of a legend
COLUMN = 840  # CSS pixels that a cell of JupyterLab has in a window of 1280, files beside it


def legend(x: float, y: float, scale: str, reach: float = 1.0) -> str:
    """The colour scale with labelled ends, centred at x. reach: the number with the full colour."""
    low, high = ("0%", "100%") if scale == "share" else (f"{MINUS}1 loses", "+1 wins")
    if reach < 1:
        high = f"{number_text(reach, scale)} or more"
        low = low if scale == "share" else f"{number_text(-reach)} or less"
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
        left, right = f"{x - reach:g}", f"{x + reach:g}"
        top, bottom = f"{y - reach:g}", f"{y + reach:g}"
        strokes = f"M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}"
        return tag("path", d=strokes, **style)
    return tag("circle", cx=x, cy=y, r=1.12 * reach, **style)


def piece(name: str, x: float, y: float, shape: str, marks: Marks, motion: str) -> str:
    """A piece at (x, y), which the page of a live board moves there; in a picture its shape alone.

    motion: what it does when it comes: "appears", "drops" from above, "rolls", or "slides" from
    where a piece of the same name has left.
    """
    if marks.targets is None:
        return shape
    return tag("g", shape, class_=f"rl-{motion}", data_piece=f"{name} {x:g} {y:g}")


def halo(x: float, y: float, reach: float, marks: Marks) -> str:
    """The light around a bot's last move on a live board."""
    if marks.targets is None or not marks.glows:
        return ""
    ring = {"fill": "none", "stroke": GLOW, "stroke_width": 7}
    return tag("circle", cx=x, cy=y, r=reach, class_="rl-glow", **ring)


def target(action: int, name: str, shape: str, ghost: str, marks: Marks) -> str:
    """The clickable element of `action`.

    `shape` takes the pointer and the focus ring; `ghost` is visible while the pointer is over it.
    """
    enabled = action in (marks.targets or ())
    if action in marks.numbers:
        kind = "value" if marks.scale == "value" else "share"
        name += f", {kind} {number_text(marks.numbers[action], marks.scale)}"
    if action == marks.hint:
        name += ", suggested"
    preview = tag("g", ghost, class_="rl-ghost", opacity=0) if enabled else ""
    return tag(
        "g",
        preview + shape,
        data_action=action,
        role="button",
        aria_label=name,
        aria_disabled=None if enabled else "true",
        aria_pressed="true" if action in marks.picked else None,
    )
