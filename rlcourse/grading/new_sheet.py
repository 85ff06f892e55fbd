"""A sheet of an instructor's own: a working example with a task, its oracle, wrong answers and a notebook, to be changed."""

from pathlib import Path
from string import Template

import nbformat

from rlcourse.grading.classroom import PACKAGE
from rlcourse.grading.sources import BadCourse, Course

_ORACLE = Template('''\
"""Answers to the hidden cases of sheet $number, right and with each usual slip. Students never get this file."""

import numpy as np


def shaped_returns(rewards: np.ndarray, gamma: float, slip: str = "") -> np.ndarray:
    """[T] returns from each ply on: the reward of the ply itself counts in full."""
    returns, following = np.zeros(len(rewards)), 0.0
    for t in range(len(rewards))[:: 1 if slip == "forward" else -1]:
        following = rewards[t] + (1.0 if slip == "gamma" else gamma) * following
        returns[t] = following - rewards[t] if slip == "late" else following
    return returns
''')
_VISIBLE = Template('''"""The cases of sheet $number that students see, worked by hand."""

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def shaped() -> tuple[Case, ...]:
    """shaped_returns: rewards 1, 0, 4 with gamma 1/2."""
    # From the end: 4; 0 + 4/2 = 2; 1 + 2/2 = 2.
    right = np.array([2.0, 2.0, 4.0])
    return (Case((np.array([1.0, 0.0, 4.0]), 0.5), Key(right), title="rewards 1, 0, 4; gamma 0.5"),)
''')
_SLIPS = """{
 "shaped_returns": {
  "rewards 1, 0, 4; gamma 0.5": {
   "forward": {"array": [1.0, 0.5, 4.25]},
   "gamma": {"array": [5.0, 4.0, 4.0]},
   "late": {"array": [1.0, 2.0, 0.0]}
  }
 }
}
"""
_SHEET = Template('''\
"""Sheet $number, $title: the tasks, and what each usual mistake is told."""

from pathlib import Path

from rlcourse.checks import visible$number
from rlcourse.checks.judging import by_key
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import ManualTask, Task
from rlcourse.checks.visible import read_slips

SHAPED_MISTAKES = {
    "forward": "the sum runs from the first ply on: a return looks ahead, so begin at the last ply",
    "gamma": "the rewards are not discounted: multiply by gamma once a ply",
    "late": "the reward of the ply itself is missing",
}

SHEET = Sheet(
    "$number",
    "$title",
    (
        Task(
            "shaped_returns", 70, 15, 1, "shaped_returns", by_key, ("rlcourse.experience:discounted_returns",),
            "Returns by hand", visible$number.shaped(), SHAPED_MISTAKES, "games of one ply, long games, negative rewards",
        ),
    ),
    manual=(ManualTask("explanation", 30, 10, 1, "Explain"),),
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.check, SHEET.grade, SHEET.attempt, SHEET.summary, SHEET.stand_in
''')
_HIDDEN = Template('''\
"""Sheet $number, $title: how the hidden cases are drawn, and what the oracle answers. Students never get this file."""

import numpy as np

from rlcourse.checks import oracle$number
from rlcourse.checks.judging import by_oracle, keyed
from rlcourse.checks.sheet$number import SHAPED_MISTAKES
from rlcourse.checks.task import Case, Hidden


def _shaped_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for length in (1, 5, 12):
        args = (rng.normal(size=length).round(3), float(rng.uniform(0.3, 0.95)))
        cases.append(keyed(oracle$number.shaped_returns, SHAPED_MISTAKES, *args))
    return cases


def _shaped_domain(rewards: np.ndarray, gamma: float) -> bool:
    return len(rewards) >= 1 and 0 <= gamma <= 1


HIDDEN = {
    "shaped_returns": Hidden(
        _shaped_cases, _shaped_domain, by_oracle(oracle$number.shaped_returns, SHAPED_MISTAKES)
    ),
}
''')
_ANSWERS = Template('''"""Answers to sheet $number as students write them. Try the grader on them, in the course's folder:

    python -m tests.wrong_answers --sheet $number --seeds 50 --course THIS_FOLDER
"""

from rlcourse.grading.answers import slip

LOOP = """
import numpy as np

def shaped_returns(rewards, gamma):
    returns, following = np.zeros(len(rewards)), 0.0
    for t in range(len(rewards) - 1, -1, -1):
        following = rewards[t] + gamma * following
        returns[t] = following
    return returns
"""
POWERS = """
def shaped_returns(rewards, gamma):
    return [sum(gamma ** (k - t) * rewards[k] for k in range(t, len(rewards))) for t in range(len(rewards))]
"""
RIGHT = {"shaped_returns": [LOOP, POWERS]}
WRONG = {
    "shaped_returns": [
        ("forward", slip(LOOP, ("range(len(rewards) - 1, -1, -1)", "range(len(rewards))"))),
        ("gamma", slip(LOOP, ("gamma * following", "following"))),
        ("late", slip(LOOP, ("= following\\n    return", "= following - rewards[t]\\n    return"))),
        ("shape", slip(LOOP, ("return returns", "return returns[1:]"))),
        ("imported", "from rlcourse.experience import discounted_returns as shaped_returns"),
    ],
}
''')
_SOLUTION = '''def shaped_returns(rewards, gamma):
    """[T] returns, one a ply. rewards [T], gamma a ply."""
    ### BEGIN SOLUTION
    returns, following = np.zeros(len(rewards)), 0.0
    for t in range(len(rewards) - 1, -1, -1):
        following = rewards[t] + gamma * following
        returns[t] = following
    return returns
    ### END SOLUTION'''
