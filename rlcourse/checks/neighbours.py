"""Questions that differ from a case in one argument, asked just before it.

What they were answered must not show in the answer to the case, as it does where a function
remembers answers and its key leaves an argument out.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from rlcourse.checks.plain import Rng, encode

if TYPE_CHECKING:
    from rlcourse.checks.task import Case, Reply


class Neighbours:
    """The neighbours that the cases of a task still need, in the domain that its text states.

    Every argument is exchanged twice, for what it is in another case and for a variation of its
    own, until the replies show that the exchange matters. Without a domain there is no neighbour.
    """

    def __init__(self, cases: Sequence["Case"], domain: Callable[..., bool] | None) -> None:
        self._cases, self._domain = cases, domain
        self._draws = any(case.draws for case in cases)
        count = max((len(case.args) for case in cases), default=0) if domain else 0
        # Where answers are drawn, only a large change shows: a variation, so it comes first.
        order = (True, False) if self._draws else (False, True)
        self._open = [(number, varied) for number in range(count) for varied in order]
        # What was exchanged before this case, and the reply.
        self._asked: list[tuple[tuple[int, bool], Reply]] = []

    def ask(self, place: int, ask: Callable[["Case"], "Reply"]) -> list["Reply"]:
        """The replies to the neighbours of the case in this place."""
        self._asked = []
        # A memo may leave several arguments out, so each exchange comes first in turn.
        first = place % max(1, len(self._open))
        for exchange in (*self._open[first:], *self._open[:first]):
            question = self._exchanged(place, *exchange)
            if question is not None:
                self._asked.append((exchange, ask(question)))
        return [reply for _, reply in self._asked]

    def answered(self, answer: Any) -> None:
        """Take the answer to the case. Where a neighbour's differs, that exchange is done."""
        if self._draws:
            return  # two answers differ by chance as well
        frame = encode(answer)
        differ = [exchange for exchange, reply in self._asked if encode(reply.answer) != frame]
        self._open = [exchange for exchange in self._open if exchange not in differ]

    def _exchanged(self, place: int, number: int, varied: bool) -> "Case | None":
        """The case with another value of this argument; None where there is none in the domain."""
        case = self._cases[place]
        if (
            number >= len(case.args)
            or isinstance(case.args[number], Rng)
            or number == case.draws_at
        ):
            return None
        own = encode(case.args[number])
        others = (other.args[number] for other in self._cases if number < len(other.args))
        variations = _variations(case.args[number])
        for value in chain(variations, others) if varied else chain(others, variations):
            args = (*case.args[:number], value, *case.args[number + 1 :])
            if encode(value) != own and self._allowed(
                (*args, case.script) if case.script else args
            ):
                return replace(case, args=args, calls=1, secret=None).again(0)
        return None

    def _allowed(self, args: tuple[Any, ...]) -> bool:
        try:
            return self._domain is not None and bool(self._domain(*args))
        except Exception:  # shapes that do not go together
            return False


def _variations(value: Any) -> Iterator[Any]:
    """Values of the same kind that are close to this one: turned round, rolled, scaled, shifted."""
    if isinstance(value, np.ndarray) and value.size:
        for axis in range(value.ndim):
            yield np.flip(value, axis).copy()
            yield np.roll(value, 1, axis)
            yield _exchanged_parts(value, axis)
        if value.dtype == bool:
            yield ~value
            yield from (_stepped(value, place, True) for place in np.ndindex(value.shape))
        else:
            yield from (
                value.max() + value.min() - np.flip(value),
                value * 2,
                -value,
                value + 1,
                value - 1,
            )
            if value.dtype.kind == "f":
                yield from (value * 0.5, 1 - value)
            else:
                yield from (
                    _stepped(value, place, step)
                    for place in np.ndindex(value.shape)
                    for step in (1, -1)
                )
    elif isinstance(value, (list, tuple)):
        yield value[::-1]
        parts = [list(_variations(part)) for part in value]
        yield from (type(value)(row) for row in zip(*parts, strict=False))
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, value + 2, -value, 1 - value)
    elif isinstance(value, float):
        yield from (value * 8, value * 0.25, 1 - value, value * 0.75, -value)


def _stepped(value: np.ndarray, place: tuple[int, ...], step: int) -> np.ndarray:
    """The array with one number changed by so much; a truth is turned."""
    changed = value.copy()
    changed[place] = changed[place] != step if value.dtype == bool else changed[place] + step
    return changed


def _exchanged_parts(value: np.ndarray, axis: int) -> np.ndarray:
    """The array with each line's numbers turned round along the axis; zeros keep their places."""
    lines = np.moveaxis(value.copy(), axis, -1)
    for place in np.ndindex(lines.shape[:-1]):
        line = lines[place]
        line[line != 0] = line[line != 0][::-1]
    return np.moveaxis(lines, -1, axis).copy()
