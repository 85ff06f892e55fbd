"""Every sheet with nbgrader and with hand-in: the release is what the sources generate, and every way of grading agrees."""

import json
import re
import shutil
from importlib import import_module

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from rlcourse.checks import get_sheet
from rlcourse.grading.hand_in import grade_hand_in, hand_in, read_hand_in
from tests.grading.course import NUMBERS, ROOT, SECRET, Course, make_course

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
of_every_sheet = pytest.mark.parametrize("number", NUMBERS)
NOISE = "    import sys, warnings\n    warnings.warn('noisy')\n    print('noisy', file=sys.stderr)\n"
# Of each sheet: a task answered with a warning, two wrong answers, what the check of the first of these says beside its
# message, and what a cell of the sheet prints.
CLASSROOM = {
    "01": ("clip_legal", {"boltzmann": "sign", "draft": "all_again"}, "", ("hasty", "0.474")),
    "02": ("choose", {"nim_update": "sign", "sweep": "gamma"}, "Expected -0.05; got 0.15", ("hasty", "of the picture: 5")),
    "03": (
        "gradients",
        {"double_targets": "sign", "memory": "newest"},
        "Expected [-0.1]; got [0.1]",
        ("hasty", "same weights: True"),
    ),
    "04": ("q_lambda", {"mover_targets": "sign", "trace_history": "only_lam"}, "got [0.2, 0.8, 1. ]", ("hasty", "it says: 3.00 throws")),
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
}


def noisy(source: str) -> str:
    """The same function with a warning at every call, in front of its first statement."""
    head, quotes, rest = source.partition('"""\n')
    return head + quotes + NOISE + rest


def text_of(output) -> str:
    if output.output_type == "stream":
        assert output.name == "stdout", output.text
        return output.text
    return output.get("data", {}).get("text/plain", "")


def run_all(notebook, folder):
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return {cell.id: "".join(text_of(output) for output in cell.outputs) for cell in notebook.cells if cell.cell_type == "code"}


def answers_to(number: str):
    return import_module(f"tests.wrong_answers.sheet{number}")


@pytest.fixture(scope="module", params=NUMBERS)
def course(request, tmp_path_factory):
    return make_course(request.param, tmp_path_factory.mktemp(f"course{request.param}"))


def test_the_committed_release_is_what_the_sources_generate(course):
    made = course.folder / "exercises" / course.number / course.source.name
    assert {path.name for path in made.parent.iterdir()} == {path.name for path in course.release.parent.iterdir()} == {made.name}
    assert made.read_text("utf-8") == course.release.read_text("utf-8"), f"run: nbgrader generate_assignment {course.number} --force"


@of_every_sheet
def test_the_release_holds_no_solution_and_no_hidden_case(number):
    source, release = (path.read_text("utf-8") for path in (Course(number).source, Course(number).release))
    for trace in ("HIDDEN", "SOLUTION", f"sheet{number}.grade", "Rubric", *SECRET[number]):
        assert trace in source, trace
        assert trace not in release, trace


@of_every_sheet
def test_the_notebook_says_which_sheet_and_release_it_is(number):
    sheet = get_sheet(number)
    for path in (Course(number).release, Course(number).source):
        notebook = nbformat.read(path, 4)
        assert notebook.metadata["rlcourse"] == {"sheet": number, "release": sheet.release}
        table = next(cell.source for cell in notebook.cells if cell.id == "table")
        assert f"summary(release={sheet.release})" in table or sheet.release == 1


@of_every_sheet
def test_points_and_minutes_in_the_notebook_are_those_of_the_tasks(number):
    sheet, notebook = get_sheet(number), nbformat.read(Course(number).source, 4)
    graded = [cell for cell in notebook.cells if cell.metadata.nbgrader.grade]
    points = {cell.id.removeprefix("check-"): cell.metadata.nbgrader.points for cell in graded}
    assert points == {item.name: item.points for item in (*sheet.tasks, *sheet.manual)}
    text = "\n".join(cell.source for cell in notebook.cells)
    for task in sheet.tasks:
        assert f"*{task.points} points, {task.minutes} minutes, {['easy', 'medium', 'hard'][task.difficulty - 1]}*" in text
        assert f"`{task.function}` | {task.points} | {task.minutes} |" in text


