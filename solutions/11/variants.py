"""Variants of sheet 11: other conventions for the same tasks."""

import numpy as np

from rlcourse.checks.variant import Variant

# --- expected_sarsa: costs, of which the least is best --------------------------------------------


def negated(
    q: np.ndarray,
    state: int,
    action: int,
    reward: float,
    following: int,
    over: bool,
    alpha: float,
    gamma: float,
    epsilon: float,
) -> tuple[np.ndarray | float, ...]:
    """The same step, in which the reward is a cost, or the cost a reward."""
    return 0.0 - q, state, action, 0.0 - reward, following, over, alpha, gamma, epsilon


def negative(answer: object) -> object:
    """Values as costs; what is no table stays as it is."""
    return 0.0 - np.asarray(answer) if isinstance(answer, np.ndarray | list) else answer


COSTS = Variant(
    text={
        "`expected_sarsa(q, state, action, reward, following, over, alpha, gamma, epsilon)`,": (
            "`expected_sarsa(q, state, action, cost, following, over, alpha, gamma, epsilon)`,"
        ),
        "- `q` `[S, A]`: the table before the step. It stays as it is;": (
            "- `q` `[S, A]`: the table before the step. An entry is the discounted sum of the "
            "**costs** to be expected, which the player wants to be small. The table stays as it "
            "is;"
        ),
        "the player chose `action`, got `reward` and came to state `following`.": (
            "the player chose `action`, paid `cost` (below 0 it was a gain) and came to state "
            "`following`."
        ),
        "each equally likely, and otherwise one with the highest entry.": (
            "each equally likely, and otherwise one with the lowest entry."
        ),
        "The reward counts in full, and what": "The cost counts in full, and what",
        "the largest entry of the next state and the mean of all its entries.": (
            "the smallest entry of the next state and the mean of all its entries."
        ),
        "After the last step nothing is chosen any more, so only the reward is left.": (
            "After the last step nothing is chosen any more, so only the cost is left."
        ),
        "def expected_sarsa(q, state, action, reward, following,": (
            "def expected_sarsa(q, state, action, cost, following,"
        ),
        "The table [S, A] after one step of Expected SARSA. q [S, A].": (
            "The table [S, A] after one step of Expected SARSA. q [S, A], costs."
        ),
        "    target = reward\n": "    target = cost\n",
        "(1 - epsilon) * q[following].max()": "(1 - epsilon) * q[following].min()",
    },
    asked=negated,
    given=negated,
    answered=negative,
    in_code={
        "when the episode is over, the target is the reward": (
            "when the episode is over, the target is the cost"
        ),
        "when the episode is over, the entry moves towards the reward": (
            "when the episode is over, the entry moves towards the cost"
        ),
        "the reward is missing: the target is the reward and the discounted value": (
            "the cost is missing: the target is the cost and the discounted value"
        ),
        "the reward is discounted: it comes with this step": (
            "the cost is discounted: it comes with this step"
        ),
        "the sum of the reward and what follows is discounted: only what follows is, because the "
        "reward comes": (
            "the sum of the cost and what follows is discounted: only what follows is, because the "
            "cost comes"
        ),
    },
)

# --- average_policies: the matrix says what the row player pays -----------------------------------


def other_side(matrix: np.ndarray, rounds: int) -> tuple[np.ndarray, int]:
    """What the row player wins as what this player pays, or the other way round."""
    return 0.0 - matrix, rounds


PAID = Variant(
    text={
        "`payoff[i, j]` is what the row player wins and the column player loses when": (
            "`paid[i, j]` is what the row player **pays to the column player** (a number below "
            "0 is paid to the row player) when"
        ),
        "Write `average_policies(payoff, rounds)`, in which": (
            "Write `average_policies(paid, rounds)`, in which"
        ),
        "`payoff` `[R, C]` need not be square,": "`paid` `[R, C]` need not be square,",
        "`payoff @ column` is what the rows are worth to the row player. What are the columns "
        "worth to the column player?": (
            "`row @ paid` is what the columns are worth to the column player. What are the rows "
            "worth to the row player?"
        ),
        "def average_policies(payoff, rounds):": "def average_policies(paid, rounds):",
        "The mean policies ([R], [C]) of both players. payoff [R, C] for the row player.": (
            "The mean policies ([R], [C]) of both players. paid [R, C] by the row player."
        ),
        "    regrets = [np.zeros(n) for n in payoff.shape]\n    sums = [np.zeros(n) for n in "
        "payoff.shape]": (
            "    regrets = [np.zeros(n) for n in paid.shape]\n"
            "    sums = [np.zeros(n) for n in paid.shape]"
        ),
        "worth = payoff @ column, -(row @ payoff)": "worth = -(paid @ column), row @ paid",
    },
    asked=other_side,
    given=other_side,
    in_code={
        "both players want the same: what the row player wins, the column player loses": (
            "both players want the same: what the row player pays, the column player gets"
        ),
    },
)

VARIANTS = {"expected_sarsa": [COSTS], "average_policies": [PAID]}
