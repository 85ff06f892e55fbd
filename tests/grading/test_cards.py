"""The cards below the tasks, as text and as a part of a page."""

import html
import re
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from rlcourse.checks import answers02, answers04, get_sheet
from rlcourse.checks.sheet import PASSED
from rlcourse.checks.showing import card_of
from rlcourse.checks.task import Outcome
from rlcourse.drawing.stones import Stones
from rlcourse.games import from_recipe


def defined(source, name):
    """What a cell of this source defines."""
    names = {"np": np}
    exec(compile(source, "<cell>", "exec"), names)
    return names[name]


def card(number, name, function):
    """The card of a check, as the notebook shows it."""
    sheet = get_sheet(number)
    task = sheet.task(name)
    return card_of(task, *sheet.examine_visible(task, function), foot="the foot")


def memory(sample):
    """A memory as it should be, but for what `sample` returns."""
    rows = (
        "class Memory:",
        "    def __init__(self, capacity):",
        "        self.capacity, self.items, self.priorities = capacity, [], []",
        "    def add(self, item, priority):",
        "        self.items = [*self.items, item][-self.capacity:]",
        "        self.priorities = [*self.priorities, priority][-self.capacity:]",
        "    def sample(self, n, rng):",
        f"        return {sample}",
    )
    return defined("\n".join(rows), "Memory")


def test_one_draw_that_is_repeated_is_not_called_the_likeliest():
    once = memory(
        "[rng.choice(self.items, p=np.divide(self.priorities, sum(self.priorities)))] * n"
    )
    shown = card("03", "memory", once)
    assert "highest priority" not in repr(shown)
    assert "how often the transitions come" in repr(shown) and len(shown.compared.rows) == 3


def on_page(shown):
    """The words of the card in a notebook, without its markup."""
    return html.unescape(" ".join(re.sub(r"<(title|desc)>.*?</\1>|<[^>]*>", " ", shown).split()))


WRONG = {
    "a value": ("04", "compound_return", lambda *_: 1.5, "wrong", "Expected 2.875; got 1.5."),
    "a fact": ("04", "compound_return", lambda *_: 1.5, "wrong", "Every wrong number is 1.5."),
    "whole numbers": (
        "04",
        "mover_targets",
        lambda values, *_: np.zeros(len(values), int),
        "wrong",
        "Every number that came is whole: an array of integers keeps no fractions.",
    ),
    "a comma too much": (
        "04",
        "mover_targets",
        lambda values, *_: (np.zeros(len(values)),),
        "wrong",
        "([0., 0., 0.],)",
    ),
    "a list of rows": (
        "11",
        "best_within",
        lambda chances, *_: [(k, k + 0.5) for k in range(4)],
        "wrong",
        "[[0. , 0.5],",
    ),
    "an array": (
        "04",
        "mover_targets",
        lambda *_: np.array([0.1, 0.3, -1.0]),
        "wrong",
        "Entry 1 (counted from 0): expected 0.2, got 0.3.",
    ),
    "a change": (
        "04",
        "mover_targets",
        defined(
            "def f(values, player, *_):\n"
            "    values[0] = 7\n"
            "    return np.array({2: [0.1, 0.2, -1.0], 3: [-0.30625, -0.625, 1.0]}"
            "[sum(player)] if player[0] else [-0.10625, -0.35, -1.0])\n",
            "f",
        ),
        "wrong",
        "Changed: argument 1.",
    ),
    "frequencies": (
        "02",
        "choose",
        lambda q, visits, legal, player, epsilon, rng: int(rng.integers(3)),
        "wrong",
        "The answer 1 should never come",
    ),
    "frequencies of a class": (
        "03",
        "memory",
        memory("[self.items[0]] + [self.items[-1]] * (n - 1)"),
        "wrong",
        "expected got 4 0.950 0.001 5 0.050 1.000",
    ),
    "a transition that was not added": (
        "03",
        "memory",
        memory("[self.items[k] for k in rng.integers(len(self.items), size=n - 1)] + [0]"),
        "wrong",
        "Expected transitions as they were added, got 0 from sample.",
    ),
    "no list": (
        "03",
        "memory",
        memory("print(self.items)"),
        "wrong",
        "Expected a list of transitions from sample, got None (is there a return?).",
    ),
    "no end": ("04", "compound_return", None, "missing", "a function is asked for"),
    "not started": (
        "04",
        "q_lambda",
        defined("def f(*_): raise NotImplementedError", "f"),
        "not started",
        "stands where your code goes",
    ),
}


