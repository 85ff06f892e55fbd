"""The class list and the list of extensions, as CSV files.

A class list is Moodle's grading worksheet, Canvas's gradebook export, or any table with a column
for the id and one for the name.
"""

import csv
import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from io import StringIO
from pathlib import Path

from rlcourse.grading.roster import Roster, Student, read_deadline, read_moment, safe_id

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


class BadRoster(ValueError):
    """The roster cannot be used. The message names the line and what to do."""


def read_roster(path: Path) -> Roster:
    """The class list.

    Raises BadRoster for a file without an id or a name, and for an id that comes twice.
    """
    header, rows = _table(path)
    columns = {column.strip().lower() for column in header}
    kind = "canvas" if {"student", "id"} <= columns and len(columns) > 2 else ""
    kind = "moodle" if "identifier" in columns else kind
    # Of a platform's file the plain "id" is the platform's number.
    own = (column for column in _IDS if column in columns and not (kind and column == "id"))
    ids = list(own) or ["id"]
    if not columns.intersection(ids) or not columns.intersection(_NAMES + _FIRST):
        raise BadRoster(
            f"{path} needs a column for the id ({', '.join(_IDS[:3])}, ...) and one for the name; "
            f"it has {', '.join(header)}"
        )
    students: list[Student] = []
    lines: dict[str, int] = {}
    for line, row in enumerate(rows, 2):
        student = _student(row, ids, kind)
        if student is None:
            continue
        before = lines.setdefault(student.id.casefold(), line)
        if before != line:
            same = f"lines {before} and {line} have the same id {student.id}"
            raise BadRoster(f"{path}: {same}; ids must differ")
        students.append(student)
    if not students:
        raise BadRoster(f"{path} lists no student")
    return Roster(tuple(students), header, kind)


def _student(row: dict[str, str], ids: list[str], kind: str) -> Student | None:
    """The student of a line; None for a line that is none's, as Canvas has some."""
    cell = _reader(row)
    name = cell(_NAMES) or f"{cell(_FIRST)} {cell(_LAST)}"
    name = " ".join(name.split())  # a line end in it would be one in tables and on the terminal
    number, own = re.sub(r"\D", "", cell(["identifier"])), cell(ids)
    if kind == "canvas":
        number = cell(["id"])
        own = "" if name.lower() in _NO_STUDENTS or not number else own or number
    if not own:
        return None
    handed_in, extension = read_moment(cell(_HANDED_IN)), read_deadline(cell(_EXTENSION))
    if extension is None and cell(_EXTENSION).strip("-"):
        raise BadRoster(
            f"the extension of {own} reads {cell(_EXTENSION)!r}; write a time such as "
            "2026-11-27T23:59"
        )
    return Student(safe_id(own), name, cell(_EMAILS), number, handed_in, extension, row)


def read_extensions(path: Path, roster: Roster | None = None) -> dict[str, datetime]:
    """id -> the moment until which that student may hand in. Columns: an id, and "until".

    Raises BadRoster, also for somebody who is not in the roster: an extension that nobody gets
    would be lost in silence.
    """
    until_of: dict[str, datetime] = {}
    ids = {student.id.casefold(): student.id for student in roster.students} if roster else {}
    for line, row in enumerate(_table(path)[1], 2):
        cell = _reader(row)
        own, until = cell(("student", *_IDS)), read_deadline(cell(["until"]))
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
        student = ids.get(student.casefold(), student)
        if until_of.setdefault(student, until) != until:
            raise BadRoster(f"{path}, line {line}: {student} has another extension further up")
    return until_of


def _reader(row: Mapping[str, str]) -> Callable[[Iterable[str]], str]:
    """Of columns, in lower case: the first text that the row has in one of them, or ""."""
    cells = {column.strip().lower(): text for column, text in row.items()}
    return lambda columns: next(filter(None, map(cells.get, columns)), "")


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
    csv.field_size_limit(2**31 - 1)
    try:
        reader = csv.DictReader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
        header = tuple(reader.fieldnames or ())
        # Of a line that is too long or too short the known columns count.
        return header, [{name: (row[name] or "").strip() for name in header} for row in reader]
    except csv.Error as error:
        raise BadRoster(
            f"{path}, line {reader.reader.line_num}: {error}; export it again, "
            "or save it as CSV anew"
        ) from None
