"""Where an answer first differs from what was expected, and what stands there.

Places are counted from 0, as Python counts them.
"""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

LONG = 10_000  # values in a list, beyond which its length alone is looked at
RTOL, ATOL = 1e-6, 1e-8  # room for another order of summation, or for float32 on the way
SMALL = 12  # numbers of an array that are shown as a whole
AROUND = 2  # numbers on either side of the first wrong one, of a longer row
WIDE = 100  # letters of a value that is shown as a whole


@dataclass(frozen=True)
class Ways:
    """What a mistake that is made in several ways would answer, where that is not the same."""

    answers: tuple[Any, ...]


def ways(value: Any) -> tuple[Any, ...]:
    """The answers of a mistake in all its ways; of anything else, the one."""
    return value.answers if isinstance(value, Ways) else (value,)


def in_ways(answers: Iterable[Any]) -> Any:
    """The one answer of a mistake in all its ways, or `Ways` of those that differ."""
    distinct: list[Any] = []
    for answer in answers:
        if all(difference(answer, other) is not None for other in distinct):
            distinct.append(answer)
    return Ways(tuple(distinct)) if len(distinct) > 1 else distinct[0]


class Difference(NamedTuple):
    """Why an answer is not the expected one.

    mistake: a general one, "kind", "shape", "not_finite" or "other". detail: what differs, where
    that is more than a value. place: the way to the first difference, outermost first: the number
    of an item, the key of a dict, or in an array the tuple of indices.
    """

    mistake: str
    detail: str
    place: tuple[Any, ...] = ()

    def inside(self, key: Any) -> "Difference":
        """The same difference, in a value that has this key in a larger one."""
        return self._replace(place=(key, *self.place))


class Compared(NamedTuple):
    """An answer beside the expected one, for a student to read.

    first: what strikes first, in words. rows: (what, expected, got), to be read as a table.
    """

    first: str
    rows: tuple[tuple[str, str, str], ...] = ()


def difference(answer: Any, expected: Any) -> Difference | None:
    """None when the answer is the expected value, else the first difference.

    An expected array or float wants numbers of that shape, finite and close; a list of numbers will
    do for an array. An expected int, bool, str or None wants just that. Expected tuples, lists and
    dicts are compared part by part. Of `Ways`, on either side, any will do.
    """
    if isinstance(answer, Ways) or isinstance(expected, Ways):
        differences = [difference(one, other) for one in ways(answer) for other in ways(expected)]
        return None if None in differences else differences[0]
    if isinstance(expected, (np.ndarray, float)):
        return _numbers(answer, np.asarray(expected))
    if isinstance(expected, (tuple, list)):
        return _parts(answer, expected)
    if isinstance(expected, dict):
        return _dicts(answer, expected)
    value = answer.item() if hasattr(answer, "dtype") and answer.ndim == 0 else answer
    if expected is None or isinstance(expected, (bool, str)):
        if type(value) is not type(expected):
            return Difference(
                "kind", f"expected {kind_in_words(expected)}, got {kind_in_words(answer)}"
            )
        return None if value == expected else Difference("other", "")
    if isinstance(value, bool) or not isinstance(value, int):
        return Difference("kind", f"expected a whole number, got {kind_in_words(answer)}")
    return None if value == expected else Difference("other", "")


def _numbers(answer: Any, expected: np.ndarray) -> Difference | None:
    wanted = f"an array of shape {expected.shape}" if expected.shape else "a number"
    if answer is None or isinstance(answer, (bool, str, dict)):
        return Difference("kind", f"expected {wanted}, got {kind_in_words(answer)}")
    if isinstance(answer, (list, tuple)) and len(answer) > LONG > expected.size:
        return Difference("shape", f"expected {wanted}, got {len(answer):,} values")
    if not numbers_only(answer):
        kind = f"{kind_in_words(answer)} with other things than numbers in it"
        return Difference("kind", f"expected {wanted}, got {kind}")
    try:
        values = np.asarray(answer)
    except ValueError:
        return Difference("kind", f"expected {wanted}, got lists of unequal lengths")
    if (values.dtype.kind not in "iufb" and values.size) or (
        values.dtype.kind == "b" and expected.dtype.kind != "b"
    ):
        return Difference("kind", f"expected {wanted}, got {kind_in_words(answer)}")
    if values.shape != expected.shape:
        shape = f"shape {values.shape}" if values.shape else "a single number"
        return Difference("shape", f"expected {wanted}, got {shape}")
    right = close(values.astype(np.float64), expected)
    if right.all():
        return None
    finite = np.isfinite(values)
    wrong = ~right if finite.all() else ~finite
    place = tuple(map(int, np.argwhere(wrong)[0]))
    return Difference("other" if finite.all() else "not_finite", "", (place,) if place else ())


def numbers_only(answer: Any) -> bool:
    """Whether an answer is a number, an array, or lists of these.

    It is asked before NumPy converts the answer: one long text among numbers would make every
    number as long.
    """
    if isinstance(answer, (list, tuple)):
        return all(map(numbers_only, answer))
    return isinstance(answer, (int, float, np.ndarray, np.generic))


def array_of(value: Any) -> np.ndarray | None:
    """A value as an array of finite numbers or truths, if it is one."""
    if not numbers_only(value):
        return None
    try:
        array = np.asarray(value)
    except ValueError:  # lists of unequal lengths
        return None
    return array if array.dtype.kind in "biuf" and np.isfinite(array).all() else None


def close(answer: np.ndarray, expected: Any) -> np.ndarray:
    """Which numbers are the expected ones, but for rounding."""
    return np.isclose(answer, expected, RTOL, ATOL)


