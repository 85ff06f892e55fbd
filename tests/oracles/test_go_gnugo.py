"""Go against GNU Go 3.8, which knows positional superko: the legal moves of both, ply by
ply, and the stones taken.
"""

import numpy as np
import pytest

from rlcourse.games import get_game
from rlcourse.games.go import Move
from rlcourse.gtp.client import GtpClient


@pytest.fixture
def gnugo(require_program):
    rules = "--chinese-rules --positional-superko --level 0".split()
    with GtpClient([require_program("gnugo"), "--mode", "gtp", *rules]) as client:
        yield client


@pytest.mark.slow
def test_random_games_agree_with_gnu_go(gnugo):
    rng, plies, repetitions, taken = np.random.default_rng(1989), 0, 0, 0
    for size in [3] * 60 + [4] * 40 + [5] * 30 + [7] * 6 + [9] * 3:
        state = get_game("go", size=size, komi=0.5).new_game()
        gnugo.ask(f"boardsize {size}")
        gnugo.ask("clear_board")
        while not state.is_over():
            moves = list(state.legal_moves())[:-1]
            color = state.next_player.name
            assert set(gnugo.ask(f"all_legal {color}").split()) == {str(move) for move in moves}, (
                state.recipe()
            )
            repetitions += len(state.forbidden_by_ko())
            move = (
                moves[rng.integers(len(moves))]
                if moves and rng.random() > 0.02
                else Move.pass_turn()
            )
            gnugo.ask(f"play {color} {move}")
            state, plies = state.apply_move(move), plies + 1
            assert (
                int(gnugo.ask("captures white")),
                int(gnugo.ask("captures black")),
            ) == state.captured
        taken += sum(state.captured)
    print(
        f"{plies} plies, {taken} stones taken, {repetitions} points forbidden by "
        "superko, 0 mismatches"
    )
    assert repetitions > 100
