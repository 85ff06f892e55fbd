"""Experiments over many seeds: `rlcourse experiment NAME` writes `rlcourse/results/NAME.json`.

There is one module a chapter, and one row a seed. An experiment is a pure function of the seed (but
for the seconds it reports). A run that was cut goes on where it stopped.
"""

from collections.abc import Iterator
from concurrent.futures import as_completed
from importlib import import_module
from pathlib import Path
from typing import Any

from rlcourse.errors import BadValue
from rlcourse.experiments.base import EXPERIMENTS, Experiment, Results
from rlcourse.games import did_you_mean
from rlcourse.results import FOLDER, save_results, stored_rows
from rlcourse.workers import worker_pool

__all__ = ["EXPERIMENTS", "Experiment", "experiment_of", "run_experiment"]

# Each puts its experiments into the register.
CHAPTERS = (
    "actor_critic",
    "alphazero",
    "alphazero_connect_four",
    "backgammon",
    "beyond",
    "connect_four_book",
    "deep_q",
    "go",
    "kata",
    "ladder",
    "rave",
    "reuse",
    "search",
    "tables",
)
for chapter in CHAPTERS:
    import_module(f"{__name__}.{chapter}")

Call = tuple[Any, ...]  # the arguments of `run`: (seed,) or (seed, arm)


def experiment_of(name: str) -> Experiment:
    """The experiment of that name. Raises ValueError for an unknown one."""
    if name not in EXPERIMENTS:
        near = did_you_mean(name, tuple(EXPERIMENTS))
        listed = "`rlcourse experiment list` names those of the course"
        raise BadValue(f"there is no experiment {name!r}{near}; {listed}")
    return EXPERIMENTS[name]


def run_experiment(
    name: str, *, seeds: int | None = None, workers: int = 1, folder: Path = FOLDER
) -> Iterator[Results]:
    """Run the seeds 0, 1, ... that are not stored yet; every row is stored before it is yielded.

    Where the experiment has arms, a row is stored and yielded as soon as one more arm is measured.
    workers: processes of one thread each; 0 runs them in this process, with all its threads.

    Raises ValueError for an unknown experiment.
    """
    experiment = experiment_of(name)
    seeds = experiment.seeds if seeds is None else seeds
    command = f"rlcourse experiment {name} --seeds {seeds} --workers {workers}"
    rows = {row["seed"]: row for row in stored_rows(name, folder)}
    missing = [call for seed in range(seeds) for call in _missing(experiment, seed, rows)]
    for (seed, *arm), result in _results(experiment, missing, workers):
        if arm:
            row = rows.get(seed, {"arms": {}})
            # A row that another machine began says so in each of its arms.
            made_there = {"machine": row["machine"]} if "machine" in row else {}
            measured = {name: made_there | one for name, one in row["arms"].items()}
            measured[arm[0]] = result
            in_order = {name: measured[name] for name in experiment.arms if name in measured}
            result = {"seed": seed, "arms": in_order}
        rows[seed] = result
        save_results(name, command, list(rows.values()), folder)
        yield result


def _missing(experiment: Experiment, seed: int, rows: dict[int, Results]) -> list[Call]:
    """The calls of `run` of which the stored rows lack the result."""
    if not experiment.arms:
        return [] if seed in rows else [(seed,)]
    measured = rows[seed]["arms"] if seed in rows else {}
    return [(seed, arm) for arm in experiment.arms if arm not in measured]


def _results(
    experiment: Experiment, calls: list[Call], workers: int
) -> Iterator[tuple[Call, Results]]:
    if workers == 0:
        yield from ((call, experiment.run(*call)) for call in calls)
        return
    with worker_pool(workers) as pool:
        futures = {pool.submit(experiment.run, *call): call for call in calls}
        for future in as_completed(futures):
            yield futures[future], future.result()
