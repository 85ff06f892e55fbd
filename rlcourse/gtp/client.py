"""A GTP engine that we call: another program, asked over its standard input and output.

An engine that ends, hangs, floods or talks nonsense is reported and killed with its children, never waited for.
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
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from rlcourse.busy import Deadline

LONGEST_ANSWER = 1_000_000  # bytes
LONGEST_COMMAND = 1_000  # characters
_AT_ONCE = 16_000  # bytes sent before answers are read: less than a pipe holds
# Its standard input closes when this process ends, however it ends: then the engine and its folder go.
_WATCH = 'read line; kill -9 "-$1"; rm -rf "$2"'


class GtpError(RuntimeError):
    """An engine ended, hangs, floods, or says what is no GTP. It has been killed; the message holds its last words."""


class GtpRefused(GtpError):
    """The engine answered a command with "?". It still runs."""


class EngineMissing(GtpError):
    """There is no such program."""


class GtpClient:
    """One running engine; `name` is what it calls itself, with its version. A context manager.

    command: the program and its arguments. It sees a home folder of its own, which goes with it. timeout: seconds for an
    answer, the first one included. Raises EngineMissing; GtpError where it does not start or speaks another protocol.
    """

    def __init__(self, command: Sequence[str], *, timeout: float = 60.0) -> None:
        program = shutil.which(command[0])
        if program is None:
            raise EngineMissing(
                f"there is no program {command[0]!r}; give the path of a GTP engine, or one on the PATH"
            )
        self.name, self.timeout = Path(command[0]).name, timeout
        self._number, self._rest, self._trouble = 0, b"", ""
        self._asking = threading.Lock()
        self._program = _Program([program, *command[1:]])
        self._ending = weakref.finalize(self, self._program.kill)
        protocol = self.ask("protocol_version")
        if protocol != "2":
            raise self._failure("protocol_version", f"speaks GTP {protocol[:60]!r}, not 2")
        self.name = " ".join(self.ask_all(["name", "version"]))

    def __enter__(self) -> "GtpClient":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def running(self) -> bool:
        """Whether it can be asked: neither closed nor failed."""
        return self._ending.alive

    def close(self) -> None:
        """Say quit, and kill what is left after a second."""
        if self.running:
            self._trouble = "has been closed"
            self._program.quit()
            self._ending()

    def ask(self, command: str) -> str:
        """The answer to one command, without "=". Raises GtpRefused, GtpError."""
        return self.ask_all([command])[0]

    def ask_all(self, commands: Sequence[str]) -> list[str]:
        """The answers to several commands, sent together. Raises GtpRefused for the first that is refused, after all have
        been carried out; GtpError; ValueError for a command that is not one line of text."""
        for command in commands:
            if (
                not command.strip()
                or not command.isprintable()
                or "#" in command
                or len(command) > LONGEST_COMMAND
            ):
                raise ValueError(
                    f"a GTP command is one line of up to {LONGEST_COMMAND} characters; got {command[:60]!r}"
                )
        answers: list[tuple[str, str]] = []
        with self._asking:
            if not self.running:
                raise GtpError(
                    f"{self.name} {self._trouble}, it cannot be asked {' '.join(commands)[:60]!r}"
                )
            try:
                for group in _groups(commands):
                    answers += self._exchange(group)
            except BaseException:  # an interrupt: answers still under way would be taken for those to the next commands
                if self.running:
                    self._trouble = "was interrupted"
                    self._ending()
                raise
        for command, (sign, text) in zip(commands, answers, strict=True):
            if sign == "?":
                raise GtpRefused(f"{self.name} refuses {command!r}: {text}")
        return [text for _, text in answers]

    def _exchange(self, commands: list[str]) -> list[tuple[str, str]]:
        first = self._number + 1
        self._number += len(commands)
        lines = "".join(f"{first + k} {command}\n" for k, command in enumerate(commands))
        try:
            self._program.process.stdin.write(lines.encode())
        except OSError:
            raise self._failure(commands[0], "has ended") from None
        return [self._answer(first + k, command) for k, command in enumerate(commands)]

    def _answer(self, number: int, command: str) -> tuple[str, str]:
        """("=" or "?", text)."""
        deadline, ended = Deadline(self.timeout), False
        while b"\n\n" not in self._rest:
            if self._rest and self._rest[:1] not in b"=?":
                break
            if len(self._rest) > LONGEST_ANSWER:
                raise self._failure(command, f"floods: {len(self._rest):,} bytes without an end")
            try:
                more = self._program.said.get(timeout=0.1)
            except queue.Empty:
                more = None
                if (
                    not ended and self._program.process.poll() is not None
                ):  # what it has left behind may keep its output open
                    deadline, ended = Deadline(0.5), True
            if more == b"":
                raise self._failure(command, "has ended")
            self._rest = (self._rest + (more or b"")).replace(b"\r", b"").lstrip(b"\n")
            if (
                b"\n\n" not in self._rest and deadline.over()
            ):  # also where something keeps coming that is no answer
                raise self._failure(
                    command, "has ended" if ended else f"gave no answer in {self.timeout:g} s"
                )
        answer, _, self._rest = self._rest.partition(b"\n\n")
        self._rest = self._rest.lstrip(b"\n")
        found = re.match(rb"([=?])(\d{0,18})[ \t]*", answer)
        if not found or found[2] != str(number).encode():
            raise self._failure(
                command, f"answers what is no GTP: {answer[:80].decode(errors='replace')!r}"
            )
        return found[1].decode(), answer[found.end() :].decode(
            errors="replace"
        ).rstrip().removeprefix("\n")

    def _failure(self, command: str, what: str) -> GtpError:
        self._trouble = what
        self._ending()
        words = self._program.last_words()
        last = f"its last words: {words}" if words else "it left no words"
        return GtpError(f"{self.name} {what}, asked {command!r}; {last}")


def _groups(commands: Sequence[str]) -> list[list[str]]:
    """The commands in order, cut so that those of a group fit into a pipe."""
    groups: list[list[str]] = []
    size = _AT_ONCE
    for command in commands:
        size += 4 * len(command) + 20
        if size > _AT_ONCE:
            groups.append([])
            size = 4 * len(command) + 20
        groups[-1].append(command)
    return groups


class _Program:
    """The process, two threads that read from it, and where the system has a shell, a watcher that outlives this process."""

    def __init__(self, command: list[str]) -> None:
        self.folder = tempfile.mkdtemp(prefix="gtp-")
        surroundings = {
            name: value
            for name, value in os.environ.items()
            if not re.fullmatch("XDG_.*_HOME", name)
        }
        pipes = {"stdin": subprocess.PIPE, "bufsize": 0, "start_new_session": True}
        self.watcher: subprocess.Popen | None = None
        try:
            self.process = subprocess.Popen(
                command,
                env={**surroundings, "HOME": self.folder},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                **pipes,
            )
        except OSError as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise EngineMissing(f"{command[0]} cannot be started: {error.strerror}") from None
        if os.name == "posix":
            watch = ["sh", "-c", _WATCH, "watch", str(self.process.pid), self.folder]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            self.watcher = subprocess.Popen(watch, **quiet, **pipes)
        self.said: queue.Queue[bytes] = queue.Queue(maxsize=64)
        self._errors: deque[bytes] = deque(maxlen=20)
        readers = ((self.process.stdout, self.said.put), (self.process.stderr, self._errors.append))
        self._threads = [
            threading.Thread(target=_read, args=reader, daemon=True) for reader in readers
        ]
        for thread in self._threads:
            thread.start()

    def quit(self) -> None:
        """Ask it to end, and give it a second."""
        try:
            self.process.stdin.write(b"quit\n")
            self.process.stdin.close()
        except OSError:
            pass
        self._join(1.0)

    def kill(self) -> None:
        """Kill it with its children, close what was open, remove its folder."""
        if self.watcher is not None and hasattr(os, "killpg"):
            self.watcher.kill()
            self.watcher.wait()
            self.watcher.stdin.close()
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        else:
            subprocess.run(
                ["taskkill", "/F", "/T", "/PID", str(self.process.pid)], capture_output=True
            )
        self.process.wait()
        self._join(2.0)
        self.process.stdin.close()
        for stream, thread in zip(
            (self.process.stdout, self.process.stderr), self._threads, strict=True
        ):
            if not thread.is_alive():
                stream.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def last_words(self) -> str:
        """The last two lines of its standard error."""
        text = b"".join(self._errors).decode(errors="replace")
        return "; ".join([line.strip() for line in text.split("\n") if line.strip()][-2:])[-500:]

    def _join(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while any(thread.is_alive() for thread in self._threads) and time.monotonic() < deadline:
            try:
                self.said.get(timeout=0.01)  # a full queue would hold its reader
            except queue.Empty:
                pass


def _read(stream: BinaryIO, put: Callable[[bytes], None]) -> None:
    while chunk := stream.read(4096):
        put(chunk)
    put(b"")
