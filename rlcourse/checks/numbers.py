"""What the wrong numbers of an answer have in common over all visible cases, and where they stand.

Each sentence says what was seen, and nothing of its cause.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from rlcourse.checks.difference import array_of, close, is_row, short
from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case, Reply

Arrays = Mapping[str, np.ndarray]
THERE = " in that place"
WHOLE = "Every number that came is whole: an array of integers keeps no fractions."
STANDS, JUST = "Every wrong number stands", "Wrong are just the numbers"
SMALL = (-1, 0, 1, 2, 3)  # whole numbers that stand for a player, a colour, an action
FEW = 2  # sentences of one kind that a student can still compare
MOST = 3  # sentences in all
WIDE = 0.7  # a place that holds more of the numbers than that says little

# What a quantity may do to a right number. Said as "Every wrong number is ..."
RULES: Mapping[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "{}": lambda right, quantity: quantity,
    "the right one times {}": lambda right, quantity: right * quantity,
    "the right one divided by {}": lambda right, quantity: right / quantity,
    "the right one times 1 - {}": lambda right, quantity: right * (1 - quantity),
    "the right one plus {}": lambda right, quantity: right + quantity,
    "the right one minus {}": lambda right, quantity: right - quantity,
}


class Numbers(NamedTuple):
    """The numbers of an answer, all of one shape.

    wrong: where they differ. quantities: in words -> what a case gives that they may be compared
    with. places: in words -> which numbers stand in such a place.
    """

    answer: np.ndarray
    right: np.ndarray
    wrong: np.ndarray
    quantities: Arrays
    places: Arrays


def facts(function: Any, asked: Sequence[tuple[Case, Reply]]) -> tuple[str, ...]:
    """Sentences on the wrong numbers of all cases; none where an answer is not of numbers."""
    cases = _cases(function, asked)
    if len(cases) < len(asked) or sum(case.wrong.sum() for case in cases) < 2:
        return ()
    plain, named = _rules(cases)
    rules = _whole(cases) + plain[:1] + named * (len(named) <= FEW)
    return (*rules[:FEW], *_narrowest(cases))[:MOST]


def holds(fact: str, function: Any, asked: Sequence[tuple[Case, Reply]]) -> bool:
    """Whether a fact that some cases showed is true of these as well, if they are of numbers."""
    cases = _cases(function, asked)
    if not any(case.wrong.any() for case in cases):
        return True
    places = (sentence for _, sentence in _places(cases))
    true = {*_whole(cases), *chain(*_rules(cases)), *places}
    return fact in true or fact.replace(STANDS, JUST) in true


def _cases(function: Any, asked: Sequence[tuple[Case, Reply]]) -> list[Numbers]:
    answers = (_numbers(function, case, reply.answer) for case, reply in asked)
    return [one for one in answers if one is not None]


def _numbers(function: Any, case: Case, answer: Any) -> Numbers | None:
    if case.script or not isinstance(case.secret, Key):
        return None
    args: Mapping[str, Any] = {}
    with suppress(TypeError, ValueError):  # it does not say what it calls its arguments
        args = inspect.signature(function).bind(*case.args).arguments
    expected = case.secret.right
    if isinstance(expected, tuple) and is_row(answer) and len(answer) == len(expected) > 0:
        return _of_tuple(args, expected, answer)
    numbers, right = array_of(answer), array_of(expected)
    if numbers is None or right is None or numbers.shape != right.shape or right.dtype == bool:
        return None
    fitting = dict(_fitting(args, right))
    places = dict(_parts(fitting, right)) if right.ndim else {}
    return Numbers(numbers, right, ~close(numbers, right), fitting, places)


def _of_tuple(args: Mapping[str, Any], expected: tuple[Any, ...], answer: Any) -> Numbers | None:
    """The numbers of all items in a row."""
    items = []
    for one, other in zip(answer, expected, strict=True):
        numbers, right = array_of(one), array_of(other)
        if numbers is None or right is None or numbers.shape != right.shape:
            return None
        items.append((numbers, right))
    numbers, right = map(_joined, zip(*items, strict=True))
    item = np.repeat(np.arange(len(items)), [part.size for part, _ in items])
    places = {f"in item {k} of the tuple (counted from 0)": item == k for k in range(len(items))}
    single = {name: arg for name, arg in args.items() if np.isscalar(arg)}
    return Numbers(numbers, right, ~close(numbers, right), dict(_fitting(single, right)), places)


def _fitting(args: Mapping[str, Any], right: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """What of the arguments can be laid beside the answer, number by number."""
    for name, arg in args.items():
        array = array_of(arg)
        if array is not None and not array.ndim:
            yield f"`{name}`", np.broadcast_to(array, right.shape)
        elif array is not None:
            yield f"`len({name})`", np.full(right.shape, len(array))
            if right.ndim and right.shape[: array.ndim] == array.shape:
                wide = array.reshape(array.shape + (1,) * (right.ndim - array.ndim))
                yield f"`{name}`{THERE}", np.broadcast_to(wide, right.shape)


def _parts(fitting: Arrays, right: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Places of the answer that have something in common: where they are, and what stands there."""
    for axis, length in enumerate(right.shape):
        word = "place" if right.ndim == 1 else ("row", "column", "place")[min(axis, 2)]
        for end, number in (("first", 0), ("last", length - 1)):
            here = np.arange(length) == number
            wide = here.reshape([-1 if k == axis else 1 for k in range(right.ndim)])
            yield f"in the {end} {word}", np.broadcast_to(wide, right.shape)
    for name, array in fitting.items():
        if name.endswith(THERE):
            for kind, here in _kinds(array):
                yield f"where {name.removesuffix(THERE)} {kind}", here
    for sign, here in _signs(right):
        yield f"where the right number {sign}", here


