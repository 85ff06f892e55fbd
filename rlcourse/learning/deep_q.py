"""Deep Q-learning on tic-tac-toe (Mnih et al. 2015, with the network and the sign trick of the source), one learner with a
switch for every idea: mask, replay, target network, symmetry, schedules.

The network speaks to the first player's account. sign * Q speaks for the player to move; sign is +1 for the first player.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcourse.agents.deep_q import DeepQAgent, numbers_of, signs_of
from rlcourse.experience import ExperienceBuffer
from rlcourse.games import get_game, sign_of
from rlcourse.learning.deep_q_play import play_games
from rlcourse.learning.replay import ReplayBuffer
from rlcourse.learning.train import Learner, in_parts, joined
from rlcourse.learning.trained import Trained
from rlcourse.networks import build_network
from rlcourse.solvers.tictactoe import CODES, codes_of, no_symmetry, symmetry_tables, tables
from rlcourse.tf import keras, tf


@dataclass(frozen=True)
class DeepQConfig:
    """The defaults are the course's recipe; what the source does instead is noted. A network is 102,318 weights."""

    games: int = 250  # games played in lock-step between two updates (source: 1,000)
    epsilon: float = 0.7  # share of moves played at random, 0 to 1
    gamma: float = 0.9  # discount a ply, 0 to 1: a quicker win counts more
    masked: bool = True  # only legal moves are considered; False: an occupied square can be played and loses (source)
    replay: int = (
        20_000  # transitions remembered; 0: learn from the games just played only (source)
    )
    unique: bool = True  # a transition is remembered once, however often it was met
    target_every: int = 40  # gradient steps between two copies into the target network; 0: no target network (source)
    symmetry: bool = (
        True  # the eight images of a position are turned into one before the network sees them
    )
    steps: int = 20  # gradient steps an update
    batch: int = 256  # transitions a gradient step; 0: all that were just played (source)
    learning_rate: float = 0.001  # Adam's step size at the start
    learning_rate_end: float = (
        0.001  # and at the end of the schedule; in between it falls geometrically
    )
    epsilon_end: float = 0.7  # epsilon at the end of the schedule; in between it falls linearly
    schedule: int = 1  # updates until both have arrived
    start: str = "identity"  # first weights: "identity" or "normal" (source), see rlcourse.networks


def td_targets(
    reward: np.ndarray,
    terminal: np.ndarray,
    next_values: np.ndarray,
    next_sign: np.ndarray,
    next_legal: np.ndarray | None,
    gamma: float,
) -> np.ndarray:
    """What Q should have said, [B] float32, to the first player's account:

        reward + [not over] * s' * gamma * max over a' of s' * Q(next, a')

    reward [B] to the first player's account; terminal [B] bool; next_values [B, 9] = s' * Q(next, .), for the player who
    moves next; next_sign [B] is s'. next_legal [B, 9]: the maximum is over legal squares only; None: over all nine.
    """
    if next_legal is not None:
        next_values = np.where(next_legal, next_values, -np.inf)
    future = next_sign * gamma * next_values.max(axis=1)
    return np.where(terminal, reward, reward + future).astype(np.float32)


def huber_loss(chosen: Any, targets: Any) -> Any:
    """[] the mean over B chosen Q-values of error^2 / 2, from |error| = 1 on |error| - 1/2 (Huber 1964)."""
    error = tf.abs(chosen - targets)
    return tf.reduce_mean(tf.where(error < 1.0, 0.5 * error * error, error - 0.5))


class TargetNetwork:
    """A network that stands still between two copies, so that each position has to be asked only once."""

    def __init__(self, weights: Mapping[str, np.ndarray], *, symmetry: bool) -> None:
        self.symmetry = symmetry
        self.canonical = (symmetry_tables() if symmetry else no_symmetry()).canonical
        self.answers = np.zeros((CODES, 9), np.float32)
        self.copy_from(weights)

    def copy_from(self, weights: Mapping[str, np.ndarray]) -> None:
        """Take these weights; what was answered before is forgotten."""
        self.agent = DeepQAgent(get_game("tic-tac-toe"), weights)
        self.known = np.zeros(CODES, np.bool_)

    def values(self, cells: np.ndarray) -> np.ndarray:
        """[R, 9]: s * Q of positions in canonical form, for the player to move."""
        codes = codes_of(cells)
        missing = np.unique(codes[~self.known[codes]])
        if len(missing):
            self.answers[missing] = self.agent.values(tables().cells[missing])
            self.known[missing] = True
        return self.answers[codes]


