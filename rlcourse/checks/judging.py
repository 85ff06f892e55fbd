"""Judges of answers: equal values, close numbers, and the distribution of a random function.

A secret is a `Key`: the right answer, and what each usual mistake would have answered. The mistake
is named by comparing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple, Self

import numpy as np

from rlcourse.checks.task import GENERAL_MISTAKES, Case, Verdict

NARROW = 1e-7  # numbers closer than this, but not equal, are no fair choice
# The chance that a right random function is called wrong, for all cases of one task together
FALSE_ALARM = 1e-7
LONG = 10_000  # values in a list, beyond which its length alone is looked at
RTOL, ATOL = 1e-6, 1e-8  # room for another order of summation, or for float32 on the way


@dataclass(frozen=True)
class Secret:
    """What a case is judged by.

    right: the right answer. slips: mistake -> what that mistake would have answered.
    """

    right: Any
    slips: Mapping[str, Any] = field(default_factory=dict)

    def answers(self) -> dict[str, Any]:
        """The right answer under "", and that of each mistake under its name."""
        return {"": self.right, **self.slips}

    def with_slips(self, slips: Mapping[str, Any]) -> Self:
        """The same right answer, beside those of these mistakes."""
        return replace(self, slips=slips)


@dataclass(frozen=True)
class Key(Secret):
    """The secret of a function without chance."""

    def coincidence(self, draws: int) -> float:
        """The chance that two generators lead to the same answer: there is one right answer,
        whatever is drawn.
        """
        return 1.0


class Narrow(ValueError):
    """Two options are so close that rounding would decide between them."""


class Difference(NamedTuple):
    """Why an answer is not the expected one.

    mistake: a general one, "kind", "shape", "not_finite" or "other".
    """

    mistake: str
    detail: str


def by_oracle(oracle: Callable[..., Any], mistakes: Iterable[str]) -> Callable[[Case], Key]:
    """case -> its key, as the oracle writes it.

    It is called as oracle(*args, slip=mistake), for a class as oracle(*args, script, slip=mistake).
    General mistakes are told by other means than the answer they would give.
    """
    own = [name for name in mistakes if name not in GENERAL_MISTAKES]

    def key(case: Case) -> Key:
        """The right answer, and one for each mistake."""
        args = (*case.args, case.script) if case.script else case.args
        return Key(oracle(*args), {slip: oracle(*args, slip=slip) for slip in own})

    return key


def keyed(oracle: Callable[..., Any], mistakes: Iterable[str], *args: Any) -> Case:
    """The case with these arguments whose key the oracle writes; see `by_oracle`."""
    return Case(args, by_oracle(oracle, mistakes)(Case(args)))


def best(bounds: Sequence[float], past: Sequence[object], *, last: bool = False) -> int:
    """The index of the highest bound, the lowest of several.

    past: what each bound was made of; equal pasts make fair ties.

    Raises Narrow where another order of rounding could choose otherwise.
    """
    top = max(range(len(bounds)), key=lambda i: (bounds[i], i if last else -i))
    for i, bound in enumerate(bounds):
        if bounds[top] - bound < NARROW and past[i] != past[top]:
            raise Narrow(f"{bound} and {bounds[top]}")
    return top


def fair(draw: Callable[..., Any], rng: np.random.Generator, *given: Any, **options: Any) -> Any:
    """A case, or a list of cases, in which no choice hangs on rounding.

    `draw(rng, *given, **options)` is called until no choice does, right or wrong.
    """
    while True:
        try:
            return draw(rng, *given, **options)
        except Narrow:
            continue


def telling(
    draw: Callable[[np.random.Generator], list[Case]], rng: np.random.Generator
) -> list[Case]:
    """Cases drawn again until every two of (right, mistakes) differ in one of them."""
    while True:
        cases = draw(rng)
        answers = [[case.secret.right for case in cases]]
        answers += [[case.secret.slips[slip] for case in cases] for slip in cases[0].secret.slips]
        pairs = combinations(answers, 2)
        if all(
            any(difference(a, b) is not None for a, b in zip(one, other, strict=True))
            for one, other in pairs
        ):
            return cases


def by_key(case: Case, answer: Any) -> Verdict:
    """The judge for functions without chance: the key's right answer, or a slip is named."""
    key: Key = case.secret
    fits = tuple(name for name, value in key.slips.items() if difference(answer, value) is None)
    wrong = difference(answer, key.right)
    if wrong is None:
        return Verdict(1.0, "", fits, "", tuple(key.slips))
    return Verdict(
        0.0,
        fits[0] if fits else wrong.mistake,
        fits,
        "" if fits else wrong.detail,
        tuple(key.slips),
    )


