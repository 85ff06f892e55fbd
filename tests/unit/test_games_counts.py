"""Counts that are known from the literature: tic-tac-toe completely,
Connect Four to eight plies.
"""

import numpy as np
import pytest

from rlcourse.games import get_game


def after_every_action(game, batch):
    """A batch with one row for every legal action of every row of `batch`, that action played."""
    rows, actions = np.nonzero(batch.legal())
    larger = game.new_batch(len(rows))
    larger.restore({name: array[rows] for name, array in batch.arrays().items()})
    larger.step(actions)
    return larger


def test_all_games_of_tic_tac_toe():
    """255,168 games: 131,184 won by X, 77,904 by O, 46,080 drawn. The lengths: sequences of 5 to
    9 moves that end the game.

    Five moves: X completes one of 8 lines in 3! orders, and O puts two stones on the 6 other
    squares: 8 * 6 * 6 * 5 = 1,440.
    """
    game = get_game("tic-tac-toe")
    batch, ended, results = game.new_batch(1), {}, {1: 0, 0: 0, -1: 0}
    for ply in range(1, 10):
        batch = after_every_action(game, batch)
        ended[ply] = int(batch.done.sum())
        for points in results:
            results[points] += int((batch.points[batch.done] == points).sum())
    assert ended == {1: 0, 2: 0, 3: 0, 4: 0, 5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
    assert results == {1: 131184, 0: 46080, -1: 77904}
    assert sum(results.values()) == 255168


@pytest.mark.slow
def test_all_sequences_of_connect_four():
    """7^n sequences of n moves up to n = 6; at n = 7 all but the 7 that put seven stones
    into one column; at n = 8 the 5,673,234 that move generators are checked by (games won in
    the 7th ply go no further).

    Distinct positions after n plies: entry A212693 of the On-Line Encyclopedia of
    Integer Sequences (J. Tromp).
    """
    game = get_game("connect-four")
    batch, sequences, positions = game.new_batch(1), [], []
    for _ in range(7):
        batch = after_every_action(game, batch)
        sequences.append(len(batch.cells))
        positions.append(len(set(batch.cells.view("V42").ravel().tolist())))
    assert sequences == [7, 49, 343, 2401, 16807, 117649, 7**7 - 7]
    assert positions == [7, 49, 238, 1120, 4263, 16422, 54859]
    assert int(batch.legal().sum()) == 5_673_234
