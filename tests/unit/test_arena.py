"""Matches and intervals, against numbers worked elsewhere."""

import numpy as np
import pytest
from scipy.stats import binomtest

from rlcourse.agents import make_agent
from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.arena import MatchResult, play_match, sample_size, wilson
from rlcourse.games import get_game


class Lowest(BatchAgent):
    """Plays the lowest legal action, or an illegal one on its turn number `blunder`."""

    def __init__(self, game, name, blunder=None):
        super().__init__(game)
        self.name, self.blunder = name, blunder

    def decide(self, batch, rows, rng):
        action = batch.legal(rows).argmax(axis=1)
        if self.blunder is not None:
            stones = (batch.cells[rows] != 0).sum(axis=1) // 2
            action = np.where(stones == self.blunder, 99, action)
        return Decision(action.astype(np.int32))


def test_wilson_interval_is_scipy_s():
    for n, successes in ((1, 0), (7, 7), (40, 13), (400, 3)):
        expected = binomtest(successes, n).proportion_ci(0.95, method="wilson")
        assert wilson(successes, n) == pytest.approx(expected, abs=1e-12)


def test_a_draw_is_half_a_win_in_the_interval_of_the_score():
    result = MatchResult("a", "b", (10, 20, 10), (10, 20, 10), 80)
    assert result.score_interval() == wilson(40, 80) and result.interval() == wilson(20, 80)
    odd = MatchResult("a", "b", (1, 1, 0), (2, 0, 0), 4)
    low, high = odd.score_interval()
    assert wilson(3, 4)[0] < low < odd.score < high < wilson(4, 4)[1]


def test_wilson_interval_of_a_hand_worked_case():
    # 80 of 100, z = 1.959964: centre (0.8 + z^2/200) / (1 + z^2/100) = 0.78890, half width
    # z/(1 + z^2/100) * sqrt(0.8*0.2/100 + z^2/40000) = 0.07778.
    low, high = wilson(80, 100)
    assert (round(low, 3), round(high, 3)) == (0.711, 0.867)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10)[0] == 0.0 and wilson(10, 10)[1] == 1.0


def test_sample_size_of_a_textbook_case():
    # p0 = 0.5, p1 = 0.55, alpha 0.05 two-sided, power 0.8: (1.95996*0.5 +
    # 0.84162*0.497494)^2 / 0.0025 = 782.7
    assert sample_size(0.55) == 783
    assert sample_size(0.45) == 783
    for wrong in (0.5, 0.0, 1.0):
        with pytest.raises(ValueError, match="rate between 0 and 1 that is not 1.2"):
            sample_size(wrong)


def test_seats_alternate_and_distinct_games_are_counted():
    game = get_game("tic-tac-toe")
    # Both play the lowest free square: X takes 0 2 4 6 and wins on the
    # diagonal 2 4 6, whoever X is.
    result = play_match(Lowest(game, "a"), Lowest(game, "b"), games=10, seed=0)
    assert result.as_first == (5, 0, 0) and result.as_second == (0, 0, 5)
    assert (result.wins, result.draws, result.losses, result.games, result.score) == (
        5,
        0,
        5,
        10,
        0.5,
    )
    assert result.distinct == 2
    assert "10 games (2 distinct)" in str(result)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_same_seed_same_match(name):
    agent = make_agent("random", get_game(name))
    one, two, other = (play_match(agent, agent, games=200, seed=seed) for seed in (1, 1, 2))
    assert one == two != other


def test_random_against_random_is_the_known_rate():
    """Of all games of random tic-tac-toe the first player wins 58.49%, the second 28.81%, 12.70%
    are drawn (exact by enumeration of the game tree); 6 standard errors either way."""
    agent = make_agent("random", get_game("tic-tac-toe"))
    result = play_match(agent, agent, games=20_000, seed=0)
    first = np.array(result.as_first) + np.array(result.as_second)[::-1]
    expected = np.array([0.5849, 0.1270, 0.2881])
    assert np.all(
        np.abs(first / 20_000 - expected) < 6 * np.sqrt(expected * (1 - expected) / 20_000) + 5e-5
    )


@pytest.mark.parametrize("blunder", [0, 1])
def test_an_illegal_action_loses_its_game_and_no_other(blunder):
    game = get_game("connect-four")
    result = play_match(Lowest(game, "a", blunder), Lowest(game, "b"), games=6, seed=0)
    assert result.losses == 6 and result.forfeits == (6, 0)
    result = play_match(Lowest(game, "a"), Lowest(game, "b", blunder), games=6, seed=0)
    assert result.wins == 6 and result.forfeits == (0, 6)


def test_agents_of_different_games_and_odd_matches_are_refused():
    ttt, c4 = (make_agent("random", get_game(name)) for name in ("tic-tac-toe", "connect-four"))
    with pytest.raises(ValueError, match="cannot meet"):
        play_match(ttt, c4, games=2, seed=0)
    for games in (0, 3, -2):
        with pytest.raises(ValueError, match="even number"):
            play_match(ttt, ttt, games=games, seed=0)
