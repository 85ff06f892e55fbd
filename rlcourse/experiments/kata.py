"""What cheap parts of KataGo (Wu 2019) are worth to AlphaZero on Go, each alone.

The recipe makes 32 simulations a move, where KataGo's full searches make 600 and more. On paper
that limits some parts:
- Caps of the same mean give one policy target where the recipe gives four. They trade targets for
  games, and completed Q, the recipe's target, is meant for few simulations as it is.
- Forced playouts grow with the square root of the simulations: k = 2 and P = 0.05 force 2 of 32,
  but 8 of 600. Pruning takes moves with one visit, and few moves are left in the target. The
  control of this arm is the one whose target is the visits.
- With 8 bits the network answers 3.5 times as fast (7 x 7, AVX-512), but a chunk of self-play takes
  0.56 of the time: rules, planes and tree cost what they did.
- The cache already spares the network what it has evaluated in a subtree that is not kept.
"""

from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

from rlcourse.agents import save_agent
from rlcourse.agents.base import BatchAgent
from rlcourse.agents.gtp_engine import GnuGoAgent
from rlcourse.agents.search import UCTAgent
from rlcourse.arena import play_match
from rlcourse.experiments.base import Results, Settings, Stopwatch, experiment
from rlcourse.experiments.go import sides
from rlcourse.experiments.kata_search import in_int8
from rlcourse.judges.go import judge_go
from rlcourse.learning import games, train
from rlcourse.learning.train import Row, Until
from rlcourse.programs import ProgramMissing

if TYPE_CHECKING:
    from rlcourse.experiments.kata_learner import KataLearner

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
    "8 bits": {"int8": True},
    "any size": ANY_SIZE,
    SMALL_FIRST: ANY_SIZE,
}
# Of the run that goes on to 9 x 9.
NINE: Settings = {**ANY_SIZE, "int8": True, "workers": 2, "ahead": 2}
STAGE = 20_480  # games on each size of the board
SAVED = 16  # updates of 64 games between two checkpoints
DEEP = 1_000  # simulations of the player in its second match
# An arm on 9 x 9 -> size of the board: games on it, one size after the other.
CURVE: dict[str, dict[int, int]] = {
    "random weights": {9: 0},
    **{f"{n:,} games": {5: STAGE, 7: STAGE, 9: n} for n in range(0, STAGE + 1, STAGE // 4)},
}
END = f"{STAGE:,} games"  # the arm whose player is stored
STORED = 400  # its simulations


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

    def spent(end: int) -> Until:
        return lambda row: clock.seconds >= end

    clock, result = Stopwatch(), {}
    until = {size: spent(end) for size, end in plan.items()}
    for board, learner, row in boards(seed, until, **settings):
        result[board] = {"games": row.games, "seconds": round(clock.seconds, 1)}
    return {**result, "matches": matches(learner.agent().with_simulations(SIMULATIONS), seed)}


@experiment("kata-go-9x9", seeds=2, arms=CURVE)
def kata_go_9x9(seed: int, arm: str) -> Results:
    """Go on 9 x 9 from nothing: 5 x 5 and 7 x 7 first, about an hour on two cores (--workers 0).

    An arm is a point of the curve on 9 x 9, or the control that has learned nothing. seconds: of
    learning on each size, by the wall's clock. Matches of 100 games with GNU Go by simulations and
    level, [won, lost, neither] by colour; at the end of the curve with level 10, too. Its player is
    then stored as kata-go-9x9-seed-0.h5 in the folder of temporary files.
    """
    return grown_up(seed, CURVE[arm], **NINE)


def grown_up(seed: int, plan: dict[int, int], **settings: Any) -> Results:
    """One arm. plan: size of the board -> games on it, one size after the other."""
    seconds = {}
    until = {size: games(stop) for size, stop in plan.items()}
    for board, learner, row in boards(seed, until, saved=True, **settings):
        seconds[board] = round(row.seconds, 1)
    player = learner.agent()
    opponents = [(SIMULATIONS, 1), (DEEP, 1)]
    if plan == CURVE[END]:
        opponents.append((DEEP, 10))
        file = Path(gettempdir()) / f"kata-go-9x9-seed-{seed}.h5"
        command = f"rlcourse experiment kata-go-9x9 --seeds {seed + 1} --workers 0"
        save_agent(player.with_simulations(STORED), file, command=command)
    player.model = in_int8(player)
    met = {}
    for simulations, level in opponents:
        engine = partial(GnuGoAgent, level=level)
        searching = player.with_simulations(simulations)
        verdict = judge_go(searching, opponent=engine, games=GAMES, seed=seed)
        met[f"{simulations:,} simulations, GNU Go {level}"] = sides(verdict)
    return {"seconds": seconds, "matches": met}


def boards(
    seed: int, plan: dict[int, Until], *, saved: bool = False, **settings: Any
) -> Iterator[tuple[str, "KataLearner", Row]]:
    """One size of the board after the other: (its name, the learner at its end, the last row).

    plan: size -> when it ends. Each learner but the first starts from the weights of the one
    before. saved: learning goes on from checkpoints in the folder of temporary files; where they
    are gone, the same seed learns the same again.
    """
    from rlcourse.experiments.kata_learner import learner_for  # brings TensorFlow

    names, weights, every, file = [], None, 1, None
    for size, until in plan.items():
        names.append(f"{size}x{size}")
        if saved:
            every = SAVED
            file = Path(gettempdir()) / f"kata-go-9x9-seed-{seed}-on-{'-'.join(names)}.h5"
        with closing(learner_for(size, seed=seed, **settings)) as learner:
            if weights:
                learner.start_from(weights)
            for row in train(learner, seed=seed, until=until, every=every, checkpoint=file):
                pass
            yield names[-1], learner, row
        weights = learner.chunks.weights


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
