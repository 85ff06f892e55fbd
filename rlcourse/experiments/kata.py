"""What cheap parts of KataGo (Wu 2019) are worth to AlphaZero on Go, each alone.

The recipe makes 32 simulations a move, where KataGo's full searches make 600 and more. On paper
that limits some parts:
- Caps of the same mean give one policy target where the recipe gives four. They trade targets for
  games, and completed Q, the recipe's target, is meant for few simulations as it is.
- Forced playouts grow with the square root of the simulations: k = 2 and P = 0.05 force 2 of 32,
  but 8 of 600. Pruning takes moves with one visit, and few moves are left in the target. The
  control of this arm is the one whose target is the visits.
- The cache already spares the network what it has evaluated in a subtree that is not kept.
"""

from contextlib import suppress
from typing import Any

from rlcourse.agents.base import BatchAgent
from rlcourse.agents.search import UCTAgent
from rlcourse.arena import play_match
from rlcourse.experiments.base import Results, Settings, Stopwatch, experiment
from rlcourse.experiments.go import sides
from rlcourse.judges.go import judge_go
from rlcourse.learning import train
from rlcourse.learning.train import Until
from rlcourse.programs import ProgramMissing

BUDGET = 300  # seconds of a processor, for learning
FIRST = 100  # of these on 5 x 5, in the arm that starts there
GAMES = 100  # of each match, half of them as Black
SIMULATIONS = 32  # of the player in a match, as in the recipe
OPPONENTS = (50, 200, 800)  # simulations of UCT
TOWER = {"filters": 32, "blocks": 3}
ANY_SIZE: Settings = {"network_options": {**TOWER, "any_size": 1}}
SMALL_FIRST = "any size, first on 5x5"
# In what an arm differs from the recipe.
ARMS: dict[str, Settings] = {
    "recipe": {},
    "ownership and score": {"network_options": {**TOWER, "territory": 1}},
    "caps": {"simulations": 80, "fast": 16},
    "visits as target": {"target": "visits"},
    "forced and pruned": {"target": "visits", "forced": 2.0},
    "subtree kept": {"keep": True},
    "any size": ANY_SIZE,
    SMALL_FIRST: ANY_SIZE,
}


@experiment("kata-parts", seeds=5, arms=ARMS)
def kata_parts(seed: int, arm: str) -> Results:
    """Go on 7 x 7: parts of KataGo, each alone, five minutes of one processor (--workers 2).

    Matches of 100 games with UCT and GNU Go at level 1, by colour: [won, drawn, lost], or for GNU
    Go [won, lost, neither].
    """
    plan = {5: FIRST, 7: BUDGET} if arm == SMALL_FIRST else {7: BUDGET}
    return learned(seed, plan, **ARMS[arm])


def learned(seed: int, plan: dict[int, int], **settings: Any) -> Results:
    """One arm. plan: size of the board -> processor seconds since the start when it ends."""
    from rlcourse.experiments.kata_learner import learner_for  # brings TensorFlow

    def spent(end: int) -> Until:
        return lambda row: clock.seconds >= end

    clock, weights, result = Stopwatch(), None, {}
    for size, end in plan.items():
        learner = learner_for(size, seed=seed, **settings)
        if weights:
            learner.start_from(weights)
        for row in train(learner, seed=seed, until=spent(end)):
            pass
        weights = learner.chunks.weights
        result[f"{size}x{size}"] = {"games": row.games, "seconds": round(clock.seconds, 1)}
    return {**result, "matches": matches(learner.agent().with_simulations(SIMULATIONS), seed)}


def matches(player: BatchAgent, seed: int) -> Results:
    """GAMES with each opponent; GNU Go is left out where it is not installed."""
    met: Results = {}
    for simulations in OPPONENTS:
        opponent = UCTAgent(player.game, simulations=simulations)
        match = play_match(player, opponent, games=GAMES, seed=seed)
        met[f"UCT {simulations}"] = {
            "as_black": match.as_first,
            "as_white": match.as_second,
            "distinct": match.distinct,
        }
    with suppress(ProgramMissing):
        met["GNU Go 1"] = sides(judge_go(player, games=GAMES, seed=seed, processes=1))
    return met
