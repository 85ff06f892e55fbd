"""Sheet 10, the capstone: a player of Connect Four. Its first duties are judged here; how strong it is, in the tournament."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rlcourse.checks import oracle10, visible10
from rlcourse.checks.plain import Position
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, ManualTask, Task, Verdict
from rlcourse.checks.visible10 import Moves
from rlcourse.games import GameState

GENERAL = {
    "kind": "a move is a whole number from 0 to 6, the column, and this is something else (was nothing returned?)",
    "outside": "there is no such column: they are 0 (a) to 6 (g)",
    "full": "that column is full: ask state.legal_moves()",
}
WINS_MISTAKES = {
    **GENERAL,
    "blocked": "the other player is stopped where four in a row could be made: winning comes first",
    "missed": "four in a row could be made at once and was not: try every legal move and look at winner()",
}
BLOCKS_MISTAKES = {
    **GENERAL,
    "unblocked": "the other player makes four in a row with his next move, and it could have been stopped",
}
GIFTS_MISTAKES = {
    **GENERAL,
    "gift": "after this move the other player can make four in a row at once, and there are moves after which he cannot",
}


def _by_moves(case: Case, answer: Any) -> Verdict:
    """Any of several columns is right; of the others each has its mistake."""
    moves: Moves = case.secret
    if isinstance(answer, bool) or not isinstance(answer, int):
        mistake = "kind"
    elif not 0 <= answer < 7:
        mistake = "outside"
    elif answer in moves.full:
        mistake = "full"
    elif answer in moves.right:
        return Verdict(1.0)
    else:
        mistake = moves.told.get(answer, moves.otherwise)
        return Verdict(0.0, mistake, (mistake, moves.otherwise) if moves.otherwise else (mistake,))
    return Verdict(0.0, mistake, (mistake,))


def _draw(rng: np.random.Generator, count: int, secret: Callable[[GameState], Moves | None]) -> list[Case]:
    """Positions of random games, 7 to 34 plies long, for which there is a secret; as many for each player to move."""
    cases: dict[int, list[Case]] = {0: [], 1: []}
    while min(map(len, cases.values())) < count // 2:
        state = oracle10.random_game(rng, int(rng.integers(7, 35)))
        moves = secret(state)
        if moves is not None and len(cases[state.next_player]) < count // 2:
            full = tuple(column for column in range(7) if column not in state.legal_moves())
            asked = Moves(moves.right, full, moves.told, moves.otherwise)
            cases[state.next_player].append(Case((Position(state.recipe()),), asked))
    return cases[0] + cases[1]


def _legal_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> Moves | None:
        """Some column is full."""
        return Moves(tuple(state.legal_moves())) if len(state.legal_moves()) < 7 else None

    return _draw(rng, 16, secret)


def _wins_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState, *, threatened: bool) -> Moves | None:
        """A four can be made; where asked for, the other player has one as well."""
        right, others = oracle10.wins(state), set(oracle10.threats(state))
        told = dict.fromkeys(others - set(right), "blocked")
        return Moves(tuple(right), (), told, "missed") if right and bool(told) == threatened else None

    plain = _draw(rng, 8, lambda state: secret(state, threatened=False))
    return plain + _draw(rng, 8, lambda state: secret(state, threatened=True))


def _blocks_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> Moves | None:
        """The other player has one place for a four, we have none, and to take it does not make room for another one."""
        others = oracle10.threats(state)
        if len(others) != 1 or oracle10.wins(state) or others[0] in oracle10.gifts(state):
            return None
        return Moves(tuple(others), otherwise="unblocked")

    return _draw(rng, 16, secret)


def _gifts_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> Moves | None:
        """Quiet, but some moves give a four away and some do not."""
        bad = oracle10.gifts(state)
        good = tuple(move for move in state.legal_moves() if move not in bad)
        quiet = not oracle10.wins(state) and not oracle10.threats(state)
        return Moves(good, (), dict.fromkeys(bad, "gift")) if quiet and bad and good else None

    return _draw(rng, 16, secret)


# Exact play is no player of your own: the solver is out of reach, here and in the tournament.
_WITHHELD = ("rlcourse.solvers.connect_four:ConnectFourSolver", "rlcourse.solvers.connect_four:solver")
_ALSO = "16 positions of random games, 7 to 34 plies long, with either player to move; one wrong move costs the task"

SHEET = Sheet(
    number="10",
    title="Capstone: a player for the tournament",
    tasks=(
        Task(
            "legal", 10, 10, 1, "choose", _legal_cases, _by_moves, _WITHHELD, "Legal moves only",
            visible10.legal(), GENERAL, f"{_ALSO}; columns are full",
        ),
        Task(
            "wins", 10, 10, 1, "choose", _wins_cases, _by_moves, _WITHHELD, "Win when you can",
            visible10.wins(), WINS_MISTAKES, f"{_ALSO}; in half of them the other player threatens as well",
        ),
        Task(
            "blocks", 15, 15, 2, "choose", _blocks_cases, _by_moves, _WITHHELD, "Stop what can be stopped",
            visible10.blocks(), BLOCKS_MISTAKES, f"{_ALSO}; rows and diagonals",
        ),
        Task(
            "gifts", 15, 20, 2, "choose", _gifts_cases, _by_moves, _WITHHELD, "Give nothing away",
            visible10.gifts(), GIFTS_MISTAKES, f"{_ALSO}; several moves can be gifts",
        ),
    ),
    manual=(
        ManualTask("experiment", 25, 40, 3, "Experiment: how strong is it?"),
        ManualTask("explanation", 25, 35, 2, "Report: what you built, and what the numbers say"),
    ),
)  # fmt: skip

check, grade, attempt, summary, stand_in = SHEET.check, SHEET.grade, SHEET.attempt, SHEET.summary, SHEET.stand_in
trial = visible10.trial
