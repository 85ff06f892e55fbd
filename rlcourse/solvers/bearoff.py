"""Exact solution of the bear-off, the end of a backgammon race: all checkers are home.

A side is `counts` [6], at most 15 checkers on its own points 1 to 6 (index 0 is the ace point); the
others are borne off. Positions are numbered so that every move leads to a smaller number, and all
positions of up to n checkers come first; GNU Backgammon uses the same numbers. Each table takes
about a second to compute and stays in memory.
"""

from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np

from rlcourse.errors import BadValue
from rlcourse.kernels import kernel

POINTS = 6  # of the home board
CHECKERS, BOTH_CHECKERS = 15, 6  # at most, on one side alone and on each side of the race of two
POSITIONS = comb(CHECKERS + POINTS, POINTS)  # 54,264
BOTH_POSITIONS = comb(BOTH_CHECKERS + POINTS, POINTS)  # 924
MOST_ROLLS = 30  # the unluckiest bear-off of 15 checkers, all on the 6-point

# THROWS [21, 2], higher die first, and CHANCES [21], their probabilities.
THROWS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)])
CHANCES = np.where(THROWS[:, 0] == THROWS[:, 1], 1, 2) / 36

_CHOOSE = np.array(
    [[comb(tail + k - 1, k) for tail in range(CHECKERS + 1)] for k in range(1, POINTS + 1)]
)


class OneSided(NamedTuple):
    """All positions of one side under the play that minimises the expected number of rolls.

    counts [54264, 6] int8. expected [54264] float64: rolls until all checkers are off.
    rolls [54264, 31] float64: the probability of exactly k rolls.
    best [54264, 21] int32: the number of the position after each of THROWS.
    """

    counts: np.ndarray
    expected: np.ndarray
    rolls: np.ndarray
    best: np.ndarray


def position_index(counts: np.ndarray) -> np.ndarray:
    """[...] int64: the numbers of the positions counts [..., 6].

    With tail_k checkers on the k rearmost points, the number is the sum of C(tail_k + k - 1, k), a
    combinatorial number system. Raises ValueError for counts that are no position.
    """
    counts = np.asarray(counts)
    if counts.ndim == 0 or counts.shape[-1] != POINTS or counts.dtype.kind not in "iu":
        raise BadValue(
            f"a side is 6 whole numbers, its checkers on its points 1 to 6; got {counts.dtype} "
            f"{counts.shape}"
        )
    if (counts < 0).any() or (counts.sum(axis=-1) > CHECKERS).any():
        raise BadValue("a side has 0 to 15 checkers in all, and no point holds less than 0")
    tails = np.cumsum(counts[..., ::-1], axis=-1, dtype=np.int64)
    return _CHOOSE[np.arange(POINTS), tails].sum(axis=-1)


def expected_rolls(counts: np.ndarray) -> np.ndarray:
    """[...] float64: the expected number of rolls until counts [..., 6] are off."""
    return one_sided().expected[position_index(counts)]


def roll_distribution(counts: np.ndarray) -> np.ndarray:
    """[..., 31] float64: the probability that counts [..., 6] take exactly 0, 1, 2 ... rolls."""
    return one_sided().rolls[position_index(counts)]


def win_probability(mover: np.ndarray, opponent: np.ndarray) -> np.ndarray:
    """[...] float64: the probability that `mover` [..., 6], who rolls next, beats `opponent`.

    Both sides play optimally. Each has at most 6 checkers, so neither can lose a gammon. Raises
    ValueError for more checkers, or if neither side has any.
    """
    rows, columns = position_index(mover), position_index(opponent)
    if (rows >= BOTH_POSITIONS).any() or (columns >= BOTH_POSITIONS).any():
        raise BadValue(f"the race of two sides is solved for up to {BOTH_CHECKERS} checkers each")
    if ((rows == 0) & (columns == 0)).any():
        raise BadValue("both sides have borne off everything; who was first?")
    return two_sided()[rows, columns]


