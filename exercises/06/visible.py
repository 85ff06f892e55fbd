"""The visible cases of sheet 06, worked by hand."""

from collections.abc import Mapping, Sequence

import numpy as np

from rlcourse.checks.judging import Frequencies, Key, Orders, alarm_share
from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case

PAIRS = 3000  # pairs drawn in one case


def areas() -> tuple[Case, ...]:
    """torus_areas on boards of two to five rows and columns, one of them without a stone."""
    return (
        # Stones 7, 3, 2. Of the empty points the one in row 2, column 3 lies among stones of 1
        # only. The other seven are a region across the edges: (0, 0) - (3, 0) - (3, 1) - (3, 2) -
        # (0, 2) - (0, 3), and (3, 4) beside (3, 0); it touches all three.
        Case(
            (_board(".2..2", "21311", "311.1", "...1."),),
            Key(np.array([8.0, 3.0, 2.0])),
            title="the board of the picture",
            board=(0, ".123"),
        ),
        # The empty column lies between 2 and 2, over the joined edges too.
        Case(
            (_board("2.", "2.", "2."),),
            Key(np.array([0.0, 6.0, 0.0])),
            title="an empty column beside a full one",
            board=(0, ".123"),
        ),
        Case(
            (np.zeros((2, 2), np.int64),),
            Key(np.zeros(3)),
            title="a board of 2 x 2 without a stone",
            board=(0, ".123"),
        ),
        Case(
            (_board("33", "33", "33"),),
            Key(np.array([0.0, 0.0, 6.0])),
            title="a board without an empty point",
            board=(0, ".123"),
        ),
        # The empty points at the edges have three neighbours of 1, and over a joined edge another
        # colour: above (the top one), left, right or below. Nobody owns any of them; 1 owns the
        # one in the middle.
        Case(
            (_board("1.121", ".1113", "11.11", "3111.", "121.1"),),
            Key(np.array([17.0, 2.0, 2.0])),
            title="five empty points, one at each edge and one in the middle",
            board=(0, ".123"),
        ),
        # Stones 1, 0, 11. In the rows 1 and 2 four empty points, joined at the sides, lie among 3s.
        # The other four touch the 1 in the corner, three of them as one region from (4, 0) on.
        Case(
            (_board("3333", ".3..", ".333", "3.3.", "..31"),),
            Key(np.array([1.0, 0.0, 15.0])),
            title="three regions, one of them owned by colour 3",
            board=(0, ".123"),
        ),
    )


def ring() -> tuple[Case, ...]:
    """ring_moves on rings of four to six points. Stones are written X (black) and O (white), from
    point 0 on.
    """

    def case(size: int, moves: list[int], right: list[int], title: str) -> Case:
        """One game on a ring."""
        return Case((size, moves), Key(right), title=title)

    return (
        # Black's 2 takes 1, and Black passes: X.XO. White's 1 takes 2. On 4 White takes nothing, and
        # its chain with 3 has no liberty.
        case(5, [0, 1, 2, 3, -1], [1], "Black has taken the stone on 1, then passed"),
        # White's 4 takes 3: ..O.O, then X on 0. White on 1 takes 0; on 3 it is one chain with 2
        # and 4, which has the liberty 1.
        case(5, [-1, 2, 3, 4, 0], [1, 3], "Black has passed at first"),
        # White's 0 takes 1: O.O..X. Black on 1 would take 0: .XO..X, the board before that move.
        case(6, [1, 2, 5, 0], [3, 4], "White has just taken the stone on 1"),
        # White's 1 takes 2: OO.O.X. Black on 2 would take 0 and 1: ..XO.X, the board after Black's
        # second move. Black on 4 takes nothing, and its chain with 5 has no liberty.
        case(6, [5, 3, 2, 0, -1, 1], [], "White has just taken the stone on 2"),
        # White's 4 takes 0 and 1: ..O.O. X on 0, O on 3, and X on 1 takes the three: XX... White
        # on 2 would bring XXO.. back, with Black to move.
        case(5, [1, 2, 0, 4, 0, 3, 1], [3, 4], "seven moves on a ring of five"),
        # XXX.: Black on 3 takes nothing, and the full ring has no liberty.
        case(4, [0, -1, 1, -1, 2, -1], [], "White has passed three times"),
    )


