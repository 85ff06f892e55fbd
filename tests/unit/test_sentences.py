"""Every sentence of a task has a named mistake that breaks it, or a reason why it states no rule."""

from importlib import import_module

import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.difference import difference
from rlcourse.checks.task import GENERAL_MISTAKES, Outcome
from tests.grading.course import ROOT, SHEETS, of_every_task
from tests.mutants import asking, sentences


def mistakes(number: str, task: str) -> set[str]:
    """All names that the sentences of a task give."""
    stored = sentences.read(number)[task].values()
    return {name for names in stored if not isinstance(names, str) for name in names}


@of_every_task(SHEETS)
def test_each_sentence_of_a_task_is_looked_at_once(number, task):
    written = sentences.of_task(number, task.name)
    assert list(sentences.read(number)[task.name]) == written
    assert all(sentences.read(number)[task.name].values())


@of_every_task(SHEETS)
def test_the_names_are_mistakes_of_the_task(number, task):
    assert mistakes(number, task.name) <= {*task.mistakes, *GENERAL_MISTAKES} - {"other"}


@of_every_task(SHEETS)
def test_a_visible_case_tells_each_of_these_mistakes_from_the_right_answer(number, task):
    cases = get_sheet(number).visible_cases(task)
    answers = [case.secret.answers() for case in cases]
    for name in mistakes(number, task.name).intersection(asking.slips(number, task.name)):
        told = [one for one in answers if name in one]
        assert any(difference(one[name], one[""]) is not None for one in told), name


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@of_every_task(SHEETS)
def test_what_has_no_stored_answer_is_told_to_a_wrong_answer(number, task):
    """Facts, such as a shape or an illegal move, and mistakes that are known by other means."""
    sheet, wrong = get_sheet(number), import_module(f"rlcourse.checks.answers{number}").WRONG
    for name in mistakes(number, task.name).difference(asking.slips(number, task.name)):
        sources = [source for mistake, source in wrong[task.name] if mistake == name]
        assert any(_told(sheet, task, source, name) for source in sources), name


def _told(sheet, task, source, name):
    result, _, _ = sheet.examine_visible(task, asking.answer(source, task.function))
    return result.outcome is Outcome.WRONG and result.mistake == name


def test_the_page_on_checks_shows_the_counts():
    guide = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    assert sentences.as_markdown() in guide


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One rule. Another one.", ["One rule.", "Another one."]),
        ("*20 points, 15 minutes, medium*\n\nA rule.", ["A rule."]),
        ("## A heading\n\nTwo lines\nof a rule.", ["Two lines of a rule."]),
        (
            "Given:\n\n- `q`: values;\n- `legal`: moves.",
            ["Given:", "`q`: values;", "`legal`: moves."],
        ),
        ("A rule.\n<details><summary>A hint.</summary>\n\nHelp.\n</details>", ["A rule."]),
        ("It is 0.5 of e.g. two.", ["It is 0.5 of e.g. two."]),
    ],
)
def test_sentences_are_split_by_one_rule(text, expected):
    assert list(sentences.sentences(text)) == expected
