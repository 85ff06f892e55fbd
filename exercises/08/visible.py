"""The visible cases of sheet 08, worked by hand."""

from collections.abc import Sequence

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def routes() -> tuple[Case, ...]:
    """try_routes on two routes and on three, two of which are alike in the last case."""
    # Every route once: 10, 15. N = 2: 10 - 8 * 0.83 < 15 - 8 * 0.83: 0 (15 minutes, mean
    # 12.5). N = 3: 12.5 - 8 * 0.74 =
    # 6.57 < 15 - 8 * 1.05 = 6.62: 0 (16, mean 13.67). N = 4: 13.67 - 8 * 0.68 = 8.23 > 15 - 8 *
    # 1.18 = 5.58: 1. Route 0 costs 2 more on average.
    two = np.array([[10.0, 15, 16, 12, 12], [15, 12, 14, 8, 9]]), np.array([14.0, 12.0])
    # 8, 17, 13. N = 3, bonus 10.5 for all: 0 (11, mean 9.5). N = 4: 9.5 - 8.3 = 1.2 < 13 - 11.8 =
    # 1.23 < 17 - 11.8: 0 (9, mean 9.33). N = 5: 9.33 - 7.3 = 2.0 > 13 - 12.7 = 0.3: 2.
    costs = np.array([[8.0, 11, 9, 13, 6, 8], [17, 16, 13, 12, 19, 15], [13, 11, 12, 11, 14, 8]])
    three = costs, np.array([10.0, 16.0, 10.0])
    # 7, 15. N = 2: 7 < 15. N = 5: 8 - 4.1 < 15 - 8.2. N = 7: 9 - 3.7 = 5.3 < 15 - 9.1 = 5.9: 0
    # all the time. With N in place of ln N it is 1 at N = 5: 8 - 7.3 = 0.7 > 15 - 14.5 = 0.5.
    far = np.array([7.0, 8, 8, 9, 13, 9, 10.5, 7]), np.array([15, 13.5, 13.5, 16, 13.5, 10, 15, 13])
    # Two routes with equal minutes, and one in the middle: of equal bounds the lowest number.
    twin = np.array([12, 15.5, 14.5, 13.5, 16, 13, 11, 13.5, 14, 12, 12.5, 11])
    other = np.array([15, 14, 12, 14, 14, 12, 14, 13, 13.5, 14, 10.5, 11.5])
    means = np.array([14.0, 12, 14])
    # 10, 11. N = 2: 10 < 11, with one bonus for both: 0 (14, mean 12). N = 3: 12 - 3.0 > 11 - 4.2:
    # 1 (9, mean 10), which has the lower mean and as many trips from then on, or few more.
    close = np.array([[10.0, 14, 16, 13, 13, 11], [11, 9, 10, 13, 11, 14]])
    close_means = np.array([13.0, 11])
    # 11, 14. N = 2: 11 < 14, with one bonus for both: 0 (13, mean 12). N = 3: 12 - 3.0 = 9.0 <
    # 14 - 4.2 = 9.8: 0 (11, mean 11.67). N = 4: 11.67 - 2.7 = 8.9 < 14 - 4.7 = 9.3: 0.
    narrow = np.array([[11.0, 13, 11, 7, 16], [14, 7, 15, 12, 8]]), np.array([12.0, 13])
    return (
        Case(
            (*two, 8.0, 5),
            Key(_routes([0, 1, 0, 0, 1], two[1])),
            title="two routes, five mornings, c = 8",
        ),
        Case(
            (*three, 10.0, 6),
            Key(_routes([0, 1, 2, 0, 0, 2], three[1])),
            title="three routes, six mornings, c = 10",
        ),
        Case(
            (np.array(far), np.array([10.0, 13.0]), 6.5, 8),
            Key(_routes([0, 1, 0, 0, 0, 0, 0, 0], np.array([10.0, 13.0]))),
            title="two routes far apart, eight mornings, c = 6.5",
        ),
        Case(
            (close, close_means, 4.0, 6),
            Key(_routes([0, 1, 0, 1, 1, 1], close_means)),
            title="two routes, six mornings, c = 4",
        ),
        Case(
            (np.array([twin, other, twin]), means, 3.0, 12),
            Key(_routes([0, 1, 2, 0, 2, 0, 2, 1, 1, 1, 0, 2], means)),
            title="three routes, the first and the last alike, twelve mornings, c = 3",
        ),
        Case(
            (*narrow, 4.0, 5),
            Key(_routes([0, 1, 0, 0, 0], narrow[1])),
            title="two routes, five mornings, c = 4",
        ),
    )


