"""A task is asked where its check stands, as the student saw it pass: names of later cells do
not replace the student's.
"""

import ast
import json
from importlib import import_module
from itertools import cycle
from unittest.mock import Mock

import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Outcome
from rlcourse.grading import Patience, grade_file, grade_seeds, launch_plain
from tests.grading.course import CAPSTONE, NUMBERS, SHEETS, Course, few_drawn, with_cases_of
from tests.grading.forked import launch_fork
from tests.grading.test_grade import RIGHT, task

pytestmark = pytest.mark.slow


SHEET = Sheet("00", "trial", (task("first"), task("second"), task("third")))
HELPED = "def help(x):\n    return x.sum()\n\ndef {}(x):\n    return help(x)\n"
SPOILED = "def help(x):\n    return -1.0\n"


def check(name):
    return f"from rlcourse.checks import sheet02 as sheet00\nsheet00.check({name!r}, {name})"


def notebook(*sources, scored=()):
    metadata = {"nbgrader": {"grade": True, "solution": False}}
    cells = [
        {"cell_type": "code", "source": source, "metadata": metadata if number in scored else {}}
        for number, source in enumerate(sources, 1)
    ]
    return json.dumps({"cells": cells, "metadata": {"rlcourse": {"sheet": "00", "release": 1}}})


def points(content, launcher=launch_fork, **options):
    report = grade_file(SHEET, content, seed=5, launcher=launcher, **options)
    return [result.points for result in report.results], report


def code(course):
    """The cells of code that the sheet hands out."""
    cells = json.loads(course.release.read_text())["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def names_around(course, sheet):
    """The names that the sheet uses: those of its tasks, its given cells, its checks, its oracle and
    its hidden cases. What the setup imports is left out: the given cells stand on it.
    """
    given = [
        cell
        for cell in code(course)
        if not cell["metadata"]["nbgrader"]["grade"]
        and not cell["metadata"]["nbgrader"]["solution"]
    ]
    setup = bound(given[0])
    modules = [import_module(f"rlcourse.checks.{kind}{sheet.number}") for kind in MODULES]
    names = {name for module in modules for name in vars(module) if not name.startswith("__")}
    names |= {name for cell in given for name in bound(cell)}
    names |= {task.function for task in sheet.tasks} | {"rng", "state", "game"}
    return names - setup


def bound(cell):
    """The names that a given cell binds."""
    names = set()
    for node in ast.parse("".join(cell["source"])).body:
        names |= {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else set()
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        if isinstance(node, ast.Assign):
            names |= {
                one.id
                for target in node.targets
                for one in ast.walk(target)
                if isinstance(one, ast.Name)
            }
    return names


def with_own_names(source, function, names):
    """The answer with these names above it, which every call looks at: each second one a helper's,
    the others variables'.
    """
    tree = ast.parse(source)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names = sorted(names - used - {function})
    bodies = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    owner = next(node for node in tree.body if getattr(node, "name", "") == function)
    bindings = list(zip(names, cycle(KINDS)))
    values = ", ".join(value.format(name) for name, (_, value) in bindings)
    for node in bodies if isinstance(owner, ast.ClassDef) else [owner]:
        node.body.insert(0, ast.parse(f"assert {names} == [{values}], 'another name'").body[0])
    return "".join(line.format(name) for name, (line, _) in bindings) + ast.unparse(tree)


# how a name is bound, and how its value is had
KINDS = (("{0} = {0!r}\n", "{}"), ("def {0}():\n    return {0!r}\n", "{}()"))
MODULES = ("sheet", "oracle", "hidden")


@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=with_cases_of(number)) for number in SHEETS]
)
def test_names_that_the_sheet_uses_elsewhere_may_be_the_students_own(number):
    course, sheet = Course(number), get_sheet(number)
    sources, names = trial_sources(course, number), names_around(course, sheet)
    for item in sheet.tasks:
        if number != CAPSTONE or item is sheet.tasks[0]:
            cell = sheet.cell_of(item)
            sources[cell] = with_own_names(sources[cell], item.function, names)
    notebook = filled(course, sources)
    assert seen(sheet, notebook) == {item.name: Outcome.RIGHT for item in sheet.tasks}
    content, cases = json.dumps(notebook), few_drawn(number)
    report = grade_file(sheet, content, seed=0, launcher=launch_fork, cases=cases)
    assert report.points == sum(item.points for item in sheet.tasks), [
        (r.task, r.message, r.private) for r in report.results if r.message
    ]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_check_that_is_run_again_at_the_end_accepts_the_same_answers(number):
    """The cells that the sheet hands out bind no name of a helper in a listed answer."""
    course, sheet = Course(number), get_sheet(number)
    right = import_module(f"rlcourse.checks.answers{number}").RIGHT
    for place in range(max(map(len, right.values()))):
        answers = {
            sheet.cell_of(item): right[item.name][place % len(right[item.name])]
            for item in sheet.tasks
        }
        again = seen(sheet, filled(course, answers), again=True)
        assert again == {item.name: Outcome.RIGHT for item in sheet.tasks}, place


