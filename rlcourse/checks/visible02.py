"""The visible cases of sheet 02: numbers worked by hand, for the right answer and for the usual slips."""

import numpy as np

from rlcourse.checks.judging import Frequencies, Key, rate
from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case

CALLS = 2000  # of a random function in one case


def sweep() -> tuple[Case, ...]:
    # State 0 has a safe action (to state 1, reward 1) and a risky one (a fair coin: the end with reward 4, or back with 0).
    # State 1 goes on to the end with reward 2 by both actions. State 2 is finished; the 7 in V[2] must not be used.
    probabilities = np.zeros((3, 2, 3))
    rewards = np.zeros((3, 2, 3))
    probabilities[0, 0, 1], rewards[0, 0, 1] = 1.0, 1.0
    probabilities[0, 1] = [0.5, 0.0, 0.5]
    rewards[0, 1, 2] = 4.0
    probabilities[1, :, 2], rewards[1, :, 2] = 1.0, 2.0
    probabilities[2, :, 2] = 1.0
    terminal = np.array([False, False, True])
    # gamma 0.5, V = [2, 6, 7]. State 0, safe: 1 + 0.5 * 6 = 4; risky: 0.5 * (0 + 0.5 * 2) + 0.5 * (4 + 0) = 2.5; best 4.
    # State 1: 2 + 0. With the finished state's 7: risky 2.5 + 1.75 = 4.25, state 1: 5.5, state 2: 3.5 or 0.
    # Gamma 0.9: safe 1 + 5.4 = 6.4. Mean: 3.25. Minimum: 2.5. Reward discounted: safe 0.5 * 7 = 3.5, state 1: 1.
    first = Key(
        np.array([4.0, 2.0, 0.0]),
        {
            "bootstrap": np.array([4.25, 5.5, 0.0]),
            "gamma": np.array([6.4, 2.0, 0.0]),
            "average": np.array([3.25, 2.0, 0.0]),
            "minimum": np.array([2.5, 2.0, 0.0]),
            "late_reward": np.array([3.5, 1.0, 0.0]),
        },
    )
    # gamma 1, V = [4, 0, 0]. Safe 1 + 0 = 1; risky 0.5 * 4 + 0.5 * 4 = 4. State 1: 2. Only the likeliest (the first of the
    # two equal ones, back to 0): risky 4 as well. Rewards without probabilities: risky 4 + 0.5 * 4 = 6.
    second = Key(np.array([4.0, 2.0, 0.0]), {"plain_rewards": np.array([6.0, 2.0, 0.0]), "minimum": np.array([1.0, 2.0, 0.0])})
    # gamma 1, V = [0, 3, 0] with states visited in order: both actions of state 1 now lead back to state 0 with reward 0,
    # so its new value is the OLD value of state 0, which is 0; in place it would be the new one, max(1 + 3, 2) = 4.
    back, nothing = probabilities.copy(), rewards.copy()
    back[1], nothing[1] = 0.0, 0.0
    back[1, :, 0] = 1.0
    third = Key(np.array([4.0, 0.0, 0.0]), {"in_place": np.array([4.0, 4.0, 0.0])})
    return (
        Case((np.array([2.0, 6.0, 7.0]), probabilities, rewards, terminal, 0.5), first, title="a safe and a risky action, gamma 0.5"),
        Case((np.array([4.0, 0.0, 0.0]), probabilities, rewards, terminal, 1.0), second, title="the same, gamma 1"),
        Case((np.array([0.0, 3.0, 0.0]), back, nothing, terminal, 1.0), third, title="a state that leads back to an earlier one"),
    )


