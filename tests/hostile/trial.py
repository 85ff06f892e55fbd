"""Put attacks to the grader in its box and say what became of each.

`python -m tests.hostile` runs all of them.
"""

import os
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rlcourse.checks.judging import Key, by_key
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, Outcome, Task
from rlcourse.grading import Patience, Report, grade_file
from rlcourse.grading.box import BoxLauncher, Limits
from rlcourse.grading.launch import PACKAGE
from tests.hostile import attacks

# Half of the attacks on time wait for the end of `case`.
PATIENCE = Patience(start=60, cell=20, case=1, total=60)
MORE_PATIENCE = Patience(start=120, cell=60, case=30, total=240)  # for a busy machine
LIMITS = Limits(memory=256, whole=384)
WORD = "the grades of the class"


def _cases(rng):
    return [
        Case((row,), Key(float(row.sum()), {"mean": float(row.mean())}))
        for row in rng.uniform(1, 2, (2, 5))
    ]


def _task(name: str) -> Task:
    withheld = ("rlcourse.experience:discounted_returns", "rlcourse.sampling:categorical")
    return Task(
        name,
        10,
        5,
        1,
        name,
        by_key,
        withheld,
        cases=_cases,
        mistakes={"mean": "the mean"},
        seconds=20.0,
    )


SHEET = Sheet("00", "hostile", (_task("first"), _task("second")))


@dataclass
class Place:
    """Boxes to attack, a secret file and an open port outside them.

    namespaces: name -> open descriptor of the namespace of processes of every box since `living`
    was asked. While it is open the kernel gives the name to no other box.
    """

    launcher: BoxLauncher
    secret: Path
    door: socket.socket
    namespaces: dict[str, int] = field(default_factory=dict)

    def launch(self):
        """A box of which we remember how to find its processes."""
        box = self.launcher()
        try:
            descriptor = os.open(f"/proc/{box.first}/ns/pid", os.O_RDONLY)
            self.namespaces[os.readlink(f"/proc/self/fd/{descriptor}")] = descriptor
        except OSError:
            pass
        return box

    def grade(self, source: str, patience: Patience = PATIENCE) -> Report:
        """Grade this source as a hand-in."""
        return grade_file(
            SHEET, source, seed=time.time_ns() % 2**31, launcher=self.launch, patience=patience
        )

    def source(self, body: str) -> str:
        """The hand-in of one attack."""
        return attacks.source(
            body, secret=str(self.secret), port=self.door.getsockname()[1], package=str(PACKAGE)
        )

    def living(self) -> list[int]:
        """Processes of the boxes so far that are still there."""
        found = []
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and os.readlink(f"/proc/{name}/ns/pid") in self.namespaces:
                    state = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[0]
                    found += [int(name)] if state not in "ZX" else []
            except OSError:
                continue
        for descriptor in self.namespaces.values():
            os.close(descriptor)
        self.namespaces.clear()
        return found

    def visited(self) -> bool:
        """Whether somebody came to the open port."""
        try:
            self.door.accept()[0].close()
        except (BlockingIOError, TimeoutError):
            return False
        return True


@contextmanager
def attacked_place() -> Iterator[Place]:
    """A launcher, a secret and a port, for as long as the block lasts."""
    with attacked_places(1) as places:
        yield places[0]


@contextmanager
def attacked_places(count: int) -> Iterator[list[Place]]:
    """So many places, each with a secret and a port of its own, for as long as the block lasts."""
    with BoxLauncher(SHEET, limits=LIMITS) as launcher, ExitStack() as stack:
        yield [stack.enter_context(_place(launcher)) for _ in range(count)]


@contextmanager
def _place(launcher: BoxLauncher) -> Iterator[Place]:
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.create_server(("127.0.0.1", 0)) as door,
    ):
        Path(folder).chmod(0o755)
        secret = Path(folder) / "grades.csv"
        secret.write_text(WORD)
        secret.chmod(0o666)  # not its owner's rights protect it, but the box
        door.setblocking(False)
        yield Place(launcher, secret, door)


def trouble(
    place: Place, name: str, body: str, expected: tuple[str, ...]
) -> tuple[list[str], Report]:
    """What is not as it must be after one attack, and the report."""
    report = place.grade(place.source(body))
    if _is_late(report, expected):
        report = place.grade(place.source(body), MORE_PATIENCE)
    first, second = report.results
    found = []
    if first.outcome is Outcome.RIGHT:
        found.append("BREACH: the attack was told right")
    if str(first.outcome) not in expected:
        found.append(
            f"told {first.outcome}, not {' or '.join(expected)} ({first.private or first.message})"
        )
    if second.outcome is not Outcome.RIGHT:
        found.append(
            f"the honest answer was told {second.outcome}: {second.message} {second.private}"
        )
    shown = " ".join([first.message, second.message, *report.notes])
    if WORD in shown + first.private or "INPUTS" in shown.replace(
        "raise ValueError('INPUTS ' + repr(x.tolist()))", ""
    ).replace("'INPUTS'", ""):
        found.append(
            f"BREACH: something that is not the student's is in the words for him: {shown}"
        )
    if place.visited():
        found.append("BREACH: it came to the open port")
    if place.secret.read_text() != WORD or os.listdir(place.secret.parent) != [place.secret.name]:
        found.append("BREACH: it wrote outside")
    if left := place.living():
        found.append(f"BREACH: processes are left: {left}")
    return found, report


def _is_late(report: Report, expected: tuple[str, ...]) -> bool:
    """Whether an answer came too late that should not."""
    told = [result.outcome for result in report.results]
    return told[1] is Outcome.TIMED_OUT or (
        told[0] is Outcome.TIMED_OUT and str(Outcome.TIMED_OUT) not in expected
    )
