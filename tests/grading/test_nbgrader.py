"""Every sheet with nbgrader and with hand-in: the release is what the sources generate, and
every way of grading agrees.
"""

import re
import shutil
from importlib import import_module
from pathlib import Path

import nbformat
import pytest

from rlcourse.checks import get_sheet
from rlcourse.grading import grade_file
from rlcourse.grading.receipt import read_receipt
from rlcourse.grading.sources import read_schema_here
from rlcourse.hand_in import hand_in
from tests.grading.course import NUMBERS, SECRET, Course, make_course, run_here

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
of_every_sheet = pytest.mark.parametrize("number", NUMBERS)
NOISE = (
    "    import sys, warnings\n    warnings.warn('noisy')\n    print('noisy', file=sys.stderr)\n"
)
# Of each sheet: a task answered with a warning, two wrong answers, what the check of the first of
# these says beside its message, and what a cell of the sheet prints.
CLASSROOM = {
    "01": ("clip_legal", {"boltzmann": "sign", "draft": "all_again"}, "", ("hasty", "0.474")),
    "02": (
        "choose",
        {"nim_update": "sign", "sweep": "gamma"},
        "Expected -0.05; got 0.15",
        ("hasty", "of the picture: 5"),
    ),
    "03": (
        "gradients",
        {"double_targets": "sign", "memory": "newest"},
        "Expected [-0.1]; got [0.1]",
        ("hasty", "same weights: True"),
    ),
    "04": (
        "q_lambda",
        {"mover_targets": "sign", "trace_history": "only_lam"},
        "got [-0.3, -0.2, -1. ]",
        ("hasty", "it says: 3.00 throws"),
    ),
    "05": (
        "two_ply_chances",
        {"match_chances": "view", "gammon_targets": "no_swap"},
        "Expected [0.56]; got [0.44]",
        ("hasty", "dice 2-3: leads to 6; 5"),
    ),
    "06": (
        "league_returns",
        {"torus_areas": "stones", "surrogate_gradient": "both"},
        "Expected [8., 3., 2.]; got [7, 3, 2]",
        ("hasty", "likelier now: [0.0, 0.0]"),
    ),
    "07": (
        "exact_advantages",
        {"points_advantages": "wrong_player", "two_headed_gradient": "through"},
        "got [-0.9,  2.2,  1.3]",
        ("hasty", "while it records: None"),
    ),
    "08": (
        "puct_moves",
        {"box_backup": "stops", "rollout_values": "all_takes"},
        "got ([2, 7, 3, 1], [ 5., -4.,  2., -2.])",
        ("hasty", "to take 3 wins. Visits: [53, 26, 20]"),
    ),
    "09": (
        "token_search",
        {"value_targets": "parity", "search_chances": "inverted"},
        "got [ 0.9, -0.9,  0.7, -0.6,  0.1, -0.1]",
        ("hasty", "After 1,000 simulations pi is 0.88 and 0.12."),
    ),
    "11": (
        "average_policies",
        {"gain_of_calling": "pot_only", "best_within": "myopic"},
        "got [-2., -1.,  1.]",
        ("exploited", "Game 0 after 10 and 100 rounds: [[0.47, 0.22], [0.67, 0.06]]"),
    ),
}


def noisy(source: str) -> str:
    """The same function with a warning at every call, in front of its first statement."""
    head, quotes, rest = source.partition('"""\n')
    return head + quotes + NOISE + rest


def answers_to(number: str):
    return import_module(f"rlcourse.checks.answers{number}")


# The tests of one course run in one worker, which makes the course once.
COURSES = {
    number: pytest.param(number, marks=pytest.mark.xdist_group(f"course {number}"))
    for number in NUMBERS
}


@pytest.fixture(scope="module", params=COURSES.values())
def course(request, tmp_path_factory):
    return make_course(request.param, tmp_path_factory.mktemp(f"course{request.param}"))


