"""The parts of all drawings: labels, boxes, nodes, arrows, braces, and the sheet under them.

A drawing is WIDTH wide and has its own ground, light or dark as the reader's system asks, so that
it can be read on any page. Nothing in it has an id, so that a page can hold several.
"""

import re
from html import escape
from math import hypot
from typing import Any

from rlcourse.drawing.svg import BLUE, COORDINATES, EDGE, FONT, INK, TILE, VERMILLION, tag

WIDTH = 520
SIZE = 16  # of every label; a phone shows a drawing 360 px wide, and then a label has 11 px

# name: (on a light ground, on a dark one). "first" and "second" are the colours of the two players
# on the boards; the tints lie under labels.
COLOURS = {
    "ground": (TILE, "#1F2226"),
    "shade": ("#F5ECDB", "#2A2D31"),
    "box": ("#EFE2C8", "#3A3830"),
    "edge": (EDGE, "#8A7D62"),
    "ink": (INK, "#ECE7DD"),
    "soft": (COORDINATES, "#C5BEB1"),
    "first": (BLUE, "#6CB8EA"),
    "first-tint": ("#D3E6F2", "#1D3E55"),
    "second": (VERMILLION, "#F08A3C"),
    "second-tint": ("#FBE0CC", "#5A3214"),
    "good-tint": ("#D5EBCB", "#2C4A20"),
    "bad-tint": ("#EADFF3", "#4B3760"),
    "on": ("#FFFFFF", "#14171A"),  # a label on a shape that is filled with "first"
}


def label(
    x: float,
    y: float,
    line: str,
    *,
    colour: str = "ink",
    anchor: str = "middle",
    bold: bool = False,
    size: float = SIZE,
) -> str:
    """One or several lines of text (with line breaks), centred at y; x is their "start", "middle"
    or "end".
    """
    rows = line.split("\n")
    top = y - 0.6 * size * (len(rows) - 1)
    return "".join(
        tag(
            "text",
            escape(row),
            x=x,
            y=top + 1.2 * size * k + 0.35 * size,
            font_size=size,
            text_anchor=anchor,
            font_weight=600 if bold else None,
            class_=f"f-{colour}",
        )
        for k, row in enumerate(rows)
        if row
    )


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    line: str = "",
    *,
    fill: str = "box",
    stroke: str = "edge",
    **text: Any,
) -> str:
    """A rounded box centred at (x, y) with a label in it. text: of that label, such as bold."""
    shape = tag(
        "rect",
        x=x - width / 2,
        y=y - height / 2,
        width=width,
        height=height,
        rx=8,
        stroke_width=1.5,
        class_=f"f-{fill} s-{stroke}",
    )
    return shape + (label(x, y, line, **text) if line else "")


def titled(
    x: float, y: float, width: float, height: float, title: str, line: str, **look: str
) -> str:
    """A box with a bold first line."""
    rows = 1 + len(line.split("\n"))
    top = y - 0.6 * SIZE * (rows - 1)
    inside = label(x, top, title, bold=True) + label(x, y + 0.6 * SIZE, line)
    return box(x, y, width, height, **look) + inside


def state(
    x: float, y: float, line: str = "", *, r: float = 14, fill: str = "ground", stroke: str = "ink"
) -> str:
    """An open circle: a state."""
    circle = tag("circle", cx=x, cy=y, r=r, stroke_width=2, class_=f"f-{fill} s-{stroke}")
    return circle + (label(x, y, line) if line else "")


def action(x: float, y: float, *, r: float = 7, fill: str = "ink") -> str:
    """A filled dot: an action in a state."""
    return tag("circle", cx=x, cy=y, r=r, class_=f"f-{fill}")


def end(x: float, y: float, *, reach: float = 11, fill: str = "ink") -> str:
    """A filled square: the end of an episode."""
    return tag(
        "rect", x=x - reach, y=y - reach, width=2 * reach, height=2 * reach, class_=f"f-{fill}"
    )


