"""Sheet 05, TD-Gammon: the tasks, what each usual mistake is told, and how the hidden cases are drawn."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rlcourse.checks import oracle05, visible05
from rlcourse.checks.judging import by_key, by_oracle, keyed, telling
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, ManualTask, Task, Verdict
from rlcourse.checks.visible import read_slips

# --- hyper_units ------------------------------------------------------------------------------------------------------

UNITS_MISTAKES = {
    "view": "the first player's units always come first: they are for the player who rolls next, in some rows player 1",
    "mover": "the units of the player who has just moved come first: the network speaks for the one who rolls next",
    "unturned": "the other player's points are not turned round: his point 1 is the roller's last point",
    "blocks": "all points of one player come before those of the other: here each point has three units of both in a row",
    "exact": "one unit is on for each point, the one of that very number: two checkers are also 'at least one'",
    "lesson_units": "these are the lesson's units (just one, two or more, just three): here at least one, two, three",
    "bar_off": "the bar and what is borne off are exchanged: the bar comes first",
    "lesson_scale": "the bar is halved and borne off divided by 15, as in the lesson: here both are thirds of three checkers",
}


def _checkers(rng: np.random.Generator, count: int, points: int) -> np.ndarray:
    """[count, 2, points + 2]: three checkers a side, no point held by both; some on the bar, some borne off."""
    checkers = np.zeros((count, 2, points + 2), np.int8)
    for board in checkers:
        sides = rng.permutation(points)
        sides = sides[: points // 2], points - 1 - sides[points // 2 :]
        for player, own in enumerate(sides):
            places = rng.choice([*own[:3], points, points + 1], 3)
            np.add.at(board[player], places, 1)
    return checkers


def _gathered(rng: np.random.Generator, points: int) -> np.ndarray:
    """[8, 2, points + 2]: either side once has all three on one point, on the bar, borne off, and two on the bar."""
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
        """Boards of 6, 24 and 9 points, eight positions each, with either side rolling; and one position."""
        cases = []
        for points in (6, 24, 9):
            checkers, side, order = _gathered(rng, points), np.arange(8) // 4, rng.permutation(8)
            # His are gathered, or the other's, or now these and now those.
            roller = {6: np.arange(8) % 2, 24: side, 9: 1 - side}[points].astype(np.int8)
            args = checkers[order], roller[order]
            cases.append(keyed(oracle05.hyper_units, UNITS_MISTAKES, *args))
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


# --- legal_turns ------------------------------------------------------------------------------------------------------

TURNS_MISTAKES = {
    "two": "one bug is left: a double is played twice; it is played four times, or as often as possible",
    "lower": "one bug is left: where only one of two dice can be played, it must be the higher one if that one can",
    "any_off": "one bug is left: a die that is higher than needed bears off only from the rearmost point that you hold",
    "two_and_lower": "two bugs are left: how often is a double played? and which die, where only one of two can be played?",
    "two_and_any_off": "two bugs are left: how often is a double played? and from which point may a higher die bear off?",
    "lower_and_any_off": "two bugs are left: which die, where only one of two can be played? from which point may a higher "
    "die bear off?",
    "hasty": "nothing has changed: all three bugs of hasty_turns are still there",
    "exact_off": "a die that is higher than needed never bears off: it does, from the rearmost point that you hold",
    "shorter": "a play that gets stuck after fewer dice is kept: as many dice as possible must be played",
    "one_order": "the dice are played in one order only, the higher one first: try both orders",
    "all_or_nothing": "a double that cannot be played four times is not played at all: it is played as often as possible",
    "least": "where only one of two dice can be played, the lower is chosen: it must be the higher if that one can",
    "bar": "while a checker is on the bar no other one moves: it enters first, or nothing is played",
    "stays": "where no die can be played there is still one position, the one that was given: not an empty list",
    "outside": "checkers are borne off while another one is not yet home: first all of them come to the points 1, 2 and 3",
    "repeats": "a position is listed more than once: two ways of playing that lead to one position are one turn",
}
_LISTED_TURNS = [name for name in TURNS_MISTAKES if name != "repeats"]
MOST_ROWS = 10_000  # also with every way of playing a turn listed on its own


class _Turn(NamedTuple):
    """A turn in which all the mistakes `shows` are seen. dice: "rising", "falling", "double" or any.

    checkers: on points or bar, beside those `on_bar`; 0: one to three. highest: of the points, 9 is the bar.
    """

    shows: tuple[str, ...]
    dice: str = ""
    checkers: int = 0
    on_bar: int = 0
    highest: int = 8


# The rules of the text, each with its bounds; a mistake that is not listed shows as well.
_TURNS = (
    _Turn(("two", "three", "five"), "double", 2),
    _Turn(("two", "three"), "double", 1),
    _Turn(("two",), "double", on_bar=1),
    _Turn(("all_or_nothing",), "double"),
    _Turn(("shorter",), "rising"),
    _Turn(("lower", "least"), "rising"),
    _Turn(("lower", "least"), "falling"),
    _Turn(("higher_only",), "rising"),
    _Turn(("higher_only",), "falling"),
    _Turn(("one_order",), "rising"),
    _Turn(("one_order",), "falling"),
    _Turn(("low_first", "one_order"), "falling", highest=9),
    _Turn(("any_off",), highest=3),
    _Turn(("any_off",), "falling", highest=3),
    _Turn(("exact_off",), highest=3),
    _Turn(("exact_off", "rearmost_exact"), highest=3),
    _Turn(("outside", "home_of_4"), highest=4),
    _Turn(("outside",)),
    _Turn(("bar",), on_bar=1),
    _Turn(("bar",), highest=9),
    _Turn(("one_enters",), "rising", on_bar=2),
    _Turn(("stays",), "double", on_bar=1),
    _Turn(("stays",), "falling", on_bar=1),
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
        if all(_shown(args, right, slip) for slip in turn.shows):
            return keyed(oracle05.legal_turns, _LISTED_TURNS, *args)


def _shown(args: tuple[Any, ...], right: list[tuple[int, ...]], slip: str) -> bool:
    """Whether a mistake is seen in this turn; "one_enters": another one stays on the bar."""
    if slip == "one_enters":
        return {position[8] for position in right} == {args[0][8] - 1}
    own, blocked, dice = args
    # Of a single die that is played every order tells the same: more points than one die has are moved.
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


def _by_positions(case: Case, answer: Any) -> Verdict:
    """`by_key` of a list of positions in any order; a right one with repetitions is a mistake of its own."""
    if not isinstance(answer, (list, tuple)) and not (
        isinstance(answer, np.ndarray) and answer.ndim
    ):
        return Verdict(
            0.0, "kind", (), "expected a list of positions, each a tuple of nine numbers"
        )
    if len(answer) > MOST_ROWS:
        return Verdict(
            0.0,
            "shape",
            (),
            f"no turn leads to more than {MOST_ROWS:,} positions; got {len(answer):,}",
        )
    if not all(isinstance(row, (list, tuple, np.ndarray)) for row in answer):
        return Verdict(
            0.0, "kind", (), "expected a list of positions, each a tuple of nine numbers"
        )
    odd = next((row for row in answer if len(row) != 9), None)
    if odd is not None:
        return Verdict(
            0.0,
            "shape",
            (),
            f"a position has nine numbers, points 1 to 8 and the bar; got {len(odd)}",
        )
    whole = [tuple(int(n) if float(n).is_integer() else n for n in row) for row in answer]
    verdict = by_key(case, sorted(set(whole)))
    if len(set(whole)) < len(whole) and verdict.score == 1.0:
        return Verdict(0.0, "repeats", ("repeats",))
    if verdict.mistake in ("shape", "other"):  # how many positions there are is part of the answer
        return verdict._replace(mistake="other", detail="")
    return verdict


# --- match_chances ----------------------------------------------------------------------------------------------------

MATCH_MISTAKES = {
    "view": "the outputs are read as the mover's own: they are those of the player who rolls next, whom you want to lose",
    "half_view": "only the first output is turned: his gammons are your lost ones, so those change places as well",
    "nested": "a gammon is counted as a win as well: 'win' holds all wins, the single ones are what is left without gammons",
    "plain": "gammons count no more than a single game: they bring two points, backgammons three",
    "no_triple": "a backgammon is counted as a gammon: it brings three points",
    "wraps": "more points than needed lead to a negative index, which NumPy reads from the end: the match is won at 0",
    "exchanged": "rows and columns of the table are exchanged: table[a, b] is the chance of the player who needs a",
}


def _match_table(rng: np.random.Generator, size: int) -> np.ndarray:
    """[size, size]: who needs fewer points is better off, and what one player wins the other loses."""
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


# --- gammon_targets ---------------------------------------------------------------------------------------------------

TARGETS_MISTAKES = {
    "view": "nothing is turned: the next row belongs to the other player, so what he wins you lose",
    "no_swap": "only the first output is turned: his winning a gammon is your losing one, so these two change places",
    "sign": "the outputs are turned like values, by their sign: these are probabilities, the other's win is 1 minus mine",
    "half_turn": "the next estimate is turned, the next target is not: both are the other player's",
    "own_value": "off by one: the estimate in the target is that of the next position, not of this one",
    "end_value": "the last position's target is the result alone: its own estimate has no part in it",
    "exclusive": "a won gammon is a won game, too: its target is 1 for both outputs",
    "only_two": "a backgammon (3 points) is a gammon as well",
    "points": "the points stand in the target: the outputs are probabilities, 1 where it happened",
    "swapped": "lam and 1 - lam are exchanged: the estimate counts 1 - lam, the next target lam",
}


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


# --- two_ply_chances --------------------------------------------------------------------------------------------------

PLY_MISTAKES = {
    "doubles": "the ten throws are taken as equally likely: two different numbers come twice as often as a double",
    "view": "rows and columns are exchanged: after his move you roll next, so your square comes first",
    "roller": "the table is asked as if he rolled again: after his move it is your turn, and the value is yours already",
    "friendly": "he plays for you: of his two moves he takes the one that leaves you less",
    "random": "he moves by either die at random: of his two moves he takes the one that leaves you less",
    "before_throw": "he decides for the higher or the lower die before he has thrown: the best reply is inside the mean, a "
    "different one for each throw",
    "my_end": "a play that brings you home has won: no throw can change that, and values[0, ...] means nothing",
    "his_end": "a move that brings him home has won for him: values[..., 0] means nothing",
    "no_ladders": "his counter stands where the die put it: look up in `goes` where it ends",
    "one_ply": "this is the table's word after one ply: look at each of his throws and at his best move",
}


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
    """The same race on tracks with one ladder more or less, or another end of one, where this matters."""
    right = oracle05.two_ply_chances(plays, theirs, goes, values)
    for square in range(max(1, theirs - 4), theirs):
        for end in range(1, square + 1):
            changed = goes.copy()
            changed[square] = end
            if _ply_domain(plays, theirs, changed, values) and not np.allclose(
                oracle05.two_ply_chances(plays, theirs, changed, values), right
            ):
                yield plays, theirs, changed, values


def _ply_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Tracks of 9 to 18 squares, six plays each, two of them home on the longest; and one play that is not."""
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
                    oracle05.two_ply_chances,
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
        if not moved:
            return draw(rng)
        asked = again, one, moved[0]
        return [*cases, *(keyed(oracle05.two_ply_chances, PLY_MISTAKES, *args) for args in asked)]

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


