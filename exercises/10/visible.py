"""The capstone's visible positions, worked by hand, and `trial`, which lets
a player show what it can.
"""

import time
from collections.abc import Callable
from typing import Any

from rlcourse.agents.base import RandomAgent
from rlcourse.agents.function import FunctionAgent
from rlcourse.arena import play_match
from rlcourse.checks.judging import Secret
from rlcourse.checks.plain import Position
from rlcourse.checks.task import Case
from rlcourse.games import GameState, get_game

SECONDS = 0.02  # for a move, on average, as `rlcourse tournament` allows


class Moves(Secret):
    """The secret of a position. right: the columns that are right. slips: mistake ->
    the columns that it leads to.
    """


def legal() -> tuple[Case, ...]:
    """An empty board, a full column, one column left."""
    last = "XXOXXO./OOXOOX./XXOXXO./OOXOOX./XXOXXOX/OOXOOXO"
    return (
        _case("", [0, 1, 2, 3, 4, 5, 6], "the empty board"),
        _case("000000", [1, 2, 3, 4, 5, 6], "column a is full"),
        _case(last, [6], "only column g is open"),
    )


def wins() -> tuple[Case, ...]:
    """Four in a row can be made: in a column, in a row, by the second player."""
    return (
        _case("010101", [0], "X has three in column a, O three in column b; X moves"),
        _case("001122", [3], "X has a1, b1, c1; X moves"),
        _case("1020601", [0], "O has three in column a; O moves"),
    )


def blocks() -> tuple[Case, ...]:
    """The other player has three, and one place is left to stop them."""
    return (
        _case("01010", [0], "X has three in column a; O moves"),
        _case("00112", [3], "X has a1, b1, c1; O moves"),
        _case("102060", [0], "O has three in column a; X moves"),
    )


def gifts() -> tuple[Case, ...]:
    """Three in the second row, and the cell below the fourth is empty: who plays there
    makes room for four in a row.
    """
    return (
        _case("4225465", [0, 1, 2, 4, 5, 6], "X has c2, e2, f2, and d1 is empty; O moves"),
        _case("3554314", [0, 1, 3, 4, 5], "X has d2, e2, f2, and c1 and g1 are empty; O moves"),
        _case("3115344", [0, 1, 3, 4, 5, 6], "X has b2, d2, e2, and c1 is empty; O moves"),
    )


def _case(digits: str, right: list[int], title: str) -> Case:
    """The position after these moves, or of this board."""
    return Case((Position(f"connect-four:{digits}"),), Moves(right), title=title)


def trial(choose: Callable[[GameState], Any], games: int = 40, seed: int = 0) -> None:
    """Play against random moves and print what a tournament would see: wins with their
    interval, and seconds a move.

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
        f"Against random moves: {result.wins} of {games} games won, 95% interval "
        f"{low:.0%} to {high:.0%}."
    )
    if result.forfeits[0]:
        print(f"{result.forfeits[0]} games were lost by an illegal move.")
    verdict = "better than random play" if low > 0.5 else "not shown to be better than random play"
    print(f"That is {verdict}. Seconds a move: {seconds:.4f}; {SECONDS:g} are allowed on average.")
    if seconds > SECONDS / 2:
        print(
            "Careful: the tournament's machine may be slower than yours. Stay below "
            "half of what is allowed."
        )
