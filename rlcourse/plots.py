"""The figures of the course: one palette, one style, alternative text for every picture.

The colours are from Okabe and Ito (2008), as on the boards. Matplotlib is imported when the first
figure is made.
"""

import base64
import io
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from rlcourse.bands import GREY, band, bars, complete, label_curves, spread
from rlcourse.boards.live import Live as live
from rlcourse.boards.side_by_side import boards, tree
from rlcourse.drawing.chart import Area, Curve, Plane, bar, chart
from rlcourse.drawing.svg import (
    BLUE,
    COORDINATES,
    GOOD,
    INK,
    SKY,
    VERMILLION,
    number_colour,
)
from rlcourse.errors import BadValue
from rlcourse.games import GameState, sign_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import RcKeyType

    from rlcourse.ladder import Ladder

GREEN, ORANGE, PURPLE = "#009E73", "#E69F00", "#CC79A7"
PALE = "#E4E1DA"
COLOURS = (BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY)  # in this order for methods side by side
LOST, DRAWN, WON = "#7A3DB8", "#A8A196", GOOD  # the hues of the boards, more saturated
OUTCOME_COLOURS = {"lost": LOST, "drawn": DRAWN, "won": WON}
RINGS = ("#CFCBC2", "#F1EFE9")  # in a wheel: after the player's move, after the opponent's
DPI = 110  # of the page; the file has twice as many, for screens with small pixels

_STYLE: "dict[RcKeyType, object]" = {
    "font.size": 11,
    "figure.titleweight": "bold",
    "figure.titlesize": 13.5,
    "axes.titlesize": 12.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelcolor": INK,
    "text.color": INK,
    "axes.edgecolor": COORDINATES,
    "xtick.color": COORDINATES,
    "ytick.color": COORDINATES,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": PALE,
    "grid.linewidth": 0.8,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "lines.linewidth": 2.0,
}


@contextmanager
def figure(
    width: float = 8.0, height: float = 3.4, *, rows: int = 1, columns: int = 1, **options: Any
) -> Iterator[tuple[Any, Any]]:
    """A figure of width x height inches in the course's style: `with figure() as (fig, axes):`.

    axes is one Axes or an array of them, as `subplots` returns it; options such as sharey=True go
    to `subplots`. The figure is closed at the end of the block, so show it inside with
    `show(fig, alt=...)`.
    """
    import matplotlib.pyplot as plt

    with plt.rc_context(_STYLE):
        fig, axes = plt.subplots(
            rows, columns, figsize=(width, height), layout="constrained", **options
        )
        try:
            yield fig, axes
        finally:
            plt.close(fig)


class Picture:
    """A figure as PNG with its alternative text, which is also its plain text.

    width, height: on the page, in pixels; the file has twice as many.
    """

    def __init__(self, png: bytes, alt: str, width: int, height: int) -> None:
        self.png, self.alt, self.width, self.height = png, alt, width, height

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = {
            "image/png": base64.b64encode(self.png).decode("ascii"),
            "text/plain": f"Figure: {self.alt}",
        }
        shown = {"alt": self.alt, "width": self.width, "height": self.height}
        return bundle, {"image/png": shown}


