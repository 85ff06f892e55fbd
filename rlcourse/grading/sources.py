"""Where a sheet's sources lie, and nbgrader's students' version of them, generated apart from the
course's own folders.
"""

import hashlib
import logging
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat

from rlcourse.atomic import write_atomically
from rlcourse.checks import get_sheet, use_course
from rlcourse.checks.adapted import adapted_sheet
from rlcourse.checks.course import (
    CourseSettings,
    read_settings,
    settings_of_sheet,
    sheet_numbers_in,
)
from rlcourse.checks.sheet import Sheet
from rlcourse.grading.launch import PACKAGE
from rlcourse.nbgrader_settings import is_secret, put_programs_on_the_path, settings

NEEDED = ("tasks.py", "hidden.py")  # by every sheet
_HEAD = '"""nbgrader\'s settings for this class: start `jupyter lab` here."""\n\nc = get_config()\n'


class BadCourse(ValueError):
    """The sources of a sheet are not there, or a folder must not hold what it would.

    The message says what to do.
    """


@dataclass(frozen=True)
class Course:
    """A folder with the sheets' folders `solutions/NN`. own: an instructor's, beside the course."""

    folder: Path
    own: bool = False

    def sheet(self, number: str) -> Sheet:
        """The sheet of that number. Raises ValueError."""
        missing = [name for name in NEEDED if not (self.place(number) / name).is_file()]
        if self.place(number).is_dir() and missing:
            older = ""
            if (self.folder / "checks").is_dir():
                files = f"The files of {self.folder / 'checks'} are those of an older course"
                older = f". {files}: CHANGELOG.md says where they go"
            raise BadCourse(
                f"{self.place(number)} has no {' and no '.join(missing)}: a sheet is a folder with "
                "notebook, tasks.py (which students get) and hidden.py (the functions that draw "
                "hidden cases); `rlcourse new-sheet` makes one" + older
            )
        return get_sheet(number)

    def place(self, number: str) -> Path:
        """The folder of a sheet."""
        return self.folder / "solutions" / number

    def files(self, number: str) -> list[Path]:
        """The files of a sheet: notebook, modules, numbers."""
        return sorted(path for path in self.place(number).iterdir() if path.is_file())

    def source(self, number: str) -> Path:
        """The instructor's notebook of a sheet. Raises BadCourse."""
        notebooks = sorted(self.place(number).glob("*.ipynb"))
        if len(notebooks) != 1:
            count = len(notebooks)
            raise BadCourse(f"{self.place(number)} must hold one notebook; it holds {count}")
        return notebooks[0]

    def needs_tensorflow(self, number: str) -> bool:
        """Whether the sheet speaks of TensorFlow, so that its box must hold it."""
        text = self.source(number).read_text(encoding="utf-8")
        return any(word in text for word in ("tensorflow", "rlcourse.tf", "keras"))

    def numbers(self) -> list[str]:
        """The sheets whose sources are here."""
        return sheet_numbers_in(self.folder)

    @cached_property
    def settings(self) -> CourseSettings | None:
        """What the instructor's course.toml says, where there is one. Raises BadSettings."""
        return read_settings(self.folder)

    def used(self) -> list[str]:
        """The numbers of the sheets that the course has, in its order. Raises BadSettings."""
        return list(self.settings.sheets) if self.settings else self.numbers()

    def require(self, number: str) -> None:
        """Raises BadCourse for a sheet that is not there, or that the settings leave out."""
        if number not in self.numbers():
            there = ", ".join(self.numbers()) or "none"
            raise BadCourse(f"{self.folder / 'solutions'} has no sheet {number}; it has {there}")
        if self.settings and number not in self.used():
            raise BadCourse(
                f"{self.settings.path} leaves out sheet {number}; put it into the list `sheets`"
            )


def open_course(folder: Path | None) -> Course:
    """The course itself, or an instructor's own folder of sheets; all of its settings are tried.

    Raises BadCourse, BadSettings.
    """
    root = PACKAGE.parent if folder is None else folder.resolve()
    if not (root / "solutions").is_dir():
        raise BadCourse(
            f"{root} has no folder solutions/; grading needs the sources of the sheets "
            "(rlcourse new-sheet makes some)"
        )
    course = Course(root, own=root != PACKAGE.parent)
    if course.own:
        if clash := sorted({*course.numbers()} & {*Course(PACKAGE.parent).numbers()}):
            raise BadCourse(
                f"{course.place(clash[0])} has the number of a sheet of the course; "
                "give your sheet a number of its own"
            )
        use_course(root)
    for number, table in course.settings.sheet.items() if course.settings else ():
        if table.leave_out or table.points:
            course.sheet(number)
    return course


