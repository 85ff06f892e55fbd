"""Questions from the whole domain of sheet 05's tasks, and the changes that change no answer."""

import numpy as np

from rlcourse.checks.task import Case
from tests.mutants.asking import Domain


def _share(rng: np.random.Generator) -> float:
    """A lambda, now and then 0 or 1."""
    return float(rng.choice([0.0, 1.0, *rng.uniform(0, 1, 3)]))


def _hyper_units(rng: np.random.Generator) -> Case:
    count, points = int(rng.integers(1, 6)), int(rng.integers(1, 25))
    checkers = np.zeros((count, 2, points + 2), np.int8)
    for board in checkers:
        held = rng.random(points) < rng.random()  # the points where player 0 may stand
        for player, own in enumerate((held, ~held[::-1])):
            places = np.append(np.flatnonzero(own), [points, points + 1])
            # Few places make two and three checkers on one of them likely.
            places = rng.permutation(places)[: int(rng.integers(1, 5))]
            np.add.at(board[player], rng.choice(places, 3), 1)
    return Case((checkers, rng.integers(0, 2, count).astype(np.int8)))


def _legal_turns(rng: np.random.Generator) -> Case:
    checkers, highest = int(rng.integers(1, 4)), int(rng.choice([3, 4, 9, 9]))
    own = np.bincount(rng.integers(0, highest, checkers), minlength=9)
    free = rng.permutation(np.flatnonzero(own[:8] == 0) + 1)
    blocked = sorted(free[: int(rng.integers(0, 7))].tolist())
    first = int(rng.integers(1, 5))
    second = first if rng.random() < 0.3 else int(rng.integers(1, 5))
    return Case((tuple(own.tolist()), blocked, (first, second)))


def _match_chances(rng: np.random.Generator) -> Case:
    size, count = int(rng.integers(2, 9)), int(rng.integers(1, 7))
    table = rng.uniform(0, 1, (size, size))
    table = (1 + table - table.T) / 2
    table[:, 0], table[0] = 0.0, 1.0
    win = rng.uniform(0, 1, count)
    gammons, lost = win * rng.uniform(0, 1, count), (1 - win) * rng.uniform(0, 1, count)
    outputs = [win, gammons, gammons * rng.uniform(0, 1, count)]
    outputs += [lost, lost * rng.uniform(0, 1, count)]
    mine, theirs = rng.integers(1, size, 2).tolist()
    return Case((np.stack(outputs, axis=1), mine, theirs, table))


def _gammon_targets(rng: np.random.Generator) -> Case:
    length = int(rng.integers(1, 11))
    win = rng.uniform(0, 1, length)
    gammons, lost = win * rng.uniform(0, 1, length), (1 - win) * rng.uniform(0, 1, length)
    return Case((np.stack([win, gammons, lost], axis=1), int(rng.integers(1, 4)), _share(rng)))


def _two_ply_chances(rng: np.random.Generator) -> Case:
    length, count = int(rng.integers(1, 25)), int(rng.integers(1, 7))
    goes = np.arange(length + 1)
    feet = rng.random(length + 1) < 0.7  # no ladder begins on one of these
    feet[0] = True
    for square in np.flatnonzero(~feet):
        goes[square] = rng.choice(np.flatnonzero(feet[:square]))
    stand = np.flatnonzero(feet)
    if len(stand) == 1:  # somebody has to be on the way
        return _two_ply_chances(rng)
    theirs = int(rng.choice(stand[1:][: 6 if rng.random() < 0.5 else None]))
    plays = np.where(rng.random(count) < 0.2, 0, rng.choice(stand, count))
    return Case((plays, theirs, goes, rng.uniform(0, 1, (length + 1, length + 1))))


_EVEN = np.array([[1.0, 1.0], [0.0, 0.5]])  # the table of a match that the next game decides
_SURE = np.array([[0.0, 0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.0, 0.0]])  # two backgammons
DOMAINS = {
    "hyper_units": Domain(
        _hyper_units,
        (
            Case((np.array([[[0, 3, 0], [0, 0, 3]]], np.int8), np.array([1], np.int8))),
            Case((np.array([[[3, 0, 0], [0, 1, 2]]], np.int8), np.array([0], np.int8))),
        ),
    ),
    "legal_turns": Domain(
        _legal_turns,
        (
            Case(((3, 0, 0, 0, 0, 0, 0, 0, 0), [], (1, 1))),
            Case(((0, 0, 0, 0, 0, 0, 0, 0, 0), [1], (2, 3))),
            Case(((0, 0, 0, 0, 0, 0, 0, 0, 3), [5, 6, 7, 8], (4, 4))),
        ),
    ),
    "match_chances": Domain(
        _match_chances, (Case((_SURE, 1, 1, _EVEN)), Case((_SURE[:1], 1, 1, _EVEN)))
    ),
    "gammon_targets": Domain(
        _gammon_targets,
        (
            Case((np.array([[1.0, 1.0, 0.0]]), 1, 0.5)),
            Case((np.array([[0.0, 0.0, 1.0], [0.5, 0.0, 0.0]]), 3, 0.0)),
        ),
    ),
    "two_ply_chances": Domain(
        _two_ply_chances,
        (
            Case((np.array([0]), 1, np.array([0, 1]), np.full((2, 2), 0.3))),
            Case((np.array([1, 0, 1]), 1, np.array([0, 1]), np.full((2, 2), 0.7))),
        ),
    ),
}

