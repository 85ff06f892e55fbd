"""Where the results of one sheet go: the gradebook, what was given to each student at the last
time, and nbgrader's exchange.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import nbformat

from rlcourse.atomic import write_atomically
from rlcourse.checks.sheet import Sheet
from rlcourse.grading.feedback import sentence_on
from rlcourse.grading.gradebook import Book, open_book
from rlcourse.grading.moved import Move, another_file, from_earlier_run, given_to, moves
from rlcourse.grading.sources import BadCourse, Course, generate
from rlcourse.grading.total import total_csv, totals
from rlcourse.grading.whole_class import Round, Row
from rlcourse.nbgrader_settings import SECRET, STAMP


@dataclass(frozen=True)
class Change:
    """What a regrade would do to one student: points by the grader, after lateness, before and
    after.
    """

    student: str
    before: float | None
    after: float | None
    why: str

    def __str__(self) -> str:
        before = "none" if self.before is None else f"{self.before:g}"
        after = "none" if self.after is None else f"{self.after:g}"
        return f"{self.student}: {before} -> {after}{f'  ({self.why})' if self.why else ''}"


@dataclass
class Desk:
    """One sheet of a class. out: nbgrader's folder."""

    course: Course
    sheet: Sheet
    out: Path

    @property
    def folder(self) -> Path:
        """Reports, tables and feedback of this sheet."""
        return self.out / "class" / self.sheet.number

    def _keep(self, name: str, value: Any) -> None:
        content = json.dumps(value, indent=1, ensure_ascii=False).encode()
        write_atomically(self.folder / f"{name}.json", content, private=True)

    def changes(self, done: Round) -> list[Change]:
        """What publishing would change for students who were given points before."""
        given, changes = from_earlier_run(self.folder, "given"), []
        for row in done.rows:
            if before := given.pop(row.student.id, None):
                if reasons := _reasons(before, given_to(row, self.sheet)):
                    why = "; ".join(filter(None, reasons))
                    changes.append(Change(str(row.student), before["points"], row.auto, why))
        for student, before in given.items():
            changes.append(Change(student, before["points"], None, "no longer in the class"))
        return changes

    def publish(self, done: Round) -> Round:
        """Fill the gradebook, write what nbgrader reads, and return the rows with what now stands
        in the book.
        """
        release = nbformat.read(generate(self.course, self.sheet.number, self.out), 4)
        given, rows = from_earlier_run(self.folder, "given"), []
        with open_book(self.course, self.sheet.number, self.out) as book:
            _refuse_lost_points(self.sheet, book)
            book.enroll([row.student for row in done.rows])
            for row in done.rows:
                before = given.get(row.student.id, {})
                publish = partial(_published, book, row, done.sheet, before, release)
                rows.append(book.settled(publish, row.unsettled))
        done = self._with_moves(replace(done, rows=tuple(rows)), given)
        self._keep("given", {row.student.id: given_to(row, self.sheet) for row in rows})
        self._keep("cases", done.labels)
        return self._with_totals(done)

    def give_back(self) -> int:
        """Release the feedback page of everyone whose hand-in is in the gradebook. Returns how
        many.

        nbgrader hands out `feedback/STUDENT/SHEET/NOTEBOOK.html` under a name that only the
        hand-in's student knows. It does not ask who wrote that page, so ours takes the place of its
        own. Raises BadCourse with what nbgrader says, such as that there is no exchange.
        """
        number, pages = self.sheet.number, 0
        name = f"{self.course.source(number).stem}.html"
        for page in sorted((self.folder / "feedback").glob("*.html")):
            graded = self.out / "autograded" / page.stem / number
            sources = {name: page} | {stamp: graded / stamp for stamp in (STAMP, SECRET)}
            if all(source.exists() for source in sources.values()):
                folder = self.out / "feedback" / page.stem / number
                for target, source in sources.items():
                    write_atomically(folder / target, source.read_bytes(), private=True)
                pages += 1
        command = [sys.executable, "-m", "nbgrader", "release_feedback", number]
        done = subprocess.run(command, cwd=self.out, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if "ERROR" in line]
            raise BadCourse(f"the feedback could not be given back: {' '.join(lines[-1:])[:300]}")
        return pages

    def _with_totals(self, done: Round) -> Round:
        """The round with where each student stands in a teacher's own course; writes total.csv."""
        settings = self.course.settings
        if settings is None:
            return done
        by_student = totals(self.folder.parent, settings)
        content = total_csv(by_student, settings).encode("utf-8-sig")
        write_atomically(self.folder.parent / "total.csv", content, private=True)
        rows = [replace(row, course_share=by_student[row.student.id].share) for row in done.rows]
        return replace(done, rows=tuple(rows))

    def _with_moves(self, done: Round, given: Mapping[str, Any]) -> Round:
        """The round with the scores that it moved; where it moved none, with those of the last one
        that did.
        """
        if moved := moves(done, given, from_earlier_run(self.folder, "cases")):
            self._keep("moved", {"day": f"{date.today()}", "moves": moved})
        last = from_earlier_run(self.folder, "moved") or {"day": "", "moves": []}
        return replace(done, moved=tuple(Move(*one) for one in last["moves"]), moved_at=last["day"])


def _reasons(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Why the points change, each reason "" where it does not hold; an empty list where nothing
    changes.
    """
    old, new = before["tasks"], after["tasks"]
    # A task that is not in the course has no points to lose.
    moved = [name for name in {**new, **old} if (new.get(name) or 0) != (old.get(name) or 0)]
    then = before.get("worth", {})
    anew = [
        f"{name} is worth {points}, before {then[name]}"
        for name, points in after["worth"].items()
        if then.get(name, points) != points
    ]
    other_status = before["status"] != after["status"]
    gained = (after["points"] or 0.0) - (before["points"] or 0.0)
    if not moved and not other_status and abs(gained) <= 1e-9:
        return []
    return [
        ", ".join(moved),
        "another file counts" if another_file(before, after) else "",
        after["status"] if other_status else "",
        *anew,
    ]


def _refuse_lost_points(sheet: Sheet, book: Book) -> None:
    """Raises BadCourse for a task without a row in the gradebook: its points would be counted
    nowhere.
    """
    if lost := [task.name for task in sheet.tasks if task.name not in book.items]:
        raise BadCourse(
            f"the notebook of sheet {sheet.number} has no graded cell check-{lost[0]}: the points "
            "of that task would be counted nowhere. Nothing was published; add the cell"
        )


def _published(
    book: Book, row: Row, sheet: Sheet, before: Mapping[str, Any], release: nbformat.NotebookNode
) -> Row:
    """The row with what stands in the gradebook.

    before: what was given at the last time, empty for the first one.
    """
    if row.attempt is not None:
        sentences = {r.task: sentence_on(sheet.task(r.task), r) for r in row.results}
        if not row.graded:
            not_graded = f"Not graded: {row.status}. Ask your instructor."
            sentences = {task.name: not_graded for task in sheet.tasks}
        other = before.get("digest") != row.attempt.digest
        then, worth = before.get("worth", {}), sheet.points
        anew = {name for name in then if worth.get(name, then[name]) != then[name]}
        book.write(row, sentences, release, other=other, anew=anew)
    return replace(row, marks=book.marks(row.student.id))
