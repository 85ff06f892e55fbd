"""The visible cases of sheet 02, worked by hand."""

import numpy as np

from rlcourse.checks.judging import Frequencies, Key, alarm_share
from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case

CALLS = 2000  # of a random function in one case


def sweep() -> tuple[Case, ...]:
    """State 0 has a safe action (to state 1, reward 1) and a risky one (a fair coin: the end with
    reward 4, or back to 0 with reward 0). State 1 goes on to the end with reward 2 by both
    actions. State 2 is finished."""
    return (_sweep_half(), _sweep_one(), _sweep_back(), _sweep_biased(), _sweep_loss())


def _process() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Probabilities and rewards [3, 2, 3] and the finished states [3] of the process of `sweep`."""
    probabilities, rewards = np.zeros((3, 2, 3)), np.zeros((3, 2, 3))
    probabilities[0, 0, 1], rewards[0, 0, 1] = 1.0, 1.0
    probabilities[0, 1] = [0.5, 0.0, 0.5]
    rewards[0, 1, 2] = 4.0
    probabilities[1, :, 2], rewards[1, :, 2] = 1.0, 2.0
    probabilities[2, :, 2] = 1.0
    return probabilities, rewards, np.array([False, False, True])


def _sweep_half() -> Case:
    # gamma 0.5, V = [2, 7, 6]. State 0, safe: 1 + 0.5 * 7 = 4.5; risky: 0.5 * (0 + 0.5 * 2) + 0.5 *
    # (4 + 0) = 2.5; best 4.5. State 1: 2 + 0: the finished state's 6 does not count.
    return Case(
        (np.array([2.0, 7.0, 6.0]), *_process(), 0.5),
        Key(np.array([4.5, 2.0, 0.0])),
        title="a safe and a risky action, gamma 0.5",
    )


def _sweep_one() -> Case:
    # gamma 1, V = [4, 0, 0]. Safe 1 + 0 = 1; risky 0.5 * 4 + 0.5 * 4 = 4.
    return Case(
        (np.array([4.0, 0.0, 0.0]), *_process(), 1.0),
        Key(np.array([4.0, 2.0, 0.0])),
        title="the same, gamma 1",
    )


def _sweep_back() -> Case:
    # gamma 1, V = [0, 3, 0], and both actions of state 1 lead back to state 0 with reward
    # 0: its new value is the OLD value of state 0, which is 0. In place it would be the
    # new one, max(1 + 3, 2) = 4.
    probabilities, rewards, terminal = _process()
    probabilities[1], rewards[1] = 0.0, 0.0
    probabilities[1, :, 0] = 1.0
    return Case(
        (np.array([0.0, 3.0, 0.0]), probabilities, rewards, terminal, 1.0),
        Key(np.array([4.0, 0.0, 0.0])),
        title="a state that leads back to an earlier one",
    )


def _sweep_biased() -> Case:
    # The end is state 0, and what its rows hold means nothing. State 1 has a biased coin, 0.8 back
    # with reward 0, 0.2 to the end with reward 10, and a safe step to state 2 with reward 1; from
    # there the end, with reward 2. gamma 0.5, V = [9, 1, 2]. Coin: 0.8 * 0.5 * 1 + 0.2 * 10 = 2.4;
    # safe: 1 + 0.5 * 2 = 2.
    probabilities, rewards = np.zeros((3, 2, 3)), np.zeros((3, 2, 3))
    probabilities[0, :, 1], rewards[0, :, 1] = 1.0, 5.0
    probabilities[1, 0] = [0.2, 0.8, 0.0]
    rewards[1, 0, 0] = 10.0
    probabilities[1, 1, 2], rewards[1, 1, 2] = 1.0, 1.0
    probabilities[2, :, 0], rewards[2, :, 0] = 1.0, 2.0
    return Case(
        (np.array([9.0, 1.0, 2.0]), probabilities, rewards, np.array([True, False, False]), 0.5),
        Key(np.array([0.0, 2.4, 2.0])),
        title="a rare end with a high reward; the finished state comes first",
    )


def _sweep_loss() -> Case:
    # gamma 1, V = [0, 0, 0]; all rewards are losses: safe -1, risky 0.5 * 0
    # - 0.5 * 4 = -2, state 1 -2.
    probabilities, rewards, terminal = _process()
    return Case(
        (np.zeros(3), probabilities, -rewards, terminal, 1.0),
        Key(np.array([-1.0, -2.0, 0.0])),
        title="every step is a loss",
    )


def nim() -> tuple[Case, ...]:
    """nim_update on a small table; alpha 0.5 or 0.25, gamma 0.5 or 0.8."""
    q = np.zeros((7, 3))
    q[6] = [0.1, 0.2, 0.4]
    q[5] = [-0.6, 0.2, 0.4]
    q[4] = [-0.6, -0.4, -0.8]
    q[3] = [0.0, 0.0, -0.2]
    q[2] = [-0.5, 0.5, 0.1]
    q[1] = [-0.3, 0.6, 9.0]
    q[0] = [3.0, 3.0, 3.0]
    return (
        # Five are left, the opponent's best is 0.4: 0.1 + 0.5 * (-0.5 * 0.4 - 0.1) = -0.05.
        Case((q, 6, 1, 0.5, 0.5), Key(-0.05), title="heap 6, take 1"),
        # Two are left, so only takes 1 and 2 count, 0.5: 0.4 + 0.5 * (-0.25 - 0.4) = 0.075.
        Case((q, 5, 3, 0.5, 0.5), Key(0.075), title="heap 5, take 3, so two stones are left"),
        # The last stone, reward -1, alpha 0.25: -0.2 + 0.25 * (-1 + 0.2) = -0.4.
        Case((q, 3, 3, 0.25, 0.5), Key(-0.4), title="heap 3, take 3: the last stone; alpha 0.25"),
        # Four are left, and all that the opponent can do is bad for them; their best
        # is -0.4, worth 0.8 * 0.4 = 0.32 to you: -0.6 + 0.5 * (0.32 + 0.6) = -0.14.
        Case(
            (q, 5, 1, 0.5, 0.8),
            Key(-0.14),
            title="heap 5, take 1: the opponent loses with every reply; gamma 0.8",
        ),
        # One is left, which the opponent has to take: -0.3, worth 0.5 * 0.3 = 0.15 to you:
        # -0.8 + 0.5 * (0.15 + 0.8) = -0.325.
        Case((q, 4, 3, 0.5, 0.5), Key(-0.325), title="heap 4, take 3, so one stone is left"),
        # Two stones were there, one is left: -0.5 + 0.5 * (0.15 + 0.5) = -0.175.
        Case((q, 2, 1, 0.5, 0.5), Key(-0.175), title="heap 2, take 1, so one stone is left"),
    )


def choose() -> tuple[Case, ...]:
    """How often each of four squares comes; square 1 is illegal, was never tried (in the third
    case three times) and has the highest value. epsilon 0.4. In the last case six squares, and
    epsilon 0.8.
    """
    legal, illegal_best = np.array([True, False, True, True]), 0.9
    # First player: squares 0 and 2 are equally good (0.5), 3 was tried least. Squares 0 and 2 get
    # (1 - 0.4) / 2 = 0.3 each, square 3 gets 0.4. Second player: square 3 (-0.2) is best and the
    # least tried as well, so it always comes.
    q, visits = np.array([0.5, illegal_best, 0.5, -0.2]), np.array([5, 0, 7, 1])
    # All legal values are negative; square 2 is best for the first player, 0 and 3 were
    # tried equally little, and the illegal one more often: 0.2 each.
    low, tried = np.array([-0.5, illegal_best, -0.1, -0.7]), np.array([1, 3, 7, 1])
    # All legal values are positive, square 2 is illegal, bad and was tried most. Squares 1 and 4
    # are best: (1 - 0.8) / 2 = 0.1 each; 0 and 5 were never tried: 0.8 / 2 = 0.4 each.
    high, never = np.array([0.1, 0.6, -0.9, 0.2, 0.6, 0.3]), np.array([0, 5, 9, 2, 3, 0])
    return (
        Case(
            (q, visits, legal, 0, 0.4, Rng(1)),
            Frequencies(np.array([0.3, 0.0, 0.3, 0.4]), share=alarm_share(4)),
            calls=CALLS,
            title="first player, square 1 is illegal, epsilon 0.4",
        ),
        Case(
            (q, visits, legal, 1, 0.4, Rng(2)),
            Frequencies(np.array([0.0, 0.0, 0.0, 1.0]), share=alarm_share(4)),
            calls=CALLS,
            title="second player in the same position",
        ),
        Case(
            (low, tried, legal, 0, 0.4, Rng(3)),
            Frequencies(np.array([0.2, 0.0, 0.6, 0.2]), share=alarm_share(4)),
            calls=CALLS,
            title="all legal values are negative",
        ),
        Case(
            (high, never, np.arange(6) != 2, 0, 0.8, Rng(4)),
            Frequencies(np.array([0.4, 0.1, 0.0, 0.0, 0.1, 0.4]), share=alarm_share(4)),
            calls=CALLS,
            title="six squares, square 2 is illegal and bad, epsilon 0.8",
        ),
    )


def estimates() -> tuple[Case, ...]:
    """two_estimates: Example 6.4 of Sutton & Barto (2018) in small, and a state that comes back."""
    # A (0) then B (1) then the end, rewards 0; and three times B, with 1, 1 and 0.
    # Returns of B: 0, 1, 1, 0, mean 0.5. Return of A: 0. TD: A always leads to B with
    # reward 0, so V(A) = gamma * V(B).
    episodes = [[(0, 0.0), (1, 0.0)], [(1, 1.0)], [(1, 1.0)], [(1, 0.0)]]
    # gamma 0.5: state 0 with reward 1, state 0 again with reward 2, the end; and state 0 with
    # reward 5, the end. Returns: 1 + 0.5 * 2 = 2, 2 and 5, mean 3. TD: mean reward 8 / 3, back in
    # one of three visits: V = 8 / 3 + V / 6, 3.2.
    again = [[(0, 1.0), (0, 2.0)], [(0, 5.0)]]
    # gamma 0.8, episodes 1 0 1 2, 1 0 and 2. Returns of the first: 4, 2 + 0.8 * 4 = 5.2,
    # 1 + 0.8 * 5.2 = 5.16, 0.5 + 0.8 * 5.16 = 4.628; of the others: 2 and 0.8 * 2 = 1.6; -1. Means:
    # (5.16 + 2) / 2 = 3.58, (4.628 + 5.2 + 1.6) / 3 = 11.428 / 3, (4 - 1) / 2 = 1.5.
    # TD: V(2) = 1.5, V(0) = 1.5 + 0.8 * V(1) / 2, V(1) = 2.5 / 3 + 0.8 * (2 * V(0) + 1.5) / 3, so
    # V(1) = 305 / 118 and V(0) = 1.5 + 122 / 118.
    walks = [[(1, 0.5), (0, 1.0), (1, 2.0), (2, 4.0)], [(1, 0.0), (0, 2.0)], [(2, -1.0)]]
    return (
        Case(
            (episodes, 2, 0.5),
            Key((np.array([0.0, 0.5]), np.array([0.25, 0.5]))),
            title="Example 6.4 of Sutton & Barto in small, gamma 0.5",
        ),
        Case(
            (again, 1, 0.5),
            Key((np.array([3.0]), np.array([3.2]))),
            title="a state that is visited twice in an episode, gamma 0.5",
        ),
        Case(
            (walks, 3, 0.8),
            Key((np.array([3.58, 11.428 / 3, 1.5]), np.array([1.5 + 122 / 118, 305 / 118, 1.5]))),
            title="three states, gamma 0.8",
        ),
    )


def book() -> tuple[Case, ...]:
    """play_from_book. The book knows one board of 3 x 3, but for the first case O at square 7, X at
    square 8, text ".......OX"; it plays square 1, 3 or 0.

    An X in a corner and an O beside it can lie in eight ways; the smallest text puts X
    last and O right before it.
    """
    # 1. X at 1, O at 3: the half turn, k -> 8 - k, leads to ".....O.X."; another view is
    # ".....X.O.", and O comes before X. The book's square 3 is square 5 here.
    half = np.array([[0, 1, 0], [2, 0, 0], [0, 0, 0]], np.int8)
    # 2. X at 2, O at 5: a quarter turn clockwise, (r, c) -> (c, 2 - r), leads to the book: (0, 2)
    # -> (2, 2), (1, 2) -> (2, 1).
    #    The book's square (0, 1) is where (1, 0) went, so the move is 3.
    quarter = np.array([[0, 0, 1], [0, 0, 2], [0, 0, 0]], np.int8)
    # 3. X at 0, O at 3: mirrored at the other diagonal, (r, c) -> (2 - c, 2 - r), which leads back
    # as well: (0, 1) is (1, 2), 5.
    mirror = np.array([[1, 0, 0], [2, 0, 0], [0, 0, 0]], np.int8)
    # 4. X at 6, O at 3: a quarter turn the other way, (r, c) -> (2 - c, r), leads to the book:
    # (2, 0) -> (2, 2), (1, 0) -> (2, 1). The book's (0, 0) is where (0, 2) went, square 2.
    other = np.array([[0, 0, 0], [2, 0, 0], [1, 0, 0]], np.int8)
    # 5. X at 6, O at 7: left and right exchanged; the book's square 0 is square 2 here.
    left = np.array([[0, 0, 0], [0, 0, 0], [1, 2, 0]], np.int8)
    known = {".......OX": 1}
    return (
        Case(
            (half, {".....O.X.": 3}),
            Key(5),
            title="X on the edge 1, O on the edge 3; the book plays square 3",
        ),
        Case((quarter, known), Key(3), title="X in the corner 2, O below it on 5"),
        Case((mirror, known), Key(5), title="X in the corner 0, O below it on 3"),
        Case((mirror, {"........X": 0}), Key(None), title="a board that is not in the book"),
        Case(
            (other, {".......OX": 0}),
            Key(2),
            title="X in the corner 6, O above it on 3; the book plays square 0",
        ),
        Case(
            (left, {".......OX": 0}),
            Key(2),
            title="X in the corner 6, O beside it on 7; the book plays square 0",
        ),
    )
