"""The total of a teacher's course: the sheets that were graded, by the weights of `course.toml`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rlcourse.checks.course import CourseSettings
from rlcourse.grading.moved import from_earlier_run
from rlcourse.grading.whole_class import NOTHING
from rlcourse.untrusted import table


class Total(NamedTuple):
    """Where one student stands. shares: sheet -> share of its points, 0 to 1; None: not settled.

    share: of the whole, by weight, over the sheets that are settled; None where none is.
    """

    shares: Mapping[str, float | None]
    share: float | None


def totals(folder: Path, settings: CourseSettings) -> dict[str, Total]:
    """Student -> total, of the sheets that were graded so far.

    folder: of the class, with what was given in NN/given.json. A sheet that a student did not hand
    in counts 0; one that could not be graded does not count before it is settled.
    """
    given = {
        number: entry
        for number in settings.sheets
        if (entry := from_earlier_run(folder / number, "given"))
    }
    by_student = {}
    for student in sorted({student for entries in given.values() for student in entries}):
        shares = {number: _share(entries.get(student)) for number, entries in given.items()}
        settled = {number: share for number, share in shares.items() if share is not None}
        weight = sum(map(settings.weight, settled))
        earned = sum(settings.weight(number) * share for number, share in settled.items())
        by_student[student] = Total(shares, earned / weight if weight else None)
    return by_student


def total_csv(by_student: Mapping[str, Total], settings: CourseSettings) -> str:
    """One line a student: percent of each sheet, whose weight is in the heading, and in all."""
    numbers = {number for total in by_student.values() for number in total.shares}
    heads = {
        number: f"sheet {number} (weight {settings.weight(number):g})"
        for number in settings.sheets
        if number in numbers
    }
    lines = [
        {
            "id": student,
            **{heads[number]: _percent(share) for number, share in total.shares.items()},
            "total": _percent(total.share),
        }
        for student, total in by_student.items()
    ]
    return table(("id", *heads.values(), "total"), lines)


def _share(entry: Mapping[str, Any] | None) -> float | None:
    if entry is None or entry["status"] == NOTHING:
        return 0.0
    # An entry of an older course has no points of the items.
    maximum = sum(entry.get("worth", {}).values())
    return None if entry.get("total") is None or not maximum else float(entry["total"] / maximum)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"
