"""The capstone's visible positions, worked by hand, and `trial`, which lets
a player show what it can.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlcourse.agents.base import Decision, RandomAgent
from rlcourse.agents.function import FunctionAgent
from rlcourse.arena import play_match
from rlcourse.checks.difference import Compared
from rlcourse.checks.judging import Secret
from rlcourse.checks.plain import Position
from rlcourse.checks.task import Case
from rlcourse.games import Batch, Game, GameState, get_game
from rlcourse.games.grid import GridState

SECONDS = 0.02  # for a move, on average, as `rlcourse tournament` allows

DUTIES = {
    "legal": "Legal moves only",
    "wins": "Win when you can",
    "blocks": "Stop what can be stopped",
    "gifts": "Give nothing away",
}


class Moves(Secret):
    """The secret of a position. right: the columns that are right. slips: mistake ->
    the columns that it leads to.
    """

    def compared(self, answer: int) -> Compared:
        """The right columns beside the one that came."""
        return Compared("", (("", ", ".join(map(named, self.right)), named(answer)),))


def named(column: int) -> str:
    """The column with its letter, if there is such a column."""
    return f"{column} ({'abcdefg'[column]})" if 0 <= column < 7 else str(column)


def legal() -> tuple[Case, ...]:
    """An empty board, full columns, one place left, and a position in which every move loses."""
    last = "XXOXXO./OOXOOXO/XXOXXOX/OOXOOXX/XXOXXOX/OOXOOXO"
    lost = "...X.../...O.../...X.../...O.../...X.X./.OOO.X."
    return (
        _case("", [0, 1, 2, 3, 4, 5, 6], "the empty board; X moves"),
        _case("000000", [1, 2, 3, 4, 5, 6], "column a is full; X moves"),
        _case(last, [6], "only g6 is open; O moves"),
        _case(lost, [0, 1, 2, 4, 5, 6], "every move loses, and column d is full; X moves"),
    )


def wins() -> tuple[Case, ...]:
    """Four in a row can be made: by either player, in each direction, with and without a threat of
    the other player's, inside the board, on its edges and beside a full column.
    """
    row = "......./......./......./.O...../.O....X/OO.X.XX"
    top = "......./......O/......O/....X.O/....X.X/...OX.X"
    falling = "......./......./......./...OX../...OOX./..XXOOX"
    rising = "......./......./......./..OX.../.OXX.../OXXO..."
    beside = "O....../X....../O....../X....../O.XX.X./X.OO.OX"
    column = "......./......./......./..X..../..X.O../..XOO.."
    return (
        _case(row, [4], "X has d1, f1, g1, and O threatens b4; X moves"),
        _case(top, [6], "O has g3, g4, g5, and X threatens e4; O moves"),
        _case(falling, [3], "X has e3, f2, g1, and d4 is open; X moves"),
        _case(rising, [3], "O has a1, b2, c3, and d4 is open; O moves"),
        _case(beside, [4], "O has c1, d1, f1, and column a is full; O moves"),
        _case(column, [2], "X has c1, c2, c3; X moves"),
    )


def blocks() -> tuple[Case, ...]:
    """The other player has three, in each direction, and one place is left to stop them."""
    row = "......./......./......./......./....O.X/OX.XX.O"
    top = "......./......O/......O/......O/....X.X/...OX.X"
    falling = "......./......./...X.../...X.O./...OOX./O..OXXX"
    rising = "......./......./...O.../..OX.../..XX.X./OOXO.XO"
    beside = "O....../X....../O....../X....../O..XX../X.XOOO."
    column = "......./......./......./..X..../..X.O../..X.O.."
    return (
        _case(row, [2], "X has b1, d1, e1; O moves"),
        _case(top, [6], "O has g3, g4, g5; X moves"),
        _case(falling, [4], "X has d4, f2, g1, and e3 is open; O moves"),
        _case(rising, [1], "O has a1, c3, d4, and b2 is open; X moves"),
        _case(beside, [6], "O has d1, e1, f1, and column a is full; X moves"),
        _case(column, [2], "X has c1, c2, c3; O moves"),
    )


def gifts() -> tuple[Case, ...]:
    """The cell below the fourth one of a line is empty: who plays there makes room for it."""
    sides = "......./......./.OO..../.XX..X./XXXOXOX/XOOXOOO"
    middle = "......./..O..X./..O.OX./.OX.XO./XXO.OXO/XOOOXXX"
    two = "OO..OXX/XX..OXO/XOO.OXX/XOO.XOO/OXXOOXO/XXXOXXO"
    last = "XXXO.OO/OXOO.XX/OXXXOOX/XOOOXXX/OOXOOXO/XOXOXXO"
    lost = "......./......./......./......./X....../X.OOO.X"
    return (
        _case("3554314", [0, 1, 3, 4, 5], "X has d2, e2, f2, and c1 and g1 are empty; O moves"),
        _case(sides, [1, 2, 4, 5], "columns a, d and g are gifts; O moves"),
        _case(middle, [1, 2, 4, 5], "columns a, d and g are gifts; X moves"),
        _case(two, [2], "columns c and d are open, and d is a gift; X moves"),
        _case(last, [4], "e5 is the only move, and lets O win with e6; X moves"),
        _case(lost, [0, 1, 2, 3, 4, 5, 6], "O threatens b1 and f1, so every move loses; X moves"),
    )


def _case(digits: str, right: list[int], title: str) -> Case:
    """The position after these moves, or of this board."""
    return Case((Position(f"connect-four:{digits}"),), Moves(right), title=title)


def duties(state: GameState) -> dict[int, str]:
    """legal move -> the duty that it neglects, "" where it keeps all.

    Nothing is neglected where every move loses.
    """
    legal, won = state.legal_moves(), fours(state)
    if won:
        return {move: "" if move in won else "wins" for move in legal}
    replies = {move: fours(state.apply_move(move)) for move in legal}
    if all(replies.values()):
        return dict.fromkeys(legal, "")
    # A four on top of my stone was my gift; any other one was there before.
    named = {move: "gifts" if replies[move] == [move] else "blocks" for move in legal}
    return {move: named[move] if replies[move] else "" for move in legal}


def fours(state: GameState) -> list[int]:
    """The moves that make four in a row."""
    return [move for move in state.legal_moves() if state.apply_move(move).winner()]


class _Watched(FunctionAgent):
    """A player whose positions and moves are kept: (number of the game from 1 on, state, move)."""

    def __init__(self, game: Game, choose: Callable[[GameState], Any]) -> None:
        super().__init__(game, choose)
        self.played: list[tuple[int, GameState, int]] = []

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """As the function says."""
        decision = super().decide(batch, rows, rng)
        moves = zip(rows.tolist(), decision.action.tolist(), strict=True)
        self.played += [(row + 1, batch.state(row), move) for row, move in moves]
        return decision


def trial(choose: Callable[[GameState], Any], games: int = 40, seed: int = 0) -> None:
    """Play against random moves and print what a tournament would see: wins with their interval,
    seconds a move, and for each duty the first game and ply in which it was neglected.

    What `choose` raises is raised here, so that you see where.
    """
    game = get_game("connect-four")
    player = _Watched(game, choose)
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
    verdict = "better than random play" if low > 0.5 else "not shown to be better than random play"
    print(f"That is {verdict}. Seconds a move: {seconds:.4f}; {SECONDS:g} are allowed on average.")
    if seconds > SECONDS:
        print("Too slow: in the tournament this player runs out of time and loses.")
    elif seconds > SECONDS / 2:
        print(
            "Careful: the tournament's machine may be slower than yours. Stay below "
            "half of what is allowed."
        )
    report(player.played)


def report(played: Sequence[tuple[int, GameState, int]]) -> None:
    """For each duty: how many positions asked for it, and where it was neglected first."""
    asked, neglected = Counter[str](), Counter[str]()
    first: dict[str, tuple[int, GameState, int]] = {}
    for number, state, move in played:
        duty_of = duties(state)
        asked.update({"legal", *duty_of.values()} - {""})
        duty = duty_of.get(move, "legal")
        neglected[duty] += 1
        if number < first.get(duty, (number + 1,))[0]:
            first[duty] = number, state, move
    for duty, name in DUTIES.items():
        if not asked[duty]:
            print(f"{name}: no position of these games asked for it.")
            continue
        if not neglected[duty]:
            print(f"{name}: asked for in {asked[duty]} positions, never neglected.")
            continue
        number, state, move = first[duty]
        assert isinstance(state, GridState)
        ply = 1 + int((state.board != 0).sum())
        print(
            f"{name}: neglected in {neglected[duty]} of {asked[duty]} positions; first in game "
            f"{number}, ply {ply}, where column {'abcdefg'[move]} was played:\n{state}"
        )
