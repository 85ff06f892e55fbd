"""The class on one page for the instructor, and everything that is written about a graded class."""

import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from operator import itemgetter
from pathlib import Path

import numpy as np

from rlcourse.atomic import write_atomically
from rlcourse.checks.course import changes_of
from rlcourse.checks.task import Outcome, Task
from rlcourse.grading.copies import Comparison
from rlcourse.grading.feedback import feedback_page
from rlcourse.grading.moved import moved_csv
from rlcourse.grading.pages import page, points
from rlcourse.grading.reading import settled
from rlcourse.grading.tables import canvas_csv, moodle_csv, scores_csv
from rlcourse.grading.whole_class import NOTHING, Round, Row

MOST_PAIRS = 25  # that are listed
_TABLES = {"moodle": moodle_csv, "canvas": canvas_csv, "scores": scores_csv}


def write_reports(folder: Path, done: Round) -> Path:
    """The class report, a page for everyone who handed in, and the tables, all in `folder`.

    Returns the report.
    """
    rows = [settled(partial(_tried, done, row), row.unsettled) for row in done.rows]
    done = replace(done, rows=tuple(rows))
    for row in done.rows:
        if row.attempt is not None:
            content = feedback_page(done.sheet, row).encode()
            write_atomically(folder / "feedback" / f"{row.student.id}.html", content, private=True)
    moved = {"moved": moved_csv} if done.moved else {}
    for name, table in (_TABLES | moved).items():
        # With a byte order mark, by which Excel knows UTF-8.
        write_atomically(folder / f"{name}.csv", table(done).encode("utf-8-sig"), private=True)
    write_atomically(folder / "class.html", class_page(done).encode(), private=True)
    return folder / "class.html"


def _tried(done: Round, row: Row) -> Row:
    """The row, after all that is written of it was made, in a class of its own."""
    alone = replace(done, rows=(row,), unmatched=(), comparison=Comparison())
    pages = [class_page(alone), *(table(alone) for table in _TABLES.values())]
    if row.attempt is not None:
        pages.append(feedback_page(done.sheet, row))
    for content in pages:
        content.encode()
    return row


def class_page(done: Round) -> str:
    """The instructor's report. It names students: it stays where the gradebook is."""
    graded = [row for row in done.rows if row.graded]
    scores = [row.points for row in done.rows if row.points is not None]
    names = [task.name for task in done.sheet.tasks]
    in_course = any(row.course_share is not None for row in done.rows)
    return page(
        "class.html",
        done=done,
        facts=list(_facts(done, graded, scores)),
        trouble=list(_trouble(done)),
        columns=_histogram(scores, done.maximum) if scores else [],
        tasks=sorted(_tasks(done), key=itemgetter(0)),
        mistakes=_mistakes(done),
        names={row.student.id: str(row.student) for row in done.rows},
        pairs=done.comparison.pairs[:MOST_PAIRS],
        heading=(
            *("student", "status", "points", *names),
            *(["course so far"] if in_course else []),
            *("late", "waits for a person"),
        ),
        numbers=range(2, 3 + len(names) + in_course),
        in_course=in_course,
        settings=changes_of(done.sheet),
        no_results=[None] * len(names),
    )


def _facts(done: Round, graded: list[Row], scores: list[float]) -> Iterator[tuple[int | str, str]]:
    """(number, what it counts), the largest print of the page."""
    nothing = sum(row.status == NOTHING for row in done.rows)
    median = statistics.median(scores) if scores else None
    yield len(done.rows), "students"
    yield len(graded), "graded"
    yield nothing, NOTHING
    yield len(done.rows) - len(graded) - nothing, "not gradable"
    yield sum(bool(row.waiting) for row in graded), "with items for a person"
    yield points(median), f"points in the median, of {done.maximum}"


def _trouble(done: Round) -> Iterator[tuple[str, str]]:
    """(who or where, what a person should settle)."""
    for place, reason in done.unmatched:
        yield place, f"nobody's: {reason}"
    for row in done.rows:
        status = [f"{row.attempt.origin}: {row.status}"] if row.attempt and not row.graded else []
        if sentences := dict.fromkeys((*status, *row.look)):
            yield str(row.student), "; ".join(sentences)


def _histogram(scores: list[float], maximum: float) -> list[tuple[float, float, int, float]]:
    """Ten columns: points from and up to, their count, and the height in the drawing."""
    # Rounded, so that 30.0 of 100 is not in the column below.
    inside = np.clip(np.round(scores, 9), 0, maximum)
    counts, edges = np.histogram(inside, 10, (0, maximum))
    heights = np.round(150 / counts.max() * counts, 1)
    return list(zip(edges, edges[1:], counts, heights, strict=False))


def _tasks(done: Round) -> Iterator[tuple[float, Task, str]]:
    """(share of the graded hand-ins that are right, task, the other outcomes with their counts)."""
    for task in done.sheet.tasks:
        results = [r for row in done.rows for r in row.results if r.task == task.name]
        if not results:
            continue
        counts = Counter(result.outcome for result in results)
        right = counts.pop(Outcome.RIGHT, 0) / len(results)
        others = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
        yield right, task, others


def _mistakes(done: Round) -> list[tuple[str, int, str]]:
    """(task, students, the sentence that they were told) of the commonest mistakes."""
    results = [result for row in done.rows for result in row.results if result.mistake]
    counts = Counter((result.task, result.mistake) for result in results)
    return [
        (task, count, done.sheet.task(task).message(mistake))
        for (task, mistake), count in counts.most_common(12)
    ]
