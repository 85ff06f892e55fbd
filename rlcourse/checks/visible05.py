"""The visible cases of sheet 05: numbers worked by hand, for the right answer and for every usual slip that shows there."""

from collections.abc import Sequence

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def hyper() -> tuple[Case, ...]:
    """hyper_units on a board of four points: player 0 rolls next, then player 1."""
    # Player 0 has two on point 1 and one on 3; player 1 one on his point 3, which is point 2 of player 0, and two on the bar.
    # Player 1 first: his points 2, 3, 4 hold player 0's 3, his own one, player 0's 1. Not turned: his one on point 3.
    checkers = np.array([[[2, 0, 1, 0, 0, 0], [0, 0, 1, 0, 2, 0]]], np.int8)
    right = "110 000  000 100  100 000  000 000"
    first = Key(
        _units(right, 0, 0, 2 / 3, 0),
        {
            "mover": _units("000 000  000 100  100 000  000 110", 2 / 3, 0, 0, 0),
            "unturned": _units("110 000  000 000  100 100  000 000", 0, 0, 2 / 3, 0),
            "blocks": _units("110 000  100 000  000 100  000 000", 0, 0, 2 / 3, 0),
            "exact": _units("010 000  000 100  100 000  000 000", 0, 0, 2 / 3, 0),
            "lesson_units": _units("010 000  000 100  100 000  000 000", 0, 0, 2 / 3, 0),
            "bar_off": _units(right, 0, 0, 0, 2 / 3),
            "lesson_scale": _units(right, 0, 0, 1, 0),
        },
    )
    # Player 1 has three on his point 3, which is point 2 of player 0; player 0 one on his point 4, which is point 1 of player
    # 1, and two borne off. 2 / 15 in the lesson's scale.
    triple = np.array([[[0, 0, 0, 1, 0, 2], [0, 0, 3, 0, 0, 0]]], np.int8)
    right = "000 100  000 000  111 000  000 000"
    his = _units("000 000  000 111  000 000  100 000", 0, 2 / 3, 0, 0)
    second = Key(
        _units(right, 0, 0, 0, 2 / 3),
        {
            "view": his,
            "mover": his,
            "unturned": _units("000 000  000 000  111 000  000 100", 0, 0, 0, 2 / 3),
            "blocks": _units("000 000  111 000  100 000  000 000", 0, 0, 0, 2 / 3),
            "exact": _units("000 100  000 000  001 000  000 000", 0, 0, 0, 2 / 3),
            "lesson_units": _units("000 100  000 000  011 000  000 000", 0, 0, 0, 2 / 3),
            "bar_off": _units(right, 0, 0, 2 / 3, 0),
            "lesson_scale": _units(right, 0, 0, 0, 2 / 15),
        },
    )
    return (
        Case((checkers, np.array([0], np.int8)), first, title="four points, player 0 rolls next"),
        Case((triple, np.array([1], np.int8)), second, title="four points, player 1 rolls next"),
    )


