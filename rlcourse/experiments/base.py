"""What the experiments of all chapters share: the record that describes one, a clock, and a run that keeps its exact curve."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import psutil

from rlcourse.learning import make_learner, train
from rlcourse.learning.train import Learner, Until


@dataclass(frozen=True)
class Experiment:
    """`run(seed)` gives one row, a dict of numbers and short lists. seeds: how many the course stores."""

    name: str
    about: str
    run: Callable[[int], dict[str, Any]]
    seeds: int


class Stopwatch:
    """Seconds that processors have worked for this process and its workers; a busy machine stretches them less than the wall's
    clock."""

    def __init__(self) -> None:
        self._before = self._used()

    @property
    def seconds(self) -> float:
        """Since the start, less what this process did in judging."""
        return self._used() - self._before

    def left_out(self, judge: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The same judge, whose work does not count; the workers go on meanwhile, and theirs does."""

        def judged(agent: Any) -> Any:
            """The verdict of `judge`."""
            started = time.process_time()
            verdict = judge(agent)
            self._before += time.process_time() - started
            return verdict

        return judged

    def _used(self) -> float:
        process, total = psutil.Process(), 0.0
        for one in (process, *process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                total += sum(one.cpu_times()[:2])
        return total


def train_curve(learner: Learner, seed: int, every: int, until: Until) -> dict[str, Any]:
    """Train and keep the whole curve: rows of games, losing lines, optimal decisions and, where the learner has one, loss.

    Also the games at which it became unbeatable and perfect for good, or None; seconds of training, of all with the judge, and of
    all on the processor's clock, which a busy machine stretches less.
    """
    from rlcourse.judges.tictactoe import judge

    curve, reached = [], {"unbeatable": None, "perfect": None}
    started, started_cpu = time.perf_counter(), time.process_time()
    for row in train(learner, until=until, judge=judge, every=every, seed=seed):
        loss = [float(f"{row.metrics['loss']:.3g}")] if "loss" in row.metrics else []
        curve.append([row.games, row.verdict.losing_lines, row.verdict.optimal, *loss])
        for name in reached:
            if not getattr(row.verdict, name):
                reached[name] = None
            elif reached[name] is None:
                reached[name] = row.games
    return {
        "seed": seed,
        "games": row.games,
        "training_seconds": round(row.seconds, 3),
        "total_seconds": round(time.perf_counter() - started, 3),
        "cpu_seconds": round(time.process_time() - started_cpu, 3),
        "unbeatable_at": reached["unbeatable"],
        "perfect_at": reached["perfect"],
        "losing_lines": row.verdict.losing_lines,
        "optimal": row.verdict.optimal,
        "curve": curve,
    }


def named_curve(name: str, seed: int, every: int, until: Until, **settings: Any) -> dict[str, Any]:
    """`train_curve` of the learner of that name with these settings."""
    return train_curve(make_learner(name, seed=seed, **settings), seed, every, until)
