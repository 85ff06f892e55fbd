"""What a class handed in: plain folders, zips, and the downloads of Moodle and Canvas, as attempts of students.

Whose a file is: what lies in a folder, or has a name, that the roster knows is that student's; else the platform's own name of
the outermost folder or file counts; else, for a file that lies in no folder, its receipt. What a student packed inside says
nothing about others. Where two of these disagree a person settles it, and the file counts for nobody.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import IntEnum
from pathlib import Path, PurePosixPath

from rlcourse.checks import STUDENTS_FILES
from rlcourse.grading import reading
from rlcourse.grading.archive import BadArchive, File, files, names, shared_depth
from rlcourse.grading.hand_in import Receipt, code_of
from rlcourse.grading.reading import settled
from rlcourse.grading.roster import Owner, Roster, Student, fold, read_moment, without_roster

_MOODLE = re.compile(
    r"^(?P<label>.+?)_(?P<number>\d+)_assignsubmission_(file|onlinetext)_?(?P<rest>.*)$", re.DOTALL
)
_CANVAS = re.compile(
    r"^(?P<label>[^_]+)(?P<late>_LATE)?_(?P<number>\d+)_\d+_(?P<rest>.+)$", re.DOTALL
)
_NUMBERED = re.compile(r"_\d+_assignsubmission_")
_NOTEBOOKS = (".ipynb", ".py")
READING = 30.0  # seconds of the processor that the files of one student may take to be read
COLLECTED = "submitted"  # the folder in which nbgrader collects: STUDENT/SHEET/ with these two files, which students cannot write
_STAMP, _SECRET = "timestamp.txt", "submission_secret.txt"


class Evidence(IntEnum):
    """How it is known whose a file is, the strongest last."""

    RECEIPT = 1
    PLATFORM = 2
    PLACE = 3

    def __str__(self) -> str:
        return {
            1: "its receipt alone",
            2: "the platform's name of it",
            3: "the place where it lies",
        }[self.value]


@dataclass(frozen=True)
class Attempt:
    """One file that a student handed in. origin: where it lay. digest: SHA-256 of its content, "" where it was refused.

    moment: when it was handed in, clock: by whose account; late: whether the platform calls it late. receipt: what the file
    says of itself. refused: why it was not read. doubtful: it was not read because it may be somebody else's.
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
    """Everything that was found. unmatched: (where, why it is nobody's) for a person to settle. roster: the class."""

    roster: Roster
    attempts: dict[str, list[Attempt]] = field(default_factory=lambda: defaultdict(list))
    unmatched: list[tuple[str, str]] = field(default_factory=list)

    def students(self) -> list[Student]:
        """All students, with or without a hand-in, by id."""
        return sorted(self.roster.students, key=lambda student: student.id.casefold())


@dataclass(frozen=True)
class _Piece:
    """A file with what its place says: whose it is, by what evidence, and whether the platform calls it late.

    parts: of its path, from the student's folder on; collected: it lies on disk as nbgrader's exchange collects.
    """

    owner: Owner
    evidence: Evidence
    file: File
    origin: str
    late: bool = False
    parts: tuple[str, ...] = ()
    collected: bool = False


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
    """Match every file below `path` to a student. `keep(digest, content)` stores what was read, one file at a time.

    number: of the sheet; a folder or receipt of another sheet does not count. kinds: endings of the files that are read; of a
    student's only those of the first kind that they have count. secret: the instructor's, by which receipts are checked.
    Without a roster every label is a student. Raises BadArchive, FileNotFoundError.
    """
    claims: list[_Claim] = []
    stamps: dict[Owner, str] = {}
    secrets: dict[Owner, str] = {}
    elsewhere: dict[str, list[_Piece]] = defaultdict(list)
    seconds: dict[Owner, float] = defaultdict(float)
    for piece in _pieces(path, roster):
        if (
            piece.collected
            and not piece.owner.system
            and piece.parts[1:] in ((number, _STAMP), (number, _SECRET))
        ):
            words = piece.file.content[:1000].decode(errors="replace").strip()
            (stamps if piece.parts[-1] == _STAMP else secrets)[piece.owner] = words
            continue
        refusal = replace(piece.file, content=b"")
        if other := _other_sheet(piece.file.name, number):
            elsewhere[other] += [replace(piece, file=refusal)] * piece.file.name.lower().endswith(
                kinds
            )
            continue
        if seconds[piece.owner] > READING:
            words = (
                f"not read, because the files before it took more than {READING:g} seconds to read"
            )
            piece = replace(piece, file=replace(refusal, refused=refusal.refused or words))
        before = reading.READER.seconds
        claim = settled(
            lambda piece=piece: _claim(piece, number, kinds, keep),
            lambda why, piece=piece, file=refusal: _claim(
                replace(piece, file=replace(file, refused=why)), number, kinds, keep
            ),
        )
        seconds[piece.owner] += reading.READER.seconds - before
        claims.append(claim)
    by_evidence = sorted(claims, key=lambda claim: -claim.evidence)
    intake = Intake(roster or without_roster([claim.owner for claim in by_evidence]))
    _match(intake, claims, secret, {owner: _stamped(words) for owner, words in stamps.items()})
    for student, attempts in intake.attempts.items():
        known = next(
            (
                words
                for owner, words in secrets.items()
                if intake.roster.find(owner)[0] is attempts[0].student
            ),
            "",
        )
        if re.fullmatch(r"[0-9a-f]{16,256}", known):
            intake.attempts[student] = [replace(attempt, secret=known) for attempt in attempts]
    intake.unmatched += _listed(elsewhere, intake, number)
    for student in intake.attempts:
        intake.attempts[student] = _first_kind(intake.attempts[student], kinds)
    return intake


