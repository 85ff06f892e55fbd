"""Backgammon in lock-step: the laws, the 198 units, afterstates that are kept, random
players and matches in points.
"""

from itertools import islice, pairwise

import numpy as np
import pytest

from rlcourse.agents.base import BatchAgent, Decision, RandomAgent
from rlcourse.arena import MatchResult, play_match
from rlcourse.encoders import get_encoder_by_name
from rlcourse.games import GameOver, IllegalMove, get_game
from rlcourse.games.backgammon import START, BackgammonBatch, BackgammonState, units
from rlcourse.games.backgammon_kernels import find_plays
from rlcourse.kernels import interpreted
from rlcourse.self_play import simulate_game
from tests.oracles.backgammon_positions import built, checkers_of, position
from tests.unit.afterstate_race import check_afterstate_game

GAME = get_game("backgammon")


class Racer(BatchAgent):
    """Keeps as few pips as it can: a poor plan, but a plan."""

    name = "racer"

    def decide(self, batch, rows, rng):
        boards, offsets = batch.afterstate_boards(rows)
        mover = np.repeat(batch.to_play[rows], np.diff(offsets))
        pips = (boards[np.arange(len(boards)), mover, :24] * np.arange(1, 25)).sum(axis=1)
        pips += (boards[np.arange(len(boards)), 1 - mover, :25] * -np.arange(1, 26)).sum(axis=1)
        return Decision(np.array([pips[a:b].argmin() for a, b in pairwise(offsets)], np.int32))


class Blunderer(RandomAgent):
    """Chooses an afterstate that is not there in its first turn."""

    name = "blunderer"

    def decide(self, batch, rows, rng):
        fresh = (batch.checkers[rows, batch.to_play[rows]] == START[0]).all(axis=1)
        return Decision(np.where(fresh, 5_000, super().decide(batch, rows, rng).action))


@pytest.mark.slow
def test_the_laws_of_a_game_of_afterstates():
    played = check_afterstate_game(GAME.new_batch, np.random.default_rng(1), games=10)
    assert played.passes > 50
    assert played.choices > 500
    assert (
        set(played.points) <= {-3.0, -2.0, -1.0, 1.0, 2.0, 3.0}
        and sum(played.points.values()) == 10
    )


def plain_units(own, other, own_rolls):
    """The 198 units by the words of Sutton & Barto, 16.1."""
    listed = []
    for board in (own, other):
        for n in board[:24].tolist():
            listed += [float(n == 1), float(n >= 2), float(n == 3), (n - 3) / 2 if n > 3 else 0.0]
        listed += [board[24] / 2, board[25] / 15]
    return np.array([*listed, float(own_rolls), float(not own_rolls)], np.float32)


def test_units_of_the_starting_position():
    """Five checkers on 6: a made point and (5 - 3)/2 = 1.

    Three on 8: a made point and one spare. Five on 13, two on 24.
    """
    first, second = units(np.stack([START, START]), np.array([0, 1]), 0)
    half = np.zeros(98)
    half[4 * 5 : 4 * 6] = half[4 * 12 : 4 * 13] = 0, 1, 0, 1
    half[4 * 7 : 4 * 8] = 0, 1, 1, 0
    half[4 * 23 : 4 * 24] = 0, 1, 0, 0
    assert first.tolist() == [*half, *half, 1, 0]
    assert second.tolist() == [*half, *half, 0, 1]


def test_units_of_a_position_worked_by_hand():
    """X: a blot on 2, four on 3 ((4 - 3)/2), one on the bar (1/2), nine off (9/15).

    O: all fifteen on 1 ((15 - 3)/2 = 6).
    """
    board = checkers_of({2: 1, 3: 4, 25: 1}, {1: 15})
    seen = units(board[None], 0, 1)[0]
    assert {unit: round(float(value), 4) for unit, value in enumerate(seen) if value} == {
        4: 1, 9: 1, 11: 0.5, 96: 0.5, 97: 0.6, 98 + 1: 1, 98 + 3: 6, 197: 1,
    }  # fmt: skip
    with pytest.raises(ValueError, match=r"checkers \[M, 2, 26\]; got \(2, 26\)"):
        units(board, 0, 1)


def test_units_of_random_boards_from_every_view():
    states = list(islice(built(np.random.default_rng(2)), 100))
    boards = np.stack([state.checkers for state in states])
    for view in (0, 1):
        for roller in (0, 1):
            expected = [
                plain_units(board[view], board[1 - view], view == roller) for board in boards
            ]
            assert np.array_equal(units(boards, view, np.full(100, roller)), expected)
    encoder = get_encoder_by_name("backgammon-units", GAME)
    batch = BackgammonBatch(100)
    for row, state in enumerate(states):
        batch.load(row, state)
    encoded = encoder.encode_batch(batch)
    assert (encoder.shape, encoded.shape, encoded.dtype) == ((198,), (100, 198), np.float32)
    assert np.array_equal(encoded, np.stack([encoder.encode(state) for state in states]))
    assert np.array_equal(encoder.encode_batch(batch, np.array([7, 3])), encoded[[7, 3]])
    assert np.array_equal(encoded[:, 196:], np.tile([1, 0], (100, 1)))
    with pytest.raises(ValueError, match="198 units describe backgammon, not tic-tac-toe"):
        get_encoder_by_name("backgammon-units", get_game("tic-tac-toe"))


