"""The visible cases of sheet 03: numbers worked by hand, for the right answer and for every usual slip that shows there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rlcourse.checks.judging import Frequencies, Key, rate
from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case

DRAWS = 2000  # transitions that one sample asks for
SEEN_OTHERWISE = (
    "empty",
    "repeated",
    "distribution",
)  # mistakes of the memory that no list of probabilities shows


@dataclass(frozen=True)
class Draws:
    """The secret of a script with samples: (place in the script, how often transition k + 1 comes) for each of them.

    Between the last two samples nothing is added, so they differ if they are drawn.
    """

    samples: tuple[tuple[int, Frequencies], ...]


def _board(heights: Sequence[int]) -> np.ndarray:
    """[6, 7]: columns of these heights, of both players' stones in turn from below."""
    height, row = np.array(heights), np.arange(5, -1, -1)[:, None]
    return np.where(row < height, 1 + row % 2, 0).astype(np.int8)


def columns() -> tuple[Case, ...]:
    """best_columns, one board each; column 3 is full. m is the mirror image's answer, turned back."""
    # Six stones: the first player is to move. q = .1 .6 -.15 .9 -.3 .5 .3 and m = .5 -.3 .65 .9 .1 -.45 .1, means
    # .3 .15 .25 (.9) -.1 .025 .2: column 0. Smallest: 4. Full one: 3. q alone: 1. The larger of both: column 2 with .65.
    # q - m: column 5 with .95. Not turned back, means .1 .075 -.025 (.9) .175 .1 .4: column 6.
    q = np.array([[0.1, 0.6, -0.15, 0.9, -0.3, 0.5, 0.3]])
    mirrored = np.array([[0.1, -0.45, 0.1, 0.9, 0.65, -0.3, 0.5]])
    first = (q, mirrored, _board([0, 0, 0, 6, 0, 0, 0])[None])
    slips = {"player": 4, "mask": 3, "unturned": 6, "one_view": 1, "maximum": 2, "mirror_sign": 5}
    keys = [_ints(0, slips)]
    # Seven stones, one of them on column 0: the second player wants small values. q = -.6 .2 .1 -.9 .3 .4 .5 and
    # m = -.4 -.2 .2 -.7 .1 .2 .5, means -.5 0 .15 (-.8) .2 .3 .5: column 0. Largest: 6. Full one: 3. With bottom cells
    # for top cells column 0 counts as full: column 1. Elsewhere column 0 stays the smallest.
    q = np.array([[-0.6, 0.2, 0.1, -0.9, 0.3, 0.4, 0.5]])
    mirrored = np.array([[0.5, 0.2, 0.1, -0.7, 0.2, -0.2, -0.4]])
    second = (q, mirrored, _board([1, 0, 0, 6, 0, 0, 0])[None])
    keys.append(_ints(0, {"sign": 6, "player": 6, "mask": 3, "bottom": 1}))
    # Eight stones: the first player again, and nothing looks good. q = -.45 -.2 -.6 -.1 -.7 -.4 -.8 and
    # m = -.3 -.4 -.25 -.3 -.5 -.5 -.2, means -.375 -.3 -.425 (-.2) -.6 -.45 -.5: column 1. Smallest: 4. Full one, with its
    # value or with 0: 3. Columns 1 and 2 count as full: 0. Not turned back, means -.325 -.35 -.55 (-.2) -.475 -.4 -.55: 0.
    q = np.array([[-0.45, -0.2, -0.6, -0.1, -0.7, -0.4, -0.8]])
    mirrored = np.array([[-0.2, -0.5, -0.5, -0.3, -0.25, -0.4, -0.3]])
    four_each = _board([0, 1, 1, 6, 0, 0, 0])[None]
    four_each[0, 5, 2] = 2  # a stone of the second player, who has made as many moves
    third = (q, mirrored, four_each)
    keys.append(_ints(1, {"player": 4, "mask": 3, "zero": 3, "bottom": 0, "unturned": 0}))
    # The first two as one batch: 13 stones in all, an odd number, and then row 0 would take the smallest mean, column 4.
    both = tuple(np.concatenate(pair) for pair in zip(first, second, strict=True))
    names = ("sign", "player", "mask", "bottom", "unturned", "one_view", "maximum", "mirror_sign")
    slips = {
        name: np.concatenate([key.slips.get(name, key.right) for key in keys[:2]]) for name in names
    }
    keys.append(Key(np.array([0, 0]), {**slips, "one_parity": np.array([4, 0])}))
    titles = (
        "six stones on the board, column 3 is full",
        "seven stones",
        "eight stones, all open columns look bad",
        "the first two boards as one batch",
    )
    cases = zip((first, second, third, both), keys, titles, strict=True)
    return tuple(Case(args, key, title=title) for args, key, title in cases)


