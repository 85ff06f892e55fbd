"""Every notebook runs from top to bottom and prints what is committed, under the arithmetic of another processor.

The lessons before 03 run without TensorFlow, of these 00, 01 and 02 and the sheets also without Numba. (A browser runs
00 with both.) With RLCOURSE_BOTH=1 all run under this machine's own arithmetic as well (`start.py test --both`).
"""

import os

import pytest

from rlcourse.checks import get_sheet
from tests.grading.course import Course, run_all
from tests.notebooks.arithmetic import DEFAULT, OTHER_CPU
from tests.notebooks.changes import keep
from tests.notebooks.nbval_run import validate, without
from tests.notebooks.reading import NOTEBOOKS, read

COMPILERS = ("numba", "tensorflow")
ARITHMETICS = [OTHER_CPU] + ([DEFAULT] if os.environ.get("RLCOURSE_BOTH") == "1" else [])


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_those_committed(path, arithmetic, tmp_path):
    does_without: tuple[str, ...] = ("tensorflow",) if path.stem < "03" else ()
    if path.stem[:3] in ("00_", "01_", "02_"):
        does_without = COMPILERS
    check(path, tmp_path, arithmetic, without(tmp_path, *does_without))


@pytest.mark.slow
@pytest.mark.parametrize("number", ["01", "02"])
def test_the_first_sheets_need_neither_numba_nor_tensorflow(number, tmp_path, monkeypatch):
    """With their solutions, which every check calls right."""
    for name, value in without(tmp_path, *COMPILERS).items():
        monkeypatch.setenv(name, value)
    course = Course(number)
    outputs = run_all(course.fill(course.solutions(), "An explanation."), tmp_path)
    tasks = len(get_sheet(number).tasks)
    assert f"{tasks} of {tasks} checked tasks" in outputs["table"]


def check(path, folder, arithmetic, environment):
    """Fail with what has changed, unless everything is as committed."""
    validation = validate(read(path), folder, arithmetic, more_environment=environment)
    if not validation.green:
        kept = keep(f"{path.stem}-{arithmetic}", validation.changes)
        pytest.fail(
            f"{validation.report}\n\nOutputs that changed, also in {kept}:\n\n{kept.read_text(encoding='utf-8')}"
        )
