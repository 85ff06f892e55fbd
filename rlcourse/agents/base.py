"""How an agent acts: its `Decision`, the base class of all players, and the random baseline.

Point of view: everything in a Decision belongs to the *player to move*.
"""

import zlib
from collections.abc import Mapping
from copy import copy
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from rlcourse.encoders import Encoder
from rlcourse.games import Game, GameOver, GameState
from rlcourse.sampling import categorical

Positions = TypeVar("Positions")  # the kind of batch: Batch, or one of afterstates


class Decision(NamedTuple):
    """What an agent decided in R positions, and why. All values are for the player to move.

    action [R] int32. log_prob [R]: of the action, under the policy it was drawn from. value [R] in
    [-1, 1]: of the position. policy [R, A]: probabilities. q [R, A] in [-1, 1]: of each action, NaN
    where it is illegal. visits [R, A]: of a tree search.
    """

    action: np.ndarray
    log_prob: np.ndarray | None = None
    value: np.ndarray | None = None
    policy: np.ndarray | None = None
    q: np.ndarray | None = None
    visits: np.ndarray | None = None


class Agent(Protocol):
    """A player: `select_move` plays, `think` also gives the reasons (R = 1)."""

    name: str
    game: Game

    def select_move(self, state: GameState) -> Any:
        """The move that the player makes. Raises GameOver in a finished game."""

    def think(self, state: GameState) -> Decision:
        """The decision in one position (R = 1). Raises GameOver in a finished game."""


class BatchAgent(Generic[Positions]):
    """A player of many games at once. A subclass writes `decide`; one position is a batch of one.

    seed feeds the agent's own generator, used by `select_move` and `think`; `decide` draws from the
    generator that it is given.
    """

    name = "agent"
    encoder: Encoder | None = None  # of the positions that its network reads, if it has one
    record: tuple[str, ...] = ()  # the fields of its Decision that self-play records
    saved: tuple[str, ...] = ()  # the attributes that make up `options`
    weights: Mapping[str, np.ndarray] = MappingProxyType({})  # what it has learned, if that is all
    made_of_weights = False  # its constructor takes them, after the game

    def __init__(self, game: Game, *, seed: int | None = None) -> None:
        self.game = game
        self.rng = np.random.default_rng(seed)

    def decide(self, batch: Positions, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """Decide in `rows` [R] of the batch, all of them running. The batch is not changed."""
        raise NotImplementedError

    def think(self, state: GameState) -> Decision:
        """The decision in one position (R = 1). Raises GameOver in a finished game."""
        return self.decide(self.batch_of(state), np.zeros(1, np.int64), self.rng)

    def batch_of(self, state: GameState) -> Any:
        """A batch of that one position. Raises GameOver in a finished game."""
        if state.is_over():
            raise GameOver(f"{self.name} has nothing to decide: the game is over")
        batch = self.game.new_batch(1)
        batch.load(0, state)
        return batch

    def select_move(self, state: GameState) -> Any:
        """The move played in this position."""
        return self.game.move(state, int(self.think(state).action[0]))

    def at_temperature(self, temperature: float) -> Self:
        """The same player at this temperature; the player itself if it has no temperature."""
        known = "temperature" in self.saved
        return self.copy_with(temperature=float(temperature)) if known else self

    def with_simulations(self, simulations: int) -> Self:
        """The same player with so many simulations a move, for a search 0: its policy alone; the
        player itself if it has none.
        """
        known = "simulations" in self.saved
        return self.copy_with(simulations=simulations) if known else self

    def copy_with(self, **attributes: Any) -> Self:
        """A copy in which these attributes have other values; it shares everything else."""
        other = copy(self)
        vars(other).update(attributes)
        return other

    def begin(self, seed: int) -> None:
        """Called before each block of a tournament with its seed; does nothing by default."""

    def rest(self) -> None:
        """Called when games go on without this player: free memory; does nothing by default."""

    def close(self) -> None:
        """End the programs that the player started; does nothing by default."""

    def fingerprint(self) -> int | str:
        """A checksum of options and arrays: it differs when the player would play differently."""
        return self.arrays_checksum(zlib.crc32(repr(sorted(self.options().items())).encode()))

    def arrays_checksum(self, crc: int = 0) -> int:
        """A checksum of the arrays: copies of one trained player have the same, whatever their
        settings. crc: of what goes before them.
        """
        # Sorted, because a loaded agent may have its names in another order.
        for name, array in sorted(self.arrays().items()):
            crc = zlib.crc32(np.ascontiguousarray(array).tobytes(), zlib.crc32(name.encode(), crc))
        return crc

    def arrays(self) -> dict[str, np.ndarray]:
        """The learned parameters; `from_arrays` builds an equal agent from them."""
        return dict(self.weights)

    def options(self) -> dict[str, Any]:
        """The settings beside the arrays, as JSON-able values."""
        return {name: getattr(self, name) for name in self.saved}

    @classmethod
    def from_arrays(cls, game: Game, arrays: Mapping[str, np.ndarray], **options: Any) -> Self:
        """The agent whose `arrays()` and `options()` these are."""
        return cls(game, *[arrays] * cls.made_of_weights, **options)


class RandomAgent(BatchAgent):
    """Plays every sensible move with equal probability: the baseline of every figure."""

    name = "random"

    def decide(self, batch: Any, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """Uniform over `batch.sensible`, or over the legal actions of rows without a sensible one.

        In a game of afterstates it is uniform over these.
        """
        if self.game.num_actions is None:
            counts = batch.counts(rows)
            return Decision(rng.integers(0, counts, dtype=np.int32), log_prob=-np.log(counts))
        weights = batch.sensible(rows).astype(np.float64)
        empty = ~weights.any(axis=1)
        if empty.any():
            weights[empty] = batch.legal(rows[empty])
        policy = weights / weights.sum(axis=1, keepdims=True)
        action = categorical(policy, rng)
        log_prob = np.log(policy[np.arange(len(rows)), action])
        return Decision(action, log_prob=log_prob, policy=policy)


def greedy(
    q: np.ndarray, legal: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(action [R] int32, its value [R], q [R, A]): the action of highest q, ties to the lowest.

    legal [R, A]: only these actions count, and q becomes NaN elsewhere; default all actions.
    """
    if legal is not None:
        q = np.where(legal, q, np.nan)
    action = np.nanargmax(q, axis=1)
    return action.astype(np.int32), q[np.arange(len(q)), action], q