def nim() -> tuple[Case, ...]:
    q = np.zeros((7, 3))
    q[6] = [0.1, 0.2, 0.4]
    q[5] = [0.4, -0.6, 0.2]
    q[2] = [0.5, -0.5, 9.0]
    q[0] = [3.0, 3.0, 3.0]
    q[3] = [0.0, 0.0, -0.2]
    # Heap 6, take 1: five are left, the opponent's best is 0.4. alpha 0.5, gamma 0.5: 0.1 + 0.5 * (-0.5 * 0.4 - 0.1) = -0.05.
    # +0.2: 0.15. His least, -0.6: 0.1 + 0.5 * (0.3 - 0.1) = 0.2. gamma 0.9: 0.1 + 0.5 * (-0.36 - 0.1) = -0.13. No alpha: -0.2.
    # Row 6 has the same maximum 0.4, so this case does not show a wrong row.
    first = Key(-0.05, {"sign": 0.15, "opponent_minimises": 0.2, "gamma": -0.13, "alpha": -0.2})
    # Heap 5, take 3: two are left, so only takes 1 and 2 count: 0.5. 0.2 + 0.5 * (-0.25 - 0.2) = -0.025; with the 9: -2.15.
    # Row 5 itself: its maximum is 0.4, 0.2 + 0.5 * (-0.2 - 0.2) = 0.
    second = Key(-0.025, {"mask": -2.15, "ply": 0.0})
    # Heap 3, take 3: the last stone, reward -1: -0.2 + 0.5 * (-1 + 0.2) = -0.6. Reward +1: 0.4. Bootstrapping from row 0,
    # -1 - 0.5 * 3 = -2.5: -0.2 + 0.5 * (-2.5 + 0.2) = -1.35.
    third = Key(-0.6, {"reward_sign": 0.4, "bootstrap": -1.35, "alpha": -1.0})
    return (
        Case((q, 6, 1, 0.5, 0.5), first, title="heap 6, take 1"),
        Case((q, 5, 3, 0.5, 0.5), second, title="heap 5, take 3, so two stones are left"),
        Case((q, 3, 3, 0.5, 0.5), third, title="heap 3, take 3: the last stone"),
    )


def choose() -> tuple[Case, ...]:
    # Squares 0 and 2 are legal and equally good for the first player (0.5), 1 is illegal and better, 3 was tried least.
    # epsilon 0.4: squares 0 and 2 get (1 - 0.4) / 2 = 0.3 each, square 3 gets 0.4. Second player: square 3 (-0.2) is his
    # best and the least tried as well, so he always plays it.
    q, visits = np.array([0.5, 0.9, 0.5, -0.2]), np.array([5, 0, 7, 1])
    legal = np.array([True, False, True, True])
    first = Frequencies(
        np.array([0.3, 0.0, 0.3, 0.4]),
        {
            "mask": np.array([0.0, 0.6, 0.0, 0.4]),
            "illegal": np.array([0.3, 0.4, 0.3, 0.0]),
            "uniform": np.array([0.3 + 0.4 / 3, 0.0, 0.3 + 0.4 / 3, 0.4 / 3]),
            "inverted": np.array([0.2, 0.0, 0.2, 0.6]),
            "epsilon": np.array([0.45, 0.0, 0.45, 0.1]),
            "never": np.array([0.5, 0.0, 0.5, 0.0]),
            "ties": np.array([0.6, 0.0, 0.0, 0.4]),
        },
        rate(3),
    )
    second = Frequencies(np.array([0.0, 0.0, 0.0, 1.0]), {"sign": np.array([0.3, 0.0, 0.3, 0.4])}, rate(3))
    # All legal values are negative; squares 0 and 3 were tried equally little. Greedy: square 2 with 0.6; 0 and 3: 0.2 each.
    third = Frequencies(
        np.array([0.2, 0.0, 0.6, 0.2]),
        {"zero": np.array([0.2, 0.6, 0.0, 0.2]), "least_ties": np.array([0.4, 0.0, 0.6, 0.0])},
        rate(3),
    )
    low = np.array([-0.5, 0.9, -0.1, -0.7])
    return (
        Case((q, visits, legal, 0, 0.4, Rng(1)), first, calls=CALLS, title="first player, square 1 is illegal, epsilon 0.4"),
        Case((q, visits, legal, 1, 0.4, Rng(2)), second, calls=CALLS, title="second player in the same position"),
        Case((low, np.array([1, 0, 7, 1]), legal, 0, 0.4, Rng(3)), third, calls=CALLS, title="all legal values are negative"),
    )


