"""The loops that open lessons 06a, 06b and 07: Go as a policy and a critic see it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from docs.drawings.go import goban, point, stones, wood
from docs.drawings.openings.loop import Loop
from docs.drawings.parts import SIZE, box, label, line, state, tag
from rlcourse.agents import load_agent, make_agent
from rlcourse.drawing.svg import (
    BEST,
    EDGE,
    number_colour,
    number_text,
    square,
    text,
)
from rlcourse.games import from_recipe
from rlcourse.results import load_results
from rlcourse.self_play import simulate_game


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
    for_black = bot.forward(planes)[1] * [1 - 2 * position.next_player for position in states]
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
