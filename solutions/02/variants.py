"""Variants of sheet 02: other conventions for the same tasks."""

import numpy as np

from rlcourse.checks.variant import Variant

# --- sweep: costs, of which the least is best -----------------------------------------------------


def negated(
    values: np.ndarray,
    probabilities: np.ndarray,
    rewards: np.ndarray,
    terminal: np.ndarray,
    gamma: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, float]:
    """The same process, in which rewards are costs, or costs rewards."""
    return -values, probabilities, -rewards, terminal, gamma


def negative(answer: np.ndarray) -> np.ndarray:
    """Values as costs."""
    return -np.asarray(answer)


COSTS = Variant(
    text={
        "- `R` of shape `[S, A, S]`: the reward of that step;": (
            "- `C` of shape `[S, A, S]`: the **cost** of that step; below 0 it is a gain;"
        ),
        "`P[s]` and `R[s]` hold.": "`P[s]` and `C[s]` hold.",
        "Write `sweep(values, P, R, terminal, gamma)`. It returns the new values `[S]` after": (
            "A value is the expected sum of the costs to come, which the player wants to be "
            "small. Write `sweep(values, P, C, terminal, gamma)`. It returns the new values "
            "`[S]` after"
        ),
        "v_{k+1}(s) = \\max_a \\sum_t P(t \\mid s, a)\\,\\bigl(R(s, a, t)": (
            "v_{k+1}(s) = \\min_a \\sum_t P(t \\mid s, a)\\,\\bigl(C(s, a, t)"
        ),
        "The picture shows the process of the first check.": (
            "The picture shows the process of the first check. It speaks of rewards: a reward of "
            "4 is a cost of -4."
        ),
        "`P * (R + gamma * v)` broadcasts": "`P * (C + gamma * v)` broadcasts",
        "def sweep(values, P, R, terminal, gamma):": "def sweep(values, P, C, terminal, gamma):",
        "values [S]; P, R [S, A, S];": "values [S]; P, C [S, A, S];",
        "q = (P * (R + gamma * future)).sum(axis=2)": "q = (P * (C + gamma * future)).sum(axis=2)",
        "return np.where(terminal, 0.0, q.max(axis=1))": (
            "return np.where(terminal, 0.0, q.min(axis=1))"
        ),
    },
    asked=negated,
    given=negated,
    answered=negative,
    in_code={
        "the rewards are added up without their probabilities: R belongs": (
            "the costs are added up without their probabilities: C belongs"
        ),
        "the rewards are averaged over all next": "the costs are averaged over all next",
        "the reward of a step that ends": "the cost of a step that ends",
        "out: it is received, and only": "out: it is paid, and only",
        "the reward of this step is discounted too: only what comes after it is": (
            "the cost of this step is discounted too: only what comes after it is"
        ),
        "the smallest action value is taken: here one player maximises": (
            "the largest action value is taken: these are costs, and the least is best"
        ),
        "the action with the best reward of this step is taken: the best one has the largest sum "
        "of the reward and what": (
            "the action with the least cost of this step is taken: the best one has the smallest "
            "sum of the cost and what"
        ),
        "a state keeps its old value where that is larger: the new one replaces it, also if it is "
        "smaller": (
            "a state keeps its old value where that is smaller: the new one replaces it, also if "
            "it is larger"
        ),
        "where all actions lose the value is below 0: begin the search for the best action at "
        "minus infinity, not at 0": (
            "where all actions cost something the value is above 0: begin the search for the "
            "best action at infinity, not at 0"
        ),
        "a rare end with a high reward; the finished state comes first": (
            "a rare end with a high gain; the finished state comes first"
        ),
        "every step is a loss": "every step costs something",
    },
)

# --- sweep: a matrix for each action --------------------------------------------------------------


def axes_exchanged(
    values: np.ndarray, probabilities: np.ndarray, rewards: np.ndarray, *rest: object
) -> tuple[object, ...]:
    """The same process, of which states and actions have changed places."""
    return values, probabilities.swapaxes(0, 1), rewards.swapaxes(0, 1), *rest


