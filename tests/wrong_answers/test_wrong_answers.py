"""The grader fails every wrong answer with its own message and passes every right one, in
a subprocess, on one seed.

`python -m tests.wrong_answers --sheet 02 --seeds 200` is the same over 200 seeds.
"""

import json
from importlib import import_module

import pytest

from rlcourse.checks import get_sheet
from tests.grading.course import ROOT, SHEETS
from tests.wrong_answers.trial import STORED, as_markdown, run, submissions, table

SEEDS = (4242,)
TASKS = [(number, task) for number in SHEETS for task in get_sheet(number).tasks]


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("number", SHEETS)
def test_every_answer_is_told_what_it_should_be(number):
    trials = run(number, SEEDS)
    assert all(trial.passed for trial in trials), table(trials, len(SEEDS), 0.0)


@pytest.mark.parametrize(("number", "task"), TASKS, ids=lambda part: getattr(part, "name", part))
def test_every_mistake_of_every_task_has_a_wrong_answer(number, task):
    answers = import_module(f"rlcourse.checks.answers{number}")
    names = {mistake for mistake, _ in answers.WRONG[task.name]}
    assert set(task.mistakes) | {"imported"} <= names
    assert len(names) >= 6
    assert len(set(answers.RIGHT[task.name])) >= 2


@pytest.mark.parametrize("number", SHEETS)
def test_a_submission_carries_at_most_one_answer_to_a_task(number):
    for submission in submissions(number):
        assert len({trial.task for trial in submission}) == len(submission)


def test_the_page_on_checks_shows_what_was_found_over_many_seeds():
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    assert as_markdown(stored) in (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    for task in (task for tasks in stored.values() for task in tasks.values()):
        for good, asked, answers in (task["right"], task["wrong"]):
            assert good == asked == answers * task["seeds"] > 0


@pytest.mark.parametrize(("number", "task"), TASKS, ids=lambda part: getattr(part, "name", part))
def test_the_stored_rates_are_those_of_todays_answers(number, task):
    answers = import_module(f"rlcourse.checks.answers{number}")
    stored = json.loads(STORED.read_text(encoding="utf-8"))[number][task.name]
    assert stored["right"][2] == len(answers.RIGHT[task.name])
    assert stored["wrong"][2] == len(answers.WRONG[task.name])
