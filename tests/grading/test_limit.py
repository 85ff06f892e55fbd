"""The time limit on code in this process, at its edges; endless loops are
stopped in test_your_turn.
"""

import threading
from types import SimpleNamespace

import pytest

from rlcourse.checks import limit


class _LateLock:
    """A lock at which the exception of the limit arrives, as it may between any two steps."""

    def __init__(self) -> None:
        self._lock, self._arrived = threading.Lock(), False

    def __enter__(self) -> None:
        if not self._arrived:
            self._arrived = True
            raise limit.TimedOut
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_a_limit_that_is_reached_as_the_block_ends_leaves_no_watch(monkeypatch):
    """Else the watch would go on to raise in this thread, which is in other code by then."""
    before = set(threading.enumerate())
    monkeypatch.setattr(
        limit, "threading", SimpleNamespace(**{**vars(threading), "Lock": _LateLock})
    )
    try:
        with limit.time_limit(600.0):
            answer = 3
    except limit.TimedOut:
        answer = None
    (watch,) = set(threading.enumerate()) - before
    watch.join(30)
    assert not watch.is_alive()
    assert answer == 3  # the block was at its end: it has answered


def test_the_exception_of_the_block_comes_through():
    """The limit hides no error of the code that it watches."""
    with pytest.raises(ZeroDivisionError), limit.time_limit(600.0):
        1 / 0  # noqa: B018 - raises


def test_where_no_thread_can_be_started_the_code_runs_without_a_limit(monkeypatch):
    """A browser's Python has one thread."""

    def start(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    with limit.time_limit(600.0):
        answer = 3
    assert answer == 3
    with pytest.raises(ZeroDivisionError), limit.time_limit(600.0):
        1 / 0  # noqa: B018 - raises
