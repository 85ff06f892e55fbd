"""TD(lambda): numbers worked by hand, the definition by double loops, both views against each
other, the book's figures.
"""

import itertools

import numpy as np
import pytest

from rlcourse.experience import lambda_returns
from rlcourse.learning.td_lambda import (
    Steps,
    backward_view,
    bear_off,
    exact_values,
    lambda_errors,
    n_step_errors,
    random_walk,
    sample,
    visit_shares,
)
from rlcourse.solvers.bearoff import expected_rolls

# --- lambda-returns -------------------------------------------------------------------------------


def by_definition(rewards, next_values, lam, gamma):
    """(1 - lam) * sum of lam^(n-1) * n-step returns, and lam^(T-t-1) of the
    longest one; equation 12.3.
    """
    length, found = len(rewards), []
    for t in range(length):
        total = 0.0
        for n in range(1, length - t + 1):
            n_step = (
                sum(gamma**k * rewards[t + k] for k in range(n)) + gamma**n * next_values[t + n - 1]
            )
            total += lam ** (n - 1) * (1.0 if t + n == length else 1 - lam) * n_step
        found.append(total)
    return np.array(found)


def test_lambda_returns_by_hand():
    # gamma 1: G_2 = 1; G_1 = 0.5 * 0.8 + 0.5 * 1 = 0.9; G_0 = 0.5 * 0.5 + 0.5 * 0.9 = 0.7.
    # gamma 0.9: G_2 = 1; G_1 = 0.9 * 0.9 = 0.81; G_0 = 0.9 * (0.25 + 0.405) = 0.5895.
    rewards, values = [0.0, 0.0, 1.0], [0.5, 0.8, 0.0]
    np.testing.assert_allclose(lambda_returns(rewards, values, 0.5), [0.7, 0.9, 1.0], atol=1e-15)
    np.testing.assert_allclose(
        lambda_returns(rewards, values, 0.5, 0.9), [0.5895, 0.81, 1.0], atol=1e-15
    )
    # Cut off instead of over: the last value counts in full. G_2 = 1 + 2 = 3; G_1 = 0.4 + 1.5 =
    # 1.9; G_0 = 0.25 + 0.95 = 1.2.
    np.testing.assert_allclose(
        lambda_returns(rewards, [0.5, 0.8, 2.0], 0.5), [1.2, 1.9, 3.0], atol=1e-15
    )


@pytest.mark.parametrize("lam", [0.0, 0.3, 0.9, 1.0])
@pytest.mark.parametrize("gamma", [0.5, 0.97, 1.0])
def test_lambda_returns_are_their_definition(lam, gamma):
    rng = np.random.default_rng(3)
    for length in (1, 2, 7):
        rewards, values = rng.normal(size=(2, length))
        defined = by_definition(rewards, values, lam, gamma)
        np.testing.assert_allclose(lambda_returns(rewards, values, lam, gamma), defined, atol=1e-13)


def test_episodes_one_after_the_other_and_in_lock_step_are_those_apart():
    rng = np.random.default_rng(5)
    rewards, values = rng.normal(size=(2, 12, 3, 2))  # [T, B, outputs]
    ends = rng.random((12, 3)) < 0.3
    together = lambda_returns(rewards, values, 0.7, 0.9, ends)
    for b in range(3):
        bounds = [0, *(np.flatnonzero(ends[:, b]) + 1).tolist(), 12]
        for first, last in itertools.pairwise(bounds):
            for output in range(2):
                part = slice(first, last)
                alone = by_definition(rewards[part, b, output], values[part, b, output], 0.7, 0.9)
                np.testing.assert_allclose(together[part, b, output], alone, atol=1e-13)
    assert len(lambda_returns([], [], 0.5)) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1.0], [1.0, 2.0], 0.5), "one shape"),
        (([1.0], [1.0], 1.5), r"lam lies in \[0, 1\]; got 1.5"),
        (([1.0], [1.0], 0.5, -0.1), r"gamma lies in \[0, 1\]"),
        (([1.0, 2.0], [1.0, 2.0], 0.5, 1.0, [True]), "ends has the first axes"),
    ],
)
def test_lambda_returns_refuse(arguments, words):
    with pytest.raises(ValueError, match=words):
        lambda_returns(*arguments)


# --- forward and backward view --------------------------------------------------------------------


def forward_view(values, steps, *, alpha, lam, gamma=1.0):
    """[S]: every visit moves towards its lambda-return, all of them made from the old values."""
    values = np.array(values, np.float64)
    following = np.append(values, 0.0)[steps.next_state]
    targets = lambda_returns(steps.reward, following, lam, gamma, steps.next_state < 0)
    changes = np.zeros(len(values))
    np.add.at(changes, steps.state, targets - values[steps.state])
    return values + alpha * changes


