"""The tables of chapter 2 over many seeds."""

from typing import Any

from rlcourse.experiments.base import Experiment, named_curve
from rlcourse.learning.train import after, games, satisfied

_SOURCE = {
    "alpha": 0.1,
    "epsilon": 0.6,
    "gamma": 0.9,
    "noise": 1.0,
    "symmetry": False,
    "masked": False,
}


def q_table(seed: int) -> dict[str, Any]:
    """The course's Q-table in plain Python until it is perfect (at most 60,000 games)."""
    return named_curve(
        "q-table", seed, 500, after(satisfied("perfect"), games(60_000)), compiled=False
    )


def q_table_no_symmetry(seed: int) -> dict[str, Any]:
    """The same without symmetry, compiled, until it is perfect (at most 200,000 games)."""
    settings = {"symmetry": False}
    return named_curve(
        "q-table", seed, 2_500, after(satisfied("perfect"), games(200_000)), **settings
    )


def q_table_source(seed: int) -> dict[str, Any]:
    """The source's Q-table as printed: 10,000,000 games, occupied squares playable, judged 40 times."""
    return named_curve("q-table", seed, 250_000, games(10_000_000), **_SOURCE)


def afterstates(seed: int) -> dict[str, Any]:
    """Negamax TD(0) with symmetry until it is perfect (at most 20,000 games)."""
    return named_curve("afterstates", seed, 100, after(satisfied("perfect"), games(20_000)))


def afterstates_classic(seed: int) -> dict[str, Any]:
    """Sutton & Barto's TD(0) at constant alpha 0.1, epsilon 0.1, for 200,000 games."""
    settings = {"negamax": False, "alpha": 0.1, "epsilon": 0.1, "symmetry": False}
    return named_curve("afterstates", seed, 5_000, games(200_000), **settings)


EXPERIMENTS = (
    Experiment("q-table", q_table.__doc__, q_table, 40),
    Experiment("q-table-no-symmetry", q_table_no_symmetry.__doc__, q_table_no_symmetry, 40),
    Experiment("q-table-source", q_table_source.__doc__, q_table_source, 3),
    Experiment("afterstates", afterstates.__doc__, afterstates, 40),
    Experiment("afterstates-classic", afterstates_classic.__doc__, afterstates_classic, 40),
)
