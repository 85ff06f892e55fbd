"""TD(lambda) at class speed: games in lock-step, learned by the forward view.

Tesauro (1995); Sutton & Barto (2018), sec. 12.1 and 16.1. Workers may play while this process
learns: see `rlcourse.learning.chunks`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcourse.agents.td_gammon import TDGammonAgent, other_side
from rlcourse.experience import ExperienceBuffer, lambda_returns
from rlcourse.games import get_game
from rlcourse.games.backgammon import units
from rlcourse.learning.chunks import Chunks
from rlcourse.learning.trained import ChunkedLearner, Trained
from rlcourse.networks import build_network
from rlcourse.self_play import SelfPlaySpec
from rlcourse.tf import keras, tf


@dataclass(frozen=True)
class TDGammonConfig:
    """The defaults are the course's recipe. The network is 198 - hidden - outputs, all sigmoid."""

    hidden: int = 80  # units of the hidden layer
    outputs: int = 5  # probabilities: 5 with gammons and backgammons, 1 plain wins only
    games: int = 256  # per chunk, played in lock-step; one update learns from one chunk
    longest: int = 250  # plies after which a game is cut and its last value bootstraps; 0: never
    lam: float = 0.7  # lambda of the returns, 0 to 1
    batch: int = 256  # positions per gradient step
    learning_rate: float = 0.003  # Adam's step size until `hold`
    learning_rate_end: float = 0.0003  # at the end of the schedule; it falls geometrically
    hold: int = 20_000  # games before it begins to fall
    schedule: int = 300_000  # games until it has arrived
    ahead: int = 1  # updates learned while a chunk is played; >= workers keeps the workers busy
    workers: int = 0  # processes that play; 0: this one. Does not change what is learned


class TDGammonLearner(ChunkedLearner):
    """Self-play of backgammon; see TDGammonConfig.

    seed draws the first weights and, with the number of a chunk, its dice. Self-play is greedy: the
    dice explore.
    """

    name = "td-gammon"
    every = 4  # updates between two verdicts by default

    def __init__(self, config: TDGammonConfig | None = None, *, seed: int = 0) -> None:
        self.config = config = config or TDGammonConfig()
        self.game = get_game("backgammon")
        shape = {"hidden": config.hidden, "outputs": config.outputs}
        self.model = build_network("td-gammon", seed=seed, **shape)
        self.trained = Trained(self.model, keras.optimizers.Adam(config.learning_rate))
        self.gradient_steps = self.trained.steps(self.loss)
        spec = SelfPlaySpec(
            "backgammon", "td-gammon", "checkers", config.games, longest=config.longest
        )
        weights = self.trained.weights()
        self.chunks = Chunks(spec, weights, seed=seed, ahead=config.ahead, workers=config.workers)

    def agent(self) -> TDGammonAgent:
        return TDGammonAgent(self.game, self.chunks.weights)

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """One pass towards the lambda-returns under the present weights. The loss is in nats."""
        self.trained.optimizer.learning_rate.assign(self._learning_rate())
        roller = (1 - buffer["player"]).astype(np.int8)
        targets, learned = self.targets(buffer, rng)
        size = self.config.batch
        # A remainder shorter than a batch is left out.
        rows = rng.permutation(learned)[: len(learned) // size * size]
        features = units(buffer["state"][rows], roller[rows], roller[rows])
        batches = (array.reshape(-1, size, array.shape[1]) for array in (features, targets[rows]))
        losses = self.gradient_steps(*batches).numpy()[:, 0]
        self.chunks.learned(self.trained.weights())
        loss = float(sum(losses) / max(1, len(losses)))
        return {"loss": loss, "plies": len(buffer) / buffer.games}

    def loss(self, features: Any, targets: Any) -> tuple[Any]:
        """([] the mean over B positions of the cross-entropies, summed over the outputs,).

        features [B, 198], targets [B, outputs]; traced by TensorFlow.
        """
        entropies = keras.ops.binary_crossentropy(targets, self.model(features, training=True))
        return (tf.reduce_mean(tf.reduce_sum(entropies, axis=1)),)

    def targets(
        self, buffer: ExperienceBuffer, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """`chunk_targets` under the present weights; a control of an experiment draws from rng."""
        return chunk_targets(self.agent(), buffer, self.config.lam)

    def _learning_rate(self) -> float:
        config = self.config
        games_since = self.chunks.updates * config.games - config.hold
        progress = games_since / max(1, config.schedule - config.hold)
        ratio = config.learning_rate_end / config.learning_rate
        return config.learning_rate * ratio ** min(1.0, max(0.0, progress))


def chunk_targets(
    agent: TDGammonAgent, buffer: ExperienceBuffer, lam: float
) -> tuple[np.ndarray, np.ndarray]:
    """(lambda-returns [T, outputs] float32 for the player who rolls next, the rows to learn from).

    These rows are the positions in which the game continues.

        G_t = (1 - lam) * V(s_(t+1)) + lam * G_(t+1), at the end the result, or V of a cut game

    Sutton & Barto (2018), sec. 12.1, with gamma 1.
    """
    roller = (1 - buffer["player"]).astype(np.int8)
    outputs = agent.outputs(buffer["state"], roller)
    # All values for the first player, so that no sign changes inside a game.
    values = np.where(roller[:, None] == 0, outputs, other_side(outputs))
    starts = np.flatnonzero(np.diff(buffer["game"], prepend=-1))
    last = np.append(starts[1:], len(buffer)) - 1
    # Step k leads from the k-th position of every game to the next one.
    steps = np.arange((last - starts).max())[:, None]
    after = np.minimum(starts + steps + 1, last)
    next_values = values[after]
    targets = lambda_returns(np.zeros_like(next_values), next_values, lam, ends=after == last)
    played = starts + steps < last
    learned = (starts + steps)[played]
    returns = values.copy()
    returns[learned] = targets[played]
    return np.where(roller[:, None] == 0, returns, other_side(returns)), np.sort(learned)
