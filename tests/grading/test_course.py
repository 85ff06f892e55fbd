"""A teacher's own course, by one file: without lessons 04 and 05, with a task that counts more,
from the release to the report; and what the file may not say.
"""

import csv
import json
import os
import re
import shutil
import subprocess
import symtable
import sys
import zipfile
from io import StringIO
from pathlib import Path

import nbformat
import pytest

from rlcourse.checks import answers01, get_sheet
from rlcourse.checks.adapted import adapted_sheet, adapted_text
from rlcourse.checks.course import (
    FILE,
    BadSettings,
    CourseSettings,
    SheetSettings,
    changes_of,
    follow,
    read_settings,
    template,
)
from rlcourse.checks.sheet import Sheet
from tests.grading.course import ROOT, SHEETS, Course

LESSONS = ["00", "01", "02", "03", "08", "06a", "06b"]
PARTS = ("rlcourse", "notebooks", "exercises", "solutions", "docs", "launcher")
SETTINGS = f"""
lessons = {json.dumps(LESSONS)}

[sheet.01]
weight = 3
leave_out = ["draft"]
points.boltzmann = 40

[sheet.04]
points.q_lambda = 1
"""
TRUSTED = ("--without-a-box", "I-trust-every-hand-in")


def folder_of(tmp_path: Path, text: str) -> Path:
    """A small course: two lessons, sheets 01 and 03 by name, and these settings."""
    for name in ("00_play.ipynb", "04_td_lambda.ipynb"):
        (tmp_path / "notebooks").mkdir(exist_ok=True)
        (tmp_path / "notebooks" / name).write_text("{}")
    for number in ("01", "03"):
        (tmp_path / "solutions" / number).mkdir(parents=True)
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lesons = []", "there is no key lesons; did you mean lessons?"),
        ("weight = 2", "there is no key weight; did you mean sheet?|there are"),
        ('lessons = ["00", "4"]', "there is no lesson 4; did you mean 04?"),
        ("lessons = [0]", 'a list of numbers in quotes, such as ["00", "01b"]'),
        ('lessons = ["00", "00"]', "lessons has 00 twice"),
        ('sheets = ["02"]', "there is no sheet 02; did you mean 03?|01?"),
        ("[sheet.13]", "there is no sheet 13; did you mean 03?|01?"),
        ("[sheet.03]\nweigth = 2", "there is no key in [sheet.03] weigth; did you mean weight?"),
        ("[sheet.03]\nweight = -1", "weight of sheet 03 is -1; it is a number from 0"),
        ("[sheet.03]\nweight = nan", "weight of sheet 03 is nan"),
        ("[sheet.03]\nweight = true", "weight of sheet 03 is True"),
        ("[sheet.03]\npoints.memory = -5", "points of memory in sheet 03 are -5"),
        ("[sheet.03]\npoints.memory = 2.5", "a whole number from 0"),
        ('[sheet.03]\nleave_out = "memory"', "leave_out of sheet 03 is a list of names"),
        ("sheet = 3", "sheet is a table, such as [sheet.03]"),
        ("[sheet.03]\npoints = 3", "sheet.03 is a table"),
        ("lessons = [", "cannot be read"),
        ("[sheet.03]\n[sheet.03]", "cannot be read"),
        ("\udcff", "cannot be read"),
    ],
)
def test_what_cannot_be_followed_is_one_sentence_with_the_nearest_name(tmp_path, text, said):
    folder = folder_of(tmp_path, "")
    (folder / FILE).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadSettings) as error:
        read_settings(folder)
    assert str(error.value).startswith(f"{folder / FILE}")
    assert any(part in str(error.value) for part in said.split("|")), error.value
    assert "\n" not in str(error.value).split("cannot be read")[0]


def a_sheet() -> Sheet:
    """A copy of sheet 03 that a test may change."""
    known = get_sheet("03")
    return Sheet("03", known.title, known.tasks, known.manual)


def settings(**table: object) -> CourseSettings:
    return CourseSettings(Path(FILE), ("00",), ("03",), {"03": SheetSettings(**table)})


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"points": {"memmory": 3}}, "no task in sheet 03 memmory; did you mean memory?"),
        ({"leave_out": ("Memory",)}, "no task in sheet 03 Memory; did you mean memory?"),
        ({"points": dict.fromkeys((i.name for i in get_sheet("03").items), 0)}, "no points left"),
        ({"leave_out": tuple(i.name for i in get_sheet("03").items)}, "no points left"),
    ],
)
def test_a_task_that_is_not_there_is_named_with_its_sheet(table, said):
    sheet = a_sheet()
    with pytest.raises(BadSettings, match=re.escape(said)):
        follow(sheet, settings(**table))
    assert sheet.items == get_sheet("03").items, "nothing was changed"


