"""The visible cases of sheet 06: numbers worked by hand, for the right answer and for every usual slip that shows there."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rlcourse.checks.judging import Frequencies, Key, Orders, rate
from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case

PAIRS = 3000  # pairs drawn in one case


def areas() -> tuple[Case, ...]:
    """torus_areas on 4 x 5, on 4 x 3 and without a stone."""
    # Stones 7, 3, 2. Of the empty points the one in row 2, column 3 lies among stones of 1 only. The other seven are a region
    # across the edges: (0, 0) - (3, 0) - (3, 1) - (3, 2) - (0, 2) - (0, 3), and (3, 4) beside (3, 0); it touches all three.
    # Edges: (0, 0) is alone between 2 and 2, (3, 4) between 1 and 1, the others touch more than one. Cylinder: (3, 4) - (3, 0)
    # are joined, (0, 0) still touches 2 only. Alone: (0, 0) 2 only, (3, 0) 3 only, (3, 2) and (2, 3) 1 only. With corners the
    # point in row 2, column 3 meets (1, 2), a 3.
    board = _board(".2..2", "21311", "311.1", "...1.")
    slips = {
        "stones": (7, 3, 2), "territory": (1, 0, 0), "shared": (15, 10, 9), "alone": (9, 4, 3), "edges": (9, 4, 2),
        "cylinder": (8, 4, 2), "diagonal": (7, 3, 2),
    }  # fmt: skip
    first = Key(
        np.array([8.0, 3.0, 2.0]), {slip: np.array(value, float) for slip, value in slips.items()}
    )
    # Row 1 lies between 1 and 1 everywhere: 3 points of territory, also by corners. The gap in row 3 touches 1, 2 and 3.
    slips = {"stones": (6, 1, 1), "territory": (3, 0, 0), "shared": (10, 2, 2)}
    second = Key(
        np.array([9.0, 1.0, 1.0]), {slip: np.array(value, float) for slip, value in slips.items()}
    )
    third = Key(np.zeros(3), {"untouched": np.full(3, 4.0)})
    # Both empty columns lie between 2 and 1, the right one over the joined edges; without those it touches 1 only.
    slips = {
        "shared": (9, 9, 0),
        "territory": (0, 0, 0),
        "rows_only": (6, 3, 0),
        "edges": (6, 3, 0),
    }
    fourth = Key(
        np.array([3.0, 3.0, 0.0]), {slip: np.array(value, float) for slip, value in slips.items()}
    )
    return (
        Case((board,), first, title="the board of the picture"),
        Case((_board("111", "...", "111", "2.3"),), second, title="four rows of three"),
        Case((np.zeros((2, 2), np.int64),), third, title="a board of 2 x 2 without a stone"),
        Case((_board("2.1.", "2.1.", "2.1."),), fourth, title="two empty columns"),
    )


def ring() -> tuple[Case, ...]:
    """ring_moves, one rule each. Stones are written X (black) and O (white), from point 0 on."""

    def case(
        size: int, moves: list[int], right: list[int], slips: dict[str, list[int]], title: str
    ) -> Case:
        """One game on a ring."""
        return Case((size, moves), Key(right, slips), title=title)

    long_ago = {slip: [0, 1, 2] for slip in ("ko", "simple", "situational")}
    return (
        # ....X.: White on 5 has the liberty 0. On a line 5 has no neighbour but the stone on 4.
        case(6, [4], [0, 1, 2, 3, 5], {"line": [0, 1, 2, 3]}, "one stone on point 4"),
        # .X.O..: Black on 2 is one chain with 1, which has the liberty 0. Alone it is shut in between X and O.
        case(6, [1, 3], [0, 2, 4, 5], {"single": [0, 4, 5]}, "Black on 1, White on 3"),
        # Black on 1 takes 0: .X...X. White on 0 takes nothing and has no liberty.
        case(
            6,
            [5, 0, 1],
            [2, 3, 4],
            {"suicide": [0, 2, 3, 4]},
            "Black has just taken the stone on 0",
        ),
        # OXX.: White on 3 has no liberty until the chain 1, 2 between 0 and 3 is taken.
        case(4, [1, 0, 2], [3], {"before_captures": []}, "only point 3 is left"),
        # ..XO.X, Black to move after the pass: Black on 4 takes 3. White on 4 would be a chain of two without a liberty.
        case(6, [2, 3, 5, -1], [0, 1, 4], {"passes": [0, 1]}, "White has passed"),
        # White's 0 takes 1: O.O..X. Black on 1 would take 0: .XO..X, the board before that move.
        case(6, [1, 2, 5, 0], [3, 4], {"ko": [1, 3, 4]}, "White has just taken the stone on 1"),
        # X..X after Black's second move. O on 1, X on 2 takes it, O on 1 takes the three: .O.., X on 0, O on 2: XOO. Black on
        # 3 would take 1 and 2: X..X, but not the board just before White's last move, XO..
        case(
            4,
            [3, -1, 0, 1, 2, 1, 0, 2],
            [],
            {"ko": [3], "simple": [3]},
            "eight moves on a ring of four",
        ),
        # O..XX after three moves, White to move. O on 2 takes both: O.O... X on 4, O on 1, X on 3 takes all three: ...XX.
        # White on 0 would bring O..XX back, with Black to move.
        # Stones alone: O on 2 takes 3 only, so that 4 stays: O.O.X; then O on 1 and X on 3, which takes 2: OO.XX. White on 2
        # would take 3: OOO.X, the board before that.
        case(
            5,
            [4, 0, 3, 2, 4, 1, 3],
            [1, 2],
            {**long_ago, "single": []},
            "seven moves on a ring of five",
        ),
    )


def league() -> tuple[Case, ...]:
    """league_returns: two games at once, one of them a tie; and a game in which the largest area has resigned."""
    agent, game = np.array([1, 0, 2, 1, 0, 2, 1, 0]), np.array([0, 1, 0, 1, 0, 1, 0, 1])
    # Game 0: colour 0 is agent 1 and has most: +2, agents 2 and 0 -1. Game 1: colours 1 and 2, agents 1 and 2, share 3: +0.5;
    # agent 0 -1. gamma 0.5 once for agent 1 in game 0 and for agent 0 in game 1, who have a decision to come there.
    # Collector: agent 0 as colour 0 wins game 0. Inverse: agents 0, 1, 2 as colours 1, 2, 0. Plies left in either game: 3, 2,
    # 1, 0. On and on: agent 1 has decisions 0, 3, 6, agent 0 1, 4, 7, agent 2 2, 5.
    seats, areas = np.array([[1, 2, 0], [0, 1, 2]]), np.array([[7, 3, 5], [4, 6, 6]])
    slips = {
        "collector": [-0.5, -0.5, -1.0, 0.5, 2.0, 0.5, -1.0, -1.0],
        "inverse": [-0.5, -0.5, 2.0, 0.5, -1.0, 0.5, -1.0, -1.0],
        "losers_win": [1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 2.0, 1.0],
        "losers_free": [1.0, 0.0, 0.0, 0.5, 0.0, 0.5, 2.0, 0.0],
        "all_win": [1.0, 0.25, 2.0, 0.5, 2.0, 0.5, 2.0, 0.5],
        "first_of_tie": [1.0, -0.5, -1.0, 2.0, -1.0, -1.0, 2.0, -1.0],
        "full_prize": [1.0, -0.5, -1.0, 2.0, -1.0, 2.0, 2.0, -1.0],
        "plies": [0.25, -0.125, -0.25, 0.125, -0.5, 0.25, 2.0, -1.0],
        "on_and_on": [0.5, -0.25, -0.5, 0.25, -0.5, 0.5, 2.0, -1.0],
        "first": [2.0, -1.0, -1.0, 0.5, -1.0, 0.5, 1.0, -0.5],
        "late": [0.5, -0.25, -0.5, 0.25, -0.5, 0.25, 1.0, -0.5],
    }
    right = np.array([1.0, -0.5, -1.0, 0.5, -1.0, 0.5, 2.0, -1.0])
    first = Key(right, {slip: np.array(value) for slip, value in slips.items()})
    # Agent 2, colour 0, has resigned; colour 1, agent 0, has most of the others: +2. gamma 0.8. Collector: agent 1 as colour 1
    # wins. Inverse: agents 0, 1, 2 as colours 2, 0, 1: agent 2 wins. Plies left: 4, 3, 2, 1, 0.
    one = (
        np.array([2, 0, 1, 0, 1]),
        np.zeros(5, np.int64),
        np.array([[2, 0, 1]]),
        np.array([[8, 5, 4]]),
    )
    slips = {
        "collector": [-1.0, -0.8, 1.6, -1.0, 2.0],
        "inverse": [2.0, -0.8, -0.8, -1.0, -1.0],
        "losers_win": [1.0, 1.6, 0.8, 2.0, 1.0],
        "losers_free": [0.0, 1.6, 0.0, 2.0, 0.0],
        "all_win": [2.0, 1.6, 1.6, 2.0, 2.0],
        "resigned": [2.0, -0.8, -0.8, -1.0, -1.0],
        "plies": [-0.4096, 1.024, -0.64, 1.6, -1.0],
        "first": [-1.0, 2.0, -1.0, 1.6, -0.8],
        "late": [-0.8, 1.28, -0.64, 1.6, -0.8],
    }
    second = Key(
        np.array([-1.0, 1.6, -0.8, 2.0, -1.0]),
        {slip: np.array(value) for slip, value in slips.items()},
    )
    return (
        Case(
            (agent, game, seats, areas, np.zeros((2, 3), bool), 0.5),
            first,
            title="two games at once, a tie in the second",
        ),
        Case(
            (*one, np.array([[True, False, False]]), 0.8),
            second,
            title="the player with the largest area has resigned",
        ),
    )


def surrogate() -> tuple[Case, ...]:
    """surrogate_gradient with the bound 0.2, in one state in which two moves are legal and equally likely."""
    remedy = {
        "both": ("both_and_repeats", "both_and_illegal"),
        "repeats": ("both_and_repeats", "repeats_and_illegal"),
    }
    remedy["illegal"] = ("both_and_illegal", "repeats_and_illegal")

    def case(
        decisions: tuple,
        right: list[float],
        slips: dict[str, list[float]],
        title: str,
        moves: int = 2,
    ) -> Case:
        """Decisions for move 0: their advantages, and the probabilities with which they were drawn."""
        advantage, drawn = (np.array(column, float) for column in decisions)
        shown = {
            name: np.array([row])
            for slip, row in slips.items()
            for name in (*remedy.get(slip, ()), slip)
        }
        logits, legal = (
            np.array([[0.0, 0.0, np.log(2)][:moves]]),
            np.array([[True, True, False][:moves]]),
        )
        place = np.zeros(len(drawn), np.int64)
        args = (logits, legal, place, place.copy(), advantage, np.log(drawn), 0.2)
        return Case(args, Key(np.array([right]), shown), title=title)

    # r = 0.5 / (1/3) = 1.5 and 1.5 * 0.5 = 0.75: the move has become likelier, and the advantage wants it the other way.
    down = {
        "both": [0.0, 0.0], "hasty": [0.0, 0.0], "wrong_side": [0.0, 0.0], "unweighted": [0.75, -0.75], "one_hot": [-1.5, 0.0],
        "no_ratio": [-0.5, 0.5], "descent": [0.75, -0.75],
    }  # fmt: skip
    up = {slip: [0.75, -0.75] for slip in ("wrong_side", "unbounded")}
    # r = 1: (0.5 * 1 + 0.5 * 3) / 2 = 1. Of two rows for one state += keeps the last: 0.5 * 3 / 2.
    twice = {
        "repeats": [0.75, -0.75], "hasty": [0.75, -0.75], "unweighted": [0.5, -0.5], "one_hot": [2.0, 0.0], "sum": [2.0, -2.0],
        "descent": [-1.0, 1.0],
    }  # fmt: skip
    # r = 1 over the legal moves. Over all three p is 1/4, 1/4, 1/2, so r = 0.5: below the bound, and 0.5 * (3/4, -1/4, -1/2).
    closed = {
        "illegal": [0.375, -0.125, -0.25], "both_and_illegal": [0.0, 0.0, 0.0], "hasty": [0.0, 0.0, 0.0],
        "one_hot": [1.0, 0.0, 0.0], "descent": [-0.5, 0.5, 0.0],
    }  # fmt: skip
    return (
        case(
            ([-1], [1 / 3]), [-0.75, 0.75], down, "a bad move that has become likelier, ratio 1.5"
        ),
        case(([1], [1 / 3]), [0.0, 0.0], up, "a good move that has become likelier, ratio 1.5"),
        case(
            ([1, 3], [0.5, 0.5]),
            [1.0, -1.0],
            twice,
            "the same state and move twice, advantages 1 and 3",
        ),
        case(([1], [0.5]), [0.5, -0.5, 0.0], closed, "move 2 is illegal", moves=3),
        _two_states(),
    )


def _two_states() -> Case:
    # r = 1 and advantage 1 in both states: 0.5 / 2 each. Averaged state by state, or added up: 0.5.
    right = np.array([[0.25, -0.25], [0.25, -0.25]])
    slips = {
        "sum": 2 * right,
        "per_state": 2 * right,
        "descent": -right,
        "one_hot": np.array([[0.5, 0.0], [0.5, 0.0]]),
    }
    place, half = np.array([0, 1]), np.log([0.5, 0.5])
    args = (
        np.zeros((2, 2)),
        np.ones((2, 2), bool),
        place,
        np.zeros(2, np.int64),
        np.ones(2),
        half,
        0.2,
    )
    return Case(args, Key(right, slips), title="one decision in each of two states")


def stones() -> tuple[Case, ...]:
    """two_stones with clip 0.1 on a ring of four and on one of six."""
    # O..O: weights 4, 3, 3, 1 of 11; points 1 and 2 are free and equally likely. First two of the ranking: (0, 1) 12/77,
    # (0, 3) 4/77, (1, 0) 12/88, (1, 2) 9/88, (1, 3) 3/88, (3, 0) 4/110, (3, 1) 3/110, and so on with 2. Not divided: 0.3 for
    # point 1, all the rest for point 2, the last.
    passed = {(-1, 1): 12 / 77 + 3 / 110, (-1, 2): 12 / 77 + 3 / 110, (-1, -1): 4 / 77 + 4 / 110}
    slips = {
        "replacement": {(1, 1): 1 / 4, (1, 2): 1 / 4, (2, 1): 1 / 4, (2, 2): 1 / 4},
        "two_only": {**passed, (1, 2): 9 / 88, (2, 1): 9 / 88, (1, -1): 15 / 88, (2, -1): 15 / 88},
        "not_renormalised": {(1, 2): 0.3, (2, 1): 0.7},
    }
    args = (np.array([0.4, 0.3, 0.3, 0.0]), np.array([2, 0, 0, 2]), PAIRS, 0.1, Rng(1))
    first = Case(
        args,
        _pairs(4, {(1, 2): 1 / 2, (2, 1): 1 / 2}, slips),
        title="a ring of four, points 1 and 2 are empty",
    )
    # X.X..O: point 1 is an eye; weights 1, 6, 1, 4, 1, 1 of 14, so 4 to 1 for points 3 and 4. After 4, point 3 is an eye.
    # With the eye 6, 4, 1 of 11. First two of the ranking: 0, 2 or 5 first (3/14): then 3 in 4, 4 in 1, nothing in 8 of 13; 1
    # first (6/14): 4, 1, 3 of 8; 3 first (4/14): 4 in 1 of 10; 4 first (1/14): nothing. No clip: 4 has nothing, it passes. Not
    # divided: 0.4 for point 3, the rest for point 4. All equally often: 3 or 4 first.
    slips = {
        "eye": {(1, 3): 24 / 55, (1, 4): 6 / 55, (3, 1): 24 / 77, (3, 4): 4 / 77, (4, 1): 6 / 110, (4, 3): 4 / 110},
        "stale": {(3, 4): 4 / 5, (4, 3): 1 / 5},
        "replacement": {(3, 3): 16 / 25, (3, 4): 4 / 25, (4, 3): 4 / 25, (4, 4): 1 / 25},
        "two_only": {
            (-1, 3): 12 / 182 + 24 / 112, (-1, 4): 3 / 182 + 6 / 112, (-1, -1): 24 / 182 + 18 / 112, (3, 4): 4 / 140,
            (3, -1): 36 / 140, (4, -1): 1 / 14,
        },
        "no_clip": {(3, -1): 1.0},
        "not_renormalised": {(3, 4): 0.4, (4, -1): 0.6},
        "uniform": {(3, 4): 0.5, (4, -1): 0.5},
    }  # fmt: skip
    args = (
        np.array([0.0, 0.6, 0.0, 0.4, 0.0, 0.0]),
        np.array([1, 0, 1, 0, 0, 2]),
        PAIRS,
        0.1,
        Rng(2),
    )
    second = Case(
        args,
        _pairs(6, {(3, 4): 4 / 5, (4, -1): 1 / 5}, slips),
        title="the ring of six in the picture",
    )
    # The same ring counted from one point on: all numbers are one less, and the eye is point 0, where the ring is joined.
    turned = {slip: _less_one(pairs) for slip, pairs in slips.items()}
    # Not seen there: as without eyes, but after a stone on 3 point 2 is one, and only point 0 is left.
    turned["seam"] = {pair: chance for pair, chance in turned["eye"].items() if pair[0] != 3} | {
        (3, 0): 1 / 11
    }
    args = (
        np.array([0.6, 0.0, 0.4, 0.0, 0.0, 0.0]),
        np.array([0, 1, 0, 0, 2, 1]),
        PAIRS,
        0.1,
        Rng(3),
    )
    third = Case(
        args,
        _pairs(6, _less_one({(3, 4): 4 / 5, (4, -1): 1 / 5}), turned),
        title="the same ring, its eye is point 0",
    )
    return tuple(replace(case, draws_at=2) for case in (first, second, third))


def _less_one(pairs: Mapping[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    """Pairs on a ring that is counted from the next point on; a stone that is not played stays -1."""
    return {(max(a - 1, -1), max(b - 1, -1)): chance for (a, b), chance in pairs.items()}


def _board(*rows: str) -> np.ndarray:
    """[H, W]: dots and digits as numbers."""
    return np.array([[int(cell.replace(".", "0")) for cell in row] for row in rows])


def _pairs(size: int, right: Mapping, slips: Mapping[str, Mapping]) -> Orders:
    """The secret of a case of two_stones from pair -> chance; a slip that is not listed gives what is right."""

    def row(pairs: Mapping[tuple[int, int], float]) -> np.ndarray:
        """[(size + 1)^2]"""
        chances = np.zeros((size + 1, size + 1))
        for (a, b), chance in pairs.items():
            chances[a + 1, b + 1] = chance
        return chances.ravel()

    names = (
        "eye",
        "seam",
        "stale",
        "replacement",
        "two_only",
        "no_clip",
        "not_renormalised",
        "uniform",
    )
    return Orders(
        size + 1,
        2,
        Frequencies(row(right), {name: row(slips.get(name, right)) for name in names}, rate(3)),
        -1,
    )
