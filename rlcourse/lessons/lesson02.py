"""The blanks of lesson 02, Q-tables."""

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson, changed_argument

Outcomes = list[tuple[float, float, str]]  # probability, reward, next state
Process = dict[str, dict[str, Outcomes]]
Table = dict[str, dict[str, float]]

# --- the value of an action -----------------------------------------------------------------------


def action_value(outcomes: Outcomes, values: dict[str, float], gamma: float) -> float:
    """The expected reward plus gamma times the value of what follows.

    The sum in both Bellman equations, Sutton & Barto (2018) 4.1 and 4.2.
    """
    total = 0.0
    for probability, reward, next_state in outcomes:
        total += probability * (reward + gamma * values[next_state])
    return total


VALUE_MISTAKES = {
    "no_gamma": "gamma is missing: the value of the next state counts gamma times",
    "late_reward": "the reward is discounted too: gamma stands before the next value only",
    "unweighted": "the outcomes are not weighted: multiply each by its probability",
    "plain_rewards": "the rewards are added up without their probabilities: the reward of an "
    "outcome belongs into the brackets",
    "first": "only the first outcome counts: `return` stands inside the loop",
    "last": "only the last outcome counts: add each to the sum, with +=",
    "likeliest": "only one outcome counts, the best or the likeliest: take the mean of them all",
    "no_future": "the next states are left out: this is the expected reward of one step",
}

_EVEN = Case(
    ([(0.5, 2.0, "a"), (0.5, 0.0, "b")], {"a": 10.0, "b": 4.0}, 0.9),
    # 0.5 * (2 + 0.9 * 10) + 0.5 * (0 + 0.9 * 4) = 5.5 + 1.8.
    Key(7.3),
    title="reward 2 and state a, or reward 0 and state b, each with 0.5; V(a) = 10, V(b) = 4",
)
_UNEVEN = Case(
    ([(0.25, -4.0, "b"), (0.75, 1.0, "a")], {"a": 2.0, "b": -1.0}, 0.5),
    # 0.25 * (-4 - 0.5) + 0.75 * (1 + 1) = -1.125 + 1.5.
    Key(0.375),
    title="reward -4 and state b with 0.25, else reward 1 and state a; V(a) = 2, V(b) = -1",
)

# --- policy improvement ---------------------------------------------------------------------------


def improve(process: Process, values: dict[str, float], gamma: float) -> dict[str, str]:
    """The greedy policy: in each state the action of the highest value.

    Policy improvement, Sutton & Barto (2018) 4.2. values: of the states.
    """
    policy = {}
    for state, actions in process.items():
        q = {}
        for action, outcomes in actions.items():
            q[action] = action_value(outcomes, values, gamma)
        policy[state] = max(q, key=q.__getitem__)
    return policy


IMPROVE_MISTAKES = {
    "now": "only the reward of this step decides: what follows counts as well",
    "next_value": "only the next states decide: the reward of the step counts as well",
    "worst": "the action of the lowest value is taken: take the highest",
    "last": "each state gets its last action: compare the values of all of them",
    "from_zero": "states in which all actions have negative values get no action: begin the "
    "search at minus infinity, not at 0",
    "one_state": "only the first state gets an action: `return` stands inside the loop",
    "numbers": "the highest values are returned: a policy names the actions",
}

