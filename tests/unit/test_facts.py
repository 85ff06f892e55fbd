"""What all visible cases show of a wrong answer: sentences that are true by construction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rlcourse.checks.judging import Key, by_key
from rlcourse.checks.numbers import MOST, facts, holds
from rlcourse.checks.showing import card_of
from rlcourse.checks.task import Case, Outcome, Reply, Result, Task

RIGHT = np.array([1.0, -2.0, 3.0, 5.0])
BOTH = ("0.8", "`x`")
STARTS = np.array([True, False, False, True])


def called(x=0, y=0):
    """A function of two arguments; facts take their names from it."""


def case(args, right, got):
    """A case with these arguments, and the answer to it."""
    return Case(args, Key(right)), Reply("answer", got)


# Beside each answer the one rule by which it is made of RIGHT, and nothing that is false of it.
@pytest.mark.parametrize(
    ("args", "got", "sentences"),
    [
        ((), RIGHT, []),
        ((), RIGHT * 0, ["Every wrong number is 0."]),
        ((), RIGHT * 0 + 7, ["Every wrong number is 7."]),
        ((), -RIGHT, ["Every wrong number has the opposite sign."]),
        ((), RIGHT / 3, ["Every wrong number is the right one times 0.333333."]),
        ((), RIGHT + 1, ["Every wrong number is 1 too large."]),
        ((), (RIGHT - 0.25).tolist(), ["Every wrong number is 0.25 too small."]),
        # 0.8 of each number; 1 - 0.8 is not, and 0.8 squared is not.
        ((0.8,), 0.8 * RIGHT, [f"Every wrong number is the right one times {x}." for x in BOTH]),
        # The third is 3 + 1 and the first 1 + 1: two numbers of four that are 1 too large.
        (
            (np.array([0, 1, 0, 1]),),
            RIGHT + [1, 0, 1, 0],
            ["Every wrong number is 1 too large.", "Wrong are just the numbers where `x` is 0."],
        ),
        ((STARTS,), RIGHT + [1, 0, 0, 2], ["Wrong are just the numbers where `x` is True."]),
        # One wrong number stands where it is True, one where it is False, none at the places beside.
        ((STARTS,), RIGHT + [0, 1, 0, 2], []),
        ((np.arange(4.0) + 4,), [4, 5, 6, 7], ["Every wrong number is `x` in that place."]),
        ((), [1, -2, np.nan, 5], []),
        ((), "text", []),
        ((), [1, 2], []),
        ((), [10**400] * 4, []),
    ],
)
def test_worked_by_hand(args, got, sentences):
    assert [
        one for one in facts(called, [case(args, RIGHT, got)]) if "len(" not in one
    ] == sentences


def test_a_factor_of_one_case_is_not_told_of_all():
    """Twice too much in one case, three times in the other; both times it is the argument."""
    twice, thrice = (case((n,), RIGHT, n * RIGHT) for n in (2, 3))
    assert facts(called, [twice])[0] == "Every wrong number is the right one times 2."
    assert facts(called, [twice, thrice]) == ("Every wrong number is the right one times `x`.",)
    assert facts(called, [twice, case((3,), RIGHT, 4 * RIGHT)]) == ()


def test_a_right_case_with_such_a_place_is_no_place_of_mistakes_alone():
    wrong = case((STARTS,), RIGHT, RIGHT + [1, 0, 0, 2])
    fine = case((STARTS,), RIGHT, RIGHT)
    assert facts(called, [wrong, fine]) == ("Every wrong number stands where `x` is True.",)


def test_an_item_of_a_tuple():
    right = (np.array([1.0, 2.0]), 3.0, np.zeros((2, 2)))
    got = (np.array([1.0, 2.0]), 3.0, np.array([[1.0, 2.0], [3.0, 4.0]]))
    sentence = "Wrong are just the numbers in item 2 of the tuple (counted from 0)."
    assert facts(called, [case((), right, got)]) == (sentence,)


def test_a_place_says_nothing_where_no_number_could_stand_elsewhere():
    """The wrong case has one row, and only positive numbers; the right one says nothing of it."""
    right, other = np.array([[1.0, 2.0, 4.0]]), np.array([[1.0, -2.0, 3.0], [-1.0, -1.0, -2.0]])
    one_row, two_rows = case((), right, right + [[1, 3, 7]]), case((), other, other)
    assert facts(called, [one_row, two_rows]) == ()
    more = case((), other, other + [[1, 4, 3], [0, 0, 0]])
    assert facts(called, [one_row, more]) == ("Wrong are just the numbers in the first row.",)


@pytest.mark.parametrize("beside", [np.ones(3, bool), [np.ones(2), np.ones(3)], "text"])
def test_a_place_that_one_case_does_not_have_is_not_told(beside):
    first = case((STARTS,), RIGHT, RIGHT + [1, 0, 0, 3])
    assert facts(called, [first, case((beside,), RIGHT, RIGHT)]) == ()


def test_a_fact_of_some_cases_may_not_hold_in_more():
    some = [case((n, STARTS), RIGHT, 2 * RIGHT) for n in (2, 2)]
    for fact in facts(called, some):
        assert holds(fact, called, some)
        assert holds(fact, called, [case((4, STARTS), RIGHT, RIGHT)])
        more = [*some, case((4, STARTS), RIGHT, 4 * RIGHT)]
        assert holds(fact, called, more) == ("`x`" in fact)


numbers = st.floats(-100, 100).filter(lambda x: x == 0 or abs(x) > 0.01)


@given(arrays(float, (3, 4), elements=numbers), arrays(bool, (3, 4)), st.floats(-10, 10))
def test_whatever_is_told_of_the_places_and_the_factor_is_true(rights, masks, change):
    answers = np.where(masks, rights * change, rights)
    wrong = ~np.isclose(answers, rights, 1e-6, 1e-8)
    rows = zip(masks, rights, answers, strict=True)
    asked = [case((mask, change), right, got) for mask, right, got in rows]
    sentences = facts(called, asked)
    assert len(sentences) <= MOST
    for sentence in sentences:
        assert holds(sentence, called, asked)
        if "just the numbers where `x` is True." in sentence:
            assert (wrong == masks).all()
        if "stands where `x` is True." in sentence:
            assert masks[wrong].all()
        if "right one times `y`." in sentence:
            assert np.allclose(answers[wrong], change * rights[wrong])


def test_the_card_says_which_cases_are_right_where_some_are():
    task = Task("t", 1, 1, 1, "f", by_key)
    cases = [Case((n,), Key(n), title=f"the number {n}") for n in (1, 2)]
    result = Result("t", Outcome.WRONG, 0.0, "other", "", 0.0, cases=("right", "other"))
    some = card_of(task, result, [(one, Reply("answer", 1)) for one in cases])
    assert some.lines == ("Right: the number 1.", "Wrong: the number 2.")
    result = Result("t", Outcome.WRONG, 0.0, "other", "", 0.0, cases=("other", "other"))
    assert not card_of(task, result, [(one, Reply("answer", 0)) for one in cases]).lines
