"""What a class handed in: plain folders, zips, and the downloads of Moodle and Canvas, as attempts of students."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from rlcourse.grading.archive import BadArchive, File, files, of_zip_bytes
from rlcourse.grading.hand_in import read_receipt
from rlcourse.grading.roster import Owner, Roster, Student, fold, read_moment, without_roster

_MOODLE = re.compile(r"^(?P<label>.+?)_(?P<number>\d+)_assignsubmission_(file|onlinetext)_?(?P<rest>.*)$", re.DOTALL)
_CANVAS = re.compile(r"^(?P<label>[^_]+)(?P<late>_LATE)?_(?P<number>\d+)_\d+_(?P<rest>.+)$", re.DOTALL)
_NOTEBOOKS = (".ipynb", ".py")


@dataclass(frozen=True)
class Attempt:
    """One file that a student handed in. origin: where it lay. digest: SHA-256 of its content, "" where it was refused.

    moment: when it was handed in, clock: by whose account; late: whether the platform calls it late. receipt: name, time
    and whether it fits, by the student's own word. refused: why it was not read.
    """

    student: Student
    origin: str
    digest: str = ""
    moment: datetime | None = None
    clock: str = ""
    late: bool = False
    receipt: tuple[str, str, bool] | None = None
    refused: str = ""
    notes: tuple[str, ...] = ()


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
    """A file with what its place says: whose it is, and when the platform calls it late."""

    owner: Owner
    file: File
    origin: str
    late: bool = False


def take_in(
    path: Path,
    roster: Roster | None,
    keep: Callable[[str, bytes], None],
    *,
    number: str = "",
    kinds: tuple[str, ...] = _NOTEBOOKS,
) -> Intake:
    """Match every file below `path` to a student. `keep(digest, content)` stores what was read, one file at a time.

    number: of the sheet; a folder or receipt of another sheet does not count. kinds: endings of the files that are read; of a
    student's only those of the first kind that he has count. Without a roster every label is a student.
    Raises BadArchive, FileNotFoundError.
    """
    pieces, timestamps = [], {}
    for piece in _pieces(path, roster):
        file = piece.file
        if file.name.rpartition("/")[2] == "timestamp.txt":  # nbgrader's collected folders
            timestamps[piece.owner] = read_moment(
                file.content[:100].decode(errors="replace").strip().replace(" UTC", "+00:00")
            )
            continue
        attempt = _attempt(piece, number, kinds)
        if attempt is None:
            continue
        if attempt.digest:
            keep(attempt.digest, file.content)
        pieces.append((piece.owner, attempt))
    intake = Intake(roster or without_roster(owner for owner, _ in pieces))
    for owner, attempt in pieces:
        student, reason = intake.roster.find(owner)
        if student is None:
            intake.unmatched.append((attempt.origin, f"{owner.label}: {reason}"))
            continue
        intake.attempts[student.id].append(_timed(replace(attempt, student=student), timestamps.get(owner), owner.system))
    for student in intake.attempts:
        intake.attempts[student] = _first_kind(intake.attempts[student], kinds)
    return intake


def _pieces(path: Path, roster: Roster | None) -> Iterator[_Piece]:
    """The files with their owners; a student's own zip is opened, a zip inside it is not."""
    for file in files(path):
        is_class = (
            "/" not in file.name and file.name.lower().endswith(".zip") and not file.refused and not _known(file, roster)
        )
        inner = _unpacked(file) if is_class else None
        if inner is not None and _is_of_a_class(inner, roster):
            for one in inner:
                yield from _opened(one, f"{file.name}/{one.name}", _owner(one.name, _receipt_name(one), roster), roster)
        else:
            yield from _opened(file, file.name, _owner(file.name, _receipt_name(file), roster), roster)


def _is_of_a_class(inner: list[File], roster: Roster | None) -> bool:
    """Whether a zip holds the hand-ins of several: a platform's names in it, or students of the roster."""
    owners = [_owner(one.name, "", roster) for one in inner]
    return any(owner.system or roster is not None and roster.find(owner)[0] is not None for owner in owners)


def _known(file: File, roster: Roster | None) -> bool:
    owner = _owner(file.name, "")
    return bool(owner.system) or roster is not None and roster.find(owner)[0] is not None