def targets() -> tuple[Case, ...]:
    """double_targets, gamma 0.5. Column 3 is full and column 1 holds one stone."""
    board = _board([0, 1, 0, 6, 0, 0, 0])
    # The online network chooses column 1 (0.6), the target network says 0.2: -0.5 * 0.2 = -0.1. Its own best, 0.8: -0.4.
    # The online network's 0.6: -0.3. Chosen by the target network (column 2), valued by the other one, 0.1: -0.05. The full
    # column, 1: -0.5. Column 1 counted as full: column 6, 0.3: -0.15. Least of the online network, column 4, -0.6: 0.3.
    online, target = (
        np.array([0.2, 0.6, 0.1, 0.9, -0.5, 0.0, 0.3]),
        np.array([0.4, 0.2, 0.8, 1.0, -0.6, 0.1, 0.3]),
    )
    first = {
        "sign": 0.1,
        "mask": -0.5,
        "bottom": -0.15,
        "gamma": -0.18,
        "single": -0.4,
        "online": -0.3,
        "swapped": -0.05,
        "opponent_minimises": 0.3,
    }
    # Row 0: the same after a winning move, so 1; with a future 1 - 0.1 = 0.9. Row 1: all open columns are bad for him.
    # He chooses column 1, valued -0.3: 0.15. A full column with 0 or 0.5 is chosen instead, valued 0.4: -0.2. Column 1 counted
    # as full: column 5, -0.6: 0.3. The target network's own best, -0.1: 0.05. The online one's -0.2: 0.1. Exchanged, column 0,
    # -0.4: 0.2. The least, column 4, -0.8: 0.4. gamma 0.9: 0.27.
    low = (
        np.array([-0.4, -0.2, -0.6, 0.5, -0.7, -0.3, -0.5]),
        np.array([-0.1, -0.3, -0.2, 0.4, -0.8, -0.6, -0.9]),
    )
    second = {
        "sign": -0.15,
        "mask": -0.2,
        "zero": -0.2,
        "bottom": 0.3,
        "gamma": 0.27,
        "single": 0.05,
        "online": 0.1,
        "swapped": 0.2,
        "opponent_minimises": 0.4,
    }
    slips = {slip: np.array([1.0, value]) for slip, value in second.items()} | {
        "bootstrap": np.array([0.9, 0.15])
    }
    both = np.array([1.0, 0.0]), np.array([True, False]), np.array([board, board])
    return (
        Case(
            (np.array([0.0]), np.array([False]), board[None], online[None], target[None], 0.5),
            Key(np.array([-0.1]), {slip: np.array([value]) for slip, value in first.items()}),
            title="the game goes on, gamma 0.5",
        ),
        Case(
            (*both, np.array([online, low[0]]), np.array([target, low[1]]), 0.5),
            Key(np.array([1.0, 0.15]), slips),
            title="row 0 is won; in row 1 all open columns are bad for the opponent",
        ),
        Case(
            (np.array([0.5]), np.array([False]), board[None], online[None], target[None], 0.5),
            Key(
                np.array([0.4]),
                {slip: np.array([0.5 + value]) for slip, value in first.items()}
                | {"way_reward": np.array([-0.1])},
            ),
            title="the first position again, with a reward of 0.5 on the way",
        ),
    )


