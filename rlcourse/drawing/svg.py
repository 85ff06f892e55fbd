"""What the drawings of all games share: colours, elements, frame, and what is drawn on top of a position.

Players have colours of Okabe and Ito (2008), values go from violet to leaf green: pairs that
colour-blind readers can tell apart (a test simulates it). Shape and text always say the same as
colour. A live board (`Marks.targets`) makes one element with `data-action` and a spoken name for
every action.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

BLUE, VERMILLION, SKY = "#0072B2", "#D55E00", "#56B4E9"  # Okabe and Ito
GOOD, BAD = "#4DAC26", "#B58BD6"  # +1 and -1
PLAYER_COLOURS = (BLUE, VERMILLION)  # first player, second player, in the whole course
WOOD, TILE, EDGE, INK, COORDINATES = "#EAD9B9", "#FDFAF3", "#CDB68C", "#26221C", "#55493A"
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
MINUS = "\N{MINUS SIGN}"
BEST = {"fill": "none", "stroke": INK, "stroke_width": 2.5, "stroke_dasharray": "6 5"}


@dataclass(frozen=True)
class Marks:
    """What is drawn on top of a position.

    numbers: one for each action that has one; `scale` "value" means [-1, 1] for the player to move, "share" [0, 1].
    best: the actions with the highest number, outlined by dashes. caption: below the board, one line or, without numbers, two.
    last: the action that led here. picked: actions clicked so far in a move of several clicks. win: the probability, in
    [0, 1], that the first player wins.
    targets: None for a picture; otherwise the board is live and these actions can be clicked (the others say why not).
    watched: a live board on which a finished game is stepped through: nothing can be chosen.
    """

    numbers: Mapping[int, float] = field(default_factory=dict)
    scale: str = "value"
    best: frozenset[Any] = frozenset()
    caption: str = ""
    last: Any = None
    picked: tuple[int, ...] = ()
    targets: frozenset[int] | None = None
    win: float | None = None
    watched: bool = False


def number_text(number: float, scale: str = "value") -> str:
    """A number of the overlay as people read it: +0.35, 0, a real minus sign; shares in per cent."""
    if scale == "share":
        percent = 100 * number
        return "<1%" if 0 < percent < 0.5 else f"{percent:.0f}%"
    rounded = round(number, 2)
    if rounded == round(rounded):
        return "0" if rounded == 0 else f"{rounded:+.0f}".replace("-", MINUS)
    return f"{rounded:+.2f}".replace("-", MINUS)


def number_colour(number: float, scale: str = "value") -> str:
    """Violet (-1) over the colour of an empty tile (0) to leaf green (+1); shares from the tile (0) to sky blue
    (1), by the square root, because among many moves even a large share is small."""
    end = SKY if scale == "share" else (GOOD if number > 0 else BAD)
    weight = 0.85 * min(1.0, abs(number) ** (0.5 if scale == "share" else 1))
    mixed = [
        round(int(TILE[i : i + 2], 16) * (1 - weight) + int(end[i : i + 2], 16) * weight)
        for i in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02X}" for part in mixed)


def tag(name: str, content: str = "", /, **attributes: Any) -> str:
    """One SVG element. `stroke_width` becomes `stroke-width`, `class_` is `class`; at most two decimals; None is left out."""
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            shown = (
                f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
            )
            parts.append(f'{key.rstrip("_").replace("_", "-")}="{escape(shown)}"')
    return f"<{' '.join(parts)}>{content}</{name}>" if content else f"<{' '.join(parts)}/>"


def square(x: float, y: float, reach: float, rx: float | None = None, **attributes: Any) -> str:
    """A square centred at (x, y), its sides at the distance `reach`, its corners rounded by `rx`."""
    side = 2 * reach
    return tag("rect", x=x - reach, y=y - reach, width=side, height=side, rx=rx, **attributes)


def text(x: float, y: float, words: str, size: float = 14, **attributes: Any) -> str:
    """One line of text, centred at x (unless `text_anchor` says otherwise), its middle at y."""
    settings = {"fill": INK, "text_anchor": "middle", "font_size": size, **attributes}
    return tag("text", escape(words), x=x, y=y + 0.35 * size, **settings)


def frame(
    width: float, height: float, body: str, *, title: str, description: str, marks: Marks
) -> str:
    """The outer element: wooden background, a spoken name, and below the board the caption with its colour scale.

    A picture also shows `title` below the board; a live board leaves that to the status line of its page.
    """
    lines = (
        []
        if marks.targets is not None
        else [text(width / 2, height + 8, title, 15, font_weight=600)]
    )
    y = height + 8 + 24 * len(lines)
    if marks.caption:
        words = marks.caption.split("\n")
        lines += [
            text(width / 2, y + 22 * k, line, fitting(line, 13, width), fill=COORDINATES)
            for k, line in enumerate(words)
        ]
        if marks.numbers:
            lines += [legend(width / 2, y + 22, marks.scale)]
        y += 46  # the same height with and without numbers: the board does not jump
    total = y if lines else height
    background = tag(
        "rect",
        x=1,
        y=1,
        width=width - 2,
        height=total - 2,
        rx=16,
        fill=WOOD,
        stroke=EDGE,
        stroke_width=2,
    )
    live = marks.targets is not None
    spoken = "" if live else tag("title", escape(title)) + tag("desc", escape(description))
    return tag(
        "svg",
        spoken + background + body + "".join(lines),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {total:g}",
        width=f"{(1 if live else 0.8) * width:g}",
        height=f"{(1 if live else 0.8) * total:g}",
        font_family=FONT,
        role="group" if live else "img",
        aria_label=title,
    )


def fitting(words: str, size: float, width: float) -> float:
    """The font size, at most `size`, at which a line of text stays within `width`."""
    return min(size, (width - 16) / (0.54 * max(1, len(words))))


def legend(x: float, y: float, scale: str) -> str:
    """The colour scale with its ends named, centred at x."""
    low, high = ("0%", "100%") if scale == "share" else (f"{MINUS}1 loses", "+1 wins")
    numbers = [i / 8 if scale == "share" else i / 4 - 1 for i in range(9)]
    steps = "".join(
        tag(
            "rect",
            x=x - 72 + 16 * i,
            y=y - 6,
            width=16,
            height=12,
            fill=number_colour(number, scale),
        )
        for i, number in enumerate(numbers)
    )
    outline = tag("rect", x=x - 72, y=y - 6, width=144, height=12, fill="none", stroke=COORDINATES)
    left = text(x - 80, y, low, 12, fill=COORDINATES, text_anchor="end")
    return steps + outline + left + text(x + 80, y, high, 12, fill=COORDINATES, text_anchor="start")


def symbol(
    player: int, x: float, y: float, reach: float, stroke: float, colour: str | None = None
) -> str:
    """X of the first player or O of the second, centred at (x, y)."""
    style = {
        "fill": "none",
        "stroke": colour or PLAYER_COLOURS[player],
        "stroke_width": stroke,
        "stroke_linecap": "round",
    }
    if player == 0:
        low_x, high_x, low_y, high_y = (
            f"{value:g}" for value in (x - reach, x + reach, y - reach, y + reach)
        )
        return tag(
            "path",
            d=f"M{low_x} {low_y}L{high_x} {high_y}M{low_x} {high_y}L{high_x} {low_y}",
            **style,
        )
    return tag("circle", cx=x, cy=y, r=1.12 * reach, **style)


def target(action: int, name: str, shape: str, ghost: str, marks: Marks) -> str:
    """The element that is clicked for `action`: `shape` takes the pointer and the focus ring, `ghost` shows on hover."""
    ready = action in (marks.targets or ())
    if action in marks.numbers:
        name += (
            ", "
            + ("value " if marks.scale == "value" else "share ")
            + number_text(marks.numbers[action], marks.scale)
        )
    preview = tag("g", ghost, class_="rl-ghost", opacity=0) if ready else ""
    return tag(
        "g",
        preview + shape,
        data_action=action,
        role="button",
        aria_label=name,
        aria_disabled=None if ready else "true",
        aria_pressed="true" if action in marks.picked else None,
    )
