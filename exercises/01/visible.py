"""The visible cases of sheet 01, worked by hand."""

import numpy as np

from rlcourse.checks.judging import Frequencies, Key, Orders, alarm_share
from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case

DRAFTS = 2000  # orders drawn in one case


def boltzmann() -> tuple[Case, ...]:
    """boltzmann: the values are logarithms of whole numbers; square 1 is illegal and
    looks best to the first player.
    """
    q, legal = np.log([4.0, 64.0, 16.0, 1.0]), np.array([True, False, True, True])
    # At temperature 1 the weights are 4, 16 and 1. The second player's are the inverses 1/4, 1/16
    # and 1, and temperature 1/2 squares them: 16, 1 and 256 of 273. At 0.001 the second player's
    # differences 0.001 and 0.8 become 1 and 800: e and 1 of e + 1.
    values, three = np.array([-0.9, -0.1, -0.899, -8.0]), np.array([True, True, True, False])
    return (
        Case(
            (q, legal, 0, 1.0),
            Key(np.array([4, 0, 16, 1]) / 21),
            title="first player, temperature 1, square 1 is illegal",
        ),
        Case(
            (q, legal, 1, 0.5),
            Key(np.array([16, 0, 1, 256]) / 273),
            title="second player, temperature 0.5, the same position",
        ),
        Case(
            (values, three, 1, 0.001),
            Key(np.array([np.e, 0.0, 1.0, 0.0]) / (np.e + 1)),
            title="second player, temperature 0.001: two good moves, and still numbers",
        ),
        # Equal values are equally likely at any temperature, and no others come.
        Case(
            (np.array([0.5, 0.5, 0.5]), np.array([True, False, True]), 0, 100.0),
            Key(np.array([0.5, 0.0, 0.5])),
            title="first player, temperature 100: two legal moves of the same value",
        ),
    )


def clip() -> tuple[Case, ...]:
    """clip_legal with floor 0.1."""
    p = np.array([[0.6, 0.4, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]])
    legal = np.array([[False, True, True, True], [True, True, False, False]])
    # Row 0: the legal part is 0.4 of 0.4, so 1, 0, 0; clipped 0.9, 0.1, 0.1 of 1.1. Row 1:
    # 0.5, 0.5, nothing to clip.
    first = Key(np.array([[0, 9 / 11, 1 / 11, 1 / 11], [0.5, 0.5, 0.0, 0.0]]))
    # A network that is sure of an illegal move: the three legal ones share, 1/3 each. Row 1: 0.2 and
    # 0.2 of 0.4.
    sure = np.array([[1.0, 0.0, 0.0, 0.0], [0.2, 0.2, 0.6, 0.0]])
    mask = np.array([[False, True, True, True], [True, True, False, False]])
    shared = np.array([[0.0, 1 / 3, 1 / 3, 1 / 3], [0.5, 0.5, 0.0, 0.0]])
    # All legal, one of them below the floor 0.2 and not 0, the other above 0.8.
    low = np.array([[0.05, 0.95]])
    return (
        Case((p, legal, 0.1), first, title="two rows, floor 0.1"),
        Case((sure, mask, 0.1), Key(shared), title="row 0 is sure of an illegal move"),
        Case(
            (low, np.ones((1, 2), bool), 0.2),
            Key(np.array([[0.2, 0.8]])),
            title="floor 0.2: a legal move at a quarter of it, the other one too high",
        ),
    )


def draft() -> tuple[Case, ...]:
    """draft: tickets 3, 2, 1 for three names, two places; and a name without a ticket.

    List (a, b) has the number 3 a + b.
    """
    # (0,1) 1/2 * 2/3, (0,2) 1/2 * 1/3, (1,0) 1/3 * 3/4, (1,2) 1/3 * 1/4, (2,0)
    # 1/6 * 3/5, (2,1) 1/6 * 2/5.
    first = np.array([0, 1 / 3, 1 / 6, 1 / 4, 0, 1 / 12, 1 / 10, 1 / 15, 0])
    # Tickets 0, 3, 1: name 0 never comes. (1,2) 3/4, (2,1) 1/4.
    second = np.array([0, 0, 0, 0, 0, 3 / 4, 0, 1 / 4, 0])
    return (
        Case(
            (np.array([3, 2, 1]), 2, DRAFTS, Rng(1)),
            Orders(3, 2, Frequencies(first, share=alarm_share(2))),
            draws_at=2,
            title="tickets 3, 2, 1; two places",
        ),
        Case(
            (np.array([0, 3, 1]), 2, DRAFTS, Rng(2)),
            Orders(3, 2, Frequencies(second, share=alarm_share(2))),
            draws_at=2,
            title="tickets 0, 3, 1: name 0 is never drawn",
        ),
    )


def boxes() -> tuple[Case, ...]:
    """box_returns: who closes a box moves again."""
    # gamma 1/2. Last move: 1. Before: the opponent's 1, -0.5. Before: 2 - 0.25. Move 1: -0.5 * 2 +
    # 0.125 = -0.875. Move 0: 1 - 0.25 * 2 + 0.0625 = 0.5625.
    mover, closed = np.array([0, 0, 1, 1, 0]), np.array([1, 0, 2, 0, 1])
    # gamma 1: the last move closes four boxes at once, 4 for its mover, -4 for the other.
    at_once = np.array([1, 0, 1]), np.array([0, 0, 4])
    return (
        Case(
            (mover, closed, 0.5),
            Key(np.array([0.5625, -0.875, 1.75, -0.5, 1.0])),
            title="a box at moves 0, 2 (two at once) and 4; gamma 0.5",
        ),
        Case(
            (*at_once, 1.0),
            Key(np.array([4.0, -4.0, 4.0])),
            title="player 1 begins, and closes four boxes at the last move; gamma 1",
        ),
        # gamma 0.5: 1 + 0.5 * 2 = 2, and 2.
        Case(
            (np.array([0, 0]), np.array([1, 2]), 0.5),
            Key(np.array([2.0, 2.0])),
            title="player 0 closes one box, then two; gamma 0.5",
        ),
        # gamma 0.5: -0.5 * 1, and 1. The first mover is not the last one.
        Case(
            (np.array([0, 1]), np.array([0, 1]), 0.5),
            Key(np.array([-0.5, 1.0])),
            title="player 1 closes the only box; gamma 0.5",
        ),
    )
