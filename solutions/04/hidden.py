"""Sheet 04, TD(lambda): how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

import itertools

import numpy as np

from rlcourse.checks import oracle04
from rlcourse.checks.judging import by_oracle, keyed, telling
from rlcourse.checks.sheet04 import (
    COMPOUND_MISTAKES,
    MOVER_MISTAKES,
    THROW_MISTAKES,
    TRACE_MISTAKES,
    WATKINS_MISTAKES,
)
from rlcourse.checks.task import Case, Hidden

# --- compound_return ------------------------------------------------------------------------------


def _compound_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for length, count in ((4, 3), (5, 2), (3, 6), (2, 5), (6, 6), (1, 2)):
        weights, gamma = rng.dirichlet(np.ones(count)), float(rng.uniform(0.4, 0.8))
        estimates = rng.uniform(1, 3, length) * (-1 if length == 5 else 1)
        gamma = 1.0 if length == 4 else gamma
        args = (rng.uniform(-2, 2, length), estimates, weights, gamma)
        cases.append(keyed(oracle04.compound_return, COMPOUND_MISTAKES, *args))
        if length == 6:  # the same episode, with other weights
            args = (*args[:2], weights[::-1].copy(), gamma)
            cases.append(keyed(oracle04.compound_return, COMPOUND_MISTAKES, *args))
    return cases


def _compound_domain(
    rewards: np.ndarray, values: np.ndarray, weights: np.ndarray, gamma: float
) -> bool:
    return (
        len(rewards) == len(values) >= 1
        and len(weights) >= 1
        and bool(np.isclose(weights.sum(), 1))
        and 0 < gamma <= 1
    )


# --- mover_targets --------------------------------------------------------------------------------


def _mover_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    # Both players end a game, both win one; turns alternate, and one or two are made twice.
    ends = (0, 1.0, 2), (1, 1.0, 1), (1, -1.0, 2), (0, -1.0, 1), (1, 0.0, 2)
    for last, result, twice in ends:
        length = int(rng.integers(5, 9))
        player = (np.arange(length) + last + length + 1) % 2
        repeats = np.ones(length, int)
        repeats[rng.choice(length - 1, twice, replace=False)] = 2
        player = np.repeat(player, repeats)
        lam, gamma = (
            float(rng.choice([0.2, 0.3, 0.7, 0.8])),
            float(rng.choice([0.5, 0.7, 0.8, 1.0])),
        )
        args = (rng.uniform(-0.9, 0.9, len(player)), player, result, lam, gamma)
        cases.append(keyed(oracle04.mover_targets, MOVER_MISTAKES, *args))
    # The same game under another lambda, and under its bounds; a game of one move.
    one = np.array([0.3]), np.array([1]), 1.0, 0.5, 0.5
    for again in (
        (*args[:3], 0.5, 0.6),
        (*args[:2], 1.0, 0.0, 0.9),
        (*args[:2], -1.0, 1.0, 0.9),
        one,
    ):
        cases.append(keyed(oracle04.mover_targets, MOVER_MISTAKES, *again))
    return cases


def _mover_domain(
    values: np.ndarray, player: np.ndarray, result: float, lam: float, gamma: float
) -> bool:
    return (
        values.shape == player.shape
        and set(player) <= {0, 1}
        and result in (1, 0, -1)
        and 0 <= lam <= 1
        and 0 < gamma <= 1
    )


# --- trace_history --------------------------------------------------------------------------------


def _trace_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for kind in ("accumulating", "replacing", "accumulating", "replacing"):
        steps, count = int(rng.integers(8, 13)), int(rng.integers(4, 7))
        features = (rng.random((steps, count)) < 0.4).astype(np.int64)
        features[:3, 0] = 1, 0, 1  # one that fades and comes back, and one that stays
        features[:6, 1] = 1
        features[-1] = 0  # nothing is active, and all fades
        starts = np.zeros(steps, bool)
        starts[[0, int(rng.integers(6, steps))]] = True
        args = (
            features,
            starts,
            float(rng.uniform(0.8, 0.95)),
            float(rng.uniform(0.85, 0.95)),
            kind,
        )
        cases.append(keyed(oracle04.trace_history, TRACE_MISTAKES, *args))
    once = (features[:1], starts[:1], *args[2:])  # an episode of one step
    before = (features[:3], np.array([True, True, False]), *args[2:])  # and one before another
    args = (*args[:4], "accumulating")  # the same features, and the other kind
    return [
        *cases,
        *(keyed(oracle04.trace_history, TRACE_MISTAKES, *again) for again in (args, once, before)),
    ]


def _trace_domain(
    features: np.ndarray, starts: np.ndarray, lam: float, gamma: float, kind: str
) -> bool:
    shapes = (
        features.ndim == 2
        and starts.shape == features.shape[:1]
        and set(features.ravel().tolist()) <= {0, 1}
    )
    return (
        shapes
        and bool(starts[0])
        and 0 <= lam <= 1
        and 0 < gamma <= 1
        and kind in ("accumulating", "replacing")
    )


# --- learn_throws ---------------------------------------------------------------------------------


def _throw_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for lam in rng.uniform(0.3, 0.9, 4):
        start = int(rng.integers(9, 14))
        games: list[list[int]] = []
        for _ in range(int(rng.integers(3, 6))):
            squares = [start - len(games)]  # later games begin nearer to home
            while (left := squares[-1] - int(rng.integers(1, 7))) > 0:
                squares.append(left)
            games.append(squares)
        # One throw, then every number of the die; values below 0, and squares on which nobody was.
        games = [[int(rng.integers(1, 7))], [9, 8, 6, 3], [12 - int(rng.integers(2)), 6, 1], *games]
        table = rng.uniform(1, 4, start + 4) * rng.choice([-1, 1], start + 4, p=[0.2, 0.8])
        args = (table, games, float(rng.uniform(0.1, 0.4)), float(lam))
        cases.append(keyed(oracle04.learn_throws, THROW_MISTAKES, *args))
    args = (args[0][::-1].copy(), *args[1:])  # the same games, another table
    return [*cases, keyed(oracle04.learn_throws, THROW_MISTAKES, *args)]


def _throws_domain(values: np.ndarray, games: list[list[int]], alpha: float, lam: float) -> bool:
    """A die has six sides; the last throw of a game may be more than was needed."""
    thrown = [a - b for game in games for a, b in itertools.pairwise(game)]
    last = all(1 <= game[-1] <= 6 for game in games)
    return (
        all(1 <= n <= 6 for n in thrown)
        and last
        and max(map(max, games)) < len(values)
        and 0 < alpha <= 1
        and 0 <= lam <= 1
    )


# --- q_lambda -------------------------------------------------------------------------------------


def _watkins_cases(rng: np.random.Generator) -> list[Case]:
    return telling(_watkins_draw, rng)


def _watkins_domain(
    q: np.ndarray,
    states: np.ndarray,
    actions: np.ndarray,
    rewards: np.ndarray,
    alpha: float,
    lam: float,
    gamma: float,
) -> bool:
    within = (
        states.max() < len(q)
        and actions.max() < q.shape[1]
        and min(states.min(), actions.min()) >= 0
    )
    return (
        within
        and states.shape == actions.shape == rewards.shape
        and 0 < alpha <= 1
        and 0 <= lam <= 1
        and 0 < gamma <= 1
    )


def _watkins_draw(rng: np.random.Generator) -> list[Case]:
    cases = []
    for steps in (6, 7, 8, 9):
        q = rng.uniform(-1, 1, (5, 3))
        states = rng.integers(0, 5, steps)
        # Mostly greedy by the first table; an action that was greedy then can be an
        # exploring one when it is played.
        actions = np.where(
            rng.random(steps) < 0.65, q[states].argmax(axis=1), rng.integers(0, 3, steps)
        )
        actions[1], actions[steps // 2] = q[states[1]].argmax(), q[states[steps // 2]].argmin()
        # A state that comes second and once, whose best two actions are equal; the later one is
        # played.
        if steps > 6:
            states[:2] = 0, 1
            states[2:] = rng.integers(1, 5, steps - 2) // 2 * 2
            q[1] = 0.2, 0.7, 0.7
            actions[:2] = q[0].argmax(), 1 if steps == 8 else 2
        alpha, gamma = float(rng.uniform(0.1, 0.3)), float(rng.uniform(0.6, 0.9))
        lam = float(rng.uniform(0.6, 0.95))
        args = (q, states, actions, rng.uniform(-1, 1, steps), alpha, lam, gamma)
        cases.append(keyed(oracle04.q_lambda, WATKINS_MISTAKES, *args))
    # The same best action again and again; then, in a state that is new, one that is hardly worse.
    q = rng.uniform(-1, 0, (3, 3))
    q[[0, 1], rng.integers(0, 3, 2)] = 3.0
    q[2] = rng.permutation([0.5, 0.48, -0.9])
    states = np.array([0, 0, 1, 0, 1, 1, 2, 0])
    actions = np.append(
        q[states[:6]].argmax(axis=1), [np.flatnonzero(q[2] == 0.48)[0], q[0].argmax()]
    )
    args = (q, states, actions, rng.uniform(0, 1, 8), 0.1, 0.7, 0.8)
    cases.append(keyed(oracle04.q_lambda, WATKINS_MISTAKES, *args))
    # A world of one state: its best action three times, the worst, the best again.
    q = rng.permutation([3.0, 0.5, -0.9])[None]
    actions = np.repeat([q.argmax(), q.argmin(), q.argmax()], [3, 1, 2])
    args = (q, np.zeros(6, int), actions, rng.uniform(0, 1, 6), 0.1, 0.7, 0.8)
    return [*cases, keyed(oracle04.q_lambda, WATKINS_MISTAKES, *args)]


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "compound_return": Hidden(
        _compound_cases, _compound_domain, by_oracle(oracle04.compound_return, COMPOUND_MISTAKES)
    ),
    "mover_targets": Hidden(
        _mover_cases, _mover_domain, by_oracle(oracle04.mover_targets, MOVER_MISTAKES)
    ),
    "trace_history": Hidden(
        _trace_cases, _trace_domain, by_oracle(oracle04.trace_history, TRACE_MISTAKES)
    ),
    "learn_throws": Hidden(
        _throw_cases, _throws_domain, by_oracle(oracle04.learn_throws, THROW_MISTAKES)
    ),
    "q_lambda": Hidden(
        _watkins_cases, _watkins_domain, by_oracle(oracle04.q_lambda, WATKINS_MISTAKES)
    ),
}