@pytest.mark.parametrize("which", WRONG)
def test_a_card_says_the_same_in_a_notebook_and_as_text(which):
    number, name, function, state, words = WRONG[which]
    shown = card(number, name, function)
    assert shown.outcome == Outcome(state)
    page, text = on_page(shown._repr_html_()), " ".join(repr(shown).split())
    assert state in page and state in text and name in page
    assert words in text
    for line in (*shown.lines, *shown.case, shown.compared.first, shown.foot):
        part = " ".join(line.split())
        assert part in text and part.replace("`", "") in page


def test_expected_and_got_stand_side_by_side():
    page = card("04", "mover_targets", lambda *_: np.zeros(3))._repr_html_()
    row = r"<th scope='col'[^>]*>expected</th><th scope='col'[^>]*>got</th></tr>.*"
    assert re.search(row + r"<td[^>]*>\[ 0.1,  0.2, -1. \]</td><td[^>]*>\[0., 0., 0.\]</td>", page)


def test_what_is_too_wide_to_stand_side_by_side_stands_below_each_other():
    """Else what came lies behind the right edge."""
    page = card("08", "rollout_values", lambda takes, heap: ([0.0] * (heap + 1), []))._repr_html_()
    row = r"<th scope='row'[^>]*>{}</th><td[^>]*>\(\[[^<]*</td></tr>"
    assert re.search(row.format("expected") + "<tr>" + row.format("got"), page)


def test_an_error_comes_with_the_student_s_line_and_the_case():
    function = defined("def f(*_):\n    table = {}\n    return table['e5']\n", "f")
    text = repr(card("04", "compound_return", function))
    assert "raised an error.\nline 3" in text and "\nCase: half one step, half two.\n" in text
    assert "\nKeyError: 'e5'\n" in text and "rlcourse" not in text


def test_a_position_is_drawn():
    [first, *_] = get_sheet("10").task("wins").visible
    shown = card("10", "wins", lambda state: None)
    position = str(from_recipe(first.args[0].recipe))
    assert "<svg" in shown._repr_html_() and position in repr(shown).replace("\n  ", "\n")
    assert "\nGot None.\n" in repr(shown)


def test_a_board_of_numbers_is_drawn_as_the_case_says():
    shown = card("06", "torus_areas", lambda board: np.zeros(3))
    assert ">Row 0: . 2 . . 2. Row 1: 2 1 3 1 1." in shown._repr_html_()
    assert "\n  . 2 . . 2\n  2 1 3 1 1\n" in repr(shown)
    several = Stones([[[0, 1], [0, 0]], [[0, 0], [-1, 0]]])
    assert str(several) == ". X\n. .\n\n. .\nO ."
    assert several._repr_svg_().count("</svg>") == 2


def test_the_caption_of_a_narrow_board_stays_inside_its_frame():
    drawn = Stones(np.zeros((3, 2), int))._repr_svg_()
    [(size, caption)] = re.findall(r'font-size="([\d.]+)" font-weight="600">([^<]+)<', drawn)
    [width] = re.findall(r'viewBox="0 0 (\d+) ', drawn)
    # In DejaVu Sans Bold a character of this caption is 0.56 of the font size wide.
    assert float(size) * 0.56 * len(caption) < int(width) - 2 * 8


def test_what_the_student_writes_is_no_markup():
    def f(*_):
        raise ValueError("<script>alert(1)</script>")

    page = card("04", "compound_return", f)._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page


