"""Strangers' files are read in a process of its own: `reading.ask("read_submission", content)`.

A file can be made so that reading it takes hours, all memory, or the whole process down, with the
lock that every thread of Python waits for. Here that costs one small process. It sees the file's
bytes and answers with what was in them; handed-in code does not run in it. Each question is
answered by a copy of the process, so that no file leaves anything to the next one.
"""

import atexit
import errno
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from rlcourse.grading.submission import read_submission
from rlcourse.notebook import BadSubmission, MoreThanIsRead
from rlcourse.workers import without_ctrl_c

SECONDS = 10  # of the processor, for one file: a notebook of 16 MB takes less than one
WAIT = 120.0  # seconds by the clock, where the system counts no processor's time
MEMORY = 192 * 1024 * 1024  # bytes of data, the file itself included
FULL = (errno.ENOSPC, errno.EDQUOT)
_ANSWERED = 7  # the exit status of a copy that has written its answer
_START = "from rlcourse.grading.reading import serve; serve()"
T = TypeVar("T")


class Unreadable(MoreThanIsRead):
    """Reading the file ended the process in which it was read, by its time or its memory."""


def settled(work: Callable[[], T], otherwise: Callable[[str], T]) -> T:
    """What `work` makes of one student's file; where it raises, `otherwise(why)`: nobody else's
    results wait for it. A full disk is no file's fault and ends the run: raises OSError.
    """
    try:
        return work()
    except Exception as error:  # what nobody foresaw; RecursionError and MemoryError are among it
        if isinstance(error, OSError) and error.errno in FULL:
            raise
        message = str(error).encode("utf-8", "replace").decode()
        return otherwise(f"{type(error).__name__}: {message}"[:300])


class _Reader:
    """The process, started when it is first asked and again after each end.

    seconds: of the processor, for all files.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None
        self._lock = threading.Lock()
        self.seconds = 0.0

    def ask(self, function: str, *arguments: Any) -> Any:
        """What that function of `_functions` returns.

        Raises BadSubmission; Unreadable where the process ended.
        """
        with self._lock:
            if self._process is None:
                self._process = _start()
            process = self._process
            assert process.stdin and process.stdout  # pipes, by `_start`
            watch = threading.Timer(WAIT, _kill, [process])
            watch.start()
            try:
                pickle.dump((function, arguments), process.stdin)
                process.stdin.flush()
                good, value = pickle.load(process.stdout)
                self.seconds += pickle.load(process.stdout)
            except (OSError, EOFError, pickle.UnpicklingError):
                self.seconds += SECONDS
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
            assert process.stdin and process.stdout  # pipes, by `_start`
            _kill(process)
            process.stdin.close()
            process.stdout.close()
            process.wait()


READER = _Reader()
ask = READER.ask
atexit.register(READER.close)


def _start() -> subprocess.Popen:
    source = f"import sys; sys.path[:] = {sys.path!r}; {_START}"
    with without_ctrl_c():
        return subprocess.Popen(
            [sys.executable, "-c", source],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )


def _kill(process: subprocess.Popen) -> None:
    """End the process, and the copy of it that is reading."""
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def serve() -> None:
    """Answer questions until the other side closes its end: what the process of `ask` does.

    After each answer: its seconds.
    """
    functions = _functions()
    while True:
        try:
            function, arguments = pickle.load(sys.stdin.buffer)
        except (EOFError, pickle.UnpicklingError):
            return  # who asks has ended, perhaps in the middle of a question
        if hasattr(os, "fork"):
            seconds = _answer_in_a_copy(functions[function], arguments)
        else:
            started = time.process_time()
            _answer(functions[function], arguments)
            seconds = time.process_time() - started
        del arguments
        try:
            pickle.dump(seconds, sys.stdout.buffer)
            sys.stdout.flush()
        except BrokenPipeError:
            os._exit(0)  # nobody asks any more; an ordinary end would try to write once more


def _answer_in_a_copy(function: Callable[..., Any], arguments: tuple) -> float:
    """The processor's seconds of a copy of this process that has answered.

    Where it has not, this one ends as well.
    """
    copy = os.fork()
    if copy == 0:
        try:
            _limit()
            _answer(function, arguments)
            os._exit(_ANSWERED)
        finally:
            os._exit(1)
    _, status, usage = os.wait4(copy, 0)
    if os.waitstatus_to_exitcode(status) != _ANSWERED:
        sys.exit()
    return usage.ru_utime + usage.ru_stime


def _answer(function: Callable[..., Any], arguments: tuple) -> None:
    """Write (True, what the function returns) or (False, why it is not read)."""
    try:
        answer = True, function(*arguments)
    except BadSubmission as error:
        answer = False, error
    except Exception as error:  # every way in which a file can be wrong is one answer
        answer = False, BadSubmission(f"it cannot be read ({type(error).__name__})")
    pickle.dump(answer, sys.stdout.buffer)
    sys.stdout.flush()


def _functions() -> dict[str, Callable[..., Any]]:
    from PIL import Image

    from rlcourse.grading.handed import read_handed
    from rlcourse.grading.likeness import read_forms
    from rlcourse.grading.receipt import read_receipt

    Image.preinit()  # what each copy would load anew
    warnings.simplefilter("ignore")  # of a file's code, such as `x is 1`
    return {
        "read_submission": read_submission,
        "read_receipt": read_receipt,
        "read_handed": read_handed,
        "read_forms": read_forms,
    }


def _limit() -> None:
    """The processor's time for the file, and the memory."""
    try:
        import resource
    except ImportError:
        return  # Windows: the clock alone
    for kind, most in ((resource.RLIMIT_CPU, SECONDS + 1), (resource.RLIMIT_DATA, MEMORY)):
        hard = resource.getrlimit(kind)[1]  # a server for a class sets one; it cannot be raised
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (soft, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
