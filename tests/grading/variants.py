"""`python -m tests.grading.variants`: which answers to a sheet are right in a variant of it, and
the other way round, of the tasks that the variant asks otherwise.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from rlcourse.checks import get_sheet
from rlcourse.checks.task import Outcome
from rlcourse.grading.sources import Course, open_course
from rlcourse.grading.variants import STEP, open_variant, variants_of
from tests.grading.course import ROOT
from tests.grading.own_sheet import left_as_it_was
from tests.mutants.asking import answer, examined

SEED = 11
VARIANTS = [
    (path.parent.name, variant)
    for path in sorted((ROOT / "solutions").glob("*/variants.py"))
    for variant in range(1, 1 + max(map(len, variants_of(Course(ROOT), path.parent.name).values())))
]


@contextmanager
def written_out(number: str, variant: int, folder: Path) -> Iterator[tuple[Course, str]]:
    """The course with a variant of a sheet, and its number there."""
    with left_as_it_was(f"{int(number) + STEP * variant}"):
        yield open_variant(open_course(None), number, variant, folder)


def accepted(
    here: str, there: str, tasks: list[str], most: int | None = None
) -> dict[str, list[bool]]:
    """task -> of the first right answers in the one sheet, whether the other one accepts it."""
    told: dict[str, list[bool]] = {}
    for name in tasks:
        task, answers = get_sheet(there).task(name), import_module(f"rlcourse.checks.answers{here}")
        cases = task.hidden_cases(SEED)
        told[name] = [
            examined(task, cases, answer(source, task.function)).outcome is Outcome.RIGHT
            for source in answers.RIGHT[name][:most]
        ]
    return told


def main() -> None:
    """Print a line for each variant."""
    for number, variant in VARIANTS:
        with (
            tempfile.TemporaryDirectory() as folder,
            written_out(number, variant, Path(folder)) as (_, new),
        ):
            tasks = list(import_module(f"rlcourse.checks.variants{new}").CHOSEN)
            for here, there in ((number, new), (new, number)):
                told = accepted(here, there, tasks)
                right = sum(map(sum, told.values()))
                print(f"answers to {here}: {there} accepts {right} of", end=" ")
                print(f"{sum(map(len, told.values()))} ({', '.join(told)})")


if __name__ == "__main__":
    main()
