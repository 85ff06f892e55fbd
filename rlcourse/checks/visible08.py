"""The visible cases of sheet 08: numbers worked by hand, for the right answer and for every usual slip that shows there."""

from collections.abc import Sequence

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def routes() -> tuple[Case, ...]:
    """try_routes on two routes for five mornings, then on three for six."""
    # Every route once: 10, 15. N = 2: 10 - 8 * 0.83 < 15 - 8 * 0.83: 0 (15 minutes, mean 12.5). N = 3: 12.5 - 8 * 0.74 =
    # 6.57 < 15 - 8 * 1.05 = 6.62: 0 (16, mean 13.67). N = 4: 13.67 - 8 * 0.68 = 8.23 > 15 - 8 * 1.18 = 5.58: 1. Route 0
    # costs 2 more on average. Highest: 21.7; 1 has mean 13.5, 19.4 against 18.4; 13.67 + 5.4 = 19.1 < 10 + 9.4. Bonus
    # added: 12.5 + 5.9 < 15 + 8.4; 13.67 + 5.4 < 15 + 9.4. No log, N = 3: 12.5 - 9.8 > 15 - 13.9; then 12.5 - 11.3 < 13.5 -
    # 11.3. Own log: 12.5 - 8 * 0.59 < 15; 13.67 - 8 * 0.61 < 15. No root: 12.5 - 4.4 > 15 - 8.8; 12.5 - 5.5 < 13.5 - 5.5. N
    # + 1: 12.5 - 6.7 > 15 - 9.4; 12.5 - 7.2 < 13.5 - 7.2. Sums: 25 - 5.9 > 15 - 8.4; 25 - 6.7 < 27 - 6.7. Highest number
    # first: 1, 0, then as before.
    means, costs = np.array([14.0, 12.0]), np.array([[10.0, 15, 16, 12, 12], [15, 12, 14, 8, 9]])
    stuck, late = _routes([0, 1, 0, 0, 0], means), _routes([0, 1, 0, 1, 0], means)
    first = Key(
        _routes([0, 1, 0, 0, 1], means),
        {
            "rewards": _routes([0, 1, 1, 1, 0], means),
            "wrong_side": stuck,
            "greedy": stuck,
            "own_log": stuck,
            "no_log": late,
            "no_root": late,
            "today": late,
            "sums": late,
            "last_tie": _routes([1, 0, 0, 0, 1], means),
            "paid": (np.array([0, 1, 0, 0, 1]), np.array([-2.0, 1, 4, 8, 8])),
            "each": (np.array([0, 1, 0, 0, 1]), np.array([2.0, 0, 2, 2, 0])),
        },
    )
    # 8, 17, 13. N = 3, bonus 10.5 for all: 0 (11, mean 9.5). N = 4: 9.5 - 8.3 = 1.2 < 13 - 11.8 = 1.23 < 17 - 11.8: 0 (9,
    # mean 9.33). N = 5: 9.33 - 7.3 = 2.0 > 13 - 12.7 = 0.3: 2. Highest: 27.5: 1 (16, mean 16.5); 16.5 + 8.3 > 13 + 11.8: 1
    # (13, mean 15.3); 15.3 + 7.3 < 13 + 12.7 = 25.7: 2. Added, none, own log: 9.33 + 7.3 < 25.7; 9.33 < 13; 9.33 - 10 *
    # 0.61 < 13. No log: 9.5 - 14.1 > 13 - 20: 2 (11, mean 12); N = 5: 9.5 - 15.8 < 12 - 15.8 and 17 - 22.4 = -5.4: 0. No
    # root: 9.5 - 6.9 > 13 - 13.9: 2; N = 5: 1.5, 4, 17 - 16.1 = 0.9: 1. N + 1: 9.5 - 9.0 > 13 - 12.7: 2; 9.5 - 9.5 < 12 -
    # 9.5, 17 - 13.4. Sums: 19 - 8.3 > 13 - 11.8: 2; 19 - 9 = 10, 24 - 9 = 15, 17 - 12.7 = 4.3: 1.
    means = np.array([10.0, 16.0, 10.0])
    costs_three = np.array(
        [[8.0, 11, 9, 13, 6, 8], [17, 16, 13, 12, 19, 15], [13, 11, 12, 11, 14, 8]]
    )
    stuck, third = _routes([0, 1, 2, 0, 0, 0], means), _routes([0, 1, 2, 0, 2, 0], means)
    second = Key(
        _routes([0, 1, 2, 0, 0, 2], means),
        {
            "rewards": _routes([0, 1, 2, 1, 1, 2], means),
            "wrong_side": stuck,
            "greedy": stuck,
            "own_log": stuck,
            "no_log": third,
            "today": third,
            "no_root": _routes([0, 1, 2, 0, 2, 1], means),
            "sums": _routes([0, 1, 2, 0, 2, 1], means),
            "last_tie": _routes([2, 1, 0, 0, 0, 2], means),
            "paid": (np.array([0, 1, 2, 0, 0, 2]), np.array([-2.0, 5, 8, 9, 8, 9])),
            "each": (np.array([0, 1, 2, 0, 0, 2]), np.array([0.0, 6, 0, 0, 0, 0])),
        },
    )
    return (
        Case(
            (costs, np.array([14.0, 12.0]), 8.0, 5), first, title="two routes, five mornings, c = 8"
        ),
        Case((costs_three, means, 10.0, 6), second, title="three routes, six mornings, c = 10"),
    )


