"""What became of a file: its status, the remarks on its cells, and words that carry
nothing the student must not see.
"""

import json
from dataclasses import replace

import pytest

from rlcourse.checks.task import Outcome
from rlcourse.grading import Patience, Status, grade_file, read_submission
from rlcourse.grading.feedback import sentence_on
from rlcourse.grading.session import readable_error
from tests.grading.test_grade import BOTH_RIGHT as BOTH
from tests.grading.test_grade import RIGHT, SHEET, task


def cell(source, grade_id="", **nbgrader):
    entry = (
        {"nbgrader": {"grade_id": grade_id, "solution": True, "grade": False, **nbgrader}}
        if grade_id
        else {}
    )
    return {"cell_type": "code", "source": source, "metadata": entry}


def notebook(*cells, **mark):
    return json.dumps({"cells": list(cells), "metadata": {"rlcourse": mark} if mark else {}})


def nobody():
    raise AssertionError("nothing of this may run")


@pytest.mark.parametrize(
    ("content", "status", "words"),
    [
        (b"\xff\xfe\x00", Status.NOT_A_NOTEBOOK, "not text"),
        (b"PK\x03\x04\x00", Status.NOT_A_NOTEBOOK, "zero bytes"),
        ("{", Status.NOT_A_NOTEBOOK, "damaged"),
        ('{\n<<<<<<< HEAD\n"a": 1}', Status.NOT_A_NOTEBOOK, "merge conflict"),
        ('{"cells": 7}', Status.NOT_A_NOTEBOOK, "list"),
        ("Dear Sir, my computer broke down.", Status.NOT_A_NOTEBOOK, "neither"),
        ("hello", Status.NOT_A_NOTEBOOK, "neither"),
        (
            "def first(x): return (",
            Status.NOT_A_NOTEBOOK,
            "cannot read the file ('(' was never closed, line 1)",
        ),
        (notebook(cell(BOTH), sheet="02", release=1), Status.WRONG_SHEET, "'02'"),
        (notebook(cell("x = 1")), Status.WRONG_SHEET, "no sheet of the course"),
    ],
)
def test_files_that_are_not_graded_say_why_and_nothing_of_them_runs(content, status, words):
    report = grade_file(SHEET, content, seed=1, launcher=nobody)
    assert report.status is status and not report.status.graded and report.results == ()
    assert words in report.explanation


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        BOTH.encode(),
        notebook(cell(BOTH)),
        notebook(cell(BOTH), sheet="00"),
        # Sheets that were handed out before name a release, which no longer means anything.
        notebook(cell(BOTH), sheet="00", release=1),
        notebook(cell(BOTH), sheet="00", release=[7]),
    ],
    ids=["source", "no mark", "sheet", "release 1", "odd release"],
)
def test_files_that_are_graded(content):
    report = grade_file(SHEET, content, seed=1)
    assert (report.status, report.explanation) == (Status.GRADED, "")
    assert [result.task for result in report.results] == ["first", "second"]
    assert report.points == 20.0


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (
            [cell(RIGHT.format("second"), "second")],
            "there is no function first in the hand-in: its cell was deleted",
        ),
        (
            [cell(RIGHT.format("my_first"), "first"), cell(RIGHT.format("second"), "second")],
            "there is no function first in the hand-in; was it renamed? cell 1 defines my_first",
        ),
        (
            [
                cell("", "first"),
                cell(RIGHT.format("first"), "check-first", solution=False, grade=True),
            ],
            "there is no function first in the hand-in but in the check cell 2, which nbgrader "
            "puts back as it was: write it into",
        ),
        (
            [{**cell(RIGHT.format("first"), "first"), "cell_type": "raw"}],
            "there is no function first in the hand-in but in cell 1, which is a text",
        ),
    ],
)
def test_why_a_function_is_missing(cells, words):
    submission = read_submission(notebook(*cells))
    assert words in submission.why_missing(SHEET.task("first"))
    assert not list(submission.remarks(SHEET.tasks))  # it is said once, with the task


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (
            [cell(BOTH, "first"), cell(BOTH, "second")],
            "second is defined in the cells 1, 2: the last one that is a function counts, and none in "
            "the cell of another task",
        ),
        (
            [cell(BOTH, "first"), cell("", "second"), cell("", "first")],
            "cell of first is there 2 times, as the cells 1, 3",
        ),
    ],
)
def test_remarks_on_cells(cells, words):
    remarks = list(read_submission(notebook(*cells)).remarks(SHEET.tasks))
    assert any(words in remark for remark in remarks), remarks
    whole = notebook(cell(RIGHT.format("first"), "first"), cell(RIGHT.format("second"), "second"))
    assert not list(read_submission(whole).remarks(SHEET.tasks))


