"""`python -m tests.grading.variants`: which answers to a sheet or a variant of it are right in
another one, of the tasks that both ask otherwise.
"""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import permutations
from pathlib import Path

from rlcourse.checks import get_sheet
from rlcourse.checks.task import Outcome
from rlcourse.grading.sources import Course, open_course
from rlcourse.grading.variants import STEP, open_variant, variants_of
from tests.grading.course import ROOT, hidden_cases
from tests.grading.own_sheet import left_as_it_was
from tests.mutants.asking import answer, examined

SEEDS = (5, 11)
VARIANTS = [
    (path.parent.name, variant)
    for path in sorted((ROOT / "solutions").glob("*/variants.py"))
    for variant in range(1, 1 + max(map(len, variants_of(path.parent.name).values())))
]


@contextmanager
def written_out(number: str, variant: int, folder: Path) -> Iterator[tuple[Course, str]]:
    """The course with a variant of a sheet, and its number there."""
    with left_as_it_was(f"{int(number) + STEP * variant}"):
        yield open_variant(open_course(None), number, variant, folder)


def accepted(
    here: str, there: str, tasks: list[str], most: int | None = None
) -> dict[str, list[bool]]:
    """task -> of the first right answers in the one sheet, whether the other one accepts it on any
    seed.
    """
    told: dict[str, list[bool]] = {}
    for name in tasks:
        task, answers = get_sheet(there).task(name), import_module(f"rlcourse.checks.answers{here}")
        drawn = [hidden_cases(there, name, seed) for seed in SEEDS]
        told[name] = [
            any(examined(task, cases, function).outcome is Outcome.RIGHT for cases in drawn)
            for function in (answer(one, task.function) for one in answers.RIGHT[name][:most])
        ]
    return told


def pairs(number: str, most: int) -> Iterator[tuple[str, str, list[str]]]:
    """(here, there, the tasks that both ask otherwise) for the sheet and its variants up to `most`,
    when they have been written out.
    """
    asked = {number: dict.fromkeys(variants_of(number))}
    for variant in range(1, most + 1):
        new = f"{int(number) + STEP * variant}"
        picked = import_module(f"rlcourse.checks.variants{new}").CHOSEN
        asked[new] = {task: one.text for task, one in picked.items()}
    for here, there in permutations(asked, 2):
        yield here, there, [task for task in asked[here] if asked[here][task] != asked[there][task]]


def main() -> None:
    """Print a line for each pair."""
    for number, most in dict(VARIANTS).items():
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            for variant in range(1, most + 1):
                stack.enter_context(written_out(number, variant, Path(folder)))
            for here, there, tasks in pairs(number, most):
                told = accepted(here, there, tasks)
                right = sum(map(sum, told.values()))
                print(f"answers to {here}: {there} accepts {right} of", end=" ")
                print(f"{sum(map(len, told.values()))} ({', '.join(told)})")


if __name__ == "__main__":
    main()
