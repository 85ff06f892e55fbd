"""Sheet 05, TD-Gammon: how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from rlcourse.checks import oracle05, reference05
from rlcourse.checks.judging import by_oracle, keyed, telling
from rlcourse.checks.sheet05 import (
    MATCH_MISTAKES,
    PLY_MISTAKES,
    TARGETS_MISTAKES,
    TURNS_MISTAKES,
    UNITS_MISTAKES,
)
from rlcourse.checks.task import Case, Hidden

# --- hyper_units ----------------------------------------------------------------------------------


def _checkers(rng: np.random.Generator, count: int, points: int) -> np.ndarray:
    """[count, 2, points + 2]: three checkers a side, no point held by both; some
    on the bar, some borne off.
    """
    checkers = np.zeros((count, 2, points + 2), np.int8)
    for board in checkers:
        shuffled = rng.permutation(points)
        sides = shuffled[: points // 2], points - 1 - shuffled[points // 2 :]
        for player, own in enumerate(sides):
            places = rng.choice([*own[:3], points, points + 1], 3)
            np.add.at(board[player], places, 1)
    return checkers


def _gathered(rng: np.random.Generator, points: int) -> np.ndarray:
    """[8, 2, points + 2]: either side once has all three on one point, on the bar,
    borne off, and two on the bar.
    """
    checkers = _checkers(rng, 8, points)
    gathered = np.zeros((4, points + 2), np.int8)
    gathered[0, rng.integers(points)] = gathered[1, points] = gathered[2, points + 1] = 3
    gathered[3, points : points + 2] = 2, 1
    for number, board in enumerate(checkers):
        side = number // 4
        board[side] = gathered[number % 4]
        met = np.flatnonzero((board[0, :points] > 0) & (board[1, points - 1 :: -1] > 0))
        if len(met):  # the other side enters again
            points_of_other = met if side else points - 1 - met
            board[1 - side, points] += board[1 - side, points_of_other].sum()
            board[1 - side, points_of_other] = 0
    return checkers


def _units_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Boards of 6, 24 and 9 points, eight positions each, with either side
        rolling; and one position.
        """
        cases = []
        for points in (6, 24, 9):
            checkers, side, order = _gathered(rng, points), np.arange(8) // 4, rng.permutation(8)
            # The checkers of the one who rolls are gathered, or the other's, or now these and now those.
            roller = {6: np.arange(8) % 2, 24: side, 9: 1 - side}[points].astype(np.int8)
            args = checkers[order], roller[order]
            cases.append(keyed(oracle05.hyper_units, UNITS_MISTAKES, *args))
        if len({int(case.args[1][0]) for case in cases}) < 2:  # either player rolls first
            return draw(rng)
        last = args[0][:1].copy(), args[1][:1].copy()
        return [*cases, keyed(oracle05.hyper_units, UNITS_MISTAKES, *last)]

    return telling(draw, rng)


def _units_domain(checkers: np.ndarray, roller: np.ndarray) -> bool:
    """Three checkers a side, and no point is held by both."""
    shapes = (
        checkers.ndim == 3
        and checkers.shape[1] == 2
        and roller.shape == (len(checkers),)
        and set(roller.tolist()) <= {0, 1}
    )
    both = (checkers[:, 0, :-2] > 0) & (checkers[:, 1, -3::-1] > 0)
    return (
        shapes
        and checkers.min() >= 0
        and bool((checkers.sum(axis=2) == 3).all())
        and not both.any()
    )


# --- legal_turns ----------------------------------------------------------------------------------

_LISTED_TURNS = [name for name in TURNS_MISTAKES if name != "repeats"]


class _Turn(NamedTuple):
    """A turn in which all the mistakes `shows` are seen. dice: "rising",
    "falling", "double" or any.

    checkers: on points or bar, beside those `on_bar`; 0: one to three. highest:
    of the points, 9 is the bar. apart: mistakes that answer otherwise than all in `shows`.
    """

    shows: tuple[str, ...]
    dice: str = ""
    checkers: int = 0
    on_bar: int = 0
    highest: int = 8
    apart: tuple[str, ...] = ()


