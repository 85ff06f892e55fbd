"""The visible cases of sheet 02: numbers worked by hand, for the right answer and for every usual slip that shows there."""

import numpy as np

from rlcourse.checks.judging import Frequencies, Key, rate
from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case

CALLS = 2000  # of a random function in one case


def sweep() -> tuple[Case, ...]:
    """State 0 has a safe action (to state 1, reward 1) and a risky one (a fair coin: the end with reward 4, or back to 0 with
    reward 0). State 1 goes on to the end with reward 2 by both actions. State 2 is finished."""
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
    # gamma 0.5, V = [2, 6, 7]. State 0, safe: 1 + 0.5 * 6 = 4; risky: 0.5 * (0 + 0.5 * 2) + 0.5 * (4 + 0) = 2.5; best 4.
    # State 1: 2 + 0. With the finished state's 7: risky 2.5 + 0.5 * 3.5 = 4.25, state 1: 2 + 3.5 = 5.5.
    # gamma 0.9: safe 1 + 5.4 = 6.4. Mean 3.25, minimum 2.5. Reward discounted: safe 0.5 * (1 + 6) = 3.5, state 1: 1.
    # Rewards without their probabilities: risky 4 + 0.5 * 0.5 * 2 = 4.5.
    slips = {
        "bootstrap": np.array([4.25, 5.5, 0.0]),
        "finished": np.array([4.0, 2.0, 7.0]),
        "gamma": np.array([6.4, 2.0, 0.0]),
        "average": np.array([3.25, 2.0, 0.0]),
        "minimum": np.array([2.5, 2.0, 0.0]),
        "late_reward": np.array([3.5, 1.0, 0.0]),
        "plain_rewards": np.array([4.5, 2.0, 0.0]),
    }
    key = Key(np.array([4.0, 2.0, 0.0]), slips)
    return Case(
        (np.array([2.0, 6.0, 7.0]), *_process(), 0.5),
        key,
        title="a safe and a risky action, gamma 0.5",
    )


def _sweep_one() -> Case:
    # gamma 1, V = [4, 0, 0]. Safe 1 + 0 = 1; risky 0.5 * 4 + 0.5 * 4 = 4. gamma 0.9: risky 0.5 * 3.6 + 2 = 3.8. Mean 2.5.
    # Rewards without their probabilities: 4 + 0.5 * 4 = 6.
    slips = {
        "gamma": np.array([3.8, 2.0, 0.0]),
        "average": np.array([2.5, 2.0, 0.0]),
        "minimum": np.array([1.0, 2.0, 0.0]),
        "plain_rewards": np.array([6.0, 2.0, 0.0]),
    }
    key = Key(np.array([4.0, 2.0, 0.0]), slips)
    return Case((np.array([4.0, 0.0, 0.0]), *_process(), 1.0), key, title="the same, gamma 1")


def _sweep_back() -> Case:
    # gamma 1, V = [0, 3, 0], and both actions of state 1 lead back to state 0 with reward 0: its new value is the OLD value
    # of state 0, which is 0. In place it would be the new one, max(1 + 3, 2) = 4. gamma 0.9: 1 + 2.7 = 3.7. Mean 3, minimum 2.
    # Rewards without their probabilities: risky 4, no more than the safe 4.
    probabilities, rewards, terminal = _process()
    probabilities[1], rewards[1] = 0.0, 0.0
    probabilities[1, :, 0] = 1.0
    slips = {
        "in_place": np.array([4.0, 4.0, 0.0]),
        "gamma": np.array([3.7, 0.0, 0.0]),
        "average": np.array([3.0, 0.0, 0.0]),
        "minimum": np.array([2.0, 0.0, 0.0]),
    }
    args = (np.array([0.0, 3.0, 0.0]), probabilities, rewards, terminal, 1.0)
    return Case(
        args,
        Key(np.array([4.0, 0.0, 0.0]), slips),
        title="a state that leads back to an earlier one",
    )


def _sweep_biased() -> Case:
    # gamma 1, V = [0, 0, 0], the coin is biased: 0.8 back with reward 0, 0.2 to the end with reward 10. Risky 0.2 * 10 = 2,
    # safe 1. Only the likeliest (back): risky 0, so 1. Mean 1.5, minimum 1. Rewards without their probabilities: 10.
    probabilities, rewards, terminal = _process()
    probabilities[0, 1] = [0.8, 0.0, 0.2]
    rewards[0, 1, 2] = 10.0
    slips = {
        "likeliest": np.array([1.0, 2.0, 0.0]),
        "average": np.array([1.5, 2.0, 0.0]),
        "minimum": np.array([1.0, 2.0, 0.0]),
        "plain_rewards": np.array([10.0, 2.0, 0.0]),
    }
    key = Key(np.array([2.0, 2.0, 0.0]), slips)
    return Case(
        (np.zeros(3), probabilities, rewards, terminal, 1.0),
        key,
        title="a rare end with a high reward",
    )


