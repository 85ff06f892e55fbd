"""A silent loop: frames of one drawing, shown one after the other by CSS.

Where nothing moves, or the reader's system asks for less motion, the last frame stands still.
"""

from collections.abc import Sequence
from typing import NamedTuple

from docs.drawings.parts import sheet, tag

LAST = 4  # the last frame stands as long as so many others
SMALL = 160  # px: the width of the still picture


class Loop(NamedTuple):
    """Frames that are shown one after the other, `beat` seconds each.

    behind: what lies under all of them. title, description: the same in words.
    """

    frames: Sequence[str]
    behind: str
    beat: float
    height: float
    title: str
    description: str


def film(loop: Loop) -> str:
    """The file that plays: all frames, and the rules that show one at a time."""
    last = len(loop.frames) - 1
    slots = last + LAST
    seconds, after, rest = loop.beat * slots, 100 / slots, 100 * last / slots
    delays = (f".k{k}{{animation-delay:{k * loop.beat - seconds:.2f}s}}" for k in range(last))
    rules = (
        ".frame{visibility:hidden}.last{visibility:visible}\n"
        f"@keyframes one{{0%{{visibility:visible}}{after:.3f}%,to{{visibility:hidden}}}}\n"
        f"@keyframes last{{0%{{visibility:hidden}}{rest:.3f}%,to{{visibility:visible}}}}\n"
        "@media (prefers-reduced-motion:no-preference){"
        f".frame{{animation:one {seconds:.2f}s step-end infinite}}"
        f".last{{animation-name:last}}{''.join(delays)}}}"
    )
    groups = [
        tag("g", frame, class_=f"frame k{k}" if k < last else "frame last")
        for k, frame in enumerate(loop.frames)
    ]
    body = tag("style", rules) + loop.behind + "".join(groups)
    return sheet(loop.height, body, title=loop.title, description=loop.description)


def still(loop: Loop) -> str:
    """The last frame alone, small: it stands above the loop, and remains when that is closed."""
    body = loop.behind + loop.frames[-1]
    return sheet(loop.height, body, title=loop.title, description=loop.description, width=SMALL)