@pytest.mark.parametrize(
    ("own", "points"),
    [
        (RIGHT.format("first"), [10, 10]),
        # Not answered in its own cell: what stands in the other one is the answer.
        ("def first(x):\n    raise NotImplementedError()", [0, 10]),
        ("", [0, 10]),
    ],
)
def test_a_helper_in_the_cell_of_another_task_is_no_second_answer(own, points):
    helped = "def first(x):\n    return x.sum() / 2\n\ndef second(x):\n    return 2 * first(x)\n"
    content = notebook(cell(own, "first"), cell(helped, "second"), sheet="00")
    report = grade_file(SHEET, content, seed=5)
    assert [result.points for result in report.results] == points, report


CODE = "x = 1\ndef first(x):\n    v = x[9]\n    return v\n"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("IndexError: index 9 is out of bounds (line 2: v = x[9])", "IndexError"),
        ("LinAlgError: Singular matrix (line 2: v = x[9])", "LinAlgError"),
        ("ValueError: [0.25, 0.5] (line 12345: v = x[9])", "ValueError"),
        ("BadValue: gamma lies in [0, 1]; got 2.0 (line 2: v = x[9])", "BadValue"),
        ("Hidden_0_25: (line 2: v = x[9])", "an error of its own kind"),
        ("isinstance: 0.25", "an error of its own kind"),
        ("0.25 0.5", "an error of its own kind"),
        ("", "an error of its own kind"),
    ],
)
def test_of_an_error_only_its_kind_and_where_the_function_stands_are_shown(said, shown):
    assert (
        readable_error(said, "first", read_submission(CODE)) == f"{shown} in first (cell 1, line 2)"
    )
    assert readable_error(said, "second", read_submission(CODE)) == f"{shown} in second"


def test_the_question_fits_the_reason():
    """A name that is not bound has nothing to do with arguments, and a function whose cell failed
    was not given another name.
    """
    first, second = grade_file(
        SHEET, notebook(cell("def first(x):\n    return np.sum(x)"), cell("second = x")), seed=1
    ).results
    assert "bound further up" in sentence_on(SHEET.task("first"), first)
    told = sentence_on(SHEET.task("second"), second)
    assert "cell 2 raised NameError" in told and "another name" not in told


@pytest.mark.slow
def test_what_the_process_said_is_for_the_instructor():
    source = "def first(x):\n    raise ValueError(str(x))\ndef second(x):\n    return {str(x)}\n"
    report = grade_file(SHEET, source, seed=1)
    first, second = report.results
    assert (
        first.outcome is Outcome.RAISED and first.message == "ValueError in first (cell 1, line 1)"
    )
    assert "ValueError: [" in first.private
    assert second.outcome is Outcome.WRONG and second.mistake == "kind"
    assert "set" not in second.message and "set" in second.private


@pytest.mark.slow
def test_what_one_task_leaves_behind_is_not_counted_against_the_next():
    """The first one's thread writes while the second is asked, which ends the process; in a
    fresh one the answer is right.
    """
    source = """
import os, threading, time
asked = threading.Event()
def shout():
    asked.wait()
    for fd in (3, 4):
        try:
            os.write(fd, b"x" * 100)
        except OSError:
            pass
def first(x):
    threading.Thread(target=shout, daemon=True).start()
    return x.sum()
def second(x):
    asked.set()
    time.sleep(0.3)
    return x.sum()
"""
    report = grade_file(SHEET, source, seed=1)
    assert report.points == 20, report


@pytest.mark.slow
def test_the_whole_time_is_limited():
    source = "import time\ndef first(x):\n    time.sleep(60)\n" + RIGHT.format("second")
    sheet = replace(SHEET, tasks=(task("first"), task("third"), task("second")))
    report = grade_file(
        sheet, source + "def third(x):\n    time.sleep(60)\n", seed=1, patience=Patience(total=4.0)
    )
    assert [result.outcome for result in report.results] == [
        Outcome.UNSETTLED
    ] * 3 and 4 <= report.spent < 8
    assert "the whole hand-in took more than 4 seconds" in report.results[0].message


def saved_by(version, *cells):
    file = json.loads(notebook(*cells, sheet="00", release=2))
    file["metadata"]["language_info"] = {"name": "python", "version": version}
    return json.dumps(file)