def rolled(n, seed=0, turns=12):
    """A batch in the middle of its games, dice thrown."""
    batch, rng = BackgammonBatch(n), np.random.default_rng(seed)
    for _ in range(turns):
        batch.roll(rng)
        batch.step((rng.random(n) * batch.counts()).astype(np.int64))
    batch.roll(rng)
    return batch


def fresh(batch):
    """The same positions in a batch that has generated nothing."""
    twin = BackgammonBatch(len(batch))
    twin.restore(batch.arrays())
    return twin


def test_afterstates_are_seen_by_the_player_who_rolls_next():
    batch = rolled(40)
    boards, offsets = batch.afterstate_boards()
    features, same = batch.afterstates()
    roller = np.repeat(1 - batch.to_play, np.diff(offsets))
    assert np.array_equal(offsets, same) and len(np.unique(roller)) == 1
    assert np.array_equal(features, units(boards, roller, roller))
    batch.load(0, BackgammonState(START, 1 - batch.to_play[0], (6, 1)))
    features, offsets = batch.afterstates(np.array([0, 1]))
    assert (features[:, 196:] == [1, 0]).all()


def test_kept_afterstates_are_given_up_when_the_batch_changes():
    batch, rng = rolled(30), np.random.default_rng(1)
    rows = np.arange(30)

    def agrees():
        expected, offsets = fresh(batch).afterstate_boards()
        for order in (rows, rng.permutation(30)[:11], rows[::-1]):
            boards, parts = batch.afterstate_boards(order)
            wanted = np.concatenate([expected[offsets[row] : offsets[row + 1]] for row in order])
            assert np.array_equal(boards, wanted) and np.array_equal(
                np.diff(parts), np.diff(offsets)[order]
            )

    agrees()
    batch.step(np.where(rows < 10, 0, -1))
    batch.roll(rng)
    agrees()
    batch.load(3, position({6: 2}, {1: 15}, (6, 6)))
    agrees()
    batch.reset(np.array([5]))
    batch.roll(rng)
    agrees()
    batch.restore(rolled(30, seed=9).arrays())
    agrees()
    boards, _ = batch.afterstate_boards()
    boards[:] = 0  # a copy
    agrees()


def test_rows_with_very_many_afterstates_fit():
    """Nine rows of 1,000 and more each: more than the buffer holds at first."""
    many = position(dict.fromkeys(range(10, 25), 1), {25: 2, 24: 1}, (3, 3))
    batch = BackgammonBatch(9)
    for row in range(9):
        batch.load(row, many)
    counts = batch.counts()
    assert (counts == len(many.legal_moves())).all() and counts.sum() > 9_000
    last = int(counts[8]) - 1
    batch.step(np.full(9, last))
    assert batch.state(8) == many.apply_move(many.legal_moves()[last]) == batch.state(0)


def test_what_a_batch_refuses():
    batch = BackgammonBatch(3)
    for ask in (batch.counts, batch.afterstates, batch.afterstate_boards):
        with pytest.raises(
            IllegalMove, match=r"game 0 of the batch waits for its dice: call roll\(rng\) first"
        ):
            ask()
    with pytest.raises(IllegalMove, match="waits for its dice"):
        batch.step(np.array([0, -1, -1]))
    batch.roll(np.random.default_rng(0))
    with pytest.raises(
        IllegalMove, match="game 1 of the batch: 999 is not one of its afterstates, 0 to"
    ):
        batch.step(np.array([0, 999, 0]))
    with pytest.raises(ValueError, match="step wants 3 integers"):
        batch.step(np.zeros(3))
    batch.load(2, position({1: 15}, {}))
    assert (
        batch.counts()[2] == 0
        and batch.done.tolist() == [False, False, True]
        and batch.points[2] == -2
    )
    with pytest.raises(
        GameOver, match="game 2 of the batch: nothing can be moved, the game is over"
    ):
        batch.step(np.array([0, 0, 0]))
    with pytest.raises(ValueError, match="a batch of backgammon cannot hold"):
        batch.load(0, get_game("tic-tac-toe").new_game())
    with pytest.raises(ValueError, match="0 or more games, not -1"):
        BackgammonBatch(-1)
    assert BackgammonBatch(0).afterstates()[0].shape == (0, 198)


