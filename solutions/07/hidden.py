"""Sheet 07, actor-critic on Go: how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from rlcourse.checks import oracle07, reference07
from rlcourse.checks.judging import by_oracle, keyed, telling
from rlcourse.checks.sheet07 import (
    EXACT_MISTAKES,
    GRADIENT_MISTAKES,
    POINTS_MISTAKES,
    RECORDER_MISTAKES,
    WEIGHTS_MISTAKES,
)
from rlcourse.checks.task import Case, Hidden

# --- points_advantages ----------------------------------------------------------------------------


def _points_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Games of 4 to 8 moves: won, drawn and lost; other points for each."""
        cases: list[Case] = []
        counts = (3, 1, 0), (2, 1, 0), (4.5, 1.5, 0.5), (1.5, 0.25, -2.5)
        for result, points in zip(rng.permutation([1, 0, -1, -1]), counts, strict=True):
            moves = int(rng.integers(4, 9))
            outputs = rng.dirichlet(np.ones(3), moves)
            player = np.append(
                len(cases) % 2, rng.integers(0, 2, moves - 1)
            )  # either player may begin
            args = (outputs, player, int(result), points)
            cases.append(keyed(oracle07.points_advantages, POINTS_MISTAKES, *args))
        return cases

    return telling(draw, rng)


def _points_domain(
    outputs: np.ndarray, player: np.ndarray, result: int, points: tuple[float, float, float]
) -> bool:
    chances = (
        outputs.shape == (len(player), 3)
        and np.allclose(outputs.sum(axis=1), 1)
        and outputs.min() >= 0
    )
    return chances and set(player.tolist()) <= {0, 1} and result in (1, 0, -1) and len(points) == 3


# --- batch_weights --------------------------------------------------------------------------------


def _games(rng: np.random.Generator, spread: float) -> list[np.ndarray]:
    """Three games of unequal lengths, each with a level of its own."""
    return [
        rng.uniform(-0.8, 0.8) * spread + spread * rng.normal(size=length)
        for length in rng.permutation([4, 6, 9])
    ]