def test_the_foot_of_a_check_says_how_far_the_sheet_is(capsys):
    sheet = get_sheet("04")
    sheet.results.clear()
    sheet.check("q_lambda", defined(answers04.RIGHT["q_lambda"][0], "q_lambda"))
    sheet.check("mover_targets", lambda *_: 0)
    sheet.results.clear()
    first, last = re.findall(r"^. of 5 checked tasks.*$", capsys.readouterr().out, re.MULTILINE)
    points = sheet.task("q_lambda").points
    assert first == last
    assert first.startswith(f"1 of 5 checked tasks pass their visible cases ({points} of ")


def test_a_function_that_passed_before_is_said_to_lack_a_name_that_it_had():
    """Another cell has bound its helper's name to something else; no word of it once it is new."""
    names, source = {}, answers04.RIGHT["mover_targets"][0]
    name, sheet = "mover_targets", get_sheet("04")
    exec(f"{source}\ndef helper(*given): return {name}(*given)", names)
    exec("def asked(*given): return helper(*given)", names)
    function = names["asked"]

    def said():
        with redirect_stdout(StringIO()) as text:
            sheet.check(name, function)
        return " ".join(text.getvalue().split())

    assert PASSED not in said()
    names["helper"] = lambda *_: 0.0
    assert PASSED in said() and PASSED in said()
    function = eval("lambda *given: helper(*given)", names)
    assert PASSED not in said()


def test_of_what_a_function_prints_the_beginning_is_shown(capsys):
    """`choose` is called thousands of times: all of it would freeze the page."""
    sheet = get_sheet("02")
    right = defined(answers02.RIGHT["choose"][0], "choose")

    def talks(*given):
        print("a line of the student's own")
        return right(*given)

    sheet.check("choose", talks)
    shown = capsys.readouterr().out
    lines = shown.count("a line of the student's own\n")
    assert 100 < lines < 1_000
    assert "the visible cases are right" in shown
    assert re.search(
        r"Your function printed [\d,]+ characters; the first 20,000 are\s+shown", shown
    )


def test_an_interrupted_check_says_where_the_function_was(capsys):
    """A loop without an end, stopped by hand: no traceback of the course's own."""
    source = "def sweep(*_):\n    while True:\n        raise KeyboardInterrupt"
    get_sheet("02").check("sweep", defined(source, "sweep"))
    shown = capsys.readouterr().out
    assert "timed out" in shown and "interrupted before it had answered (line 3" in shown


@pytest.fixture
def shell(monkeypatch):
    """What a notebook's cells run in."""
    shell = InteractiveShell.instance()
    monkeypatch.setattr(shell, "showtraceback", lambda *_, **__: None)
    yield shell
    InteractiveShell.clear_instance()


def test_a_cell_that_python_could_not_read_is_said_to_be_one(shell, capsys):
    """Else the function that was there before it would be judged: the blank, or an older one."""
    sheet, right = get_sheet("02"), answers02.RIGHT["sweep"][0]
    shell.user_ns["sheet02"] = sheet

    def said(source):
        shell.run_cell(source, store_history=True)
        shell.run_cell("sheet02.check('sweep', sweep)", store_history=True)
        return " ".join(capsys.readouterr().out.split())

    blank = "def sweep(values, P, R, terminal, gamma):\n    raise NotImplementedError()"
    broken = right.replace("terminal, gamma):", "terminal, gamma)")
    assert "not started" in said(blank)
    for before in (blank, right):
        said(before)
        words = said(broken)
        assert "raised an error" in words and "not started" not in words and "right" not in words
        assert "SyntaxError: expected ':'" in words and "def sweep(values, P, R" in words
    assert "the visible cases are right" in said(f"%time\n{right}")
    assert "the visible cases are right" in said("def swee(:")


def test_what_is_known_of_a_task_is_read_from_the_left():
    """JupyterLab sets the cells of tables to the right."""
    cells = re.findall(r"<t[dh]\b[^>]*>", get_sheet("04").summary()._repr_html_())
    assert cells and all("text-align:left" in cell for cell in cells)
