"""GNU Backgammon as an outside program: processes that evaluate positions and choose plays.

Its command `external` answers a line with a line, in 25 to 50 microseconds. The Python inside gnubg
offers the same evaluation, but sleeps 10 ms in every call.
"""

import os
import socket
import threading
import time
import warnings
import weakref
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from rlcourse.busy import Deadline
from rlcourse.errors import BadValue
from rlcourse.programs import Program, ProgramError, ProgramMissing, find_program

START_SECONDS = 30.0
GnubgMissing = ProgramMissing
_COMMANDS = """\
set evaluation chequerplay evaluation plies 0
set evaluation chequerplay evaluation cubeful off
external 127.0.0.1:{port}
"""


class GnubgError(ProgramError):
    """gnubg ended, hangs, or gave an answer that cannot be understood."""


def find_gnubg() -> str:
    """Path of the program. Raises GnubgMissing, which explains how to install it."""
    return find_program("gnubg", "GNU Backgammon", posix=True)


class GnubgProcess:
    """One gnubg, connected over a socket. It writes only into a folder of its own, later removed.

    program: its path. timeout: seconds for an answer. Raises GnubgError if it does not start.
    """

    def __init__(self, program: str, timeout: float) -> None:
        self.timeout = timeout
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        # Variables of this Python must not reach the one inside gnubg. LC_ALL: decimals have a dot.
        environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}
        self.program = Program([program, "-t", "-q", "-r"], environment=environment, answers=False)
        try:
            with suppress(OSError):  # if it ends at once, its last words give the reason
                self.program.send(_COMMANDS.format(port=port).encode())
            self.socket = self._connected(port)
        except BaseException:
            self.program.kill()
            raise
        try:
            self._greet()
            self.socket.settimeout(timeout)
        except BaseException:
            self.stop()
            raise

    def _connected(self, port: int) -> socket.socket:
        deadline = Deadline(START_SECONDS)
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), START_SECONDS)
            except ConnectionRefusedError:
                if self.program.ended:
                    self.program.kill()
                    raise GnubgError(f"its last words: {self.program.last_words()!r}") from None
                if deadline.over():
                    raise GnubgError(f"it has not started within {START_SECONDS:g} s") from None
                time.sleep(0.01)

    def _greet(self) -> None:
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
        # While the process starts, the socket still has the longer limit of the connection.
        deadline = Deadline(self.socket.gettimeout() or self.timeout)
        while True:
            try:
                return self.socket.recv(4096)
            except TimeoutError:
                if deadline.over():
                    raise

    def stop(self) -> None:
        """Kill gnubg, close the connection, remove the folder."""
        self.program.kill()
        self.socket.close()


