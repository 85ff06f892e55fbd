"""The networks of the course as Keras models, by name; nothing else. `build_network("deep-q", seed=0)`.

Layers carry the names under which their weights are stored, so `weights_of` and `set_weights` speak of "dense_1/kernel".
"""

import math
from collections.abc import Mapping
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


_BUILDERS = {"deep-q": deep_q_network, "td-gammon": td_gammon_network}
NETWORK_NAMES = tuple(_BUILDERS)


def build_network(name: str, **options: Any) -> Any:
    """The network of that name. Raises ValueError for an unknown one."""
    if name not in _BUILDERS:
        raise ValueError(f"there is no network {name!r}; the course knows {', '.join(NETWORK_NAMES)}")
    return _BUILDERS[name](**options)


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
