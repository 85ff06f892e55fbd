"""Returns, the book's collector, and buffers that survive their file."""

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlcourse.experience import (
    ExperienceBuffer,
    ExperienceCollector,
    discounted_returns,
)
from rlcourse.storage import StorageError, save
from tests.unit.test_self_play import same

REWARDS = st.lists(st.floats(-100, 100), max_size=30)


def by_definition(rewards: list[float], gamma: float) -> list[float]:
    """The double loop: for every decision, all rewards from it on, with a
    factor that is multiplied up.
    """
    returns = []
    for t in range(len(rewards)):
        total, factor = 0.0, 1.0
        for reward in rewards[t:]:
            total += factor * reward
            factor *= gamma
        returns.append(total)
    return returns


# --- returns --------------------------------------------------------------------------------------


def test_returns_by_hand():
    # The book's example: a win after four moves, discount 0.75: 0.75 ** 3, 0.75 ** 2, 0.75, 1.
    assert discounted_returns(np.array([0, 0, 0, 1]), 0.75).tolist() == [
        0.421875,
        0.5625,
        0.75,
        1.0,
    ]
    assert discounted_returns(np.array([0, 0, 0, -1])).tolist() == [-1.0] * 4
    # Three words in Scrabble, 12, 7 and 20 points. Undiscounted 39, 27, 20; with 0.5: 7
    # + 10 = 17, 12 + 8.5 = 20.5.
    assert discounted_returns(np.array([12, 7, 20])).tolist() == [39.0, 27.0, 20.0]
    assert discounted_returns(np.array([12, 7, 20]), 0.5).tolist() == [20.5, 17.0, 20.0]
    # gamma 0 sees only the next reward.
    assert discounted_returns(np.array([12, 7, 20]), 0).tolist() == [12.0, 7.0, 20.0]
    assert discounted_returns(np.array([])).shape == (0,)


@given(REWARDS, st.floats(0, 1))
def test_one_pass_backwards_is_the_double_loop(rewards, gamma):
    assert discounted_returns(np.array(rewards), gamma) == pytest.approx(
        by_definition(rewards, gamma), abs=1e-9
    )


@pytest.mark.parametrize(
    ("rewards", "gamma", "reason"),
    [
        ([[1.0]], 1.0, r"shape \[T\]"),
        (1.0, 1.0, r"shape \[T\]"),
        ([0.0, np.nan], 1.0, "reward 1 is not a finite number"),
        ([1.0], 1.1, "gamma lies in"),
        ([1.0], -0.1, "gamma lies in"),
        ([1.0], np.nan, "gamma lies in"),
    ],
)
def test_what_has_no_return_is_refused(rewards, gamma, reason):
    with pytest.raises(ValueError, match=reason):
        discounted_returns(rewards, gamma)


# --- the collector --------------------------------------------------------------------------------


def collected(rewards: list[float], last: float, gamma: float) -> np.ndarray:
    collector = ExperienceCollector()
    collector.begin_episode()
    for action, reward in enumerate(rewards):
        collector.record_decision(np.zeros(3, np.int8), action)
        collector.add_reward(reward)
    collector.complete_episode(last, gamma=gamma)
    return collector.to_buffer()["reward"]


def test_rewards_on_the_way_and_at_the_end():
    # Points 12, 7, 20, and 5 more at the end for the empty rack: the last decision has 25.
    assert collected([12, 7, 20], 5, 1.0).tolist() == [44.0, 32.0, 25.0]
    assert collected([12, 7, 20], 5, 0.5).tolist() == [12 + 3.5 + 6.25, 7 + 12.5, 25.0]
    # Without any, every decision of a win has 1: the book's case.
    assert collected([0, 0, 0], 1, 1.0).tolist() == [1.0, 1.0, 1.0]


def test_two_episodes_are_two_games_and_an_unfinished_one_is_dropped():
    collector = ExperienceCollector()
    for actions, reward in (((4, 0), 1.0), ((2, 6, 8), -1.0)):
        collector.begin_episode()
        collector.record_decision(np.zeros(9), 7)
        collector.begin_episode()  # the episode before was never completed
        for action in actions:
            collector.record_decision(np.zeros(9), action)
        collector.complete_episode(reward)
    buffer = collector.to_buffer(game="tic-tac-toe")
    assert buffer["action"].tolist() == [4, 0, 2, 6, 8]
    assert buffer["reward"].tolist() == [1, 1, -1, -1, -1]
    assert buffer["game"].tolist() == [0, 0, 1, 1, 1]
    assert buffer["ply"].tolist() == [0, 1, 0, 1, 2]
    assert buffer.games == 2
    assert buffer.meta == {"game": "tic-tac-toe"}


