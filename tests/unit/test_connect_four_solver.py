"""The solver of Connect Four against plain minimax, published values and laws; the
stored positions of the judge.
"""

from pathlib import Path

import numpy as np
import pytest

from rlcourse.agents import RandomAgent, make_agent
from rlcourse.experiments.search import QUOTA
from rlcourse.games import GameOver, from_recipe, get_game
from rlcourse.judges import connect_four as judges
from rlcourse.judges import judge_of
from rlcourse.results import load_results
from rlcourse.solvers import connect_four_positions as labels
from rlcourse.solvers.connect_four import ILLEGAL, ConnectFourSolver, plies_left, solver
from tests.oracles.connect_four_plain import plain_score

GAME = get_game("connect-four")


def position(stones: int, rng: np.random.Generator):
    """A running position after so many random moves."""
    while True:
        state = GAME.new_game()
        while not state.is_over() and (state.board != 0).sum() < stones:
            moves = state.legal_moves()
            state = state.apply_move(moves[rng.integers(len(moves))])
        if not state.is_over():
            return state


def from_columns(columns: str):
    """Columns played, numbered from 1 as in the public test sets."""
    return from_recipe("connect-four:" + "".join(str(int(column) - 1) for column in columns))


def mirrored(state):
    """The mirror image."""
    rows = ["".join(".XO"[cell] for cell in row[::-1]) for row in state.board]
    return from_recipe("connect-four:" + "/".join(rows))


def test_late_positions_have_the_scores_of_plain_minimax():
    rng, known, seen = np.random.default_rng(0), {}, set()
    for stones in [*range(34, 42)] * 2:
        state = position(stones, rng)
        scores = solver().move_scores(state)
        assert list(scores) == list(state.legal_moves())
        for move, score in scores.items():
            assert score == -plain_score(state.apply_move(move), known), state.recipe()
        best = plain_score(state, known)
        assert solver().score(state) == best == max(scores.values())
        seen.add(int(np.sign(best)))
    assert seen == {-1, 0, 1}


def test_positions_of_the_public_test_sets():
    """The first lines of "End-Easy", published with their scores beside Pascal Pons's account
    of such a solver (2015 ff.).
    """
    for columns, score in (
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
    ):
        assert solver().score(from_columns(columns)) == score


def test_worked_by_hand():
    """X has c1 d1 e1, O has stones on top of them: X wins at b1 or f1 with his fourth
    stone, 22 - 4 = 18. If he plays a1 instead, O can stop one end only, and X wins at
    the other with his fifth: 17."""
    state = from_recipe("connect-four:223344")  # X c1, O c2, X d1, O d2, X e1, O e2
    scores = solver().move_scores(state)
    assert (
        scores[1] == scores[5] == 18 == solver().score(state)
        and max(scores[a] for a in (0, 2, 3, 4, 6)) < 18
    )
    for reply in (1, 5):
        assert (
            solver().score(state.apply_move(0).apply_move(reply)) == 17
        )  # X wins a move later, with his fifth stone


def test_laws_on_random_positions():
    rng, deep, tiny = np.random.default_rng(1), ConnectFourSolver(16), ConnectFourSolver(4)
    for stones in (16, 17, 18, 20, 22, 25, 28):
        state = position(stones, rng)
        cells = state.board.reshape(1, 42)
        scores = deep.scores(cells)[0]
        legal = scores != ILLEGAL
        assert np.flatnonzero(legal).tolist() == list(state.legal_moves())
        assert (
            deep.score(mirrored(state))
            == scores.max()
            == -min(
                -deep.score(state),
                *(deep.score(state.apply_move(move)) for move in state.legal_moves()),
            )
        )
        outcomes = deep.scores(cells, reach=1)[0]
        assert (outcomes[legal] == np.sign(scores[legal])).all() and (
            outcomes[~legal] == ILLEGAL
        ).all()
        if stones >= 20:  # a table in which entries push each other out gives the same scores
            assert (tiny.scores(cells)[0] == scores).all()
    assert deep.nodes > 0


def test_a_game_ends_after_as_many_plies_as_the_score_says():
    """Both sides always play a move of the best score."""
    rng = np.random.default_rng(2)
    for stones in (16, 18, 19, 21, 24, 27):
        state = position(stones, rng)
        score = solver().score(state)
        expected, plies = int(plies_left(score, stones)), 0
        sign = 1 if state.next_player == 0 else -1
        while not state.is_over():
            scores = solver().move_scores(state)
            assert max(scores.values()) == (score if plies % 2 == 0 else -score)
            state, plies = state.apply_move(max(scores, key=scores.get)), plies + 1
        assert (plies, state.winner()) == (expected, sign * np.sign(score))
        assert solver().score(state) == (score if plies % 2 == 0 else -score)


def test_errors_that_teach():
    over = from_recipe("connect-four:0101010")
    assert solver().score(over) == -18  # the player to move has lost to the winner's fourth stone
    with pytest.raises(GameOver, match="no move to score"):
        solver().move_scores(over)
    with pytest.raises(ValueError, match=r"cells \[R, 42\]"):
        solver().scores(np.zeros(42))


