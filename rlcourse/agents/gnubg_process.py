"""One running GNU Backgammon: found, started, asked over a socket, and never left behind.

Its command `external` answers a line with a line, 25 to 50 microseconds each. The Python inside gnubg offers the same
evaluation, but sleeps 10 ms in every call.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from rlcourse.busy import Deadline

START_SECONDS = 30.0
GAME_FOLDERS = (
    "/usr/games",
    "/usr/local/games",
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
)
# The shell becomes gnubg. A watcher holds the other end of its standard input, which closes when this process ends, however
# it ends: then gnubg is killed and its folder removed.
_START = """
exec 3<&0
(read line <&3; kill -9 $$; rm -rf "$3") &
exec 3<&-
exec "$1" -t -q -r <<END
set evaluation chequerplay evaluation plies 0
set evaluation chequerplay evaluation cubeful off
external 127.0.0.1:$2
END
"""


class GnubgError(RuntimeError):
    """gnubg ended, hangs, or says something that cannot be understood."""


class GnubgMissing(GnubgError):
    """gnubg is not installed."""


def find_gnubg() -> str:
    """Path of the program, also where games are kept off the PATH. Raises GnubgMissing that says how to get it."""
    path = shutil.which("gnubg") or shutil.which("gnubg", path=os.pathsep.join(GAME_FOLDERS))
    if path is None or os.name != "posix":
        raise GnubgMissing(
            "GNU Backgammon is not installed: it is the Debian package gnubg (sudo apt-get install gnubg); elsewhere put the "
            "program gnubg on the PATH, on Windows inside WSL. Only matches against it need it, nothing else in the course"
        )
    return path


class GnubgProcess:
    """One gnubg, connected. It writes nowhere but in a folder of its own, which goes with it.

    program: its path. timeout: seconds for an answer. Raises GnubgError where it does not start.
    """

    def __init__(self, program: str, timeout: float) -> None:
        self.folder, self.log = tempfile.mkdtemp(prefix="gnubg-"), tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        self.socket: socket.socket | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        # gnubg writes into its HOME. What is set for this Python must not reach the one inside gnubg. Numbers have a dot.
        surroundings = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": self.folder,
            "LC_ALL": "C",
        }
        own_group = {"start_new_session": True} if os.name == "posix" else {}
        self.program = subprocess.Popen(
            ["sh", "-c", _START, "gnubg", program, str(port), self.folder],
            env=surroundings,
            **own_group,
            stdin=subprocess.PIPE,
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        try:
            self._connect(port)
            self.socket.settimeout(timeout)
        except BaseException:
            self.stop()
            raise

    def _connect(self, port: int) -> None:
        deadline = Deadline(START_SECONDS)
        while self.socket is None:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), START_SECONDS)
            except ConnectionRefusedError:
                if self.program.poll() is not None:
                    raise GnubgError(f"its last words: {self._last_words()!r}") from None
                if deadline.over():
                    raise GnubgError(f"it has not started within {START_SECONDS:g} s") from None
                time.sleep(0.01)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.ask(b"version\n")
        greeting = self.answer()
        while b"Software" not in greeting:
            if not greeting.startswith(b"Interface:"):
                raise GnubgError(f"at its port another program answers: {greeting[:60]!r}")
            greeting += self.answer()

    def ask(self, line: bytes) -> None:
        """Send one line. Raises OSError."""
        self.socket.sendall(line)

    def answer(self) -> bytes:
        """The next bytes up to the end of a line. Raises TimeoutError, ConnectionError."""
        text = self._received()
        while not text.endswith(b"\n"):
            more = self._received()
            if not more:
                raise ConnectionError("it has closed the connection")
            text += more
        return text

    def _received(self) -> bytes:
        deadline = Deadline(self.socket.gettimeout())
        while True:
            try:
                return self.socket.recv(4096)
            except TimeoutError:
                if deadline.over():
                    raise

    def _last_words(self) -> str:
        self.log.seek(0)
        lines = self.log.read().decode(errors="replace").split("\n")
        return "; ".join([line.strip() for line in lines if line.strip()][-2:])

    def stop(self) -> None:
        """Kill gnubg and its watcher, close what was open, remove the folder."""
        if hasattr(os, "killpg"):
            try:
                os.killpg(self.program.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        else:
            self.program.kill()
        self.program.wait()
        for opened in (self.program.stdin, self.log, self.socket):
            if opened is not None:
                opened.close()
        shutil.rmtree(self.folder, ignore_errors=True)