def boxes() -> tuple[Case, ...]:
    """box_backup of three moves: the second closes a box, then the last two close three."""
    # Moves by 0, 1, 1; the second closes a box, so 1 moves again; 0 moves at the leaf, worth 2 to him. Outcomes: for the
    # last move -2; for the second 1 - 2 = -1; for the first -1 + 2 = 1. No sign: 2, 1 + 2, 1 + 2. By ply: -2, 1 + 2, -1 -
    # 2. The value as 1's: 2, 1 + 2, -1 - 2. All boxes won: the first gets 1 + 2. No boxes: -2, -2, 2. The box before the
    # last move: 1 - 2. The second's own box left out: -2. The means of edges 2 and 0 are 2 + (1 - 2) / 4 and 6 + (-1 - 6) /
    # 2.
    visits, totals = np.array([1, 7, 3, 0]), np.array([6.0, -4.0, 2.0, 0.0])
    counted = np.array([2, 7, 4, 1])
    first = Key(
        (counted, np.array([5.0, -4.0, 3.0, -2.0])),
        {
            "sign": (counted, np.array([9.0, -4.0, 5.0, 2.0])),
            "alternates": (counted, np.array([9.0, -4.0, -1.0, -2.0])),
            "leaf_view": (counted, np.array([9.0, -4.0, -1.0, 2.0])),
            "box_sign": (counted, np.array([5.0, -4.0, 5.0, -2.0])),
            "no_boxes": (counted, np.array([4.0, -4.0, 4.0, -2.0])),
            "before": (counted, np.array([5.0, -4.0, 3.0, -1.0])),
            "own_boxes": (counted, np.array([4.0, -4.0, 3.0, -2.0])),
            "stops": (np.array([2, 7, 3, 1]), np.array([5.0, -4.0, 2.0, -2.0])),
            "leaf_only": (np.array([1, 7, 3, 1]), np.array([6.0, -4.0, 2.0, -2.0])),
            "replaced": (counted, np.array([-1.0, -4.0, 1.0, -2.0])),
            "mean": (counted, np.array([2.5, -4.0, 1.75, -2.0])),
        },
    )
    # Moves by 1, 0, 0, which close 0, 2 and 1; 0 moves again, at the leaf, worth -1 to him. Outcomes: 1 - 1 = 0, 3 - 1 = 2
    # and -3 + 1 = -2. No sign: 0, 2, 2. By ply: 1 + 1 = 2; 2 - 1 - 1 = 0; -2 + 1 + 1 = 0. All boxes won: the first gets 3 +
    # 1. No boxes: -1, -1, 1. Boxes before: 3 - 1 for the last. Own ones out: -1; 1 - 1 = 0. The means of edges 1 and 0 are
    # 3 + (-2 - 3) / 2 and 2 + (2 - 2) / 5.
    visits_two, totals_two = np.array([4, 1, 0]), np.array([2.0, 3.0, 0.0])
    counted = np.array([5, 2, 1])
    second = Key(
        (counted, np.array([4.0, 1.0, 0.0])),
        {
            "sign": (counted, np.array([4.0, 5.0, 0.0])),
            "alternates": (counted, np.array([2.0, 3.0, 2.0])),
            "box_sign": (counted, np.array([4.0, 7.0, 0.0])),
            "no_boxes": (counted, np.array([1.0, 4.0, -1.0])),
            "before": (counted, np.array([4.0, 1.0, 2.0])),
            "own_boxes": (counted, np.array([2.0, 1.0, -1.0])),
            "stops": (np.array([5, 1, 1]), np.array([4.0, 3.0, 0.0])),
            "leaf_only": (np.array([4, 1, 1]), np.array([2.0, 3.0, 0.0])),
            "replaced": (counted, np.array([2.0, -2.0, 0.0])),
            "mean": (counted, np.array([2.0, 0.5, 0.0])),
            # The value as 1's: 1 + 1 for the last move, 3 + 1, and -3 - 1.
            "leaf_turn": (counted, np.array([6.0, -1.0, 2.0])),
        },
    )
    # One move by 0, who closes nothing; 1 moves at the leaf, worth 2 to him: -2. Read as 0's: 2. The mean is 1 + (-2 - 1) / 4.
    once, mine = np.array([4]), (np.array([4]), np.array([3.0]))
    third = Key(
        (once, np.array([-1.0])),
        {
            "sign": mine,
            "leaf_view": mine,
            "leaf_first": mine,
            "stops": (np.array([3]), np.array([1.0])),
            "replaced": (once, np.array([-2.0])),
            "mean": (once, np.array([0.25])),
        },
    )
    short = np.array([3]), np.array([1.0]), np.array([0]), np.array([0]), np.array([0])
    path = np.array([2, 0, 3]), np.array([0, 1, 1]), np.array([0, 1, 0])
    path_two = np.array([1, 0, 2]), np.array([1, 0, 0]), np.array([0, 2, 1])
    return (
        Case(
            (visits, totals, *path, 2.0, 0),
            first,
            title="moves by 0, 1 and 1, then 0 is to move (the picture)",
        ),
        Case(
            (visits_two, totals_two, *path_two, -1.0, 0),
            second,
            title="moves by 1, 0 and 0, closing three boxes; then 0",
        ),
        Case((*short, 2.0, 1), third, title="one move by 0; then 1 is to move"),
    )


