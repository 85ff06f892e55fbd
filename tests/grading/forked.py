"""Processes for many hand-ins: forks of one that has loaded Numba and waits.

To load it takes 0.45 s of the processor, in every process that plays a game. The worker and the
course are loaded in each fork, as `launch_plain` does it.
"""

import os
import signal
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from rlcourse.grading.launch import WORKER, launch_plain

# Asked for a fork, with the folder of its two pipes, it answers with its number. It waits for the end
# of none, so that no number is another process's.
WAITING = """
import os, runpy, sys
from numba.core.registry import cpu_target

cpu_target.typing_context.refresh()
cpu_target.target_context.refresh()
for line in sys.stdin:
    number = os.fork()
    if number == 0:
        os.dup2(os.open(line.strip() + "/questions", os.O_RDONLY), 0)
        os.dup2(os.open(line.strip() + "/answers", os.O_WRONLY), 1)
        del sys.argv[0]
        runpy.run_path(sys.argv[0], run_name="__main__")
        os._exit(0)
    print(number, flush=True)
"""


class Fork:
    """What a channel asks of a process."""

    def __init__(self, waiting: subprocess.Popen) -> None:
        with tempfile.TemporaryDirectory() as folder:
            questions, answers = Path(folder, "questions"), Path(folder, "answers")
            os.mkfifo(questions)
            os.mkfifo(answers)
            waiting.stdin.write(f"{folder}\n".encode())
            self.pid = int(waiting.stdout.readline())
            self.stdin = questions.open("wb", buffering=0)
            self.stdout = answers.open("rb", buffering=0)

    def kill(self) -> None:
        """End it at once."""
        os.kill(self.pid, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Its end; the process that it was forked from knows more."""
        return 0


@cache
def _waiting() -> subprocess.Popen:
    return launch_plain(("-c", WAITING, str(WORKER)))


def launch_fork() -> Fork | subprocess.Popen:
    """A launcher; where nothing can be forked, an ordinary process."""
    return Fork(_waiting()) if hasattr(os, "fork") else launch_plain()
