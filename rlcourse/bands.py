"""Bands and labels of figures: a spread over seeds, names of curves at their ends.

What is the same in every figure is done when it is shown, by `complete`: numbers are written with
commas (1,000) and true minus signs, the bands are named once below, and the labels at the ends of
curves are moved apart. Matplotlib is imported when the first figure is made.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rlcourse.drawing.svg import COORDINATES, INK, true_minus
from rlcourse.errors import BadValue

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GREY = "#8C8C8C"
_AT_END, _BAND = "label at the end", "band: "  # marks of artists that `complete` looks for


def spread(axes: "Axes", x: Sequence[float], runs: Any, *, colour: str, label: str) -> None:
    """One method over S seeds: the median as a line, the middle 90% and the range as bands.

    x [T], runs [S, T].
    """
    runs = np.asarray(runs, float)
    if runs.ndim != 2 or runs.shape[1] != len(x):
        raise BadValue(
            f"runs are one row a seed and one column a point of x; got {runs.shape} for {len(x)} "
            "points"
        )
    low, q05, middle, q95, high = np.percentile(runs, [0, 5, 50, 95, 100], axis=0)
    band(axes, x, q05, q95, colour=colour, name="middle 90%", alpha=0.22)
    band(axes, x, low, high, colour=colour, name="all runs", alpha=0.12)
    axes.plot(x, middle, color=colour, label=label, gid=f"{_BAND}median run")


def band(
    axes: "Axes",
    x: Sequence[float],
    low: Any,
    high: Any,
    *,
    colour: str,
    name: str,
    alpha: float = 0.2,
) -> None:
    """A band from low [T] to high [T]; its name stands once below the figure."""
    axes.fill_between(x, low, high, color=colour, alpha=alpha, linewidth=0, gid=f"{_BAND}{name}")


def bars(drawn: Any, name: str) -> None:
    """What `axes.errorbar` or `axes.vlines` has drawn gets a name, once below the figure."""
    for line in drawn.lines[2] if hasattr(drawn, "lines") else [drawn]:
        line.set_gid(f"{_BAND}{name}")


def label_curves(
    axes: "Axes", at: Mapping[str, tuple[float, float]] | None = None, *, size: float = 10.5
) -> None:
    """Write the label of each curve at its right end, in its colour; in place of a legend.

    at: label -> the point (x, y) where it begins, for a curve whose end is no place for it. The
    limits of the axes are to be set before.
    """
    from matplotlib.patheffects import withStroke

    for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
        line: Any = handle[0] if isinstance(handle, tuple) else handle
        style: dict[str, Any] = {
            "color": _darker(line.get_color()),
            "fontsize": size,
            "va": "center",
            "path_effects": [withStroke(linewidth=3, foreground="white")],
        }
        if at and label in at:
            axes.text(*at[label], label, **style)
            continue
        xs, ys = (np.asarray(part, float) for part in line.get_data())
        (left, right), (low, high) = sorted(axes.get_xlim()), sorted(axes.get_ylim())
        seen = np.flatnonzero(np.isfinite(ys) & (xs >= left) & (xs <= right))
        last = seen[np.argmax(-xs[seen] if axes.xaxis_inverted() else xs[seen])]
        axes.annotate(
            label,
            (xs[last], min(max(ys[last], low), high)),
            (6, 0),
            textcoords="offset points",
            annotation_clip=False,
            gid=_AT_END,
            **style,
        )


def _darker(colour: Any) -> tuple[float, ...]:
    """A colour of a curve for text: mixed with that of the ink, so that it can be read."""
    from matplotlib.colors import to_rgb

    return tuple(np.add(np.multiply(0.6, to_rgb(colour)), np.multiply(0.4, to_rgb(INK))).tolist())


def complete(fig: "Figure") -> None:
    """Numbers with commas and minus signs, the names of the bands, labels at curves' ends apart."""
    from matplotlib.text import Text

    for text in fig.findobj(Text):
        text.set_text(true_minus(text.get_text()))
    for axes in fig.axes:
        for axis in (axes.xaxis, axes.yaxis):
            _write_thousands(axis)
    _name_bands(fig)
    ends = {axes: [t for t in axes.texts if t.get_gid() == _AT_END] for axes in fig.axes}
    if any(ends.values()):
        fig.draw_without_rendering()  # places the axes, in which the labels are moved apart
    for axes, labels in ends.items():
        _separate(axes, labels)


def _write_thousands(axis: Any) -> None:
    """1,000 on an axis whose numbers are written by Matplotlib's own rule."""
    from matplotlib.ticker import FuncFormatter, LogFormatter, ScalarFormatter

    rule = axis.get_major_formatter()
    low, high = sorted(axis.get_view_interval())
    if type(rule) is ScalarFormatter and max(abs(low), abs(high)) >= 1000:
        axis.set_major_formatter("{x:,.0f}")
    elif isinstance(rule, LogFormatter) and low >= 1e-5 and high <= 2e7:
        # 0.001 to 10,000,000; beyond that powers of ten are shorter.
        axis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:,.10g}"))


def _name_bands(fig: "Figure") -> None:
    """What the line and the bands around it are, once below the figure, in grey."""
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: dict[str, Any] = {}
    for artist in fig.findobj(lambda one: str(one.get_gid()).startswith(_BAND)):
        name = str(artist.get_gid()).removeprefix(_BAND)
        if isinstance(artist, Line2D):
            handle: Any = Line2D([], [], color=GREY)
        elif isinstance(artist, LineCollection):
            handle = Line2D([], [], color=GREY, lw=1.6, marker="|", markersize=7)
        else:
            handle = Patch(color=INK, alpha=1.3 * (artist.get_alpha() or 0.5), lw=0)
        handles[name] = handle
    if not handles or fig.legends:
        return
    names = sorted(handles, key=lambda name: not isinstance(handles[name], Line2D))
    fig.legend(
        [handles[name] for name in names],
        names,
        loc="outside lower right",
        ncols=len(names),
        fontsize=9,
        labelcolor=COORDINATES,
        borderpad=0,
    )


def _separate(axes: "Axes", labels: Sequence[Any]) -> None:
    """Move labels at the ends of curves up or down, as little as possible, until none overlap.

    The nearest places in the same order that are far enough apart: pool adjacent violators.
    """
    point = axes.figure.dpi / 72  # in pixels
    ends = {label: axes.transData.transform(label.xy)[1] / point for label in labels}
    order = sorted(labels, key=ends.__getitem__)
    heights = [1.15 * t.get_fontsize() * (1 + t.get_text().count("\n")) for t in order]
    middles = np.cumsum(heights) - np.multiply(0.5, heights)
    pools: list[tuple[float, int]] = []  # (mean place of the lowest edge, how many labels)
    for label, middle in zip(order, middles, strict=True):
        place, count = ends[label] - middle, 1
        while pools and pools[-1][0] > place:
            below, others = pools.pop()
            place = (place * count + below * others) / (count + others)
            count += others
        pools.append((place, count))
    low, high = axes.bbox.y0 / point - 4, axes.bbox.y1 / point + 4 - sum(heights)
    places = np.repeat([place for place, _ in pools], [count for _, count in pools])
    for label, place, middle in zip(
        order, np.clip(places, low, max(low, high)), middles, strict=True
    ):
        label.set_position((6, place + middle - ends[label]))
