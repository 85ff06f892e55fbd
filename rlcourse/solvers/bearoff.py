"""The end of a backgammon race, solved: all checkers are home, the sides have passed each other, only the dice decide.

A side is `counts` [6]: its checkers on its own points 1 to 6 (index 0 = ace point), 15 at most; the rest is borne off.
Positions are numbered so that every move leads to a smaller number and those of n checkers or fewer come first; GNU Backgammon
numbers them in the same way. Each table is made in about a second and kept in memory.
"""

from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np

from rlcourse.kernels import kernel

POINTS, CHECKERS, BOTH_CHECKERS = (
    6,
    15,
    6,
)  # points of the home board; most checkers alone, and of each side in a race of two
POSITIONS, BOTH_POSITIONS = (
    comb(CHECKERS + POINTS, POINTS),
    comb(BOTH_CHECKERS + POINTS, POINTS),
)  # 54,264 and 924
MOST_ROLLS = 30  # the unluckiest bear-off of 15 checkers, all on the 6-point

# [21, 2] the throws, higher die first, and [21] their chances.
THROWS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)])
CHANCES = np.where(THROWS[:, 0] == THROWS[:, 1], 1, 2) / 36

_CHOOSE = np.array(
    [[comb(tail + k - 1, k) for tail in range(CHECKERS + 1)] for k in range(1, POINTS + 1)]
)


class OneSided(NamedTuple):
    """Every position of one side, played so that the expected number of rolls is least.

    counts [54264, 6] int8; expected [54264] float64: rolls until all checkers are off; rolls [54264, 31] float64: the
    probability that it takes just k rolls; best [54264, 21] int32: the number of the position after each of THROWS.
    """

    counts: np.ndarray
    expected: np.ndarray
    rolls: np.ndarray
    best: np.ndarray


def position_index(counts: np.ndarray) -> np.ndarray:
    """[...] int64: the numbers of positions given as counts [..., 6]. Raises ValueError for what is no position.

    With tail_k checkers on the k rearmost points it is the sum of C(tail_k + k - 1, k), a combinatorial number system.
    """
    counts = np.asarray(counts)
    if counts.ndim == 0 or counts.shape[-1] != POINTS or counts.dtype.kind not in "iu":
        raise ValueError(
            f"a side is 6 whole numbers, its checkers on its points 1 to 6; got {counts.dtype} {counts.shape}"
        )
    if (counts < 0).any() or (counts.sum(axis=-1) > CHECKERS).any():
        raise ValueError("a side has 0 to 15 checkers in all, and no point holds less than 0")
    tails = np.cumsum(counts[..., ::-1], axis=-1, dtype=np.int64)
    return _CHOOSE[np.arange(POINTS), tails].sum(axis=-1)


def expected_rolls(counts: np.ndarray) -> np.ndarray:
    """[...] float64: the expected number of rolls that counts [..., 6] need. One checker on the ace point: 1."""
    return one_sided().expected[position_index(counts)]


def roll_distribution(counts: np.ndarray) -> np.ndarray:
    """[..., 31] float64: the probability that counts [..., 6] are off after just 0, 1, 2 ... rolls."""
    return one_sided().rolls[position_index(counts)]


def win_probability(mover: np.ndarray, opponent: np.ndarray) -> np.ndarray:
    """[...] float64: how likely `mover` [..., 6], who rolls next, wins against `opponent` [..., 6], both playing best.

    6 checkers a side at most, so nobody can lose a gammon. Raises ValueError with more, or where both have none.
    """
    rows, columns = position_index(mover), position_index(opponent)
    if (rows >= BOTH_POSITIONS).any() or (columns >= BOTH_POSITIONS).any():
        raise ValueError(f"the race of two sides is solved for up to {BOTH_CHECKERS} checkers each")
    if ((rows == 0) & (columns == 0)).any():
        raise ValueError("both sides have borne off everything; who was first?")
    return two_sided()[rows, columns]


@lru_cache(maxsize=1)
def one_sided() -> OneSided:
    """The table of one side."""
    counts, after = _rules(POSITIONS)
    expected, rolls = np.zeros(POSITIONS), np.zeros((POSITIONS, MOST_ROLLS + 1))
    best = np.zeros((POSITIONS, len(THROWS)), np.int32)
    _solve_one(after, THROWS, CHANCES, expected, rolls, best)
    return OneSided(counts, expected, rolls, best)


@lru_cache(maxsize=1)
def two_sided() -> np.ndarray:
    """[924, 924] float64: the win probability of the side that rolls next, rows by its number, columns by the other's."""
    _, after = _rules(BOTH_POSITIONS)
    offsets, choices = _all_choices(after, THROWS)
    value = np.zeros((BOTH_POSITIONS, BOTH_POSITIONS))
    value[0] = 1.0
    _solve_two(offsets, choices, CHANCES, value)
    return value


