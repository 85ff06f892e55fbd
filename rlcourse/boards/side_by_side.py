"""Positions as pictures in a lesson: several side by side, and one beside its search tree."""

from collections.abc import Mapping, Sequence

from rlcourse.boards.faces import face_of
from rlcourse.drawing.svg import (
    COORDINATES,
    LEGEND,
    Drawing,
    Marks,
    card,
    legend,
    placed,
    size_of,
    tag,
    text,
)
from rlcourse.drawing.tree import TreeNode, draw_tree
from rlcourse.errors import BadValue
from rlcourse.games import GameState


def tree(
    title: str,
    root: TreeNode,
    state: GameState,
    *,
    description: str,
    path: Sequence[int] = (),
    names: Sequence[str] = (),
    rows: Sequence[str] = (),
) -> Drawing:
    """A search tree beside its root's position, with the shares of the visits on the board.

    See `rlcourse.drawing.tree.draw_tree`; description: what can be seen, as text.
    """
    total = max(1, sum(root.N.values()))
    shares = {action: visits / total for action, visits in root.N.items()}
    width, height, board = _drawing(state, shares, "share", named=True)
    scale = min(200 / width, 240 / height)
    dots = draw_tree(root, path=path, names=names, rows=rows, box=(330, 66, 550, 290))
    return card(
        900,
        380,
        text(16, 22, title, 17, text_anchor="start", font_weight=600),
        text(16 + scale * width / 2, 66, "share of the visits", 14, fill=COORDINATES),
        placed(board, 16, 84, scale * width, scale * height),
        dots,
        plain_text=f"Figure: {description}",
        label=description,
    )


def boards(
    states: Sequence[GameState],
    captions: Sequence[str] = (),
    *,
    values: Sequence[Mapping[int, float]] | None = None,
    kind: str = "value",
    reach: float = 1.0,
    scale: float = 0.5,
    columns: int = 5,
    named: bool = False,
) -> Drawing:
    """Positions side by side with captions above, each a board alone; named: with A1, B2 and so on.

    values: for each position action -> number; the highest is outlined. kind "value": numbers in
    [-1, 1] *for the player to move*; "share": probabilities, whose blue grows with the square root,
    since a large share of many moves is still small. All heat maps of the course are drawn by this
    rule, `rlcourse.drawing.svg.number_colour`. reach: the number with the full colour, where all
    are small; the scale below says so. scale: the size of a board relative to a live one.
    """
    if captions and len(captions) != len(states):
        raise BadValue(f"{len(states)} positions want as many captions, not {len(captions)}")
    values = values or [{}] * len(states)
    drawings = [
        _drawing(state, numbers, kind, reach, named=named)
        for state, numbers in zip(states, values, strict=True)
    ]
    # A bold character of size 14 is about 8.4 wide.
    width = max(scale * max(w for w, _, _ in drawings), *(8.4 * len(c) for c in captions), 0)
    height = max(h for _, h, _ in drawings) * scale + (26 if captions else 0)
    gap, columns = 14, min(columns, len(states))
    if any(values):
        width = max(width, (LEGEND + gap) / columns - gap)
    rows = -(-len(states) // columns)
    parts = []
    for k, (w, h, body) in enumerate(drawings):
        x, y = (k % columns) * (width + gap), (k // columns) * (height + gap)
        if captions:
            parts.append(text(x + width / 2, y + 12, captions[k], 14, font_weight=600))
            y += 26
        parts.append(placed(body, x + (width - w * scale) / 2, y, w * scale, h * scale))
    total_w, total_h = columns * (width + gap) - gap, rows * (height + gap) - gap
    if any(values):
        parts.append(legend(total_w / 2, total_h + 20, kind, reach))
        total_h += 34
    inside = tag("g", "".join(parts), transform="translate(12 12)")
    label = f"{len(states)} positions side by side"
    return card(
        total_w + 24, total_h + 24, inside, plain_text=_plain_text(states, captions), label=label
    )


def _drawing(
    state: GameState,
    numbers: Mapping[int, float],
    kind: str,
    reach: float = 1.0,
    *,
    named: bool = False,
) -> tuple[float, float, str]:
    """(width, height, SVG) of one position with numbers on it, without a board's furniture."""
    # Equal numbers have no best action to outline.
    best: frozenset[int] = frozenset()
    if len(set(numbers.values())) > 1:
        highest = max(numbers.values())
        best = frozenset(action for action, number in numbers.items() if number == highest)
    marks = Marks(dict(numbers), kind, reach, best, bare=True, named=named)
    body = face_of(state.game).draw(state, (), marks)
    return *size_of(body), body


def _plain_text(states: Sequence[GameState], captions: Sequence[str]) -> str:
    """The positions as text, for pages without pictures and for screen readers."""
    captions = captions or [""] * len(states)
    blocks = [f"{caption}\n{state}" for caption, state in zip(captions, states, strict=True)]
    return "\n\n".join(block.strip("\n") for block in blocks)
