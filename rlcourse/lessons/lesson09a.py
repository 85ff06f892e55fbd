"""The blanks of lesson 09a, AlphaZero."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

import numpy as np
from numpy import ndarray as Array

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson

Layer = Callable[[Array], Array]

# --- the residual block ---------------------------------------------------------------------------


def residual_block(x: Array, first: Layer, second: Layer) -> Array:
    """ReLU(x + second(ReLU(first(x)))). He and others (2016), without batch normalisation.

    first, second: the two convolutions; x and all that they return have one shape.
    """
    inner = np.maximum(0, first(x))
    change = second(inner)
    return np.maximum(0, x + change)


def with_matrices(block: Callable[..., Array]) -> Callable[..., Array]:
    """The block of an array x [K] with two matrices [K, K] in place of the convolutions."""

    @wraps(block)
    def multiplied(x: list[float], first: list[list[float]], second: list[list[float]]) -> Array:
        one, other = np.array(first), np.array(second)
        return block(np.array(x), lambda y: one @ y, lambda y: other @ y)

    return multiplied


BLOCK_MISTAKES = {
    "no_skip": "x does not pass: add x to what the second convolution returns",
    "no_inner": "the ReLU between the two convolutions is missing",
    "no_outer": "the last ReLU is missing: it comes after the sum",
    "relu_first": "the last ReLU comes too early: add x first, then apply it to the sum",
    "x_twice": "the second convolution is given x: it is given what the first one and its ReLU "
    "return",
    "skip_inside": "x is added before the second convolution: it passes both of them",
    "minus": "x is subtracted: it is added",
}

_BLOCK = Case(
    ([1.0, 3.0], [[1.0, -1.0], [0.0, 1.0]], [[2.0, 1.0], [0.0, -1.0]]),
    # first(x) = (-2, 3), its ReLU (0, 3); second of that (3, -3); x + that (4, 0); ReLU (4, 0).
    Key([4.0, 0.0]),
    title="x = (1, 3); the first layer makes (-2, 3) of it",
)
_BELOW = Case(
    ([1.0, 2.0], [[1.0, 0.0], [0.0, 1.0]], [[0.0, -2.0], [1.0, 0.0]]),
    # first(x) = x; second of it (-4, 1); x + that (-3, 3); ReLU (0, 3).
    Key([0.0, 3.0]),
    title="x = (1, 2); the sum of x and the change is (-3, 3)",
)

# --- the loss -------------------------------------------------------------------------------------


def alphazero_loss(
    pi: Array, p: Array, z: float, v: float, weights: Array, c_l2: float = 1e-4
) -> float:
    """Cross-entropy of pi and p, plus (z - v)^2, plus c_l2 times the sum of the squared weights.

    Silver and others (2017), eq. 1. pi, p [A]: both add up to 1, p is positive; z, v: for the
    player to move.
    """
    cross_entropy = -np.sum(pi * np.log(p))
    squared_error = (z - v) ** 2
    penalty = np.sum(weights**2)
    loss: float = cross_entropy + squared_error + c_l2 * penalty
    return loss


LOSS_MISTAKES = {
    "plus": "the sign of the cross-entropy is wrong: log p is negative, and the loss is -sum",
    "swapped": "pi and p are exchanged: the logarithm is that of p, weighted by pi",
    "log2": "the logarithm has the base 2: np.log is the natural one",
    "one_hot": "only the favourite of pi counts: every move counts, weighted by pi",
    "mean": "the mean over the moves stands where their sum belongs",
    "no_policy": "the cross-entropy is missing",
    "no_square": "the error of the value is not squared",
    "half": "the squared error is halved: in AlphaZero's loss it has the weight 1",
    "sum": "z and v are added: the error is z less v",
    "no_value": "the squared error is missing",
    "no_l2": "the penalty on the weights is missing",
    "minus_l2": "the penalty is subtracted: it is added, since large weights should cost",
    "no_c": "c_l2 is missing: it multiplies the sum of the squared weights",
    "norm": "the penalty is the square root of the sum of squares: leave the root out",
    "absolute": "the penalty adds up absolute values: it adds up squares",
}


_THREE = Case(
    (
        np.array([0.5, 0.375, 0.125]),
        np.array([0.25, 0.25, 0.5]),
        1.0,
        0.4,
        np.array([3, -4.0]),
        0.01,
    ),
    # -(0.5 ln 0.25 + 0.375 ln 0.25 + 0.125 ln 0.5); (1 - 0.4)^2; 0.01 (3^2 + 4^2).
    Key(1.875 * float(np.log(2)) + 0.36 + 0.25),
    title="pi = (1/2, 3/8, 1/8), p = (1/4, 1/4, 1/2), z = 1, v = 0.4, two weights",
)
_LOST = Case(
    (
        np.array([0.75, 0.125, 0.125]),
        np.array([0.5, 0.25, 0.25]),
        -1.0,
        0.5,
        np.array([2, 1, -2.0]),
        0.1,
    ),
    # -(0.75 ln 0.5 + 0.125 ln 0.25 + 0.125 ln 0.25); (-1 - 0.5)^2; 0.1 (4 + 1 + 4).
    Key(1.25 * float(np.log(2)) + 2.25 + 0.9),
    title="pi = (3/4, 1/8, 1/8), p = (1/2, 1/4, 1/4), z = -1, v = 0.5, three weights",
)

# --- the replay window ----------------------------------------------------------------------------


def remember(window: Mapping[str, Array], new: Mapping[str, Array], size: int) -> dict[str, Array]:
    """The window with the new examples behind it, cut to its newest `size` examples.

    window, new: columns by name, each with one row per example, the oldest first. Lin (1992).
    """
    newest = {}
    for name in window:
        both = np.concatenate([window[name], new[name]])
        newest[name] = both[-size:]
    return newest


def by_columns(remember: Callable[..., Mapping[str, Array]]) -> Callable[..., Any]:
    """The columns as lists: those of z and of pi in this order."""

    @wraps(remember)
    def columns(
        z: list[float], pi: list[list[float]], new_z: list[float], new_pi: Any, size: int
    ) -> Any:
        """z [N], pi [N, 2] of the window and of the new games -> [z, pi] of the newest `size`."""
        window = {"z": np.array(z), "pi": np.array(pi).reshape(-1, 2)}
        new = {"z": np.array(new_z), "pi": np.array(new_pi).reshape(-1, 2)}
        newest = remember(window, new, size)
        if any(isinstance(column, list) for column in newest.values()):
            return "columns that are lists"
        return [np.asarray(newest["z"]).tolist(), np.asarray(newest["pi"]).tolist()]

    return columns


REMEMBER_MISTAKES = {
    "lists": "the columns have become lists: np.concatenate keeps them arrays, from which a "
    "minibatch can be drawn",
    "oldest": "the oldest examples are kept: the newest stay, and they stand at the end",
    "no_limit": "nothing is forgotten: only `size` examples stay",
    "only_new": "the old examples are gone: the new ones are put behind them",
    "not_added": "the new examples are not there",
    "in_front": "the new examples stand in front: then the cut takes the newest away",
    "one_more": "one example too many is kept",
}


def _columns(*z: float) -> list[list[Any]]:
    """The columns z and pi of examples with these results; pi is made from z."""
    return [list(z), [[x, 1 - x] for x in z]]


_FULL = Case(
    (*_columns(0.0, 0.125, 0.25, 0.5), *_columns(0.75, 1.0), 4),
    Key(_columns(0.25, 0.5, 0.75, 1.0)),
    title="four old examples, two new ones, room for four",
)
_ROOM = Case(
    (*_columns(0.5, 0.25), *_columns(1.0), 5),
    Key(_columns(0.5, 0.25, 1.0)),
    title="two old examples, one new one, room for five",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "09a",
    "AlphaZero",
    Blank(residual_block, (_BLOCK, _BELOW), BLOCK_MISTAKES, with_matrices),
    Blank(alphazero_loss, (_THREE, _LOST), LOSS_MISTAKES),
    Blank(remember, (_FULL, _ROOM), REMEMBER_MISTAKES, by_columns),
)

your_turn = LESSON.your_turn
