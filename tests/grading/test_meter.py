"""The clock of a hand-in: what this machine keeps waiting costs nothing, computing and
idling cost their seconds.
"""

import os
import subprocess
import sys
import threading
import time

import pytest

from rlcourse import busy
from rlcourse.grading import Patience, grade_file, meter
from rlcourse.grading.meter import Meter, processor_seconds
from tests.grading.test_grade import BOTH_RIGHT, RIGHT, SHEET, task

on_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells the seconds of a tree of processes"
)


class Machine:
    """A machine whose clock, business and processes are what the test says."""

    def __init__(self, monkeypatch):
        self.now, self.computed, self.slowness = 0.0, 0.0, 1.0
        monkeypatch.setattr(meter.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(meter, "processor_seconds", lambda process: self.computed)
        monkeypatch.setattr(meter, "slowness", lambda: self.slowness)

    def pass_by(self, wall: float, computed: float) -> None:
        self.now, self.computed = self.now + wall, self.computed + computed


@pytest.mark.parametrize(
    ("slowness", "wall", "computed", "over", "spent"),
    [
        (1, 9, 9, False, 9),  # it computes, on an idle machine
        (1, 11, 11, True, 11),
        (1, 11, 33, True, 33),  # three processes of it do
        (10, 90, 9, False, 9),  # it computes on a busy machine
        (10, 120, 11, True, 13),  # 11 of the processor; a second of idling counts double
        (1, 19, 0, False, 38),  # it sleeps
        (1, 21, 0, True, 42),
        (10, 190, 0, False, 38),  # what this machine keeps everybody waiting is no sleep
        (10, 210, 0, True, 42),
        (1, 29, 8, True, 50),  # computes a little while it sleeps
    ],
)
def test_what_counts_by_hand(monkeypatch, slowness, wall, computed, over, spent):
    """Ten seconds of computing are allowed, twenty of doing nothing."""
    machine = Machine(monkeypatch)
    machine.slowness = slowness
    clock = Meter(None, 10.0, 20.0)
    assert not clock.over()
    machine.pass_by(wall, computed)
    assert clock.over() is over and clock.spent() == pytest.approx(spent)


def test_where_the_system_does_not_tell_the_wall_decides(monkeypatch):
    machine = Machine(monkeypatch)
    machine.computed = None
    clock = Meter(None, 10.0, 2.0)
    for seconds, slowness, over in ((9, 1, False), (2, 1, True), (0, 2, False)):
        machine.now, machine.slowness = machine.now + seconds, slowness
        assert clock.over() is over


def test_a_busy_machine_is_seen(monkeypatch):
    """Four seconds pass while the thread has one: by a clock that runs four times as fast."""
    monkeypatch.setattr(busy, "_measured", (-10.0, 1.0))
    monkeypatch.setattr(busy.time, "monotonic", lambda: 4 * time.thread_time())
    assert busy.slowness() == pytest.approx(4, rel=0.2)


def test_a_loop_without_end_beside_the_measurement_is_no_busy_machine(monkeypatch):
    """Python's lock goes to others meanwhile: else a student's loop would seem to be other
    programs, and double its own limit. No thread here has to give the lock up by itself."""
    monkeypatch.setattr(busy, "_measured", (-10.0, 1.0))
    interval, steps = sys.getswitchinterval(), 0
    measuring = threading.Thread(target=busy.slowness)
    sys.setswitchinterval(60.0)
    try:
        measuring.start()
        while measuring.is_alive():
            steps += 1
            time.sleep(0.001)
    finally:
        sys.setswitchinterval(interval)
    assert steps > 2


@on_linux
def test_the_seconds_of_children_count():
    code = "import os, time\nif not os.fork():\n  while time.process_time() < 0.5: pass\n  os._exit(0)\nos.wait(); print(); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        ticks = os.sysconf("SC_CLK_TCK")  # the kernel cuts user's and system's time to whole ones
        assert processor_seconds(process) > 0.5 - 2 / ticks
        process.kill()


SPIN = "def first(x):\n    import time\n    end = time.process_time() + {}\n    while time.process_time() < end: pass\n    return x.sum()\n"


@pytest.mark.slow
@on_linux
def test_a_process_that_is_kept_waiting_loses_nothing(monkeypatch):
    """It is stopped for two thirds of the time, as on a machine where others run, and so is right
    after three times the limit by the wall; one that computes for longer than the limit is not."""
    monkeypatch.setattr(meter, "slowness", lambda: 4 * busy.slowness())
    held = []

    def launcher():
        from rlcourse.grading import launch_plain

        process = launch_plain()
        stop = "import os, signal, time\npid = {}\nwhile True:\n  os.kill(pid, signal.SIGSTOP); time.sleep(0.2)\n  os.kill(pid, signal.SIGCONT); time.sleep(0.1)"
        held.append(
            subprocess.Popen(
                [sys.executable, "-c", stop.format(process.pid)], stderr=subprocess.DEVNULL
            )
        )
        return process

    sheet = type(SHEET)("00", "trial", (task("first", seconds=1.5), task("second")))
    try:
        for seconds, outcome in ((0.3, "right"), (4.0, "timed out")):
            source = SPIN.format(seconds) + RIGHT.format("second")
            report = grade_file(sheet, source, seed=3, launcher=launcher)
            assert str(report.results[0].outcome) == outcome, report
    finally:
        for process in held:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_sleeping_cells_use_up_the_budget_and_a_person_settles_it():
    cells = "".join(f"import time\ntime.sleep({1000 + k})\n" for k in range(8))
    report = grade_file(SHEET, cells + BOTH_RIGHT, seed=3, patience=Patience(total=6.0))
    assert {str(result.outcome) for result in report.results} == {"for a person to settle"}
    assert 6 <= report.spent < 9


@pytest.mark.slow
def test_an_honest_hand_in_spends_little():
    report = grade_file(SHEET, BOTH_RIGHT, seed=3)
    assert report.points == 20 and 0 < report.spent < 20