def _sweep_loss() -> Case:
    # gamma 1, V = [0, 0, 0]; all rewards are losses: safe -1, risky 0.5 * 0 - 0.5 * 4 = -2, state 1 -2. Begun at 0 the best is 0.
    # Only the likeliest of two equal ones, the first (back): risky 0. Mean -1.5, minimum -2.
    probabilities, rewards, terminal = _process()
    slips = {
        "from_zero": np.zeros(3),
        "likeliest": np.array([0.0, -2.0, 0.0]),
        "average": np.array([-1.5, -2.0, 0.0]),
        "minimum": np.array([-2.0, -2.0, 0.0]),
    }
    key = Key(np.array([-1.0, -2.0, 0.0]), slips)
    return Case(
        (np.zeros(3), probabilities, -rewards, terminal, 1.0), key, title="every step is a loss"
    )


def nim() -> tuple[Case, ...]:
    """nim_update on a small table; gamma is 0.5 throughout, alpha 0.5 or 0.25."""
    q = np.zeros((7, 3))
    q[6] = [0.1, 0.2, 0.4]
    q[5] = [0.4, -0.6, 0.2]
    q[2] = [0.5, -0.5, 9.0]
    q[0] = [3.0, 3.0, 3.0]
    q[3] = [0.0, 0.0, -0.2]
    # Heap 6, take 1: five are left, the opponent's best is 0.4: 0.1 + 0.5 * (-0.5 * 0.4 - 0.1) = -0.05. With +0.2: 0.15.
    # His least, -0.6: 0.1 + 0.5 * (0.3 - 0.1) = 0.2. gamma 0.9: 0.1 + 0.5 * (-0.36 - 0.1) = -0.13. No alpha: -0.2.
    # Row 6 has the same maximum 0.4, so this case does not show a wrong row.
    first = Key(-0.05, {"sign": 0.15, "opponent_minimises": 0.2, "gamma": -0.13, "alpha": -0.2})
    # Heap 5, take 3: two are left, so only takes 1 and 2 count, 0.5: 0.2 + 0.5 * (-0.25 - 0.2) = -0.025; with the 9:
    # 0.2 + 0.5 * (-4.5 - 0.2) = -2.15. Row 5 itself has the maximum 0.4: 0.2 + 0.5 * (-0.2 - 0.2) = 0. With +0.25: 0.225,
    # and so for the least, -0.5. No alpha: -0.25. gamma 0.9: 0.2 + 0.5 * (-0.45 - 0.2) = -0.125.
    second = Key(
        -0.025,
        {
            "mask": -2.15,
            "ply": 0.0,
            "sign": 0.225,
            "opponent_minimises": 0.225,
            "alpha": -0.25,
            "gamma": -0.125,
        },
    )
    # Heap 3, take 3: the last stone, reward -1, alpha 0.25: -0.2 + 0.25 * (-1 + 0.2) = -0.4. Reward +1: 0.1. No alpha: -1.
    # alpha 0.75: -0.8. Bootstrapping from row 0, -1 - 0.5 * 3 = -2.5: -0.2 + 0.25 * (-2.5 + 0.2) = -0.775.
    third = Key(
        -0.4, {"reward_sign": 0.1, "bootstrap": -0.775, "alpha": -1.0, "steps_swapped": -0.8}
    )
    # Heap 5, take 1: four are left, and all that the opponent can do is bad for him; his best is -0.4, worth 0.2 to you:
    # 0.4 + 0.5 * (0.2 - 0.4) = 0.3. Begun at 0: 0.2. Turned: 0.4 + 0.5 * (-0.2 - 0.4) = 0.1, and so for row 5 with its 0.4. His
    # worst, -0.8: 0.4. No alpha: 0.2. gamma 0.9: 0.4 + 0.5 * (0.36 - 0.4) = 0.38.
    q[4] = [-0.4, -0.6, -0.8]
    fourth = Key(
        0.3,
        {
            "from_zero": 0.2,
            "sign": 0.1,
            "ply": 0.1,
            "opponent_minimises": 0.4,
            "alpha": 0.2,
            "gamma": 0.38,
        },
    )
    return (
        Case((q, 6, 1, 0.5, 0.5), first, title="heap 6, take 1"),
        Case((q, 5, 3, 0.5, 0.5), second, title="heap 5, take 3, so two stones are left"),
        Case((q, 3, 3, 0.25, 0.5), third, title="heap 3, take 3: the last stone; alpha 0.25"),
        Case(
            (q, 5, 1, 0.5, 0.5), fourth, title="heap 5, take 1: the opponent loses whatever he does"
        ),
    )


