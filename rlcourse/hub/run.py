"""Run the hub until it is ended, and start it again where it was killed."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable

from rlcourse.hub.place import Place

PAUSE = 2.0  # seconds before a hub that was killed is started again


def run(place: Place, say: Callable[[str], None]) -> int:
    """Serve until Ctrl-C or SIGTERM. Servers of students go on meanwhile. Returns the exit code."""
    settings = place.settings()
    config = place.private / "jupyterhub_config.py"
    command = [str(place.python()), "-m", "jupyterhub", "--config", str(config)]
    variables = {
        "PATH": os.pathsep.join([str(place.python().parent), os.environ.get("PATH", os.defpath)]),
        "PYTHONPATH": str(place.teacher),
        "PYTHONUTF8": "1",
        "NODE_PATH": "/usr/share/nodejs",  # of Debian's packages, for a Node that is not Debian's
        "LANG": os.environ.get("LANG", "C.UTF-8"),
    }
    say(f"The hub:  https://{settings.host or 'localhost'}:{settings.port}/  (Ctrl-C ends it)")
    process: subprocess.Popen[bytes] | None = None
    ended = threading.Event()

    def end(*_: object) -> None:
        """The hub ends its proxy and its culler, which a service would otherwise leave."""
        ended.set()
        if process:
            process.terminate()

    signal.signal(signal.SIGTERM, end)
    while not ended.is_set():
        process = subprocess.Popen(command, cwd=place.private, env=variables)
        if ended.is_set():  # the signal came before `process` was this one
            process.terminate()
        code = process.wait()
        if ended.is_set() or code >= 0:
            return max(code, 0)
        say(f"The hub was ended by signal {-code}; it starts again. Nobody's server has ended.")
        time.sleep(PAUSE)
    return 0
