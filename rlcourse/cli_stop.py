"""Ctrl-C at the command line: one sentence and exit code 130.

It takes two seconds at most, unless the command is saving. Python hears of Ctrl-C only between two
of its own steps. A thread of its own hears of it at once, gives the command half a second to
unwind, and then ends the process around it: a compiled loop, a library that swallows the exception,
threads that are waited for.
"""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

CODE = 130
PATIENCE = 0.5  # seconds from Ctrl-C to the end of a process that does not come to an end by itself
NO_SIGNALS = b""  # what a closed socket yields


class CtrlC:
    """Ctrl-C as the one command of this process meets it.

    sentence: what the user then reads, after "stopped by Ctrl-C".

    pressed: whether it came. saving: while it is set, by a command that saves what would else be
    lost, the process is not ended around it; another one interrupts the saving. on_leaving: called
    before the process is ended around a command that did not unwind.
    """

    def __init__(self) -> None:
        self.sentence = ""
        self.pressed = False
        self.saving = False
        self.on_leaving: Callable[[], None] = lambda: None
        self._once = threading.Lock()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Ctrl-C in this block ends the process within `PATIENCE`, unless it was ignored before."""
        ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if not ours or threading.current_thread() is not threading.main_thread():
            yield
            return
        hears, tells = socket.socketpair()
        tells.setblocking(False)
        signal.signal(signal.SIGINT, self._raise)
        wakes_before = signal.set_wakeup_fd(tells.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=self._wait_for, args=(hears,), name="ctrl-c", daemon=True).start()
        try:
            yield
        finally:
            # After Ctrl-C the thread stays: leaving Python may take longer than the user waits.
            if not self.pressed:
                signal.set_wakeup_fd(wakes_before)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                tells.close()

    def leave_by(self, run: Callable[[], int | None]) -> NoReturn:
        """Leave Python with the exit code that `run` returns; by Ctrl-C, with CODE."""
        code: int | None = CODE
        try:
            with self.watched():
                try:
                    code = run()
                except BaseException:
                    if not self.pressed:
                        raise
                self.saving = False
                # A library may turn Ctrl-C into an error of its own: "initialization failed".
                if self.pressed:
                    self.say()
                    code = CODE
                raise SystemExit(code)
        finally:
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                signal.signal(signal.SIGINT, self._end)

    def say(self) -> None:
        """Write the sentence, once, to the descriptor: the stopped thread may hold a stream."""
        if self._once.acquire(blocking=False):
            reason = "; ".join(filter(None, ("stopped by Ctrl-C", self.sentence)))
            with suppress(OSError):
                os.write(2, f"\nrlcourse: {reason}.\n".encode())

    def _raise(self, number: int, frame: FrameType | None) -> None:
        self.pressed = True
        raise KeyboardInterrupt

    def _end(self, number: int, frame: FrameType | None) -> NoReturn:
        """While Python ends nothing unwinds any more: an exception would show as a traceback."""
        self.say()
        os._exit(CODE)

    def _wait_for(self, hears: socket.socket) -> None:
        with hears:
            while (came := hears.recv(1)) not in (NO_SIGNALS, bytes([signal.SIGINT])):
                pass
        if came == NO_SIGNALS:
            return
        self.pressed = True
        ends = time.monotonic() + PATIENCE
        while (now := time.monotonic()) < ends:
            ends = now + PATIENCE if self.saving else ends
            time.sleep(0.02)
        try:
            self.on_leaving()
            self.say()
        finally:
            os._exit(CODE)


ctrl_c = CtrlC()
