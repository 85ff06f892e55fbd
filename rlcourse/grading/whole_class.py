"""One sheet of one class: from the files that came in to a row per student, with the file that
counts and its points.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Outcome, Result
from rlcourse.grading.classroom import Classroom
from rlcourse.grading.copies import Comparison, compare_class
from rlcourse.grading.grade import Report
from rlcourse.grading.handed import MAX_PICTURES, Answer, Handed
from rlcourse.grading.intake import Attempt, Intake
from rlcourse.grading.policy import Policy
from rlcourse.grading.reading import ask, settled
from rlcourse.grading.roster import Roster, Student

# Beside the statuses of `grading.Status`. SETTLE: nothing is decided about the file before a person
# has looked at it.
UNREADABLE, NOTHING, SETTLE = "could not be read", "nothing handed in", "for you to settle"

MOST_FILES = 5  # of one student
TOO_MANY = f"not looked at, because at most {MOST_FILES} files of one student are"
# Characters of base64: the figures of the whole class are in memory together.
PICTURES = 60_000_000


@dataclass(frozen=True)
class Marks:
    """What stands in the gradebook of one hand-in.

    total: after lateness. waiting: items that a person still has to mark. by_hand: item -> points
    that a person gave, over the grader's or alone. comments: item -> a person's words.
    """

    total: float
    waiting: tuple[str, ...]
    by_hand: Mapping[str, float]
    comments: Mapping[str, str]


@dataclass(frozen=True)
class Row:
    """One student.

    status: what became of the attempt that counts. lost: share of the points that lateness costs, 0
    to 1.
    others: how many more attempts there are. look: sentences on what a person should look at.
    marks: what stands in the gradebook, once the round is published. course_share: of all points of
    a teacher's own course so far, 0 to 1, where there is one.
    """

    student: Student
    status: str
    attempt: Attempt | None = None
    record: Report | None = None
    handed: Handed | None = None
    lost: float = 0.0
    late_by: timedelta = timedelta(0)
    others: int = 0
    look: tuple[str, ...] = ()
    marks: Marks | None = None
    course_share: float | None = None

    @property
    def graded(self) -> bool:
        """Whether there are points at all."""
        return self.record is not None and self.record.status.graded

    @property
    def results(self) -> tuple[Result, ...]:
        """One per task; none where nothing could be graded."""
        return self.record.results if self.record is not None and self.graded else ()

    @property
    def auto(self) -> float | None:
        """Points that need no person, after lateness; None where nothing could be graded."""
        if self.record is None or not self.graded:
            return None
        return self.record.points * (1 - self.lost)

    @property
    def points(self) -> float | None:
        """The points that stand in the gradebook, those of a person included; `auto` before the
        round is published, and where nothing could be graded.
        """
        return self.marks.total if self.marks is not None and self.graded else self.auto

    @property
    def waiting(self) -> tuple[str, ...]:
        """Names of the items that a person still has to mark, once the round is published."""
        return self.marks.waiting if self.marks is not None else ()

    def is_blank(self, item: str) -> bool:
        """Whether nothing was written into the cell of an item."""
        return self.handed is None or item in self.handed.blank

    def answer(self, cell: str) -> Answer:
        """What was written into a cell, as far as something was."""
        written = {} if self.handed is None or self.is_blank(cell) else self.handed.answers
        return written.get(cell, Answer(""))

    def comment(self, item: str) -> str:
        """A person's words on an item, or ""."""
        return self.marks.comments.get(item, "") if self.marks else ""

    def by_hand(self, item: str) -> float | None:
        """The points that a person gave for an item, or None."""
        return self.marks.by_hand.get(item) if self.marks is not None else None

    def unsettled(self, reason: str) -> "Row":
        """The row of a file that stopped the work on it: without points, with the file's name for a
        person.
        """
        file = self.attempt.origin if self.attempt else self.student
        sentence = f"{file} stopped the grader ({reason})"
        return Row(self.student, SETTLE, self.attempt, others=self.others, look=(sentence,))


@dataclass(frozen=True)
class Round:
    """All rows of one grading.

    unmatched: (where, why) of files that belong to nobody. roster: the class list.
    comparison: the hand-ins beside each other. labels: task -> its hidden cases in words. moved:
    what the last regrade changed that changed a score (`moved.Move`), and moved_at its day.
    """

    sheet: Sheet
    rows: tuple[Row, ...]
    unmatched: tuple[tuple[str, str], ...] = ()
    roster: Roster = field(default_factory=lambda: Roster(()))
    comparison: Comparison = field(default_factory=Comparison)
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    moved: tuple[Any, ...] = ()
    moved_at: str = ""

    @property
    def maximum(self) -> int:
        """Points of the whole sheet."""
        return sum(self.sheet.points.values())


