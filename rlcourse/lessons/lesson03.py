"""The blanks of lesson 03, deep Q-learning."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray as Array

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson

# --- the backward pass of one layer ---------------------------------------------------------------


def layer_backward(z: Array, kernel: Array, slope: Array) -> tuple[Array, Array, Array]:
    """Slopes of the loss for the kernel [I, O], the bias [O] and the inputs z [I] of a layer.

    The layer computes relu(z) @ kernel + bias; slope [O] is that of the loss at its outputs.
    Backpropagation: Rumelhart, Hinton and Williams (1986).
    """
    slope_kernel = np.outer(np.maximum(z, 0), slope)
    slope_bias = slope
    slope_z = (kernel @ slope) * (z > 0)
    return slope_kernel, slope_bias, slope_z


LAYER_MISTAKES = {
    "no_relu": "the ReLU is forgotten on the way back: where z is negative it was cut off to 0, "
    "and a small change of z changes nothing",
    "raw_inputs": "the ReLU is forgotten in the kernel's slopes: the kernel multiplies "
    "np.maximum(z, 0), not z",
    "transposed": "the kernel's slopes lie on their side: like the kernel they have one row an "
    "input and one column an output",
    "one_bias": "a bias is added to one output: its slope is the slope at that output",
    "downhill": "all signs are turned: the gradient points uphill, and the learning rule subtracts "
    "it later",
}

_TWO_TO_TWO = Case(
    (
        np.array([2.0, -1.0]),
        np.array([[0.5, 1.0], [-1.0, 3.0]]),
        np.array([0.25, -0.5]),
    ),
    # The inputs are 2 and 0. z: 2 gets 0.5 * 0.25 + 1 * -0.5 = -0.375; -1 was cut off.
    Key((np.array([[0.5, -1.0], [0.0, 0.0]]), np.array([0.25, -0.5]), np.array([-0.375, 0.0]))),
    title="two inputs, 2 and -1, and two outputs with the slopes 0.25 and -0.5",
)
_THREE_TO_ONE = Case(
    (np.array([1.0, -2.0, 3.0]), np.array([[0.3], [0.5], [-1.0]]), np.array([-0.5])),
    # The inputs are 1, 0 and 3; each weight's slope is its input times -0.5.
    Key((np.array([[-0.5], [0.0], [-1.5]]), np.array([-0.5]), np.array([-0.15, 0.0, 0.5]))),
    title="three inputs, 1, -2 and 3, and one output with the slope -0.5",
)

# --- the target -----------------------------------------------------------------------------------


def target(
    reward: float,
    over: bool,
    q_next: Sequence[float],
    legal_next: Sequence[bool],
    s_next: int,
    gamma: float = 0.9,
) -> float:
    """The target of Q-learning for two players, as X sees it; `td_targets` is the same for many.

    q_next, legal_next [A]: values for X and which moves there are in the next position; s_next is
    +1 where X moves there, -1 where O does.
    """
    if over:
        return reward
    best = max(s_next * q for q, legal in zip(q_next, legal_next, strict=True) if legal)
    return reward + s_next * gamma * best


TARGET_MISTAKES = {
    "bootstrap": "a game that is over still has a future here: its target is the reward alone",
    "mask": "the maximum goes over occupied squares, too: leave out what is not legal",
    "zero": "an occupied square that is multiplied by 0 beats legal ones with negative values: "
    "leave it out instead",
    "no_sign": "both players take the maximum: O chooses what is smallest for X, which is the job "
    "of s_next",
    "sign_inside": "s_next is missing before the maximum: the result has to be turned back to the "
    "view of X",
    "sign_outside": "s_next is missing inside the maximum: O compares the values from O's own view",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "no_gamma": "gamma is missing: what follows is one ply later, and counts gamma as much",
    "no_reward": "the reward of the move is left out: add it to what follows",
    "late_reward": "the reward is discounted, too: gamma belongs to what follows alone",
}

_O_MOVES = Case(
    (0.0, False, [0.5, -0.25, 0.75, -9.0], [True, True, True, False], -1, 0.5),
    # O takes the smallest of the legal three, -0.25; half of it counts.
    Key(-0.125),
    title="O moves next; Q = 0.5, -0.25, 0.75, and -9 on an occupied square; gamma 0.5",
)
_X_MOVES = Case(
    (0.0, False, [-0.5, 0.25, -0.75], [True, False, True], 1, 0.5),
    # X takes the larger of -0.5 and -0.75.
    Key(-0.25),
    title="X moves next; Q = -0.5 and -0.75, and 0.25 on an occupied square; gamma 0.5",
)
_PAID = Case(
    (0.5, False, [0.75, -0.25], [True, True], -1, 0.5),
    # 0.5 now, and half of O's choice, -0.25.
    Key(0.375),
    title="the move brings 0.5 and O moves next; Q = 0.75 and -0.25; gamma 0.5",
)
_X_HAS_WON = Case(
    (1.0, True, [0.5, -0.25], [True, True], -1, 0.5),
    Key(1.0),
    title="X has won; two squares are still empty, with Q = 0.5 and -0.25; gamma 0.5",
)

# --- the semi-gradient ----------------------------------------------------------------------------


def semi_gradient(
    w: Array, x: Array, x_next: Array, reward: float, alpha: float, gamma: float
) -> Array:
    """The weights after one step of semi-gradient TD(0) on V = w @ x. Sutton & Barto (2018) 9.3.

    w, x, x_next [F]: weights, features of the state and of the next one.
    """
    error = reward + gamma * (w @ x_next) - w @ x
    return w + alpha * error * x


SEMI_GRADIENT_MISTAKES = {
    "residual": "the target is differentiated as well: in a semi-gradient it counts as a constant, "
    "and the error is multiplied by x alone",
    "next_features": "the error is multiplied by the features of the next state: it is the value "
    "of this state that moves, by its own features x",
    "no_features": "the features are missing: the slope of w @ x for the weights is x",
    "no_gamma": "gamma is missing: the value of the next state counts gamma as much",
    "no_alpha": "alpha is missing: the weights move only a part alpha of the way",
    "away": "the sign is wrong: the error is target - estimate, and the weights move by alpha * "
    "error * x",
}

_ONE_WEIGHT = Case(
    (np.array([1.0]), np.array([1.0]), np.array([3.0]), 0.0, 0.5, 0.5),
    # The target is 0.5 * 3 = 1.5, the error 0.5.
    Key(np.array([1.25])),
    title="w = 1, x = 1, x_next = 3, reward 0, alpha and gamma 0.5",
)
_TWO_WEIGHTS = Case(
    (np.array([1.0, 2.0]), np.array([1.0, 3.0]), np.array([2.0, 1.0]), 1.0, 0.5, 0.5),
    # The estimate is 7, the target 1 + 0.5 * 4 = 3, the error -4.
    Key(np.array([-1.0, -4.0])),
    title="w = (1, 2), x = (1, 3), x_next = (2, 1), reward 1, alpha and gamma 0.5",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "03",
    "Deep Q-learning",
    Blank(layer_backward, (_TWO_TO_TWO, _THREE_TO_ONE), LAYER_MISTAKES),
    Blank(target, (_O_MOVES, _X_MOVES, _PAID, _X_HAS_WON), TARGET_MISTAKES),
    Blank(semi_gradient, (_ONE_WEIGHT, _TWO_WEIGHTS), SEMI_GRADIENT_MISTAKES),
)

your_turn = LESSON.your_turn
