"""Sheet 11, beyond two players: how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

import numpy as np

from rlcourse.checks import oracle11
from rlcourse.checks.judging import by_oracle, keyed, telling
from rlcourse.checks.sheet11 import (
    AVERAGE_MISTAKES,
    CALLING_MISTAKES,
    EXPECTED_MISTAKES,
    WITHIN_MISTAKES,
)
from rlcourse.checks.task import Case, Hidden

# --- expected_sarsa -------------------------------------------------------------------------------


def _expected_cases(rng: np.random.Generator) -> list[Case]:
    return telling(_expected_draw, rng)


def _expected_draw(rng: np.random.Generator) -> list[Case]:
    """Steps on the way, one that stays, one in a world of one action, one to a state with two best
    actions, and last steps.
    """
    cases = []
    for number, over in enumerate((False, False, False, True, False, True)):
        states, actions = int(rng.integers(2, 6)), 1 if number == 2 else int(rng.integers(2, 5))
        state = int(rng.integers(states))
        following = state if number == 1 else (state + 1) % states
        shares = rng.uniform(0.1, 0.8, 3).tolist()
        q, reward = rng.uniform(-3, 3, (states, actions)), float(rng.uniform(-2, 2))
        # The best action of the next state is the best one of no other state.
        best = int(rng.integers(actions))
        q[:, (best + 1) % actions] = rng.uniform(3, 5, states)
        q[following, best] = 6.0
        if number == 4:  # two best actions
            q[following, (best + 1) % actions] = 6.0
        q[(following + 1) % states, (best + 1) % actions] = 8.0
        args = (q, state, int(rng.integers(actions)), reward, following, over, *shares)
        cases.append(keyed(oracle11.expected_sarsa, EXPECTED_MISTAKES, *args))
    # The same step on the way and as the last one; without exploring, and always.
    for changed in ({5: True}, {8: 0.0}, {8: 1.0}, {7: 1.0, 6: 1.0}):
        again = list(cases[0].args)
        for place, value in changed.items():
            again[place] = value
        cases.append(keyed(oracle11.expected_sarsa, EXPECTED_MISTAKES, *again))
    return cases


def _expected_domain(
    q: np.ndarray,
    state: int,
    action: int,
    reward: float,
    following: int,
    over: bool,
    *shares: float,
) -> bool:
    alpha, gamma, epsilon = shares
    return (
        0 <= state < len(q)
        and 0 <= following < len(q)
        and 0 <= action < q.shape[1]
        and 0 < alpha <= 1
        and 0 < gamma <= 1
        and 0 <= epsilon <= 1
    )


# --- best_within ----------------------------------------------------------------------------------


def _world(
    rng: np.random.Generator, states: int, actions: int, least: float
) -> tuple[np.ndarray, np.ndarray]:
    """Chances that leave up to 1 - least for the end, and rewards above and below 0."""
    chances = rng.dirichlet(np.ones(states), (states, actions))
    chances *= rng.uniform(least, 1, (states, actions, 1))
    return chances, rng.uniform(-1, 2, (states, actions))


def _within_cases(rng: np.random.Generator) -> list[Case]:
    return telling(_within_draw, rng)


def _within_draw(rng: np.random.Generator) -> list[Case]:
    cases = []
    for steps, actions in ((4, 2), (6, 3), (1, 2), (3, 1), (0, 2), (9, 2)):
        chances, rewards = _world(rng, int(rng.integers(2, 6)), actions, 0.4)
        if steps == 9:  # where every reward is a cost, the end is welcome
            rewards = -np.abs(rewards)
        cases.append(keyed(oracle11.best_within, WITHIN_MISTAKES, chances, rewards, steps))
    return cases


def _within_domain(chances: np.ndarray, rewards: np.ndarray, steps: int) -> bool:
    return (
        chances.shape == (*rewards.shape, len(rewards))
        and chances.min() >= 0
        and chances.sum(axis=2).max() <= 1 + 1e-9
        and steps >= 0
    )


# --- gain_of_calling ------------------------------------------------------------------------------


def _calling_cases(rng: np.random.Generator) -> list[Case]:
    return telling(_calling_draw, rng)


def _calling_draw(rng: np.random.Generator) -> list[Case]:
    cases = []
    for count in (3, 5, 7, 4, 6):
        bets = rng.uniform(0.1, 1, count)
        if count == 5:  # only one card bets, so that with this card nobody can have bet
            bets = np.zeros(5)
            bets[rng.integers(5)] = rng.uniform(0.2, 0.9)
        if count == 7:
            bets[rng.choice(7, 3, replace=False)] = 0.0
        pot, size = float(rng.uniform(2, 5)), float(rng.uniform(0.5, 1.9))
        if count == 6:  # with most cards a call is expected to lose
            pot, size = size, pot
        args = (bets, pot, size)
        cases.append(keyed(oracle11.gain_of_calling, CALLING_MISTAKES, *args))
    nobody = (np.zeros(3), 2.0, 1.0)
    return [*cases, keyed(oracle11.gain_of_calling, CALLING_MISTAKES, *nobody)]


def _calling_domain(bets: np.ndarray, pot: float, size: float) -> bool:
    return len(bets) >= 2 and 0 <= bets.min() and bets.max() <= 1 and pot > 0 and size > 0


# --- average_policies -----------------------------------------------------------------------------


def _average_cases(rng: np.random.Generator) -> list[Case]:
    return telling(_average_draw, rng)


def _average_draw(rng: np.random.Generator) -> list[Case]:
    cases = []
    for rows, columns, rounds in (
        (2, 3, 5),
        (3, 3, 30),
        (4, 2, 12),
        (3, 4, 1),
        (2, 2, 20),
        (1, 3, 4),
    ):
        payoff = rng.uniform(-2, 2, (rows, columns))
        cases.append(keyed(oracle11.average_policies, AVERAGE_MISTAKES, payoff, rounds))
    return cases


def _average_domain(payoff: np.ndarray, rounds: int) -> bool:
    return payoff.ndim == 2 and min(payoff.shape) >= 1 and rounds >= 1


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "expected_sarsa": Hidden(
        _expected_cases, _expected_domain, by_oracle(oracle11.expected_sarsa, EXPECTED_MISTAKES)
    ),
    "best_within": Hidden(
        _within_cases, _within_domain, by_oracle(oracle11.best_within, WITHIN_MISTAKES)
    ),
    "gain_of_calling": Hidden(
        _calling_cases, _calling_domain, by_oracle(oracle11.gain_of_calling, CALLING_MISTAKES)
    ),
    "average_policies": Hidden(
        _average_cases, _average_domain, by_oracle(oracle11.average_policies, AVERAGE_MISTAKES)
    ),
}