def _other_sheet(name: str, number: str) -> str:
    """The number of the other sheet in whose folder a file lies, nbgrader's STUDENT/SHEET/, or ""."""
    folders = [part for part in PurePosixPath(name).parts[1:-1] if re.fullmatch(r"\d\d", part)]
    return folders[-1] if number and folders and folders[-1] != number else ""


def _listed(
    elsewhere: dict[str, list[_Piece]], intake: Intake, number: str
) -> Iterator[tuple[str, str]]:
    """(where, why) of files in folders of other sheets: one by one for those from whom nothing else came, else in a row."""
    for other, pieces in sorted(elsewhere.items()):
        owners = {piece.owner: intake.roster.find(piece.owner)[0] for piece in pieces}
        alone = [
            piece
            for piece in pieces
            if not (owners[piece.owner] and intake.attempts.get(owners[piece.owner].id))
        ]
        for piece in alone:
            yield (
                piece.origin,
                f"{piece.owner.label}: the folder is that of sheet {other}, and nothing of sheet {number} came",
            )
        if count := len(pieces) - len(alone):
            yield (
                f"{count} in folders of sheet {other}",
                f"of students who have handed in sheet {number}; not looked at here",
            )


# --- what lies where ---------------------------------------------------------------------------------------------------


def _pieces(path: Path, roster: Roster | None) -> Iterator[_Piece]:
    """The files with their owners; a student's own zip is opened, a zip inside it is not."""
    whole = _only_zip(path, roster)
    listed = names(path) if whole is None else whole.listed()
    depth = _depth(listed, roster)
    collected = whole is None and path.is_dir() and path.name == COLLECTED and depth == 0
    for file in files(path) if whole is None else whole.unpacked(one_student=False):
        parts = tuple(file.name.split("/")[depth:])
        owner, evidence = _owner(parts, roster)
        late = len(parts) == 1 and bool((match := _CANVAS.match(parts[0])) and match["late"])
        origin = file.name if whole is None else f"{whole.name}/{file.name}"
        yield from _opened(_Piece(owner, evidence, file, origin, late, parts, collected))


def _only_zip(path: Path, roster: Roster | None) -> File | None:
    """The one file of a folder where it is the zip of a whole class. Beside others a zip is one student's, or nobody's."""
    listed = names(path)
    if len(listed) != 1 or not path.is_dir() or "/" in listed[0]:
        return None
    (file,) = files(path)
    if not file.is_zip or _is_known((file.name,), roster):
        return None
    try:
        inner = file.listed()
    except BadArchive:
        return None
    depth = _depth(inner, roster)
    return (
        file if any(_is_known(tuple(name.split("/")[depth:]), roster) for name in inner) else None
    )


def _depth(listed: list[str], roster: Roster | None) -> int:
    """How many folders, which hold everything, lie around those of the students: 0, unless students are found in there."""
    parts = [tuple(name.split("/")) for name in listed]
    for depth in range(shared_depth(listed) + 1):
        if any(_is_known(one[depth:], roster) for one in parts):
            return depth
    return 0


def _is_known(parts: tuple[str, ...], roster: Roster | None) -> bool:
    """Whether the outermost part is a platform's name, or one that the roster knows."""
    owner, evidence = _owner(parts, roster)
    return evidence is Evidence.PLATFORM or (roster is not None and bool(roster.named(owner)))


