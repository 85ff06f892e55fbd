"""The networks of the course as Keras models, by name; nothing else. `build_network("deep-q", seed=0)`.

Layers carry the names under which their weights are stored, so `weights_of` and `set_weights` speak of "dense_1/kernel".
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np

from rlcourse.tf import keras


def deep_q_network(*, seed: int = 0, start: str = "identity") -> Any:
    """The source's network for tic-tac-toe: numbers [B, 10] (nine cells and the turn, each 0, 1 or 2) -> Q-values [B, 9].

    Embedding 3 -> 3, ReLU, flattened to 30, two dense layers of 300 with ReLU, nine outputs; 102,318 weights.
    start "normal" draws the embedding from N(0, 1) and the dense layers from U(-1, 1) / sqrt(inputs), as the source's library
    does. A row of the embedding whose three numbers are negative is dead behind the ReLU: with two such rows (1 network in
    23) two kinds of cell look the same and can never be told apart. "identity" starts the embedding as one-hot.
    """
    if start not in ("identity", "normal"):
        raise ValueError(f"start is 'identity' or 'normal', not {start!r}")
    embedding = keras.initializers.Identity() if start == "identity" else keras.initializers.RandomNormal(0.0, 1.0, seed=seed)
    layers = [keras.Input((10,), dtype="int32"), keras.layers.Embedding(3, 3, embeddings_initializer=embedding, name="embedding")]
    layers += [keras.layers.ReLU(), keras.layers.Flatten()]
    for number, (inputs, units) in enumerate(((30, 300), (300, 300), (300, 9)), start=1):
        if start == "normal":
            bound = 1.0 / math.sqrt(inputs)
            kernel, bias = (keras.initializers.RandomUniform(-bound, bound, seed=seed + 10 * number + k) for k in (0, 1))
        else:
            kernel, bias = keras.initializers.HeUniform(seed=seed + 10 * number), "zeros"
        activation = "relu" if number < 3 else None
        layers.append(
            keras.layers.Dense(
                units, activation=activation, kernel_initializer=kernel, bias_initializer=bias, name=f"dense_{number}"
            )
        )
    return keras.Sequential(layers, name="deep_q")


def td_gammon_network(*, seed: int = 0, hidden: int = 80, outputs: int = 5) -> Any:
    """TD-Gammon's network: units [B, 198] -> probabilities [B, outputs]; one hidden layer, sigmoids (Tesauro 1992).

    outputs: 1 (the player spoken for wins) or 5, as in rlcourse.agents.td_gammon.OUTPUTS. Weights start as small random
    numbers, so that every position is worth about one half at first.
    """
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
    start = _glorot(seed)
    inputs, x = _planes_last(planes, board)
    for number, (filters, width) in enumerate(convolutions, start=1):
        x = keras.layers.Conv2D(filters, width, padding="same", activation="relu", name=f"conv_{number}", **next(start))(x)
    x = keras.layers.Flatten()(x)
    x = keras.layers.Dense(dense, activation="relu", name="dense", **next(start))(x)
    logits = keras.layers.Dense(board * board, name="logits", **next(start))(x)
    return keras.Model(inputs, keras.layers.Softmax(name="policy")(logits), name="go_seed")


def go_small_network(*, seed: int = 0, board: int = 5, planes: int = 11, filters: int = 32, layers: int = 3) -> Any:
    """A fully convolutional policy: planes [B, planes, S, S] -> probabilities [B, S*S + 1], the pass last.

    `layers` convolutions 3 x 3 with ReLU; a 1 x 1 convolution gives one number a point, their means over the board one for the
    pass. No weight depends on S: a network that has learned on 5 x 5 plays on 9 x 9.
    """
    start = _glorot(seed)
    inputs, x = _planes_last(planes, board)
    for number in range(1, layers + 1):
        x = keras.layers.Conv2D(filters, 3, padding="same", activation="relu", name=f"conv_{number}", **next(start))(x)
    points = keras.layers.Flatten()(keras.layers.Conv2D(1, 1, name="points", **next(start))(x))
    pass_turn = keras.layers.Dense(1, name="pass", **next(start))(keras.layers.GlobalAveragePooling2D()(x))
    logits = keras.layers.Concatenate(name="logits")([points, pass_turn])
    return keras.Model(inputs, keras.layers.Softmax(name="policy")(logits), name="go_small")


BOOK_LARGE = ((64, 7), (64, 5), (64, 5), (48, 5), (48, 5), (32, 5), (32, 5))


def _planes_last(planes: int, board: int) -> tuple[Any, Any]:
    """(inputs, the same with the planes last): convolutions on a CPU want them there."""
    inputs = keras.Input((planes, board, board), name="planes")
    return inputs, keras.layers.Permute((2, 3, 1))(inputs)


def _glorot(seed: int) -> Iterator[dict[str, Any]]:
    """Initialisers for one layer after the other: Glorot's uniform one."""
    return ({"kernel_initializer": keras.initializers.GlorotUniform(seed=number)} for number in count(seed))


_BUILDERS = {
    "deep-q": deep_q_network,
    "td-gammon": td_gammon_network,
    "go-seed": go_seed_network,
    "go-small": go_small_network,
}
NETWORK_NAMES = tuple(_BUILDERS)


def build_network(name: str, **options: Any) -> Any:
    """The network of that name. Raises ValueError for an unknown one."""
    if name not in _BUILDERS:
        raise ValueError(f"there is no network {name!r}; the course knows {', '.join(NETWORK_NAMES)}")
    model = _BUILDERS[name](**options)
    model.recipe = json.dumps({"network": name, "options": {key: value for key, value in options.items() if key != "seed"}})
    return model


def recipe_of(model: Any) -> tuple[str, dict[str, Any]]:
    """(name, options) with which `build_network` makes this architecture again. Raises ValueError for a model of another make:
    files of this course hold no code, so an architecture is stored by its name."""
    if not hasattr(model, "recipe"):
        raise ValueError(f"this model has no name: make it with build_network, by one of {', '.join(NETWORK_NAMES)}")
    recipe = json.loads(model.recipe)
    return recipe["network"], recipe["options"]


def weights_of(model: Any) -> dict[str, np.ndarray]:
    """Copies of all weights by "layer/what", such as "dense_1/kernel"."""
    return {f"{layer.name}/{weight.name}": weight.numpy() for layer in model.layers for weight in layer.weights}


def set_weights(model: Any, weights: Mapping[str, np.ndarray]) -> None:
    """Put weights of `weights_of` back. Raises ValueError where a name or shape does not fit, changing nothing."""
    places = {f"{layer.name}/{weight.name}": weight for layer in model.layers for weight in layer.weights}
    for name, place in places.items():
        if name not in weights or np.shape(weights[name]) != tuple(place.shape):
            found = np.shape(weights[name]) if name in weights else "missing"
            raise ValueError(f"the weights of {name} have shape {tuple(place.shape)}; here they are {found}")
    for name, place in places.items():
        place.assign(weights[name])