# Room 0, room 1, room 0 again, and out with reward 1.
LOOP = Steps(np.array([0, 1, 0]), np.array([0.0, 0.0, 1.0]), np.array([1, 0, -1]), np.array([0, 3]))


def test_both_views_by_hand():
    # V = (0.2, 0.4), alpha = lam = 0.5. G_2 = 1, G_1 = 0.5 * 0.2 + 0.5 = 0.6, G_0 = 0.5 * 0.4 + 0.3
    # = 0.5. Room 0: 0.2 + 0.5 * (0.3 + 0.8) = 0.75; room 1: 0.4 + 0.5 * 0.2 = 0.5.
    rule = {"alpha": 0.5, "lam": 0.5}
    np.testing.assert_allclose(forward_view([0.2, 0.4], LOOP, **rule), [0.75, 0.5], atol=1e-15)
    # TD errors 0.2, -0.2, 0.8; traces of room 0: 1, 0.5, 1.25, of room 1: 0, 1, 0.5.
    # Room 0: 0.2 - 0.1 + 1 = 1.1; room 1: -0.2 + 0.4 = 0.2; half of each.
    np.testing.assert_allclose(
        backward_view([0.2, 0.4], LOOP, online=False, **rule), [0.75, 0.5], atol=1e-15
    )


def test_online_and_replacing_by_hand():
    # Online. TD error 0.2: V_0 = 0.2 + 0.1 = 0.3. Then 0.3 - 0.4 = -0.1: V_0 = 0.3 - 0.025 = 0.275,
    # V_1 = 0.4 - 0.05 = 0.35. Then 1 - 0.275 = 0.725: V_0 = 0.275 + 0.5 * 0.725 * 1.25 = 0.728125,
    # V_1 = 0.35 + 0.5 * 0.725 * 0.5 = 0.53125.
    rule = {"alpha": 0.5, "lam": 0.5}
    np.testing.assert_allclose(
        backward_view([0.2, 0.4], LOOP, **rule), [0.728125, 0.53125], atol=1e-15
    )
    # Replacing: the last trace of room 0 is 1: V_0 = 0.275 + 0.3625 = 0.6375.
    np.testing.assert_allclose(
        backward_view([0.2, 0.4], LOOP, replacing=True, **rule), [0.6375, 0.53125], atol=1e-15
    )
    # Start 0, offline, gamma 0.5: only the last TD error, 1, with traces 1 + (0.25)^2 and 0.25.
    after = backward_view([0.0, 0.0], LOOP, alpha=0.1, lam=0.5, gamma=0.5, online=False)
    np.testing.assert_allclose(after, [0.10625, 0.025], atol=1e-15)


def test_a_second_episode_knows_nothing_of_the_first_one_s_trace():
    twice = Steps(np.array([0, 1]), np.array([0.0, 1.0]), np.array([-1, -1]), np.array([0, 2]))
    np.testing.assert_allclose(
        backward_view([0.0, 0.0], twice, alpha=0.5, lam=1.0), [0.0, 0.5], atol=0
    )


@pytest.mark.parametrize("lam", [0.0, 0.4, 0.95, 1.0])
@pytest.mark.parametrize("gamma", [0.9, 1.0])
def test_forward_and_backward_view_agree_offline(lam, gamma):
    rng = np.random.default_rng(6)
    walks = sample(random_walk(9), rng, runs=1, episodes=50)
    values = rng.normal(size=9)
    rule = {"alpha": 0.01, "lam": lam, "gamma": gamma}
    forward, backward = (
        forward_view(values, walks, **rule),
        backward_view(values, walks, online=False, **rule),
    )
    np.testing.assert_allclose(forward, backward, rtol=0, atol=1e-12)
    assert np.abs(forward - values).max() > 0.1
    if lam > 0:  # online it is another update, and so is a replacing trace
        assert np.abs(forward - backward_view(values, walks, **rule)).max() > 1e-3
        assert (
            np.abs(
                forward - backward_view(values, walks, online=False, replacing=True, **rule)
            ).max()
            > 1e-3
        )


# --- processes ------------------------------------------------------------------------------------


def test_exact_values():
    np.testing.assert_allclose(exact_values(random_walk(19)), np.arange(-9, 10) / 10, atol=1e-13)
    # gamma 0.5 and three states: v_1 = 0 by symmetry, v_2 = 0.5 * 1 + 0.25 * v_1 = 0.5.
    np.testing.assert_allclose(exact_values(random_walk(3), 0.5), [-0.5, 0.0, 0.5], atol=1e-14)
    bears = bear_off(2)
    assert bears.start == 26 and (bears.rewards == 1).all()
    both_on_six = np.array([0, 0, 0, 0, 0, 2])
    assert exact_values(bears)[bears.start] == pytest.approx(expected_rolls(both_on_six), abs=1e-12)


