"""Training runs that are cut in this process, or killed from outside on the command line.

RLCOURSE_KILLS sets how often; the published figure is of 20.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rlcourse.learning import games, make_learner, train
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


def assert_a_cut_run_goes_on(folder: Path, name: str, cut: int, end: int, **settings: Any) -> Any:
    """A run that is broken off after `cut` games and taken up again is, after `end` games, what an
    undisturbed one is, bit for bit. Returns that learner.
    """

    def run(*, path: Path | None = None) -> tuple[Any, Iterator[Any]]:
        learner = make_learner(name, seed=9, **settings)
        return learner, train(learner, until=games(end), seed=9, checkpoint=path)

    whole, rows = run()
    expected = [row.metrics for row in rows]
    _, rows = run(path=folder / "run.h5")
    assert any(row.games == cut for row in rows), "which leaves the rest undone"
    resumed, rows = run(path=folder / "run.h5")
    rest = [row.metrics for row in rows]
    assert 1 < len(rest) < len(expected) and rest == expected[-len(rest) :]
    state, found = whole.state(), resumed.state()
    assert state.keys() == found.keys()
    assert all(np.array_equal(found[name], array) for name, array in state.items())
    return whole


def assert_a_seed_repeats_itself(name: str, end: int, **settings: Any) -> None:
    """Two runs of one seed make one agent, that of another seed another."""
    agents = []
    for seed in (5, 5, 6):
        learner = make_learner(name, seed=seed, **settings)
        list(train(learner, until=games(end), seed=seed))
        agents.append(learner.agent().arrays())
    first, again, other = agents
    assert all(np.array_equal(again[key], array) for key, array in first.items())
    assert not all(np.array_equal(other[key], array) for key, array in first.items())
