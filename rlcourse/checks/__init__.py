"""The tasks of the exercise sheets, one module a sheet: `from rlcourse.checks import sheet02`.

A task is written once (`task.Task`) and used three ways: below the task in the notebook, by nbgrader, and by the grader of
`rlcourse.grading`, which calls the handed-in function in another process.
"""

import os
import re
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


def sheet_numbers() -> list[str]:
    """The numbers of all sheets that are here, such as "02", an instructor's own among them."""
    names = (path.stem for folder in __path__ for path in Path(folder).glob("sheet[0-9][0-9].py"))
    return sorted({name.removeprefix("sheet") for name in names})


def sheet_number(text: str) -> str:
    """The two digits of a sheet as people write it: "1", "01", "sheet 1", "exercises/01", the path of its notebook.

    Whether there is such a sheet is not asked. Raises ValueError.
    """
    for part in reversed(re.split(r"[/\\]", text.strip().rstrip("/\\"))):
        if found := re.fullmatch(
            r"(?:sheets?|exercises?)?[ _.#-]*0*(\d{1,2})(?:_[^/]*)?(?:\.ipynb)?",
            part.strip(),
            re.IGNORECASE,
        ):
            return f"{int(found[1]):02}"
    raise ValueError(
        f"{text!r} is not the number of a sheet; there are {', '.join(sheet_numbers()) or 'none'}"
    )


def get_sheet(number: str) -> Any:
    """The `Sheet` of that number, such as "02". Raises ValueError."""
    if not (len(number) == 2 and number.isdigit()):
        raise ValueError(f"a sheet has a number of two digits, such as '02'; got {number!r}")
    try:
        sheet = import_module(f"rlcourse.checks.sheet{number}").SHEET
    except ModuleNotFoundError as error:
        if error.name != f"rlcourse.checks.sheet{number}":
            raise
        raise ValueError(
            f"there is no sheet {number}; there are {', '.join(sheet_numbers()) or 'none'}"
        ) from None
    sheet.add_hidden()
    return sheet


if os.environ.get(COURSE_VARIABLE):
    use_course(os.environ[COURSE_VARIABLE])
