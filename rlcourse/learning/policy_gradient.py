"""Policy gradients on Go: the book's update as printed (Pumperla & Ferguson 2019, ch. 10), and the update that learns.

REINFORCE (Williams 1992; Sutton & Barto 2018, sec. 13.3): every move of the winner counts +1, of the
loser -1. In place of log pi a surrogate objective takes the importance ratio pi / pi_old (Kakade &
Langford 2002; Schulman et al. 2017, eq. 6); PPO clips it (eq. 7).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from rlcourse.agents.policy import PolicyAgent, Snapshot
from rlcourse.encoders import get_encoder_by_name
from rlcourse.experience import ExperienceBuffer
from rlcourse.games import get_game
from rlcourse.learning.chunks import Chunks
from rlcourse.learning.symmetry import turned
from rlcourse.learning.train import Learner, in_parts, joined
from rlcourse.learning.trained import Trained
from rlcourse.networks import build_network, heads_of, recipe_of, set_weights
from rlcourse.sampling import CLIP
from rlcourse.self_play import SelfPlaySpec
from rlcourse.tf import keras, tf

OPTIMIZERS = {"adam": keras.optimizers.Adam, "sgd": keras.optimizers.SGD}
OBJECTIVES = ("ratio", "log-prob")
REINFORCE = {"objective_won": "log-prob", "objective_lost": "log-prob"}


@dataclass(frozen=True)
class PolicyGradientConfig:
    """The defaults are the course's recipe: the clipped ratio and nothing else. What the ratio does on won
    and on lost decisions, and what the clip adds, shows `rlcourse experiment policy-gradient-ablation`.
    AS_PRINTED is the book's update, with the rate of its code."""

    size: int = 5  # points along a side of the board
    komi: float = 7.5  # points that White gets for moving second
    encoder: str = "simple"  # what the network sees, by name
    network: str = "go-small"  # its architecture, by name
    network_options: Mapping[str, Any] = field(
        default_factory=dict
    )  # of its builder, beside board and planes
    games: int = 512  # games played in lock-step, a chunk; one update learns from one chunk
    optimizer: str = "adam"  # "adam" or "sgd"
    learning_rate: float = 0.003  # its step size
    batch: int = 1024  # decisions a gradient step; the decisions left over make a smaller last one
    masked: bool = True  # probabilities are those of the points that may be played; False: of all points (book)
    objective_won: str = "ratio"  # where the advantage is positive: "ratio" or "log-prob" (book)
    objective_lost: str = "ratio"  # where it is not; see policy_loss
    ratio_clip: float = (
        0.2  # PPO's clip of the ratio to 1 +- this, where the ratio is used; 0: none
    )
    entropy: float = 0.0  # weight of the policy's entropy, in nats; 0: none
    clip_norm: float = 0.0  # longest gradient of one weight array; 0: not clipped
    symmetry: bool = False  # every position is turned by a random one of the eight symmetries
    clip: float = CLIP  # floor of the probabilities with which it plays, see clip_probs; 0: none
    guests: float = 0.0  # share of the games that are played with earlier snapshots of the learner; only its moves are learned
    ahead: int = 0  # updates that are learned while a chunk is being played; at least the number of workers keeps them busy
    workers: int = 0  # processes that play; 0: this one. Does not change what is learned


AS_PRINTED = {
    "network": "go-seed",
    "optimizer": "sgd",
    "learning_rate": 1e-7,
    "batch": 512,
    "masked": False,
    **REINFORCE,
    "games": 256,
    "clip_norm": 1.0,
}


