"""The class list, and whose a hand-in is: found by what is certain, and listed for a person where
it is not.

A roster is a CSV file: Moodle's grading worksheet, Canvas's gradebook export, or any table with a
column for the id and one for the name. Names are compared, never guessed: two students of one name
are both doubtful.
"""

import csv
import difflib
import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial
from io import StringIO
from pathlib import Path

from rlcourse.untrusted import printable

# Header (lower case) -> what it holds. Of several that hold an id, the first in this order that the
# file has is taken.
_IDS = (
    "student_id",
    "student id",
    "id number",
    "idnumber",
    "sis user id",
    "username",
    "sis login id",
    "login",
    "id",
    "email address",
    "email",
    "identifier",
)
_NAMES = ("full name", "fullname", "name", "student", "student name")
_FIRST, _LAST = (
    ("first name", "firstname", "given name"),
    ("last name", "lastname", "surname", "family name"),
)
_EMAILS = ("email address", "email", "e-mail", "mail")
_HANDED_IN = ("last modified (submission)", "handed in", "submitted")
_EXTENSION = ("extension", "extended until")
_NO_STUDENTS = ("points possible", "student, test")  # lines of Canvas's gradebook
_MOMENTS = (
    "%A, %d %B %Y, %I:%M %p",
    "%A, %d %B %Y, %H:%M",
    "%d %B %Y, %H:%M",
    "%d/%m/%Y %H:%M",
    "%d.%m.%Y %H:%M",
)


class BadRoster(ValueError):
    """The roster cannot be used. The message names the line and what to do."""


@dataclass(frozen=True)
class Student:
    """id: also the name of folders and the key in the gradebook, made safe.

    number: that of Moodle or Canvas in file names.

    handed_in: when, by the server's clock, where the roster says so. row: the roster's own line,
    for the way back.
    """

    id: str
    name: str = ""
    email: str = ""
    number: str = ""
    handed_in: datetime | None = None
    extension: datetime | None = None
    row: Mapping[str, str] = field(default_factory=dict, hash=False, compare=False)

    def __str__(self) -> str:
        return f"{self.name} ({self.id})" if self.name and self.name != self.id else self.id


@dataclass(frozen=True)
class Owner:
    """What a file says of whose it is.

    label: a name or an id; number: of Moodle or Canvas; system: moodle, canvas or "".
    """

    label: str
    number: str = ""
    system: str = ""


@dataclass(frozen=True)
class Roster:
    """The students, and the header of the file they came from. kind: "moodle", "canvas" or ""."""

    students: tuple[Student, ...]
    header: tuple[str, ...] = ()
    kind: str = ""

    def find(self, owner: Owner) -> tuple[Student | None, str]:
        """(the student, "") or (None, why nobody, or nobody for certain)."""
        # Each owner once: to suggest a name is slow, and one hand-in can hold thousands of files.
        if owner not in self._owners:
            self._owners[owner] = self._find(owner)
        return self._owners[owner]

    @cached_property
    def _owners(self) -> dict[Owner, tuple[Student | None, str]]:
        return {}

    def _find(self, owner: Owner) -> tuple[Student | None, str]:
        numbered, named = self.numbered(owner), self.named(owner)
        if len(numbered) == 1:
            if not named or numbered[0] in named:
                return numbered[0], ""
            number = f"the number {owner.number} is that of {numbered[0]}"
            reason = f"{number}, the name that of {_listed(named)}"
        elif len(named) > 1:
            reason = f"{_listed(named)} all have this name; rename the folder to the id"
        elif not named:
            return None, "not in the roster" + self._suggestion(fold(owner.label))
        elif owner.number and named[0].number and self.kind == owner.system:
            reason = f"the name is that of {named[0]}, the number {owner.number} is not"
        else:
            return named[0], ""
        return None, f"doubtful: {reason}"

    def numbered(self, owner: Owner) -> list[Student]:
        """The students with the platform's number, where the roster is that platform's."""
        return self._known("number", owner.number) if owner.system == self.kind else []

    def named(self, owner: Owner) -> list[Student]:
        """The students whose id or e-mail address the label is, or else whose name."""
        label = owner.label
        by_id = self._known("id", fold(label)) or self._known("safe id", safe_id(label))
        if by_id:
            return by_id
        if owner.system == "canvas":
            return self._known("letters", _letters(label))
        return self._known("name", fold(label)) or self._known("name", fold(first_last(label)))

    def _known(self, kind: str, text: str) -> list[Student]:
        return self._students.get((kind, text), []) if text else []

    @cached_property
    def _students(self) -> dict[tuple[str, str], list[Student]]:
        """(kind, text) -> the students of whom that text is known; see `_spellings`."""
        students: dict[tuple[str, str], list[Student]] = defaultdict(list)
        for student in self.students:
            for spelling in dict.fromkeys(_spellings(student)):
                students[spelling].append(student)
        return dict(students)

    def _suggestion(self, label: str) -> str:
        names = {
            fold(text): str(student)
            for student in self.students
            for text in (student.name, student.id)
        }
        close = [names[text] for text in difflib.get_close_matches(label[:80], names, 1, 0.75)]
        return f"; is it {close[0]}?" if close else ""