_CHECK = """sheet{0}.check("shaped_returns", shaped_returns)
### BEGIN HIDDEN TESTS
sheet{0}.grade("shaped_returns", shaped_returns)
### END HIDDEN TESTS"""


def make_sheet(number: str, folder: Path, title: str) -> list[Path]:
    """Write the example; the files that were made. Raises BadCourse for a number that is taken."""
    if (
        len(number) != 2
        or not number.isdigit()
        or number in Course(PACKAGE.parent).numbers()
        or int(number) <= 10
    ):
        raise BadCourse(
            f"a sheet of your own has two digits that the course does not use, such as 51; got {number!r}"
        )
    if not title.isprintable() or set(title) & set('"\\$'):
        raise BadCourse("a title is one line without quotes, backslashes and dollars")
    words = {"number": number, "title": title}
    templates = {
        "tasks.py": _SHEET,
        "visible.py": _VISIBLE,
        "hidden.py": _HIDDEN,
        "oracle.py": _ORACLE,
        "answers.py": _ANSWERS,
    }
    files = {name: text.substitute(words) for name, text in templates.items()}
    files["visible.json"] = _SLIPS
    files[f"{number}_sheet.ipynb"] = nbformat.writes(_notebook(number, title)) + "\n"
    place = Course(folder, own=True).place(number)
    if place.exists():
        raise BadCourse(f"{folder} has a sheet {number} already ({place}); nothing was changed")
    place.mkdir(parents=True)
    for name, text in files.items():
        (place / name).write_text(text, encoding="utf-8")
    return [place / name for name in files]


def _notebook(number: str, title: str) -> nbformat.NotebookNode:
    heading = (
        f"# Sheet {number}: {title}\n\nOne task and an explanation. Write where `raise NotImplementedError()` stands, "
        "then run the check below."
    )
    task = (
        "## Task 1: returns by hand\n\n*70 points, 15 minutes, easy*\n\n"
        "Write `shaped_returns(rewards, gamma)`: the return from each ply on, as `[T]`. "
        "The reward of the ply itself counts in full, the next one times `gamma`, and so on."
    )
    explain = (
        "## Task 2: explain\n\n*30 points, 10 minutes, easy; marked by a person*\n\n"
        "What changes when `gamma` is close to 1, and what when it is close to 0?"
    )
    cells = [
        _cell("markdown", "title", heading, locked=True),
        _cell(
            "code",
            "setup",
            f"import numpy as np\n\nfrom rlcourse.checks import sheet{number}",
            locked=True,
        ),
        _cell("markdown", "shaped-text", task, locked=True),
        _cell("code", "shaped_returns", _SOLUTION, solution=True),
        _cell("code", "check-shaped_returns", _CHECK.format(number), locked=True, points=70),
        _cell("markdown", "explanation-text", explain, locked=True),
        _cell(
            "markdown",
            "explanation",
            "Close to 1 the far future counts; close to 0 only the next reward does.",
            solution=True,
            points=30,
        ),
        _cell("code", "table", f"sheet{number}.summary()", locked=True),
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    notebook.metadata = {
        "kernelspec": kernel,
        "language_info": {"name": "python"},
        "rlcourse": {"sheet": number},
    }
    return notebook


def _cell(
    kind: str,
    name: str,
    source: str,
    *,
    locked: bool = False,
    solution: bool = False,
    points: int | None = None,
) -> nbformat.NotebookNode:
    make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
    graded = {
        "grade": points is not None,
        "grade_id": name,
        "locked": locked,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    graded |= {"points": points} if points is not None else {}
    return make(source, id=name, metadata={"nbgrader": graded})
