"""gnubg itself, and its networks without it: what they are known to say, their own choice against
ours by their numbers, their look-ahead against ours.
"""

import importlib.util

import numpy as np
import pytest

from rlcourse.agents import load_agent
from rlcourse.agents.gnubg import Gnubg, GnubgNetworkAgent
from rlcourse.agents.td_gammon import equity, exact_outputs, expectimax
from rlcourse.games import from_recipe, get_game
from rlcourse.games.backgammon import START, outcomes
from rlcourse.judges.backgammon import judge_backgammon
from tests.conftest import end_without
from tests.oracles.backgammon_positions import checkers_of

GAME = get_game("backgammon")
ROUNDING = 1e-5  # of an equity from five probabilities of six decimals


@pytest.fixture(scope="module")
def agent(require_program):
    require_program("gnubg")
    found = load_agent("backgammon/gnubg")
    yield found
    found.engine.close()


@pytest.fixture(scope="module")
def network():
    if importlib.util.find_spec("gnubg_nn") is None:
        end_without("gnubg-nn is not installed (requirements.lock has it where it has wheels)")
    return GnubgNetworkAgent(GAME)


@pytest.fixture(params=["agent", "network"])
def either(request):
    return request.getfixturevalue(request.param)


def say(agent, first, second):
    """gnubg's five probabilities for the first player, who is on roll."""
    return agent.outputs(checkers_of(first, second)[None], np.zeros(1, np.int8))[0]


def random_positions(count, seed):
    """A batch of positions from random games, thrown, none of them over."""
    rng = np.random.default_rng(seed)
    batch = GAME.new_batch(count)
    for _ in range(60):
        batch.roll(rng)
        choice = rng.integers(0, np.maximum(batch.counts(), 1))
        batch.step(np.where(batch.done | (rng.random(count) < 0.03), -1, choice))
        batch.reset(np.flatnonzero(batch.done))
    batch.roll(rng)
    return batch


OPENINGS = {
    (3, 1): "8/5 6/5",
    (4, 2): "8/4 6/4",
    (6, 1): "13/7 8/7",
    (5, 3): "8/3 6/3",
    (6, 5): "24/13",
}


@pytest.mark.parametrize("dice", OPENINGS, ids=str)
@pytest.mark.parametrize("player", [0, 1])
def test_famous_openings(either, dice, player):
    state = from_recipe(f"backgammon:4HPwATDgc/ABMA:{player}:{dice[0]}{dice[1]}")
    assert state.describe(either.select_move(state)) == OPENINGS[dice]
    assert state.describe(either.candidates(state)[0].move) == OPENINGS[dice]


def test_what_every_player_knows(either):
    start = either.outputs(np.stack([START, START]), np.array([0, 1]))
    assert np.array_equal(start[0], start[1])
    assert (
        0.5 < start[0, 0] < 0.55 and 0.03 < equity(start[0]) < 0.11
    )  # the roller is a little ahead
    # One checker each, on the 6-point and the ace point: of the 36 throws only 11, 21,
    # 31, 41 and 32 are too small.
    assert say(either, {6: 1}, {1: 1})[0] == pytest.approx(27 / 36, abs=1e-4)
    assert say(either, {1: 1}, {6: 1})[0] == 1
    # Off in this turn, while the other has borne off nothing: a gammon; with one of
    # his in our home a backgammon.
    assert equity(say(either, {1: 2}, {7: 15})) == 2
    assert equity(say(either, {1: 2}, {7: 14, 23: 1})) == 3
    # Lost in the next turn, unless two are off in this one: 1 checker stays after
    # every throw that is no double.
    assert say(either, {1: 3}, {1: 1})[0] == pytest.approx(6 / 36, abs=1e-4)


