"""Small Markov reward processes whose values are exact: a random walk, and bearing off alone.

Sutton & Barto (2018), example 7.1 and chapter 3. Runs of them are drawn for lesson 04.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from rlcourse.solvers import bearoff


class Process(NamedTuple):
    """A Markov reward process: in each of S states one of K outcomes is drawn.

    following [S, K] int64: the next state, -1 if the episode is over; rewards [S, K] float64: on
    the way there; chances [K] float64; start: the first state of every episode.
    """

    following: np.ndarray
    rewards: np.ndarray
    chances: np.ndarray
    start: int


class Steps(NamedTuple):
    """The M steps of R runs, one run after the other; each run consists of whole episodes.

    state, next_state [M] int64 (-1: over); reward [M] float64; runs [R + 1] int64: run r has the
    steps runs[r]:runs[r + 1].
    """

    state: np.ndarray
    reward: np.ndarray
    next_state: np.ndarray
    runs: np.ndarray


def random_walk(states: int = 19) -> Process:
    """One step left or right, each with probability 1/2, from the middle of a row of `states`.

    The reward is -1 beyond the left end, +1 beyond the right end, and 0 elsewhere. Sutton & Barto
    (2018), example 7.1.
    """
    here = np.arange(states)
    following = np.column_stack([here - 1, np.where(here + 1 < states, here + 1, -1)])
    rewards = np.zeros((states, 2))
    rewards[0, 0], rewards[-1, 1] = -1.0, 1.0
    return Process(following, rewards, np.array([0.5, 0.5]), states // 2)


def bear_off(checkers: int = 3) -> Process:
    """Bearing off alone from the 6-point: each roll is rewarded by 1, so values count rolls.

    State s is position s + 1 of `rlcourse.solvers.bearoff`; the plays are those that need the
    fewest rolls.
    """
    count = comb(checkers + bearoff.POINTS, bearoff.POINTS) - 1
    following = bearoff.one_sided().best[1 : count + 1].astype(np.int64) - 1
    return Process(following, np.ones(following.shape), bearoff.CHANCES, count - 1)


def transitions(process: Process) -> np.ndarray:
    """[S, S] float64: the probability of every next state; the rest to 1 ends the episode."""
    matrix = np.zeros((len(process.following), len(process.following) + 1))
    for k, chance in enumerate(process.chances):
        # A next state of -1 is the last column, which is removed below.
        matrix[np.arange(len(matrix)), process.following[:, k]] += chance
    return matrix[:, :-1]


def exact_values(process: Process, gamma: float = 1.0) -> np.ndarray:
    """[S] float64: the solution of Bellman's equation v = r + gamma P v."""
    system = np.eye(len(process.following)) - gamma * transitions(process)
    return np.linalg.solve(system, process.rewards @ process.chances)


def visit_shares(process: Process) -> np.ndarray:
    """[S] float64, sum 1: the share of visits of each state."""
    first = np.eye(len(process.following))[process.start]
    visits = np.linalg.solve((np.eye(len(first)) - transitions(process)).T, first)
    return visits / visits.sum()


def sample(process: Process, rng: np.random.Generator, *, runs: int, episodes: int) -> Steps:
    """Draw `runs` runs of `episodes` episodes each, all in lock-step."""
    state, walk = np.full(runs * episodes, process.start), np.arange(runs * episodes)
    columns: list[tuple[np.ndarray, ...]] = []
    while len(walk):
        outcome = rng.choice(len(process.chances), len(walk), p=process.chances)
        following = process.following[state, outcome]
        columns.append((walk, state, process.rewards[state, outcome], following))
        running = following >= 0
        walk, state = walk[running], following[running]
    walk, state, reward, following = (
        np.concatenate(column) for column in zip(*columns, strict=True)
    )
    order = np.argsort(walk, kind="stable")
    bounds = np.searchsorted(walk[order], np.arange(runs + 1) * episodes)
    return Steps(state[order], reward[order], following[order], bounds)
