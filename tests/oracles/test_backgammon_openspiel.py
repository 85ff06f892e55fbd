"""The rules of backgammon against OpenSpiel's (Lanctot et al., 2019): every afterstate of
every turn, and what games pay.

OpenSpiel plays a double as two turns of the same player, and takes no position from outside. Rare
turns are brought about by players who hit, block, run or leave blots, and by dice that show more
doubles than chance would have it.
"""

import re
from collections import Counter

import numpy as np
import pytest

from rlcourse.games.backgammon import BackgammonBatch, BackgammonState, outcomes
from tests.oracles.backgammon_positions import POLICIES, features

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed (open-spiel; wheels for Linux on x86-64)"
)

POSITIONS = 1_000  # 20,000 were compared once, with all results of both players
LONGEST = 600  # OpenSpiel stops a game after 1,000 of its moves, also in the middle of a double


def board_of(theirs) -> np.ndarray:
    """[2, 26] int8. OpenSpiel counts the places from player 0's 24-point; 100 is the bar."""
    checkers = np.zeros((2, 26), np.int8)
    for player in (0, 1):
        places = [theirs.board(player, place) for place in range(24)]
        checkers[player, :24] = places[::-1] if player == 0 else places
        checkers[player, 24] = theirs.board(player, 100)
    checkers[:, 25] = 15 - checkers.sum(axis=1)
    return checkers


def afterstates_of(theirs) -> dict:
    """{board as bytes: (points of player 0, a position of theirs with that board)}; both
    halves of a double played.
    """
    mover, found, halves = theirs.current_player(), {}, {}
    for action in theirs.legal_actions():
        child = theirs.child(action)
        half = not child.is_terminal() and child.current_player() == mover
        (halves if half else found)[board_of(child).tobytes()] = (child.returns()[0], child)
    for _, child in halves.values():
        found.update(afterstates_of(child))
    return found


def ours_of(theirs) -> BackgammonState:
    """The same position on our side."""
    dice = tuple(int(die) for die in re.search(r"Dice: (\d)(\d)", str(theirs)).groups())
    return BackgammonState(board_of(theirs), theirs.current_player(), dice)


@pytest.mark.slow
def test_games_agree_with_openspiel():
    oracle, rng = (
        pyspiel.load_game("backgammon(scoring_type=full_scoring)"),
        np.random.default_rng(8),
    )
    seen, results, distinct, batch = Counter(), Counter(), set(), BackgammonBatch(1)
    while len(distinct) < POSITIONS or {abs(points) for points in results} < {1, 2, 3}:
        theirs, doubles = oracle.new_initial_state(), rng.choice([0.0, 0.5])
        players = rng.choice(list(POLICIES), 2)
        while not theirs.is_terminal() and theirs.move_number() < LONGEST:
            throws = [action for action, _ in theirs.chance_outcomes()]
            throw = rng.choice(
                throws[-6:] if len(throws) == 21 and rng.random() < doubles else throws
            )
            theirs = theirs.child(int(throw))
            ours = ours_of(theirs)
            expected = afterstates_of(theirs)
            batch.load(0, ours)
            boards, _ = batch.afterstate_boards()
            after = {
                board.tobytes(): points
                for board, points in zip(boards, outcomes(boards).tolist(), strict=True)
            }
            assert len(after) == len(boards), ours.recipe()
            assert after == {board: points for board, (points, _) in expected.items()}, (
                ours.recipe()
            )
            distinct.add(ours)
            seen += features(ours, boards)
            liked = POLICIES[players[ours.next_player]](boards, ours.next_player, rng)
            theirs = expected[boards[liked.argmax()].tobytes()][1]
        results += Counter([points for points in theirs.returns()[:1] if points])
    print(f"{len(distinct)} positions, 0 mismatches; {dict(seen)}; {dict(results)}")
    assert len(seen) == 10 and min(seen.values()) > 0, seen
