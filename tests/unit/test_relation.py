"""What the numbers of one wrong answer have in common: sentences that are true by construction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rlcourse.checks.relation import relation

RIGHT = np.array([[0.5, -1.0, 2.0], [4.0, 0.0, 8.0]])


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (RIGHT, ""),
        (RIGHT.tolist(), ""),
        (RIGHT.T, ""),
        ("text", ""),
        ([[1, 2], [3]], ""),
        ([10**400, 0.5], ""),
        ([None] * 6, ""),
        (RIGHT * np.nan, ""),
        (RIGHT * 0, "5 of 6 numbers differ."),
        ((RIGHT + 1).tolist(), "6 of 6 numbers differ, all too large."),
        (RIGHT[::-1, ::-1], "These are the right numbers, the other way round."),
        (RIGHT[:, ::-1], "These are the right numbers, in another order."),
        (np.abs(RIGHT), "1 of 6 numbers differs."),
        (RIGHT + (RIGHT > 1), "3 of 6 numbers differ, all too large."),
        (RIGHT - (RIGHT > 1), "3 of 6 numbers differ, all too small."),
        (RIGHT + [[1, 0, 0], [0, -1, 0]], "2 of 6 numbers differ."),
    ],
)
def test_worked_by_hand(answer, sentence):
    assert relation(answer, RIGHT) == sentence


def test_a_place_too_late_or_too_early():
    right = [1, 2, 3, 4, 5]
    late = "From the second on these are the right numbers, one place too late."
    early = "All but the last are the right numbers, one place too early."
    assert relation([9, 1, 2, 3, 4], right) == late
    assert relation([2, 3, 4, 5, 9], right) == early
    # Where most numbers are equal, that says nothing, nor that they are in another order.
    assert relation([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0]) == "2 of 6 numbers differ."


numbers = st.floats(-100, 100).filter(lambda x: x == 0 or abs(x) > 0.01)


@given(arrays(np.float64, 5, elements=numbers), arrays(np.float64, 5, elements=numbers))
def test_how_many_differ_is_counted(answer, right):
    told = relation(answer, right)
    if "of 5 numbers" in told:
        differ = ~np.isclose(answer, right, 1e-6, 1e-8)
        assert int(told.split()[0]) == differ.sum()
        assert ("large" in told) <= (answer > right)[differ].all()
        assert ("small" in told) <= (answer < right)[differ].all()
