"""Ratings from games: numbers worked by hand, another optimiser, and simulated ladders
of which the truth is known.
"""

import csv
import math

import numpy as np
import pytest
from scipy.optimize import minimize

from rlcourse import ladder as module
from rlcourse.ladder import ELO, rate

NAMES = ("a", "b")


@pytest.fixture
def without_prior(monkeypatch):
    monkeypatch.setattr(module, "PRIOR", 1e6)


def pair(won, drawn, lost):
    return rate(NAMES, np.array([[0, won], [lost, 0]]), np.array([[0, drawn], [drawn, 0]]))


def test_two_players_without_draws_by_hand(without_prior):
    # 12 : 4 are odds of 3, so 400 log10(3) = 190.85 Elo. The odds' logarithm has the variance 1 /
    # (n p q) with n = 16, p = 3/4: 1/3. So the error is 400 / ln(10) / sqrt(3) = 100.30.
    told = pair(12, 0, 4)
    assert told.elo.tolist() == pytest.approx([190.85, 0.0], abs=0.01)
    assert told.error[0, 1] == pytest.approx(100.30, abs=0.01)
    assert told.interval(0) == pytest.approx(
        (190.85 - 1.959964 * 100.30, 190.85 + 1.959964 * 100.30), abs=0.05
    )
    # 190.85 / 100.30 = 1.903 standard errors; 13 : 3 are 254.7 / 111.3 = 2.289 of them.
    assert not told.apart(0, 1) and pair(13, 0, 3).apart(0, 1)
    assert told.expected(190.85) == pytest.approx(0.75, abs=1e-4)
    assert told.smallest_gap() == pytest.approx((1.959964 + 0.841621) * 100.30, abs=0.05)


def test_two_players_with_draws_by_hand(without_prior):
    # 8 won, 4 drawn, 2 lost: exp(d) = 8 / 2, so 400 log10(4) = 240.82 Elo,
    # and nu = 4 / sqrt(8 * 2) = 1.
    told = pair(8, 4, 2)
    assert told.elo[0] == pytest.approx(240.82, abs=0.01) and told.nu == pytest.approx(
        1.0, abs=0.01
    )
    assert told.expected(240.82) == pytest.approx(10 / 14, abs=1e-3)
    assert told.score.tolist() == pytest.approx([10 / 14, 4 / 14]) and told.games.tolist() == [
        14,
        14,
    ]
    assert told.head_to_head[0, 1] == pytest.approx(10 / 14) and np.isnan(told.head_to_head[0, 0])


def tournament(rng, strengths, nu, games):
    """wins and draws of a round robin drawn from the model."""
    d = strengths[:, None] - strengths
    win, loss = np.exp(d / 2), np.exp(-d / 2)
    drawn = rng.multinomial(
        games, np.stack([win, loss, np.full_like(d, nu)], -1) / (win + loss + nu)[..., None]
    )
    upper = np.triu(np.ones(d.shape, bool), 1)
    wins = np.where(upper, drawn[..., 0], 0) + np.where(upper, drawn[..., 1], 0).T
    draws = np.where(upper, drawn[..., 2], 0)
    return wins, draws + draws.T


def test_another_optimiser_and_numerical_curvature_agree():
    rng = np.random.default_rng(1)
    wins, draws = tournament(rng, rng.normal(0, 1.5, 5), 0.6, 12)

    def loss(x):
        total = 0.0
        for i in range(5):
            total += (ELO / module.PRIOR) ** 2 * x[i] ** 2 / 2
            for j in range(i):
                d, nu = x[i] - x[j], math.exp(x[5])
                weights = np.array([math.exp(d / 2), math.exp(-d / 2), nu])
                total -= np.log(weights / weights.sum()) @ [wins[i, j], wins[j, i], draws[i, j]]
        return total + 0.005 * x[5] ** 2

    best = minimize(loss, np.zeros(6), method="BFGS", tol=1e-12).x
    told = rate("abcde", wins, draws, anchor=2)
    assert np.allclose(told.elo, ELO * (best[:5] - best[2]), atol=0.05)
    assert told.nu == pytest.approx(math.exp(best[5]), rel=1e-3)
    steps = 1e-3 * np.eye(6)
    curvature = [
        [
            (loss(best + a + b) - loss(best + a - b) - loss(best - a + b) + loss(best - a - b))
            / 4e-6
            for a in steps
        ]
        for b in steps
    ]
    covariance = np.linalg.inv(curvature)
    expected = ELO * math.sqrt(covariance[0, 0] + covariance[2, 2] - 2 * covariance[0, 2])
    assert told.error[0, 2] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("nu", [0.0, 0.8])
