"""What students get: sheets whose visible checks work, no hidden cases; and
an instructor's own sheet.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import nbformat
import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.task import Outcome
from rlcourse.checks.visible import to_text
from rlcourse.grading.new_sheet import TEMPLATE, make_sheet
from rlcourse.grading.release import make_release
from rlcourse.grading.sources import BadCourse, open_course, outside_repository
from rlcourse.grading.visible import listed_slips
from rlcourse.nbgrader_settings import is_secret
from tests.grading.course import NUMBERS, ROOT, SECRET, SHEETS, Course
from tests.grading.own_sheet import FORWARD, NUMBER, RIGHT, hand_in, own_course
from tests.grading.test_sheet_folder import generous
from tests.wrong_answers.trial import run

TRY = """
import json, sys
from pathlib import Path
from types import ModuleType
import rlcourse.checks
rlcourse.checks.COURSES[:] = [Path(sys.argv[1])]  # the students' folder, and no other
from rlcourse.checks import get_sheet
from rlcourse.checks.task import Outcome
from rlcourse.checks.visible import to_text
number, answers = sys.argv[2], json.loads(sys.stdin.read())
sheet = get_sheet(number)
assert Path(sys.modules[f"rlcourse.checks.sheet{number}"].__file__).parents[2] == Path(sys.argv[1])
told = {}
for task in sheet.tasks:
    for words, source in answers[task.name].items():
        names = {}
        exec(source, names)
        sheet.check(task.name, names[task.function])
        told[f"{task.name} {words}"] = [str(sheet.results[task.name].outcome), sheet.results[task.name].mistake]
    try:
        task.hidden_cases(1)
    except NotImplementedError as error:
        assert "with your instructor" in str(error)
    else:
        raise AssertionError(f"{task.name} still has its hidden cases")
for name in sheet.stand_ins:
    assert callable(sheet.stand_in(name))
print(json.dumps(told))
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_the_students_version_of_a_sheet_checks_as_the_instructors(number, tmp_path):
    """In a process of its own: right answers pass the visible cases, a wrong one is told its
    mistake, no hidden case left.
    """
    answers = import_module(f"rlcourse.checks.answers{number}")
    sheet = get_sheet(number)
    shutil.copytree(ROOT / "exercises" / number, tmp_path / "exercises" / number)
    tried = {
        task.name: {"right": answers.RIGHT[task.name][0], "wrong": answers.WRONG[task.name][0][1]}
        for task in sheet.tasks
    }
    done = subprocess.run(
        [sys.executable, "-c", TRY, str(tmp_path), number],
        input=json.dumps(tried),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout.splitlines()[-1])
    for task in sheet.tasks:
        names: dict = {}
        exec(answers.WRONG[task.name][0][1], names)
        sheet.check(task.name, names[task.function])
        own = sheet.results.pop(task.name)
        assert told[f"{task.name} right"] == [str(Outcome.RIGHT), ""]
        assert told[f"{task.name} wrong"] == [str(own.outcome), own.mistake]


@pytest.mark.parametrize("number", SHEETS)
def test_nothing_that_draws_or_answers_hidden_cases_is_left(number):
    """No function that takes a generator, and of the references only what a
    stand-in needs, which is named.
    """
    files = {path.name: path.read_text("utf-8") for path in Course(number).students_files()}
    sheet = get_sheet(number)
    assert ("reference.py" in files) == bool(sheet.stand_ins)
    functions = {
        node
        for name, text in files.items()
        if name.endswith(".py")
        for node in ast.parse(text).body  # a player's method is given a generator, too
        if isinstance(node, ast.FunctionDef)
    }
    assert not any(argument.arg == "rng" for node in functions for argument in node.args.args)
    names = {node.name for node in functions if "slip" in {a.arg for a in node.args.args}}
    assert {name for name in names if not name.startswith("_")} == set(sheet.stand_ins), (
        "functions that know the answers of mistakes"
    )
    assert not any(
        f"{part}{number} import" in text for part in ("oracle", "hidden") for text in files.values()
    )


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    out = tmp_path_factory.mktemp("release") / "course.zip"
    return out, make_release(open_course(None), ["01", "02"], out)


