"""Training runs on the command line, killed from outside.

RLCOURSE_KILLS sets how often; the published figure is of 20.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from rlcourse.storage import load

KILLS = int(os.environ.get("RLCOURSE_KILLS", "1"))


def killed(test):
    """A slow test with as much time as its kills need."""
    return pytest.mark.slow(pytest.mark.timeout(120 + 60 * KILLS)(test))


def assert_it_goes_on(folder: Path, learner: str, *arguments: str, pause: float) -> None:
    """`kill -9` up to `pause` seconds after a verdict, again and again: the weights are
    those of an undisturbed run.
    """

    def run(place: Path, *more: str) -> subprocess.Popen:
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", TF_NUM_INTRAOP_THREADS="1")
        command = [
            sys.executable,
            "-m",
            "rlcourse.cli",
            "train",
            learner,
            *arguments,
            "--seconds",
            "600",
        ]
        command += ["--out", str(place / "bot.h5"), *more]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )

    (folder / "whole").mkdir()
    out, _ = (whole := run(folder / "whole")).communicate()
    assert whole.returncode == 0, out
    expected = load(folder / "whole" / "bot.h5", "agent").arrays
    rng, checkpoint, count = np.random.default_rng(0), folder / "run.h5", 0
    while count < KILLS:
        process = run(folder, "--checkpoint", str(checkpoint))
        process.stdout.readline()  # the first verdict of this stretch: it is training
        time.sleep(rng.uniform(0.0, pause))
        count += process.poll() is None
        process.kill()
        process.communicate()
        if (folder / "bot.h5").exists():  # it came to its end first: begin again
            (folder / "bot.h5").unlink()
            checkpoint.unlink()
    out, _ = (last := run(folder, "--checkpoint", str(checkpoint))).communicate()
    assert last.returncode == 0, out
    found = load(folder / "bot.h5", "agent").arrays
    assert found.keys() == expected.keys() and all(
        np.array_equal(found[name], expected[name]) for name in expected
    )


def settings(*pairs: str) -> list[str]:
    """NAME=VALUE, as the command line wants them."""
    return [part for pair in pairs for part in ("--set", pair)]
