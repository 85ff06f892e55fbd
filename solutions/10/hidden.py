"""Sheet 10, the capstone: how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from rlcourse.checks import oracle10
from rlcourse.checks.plain import Position
from rlcourse.checks.task import Case, Hidden
from rlcourse.checks.visible10 import Moves
from rlcourse.games import GameState, from_recipe


def _draw(
    rng: np.random.Generator,
    kinds: Sequence[Any],
    each: int,
    secret: Callable[[GameState], tuple[Any, Moves] | None],
) -> list[Case]:
    """`each` positions of random games, 7 to 34 plies long, of each kind and with each player
    to move, no two of one game.

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
            cases[state.next_player, found[0]].append(Case((Position(state.recipe()),), found[1]))
            break
    return [case for found in cases.values() for case in found]


def _moves(state: GameState, right: Iterable[int], **slips: Iterable[int]) -> Moves:
    """The columns that are right, and those that each mistake leads to; a full
    one is a mistake everywhere.
    """
    full = [column for column in range(7) if column not in state.legal_moves()]
    wrong = {"full": full, **{slip: list(columns) for slip, columns in slips.items()}}
    return Moves(list(right), {slip: columns for slip, columns in wrong.items() if columns})


def _legal_moves(state: GameState) -> Moves:
    """Every move is right."""
    return _moves(state, state.legal_moves())


def _wins_moves(state: GameState) -> Moves:
    """To make four is right, and to stop the other player's four
    instead is a mistake of its own.
    """
    right, legal = oracle10.wins(state), state.legal_moves()
    blocked = [move for move in oracle10.threats(state) if move not in right]
    return _moves(state, right, blocked=blocked, missed=set(legal) - set(right))


def _blocks_moves(state: GameState) -> Moves:
    """To stop the other player's four is right."""
    right = oracle10.threats(state)
    return _moves(state, right, unblocked=set(state.legal_moves()) - set(right))


def _gifts_moves(state: GameState) -> Moves:
    """After all other moves the other player can make four."""
    gifts = oracle10.gifts(state)
    return _moves(state, (move for move in state.legal_moves() if move not in gifts), gift=gifts)


def _key(moves: Callable[[GameState], Moves]) -> Callable[[Case], Moves]:
    """case -> what is right and what is wrong in its position."""
    return lambda case: moves(from_recipe(case.args[0].recipe))


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
        return (int(full[0]), _legal_moves(state)) if full else None

    return _draw(rng, range(7), 1, secret) + _draw(rng, (int(rng.integers(7)),), 1, secret)


def _wins_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> tuple[tuple[int, bool], Moves] | None:
        """A four can be made, in one direction alone; in half of them the other
        player could make one as well.
        """
        moves = _wins_moves(state)
        ways = {
            way
            for move in moves.right
            for way in oracle10.directions(state, move, 1 + state.next_player)
        }
        return ((ways.pop(), "blocked" in moves.slips), moves) if len(ways) == 1 else None

    return _draw(
        rng, [(way, threatened) for way in range(4) for threatened in (False, True)], 1, secret
    )


def _blocks_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> tuple[int, Moves] | None:
        """The other player has one place for a four, in one direction alone, we have none, and to
        take it does not make room for another one."""
        others = oracle10.threats(state)
        if len(others) != 1 or oracle10.wins(state) or others[0] in oracle10.gifts(state):
            return None
        ways = oracle10.directions(state, others[0], 2 - state.next_player)
        return (ways.pop(), _blocks_moves(state)) if len(ways) == 1 else None

    return _draw(rng, range(4), 2, secret)


def _gifts_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> tuple[int, Moves] | None:
        """Quiet, but some moves give a four away and some do not; the first of
        those from a random column on.
        """
        moves = _gifts_moves(state)
        bad = moves.slips.get("gift", [])
        quiet = not oracle10.wins(state) and not oracle10.threats(state)
        first = int(rng.integers(7))
        kind = min(bad, key=lambda column: (column - first) % 7, default=0)
        return (kind, moves) if quiet and bad and moves.right else None

    return _draw(rng, range(7), 1, secret) + _draw(rng, (int(rng.integers(7)),), 1, secret)


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "legal": Hidden(_legal_cases, _domain, _key(_legal_moves)),
    "wins": Hidden(_wins_cases, _domain, _key(_wins_moves)),
    "blocks": Hidden(_blocks_cases, _domain, _key(_blocks_moves)),
    "gifts": Hidden(_gifts_cases, _domain, _key(_gifts_moves)),
}
