"""Every sheet: the numbers worked by hand, the hidden cases and the oracle hold together."""

import re
from itertools import combinations

import numpy as np
import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.binomial import power
from rlcourse.checks.judging import FALSE_ALARM, Frequencies, difference
from rlcourse.checks.task import CONVENTION, GENERAL_MISTAKES, Outcome
from rlcourse.grading.visible import listed_slips
from tests.grading.course import NUMBERS, SHEETS, hidden_cases, of_every_task, with_cases_of

# Mistakes that are told by other means than the answer they would give.
UNLISTED = {
    ("01", "boltzmann"): {"not_finite", "other_temperature"},
    ("01", "clip_legal"): {"not_finite"},
    ("01", "draft"): {"repeated"},
    ("03", "memory"): {"places", "empty", "shared", "repeated"},
    ("05", "legal_turns"): {"repeats"},
    ("06", "torus_areas"): {"too_many"},
    ("06", "two_stones"): {"repeated", "board_kept"},
}
RANDOM = [
    pytest.param(number, name, marks=with_cases_of(number))
    for number, name in (
        ("01", "draft"),
        ("02", "choose"),
        ("03", "memory"),
        ("06", "two_stones"),
    )
]
# (number, task, the words on what else is graded that give a range) -> what of a case lies in it
ANNOUNCED = {
    ("01", "boltzmann", "(.+) to (.+) squares"): lambda q, *_: len(q),
    ("01", "boltzmann", "temperatures from (.+) to (.+)"): lambda *args: args[-1],
    ("01", "clip_legal", "batches of (.+) to (.+) rows"): lambda p, *_: len(p),
    ("01", "box_returns", "games of (.+) to (.+) moves"): lambda mover, *_: len(mover),
    ("02", "two_estimates", "of (.+) to (.+) states"): lambda episodes, states, gamma: states,
    ("02", "play_from_book", "boards of (.+) x .+ to (.+) x"): lambda board, book: len(board),
    ("03", "best_columns", "(.+) to (.+) boards at once"): lambda q, *_: len(q),
    ("03", "double_targets", "(.+) to (.+) boards at once"): lambda reward, *_: len(reward),
    ("04", "compound_return", "(.+) to (.+) rewards"): lambda rewards, *_: len(rewards),
    ("04", "trace_history", "(.+) to (.+) steps"): lambda features, *_: len(features),
    ("05", "hyper_units", "(.+) to (.+) positions at once"): lambda checkers, roller: len(roller),
    ("05", "match_chances", "(.+) to (.+) plays at once"): lambda outputs, *_: len(outputs),
    ("05", "gammon_targets", "games of (.+) to (.+) positions"): lambda outputs, *_: len(outputs),
    ("06", "surrogate_gradient", "(.+) to (.+) decisions in .*"): lambda *args: len(args[2]),
    ("05", "two_ply_chances", "(.+) to (.+) plays at once"): lambda plays, *_: len(plays),
}
ARRAYS = [np.zeros((1, 1)), np.zeros((1, 2)), np.zeros(1)]  # which NumPy cannot put into one array


def own_mistakes(number, task):
    unlisted = UNLISTED.get((number, task.name), set()) | set(GENERAL_MISTAKES)
    return [name for name in task.mistakes if name not in unlisted]


def frequencies_of(case):
    """[(draws, Frequencies)] of a case of a random function: of each
    sample, where it is a script.
    """
    if isinstance(case.secret, Frequencies):
        return [(case.calls, case.secret)]
    if not case.script:
        return [(case.args[2], case.secret.frequencies)]
    return [(case.script[place][1][0], frequencies) for place, frequencies in case.secret.samples]


@of_every_task(SHEETS)
def test_the_oracle_agrees_with_every_number_worked_by_hand(number, task):
    assert len({case.title for case in task.visible}) == len(task.visible)
    for case in task.visible:
        asked = task.key(case).answers()
        assert difference(asked[""], case.secret.answers()[""]) is None, case.title


@pytest.mark.parametrize("number", SHEETS)
def test_what_students_get_of_the_mistakes_is_what_the_oracle_writes(number):
    """`python -m rlcourse.grading.visible` writes it again.

    Not byte by byte: a processor may round otherwise.
    """
    sheet = get_sheet(number)
    written = listed_slips(sheet)
    for task in sheet.tasks:
        for case in task.visible:
            stored, fresh = (slips[task.name][case.title] for slips in (sheet.slips, written))
            assert stored.keys() == fresh.keys(), case.title
            for slip, answer in fresh.items():
                assert difference(stored[slip], answer) is None, f"{case.title}: {slip}"
    assert {name: set(cases) for name, cases in sheet.slips.items()} == {
        task.name: {case.title for case in task.visible} for task in sheet.tasks
    }


@of_every_task(NUMBERS)
def test_every_mistake_shows_in_a_visible_case(number, task):
    shown = {slip for case in get_sheet(number).slips[task.name].values() for slip in case}
    others = {slip for slip in shown if slip.startswith(CONVENTION)}  # answers to its variants
    assert shown - others == set(own_mistakes(number, task))


