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
from rlcourse.encoders import Encoder, get_encoder_by_name
from rlcourse.experience import ExperienceCollector
from rlcourse.games import Batch, Game, GameState
from rlcourse.networks import build_network, recipe_of, weights_of
from rlcourse.sampling import CLIP, clip_probs, mask_probs, with_temperature
from rlcourse.tf import tf

LARGEST = 1024  # of any number in a file's description of a network


class Snapshot:
    """A network by name with weights of its own, as a function: planes [R, C, H, W] -> probabilities [R, outputs].

    Compiled once for a network and a process, whatever the weights, so that a snapshot costs no more than its arrays.
    Raises ValueError for an unknown network and for weights that are not its own or not finite.
    """

    def __init__(self, name: str, options: Mapping[str, Any], weights: Mapping[str, np.ndarray]) -> None:
        self.recipe = (name, dict(options))
        shapes, self.outputs, self._forward = _compiled(name, json.dumps(options, sort_keys=True))
        if set(weights) != set(shapes):
            raise ValueError(f"the weights of {name} are {', '.join(shapes)}; here: {', '.join(sorted(weights)) or 'none'}")
        self.weights = {key: np.array(weights[key], np.float32) for key in shapes}
        for key, shape in shapes.items():
            if self.weights[key].shape != shape or not np.isfinite(self.weights[key]).all():
                raise ValueError(f"{key} holds finite numbers of shape {shape}; here {self.weights[key].shape}")
        self._flat = tf.constant(np.concatenate([array.ravel() for array in self.weights.values()]))

    def __call__(self, planes: np.ndarray) -> np.ndarray:
        """[R, outputs] float32."""
        return self._forward(tf.constant(planes.astype(np.float32)), self._flat).numpy()


@lru_cache(maxsize=16)
def _compiled(name: str, options: str) -> tuple[dict[str, tuple[int, ...]], int, Callable[..., Any]]:
    """(shapes of the weights, outputs, forward(planes, all weights in one row)) of a network.

    One array of weights instead of ten spares a call of 256 positions a quarter of its time.
    """
    model = build_network(name, **json.loads(options))
    names = {id(weight): f"{layer.name}/{weight.name}" for layer in model.layers for weight in layer.weights}
    shapes = {names[id(variable)]: tuple(variable.shape) for variable in model.trainable_variables}
    sizes = [math.prod(shape) for shape in shapes.values()]

    @tf.function(input_signature=[tf.TensorSpec([None, *model.input_shape[1:]]), tf.TensorSpec([sum(sizes)])])
    def forward(planes: Any, flat: Any) -> Any:
        parts = zip(tf.split(flat, sizes), shapes.values(), strict=True)
        return model.stateless_call([tf.reshape(part, shape) for part, shape in parts], [], planes, training=False)[0]

    return shapes, model.output_shape[-1], forward.get_concrete_function()


class PolicyAgent(BatchAgent):
    """Draws its move from a network's probabilities.

    model: a Keras model, or a Snapshot, from planes [R, *encoder.shape] to probabilities, one an action; one without the pass,
    as the book's, never wants to pass. encoder: gives the planes, and with them the game. temperature: 1 draws as the network
    says, lower sharpens, 0 plays the likeliest move.

    Every probability is first clipped to [clip, 1 - clip]. The book then ranks all points by drawing without replacement and
    plays the first that is legal and fills no own eye. That is one draw from the probabilities of these points alone, divided
    by their sum, and is done so here, for one position and for thousands. Where no such point is left it passes.
    """

    name = "policy"

    def __init__(
        self, model: Any, encoder: Encoder, *, temperature: float = 1.0, clip: float = CLIP, seed: int | None = None
    ) -> None:
        super().__init__(encoder.game, seed=seed)
        self.model, self.encoder, self.temperature, self.clip = model, encoder, temperature, clip
        self.collector: ExperienceCollector | None = None
        outputs, actions = getattr(model, "outputs", 0), encoder.game.num_actions
        if not isinstance(model, Snapshot):
            outputs, signature = model.output_shape[-1], [tf.TensorSpec([None, *encoder.shape], tf.float32)]
            self._forward = tf.function(lambda planes: model(planes, training=False), input_signature=signature)
        if actions is None or outputs not in (actions, actions - (encoder.game.name == "go")):
            raise ValueError(f"{encoder.game} has {actions} actions; this network gives {outputs} probabilities")

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
        said = self.model(planes) if isinstance(self.model, Snapshot) else self._forward(planes.astype(np.float32)).numpy()
        clipped = clip_probs(said, self.clip)
        return clipped if said.shape[1] == self.game.num_actions else np.pad(clipped, ((0, 0), (0, 1)))

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """policy [R, A] is what the action is drawn from: 0 for what is illegal or fills an own eye."""
        policy = mask_probs(self.probabilities(self.encoder.encode_batch(batch, rows)), batch.sensible(rows))
        if self.temperature == 0:
            action = policy.argmax(axis=1)
        policy = policy if self.temperature == 1 else with_temperature(policy, self.temperature)
        if self.temperature != 0:  # the smallest of exponential times is the first of `ranked`
            action = (policy / rng.standard_exponential(policy.shape)).argmax(axis=1)
        log_prob = np.log(policy[np.arange(len(action)), action])
        return Decision(action.astype(np.int32), log_prob=log_prob.astype(np.float32), policy=policy.astype(np.float32))

    def select_move(self, state: GameState) -> Any:
        """The move played; with a collector the decision is recorded, a pass for want of points too."""
        decision = self.think(state)
        action = int(decision.action[0])
        if self.collector is not None:
            why = {"log_prob": decision.log_prob[0], "policy": decision.policy[0]}
            self.collector.record_decision(self.encoder.encode(state), action, player=int(state.next_player), **why)
        return self.game.move(state, action)

    def arrays(self) -> dict[str, np.ndarray]:
        """The network's weights."""
        return dict(self.model.weights) if isinstance(self.model, Snapshot) else weights_of(self.model)

    def options(self) -> dict[str, Any]:
        """Network and encoder by name, temperature, clip. Raises ValueError for a model that `build_network` did not make."""
        name, options = self.model.recipe if isinstance(self.model, Snapshot) else recipe_of(self.model)
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
        described = json.dumps(network_options or {})
        for number in json.loads(described, parse_float=_whole, parse_int=_small, parse_constant=_whole).values():
            if not isinstance(number, int | list):
                raise ValueError(f"a network is described by whole numbers; got {number!r:.80}")
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
    model = build_network(network, seed=seed, board=game.board[0], planes=planes.shape[0], **options)
    return PolicyAgent(model, planes)


def _small(text: str) -> int:
    if not 0 < int(text) <= LARGEST:
        raise ValueError(f"numbers that describe a network lie between 1 and {LARGEST}; got {text:.80}")
    return int(text)


def _whole(text: str) -> int:
    raise ValueError(f"a network is described by whole numbers; got {text:.80}")
