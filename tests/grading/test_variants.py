"""Variants of a sheet: written out whole, judged as the sheet is, and told from each other."""

import zipfile
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from itertools import chain, permutations

import nbformat
import numpy as np
import pytest
from typer.testing import CliRunner

from rlcourse.checks import get_sheet
from rlcourse.checks.task import CONVENTION
from rlcourse.checks.variant import Variant
from rlcourse.cli import app
from rlcourse.grading import Status, grade_file
from rlcourse.grading.release import make_release
from rlcourse.grading.sources import BadCourse, open_course
from rlcourse.grading.variants import open_variant
from tests.grading.course import hidden_cases
from tests.grading.own_sheet import NUMBER, left_as_it_was, own_course
from tests.grading.variants import SEEDS, VARIANTS, accepted, pairs, written_out
from tests.mutants.asking import answer, examined
from tests.wrong_answers.trial import notebook, run, table


@pytest.fixture(params=VARIANTS, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def variant(request, tmp_path):
    number, which = request.param
    with written_out(number, which, tmp_path) as (course, new):
        yield number, which, course, new


@pytest.mark.slow
def test_an_answer_to_the_sheet_or_a_variant_is_wrong_in_each_other_one(variant, tmp_path):
    """The first right answer to each task; the module's command asks about all of them."""
    number, most, _, new = variant
    with ExitStack() as stack:
        for which in range(1, most):
            stack.enter_context(written_out(number, which, tmp_path))
        for here, there, tasks in pairs(number, most):
            assert len(tasks) >= 2
            told = accepted(here, there, tasks, 1)
            assert sum(map(sum, told.values())) <= 0.1 * len(told), (here, there)
    assert all(one == [True] for one in accepted(new, new, tasks, 1).values())
    for task in map(get_sheet(new).task, tasks):
        for case in chain.from_iterable(hidden_cases(new, task.name, seed) for seed in SEEDS):
            assert task.domain(*case.args), task.name


@pytest.mark.slow
def test_right_and_wrong_answers_to_a_variant_are_told_as_those_to_the_sheet(tmp_path):
    """Of one task; `python -m tests.wrong_answers --sheet 22 --course DIR` asks about all."""
    with written_out("02", 1, tmp_path) as (_, new):
        trials = run(new, (4242,), only="sweep")
    assert {trial.expected for trial in trials} >= {"right", "minimum", "from_zero", "changed"}
    assert all(trial.passed for trial in trials), table(trials, 1, 0.0)


@pytest.mark.slow
def test_an_answer_to_the_sheet_is_told_that_its_convention_is_another_one(tmp_path, capsys):
    with written_out("11", 1, tmp_path) as (_, new):
        sheet, source = get_sheet(new), import_module("rlcourse.checks.answers11").RIGHT
        for name in ("expected_sarsa", "average_policies"):
            sheet.check(name, answer(source[name][0], name))
            assert sheet.results[name].mistake == CONVENTION
            assert "another variant of this sheet" in sheet.results[name].message


@pytest.mark.slow
def test_an_answer_to_a_variant_is_told_so_in_the_sheet_and_in_another_variant(tmp_path, capsys):
    """By the visible check, and by hidden cases of seeds at whose first draw it would pass."""
    with ExitStack() as stack:
        new = [stack.enter_context(written_out("09", which, tmp_path))[1] for which in (1, 2)]
        for here, there in permutations(("09", *new), 2):
            sheet, source = get_sheet(there), import_module(f"rlcourse.checks.answers{here}").RIGHT
            task = sheet.task("value_targets")
            function = answer(source[task.name][0], task.function)
            sheet.check(task.name, function)
            hidden = [examined(task, task.hidden_cases(seed), function) for seed in (1, 5)]
            for result in (sheet.results[task.name], *hidden):
                assert "right in another variant of this sheet" in result.message, (here, there)


def test_the_hidden_cases_of_a_sheet_are_its_own_beside_its_variants():
    own, rng = import_module("rlcourse.checks.hidden04").HIDDEN, np.random.default_rng
    drawn = own["q_lambda"].cases(rng([1, *b"q_lambda"]))
    told = get_sheet("04").task("q_lambda").hidden_cases(1)
    assert [case.label() for case in drawn] == [case.label() for case in told]
    assert {f"{CONVENTION}1", f"{CONVENTION}2"} <= set(told[0].secret.answers())
    assert CONVENTION not in told[0].secret.answers()


@pytest.mark.slow
def test_a_convention_is_named_only_where_the_answers_show_it(tmp_path, capsys):
    """Nearly every column is legal from either side, so `legal` cannot tell who counts from the
    left; where one column wins, it shows.
    """
    with written_out("10", 1, tmp_path) as (_, new):
        sheet = get_sheet(new)
        for choose in (lambda state: 6, lambda state: state.legal_moves()[-1]):
            sheet.check("legal", choose)
            assert sheet.results["legal"].mistake == "full"
            assert "count from the right" in sheet.results["legal"].message
        source = import_module("rlcourse.checks.answers10").RIGHT["wins"][0]
        sheet.check("wins", answer(source, "choose"))
        assert sheet.results["wins"].mistake == CONVENTION


@pytest.mark.slow
def test_students_get_the_variant_and_nothing_of_another_one(variant, tmp_path):
    number, which, course, new = variant
    make_release(course, [new], tmp_path / "out.zip")
    with zipfile.ZipFile(tmp_path / "out.zip") as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    (notebook,) = (nbformat.reads(text, 4) for name, text in texts.items() if "ipynb" in name)
    assert {name.rpartition("/")[2] for name in texts if "ipynb" not in name} <= {
        "tasks.py",
        "visible.py",
        "visible.json",
        "reference.py",
    }
    assert notebook.metadata.rlcourse == {
        "release": 1,
        "sheet": new,
        "variant": f"variant {which} of sheet {number}",
    }
    everything = "\n".join([*texts.values(), *(cell.source for cell in notebook.cells)])
    for one in import_module(f"rlcourse.checks.variants{new}").CHOSEN.values():
        for old, new_text in (one.text | one.in_code).items():
            assert old in new_text or old not in everything
    sheet, base = get_sheet(new), get_sheet(number)
    assert sheet.title == f"{base.title}, variant {which}"
    assert [task.points for task in sheet.tasks] == [task.points for task in base.tasks]


@pytest.mark.slow
def test_a_hand_in_for_another_variant_is_told_so_and_has_no_grade(tmp_path):
    with written_out("02", 1, tmp_path) as (course, new):
        theirs = course.source(new).read_bytes()
        ours = open_course(None).source("02").read_bytes()
        report = grade_file(get_sheet("02"), theirs, seed=1)
        assert report.status is Status.WRONG_SHEET and not report.results
        assert "sheet '22' (variant 1 of sheet 02), not sheet 02" in report.explanation
        report = grade_file(get_sheet(new), ours, seed=1)
        assert report.status is Status.WRONG_SHEET
        assert report.explanation == "the notebook says that it is sheet '02', not sheet 22"


@pytest.mark.slow
def test_a_file_without_a_mark_is_of_the_sheet_whose_checks_it_imports(tmp_path):
    with written_out("02", 1, tmp_path) as (_, new):
        rewards, costs = (
            import_module(f"rlcourse.checks.answers{number}").RIGHT["sweep"][0]
            for number in ("02", new)
        )
        theirs = f"from rlcourse.checks import sheet{new}\n{costs}"
        for file in (theirs, notebook([theirs])):
            report = grade_file(get_sheet("02"), file, seed=1)
            assert report.status is Status.WRONG_SHEET
            said = f"the file imports the checks of sheet {new}, not those of sheet 02"
            assert report.explanation == said
            report = grade_file(get_sheet(new), file, seed=1)
            assert report.status is Status.GRADED and not report.explanation
        for number, right, wrong in (("02", rewards, costs), (new, costs, rewards)):
            assert not grade_file(get_sheet(number), right, seed=1).explanation
            report = grade_file(get_sheet(number), wrong, seed=1)
            said = (
                "no variant of the sheet is named in the file, and another one asks sweep otherwise"
            )
            assert report.status is Status.GRADED and report.explanation == said
            assert said in report.notes


def test_a_sheet_without_variants_and_a_number_that_is_none_are_one_sentence(tmp_path):
    with own_course(tmp_path) as own:
        ask = ["release", NUMBER, "--variant", "1", "--course", str(own.folder)]
        result = CliRunner().invoke(app, ask)
    assert f"sheet {NUMBER} has no variants" in str(result.exception)
    result = CliRunner().invoke(app, ["release", "02", "--variant", "9"])
    assert "sheet 02 has variants 1 to 2, and no variant 9" in str(result.exception)
    result = CliRunner().invoke(app, ["release", "98", "--variant", "1"])
    assert "has no sheet 98; it has 01, 02" in str(result.exception)
    result = CliRunner().invoke(app, ["release", "01", "02", "--variant", "1"])
    assert "one sheet" in result.output


def test_the_command_says_which_tasks_are_other_ones(tmp_path):
    with left_as_it_was("24"):
        out = str(tmp_path / "24.zip")
        result = CliRunner().invoke(app, ["release", "04", "--variant", "1", "--out", out])
    first, second = result.output.splitlines()[:2]
    said = "Variant 1 of sheet 04 is sheet 24. Tasks that differ: trace_history, q_lambda"
    assert first == said and second.startswith(out)


def test_a_phrase_that_does_not_stand_in_the_sheet_is_named(monkeypatch, tmp_path):
    variants = import_module("rlcourse.checks.variants02")
    costs: Variant = variants.COSTS
    for place, wrong in (
        ("the notebook", replace(costs, text={"no such phrase": ""})),
        ("tasks.py, visible.py", replace(costs, in_code={"the table": "the other table"})),
    ):
        monkeypatch.setitem(variants.VARIANTS, "sweep", [wrong])
        with pytest.raises(BadCourse, match=f"{place} has . times, and not once: "):
            open_variant(open_course(None), "02", 1, tmp_path)


def test_a_wrapped_answer_changes_what_it_is_given_as_the_answer_does():
    numbered: Variant = import_module("rlcourse.checks.variants01").NUMBERED
    scope: dict = {}
    source = "def draft(tickets, places, n, rng):\n    tickets[:] = 1\n    return tickets.tolist()"
    exec(numbered.wrapped(source, "draft"), scope)
    last = numbered.asked([3, 2, 1], 2, 1, None)[0]
    assert last.tolist() == [3, 5, 6]
    assert scope["draft"](last, 2, 1, None) == [1, 1, 1]
    assert last.tolist() == [1, 2, 3]
