"""A sheet of an instructor's own in a folder of its own, and hand-ins to it."""

import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat

import rlcourse.checks
from rlcourse.checks import COURSE_VARIABLE, get_sheet
from rlcourse.grading.new_sheet import make_sheet
from rlcourse.grading.sources import Course, open_course

NUMBER = "51"
RIGHT = """def shaped_returns(rewards, gamma):
    returns, following = np.zeros(len(rewards)), 0.0
    for t in range(len(rewards) - 1, -1, -1):
        following = rewards[t] + gamma * following
        returns[t] = following
    return returns"""
FORWARD = RIGHT.replace("range(len(rewards) - 1, -1, -1)", "range(len(rewards))")


@contextmanager
def own_course(folder: Path, seconds: float = 3.0):
    """The example of `rlcourse new-sheet` with a short limit a case; what it changed in this
    process is undone at the end.
    """
    make_sheet(NUMBER, folder, "Returns")
    path = folder / "solutions" / NUMBER / "tasks.py"
    path.write_text(
        path.read_text().replace('negative rewards",\n', f'negative rewards", seconds={seconds},\n')
    )
    assert f"seconds={seconds}" in path.read_text()
    with left_as_it_was(NUMBER):
        yield open_course(folder)


@contextmanager
def left_as_it_was(number: str):
    """Courses that are opened in this block are closed at its end, and that sheet is forgotten."""
    kept, before = list(rlcourse.checks.COURSES), os.environ.get(COURSE_VARIABLE)
    try:
        yield
    finally:
        rlcourse.checks.COURSES[:] = kept
        for name in [
            name
            for name in sys.modules
            if name.startswith("rlcourse.checks.") and name.endswith(number)
        ]:
            del sys.modules[name]
            delattr(rlcourse.checks, name.rpartition(".")[2])
        os.environ.pop(COURSE_VARIABLE, None) if before is None else os.environ.update(
            {COURSE_VARIABLE: before}
        )


def release_of(course: Course) -> nbformat.NotebookNode:
    """The students' notebook, made by hand from the source: solutions and hidden tests cut out."""
    notebook = nbformat.read(course.source(NUMBER), 4)
    for cell in notebook.cells:
        cell.source = cell.source.partition("\n### BEGIN HIDDEN")[0]
        if cell.id == "shaped_returns":
            cell.source = "def shaped_returns(rewards, gamma):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
        if cell.id == "explanation":
            cell.source = "*Your answer here.*"
    return notebook


def hand_in(
    course: Course,
    source: str | None = RIGHT,
    words: str | None = "It looks far ahead.",
    outputs: list[Any] | None = None,
    **mark: Any,
) -> bytes:
    """A hand-in with this code, these words, and these outputs below the code; None: the
    cell as it was handed out.
    """
    notebook = release_of(course)
    for cell in notebook.cells:
        if cell.id == "shaped_returns" and source is not None:
            cell.source, cell.outputs, cell.execution_count = source, outputs or [], 1
        if cell.id == "explanation" and words is not None:
            cell.source = words
    notebook.metadata["rlcourse"] = {"sheet": NUMBER, "release": 1, **mark}
    return json.dumps(notebook).encode()


def sheet() -> Any:
    """The sheet as it is now."""
    return get_sheet(NUMBER)
