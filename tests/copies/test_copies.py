"""Disguised copies are listed, independent hand-ins and what the task forces are not; the report
accuses nobody.
"""

import ast
import random
from dataclasses import replace
from html import unescape

import pytest

from rlcourse.checks import get_sheet
from rlcourse.grading.copies import (
    MOST_OWNERS,
    Comparison,
    compare,
    compare_class,
    forced_by,
    references,
)
from rlcourse.grading.likeness import MOST_FORMS, read_forms
from rlcourse.grading.reading import ask
from rlcourse.grading.report import MOST_PAIRS, class_page
from rlcourse.grading.roster import Student
from rlcourse.grading.tables import canvas_csv, moodle_csv, scores_csv
from rlcourse.grading.whole_class import NOTHING, Round, Row
from rlcourse.notebook import BadSubmission
from tests.copies.disguises import DISGUISES, everything
from tests.copies.trial import are_twins, independent, population, run
from tests.grading.honest import Sheet

# A number, an order of two statements, a loop, a comprehension, a helper, a comment.
ANSWER = """
def half(x):
    return x / 2  # of one

def means(rows, weight):
    total = max(weight, 3)
    scale = len(rows) - total
    out = []
    for row in rows:
        out.append(half(sum(row) * scale) + 1)
    return [one - total for one in out]
"""
OTHER = """
def means(rows, weight):
    import numpy as np
    sums = np.asarray(rows).sum(axis=1)
    return (sums * weight + np.maximum(weight, sums)).tolist()
"""


def forms(source: str, name: str = "means"):
    return read_forms(source, [name])[name]


@pytest.mark.slow
def test_copies_in_each_disguise_are_listed_and_independent_pairs_are_not():
    counts = run(("01", "05", "08"), planted=3, pairs=8)
    assert counts.planted == 9 and counts.pairs == 24
    for name in DISGUISES:
        assert counts.found[name] >= 0.95 * counts.planted, name
    assert counts.alike == 0


@pytest.mark.parametrize("name", DISGUISES)
def test_a_disguise_changes_the_text_and_neither_the_answers_nor_the_forms(name):
    disguised = DISGUISES[name](ANSWER, "means")
    changed = disguised if name == "comments" else ast.dump(ast.parse(disguised))
    assert changed != (ANSWER if name == "comments" else ast.dump(ast.parse(ANSWER)))
    results = []
    for source in (ANSWER, disguised):
        made: dict = {}
        exec(source, made)
        results.append(made["means"]([[1, 2], [5, 9]], 4))
    # total 4, scale 2 - 4: half of 3 x -2 is -3, and of 14 x -2 is -14; plus 1, minus 4.
    assert results == [[-6, -17]] * 2
    before, after = forms(ANSWER), forms(disguised)
    assert before - after == {}
    assert (forms(OTHER) & before).total() < before.total() / 2


def test_the_forms_of_an_expression():
    # a * b, a[b] and len(a) with three nodes each, the inner sum with seven, the outer with eleven
    one = forms("def means(a, b):\n    return a * b + a[b] + len(a)")
    assert one.total() == 5
    assert one == forms("def means(q, w):\n    return len(q) + (q[w] + w * q)")
    # a slice of one bound has two, too few
    assert forms("def means(a):\n    return a[1:]").total() == 1
    assert one != forms("def means(a, b):\n    return a * b - a[b] + len(a)")


def test_a_helper_that_is_called_once_says_nothing():
    """Whether an expression stands in its place, or in a function of its own."""
    plain = "def means(a, b):\n    c = a.sum()\n    return b[c] * (c + max(a, b)) - c[b]"
    in_pieces = """
def inner(u, v, w):
    "Documented."
    return w + max(u, v)

def outer(x, y, z):
    return y[z] * inner(x, y, z) - z[y]

def total(q):
    return q.sum()

def means(a, b):
    c = total(a)
    return outer(a, b, c)
"""
    assert forms(in_pieces) == forms(plain)
    # one that calls itself, one that is called twice, and one that is given something else stay
    for kept in (
        "def f(n):\n    return f(n) + n[n]\n\ndef means(a):\n    return f(a)",
        "def f(n):\n    return n * n[n]\n\ndef means(a, b):\n    return f(a) + f(b)",
        "def f(n):\n    return n * n[n]\n\ndef means(a, b):\n    return f(a + b)",
        "def f(n, m=1):\n    return n * m[n]\n\ndef means(a):\n    return f(a)",
    ):
        assert forms(kept).total() > forms(kept.partition("\n\n")[0], "f").total(), kept


def test_what_is_handed_out_and_what_nobody_uses_has_no_forms():
    assert read_forms("def means(a):\n    raise NotImplementedError()", ["means"]) == {}
    padded = ANSWER + "\n\ndef unused(a):\n    return a * a + a[a]\n"
    assert forms(padded) == forms(ANSWER)
    assert forms(ANSWER + "\nmeans = sheet02.stand_in('means')\n") == forms(ANSWER)


def hand_in(number: int):
    """Two functions that no other number has: a chain of as many attributes."""
    chain = "".join(f".a{number}_{k}(x * {k})" for k in range(9))
    source = f"def f(x):\n    return x{chain}\n\ndef g(x):\n    return x.g{chain}"
    return read_forms(source, ["f", "g"])