def boxes() -> tuple[Case, ...]:
    """box_backup of three moves: the second closes a box, then the last two close three."""
    # Moves by 0, 1, 1; the second closes a box, so 1 moves again; 0 moves at the leaf, worth 2 to
    # them. Outcomes: for the last move -2; for the second 1 - 2 = -1; for the first -1 + 2 = 1.
    visits, totals = np.array([1, 7, 3, 0]), np.array([6.0, -4.0, 2.0, 0.0])
    path = np.array([2, 0, 3]), np.array([0, 1, 1]), np.array([0, 1, 0])
    # Moves by 1, 0, 0, which close 0, 2 and 1; 0 moves again, at the leaf, worth -1 to them.
    # Outcomes: 1 - 1 = 0, 3 - 1 = 2 and -3 + 1 = -2.
    visits_two, totals_two = np.array([4, 1, 0]), np.array([2.0, 3.0, 0.0])
    path_two = np.array([1, 0, 2]), np.array([1, 0, 0]), np.array([0, 2, 1])
    # One move by 0, who closes nothing; 1 moves at the leaf, worth 2 to them: -2.
    short = np.array([3]), np.array([1.0]), np.array([0]), np.array([0]), np.array([0])
    # Moves by 0, 1, 0, 1; the last closes a box, so 1 moves again, at the leaf, worth 1.5 to them:
    # 2.5 for 1's moves and -2.5 for those of 0.
    visits_long = np.array([6, 8, 8, 5, 5, 1])
    totals_long = np.array([-1.5, 2.5, 2.5, -2.5, 0.5, 0.5])
    path_long = np.array([3, 4, 1, 0]), np.array([0, 1, 0, 1]), np.array([0, 0, 0, 1])
    return (
        Case(
            (visits, totals, *path, 2.0, 0),
            Key((np.array([2, 7, 4, 1]), np.array([5.0, -4.0, 3.0, -2.0]))),
            title="moves by 0, 1 and 1, then 0 is to move (the picture)",
        ),
        Case(
            (visits_two, totals_two, *path_two, -1.0, 0),
            Key((np.array([5, 2, 1]), np.array([4.0, 1.0, 0.0]))),
            title="moves by 1, 0 and 0, closing three boxes; then 0",
        ),
        Case(
            (*short, 2.0, 1),
            Key((np.array([4]), np.array([-1.0]))),
            title="one move by 0; then 1 is to move",
        ),
        Case(
            (visits_long, totals_long, *path_long, 1.5, 1),
            Key((np.array([7, 9, 8, 6, 6, 1]), np.array([1.0, 0.0, 2.5, -5.0, 3.0, 0.5]))),
            title="moves by 0, 1, 0 and 1, who closes a box; then 1",
        ),
    )