@of_every_sheet
def test_run_all_on_a_fresh_sheet_reaches_the_table(number, tmp_path):
    sheet = get_sheet(number)
    outputs = run_all(Course(number).fill({}), tmp_path)
    assert len(re.findall("not started", outputs["table"])) == len(sheet.tasks) + 1
    assert f"0 of {len(sheet.tasks)} checked tasks" in outputs["table"]
    assert all("not started" in outputs[f"check-{task.name}"] for task in sheet.tasks)
    cell, words = CLASSROOM[number][3]
    assert words in outputs[cell]


@of_every_sheet
def test_run_all_tells_right_and_which_mistake_and_hand_in_grades_the_same(number, tmp_path):
    sheet, course, answers = get_sheet(number), Course(number), answers_to(number)
    loud, slips, words, _ = CLASSROOM[number]
    right = course.solutions()
    wrong = {task: dict(answers.WRONG[task])[mistake] for task, mistake in slips.items()}
    notebook = course.fill(right | wrong | {loud: noisy(right[loud])}, "An explanation.")
    outputs = run_all(notebook, tmp_path)
    for task, mistake in slips.items():
        assert sheet.task(task).words(mistake) in outputs["table"]
    assert words in outputs[f"check-{next(iter(slips))}"]
    for text in ("visible cases are right", f"Also graded: {sheet.task(loud).also_graded[:40]}", "costs no points"):
        assert text in outputs[f"check-{loud}"]
    assert f"{len(sheet.tasks) - 2} of {len(sheet.tasks)} checked tasks" in outputs["table"]
    path = tmp_path / course.source.name
    nbformat.write(notebook, path)
    done = hand_in(number, name="Ada", notebook=path)
    assert "nothing is blank, every cell was run" in done.notes
    assert read_hand_in(done.path).intact
    told = {result.task: result.mistake for result in grade_hand_in(done.path, seed=3).results}
    assert told == {task.name: slips.get(task.name, "") for task in sheet.tasks}


@of_every_sheet
def test_the_fresh_sheet_is_all_blank_for_hand_in(number, tmp_path):
    shutil.copy(Course(number).release, tmp_path)
    notes = hand_in(number, name="Ada", notebook=tmp_path / Course(number).release.name).notes
    sheet = get_sheet(number)
    assert "still blank: " + ", ".join(item.name for item in (*sheet.tasks, *sheet.manual)) in notes
    assert not any("missing" in note for note in notes)


def validate(notebook, path):
    from nbgrader.validator import Validator

    nbformat.write(notebook, path)
    return Validator().validate(str(path))


def test_validate_on_a_fresh_and_on_a_right_sheet(tmp_path):
    course = Course("02")
    failed = validate(course.fill({}), tmp_path / "fresh.ipynb")["failed"]
    checks = [cell for cell in failed if cell["source"].startswith("sheet02.check")]
    assert len(checks) == 5 and all("not started" in cell["raw_error"] for cell in checks)
    assert validate(course.fill(course.solutions(), "An explanation."), tmp_path / "right.ipynb") == {}


def autograde(course, student, sources, written=""):
    """item -> (points, whether a person still has to mark it) of a hand-in with these sources."""
    course.collect(student, course.fill(sources, written))
    assert course.api.autograde(course.number, student)["success"]
    return course.scores(student)


def test_autograde_scores(course):
    sheet, right = get_sheet(course.number), course.solutions()
    wrong = {name: pairs[0][1] for name, pairs in answers_to(course.number).WRONG.items()}
    full = {task.name: (float(task.points), False) for task in sheet.tasks}
    none = {task.name: (0.0, False) for task in sheet.tasks}
    for student, sources, auto in (("right", right, full), ("wrong", right | wrong, none)):
        told = autograde(course, student, sources, "An explanation.")
        assert {name: told[name] for name in auto} == auto, student
        assert {told[item.name][1] for item in sheet.manual} == {True}, student


