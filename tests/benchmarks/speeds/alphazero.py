"""Lesson 09b: leaf evaluations of the network of Connect Four, by two workers and by
one process, and searches.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from rlcourse.agents.alphazero import AlphaZeroAgent, new_alphazero_agent
from rlcourse.games import get_game
from rlcourse.workers import worker_pool
from tests.benchmarks.speeds import Comparison, compare
from tests.benchmarks.speeds.search import openings

LEAVES, WORKERS = 512, 2


@lru_cache(maxsize=1)
def player() -> AlphaZeroAgent:
    """One with 32 filters and 3 blocks; one a process."""
    return new_alphazero_agent(get_game("connect-four"), bits=18)


def leaf_evaluations(calls: int) -> int:
    """Forward passes of LEAVES positions each; how many positions that is."""
    batch = openings(player().game, LEAVES, 6, np.random.default_rng(0))
    planes = player().encoder.encode_batch(batch)
    for _ in range(calls):
        player().model(planes)
    return calls * LEAVES


def simulations(count: int) -> int:
    """Searches of LEAVES games with a fresh cache; how many simulations that is."""
    agent = AlphaZeroAgent(player().model, player().encoder, bits=18, simulations=count)
    batch = openings(agent.game, LEAVES, 6, np.random.default_rng(0))
    return int(agent.decide(batch, np.arange(LEAVES), np.random.default_rng(0)).visits.sum())


def rows(quick: bool) -> Iterator[Comparison]:
    """Yield one comparison after the other."""
    repetitions, calls = (3, 20) if quick else (9, 40)
    with worker_pool(WORKERS) as pool:

        def by_workers(work: Callable[[int], int], amount: int) -> Callable[[], int]:
            return lambda: sum(pool.map(work, [amount] * WORKERS))

        for what, work, amount in (
            ("leaf evaluations", leaf_evaluations, calls),
            ("simulations", simulations, calls),
        ):
            ours = (f"{WORKERS} workers of one thread", by_workers(work, amount))
            theirs = ("one process", lambda work=work, amount=amount: work(amount))
            yield compare(f"{what}, 32 filters, 3 blocks", what, ours, theirs, repetitions)
