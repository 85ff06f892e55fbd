"""What a class handed in, as attempts of students: folders, zips, downloads of Moodle and Canvas.

Whose a file is: what lies in a folder, or has a name, that the roster knows is that student's; else
the platform's own name of the outermost folder or file counts; else, for a file that lies in no
folder, its receipt. What a student packed inside says nothing about others. Where two of these
disagree a person settles it, and the file counts for nobody.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from rlcourse.checks import STUDENTS_FILES
from rlcourse.grading import reading
from rlcourse.grading.pieces import Evidence, Piece, pieces
from rlcourse.grading.reading import settled
from rlcourse.grading.receipt import Receipt, code_of
from rlcourse.grading.roster import Owner, Roster, Student, fold, read_moment, without_roster

_NOTEBOOKS = (".ipynb", ".py")
READING = 30.0  # seconds of the processor that the files of one student may take to be read
# Beside a hand-in that the exchange of nbgrader has collected; students cannot write them.
_STAMP, _SECRET = "timestamp.txt", "submission_secret.txt"


@dataclass(frozen=True)
class Attempt:
    """One file that a student handed in.

    origin: where it lay. digest: SHA-256 of its content, "" where it was refused.
    moment: when it was handed in. clock: by whose account. late: whether the platform says so.
    receipt: what the file says of itself. refused: why it was not read.
    doubtful: it was not read because it may be somebody else's.
    secret: what the exchange of nbgrader knows the hand-in by, "" where it came another way.
    """

    student: Student
    origin: str
    digest: str = ""
    moment: datetime | None = None
    clock: str = ""
    late: bool = False
    receipt: Receipt | None = None
    refused: str = ""
    notes: tuple[str, ...] = ()
    doubtful: bool = False
    secret: str = ""


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


@dataclass(frozen=True)
class _Claim:
    """A file as an attempt of somebody who is not looked up yet."""

    owner: Owner
    evidence: Evidence
    attempt: Attempt


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
    desk = _Reception(number, kinds, keep)
    for piece in pieces(path, roster):
        desk.take(piece)
    best_known_first = sorted(desk.claims, key=lambda claim: -claim.evidence)
    intake = Intake(roster or without_roster([claim.owner for claim in best_known_first]))
    stamps = {owner: _stamped(text) for owner, text in desk.stamps.items()}
    _match(intake, desk.claims, secret, stamps)
    _add_secrets(intake, desk.secrets)
    intake.unmatched += _of_other_sheets(desk.elsewhere, intake, number)
    for student, attempts in intake.attempts.items():
        intake.attempts[student] = _first_kind(attempts, kinds)
    return intake


@dataclass
class _Reception:
    """Takes one file after the other and reads those that can be hand-ins of this sheet.

    stamps, secrets: owner -> the text of the two files that nbgrader's exchange puts beside a
    hand-in.
    elsewhere: number of another sheet -> the files in its folders, without their contents.
    """

    number: str
    kinds: tuple[str, ...]
    keep: Callable[[str, bytes], None]
    claims: list[_Claim] = field(default_factory=list)
    stamps: dict[Owner, str] = field(default_factory=dict)
    secrets: dict[Owner, str] = field(default_factory=dict)
    elsewhere: dict[str, list[Piece]] = field(default_factory=lambda: defaultdict(list))
    _seconds: dict[Owner, float] = field(default_factory=lambda: defaultdict(float))

    def take(self, piece: Piece) -> None:
        """Note what the file is, and keep its content where it is to be graded."""
        if (beside := self._of_exchange(piece)) is not None:
            beside[piece.owner] = piece.file.content[:1000].decode(errors="replace").strip()
            return
        unread = replace(piece.file, content=b"")
        if other := _other_sheet(piece.file.name, self.number):
            if piece.file.name.lower().endswith(self.kinds):
                self.elsewhere[other].append(replace(piece, file=unread))
            return
        if self._seconds[piece.owner] > READING:
            reason = (
                f"not read, because the files before it took more than {READING:g} seconds to read"
            )
            piece = replace(piece, file=replace(unread, refused=unread.refused or reason))

        def unreadable(reason: str) -> _Claim:
            """The claim of a file that broke its reader."""
            return self._claim(replace(piece, file=replace(unread, refused=reason)))

        before = reading.READER.seconds
        self.claims.append(settled(lambda: self._claim(piece), unreadable))
        self._seconds[piece.owner] += reading.READER.seconds - before

    def _of_exchange(self, piece: Piece) -> dict[Owner, str] | None:
        """Where the text of a file belongs that nbgrader's exchange has put beside a hand-in."""
        if not piece.collected or piece.owner.system:
            return None
        if piece.parts[1:] == (self.number, _STAMP):
            return self.stamps
        return self.secrets if piece.parts[1:] == (self.number, _SECRET) else None

    def _claim(self, piece: Piece) -> _Claim:
        """The file as an attempt, not yet matched to a student."""
        file, suffix = piece.file, PurePosixPath(piece.file.name).suffix.lower()
        refused = file.refused
        if not refused and suffix not in self.kinds:
            refused = f"a {suffix or 'nameless'} file, not a notebook"
        if not refused and PurePosixPath(file.name).name in STUDENTS_FILES.values():
            refused = "a file that comes with the sheet, not a notebook"
        receipt = None
        if suffix == ".ipynb" and not refused:
            receipt = reading.ask("read_receipt", file.content)
        digest = "" if refused else hashlib.sha256(file.content).hexdigest()
        if digest:
            self.keep(digest, file.content)
        owner = piece.owner
        if receipt and piece.evidence is Evidence.RECEIPT:
            owner = Owner(receipt.name)
        return _Claim(
            owner,
            piece.evidence,
            Attempt(
                Student(""),
                piece.origin,
                digest,
                file.moment,
                "the file's own time",
                piece.late,
                receipt,
                refused,
            ),
        )


