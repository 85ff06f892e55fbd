"""The deep Q-network at rest: the shipped bot, JSON as in the source, pages; and runs
killed from outside that go on.
"""

import json

import numpy as np
import pytest

from rlcourse.agents import load_agent, make_agent, save_agent
from rlcourse.agents.deep_q import SHAPES, DeepQAgent, forward, numbers_of
from rlcourse.games import from_recipe, get_game
from rlcourse.judges.tictactoe import judge
from rlcourse.storage import StorageError, load
from tests.unit.in_process import exit_code
from tests.unit.killed_runs import assert_it_goes_on, killed, settings

BOT = "tic-tac-toe/deep-q"


def test_the_shipped_bot_is_perfect_and_its_verdict_is_written_in_it():
    bot = load_agent(BOT)
    assert judge(bot).perfect
    from rlcourse.agents.shipped import WEIGHTS

    about = load(WEIGHTS / "tic-tac-toe" / "deep-q.h5", "agent").meta["about"]
    assert about["verdict"] == str(judge(bot)) and about["command"].startswith(
        "rlcourse train deep-q"
    )


def test_the_shipped_bot_decides_with_a_margin():
    """So that the last bits of another processor's arithmetic change no move: best and
    second best that matters differ.
    """
    from rlcourse.judges.tictactoe import decide_everywhere
    from rlcourse.solvers.tictactoe import solve, tables

    q, best = decide_everywhere(load_agent(BOT)).q, solve().best[tables().decisions]
    worst_good = np.where(best, q, -np.inf).max(axis=1)
    best_bad = np.where(~best & ~np.isnan(q), q, -np.inf).max(axis=1)
    assert (worst_good - best_bad).min() > 0.1


def test_an_agent_in_one_position():
    bot = load_agent(BOT)
    decision = bot.think(from_recipe("tic-tac-toe:XX.OO...."))
    assert decision.action[0] == 2 and decision.q[0, 2] == pytest.approx(1.0, abs=0.05)
    assert (
        np.isnan(decision.q[0, [0, 1, 3, 4]]).all()
        and (np.abs(decision.q[0, [2, 5, 6, 7, 8]]) <= 1).all()
    )
    decision = bot.think(
        from_recipe("tic-tac-toe:XX.OO...X")
    )  # O moves: 5 wins for O, and the value is O's
    assert decision.action[0] == 5 and decision.value[0] == pytest.approx(1.0, abs=0.05)
    assert bot.select_move(get_game("tic-tac-toe").new_game()) in range(9)


def test_with_symmetry_all_images_get_the_same_values():
    bot, game = load_agent(BOT), get_game("tic-tac-toe")
    batch = game.new_batch(1)
    batch.load(0, from_recipe("tic-tac-toe:XO..X...O"))  # a position without a symmetry of its own
    values = bot.values(batch.cells)[0]
    for symmetry in game.symmetries:
        image = np.empty_like(batch.cells)
        image[:, symmetry.cells] = batch.cells
        assert bot.values(image)[0, symmetry.actions] == pytest.approx(values, abs=1e-6)


def test_without_a_mask_an_occupied_square_can_be_chosen_and_loses():
    weights = {name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()}
    weights["dense_3/bias"][0] = 1.0  # X always likes the corner, O anything else
    fool = DeepQAgent(get_game("tic-tac-toe"), weights, masked=False)
    assert fool.think(from_recipe("tic-tac-toe:X...O....")).action[0] == 0
    assert judge(fool).first.lost > 0
    assert judge(DeepQAgent(get_game("tic-tac-toe"), weights)).optimal > judge(fool).optimal


def test_an_agent_survives_both_forms_exactly(tmp_path):
    bot = load_agent(BOT)
    position = numbers_of(from_recipe("tic-tac-toe:X...O....").board.reshape(1, 9))
    for name in ("bot.h5", "bot.json"):
        save_agent(bot, tmp_path / name, command="by hand")
        again = load_agent(tmp_path / name)
        assert again.options() == bot.options()
        for key, array in bot.weights.items():
            assert again.weights[key].dtype == np.float32 and np.array_equal(
                again.weights[key], array
            )
        assert np.array_equal(forward(again.weights, position), forward(bot.weights, position))
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["bot.h5", "bot.json"]