# The rules of the text, each with its bounds; a mistake that is not listed shows as well.
_TURNS = (
    _Turn(("two", "three", "five"), "double", 2),
    _Turn(("two", "three"), "double", 1),
    _Turn(("two",), "double", on_bar=1),
    _Turn(("fewer",), "double"),
    _Turn(("all_or_nothing", "lost_double"), "double"),
    _Turn(("four_or_two",), "double"),
    _Turn(("doubled",), "double", apart=("two", "all_or_nothing")),
    _Turn(("shorter",), "rising"),
    _Turn(("lower", "least"), "rising"),
    _Turn(("lower", "least"), "falling"),
    _Turn(("lower_only",), apart=("least",)),
    _Turn(("higher_or_none",), apart=("stays",)),
    _Turn(("higher_only",), "rising"),
    _Turn(("higher_only",), "falling"),
    _Turn(("begins_high",)),
    _Turn(("one_order",), "rising"),
    _Turn(("one_order",), "falling"),
    _Turn(("low_first", "one_order"), "falling", highest=9),
    _Turn(("any_off",), highest=3),
    _Turn(("any_off",), "falling", highest=3),
    _Turn(("any_off",), "", 3, highest=3, apart=("past_one",)),
    _Turn(("any_off",), highest=4, apart=("past_die",)),
    _Turn(("held_inside",), highest=6, apart=("any_off",)),
    _Turn(("foremost",), "", 2, highest=3, apart=("any_off", "exact_off")),
    _Turn(("exact_off",), highest=3),
    _Turn(("exact_off", "rearmost_exact"), highest=3),
    _Turn(("from_three",), highest=3, apart=("any_off", "exact_off")),
    _Turn(("before_turn",), highest=5, apart=("outside",)),
    _Turn(("outside", "home_of_4"), highest=4),
    _Turn(("outside",)),
    _Turn(("bar",), on_bar=1),
    _Turn(("bar",), highest=9),
    _Turn(("one_enters",), "rising", on_bar=2),
    _Turn(("stays",), "double", on_bar=1),
    _Turn(("stays", "stays_unequal"), "falling", on_bar=1),
    _Turn(("lands",)),
    _Turn(("enters",), on_bar=1),
    _Turn(("bar_8",), on_bar=1, apart=("enters",)),
    _Turn(("through_blocked",), "rising", highest=9),
)


def _turns_case(rng: np.random.Generator, turn: _Turn) -> Case:
    """A turn of this kind."""
    while True:
        own = np.zeros(9, np.int64)
        count = turn.checkers or int(rng.integers(1, 4))
        np.add.at(own, rng.integers(0, turn.highest, count), 1)
        own[8] += turn.on_bar
        free = np.flatnonzero(own[:8] == 0) + 1
        blocked = sorted(
            rng.choice(free, min(len(free), int(rng.integers(0, 5))), replace=False).tolist()
        )
        low, high = sorted(rng.choice(np.arange(1, 5), 2, replace=False).tolist())
        dice = {"rising": (low, high), "falling": (high, low), "double": (low, low)}.get(
            turn.dice, tuple(rng.integers(1, 5, 2).tolist())
        )
        args = (tuple(own.tolist()), blocked, dice)
        right = oracle05.legal_turns(*args)
        shown = [oracle05.legal_turns(*args, slip) for slip in turn.shows]
        others = [oracle05.legal_turns(*args, slip) for slip in turn.apart]
        if all(_shown(args, right, slip) for slip in turn.shows) and not any(
            other in shown for other in others
        ):
            return keyed(oracle05.legal_turns, _LISTED_TURNS, *args)


def _shown(args: tuple[Any, ...], right: list[tuple[int, ...]], slip: str) -> bool:
    """Whether a mistake is seen in this turn; "one_enters": another one stays on the bar."""
    if slip == "one_enters":
        return {position[8] for position in right} == {args[0][8] - 1}
    own, blocked, dice = args
    # Of a single die that is played every order tells the same: more points
    # than one die has are moved.
    moved = max(np.subtract(own, position) @ np.arange(1, 10) for position in right)
    return right != oracle05.legal_turns(own, blocked, dice, slip) and (
        slip != "low_first" or moved > max(dice)
    )


def _turns_cases(rng: np.random.Generator) -> list[Case]:
    return telling(lambda rng: [_turns_case(rng, turn) for turn in _TURNS], rng)