def puct() -> tuple[Case, ...]:
    """puct_moves in a root with an illegal move, and in another node."""
    # Legal priors 0.4 and 0.1: 0.8 and 0.2, with noise 0.725 and 0.275. 1.5 * 2 = 3: U = 0.435 and 0.825; Q = 0.25 and
    # -0.2: 0.685 and 0.625. Not negated: 0.185. Untried 0: 0.825. No mask, mixed 0.425, 0.375, 0.2: 0.505, 1.125 - 0.2,
    # 0.4; not divided: 0.425 and 0.2: 0.505. Noise added, 0.925 and 0.325: 0.805. Mixed before, 0.425 and 0.2, divided 0.68
    # and 0.32: 0.658 and 0.76. N = 4: 1.12 and 1.45. Without it: 0.4675. Over 4 visits: 0.54375 + 0.25. c at Q: 0.375 +
    # 0.29.
    slips = {
        "view": (2, 0.625), "zero": (2, 0.825), "mask": (1, 0.925), "not_rescaled": (0, 0.505),
        "noise_added": (0, 0.805), "noise_first": (2, 0.76), "no_root": (2, 1.45), "no_total": (0, 0.4675),
        "plus_one": (0, 0.79375), "c_side": (0, 0.665),
    }  # fmt: skip
    first = Key(_moves(0, 0.685), {slip: _moves(*value) for slip, value in slips.items()})
    # Legal priors 0.4, 0.2, 0.2: 0.5, 0.25, 0.25. U = 0.3, 0.75, 0.75; Q = -1, -0.2, -0.2: 0.55 twice. Not negated: 1.3. No
    # mask: 0.6 - 0.2 for all three untried; not divided: 0.4. Noise in, 0.3125: 0.9375 - 0.2. N: 1.3. Without: 0.175. c at
    # Q: 0.2.
    slips = {
        "view": (0, 1.3), "zero": (2, 0.75), "mask": (1, 0.4), "not_rescaled": (2, 0.4), "noise_everywhere": (2, 0.7375),
        "no_root": (2, 1.3), "no_total": (2, 0.175), "c_side": (2, 0.2), "last_tie": (3, 0.55),
    }  # fmt: skip
    second = Key(_moves(2, 0.55), {slip: _moves(*value) for slip, value in slips.items()})
    root = (
        np.array([[4, 0, 0]]), np.array([[-1.0, 0, 0]]), np.array([[0.4, 0.5, 0.1]]), np.array([[True, False, True]]),
        np.array([-0.2]), np.array([True]), np.array([[0.5, 0, 0.5]]), 1.5, 0.25,
    )  # fmt: skip
    inner = (
        np.array([[4, 0, 0, 0]]), np.array([[4.0, 0, 0, 0]]), np.array([[0.4, 0.2, 0.2, 0.2]]),
        np.array([[True, False, True, True]]), np.array([-0.2]), np.array([False]), np.array([[0, 0, 0.5, 0.5]]), 1.5, 0.25,
    )  # fmt: skip
    # Nothing was visited, so N counts as 1: U = 2 * 0.25 and 2 * 0.75, Q = 0.5: 1.0 and 2.0. With N = 0 both are worth 0.5.
    # Untried 0: 1.5. Noise in, 0.3125 and 0.6875: 0.5 + 1.375. c at Q: 1 + 0.75.
    slips = {
        "zero": (1, 1.5),
        "zero_total": (0, 0.5),
        "noise_everywhere": (1, 1.875),
        "c_side": (1, 1.75),
    }
    third = Key(_moves(1, 2.0), {slip: _moves(*value) for slip, value in slips.items()})
    new = (
        np.zeros((1, 2), np.int64), np.zeros((1, 2)), np.array([[0.25, 0.75]]), np.ones((1, 2), bool), np.array([0.5]),
        np.array([False]), np.array([[0.5, 0.5]]), 2.0, 0.25,
    )  # fmt: skip
    return (
        Case(root, first, title="a root with three actions, the second illegal"),
        Case(inner, second, title="a node that is no root, with four actions, the second illegal"),
        Case(new, third, title="a node in which nothing was visited yet"),
    )


