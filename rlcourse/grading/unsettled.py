"""What an answer lacks may be lacking on the grader's machine alone.

Such a task is for a person to settle, and never a silent 0.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace

from rlcourse.checks.task import Outcome, Result, Task
from rlcourse.grading.submission import Submission

PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor} of the grader"
# Cells that run another notebook or script: %run mine.ipynb, exec(open("mine.py").read()).
_RUNS_ANOTHER_FILE = re.compile(
    r"""^[ \t]*%run[ \t]|run_line_magic\(["']run["']|^[ \t]*exec\(.*\b(?:open|read_text)\(""", re.M
)


def missing_here_alone(
    task: Task, result: Result, submission: Submission, notes: Mapping[int, str]
) -> Result:
    """The result, or UNSETTLED where it may lack a newer Python, a package or another file alone.

    notes: cell -> what went wrong with it.
    """
    reason = next(_reasons(task, result, submission, notes), "")
    if not reason:
        return result
    message = f"{reason}; a person gives the points"
    return replace(result, outcome=Outcome.UNSETTLED, message=message)


def _reasons(
    task: Task, result: Result, submission: Submission, notes: Mapping[int, str]
) -> Iterator[str]:
    """The likeliest reason first."""
    if result.outcome not in (Outcome.MISSING, Outcome.RAISED):
        return
    absent = submission.absent_packages()
    module = re.match(r"ModuleNotFoundError: No module named '(\w+)", result.private)
    if module and module[1] in [package for package, _ in absent]:
        yield f"the answer uses the package {module[1]}, which the grader does not have"
        return
    name = _lacking(task, result)
    if not name:
        return
    word = re.compile(rf"\b{name}\b")
    for cell, note in notes.items():
        unread = "SyntaxError" in note and submission.is_newer(cell, note)
        if unread and word.search(submission.source_of(cell)):
            yield f"{PYTHON} cannot read cell {cell}, which may be written for a newer Python"
    bound = {bound for piece in submission.plan(()).pieces for bound in piece.binds()}
    for package, line in absent:
        if word.search(line) or name in bound or line.endswith("*"):
            need = f"the answer needs {name}, which may need the package {package}"
            yield f"{need}: the grader does not have it"
    for cell, source in submission.cells:
        if _RUNS_ANOTHER_FILE.search(source):
            need = f"the answer needs {name}, which may be in the file that cell {cell} runs"
            yield f"{need}: it is not in the hand-in"


def _lacking(task: Task, result: Result) -> str:
    """The name that is not bound: the task's function, or one that its function uses; "" where none
    is.
    """
    if result.outcome is Outcome.MISSING:
        return task.function
    error = re.match(r"NameError: name '(\w+)'", result.private)
    return error[1] if error else ""
