"""A teacher's own course: which lessons and sheets it has, in which order, and what tasks count.

All of it stands in one file, `course.toml`, beside the folders `notebooks` and `solutions`; without
it the course is as it came. Students get a copy, so that their lab and their sheets follow it too.
"""

import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rlcourse.errors import CourseError

if TYPE_CHECKING:
    from rlcourse.checks.sheet import Sheet

FILE = "course.toml"
_KEYS = ("lessons", "sheets", "sheet")
_SHEET_KEYS = ("weight", "leave_out", "points")
_NUMBER = re.compile(r"\d\d[a-z]?(?=_)")  # of a lesson, at the beginning of its file's name

T = TypeVar("T")


class BadSettings(CourseError, ValueError):
    """The settings cannot be followed. The message says where, and names what comes nearest."""


@dataclass(frozen=True)
class SheetSettings:
    """One sheet. weight: of its share of points in the total of the course, 0 or more.

    leave_out: tasks that are not in the course. points: item -> what it is worth here.
    """

    weight: float = 1.0
    leave_out: tuple[str, ...] = ()
    points: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class CourseSettings:
    """What the file says. lessons, sheets: numbers in their order. sheet: number -> its table."""

    path: Path
    lessons: tuple[str, ...]
    sheets: tuple[str, ...]
    sheet: Mapping[str, SheetSettings]

    def weight(self, number: str) -> float:
        """How much a sheet counts in the total of the course."""
        return self.sheet.get(number, SheetSettings()).weight

    def has(self, name: str) -> bool:
        """Whether a file of the course, such as "notebooks/04_td_lambda.ipynb", belongs to it."""
        number, order = self._listed(name)
        return not number or number in order

    def position(self, name: str) -> int:
        """Where a file stands among the lessons or the sheets; -1 for any other file."""
        number, order = self._listed(name)
        return order.index(number) if number in order else -1

    def _listed(self, name: str) -> tuple[str, tuple[str, ...]]:
        """The number of a file's lesson or sheet, "" where it is of none, and the course's list."""
        folder, _, rest = name.partition("/")
        number = _NUMBER.match(rest)
        if folder == "notebooks" and number and rest.endswith(".ipynb"):
            return number[0], self.lessons
        return (rest[:2] if folder == "exercises" and rest[:2].isdigit() else ""), self.sheets


def read_settings(folder: Path) -> CourseSettings | None:
    """The settings of a course's folder, or None where it has no such file.

    Tasks are looked at when their sheet is loaded (`follow`). Raises BadSettings.
    """
    path = folder / FILE
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BadSettings(f"{path} cannot be read: {error}") from None
    _known(path, document, _KEYS, "key")
    lessons, sheets = lesson_numbers(folder), sheet_numbers_in(folder)
    tables = _table(path, document.get("sheet", {}), "sheet")
    if not (folder / "solutions").is_dir():
        # A student's folder has what was released, perhaps only some of it.
        lessons = sorted({*lessons, *map(str, document.get("lessons", ()))})
        sheets = sorted({*sheets, *tables, *map(str, document.get("sheets", ()))})
    used = _numbers(path, document, "lessons", lessons)
    without_lesson = {one[:2] for one in lessons} - {one[:2] for one in used}
    order = [one[:2] for one in used] + sheets  # a sheet without a lesson comes after the others
    of_lessons = [number for number in sheets if number not in without_lesson]
    if "lessons" in document:
        of_lessons.sort(key=order.index)
    _known(path, tables, sheets, "sheet")
    return CourseSettings(
        path,
        used,
        _numbers(path, document, "sheets", sheets, of_lessons),
        {number: _sheet_settings(path, number, table) for number, table in tables.items()},
    )


def settings_of_sheet(folder: Path) -> CourseSettings | None:
    """The settings that hold for a sheet in this folder, such as solutions/02. Raises BadSettings.

    A sheet of an instructor's own brings a copy in its own folder to the students.
    """
    return (read_settings(folder) if (folder / FILE).exists() else None) or read_settings(
        folder.parents[1]
    )


def follow(sheet: "Sheet", settings: CourseSettings) -> None:
    """Give a sheet the tasks and points of the course. Raises BadSettings."""
    table = settings.sheet.get(sheet.number, SheetSettings())
    items = sheet.points
    for names in (table.leave_out, table.points):
        _known(settings.path, names, list(items), f"task in sheet {sheet.number}")
    remaining = {
        name: table.points.get(name, points)
        for name, points in items.items()
        if name not in table.leave_out
    }
    if not any(remaining.values()):
        raise BadSettings(
            f"{settings.path}: sheet {sheet.number} would have no points left; "
            "to do without it take it from the list `sheets`"
        )

    def in_course(all_items: Sequence[Any]) -> tuple[Any, ...]:
        """The items that are in the course, with the points that they have there."""
        return tuple(
            replace(item, points=remaining[item.name])
            for item in all_items
            if item.name in remaining
        )

    sheet.tasks, sheet.manual = in_course(sheet.tasks), in_course(sheet.manual)
    sheet.left_out = tuple(name for name in items if name not in remaining)
    sheet.set_anew = {
        name: (items[name], points)
        for name, points in table.points.items()
        if name in remaining and points != items[name]
    }


