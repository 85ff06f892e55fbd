"""The convolutional networks of the course as data: `network_of("go-small", board=9)`.

A `Network` is a list of layers, from which the Keras model (`rlcourse.networks`), the shapes of its
weights and the forward pass without TensorFlow (`rlcourse.forward`) are made.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rlcourse.errors import BadValue
from rlcourse.games import did_you_mean

HEADS = ("policy", "value", "ownership", "score")


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

    planes: (C, H, W) of the input, which layers call "planes". The layers named in HEADS
    are its outputs. Kernels are drawn in the order of the layers.
    """

    planes: tuple[int, ...]
    layers: tuple[Layer, ...]

    @property
    def heads(self) -> list[str]:
        """The outputs."""
        return [layer.name for layer in self.layers if layer.name in HEADS]

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
    any_size: int = 0,
    territory: int = 0,
) -> Network:
    """A small residual tower: planes -> (probabilities [B, actions], value [B, 1] in (-1, 1)).

    A convolution 3 x 3 with ReLU; `blocks` times two more, with the input added before the second
    ReLU; then for each head a convolution 1 x 1 with ReLU and dense layers (AlphaGo Zero: Silver et
    al. 2017, Methods). Instead of batch normalisation the second convolution of a block starts at
    0, so every block starts as the identity.

    any_size 1: no weight depends on the board; each point's logit comes from convolutions 1 x 1,
    the pass and the value from the means over the board (Wu 2019, sec. 3.3). territory 1: two more
    heads, ownership [B, H*W] in (-1, 1) and score [B, 1] (sec. 4.1).
    """
    layers, last = [Layer("stem", "convolution", ("planes",), filters, 3, "relu")], "stem"
    for block in (f"block_{number}" for number in range(1, blocks + 1)):
        layers += [
            Layer(f"{block}_a", "convolution", (last,), filters, 3, "relu"),
            Layer(f"{block}_b", "convolution", (f"{block}_a",), filters, 3, zero=True),
            Layer(block, "add", (last, f"{block}_b"), activation="relu"),
        ]
        last = block
    layers.append(Layer("policy_points", "convolution", (last,), head_filters, activation="relu"))
    if any_size:
        layers += [
            Layer("means", "mean", (last,)),
            Layer("points", "convolution", ("policy_points",), 1),
            Layer("pass", "dense", ("means",), 1),
            Layer("logits", "join", ("points", "pass")),
            Layer("policy", "softmax", ("logits",)),
            *_value_head("means", value_units),
        ]
    else:
        layers += [
            Layer("logits", "dense", ("policy_points",), actions),
            Layer("policy", "softmax", ("logits",)),
            Layer("value_points", "convolution", (last,), head_filters, activation="relu"),
            *_value_head("value_points", value_units),
        ]
    if territory:
        layers += [
            Layer("owners", "convolution", (last,), 1, activation="tanh"),
            Layer("ownership", "join", ("owners",)),
            Layer("score", "dense", ("value_dense",), 1),
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


CONVOLUTIONAL: dict[str, Callable[..., Network]] = {
    "go-seed": go_seed,
    "go-small": go_small,
    "ac-seed": ac_seed,
    "ac-small": ac_small,
    "alphazero": alphazero,
}
GO_NETWORKS = ("go-seed", "go-small", "ac-seed", "ac-small")


def network_of(name: str, **options: Any) -> Network:
    """The convolutional network of that name as data.

    Raises ValueError for another network, TypeError for an option that it does not have.
    """
    if name not in CONVOLUTIONAL:
        near = did_you_mean(name, GO_NETWORKS)
        raise BadValue(
            f"there is no network {name!r} for policies of go{near}; the course knows "
            f"{', '.join(GO_NETWORKS)}"
        )
    return CONVOLUTIONAL[name](**options)
