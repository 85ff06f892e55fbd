"""Starting the student's process.

A launcher is the one thing to exchange for a process that is confined.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1]
WORKER = PACKAGE / "grading" / "worker.py"
# Kept from this process's environment: what programs need to find system libraries and a folder for
# temporary files.
_KEPT = (
    "PATH",
    "SYSTEMROOT",
    "WINDIR",
    "TEMP",
    "TMP",
    "TMPDIR",
    "LANG",
    "LC_ALL",
    "HOME",
    "USERPROFILE",
)

# A launcher starts `python -I -B worker.py` with pipes at stdin and stdout and returns the process:
# a Popen, or what has its stdin, stdout, kill and wait, such as `box_launcher.Box`, which is
# confined.
Launcher = Callable[[], Any]


def launch_plain(program: Sequence[str] = (str(WORKER),)) -> subprocess.Popen:
    """An ordinary process, not confined: for tests, and for code that one trusts.

    Works on Windows as well.
    """
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment |= {
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "NUMBA_NUM_THREADS": "1",
        "MPLBACKEND": "Agg",
    }
    return subprocess.Popen(
        [sys.executable, "-I", "-B", *program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=tempfile.gettempdir(),
        bufsize=0,
        close_fds=True,
    )
