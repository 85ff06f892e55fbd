"""What sheet 08 takes for right does what search is for: little regret, values of best
play, means of real rollouts.
"""

from functools import lru_cache

import numpy as np
import pytest

from rlcourse.checks import judging, oracle08, reference08


@pytest.fixture
def any_choice(monkeypatch):
    """Choices that hang on rounding are allowed: over thousands of them some come close."""
    monkeypatch.setattr(judging, "NARROW", 0.0)


def test_the_regret_of_an_optimist_grows_like_a_logarithm(any_choice):
    """Far less than that of random choice, and T = 2,000 costs less than twice as much as
    T = 500 (Auer et al. 2002).
    """
    means, mornings, early, late = np.array([0.3, 0.5, 0.8]), 2000, [], []
    for seed in range(5):
        costs = (np.random.default_rng(seed).random((3, mornings)) < means[:, None]).astype(float)
        _, regret = oracle08.try_routes(costs, means, 2**0.5, mornings)
        early.append(regret[499])
        late.append(regret[-1])
    assert np.mean(late) < 0.3 * mornings * (means.mean() - means.min())
    assert np.mean(late) < 2 * np.mean(early)


def test_where_turns_alternate_the_backup_is_that_of_the_lesson():
    """Without boxes every total gets the leaf's value with the sign of its own
    mover, N += 1 on the whole path.
    """
    mover = np.array([0, 1, 0, 1, 0])
    visits, totals = oracle08.box_backup(
        np.zeros(6, int), np.zeros(6), range(5), mover, np.zeros(5), 0.7, 1
    )
    assert visits.tolist() == [1, 1, 1, 1, 1, 0]
    assert totals == pytest.approx([-0.7, 0.7, -0.7, 0.7, -0.7, 0.0])


def test_with_the_lectures_conventions_the_choice_is_that_of_the_lecture():
    """Q + c P sqrt(N) / (1 + n): 1.5 * 0.25 * 3 / (1 + n) beside Q of W / n, totals turned
    round, untried 0, no noise.
    """
    visits, wins, p = (
        np.array([[4, 3, 0, 2]]),
        np.array([[1.0, -1.5, 0.0, 1.0]]),
        np.full((1, 4), 0.25),
    )
    rest = np.ones((1, 4), bool), np.zeros(1), np.zeros(1, bool), p, 1.5, 0.25
    action, score = oracle08.puct_moves(visits, -wins, p, *rest)
    expected = [0.25 + 1.125 / 5, -0.5 + 1.125 / 4, 1.125, 0.5 + 1.125 / 3]
    assert (action[0], score[0]) == (2, pytest.approx(max(expected)))


@pytest.mark.parametrize("heap", [1, 2, 3, 4, 5, 6])
def test_with_many_simulations_the_search_plays_nim_perfectly(heap, any_choice):
    """Misere Nim, 1 to 3 stones: heaps 1, 5, 9 are lost; from others the
    winning move leaves one of them.
    """
    values = np.random.default_rng(heap).uniform(-0.9, 0.9, heap + 1)
    visits, value = oracle08.nim_search(heap, values, 1.0, 1500)
    lost = heap % 4 == 1
    assert value < -0.4 if lost else value > 0.4
    assert sum(visits) == 1499
    assert lost or np.argmax(visits) + 1 == (heap - 1) % 4


@pytest.mark.parametrize("takes", [(1, 3, 4), (2, 5), (1, 2, 4)])
def test_the_means_are_those_of_real_rollouts_and_misled_is_against_best_play(takes):
    @lru_cache(None)
    def best(heap):
        return max((-best(heap - take) for take in takes if take <= heap), default=-1)

    rng, games = np.random.default_rng(len(takes)), 4000
    means, misled = reference08.rollout_values(takes, 20)
    for heap in (6, 13, 20):
        total = 0
        for _ in range(games):
            left, sign = heap, 1
            while legal := [take for take in takes if take <= left]:
                left, sign = left - legal[int(rng.random() * len(legal))], -sign
            total -= sign  # who cannot move has lost
        assert abs(total / games - means[heap]) < 5 / games**0.5
    for heap in range(21):
        moves = [take for take in takes if take <= heap]
        flat = max(moves, key=lambda take: -means[heap - take], default=None)
        assert (heap in misled) == (best(heap) == 1 and best(heap - flat) == 1)


def test_a_choice_that_hangs_on_rounding_is_no_question():
    assert judging.best([0.5, 0.7, 0.7], [1, 2, 2]) == 1
    assert judging.best([0.5, 0.7, 0.7], [1, 2, 2], last=True) == 2
    for other in (0.7, 0.7 + 1e-12):
        with pytest.raises(judging.Narrow):
            judging.best([0.5, 0.7, other], [1, 2, 3])
