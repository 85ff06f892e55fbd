"""What the experiments of all chapters share: the record that describes one, and a training run that keeps its exact curve."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rlcourse.learning import make_learner, train
from rlcourse.learning.train import Learner, Until


@dataclass(frozen=True)
class Experiment:
    """`run(seed)` gives one row, a dict of numbers and short lists. seeds: how many the course stores."""

    name: str
    about: str
    run: Callable[[int], dict[str, Any]]
    seeds: int


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
