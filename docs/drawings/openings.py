"""The silent loops that open a lesson: frames of one drawing, shown one after the other by CSS.

Where nothing moves, or the reader's system asks for less motion, the last frame stands still.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from docs.drawings.backgammon import board
from docs.drawings.connect_four import board as four
from docs.drawings.go import goban, point, stones, wood
from docs.drawings.parts import SIZE, box, label, line, sheet, state, tag
from rlcourse.agents import load_agent, make_agent
from rlcourse.agents.search_plain import Node, search
from rlcourse.arena import wilson
from rlcourse.drawing.svg import (
    BEST,
    EDGE,
    number_colour,
    number_text,
    square,
    symbol,
    text,
)
from rlcourse.drawing.tree import layout
from rlcourse.games import from_recipe, get_game
from rlcourse.judges.tictactoe import judge
from rlcourse.ladder import Ladder
from rlcourse.learning import games, make_learner, train
from rlcourse.lessons.lesson10 import best_response
from rlcourse.lessons.lesson10b import elo_update
from rlcourse.plots import on_grid
from rlcourse.results import load_results
from rlcourse.round_robin import RoundRobin, round_robin
from rlcourse.sampling import categorical
from rlcourse.self_play import simulate_game

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
        + "".join(_board(view.position, view.values, 60))
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


def _board(
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
            body += _board(position, free, 77, corner=(left, 30.5), least=-1)
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


def policy_gradient() -> Loop:
    """The policy in two positions of Go while a network learns from its own games."""
    [row] = load_results("policy-gradient-policies")["rows"]
    positions = [from_recipe(recipe) for recipe in row["positions"]]
    corners = ((12, 28), (272, 28))
    behind = [label(130, 14, "a new game", bold=True), label(390, 14, "a stone to take", bold=True)]
    for position, (left, top) in zip(positions, corners, strict=True):
        behind.append(box(left + 118, top + 118, 236, 236))
        board = np.array(position.board)
        behind.append(stones(board, left + 3, top + 3, PITCH, {"class_": "s-ink"}))
    mark = square(*point(TAKING, 275, 31, PITCH), 20.5, 7, **BEST)
    for x, name in ((92, "games"), (260, "won of 1,000"), (428, "takes the stone")):
        behind.append(label(x, 310, name))
    frames = []
    for moment in row["moments"]:
        body = []
        for position, policy, (left, top) in zip(
            positions, moment["policies"], corners, strict=True
        ):
            body += _tiles(position, policy, left + 3, top + 3)
        played, won, _ = moment["counts"]
        body += [
            mark,
            label(92, 285, f"{played:,}", bold=True, size=26),
            label(260, 285, f"{won:,}", bold=True, size=26),
            label(428, 285, f"{moment['policies'][1][TAKING]:.0%}", bold=True, size=26),
        ]
        frames.append("".join(body))
    first, last = row["moments"][0], row["moments"][-1]
    return Loop(
        frames,
        "".join(behind),
        beat=1.0,
        height=324,
        title="A policy learns from its own games",
        description=(
            "Two boards of Go, 5 by 5, Black to move, with the probability of each move, after 0 "
            f"to {last['counts'][0]:,} games of a network against itself. At first all points are "
            "about equally likely. Then the centre of the empty board gains, and on the right the "
            f"move that takes a stone goes from {first['policies'][1][TAKING]:.0%} to "
            f"{last['policies'][1][TAKING]:.0%}. Of 1,000 games with random play "
            f"{first['counts'][1]} were won at first, and {last['counts'][1]} at the end."
        ),
    )


PITCH, TAKING = 46, 17  # of the points on a board in that film; the action C2


def _tiles(position: Any, policy: Sequence[float], left: float, top: float) -> list[str]:
    """A tile with the probability of each free point; below 1% it has no number."""
    body = []
    for action in np.flatnonzero(np.array(position.board) == 0):
        x, y = point(int(action), left, top, PITCH)
        share = policy[action]
        body.append(square(x, y, 20.5, 7, fill=number_colour(share, "share"), stroke=EDGE))
        if share >= 0.01:
            body.append(text(x, y, number_text(share, "share"), SIZE))
    return body


def _table_frame(position: Any, moment: Moment) -> str:
    counts = (moment.games, moment.losing_lines, moment.optimal)
    body = _board(position, moment.values, 96)
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


WATCHED, WATCHED_SEED, EACH = "go/actor-critic-5x5", 8, 29  # EACH: so many positions, then the end


class Judged(NamedTuple):
    """A position of Go, the move that led there, and what a critic says of it.

    last: the action, -1 in a new game. value: for Black, in [-1, 1]; after the game its result.
    """

    position: Any
    last: int
    value: float


def watched_game() -> list[Judged]:
    """A game of the shipped actor-critic with itself, which Black loses late."""
    bot = load_agent(WATCHED)
    bot.rng = np.random.default_rng(WATCHED_SEED)
    record = simulate_game(bot, bot)
    states = record.states[:-1]
    planes = np.stack([bot.encoder.encode(position) for position in states])
    for_black = bot.values(planes) * [1 - 2 * position.next_player for position in states]
    values = [*for_black.round(2).tolist(), record.points]
    last = [-1, *(bot.game.action(move) for move in record.moves)]
    return [Judged(*judged) for judged in zip(record.states, last, values, strict=True)]


def critic(judged: Sequence[Judged]) -> Loop:
    """A critic's value while a game is played."""
    left, middle, full, end = 268, 152, 84, len(judged) - 1

    def at(ply: int) -> tuple[float, float]:
        return round(left + 228 * ply / end, 1), round(middle - full * judged[ply].value, 1)

    behind = [wood(5, 24, 52, 40)]
    for value, name in ((1, "+1: Black wins"), (0, "0"), (-1, "−1: White wins")):
        y = middle - full * value
        behind.append(line((left, y), (500, y), colour="edge", width=1.5))
        behind.append(label(left, y - 14 if value >= 0 else y + 16, name, anchor="start"))
    frames = []
    for ply in (*range(EACH), end):
        words = "White has won" if ply == end else f"critic: {number_text(judged[ply].value)}"
        frame = [
            label(16, 24, f"ply {ply}", anchor="start", bold=True),
            label(500, 24, words, anchor="end", bold=True),
            _played(judged[ply]),
        ]
        if ply:
            frame.append(line(*map(at, range(ply + 1)), colour="first", width=3))
        x, y = at(ply)
        frame.append(tag("circle", cx=x, cy=y, r=6, class_="f-second"))
        frames.append("".join(frame))
    high = max(moment.value for moment in judged)
    return Loop(
        frames,
        "".join(behind),
        beat=0.55,
        height=268,
        title="A critic watches a game of Go",
        description=(
            "A board of 5 by 5 on which Black and White play in turn. Beside it a curve, the "
            f"critic's value for Black, begins at {judged[0].value:+.2f}, rises to {high:+.2f}, "
            f"and falls to {judged[EACH - 1].value:+.2f} at ply {EACH - 1}. White wins "
            f"{end - EACH + 1} plies later."
        ),
    )


