"""The dice race keeps the laws of a game of afterstates, and the laws
notice a game that does not.
"""

import itertools

import numpy as np
import pytest

from rlcourse.games import IllegalMove
from tests.unit.afterstate_race import HOME, PASS, RaceBatch, RaceState, check_afterstate_game


def test_the_race_keeps_the_laws():
    played = check_afterstate_game(RaceBatch, np.random.default_rng(1), games=30)
    assert played.passes > 30
    assert played.choices > 30
    assert set(played.points) == {1.0, -1.0}
    assert sum(played.points.values()) == 30


def test_turns_worked_by_hand():
    """Runners on 2 and 5, a 3 thrown: 2 goes to 5; 5 would go to 8, beyond 6.

    With a 1 both can; on 5 and 5 they are one move.
    """
    state = RaceState(((2, 5), (0, 6)), 0, 3)
    assert state.legal_moves() == (2,)
    assert state.apply_move(2) == RaceState(((5, 5), (0, 6)), 1)
    assert RaceState(((2, 5), (0, 6)), 0, 1).legal_moves() == (2, 5)
    assert RaceState(((5, 5), (0, 6)), 0, 1).legal_moves() == (5,)
    assert RaceState(((5, 5), (0, 6)), 0, 2).legal_moves() == (PASS,)
    assert RaceState(((5, 5), (0, 6)), 0, 2).apply_move(PASS) == RaceState(((5, 5), (0, 6)), 1)
    won = RaceState(((5, HOME), (0, 6)), 0, 1).apply_move(5)
    assert (won.winner(), won.points, won.legal_moves()) == (1, 1.0, ())
    lost = RaceState(((5, 6), (5, HOME)), 1, 1).apply_move(5)
    assert (lost.winner(), lost.points) == (-1, -1.0)
    with pytest.raises(IllegalMove, match="5 is not one of the moves"):
        state.apply_move(5)


class Reversed(RaceBatch):
    """Offers the afterstates backwards."""

    def afterstates(self, rows=None):
        """Each row's features in reverse."""
        features, offsets = super().afterstates(rows)
        turned = [features[a:b][::-1] for a, b in itertools.pairwise(offsets)]
        return np.concatenate([features[:0], *turned]), offsets


class Hasty(RaceBatch):
    """Plays the rows before the one that it refuses."""

    def step(self, choice):
        """One row after the other."""
        for row in range(len(self.states)):
            super().step(np.where(np.arange(len(self.states)) == row, choice, -1))


class Restless(RaceBatch):
    """Throws again for rows that have their dice."""

    def roll(self, rng):
        """Forget the die first."""
        self.states = [RaceState(state.runners, state.next_player) for state in self.states]
        super().roll(rng)


class Wilful(RaceBatch):
    """Throws dice of its own."""

    def roll(self, rng):
        """Another generator each time."""
        super().roll(np.random.default_rng())


class Silent(RaceBatch):
    """Offers nothing where the turn passes."""

    def afterstates(self, rows=None):
        """Drops the passes."""
        rows = range(len(self.states)) if rows is None else rows
        features, offsets = super().afterstates(rows)
        counts = np.diff(offsets)
        passes = np.array([self.states[row].legal_moves() == (PASS,) for row in rows])
        return features[~np.repeat(passes, counts)], np.concatenate(
            [[0], np.cumsum(np.where(passes, 0, counts))]
        )


class MoverIsFirst(RaceBatch):
    """Gives the points to the player who moved last."""

    points = property(
        lambda self: np.array([abs(state.points) for state in self.states], np.float32)
    )


class Forgetful(RaceBatch):
    """Leaves the dice out of its arrays."""

    def arrays(self):
        """Dice set to zero."""
        races = super().arrays()["races"]
        races[:, 5] = 0
        return {"races": races}


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (Reversed, "features in another order"),
        (Hasty, "a step that was refused has changed something"),
        (Restless, "thrown them again"),
        (Wilful, "the same seed has thrown other dice"),
        (Silent, "one afterstate for each legal move"),
        (MoverIsFirst, "state and batch disagree"),
        (Forgetful, "do not hold everything"),
    ],
)
def test_a_broken_law_is_noticed(broken, law):
    with pytest.raises(AssertionError, match=law):
        check_afterstate_game(broken, np.random.default_rng(1), games=30)
