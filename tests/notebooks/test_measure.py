"""What `measure` counts, worked by hand; and all lessons keep to the standard."""

import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from docs.drawings.course_map import PLACES
from rlcourse.checks import get_sheet, sheet_numbers
from tests.notebooks import measure as measured
from tests.notebooks import sheet_minutes
from tests.notebooks.measure import Measure, measure, shortfalls
from tests.notebooks.reading import LESSONS, OPTIONAL, ROOT, read

README = (ROOT / "README.md").read_text(encoding="utf-8")
FOLDED = {"jupyter": {"source_hidden": True}}


def of(*cells) -> Measure:
    """The measure of a notebook of these cells."""
    return measure(new_notebook(cells=list(cells)))


def text(source: str) -> Measure:
    return of(new_markdown_cell(source))


def code(source: str, **metadata) -> Measure:
    return of(new_code_cell(source, metadata=metadata))


def test_minutes_are_words_lines_predictions_and_blanks():
    words = " ".join(["word"] * 400)  # 2 minutes
    lesson = of(
        new_markdown_cell(words),
        new_markdown_cell("> **Predict.**"),  # 1.5 minutes, and a word
        new_code_cell("a = 1\n\n# why\nb = 2"),  # three lines, half a minute
        new_code_cell("def f():\n    raise NotImplementedError"),  # 3 minutes, and two lines
        new_code_cell("c = 3\n" * 60, metadata=FOLDED),
    )
    assert lesson.minutes == pytest.approx(2 + 1 / 200 + 1.5 + 0.5 + 3 + 2 / 6)
    assert (lesson.words, lesson.lines, lesson.cells) == (401, 5, 5)
    assert (lesson.predictions, lesson.blanks) == (1, 1)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("one two three", 3),
        ("a [link of four words](https://example.org/not-read)", 5),
        ("![four words not read](picture.svg) one", 1),
        ("[00 Play](a.ipynb) · 01 Sampling (you are here) · [02 Q](b.ipynb)\n\nOne.", 1),
        ("before\n```python\nx = 1\n```\nafter", 2),
        ("| a | b |\n|---|---|\n| c | d |", 4),
        ("<details><summary>Open</summary> it</details> · now", 3),
    ],
)
def test_words_are_those_that_are_read(source, words):
    assert text(source).words == words


def test_nodes_and_comments_are_counted_on_visible_lines():
    # Module, Assign, Name, Store, Constant: five nodes; one comment on its own line, one behind code.
    assert code("a = 1").nodes == 5
    assert code("# why\na = 1  # what changes").nodes == 2.5
    assert code("# why\na = 1  # what changes").comments == 100
    assert code("a = '# none'\nb = 1").comments == 0
    assert code("# why\na = 1", **FOLDED)[3:9] == (0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("source", "nested"),
    [
        ("[x for x in y]", 0),
        ("[[x for x in row] for row in y]", 2 - 1),
        ("[x for row in y for x in row]", 1),
        ("sum(x for x in y) + max(x for x in y)", 0),
        ("{a: [b for b in c] for a in c}", 1),
    ],
)
def test_nested_comprehensions(source, nested):
    assert code(source).nested == nested


def test_walrus_and_lambdas_in_calls():
    lesson = code(
        "f = lambda x: x\nsorted(y, key=lambda x: -x)\nmap(lambda x: x, y)\nif n := 3: pass"
    )
    assert (lesson.walrus, lesson.lambdas) == (1, 2)


@pytest.mark.parametrize(
    ("source", "colons"),
    [
        ("One: two. Three.", 50),
        ("One. Two. Three. Four.", 0),
        ("At 10:30 it begins. See a:b.", 0),
        ("| a: | b |\n\nOne.", 0),
        ("## Two: a heading\n\nOne.", 0),
        ("`a: b` is code. So is $x: y$. One more: it ends here. Four.", 25),
        ("**Bold:** is one. Two.", 50),
    ],
)
def test_colons_in_100_sentences(source, colons):
    assert text(source).colons == colons


def test_drawings_are_pictures_in_markdown():
    assert text('<img align="right" src="figures/map-01.svg" alt="a map">').drawings == 1
    assert text("![a map](map.svg)\n\nand ![a loop](figures/loop.svg)").drawings == 2
    assert text("![a loop](figures/loop.svg) ![its end](figures/loop-still.svg)").drawings == 1


GOOD = Measure(55, 2400, 60, 150, 9.5, 9, 0, 0, 0, 10, 4, 3, 2)
TEXT = "### What others call it"


def test_a_lesson_at_standard_lacks_nothing():
    assert shortfalls(GOOD, TEXT) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"minutes": 60.1}, "at most 60 minutes, has 60.1"),
        ({"nodes": 10.1}, "at most 10 nodes a line, has 10.1"),
        ({"comments": 7.9}, "at least 8 comments for 100 lines, has 7.9"),
        ({"nested": 1}, "no comprehension in another, has 1"),
        ({"walrus": 1}, "no walrus, has 1"),
        ({"lambdas": 2}, "no lambda in a call, has 2"),
        ({"colons": 16}, "at most 15 colons for 100 sentences, has 16"),
        ({"blanks": 1}, "2 to 4 blanks, has 1"),
        ({"blanks": 5}, "2 to 4 blanks, has 5"),
    ],
)
def test_what_a_lesson_lacks_is_named(change, words):
    assert shortfalls(GOOD._replace(**change), TEXT) == [words]