def _kinds(array: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Kinds of numbers, and where they stand; in a row also where the next is of the same."""
    if array.dtype == bool:
        yield from (("is True", array), ("is False", ~array))
    else:
        yield from _signs(array)
    if array.dtype.kind in "iu":
        yield from ((f"is {value}", array == value) for value in SMALL)
    if array.ndim == 1 and array.dtype.kind in "biu":
        same = array[1:] == array[:-1]
        yield "is the same in the next place", np.append(same, False)
        yield "changes in the next place", np.append(~same, False)


def _signs(array: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    yield from (("is 0", array == 0), ("is negative", array < 0), ("is positive", array > 0))


def _whole(cases: Sequence[Numbers]) -> list[str]:
    """Whether all that came are integers, where fractions are right."""
    integers = all(one.answer.dtype.kind in "iu" for one in cases)
    return [WHOLE] * (integers and any((one.right % 1 != 0).any() for one in cases))


@np.errstate(all="ignore")
def _rules(cases: Sequence[Numbers]) -> tuple[list[str], list[str]]:
    """What turns the right numbers into the wrong ones: the same number, a quantity of the case."""
    answer = _joined(one.answer[one.wrong] for one in cases).astype(float)
    right = _joined(one.right[one.wrong] for one in cases).astype(float)
    largest = np.abs(right).argmax()
    factor = float(answer[largest] / right[largest]) if right.any() else np.nan
    added = float(answer[0] - right[0])
    plain = {
        f"is {short(float(answer[0]))}": answer[0],
        "has the opposite sign": -right,
        f"is the right one times {short(factor)}": factor * right,
        f"is {short(abs(added))} too {'large' if added > 0 else 'small'}": right + added,
    }
    named = {}
    for name in _in_all(cases, "quantities"):
        quantity = _joined(one.quantities[name][one.wrong] for one in cases).astype(float)
        for phrase, rule in RULES.items():
            named[f"is {phrase.format(name)}"] = rule(right, quantity)
    return _true(answer, plain), _true(answer, named)


def _true(answer: np.ndarray, rules: Mapping[str, Any]) -> list[str]:
    true = [rule for rule, expected in rules.items() if close(answer, expected).all()]
    return [f"Every wrong number {rule}." for rule in true]


def _in_all(cases: Sequence[Numbers], field: str) -> list[str]:
    """The words that each case has in this field."""
    first, *rest = (getattr(one, field) for one in cases)
    return [name for name in first if all(name in other for other in rest)]


def _places(cases: Sequence[Numbers]) -> Iterator[tuple[np.ndarray, str]]:
    """(which numbers of all cases stand there, in a sentence) of places where all wrong ones do."""
    wrong = _joined(one.wrong for one in cases)
    for name in _in_all(cases, "places"):
        here = _joined(one.places[name] for one in cases)
        if not (wrong & ~here).any():
            yield here, f"{JUST if (wrong == here).all() else STANDS} {name}."


def _narrowest(cases: Sequence[Numbers]) -> list[str]:
    """Where all wrong numbers stand, and not many others."""
    best: dict[bytes, str] = {}  # of equal places the first one is named
    least = 2 * sum(int(one.wrong.sum()) for one in cases)
    # Only a case with a wrong number shows that it could have stood elsewhere.
    telling = _joined(np.full(one.wrong.shape, one.wrong.any()) for one in cases)
    for here, sentence in _places(cases):
        count = int(here.sum())
        if count > least or here[telling].mean() > WIDE:
            continue
        best = best if count == least else {}
        best.setdefault(here.tobytes(), sentence)
        least = count
    return list(best.values()) if len(best) <= FEW else []


def _joined(arrays: Iterable[np.ndarray]) -> np.ndarray:
    return np.concatenate([array.ravel() for array in arrays])