def changes_of(sheet: "Sheet") -> str:
    """What a teacher has changed in a sheet, as a sentence; "" for a sheet as it came."""
    parts = [f"`{name}` {new} points (was {old})" for name, (old, new) in sheet.set_anew.items()]
    parts += [f"`{name}` is left out" for name in sheet.left_out]
    total = sum(sheet.points.values())
    return f"Set by your instructor: {', '.join(parts)}; {total} points in all." if parts else ""


def lesson_numbers(folder: Path) -> list[str]:
    """The numbers of the lessons in a course's folder, such as "01b"."""
    names = sorted(path.name for path in (folder / "notebooks").glob("*.ipynb"))
    return [match[0] for match in map(_NUMBER.match, names) if match]


def sheet_numbers_in(folder: Path) -> list[str]:
    """The numbers of the sheets in a course's folder; in a student's, of those handed out."""
    part = "solutions" if (folder / "solutions").is_dir() else "exercises"
    return sorted(path.name for path in (folder / part).glob("[0-9][0-9]") if path.is_dir())


def _numbers(
    path: Path,
    document: Mapping[str, Any],
    key: str,
    known: Sequence[str],
    otherwise: Sequence[str] | None = None,
) -> tuple[str, ...]:
    """The list of that key, all of whose entries are known, each once."""
    numbers = document.get(key, known if otherwise is None else otherwise)
    if not isinstance(numbers, list | tuple) or not all(isinstance(one, str) for one in numbers):
        raise BadSettings(f'{path}: {key} is a list of numbers in quotes, such as ["00", "01b"]')
    _known(path, numbers, known, key.removesuffix("s"))
    if twice := [one for one in numbers if numbers.count(one) > 1]:
        raise BadSettings(f"{path}: {key} has {twice[0]} twice")
    return tuple(numbers)


def _sheet_settings(path: Path, number: str, table: Any) -> SheetSettings:
    place = f"sheet.{number}"
    _known(path, _table(path, table, place), _SHEET_KEYS, f"key in [{place}]")
    weight, points = table.get("weight", 1.0), _table(path, table.get("points", {}), place)
    leave_out = table.get("leave_out", [])
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < 1e6:
        raise BadSettings(f"{path}: weight of sheet {number} is {weight!r}; it is a number from 0")
    for name, value in points.items():
        if type(value) is not int or not 0 <= value < 10_000:
            raise BadSettings(
                f"{path}: points of {name} in sheet {number} are {value!r}; "
                "they are a whole number from 0, which makes a bonus"
            )
    if not isinstance(leave_out, list) or not all(isinstance(one, str) for one in leave_out):
        raise BadSettings(f"{path}: leave_out of sheet {number} is a list of names in quotes")
    return SheetSettings(float(weight), tuple(leave_out), points)


def _table(path: Path, value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise BadSettings(f"{path}: {name} is a table, such as [sheet.03] and lines below it")
    return value


def _known(path: Path, names: Iterable[str], known: Sequence[str], kind: str) -> None:
    """Raises BadSettings for the first name that is not known, with the nearest one that is."""
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.4)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known) or 'none'}"
            raise BadSettings(f"{path}: there is no {kind} {name}; {hint}")


HEAD = """\
# The settings of your course. `rlcourse release`, `grade` and `site`, the class report, the
# students' pages and their lab follow this file. Students get a copy: write nothing secret here.
# Each line that begins with # holds what goes without it. Take the # away and change the value.

# The lessons in their order. A lesson that is not in the list is not in the course.
# lessons = {lessons}

# The sheets in their order; without this line, those of the lessons above.
# sheets = {sheets}

# Of each sheet:
#   weight     how much its share of points counts in the total of the course; 0: not at all
#   leave_out  names of tasks that are not in the course
#   points.X   what task X is worth, a whole number; 0 is a bonus
"""


def template(folder: Path, sheets: Sequence["Sheet"]) -> str:
    """The file with every default in it as a comment."""
    numbers = [sheet.number for sheet in sheets]
    lines = [
        HEAD.format(lessons=json.dumps(lesson_numbers(folder)), sheets=json.dumps(numbers)).rstrip()
    ]
    for sheet in sheets:
        lines += [
            "",
            f"[sheet.{sheet.number}]  # {sheet.title}",
            "# weight = 1",
            "# leave_out = []",
        ]
        lines += [f"# points.{item.name} = {item.points}" for item in sheet.items]
    return "\n".join([*lines, ""])
