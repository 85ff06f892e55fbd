"""The driver and the tables: hand-worked updates, train-twice, kill and resume, bad checkpoints."""

import numpy as np
import pytest

from rlcourse.experience import ExperienceBuffer
from rlcourse.experiments.tables import OwnNextLearner
from rlcourse.games import from_recipe
from rlcourse.judges.tictactoe import judge
from rlcourse.learning import after, games, make_learner, satisfied, seconds, train
from rlcourse.learning.q_table import (
    AfterstateConfig,
    AfterstateLearner,
    QTableConfig,
    QTableLearner,
)
from rlcourse.solvers.tictactoe import codes_of, solve, symmetry_tables, tables
from rlcourse.storage import StorageError, load, save
from tests.unit.killed_runs import assert_a_cut_run_goes_on, assert_a_seed_repeats_itself


def one_game(moves: list[int], points: float) -> ExperienceBuffer:
    state, cells = from_recipe("tic-tac-toe:........."), []
    for move in moves:
        cells.append(state.board.ravel())
        state = state.apply_move(move) if state.is_valid_move(move) else state
    player = np.arange(len(moves)) % 2
    columns = {
        "state": np.array(cells, np.int8),
        "action": np.array(moves, np.int32),
        "reward": (points * (1 - 2 * player)).astype(np.float32),
        "player": player.astype(np.int8),
        "game": np.zeros(len(moves), np.int32),
        "ply": np.arange(len(moves), dtype=np.int32),
        "greedy": np.ones(len(moves), np.bool_),
        "terminal": np.arange(len(moves)) == len(moves) - 1,
    }
    return ExperienceBuffer(columns, {"game": "tic-tac-toe", "options": {}, "encoder": "cells"})


def code(recipe: str) -> int:
    return int(codes_of(from_recipe(f"tic-tac-toe:{recipe}").board.reshape(1, 9))[0])


def test_q_learning_by_hand():
    """X 0, O 3, X 1, O 4, X 2 wins. Played twice at alpha 0.5, gamma 0.9 from zeros:

    first time only the last move learns, 0.5 * (1 - 0) = 0.5; second time it is 0.5 + 0.5
    * (1 - 0.5) = 0.75, and O's move before it sees that X can get 0.5 (X maximises): 0.5
    * (0.9 * 0.5 - 0) = 0.225.
    """
    learner = QTableLearner(QTableConfig(symmetry=False))
    buffer = one_game([0, 3, 1, 4, 2], 1.0)
    learner.update(buffer, np.random.default_rng(0))
    assert learner.table[code("XX.OO...."), 2] == 0.5 and np.count_nonzero(learner.table) == 1
    learner.update(buffer, np.random.default_rng(0))
    assert learner.table[code("XX.OO...."), 2] == 0.75
    assert learner.table[code("XX.O....."), 4] == 0.225
    # X's choice before it is followed by O, who minimises: among O's moves there are
    # zeros, so nothing is learnt yet.
    assert learner.table[code("X..O....."), 1] == 0.0


def test_the_second_player_minimises():
    """O wins by 3 4 5: the values go to X's account, so the winning move is worth -1 of it."""
    learner = QTableLearner(QTableConfig(symmetry=False, alpha=1.0))
    buffer = one_game([0, 3, 1, 4, 8, 5], -1.0)
    for _ in range(2):
        learner.update(buffer, np.random.default_rng(0))
    assert learner.table[code("XX.OO...X"), 5] == -1.0
    assert (
        learner.table[code("XX.OO...."), 8] == -0.9
    )  # X's mistake: O's best reply is -1, discounted once
    agent = learner.agent()
    decision = agent.think(from_recipe("tic-tac-toe:XX.OO...X"))
    assert (
        decision.action[0] == 5 and decision.q[0, 5] == 1.0
    )  # think speaks for the player to move
    assert np.isnan(decision.q[0, 0])


def test_an_occupied_square_loses_where_it_may_be_played():
    learner = QTableLearner(QTableConfig(symmetry=False, masked=False, alpha=1.0))
    learner.update(one_game([4, 4], 1.0), np.random.default_rng(0))
    assert learner.table[code("....X...."), 4] == 1.0  # O played on X's square: X has won
    for seed in range(5):
        buffer = QTableLearner(QTableConfig(masked=False, epsilon=1.0, games=50)).collect(
            np.random.default_rng(seed)
        )
        occupied = buffer["state"][np.arange(len(buffer)), buffer["action"]] != 0
        assert (
            occupied.any()
            and (buffer["reward"][occupied] == -1).all()
            and buffer["terminal"][occupied].all()
        )


