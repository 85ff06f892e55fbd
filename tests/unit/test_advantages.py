"""Advantages that bootstrap: by hand, against the definition, over the exact values of a
policy, and in the learner.
"""

from itertools import chain

import numpy as np
import pytest

from rlcourse.experience import ExperienceBuffer, advantages_of, lambda_returns, n_step_returns
from rlcourse.learning import make_learner
from rlcourse.solvers.tictactoe import CODES, evaluate_policy, lambda_return_moments, solve, tables


def buffer_of(
    values: list[float], players: list[int], results: list[float], games: list[int]
) -> ExperienceBuffer:
    """Decisions with these values and returns, both for the player who moved."""
    count = len(values)
    return ExperienceBuffer(
        {
            "state": np.zeros((count, 1), np.int8),
            "action": np.zeros(count, np.int32),
            "reward": np.array(results, np.float32),
            "player": np.array(players, np.int8),
            "game": np.array(games, np.int32),
            "ply": np.array([games[:t].count(games[t]) for t in range(count)], np.int32),
            "value": np.array(values, np.float32),
        }
    )


# A game of three plies that the first player wins; the movers give 0.2, -0.5 and 0.5. Seen by the
# first player the values are
# 0.2, 0.5, 0.5. TD errors for the movers: 0.5 - 0.2 = 0.3; -(0.5 - 0.5) = 0; 1 - 0.5 = 0.5.
# Returns less values: 1 - 0.2 = 0.8; -1 + 0.5 = -0.5; 0.5. With lambda 1/2 the first player sees
# G_2 = 1, G_1 = (0.5 + 1) / 2 = 0.75, G_0 = (0.5 + 0.75) / 2 = 0.625: advantages 0.425, -0.25, 0.5.
# Two steps: G_0 = 0.5, G_1 = 1.
ONE_GAME = ([0.2, -0.5, 0.5], [0, 1, 0], [1, -1, 1], [0, 0, 0])
BY_HAND = [
    ({"lam": 0.0}, [0.3, 0.0, 0.5]),
    ({"lam": 1.0}, [0.8, -0.5, 0.5]),
    ({"lam": 0.5}, [0.425, -0.25, 0.5]),
    ({"n_step": 1}, [0.3, 0.0, 0.5]),
    ({"n_step": 2}, [0.3, -0.5, 0.5]),
    ({"n_step": 9}, [0.8, -0.5, 0.5]),
]


@pytest.mark.parametrize("options, expected", BY_HAND)
def test_one_game_by_hand(options, expected):
    """A value of the next ply that is not negated would give 0.2 - ... =
    -0.7 for the first TD error.
    """
    assert np.allclose(advantages_of(buffer_of(*ONE_GAME), **options), expected, atol=1e-7)


@pytest.mark.parametrize("options, expected", BY_HAND)
def test_games_do_not_touch_each_other_and_rows_may_come_in_any_order(options, expected):
    """The same game beside a longer one that is drawn, shuffled; and a game of the
    second player's decisions alone.
    """
    other = ([0.1, 0.4, -0.9, 0.3, 0.0], [0, 1, 0, 1, 0], [0] * 5, [7] * 5)
    alone = ([0.6, -0.2], [1, 1], [-1, -1], [9, 9])
    both = buffer_of(
        *(list(chain.from_iterable(parts)) for parts in zip(other, ONE_GAME, alone, strict=True))
    )
    order = np.random.default_rng(0).permutation(len(both))
    advantages = np.empty(len(both))
    advantages[order] = advantages_of(both.take(order), **options)
    assert np.allclose(advantages[5:8], expected, atol=1e-7)
    assert np.array_equal(advantages[:5], advantages_of(buffer_of(*other), **options))
    if options == {"lam": 0.0}:  # the next state is the next one recorded: -0.2 - 0.6, and -1 + 0.2
        assert np.allclose(advantages[8:], [-0.8, -0.8])


def test_the_lambda_return_is_the_weighted_sum_of_n_step_returns():
    """Sutton & Barto (2018), eq. 12.3, on random episodes in lock-step
    that end at different times.
    """
    rng = np.random.default_rng(3)
    rewards, values, ends = (
        rng.normal(size=(12, 5)),
        rng.normal(size=(12, 5)),
        rng.random((12, 5)) < 0.2,
    )
    lam, gamma = 0.7, 0.9
    summed = lam**40 * n_step_returns(rewards, values, 41, gamma, ends)
    for n in range(1, 41):
        summed += (1 - lam) * lam ** (n - 1) * n_step_returns(rewards, values, n, gamma, ends)
    assert np.allclose(summed, lambda_returns(rewards, values, lam, gamma, ends))
    with pytest.raises(ValueError, match="n counts steps, from 1; got 0"):
        n_step_returns(rewards, values, 0)


def test_n_steps_by_their_definition():
    """Without ends: the sum written out, for one episode of six steps whose last
    value is bootstrapped too.
    """
    rng = np.random.default_rng(4)
    rewards, values = rng.normal(size=(2, 6))
    for n in (1, 2, 4, 6, 9):
        for t in range(6):
            stop = min(t + n, 6)
            expected = (
                sum(0.8 ** (k - t) * rewards[k] for k in range(t, stop))
                + 0.8 ** (stop - t) * values[stop - 1]
            )
            assert n_step_returns(rewards, values, n, 0.8)[t] == pytest.approx(expected)


