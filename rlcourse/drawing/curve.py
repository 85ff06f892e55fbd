"""A curve that grows: figures against games, as SVG, drawn in well under a millisecond."""

from collections.abc import Sequence

from rlcourse.drawing.svg import BLUE, COORDINATES, EDGE, INK, tag, text


def curve(
    points: Sequence[tuple[int, float]],
    *,
    box: tuple[float, float, float, float],
    label: str,
    top: float | None = None,
) -> str:
    """SVG elements of the line through `points` (games, figure), the last one marked.

    box: left, upper edge, width and height of the axes. The figures run from 0 to `top`, by default
    to the highest so far.
    """
    left, upper, width, height = box
    lower = upper + height
    highest = top or max([figure for _, figure in points], default=0.0) or 1.0
    played = max([games for games, _ in points], default=0)
    most = played or 1
    scale = f"{highest:,.0f}" if points or top else ""
    grid = "".join(
        tag("path", d=f"M{left:g} {y:g}h{width:g}", stroke=EDGE, stroke_width=1)
        for y in (upper, upper + height / 2, lower)
    )
    labels = [
        text(left - 8, upper, scale, 13, text_anchor="end", fill=COORDINATES),
        text(left - 8, lower, "0", 13, text_anchor="end", fill=COORDINATES),
        text(
            left + width, lower + 16, f"{played:,} games", 13, text_anchor="end", fill=COORDINATES
        ),
        text(left - 8, upper - 26, label, 15, text_anchor="start", font_weight=600),
    ]
    if not points:
        return grid + "".join(labels)
    places = [
        (left + width * games / most, lower - height * figure / highest) for games, figure in points
    ]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    line = tag("path", d=path, fill="none", stroke=BLUE, stroke_width=2.5)
    x, y = places[-1]
    dot = tag("circle", cx=x, cy=y, r=4.5, fill=BLUE)
    number = f"{points[-1][1]:,.0f}"
    mark = text(x + 10, y, number, 15, text_anchor="start", font_weight=600, fill=INK)
    return grid + "".join(labels) + line + dot + mark
