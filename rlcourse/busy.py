"""How busy this machine is: a wait that should not end by the wall clock alone asks for it."""

import hashlib
import threading
import time

# Processor seconds; the scheduler prefers a process that has just woken for the first hundredths.
SAMPLE = 0.1
ROUNDS = 600_000  # take about as long, in one call
FRESH = 5.0  # seconds for which a measurement is valid

_measured: tuple[float, float] = (-FRESH, 1.0)  # (when, slowness)
_one_at_a_time = threading.Lock()


def slowness() -> float:
    """Seconds of wall time per second of processor time of this process at present, at least 1."""
    global _measured
    with _one_at_a_time:
        if time.monotonic() - _measured[0] > FRESH:
            started, before = time.monotonic(), time.thread_time()
            while (computed := time.thread_time() - before) < SAMPLE:
                # Without Python's lock: a student's endless loop beside it is no busy machine.
                hashlib.pbkdf2_hmac("sha256", b"", b"", ROUNDS)
            _measured = time.monotonic(), max(1.0, (time.monotonic() - started) / computed)
        return _measured[1]


class Deadline:
    """A time limit: `seconds` on an idle machine, extended if the machine is busy at their end."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._started, self._slowness = seconds, time.monotonic(), 1.0

    def over(self) -> bool:
        """Whether the limit is reached. The machine is measured only when that matters."""
        waited = time.monotonic() - self._started
        if waited > self._seconds * self._slowness:
            self._slowness = max(self._slowness, slowness())
        return waited > self._seconds * self._slowness
