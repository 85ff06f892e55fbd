"""Self-play: chunks are pure, and what is recorded is what was played."""

import numpy as np
import pytest

from rlcourse.agents import make_agent
from rlcourse.encoders import get_encoder_by_name
from rlcourse.experience import ExperienceBuffer, combine_experience
from rlcourse.games import get_game
from rlcourse.self_play import SelfPlaySpec, play, play_chunks, simulate_game


def same(a: ExperienceBuffer, b: ExperienceBuffer) -> bool:
    return set(a.columns) == set(b.columns) and all(
        a[name].dtype == b[name].dtype and np.array_equal(a[name], b[name]) for name in a.columns
    )


def spec(game: str, games: int = 20, **more) -> SelfPlaySpec:
    return SelfPlaySpec(game=game, agent="random", encoder="two-plane", games=games, **more)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_a_chunk_is_a_function_of_seed_and_number(name):
    assert same(play(spec(name), {}, 7, 3), play(spec(name), {}, 7, 3))
    assert not same(play(spec(name), {}, 7, 3), play(spec(name), {}, 7, 4))
    assert not same(play(spec(name), {}, 7, 3), play(spec(name), {}, 8, 3))


@pytest.mark.slow
def test_a_pool_of_spawned_processes_gives_the_same_experience():
    here = list(play_chunks(spec("tic-tac-toe"), {}, seed=1, chunks=range(4)))
    there = list(play_chunks(spec("tic-tac-toe"), {}, seed=1, chunks=range(4), workers=2))
    assert len(here) == 4 and all(same(a, b) for a, b in zip(here, there, strict=True))


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_recorded_games_replay_by_the_rules(name):
    game = get_game(name)
    encoder = get_encoder_by_name("two-plane", game)
    buffer = play(spec(name, record=("legal", "log_prob", "policy")), {}, 0, 0)
    assert (
        buffer.games == 20 and buffer.meta["game"] == name and buffer.meta["encoder"] == "two-plane"
    )
    for number in range(20):
        rows = buffer.take(buffer["game"] == number)
        state = game.new_game()
        for t in range(len(rows)):
            assert rows["ply"][t] == t and rows["player"][t] == state.next_player
            assert np.array_equal(rows["state"][t], encoder.encode(state))
            assert np.flatnonzero(rows["legal"][t]).tolist() == list(state.legal_moves())
            assert rows["policy"][t].sum() == pytest.approx(1)
            assert rows["log_prob"][t] == pytest.approx(-np.log(len(state.legal_moves())))
            state = state.apply_move(int(rows["action"][t]))
        assert state.is_over()
        sign = np.where(rows["player"] == 0, 1, -1)
        assert np.array_equal(rows["reward"], state.points * sign)


def test_a_column_that_the_agent_does_not_have_is_refused_by_name():
    with pytest.raises(ValueError, match="'value'"):
        play(spec("tic-tac-toe", record=("value",)), {}, 0, 0)


def test_simulate_game_plays_to_the_end_from_any_position():
    game = get_game("tic-tac-toe")
    perfect, random = make_agent("perfect", game, seed=0), make_agent("random", game, seed=0)
    for seed in range(20):
        record = simulate_game(perfect, make_agent("random", game, seed=seed))
        assert (
            record.points >= 0
            and record.states[-1].is_over()
            and len(record.states) == len(record.moves) + 1
        )
    start = game.parse("XX.OO....")
    assert simulate_game(perfect, random, start).moves[0] == 2


def test_combining_checks_what_it_combines():
    ttt, c4 = play(spec("tic-tac-toe"), {}, 0, 0), play(spec("connect-four"), {}, 0, 0)
    both = combine_experience([ttt, play(spec("tic-tac-toe"), {}, 0, 1)])
    assert both.games == 40 and len(np.unique(both["game"])) == 40
    with pytest.raises(ValueError, match="differ in game"):
        combine_experience([ttt, c4])
    with pytest.raises(ValueError, match="differ in columns"):
        combine_experience([ttt, play(spec("tic-tac-toe", record=("legal",)), {}, 0, 0)])
    with pytest.raises(ValueError, match="no experience"):
        combine_experience([])


@pytest.mark.parametrize("guests", [1, 2, 4])
def test_few_guests_and_nobody_else_are_games_too(guests):
    """One guest sits in the first seat alone; with guests in all games nobody plays himself."""
    spec = SelfPlaySpec("go", "random", "oneplane", 4, {"size": 5}, guests=guests)
    assert play(spec, {}, 0, 0).games == 4