@pytest.mark.slow
def test_the_learners_advantages_at_both_ends_are_the_baselines_and_the_td_errors():
    """In real self-play on a small board: lambda 1 gives exactly return less value, lambda 0 the TD
    error to 1e-5, and the options change what the learner learns."""
    learner = make_learner("actor-critic", size=3, games=16, seed=1)
    buffer = learner.collect(np.random.default_rng(0))
    assert np.array_equal(advantages_of(buffer, lam=1.0), buffer["reward"] - buffer["value"])
    same_game = buffer["game"][1:] == buffer["game"][:-1]
    assert (buffer["player"][1:] != buffer["player"][:-1])[same_game].all()
    next_value = np.append(np.where(same_game, -buffer["value"][1:], 0), 0)
    reward = np.where(np.append(same_game, False), 0, buffer["reward"])
    assert np.allclose(
        advantages_of(buffer, lam=0.0), reward + next_value - buffer["value"], atol=1e-5
    )
    assert 0 < same_game.mean() < 1 and np.abs(next_value).max() > 0.01
    weights = {}
    for name, options in {"one": {}, "gae": {"lam": 0.9}, "five": {"n_step": 5}}.items():
        other = make_learner("actor-critic", size=3, games=16, seed=1, **options)
        other.update(buffer, np.random.default_rng(0))
        weights[name] = np.concatenate([array.ravel() for array in other.agent().arrays().values()])
    assert not np.array_equal(weights["one"], weights["gae"]) and not np.array_equal(
        weights["five"], weights["gae"]
    )


# --- the exact values of a policy -----------------------------------------------------------------


def softmax_policy(q: np.ndarray, temperature: float) -> np.ndarray:
    """[3^9, 9]: probabilities from action values; 0 where an action is illegal."""
    legal = ~np.isnan(q)
    weights = np.where(legal, np.exp(np.where(legal, q, 0) / temperature), 0)
    return weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)


def test_random_play_and_perfect_play_have_their_known_values():
    """Random play from the empty board: X wins 131,184 of 255,168 orders by squares... as
    probabilities 737/1260, O 121/420, so 0.585 - 0.288 = 0.2968. A policy that plays only best
    moves has the value of the game."""
    rules = tables()
    uniform = (rules.successor >= 0) / np.maximum(
        (rules.successor >= 0).sum(axis=1, keepdims=True), 1
    )
    values = evaluate_policy(uniform)
    assert values.value[0] == pytest.approx(737 / 1260 - 121 / 420)
    assert (
        values.visits[rules.reachable & rules.done].sum() == pytest.approx(1)
        and values.visits[0] == 1
    )
    best = solve().best & (rules.successor >= 0)
    perfect = best / np.maximum(best.sum(axis=1, keepdims=True), 1)
    codes = rules.decisions
    assert np.allclose(evaluate_policy(perfect).value[codes], solve().value[codes])


def test_moments_agree_with_sampled_games():
    """20,000 games of a softmax policy with a wrong critic: means and variances of the sampled
    lambda-returns at the first two plies lie within five standard errors of the recursion's."""
    policy = softmax_policy(solve().q, 0.7)
    critic = np.random.default_rng(1).uniform(-0.5, 0.5, CODES)
    lam, rng, rules = 0.6, np.random.default_rng(2), tables()
    _, mean, variance = lambda_return_moments(policy, critic, lam)
    games, code = 20_000, np.zeros(20_000, np.int64)
    actions, codes = [], [code]
    for _ in range(9):
        draws = rng.random((games, 1)) > policy[code].cumsum(axis=1)
        action = np.where(rules.done[code], 0, np.minimum(draws.sum(axis=1), 8))
        action = np.where(rules.successor[code, action] >= 0, action, policy[code].argmax(axis=1))
        actions.append(action)
        code = np.where(rules.done[code], code, rules.successor[code, action])
        codes.append(code)
    sign = 1 - 2 * rules.to_play[np.array(codes)]
    done = rules.done[np.array(codes)]
    points = rules.points[codes[-1]]
    rewards = np.where(done[1:] & ~done[:-1], points, 0.0)
    next_values = np.where(done[1:], 0.0, sign[1:] * critic[np.array(codes[1:])])
    returns = sign[:-1] * lambda_returns(rewards, next_values, lam, ends=done[1:])
    for ply in (0, 1):
        seen = np.unique(np.stack([codes[ply], actions[ply]]), axis=1).T
        for state, action in seen[:: 7 if ply else 1]:
            sample = returns[ply][(codes[ply] == state) & (actions[ply] == action)]
            if len(sample) > 200:
                error = sample.std() / np.sqrt(len(sample))
                assert abs(sample.mean() - mean[state, action]) < 5 * error + 1e-9
                assert sample.var() == pytest.approx(variance[state, action], rel=0.35, abs=1e-3)


def test_an_exact_critic_has_no_bias_and_lambda_0_no_variance():
    """With the true values every lambda is right on average; the one-step error is
    then the advantage itself.
    """
    policy = softmax_policy(solve().q, 0.5)
    values = evaluate_policy(policy)
    codes = tables().decisions
    for lam in (0.0, 0.5, 1.0):
        _, mean, variance = lambda_return_moments(policy, values.value, lam)
        assert np.allclose(mean[codes], values.q[codes], equal_nan=True)
        assert (np.nanmax(variance[codes]) == 0) == (lam == 0)
