"""Judges of answers: equal values, close numbers, and the distribution of a random function.

A secret is a `Key`: the right answer, and what each usual mistake would have answered. The mistake
is named by comparing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Self

import numpy as np

from rlcourse.checks.binomial import in_range
from rlcourse.checks.difference import (
    Compared,
    difference,
    excerpt,
    in_words,
    is_row,
    kind_in_words,
    numbers_only,
)
from rlcourse.checks.relation import relation
from rlcourse.checks.task import GENERAL_MISTAKES, Case, Mark

MOST_ROWS = 6  # of a table of frequencies
NARROW = 1e-7  # numbers closer than this, but not equal, are no fair choice
# The chance that a right random function is called wrong, for all cases of one task together
FALSE_ALARM = 1e-7


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

    def compared(self, answer: Any) -> Compared:
        """The first difference, and as much around it as can be read at a glance."""
        part = excerpt(answer, self.right)
        first = f"{in_words(answer, self.right)} {relation(answer, self.right)}".strip()
        return Compared(first, (part,) if part else ())

    def coincidence(self, draws: int) -> float:
        """The chance that two generators lead to the same answer: there is one right answer,
        whatever is drawn.
        """
        return 1.0


class Narrow(ValueError):
    """What is answered hangs on rounding between two options, or on how a slip was written."""


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


def by_key(case: Case, answer: Any) -> Mark:
    """The judge for functions without chance: the key's right answer, or a slip is named."""
    key: Key = case.secret
    fits = tuple(name for name, value in key.slips.items() if difference(answer, value) is None)
    wrong = difference(answer, key.right)
    if wrong is None:
        return Mark(1.0, "", fits, "", tuple(key.slips))
    return Mark(
        0.0,
        fits[0] if fits else wrong.mistake,
        fits,
        "" if fits else wrong.detail,
        tuple(key.slips),
    )


@dataclass(frozen=True)
class Frequencies(Secret):
    """The secret of a case for a random function, called `case.calls` times.

    The function returns one of A actions. right [A]: the probability of every action. slips:
    mistake -> the probabilities [A] under that mistake. share: the false-alarm rate that this one
    case may use; `alarm_share(cases)` divides FALSE_ALARM over the cases of a task.
    """

    share: float = FALSE_ALARM

    def compared(self, answer: Any) -> Compared:
        """How often each action should come, and came; first of all whether one never should."""
        shares = np.bincount(answer, minlength=len(self.right)) / len(answer)
        first, rows = frequencies_compared(shares, self.right, str)
        can_come, came = np.flatnonzero(self.right), np.flatnonzero(shares)
        if first and 1 < len(came) <= came.max() + 1 <= len(can_come):
            first += (
                f" All {len(came)} that came lie below {len(can_come)}, the number of those that "
                "can: is it the place in a shorter list?"
            )
        return Compared(first, rows)

    def coincidence(self, draws: int) -> float:
        """The chance that two generators draw the same so many times."""
        return float(np.sum(np.square(self.right)) ** draws)


def alarm_share(cases: int) -> float:
    """Each of so many cases' share: all their false alarms stay below FALSE_ALARM (union bound)."""
    return FALSE_ALARM / cases


rate = alarm_share  # the name in visible.py of sheets that were handed out before


