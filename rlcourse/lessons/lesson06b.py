"""The blanks of lesson 06b, policy gradients."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray as Array

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson

# --- the gradient of log pi -----------------------------------------------------------------------


def grad_log_pi(theta: Array, action: int) -> Array:
    """Slopes [A] of the logarithm of softmax(theta)[action] for the logits theta [A].

    Sutton & Barto (2018), exercise 13.3, for a state of its own.
    """
    weights = np.exp(theta - np.max(theta))
    slopes = -weights / weights.sum()
    slopes[action] += 1
    return slopes


GRADIENT_MISTAKES = {
    "no_down": "only the action that was played is pushed: every logit has the slope -pi_k as "
    "well, because all probabilities share one sum",
    "only_played": "the other actions have the slope 0: they are pushed down, each by its own "
    "probability",
    "away": "all signs are turned: the logit of the action that was played has the slope 1 - pi, "
    "the others have -pi",
    "grad_pi": "this is the slope of the probability itself: divide it by the probability of the "
    "action to have the slope of the logarithm",
    "one_over": "1 / pi is the slope of log pi for the probability: asked are the slopes for the "
    "logits",
    "theta": "the logits are subtracted: subtract the probabilities, policy(theta)",
}

_ONE_IN_TWO = Case(
    (np.log([1.0, 2.0, 1.0]), 1),
    # The probabilities are 1/4, 1/2 and 1/4.
    Key(np.array([-0.25, 0.5, -0.25])),
    title="logits of the probabilities 1/4, 1/2 and 1/4; action 1 was played",
)
_ONE_IN_EIGHT = Case(
    (np.log([4.0, 1.0, 2.0, 1.0]), 3),
    # The probabilities are 1/2, 1/8, 1/4 and 1/8.
    Key(np.array([-0.5, -0.125, -0.25, 0.875])),
    title="logits of the probabilities 1/2, 1/8, 1/4 and 1/8; action 3 was played",
)

# --- REINFORCE ------------------------------------------------------------------------------------


def reinforce(
    theta: Array, states: Sequence[int], actions: Sequence[int], rewards: Sequence[float]
) -> Array:
    """The gradient [S, A] that one episode gives, each move weighted with its return-to-go.

    theta [S, A]: the logits of each state. states, actions, rewards [T] of the episode.
    REINFORCE: Williams (1992); Sutton & Barto (2018) 13.3, without a discount.
    """
    gradient = np.zeros(np.shape(theta))
    for t, state in enumerate(states):
        to_go = sum(rewards[t:])
        gradient[state] += to_go * grad_log_pi(theta[state], actions[t])
    return gradient


REINFORCE_MISTAKES = {
    "whole": "every move is weighted with all rewards of the game: that is right on average, but "
    "what was paid before a move is noise for it; leave it out",
    "own": "a move is weighted with its own reward alone: what it leads to counts as well",
    "past": "a move is weighted with the rewards up to it: the return-to-go counts from the move "
    "to the end",
    "late": "off by one: the reward of the move itself is the first of its return-to-go",
    "unweighted": "the return-to-go is missing: it says how strongly a move is pushed, and where",
    "overwritten": "a state that comes twice keeps its last move alone: add to its row with +=",
    "place": "the rows are counted by t: move t pushes the row of the state in which it was played",
    "mean": "the sum is divided by the number of moves: the gradient of a game is the sum over its "
    "moves",
    "away": "all signs are turned: the gradient points to a larger reward",
}

_TWO_STATES = Case(
    (np.zeros((3, 2)), [0, 2], [0, 1], [2.0, 1.0]),
    # Both policies are (1/2, 1/2); the returns-to-go are 3 and 1.
    Key(np.array([[1.5, -1.5], [0.0, 0.0], [-0.5, 0.5]])),
    title="action 0 in state 0, then action 1 in state 2; rewards 2 and 1; all logits 0",
)
_STATE_TWICE = Case(
    (np.zeros((3, 2)), [1, 1, 0], [0, 1, 0], [1.0, 3.0, -2.0]),
    # The returns-to-go are 2, 1 and -2; state 1 gets 2 * (1/2, -1/2) + 1 * (-1/2, 1/2).
    Key(np.array([[-1.0, 1.0], [0.5, -0.5], [0.0, 0.0]])),
    title="states 1, 1, 0, actions 0, 1, 0, rewards 1, 3, -2; all logits 0",
)

# --- the clipped gain -----------------------------------------------------------------------------


def gain(pi: Array, pi_old: Array, reward: Array, clip: float) -> Array:
    """What each of B decisions adds to PPO's clipped surrogate. Schulman et al. (2017), eq. 7.

    pi, pi_old [B]: the probability of the action now, and when it was played. reward [B]: of the
    game, for the player who moved.
    """
    ratio = pi / pi_old
    clipped = np.clip(ratio, 1 - clip, 1 + clip)
    return np.minimum(ratio * reward, clipped * reward)


GAIN_MISTAKES = {
    "no_min": "the clip alone: it stops steps that repair as well; take the smaller of the two "
    "products",
    "no_clip": "nothing is clipped: the ratio goes on gaining beyond 1 + clip",
    "max": "the larger of the two products: then nothing stops a ratio that goes too far",
    "inside": "the minimum is taken before the reward's sign: compare ratio * reward with clipped "
    "* reward",
    "product": "ratio * reward is clipped: clip the ratio, and multiply after that",
    "upside_down": "the ratio is upside down: divide the probability now by the old one",
    "log_pi": "this is REINFORCE's reward * log pi: asked is the ratio",
    "fixed": "0.2 is written into the code: use the argument clip",
}

_WON = Case(
    (np.array([0.22, 0.3, 0.1]), np.array([0.2, 0.2, 0.2]), np.ones(3), 0.2),
    # The ratios are 1.1, 1.5 and 0.5.
    Key(np.array([1.1, 1.2, 0.5])),
    title="three won moves of probability 0.2, now 0.22, 0.3 and 0.1; clip 0.2",
)
_LOST = Case(
    (np.array([0.18, 0.1, 0.3]), np.array([0.2, 0.2, 0.2]), -np.ones(3), 0.3),
    # The ratios are 0.9, 0.5 and 1.5.
    Key(np.array([-0.9, -0.7, -1.5])),
    title="three lost moves of probability 0.2, now 0.18, 0.1 and 0.3; clip 0.3",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "06b",
    "Policy gradients",
    Blank(grad_log_pi, (_ONE_IN_TWO, _ONE_IN_EIGHT), GRADIENT_MISTAKES),
    Blank(reinforce, (_TWO_STATES, _STATE_TWICE), REINFORCE_MISTAKES),
    Blank(gain, (_WON, _LOST), GAIN_MISTAKES),
)

your_turn = LESSON.your_turn
