"""The grader fails every wrong answer with its own message and passes every right one, in a subprocess, on a few seeds.

`python -m tests.wrong_answers --seeds 200` is the same over 200 seeds.
"""

import pytest

from rlcourse.checks import get_sheet

from tests.wrong_answers import sheet02
from tests.wrong_answers.trial import Trial, run, submissions, table

pytestmark = pytest.mark.slow
SEEDS = (1, 77, 4242)


@pytest.fixture(scope="module")
def trials() -> list[Trial]:
    return run("02", SEEDS)


def test_every_answer_is_told_what_it_should_be(trials):
    assert all(trial.passed for trial in trials), table(trials, len(SEEDS), 0.0)


def test_every_mistake_of_every_task_has_a_wrong_answer():
    for task in get_sheet("02").tasks:
        names = [mistake for mistake, _ in sheet02.WRONG[task.name]]
        assert set(task.mistakes) <= set(names), task.name
        assert len(set(names)) >= 6
        assert "imported" in names
        assert len(set(sheet02.RIGHT[task.name])) >= 2


def test_a_submission_carries_at_most_one_answer_to_a_task():
    for submission in submissions("02"):
        tasks = [trial.task for trial in submission]
        assert len(tasks) == len(set(tasks))