def _spellings(student: Student) -> Iterator[tuple[str, str]]:
    """(kind, text) of everything that can stand for a student.

    letters: as Canvas writes names, the family name first, and nothing but letters and digits.
    """
    yield "number", student.number
    yield "id", fold(student.id)
    yield "id", fold(student.email)
    yield "safe id", student.id
    in_order = first_last(student.name)
    for name in (student.name, in_order, student.name.replace(",", "")):
        yield "name", fold(name)
    *first, last = in_order.split() or [""]
    for name in (student.name, in_order, " ".join([last, *first])):
        yield "letters", _letters(name)


def _listed(students: Iterable[Student]) -> str:
    return ", ".join(map(str, students))


def without_roster(owners: Sequence[Owner]) -> Roster:
    """A roster of those who handed in, where none is given: each label is a student of its own.

    owners: those of whom it is known best first. A label that is like an earlier one in all but
    case is no student of its own.
    """
    students: dict[str, Student] = {}
    for owner in owners:
        label = f"{owner.label}-{owner.number}" if owner.number else owner.label
        students.setdefault(
            fold(safe_id(label)), Student(safe_id(label), owner.label, number=owner.number)
        )
    return Roster(
        tuple(students.values()), kind=next((owner.system for owner in owners if owner.system), "")
    )


def read_roster(path: Path) -> Roster:
    """The class list.

    Raises BadRoster for a file without an id or a name, and for an id that comes twice.
    """
    header, rows = _table(path)
    columns = set(_by_column(dict.fromkeys(header, "")))
    kind = "canvas" if {"student", "id"} <= columns and len(columns) > 2 else ""
    kind = "moodle" if "identifier" in columns else kind
    # Of a platform's file the plain "id" is the platform's number.
    ids = [column for column in _IDS if column in columns and not (kind and column == "id")]
    if not columns.intersection(ids or ["id"]) or not columns.intersection(_NAMES + _FIRST):
        raise BadRoster(
            f"{path} needs a column for the id ({', '.join(_IDS[:3])}, ...) and one for the name; "
            f"it has {', '.join(header)}"
        )
    students: list[Student] = []
    lines: dict[str, int] = {}
    for line, row in enumerate(rows, 2):
        student = _student(row, ids or ["id"], kind)
        if student is None:
            continue
        before = lines.setdefault(student.id.casefold(), line)
        if before != line:
            raise BadRoster(
                f"{path}: lines {before} and {line} have the same id {student.id}; ids must differ"
            )
        students.append(student)
    if not students:
        raise BadRoster(f"{path} lists no student")
    return Roster(tuple(students), header, kind)


def _student(row: dict[str, str], ids: list[str], kind: str) -> Student | None:
    """The student of a line; None for a line that is none's, as Canvas has some."""
    cells = _by_column(row)

    def cell(columns: Iterable[str]) -> str:
        """The first text that the row has in one of these columns, or ""."""
        return next(filter(None, map(cells.get, columns)), "")

    name = cell(_NAMES) or f"{cell(_FIRST)} {cell(_LAST)}"
    name = " ".join(name.split())  # a line end in it would be one in tables and on the terminal
    number, own = re.sub(r"\D", "", cell(["identifier"])), cell(ids)
    if kind == "canvas":
        number = cell(["id"])
        own = "" if name.lower() in _NO_STUDENTS or not number else own or number
    if not own:
        return None
    handed_in, extension = read_moment(cell(_HANDED_IN)), read_moment(cell(_EXTENSION))
    return Student(safe_id(own), name, cell(_EMAILS), number, handed_in, extension, row)


