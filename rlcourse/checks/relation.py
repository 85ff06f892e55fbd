"""What the numbers of one wrong answer have to do with the expected ones: another order, how many.

What the answers to all cases have in common says `rlcourse.checks.numbers`.
"""

from typing import Any

import numpy as np

from rlcourse.checks.difference import array_of, close

FEW = 3  # numbers: of fewer one sees at a glance what is wrong


def relation(answer: Any, expected: Any) -> str:
    """A sentence such as "These are the right numbers, in another order."; "" where none is true.

    Both are arrays or lists of numbers. Nothing is said where their shapes differ, where a number
    is not finite, or of fewer than two numbers. The sentence speaks of this one answer.
    """
    numbers, right = array_of(answer), array_of(expected)
    if numbers is None or right is None or numbers.shape != right.shape or right.size < 2:
        return ""
    numbers, right = numbers.ravel(), right.ravel()
    if right.dtype == bool or close(numbers, right).all():
        return ""
    return _another_order(numbers, right) or _how_many(numbers, right)


def _another_order(numbers: np.ndarray, right: np.ndarray) -> str:
    """That the numbers are the right ones, in other places."""
    if close(numbers, right[::-1]).all():
        return "These are the right numbers, the other way round."
    if len(np.unique(right[1:-1])) >= FEW:
        if close(numbers[1:], right[:-1]).all():
            return "From the second on these are the right numbers, one place too late."
        if close(numbers[:-1], right[1:]).all():
            return "All but the last are the right numbers, one place too early."
    # A single 1 among zeros is in another order wherever it stands.
    if len(np.unique(right)) >= FEW and close(np.sort(numbers), np.sort(right)).all():
        return "These are the right numbers, in another order."
    return ""


def _how_many(numbers: np.ndarray, right: np.ndarray) -> str:
    """How many numbers differ, and in which direction if it is one for all."""
    if len(right) <= FEW:
        return ""
    wrong = ~close(numbers, right)
    count = wrong.sum()
    if count == 1:
        return f"1 of {len(right)} numbers differs."
    above = (numbers > right)[wrong]
    direction = ", all too large" if above.all() else "" if above.any() else ", all too small"
    return f"{count} of {len(right)} numbers differ{direction}."