def is_row(answer: Any) -> bool:
    """Whether an answer has a length."""
    return isinstance(answer, (list, tuple)) or (isinstance(answer, np.ndarray) and answer.ndim > 0)


def _parts(answer: Any, expected: Sequence[Any]) -> Difference | None:
    wanted = f"{len(expected)} value{'s' * (len(expected) != 1)}"
    if not is_row(answer):
        return Difference("kind", f"expected {wanted}, got {kind_in_words(answer)}")
    if len(answer) != len(expected):
        return Difference("shape", f"expected {wanted}, got {len(answer)}")
    for number, (part, expected_part) in enumerate(zip(answer, expected, strict=True)):
        if first := difference(part, expected_part):
            return first.inside(number)
    return None


def _dicts(answer: Any, expected: dict) -> Difference | None:
    if not isinstance(answer, dict):
        return Difference("kind", f"expected a dict, got {kind_in_words(answer)}")
    for key in expected:
        if key not in answer:
            return Difference("shape", f"the key {key!r} is missing")
    for key in answer:
        if key not in expected:
            return Difference("shape", f"the key {key!r} should not be there")
    for key in expected:
        if first := difference(answer[key], expected[key]):
            return first.inside(key)
    return None


def kind_in_words(value: Any) -> str:
    """The kind of a value, such as "a text"."""
    if value is None:
        return "None (is there a return?)"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} of shape {value.shape}"
    if isinstance(value, float) and value.is_integer():
        return f"the float {value}"  # it may look like a whole number
    return {
        "str": "a text",
        "bool": "True or False",
        "float": "a number",
        "int": "a whole number",
    }.get(type(value).__name__, f"a {type(value).__name__}")


def in_words(answer: Any, expected: Any) -> str:
    """The first difference as a sentence, such as "Entry 15 (counted from 0): expected 0, got 1."

    "" where both are single values, which say it themselves.
    """
    first = difference(answer, expected)
    if first is None or not (first.detail or first.place):
        return ""
    names = []
    for key in first.place:
        names.append(_name_of(key, expected))
        answer, expected = _part(answer, expected, key)
    sentence = first.detail or "expected {}, got {}".format(*_told_apart(expected, answer))
    if not names:
        return f"{sentence[0].upper()}{sentence[1:]}."
    where = ", ".join(names)
    counted = "" if all("key" in name for name in names) else " (counted from 0)"
    return f"{where[0].upper()}{where[1:]}{counted}: {sentence}."


def _part(answer: Any, expected: Any, key: Any) -> tuple[Any, Any]:
    """The part of an answer, and that of the expected value; for an array lists will do."""
    return (np.asarray(answer) if isinstance(expected, np.ndarray) else answer)[key], expected[key]


def _told_apart(one: Any, other: Any) -> tuple[str, str]:
    """Two values as texts, with all digits where fewer do not tell them apart."""
    texts = short(one), short(other)
    return texts if texts[0] != texts[1] else (f"{one!s}", f"{other!s}")


def _name_of(key: Any, value: Any) -> str:
    """What one calls the part of a value that has this key."""
    if isinstance(value, dict):
        return f"key {key!r}"
    if isinstance(value, (list, tuple)):
        return f"item {key} of the {type(value).__name__}"
    if len(key) == 1:
        return f"entry {key[0]}"
    return f"row {key[0]}, column {key[1]}" if len(key) == 2 else f"entry {list(key)}"


def excerpt(answer: Any, expected: Any) -> tuple[str, str, str] | None:
    """What is shown beside each other: (which part, "" for all; expected; got).

    It is the part with the first difference where all is long; None where that is long as well.
    """
    first = difference(answer, expected)
    place = list(first.place) if first else []
    names: list[str] = []
    answer = _like(answer, expected)
    while not (_fits(expected) and _fits(answer)):
        if not place:
            return None
        key = place.pop(0)
        if not isinstance(expected, np.ndarray):
            names.append(_name_of(key, expected))
        elif expected.ndim == 1:
            start, end = max(0, key[0] - AROUND), min(len(expected), key[0] + AROUND + 1)
            names.append(f"entries {start} to {end - 1}")
            key = slice(start, end)
        else:
            names.append(f"row {key[0]}" if expected.ndim == 2 else f"part {key[0]}")
            place.insert(0, key[1:])
            key = key[0]
        answer, expected = _part(answer, expected, key)
        answer = _like(answer, expected)
    return ", ".join(names), *_told_apart(expected, answer)


def _like(answer: Any, expected: Any) -> Any:
    """A list of rows as an array, where one is expected: they are compared at a glance then."""
    if not isinstance(answer, list) or not isinstance(expected, np.ndarray):
        return answer
    array = array_of(answer)
    return answer if array is None or array.size > SMALL else array


def _fits(value: Any) -> bool:
    """Whether a value is short enough to be shown as a whole."""
    if isinstance(value, np.ndarray) and value.size > SMALL:
        return False
    if isinstance(value, (list, tuple, dict)) and len(value) > WIDE:
        return False
    return len(short(value)) <= WIDE


def short(value: Any) -> str:
    """A value as text, at most six digits a number."""
    if isinstance(value, list) and value and all(isinstance(x, (int, float)) for x in value):
        value = np.asarray(value)
    if isinstance(value, (list, tuple)) and any(is_row(item) for item in value):
        inside = ", ".join(map(short, value[:WIDE]))
        return f"({inside}{',' * (len(value) == 1)})" if isinstance(value, tuple) else f"[{inside}]"
    if isinstance(value, np.ndarray):
        return np.array2string(
            value,
            precision=4,
            suppress_small=True,
            separator=", ",
            max_line_width=200,
            threshold=40,
        )
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return f"{value:.6g}"
    return textwrap.shorten(repr(value), 200)