def puct() -> tuple[Case, ...]:
    """puct_moves in a root with an illegal move, and in another node."""
    # Legal priors 0.4 and 0.1: 0.8 and 0.2, with noise 0.725 and 0.275. 1.5 * 2 = 3: U =
    # 0.435 and 0.825; Q = 0.25 and
    # -0.2: 0.685 and 0.625.
    root = (
        np.array([[4, 0, 0]]), np.array([[-1.0, 0, 0]]), np.array([[0.4, 0.5, 0.1]]), np.array([[True, False, True]]),
        np.array([-0.2]), np.array([True]), np.array([[0.5, 0, 0.5]]), 1.5, 0.25,
    )  # fmt: skip
    # Legal priors 0.4, 0.2, 0.2: 0.5, 0.25, 0.25. U = 0.3, 0.75, 0.75; Q =
    # -1, -0.2, -0.2: 0.55 twice.
    inner = (
        np.array([[4, 0, 0, 0]]), np.array([[4.0, 0, 0, 0]]), np.array([[0.4, 0.2, 0.2, 0.2]]),
        np.array([[True, False, True, True]]), np.array([-0.2]), np.array([False]), np.array([[0, 0, 0.5, 0.5]]), 1.5, 0.25,
    )  # fmt: skip
    # Nothing was visited, so N counts as 1: U = 2 * 0.25 and 2 * 0.75, Q = 0.5: 1.0 and 2.0.
    # With N = 0 both are worth 0.5.
    new = (
        np.zeros((1, 2), np.int64), np.zeros((1, 2)), np.array([[0.25, 0.75]]), np.ones((1, 2), bool), np.array([0.5]),
        np.array([False]), np.array([[0.5, 0.5]]), 2.0, 0.25,
    )  # fmt: skip
    # Three nodes, N = 9, 4, 1. The first: legal priors 0.5, 0.125, 0.375, with noise 0.45, 0.1625,
    # 0.3875; Q = -0.8, -0.6, -0.5, U = 0.135, 0.061, 0.194. The second: 0.25, 0.75; Q = -0.6 and
    # the first guess -0.7, U = 0.05, 0.75. The third has one legal move: Q = -0.9, U = 0.25.
    three = (
        np.array([[4, 0, 3, 2], [4, 0, 0, 0], [0, 0, 0, 1]]),
        np.array([[3.2, 0, 1.8, 1.0], [2.4, 0, 0, 0], [0, 0, 0, 0.9]]),
        np.array([[0.4, 0.2, 0.1, 0.3], [0.1, 0.3, 0.2, 0.4], [0.4, 0.1, 0.2, 0.3]]),
        np.array([[1, 0, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1]]) > 0,
        np.array([-0.9, -0.7, -0.5]), np.array([True, False, True]),
        np.array([[0.4, 0, 0.2, 0.4], [0.5, 0.5, 0, 0], [0, 0, 0, 1.0]]), 0.5, 0.5,
    )  # fmt: skip
    return (
        Case(root, Key(_moves(0, 0.685)), title="a root with three actions, the second illegal"),
        Case(
            inner,
            Key(_moves(2, 0.55)),
            title="a node that is no root, with four actions, the second illegal",
        ),
        Case(new, Key(_moves(1, 2.0)), title="a node in which nothing was visited yet"),
        Case(
            three,
            Key((np.array([3, 1, 3]), np.array([-0.30625, 0.05, -0.65]))),
            title="three nodes at once, whose moves look bad; the first and the third are roots",
        ),
    )


