"""The book's PolicyAgent (Pumperla & Ferguson 2019, ch. 9): a network's probabilities, a bound on them, one draw.

A file holds the name of the network's architecture and its weights, nothing that could be run.
"""

import json
import math
from collections.abc import Callable, Mapping
from copy import copy
from functools import lru_cache
from typing import Any

import numpy as np

from rlcourse.agents import load_agent, save_agent
from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.agents.convolutions import FewPositions
from rlcourse.encoders import Encoder, get_encoder_by_name
from rlcourse.experience import ExperienceCollector
from rlcourse.games import Batch, Game, GameState
from rlcourse.networks import (
    GO_NETWORKS,
    build_network,
    check_weights,
    heads_of,
    network_of,
    recipe_of,
    weights_of,
)
from rlcourse.sampling import CLIP, clip_probs, mask_probs, normalize, with_temperature

LARGEST = 1024  # of any number in a file's description of a network
# Up to this batch size the overhead of a TensorFlow call exceeds the arithmetic.
FEW = 16
# The same for AlphaZero's residual tower, in multiplications, because towers differ in size.
FEW_PRODUCTS = 3_000_000


class Snapshot:
    """A network by name with weights of its own, as a function: planes [R, C, S, S] int8 -> probabilities [R, outputs], or of
    a network with two heads -> (probabilities, value [R]).

    A few positions are computed here, many by TensorFlow, which is loaded for the first of them; the two agree but for
    rounding. Raises ValueError for an unknown network and for weights that are not its own or not finite.
    """

    def __init__(
        self, name: str, options: Mapping[str, Any], weights: Mapping[str, np.ndarray]
    ) -> None:
        self.recipe = (name, dict(options))
        network = network_of(name, **options)
        shapes = network.shapes()
        self.weights = check_weights(name, weights, shapes)
        sizes = network.sizes()
        self.output_shape = [(None, sizes[head][1]) for head in network.heads]
        self._few = FewPositions(network, self.weights)
        self._many: Callable[..., Any] | None = None
        products = _products(shapes, math.prod(network.planes[1:]))
        self._at_most = FEW if name in GO_NETWORKS else max(1, FEW_PRODUCTS // products)

    def __call__(self, planes: np.ndarray) -> Any:
        """[R, outputs] float32, or with a value head a pair of that and [R] float32."""
        if len(planes) <= self._at_most:
            return self._few(planes)
        if self._many is None:
            self._many = _many_positions(*self.recipe, self.weights)
        return self._many(planes)


def _products(shapes: Mapping[str, tuple[int, ...]], points: int) -> int:
    """Multiplications that a tower needs for a position: convolutions are made at every point, dense layers once."""
    return sum(math.prod(shape) * (points if len(shape) == 4 else 1) for shape in shapes.values())


def _many_positions(
    name: str, options: Mapping[str, Any], weights: Mapping[str, np.ndarray]
) -> Callable[..., Any]:
    from rlcourse.tf import tf

    forward, flat = (
        _compiled(name, json.dumps(options, sort_keys=True)),
        [array.ravel() for array in weights.values()],
    )
    flat = tf.constant(np.concatenate(flat))
    return lambda planes: as_numpy(forward(tf.constant(planes.astype(np.float32)), flat))


def as_numpy(said: Any) -> Any:
    """What a Keras model says: probabilities [R, outputs], or of two heads a pair of them and the value [R]."""
    return (
        (said[0].numpy(), said[1].numpy()[:, 0]) if isinstance(said, list | tuple) else said.numpy()
    )


@lru_cache(maxsize=16)
def _compiled(name: str, options: str) -> Callable[..., Any]:
    """forward(planes float32, all weights in one row) of a network: compiled once in a process, whatever the weights.

    One array of weights instead of ten spares a call of 256 positions a quarter of its time.
    """
    from rlcourse.tf import tf

    model = build_network(name, **json.loads(options))
    shapes = network_of(name, **json.loads(options)).shapes()
    order = list(weights_of(model))  # of Keras, by depth
    sizes = [math.prod(shape) for shape in shapes.values()]
    signature = [tf.TensorSpec([None, *model.input_shape[1:]]), tf.TensorSpec([sum(sizes)])]

    @tf.function(input_signature=signature)
    def forward(planes: Any, flat: Any) -> Any:
        """The outputs for planes [R, C, S, S], with all weights in one row `flat`."""
        parts = zip(tf.split(flat, sizes), shapes.items(), strict=True)
        weights = {name: tf.reshape(part, shape) for part, (name, shape) in parts}
        return model.stateless_call([weights[name] for name in order], [], planes, training=False)[
            0
        ]

    return forward.get_concrete_function()


class PolicyAgent(BatchAgent):
    """Draws its move from a network's probabilities.

    model: a Keras model, or a Snapshot, from planes [R, *encoder.shape] to probabilities, one an action; one without the pass,
    as the book's, never wants to pass. encoder: gives the planes, and with them the game. temperature: 1 draws as the network
    says, lower sharpens, 0 plays the likeliest move.

    Every probability is first clipped to [clip, 1 - clip]; with clip 0 it is taken as the network gives
    it. The book then ranks all points by drawing without replacement and plays the first that is legal
    and fills no own eye. That is one draw from the probabilities of these points alone, divided by their
    sum, and is done so here, for one position and for thousands. Where no such point is left it passes.
    """

    name = "policy"
    heads = 1  # of its network
    record: tuple[str, ...] = ("log_prob", "policy")
    encoder: Encoder

    def __init__(
        self,
        model: Any,
        encoder: Encoder,
        *,
        temperature: float = 1.0,
        clip: float = CLIP,
        seed: int | None = None,
    ) -> None:
        super().__init__(encoder.game, seed=seed)
        self.model, self.encoder, self.temperature, self.clip = model, encoder, temperature, clip
        self.collector: ExperienceCollector | None = None
        (outputs, heads), actions = heads_of(model), encoder.game.num_actions
        if not isinstance(model, Snapshot):
            from rlcourse.tf import tf

            signature = [tf.TensorSpec([None, *encoder.shape], tf.float32)]
            self._forward = tf.function(
                lambda planes: model(planes, training=False), input_signature=signature
            )
        if actions is None or outputs not in (actions, actions - (encoder.game.name == "go")):
            raise ValueError(
                f"{encoder.game} has {actions} actions; this network gives {outputs} probabilities"
            )
        if heads != self.heads:
            raise ValueError(
                f"this network has {heads} heads, that of {self.name} has {self.heads}; actor-critic has two"
            )

    def set_collector(self, collector: ExperienceCollector | None) -> None:
        """From here on `select_move` records each decision with this collector; None ends it."""
        self.collector = collector

    def at_temperature(self, temperature: float) -> "PolicyAgent":
        """The same player, drawing at another temperature; it has no collector."""
        other = copy(self)
        other.temperature, other.collector = temperature, None
        return other

    def probabilities(self, planes: np.ndarray) -> np.ndarray:
        """[R, A] float64, clipped; 0 for a pass that the network does not know. planes [R, *encoder.shape]."""
        return self.forward(planes)[0]

    def forward(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """(`probabilities` of these planes, the value [R] for the player to move or None of a network with one head)."""
        return self._clipped(self._said(planes)), None

    def _said(self, planes: np.ndarray) -> Any:
        return (
            self.model(planes)
            if isinstance(self.model, Snapshot)
            else as_numpy(self._forward(planes.astype(np.float32)))
        )

    def _clipped(self, policy: np.ndarray) -> np.ndarray:
        clipped = clip_probs(policy, self.clip) if self.clip else normalize(policy)
        return (
            clipped
            if policy.shape[1] == self.game.num_actions
            else np.pad(clipped, ((0, 0), (0, 1)))
        )

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """policy [R, A] is what the action is drawn from: 0 for what is illegal or fills an own eye."""
        policy, value = self.forward(self.encoder.encode_batch(batch, rows))
        policy = mask_probs(policy, batch.sensible(rows))
        if self.temperature == 0:
            action = policy.argmax(axis=1)
        policy = policy if self.temperature == 1 else with_temperature(policy, self.temperature)
        if self.temperature != 0:  # the smallest of exponential times is the first of `ranked`
            action = (policy / rng.standard_exponential(policy.shape)).argmax(axis=1)
        log_prob = np.log(policy[np.arange(len(action)), action])
        return Decision(
            action.astype(np.int32), log_prob.astype(np.float32), value, policy.astype(np.float32)
        )

    def select_move(self, state: GameState) -> Any:
        """The move played; a collector records the decision, also a pass when no point is left."""
        decision = self.think(state)
        action = int(decision.action[0])
        if self.collector is not None:
            why = {name: getattr(decision, name)[0] for name in self.record}
            self.collector.record_decision(
                self.encoder.encode(state), action, player=int(state.next_player), **why
            )
        return self.game.move(state, action)

    def arrays(self) -> dict[str, np.ndarray]:
        """The network's weights."""
        return (
            dict(self.model.weights) if isinstance(self.model, Snapshot) else weights_of(self.model)
        )

    def options(self) -> dict[str, Any]:
        """Network and encoder by name, temperature, clip. Raises ValueError for a model that `build_network` did not make."""
        name, options = (
            self.model.recipe if isinstance(self.model, Snapshot) else recipe_of(self.model)
        )
        options = {key: value for key, value in options.items() if key not in ("board", "planes")}
        how = {"encoder": self.encoder.name, "temperature": self.temperature, "clip": self.clip}
        return {"network": name, "network_options": options, **how}

    @classmethod
    def from_arrays(
        cls,
        game: Game,
        arrays: Mapping[str, np.ndarray],
        *,
        network: str,
        encoder: str,
        network_options: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> "PolicyAgent":
        """The agent whose `arrays()` and `options()` these are."""
        check_description(network_options)
        planes = get_encoder_by_name(encoder, game)
        fitted = {**(network_options or {}), "board": game.board[0], "planes": planes.shape[0]}
        return cls(Snapshot(network, fitted, arrays), planes, **options)

    def serialize(self, target: Any) -> None:
        """Write the agent into a file, given by its path, or into a group of an open HDF5 file."""
        save_agent(self, target)


def load_policy_agent(source: Any) -> PolicyAgent:
    """What `serialize` wrote, from a path or a group of an open HDF5 file. Raises StorageError, or ValueError."""
    agent = load_agent(source)
    if not isinstance(agent, PolicyAgent):
        raise ValueError(f"this is the agent {agent.name!r}, not a policy agent")
    return agent


def new_policy_agent(
    game: Game, *, network: str = "go-small", encoder: str = "simple", seed: int = 0, **options: Any
) -> PolicyAgent:
    """An agent that has learned nothing yet; `options` go to the network."""
    planes = get_encoder_by_name(encoder, game)
    model = build_network(
        network, seed=seed, board=game.board[0], planes=planes.shape[0], **options
    )
    return PolicyAgent(model, planes)


def check_description(network_options: Mapping[str, Any] | None) -> None:
    """Raises ValueError where a file describes a network by anything but whole numbers up to LARGEST, and lists of them."""
    described = json.dumps(network_options or {})
    for number in json.loads(
        described, parse_float=_whole, parse_int=_small, parse_constant=_whole
    ).values():
        if not isinstance(number, int | list):
            raise ValueError(f"a network is described by whole numbers; got {number!r:.80}")


def _small(text: str) -> int:
    if not 0 < int(text) <= LARGEST:
        raise ValueError(
            f"numbers that describe a network lie between 1 and {LARGEST}; got {text:.80}"
        )
    return int(text)


def _whole(text: str) -> int:
    raise ValueError(f"a network is described by whole numbers; got {text:.80}")
