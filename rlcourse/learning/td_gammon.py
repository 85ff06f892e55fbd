"""TD(lambda) at class speed: games in lock-step, the forward view. Tesauro (1995); Sutton & Barto (2018), sec. 12.1, 16.1.

Two workers play while this process learns: see rlcourse.learning.chunks.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcourse.agents.td_gammon import TDGammonAgent, other_side
from rlcourse.experience import ExperienceBuffer, lambda_returns
from rlcourse.games import get_game
from rlcourse.games.backgammon import units
from rlcourse.learning.chunks import Chunks
from rlcourse.learning.train import Learner, in_parts, joined
from rlcourse.learning.trained import Trained
from rlcourse.networks import build_network
from rlcourse.self_play import SelfPlaySpec
from rlcourse.tf import keras, tf


@dataclass(frozen=True)
class TDGammonConfig:
    """The defaults are the course's recipe. A network is 198 - hidden - outputs, all sigmoid."""

    hidden: int = 80  # units of the hidden layer
    outputs: int = 5  # probabilities: 5 with gammons and backgammons, 1 plain wins only
    games: int = 256  # games played in lock-step, a chunk; one update learns from one chunk
    longest: int = 250  # plies after which a game is broken off, and its last position counts by the network's word; 0: never
    lam: float = 0.7  # lambda of the returns at the start, 0 to 1
    lam_end: float = 0.7  # and at the end of the schedule; in between it moves linearly
    batch: int = 256  # positions a gradient step
    learning_rate: float = 0.003  # Adam's step size until `hold`
    learning_rate_end: float = (
        0.0003  # and at the end of the schedule; in between it falls geometrically
    )
    hold: int = 20_000  # games before it begins to fall
    schedule: int = 300_000  # games until rate and lambda have arrived
    average: float = 0.0  # share of the old mean kept at every update; the agent plays with the mean. 0: with the last weights
    ahead: int = 1  # updates that are learned while a chunk is being played; at least the number of workers keeps them busy
    workers: int = 0  # processes that play; 0: this one. Does not change what is learned