class Gnubg:
    """Several gnubg processes, started at the first question and ended with this process.

    If one dies, or is silent for `timeout` seconds, a warning is given and all are restarted, once
    per call; a second failure raises GnubgError. program: the path; default `find_gnubg()`.
    """

    def __init__(
        self, processes: int = 2, *, program: str | None = None, timeout: float = 20.0
    ) -> None:
        if processes < 1:
            raise BadValue(f"at least one gnubg process is needed, not {processes}")
        self.processes, self.timeout = processes, timeout
        self.program = find_gnubg() if program is None else program
        self._running: list[GnubgProcess] = []
        self._asking = threading.Lock()
        weakref.finalize(self, _stop, self._running)

    def __enter__(self) -> "Gnubg":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes. The next question starts them again."""
        _stop(self._running)

    def evaluate(self, checkers: np.ndarray, roller: np.ndarray, *, plies: int = 0) -> np.ndarray:
        """[M, 5] probabilities for the player who rolls next; finished games are exact.

        They are, with six decimals: win, win gammon, win backgammon, lose gammon, lose backgammon.
        checkers [M, 2, 26], roller [M]. plies: turns of look-ahead. Raises ValueError, GnubgError.
        """
        rows = _rows_of(np.asarray(checkers), np.asarray(roller))
        options = f" plies {plies} cubeless prune off"
        answers, answer_of = self._ask_once("evaluation fibsboard ", rows, options)
        try:
            numbers = np.array(b"".join(answers).split(), np.float64).reshape(len(answers), 6)
        except ValueError:
            odd = next((answer for answer in answers if answer[:1] not in b"01"), answers[0])
            raise _not_understood(odd) from None
        return numbers[answer_of, :5]

    def best_plays(self, checkers: np.ndarray, mover: np.ndarray, dice: np.ndarray) -> np.ndarray:
        """[M, 2, 26] int8: the boards after gnubg's own play, the best by its 0-ply equity.

        checkers [M, 2, 26], mover [M], dice [M, 2]. gnubg generates the legal plays itself; without
        one the board stays. Raises ValueError, GnubgError.
        """
        checkers, mover = np.asarray(checkers), np.asarray(mover)
        answers, answer_of = self._ask_once("", _rows_of(checkers, mover, np.asarray(dice)), "")
        plays = [_steps(answer) for answer in answers]
        after = checkers.astype(np.int8)
        for board, player, number in zip(after, mover.tolist(), answer_of.tolist(), strict=True):
            for start, end in plays[number]:
                board[player, start] -= 1
                board[player, end] += 1
                # A checker of the opponent on that point is hit and goes to the bar.
                if end < 24 and board[1 - player, 23 - end]:
                    board[1 - player, 23 - end] -= 1
                    board[1 - player, 24] += 1
        return after

    def _ask_once(
        self, before: str, rows: np.ndarray, after: str
    ) -> tuple[list[bytes], np.ndarray]:
        """(answers, [M] the answer of each row): equal rows [M, 29] are asked once."""
        distinct, answer_of = np.unique(rows.view(f"V{rows.shape[1]}")[:, 0], return_inverse=True)
        numbers = distinct.view(np.int8).reshape(-1, rows.shape[1]).tolist()
        before, after = f"{before}board:a:b:0:0:0:", f":0:0:1:1:1:0:1:-1{after} jacobyrule off\n"
        questions = [before + ":".join(map(str, row)) + after for row in numbers]
        return self.ask(questions), answer_of

    def ask(self, questions: Sequence[str]) -> list[bytes]:
        """The answers, a line each, to lines of gnubg's external interface. Raises GnubgError."""
        with self._asking:
            return self._ask([question.encode() for question in questions])

    def _ask(self, lines: list[bytes]) -> list[bytes]:
        answers: list[bytes] = []
        first_failure = ""
        while True:
            try:
                while len(self._running) < self.processes:
                    self._running.append(GnubgProcess(self.program, self.timeout))
                self._ask_all(lines, answers)
                return answers
            except (OSError, GnubgError) as error:
                self.close()
                silent = isinstance(error, TimeoutError)
                reason = f"gave no answer in {self.timeout:g} s" if silent else f"failed: {error}"
                if first_failure:
                    raise GnubgError(
                        f"{self.program} {first_failure}; started again, it {reason}"
                    ) from error
                first_failure = reason
                warnings.warn(
                    f"{self.program} {reason}; it is started again", RuntimeWarning, stacklevel=5
                )
            except BaseException:
                # After an interrupt, late answers would be read as those to other questions.
                self.close()
                raise

    def _ask_all(self, lines: list[bytes], answers: list[bytes]) -> None:
        """Append the missing answers. The processes work in parallel, one question each."""
        for first in range(len(answers), len(lines), self.processes):
            asked = lines[first : first + self.processes]
            for process, line in zip(self._running, asked, strict=False):
                process.ask(line)
            answers += [process.answer() for process, _ in zip(self._running, asked, strict=False)]


def _stop(running: list[GnubgProcess]) -> None:
    while running:
        running.pop().stop()


def _rows_of(checkers: np.ndarray, roller: np.ndarray, dice: np.ndarray | int = 0) -> np.ndarray:
    """[M, 29] int8: positions as gnubg reads them.

    The opponent's bar, points 1 to 24 and the bar of the roller, the opponent's checkers negative;
    1 for the roller's turn; the dice.
    """
    if checkers.ndim != 3 or checkers.shape[1:] != (2, 26) or roller.shape != checkers.shape[:1]:
        raise BadValue(
            f"gnubg wants checkers [M, 2, 26] and a player [M]; got {checkers.shape} and "
            f"{roller.shape}"
        )
    number = np.arange(len(checkers))
    own, other = checkers[number, roller], checkers[number, 1 - roller]
    facing = other[:, 23::-1]
    shared = ((own[:, :24] > 0) & (facing > 0)).any(axis=1)
    wrong = shared | (checkers.sum(axis=2) != 15).any(axis=1) | (checkers < 0).any(axis=(1, 2))
    if wrong.any():
        raise BadValue(
            f"board {np.argmax(wrong)} is none: each player has 15 checkers, and no point belongs "
            "to both"
        )
    rows = np.ones((len(number), 29), np.int8)
    rows[:, 0], rows[:, 25] = -other[:, 24], own[:, 24]
    rows[:, 1:25] = own[:, :24] - facing
    rows[:, 27:] = dice
    return rows


def _steps(answer: bytes) -> list[tuple[int, int]]:
    """b"bar/20* 6/off " -> [(24, 19), (5, 25)]: start and end, as the mover's indices."""
    try:
        pairs = [step.split("/") for step in answer.decode("ascii").replace("*", "").split()]
        return [
            (24 if start == "bar" else int(start) - 1, 25 if end == "off" else int(end) - 1)
            for start, end in pairs
        ]
    except ValueError:
        raise _not_understood(answer) from None


def _not_understood(answer: bytes) -> GnubgError:
    text = answer.decode(errors="replace").strip()
    return GnubgError(f"gnubg does not accept this position; it says {text!r}")
