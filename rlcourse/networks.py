"""The networks of the course as Keras models, by name; nothing else. `build_network("deep-q", seed=0)`.

Layers carry the names under which their weights are stored, so `weights_of` and `set_weights` speak of "dense_1/kernel".
TensorFlow is loaded when the first network is built: who only plays may ask for `go_shapes` without it.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from inspect import signature
from itertools import count
from typing import Any

import numpy as np


def deep_q_network(*, seed: int = 0, start: str = "identity") -> Any:
    """The source's network for tic-tac-toe: numbers [B, 10] (nine cells and the turn, each 0, 1 or 2) -> Q-values [B, 9].

    Embedding 3 -> 3, ReLU, flattened to 30, two dense layers of 300 with ReLU, nine outputs; 102,318 weights.
    start "normal" draws the embedding from N(0, 1) and the dense layers from U(-1, 1) / sqrt(inputs), as the source's library
    does. A row of the embedding whose three numbers are negative is dead behind the ReLU: with two such rows (1 network in
    23) two kinds of cell look the same and can never be told apart. "identity" starts the embedding as one-hot.
    """
    from rlcourse.tf import keras

    if start not in ("identity", "normal"):
        raise ValueError(f"start is 'identity' or 'normal', not {start!r}")
    embedding = (
        keras.initializers.Identity()
        if start == "identity"
        else keras.initializers.RandomNormal(0.0, 1.0, seed=seed)
    )
    layers = [
        keras.Input((10,), dtype="int32"),
        keras.layers.Embedding(3, 3, embeddings_initializer=embedding, name="embedding"),
    ]
    layers += [keras.layers.ReLU(), keras.layers.Flatten()]
    for number, (inputs, units) in enumerate(((30, 300), (300, 300), (300, 9)), start=1):
        if start == "normal":
            bound = 1.0 / math.sqrt(inputs)
            kernel, bias = (
                keras.initializers.RandomUniform(-bound, bound, seed=seed + 10 * number + k)
                for k in (0, 1)
            )
        else:
            kernel, bias = keras.initializers.HeUniform(seed=seed + 10 * number), "zeros"
        activation = "relu" if number < 3 else None
        layers.append(
            keras.layers.Dense(
                units,
                activation=activation,
                kernel_initializer=kernel,
                bias_initializer=bias,
                name=f"dense_{number}",
            )
        )
    return keras.Sequential(layers, name="deep_q")


def td_gammon_network(*, seed: int = 0, hidden: int = 80, outputs: int = 5) -> Any:
    """TD-Gammon's network: units [B, 198] -> probabilities [B, outputs]; one hidden layer, sigmoids (Tesauro 1992).

    outputs: 1 (the player spoken for wins) or 5, as in rlcourse.agents.td_gammon.OUTPUTS. Weights start as small random
    numbers, so that every position is worth about one half at first.
    """
    from rlcourse.tf import keras

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


def go_seed_network(
    *,
    seed: int = 0,
    board: int = 5,
    planes: int = 11,
    convolutions: Sequence[Sequence[int]] = ((64, 3), (64, 3), (64, 3)),
    dense: int = 512,
) -> Any:
    """The book's form of a policy: planes [B, planes, S, S] -> probabilities [B, S*S], one a point; there is no pass.

    convolutions: (filters, width) of each, with padding and ReLU; then a dense layer, then one output a point. The default is
    the source's smaller network; BOOK_LARGE with dense=1024 is the book's (Pumperla & Ferguson 2019, ch. 9, "large").
    """
    from rlcourse.tf import keras

    start = _glorot(seed)
    inputs, x = _planes_last(planes, board)
    for number, (filters, width) in enumerate(convolutions, start=1):
        x = keras.layers.Conv2D(
            filters, width, padding="same", activation="relu", name=f"conv_{number}", **next(start)
        )(x)
    x = keras.layers.Flatten()(x)
    x = keras.layers.Dense(dense, activation="relu", name="dense", **next(start))(x)
    logits = keras.layers.Dense(board * board, name="logits", **next(start))(x)
    return keras.Model(inputs, keras.layers.Softmax(name="policy")(logits), name="go_seed")


def go_small_network(
    *, seed: int = 0, board: int = 5, planes: int = 11, filters: int = 32, layers: int = 2
) -> Any:
    """A fully convolutional policy: planes [B, planes, S, S] -> probabilities [B, S*S + 1], the pass last.

    `layers` convolutions 3 x 3 with ReLU; a 1 x 1 convolution gives one number a point, their means over the board one for the
    pass. No weight depends on S: a network that has learned on 5 x 5 plays on 9 x 9.
    """
    from rlcourse.tf import keras

    inputs, _, policy = _small(_glorot(seed), board, planes, filters, layers)
    return keras.Model(inputs, policy, name="go_small")


def ac_small_network(
    *,
    seed: int = 0,
    board: int = 5,
    planes: int = 11,
    filters: int = 32,
    layers: int = 2,
    value_units: int = 32,
) -> Any:
    """go-small with a second head: planes [B, planes, S, S] -> (probabilities [B, S*S + 1], value [B, 1] in (-1, 1)).

    The value is made of the means over the board: a dense layer with ReLU, then one tanh. The same seed draws the same first
    weights as for go-small, but for those of the value.
    """
    from rlcourse.tf import keras

    start = _glorot(seed)
    inputs, means, policy = _small(start, board, planes, filters, layers)
    return keras.Model(inputs, [policy, _value_head(means, value_units, start)], name="ac_small")


def ac_seed_network(
    *,
    seed: int = 0,
    board: int = 5,
    planes: int = 11,
    convolutions: Sequence[Sequence[int]] = ((64, 3), (64, 3), (64, 3)),
    dense: int = 512,
) -> Any:
    """The source's two heads: planes [B, planes, S, S] -> (probabilities [B, S*S], value [B, 1] in (-1, 1)); there is no pass.

    Convolutions as in go-seed; then a dense layer without activation, as printed; of it a dense layer with ReLU for each head.
    """
    from rlcourse.tf import keras

    start = _glorot(seed)
    inputs, x = _planes_last(planes, board)
    for number, (filters, width) in enumerate(convolutions, start=1):
        x = keras.layers.Conv2D(
            filters, width, padding="same", activation="relu", name=f"conv_{number}", **next(start)
        )(x)
    shared = keras.layers.Dense(dense, name="dense", **next(start))(keras.layers.Flatten()(x))
    x = keras.layers.Dense(dense, activation="relu", name="policy_dense", **next(start))(shared)
    logits = keras.layers.Dense(board * board, name="logits", **next(start))(x)
    policy = keras.layers.Softmax(name="policy")(logits)
    return keras.Model(inputs, [policy, _value_head(shared, dense, start)], name="ac_seed")


def _small(
    start: Iterator[dict[str, Any]], board: int, planes: int, filters: int, layers: int
) -> tuple[Any, Any, Any]:
    """(inputs, means over the board of the last convolution [B, filters], probabilities) of go-small."""
    from rlcourse.tf import keras

    inputs, x = _planes_last(planes, board)
    for number in range(1, layers + 1):
        x = keras.layers.Conv2D(
            filters, 3, padding="same", activation="relu", name=f"conv_{number}", **next(start)
        )(x)
    points = keras.layers.Flatten()(keras.layers.Conv2D(1, 1, name="points", **next(start))(x))
    means = keras.layers.GlobalAveragePooling2D()(x)
    pass_turn = keras.layers.Dense(1, name="pass", **next(start))(means)
    logits = keras.layers.Concatenate(name="logits")([points, pass_turn])
    return inputs, means, keras.layers.Softmax(name="policy")(logits)


def _value_head(x: Any, units: int, start: Iterator[dict[str, Any]]) -> Any:
    from rlcourse.tf import keras

    hidden = keras.layers.Dense(units, activation="relu", name="value_dense", **next(start))(x)
    return keras.layers.Dense(1, activation="tanh", name="value", **next(start))(hidden)


def alphazero_network(
    *,
    seed: int = 0,
    board: Sequence[int] = (6, 7),
    planes: int = 2,
    actions: int = 7,
    filters: int = 32,
    blocks: int = 3,
    head_filters: int = 8,
    value_units: int = 64,
) -> Any:
    """AlphaGo Zero's residual tower, small: planes [B, planes, H, W] -> (probabilities [B, actions], value [B, 1] in (-1, 1)).

    A convolution 3 x 3 with ReLU; `blocks` times two more and the input added before the second ReLU; then for each head a
    convolution 1 x 1 with ReLU and dense layers (Silver et al. 2017, Methods). There is no batch normalisation: the second
    convolution of a block starts at 0 instead, and with it every block as the identity.
    """
    from rlcourse.tf import keras

    start, relu = _glorot(seed), {"padding": "same", "activation": "relu"}
    inputs = keras.Input((planes, *board), name="planes")
    x = keras.layers.Permute((2, 3, 1))(inputs)
    x = keras.layers.Conv2D(filters, 3, name="stem", **relu, **next(start))(x)
    for number in range(1, blocks + 1):
        y = keras.layers.Conv2D(filters, 3, name=f"block_{number}_a", **relu, **next(start))(x)
        y = keras.layers.Conv2D(
            filters, 3, padding="same", name=f"block_{number}_b", kernel_initializer="zeros"
        )(y)
        x = keras.layers.ReLU()(keras.layers.Add()([x, y]))
    y = keras.layers.Conv2D(head_filters, 1, name="policy_points", **relu, **next(start))(x)
    logits = keras.layers.Dense(actions, name="logits", **next(start))(keras.layers.Flatten()(y))
    y = keras.layers.Conv2D(head_filters, 1, name="value_points", **relu, **next(start))(x)
    value = _value_head(keras.layers.Flatten()(y), value_units, start)
    return keras.Model(
        inputs, [keras.layers.Softmax(name="policy")(logits), value], name="alphazero"
    )


BOOK_LARGE = ((64, 7), (64, 5), (64, 5), (48, 5), (48, 5), (32, 5), (32, 5))


def _planes_last(planes: int, board: int) -> tuple[Any, Any]:
    """(inputs, the same with the planes last): convolutions on a CPU want them there."""
    from rlcourse.tf import keras

    inputs = keras.Input((planes, board, board), name="planes")
    return inputs, keras.layers.Permute((2, 3, 1))(inputs)


def _glorot(seed: int) -> Iterator[dict[str, Any]]:
    """Initialisers for one layer after the other: Glorot's uniform one."""
    from rlcourse.tf import keras

    return (
        {"kernel_initializer": keras.initializers.GlorotUniform(seed=number)}
        for number in count(seed)
    )


