"""Experiments over many seeds, run by `rlcourse experiment NAME` into `rlcourse/results/NAME.json`, one row a seed.

An experiment is a pure function of the seed (but for the seconds it reports). A run that was cut goes on where it stopped.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlcourse.learning import make_learner, train
from rlcourse.learning.train import Until, after, games, satisfied
from rlcourse.results import FOLDER, load_results, save_results
from rlcourse.self_play import worker_pool


@dataclass(frozen=True)
class Experiment:
    """`run(seed)` gives one row, a dict of numbers and short lists. seeds: how many the course stores."""

    name: str
    about: str
    run: Callable[[int], dict[str, Any]]
    seeds: int


def _curve(learner_name: str, seed: int, every: int, until: Until, **settings: Any) -> dict[str, Any]:
    """Train one table and keep the whole curve; games and seconds at which it became unbeatable and perfect, or None."""
    from rlcourse.judges.tictactoe import judge

    learner = make_learner(learner_name, seed=seed, **settings)
    curve, reached = [], {"unbeatable": None, "perfect": None}
    started = time.perf_counter()
    for row in train(learner, until=until, judge=judge, every=every, seed=seed):
        curve.append([row.games, row.verdict.losing_lines, row.verdict.optimal])
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
        "unbeatable_at": reached["unbeatable"],
        "perfect_at": reached["perfect"],
        "losing_lines": row.verdict.losing_lines,
        "optimal": row.verdict.optimal,
        "curve": curve,
    }


_SOURCE = {"alpha": 0.1, "epsilon": 0.6, "gamma": 0.9, "noise": 1.0, "symmetry": False, "masked": False}


def q_table(seed: int) -> dict[str, Any]:
    """The course's Q-table in plain Python until it is perfect (at most 60,000 games)."""
    return _curve("q-table", seed, 500, after(satisfied("perfect"), games(60_000)), compiled=False)


def q_table_no_symmetry(seed: int) -> dict[str, Any]:
    """The same without symmetry, compiled, until it is perfect (at most 200,000 games)."""
    settings = {"symmetry": False}
    return _curve("q-table", seed, 2_500, after(satisfied("perfect"), games(200_000)), **settings)


def q_table_source(seed: int) -> dict[str, Any]:
    """The source's Q-table as printed: 10,000,000 games, occupied squares playable, judged 40 times."""
    return _curve("q-table", seed, 250_000, games(10_000_000), **_SOURCE)


def afterstates(seed: int) -> dict[str, Any]:
    """Negamax TD(0) with symmetry until it is perfect (at most 20,000 games)."""
    return _curve("afterstates", seed, 100, after(satisfied("perfect"), games(20_000)))


def afterstates_classic(seed: int) -> dict[str, Any]:
    """Sutton & Barto's TD(0) at constant alpha 0.1, epsilon 0.1, for 200,000 games."""
    settings = {"negamax": False, "alpha": 0.1, "epsilon": 0.1, "symmetry": False}
    return _curve("afterstates", seed, 5_000, games(200_000), **settings)


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment("q-table", q_table.__doc__, q_table, 40),
        Experiment("q-table-no-symmetry", q_table_no_symmetry.__doc__, q_table_no_symmetry, 40),
        Experiment("q-table-source", q_table_source.__doc__, q_table_source, 5),
        Experiment("afterstates", afterstates.__doc__, afterstates, 40),
        Experiment("afterstates-classic", afterstates_classic.__doc__, afterstates_classic, 40),
    )
}


def run_experiment(name: str, *, seeds: int | None = None, workers: int = 1, folder: Path = FOLDER) -> Iterator[dict]:
    """Run the seeds 0, 1, ... that are not stored yet; every row is stored before it is yielded.

    Raises ValueError for an unknown experiment.
    """
    if name not in EXPERIMENTS:
        raise ValueError(f"there is no experiment {name!r}; the course knows {', '.join(EXPERIMENTS)}")
    experiment = EXPERIMENTS[name]
    seeds = experiment.seeds if seeds is None else seeds
    command = f"rlcourse experiment {name} --seeds {seeds} --workers {workers}"
    rows = load_results(name, folder)["rows"] if (folder / f"{name}.json").exists() else []
    missing = [seed for seed in range(seeds) if seed not in {row["seed"] for row in rows}]
    with worker_pool(workers) as pool:
        waiting = [pool.submit(experiment.run, seed) for seed in missing]
        for future in as_completed(waiting):
            rows.append(future.result())
            save_results(name, command, rows, folder)
            yield rows[-1]
