"""The networks of the course by name: `build_network("deep-q", seed=0)` makes a Keras model.

Weights are named after their layers, such as "dense_1/kernel". A convolutional network is data
(`Network`), from which the Keras model, the shapes of its weights and the forward pass without
TensorFlow are made. TensorFlow is loaded when the first model is built; `network_of` needs none.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from rlcourse.errors import BadValue
from rlcourse.games import did_you_mean, no_such


def deep_q_network(*, seed: int = 0, start: str = "identity") -> Any:
    """The source's network for tic-tac-toe: numbers [B, 10] (nine cells and the turn) -> Q [B, 9].

    Embedding 3 -> 3, ReLU, flattened to 30, two dense layers of 300 with ReLU, nine outputs:
    102,318 weights. start "identity" starts the embedding as one-hot; "normal" draws it from
    N(0, 1) and the dense layers from U(-1, 1) / sqrt(inputs), as the source's library does.
    """
    from rlcourse.tf import keras

    if start not in ("identity", "normal"):
        raise BadValue(f"start is 'identity' or 'normal', not {start!r}")
    initializers = keras.initializers
    embedding = initializers.Identity()
    if start == "normal":
        # A row of three negative numbers is dead after the ReLU. With two such rows, in 1 network
        # of 23, two kinds of cell look the same and can never be distinguished.
        embedding = initializers.RandomNormal(0.0, 1.0, seed=seed)
    layers = [
        keras.Input((10,), dtype="int32"),
        keras.layers.Embedding(3, 3, embeddings_initializer=embedding, name="embedding"),
        keras.layers.ReLU(),
        keras.layers.Flatten(),
    ]
    for number, (inputs, units) in enumerate(((30, 300), (300, 300), (300, 9)), start=1):
        layer_seed = seed + 10 * number
        kernel, bias = initializers.HeUniform(seed=layer_seed), "zeros"
        if start == "normal":
            bound = 1.0 / math.sqrt(inputs)
            kernel = initializers.RandomUniform(-bound, bound, seed=layer_seed)
            bias = initializers.RandomUniform(-bound, bound, seed=layer_seed + 1)
        activation = "relu" if number < 3 else None
        starts = {"kernel_initializer": kernel, "bias_initializer": bias}
        name = f"dense_{number}"
        layers.append(keras.layers.Dense(units, activation=activation, name=name, **starts))
    return keras.Sequential(layers, name="deep_q")


def td_gammon_network(*, seed: int = 0, hidden: int = 80, outputs: int = 5) -> Any:
    """TD-Gammon's network: units [B, 198] -> probabilities [B, outputs] (Tesauro 1992).

    One hidden layer, sigmoids. outputs: 1 (win) or 5, as in rlcourse.agents.td_gammon.OUTPUTS.
    """
    from rlcourse.tf import keras

    # Small weights give every position a probability near one half at first.
    start = {"kernel_initializer": keras.initializers.RandomUniform(-0.1, 0.1, seed=seed)}
    last = {"kernel_initializer": keras.initializers.RandomUniform(-0.1, 0.1, seed=seed + 1)}
    return keras.Sequential(
        [
            keras.Input((198,)),
            keras.layers.Dense(hidden, activation="sigmoid", name="hidden", **start),
            keras.layers.Dense(outputs, activation="sigmoid", name="outputs", **last),
        ],
        name="td_gammon",
    )


class Layer(NamedTuple):
    """One layer of a `Network`, a function of the outputs of the layers `of`.

    kind: "convolution" with a padded window width x width, "dense" on all numbers, "mean" over the
    board, "join" one after the other, "add", "softmax". units: filters of a convolution, outputs of
    a dense layer. zero: its kernel starts at 0, not at random.
    """

    name: str
    kind: str
    of: tuple[str, ...]
    units: int = 0
    width: int = 1
    activation: str = "linear"
    zero: bool = False


class Network(NamedTuple):
    """A convolutional network as data.

    planes: (C, H, W) of the input, which layers call "planes". The layers "policy" and, if there is
    one, "value" are its outputs. Kernels are drawn in the order of the layers.
    """

    planes: tuple[int, ...]
    layers: tuple[Layer, ...]

    @property
    def heads(self) -> list[str]:
        """The outputs."""
        return [layer.name for layer in self.layers if layer.name in ("policy", "value")]

    def sizes(self) -> dict[str, tuple[int, int]]:
        """(points, numbers at each) of every layer's output; a dense layer has one point."""
        depth, *board = self.planes
        sizes = {"planes": (math.prod(board), depth)}
        for name, kind, of, units, *_ in self.layers:
            points, depth = sizes[of[0]]
            sizes[name] = {
                "convolution": (points, units),
                "dense": (1, units),
                "mean": (1, depth),
                "join": (1, sum(math.prod(sizes[each]) for each in of)),
            }.get(kind, (points, depth))
        return sizes

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every weight by its name, such as "logits/kernel"."""
        sizes = self.sizes()
        shapes: dict[str, tuple[int, ...]] = {}
        for name, kind, of, units, width, *_ in self.layers:
            points, depth = sizes[of[0]]
            if units:
                dense = (points * depth, units)
                kernel = dense if kind == "dense" else (width, width, depth, units)
                shapes |= {f"{name}/kernel": kernel, f"{name}/bias": (units,)}
        return shapes


def go_seed(
    *,
    board: int = 5,
    planes: int = 11,
    convolutions: Sequence[Sequence[int]] = ((64, 3), (64, 3), (64, 3)),
    dense: int = 512,
) -> Network:
    """The book's policy: planes [B, planes, S, S] -> probabilities [B, S*S], without a pass.

    convolutions: (filters, width) of each, with padding and ReLU; then a dense layer, then one
    output per point. The default is the source's smaller network; BOOK_LARGE with dense=1024 is the
    book's (Pumperla & Ferguson 2019, ch. 9, "large").
    """
    layers, last = _convolutions(convolutions)
    layers += [
        Layer("dense", "dense", (last,), dense, activation="relu"),
        Layer("logits", "dense", ("dense",), board * board),
        Layer("policy", "softmax", ("logits",)),
    ]
    return Network((planes, board, board), tuple(layers))


def go_small(*, board: int = 5, planes: int = 11, filters: int = 32, layers: int = 2) -> Network:
    """A convolutional policy: planes [B, planes, S, S] -> probabilities [B, S*S + 1], pass last.

    `layers` convolutions 3 x 3 with ReLU; a 1 x 1 convolution gives one number per point, and the
    means over the board give one for the pass. No weight depends on S, so a network trained on
    5 x 5 plays on 9 x 9.
    """
    body, last = _convolutions([(filters, 3)] * layers)
    body += [
        Layer("points", "convolution", (last,), 1),
        Layer("means", "mean", (last,)),
        Layer("pass", "dense", ("means",), 1),
        Layer("logits", "join", ("points", "pass")),
        Layer("policy", "softmax", ("logits",)),
    ]
    return Network((planes, board, board), tuple(body))


def ac_small(*, value_units: int = 32, **options: Any) -> Network:
    """go-small with a second head: planes -> (probabilities [B, S*S + 1], value [B, 1] in (-1, 1)).

    The value comes from the means over the board: a dense layer with ReLU, then one tanh. The same
    seed draws the same first weights as for go-small, beside those of the value.
    """
    planes, layers = go_small(**options)
    return Network(planes, layers + _value_head("means", value_units))


def ac_seed(
    *,
    board: int = 5,
    planes: int = 11,
    convolutions: Sequence[Sequence[int]] = ((64, 3), (64, 3), (64, 3)),
    dense: int = 512,
) -> Network:
    """The source's two heads: planes -> (probabilities [B, S*S], value [B, 1] in (-1, 1)), no pass.

    Convolutions as in go-seed; then a dense layer without activation, as printed; then one dense
    ReLU layer per head.
    """
    layers, last = _convolutions(convolutions)
    layers += [
        Layer("dense", "dense", (last,), dense),
        Layer("policy_dense", "dense", ("dense",), dense, activation="relu"),
        Layer("logits", "dense", ("policy_dense",), board * board),
        Layer("policy", "softmax", ("logits",)),
        *_value_head("dense", dense),
    ]
    return Network((planes, board, board), tuple(layers))


def alphazero(
    *,
    board: Sequence[int] = (6, 7),
    planes: int = 2,
    actions: int = 7,
    filters: int = 32,
    blocks: int = 3,
    head_filters: int = 8,
    value_units: int = 64,
) -> Network:
    """A small residual tower: planes -> (probabilities [B, actions], value [B, 1] in (-1, 1)).

    A convolution 3 x 3 with ReLU; `blocks` times two more, with the input added before the second
    ReLU; then for each head a convolution 1 x 1 with ReLU and dense layers (AlphaGo Zero: Silver et
    al. 2017, Methods). Instead of batch normalisation the second convolution of a block starts at
    0, so every block starts as the identity.
    """
    layers, last = [Layer("stem", "convolution", ("planes",), filters, 3, "relu")], "stem"
    for block in (f"block_{number}" for number in range(1, blocks + 1)):
        layers += [
            Layer(f"{block}_a", "convolution", (last,), filters, 3, "relu"),
            Layer(f"{block}_b", "convolution", (f"{block}_a",), filters, 3, zero=True),
            Layer(block, "add", (last, f"{block}_b"), activation="relu"),
        ]
        last = block
    layers += [
        Layer("policy_points", "convolution", (last,), head_filters, activation="relu"),
        Layer("logits", "dense", ("policy_points",), actions),
        Layer("policy", "softmax", ("logits",)),
        Layer("value_points", "convolution", (last,), head_filters, activation="relu"),
        *_value_head("value_points", value_units),
    ]
    return Network((planes, *board), tuple(layers))


BOOK_LARGE = ((64, 7), (64, 5), (64, 5), (48, 5), (48, 5), (32, 5), (32, 5))


def _convolutions(described: Sequence[Sequence[int]]) -> tuple[list[Layer], str]:
    """(layers "conv_1", "conv_2" ... with ReLU, name of the last) of (filters, width) pairs."""
    layers, last = [], "planes"
    for number, (filters, width) in enumerate(described, start=1):
        layers.append(Layer(f"conv_{number}", "convolution", (last,), filters, width, "relu"))
        last = layers[-1].name
    return layers, last


def _value_head(of: str, units: int) -> tuple[Layer, Layer]:
    hidden = Layer("value_dense", "dense", (of,), units, activation="relu")
    return hidden, Layer("value", "dense", ("value_dense",), 1, activation="tanh")


def _keras_model(network: Network, name: str, seed: int) -> Any:
    """The network as a Keras model; kernels are drawn from Glorot's uniform distribution."""
    from rlcourse.tf import keras

    inputs, seeds = keras.Input(network.planes, name="planes"), count(seed)
    # TensorFlow's convolutions on a CPU take the planes as the last axis only.
    outputs = {"planes": keras.layers.Permute((2, 3, 1))(inputs)}
    for layer in network.layers:
        outputs[layer.name] = _output(layer, [outputs[each] for each in layer.of], seeds)
    heads = [outputs[head] for head in network.heads]
    return keras.Model(inputs, heads if len(heads) > 1 else heads[0], name=name.replace("-", "_"))


