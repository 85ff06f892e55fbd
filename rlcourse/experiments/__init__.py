"""Experiments over many seeds: `rlcourse experiment NAME` writes `rlcourse/results/NAME.json`.

There is one module a chapter, and one row a seed. An experiment is a pure function of the seed (but
for the seconds it reports). A run that was cut goes on where it stopped.
"""

from collections.abc import Iterator
from concurrent.futures import as_completed
from importlib import import_module
from pathlib import Path

from rlcourse.errors import BadValue
from rlcourse.experiments.base import EXPERIMENTS, Experiment, Results
from rlcourse.games import did_you_mean
from rlcourse.results import FOLDER, load_results, save_results
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
    "ladder",
    "rave",
    "reuse",
    "search",
    "tables",
)
for chapter in CHAPTERS:
    import_module(f"{__name__}.{chapter}")


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

    workers: processes of one thread each; 0 runs them in this process, with all its threads.

    Raises ValueError for an unknown experiment.
    """
    experiment = experiment_of(name)
    seeds = experiment.seeds if seeds is None else seeds
    command = f"rlcourse experiment {name} --seeds {seeds} --workers {workers}"
    rows = load_results(name, folder)["rows"] if (folder / f"{name}.json").exists() else []
    stored = {row["seed"] for row in rows}
    missing = [seed for seed in range(seeds) if seed not in stored]
    for row in _rows(experiment, missing, workers):
        rows.append(row)
        save_results(name, command, rows, folder)
        yield row


def _rows(experiment: Experiment, seeds: list[int], workers: int) -> Iterator[Results]:
    if workers == 0:
        yield from (experiment.run(seed) for seed in seeds)
        return
    with worker_pool(workers) as pool:
        for future in as_completed([pool.submit(experiment.run, seed) for seed in seeds]):
            yield future.result()
