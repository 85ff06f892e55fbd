"""The loops that open lessons 01, 01b, 04 and 05: shares, intervals, traces and forecasts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from docs.drawings.backgammon import board
from docs.drawings.openings.loop import Loop
from docs.drawings.parts import label, line, state, tag
from rlcourse.agents import load_agent
from rlcourse.arena import wilson
from rlcourse.games import get_game
from rlcourse.sampling import categorical

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


ROLLS = 50  # the seed of a game with two large swings


def forecasts() -> list[tuple[Any, float, str]]:
    """(position, X's chance to win, who rolled what) after each ply of the shipped bot's game."""
    rng, bot = np.random.default_rng(ROLLS), load_agent("backgammon/td-gammon")
    position = get_game("backgammon").new_game()
    moments = []
    while not position.is_over():
        position = bot.game.throw(position, rng)
        worth = {play.move: round(play.equity, 4) for play in bot.candidates(position)}
        mover, (high, low) = position.next_player, position.dice
        # Rounded, so that plays that are worth the same do not change places.
        position = position.apply_move(max(position.legal_moves(), key=worth.__getitem__))
        chance = float(bot.outputs(position.checkers[None], np.array([1 - mover], np.int8))[0, 0])
        moments.append(
            (position, chance if mover == 1 else 1 - chance, f"{'XO'[mover]} rolled {high}-{low}")
        )
    return moments


def forecast(moments: Sequence[tuple[Any, float, str]]) -> Loop:
    """A forecast of the result changes with the dice."""
    left, full = 14, 492  # where the bar of the forecast begins, and its length
    frames = []
    for ply, (position, chance, rolled) in enumerate(moments, 1):
        split = full * chance
        frame = [label(left, 20, rolled, anchor="start", bold=True)]
        frame.append(label(506, 20, f"ply {ply}", anchor="end"))
        frame.append(board(position.checkers))
        frame.append(label(left, 268, f"X wins {chance:.0%}", anchor="start", bold=True))
        frame.append(label(506, 268, f"O wins {1 - chance:.0%}", anchor="end", bold=True))
        bar = {"y": 284, "height": 26}
        frame.append(tag("rect", x=left, width=round(split, 1), **bar, class_="f-first"))
        rest = {"x": round(left + split, 1), "width": round(full - split, 1)}
        frame.append(tag("rect", **rest, **bar, class_="f-second"))
        frames.append("".join(frame))
    low, high = (moments[k][1] for k in (21, 22))  # before and after X's first 5-5
    return Loop(
        frames,
        line((260, 279), (260, 315), width=1.5),
        beat=0.47,
        height=324,
        title="A forecast changes with the dice",
        description=(
            f"A game of backgammon, {len(moments)} plies of the course's network against itself. "
            "Below the board a bar divides the chances of X and O. It stays near the middle for "
            f"nineteen plies. Then two doubles of O leave X with {low:.0%}. X rolls 5-5 and is "
            f"back at {high:.0%}. Two more doubles of X, and X has won."
        ),
    )


GIVEN = {"rock": 0.5, "paper": 0.3, "scissors": 0.2}
DRAWS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)


def counts() -> np.ndarray:
    """[len(DRAWS), 3] how often each item has been drawn by then."""
    rows = np.tile(list(GIVEN.values()), (DRAWS[-1], 1))
    drawn = categorical(rows, np.random.default_rng(1))
    return np.array([np.bincount(drawn[:n], minlength=len(GIVEN)) for n in DRAWS])


def sampling(history: np.ndarray) -> Loop:
    """A histogram of draws comes to the probabilities."""
    base, full = 240, 200  # where bars stand, and the height of 100%
    xs = (92, 252, 412)
    behind = [line((16, base), (504, base), colour="soft", width=1.5)]
    behind.append(
        label(16, 16, "share of the draws; dashed: probability", colour="soft", anchor="start")
    )
    for x, (name, p) in zip(xs, GIVEN.items(), strict=True):
        y = base - full * p
        behind.append(line((x - 44, y), (x + 44, y), width=2, dash=True))
        behind += [label(x + 66, y, f"{p:.0%}"), label(x, base + 20, name)]
    frames = []
    for n, drawn in zip(DRAWS, history, strict=True):
        frame = [label(504, 16, f"{n:,} draw{'s' if n > 1 else ''}", anchor="end", bold=True)]
        for x, share in zip(xs, drawn / n, strict=True):
            tall = full * share
            frame.append(
                tag("rect", x=x - 32, y=base - tall, width=64, height=tall, class_="f-first")
            )
            frame.append(label(x, base + 44, f"{share:.1%}", bold=True))
        frames.append("".join(frame))
    return Loop(
        frames,
        "".join(behind),
        beat=0.9,
        height=300,
        title="A histogram of draws comes to the probabilities",
        description=(
            "Bars for rock, paper and scissors, whose probabilities are 50%, 30% and 20%. After "
            "one draw one bar has everything. After ten draws two bars are off by ten points. "
            f"After {DRAWS[-1]:,} draws they stand at {_shares(history[-1])}, at the dashed lines "
            "of the probabilities."
        ),
    )


def _shares(drawn: np.ndarray) -> str:
    return ", ".join(f"{share:.1%}" for share in drawn / drawn.sum())


TRUE_RATE, LOOKS = 0.55, range(50, 801, 50)


def match() -> list[int]:
    """The wins at each of LOOKS, in one match of a player that truly wins TRUE_RATE."""
    won = np.random.default_rng(3).random(LOOKS[-1]) < TRUE_RATE
    return [int(won[:played].sum()) for played in LOOKS]


def confidence(wins: Sequence[int]) -> Loop:
    """The interval of a win rate closes."""

    def at(rate: float) -> float:
        return 40 + 1100 * (rate - 0.35)

    behind = [line((30, 160), (490, 160), colour="soft", width=1.5)]
    behind += [label(at(rate), 180, f"{rate:.0%}") for rate in (0.4, 0.5, 0.6, 0.7)]
    behind += [line((at(0.5), 60), (at(0.5), 160), dash=True), label(at(0.5), 46, "equal")]
    behind += [
        line((at(TRUE_RATE), 60), (at(TRUE_RATE), 160), colour="soft", width=1.5),
        label(at(TRUE_RATE), 46, "true", colour="soft"),
        label(16, 16, "win rate so far, with its 95% interval", colour="soft", anchor="start"),
    ]
    frames = []
    for played, won in zip(LOOKS, wins, strict=True):
        low, high = wilson(won, played)
        fill, verdict = ("first", "above 50%") if low > 0.5 else ("second", "holds 50%")
        bar = {"x": at(low), "y": 98, "width": at(high) - at(low), "height": 24}
        frames.append(
            label(504, 16, f"{played} games", anchor="end", bold=True)
            + tag("rect", **bar, rx=4, class_=f"f-{fill}")
            + state(at(won / played), 110, r=6)
            + label(260, 214, f"{won} won: {low:.1%} to {high:.1%}, {verdict}", bold=True)
        )
    return Loop(
        frames,
        "".join(behind),
        beat=0.7,
        height=236,
        title="The interval of a win rate closes",
        description=(
            f"The win rate of a player that truly wins {TRUE_RATE:.0%}, with its 95% interval, "
            f"after every 50 of {LOOKS[-1]} games. The interval becomes narrower with every frame, "
            f"and {_verdict(wins)}."
        ),
    )


def _verdict(wins: Sequence[int]) -> str:
    """From which of LOOKS on the interval lies above 50%, and stays there."""
    low = np.array([wilson(won, played)[0] for won, played in zip(wins, LOOKS, strict=True)])
    holds = np.flatnonzero(low <= 0.5)[-1]
    return f"from {LOOKS[holds + 1]} games on it lies above 50%"
