"""The figures of the course: one palette, one style, alternative text for every picture.

The colours are from Okabe and Ito (2008), as on the boards. Matplotlib is imported when the first
figure is made.
"""

import base64
import io
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from rlcourse.boards.faces import face_of
from rlcourse.boards.live import Live as live
from rlcourse.drawing.svg import (
    BLUE,
    COORDINATES,
    FONT,
    GOOD,
    INK,
    SKY,
    VERMILLION,
    Marks,
    legend,
    number_colour,
    placed,
    size_of,
)
from rlcourse.drawing.tree import TreeNode, layout
from rlcourse.games import GameState, sign_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import RcKeyType

    from rlcourse.ladder import Ladder

GREEN, ORANGE, PURPLE = "#009E73", "#E69F00", "#CC79A7"
GREY, PALE = "#8C8C8C", "#E4E1DA"
COLOURS = (BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY)  # in this order for methods side by side
# The hues of the boards, more saturated.
OUTCOME_COLOURS = {"lost": "#7A3DB8", "drawn": "#A8A196", "won": GOOD}
RINGS = ("#CFCBC2", "#F1EFE9")  # in a wheel: after the player's move, after the opponent's
DPI = 110

_STYLE: "dict[RcKeyType, object]" = {
    "font.size": 11,
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
    """A figure as PNG with its alternative text, which is also its plain text."""

    def __init__(self, png: bytes, alt: str) -> None:
        self.png, self.alt = png, alt

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = {
            "image/png": base64.b64encode(self.png).decode("ascii"),
            "text/plain": f"Figure: {self.alt}",
        }
        return bundle, {"image/png": {"alt": self.alt}}


def picture(fig: "Figure", alt: str) -> Picture:
    """The figure as it is, with a sentence `alt` that describes it."""
    if not alt.strip():
        raise ValueError(
            "a figure needs its alternative text: one sentence that says what can be seen"
        )
    from PIL import Image  # comes with Matplotlib

    full, small = io.BytesIO(), io.BytesIO()
    fig.savefig(full, format="png", dpi=DPI, facecolor="white", metadata={"Software": None})
    # 256 colours take a quarter of the size, and the eye sees no difference.
    reduced = Image.open(full).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    reduced.save(small, format="png", optimize=True)
    return Picture(small.getvalue(), alt)


def show(fig: "Figure", alt: str) -> None:
    """Display the figure in the notebook, with its alternative text."""
    from IPython.display import display

    display(picture(fig, alt))


def spread(axes: "Axes", x: Sequence[float], runs: Any, *, colour: str, label: str) -> None:
    """One method over S seeds: the median as a line, the middle 90% and the range as bands.

    x [T], runs [S, T].
    """
    runs = np.asarray(runs, float)
    if runs.ndim != 2 or runs.shape[1] != len(x):
        raise ValueError(
            f"runs are one row a seed and one column a point of x; got {runs.shape} for {len(x)} "
            "points"
        )
    low, q05, middle, q95, high = np.percentile(runs, [0, 5, 50, 95, 100], axis=0)
    axes.fill_between(x, low, high, color=colour, alpha=0.12, linewidth=0)
    axes.fill_between(x, q05, q95, color=colour, alpha=0.22, linewidth=0)
    axes.plot(x, middle, color=colour, label=label)


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


def tree(
    axes: "Axes",
    root: TreeNode,
    *,
    path: Sequence[int] = (),
    names: Sequence[str] = (),
    scale: float = 1.0,
) -> int:
    """A search tree with the root on top and one row per ply.

    A dot is a position. Its area grows with the visits; its colour is the mean value for the player
    who moved there, from violet (-1) to green (+1) as on the boards. root: a node with N and W
    (action -> visits, and sum of values for the player to move) and children (action -> node), such
    as `agents.search_plain.Node`. path: the actions of one simulation, drawn as a thick line.
    names: the actions' names, written at the first moves. scale: the area of the dots relative to
    that in a large tree. Returns the number of positions below the root.
    """
    from matplotlib.collections import LineCollection

    column, width, dots = layout(root)
    lines: dict[bool, list[Any]] = {False: [], True: []}  # on the path or not
    for dot in dots:
        on_path = tuple(path[: dot.depth]) == dot.moves
        lines[on_path].append([(dot.parent, 1 - dot.depth), (dot.column, -dot.depth)])
        if dot.depth == 1 and len(names):
            name, place = names[dot.moves[0]], (dot.column, -1)
            axes.annotate(name, place, (4, 8), textcoords="offset points", fontsize=10)
    axes.add_collection(LineCollection(lines[False], colors=GREY, linewidths=0.5, zorder=1))
    axes.add_collection(LineCollection(lines[True], colors=INK, linewidths=2.5, zorder=2))
    axes.scatter([column], [0], s=60, color=INK, zorder=3)
    if dots:
        axes.scatter(
            [dot.column for dot in dots],
            [-dot.depth for dot in dots],
            s=[scale * (8 + 7 * dot.visits**0.6) for dot in dots],
            c=[number_colour(dot.mean) for dot in dots],
            edgecolors=INK,
            linewidths=0.5,
            zorder=3,
        )
    axes.set_xlim(-0.02 * width, 1.02 * width)
    axes.grid(False)
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return len(dots)


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
        axes.errorbar(
            elo,
            rows,
            xerr=np.stack([elo - intervals[:, 0], intervals[:, 1] - elo]),
            fmt=marker,
            color=colour,
            elinewidth=1.6,
            label="the course's bots" if is_rung else "players",
        )
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


def _leaves(
    state: GameState,
    children: Callable[[GameState], Sequence[GameState]],
    leaves: dict[GameState, int],
) -> int:
    """The number of lines of play from `state` on, at least 1; `leaves` remembers it."""
    if state not in leaves:
        leaves[state] = sum(_leaves(child, children, leaves) for child in children(state)) or 1
    return leaves[state]


class Boards:
    """Several positions side by side as one SVG; see `boards`."""

    def __init__(self, svg: str, plain_text: str) -> None:
        self.svg, self.plain_text = svg, plain_text

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return self.plain_text


def boards(
    states: Sequence[GameState],
    captions: Sequence[str] = (),
    *,
    values: Sequence[Mapping[int, float]] | None = None,
    kind: str = "value",
    scale: float = 0.5,
    columns: int = 5,
) -> Boards:
    """Positions side by side with captions above.

    values: for each position action -> number; the highest is outlined. kind "value": numbers in
    [-1, 1] *for the player to move*; "share": probabilities, whose blue grows with the square root,
    since a large share of many moves is still small. All heat maps of the course are drawn by this
    rule, `rlcourse.drawing.svg.number_colour`. scale: the size of a board relative to a live one.
    """
    if captions and len(captions) != len(states):
        raise ValueError(f"{len(states)} positions want as many captions, not {len(captions)}")
    values = values or [{}] * len(states)
    drawings = [
        _drawing(state, numbers, kind) for state, numbers in zip(states, values, strict=True)
    ]
    width = max(w for w, _, _ in drawings) * scale
    height = max(h for _, h, _ in drawings) * scale + (26 if captions else 0)
    gap, columns = 14, min(columns, len(states))
    rows = -(-len(states) // columns)
    parts = []
    for k, (w, h, body) in enumerate(drawings):
        x, y = (k % columns) * (width + gap), (k // columns) * (height + gap)
        if captions:
            parts.append(
                f'<text x="{x + width / 2:g}" y="{y + 16:g}" text-anchor="middle" font-size="14" '
                f'font-weight="600" fill="{INK}">{escape(captions[k])}</text>'
            )
            y += 26
        parts.append(placed(body, x, y, w * scale, h * scale))
    total_w, total_h = columns * (width + gap) - gap, rows * (height + gap) - gap
    if any(values):
        parts.append(legend(total_w / 2, total_h + 20, kind))
        total_h += 34
    margin = 12
    full_w, full_h = total_w + 2 * margin, total_h + 2 * margin
    size = f'width="{full_w:g}" height="{full_h:g}"'
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="{-margin} {-margin} {full_w:g} {full_h:g}" {size} '
        f'font-family="{escape(FONT)}" role="img" '
        f'aria-label="{len(states)} positions side by side">'
        f'<rect x="{-margin}" y="{-margin}" rx="12" fill="#FFFFFF" {size}/>{"".join(parts)}</svg>'
    )
    return Boards(svg, _plain_text(states, captions))


def _drawing(state: GameState, numbers: Mapping[int, float], kind: str) -> tuple[float, float, str]:
    """(width, height, SVG) of one position with numbers on it."""
    # Equal numbers have no best action to outline.
    best: frozenset[int] = frozenset()
    if len(set(numbers.values())) > 1:
        highest = max(numbers.values())
        best = frozenset(action for action, number in numbers.items() if number == highest)
    body = face_of(state.game).draw(state, (), Marks(numbers=dict(numbers), scale=kind, best=best))
    return *size_of(body), body


def _plain_text(states: Sequence[GameState], captions: Sequence[str]) -> str:
    """The positions as text, for pages without pictures and for screen readers."""
    captions = captions or [""] * len(states)
    blocks = [f"{caption}\n{state}" for caption, state in zip(captions, states, strict=True)]
    return "\n\n".join(block.strip("\n") for block in blocks)


__all__ = [
    "BLUE",
    "COLOURS",
    "GREEN",
    "GREY",
    "INK",
    "ORANGE",
    "PALE",
    "PURPLE",
    "SKY",
    "VERMILLION",
    "Boards",
    "Picture",
    "boards",
    "counts_axis",
    "figure",
    "ladder",
    "live",
    "on_grid",
    "outcome_legend",
    "picture",
    "show",
    "spread",
    "tree",
    "wheel",
]
