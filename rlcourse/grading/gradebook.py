"""nbgrader's gradebook, filled without running nbgrader: points and words in, a person's marks and
comments untouched.

Beside the rows stand the files that nbgrader's formgrader and feedback read. They are built from
the sheet, not from the file that was handed in: of that only the sources of the solution cells,
plain text and figures that were drawn anew get through.
"""

import re
import secrets
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import nbformat

from rlcourse.atomic import write_atomically
from rlcourse.grading.handed import Handed
from rlcourse.grading.reading import settled
from rlcourse.grading.roster import first_last
from rlcourse.grading.sources import Course, nbgrader_api
from rlcourse.untrusted import printable

_NO_TIME = datetime(2000, 1, 1)  # of a hand-in of which no time is known

T = TypeVar("T")


@dataclass(frozen=True)
class Entry:
    """What the gradebook gets of one hand-in. points: task -> points, empty where nothing could be
    graded. words: task -> what feedback says. changed: whether another file counts than at the last
    time. penalty: share of the points lost by lateness.
    unsettled: tasks to which a person gives the points, because a bound was reached.
    secret: what the exchange of nbgrader knows the hand-in by, or "".
    """

    student: Any
    points: Mapping[str, float]
    words: Mapping[str, str]
    handed: Handed | None
    moment: datetime | None = None
    penalty: float = 0.0
    changed: bool = True
    unsettled: frozenset[str] = frozenset()
    secret: str = ""


@dataclass(frozen=True)
class Marks:
    """What stands in the gradebook. total: after lateness. waiting: items that a person still has
    to mark. by_hand: item -> points that a person gave, over the grader's or alone. comments: item
    -> a person's words.
    """

    total: float
    maximum: float
    penalty: float
    waiting: tuple[str, ...]
    by_hand: Mapping[str, float]
    comments: Mapping[str, str]


class Book:
    """The rows of one sheet in a gradebook that `sources.generate` has prepared."""

    def __init__(self, gradebook: Any, number: str, notebook: str, out: Path) -> None:
        self._book, self._number, self._notebook, self._out = gradebook, number, notebook, out
        rows = gradebook.find_notebook(notebook, number)
        self._auto = {
            cell.name.removeprefix("check-"): cell.name
            for cell in rows.grade_cells
            if cell.name.startswith("check-")
        }
        self._manual = [
            cell.name for cell in rows.grade_cells if not cell.name.startswith("check-")
        ]
        self._solutions = [cell.name for cell in rows.solution_cells]

    @property
    def items(self) -> list[str]:
        """Names of all rows that hold points: tasks that are judged, then those that a person
        marks.
        """
        return [*self._auto, *self._manual]

    def settled(self, work: Callable[[], T], otherwise: Callable[[str], T]) -> T:
        """As `reading.settled`, and what the work had begun to write is taken back."""

        def undone(why: str) -> T:
            """`otherwise`, in a book as it was before."""
            self._book.db.rollback()
            return otherwise(why)

        return settled(work, undone)

    def enroll(self, students: list[Any]) -> None:
        """A row for every student of the class, with or without a hand-in."""
        for student in students:
            first, _, last = first_last(student.name).rpartition(" ")
            given = {"first_name": first, "last_name": last, "email": student.email}
            self._book.update_or_create_student(
                student.id, **{key: without_markup(value) for key, value in given.items() if value}
            )

    def write(self, entry: Entry, release: nbformat.NotebookNode) -> None:
        """The points and words of one hand-in, and the files that nbgrader shows.

        A person's marks and comments stay.
        """
        student, handed = entry.student.id, entry.handed
        content = nbformat.writes(
            shown(release, handed)
        ).encode()  # before anything is written: it may not be possible
        moment = entry.moment and entry.moment.astimezone(UTC).replace(tzinfo=None)
        self._book.update_or_create_submission(self._number, student, timestamp=moment)
        row = self._book.find_submission_notebook(self._notebook, self._number, student)
        grades, comments = (
            {grade.name: grade for grade in row.grades},
            {comment.name: comment for comment in row.comments},
        )
        for task, cell in self._auto.items():
            grade, before = grades[cell], grades[cell].auto_score
            # Where nothing was judged a person must look.
            open_question = task not in entry.points or task in entry.unsettled
            grade.auto_score = None if open_question else entry.points[task]
            changed = grade.manual_score is not None and before != grade.auto_score
            grade.needs_manual_grade = changed or (
                open_question and (entry.changed or grade.manual_score is None)
            )
        for item in self._manual:
            grade, blank = grades[item], handed is None or item in handed.blank
            grade.auto_score = 0.0 if blank and entry.points else None
            if entry.changed or grade.manual_score is None:
                grade.needs_manual_grade = (
                    not (blank and entry.points) or grade.manual_score is not None
                )
        for cell in self._solutions:
            comments[cell].auto_comment = without_markup(entry.words.get(cell, "")) or None
        self._book.db.commit()
        row.late_submission_penalty = entry.penalty * max(0.0, row.score)
        self._book.db.commit()
        stamp = f"{moment or _NO_TIME:%Y-%m-%d %H:%M:%S.%f} UTC".encode()
        write_atomically(
            self._out / "autograded" / student / self._number / f"{self._notebook}.ipynb",
            content,
            private=True,
        )
        self._write_for_exchange(
            self._out / "autograded" / student / self._number, stamp, entry.secret
        )
        submitted = self._out / "submitted" / student / self._number
        # nbgrader takes a hand-in for graded when this time is that of its row. Where hand-ins do
        # lie it would be a stamp of the exchange, by which lateness is counted.
        if moment and not {path.name for path in submitted.glob("*")} - {"timestamp.txt"}:
            write_atomically(submitted / "timestamp.txt", stamp, private=True)

    def _write_for_exchange(self, folder: Path, stamp: bytes, secret: str) -> None:
        """The two files without which `nbgrader release_feedback` stops for the whole class.

        Who did not hand in by the exchange gets a secret that nobody knows, so that the feedback
        cannot be fetched there.
        """
        write_atomically(folder / "timestamp.txt", stamp, private=True)
        path = folder / "submission_secret.txt"
        if secret or not path.exists():
            write_atomically(path, (secret or secrets.token_hex(64)).encode(), private=True)

    def marks(self, student: str) -> Marks | None:
        """What stands in the gradebook for a student, or None where nothing was handed in."""
        from nbgrader.api import MissingEntry

        try:
            row = self._book.find_submission_notebook(self._notebook, self._number, student)
        except MissingEntry:
            return None
        grades = {grade.name.removeprefix("check-"): grade for grade in row.grades}
        penalty = row.late_submission_penalty or 0.0
        return Marks(
            max(0.0, row.score - penalty),
            row.max_score,
            penalty,
            tuple(name for name in self.items if grades[name].needs_manual_grade),
            {
                name: grade.manual_score
                for name, grade in grades.items()
                if grade.manual_score is not None
            },
            {
                comment.name: comment.manual_comment
                for comment in row.comments
                if comment.manual_comment
            },
        )


