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

from rlcourse.workers import THREADS

PACKAGE = Path(__file__).parents[1]
WORKER = PACKAGE / "grading" / "worker.py"
# Kept from this process's environment: what programs need to find system libraries and a folder for
# temporary files.
_INHERITED = (
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
# Of every process of a hand-in, in a box or not: one thread, no graphics card, no window.
ENVIRONMENT = {
    **dict.fromkeys((*THREADS, "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"),
    "CUDA_VISIBLE_DEVICES": "-1",
    "MPLBACKEND": "Agg",
    "TF_CPP_MIN_LOG_LEVEL": "3",
}

# A launcher starts `python -I -B worker.py` with pipes at stdin and stdout and returns the process:
# a Popen, or what has its stdin, stdout, kill and wait, such as `box_launcher.Box`, which is
# confined.
Launcher = Callable[[], Any]


def launch_plain(program: Sequence[str] = (str(WORKER),)) -> subprocess.Popen:
    """An ordinary process, not confined: for tests, and for code that one trusts.

    Works on Windows as well.
    """
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-I", "-B", *program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=inherited | ENVIRONMENT,
        cwd=tempfile.gettempdir(),
        bufsize=0,
        close_fds=True,
    )
