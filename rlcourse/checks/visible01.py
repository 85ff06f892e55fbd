"""The visible cases of sheet 01: numbers worked by hand, for the right answer and for every usual slip that shows there."""

import numpy as np

from rlcourse.checks.judging import Frequencies, Key, Orders, rate
from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case

DRAFTS = 2000  # orders drawn in one case


def boltzmann() -> tuple[Case, ...]:
    """boltzmann: the values are logarithms of whole numbers; square 1 is illegal and looks best to the first player."""
    q, legal = np.log([4.0, 64.0, 16.0, 1.0]), np.array([True, False, True, True])
    # First player, temperature 1: 4, 16 and 1 of 21. With the illegal 64 the sum is 85. Illegal as value 0: exp(0) = 1, of 22.
    first = Key(
        np.array([4, 0, 16, 1]) / 21,
        {
            "mask": np.array([4, 64, 16, 1]) / 85,
            "late_mask": np.array([4, 0, 16, 1]) / 85,
            "zero": np.array([4, 1, 16, 1]) / 22,
        },
    )
    # Second player, temperature 1/2: the inverses 1/4, 1/16, 1, squared: 16, 1 and 256 of 273. Inverted, temperature 2: roots,
    # 1/2, 1/4, 1. Temperature 1: 1/4, 1/16, 1. As first player: 16, 256, 1. With the illegal 1/64, squared: 256, 1, 16, 4096
    # of 4369. Illegal as value 0, which is 1 beside 1/16, 1/256, 1.
    second = Key(
        np.array([16, 0, 1, 256]) / 273,
        {
            "inverted": np.array([2, 0, 1, 4]) / 7,
            "temperature": np.array([4, 0, 1, 16]) / 21,
            "sign": np.array([16, 0, 256, 1]) / 273,
            "mask": np.array([256, 1, 16, 4096]) / 4369,
            "late_mask": np.array([256, 0, 16, 4096]) / 4369,
            "zero": np.array([16, 256, 1, 256]) / 529,
        },
    )
    # Temperature 0.001: the differences 0.001 and 1.1 become 1 and 1100, and nothing is left of exp(-1100): e and 1 of e + 1.
    # Cut off at 700, 900 and 899 are the same.
    values = np.array([0.9, -0.2, 0.899])
    flat, plain = np.exp(values / 1000), np.exp(values)
    slips = {
        "inverted": flat / flat.sum(),
        "temperature": plain / plain.sum(),
        "clipped": np.array([0.5, 0.0, 0.5]),
    }
    third = Key(np.array([np.e, 0.0, 1.0]) / (np.e + 1), slips)
    return (
        Case((q, legal, 0, 1.0), first, title="first player, temperature 1, square 1 is illegal"),
        Case((q, legal, 1, 0.5), second, title="second player, temperature 0.5, the same position"),
        Case(
            (values, np.array([True, True, True]), 0, 0.001),
            third,
            title="temperature 0.001: two good moves, and still numbers",
        ),
    )