_BUILDERS = {
    "deep-q": deep_q_network,
    "td-gammon": td_gammon_network,
    "go-seed": go_seed_network,
    "go-small": go_small_network,
    "ac-seed": ac_seed_network,
    "ac-small": ac_small_network,
    "alphazero": alphazero_network,
}
NETWORK_NAMES = tuple(_BUILDERS)
GO_NETWORKS = ("go-seed", "go-small", "ac-seed", "ac-small")
TWO_HEADED = ("ac-seed", "ac-small")


def build_network(name: str, **options: Any) -> Any:
    """The network of that name. Raises ValueError for an unknown one."""
    if name not in _BUILDERS:
        raise ValueError(
            f"there is no network {name!r}; the course knows {', '.join(NETWORK_NAMES)}"
        )
    model = _BUILDERS[name](**options)
    model.recipe = json.dumps(
        {
            "network": name,
            "options": {key: value for key, value in options.items() if key != "seed"},
        }
    )
    return model


def go_shapes(name: str, **options: Any) -> dict[str, tuple[int, ...]]:
    """Name and shape of every weight of a network for Go, with one head or two, layer by layer, as `build_network` makes it;
    and of "alphazero", whose board may be another.

    Raises ValueError for another network, TypeError for an option that it does not have.
    """
    if name == "alphazero":
        return _tower_shapes(**options)
    if name not in GO_NETWORKS:
        raise ValueError(
            f"there is no network {name!r} for policies of go; the course knows {', '.join(GO_NETWORKS)}"
        )
    bound = signature(_BUILDERS[name]).bind(**options)
    bound.apply_defaults()
    known, shapes = bound.arguments, {}
    depth, points = known["planes"], known["board"] ** 2
    for number, (filters, width) in enumerate(
        known.get("convolutions") or [(known["filters"], 3)] * known["layers"], start=1
    ):
        shapes |= {
            f"conv_{number}/kernel": (width, width, depth, filters),
            f"conv_{number}/bias": (filters,),
        }
        depth = filters
    if "dense" in known:
        shapes |= _dense("dense", depth * points, known["dense"])
        depth = known["dense"]
        shapes |= (_dense("policy_dense", depth, depth) if name == "ac-seed" else {}) | _dense(
            "logits", depth, points
        )
    else:
        shapes |= {
            "points/kernel": (1, 1, depth, 1),
            "points/bias": (1,),
            **_dense("pass", depth, 1),
        }
    if name in TWO_HEADED:
        units = known.get("value_units", depth)
        shapes |= _dense("value_dense", depth, units) | _dense("value", units, 1)
    return shapes


