"""Worker processes: one thread each from the first import on, and no orphan
when this process is killed.
"""

import inspect
import os
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rlcourse.busy import Deadline
from rlcourse.workers import THREADS, worker_pool


def threads_of_the_matrix_library() -> tuple[list[str | None], int]:
    """What the environment says, and how many threads the process has after a matrix
    product (0 where nobody can say).
    """
    import numpy as np

    np.ones((600, 600)) @ np.ones((600, 600))
    return [os.environ.get(name) for name in THREADS], len(
        os.listdir("/proc/self/task")
    ) if os.path.isdir("/proc") else 0


@pytest.mark.slow
def test_a_worker_reads_one_thread_everywhere_and_this_process_keeps_its_own():
    kept = {name: os.environ.get(name) for name in THREADS}
    with worker_pool(1) as pool:
        said, threads = pool.submit(threads_of_the_matrix_library).result()
    assert said == ["1"] * len(THREADS)
    assert threads in (0, 2)  # the one that works, and the one that waits for this process to end
    assert {name: os.environ.get(name) for name in THREADS} == kept


def half_a_result(written: Path) -> None:
    """Writes what a worker is about to send, and not all of it."""
    frame = inspect.currentframe()
    while "result_queue" not in frame.f_locals:
        frame = frame.f_back
    os.write(frame.f_locals["result_queue"]._writer.fileno(), struct.pack("!i", 27_232) + b"half")
    written.touch()
    time.sleep(600)


@pytest.mark.slow
def test_what_is_given_up_in_the_middle_of_a_result_is_not_waited_for(tmp_path):
    pool = worker_pool(1)
    pool.submit(half_a_result, tmp_path / "written")
    deadline = Deadline(60)
    while not (tmp_path / "written").exists() and not deadline.over():
        time.sleep(0.05)
    assert (tmp_path / "written").exists()
    reader = pool._executor_manager_thread
    pool.shutdown(cancel_futures=True)
    deadline = Deadline(20)
    while reader.is_alive() and not deadline.over():
        time.sleep(0.05)
    assert not reader.is_alive(), "this process would wait for it at its end"


PARENT = """
import os, time
from rlcourse.workers import worker_pool
if __name__ == "__main__":
    pool = worker_pool(1)
    print(pool.submit(os.getpid).result(), flush=True)
    pool.submit(time.sleep, 3600)
    time.sleep(3600)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are of Unix")
def test_a_killed_parent_leaves_no_worker_behind_and_nobody_complains(tmp_path):
    """The worker, and Python's own process that clears up after us, hold our pipes until they end;
    the test's own limit is the only one.
    """
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    parent = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    os.kill(int(parent.stdout.readline()), 0)
    parent.kill()
    assert parent.communicate() == ("", "")