def turns() -> tuple[Case, ...]:
    """legal_turns, one rule each. A position is written by the points that hold a checker; 9 is the bar."""
    combinations = {
        "two": ("two_and_lower", "two_and_any_off"),
        "lower": ("two_and_lower", "lower_and_any_off"),
    }
    combinations["any_off"] = ("two_and_any_off", "lower_and_any_off")

    def case(
        own: Sequence[int],
        dice: tuple[int, int],
        blocked: list[int],
        right: list,
        slips: dict,
        title: str,
    ) -> Case:
        """One turn; a bug that is left shows in the names of all combinations with it."""
        shown = {
            name: _positions(value)
            for slip, value in slips.items()
            for name in (slip, *combinations.get(slip, ()))
        }
        if any(slip in combinations for slip in slips):
            shown["hasty"] = next(shown[slip] for slip in slips if slip in combinations)
        return Case(
            (_positions([own])[0], blocked, dice), Key(_positions(right), shown), title=title
        )

    return (
        # Four steps of 1: 4 + 0, 3 + 1 or 2 + 2. Two steps: 2 + 0 or 1 + 1.
        case(
            [8, 8],
            (1, 1),
            [],
            [[8, 4], [7, 5], [6, 6]],
            {"two": [[8, 6], [7, 7]]},
            "a double, two checkers on point 8",
        ),
        # 8 - 2 - 2 = 4; the next would be 2.
        case([8], (2, 2), [2], [[4]], {"all_or_nothing": [[8]]}, "a double, point 2 is blocked"),
        # 8 - 3 = 5 or 8 - 2 = 6, and then 3 is blocked both ways.
        case(
            [8],
            (2, 3),
            [3],
            [[5]],
            {"lower": [[5], [6]], "least": [[6]]},
            "either die can be played, but not both",
        ),
        # 8 - 3 = 5 is blocked, 8 - 1 = 7 and 7 - 3 = 4 are not.
        case([8], (3, 1), [5], [[4]], {"one_order": [[8]]}, "point 5 is blocked"),
        # In with 3 on 6, then 4 - 1 = 3. In with 1 on 8, then 8 - 3 = 5 and 4 - 3 = 1 are blocked.
        case(
            [9, 4],
            (3, 1),
            [1, 5],
            [[6, 3]],
            {"shorter": [[6, 3], [8, 4]]},
            "one on the bar, points 1 and 5 are blocked",
        ),
        # 3 - 2 = 1 and one off by 1; or one off by 1 and 3 - 2 = 1; or 3 - 1 = 2 and off by 2. Off by 2 from point 1, while 3
        # is held: then 3 - 1 = 2 is left.
        case([3, 1], (2, 1), [], [[1]], {"any_off": [[1], [2]]}, "bearing off from 3 and 1"),
        case(
            [2, 1], (4, 3), [], [[]], {"exact_off": [[2, 1]]}, "bearing off from 2 and 1 with 4-3"
        ),
        # 9 - 3 = 6 and 9 - 1 = 8 are blocked, so nothing can be played. Without the bar's rule 4 - 3 = 1.
        case(
            [9, 4],
            (3, 1),
            [6, 8],
            [[9, 4]],
            {"bar": [[9, 1]], "stays": []},
            "one on the bar cannot enter",
        ),
        # One enters on 6 with the 3, the other one cannot with the 1. Without the bar's rule 6 - 1 = 5.
        case(
            [9, 9],
            (3, 1),
            [8],
            [[9, 6]],
            {"bar": [[9, 5]]},
            "two on the bar, one of them can enter",
        ),
        # 4 - 1 = 3, then off from 3, the rearmost, by the 4. Off at once: from 4 by the 4 and from 1 by the 1; or from 1 by the 4,
        # then 4 - 1 = 3. By any die: after 4 - 1 = 3 also from 1. By no higher die: 4 - 1 = 3 alone. The 4 first: nothing.
        case(
            [4, 1],
            (4, 1),
            [],
            [[1]],
            {
                "outside": [[], [1], [3]],
                "any_off": [[1], [3]],
                "exact_off": [[3, 1]],
                "one_order": [[4, 1]],
            },
            "bearing off, one checker is not yet home",
        ),
    )


def match() -> tuple[Case, ...]:
    """match_chances of one play, at 3-away 3-away and at 1-away 2-away."""
    table = np.array(
        [[1.0, 1.0, 1.0, 1.0], [0.0, 0.5, 0.7, 0.8], [0.0, 0.3, 0.5, 0.6], [0.0, 0.2, 0.4, 0.5]]
    )
    outputs = np.array([[0.4, 0.2, 0.1, 0.3, 0.2]])
    # He wins 0.2 single, 0.1 gammon, 0.1 backgammon; the mover 0.3, 0.1, 0.2. Both need 3: the mover's games lead to 0.6, 0.8,
    # 1, his to 0.4, 0.2, 0: 0.18 + 0.08 + 0.2 + 0.08 + 0.02 = 0.56. Read as the mover's: 0.12 + 0.08 + 0.1 + 0.12 + 0.02.
    # Gammons not exchanged, his 0.1, 0.1, 0.2 and the mover's 0.4, 0.1, 0.1: 0.24 + 0.08 + 0.1 + 0.04 + 0.02 = 0.48. Nested:
    # 0.36 + 0.24 + 0.2 + 0.16 + 0.04 = 1. Single games only: 0.6 * 0.6 + 0.4 * 0.4. Backgammons as gammons: 0.18 + 0.24 + 0.08
    # + 0.04. Table exchanged: 0.12 + 0.02 + 0 + 0.12 + 0.08 + 0.1.
    slips = {
        "view": 0.44,
        "half_view": 0.48,
        "nested": 1.0,
        "plain": 0.52,
        "no_triple": 0.54,
        "exchanged": 0.44,
    }
    first = Key(np.array([0.56]), {slip: np.array([value]) for slip, value in slips.items()})
    # The mover needs 1, he 2: 0.6 wins the match at once, a single loss leads to 0.5, a gammon loses: 0.6 + 0.2 * 0.5 = 0.7.
    # Read as the mover's: 0.4 + 0.3 * 0.5. Not exchanged: 0.6 + 0.1 * 0.5. Nested: 1.1 + 0.4 * 0.5. Single only: 0.6 + 0.4 *
    # 0.5. table[-1, 2] = 0.4 and table[-2, 2] = 0.5 for the mover's gammons, table[1, -1] = 0.8 for his backgammon:
    # 0.3 + 0.04 + 0.1 + 0.1 + 0 + 0.08 = 0.62. Exchanged: 0.6 * 0 + 0.2 * 0.5 + 0.1 * 1 + 0.1 * 1.
    slips = {
        "view": 0.55,
        "half_view": 0.65,
        "nested": 1.3,
        "plain": 0.8,
        "wraps": 0.62,
        "exchanged": 0.3,
    }
    second = Key(np.array([0.7]), {slip: np.array([value]) for slip, value in slips.items()})
    return (
        Case((outputs, 3, 3, table), first, title="both need 3 points"),
        Case((outputs, 1, 2, table), second, title="the mover needs 1 point, the other 2"),
    )