def grade_round(
    classroom: Classroom,
    intake: Intake,
    policy: Policy,
    *,
    jobs: int,
    progress: Callable[[Report], None],
) -> Round:
    """Grade everything that came in and choose the attempt that counts.

    Nothing is written but the records.
    """
    files = [_in_order(attempts, policy) for _, attempts in sorted(intake.attempts.items())]
    records = classroom.grade_all(filter(None, files), jobs=jobs, progress=progress)
    students = intake.students()
    room = min(MAX_PICTURES, PICTURES // max(1, len(students)))
    choice = _Choice(classroom, policy, records, room)
    rows = []
    for student in students:
        attempts = intake.attempts.get(student.id, [])
        bare = Row(student, NOTHING, attempts[-1] if attempts else None, others=len(attempts) - 1)
        rows.append(settled(partial(choice.row, student, attempts), bare.unsettled))
    copies = _same_answers(rows)
    rows = [replace(row, look=(*row.look, *copies.get(row.student.id, ()))) for row in rows]
    contents = (
        (row.student.id, classroom.content(row.attempt.digest))
        for row in rows
        if row.attempt and row.graded
    )
    comparison = settled(
        partial(compare_class, classroom.sheet, contents),
        lambda reason: Comparison(trouble=reason),
    )
    return Round(
        classroom.sheet,
        tuple(rows),
        tuple(intake.unmatched),
        intake.roster,
        comparison,
        {task.name: classroom.labels(task) for task in classroom.sheet.tasks},
    )


def _in_order(attempts: Sequence[Attempt], policy: Policy) -> list[str]:
    """The digests of one student's files, the one that counts before all others, MOST_FILES at
    most.
    """
    left, digests = [one for one in attempts if one.digest], list[str]()
    while left and len(digests) < MOST_FILES:
        no_points = dict.fromkeys((one.digest for one in left), 0.0)
        first = policy.choose(left, no_points)
        digests.append(first.digest)
        left = [one for one in left if one.digest != first.digest]
    return digests


@dataclass(frozen=True)
class _Choice:
    """Which attempt of a student counts, and why.

    room: characters of base64 for the figures of one student.
    """

    classroom: Classroom
    policy: Policy
    records: Mapping[str, Report]
    room: int

    def row(self, student: Student, attempts: Sequence[Attempt]) -> Row:
        """The row of one student."""
        if not attempts:
            return Row(student, NOTHING)
        points = {d: record.points for d, record in self.records.items() if record.status.graded}
        graded = [one.digest for one in attempts if one.digest in points]
        blank = list(filter(self._is_blank, graded))
        attempt = self.policy.choose(attempts, points, blank)
        record = self.records.get(attempt.digest)
        look = [*attempt.notes, *self.policy.questions(attempt)]
        look += self._beside(attempt, attempts, points)
        others = len(attempts) - 1
        if record is None:
            status = SETTLE if attempt.doubtful else UNREADABLE
            return Row(student, status, attempt, others=others, look=(attempt.refused, *look))
        look += [record.explanation] if record.explanation else []
        status = str(record.status)
        if not record.status.graded:
            return Row(student, status, attempt, record, others=others, look=tuple(look))
        handed = self._handed(attempt.digest)
        look += _for_a_person(self.classroom.sheet, record, handed)
        lost, late = self.policy.share_lost(attempt), self.policy.late_by(attempt)
        return Row(student, status, attempt, record, handed, lost, late, others, tuple(look))

    def _is_blank(self, digest: str) -> bool:
        """Whether nothing is written in a file."""
        outcomes = {result.outcome for result in self.records[digest].results}
        if not outcomes <= {Outcome.BLANK, Outcome.MISSING}:
            return False
        handed = self._handed(digest)
        return handed.answers.keys() <= handed.blank

    def _handed(self, digest: str) -> Handed:
        sheet = self.classroom.sheet
        cells = list(dict.fromkeys(sheet.cell_of(item) for item in sheet.items))
        handed: Handed = ask("read_handed", self.classroom.content(digest), cells, self.room)
        return handed

    def _beside(
        self, counts: Attempt, attempts: Iterable[Attempt], points: Mapping[str, float]
    ) -> list[str]:
        """A sentence on each other file that could not be graded, or has more points than the one
        that counts.
        """
        sentences = []
        for one in attempts:
            head = f"beside the file that counts there is {one.origin}"
            if one is not counts and one.digest not in points:
                record = self.records.get(one.digest)
                status = str(record.status) if record else one.refused or TOO_MANY
                sentences.append(f"{head}: {status}")
            elif points.get(one.digest, 0.0) > points.get(counts.digest, 0.0):
                sentences.append(f"{head}, with {points[one.digest]:g} points before lateness")
        return sentences


def _for_a_person(sheet: Sheet, record: Report, handed: Handed) -> list[str]:
    """Sentences on what a person has to look at in the file that counts."""
    sentences = []
    if handed.unshown:
        head = "figures that the student's page has no room for"
        sentences.append(f"{head}: {handed.unshown}; open the file")
    for result in record.results:
        if result.outcome is Outcome.UNSETTLED:
            sentences.append(f"{result.task}: {result.message}")
    sentences += [f"the cell {name} comes twice, the last one counts" for name in handed.duplicated]
    points = {item.name: item.points for item in sheet.manual}
    for trouble, names in (
        ("is not in the file", handed.missing),
        ("has nothing in its cell, but other cells have something", handed.elsewhere),
        ("has no figure (were the outputs cleared?)", handed.no_figure),
    ):
        for name in filter(points.__contains__, names):
            sentences.append(f"{name} {trouble}: its {points[name]:g} points wait for a person")
    return sentences


def _same_answers(rows: Sequence[Row]) -> dict[str, list[str]]:
    """student -> a sentence, where two students' files have equal answers in all cells in which
    something is written.
    """
    groups: dict[tuple[tuple[str, str], ...], list[Student]] = {}
    for row in rows:
        if row.handed is None:
            continue
        answers = row.handed.answers.items()
        written = [(name, a.source.strip()) for name, a in answers if name not in row.handed.blank]
        if len(written) > 1:
            groups.setdefault(tuple(sorted(written)), []).append(row.student)
    sentences = {}
    for group in groups.values():
        for student in group:
            if others := ", ".join(str(other) for other in group if other is not student):
                sentence = f"all answers are letter for letter those of {others}"
                sentences[student.id] = [sentence]
    return sentences