def gradients() -> tuple[Case, ...]:
    """gradients of two small networks: one row with a silent neuron, and two rows with a large error."""
    # Sums: 2 * 0.5 - 1 + 0.5 = 0.5 and -2 + 0.5 = -1.5, so the hidden layer is (0.5, 0); outputs 0.5 and 2 * 0.5 + 0.5 = 1.5.
    # Action 0, target 1.3: error -0.8. Back to the first neuron: -0.8 * 1; the second one is silent (else -0.8 * 3 = -2.4).
    x, w1, b1 = np.array([[2.0, 1.0]]), np.array([[0.5, -1.0], [-1.0, 0.5]]), np.array([0.5, 0.0])
    w2, b2 = np.array([[1.0, 2.0], [3.0, -1.0]]), np.array([0.0, 0.5])
    right = _parts([[-1.6, 0], [-0.8, 0]], [-0.8, 0], [[-0.4, 0], [0, 0]], [-0.8, 0])
    first = Key(
        right,
        {
            "sign": tuple(-part for part in right),
            "twice": tuple(2 * part for part in right),
            "mean_all": tuple(part / 2 for part in right),
            "relu": _parts([[-1.6, -4.8], [-0.8, -2.4]], [-0.8, -2.4], right[2], right[3]),
            # Not cut off: hidden (0.5, -1.5), output 0.5 - 4.5 = -4, error beyond 1; back -1 and -3.
            "linear": _parts([[-2, -6], [-1, -3]], [-1, -3], [[-0.5, 0], [1.5, 0]], [-1, 0]),
            # Output 1 has the error 1.5 - 1.3 = 0.2; back to the first neuron -0.8 + 0.2 * 2 = -0.4, or 0.4 from it alone.
            "all_actions": _parts(
                [[-0.8, 0], [-0.4, 0]], [-0.4, 0], [[-0.4, 0.1], [0, 0]], [-0.8, 0.2]
            ),
            "greedy": _parts([[0.8, 0], [0.4, 0]], [0.4, 0], [[0, 0.1], [0, 0]], [0, 0.2]),
        },
    )
    # Hidden 1 and 2, outputs 2 and 4, errors 0.5 and 3, which counts as 1; over two rows 0.25 and 0.5. w2: 0.25 + 2 * 0.5;
    # back 0.5 and 1; w1: 0.5 + 2 * 1. With the 3 in full: 0.25 and 1.5; w2: 3.25; back 0.5 and 3; w1: 6.5.
    small = _parts([[2.5]], [1.5], [[1.25]], [0.75])
    second = Key(
        small,
        {
            "sign": tuple(-part for part in small),
            "twice": tuple(2 * part for part in small),
            "sum": tuple(2 * part for part in small),
            "squared": _parts([[6.5]], [3.5], [[3.25]], [1.75]),
        },
    )
    # The second target is 7, so the error is -3 and counts as -1: 0.25 and -0.5. w2: 0.25 - 2 * 0.5; back 0.5 and -1; w1: 0.5 - 2.
    # In full 0.25 and -1.5: w2 -2.75, back 0.5 and -3, w1 -5.5. With the slope 1 as in the case above.
    low = _parts([[-1.5]], [-0.5], [[-0.75]], [-0.25])
    third = Key(
        low,
        {
            "sign": tuple(-part for part in low),
            "twice": tuple(2 * part for part in low),
            "sum": tuple(2 * part for part in low),
            "squared": _parts([[-5.5]], [-2.5], [[-2.75]], [-1.25]),
            "slope": small,
        },
    )
    one, two = np.array([[1.0]]), np.array([[1.0], [2.0]])
    return (
        Case(
            (x, w1, b1, w2, b2, np.array([0]), np.array([1.3])),
            first,
            title="one row; the second neuron is cut off to 0",
        ),
        Case(
            (two, one, np.zeros(1), 2 * one, np.zeros(1), np.array([0, 0]), np.array([1.5, 1.0])),
            second,
            title="two rows, one neuron, one output; the errors are 0.5 and 3",
        ),
        Case(
            (two, one, np.zeros(1), 2 * one, np.zeros(1), np.array([0, 0]), np.array([1.5, 7.0])),
            third,
            title="the same, the errors are 0.5 and -3",
        ),
    )


def memory() -> tuple[Case, ...]:
    """Memory of capacity 3, with two transitions in it and after four."""
    # Priorities 1 and 3.
    first = {"": [1, 3], "newest": [0, 1], "greedy": [0, 1], "uniform": [1, 1]}
    # Priorities 4, 1, 3, 2: the first has left. The least, transition 2, has left instead; or the fourth one took place and
    # priority of the first.
    second = {
        "": [0, 1, 3, 2], "newest": [0, 0, 0, 1], "greedy": [0, 0, 1, 0], "uniform": [0, 1, 1, 1], "no_limit": [4, 1, 3, 2],
        "never_leaves": [4, 1, 3, 0], "newest_leaves": [4, 1, 0, 2], "least_leaves": [4, 0, 3, 2], "stale": [0, 1, 3, 4],
    }  # fmt: skip
    return (
        _memory_case(
            [1.0, 3.0],
            first,
            1,
            "two transitions in a memory of 3, priorities 1 and 3: 1/4 and 3/4 of the draws",
        ),
        _memory_case(
            [4.0, 1.0, 3.0, 2.0],
            second,
            2,
            "a fourth transition enters a memory of 3, priorities 4, 1, 3, 2",
        ),
    )