def difference(answer: Any, expected: Any) -> Difference | None:
    """None when the answer is the expected value, else the first difference.

    An expected array or float wants numbers of that shape, finite and close; a list of numbers will
    do for an array. An expected int, bool, str or None wants just that. Expected tuples, lists and
    dicts are compared part by part.
    """
    if isinstance(expected, (np.ndarray, float)):
        return _numbers(answer, np.asarray(expected))
    if isinstance(expected, (tuple, list)):
        return _parts(answer, expected)
    if isinstance(expected, dict):
        return _dicts(answer, expected)
    if expected is None or isinstance(expected, (bool, str)):
        if type(answer) is not type(expected):
            return Difference("kind", f"expected {_kind(expected)}, got {_kind(answer)}")
        return None if answer == expected else Difference("other", "")
    value = answer.item() if isinstance(answer, np.ndarray) and answer.shape == () else answer
    if isinstance(value, bool) or not isinstance(value, int):
        return Difference("kind", f"expected a whole number, got {_kind(answer)}")
    return None if value == expected else Difference("other", "")


def _numbers(answer: Any, expected: np.ndarray) -> Difference | None:
    wanted = f"an array of shape {expected.shape}" if expected.shape else "a number"
    if answer is None or isinstance(answer, (bool, str, dict)):
        return Difference("kind", f"expected {wanted}, got {_kind(answer)}")
    if isinstance(answer, (list, tuple)) and len(answer) > LONG > expected.size:
        return Difference("shape", f"expected {wanted}, got {len(answer):,} values")
    if not numbers_only(answer):
        return Difference(
            "kind", f"expected {wanted}, got {_kind(answer)} with other things than numbers in it"
        )
    try:
        values = np.asarray(answer)
    except ValueError:  # lists of unequal lengths
        return Difference("kind", f"expected {wanted}, got lists of unequal lengths")
    if (values.dtype.kind not in "iufb" and values.size) or (
        values.dtype.kind == "b" and expected.dtype.kind != "b"
    ):
        return Difference("kind", f"expected {wanted}, got {_kind(answer)}")
    if values.shape != expected.shape:
        return Difference("shape", f"expected {wanted}, got shape {values.shape}")
    if not np.isfinite(values).all():
        return Difference("not_finite", "")
    return (
        None
        if np.allclose(values.astype(np.float64), expected, RTOL, ATOL)
        else Difference("other", "")
    )


def numbers_only(answer: Any) -> bool:
    """Whether an answer is a number, an array, or lists of these.

    It is asked before NumPy converts the answer: one long text among numbers would make every
    number as long.
    """
    if isinstance(answer, (list, tuple)):
        return all(map(numbers_only, answer))
    return isinstance(answer, (int, float, np.ndarray))


def _is_row(answer: Any) -> bool:
    """Whether an answer has a length."""
    return isinstance(answer, (list, tuple)) or (isinstance(answer, np.ndarray) and answer.ndim > 0)


def _parts(answer: Any, expected: Sequence[Any]) -> Difference | None:
    if not _is_row(answer):
        return Difference("kind", f"expected {len(expected)} values, got {_kind(answer)}")
    if len(answer) != len(expected):
        return Difference("shape", f"expected {len(expected)} values, got {len(answer)}")
    differences = (difference(a, b) for a, b in zip(answer, expected, strict=True))
    return next(filter(None, differences), None)


