"""The course's own errors: in a notebook a few lines, the student's own among them."""

import ast
import builtins
import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

import rlcourse
from tests.unit.test_kernels import is_kernel

ROOT = Path(rlcourse.__file__).parent
CELLS = {
    "IllegalMove": """from rlcourse.games import get_game
state = get_game("tic-tac-toe").new_game()
for move in ("b2", "b2"):
    state = state.apply_move(move)""",
    "UnknownGame": "from rlcourse.games import get_game\nget_game('chess')",
    "UnknownAgent": "from rlcourse.agents import load_agent\nload_agent('tic-tac-toe/nobody')",
    "UnknownTask": "from rlcourse.checks import sheet04\nsheet04.check('traces', len)",
    "BadValue": "from rlcourse.arena import sample_size\nsample_size(1.5)",
    "BadType": "from rlcourse.boards import play\nplay(7)",
    "BadOrder": """from rlcourse.experience import ExperienceCollector
ExperienceCollector().add_reward(1.0)""",
}
# These end inside the course: a student never meets them.
NOT_STUDENTS = {"grading", "hub"}  # their copies have neither
INTERNAL = {"TimedOut", "Narrow", "NotPlain", "BadFrame", "Refused"}


@pytest.mark.parametrize("name", CELLS)
def test_an_error_of_the_course_is_the_student_s_line_and_a_sentence(name):
    printed = io.StringIO()
    with redirect_stdout(printed):
        InteractiveShell.instance().run_cell(CELLS[name])
    line, message = printed.getvalue().rstrip().split("\n")
    last = CELLS[name].split("\n")[-1].strip()
    assert line == f"Line {len(CELLS[name].splitlines())}: {last}"
    assert message.startswith(f"{name}: ")


def test_an_error_of_a_student_s_player_fits_on_a_screen():
    """Without the course's frames between the match and the player's own line."""
    cell = """from rlcourse.agents import load_agent
from rlcourse.agents.function import FunctionAgent
from rlcourse.arena import play_match
from rlcourse.games import get_game
def choose(state):
    return [][0] if state.board.any() else 3
at_random = load_agent("connect-four/random")
play_match(FunctionAgent(get_game("connect-four"), choose), at_random, games=2, seed=0)"""
    printed = io.StringIO()
    with redirect_stdout(printed):
        InteractiveShell.instance().run_cell(cell)
    shown = re.sub(r"\x1b\[[\d;]*m", "", printed.getvalue())
    assert shown.count("\n") < 30 and "return [][0] if" in shown and "play_match" in shown
    assert shown.endswith("IndexError: list index out of range\n")


def test_every_error_that_a_student_can_meet_is_one_of_the_course():
    """By name, since a module may not be importable here."""
    kinds = {name for name in vars(builtins) if name.endswith(("Error", "Exception"))}
    long = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in ROOT.rglob("*.py")
        if path.relative_to(ROOT).parts[0] not in NOT_STUDENTS
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        if not kinds.isdisjoint(bases := {ast.unparse(base) for base in node.bases})
        if node.name not in INTERNAL | {"CourseError"}
        if "CourseError" not in bases
    ]
    assert not long


def test_no_plain_error_of_python_is_raised_for_a_bad_argument():
    """It would show frames of the course. Kernels raise what Numba knows."""
    plain = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in ROOT.rglob("*.py")
        if not {"grading", "template"} & set(path.parts)
        for outer in ast.parse(path.read_text("utf-8")).body
        if not is_kernel(outer)
        for node in ast.walk(outer)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
        if ast.unparse(node.exc.func) in ("ValueError", "TypeError", "RuntimeError")
    ]
    assert not plain
