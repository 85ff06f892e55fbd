"""A game added by CONTRIBUTING.md alone, Hex on 5 x 5, plays: the laws, in an arena, in
search, on a board, on a ladder.
"""

from collections.abc import Iterator

import numpy as np
import pytest

from rlcourse.agents import agent_names, load_agent, make_agent
from rlcourse.arena import play_match
from rlcourse.boards import PlayBoard
from rlcourse.games import Game, from_recipe, get_game
from rlcourse.judges import final_judge, goals_of, judge_of
from rlcourse.parts import part_of
from rlcourse.round_robin import round_robin
from tests.fixtures import hex as fixture
from tests.unit import game_laws
from tests.unit.test_boards import message


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    fixture.add(monkeypatch)
    yield get_game("hex")
    part_of.cache_clear()


def joined(cells: np.ndarray, stone: int) -> bool:
    """Whether a player has joined the two sides, by plain sets: the
    oracle of the game's own kernel.
    """
    own = {(r, c) for r, c in np.argwhere(cells == stone).tolist()}
    reached = {cell for cell in own if cell[stone - 1] == 0}
    while True:
        near = {
            (r + dr, c + dc)
            for r, c in reached
            for dr, dc in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
        }
        if not (near & own) - reached:
            return any(cell[stone - 1] == 4 for cell in reached)
        reached |= near & own


@pytest.mark.parametrize("seed", range(8))
def test_it_keeps_the_laws_of_all_games(game, seed):
    for plies in (0, 3, 9, 25):
        state = game_laws.played(game, game_laws.random_actions(game, seed, plies))
        game_laws.check_position(game, state)
        for stone in (1, 2):
            won = state.is_over() and state.winner() == (1 if stone == 1 else -1)
            assert joined(state.board, stone) == won


def test_one_of_two_wins_every_game(game):
    result = play_match(make_agent("random", game), make_agent("random", game), games=200, seed=0)
    assert result.draws == 0 and 0 < result.wins < 200


def test_search_finds_the_win_and_beats_random_play(game):
    # X has joined a5 to a2: a1 wins, and nothing else at once.
    state = from_recipe("hex:XO.../XO.../XO.../XO.../.....")
    for kind in ("uct", "puct"):
        assert make_agent(kind, game, simulations=200, seed=0).select_move(state) == 20
    match = play_match(
        load_agent("hex/uct", simulations=50), make_agent("random", game), games=20, seed=0
    )
    assert match.wins >= 18
    assert {"hex/uct", "hex/random"} <= set(agent_names(game))


def test_it_is_played_on_a_board(game):
    board = PlayBoard("hex", "random", seed=0)
    message(board, "click", action=12)
    assert board.state.board[2, 2] == 1 and len(board.history) == 2
    assert board.view["title"] == "Hex" and "c3, X" in board.view["svg"]


def test_a_tournament_draws_its_openings(game):
    players = {name: make_agent("uct", game, simulations=n) for name, n in (("a", 5), ("b", 20))}
    assert round_robin(players, games=8, seed=0).distinct == 8


def test_what_it_does_not_have_is_none(game):
    assert judge_of("hex") is None and final_judge("hex") is None and goals_of("hex") == ()