@pytest.mark.parametrize("course", ["02"], indirect=True)
def test_blank_noisy_and_imported_answers_and_the_page_of_feedback(course):
    """A blank sheet waits for nobody; noise costs nothing; the reference and a wrong answer cost their task only."""
    right, tasks = course.solutions(), get_sheet("02").tasks
    assert set(autograde(course, "blank", {}).values()) == {(0.0, False)}
    odd = {
        "sweep": answers_to("02").WRONG["sweep"][0][1],
        "nim_update": "from rlcourse.checks.oracle02 import nim_update",
    }
    told = autograde(course, "odd", right | {task.name: noisy(right[task.name]) for task in tasks} | odd)
    expected = {task.name: (0.0 if task.name in odd else float(task.points), False) for task in tasks}
    assert {name: told[name] for name in expected} == expected
    assert told["experiment"][1] and not told["explanation"][1]
    assert course.api.generate_feedback("02", "odd")["success"]
    page = (course.folder / ".course" / "feedback" / "odd" / "02" / course.source.name.replace("ipynb", "html")).read_text("utf-8")
    assert "a finished state still has a value here" in page and "write it yourself" in page


def test_the_promises_of_every_release_are_kept():
    """solutions/releases.json lists what each release of a sheet promised its students: tasks and points."""
    promised = json.loads((ROOT / "solutions" / "releases.json").read_text("utf-8"))
    assert sorted(promised) == NUMBERS
    for number, releases in promised.items():
        sheet = get_sheet(number)
        assert [int(release) for release in releases] == list(range(1, sheet.release + 1))
        for release, points in releases.items():
            then = sheet.at(int(release))
            assert {item.name: item.points for item in (*then.tasks, *then.manual)} == points, f"sheet {number}.{release}"


def names_of(number: str, cell_id: str) -> dict:
    """The names that this cell of the instructor's notebook defines."""
    source = next(cell.source for cell in nbformat.read(Course(number).source, 4).cells if cell.id == cell_id)
    names: dict = {}
    exec(f"import numpy as np\nfrom rlcourse.checks import sheet{number}\n" + source, names)
    return names


def test_what_the_rubric_of_sheet_02_says_of_the_experiment_holds():
    """Three seeds a setting: epsilon gets everything right; without it, after an optimistic start, only 18 and 19 are wrong."""
    names = names_of("02", "learn-nim")
    tables, share = [], names["share_right"]
    names["share_right"] = lambda q: tables.append(q.copy()) or share(q)
    for seed in range(3):
        assert names["learn_nim"](0.1, 0.0, 600, seed)[-1] == 1.0
        names["learn_nim"](0.0, 1.0, 600, seed)
        wrong = {h for h in range(2, 21) if h % 4 != 1 and tables[-1][h, : min(3, h)].argmax() + 1 != (h - 1) % 4}
        assert wrong <= {18, 19}
        assert names["learn_nim"](0.0, -1.0, 600, seed)[-1] < 1.0


def test_what_the_rubric_of_sheet_03_says_of_the_experiment_holds():
    """Medians of five seeds: about nine copies where they are rare, far more where they are frequent, yet fewer steps."""
    steps_to_learn = names_of("03", "steps-to-learn")["steps_to_learn"]
    middle = {every: sorted(steps_to_learn(every, seed) for seed in range(5))[2] for every in (1, 10, 100)}
    assert 7 <= middle[100] / 100 <= 10
    assert middle[10] / 10 >= 15
    assert middle[1] < middle[10] < middle[100]


def test_what_the_rubric_of_sheet_04_says_of_the_experiment_holds():
    """Medians of ten seeds: without fog a small lambda is best, in the fog a large one, and lambda 1 is bad in both."""
    final_error = names_of("04", "final-error")["final_error"]

    def middle(width, lam, *alphas):
        return min(np.median([final_error(width, lam, alpha, seed) for seed in range(10)]) for alpha in alphas)

    assert middle(1, 0.4, 0.05, 0.1) < 0.8 * middle(1, 0.9, 0.01, 0.02, 0.05)
    assert middle(5, 0.9, 0.005, 0.01) < 0.7 * middle(5, 0.0, 0.05, 0.1, 0.2, 0.4)
    assert min(middle(width, 1.0, 0.005, 0.01) for width in (1, 5)) > 0.2