def nim() -> tuple[Case, ...]:
    """nim_search of two stones, of three and of six; in the last case two moves look equally good."""
    # Two stones. 1: the root, 0.4. 2: take 1, where one is left: -0.4, for the root 0.4. 3: take
    # 2, over: the other has won,
    # -1. 4 (N = 3, alike but for Q): take 1, take 1: over, I have won, 1. 5: 0.7 + 2 * 0.83 > -1
    # + 2 * 1.18: the same, 1. 6:
    # 0.8 + 1.46 > 1.54: the same, 1. Together 2.8.
    two = 2, np.array([-0.2, -0.4, 0.4]), 2.0, 6
    # Three stones, -0.2; take 1: -0.4, for the root 0.4; take 2: -0.2, for the root 0.2; take 3,
    # over: -1. N = 4, Q decides: take 1, take 1: one left, -0.2, for the root -0.2. N = 5: 0.1 + 2
    # * 0.90 = 1.89, 0.2 + 2 * 1.27 = 2.74, -1 +
    # 2.54: take 2, take 1, over: 1. Together 0.2.
    three = 3, np.array([-0.4, -0.2, -0.4, -0.2]), 2.0, 6
    # Six stones, and what each simulation is worth to the root: itself 0.1; take 1: 0.4, 0.7, -0.2,
    # -0.8, 0.8, 0.8, -1, 1, 1; take 2: -0.7; take 3: 0.2, -0.8, -0.8. Together 0.7.
    six = 6, np.array([-0.6, -0.8, -0.8, -0.2, 0.7, -0.4, 0.1]), 0.8, 14
    # Six stones: itself -0.8; take 1: 0.6; 2: -0.6; 3: -0.5. Then take 1 is best all the time, with
    # new children: 0.6, 0.5, -0.2. N = 4: take 3 below it (1.38), then 1: 0.6. N = 5: 2 (0.77 >
    # 0.70), then 1: 0.2. N = 6: 3 (0.747 > 0.739), then 2, over: -1. Together -0.6.
    ten = 6, np.array([0.4, -0.6, -0.2, 0.5, 0.6, -0.6, -0.8]), 1.0, 10
    # Three stones, 0.1; take 1 and take 2: -0.2, for the root 0.2; take 3, over: -1. N = 4: to take 1
    # and to take 2 look alike, so take 1, then 1: one left, -0.2. Together -0.7.
    alike = 3, np.array([0.4, -0.2, -0.2, 0.1]), 1.0, 5
    return (
        Case(two, Key((np.array([4, 1, 0]), 2.8 / 6)), title="two stones, six simulations, c = 2"),
        Case(
            three, Key((np.array([2, 2, 1]), 0.2 / 6)), title="three stones, six simulations, c = 2"
        ),
        Case(
            six, Key((np.array([9, 1, 3]), 0.7 / 14)), title="six stones, 14 simulations, c = 0.8"
        ),
        Case(
            ten, Key((np.array([7, 1, 1]), -0.6 / 10)), title="six stones, ten simulations, c = 1"
        ),
        Case(
            alike,
            Key((np.array([2, 1, 1]), -0.7 / 5)),
            title="three stones, five simulations, c = 1: two moves look equally good",
        ),
    )


def rollouts() -> tuple[Case, ...]:
    """rollout_values of a game in which a heap of 8 misleads, and of one in which
    a heap of 1 leaves no move.
    """
    # takes 1, 3, 4. Heap 1: 1; 2: -1; 3: (1 + 1) / 2; 4: (-1 - 1 + 1) / 3; 5: (1/3 + 1 - 1) / 3; 6:
    # (-1/9 - 1 + 1) / 3; 7: (1/27 + 1/3 - 1) / 3; 8: (17/81 - 1/9 + 1/3) / 3. Heaps 0, 2 and 7 are
    # lost; from 8 the move to 4 has the best mean, 1/3, that to 7, which wins, 17/81. From 4, 5 and
    # 6 the worst mean belongs to a losing move, too.
    first = np.array([-1, 1, -1, 1, -1 / 3, 1 / 9, -1 / 27, -17 / 81, 35 / 243])
    # takes 2, 3. Heaps 0 and 1 are lost; 2: 1; 3: (1 + 1) / 2; 4: (-1 + 1) / 2; 5: (-1 - 1) / 2.
    second = np.array([-1.0, -1, 1, 1, 0, -1])
    # takes 1, 2, 4: multiples of 3 are lost. From 10 the move to 9 wins, but 8 has the lowest mean,
    # -20/81. From 11 the move to 9 wins, with 23/243, but 10 has the lowest mean, 101/1458.
    third = [-1, 1, 0, -1 / 2, 1 / 2, -1 / 3, -1 / 18, 8 / 27, -20 / 81, 23 / 243]
    third += [101 / 1458, -671 / 4374, 724 / 6561]
    return (
        Case(
            ([1, 3, 4], 8),
            Key((first, np.array([8]))),
            title="1, 3 or 4 stones may be taken, heaps up to 8",
        ),
        Case(
            ([2, 3], 5),
            Key((second, np.array([], int))),
            title="2 or 3 stones may be taken, heaps up to 5",
        ),
        Case(
            ([1, 2, 4], 12),
            Key((np.array(third), np.array([10, 11]))),
            title="1, 2 or 4 stones may be taken, heaps up to 12",
        ),
    )


def _routes(taken: Sequence[int], means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The routes and their regret, given the true means."""
    return np.array(taken), np.cumsum(means[list(taken)] - means.min())


def _moves(action: int, score: float) -> tuple[np.ndarray, np.ndarray]:
    return np.array([action]), np.array([score])
