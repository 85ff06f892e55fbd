"""Sheet 01 with nbgrader and with hand-in: the release is what the sources generate, and every way of grading agrees."""

import json
import re
import shutil

import nbformat
import pytest

from rlcourse.checks import get_sheet
from rlcourse.grading.hand_in import grade_hand_in, hand_in, read_hand_in
from tests.grading.course import ROOT
from tests.grading.test_nbgrader import noisy, run_all
from tests.wrong_answers import sheet01 as answers

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
SHEET = get_sheet("01")
NOTEBOOK = "01_sampling_and_clipping.ipynb"
RELEASE, SOURCE = ROOT / "exercises" / "01" / NOTEBOOK, ROOT / "solutions" / "01" / NOTEBOOK


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A folder of its own with the sources of sheet 01 and nbgrader's settings; the folder and nbgrader's API."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import PyFileConfigLoader

    folder = tmp_path_factory.mktemp("course01")
    shutil.copytree(SOURCE.parent, folder / "solutions" / "01")
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    api = NbGraderAPI(config=PyFileConfigLoader("nbgrader_config.py", str(folder)).load_config())
    made = api.generate_assignment("01", force=True)
    assert made["success"], made["log"]
    return folder, api


def solutions() -> dict[str, str]:
    """id -> source of every solution cell, the experiment in a short version."""
    found = {}
    for cell in nbformat.read(SOURCE, 4).cells:
        if cell.metadata.nbgrader.solution and cell.cell_type == "code":
            lines = [line for line in cell.source.split("\n") if "### BEGIN" not in line and "### END" not in line]
            found[cell.id] = "\n".join(lines)
    assert "range(60)" in found["experiment"]
    found["experiment"] = found["experiment"].replace("range(60)", "range(3)").replace("60 * sum", "3 * sum").replace(", 1024]", "]")
    return found


def fill(sources: dict[str, str], written: str = "") -> nbformat.NotebookNode:
    """The committed release with these sources in the solution cells of that id."""
    release = nbformat.read(RELEASE, 4)
    for cell in release.cells:
        cell.source = sources.get(cell.id, written if cell.id == "explanation" and written else cell.source)
    return release


def test_the_committed_release_is_what_the_sources_generate(course):
    folder, _ = course
    made = folder / "exercises" / "01"
    assert {path.name for path in made.iterdir()} == {path.name for path in RELEASE.parent.iterdir()} == {NOTEBOOK}
    assert (made / NOTEBOOK).read_text("utf-8") == RELEASE.read_text("utf-8"), "run: nbgrader generate_assignment 01 --force"


def test_the_release_holds_no_solution_and_no_hidden_case():
    text = RELEASE.read_text("utf-8")
    for trace in ("HIDDEN", "SOLUTION", "sheet01.grade", "replace=False", "Rubric", "55.9%", "194 games"):
        assert trace not in text


def test_the_notebook_says_which_sheet_and_release_it_is():
    for path in (RELEASE, SOURCE):
        notebook = nbformat.read(path, 4)
        assert notebook.metadata["rlcourse"] == {"sheet": "01", "release": SHEET.release}
        assert f"summary(release={SHEET.release})" in next(cell.source for cell in notebook.cells if cell.id == "table")


def test_points_and_minutes_in_the_notebook_are_those_of_the_tasks():
    notebook = nbformat.read(SOURCE, 4)
    graded = [cell for cell in notebook.cells if cell.metadata.nbgrader.grade]
    points = {cell.id.removeprefix("check-"): cell.metadata.nbgrader.points for cell in graded}
    assert points == {item.name: item.points for item in (*SHEET.tasks, *SHEET.manual)}
    text = "\n".join(cell.source for cell in notebook.cells)
    for item in (*SHEET.tasks, *SHEET.manual):
        assert f"*{item.points} points, {item.minutes} minutes, {['easy', 'medium', 'hard'][item.difficulty - 1]}" in text


def test_run_all_on_a_fresh_sheet_reaches_the_table(tmp_path):
    outputs = run_all(fill({}), tmp_path)
    assert len(re.findall("not started", outputs["table"])) == 5
    assert "0 of 4 checked tasks" in outputs["table"]
    assert "0.474" in outputs["hasty"]


def test_run_all_tells_right_and_which_mistake_and_hand_in_grades_the_same(tmp_path):
    slips = {"boltzmann": dict(answers.BOLTZMANN_WRONG)["sign"], "draft": dict(answers.DRAFT_WRONG)["all_again"]}
    notebook = fill(solutions() | slips | {"clip_legal": noisy(solutions()["clip_legal"])}, "An explanation.")
    outputs = run_all(notebook, tmp_path)
    for task, mistake in (("boltzmann", "sign"), ("draft", "all_again")):
        assert SHEET.task(task).words(mistake) in outputs["table"]
    assert "costs no points" in outputs["check-clip_legal"]
    assert "2 of 4 checked tasks" in outputs["table"]
    path = tmp_path / NOTEBOOK
    nbformat.write(notebook, path)
    done = hand_in("01", name="Ada", notebook=path)
    assert "nothing is blank, every cell was run" in done.notes
    assert read_hand_in(done.path).intact
    told = {result.task: result.mistake for result in grade_hand_in(done.path, seed=3).results}
    assert told == {"boltzmann": "sign", "clip_legal": "", "draft": "all_again", "box_returns": ""}


def test_the_fresh_sheet_is_all_blank_for_hand_in(tmp_path):
    shutil.copy(RELEASE, tmp_path)
    notes = hand_in("01", name="Ada", notebook=tmp_path / NOTEBOOK).notes
    assert "still blank: boltzmann, clip_legal, draft, box_returns, experiment, explanation" in notes
    assert not any("missing" in note for note in notes)


def test_autograde_scores(course):
    from nbgrader.api import Gradebook

    folder, api = course
    wrong = {name: pairs[0][1] for name, pairs in answers.WRONG.items()}
    full = {task.name: float(task.points) for task in SHEET.tasks}
    none = dict.fromkeys(full, 0.0)
    for student, sources, expected in (("right", solutions(), full), ("blank", {}, none), ("wrong", solutions() | wrong, none)):
        place = folder / ".course" / "submitted" / student / "01"
        place.mkdir(parents=True)
        nbformat.write(fill(sources, "An explanation."), place / NOTEBOOK)
        assert api.autograde("01", student)["success"]
        with Gradebook(api.coursedir.db_url) as book:
            grades = book.find_submission_notebook(NOTEBOOK.removesuffix(".ipynb"), "01", student).grades
            scores = {grade.name.removeprefix("check-"): grade.auto_score for grade in grades}
        assert {name: scores[name] for name in expected} == expected, student


def test_the_promises_of_every_release_are_kept():
    """solutions/releases.json lists what each release of a sheet promised its students: tasks and points."""
    promised = json.loads((ROOT / "solutions" / "releases.json").read_text("utf-8"))
    for number, releases in promised.items():
        sheet = get_sheet(number)
        assert [int(release) for release in releases] == list(range(1, sheet.release + 1))
        for release, points in releases.items():
            then = sheet.at(int(release))
            assert {item.name: item.points for item in (*then.tasks, *then.manual)} == points, f"sheet {number}.{release}"
