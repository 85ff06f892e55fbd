"""One player's worlds: Gymnasium's tables, exact values by hand, and who learns what."""

import gymnasium
import numpy as np
import pytest

from rlcourse.experiments.cliff import GOAL, START, cliff, greedy_steps, learn
from tests.oracles.transitions import epsilon_greedy, model_of, policy_values, value_iteration

CLIFF = model_of(cliff())
LAKE = model_of(gymnasium.make("FrozenLake-v1").unwrapped.P)


def test_the_cliff_is_gymnasium_s():
    theirs = gymnasium.make("CliffWalking-v1").unwrapped.P
    assert theirs.keys() == cliff().keys()
    for state, actions in cliff().items():
        for action, outcomes in actions.items():
            assert [tuple(outcome) for outcome in theirs[state][action]] == outcomes


def test_the_shortest_way_and_the_longer_ones_by_hand():
    """One up, eleven right, one down; each row further from the edge costs two steps more."""
    q = value_iteration(CLIFF)
    assert q[START].max() == -13 and greedy_steps(cliff(), START, q) == 13
    assert q[START].tolist() == [-13, -113, -14, -14]


def test_the_lake_by_hand():
    """In seventeenths. Each is the mean of the three squares to which its best move may slide: left of
    the goal (15 + 16 + 17)/3 = 16, above that (9 + 14 + 16)/3 = 13, beside a hole (14 + 0 + 13)/3 = 9.
    """
    by_hand = [14, 14, 14, 14, 14, 0, 9, 0, 14, 14, 13, 0, 0, 15, 16, 0]
    values = value_iteration(LAKE).max(axis=1)
    assert values == pytest.approx(np.array(by_hand) / 17, abs=1e-9)


@pytest.mark.parametrize(("epsilon", "steps"), [(0.0, 13), (0.1, 15), (0.3, 17)])
def test_the_best_exploring_policy_keeps_its_distance(epsilon, steps):
    q = value_iteration(CLIFF, epsilon=epsilon)
    assert greedy_steps(cliff(), START, q) == steps


def test_exploring_on_the_edge_costs_more_than_keeping_away():
    edge = epsilon_greedy(value_iteration(CLIFF), 0.1)
    away = epsilon_greedy(value_iteration(CLIFF, epsilon=0.1), 0.1)
    on_edge, apart = (policy_values(CLIFF, policy)[START] for policy in (edge, away))
    assert (round(on_edge, 2), round(apart, 2)) == (-45.80, -20.71)


def test_no_other_exploring_policy_is_better():
    """A law of the best: no single change of its greedy action improves the start."""
    q = value_iteration(CLIFF, epsilon=0.1)
    best = policy_values(CLIFF, epsilon_greedy(q, 0.1))
    for state in range(START + 1):
        for action in range(4):
            other = q.copy()
            other[state, action] = other.max() + 1
            assert policy_values(CLIFF, epsilon_greedy(other, 0.1))[START] < best[START] + 1e-9


def test_values_are_what_episodes_bring():
    """2,000 episodes on the lake by the best policy: within five standard errors."""
    policy = epsilon_greedy(value_iteration(LAKE), 0.0)
    rng = np.random.default_rng(1)
    table = gymnasium.make("FrozenLake-v1").unwrapped.P
    won = 0
    for _ in range(2_000):
        state, over, reward = 0, False, 0.0
        while not over:
            outcomes = table[state][int(policy[state].argmax())]
            _, state, reward, over = outcomes[rng.choice(3, p=[o[0] for o in outcomes])]
        won += reward
    assert abs(won / 2_000 - policy_values(LAKE, policy)[0]) < 5 * 0.0086


def test_learners_are_the_same_twice_and_differ_in_their_target_only():
    runs = [
        learn(cliff(), START, np.random.default_rng(3), sarsa=sarsa, episodes=40)
        for sarsa in (True, True, False)
    ]
    assert (runs[0][0] == runs[1][0]).all() and (runs[0][1] == runs[1][1]).all()
    assert (runs[0][0] != runs[2][0]).any()
    assert not any(q[GOAL].any() for q, _ in runs), "nothing is learned where nobody acts"


def test_without_exploring_both_learn_the_same():
    """Where the next action is the best one, the targets are equal."""
    one, other = (
        learn(cliff(), START, np.random.default_rng(0), sarsa=sarsa, epsilon=0.0, episodes=60)[0]
        for sarsa in (True, False)
    )
    # The next action is chosen before the update, which may change a tie.
    assert greedy_steps(cliff(), START, one) == greedy_steps(cliff(), START, other)


def test_q_learning_finds_the_exact_values():
    """Of all moves from squares that are not the cliff: half of the moves are random ones."""
    q, _ = learn(cliff(), START, np.random.default_rng(0), sarsa=False, episodes=3_000, epsilon=0.5)
    assert np.abs(q - value_iteration(CLIFF))[: START + 1].max() < 1e-6
