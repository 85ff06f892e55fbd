"""JupyterLab in the student's folder, open at the page that says where the student is."""

import os
import subprocess
import time
from pathlib import Path

from launcher.console import say
from launcher.interpreters import wait
from launcher.programs import child_environment, run_unseen

# Settings of a student's JupyterLab (a person's own settings still win): no question about news;
# the time at which a cell is run is kept in it, for the page below; texts open as pages; and of
# nbgrader only Validate, which waits ten minutes for a cell, and the list of assignments. Teachers
# start `jupyter lab` without them.
SETTINGS = Path(__file__).parent / "lab"
# Windows as they stand at the very first start: the contents of the notebook at the left. From
# then on JupyterLab keeps them as the student leaves them, in my/.jupyter/workspaces.
WORKSPACE = SETTINGS / "workspace.json"
PAGE = "where-you-are.md"
AT_ONCE = 20.0  # seconds: a server that ends sooner, and with an error, never started


def command(python: Path, my: Path, port: int, host: str, browser: bool) -> list[str]:
    """The call of JupyterLab. What stands here wins over the user's own settings."""
    opened = f"/tree/{PAGE}" if (my / PAGE).exists() else ""
    call = [
        str(python),
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={my}",
        f"--LabApp.default_url=/lab{opened}",
        f"--ServerApp.port={port}",
        f"--ServerApp.ip={host}",
        # The lock says which JupyterLab runs: no hint at newer versions.
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    if not browser:
        call.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        call.append("--allow-root")
    return call


def trust(python: Path, my: Path, names: list[str]) -> None:
    """Mark fresh copies of the course's own notebooks as trusted: JupyterLab shows the
    pictures behind the boards only in trusted notebooks. Where it does not work the boards
    still appear when their cells are run."""
    notebooks = [name for name in names if name.endswith(".ipynb")]
    if notebooks and python.exists():
        run_unseen([str(python), "-m", "jupyter", "trust", *notebooks], cwd=my)


def say_where_you_are(python: Path, my: Path) -> None:
    """Make the page anew and print what comes next. Where that fails, the lab opens without it."""
    done = run_unseen([str(python), "-m", "rlcourse", "progress", "--folder", str(my)])
    if done.returncode == 0:
        say(done.stdout.rstrip())


def lay_windows(python: Path, my: Path, variables: dict[str, str]) -> None:
    """Lay the windows of the first start, once. Without them JupyterLab opens with its own."""
    folder = my / ".jupyter" / "workspaces"
    variables["JUPYTERLAB_WORKSPACES_DIR"] = str(folder)
    if not folder.exists():
        call = [str(python), "-m", "jupyter", "lab", "workspaces", "import", str(WORKSPACE)]
        subprocess.run(call, cwd=my, env=variables, capture_output=True, check=False)


def open_lab(python: Path, my: Path, call: list[str]) -> int:
    """Run JupyterLab, by its `command`, until it ends. Returns its exit code.

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
    lay_windows(python, my, variables)
    for attempt in (1, 2):
        began = time.monotonic()
        code, interrupted = wait(subprocess.Popen(call, cwd=my, env=variables))
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
