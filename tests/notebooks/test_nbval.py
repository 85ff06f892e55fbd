"""Every notebook runs from top to bottom and prints what is committed, under the arithmetic of another processor.

The lessons before 03 run without TensorFlow. With RLCOURSE_BOTH=1 also under this machine's own arithmetic (`start.py test --both`).
"""

import os

import pytest

from tests.notebooks.arithmetic import DEFAULT, OTHER_CPU
from tests.notebooks.changes import keep
from tests.notebooks.nbval_run import validate, without_tensorflow
from tests.notebooks.reading import NOTEBOOKS, read

ARITHMETICS = [OTHER_CPU] + ([DEFAULT] if os.environ.get("RLCOURSE_BOTH") == "1" else [])


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_those_committed(path, arithmetic, tmp_path):
    more = without_tensorflow(tmp_path) if path.stem < "03" else None
    validation = validate(read(path), tmp_path, arithmetic, more_environment=more)
    if not validation.green:
        kept = keep(f"{path.stem}-{arithmetic}", validation.changes)
        pytest.fail(
            f"{validation.report}\n\nOutputs that changed, also in {kept}:\n\n{kept.read_text(encoding='utf-8')}"
        )