class PolicyGradientLearner(Learner):
    """Self-play of Go and the policy gradient; see PolicyGradientConfig.

    seed draws the first weights and, with the number of a chunk, its games.
    """

    name = "policy-gradient"
    chunks: Chunks
    every = 4  # updates between two verdicts, where nobody says otherwise
    player, settings = PolicyAgent, PolicyGradientConfig
    learns_from: ClassVar = {
        "advantage": "reward"
    }  # numbers a decision that its examples hold: the columns of experience they are
    heads: tuple[str, ...] = ("logits",)  # layers that the loss is made of
    figures: tuple[str, ...] = ("loss", "entropy", "bounded")

    def __init__(self, config: PolicyGradientConfig | None = None, *, seed: int = 0) -> None:
        self.config = config = config or self.settings()
        self.game = get_game("go", size=config.size, komi=config.komi)
        self.encoder = get_encoder_by_name(config.encoder, self.game)
        shape = {"board": config.size, "planes": self.encoder.shape[0]}
        self.model = build_network(config.network, seed=seed, **shape, **config.network_options)
        if config.optimizer not in OPTIMIZERS:
            raise ValueError(
                f"an optimizer is one of {', '.join(OPTIMIZERS)}; got {config.optimizer!r}"
            )
        for objective in (config.objective_won, config.objective_lost):
            if objective not in OBJECTIVES:
                raise ValueError(
                    f"an objective is one of {', '.join(OBJECTIVES)}; got {objective!r}"
                )
        optimizer = OPTIMIZERS[config.optimizer](
            config.learning_rate, clipnorm=config.clip_norm or None
        )
        self.trained = Trained(self.model, optimizer)
        weights = self.trained.weights()
        player = self.agent_of(weights)
        self.step = self.trained.step(self._figures_of(), self._signature())
        self.with_ratio = "ratio" in (config.objective_won, config.objective_lost)
        record = tuple(
            name for name in player.record if name == "value" or config.masked or self.with_ratio
        )
        guests = round(config.guests * config.games)
        how = self.game.options, player.options(), record
        spec = SelfPlaySpec("go", player.name, config.encoder, config.games, *how, guests=guests)
        self.chunks = Chunks(spec, weights, seed=seed, ahead=config.ahead, workers=config.workers)

    def agent_of(self, weights: Mapping[str, np.ndarray]) -> PolicyAgent:
        """The player with these weights, who draws as the network says."""
        return self.player(
            Snapshot(*recipe_of(self.model), weights), self.encoder, clip=self.config.clip
        )

    def agent(self) -> PolicyAgent:
        """The player with the weights as they stand."""
        return self.agent_of(self.chunks.weights)

    def start_from(self, agent: PolicyAgent) -> None:
        """Take an agent's weights, before the first update. Raises ValueError where its network is another one."""
        set_weights(self.model, agent.arrays())
        self.chunks.start(self.trained.weights())

    def collect(self, rng: np.random.Generator) -> ExperienceBuffer:
        """The next chunk of self-play. It is a function of the seed and its number, not of rng."""
        return self.chunks.collect()

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """One pass over the games. loss; entropy in nats of the policy in the positions seen; bounded: the share of
        decisions whose ratio was outside 1 +- ratio_clip; plies: length of a game. Raises Diverged."""
        config = self.config
        examples = self.examples(buffer)
        if config.symmetry:
            examples = turned(examples, self.game, rng)
        figures = [
            self.step(minibatch).numpy() for minibatch in _batches(examples, config.batch, rng)
        ]
        advice = (
            f"a learning rate below {config.learning_rate:g}, a bound on the ratio or clipped "
            "gradients may help"
        )
        self.chunks.learned(self.trained.finite_weights(self.chunks.updates + 1, advice))
        means = np.mean(figures, axis=0)
        return {
            **dict(zip(self.figures, means.tolist(), strict=True)),
            "plies": len(buffer) / buffer.games,
        }

    def loss(self, said: Mapping[str, Any], examples: Mapping[str, Any]) -> tuple[Any, ...]:
        """The loss of a minibatch and what is worth plotting, as in `figures`; traced by TensorFlow."""
        config = self.config
        return policy_loss(
            said["logits"],
            examples["action"],
            examples["advantage"],
            examples["log_prob"],
            examples["allowed"],
            ratio_clip=config.ratio_clip,
            entropy=config.entropy,
            won=config.objective_won,
            lost=config.objective_lost,
        )

    def examples(self, buffer: ExperienceBuffer) -> dict[str, np.ndarray]:
        """What a gradient step needs of each decision in which there was a choice: planes [T, C, H, W] int8, action [T] int32,
        advantage [T] float32 for the player who moved, log_prob [T] float32 when it was played, allowed [T, outputs] bool.

        Raises ValueError for games of another board or encoder, and for ones without the columns that this config needs.
        """
        config, outputs = self.config, heads_of(self.model)[0]
        if (buffer.meta.get("encoder"), buffer["state"].shape[1:]) != (
            config.encoder,
            self.encoder.shape,
        ):
            raise ValueError(
                f"these games are encoded as {buffer.meta.get('encoder')!r} {buffer['state'].shape[1:]}; this "
                f"network sees {config.encoder!r} {self.encoder.shape}"
            )
        needed = ("policy", "log_prob") if config.masked or self.with_ratio else ()
        for column in (*needed, *self.learns_from.values()):
            if column not in buffer.columns:
                raise ValueError(
                    f"these games were recorded without {column!r}: play them with the course's self-play, or "
                    "set masked=false, objective_won=log-prob and "
                    "objective_lost=log-prob, as the book does"
                )
        played = buffer["log_prob"] if self.with_ratio else np.zeros(len(buffer))
        examples = {
            "planes": buffer["state"],
            "action": buffer["action"].astype(np.int32),
            **{
                name: buffer[column].astype(np.float32) for name, column in self.learns_from.items()
            },
            "log_prob": played.astype(np.float32),
            "allowed": buffer["policy"] > 0
            if config.masked
            else np.ones((len(buffer), len(self.game.labels)), bool),
        }
        chosen = examples["action"] < min(
            outputs, len(self.game.labels) - 1
        )  # nobody passes who has something else to do
        if config.masked:
            chosen &= examples["allowed"].sum(axis=1) > 1
        examples["allowed"] = examples["allowed"][:, :outputs]
        return {name: column[chosen] for name, column in examples.items()}

    def state(self) -> dict[str, np.ndarray]:
        """Weights of the last updates, optimiser and counter."""
        optimizer = joined({"optimizer": self.trained.optimizer_state()})
        return {**optimizer, **self.chunks.state()}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Take the arrays of `state`."""
        parts = in_parts(arrays)
        self.trained.restore(parts, "weights-0")
        self.chunks.restore(parts)

    def _figures_of(self) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
        """`loss` of examples with their planes, which go through the network first."""
        layers = {head: self.model.get_layer(head).output for head in self.heads}
        parts = keras.Model(self.model.inputs, layers)
        return lambda examples: self.loss(parts(examples["planes"], training=True), examples)

    def _signature(self) -> dict[str, Any]:
        return {
            "planes": tf.TensorSpec([None, *self.model.input_shape[1:]], tf.float32),
            "action": tf.TensorSpec([None], tf.int32),
            "log_prob": tf.TensorSpec([None], tf.float32),
            "allowed": tf.TensorSpec([None, heads_of(self.model)[0]], tf.bool),
            **{name: tf.TensorSpec([None], tf.float32) for name in self.learns_from},
        }


def _batches(
    examples: Mapping[str, np.ndarray], size: int, rng: np.random.Generator
) -> Iterator[dict[str, np.ndarray]]:
    order = rng.permutation(len(examples["action"]))
    for start in range(0, len(order), size):
        taken = {name: column[order[start : start + size]] for name, column in examples.items()}
        yield {**taken, "planes": taken["planes"].astype(np.float32)}


def policy_loss(
    logits: Any,
    action: Any,
    advantage: Any,
    log_prob: Any,
    allowed: Any,
    *,
    ratio_clip: float,
    entropy: float,
    won: str = "ratio",
    lost: str = "ratio",
) -> tuple[Any, Any, Any]:
    """(loss, mean entropy in nats, share of clipped decisions) of B decisions.

    logits [B, A]; action, advantage, log_prob [B]; allowed [B, A]. loss = -mean(gain) - entropy * mean
    entropy. The gain of a decision, with A its advantage, pi the softmax over the allowed actions,
    r = pi(action) / exp(log_prob) and c = ratio_clip:

        "log-prob":  A * log pi(action), REINFORCE: the cross-entropy with A times one-hot
        "ratio":     A * r, and with c > 0 PPO's min(A * r, A * clip(r, 1 - c, 1 + c))

    won names the one where A > 0, lost the one elsewhere. (Keras 3's own categorical_crossentropy behind
    a softmax layer is no help here: its gradient takes targets to have the sum 1, and is wrong for a
    return of -1.)
    """
    log_pi = tf.nn.log_softmax(tf.where(allowed, logits, tf.constant(-1e9, logits.dtype)))
    chosen = tf.gather(log_pi, action, batch_dims=1)
    spread = -tf.reduce_mean(
        tf.reduce_sum(tf.where(allowed, tf.exp(log_pi) * log_pi, tf.zeros_like(log_pi)), axis=1)
    )
    ratio = tf.exp(chosen - log_prob)
    gains = {"log-prob": advantage * chosen, "ratio": advantage * ratio}
    outside = tf.zeros_like(advantage)
    if ratio_clip:
        clipped = tf.clip_by_value(ratio, 1 - ratio_clip, 1 + ratio_clip)
        gains["ratio"] = tf.minimum(advantage * ratio, advantage * clipped)
        outside = tf.cast(tf.abs(ratio - 1) > ratio_clip, advantage.dtype)
    clips = {"log-prob": tf.zeros_like(outside), "ratio": outside}
    gain = tf.where(advantage > 0, gains[won], gains[lost])
    clipped_share = tf.reduce_mean(tf.where(advantage > 0, clips[won], clips[lost]))
    return -tf.reduce_mean(gain) - entropy * spread, spread, clipped_share