def clip() -> tuple[Case, ...]:
    """clip_legal with floor 0.1."""
    p = np.array([[0.6, 0.4, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]])
    legal = np.array([[False, True, True, True], [True, True, False, False]])
    # Row 0: the legal part is 0.4 of 0.4, so 1, 0, 0; clipped 0.9, 0.1, 0.1 of 1.1. Row 1: 0.5, 0.5, nothing to clip.
    # Only above: 0.9 of 0.9. Only below: 1, 0.1, 0.1 of 1.2. Illegal ones too: 0.1 + 0.9 + 0.1 + 0.1 = 1.2 and
    # 0.5 + 0.5 + 0.1 + 0.1 = 1.2. Mask after the clip: 0.4, 0.1, 0.1 of 0.6. The sum of the whole batch is 1.1 + 1 = 2.1; as
    # handed out (only above, whole batch) 0.9 + 1 = 1.9.
    half = [0.5, 0.5, 0.0, 0.0]
    clipped = np.array([[0, 0.9, 0.1, 0.1], half])
    key = Key(
        np.array([[0, 9 / 11, 1 / 11, 1 / 11], half]),
        {
            "as_given": np.array([[0, 0.9, 0, 0], half]) / 1.9,
            "above_only": np.array([[0, 1.0, 0, 0], half]),
            "below_only": np.array([[0, 10 / 12, 1 / 12, 1 / 12], half]),
            "not_renormalised": clipped,
            "illegal_too": np.array([[0.1, 0.9, 0.1, 0.1], [0.5, 0.5, 0.1, 0.1]]) / 1.2,
            "mask_late": np.array([[0, 4 / 6, 1 / 6, 1 / 6], half]),
            "floor": np.array(
                [[0, (1 - 1e-5) / (1 + 1e-5), 1e-5 / (1 + 1e-5), 1e-5 / (1 + 1e-5)], half]
            ),
            "whole_batch": clipped / 2.1,
        },
    )
    # A network that is sure of an illegal move: the two legal ones share, 0.5 each.
    sure, mask = np.array([[1.0, 0.0, 0.0]]), np.array([[False, True, True]])
    second = Key(np.array([[0.0, 0.5, 0.5]]), {"illegal_too": np.array([[0.1, 0.5, 0.5]]) / 1.1})
    # All legal, one of them below the floor and not 0: 0.1, 0.35, 0.6 of 1.05. Lifting zeros alone, or nothing, changes nothing.
    low = np.array([[0.05, 0.35, 0.6]])
    lifted = np.array([[0.1, 0.35, 0.6]])
    slips = dict.fromkeys(("zeros_only", "above_only", "as_given", "floor"), low) | {
        "not_renormalised": lifted
    }
    third = Key(lifted / 1.05, slips)
    return (
        Case((p, legal, 0.1), key, title="two rows, floor 0.1"),
        Case((sure, mask, 0.1), second, title="sure of an illegal move"),
        Case((low, np.ones((1, 3), bool), 0.1), third, title="a legal move at half the floor"),
    )


def draft() -> tuple[Case, ...]:
    """draft: tickets 3, 2, 1 for three names, two places; and a name without a ticket. List (a, b) has the number 3 a + b."""
    # (0,1) 1/2 * 2/3, (0,2) 1/2 * 1/3, (1,0) 1/3 * 3/4, (1,2) 1/3 * 1/4, (2,0) 1/6 * 3/5, (2,1) 1/6 * 2/5.
    # All again until both differ: the products 6, 3, 6, 2, 3, 2 of 22. Not renormalised: what is missing falls to name 2.
    # Shifted: 0 in the shortened list means the first who is left, whatever his number.
    first = Frequencies(
        np.array([0, 1 / 3, 1 / 6, 1 / 4, 0, 1 / 12, 1 / 10, 1 / 15, 0]),
        {
            "replacement": np.array([9, 6, 3, 6, 4, 2, 3, 2, 1]) / 36,
            "all_again": np.array([0, 6, 3, 6, 0, 2, 3, 2, 0]) / 22,
            "not_renormalised": np.array(
                [0, 1 / 6, 1 / 3, 1 / 6, 0, 1 / 6, 1 / 12, 1 / 18, 1 / 36]
            ),
            "uniform_rest": np.array([0, 1 / 4, 1 / 4, 1 / 6, 0, 1 / 6, 1 / 12, 1 / 12, 0]),
            "uniform": np.array([0, 1, 1, 1, 0, 1, 1, 1, 0]) / 6,
            "sorted": np.array([0, 7 / 12, 4 / 15, 0, 0, 3 / 20, 0, 0, 0]),
            "shifted": np.array([1 / 3, 1 / 6, 0, 1 / 4, 1 / 12, 0, 1 / 10, 1 / 15, 0]),
        },
        rate(2),
    )
    # Tickets 0, 3, 1: name 0 never comes. (1,2) 3/4, (2,1) 1/4. With replacement 9, 3, 3, 1 of 16; all again 1/2 each.
    # Not renormalised: after name 1 only 1/4 is left and 3/4 falls to name 2, the only one left; after name 2, 3/4 * 1/4 for
    # name 1 and 1/16 for name 2 again. Shifted: names left are numbered 0 (no ticket) and 1.
    second = Frequencies(
        np.array([0, 0, 0, 0, 0, 3 / 4, 0, 1 / 4, 0]),
        {
            "replacement": np.array([0, 0, 0, 0, 9, 3, 0, 3, 1]) / 16,
            "all_again": np.array([0, 0, 0, 0, 0, 1, 0, 1, 0]) / 2,
            "not_renormalised": np.array([0, 0, 0, 0, 0, 3 / 4, 0, 3 / 16, 1 / 16]),
            "uniform": np.array([0, 0, 0, 0, 0, 1, 0, 1, 0]) / 2,
            "sorted": np.array([0, 0, 0, 0, 0, 1, 0, 0, 0]),
            "shifted": np.array([0, 0, 0, 0, 3 / 4, 0, 0, 1 / 4, 0]),
        },
        rate(2),
    )
    return (
        Case(
            (np.array([3, 2, 1]), 2, DRAFTS, Rng(1)),
            Orders(3, 2, first),
            draws_at=2,
            title="tickets 3, 2, 1; two places",
        ),
        Case(
            (np.array([0, 3, 1]), 2, DRAFTS, Rng(2)),
            Orders(3, 2, second),
            draws_at=2,
            title="tickets 0, 3, 1: name 0 is never drawn",
        ),
    )


