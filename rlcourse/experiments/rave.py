"""Go on 9 x 9 without learning: search with RAVE against GNU Go, and what each part is worth."""

import time
from typing import Any

import numpy as np

from rlcourse.agents.base import Decision
from rlcourse.agents.gtp_engine import GnuGoAgent
from rlcourse.agents.rave import RaveAgent
from rlcourse.experiments.base import Results, Settings, experiment
from rlcourse.experiments.go import sides
from rlcourse.games import Game, get_game
from rlcourse.games.go import GoBatch
from rlcourse.judges.go import judge_go

NINE = get_game("go", size=9, komi=7.5)
SIMULATIONS = 10_000
FEWER = 1_000  # of the ablation
GAMES = 20  # a seed and arm
BONUS = 0.4  # of UCB1, for an arm without RAVE, whose greedy search may never come back to a move
# What an arm of the ablation lacks.
ARMS: dict[str, Settings] = {
    "all parts": {},
    "no RAVE": {"rave": False},
    "no RAVE, but UCB1's bonus": {"rave": False, "c": BONUS},
    "no patterns": {"patterns": False},
    "no answers to atari": {"atari": False},
    "no priors": {"priors": False},
    "plain UCT": {"rave": False, "patterns": False, "atari": False, "priors": False, "c": BONUS},
}


class Clocked(RaveAgent):
    """Counts the processor's seconds of a process that does nothing else."""

    def __init__(self, game: Game, **options: Any) -> None:
        super().__init__(game, **options)
        self.moves, self.seconds, self.slowest = 0, 0.0, 0.0

    def decide(self, batch: GoBatch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """As the player decides; slowest is of the ply whose moves took longest on average."""
        started = time.process_time()
        decision = super().decide(batch, rows, rng)
        used = time.process_time() - started
        self.moves += len(rows)
        self.seconds += used
        self.slowest = max(self.slowest, used / len(rows))
        return decision


@experiment("rave-gnugo-1", seeds=10)
def against_level_1(seed: int) -> Results:
    """10,000 simulations a move against GNU Go at level 1: 20 games, half of them as Black."""
    return _met(seed, level=1, simulations=SIMULATIONS)


@experiment("rave-gnugo-10", seeds=10)
def against_level_10(seed: int) -> Results:
    """10,000 simulations a move against GNU Go at level 10: 20 games, half of them as Black."""
    return _met(seed, level=10, simulations=SIMULATIONS)


@experiment("rave-ablation", seeds=3)
def ablation(seed: int) -> Results:
    """1,000 simulations a move against GNU Go at level 1, without one part at a time.

    Each arm plays 20 games.
    """
    arms = {
        name: _met(seed, level=1, simulations=FEWER, **settings) for name, settings in ARMS.items()
    }
    return {"seed": seed, "arms": arms}


def _met(seed: int, *, level: int, simulations: int, **settings: Any) -> Results:
    """One match on 9 x 9 with komi 7.5, and the processor's seconds a move of our player."""
    agent = Clocked(NINE, simulations=simulations, **settings)
    verdict = judge_go(
        agent,
        opponent=lambda game: GnuGoAgent(game, level=level),
        games=GAMES,
        seed=seed,
        processes=1,
    )
    return {
        "seed": seed,
        **sides(verdict),
        "seconds": round(agent.seconds / agent.moves, 3),
        "slowest": round(agent.slowest, 3),
    }