def test_the_committed_release_is_what_the_sources_generate(course):
    made, committed = course.folder / "exercises" / course.number, course.release.parent
    names = {path.name for path in made.iterdir()}
    assert names == {path.name for path in committed.iterdir()} - {"__pycache__"}
    needed = {course.source.name, "tasks.py", "visible.py", "visible.json"}
    assert needed <= names <= needed | {"reference.py"}
    for name in names:
        assert (made / name).read_text("utf-8") == (committed / name).read_text("utf-8"), (
            f"{name}: run: nbgrader generate_assignment {course.number} --force"
        )


def test_a_new_gradebook_is_of_the_newest_version_and_starts_no_process(tmp_path, monkeypatch):
    from nbgrader import api, dbutil
    from sqlalchemy import text

    read_schema_here()
    monkeypatch.setattr(api.sp, "check_output", None)
    with api.Gradebook(f"sqlite:///{tmp_path.as_posix()}/gradebook.db") as book:
        version = book.db.execute(text("SELECT version_num FROM alembic_version")).scalar()
    steps = "".join(path.read_text() for path in Path(dbutil.ALEMBIC_DIR).glob("versions/*.py"))
    made, left = (
        set(re.findall(rf"^{name} = ['\"](\w+)", steps, re.MULTILINE))
        for name in ("revision", "down_revision")
    )
    assert {version} == made - left


@of_every_sheet
def test_the_release_holds_no_solution_and_no_hidden_case(number):
    source, release = (
        path.read_text("utf-8") for path in (Course(number).source, Course(number).release)
    )
    for trace in ("HIDDEN", "SOLUTION", f"sheet{number}.grade", *SECRET[number]):
        assert trace in source, trace
        assert trace not in release, trace


@of_every_sheet
def test_the_notebook_says_which_sheet_it_is(number):
    for path in (Course(number).release, Course(number).source):
        notebook = nbformat.read(path, 4)
        assert notebook.metadata["rlcourse"]["sheet"] == number
        table = next(cell.source for cell in notebook.cells if cell.id == "table")
        assert f"sheet{number}.summary(" in table


@of_every_sheet
def test_points_and_minutes_in_the_notebook_are_those_of_the_tasks(number):
    sheet, notebook = get_sheet(number), nbformat.read(Course(number).source, 4)
    graded = [cell for cell in notebook.cells if cell.metadata.nbgrader.grade]
    points = {cell.id.removeprefix("check-"): cell.metadata.nbgrader.points for cell in graded}
    assert points == {item.name: item.points for item in (*sheet.tasks, *sheet.manual)}
    text = "\n".join(cell.source for cell in notebook.cells)
    for task in sheet.tasks:
        assert (
            f"*{task.worth}, {task.minutes} minutes, "
            f"{['easy', 'medium', 'hard'][task.difficulty - 1]}*" in text
        )
        assert f"`{task.function}` | {task.points or 'bonus'} | {task.minutes} |" in text
    together = sum(item.minutes for item in sheet.manual)
    assert number == "01" or f"| {together} | medium |" in text


@of_every_sheet
def test_run_all_on_a_fresh_sheet_reaches_the_table(number, tmp_path, monkeypatch):
    """Here; nbgrader runs sheets in kernels: one of every number below, a fresh one in a browser."""
    sheet = get_sheet(number)
    monkeypatch.chdir(tmp_path)
    sheet.results.clear()
    outputs = run_here(Course(number).fill({}))
    assert len(re.findall(r"(?:\d|bonus)  not started", outputs["table"])) == len(sheet.tasks) + 1
    assert f"0 of {len(sheet.tasks)} checked tasks" in outputs["table"]
    assert all("not started" in outputs[f"check-{task.name}"] for task in sheet.tasks)
    cell, words = CLASSROOM[number][3]
    assert words in outputs[cell]