def test_negamax_td_by_hand():
    """Game of the first test, alpha 1, backwards: the winning afterstate becomes 1. O's afterstate
    before it lets X win: -1. X's afterstate before that is judged by O's *best* reply, which is
    still 0 (not O's blunder)."""
    learner = AfterstateLearner(AfterstateConfig(alpha=1.0, symmetry=False))
    learner.update(one_game([0, 3, 1, 4, 2], 1.0), np.random.default_rng(0))
    value = learner.table[:, 0]
    assert value[code("XXXOO....")] == 1.0
    assert value[code("XX.OO....")] == -1.0
    assert value[code("XX.O.....")] == 0.0


def test_classic_td_by_hand_contains_the_blunder():
    """Sutton & Barto's target is the own next afterstate, whatever the opponent did: at alpha 1 X's
    'XX.O' inherits from the won position although O only had to block. Twice through: first the
    last afterstates learn, then the ones before."""
    learner = AfterstateLearner(AfterstateConfig(negamax=False, alpha=1.0, symmetry=False))
    for _ in range(2):
        learner.update(one_game([0, 3, 1, 4, 2], 1.0), np.random.default_rng(0))
    value = learner.table[:, 0]
    assert value[code("XXXOO....")] == 1.0
    assert value[code("XX.OO....")] == -1.0
    assert value[code("XX.O.....")] == 1.0


def test_an_exploring_move_teaches_the_classic_learner_nothing():
    learner = AfterstateLearner(AfterstateConfig(negamax=False, alpha=1.0, symmetry=False))
    buffer = one_game([0, 3, 1, 4, 2], 1.0)
    exploring = ExperienceBuffer(
        {**buffer.columns, "greedy": np.array([1, 1, 1, 1, 0], np.bool_)}, buffer.meta
    )
    for _ in range(2):
        learner.update(exploring, np.random.default_rng(0))
    assert learner.table[code("XX.O....."), 0] == 0.0 and learner.table[code("XXXOO...."), 0] == 1.0


def test_the_own_next_afterstate_can_teach_every_move_by_hand():
    """Backwards, so that a single pass carries both results from the last moves to the first."""
    learner = OwnNextLearner(AfterstateConfig(alpha=1.0, symmetry=False))
    buffer = one_game([0, 3, 1, 4, 2], 1.0)
    exploring = ExperienceBuffer({**buffer.columns, "greedy": np.zeros(5, np.bool_)}, buffer.meta)
    learner.update(exploring, np.random.default_rng(0))
    value = learner.table[:, 0]
    for_x, for_o = ("X........", "XX.O.....", "XXXOO...."), ("X..O.....", "XX.OO....")
    assert [value[code(cells)] for cells in for_x] == [1.0] * 3
    assert [value[code(cells)] for cells in for_o] == [-1.0] * 2


@pytest.mark.parametrize("name", ["q-table", "afterstates"])
def test_interpreter_and_machine_code_learn_the_same_table(name):
    tables_learned = []
    for compiled in (True, False):
        learner = make_learner(name, compiled=compiled)
        list(train(learner, until=games(150), every=50, seed=3))
        tables_learned.append(learner.table)
    assert np.array_equal(*tables_learned) and np.count_nonzero(tables_learned[0]) > 50


@pytest.mark.parametrize(
    "settings", [{}, {"symmetry": False}, {"noise": 1.0, "masked": False}, {"games": 16}]
)
def test_the_same_seed_gives_the_same_table(settings):
    assert_a_seed_repeats_itself("q-table", 400, **settings)


@pytest.mark.parametrize("seed", range(3))
def test_both_learners_become_perfect(seed):
    learner = make_learner("q-table")
    *_, row = train(
        learner,
        until=after(satisfied("perfect"), games(60_000)),
        judge=judge,
        every=1000,
        seed=seed,
    )
    assert row.verdict.perfect
    learner = make_learner("afterstates")
    *_, row = train(
        learner, until=after(satisfied("perfect"), games(20_000)), judge=judge, every=200, seed=seed
    )
    assert row.verdict.perfect and row.games < 20_000