def nim() -> tuple[Case, ...]:
    """nim_search, six simulations from two stones and from three."""
    # Two stones. 1: the root, 0.4. 2: take 1, where one is left: -0.4, for the root 0.4. 3: take 2, over: he has won, -1. 4
    # (N = 3, alike but for Q): take 1, take 1: over, I have won, 1. 5: 0.7 + 2 * 0.83 > -1 + 2 * 1.18: the same, 1. 6: 0.8
    # + 1.46 > 1.54: the same, 1. Together 2.8. Root stopped at: its N is 0, so Q decides alone. Not negated: 0.4, -0.4, 1;
    # take 2 has Q = -1, take 1 0.4: 1; Q = -0.3, -0.3 + 1.67 > -1 + 2.35: 1; -0.53 + 1.46 < -1 + 2.54: take 2, 1. Together
    # 4. Table asked, -0.2: 0.4, 0.4, 0.2; take 1: -0.2; 0.1 + 1.67 < 0.2 + 2.35: take 2, 0.2; 0.1 + 1.79 < 0.2 + 1.79: take
    # 2, 0.2. Together 1.2. Not negated: 0.4, -0.4, -0.2; take 1: -0.2; 0.3 + 1.67 < 0.2 + 2.35: -0.2; 0.3 + 1.79 > 0.2 +
    # 1.79: take 1, -0.2. Together -0.8. Wrong loser: 0.4, 0.4, 1; take 2: 1; 1 + 1.67 < 0.4 + 2.35: take 1, -1; -0.3 + 1.79
    # < 1 + 1.79: take 2, 1. 0.4 + 0.4 + 3 - 1 = 2.8. Friendly: 0.4, 0.4, -1, then Q = 1 for take 2 always: -1, -1, -1:
    # -3.2. Root's own 0.4 left out: 2.4 / 5. No log: 0.7 + 2 * 1.41 < -1 + 2 * 2: take 2, -1; then 0.7 > -1: 1: 0.8.
    first = Key(
        _nim(4, 1, 0, 2.8 / 6),
        {
            "sign": _nim(3, 2, 0, 4 / 6),
            "stops": _nim(4, 1, 0, 0.0),
            "asks": _nim(2, 3, 0, 1.2 / 6),
            "sign_and_stops": _nim(4, 1, 0, 0.0),
            "sign_and_asks": _nim(3, 2, 0, -0.8 / 6),
            "stops_and_asks": _nim(2, 3, 0, 0.0),
            "hasty": _nim(4, 1, 0, 0.0),
            "loser": _nim(2, 3, 0, 2.8 / 6),
            "root_view": _nim(4, 1, 0, -2.8 / 6),
            "friendly": _nim(1, 4, 0, -3.2 / 6),
            "from_moves": _nim(4, 1, 0, 2.4 / 5),
            "no_log": _nim(3, 2, 0, 0.8 / 6),
        },
    )
    # Three stones, -0.2; take 1: -0.4, for the root 0.4; take 2: -0.2, for the root 0.2; take 3, over: -1. N = 4, Q
    # decides: take 1, take 1: one left, -0.2, for the root -0.2. N = 5: 0.1 + 2 * 0.90 = 1.89, 0.2 + 2 * 1.27 = 2.74, -1 +
    # 2.54: take 2, take 1, over: 1. Together 0.2. Not negated: -0.2, -0.4, -0.2, 1; take 1: -0.2; 0.3 + 1.79 < 0.2 + 2.54:
    # 1. Together 1. Root stopped at: 0.1 < 0.2, the same counts; not negated 0.3 > 0.2: take 1 a third time. Table asked,
    # -0.4: take 3 has Q = 0.4 like take 1: take 1, -0.2; then take 3: 2.94 > 2.74. -0.2 + 0.4 + 0.2 + 0.4 - 0.2 + 0.4 = 1;
    # not negated -0.2 - 0.4 - 0.2 - 0.4 - 0.2 - 0.4 = -1.8. Wrong loser: take 3 has Q = 1 and is taken: 1; then 0.4 + 2.54
    # > 1 + 1.79: take 1, -0.2: 2.2. Friendly: take 3, always -1: -0.2 + 0.4 + 0.2 - 3 = -2.6. Root's own left out: 0.4 / 5.
    # Own log: 0.1 + 2 * 0.59 > 0.2: take 1, take 2, over: 0.2. No log: 0.1 + 3.16 < 0.2 + 4.47. Highest first: take 3, 2,
    # 1; then take 1, take 2, over: 1; 0.7 + 1.79 < 0.2 + 2.54: take 2, take 1: 1.
    second = Key(
        _nim(2, 2, 1, 0.2 / 6),
        {
            "sign": _nim(2, 2, 1, 1 / 6),
            "stops": _nim(2, 2, 1, 0.0),
            "asks": _nim(2, 1, 2, 1 / 6),
            "sign_and_stops": _nim(3, 1, 1, 0.0),
            "sign_and_asks": _nim(2, 1, 2, -1.8 / 6),
            "stops_and_asks": _nim(2, 1, 2, 0.0),
            "hasty": _nim(2, 1, 2, 0.0),
            "loser": _nim(2, 1, 2, 2.2 / 6),
            "root_view": _nim(2, 2, 1, -0.2 / 6),
            "friendly": _nim(1, 1, 3, -2.6 / 6),
            "from_moves": _nim(2, 2, 1, 0.4 / 5),
            "own_log": _nim(3, 1, 1, 0.2 / 6),
            "last_tie": _nim(2, 2, 1, 1.4 / 6),
        },
    )
    return (
        Case(
            (2, np.array([-0.2, -0.4, 0.4]), 2.0, 6),
            first,
            title="two stones, six simulations, c = 2",
        ),
        Case(
            (3, np.array([-0.4, -0.2, -0.4, -0.2]), 2.0, 6),
            second,
            title="three stones, six simulations, c = 2",
        ),
    )


