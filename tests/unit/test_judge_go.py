"""The judge of Go without GNU Go: what counts as a win, both colours, and equal results
for any number of processes.
"""

import numpy as np
import pytest

from rlcourse.agents import Decision, RandomAgent, load_agent
from rlcourse.arena import wilson
from rlcourse.games import get_game
from rlcourse.gtp.client import EngineMissing
from rlcourse.judges import final_judge
from rlcourse.judges.go import Verdict, judge_go


class Program(RandomAgent):
    """Takes an engine's place: plays at random and counts as `counts` says, None for the rules."""

    name = "program"
    counts = None

    def score(self, state):
        """Black's points less White's."""
        return state.score() if self.counts is None else self.counts

    def close(self):
        """Nothing runs."""


class BlackWins(Program):
    """Always counts a win for Black."""

    counts = 1.0


class Draws(Program):
    """Always counts a draw."""

    counts = 0.0


class Passer(RandomAgent):
    """Always passes."""

    name = "passer"

    def decide(self, batch, rows, rng):
        """The last action."""
        return Decision(np.full(len(rows), self.game.num_actions - 1, np.int32))


def test_a_verdict_by_hand():
    """160 + 120 of 400 games; Wilson at 95%, z = 1.959964, z^2 = 3.841459: centre (0.7 +
    3.841459 / 800) / 1.009604 = 0.698097; half z sqrt(0.7 * 0.3 / 400 + 3.841459 /
    640000) / 1.009604 = 0.044736."""
    verdict = Verdict("bot", "gnugo", (160, 38, 2), (120, 80, 0), 400)
    assert (verdict.games, verdict.wins) == (400, 280)
    assert verdict.interval() == pytest.approx((0.698097 - 0.044736, 0.698097 + 0.044736), abs=2e-5)
    (a, b), (c, d) = wilson(160, 200), wilson(120, 200)
    assert str(verdict) == (
        "bot vs gnugo: wins 70.0% [65.3%, 74.3%] in 400 games (400 distinct); as black 160/200 "
        f"[{a:.1%}, {b:.1%}], as white 120/200 [{c:.1%}, {d:.1%}]; 2 without a winner "
        "that both scores name"
    )


@pytest.fixture(scope="module")
def player():
    return load_agent("go/random", size=3, komi=0.5)


def test_a_win_is_what_both_count(player):
    honest = judge_go(player, opponent=Program, games=60)
    black = judge_go(player, opponent=BlackWins, games=60)
    assert (
        honest.as_black[2] == honest.as_white[2] == 0
        and min(*honest.as_black[:2], *honest.as_white[:2]) > 0
    )
    # The games are the same ones. Those that White has won are in doubt.
    assert black.as_black == (honest.as_black[0], 0, honest.as_black[1])
    assert black.as_white == (0, honest.as_white[1], honest.as_white[0])
    assert judge_go(player, opponent=Draws, games=60).as_black == (0, 0, 30)


def test_both_colours_are_the_agents():
    """On 3 x 3 with komi 0.5 a player who only passes loses as Black, and as White to a
    stone that is never taken.
    """
    passer = Passer(get_game("go", size=3, komi=0.5))
    verdict = judge_go(passer, opponent=Program, games=20)
    assert verdict.as_black == (0, 10, 0) and verdict.as_white == (0, 10, 0)
    assert (verdict.agent, verdict.opponent) == ("passer", "program")


def test_games_that_repeat_are_counted_once():
    """Both pass: the empty board, White wins by the komi."""
    passer = Passer(get_game("go", size=3, komi=0.5))

    class Partner(Program):
        decide = Passer.decide

    verdict = judge_go(passer, opponent=Partner, games=10)
    assert verdict.as_black == (0, 5, 0) and verdict.as_white == (5, 0, 0) and verdict.distinct == 2


def test_processes_and_seeds(player):
    player.rng = None  # the judge's own generators only
    one, three = (judge_go(player, opponent=Program, games=40, processes=n) for n in (1, 3))
    assert one == three and one.distinct > 30
    assert judge_go(player, opponent=Program, games=40, seed=1) != one


@pytest.mark.parametrize("games", [0, 3])
def test_what_cannot_be_judged(player, games):
    with pytest.raises(ValueError, match="even number"):
        judge_go(player, opponent=Program, games=games)
    with pytest.raises(ValueError, match="knows go; random plays connect-four"):
        judge_go(load_agent("connect-four/random"), opponent=Program)


def test_the_final_judge_is_gnu_go_where_it_is_installed_and_plays_that_size(monkeypatch):
    def missing():
        raise EngineMissing("GNU Go is not installed")

    monkeypatch.setattr("rlcourse.judges.go.judge_go", lambda agent: f"{agent.game} with GNU Go")
    weak = "rlcourse.judges.go.training_judge"
    monkeypatch.setattr(weak, lambda agent: f"{agent.game} with random play")
    agents = [load_agent("go/random", size=size) for size in (3, 5, 9, 13)]
    installed = "random play", "GNU Go", "GNU Go", "random play"
    for find, judges in ((lambda: "gnugo", installed), (missing, ["random play"] * 4)):
        monkeypatch.setattr("rlcourse.judges.go.find_gnugo", find)
        assert [final_judge("go")(agent) for agent in agents] == [
            f"{agent.game} with {judge}" for agent, judge in zip(agents, judges, strict=True)
        ]
