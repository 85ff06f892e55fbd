"""The first difference between an answer and what was expected, in words."""

import numpy as np
import pytest

from rlcourse.checks.difference import difference, excerpt, in_words

UNITS = np.zeros(28)


def with_one_at(place):
    units = UNITS.copy()
    units[place] = 1
    return units


@pytest.mark.parametrize(
    ("answer", "expected", "words"),
    [
        (with_one_at(15), UNITS, "Entry 15 (counted from 0): expected 0, got 1."),
        (
            [
                [0, 0, 0],
                [0, 0, 0],
                [
                    0,
                    0,
                    0,
                ],
            ],
            np.array([[0, 0, 0], [0, 0, 0], [0, 0, 2.5]]),
            "Row 2, column 2 (counted from 0): expected 2.5, got 0.",
        ),
        ({"e5": 1.0}, {"e5": 2.0}, "Key 'e5': expected 2, got 1."),
        ({"d4": 1.0}, {"e5": 2.0}, "The key 'e5' is missing."),
        (
            [1, 2, 3, 4, 6],
            [1, 2, 3, 4, 5],
            "Item 4 of the list (counted from 0): expected 5, got 6.",
        ),
        (
            (3, [1.0, 2.0]),
            (3, np.array([1.0, 2.5])),
            "Item 1 of the tuple, entry 1 (counted from 0): expected 2.5, got 2.",
        ),
        ([1, 2], [1], "Expected 1 value, got 2."),
        (None, np.zeros(3), "Expected an array of shape (3,), got None (is there a return?)."),
        ([[1], [2]], np.zeros(2), "Expected an array of shape (2,), got shape (2, 1)."),
        ([0.0, np.nan], np.zeros(2), "Entry 1 (counted from 0): expected 0, got nan."),
        (
            [0.12345678],
            np.array([0.123457]),
            "Entry 0 (counted from 0): expected 0.123457, got 0.12345678.",
        ),
        (1.5, 2.5, ""),
    ],
)
def test_the_first_difference_in_words(answer, expected, words):
    assert in_words(answer, expected) == words


@pytest.mark.parametrize(
    ("answer", "expected", "shown"),
    [
        (1.5, 2.5, ("", "2.5", "1.5")),
        (
            with_one_at(15),
            UNITS,
            ("entries 13 to 17", "[0., 0., 0., 0., 0.]", "[0., 0., 1., 0., 0.]"),
        ),
        (
            with_one_at(15).reshape(2, 14),
            UNITS.reshape(2, 14),
            ("row 1, entries 0 to 3", "[0., 0., 0., 0.]", "[0., 1., 0., 0.]"),
        ),
        ([[1] * 30] * 30, [[1] * 30] * 29 + [[2]], ("item 29 of the list", "[2]", str([1] * 30))),
        ({n: n for n in range(200)}, {n: n + (n == 9) for n in range(200)}, ("key 9", "10", "9")),
        (np.zeros(300), np.zeros(200), None),
    ],
)
def test_what_is_shown_side_by_side_can_be_read_at_a_glance(answer, expected, shown):
    assert excerpt(answer, expected) == shown


@pytest.mark.parametrize("answer", [np.array([0, 2]), [np.int64(0), np.int32(2)], (0, 2)])
def test_whole_numbers_of_numpy_are_whole_numbers(answer):
    assert difference(answer, [0, 2]) is None


def test_a_truth_of_numpy_is_one():
    assert difference(np.array([True, False]), [True, False]) is None
    assert difference(np.True_, True) is None


def test_rows_are_shown_as_the_array_that_they_should_be_if_it_is_small():
    """What is not small stays a list, which may still be short."""
    rows = [(0, 1, 1.0, 0.5), (1, 0, 1.0, 1.25)]
    assert (
        excerpt(rows, np.zeros((2, 4)))[2]
        == "[[0.  , 1.  , 1.  , 0.5 ],\n [1.  , 0.  , 1.  , 1.25]]"
    )
    assert excerpt(rows * 2, np.zeros((3, 4)))[2].startswith("[(0, 1, 1.0, 0.5), (1, 0,")
