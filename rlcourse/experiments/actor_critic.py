"""Actor-critic on Go over many seeds: the recipe, the source's listing as printed, and the fair trial against the policy
gradient: the same update but for the baseline."""

import time
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rlcourse.agents import load_agent
from rlcourse.agents.base import BatchAgent
from rlcourse.agents.gtp_engine import GnuGoAgent
from rlcourse.arena import play_match
from rlcourse.experiments.base import Experiment
from rlcourse.experiments.go import curve
from rlcourse.judges.go import judge_go
from rlcourse.judges.random_play import judge_against_random
from rlcourse.learning import make_learner

SHIPPED = ("actor-critic-5x5", "actor-critic-9x9")
MET = 1_000  # games of each match of the trial
TEMPERATURES = (1.0, 0.5)  # of both players in a match: as they were trained, and sharpened
BASELINE = "policy gradient"  # the arm that the others meet
ARMS = {
    BASELINE: ("policy-gradient", {}),
    "value beside it": ("actor-critic", {"baseline": False}),
    "actor-critic": ("actor-critic", {}),
    "actor-critic, normalised": ("actor-critic", {"normalised": True}),
}
PAIR = {name: ARMS[name] for name in (BASELINE, "actor-critic")}


def actor_critic(seed: int) -> dict[str, Any]:
    """The course's recipe for 6,144 games, judged in 1,000 games with random play, sampled and greedy, after every 1,024.

    `confirmed` is the share of wins at the end, sampled and greedy, in 1,000 games each that are not those of the curve.
    """
    row, agent = curve(seed, 2, 6_144, learner="actor-critic")
    fresh = judge_against_random(agent, seed=1_000_000 + seed)
    return {**row, "confirmed": [fresh.wins, fresh.greedy_wins]}


def actor_critic_printed(seed: int) -> dict[str, Any]:
    """The source's listing with its slips repaired and its numbers kept, 2,048 games."""
    from rlcourse.learning.actor_critic import AS_PRINTED

    return curve(seed, 1, 2_048, learner="actor-critic", judged=500, **AS_PRINTED)[0]


def trial_5x5(seed: int) -> dict[str, Any]:
    """Actor-critic and policy gradient on 5 x 5 after 4,096 games each, and 1,000 games between those of the same seed."""
    return trial(seed, PAIR, 4_096, size=5)


def trial_7x7(seed: int) -> dict[str, Any]:
    """Actor-critic and policy gradient on 7 x 7 after 2,048 games each, and 1,000 games between those of the same seed."""
    return trial(seed, PAIR, 2_048, size=7)


def trial_arms(seed: int) -> dict[str, Any]:
    """As the trial on 5 x 5, with two arms more: the value learned but not subtracted, and advantages normalised."""
    return trial(seed, ARMS, 4_096, size=5)


def actor_critic_shipped(seed: int) -> dict[str, Any]:
    """The shipped bots against GNU Go, 400 games at level 1 and 100 at level 10, half of them as Black; against random play,
    1,000 games; and against the policy agent of the same board, 400."""
    row: dict[str, Any] = {"seed": seed}
    for name in SHIPPED:
        bot = load_agent(f"go/{name}")
        row[name] = {"temperature": bot.temperature, "komi": bot.game.options["komi"]}
        for level, met in ((1, 400), (10, 100)):
            verdict = judge_go(bot, opponent=partial(GnuGoAgent, level=level), games=met, seed=seed, processes=1)
            sides = {"as_black": verdict.as_black, "as_white": verdict.as_white, "distinct": verdict.distinct}
            row[name][f"level_{level}"] = sides
        match = play_match(bot, load_agent(f"go/{name.replace('actor-critic', 'policy')}"), games=400, seed=seed)
        policy = {"as_black": match.as_first[::2], "as_white": match.as_second[::2], "distinct": match.distinct}
        row[name] |= {"policy": policy, "random": judge_against_random(bot, seed=seed).wins}
    return row


