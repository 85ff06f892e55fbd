"""What all numbers of a wrong answer have to do with the expected ones: facts without a list.

A mistake that nobody has listed often leaves such a trace: a factor, a sign, another order.
"""

from typing import Any

import numpy as np

from rlcourse.checks.difference import ATOL, RTOL, numbers_only, short

FEW = 3  # numbers, of which one can see at a glance which differ


def relation(answer: Any, expected: Any) -> str:
    """A sentence such as "Every number is 2 times what is expected."; "" where none is true.

    Both are arrays or lists of numbers. Nothing is said where their shapes differ, where a number
    is not finite, or of fewer than two numbers. The sentence speaks of this one answer.
    """
    got, right = _numbers(answer), _numbers(expected)
    if got is None or right is None or got.shape != right.shape or right.size < 2:
        return ""
    got, right = got.ravel(), right.ravel()
    if not np.isfinite(got).all() or _close(got, right).all():
        return ""
    return _one_rule(got, right) or _another_order(got, right) or _how_many(got, right)


def _numbers(value: Any) -> np.ndarray | None:
    """The value as an array of real numbers, if it is one."""
    if not numbers_only(value):
        return None
    try:
        array = np.asarray(value)
    except ValueError:  # lists of unequal lengths
        return None
    return array.astype(np.float64) if array.dtype.kind in "iuf" else None


def _close(got: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.isclose(got, right, RTOL, ATOL)


def _one_rule(got: np.ndarray, right: np.ndarray) -> str:
    """A rule that turns every expected number into the one that came."""
    if not got.any():
        return "Every number is 0."
    largest = np.abs(right).argmax()
    if np.count_nonzero(right) > 1:
        factor = got[largest] / right[largest]
        if _close(got, factor * right).all():
            return (
                "Every number has the opposite sign."
                if np.isclose(factor, -1)
                else f"Every number is {short(float(factor))} times what is expected."
            )
    added = got[0] - right[0]
    if _close(got, right + added).all():
        return (
            f"Every number is {short(float(abs(added)))} too {'large' if added > 0 else 'small'}."
        )
    return ""


def _another_order(got: np.ndarray, right: np.ndarray) -> str:
    """That the numbers are the right ones, in other places."""
    if _close(got, right[::-1]).all():
        return "These are the right numbers, the other way round."
    if len(np.unique(right[1:-1])) >= FEW:
        if _close(got[1:], right[:-1]).all():
            return "From the second on these are the right numbers, one place too late."
        if _close(got[:-1], right[1:]).all():
            return "All but the last are the right numbers, one place too early."
    if _close(np.sort(got), np.sort(right)).all():
        return "These are the right numbers, in another order."
    return ""


def _how_many(got: np.ndarray, right: np.ndarray) -> str:
    """How many numbers differ, and in which direction if it is one for all."""
    if len(right) <= FEW:
        return ""
    wrong = ~_close(got, right)
    count = wrong.sum()
    if count == 1:
        return f"1 of {len(right)} numbers differs."
    above = (got > right)[wrong]
    direction = ", all too large" if above.all() else "" if above.any() else ", all too small"
    return f"{count} of {len(right)} numbers differ{direction}."
