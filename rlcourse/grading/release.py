"""What students get: the course, or an instructor's own sheets, as one zip without solutions,
hidden cases, wrong answers and the grader.

What a check below a task needs (tasks, visible cases, judges, the words of mistakes) lies in files
of its own, which nbgrader copies beside the notebook; those with hidden cases and oracles it leaves
out (`nbgrader_settings.SECRET_FILES`).
"""

import os
import re
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

from rlcourse.atomic import atomic_file
from rlcourse.checks.adapted import adapted_sheet, adapted_text, without_links
from rlcourse.checks.course import FILE, changes_of
from rlcourse.grading.sources import BadCourse, Course, generate
from rlcourse.nbgrader_settings import is_secret

_FOLDERS = ("notebooks", "exercises", "launcher", "rlcourse")
_FILES = (
    "README.md",
    "docs/setup.md",
    "docs/commands.md",
    "docs/speeds.md",
    "LICENSE",
    "start.py",
    "pyproject.toml",
    "requirements.lock",
    "environment.yml",
    "postBuild",
)
_LEFT_OUT = re.compile(
    r"^rlcourse/(grading/|hub/|cli_hub\.py$|nbgrader_settings\.py$)|(^|/)(__pycache__|template|\.[^/]*|[^/]*\.egg-info|[^/]*\.pyc)(/|$)"
)


@dataclass(frozen=True)
class Packed:
    """What was written.

    readable: references that a check needs and that can therefore be read, one line each.
    """

    files: int
    sheets: tuple[str, ...]
    readable: tuple[str, ...]


def make_release(course: Course, numbers: Sequence[str] | None, out: Path) -> Packed:
    """Write the students' zip; equal sources give equal bytes.

    Raises BadCourse for a sheet that is not there.
    """
    for number in numbers or ():
        course.require(number)
    numbers = sorted(numbers) if numbers else course.used()
    if not numbers:
        raise BadCourse(f"{course.folder / 'solutions'} has no sheet at all")
    readable = [
        f"the reference `{name}` of sheet {number}: another task of the sheet builds on it"
        for number in numbers
        for name in course.sheet(number).stand_ins
    ]
    contents = {} if course.own else dict(_course_files(course, numbers))
    for number in numbers if course.own else ():
        with tempfile.TemporaryDirectory() as folder:
            made = generate(course, number, Path(folder)).parent
            for path in filter(Path.is_file, made.rglob("*")):
                name = path.relative_to(made).as_posix()
                contents[f"exercises/{number}/{name}"] = path.read_bytes()
            if course.settings:
                contents[f"exercises/{number}/{FILE}"] = course.settings.path.read_bytes()
    _write(out, contents)
    return Packed(len(contents), tuple(numbers), tuple(readable))


def _course_files(course: Course, numbers: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """(name, content) of what students get, without links to what they do not get."""
    contents = dict(_settled(course, numbers))

    def stays_at_home(name: str) -> bool:
        """A sheet that is not among them may follow in a zip of its own."""
        given = name in contents or name.startswith("exercises/")
        return not given and os.path.isfile(course.folder / name)

    for name, content in contents.items():
        if name.endswith((".ipynb", ".md")):
            content = without_links(content.decode(), name, stays_at_home).encode()
        yield name, content


def _settled(course: Course, numbers: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """(name, content) of the course's own files; a teacher's settings are followed."""
    if not course.settings:
        yield from _files(course.folder, numbers)
        return
    for name, content in _files(course.folder, numbers):
        if not course.settings.has(name):
            continue
        sheet = re.fullmatch(r"exercises/(\d\d)/[^/]*\.ipynb", name)
        if sheet and changes_of(course.sheet(sheet[1])):
            notebook = nbformat.reads(content.decode(), 4)
            content = nbformat.writes(adapted_sheet(notebook, course.sheet(sheet[1]))).encode()
        if name.endswith((".ipynb", ".md")):
            content = adapted_text(content.decode(), name, course.settings).encode()
        yield name, content
    yield FILE, course.settings.path.read_bytes()


def _files(root: Path, numbers: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    for folder in _FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            sheet = re.match(r"exercises/(\d\d)/", name)
            if (
                path.is_file()
                and not path.is_symlink()
                and not _LEFT_OUT.search(name)
                and not (sheet and (sheet[1] not in numbers or is_secret(path.name)))
            ):
                yield name, path.read_bytes()
    for name in _FILES:
        if (root / name).is_file():
            yield name, (root / name).read_bytes()


def _write(out: Path, contents: dict[str, bytes]) -> None:
    try:
        with atomic_file(out) as whole, zipfile.ZipFile(whole, "w") as archive:
            for name in sorted(contents):
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                entry.external_attr = (0o755 if name == "postBuild" else 0o644) << 16
                archive.writestr(entry, contents[name], zipfile.ZIP_DEFLATED)
    except OSError as error:
        raise BadCourse(f"{out} could not be written ({error.strerror})") from None