def test_what_the_rubric_of_sheet_05_says_of_the_experiment_holds():
    """Medians of 20 seeds: two plies lose as much as one ply with 0.57 times the noise, and save less of similar errors."""
    lost = names_of("05", "lost")["lost"]

    def middle(noise, plies, alike=False):
        return np.median([lost(noise, plies, seed, alike) for seed in range(20)])

    assert abs(lost(0.0, 1, 0)) < 1e-9 and abs(lost(0.0, 2, 0)) < 1e-9
    for noise in (0.1, 0.3):
        low, high = np.quantile([lost(noise, 2, seed) for seed in range(20)], [0.25, 0.75])
        assert low < middle(84**0.5 / 16 * noise, 1) < high < 0.7 * middle(noise, 1)
    assert middle(0.3, 2) / middle(0.3, 1) < 0.5 < 0.65 < middle(0.3, 2, True) / middle(0.3, 1, True)


def test_what_the_rubric_of_sheet_06_says_of_the_experiment_holds():
    """Medians of 20 seeds: collapse with little bonus, larger steps need more, and a large bonus costs what is on paper."""
    names = names_of("06", "self-play")
    exploited, self_play, balance = names["exploited"], names["self_play"], names["balance"]

    def middle(entropy, step, **options):
        return np.median([exploited(self_play(entropy, step, seed, **options)) for seed in range(20)])

    assert exploited(np.array([0.6, 0.2, 0.2])) == pytest.approx(0.0)
    assert [exploited(policy) for policy in (*np.eye(3), np.ones(3) / 3)] == pytest.approx([1, 3, 1, 2 / 3])
    assert middle(0.03, 1.0) > 0.8 > 0.5 > middle(0.03, 0.3) > 0.2 > middle(0.1, 0.3)
    assert middle(0, 1.0, games=1024, updates=500) > 0.8
    for step in (0.3, 1.0):
        assert middle(0.01, step) > 0.5
        assert abs(middle(1, step) - exploited(balance(1))) < 0.05


def test_what_the_rubric_of_sheet_07_says_of_the_experiment_holds():
    """20 seeds: the noise is what is on paper, 1 - m + error squared, 1 + 3m for the wrong player; the end decides most."""
    names = names_of("07", "twelve-plies")
    noise, values, seeds = names["gradient_noise"], names["VALUES"], range(20)

    def relative(critic, plies=range(12)):
        return [noise(critic(seed), seed, plies) / noise(np.zeros(300), seed, plies) for seed in seeds]

    m = np.mean([(values[names["thousand_games"](seed)[0]] ** 2).mean() for seed in seeds])
    assert m == pytest.approx(0.341, abs=0.005)
    for error in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        low, high = np.quantile(relative(lambda seed, error=error: names["wrong_by"](error, seed)), [0.25, 0.75])
        assert low < 1 - m + error**2 < high, error
    assert np.median(relative(lambda seed: -values)) == pytest.approx(1 + 3 * m, abs=0.03)
    early, late = (np.median(relative(lambda seed: values, plies)) for plies in (range(4), range(8, 12)))
    assert (early, late) == pytest.approx((0.905, 0.39), abs=0.01)


def test_what_the_rubric_of_sheet_08_says_of_the_experiment_holds():
    """20 seeds: with simulations flat search goes to right or to wrong as its means say, a tree to right, slower for odd c."""
    first_moves = names_of("08", "first-moves")["first_moves"]

    def share(heap, c, simulations, tree=True):
        place = (10, 30, 100, 300, 1000, 3000).index(simulations)
        return np.mean([first_moves(heap, c, seed, tree)[place] == 2 for seed in range(20)])

    assert share(8, 1, 1000, tree=False) == share(8, 1, 1000) == 1
    assert share(14, 1, 3000, tree=False) < 0.1 < share(14, 1, 10, tree=False)
    assert share(14, 1, 100) < 0.5 < 0.8 < share(14, 1, 1000) <= share(14, 1, 3000)
    assert 0.2 < share(14, 0.1, 3000) < 0.8
    assert share(14, 8, 1000) < 0.2 < share(14, 8, 3000) < 0.9
