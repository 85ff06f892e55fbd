"""The networks of the course by name: `build_network("deep-q", seed=0)` makes a Keras model.

Weights are named after their layers, such as "dense_1/kernel". The convolutional networks are those
of `rlcourse.architectures`. TensorFlow is loaded when the first model is built.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from rlcourse.architectures import CONVOLUTIONAL, Layer, Network, network_of
from rlcourse.errors import BadValue
from rlcourse.games import no_such

# Of TD-Gammon, from -0.1 to 0.1: every position has a probability near one half at first.
FIRST_WEIGHTS = 0.1


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

    draw = partial(keras.initializers.RandomUniform, -FIRST_WEIGHTS, FIRST_WEIGHTS)
    start = {"kernel_initializer": draw(seed=seed)}
    last = {"kernel_initializer": draw(seed=seed + 1)}
    return keras.Sequential(
        [
            keras.Input((198,)),
            keras.layers.Dense(hidden, activation="sigmoid", name="hidden", **start),
            keras.layers.Dense(outputs, activation="sigmoid", name="outputs", **last),
        ],
        name="td_gammon",
    )


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


_OTHERS: dict[str, Callable[..., Any]] = {"deep-q": deep_q_network, "td-gammon": td_gammon_network}
NETWORK_NAMES = (*_OTHERS, *CONVOLUTIONAL)
TWO_HEADED = ("ac-seed", "ac-small")


def build_network(name: str, *, seed: int = 0, **options: Any) -> Any:
    """The network of that name as a Keras model. Raises ValueError for an unknown one, and for
    options that it does not take.
    """
    if name not in NETWORK_NAMES:
        raise BadValue(no_such("network", name, NETWORK_NAMES))
    try:
        if name in _OTHERS:
            model = _OTHERS[name](seed=seed, **options)
        else:
            model = _keras_model(network_of(name, **options), name, seed)
    except TypeError as error:
        raise BadValue(f"the network {name} cannot be made with {options}: {error}") from None
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
