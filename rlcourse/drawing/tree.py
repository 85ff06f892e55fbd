"""Where the positions of a search tree lie in its picture: one row a ply, leaves side by side.

A parent stands above the middle of its outermost children, as wide as its leaves.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol


class TreeNode(Protocol):
    """A position of a search tree, such as `agents.search_plain.Node`."""

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