def _tower_shapes(**options: Any) -> dict[str, tuple[int, ...]]:
    bound = signature(alphazero_network).bind(**options)
    bound.apply_defaults()
    known = bound.arguments
    filters, heads, points = known["filters"], known["head_filters"], math.prod(known["board"])
    shapes = _convolution("stem", 3, known["planes"], filters)
    for number in range(1, known["blocks"] + 1):
        for half in "ab":
            shapes |= _convolution(f"block_{number}_{half}", 3, filters, filters)
    shapes |= _convolution("policy_points", 1, filters, heads) | _convolution(
        "value_points", 1, filters, heads
    )
    shapes |= _dense("logits", heads * points, known["actions"]) | _dense(
        "value_dense", heads * points, known["value_units"]
    )
    return shapes | _dense("value", known["value_units"], 1)


def _convolution(name: str, width: int, inputs: int, filters: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}/kernel": (width, width, inputs, filters), f"{name}/bias": (filters,)}


def _dense(name: str, inputs: int, units: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}/kernel": (inputs, units), f"{name}/bias": (units,)}


def heads_of(model: Any) -> tuple[int, int]:
    """(number of probabilities, number of heads) of a network for Go; the second head says the value."""
    shapes = model.output_shape if isinstance(model.output_shape, list) else [model.output_shape]
    return shapes[0][-1], len(shapes)


