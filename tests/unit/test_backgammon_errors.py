"""What plays cost in millipoints: the sums by hand, the costs by brute force, what cannot be."""

import sys

import numpy as np
import pytest

from rlcourse.agents import RandomAgent, load_agent
from rlcourse.agents.gnubg import GnubgNetworkAgent
from rlcourse.agents.td_gammon import THROWS, equity
from rlcourse.errors import BadValue
from rlcourse.games import IllegalMove, get_game
from rlcourse.games.backgammon import outcomes
from rlcourse.judges import backgammon, backgammon_errors
from rlcourse.judges.backgammon_errors import ErrorRate, error_rate, errors
from rlcourse.programs import ProgramMissing
from tests.oracles.backgammon_positions import checkers_of
from tests.oracles.test_gnubg import random_positions

GAME = get_game("backgammon")


@pytest.fixture
def judge(monkeypatch):
    """The shipped bot judges in place of gnubg's networks."""
    bot = load_agent("backgammon/td-gammon")
    monkeypatch.setattr(backgammon_errors, "GnubgNetworkAgent", lambda game: bot)
    return bot


def test_the_rate_and_its_interval_by_hand():
    rate = ErrorRate("one", costs=(0.1, 0.3), decisions=(10, 10))
    assert rate.millipoints == pytest.approx(20)
    # Both games are 0.1 from 10 times the mean: 1.96 * sqrt(2 * 0.02) / 20 points.
    assert rate.interval() == pytest.approx((20 - 19.6, 20 + 19.6), abs=0.01)
    assert str(rate) == (
        "one loses 20.0 millipoints a decision [0.4, 39.6] in 20 decisions of 2 games with itself, "
        "by gnubg-nn 1-ply"
    )
    # A long game counts for more than a short one.
    assert ErrorRate("one", costs=(0.3, 0.1), decisions=(30, 2)).millipoints == 400 / 32


def by_hand(judge, state):
    """The value of each play of a throw, one throw and one answer after the other."""
    mover = state.next_player

    def at_the_end_of(other):
        """For the mover, whose turn it is again."""
        if other.is_over():
            return -float(abs(other.points))
        return float(equity(judge.outputs(other.checkers[None], np.array([mover])))[0])

    values = []
    for move in state.legal_moves():
        after, total = state.apply_move(move), 0.0
        for dice in THROWS if not after.is_over() else ():
            thrown = after.with_dice(*dice)
            worst = min(at_the_end_of(thrown.apply_move(one)) for one in thrown.legal_moves())
            total += worst * (1 if dice[0] == dice[1] else 2) / 36
        values.append(float(abs(after.points)) if after.is_over() else total)
    return np.array(values)


def test_costs_are_those_of_brute_force(judge):
    """Also of the play that seems worst at first sight; the best one is never left out."""
    batch = random_positions(12, 5)
    rows = np.flatnonzero(batch.counts() > 1)[:4]
    for row in rows.tolist():
        values = by_hand(judge, batch.state(row))
        first = judge.candidates(batch.state(row))
        seem = {one.move: one.equity for one in first}
        moves = batch.state(row).legal_moves()
        seen = np.array([seem[move] > first[0].equity - backgammon_errors.WITHIN for move in moves])
        for action in {0, int(values.argmax()), int(values.argmin())}:
            cost = errors(judge, batch, np.array([row]), np.array([action]))[0]
            best = values[seen | (np.arange(len(values)) == action)].max()
            assert cost == pytest.approx(best - values[action], abs=1e-5)


def test_the_judge_itself_errs_by_nothing_and_random_play_by_much(judge):
    perfect = error_rate(judge.copy_with(look_ahead=1000), games=4, seed=1)
    assert perfect.millipoints == 0 and sum(perfect.decisions) > 80
    greedy, random = error_rate(judge, games=4, seed=1), error_rate(RandomAgent(GAME), games=4)
    assert 0 < greedy.millipoints < random.millipoints / 10
    assert min(random.costs) > 0 and len(random.costs) == 4
    assert error_rate(judge, games=4, seed=1) == greedy


def test_forced_plays_do_not_count(judge):
    """The bear-off with one checker left has no choice."""
    batch = GAME.new_batch(2)
    batch.restore({**batch.arrays(), "checkers": np.stack([checkers_of({1: 1}, {1: 1})] * 2)})
    batch.roll(np.random.default_rng(0))
    assert outcomes(batch.checkers).tolist() == [0, 0]
    priced = backgammon_errors._Priced(judge, 2)
    priced.decide(batch, np.arange(2), np.random.default_rng(0))
    assert priced.decisions.tolist() == [0, 0] and priced.costs.tolist() == [0, 0]


@pytest.mark.parametrize("action", [-1, 10_000])
def test_a_play_that_is_none_is_not_priced(judge, action):
    batch = random_positions(1, 5)
    with pytest.raises(IllegalMove, match="index into the afterstates"):
        errors(judge, batch, np.zeros(1, np.int64), np.array([action]))


def test_what_cannot_be_judged_is_refused(judge):
    with pytest.raises(BadValue, match="two games or more; got 1"):
        error_rate(judge, games=1)
    with pytest.raises(BadValue, match="plays tic-tac-toe"):
        error_rate(load_agent("tic-tac-toe/perfect"))


def test_without_the_package_the_verdict_has_points_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "gnubg_nn", None)
    bot = load_agent("backgammon/td-gammon")
    with pytest.raises(ProgramMissing, match="pip install gnubg-nn"):
        GnubgNetworkAgent(GAME)
    points = backgammon.training_judge(bot)
    monkeypatch.setattr(backgammon, "judge_backgammon", lambda agent, **more: points)
    assert backgammon.final_judge(bot) == points


def test_the_final_verdict_has_both_units(judge, monkeypatch):
    points = backgammon.training_judge(judge)
    rate = ErrorRate(judge.name, (0.1, 0.3), (10, 10))
    monkeypatch.setattr(backgammon, "judge_backgammon", lambda agent, **more: points)
    monkeypatch.setattr(backgammon, "error_rate", lambda agent: rate)
    assert str(backgammon.final_judge(judge)) == f"{points}; {rate}"