def _add_secrets(intake: Intake, secrets: dict[Owner, str]) -> None:
    """Note on each student's attempts what the exchange of nbgrader knows the hand-in by."""
    for owner, secret in secrets.items():
        student = intake.roster.find(owner)[0]
        attempts = intake.attempts.get(student.id, []) if student else []
        if student and attempts and re.fullmatch(r"[0-9a-f]{16,256}", secret):
            intake.attempts[student.id] = [replace(one, secret=secret) for one in attempts]


def _other_sheet(name: str, number: str) -> str:
    """The number of another sheet in whose folder, as nbgrader's STUDENT/SHEET/, a file lies."""
    folders = [part for part in PurePosixPath(name).parts[1:-1] if re.fullmatch(r"\d\d", part)]
    return folders[-1] if number and folders and folders[-1] != number else ""


def _of_other_sheets(
    elsewhere: dict[str, list[Piece]], intake: Intake, number: str
) -> Iterator[tuple[str, str]]:
    """(where, why) of files in folders of other sheets.

    Those of students from whom nothing else came are listed one by one, the others together.
    """
    for other, files in sorted(elsewhere.items()):
        handed_in = 0
        for piece in files:
            student = intake.roster.find(piece.owner)[0]
            if student and intake.attempts.get(student.id):
                handed_in += 1
                continue
            reason = f"the folder is that of sheet {other}, and nothing of sheet {number} came"
            yield piece.origin, f"{piece.owner.label}: {reason}"
        if handed_in:
            reason = f"of students who have handed in sheet {number}; not looked at here"
            yield f"{handed_in} in folders of sheet {other}", reason


def _match(
    intake: Intake, claims: list[_Claim], secret: str, stamps: dict[Owner, datetime | None]
) -> None:
    """Give every student the files that are certainly theirs; list the others for a person."""
    claims_of: dict[str, list[_Claim]] = defaultdict(list)
    namesakes = _namesakes(intake.roster, claims)
    for claim in claims:
        owner, attempt = claim.owner, claim.attempt
        student, reason = intake.roster.find(owner)
        if student is None:
            inside = attempt.origin.split("/")[1:]
            group = any(intake.roster.named(Owner(part)) for part in inside)
            hint = "; if it is the folder of a group, give that folder itself" if group else ""
            intake.unmatched.append((attempt.origin, f"{owner.label}: {reason}{hint}"))
            continue
        attempt = replace(attempt, student=student)
        if doubt := _doubt(claim, student, intake.roster, namesakes):
            intake.unmatched.append((attempt.origin, f"doubtful: {doubt}"))
            refused = attempt.refused or doubt
            attempt = replace(attempt, digest="", refused=refused, doubtful=True)
            claims_of[student.id].append(replace(claim, attempt=attempt))
            continue
        receipt = attempt.receipt
        checked = bool(secret and receipt and receipt.is_checked(code_of(secret, student.id)))
        attempt = _timed(attempt, stamps.get(owner), owner.system, checked)
        evidence = Evidence.PLACE if checked else claim.evidence
        claims_of[student.id].append(_Claim(owner, evidence, attempt))
    for id_, candidates in claims_of.items():
        intake.attempts[id_] = _settled_for(candidates, intake)