def line(
    *points: tuple[float, float], colour: str = "ink", width: float = 2, dash: bool = False
) -> str:
    """A line through the points."""
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
    return tag(
        "path",
        d=path,
        fill="none",
        stroke_width=width,
        stroke_linejoin="round",
        stroke_dasharray="6 5" if dash else None,
        class_=f"s-{colour}",
    )


def arrow(
    *points: tuple[float, float],
    bend: float = 0,
    colour: str = "ink",
    width: float = 2,
    dash: bool = False,
) -> str:
    """A line through the points with a head at the last one.

    bend: how far the middle of an arrow between two points is moved to its left, seen along it.
    """
    (x, y), tip = points[0], points[-1]
    before = points[-2]
    if bend:
        length = hypot(tip[0] - x, tip[1] - y)
        across = (tip[1] - y) / length, (x - tip[0]) / length
        before = (x + tip[0]) / 2 + 2 * bend * across[0], (y + tip[1]) / 2 + 2 * bend * across[1]
    length = hypot(tip[0] - before[0], tip[1] - before[1])
    ahead = (tip[0] - before[0]) / length, (tip[1] - before[1]) / length
    neck = tip[0] - 9 * ahead[0], tip[1] - 9 * ahead[1]
    wings = [(neck[0] - side * 5 * ahead[1], neck[1] + side * 5 * ahead[0]) for side in (1, -1)]
    if bend:
        curve = f"M{x:.4g} {y:.4g}Q{before[0]:.4g} {before[1]:.4g} {neck[0]:.4g} {neck[1]:.4g}"
        shaft = tag(
            "path",
            d=curve,
            fill="none",
            stroke_width=width,
            stroke_dasharray="6 5" if dash else None,
            class_=f"s-{colour}",
        )
    else:
        shaft = line(
            *points[:-1],
            (round(neck[0], 1), round(neck[1], 1)),
            colour=colour,
            width=width,
            dash=dash,
        )
    corners = " ".join(f"{a:.4g},{b:.4g}" for a, b in (tip, *wings))
    return shaft + tag("polygon", points=corners, class_=f"f-{colour}")


def brace(left: float, right: float, y: float, line: str, *, colour: str = "soft") -> str:
    """A brace that opens upwards over `left` to `right`, with a label below it."""
    middle = (left + right) / 2
    path = f"M{left:g} {y:g}q0 8 8 8H{middle - 8:g}q8 0 8 8q0 -8 8 -8H{right - 8:g}q8 0 8 -8"
    return tag("path", d=path, fill="none", stroke_width=1.5, class_=f"s-{colour}") + label(
        middle, y + 28, line, colour=colour
    )


def sheet(height: float, body: str, *, title: str, description: str, width: float = WIDTH) -> str:
    """The whole file: ground, spoken name and description, and the colours of both modes.

    width: on a page, in px; the drawing itself is WIDTH wide and `height` high.
    """
    ground = tag("rect", width=WIDTH, height=height, class_="f-ground")
    body = ground + body
    spoken = tag("title", escape(title)) + tag("desc", escape(description))
    drawing = tag(
        "svg",
        "\n" + spoken + _style(body) + "\n" + body.replace("><", ">\n<") + "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height:g}",
        width=width,
        height=f"{height * width / WIDTH:g}",
        font_family=FONT,
        role="img",
    )
    # JupyterLite shows no picture that has a character beyond Latin-1.
    return drawing.encode("ascii", "xmlcharrefreplace").decode("ascii") + "\n"


def _style(body: str) -> str:
    """Rules for the classes that occur: f-NAME fills with a colour, s-NAME draws a line in it."""
    used = sorted(
        set(re.findall(r"\b[fs]-[a-z-]+", " ".join(re.findall(r'class="([^"]*)"', body))))
    )
    light, dark = (
        "".join(
            f".{name}{{{'fill' if name[0] == 'f' else 'stroke'}:{COLOURS[name[2:]][mode]}}}"
            for name in used
        )
        for mode in (0, 1)
    )
    return tag("style", f"{light}\n@media (prefers-color-scheme:dark){{{dark}}}")
