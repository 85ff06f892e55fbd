"""A GTP engine that we call: another program, asked over its standard input and output.

An engine that ends, hangs, floods or talks nonsense is reported and killed with its children, never
waited for.
"""

import queue
import re
import shutil
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path

from rlcourse.busy import Deadline
from rlcourse.errors import BadValue
from rlcourse.programs import Program, ProgramError, ProgramMissing

LONGEST_ANSWER = 1_000_000  # bytes
LONGEST_COMMAND = 1_000  # characters
_AT_ONCE = 16_000  # bytes sent before answers are read: less than a pipe holds
EngineMissing = ProgramMissing


class GtpError(ProgramError):
    """An engine failed and has been killed; the message holds its last words."""


class GtpRefused(GtpError):
    """The engine answered a command with "?". It still runs."""


class GtpClient:
    """One running engine; `name` is what it calls itself, with its version. A context manager.

    command: the program and its arguments. It sees a home folder of its own, which goes with it.
    timeout: seconds for an answer, the first one included. Raises EngineMissing; GtpError where it
    does not start or speaks another protocol.
    """

    def __init__(self, command: Sequence[str], *, timeout: float = 60.0) -> None:
        program = shutil.which(command[0])
        if program is None:
            raise EngineMissing(
                f"there is no program {command[0]!r}; "
                "give the path of a GTP engine, or one on the PATH"
            )
        self.name, self.timeout = Path(command[0]).name, timeout
        self._number, self._rest, self._trouble = 0, b"", ""
        self._asking = threading.Lock()
        self._program = Program([program, *command[1:]])
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
            self._program.quit(b"quit\n")
            self._ending()

    def ask(self, command: str) -> str:
        """The answer to one command, without "=". Raises GtpRefused, GtpError."""
        return self.ask_all([command])[0]

    def ask_all(self, commands: Sequence[str]) -> list[str]:
        """The answers to several commands, sent together.

        Raises GtpRefused for the first that is refused, after all have been carried out; GtpError;
        ValueError for a command that is not one line of text.
        """
        for command in commands:
            if (
                not command.strip()
                or not command.isprintable()
                or "#" in command
                or len(command) > LONGEST_COMMAND
            ):
                raise BadValue(
                    f"a GTP command is one line of up to {LONGEST_COMMAND} characters; "
                    f"got {command[:60]!r}"
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
            # An interrupt: answers still under way would be taken for those to the next commands
            except BaseException:
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
            self._program.send(lines.encode())
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
                more = self._program.output.get(timeout=0.1)
            except queue.Empty:
                more = None
                if (
                    not ended and self._program.ended
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
        head = re.match(rb"([=?])(\d{0,18})[ \t]*", answer)
        if not head or head[2] != str(number).encode():
            raise self._failure(
                command, f"answers what is no GTP: {answer[:80].decode(errors='replace')!r}"
            )
        return head[1].decode(), answer[head.end() :].decode(
            errors="replace"
        ).rstrip().removeprefix("\n")

    def _failure(self, command: str, what: str) -> GtpError:
        self._trouble = what
        self._ending()
        text = self._program.last_words()
        last = f"its last words: {text}" if text else "it left no words"
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