def read_extensions(path: Path, roster: Roster | None = None) -> dict[str, datetime]:
    """id -> the moment until which that student may hand in. Columns: an id, and "until".

    Raises BadRoster, also for somebody who is not in the roster: an extension that nobody gets
    would be lost in silence.
    """
    until_of = {}
    ids = {student.id.casefold(): student.id for student in roster.students} if roster else {}
    for line, row in enumerate(_table(path)[1], 2):
        cells = _by_column(row)
        own = next(filter(None, map(cells.get, ("student", *_IDS))), "")
        until = read_moment(cells.get("until", ""))
        if not own or until is None:
            raise BadRoster(
                f"{path}, line {line}: an extension reads STUDENT,UNTIL with a time such as "
                "2026-11-27T23:59"
            )
        student = safe_id(own)
        if roster and student.casefold() not in ids:
            close = difflib.get_close_matches(student.casefold(), ids, 1, 0.6)
            hint = f"; is it {ids[close[0]]}?" if close else ""
            raise BadRoster(f"{path}, line {line}: {own!r} is no id of the roster{hint}")
        until_of[ids.get(student.casefold(), student)] = until
    return until_of


def read_moment(text: str) -> datetime | None:
    """A time as ISO or as Moodle writes it, in this machine's zone where it names none; None for
    what is no time of a course.
    """
    readers: list[Callable[[], datetime]] = [partial(datetime.fromisoformat, text)]
    readers += [partial(datetime.strptime, text, form) for form in _MOMENTS]
    return next(filter(None, map(in_zone, readers)), None)


def in_zone(read: Callable[[], datetime]) -> datetime | None:
    """What `read` returns, with its zone or this machine's; None for no time, or one in which
    nobody hands anything in.

    In the first and the last year of the calendar another zone's time does not exist, and tables
    cannot hold it.
    """
    try:
        moment = read().astimezone()
    except (ValueError, OverflowError, OSError):
        return None
    return moment if 1990 <= moment.year <= 2100 else None


def fold(text: str) -> str:
    """A name without case, with one blank between its parts, and with "?" for what `shown_name`
    does not show of a file's name.
    """
    return shown_name(" ".join(unicodedata.normalize("NFC", text).casefold().split()))


def shown_name(text: str) -> str:
    """A name that can be shown: control characters, and those that turn the direction of text,
    become "?".
    """
    return printable(text[:300])


def safe_id(text: str) -> str:
    """An id that is a folder's name on every system and nothing more.

    What had to be changed gets a mark of its own.
    """
    text = unicodedata.normalize("NFC", text).strip()
    made = re.sub(r"[^\w.@-]+", "-", text).strip("-.")[:60]
    reserved = re.fullmatch(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?", made)
    if made and made == text and not reserved:
        return made
    mark = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:6]
    return f"{'student-' if reserved else ''}{made or 'student'}-{mark}"


def first_last(name: str) -> str:
    """ "Lovelace, Ada" as "Ada Lovelace"; any other name as it is."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma else name


def _letters(name: str) -> str:
    return "".join(c for c in fold(name) if c.isalnum())


def _by_column(row: Mapping[str, str]) -> dict[str, str]:
    """A row by the names of its columns in lower case."""
    return {column.strip().lower(): text for column, text in row.items()}


def _table(path: Path) -> tuple[tuple[str, ...], list[dict[str, str]]]:
    """(header, rows) of a CSV with commas, semicolons or tabs.

    What a student wrote stands in it, as Moodle's worksheet has the online texts: line ends, quotes
    and 200,000 characters in a field are one field. Raises BadRoster.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadRoster(f"{path} does not exist") from None
    except (UnicodeDecodeError, OSError) as error:
        raise BadRoster(f"{path} cannot be read: {error}; save it as CSV in UTF-8") from None
    try:
        delimiter = csv.Sniffer().sniff(text.split("\n")[0], ",;\t").delimiter
    except csv.Error:
        delimiter = ","
    before = csv.field_size_limit(len(text) + 1)
    try:
        reader = csv.DictReader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
        # Of a line that is too long or too short the known columns count.
        rows = [
            {column: (row[column] or "").strip() for column in reader.fieldnames or ()}
            for row in reader
        ]
        return tuple(reader.fieldnames or ()), rows
    except csv.Error as error:
        raise BadRoster(
            f"{path}, line {reader.reader.line_num}: {error}; export it again, "
            "or save it as CSV anew"
        ) from None
    finally:
        csv.field_size_limit(before)