@pytest.mark.parametrize("trial, seeds", [(False, 9), (True, 21)])
def test_every_stored_position_is_a_decision_of_its_set(trial, seeds):
    labelled = labels.positions(trial=trial)
    batch = labelled.batch
    legal, stones = batch.legal(), (batch.cells != 0).sum(axis=1)
    assert not batch.done.any() and len(np.unique(batch.cells, axis=0)) > 0.99 * len(stones)
    assert not labelled.keeps[~legal].any()
    assert (labelled.keeps.any(axis=1) & (legal & ~labelled.keeps).any(axis=1)).all()
    plies = plies_left(labelled.score, stones)
    assert [
        labels.set_of(*pair) for pair in zip(stones.tolist(), plies.tolist(), strict=True)
    ] == labelled.sets.tolist()
    for name, quota in QUOTA.items():
        assert (labelled.sets == name).sum() == quota * seeds


def test_positions_for_trials_are_others_than_those_that_judge():
    judged, tried = (
        {row.tobytes() for row in labels.positions(trial=trial).batch.cells}
        for trial in (False, True)
    )
    stored = [
        row["seed"]
        for row in load_results("connect-four-positions", Path(labels.__file__).parent)["rows"]
    ]
    assert stored == list(range(30)) and set(labels.JUDGED) < set(stored)
    assert len(judged) == 252 and len(tried) == 588 and not judged & tried
    assert judges.judge_connect_four(RandomAgent(GAME), trial=True).counts()[1] == 588


@pytest.mark.parametrize("trial", [False, True])
@pytest.mark.parametrize("part", ["end-easy", "middle-easy", "middle-medium"])
def test_stored_labels_are_those_of_the_solver(part, trial):
    labelled = labels.positions(trial=trial)
    rows = np.flatnonzero(labelled.sets == part)
    scores = solver().scores(labelled.batch.cells[rows])
    best = scores.max(axis=1)
    assert (best == labelled.score[rows]).all()
    assert (
        (np.sign(scores) == np.sign(best)[:, None]) & (scores != ILLEGAL) == labelled.keeps[rows]
    ).all()


def test_stored_labels_of_late_positions_are_those_of_plain_minimax():
    labelled, known = labels.positions(), {}
    stones = (labelled.batch.cells != 0).sum(axis=1)
    rows = np.flatnonzero(stones >= 33)[:12]
    assert len(rows) >= 6
    for row in rows:
        state = labelled.batch.state(row)
        scores = {move: -plain_score(state.apply_move(move), known) for move in state.legal_moves()}
        best = max(scores.values())
        assert best == labelled.score[row]
        keeps = [move for move, score in scores.items() if np.sign(score) == np.sign(best)]
        assert np.flatnonzero(labelled.keeps[row]).tolist() == keeps


def test_the_judge_counts_what_a_player_throws_away():
    labelled = labels.positions()
    right = labelled.keeps.argmax(axis=1)
    perfect = judges.judge_actions(right)
    assert (
        perfect.error() == 0
        and perfect.counts() == (0, len(right))
        and perfect.interval("hard")[0] == 0
    )
    legal = labelled.batch.legal()
    wrong = (legal & ~labelled.keeps).argmax(axis=1)
    assert judges.judge_actions(wrong).error() == 1
    assert (
        judges.judge_actions(np.full(len(right), -1)).error()
        == judges.judge_actions(np.full(len(right), 7)).error()
        == 1
    )
    mixed = np.where(labelled.sets == "begin-hard", wrong, right)
    verdict = judges.judge_actions(mixed, "half a player")
    assert (
        verdict.error("hard") == verdict.error("begin-hard") == 1
        and verdict.error("easy") == verdict.error("middle") == 0
    )
    count = verdict.counts("hard")[0]
    assert verdict.error() == count / len(right) and verdict.counts("begin")[0] == count
    assert str(verdict).startswith("half a player: wrong in ") and "hard 100.0%" in str(verdict)
    with pytest.raises(ValueError, match="no part 'difficult'"):
        verdict.error("difficult")
    with pytest.raises(ValueError, match="one action for each"):
        judges.judge_actions(right[:-1])
    with pytest.raises(ValueError, match="knows connect-four"):
        judges.judge_connect_four(RandomAgent(get_game("tic-tac-toe")))
    assert judge_of("connect-four") is judges.judge_connect_four


def test_random_play_errs_as_often_as_it_must():
    agent = RandomAgent(GAME)
    errors = [judges.judge_connect_four(agent, seed=seed).error() for seed in range(10)]
    count = len(labels.positions().score)
    assert abs(np.mean(errors) - judges.random_floor()) < 5 * 0.5 / np.sqrt(10 * count)


def test_search_with_random_games_is_better_than_random_play():
    """UCT with 50 simulations: its errors are far below the floor, on
    easy positions most of all.
    """
    verdict = judges.judge_connect_four(make_agent("uct", GAME, simulations=50))
    assert verdict.error() < judges.random_floor() - 0.15
    assert verdict.error("easy") < verdict.error("hard")