def _played(judged: Judged) -> str:
    """The stones on the board of `critic`, and a ring on the last one."""
    body = stones(np.array(judged.position.board), 24, 52, 40)
    if judged.last in range(25):
        x, y = point(judged.last, 24, 52, 40)
        body += tag("circle", cx=x, cy=y, r=7, fill="none", stroke=EDGE, stroke_width=3)
    return body


GO_SEED = 9  # of the random player
GO_PITCH = 48  # px between two lines of the board


class Thought(NamedTuple):
    """A position of Go with Black to move. policy [26]: Black's probabilities."""

    position: Any
    policy: np.ndarray


def go_game() -> tuple[list[Thought], Any]:
    """What the shipped bot, Black, thinks in a game with random play, and the end of the game."""
    bot = load_agent("go/policy-5x5")
    white = make_agent("random", bot.game, seed=GO_SEED)
    states = simulate_game(bot.at_temperature(0), white).states
    return [Thought(state, bot.think(state).policy[0]) for state in states[:-1:2]], states[-1]


def go_player(thoughts: Sequence[Thought], end: Any) -> Loop:
    """A trained network plays Go against random play; its probabilities lie on the board."""
    behind = [
        label(274, 44, "Black: a network\nthat was trained", anchor="start"),
        label(274, 104, "White: random play", anchor="start"),
        state(284, 146, r=9, fill="first", stroke="first"),
        label(302, 146, "a likely move of Black's", anchor="start"),
    ]
    frames = [_go_frame(thought.position, thought.policy) for thought in thoughts]
    points = int((end.area() == 1).sum())
    last = label(274, 222, f"Black owns {points} points.", anchor="start", bold=True)
    frames.append(_go_frame(end, np.zeros(26)) + last)
    return Loop(
        frames,
        "".join(behind),
        beat=0.85,
        height=256,
        title="A network plays Go against random play",
        description=(
            "A game of Go on 5 by 5 points, shown whenever Black is to move. Blue discs on the "
            "empty points grow with the probability that the network gives to a move there, and "
            "Black plays the likeliest. White plays at random. Black surrounds one stone after the "
            f"other, captures {end.captured[1]}, and owns {points} points at the end."
        ),
    )


