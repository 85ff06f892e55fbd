"""Planted copies and independent hand-ins, put to the comparison of the class report.

A hand-in has one answer to each function of a sheet. The answers are those of `answers.py`, written
to differ, and those of a writer who knew the sheet's text alone (`tests.mutants.natural`). What the
course knows as its own is left out where it is the hand-in itself: a student's answer is not among
the right ones of the course.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from rlcourse.checks import get_sheet
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Outcome
from rlcourse.grading.copies import HandIn, compare, forced_by, references
from rlcourse.grading.likeness import Forms, read_forms
from tests.copies.disguises import DISGUISES, everything, helpers, split

Change = Callable[[str, str], str]
Picks = tuple[int, ...]  # number of the answer to each function
TWINS = 0.9  # of the forms of the longer one: then two answers are one
PLANTED, INDEPENDENT = 20, 20  # hand-ins, and pairs of them, a sheet


@dataclass
class Population:
    """What is known to answer a sheet. sources: function -> answers, the natural writer's last."""

    sheet: Sheet
    sources: Mapping[str, Sequence[str]]
    known: Sequence[HandIn]

    @property
    def natural(self) -> Picks:
        """The hand-in of the writer who knew the text alone."""
        return tuple(len(answers) - 1 for answers in self.sources.values())

    def hand_in(self, picks: Picks, change: Change | None = None) -> dict[str, Forms]:
        """The forms of a hand-in, disguised by `change`."""
        handed: dict[str, Forms] = {}
        for (function, answers), pick in zip(self.sources.items(), picks, strict=True):
            source = answers[pick]
            handed |= read_forms(change(source, function) if change else source, [function])
        return handed

    def forced(self, *hand_ins: HandIn) -> dict[str, Forms]:
        """What the course knows, without the answers of these hand-ins and their twins."""
        known = (
            {
                function: forms
                for function, forms in one.items()
                if not any(are_twins(forms, other[function]) for other in hand_ins)
            }
            for one in self.known
        )
        return forced_by(known)

    def random_picks(self, rng: random.Random, other: Picks | None = None) -> Picks:
        """A hand-in of answers drawn at random, none of them one of the other hand-in's, nor its
        twin.
        """
        return tuple(
            rng.choice(self._others(place, None if other is None else other[place]))
            for place in range(len(self.sources))
        )

    def _others(self, place: int, pick: int | None) -> list[int]:
        """The answers to a function that are not that one; all of them where none is."""
        function, answers = list(self.sources.items())[place]
        if pick is None:
            return list(range(len(answers)))
        forms = [read_forms(source, [function])[function] for source in answers]
        others = [k for k in range(len(answers)) if k != pick]
        return [k for k in others if not are_twins(forms[k], forms[pick])] or others


def right_answers(number: str) -> dict[str, list[str]]:
    """task -> its right answers, the natural writer's last."""
    right = import_module(f"rlcourse.checks.answers{number}").RIGHT
    natural = import_module(f"tests.mutants.natural.sheet{number}").ANSWERS
    return {task: [*sources, natural[task]] for task, sources in right.items()}


def population(number: str) -> Population:
    """The answers to a sheet."""
    sheet, right = get_sheet(number), right_answers(number)
    sources: dict[str, dict[str, None]] = {}
    for last in (False, True):
        for task, answers in right.items():
            part = answers[-1:] if last else answers[:-1]
            sources.setdefault(sheet.task(task).function, {}).update(dict.fromkeys(part))
    return Population(sheet, {name: list(one) for name, one in sources.items()}, references(sheet))


def are_twins(a: Forms, b: Forms) -> bool:
    """Whether two answers to one function are one."""
    return (a & b).total() >= TWINS * max(a.total(), b.total())


def listed(first: HandIn, second: HandIn, forced: Mapping[str, Forms]) -> bool:
    """Whether the report would list two hand-ins."""
    return bool(compare({"a": first, "b": second}, forced).pairs)


def originals(answers: Population, rng: random.Random, count: int) -> list[Picks]:
    """Different hand-ins, the natural writer's first; fewer where there are not so many."""
    picks = {answers.natural: None}
    for _ in range(20 * count):
        if len(picks) < count:
            picks.setdefault(answers.random_picks(rng))
    return list(picks)


def independent(answers: Population, rng: random.Random, count: int) -> list[tuple[Picks, Picks]]:
    """Pairs of hand-ins without a common answer: the natural writer's beside each right answer
    first. Of sheets with one function only those: the course's answers to them share helpers.
    """
    most = max(map(len, answers.sources.values())) - 1
    pairs = {
        (answers.natural, tuple(min(k, end - 1) for end in answers.natural)): None
        for k in range(most)
    }
    while len(pairs) < count and len(answers.sources) > 1:
        first = answers.random_picks(rng)
        pairs.setdefault((first, answers.random_picks(rng, first)))
    return list(pairs)[:count]


@dataclass
class Counts:
    """found: disguise -> copies listed, of `planted` each. alike: independent pairs listed, of
    `pairs`; in `writers` of these one hand-in is the natural writer's. answers: how many different
    pairs of answers there are in them.
    """

    planted: int = 0
    found: Counter[str] = field(default_factory=Counter)
    alike: int = 0
    pairs: int = 0
    writers: int = 0
    answers: int = 0


def half(answers: Population, picks: Picks, rng: random.Random) -> Picks:
    """Every second answer is another one."""
    other = answers.random_picks(rng, picks)
    return tuple(pair[k % 2] for k, pair in enumerate(zip(picks, other, strict=True)))


CHANGES: dict[str, Change] = {
    **DISGUISES,
    "all five": everything,
    "split": split,
    "helpers": helpers,
}
PARTLY = "every second"


def run(numbers: Sequence[str], *, planted: int = PLANTED, pairs: int = INDEPENDENT) -> Counts:
    """Everything for these sheets: hand-ins and pairs of each."""
    counts = Counts()
    for number in numbers:
        answers, rng = population(number), random.Random(int(number))
        for picks in originals(answers, rng, planted):
            own = answers.hand_in(picks)
            forced = answers.forced(own)
            counts.planted += 1
            for name, change in CHANGES.items():
                counts.found[name] += listed(own, answers.hand_in(picks, change), forced)
            partly = answers.hand_in(half(answers, picks, rng), everything)
            counts.found[PARTLY] += listed(own, partly, answers.forced(own, partly))
        units = set()
        for first, second in independent(answers, rng, pairs):
            a, b = answers.hand_in(first), answers.hand_in(second)
            counts.alike += listed(a, b, answers.forced(a, b))
            counts.pairs += 1
            counts.writers += answers.natural in (first, second)
            units |= {(k, *sorted(one)) for k, one in enumerate(zip(first, second, strict=True))}
        counts.answers += len(units)
    return counts


def wrong(numbers: Sequence[str]) -> list[str]:
    """Disguises after which a right answer is no longer right, by the sheet's visible check."""
    found = []
    for number in numbers:
        sheet = get_sheet(number)
        for name, sources in right_answers(number).items():
            task = sheet.task(name)
            for k, source in enumerate(sources):
                for disguise, change in CHANGES.items():
                    made: dict[str, Any] = {}
                    exec(compile(change(source, task.function), disguise, "exec"), made)
                    result = sheet.examine_visible(task, made[task.function])[0]
                    if result.outcome is not Outcome.RIGHT:
                        found.append(f"{number} {name}, answer {k}: {disguise}")
    return found
