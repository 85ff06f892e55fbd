"""Random games by the views for PettingZoo and Gymnasium, beside the course's own in lock-step.

    python tests/benchmarks/views.py [--seconds 5]

Each measures in turn, A B C A B C, in one run; the medians of three go into a table in Markdown. A
step is one action: in backgammon one checker's, of the course's own one turn's.
"""

import argparse
import statistics
import time
from functools import cache

import numpy as np

from rlcourse.agents import RandomAgent
from rlcourse.games import GAME_NAMES, get_game
from rlcourse.views.gym import AgainstOpponent
from rlcourse.views.zoo import env

TIMES = 3


@cache
def environment(name: str):
    """One for all games, as a user makes it."""
    return env(name)


@cache
def against_random(name: str) -> AgainstOpponent:
    """One for all games, as a user makes it."""
    return AgainstOpponent(RandomAgent(get_game(name)))


def zoo(name: str, rng: np.random.Generator) -> int:
    """Actions of one game through PettingZoo."""
    game, actions = environment(name), 0
    game.reset(seed=int(rng.integers(2**31)))
    for _ in game.agent_iter():
        observation, _, over, cut, _ = game.last()
        action = None
        if not (over or cut):
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            actions += 1
        game.step(action)
    return actions


def gym(name: str, rng: np.random.Generator) -> int:
    """Actions of one game through Gymnasium, the opponent's not counted."""
    game, actions, over, cut = against_random(name), 0, False, False
    _, info = game.reset(seed=int(rng.integers(2**31)))
    while not (over or cut):
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, _, over, cut, info = game.step(action)
        actions += 1
    return actions


def lock_step(name: str, rng: np.random.Generator) -> int:
    """Plies of 512 games at once."""
    game, plies = get_game(name), 0
    agent, batch = RandomAgent(game), game.new_batch(512)
    while not batch.done.all():
        rows = np.flatnonzero(~batch.done)
        if game.throw is not None:
            batch.roll(rng)
        actions = np.full(len(batch), -1)
        actions[rows] = agent.decide(batch, rows, rng).action
        batch.step(actions)
        plies += len(rows)
    return plies


def rate(play, name: str, seconds: float) -> float:
    """Steps a second."""
    rng, steps, started = np.random.default_rng(0), 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        steps += play(name, rng)
    return steps / (time.perf_counter() - started)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="for each of three times")
    seconds = parser.parse_args().seconds
    print(
        "| game | PettingZoo, steps/s | Gymnasium, steps/s | 512 in lock-step | ratio to PettingZoo |"
    )
    print("|---|---|---|---|---|")
    for name in GAME_NAMES:
        plays = (zoo, gym, lock_step)
        for play in plays:
            play(name, np.random.default_rng(0))  # compiled
        rates = [[rate(play, name, seconds) for play in plays] for _ in range(TIMES)]
        a, b, c = (statistics.median(column) for column in zip(*rates, strict=True))
        a, b, c = (float(f"{each:.2g}") for each in (a, b, c))
        print(f"| {name} | {a:,.0f} | {b:,.0f} | {c:,.0f} | {c / a:.0f}x |")


if __name__ == "__main__":
    main()
