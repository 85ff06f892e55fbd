"""Deep Q-learning on tic-tac-toe (Mnih et al. 2015), one learner with a switch for every idea.

The switches are mask, replay, target network, symmetry, schedules. Network and sign trick are the
source's: the outputs Q are for the first player, sign * Q for the player to move; sign is +1 where
the first player moves.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcourse.agents.deep_q import DeepQAgent, numbers_of, signs_of
from rlcourse.experience import ExperienceBuffer
from rlcourse.games import get_game, sign_of
from rlcourse.learning.chunks import in_parts, joined
from rlcourse.learning.replay import ReplayBuffer
from rlcourse.learning.train import Learner
from rlcourse.learning.trained import Trained
from rlcourse.networks import build_network
from rlcourse.self_play import Recorder
from rlcourse.solvers.tictactoe import CODES, codes_of, no_symmetry, symmetry_tables, tables
from rlcourse.tf import keras, tf


@dataclass(frozen=True)
class DeepQConfig:
    """The defaults are the course's recipe; the source's values are noted."""

    games: int = 250  # games played in lock-step between two updates (source: 1,000)
    epsilon: float = 0.7  # share of moves played at random, 0 to 1
    gamma: float = 0.9  # discount per ply, 0 to 1: a quicker win counts more
    # Legal moves only; False: an occupied square can be played and loses (source).
    masked: bool = True
    replay: int = 20_000  # transitions stored; 0: learn from the last games only (source)
    unique: bool = True  # a transition is stored once, however often it occurred
    target_every: int = 40  # gradient steps per copy to the target network; 0: none (source)
    symmetry: bool = True  # the network sees one of the eight images of every position
    steps: int = 20  # gradient steps per update
    batch: int = 256  # transitions per gradient step; 0: all of them, or of the last games (source)
    learning_rate: float = 0.001  # Adam's step size at the start
    learning_rate_end: float = 0.001  # at the end of the schedule; it falls geometrically
    epsilon_end: float = 0.7  # epsilon at the end of the schedule; it falls linearly
    schedule: int = 1  # updates until both have arrived
    start: str = "identity"  # first weights: "identity" or "normal" (source), see networks


def td_targets(
    reward: np.ndarray,
    terminal: np.ndarray,
    next_values: np.ndarray,
    next_sign: np.ndarray,
    next_legal: np.ndarray | None,
    gamma: float,
) -> np.ndarray:
    """The targets of Q, [B] float32, for the first player:

        reward + [not over] * s' * gamma * max over a' of s' * Q(next, a')

    reward [B] for the first player; terminal [B] bool; next_values [B, 9] = s' * Q(next, .), for
    the player who moves next; next_sign [B] is s'. next_legal [B, 9]: the maximum is over legal
    squares only; None: over all nine.
    """
    if next_legal is not None:
        next_values = np.where(next_legal, next_values, -np.inf)
    future = next_sign * gamma * next_values.max(axis=1)
    return np.where(terminal, reward, reward + future).astype(np.float32)


def play_games(
    values: Callable[[np.ndarray], np.ndarray],
    games: int,
    *,
    epsilon: float,
    masked: bool,
    rng: np.random.Generator,
) -> ExperienceBuffer:
    """Play `games` games at once. Further columns: next_state [T, 9] int8, terminal [T] bool.

    values(cells [R, 9]) -> [R, 9] for the player to move, who plays the square of highest value or,
    with probability epsilon, a uniformly random one: among the legal squares, or with masked False
    among all nine. A move to an occupied square ends the game and loses it; the next state is then
    an empty board.
    """
    game = get_game("tic-tac-toe")
    batch, recorder = game.new_batch(games), Recorder(game, "cells", games)
    forfeited = np.zeros(games, np.bool_)
    points = np.zeros(games, np.float32)
    while not (over := batch.done | forfeited).all():
        rows = np.flatnonzero(~over)
        before, legal = batch.cells[rows], batch.legal(rows)
        allowed = legal if masked else np.ones_like(legal)
        greedy = np.where(allowed, values(before), -np.inf).argmax(axis=1)
        random = np.where(allowed, rng.random(allowed.shape), -1.0).argmax(axis=1)
        action = np.where(rng.random(len(rows)) < epsilon, random, greedy)
        illegal = ~legal[np.arange(len(rows)), action]
        player = batch.to_play[rows].copy()
        steps = np.full(games, -1, np.int64)
        steps[rows] = np.where(illegal, -1, action)
        batch.step(steps)
        forfeited[rows] = illegal
        points[rows] = np.where(illegal, 2.0 * player - 1.0, batch.points[rows])
        next_state = np.where(illegal[:, None], np.int8(0), batch.cells[rows])
        terminal = batch.done[rows] | illegal
        recorder.add(rows, player, action, state=before, next_state=next_state, terminal=terminal)
    return recorder.buffer(points)


class TargetNetwork:
    """A network that is fixed between two copies, so it evaluates each position only once."""

    def __init__(self, weights: Mapping[str, np.ndarray]) -> None:
        self.table = np.zeros((CODES, 9), np.float32)
        self.copy_from(weights)

    def copy_from(self, weights: Mapping[str, np.ndarray]) -> None:
        """Take these weights and forget the values of the old ones."""
        self.agent = DeepQAgent(get_game("tic-tac-toe"), weights)
        self.known = np.zeros(CODES, np.bool_)

    def values(self, cells: np.ndarray) -> np.ndarray:
        """[R, 9]: s * Q of positions in canonical form, for the player to move."""
        codes = codes_of(cells)
        missing = np.unique(codes[~self.known[codes]])
        if len(missing):
            self.table[missing] = self.agent.values(tables().cells[missing])
            self.known[missing] = True
        return self.table[codes]


class DeepQLearner(Learner):
    """Deep Q-learning from self-play; see DeepQConfig. seed draws the first weights."""

    name = "deep-q"
    every = 5  # updates between two verdicts by default

    def __init__(self, config: DeepQConfig | None = None, *, seed: int = 0) -> None:
        self.config = config = config or DeepQConfig()
        self.game = get_game("tic-tac-toe")
        self.images = symmetry_tables() if config.symmetry else no_symmetry()
        self.model = build_network("deep-q", seed=seed, start=config.start)
        self.trained = Trained(self.model, keras.optimizers.Adam(config.learning_rate))
        self.gradient_steps = self.trained.steps(self.loss)
        self.replay = ReplayBuffer(config.replay, unique=config.unique) if config.replay else None
        self.target = TargetNetwork(self.trained.weights())
        self.updates, self.steps = 0, 0

    def agent(self) -> DeepQAgent:
        """The greedy player with the present weights."""
        symmetry, masked = self.config.symmetry, self.config.masked
        return DeepQAgent(self.game, self.trained.weights(), symmetry=symmetry, masked=masked)

    def collect(self, rng: np.random.Generator) -> ExperienceBuffer:
        """`config.games` games in lock-step, epsilon-greedy with the present network."""
        config = self.config
        epsilon = config.epsilon + (config.epsilon_end - config.epsilon) * self._progress()
        return play_games(
            self.agent().values, config.games, epsilon=epsilon, masked=config.masked, rng=rng
        )

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """`config.steps` gradient steps on transitions from the replay buffer or these games."""
        config, rate = self.config, self.config.learning_rate
        ratio = config.learning_rate_end / rate
        self.trained.optimizer.learning_rate.assign(rate * ratio ** self._progress())
        transitions, keys = self.transitions(buffer)
        memory = ReplayBuffer(len(buffer)) if self.replay is None else self.replay
        memory.add(transitions, keys)
        batches = [
            memory.sample(config.batch, rng)
            if config.batch
            else memory.take(rng.permutation(len(memory)))
            for _ in range(config.steps)
        ]
        loss = sum(self._descend(batches))
        self.updates += 1
        return {"loss": loss / config.steps, "remembered": float(len(memory))}

    def loss(self, numbers: Any, actions: Any, targets: Any) -> tuple[Any]:
        """(Huber loss,) of the actions [B] in positions numbers [B, 10]; traced by TensorFlow.

        It is error^2 / 2, or |error| - 1/2 from |error| = 1 on (Huber 1964).
        """
        chosen = tf.gather(self.model(numbers, training=True), actions, batch_dims=1)
        error = tf.abs(chosen - targets)
        return (tf.reduce_mean(tf.where(error < 1.0, 0.5 * error * error, error - 0.5)),)

    def transitions(self, buffer: ExperienceBuffer) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """(columns in canonical form, a key [T] per state and action).

        state, next_state [T, 9], action, terminal [T], and reward [T] for the *first* player, 0
        while the game continues.
        """
        codes, after = codes_of(buffer["state"]), codes_of(buffer["next_state"])
        canonical = self.images.canonical
        action = self.images.action[codes, buffer["action"]].astype(np.int32)
        reward = buffer["reward"] * sign_of(buffer["player"])
        columns = {
            "state": tables().cells[canonical[codes]],
            "action": action,
            "reward": np.where(buffer["terminal"], reward, 0.0).astype(np.float32),
            "terminal": buffer["terminal"],
            "next_state": tables().cells[canonical[after]],
        }
        return columns, canonical[codes].astype(np.int64) * 9 + action

    def targets(self, drawn: Mapping[str, np.ndarray]) -> np.ndarray:
        """[B] float32: the td_targets of these transitions."""
        if not self.config.target_every:
            # Without a target network every step bootstraps from the newest weights.
            self.target.copy_from(self.trained.weights())
        return td_targets(**self.target_inputs(drawn), gamma=self.config.gamma)

    def target_inputs(self, drawn: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """The arguments of td_targets but gamma, with the values of the target network."""
        after = drawn["next_state"]
        return {
            "reward": drawn["reward"],
            "terminal": drawn["terminal"],
            "next_values": self.target.values(after),
            "next_sign": signs_of(after),
            "next_legal": after == 0 if self.config.masked else None,
        }

    def _descend(self, batches: list[dict[str, np.ndarray]]) -> list[float]:
        """A gradient step on each batch, and its loss. Until the targets change it is one call."""
        every = self.config.target_every
        losses: list[float] = []
        while batches:
            if every and self.steps % every == 0:
                self.target.copy_from(self.trained.weights())
            # Without a target network the targets change with every step.
            unchanged = every - self.steps % every if every else 1
            together, batches = batches[:unchanged], batches[unchanged:]
            examples = [
                (numbers_of(drawn["state"]), drawn["action"], self.targets(drawn))
                for drawn in together
            ]
            stacked = map(np.stack, zip(*examples, strict=True))
            losses += self.gradient_steps(*stacked).numpy()[:, 0].tolist()
            self.steps += len(together)
        return losses

    def _progress(self) -> float:
        return min(1.0, self.updates / self.config.schedule)

    def state(self) -> dict[str, np.ndarray]:
        """Weights, optimiser, target network with its known values, replay buffer, counters."""
        known = np.flatnonzero(self.target.known)
        values = self.target.table[known]
        parts = {
            "weights": self.trained.weights(),
            "optimizer": self.trained.optimizer_state(),
            "target": self.target.agent.weights,
            "answered": {"codes": known.astype(np.int32), "values": values},
            "replay": {} if self.replay is None else self.replay.arrays(),
        }
        return {**joined(parts), "counters": np.array([self.updates, self.steps], np.int64)}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from the arrays of a learner of the same settings, as `state` returned them."""
        parts = in_parts(arrays)
        self.trained.restore(parts, "weights")
        self.target.copy_from(parts["target"])
        codes = parts["answered"]["codes"]
        self.target.table[codes], self.target.known[codes] = parts["answered"]["values"], True
        if self.replay is not None:
            self.replay.restore(parts["replay"])
        self.updates, self.steps = (int(count) for count in parts["counters"][""])