def test_what_the_task_forces_or_many_have_is_not_listed():
    class_ = {f"s{k}": hand_in(k) for k in range(30)}
    assert compare(class_, {}).pairs == ()
    two = compare(class_ | {"copy": hand_in(7)}, {}).pairs
    assert [pair.students for pair in two] == [("s7", "copy")]
    assert two[0].functions == ("f", "g") and two[0].rest == two[0].alike == 1.0
    # In each function 9 products, which all 31 have, 9 calls and 8 attributes of a call.
    assert two[0].forced == pytest.approx(9 / 26)
    forced = compare(class_ | {"copy": hand_in(7)}, hand_in(7))
    assert forced.pairs == () and forced.too_short == 2
    many = {f"copy{k}": hand_in(7) for k in range(MOST_OWNERS)}
    assert compare(class_ | many, {}).pairs == ()
    # in one function alone two writers do agree
    mixed = {"f": hand_in(7)["f"], "g": hand_in(99)["g"]}
    assert compare(class_ | {"mixed": mixed}, {}).pairs == ()


def test_answers_that_differ_in_next_to_nothing_are_not_independent():
    """Those of `answers.py` that differ in one `> 0` are one text."""
    answers = population("08")
    for first, second in independent(answers, random.Random(8), 20):
        a, b = answers.hand_in(first), answers.hand_in(second)
        if answers.natural not in (first, second):
            assert not [name for name in a if are_twins(a[name], b[name])]


def test_a_task_that_the_course_leaves_out_is_not_compared():
    sheet = get_sheet("01")
    fewer = replace(sheet, tasks=tuple(task for task in sheet.tasks if task.name != "draft"))
    assert "draft" in forced_by(references(sheet))
    assert "draft" not in forced_by(references(fewer))
    assert compare_class(fewer, []).compared == 0


def test_the_courses_own_answer_is_forced():
    answers = population("02")
    reference = answers.hand_in((0,) * len(answers.sources))
    known = compare({"a": reference, "b": reference}, answers.forced())
    assert known.pairs == () and known.too_short == 2
    assert len(references(answers.sheet)) > 10


@pytest.mark.parametrize(
    "content",
    [
        b"def f(x):\n    return " + b"+".join([b"x"] * 20_000),
        b"def f(x):\n    return " + b"(" * 150 + b"x" + b")" * 150 + b"".join([b".a[x]"] * 9_000),
        b"def f(x):\n" + b"    x = x * x[1]\n" * (MOST_FORMS // 2 + 1),
        b"{",
    ],
    ids=("deep", "long", "many", "no notebook"),
)
def test_a_hostile_file_costs_its_own_comparison(content):
    try:
        read = ask("read_forms", content, ["f"])
    except BadSubmission:
        read = {}
    assert read == {}
    assert ask("read_forms", ANSWER, ["means"])["means"] == forms(ANSWER)


def notebook(sources: dict[str, str]) -> bytes:
    solved = Sheet("02")
    for cell in solved.answers:
        cell["source"] = sources[cell["id"]]
    return solved.bytes()


@pytest.mark.slow
def test_the_report_lists_them_in_neutral_words_and_the_tables_do_not():
    answers = population("02")
    natural = {name: sources[-1] for name, sources in answers.sources.items()}
    right = {name: sources[1] for name, sources in answers.sources.items()}
    disguised = {name: everything(source, name) for name, source in natural.items()}
    files = {"ada": natural, "bob": disguised, "cy": right}
    contents = [*((name, notebook(sources)) for name, sources in files.items()), ("dan", b"{")]
    comparison = compare_class(answers.sheet, contents)
    assert [pair.students for pair in comparison.pairs] == [("ada", "bob")]
    assert comparison.compared == 3 and comparison.unread == ("dan",)
    students = [Student(name, f"<b>{name}</b>") for name in ("ada", "bob", "cy", "dan")]
    without = Round(get_sheet("02"), tuple(Row(student, NOTHING) for student in students))
    done = replace(without, comparison=comparison)
    page = class_page(done)
    part = page[page.index("Hand-ins that are alike") : page.index("Everybody")]
    assert "<b>ada" not in part and "<b>ada</b>" in unescape(part)
    assert "<b>cy</b>" not in unescape(part)
    assert "Not compared" in part and "<b>dan</b>" in unescape(part)
    assert not any(word in part.lower() for word in ("cheat", "plagiar", "copied", "suspic"))
    assert "Hand-ins that are alike" not in class_page(without)
    for table in (moodle_csv, canvas_csv, scores_csv):
        assert table(done) == table(without)


def test_a_long_list_of_pairs_says_how_long_it_is():
    (pair,) = compare({"a": hand_in(1), "b": hand_in(1)}, {}).pairs
    students = tuple(Row(Student(name, name), NOTHING) for name in ("a", "b"))
    many = Comparison((pair,) * (MOST_PAIRS + 3), compared=2)
    page = class_page(Round(get_sheet("02"), students, comparison=many))
    assert page.count("<code>f</code>") == MOST_PAIRS and "3 more pairs" in page
    assert "could not be compared: why" in class_page(
        Round(get_sheet("02"), students, comparison=Comparison(trouble="why"))
    )
