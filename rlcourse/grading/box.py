"""Confining hand-ins: `BoxLauncher` starts a process that reaches nothing, and `check_isolation`
proves it on this machine.

The box is made by bubblewrap from the Linux kernel's namespaces, resource limits and seccomp. Its
parts: `box_launcher` (the process), `box_copy` (what of the course is there), `box_seccomp` (system
calls), `box_limits` (memory and files), `box_probe`.
"""

import os
import platform
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rlcourse.busy import Deadline
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case
from rlcourse.grading import box_seccomp
from rlcourse.grading.box_launcher import Box, BoxLauncher, Unprotected
from rlcourse.grading.box_limits import MEGABYTE, Limits, processes_below
from rlcourse.grading.channel import Channel, Gone, TimedOut
from rlcourse.grading.launch import PACKAGE

__all__ = ["Box", "BoxLauncher", "Finding", "Limits", "Unprotected", "check_isolation"]

_PROBE = Path(__file__).with_name("box_probe.py")
_PATIENCE = 60.0  # seconds of the processor for one question of the probe
_FATAL = (
    "Do not grade on this machine. Please report what `rlcourse grade --check` prints: the box "
    "should hold wherever it starts."
)


class Finding(NamedTuple):
    """One thing that was tried. ok: whether it holds. remedy: what to do; may be there for a
    finding that is only slow.
    """

    name: str
    ok: bool
    detail: str
    remedy: str = ""


def check_isolation() -> list[Finding]:
    """Make a box here and attack it.

    Hand-ins may be run when all findings are ok; takes a few seconds.
    """
    try:
        with BoxLauncher(
            Sheet("00", "probe", ()), limits=Limits(memory=512, whole=640)
        ) as launcher:
            who = (
                "root, who becomes an ordinary user for each box"
                if os.geteuid() == 0
                else "an ordinary user"
            )
            return [
                Finding("box", True, f"bubblewrap makes boxes here; graded by {who}"),
                *_Attack(launcher).findings(),
            ]
    except Unprotected as error:
        return [Finding("box", False, str(error), str(error))]
    except (Gone, TimedOut) as error:
        return [
            Finding(
                "box",
                False,
                f"a box starts and does not answer: {error or type(error).__name__}",
                _FATAL,
            )
        ]