def _output(layer: Layer, inputs: list[Any], seeds: Iterator[int]) -> Any:
    from rlcourse.tf import keras

    layers, x = keras.layers, inputs[0]
    if layer.kind == "mean":
        return layers.GlobalAveragePooling2D()(x)
    if layer.kind == "softmax":
        return layers.Softmax(name=layer.name)(x)
    if layer.kind == "add":
        return layers.ReLU()(layers.Add()(inputs))
    if layer.kind == "join":
        return layers.Concatenate(name=layer.name)([_flat(each) for each in inputs])
    start = "zeros" if layer.zero else keras.initializers.GlorotUniform(seed=next(seeds))
    options = {"activation": layer.activation, "kernel_initializer": start, "name": layer.name}
    if layer.kind == "dense":
        return layers.Dense(layer.units, **options)(_flat(x))
    return layers.Conv2D(layer.units, layer.width, padding="same", **options)(x)


def _flat(x: Any) -> Any:
    from rlcourse.tf import keras

    return x if len(x.shape) == 2 else keras.layers.Flatten()(x)


_CONVOLUTIONAL: dict[str, Callable[..., Network]] = {
    "go-seed": go_seed,
    "go-small": go_small,
    "ac-seed": ac_seed,
    "ac-small": ac_small,
    "alphazero": alphazero,
}
_OTHERS: dict[str, Callable[..., Any]] = {"deep-q": deep_q_network, "td-gammon": td_gammon_network}
NETWORK_NAMES = (*_OTHERS, *_CONVOLUTIONAL)
GO_NETWORKS = ("go-seed", "go-small", "ac-seed", "ac-small")
TWO_HEADED = ("ac-seed", "ac-small")


