"""Speeds, as ratios measured side by side in one run: `python -m tests.benchmarks.speeds`. One
module a chapter, each with `rows(quick)`.
"""

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from statistics import median
from typing import NamedTuple

MODULES = ("foundation", "deep_q", "backgammon", "go", "search", "alphazero")


class Comparison(NamedTuple):
    """One line of the table: `ours` and `theirs` do the same work `unit` by unit; rates are units
    per second (medians of alternating repetitions)."""

    what: str
    ours: str
    theirs: str
    unit: str
    our_rate: float
    their_rate: float

    @property
    def ratio(self) -> float:
        """How many times faster ours is."""
        return self.our_rate / self.their_rate


def rate(work: Callable[[], int]) -> float:
    """Units per second of `work`, which returns how many units it did."""
    started = time.perf_counter()
    units = work()
    return units / (time.perf_counter() - started)


def compare(
    what: str,
    unit: str,
    ours: tuple[str, Callable[[], int]],
    theirs: tuple[str, Callable[[], int]],
    repetitions: int,
) -> Comparison:
    """Run the two in turn, A B A B ..., so that a machine that slows down
    slows both; the medians count.
    """
    ours[1](), theirs[1]()  # warm
    pairs = [(rate(ours[1]), rate(theirs[1])) for _ in range(repetitions)]
    return Comparison(
        what, ours[0], theirs[0], unit, median(a for a, _ in pairs), median(b for _, b in pairs)
    )


def run(*, quick: bool, report: Callable[[str], None] = print) -> Iterator[Comparison]:
    """Run every benchmark and report a table; yields its rows."""
    report(f"{'what':34} {'ours':>30} {'against':>36} {'ratio':>8}")
    for name in MODULES:
        for row in import_module(f"tests.benchmarks.speeds.{name}").rows(quick):
            ours = f"{row.ours}: {row.our_rate:,.0f} {row.unit}/s"
            theirs = f"{row.theirs}: {row.their_rate:,.0f} {row.unit}/s"
            report(f"{row.what:34} {ours:>30} {theirs:>36} {row.ratio:7.1f}x")
            yield row