def _dicts(answer: Any, expected: dict) -> Difference | None:
    if not isinstance(answer, dict):
        return Difference("kind", f"expected a dict, got {_kind(answer)}")
    if answer.keys() != expected.keys():
        return Difference(
            "shape", f"expected {len(expected)} keys, got {len(answer)} or other ones"
        )
    differences = (difference(answer[key], expected[key]) for key in expected)
    return next(filter(None, differences), None)


def _kind(value: Any) -> str:
    if value is None:
        return "None (is there a return?)"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} of shape {value.shape}"
    return {
        "str": "a text",
        "bool": "True or False",
        "float": "a number",
        "int": "a whole number",
    }.get(type(value).__name__, f"a {type(value).__name__}")


@dataclass(frozen=True)
class Frequencies(Secret):
    """The secret of a case for a random function, called `case.calls` times.

    The function returns one of A actions. right [A]: the probability of every action. slips:
    mistake -> the probabilities [A] under that mistake. share: the false-alarm rate that this one
    case may use; `rate(cases)` divides FALSE_ALARM over the cases of a task.
    """

    share: float = FALSE_ALARM

    def coincidence(self, draws: int) -> float:
        """The chance that two generators draw the same so many times."""
        return float(np.sum(np.square(self.right)) ** draws)


def rate(cases: int) -> float:
    """Each of so many cases' share: all their false alarms stay below FALSE_ALARM (union bound)."""
    return FALSE_ALARM / cases


def by_frequencies(case: Case, answer: Any) -> Verdict:
    """The judge for a random function.

    Each action's count has to lie in the exact binomial range around its probability. An action of
    probability 0 that occurs once is wrong without any doubt. The ranges leave out at most `share`
    in all (union bound over the actions), so a right function is called wrong with at most that
    probability.
    """
    key: Frequencies = case.secret
    size = len(key.right)
    if not _is_row(answer) or len(answer) != case.calls:
        return Verdict(0.0, "kind", (), f"expected an answer to each of {case.calls} calls")
    answer = (
        answer.tolist() if isinstance(answer, np.ndarray) and answer.dtype.kind in "iuf" else answer
    )
    odd = [a for a in answer if isinstance(a, bool) or not isinstance(a, int)]
    if odd:
        return Verdict(
            0.0, "kind", (), f"expected a whole number at every call, got {_kind(odd[0])}"
        )
    outside = [a for a in answer if not 0 <= a < size]
    if outside:
        return Verdict(0.0, "kind", (), f"actions are 0 to {size - 1}; got {outside[0]}")
    counts = np.bincount(answer, minlength=size)
    fits = [name for name, p in key.slips.items() if in_range(counts, p, key.share)]
    if in_range(counts, key.right, key.share):
        return Verdict(1.0, "", tuple(fits), "", tuple(key.slips))
    fits.sort(key=lambda name: -_log_likelihood(counts, key.slips[name]))
    return Verdict(0.0, fits[0] if fits else "distribution", tuple(fits), "", tuple(key.slips))


@dataclass(frozen=True)
class Orders:
    """The secret of a random function that returns `case.args[2]` lists.

    Each has so many `places`, with a number from `lowest` on in each. names: how many numbers there
    are. frequencies: how often each list comes, in the order of the lists.
    """

    names: int
    places: int
    frequencies: Frequencies
    lowest: int = 0

    def answers(self) -> dict[str, Any]:
        """ "" and each listed mistake -> how often each list comes."""
        return self.frequencies.answers()

    def with_slips(self, slips: Mapping[str, Any]) -> "Orders":
        """The same with these frequencies for each mistake."""
        return replace(self, frequencies=self.frequencies.with_slips(slips))

    def coincidence(self, draws: int) -> float:
        """The chance that two generators draw the same so many times."""
        return self.frequencies.coincidence(draws)

    def numbers(self, lists: np.ndarray) -> np.ndarray:
        """[n]: the number of each list [n, places] in the order of the lists."""
        digits = self.names ** np.arange(self.places - 1, -1, -1)
        return (lists.astype(np.int64) - self.lowest) @ digits

    def compared(self, answer: Any, most: int = 6) -> str:
        """The lists whose frequency is furthest off: how often each should come, and came."""
        numbers = self.numbers(np.asarray(answer))
        right = self.frequencies.right
        got = np.bincount(numbers, minlength=len(right)) / len(numbers)
        furthest = np.argsort(-abs(got - right), kind="stable")[:most]
        rows = []
        for number in sorted(furthest[got[furthest] != right[furthest]]):
            places = np.unravel_index(number, (self.names,) * self.places)
            name = ", ".join(str(int(place) + self.lowest) for place in places)
            rows.append(f"{name}: {right[number]:.3f}, got {got[number]:.3f}")
        return "; ".join(rows)


