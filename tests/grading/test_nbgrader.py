"""Sheet 02 with nbgrader: the release is what the sources generate, and scores, Validate and feedback are right."""

import re

import nbformat
import pytest
from nbclient import NotebookClient

from rlcourse.checks import get_sheet
from tests.grading.course import NOTEBOOK, ROOT, fill, hand_in, make_course, solutions
from tests.wrong_answers import sheet02 as answers


pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
NOISE = "    import sys, warnings\n    warnings.warn('noisy')\n    print('noisy', file=sys.stderr)\n"


def noisy(source: str) -> str:
    """The same function with a warning at every call, in front of its first statement."""
    head, quotes, rest = source.partition('"""\n')
    return head + quotes + NOISE + rest


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    return folder, make_course(folder)


def test_the_committed_release_is_what_the_sources_generate(course):
    folder, _ = course
    committed, made = ROOT / "exercises" / "02", folder / "exercises" / "02"
    assert {path.name for path in committed.iterdir()} == {path.name for path in made.iterdir()}
    for path in made.iterdir():
        assert path.read_text("utf-8") == (committed / path.name).read_text("utf-8"), f"run: nbgrader generate_assignment 02 --force ({path.name})"


def test_the_release_holds_no_solution_and_no_hidden_case():
    text = (ROOT / "exercises" / "02" / NOTEBOOK).read_text("utf-8")
    for trace in ("HIDDEN", "SOLUTION", "sheet02.grade", "np.linalg.solve(np.eye", "Rubric", "heap 19"):
        assert trace not in text


def test_points_in_the_notebook_are_those_of_the_tasks():
    notebook = nbformat.read(ROOT / "solutions" / "02" / NOTEBOOK, 4)
    points = {cell.id.removeprefix("check-"): cell.metadata.nbgrader.points for cell in notebook.cells if cell.metadata.nbgrader.grade}
    sheet = get_sheet("02")
    assert points == {item.name: item.points for item in (*sheet.tasks, *sheet.manual)}
    text = "\n".join(cell.source for cell in notebook.cells)
    for task in sheet.tasks:
        assert f"*{task.points} points, {task.minutes} minutes, {['easy', 'medium', 'hard'][task.difficulty - 1]}*" in text


def run_all(notebook, folder):
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return {cell.id: "".join(text_of(output) for output in cell.outputs) for cell in notebook.cells if cell.cell_type == "code"}


def text_of(output) -> str:
    if output.output_type == "stream":
        assert output.name == "stdout", output.text
        return output.text
    return output.get("data", {}).get("text/plain", "")


def test_run_all_on_a_fresh_sheet_reaches_the_table(tmp_path):
    outputs = run_all(fill({}), tmp_path)
    assert len(re.findall("not started", outputs["table"])) == 6
    assert "0 of 5 checked tasks" in outputs["table"]
    assert "not started" in outputs["check-sweep"]
    assert "hasty_play on the board of the picture: 5" in outputs["hasty"]


def test_run_all_tells_right_and_which_mistake(tmp_path):
    sources = solutions() | {"nim_update": dict(answers.NIM_WRONG)["sign"], "choose": noisy(solutions()["choose"])}
    outputs = run_all(fill(sources), tmp_path)
    sheet = get_sheet("02")
    assert sheet.task("nim_update").words("sign") in outputs["table"]
    assert "Expected -0.05; got 0.15" in outputs["check-nim_update"]
    assert "visible cases are right" in outputs["check-choose"] and "Also graded: both players" in outputs["check-choose"]
    assert "costs no points" in outputs["check-choose"]
    assert "4 of 5 checked tasks" in outputs["table"]


def validate(notebook, folder):
    from nbgrader.validator import Validator

    nbformat.write(notebook, folder / NOTEBOOK)
    return Validator().validate(str(folder / NOTEBOOK))


def test_validate_on_a_fresh_and_on_a_right_sheet(tmp_path):
    failed = validate(fill({}), tmp_path)["failed"]
    checks = [cell for cell in failed if cell["source"].startswith("sheet02.check")]
    assert len(checks) == 5 and all("not started" in cell["raw_error"] for cell in checks)
    assert validate(fill(solutions(), "An explanation."), tmp_path) == {}


def scores(api, student):
    from nbgrader.api import Gradebook

    with Gradebook(api.coursedir.db_url) as book:
        notebook = book.find_submission_notebook(NOTEBOOK.removesuffix(".ipynb"), "02", student)
        return {grade.name.removeprefix("check-"): (grade.auto_score, grade.needs_manual_grade) for grade in notebook.grades}


def test_autograde_scores_and_feedback(course):
    folder, api = course
    right = solutions()
    wrong = {name: sources[0][1] for name, sources in answers.WRONG.items()}
    full = {task.name: (float(task.points), False) for task in get_sheet("02").tasks}
    none = {task.name: (0.0, False) for task in get_sheet("02").tasks}
    expected = {
        "right": (fill(right, "An explanation."), full),
        "blank": (fill({}), none),
        "wrong": (fill(right | wrong, "An explanation."), none),
        "noisy": (fill(right | {task.name: noisy(right[task.name]) for task in get_sheet("02").tasks}, "An explanation."), full),
        "reference": (fill(right | {"sweep": "from rlcourse.checks.oracle02 import sweep"}), full | {"sweep": (0.0, False)}),
    }
    for student, (notebook, auto) in expected.items():
        hand_in(folder, student, notebook)
        assert api.autograde("02", student)["success"]
        told = scores(api, student)
        assert {name: told[name] for name in auto} == auto, student
        manual = student != "blank"
        assert told["experiment"][1] is manual and told["explanation"][1] is (manual and student != "reference")
    assert api.generate_feedback("02", "wrong")["success"]
    page = (folder / ".course" / "feedback" / "wrong" / "02" / NOTEBOOK.replace("ipynb", "html")).read_text("utf-8")
    assert "a finished state still has a value here" in page


def test_what_the_rubric_says_of_the_experiment_holds():
    """Three seeds a setting: epsilon gets everything right; without it, after an optimistic start, only 18 and 19 are wrong."""
    notebook = nbformat.read(ROOT / "solutions" / "02" / NOTEBOOK, 4)
    source = next(cell.source for cell in notebook.cells if cell.id == "learn-nim")
    names: dict = {}
    exec("import numpy as np\nfrom rlcourse.checks import sheet02\n" + source, names)
    tables, share = [], names["share_right"]
    names["share_right"] = lambda q: tables.append(q.copy()) or share(q)
    for seed in range(3):
        assert names["learn_nim"](0.1, 0.0, 600, seed)[-1] == 1.0
        names["learn_nim"](0.0, 1.0, 600, seed)
        wrong = {h for h in range(2, 21) if h % 4 != 1 and tables[-1][h, : min(3, h)].argmax() + 1 != (h - 1) % 4}
        assert wrong <= {18, 19}
        assert names["learn_nim"](0.0, -1.0, 600, seed)[-1] < 1.0
