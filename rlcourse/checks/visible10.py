"""The capstone's visible positions, worked by hand, and `trial`, which lets a player show what it can."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rlcourse.agents.base import RandomAgent
from rlcourse.agents.function import FunctionAgent
from rlcourse.arena import play_match
from rlcourse.checks.plain import Position
from rlcourse.checks.task import Case
from rlcourse.games import GameState, get_game

SECONDS = 0.02  # for a move, on average, as `rlcourse tournament` allows


@dataclass(frozen=True)
class Moves:
    """The secret of a position. right: the columns that are right; full: the columns that are full; told: wrong column ->
    mistake; else the one called `otherwise`."""

    right: tuple[int, ...]
    full: tuple[int, ...] = ()
    told: Mapping[int, str] = field(default_factory=dict)
    otherwise: str = ""


def legal() -> tuple[Case, ...]:
    """An empty board, a full column, one column left."""
    last = "connect-four:XXOXXO./OOXOOX./XXOXXO./OOXOOX./XXOXXOX/OOXOOXO"
    return (
        Case((Position("connect-four:"),), Moves(tuple(range(7))), title="the empty board"),
        Case(
            (Position("connect-four:000000"),),
            Moves((1, 2, 3, 4, 5, 6), (0,)),
            title="column a is full",
        ),
        Case((Position(last),), Moves((6,), (0, 1, 2, 3, 4, 5)), title="only column g is open"),
    )


def wins() -> tuple[Case, ...]:
    """Four in a row can be made: in a column, in a row, by the second player."""
    both = Moves((0,), (), {1: "blocked"}, "missed")
    return (
        Case(
            (Position("connect-four:010101"),),
            both,
            title="X has three in column a, O three in column b; X moves",
        ),
        Case(
            (Position("connect-four:001122"),),
            Moves((3,), otherwise="missed"),
            title="X has a1, b1, c1; X moves",
        ),
        Case(
            (Position("connect-four:1020601"),),
            Moves((0,), otherwise="missed"),
            title="O has three in column a; O moves",
        ),
    )


def blocks() -> tuple[Case, ...]:
    """The other player has three, and one place is left to stop him."""
    return (
        Case(
            (Position("connect-four:01010"),),
            Moves((0,), otherwise="unblocked"),
            title="X has three in column a; O moves",
        ),
        Case(
            (Position("connect-four:00112"),),
            Moves((3,), otherwise="unblocked"),
            title="X has a1, b1, c1; O moves",
        ),
        Case(
            (Position("connect-four:102060"),),
            Moves((0,), otherwise="unblocked"),
            title="O has three in column a; X moves",
        ),
    )


def gifts() -> tuple[Case, ...]:
    """Three in the second row, and the cell below the fourth is empty: who plays there makes room for four in a row."""
    return (
        _gift("4225465", (3,), "X has c2, e2, f2, and d1 is empty; O moves"),
        _gift("3554314", (2, 6), "X has d2, e2, f2, and c1 and g1 are empty; O moves"),
        _gift("3115344", (2,), "X has b2, d2, e2, and c1 is empty; O moves"),
    )


def _gift(digits: str, wrong: tuple[int, ...], title: str) -> Case:
    right = tuple(column for column in range(7) if column not in wrong)
    return Case(
        (Position(f"connect-four:{digits}"),),
        Moves(right, (), dict.fromkeys(wrong, "gift")),
        title=title,
    )


def trial(choose: Callable[[GameState], Any], games: int = 40, seed: int = 0) -> None:
    """Play against random moves and print what a tournament would see: wins with their interval, and seconds a move.

    What `choose` raises is raised here, so that you see where.
    """
    game = get_game("connect-four")
    player = FunctionAgent(game, choose)
    try:
        choose(game.new_game())
    except NotImplementedError:
        print("choose is not written yet.")
        return
    started = time.process_time()
    result = play_match(player, RandomAgent(game), games=games, seed=seed)
    seconds = (time.process_time() - started) / player.asked
    low, high = result.interval()
    print(
        f"Against random moves: {result.wins} of {games} games won, 95% interval {low:.0%} to {high:.0%}."
    )
    if result.forfeits[0]:
        print(f"{result.forfeits[0]} games were lost by an illegal move.")
    verdict = "better than random play" if low > 0.5 else "not shown to be better than random play"
    print(f"That is {verdict}. Seconds a move: {seconds:.4f}; {SECONDS:g} are allowed on average.")
    if seconds > SECONDS / 2:
        print(
            "Careful: the tournament's machine may be slower than yours. Stay below half of what is allowed."
        )