def test_the_collector_keeps_copies():
    board = np.zeros(9, np.int8)
    collector = ExperienceCollector()
    collector.begin_episode()
    for square in range(3):
        collector.record_decision(board, square)
        board[square] = 1
    collector.complete_episode(1.0)
    assert collector.to_buffer()["state"].sum(axis=1).tolist() == [0, 1, 2]


def test_steps_out_of_order_are_refused():
    collector = ExperienceCollector()
    for step in (
        lambda: collector.record_decision(np.zeros(9), 0),
        lambda: collector.add_reward(1.0),
        lambda: collector.complete_episode(1.0),
    ):
        with pytest.raises(RuntimeError, match="begin_episode comes first"):
            step()
    collector.begin_episode()
    with pytest.raises(RuntimeError, match="no decision has earned it"):
        collector.add_reward(1.0)
    collector.complete_episode(0.0)
    with pytest.raises(ValueError, match="nothing was recorded"):
        collector.to_buffer()
    collector.begin_episode()
    collector.record_decision(np.zeros(9), 0, value=0.5)
    collector.record_decision(np.zeros(9), 0)
    with pytest.raises(ValueError, match="not a finite number"):
        collector.complete_episode(np.nan)
    collector.complete_episode(1.0)  # the refused reward has changed nothing
    with pytest.raises(ValueError, match="differ in what they hold"):
        collector.to_buffer()


# --- the buffer and its file ----------------------------------------------------------------------


def some_experience(**more: np.ndarray) -> ExperienceBuffer:
    rng = np.random.default_rng(0)
    columns = {
        "state": rng.integers(0, 2, (40, 2, 3, 3)).astype(np.int8),
        "action": rng.integers(0, 9, 40).astype(np.int32),
        "reward": rng.choice([-1, 1], 40).astype(np.float32),
        "player": (np.arange(40) % 2).astype(np.int8),
        "game": (np.arange(40) // 8).astype(np.int32),
        "ply": (np.arange(40) % 8).astype(np.int32),
    }
    return ExperienceBuffer(
        {**columns, **more}, {"game": "tic-tac-toe", "options": {}, "encoder": "two-plane"}
    )


def test_a_file_gives_back_every_column_known_or_not(tmp_path):
    buffer = some_experience(
        log_prob=np.linspace(-3, 0, 40), mood=np.array(["calm"] * 40), legal=np.ones((40, 9), bool)
    )
    buffer.save(tmp_path / "games.h5")
    again = ExperienceBuffer.load(tmp_path / "games.h5")
    assert same(again, buffer) and again.meta == buffer.meta


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ({"action": np.zeros(39, np.int32)}, "have one length"),
        ({"action": np.zeros(40)}, "'action' holds one whole number"),
        ({"player": np.zeros((40, 1), np.int8)}, "'player' holds one whole number"),
        ({"reward": np.zeros(40, np.int32)}, "'reward' holds one float"),
    ],
)
def test_columns_that_do_not_fit_are_refused_in_memory_and_in_a_file(tmp_path, column, reason):
    with pytest.raises(ValueError, match=reason):
        some_experience(**column)
    meta = {"format": 1}
    save(tmp_path / "odd.h5", "experience", {**some_experience().columns, **column}, meta)
    with pytest.raises(
        StorageError, match=f"odd.h5 is marked as experience, but cannot be.*{reason}"
    ):
        ExperienceBuffer.load(tmp_path / "odd.h5")


@pytest.mark.parametrize("missing", ["state", "action", "reward", "player", "game", "ply"])
def test_a_missing_column_is_named(tmp_path, missing):
    columns = {
        name: column for name, column in some_experience().columns.items() if name != missing
    }
    save(tmp_path / "short.h5", "experience", columns, {"format": 1})
    with pytest.raises(StorageError, match=f"missing: {missing}"):
        ExperienceBuffer.load(tmp_path / "short.h5")


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        (0, "older version of the course.*play the games again"),
        (None, "older version"),
        (True, "older version"),
        ("1", "older version"),
        (2, "newer version.*update the course"),
    ],
)
def test_another_version_says_what_to_do(tmp_path, version, reason):
    save(tmp_path / "old.h5", "experience", dict(some_experience().columns), {"format": version})
    with pytest.raises(StorageError, match=f"old.h5 holds experience of format.*{reason}"):
        ExperienceBuffer.load(tmp_path / "old.h5")


def test_foreign_files_are_answered_with_a_sentence(tmp_path):
    path = tmp_path / "foreign.h5"

    def refused(reason: str) -> None:
        with pytest.raises(StorageError, match=reason):
            ExperienceBuffer.load(path)

    with h5py.File(path, "w") as file:  # the book's own layout
        file.create_group("experience")["states"] = np.zeros((2, 9))
    refused("not one of this course")
    save(path, "agent", {"rows": np.zeros(3)}, {})
    refused("holds an agent, not an experience")
    some_experience().save(path)
    with h5py.File(path, "r+") as file:
        del file["action"]
        file.create_group("action")
    refused("missing: action")