def _rules(positions: int) -> tuple[np.ndarray, np.ndarray]:
    """(counts [N, 6] int8, after [N, 6, 6] int32): the first N positions, and the number of the position after moving a
    checker by each die (1 to 6) from each point (1 to 6), -1 where that is illegal."""
    grids = [np.array([], np.int8).reshape(1, 0)]
    for _ in range(POINTS):
        rows = np.repeat(grids[-1], CHECKERS + 1, axis=0)
        rows = np.column_stack(
            [rows, np.tile(np.arange(CHECKERS + 1, dtype=np.int8), len(grids[-1]))]
        )
        grids.append(rows[rows.sum(axis=1) <= CHECKERS])
    counts = grids[-1][np.argsort(position_index(grids[-1]))][:positions]
    behind = counts.sum(axis=1)[:, None] - np.cumsum(
        counts, axis=1
    )  # [N, 6] checkers on higher points
    after = np.full((len(counts), 6, POINTS), -1, np.int32)
    for die in range(1, 7):
        for point in range(1, POINTS + 1):
            # A higher die than needed bears off only the rearmost checker.
            legal = (counts[:, point - 1] > 0) & ((die <= point) | (behind[:, point - 1] == 0))
            moved = counts[legal].copy()
            moved[:, point - 1] -= 1
            if point > die:
                moved[:, point - die - 1] += 1
            after[legal, die - 1, point - 1] = position_index(moved)
    return counts, after


@kernel
def _best_goal(after, expected, goals, position, die):
    """Of the goals that follow a move by `die`, the one with the fewest expected rolls; with nothing to move, itself."""
    best = position
    for point in range(after.shape[2]):
        following = after[position, die, point]
        if following >= 0 and (best == position or expected[goals[following]] < expected[best]):
            best = goals[following]
    return best


@kernel
def _solve_one(after, throws, chances, expected, rolls, best):
    # goal[die, n, position]: where n moves by that die lead at best. Numbers ascend, so all that follows is known.
    goal = np.zeros((6, 5, len(after)), np.int32)
    for position in range(len(after)):
        for die in range(6):
            goal[die, 0, position] = position
            for n in range(1, 5):
                goal[die, n, position] = _best_goal(
                    after, expected, goal[die, n - 1], position, die
                )
        if position == 0:
            rolls[0, 0] = 1.0
            continue
        expected[position] = 1.0
        for t in range(len(throws)):
            high, low = throws[t, 0] - 1, throws[t, 1] - 1
            if high == low:
                chosen = goal[high, 4, position]
            else:
                chosen = _best_goal(after, expected, goal[low, 1], position, high)
                other = _best_goal(after, expected, goal[high, 1], position, low)
                if expected[other] < expected[chosen]:
                    chosen = other
            best[position, t] = chosen
            expected[position] += chances[t] * expected[chosen]
            for k in range(1, rolls.shape[1]):
                rolls[position, k] += chances[t] * rolls[chosen, k - 1]


@kernel
def _add_choices(after, position, dice, choices, count, start):
    """Append the positions after playing `dice` in this order to choices[start:count] where they are not yet in."""
    reached, following = np.zeros(1, np.int32), np.zeros(0, np.int32)
    reached[0] = position
    for die in dice:
        following = np.zeros(len(reached) * after.shape[2], np.int32)
        found = 0
        for source in reached:
            moved = False
            for point in range(after.shape[2]):
                goal = after[source, die, point]
                if goal >= 0:
                    moved = True
                    if goal not in following[:found]:
                        following[found] = goal
                        found += 1
            if not moved and source not in following[:found]:  # all are off
                following[found] = source
                found += 1
        reached = following[:found].copy()
    for goal in reached:
        if goal not in choices[start:count]:
            choices[count] = goal
            count += 1
    return count


@kernel
def _all_choices(after, throws):
    """(offsets [N, 22], choices): throw t in position i leads to one of choices[offsets[i, t]:offsets[i, t + 1]]."""
    positions, count = len(after), 0
    offsets = np.zeros((positions, len(throws) + 1), np.int64)
    choices = np.zeros(positions * len(throws) * 40, np.int32)
    for position in range(positions):
        for t in range(len(throws)):
            offsets[position, t] = start = count
            high, low = throws[t, 0] - 1, throws[t, 1] - 1
            if high == low:
                count = _add_choices(
                    after, position, np.array([high, high, high, high]), choices, count, start
                )
            else:
                count = _add_choices(after, position, np.array([high, low]), choices, count, start)
                count = _add_choices(after, position, np.array([low, high]), choices, count, start)
        offsets[position, len(throws)] = count
    return offsets, choices[:count].copy()


@kernel
def _solve_two(offsets, choices, chances, value):
    # A move makes the mover's number smaller, so ascending sums of both numbers find all that follows already known.
    positions = len(value)
    for total in range(2, 2 * positions - 1):
        for mover in range(max(1, total - positions + 1), min(positions, total)):
            opponent = total - mover
            for t in range(len(chances)):
                least = 1.0
                for k in range(offsets[mover, t], offsets[mover, t + 1]):
                    least = min(least, value[opponent, choices[k]])
                value[mover, opponent] += chances[t] * (1.0 - least)
