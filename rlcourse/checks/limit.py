"""A time limit for code that runs in this process, such as a student's loop without an end."""

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rlcourse.busy import Deadline

_POLL = 0.1  # seconds between two looks at the clock
_AGAIN = 1.0  # seconds until the exception is raised once more, where the code has caught it


class TimedOut(BaseException):
    """The limit is reached. It is no Exception, so that `except Exception` does not catch it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimedOut in the block after `seconds`, later on a busy machine.

    It works in any thread and on any system. A call into compiled code ends first. Where no thread
    can be started, as in a browser's Python, there is no limit.
    """
    thread, ended, lock = threading.get_ident(), threading.Event(), threading.Lock()

    def watch() -> None:
        """Wait for the end of the block, or of the time; then raise, again and again."""
        deadline, wait = Deadline(seconds), _POLL
        while not ended.wait(wait):
            if not deadline.over():
                continue
            with lock:
                if not ended.is_set():
                    _raise_in(thread, TimedOut)
            wait = _AGAIN

    try:
        threading.Thread(target=watch, daemon=True).start()
    except RuntimeError:
        yield
        return
    try:
        yield
    finally:
        while True:
            try:
                with lock:
                    ended.set()
                    _raise_in(thread, None)  # what was sent and has not arrived yet
                break
            except TimedOut:  # the limit was reached just now, when the block had ended
                continue


def _raise_in(thread: int, exception: type[BaseException] | None) -> None:
    """Raise the exception in that thread at its next step; None takes back what waits there."""
    kind = ctypes.py_object(exception) if exception else ctypes.py_object()
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), kind)