def _weights_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Four batches of three games; in the last two the floor is larger than the spread."""
        cases = []
        for spread, floor in ((1.7, 0.1), (0.4, 0.2), (0.004, 0.05), (0.3, 1.5)):
            games = _games(rng, spread)
            options = [
                rng.permutation([2, 2, 5, *rng.integers(1, 4, len(game) - 4), 1]) for game in games
            ]
            cases.append(keyed(oracle07.batch_weights, WEIGHTS_MISTAKES, games, options, floor))
        return cases

    return telling(draw, rng)


def _weights_domain(advantages: list[np.ndarray], options: list[np.ndarray], floor: float) -> bool:
    lengths = [len(game) for game in advantages] == [len(game) for game in options]
    counts = np.concatenate(options)
    return bool(lengths and counts.min() >= 1 and (counts > 1).any() and floor > 0)


# --- two_headed_gradient --------------------------------------------------------------------------


def _gradient_case(rng: np.random.Generator) -> Case:
    rows, features, hidden, actions = 5, 3, 4, 3
    arrays = [
        rng.normal(size=size) * 0.7
        for size in ((rows, features), (features, hidden), (hidden, actions), (hidden,))
    ]
    action, returns = rng.integers(0, actions, rows), rng.permutation([1.0, 1.0, -1.0, -1.0, 0.0])
    loss_weights = (float(rng.uniform(0.6, 1.5)), float(rng.uniform(0.1, 0.5)))
    return keyed(
        oracle07.two_headed_gradient, GRADIENT_MISTAKES, *arrays, action, returns, loss_weights
    )


def _gradient_cases(rng: np.random.Generator) -> list[Case]:
    return telling(lambda rng: [_gradient_case(rng) for _ in range(3)], rng)


def _gradient_domain(
    x: np.ndarray,
    body: np.ndarray,
    actor: np.ndarray,
    critic: np.ndarray,
    action: np.ndarray,
    returns: np.ndarray,
    weights: tuple[float, float],
) -> bool:
    """Small numbers only."""
    hidden = x @ body
    shapes = hidden.shape[1] == len(actor) == len(critic) and len(x) == len(action) == len(returns)
    return (
        shapes
        and 0 <= action.min()
        and action.max() < actor.shape[1]
        and abs(hidden @ actor).max() < 50
        and len(weights) == 2
    )


# --- Recorder -------------------------------------------------------------------------------------


def _recorder_case(rng: np.random.Generator) -> Case:
    """A game, moves outside a game, a game that is given up, two more games; the critic
    changes its mind on the way.
    """
    states = 4
    script: list[tuple[str, tuple[Any, ...]]] = []
    # In eighths, so that sums are exact.
    policy = (
        np.array(
            [
                rng.permutation([(4, 3, 1), (5, 2, 1), (2, 2, 4), (6, 2, 0)][k])
                for k in rng.permutation(4)
            ]
        )
        / 8
    )
    values = rng.uniform(-0.9, 0.9, states)

    def moves(count: int) -> None:
        """So many moves in states drawn at random; every other random number is just one
        of the bounds of its state.
        """
        for number in range(count):
            state = int(rng.integers(states))
            bound = float(np.cumsum(policy[state])[rng.integers(2)])
            script.append(
                (
                    "select_move",
                    (state, float(rng.random()) if number % 2 or bound == 1.0 else bound),
                )
            )

    def game(reward: float) -> None:
        """A game of three or four moves; before the last the critic changes its mind about
        the state of the one before.
        """
        script.append(("begin_episode", ()))
        moves(int(rng.integers(2, 4)))
        state = next(args[0] for name, args in reversed(script) if name == "select_move")
        script.append(("set_value", (state, float(rng.uniform(-0.9, 0.9)))))
        moves(1)
        script.extend([("complete_episode", (reward,)), ("rows", ())])

    moves(1)
    game(float(rng.choice([1.0, -1.0])))
    moves(1)
    script.extend([("begin_episode", ()), ("rows", ())])
    moves(2)
    game(float(rng.choice([1.0, -1.0])))
    game(0.0)
    case = Case((policy, values), script=tuple(script))
    return replace(case, secret=by_oracle(oracle07.recorder, RECORDER_MISTAKES)(case))


def _recorder_cases(rng: np.random.Generator) -> list[Case]:
    return telling(lambda rng: [_recorder_case(rng) for _ in range(2)], rng)


def _recorder_domain(policy: np.ndarray, values: np.ndarray, script: tuple) -> bool:
    """A game is completed only after it was begun, and all states and random numbers
    are such as the text says.
    """
    playing = False
    for name, args in script:
        if name == "complete_episode" and not playing:
            return False
        playing = {"begin_episode": True, "complete_episode": False}.get(name, playing)
        if name in ("select_move", "set_value") and not 0 <= args[0] < len(values):
            return False
        if name == "select_move" and not 0 <= args[1] < 1:
            return False
    return np.allclose(policy.sum(axis=1), 1) and len(policy) == len(values)


# --- exact_advantages -----------------------------------------------------------------------------


def _exact_case(rng: np.random.Generator) -> Case:
    """Six to nine positions with three moves, some not allowed, some of which end the game."""
    states, actions = int(rng.integers(6, 10)), 3
    ahead = np.array(
        [
            [rng.integers(s + 1, states) if s + 1 < states else -1 for _ in range(actions)]
            for s in range(states)
        ]
    )
    leads = np.where(rng.random((states, actions)) < 0.25, -1, ahead)
    policy = np.zeros((states, actions))
    for row in policy:
        allowed = rng.permutation(actions)[: int(rng.choice([1, 2, 3, 3]))]
        row[allowed] = rng.dirichlet(np.ones(len(allowed)) * 2)
    # What stands at moves that are not allowed says nothing.
    reward = np.where(
        (leads < 0) | (policy == 0), rng.choice([1.0, 1.0, 0.0, -1.0], (states, actions)), 0.0
    )
    return keyed(reference07.exact_advantages, EXACT_MISTAKES, leads, reward, policy)


def _exact_cases(rng: np.random.Generator) -> list[Case]:
    return telling(lambda rng: [_exact_case(rng) for _ in range(4)], rng)


def _exact_domain(leads: np.ndarray, reward: np.ndarray, policy: np.ndarray) -> bool:
    allowed, higher = policy > 0, leads > np.arange(len(leads))[:, None]
    within = (higher | (leads == -1) | ~allowed).all() and (leads < len(leads)).all()
    ends = (np.isin(reward, (1, 0, -1)) & ((leads == -1) | (reward == 0)) | ~allowed).all()
    shares = (
        leads.shape == reward.shape == policy.shape
        and np.allclose(policy.sum(axis=1), 1)
        and policy.min() >= 0
    )
    return bool(within) and bool(ends) and shares


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "points_advantages": Hidden(
        _points_cases, _points_domain, by_oracle(oracle07.points_advantages, POINTS_MISTAKES)
    ),
    "batch_weights": Hidden(
        _weights_cases, _weights_domain, by_oracle(oracle07.batch_weights, WEIGHTS_MISTAKES)
    ),
    "two_headed_gradient": Hidden(
        _gradient_cases,
        _gradient_domain,
        by_oracle(oracle07.two_headed_gradient, GRADIENT_MISTAKES),
    ),
    "recorder": Hidden(
        _recorder_cases, _recorder_domain, by_oracle(oracle07.recorder, RECORDER_MISTAKES)
    ),
    "exact_advantages": Hidden(
        _exact_cases, _exact_domain, by_oracle(reference07.exact_advantages, EXACT_MISTAKES)
    ),
}