# --- the sheet --------------------------------------------------------------------------------------------------------

_ORACLES = ("hyper_units", "legal_turns", "match_chances", "gammon_targets", "two_ply_chances")
_WITHHELD = tuple(f"rlcourse.checks.oracle05:{name}" for name in _ORACLES)

SHEET = Sheet(
    number="05",
    title="TD-Gammon",
    tasks=(
        Task(
            "hyper_units",
            13,
            12,
            1,
            "hyper_units",
            _units_cases,
            by_key,
            _WITHHELD,
            "Units for three checkers a side",
            visible05.hyper(),
            UNITS_MISTAKES,
            "boards of 6, 9 and 24 points, eight positions at once, both players rolling next, checkers on the bar and off",
            domain=_units_domain,
            key=by_oracle(oracle05.hyper_units, UNITS_MISTAKES),
        ),
        Task(
            "legal_turns",
            18,
            16,
            3,
            "legal_turns",
            _turns_cases,
            _by_positions,
            _WITHHELD,
            "Find the bugs: a hasty generator",
            visible05.turns(),
            TURNS_MISTAKES,
            "one to three checkers, on the bar too; doubles that get stuck, one die that can be played, bearing off; each "
            "position once",
            domain=_turns_domain,
            key=by_oracle(oracle05.legal_turns, _LISTED_TURNS),
        ),
        Task(
            "match_chances",
            15,
            12,
            2,
            "match_chances",
            _match_cases,
            by_key,
            _WITHHELD,
            "What a gammon is worth in a match",
            visible05.match(),
            MATCH_MISTAKES,
            "six plays at once, matches in which either player needs 1 to 5 points, other tables",
            domain=_match_domain,
            key=by_oracle(oracle05.match_chances, MATCH_MISTAKES),
        ),
        Task(
            "gammon_targets",
            17,
            13,
            2,
            "gammon_targets",
            _targets_cases,
            by_key,
            _WITHHELD,
            "Lambda-returns with gammons",
            visible05.gammons(),
            TARGETS_MISTAKES,
            "games of 4 to 8 positions that end with 1, 2 or 3 points, other lam",
            domain=_targets_domain,
            key=by_oracle(oracle05.gammon_targets, TARGETS_MISTAKES),
        ),
        Task(
            "two_ply_chances",
            17,
            14,
            3,
            "two_ply_chances",
            _ply_cases,
            by_key,
            _WITHHELD,
            "Look one throw ahead",
            visible05.two_ply(),
            PLY_MISTAKES,
            "tracks of 9 to 18 squares with ladders, six plays at once, one of them home, tables full of numbers",
            domain=_ply_domain,
            key=by_oracle(oracle05.two_ply_chances, PLY_MISTAKES),
        ),
    ),
    manual=(
        ManualTask("experiment", 12, 12, 2, "Experiment: what is looking ahead worth?"),
        ManualTask("explanation", 8, 8, 2, "Explain what you saw"),
    ),
    stand_ins={"two_ply_chances": lambda *args: oracle05.two_ply_chances(*args)},
    slips=read_slips(Path(__file__).with_name("visible05.json")),
)

check, grade, attempt, summary, stand_in = (
    SHEET.check,
    SHEET.grade,
    SHEET.attempt,
    SHEET.summary,
    SHEET.stand_in,
)
