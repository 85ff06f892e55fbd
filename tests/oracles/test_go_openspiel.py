"""Go against OpenSpiel's (Lanctot et al., 2019) on random games from 3 x 3 to 13 x 13:
boards, legal moves, area.

OpenSpiel forbids the simple ko only and ends the game where a longer repetition comes about.
So it allows all that we allow, and each move that it allows beyond that leads, on its own
board, to an earlier board.
"""

import numpy as np
import pytest

from rlcourse.games import get_game

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed (open-spiel; it has wheels for Linux on x86-64)"
)

GAMES = 220
SIZES = range(3, 14)


def their_game(size, komi, actions=()):
    """A game of theirs after `actions`.

    Its cap on the length must not be reached: the default ends games early.
    """
    state = pyspiel.load_game(
        f"go(board_size={size},komi={komi},max_game_length=100000)"
    ).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def cells_of(theirs, size):
    """Our cells from their picture, whose top row comes first."""
    rows = [line.split() for line in str(theirs).splitlines()]
    text = "".join(row[1] for row in rows if len(row) == 2 and row[0].isdigit())
    assert len(text) == size**2
    return bytes("+XO".index(symbol) for symbol in text)


def turned(action, size):
    """Their action for ours and ours for theirs: they count the points from the bottom row up."""
    return action if action == size**2 else (size - 1 - action // size) * size + action % size


def compare_game(size, seed):
    """One random game. Returns (plies, moves refused for superko, stones taken)."""
    rng, batch = (
        np.random.default_rng([size, seed]),
        get_game("go", size=size, komi=0.5).new_batch(1),
    )
    theirs, played, refused, taken = their_game(size, 0.5), [], 0, 0
    earlier = {cells_of(theirs, size)}
    sensible = (
        seed % 2
    )  # half of the games fill eyes, so that whole groups are taken and taken again
    while not batch.done[0]:
        legal = np.flatnonzero(batch.legal()[0]).tolist()
        allowed = {turned(action, size) for action in theirs.legal_actions()}
        assert theirs.current_player() == batch.to_play[0]
        assert allowed >= set(legal), played
        for action in sorted(allowed - set(legal)):
            assert cells_of(theirs.child(turned(action, size)), size) in earlier, (played, action)
            refused += 1
        choice = np.flatnonzero(batch.sensible()[0]) if sensible else (legal[:-1] or legal)
        action = int(rng.choice(choice if rng.random() > 0.02 else legal))
        batch.step(np.array([action]))
        played.append(turned(action, size))
        theirs.apply_action(played[-1])
        cells = cells_of(theirs, size)
        assert cells == batch.cells[0].tobytes(), played
        taken += action < size**2
        assert action == size**2 or cells not in earlier
        earlier.add(cells)
    state = batch.state(0)
    lead = int(state.score() + 0.5)  # Black's area minus White's
    if not state.truncated:
        assert theirs.is_terminal()
        for komi, returns in ((lead - 0.5, [1.0, -1.0]), (lead + 0.5, [-1.0, 1.0])):
            assert their_game(size, komi, played).returns() == returns, (played, lead)
    return len(played), refused, taken - int((batch.cells[0] != 0).sum())


@pytest.mark.slow
def test_random_games_agree_with_openspiel():
    games = [compare_game(SIZES[seed % len(SIZES)], seed) for seed in range(GAMES)]
    plies, refused, taken = np.sum(games, axis=0)
    print(
        f"{len(games)} games, {plies} plies, {taken} stones taken, {refused} repetitions "
        "refused, 0 mismatches"
    )
    assert refused > 0
    assert taken > 1000
