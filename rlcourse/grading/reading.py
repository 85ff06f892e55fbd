"""Strangers' files are read in a process of its own: `reading.ask("read_submission", content)`.

A file can be made so that reading it takes hours, all memory, or the whole process down, with the lock that every thread of
Python waits for. Here that costs one small process, which is started again for the next file. It sees the file's bytes and
answers with what was in them; handed-in code does not run in it.
"""

import atexit
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from rlcourse.grading.submission import BadSubmission, MoreThanIsRead, read_submission
from rlcourse.workers import without_ctrl_c

SECONDS = 10  # of the processor, for one file: a notebook of 16 MB takes less than one
WAIT = 120.0  # seconds by the clock, where the system counts no processor's time
MEMORY = 192 * 1024 * 1024  # bytes of data, the file itself included
_START = "from rlcourse.grading.reading import serve; serve()"
T = TypeVar("T")


class Unreadable(MoreThanIsRead):
    """Reading the file ended the process in which it was read, by its time or its memory."""


def settled(work: Callable[[], T], otherwise: Callable[[str], T]) -> T:
    """What `work` makes of one student's file; where it raises, `otherwise(why)`: nobody else's results wait for it."""
    try:
        return work()
    except Exception as error:  # what nobody foresaw; RecursionError and MemoryError are among it
        words = str(error).encode("utf-8", "replace").decode()
        return otherwise(f"{type(error).__name__}: {words}"[:300])


class _Reader:
    """The process, started when it is first asked and again after each end."""

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None
        self._lock = threading.Lock()

    def ask(self, function: str, *arguments: Any) -> Any:
        """What that function of `_functions` returns. Raises BadSubmission; Unreadable where the process ended."""
        with self._lock:
            if self._process is None:
                self._process = _start()
            process = self._process
            watch = threading.Timer(WAIT, process.kill)
            watch.start()
            try:
                pickle.dump((function, arguments), process.stdin)
                process.stdin.flush()
                good, value = pickle.load(process.stdout)
            except (OSError, EOFError, pickle.UnpicklingError):
                self._end()
                raise Unreadable(
                    "reading it takes too long, or too much memory: a person has to look at it"
                ) from None
            finally:
                watch.cancel()
        if not good:
            raise value
        return value

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.stdin.close()
            process.stdout.close()
            process.wait()


_READER = _Reader()
ask = _READER.ask
atexit.register(_READER.close)


def _start() -> subprocess.Popen:
    source = f"import sys; sys.path[:] = {sys.path!r}; {_START}"
    with without_ctrl_c():
        return subprocess.Popen(
            [sys.executable, "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )


def serve() -> None:
    """Answer questions until the other side closes its end: what the process of `ask` does."""
    functions = _functions()
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            function, arguments = pickle.load(questions)
        except EOFError:
            return
        _limit()
        try:
            answer = True, functions[function](*arguments)
        except Exception as error:  # every way in which a file can be wrong is one answer
            known = isinstance(error, BadSubmission)
            answer = (
                False,
                error if known else BadSubmission(f"it cannot be read ({type(error).__name__})"),
            )
        pickle.dump(answer, answers)
        answers.flush()


def _functions() -> dict[str, Callable[..., Any]]:
    from rlcourse.grading.hand_in import read_receipt
    from rlcourse.grading.handed import read_handed

    return {
        "read_submission": read_submission,
        "read_receipt": read_receipt,
        "read_handed": read_handed,
    }


def _limit() -> None:
    """The processor's time for the next file, and the memory."""
    try:
        import resource
    except ImportError:
        return  # Windows: the clock alone
    usage = resource.getrusage(resource.RUSAGE_SELF)
    most = int(usage.ru_utime + usage.ru_stime) + SECONDS + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
