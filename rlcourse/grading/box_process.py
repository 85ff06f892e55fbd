"""A running box: killed, it leaves no process behind."""

import json
import os
import select
import signal
import subprocess
import threading

from rlcourse.busy import Deadline
from rlcourse.grading.box_limits import Limits, Watch

_END = 10.0  # seconds for the kernel to kill what is in the box


class Box:
    """A running box with the parts of a Popen that a Channel uses. ended_by: why
    the watch killed it, or "".
    """

    def __init__(self, process: subprocess.Popen, info: bytes, limits: Limits) -> None:
        """process: bubblewrap, just started; info: what it has said of the box."""
        self.stdin, self.stdout, self.pid = process.stdin, process.stdout, process.pid
        self.first = _first_process(info)
        self.ended_by = ""
        self._process, self._lock = process, threading.Lock()
        self._handle = _open_handle(self.first, process)
        self._watch = Watch(self.first, limits, self._stopped) if self._handle >= 0 else None
        if self._handle < 0:
            # It has failed, or cannot be watched here; the one who asks it finds it gone.
            process.kill()

    @property
    def peak(self) -> int:
        """The most memory that was seen in the box, in bytes."""
        return self._watch.peak if self._watch else 0

    def poll(self) -> int | None:
        """The exit status, or None while it runs."""
        return self._process.poll()

    def kill(self) -> None:
        """Kill every process in the box: with the first one of its
        namespace the kernel kills all.
        """
        with self._lock:
            if self._handle < 0:
                self._process.kill()
                return
            try:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def wait(self, timeout: float | None = None) -> int:
        """Wait until no process of the box is left. Raises subprocess.TimeoutExpired."""
        # Bubblewrap outside ends when it has seen the first process inside end.
        status = self._process.wait(timeout)
        with self._lock:
            if self._handle >= 0:
                gone = select.poll()
                gone.register(self._handle, select.POLLIN)
                deadline = Deadline(_END)
                while not gone.poll(1_000):
                    if deadline.over():
                        raise subprocess.TimeoutExpired("box", _END)
                os.close(self._handle)
                self._handle = -1
        if self._watch:
            self._watch.end()
        return status

    def _stopped(self, reason: str) -> None:
        self.ended_by = reason
        self.kill()


def _first_process(info: bytes) -> int:
    """The number, on this machine, of the first process in the box's namespace; 0 when
    bubblewrap did not come so far.
    """
    try:
        return int(json.loads(info)["child-pid"])
    except (ValueError, KeyError, TypeError):
        return 0


def _open_handle(first: int, process: subprocess.Popen) -> int:
    """A handle that means this very process, also when its number is given to another
    one; -1 where it has ended.
    """
    if not first:
        return -1
    try:
        handle = os.pidfd_open(first)
    except OSError:
        return -1
    if process.poll() is not None:  # its parent has ended: the number may be another one's by now
        os.close(handle)
        return -1
    return handle
