"""The loops that open lessons 00, 02, 02b and 03: a game, and what tables and a network learn."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from docs.drawings.openings.loop import Loop
from docs.drawings.parts import SIZE, box, label, tag
from rlcourse.agents import load_agent
from rlcourse.drawing.svg import (
    BEST,
    EDGE,
    number_colour,
    number_text,
    square,
    symbol,
    text,
)
from rlcourse.games import from_recipe, get_game
from rlcourse.judges.tictactoe import judge
from rlcourse.learning import games, make_learner, train
from rlcourse.plots import on_grid
from rlcourse.results import load_results


class View(NamedTuple):
    """A moment of a game of tic-tac-toe.

    values [9]: of the moves, for the player to move; NaN where none is shown. words: what happens.
    """

    position: Any
    values: np.ndarray
    words: str


GAME_SEED = 32  # of a game in which O makes its mistake at the second move


def perfect_game() -> list[View]:
    """The perfect player, X, wins against random play."""
    rng = np.random.default_rng(GAME_SEED)
    perfect = load_agent("tic-tac-toe/perfect")
    position, unseen = get_game("tic-tac-toe").new_game(), np.full(9, np.nan)
    views = [View(position, unseen, "a new game")]
    while not position.is_over():
        if position.next_player == 0:
            thought = perfect.think(position)
            views.append(View(position, thought.q[0], "X computes each move"))
            move, words = rng.choice(np.flatnonzero(thought.policy[0])), "X takes a best one"
        else:
            move, words = rng.choice(position.legal_moves()), "O moves at random"
        position = position.apply_move(int(move))
        views.append(View(position, unseen, words))
    return [*views[:-1], views[-1]._replace(words="X has won")]


def game(views: Sequence[View]) -> Loop:
    """A game of the perfect player, with the values of its moves."""
    behind = [_ground(60), label(216, 74, "with best play from then on", anchor="start")]
    for k, (value, meaning) in enumerate(((1, "X wins"), (0, "a draw"), (-1, "O wins"))):
        y = 108 + 34 * k
        behind.append(square(232, y, 14, 4, fill=number_colour(value), stroke=EDGE))
        behind.append(text(232, y, number_text(value), 16, font_weight=600))
        behind.append(label(262, y, meaning, anchor="start"))
    frames = [
        label(216, 34, view.words, anchor="start", bold=True)
        + "".join(value_board(view.position, view.values, 60))
        for view in views
    ]
    return Loop(
        frames,
        "".join(behind),
        beat=1.2,
        height=212,
        title="A player that cannot be beaten",
        description=(
            "A game of tic-tac-toe. Before each move of X, a number on every free square says how "
            "the game ends after a move there with best play: +1 X wins, 0 a draw, -1 O wins. X "
            "takes a move with the highest number. O moves at random, makes mistakes, and X wins."
        ),
    )


def _ground(pitch: float) -> str:
    """The box under a board whose squares are `pitch` apart."""
    side = 3 * pitch
    return tag("rect", x=16, y=16, width=side, height=side, rx=12, class_="f-box s-edge")


def value_board(
    position: Any,
    values: np.ndarray,
    pitch: float,
    *,
    corner: tuple[float, float] = (16, 16),
    least: float = 0,
) -> list[str]:
    """Stones, and the values [9] that are not NaN; the best has a mark if it is above `least`."""
    scale = pitch / 96
    body = []
    for a, value in enumerate(values):
        x, y = corner[0] + pitch * (a % 3 + 0.5), corner[1] + pitch * (a // 3 + 0.5)
        stone = position.board[a // 3][a % 3]
        shown = not (stone or np.isnan(value))
        colour = number_colour(value if shown else 0)
        body.append(square(x, y, 44 * scale, 9 * scale, fill=colour, stroke=EDGE))
        if stone:
            body.append(symbol(int(stone) - 1, x, y, 20 * scale, 10 * scale))
        elif shown:
            body.append(text(x, y, number_text(value), max(20 * scale, SIZE), font_weight=600))
            if value == np.nanmax(values) > least:
                body.append(square(x, y, 39 * scale, 7 * scale, **BEST))
    return body


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
    behind = [_ground(96)]
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


def deep_q() -> Loop:
    """The values of two positions while a network learns from its own games."""
    [row] = load_results("deep-q-values")["rows"]
    positions = [from_recipe(recipe) for recipe in row["positions"]]
    behind = []
    for left, mover in ((12, "X"), (272, "O")):
        behind.append(
            tag("rect", x=left, y=28, width=236, height=236, rx=12, class_="f-box s-edge")
        )
        behind.append(label(left + 118, 14, f"{mover} to move", bold=True))
    for x, name in ((92, "games"), (260, "losing lines"), (428, "best moves of 4,520")):
        behind.append(label(x, 310, name))
    frames = []
    for moment in row["moments"]:
        body = []
        for position, values, left in zip(positions, moment["values"], (14.5, 274.5), strict=True):
            free = np.where(position.board.ravel() == 0, values, np.nan)
            body += value_board(position, free, 77, corner=(left, 30.5), least=-1)
        body += [
            label(x, 285, f"{count:,}", bold=True, size=26)
            for x, count in zip((92, 260, 428), moment["counts"], strict=True)
        ]
        frames.append("".join(body))
    games_played, losing_lines, optimal = row["moments"][-1]["counts"]
    return Loop(
        frames,
        "".join(behind),
        beat=0.8,
        height=324,
        title="A network learns what moves are worth",
        description=(
            "Two boards of tic-tac-toe with the network's value of each move for the player to "
            f"move, after 0 to {games_played:,} games of the network against itself. The values "
            "are noise at first, and all of them move at once. At the end the move that wins at "
            "once stands out on the left, and on the right the centre, the only reply that does "
            f"not lose. Then {losing_lines} lines are lost, and {optimal:,} of 4,520 moves are "
            "best."
        ),
    )


def _table_frame(position: Any, moment: Moment) -> str:
    counts = (moment.games, moment.losing_lines, moment.optimal)
    body = value_board(position, moment.values, 96)
    body += [
        label(412, 72 + 88 * k, f"{count:,}", bold=True, size=26) for k, count in enumerate(counts)
    ]
    return "".join(body)


PACE = (0, 500, 1_000, 2_000, 3_000, 4_000, 5_000, 7_000, 10_000, 20_000, 30_000, 40_000, 47_500)
TABLES = {"each position learns alone": "q-table-no-symmetry", "eight images share": "q-table"}


def best_moves() -> np.ndarray:
    """[len(PACE), 2] best moves of 4,520 by then: the median of the stored runs of each table."""
    medians = []
    for experiment in TABLES.values():
        rows = load_results(experiment)["rows"]
        medians.append(np.median([on_grid(PACE, row["curve"], 2) for row in rows], axis=0))
    return np.array(medians, int).T


def symmetry(history: np.ndarray) -> Loop:
    """Two tables learn, and one of them knows that a corner is a corner."""
    left, full = 24, 472  # where bars begin, and the length of 4,520
    tops = (84, 180)
    behind = [label(left, 20, "best moves of 4,520, median of 40 runs", anchor="start")]
    for y, name in zip(tops, TABLES, strict=True):
        behind.append(label(left, y - 22, name, anchor="start", colour="soft"))
        behind.append(box(left + full / 2, y + 16, full, 44, fill="shade"))
    frames = []
    for played, row in zip(PACE, history, strict=True):
        frame = [label(left + full, 20, f"{played:,} games", anchor="end", bold=True)]
        for y, moves in zip(tops, row, strict=True):
            long = full * moves / 4520
            bar = {"x": left, "y": y - 6, "width": long, "height": 44, "rx": 8}
            frame.append(tag("rect", **bar, class_="f-first"))
            end = " perfect" if moves == 4520 else ""
            frame.append(label(left + 100, y + 16, f"{moves:,}{end}", colour="on", bold=True))
        frames.append("".join(frame))
    return Loop(
        frames,
        "".join(behind),
        beat=0.9,
        height=236,
        title="A table that shares mirror images learns from fewer games",
        description=(
            "Two bars, the best moves of two tables, after 0 to 47,500 games. Where eight images "
            f"share a row, all 4,520 moves are best after {_perfect(history[:, 1]):,} games; where "
            f"each position learns alone, after {_perfect(history[:, 0]):,}."
        ),
    )


def _perfect(moves: np.ndarray) -> int:
    """The first of PACE after which all moves are best."""
    return PACE[int(np.flatnonzero(moves == 4520)[0])]