def test_the_zip_of_the_course_holds_no_secret(packed):
    out, told = packed
    with zipfile.ZipFile(out) as archive:
        names = archive.namelist()
        texts = {
            name: archive.read(name).decode()
            for name in names
            if name.startswith(("exercises/", "rlcourse/checks/"))
        }
    assert (
        "start.py" in names
        and {"notebooks/02_q_tables.ipynb", "notebooks/figures/map-02.svg"} <= set(names)
        and "exercises/02/02_q_tables.ipynb" in names
    )
    assert not [
        name
        for name in names
        if re.match(
            r"solutions|tests|\.|nbgrader_config|exercises/0[3-9]|rlcourse/checks/\w+\d\d|"
            r"rlcourse/(grading|nbgrader)|"
            r".*/template/|exercises/0\d/(hidden|oracle|answers|README)\.",
            name,
        )
    ]
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]
    for number in ("01", "02"):
        for trace in SECRET[number]:
            assert not any(trace in text for name, text in texts.items() if number in name), trace
    assert told.sheets == ("01", "02") and told.readable == (
        "the reference `nim_update` of sheet 02: another task of the sheet builds on it",
    )


FOR_INSTRUCTORS = {
    "grade": ["grade", "1", "--submissions", "."],
    "isolation": ["grade", "--check"],
    "tournament": ["tournament"],
    "release": ["release"],
    "new-sheet": ["new-sheet", "51", "--course", "mine"],
}
STUDENT = """
import ast, contextlib, io, json, sys
from pathlib import Path
# This environment leads to the instructor's course as well.
sys.meta_path[:] = [one for one in sys.meta_path if "Editable" not in getattr(one, "__name__", "")]
import rlcourse
from rlcourse.cli import main
here = Path(sys.argv[1])
assert Path(rlcourse.__file__).parents[1] == here, "the unpacked course and no other"
seen = {}
for name, words in json.loads(sys.argv[2]).items():
    out, sys.argv = io.StringIO(), ["rlcourse", *words]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            main()
        except SystemExit as stop:
            seen[name] = [stop.code or 0, out.getvalue()]
for path in [*here.glob("notebooks/*.ipynb"), *here.glob("exercises/*/*.ipynb")]:
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and "rlcourse" in source and "\\n%" not in "\\n" + source:
            for line in ast.parse(source).body:
                if isinstance(line, ast.Import | ast.ImportFrom):
                    exec(ast.unparse(line))
for game in rlcourse.games.GAME_NAMES:
    assert "<svg" in rlcourse.boards.play(rlcourse.get_game(game)).state._repr_svg_()
assert not [name for name in sys.modules if name.startswith("rlcourse.grading")]
print(json.dumps(seen))
"""


