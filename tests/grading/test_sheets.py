"""Every sheet: the numbers worked by hand, the hidden cases and the oracle hold together."""

from importlib import import_module

import numpy as np
import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.judging import FALSE_ALARM, Frequencies, Key, difference, power
from rlcourse.checks.task import GENERAL_MISTAKES, Outcome
from tests.grading.course import NUMBERS, SHEETS

# Mistakes that are told by other means than the answer they would give.
UNLISTED = {
    ("01", "boltzmann"): {"not_finite"},
    ("01", "clip_legal"): {"not_finite"},
    ("01", "draft"): {"repeated"},
    ("03", "memory"): {"empty", "repeated"},
    ("05", "legal_turns"): {"repeats"},
    ("06", "two_stones"): {"repeated"},
}
TASKS = [(number, task) for number in NUMBERS for task in get_sheet(number).tasks]
EVERY = [
    (number, task) for number in SHEETS for task in get_sheet(number).tasks
]  # the capstone as well
RANDOM = [("01", "draft"), ("02", "choose"), ("03", "memory"), ("06", "two_stones")]
ARRAYS = [np.zeros((1, 1)), np.zeros((1, 2)), np.zeros(1)]  # which NumPy cannot put into one array
of_every_task = pytest.mark.parametrize(
    ("number", "task"), TASKS, ids=lambda part: getattr(part, "name", part)
)


def own_mistakes(number, task):
    unlisted = UNLISTED.get((number, task.name), set()) | set(GENERAL_MISTAKES)
    return [name for name in task.mistakes if name not in unlisted]


def frequencies_of(case):
    """[(draws, arguments of the oracle, Frequencies)] of a case of a random function: of each sample, where it is a script."""
    if isinstance(case.secret, Frequencies):
        return [(case.calls, case.args[:-1], case.secret)]
    if not case.script:
        return [(case.args[2], case.args[:2] + case.args[3:-1], case.secret.frequencies)]
    added = [(place, args[1]) for place, (name, args) in enumerate(case.script) if name == "add"]
    return [
        (
            case.script[place][1][0],
            (case.args[0], np.array([priority for at, priority in added if at < place])),
            frequencies,
        )
        for place, frequencies in case.secret.samples
    ]


def secrets(case):
    """[(right, slips, arguments of the oracle)]: what the case is judged by."""
    if isinstance(case.secret, Key):
        args = (*case.args, case.script) if case.script else case.args
        return [(case.secret.right, case.secret.slips, args)]
    return [
        (frequencies.right, frequencies.slips, args)
        for _, args, frequencies in frequencies_of(case)
    ]


def asked(number, task, case, args, slip=""):
    """What the oracle says, in the form of the secret."""
    names = {
        "draft": "draft_chances",
        "choose": "choice_probabilities",
        "memory": "memory_chances",
        "two_stones": "pair_chances",
    }
    oracle = getattr(
        import_module(f"rlcourse.checks.oracle{number}"), names.get(task.name, task.name)
    )
    answer = oracle(*args, slip=slip)
    return (answer, [args[k] for k in case.watch]) if case.watch else answer


@of_every_task
def test_the_oracle_agrees_with_every_number_worked_by_hand(number, task):
    for case in task.visible:
        for right, slips, args in secrets(case):
            assert difference(asked(number, task, case, args), right) is None, case.title
            for slip in own_mistakes(number, task):
                value = asked(number, task, case, args, slip)
                assert difference(value, slips.get(slip, right)) is None, f"{case.title}: {slip}"


@of_every_task
def test_every_mistake_shows_in_a_visible_case(number, task):
    parts = [(right, slips) for case in task.visible for right, slips, _ in secrets(case)]
    shown = {
        slip
        for right, slips in parts
        for slip, value in slips.items()
        if difference(value, right) is not None
    }
    assert shown == set(own_mistakes(number, task))


@of_every_task
@pytest.mark.parametrize("seed", range(20))
def test_the_hidden_cases_of_every_seed_tell_all_mistakes_apart(number, task, seed):
    """For every two of (right, mistakes) there is a case in which they answer differently."""
    parts = [
        (right, slips) for case in task.hidden_cases(seed) for right, slips, _ in secrets(case)
    ]
    answers = {name: [slips[name] for _, slips in parts] for name in own_mistakes(number, task)}
    answers[""] = [right for right, _ in parts]
    for first in answers:
        for second in answers:
            if first < second:
                pairs = zip(answers[first], answers[second], strict=True)
                assert any(difference(a, b) is not None for a, b in pairs), (first, second)


@of_every_task
@pytest.mark.parametrize(
    "answer", [None, "text", [[1], [2, 3]], [None], {}, float("nan"), np.zeros(0), ARRAYS], ids=repr
)
def test_no_answer_makes_a_visible_check_raise(number, task, answer, capsys):
    sheet = get_sheet(number)
    sheet.check(task.name, lambda *_: answer)
    assert sheet.results.pop(task.name).outcome is not Outcome.RIGHT
    assert task.name in capsys.readouterr().out


@pytest.mark.parametrize(("number", "name"), RANDOM)
@pytest.mark.parametrize("seed", range(10))
def test_power_of_the_tests_of_frequency(number, name, seed):
    """Every mistake is caught with a probability over 1 - 1e-4 on every seed, at a false-alarm rate of at most 1e-7."""
    task = get_sheet(number).task(name)
    parts = [part for case in task.hidden_cases(seed) for part in frequencies_of(case)]
    assert sum(frequencies.share for _, _, frequencies in parts) <= FALSE_ALARM * (1 + 1e-9)
    for slip in own_mistakes(number, task):
        missed = np.prod(
            [1 - power(n, key.right, key.slips[slip], key.share) for n, _, key in parts]
        )
        assert missed < 1e-4, (slip, missed)
        for other in own_mistakes(number, task):
            if other != slip:  # what this slip does is not taken for another one
                kept = np.prod(
                    [
                        1 - power(n, key.slips[other], key.slips[slip], key.share)
                        for n, _, key in parts
                    ]
                )
                assert kept < 1e-4, (slip, other, kept)
        for _, _, key in parts:
            assert key.slips[slip].min() >= 0
            assert key.slips[slip].sum() == pytest.approx(1.0), slip


@pytest.mark.parametrize("number", NUMBERS)
def test_points_and_minutes_of_the_sheet(number):
    sheet = get_sheet(number)
    items = [*sheet.tasks, *sheet.manual]
    assert sum(item.points for item in items) == 100
    assert 60 <= sum(item.minutes for item in items) <= 90
    assert 4 <= len(sheet.tasks) <= 5 and len(sheet.manual) == 2


@of_every_task
def test_equal_seeds_give_equal_cases_and_others_give_others(number, task):
    one, again, other = ([secrets(case) for case in task.hidden_cases(seed)] for seed in (5, 5, 6))

    def rights(parts):
        return [right for case in parts for right, _, _ in case]

    assert all(difference(a, b) is None for a, b in zip(rights(one), rights(again), strict=True))
    assert any(
        difference(a, b) is not None for a, b in zip(rights(one), rights(other), strict=True)
    )


@pytest.mark.parametrize(("number", "task"), EVERY, ids=lambda part: getattr(part, "name", part))
def test_every_case_lies_in_the_domain_that_the_text_states(number, task):
    """Hidden cases of several seeds, and the visible ones."""
    cases = [*task.visible, *(case for seed in range(5) for case in task.hidden_cases(seed))]
    for case in cases:
        args = (*case.args, case.script) if case.script else case.args
        assert task.domain(*args), (case.title, args)
