"""One sheet of one class, from the files that came in to points, feedback and tables: what `rlcourse grade` does."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import nbformat

from rlcourse.atomic import write_atomically
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Outcome
from rlcourse.grading.classroom import Classroom, Record
from rlcourse.grading.gradebook import Book, Entry, Marks, open_book
from rlcourse.grading.handed import MAX_PICTURES, Handed
from rlcourse.grading.intake import Attempt, Intake
from rlcourse.grading.policy import Policy
from rlcourse.grading.reading import ask, settled
from rlcourse.grading.roster import Student
from rlcourse.grading.sources import BadCourse, Course, generate
from rlcourse.grading.words import told

# Beside the words of grading.Status. SETTLE: nothing is decided about the file before a person has looked at it.
UNREADABLE, NOTHING, SETTLE = "could not be read", "nothing handed in", "for you to settle"

MOST_FILES = 5  # of one student
PICTURES = (
    60_000_000  # characters of base64: the figures of the whole class, which are in memory together
)
TOO_MANY = f"not looked at, because at most {MOST_FILES} files of one student are"


@dataclass(frozen=True)
class Row:
    """One student: the attempt that counts and what became of it, in a word (status). look: what a person should look
    at. others: how many more attempts there are. marks: what stands in the gradebook, after `publish`."""

    student: Student
    status: str
    attempt: Attempt | None = None
    record: Record | None = None
    handed: Handed | None = None
    lost: float = 0.0
    late_by: timedelta = timedelta(0)
    others: int = 0
    look: tuple[str, ...] = ()
    marks: Marks | None = None

    @property
    def graded(self) -> bool:
        """Whether there are points at all."""
        return self.record is not None and self.record.status.graded

    @property
    def auto(self) -> float | None:
        """Points that need no person, after lateness; None where nothing could be graded."""
        return self.record.points * (1 - self.lost) if self.graded else None

    def unsettled(self, why: str) -> "Row":
        """The row of a file that stopped the work on it: without points, with the file's name for a person."""
        words = (
            f"{self.attempt.origin if self.attempt else self.student} stopped the grader ({why})"
        )
        return Row(self.student, SETTLE, self.attempt, others=self.others, look=(words,))


@dataclass(frozen=True)
class Round:
    """All rows of one grading, and what belongs to nobody."""

    sheet: Sheet
    rows: tuple[Row, ...]
    unmatched: tuple[tuple[str, str], ...] = ()
    roster_kind: str = ""
    header: tuple[str, ...] = ()


@dataclass(frozen=True)
class Change:
    """What a regrade would do to one student: points by the grader, after lateness, before and after."""

    student: str
    before: float | None
    after: float | None
    why: str = ""

    def __str__(self) -> str:
        before, after = (
            "none" if points is None else f"{points:g}" for points in (self.before, self.after)
        )
        return f"{self.student}: {before} -> {after}{f'  ({self.why})' if self.why else ''}"


