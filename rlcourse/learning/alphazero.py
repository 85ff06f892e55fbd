"""AlphaZero: a network learns from its own search, in a cycle of play, learn, compare, replace.

loss = cross-entropy of pi and p + (z - v)^2 + L2 of the weights (Silver et al. 2017, eq. 1).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rlcourse.agents.alphazero import AlphaZeroAgent, shape_of
from rlcourse.arena import play_match
from rlcourse.encoders import get_encoder_by_name
from rlcourse.errors import BadValue
from rlcourse.experience import ExperienceBuffer
from rlcourse.forward import Snapshot
from rlcourse.games import get_game
from rlcourse.learning.alphazero_play import EpisodeSpec, play_episodes
from rlcourse.learning.chunks import Chunks, Weights, in_parts, joined
from rlcourse.learning.replay import ReplayBuffer
from rlcourse.learning.symmetry import turned
from rlcourse.learning.trained import ChunkedLearner, Trained
from rlcourse.networks import build_network, weights_of
from rlcourse.tf import keras, tf

L2 = 1e-4  # weight of the sum of squares of the kernels in the loss


@dataclass(frozen=True)
class AlphaZeroConfig:
    """The defaults are the course's recipe for tic-tac-toe.

    Visits as target and the newest weights are as good on most seeds, but not on all (`rlcourse
    experiment alphazero-tictactoe-plain`).
    """

    game: str = "tic-tac-toe"  # by name
    game_options: Mapping[str, Any] = field(default_factory=dict)  # such as size and komi of Go
    encoder: str = "two-plane"  # the network's input, by name; "alphago-zero" has eight boards
    # Of the residual tower.
    network_options: Mapping[str, Any] = field(default_factory=lambda: {"filters": 32, "blocks": 1})
    games: int = 256  # per chunk, played in lock-step; one update learns from one chunk
    simulations: int = 50  # per decision
    c: float = 1.25  # weight of exploration in the search
    noise: float = 1.0  # alpha of the Dirichlet noise at the root; about 10 / (legal moves)
    temperature: float = 1.0  # moves are drawn in proportion to visits ** (1 / temperature) ...
    sampled_plies: int = 9  # ... before this ply of the game; then the most visited is played
    opening: int = 6  # plies, 0 to this many, that are played at random at the start of a game
    target: str = "completed-q"  # how pi is made: "visits", or "completed-q"
    # Of "completed-q": nats per point of Q and visit; mctx uses 0.1 for values in [0, 1].
    sharpness: float = 0.3
    root_value: float = 0.75  # share of the search's value in the value target; the rest is z
    window: int = 5_000  # positions in the replay buffer
    reuse: float = 8.0  # times that a position is learned, on average
    batch: int = 384  # positions per gradient step
    learning_rate: float = 0.005  # of Adam
    averaging: float = 0.5  # share of the old mean in the player's weights; 0: newest weights
    gate_games: int = 0  # games of new against best; 0: no gate, every update's weights play
    gate_every: int = 8  # updates between two such matches
    gate_at: float = 0.55  # score, with draws as half, from which the new weights play
    ahead: int = 0  # updates learned while a chunk is played; >= workers keeps the workers busy
    workers: int = 0  # processes that play; 0: this one. Does not change what is learned


@dataclass(frozen=True)
class ConnectFourConfig(AlphaZeroConfig):
    """The course's recipe for Connect Four: the fewest parts.

    In five minutes no other recipe wins on every seed with 800 simulations (`rlcourse experiment
    alphazero-connect-four-choice`); in half an hour, with one seed, one does (`...-long`).
    """

    game: str = "connect-four"
    network_options: Mapping[str, Any] = field(default_factory=lambda: {"filters": 32, "blocks": 3})
    simulations: int = 32
    target: str = "visits"
    sharpness: float = 0.1
    averaging: float = 0.0
    sampled_plies: int = 20
    opening: int = 0
    root_value: float = 0.5
    window: int = 150_000
    reuse: float = 4.0
    batch: int = 512
    learning_rate: float = 0.002
    ahead: int = 2
    workers: int = 2


@dataclass(frozen=True)
class ConnectFourThreatsConfig(ConnectFourConfig):
    """The same for a network whose planes mark, by hand, where four in a row threaten."""

    encoder: str = "threats"


@dataclass(frozen=True)
class GoConfig(ConnectFourConfig):
    """The course's recipe for Go on 5 x 5.

    With komi 24.5 Black must capture the whole board to win, which perfect play achieves. With the
    usual 7.5 there is nothing left to learn once Black wins.
    """

    game: str = "go"
    game_options: Mapping[str, Any] = field(default_factory=lambda: {"size": 5, "komi": 24.5})
    encoder: str = "simple"
    noise: float = 0.4
    target: str = "completed-q"
    averaging: float = 0.75
    opening: int = 10
    window: int = 100_000


class AlphaZeroLearner(ChunkedLearner):
    """Self-play by search, and a network that learns from it; see AlphaZeroConfig.

    seed draws the first weights and, with the number of a chunk, its games.
    """

    name = "alphazero"
    every = 2  # updates between two verdicts by default

    def __init__(self, config: AlphaZeroConfig | None = None, *, seed: int = 0) -> None:
        self.config = config = config or AlphaZeroConfig()
        self.game = get_game(config.game, **config.game_options)
        self.encoder = get_encoder_by_name(config.encoder, self.game)
        self.network = {**config.network_options, **shape_of(self.encoder)}
        self.model = build_network("alphazero", seed=seed, **self.network)
        self.trained = Trained(self.model, keras.optimizers.Adam(config.learning_rate))
        self.step = make_step(self.trained)
        self.replay = ReplayBuffer(config.window)
        weights = weights_of(self.model)
        draws = {name: getattr(config, name) for name in ("noise", "temperature", "sampled_plies")}
        agent = {**self.agent_of(weights).options(), **draws, "bits": 18}
        made = {name: getattr(config, name) for name in ("opening", "target", "sharpness")}
        spec = EpisodeSpec(
            config.game, "alphazero", config.encoder, config.games, self.game.options, agent, **made
        )
        self.chunks = Chunks(
            spec, weights, seed=seed, ahead=config.ahead, workers=config.workers, play=play_episodes
        )

    def agent_of(self, weights: Weights) -> AlphaZeroAgent:
        """The player with these weights, which plays the most visited move without noise."""
        network = Snapshot("alphazero", self.network, weights)
        config = self.config
        return AlphaZeroAgent(network, self.encoder, simulations=config.simulations, c=config.c)

    def agent(self) -> AlphaZeroAgent:
        """The player with the weights that self-play gets."""
        return self.agent_of(self.chunks.weights)

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """Store the games, then learn from stored positions, each turned by a random symmetry.

        loss; policy_loss, the cross-entropy in nats; value_error, the mean squared error; plies:
        decisions a game; gate: the new weights' score against the best, if they met. Raises
        Diverged.
        """
        config = self.config
        self.replay.add(self.examples(buffer))
        figures = []
        for _ in range(max(1, round(config.reuse * len(buffer) / config.batch))):
            drawn = turned(self.replay.sample(config.batch, rng), self.game, rng)
            planes = drawn["planes"].astype(np.float32)
            figures.append(self.step({**drawn, "planes": planes}).numpy())
        loss, policy_loss, value_error = np.mean(figures, axis=0).tolist()
        metrics = {"loss": loss, "policy_loss": policy_loss, "value_error": value_error}
        metrics["plies"] = len(buffer) / buffer.games
        advice = f"try a learning rate below {config.learning_rate:g}"
        newest = self.trained.finite_weights(self.chunks.updates + 1, advice)
        share = config.averaging
        weights: Weights = {
            name: share * old + (1 - share) * newest[name]
            for name, old in self.chunks.weights.items()
        }
        if config.gate_games:
            weights, metrics["gate"] = self._gate(weights, rng)
        self.chunks.learned(weights)
        return metrics

    def _gate(self, weights: Weights, rng: np.random.Generator) -> tuple[Weights, float]:
        """(the weights that play on, the score of the new ones in [0, 1] or -1 without a match)."""
        config, best = self.config, self.chunks.weights
        if (self.chunks.updates + 1) % config.gate_every:
            return best, -1.0
        new, old = self.agent_of(weights), self.agent_of(best)
        for player in (new, old):
            # Without drawn moves all games of the match would be the same.
            player.temperature, player.sampled_plies = config.temperature, config.sampled_plies // 3
        score = play_match(new, old, games=config.gate_games, seed=int(rng.integers(2**31))).score
        return (weights if score >= config.gate_at else best), score

    def examples(self, buffer: ExperienceBuffer) -> dict[str, np.ndarray]:
        """The targets of each decision, for the player who moved.

        planes [T, C, H, W] int8, legal [T, A] bool, pi [T, A] float32, value [T] float32 in
        [-1, 1]. Raises ValueError for games of another kind.
        """
        known = {"legal", "policy", "value"} <= buffer.columns.keys()
        if not known or buffer["state"].shape[1:] != self.encoder.shape:
            raise BadValue(
                "these games were not played by AlphaZero's self-play with the encoder "
                f"{self.encoder.name!r} {self.encoder.shape}"
            )
        share = np.float32(self.config.root_value)
        return {
            "planes": buffer["state"],
            "legal": buffer["legal"],
            "pi": buffer["policy"],
            "value": (1 - share) * buffer["reward"] + share * buffer["value"],
        }

    def state(self) -> dict[str, np.ndarray]:
        """Adds the trained model, which the mean and the gate keep from playing, and the replay."""
        parts = {"model": self.trained.weights(), "replay": self.replay.arrays()}
        return {**super().state(), **joined(parts)}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Take the arrays of `state`, of this version or an earlier one."""
        parts = in_parts(arrays)
        self.trained.restore(parts, "model")
        parts["replay"].pop("columns/weight", None)  # of an earlier version: always 1
        self.replay.restore(parts["replay"])
        self.chunks.restore(parts)