@of_every_task(NUMBERS)
def test_the_visible_cases_tell_all_mistakes_apart(number, task):
    cases = [case.secret.answers() for case in get_sheet(number).visible_cases(task)]
    assert 2 <= len(cases) <= 6
    for first, second in combinations(["", *own_mistakes(number, task)], 2):
        pairs = [
            (answers.get(first, answers[""]), answers.get(second, answers[""])) for answers in cases
        ]
        assert any(difference(a, b) is not None for a, b in pairs), (first, second)


@of_every_task(NUMBERS)
def test_every_mistake_has_words_of_its_own(number, task):
    assert len(set(task.mistakes.values())) == len(task.mistakes)


@of_every_task(NUMBERS)
def test_the_hidden_cases_of_every_seed_tell_all_mistakes_apart(number, task, grading_seed):
    """For every two of (right, mistakes) there is a case in which they answer differently."""
    cases = [case.secret.answers() for case in hidden_cases(number, task.name, grading_seed)]
    answers = {name: [case[name] for case in cases] for name in ("", *own_mistakes(number, task))}
    for first in answers:
        for second in answers:
            if first < second:
                pairs = zip(answers[first], answers[second], strict=True)
                assert any(difference(a, b) is not None for a, b in pairs), (first, second)


@of_every_task(NUMBERS)
@pytest.mark.parametrize(
    "answer", [None, "text", [[1], [2, 3]], [None], {}, float("nan"), np.zeros(0), ARRAYS], ids=repr
)
def test_no_answer_makes_a_visible_check_raise(number, task, answer, capsys):
    sheet = get_sheet(number)
    sheet.check(task.name, lambda *_: answer)
    assert sheet.results.pop(task.name).outcome is not Outcome.RIGHT
    assert task.name in capsys.readouterr().out


@pytest.mark.parametrize(("number", "name"), RANDOM)
def test_power_of_the_tests_of_frequency(number, name, grading_seed):
    """Every mistake is caught with a probability over 1 - 1e-4 on every seed, at a
    false-alarm rate of at most 1e-7.
    """
    task = get_sheet(number).task(name)
    cases = hidden_cases(number, name, grading_seed)
    parts = [part for case in cases for part in frequencies_of(case)]
    assert sum(frequencies.share for _, frequencies in parts) <= FALSE_ALARM * (1 + 1e-9)
    for slip in own_mistakes(number, task):
        missed = np.prod([1 - power(n, key.right, key.slips[slip], key.share) for n, key in parts])
        assert missed < 1e-4, (slip, missed)
        for other in own_mistakes(number, task):
            if other != slip:  # what this slip does is not taken for another one
                kept = np.prod(
                    [1 - power(n, key.slips[other], key.slips[slip], key.share) for n, key in parts]
                )
                assert kept < 1e-4, (slip, other, kept)
        for _, key in parts:
            assert key.slips[slip].min() >= 0
            assert key.slips[slip].sum() == pytest.approx(1.0), slip


@pytest.mark.parametrize("number", NUMBERS)
def test_points_and_minutes_of_the_sheet(number):
    sheet = get_sheet(number)
    items = [*sheet.tasks, *sheet.manual]
    assert sum(item.points for item in items) == 100
    assert 60 <= sum(item.minutes for item in items if item.points) <= 90
    assert 4 <= len(sheet.tasks) <= 5 and len(sheet.manual) == 2
    assert sum(bool(task.points) for task in sheet.tasks) >= 3
    assert all(item.points for item in sheet.manual)


@of_every_task(NUMBERS)
def test_equal_seeds_give_equal_cases_and_others_give_others(number, task):
    drawn = (
        hidden_cases(number, task.name, 0),
        task.hidden_cases(0),
        hidden_cases(number, task.name, 1),
    )
    one, again, other = ([case.secret.answers()[""] for case in cases] for cases in drawn)
    assert all(difference(a, b) is None for a, b in zip(one, again, strict=True))
    assert any(difference(a, b) is not None for a, b in zip(one, other, strict=True))


@of_every_task(SHEETS)
def test_every_case_lies_in_the_domain_that_the_text_states(number, task, grading_seed):
    """Hidden cases and the visible ones."""
    for case in (*task.visible, *hidden_cases(number, task.name, grading_seed)):
        args = (*case.args, case.script) if case.script else case.args
        assert task.domain(*args), (case.title, args)


@pytest.mark.parametrize(
    ("number", "name", "words"),
    [pytest.param(*key, marks=with_cases_of(key[0]), id="-".join(key[:2])) for key in ANNOUNCED],
)
def test_what_a_passing_check_announces_is_what_is_graded(number, name, words):
    parts = get_sheet(number).task(name).also_graded.split(", ")
    (said,) = filter(None, (re.match(f"(?:.* )?{words}", part) for part in parts))
    lowest, highest = map(float, said.groups())
    sizes = [ANNOUNCED[number, name, words](*case.args) for case in hidden_cases(number, name, 0)]
    assert lowest <= min(sizes) and max(sizes) <= highest
