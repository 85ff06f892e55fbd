"""The part of the boards that lives in JupyterLab is where JupyterLab looks for it,
as it stands in this folder.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from launcher.jupyter import SETTINGS

SOURCE = Path(__file__).resolve().parents[2] / "rlcourse" / "boards" / "labextension"
INSTALLED = Path(sys.prefix) / "share" / "jupyter" / "labextensions" / "rlcourse"


def test_the_installed_extension_is_the_one_of_this_folder():
    names = [path.relative_to(SOURCE) for path in SOURCE.rglob("*") if path.is_file()]
    assert len(names) == 2
    for name in names:
        installed = INSTALLED / name
        assert installed.is_file(), (
            f"{installed} is missing: python -m pip install --no-deps --no-build-isolation -e ."
        )
        assert installed.read_bytes() == (SOURCE / name).read_bytes(), (
            f"{installed} is an older one: install again, as above"
        )


def test_jupyterlab_is_told_to_load_a_file_that_is_there():
    package = json.loads((INSTALLED / "package.json").read_text(encoding="utf-8"))
    assert (INSTALLED / package["jupyterlab"]["_build"]["load"]).is_file()


@pytest.mark.parametrize("student", [True, False])
def test_teachers_keep_formgrader_and_students_validate(tmp_path, student):
    """What JupyterLab reads when it starts: with the settings that
    start.py adds, and without them.
    """
    script = "import json; from jupyterlab_server.config import get_page_config as read; from jupyter_core.paths import jupyter_path"
    script += "\nprint(json.dumps(read(jupyter_path('labextensions'))['disabledExtensions']))"
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(tmp_path),
        "JUPYTER_CONFIG_PATH": str(SETTINGS) if student else "",
    }
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    off = {
        name.rpartition(":")[2]
        for name in json.loads(done.stdout)
        if name.startswith("@jupyter/nbgrader")
    }
    assert off == ({"menu", "create-assignment", "formgrader", "course-list"} if student else set())


def test_validate_waits_for_a_student_s_slow_cell(tmp_path):
    """nbgrader alone ends a cell after 30 seconds, and a busy machine's output after 4."""
    script = "from nbgrader.preprocessors import Execute"
    script += "\nfrom nbgrader.server_extensions.validate_assignment import handlers"
    script += "\nconfig = handlers.ValidateAssignmentHandler.load_config(None)"
    script += "\nrun = Execute(config=config)\nprint(run.timeout, run.iopub_timeout)"
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(tmp_path),
        "JUPYTER_CONFIG_PATH": str(SETTINGS),
    }
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert min(int(number) for number in done.stdout.split()) >= 600
