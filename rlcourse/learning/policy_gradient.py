"""Policy gradients on Go: the book's update as printed, and the update that learns.

Pumperla & Ferguson (2019), ch. 10; REINFORCE (Williams 1992; Sutton & Barto 2018, sec. 13.3): every
move of the winner counts +1, of the loser -1. Instead of log pi a surrogate objective can use the
importance ratio pi / pi_old (Kakade & Langford 2002; Schulman et al. 2017, eq. 6); PPO clips it
(eq. 7).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from rlcourse.agents.base import BatchAgent
from rlcourse.agents.policy import PolicyAgent
from rlcourse.encoders import get_encoder_by_name
from rlcourse.errors import BadValue
from rlcourse.experience import ExperienceBuffer
from rlcourse.forward import Snapshot
from rlcourse.games import get_game
from rlcourse.learning.chunks import Chunks
from rlcourse.learning.symmetry import turned
from rlcourse.learning.trained import ChunkedLearner, Trained
from rlcourse.networks import build_network, heads_of, recipe_of, set_weights
from rlcourse.sampling import CLIP
from rlcourse.self_play import SelfPlaySpec
from rlcourse.tf import keras, tf

OPTIMIZERS = {"adam": keras.optimizers.Adam, "sgd": keras.optimizers.SGD}
OBJECTIVES = ("ratio", "log-prob")
REINFORCE = {"objective_won": "log-prob", "objective_lost": "log-prob"}


@dataclass(frozen=True)
class PolicyGradientConfig:
    """The defaults are the course's recipe: the clipped ratio and nothing else.

    `rlcourse experiment policy-gradient-ablation` measures the effect of the ratio on won and on
    lost decisions, and of the clip. AS_PRINTED is the book's update, with the rate of its code.
    """

    size: int = 5  # points along a side of the board
    komi: float = 7.5  # points that White gets for moving second
    encoder: str = "simple"  # the network's input, by name
    network: str = "go-small"  # its architecture, by name
    # Options of the network, beside board and planes.
    network_options: Mapping[str, Any] = field(default_factory=dict)
    games: int = 512  # per chunk, played in lock-step; one update learns from one chunk
    optimizer: str = "adam"  # "adam" or "sgd"
    learning_rate: float = 0.003  # its step size
    batch: int = 1024  # decisions per gradient step; the last step of an update takes the rest
    masked: bool = True  # probabilities over playable points only; False: over all points (book)
    objective_won: str = "ratio"  # where the advantage is positive: "ratio" or "log-prob" (book)
    objective_lost: str = "ratio"  # where it is not; see policy_loss
    ratio_clip: float = 0.2  # PPO clips the ratio to 1 +- this, where it is used; 0: no clip
    entropy: float = 0.0  # weight of the policy's entropy, in nats; 0: none
    clip_norm: float = 0.0  # largest norm of one weight array's gradient; 0: not clipped
    symmetry: bool = False  # every position is turned by a random one of the eight symmetries
    clip: float = CLIP  # floor of the probabilities in self-play, see clip_probs; 0: none
    guests: float = 0.0  # share of games against earlier snapshots; only the learner's moves count
    ahead: int = 0  # updates learned while a chunk is played; >= workers keeps the workers busy
    workers: int = 0  # processes that play; 0: this one. Does not change what is learned


AS_PRINTED: dict[str, Any] = {
    "network": "go-seed",
    "optimizer": "sgd",
    "learning_rate": 1e-7,
    "batch": 512,
    "masked": False,
    **REINFORCE,
    "games": 256,
    "clip_norm": 1.0,
}


class PolicyGradientLearner(ChunkedLearner):
    """Self-play of Go and the policy gradient; see PolicyGradientConfig.

    seed draws the first weights and, with the number of a chunk, its games.
    """

    name = "policy-gradient"
    every = 4  # updates between two verdicts by default
    player, settings = PolicyAgent, PolicyGradientConfig
    # Names of numbers per decision in the examples -> columns of the experience.
    learns_from: ClassVar = {"advantage": "reward"}
    heads: tuple[str, ...] = ("logits",)  # layers that enter the loss
    figures: tuple[str, ...] = ("loss", "entropy", "bounded")

    def __init__(self, config: PolicyGradientConfig | None = None, *, seed: int = 0) -> None:
        self.config = config = config or self.settings()
        self.game = get_game("go", size=config.size, komi=config.komi)
        self.encoder = get_encoder_by_name(config.encoder, self.game)
        shape = {"board": config.size, "planes": self.encoder.shape[0]}
        self.model = build_network(config.network, seed=seed, **shape, **config.network_options)
        if config.optimizer not in OPTIMIZERS:
            raise BadValue(
                f"an optimizer is one of {', '.join(OPTIMIZERS)}; got {config.optimizer!r}"
            )
        for objective in (config.objective_won, config.objective_lost):
            if objective not in OBJECTIVES:
                raise BadValue(f"an objective is one of {', '.join(OBJECTIVES)}; got {objective!r}")
        optimizer = OPTIMIZERS[config.optimizer]
        clip_norm = config.clip_norm or None
        self.trained = Trained(self.model, optimizer(config.learning_rate, clipnorm=clip_norm))
        weights = self.trained.weights()
        player = self.agent_of(weights)
        heads = {head: self.model.get_layer(head).output for head in self.heads}
        network = keras.Model(self.model.inputs, heads)
        self.step = self.trained.step(
            lambda examples: self.loss(network(examples["planes"], training=True), examples)
        )
        self.with_ratio = "ratio" in (config.objective_won, config.objective_lost)
        # The book's update needs neither the policy nor its log-probabilities.
        needed = ("value",) if not (config.masked or self.with_ratio) else player.record
        spec = SelfPlaySpec(
            "go",
            player.name,
            config.encoder,
            config.games,
            self.game.options,
            player.options(),
            tuple(name for name in player.record if name in needed),
            guests=round(config.guests * config.games),
        )
        self.chunks = Chunks(spec, weights, seed=seed, ahead=config.ahead, workers=config.workers)

    def agent_of(self, weights: Mapping[str, np.ndarray]) -> PolicyAgent:
        """The player with these weights, which draws from the network's probabilities."""
        network = Snapshot(*recipe_of(self.model), weights)
        return self.player(network, self.encoder, clip=self.config.clip)

    def agent(self) -> PolicyAgent:
        return self.agent_of(self.chunks.weights)

    def start_from(self, agent: BatchAgent) -> None:
        set_weights(self.model, agent.arrays())
        self.chunks.start(self.trained.weights())

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """One pass over the games. Raises Diverged.

        loss; entropy in nats of the policy in the positions seen; bounded: the share of decisions
        whose ratio was outside 1 +- ratio_clip; plies: decisions a game, without those of guests.
        """
        config = self.config
        examples = self.examples(buffer)
        if config.symmetry:
            examples = turned(examples, self.game, rng)
        order, figures = rng.permutation(len(examples["action"])), []
        for start in range(0, len(order), config.batch):
            rows = order[start : start + config.batch]
            minibatch = {name: column[rows] for name, column in examples.items()}
            minibatch["planes"] = minibatch["planes"].astype(np.float32)
            figures.append(self.step(minibatch).numpy())
        advice = (
            f"a learning rate below {config.learning_rate:g}, a bound on the ratio or clipped "
            "gradients may help"
        )
        self.chunks.learned(self.trained.finite_weights(self.chunks.updates + 1, advice))
        means = np.mean(figures, axis=0).tolist()
        return {**dict(zip(self.figures, means, strict=True)), "plies": len(buffer) / buffer.games}

    def loss(self, outputs: Mapping[str, Any], examples: Mapping[str, Any]) -> tuple[Any, ...]:
        """The `figures` of a minibatch, the loss first; traced by TensorFlow."""
        config = self.config
        loss, entropy, bounded = policy_loss(
            outputs["logits"],
            *(examples[name] for name in ("action", "advantage", "log_prob", "allowed")),
            ratio_clip=config.ratio_clip,
            won=config.objective_won,
            lost=config.objective_lost,
        )
        return loss - config.entropy * entropy, entropy, bounded

    def examples(self, buffer: ExperienceBuffer) -> dict[str, np.ndarray]:
        """The decisions with a choice: planes [T, C, H, W] int8, action [T] int32, advantage [T]
        float32 for the player who moved, log_prob [T] float32 of the action when it was played,
        allowed [T, outputs] bool.

        Raises ValueError for another board or encoder, or if a column that the config needs is
        missing.
        """
        config, outputs = self.config, heads_of(self.model)[0]
        encoder, shape = buffer.meta.get("encoder"), buffer["state"].shape[1:]
        if (encoder, shape) != (config.encoder, self.encoder.shape):
            raise BadValue(
                f"these games are encoded as {encoder!r} {shape}; this network sees "
                f"{config.encoder!r} {self.encoder.shape}"
            )
        needed = ("policy", "log_prob") if config.masked or self.with_ratio else ()
        for column in (*needed, *self.learns_from.values()):
            if column not in buffer.columns:
                remedy = (
                    "set masked=false, objective_won=log-prob and objective_lost=log-prob, as the "
                    "book does"
                    if column in needed
                    else "let an agent with a value play, such as one with the network ac-small"
                )
                raise BadValue(
                    f"these games were recorded without {column!r}: play them with the course's "
                    f"self-play, or {remedy}"
                )
        actions = len(self.game.labels)
        passing = actions - 1
        log_prob = buffer["log_prob"] if self.with_ratio else np.zeros(len(buffer))
        everything = np.ones((len(buffer), actions), bool)
        examples = {
            "planes": buffer["state"],
            "action": buffer["action"].astype(np.int32),
            "log_prob": log_prob.astype(np.float32),
            "allowed": buffer["policy"] > 0 if config.masked else everything,
        }
        for name, column in self.learns_from.items():
            examples[name] = buffer[column].astype(np.float32)
        # The players pass only when no sensible point is left, so a pass was no choice.
        chosen = examples["action"] < min(outputs, passing)
        if config.masked:
            chosen &= examples["allowed"].sum(axis=1) > 1
        examples["allowed"] = examples["allowed"][:, :outputs]
        return {name: column[chosen] for name, column in examples.items()}


