"""Sheet 02: the numbers worked by hand, the hidden cases and the oracle hold together."""

import numpy as np
import pytest

from rlcourse.checks import oracle02
from rlcourse.checks.judging import FALSE_ALARM, Frequencies, difference, power
from rlcourse.checks.sheet02 import SHEET
from rlcourse.checks.task import GENERAL_MISTAKES

ORACLES = {
    "sweep": oracle02.sweep,
    "nim_update": oracle02.nim_update,
    "choose": oracle02.choice_probabilities,
    "two_estimates": oracle02.two_estimates,
    "play_from_book": oracle02.play_from_book,
}
TASKS = pytest.mark.parametrize("task", SHEET.tasks, ids=lambda task: task.name)


def own_mistakes(task):
    return [name for name in task.mistakes if name not in GENERAL_MISTAKES]


@TASKS
def test_the_oracle_agrees_with_every_number_worked_by_hand(task):
    for case in task.visible:
        args = case.args[:-1] if isinstance(case.secret, Frequencies) else case.args
        oracle = ORACLES[task.name]
        assert difference(oracle(*args), case.secret.right) is None, case.title
        for slip in own_mistakes(task):
            value = oracle(*args, slip=slip)
            assert difference(value, case.secret.slips[slip]) is None, f"{case.title}: {slip}"


@TASKS
def test_every_mistake_shows_in_a_visible_case(task):
    keys = [case.secret for case in task.visible]
    shown = {slip for key in keys for slip, value in key.slips.items() if difference(value, key.right) is not None}
    assert set(own_mistakes(task)) == shown


@TASKS
@pytest.mark.parametrize("seed", range(20))
def test_the_hidden_cases_of_every_seed_tell_all_mistakes_apart(task, seed):
    """For every two of (right, mistakes) there is a case in which they answer differently."""
    names = own_mistakes(task)
    cases = task.hidden_cases(seed)
    answers = {name: [case.secret.slips[name] for case in cases] for name in names}
    answers[""] = [case.secret.right for case in cases]
    for first in answers:
        for second in answers:
            if first < second:
                pairs = zip(answers[first], answers[second], strict=True)
                assert any(difference(a, b) is not None for a, b in pairs), (first, second)


@pytest.mark.parametrize("seed", range(10))
def test_power_of_the_frequency_test(seed):
    """Every mistake is caught with a probability over 0.9999 on every seed, at a false-alarm rate of at most 1e-7."""
    task = SHEET.task("choose")
    cases = task.hidden_cases(seed)
    assert sum(case.secret.share for case in cases) <= FALSE_ALARM * (1 + 1e-9)
    for slip in own_mistakes(task):
        missed = np.prod([1 - power(c.calls, c.secret.right, c.secret.slips[slip], c.secret.share) for c in cases])
        assert missed < 1e-4, (slip, missed)


def test_points_and_minutes_of_the_sheet():
    items = [*SHEET.tasks, *SHEET.manual]
    assert sum(item.points for item in items) == 100
    assert 60 <= sum(item.minutes for item in items) <= 90


def test_equal_seeds_give_equal_cases_and_others_give_others():
    task = SHEET.task("nim_update")
    one, again, other = task.hidden_cases(5), task.hidden_cases(5), task.hidden_cases(6)
    assert [case.secret.right for case in one] == [case.secret.right for case in again]
    assert [case.secret.right for case in one] != [case.secret.right for case in other]
