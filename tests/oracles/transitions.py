"""Exact values of one player's world, from its table of transitions."""

from typing import NamedTuple

import numpy as np

from rlcourse.experiments.cliff import Table

PRECISION = 1e-12


class Model(NamedTuple):
    """chances [S, A, S]: of the next state, and what is missing to 1 ends the episode; rewards
    [S, A]: the expected reward of the step.
    """

    chances: np.ndarray
    rewards: np.ndarray


def model_of(table: Table) -> Model:
    """The table as arrays."""
    states, actions = len(table), len(table[0])
    chances, rewards = np.zeros((states, actions, states)), np.zeros((states, actions))
    for state in range(states):
        for action in range(actions):
            for probability, following, reward, over in table[state][action]:
                rewards[state, action] += probability * reward
                if not over:
                    chances[state, action, following] += probability
    return Model(chances, rewards)


def value_iteration(model: Model, *, gamma: float = 1.0, epsilon: float = 0.0) -> np.ndarray:
    """[S, A]: the value of each action if the best policy follows.

    epsilon: the policy has to move at random with this probability; the best of these is the goal
    of SARSA. Values start at 0; with gamma 1 every such policy has to reach an end. Sutton & Barto
    (2018) 4.4, and 5.4 for epsilon-soft policies.
    """
    values = np.zeros(len(model.rewards))
    while True:
        q = model.rewards + gamma * model.chances @ values
        better = (1 - epsilon) * q.max(axis=1) + epsilon * q.mean(axis=1)
        if np.abs(better - values).max() < PRECISION:
            return q
        values = better


def epsilon_greedy(q: np.ndarray, epsilon: float) -> np.ndarray:
    """[S, A] probabilities; of equally good actions the lowest is the greedy one."""
    policy = np.full(q.shape, epsilon / q.shape[1])
    # Exact values of equally good actions may differ by rounding.
    best = q > q.max(axis=1, keepdims=True) - 1e-9
    policy[np.arange(len(q)), best.argmax(axis=1)] += 1 - epsilon
    return policy


def policy_values(model: Model, policy: np.ndarray, *, gamma: float = 1.0) -> np.ndarray:
    """[S]: the exact value of each state under a policy [S, A] that always reaches an end."""
    following = np.einsum("sa,sat->st", policy, model.chances)
    rewards = (policy * model.rewards).sum(axis=1)
    return np.linalg.solve(np.eye(len(rewards)) - gamma * following, rewards)