def make_step(trained: Trained, **others: float) -> Any:
    """step(examples) -> [loss, cross-entropy, squared error]: one gradient step.

    others: further heads by name, and what their mean squared errors weigh in the loss.
    """
    model, heads = trained.model, ("logits", "value", *others)
    outputs = keras.Model(model.inputs, [model.get_layer(head).output for head in heads])
    kernels = [variable for variable in model.trainable_variables if variable.name == "kernel"]

    def loss_of(examples: dict[str, Any]) -> tuple[Any, Any, Any]:
        """(loss, cross-entropy, squared error) of a minibatch; the loss adds L2 times the decay."""
        logits, value, *rest = outputs(examples["planes"], training=True)
        policy_loss, error = losses(logits, value[:, 0], examples)
        decay = tf.add_n([tf.reduce_sum(tf.square(kernel)) for kernel in kernels])
        loss = policy_loss + error + L2 * decay
        for (head, weight), output in zip(others.items(), rest, strict=True):
            loss += weight * tf.reduce_mean(tf.square(output - examples[head]))
        return loss, policy_loss, error

    return trained.step(loss_of)


def losses(logits: Any, value: Any, examples: Mapping[str, Any]) -> tuple[Any, Any]:
    """(cross-entropy of pi and the policy in nats, mean squared error of the value).

    logits [B, A], value [B] in (-1, 1). The policy is the softmax over the legal actions.
    """
    legal, pi = examples["legal"], examples["pi"]
    log_p = tf.nn.log_softmax(tf.where(legal, logits, tf.constant(-1e9, logits.dtype)))
    cross_entropy = -tf.reduce_sum(tf.where(legal, pi * log_p, tf.zeros_like(log_p)), axis=1)
    return tf.reduce_mean(cross_entropy), tf.reduce_mean(tf.square(value - examples["value"]))
