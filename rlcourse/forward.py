"""Forward passes: networks of `rlcourse.networks` as functions, outside training.

A few positions are computed here, by kernels; many planes by TensorFlow. That takes seconds to load
and 0.3 ms per call, but computes thousands of positions five times as fast.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from rlcourse.architectures import GO_NETWORKS, Layer, Network, network_of
from rlcourse.games.backgammon import units
from rlcourse.kernels import kernel
from rlcourse.networks import build_network, check_weights, recipe_of, weights_of
from rlcourse.sampling import softmax

# Up to this batch size the overhead of a TensorFlow call exceeds the arithmetic.
FEW = 16
# The same for AlphaZero's residual tower, in multiplications, because towers differ in size.
FEW_PRODUCTS = 3_000_000


@kernel
def _convolve(x, weights, bias, around, relu):
    """[R, P', F]: at each point p the bias plus, for each k, x[around[p, k]] @ weights[k].

    x [R, P, C]; weights [K, C, F]; bias [F]; around [P', K]: the points of the window, P off the
    board. relu: negative results become 0. Every sum is made in one fixed order, so the result is
    the same on every processor.
    """
    points, depth = x.shape[1:]
    filters = bias.shape[0]
    out = np.empty((x.shape[0], around.shape[0], filters), np.float32)
    channels = np.empty((points, depth), np.int32)
    counts = np.empty(points, np.int32)
    total = np.empty(filters, np.float32)
    for r in range(x.shape[0]):
        # Two thirds of the planes, and half of the outputs of a ReLU, are 0: only the channels that
        # are not 0 are listed and added up.
        for q in range(points):
            counts[q] = 0
            for c in range(depth):
                if x[r, q, c] != 0:
                    channels[q, counts[q]] = c
                    counts[q] += 1
        for p in range(around.shape[0]):
            total[:] = bias
            for k in range(around.shape[1]):
                q = around[p, k]
                if q < points:
                    for j in range(counts[q]):
                        c = channels[q, j]
                        number, row = x[r, q, c], weights[k, c]
                        for f in range(filters):
                            total[f] += number * row[f]
            for f in range(filters):
                out[r, p, f] = max(total[f], np.float32(0)) if relu else total[f]
    return out


def window(board: Sequence[int], width: int) -> np.ndarray:
    """[P, width * width] int64: the points of a square window around each point, row by row.

    board: (rows, columns), P points. P stands for a point off the board.
    """
    rows, columns = board
    row, col = np.divmod(np.arange(rows * columns)[:, None], columns)
    reach = np.arange(width) - width // 2
    down, right = np.repeat(reach, width)[None], np.tile(reach, width)[None]
    there = (0 <= row + down) & (row + down < rows) & (0 <= col + right) & (col + right < columns)
    return np.where(there, (row + down) * columns + col + right, rows * columns)


class FewPositions:
    """A network as a function, without TensorFlow: from planes [R, C, H, W]."""

    def __init__(self, network: Network, weights: Mapping[str, np.ndarray]) -> None:
        self.network = network
        self._weights = {}
        for layer in network.layers:
            if layer.units:
                matrix, bias = weights[f"{layer.name}/kernel"], weights[f"{layer.name}/bias"]
                rows = np.ascontiguousarray(matrix.reshape(-1, *matrix.shape[-2:]))
                # A dense layer is a convolution over one point that holds all numbers.
                around = np.zeros((1, 1), np.int64)
                if layer.kind == "convolution":
                    around = window(network.planes[1:], layer.width)
                self._weights[layer.name] = (rows, bias, around)

    def __call__(self, planes: np.ndarray) -> Any:
        """[R, outputs] float32, or with a value head a pair of that and [R] float32."""
        last = planes.reshape(*planes.shape[:2], -1).transpose(0, 2, 1)
        outputs = {"planes": np.ascontiguousarray(last, np.float32)}
        for layer in self.network.layers:
            outputs[layer.name] = self._output(layer, [outputs[name] for name in layer.of])
        policy = outputs["policy"]
        return (policy, outputs["value"][:, 0, 0]) if "value" in outputs else policy

    def _output(self, layer: Layer, inputs: list[np.ndarray]) -> np.ndarray:
        """[R, P, F] of a layer, P points or one; of the softmax [R, F]."""
        x = inputs[0]
        if layer.kind == "mean":
            return np.ascontiguousarray(x.mean(axis=1, keepdims=True))
        if layer.kind == "softmax":
            return softmax(x[:, 0]).astype(np.float32)
        if layer.kind == "add":
            return np.maximum(x + inputs[1], np.float32(0))
        if layer.kind == "join":
            return np.concatenate([each.reshape(len(x), 1, -1) for each in inputs], axis=2)
        if layer.kind == "dense":
            x = x.reshape(len(x), 1, -1)
        sums = _convolve(x, *self._weights[layer.name], layer.activation == "relu")
        return np.tanh(sums) if layer.activation == "tanh" else sums


class Snapshot:
    """A network by name with weights of its own, as a function of planes [R, C, H, W] int8.

    It returns probabilities [R, outputs], or with a value head (probabilities, value [R]).
    TensorFlow is loaded for the first large batch; the two ways of computing differ by rounding
    only. Raises ValueError for an unknown network, and for weights that do not fit it or are not
    finite.
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


class Live:
    """A Keras model as a function with the interface of `Snapshot`; its weights may change."""

    def __init__(self, model: Any, planes: tuple[int, ...]) -> None:
        from rlcourse.tf import tf

        signature = [tf.TensorSpec([None, *planes], tf.float32)]
        self.model = model
        self._forward = tf.function(
            lambda planes: model(planes, training=False), input_signature=signature
        )

    def __call__(self, planes: np.ndarray) -> Any:
        """[R, outputs] float32, or with a value head a pair of that and [R] float32."""
        return _as_numpy(self._forward(planes.astype(np.float32)))

    @property
    def weights(self) -> dict[str, np.ndarray]:
        """Copies of the present weights."""
        return weights_of(self.model)

    @property
    def recipe(self) -> tuple[str, dict[str, Any]]:
        """Name and options. Raises ValueError for a model that `build_network` did not make."""
        return recipe_of(self.model)


def _products(shapes: Mapping[str, tuple[int, ...]], points: int) -> int:
    """Multiplications per position: a convolution's at every point, a dense layer's once."""
    return sum(math.prod(shape) * (points if len(shape) == 4 else 1) for shape in shapes.values())


def _many_positions(
    name: str, options: Mapping[str, Any], weights: Mapping[str, np.ndarray]
) -> Callable[..., Any]:
    from rlcourse.tf import tf

    forward = _compiled(name, json.dumps(options, sort_keys=True))
    flat = tf.constant(np.concatenate([array.ravel() for array in weights.values()]))
    return lambda planes: _as_numpy(forward(tf.constant(planes.astype(np.float32)), flat))


def _as_numpy(outputs: Any) -> Any:
    """The outputs of a Keras model: probabilities [R, outputs], or (probabilities, value [R])."""
    if isinstance(outputs, list | tuple):
        return outputs[0].numpy(), outputs[1].numpy()[:, 0]
    return outputs.numpy()


@lru_cache(maxsize=16)
def _compiled(name: str, options: str) -> Callable[..., Any]:
    """forward(planes float32, all weights in one row): compiled once per process and network."""
    from rlcourse.tf import tf

    model = build_network(name, **json.loads(options))
    shapes = network_of(name, **json.loads(options)).shapes()
    order = list(weights_of(model))  # Keras orders weights by depth
    sizes = [math.prod(shape) for shape in shapes.values()]
    # One array of weights instead of ten saves a quarter of a call of 256 positions.
    signature = [tf.TensorSpec([None, *model.input_shape[1:]]), tf.TensorSpec([sum(sizes)])]

    @tf.function(input_signature=signature)
    def forward(planes: Any, flat: Any) -> Any:
        """The outputs for these planes, by weights that lie end to end in one vector."""
        arrays = zip(tf.split(flat, sizes), shapes.items(), strict=True)
        weights = {name: tf.reshape(array, shape) for array, (name, shape) in arrays}
        ordered = [weights[name] for name in order]
        outputs, _ = model.stateless_call(ordered, [], planes, training=False)
        return outputs

    return forward.get_concrete_function()


@kernel
def _first_layer(checkers, first_view, roller, rows, turn, out):
    """out [M, H]: the inputs of the hidden layer, in the view of the player first_view [M] ("own").

    rows [2, 26, 16, H]: what n checkers of the own (0) or the other (1) side on a point add. turn
    [2, H]: what it adds that the own side, or the other, rolls next.
    """
    for m in range(len(checkers)):
        for h in range(out.shape[1]):
            out[m, h] = turn[first_view[m] ^ roller[m], h]
        for seat in range(2):
            player = first_view[m] ^ seat
            for point in range(26):
                count = checkers[m, player, point]
                if count > 0:
                    for h in range(out.shape[1]):
                        out[m, h] += rows[seat, point, count, h]


class SparseNetwork:
    """The network "td-gammon" as a function of boards instead of units, always without TensorFlow.

    It equals the dense network but for rounding. On average 14 of the 52 points of a board are
    occupied, so the first layer adds one row of weights for each of them instead of multiplying 198
    units, most of which are zero.
    """

    def __init__(self, weights: Mapping[str, np.ndarray]) -> None:
        matrix, bias = weights["hidden/kernel"], weights["hidden/bias"]
        boards = np.zeros((2, 26, 16, 2, 26), np.int8)
        for seat, point, count in np.ndindex(2, 26, 16):
            boards[seat, point, count, seat, point] = count
        nobody = np.zeros((2, 2, 26), np.int8)
        turns = units(nobody, np.zeros(2, np.int8), np.arange(2, dtype=np.int8))
        first = np.zeros(2 * 26 * 16, np.int8)
        alone = units(boards.reshape(-1, 2, 26), first, first) - turns[0]
        self.rows = _product(alone, matrix).reshape(2, 26, 16, -1)
        self.turn = turns @ matrix + bias
        self.last, self.last_bias = weights["outputs/kernel"], weights["outputs/bias"]

    def __call__(
        self, checkers: np.ndarray, first_view: np.ndarray, roller: np.ndarray
    ) -> np.ndarray:
        """[M, outputs] probabilities for the player first_view [M]; roller [M] rolls next."""
        hidden = np.empty((len(checkers), self.turn.shape[1]), np.float32)
        _first_layer(checkers, first_view, roller, self.rows, self.turn, hidden)
        return _sigmoid(_product(_sigmoid(hidden), self.last) + self.last_bias)


def _product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """left @ right, in slices so small that the matrix library uses one thread."""
    # These products take microseconds. A second thread gains nothing, and on a busy machine the
    # library's threads spin while they wait for each other: 80 times slower with both cores taken.
    rows = max(1, 200_000 // right.size)
    out = np.empty((len(left), right.shape[1]), np.float32)
    for start in range(0, len(left), rows):
        np.matmul(left[start : start + rows], right, out=out[start : start + rows])
    return out


def _sigmoid(sums: np.ndarray) -> np.ndarray:
    """1 / (1 + e^-x), in place."""
    # e^-x of float32 overflows to infinity below x = -88, which gives the correct limit 0.
    with np.errstate(over="ignore"):
        np.negative(sums, sums)
        np.exp(sums, sums)
        sums += 1
        return np.reciprocal(sums, sums)