def _turns_domain(own: tuple[int, ...], blocked: list[int], dice: tuple[int, int]) -> bool:
    """The opponent holds what is blocked, so the mover is not there."""
    free = all(1 <= point <= 8 and own[point - 1] == 0 for point in blocked)
    return len(own) == 9 and min(own) >= 0 and free and len(dice) == 2 and set(dice) <= {1, 2, 3, 4}


# --- match_chances --------------------------------------------------------------------------------


def _match_table(rng: np.random.Generator, size: int) -> np.ndarray:
    """[size, size]: who needs fewer points is better off, and what one
    player wins the other loses.
    """
    chances = np.sort(np.sort(rng.uniform(0.05, 0.95, (size, size)), axis=1), axis=0)[::-1]
    table = (1 + chances - chances.T) / 2
    table[:, 0], table[0] = 0.0, 1.0
    return table


def _match_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Five scores, six plays each, and one play."""
        cases = []
        for mine, theirs in ((1, 2), (2, 1), (4, 2), (3, 5), (5, 5)):
            table = _match_table(rng, int(rng.integers(6, 9)))
            win = rng.uniform(0.3, 0.7, 6)
            gammons = [part * rng.uniform(0.2, 0.6, 6) for part in (win, 1 - win)]
            triples = [part * rng.uniform(0.1, 0.5, 6) for part in gammons]
            outputs = np.stack([win, gammons[0], triples[0], gammons[1], triples[1]], axis=1)
            cases.append(
                keyed(oracle05.match_chances, MATCH_MISTAKES, outputs, mine, theirs, table)
            )
        other = _match_table(rng, len(table))  # the same score in another kind of match
        again = (outputs, mine, theirs, other), (outputs[:1].copy(), 2, 3, other)
        return [*cases, *(keyed(oracle05.match_chances, MATCH_MISTAKES, *args) for args in again)]

    return telling(draw, rng)


def _match_domain(outputs: np.ndarray, mine: int, theirs: int, table: np.ndarray) -> bool:
    win, win_gammon, win_triple, lose_gammon, lose_triple = outputs.T
    nested = (
        (win >= win_gammon)
        & (win_gammon >= win_triple)
        & (1 - win >= lose_gammon)
        & (lose_gammon >= lose_triple)
    )
    ends = (
        (table[0, 1:] == 1).all()
        and (table[1:, 0] == 0).all()
        and table.min() >= 0
        and table.max() <= 1
        and np.allclose(table[1:, 1:] + table[1:, 1:].T, 1)
    )
    return bool(nested.all()) and bool(ends) and 1 <= mine < len(table) and 1 <= theirs < len(table)


# --- gammon_targets -------------------------------------------------------------------------------


def _targets_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    lengths = rng.permutation([4, 5, *rng.integers(4, 9, 2)]).tolist()  # one even, one odd
    for points, length in zip((1, 2, 3, int(rng.integers(2, 4))), lengths, strict=True):
        win = rng.uniform(0.2, 0.8, length)
        outputs = np.stack(
            [win, win * rng.uniform(0.1, 0.4, length), (1 - win) * rng.uniform(0.5, 0.8, length)],
            axis=1,
        )
        lam = float(rng.choice([0.2, 0.3, 0.7, 0.8]))
        cases.append(keyed(oracle05.gammon_targets, TARGETS_MISTAKES, outputs, points, lam))
    for again in (
        (outputs, points, 0.5),
        (outputs, 1, 0.0),
        (outputs, 3, 1.0),
        (outputs[:1], 3, lam),
    ):  # another lambda, both bounds of it; a game of one position
        cases.append(keyed(oracle05.gammon_targets, TARGETS_MISTAKES, *again))
    return cases


def _targets_domain(outputs: np.ndarray, points: int, lam: float) -> bool:
    win, win_gammon, lose_gammon = outputs.T
    nested = (
        (win >= win_gammon)
        & (1 - win >= lose_gammon)
        & (win_gammon >= 0)
        & (lose_gammon >= 0)
        & (win <= 1)
    )
    return bool(nested.all()) and points in (1, 2, 3) and 0 <= lam <= 1


# --- two_ply_chances ------------------------------------------------------------------------------


def _ladders(rng: np.random.Generator, length: int) -> np.ndarray:
    """[length + 1]: two to four ladders, none of which begins where another ends."""
    goes = np.arange(length + 1)
    places = rng.permutation(np.arange(1, length))[: 4 if length < 10 else 8]
    for one, other in places.reshape(-1, 2):
        goes[max(one, other)] = min(one, other)
    return goes


def _other_ladders(
    plays: np.ndarray, theirs: int, goes: np.ndarray, values: np.ndarray
) -> Iterator[tuple[Any, ...]]:
    """The same race on tracks with one ladder more or less, or another end of one, such as home,
    where this matters.
    """
    right = reference05.two_ply_chances(plays, theirs, goes, values)
    for square in range(max(1, theirs - 4), theirs):
        for end in range(square + 1):
            changed = goes.copy()
            changed[square] = end
            if _ply_domain(plays, theirs, changed, values) and not np.allclose(
                reference05.two_ply_chances(plays, theirs, changed, values), right
            ):
                yield plays, theirs, changed, values


def _ply_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Tracks of 9 to 18 squares, six plays each, two of them home on the
        longest; one play that is not; another ladder, and one that leads home.
        """
        cases = []
        for length in (9, 12, 15, 18):
            near = stand = np.zeros(0, np.int64)
            while not len(near):
                goes = _ladders(rng, length)
                # Nobody stays at the upper end of a ladder.
                stand = np.flatnonzero(goes == np.arange(length + 1))
                near = stand[(stand > 1) & (stand < 4)] if length == 9 else stand[stand > 4]
            theirs = int(rng.choice(near))
            plays = np.append(rng.choice(stand[1:-1], min(5, len(stand) - 2), replace=False), 0)
            if length == 18:
                plays[0] = 0
            values = rng.uniform(0.1, 0.9, (length + 1, length + 1))
            cases.append(
                keyed(
                    reference05.two_ply_chances,
                    PLY_MISTAKES,
                    rng.permutation(plays),
                    theirs,
                    goes,
                    values,
                )
            )
        again = (
            *cases[-1].args[:3],
            rng.uniform(0.1, 0.9, values.shape),
        )  # the same race, another network
        one = (cases[0].args[0][cases[0].args[0] > 0][:1].copy(), *cases[0].args[1:])
        moved = [args for case in cases for args in _other_ladders(*case.args)]
        ends = [(args[2][1:] == 0).any() for args in moved]
        if all(ends) or not any(ends):
            return draw(rng)
        asked = again, one, moved[ends.index(False)], moved[ends.index(True)]
        return [
            *cases,
            *(keyed(reference05.two_ply_chances, PLY_MISTAKES, *args) for args in asked),
        ]

    return telling(draw, rng)