def _doubt(claim: _Claim, student: Student, roster: Roster, namesakes: dict[str, set[str]]) -> str:
    """Why a person must settle whether this file is the student's; "" where it is certain."""
    settle = "whose it is, is for you to settle"
    if student.id in namesakes and claim.evidence is Evidence.PLATFORM:
        users = f"hand-ins of {len(namesakes[student.id])} users of the platform have this name"
        return f"{users}, {student}: {settle}"
    receipt = claim.attempt.receipt
    named = roster.named(Owner(receipt.name)) if receipt else []
    if named and student not in named:
        names = ", ".join(map(str, named))
        return f"{claim.evidence} says {student}, its receipt {names}: {settle}"
    return ""


def _namesakes(roster: Roster, claims: list[_Claim]) -> dict[str, set[str]]:
    """student -> the platform's numbers, where several of its users have that student's name.

    On many platforms users may change the name that others see, even to another student's name.
    """
    numbers: dict[str, set[str]] = defaultdict(set)
    for claim in claims:
        student = roster.find(claim.owner)[0]
        if student is not None and claim.evidence is Evidence.PLATFORM:
            numbers[student.id].add(f"{claim.owner.system} {claim.owner.number}")
    return {student: users for student, users in numbers.items() if len(users) > 1}


def _settled_for(claims: list[_Claim], intake: Intake) -> list[Attempt]:
    """A student's attempts: those of the strongest evidence.

    Several files that only say so themselves are all in doubt.
    """
    best = max(claim.evidence for claim in claims)
    for claim in claims:
        if claim.evidence < best:
            others = f"others are by {best}, and they count"
            reason = f"{claim.attempt.student}'s by {claim.evidence}; {others}"
            intake.unmatched.append((claim.attempt.origin, f"doubtful: {reason}"))
    attempts = [claim.attempt for claim in claims if claim.evidence is best]
    if best is not Evidence.RECEIPT or len({attempt.digest for attempt in attempts}) == 1:
        return attempts
    reason = (
        "one of several files that name this student by a receipt alone, which anybody can write: "
        "rename the right one to the id"
    )
    return [
        replace(one, digest="", refused=one.refused or reason, doubtful=True) for one in attempts
    ]


def _stamped(stamp: str) -> datetime | None:
    return read_moment(stamp[:100].replace(" UTC", "+00:00"))


def _timed(attempt: Attempt, stamped: datetime | None, system: str, checked: bool) -> Attempt:
    """The attempt with the time that counts, and notes on what does not fit.

    The roster's time counts before nbgrader's stamp, the receipt's and the file's.
    checked: whether the receipt has the check of the student's code.
    """
    student, receipt = attempt.student, attempt.receipt
    notes = list(_notes(student, receipt, checked)) if receipt else []
    attempt = replace(attempt, notes=tuple(notes))
    own = read_moment(receipt.time) if receipt else None
    by_receipt = "its receipt, the student's clock"
    if checked:
        by_receipt += " (the receipt has the check of the student's code)"
    for moment, clock in ((student.handed_in, "the roster"), (stamped, _STAMP), (own, by_receipt)):
        if moment is not None:
            return replace(attempt, moment=moment, clock=clock)
    if system == "canvas":  # the times of the files are those of the download
        return replace(attempt, moment=None, clock="Canvas tells only what is late")
    return attempt


def _notes(student: Student, receipt: Receipt, checked: bool) -> Iterator[str]:
    """What a person should know of a receipt."""
    names = {fold(student.id), fold(student.name), fold(student.email)}
    if not checked and fold(receipt.name) not in names:
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
