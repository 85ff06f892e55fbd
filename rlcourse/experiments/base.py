"""What the experiments of all chapters share: a register, a clock, exact learning curves."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import psutil

from rlcourse.agents.base import Agent
from rlcourse.games import GameState
from rlcourse.judges.tictactoe import judge
from rlcourse.learning import make_learner, train
from rlcourse.learning.train import Learner, Until

Results = dict[str, Any]  # one row: numbers, short lists and dicts of them, as a JSON file has them
Settings = dict[str, Any]  # of a learner: fields of its config
Run = Callable[..., Results]


@dataclass(frozen=True)
class Experiment:
    """`run(seed)` gives one row. seeds: how many the course stores.

    arms: then `run(seed, arm)` gives the part of the row under row["arms"][arm].
    """

    name: str
    about: str
    run: Run
    seeds: int
    arms: tuple[str, ...] = ()


EXPERIMENTS: dict[str, Experiment] = {}


def experiment(name: str, *, seeds: int, arms: Iterable[str] = ()) -> Callable[[Run], Run]:
    """Registers a function of the seed, and of the arm where there are arms.

    The first line of its docstring says what it is about.
    """

    def register(run: Run) -> Run:
        about = (run.__doc__ or "").partition("\n")[0]
        EXPERIMENTS[name] = Experiment(name, about, run, seeds, tuple(arms))
        return run

    return register


class Stopwatch:
    """Seconds that processors have worked for this process and its workers.

    A busy machine stretches them less than it stretches the wall's clock.
    """

    def __init__(self) -> None:
        self._before = self._used()

    @property
    def seconds(self) -> float:
        """Since the start, less what this process did while the watch was stopped."""
        return self._used() - self._before

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """This block, such as judging, does not count; workers that go on meanwhile do."""
        started = time.process_time()
        try:
            yield
        finally:
            self._before += time.process_time() - started

    def _used(self) -> float:
        process, total = psutil.Process(), 0.0
        for one in (process, *process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                total += sum(one.cpu_times()[:2])
        return total


def policy_in(position: GameState, player: Agent) -> list[float]:
    """[A]: the probability of each action for the player to move, with three decimals for a row."""
    policy = player.think(position).policy
    assert policy is not None
    return [round(float(share), 3) for share in policy[0]]


def train_curve(learner: Learner, seed: int, every: int, until: Until) -> Results:
    """Train and keep the whole curve.

    Its rows: games, losing lines, optimal decisions and, where the learner has one, the loss.
    unbeatable_at, perfect_at: the games from which it was so for good, or None. Seconds: of
    training, of all with the judge, and of all by the processor's clock.
    """
    curve = []
    reached: dict[str, int | None] = {"unbeatable": None, "perfect": None}
    started, clock = time.perf_counter(), Stopwatch()
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
        "cpu_seconds": round(clock.seconds, 3),
        "unbeatable_at": reached["unbeatable"],
        "perfect_at": reached["perfect"],
        "losing_lines": row.verdict.losing_lines,
        "optimal": row.verdict.optimal,
        "curve": curve,
    }


def named_curve(name: str, seed: int, every: int, until: Until, **settings: Any) -> Results:
    """`train_curve` of the learner of that name with these settings."""
    return train_curve(make_learner(name, seed=seed, **settings), seed, every, until)
