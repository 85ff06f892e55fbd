"""What a hand-in may use in its box: limits that the kernel holds for each process, and a watch
over all of them together.
"""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

MEGABYTE = 1024 * 1024
PROC = Path("/proc")
EVERY = 0.05  # seconds between two looks


@dataclass(frozen=True)
class Limits:
    """Limits of one box. The default is enough for NumPy, Matplotlib and the games.

    memory: MB that one process may allocate; beyond it Python raises MemoryError. address: MB of
    addresses (mappings of files and of shared memory count as well). whole: MB that all processes
    of the box may hold; beyond it the box is killed. files: MB one file may grow to. disk: MB of
    the box's only writable folder, which lies in memory. inodes: files in it. cpu: seconds of one
    process. processes counts threads as well.
    """

    memory: int = 768
    address: int = 6144
    whole: int = 1024
    files: int = 32
    disk: int = 128
    shared: int = 32
    inodes: int = 10_000
    processes: int = 128
    descriptors: int = 128
    cpu: int = 900

    def for_each_process(self) -> dict[str, int]:
        """Names of the module `resource` -> values; the worker sets them
        before it reads the hand-in.
        """
        return {
            "RLIMIT_DATA": self.memory * MEGABYTE,
            "RLIMIT_AS": self.address * MEGABYTE,
            "RLIMIT_FSIZE": self.files * MEGABYTE,
            "RLIMIT_NPROC": self.processes,
            "RLIMIT_NOFILE": self.descriptors,
            "RLIMIT_CPU": self.cpu,
            "RLIMIT_CORE": 0,
            "RLIMIT_MEMLOCK": 0,
            "RLIMIT_MSGQUEUE": 0,
            "RLIMIT_SIGPENDING": 256,
        }


USUAL = Limits()
# Room for `import tensorflow` and a small fit.
WITH_TENSORFLOW = Limits(memory=1536, address=12288, whole=1792)


def processes_below(pid: int) -> list[int]:
    """A process and all its descendants that live now."""
    family, waiting = [], [pid]
    while waiting:
        pid = waiting.pop()
        family.append(pid)
        try:
            for task in os.listdir(PROC / str(pid) / "task"):
                waiting += map(
                    int, (PROC / str(pid) / "task" / task / "children").read_text().split()
                )
        except (OSError, ValueError):
            continue
    return family


def memory_of(pids: list[int], enough: int) -> int:
    """Bytes of memory that processes hold.

    Shared pages are counted once, but only where the plain sum exceeds `enough`.
    """
    resident = sum(_resident(pid) for pid in pids)
    return (
        resident
        if resident <= enough or len(pids) == 1
        else sum(_proportional(pid) for pid in pids)
    )


def _resident(pid: int) -> int:
    try:
        return int((PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _proportional(pid: int) -> int:
    """Each page divided by how many processes share it (PSS); where it
    cannot be read, all pages (RSS).
    """
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except (OSError, ValueError, StopIteration):
        return _resident(pid)


class Watch:
    """A thread that looks at all processes of one box and calls `stop(reason)` when
    they take too much together.

    reason: "memory"; "files", too many in the writable folders; "host", when this machine runs out
    of memory, which need not be this box's doing. peak: the most bytes seen.
    """

    def __init__(self, first: int, limits: Limits, stop: Callable[[str], None]) -> None:
        self.peak = 0
        self._first, self._limits, self._stop = first, limits, stop
        self._ended = threading.Event()
        self._floor = psutil.virtual_memory().total // 20
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """The box is gone: no look any more."""
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(EVERY):
            reason = self._too_much()
            if reason and not self._ended.is_set():
                self._stop(reason)
                return

    def _too_much(self) -> str:
        allowed = self._limits.whole * MEGABYTE
        held = memory_of(processes_below(self._first), allowed)
        self.peak = max(self.peak, held)
        if held > allowed:
            return "memory"
        if psutil.virtual_memory().available < self._floor:
            return "host"
        return "files" if self._files() > self._limits.inodes else ""

    def _files(self) -> int:
        return sum(
            _used(PROC / str(self._first) / "root" / folder, Path("/", folder))
            for folder in ("tmp", "dev/shm")
        )


def _used(inside: Path, outside: Path) -> int:
    """Files in a box's folder; none while the box starts and this machine's still stands there."""
    try:
        if outside.exists() and inside.stat().st_dev == outside.stat().st_dev:
            return 0
        state = os.statvfs(inside)
        return state.f_files - state.f_ffree
    except OSError:
        return 0