def network_of(name: str, **options: Any) -> Network:
    """The convolutional network of that name as data.

    Raises ValueError for another network, TypeError for an option that it does not have.
    """
    if name not in _CONVOLUTIONAL:
        near = did_you_mean(name, GO_NETWORKS)
        raise BadValue(
            f"there is no network {name!r} for policies of go{near}; the course knows "
            f"{', '.join(GO_NETWORKS)}"
        )
    return _CONVOLUTIONAL[name](**options)


def build_network(name: str, *, seed: int = 0, **options: Any) -> Any:
    """The network of that name as a Keras model. Raises ValueError for an unknown one."""
    if name not in NETWORK_NAMES:
        raise BadValue(no_such("network", name, NETWORK_NAMES))
    if name in _OTHERS:
        model = _OTHERS[name](seed=seed, **options)
    else:
        model = _keras_model(network_of(name, **options), name, seed)
    model.recipe = json.dumps({"network": name, "options": options})
    return model


def heads_of(model: Any) -> tuple[int, int]:
    """(number of probabilities, number of heads) of a network; the second head is the value."""
    shapes = model.output_shape if isinstance(model.output_shape, list) else [model.output_shape]
    return shapes[0][-1], len(shapes)


def recipe_of(model: Any) -> tuple[str, dict[str, Any]]:
    """(name, options) with which `build_network` makes this architecture again.

    Files of this course hold no code, so an architecture is stored by its name. Raises ValueError
    for a model that `build_network` did not make.
    """
    if not hasattr(model, "recipe"):
        raise BadValue(
            "this model has no name: make it with build_network, by one of "
            f"{', '.join(NETWORK_NAMES)}"
        )
    recipe = json.loads(model.recipe)
    return recipe["network"], recipe["options"]


