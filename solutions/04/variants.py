"""Variants of sheet 04: other conventions for the same tasks."""

import numpy as np

from rlcourse.checks.variant import Variant

# --- trace_history: where episodes end ------------------------------------------------------------


def ends_for_starts(
    features: np.ndarray, starts: np.ndarray, lam: float, gamma: float, kind: str
) -> tuple[np.ndarray, np.ndarray, float, float, str]:
    """Whether an episode ends with each step; the last one ends with the last."""
    return features, np.roll(starts, -1), lam, gamma, kind


def starts_for_ends(
    features: np.ndarray, ends: np.ndarray, lam: float, gamma: float, kind: str
) -> tuple[np.ndarray, np.ndarray, float, float, str]:
    """Whether an episode starts with each step; the first one starts with the first."""
    return features, np.roll(ends, 1), lam, gamma, kind


WHERE_EPISODES_END = Variant(
    text={
        "Write `trace_history(features, starts, lam, gamma, kind)`:": (
            "Write `trace_history(features, ends, lam, gamma, kind)`:"
        ),
        "- `starts` `[T]`, bool: whether a new episode starts with that step "
        "(`starts[0]` is True). Nothing of an earlier episode is remembered;": (
            "- `ends` `[T]`, bool: whether an episode **ends** with that step, which still belongs "
            "to it. With the last step one always ends. In the next episode nothing of an earlier "
            "one is remembered;"
        ),
        "def trace_history(features, starts, lam, gamma, kind):": (
            "def trace_history(features, ends, lam, gamma, kind):"
        ),
        "features [T, F] of 0 and 1, starts [T] bool, kind": (
            "features [T, F] of 0 and 1, ends [T] bool, kind"
        ),
        "    for active, start in zip(features, starts, strict=True):\n        trace = "
        "np.zeros(len(trace)) if start else gamma * lam * trace\n": (
            "    for active, end in zip(features, ends, strict=True):\n        trace = gamma * lam "
            "* trace\n"
        ),
        "        history.append(trace)\n": (
            "        history.append(trace)\n        if end:\n            trace = "
            "np.zeros(len(trace))\n"
        ),
    },
    asked=ends_for_starts,
    given=starts_for_ends,
    in_code={
        "the trace is carried into the next episode: where one starts, nothing of the last one is "
        "owed anything": (
            "the trace is carried into the next episode: once an episode has ended, nothing of it "
            "is owed anything"
        ),
        "`starts` is read as an end: the traces are forgotten before the step that it marks, not "
        "after it": (
            "the traces are forgotten a step too late: nothing is remembered of the step that "
            "`ends` marks, nor of those before it"
        ),
        "episodes that start in the middle": "episodes that end in the middle",
        "accumulating; the fourth step starts anew": (
            "accumulating; with the third step an episode ends"
        ),
    },
)

# --- trace_history: the steps that came before ----------------------------------------------------


def steps_since_the_start(
    features: np.ndarray, starts: np.ndarray, *rest: object
) -> tuple[object, ...]:
    """How many steps of its episode came before each step."""
    steps = np.arange(len(starts))
    return features, steps - np.maximum.accumulate(np.where(starts, steps, -1)), *rest


def starts_for_steps(features: np.ndarray, before: np.ndarray, *rest: object) -> tuple[object, ...]:
    """Whether an episode starts with each step."""
    return features, before == 0, *rest


STEPS_BEFORE = Variant(
    text={
        "Write `trace_history(features, starts, lam, gamma, kind)`:": (
            "Write `trace_history(features, before, lam, gamma, kind)`:"
        ),
        "- `starts` `[T]`, bool: whether a new episode starts with that step "
        "(`starts[0]` is True). Nothing of an earlier episode is remembered;": (
            "- `before` `[T]`: **how many steps of its episode came before** each step: 0, 1, 2 "
            "and so on, and 0 again where the next episode starts. Nothing of an earlier episode "
            "is remembered;"
        ),
        "def trace_history(features, starts, lam, gamma, kind):": (
            "def trace_history(features, before, lam, gamma, kind):"
        ),
        "features [T, F] of 0 and 1, starts [T] bool, kind": (
            "features [T, F] of 0 and 1, before [T] steps of the episode, kind"
        ),
        "    for active, start in zip(features, starts, strict=True):\n": (
            "    for active, start in zip(features, before == 0, strict=True):\n"
        ),
    },
    asked=steps_since_the_start,
    given=starts_for_steps,
    in_code={
        "`starts` is read as an end: the traces are forgotten before the step that it marks, not "
        "after it": (
            "the traces are forgotten after the first step of an episode: they are forgotten "
            "before it"
        ),
    },
)

