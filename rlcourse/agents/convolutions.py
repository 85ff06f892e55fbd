"""The convolutional networks for a few positions at a time, without TensorFlow: a move in a fraction of a millisecond.

TensorFlow takes seconds to load and 0.3 ms for any call, but does thousands of positions five times as fast. Two thirds of
the planes, and half of what a ReLU lets through, is 0: a point adds up rows of weights for the other numbers only. Every sum
is made in one fixed order, multiplied and added one after the other, so the logits are the same on every processor.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rlcourse.kernels import kernel
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


def window(board: int | Sequence[int], width: int) -> np.ndarray:
    """[P, width * width] int64: the points of a square window around each point, row by row; P off the board.

    board: points along a side of a square one, or (rows, columns).
    """
    rows, columns = (board, board) if isinstance(board, int) else board
    row, col = np.divmod(np.arange(rows * columns)[:, None], columns)
    down, right = np.divmod(np.arange(width * width)[None], width) - np.int64(width // 2)
    there = (0 <= row + down) & (row + down < rows) & (0 <= col + right) & (col + right < columns)
    return np.where(there, (row + down) * columns + col + right, rows * columns)


class FewPositions:
    """A network of `rlcourse.networks.go_shapes` as a function: planes [R, C, S, S] -> probabilities [R, outputs] float32, or
    with a second head (probabilities, value [R] float32)."""

    def __init__(self, weights: Mapping[str, np.ndarray], size: int) -> None:
        everywhere, points = np.zeros((1, 1), np.int64), np.arange(size * size)[:, None]
        self._layers = {}
        for name in (name.partition("/")[0] for name in weights if name.endswith("/kernel")):
            matrix, bias = weights[f"{name}/kernel"], weights[f"{name}/bias"]
            around = (
                points
                if name == "points"
                else (everywhere if matrix.ndim == 2 else window(size, len(matrix)))
            )
            self._layers[name] = (
                np.ascontiguousarray(matrix.reshape(-1, *matrix.shape[-2:])),
                bias,
                around,
            )
        self._hidden = [name for name in self._layers if name.startswith("conv_")]

    def __call__(self, planes: np.ndarray) -> Any:
        """[R, outputs]: one for each point and, where the network has it, the pass; with it the value, where it has that."""
        rows = len(planes)
        x = np.ascontiguousarray(
            planes.reshape(rows, planes.shape[1], -1).transpose(0, 2, 1), np.float32
        )
        for name in self._hidden:
            x = _convolve(x, *self._layers[name], True)
        if "pass" in self._layers:
            shared = _mean(x)
            said = (
                _convolve(x, *self._layers["points"], False),
                _convolve(shared, *self._layers["pass"], False),
            )
            logits = np.concatenate([part.reshape(rows, -1) for part in said], axis=1)
        else:
            shared = x = _convolve(
                x.reshape(rows, 1, -1), *self._layers["dense"], "policy_dense" not in self._layers
            )
            if "policy_dense" in self._layers:
                x = _convolve(shared, *self._layers["policy_dense"], True)
            logits = _convolve(x, *self._layers["logits"], False)[:, 0]
        policy = softmax(logits).astype(np.float32)
        if "value" not in self._layers:
            return policy
        hidden = _convolve(shared, *self._layers["value_dense"], True)
        return policy, np.tanh(_convolve(hidden, *self._layers["value"], False)[:, 0, 0])


class FewInTower:
    """The network "alphazero" as a function: planes [R, C, H, W] -> (probabilities [R, A] float32, value [R] float32)."""

    def __init__(self, weights: Mapping[str, np.ndarray], board: Sequence[int]) -> None:
        wide, points = window(board, 3), np.arange(board[0] * board[1])[:, None]
        self._layers = {}
        for name in (name.partition("/")[0] for name in weights if name.endswith("/kernel")):
            matrix, bias = weights[f"{name}/kernel"], weights[f"{name}/bias"]
            around = (
                np.zeros((1, 1), np.int64)
                if matrix.ndim == 2
                else (wide if len(matrix) == 3 else points)
            )
            self._layers[name] = (
                np.ascontiguousarray(matrix.reshape(-1, *matrix.shape[-2:])),
                bias,
                around,
            )
        self._blocks = sum(name.endswith("_a") for name in self._layers)

    def __call__(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(probabilities [R, A], value [R]), both float32."""
        rows = len(planes)
        x = np.ascontiguousarray(
            planes.reshape(rows, planes.shape[1], -1).transpose(0, 2, 1), np.float32
        )
        x = self._layer("stem", x)
        for number in range(1, self._blocks + 1):
            y = self._layer(f"block_{number}_b", self._layer(f"block_{number}_a", x), relu=False)
            x = np.maximum(x + y, np.float32(0))
        logits = self._layer(
            "logits", self._layer("policy_points", x).reshape(rows, 1, -1), relu=False
        )
        hidden = self._layer("value_dense", self._layer("value_points", x).reshape(rows, 1, -1))
        value = np.tanh(self._layer("value", hidden, relu=False)[:, 0, 0])
        return softmax(logits[:, 0]).astype(np.float32), value

    def _layer(self, name: str, x: np.ndarray, relu: bool = True) -> np.ndarray:
        return _convolve(x, *self._layers[name], relu)


def _mean(x: np.ndarray) -> np.ndarray:
    """[R, 1, F]: over the points of x [R, P, F]."""
    return np.ascontiguousarray(x.mean(axis=1, keepdims=True))
