"""Lessons 08 and 09: trees of many games in arrays against nodes in dicts, one game after the
other, with the same stub network; random games; the cache; the solver."""

import time
from collections.abc import Callable, Iterator

import numpy as np

from rlcourse.agents.search_cache import Cached
from rlcourse.agents.search_tree import grow, rollouts, uniform
from rlcourse.encoders import get_encoder_by_name
from rlcourse.games import Batch, Game, get_game
from rlcourse.learning.alphazero_play import play_at_random
from rlcourse.solvers.connect_four import ConnectFourSolver
from tests.benchmarks.speeds import Comparison, compare
from tests.oracles.search_plain import search

GAMES, SIMULATIONS = 512, 100


def openings(game: Game, count: int, plies: int, rng: np.random.Generator) -> Batch:
    """`count` games after so many uniformly random legal moves; those that are over begin anew."""
    batch = game.new_batch(count)
    play_at_random(batch, np.full(count, plies), rng)
    return batch


def rows(quick: bool) -> Iterator[Comparison]:
    """Yield one comparison after the other."""
    repetitions, rng = (3 if quick else 9), np.random.default_rng(0)
    for name, plies in (("tic-tac-toe", 2), ("connect-four", 6)):
        game = get_game(name)
        roots = openings(game, GAMES, plies, rng)
        policy = [1.0] * game.num_actions  # the stub of both: a network that knows nothing

        def in_arrays(roots: Batch = roots, evaluate=uniform) -> int:
            return int(grow(roots, evaluate, SIMULATIONS, rng).visits.sum())

        def in_dicts(roots: Batch = roots, game: Game = game, policy: list = policy) -> int:
            trees = [
                search(game, roots.state(row), lambda state: (policy, 0.0), SIMULATIONS)
                for row in range(20)
            ]
            return sum(sum(root.N.values()) for root in trees)

        what = f"tree search in {name}"
        plain = ("dicts of nodes", in_dicts)
        stub = compare(
            what, "simulations", (f"{GAMES} trees in arrays", in_arrays), plain, repetitions
        )
        yield stub._replace(what=f"{what}, {cpu_microseconds(in_arrays):.2f} us each")
        ours = ("with random games", lambda play=in_arrays: play(evaluate=rollouts))
        yield compare(f"random games in {name}", "simulations", ours, plain, repetitions)
    yield from _cache(repetitions)
    yield _solver()


def cpu_microseconds(work: Callable[[], int]) -> float:
    """Microseconds of processor time a unit of `work`, the best of five: a busy machine
    stretches it less than the wall's.
    """
    best = np.inf
    for _ in range(5):
        started = time.process_time()
        units = work()
        best = min(best, (time.process_time() - started) / units)
    return best * 1e6


def _cache(repetitions: int) -> Iterator[Comparison]:
    """Self-play of 64 games by search, with and without a cache; an evaluation costs what
    one of a small network does.
    """
    game = get_game("connect-four")
    encoder, rng, spent = (
        get_encoder_by_name("two-plane", game),
        np.random.default_rng(0),
        np.ones((64, 64)),
    )

    def slow(
        batch: Batch, rows_: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        for _ in range(len(rows_)):
            np.linalg.multi_dot((spent, spent, spent[:, 0]))
        return uniform(batch, rows_, rng)

    def episode(evaluate) -> int:
        """Six plies of 64 games, 30 simulations each; how many simulations that is."""
        batch, count = game.new_batch(64), 0
        for _ in range(6):
            tree = grow(batch, evaluate, 30, rng)
            batch.step((tree.visits * rng.random(tree.visits.shape)).argmax(axis=1))
            count += 64 * 30
        return count

    cached: list[Cached] = []

    def with_cache() -> int:
        cached.append(Cached(slow, encoder))
        return episode(cached[-1])

    without = ("without", lambda: episode(slow))
    row = compare(
        "search in self-play", "simulations", ("with a cache", with_cache), without, repetitions
    )
    yield row._replace(what=f"{row.what}, {cached[-1].hits / cached[-1].calls:.0%} cached")


def _solver() -> Comparison:
    """Exact values of all moves from 14 stones on, beside positions searched a second."""
    rng = np.random.default_rng(1)
    solver, batch = ConnectFourSolver(), openings(get_game("connect-four"), 20, 16, rng)
    cells = batch.cells[(batch.cells != 0).sum(axis=1) == 16]
    solver.scores(cells[:0])
    before, started = solver.nodes, time.perf_counter()
    solver.scores(cells)
    seconds, searched = time.perf_counter() - started, solver.nodes - before
    what = f"Connect Four solved: {1000 * seconds / len(cells):.0f} ms each at 16 stones"
    return Comparison(
        what, "searched", "solved", "positions", searched / seconds, len(cells) / seconds
    )