def by_frequencies(case: Case, answer: Any) -> Mark:
    """The judge for a random function.

    Each action's count has to lie in the exact binomial range around its probability. An action of
    probability 0 that occurs once is wrong without any doubt. The ranges leave out at most `share`
    in all (union bound over the actions), so a right function is called wrong with at most that
    probability.
    """
    key: Frequencies = case.secret
    size = len(key.right)
    if not is_row(answer) or len(answer) != case.calls:
        return Mark(0.0, "kind", (), f"expected an answer to each of {case.calls} calls")
    answer = (
        answer.tolist() if isinstance(answer, np.ndarray) and answer.dtype.kind in "iuf" else answer
    )
    odd = [a for a in answer if isinstance(a, bool) or not isinstance(a, int)]
    if odd:
        kind = "a list or an array" if isinstance(odd[0], list) else kind_in_words(odd[0])
        return Mark(0.0, "kind", (), f"expected a whole number at every call, got {kind}")
    outside = [a for a in answer if not 0 <= a < size]
    if outside:
        return Mark(0.0, "kind", (), f"actions are 0 to {size - 1}; got {outside[0]}")
    counts = np.bincount(answer, minlength=size)
    fits = [name for name, p in key.slips.items() if in_range(counts, p, key.share)]
    if in_range(counts, key.right, key.share):
        return Mark(1.0, "", tuple(fits), "", tuple(key.slips))
    fits.sort(key=lambda name: -_log_likelihood(counts, key.slips[name]))
    return Mark(0.0, fits[0] if fits else "distribution", tuple(fits), "", tuple(key.slips))


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

    def compared(self, answer: Any) -> Compared:
        """How often each list should come, and came; first of all whether one never should."""
        numbers = self.numbers(np.asarray(answer))
        right = self.frequencies.right
        shares = np.bincount(numbers, minlength=len(right)) / len(numbers)
        return frequencies_compared(shares, right, self._name)

    def _name(self, number: int) -> str:
        """The list of that number, as text."""
        places = np.unravel_index(number, (self.names,) * self.places)
        return ", ".join(str(int(place) + self.lowest) for place in places)


def frequencies_compared(
    shares: np.ndarray, right: np.ndarray, name: Callable[[int], str]
) -> Compared:
    """How often each of A came, beside the right shares [A]; the ones furthest off, if many."""
    shown = np.flatnonzero((right > 0) | (shares > 0))
    furthest = np.sort(shown[np.argsort(-abs(shares - right)[shown], kind="stable")[:MOST_ROWS]])
    rows = tuple((name(int(a)), f"{right[a]:.3f}", f"{shares[a]:.3f}") for a in furthest)
    never = np.flatnonzero((right == 0) & (shares > 0))
    if not never.size:
        return Compared("", rows)
    worst = int(never[shares[never].argmax()])
    share = f"{shares[worst]:.1%} of the draws"
    first = f"The answer {name(worst)} should never come; it came in {share}."
    return Compared(first, rows)


def by_orders(case: Case, answer: Any) -> Mark:
    """Judges how often each ordered list comes; see `by_frequencies`.

    The same list every time is a mistake of its own.
    """
    orders: Orders = case.secret
    wanted = (case.args[2], orders.places)
    expected = f"expected one row a draw, shape {wanted}"
    if isinstance(answer, (list, tuple)) and len(answer) != wanted[0]:
        return Mark(
            0.0, "shape", (), f"{expected}; got {len(answer)} row{'s' * (len(answer) != 1)}"
        )
    lists = (
        np.asarray(answer)
        if isinstance(answer, (list, tuple, np.ndarray)) and numbers_only(answer)
        else np.zeros(0)
    )
    if lists.dtype.kind not in "iu":
        return Mark(0.0, "kind", (), "expected an array of whole numbers")
    if lists.shape != wanted:
        return Mark(0.0, "shape", (), f"{expected}; got {lists.shape}")
    highest = orders.lowest + orders.names - 1
    if lists.min() < orders.lowest or lists.max() > highest:
        return Mark(
            0.0,
            "kind",
            (),
            f"the numbers are {orders.lowest} to {highest}; got {lists.min()} to {lists.max()}",
        )
    numbers = orders.numbers(lists)
    mark = by_frequencies(Case(case.args, orders.frequencies, calls=len(numbers)), numbers.tolist())
    drawn = orders.frequencies.right.max() < 1.0  # else the same list every time is right
    if mark.score < 1.0 and drawn and (numbers == numbers[0]).all():
        fits = (*mark.fits, "repeated")  # a slip may give one list in this case alone
        return mark._replace(mistake=fits[0], fits=fits)
    return mark


def _log_likelihood(counts: np.ndarray, p: np.ndarray) -> float:
    seen = counts > 0
    return float(np.sum(counts[seen] * np.log(np.maximum(p[seen], 1e-300))))
