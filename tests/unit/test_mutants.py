"""The tool that makes wrong answers: what it changes, and what the checks say of a few of them.

`python -m tests.mutants --sheet 01` asks about all of them, in minutes.
"""

import ast
import time
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.calling import Desk
from rlcourse.checks.task import Case, Mark, Task
from tests.mutants import asking, natural
from tests.mutants.asking import Fate, answer, ask, domain_cases, explains, fate
from tests.mutants.making import Mutant, change, mutants
from tests.mutants.report import as_markdown, counts, read, to_look_at

ROOT = Path(__file__).parents[2]
SHEETS = sorted(path.stem[-2:] for path in (ROOT / "tests/mutants").glob("domain*.py"))
TASKS = [(number, task.name) for number in SHEETS for task in get_sheet(number).tasks]

BACKWARDS = """
def box_returns(mover, boxes, gamma):
    returns, following = [0.0] * len(mover), 0.0
    for t in range(len(mover) - 1, -1, -1):
        if t + 1 < len(mover) and mover[t + 1] != mover[t]:
            following = -following
        following = boxes[t] + gamma * following
        returns[t] = following
    return returns
"""


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Few questions from the domains of the tasks that these tests ask about."""
    for domains in (import_module(f"tests.mutants.domain{number}").DOMAINS for number in SHEETS):
        for name, domain in domains.items():
            monkeypatch.setitem(domains, name, domain._replace(inputs=min(30, domain.inputs)))
    domain_cases.cache_clear()
    yield
    domain_cases.cache_clear()


@pytest.mark.parametrize(
    ("operator", "line", "changed"),
    [
        ("sign_lost", "return -a", "return a"),
        ("sign_turned", "return a + b", "return a + -b"),
        ("operator_changed", "return a + b", "return a - b"),
        ("operands_swapped", "return a - b", "return b - a"),
        ("term_dropped", "return a + b", "return a"),
        ("arguments_swapped", "return f(a, b)", "return f(b, a)"),
        ("branches", "return a if c else b", "return b if c else a"),
        ("where", "return np.where(a, b, -np.inf)", "return np.where(a, b, 0.0)"),
        ("off_by_one", "return a[b]", "return a[b + 1]"),
        ("off_by_one", "return a ** b", "return a ** (b - 1)"),
        ("off_by_one", "return range(a)", "return range(a - 1)"),
        ("other_number", "return 0.0", "return 1.0"),
        ("opposite_function", "return a.max()", "return a.min()"),
        ("opposite_function", "return np.argmax(a)", "return np.argmin(a)"),
        ("index_itself", "return a[np.argmax(b[a])]", "return np.argmax(b[a])"),
        ("copy_missing", "return a.copy()", "return a"),
        ("in_place", "return np.zeros(3)", "return a.copy()"),
        ("whole_numbers", "return np.zeros(3)", "return np.zeros(3, dtype=int)"),
        ("axis", "return a.sum(axis=1)", "return a.sum(axis=0)"),
        ("axis", "return a.std()", "return a.std(ddof=1)"),
        ("complement", "return alpha * a", "return (1 - alpha) * a"),
        ("boundary", "return a < b", "return a <= b"),
        ("both_or_one", "return a and b", "return a or b"),
        ("condition_dropped", "return [x for x in a if x]", "return [x for x in a]"),
        ("other_way_round", "return list(reversed(a))", "return list(a)"),
        ("other_generator", "return rng.random()", "return np.random.random()"),
        ("results_swapped", "return a, b", "return (b, a)"),
        ("dropped", "a = b; return a", "return a"),
        ("order", "a = b; b = c; return a", "b = c; a = b; return a"),
        ("always_or_never", "if a:\n  b = c\nreturn b", "b = c; return b"),
        ("sum_lost", "a += b; return a", "a = b; return a"),
        ("changed_in_place", "a = a * b; return a", "a *= b; return a"),
        (
            "mask_first",
            "d = -a; return np.where(c, d, 0)",
            "a = np.where(c, a, 0); d = -a; return d",
        ),
        (
            "early_return",
            "for x in a:\n  b = x\nreturn b",
            "for x in a:\n  b = x\n  return b\nreturn b",
        ),
    ],
)
def test_each_kind_of_slip_is_made(operator, line, changed):
    made = {(one.operator, one.source) for one in mutants([_function(line)])}
    assert (operator, mutant_text(_function(changed))) in made


def _function(body):
    rows = body.replace("; ", "\n").splitlines()
    return "def f(a, b, c, alpha, rng):\n" + "\n".join(f"  {row}" for row in rows)


def mutant_text(source):
    """The source as a mutant has it."""
    return ast.unparse(ast.parse(source))


def test_mutants_are_different_texts_that_differ_from_every_right_answer():
    sources = [BACKWARDS, BACKWARDS.replace("following = -following", "following *= -1")]
    made = [one.source for one in mutants(sources)]
    assert len(set(made)) == len(made) > 50
    assert not {mutant_text(source) for source in sources} & set(made)


def test_a_change_is_told_by_its_lines():
    assert change("a = 1\nb = 2", "a = 1\nb = 3") == "b = 2 -> b = 3"
    assert change("a = 1\nb = 2", "b = 2\na = 1").startswith("moved: ")


def test_a_sign_that_is_forgotten_is_told_so_by_both_checks():
    wrong = BACKWARDS.replace("following = -following", "pass")
    found = fate("01", "box_returns", Mutant("dropped", "", wrong))
    assert (found.visible, found.hidden, found.offered) == ("no_sign", "no_sign", ("no_sign",))
    assert not found.untrue and not found.equal


def test_a_change_without_effect_is_equal_all_over_the_domain():
    found = fate("01", "box_returns", Mutant("none", "", BACKWARDS.replace("t + 1 <", "1 + t <")))
    assert (found.visible, found.hidden, found.equal) == ("right", "right", True)


def test_a_mistake_that_only_explains_part_of_the_domain_is_no_explanation():
    task = get_sheet("01").task("box_returns")
    first_player = BACKWARDS.replace("mover[t + 1] != mover[t]", "mover[t + 1] == 1")
    assert not explains("01", task, "no_sign", answer(first_player, "box_returns"))


def test_no_mistake_explains_a_function_that_only_raises():
    task = get_sheet("01").task("box_returns")
    raising = answer("def box_returns(*given):\n    raise ValueError", "box_returns")
    assert not explains("01", task, "no_sign", raising)


def test_a_mistake_explains_a_function_that_divides_by_0_at_a_corner():
    """A mean over no other actions is nan, as a division of Python's numbers is an error."""
    right = import_module("tests.mutants.natural.sheet11").ANSWERS["expected_sarsa"]
    others = right.replace("row.mean()", "(row.sum() - row.max()) / (len(row) - 1)")
    assert others != right
    assert not fate("11", "expected_sarsa", Mutant("natural", "", others)).untrue


