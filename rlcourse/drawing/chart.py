"""Curves and areas in a plane as SVG, drawn in a millisecond: for what moves with a slider."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rlcourse.drawing.svg import COORDINATES, EDGE, Drawing, card, tag, text

Span = tuple[float, float]
WIDTH = 760
LEFT, TOP, RIGHT, BOTTOM = 74, 56, 20, 62  # room around the plane for its title and its numbers


class Curve(NamedTuple):
    """A line through the points (x, y); its label stands at `at`, by default at its right end."""

    x: Sequence[float]
    y: Sequence[float]
    colour: str
    label: str = ""
    at: tuple[float, float] | None = None


class Area(NamedTuple):
    """What lies between the line through the points (x, y) and y = 0."""

    x: Sequence[float]
    y: Sequence[float]
    colour: str


def bar(x: float, height: float, colour: str, *, width: float = 0.8) -> Area:
    """A bar whose foot is centred at x."""
    left, right = x - width / 2, x + width / 2
    return Area((left, right), (height, height), colour)


class Plane(NamedTuple):
    """The spans of x and y, what is written at their places (one line or two), and their names."""

    x: Span
    y: Span
    x_ticks: Mapping[float, str]
    y_ticks: Mapping[float, str] = {}
    x_label: str = ""
    y_label: str = ""


def chart(
    title: str,
    plane: Plane,
    *,
    description: str,
    areas: Iterable[Area] = (),
    curves: Iterable[Curve] = (),
    texts: Iterable[tuple[float, float, str]] = (),
    height: float = 300,
) -> Drawing:
    """Areas and curves in a plane, on a light ground of its own.

    description: what can be seen, as text. texts: (x, y, line), each just above its point.
    height: of the picture; it is 760 wide.
    """
    right, lower = WIDTH - RIGHT, height - BOTTOM

    def across(place: float) -> float:
        low, high = plane.x
        return LEFT + (right - LEFT) * (place - low) / (high - low)

    def down(place: float) -> float:
        low, high = plane.y
        return lower - (lower - TOP) * (min(max(place, low), high) - low) / (high - low)

    def path(xs: Sequence[float], ys: Sequence[float]) -> str:
        points = zip(xs, ys, strict=True)
        return "M" + "L".join(f"{across(x):.1f} {down(y):.1f}" for x, y in points)

    parts = []
    for place, line in plane.y_ticks.items():
        level = down(place)
        parts.append(tag("path", d=f"M{LEFT} {level:.1f}H{right}", stroke=EDGE, opacity=0.6))
        parts.append(text(LEFT - 8, level, line, 13, text_anchor="end", fill=COORDINATES))
    for area in areas:
        outline = path([*area.x, area.x[-1], area.x[0]], [*area.y, 0, 0])
        parts.append(tag("path", d=f"{outline}Z", fill=area.colour))
    parts.append(tag("path", d=f"M{LEFT} {lower:g}H{right}", stroke=COORDINATES))
    for place, lines in plane.x_ticks.items():
        for row, line in enumerate(lines.split("\n")):
            parts.append(text(across(place), lower + 14 + 16 * row, line, 13, fill=COORDINATES))
    for curve in curves:
        style = {"fill": "none", "stroke": curve.colour, "stroke_width": 2.5}
        parts.append(tag("path", d=path(curve.x, curve.y), **style))
        place, level = curve.at or (curve.x[-1], curve.y[-1])
        end = {"text_anchor": "start", "font_weight": 600}
        parts.append(text(across(place) + 8, down(level), curve.label, 14, **end))
    for place, level, line in texts:
        parts.append(text(across(place), down(level) - 11, line, 14))
    parts.append(text(LEFT, 24, title, 17, text_anchor="start", font_weight=600))
    parts.append(text((LEFT + right) / 2, height - 14, plane.x_label, 14, fill=COORDINATES))
    upright = f"translate(18 {(TOP + lower) / 2:g}) rotate(-90)"
    parts.append(text(0, 0, plane.y_label, 14, fill=COORDINATES, transform=upright))
    return card(WIDTH, height, *parts, plain_text=f"Figure: {description}", label=description)
