"""One outside program, supervised.

It is found, started in a home folder of its own, asked, and never left behind. A watcher outlives
this process: its standard input closes when this process ends, however it ends. Then the program,
its children and its folder go too.
"""

import os
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from rlcourse.errors import CourseError

# Debian keeps games off root's PATH; the others are where Homebrew and MacPorts put programs.
GAME_FOLDERS = (
    "/usr/games",
    "/usr/local/games",
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
)
_WATCH = 'read line; kill -9 "-$1"; rm -rf "$2"'


class ProgramError(CourseError, RuntimeError):
    """An outside program ended, hangs, or says what cannot be understood."""


class ProgramMissing(ProgramError):
    """There is no such program here. The message says how to get it."""


def find_program(name: str, title: str, *, posix: bool = False) -> str:
    """Path of a Debian package's program of the same name, also where games are kept off the PATH.

    posix: whether it is called on POSIX systems alone. Raises ProgramMissing that says how to get
    it.
    """
    path = shutil.which(name) or shutil.which(name, path=os.pathsep.join(GAME_FOLDERS))
    if path is None or (posix and os.name != "posix"):
        raise ProgramMissing(
            f"{title} is not installed: it is the Debian package {name} (sudo apt-get install "
            f"{name}); elsewhere put the program {name} on the PATH, on Windows inside WSL. "
            "Only games against it need it, nothing else in the course"
        )
    return path


class Program:
    """One running program.

    Two threads read from it; the watcher runs where the system has a shell. command: path and
    arguments. environment: its variables, besides HOME; default those of this process. answers:
    whether its standard output is read as `output`, chunks of bytes of which b"" is the last; else
    it is kept with its standard error, for the last words alone. Raises ProgramMissing where it
    cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        answers: bool = True,
    ) -> None:
        self.folder = tempfile.mkdtemp(prefix=f"{Path(command[0]).name[:40]}-")
        self.output: queue.Queue[bytes] = queue.Queue(maxsize=64)
        self._chatter: deque[bytes] = deque(maxlen=20)
        self._watcher: subprocess.Popen | None = None
        self._killed = False
        given = os.environ if environment is None else environment
        own = {name: text for name, text in given.items() if not re.fullmatch("XDG_.*_HOME", name)}
        own_session: dict[str, Any] = {"start_new_session": True} if os.name == "posix" else {}
        try:
            self.process = subprocess.Popen(
                command,
                bufsize=0,
                env={**own, "HOME": self.folder},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                **own_session,
            )
        except OSError as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise ProgramMissing(f"{command[0]} cannot be started: {error.strerror}") from None
        if os.name == "posix":
            self._watcher = subprocess.Popen(
                ["sh", "-c", _WATCH, "watch", str(self.process.pid), self.folder],
                bufsize=0,
                start_new_session=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        assert self.process.stdin and self.process.stdout and self.process.stderr  # pipes
        self._input = self.process.stdin
        self._readers = [
            _Reader(self.process.stdout, self.output.put if answers else self._chatter.append),
            _Reader(self.process.stderr, self._chatter.append),
        ]

    @property
    def ended(self) -> bool:
        """Whether it has ended by itself. What it left behind may still run."""
        return self.process.poll() is not None

    def send(self, text: bytes) -> None:
        """Write to its standard input. Raises OSError."""
        self._input.write(text)

    def quit(self, farewell: bytes) -> None:
        """Write a last text and close its standard input; it has a second to end by itself."""
        with suppress(OSError):
            self._input.write(farewell)
            self._input.close()
        self._drain(1.0)

    def kill(self) -> None:
        """Kill it with its children and remove its folder. A second call does nothing."""
        if self._killed:
            return
        self._killed = True
        if self._watcher is not None and hasattr(os, "killpg"):
            assert self._watcher.stdin  # a pipe
            self._watcher.kill()
            self._watcher.wait()
            self._watcher.stdin.close()
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        else:
            command = ["taskkill", "/F", "/T", "/PID", str(self.process.pid)]
            subprocess.run(command, capture_output=True)
        self.process.wait()
        self._drain(2.0)
        with suppress(OSError):
            self._input.close()
        for reader in self._readers:
            if not reader.is_alive():
                reader.stream.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def last_words(self) -> str:
        """The last two lines that nobody read as an answer; complete once it has been killed."""
        text = b"".join(self._chatter).decode(errors="replace")
        return "; ".join([line.strip() for line in text.split("\n") if line.strip()][-2:])[-500:]

    def _drain(self, seconds: float) -> None:
        """Wait for the readers to come to the end of their streams."""
        deadline = time.monotonic() + seconds
        while any(map(_Reader.is_alive, self._readers)) and time.monotonic() < deadline:
            with suppress(queue.Empty):
                self.output.get(timeout=0.01)  # a full queue would hold its reader


class _Reader(threading.Thread):
    """Passes on what comes from a stream, and b"" at its end."""

    def __init__(self, stream: IO[bytes], put: Callable[[bytes], None]) -> None:
        super().__init__(daemon=True)
        self.stream, self._put = stream, put
        self.start()

    def run(self) -> None:
        """Read to the end."""
        while chunk := self.stream.read(4096):
            self._put(chunk)
        self._put(b"")