def picture(fig: "Figure", alt: str) -> Picture:
    """The completed figure, with a sentence `alt` that describes it."""
    if not alt.strip():
        raise BadValue(
            "a figure needs its alternative text: one sentence that says what can be seen"
        )
    from PIL import Image  # comes with Matplotlib

    complete(fig)
    full, small = io.BytesIO(), io.BytesIO()
    fig.savefig(full, format="png", dpi=2 * DPI, facecolor="white", metadata={"Software": None})
    # 128 colours take a quarter of the size. The octree keeps the few dots of a curve's label in
    # their own colour; a median cut gives green and blue labels the same one.
    reduced = (
        Image.open(full)
        .convert("RGB")
        .quantize(128, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    )
    reduced.save(small, format="png", optimize=True)
    return Picture(small.getvalue(), alt, reduced.width // 2, reduced.height // 2)


def show(fig: "Figure", alt: str) -> None:
    """Display the figure in the notebook, with its alternative text."""
    from IPython.display import display

    display(picture(fig, alt))


def on_grid(x: Sequence[float], curve: Sequence[Sequence[float]], column: int) -> np.ndarray:
    """[T]: one column of a stored curve at the points x, as a step function.

    The rows of the curve are (games, figure, figure ...).
    """
    rows = np.asarray(curve, float)
    row = np.searchsorted(rows[:, 0], np.asarray(x, float), side="right") - 1
    return rows[np.maximum(row, 0), column]


def counts_axis(axes: "Axes", values: Sequence[int]) -> None:
    """A y axis for counts that fall to 0: logarithmic above 1, linear below, with these ticks."""
    axes.set_yscale("symlog", linthresh=1, linscale=0.35)
    axes.set_yticks(list(values), [f"{value:,}" for value in values])
    axes.minorticks_off()
    axes.set_ylim(-0.12, None)


def wheel(
    axes: "Axes", root: GameState, choose: Callable[[GameState], Sequence[Any]], *, seat: int
) -> dict[str, int]:
    """Every line of play as a wheel: the start in the middle, one ring per ply, one spoke per line.

    choose(state) -> the moves that the player in `seat` (0 or 1) considers; the opponent considers
    all. A line ends in the colour of its result for `seat`. Returns the number of lines lost, drawn
    and won.
    """
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Wedge

    counts = {"lost": 0, "drawn": 0, "won": 0}
    wedges, colours = [Wedge((0, 0), 0.5, 0, 360)], [INK]
    leaves: dict[GameState, int] = {}

    def children(state: GameState) -> list[GameState]:
        """The positions after each move that `choose` or the opponent can play."""
        if state.is_over():
            return []
        moves = choose(state) if state.next_player == seat else state.legal_moves()
        return [state.apply_move(move) for move in moves]

    def follow(state: GameState, ply: int, first: float, last: float) -> None:
        """Draw a position and its successors between two angles in degrees."""
        after = children(state)
        if ply:
            wedges.append(Wedge((0, 0), ply + 0.5, first, last, width=1.0))
            colours.append(RINGS[state.next_player == seat])
        if not after:
            outcome = ("drawn", "won", "lost")[state.winner() * sign_of(seat)]
            counts[outcome] += 1
            colours[-1] = OUTCOME_COLOURS[outcome]
            return
        angle = (last - first) / _leaves(state, children, leaves)
        for child in after:
            end = first + angle * _leaves(child, children, leaves)
            follow(child, ply + 1, first, end)
            first = end

    follow(root, 0, 90.0, 450.0)
    # Thousands of thin sectors would disappear between wide white lines. In points.
    gap = 0.25 if len(wedges) < 1000 else 0.08
    sectors = PatchCollection(wedges, facecolors=colours, edgecolors="white", linewidths=gap)
    axes.add_collection(sectors)
    axes.set(xlim=(-9.7, 9.7), ylim=(-9.7, 9.7), aspect="equal")
    axes.axis("off")
    return counts


def ladder(axes: "Axes", rated: "Ladder", *, rungs: Collection[str] = ()) -> str:
    """A `rlcourse.ladder.Ladder`, best player on top: one dot per player with its 95% interval.

    rungs: the names drawn as squares in another colour. Returns the alternative text.
    """
    order = rated.order.tolist()
    for marker, colour, is_rung in (("o", BLUE, False), ("s", VERMILLION, True)):
        rows = [
            row for row, player in enumerate(order) if (rated.names[player] in rungs) == is_rung
        ]
        if not rows:
            continue
        elo = np.array([rated.elo[order[row]] for row in rows])
        intervals = np.array([rated.interval(order[row]) for row in rows])
        drawn = axes.errorbar(
            elo,
            rows,
            xerr=np.stack([elo - intervals[:, 0], intervals[:, 1] - elo]),
            fmt=marker,
            color=colour,
            elinewidth=1.6,
            label="the course's bots" if is_rung else "players",
        )
        bars(drawn, "95% interval")
    axes.set_yticks(range(len(order)), [rated.names[player] for player in order])
    axes.set_ylim(len(order) - 0.4, -0.6)
    axes.set_xlabel(f"Elo; 0 is {rated.names[rated.anchor]}")
    axes.set_title(f"Neighbours {rated.smallest_gap():.0f} Elo apart can be told")
    if rungs:
        axes.legend(loc="lower right")
    best, (low, high) = rated.names[order[0]], rated.interval(order[0])
    above = f"{low:.0f} to {high:.0f} Elo above {rated.names[rated.anchor]}"
    return f"A ladder of {len(order)} players with their intervals; on top {best}, {above}."


def outcome_legend(fig: "Figure") -> None:
    """A legend of the result colours below the whole figure."""
    from matplotlib.patches import Patch

    handles = [Patch(color=colour, label=outcome) for outcome, colour in OUTCOME_COLOURS.items()]
    fig.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)


def outcome_map() -> Any:
    """The colours of the boards for shares of points, from violet (0) to leaf green (1)."""
    from matplotlib.colors import LinearSegmentedColormap

    ends = [number_colour(value) for value in (-1, 0, 1)]
    return LinearSegmentedColormap.from_list("outcomes", ends)


def _leaves(
    state: GameState,
    children: Callable[[GameState], Sequence[GameState]],
    leaves: dict[GameState, int],
) -> int:
    """The number of lines of play from `state` on, at least 1; `leaves` remembers it."""
    if state not in leaves:
        leaves[state] = sum(_leaves(child, children, leaves) for child in children(state)) or 1
    return leaves[state]


__all__ = [
    "BLUE",
    "COLOURS",
    "GREEN",
    "GREY",
    "INK",
    "LOST",
    "ORANGE",
    "PALE",
    "PURPLE",
    "SKY",
    "VERMILLION",
    "WON",
    "Area",
    "Curve",
    "Picture",
    "Plane",
    "band",
    "bar",
    "bars",
    "boards",
    "chart",
    "counts_axis",
    "figure",
    "label_curves",
    "ladder",
    "live",
    "on_grid",
    "outcome_legend",
    "outcome_map",
    "picture",
    "show",
    "spread",
    "tree",
    "wheel",
]