def recipe_of(model: Any) -> tuple[str, dict[str, Any]]:
    """(name, options) with which `build_network` makes this architecture again. Raises ValueError for a model of another make:
    files of this course hold no code, so an architecture is stored by its name."""
    if not hasattr(model, "recipe"):
        raise ValueError(
            f"this model has no name: make it with build_network, by one of {', '.join(NETWORK_NAMES)}"
        )
    recipe = json.loads(model.recipe)
    return recipe["network"], recipe["options"]


def weights_of(model: Any) -> dict[str, np.ndarray]:
    """Copies of all weights by "layer/what", such as "dense_1/kernel"."""
    return {
        f"{layer.name}/{weight.name}": weight.numpy()
        for layer in model.layers
        for weight in layer.weights
    }


def set_weights(model: Any, weights: Mapping[str, np.ndarray]) -> None:
    """Put weights of `weights_of` back. Raises ValueError where a name or shape does not fit, changing nothing."""
    places = {
        f"{layer.name}/{weight.name}": weight for layer in model.layers for weight in layer.weights
    }
    for name, place in places.items():
        if name not in weights or np.shape(weights[name]) != tuple(place.shape):
            found = np.shape(weights[name]) if name in weights else "missing"
            raise ValueError(
                f"the weights of {name} have shape {tuple(place.shape)}; here they are {found}"
            )
    for name, place in places.items():
        place.assign(weights[name])
