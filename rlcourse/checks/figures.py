"""What stands in a figure that a student drew, and what of the asked is not there yet.

It counts and never marks: what a figure shows is for a person to judge.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

from rlcourse.checks.task import Asked

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAND = "PolyCollection"  # what fill_between draws
BARS = "LineCollection"  # what vlines draws


@dataclass(frozen=True)
class Panel:
    """What is drawn between one pair of axes; axes that lie on one another are one panel.

    points: of each curve. names: of the curves, where a reader sees them.
    """

    points: tuple[int, ...]
    spreads: int
    others: int
    names: int
    labels: str
    log: str
    title: bool


def drawn_by(function: Callable[[], Any]) -> "list[Figure]":
    """The figures that a call makes, or into which it draws, but for those that it closes before
    anybody has seen them.

    `plt.show()` of a notebook closes the figures that it shows, so they are noted when they are
    made. Whatever the function raises goes on.
    """
    from matplotlib import pyplot as plt
    from matplotlib.backend_bases import FigureCanvasBase

    current = plt.gcf() if plt.get_fignums() else None
    parts = {one: len(one.findobj()) for one in map(plt.figure, plt.get_fignums())}
    if current is not None:
        plt.figure(current)
    real, show, printed = plt.figure, plt.show, FigureCanvasBase.print_figure
    seen: set[Figure] = set()

    def noted(*args: Any, **options: Any) -> Any:
        figure = real(*args, **options)
        parts.setdefault(figure, 0)
        return figure

    def showing(*args: Any, **options: Any) -> Any:
        seen.update(one for one in parts if plt.fignum_exists(one.number))
        return show(*args, **options)

    def printing(canvas: Any, *args: Any, **options: Any) -> Any:
        seen.add(canvas.figure)
        return printed(canvas, *args, **options)

    with (
        patch.object(plt, "figure", noted),  # all other ways to a figure call it
        patch.object(plt, "show", showing),
        patch.object(FigureCanvasBase, "print_figure", printing),  # `display` of a figure calls it
    ):
        function()
    drawn = [figure for figure, before in parts.items() if len(figure.findobj()) != before]
    return [one for one in drawn if one in seen or plt.fignum_exists(one.number)]


def comment(figures: "Sequence[Figure]", asked: Asked) -> str:
    """Two lines: what stands in the figures, and what of the asked is missing."""
    panels = [panel for figure in figures for panel in panels_of(figure)]
    several = sum(bool(panels_of(figure)) for figure in figures)
    if not panels:
        return "There is no figure yet. Draw it with matplotlib; `plt.show()` shows it."
    missing = [*_missing_panels(panels, asked), *_missing_of_figures(figures, panels)]
    lacks = f"Missing: {'; '.join(missing)}." if missing else "Nothing that is counted is missing."
    head = "The figure has" if several == 1 else f"The {several} figures have"
    return f"{head} {_contents(panels)}.\n{lacks}"


def panels_of(figure: "Figure") -> list[Panel]:
    """The panels of a figure in the order in which they were made; colour bars are none."""
    places: dict[tuple[float, ...], list[Axes]] = {}
    for axes in figure.axes:
        hidden = not axes.axison and not axes.has_data()
        if axes.get_visible() and axes.get_label() != "<colorbar>" and not hidden:
            places.setdefault(tuple(axes.get_position(original=True).bounds), []).append(axes)
    return [_panel(together, figure) for together in places.values()]


def _panel(together: "list[Axes]", figure: "Figure") -> Panel:
    curves = [curve for axes in together for curve in _curves(axes)]
    spreads = [label for axes in together for label in _spreads(axes)]
    others = sum(len(axes.images) + len(axes.patches) + len(axes.collections) for axes in together)
    return Panel(
        tuple(points for points, _ in curves),
        len(spreads),
        others,
        _names(together, figure, {label for _, label in curves}, set(spreads)),
        "".join(side for side in "xy" if any(_label(axes, side) for axes in together)),
        "".join(side for side in "xy" if any(_is_log(axes, side) for axes in together)),
        any(
            axes.get_title(where).strip()
            for axes in together
            for where in ("left", "center", "right")
        ),
    )


def _curves(axes: "Axes") -> list[tuple[int, str]]:
    """(points, label) of every curve. Single points that were drawn one by one are one curve, or
    one for each colour in which several were drawn.
    """
    caps = {cap for one in axes.containers for cap in (_part(one, 1) or ())}
    labels = {_part(one, 0): str(one.get_label()) for one in axes.containers if _part(one, 2)}
    lines = [
        (_finite(line.get_xydata()), labels.get(line, str(line.get_label())), str(line.get_color()))
        for line in axes.lines
        if line not in caps
    ]
    scattered = [
        (_finite(dots.get_offsets()), str(dots.get_label()), str(dots.get_facecolor()))
        for dots in axes.collections
        if type(dots).__name__ == "PathCollection"
    ]
    bars = [
        (len(one), str(one.get_label()), "")
        for one in axes.containers
        if type(one).__name__ == "BarContainer"
    ]
    all_of_them = [*lines, *scattered, *bars]
    single = [(label, colour) for points, label, colour in all_of_them if points == 1]
    return [(points, label) for points, label, _ in all_of_them if points > 1] + _joined(single)


def _joined(single: Sequence[tuple[str, str]]) -> list[tuple[int, str]]:
    """(points, label) of the curves that single points (label, colour) are."""
    colours = Counter(colour for _, colour in single)
    if 1 in colours.values():  # a new colour for each point, as matplotlib has it
        return [(len(single), single[0][0])]
    label = dict(reversed([(colour, label) for label, colour in single]))  # of the first point
    return [(points, label[colour]) for colour, points in colours.items()]


def _spreads(axes: "Axes") -> list[str]:
    """The label of every band and of every row of error bars."""
    errors = [one for one in axes.containers if type(one).__name__ == "ErrorbarContainer"]
    theirs = {bars for one in errors for bars in _part(one, 2)}
    bands = [
        one
        for one in axes.collections
        if one not in theirs and {BAND, BARS} & {kind.__name__ for kind in type(one).__mro__}
    ]
    return [str(one.get_label()) for one in bands] + ["_" for one in errors if _part(one, 2)]


def _part(container: Any, place: int) -> Any:
    """The line, the caps or the bars (0, 1, 2) of error bars; nothing of other containers."""
    return container.lines[place] if type(container).__name__ == "ErrorbarContainer" else None


def _finite(points: Any) -> int:
    return int(np.isfinite(np.ma.filled(np.ma.asarray(points, dtype=float), np.nan)).all(1).sum())


def _names(together: "list[Axes]", figure: "Figure", curves: set[str], spreads: set[str]) -> int:
    """How many curves a reader finds named: in a legend of the panel, or in one for all panels, or
    beside the curves as text. What a legend says of a band alone names no curve.
    """
    own = [axes.get_legend() for axes in together]
    elsewhere = [axes.get_legend() for axes in figure.axes]
    legends = [one for one in own if one] or [*figure.legends, *(one for one in elsewhere if one)]
    written = {text.get_text() for legend in legends for text in legend.get_texts()}
    return max(len(written - (spreads - curves)), sum(len(axes.texts) for axes in together))


def _label(axes: "Axes", side: str) -> str:
    """The label of an axis: its own, that of a panel which shares the axis, or the figure's."""
    group = getattr(axes, f"get_shared_{side}_axes")().get_siblings(axes)
    of_figure = getattr(axes.figure, f"get_sup{side}label")()
    return (of_figure + "".join(getattr(one, f"get_{side}label")() for one in group)).strip()


