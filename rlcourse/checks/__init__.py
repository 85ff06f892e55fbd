"""The tasks of the exercise sheets, one module a sheet: `from rlcourse.checks import sheet02`.

A task is written once (`task.Task`) and used three ways: below the task in the notebook, by nbgrader, and by the grader of
`rlcourse.grading`, which calls the handed-in function in another process.
"""

from importlib import import_module
from typing import Any


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