def _opened(file: File, origin: str, owner: Owner, roster: Roster | None) -> Iterator[_Piece]:
    late = bool((match := _CANVAS.match(file.name.rpartition("/")[2])) and match["late"])
    if not file.name.lower().endswith(".zip") or file.refused:
        yield _Piece(owner, file, origin, late)
        return
    inner = _unpacked(file)
    if inner is None:
        yield _Piece(owner, replace(file, content=b"", refused="a zip that cannot be read"), origin, late)
        return
    for one in inner:
        if one.name.lower().endswith(".zip") and not one.refused:
            one = replace(one, content=b"", refused="a zip inside a zip is not opened; hand in the notebook itself")
        yield _Piece(owner, one, f"{origin}/{one.name}", late)


def _unpacked(file: File) -> list[File] | None:
    try:
        return of_zip_bytes(file.content)
    except BadArchive:
        return None


def _owner(name: str, receipt: str, roster: Roster | None = None) -> Owner:
    """Whose a file is by its place: Moodle's folder, Canvas's file name, a folder's name, else its receipt or its own name.

    Of several folders, one inside the other, the first counts that the roster knows, or the outermost.
    """
    *folders, last = PurePosixPath(name.lstrip("/")).parts or ("",)
    for part in (*folders, last):
        if match := _MOODLE.match(part):
            return Owner(match["label"], match["number"], "moodle")
    if match := _CANVAS.match(last):
        return Owner(match["label"], match["number"], "canvas")
    known = [Owner(part) for part in folders if roster is not None and roster.find(Owner(part))[0] is not None]
    return (known or [Owner(part) for part in folders] or [Owner(receipt or PurePosixPath(last).stem)])[0]


def _receipt_name(file: File) -> str:
    receipt = read_receipt(file.content) if file.name.lower().endswith(".ipynb") else None
    return receipt[0] if receipt else ""


def _attempt(piece: _Piece, number: str, kinds: tuple[str, ...]) -> Attempt | None:
    """The file as somebody's attempt, not yet matched; None for what is neither a hand-in nor an obstacle."""
    file, suffix = piece.file, PurePosixPath(piece.file.name).suffix.lower()
    folders = [part for part in PurePosixPath(file.name).parts[1:-1] if re.fullmatch(r"\d\d", part)]
    if number and folders and folders[-1] != number:  # nbgrader's STUDENT/SHEET/: another sheet's folder
        return None
    refused = file.refused or ("" if suffix in kinds else f"a {suffix or 'nameless'} file, not a notebook")
    receipt = read_receipt(file.content) if suffix == ".ipynb" and not refused else None
    digest = "" if refused else hashlib.sha256(file.content).hexdigest()
    return Attempt(Student(""), piece.origin, digest, file.moment, "the file's own time", piece.late, receipt, refused)


def _timed(attempt: Attempt, stamped: datetime | None, system: str) -> Attempt:
    """With the time that counts: the platform's list, nbgrader's stamp, the receipt, the file; and what does not fit."""
    notes, student, receipt = [], attempt.student, attempt.receipt
    own = read_moment(receipt[1]) if receipt else None
    if receipt and fold(receipt[0]) not in {fold(student.id), fold(student.name), fold(student.email)}:
        notes.append(f"its receipt names {receipt[0]!r}")
    if receipt and not receipt[2]:
        notes.append("it was changed after it got its receipt: the fingerprint is another one")
    for moment, clock in (
        (student.handed_in, "the roster"),
        (stamped, "timestamp.txt"),
        (own, "its receipt, the student's clock"),
    ):
        if moment is not None:
            return replace(attempt, moment=moment, clock=clock, notes=tuple(notes))
    if system == "canvas":  # the times of the files are those of the download
        return replace(attempt, moment=None, clock="Canvas tells only what is late", notes=tuple(notes))
    return replace(attempt, notes=tuple(notes))


def _first_kind(attempts: list[Attempt], kinds: tuple[str, ...]) -> list[Attempt]:
    """Pictures and texts do not count beside a notebook, nor modules (.py); what was refused stays as a note of the rest."""
    read = [attempt for attempt in attempts if attempt.digest]
    read = next((of_kind for kind in kinds if (of_kind := [one for one in read if one.origin.lower().endswith(kind)])), [])
    if not read:
        return attempts
    refused = [f"{one.origin}: {one.refused}" for one in attempts if not one.digest and "not a notebook" not in one.refused]
    return [replace(attempt, notes=(*attempt.notes, *refused)) for attempt in read]
