"""The blanks of lesson 11, beyond two players who see everything."""

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.learning.regret import regret_matching
from rlcourse.lessons import Blank, Lesson, changed_argument

# --- the update of SARSA --------------------------------------------------------------------------


def sarsa(
    q: np.ndarray,
    state: int,
    action: int,
    reward: float,
    following: int,
    next_action: int,
    over: bool,
    alpha: float,
) -> None:
    """Move q[state, action] towards what the next action promises, in place.

    SARSA without a discount, Sutton & Barto (2018) 6.4. q [S, A]; following: the next state; over:
    whether the step ended the episode.
    """
    target = reward if over else reward + q[following, next_action]
    q[state, action] += alpha * (target - q[state, action])


SARSA_MISTAKES = {
    "q_learning": "the best next action is in the target, as in Q-learning: SARSA takes the one "
    "that is really played next, `next_action`",
    "no_end": "a value is added beyond the end: when the episode is over, the target is the reward",
    "same_action": "the action of this step is looked up in the next state: there `next_action` is "
    "played",
    "no_reward": "the reward is missing: the target is the reward plus the value of what follows",
    "full_step": "alpha is missing: the entry moves only a part alpha of the way to its target",
    "away": "the sign is wrong: an entry moves towards its target, by alpha * (target - estimate)",
    "unchanged": "q stays as it was: assign to q[state, action] to change the caller's table",
}


def _table(value: float) -> np.ndarray:
    """The table of the first case with q[0, 0] changed."""
    return np.array([[value, 1.0, 0.0], [4.0, 2.0, 8.0]])


_ON_THE_WAY = Case(
    (_table(6.0), 0, 0, -1.0, 1, 1, False, 0.5),
    # The target is -1 + 2 = 1; halfway from 6 to 1 is 3.5.
    Key(_table(3.5)),
    title="state 0, action 0, reward -1, then state 1 with action 1; alpha 0.5",
)


def _last(value: float) -> np.ndarray:
    """The table of the second case with q[1, 0] changed."""
    return np.array([[3.0, -1.0], [value, 5.0]])


_AT_THE_END = Case(
    (_last(2.0), 1, 0, 6.0, 0, 1, True, 0.25),
    # The episode is over, so the target is 6; a quarter of the way from 2 to 6 is 3.
    Key(_last(3.0)),
    title="state 1, action 0, reward 6, and the episode is over; alpha 0.25",
)

# --- regret matching ------------------------------------------------------------------------------

REGRET_MISTAKES = {
    "signed": "a negative regret counts as well: such an action gets probability 0",
    "absolute": "a negative regret counts as a positive one: an action with a regret below 0 gets "
    "probability 0",
    "largest": "all goes to the largest regret: every positive regret gets its share",
    "flipped": "the sign is turned: a large positive regret says that the action should have been "
    "played more often",
    "zeros": "without a positive regret the probabilities sum to 0: then all actions get the same",
    "only_used": "equal shares go to all actions with a positive regret: the shares are in "
    "proportion to the regrets",
    "not_divided": "the positive regrets are not divided by their sum: probabilities sum to 1",
}

_ONE_BELOW = Case(
    ([3.0, 1.0, -2.0],),
    # The positive ones are 3 and 1, in all 4.
    Key([0.75, 0.25, 0.0]),
    title="regrets 3, 1 and -2",
)
_ALL_BELOW = Case(
    ([-1.0, -4.0],),
    # No action has a positive regret.
    Key([0.5, 0.5]),
    title="regrets -1 and -4",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "11",
    "Beyond two players who see everything",
    Blank(sarsa, (_ON_THE_WAY, _AT_THE_END), SARSA_MISTAKES, changed_argument),
    Blank(regret_matching, (_ONE_BELOW, _ALL_BELOW), REGRET_MISTAKES),
)

your_turn = LESSON.your_turn