def outside_repository(folder: Path) -> Path:
    """The folder, when it may hold students' data: not inside a git repository, or ignored by it.

    Raises BadCourse.
    """
    folder = folder.resolve()
    inside = next(
        (parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), None
    )
    if inside is None:
        return folder
    git = shutil.which("git")
    ignored = (
        git
        and subprocess.run(
            [git, "-C", str(inside), "check-ignore", "-q", f"{folder}/"], capture_output=True
        ).returncode
        == 0
    )
    if not ignored:
        raise BadCourse(
            f"{folder} lies in the git repository {inside}, which does not ignore it: students' "
            "names and marks would end up in a commit. "
            "Take --out .course, which is ignored, or a folder outside"
        )
    return folder


def settings_of(course: Course, out: Path) -> dict[str, dict[str, Any]]:
    """nbgrader's settings for a class: gradebook, collected files and feedback lie in `out`."""
    return settings(out, out, source=str(course.folder / "solutions"), release=str(out / "release"))


def nbgrader_api(course: Course, out: Path) -> Any:
    """nbgrader itself, with the settings of this class."""
    put_programs_on_the_path()
    read_schema_here()
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import Config

    logging.getLogger("traitlets").setLevel(logging.ERROR)
    return NbGraderAPI(config=Config(settings_of(course, out)))


def read_schema_here() -> None:
    """Let nbgrader read the version of its tables in this process.

    Its own way is to start `alembic` for each new gradebook, which takes seconds.
    """
    from alembic.script import ScriptDirectory
    from nbgrader import api, dbutil

    api.get_alembic_version = ScriptDirectory(dbutil.ALEMBIC_DIR).get_current_head


def generate(course: Course, number: str, out: Path) -> Path:
    """The students' version of a sheet in `out/release`, and its rows in the gradebook; made again
    when its source changed.

    Raises BadCourse with what nbgrader says, such as that cells cannot change while there are
    hand-ins.
    """
    source = course.source(number)
    made, stamp = out / "release" / number / source.name, out / "release" / f"{number}.made-from"
    state = hashlib.sha256(str(course.folder).encode())
    if course.settings:
        state.update(repr(course.settings.sheet.get(number)).encode())
    for path in course.files(number):
        if not is_secret(path.name):
            state.update(path.name.encode() + path.read_bytes())
    there = all(path.exists() for path in (made, stamp, out / "gradebook.db"))
    if there and stamp.read_text() == state.hexdigest():
        return made
    out.mkdir(parents=True, exist_ok=True, mode=0o700)
    if course.own or out != course.folder / ".course":
        write_settings(course, out)
    result = nbgrader_api(course, out).generate_assignment(number, force=True)
    if not result["success"]:
        lines = str(result.get("log") or result.get("error")).splitlines()
        errors = [line for line in lines if "ERROR" in line or "Error" in line]
        raise BadCourse(f"nbgrader cannot generate sheet {number}: {' '.join(errors[-2:])[:400]}")
    if settings_of_sheet(course.place(number)):
        _follow_settings(course, number, out, made)
    write_atomically(stamp, state.hexdigest().encode(), private=True)
    return made


def _follow_settings(course: Course, number: str, out: Path, made: Path) -> None:
    """Points and tasks of the course in what nbgrader generated.

    The gradebook keeps the rows of tasks that are left out, without points: marks that were given
    come back with the task.
    """
    from nbgrader.api import Gradebook

    sheet = course.sheet(number)
    nbformat.write(adapted_sheet(nbformat.read(made, 4), sheet), made)
    with Gradebook(nbgrader_api(course, out).coursedir.db_url) as gradebook:
        for cell in gradebook.find_notebook(made.stem, number).grade_cells:
            cell.max_score = sheet.points.get(cell.name.removeprefix("check-"), 0)
        gradebook.db.commit()


def write_settings(course: Course, out: Path) -> None:
    """The class's nbgrader_config.py.

    One of an older course gets what it lacks, such as the list of secret files.
    """
    config = out / "nbgrader_config.py"
    text = config.read_text(encoding="utf-8") if config.exists() else _HEAD
    lacking = [
        f"c.{name}.{key} = {value!r}\n"
        for name, values in settings_of(course, out).items()
        for key, value in values.items()
        if f"c.{name}.{key}" not in text
    ]
    if lacking:
        config.write_text(text + "".join(lacking), encoding="utf-8")
