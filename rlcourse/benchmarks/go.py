"""Lesson 06: random games of Go to their end, superko included, on two threads against one, and against move by move."""

from collections.abc import Iterator

import numpy as np

from rlcourse.agents import make_agent
from rlcourse.benchmarks import Comparison, compare
from rlcourse.games import get_game
from rlcourse.self_play import simulate_game


def rows(quick: bool) -> Iterator[Comparison]:
    """Yield one comparison after the other."""
    repetitions = 3 if quick else 9
    for size, games in ((5, 40_000), (9, 12_000)):
        game = get_game("go", size=size)
        batch, seeds, agent = game.new_batch(games), np.arange(games), make_agent("random", game, seed=0)

        def random_games(threads: int, batch=batch, seeds=seeds) -> int:
            return len(batch.playouts(seeds, threads=threads))

        def move_by_move(agent=agent) -> int:
            return len([simulate_game(agent, agent) for _ in range(5)])

        two = ("two threads", lambda play=random_games: play(2))
        what = f"random games of Go on {size} x {size}"
        yield compare(what, "games", two, ("one thread", lambda play=random_games: play(1)), repetitions)
        yield compare(what, "games", two, ("move by move", move_by_move), repetitions)
