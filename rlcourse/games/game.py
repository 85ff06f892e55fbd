"""The contract between the rules of a game and everything that plays it.

Point of view: `points` and `winner` belong to the *first* player. Player 0 moves first, then 1.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from rlcourse.errors import CourseError


def sign_of(player: Any) -> Any:
    """+1 for player 0, -1 for player 1; an array of players gives an array of its shape and dtype.

    Multiplying by the sign turns the first player's points into the player's own, and back.
    """
    return 1 - 2 * player


class GameError(CourseError, ValueError):
    """Something that the rules of a game, or the form of a position, do not allow."""


class UnknownGame(GameError):
    """No game of that name, or an option that the game does not have."""


class IllegalMove(GameError):
    """A move that the rules forbid in this position. The message names the move and the reason."""


class GameOver(IllegalMove):
    """A move in a game that has ended."""


class BadRecipe(GameError):
    """A text that does not describe a position which can arise in the game."""


class Symmetry(NamedTuple):
    """A symmetry of the board, int64. `actions` [A], `cells` [H*W]: the image of each."""

    actions: np.ndarray
    cells: np.ndarray


@runtime_checkable
class GameState(Protocol):
    """One position, an immutable value.

    `==` and `hash` compare positions; `str` draws the board as text.
    """

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def next_player(self) -> int:
        """0 (first) or 1 (second): who moves; in a finished game, who would have moved."""

    @property
    def points(self) -> float:
        """The first player's points, 0 while the game runs.

        They lie in [-1, 1] unless a game can be won by more (backgammon: [-3, 3]).
        """

    def legal_moves(self) -> Sequence[Any]:
        """All legal moves in the order of their actions; empty when the game is over."""

    def is_valid_move(self, move: Any) -> bool:
        """Whether `apply_move(move)` would be accepted."""

    def apply_move(self, move: Any) -> "GameState":
        """The position after `move`; this position does not change.

        Raises IllegalMove with the reason, GameOver in a finished game.
        """

    def is_over(self) -> bool:
        """Whether the game has ended."""

    def winner(self) -> int | None:
        """+1 the first player won, -1 the second, 0 a draw, None while the game runs."""

    def recipe(self) -> str:
        """The position as one line of text; `from_recipe` gives an equal position back."""

    def _repr_svg_(self) -> str: ...


class Numbered(Protocol):
    """A game with a fixed number of actions."""

    @property
    def name(self) -> str:
        """The name of the game."""

    @property
    def num_actions(self) -> int:
        """A."""


class AnyBatch(Protocol):
    """N positions of any game, played in lock-step."""

    to_play: np.ndarray  # [N] int8: 0 first, 1 second player
    done: np.ndarray  # [N] bool
    points: np.ndarray  # [N] float32, first player's; 0 while running

    def __len__(self) -> int:
        """N."""

    def step(self, actions: np.ndarray, /) -> None:
        """Play `actions` [N]; -1 skips a row.

        Raises IllegalMove or GameOver before any row has changed.
        """

    def reset(self, rows: np.ndarray | None = None) -> None:
        """Restart the games in those rows (default: all); dice are not thrown."""

    def state(self, row: int) -> GameState:
        """One row as a position, with its dice if they have been thrown."""

    def load(self, row: int, state: GameState) -> None:
        """Put a position into a row."""

    def arrays(self) -> dict[str, np.ndarray]:
        """Copies of all arrays of the batch, for checkpoints; the inverse of `restore`."""

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Overwrite the batch with the arrays of a batch of equal size.

        Raises ValueError, changing nothing, if their names, shapes or types differ.
        """


class Batch(AnyBatch, Protocol):
    """N positions of a game with a fixed number of actions A."""

    cells: np.ndarray  # [N, H * W] int8: 0 empty, 1 of the first, 2 of the second player
    truncated: np.ndarray  # [N] bool: ended by a cap on the number of plies, not by the rules

    @property
    def rules(self) -> Numbered:
        """The rules that all N share."""

    def legal(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R, A] bool: the legal actions of those rows (default: all); none in a finished game."""

    def sensible(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R, A] bool: the legal actions without hopeless ones (Go: filling one's own eye)."""

    def take(self, rows: np.ndarray) -> "Batch":
        """A batch of its own with copies of those rows [R]."""

    def plies(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R] integers: plies played in those rows (default: all) since the start of the game."""

    def playouts(self, seeds: np.ndarray) -> np.ndarray:
        """[N] float32: the first player's points after one random game from each row.

        Moves are uniform over the sensible ones. seeds [N] integers.
        """

    def replay(self, roots: "Batch", actions: np.ndarray, lengths: np.ndarray) -> None:
        """Row i becomes row i of `roots` after the first `lengths[i]` of `actions[i]`.

        actions [N, D], lengths [N] in [0, D].
        """


class AfterstateBatch(AnyBatch, Protocol):
    """N positions of a game with chance, in which a move is chosen by the position it leads to.

    An action is an index into the row's own afterstates, so no array has the shape [N, A].
    """

    def roll(self, rng: np.random.Generator) -> None:
        """Throw the dice of every running row whose dice are due."""

    def counts(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R] int64: how many afterstates those rows (default: all) have; 0 in a finished game."""

    def afterstates(self, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(features [M, F], offsets [R+1]): row r owns features[offsets[r]:offsets[r+1]].

        The order is that of `state.legal_moves()`. A turn without a legal step has one afterstate.
        """


@dataclass(frozen=True, eq=False)
class Game:
    """A game with its options: how to start it, and how moves and actions translate.

    num_actions: A, or None for a game of afterstates. labels [A]: the names of the actions.
    board: (H, W).
    action(move) -> int and move(state, action) -> Move are inverse to each other on legal moves.
    parse(body) -> GameState reads the part of a recipe after "NAME:".
    opening: the number of plies that a tournament draws at random, so that players without chance
    do not repeat one game.
    throw(state, rng) -> GameState throws the dice if they are due; None in a game without chance.
    In a game of afterstates an action is an index into `state.legal_moves()`: only `move` is
    defined. Two games are equal if their names and options are.
    """

    name: str
    num_actions: int | None
    board: tuple[int, int]
    new_game: Callable[[], GameState]
    new_batch: Callable[[int], Any]
    action: Callable[[Any], int]
    move: Callable[[Any, int], Any]  # of the game's own kind of position
    parse: Callable[[str], GameState]
    labels: tuple[str, ...] = ()
    symmetries: tuple[Symmetry, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    opening: int = 2
    throw: Callable[[Any, np.random.Generator], GameState] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, dict(self.options)) == (
            other.name,
            dict(other.options),
        )

    def __hash__(self) -> int:
        return hash((self.name, *sorted(self.options.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        from rlcourse.games import get_game

        return partial(get_game, self.name, **self.options), ()

    def __str__(self) -> str:
        options = ", ".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.name} ({options})" if options else self.name
