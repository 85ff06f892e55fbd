"""The loops that open lessons 10 and 10b: a ladder with a hole, and ratings that move."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from docs.drawings.openings.loop import Loop
from docs.drawings.openings.tictactoe import value_board
from docs.drawings.parts import label, line, state, tag
from rlcourse.agents import make_agent
from rlcourse.games import get_game
from rlcourse.ladder import Ladder
from rlcourse.learning import games, make_learner, train
from rlcourse.lessons.lesson10 import best_response
from rlcourse.lessons.lesson10b import elo_update
from rlcourse.round_robin import RoundRobin

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
        board_of = "".join(value_board(position, unseen, 60, corner=(322, 42)))
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
