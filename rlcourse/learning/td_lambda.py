"""TD(lambda) for prediction, on small processes whose values are known exactly.

Sutton & Barto (2018), chapters 7 and 12: n-step TD and the backward view (traces), for tables. The
forward view is `rlcourse.experience.lambda_returns`, from which the networks of lesson 05 learn.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from rlcourse.kernels import kernel
from rlcourse.solvers.processes import (
    Process,
    Steps,
    bear_off,
    exact_values,
    random_walk,
    sample,
    visit_shares,
)

# The processes come along, because lesson 04 and its sheet import them from here.
__all__ = ["Process", "Steps", "backward_view", "bear_off", "exact_values", "lambda_errors"]
__all__ += ["n_step_errors", "random_walk", "sample", "visit_shares"]

DIVERGED = 1e6  # an error beyond this counts as infinite


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

    online: change the values after every step; otherwise add the changes up and apply them after
    the last step, which equals the forward view, where every visit moves towards its lambda-return.
    replacing: a visit sets its trace to 1 instead of adding 1. Sections 12.2 and 12.3.
    """
    values = np.array(values, np.float64)
    no_truth = np.zeros(0)
    rule = (float(alpha), float(lam), float(gamma), online, replacing)
    _td_lambda(steps.state, steps.reward, steps.next_state, values, *rule, no_truth, no_truth)
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
    """[len(lams), len(alphas), R] float64: the error of TD(lambda) from initial values 0, per run.

    The error is the root mean square over the states (by_visits: weighted by their visits),
    measured after every episode and averaged over the run's episodes, as in the book's figures; inf
    if learning diverged.
    """
    states = len(process.following)
    weights = visit_shares(process) if by_visits else np.full(states, 1 / states)
    run = partial(_lambda_runs, *steps, exact_values(process), weights, replacing)
    return _errors(run, [float(lam) for lam in lams], alphas, len(steps.runs) - 1)


def n_step_errors(
    process: Process, steps: Steps, ns: Sequence[int], alphas: Sequence[float]
) -> np.ndarray:
    """[len(ns), len(alphas), R] float64: the error of n-step TD (sec. 7.1), as `lambda_errors`.

    A large n is Monte Carlo.
    """
    states = len(process.following)
    run = partial(_n_step_runs, *steps, exact_values(process), np.full(states, 1 / states))
    return _errors(run, [int(n) for n in ns], alphas, len(steps.runs) - 1)


def _errors(
    run: Callable[..., None], settings: Sequence[Any], alphas: Sequence[float], runs: int
) -> np.ndarray:
    """[settings, alphas, runs]: what `run(alpha, setting, errors [runs])` fills in."""
    errors = np.zeros((len(settings), len(alphas), runs))
    for i, setting in enumerate(settings):
        for j, alpha in enumerate(alphas):
            run(float(alpha), setting, errors[i, j])
    return np.where(errors < DIVERGED, errors, np.inf)


@kernel
def _error(values, truth, weights):
    """The weighted root mean square error; nan after an overflow."""
    total = 0.0
    for s in range(len(truth)):
        total += weights[s] * (values[s] - truth[s]) ** 2
    return np.sqrt(total)


@kernel
def _td_lambda(
    states, rewards, nexts, values, alpha, lam, gamma, online, replacing, truth, weights
):
    """Change `values` by the steps. Returns the mean error of the episodes; 0 without a `truth`."""
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
def _lambda_runs(states, rewards, nexts, runs, truth, weights, replacing, alpha, lam, errors):
    for r in range(len(errors)):
        own = slice(runs[r], runs[r + 1])
        values = np.zeros(len(truth))
        rule = (alpha, lam, 1.0, True, replacing)
        errors[r] = _td_lambda(states[own], rewards[own], nexts[own], values, *rule, truth, weights)


@kernel
def _n_step_runs(states, rewards, nexts, runs, truth, weights, alpha, n, errors):
    for r in range(len(errors)):
        values, begin, total, episodes = np.zeros(len(truth)), runs[r], 0.0, 0
        for t in range(runs[r], runs[r + 1]):
            over = nexts[t] < 0
            # The visit n steps ago is updated; at the end all that still wait, in order.
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
