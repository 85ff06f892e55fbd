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
sys.exit(run.run(place, lambda line: None))
"""


@pytest.fixture
def starter(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The running command; each hub that it starts prints its number."""
    hub = tmp_path / "hub"
    hub.write_text("#!/bin/sh\necho $$\nexec sleep 1000000\n")
    hub.chmod(0o700)
    process = subprocess.Popen(
        [sys.executable, "-c", START, str(tmp_path)], stdout=subprocess.PIPE, text=True
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