def gammons() -> tuple[Case, ...]:
    """gammon_targets of two positions: a single game, and a backgammon."""
    # lam 0.5, 1 point: the last target is (1, 0, 0), for the other (0, 0, 0). The last estimate (0.4, 0.1, 0.3) is for the
    # other (0.6, 0.3, 0.1). Half and half: (0.3, 0.15, 0.05). The last one's estimate in its own target: (0.7, 0.05, 0.15),
    # for the other (0.3, 0.15, 0.05), half and half with (0.6, 0.3, 0.1): (0.45, 0.225, 0.075).
    last = [1.0, 0.0, 0.0]
    first = Key(
        np.array([[0.3, 0.15, 0.05], last]),
        {
            "view": np.array([[0.7, 0.05, 0.15], last]),
            "no_swap": np.array([[0.3, 0.05, 0.15], last]),
            "sign": np.array([[-0.7, -0.15, -0.05], last]),
            "half_turn": np.array([[0.8, 0.15, 0.05], last]),
            "own_value": np.array([[0.3, 0.1, 0.05], last]),
            "end_value": np.array([[0.45, 0.225, 0.075], [0.7, 0.05, 0.15]]),
        },
    )
    # lam 0.25, 3 points: (1, 1, 0), for the other (0, 0, 1). The estimate (0.8, 0.4, 0) is for the other (0.2, 0, 0.4):
    # 0.75 * (0.2, 0, 0.4) + 0.25 * (0, 0, 1) = (0.15, 0, 0.55). Own estimate: 0.75 * (0.6, 0.2, 0.1) + (0, 0, 0.25). Estimate
    # in its own target: (0.85, 0.55, 0), for the other (0.15, 0, 0.55). Last target (0, 1, 0): for the other (1, 0, 1).
    # (1, 0, 0): (0, 0, 0). (1, 2, 0): (0, 0, 2). lam 0.75: 0.25 * (0.2, 0, 0.4) + 0.75 * (0, 0, 1).
    last = [1.0, 1.0, 0.0]
    second = Key(
        np.array([[0.15, 0.0, 0.55], last]),
        {
            "view": np.array([[0.85, 0.55, 0.0], last]),
            "no_swap": np.array([[0.15, 0.55, 0.0], last]),
            "sign": np.array([[-0.85, 0.0, -0.55], last]),
            "half_turn": np.array([[0.4, 0.25, 0.3], last]),
            "own_value": np.array([[0.45, 0.15, 0.325], last]),
            "end_value": np.array([[0.1875, 0.0, 0.4375], [0.85, 0.55, 0.0]]),
            "exclusive": np.array([[0.4, 0.0, 0.55], [0.0, 1.0, 0.0]]),
            "only_two": np.array([[0.15, 0.0, 0.3], [1.0, 0.0, 0.0]]),
            "points": np.array([[0.15, 0.0, 0.8], [1.0, 2.0, 0.0]]),
            "swapped": np.array([[0.05, 0.0, 0.85], last]),
        },
    )
    start = [0.6, 0.2, 0.1]
    return (
        Case(
            (np.array([start, [0.4, 0.1, 0.3]]), 1, 0.5),
            first,
            title="two positions, 1 point, lam 0.5",
        ),
        Case(
            (np.array([start, [0.8, 0.4, 0.0]]), 3, 0.25),
            second,
            title="two positions, 3 points, lam 0.25",
        ),
    )