def _is_log(axes: "Axes", side: str) -> bool:
    return getattr(axes, f"get_{side}scale")() in ("log", "symlog")


def _contents(panels: Sequence[Panel]) -> str:
    """Such as "2 panels, 6 curves and 6 bands or error bars"."""
    curves, spreads = (
        sum(len(panel.points) for panel in panels),
        sum(panel.spreads for panel in panels),
    )
    parts = [_number(len(panels), "panel"), _number(curves, "curve")]
    rows = f"row{'s' * (spreads != 1)} of error bars"
    last = f" and {_number(spreads, 'band')} or {rows}" if spreads else ""
    return ", ".join(parts) + last


def _number(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'s' * (count != 1)}"


def _missing_panels(panels: Sequence[Panel], asked: Asked) -> list[str]:
    """What the task asks of each panel."""
    wanted, missing = len(asked.curves), []
    if len(panels) < wanted:
        missing.append(f"{_number(wanted - len(panels), 'more panel')}")
    for number, panel in enumerate(panels):
        where = f" (panel {number + 1})" if len(panels) > 1 else ""
        if not panel.points and not panel.others:
            missing.append(f"all curves{where}: the axes are empty")
            continue
        curves = asked.curves[number] if number < wanted else 0  # of a panel more nothing is asked
        spreads = asked.spreads[min(number, len(asked.spreads) - 1)] if curves else 0
        missing += [lack + where for lack in _missing_of(panel, asked, curves, spreads)]
    return missing


def _missing_of(panel: Panel, asked: Asked, curves: int, spreads: int) -> list[str]:
    """What one panel lacks."""
    long = sum(points >= asked.points for points in panel.points)
    sides = {"x": "x axis", "y": "y axis"}
    lacks = {
        f"curves: there are {len(panel.points)} of {curves}": (len(panel.points) < curves),
        f"curves of at least {asked.points} points": (
            len(panel.points) >= curves > 0 and long < max(1, spreads)
        ),
        f"bands or error bars: there are {panel.spreads} of {spreads}": (panel.spreads < spreads),
        f"names: a legend tells {panel.names} of {curves} curves (label=..., then plt.legend())": (
            1 < curves <= len(panel.points) and panel.names < curves
        ),
    }
    for side, axis in sides.items():
        lacks[f"a label on the {axis}"] = side not in panel.labels
        lacks[f"a logarithmic {axis}"] = side in asked.log and side not in panel.log
    return [lack for lack, is_lacking in lacks.items() if is_lacking]


def _missing_of_figures(figures: "Sequence[Figure]", panels: Sequence[Panel]) -> list[str]:
    """A title, above the whole figure or above a panel, states what was found."""
    titled = any(panel.title for panel in panels) or any(
        one.get_suptitle().strip() for one in figures
    )
    return [] if titled else ["a title that states what you found"]
