"""Sheet 10, the capstone: how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

from collections.abc import Callable, Iterable
from itertools import product, starmap
from typing import Any

import numpy as np

from rlcourse.checks import oracle10
from rlcourse.checks.plain import Position
from rlcourse.checks.task import Case, Hidden
from rlcourse.checks.visible10 import Moves
from rlcourse.games import GameState, from_recipe
from rlcourse.games.grid import GridState

COLUMN, LEVEL = 1, (0, 2, 3)  # directions of a four: in a column; in a row and on the diagonals
MIDDLE = 3
# (direction of the four that is given away, which of the legal moves gives it)
GIFTS = (
    *((0, place) for place in ("first", "middle", "last")),
    *((2, place) for place in ("first", "middle")),
    *((3, place) for place in ("middle", "last")),
)
# an edge of the board -> whether a place lies on it
EDGE: dict[str, Callable[[int, int], bool]] = {
    "left": lambda row, column: column == 0,
    "right": lambda row, column: column == 6,
    "top": lambda row, column: row == 0,
    "bottom": lambda row, column: row == 5,
}
# (direction of a four, an edge of the board that it touches, whether its last stone lies there)
EDGES = (
    *((0, edge, on) for edge in ("left", "right") for on in (True, False)),
    (0, "bottom", True),
    *((1, edge, True) for edge in ("left", "right", "top")),
    *((way, edge, False) for way in (2, 3) for edge in ("left", "right", "bottom")),
    (2, "left", True),
    (3, "right", True),
)
# X has four with d4, to move there (RING_X) or to be stopped (RING_O). Who counts on from column a to
# column g, as NumPy does with negative places, sees another one in g1, a2, b3, c4.
RING_X = Position("connect-four:......./......./......./.XOOXO./XOOOXX./XXXOOOX")
RING_O = Position("connect-four:......./......./......./.XOXX../XOOXOX./XOXOOOX")
# X has four with g5. Who counts on from the top row to the bottom sees another one in d6, e1, f2, g3.
RING_UP = Position("connect-four:......./...X.../...O..X/...X..X/..OOOXX/O.OXXOO")


def _draw(
    rng: np.random.Generator,
    kinds: Iterable[tuple[int, Any]],
    secret: Callable[[GameState], tuple[Any, Moves] | None],
    each: int = 1,
) -> list[Case]:
    """`each` positions of random games, from ply 7 on, of each kind, no two of one game.

    kinds: (player to move, what `secret` calls it). secret: (kind, what is right there) of a
    position, or None for one that is not asked for.
    """
    cases: dict[tuple[int, Any], list[Case]] = {kind: [] for kind in kinds}
    while min(map(len, cases.values())) < each:
        positions = oracle10.random_game(rng, long=bool(rng.integers(2)))[7:]
        for place in rng.permutation(len(positions)):
            state = positions[place]
            asked = secret(state)
            if asked is None:
                continue
            kind, right = asked
            of_kind = cases.get((state.next_player, kind))
            if of_kind is not None and len(of_kind) < each:
                of_kind.append(Case((Position(state.recipe()),), right))
                break
    return [case for of_kind in cases.values() for case in of_kind]


def _both(kinds: Iterable[Any]) -> Iterable[tuple[int, Any]]:
    """Each kind with either player to move."""
    return product((0, 1), kinds)


def _in_turn(kinds: Iterable[Any]) -> Iterable[tuple[int, Any]]:
    """Each kind with one player to move, now X and now O."""
    return ((number % 2, kind) for number, kind in enumerate(kinds))


def _legal_moves(state: GameState) -> Moves:
    """Every move is right."""
    return Moves(list(state.legal_moves()))


def _wins_moves(state: GameState) -> Moves:
    """To make four is right, and to stop the other player's four instead is a mistake of its own."""
    right = oracle10.wins(state)
    return Moves(right, {"blocked": oracle10.threats(state) or right})


def _blocks_moves(state: GameState) -> Moves:
    """To stop the other player's four is right."""
    return Moves(oracle10.threats(state))


def _gifts_moves(state: GameState) -> Moves:
    """After a gift the other player can make four; any move is right where all are such."""
    gifts, legal = oracle10.gifts(state), list(state.legal_moves())
    return Moves([move for move in legal if move not in gifts] or legal)


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
        return _lost(state) if MIDDLE not in state.legal_moves() else None

    def last(state: GameState) -> tuple[int, Moves] | None:
        """One column is left, and at most two places in it."""
        left = len(state.legal_moves()) == 1 and _places_left(state) <= 2
        return (state.legal_moves()[0], _legal_moves(state)) if left else None

    return (
        _draw(rng, _both(range(7)), quiet)
        + _draw(rng, _both(["lost"]), lost)
        + _draw(rng, _both([0, MIDDLE, 6]), last)
    )


def _places_left(state: GameState) -> int:
    assert isinstance(state, GridState)
    return int((state.board == 0).sum())


def _lost(state: GameState) -> tuple[str, Moves] | None:
    """We cannot win, and the other player can after every move."""
    every = len(oracle10.threats(state)) > 1 and not oracle10.wins(state)
    return ("lost", _legal_moves(state)) if every else None