def filled(course, sources):
    """The sheet with these answers, as a student hands it in."""
    notebook = course.fill(sources)
    for cell in notebook.cells:
        cell.source = cell.source.replace("### BEGIN SOLUTION", "").replace("### END SOLUTION", "")
    return notebook


def seen(sheet, notebook, again=False):
    """Task -> what its check says when the cells run from top to bottom; again: and then a second
    time, below everything. Experiments are left out.
    """
    scope = {"__name__": "__main__"}
    cells = {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "code"}
    checks = [source for name, source in cells.items() if name.startswith("check-")]
    sheet.results.clear()
    for name, source in cells.items():
        if name not in ("experiment", "trial", "table"):
            exec(source, scope)
    if again:
        sheet.results.clear()
        for source in checks:
            exec(source, scope)
    return {name: result.outcome for name, result in sheet.results.items()}


def trial_sources(course, number):
    if number == CAPSTONE:
        cells = json.loads(course.source.read_text())["cells"]
        return {cell["id"]: "".join(cell["source"]) for cell in cells if cell["id"] == "choose"}
    return {name: source for name, source in course.solutions().items() if name != "experiment"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        # the sheet's name, below the check
        (
            notebook(
                HELPED.format("first"),
                check("first"),
                SPOILED,
                RIGHT.format("second"),
                check("second"),
            ),
            [10, 10, 0],
        ),
        # all in one cell, and the same as a script, which says by its import whose it is
        (
            notebook(
                "\n".join([HELPED.format("first"), check("first"), SPOILED, RIGHT.format("second")])
            ),
            [10, 10, 0],
        ),
        (
            "\n".join(
                [
                    HELPED.format("first"),
                    check("first").replace("sheet02 as sheet00", "sheet00"),
                    SPOILED,
                    RIGHT.format("second"),
                ]
            ),
            [10, 10, 0],
        ),
        # the check is a cell that is not run
        (notebook(HELPED.format("first"), check("first"), SPOILED, scored=(2,)), [10, 0, 0]),
        # a call over several lines, another name of the sheet, single quotes
        (
            notebook(
                HELPED.format("first") + "\nsheet.check(\n    'first',\n    first,\n)\n" + SPOILED
            ),
            [10, 0, 0],
        ),
        # no check at all: below the function
        (notebook(HELPED.format("first"), SPOILED), [10, 0, 0]),
        # the answer needs what stands below the check; so does the second one, but not the third
        (
            notebook(
                "def first(x):\n    return later(x)",
                check("first"),
                "def later(x):\n    return x.sum()",
                RIGHT.format("third"),
            ),
            [10, 0, 10],
        ),
        # so does one that is set to nothing above
        (
            notebook(
                "total = None\ndef first(x):\n    return total(x)",
                check("first"),
                "import numpy\ntotal = numpy.sum",
            ),
            [10, 0, 0],
        ),
        # the function stands below its check: written into another cell, or by another name
        (
            notebook(
                "def first(x):\n    raise NotImplementedError()",
                check("first"),
                "1 / 0",
                RIGHT.format("first"),
            ),
            [10, 0, 0],
        ),
        (notebook(check("first"), RIGHT.format("mine"), "first = mine"), [10, 0, 0]),
        (notebook(check("first"), "exec(" + repr(RIGHT.format("first")) + ")"), [10, 0, 0]),
        # the last one counts, with the check that follows it
        (
            notebook(
                "def first(x):\n    return 0.0",
                check("first"),
                HELPED.format("first"),
                check("first"),
                SPOILED,
            ),
            [10, 0, 0],
        ),
        (
            notebook(
                HELPED.format("first"),
                check("first"),
                "def first(x):\n    return x.mean()",
                check("first"),
            ),
            [0, 0, 0],
        ),
        # a local variable of that name, and the course's stand-in, are no definition
        (
            notebook(
                HELPED.format("first"),
                check("first"),
                SPOILED,
                "def third(x):\n    first = x.sum()\n    return first",
            ),
            [10, 0, 10],
        ),
        (
            notebook(
                HELPED.format("first"), check("first"), SPOILED, "first = sheet00.stand_in('first')"
            ),
            [10, 0, 0],
        ),
    ],
    ids=lambda part: None,
)
def test_where_a_task_is_asked(content, expected):
    given, report = points(content)
    assert given == expected, [
        (result.task, str(result.outcome), result.message) for result in report.results
    ]


