"""Training runs on the command line, killed from outside.

RLCOURSE_KILLS sets how often; the published figure is of 20.
"""

import os
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from rlcourse.storage import load
from tests.unit.in_process import exit_code

KILLS = int(os.environ.get("RLCOURSE_KILLS", "1"))


def killed(test):
    """A slow test with as much time as its kills need."""
    return pytest.mark.slow(pytest.mark.timeout(120 + 60 * KILLS)(test))


def assert_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, folder: Path, learner: str, *arguments: str, pause: float
) -> None:
    """`kill -9` up to `pause` seconds after the third verdict, again and again: the weights are
    those of an undisturbed run, which is made in this process, as the end of the disturbed one.
    """

    def train(place: Path, *more: str) -> list[str]:
        out = ["--out", str(place / "bot.h5")]
        return ["train", learner, *arguments, "--seconds", "600", *out, *more]

    (folder / "whole").mkdir()
    assert exit_code(monkeypatch, *train(folder / "whole")) == 0
    rng, checkpoint, count = np.random.default_rng(0), folder / "run.h5", 0
    disturbed = train(folder, "--checkpoint", str(checkpoint))
    while count < KILLS:
        command = [sys.executable, "-m", "rlcourse.cli", *disturbed]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        verdicts = (line for line in process.stdout if " games " in line)
        list(islice(verdicts, 3))  # it has learned something
        time.sleep(rng.uniform(0.0, pause))
        count += process.poll() is None
        process.kill()
        process.communicate()
        if (folder / "bot.h5").exists():  # it came to its end first: begin again
            (folder / "bot.h5").unlink()
            checkpoint.unlink()
    assert exit_code(monkeypatch, *disturbed) == 0
    expected = load(folder / "whole" / "bot.h5", "agent").arrays
    found = load(folder / "bot.h5", "agent").arrays
    assert found.keys() == expected.keys() and all(
        np.array_equal(found[name], expected[name]) for name in expected
    )


def settings(*pairs: str) -> list[str]:
    """NAME=VALUE, as the command line wants them."""
    return [part for pair in pairs for part in ("--set", pair)]