def league() -> tuple[Case, ...]:
    """league_returns: two games at once, one of them a tie; a game in which the largest area has
    resigned; and three games one after the other.
    """
    agent, game = np.array([1, 0, 2, 1, 0, 2, 1, 0]), np.array([0, 1, 0, 1, 0, 1, 0, 1])
    # Game 0: colour 0 is agent 1 and has most: +2, agents 2 and 0 -1. Game 1: colours 1 and 2,
    # agents 1 and 2, share 3: +0.5; agent 0 -1. gamma 0.5 once for agent 1 in game 0 and for agent
    # 0 in game 1, who have a decision to come there.
    seats, areas = np.array([[1, 2, 0], [0, 1, 2]]), np.array([[7, 3, 5], [4, 6, 6]])
    # Agent 2, colour 0, has resigned; colour 1, agent 0, has most of the others: +2. gamma 0.8.
    one = (
        np.array([2, 0, 1, 0, 1]),
        np.zeros(5, np.int64),
        np.array([[2, 0, 1]]),
        np.array([[8, 5, 4]]),
    )
    # Game 0: colours 1 and 2, agents 0 and 2, share. Game 1: colour 1, agent 2, is left and wins.
    # Game 2: colour 2, agent 1, has most.
    three = (
        np.array([0, 2, 0, 2, 1, 2, 2, 1, 2]),
        np.array([0, 0, 0, 1, 1, 1, 1, 2, 2]),
        np.array([[1, 0, 2], [1, 2, 0], [2, 0, 1]]),
        np.array([[3, 9, 9], [0, 0, 9], [2, 2, 5]]),
        np.array([[True, False, False], [True, False, True], [False, False, False]]),
    )
    return (
        Case(
            (agent, game, seats, areas, np.zeros((2, 3), bool), 0.5),
            Key(np.array([1.0, -0.5, -1.0, 0.5, -1.0, 0.5, 2.0, -1.0])),
            title="two games at once, a tie in the second",
        ),
        Case(
            (*one, np.array([[True, False, False]]), 0.8),
            Key(np.array([-1.0, 1.6, -0.8, 2.0, -1.0])),
            title="the player with the largest area has resigned",
        ),
        Case(
            (*three, 0.5),
            Key(np.array([0.25, 0.5, 0.5, 0.5, -1.0, 1.0, 2.0, 2.0, -1.0])),
            title="three games one after the other; one resigns in the first, two in the second",
        ),
    )


def surrogate() -> tuple[Case, ...]:
    """surrogate_gradient with the bound 0.2 in one state, in which two moves are legal and equally
    likely; and with 0.3 in two states.
    """

    def case(
        advantages: list[float], drawn: list[float], right: list[float], title: str, moves: int = 2
    ) -> Case:
        """Decisions for move 0: their advantages, and the probabilities
        with which they were drawn.
        """
        logits = np.array([[0.0, 0.0, np.log(2)][:moves]])
        legal = np.array([[True, True, False][:moves]])
        place = np.zeros(len(drawn), np.int64)
        args = (logits, legal, place, place.copy(), np.array(advantages), np.log(drawn), 0.2)
        return Case(args, Key(np.array([right])), title=title)

    # State 0: pi = (1/2, 1/2, 0). r = 1.5, advantage -1/2: (0.375, -0.375); r = 0.5, advantage 1/2:
    # (0.125, -0.125); r = 0.8, advantage -1: (0.4, -0.4). State 1: pi = (3/4, 0, 1/4). r = 1.25,
    # advantage 1: (5/16, 0, -5/16); stopped are r = 2 with advantage 2, r = 0.5 with -1/2, and
    # r = 0.25 with -2.
    logits = np.array([[0.0, 0.0, np.log(2)], [np.log(3), 1.0, 0.0]])
    legal = np.array([[True, True, False], [True, False, True]])
    decisions = (
        np.array([1, 1, 1, 0, 0, 0, 1]),
        np.array([2, 2, 0, 1, 0, 1, 2]),
        np.array([2.0, -0.5, 1.0, -0.5, 0.5, -1.0, -2.0]),
        np.log([0.125, 0.5, 0.6, 1 / 3, 1.0, 0.625, 1.0]),
    )
    return (
        # r = 0.5 / (1/3) = 1.5 and 1.5 * 0.5 = 0.75: the move has become likelier, and the
        # advantage wants it the other way.
        case([-1.0], [1 / 3], [-0.75, 0.75], "a bad move that has become likelier, ratio 1.5"),
        case([1.0], [1 / 3], [0.0, 0.0], "a good move that has become likelier, ratio 1.5"),
        # r = 1: (0.5 * 1 + 0.5 * 3) / 2 = 1.
        case(
            [1.0, 3.0], [0.5, 0.5], [1.0, -1.0], "the same state and move twice, advantages 1 and 3"
        ),
        # r = 0.5 / 0.8 = 0.625 over the legal moves, and a good move is not stopped from below.
        case([1.0], [0.8], [0.3125, -0.3125, 0.0], "move 2 is illegal, and ratio 0.625", moves=3),
        Case(
            (logits, legal, *decisions, 0.3),
            Key(np.array([[0.9, -0.9, 0.0], [0.3125, 0.0, -0.3125]]) / 7),
            title="seven decisions in two states of three moves, bound 0.3",
        ),
    )


