"""TD(lambda) for prediction, on small processes whose values are known exactly.

Sutton & Barto (2018), chapters 7 and 12: n-step TD, the forward view (lambda-returns) and the backward view (traces), each for
tables. The networks of lesson 05 learn from the same `lambda_returns`.
"""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from rlcourse.kernels import kernel
from rlcourse.solvers import bearoff

RAN_AWAY = 1e6  # an error beyond this counts as infinite


class Process(NamedTuple):
    """States 0 to S - 1 with rewards, and nothing to decide: in every state one of K outcomes is drawn.

    following [S, K] int64: the state that comes next, -1 where the episode is over; rewards [S, K] float64: what comes on the
    way there; chances [K] float64; start: the state in which every episode begins.
    """

    following: np.ndarray
    rewards: np.ndarray
    chances: np.ndarray
    start: int


class Steps(NamedTuple):
    """Steps of many runs, one after the other; each run is a number of whole episodes.

    state, next_state [M] int64 (-1: over); reward [M] float64; runs [R + 1] int64: run r owns the steps runs[r]:runs[r + 1].
    """

    state: np.ndarray
    reward: np.ndarray
    next_state: np.ndarray
    runs: np.ndarray


def random_walk(states: int = 19) -> Process:
    """From the middle of a row of `states` one step left or right, each with 1/2; off the left end -1, off the right end +1.

    Sutton & Barto (2018), example 7.1.
    """
    here = np.arange(states)
    following = np.column_stack([here - 1, np.where(here + 1 < states, here + 1, -1)])
    rewards = np.zeros((states, 2))
    rewards[0, 0], rewards[-1, 1] = -1.0, 1.0
    return Process(following, rewards, np.array([0.5, 0.5]), states // 2)


def bear_off(checkers: int = 3) -> Process:
    """Bearing off alone from the 6-point, each roll rewarded by 1, so that a value is the expected number of rolls.

    State s is the position of number s + 1 in `rlcourse.solvers.bearoff`; the plays are those that need fewest rolls.
    """
    count = comb(checkers + bearoff.POINTS, bearoff.POINTS) - 1
    following = bearoff.one_sided().best[1 : count + 1].astype(np.int64) - 1
    return Process(following, np.ones(following.shape), bearoff.CHANCES, count - 1)


def transitions(process: Process) -> np.ndarray:
    """[S, S] float64: the probability of every next state; a row's rest to 1 is the end."""
    matrix = np.zeros((len(process.following), len(process.following) + 1))
    for k, chance in enumerate(process.chances):
        matrix[np.arange(len(matrix)), process.following[:, k]] += (
            chance  # column -1, the last, is the end
        )
    return matrix[:, :-1]


def exact_values(process: Process, gamma: float = 1.0) -> np.ndarray:
    """[S] float64: the solution of Bellman's equation v = r + gamma P v."""
    system = np.eye(len(process.following)) - gamma * transitions(process)
    return np.linalg.solve(system, process.rewards @ process.chances)


def visit_shares(process: Process) -> np.ndarray:
    """[S] float64, sum 1: how often each state is met."""
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


def backward_view(
    values: np.ndarray,
    steps: Steps,
    *,
    alpha: float,
    lam: float,
    gamma: float = 1.0,
    online: bool = True,
    replacing: bool = False,
) -> np.ndarray:
    """[S]: the values after TD(lambda) with traces has gone through the steps.

    online: change the values after every step; otherwise add the changes up and make them after the last one, which gives
    what the forward view gives, in which every visit moves towards its lambda-return. replacing: a visit sets its trace to 1 instead of adding 1. Sections 12.2 and 12.3.
    """
    values = np.array(values, np.float64)
    unused = np.zeros(0)
    rule = (float(alpha), float(lam), float(gamma), online, replacing)
    _td_lambda(steps.state, steps.reward, steps.next_state, values, *rule, unused, unused)
    return values


def lambda_errors(
    process: Process,
    steps: Steps,
    lams: Sequence[float],
    alphas: Sequence[float],
    *,
    replacing: bool = False,
    by_visits: bool = False,
) -> np.ndarray:
    """[len(lams), len(alphas), R] float64: the error of TD(lambda) that starts from 0, in each run.

    The error is the root mean square over the states (by_visits: weighted by how often they are met), measured after every
    episode and averaged over the run's episodes, as in the book's figures; inf where learning ran away.
    """
    truth = exact_values(process)
    weights = visit_shares(process) if by_visits else np.full(len(truth), 1 / len(truth))
    errors = np.zeros((len(lams), len(alphas), len(steps.runs) - 1))
    for i, lam in enumerate(lams):
        for j, alpha in enumerate(alphas):
            _lambda_runs(
                *steps,
                truth,
                weights,
                float(alpha),
                float(lam),
                replacing,
                errors[i, j],
            )
    return np.where(errors < RAN_AWAY, errors, np.inf)


def n_step_errors(
    process: Process,
    steps: Steps,
    ns: Sequence[int],
    alphas: Sequence[float],
) -> np.ndarray:
    """[len(ns), len(alphas), R] float64: as `lambda_errors`, for n-step TD (section 7.1); a large n is Monte Carlo."""
    truth = exact_values(process)
    weights = np.full(len(truth), 1 / len(truth))
    errors = np.zeros((len(ns), len(alphas), len(steps.runs) - 1))
    for i, n in enumerate(ns):
        for j, alpha in enumerate(alphas):
            _n_step_runs(*steps, truth, weights, float(alpha), int(n), errors[i, j])
    return np.where(errors < RAN_AWAY, errors, np.inf)


@kernel
def _error(values, truth, weights):
    """The root mean square error; nan when the values ran away."""
    total = 0.0
    for s in range(len(truth)):
        total += weights[s] * (values[s] - truth[s]) ** 2
    return np.sqrt(total)


@kernel
def _td_lambda(
    states, rewards, nexts, values, alpha, lam, gamma, online, replacing, truth, weights
):
    """Change `values` by the steps. Returns the mean over the episodes of the error, 0 for an empty `truth`."""
    trace, changes = np.zeros(len(values)), np.zeros(len(values))
    total, episodes = 0.0, 0
    for t in range(len(states)):
        ahead = values[nexts[t]] if nexts[t] >= 0 else 0.0
        td_error = rewards[t] + gamma * ahead - values[states[t]]
        trace *= gamma * lam
        trace[states[t]] = 1.0 if replacing else trace[states[t]] + 1.0
        if online:
            values += alpha * td_error * trace
        else:
            changes += alpha * td_error * trace
        if nexts[t] < 0:
            trace[:] = 0.0
            episodes += 1
            total += _error(values, truth, weights)
    values += changes
    return total / max(1, episodes)


@kernel
def _lambda_runs(states, rewards, nexts, runs, truth, weights, alpha, lam, replacing, errors):
    for r in range(len(errors)):
        part = slice(runs[r], runs[r + 1])
        values = np.zeros(len(truth))
        errors[r] = _td_lambda(
            states[part],
            rewards[part],
            nexts[part],
            values,
            alpha,
            lam,
            1.0,
            True,
            replacing,
            truth,
            weights,
        )


@kernel
def _n_step_runs(states, rewards, nexts, runs, truth, weights, alpha, n, errors):
    for r in range(len(errors)):
        values, begin, total, episodes = np.zeros(len(truth)), runs[r], 0.0, 0
        for t in range(runs[r], runs[r + 1]):
            over = nexts[t] < 0
            # At the end all visits that still wait get their update, in order; before, the one n steps ago.
            for k in range(max(begin, t - n + 1), t + 1 if over else t - n + 2):
                target = 0.0
                for step in range(k, t + 1):
                    target += rewards[step]
                if not over:
                    target += values[nexts[t]]
                values[states[k]] += alpha * (target - values[states[k]])
            if over:
                begin = t + 1
                episodes += 1
                total += _error(values, truth, weights)
        errors[r] = total / max(1, episodes)
