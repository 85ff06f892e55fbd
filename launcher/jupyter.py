"""JupyterLab in the student's folder, open at the first notebook."""

import os
import subprocess
import time
from pathlib import Path

from launcher.console import say
from launcher.environment import child_environment

# Settings of a student's JupyterLab: no question about news (a person's own setting still
# wins), and of nbgrader only Validate, which waits ten minutes for a cell, and the list of
# assignments. Teachers start `jupyter lab` without them.
SETTINGS = Path(__file__).parent / "lab"
FIRST = "notebooks/00_play_first.ipynb"
AT_ONCE = 20.0  # seconds: a server that ends sooner, and with an error, never started


def command(python: Path, my: Path, port: int, host: str, browser: bool) -> list[str]:
    """The call of JupyterLab. What stands here wins over the user's own settings."""
    words = [
        str(python),
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={my}",
        f"--LabApp.default_url=/lab/tree/{FIRST}"
        if (my / FIRST).exists()
        else "--LabApp.default_url=/lab",
        f"--ServerApp.port={port}",
        f"--ServerApp.ip={host}",
        # The lock says which JupyterLab runs: no hint at newer versions.
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    if not browser:
        words.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        words.append("--allow-root")
    return words


def trust(python: Path, my: Path, names: list[str]) -> None:
    """Mark fresh copies of the course's own notebooks as trusted: JupyterLab shows the
    pictures behind the boards only in trusted notebooks. Where it does not work the boards
    still appear when their cells are run."""
    notebooks = [name for name in names if name.endswith(".ipynb")]
    if notebooks and python.exists():
        words = [str(python), "-m", "jupyter", "trust", *notebooks]
        subprocess.run(
            words,
            cwd=my,
            env=child_environment(python),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )


def wait(process: subprocess.Popen) -> tuple[int, bool]:
    """Exit code, and whether Ctrl-C came.

    Ctrl-C reaches JupyterLab too, which asks or stops: we only wait.
    """
    interrupted = False
    while True:
        try:
            return process.wait(), interrupted
        except KeyboardInterrupt:
            interrupted = True


def open_lab(python: Path, my: Path, *, port: int, host: str, browser: bool) -> int:
    """Run JupyterLab until it ends. Returns its exit code.

    If it ends at once with an error, it is started a second time without the user's own Jupyter
    settings, which are the usual reason.
    """
    variables = {
        **child_environment(python),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }
    variables["JUPYTER_CONFIG_PATH"] = os.pathsep.join(
        filter(None, [str(SETTINGS), os.environ.get("JUPYTER_CONFIG_PATH")])
    )
    words = command(python, my, port, host, browser)
    for attempt in (1, 2):
        began = time.monotonic()
        code, interrupted = wait(subprocess.Popen(words, cwd=my, env=variables))
        if code == 0 or interrupted or time.monotonic() - began > AT_ONCE:
            return 0 if interrupted else code
        if attempt == 1:
            say(
                "\nJupyterLab stopped at once (see above). Your own Jupyter "
                "settings may be the reason:"
            )
            say("starting again without them.\n")
            variables["JUPYTER_CONFIG_DIR"] = str(my / ".jupyter")
            variables["JUPYTER_CONFIG_PATH"] = str(SETTINGS)
    return code
