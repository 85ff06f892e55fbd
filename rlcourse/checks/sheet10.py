"""Sheet 10, the capstone: a player of Connect Four. Its first duties are judged here; how strong it is, in the tournament."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlcourse.checks import oracle10, visible10
from rlcourse.checks.plain import Position
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, ManualTask, Task, Verdict
from rlcourse.checks.visible10 import Moves
from rlcourse.games import GameState, from_recipe

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


def _draw(
    rng: np.random.Generator,
    kinds: Sequence[Any],
    each: int,
    secret: Callable[[GameState], tuple[Any, Moves] | None],
) -> list[Case]:
    """`each` positions of random games, 7 to 34 plies long, of each kind and with each player to move, no two of one game.

    secret: (kind, what is right there) of a position, or None for one that is not asked for.
    """
    cases: dict[tuple[int, Any], list[Case]] = {
        (player, kind): [] for player in (0, 1) for kind in kinds
    }
    while min(map(len, cases.values())) < each:
        positions = oracle10.random_game(rng)[7:35]
        for place in rng.permutation(len(positions)):
            state = positions[place]
            found = secret(state)
            if (
                found is None
                or len(cases.get((state.next_player, found[0]), [None] * each)) >= each
            ):
                continue
            moves = found[1]
            full = tuple(column for column in range(7) if column not in state.legal_moves())
            asked = Moves(moves.right, full, moves.told, moves.otherwise)
            cases[state.next_player, found[0]].append(Case((Position(state.recipe()),), asked))
            break
    return [case for found in cases.values() for case in found]


def _domain(position: Position) -> bool:
    """The game is not over."""
    return not from_recipe(position.recipe).is_over()


def _legal_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> tuple[int, Moves] | None:
        """The first full column from a random one on, if there is any."""
        first = int(rng.integers(7))
        full = [
            column for column in (np.arange(7) + first) % 7 if column not in state.legal_moves()
        ]
        return (int(full[0]), Moves(tuple(state.legal_moves()))) if full else None

    return _draw(rng, range(7), 1, secret) + _draw(rng, (int(rng.integers(7)),), 1, secret)


def _wins_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> tuple[tuple[int, bool], Moves] | None:
        """A four can be made, in one direction alone; in half of them the other player could make one as well."""
        right = oracle10.wins(state)
        ways = {
            way for move in right for way in oracle10.directions(state, move, 1 + state.next_player)
        }
        if len(ways) != 1:
            return None
        told = dict.fromkeys(set(oracle10.threats(state)) - set(right), "blocked")
        return (*ways, bool(told)), Moves(tuple(right), (), told, "missed")

    return _draw(
        rng, [(way, threatened) for way in range(4) for threatened in (False, True)], 1, secret
    )


def _blocks_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> tuple[int, Moves] | None:
        """The other player has one place for a four, in one direction alone, we have none, and to take it does not make room
        for another one."""
        others = oracle10.threats(state)
        if len(others) != 1 or oracle10.wins(state) or others[0] in oracle10.gifts(state):
            return None
        ways = oracle10.directions(state, others[0], 2 - state.next_player)
        return (*ways, Moves(tuple(others), otherwise="unblocked")) if len(ways) == 1 else None

    return _draw(rng, range(4), 2, secret)


def _gifts_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> tuple[int, Moves] | None:
        """Quiet, but some moves give a four away and some do not; the first of those from a random column on."""
        bad = oracle10.gifts(state)
        good = tuple(move for move in state.legal_moves() if move not in bad)
        quiet = not oracle10.wins(state) and not oracle10.threats(state)
        first = int(rng.integers(7))
        kind = min(bad, key=lambda column: (column - first) % 7, default=0)
        return (
            (kind, Moves(good, (), dict.fromkeys(bad, "gift"))) if quiet and bad and good else None
        )

    return _draw(rng, range(7), 1, secret) + _draw(rng, (int(rng.integers(7)),), 1, secret)


# Exact play is no player of your own: the solver is out of reach, here and in the tournament.
_WITHHELD = (
    "rlcourse.solvers.connect_four:ConnectFourSolver",
    "rlcourse.solvers.connect_four:solver",
)
_ALSO = "16 positions of random games, 7 to 34 plies long, with either player to move; one wrong move costs the task"

SHEET = Sheet(
    number="10",
    title="Capstone: a player for the tournament",
    tasks=(
        Task(
            "legal",
            10,
            10,
            1,
            "choose",
            _legal_cases,
            _by_moves,
            _WITHHELD,
            "Legal moves only",
            visible10.legal(),
            GENERAL,
            f"{_ALSO}; columns are full",
            domain=_domain,
        ),
        Task(
            "wins",
            10,
            10,
            1,
            "choose",
            _wins_cases,
            _by_moves,
            _WITHHELD,
            "Win when you can",
            visible10.wins(),
            WINS_MISTAKES,
            f"{_ALSO}; in half of them the other player threatens as well",
            domain=_domain,
        ),
        Task(
            "blocks",
            15,
            15,
            2,
            "choose",
            _blocks_cases,
            _by_moves,
            _WITHHELD,
            "Stop what can be stopped",
            visible10.blocks(),
            BLOCKS_MISTAKES,
            f"{_ALSO}; rows and diagonals",
            domain=_domain,
        ),
        Task(
            "gifts",
            15,
            20,
            2,
            "choose",
            _gifts_cases,
            _by_moves,
            _WITHHELD,
            "Give nothing away",
            visible10.gifts(),
            GIFTS_MISTAKES,
            f"{_ALSO}; several moves can be gifts",
            domain=_domain,
        ),
    ),
    manual=(
        ManualTask("experiment", 25, 40, 3, "Experiment: how strong is it?"),
        ManualTask("explanation", 25, 35, 2, "Report: what you built, and what the numbers say"),
    ),
)

check, grade, attempt, summary, stand_in = (
    SHEET.check,
    SHEET.grade,
    SHEET.attempt,
    SHEET.summary,
    SHEET.stand_in,
)
trial = visible10.trial