def test_chances_fall_as_the_race_gets_longer(either):
    opponent = {3: 5, 5: 5, 6: 5}
    lengths = [{point: 5, 3: 5, 2: 5} for point in (4, 5, 6, 7, 8, 9, 10, 11, 12)]
    said = np.array([say(either, own, opponent) for own in lengths])
    assert (np.diff(said[:, 0]) < 0).all()
    assert (said[:, 0] >= said[:, 1]).all() and (said[:, 1] >= said[:, 2]).all()


def test_a_finished_game_is_exact(either):
    ends = np.stack(
        [
            checkers_of(*sides)
            for sides in (({}, {1: 1}), ({}, {7: 15}), ({}, {20: 15}), ({}, {25: 1, 1: 14}))
        ]
    )
    for roller in (0, 1):
        boards = ends[:, [1 - roller, roller]]  # the loser is on roll
        points = outcomes(boards) * (1 - 2 * roller)
        assert points.tolist() == [-1, -2, -3, -3]
        assert np.array_equal(either.outputs(boards, np.full(4, roller)), exact_outputs(points, 5))


def test_its_own_choice_is_the_highest_of_its_equities(agent):
    batch = random_positions(300, 1)
    boards, offsets = batch.afterstate_boards()
    values = -equity(agent.outputs(boards, np.repeat(1 - batch.to_play, np.diff(offsets))))
    chosen = values[
        offsets[:-1] + agent.decide(batch, np.arange(300), np.random.default_rng(0)).action
    ]
    best = np.maximum.reduceat(values, offsets[:-1])
    assert (np.diff(offsets) > 1).sum() > 200
    assert np.abs(best - chosen).max() <= ROUNDING


def test_its_look_ahead_is_ours(agent):
    """gnubg's 1-ply equity is the mean over the 21 throws of what the best
    answer leaves; so is `expectimax`.
    """
    batch = random_positions(12, 2)
    roller = batch.to_play.copy()
    deep = -equity(agent.engine.evaluate(batch.checkers, roller, plies=1))
    assert np.abs(deep - expectimax(agent, batch.checkers, roller)).max() <= ROUNDING
    flat = -equity(agent.outputs(batch.checkers, roller))
    assert np.abs(deep - flat).max() > 0.01


def test_the_networks_look_ahead_as_we_do(network):
    import gnubg_nn

    batch = random_positions(60, 3)
    roller, number = batch.to_play.copy(), np.arange(60)
    sides = np.stack([batch.checkers[number, 1 - roller], batch.checkers[number, roller]], axis=1)
    asked = [gnubg_nn.probabilities(side, 1) for side in sides[:, :, :25].tolist()]
    ours = expectimax(network, batch.checkers, roller)
    assert np.abs(-equity(np.array(asked)) - ours).max() < 1e-6


def test_the_networks_are_nearly_those_of_the_program(agent, network):
    """Their weights are of other versions: some thousandths of a point apart."""
    batch = random_positions(300, 1)
    values = [equity(one.outputs(batch.checkers, batch.to_play)) for one in (agent, network)]
    apart = np.abs(values[0] - values[1])
    assert 0 < apart.mean() < 0.01 and apart.max() < 0.15


def test_nothing_is_written_in_the_home_of_the_user(require_program, monkeypatch, tmp_path):
    require_program("gnubg")
    home, scratch = tmp_path / "home", tmp_path / "scratch"
    home.mkdir()
    scratch.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    with Gnubg(1) as gnubg:
        gnubg.evaluate(START[None], np.zeros(1, np.int8))
        assert list(scratch.iterdir())
    assert not list(home.iterdir()) and not list(scratch.iterdir())


@pytest.mark.slow
def test_it_is_as_strong_as_itself(agent):
    even = judge_backgammon(agent, games=400, seed=0)
    low, high = even.points_interval()
    assert abs(low + high) / 2 < high - low  # within 3.9 standard errors: 99.99%
    assert (
        0.2 < even.gammons_won + even.gammons_lost < 0.35
    )  # about a quarter of the games of strong players
