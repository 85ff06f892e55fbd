"""Lessons 10 and 10b are one tournament, and the films at their heads are true."""

from itertools import pairwise

import numpy as np
import pytest

from docs.drawings.openings import tournament as film
from rlcourse.games import get_game
from rlcourse.judges.tictactoe import judge
from rlcourse.lessons.lesson10 import best_response
from rlcourse.lessons.lesson10b import elo_update
from rlcourse.round_robin import RoundRobin
from tests.notebooks.reading import LESSONS, code_cells, read


def printed_ladder(number: str) -> list[str]:
    """The rows of the first ladder that a lesson prints."""
    for cell in code_cells(read(LESSONS[number])):
        for output in cell.outputs:
            lines = output.get("text", "").splitlines()
            for k, line in enumerate(lines):
                if "95% interval" in line and "won-drawn-lost" in line:
                    return [row.strip() for row in lines[k + 1 : k + 6]]
    raise AssertionError("no ladder")


def test_the_counts_of_lesson_10b_are_the_games_of_lesson_10():
    assert printed_ladder("10b") == printed_ladder("10")
    assert printed_ladder("10")[0].startswith("1 4,500 games")


@pytest.mark.slow  # trains three tables
def test_the_line_of_the_film_beats_the_champion():
    champion = film.field()["4,500 games"]
    positions = film.lost_line(champion)
    assert positions[-1].is_over() and positions[-1].winner() == 1
    for before, after in pairwise(positions):
        if before.next_player == 1:
            assert after == before.apply_move(champion.select_move(before))
    assert judge(champion).losing_lines == 3
    assert [best_response(get_game("tic-tac-toe").new_game(), champion, k) for k in (0, 1)] == [
        1,
        1,
    ]


def test_the_film_of_elo_ends_where_the_rule_ends():
    # Two players, 180 games that the first wins: one order is as good as the other.
    games = 2 * film.STEP
    seats, points = np.tile([[0], [1]], games), np.ones(games)
    zeros = np.zeros(games, int)
    played = RoundRobin(("a", "b"), seats, points, zeros, zeros - 1, {}, zeros)
    history = film.two_orders(played)
    assert history.shape == (2, 3, 2) and np.array_equal(history[0], history[1])
    ratings = np.zeros(2)
    for _ in range(games):
        elo_update(ratings, 0, 1, 1)
    assert np.allclose(history[0, -1], ratings - ratings[0])
    assert len(film.elo_walk(["a", "b"], history).frames) == 3
