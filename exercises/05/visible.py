"""The visible cases of sheet 05, worked by hand."""

from collections.abc import Sequence

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def hyper() -> tuple[Case, ...]:
    """hyper_units on a board of four points, either player rolling next; then three positions."""
    # Player 0 has two on point 1 and one on 3; player 1 one on their point 3, which is point 2
    # of player 0, and two on the bar. Player 1 first: their points 2, 3, 4 hold player 0's 3,
    # their own one, player 0's 1.
    checkers = np.array([[[2, 0, 1, 0, 0, 0], [0, 0, 1, 0, 2, 0]]], np.int8)
    # Player 1 has three on their point 3, which is point 2 of player 0; player 0 one on point 4,
    # which is point 1 of player 1, and two borne off.
    triple = np.array([[[0, 0, 0, 1, 0, 2], [0, 0, 3, 0, 0, 0]]], np.int8)
    # On three points. Player 1 has one on point 3, one on the bar, one off, player 0 two on point 3,
    # which is point 1 of player 1, and one on the bar. Player 0 has one on point 1 and two off,
    # player 1 one on their point 2, which is point 2 of player 0, and two off. Player 1 has three
    # on the bar, player 0 three on point 2.
    three = np.array(
        [
            [[0, 0, 2, 1, 0], [0, 0, 1, 1, 1]],
            [[1, 0, 0, 0, 2], [0, 1, 0, 0, 2]],
            [[0, 3, 0, 0, 0], [0, 0, 0, 3, 0]],
        ],
        np.int8,
    )
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
        Case(
            (three, np.array([1, 0, 1], np.int8)),
            Key(
                np.concatenate(
                    [
                        _units("000 110  000 000  100 000", 1 / 3, 1 / 3, 1 / 3, 0),
                        _units("100 000  000 100  000 000", 0, 2 / 3, 0, 2 / 3),
                        _units("000 000  000 111  000 000", 1, 0, 0, 0),
                    ]
                )
            ),
            title="three positions, checkers on the bar and off",
        ),
    )


def turns() -> tuple[Case, ...]:
    """legal_turns, one rule each.

    A position is written by the points that hold a checker; 9 is the bar.
    """
    return (
        # 9 - 1 = 8, where 7 is blocked, and nobody bears off: three steps from 3, 3, 3.
        _turn(
            [9, 8, 3, 3, 3],
            (1, 1),
            [7],
            [[8, 8, 2, 2, 2], [8, 8, 3, 2, 1]],
            "a double, one on the bar",
        ),
        # 8 - 3 = 5 or 8 - 2 = 6, and 3 is blocked for the other die: the higher one counts.
        _turn([8], (2, 3), [3], [[5]], "only one of two dice can be played"),
        # 9 - 2 = 7 and 9 - 1 = 8 are blocked, so nothing can be played.
        _turn([9, 4, 1], (2, 1), [7, 8], [[9, 4, 1]], "one on the bar cannot enter"),
        # 4 - 2 = 2, then 2 - 1 = 1 or off from 1. Or 4 - 1 = 3, then off from 2, or 3 - 2 = 1; the
        # 2 is higher than 1 needs, and 3 is the rearmost.
        _turn(
            [4, 2, 1],
            (2, 1),
            [],
            [[2, 2], [3, 1], [2, 1, 1]],
            "bearing off after the last one has come home",
        ),
        # 4 - 2 = 2, then off from 3, the rearmost, by the 4. After 3 - 2 = 1 the 4 is not home.
        _turn([4, 3], (2, 4), [], [[2]], "one checker is not yet home"),
        # 9 - 4 = 5, 5 - 4 = 1, then off: three steps, and nothing is left for the fourth.
        _turn([9], (4, 4), [], [[]], "a double for the last checker"),
    )