def _touching(
    rng: np.random.Generator, state: GameState, move: int, stone: int
) -> tuple[int, str, bool] | None:
    """The kind of EDGES of the one four that a stone makes there, one of several by chance."""
    four = oracle10.four(state, move, stone)
    if not four:
        return None
    way = oracle10.directions(state, move, stone).pop()
    touched = [
        (way, edge, lies(*four[0])) for edge, lies in EDGE.items() if any(starmap(lies, four))
    ]
    if move in (state.legal_moves()[0], state.legal_moves()[-1]):  # many play there anyway
        touched = [kind for kind in touched if kind[1] in ("left", "right") and kind[2]]
    return touched[rng.integers(len(touched))] if touched else None


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
        threatened = not set(moves.slips["blocked"]) <= set(moves.right)
        inside = oracle10.inside(state, move, 1 + state.next_player, way)
        if way != COLUMN and inside != (threatened == (state.next_player == 0)):
            return None
        return (way, threatened), moves

    def edge(state: GameState) -> tuple[tuple[int, str, bool] | None, Moves] | None:
        """One move makes a four, in one direction alone, and it touches an edge of the board."""
        moves = _wins_moves(state)
        if len(moves.right) != 1:
            return None
        return _touching(rng, state, moves.right[0], 1 + state.next_player), moves

    kinds = product(range(4), (False, True))
    rings = [Case((ring,), _wins_moves(from_recipe(ring.recipe))) for ring in (RING_X, RING_UP)]
    return [*_draw(rng, _both(kinds), secret), *_draw(rng, _in_turn(EDGES), edge), *rings]


def _ways(state: GameState, move: int) -> set[int]:
    """The directions in which a move makes four."""
    return oracle10.directions(state, move, 1 + state.next_player)


def _ways_on_top(state: GameState, move: int) -> set[int]:
    """The directions in which the other player, and not we, makes four on top of our stone."""
    if move not in state.legal_moves():
        return set()
    after = state.apply_move(move)
    if move not in after.legal_moves():
        return set()
    ours = oracle10.directions(after, move, 1 + state.next_player)
    return set() if ours else _ways(after, move)


def _blocks_cases(rng: np.random.Generator) -> list[Case]:
    def threat(state: GameState) -> int | None:
        """The other player's one place for a four, where we have none, and to take it does not make
        room for another one.
        """
        others = oracle10.threats(state)
        if len(others) != 1 or oracle10.wins(state) or others[0] in oracle10.gifts(state):
            return None
        return others[0]

    def secret(state: GameState) -> tuple[tuple[int, bool], Moves] | None:
        """The four is in one direction alone; in half of the rows and diagonals its last stone lies
        inside it.
        """
        move, stone = threat(state), 2 - state.next_player
        ways = set() if move is None else oracle10.directions(state, move, stone)
        if move is None or len(ways) != 1:
            return None
        way = ways.pop()
        return (way, oracle10.inside(state, move, stone, way)), _blocks_moves(state)

    def edge(state: GameState) -> tuple[tuple[int, str, bool] | None, Moves] | None:
        """The four is in one direction alone, and it touches an edge of the board."""
        move = threat(state)
        if move is None:
            return None
        return _touching(rng, state, move, 2 - state.next_player), _blocks_moves(state)

    ring = Case((RING_O,), _blocks_moves(from_recipe(RING_O.recipe)))
    return [
        *_draw(rng, _both(product(LEVEL, (False, True))), secret),
        *_draw(rng, _both([(COLUMN, False)]), secret, each=2),
        *_draw(rng, _in_turn(EDGES), edge),
        ring,
    ]


def _gifts_cases(rng: np.random.Generator) -> list[Case]:
    def secret(state: GameState) -> tuple[tuple[int, str], Moves] | None:
        """Nobody can win at once, and the first, the middle or the last move gives a four away, in
        one direction alone; another move does not.
        """
        legal, place = state.legal_moves(), str(rng.choice(["first", "middle", "last"]))
        move = {"first": legal[0], "middle": MIDDLE, "last": legal[-1]}[place]
        ways = _ways_on_top(state, move)
        if len(ways) != 1 or oracle10.wins(state) or oracle10.threats(state):
            return None
        moves = _gifts_moves(state)
        return None if move in moves.right else ((ways.pop(), place), moves)

    def few(state: GameState) -> tuple[str, Moves] | None:
        """Nobody can win at once, and all moves are gifts, or all but one."""
        if len(state.legal_moves()) > 3:  # seldom there, and long to look at
            return None
        if oracle10.wins(state) or oracle10.threats(state):
            return None
        moves, legal = _gifts_moves(state), state.legal_moves()
        gifts = oracle10.gifts(state)
        if len(gifts) == len(legal):
            return "none", moves
        return ("one", moves) if len(gifts) == len(legal) - 1 > 0 else None

    def several(state: GameState) -> tuple[str, Moves] | None:
        """Nobody can win at once, and the middle is a gift, but not the first or not the last: who
        stops looking after that one plays the middle.
        """
        if not _ways_on_top(state, MIDDLE) or oracle10.wins(state) or oracle10.threats(state):
            return None
        moves, gifts = _gifts_moves(state), oracle10.gifts(state)
        if len(gifts) == len(state.legal_moves()):
            return None
        return ("before" if gifts[0] < MIDDLE else "after" if gifts[-1] > MIDDLE else ""), moves

    return (
        _draw(rng, _both(GIFTS), secret)
        + _draw(rng, _in_turn(["before", "after"]), several)
        + _draw(rng, _in_turn(["one", "none"]), few)
        + _draw(rng, _both(["lost"]), _lost)
    )


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "legal": Hidden(_legal_cases, _domain, _key(_legal_moves)),
    "wins": Hidden(_wins_cases, _domain, _key(_wins_moves)),
    "blocks": Hidden(_blocks_cases, _domain, _key(_blocks_moves)),
    "gifts": Hidden(_gifts_cases, _domain, _key(_gifts_moves)),
}
