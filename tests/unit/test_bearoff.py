"""The exact bear-off: against plain rules with fractions, numbers worked by hand, and
laws over the whole tables.
"""

from fractions import Fraction
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest

from rlcourse.solvers import bearoff
from rlcourse.solvers.bearoff import (
    expected_rolls,
    one_sided,
    position_index,
    roll_distribution,
    two_sided,
    win_probability,
)

EMPTY = (0,) * 6


def on(*points):
    """counts [6] with one checker on each of these points."""
    return np.bincount(np.array(points, int) - 1, minlength=6)


# --- the rules once more, in plain Python: a dict of plays, the longest ones that the dice allow --


def steps(counts, die):
    """The positions after one checker moves by `die`."""
    for point in range(6, 0, -1):
        if counts[point - 1] and (die <= point or not any(counts[point:])):
            moved = list(counts)
            moved[point - 1] -= 1
            if point > die:
                moved[point - die - 1] += 1
            yield tuple(moved)


@cache
def plays(counts, dice):
    """(number of dice used, positions) over all orders; as in the real rules
    only the longest plays count.
    """
    longest, results = 0, {counts}
    for order in set(permutations(dice)):
        reached = {counts}
        for used, die in enumerate(order, 1):
            reached = {after for position in reached for after in steps(position, die)}
            if reached and used > longest:
                longest, results = used, set()
            if reached and used == longest:
                results |= reached
    return longest, frozenset(results)


def throws():
    """(dice, chance) of the 36 equally likely throws."""
    for a, b in product(range(1, 7), repeat=2):
        yield (a, b) if a != b else (a,) * 4, Fraction(1, 36)


@cache
def rolls_needed(counts):
    """The expected number of rolls under the best play, as a fraction."""
    if counts == EMPTY:
        return Fraction(0)
    return 1 + sum(
        chance * min(map(rolls_needed, plays(counts, dice)[1])) for dice, chance in throws()
    )


@cache
def wins(mover, opponent):
    """The win probability of the side that rolls next, as a fraction."""
    if mover == EMPTY or opponent == EMPTY:
        return Fraction(int(mover == EMPTY))
    return sum(
        chance * max(1 - wins(opponent, after) for after in plays(mover, dice)[1])
        for dice, chance in throws()
    )


def small(checkers):
    """All positions with so many checkers or fewer."""
    return [c for c in product(range(checkers + 1), repeat=6) if sum(c) <= checkers]


def test_expected_rolls_are_those_of_the_plain_rules():
    positions = small(2)
    assert len(positions) == 28
    exact = np.array([float(rolls_needed(c)) for c in positions])
    np.testing.assert_allclose(expected_rolls(np.array(positions)), exact, rtol=0, atol=1e-13)


@pytest.mark.slow
def test_expected_rolls_of_random_positions_are_those_of_the_plain_rules():
    rng = np.random.default_rng(5)
    for checkers in (3, 4, 4, 5, 5):
        counts = tuple(np.bincount(rng.integers(0, 6, checkers), minlength=6).tolist())
        assert expected_rolls(np.array(counts)) == pytest.approx(
            float(rolls_needed(counts)), abs=1e-12
        )


@pytest.mark.slow
def test_win_probabilities_are_those_of_the_plain_rules():
    positions = [c for c in small(2) if any(c)]
    assert len(positions) == 27
    for mover, opponent in product(positions, repeat=2):
        ours = win_probability(np.array(mover), np.array(opponent))
        assert ours == pytest.approx(float(wins(mover, opponent)), abs=1e-14), (mover, opponent)


