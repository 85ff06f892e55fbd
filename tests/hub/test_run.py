"""`rlcourse hub start` keeps the hub running, and ends with it. A sleeping program is the hub."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a hub needs Linux")
START = """
import sys
from pathlib import Path
from types import SimpleNamespace
from rlcourse.hub import run

folder = Path(sys.argv[1])
settings = SimpleNamespace(host="", port=8000)
place = SimpleNamespace(
    private=folder, teacher=folder, settings=lambda: settings, python=lambda: folder / "hub"
)
run.PAUSE = 0.0
exec(sys.argv[2])
sys.exit(run.run(place, say))
"""
QUIET = "say = lambda line: None"
ENDED_AS_IT_STARTS = """
import os, signal, subprocess

def start(*args, popen=subprocess.Popen, **options):
    process = popen(*args, **options)
    os.kill(os.getpid(), signal.SIGTERM)
    return process

say = lambda line: None
run.subprocess.Popen = start
"""
ENDED_IN_THE_PAUSE = """
import os, signal

def say(line):
    if "starts again" in line:
        os.kill(os.getpid(), signal.SIGTERM)
"""


@pytest.fixture
def starter(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    """The running command; each hub that it starts prints its number. The test may meddle first."""
    hub = tmp_path / "hub"
    hub.write_text("#!/bin/sh\necho $$\nexec sleep 1000000\n")
    hub.chmod(0o700)
    meddling = getattr(request, "param", QUIET)
    process = subprocess.Popen(
        [sys.executable, "-c", START, str(tmp_path), meddling], stdout=subprocess.PIPE, text=True
    )
    yield process
    process.kill()
    process.wait()


def next_hub(starter: subprocess.Popen[str]) -> psutil.Process:
    assert starter.stdout is not None
    return psutil.Process(int(starter.stdout.readline()))


def test_a_hub_that_is_killed_starts_again_and_ends_with_its_starter(starter):
    first = next_hub(starter)
    os.kill(first.pid, signal.SIGKILL)
    second = next_hub(starter)
    assert second.pid != first.pid
    starter.send_signal(signal.SIGTERM)
    starter.wait()
    gone, alive = psutil.wait_procs([second], timeout=60)
    if alive:
        second.kill()
    assert gone


@pytest.mark.parametrize("starter", [ENDED_AS_IT_STARTS], indirect=True)
def test_a_starter_ended_while_the_hub_starts_ends_the_hub(starter):
    numbers, _ = starter.communicate()
    assert not any(psutil.pid_exists(int(number)) for number in numbers.split())


@pytest.mark.parametrize("starter", [ENDED_IN_THE_PAUSE], indirect=True)
def test_a_starter_ended_in_the_pause_starts_no_other_hub(starter):
    os.kill(next_hub(starter).pid, signal.SIGKILL)
    numbers, _ = starter.communicate()
    assert not numbers and starter.returncode == 0
