"""nbgrader's gradebook, filled without running nbgrader: points and words in, a person's marks and
comments untouched.

Beside the rows stand the files that nbgrader's formgrader and feedback read. They are built from
the sheet, not from the file that was handed in: of that only the sources of the solution cells,
plain text and figures that were drawn anew get through.
"""

import re
import textwrap
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any, TypeVar

import nbformat

from rlcourse.atomic import write_atomically
from rlcourse.checks.task import Outcome
from rlcourse.grading.handed import Handed
from rlcourse.grading.reading import settled
from rlcourse.grading.roster import first_last
from rlcourse.grading.sources import Course, nbgrader_api
from rlcourse.grading.whole_class import Marks, Row
from rlcourse.nbgrader_settings import SECRET, STAMP
from rlcourse.untrusted import printable

_NO_TIME = datetime(2000, 1, 1)  # of a hand-in of which no time is known

T = TypeVar("T")


class Book:
    """The rows of one sheet in a gradebook that `sources.generate` has prepared."""

    def __init__(
        self, gradebook: Any, number: str, notebook: str, out: Path, left_out: Collection[str] = ()
    ) -> None:
        self._book, self._number, self._notebook, self._out = gradebook, number, notebook, out
        rows = gradebook.find_notebook(notebook, number)
        names = [cell.name for cell in rows.grade_cells]
        tasks = {name.removeprefix("check-"): name for name in names if name.startswith("check-")}
        self._auto = {task: name for task, name in tasks.items() if task not in left_out}
        self._manual = [n for n in names if not n.startswith("check-") and n not in left_out]
        self._solutions = [cell.name for cell in rows.solution_cells]
        # All that hold points: tasks that are judged, then what a person marks.
        self.items = [*self._auto, *self._manual]

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

    def write(
        self,
        row: Row,
        sentences: Mapping[str, str],
        release: nbformat.NotebookNode,
        *,
        other: bool,
        anew: Collection[str],
    ) -> None:
        """The points and words of one hand-in, and the files that nbgrader shows.

        A person's marks and comments stay. sentences: task -> what feedback says. other: whether
        another file counts than at the last time. anew: items that are worth something else now.
        """
        student, attempt = row.student.id, row.attempt
        assert attempt is not None
        # Before anything is written: it may not be possible.
        content = nbformat.writes(shown(release, row.handed)).encode()
        moment = attempt.moment and attempt.moment.astimezone(UTC).replace(tzinfo=None)
        self._book.update_or_create_submission(self._number, student, timestamp=moment)
        submission = self._book.find_submission_notebook(self._notebook, self._number, student)
        self._give(row, {grade.name: grade for grade in submission.grades}, other, anew)
        comments = {comment.name: comment for comment in submission.comments}
        for cell in self._solutions:
            comments[cell].auto_comment = without_markup(sentences.get(cell, "")) or None
        self._book.db.commit()
        submission.late_submission_penalty = row.lost * max(0.0, self._score(submission))
        self._book.db.commit()
        self._write_files(student, content, moment, attempt.secret)

    def _score(self, submission: Any) -> float:
        """The points of the items that the course has; nbgrader adds those that are left out."""
        grades = {grade.name.removeprefix("check-"): grade for grade in submission.grades}
        return float(sum(grades[name].score for name in self.items))

    def _give(
        self, row: Row, grades: Mapping[str, Any], other: bool, anew: Collection[str]
    ) -> None:
        """The points of each item, and whether a person must look at it."""
        settled = {r.task: r.points for r in row.results if r.outcome is not Outcome.UNSETTLED}
        for task, cell in self._auto.items():
            grade, before = grades[cell], grades[cell].auto_score
            grade.auto_score = settled.get(task)
            is_open = grade.auto_score is None
            if grade.manual_score is None:
                grade.needs_manual_grade = is_open
            else:
                again = before != grade.auto_score or (is_open and other)
                grade.needs_manual_grade = grade.needs_manual_grade or again
        for item in self._manual:
            grade = grades[item]
            is_blank = row.graded and row.is_blank(item)
            grade.auto_score = 0.0 if is_blank else None
            if other or item in anew or grade.manual_score is None:
                grade.needs_manual_grade = not is_blank or grade.manual_score is not None

    def _write_files(
        self, student: str, content: bytes, moment: datetime | None, secret: str
    ) -> None:
        """What formgrader, feedback and the exchange of nbgrader read.

        Without a time and a secret `nbgrader release_feedback` stops for the whole class. Who did
        not hand in by the exchange gets a secret that nobody knows, so that the feedback cannot be
        fetched there.
        """
        folder = self._out / "autograded" / student / self._number
        write_atomically(folder / f"{self._notebook}.ipynb", content, private=True)
        stamp = f"{moment or _NO_TIME:%Y-%m-%d %H:%M:%S.%f} UTC".encode()
        write_atomically(folder / STAMP, stamp, private=True)
        path = folder / SECRET
        if secret or not path.exists():
            write_atomically(path, (secret or token_hex(64)).encode(), private=True)
        submitted = self._out / "submitted" / student / self._number
        # nbgrader takes a hand-in for graded when this time is that of its row. Where hand-ins do
        # lie it would be a stamp of the exchange, by which lateness is counted.
        if moment and not {path.name for path in submitted.glob("*")} - {STAMP}:
            write_atomically(submitted / STAMP, stamp, private=True)

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
            max(0.0, self._score(row) - penalty),
            tuple(name for name in self.items if grades[name].needs_manual_grade),
            {n: grades[n].manual_score for n in self.items if grades[n].manual_score is not None},
            {c.name: c.manual_comment for c in row.comments if c.manual_comment},
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
        left_out = course.sheet(number).left_out
        yield Book(gradebook, number, course.source(number).stem, out, left_out)


def shown(release: nbformat.NotebookNode, handed: Handed | None) -> nbformat.NotebookNode:
    """The sheet with a student's answers, safe to be shown: in pages that render Markdown their
    words are text.
    """
    notebook = deepcopy(release)
    for cell in notebook.cells:
        answer = handed and handed.answers.get(
            cell.metadata.get("nbgrader", {}).get("grade_id", "")
        )
        is_code = cell.cell_type == "code"
        if is_code:
            cell.outputs, cell.execution_count = [], None
        if not answer or not cell.metadata.nbgrader.get("solution"):
            continue
        cell.source = answer.source if is_code else as_text(answer.source)
        if is_code and answer.text:
            cell.outputs.append(nbformat.v4.new_output("stream", name="stdout", text=answer.text))
        for figure in answer.figures if is_code else ():
            drawn = nbformat.v4.new_output("display_data", {"image/png": figure})
            cell.outputs.append(drawn)
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