ACTIONS_FIRST = Variant(
    text={
        "- `P` of shape `[S, A, S]`: `P[s, a, t]` is": (
            "- `P` of shape `[A, S, S]`, **a matrix for each action**: `P[a, s, t]` is"
        ),
        "- `R` of shape `[S, A, S]`: the reward of that step;": (
            "- `R` of shape `[A, S, S]`, likewise: the reward of that step;"
        ),
        "`P[s]` and `R[s]` hold.": "`P[:, s]` and `R[:, s]` hold.",
        "\\bigl(R(s, a, t)": "\\bigl(R(a, s, t)",
        "Work out `q[s, a]`, the value": "Work out `q[a, s]`, the value",
        "values [S]; P, R [S, A, S];": "values [S]; P, R [A, S, S];",
        "return np.where(terminal, 0.0, q.max(axis=1))": (
            "return np.where(terminal, 0.0, q.max(axis=0))"
        ),
    },
    asked=axes_exchanged,
    given=axes_exchanged,
)

# --- choose: the values are the second player's ---------------------------------------------------


def other_player(
    q: np.ndarray,
    visits: np.ndarray,
    legal: np.ndarray,
    player: int,
    epsilon: float,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int, float, np.random.Generator]:
    """The same question, in which the players have changed places."""
    return q, visits, legal, 1 - player, epsilon, rng


FOR_THE_SECOND = Variant(
    text={
        "the values of the actions **for the first player**, as in lesson 02; the first player "
        "(`player == 0`) wants them large, the second\n  (`player == 1`) small;": (
            "the values of the actions **for the second player**, unlike those of lesson 02; the "
            "second player (`player == 1`) wants them large, the first\n  (`player == 0`) small;"
        ),
        '"""One action. q [A] for the first player, visits [A],': (
            '"""One action. q [A] for the second player, visits [A],'
        ),
        "scores = np.where(legal, q if player == 0 else -q, -np.inf)": (
            "scores = np.where(legal, q if player == 1 else -q, -np.inf)"
        ),
    },
    asked=other_player,
    given=other_player,
    in_code={
        "the second player maximises as well: these values are the first player's, so the "
        "second one wants them small": (
            "the first player maximises as well: these values are the second player's, so the "
            "first one wants them small"
        ),
        "which becomes +infinity for the second player: turn": (
            "which becomes +infinity for the first player: turn"
        ),
        "for the second player exploring goes": "for the first player exploring goes",
        "the first player (0) wants the values large, the second one (1) small": (
            "the second player (1) wants the values large, the first one (0) small"
        ),
        "first player, square 1 is illegal, epsilon 0.4": (
            "second player, square 1 is illegal, epsilon 0.4"
        ),
        "second player in the same position": "first player in the same position",
    },
)

# --- choose: the values are the opponent's --------------------------------------------------------


def opponents(
    q: np.ndarray, visits: np.ndarray, legal: np.ndarray, player: int, *rest: object
) -> tuple[object, ...]:
    """The same question, in which the first player's values are the opponent's, or these those."""
    return q if player == 1 else 0.0 - q, visits, legal, player, *rest


FOR_THE_OPPONENT = Variant(
    text={
        "the values of the actions **for the first player**, as in lesson 02; the first player "
        "(`player == 0`) wants them large, the second\n  (`player == 1`) small;": (
            "the values of the actions **for the opponent**, who moves next: for the second "
            "player\n  if `player == 0`, for the first if `player == 1`. So whoever chooses "
            "wants them small;"
        ),
        "0 is better than -0.3.": "0 is better than a value that is bad for you.",
        '"""One action. q [A] for the first player, visits [A],': (
            '"""One action. q [A] for the opponent, visits [A],'
        ),
        "scores = np.where(legal, q if player == 0 else -q, -np.inf)": (
            "scores = np.where(legal, -q, -np.inf)"
        ),
    },
    asked=opponents,
    given=opponents,
    in_code={
        "an illegal square that is multiplied by 0 beats legal squares with negative values: ": (
            "an illegal square that is multiplied by 0 beats legal squares that are good for the "
            "opponent: "
        ),
        "the second player maximises as well: these values are the first player's, so the "
        "second one wants them small": (
            "the second player takes the largest value: these are the opponent's, so whoever "
            "chooses wants them small"
        ),
        "the first player (0) wants the values large, the second one (1) small": (
            "the values are the opponent's, so whoever chooses wants them small"
        ),
        "all legal values are negative": "all legal values are above 0: good for the opponent",
    },
)

VARIANTS = {"sweep": [COSTS, ACTIONS_FIRST], "choose": [FOR_THE_SECOND, FOR_THE_OPPONENT]}