def grade_round(
    classroom: Classroom,
    intake: Intake,
    policy: Policy,
    *,
    jobs: int = 2,
    progress: Callable[[Record], None] = lambda record: None,
) -> Round:
    """Grade everything that came in and choose the attempt that counts. Nothing is written but the records."""
    files = [_in_order(attempts, policy) for _, attempts in sorted(intake.attempts.items())]
    records = classroom.grade_all(filter(None, files), jobs=jobs, progress=progress)
    sheet = classroom.sheet
    cells = list(dict.fromkeys(sheet.cell_of(item) for item in (*sheet.tasks, *sheet.manual)))
    rows, students = [], list(intake.students())
    room = min(MAX_PICTURES, PICTURES // max(1, len(students)))
    for student in students:
        attempts = intake.attempts.get(student.id, [])
        bare = Row(student, NOTHING, attempts[-1] if attempts else None, others=len(attempts) - 1)
        row = partial(_row, student, attempts, records, policy, classroom, cells, room)
        rows.append(settled(row, bare.unsettled))
    same = _same_content(rows)
    rows = [replace(row, look=(*row.look, *same.get(row.student.id, ()))) for row in rows]
    return Round(
        classroom.sheet,
        tuple(rows),
        tuple(intake.unmatched),
        intake.roster.kind,
        intake.roster.header,
    )


def _in_order(attempts: Sequence[Attempt], policy: Policy) -> list[str]:
    """The digests of one student's files, the one that counts before all others, MOST_FILES at most."""
    left, digests = [one for one in attempts if one.digest], []
    while left and len(digests) < MOST_FILES:
        first, _ = policy.choose(
            [(one, None) for one in left], dict.fromkeys((one.digest for one in left), 0.0)
        )
        digests.append(first.digest)
        left = [one for one in left if one.digest != first.digest]
    return digests


def _row(
    student: Student,
    attempts: Sequence[Attempt],
    records: Mapping[str, Record],
    policy: Policy,
    classroom: Classroom,
    cells: list[str],
    room: int,
) -> Row:
    if not attempts:
        return Row(student, NOTHING)
    graded = {digest: record.points for digest, record in records.items() if record.status.graded}
    blank = _blank([one for one in attempts if one.digest in graded], records, classroom, cells)
    attempt, record = policy.choose(
        [(one, records.get(one.digest)) for one in attempts], graded, blank
    )
    others, look = len(attempts) - 1, [*attempt.notes, *policy.questions(attempt)]
    for one in attempts:
        status = (
            str(records[one.digest].status) if one.digest in records else one.refused or TOO_MANY
        )
        if one is not attempt and one.digest not in graded:
            look.append(f"beside the file that counts there is {one.origin}: {status}")
        elif graded.get(one.digest, 0.0) > graded.get(attempt.digest, 0.0):
            look.append(
                f"beside the file that counts there is {one.origin}, with {graded[one.digest]:g} points before lateness"
            )
    if record is None:
        status = SETTLE if attempt.doubtful else UNREADABLE
        return Row(
            student, status, attempt, None, None, others=others, look=(attempt.refused, *look)
        )
    look += [record.explanation] if record.explanation else []
    if not record.status.graded:
        return Row(
            student, str(record.status), attempt, record, None, others=others, look=tuple(look)
        )
    handed = ask("read_handed", classroom.content(attempt.digest), cells, room)
    if handed.unshown:
        look.append(
            f"figures that the student's page has no room for: {handed.unshown}; open the file"
        )
    look += [
        f"{one.task}: {one.message}" for one in record.results if one.outcome is Outcome.UNSETTLED
    ]
    look += [f"the cell {name} comes twice, the last one counts" for name in handed.duplicated]
    look += _for_a_person(classroom.sheet, handed)
    lost, late = policy.share_lost(attempt), policy.late_by(attempt)
    return Row(
        student, str(record.status), attempt, record, handed, lost, late, others, tuple(look)
    )


def _blank(
    attempts: Sequence[Attempt],
    records: Mapping[str, Record],
    classroom: Classroom,
    cells: list[str],
) -> set[str]:
    """The digests of a student's files in which nothing is written; of a single file it does not matter."""
    digests = {attempt.digest for attempt in attempts}
    nothing = {Outcome.BLANK, Outcome.MISSING}
    empty = [
        digest
        for digest in digests
        if {result.outcome for result in records[digest].results} <= nothing
    ]
    if len(digests) == 1:
        return set()
    return {
        digest
        for digest in empty
        if not _written(ask("read_handed", classroom.content(digest), cells))
    }


def _written(handed: Handed) -> bool:
    return bool(handed.answers.keys() - handed.blank)


def _for_a_person(sheet: Sheet, handed: Handed) -> list[str]:
    """What a person has to look for of the items that a person marks: it is not where it was to be written."""
    words = (
        ("is not in the file", handed.missing),
        ("has nothing in its cell, but other cells have something", handed.elsewhere),
        ("has no figure (were the outputs cleared?)", handed.no_figure),
    )
    marked = {item.name: item.points for item in sheet.manual}
    return [
        f"{name} {what}: its {marked[name]:g} points wait for a person"
        for what, names in words
        for name in names
        if name in marked
    ]


def _same_content(rows: Sequence[Row]) -> dict[str, list[str]]:
    """student -> a sentence, where two students' files have equal answers in all cells in which something is written."""
    groups: dict[tuple, list[Row]] = {}
    for row in rows:
        if row.handed is None:
            continue
        answers = tuple(
            sorted(
                (name, answer.source.strip())
                for name, answer in row.handed.answers.items()
                if name not in row.handed.blank
            )
        )
        if len(answers) > 1:
            groups.setdefault(answers, []).append(row)
    told = {}
    for group in groups.values():
        for row in group:
            others = ", ".join(str(other.student) for other in group if other is not row)
            if others:
                told[row.student.id] = [f"all answers are letter for letter those of {others}"]
    return told


@dataclass
class Desk:
    """Where the results of one sheet go. folder: of this sheet below `out`, nbgrader's folder."""

    course: Course
    sheet: Sheet
    out: Path
    _given: dict = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Reports, tables and feedback of this sheet."""
        return self.out / "class" / self.sheet.number

    def given(self) -> dict[str, dict]:
        """student -> what was published last: {"points", "tasks", "digest", "status"}."""
        try:
            return json.loads((self.folder / "given.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}

    def changes(self, done: Round) -> list[Change]:
        """What publishing would change for students who were given points before."""
        found, given = [], self.given()
        for row in done.rows:
            before = given.get(row.student.id)
            if before is None or (
                before["points"] is None and row.auto is None and before["status"] == row.status
            ):
                continue
            tasks = _points(row)
            moved = [
                name
                for name in {**tasks, **before["tasks"]}
                if tasks.get(name) != before["tasks"].get(name)
            ]
            if _differ(before["points"], row.auto) or moved or before["status"] != row.status:
                new = (
                    "another file counts"
                    if before["digest"] != (row.attempt.digest if row.attempt else "")
                    else ""
                )
                words = [
                    ", ".join(moved),
                    new,
                    "" if before["status"] == row.status else row.status,
                ]
                found.append(
                    Change(
                        str(row.student), before["points"], row.auto, "; ".join(filter(None, words))
                    )
                )
        lost = [
            Change(student, entry["points"], None, "no longer in the class")
            for student, entry in given.items()
            if student not in {r.student.id for r in done.rows}
        ]
        return found + lost

    def publish(self, done: Round) -> Round:
        """Fill the gradebook, write what nbgrader reads, and return the rows with what now stands in the book."""
        release = nbformat.read(generate(self.course, self.sheet.number, self.out), 4)
        given, rows = self.given(), []
        with open_book(self.course, self.sheet.number, self.out) as book:
            _refuse_lost_points(self.sheet, book)
            book.enroll([row.student for row in done.rows])
            for row in done.rows:
                before = given.get(row.student.id, {}).get("digest")
                rows.append(
                    book.settled(
                        partial(_published, book, row, done.sheet, before, release), row.unsettled
                    )
                )
        entries = {row.student.id: _given(row) for row in rows}
        write_atomically(
            self.folder / "given.json",
            json.dumps(entries, indent=1, ensure_ascii=False).encode(),
            private=True,
        )
        return replace(done, rows=tuple(rows))


def _refuse_lost_points(sheet: Sheet, book: Book) -> None:
    """Raises BadCourse for a task without a row in the gradebook: its points would be counted nowhere."""
    if lost := [task.name for task in sheet.tasks if task.name not in book.items]:
        raise BadCourse(
            f"the notebook of sheet {sheet.number} has no graded cell check-{lost[0]}: the points of that task "
            "would be counted nowhere. Nothing was published; add the cell"
        )


def _published(
    book: Book, row: Row, sheet: Sheet, before: str | None, release: nbformat.NotebookNode
) -> Row:
    """The row with what stands in the gradebook. before: digest of the file that counted at the last time."""
    if row.attempt is not None:
        book.write(_entry(row, sheet, before != row.attempt.digest), release)
    return replace(row, marks=book.marks(row.student.id))


def _entry(row: Row, sheet: Sheet, changed: bool) -> Entry:
    if row.graded:
        words = {
            result.task: told(sheet.task(result.task), result) for result in row.record.results
        }
    else:
        words = {
            task.name: f"Not graded: {row.status}. Ask your instructor." for task in sheet.tasks
        }
    results = row.record.results if row.graded else ()
    unsettled = frozenset(result.task for result in results if result.outcome is Outcome.UNSETTLED)
    attempt = {"moment": row.attempt.moment, "secret": row.attempt.secret}
    return Entry(
        row.student,
        _points(row),
        words,
        row.handed,
        penalty=row.lost,
        changed=changed,
        unsettled=unsettled,
        **attempt,
    )


def _points(row: Row) -> dict[str, float]:
    return {result.task: result.points for result in row.record.results} if row.graded else {}


def _given(row: Row) -> dict:
    return {
        "points": row.auto,
        "tasks": _points(row),
        "digest": row.attempt.digest if row.attempt else "",
        "status": row.status,
    }


def _differ(a: float | None, b: float | None) -> bool:
    return (a is None) != (b is None) or (a is not None and abs(a - b) > 1e-9)