class TDGammonLearner(Learner):
    """Self-play of backgammon; see TDGammonConfig. seed draws the first weights and, with the number of a chunk, its dice."""

    name = "td-gammon"
    chunks: Chunks
    every = 4  # updates between two verdicts, where nobody says otherwise

    def __init__(self, config: TDGammonConfig | None = None, *, seed: int = 0) -> None:
        self.config = config = config or TDGammonConfig()
        self.game = get_game("backgammon")
        self.model = build_network(
            "td-gammon", seed=seed, hidden=config.hidden, outputs=config.outputs
        )
        self.trained = Trained(self.model, keras.optimizers.Adam(config.learning_rate))
        self.learn = make_pass(self.trained, config.batch)
        spec = SelfPlaySpec(
            "backgammon", "td-gammon", "checkers", config.games, longest=config.longest
        )
        self.mean = self.trained.weights()
        self.chunks = Chunks(spec, self.mean, seed=seed, ahead=config.ahead, workers=config.workers)

    @property
    def weights(self) -> Mapping[str, np.ndarray]:
        """Those after the last update."""
        return self.chunks.weights

    def agent(self) -> TDGammonAgent:
        """The greedy player of the weights as they stand, or of their running mean."""
        return TDGammonAgent(self.game, self.mean if self.config.average else self.weights)

    def collect(self, rng: np.random.Generator) -> ExperienceBuffer:
        """The next chunk of self-play, greedy: the dice explore. It is a function of the seed and its number, not of rng."""
        return self.chunks.collect()

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """One pass over the chunk, towards the lambda-returns of the weights as they stand. The loss is in nats."""
        config = self.config
        progress = min(1.0, self.chunks.updates * config.games / config.schedule)
        self.trained.optimizer.learning_rate.assign(self._learning_rate())
        lam = config.lam + (config.lam_end - config.lam) * progress
        roller = (1 - buffer["player"]).astype(np.int8)
        targets, learned = chunk_targets(TDGammonAgent(self.game, self.weights), buffer, lam)
        features = units(buffer["state"][learned], roller[learned], roller[learned])
        order = rng.permutation(len(learned)).astype(np.int32)
        loss = float(self.learn(features, targets[learned], order))
        self.chunks.learned(self.trained.weights())
        keep = min(config.average, 1 - 1 / (self.chunks.updates + 1))
        self.mean = {
            name: keep * self.mean[name] + (1 - keep) * array
            for name, array in self.weights.items()
        }
        return {"loss": loss, "plies": len(buffer) / buffer.games}

    def _learning_rate(self) -> float:
        config = self.config
        fallen = (self.chunks.updates * config.games - config.hold) / max(
            1, config.schedule - config.hold
        )
        return config.learning_rate * (config.learning_rate_end / config.learning_rate) ** min(
            1.0, max(0.0, fallen)
        )

    def state(self) -> dict[str, np.ndarray]:
        """Weights of the last updates, their mean, optimiser and counter. Chunks that were being played are played again."""
        parts = {"optimizer": self.trained.optimizer_state(), "mean": self.mean}
        return {**joined(parts), **self.chunks.state()}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Take the arrays of `state`."""
        parts = in_parts(arrays)
        self.trained.restore(parts, "weights-0")
        self.mean = parts["mean"]
        self.chunks.restore(parts)


def make_pass(trained: Trained, batch: int) -> Any:
    """learn(features [T, 198], targets [T, outputs], order [K] int32) -> mean loss: one gradient step for every `batch` rows
    in that order, each on the cross-entropy summed over the outputs. A remainder shorter than `batch` is left out."""
    count = trained.model.output_shape[-1]
    kinds = (([None, 198], tf.float32), ([None, count], tf.float32), ([None], tf.int32))
    signature = [tf.TensorSpec(*kind) for kind in kinds]

    def loss_of(features, wanted):
        said = trained.model(features, training=True)
        entropies = keras.ops.binary_crossentropy(wanted, said)
        return (tf.reduce_mean(tf.reduce_sum(entropies, axis=1)),)

    @tf.function(input_signature=signature)
    def learn(features, targets, order):
        """See make_pass."""
        steps, total = tf.shape(order)[0] // batch, tf.constant(0.0)
        for k in tf.range(steps):
            rows = order[k * batch : (k + 1) * batch]
            chosen = tf.gather(features, rows), tf.gather(targets, rows)
            total += trained.descend(loss_of, *chosen)[0]
        return total / tf.cast(tf.maximum(steps, 1), tf.float32)

    return learn


def chunk_targets(
    agent: TDGammonAgent, buffer: ExperienceBuffer, lam: float
) -> tuple[np.ndarray, np.ndarray]:
    """(targets [T, outputs] float32, learned): the lambda-return of every position of the chunk, for the player who rolls
    next, and the rows that are learned from, which are those of positions in which the game goes on.

        G_t = (1 - lam) * V(s_(t+1)) + lam * G_(t+1), at the end the result, or V where it was broken off

    Sutton & Barto (2018), sec. 12.1, with gamma 1.
    """
    roller = (1 - buffer["player"]).astype(np.int8)
    said = agent.outputs(buffer["state"], roller)
    values = np.where(
        roller[:, None] == 0, said, other_side(said)
    )  # for the first player, so that nothing flips on the way
    starts = np.flatnonzero(np.diff(buffer["game"], prepend=-1))
    last = np.append(starts[1:], len(buffer)) - 1
    steps = np.arange((last - starts).max())[
        :, None
    ]  # step k leads from the k-th position of a game to the next
    after = np.minimum(starts + steps + 1, last)
    following = values[after]
    wanted = lambda_returns(np.zeros_like(following), following, lam, ends=after == last)
    played = starts + steps < last
    returns = values.copy()
    returns[(starts + steps)[played]] = wanted[played]
    learned = np.sort((starts + steps)[played])
    return np.where(roller[:, None] == 0, returns, other_side(returns)), learned