def _owner(parts: tuple[str, ...], roster: Roster | None) -> tuple[Owner, Evidence]:
    """Whose a file is by its outermost folder, or by its name where it lies in none."""
    first, alone = parts[0], len(parts) == 1
    label = PurePosixPath(first).stem if alone else first
    if roster is not None and roster.named(Owner(label)):
        return Owner(label), Evidence.PLACE
    found = [
        Owner(match["label"], match["number"], system)
        for system, pattern in (("moodle", _MOODLE), ("canvas", _CANVAS))
        if (roster is None or roster.kind in ("", system))
        and (alone or system == "moodle")
        and (match := pattern.match(first))
    ]
    # A student's own part of the name can look like the platform's: what could be two names is nobody's.
    if len(found) == 1 and len(_NUMBERED.findall(first)) < 2:
        return found[0], Evidence.PLATFORM
    return Owner(label), Evidence.RECEIPT if alone else Evidence.PLACE


def _opened(piece: _Piece) -> Iterator[_Piece]:
    """The piece, or the pieces of a zip, all of them whose the zip is."""
    if not piece.file.is_zip:
        yield piece
        return
    packed = replace(piece, collected=False)
    try:
        for one in piece.file.unpacked():
            if one.is_zip:
                one = replace(
                    one,
                    content=b"",
                    refused="a zip inside a zip is not opened; hand in the notebook itself",
                )
            # The times inside are the student's to choose.
            one = replace(one, moment=piece.file.moment)
            yield replace(packed, file=one, origin=f"{piece.origin}/{one.name}")
    except (BadArchive, OSError) as error:
        yield replace(
            packed,
            file=replace(piece.file, content=b"", refused=f"a zip that cannot be read: {error}"),
        )


# --- whose it is -------------------------------------------------------------------------------------------------------


def _claim(
    piece: _Piece, number: str, kinds: tuple[str, ...], keep: Callable[[str, bytes], None]
) -> _Claim:
    """The file as somebody's attempt, not yet matched."""
    file, suffix = piece.file, PurePosixPath(piece.file.name).suffix.lower()
    refused = file.refused or (
        "" if suffix in kinds else f"a {suffix or 'nameless'} file, not a notebook"
    )
    if PurePosixPath(piece.file.name).name in STUDENTS_FILES.values():
        refused = refused or "a file that comes with the sheet, not a notebook"
    receipt = (
        reading.ask("read_receipt", file.content) if suffix == ".ipynb" and not refused else None
    )
    digest = "" if refused else hashlib.sha256(file.content).hexdigest()
    if digest:
        keep(digest, file.content)
    owner = Owner(receipt.name) if piece.evidence is Evidence.RECEIPT and receipt else piece.owner
    attempt = Attempt(
        Student(""),
        piece.origin,
        digest,
        file.moment,
        "the file's own time",
        piece.late,
        receipt,
        refused,
    )
    return _Claim(owner, piece.evidence, attempt)


def _match(
    intake: Intake, claims: Iterable[_Claim], secret: str, stamps: dict[Owner, datetime | None]
) -> None:
    """Give every student the files that are theirs for certain; list the others."""
    mine: dict[str, list[_Claim]] = defaultdict(list)
    claims = list(claims)
    namesakes = _namesakes(intake.roster, claims)
    reasons: dict[Owner, tuple[Student | None, str]] = {}
    for claim in claims:
        owner, attempt = claim.owner, claim.attempt
        if owner not in reasons:
            reasons[owner] = intake.roster.find(owner)
        student, reason = reasons[owner]
        if student is None:
            inner = any(intake.roster.named(Owner(part)) for part in attempt.origin.split("/")[1:])
            hint = "; if it is the folder of a group, give that folder itself" * inner
            intake.unmatched.append((attempt.origin, f"{owner.label}: {reason}{hint}"))
            continue
        if student.id in namesakes and claim.evidence is Evidence.PLATFORM:
            words = f"hand-ins of {len(namesakes[student.id])} users of the platform have this name: whose it is, is for you to settle"
            attempt = replace(
                attempt, student=student, digest="", refused=attempt.refused or words, doubtful=True
            )
            intake.unmatched.append((attempt.origin, f"doubtful: {student}: {words}"))
            mine[student.id].append(_Claim(owner, claim.evidence, attempt))
            continue
        receipt = attempt.receipt
        named = intake.roster.named(Owner(receipt.name)) if receipt else []
        if named and student not in named:
            words = f"{claim.evidence} says {student}, its receipt {', '.join(map(str, named))}: whose it is, is for you to settle"
            intake.unmatched.append((attempt.origin, f"doubtful: {words}"))
            attempt = replace(
                attempt, student=student, digest="", refused=attempt.refused or words, doubtful=True
            )
            mine[student.id].append(_Claim(owner, claim.evidence, attempt))
            continue
        checked = bool(secret and receipt and receipt.is_checked(code_of(secret, student.id)))
        attempt = _timed(
            replace(attempt, student=student), stamps.get(owner), owner.system, checked
        )
        evidence = Evidence.PLACE if checked else claim.evidence
        mine[student.id].append(_Claim(owner, evidence, attempt))
    for student, candidates in mine.items():
        intake.attempts[student] = _settled_for(candidates, intake)


