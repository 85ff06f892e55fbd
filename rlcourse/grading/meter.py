"""How much time a hand-in has used: the processor's seconds of its processes, and those in which it
did nothing.

What others do on this machine is no hand-in's fault. So the processor's seconds decide, and time by
the clock on the wall counts only beyond what this machine, measured just then, keeps everybody
waiting.
"""

import os
import time
from typing import Any

from rlcourse.busy import slowness
from rlcourse.grading.box_limits import PROC, processes_below

EVERY = 0.1  # seconds between two looks at a hand-in that has not answered
IDLE = 20.0  # seconds in which a hand-in may do nothing before it has answered


def processor_seconds(process: Any) -> float | None:
    """What a box, or a process, and all that it started have had of the processor; None where the
    system does not tell.
    """
    ticks = 0
    try:
        for pid in processes_below(getattr(process, "first", 0) or process.pid):
            ticks += sum(
                map(int, (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[11:15])
            )
    except (OSError, ValueError, AttributeError):
        return None
    return ticks / os.sysconf("SC_CLK_TCK")


class Meter:
    """The time of one question. computing, idle: how many seconds of each are allowed.

    A question that is answered before the first look costs its seconds by the wall, a tenth at
    most: to read the system's accounts at every question would cost more than most answers do.
    """

    def __init__(self, process: Any, computing: float, idle: float = IDLE) -> None:
        self._process, self._computing, self._idle = process, computing, idle
        self._started, self._slowness = time.monotonic(), 1.0
        self._before: float | None = None
        self._computed, self._looked = 0.0, False

    def over(self) -> bool:
        """Whether the time is up; to be asked every EVERY seconds."""
        now, wall = processor_seconds(self._process), time.monotonic() - self._started
        self._looked = True
        if now is not None:
            self._before = now if self._before is None else self._before
            self._computed = max(self._computed, now - self._before)
        # Where the system does not tell, all of the time by the wall may have been computing.
        allowed = self._idle if now is not None else max(self._idle, self._computing)
        return self._computed > self._computing or self._idled(wall, allowed) > allowed

    def spent(self) -> float:
        """Seconds of the budget of a hand-in that this question has cost until now. Idle ones count
        double: while it sleeps nobody is served, neither itself nor those who wait for its place.
        """
        wall = time.monotonic() - self._started
        return self._computed + 2 * self._idled(wall, 1.0) if self._looked else wall

    def _idled(self, wall: float, allowed: float) -> float:
        """Seconds in which it had the choice and did nothing.

        This machine is measured only where that matters.
        """
        if wall / self._slowness - self._computed > allowed:
            self._slowness = max(self._slowness, slowness())
        return max(0.0, wall / self._slowness - self._computed)
