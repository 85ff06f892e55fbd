"""AlphaZero on Connect Four over many seeds: the recipe, what its parts are worth, and the bot."""

from collections.abc import Iterable
from typing import Any

from rlcourse.agents import load_agent
from rlcourse.agents.base import BatchAgent
from rlcourse.experiments.alphazero import MINUTES, WITHOUT
from rlcourse.experiments.base import Results, Settings, Stopwatch, experiment, policy_in
from rlcourse.games import from_recipe
from rlcourse.judges.connect_four import GRADES, SETS, Verdict, judge_connect_four
from rlcourse.learning import games, make_learner, train

SHORT = 768  # games of the run that lesson 09b repeats live
LOOKED_AT = (0, 10, 30, 100)  # simulations with which it is judged
# X is to move: four in column d win at once; and O threatens four at f1.
TACTICS = [
    "connect-four:......./......./......./...X.../..OX.../..OXO..",
    "connect-four:......./......./......./......./...XX../.XOOO..",
]
# What recipes are made of, taken away from or added to a fuller one than that which is shipped.
FULLER: Settings = {"target": "completed-q", "opening": 16, "averaging": 0.75}
LARGE: Settings = {"network_options": {"filters": 32, "blocks": 3, "head_filters": 32}}
OFTEN: Settings = {"reuse": 8.0}
SHOWN: Settings = {"encoder": "threats"}
ABLATION_FOUR: dict[str, Settings] = {
    "openings, running mean, completed Q": {},
    **WITHOUT,
    "no move drawn": {"sampled_plies": 0},
    "larger heads": LARGE,
    "each position learned 8 times": OFTEN,
    "threats shown by hand": SHOWN,
    "larger heads, learned 8 times, threats": {**LARGE, **OFTEN, **SHOWN},
}
# What to ship: the fewest parts or more, all with the threats shown. A part stays out unless with
# 800 simulations it wins on every seed.
DRAWN: Settings = {**SHOWN, "opening": 16, "averaging": 0.75}
ALL: Settings = {**SHOWN, **FULLER, **LARGE, **OFTEN}
CHOICE: dict[str, Settings] = {
    "the recipe": SHOWN,
    "random openings, running mean": DRAWN,
    "these and completed Q": {**DRAWN, "target": "completed-q"},
    "these and larger heads, learned 8x": {**DRAWN, **LARGE, **OFTEN},
    "all of these": ALL,
}


@experiment("alphazero-connect-four", seeds=3)
def alphazero_connect_four(seed: int) -> Results:
    """Connect Four for ten minutes of a processor: five on two cores (--workers 0).

    Two workers and the learner count together. Rows of the curve: games, seconds of training by the
    wall's clock and of all processors, errors raw and with 100 simulations. errors: wrong moves by
    grade and of all, of so many positions, raw, with 100 and 800 simulations.
    """
    return connect_four_run(seed, 60 * MINUTES)


@experiment("alphazero-connect-four-fuller", seeds=3)
def alphazero_connect_four_fuller(seed: int) -> Results:
    """The same ten minutes with random openings, a running mean and completed Q."""
    return connect_four_run(seed, 60 * MINUTES, **FULLER)


@experiment("alphazero-connect-four-threats", seeds=3)
def alphazero_connect_four_threats(seed: int) -> Results:
    """The same ten minutes with a network that is shown where four in a row threaten."""
    return connect_four_run(seed, 60 * MINUTES, learner="alphazero-connect-four-threats")


@experiment("alphazero-connect-four-threats-fuller", seeds=3)
def alphazero_connect_four_threats_fuller(seed: int) -> Results:
    """The same with threats, those three parts, larger heads, each position learned 8 times."""
    return connect_four_run(seed, 60 * MINUTES, **ALL)


@experiment("alphazero-connect-four-ablation", seeds=3)
def alphazero_connect_four_ablation(seed: int) -> Results:
    """Connect Four with three parts more, and with one changed, two minutes each (--workers 0)."""
    arms = {
        name: connect_four_run(seed, 120, every=8, **{**FULLER, **arm})
        for name, arm in ABLATION_FOUR.items()
    }
    return {"seed": seed, "arms": arms}


@experiment("alphazero-connect-four-choice", seeds=3)
def alphazero_connect_four_choice(seed: int) -> Results:
    """Connect Four with few parts of the recipe and with more, five minutes of one processor each.

    Judged on the 588 positions for trials.
    """
    arms = {
        name: connect_four_run(seed, 300, trial=True, workers=0, **arm)
        for name, arm in CHOICE.items()
    }
    return {"seed": seed, "arms": arms}