def choose() -> tuple[Case, ...]:
    """How often each of four squares comes; square 1 is illegal, was never tried and has the highest value. epsilon 0.4."""
    legal, illegal_best = np.array([True, False, True, True]), 0.9
    # First player: squares 0 and 2 are equally good (0.5), 3 was tried least. Squares 0 and 2 get (1 - 0.4) / 2 = 0.3 each,
    # square 3 gets 0.4.
    q, visits = np.array([0.5, illegal_best, 0.5, -0.2]), np.array([5, 0, 7, 1])
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
            "all_ties": np.array([0.6, 0.0, 0.0, 0.4]),
        },
        rate(3),
    )
    # Second player: square 3 (-0.2) is his best and the least tried as well, so he always plays it.
    second = Frequencies(
        np.array([0.0, 0.0, 0.0, 1.0]),
        {
            "sign": np.array([0.3, 0.0, 0.3, 0.4]),
            "illegal": np.array([0.0, 0.4, 0.0, 0.6]),
            "uniform": np.array([0.4 / 3, 0.0, 0.4 / 3, 0.6 + 0.4 / 3]),
        },
        rate(3),
    )
    # All legal values are negative; square 2 is best for the first player, 0 and 3 were tried equally little: 0.2 each.
    third = Frequencies(
        np.array([0.2, 0.0, 0.6, 0.2]),
        {
            "zero": np.array([0.2, 0.6, 0.0, 0.2]),
            "mask": np.array([0.2, 0.6, 0.0, 0.2]),
            "illegal": np.array([0.0, 0.4, 0.6, 0.0]),
            "uniform": np.array([0.4 / 3, 0.0, 0.6 + 0.4 / 3, 0.4 / 3]),
            "inverted": np.array([0.3, 0.0, 0.4, 0.3]),
            "epsilon": np.array([0.05, 0.0, 0.9, 0.05]),
            "never": np.array([0.0, 0.0, 1.0, 0.0]),
            "least_ties": np.array([0.4, 0.0, 0.6, 0.0]),
            "all_ties": np.array([0.4, 0.0, 0.6, 0.0]),
        },
        rate(3),
    )
    low = np.array([-0.5, illegal_best, -0.1, -0.7])
    return (
        Case(
            (q, visits, legal, 0, 0.4, Rng(1)),
            first,
            calls=CALLS,
            title="first player, square 1 is illegal, epsilon 0.4",
        ),
        Case(
            (q, visits, legal, 1, 0.4, Rng(2)),
            second,
            calls=CALLS,
            title="second player in the same position",
        ),
        Case(
            (low, np.array([1, 0, 7, 1]), legal, 0, 0.4, Rng(3)),
            third,
            calls=CALLS,
            title="all legal values are negative",
        ),
    )