class Run(NamedTuple):
    """One arm of a trial: the learner, what it said of its last update, seconds of the processor, games."""

    learner: Any
    metrics: dict[str, float]
    seconds: float
    games: int


def trial(seed: int, arms: dict[str, tuple[str, dict[str, Any]]], games: int, **settings: Any) -> dict[str, Any]:
    """Each arm learns from `games` games, with the same seed and first weights; then it meets the arm BASELINE.

    arms: for each its seconds of the processor, share of 500 games won against random play sampled and greedily, entropy in
    nats, and mean squared error of the value where it has one. equal_games: for each other arm and each temperature games won,
    lost and different ones against BASELINE after as many games. equal_time: the same for "actor-critic" after the faster of
    the two has learned on until it had as many seconds, to the nearest update, at the first temperature; games: how many
    (actor-critic, BASELINE) had by then.
    """
    runs = {name: _learn(make_learner(kind, seed=seed, **settings, **how), games) for name, (kind, how) in arms.items()}
    row: dict[str, Any] = {"seed": seed, "games": games, "met": MET, "arms": {}, "equal_games": {}}
    for name, run in runs.items():
        verdict = judge_against_random(run.learner.agent(), games=500, seed=seed)
        error = {"value_error": round(run.metrics["value_error"], 3)} if "value_error" in run.metrics else {}
        row["arms"][name] = {
            "seconds": round(run.seconds, 2), "wins": verdict.wins, "greedy": verdict.greedy_wins,
            "entropy": round(run.metrics["entropy"], 3), **error,
        }  # fmt: skip
    rival = runs[BASELINE].learner.agent()
    for name in list(runs)[1:]:
        row["equal_games"][name] = _meet(runs[name].learner.agent(), rival, seed)
    pair = [runs["actor-critic"], runs[BASELINE]]
    late = int(pair[1].seconds < pair[0].seconds)
    pair[late] = _learn(pair[late].learner, 0, seconds=pair[1 - late].seconds, before=pair[late])
    met = _meet(*(run.learner.agent() for run in pair), seed, TEMPERATURES[:1])
    used = {"games": [run.games for run in pair], "seconds": [round(run.seconds, 2) for run in pair]}
    return {**row, "equal_time": {**used, **met}}


def _learn(learner: Any, games: int, *, seconds: float = 0.0, before: Run | None = None) -> Run:
    """Learn until there are that many games, and that many seconds of the processor to the nearest update; with `before`."""
    played, spent, metrics = (before.games, before.seconds, before.metrics) if before else (0, 0.0, {})
    while played < games or spent + spent / played * learner.config.games / 2 < seconds:
        started, rng = time.process_time(), np.random.default_rng([learner.chunks.seed, played])
        buffer = learner.collect(rng)
        metrics = learner.update(buffer, rng)
        played += buffer.games
        spent += time.process_time() - started
    return Run(learner, metrics, spent, played)


def _meet(
    player: BatchAgent, rival: BatchAgent, seed: int, temperatures: tuple[float, ...] = TEMPERATURES
) -> dict[str, list[int]]:
    """Games won, lost and different ones at each temperature."""
    matches = {}
    for temperature in temperatures:
        match = play_match(player.at_temperature(temperature), rival.at_temperature(temperature), games=MET, seed=seed)
        matches[f"{temperature:g}"] = [match.wins, match.losses, match.distinct]
    return matches


EXPERIMENTS = (
    Experiment("actor-critic", actor_critic.__doc__, actor_critic, 40),
    Experiment("actor-critic-printed", actor_critic_printed.__doc__, actor_critic_printed, 5),
    Experiment("actor-critic-trial", trial_5x5.__doc__, trial_5x5, 20),
    Experiment("actor-critic-shipped", actor_critic_shipped.__doc__, actor_critic_shipped, 1),
    Experiment("actor-critic-arms", trial_arms.__doc__, trial_arms, 5),
    Experiment("actor-critic-trial-7x7", trial_7x7.__doc__, trial_7x7, 10),
)
