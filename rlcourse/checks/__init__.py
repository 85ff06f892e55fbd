"""The tasks of the exercise sheets.

`from rlcourse.checks import sheet02` is `solutions/02/tasks.py`. A task is written once
(`task.Task`) and used three ways: below the task in the notebook, by nbgrader, and by the grader of
`rlcourse.grading`, which calls the handed-in function in another process.

A sheet is a folder. Students have its copy without secrets, `exercises/02`; where both are,
`solutions/02` counts, so that nothing that a student changes reaches the grader.
"""

import os
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from rlcourse.errors import BadValue

COURSE_VARIABLE = "RLCOURSE_COURSE"  # environment: the folder of an instructor's own sheets
# Name of a sheet's module, before its number -> file in the sheet's folder.
STUDENTS_FILES = {"sheet": "tasks.py", "visible": "visible.py", "reference": "reference.py"}
FILES = STUDENTS_FILES | {
    part: f"{part}.py" for part in ("hidden", "oracle", "answers", "variants")
}
COURSES = [Path(__file__).parents[2]]  # folders with solutions/NN or exercises/NN


class SheetFinder:
    """Python's import of `rlcourse.checks.sheet02` and its like: the files of a sheet's folder."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Where the module of a sheet lies; None for all others."""
        parts = re.fullmatch(r"rlcourse\.checks\.([a-z]+)(\d\d)", name)
        if parts is None or parts[1] not in FILES:
            return None
        folder = sheet_folder(parts[2])
        file = folder and folder / FILES[parts[1]]
        if not file or not file.is_file():
            return None
        loader = SheetLoader(name, str(file)) if parts[1] == "sheet" else None
        return spec_from_file_location(name, file, loader=loader)


class SheetLoader(SourceFileLoader):
    """Loads the tasks of a sheet; a teacher's settings (`checks.course`) are followed at once."""

    def exec_module(self, module: ModuleType) -> None:
        """Raises BadSettings."""
        super().exec_module(module)
        # By its name, since a box has this module and not that one.
        course = import_module("rlcourse.checks.course")
        if settings := course.settings_of_sheet(Path(self.path).parent):
            course.follow(module.SHEET, settings)


# After the finders that hide modules from a hand-in, before the one that could still find a module
# of an older course.
sys.meta_path.insert(sys.meta_path.index(PathFinder), SheetFinder)


def sheet_folder(number: str) -> Path | None:
    """The folder of that sheet's tasks: an instructor's, where there is none the students'."""
    return next(_folders(number), None)


def _folders(number: str) -> Iterator[Path]:
    """The folders with tasks whose names fit `number`, which can be a pattern."""
    for part in ("solutions", "exercises"):
        for course in COURSES:
            for tasks in (course / part).glob(f"{number}/{FILES['sheet']}"):
                yield tasks.parent


def use_course(folder: Path | str) -> None:
    """Find the sheets of an instructor's own folder as well: `FOLDER/solutions/51` and so on.

    The course's own sheets come first. Programs that are started from here (nbgrader's kernels)
    find them too.
    """
    course = Path(folder).resolve()
    os.environ[COURSE_VARIABLE] = str(course)
    if course not in COURSES:
        COURSES.append(course)


def sheet_numbers() -> list[str]:
    """The numbers of all sheets that are here, such as "02", an instructor's own among them."""
    return sorted({folder.name for folder in _folders("[0-9][0-9]")})


def _known_sheets() -> str:
    """What an error says of the sheets that are here."""
    return ", ".join(sheet_numbers()) or (
        f"none, since {COURSES[0]} has no folder exercises/ with sheets: "
        "install the course from its folder, "
        "with `python start.py lab` or `pip install -e .`"
    )


def sheet_number(text: str) -> str:
    """The two digits of a sheet as people write it.

    "1", "01", "sheet 1", "exercises/01" and the path of its notebook are understood. Whether there
    is such a sheet is not asked. Raises ValueError.
    """
    for part in reversed(re.split(r"[/\\]", text.strip().rstrip("/\\"))):
        if match := re.fullmatch(
            r"(?:sheets?|exercises?)?[ _.#-]*0*(\d{1,2})(?:_[^/]*)?(?:\.ipynb)?",
            part.strip(),
            re.IGNORECASE,
        ):
            return f"{int(match[1]):02}"
    raise BadValue(f"{text!r} is not the number of a sheet; there are {_known_sheets()}")


def get_sheet(number: str) -> Any:
    """The `Sheet` of that number, such as "02". Raises ValueError."""
    if not (len(number) == 2 and number.isdigit()):
        raise BadValue(f"a sheet has a number of two digits, such as '02'; got {number!r}")
    try:
        sheet = import_module(f"rlcourse.checks.sheet{number}").SHEET
    except ModuleNotFoundError as error:
        if error.name != f"rlcourse.checks.sheet{number}":
            raise
        raise BadValue(f"there is no sheet {number}; there are {_known_sheets()}") from None
    sheet.add_hidden()
    return sheet


if os.environ.get(COURSE_VARIABLE):
    use_course(os.environ[COURSE_VARIABLE])
