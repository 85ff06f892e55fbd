"""A dice race, the smallest game of afterstates, and the laws that every game of afterstates keeps.

The race: each player has two runners on square 0 and wants both on square 6. Whose turn it is
throws a die of 1 to 3 and advances one runner by exactly that many; no runner goes beyond 6. Where
no runner can, the turn passes. Whoever has both runners home wins a point.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from rlcourse.games import AfterstateBatch, GameOver, GameState, IllegalMove

HOME, SIDES = 6, 3
PASS = -1


@dataclass(frozen=True)
class RaceState:
    """One position. A move is the square of the runner that moves, or
    PASS. die 0: not thrown yet.
    """

    runners: tuple[tuple[int, int], tuple[int, int]] = (
        (0, 0),
        (0, 0),
    )  # of the first and the second player, the rear one first
    next_player: int = 0
    die: int = 0

    @property
    def game(self) -> str:
        """The name of the game."""
        return "dice-race"

    @property
    def points(self) -> float:
        """+1 the first player has both runners home, -1 the second, 0 while running."""
        return float((self.runners[0] == (HOME, HOME)) - (self.runners[1] == (HOME, HOME)))

    def legal_moves(self) -> tuple[int, ...]:
        """The squares of the runners that can move, the rear one first; (PASS,) if there is
        none, () before the throw.
        """
        if self.is_over() or not self.die:
            return ()
        squares = dict.fromkeys(
            self.runners[self.next_player]
        )  # two runners on one square are one move
        return tuple(square for square in squares if square + self.die <= HOME) or (PASS,)

    def is_valid_move(self, move: int) -> bool:
        """Whether `apply_move(move)` would be accepted."""
        return move in self.legal_moves()

    def apply_move(self, move: int) -> "RaceState":
        """The position after the move, before the other player's throw.

        Raises IllegalMove, GameOver.
        """
        if self.is_over():
            raise GameOver("the race is over")
        if move not in self.legal_moves():
            raise IllegalMove(
                f"{move} is not one of the moves {self.legal_moves()} with a {self.die}"
            )
        own = list(self.runners[self.next_player])
        if move != PASS:
            own[own.index(move)] += self.die
        runners = list(self.runners)
        runners[self.next_player] = tuple(sorted(own))
        return RaceState(tuple(runners), 1 - self.next_player)

    def is_over(self) -> bool:
        """Whether one player has both runners home."""
        return self.points != 0

    def winner(self) -> int | None:
        """+1 the first player, -1 the second, None while running."""
        return int(self.points) or None

    def recipe(self) -> str:
        """One line of text."""
        return f"dice-race:{self.runners[0]}{self.runners[1]}{self.next_player}{self.die}"

    def _repr_svg_(self) -> str:
        return f"<svg xmlns='http://www.w3.org/2000/svg'><title>{self.recipe()}</title></svg>"


class RaceBatch:
    """N races in lock-step."""

    def __init__(self, n: int) -> None:
        self.states = [RaceState()] * n

    @property
    def to_play(self) -> np.ndarray:
        """[N] int8."""
        return np.array([state.next_player for state in self.states], np.int8)

    @property
    def done(self) -> np.ndarray:
        """[N] bool."""
        return np.array([state.is_over() for state in self.states], bool)

    @property
    def points(self) -> np.ndarray:
        """[N] float32."""
        return np.array([state.points for state in self.states], np.float32)

    def roll(self, rng: np.random.Generator) -> None:
        """Throw the die of every running row that waits for it."""
        thrown = rng.integers(1, SIDES + 1, len(self.states))
        for row, state in enumerate(self.states):
            if not state.is_over() and not state.die:
                self.states[row] = replace(state, die=int(thrown[row]))

    def counts(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R] how many moves each row has."""
        return np.array(
            [
                len(self.states[row].legal_moves())
                for row in (range(len(self.states)) if rows is None else rows)
            ]
        )

    def load(self, row: int, state: RaceState) -> None:
        """Put a position into a row."""
        self.states[row] = state

    def afterstates(self, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(features [M, 5], offsets [R+1]): the squares of both players'
        runners, and who rolls next.
        """
        features, offsets = [], [0]
        for state in self.states if rows is None else [self.states[row] for row in rows]:
            afters = [state.apply_move(move) for move in state.legal_moves()]
            features += [
                [*after.runners[0], *after.runners[1], after.next_player] for after in afters
            ]
            offsets.append(len(features))
        return np.array(features, np.float32).reshape(-1, 5), np.array(offsets, np.int64)

    def step(self, choice: np.ndarray) -> None:
        """Play `choice` [N], an index into the row's own afterstates; -1 leaves a row alone."""
        following = list(self.states)
        for row, index in enumerate(np.asarray(choice).tolist()):
            if index != -1:
                state = self.states[row]
                moves = state.legal_moves()
                if not state.is_over() and not 0 <= index < len(moves):
                    raise IllegalMove(
                        f"game {row} of the batch: {index} is not one of {len(moves)} afterstates"
                    )
                following[row] = state.apply_move(moves[index] if moves else PASS)
        self.states = following

    def reset(self, rows: np.ndarray | None = None) -> None:
        """Put those rows (default: all) back to the start."""
        for row in range(len(self.states)) if rows is None else rows:
            self.states[row] = RaceState()

    def state(self, row: int) -> RaceState:
        """One row as a position."""
        return self.states[row]

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that makes up the batch: races [N, 6]."""
        rows = [
            [*state.runners[0], *state.runners[1], state.next_player, state.die]
            for state in self.states
        ]
        return {"races": np.array(rows, np.int8).reshape(-1, 6)}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Take the arrays of a batch of equal size.

        Raises ValueError when they do not fit, changing nothing.
        """
        races = arrays.get("races")
        if np.shape(races) != (len(self.states), 6):
            raise ValueError(f"these are not the arrays of {len(self.states)} races")
        self.states = [
            RaceState(((a, b), (c, d)), player, die) for a, b, c, d, player, die in races.tolist()
        ]


class Played(NamedTuple):
    """What the laws were tried on."""

    plies: int
    passes: int
    choices: int  # turns with two afterstates or more
    points: dict[float, int]


def same(left: Mapping[str, np.ndarray], right: Mapping[str, np.ndarray]) -> bool:
    """Whether two `arrays()` are equal in names, types and values."""
    return set(left) == set(right) and all(
        left[name].dtype == array.dtype and np.array_equal(left[name], array)
        for name, array in right.items()
    )


def refuses(error: type[Exception], call: Callable[[Any], Any], argument: Any) -> bool:
    """Whether the call raises that error."""
    try:
        call(argument)
    except error:
        return True
    return False


def check_afterstate_game(
    make_batch: Callable[[int], Any], rng: np.random.Generator, *, games: int = 20
) -> Played:
    """The laws of a game of afterstates, tried on whole random games. `make_batch(n)`
    gives n games at their start.

    Raises AssertionError for a broken law; returns what was met on the way, so that a
    caller can ask for passes.
    """
    batch = make_batch(games)
    _check_start(make_batch, batch)
    seen: dict[Any, bytes] = {}
    plies = passes = choices = 0
    while not batch.done.all():
        assert plies < 100_000, "these games do not end"
        _check_roll(make_batch, batch, rng)
        counts = _check_afterstates(batch, rng, seen)
        passes += int((counts == 1).sum())
        choices += int((counts > 1).sum())
        choice = np.where(counts > 0, rng.integers(0, np.maximum(counts, 1)), -1)
        _check_refusals(batch, counts, choice)
        _check_step(make_batch, batch, choice, rng)
        plies += int((counts > 0).sum())
    points = {
        value: int((batch.points == value).sum()) for value in np.unique(batch.points).tolist()
    }
    half = np.arange(0, games, 2)
    kept = {row: batch.state(row) for row in range(1, games, 2)}
    batch.reset(half)
    assert all(batch.state(row) == make_batch(1).state(0) for row in half)
    assert all(batch.state(row) == state for row, state in kept.items())
    return Played(plies, passes, choices, points)


def _check_start(make_batch, batch) -> None:
    games = len(batch.done)
    assert isinstance(batch.state(0), GameState)
    contract = {*vars(AfterstateBatch), *AfterstateBatch.__annotations__}
    assert all(hasattr(batch, name) for name in contract if not name.startswith("_"))
    types = {
        name: (getattr(batch, name).dtype, getattr(batch, name).shape)
        for name in ("to_play", "done", "points")
    }
    assert types == {
        "to_play": (np.int8, (games,)),
        "done": (np.bool_, (games,)),
        "points": (np.float32, (games,)),
    }
    assert not batch.done.any() and not batch.points.any()
    for array in batch.arrays().values():
        array[...] = 1
    kept = batch.arrays()
    assert same(kept, make_batch(games).arrays()), "arrays() are copies"
    for misfit in ({}, make_batch(games + 1).arrays()):
        assert refuses(ValueError, batch.restore, misfit), "arrays of another size were taken"
        assert same(batch.arrays(), kept), "arrays that do not fit have changed the batch"


def _check_roll(make_batch, batch, rng) -> None:
    """The dice come from rng alone, and are thrown once."""
    seed, twin = int(rng.integers(2**32)), make_batch(len(batch.done))
    twin.restore(batch.arrays())
    batch.roll(np.random.default_rng(seed))
    twin.roll(np.random.default_rng(seed))
    assert same(twin.arrays(), batch.arrays()), "the same seed has thrown other dice"
    batch.roll(rng)
    assert same(twin.arrays(), batch.arrays()), "a row that had its dice has thrown them again"


def _check_afterstates(batch, rng, seen) -> np.ndarray:
    """[N] how many afterstates each row has.

    `seen` maps every afterstate met so far to its features.
    """
    features, offsets = batch.afterstates()
    counts = np.diff(offsets)
    assert offsets[0] == 0 and offsets[-1] == len(features) and offsets.dtype.kind == "i"
    assert features.ndim == 2 and np.isfinite(features).all()
    for row in range(len(counts)):
        state = batch.state(row)
        moves = state.legal_moves()
        assert counts[row] == len(moves), "one afterstate for each legal move, in their order"
        assert (counts[row] == 0) == bool(batch.done[row]), (
            "a running row has at least one afterstate, a pass among them"
        )
        assert state.next_player == batch.to_play[row] and state.points == batch.points[row], (
            "state and batch disagree"
        )
        assert (
            (state.winner() is None)
            == (not batch.done[row])
            == (state.points == 0 and not state.is_over())
        )
        assert state.winner() is None or state.winner() == np.sign(state.points), (
            "points are the first player's"
        )
        for move, feature in zip(moves, features[offsets[row] : offsets[row + 1]], strict=True):
            assert state.is_valid_move(move)
            after = state.apply_move(move)
            assert seen.setdefault(after, feature.tobytes()) == feature.tobytes(), (
                "features in another order than legal_moves"
            )
    assert np.array_equal(batch.counts(), counts), "counts() and the afterstates disagree"
    rows = rng.permutation(len(counts))[: 1 + len(counts) // 2]
    part, part_offsets = batch.afterstates(rows)
    expected = [features[offsets[row] : offsets[row + 1]] for row in rows]
    assert np.array_equal(part, np.concatenate(expected)) and np.array_equal(
        np.diff(part_offsets), counts[rows]
    )
    return counts


def _check_refusals(batch, counts, choice) -> None:
    """A choice that is not there, in any one row, changes no row."""
    kept = batch.arrays()
    for row in range(len(counts)):
        for bad in {int(counts[row]), -2}:
            wrong = choice.copy()
            wrong[row] = bad
            error = GameOver if batch.done[row] else IllegalMove
            assert refuses(error, batch.step, wrong), "a choice that is not there was played"
            assert same(batch.arrays(), kept), "a step that was refused has changed something"


def _check_step(make_batch, batch, choice, rng) -> None:
    states = [batch.state(row) for row in range(len(choice))]
    twin = make_batch(len(choice))
    for row, state in enumerate(states):
        twin.load(row, state)
    assert [twin.state(row) for row in range(len(choice))] == states, (
        "a position that was loaded is another one"
    )
    twin.restore(batch.arrays())
    assert [twin.state(row) for row in range(len(choice))] == states, (
        "arrays() do not hold everything"
    )
    some = np.where(rng.random(len(choice)) < 0.5, choice, -1)
    batch.step(some)
    for row, state in enumerate(states):
        expected = state if some[row] == -1 else state.apply_move(state.legal_moves()[choice[row]])
        assert batch.state(row) == expected, (
            "a step leads to the afterstate that was chosen, -1 leaves a row alone"
        )
    batch.step(np.where(some == -1, choice, -1))
    twin.step(choice)
    assert same(twin.arrays(), batch.arrays()), (
        "a batch restored from its arrays plays on differently"
    )
