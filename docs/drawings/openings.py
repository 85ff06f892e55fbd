"""The silent loops that open a lesson: frames of one drawing, shown one after the other by CSS.

Where nothing moves, or the reader's system asks for less motion, the last frame stands still.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from docs.drawings.parts import label, line, sheet, state, tag
from rlcourse.drawing.svg import BEST, EDGE, number_colour, number_text, square, symbol, text
from rlcourse.games import from_recipe
from rlcourse.judges.tictactoe import judge
from rlcourse.learning import games, make_learner, train
from rlcourse.results import load_results

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


class Moment(NamedTuple):
    """A table after so many games, and the judge's counts.

    values [9]: of the moves in POSITION, for X; NaN where a square is taken.
    """

    games: int
    values: np.ndarray
    losing_lines: int
    optimal: int


RUN = 3  # the stored run that the last section of lesson 02 repeats
EVERY = 500  # games between two frames
POSITION = "tic-tac-toe:XO......."


def moments() -> list[Moment]:
    """The stored run once more, with the values that its curve does not hold."""
    row, position = load_results("q-table")["rows"][RUN], from_recipe(POSITION)
    learner, end = make_learner("q-table", seed=row["seed"]), games(row["games"])
    return [
        Moment(
            step.games,
            learner.agent().think(position).q[0],
            step.verdict.losing_lines,
            step.verdict.optimal,
        )
        for step in train(learner, until=end, judge=judge, every=EVERY, seed=row["seed"])
    ]


def q_table(run: Sequence[Moment]) -> Loop:
    """Values fill in while a table learns from its own games."""
    behind = [tag("rect", x=16, y=16, width=288, height=288, rx=12, class_="f-box s-edge")]
    behind += [
        label(412, 44, "games"),
        label(412, 132, "losing lines"),
        label(412, 220, "best moves of 4,520"),
    ]
    frames = [_table_frame(from_recipe(POSITION), moment) for moment in run]
    last = run[-1]
    return Loop(
        frames,
        "".join(behind),
        beat=0.8,
        height=320,
        title="A table of values fills in",
        description=(
            "A tic-tac-toe board on which X is to move, with the value of each move, after 0 to "
            f"{last.games:,} games of a table against itself. All values are 0 at first. The moves "
            f"that win get theirs one after the other. At the end {last.losing_lines} lines are "
            f"lost, and {last.optimal:,} of 4,520 moves are best."
        ),
    )


def _table_frame(position: Any, moment: Moment) -> str:
    best = np.nanmax(moment.values)
    body = []
    for a, value in enumerate(moment.values):
        x, y = 64 + 96 * (a % 3), 64 + 96 * (a // 3)
        stone = position.board[a // 3][a % 3]
        body.append(square(x, y, 44, 9, fill=number_colour(0 if stone else value), stroke=EDGE))
        if stone:
            body.append(symbol(int(stone) - 1, x, y, 20, 10))
        else:
            body.append(text(x, y, number_text(value), 20, font_weight=600))
            if value == best > 0:
                body.append(square(x, y, 39, 7, **BEST))
    counts = (moment.games, moment.losing_lines, moment.optimal)
    body += [
        label(412, 72 + 88 * k, f"{count:,}", bold=True, size=26) for k, count in enumerate(counts)
    ]
    return "".join(body)


PATH, LAM = (3, 4, 5, 4, 3, 2, 3, 4, 5, 6), 0.8  # as in the first cell of lesson 04; room A is 0


def traces() -> np.ndarray:
    """[T, 7] the trace of each room after each step of PATH."""
    history, trace = [], np.zeros(7)
    for room in PATH:
        trace = LAM * trace
        trace[room] += 1
        history.append(trace)
    return np.array(history)


def trace(history: np.ndarray) -> Loop:
    """A trace runs after a walker."""
    xs = [56 + 68 * k for k in range(7)]
    behind = [line((20, 240), (500, 240), colour="soft", width=1.5)]
    behind += [label(x, 296, name) for x, name in zip(xs, "ABCDEFG", strict=True)]
    behind.append(label(22, 24, f"credit of each room, λ = {LAM:g}", colour="soft", anchor="start"))
    frames = []
    for step, (room, credit) in enumerate(zip(PATH, history, strict=True), 1):
        frame = [label(498, 24, f"step {step}", anchor="end", bold=True)]
        for k, (x, share) in enumerate(zip(xs, credit, strict=True)):
            here = k == room
            tall = 62 * share
            fill = "second" if here else "first"
            frame.append(
                tag("rect", x=x - 20, y=240 - tall, width=40, height=tall, class_=f"f-{fill}")
            )
            look = {"fill": "second", "stroke": "second"} if here else {}
            frame.append(state(x, 264, r=12, **look))
            if share:
                frame.append(label(x, 228 - tall, f"{share:.2f}"))
        frames.append("".join(frame))
    return Loop(
        frames,
        "".join(behind),
        beat=0.9,
        height=314,
        title="An eligibility trace follows a walker",
        description=(
            "Seven rooms in a row, A to G. A walker goes from D to E, F, E, D, C, D, E, F and G. "
            "At every step the bars of all rooms shrink by the factor 0.8 and the bar of the "
            "walker's room grows by 1, so that rooms visited lately and often stand out."
        ),
    )


def openings() -> dict[str, str]:
    """File name -> the loop or its still. It trains a table, which takes seconds."""
    loops = {"opening-02": q_table(moments()), "opening-04": trace(traces())}
    stills = {f"{name}-still": still(loop) for name, loop in loops.items()}
    return {name: film(loop) for name, loop in loops.items()} | stills