# --- by hand --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "chances"),
    [
        # One checker on the ace point: any throw.
        (on(1), {1: 36}),
        # Two on the ace point: any throw has two dice.
        (on(1, 1), {1: 36}),
        # One on the 6-point, missed by 1-1 (4 pips), 2-1, 3-1, 3-2, 4-1 (3 to 5 pips):
        # 1 + 2 * 4 = 9 of 36. Then 2, 3, 2, 1 or 1 pips are left, and the smallest
        # throw, 2-1, makes 3: off in two.
        (on(6), {1: 27, 2: 9}),
        # Three on the ace point: off at once by a double only, and then by any throw.
        (on(1, 1, 1), {1: 6, 2: 30}),
        # Two on the 2-point: all throws with a 1, but for 1-1 (four pips), leave
        # something: 2 * 5 = 10 of 36.
        (on(2, 2), {1: 26, 2: 10}),
        # The 2-point and the ace point are always off: 1-1 has four moves for 3 pips, and in every
        # other throw the higher die takes the 2-point and the lower one the ace.
        (on(2, 1), {1: 36}),
        # The 6-point and the ace point: a 6 with anything (11), or a double that brings the 6 off
        # with a move left: 3-3 and 2-2 (in 2 and 3), 4-4 and 5-5 (in 2): 15. Else the ace goes, or
        # both dice take the 6 forward. Only 2-1 leaves so much (the 4-point, or 3 and 1) that
        # another 2-1 is too little: (2 / 36) * (2 / 36) = 4 of 1,296 need three.
        (on(6, 1), {1: 15, 2: 21 - 4 / 36, 3: 4 / 36}),
    ],
)
def test_roll_distributions_by_hand(counts, chances):
    expected = np.zeros(bearoff.MOST_ROLLS + 1)
    for rolls, ways in chances.items():
        expected[rolls] = ways / 36
    np.testing.assert_allclose(roll_distribution(counts), expected, rtol=0, atol=1e-15)
    assert expected_rolls(counts) == pytest.approx(
        sum(rolls * ways for rolls, ways in chances.items()) / 36, abs=1e-14
    )


def test_win_probabilities_by_hand():
    # Who is off at once wins, whatever the opponent has. From the 6-point: 27 of 36, else an
    # opponent on his ace point wins.
    assert win_probability(on(1), on(6, 6, 6)) == pytest.approx(1.0, abs=1e-15)
    assert win_probability(on(6), on(1)) == pytest.approx(0.75, abs=1e-15)
    # Both on the 6-point: 3/4 at once; else 1/4, the opponent misses with 1/4, and then the
    # mover is off for sure: 13/16.
    assert win_probability(on(6), on(6)) == pytest.approx(13 / 16, abs=1e-15)
    assert win_probability(np.zeros(6, int), on(1)) == 1.0
    assert win_probability(on(1), np.zeros(6, int)) == 0.0


def test_best_play_of_two_is_not_best_play_of_one():
    """Playing for the fewest expected rolls is not playing to win; somewhere the two must
    part, and never to the better.
    """
    expected, best = one_sided().expected, one_sided().best
    number = bearoff.BOTH_POSITIONS
    race = np.zeros((number, number))
    race[0] = 1.0
    for total in range(2, 2 * number - 1):
        mover = np.arange(max(1, total - number + 1), min(number, total))
        race[mover, total - mover] = (
            (1 - race[(total - mover)[:, None], best[mover]]) * bearoff.CHANCES
        ).sum(axis=1)
    assert expected[number - 1] > 1
    gain = two_sided() - race  # both sides change their play, so a single entry may go either way
    assert 1e-3 < gain.max() < 0.02 and -0.02 < gain.min() < -1e-3


# --- laws -----------------------------------------------------------------------------------------


def test_positions_are_numbered_without_gaps_and_those_of_few_checkers_first():
    counts = one_sided().counts
    assert counts.shape == (54_264, 6)
    np.testing.assert_array_equal(position_index(counts), np.arange(54_264))
    assert counts[:924].sum(axis=1).max() == 6 and counts[924:].sum(axis=1).min() == 7
    assert position_index(np.array([[[1, 0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0, 1]]])).tolist() == [
        [1],
        [6],
    ]


def test_distributions_add_up_to_one_and_their_mean_is_the_expected_number():
    table = one_sided()
    np.testing.assert_allclose(table.rolls.sum(axis=1), 1.0, rtol=0, atol=1e-13)
    np.testing.assert_allclose(
        table.rolls @ np.arange(bearoff.MOST_ROLLS + 1), table.expected, rtol=0, atol=1e-12
    )
    assert table.rolls.min() >= 0


