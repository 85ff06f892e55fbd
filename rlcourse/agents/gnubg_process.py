"""One running GNU Backgammon: found, started, asked over a socket, and never left behind.

Its command `external` answers a line with a line, 25 to 50 microseconds each. The Python inside gnubg offers the same
evaluation, but sleeps 10 ms in every call.
"""

import os
import socket
import time
from contextlib import suppress

from rlcourse.busy import Deadline
from rlcourse.programs import Program, ProgramError, ProgramMissing, find_program

START_SECONDS = 30.0
GnubgMissing = ProgramMissing
_COMMANDS = """\
set evaluation chequerplay evaluation plies 0
set evaluation chequerplay evaluation cubeful off
external 127.0.0.1:{port}
"""


class GnubgError(ProgramError):
    """gnubg ended, hangs, or says something that cannot be understood."""


def find_gnubg() -> str:
    """Path of the program, also where games are kept off the PATH. Raises GnubgMissing that says how to get it."""
    return find_program("gnubg", "GNU Backgammon", posix=True)


class GnubgProcess:
    """One gnubg, connected. It writes nowhere but in a folder of its own, which goes with it.

    program: its path. timeout: seconds for an answer. Raises GnubgError where it does not start.
    """

    def __init__(self, program: str, timeout: float) -> None:
        self.socket: socket.socket | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        # What is set for this Python must not reach the one inside gnubg. Numbers have a dot.
        environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}
        self.program = Program([program, "-t", "-q", "-r"], environment=environment, answers=False)
        try:
            with suppress(OSError):  # where it ends at once, its last words say why
                self.program.send(_COMMANDS.format(port=port).encode())
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
                if self.program.ended:
                    self.program.kill()
                    raise GnubgError(f"its last words: {self.program.last_words()!r}") from None
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

    def stop(self) -> None:
        """Kill gnubg, close the connection, remove the folder."""
        self.program.kill()
        if self.socket is not None:
            self.socket.close()
