"""The exact solution and its judge, against a minimax written here on strings, and
numbers that anyone can look up.
"""

from functools import cache

import numpy as np
import pytest

from rlcourse.agents import make_agent
from rlcourse.games import from_recipe, get_game
from rlcourse.judges.tictactoe import (
    DECISIONS,
    expected_optimal,
    judge,
    judge_actions,
)
from rlcourse.solvers.tictactoe import codes_of, solve, symmetry_tables, tables

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board: str) -> str:
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return board[a]
    return ""


@cache
def minimax(board: str, gamma: float) -> float:
    """Value for the player to move; an independent oracle."""
    if winner(board):
        return -1.0
    if "." not in board:
        return 0.0
    stone = "XO"[board.count("X") > board.count("O")]
    values = []
    for square in range(9):
        if board[square] == ".":
            after = board[:square] + stone + board[square + 1 :]
            over = winner(after) or "." not in after
            values.append(-minimax(after, gamma) * (1.0 if over else gamma))
    return max(values)


def board_of(code: int) -> str:
    return "".join(".XO"[cell] for cell in tables().cells[code])


def test_counts_of_positions():
    rules = tables()
    # 5,478 positions: https://en.wikipedia.org/wiki/Tic-tac-toe and OEIS; 626 + 316
    # + 16 of them are finished.
    assert rules.reachable.sum() == 5478
    assert rules.done.sum() == 958
    assert (rules.points[rules.done] == 1).sum() == 626
    assert (rules.points[rules.done] == -1).sum() == 316
    assert (rules.points[rules.done] == 0).sum() == 16
    assert len(rules.decisions) == DECISIONS
    assert len(np.unique(symmetry_tables().canonical[rules.decisions])) == 627


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_values_equal_an_independent_minimax(gamma):
    solution = solve(gamma)
    for code in tables().decisions:
        assert solution.value[code] == pytest.approx(minimax(board_of(code), gamma)), board_of(code)


def test_best_moves_keep_the_value():
    solution, rules = solve(), tables()
    every_move_right = 0
    for code in rules.decisions:
        value = minimax(board_of(code), 1.0)
        recipe = "tic-tac-toe:" + "".join(".XO"[cell] for cell in rules.cells[code])
        legal = np.flatnonzero(rules.successor[code] >= 0)
        for square in legal:
            after = from_recipe(recipe).apply_move(int(square))
            of_mover = -minimax(board_of(codes_of(after.board.reshape(1, 9))[0]), 1.0)
            assert solution.q[code, square] == of_mover
            assert solution.best[code, square] == (of_mover == value)
        every_move_right += solution.best[code, legal].all()
    assert every_move_right == 1329


def test_symmetry_tables_lead_to_the_canonical_position():
    rules, images = tables(), symmetry_tables()
    for code in rules.decisions[::37]:
        moved = np.zeros(9, np.int8)
        moved[images.action[code]] = rules.cells[code]
        assert codes_of(moved[None])[0] == images.canonical[code]
        for square in np.flatnonzero(rules.successor[code] >= 0):
            after = rules.successor[code, square]
            image = rules.successor[images.canonical[code], images.action[code, square]]
            assert images.canonical[image] == images.canonical[after]


def test_the_perfect_player_is_perfect():
    verdict = judge(make_agent("perfect", get_game("tic-tac-toe")))
    assert verdict.perfect and verdict.losing_lines == 0 and verdict.optimal == 4520


def test_lines_are_counted_as_a_hand_written_walk_counts_them():
    chosen = np.array(
        [np.flatnonzero(tables().successor[code] >= 0)[0] for code in tables().decisions]
    )
    verdict = judge_actions(chosen)  # always the lowest free square
    action = dict(zip(tables().decisions.tolist(), chosen.tolist(), strict=True))

    def walk(board: str, seat: int) -> np.ndarray:
        if winner(board) or "." not in board:
            result = {"X": 1, "O": -1, "": 0}[winner(board)] * (1 - 2 * seat)
            return np.eye(3, dtype=int)[result + 1]
        ply = 9 - board.count(".")
        stone = "XO"[ply % 2]
        code = sum(".XO".index(cell) * 3**k for k, cell in enumerate(board))
        squares = [action[code]] if ply % 2 == seat else [k for k in range(9) if board[k] == "."]
        return sum(walk(board[:k] + stone + board[k + 1 :], seat) for k in squares)

    for seat, lines in ((0, verdict.first), (1, verdict.second)):
        assert (lines.lost, lines.drawn, lines.won) == tuple(walk("." * 9, seat))
    assert verdict.losing_lines > 0


def test_unbeatable_and_perfect_are_different():
    decisions, solution = tables().decisions, solve()
    best = solution.best[decisions].argmax(axis=1)
    assert judge_actions(best).perfect
    # This player opens in the corner, so as X it never comes to a position
    # in which the corner is free.
    odd = from_recipe("tic-tac-toe:.XXOO....")
    row = int(np.flatnonzero(decisions == codes_of(odd.board.reshape(1, 9))[0])[0])
    assert np.flatnonzero(solution.best[decisions[row]]).tolist() == [
        0,
        5,
    ]  # win at once, or block with two threats
    spoiled = best.copy()
    spoiled[row] = 8
    verdict = judge_actions(spoiled)
    assert verdict.unbeatable and not verdict.perfect and verdict.optimal == 4519


def test_an_illegal_action_loses_on_the_spot():
    best = solve().best[tables().decisions].argmax(axis=1)
    best[0] = 9  # the empty board is the first decision
    verdict = judge_actions(best)
    assert (verdict.first.lost, verdict.first.drawn, verdict.first.won) == (1, 0, 0)
    assert verdict.second.lost == 0 and verdict.optimal == 4519
    with pytest.raises(ValueError, match="4520 decisions"):
        judge_actions(best[:-1])


def test_random_play_finds_58_of_100_best_moves():
    """The figure that the lessons tell beside every other, by minimax."""
    shares = []
    for code in tables().decisions:
        board = board_of(code)
        stone = "XO"[board.count("X") > board.count("O")]
        values = [
            -minimax(board[:k] + stone + board[k + 1 :], 1.0) for k in range(9) if board[k] == "."
        ]
        shares.append(values.count(max(values)) / len(values))
    legal = tables().successor[tables().decisions] >= 0
    uniform = legal / legal.sum(axis=1, keepdims=True)
    assert expected_optimal(uniform) == pytest.approx(sum(shares))
    assert round(100 * sum(shares) / len(shares), 1) == 58.0
    best = solve().best[tables().decisions]
    assert expected_optimal(best / best.sum(axis=1, keepdims=True)) == pytest.approx(4520)
