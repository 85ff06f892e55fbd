"""How busy this machine is: for waits that should end by what happens, and not by the clock on the wall."""

import threading
import time

SAMPLE = 0.1  # second of the processor: a process that has just woken is let in front for the first hundredths
FRESH = 5.0  # seconds for which a measurement is believed

_measured: tuple[float, float] = (-FRESH, 1.0)  # (when, slowness)
_one_at_a_time = threading.Lock()


def slowness() -> float:
    """How many seconds pass by the clock on the wall while this process computes for one second, just now; at least 1."""
    global _measured
    with _one_at_a_time:
        if time.monotonic() - _measured[0] > FRESH:
            started, before = time.monotonic(), time.thread_time()
            while time.thread_time() - before < SAMPLE:
                pass
            _measured = time.monotonic(), max(1.0, (time.monotonic() - started) / SAMPLE)
        return _measured[1]


class Deadline:
    """A limit for whoever waits: so many seconds on an idle machine, and more where this one is busy when they are over."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._started, self._slowness = seconds, time.monotonic(), 1.0

    def over(self) -> bool:
        """Whether nobody need wait any longer. This machine is measured only when it matters."""
        waited = time.monotonic() - self._started
        if waited > self._seconds * self._slowness:
            self._slowness = max(self._slowness, slowness())
        return waited > self._seconds * self._slowness