def test_intervals_cover_the_truth_as_often_as_they_say(nu):
    """12 players over 700 Elo, 10 games a pair, 200 ladders: 95% intervals of 11 differences each;
    92.5 to 97.5% is wide enough for differences that hang together."""
    rng, truth = np.random.default_rng(2), np.linspace(-2, 2, 12)
    inside = []
    for _ in range(200):
        told = rate([str(k) for k in range(12)], *tournament(rng, truth, nu, 10), anchor=0)
        spans = np.array([told.interval(k) for k in range(1, 12)])
        right = ELO * (truth[1:] - truth[0])
        inside.append((spans[:, 0] < right) & (right < spans[:, 1]))
    assert 0.925 < np.mean(inside) < 0.975, np.mean(inside)


def test_the_smallest_gap_is_told_as_often_as_it_says():
    """Two players that gap apart, in the middle of a field: about 80% of 300 ladders tell them
    apart the right way round.
    """
    rng, field = np.random.default_rng(3), np.array([-1.5, -1, -0.5, 0, 0, 0.5, 1, 1.5])
    gap = rate("abcdefgh", *tournament(rng, field, 0.5, 20)).smallest_gap()
    field[3:5] = [-gap / ELO / 2, gap / ELO / 2]
    told = [rate("abcdefgh", *tournament(rng, field, 0.5, 20)) for _ in range(300)]
    found = np.mean([one.apart(4, 3) and one.elo[4] > one.elo[3] for one in told])
    assert 0.70 < found < 0.90, found


def test_a_player_who_lost_every_game_has_a_finite_place_and_a_wide_interval():
    wins = np.array([[0, 6, 10], [4, 0, 10], [0, 0, 0]])
    told = rate("abc", wins, np.zeros((3, 3)), anchor=0)
    low, high = told.interval(2)
    assert (
        -1500 < told.elo[2] < -300
        and high - low > 3 * (told.interval(1)[1] - told.interval(1)[0]) / 2
    )
    assert told.order.tolist() == [0, 1, 2]


def test_the_prior_is_not_felt_where_there_are_games(monkeypatch):
    pulled = pair(120, 40, 40).elo[0]
    monkeypatch.setattr(module, "PRIOR", 1e6)
    assert abs(pulled - pair(120, 40, 40).elo[0]) < 1


def test_the_table_and_its_csv(tmp_path):
    told = rate(("=SUM(1)", "b"), np.array([[0, 30], [5, 0]]), np.array([[0, 5], [5, 0]]))
    first, second = told.rows()
    assert (first["rank"], first["name"], first["wins"], first["draws"], first["losses"]) == (
        1,
        "=SUM(1)",
        30,
        5,
        5,
    )
    assert first["apart"] is True and second["elo"] == second["low"] == second["high"] == 0
    told.write_csv(tmp_path / "ladder.csv")
    with (tmp_path / "ladder.csv").open(encoding="utf-8") as stream:
        assert [row["name"] for row in csv.DictReader(stream)] == ["'=SUM(1)", "b"]
    assert "Elo 0 is b" in str(told) and "not told from the next" not in str(told)
    assert "not told from the next" in str(pair(6, 0, 4))


def test_what_is_no_ladder_is_refused():
    zeros = np.zeros((2, 2)), np.zeros((3, 3))
    for names, wins, draws in (
        ("a", [[0]], [[0]]),
        ("ab", zeros[1], zeros[1]),
        ("ab", zeros[0], [[0, 1], [0, 0]]),
    ):
        with pytest.raises(ValueError, match="two players or more"):
            rate(names, wins, draws)