def estimates() -> tuple[Case, ...]:
    """two_estimates: Example 6.4 of Sutton & Barto (2018) in small, and a state that comes back."""
    # A (0) then B (1) then the end, rewards 0; and three times B, with 1, 1 and 0. Returns of B: 0, 1, 1, 0, mean 0.5. Return
    # of A: 0. TD: A always leads to B with reward 0, so V(A) = gamma * V(B). gamma 0.9: 0.45. Rewards one late: all returns 0.
    # Running on: B leads to B in three of four visits: V = 0.5 + 0.75 * 0.5 * V, so V(B) = 0.8 and V(A) = 0.4.
    # One pass with step 0.1: V(A) = 0; V(B) = 0, 0.1, 0.19, 0.171.
    episodes = [[(0, 0.0), (1, 0.0)], [(1, 1.0)], [(1, 1.0)], [(1, 0.0)]]
    mc, td = np.array([0.0, 0.5]), np.array([0.25, 0.5])
    first = Key(
        (mc, td),
        {
            "td_is_mc": (mc, mc),
            "mc_is_td": (td, td),
            "swapped": (td, mc),
            "gamma": (mc, np.array([0.45, 0.5])),
            "late": (np.zeros(2), np.zeros(2)),
            "runs_on": (mc, np.array([0.4, 0.8])),
            "one_pass": (mc, np.array([0.0, 0.171])),
        },
    )
    # gamma 0.5: state 0 with reward 1, state 0 again with reward 2, the end; and state 0 with reward 5, the end.
    # Returns: 1 + 0.5 * 2 = 2, 2 and 5, mean 3. TD: mean reward 8 / 3, back in one of three visits: V = 8 / 3 + V / 6, 3.2.
    # First visits: (2 + 5) / 2. gamma 0.9: returns 2.8, 2, 5; V = 8 / 3 + 0.3 V. Late: rewards 2, 0, 0; V = 2 / 3 + V / 6.
    # From the start: returns 1 + 1, 0.5 * 2, 5. Running on: back in two of three visits: V = 8 / 3 + V / 3.
    # One pass: 0.1 * 1 = 0.1 (the next value is still 0); 0.1 + 0.1 * 1.9 = 0.29; 0.29 + 0.1 * 4.71 = 0.761.
    again = [[(0, 1.0), (0, 2.0)], [(0, 5.0)]]
    three, td = np.array([3.0]), np.array([3.2])
    second = Key(
        (three, td),
        {
            "td_is_mc": (three, three),
            "mc_is_td": (td, td),
            "swapped": (td, three),
            "gamma": (np.array([9.8 / 3]), np.array([8 / 3 / 0.7])),
            "late": (np.array([2 / 3]), np.array([0.8])),
            "wrong_end": (np.array([8 / 3]), td),
            "first_visit": (np.array([3.5]), td),
            "runs_on": (three, np.array([4.0])),
            "one_pass": (three, np.array([0.761])),
        },
    )
    return (
        Case((episodes, 2, 0.5), first, title="Example 6.4 of Sutton & Barto in small, gamma 0.5"),
        Case(
            (again, 1, 0.5), second, title="a state that is visited twice in an episode, gamma 0.5"
        ),
    )


def book() -> tuple[Case, ...]:
    """play_from_book. The book knows one board of 3 x 3: O at square 7, X at square 8, text ".......OX"; it plays square 1.

    An X in a corner and an O beside it can lie in eight ways; the smallest text puts X last and O right before it.
    """
    # 1. X at 0, O at 1: the half turn, k -> 8 - k, leads to the book. Its square 1 is square 7 here.
    half = np.array([[1, 2, 0], [0, 0, 0], [0, 0, 0]], np.int8)
    # 2. X at 2, O at 5: a quarter turn clockwise, (r, c) -> (c, 2 - r), leads to the book: (0, 2) -> (2, 2), (1, 2) -> (2, 1).
    #    The book's square (0, 1) is where (1, 0) went, so the move is 3. Turned on once more it would be (1, 2), square 5.
    #    3 with row and column exchanged is 1.
    quarter = np.array([[0, 0, 1], [0, 0, 2], [0, 0, 0]], np.int8)
    # 3. X at 0, O at 3: mirrored at the other diagonal, (r, c) -> (2 - c, 2 - r), which leads back as well: (0, 1) is (1, 2), 5;
    #    with row and column exchanged 7. No rotation gives the book's text (the smallest of the four is ".....O..X"), nor do
    #    the mirrors left-right and up-down.
    mirror = np.array([[1, 0, 0], [2, 0, 0], [0, 0, 0]], np.int8)
    keys = (
        Key(7, {"unmapped": 1, "transposed": 5, "largest": None}),
        Key(3, {"direction": 5, "mirrors": None, "largest": None, "unmapped": 1, "transposed": 1}),
        Key(
            5, {"rotations": None, "mirrors": None, "largest": None, "unmapped": 1, "transposed": 7}
        ),
    )
    known = {".......OX": 1}
    return (
        Case((half, known), keys[0], title="X in the corner 0, O beside it on 1"),
        Case((quarter, known), keys[1], title="X in the corner 2, O below it on 5"),
        Case((mirror, known), keys[2], title="X in the corner 0, O below it on 3"),
        Case((mirror, {"........X": 0}), Key(None), title="a board that is not in the book"),
        # 4. The book's own board, on which it plays square 0. The largest text, "XO.......", is not in the book.
        Case(
            (half[::-1, ::-1].copy(), {".......OX": 0}),
            Key(0, {"zero": None, "largest": None}),
            title="the book plays square 0",
        ),
    )