def test_q_learning_converges_to_the_exact_discounted_values():
    learner = QTableLearner(QTableConfig(alpha=1.0, epsilon=1.0, games=500))
    for _ in train(learner, until=games(60_000), every=20, seed=0):
        pass
    rules, exact, images = tables(), solve(0.9), symmetry_tables()
    for decision in rules.decisions[images.canonical[rules.decisions] == rules.decisions]:
        legal = rules.successor[decision] >= 0
        own = learner.agent().values(np.array([decision]))[0]
        assert own[legal] == pytest.approx(exact.q[decision, legal])


def test_optimism_starts_high_for_whoever_moves():
    agent = make_learner("q-table", start=0.5, symmetry=False).agent()
    for recipe in (".........", "X........"):
        q = agent.think(from_recipe(f"tic-tac-toe:{recipe}")).q[0]
        assert (q[~np.isnan(q)] == 0.5).all()


@pytest.mark.parametrize("name", ["q-table", "afterstates"])
def test_a_run_that_was_cut_goes_on_bit_for_bit(name, tmp_path):
    assert_a_cut_run_goes_on(tmp_path, name, 40, 100)


def test_a_checkpoint_of_another_run_is_refused(tmp_path):
    path = tmp_path / "run.h5"
    next(iter(train(make_learner("q-table"), until=games(1), seed=0, checkpoint=path)))
    before = path.read_bytes()
    for learner, seed, message in (
        (make_learner("q-table", alpha=0.25), 0, "config"),
        (make_learner("q-table"), 1, "seed"),
        (make_learner("afterstates"), 0, "learner"),
    ):
        with pytest.raises(StorageError, match=f"of another run: its {message}"):
            next(iter(train(learner, until=games(1), seed=seed, checkpoint=path)))
    assert path.read_bytes() == before
    save(path, "experience", {}, {})
    with pytest.raises(StorageError):
        next(iter(train(make_learner("q-table"), until=games(1), seed=0, checkpoint=path)))


def test_a_checkpoint_with_settings_that_are_gone_goes_on(tmp_path):
    """As long as they had the value that stands in the code today."""
    path = tmp_path / "run.h5"
    rows = list(train(make_learner("q-table"), until=games(200), seed=0, checkpoint=path))
    stored = load(path, "checkpoint")
    former = {"passes": 1, "l2": 1e-4, "trace": 1.0, "root": "puct", "ends_weight": 0.0}
    config = {**stored.meta["config"], **former}
    save(path, "checkpoint", stored.arrays, {**stored.meta, "config": config})
    again = train(make_learner("q-table"), until=games(300), seed=0, checkpoint=path)
    assert next(again).games == rows[-1].games
    for change in ({"passes": 2}, {"root": "gumbel"}, {"unknown": 1}):
        meta = {**stored.meta, "config": {**config, **change}}
        save(path, "checkpoint", stored.arrays, meta)
        with pytest.raises(StorageError, match=rf"of another run: its config is {change}, this"):
            next(iter(train(make_learner("q-table"), until=games(300), seed=0, checkpoint=path)))


def test_the_driver_stops_as_told_and_refuses_nonsense():
    rows = list(train(make_learner("q-table"), until=games(100), every=30, seed=0))
    assert [row.games for row in rows] == [0, 30, 60, 90, 120] and [
        row.updates for row in rows
    ] == [0, 30, 60, 90, 120]
    assert rows[0].verdict is None and "td_error" in rows[-1].metrics
    assert len(list(train(make_learner("q-table"), until=seconds(0.0), seed=0))) == 1
    with pytest.raises(ValueError, match="from 1"):
        next(iter(train(make_learner("q-table"), until=games(1), every=0, seed=0)))
    with pytest.raises(ValueError, match="no setting 'alhpa'"):
        make_learner("q-table", alhpa=0.1)
    with pytest.raises(ValueError, match="no learner"):
        make_learner("q-tabel")


def test_interrupting_keeps_what_was_learned():
    learner = make_learner("q-table")

    class Stop(Exception):
        pass

    def judge_that_is_interrupted(agent):
        if np.count_nonzero(agent.table):
            raise Stop
        return

    with pytest.raises(Stop):
        list(
            train(learner, until=games(10_000), every=200, seed=0, judge=judge_that_is_interrupted)
        )
    assert np.count_nonzero(learner.table) > 50
    assert judge(learner.agent()).optimal > judge(make_learner("q-table").agent()).optimal
