"""The rules against OpenSpiel's (Lanctot et al., 2019) on random positions: legal actions, ends,
returns, boards. No mismatch.
"""

import numpy as np
import pytest

from rlcourse.games import get_game

pyspiel = pytest.importorskip(
    "pyspiel",
    reason="OpenSpiel is not installed (open-spiel; there are wheels for Linux on x86-64)",
)

POSITIONS = 10_000
SYMBOLS = {".": 0, "x": 1, "o": 2}


def cells_of(theirs):
    """OpenSpiel prints both boards from the top row down, as cells are numbered here;
    columns run from left to right.
    """
    return bytes(SYMBOLS[symbol] for symbol in str(theirs) if symbol in SYMBOLS)


def compare(game, theirs, ours):
    """One position of each side, the same in everything that both know."""
    assert cells_of(theirs) == ours.cells
    assert theirs.legal_actions() == [game.action(move) for move in ours.legal_moves()], (
        ours.recipe()
    )
    assert theirs.is_terminal() == ours.is_over(), ours.recipe()
    assert theirs.returns() == [ours.points, -ours.points], ours.recipe()
    if not ours.is_over():
        assert theirs.current_player() == ours.next_player, ours.recipe()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_random_games_agree_with_openspiel(name):
    game, oracle, rng = (
        get_game(name),
        pyspiel.load_game(name.replace("-", "_")),
        np.random.default_rng(2019),
    )
    distinct, ends, compared = set(), set(), 0
    wanted = 5_000 if name == "tic-tac-toe" else POSITIONS  # tic-tac-toe has 5,478 positions
    while compared < POSITIONS or len(distinct) < wanted or len(ends) < 3:
        theirs, ours = oracle.new_initial_state(), game.new_game()
        while True:
            compare(game, theirs, ours)
            compared += 1
            distinct.add(ours.cells)
            if ours.is_over():
                ends.add(ours.winner())
                break
            action = int(rng.choice(ours.legal_moves()))
            theirs.apply_action(action)
            ours = ours.apply_move(action)
    print(f"{name}: {compared} positions compared, {len(distinct)} of them distinct, 0 mismatches")