def by_orders(case: Case, answer: Any) -> Verdict:
    """Judges how often each ordered list comes; see `by_frequencies`.

    The same list every time is a mistake of its own.
    """
    orders: Orders = case.secret
    wanted = (case.args[2], orders.places)
    if isinstance(answer, (list, tuple)) and len(answer) != wanted[0]:
        return Verdict(
            0.0, "shape", (), f"expected one row a draw, shape {wanted}; got {len(answer)} rows"
        )
    lists = (
        np.asarray(answer)
        if isinstance(answer, (list, tuple, np.ndarray)) and numbers_only(answer)
        else np.zeros(0)
    )
    if lists.dtype.kind not in "iu":
        return Verdict(0.0, "kind", (), "expected an array of whole numbers")
    if lists.shape != wanted:
        return Verdict(
            0.0, "shape", (), f"expected one row a draw, shape {wanted}; got {lists.shape}"
        )
    highest = orders.lowest + orders.names - 1
    if lists.min() < orders.lowest or lists.max() > highest:
        return Verdict(
            0.0,
            "kind",
            (),
            f"the numbers are {orders.lowest} to {highest}; got {lists.min()} to {lists.max()}",
        )
    numbers = orders.numbers(lists)
    verdict = by_frequencies(
        Case(case.args, orders.frequencies, calls=len(numbers)), numbers.tolist()
    )
    drawn = orders.frequencies.right.max() < 1.0  # else the same list every time is right
    if verdict.score < 1.0 and drawn and not verdict.fits and (numbers == numbers[0]).all():
        return Verdict(0.0, "repeated", ("repeated",))
    return verdict


def in_range(counts: np.ndarray, p: np.ndarray, share: float) -> bool:
    """Whether every count [A] lies in its exact binomial range around the probabilities p [A]."""
    low, high = ranges(int(counts.sum()), p, share)
    return bool(np.all((counts >= low) & (counts <= high)))


def ranges(n: int, p: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """(low [A], high [A]): counts of n draws that are accepted; all A leave out at most `share`."""
    uncertain = [float(x) for x in p if 0 < x < 1]
    tail = share / (2 * max(1, len(uncertain)))
    both = [_range(n, float(x), tail) for x in p]
    return np.array([low for low, _ in both]), np.array([high for _, high in both])


@lru_cache(maxsize=100_000)
def _range(n: int, p: float, tail: float) -> tuple[int, int]:
    """(low, high) of a binomial count: P(count < low) <= tail and P(count > high) <= tail."""
    from scipy.special import bdtr

    if p <= 0 or p >= 1:
        return (0, 0) if p <= 0 else (n, n)
    k = np.arange(n + 1)
    low = np.searchsorted(bdtr(k, n, p), tail, side="right")
    high = n - np.searchsorted(bdtr(k, n, 1 - p), tail, side="right")
    return int(low), int(high)


def power(n: int, right: np.ndarray, slip: np.ndarray, share: float) -> float:
    """The least chance that a function with probabilities `slip` [A] is called wrong."""
    from scipy.special import bdtr

    low, high = ranges(n, right, share)
    slip = np.asarray(slip, np.float64)
    below = np.where(low > 0, bdtr(np.maximum(low - 1, 0), n, slip), 0.0)
    above = np.where(high < n, bdtr(n - high - 1, n, 1 - slip), 0.0)
    return float(np.max(below + above))


def _log_likelihood(counts: np.ndarray, p: np.ndarray) -> float:
    seen = counts > 0
    return float(np.sum(counts[seen] * np.log(np.maximum(p[seen], 1e-300))))