def _namesakes(roster: Roster, claims: Iterable[_Claim]) -> dict[str, set[str]]:
    """student -> the platform's numbers, where several users of it have the name by which that student is found.

    On many platforms users may change the name that others see, even to another student's name.
    """
    numbers: dict[str, set[str]] = defaultdict(set)
    for claim in claims:
        student = roster.find(claim.owner)[0]
        if student is not None and claim.evidence is Evidence.PLATFORM:
            numbers[student.id].add(f"{claim.owner.system} {claim.owner.number}")
    return {student: found for student, found in numbers.items() if len(found) > 1}


def _settled_for(claims: list[_Claim], intake: Intake) -> list[Attempt]:
    """A student's attempts: those of the strongest evidence. Several files that only say so themselves are all in doubt."""
    best = max(claim.evidence for claim in claims)
    for claim in claims:
        if claim.evidence < best:
            words = f"{claim.attempt.student}'s by {claim.evidence}; others are by {best}, and they count"
            intake.unmatched.append((claim.attempt.origin, f"doubtful: {words}"))
    attempts = [claim.attempt for claim in claims if claim.evidence is best]
    if best is not Evidence.RECEIPT or len({attempt.digest for attempt in attempts}) == 1:
        return attempts
    words = "one of several files that name this student by a receipt alone, which anybody can write: rename the right one to the id"
    return [
        replace(one, digest="", refused=one.refused or words, doubtful=True) for one in attempts
    ]


def _stamped(words: str) -> datetime | None:
    return read_moment(words[:100].replace(" UTC", "+00:00"))


def _timed(attempt: Attempt, stamped: datetime | None, system: str, checked: bool) -> Attempt:
    """With the time that counts: the platform's list, nbgrader's stamp, the receipt, the file; and what does not fit."""
    notes, student, receipt = [], attempt.student, attempt.receipt
    own = read_moment(receipt.time) if receipt else None
    if (
        receipt
        and not checked
        and fold(receipt.name) not in {fold(student.id), fold(student.name), fold(student.email)}
    ):
        notes.append(f"its receipt names {receipt.name!r}")
    if receipt and not receipt.intact:
        notes.append("it was changed after it got its receipt: the fingerprint is another one")
    if receipt and own is None:
        notes.append(f"its receipt has no time that a course can have: {receipt.time[:40]!r}")
    clock = "its receipt, the student's clock" + (
        " (the receipt has the check of the student's code)" if checked else ""
    )
    for moment, account in ((student.handed_in, "the roster"), (stamped, _STAMP), (own, clock)):
        if moment is not None:
            return replace(attempt, moment=moment, clock=account, notes=tuple(notes))
    if system == "canvas":  # the times of the files are those of the download
        return replace(
            attempt, moment=None, clock="Canvas tells only what is late", notes=tuple(notes)
        )
    return replace(attempt, notes=tuple(notes))


def _first_kind(attempts: list[Attempt], kinds: tuple[str, ...]) -> list[Attempt]:
    """Pictures and texts do not count beside a notebook, nor modules (.py); what was refused stays as a note of the rest."""
    read = [attempt for attempt in attempts if attempt.digest]
    read = next(
        (
            of_kind
            for kind in kinds
            if (of_kind := [one for one in read if one.origin.lower().endswith(kind)])
        ),
        [],
    )
    if not read:
        return attempts
    refused = [
        f"{one.origin}: {one.refused}"
        for one in attempts
        if not one.digest and "not a notebook" not in one.refused
    ]
    return [replace(attempt, notes=(*attempt.notes, *refused)) for attempt in read]