def estimates() -> tuple[Case, ...]:
    # Sutton & Barto's Example 6.4 with 4 episodes: A then B then the end with 0, and three times B, with 1, 1 and 0.
    # Returns of B: 0, 1, 1, 0, mean 0.5. Return of A: 0. TD: A always leads to B with reward 0, so V(A) = gamma * V(B).
    episodes = [[(0, 0.0), (1, 0.0)], [(1, 1.0)], [(1, 1.0)], [(1, 0.0)]]
    mc = np.array([0.0, 0.5])
    first = Key(
        (mc, np.array([0.25, 0.5])),
        {"td_is_mc": (mc, mc), "gamma": (mc, np.array([0.45, 0.5])), "swapped": (np.array([0.25, 0.5]), mc)},
    )
    # One episode, gamma 0.5: state 0 with reward 1, state 0 again with reward 2, end. Returns: 1 + 0.5 * 2 = 2 and 2, mean 2.
    # TD: mean reward 1.5, half of the time back to 0: V = 1.5 + 0.5 * 0.5 * V, so V = 2. Second episode: state 0, reward 5.
    # Every visit: (2 + 2 + 5) / 3 = 3; first visits: (2 + 5) / 2 = 3.5. TD: mean reward 8 / 3, back in 1 of 3 visits:
    # V = 8 / 3 + V / 6, so V = 3.2. Rewards one late: returns 2, 0 and 0.
    again = [[(0, 1.0), (0, 2.0)], [(0, 5.0)]]
    second = Key((np.array([3.0]), np.array([3.2])), {"first_visit": (np.array([3.5]), np.array([3.2]))})
    return (
        Case((episodes, 2, 0.5), first, title="Example 6.4 of Sutton & Barto in small, gamma 0.5"),
        Case((again, 1, 0.5), second, title="a state that is visited twice in an episode"),
    )


def book() -> tuple[Case, ...]:
    """play_from_book. The book knows one board of 3 x 3: O at square 7, X at square 8, text ".......OX"."""
    # An X in a corner and an O beside it can lie in eight ways. The smallest text puts X last and O before it.
    # 1. X at 0, O at 1: the half turn, k -> 8 - k, leads to the book. It plays square 1 there, which is square 7 here.
    half = np.array([[1, 2, 0], [0, 0, 0], [0, 0, 0]], np.int8)
    # 2. X at 2, O at 5: a quarter turn clockwise, (r, c) -> (c, 2 - r), leads to the book: (0, 2) -> (2, 2), (1, 2) -> (2, 1).
    #    The book's square (0, 1) is where (1, 0) went, so the move is 3. Turned on once more it would be (1, 2), square 5.
    quarter = np.array([[0, 0, 1], [0, 0, 2], [0, 0, 0]], np.int8)
    # 3. X at 0, O at 3: mirrored at the other diagonal, (r, c) -> (2 - c, 2 - r), which leads back as well: (0, 1) is (1, 2), 5.
    #    No rotation gives the book's text (the smallest of the four is ".....O..X"), nor do the mirrors left-right and up-down.
    mirror = np.array([[1, 0, 0], [2, 0, 0], [0, 0, 0]], np.int8)
    known = {".......OX": 1}
    return (
        Case((half, known), Key(7, {"unmapped": 1, "transposed": 5, "largest": None}), title="X in the corner 0, O beside it on 1"),
        Case((quarter, known), Key(3, {"direction": 5, "mirrors": None, "largest": None}), title="X in the corner 2, O below it on 5"),
        Case((mirror, known), Key(5, {"rotations": None, "mirrors": None, "largest": None, "unmapped": 1}), title="X in the corner 0, O below it on 3"),
        Case((mirror, {"........X": 0}), Key(None), title="a board that is not in the book"),
    )