class DeepQLearner(Learner):
    """Deep Q-learning from self-play; see DeepQConfig. seed draws the first weights."""

    name = "deep-q"
    every = 5  # updates between two verdicts, where nobody says otherwise

    def __init__(self, config: DeepQConfig | None = None, *, seed: int = 0) -> None:
        self.config = config = config or DeepQConfig()
        self.game = get_game("tic-tac-toe")
        self.images = symmetry_tables() if config.symmetry else no_symmetry()
        self.model = build_network("deep-q", seed=seed, start=config.start)
        self.trained = Trained(self.model, keras.optimizers.Adam(config.learning_rate))
        self.step = self.trained.step(
            self.loss,
            tf.TensorSpec([None, 10], tf.int32),
            tf.TensorSpec([None], tf.int32),
            tf.TensorSpec([None], tf.float32),
        )
        self.replay = ReplayBuffer(config.replay, unique=config.unique) if config.replay else None
        self.target = TargetNetwork(self.trained.weights(), symmetry=config.symmetry)
        self.updates, self.steps = 0, 0

    def agent(self) -> DeepQAgent:
        """The greedy player of the weights as they stand."""
        return DeepQAgent(
            self.game,
            self.trained.weights(),
            symmetry=self.config.symmetry,
            masked=self.config.masked,
        )

    def collect(self, rng: np.random.Generator) -> ExperienceBuffer:
        """`config.games` games in lock-step, epsilon-greedy by the network as it stands."""
        config = self.config
        epsilon = config.epsilon + (config.epsilon_end - config.epsilon) * self._progress()
        return play_games(
            self.agent().values, config.games, epsilon=epsilon, masked=config.masked, rng=rng
        )

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """`config.steps` gradient steps on transitions drawn from the replay memory, or from these games alone."""
        config = self.config
        ratio = config.learning_rate_end / config.learning_rate
        self.trained.optimizer.learning_rate.assign(
            config.learning_rate * ratio ** self._progress()
        )
        transitions, keys = self.transitions(buffer)
        memory = self.replay
        if memory is None:
            memory = ReplayBuffer(len(buffer))
        memory.add(transitions, keys)
        loss = 0.0
        for _ in range(config.steps):
            drawn = (
                memory.sample(config.batch, rng)
                if config.batch
                else memory.take(rng.permutation(len(memory)))
            )
            loss += float(self._gradient_step(drawn).numpy()[0])
        self.updates += 1
        return {"loss": loss / config.steps, "remembered": float(len(memory))}

    def loss(self, numbers: Any, actions: Any, targets: Any) -> tuple[Any]:
        """(the Huber loss,) of the chosen actions. numbers [B, 10], actions [B], targets [B]; traced by TensorFlow."""
        chosen = tf.gather(self.model(numbers, training=True), actions, batch_dims=1)
        return (huber_loss(chosen, targets),)

    def transitions(self, buffer: ExperienceBuffer) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """What a gradient step needs of each decision, in canonical form: state, next_state [T, 9], action, terminal [T], and
        reward [T] to the *first* player's account, 0 while the game goes on; and a key [T] per state and action."""
        codes, after = codes_of(buffer["state"]), codes_of(buffer["next_state"])
        canonical = self.images.canonical
        action = self.images.action[codes, buffer["action"]].astype(np.int32)
        sign = sign_of(buffer["player"])
        columns = {
            "state": tables().cells[canonical[codes]],
            "action": action,
            "reward": np.where(buffer["terminal"], buffer["reward"] * sign, 0.0).astype(np.float32),
            "terminal": buffer["terminal"],
            "next_state": tables().cells[canonical[after]],
        }
        return columns, canonical[codes].astype(np.int64) * 9 + action

    def targets(self, drawn: Mapping[str, np.ndarray]) -> np.ndarray:
        """[B] float32: td_targets of these transitions, by the target network or, without one, by the network itself."""
        after = drawn["next_state"]
        if not self.config.target_every:
            self.target.copy_from(self.trained.weights())
        legal = after == 0 if self.config.masked else None
        values = self.target.values(after)
        return td_targets(
            drawn["reward"], drawn["terminal"], values, signs_of(after), legal, self.config.gamma
        )

    def _gradient_step(self, drawn: Mapping[str, np.ndarray]) -> Any:
        if self.config.target_every and self.steps % self.config.target_every == 0:
            self.target.copy_from(self.trained.weights())
        self.steps += 1
        return self.step(numbers_of(drawn["state"]), drawn["action"], self.targets(drawn))

    def _progress(self) -> float:
        return min(1.0, self.updates / self.config.schedule)

    def state(self) -> dict[str, np.ndarray]:
        """Weights, optimiser, target network with what it has answered, replay memory, counters."""
        known = np.flatnonzero(self.target.known)
        parts = {
            "weights": self.trained.weights(),
            "optimizer": self.trained.optimizer_state(),
            "target": self.target.agent.weights,
            "answered": {
                "codes": known.astype(np.int32),
                "values": self.target.answers[known],
            },
            "replay": {} if self.replay is None else self.replay.arrays(),
        }
        return {**joined(parts), "counters": np.array([self.updates, self.steps], np.int64)}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Take the arrays of `state`."""
        parts = in_parts(arrays)
        self.trained.restore(parts, "weights")
        self.target.copy_from(parts["target"])
        codes = parts["answered"]["codes"]
        self.target.answers[codes], self.target.known[codes] = parts["answered"]["values"], True
        if self.replay is not None:
            self.replay.restore(parts["replay"])
        self.updates, self.steps = (int(count) for count in parts["counters"][""])