def test_the_sheets_are_those_of_the_lessons_where_the_file_does_not_say(tmp_path):
    folder = folder_of(tmp_path, "")
    (folder / "solutions" / "04").mkdir()
    assert read_settings(folder).sheets == ("01", "03", "04")
    (folder / FILE).write_text('lessons = ["00"]')
    assert read_settings(folder).sheets == ("01", "03"), "04 has a lesson, and it is left out"
    (folder / FILE).write_text('lessons = ["00"]\nsheets = ["04", "01"]')
    assert read_settings(folder).sheets == ("04", "01")
    (folder / "notebooks" / "01b_more.ipynb").write_text("{}")
    (folder / FILE).write_text('lessons = ["04", "01b", "00"]')
    assert read_settings(folder).sheets == ("04", "01", "03"), "in the order of their lessons"
    (folder / FILE).unlink()
    assert read_settings(folder) is None


def test_the_file_of_defaults_changes_nothing_and_each_of_its_comments_is_right(tmp_path):
    folder = folder_of(tmp_path, "")
    sheets = [get_sheet("01"), get_sheet("03")]
    text = template(folder, sheets)
    (folder / FILE).write_text(text, encoding="utf-8")
    for number, table in read_settings(folder).sheet.items():
        assert table == SheetSettings(), number
    # Every default with its "#" taken away says the same.
    lines = [re.sub(r"^# (?=\w+(\.\w+)? = )", "", line) for line in text.split("\n")]
    (folder / FILE).write_text("\n".join(lines), encoding="utf-8")
    read = read_settings(folder)
    assert (read.lessons, read.sheets) == (("00", "04"), ("01", "03"))
    sheet = a_sheet()
    follow(sheet, read)
    assert read.sheet["03"].points and sheet.items == get_sheet("03").items
    assert changes_of(sheet) == ""


@pytest.mark.parametrize("number", SHEETS)
def test_a_sheet_without_one_of_its_tasks_is_whole(number):
    """Nothing that stays uses a name that the cut took away, and the sums are right."""
    known = get_sheet(number)
    for item in known.items:
        sheet = Sheet(number, known.title, known.tasks, known.manual)
        other = next(one for one in sheet.items if one.name != item.name)
        table = SheetSettings(leave_out=(item.name,), points={other.name: other.points + 7})
        follow(sheet, CourseSettings(Path(FILE), (), (number,), {number: table}))
        before = nbformat.read(Course(number).release, 4)
        after = adapted_sheet(nbformat.read(Course(number).release, 4), sheet)
        graded = {
            cell.metadata.nbgrader.grade_id.removeprefix("check-"): cell.metadata.nbgrader.points
            for cell in after.cells
            if cell.metadata.nbgrader.grade
        }
        assert graded == {one.name: one.points for one in sheet.items}
        title = after.cells[0].source
        column = re.findall(r"^\| \d+ [^|]*\| ([^|]*) \|", title, re.M)
        shown = sum(int(part) for cell in column for part in cell.split(" + ") if part != "bonus")
        total = sum(one.points for one in sheet.items)
        assert shown == total and f"`{item.name}` is left out; {total} points in all" in title
        had, has = names(before), names(after)
        lacking = (had["bound"] - has["bound"]) & has["used"]
        assert not lacking, (number, item.name, lacking)
        assert adapted_sheet(nbformat.from_dict(after), sheet) == after, "twice is as once"