def _go_frame(position: Any, policy: np.ndarray) -> str:
    """The board with a disc on each likely move, and the number of captured stones."""
    board = np.array(position.board)
    body = goban(board, 8, 8, GO_PITCH)
    for action in np.flatnonzero(policy[:-1] >= 0.05):
        # The disc's area is the probability, in steps that no rounding of the network moves.
        reach = 20 * round(10 * policy[action]) ** 0.5 / 10**0.5
        x, y = point(int(action), 8, 8, GO_PITCH)
        body += tag("circle", cx=x, cy=y, r=round(max(5, reach), 1), class_="f-first")
    return body + label(274, 190, f"{position.captured[1]} stones captured", anchor="start")


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


TRAP = "tic-tac-toe:X...O...X"  # O is to move: corners lose, edges draw
GROWTH = (2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 20, 25, 30, 40, 50, 60)  # simulations at each frame


def trees() -> list[Node]:
    """The tree of UCT in the trap after each of GROWTH."""
    rules, position = get_game("tic-tac-toe"), from_recipe(TRAP)
    return [
        search(rules, position, _rollout(np.random.default_rng(0)), n, rule="ucb1", c=1.4)
        for n in GROWTH
    ]


def _rollout(rng: np.random.Generator) -> Callable[[Any], tuple[np.ndarray, float]]:
    """The evaluation of UCT: equal priors, and the result of one random game."""

    def evaluate(position: Any) -> tuple[np.ndarray, float]:
        sign = 1 if position.next_player == 0 else -1
        while not position.is_over():
            moves = position.legal_moves()
            position = position.apply_move(moves[rng.integers(len(moves))])
        return np.ones(9), sign * position.points

    return evaluate


def tree(roots: Sequence[Node]) -> Loop:
    """A search tree grows beside the board."""
    behind = [
        tag("rect", x=12, y=40, width=156, height=156, rx=12, class_="f-box s-edge"),
        label(90, 218, "share of the visits", colour="soft"),
        label(16, 18, "O to move", bold=True, anchor="start"),
    ]
    frames = []
    for simulations, root in zip(GROWTH, roots, strict=True):
        head = label(504, 18, f"{simulations} simulations", anchor="end", bold=True)
        shares = [root.N.get(a, 0) / simulations for a in range(9)]
        tiles = _share_tiles(root.state, shares, 48, (18, 46))
        frames.append(head + "".join(tiles) + "".join(_dots(root)))
    best = get_game("tic-tac-toe").labels[max(roots[-1].N, key=roots[-1].N.__getitem__)]
    return Loop(
        frames,
        "".join(behind),
        beat=0.8,
        height=236,
        title="A search tree grows",
        description=(
            "A tic-tac-toe board with O to move, the share of the visits on each free square, and "
            f"the tree of the search after {GROWTH[0]} to {GROWTH[-1]} simulations. Every "
            "simulation adds a position. A dot is larger the more often it was visited; violet "
            f"loses for the player who moved there, green wins. At the end {best} has the most "
            "visits."
        ),
    )


