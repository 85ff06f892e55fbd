"""Agents as files and by name, one position and many, and encoders."""

import numpy as np
import pytest

import rlcourse
from rlcourse.agents import UnknownAgent, agent_names, load_agent, make_agent, save_agent
from rlcourse.agents.base import RandomAgent
from rlcourse.encoders import get_encoder_by_name
from rlcourse.errors import BadValue
from rlcourse.games import GameOver, from_recipe, get_game
from rlcourse.judges.tictactoe import decide_everywhere, judge
from rlcourse.learning import games, make_learner, train
from rlcourse.storage import StorageError, save

GRID_GAMES = ("tic-tac-toe", "connect-four")


@pytest.fixture(scope="module")
def trained():
    agents = {}
    for name in ("q-table", "afterstates"):
        learner = make_learner(name)
        list(train(learner, until=games(300), every=100, seed=0))
        agents[name] = learner.agent()
    return agents


@pytest.mark.parametrize("name", ["q-table", "afterstates"])
def test_a_saved_agent_decides_as_before(trained, name, tmp_path):
    save_agent(trained[name], tmp_path / "bot.h5", verdict="as it is")
    loaded = rlcourse.load_agent(tmp_path / "bot.h5")
    assert type(loaded) is type(trained[name])
    before, after = decide_everywhere(trained[name]), decide_everywhere(loaded)
    assert np.array_equal(before.action, after.action)
    assert np.allclose(before.q, after.q, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("name", ["perfect", "random", "q-table", "afterstates"])
def test_one_position_is_a_batch_of_one(trained, name):
    agent = trained[name] if name in trained else make_agent(name, get_game("tic-tac-toe"), seed=0)
    batch = agent.game.new_batch(2)
    state = from_recipe("tic-tac-toe:X...O....")
    batch.load(1, state)
    decision = agent.decide(batch, np.array([1]), np.random.default_rng(0))
    thought = agent.think(state)
    for mine, other in zip(decision, thought, strict=True):
        if mine is not None and name in trained:
            assert np.array_equal(mine, other, equal_nan=True)
        assert (mine is None) == (other is None)
    assert decision.action.shape == (1,) and decision.action.dtype == np.int32
    assert agent.select_move(state) in state.legal_moves()
    with pytest.raises(GameOver, match="nothing to decide"):
        agent.think(from_recipe("tic-tac-toe:XXXOO...."))


def test_names_and_the_errors_that_teach(tmp_path):
    for name in agent_names():
        assert load_agent(name).game.name == name.split("/")[0]
    for wrong in ("tic-tac-toe/prefect", "chess/random", "no-such-file.h5"):
        with pytest.raises(UnknownAgent, match="tic-tac-toe/perfect"):
            load_agent(wrong)
    with pytest.raises(ValueError, match="knows tic-tac-toe and Connect Four, not go"):
        make_agent("perfect", get_game("go"))
    path = tmp_path / "a.h5"
    path.write_bytes(b"not a file of ours")
    with pytest.raises(StorageError):
        load_agent(path)
    for meta in ({}, {"agent": "q-table", "game": "chess", "game_options": {}, "options": {}}):
        save(path, "agent", {}, meta)
        with pytest.raises(StorageError, match="cannot be one"):
            load_agent(path)
    bad_rows = {"codes": np.array([1, 99_999], np.int32), "rows": np.zeros((2, 9), np.float32)}
    save(
        path,
        "agent",
        bad_rows,
        {"agent": "q-table", "game": "tic-tac-toe", "game_options": {}, "options": {}},
    )
    with pytest.raises(StorageError, match="codes and rows"):
        load_agent(path)
    save(path, "checkpoint", {}, {})
    with pytest.raises(StorageError, match="checkpoint"):
        load_agent(path)


def test_shipped_agents_are_as_good_as_they_say():
    assert judge(load_agent("tic-tac-toe/q-table")).perfect
    assert judge(load_agent("tic-tac-toe/afterstates")).perfect


def test_the_judge_of_tic_tac_toe_judges_no_player_of_another_game():
    with pytest.raises(ValueError, match=r"knows tic-tac-toe; random plays connect-four"):
        judge(load_agent("connect-four/random"))


@pytest.mark.parametrize("name", GRID_GAMES)
def test_the_random_player_is_uniform_over_the_legal_moves(name):
    game = get_game(name)
    batch = game.new_batch(8_000)
    batch.step(np.full(8_000, 4 if name == "tic-tac-toe" else 3))
    decision = RandomAgent(game).decide(batch, np.arange(8_000), np.random.default_rng(0))
    counts = np.bincount(decision.action, minlength=game.num_actions)
    legal = batch.legal(np.array([0]))[0]
    expected = 8_000 * legal / legal.sum()
    assert np.all(np.abs(counts - expected) <= 6 * np.sqrt(expected))
    assert np.allclose(np.exp(decision.log_prob), 1 / legal.sum())


def test_two_planes_speak_for_the_player_to_move():
    encoder = get_encoder_by_name("two-plane", get_game("tic-tac-toe"))
    planes = encoder.encode(from_recipe("tic-tac-toe:X...O.X.."))  # O to move
    assert planes[0].ravel().tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert planes[1].ravel().tolist() == [1, 0, 0, 0, 0, 0, 1, 0, 0]
    with pytest.raises(ValueError, match="no encoder 'planes'"):
        get_encoder_by_name("planes", get_game("tic-tac-toe"))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("tic-tac-toe/perfekt", "did you mean 'tic-tac-toe/perfect'"),
        ("perfekt", "neither a file nor the name of an agent, did you mean 'tic-tac-toe/perfect'"),
        ("go/policy-5x", "did you mean 'go/policy-5x5'"),
        ("connect-four/alpha-zero", "did you mean 'connect-four/alphazero'"),
    ],
)
def test_a_name_with_a_slip_is_answered_with_the_nearest(wrong, words):
    with pytest.raises(UnknownAgent, match=words):
        load_agent(wrong)