def policy_loss(
    logits: Any,
    action: Any,
    advantage: Any,
    log_prob: Any,
    allowed: Any,
    *,
    ratio_clip: float,
    won: str = "ratio",
    lost: str = "ratio",
) -> tuple[Any, Any, Any]:
    """(loss, mean entropy in nats, share of clipped decisions) of B decisions.

    logits [B, A]; action, advantage, log_prob [B]; allowed [B, A]. loss = -mean(gain). The gain of
    a decision, with A its advantage, pi the softmax over the allowed actions,
    r = pi(action) / exp(log_prob) and c = ratio_clip:

        "log-prob":  A * log pi(action), REINFORCE: the cross-entropy with A times one-hot
        "ratio":     A * r, and with c > 0 PPO's min(A * r, A * clip(r, 1 - c, 1 + c))

    won names the objective where A > 0, lost the one elsewhere.
    """
    # Keras 3's categorical_crossentropy behind a softmax layer would not do: its gradient assumes
    # targets with the sum 1 and is wrong for a return of -1.
    log_pi = tf.nn.log_softmax(tf.where(allowed, logits, tf.constant(-1e9, logits.dtype)))
    chosen = tf.gather(log_pi, action, batch_dims=1)
    terms = tf.where(allowed, tf.exp(log_pi) * log_pi, tf.zeros_like(log_pi))
    mean_entropy = -tf.reduce_mean(tf.reduce_sum(terms, axis=1))
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
    return -tf.reduce_mean(gain), mean_entropy, clipped_share
