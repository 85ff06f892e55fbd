"""The table of what the checks say of the mutants of a sheet, and the list of what to look at."""

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rlcourse.checks import get_sheet
from rlcourse.checks.task import Outcome
from tests.mutants.asking import Fate, base, domain_cases, fate, slips
from tests.mutants.making import Mutant, mutants

STORED = Path(__file__).with_name("tables.json")  # sheet -> task -> counts, written by --store
# How a call ends that gives no answer: nobody needs a case to see that it is wrong.
BROKEN = tuple(
    map(str, (Outcome.RAISED, Outcome.TIMED_OUT, Outcome.MISSING, Outcome.OUT_OF_MEMORY))
)
COLUMNS = ("made", "broken", "equivalent", "wrong", "visible", "hidden", "told", "untrue")


def all_mutants(number: str, name: str) -> list[Mutant]:
    """Every mutant of the right answers to a task; of a variant's, of its own solution.

    Where one function has several tasks, its solution does more than each of them asks, which hides
    what is lost: there the sheet's mutants are translated.
    """
    sheet, first = get_sheet(number), base(number)
    if number == first:
        return mutants(import_module(f"rlcourse.checks.answers{number}").RIGHT[name])
    if len({task.function for task in sheet.tasks}) == len(sheet.tasks):
        return mutants(import_module(f"rlcourse.checks.answers{number}").RIGHT[name][:1])
    wrapped = import_module(f"rlcourse.checks.variants{number}").CHOSEN[name].wrapped
    function = sheet.task(name).function
    made = all_mutants(first, name)
    return [one._replace(source=wrapped(one.source, function)) for one in made]


def fates(number: str, name: str, made: Sequence[Mutant], jobs: int) -> Iterator[Fate]:
    """What becomes of changed answers to a task, in their order."""
    for slip in ("", *slips(number, name)):
        domain_cases(number, name, slip)  # before the processes begin, which take it over
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        yield from pool.map(fate, [number] * len(made), [name] * len(made), made)


def counts(found: Sequence[Fate]) -> dict[str, int]:
    """How many there are in each column.

    broken: both checks end in an error. wrong: there are answers, and not all are right.
    visible, hidden: how many of the wrong ones that check catches. told: of the wrong ones, how
    many are told a mistake by name; untrue: how many a mistake that they do not make.
    """
    broken = [one for one in found if one.visible in BROKEN and one.hidden in BROKEN]
    equal = [one for one in found if one.equal]
    wrong = [one for one in found if not one.equal and one not in broken]
    return {
        "made": len(found),
        "broken": len(broken),
        "equivalent": len(equal),
        "wrong": len(wrong),
        "visible": sum(one.visible != "right" for one in wrong),
        "hidden": sum(one.hidden != "right" for one in wrong),
        "told": sum(bool(one.offered) for one in wrong),
        "untrue": sum(bool(one.untrue) for one in wrong),
    }


def to_look_at(number: str, name: str, found: Sequence[Fate]) -> Iterator[str]:
    """A line for each mutant that a check should treat otherwise."""
    reasons = import_module(f"tests.mutants.domain{base(number)}").EQUIVALENT.get(name, {})
    known = [part for parts in reasons.values() for part in parts]
    for one in found:
        if one.equal and not any(part in one.mutant.change for part in known):
            yield f"EQUIVALENT, why? {one.mutant.operator}: {one.mutant.change}"
        if not one.equal and one.visible == "right":
            yield f"not seen by the visible cases ({one.hidden}): {one.mutant.change}"
        if not one.equal and one.hidden == "right":
            yield f"NOT GRADED WRONG: {one.mutant.change}"
        if one.untrue:
            yield f"UNTRUE {', '.join(one.untrue)}: {one.mutant.change}"


def as_markdown(stored: Mapping[str, Any]) -> str:
    """The stored counts as docs/checks.md shows them."""
    lines = [
        "| sheet | mutants made | end in an error | change no answer | wrong | seen by the visible "
        "cases | by the hidden ones | told a mistake | an untrue one |",
        "|---" * 9 + "|",
    ]
    for number, row in sorted(stored.items()):
        made, broken, equal, wrong, *caught, told, untrue = (
            sum(task[column] for task in row.values()) for column in COLUMNS
        )
        tasks = len(get_sheet(number).tasks)
        name = number if len(row) == tasks else f"{number}, {len(row)} of {tasks} tasks"
        shares = " | ".join(f"{count:,} ({share(count, wrong)})" for count in caught)
        lines.append(
            f"| {name} | {made:,} | {broken:,} | {equal:,} | {wrong:,} | {shares} | {told:,} "
            f"| {untrue:,} |"
        )
    return "\n".join(lines)


def share(count: int, of: int) -> str:
    """A share in percent, rounded down: 100% is all."""
    return f"{int(1000 * count / of) / 10:g}%"


def store(number: str, name: str, found: Sequence[Fate]) -> None:
    """Keep the counts of a task beside the others."""
    stored = read()
    stored.setdefault(number, {})[name] = counts(found)
    lines = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(row)}" for key, row in sorted(stored.items())
    )
    STORED.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def read() -> dict[str, Any]:
    """What is stored: sheet -> task -> counts."""
    return json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