def boxes() -> tuple[Case, ...]:
    """box_returns: who closes a box moves again."""
    mover, closed = np.array([0, 0, 1, 1, 0]), np.array([1, 0, 2, 0, 1])
    # gamma 1/2. Last move: 1. Before: the opponent's 1, -0.5. Before: 2 - 0.25. Move 1: -0.5 * 2 + 0.125 = -0.875.
    # Move 0: 1 - 0.25 * 2 + 0.0625 = 0.5625.
    first = Key(
        np.array([0.5625, -0.875, 1.75, -0.5, 1.0]),
        {
            "one_account": np.array([0.5625, -0.875, -1.75, 0.5, 1.0]),
            "wrong_player": np.array([-0.5625, 0.875, -1.75, 0.5, -1.0]),
            "alternates": np.array([1.5625, -1.125, 2.25, -0.5, 1.0]),
            "own_only": np.array([1.0625, 0.125, 2.0, 0.0, 1.0]),
            "no_sign": np.array([1.5625, 1.125, 2.25, 0.5, 1.0]),
            "late": np.array([-0.4375, -0.875, -0.25, -0.5, 0.0]),
            "past": np.array([1.0, 0.5, 1.75, 0.875, 0.5625]),
            # factors 1, 1/2, 1/4, 1/8, 1/16 counted from the first move
            "wrong_end": np.array([0.5625, -0.4375, 0.4375, -0.0625, 0.0625]),
            # 2 - 0.81; -1.8 + 0.729; 1 - 1.62 + 0.6561
            "gamma": np.array([0.0361, -1.071, 1.19, -0.9, 1.0]),
        },
    )
    # gamma 1: the last move closes four boxes at once. 4 for its mover, -4 for the other.
    second = Key(
        np.array([4.0, -4.0, 4.0]),
        {
            "one_account": np.array([4.0, 4.0, 4.0]),
            "wrong_player": np.array([-4.0, 4.0, -4.0]),
            "own_only": np.array([4.0, 0.0, 4.0]),
            "no_sign": np.array([4.0, 4.0, 4.0]),
            "late": np.array([4.0, -4.0, 0.0]),
            "past": np.array([0.0, 0.0, 4.0]),
            "gamma": np.array([3.24, -3.6, 4.0]),
        },
    )
    return (
        Case(
            (mover, closed, 0.5), first, title="a box at moves 0, 2 (two at once) and 4; gamma 0.5"
        ),
        Case(
            (np.array([0, 1, 0]), np.array([0, 0, 4]), 1.0),
            second,
            title="four boxes at the last move; gamma 1",
        ),
    )