def test_a_references_list_is_judged_as_the_array_that_the_check_asks_for(monkeypatch):
    right = asking.reference("06", "torus_areas")
    monkeypatch.setattr(asking, "reference", lambda *_: lambda board: [*map(int, right(board))])
    task = get_sheet("06").task("torus_areas")
    assert explains("06", task, "", lambda board: np.asarray(right(board), float))


def test_a_loop_without_an_end_is_stopped():
    def endless(x):
        while True:
            x += 1

    task = Task("count", 1, 1, 1, "endless", lambda case, given: Mark(1.0), seconds=0.2)
    assert ask(task, Case((1,)), endless, Desk()).status == "timed_out"


def test_a_function_that_is_slow_at_every_question_is_not_asked_all_of_them(monkeypatch):
    """One that is slow, and not endless, would be asked for an hour."""
    monkeypatch.setattr(asking, "ENOUGH", 0.05)
    task, right, asked = get_sheet("01").task("box_returns"), answer(BACKWARDS, "box_returns"), []

    def slow(*given):
        asked.append(given)
        time.sleep(0.02)
        return right(*given)

    assert not explains("01", task, "", slow)
    asking.holds_everywhere("01", task, "all answers are wrong", slow)
    assert len(asked) < len(domain_cases("01", "box_returns"))


def test_broken_and_equal_mutants_are_not_counted_as_wrong():
    mutant = Mutant("dropped", "a -> b", "")
    found = [
        Fate(mutant, "raised an error", "raised an error"),
        Fate(mutant, "right", "right", equal=True),
        Fate(mutant, "sign", "sign", ("sign",)),
        Fate(mutant, "right", "other"),
        Fate(mutant, "sign", "other", ("sign",), untrue=("sign",)),
    ]
    assert counts(found) == {
        "made": 5,
        "broken": 1,
        "equivalent": 1,
        "wrong": 3,
        "visible": 2,
        "hidden": 3,
        "told": 2,
        "untrue": 1,
    }
    lines = list(to_look_at("01", "box_returns", found))
    assert [line.split()[0] for line in lines] == ["EQUIVALENT,", "not", "UNTRUE"]


@pytest.mark.parametrize(("number", "name"), TASKS)
def test_a_domain_is_inside_what_the_text_states(number, name):
    task = get_sheet(number).task(name)
    domain = import_module(f"tests.mutants.domain{number}").DOMAINS[name]
    rng = np.random.default_rng(5)
    for case in [*domain.corners, *(domain.draw(rng) for _ in range(100))]:
        assert task.domain(*(case.args if not case.script else (*case.args, case.script)))


def test_the_page_on_checks_shows_what_the_checks_see():
    guide = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    assert as_markdown(read()) in guide


STORED_TASKS = [(number, name) for number, tasks in read().items() for name in tasks]


@pytest.mark.parametrize(("number", "name"), STORED_TASKS)
def test_what_was_stored_of_a_task_is_what_a_check_should_do(number, name):
    """At least 95% of the wrong ones are seen, all are graded wrong, nobody is told an untruth."""
    stored = read()[number][name]
    assert stored["hidden"] == stored["wrong"]
    assert stored["visible"] >= 0.95 * stored["wrong"]
    assert stored["untrue"] == 0


NATURAL = [
    (number, name)
    for number in natural.SHEETS
    for name in import_module(f"tests.mutants.natural.sheet{number}").ANSWERS
]


@pytest.mark.parametrize(("number", "name"), NATURAL)
def test_what_a_writer_began_from_is_right(number, name):
    source = import_module(f"tests.mutants.natural.sheet{number}").ANSWERS[name]
    found = fate(number, name, Mutant("none", "", source))
    assert (found.visible, found.hidden) == ("right", "right")


@pytest.mark.parametrize("number", natural.SHEETS)
def test_a_writers_slips_are_all_graded_wrong_and_told_no_untruth(number):
    stored = natural.read()[number]["today"]
    made = sum(len(natural.slips(number, task.name)) for task in get_sheet(number).tasks)
    assert stored["slips"] == stored["hidden"] == made
    assert stored["untrue"] == 0


def test_the_page_on_checks_shows_what_writers_were_told():
    guide = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    assert natural.as_markdown(natural.read()) in guide
