"""`rlcourse play`: one page with every game and every bot, served by Voila from this computer alone.

The page is a notebook of one cell, which lays a `table.Table`. Each visitor gets a kernel of his own; it ends when he leaves.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

OWN_BOTS = "RLCOURSE_PLAY_BOTS"  # environment variable: a JSON list of files, from the command line to the kernels
LEFT_OUT = ("@jupyter-notebook/lab-extension", "@jupyter/nbgrader")  # parts of JupyterLab that fail outside of it
FOLDER = Path(__file__).parent


def lay() -> object:
    """The table for the page's one cell, with the bots named in the environment."""
    from rlcourse.play_page.table import Table

    return Table(json.loads(os.environ.get(OWN_BOTS, "[]")))


def serve(*, host: str = "localhost", port: int = 8866, browser: bool = True, own: Sequence[Path] = ()) -> None:
    """Serve the page until Ctrl-C. own: files of agents to play besides the course's.

    host: "localhost" is this computer only; "0.0.0.0" everyone in the network. Raises ValueError for a file that is no agent.
    """
    from rlcourse.agents import load_agent

    for path in own:
        load_agent(path)
    os.environ[OWN_BOTS] = json.dumps([str(Path(path).resolve()) for path in own])
    os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, [str(FOLDER / "jupyter"), os.environ.get("JUPYTER_PATH")]))
    os.environ["JUPYTER_NO_CONFIG"] = "1"  # the reader's own settings are for his own notebooks
    sys.modules.setdefault("rfc3987_syntax", None)  # jsonschema's check of web addresses, unused here: 1 to 3 s to import
    from voila.app import Voila

    print(f"The page:  http://{host}:{port}/  (Ctrl-C ends it)", flush=True)
    settings = [
        f"--Voila.ip={host}", f"--port={port}", "--Voila.port_retries=0", "--template=course", "--theme=light",
        "--MappingKernelManager.cull_idle_timeout=1800", "--Voila.log_level=ERROR", *([] if browser else ["--no-browser"]),
        *(f"--VoilaConfiguration.extension_denylist={name}" for name in LEFT_OUT),
    ]  # fmt: skip
    Voila.launch_instance([str(FOLDER / "play.ipynb"), *settings])