def test_the_kernel_and_the_interpreter_find_the_same_plays():
    for state in islice(built(np.random.default_rng(8)), 25):
        own, other = state.checkers[[state.next_player, 1 - state.next_player]]
        dice = np.array(state.dice, np.int8)
        results = []
        for search in (find_plays, interpreted(find_plays)):
            plays = np.zeros((3877, 7), np.int64)
            first, last = search(own, other, *dice, plays)
            results.append(plays[first:last].tolist())
        assert results[0] == results[1]


def test_an_action_is_an_index_into_the_legal_moves():
    state = GAME.new_game().with_dice(3, 1)
    moves = state.legal_moves()
    assert [GAME.move(state, k) for k in range(len(moves))] == list(moves)
    for outside in (-1, len(moves)):
        with pytest.raises(
            IllegalMove, match=f"{outside} is not one of the {len(moves)} legal moves"
        ):
            GAME.move(state, outside)
    with pytest.raises(TypeError, match="an index into the moves of its position"):
        GAME.action(moves[0])


def test_the_random_player_is_uniform_over_the_plays():
    """2-1 from the start: each of k plays n/k times, within 6 standard deviations."""
    state, n = GAME.new_game().with_dice(2, 1), 8_000
    batch = BackgammonBatch(n)
    batch.restore({**batch.arrays(), "dice": np.tile(np.array([2, 1], np.int8), (n, 1))})
    decision = RandomAgent(GAME).decide(batch, np.arange(n), np.random.default_rng(0))
    k = len(state.legal_moves())
    counts = np.bincount(decision.action, minlength=k)
    assert len(counts) == k and np.abs(counts - n / k).max() < 6 * np.sqrt(n / k)
    assert np.allclose(np.exp(decision.log_prob), 1 / k)
    assert RandomAgent(GAME, seed=0).select_move(state) in state.legal_moves()
    with pytest.raises(IllegalMove, match="waits for its dice"):
        RandomAgent(GAME).select_move(GAME.new_game())


def test_one_game_between_two_agents():
    first, second = RandomAgent(GAME, seed=1), Racer(GAME)
    record = simulate_game(first, second, rng=np.random.default_rng(2))
    for before, move, after in zip(
        record.states[:-1], record.moves, record.states[1:], strict=True
    ):
        assert before.dice != (0, 0)
        played = before.apply_move(move)
        assert played == after if after.is_over() else played.with_dice(*after.dice) == after
    assert record.states[-1].points == record.points != 0
    again = simulate_game(RandomAgent(GAME, seed=1), second, rng=np.random.default_rng(2))
    assert again == record
    assert (
        simulate_game(first, second, position({1: 1}, {1: 15}), rng=np.random.default_rng(0)).points
        == 2
    )
    with pytest.raises(ValueError, match="backgammon is played with dice: give rng="):
        simulate_game(first, second)


def test_a_plan_beats_no_plan():
    result = play_match(Racer(GAME), RandomAgent(GAME), games=400, seed=0)
    assert result.interval()[0] > 0.6 and result.points_interval()[0] > 0.4
    assert result.points > result.wins / 400 - result.losses / 400  # gammons count
    assert sum(count for _, count in result.tally) == 400 and result.distinct == 400
    assert sum(points * count for points, count in result.tally) / 400 == result.points
    assert "; points per game +" in str(result)
    mirrored = play_match(RandomAgent(GAME), Racer(GAME), games=100, seed=1)
    assert mirrored.interval()[1] < 0.4 and mirrored.points_interval()[1] < -0.4
    assert play_match(RandomAgent(GAME), Racer(GAME), games=100, seed=1) == mirrored


def test_a_choice_that_is_not_there_loses_the_game():
    result = play_match(Blunderer(GAME), RandomAgent(GAME), games=20, seed=0)
    assert (result.losses, result.forfeits, result.points, result.tally) == (
        20,
        (20, 0),
        -1.0,
        ((-1, 20),),
    )


def test_points_per_game_of_a_hand_worked_case():
    """-2, -1, 1, 3: mean 0.25; mean of squares 15/4; sqrt((3.75 - 0.0625) / 3) =
    1.10868; times 1.95996: 2.17297.
    """
    result = MatchResult(
        "a", "b", (1, 0, 1), (1, 0, 1), 4, (0, 0), ((-2, 1), (-1, 1), (1, 1), (3, 1))
    )
    assert result.points == 0.25
    assert result.points_interval() == pytest.approx((-1.92297, 2.42297), abs=1e-5)
    assert str(result).endswith("; points per game +0.250 [-1.923, +2.423]")
    plain = MatchResult("a", "b", (1, 0, 1), (1, 0, 1), 4, (0, 0), ((-1, 2), (1, 2)))
    assert "points" not in str(plain) and plain.points == 0