# task -> the reason why these changes change no answer -> a part of each that tells it from others
EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "hyper_units": {
        "lines and points that do not need one another": (
            "moved: M, _, size",
            "moved: blocks = []",
            "moved: boards = np.where",
            "moved: row = []",
            "moved: rows.append(row)",
            "moved: units = np.zeros",
            "moved: units[:, -4:]",
            "moved: units[:, 6 * point + 3",
            "range(size - 2 - 1, -1, -1)",
        ),
        "the turned boards are a new array, under either name": ("boards = checkers",),
        "nobody has a fourth checker, so the row for it is not read": ("np.ones((5, 3))",),
        "a negative length tells reshape to find it": ("reshape(len(m), -2)",),
        "from the end of a pair, -1 and -2 are 1 and 0": (
            "board[r - 1]",
            "board[-1 - r]",
            "checkers[m, roller - 1]",
            "checkers[m, -1 - roller]",
        ),
        "every unit is written": ("-> units = np.ones",),
    },
    "legal_turns": {
        "lines, conditions and results of a set that do not need one another": (
            "moved: ",
            "continue ; if goal in blocked",
            "continue ; if goal < 0",
            "continue ; if to < 1",
            "((*used, dice[0]), end)",
        ),
        "both orders of two dice are tried, and four steps with equal dice": (
            "in (dice[::-1], dice):",
            "high, low = (min(dice), max(dice))",
            "range(4 - 1, -1, -1)",
            "steps(position, blocked, dice[1])}",
            "steps(position, blocked, dice[-1])}",
        ),
        "own is a tuple already, and a list or a set does for another": (
            "-> reached = {own}",
            "die: steps(own, blocked, die) for die",
            "{own})",
            "in play(own, blocked, order)",
            "-> return sorted(table[max(table)])",
            "-> return [n for n in board]",
            "-> points = [9]",
            "add(tuple(board))",
        ),
        "the numbers are whole": ("dtype=int)",),
        "point 0 reads the bar, and from there only point 9 moves": ("range(0, 10)",),
        "a double that is stuck stays stuck": ("break -> continue",),
        "whoever bears off has nobody on point 4": ("own[point:3 + 1]", "own[point:4]"),
        "a position on the way has played fewer dice than the longest play": (
            "moved = True -> ",
            "if not moved: ; table",
        ),
        "the longest plays of two dice or more have one key": (
            "order if played == 1 else 0",
            "order[0] if played == 1 else 1",
            "order[0] if played == 1 else -1",
        ),
    },
    "match_chances": {
        "the larger of two numbers has no order": (
            "max(0, mine - ",
            "max(0, theirs - ",
            "np.clip(0, ",
        ),
        "at the last point the table says 1 or 0 itself": ("points > mine", "-points <= theirs"),
        "no game brings 0 points": ("-> if points >= 0:", "-> if points > -1:"),
        "whoever plays needs at least one point, so one less is no negative number": (
            "-> chance += (win - win_g) * table[mine, theirs - 1]",
            "-> chance = (1 - win - lose_g) * table[mine - 1, theirs]",
            "max(theirs - 1, -1)",
            "max(mine - 1, -1)",
        ),
        "a number or a column behind the last is not read": (
            "np.arange(1, 5)",
            "outputs[:, 1:3 + 1]",
            "outputs[:, 1:4]",
        ),
        "lines, and terms of a sum, that do not need one another": (
            "moved: chance",
            "moved: lost = ",
            "moved: my = ",
            "moved: won = ",
            "-> for k in (2, 1):",
        ),
    },
    "gammon_targets": {
        "the sum is a new array already": ("-> target += ",),
        "a truth counts as 1 or 0": ("np.array([1.0, points > 1, 0.0])",),
        "every row is written before it is read": (
            "-> targets = outputs.copy()",
            "-> targets = np.ones",
        ),
        "signs, and two positions more or less, do not matter for even or odd": (
            "-> other = ",
            "-steps % 2",
            "steps % -2",
        ),
        "lines that do not need one another": (
            "moved: T, result, targets",
            "moved: goal = ",
            "moved: turned = ",
        ),
        "a set of two results has no order": ("points in (3, 2)",),
        "the result is of whole numbers": ("dtype=int)",),
        "a list of rows does for an array": ("-> return targets[::-1]",),
    },
    "two_ply_chances": {
        "the larger or smaller of two numbers, and two dice, have no order": (
            "min(left(low), left(high))",
            "max(theirs - die, 0)",
            "np.maximum(0, theirs - ",
            "-> for die in (second, first):",
        ),
        "the last axis is axis 1": ("np.sort(left) @",),
        "square 0 ends on square 0": ("theirs >= die",),
        "a list of four does for an array": ("@ [7, 5, 3, 1]",),
        "lines, and terms of a sum, that do not need one another": (
            "moved: if play == 0",
            "moved: mean += ",
            "moved: mean = 0",
        ),
        "a whole 0, and whole weights, count like others": ("dtype=int)",),
    },
}
