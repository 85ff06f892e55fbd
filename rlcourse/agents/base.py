"""How an agent acts: what it thought (`Decision`), and the player every other one is measured against.

Point of view: everything in a Decision belongs to the *player to move*.
"""

import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from rlcourse.encoders import Encoder
from rlcourse.games import AfterstateBatch, Batch, Game, GameOver, GameState
from rlcourse.sampling import categorical


class Decision(NamedTuple):
    """What an agent decided in R positions, and why. All values are for the player to move, in [-1, 1].

    action [R] int32. log_prob [R] of the action under the policy it was drawn from. value [R] of the position.
    policy [R, A] probabilities. q [R, A] value of each action, NaN where it is illegal. visits [R, A] of a tree search.
    """

    action: np.ndarray
    log_prob: np.ndarray | None = None
    value: np.ndarray | None = None
    policy: np.ndarray | None = None
    q: np.ndarray | None = None
    visits: np.ndarray | None = None


class Agent(Protocol):
    """A player: `select_move` plays, `think` also says why (R = 1)."""

    name: str
    game: Game

    def select_move(self, state: GameState) -> Any:
        """The move that the player makes. Raises GameOver in a finished game."""

    def think(self, state: GameState) -> Decision:
        """The decision in one position (R = 1), for the player to move. Raises GameOver in a finished game."""


class BatchAgent:
    """A player of many games at once. A subclass writes `decide`; one position is a batch of one.

    seed feeds the agent's own randomness, used by `select_move` and `think`; `decide` uses the generator it is given.
    """

    name = "agent"
    encoder: Encoder | None = None  # of the positions that its network reads, if it has one
    record: tuple[str, ...] = ()  # the fields of its Decision that self-play records

    def __init__(self, game: Game, *, seed: int | None = None) -> None:
        self.game = game
        self.rng = np.random.default_rng(seed)

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """Decide in `rows` [R] of the batch, all of them running. The batch is not changed."""
        raise NotImplementedError

    def think(self, state: GameState) -> Decision:
        """The decision in one position (R = 1). Raises GameOver in a finished game."""
        if state.is_over():
            raise GameOver(f"{self.name} has nothing to decide: the game is over")
        batch = self.game.new_batch(1)
        batch.load(0, state)
        return self.decide(batch, np.zeros(1, np.int64), self.rng)

    def select_move(self, state: GameState) -> Any:
        """The move played in this position."""
        return self.game.move(state, int(self.think(state).action[0]))

    def at_temperature(self, temperature: float) -> "BatchAgent":
        """The same player with this temperature; the player itself if it has no temperature."""
        return self

    def begin(self, seed: int) -> None:
        """Called before each block of a tournament with the tournament's seed; does nothing by default."""

    def rest(self) -> None:
        """Called when games go on without this player: free memory; does nothing by default."""

    def close(self) -> None:
        """End the programs that the player started; does nothing by default."""

    def fingerprint(self) -> int | str:
        """A checksum of options and arrays: it differs when the player would play differently."""
        crc = zlib.crc32(repr(sorted(self.options().items())).encode())
        for name, array in sorted(self.arrays().items()):
            crc = zlib.crc32(np.ascontiguousarray(array).tobytes(), zlib.crc32(name.encode(), crc))
        return crc

    def arrays(self) -> dict[str, np.ndarray]:
        """What was learned, as arrays; `from_arrays` builds an equal agent."""
        return {}

    def options(self) -> dict[str, Any]:
        """How the agent acts beside its arrays, as JSON-able values."""
        return {}

    @classmethod
    def from_arrays(
        cls, game: Game, arrays: Mapping[str, np.ndarray], **options: Any
    ) -> "BatchAgent":
        """The agent with these arrays and options."""
        return cls(game, **options)


class RandomAgent(BatchAgent):
    """Plays every sensible move with equal probability: the baseline of every figure."""

    name = "random"

    def decide(
        self, batch: Batch | AfterstateBatch, rows: np.ndarray, rng: np.random.Generator
    ) -> Decision:
        """Uniform over `batch.sensible`; over the legal actions where nothing sensible is left; over the afterstates."""
        if self.game.num_actions is None:
            counts = batch.counts(rows)
            return Decision(rng.integers(0, counts, dtype=np.int32), log_prob=-np.log(counts))
        weights = batch.sensible(rows).astype(np.float64)
        empty = ~weights.any(axis=1)
        if empty.any():
            weights[empty] = batch.legal(rows[empty])
        policy = weights / weights.sum(axis=1, keepdims=True)
        action = categorical(policy, rng)
        return Decision(
            action, log_prob=np.log(policy[np.arange(len(rows)), action]), policy=policy
        )