def test_samples_are_of_the_process():
    process = bear_off(2)
    steps = sample(process, np.random.default_rng(8), runs=4, episodes=2500)
    assert (steps.state[steps.runs[:-1]] == process.start).all()
    assert [
        (steps.next_state[a:b] < 0).sum() for a, b in zip(steps.runs, steps.runs[1:], strict=False)
    ] == [2500] * 4
    inside = steps.next_state[:-1] >= 0
    np.testing.assert_array_equal(steps.next_state[:-1][inside], steps.state[1:][inside])
    assert (steps.state[1:][~inside] == process.start).all()
    # 10,000 bear-offs; the mean number of rolls has a standard error below 0.006.
    assert len(steps.state) / 10_000 == pytest.approx(
        exact_values(process)[process.start], abs=0.03
    )
    shares = np.bincount(steps.state, minlength=len(process.following)) / len(steps.state)
    np.testing.assert_allclose(shares, visit_shares(process), atol=0.01)
    again = sample(process, np.random.default_rng(8), runs=4, episodes=2500)
    assert all((a == b).all() for a, b in zip(steps, again, strict=True))


# --- errors ---------------------------------------------------------------------------------------


def slow_n_step(steps, size, truth, alpha, n):
    """n-step TD of one run as the book's algorithm orders it (equation 7.2); the mean of the
    errors after every episode.
    """
    values, errors, begin = np.zeros(size), [], 0
    for end in (np.flatnonzero(steps.next_state < 0) + 1).tolist():
        states, rewards, length = steps.state[begin:end], steps.reward[begin:end], end - begin
        for t in range(length + n - 1):
            tau = t - n + 1
            if tau < 0:
                continue
            target = sum(rewards[k] for k in range(tau, min(tau + n, length)))
            if tau + n < length:
                target += values[states[tau + n]]
            if tau < length:
                values[states[tau]] += alpha * (target - values[states[tau]])
        errors.append(np.sqrt(np.mean((values - truth) ** 2)))
        begin = end
    return np.mean(errors)


@pytest.mark.parametrize("n", [1, 3, 10_000])
def test_n_step_errors_are_those_of_the_plain_algorithm(n):
    walk = random_walk(5)
    steps = sample(walk, np.random.default_rng(9), runs=2, episodes=6)
    second = Steps(*(part[steps.runs[1] :] for part in steps[:3]), np.array([0]))
    plain = slow_n_step(second, 5, exact_values(walk), 0.3, n)
    assert n_step_errors(walk, steps, [n], [0.3])[0, 0, 1] == pytest.approx(plain, abs=1e-13)


def test_td_0_is_one_step_td():
    walk = random_walk()
    steps = sample(walk, np.random.default_rng(10), runs=3, episodes=10)
    alphas = [0.1, 0.5]
    np.testing.assert_allclose(
        lambda_errors(walk, steps, [0.0], alphas),
        n_step_errors(walk, steps, [1], alphas),
        atol=1e-13,
    )


def test_lambda_errors_are_those_of_the_values():
    walk = random_walk(7)
    steps = sample(walk, np.random.default_rng(11), runs=1, episodes=1)
    for replacing in (False, True):
        values = backward_view(np.zeros(7), steps, alpha=0.2, lam=0.8, replacing=replacing)
        expected = np.sqrt(np.mean((values - exact_values(walk)) ** 2))
        assert lambda_errors(walk, steps, [0.8], [0.2], replacing=replacing)[
            0, 0, 0
        ] == pytest.approx(expected, abs=1e-14)
        weighted = np.sqrt(visit_shares(walk) @ (values - exact_values(walk)) ** 2)
        found = lambda_errors(walk, steps, [0.8], [0.2], replacing=replacing, by_visits=True)
        assert found[0, 0, 0] == pytest.approx(weighted, abs=1e-14)


def test_learning_that_runs_away_has_infinite_error():
    walk = random_walk()
    steps = sample(walk, np.random.default_rng(12), runs=2, episodes=10)
    assert np.isinf(lambda_errors(walk, steps, [1.0], [1.0])).all()


@pytest.mark.slow
def test_the_books_figures():
    """Figures 7.2 and 12.6 of Sutton & Barto: the best n is near 4, the best lambda near
    0.8, both below either end.
    """
    walk, alphas = random_walk(), np.linspace(0.05, 1, 20)
    steps = sample(walk, np.random.default_rng(13), runs=100, episodes=10)
    best = n_step_errors(walk, steps, [1, 2, 4, 8, 16, 512], alphas).mean(axis=2).min(axis=1)
    assert (
        best.argmin() in (2, 3) and 0.25 < best.min() < 0.29 and best[0] > 0.33 and best[-1] > 0.45
    )
    best = lambda_errors(walk, steps, [0.0, 0.4, 0.8, 1.0], alphas).mean(axis=2).min(axis=1)
    assert best.argmin() == 2 and 0.25 < best.min() < 0.29 and best[0] > 0.33 and best[-1] > 0.45
