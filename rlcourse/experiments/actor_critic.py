"""Actor-critic on Go over many seeds: the recipe, the source's listing as printed, the fair trial.

In the trial a baseline, and advantages that bootstrap, meet the policy gradient, one change at a
time.
"""

import time
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rlcourse.agents import load_agent
from rlcourse.agents.base import BatchAgent
from rlcourse.agents.gtp_engine import GnuGoAgent
from rlcourse.arena import play_match
from rlcourse.experiments.base import Results, Settings, experiment
from rlcourse.experiments.go import curve, sides
from rlcourse.judges.go import judge_go
from rlcourse.judges.random_play import judge_against_random
from rlcourse.learning import make_learner

Arm = tuple[str, Settings]  # the learner, and in what its settings differ from the defaults

SHIPPED = ("actor-critic-5x5", "actor-critic-9x9")
MET = 400  # games of each match of the trial
TEMPERATURES = (1.0, 0.5)  # of both players in a match: as they were trained, and sharpened
BASELINE = "policy gradient"  # the arm that the others meet
SMALL: Settings = {"games": 128}  # games an update, in every arm
SEARCHED = (0.5, 0.7, 0.9)  # of the lambda that was chosen beforehand, on other seeds
CHOSEN = 0.9
FIRST = 100  # the first seed of the runs that measure the cost and search the lambda
BESIDE: dict[str, Arm] = {
    BASELINE: ("policy-gradient", {}),
    "value beside it": ("actor-critic", {"baseline": False}),
    "REINFORCE with baseline": ("actor-critic", {}),
    "TD(0)": ("actor-critic", {"lam": 0.0}),
    "GAE(0.95)": ("actor-critic", {"lam": 0.95}),
}
UPDATES = {5: 32, 7: 16}  # of each arm on a board, at equal games: 4,096 and 2,048 games
ARMS = BESIDE | {f"GAE({CHOSEN})": ("actor-critic", {"lam": CHOSEN})}
# Games of each arm in the processor time of one game of BASELINE, measured beforehand: on 5 x 5 one
# share for all arms of actor-critic-cost; on 7 x 7 one for each arm of actor-critic-trial-7x7-cost,
# in which a seed plays the very games of its trial.
EQUAL_TIME = {
    5: {name: 0.949 for name in ARMS if name != BASELINE},
    7: {
        "value beside it": 0.994,
        "REINFORCE with baseline": 0.985,
        "TD(0)": 1.05,
        "GAE(0.95)": 1.018,
        f"GAE({CHOSEN})": 1.035,
    },
}
COSTED = BESIDE | {f"GAE({lam})": ("actor-critic", {"lam": lam}) for lam in SEARCHED}


@experiment("actor-critic", seeds=40)
def actor_critic(seed: int) -> Results:
    """The course's recipe for 6,144 games, judged after every 1,024 in games with random play.

    `confirmed` is the share of wins at the end, sampled and greedy, in 1,000 games each that are
    not those of the curve.
    """
    row, agent = curve(seed, 2, 6_144, learner="actor-critic")
    fresh = judge_against_random(agent, seed=1_000_000 + seed)
    return {**row, "confirmed": [fresh.wins, fresh.greedy_wins]}


@experiment("actor-critic-printed", seeds=5)
def actor_critic_printed(seed: int) -> Results:
    """The source's listing with its slips repaired and its numbers kept, 2,048 games."""
    from rlcourse.learning.actor_critic import AS_PRINTED  # brings TensorFlow

    return curve(seed, 1, 2_048, learner="actor-critic", judged=500, **AS_PRINTED)[0]


@experiment("actor-critic-trial", seeds=20)
def trial_5x5(seed: int) -> Results:
    """Six arms on 5 x 5, 4,096 games in updates of 128, at equal games and equal processor time."""
    return trial(seed, 5)


@experiment("actor-critic-trial-7x7", seeds=10)
def trial_7x7(seed: int) -> Results:
    """The same six arms on 7 x 7, 2,048 games."""
    return trial(seed, 7)


@experiment("actor-critic-cost", seeds=2)
def cost_5x5(seed: int) -> Results:
    """What 4,096 games of each arm cost on 5 x 5, and three lambdas against the policy gradient.

    Seed 0 stands for 100, and so on, so that the trial's own seeds are not used.
    """
    return cost(seed, 5)


@experiment("actor-critic-cost-7x7", seeds=2)
def cost_7x7(seed: int) -> Results:
    """As actor-critic-cost, 2,048 games of each arm on 7 x 7."""
    return cost(seed, 7)


@experiment("actor-critic-trial-7x7-cost", seeds=10)
def trial_cost_7x7(seed: int) -> Results:
    """What 2,048 games of each arm of actor-critic-trial-7x7 cost, on the seeds of that trial."""
    return cost(seed, 7, arms=ARMS, first=0)