def names(notebook) -> dict[str, set[str]]:
    """The names that a notebook's cells bind at their top, and all of these that they use."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    top = symtable.symtable(text, "cells", "exec")
    tables = [top]
    for table in tables:
        tables += table.get_children()
    inner = {s.get_name() for table in tables[1:] for s in table.get_symbols() if s.is_global()}
    outer = [symbol for symbol in top.get_symbols() if symbol.is_assigned()]
    used = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
    return {"bound": {symbol.get_name() for symbol in outer}, "used": used | inner}


def test_links_rows_and_the_line_of_lessons_follow_the_course():
    course = CourseSettings(Path(FILE), ("00", "03", "02"), ("02", "03"), {})
    text = (
        "[00&nbsp;A](00_a.ipynb) · 02&nbsp;B (you are here) · [03&nbsp;C](03_c.ipynb) · "
        "[04&nbsp;D](04_d.ipynb)\n"
        "| [02](02_b.ipynb) | after 03 in this course |\n"
        "| [04](04_d.ipynb) | gone |\n"
        "| [03](03_c.ipynb) | stays, with ([04](04_d.ipynb#x)) and [it](https://a.b/04_d.ipynb) |\n"
        "![a picture](figures/map-04.svg) [sheet 04](../exercises/04/04_d.ipynb) "
        "[sheet 02](../exercises/02/02_b.ipynb)"
    )
    assert adapted_text(text, "notebooks/02_b.ipynb", course) == (
        "[00&nbsp;A](00_a.ipynb) · [03&nbsp;C](03_c.ipynb) · 02&nbsp;B (you are here)\n"
        "| [03](03_c.ipynb) | stays, with (04) and [it](https://a.b/04_d.ipynb) |\n"
        "| [02](02_b.ipynb) | after 03 in this course |\n"
        "![a picture](figures/map-04.svg) sheet 04 [sheet 02](../exercises/02/02_b.ipynb)"
    )


@pytest.fixture(scope="module")
def teacher(tmp_path_factory) -> Path:
    """A copy of the course, in which a teacher can write settings."""
    folder = tmp_path_factory.mktemp("teacher") / "course"
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part)
    for path in filter(Path.is_file, ROOT.iterdir()):
        shutil.copy(path, folder)
    return folder


def rlcourse(course: Path, *words: object, code: int = 0) -> str:
    """What a command of this copy of the course says."""
    variables = os.environ | {"PYTHONPATH": str(course), "RLCOURSE_COURSE": ""}
    command = [sys.executable, "-m", "rlcourse", *map(str, words)]
    done = subprocess.run(command, cwd=course, env=variables, capture_output=True, text=True)
    assert done.returncode == code, (words, done.stdout, done.stderr[-3000:])
    return done.stdout + done.stderr


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(path.read_text(encoding="utf-8-sig"))))


def answered(students: Path, *tasks: str) -> None:
    """Right answers to these tasks of sheet 01 in the student's own copy."""
    (path,) = students.glob("my/exercises/01/01_*.ipynb")
    notebook = nbformat.read(path, 4)
    for cell in notebook.cells:
        if cell.id in tasks:
            cell.source = "import numpy as np\n" + answers01.RIGHT[cell.id][0]
    nbformat.write(notebook, path)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_course_without_two_lessons_goes_from_release_to_report(teacher, tmp_path):
    """Release, two hand-ins, grading, a change of weights, grading again, and the site."""
    said = rlcourse(teacher, "new-course")
    assert "every default stands in it" in said and (teacher / FILE).exists()
    defaults = (teacher / FILE).read_text()
    assert "# points.boltzmann = 15" in defaults and '"11"]' in defaults
    assert "there already" in rlcourse(teacher, "new-course", code=1)
    (teacher / FILE).write_text("[sheet.01]\npoints.boltzman = 40\n")
    assert "did you mean boltzmann?" in rlcourse(teacher, "release", code=1)

    (teacher / FILE).write_text(SETTINGS.replace("points.boltzmann = 40", ""))
    rlcourse(teacher, "release", "--out", tmp_path / "course.zip")
    assert "leaves out sheet 04" in rlcourse(teacher, "release", "04", code=1)
    students = tmp_path / "students"
    with zipfile.ZipFile(tmp_path / "course.zip") as packed:
        packed.extractall(students)
    lessons = sorted(path.name.partition("_")[0] for path in students.glob("notebooks/*.ipynb"))
    assert lessons == sorted(LESSONS)
    assert sorted(path.name for path in students.glob("exercises/[0-9]*")) == [
        *("01", "02", "03", "06", "08")
    ]
    for path in [*students.glob("notebooks/*.ipynb"), *students.rglob("*.md")]:
        assert not re.search(r"\]\([^)]*0[45]_t[^)]*\)", path.read_text()), path

    # The student's lab: the copies, the page, and the next lesson in the teacher's order.
    variables = os.environ | {"PYTHONPATH": str(students)}
    code = "from launcher.copies import Copies; from pathlib import Path; "
    code += "Copies(Path.cwd()).bring_missing()"
    subprocess.run([sys.executable, "-c", code], cwd=students, env=variables, check=True)
    rlcourse(students, "progress")
    page = (students / "my" / "where-you-are.md").read_text()
    shown = re.findall(r"^\| \[(\d\d[ab]?) · ", page, re.M)
    assert shown == LESSONS and "04" not in re.findall(r"Sheet (\d\d)", page)

    # Ada hands in both tasks right, Bob one of them, before the weights change.
    for name, tasks in (("Ada", ("boltzmann", "clip_legal")), ("Bob", ("clip_legal",))):
        shutil.rmtree(students / "my" / "exercises")
        subprocess.run([sys.executable, "-c", code], cwd=students, env=variables, check=True)
        answered(students, *tasks)
        rlcourse(students, "hand-in", "01", "--name", name)
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name\na,Ada\nb,Bob\nc,Cy\n")
    places = ("--submissions", students / "my" / "hand-ins", "--roster", roster)
    out = tmp_path / "class"
    grade = ("grade", "01", *places, "--out", out, *TRUSTED)
    rlcourse(teacher, *grade)
    sheet = out / "class" / "01"
    scores = {row["id"]: row for row in table(sheet / "scores.csv")}
    assert "draft" not in scores["a"] and scores["a"]["boltzmann"] == "15"
    assert (scores["a"]["points"], scores["b"]["points"]) == ("30", "15")
    assert not (sheet / "moved.csv").exists()

    # The weights change; the hand-ins are the same.
    (teacher / FILE).write_text(SETTINGS)
    bob = (sheet / "feedback" / "b.html").read_bytes()
    assert "1 students' points would change" in rlcourse(teacher, *grade, "--dry-run")
    rlcourse(teacher, *grade, "--yes")
    scores = {row["id"]: row for row in table(sheet / "scores.csv")}
    assert scores["a"]["points"] == "55" and scores["b"]["points"] == "15"
    (moved,) = table(sheet / "moved.csv")
    assert (moved["id"], moved["task"], moved["before"], moved["after"]) == (
        *("a", "boltzmann", "15", "40"),
    )
    assert moved["note"] == "the task is worth 40 points, before 15"
    page = (sheet / "class.html").read_text()
    assert "Scores that moved" in page and "30 → 55" in page and "course so far" in page
    ada = (sheet / "feedback" / "a.html").read_text()
    assert "40 points (was 15)" in ada and "40 of 40" in ada
    maximum = 40 + 15 + 20 + 18 + 12
    assert f"of {maximum} points" in ada and f"{55 / maximum:.0%}, by the weights" in ada
    assert b"0 of 40" in (sheet / "feedback" / "b.html").read_bytes() != bob
    totals = {row["id"]: row for row in table(out / "class" / "total.csv")}
    assert totals["a"]["sheet 01 (weight 3)"] == f"{100 * 55 / maximum:.1f}"
    assert totals["c"]["total"] == "0.0"

    # The site has the teacher's lessons, in the teacher's order, and no broken link.
    rlcourse(teacher, "site", tmp_path / "site")
    made = {path.name[:2] for path in (tmp_path / "site" / "notebooks").glob("[0-9]*.html")}
    assert not made & {"04", "05", "07", "09", "10", "11"} and {"00", "08"} <= made
    index = (tmp_path / "site" / "index.html").read_text()
    cards = index.partition('<div class="cards">')[2]
    order = list(dict.fromkeys(re.findall(r'href="notebooks/(\d\d[ab]?)_', cards)))
    assert order == LESSONS
    (exercise,) = (tmp_path / "site" / "exercises" / "01").glob("*.html")
    assert "40 points" in exercise.read_text() and "left out" in exercise.read_text()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_variant_has_the_tasks_and_points_of_the_course(teacher, tmp_path):
    """Also where the course leaves out a task that the variant would ask otherwise."""
    (teacher / FILE).write_text(SETTINGS)
    variant = ("01", "--variant", "1")
    said = rlcourse(teacher, "release", *variant, "--out", tmp_path / "21.zip")
    assert "Tasks that differ: boltzmann, clip_legal, box_returns" in said
    with zipfile.ZipFile(tmp_path / "21.zip") as packed:
        packed.extractall(tmp_path)
    (path,) = (tmp_path / "exercises" / "21").glob("*.ipynb")
    assert "`boltzmann` 40 points (was 15), `draft` is left out" in path.read_text()
    handed = tmp_path / "hand-ins" / "ada"
    handed.mkdir(parents=True)
    shutil.copy(path, handed)
    grade = ("grade", *variant, "--submissions", handed.parent, "--out", tmp_path / "out", *TRUSTED)
    rlcourse(teacher, *grade)
    (page,) = (tmp_path / "out").rglob("ada.html")
    maximum = 40 + 15 + 20 + 18 + 12
    assert f"of {maximum} points" in page.read_text() and "draft" in page.read_text()

    (teacher / FILE).write_text('[sheet.01]\nleave_out = ["draft", "box_returns"]\n')
    rlcourse(teacher, "release", *variant, "--out", tmp_path / "21.zip")
    (teacher / FILE).unlink()
    rlcourse(teacher, "release", *variant, "--out", tmp_path / "21.zip")
    with zipfile.ZipFile(tmp_path / "21.zip") as packed:
        assert not [name for name in packed.namelist() if name.endswith(FILE)]
    said = "course.toml leaves out every task of sheet 02 that has a variant"
    (teacher / FILE).write_text('[sheet.02]\nleave_out = ["sweep", "choose"]\n')
    assert said in rlcourse(teacher, "release", "02", "--variant", "1", code=1)
    (teacher / FILE).unlink()
