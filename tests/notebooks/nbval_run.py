"""One notebook through nbval, strictly, in a process and a folder of its own."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

from rlcourse.busy import Deadline
from tests.notebooks import shown
from tests.notebooks.arithmetic import kernel_environment
from tests.notebooks.changes import Change, changes
from tests.notebooks.reading import code_cells, not_executed

NOTEBOOK_TIMEOUT = 540  # seconds, and more on a busy machine, for the whole notebook: a dead kernel is noticed only then

# Only what is no claim of a lesson: addresses of objects, never a number.
SANITIZERS = """
[addresses]
regex: 0x[0-9a-fA-F]{6,16}
replace: ADDRESS
"""


class Validation(NamedTuple):
    """green: every cell ran and every compared output is the committed one. report: what nbval said. changes: the cells
    that have shown something else than is committed, compared or not."""

    green: bool
    report: str
    changes: tuple[Change, ...] = ()


def validate(
    notebook: nbformat.NotebookNode,
    folder: Path,
    arithmetic: str,
    *,
    more_environment: Mapping[str, str] | None = None,
    stop_at_first: bool = False,
) -> Validation:
    """Run a copy of the notebook in `folder` and compare. A notebook that was never run is refused, not passed."""
    reason = not_executed(notebook)
    if reason:
        return Validation(False, f"refused: {reason}")
    copy, rules, settings = folder / "lesson.ipynb", folder / "sanitize.cfg", folder / "pytest.ini"
    nbformat.write(notebook, copy)
    rules.write_text(SANITIZERS, encoding="utf-8")
    (folder / "conftest.py").write_bytes(Path(shown.__file__).read_bytes())
    settings.write_text("[pytest]\n", encoding="utf-8")
    # What `skip_address_check` spares a process, before pytest loads nbval.
    (folder / "rfc3987_syntax.py").write_text("raise ImportError\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        str(settings),
        "--rootdir",
        str(folder),
        "--nbval",
        str(copy),
        "--nbval-current-env",
        f"--nbval-sanitize-with={rules}",
        f"--nbval-cell-timeout={shown.NEVER}",
        f"--nbval-kernel-startup-timeout={shown.NEVER}",
        "--disable-plugin-autoload",
        "-p",
        "nbval",
        "-p",
        "no:cacheprovider",
        "-q",
        "--no-header",
        "--color=no",
        *(["-x"] if stop_at_first else []),
    ]
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = {
        **own,
        **kernel_environment(arithmetic),
        "MPLBACKEND": "agg",
        **(more_environment or {}),
    }
    code, report = _run(command, folder, environment)
    every_cell = f"{len(code_cells(notebook))} passed" in report
    return Validation(code == 0 and every_cell, report, tuple(changes(notebook, _shown(folder))))


def without(folder: Path, *packages: str) -> dict[str, str]:
    """The environment of a kernel in which these packages cannot be imported."""
    shim = folder / "shim"
    shim.mkdir()
    for package in packages:
        refusal = f'raise ImportError("this lesson does without {package}")\n'
        (shim / f"{package}.py").write_text(refusal, encoding="utf-8")
    return {"PYTHONPATH": str(shim)}


def _shown(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Cell id -> its outputs in the run that was made in this folder."""
    path = folder / shown.SHOWN
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {entry["cell"]: entry["outputs"] for entry in map(json.loads, lines)}


def _run(command: list[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Exit code and output. After NOTEBOOK_TIMEOUT the process and its kernel are ended."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    deadline = Deadline(NOTEBOOK_TIMEOUT)
    while True:
        try:
            report, _ = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            if deadline.over():
                _end(process)
                report, _ = process.communicate()
                return -1, f"{report}\nnot finished after {NOTEBOOK_TIMEOUT} s of an idle machine"
        else:
            return process.returncode, report


def _end(process: subprocess.Popen) -> None:
    """End the process; where process groups exist, with everything that it started."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