def test_an_optional_lesson_needs_one_blank():
    text = f"# 01b · More {OPTIONAL}\n\n{TEXT}"
    assert shortfalls(GOOD._replace(blanks=1), text) == []
    assert shortfalls(GOOD._replace(blanks=0), text) == ["1 to 4 blanks, has 0"]


def test_a_lesson_without_the_field_s_names_lacks_them():
    assert shortfalls(GOOD, "text") == ["a section 'What others call it'"]


@pytest.mark.parametrize("number", LESSONS)
def test_a_lesson_keeps_to_the_standard(number):
    notebook = read(LESSONS[number])
    markdown = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert shortfalls(measure(notebook), markdown) == []


@pytest.mark.parametrize(("minutes", "stated"), [(54, 60), (51.7, 55), (56.2, 60), (56.3, 65)])
def test_stated_minutes_leave_a_tenth_for_slow_readers(minutes, stated):
    assert measured.stated(minutes) == stated


@pytest.mark.parametrize("number", LESSONS)
def test_the_minutes_that_are_stated_are_the_computed_ones_with_room(number):
    minutes = measure(read(LESSONS[number])).minutes
    assert measured.stated_in_readme()[number] == measured.stated(minutes)


@pytest.mark.parametrize("number", LESSONS)
def test_map_and_readme_call_a_lesson_optional_if_its_title_does(number):
    title = read(LESSONS[number]).cells[0].source.partition("\n")[0]
    [place] = [place for place in PLACES if place.number == number]
    [row] = re.findall(rf"^\| \[{number} [^\]]+\]", README, re.MULTILINE)
    assert (OPTIONAL in title) == (OPTIONAL in place.name) == (OPTIONAL in row)


@pytest.mark.parametrize("number", LESSONS)
def test_readme_notebook_and_guide_state_the_same_minutes(number):
    minutes = measured.stated_in_readme()[number]
    assert measured.stated_in_notebook(read(LESSONS[number])) == minutes
    if number != "00":  # there is no sheet 00
        assert measured.stated_in_guide()[number] == minutes


def sheet_cell(kind, name, source, *, grade=False, solution=False):
    """A cell of a sheet, with nbgrader's settings."""
    cell = kind(source, metadata={"nbgrader": {"grade": grade, "solution": solution}})
    cell.id = name
    return cell


def test_minutes_of_the_items_of_a_sheet():
    """By hand: a coded task with ten words, six given lines and two of the answer; then ten
    sentences.
    """
    words = " ".join(["word"] * 10)
    answer = "def f():\n    ### BEGIN SOLUTION\n    a = 1\n\n    return a\n    ### END SOLUTION"
    ten = "In about ten sentences: why?"
    cells = [
        sheet_cell(new_markdown_cell, "title", words * 50),
        sheet_cell(new_code_cell, "setup", "import numpy"),
        sheet_cell(new_markdown_cell, "f-text", words),
        sheet_cell(new_code_cell, "hasty", "a = 1\n\n" * 6),
        sheet_cell(new_code_cell, "f", answer, solution=True),
        sheet_cell(new_code_cell, "check-f", "check(f)", grade=True),
        sheet_cell(new_markdown_cell, "explanation-text", ten),
        sheet_cell(new_markdown_cell, "explanation", words, grade=True, solution=True),
    ]
    efforts = sheet_minutes.efforts(new_notebook(cells=cells))
    assert efforts == {"f": (10, 6, 2, 0, True), "explanation": (5, 0, 0, 10, False)}
    assert efforts["f"].minutes == pytest.approx(0.1 + 1 + 8 + 1)
    assert efforts["explanation"].minutes == pytest.approx(0.05 + 40)


@pytest.mark.parametrize("number", sheet_numbers())
def test_the_minutes_that_a_sheet_states_are_the_measured_ones(number):
    """Each item within two minutes, the sheet within three, 60 to 90 without its bonus; the guide
    says the same.
    """
    sheet = get_sheet(number)
    efforts = sheet_minutes.efforts(read(sheet_minutes.source_of(number)))
    for item in (*sheet.tasks, *sheet.manual):
        assert abs(item.minutes - efforts[item.name].minutes) <= 2, item.name
    counted = [item.name for item in (*sheet.tasks, *sheet.manual) if item.points]
    total = sheet_minutes.total(number)
    assert abs(total - sum(efforts[name].minutes for name in counted)) <= 3
    assert 60 <= total <= 90
    bonus = sum(task.minutes for task in sheet.tasks if not task.points)
    stated = f"{total} (bonus {bonus})" if bonus else f"{total}"
    guide = (ROOT / "exercises" / "README.md").read_text(encoding="utf-8")
    row = next(line for line in guide.splitlines() if line.startswith(f"| [{number}]("))
    assert row.split(" | ")[2] == stated


def test_the_tool_shows_the_items_of_a_sheet(capsys):
    measured.main([str(ROOT / "exercises" / "02" / "02_q_tables.ipynb")])
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == sheet_minutes.HEAD and len(shown) == 9
    assert "two_estimates" in shown[4] and "bonus" in shown[4] and "without bonus" in shown[-1]
