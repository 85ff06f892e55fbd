"""A hand-in that does not end ends with the grader that asks it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.grading.course import ROOT

GRADES = """
import sys
from rlcourse.grading import grade_file, launch_plain
from tests.grading.test_grade import SHEET

def launcher():
    process = launch_plain()
    print(process.pid, flush=True)
    return process

source = f"open({sys.argv[1]!r}, 'w').close()\\nwhile True: pass\\ndef first(x): return x\\n"
grade_file(SHEET, source, seed=3, launcher=launcher)
"""


def runs(pid: int) -> bool:
    """Whether the process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="processes are looked up there")
def test_a_killed_grader_leaves_no_endless_hand_in_behind(tmp_path):
    begun = tmp_path / "begun"
    command = [sys.executable, "-c", GRADES, str(begun)]
    grader = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    pid = int(grader.stdout.readline())
    while not begun.exists():
        time.sleep(0.05)
    assert runs(pid)
    grader.kill()
    grader.communicate()
    while runs(pid):  # the test's own limit ends it
        time.sleep(0.05)