@of_every_sheet
def test_run_all_tells_right_and_which_mistake_and_hand_in_grades_the_same(
    number, tmp_path, monkeypatch
):
    sheet, course, answers = get_sheet(number), Course(number), answers_to(number)
    monkeypatch.chdir(tmp_path)
    loud, slips, words, _ = CLASSROOM[number]
    right = course.solutions()
    wrong = {task: dict(answers.WRONG[task])[mistake] for task, mistake in slips.items()}
    notebook = course.fill(right | wrong | {loud: noisy(right[loud])}, "An explanation.")
    outputs = run_here(notebook)
    for task, mistake in slips.items():
        assert sheet.task(task).message(mistake) in outputs["table"]
    assert words in outputs[f"check-{next(iter(slips))}"]
    for text in (
        "visible cases are right",
        f"Also graded: {sheet.task(loud).also_graded[:40]}",
        "costs no points",
    ):
        assert text in outputs[f"check-{loud}"]
    assert f"{len(sheet.tasks) - 2} of {len(sheet.tasks)} checked tasks" in outputs["table"]
    path = tmp_path / course.source.name
    nbformat.write(notebook, path)
    done = hand_in(number, name="Ada", notebook=path)
    assert "nothing is blank, every cell was run" in done.notes
    content = done.path.read_bytes()
    assert read_receipt(content).intact
    told = {result.task: result.mistake for result in grade_file(sheet, content, seed=3).results}
    assert told == {task.name: slips.get(task.name, "") for task in sheet.tasks}


@of_every_sheet
def test_the_fresh_sheet_is_all_blank_for_hand_in(number, tmp_path):
    shutil.copy(Course(number).release, tmp_path)
    notes = hand_in(number, name="Ada", notebook=tmp_path / Course(number).release.name).notes
    sheet = get_sheet(number)
    assert "still blank: " + ", ".join(item.name for item in (*sheet.tasks, *sheet.manual)) in notes
    assert not any("missing" in note for note in notes)


def autograde(course, student, sources, written=""):
    """item -> (points, whether a person still has to mark it) of a hand-in with these sources."""
    course.collect(student, course.fill(sources, written))
    assert course.api.autograde(course.number, student)["success"]
    return course.scores(student)


def test_autograde_scores(course):
    """Every other task is answered wrongly."""
    sheet, answers = get_sheet(course.number), answers_to(course.number)
    wrong = {task.name: answers.WRONG[task.name][0][1] for task in sheet.tasks[::2]}
    told = autograde(course, "Ada", course.solutions() | wrong, "An explanation.")
    expected = {
        task.name: (0.0 if task.name in wrong else float(task.points), False)
        for task in sheet.tasks
    }
    assert {name: told[name] for name in expected} == expected
    assert {told[item.name][1] for item in sheet.manual} == {True}


@pytest.mark.parametrize("course", [COURSES["02"]], indirect=True)
def test_blank_noisy_and_imported_answers_and_the_page_of_feedback(course):
    """A blank sheet waits for nobody; noise costs nothing; the reference and a wrong
    answer cost their task only.
    """
    right, tasks = course.solutions(), get_sheet("02").tasks
    assert set(autograde(course, "blank", {}).values()) == {(0.0, False)}
    odd = {
        "sweep": dict(answers_to("02").WRONG["sweep"])["bootstrap"],
        "nim_update": "from rlcourse.checks.reference02 import nim_update",
    }
    told = autograde(
        course, "odd", right | {task.name: noisy(right[task.name]) for task in tasks} | odd
    )
    expected = {
        task.name: (0.0 if task.name in odd else float(task.points), False) for task in tasks
    }
    assert {name: told[name] for name in expected} == expected
    assert told["experiment"][1] and not told["explanation"][1]
    assert course.api.generate_feedback("02", "odd")["success"]
    page = (
        course.folder
        / ".course"
        / "feedback"
        / "odd"
        / "02"
        / course.source.name.replace("ipynb", "html")
    ).read_text("utf-8")
    assert "a finished state still has a value here" in page and "write it yourself" in page
