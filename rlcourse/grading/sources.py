"""Where a sheet's sources lie, and nbgrader's students' version of them, generated apart from the course's own folders."""

import hashlib
import logging
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlcourse.atomic import write_atomically
from rlcourse.checks import get_sheet, use_course
from rlcourse.checks.sheet import Sheet
from rlcourse.grading.classroom import PACKAGE
from rlcourse.nbgrader_settings import put_programs_on_the_path, settings


class BadCourse(ValueError):
    """The sources of a sheet are not there, or a folder must not hold what it would. The message says what to do."""


@dataclass(frozen=True)
class Course:
    """A folder with `solutions/NN/*.ipynb`; an instructor's own has `checks/sheetNN.py` beside it. own: such a one."""

    folder: Path
    own: bool = False

    def sheet(self, number: str) -> Sheet:
        """The sheet of that number. Raises ValueError."""
        tasks, hidden = (self.checks / f"{part}{number}.py" for part in ("sheet", "hidden"))
        if tasks.is_file() and not hidden.is_file():
            raise BadCourse(
                f"{hidden} does not exist: the functions that draw hidden cases belong there and no longer into {tasks.name}, "
                "which students get; `rlcourse new-sheet` shows both files"
            )
        return get_sheet(number)

    @property
    def checks(self) -> Path:
        """Where the modules of its sheets lie."""
        return (self.folder if self.own else PACKAGE) / "checks"

    def source(self, number: str) -> Path:
        """The instructor's notebook of a sheet. Raises BadCourse."""
        found = sorted((self.folder / "solutions" / number).glob("*.ipynb"))
        if len(found) != 1:
            raise BadCourse(
                f"{self.folder / 'solutions' / number} must hold one notebook; it holds {len(found)}"
            )
        return found[0]

    def needs_tensorflow(self, number: str) -> bool:
        """Whether the sheet speaks of TensorFlow, so that its box must hold it."""
        text = self.source(number).read_text(encoding="utf-8")
        return any(word in text for word in ("tensorflow", "rlcourse.tf", "keras"))

    def numbers(self) -> list[str]:
        """The sheets whose sources are here."""
        return sorted(
            path.name for path in (self.folder / "solutions").glob("[0-9][0-9]") if path.is_dir()
        )


def open_course(folder: Path | None) -> Course:
    """The course itself, or an instructor's own folder of sheets. Raises BadCourse."""
    root = PACKAGE.parent if folder is None else folder.resolve()
    if not (root / "solutions").is_dir():
        raise BadCourse(
            f"{root} has no folder solutions/; grading needs the sources of the sheets (rlcourse new-sheet makes some)"
        )
    if folder is not None and root != PACKAGE.parent:
        if not (root / "checks").is_dir():
            raise BadCourse(f"{root} has no folder checks/ with the tasks of its sheets")
        clash = {path.name for path in (root / "checks").glob("*.py")} & {
            path.name for path in (PACKAGE / "checks").glob("*.py")
        }
        if clash:
            raise BadCourse(
                f"{root / 'checks'}: {', '.join(sorted(clash))} is a module of the course; give your sheet a number of its own"
            )
        use_course(root)
        return Course(root, own=True)
    return Course(root)


def outside_repository(folder: Path) -> Path:
    """The folder, when it may hold students' data: not inside a git repository, or ignored by it. Raises BadCourse."""
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
            f"{folder} lies in the git repository {inside}, which does not ignore it: students' names and marks would end up "
            "in a commit. Take --out .course, which is ignored, or a folder outside"
        )
    return folder


def settings_of(course: Course, out: Path) -> dict[str, dict[str, Any]]:
    """nbgrader's settings for a class whose gradebook, collected files and feedback lie in `out`."""
    return settings(out, out, source=str(course.folder / "solutions"), release=str(out / "release"))


def nbgrader_api(course: Course, out: Path) -> Any:
    """nbgrader itself, with the settings of this class."""
    put_programs_on_the_path()
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import Config

    logging.getLogger("traitlets").setLevel(logging.ERROR)
    return NbGraderAPI(config=Config(settings_of(course, out)))


def generate(course: Course, number: str, out: Path) -> Path:
    """The students' version of a sheet in `out/release`, and its rows in the gradebook; made again when its source changed.

    Raises BadCourse with what nbgrader says, such as that cells cannot change while there are hand-ins.
    """
    source = course.source(number)
    made, stamp = out / "release" / number / source.name, out / "release" / f"{number}.made-from"
    state = hashlib.sha256(source.read_bytes() + str(course.folder).encode()).hexdigest()
    if (
        made.exists()
        and stamp.exists()
        and stamp.read_text() == state
        and (out / "gradebook.db").exists()
    ):
        return made
    out.mkdir(parents=True, exist_ok=True, mode=0o700)
    config = out / "nbgrader_config.py"
    if (course.own or out != course.folder / ".course") and not config.exists():
        lines = [
            f"c.{name}.{key} = {value!r}"
            for name, values in settings_of(course, out).items()
            for key, value in values.items()
        ]
        config.write_text(
            '"""nbgrader\'s settings for this class: start `jupyter lab` here."""\n\nc = get_config()\n'
            + "\n".join(lines)
            + "\n"
        )
    result = nbgrader_api(course, out).generate_assignment(number, force=True)
    if not result["success"]:
        said = [
            line
            for line in str(result.get("log") or result.get("error")).splitlines()
            if "ERROR" in line or "Error" in line
        ]
        raise BadCourse(f"nbgrader cannot generate sheet {number}: {' '.join(said[-2:])[:400]}")
    write_atomically(stamp, state.encode(), private=True)
    return made
