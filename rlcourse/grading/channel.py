"""One question, one answer, over the two pipes of a worker, in lock-step.

The answering side is not trusted.
"""

import queue
import secrets
import subprocess
import threading
import time
from typing import Any

from rlcourse.checks import plain
from rlcourse.checks.task import Reply
from rlcourse.grading.meter import EVERY, IDLE, Meter

_CHUNK = 65536
_ENDING = 5.0  # seconds for the end of a process that has closed its pipe

_STATUSES = (
    "answer",
    "changed",
    "blank",
    "raised",
    "missing",
    "withheld",
    "not_plain",
    "too_large",
    "out_of_memory",
)


class TimedOut(Exception):
    """No whole answer came in time: the process has computed, or done nothing, for too long."""


class Gone(Exception):
    """The process ended, or did not keep to the protocol. The message says which."""


class Channel:
    """The pipes of one process.

    After TimedOut or Gone it is of no more use; `close` kills the process in any case.
    """

    def __init__(self, process: Any) -> None:
        """process: a Popen with pipes at stdin and stdout, or a box, which has the same parts."""
        self.process = process
        # Few chunks are kept: a process that floods the pipe stands still until somebody reads.
        self._chunks: queue.Queue[bytes] = queue.Queue(maxsize=8)
        self._rest = bytearray()
        self.spent = 0.0  # seconds that the last question has cost, see Meter
        self._closed = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def ended_by(self) -> str:
        """Why the one who watches the process killed it ("memory", "files", "host"), or ""."""
        return getattr(self.process, "ended_by", "")

    def ask(self, question: dict[str, Any], seconds: float, idle: float = IDLE) -> Reply:
        """The reply to a question. seconds: of the processor, for the process and all that it
        starts; idle: in which it may do nothing. Raises TimedOut, Gone; both cost the process.
        """
        meter = Meter(self.process, seconds, idle)
        try:
            return self._exchange(question, meter)
        finally:
            self.spent = meter.spent()

    def _exchange(self, question: dict[str, Any], meter: Meter) -> Reply:
        if self._rest or not self._chunks.empty():
            raise Gone("it answered before it was asked")
        nonce = secrets.randbits(62)
        self._send(plain.encode({**question, "nonce": nonce}), meter)
        prefix = self._take(plain.PREFIX.size, meter)
        try:
            size = plain.frame_size(prefix, plain.MAX_ANSWER + plain.ENVELOPE)
            return _reply(plain.decode(prefix + self._take(size, meter)), nonce)
        except plain.BadFrame as error:
            raise Gone(f"it sent {error}") from None

    def close(self) -> None:
        """Kill the process and wait for its end."""
        self._closed.set()
        self.process.kill()
        self.process.wait()
        self._reader.join(timeout=2.0)
        pipes = [self.process.stdin]
        # A pipe is not closed while a thread reads it: the next process's pipe could get its
        # number, and lose its first bytes to that thread. It still reads where a child of the
        # process has outlived it with the pipe in its hands.
        if not self._reader.is_alive():
            pipes.append(self.process.stdout)
        for pipe in pipes:
            try:
                pipe.close()
            except OSError:
                pass

    def _send(self, frame: bytes, meter: Meter) -> None:
        """Write a whole frame.

        A large one does not fit into the pipe and waits for a process that may never read it.
        """
        failed: list[Exception] = []

        def write() -> None:
            """Send all of it; what goes wrong is kept in `failed`."""
            try:
                rest = memoryview(frame)
                while rest:
                    rest = rest[self.process.stdin.write(rest) :]
            except (OSError, ValueError) as error:
                failed.append(error)

        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        while writer.is_alive():
            writer.join(EVERY)
            if writer.is_alive() and meter.over():
                raise TimedOut
        if failed:
            raise Gone(self._how_it_ended())

    def _read(self) -> None:
        """In a thread of its own: not every system can read a pipe with a time limit."""
        while True:
            try:
                chunk = self.process.stdout.read(_CHUNK)
            except (OSError, ValueError):
                chunk = b""
            while not self._closed.is_set():
                try:
                    self._chunks.put(chunk or b"", timeout=0.5)
                    break
                except queue.Full:
                    continue
            if not chunk or self._closed.is_set():
                return

    def _take(self, size: int, meter: Meter) -> bytes:
        looked = time.monotonic()
        while len(self._rest) < size:
            chunk: bytes | None
            try:
                chunk = self._chunks.get(timeout=EVERY)
            except queue.Empty:
                chunk = None
            # Bytes that keep dripping in are no reason to wait for ever, so the clock decides when
            # to look, not silence.
            if time.monotonic() - looked >= EVERY:
                if meter.over():
                    raise TimedOut
                looked = time.monotonic()
            if chunk is None:
                continue
            if not chunk:
                raise Gone(self._how_it_ended())
            self._rest += chunk
        taken = bytes(self._rest[:size])
        del self._rest[:size]
        return taken

    def _how_it_ended(self) -> str:
        try:
            return f"the process ended with status {self.process.wait(timeout=_ENDING)}"
        except subprocess.TimeoutExpired:
            return "the process closed its output"


def _reply(answer: Any, nonce: int) -> Reply:
    if not isinstance(answer, dict) or answer.keys() != {"nonce", "status", "answer", "error"}:
        raise plain.BadFrame("an answer without its four parts")
    if (
        answer["nonce"] != nonce
        or answer["status"] not in _STATUSES
        or not isinstance(answer["error"], str)
    ):
        raise plain.BadFrame("an answer to another question")
    return Reply(answer["status"], answer["answer"], answer["error"][:500])