# --- q_lambda: costs, of which the least is best --------------------------------------------------


def negated(
    q: np.ndarray,
    states: np.ndarray,
    actions: np.ndarray,
    rewards: np.ndarray,
    alpha: float,
    lam: float,
    gamma: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, float, float, float]:
    """The same episode, in which rewards are costs, or costs rewards."""
    return -q, states, actions, -rewards, alpha, lam, gamma


def negative(answer: np.ndarray) -> np.ndarray:
    """A table of costs."""
    return -np.asarray(answer)


COSTS = Variant(
    text={
        "Write `q_lambda(q, states, actions, rewards, alpha, lam, gamma)`, which": (
            "Here the table holds expected **costs**: the player wants them to be small, so the "
            "best entry of a state is the smallest. Write `q_lambda(q, states, actions, costs, "
            "alpha, lam, gamma)`, which"
        ),
        "the table before; `states`, `actions`, `rewards` `[T]`: in `states[t]` action "
        "`actions[t]` was played and brought `rewards[t]`;": (
            "the table before; `states`, `actions`, `costs` `[T]`: in `states[t]` action "
            "`actions[t]` was played and cost `costs[t]` (below 0 it was a gain);"
        ),
        "the action *explores* if its entry is smaller than the best of its state.": (
            "the action *explores* if its entry is larger than the best of its state."
        ),
        "The surprise is reward + γ": "The surprise is cost + γ",
        "with `q[next].max()` in the surprise": "with `q[next].min()` in the surprise",
        "def q_lambda(q, states, actions, rewards, alpha": (
            "def q_lambda(q, states, actions, costs, alpha"
        ),
        "Watkins's Q(lambda). states, actions, rewards [T].": (
            "Watkins's Q(lambda), of costs. states, actions, costs [T]."
        ),
        "trace *= gamma * lam if q[s, a] == q[s].max() else 0.0": (
            "trace *= gamma * lam if q[s, a] == q[s].min() else 0.0"
        ),
        "ahead = q[states[t + 1]].max() if": "ahead = q[states[t + 1]].min() if",
        "q += alpha * (rewards[t] + gamma": "q += alpha * (costs[t] + gamma",
    },
    asked=negated,
    given=negated,
    answered=negative,
    in_code={
        "not its number with argmax": "not its number with argmin",
        "Q-learning looks at the best one, whichever is played": (
            "Q-learning looks at the best one, here the smallest, whichever is played"
        ),
    },
)

# --- q_lambda: the score after each step ----------------------------------------------------------


def scores(
    q: np.ndarray, states: np.ndarray, actions: np.ndarray, rewards: np.ndarray, *rest: object
) -> tuple[object, ...]:
    """The sum of the rewards so far."""
    return q, states, actions, np.cumsum(rewards), *rest


def rewards_of(
    q: np.ndarray, states: np.ndarray, actions: np.ndarray, score: np.ndarray, *rest: object
) -> tuple[object, ...]:
    """By how much each step has changed the score."""
    return q, states, actions, np.diff(score, prepend=0.0), *rest


FROM_THE_SCORE = Variant(
    text={
        "Write `q_lambda(q, states, actions, rewards, alpha, lam, gamma)`, which": (
            "Write `q_lambda(q, states, actions, score, alpha, lam, gamma)`, which"
        ),
        "the table before; `states`, `actions`, `rewards` `[T]`: in `states[t]` action "
        "`actions[t]` was played and brought `rewards[t]`;": (
            "the table before; `states`, `actions`, `score` `[T]`: in `states[t]` action "
            "`actions[t]` was played, and **after it the score was `score[t]`**. The score begins "
            "at 0, and the reward of a step is by how much it changes;"
        ),
        "def q_lambda(q, states, actions, rewards, alpha": (
            "def q_lambda(q, states, actions, score, alpha"
        ),
        "Watkins's Q(lambda). states, actions, rewards [T].": (
            "Watkins's Q(lambda). states, actions, score [T] after each step."
        ),
        "    q, trace = q.copy(), np.zeros(q.shape)\n": (
            "    rewards = np.diff(score, prepend=0.0)\n"
            "    q, trace = q.copy(), np.zeros(q.shape)\n"
        ),
    },
    asked=scores,
    given=rewards_of,
)

VARIANTS = {
    "trace_history": [WHERE_EPISODES_END, STEPS_BEFORE],
    "q_lambda": [COSTS, FROM_THE_SCORE],
}
