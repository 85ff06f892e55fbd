"""A bonus task, one with 0 points, is graded and told like any other, and counts nowhere."""

from importlib import import_module

import numpy as np
import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.sheet import NotRight
from rlcourse.checks.task import Outcome, Result
from rlcourse.grading.feedback import feedback_page
from rlcourse.grading.grade import Report
from rlcourse.grading.intake import Attempt
from rlcourse.grading.report import class_page
from rlcourse.grading.roster import Student
from rlcourse.grading.tables import scores_csv
from rlcourse.grading.whole_class import Round, Row
from tests.grading.course import Course

BONUS = "two_estimates"


def function(source):
    names = {"np": np}
    exec(source, names)
    return names[BONUS]


@pytest.fixture
def sheet():
    sheet = get_sheet("02")
    sheet.results.clear()
    yield sheet
    sheet.results.clear()


def test_in_the_notebook_and_under_nbgrader(sheet, capsys):
    right = function(Course("02").solutions()[BONUS])
    mistake, wrong = import_module("rlcourse.checks.answers02").WRONG[BONUS][0]
    assert sheet.task(BONUS).points == 0 and sheet.grade(BONUS, right, seed=1) == 0.0
    with pytest.raises(NotRight, match="two_estimates: wrong"):
        sheet.grade(BONUS, function(wrong), seed=1)
    sheet.check(BONUS, right)
    assert f"{BONUS} (bonus): the visible cases are right." in capsys.readouterr().out
    table = repr(sheet.summary())
    assert "two_estimates    bonus  right" in table and "1 of 5 checked tasks" in table
    assert "(0 of 80 points)" in table
    sheet.check(BONUS, function(wrong))
    assert sheet.results[BONUS].mistake == mistake


def test_on_the_pages_and_in_the_tables_of_a_class(sheet):
    """One student has everything right, another one has all but the bonus."""

    def row(name, outcome):
        results = [
            Result(task.name, Outcome.RIGHT, 1.0, "", "", float(task.points))
            for task in sheet.tasks
        ]
        place = [task.name for task in sheet.tasks].index(BONUS)
        results[place] = Result(BONUS, outcome, float(outcome is Outcome.RIGHT), "", "", 0.0)
        student = Student(name, name)
        report = Report(tuple(results))
        return Row(student, "graded", Attempt(student, "x.ipynb"), report)

    both = row("ada", Outcome.RIGHT), row("alan", Outcome.BLANK)
    done = Round(sheet, both)
    assert [one.points for one in both] == [80.0, 80.0] and done.maximum == 100
    for one in both:
        page = feedback_page(sheet, one)
        assert page.count(">bonus<") == 1 and "of 100" in page and "0 of 0" not in page
    page = class_page(done)
    cells = [line for line in page.splitlines() if "bonus" in line or "blank" in line]
    assert len(cells) == 3  # the task's points, the mark of the one, the blank of the other
    assert [line.split(",")[3] for line in scores_csv(done).splitlines()[1:]] == ["80", "80"]