def rollouts() -> tuple[Case, ...]:
    """rollout_values of a game in which a heap of 8 misleads, and of one in which a heap of 1 leaves no move."""
    # takes 1, 3, 4. Heap 1: 1; 2: -1; 3: (1 + 1) / 2; 4: (-1 - 1 + 1) / 3; 5: (1/3 + 1 - 1) / 3; 6: (-1/9 - 1 + 1) / 3; 7:
    # (1/27 + 1/3 - 1) / 3; 8: (17/81 - 1/9 + 1/3) / 3. Heaps 0, 2 and 7 are lost; from 8 the move to 4 has the best mean,
    # 1/3, that to 7, which wins, 17/81. From 4, 5 and 6 the worst mean belongs to a losing move, too. Lost anyhow: 2 and 7.
    # Negative means, though won: 4 and 6. Heap never taken whole: all shifts by one.
    right = [-1, 1, -1, 1, -1 / 3, 1 / 9, -1 / 27, -17 / 81, 35 / 243]
    thirds = [-1, 1 / 3, -1 / 9, 10 / 27, 8 / 81, -26 / 243, -37 / 729, -305 / 2187, 323 / 6561]
    first = Key(
        (np.array(right), _heaps(8)),
        {
            "sign": (-np.ones(9), _heaps(4, 5, 6)),
            "all_takes": (np.array(thirds), _heaps()),
            "strict": (np.array([-1, *right[:-1]]), _heaps()),
            "end": (-np.array(right), _heaps()),
            "best_play": (np.array([-1.0, 1, -1, 1, 1, 1, 1, -1, 1]), _heaps()),
            "worst": (np.array(right), _heaps(4, 5, 6, 8)),
            "lost_too": (np.array(right), _heaps(2, 7, 8)),
            "by_sign": (np.array(right), _heaps(4, 6)),
        },
    )
    # takes 2, 3. Heaps 0 and 1 are lost; 2: 1; 3: (1 + 1) / 2; 4: (-1 + 1) / 2; 5: (-1 - 1) / 2. If heap 1 is worth 0: 3:
    # (0 + 1) / 2; 4: (-1 - 0) / 2; 5: (-1/2 - 1) / 2.
    right = [-1.0, -1, 1, 1, 0, -1]
    second = Key(
        (np.array(right), _heaps()),
        {
            "sign": (-np.ones(6), _heaps(4)),
            "all_takes": (np.array([-1, -1, 0.5, 1, 0.25, -0.75]), _heaps()),
            "strict": (np.array([-1, *right[:-1]]), _heaps()),
            "end": (-np.array(right), _heaps()),
            "stuck": (np.array([-1, 0, 1, 0.5, -0.5, -0.75]), _heaps()),
            "best_play": (np.array([-1.0, -1, 1, 1, 1, -1]), _heaps()),
            "worst": (np.array(right), _heaps(4)),
            "lost_too": (np.array(right), _heaps(5)),
        },
    )
    return (
        Case(([1, 3, 4], 8), first, title="1, 3 or 4 stones may be taken, heaps up to 8"),
        Case(([2, 3], 5), second, title="2 or 3 stones may be taken, heaps up to 5"),
    )


def _routes(taken: Sequence[int], means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The routes and their regret, given the true means."""
    return np.array(taken), np.cumsum(means[list(taken)] - means.min())


def _moves(action: int, score: float) -> tuple[np.ndarray, np.ndarray]:
    return np.array([action]), np.array([score])


def _nim(one: int, two: int, three: int, value: float) -> tuple[np.ndarray, float]:
    return np.array([one, two, three]), value


def _heaps(*heaps: int) -> np.ndarray:
    return np.array(heaps, int)
