"""The blanks of the lessons, as students fill them: rightly, wrongly, not at all."""

import re
from importlib import import_module
from types import FunctionType, SimpleNamespace

import pytest

from rlcourse import lessons
from rlcourse.checks import cells
from rlcourse.checks.task import Outcome
from rlcourse.checks.visible import to_text
from tests.notebooks import listed, reading
from tests.notebooks.reading import code_cells, read

NUMBERS = listed.numbers()
LESSONS = {number: listed.lesson_of(number) for number in NUMBERS}
ANSWERS = {number: import_module(f"tests.notebooks.answers{number}") for number in NUMBERS}
BLANKS = [(number, name) for number, lesson in LESSONS.items() for name in lesson.blanks]
RIGHT = [(*place, k) for place in BLANKS for k in range(len(ANSWERS[place[0]].RIGHT[place[1]]))]
WRONG = [(*place, k) for place in BLANKS for k in range(len(ANSWERS[place[0]].WRONG[place[1]]))]


def function(name: str, source: str, number: str = "04") -> FunctionType:
    """What the cell of this source defines."""
    return listed.written(name, source, ANSWERS[number].ABOVE)


def notebook(number: str):
    """The lesson's notebook."""
    return read(reading.LESSONS[number])


def blank_cell(number: str, name: str) -> str:
    """The source of the cell that leaves the function open."""
    [source] = [
        cell.source
        for cell in code_cells(notebook(number))
        if f"def {name}(" in cell.source and "raise NotImplementedError" in cell.source
    ]
    return source


@pytest.mark.parametrize(("number", "name", "which"), RIGHT)
def test_a_right_answer_is_what_the_lesson_goes_on_with(number, name, which, capsys):
    written = function(name, ANSWERS[number].RIGHT[name][which], number)
    assert LESSONS[number].your_turn(name, written) is written
    printed = capsys.readouterr().out
    assert printed.startswith(f"{name}: the visible cases are right.\n")
    assert f"The lesson goes on with your {name}." in printed


@pytest.mark.parametrize(("number", "name", "which"), WRONG)
def test_a_wrong_answer_is_told_its_mistake_and_does_not_go_on(number, name, which, capsys):
    lesson = LESSONS[number]
    mistake, source = ANSWERS[number].WRONG[name][which]
    written = function(name, source, number)
    assert lesson.your_turn(name, written) is lesson.blanks[name].reference
    result = lesson.sheet.results[name]
    assert (result.outcome, result.mistake) == (Outcome.WRONG, mistake)
    assert " ".join(lesson.sheet.task(name).message(mistake).split()) in " ".join(
        capsys.readouterr().out.split()
    )


@pytest.mark.parametrize(("number", "name"), BLANKS)
def test_every_mistake_has_an_answer_that_makes_it(number, name):
    assert set(LESSONS[number].blanks[name].mistakes) <= {m for m, _ in ANSWERS[number].WRONG[name]}


@pytest.mark.parametrize("number", NUMBERS)
def test_the_listed_answers_are_those_of_the_wrong_programs(number):
    assert listed.path_of(number).read_text("utf-8") == to_text(listed.listed_slips(number))


@pytest.mark.parametrize(("number", "name"), BLANKS)
def test_an_untouched_blank_says_so_and_the_lesson_goes_on(number, name, capsys):
    lesson = LESSONS[number]
    empty = function(name, blank_cell(number, name), number)
    assert lesson.your_turn(name, empty) is lesson.blanks[name].reference
    printed = capsys.readouterr().out
    assert printed.startswith(f"{name}: not started.")
    [cell] = [c for c in code_cells(notebook(number)) if f'your_turn("{name}"' in c.source]
    assert "".join(output.text for output in cell.outputs) == printed, "what is committed"


@pytest.mark.parametrize(("number", "name"), BLANKS)
def test_the_folded_answer_is_right_and_names_each_mistake(number, name):
    lesson = LESSONS[number]
    folded = [
        part
        for cell in notebook(number).cells
        if cell.cell_type == "markdown"
        for part in re.findall(r"<details>.*?</details>", cell.source, re.DOTALL)
        if f"def {name}(" in part
    ]
    [answer] = folded
    [source] = re.findall(r"```python\n(.*?)```", answer, re.DOTALL)
    written = function(name, source, number)
    assert lesson.your_turn(name, written) is written


@pytest.mark.parametrize(("number", "name"), BLANKS)
def test_the_course_s_own_function_is_not_taken_for_an_answer(number, name, capsys):
    lesson = LESSONS[number]
    reference = lesson.blanks[name].reference
    assert lesson.your_turn(name, reference) is reference
    assert "this is the course's" in capsys.readouterr().out


def test_a_cell_that_python_could_not_read_is_said_to_be_that(capsys, monkeypatch):
    """The name is still the course's, from a run before."""
    history = SimpleNamespace(input_hist_parsed=["", "def td_0(V, rooms, reward, alpha)\n    pass"])
    monkeypatch.setattr(cells, "shell", lambda: SimpleNamespace(history_manager=history))
    lesson = LESSONS["04"]
    reference = lesson.blanks["td_0"].reference
    assert lesson.your_turn("td_0", reference) is reference
    printed = capsys.readouterr().out
    assert "Python could not read the cell" in printed and "expected ':'" in printed


LOOP = """
def td_0(V, rooms, reward, alpha):
    while True:
        try:
            alpha = alpha
        except Exception:
            pass
"""


@pytest.mark.slow
def test_an_answer_without_an_end_is_stopped(capsys, monkeypatch):
    monkeypatch.setattr(lessons, "SECONDS", 0.2)
    lesson = lessons.Lesson("04", "of short patience", *LESSONS["04"].blanks.values())
    assert lesson.your_turn("td_0", function("td_0", LOOP)) is lesson.blanks["td_0"].reference
    assert lesson.sheet.results["td_0"].outcome is Outcome.TIMED_OUT
    assert "look for a loop that does not end" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("body", "outcome", "words"),
    [
        ("V[7] += alpha", Outcome.RAISED, "IndexError"),
        ("return None", Outcome.WRONG, "V stays as it was"),
        ("V[:] = 'x'", Outcome.RAISED, "ValueError"),
    ],
)
def test_an_answer_that_fails_in_another_way_is_told_how(body, outcome, words, capsys):
    lesson = LESSONS["04"]
    source = f"def td_0(V, rooms, reward, alpha):\n    {body}\n"
    assert lesson.your_turn("td_0", function("td_0", source)) is lesson.blanks["td_0"].reference
    assert lesson.sheet.results["td_0"].outcome is outcome
    assert words in capsys.readouterr().out


def test_a_name_that_is_no_function_is_told(capsys):
    lesson = LESSONS["04"]
    assert lesson.your_turn("td_0", 3.0) is lesson.blanks["td_0"].reference
    assert "a function is asked for" in capsys.readouterr().out