@lru_cache(maxsize=1)
def one_sided() -> OneSided:
    """The table of one side, computed at the first call."""
    counts, after = _rules(POSITIONS)
    expected, rolls = np.zeros(POSITIONS), np.zeros((POSITIONS, MOST_ROLLS + 1))
    best = np.zeros((POSITIONS, len(THROWS)), np.int32)
    _solve_one(after, THROWS, CHANCES, expected, rolls, best)
    return OneSided(counts, expected, rolls, best)


@lru_cache(maxsize=1)
def two_sided() -> np.ndarray:
    """[924, 924] float64: the win probability of the side that rolls next.

    Rows are the numbers of that side, columns those of its opponent.
    """
    _, after = _rules(BOTH_POSITIONS)
    offsets, choices = _all_choices(after, THROWS)
    value = np.zeros((BOTH_POSITIONS, BOTH_POSITIONS))
    value[0] = 1.0
    _solve_two(offsets, choices, CHANCES, value)
    return value


def _rules(positions: int) -> tuple[np.ndarray, np.ndarray]:
    """(counts [N, 6] int8, after [N, 6, 6] int32): the first N positions and their moves.

    after: the number of the position after moving a checker by each die (1 to 6) from each point
    (1 to 6), -1 if that is illegal.
    """
    grid = np.zeros((1, 0), np.int8)
    on_next_point = np.arange(CHECKERS + 1, dtype=np.int8)
    for _ in range(POINTS):
        rows = np.repeat(grid, CHECKERS + 1, axis=0)
        grid = np.column_stack([rows, np.tile(on_next_point, len(grid))])
        grid = grid[grid.sum(axis=1) <= CHECKERS]
    counts = grid[np.argsort(position_index(grid))][:positions]
    # [N, 6]: the number of checkers on higher points.
    behind = counts.sum(axis=1)[:, None] - np.cumsum(counts, axis=1)
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
    """The goal with the fewest expected rolls after a move by `die`, or `position` itself."""
    best = position
    for point in range(after.shape[2]):
        successor = after[position, die, point]
        if successor >= 0 and (best == position or expected[goals[successor]] < expected[best]):
            best = goals[successor]
    return best


@kernel
def _solve_one(after, throws, chances, expected, rolls, best):
    # goal[die, n, position]: the best position after n moves by that die. Moves lead to smaller
    # numbers, so in ascending order all successors are solved already.
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
                low_first = _best_goal(after, expected, goal[high, 1], position, low)
                if expected[low_first] < expected[chosen]:
                    chosen = low_first
            best[position, t] = chosen
            expected[position] += chances[t] * expected[chosen]
            for k in range(1, rolls.shape[1]):
                rolls[position, k] += chances[t] * rolls[chosen, k - 1]


@kernel
def _add_choices(after, position, dice, choices, count, start):
    """Append the new positions after playing `dice` in this order to choices[start:count]."""
    reached, successors = np.zeros(1, np.int32), np.zeros(0, np.int32)
    reached[0] = position
    for die in dice:
        successors = np.zeros(len(reached) * after.shape[2], np.int32)
        used = 0
        for source in reached:
            moved = False
            for point in range(after.shape[2]):
                goal = after[source, die, point]
                if goal >= 0:
                    moved = True
                    if goal not in successors[:used]:
                        successors[used] = goal
                        used += 1
            # At home every die moves some checker, so only a finished side stays where it is.
            if not moved and source not in successors[:used]:
                successors[used] = source
                used += 1
        reached = successors[:used].copy()
    for goal in reached:
        if goal not in choices[start:count]:
            choices[count] = goal
            count += 1
    return count


@kernel
def _all_choices(after, throws):
    """(offsets [N, 22], choices): the positions that each throw can lead to.

    Throw t in position i leads to choices[offsets[i, t]:offsets[i, t + 1]].
    """
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
    # A move lowers the mover's number: in ascending order of the sum of both numbers, all
    # successors are solved already.
    positions = len(value)
    for total in range(2, 2 * positions - 1):
        for mover in range(max(1, total - positions + 1), min(positions, total)):
            opponent = total - mover
            for t in range(len(chances)):
                least = 1.0
                for k in range(offsets[mover, t], offsets[mover, t + 1]):
                    least = min(least, value[opponent, choices[k]])
                value[mover, opponent] += chances[t] * (1.0 - least)