class _Attack:
    """Puts the questions of the probe to boxes of one launcher."""

    def __init__(self, launcher: BoxLauncher) -> None:
        self._launcher, self._limits = launcher, launcher.limits
        self._open()

    def findings(self) -> Iterator[Finding]:
        """One finding after the other."""
        attacks: tuple[tuple[str, Callable[[], str], str], ...] = (
            ("user", self._user, "ordinary outside, without rights inside"),
            ("network", self._network, "no address can be reached"),
            (
                "reading",
                self._reading,
                "neither files of this machine nor sheets, oracles and solutions are there",
            ),
            ("writing", self._writing, "nothing outside the box's own memory can be written"),
            ("processes", self._processes, "no other process can be seen or reached"),
            ("system calls", self._calls, "the refused ones are refused"),
            (
                "memory",
                self._memory,
                f"stops at {self._limits.memory} MB a process and {self._limits.whole} MB a box",
            ),
            ("end", self._end, "every process of a box is gone when it is killed"),
        )
        try:
            for name, attack, promise in attacks:
                try:
                    trouble = attack()
                except (Gone, TimedOut) as error:
                    trouble = f"the attempt itself failed: {error or type(error).__name__}"
                    if self._channel.ended_by:
                        trouble += f", killed for its use of {self._channel.ended_by}"
                    self._open()
                yield Finding(name, not trouble, trouble or promise, _FATAL if trouble else "")
            yield self._kernels()
        finally:
            self._channel.close()

    def _open(self) -> None:
        self._box = self._launcher()
        self._channel = Channel(self._box)
        self._channel.ask({"do": "withhold", "names": []}, _PATIENCE)
        self._channel.ask(
            {"do": "run", "source": _PROBE.read_text(encoding="utf-8"), "number": 1}, _PATIENCE
        )

    def _ask(self, function: str, *args: Any) -> Any:
        reply = self._channel.ask(
            {"do": "call", "function": function, "question": Case(args).question()}, _PATIENCE
        )
        if reply.status != "answer":
            raise Gone(f"{function}: {reply.status}, {reply.error}")
        return reply.answer

    def _user(self) -> str:
        lines = Path(f"/proc/{self._box.first}/status").read_text().splitlines()
        outside = next(line.split()[1] for line in lines if line.startswith("Uid:"))
        user, group, capabilities, no_rights, filtered = self._ask("itself")
        if outside == "0" or capabilities or no_rights != 1 or filtered != 2:
            inside = (
                f"{user}:{group} inside, capabilities {capabilities:x}, {no_rights}, {filtered}"
            )
            return f"user {outside} outside, {inside}"
        return ""

    def _network(self) -> str:
        with socket.create_server(("127.0.0.1", 0)) as door:
            reached = self._ask("reaches_network", door.getsockname()[1])
            door.settimeout(0.05)
            try:
                door.accept()[0].close()
                reached.append("this machine's own port")
            except TimeoutError:
                pass
        return _listed("reached", reached)

    def _reading(self) -> str:
        solutions = PACKAGE.parent / "solutions"
        with tempfile.NamedTemporaryFile() as secret:
            paths = [secret.name, str(solutions), str(Path.home() / ".ssh")]
            paths += "/etc/passwd /etc/shadow /home /var /sys /run".split()
            paths += [str(PACKAGE / "checks" / name) for name in ("sheet.py", "judging.py")]
            paths += [str(PACKAGE / "grading" / "grade.py"), *map(str, solutions.glob("*/*.py"))]
            paths += map(str, PACKAGE.parent.glob("exercises/*/*.py"))
            return _listed("readable", self._ask("reads", paths, self._launcher.places))

    def _writing(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            places = (
                "/ /dev /proc/sys/kernel/core_pattern /proc/1/oom_score_adj /usr/lib /etc".split()
            )
            places += [
                f"{folder}/secret",
                str(PACKAGE),
                *map(os.path.dirname, (os.__file__, __file__)),
            ]
            trouble = _listed("writable", self._ask("writes", places))
            return trouble or ("something was written outside" if os.listdir(folder) else "")

    def _processes(self) -> str:
        return _listed("reached", [str(name) for name in self._ask("sees_processes", os.getpid())])

    def _calls(self) -> str:
        column = tuple(box_seccomp.ARCHITECTURES).index(platform.machine())
        names = "memfd_create shmget msgget socket unshare setns ptrace bpf userfaultfd".split()
        names += ["personality", "io_uring_setup"]
        numbers = [(name, box_seccomp.REFUSED[name][column], box_seccomp.EPERM) for name in names]
        return _listed(
            "allowed", self._ask("calls", [*numbers, ("clone3", 435, box_seccomp.ENOSYS)])
        )

    def _memory(self) -> str:
        if self._ask("allocates", self._limits.memory + 1):
            return f"a process got more than {self._limits.memory} MB"
        try:
            self._ask("shares", self._limits.whole + 512)
            return f"shared memory of more than {self._limits.whole} MB was filled"
        except Gone:
            ended_by, peak = self._channel.ended_by, self._box.peak // MEGABYTE
        self._channel.close()
        self._open()
        return "" if ended_by == "memory" else f"the box ended by itself at {peak} MB"

    def _end(self) -> str:
        self._ask("leaves_processes")
        pids = processes_below(self._box.first)
        self._channel.close()
        deadline = Deadline(5.0)
        while (left := [pid for pid in pids if _lives(pid)]) and not deadline.over():
            time.sleep(0.01)
        self._open()
        return (
            "the box started no processes to be killed"
            if len(pids) < 5
            else _listed("still there", list(map(str, left)))
        )

    def _kernels(self) -> Finding:
        try:
            compiled = self._ask("compiles")
        except (Gone, TimedOut) as error:
            return Finding("kernels", False, f"a game cannot be played in the box: {error}", _FATAL)
        if not compiled:
            return Finding("kernels", True, "the rules of the games are compiled")
        return Finding(
            "kernels",
            True,
            "the rules of the games are compiled anew in every box, which is slow",
            "python -m rlcourse.warm",
        )


def _listed(what: str, names: list[str]) -> str:
    return f"{what}: {', '.join(names[:8])}" if names else ""


def _lives(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False
