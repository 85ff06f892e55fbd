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

COLUMN, LEVEL = 1, (0, 2, 3)  # directions of a four: in a column; in a row and on the diagonals
MIDDLE = 3
# (direction of the four that is given away, which of the legal moves gives it)
GIFTS = (
    *((0, place) for place in ("first", "middle", "last")),
    *((2, place) for place in ("first", "middle")),
    *((3, place) for place in ("middle", "last")),
)


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
    """After all other moves the other player can make four; any move is right where all are such."""
    gifts, legal = oracle10.gifts(state), state.legal_moves()
    if len(gifts) == len(legal):
        return _legal_moves(state)
    return _moves(state, (move for move in legal if move not in gifts), gift=gifts)


def _key(moves: Callable[[GameState], Moves]) -> Callable[[Case], Moves]:
    """case -> what is right and what is wrong in its position."""
    return lambda case: moves(from_recipe(case.args[0].recipe))


def _domain(position: Position) -> bool:
    """The game is not over."""
    return not from_recipe(position.recipe).is_over()


def _legal_cases(rng: np.random.Generator) -> list[Case]:
    def quiet(state: GameState) -> tuple[int, Moves] | None:
        """Nobody can win at once, so that the player's own judgement chooses; the first full column
        from a random one on, if there is any.
        """
        if oracle10.wins(state) or oracle10.threats(state):
            return None
        first = int(rng.integers(7))
        full = [
            column for column in (np.arange(7) + first) % 7 if column not in state.legal_moves()
        ]
        return (int(full[0]), _legal_moves(state)) if full else None

    def lost(state: GameState) -> tuple[str, Moves] | None:
        """Every move loses, and the middle column is full."""
        found = _lost(state)
        return found if MIDDLE not in state.legal_moves() else None

    return _draw(rng, range(7), 1, quiet) + _draw(rng, ["lost"], 1, lost)


def _lost(state: GameState) -> tuple[str, Moves] | None:
    """We cannot win, and the other player can after every move."""
    every = len(oracle10.threats(state)) > 1 and not oracle10.wins(state)
    return ("lost", _legal_moves(state)) if every else None


def _wins_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> tuple[tuple[int, bool], Moves] | None:
        """A four can be made, in one direction alone; in half of them the other player could make
        one as well. In half of the rows and diagonals the new stone lies inside the four.
        """
        moves = _wins_moves(state)
        ways = {(move, way) for move in moves.right for way in _ways(state, move)}
        if len(ways) != 1:
            return None
        ((move, way),) = ways
        threatened = "blocked" in moves.slips
        inside = oracle10.inside(state, move, 1 + state.next_player, way)
        if way != COLUMN and inside != (threatened == (state.next_player == 0)):
            return None
        return (way, threatened), moves

    kinds = [(way, threatened) for way in range(4) for threatened in (False, True)]
    return _draw(rng, kinds, 1, secret)


def _ways(state: GameState, move: int) -> set[int]:
    """The directions in which a move makes four."""
    return oracle10.directions(state, move, 1 + state.next_player)


def _blocks_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> tuple[tuple[int, bool], Moves] | None:
        """The other player has one place for a four, in one direction alone, we have none, and to
        take it does not make room for another one.

        In half of the rows and diagonals it lies inside the four."""
        others, stone = oracle10.threats(state), 2 - state.next_player
        if len(others) != 1 or oracle10.wins(state) or others[0] in oracle10.gifts(state):
            return None
        ways = oracle10.directions(state, others[0], stone)
        if len(ways) != 1:
            return None
        way = ways.pop()
        return (way, oracle10.inside(state, others[0], stone, way)), _blocks_moves(state)

    kinds = [(way, inside) for way in LEVEL for inside in (False, True)]
    return _draw(rng, kinds, 1, secret) + _draw(rng, [(COLUMN, False)], 2, secret)


def _gifts_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> tuple[tuple[int, str], Moves] | None:
        """Nobody can win at once, and the first, the middle or the last move gives a four away, in
        one direction alone.
        """
        legal, place = state.legal_moves(), str(rng.choice(["first", "middle", "last"]))
        move = {"first": legal[0], "middle": MIDDLE, "last": legal[-1]}[place]
        after = state.apply_move(move) if move in legal else state
        if after is state or move not in after.legal_moves():
            return None
        ways = _ways(after, move)  # a four on top of this stone
        if len(ways) != 1 or oracle10.wins(state) or oracle10.threats(state):
            return None
        return (ways.pop(), place), _gifts_moves(state)

    return _draw(rng, GIFTS, 1, secret) + _draw(rng, ["lost"], 1, _lost)


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "legal": Hidden(_legal_cases, _domain, _key(_legal_moves)),
    "wins": Hidden(_wins_cases, _domain, _key(_wins_moves)),
    "blocks": Hidden(_blocks_cases, _domain, _key(_blocks_moves)),
    "gifts": Hidden(_gifts_cases, _domain, _key(_gifts_moves)),
}
