"""A search tree as SVG: one row a ply, leaves side by side.

A parent stands above the middle of its outermost children, as wide as its leaves.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from rlcourse.drawing.svg import COORDINATES, INK, number_colour, tag, text


class TreeNode(Protocol):
    """A position of a search tree, such as the `Node` of lesson 08."""

    @property
    def N(self) -> Mapping[int, int]:
        """action -> visits."""

    @property
    def W(self) -> Mapping[int, float]:
        """action -> sum of the values for the player to move."""

    @property
    def children(self) -> Mapping[int, "TreeNode"]:
        """action -> the position after it."""


class Dot(NamedTuple):
    """A position below the root.

    moves: the actions that lead there from the root, at least one. column, parent: its own place
    and its parent's, in leaves from the left. mean: of the values in [-1, 1], for the player who
    moved there.
    """

    moves: tuple[int, ...]
    column: float
    parent: float
    visits: int
    mean: float

    @property
    def depth(self) -> int:
        """Plies below the root."""
        return len(self.moves)


class Layout(NamedTuple):
    """The root's column, the width in leaves, and all positions below, descendants first."""

    column: float
    width: float
    dots: list[Dot]


def layout(node: TreeNode, *, moves: tuple[int, ...] = (), left: float = 0.0) -> Layout:
    """Place a node and its descendants from the column `left` on; moves: those that lead to it."""
    dots: list[Dot] = []
    columns: dict[int, float] = {}
    right = left
    for action in sorted(node.children):
        child = layout(node.children[action], moves=(*moves, action), left=right)
        columns[action] = child.column
        dots += child.dots
        right += child.width
    outermost = list(columns.values())
    middle = (outermost[0] + outermost[-1]) / 2 if outermost else left + 0.5
    for action, column in columns.items():
        visits = node.N[action]
        mean = node.W[action] / max(1, visits)
        dots.append(Dot((*moves, action), column, middle, visits, mean))
    return Layout(middle, max(right - left, 1), dots)


def draw_tree(
    root: TreeNode,
    *,
    path: Sequence[int] = (),
    names: Sequence[str] = (),
    rows: Sequence[str] = (),
    box: tuple[float, float, float, float],
) -> str:
    """SVG elements of a search tree with the root on top and one row per ply.

    A dot is a position. Its area grows with the visits; its colour is the mean value for the player
    who moved there, from violet (-1) to green (+1) as on the boards. path: the actions of one
    simulation, drawn as a thick line. names: the actions' names, written at the first moves. rows:
    what stands to the left of each row, from the root's on. box: left, upper edge, width and height
    of the dots.
    """
    column, width, dots = layout(root)
    depth = max([dot.depth for dot in dots], default=1)
    left, upper, across, down = box
    # Dots of one row do not cover each other, and a few visits can still be seen.
    widest = min(11.0, 0.45 * down / depth, 4 + 0.5 * across / width)
    most = max([dot.visits for dot in dots], default=1)

    def place(where: float, ply: int) -> tuple[float, float]:
        return left + across * where / width, upper + down * ply / depth

    thin, thick, shapes = "", "", []
    for dot in dots:
        (x0, y0), (x1, y1) = place(dot.parent, dot.depth - 1), place(dot.column, dot.depth)
        line = f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"
        if tuple(path[: dot.depth]) == dot.moves:
            thick += line
        else:
            thin += line
        reach = max(2.5, widest * (dot.visits / most) ** 0.3)
        fill = {"fill": number_colour(dot.mean), "stroke": INK, "stroke_width": 0.7}
        shapes.append(tag("circle", cx=round(x1, 1), cy=round(y1, 1), r=reach, **fill))
        if dot.depth == 1 and len(names):
            # On the side that the line from the root does not come from.
            aside, anchor = (8, "start") if dot.column > dot.parent else (-8, "end")
            style = {"text_anchor": anchor, "font_weight": 600}
            shapes.append(text(x1 + aside, y1 - 14, names[dot.moves[0]], 14, **style))
    lines = tag("path", d=thin, stroke=COORDINATES, stroke_width=0.7, opacity=0.7) if thin else ""
    if thick:
        lines += tag("path", d=thick, stroke=INK, stroke_width=3.5, fill="none")
    labels = "".join(
        text(left - 14, place(0, ply)[1], row, 13, text_anchor="end", fill=COORDINATES)
        for ply, row in enumerate(rows[: depth + 1])
    )
    x, y = place(column, 0)
    return lines + "".join(shapes) + tag("circle", cx=x, cy=y, r=6, fill=INK) + labels