def connect_four_run(
    seed: int,
    budget: float,
    *,
    every: int = 16,
    learner: str = "alphazero-connect-four",
    trial: bool = False,
    **settings: Any,
) -> Results:
    """One row: training with a budget of processor seconds, judged after every `every` updates.

    trial: judged by the positions for trials.
    """

    def judge(agent: BatchAgent, simulations: int) -> Verdict:
        return judge_connect_four(agent.with_simulations(simulations), trial=trial)

    made, clock, curve = make_learner(learner, seed=seed, **settings), Stopwatch(), []
    try:
        for row in train(made, seed=seed, until=lambda row: clock.seconds >= budget):
            if row.updates % every:
                continue
            spent = [round(row.seconds, 1), round(clock.seconds, 1)]
            with clock.stopped():
                wrong = [judge(made.agent(), k).counts()[0] for k in (0, 100)]
            curve.append([row.games, *spent, *wrong])
        used = round(clock.seconds, 1)
    finally:
        made.close()
    return {
        "seed": seed,
        "games": row.games,
        "seconds": round(row.seconds, 1),
        "processor_seconds": used,
        "errors": {str(k): by_part(judge(made.agent(), k), GRADES) for k in (0, 100, 800)},
        "curve": curve,
    }


@experiment("alphazero-connect-four-short", seeds=9)
def alphazero_connect_four_short(seed: int) -> Results:
    """Connect Four for 768 games, as lesson 09b does it live: wrong moves before and after.

    before, after: wrong of 252, raw and with 10, 30 and 100 simulations. Rows of the curve: games,
    wrong moves raw. One process; workers would change nothing of what is learned.
    """
    learner = make_learner("alphazero-connect-four", seed=seed, workers=0)
    before, clock, curve = _wrong(learner.agent()), Stopwatch(), []
    for row in train(learner, seed=seed, until=games(SHORT)):
        with clock.stopped():
            raw = judge_connect_four(learner.agent().with_simulations(0))
        curve.append([row.games, raw.counts()[0]])
    used = round(clock.seconds, 1)
    return {
        "seed": seed,
        "games": row.games,
        "processor_seconds": used,
        "before": before,
        "after": _wrong(learner.agent()),
        "curve": curve,
    }


def _wrong(agent: BatchAgent) -> dict[str, int]:
    """Simulations -> wrong moves of 252."""
    counts = ((k, judge_connect_four(agent.with_simulations(k)).counts()) for k in LOOKED_AT)
    return {str(k): wrong for k, (wrong, _) in counts}


@experiment("alphazero-connect-four-policies", seeds=1)
def alphazero_connect_four_policies(seed: int) -> Results:
    """The raw policy in two positions of Connect Four, for 2,048 games of the plain recipe.

    moments: after each update counts, that is games and wrong of 252, raw and with 100 simulations;
    and policies, the probability [7] of each column in each of the positions.
    """
    positions, moments = [from_recipe(recipe) for recipe in TACTICS], []
    learner = make_learner("alphazero-connect-four", seed=seed, workers=0)
    for row in train(learner, seed=seed, until=games(2_048)):
        player = learner.agent()
        wrong = [judge_connect_four(player.with_simulations(k)).counts()[0] for k in (0, 100)]
        raw = player.with_simulations(0).at_temperature(1)
        policies = [policy_in(position, raw) for position in positions]
        moments.append({"counts": [row.games, *wrong], "policies": policies})
    return {"seed": seed, "positions": TACTICS, "moments": moments}


def by_part(verdict: Verdict, parts: Iterable[str]) -> dict[str, tuple[int, int]]:
    """(wrong moves, positions) of each part of a verdict, and of all."""
    return {part: verdict.counts(part) for part in parts} | {"all": verdict.counts()}


@experiment("alphazero-connect-four-shipped", seeds=1)
def alphazero_connect_four_shipped(seed: int) -> Results:
    """Errors by grade and set of the shipped bot of Connect Four: raw, 100 and 600 simulations."""
    bot = load_agent("connect-four/alphazero")
    row: Results = {"seed": seed}
    for simulations in (0, 100, 600):
        verdict = judge_connect_four(bot.with_simulations(simulations))
        row[str(simulations)] = by_part(verdict, (*GRADES, *SETS))
    return row


@experiment("alphazero-connect-four-long", seeds=1)
def alphazero_connect_four_long(seed: int) -> Results:
    """The plain recipe with threats for 61,440 games, beside the shipped bot.

    That is about half an hour of one processor; the shipped bot learned from as many games with all
    parts (ALL). Errors in the positions for trials, raw, with 100 and 600 simulations.
    """
    learner = make_learner("alphazero-connect-four-threats", seed=seed, workers=0)
    for row in train(learner, seed=seed, until=games(61_440)):
        pass
    players = {"plain": learner.agent(), "shipped": load_agent("connect-four/alphazero")}
    judged = {
        name: {
            str(k): judge_connect_four(player.with_simulations(k), trial=True).counts()
            for k in (0, 100, 600)
        }
        for name, player in players.items()
    }
    return {"seed": seed, "games": row.games, **judged}