def weights_of(model: Any) -> dict[str, np.ndarray]:
    """Copies of all weights by layer and name, such as "dense_1/kernel"."""
    return {name: variable.numpy() for name, variable in _variables(model).items()}


def _variables(model: Any) -> dict[str, Any]:
    return {
        f"{layer.name}/{weight.name}": weight for layer in model.layers for weight in layer.weights
    }


def check_weights(
    network: str, weights: Mapping[str, np.ndarray], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, np.ndarray]:
    """Copies of the weights as float32, in the order of `shapes`.

    Raises ValueError that names the weights that are missing, unknown, of a wrong shape or not
    finite.
    """
    if set(weights) != set(shapes):
        raise BadValue(
            f"these are not the weights of {network}: "
            f"missing {sorted(set(shapes) - set(weights)) or 'nothing'}, "
            f"unknown {sorted(set(weights) - set(shapes)) or 'nothing'}"
        )
    checked = {}
    for name, shape in shapes.items():
        array, expected = np.asarray(weights[name]), f"{name} holds finite numbers of shape {shape}"
        if array.shape != shape or array.dtype.kind not in "iuf":
            raise BadValue(f"{expected}; here {array.dtype} of shape {array.shape}")
        with np.errstate(over="ignore"):  # float64 numbers may exceed float32
            checked[name] = np.array(array, np.float32, order="C")
        if not np.isfinite(checked[name]).all():
            raise BadValue(f"{expected}; some of these are not finite")
    return checked


def set_weights(model: Any, weights: Mapping[str, np.ndarray]) -> None:
    """Assign weights of `weights_of`. Raises ValueError, changing nothing, if one does not fit."""
    variables = _variables(model)
    for name, variable in variables.items():
        if name not in weights or np.shape(weights[name]) != tuple(variable.shape):
            shape = np.shape(weights[name]) if name in weights else "missing"
            raise BadValue(
                f"the weights of {name} have shape {tuple(variable.shape)}; here they are {shape}"
            )
    for name, variable in variables.items():
        variable.assign(weights[name])