def match() -> tuple[Case, ...]:
    """match_chances of one play, at 3-away 3-away and at 1-away 2-away; then of three plays."""
    table = np.array(
        [[1.0, 1.0, 1.0, 1.0], [0.0, 0.5, 0.7, 0.8], [0.0, 0.3, 0.5, 0.6], [0.0, 0.2, 0.4, 0.5]]
    )
    # The opponent wins 0.2 single, 0.1 gammon, 0.1 backgammon; the mover 0.3, 0.1, 0.2. Both need
    # 3: the mover's games lead to
    # 0.6, 0.8, 1, the opponent's to 0.4, 0.2, 0: 0.18 + 0.08 + 0.2 + 0.08 + 0.02 = 0.56.
    outputs = np.array([[0.4, 0.2, 0.1, 0.3, 0.2]])
    # The mover needs 1, the opponent 2: 0.6 wins the match at once, a single loss leads to 0.5, a
    # gammon loses: 0.6 + 0.2 * 0.5.
    # A longer match. With 4 and 5 to go the mover's games lead to 0.66, 0.75, 0.85, the opponent's to
    # 0.5, 0.41, 0.32; with 2 and 1 to go to 0.5, 1, 1 and 0. The mover's games of the three plays
    # have 0.3, 0.2, 0, then 0.3, 0.2, 0.1 and 0.2, 0.1, 0.1; the opponent's 0.3, 0.1, 0.1, then
    # 0.3, 0.1, 0 and 0.3, 0.2, 0.1.
    longer = np.array(
        [
            [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            [0.0, 0.5, 0.7, 0.75, 0.83, 0.85],
            [0.0, 0.3, 0.5, 0.6, 0.68, 0.75],
            [0.0, 0.25, 0.4, 0.5, 0.59, 0.66],
            [0.0, 0.17, 0.32, 0.41, 0.5, 0.58],
            [0.0, 0.15, 0.25, 0.34, 0.42, 0.5],
        ]
    )
    plays = np.array(
        [[0.5, 0.2, 0.1, 0.2, 0.0], [0.4, 0.1, 0.0, 0.3, 0.1], [0.6, 0.3, 0.1, 0.2, 0.1]]
    )
    return (
        Case((outputs, 3, 3, table), Key(np.array([0.56])), title="both need 3 points"),
        Case(
            (outputs, 1, 2, table),
            Key(np.array([0.7])),
            title="the mover needs 1 point, the other 2",
        ),
        Case(
            (plays, 4, 5, longer),
            Key(np.array([0.571, 0.624, 0.556])),
            title="three plays, the mover needs 4 points, the other 5",
        ),
        Case(
            (plays[1:], 2, 1, longer),
            Key(np.array([0.45, 0.3])),
            title="two plays, the mover needs 2 points, the other 1",
        ),
    )


def gammons() -> tuple[Case, ...]:
    """gammon_targets of two positions, a single game and a backgammon; of one, and of five."""
    start = [0.6, 0.2, 0.1]
    # Half and half, from the end: (1, 1, 0); then (0.9, 0.8, 0) turned round, (0.15, 0, 0.6),
    # (0.725, 0.45, 0.1) and (0.3375, 0.15, 0.275).
    right = np.array(
        [[0.6625, 0.275, 0.15], [0.275, 0.1, 0.45], [0.85, 0.6, 0.0], [0.1, 0.0, 0.8], [1, 1, 0]]
    )
    longer = np.array(
        [[0.5, 0.1, 0.2], [0.4, 0.2, 0.1], [0.6, 0.3, 0.2], [0.2, 0.0, 0.4], [0.8, 0.6, 0.0]]
    )
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
        # What happened, whatever was estimated.
        Case(
            (np.array([start]), 2, 0.25),
            Key(np.array([[1.0, 1.0, 0.0]])),
            title="one position, 2 points",
        ),
        Case(
            (longer, 2, 0.5),
            Key(right),
            title="five positions, 2 points, lam 0.5",
        ),
    )


def two_ply() -> tuple[Case, ...]:
    """two_ply_chances where only one roll does not bring the opponent home, with a ladder from 3
    to 1, and where nobody comes home.
    """
    # They are on 2: with 1-1 they come to 1, which leaves 0.8; any other roll brings
    # them home: 0.8 / 16 = 0.05.
    values = np.full((5, 5), 0.5)
    values[1], values[2, 1] = (0.1, 0.8, 0.4, 0.6, 0.3), 0.7
    # They are on 4: by 1 to 3 and up to 1, by 2 to 2, by 3 to 1, by 4 home. This leaves 0.4, 0.6,
    # 0.4, 0 after the play to 2. Doubles 1.4; 2-1, 3-1 and 3-2 leave 0.4 each, twice: 3.8 / 16 =
    # 0.2375. The play to 0 wins.
    goes, table = np.array([0, 1, 2, 1, 4]), np.full((5, 5), 0.5)
    table[2, :4], table[0, :4] = (0.9, 0.4, 0.6, 0.2), (0.5, 0.3, 0.5, 0.5)
    table[1, 2], table[4, 2] = 0.8, 0.7
    # They are on 6: by 1 to 5 and up to 1, by 2 to 4, by 3 to 3, by 4 to 2. After the play to 3 this
    # leaves 0.8, 0.4, 0.2, 0.6. The least comes in 7 rolls, then 5, 3, 1: (1.4 + 2 + 1.8 + 0.8) / 16.
    # After the play to 6 it leaves 0.1, 0.6, 0.9, 0.2: (0.7 + 1 + 1.8 + 0.9) / 16.
    far, chances = np.array([0, 1, 2, 3, 4, 1, 6]), np.full((7, 7), 0.5)
    chances[3, :5], chances[6, :5] = (0.9, 0.8, 0.6, 0.2, 0.4), (0.4, 0.1, 0.2, 0.9, 0.6)
    # They are on 4: by 1 to 3 and up home, by 2 to 2, by 3 to 1, by 4 home. After the play to 2 this
    # leaves 0, 0.8, 0.6, 0. 2-2 leaves 0.8, 3-3 and twice 3-2 leave 0.6: 2.6 / 16.
    up, last = np.array([0, 1, 2, 0, 4]), np.full((5, 5), 0.5)
    last[2, :4] = 0.9, 0.6, 0.8, 0.2
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
        Case(
            (np.array([3, 0, 6]), 6, far, chances),
            Key(np.array([0.375, 1.0, 0.275])),
            title="they are on square 6 and stay on the track",
        ),
        Case(
            (np.array([2]), 4, up, last),
            Key(np.array([2.6 / 16])),
            title="a ladder leads home",
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
