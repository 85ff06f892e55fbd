"""A sheet is a folder: where its modules are found, what never leaves it, and what
a student changes in vain.
"""

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import rlcourse.checks
from rlcourse.checks import get_sheet, sheet_folder
from rlcourse.grading import grade_file
from rlcourse.grading.sources import Course, generate
from tests.grading.course import ROOT
from tests.grading.own_sheet import FORWARD, NUMBER, hand_in, own_course

GIVEN_OUT = {f"{NUMBER}_sheet.ipynb", "tasks.py", "visible.py", "visible.json"}


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_module_of_a_sheet_is_a_file_of_its_folder(monkeypatch, tmp_path):
    """The instructor's before the students', and before a module that an older
    course left in the package.
    """
    (tmp_path / "sheet02.py").write_text("raise RuntimeError('older')")
    monkeypatch.setattr(rlcourse.checks, "__path__", [*rlcourse.checks.__path__, str(tmp_path)])
    for part, file in (("sheet", "tasks.py"), ("hidden", "hidden.py"), ("visible", "visible.py")):
        spec = find_spec(f"rlcourse.checks.{part}02")
        assert spec and spec.origin == str(ROOT / "solutions" / "02" / file)
    assert find_spec("rlcourse.checks.reference01") is None and sheet_folder("77") is None


def test_the_instructors_folder_comes_before_the_students_of_any_course(monkeypatch, tmp_path):
    """As where a sheet's release was unpacked over the course of who grades it."""
    for place in ("course/exercises/51", "own/solutions/51"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "tasks.py").touch()
    courses = [tmp_path / "course", tmp_path / "own"]
    monkeypatch.setattr(rlcourse.checks, "COURSES", courses)
    assert sheet_folder("51") == tmp_path / "own" / "solutions" / "51"
    assert rlcourse.checks.sheet_numbers() == ["51"]


def test_without_the_courses_folder_the_error_says_how_to_install_it(monkeypatch, tmp_path):
    monkeypatch.setattr(rlcourse.checks, "COURSES", [tmp_path])
    with pytest.raises(ValueError, match=r"there are none, since .* has no folder exercises/"):
        get_sheet("77")


def generous(course: Course, folder: Path) -> None:
    """A student's copy of the sheet in which every answer is right and no mistake is known."""
    folder.mkdir(parents=True)
    shutil.copy(course.place(NUMBER) / "visible.py", folder)
    text = (course.place(NUMBER) / "tasks.py").read_text("utf-8")
    assert text.count(" by_key,") == 1
    text += "\n\ndef generous(case, answer):\n    from rlcourse.checks.task import Mark\n    return Mark(1.0)\n"
    (folder / "tasks.py").write_text(text.replace(" by_key,", " lambda *a: generous(*a),"), "utf-8")
    (folder / "visible.json").write_text("{}", "utf-8")


def test_what_a_student_changes_in_the_tasks_changes_no_score(tmp_path):
    with own_course(tmp_path / "own") as course:
        generous(course, course.folder / "exercises" / NUMBER)
        sheet = course.sheet(NUMBER)
        told = grade_file(sheet, hand_in(course, FORWARD), seed=1).results
        assert [(one.points, one.mistake) for one in told] == [(0.0, "forward")]
        assert sheet.slips["shaped_returns"]


@pytest.mark.slow
def test_nbgraders_own_commands_give_no_secret_out(tmp_path):
    """By the settings of the class's folder, also where an older course has written these;
    what changed is made again.
    """
    with own_course(tmp_path / "own") as course:
        for secret in ("README.md", "hidden.py~", ".hidden.py.swp", "#oracle.py#", "answers2.py"):
            (course.place(NUMBER) / secret).write_text("Rubric: 3 points for the why.")
        out, exchange = tmp_path / "class", tmp_path / "exchange"
        exchange.mkdir()
        exchange.chmod(0o777)
        generate(course, NUMBER, out)
        assert names(out / "release" / NUMBER) == GIVEN_OUT
        config = out / "nbgrader_config.py"
        text = config.read_text("utf-8")
        config.write_text(re.sub("c.CourseDirectory.ignore = .*\n", "", text), "utf-8")
        with (course.place(NUMBER) / "tasks.py").open("a") as stream:
            stream.write("# newer\n")
        generate(course, NUMBER, out)
        assert (out / "release" / NUMBER / "tasks.py").read_text("utf-8").endswith("# newer\n")
        assert config.read_text("utf-8").count("CourseDirectory.ignore") == 1
        (out / "release" / NUMBER / "oracle.py").write_text("by mistake")
        for command in (
            ["generate_assignment", NUMBER, "--force"],
            ["release_assignment", NUMBER, f"--Exchange.root={exchange}"],
        ):
            done = subprocess.run(
                [sys.executable, "-m", "nbgrader", *command],
                cwd=out,
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stderr
        assert names(out / "release" / NUMBER) == GIVEN_OUT
        assert names(exchange / "rlcourse" / "outbound" / NUMBER) == GIVEN_OUT