def learning() -> tuple[Case, ...]:
    """learn: one weight and four steps, and one step of two rows."""
    # The weight 8, x and x_next 1, no reward, gamma and rate 0.5, a copy every 2 steps. Steps 0 and 1 go towards 4: 6, 5.
    # Steps 2 and 3 towards 0.5 * 5 = 2.5: 3.75, 3.125. Moving target: times 0.75 each step. Never copied: 6, 5, 4.5, 4.25.
    # Late: towards 4: 6, towards 3: 4.5, 3.75, towards 1.875: 2.8125. gamma 0.9: towards 7.2: 7.6, 7.4, towards 6.66: 7.03,
    # 6.845.
    ones, still = np.ones((4, 1, 1)), np.zeros((4, 1))
    batches = {
        "x": ones,
        "action": still.astype(np.int64),
        "reward": still,
        "done": still > 0,
        "x_next": ones,
    }
    slips = {"aliased": 8 * 0.75**4, "never": 4.25, "late": 2.8125, "gamma": 6.845}
    first = Key(np.array([[3.125]]), {slip: np.array([[value]]) for slip, value in slips.items()})
    # Weights 2 and 4, rewards 1 and 1, the first episode is finished. Wanted 1 and 1 + 0.5 * 4 = 3, errors 1 and 1, a quarter
    # of each off. With a future 3 is wanted twice, errors -1 and 1. gamma 0.9: 4.6 is wanted, error -0.6. Added up: half off.
    start = np.array([[2.0, 4.0]])
    rows = {
        "x": np.ones((1, 2, 1)), "action": np.array([[0, 1]]), "reward": np.ones((1, 2)), "done": np.array([[True, False]]),
        "x_next": np.ones((1, 2, 1)),
    }  # fmt: skip
    slips = {"bootstrap": [[2.25, 3.75]], "gamma": [[1.75, 4.15]], "sum": [[1.5, 3.5]]}
    second = Key(np.array([[1.75, 3.75]]), {slip: np.array(value) for slip, value in slips.items()})
    # Both rows play action 0 and are finished: 1 is wanted twice, two errors of 1, half off in all. The last row alone: a
    # quarter. The second error after the first step, 0.75: 3/16 more. With a future 3 is wanted: half on. Added up: 1 off.
    twice = {**rows, "action": np.array([[0, 0]]), "done": np.array([[True, True]])}
    slips = {"one_go": 1.75, "row_by_row": 1.5625, "bootstrap": 2.5, "sum": 1.0}
    third = Key(
        np.array([[1.5, 4.0]]), {slip: np.array([[value, 4.0]]) for slip, value in slips.items()}
    )
    return (
        Case(
            (np.array([[8.0]]), batches, 2, 0.5, 0.5),
            first,
            title="one weight, four steps, a copy every 2",
        ),
        Case((start, rows, 2, 0.5, 0.5), second, title="one step of two rows"),
        Case((start, twice, 2, 0.5, 0.5), third, title="one step of two rows with the same action"),
    )


def _ints(right: int, slips: Mapping[str, int]) -> Key:
    return Key(np.array([right]), {slip: np.array([column]) for slip, column in slips.items()})


def _parts(*parts: Sequence) -> tuple[np.ndarray, ...]:
    return tuple(np.array(part, float) for part in parts)


def _memory_case(
    priorities: Sequence[float], weights: Mapping[str, Sequence[float]], seed: int, title: str
) -> Case:
    """Add these, then sample twice. weights: "" or a slip -> how often each transition comes, not yet divided by the sum."""
    chances = {slip: np.array(row) / sum(row) for slip, row in weights.items()}
    others = (
        "newest",
        "uniform",
        "greedy",
        "no_limit",
        "never_leaves",
        "newest_leaves",
        "least_leaves",
        "stale",
    )
    slips = {slip: chances.get(slip, chances[""]) for slip in others}
    script = [("add", (number, priority)) for number, priority in enumerate(priorities, start=1)]
    script += [("sample", (DRAWS, Rng(seed)))] * 2
    places = range(len(priorities), len(script))
    secret = Draws(tuple((place, Frequencies(chances[""], slips, rate(4))) for place in places))
    return Case((3,), secret, script=tuple(script), draws_at=0, title=title)
