"""What sheet 05 takes for right agrees with the course's rules, solvers and returns where
a task's game meets theirs.
"""

import numpy as np
import pytest

from rlcourse.agents.td_gammon import equity
from rlcourse.checks import get_sheet, oracle05, reference05
from rlcourse.experience import lambda_returns
from rlcourse.games import get_game


def test_on_the_large_board_the_turns_are_those_of_backgammon(monkeypatch):
    """The generator of the small board, given 24 points and a home of six, finds the mover's
    checkers of every legal turn.
    """
    monkeypatch.setattr(oracle05, "BAR", 25)
    monkeypatch.setattr(oracle05, "HOME", 6)
    rng, batch, seen = (
        np.random.default_rng(0),
        get_game("backgammon").new_batch(4),
        {"double": 0, "bar": 0, "home": 0},
    )
    for _ in range(50):
        batch.roll(rng)
        boards, offsets = batch.afterstate_boards()
        for row in range(4):
            player, dice = batch.to_play[row], tuple(batch.dice[row].tolist())
            own, other = batch.checkers[row, player, :25], batch.checkers[row, 1 - player]
            blocked = [24 - index for index in range(24) if other[index] > 1]
            legal = {
                tuple(board[player, :25].tolist())
                for board in boards[offsets[row] : offsets[row + 1]]
            }
            assert oracle05.legal_turns(tuple(own.tolist()), blocked, dice) == sorted(legal)
            for name, there in (
                ("double", dice[0] == dice[1]),
                ("bar", own[24] > 0),
                ("home", not own[6:].any()),
            ):
                seen[name] += bool(there)
        batch.step(rng.integers(np.diff(offsets)))
        batch.reset(np.flatnonzero(batch.done))
    assert min(seen.values()) >= 5, seen


def test_in_a_match_without_end_points_count_as_money():
    """Where each point is worth the same, the chance in the match is a straight
    line of the mover's equity.
    """
    rng = np.random.default_rng(1)
    needs = np.arange(12)
    table = 0.5 + 0.03 * (needs - needs[:, None])
    win = rng.uniform(0.3, 0.7, 5)
    outputs = np.stack([win, 0.3 * win, 0.1 * win, 0.4 * (1 - win), 0.1 * (1 - win)], axis=1)
    expected = 0.5 + 0.03 * (5 - 7 - equity(outputs))
    assert oracle05.match_chances(outputs, 7, 5, table) == pytest.approx(expected)


@pytest.mark.parametrize("length", [4, 5])
def test_the_targets_with_gammons_are_the_lambda_returns_of_one_account(length):
    outputs = np.random.default_rng(length).uniform(0, 0.5, (length, 3))
    other = (length - 1 - np.arange(length))[
        :, None
    ] % 2 == 1  # positions in which the winner does not roll

    def turned(rows):
        return np.where(other, np.stack([1 - rows[:, 0], rows[:, 2], rows[:, 1]], axis=1), rows)

    following = np.vstack([turned(outputs)[1:], [1.0, 1.0, 0.0]])
    expected = turned(lambda_returns(np.zeros_like(following), following, 0.7))
    assert oracle05.gammon_targets(outputs, 3, 0.7) == pytest.approx(expected)


def test_with_the_exact_table_looking_ahead_changes_nothing():
    """The true values of a small track, by recursion over all throws: two
    plies say what the table says.
    """
    goes = np.array([0, 1, 2, 1, 4, 5, 2, 7])
    values = np.zeros((8, 8))
    for a, b in sorted(np.ndindex(8, 8), key=sum):
        if a and b:
            ends = [goes[max(a - die, 0)] for die in (1, 2, 3, 4)]
            won = [1 - values[b, end] for end in ends]  # values[b, 0] is 0: who is home has won
            values[a, b] = sum(max(won[i], won[j]) for i in range(4) for j in range(4)) / 16
    assert values[2, 1] == 15 / 16  # only 1-1 does not bring them home
    plays = np.arange(8)
    for theirs in range(1, 8):
        expected = 1 - values[theirs, plays]
        assert reference05.two_ply_chances(plays, theirs, goes, values) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(10))
def test_every_seed_has_turns_that_begin_and_end_on_the_bar(seed):
    """One that enters while another waits, one in which nothing can be played,
    and one in which all come in.
    """
    cases = [
        (case.args[0][8], [end[8] for end in case.secret.right], case)
        for case in get_sheet("05").task("legal_turns").hidden_cases(seed)
    ]
    assert any(before > 1 and set(after) == {before - 1} for before, after, _ in cases)
    assert any(before > 0 and case.secret.right == [case.args[0]] for before, _, case in cases)
    assert any(before > 0 and 0 in after for before, after, _ in cases)