def test_cells_of_other_tasks_that_crash_or_hang_cost_no_task_that_stands_above_or_below():
    sources = (
        HELPED.format("first"),
        check("first"),
        SPOILED,
        "import os; os._exit(1)",
        "while True: pass",
        RIGHT.format("second"),
        check("second"),
        "import os; os._exit(2)",
        "def third(x):\n    return last(x)",
        check("third"),
        "def last(x):\n    return x.sum()",
    )
    given, report = points(notebook(*sources), patience=Patience(cell=2.0))
    assert given == [10, 10, 10], report
    assert any("cell 4 crashed" in note for note in report.notes) and any(
        "cell 5 took more" in note for note in report.notes
    )


def test_what_stands_below_the_last_check_is_not_run_unless_an_answer_needs_it():
    launcher = Mock(wraps=launch_plain)
    sources = (
        RIGHT.format("first"),
        check("first"),
        RIGHT.format("second"),
        RIGHT.format("third"),
        "while True: pass",
    )
    given, report = points(notebook(*sources), launcher=launcher)
    assert given == [10, 10, 10] and launcher.call_count == 1 and report.notes == ()


def test_every_seed_is_asked_in_place():
    content = notebook(
        HELPED.format("first"),
        check("first"),
        SPOILED,
        RIGHT.format("second"),
        RIGHT.format("third"),
    )
    assert [report.points for report in grade_seeds(SHEET, content, range(3))] == [30.0, 30.0, 30.0]


# --- the rule is no second guess, and no way out --------------------------------------------------

ABUSED = {
    "answers by where it is asked": "def first(x):\n"
    "    return x.sum() if 'later' in globals() else x.mean()",
    "answers the second time": "asked = []\n"
    "def first(x):\n"
    "    asked.append(1)\n"
    "    return x.sum() if len(asked) > 3 else x.mean()",
    "guesses again after an error": (
        "asked = []\n"
        "def first(x):\n"
        "    asked.append(1)\n"
        "    if len(asked) == 1: raise NameError('later')\n"
        "    return x.mean()"
    ),
}


@pytest.mark.parametrize("name", ABUSED)
def test_a_judged_answer_is_not_asked_again(name):
    given, report = points(
        notebook(ABUSED[name], check("first"), "later = 1", RIGHT.format("second"))
    )
    assert given[:2] == [0, 10], report


def test_cells_below_a_question_tell_the_student_nothing_of_its_inputs():
    """The function keeps what it is asked; later cells raise, crash and name it, one bit a cell."""
    tells = [
        f"if kept and int(kept[0].sum() * 100) >> {bit} & 1: raise ValueError(str(kept))"
        for bit in range(8)
    ]
    sources = (
        "kept = []\ndef first(x):\n    kept.append(x)\n    return x.sum()",
        check("first"),
        *tells,
        "import os\nif kept: os._exit(int(kept[0].sum() * 100) % 250 + 1)",
        RIGHT.format("second"),
        check("second"),
        "raise KeyError(str(kept))",
        "def third(x):\n    return later(x)",
        check("third"),
        "later = sum",
    )
    given, report = points(notebook(*sources))
    assert given == [10, 10, 10]
    assert [note for note in report.notes if "cell" in note] == [
        "cell 14 raised KeyError: '[]' (line 1: raise KeyError(str(kept)))"
    ]