@contextmanager
def open_book(course: Course, number: str, out: Path) -> Iterator[Book]:
    """The gradebook of a class, after `sources.generate`."""
    from nbgrader.api import Gradebook

    with (
        warnings.catch_warnings(),
        Gradebook(nbgrader_api(course, out).coursedir.db_url) as gradebook,
    ):
        # How nbgrader makes its rows is nothing that a person could mend.
        warnings.filterwarnings("ignore", message="Object of type", module="nbgrader")
        yield Book(gradebook, number, course.source(number).stem, out)


def shown(release: nbformat.NotebookNode, handed: Handed | None) -> nbformat.NotebookNode:
    """The sheet with a student's answers, safe to be shown: in pages that render Markdown their
    words are text.
    """
    notebook = nbformat.from_dict(nbformat.reads(nbformat.writes(release), 4))
    for cell in notebook.cells:
        answer = handed and handed.answers.get(
            cell.metadata.get("nbgrader", {}).get("grade_id", "")
        )
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if not answer or not cell.metadata.nbgrader.get("solution"):
            continue
        cell.source = answer.source if cell.cell_type == "code" else as_text(answer.source)
        if cell.cell_type == "code":
            cell.outputs = [
                *(
                    [nbformat.v4.new_output("stream", name="stdout", text=answer.text)]
                    if answer.text
                    else []
                ),
                *(
                    nbformat.v4.new_output("display_data", {"image/png": figure})
                    for figure in answer.figures
                ),
            ]
    return notebook


def as_text(text: str) -> str:
    """Text of a student as Markdown that shows it letter for letter.

    It is a block of code that nothing in the text can end.
    HTML, links and formulas in it stay text, for Markdown as for MathJax, which leaves blocks of
    code alone.
    """
    text = printable(text.replace("\r\n", "\n").replace("\r", "\n"), keep="\n\t")
    wrapper = textwrap.TextWrapper(
        100, replace_whitespace=False, expand_tabs=False, break_on_hyphens=False
    )
    lines = [part for line in text.split("\n") for part in wrapper.wrap(line) or [""]]
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return "\n".join([fence, *lines, fence])


# What Markdown, HTML and MathJax begin a tag, an entity, a link or a formula with -> the same sign
# of double width.
_TWINS = {ord(c): chr(ord(c) + 0xFEE0) for c in "<>&[]\\$/"}


def without_markup(text: str) -> str:
    """A sentence or a name in which no sign is left that could begin a tag, a link or a formula,
    wherever it is shown.
    """
    return printable(text, keep="\n").translate(_TWINS)
