"""Forced moves of Go: positions worked by hand, a second count by groups and
liberties, and what a policy misses.
"""

import numpy as np
import pytest

from rlcourse.agents import Decision, RandomAgent
from rlcourse.games import from_recipe, get_game
from rlcourse.games.go import Move, Point
from rlcourse.judges.forced_go import forced_move, forced_positions, most_taken, share_missed

GAME = get_game("go", size=5)


def action(text: str) -> int:
    """The number of a point: A5 is 0, E5 is 4, E1 is 24."""
    return (5 - int(text[1])) * 5 + "ABCDE".index(text[0])


def position(rows: str, player: str = "X"):
    return from_recipe(f"go size=5 komi=7.5:{rows} {player}")


def most_taken_by_groups(state) -> int:
    """The stones of the opponent's groups whose last liberty is one and the same point,
    where that point may be played.
    """
    points = [Point(row, col) for row in range(1, 6) for col in range(1, 6)]
    opponent = 1 - state.next_player
    groups = {
        state.board.get_go_string(point) for point in points if state.board.get(point) == opponent
    }
    taken: dict[Point, int] = {}
    for group in groups:
        if len(group.liberties) == 1:
            (last,) = group.liberties
            if state.is_valid_move(Move.play(last)):
                taken[last] = taken.get(last, 0) + len(group.stones)
    return max(taken.values(), default=0)


def test_most_stones_taken_by_hand():
    """Black takes one stone by C2; White, to move there, takes none. Below, C2 is the last
    liberty of three white groups.
    """
    assert most_taken(position("...../..X../.XOX./...../.....")) == 1
    assert most_taken(position("...../..X../.XOX./...../.....", "O")) == 0
    assert most_taken(position("...../..X../.XOX./XO.OX/.XXX.")) == 3


def test_a_forced_move_by_hand():
    """Black's A5, B5, C5 have one liberty, D5. Played, it gives them D4 and E5; after any other
    move White takes all three. Two stones are too few, unless two are asked for. With White on E5
    and D4 nothing saves the three."""
    assert forced_move(GAME, position("XXX../OOO../...../...../.....")) == action("D5")
    assert forced_move(GAME, position("XX.../OO.../...../...../.....")) is None
    assert forced_move(GAME, position("XX.../OO.../...../...../....."), stones=2) == action("C5")
    assert forced_move(GAME, position("XXX.O/OOOO./...../...../.....")) is None
    assert forced_move(GAME, GAME.new_game()) is None


def test_taking_may_be_the_only_way_to_save():
    """Black's B5, C5, D5 have one liberty, A5, which is no way out: played, the four have none.

    E4 takes the stone on E5.
    """
    state = position(".XXXO/OOOO./...../...../.....")
    assert not state.is_valid_move(Move.from_text("A5"))
    assert forced_move(GAME, state) == action("E4")


def test_the_positions_are_what_they_claim_by_groups_and_liberties():
    """Every move of every position, judged by the second count; no two positions are the same."""
    positions = forced_positions(GAME, 12, seed=1)
    assert len({forced.state for forced in positions}) == 12
    assert forced_positions(GAME, 12, seed=1) == positions
    for state, only in positions:
        assert most_taken_by_groups(state.apply_move(Move.pass_turn())) >= 3
        batch = GAME.new_batch(1)
        batch.load(0, state)
        sensible = np.flatnonzero(batch.sensible()[0]).tolist()
        left = {a: most_taken_by_groups(state.apply_move(GAME.move(state, a))) for a in sensible}
        assert len(left) > 1 and [a for a in sensible if left[a] < 3] == [only]


class Mixed(RandomAgent):
    """Gives action 0 a tenth and shares the rest among the others, or the other way round."""

    shares = (0.1, 0.9)

    def decide(self, batch, rows, rng):
        """policy [R, 26] is the same everywhere."""
        policy = np.full((len(rows), 26), self.shares[1] / 25)
        policy[:, 0] = self.shares[0]
        return Decision(policy.argmax(axis=1).astype(np.int32), policy=policy)


def test_what_a_policy_misses_by_hand():
    """Two positions, forced at A5 and elsewhere: (1 - 0.1 + 1 - 0.9 / 25) / 2 = 0.932."""
    forced = forced_positions(GAME, 2, seed=1)
    pair = (forced[0]._replace(action=0), forced[1]._replace(action=7))
    assert share_missed(Mixed(GAME), pair) == pytest.approx(0.932)