def test_json_is_exact_for_every_kind_of_float32(tmp_path):
    """Random bit patterns: large, tiny, denormal, negative zero; all but NaN and infinity."""
    bits = (
        np.random.default_rng(0)
        .integers(0, 2**32, size=(300, 300), dtype=np.uint32)
        .view(np.float32)
    )
    weights = {
        **load_agent(BOT).weights,
        "dense_2/kernel": np.where(np.isfinite(bits), bits, np.float32(-0.0)),
    }
    save_agent(DeepQAgent(get_game("tic-tac-toe"), weights), tmp_path / "odd.json")
    again = load_agent(tmp_path / "odd.json").weights["dense_2/kernel"]
    assert np.array_equal(again.view(np.uint32), weights["dense_2/kernel"].view(np.uint32))


def small_json(**changes) -> dict:
    weights = {name: np.zeros(shape).tolist() for name, shape in SHAPES.items()}
    return {"network": "deep-q", "symmetry": True, "masked": True, "weights": weights, **changes}


def without(name: str) -> dict:
    whole = small_json()
    del whole["weights"][name]
    return whole


def with_weight(name: str, value) -> dict:
    whole = small_json()
    whole["weights"][name] = value
    return whole


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not valid JSON"),
        ('{"network": "deep-q", "weights": {"dense_3/bias": [1.0, 2.', "not valid JSON"),
        (json.dumps(with_weight("dense_3/bias", [float("nan")] * 9)), "NaN is not a number"),
        ("[" * 100_000, "not valid JSON"),
        ("[1, 2]", "no deep Q-network"),
        (json.dumps(small_json(network="alphazero")), "no deep Q-network"),
        (json.dumps(small_json(weights=[1])), "nested lists"),
        (json.dumps(small_json(symmetry="yes")), "symmetry is true or false"),
        (json.dumps(without("dense_1/bias")), r"missing \['dense_1/bias'\]"),
        (json.dumps(with_weight("dense_4/bias", [1.0])), r"unknown \['dense_4/bias'\]"),
        (
            json.dumps(with_weight("dense_3/bias", [0.0] * 8)),
            r"shape \(9,\); here float64 of shape \(8,\)",
        ),
        (
            json.dumps(with_weight("embedding/embeddings", [[1, 2, 3], [1, 2], [1, 2, 3]])),
            "all rows of one length",
        ),
        (json.dumps(with_weight("dense_3/bias", ["1.0"] * 9)), "nested lists of numbers"),
        (json.dumps(with_weight("dense_3/bias", [10**400] * 9)), "nested lists of numbers"),
        (json.dumps(with_weight("dense_3/bias", [1e300] * 9)), "not finite"),
        (json.dumps(with_weight("dense_3/bias", [True] * 9)), "nested lists of numbers"),
    ],
)
def test_a_malformed_json_file_is_one_clear_error(text, message, tmp_path):
    path = tmp_path / "bot.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StorageError, match=message) as caught:
        load_agent(path)
    assert str(path) in str(caught.value)


def test_only_the_network_is_written_as_json(tmp_path):
    with pytest.raises(ValueError, match="only deep-q"):
        save_agent(make_agent("random", get_game("tic-tac-toe")), tmp_path / "random.json")
    with pytest.raises(ValueError, match="for tic-tac-toe, not connect-four"):
        DeepQAgent(get_game("connect-four"), {})
    with pytest.raises(ValueError, match="missing"):
        DeepQAgent(get_game("tic-tac-toe"), {})


@killed
def test_killed_runs_go_on_bit_for_bit(monkeypatch, tmp_path):
    small = settings("games=20", "steps=4", "batch=32", "target_every=6")
    few = "--games 200 --every 1 --until perfect".split()
    assert_it_goes_on(monkeypatch, tmp_path, "deep-q", *few, *small, pause=0.1)


@pytest.mark.slow
def test_the_command_line_writes_a_page(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    code, made = exit_code(monkeypatch, "page", "tic-tac-toe"), capfd.readouterr()
    assert code == 0 and "tic-tac-toe.html" in made.out, made.err
    text = (tmp_path / "tic-tac-toe.html").read_text(encoding="utf-8")
    assert "0 losing lines, best move in 4,520 of 4,520" in text
    # Rules, search and every bot of the game are in the file; the modules are 48 kB of it.
    assert len(text) < 700_000
    assert [path.name for path in tmp_path.iterdir()] == ["tic-tac-toe.html"]
    code = exit_code(monkeypatch, "page", "tic-tac-toe", "--agent", "connect-four/random")
    refused = capfd.readouterr().err
    assert code == 1 and "Traceback" not in refused
    assert "tic-tac-toe" in refused and "connect-four" in refused
    after = (tmp_path / "tic-tac-toe.html").read_text(encoding="utf-8")
    assert after == text