def test_a_kind_with_a_slip_is_answered_with_the_nearest():
    with pytest.raises(UnknownAgent, match="no kind of agent 'qtable', did you mean 'q-table'"):
        make_agent("qtable", get_game("tic-tac-toe"))


def test_a_name_without_a_near_one_gets_no_guess():
    with pytest.raises(UnknownAgent) as error:
        load_agent("tic-tac-toe/zzz")
    assert "did you mean" not in str(error.value)


def test_check_agent_raises_what_load_agent_raises_and_builds_nothing(monkeypatch):
    from rlcourse import agents

    games = [get_game("tic-tac-toe"), get_game("go"), get_game("go", size=9)]
    names = [*agent_names(), "tic-tac-toe/perfekt", "backgammon/gnugo", "no-such-file.h5"]
    outcomes = {}
    for game in games:
        for name in names:
            try:
                outcomes[game, name] = load_agent(name, game=game).game
            except ValueError as error:
                outcomes[game, name] = type(error)
    monkeypatch.setattr(agents, "_read", lambda path: pytest.fail(f"{path} was built"))
    for (game, name), outcome in outcomes.items():
        try:
            agents.check_agent(name, game)
            assert outcome == game, (name, game)
        except ValueError as error:
            assert outcome is type(error), (name, game)
    assert {UnknownAgent, BadValue, *games} == set(outcomes.values())


def test_an_error_inside_a_player_or_a_game_is_reported_as_itself(monkeypatch):
    """A TypeError of their own code is a bug, not an option that does not exist."""

    def broken(self, game, *, seed=None):
        raise TypeError("unsupported operand: a bug of the constructor")

    def broken_game(size=5, komi=7.5):
        raise TypeError("unsupported operand: a bug of the game")

    monkeypatch.setattr("rlcourse.agents.base.RandomAgent.__init__", broken)
    monkeypatch.setattr("rlcourse.games.go.make_game", broken_game)
    with pytest.raises(TypeError, match="a bug of the constructor"):
        load_agent("tic-tac-toe/random", seed=1)
    with pytest.raises(TypeError, match="a bug of the game"):
        get_game("go", size=3, komi=399.5)
    with pytest.raises(ValueError, match="tic-tac-toe/random does not have all .*: simulations"):
        load_agent("tic-tac-toe/random", simulations=3)
    with pytest.raises(ValueError, match="tic-tac-toe/uct does not have all .*: noise"):
        load_agent("tic-tac-toe/uct", noise=1)