def test_the_tables_hold_the_unluckiest_bear_off():
    """The most rolls of any position, by itself: one more than the most
    after the throw that is worst.
    """
    best, most = one_sided().best, np.zeros(bearoff.POSITIONS, int)
    for number in range(1, bearoff.POSITIONS):
        most[number] = 1 + most[best[number]].max()
    assert (
        most.max() == most[-1] == bearoff.MOST_ROLLS
    )  # 15 on the 6-point: 90 pips by 2-1 for ever, three a roll


def test_expected_rolls_fulfil_the_bellman_equation_of_the_plain_rules():
    """At positions of up to all fifteen checkers, where recursion by hand would not end."""
    rng = np.random.default_rng(8)
    for checkers in (*range(3, 16), 15, 15):
        counts = tuple(np.bincount(rng.integers(0, 6, checkers), minlength=6).tolist())
        best = [
            float(chance) * expected_rolls(np.array([*plays(counts, dice)[1]])).min()
            for dice, chance in throws()
        ]
        assert expected_rolls(np.array(counts)) == pytest.approx(1 + sum(best), abs=1e-12)


def test_one_checker_less_never_hurts():
    """Neither in rolls nor in a race, and the opponent's one less never helps."""
    table, value = one_sided(), two_sided()
    for point in range(6):
        rows = np.flatnonzero(table.counts[:, point] > 0)
        fewer = table.counts[rows].copy()
        fewer[:, point] -= 1
        less = position_index(fewer)
        assert (table.expected[less] <= table.expected[rows]).all()
        rows, less = rows[rows < len(value)], less[rows < len(value)]
        assert (value[less][:, 1:] >= value[rows][:, 1:] - 1e-12).all()
        assert (value[1:, less] <= value[1:, rows] + 1e-12).all()
    assert (np.diag(value)[1:] > 0.5).all()  # to roll first is an advantage


def test_a_pip_nearer_can_hurt():
    """Gaps cost: with 3 and 6 a die of 3 bears one off, with 2 and 6 it only moves.

    From many checkers that shows.
    """
    with_gap, without = np.array([8, 0, 6, 0, 0, 0]), np.array([7, 1, 6, 0, 0, 0])
    assert expected_rolls(with_gap) - expected_rolls(without) == pytest.approx(0.30386, abs=1e-5)


def test_rules_by_hand():
    """The tables of moves themselves: exact die, higher die, inside the board."""
    counts, after = bearoff._rules(bearoff.POSITIONS)

    def move(position, die, point):
        number = after[position_index(position), die - 1, point - 1]
        return None if number < 0 else counts[number].tolist()

    assert move(on(6, 3), 3, 3) == on(6).tolist()  # exactly off
    assert move(on(6, 3), 3, 6) == on(3, 3).tolist()  # inside
    assert move(on(6, 3), 4, 3) is None  # a higher die while a checker stands behind
    assert move(on(5, 3), 6, 5) == on(3).tolist()  # a higher die takes the rearmost
    assert move(on(5, 3), 6, 3) is None
    assert move(on(5, 3), 2, 4) is None  # nobody is there
    assert (after[0] == -1).all()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ([1, 0, 0, 0, 0], "6 whole numbers"),
        ([0.5, 0, 0, 0, 0, 0], "6 whole numbers"),
        ([16, 0, 0, 0, 0, 0], "0 to 15 checkers"),
        ([-1, 1, 0, 0, 0, 0], "0 to 15 checkers"),
        (3, "6 whole numbers"),
    ],
)
def test_what_is_no_position_is_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        expected_rolls(np.array(wrong))


def test_what_the_race_of_two_does_not_hold_is_refused():
    with pytest.raises(ValueError, match="up to 6 checkers each"):
        win_probability(on(1, 1, 1, 1, 1, 1, 1), on(1))
    with pytest.raises(ValueError, match="who was first"):
        win_probability(np.zeros(6, int), np.zeros(6, int))
