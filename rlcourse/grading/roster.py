"""Whose a hand-in is: found by what is certain, and listed for a person where it is not.

Names are compared, never guessed: two students of one name are both doubtful.
"""

import difflib
import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property, partial

from rlcourse.untrusted import printable

_MOMENTS = (
    "%A, %d %B %Y, %I:%M %p",
    "%A, %d %B %Y, %H:%M",
    "%d %B %Y, %H:%M",
    "%d/%m/%Y %H:%M",
    "%d.%m.%Y %H:%M",
)
_DAYS = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y")


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

    def is_called(self, label: str) -> bool:
        """Whether the label is the student's id, e-mail address or name, in either order."""
        return bool({("id", fold(label)), ("name", fold(label))}.intersection(_spellings(self)))

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

    @cached_property
    def find(self) -> Callable[[Owner], tuple[Student | None, str]]:
        """Of an owner: (the student, "") or (None, why nobody, or nobody for certain)."""
        # Each owner once: to suggest a name is slow, and one hand-in can hold thousands of files.
        return cache(self._find)

    def _find(self, owner: Owner) -> tuple[Student | None, str]:
        numbered = self._known("number", owner.number) if owner.system == self.kind else []
        named = self.named(owner)
        listed = ", ".join(map(str, named))
        if len(numbered) == 1:
            if not named or numbered[0] in named:
                return numbered[0], ""
            number = f"the number {owner.number} is that of {numbered[0]}"
            reason = f"{number}, the name that of {listed}"
        elif len(named) > 1:
            reason = f"{listed} all have this name; rename the folder to the id"
        elif not named:
            return None, "not in the roster" + self._suggestion(fold(owner.label))
        elif owner.number and named[0].number and self.kind == owner.system:
            reason = f"the name is that of {named[0]}, the number {owner.number} is not"
        else:
            return named[0], ""
        return None, f"doubtful: {reason}"

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
        inside = dict.fromkeys(
            names[part] for part in re.split(r"[\s_()-]+", label) if part in names
        )
        if len(inside) == 1:
            return f"; is it {next(iter(inside))}? then rename it to the id"
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


def without_roster(owners: Sequence[Owner]) -> Roster:
    """A roster of those who handed in, where none is given: each label is a student of its own.

    owners: those of whom it is known best first. A label that is like an earlier one in all but
    case is no student of its own.
    """
    students: dict[str, Student] = {}
    for owner in owners:
        label = f"{owner.label}-{owner.number}" if owner.number else owner.label
        student = Student(safe_id(label), owner.label, number=owner.number)
        students.setdefault(fold(student.id), student)
    kind = next(filter(None, (owner.system for owner in owners)), "")
    return Roster(tuple(students.values()), kind=kind)


def read_moment(text: str) -> datetime | None:
    """A time as ISO or as Moodle writes it, in this machine's zone where it names none; None for
    what is no time of a course.
    """
    return in_zone(partial(datetime.fromisoformat, text)) or _in_a_form(text, _MOMENTS)


def read_deadline(text: str) -> datetime | None:
    """A time until which something may be handed in, as `read_moment`; a day alone is meant to its
    end.
    """
    day = _in_a_form(text, _DAYS)
    return read_moment(text) if day is None else day.replace(hour=23, minute=59, second=59)


def _in_a_form(text: str, forms: Sequence[str]) -> datetime | None:
    moments = (in_zone(partial(datetime.strptime, text, form)) for form in forms)
    return next(filter(None, moments), None)


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
