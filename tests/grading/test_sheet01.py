"""Sheet 01: the numbers worked by hand, the hidden cases and the oracle hold together."""

import numpy as np
import pytest

from rlcourse.checks import oracle01
from rlcourse.checks.judging import FALSE_ALARM, Key, difference, power
from rlcourse.checks.sheet01 import SHEET
from rlcourse.checks.task import GENERAL_MISTAKES

TASKS = pytest.mark.parametrize("task", SHEET.tasks, ids=lambda task: task.name)
UNLISTED = {"in_place", "repeated", "distribution"}  # told by other means than the answer they would give


def own_mistakes(task):
    return [name for name in task.mistakes if name not in UNLISTED and name not in GENERAL_MISTAKES]


def right_of(case):
    return case.secret.right if isinstance(case.secret, Key) else case.secret.frequencies.right


def slips_of(case):
    return case.secret.slips if isinstance(case.secret, Key) else case.secret.frequencies.slips


def asked(task, case, slip=""):
    if task.name == "draft":
        return oracle01.draft_chances(case.args[0], case.args[1], slip)
    answer = getattr(oracle01, task.name)(*case.args, slip=slip)
    return (answer, [case.args[k] for k in case.watch]) if case.watch else answer


@TASKS
def test_the_oracle_agrees_with_every_number_worked_by_hand(task):
    for case in task.visible:
        assert difference(asked(task, case), right_of(case)) is None, case.title
        for slip in own_mistakes(task):
            value = asked(task, case, slip)
            if difference(value, right_of(case)) is None:
                assert slip not in slips_of(case), f"{case.title}: {slip} does not show here"
            else:
                assert difference(value, slips_of(case)[slip]) is None, f"{case.title}: {slip}"


@TASKS
def test_every_mistake_shows_in_a_visible_case(task):
    assert set(own_mistakes(task)) == {slip for case in task.visible for slip in slips_of(case)}


@TASKS
@pytest.mark.parametrize("seed", range(20))
def test_the_hidden_cases_of_every_seed_tell_all_mistakes_apart(task, seed):
    """For every two of (right, mistakes) there is a case in which they answer differently."""
    names = own_mistakes(task)
    cases = task.hidden_cases(seed)
    answers = {name: [slips_of(case)[name] for case in cases] for name in names}
    answers[""] = [right_of(case) for case in cases]
    for first in answers:
        for second in answers:
            if first < second:
                pairs = zip(answers[first], answers[second], strict=True)
                assert any(difference(a, b) is not None for a, b in pairs), (first, second)


@pytest.mark.parametrize("seed", range(10))
def test_power_of_the_test_of_orders(seed):
    """Every mistake is caught with a probability over 1 - 1e-6 on every seed, at a false-alarm rate of at most 1e-7."""
    task = SHEET.task("draft")
    cases = [case for case in task.hidden_cases(seed)]
    keys = [(case.args[2], case.secret.frequencies) for case in cases]
    assert sum(key.share for _, key in keys) <= FALSE_ALARM * (1 + 1e-9)
    for slip in own_mistakes(task):
        missed = np.prod([1 - power(n, key.right, key.slips[slip], key.share) for n, key in keys])
        assert missed < 1e-6, (slip, missed)


@pytest.mark.parametrize("seed", range(20))
def test_the_distributions_of_the_draft_are_distributions(seed):
    for case in SHEET.task("draft").hidden_cases(seed):
        for slip in ("", *own_mistakes(SHEET.task("draft"))):
            chances = asked(SHEET.task("draft"), case, slip)
            assert chances.min() >= 0
            assert chances.sum() == pytest.approx(1.0), slip


def test_points_and_minutes_of_the_sheet():
    items = [*SHEET.tasks, *SHEET.manual]
    assert sum(item.points for item in items) == 100
    assert 60 <= sum(item.minutes for item in items) <= 90
    assert 5 <= len(items) <= 6