def stones() -> tuple[Case, ...]:
    """two_stones on rings of four to seven points, with clip 0.1 and 0.4."""
    return (*_rings_with_a_choice(), *_rings_without_a_choice())


def _rings_with_a_choice() -> tuple[Case, ...]:
    """two_stones: several points may be played."""
    return (
        # O...: weights 6, 3, 1, 1 of 11, so 3 to 1 to 1 for the points 1, 2 and 3.
        _stones_case(
            [0.6, 0.3, 0.1, 0.0],
            [2, 0, 0, 0],
            {
                (1, 2): 3 / 5 * 1 / 2,
                (1, 3): 3 / 5 * 1 / 2,
                (2, 1): 1 / 5 * 3 / 4,
                (2, 3): 1 / 5 * 1 / 4,
                (3, 1): 1 / 5 * 3 / 4,
                (3, 2): 1 / 5 * 1 / 4,
            },
            1,
            "a ring of four, points 1, 2 and 3 are empty",
        ),
        # X.X..O: point 1 is an eye; weights 1, 6, 1, 4, 1, 1 of 14, so 4 to 1 for points 3 and 4.
        # After 4, point 3 is an eye.
        _stones_case(
            [0.0, 0.6, 0.0, 0.4, 0.0, 0.0],
            [1, 0, 1, 0, 0, 2],
            {(3, 4): 4 / 5, (4, -1): 1 / 5},
            2,
            "the ring of six in the picture",
        ),
        # ..OX.X.: point 4 is an eye; weights 1, 1, 4 for the points 0, 1 and 6. After 0, point 6 is
        # an eye, where the ring is joined, and 1 is left.
        _stones_case(
            [0.0, 0.04, 0.0, 0.0, 0.56, 0.0, 0.4],
            [0, 0, 2, 1, 0, 1, 0],
            {
                (0, 1): 1 / 6,
                (1, 0): 1 / 6 * 1 / 5,
                (1, 6): 1 / 6 * 4 / 5,
                (6, 0): 4 / 6 * 1 / 2,
                (6, 1): 4 / 6 * 1 / 2,
            },
            3,
            "a ring of seven, the last point is next to own stones",
        ),
        # X...: weights 0.4, 0.6, 0.4, 0.4. After 2 both others are eyes; after 1 the others are
        # equally likely; after 3 they are as 3 to 2.
        _stones_case(
            [0.0, 1.0, 0.0, 0.0],
            [1, 0, 0, 0],
            {
                (1, 2): 3 / 14,
                (1, 3): 3 / 14,
                (2, -1): 4 / 14,
                (3, 1): 4 / 14 * 3 / 5,
                (3, 2): 4 / 14 * 2 / 5,
            },
            4,
            "one own stone on a ring of four, clip 0.4",
            clip=0.4,
        ),
    )


def _rings_without_a_choice() -> tuple[Case, ...]:
    """two_stones: one point may be played, or none."""
    return (
        # X.XO.O: point 1 is an eye, and point 4 is the other's.
        _stones_case(
            [0.2, 0.6, 0.0, 0.0, 0.2, 0.0],
            [1, 0, 1, 2, 0, 2],
            {(4, -1): 1.0},
            5,
            "only point 4 may be played",
        ),
        # .X.X: both empty points are eyes.
        _stones_case(
            [0.4, 0.1, 0.4, 0.1], [0, 1, 0, 1], {(-1, -1): 1.0}, 6, "nothing may be played"
        ),
    )


def _board(*rows: str) -> np.ndarray:
    """[H, W]: dots and digits as numbers."""
    return np.array([[int(cell.replace(".", "0")) for cell in row] for row in rows])


def _stones_case(
    p: Sequence[float],
    cells: Sequence[int],
    pairs: Mapping[tuple[int, int], float],
    seed: int,
    title: str,
    clip: float = 0.1,
) -> Case:
    """A ring with these p and cells, and how often each pair of stones comes; -1 is
    a stone that is not played.
    """
    size = len(p) + 1
    chances = np.zeros((size, size))
    for (a, b), chance in pairs.items():
        chances[a + 1, b + 1] = chance
    return Case(
        (np.array(p), np.array(cells), PAIRS, clip, Rng(seed)),
        Orders(size, 2, Frequencies(chances.ravel(), share=alarm_share(6)), -1),
        draws_at=2,
        title=title,
    )
