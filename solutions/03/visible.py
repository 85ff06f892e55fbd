"""The visible cases of sheet 03, worked by hand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcourse.checks.difference import Compared
from rlcourse.checks.judging import Frequencies, Key, alarm_share, frequencies_compared
from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case

DRAWS = 2000  # transitions that one sample asks for


@dataclass(frozen=True)
class Draws:
    """The secret of a script with samples: (place in the script, how often transition k +
    1 comes) for each of them.

    Between the last two samples nothing is added, so they differ if they are drawn.
    """

    samples: tuple[tuple[int, Frequencies], ...]

    def answers(self) -> dict[str, Any]:
        """ "" and each listed mistake -> the probabilities of every sample."""
        each = [frequencies.answers() for _, frequencies in self.samples]
        return {name: [answers[name] for answers in each] for name in each[0]}

    def with_slips(self, slips: Mapping[str, Any]) -> "Draws":
        """The same with these probabilities of every sample for each mistake."""
        return Draws(
            tuple(
                (place, frequencies.with_slips({name: rows[k] for name, rows in slips.items()}))
                for k, (place, frequencies) in enumerate(self.samples)
            )
        )

    def compared(self, answer: Any) -> Compared:
        """How often each transition should come, and came, in the sample that is furthest off."""
        drawn = [list(map(str, answer[place])) for place, _ in self.samples]
        added = [str(k + 1) for k in range(len(self.samples[0][1].right))]
        came = sorted({one for sample in drawn for one in sample} - {*added})
        right = np.append(self.samples[0][1].right, np.zeros(len(came)))
        names = [*added, *came]
        shares = [np.array([sample.count(name) for name in names]) / DRAWS for sample in drawn]
        furthest = max(shares, key=lambda share: abs(share - right).max())
        same = "The last two samples are the same." * (drawn[-1] == drawn[-2])
        table = frequencies_compared(furthest, right, names.__getitem__)
        return table._replace(first=table.first or same)


def played(columns: Iterable[str | int]) -> np.ndarray:
    """[6, 7]: after these columns were played in turn."""
    board = np.zeros((6, 7), np.int8)
    for ply, column in enumerate(map(int, columns)):
        board[5 - np.count_nonzero(board[:, column]), column] = 1 + ply % 2
    return board


def columns() -> tuple[Case, ...]:
    """best_columns: one board with a full column 3 three times, then batches.

    m is the mirror image's answer, turned back.
    """
    # Six stones: the first player is to move. q = .1 .6 -.15 .9 -.3 .5 .3 and m = .5 -.3 .65 .9 .1
    # -.45 .1, means .3 .15 .25 (.9) -.1 .025 .2: column 0.
    q = np.array([[0.1, 0.6, -0.15, 0.9, -0.3, 0.5, 0.3]])
    mirrored = np.array([[0.1, -0.45, 0.1, 0.9, 0.65, -0.3, 0.5]])
    first = (q, mirrored, played("333333")[None])
    # Seven stones, one of them on column 0: the second player wants small values. q = -.6 .2 .1 -.9
    # .3 .4 .5 and m = -.4 -.2 .2 -.7 .1 .2 .5, means -.5 0 .15 (-.8) .2 .3 .5: column 0.
    q = np.array([[-0.6, 0.2, 0.1, -0.9, 0.3, 0.4, 0.5]])
    mirrored = np.array([[0.5, 0.2, 0.1, -0.7, 0.2, -0.2, -0.4]])
    second = (q, mirrored, played("3333330")[None])
    # Eight stones: the first player again, and nothing looks good. q = -.45 -.2 -.6 -.1 -.7 -.4 -.8
    # and m = -.3 -.4 -.25 -.3 -.5 -.5 -.2, means -.375 -.3 -.425 (-.2) -.6 -.45 -.5: column 1.
    q = np.array([[-0.45, -0.2, -0.6, -0.1, -0.7, -0.4, -0.8]])
    mirrored = np.array([[-0.2, -0.5, -0.5, -0.3, -0.25, -0.4, -0.3]])
    third = (q, mirrored, played("33333312")[None])
    # 1, 17, 12 and 20 stones, so the second player moves on the first two boards. Full are: none, 6,
    # 3, and 0, 5, 6. The means, those of full columns in brackets:
    #   .35 -.4  .3   .15  .45 -.7 -.55: column 5;    -.05 .15 -.15 -.3  .25  .3 (.6): column 3
    #   .8  -.5 -.45 (.5)  .15  0   .7:  column 0;    (.15) .7 -.1  .05 -.25 (-.4) (.45): column 1
    q_4 = [
        [0.3, -0.3, -0.2, 0.7, 0.1, -0.6, -0.7],
        [0.1, 0.6, 0.5, -0.9, 0.8, 0.4, 0.7],
        [0.9, -0.7, -0.9, 0.6, 0.9, 0.3, 0.7],
        [-0.1, 0.8, -0.9, -0.8, -0.6, -0.4, 0.5],
    ]
    mirrored_4 = [
        [-0.4, -0.8, 0.8, -0.4, 0.8, -0.5, 0.4],
        [0.5, 0.2, -0.3, 0.3, -0.8, -0.3, -0.2],
        [0.7, -0.3, -0.6, 0.4, 0.0, -0.3, 0.7],
        [0.4, -0.4, 0.1, 0.9, 0.7, 0.6, 0.4],
    ]
    games_4 = "4", "01234566123456666", "133333300000", "20000005555556666661"
    four = (*_parts(q_4, mirrored_4), np.array([played(game) for game in games_4]))
    # 15 and 12 stones: the second player moves on the first board. Full are 0 and 2, and 5. Means:
    #   (-.9) .6 (-.05) .05 .4 .15 0: column 6;    .45 .2 .65 .4 .6 (0) -.25: column 2
    q_2 = [[-0.9, 0.4, -0.8, -0.7, 0.3, -0.3, 0.3], [0.8, -0.3, 0.9, 0.2, 0.9, 0.5, -0.9]]
    mirrored_2 = [[-0.3, 0.6, 0.5, 0.8, 0.7, 0.8, -0.9], [0.4, -0.5, 0.3, 0.6, 0.4, 0.7, 0.1]]
    games_2 = "000000122222234", "555555111112"
    two = (*_parts(q_2, mirrored_2), np.array([played(game) for game in games_2]))
    return (
        Case(first, Key(np.array([0])), title="six stones on the board, column 3 is full"),
        Case(second, Key(np.array([0])), title="seven stones"),
        Case(third, Key(np.array([1])), title="eight stones, all open columns look bad"),
        Case(four, Key(np.array([5, 3, 0, 1])), title="four boards of 1, 17, 12 and 20 stones"),
        Case(two, Key(np.array([6, 2])), title="two boards of 15 and 12 stones"),
    )


def targets() -> tuple[Case, ...]:
    """double_targets: column 3 is full and column 1 holds one stone; then four other boards."""
    board = played("3333331")
    # The online network chooses column 1 (0.6), the target network says 0.2: -0.5 * 0.2 = -0.1.
    online, target = (
        np.array([0.2, 0.6, 0.1, 0.9, -0.5, 0.0, 0.3]),
        np.array([0.4, 0.2, 0.8, 1.0, -0.6, 0.1, 0.3]),
    )
    # Row 0: the same after a winning move, so 1. Row 1: all open columns are bad for the opponent,
    # who chooses column 1, valued
    # -0.3: 0.15.
    low = (
        np.array([-0.4, -0.2, -0.6, 0.5, -0.7, -0.3, -0.5]),
        np.array([-0.1, -0.3, -0.2, 0.4, -0.8, -0.6, -0.9]),
    )
    goes_on = np.array([False]), board[None], online[None], target[None], 0.5
    both = np.array([1.0, 0.0]), np.array([True, False]), np.array([board, board])
    return (
        Case(
            (np.array([0.0]), *goes_on),
            Key(np.array([-0.1])),
            title="the game goes on, gamma 0.5",
        ),
        Case(
            (*both, np.array([online, low[0]]), np.array([target, low[1]]), 0.5),
            Key(np.array([1.0, 0.15])),
            title="row 0 is won; in row 1 all open columns are bad for the opponent",
        ),
        Case(
            (np.array([0.5]), *goes_on),
            Key(np.array([0.4])),
            title="the first position again, with a reward of 0.5 on the way",
        ),
        _four_boards(),
    )


def _four_boards() -> Case:
    """double_targets: a full board, two with full columns, and the first stone of a game."""
    # A draw; then column 3 is full, then columns 0, 5 and 6; then the first stone of a game. The
    # replies are 0, 1 and 6, so the targets are 0, -0.8 * -0.5, 0.5 - 0.8 * 0.3, -0.25 - 0.8 * 0.6.
    games = (
        "646230021662464536151305212023541143543500",
        "133333300000",
        "20000005555556666661",
        "4",
    )
    arguments = (
        np.array([0, 0, 0.5, -0.25]),
        np.array([True, False, False, False]),
        np.array([played(game) for game in games]),
        *_parts(
            [
                [0.8, 0.5, -0.2, 0.9, 0.0, -0.5, 0.2],
                [0.7, -0.3, 0.0, 0.9, 0.1, -0.9, -0.6],
                [-0.4, 0.8, -0.9, -0.8, 0.6, -0.8, -0.2],
                [-0.5, -0.3, 0.2, -0.9, 0.3, 0.0, 0.5],
            ],
            [
                [0.9, -0.8, 0.3, -0.5, 0.6, -0.4, -0.8],
                [-0.5, -0.5, -0.1, 0.5, 0.8, -0.1, 0.6],
                [0.0, 0.3, 0.1, 0.0, 0.0, 0.6, -0.6],
                [0.1, -0.7, -0.7, 0.4, -0.7, 0.9, 0.6],
            ],
        ),
        0.8,
    )
    return Case(
        arguments,
        Key(np.array([0.0, 0.4, 0.26, -0.73])),
        title="four boards, gamma 0.8; the first one is full, a draw",
    )


def gradients() -> tuple[Case, ...]:
    """gradients of two small networks: one row with a silent neuron, and
    two rows with a large error.
    """
    # Sums: 2 * 0.5 - 1 + 0.5 = 0.5 and -2 + 0.5 = -1.5, so the hidden layer is (0.5, 0); outputs
    # 0.5 and 2 * 0.5 + 0.5 = 1.5. Action 0, target 1.3: error -0.8. Back to the first neuron: -0.8
    # * 1; the second one is silent.
    x, w1, b1 = np.array([[2.0, 1.0]]), np.array([[0.5, -1.0], [-1.0, 0.5]]), np.array([0.5, 0.0])
    w2, b2 = np.array([[1.0, 2.0], [3.0, -1.0]]), np.array([0.0, 0.5])
    first = _parts([[-1.6, 0], [-0.8, 0]], [-0.8, 0], [[-0.4, 0], [0, 0]], [-0.8, 0])
    # Hidden 1 and 2, outputs 2 and 4, errors 0.5 and 3, which counts as 1; over two rows 0.25 and
    # 0.5. w2: 0.25 + 2 * 0.5; back 0.5 and 1; w1: 0.5 + 2 * 1.
    second = _parts([[2.5]], [1.5], [[1.25]], [0.75])
    # The second target is 7, so the error is -3 and counts as -1: 0.25 and -0.5. w2: 0.25 - 2 *
    # 0.5; back 0.5 and -1; w1: 0.5 - 2.
    third = _parts([[-1.5]], [-0.5], [[-0.75]], [-0.25])
    # Sums (2, -0.5), (0.5, 2), (1.5, -2). The actions 3, 1 and 2 have the outputs 3, 1 and 1.75, so
    # the errors are 1.5, -0.6 and 2, which count as 1, -0.6 and 1, over three rows a third each.
    # The first neuron hears 2, 0.6 and 0.5, the second -0.6 from the second row; a third of these.
    wide = [[1, 1, 0], [0, 2, 1], [2, 0, 1]], [[1, -1], [0.5, 1], [-1, 0.5]], [0.5, -0.5]
    out = [[1, -1, 0.5, 2], [0.5, 1, -1, 1.5]], [0.5, -0.5, 1, -1]
    w1_3, w2_3 = [[3, 0], [3.2, -1.2], [1.1, -0.6]], [[0, -0.3, 1.5, 2], [0, -1.2, 0, 0]]
    fourth = tuple(part / 3 for part in _parts(w1_3, [3.1, -0.6], w2_3, [0, -0.6, 1, 1]))
    one, actions = np.array([[1.0]]), np.array([0, 0])
    small = np.array([[1.0], [2.0]]), one, np.zeros(1), 2 * one, np.zeros(1), actions
    return (
        Case(
            (x, w1, b1, w2, b2, np.array([0]), np.array([1.3])),
            Key(first),
            title="one row; the second neuron is cut off to 0",
        ),
        Case(
            (*small, np.array([1.5, 1.0])),
            Key(second),
            title="two rows, one neuron, one output; the errors are 0.5 and 3",
        ),
        Case(
            (*small, np.array([1.5, 7.0])),
            Key(third),
            title="the same, the errors are 0.5 and -3",
        ),
        Case(
            (*_parts(*wide, *out), np.array([3, 1, 2]), np.array([1.5, 1.6, -0.25])),
            Key(fourth),
            title="three rows, two neurons, four outputs; the errors are 1.5, -0.6 and 2",
        ),
    )


def memory() -> tuple[Case, ...]:
    """Memory of capacity 2 after five transitions, and of 3 after four, of which the first has
    left, and with two in it. These stand last, so that two memories with one list show.
    """
    return (
        _memory_case(
            2,
            [1.0, 5.0, 3.0, 19.0, 1.0],
            np.array([0, 0, 0, 19, 1]) / 20,
            3,
            "five transitions and a memory of 2, priorities 1, 5, 3, 19, 1",
        ),
        _memory_case(
            3,
            [4.0, 1.0, 3.0, 2.0],
            np.array([0, 1, 3, 2]) / 6,
            4,  # of a single draw the last one comes, and not the likeliest
            "a fourth transition enters a memory of 3, priorities 4, 1, 3, 2",
        ),
        _memory_case(
            3,
            [1.0, 3.0],
            np.array([1, 3]) / 4,
            1,
            "two transitions in a memory of 3, priorities 1 and 3: 1/4 and 3/4 of the draws",
        ),
    )


def learning() -> tuple[Case, ...]:
    """learn: one weight and four steps, and one step of two rows."""
    # The weight 8, x and x_next 1, no reward, gamma and rate 0.5, a copy every 2 steps. Steps 0 and
    # 1 go towards 4: 6, 5. Steps 2 and 3 towards 0.5 * 5 = 2.5: 3.75, 3.125.
    ones, still = np.ones((4, 1, 1)), np.zeros((4, 1))
    batches = {
        "x": ones,
        "action": still.astype(np.int64),
        "reward": still,
        "done": still > 0,
        "x_next": ones,
    }
    # Weights 2 and 4, rewards 1 and 1, the first episode is finished. Wanted 1 and 1 + 0.5 * 4 = 3,
    # errors 1 and 1, a quarter of each off.
    start = np.array([[2.0, 4.0]])
    rows = {
        "x": np.ones((1, 2, 1)), "action": np.array([[0, 1]]), "reward": np.ones((1, 2)), "done": np.array([[True, False]]),
        "x_next": np.ones((1, 2, 1)),
    }  # fmt: skip
    # Both rows play action 0 and are finished: 1 is wanted twice, two errors of 1, half off in all.
    twice = {**rows, "action": np.array([[0, 0]]), "done": np.array([[True, True]])}
    return (
        Case(
            (np.array([[8.0]]), batches, 2, 0.5, 0.5),
            Key(np.array([[3.125]])),
            title="one weight, four steps, a copy every 2",
        ),
        Case(
            (start, rows, 2, 0.5, 0.5),
            Key(np.array([[1.75, 3.75]])),
            title="one step of two rows",
        ),
        Case(
            (start, twice, 2, 0.5, 0.5),
            Key(np.array([[1.5, 4.0]])),
            title="one step of two rows with the same action",
        ),
        *_five_steps(),
    )


def _five_steps() -> tuple[Case, Case]:
    """learn: five steps of two rows, with a copy every third step and before each."""
    # Three features, two actions. Not by hand: three right answers that are
    # written differently agree on the numbers.
    five = {
        "x": np.array(
            [
                [[1, 0, 2], [0, 1, 1]],
                [[2, 1, 0], [1, 1, 0]],
                [[0, 2, 1], [1, 0, 1]],
                [[1, 2, 0], [2, 0, 1]],
                [[0, 1, 2], [1, 1, 1]],
            ],
            float,
        ),
        "action": np.array([[0, 1], [1, 1], [0, 0], [1, 0], [0, 1]]),
        "reward": np.array([[0, 1], [0.5, 0], [0, -1], [1, 0], [0, 0.5]]),
        "done": np.array([[0, 1], [0, 0], [0, 1], [0, 0], [0, 0]], bool),
        "x_next": np.array(
            [
                [[0, 1, 1], [1, 1, 1]],
                [[1, 0, 1], [0, 0, 2]],
                [[1, 2, 0], [0, 1, 0]],
                [[2, 0, 1], [0, 1, 2]],
                [[1, 1, 0], [2, 1, 0]],
            ],
            float,
        ),
    }
    begin = np.array([[1, 0.5], [0.5, -1], [-0.5, 1]])
    every_third = [[0.8836, 1.35564], [0.87824, 0.15284], [-0.20672, 1.07844]]
    each = [[0.88744, 1.4268464], [0.8808512, 0.2131664], [-0.1995776, 1.1205264]]
    return (
        Case(
            (begin, five, 3, 0.2, 0.8),
            Key(np.array(every_third)),
            title="five steps of two rows, a copy every 3",
        ),
        Case(
            (begin, five, 1, 0.2, 0.8),
            Key(np.array(each)),
            title="the same, a copy before every step",
        ),
    )


def _parts(*parts: Sequence) -> tuple[np.ndarray, ...]:
    return tuple(np.array(part, float) for part in parts)


def _memory_case(
    capacity: int, priorities: Sequence[float], chances: np.ndarray, seed: int, title: str
) -> Case:
    """Add these, then sample twice; each transition comes with these chances."""
    added = enumerate(priorities, start=1)
    script: list[tuple[str, tuple[Any, ...]]] = [("add", (k, priority)) for k, priority in added]
    script += [("sample", (DRAWS, Rng(seed)))] * 2
    places = range(len(priorities), len(script))
    secret = Draws(tuple((place, Frequencies(chances, share=alarm_share(6))) for place in places))
    return Case((capacity,), secret, script=tuple(script), draws_at=0, title=title)
