"""Compile every kernel of the course once and put it into the cache: `python -m rlcourse.warm`, run by the set-up."""

import time
from collections.abc import Callable

import numpy as np

from rlcourse.agents import make_agent
from rlcourse.arena import play_match
from rlcourse.games import GAME_NAMES, get_game
from rlcourse.learning import LEARNER_NAMES, make_learner, train
from rlcourse.learning.train import games


def warm_game(name: str) -> None:
    """Play a position and a small match of random players: every kernel of the rules runs."""
    game = get_game(name)
    agent = make_agent("random", game)
    play_match(agent, agent, games=4, seed=0)
    state = game.new_game()
    game.parse(state.apply_move(state.legal_moves()[0]).recipe().split(":", 1)[1])
    batch = game.new_batch(2)
    batch.replay(game.new_batch(2), np.zeros((2, 1), np.int64), np.ones(2, np.int64))


def warm_learner(name: str) -> None:
    """Two updates of the learner, and of its variants."""
    variants = [{}] if name != "afterstates" else [{}, {"negamax": False}]
    for settings in variants:
        for _ in train(make_learner(name, **settings), until=games(2), seed=0):
            pass


def warm(report: Callable[[str], None] = print) -> None:
    """Compile everything; `report` gets one line a step."""
    for what, names, step in (("rules of", GAME_NAMES, warm_game), ("learner", LEARNER_NAMES, warm_learner)):
        for name in names:
            started = time.perf_counter()
            step(name)
            report(f"  {what} {name}: {time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    warm()
