"""The book of perfect Connect Four: it has an answer to everything, and its results are exact."""

from pathlib import Path

import numpy as np
import pytest

from rlcourse.agents import PerfectAgent, load_agent
from rlcourse.arena import play_match
from rlcourse.boards.faces import face_of
from rlcourse.boards.review import review
from rlcourse.games import from_recipe, get_game
from rlcourse.results import load_results
from rlcourse.solvers import connect_four_book
from rlcourse.solvers.connect_four import ConnectFourSolver, bitboards, cells_of, exact_moves
from rlcourse.solvers.connect_four_book import RESULTS, SOLVED_FROM, book, mirrored, played

GAME = get_game("connect-four")
ROWS = load_results("connect-four-book", Path(connect_four_book.__file__).parent)["rows"]
LINES = {line: answer for row in ROWS for line, answer in row["book"].items()}


def position(line):
    return from_recipe(f"connect-four:{line}") if line else GAME.new_game()


def wins_at_once(state):
    return any(state.apply_move(column).is_over() for column in state.legal_moves())


def key(state):
    own, mask = bitboards(cells_of(state))
    return int(own[0]), int(mask[0])


def test_columns_lead_to_the_bitboards_of_the_game():
    rng = np.random.default_rng(0)
    for _ in range(100):
        line, state = "", GAME.new_game()
        for _ in range(9):
            line += str(rng.choice(state.legal_moves()))
            state = state.apply_move(int(line[-1]))
            if state.is_over():
                break
            own, mask = bitboards(cells_of(state))
            assert played(line) == (own[0], mask[0])
            assert state == position(line)
        assert mirrored(mirrored(line)) == line


@pytest.mark.slow
@pytest.mark.parametrize(("first", "least"), [(True, 400), (False, 2_000)])
def test_the_book_answers_everything_and_its_results_follow_from_the_last_ones(first, least):
    empty = GAME.new_game()
    games, seen = [empty] if first else [empty.apply_move(column) for column in range(7)], set()
    while games:
        state = games.pop()
        if key(state) in seen:
            continue
        seen.add(key(state))
        column, result = book()[key(state)]
        after = state.apply_move(column)
        assert not wins_at_once(state)
        if wins_at_once(after):
            assert result == -1
        elif np.count_nonzero(cells_of(state)) + 2 < SOLVED_FROM:
            replies = [after.apply_move(reply) for reply in after.legal_moves()]
            results = [1 if wins_at_once(reply) else book()[key(reply)][1] for reply in replies]
            assert result == min(results)
            games += [reply for reply in replies if not wins_at_once(reply)]
    assert len(seen) > least


@pytest.mark.slow
def test_the_last_answers_keep_the_result_that_the_solver_finds_anew():
    """Of 10 positions drawn for it; the results of all others follow from such ones."""
    last = sorted(line for line in LINES if len(line) >= SOLVED_FROM - 2)
    solver = ConnectFourSolver()
    for line in np.random.default_rng(1).choice(last, 10, replace=False):
        state, answer = position(line), LINES[line]
        assert solver.score(state, reach=1) == RESULTS[answer[1]]
        assert -solver.score(state.apply_move(int(answer[0])), reach=1) == RESULTS[answer[1]]


def test_first_moves_as_solved_in_1988():
    """Who begins in the middle wins, beside it draws, and further out loses (Allis 1988)."""
    results, choice = exact_moves(cells_of(GAME.new_game()))
    assert results.tolist() == [[-1, -1, 0, 1, 0, -1, -1]]
    assert choice.tolist() == [[False, False, False, True, False, False, False]]


def test_mirror_images_have_mirrored_answers():
    for line in list(LINES)[::50]:
        column, result = book()[played(line)]
        image = book()[played(mirrored(line))]
        own_image = played(line) == played(mirrored(line))
        assert image == ((column if own_image else 6 - column), result)


def test_a_win_at_once_goes_before_every_other_win():
    state = position("30405")  # three stones of the first player in the bottom row, one to stop
    state = state.apply_move(1)
    assert np.flatnonzero(exact_moves(cells_of(state))[1]).tolist() == [2, 6]


@pytest.mark.slow
def test_who_begins_wins_every_game():
    bot, searcher = PerfectAgent(GAME, seed=0), load_agent("connect-four/uct", simulations=300)
    match = play_match(bot, searcher, games=6, seed=0)
    assert match.as_first == (3, 0, 0)


def test_costs_from_the_first_move_against_the_perfect_player():
    """Who follows has lost from the beginning, and can give nothing away."""
    judge, line, moves = face_of("connect-four").judge(GAME), [GAME.new_game()], []
    bot = PerfectAgent(GAME, seed=0)
    while not line[-1].is_over():
        begins = len(moves) % 2 == 0
        moves.append(bot.select_move(line[-1]) if begins else line[-1].legal_moves()[0])
        line.append(line[-1].apply_move(moves[-1]))
    judged = review(judge, line, moves, range(1, len(moves), 2)).moves
    assert len(judged) > 2 and {(one.cost, one.word) for one in judged} == {(None, "lost anyway")}
    first = review(judge, [line[0], line[0].apply_move(0)], [0], [0]).moves[0]
    assert (first.best, first.cost, first.word) == (3, 2, "turned a win into a loss")


def test_a_position_that_the_book_does_not_lead_to_is_searched():
    state = position("0000")
    assert np.isnan(exact_moves(cells_of(state))[0]).any()
    decision = PerfectAgent(GAME, seed=0).think(state)
    assert decision.policy.sum() == 1
    assert state.is_valid_move(int(decision.action[0]))
