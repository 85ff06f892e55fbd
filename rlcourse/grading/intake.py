"""What a class handed in, as attempts of students: folders, zips, downloads of Moodle and Canvas.

Whose a file is: what lies in a folder, or has a name, that the roster knows is that student's; else
the platform's own name of the outermost folder or file counts; else, for a file that lies in no
folder, its receipt. What a student packed inside says nothing about others. Where two of these
disagree a person settles it, and the file counts for nobody.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from operator import itemgetter
from pathlib import Path, PurePosixPath

from rlcourse.checks import STUDENTS_FILES
from rlcourse.grading import reading
from rlcourse.grading.archive import File
from rlcourse.grading.pieces import Evidence, Piece, pieces
from rlcourse.grading.reading import settled
from rlcourse.grading.receipt import Receipt, code_of
from rlcourse.grading.roster import Owner, Roster, Student, read_moment, without_roster
from rlcourse.nbgrader_settings import SECRET, STAMP

_NOTEBOOKS = (".ipynb", ".py")
NOBODY = Owner("")
READING = 30.0  # seconds of the processor that the files of one student may take to be read


@dataclass(frozen=True)
class Attempt:
    """One file that a student handed in.

    origin: where it lay. digest: SHA-256 of its content, "" where it was refused.
    moment: when it was handed in. clock: by whose account. late: whether the platform says so.
    receipt: what the file says of itself. refused: why it was not read.
    doubtful: it was not read because it may be somebody else's.
    secret: what the exchange of nbgrader knows the hand-in by, "" where it came another way.
    owner: whose it is by its place or its receipt; evidence: by which.
    """

    student: Student
    origin: str
    digest: str = ""
    moment: datetime | None = None
    clock: str = "the file's own time"
    late: bool = False
    receipt: Receipt | None = None
    refused: str = ""
    notes: tuple[str, ...] = ()
    doubtful: bool = False
    secret: str = ""
    owner: Owner = NOBODY
    evidence: Evidence = Evidence.PLACE


@dataclass
class Intake:
    """Everything that was found.

    roster: the class. unmatched: (where, why it is nobody's) for a person to settle.
    """

    roster: Roster
    attempts: dict[str, list[Attempt]] = field(default_factory=lambda: defaultdict(list))
    unmatched: list[tuple[str, str]] = field(default_factory=list)

    def students(self) -> list[Student]:
        """All students, with or without a hand-in, by id."""
        return sorted(self.roster.students, key=lambda student: student.id.casefold())


def take_in(
    path: Path,
    roster: Roster | None,
    keep: Callable[[str, bytes], None],
    *,
    number: str = "",
    kinds: tuple[str, ...] = _NOTEBOOKS,
    secret: str = "",
) -> Intake:
    """Match every file below `path` to a student.

    keep: stores what was read by its digest, one file at a time.
    number: of the sheet; a folder or receipt of another sheet does not count.
    kinds: endings of the files that are read; of a student's files only those of the first kind
    that they have count.
    secret: the instructor's, by which receipts are checked.
    Without a roster every label is a student. Raises BadArchive, FileNotFoundError.
    """
    reception = _Reception(number, kinds, keep)
    for piece in pieces(path, roster):
        reception.take(piece)
    best_known_first = sorted(reception.attempts, key=lambda one: -one.evidence.strength)
    intake = Intake(roster or without_roster([one.owner for one in best_known_first]))
    _match(intake, reception, secret)
    intake.unmatched += _of_other_sheets(reception.elsewhere, intake, number)
    for student, attempts in intake.attempts.items():
        intake.attempts[student] = _first_kind(attempts, kinds)
    return intake


@dataclass
class _Reception:
    """Takes one file after the other and reads those that can be hand-ins of this sheet.

    attempts: of nobody yet. exchange: (owner, name) -> the text of the two files that nbgrader's
    exchange puts beside a hand-in.
    elsewhere: (number of another sheet, owner, origin) of each file in its folders.
    """

    number: str
    kinds: tuple[str, ...]
    keep: Callable[[str, bytes], None]
    attempts: list[Attempt] = field(default_factory=list)
    exchange: dict[tuple[Owner, str], str] = field(default_factory=dict)
    elsewhere: list[tuple[str, Owner, str]] = field(default_factory=list)
    _seconds: dict[Owner, float] = field(default_factory=lambda: defaultdict(float))

    def take(self, piece: Piece) -> None:
        """Note what the file is, and keep its content where it is to be graded."""
        file, owner = piece.file, piece.owner
        sheet, _, name = piece.collected.partition("/")
        if sheet == self.number and name in (STAMP, SECRET) and not owner.system:
            self.exchange[owner, name] = file.content[:1000].decode(errors="replace").strip()
            return
        if other := _other_sheet(file.name, self.number):
            if file.name.lower().endswith(self.kinds):
                self.elsewhere.append((other, owner, piece.origin))
            return
        attempt = Attempt(
            Student(""),
            piece.origin,
            moment=file.moment,
            late=piece.late,
            refused=file.refused or self._why_not(PurePosixPath(file.name), owner),
            owner=owner,
            evidence=piece.evidence,
        )
        if not attempt.refused:
            before = reading.READER.seconds
            read, refuse = partial(self._read, attempt, file), partial(_refused, attempt)
            attempt = settled(read, refuse)
            self._seconds[owner] += reading.READER.seconds - before
        self.attempts.append(attempt)

    def _why_not(self, path: PurePosixPath, owner: Owner) -> str:
        """Why a file of that name is not even read, or ""."""
        suffix = path.suffix.lower()
        if suffix not in self.kinds:
            return f"a {suffix or 'nameless'} file, not a notebook"
        if path.name in STUDENTS_FILES.values():
            return "a file that comes with the sheet, not a notebook"
        if self._seconds[owner] > READING:
            return (
                f"not read, because the files before it took more than {READING:g} seconds to read"
            )
        return ""

    def _read(self, attempt: Attempt, file: File) -> Attempt:
        """The attempt with what its file says of itself."""
        receipt = None
        if file.name.lower().endswith(".ipynb"):
            receipt = reading.ask("read_receipt", file.content)
        digest = hashlib.sha256(file.content).hexdigest()
        self.keep(digest, file.content)
        owner = attempt.owner
        if receipt and attempt.evidence is Evidence.RECEIPT:
            owner = Owner(receipt.name)
        return replace(attempt, digest=digest, receipt=receipt, owner=owner)


def _refused(attempt: Attempt, reason: str) -> Attempt:
    """The attempt of a file that does not count. What it was refused for before stays."""
    return replace(attempt, digest="", refused=attempt.refused or reason)


def _other_sheet(name: str, number: str) -> str:
    """The number of another sheet in whose folder, as nbgrader's STUDENT/SHEET/, a file lies."""
    folders = [part for part in PurePosixPath(name).parts[1:-1] if re.fullmatch(r"\d\d", part)]
    return folders[-1] if number and folders and folders[-1] != number else ""


def _of_other_sheets(
    elsewhere: list[tuple[str, Owner, str]], intake: Intake, number: str
) -> Iterator[tuple[str, str]]:
    """(where, why) of files in folders of other sheets.

    Those of students from whom nothing else came are listed one by one, the others together.
    """
    handed_in: Counter[str] = Counter()
    for other, owner, origin in sorted(elsewhere, key=itemgetter(0)):
        student = intake.roster.find(owner)[0]
        if student and intake.attempts.get(student.id):
            handed_in[other] += 1
            continue
        reason = f"the folder is that of sheet {other}, and nothing of sheet {number} came"
        yield origin, f"{owner.label}: {reason}"
    for other, count in handed_in.items():
        reason = f"of students who have handed in sheet {number}; not looked at here"
        yield f"{count} in folders of sheet {other}", reason


def _match(intake: Intake, reception: _Reception, secret: str) -> None:
    """Give every student the files that are certainly theirs; list the others for a person."""
    roster, exchange = intake.roster, reception.exchange
    namesakes = _namesakes(roster, reception.attempts)
    attempts_of: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in reception.attempts:
        owner = attempt.owner
        student, reason = roster.find(owner)
        if student is None:
            inside = attempt.origin.split("/")[1:]
            group = any(roster.named(Owner(part)) for part in inside)
            hint = "; if it is the folder of a group, give that folder itself" if group else ""
            intake.unmatched.append((attempt.origin, f"{owner.label}: {reason}{hint}"))
            continue
        known = exchange.get((owner, SECRET), "")
        known = known if re.fullmatch(r"[0-9a-f]{16,256}", known) else ""
        attempt = replace(attempt, student=student, secret=known)
        if doubt := _doubt(attempt, roster, namesakes):
            intake.unmatched.append((attempt.origin, f"doubtful: {doubt}"))
            attempt = replace(_refused(attempt, doubt), doubtful=True)
        else:
            code = code_of(secret, student.id) if secret else ""
            attempt = _timed(attempt, exchange.get((owner, STAMP), ""), code)
        attempts_of[student.id].append(attempt)
    for id_, attempts in attempts_of.items():
        intake.attempts[id_] = _best_known(attempts, intake)


def _doubt(attempt: Attempt, roster: Roster, namesakes: dict[str, set[str]]) -> str:
    """Why a person must settle whether this file is the student's; "" where it is certain."""
    student, receipt = attempt.student, attempt.receipt
    settle = "whose it is, is for you to settle"
    if student.id in namesakes and attempt.evidence is Evidence.PLATFORM:
        users = f"hand-ins of {len(namesakes[student.id])} users of the platform have this name"
        return f"{users}, {student}: {settle}"
    named = roster.named(Owner(receipt.name)) if receipt else []
    if named and student not in named:
        names = ", ".join(map(str, named))
        return f"{attempt.evidence.value} says {student}, its receipt {names}: {settle}"
    return ""


def _namesakes(roster: Roster, attempts: list[Attempt]) -> dict[str, set[str]]:
    """student -> the platform's numbers, where several of its users have that student's name.

    On many platforms users may change the name that others see, even to another student's name.
    """
    numbers: dict[str, set[str]] = defaultdict(set)
    for attempt in attempts:
        owner = attempt.owner
        student = roster.find(owner)[0]
        if student is not None and attempt.evidence is Evidence.PLATFORM:
            numbers[student.id].add(f"{owner.system} {owner.number}")
    return {student: users for student, users in numbers.items() if len(users) > 1}


def _best_known(attempts: list[Attempt], intake: Intake) -> list[Attempt]:
    """Of a student's attempts those of the strongest evidence.

    Several files that only say so themselves are all in doubt.
    """
    best = max((one.evidence for one in attempts), key=lambda evidence: evidence.strength)
    for one in attempts:
        if one.evidence is not best:
            others = f"others are by {best.value}, and they count"
            reason = f"{one.student}'s by {one.evidence.value}; {others}"
            intake.unmatched.append((one.origin, f"doubtful: {reason}"))
    attempts = [one for one in attempts if one.evidence is best]
    if best is not Evidence.RECEIPT or len({one.digest for one in attempts}) == 1:
        return attempts
    reason = (
        "one of several files that name this student by a receipt alone, which anybody can write: "
        "rename the right one to the id"
    )
    return [replace(_refused(one, reason), doubtful=True) for one in attempts]


def _timed(attempt: Attempt, stamp: str, code: str) -> Attempt:
    """The attempt with the time that counts, and notes on what does not fit.

    The roster's time counts before nbgrader's stamp, the receipt's and the file's. code: the
    student's; a receipt with its check is as good as the place.
    """
    student, receipt = attempt.student, attempt.receipt
    stamped = read_moment(stamp[:100].replace(" UTC", "+00:00"))
    times = [(student.handed_in, "the roster"), (stamped, STAMP)]
    if receipt:
        checked = bool(code) and receipt.is_checked(code)
        clock = "its receipt, the student's clock"
        if checked:
            clock += " (the receipt has the check of the student's code)"
            attempt = replace(attempt, evidence=Evidence.PLACE)
        times.append((read_moment(receipt.time), clock))
        attempt = replace(attempt, notes=tuple(_notes(student, receipt, checked)))
    for moment, clock in times:
        if moment is not None:
            return replace(attempt, moment=moment, clock=clock)
    if attempt.owner.system == "canvas":  # the times of the files are those of the download
        return replace(attempt, moment=None, clock="Canvas tells only what is late")
    return attempt


def _notes(student: Student, receipt: Receipt, checked: bool) -> Iterator[str]:
    """What a person should know of a receipt."""
    if not checked and not student.is_called(receipt.name):
        yield f"its receipt names {receipt.name!r}"
    if not receipt.intact:
        yield "it was changed after it got its receipt: the fingerprint is another one"
    if read_moment(receipt.time) is None:
        yield f"its receipt has no time that a course can have: {receipt.time[:40]!r}"


def _first_kind(attempts: list[Attempt], kinds: tuple[str, ...]) -> list[Attempt]:
    """Pictures and texts do not count beside a notebook, nor modules (.py); what was refused stays
    as a note of the rest.
    """
    for kind in kinds:
        read = [one for one in attempts if one.digest and one.origin.lower().endswith(kind)]
        if read:
            break
    else:
        return attempts
    refused = [
        f"{one.origin}: {one.refused}"
        for one in attempts
        if not one.digest and "not a notebook" not in one.refused
    ]
    return [replace(attempt, notes=(*attempt.notes, *refused)) for attempt in read]
