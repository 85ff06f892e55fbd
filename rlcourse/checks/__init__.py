"""The tasks of the exercise sheets, one module a sheet: `from rlcourse.checks import sheet02`.

A task is written once (`task.Task`) and used three ways: below the task in the notebook, by nbgrader, and by the grader of
`rlcourse.grading`, which calls the handed-in function in another process.
"""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

COURSE_VARIABLE = "RLCOURSE_COURSE"  # environment: the folder of an instructor's own sheets


def use_course(folder: Path | str) -> None:
    """Find the sheets of an instructor's own folder as well: `FOLDER/checks/sheet51.py` becomes `rlcourse.checks.sheet51`.

    The course's own modules come first. Programs that are started from here (nbgrader's kernels) find them too.
    """
    checks = str(Path(folder).resolve() / "checks")
    os.environ[COURSE_VARIABLE] = str(Path(folder).resolve())
    if checks not in __path__:
        __path__.append(checks)


def get_sheet(number: str, release: int | None = None) -> Any:
    """The `Sheet` of that number, such as "02", as it is or as it was in an earlier release. Raises ValueError."""
    if not (len(number) == 2 and number.isdigit()):
        raise ValueError(f"a sheet has a number of two digits, such as '02'; got {number!r}")
    try:
        sheet = import_module(f"rlcourse.checks.sheet{number}").SHEET
    except ModuleNotFoundError as error:
        if error.name != f"rlcourse.checks.sheet{number}":
            raise
        raise ValueError(f"there is no sheet {number}") from None
    return sheet if release is None else sheet.at(release)


if os.environ.get(COURSE_VARIABLE):
    use_course(os.environ[COURSE_VARIABLE])