SECOND = cell(RIGHT.format("second"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            notebook(
                cell("def first[T](x: T) -> T:\n    return x.sum()"), SECOND, sheet="00", release=2
            ),
            "cannot read cell 1",
        ),
        (
            notebook(
                cell("type X = int\ndef first(x: X):\n    return x.sum()"),
                SECOND,
                sheet="00",
                release=2,
            ),
            "newer Python",
        ),
        (
            notebook(
                cell(
                    "try:\n"
                    "    pass\n"
                    "except KeyError, ValueError:\n"
                    "    pass\n"
                    "def first(x):\n"
                    "    return x.sum()"
                ),
                SECOND,
            ),
            "newer",
        ),
        (
            notebook(
                cell("n = {'a': 1}\nprint(f'{n['a']}')\ndef first(x):\n    return x.sum()"), SECOND
            ),
            "newer Python",
        ),
        (notebook(cell("n = t'{1}'\ndef first(x):\n    return x.sum()"), SECOND), "newer Python"),
        (
            notebook(
                cell("n = {'a': 1}\nm = f'{n['a']}'\ndef own(x):\n    return x.sum()"),
                cell("def first(x):\n    return own(x)"),
                SECOND,
            ),
            "newer",
        ),
        (
            saved_by("3.19.2", cell("def first(x):\n    perhaps return x.sum()"), SECOND),
            "newer Python",
        ),
        (
            notebook(
                cell("def first(x):\n    import pandas_x as pd\n    return pd.Series(x).sum()"),
                SECOND,
            ),
            "the package pandas_x",
        ),
        (
            notebook(cell("import torch_x\ndef first(x):\n    return torch_x.sum(x)"), SECOND),
            "the package torch_x",
        ),
        (
            notebook(
                cell("from torch_x import (\n    nn,\n)\ndef first(x):\n    return nn(x)"), SECOND
            ),
            "the package torch_x",
        ),
        (
            notebook(
                cell("import torch_x\nown = torch_x.sum\ndef first(x):\n    return own(x)"), SECOND
            ),
            "the package torch_x",
        ),
        (
            notebook(
                cell("", "first"),
                cell(
                    "def first(x):\n    return f'{x['a']}'",
                    "check-first",
                    solution=False,
                    grade=True,
                ),
                SECOND,
            ),
            "newer",
        ),
        (notebook(cell("import my_x\nfirst = my_x.first"), SECOND), "the package my_x"),
        (notebook(cell("from my_x import *"), SECOND), "the package my_x"),
        (notebook(cell("%run mine.ipynb"), SECOND), "the file that cell 1 runs"),
        (
            notebook(cell("x = 1\nexec(open('mine.py').read())"), SECOND),
            "the file that cell 1 runs",
        ),
        (
            "get_ipython().run_line_magic('run', 'mine.py')\n" + RIGHT.format("second"),
            "the file that cell 1 runs",
        ),
    ],
    ids=range(17),
)
def test_what_only_this_grader_lacks_is_for_a_person(content, words):
    report = grade_file(SHEET, content, seed=1)
    first, second = report.results
    assert (
        first.outcome is Outcome.UNSETTLED
        and words in first.message
        and "a person gives the points" in first.message
    )
    assert second.outcome is Outcome.RIGHT


FIRST, FIRST_CHECK = RIGHT.format("first"), 'sheet00.check("first", first)'


@pytest.mark.parametrize(
    ("cells", "outcome", "words"),
    [
        (["def second[T](x: T) -> T:\n    return x.sum()"], Outcome.UNSETTLED, "newer Python"),
        (
            ["def own[T](x: T) -> T:\n    return x.sum()", "def second(x):\n    return own(x)"],
            Outcome.UNSETTLED,
            "newer Python",
        ),
        (["<<<<<<< HEAD\n" + RIGHT.format("second")], Outcome.MISSING, "cell 2 raised SyntaxError"),
        (["second = unknown"], Outcome.MISSING, "cell 2 raised NameError"),
    ],
)
def test_why_a_function_is_missing_is_told_below_the_first_check_as_well(cells, outcome, words):
    first, second = grade_file(
        SHEET, notebook(cell(FIRST + FIRST_CHECK), *map(cell, cells)), seed=1
    ).results
    assert first.outcome is Outcome.RIGHT
    assert second.outcome is outcome and words in second.message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "outcome"),
    [
        (
            saved_by("3.9.2", cell("def first(x):\n    perhaps return x.sum()"), SECOND),
            Outcome.MISSING,
        ),
        (
            notebook(cell("import torch_x\ndef first(x):\n    return own(x)"), SECOND),
            Outcome.RAISED,
        ),
        (notebook(cell("import torch_x\ndef first(x):\n    return x[99]"), SECOND), Outcome.RAISED),
        (
            notebook(
                cell("def first(x):\n    raise ModuleNotFoundError(\"No module named 'numpy'\")"),
                SECOND,
            ),
            Outcome.RAISED,
        ),
        (
            notebook(cell("import torch_x\ndef first(x):\n    return x.mean()"), SECOND),
            Outcome.WRONG,
        ),
    ],
    ids=range(5),
)
def test_what_the_student_has_done_wrong_is_not(content, outcome):
    first, second = grade_file(SHEET, content, seed=1).results
    assert first.outcome is outcome and second.outcome is Outcome.RIGHT
