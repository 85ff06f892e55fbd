"""The convolutional networks for a few positions at a time, without TensorFlow: a move in a fraction of a millisecond.

TensorFlow takes seconds to load and 0.3 ms for any call, but does thousands of positions five times as fast. Two thirds of
the planes, and half of what a ReLU lets through, is 0: a point adds up rows of weights for the other numbers only. Every sum
is made in one fixed order, multiplied and added one after the other, so the logits are the same on every processor.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rlcourse.kernels import kernel
from rlcourse.networks import Layer, Network
from rlcourse.sampling import softmax


@kernel
def _convolve(x, weights, bias, around, relu):
    """[R, P', F]: at each point p the bias and, for each place k of the window, x[around[p, k]] @ weights[k].

    x [R, P, C]; weights [K, C, F]; bias [F]; around [P', K], P off the board. relu: what is negative becomes 0.
    """
    points, depth = x.shape[1:]
    filters = bias.shape[0]
    out = np.empty((x.shape[0], around.shape[0], filters), np.float32)
    channels, counts, total = (
        np.empty((points, depth), np.int32),
        np.empty(points, np.int32),
        np.empty(filters, np.float32),
    )
    for r in range(x.shape[0]):
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
    """[P, width * width] int64: the points of a square window around each point, row by row; P off the board.

    board: (rows, columns).
    """
    rows, columns = board
    row, col = np.divmod(np.arange(rows * columns)[:, None], columns)
    reach = np.arange(width) - width // 2
    down, right = np.repeat(reach, width)[None], np.tile(reach, width)[None]
    there = (0 <= row + down) & (row + down < rows) & (0 <= col + right) & (col + right < columns)
    return np.where(there, (row + down) * columns + col + right, rows * columns)


class FewPositions:
    """A network as a function: planes [R, C, H, W] -> probabilities [R, outputs] float32, or with a second head
    (probabilities, value [R] float32)."""

    def __init__(self, network: Network, weights: Mapping[str, np.ndarray]) -> None:
        self.network = network
        self._weights = {}
        for layer in (layer for layer in network.layers if layer.units):
            kernel, bias = weights[f"{layer.name}/kernel"], weights[f"{layer.name}/bias"]
            rows = np.ascontiguousarray(kernel.reshape(-1, *kernel.shape[-2:]))
            dense = layer.kind == "dense"
            around = (
                np.zeros((1, 1), np.int64) if dense else window(network.planes[1:], layer.width)
            )
            self._weights[layer.name] = (rows, bias, around)

    def __call__(self, planes: np.ndarray) -> Any:
        """[R, outputs]: one for each point and, where the network has it, the pass; with it the value, where it has that."""
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