_TWO_STATES = Case(
    (
        {
            "low": {"stay": [(1.0, 1.0, "low")], "go": [(0.5, -1.0, "low"), (0.5, -1.0, "high")]},
            "high": {"stay": [(1.0, 0.0, "high")], "go": [(1.0, 2.0, "low")]},
        },
        {"low": 0.0, "high": 10.0},
        0.5,
    ),
    # low: stay 1, go -1 + 0.5 * 5 = 1.5; high: stay 5, go 2.
    Key({"low": "go", "high": "stay"}),
    title="two states, low and high; V(low) = 0, V(high) = 10, gamma 0.5",
)
_FIVE_STATES = Case(
    (
        {
            "a": {"left": [(1.0, -1.0, "b")], "right": [(0.8, -3.0, "a"), (0.2, 0.0, "c")]},
            "b": {"left": [(1.0, -5.0, "c")], "right": [(1.0, -4.0, "a")]},
            "c": {"left": [(1.0, 1.0, "c")], "right": [(1.0, 2.0, "b")]},
            "d": {"left": [(1.0, 3.0, "c")], "right": [(1.0, 0.0, "c")]},
            "e": {"left": [(1.0, 6.0, "b")], "right": [(1.0, -5.0, "a")]},
        },
        {"a": -10.0, "b": -20.0, "c": 0.0, "d": 0.0, "e": 0.0},
        0.9,
    ),
    # left, right: a -19, -9.6; b -5, -13; c 1, -16; d 3, 0; e 6 - 18 = -12, -5 - 9 = -14.
    Key({"a": "right", "b": "left", "c": "left", "d": "left", "e": "left"}),
    title="five states, a to e; V = -10, -20, 0, 0, 0, gamma 0.9",
)

# --- SARSA ----------------------------------------------------------------------------------------


def sarsa(q: Table, step: tuple[str, str, float, str, str], alpha: float, gamma: float) -> None:
    """Move the entry of a state and action towards the target of the action that follows, in place.

    SARSA, Sutton & Barto (2018) 6.4. step: state, action, reward, next state, next action.
    """
    s, a, r, s_next, a_next = step
    target = r + gamma * q[s_next][a_next]
    q[s][a] += alpha * (target - q[s][a])


SARSA_MISTAKES = {
    "q_learning": "the target takes the best next action, as Q-learning does: take a_next, the "
    "one that was taken",
    "expected": "the target takes the mean over the next actions: take a_next alone",
    "own_action": "the target reads the next state with the old action: a_next is the next one",
    "own_state": "the target reads the old state: a_next was taken in s_next",
    "no_gamma": "gamma is missing: the next entry counts gamma times",
    "no_reward": "the reward is missing: the target is r plus gamma times the next entry",
    "full_step": "alpha is missing: the entry moves only a part alpha of the way to its target",
    "away": "the sign is wrong: the entry moves by alpha * (target - q[s][a])",
    "unchanged": "q stays as it was: assign to q[s][a], so that the caller's table changes",
}


def _home(go: float) -> Table:
    """The table of the first case after its step."""
    return {"home": {"stay": 1.0, "go": go}, "town": {"stay": 4.0, "go": -6.0}}


_BAD_NEXT = Case(
    (_home(2.0), ("home", "go", 1.5, "town", "go"), 0.5, 0.5),
    # The target is 1.5 + 0.5 * -6 = -1.5, and 2 moves half of the way.
    Key(_home(0.25)),
    title="home, go, 1.5, town, go; q(home, go) = 2, q(town) = 4 and -6; alpha and gamma 0.5",
)


def _right(worth: float) -> Table:
    """The table of the second case after its step."""
    return {"a": {"left": 1.0, "right": worth}, "b": {"left": 8.0, "right": 2.0}}


_GOOD_NEXT = Case(
    (_right(3.0), ("a", "right", 1.0, "b", "left"), 0.25, 0.5),
    # The target is 1 + 0.5 * 8 = 5, and 3 moves a quarter of the way.
    Key(_right(3.5)),
    title="a, right, 1, b, left; q(a) = 1 and 3, q(b) = 8 and 2; alpha 0.25, gamma 0.5",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "02",
    "Q-tables",
    Blank(action_value, (_EVEN, _UNEVEN), VALUE_MISTAKES),
    Blank(improve, (_TWO_STATES, _FIVE_STATES), IMPROVE_MISTAKES),
    Blank(sarsa, (_BAD_NEXT, _GOOD_NEXT), SARSA_MISTAKES, changed_argument),
)

your_turn = LESSON.your_turn
