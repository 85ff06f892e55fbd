"""Every notebook runs from top to bottom and prints what is committed, under the arithmetic of another processor.

With RLCOURSE_BOTH=1 also under this machine's own arithmetic (`start.py test --both`).
"""

import os

import pytest

from tests.notebooks.arithmetic import DEFAULT, OTHER_CPU
from tests.notebooks.changes import keep
from tests.notebooks.nbval_run import validate
from tests.notebooks.reading import NOTEBOOKS, read

ARITHMETICS = [OTHER_CPU] + ([DEFAULT] if os.environ.get("RLCOURSE_BOTH") == "1" else [])


@pytest.mark.slow
@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_those_committed(path, arithmetic, tmp_path):
    validation = validate(read(path), tmp_path, arithmetic)
    if not validation.green:
        kept = keep(f"{path.stem}-{arithmetic}", validation.changes)
        pytest.fail(
            f"{validation.report}\n\nOutputs that changed, also in {kept}:\n\n{kept.read_text(encoding='utf-8')}"
        )