def _dots(root: Node) -> list[str]:
    """The tree, one row a ply; leaves stand side by side."""
    column, width, dots = layout(root)

    def at(depth: int, place: float) -> tuple[float, float]:
        return round(186 + 322 * place / width, 1), 52 + 42 * depth

    body = []
    for dot in dots:
        ends = at(dot.depth - 1, dot.parent), at(dot.depth, dot.column)
        body.append(line(*ends, colour="edge", width=1))
    body.append(state(*at(0, column), r=8, fill="ink"))
    for dot in dots:
        x, y = at(dot.depth, dot.column)
        r = round(3 + 1.1 * dot.visits**0.6, 1)
        body.append(tag("circle", cx=x, cy=y, r=r, fill=number_colour(dot.mean), class_="s-soft"))
    return body


def alphazero() -> Loop:
    """The raw policy and that of its search in one position, while the one learns the other."""
    [row] = load_results("alphazero-policies")["rows"]
    position, corners = from_recipe(row["position"]), ((12, 28), (272, 28))
    behind = []
    for (left, top), name in zip(corners, ("raw policy p", "π of 50 simulations"), strict=True):
        behind.append(
            tag("rect", x=left, y=top, width=236, height=236, rx=12, class_="f-box s-edge")
        )
        behind.append(label(left + 118, 14, name, bold=True))
    for x, name in ((92, "games"), (260, "lines lost by p"), (428, "lines lost by search")):
        behind.append(label(x, 310, name))
    frames = []
    for moment in row["moments"]:
        body = []
        for shares, (left, top) in zip(moment["policies"], corners, strict=True):
            body += _share_tiles(position, shares, 77, (left + 2.5, top + 2.5))
        body += [
            label(x, 285, f"{count:,}", bold=True, size=26)
            for x, count in zip((92, 260, 428), moment["counts"], strict=True)
        ]
        frames.append("".join(body))
    first, last = row["moments"][0], row["moments"][-1]
    raw, searched = (max(shares) for shares in last["policies"])
    return Loop(
        frames,
        "".join(behind),
        beat=1.2,
        height=324,
        title="A policy learns from its own search",
        description=(
            "One position of tic-tac-toe with O to move, X in a corner. On the left the network's "
            "own probability of each move, on the right the share of the visits in a search of 50 "
            f"simulations, after 0 to {last['counts'][0]:,} games. The search finds the centre, "
            "the only move that does not lose, after the first 256 games. The network follows: at "
            f"the end it gives the centre {raw:.0%}, the search {searched:.0%}. The raw policy "
            f"lost {first['counts'][1]} lines at first and {last['counts'][1]} at the end, the "
            f"search {first['counts'][2]} and {last['counts'][2]}."
        ),
    )