def _ply_domain(plays: np.ndarray, theirs: int, goes: np.ndarray, values: np.ndarray) -> bool:
    """Ladders lead down and are climbed at once, so no counter stands at the upper end of one."""
    squares = np.arange(len(goes))
    ladders = (
        (goes <= squares).all()
        and (goes >= 0).all()
        and (goes[goes] == goes).all()
        and goes[0] == 0
    )
    stands = (
        (goes[plays] == plays).all() and goes[theirs] == theirs and theirs > 0 and plays.min() >= 0
    )
    return (
        bool(ladders)
        and bool(stands)
        and values.shape == (len(goes), len(goes))
        and 0 <= values.min() <= values.max() <= 1
    )


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "hyper_units": Hidden(
        _units_cases, _units_domain, by_oracle(oracle05.hyper_units, UNITS_MISTAKES)
    ),
    "legal_turns": Hidden(
        _turns_cases, _turns_domain, by_oracle(oracle05.legal_turns, _LISTED_TURNS)
    ),
    "match_chances": Hidden(
        _match_cases, _match_domain, by_oracle(oracle05.match_chances, MATCH_MISTAKES)
    ),
    "gammon_targets": Hidden(
        _targets_cases, _targets_domain, by_oracle(oracle05.gammon_targets, TARGETS_MISTAKES)
    ),
    "two_ply_chances": Hidden(
        _ply_cases, _ply_domain, by_oracle(reference05.two_ply_chances, PLY_MISTAKES)
    ),
}