def two_ply() -> tuple[Case, ...]:
    """two_ply_chances where only one throw does not bring him home, then with a ladder from 3 to 1."""
    values = np.full((5, 5), 0.5)
    values[1, 1], values[1, 0], values[2, 1] = 0.8, 0.1, 0.7
    # He is on 2: with 1-1 he comes to 1, which leaves 0.8; any other throw brings him home: 0.8 / 16 = 0.05. Ten throws alike:
    # 0.08. As if he rolled: 0.2 / 16. He plays for the mover: 1 in 7 of 16. Either die: 0.8 / 4. Home is worth 0.1: doubles
    # 0.8 + 0.3, other throws 12 * 0.1: 2.3 / 16. One ply: 1 - 0.7.
    slips = {
        "doubles": 0.08,
        "roller": 0.0125,
        "friendly": 0.35,
        "random": 0.2,
        "his_end": 0.14375,
        "one_ply": 0.3,
    }
    first = Key(np.array([0.05]), {slip: np.array([value]) for slip, value in slips.items()})
    # He is on 4: by 1 to 3 and up to 1, by 2 to 2, by 3 to 1, by 4 home. This leaves 0.4, 0.6, 0.4, 0 after the play to 2.
    # Doubles 1.4; 2-1, 3-1 and 3-2 leave 0.4 each, twice: 3.8 / 16 = 0.2375. Alike: 2.6 / 10.
    # Exchanged: 0.8, 0.6, 0.8, 0: 2.2 + 2 * (0.6 + 0.8 + 0.6) = 6.2. As if he rolled: 0.2, 0.4, 0.2, 0: 0.8 + 2 * 0.6 = 2.
    # For the mover: 1.4 + 2 * (0.6 + 0.4 + 0.6 + 0.4 + 0.6 + 0.4) = 7.4. Either die: 1.4 / 4. Always the higher die: 1.4 + 2 *
    # (0.6 + 0.4 + 0.4) = 4.2, the lower: 1.4 + 2 * (0.4 + 0.4 + 0.6 + 0.4 + 0.6 + 0.4) = 7. Home is worth 0.9: 2.3 + 2 *
    # (0.4 + 0.4 + 0.4 + 0.4 + 0.6 + 0.4) = 7.5. No ladder, 0.2, 0.6, 0.4, 0: 1.2 + 2 * (0.2 + 0.2 + 0.4) = 2.8. One ply:
    # 1 - 0.7. After the play to 0 a value would be 0.3, 0.5, 0.3, 0: 1.1 + 2 * 0.9 = 2.9.
    goes, table = np.array([0, 1, 2, 1, 4]), np.full((5, 5), 0.5)
    table[2, :4], table[0, :4] = (0.9, 0.4, 0.6, 0.2), (0.5, 0.3, 0.5, 0.5)
    table[1, 2], table[4, 2] = 0.8, 0.7
    slips = {
        "doubles": 0.26, "view": 6.2 / 16, "roller": 2 / 16, "friendly": 7.4 / 16, "random": 0.35, "before_throw": 4.2 / 16,
        "his_end": 7.5 / 16, "no_ladders": 2.8 / 16, "one_ply": 0.3,
    }  # fmt: skip
    shown = {slip: np.array([value, 1.0]) for slip, value in slips.items()} | {
        "my_end": np.array([3.8 / 16, 2.9 / 16])
    }
    second = Key(np.array([3.8 / 16, 1.0]), shown)
    return (
        Case(
            (np.array([1]), 2, np.arange(5), values), first, title="he is on square 2, no ladders"
        ),
        Case(
            (np.array([2, 0]), 4, goes, table), second, title="a ladder; one play brings you home"
        ),
    )


def _units(points: str, *rest: float) -> np.ndarray:
    """[1, 28]: the units of four points, as digits, and the four numbers at the end."""
    return np.array([[*(float(digit) for digit in points.replace(" ", "")), *rest]])


def _positions(lists: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The positions with a checker on each of these points, in ascending order."""
    return sorted(
        tuple(points.count(point) for point in range(1, 10)) for points in map(list, lists)
    )
