"""What sheet 06 takes for right agrees with the course's rules, collectors, loss and sampling
where a task meets theirs.
"""

import numpy as np
import pytest

from rlcourse.checks import get_sheet, oracle06
from rlcourse.experience import ExperienceCollector
from rlcourse.games import from_recipe, get_game
from rlcourse.sampling import clip_probs, ranked


def test_on_a_flat_board_the_areas_of_two_colours_are_those_of_go():
    """Boards from random games; on the torus the areas do not change when the board is shifted."""
    rng, game, regions = np.random.default_rng(0), get_game("go", size=5), 0
    for plies in (6, 12, 20, 30) * 5:
        state = game.new_game()
        for _ in range(plies):
            legal = [move for move in state.legal_moves() if not move.is_pass]
            state = state.apply_move(legal[rng.integers(len(legal))]) if legal else state
        owner = state.area()
        assert oracle06.torus_areas(np.array(state.board), "edges").tolist() == [
            (owner == 1).sum(),
            (owner == 2).sum(),
            0,
        ]
        regions += int((owner > 0).sum() - (np.array(state.board) > 0).sum())
        third = np.where(rng.random((5, 5)) < 0.2, 3, state.board)
        shifted = np.roll(third, rng.integers(5, size=2), (0, 1))
        assert oracle06.torus_areas(shifted).tolist() == oracle06.torus_areas(third).tolist()
    assert regions > 20


def test_a_ring_of_four_points_is_the_board_of_2_x_2():
    """Its points, in a circle A2, B2, B1, A1, have two neighbours each: the legal
    moves agree in all of 60 games.
    """
    rng, around, superko = np.random.default_rng(1), ("A2", "B2", "B1", "A1"), 0
    for _ in range(60):
        state, moves = from_recipe("go size=2 komi=0.5:"), []
        while not state.is_over():
            legal = {str(move) for move in state.legal_moves()}
            assert {around[point] for point in oracle06.ring_moves(4, moves)} == legal - {"pass"}
            superko += len(state.forbidden_by_ko())
            places = [point for point in range(4) if around[point] in legal]
            moves.append(
                int(rng.choice(places)) if places and rng.random() < 0.85 else oracle06.PASS
            )
            word = "pass" if moves[-1] == oracle06.PASS else around[moves[-1]]
            state = next(
                state.apply_move(move) for move in state.legal_moves() if str(move) == word
            )
    assert superko > 50


def test_the_returns_of_the_league_are_those_of_three_collectors():
    rng = np.random.default_rng(2)
    seats = np.array([rng.permutation(3) for _ in range(5)])
    areas = rng.permuted(np.tile([9, 5, 3], (5, 1)), axis=1)
    agent, game = rng.permutation(np.indices((3, 5)).reshape(2, -1).repeat(4, axis=1), axis=1)
    returns = oracle06.league_returns(agent, game, seats, areas, np.zeros((5, 3), bool), 0.9)
    for a in range(3):
        for g in range(5):
            rows = np.flatnonzero((agent == a) & (game == g))
            collector = ExperienceCollector()
            collector.begin_episode()
            for t in rows:
                collector.record_decision(np.zeros(1), int(t))
            collector.complete_episode(2.0 if seats[g, areas[g].argmax()] == a else -1.0, gamma=0.9)
            assert collector.to_buffer()["reward"] == pytest.approx(returns[rows])


@pytest.mark.slow
def test_the_gradient_is_that_of_the_loss_of_the_lesson():
    """TensorFlow's gradient of the bounded loss of lesson 06b, added up over
    the decisions of each state.
    """
    from rlcourse.learning.policy_gradient import policy_loss
    from rlcourse.tf import tf

    rng = np.random.default_rng(3)
    logits, legal = rng.normal(size=(4, 5)), np.arange(5) < np.array([[3], [4], [5], [4]])
    state, action = rng.integers(4, size=40), rng.integers(3, size=40)
    advantage, log_prob = rng.choice([-1.0, 1.0], 40), np.log(rng.uniform(0.1, 0.6, 40))
    table = tf.Variable(logits)
    with tf.GradientTape() as tape:
        arrays = (tf.constant(array) for array in (action, advantage, log_prob, legal[state]))
        loss = policy_loss(tf.gather(table, state), *arrays, ratio_clip=0.2)[0]
    expected = -tf.convert_to_tensor(tape.gradient(loss, table)).numpy()
    gradient = oracle06.surrogate_gradient(logits, legal, state, action, advantage, log_prob, 0.2)
    assert gradient == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", [6, 11, 12])
def test_a_decision_overwritten_is_told_apart_from_one_added_once(seed):
    """`gradient[s] = step` in a loop keeps the last decision that is not stopped; `+=` with an array
    of states adds the last one, also where it is stopped and its step is 0.
    """
    cases = get_sheet("06").task("surrogate_gradient").hidden_cases(seed)
    added_once = [case.secret.slips["repeats"] for case in cases]
    overwritten = [_overwritten(*case.args) for case in cases]
    assert any(not np.allclose(a, b) for a, b in zip(added_once, overwritten, strict=True))


def _overwritten(logits, legal, state, action, advantage, log_prob, bound):
    """The slip as a student writes it, one decision after the other."""
    weights = np.where(legal, np.exp(logits), 0.0)
    p = weights / weights.sum(axis=1, keepdims=True)
    gradient = np.zeros(logits.shape)
    for s, a, push, drawn in zip(state, action, advantage, np.exp(log_prob), strict=True):
        ratio = p[s, a] / drawn
        stopped = ratio > 1 + bound if push > 0 else ratio < 1 - bound
        if not stopped:
            gradient[s] = push * ratio * (np.eye(len(p[s]))[a] - p[s]) / len(state)
    return gradient


def test_the_pairs_are_what_going_down_a_ranking_gives():
    """20,000 rankings by the course's own sampling; a walk down each of them, with eyes
    as the board then has them.
    """
    p, cells, clip = np.array([0.3, 0.0, 0.1, 0.2, 0.0, 0.05, 0.35]), (0, 1, 0, 0, 1, 0, 2), 0.05
    counts = np.zeros((8, 8))
    for order in ranked(
        np.tile(clip_probs(p, clip), (20_000, 1)), np.random.default_rng(4)
    ).tolist():
        board, pair = list(cells), []
        for point in order:
            if (
                len(pair) < 2
                and board[point] == 0
                and (board[point - 1], board[(point + 1) % 7]) != (1, 1)
            ):
                board[point] = 1
                pair.append(point)
        first, second = [*pair, -1, -1][:2]
        counts[first + 1, second + 1] += 1
    chances = oracle06.pair_chances(p, cells, clip)
    assert chances.sum() == pytest.approx(1.0)
    assert counts.ravel() / 20_000 == pytest.approx(chances, abs=0.02)
    assert (counts.ravel()[chances == 0] == 0).all()
