"""The visible cases of sheet 05, worked by hand."""

from collections.abc import Sequence

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def hyper() -> tuple[Case, ...]:
    """hyper_units on a board of four points: player 0 rolls next, then player 1."""
    # Player 0 has two on point 1 and one on 3; player 1 one on their point 3, which is point 2
    # of player 0, and two on the bar. Player 1 first: their points 2, 3, 4 hold player 0's 3,
    # their own one, player 0's 1.
    checkers = np.array([[[2, 0, 1, 0, 0, 0], [0, 0, 1, 0, 2, 0]]], np.int8)
    # Player 1 has three on their point 3, which is point 2 of player 0; player 0 one on point 4,
    # which is point 1 of player 1, and two borne off.
    triple = np.array([[[0, 0, 0, 1, 0, 2], [0, 0, 3, 0, 0, 0]]], np.int8)
    return (
        Case(
            (checkers, np.array([0], np.int8)),
            Key(_units("110 000  000 100  100 000  000 000", 0, 0, 2 / 3, 0)),
            title="four points, player 0 rolls next",
        ),
        Case(
            (triple, np.array([1], np.int8)),
            Key(_units("000 100  000 000  111 000  000 000", 0, 0, 0, 2 / 3)),
            title="four points, player 1 rolls next",
        ),
    )


def turns() -> tuple[Case, ...]:
    """legal_turns, one rule each.

    A position is written by the points that hold a checker; 9 is the bar.
    """
    return (
        # Four steps of 1: 4 + 0, 3 + 1 or 2 + 2.
        _turn([8, 8], (1, 1), [], [[8, 4], [7, 5], [6, 6]], "a double, two checkers on point 8"),
        # 8 - 2 - 2 = 4; the next would be 2.
        _turn([8], (2, 2), [2], [[4]], "a double, point 2 is blocked"),
        # 8 - 3 = 5 or 8 - 2 = 6, and then 3 is blocked both ways.
        _turn([8], (2, 3), [3], [[5]], "either die can be played, but not both"),
        # 8 - 3 = 5 is blocked, 8 - 1 = 7 and 7 - 3 = 4 are not.
        _turn([8], (3, 1), [5], [[4]], "point 5 is blocked"),
        # In with 3 on 6, then 4 - 1 = 3. In with 1 on 8, then 8 - 3 = 5 and 4 - 3 = 1 are blocked.
        _turn([9, 4], (3, 1), [1, 5], [[6, 3]], "one on the bar, points 1 and 5 are blocked"),
        # 3 - 2 = 1 and one off by 1; or one off by 1 and 3 - 2 = 1; or 3 - 1 = 2 and off by 2.
        _turn([3, 1], (2, 1), [], [[1]], "bearing off from 3 and 1"),
        _turn([2, 1], (4, 3), [], [[]], "bearing off from 2 and 1 with 4-3"),
        # 9 - 3 = 6 and 9 - 1 = 8 are blocked, so nothing can be played.
        _turn([9, 4], (3, 1), [6, 8], [[9, 4]], "one on the bar cannot enter"),
        # One enters on 6 with the 3, the other one cannot with the 1.
        _turn([9, 9], (3, 1), [8], [[9, 6]], "two on the bar, one of them can enter"),
        # 4 - 1 = 3, then off from 3, the rearmost, by the 4.
        _turn([4, 1], (4, 1), [], [[1]], "bearing off, one checker is not yet home"),
    )


def match() -> tuple[Case, ...]:
    """match_chances of one play, at 3-away 3-away and at 1-away 2-away."""
    table = np.array(
        [[1.0, 1.0, 1.0, 1.0], [0.0, 0.5, 0.7, 0.8], [0.0, 0.3, 0.5, 0.6], [0.0, 0.2, 0.4, 0.5]]
    )
    # The opponent wins 0.2 single, 0.1 gammon, 0.1 backgammon; the mover 0.3, 0.1, 0.2. Both need
    # 3: the mover's games lead to
    # 0.6, 0.8, 1, the opponent's to 0.4, 0.2, 0: 0.18 + 0.08 + 0.2 + 0.08 + 0.02 = 0.56.
    outputs = np.array([[0.4, 0.2, 0.1, 0.3, 0.2]])
    # The mover needs 1, the opponent 2: 0.6 wins the match at once, a single loss leads to 0.5, a
    # gammon loses: 0.6 + 0.2 * 0.5.
    return (
        Case((outputs, 3, 3, table), Key(np.array([0.56])), title="both need 3 points"),
        Case(
            (outputs, 1, 2, table),
            Key(np.array([0.7])),
            title="the mover needs 1 point, the other 2",
        ),
    )


