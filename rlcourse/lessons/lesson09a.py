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
    Key(
        # first(x) = (-2, 3), its ReLU (0, 3); second of that (3, -3); x + that (4, 0); ReLU (4, 0).
        [4.0, 0.0],
        {
            "no_skip": [3.0, 0.0],
            # second(-2, 3) = (-1, -3)
            "no_inner": [0.0, 0.0],
            "relu_first": [4.0, 3.0],
            # second(1, 3) = (5, -3)
            "x_twice": [6.0, 0.0],
            # second(1, 6) = (8, -6)
            "skip_inside": [8.0, 0.0],
            "minus": [2.0, 0.0],
        },
    ),
    title="x = (1, 3); the first layer makes (-2, 3) of it",
)
_BELOW = Case(
    ([1.0, 2.0], [[1.0, 0.0], [0.0, 1.0]], [[0.0, -2.0], [1.0, 0.0]]),
    Key(
        # first(x) = x; second of it (-4, 1); x + that (-3, 3); ReLU (0, 3).
        [0.0, 3.0],
        {
            "no_skip": [0.0, 1.0],
            "no_outer": [-3.0, 3.0],
            "relu_first": [1.0, 3.0],
            # second(2, 4) = (-8, 2)
            "skip_inside": [0.0, 2.0],
            "minus": [0.0, 0.0],
        },
    ),
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


def _loss_case(
    pi: list[float], p: list[float], z: float, v: float, weights: list[float], c: float, title: str
) -> Case:
    target, answer, numbers = np.array(pi), np.array(p), np.array(weights)
    logs, squares = -float(target @ np.log(answer)), float(numbers @ numbers)
    value, decay = (z - v) ** 2, c * squares
    slips = {
        "plus": -logs + value + decay,
        "swapped": -float(answer @ np.log(target)) + value + decay,
        "log2": logs / float(np.log(2)) + value + decay,
        "one_hot": -float(np.log(answer[target.argmax()])) + value + decay,
        "mean": logs / len(pi) + value + decay,
        "no_policy": value + decay,
        "no_square": logs + (z - v) + decay,
        "half": logs + value / 2 + decay,
        "sum": logs + (z + v) ** 2 + decay,
        "no_value": logs + decay,
        "no_l2": logs + value,
        "minus_l2": logs + value - decay,
        "no_c": logs + value + squares,
        "norm": logs + value + c * squares**0.5,
        "absolute": logs + value + c * float(np.abs(numbers).sum()),
    }
    args = (target, answer, z, v, numbers, c)
    return Case(args, Key(logs + value + decay, slips), title=title)


# By hand: -(0.5 ln 0.25 + 0.375 ln 0.25 + 0.125 ln 0.5) = 1.875 ln 2 = 1.2997; (1 - 0.4)^2 = 0.36;
# 0.01 (3^2 + 4^2) = 0.25; together 1.9097.
_THREE = _loss_case(
    [0.5, 0.375, 0.125],
    [0.25, 0.25, 0.5],
    1.0,
    0.4,
    [3.0, -4.0],
    0.01,
    "pi = (1/2, 3/8, 1/8), p = (1/4, 1/4, 1/2), z = 1, v = 0.4, two weights",
)
# By hand: -(0.75 ln 0.5 + 0.125 ln 0.25 + 0.125 ln 0.25) = 1.25 ln 2 = 0.8664;
# (-1 - 0.5)^2 = 2.25; 0.1 (4 + 1 + 4) = 0.9; together 4.0164.
_LOST = _loss_case(
    [0.75, 0.125, 0.125],
    [0.5, 0.25, 0.25],
    -1.0,
    0.5,
    [2.0, 1.0, -2.0],
    0.1,
    "pi = (3/4, 1/8, 1/8), p = (1/2, 1/4, 1/4), z = -1, v = 0.5, three weights",
)

# --- the replay window ----------------------------------------------------------------------------


def remember(window: Mapping[str, Array], new: Mapping[str, Array], size: int) -> dict[str, Array]:
    """The window with the new examples behind it, cut to its newest `size` examples.

    window, new: columns by name, each with one row per example, the oldest first. Lin (1992).
    """
    kept = {}
    for name in window:
        both = np.concatenate([window[name], new[name]])
        kept[name] = both[-size:]
    return kept


def by_columns(remember: Callable[..., Mapping[str, Array]]) -> Callable[..., Any]:
    """The columns as lists: those of z and of pi in this order."""

    @wraps(remember)
    def columns(
        z: list[float], pi: list[list[float]], new_z: list[float], new_pi: Any, size: int
    ) -> Any:
        window = {"z": np.array(z), "pi": np.array(pi).reshape(-1, 2)}
        new = {"z": np.array(new_z), "pi": np.array(new_pi).reshape(-1, 2)}
        kept = remember(window, new, size)
        if any(isinstance(column, list) for column in kept.values()):
            return LISTS
        return [np.asarray(kept["z"]).tolist(), np.asarray(kept["pi"]).tolist()]

    return columns


LISTS = "columns that are lists"
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


def _window_case(old: list[float], new: list[float], size: int, title: str) -> Case:
    def answer(z: list[float]) -> list[Any]:
        return [z, [[x, 1 - x] for x in z]]

    both = old + new
    slips: dict[str, Any] = {
        "lists": LISTS,
        "oldest": answer(both[:size]),
        "no_limit": answer(both),
        "only_new": answer(new[-size:]),
        "not_added": answer(old[-size:]),
        "in_front": answer((new + old)[-size:]),
        "one_more": answer(both[-size - 1 :]),
    }
    right = answer(both[-size:])
    slips = {name: slip for name, slip in slips.items() if slip != right}
    args = (old, answer(old)[1], new, answer(new)[1], size)
    return Case(args, Key(right, slips), title=title)


_FULL = _window_case(
    [0.0, 0.125, 0.25, 0.5], [0.75, 1.0], 4, "four old examples, two new ones, room for four"
)
_ROOM = _window_case([0.5, 0.25], [1.0], 5, "two old examples, one new one, room for five")

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "09a",
    "AlphaZero",
    Blank(residual_block, (_BLOCK, _BELOW), BLOCK_MISTAKES, with_matrices),
    Blank(alphazero_loss, (_THREE, _LOST), LOSS_MISTAKES),
    Blank(remember, (_FULL, _ROOM), REMEMBER_MISTAKES, by_columns),
)

your_turn = LESSON.your_turn