def _share_tiles(
    position: Any, shares: Sequence[float], pitch: float, corner: tuple[float, float]
) -> list[str]:
    """A board of tic-tac-toe with a share [9] on each free square."""
    body, scale = [], pitch / 48
    for a, share in enumerate(shares):
        x, y = corner[0] + pitch * (a % 3 + 0.5), corner[1] + pitch * (a // 3 + 0.5)
        stone = position.board[a // 3][a % 3]
        fill = number_colour(share, "share")
        body.append(square(x, y, 22 * scale, 5 * scale, fill=fill, stroke=EDGE))
        if stone:
            body.append(symbol(int(stone) - 1, x, y, 11 * scale, 6 * scale))
        elif share:
            body.append(text(x, y, number_text(share, "share"), SIZE, font_weight=600))
    return body


TAUGHT, TAUGHT_SEED = (500, 2_000, 4_500), 74  # the tables of lesson 10, and their seed
PAIR = 144  # games of every two players: all openings of two plies, with both sides


def field() -> dict[str, Any]:
    """The five players of tic-tac-toe with which lesson 10 begins, from the weakest on."""
    rules = get_game("tic-tac-toe")
    players = {"random": make_agent("random", rules, seed=0)}
    for count in TAUGHT:
        learner = make_learner("q-table", seed=TAUGHT_SEED)
        for _ in train(learner, until=games(count), every=100, seed=TAUGHT_SEED):
            pass
        players[f"{count:,} games"] = learner.agent()
    return players | {"perfect": make_agent("perfect", rules, seed=0)}


def lost_line(champion: Any) -> list[Any]:
    """The positions of the first game, by the order of moves, that X wins against it."""
    line_of_play = [champion.game.new_game()]
    while not line_of_play[-1].is_over():
        position = line_of_play[-1]
        if position.next_player == 1:
            line_of_play.append(position.apply_move(champion.select_move(position)))
            continue
        after = (position.apply_move(move) for move in position.legal_moves())
        line_of_play.append(next(s for s in after if best_response(s, champion, 1) == 1))
    return line_of_play


def hole(rated: Ladder, line_of_play: Sequence[Any]) -> Loop:
    """The top of a ladder loses to a line that its opponent knows by heart."""
    rows = {name: 58 + 38 * k for k, name in enumerate(rated.names[k] for k in rated.order)}

    def at(elo: float) -> float:
        return round(136 + 160 * elo / 700, 1)

    behind = [label(12, 20, "Elo, with its interval", anchor="start", colour="soft")]
    behind += [label(12, y, name, anchor="start") for name, y in rows.items()]
    behind += [label(at(elo), 250, f"{elo}", colour="soft") for elo in (0, 300, 600)]
    behind.append(line((at(0), 232), (at(700), 232), colour="edge", width=1.5))
    behind.append(tag("rect", x=322, y=42, width=180, height=180, rx=12, class_="f-box s-edge"))
    ladder, frames = "", []
    for k in rated.order[::-1].tolist():
        low, high = (round(elo) for elo in rated.interval(k))
        y = rows[rated.names[k]]
        ladder += line((at(low), y), (at(high), y), colour="first", width=4)
        ladder += state(at(rated.elo[k]), y, r=6, fill="first", stroke="first")
        frames.append(ladder)
    unseen = np.full(9, np.nan)
    top = label(412, 20, "O: the champion", bold=True)
    for k, position in enumerate(line_of_play):
        board_of = "".join(_board(position, unseen, 60, corner=(322, 42)))
        words = "X knows a line" if k < len(line_of_play) - 1 else "X wins, every time"
        frames.append(ladder + top + board_of + label(412, 250, words, bold=True))
    return Loop(
        frames,
        "".join(behind),
        beat=1.0,
        height=270,
        title="The top of the ladder loses to a line known by heart",
        description=(
            "On the left the ladder of five players of tic-tac-toe fills from below: random play, "
            "tables after 500, 2,000 and 4,500 games, and a perfect player. On the right O, the "
            f"player on top of it, loses a game of {len(line_of_play) - 1} plies to a player that "
            "knows this one line."
        ),
    )


ORDERS = (3, 5)  # seeds of two orders of the games
STEP = 90  # games between two frames


def two_orders(played: RoundRobin) -> np.ndarray:
    """[2, F, K] Elo's ratings above random play, in two orders of the games, after every STEP."""
    history = []
    for seed in ORDERS:
        ratings = np.zeros(len(played.names))
        shown = [ratings.copy()]
        order = np.random.default_rng(seed).permutation(len(played.points))
        for count, number in enumerate(order.tolist(), 1):
            first, second = played.seats[:, number]
            elo_update(ratings, first, second, int(np.sign(played.points[number])))
            if count % STEP == 0:
                shown.append(ratings - ratings[0])
        history.append(shown)
    return np.array(history)


def elo_walk(names: Sequence[str], history: np.ndarray) -> Loop:
    """Elo's ratings move with every game, and the order of the games is in them."""

    def at(elo: float) -> float:
        return round(150 + 300 * elo / 600, 1)

    rows = [56 + 36 * k for k in range(len(names))]
    behind = [label(12, y, name, anchor="start") for name, y in zip(names, rows, strict=True)]
    behind += [label(at(elo), 240, f"{elo}", colour="soft") for elo in (0, 200, 400, 600)]
    behind.append(line((at(-60), 222), (at(700), 222), colour="edge", width=1.5))
    behind.append(label(12, 240, "Elo", anchor="start", colour="soft"))
    behind.append(label(12, 18, "the same games in two orders", anchor="start", colour="soft"))
    frames = []
    for count in range(history.shape[1]):
        frame = [label(506, 18, f"{STEP * count:,} games", anchor="end", bold=True)]
        for y, one, other in zip(rows, *history[:, count], strict=True):
            frame.append(line((at(one), y), (at(other), y), colour="edge", width=3))
            frame.append(state(at(one), y, r=7, fill="first", stroke="first"))
            frame.append(state(at(other), y, r=7, fill="second", stroke="second"))
        frames.append("".join(frame))
    apart = np.abs(history[0, -1] - history[1, -1]).round().astype(int)
    return Loop(
        frames,
        "".join(behind),
        beat=0.9,
        height=258,
        title="The same games in two orders give two sets of ratings",
        description=(
            "The Elo ratings of five players of tic-tac-toe above random play, blue and orange for "
            f"two orders of the same {STEP * (history.shape[1] - 1):,} games. The dots move from 0 "
            "to the right and go on moving. At the end the two ratings of a player differ by up to "
            f"{apart.max()} points."
        ),
    )


def half_minute() -> Loop:
    """The policy in two positions of Connect Four while a network learns from its own searches."""
    [row] = load_results("alphazero-connect-four-policies")["rows"]
    positions = [from_recipe(recipe) for recipe in row["positions"]]
    lefts, answers = (30, 294), (("X wins on d4", 3), ("X must block f1", 5))
    places = (56, 222, 418)
    names = ("games", "wrong of 252, raw", "with 100 simulations")
    behind = [label(x, 305, name) for x, name in zip(places, names, strict=True)]
    behind += [line((left, 244), (left + 196, 244), colour="soft", width=1.5) for left in lefts]
    frames = []
    for moment in row["moments"]:
        frame = []
        for position, left, policy, (words, column) in zip(
            positions, lefts, moment["policies"], answers, strict=True
        ):
            share = number_text(policy[column], "share")
            frame.append(label(left + 98, 18, f"{words}: {share}", bold=True))
            frame += [four(position, left, 34, 28, policy), *_bars(policy, left, 244)]
        for x, count in zip(places, moment["counts"], strict=True):
            frame.append(label(x, 278, f"{count:,}", bold=True, size=26))
        frames.append("".join(frame))
    before, after = row["moments"][0], row["moments"][-1]
    first, last = before["policies"], after["policies"]
    (_, raw, searched), (played, raw_end, searched_end) = before["counts"], after["counts"]
    return Loop(
        frames,
        "".join(behind),
        beat=1.2,
        height=322,
        title="A policy learns from its own searches",
        description=(
            "Two boards of Connect Four, X to move, with a bar below each column for the "
            f"probability of a move there, before and after {played:,} games of a network against "
            f"itself. On the left d4 wins, and its bar goes from {first[0][3]:.0%} to "
            f"{last[0][3]:.0%}. On the right f1 is the only move that does not lose, and its bar "
            f"goes from {first[1][5]:.0%} to {last[1][5]:.0%}. Of 252 decisions {raw} were wrong "
            f"raw at first, and {raw_end} at the end; with 100 simulations {searched} and "
            f"{searched_end}."
        ),
    )


def _bars(policy: Sequence[float], left: float, base: float) -> list[str]:
    """A bar below each column of a board, 36 high at a probability of 1."""
    body = []
    for column, share in enumerate(policy):
        tall = round(36 * share, 1)
        x = left + 28 * column + 3
        body.append(tag("rect", x=x, y=base - tall, width=22, height=tall, class_="f-first"))
    return body


def openings() -> dict[str, str]:
    """File name -> the loop or its still. It trains tables, which takes seconds."""
    players = field()
    tournament = round_robin(players, games=PAIR)
    loops = {
        "opening-00": game(perfect_game()),
        "opening-01": sampling(counts()),
        "opening-01b": confidence(match()),
        "opening-02": q_table(moments()),
        "opening-02b": symmetry(best_moves()),
        "opening-03": deep_q(),
        "opening-04": trace(traces()),
        "opening-05": forecast(forecasts()),
        "opening-06a": go_player(*go_game()),
        "opening-06b": policy_gradient(),
        "opening-07": critic(watched_game()),
        "opening-08": tree(trees()),
        "opening-09a": alphazero(),
        "opening-09b": half_minute(),
        "opening-10": hole(tournament.ladder("random"), lost_line(players["4,500 games"])),
        "opening-10b": elo_walk(list(players), two_orders(tournament)),
    }
    stills = {f"{name}-still": still(loop) for name, loop in loops.items()}
    return {name: film(loop) for name, loop in loops.items()} | stills