def gammons() -> tuple[Case, ...]:
    """gammon_targets of two positions: a single game, and a backgammon."""
    start = [0.6, 0.2, 0.1]
    return (
        # lam 0.5, 1 point: the last target is (1, 0, 0), for the other (0, 0, 0). The last estimate
        # (0.4, 0.1, 0.3) is for the other (0.6, 0.3, 0.1). Half and half: (0.3, 0.15, 0.05).
        Case(
            (np.array([start, [0.4, 0.1, 0.3]]), 1, 0.5),
            Key(np.array([[0.3, 0.15, 0.05], [1.0, 0.0, 0.0]])),
            title="two positions, 1 point, lam 0.5",
        ),
        # lam 0.25, 3 points: (1, 1, 0), for the other (0, 0, 1). The estimate (0.8, 0.4, 0) is
        # for the other (0.2, 0, 0.4):
        # 0.75 * (0.2, 0, 0.4) + 0.25 * (0, 0, 1) = (0.15, 0, 0.55).
        Case(
            (np.array([start, [0.8, 0.4, 0.0]]), 3, 0.25),
            Key(np.array([[0.15, 0.0, 0.55], [1.0, 1.0, 0.0]])),
            title="two positions, 3 points, lam 0.25",
        ),
    )


def two_ply() -> tuple[Case, ...]:
    """two_ply_chances where only one roll does not bring the opponent home, then
    with a ladder from 3 to 1.
    """
    # They are on 2: with 1-1 they come to 1, which leaves 0.8; any other roll brings
    # them home: 0.8 / 16 = 0.05.
    values = np.full((5, 5), 0.5)
    values[1, 1], values[1, 0], values[2, 1] = 0.8, 0.1, 0.7
    # They are on 4: by 1 to 3 and up to 1, by 2 to 2, by 3 to 1, by 4 home. This leaves 0.4, 0.6,
    # 0.4, 0 after the play to 2. Doubles 1.4; 2-1, 3-1 and 3-2 leave 0.4 each, twice: 3.8 / 16 =
    # 0.2375. The play to 0 wins.
    goes, table = np.array([0, 1, 2, 1, 4]), np.full((5, 5), 0.5)
    table[2, :4], table[0, :4] = (0.9, 0.4, 0.6, 0.2), (0.5, 0.3, 0.5, 0.5)
    table[1, 2], table[4, 2] = 0.8, 0.7
    return (
        Case(
            (np.array([1]), 2, np.arange(5), values),
            Key(np.array([0.05])),
            title="they are on square 2, no ladders",
        ),
        Case(
            (np.array([2, 0]), 4, goes, table),
            Key(np.array([3.8 / 16, 1.0])),
            title="a ladder; one play brings you home",
        ),
    )


def _units(points: str, *rest: float) -> np.ndarray:
    """[1, 28]: the units of four points, as digits, and the four numbers at the end."""
    return np.array([[*(float(digit) for digit in points.replace(" ", "")), *rest]])


def _turn(
    own: Sequence[int],
    dice: tuple[int, int],
    blocked: list[int],
    right: Sequence[Sequence[int]],
    title: str,
) -> Case:
    """One turn from `own`, and the positions that it can lead to."""
    return Case((_positions([own])[0], blocked, dice), Key(_positions(right)), title=title)


def _positions(lists: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The positions with a checker on each of these points, in ascending order."""
    return sorted(
        tuple(points.count(point) for point in range(1, 10)) for points in map(list, lists)
    )