@pytest.mark.slow
def test_an_unpacked_course_hands_in_and_plays_without_the_grader(packed, tmp_path):
    """What is the instructor's is one sentence there; lessons and boards
    find all that they import.
    """
    with zipfile.ZipFile(packed[0]) as archive:
        archive.extractall(tmp_path)
    importing = {
        path.name
        for path in tmp_path.rglob("*.py")
        if re.search(r"(from|import) rlcourse\.grading", path.read_text("utf-8"))
    }
    assert importing == {"cli_class.py", "cli_course.py", "cli_grade.py", "cli_teach.py"}
    updated = subprocess.run(
        [sys.executable, "start.py", "update"], cwd=tmp_path, capture_output=True, text=True
    )
    assert "new       my/exercises/01/01_sampling_and_clipping.ipynb" in updated.stdout
    assert "rlcourse/grading" not in updated.stdout + updated.stderr
    commands = {
        **FOR_INSTRUCTORS,
        "help": ["--help"],
        "help of grade": ["grade", "--help"],
        "hand-in": ["hand-in", "1", "--name", "Ada"],
    }
    done = subprocess.run(
        [sys.executable, "-c", STUDENT, str(tmp_path), json.dumps(commands)],
        # Nothing is compiled here, and compiling is not what is tried.
        env=os.environ | {"PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    seen = json.loads(done.stdout.splitlines()[-1])
    for name in FOR_INSTRUCTORS:
        code, text = seen[name]
        assert code == 1 and text.count("\n") == 1, text
        assert "this command is for instructors" in text and "rlcourse hand-in 1" in text
    assert seen["help"][0] == seen["help of grade"][0] == 0 and "hand-in" in seen["help"][1]
    assert seen["hand-in"][0] == 0 and "Receipt:" in seen["hand-in"][1], seen["hand-in"]
    assert len(list((tmp_path / "my/hand-ins").glob("01_Ada_*.ipynb"))) == 1
    assert not (tmp_path / "mine").exists()


def test_no_link_leads_to_what_stays_at_home(packed, tmp_path):
    out, _ = packed
    with zipfile.ZipFile(out) as archive:
        archive.extractall(tmp_path)
    pages = sorted([*tmp_path.rglob("*.md"), *tmp_path.rglob("*.ipynb")])
    links = {
        (page, target)
        for page in pages
        for target in re.findall(r"\]\(([^()\s#]+)[^()\s]*\)", page.read_text(encoding="utf-8"))
        if (ROOT / page.relative_to(tmp_path).parent / target).is_file()
    }
    assert len(links) > 200
    dead = {target for page, target in links if not (page.parent / target).exists()}
    assert [name for name in dead if not re.search(r"(^|/)\d\d/", name)] == []  # sheets may follow


def test_equal_sources_give_equal_bytes_and_unknown_sheets_are_refused(packed, tmp_path):
    out, _ = packed
    make_release(open_course(None), ["02", "01"], tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == out.read_bytes()
    with pytest.raises(BadCourse, match="no sheet 77; it has 01"):
        make_release(open_course(None), ["77"], tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()


@pytest.mark.slow
def test_an_own_sheet_works_as_it_is(tmp_path):
    """Its wrong answers are told their mistakes, its release holds no solution, and
    nbgrader's own way grades it.
    """
    with own_course(tmp_path / "own", seconds=10.0) as course:
        trials = run(NUMBER, range(5))
        assert (course.place(NUMBER) / "visible.json").read_text("utf-8") == to_text(
            listed_slips(course.sheet(NUMBER))
        ), "its numbers are those of the template's oracle"
        assert len(trials) == 7 and all(trial.passed for trial in trials), [
            (trial.expected, trial.told) for trial in trials
        ]

        make_release(course, None, tmp_path / "own.zip")
        with zipfile.ZipFile(tmp_path / "own.zip") as archive:
            texts = {name: archive.read(name).decode() for name in archive.namelist()}
        assert sorted(texts) == [
            f"exercises/{NUMBER}/{NUMBER}_sheet.ipynb",
            f"exercises/{NUMBER}/tasks.py",
            f"exercises/{NUMBER}/visible.json",
            f"exercises/{NUMBER}/visible.py",
        ]
        assert not any(
            word in text
            for text in texts.values()
            for word in ("HIDDEN", "SOLUTION", "oracle", "following", "Close to 1 the far")
        )


def test_a_sheet_with_its_hidden_cases_among_the_tasks_is_not_given_away(tmp_path):
    """As `rlcourse new-sheet` made them once."""
    with own_course(tmp_path / "own") as course:
        (course.place(NUMBER) / "hidden.py").unlink()
        (course.folder / "checks").mkdir()
        words = r"has no hidden.py: .*which students get.* older course: CHANGELOG.md says"
        with pytest.raises(BadCourse, match=words):
            make_release(course, None, tmp_path / "own.zip")
        assert not (tmp_path / "own.zip").exists()


@pytest.mark.slow
def test_nbgraders_own_way_grades_an_own_sheet(tmp_path):
    from rlcourse.grading.sources import generate, nbgrader_api

    with own_course(tmp_path / "own") as course:
        out = tmp_path / "out"
        notebook = nbformat.read(generate(course, NUMBER, out), 4)
        for cell in notebook.cells:
            cell.source = RIGHT if cell.id == "shaped_returns" else cell.source
        place = out / "submitted" / "ada" / NUMBER
        place.mkdir(parents=True)
        nbformat.write(notebook, place / f"{NUMBER}_sheet.ipynb")
        changed = out / "submitted" / "bob" / NUMBER
        generous(course, changed)
        (changed / f"{NUMBER}_sheet.ipynb").write_bytes(hand_in(course, FORWARD))
        api = nbgrader_api(course, out)
        for student, score in (("ada", 70), ("bob", 0)):
            done = api.autograde(NUMBER, student)
            assert done["success"], done["log"]
            assert api.get_submission(NUMBER, student)["score"] == score
        assert not [path for path in (out / "autograded").rglob("*.*") if is_secret(path.name)]


@pytest.mark.parametrize("number", ["51", "77"])
def test_a_new_sheet_is_the_template_under_its_own_number_and_title(number, tmp_path):
    """The template is a course of one sheet, so it is tried as it stands; a copy
    differs in number and title only.
    """
    made = make_sheet(number, tmp_path, "Ply by ply")
    assert {path.name for path in made} == {
        *("tasks.py", "visible.py", "visible.json", "hidden.py", "oracle.py", "answers.py"),
        f"{number}_sheet.ipynb",
    }
    for path, of_template in zip(made, TEMPLATE.files("51"), strict=True):
        text = path.read_text("utf-8").replace("Ply by ply", "Your title").replace(number, "51")
        assert text == of_template.read_text("utf-8")
    notebook = nbformat.read(tmp_path / "solutions" / number / f"{number}_sheet.ipynb", 4)
    assert notebook.cells[0].source.startswith(f"# Sheet {number}: Ply by ply")
    assert notebook.metadata.rlcourse == {"sheet": number}
    assert f'"{number}",\n    "Ply by ply",' in (made[0].parent / "tasks.py").read_text("utf-8")


def test_a_stop_in_the_middle_leaves_no_half_of_a_new_sheet(tmp_path, monkeypatch):
    written, write_text = [], Path.write_text

    def stopped_at_the_third(path: Path, *text: str, **encoding: str) -> int:
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(path)
        return write_text(path, *text, **encoding)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", stopped_at_the_third)
        with pytest.raises(KeyboardInterrupt):
            make_sheet("51", tmp_path, "Title")
    assert len(written) == 2 and not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(path.is_file() for path in make_sheet("51", tmp_path, "Title"))


def test_numbers_that_are_taken_and_folders_that_are_no_course(tmp_path):
    for number in ("02", "5", "xx", "06"):
        with pytest.raises(BadCourse, match="does not use, such as 51"):
            make_sheet(number, tmp_path, "Title")
    with pytest.raises(BadCourse, match="one line without quotes"):
        make_sheet("51", tmp_path, 'a"b')
    make_sheet("51", tmp_path, "Title")
    with pytest.raises(BadCourse, match="already"):
        make_sheet("51", tmp_path, "Title")
    with pytest.raises(BadCourse, match="no folder solutions"):
        open_course(tmp_path / "none")
    shutil.copytree(tmp_path / "solutions" / "51", tmp_path / "solutions" / "02")
    with pytest.raises(BadCourse, match="02 has the number of a sheet of the course"):
        open_course(tmp_path)


def test_folders_for_students_data(tmp_path):
    assert outside_repository(tmp_path / "class") == (tmp_path / "class").resolve()
    if (ROOT / ".git").exists() and shutil.which("git"):
        assert outside_repository(ROOT / ".course") == ROOT / ".course"
        with pytest.raises(BadCourse, match="does not ignore it"):
            outside_repository(ROOT / "solutions")


def test_every_sheet_is_released_by_the_promises_it_made():
    """The zip is made from the same exercises that a test compares with their sources."""
    assert [path.name for path in sorted(Path(ROOT / "exercises").glob("[0-9][0-9]"))] == SHEETS
