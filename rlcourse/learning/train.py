"""The one driver behind notebook, command line and test: collect, update, judge, checkpoint, again.

A checkpoint holds everything that the next step depends on, so a killed run resumes bit for bit.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from rlcourse.agents.base import BatchAgent
from rlcourse.errors import BadValue
from rlcourse.experience import ExperienceBuffer
from rlcourse.games import Game
from rlcourse.learning.chunks import Chunks
from rlcourse.storage import StorageError, load, save


class Learner(Protocol):
    """Something that learns from its own games. `config` is a frozen dataclass.

    every: updates between two verdicts by default. chunks: how its games are divided among
    processes; None for a learner that plays in this one.
    """

    name: str
    config: Any
    game: Game
    every: int = 1_000
    chunks: Chunks | None = None

    def collect(self, rng: np.random.Generator) -> ExperienceBuffer:
        """Play some games with the present player."""

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """Learn from the games. Returns the figures to plot."""

    def agent(self) -> BatchAgent:
        """The present player: a snapshot, which further learning does not change."""

    def state(self) -> dict[str, np.ndarray]:
        """Everything that further learning depends on, as arrays."""

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Take the arrays of `state`."""

    def close(self) -> None:
        """End the processes that play, if there are any; agent and state remain available."""
        if self.chunks is not None:
            self.chunks.close()


class Row(NamedTuple):
    """One line of a training log.

    games, updates: since the start; seconds: in collect and update, before a resumption too;
    metrics: of the last update; verdict: the judge's, of `learner.agent()`; None without a judge.
    """

    games: int
    updates: int
    seconds: float
    metrics: dict[str, float]
    verdict: Any


Until = Callable[[Row], bool]


def games(n: int) -> Until:
    """Stop after `n` games."""
    return lambda row: row.games >= n


def seconds(budget: float) -> Until:
    """Stop when `budget` seconds of training are spent."""
    return lambda row: row.seconds >= budget


def satisfied(name: str) -> Until:
    """Stop when an attribute of the verdict is true: `satisfied("perfect")` reads `perfect`."""
    return lambda row: bool(getattr(row.verdict, name))


def after(*conditions: Until) -> Until:
    """Stop as soon as one of the conditions holds."""
    return lambda row: any(condition(row) for condition in conditions)


def train(
    learner: Learner,
    *,
    until: Until,
    judge: Callable[[BatchAgent], Any] | None = None,
    every: int = 1,
    seed: int,
    checkpoint: str | Path | None = None,
    experience: Sequence[str | Path] = (),
) -> Iterator[Row]:
    """Train, and yield a Row at the start and after every `every` updates, until `until(row)`.

    checkpoint: a file written atomically before each row is yielded. If it exists, training resumes
    from it; learner, config and seed must be the same (StorageError otherwise). An interrupted
    learner keeps what it has learned. experience: files of recorded games, one an update, to learn
    from instead of playing: the second half of the book's cycle with files (Pumperla & Ferguson,
    ch. 9).
    """
    if every < 1:
        raise BadValue(f"every counts updates from 1; got {every}")
    if experience and learner.name not in LEARN_FROM_FILES:
        able = ", ".join(LEARN_FROM_FILES)
        raise BadValue(f"{learner.name} does not learn from recorded games; these do: {able}")
    settings = json.loads(json.dumps(asdict(learner.config)))
    run = {"learner": learner.name, "config": settings, "seed": seed}
    rng = np.random.default_rng(seed)
    games_played, updates, spent = 0, 0, 0.0
    metrics: dict[str, float] = {}
    if checkpoint is not None and Path(checkpoint).exists():
        asked = {**run, "learning from files": bool(experience)}
        games_played, updates, spent, metrics = _resume(learner, rng, checkpoint, asked)
    while True:
        verdict = judge(learner.agent()) if judge else None
        row = Row(games_played, updates, spent, dict(metrics), verdict)
        if checkpoint is not None:
            counters = {name: getattr(row, name) for name in COUNTERS}
            meta = {**run, **counters, "rng": rng.bit_generator.state}
            files = {"files": np.array([updates], np.int64)} if experience else {}
            save(checkpoint, "checkpoint", {**learner.state(), **files}, meta)
        yield row
        if until(row):
            return
        started = time.perf_counter()
        for _ in range(every):
            buffer = (
                ExperienceBuffer.load(experience[updates]) if experience else learner.collect(rng)
            )
            metrics = learner.update(buffer, rng)
            games_played += buffer.games
            updates += 1
        spent += time.perf_counter() - started


# These learn from what was played as well as they do from what they play.
LEARN_FROM_FILES = ("policy-gradient", "actor-critic", "alphazero")
COUNTERS = ("games", "updates", "seconds", "metrics")  # the fields of a Row that resume
# Settings of earlier versions with the one value that was used: their checkpoints still resume.
_FORMER = {
    "augment": False,
    "average": 0.0,
    "ends_weight": 0.0,
    "few": 10,
    "full": 1.0,
    "guest_every": 16,
    "gumbel_noise": 0.0,
    "l2": 1e-4,
    "lam_end": 0.7,
    "noise_share": 0.25,
    "normalised": False,
    "passes": 1,
    "policy_weight": 1.0,
    "root": "puct",
    "trace": 1.0,
    "value_weight": 1.0,
}


def _differing(config: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The settings that differ from those of the other config."""
    return {k: v for k, v in config.items() if k not in other or other[k] != v}


def _resume(
    learner: Learner, rng: np.random.Generator, path: str | Path, run: dict[str, Any]
) -> tuple[int, int, float, dict[str, float]]:
    stored = load(path, "checkpoint")
    arrays = dict(stored.arrays)
    stored.meta["learning from files"] = arrays.pop("files", None) is not None
    for key, expected in run.items():
        known = stored.meta.get(key)
        if key == "config" and isinstance(known, dict):
            known, expected = _FORMER | known, _FORMER | expected
            # The message names the differing settings only.
            known, expected = _differing(known, expected), _differing(expected, known)
        if known != expected:
            raise StorageError(
                f"{path} is of another run: its {key} is {known!r}, this run's is {expected!r}. "
                "Continue with the same settings, or give another file."
            )
    try:
        learner.restore(arrays)
        rng.bit_generator.state = stored.meta["rng"]
        games, updates, seconds, metrics = (stored.meta[name] for name in COUNTERS)
    except (KeyError, TypeError, ValueError) as error:
        raise StorageError(
            f"{path} is marked as a checkpoint, but cannot be one: {error}"
        ) from None
    return games, updates, seconds, metrics
