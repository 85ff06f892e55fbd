"""Sheet 01: every wrong answer fails with its own message and every right one passes, in a subprocess, on a few seeds.

`python -m tests.wrong_answers --sheet 01 --seeds 200` is the same over 200 seeds.
"""

import pytest

from rlcourse.checks import get_sheet
from tests.wrong_answers import sheet01
from tests.wrong_answers.trial import run, submissions, table

pytestmark = pytest.mark.slow
SEEDS = (1, 4242)


def test_every_answer_is_told_what_it_should_be():
    trials = run("01", SEEDS)
    assert all(trial.passed for trial in trials), table(trials, len(SEEDS), 0.0)


@pytest.mark.parametrize("task", get_sheet("01").tasks, ids=lambda task: task.name)
def test_every_mistake_of_every_task_has_a_wrong_answer(task):
    names = {mistake for mistake, _ in sheet01.WRONG[task.name]}
    assert set(task.mistakes) | {"imported"} <= names
    assert len(names) >= 6
    assert len(set(sheet01.RIGHT[task.name])) >= 3


def test_a_submission_carries_at_most_one_answer_to_a_task():
    for submission in submissions("01"):
        assert len({trial.task for trial in submission}) == len(submission)