@experiment("actor-critic-shipped", seeds=1)
def actor_critic_shipped(seed: int) -> Results:
    """The shipped bots against GNU Go, random play and the policy agent of the same board.

    400 games with GNU Go at level 1 and 100 at level 10, half of them as Black; 1,000 with random
    play; 400 with the policy agent.
    """
    row: Results = {"seed": seed}
    for name in SHIPPED:
        bot = load_agent(f"go/{name}")
        row[name] = {"temperature": bot.options()["temperature"], "komi": bot.game.options["komi"]}
        for level, met in ((1, 400), (10, 100)):
            opponent = partial(GnuGoAgent, level=level)
            verdict = judge_go(bot, opponent=opponent, games=met, seed=seed, processes=1)
            row[name][f"level_{level}"] = sides(verdict)
        policy = load_agent(f"go/{name.replace('actor-critic', 'policy')}")
        match = play_match(bot, policy, games=400, seed=seed)
        row[name]["policy"] = {
            "as_black": match.as_first[::2],
            "as_white": match.as_second[::2],
            "distinct": match.distinct,
        }
        row[name]["random"] = judge_against_random(bot, seed=seed).wins
    return row


class Checkpoint(NamedTuple):
    """An arm after some of its updates: its player, games, and figures of the last update.

    seconds: of the processor, but for the first update, in which TensorFlow builds its graphs.
    """

    agent: BatchAgent
    games: int
    seconds: float
    metrics: dict[str, float]


def learn_in_turn(
    seed: int, arms: Mapping[str, Arm], stops: Mapping[str, Collection[int]], **settings: Any
) -> dict[str, dict[int, Checkpoint]]:
    """{arm: {updates: checkpoint}} for the `stops` of each arm, in updates.

    All arms start with the same seed and learn in turn, one update each, so that the machine's load
    hits all alike; every round begins with the next of them.
    """
    learners = {
        name: make_learner(kind, seed=seed, **{**SMALL, **settings, **more})
        for name, (kind, more) in arms.items()
    }
    names, seconds = list(arms), dict.fromkeys(arms, 0.0)
    checkpoints: dict[str, dict[int, Checkpoint]] = {name: {} for name in names}
    for number in range(max(max(stop) for stop in stops.values())):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            if number >= max(stops[name]):
                continue
            learner, rng = learners[name], np.random.default_rng([seed, number])
            started = time.process_time()
            metrics = learner.update(learner.collect(rng), rng)
            seconds[name] += (time.process_time() - started) if number else 0.0
            if number + 1 in stops[name]:
                games = (number + 1) * learner.config.games
                checkpoints[name][number + 1] = Checkpoint(
                    learner.agent(), games, seconds[name], metrics
                )
    return checkpoints


def cost(seed: int, size: int, *, arms: Mapping[str, Arm] = COSTED, first: int = FIRST) -> Results:
    """Each arm after as many games, of seed `first` + seed; see `measured`."""
    used, updates = first + seed, UPDATES[size]
    runs = learn_in_turn(used, arms, dict.fromkeys(arms, (updates,)), size=size)
    rival = runs[BASELINE][updates].agent
    rows = {name: measured(run[updates], rival, used) for name, run in runs.items()}
    return {"seed": seed, "used": used, "met": MET, "arms": rows}


def trial(seed: int, size: int) -> Results:
    """The arms against BASELINE of the same seed, at equal games and equal processor time.

    equal_games: each arm as in `measured`. equal_time: likewise all but BASELINE, after the games
    that EQUAL_TIME gives them; an arm without an entry repeats equal_games, because those games
    are as many.
    """
    equal = UPDATES[size]
    fitted = {arm: updates_in(share * equal, seed) for arm, share in EQUAL_TIME[size].items()}
    stops = {arm: {equal, fitted.get(arm, equal)} for arm in ARMS}
    runs = learn_in_turn(seed, ARMS, stops, size=size)
    rival = runs[BASELINE][equal].agent
    row: Results = {"seed": seed, "met": MET}
    row["equal_games"] = {arm: measured(run[equal], rival, seed) for arm, run in runs.items()}
    row["equal_time"] = {
        arm: measured(runs[arm][updates], rival, seed)
        for arm, updates in fitted.items()
        if updates != equal
    }
    return row


def updates_in(updates: float, seed: int) -> int:
    """Whole updates of a seed; seeds 0, 1, ... have `updates` each, to half an update in all."""
    return round(updates * (seed + 1)) - round(updates * seed)


def measured(run: Checkpoint, rival: BatchAgent, seed: int) -> Results:
    """An arm for a row.

    wins and greedy: share of MET games won against random play, sampled and greedily. entropy: in
    nats. value_error: mean squared error of the value, where there is one. "1" and "0.5": games
    won, lost and different ones against the rival, at that temperature of both.
    """
    verdict = judge_against_random(run.agent, games=MET, seed=seed)
    row: Results = {
        "games": run.games,
        "seconds": round(run.seconds, 3),
        "wins": verdict.wins,
        "greedy": verdict.greedy_wins,
        "entropy": round(run.metrics["entropy"], 3),
    }
    if "value_error" in run.metrics:
        row["value_error"] = round(run.metrics["value_error"], 3)
    for temperature in TEMPERATURES if run.agent is not rival else ():
        pair = (player.at_temperature(temperature) for player in (run.agent, rival))
        match = play_match(*pair, games=MET, seed=seed)
        row[f"{temperature:g}"] = [match.wins, match.losses, match.distinct]
    return row
