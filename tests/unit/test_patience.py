"""A limit of a test is a limit of a test that hangs: it does not fall on one that
a busy machine makes slow.
"""

import os
import subprocess
import sys

import pytest

TESTS = """
import time
from rlcourse import busy

busy.slowness = lambda: 4.0  # what a measurement says beside three others on this processor

def test_slow():
    time.sleep(0.6)

def test_hangs():
    time.sleep(60)
"""


@pytest.mark.skipif(
    sys.platform == "win32", reason="the limit is a signal's, which Windows has not"
)
def test_a_slow_test_passes_on_a_busy_machine_and_one_that_hangs_fails(tmp_path):
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_timeout_set_timer\n")
    (tmp_path / "test_both.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\ntimeout = 0.3\n")
    words = "-m pytest -q -p pytest_timeout -p no:cacheprovider".split()
    command = [sys.executable, *words, tmp_path]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    printed = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False
    ).stdout
    # The line of the summary is cut at the width of the terminal, so the
    # reason is looked for above it.
    assert "1 failed, 1 passed" in printed and "::test_hangs" in printed, printed
    assert "Failed: Timeout" in printed, printed
