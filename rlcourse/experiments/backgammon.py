"""TD-Gammon over many seeds: the class-speed learner against random play and gnubg, and the source's learner in both readings."""

import time
from typing import Any

import numpy as np

from rlcourse.agents import RandomAgent, load_agent
from rlcourse.agents.td_gammon import TDGammonAgent
from rlcourse.experiments.base import Experiment
from rlcourse.games import get_game
from rlcourse.judges.backgammon import POINTS, Verdict, judge_backgammon
from rlcourse.learning import games, make_learner, train

TOWARDS_GNUBG = (1_024, 4_096, 16_384, 65_536, 131_072)
# In all a surprise moves a weight by about alpha / (1 - lambda): the control as far as printed.
READINGS = {
    "alpha 0.7, lambda 0.1 (as printed)": (0.7, 0.1),
    "alpha 0.1, lambda 0.7 (as usual)": (0.1, 0.7),
    "alpha 0.233, lambda 0.7 (control)": (0.7 / 0.9 * 0.3, 0.7),
}


def td_gammon(seed: int) -> dict[str, Any]:
    """The course's recipe for 8,192 games, judged in 1,000 games with random play after every 1,024."""
    learner, opponent = make_learner("td-gammon", seed=seed), RandomAgent(get_game("backgammon"))
    curve, reached = [], None
    for row in train(
        learner,
        until=games(8_192),
        judge=lambda agent: _against(agent, opponent, seed),
        every=4,
        seed=seed,
    ):
        share = row.verdict.wins / row.verdict.games
        curve.append(
            [row.games, share, round(row.verdict.points_per_game, 3), round(row.seconds, 2)]
        )
        reached = (reached or curve[-1]) if share >= 0.975 else None
    return {
        "seed": seed,
        "games": row.games,
        "above_97_5_from": reached and reached[0],
        "seconds_until_then": reached and reached[3],
        "training_seconds": round(row.seconds, 2),
        "curve": curve,
    }


def td_gammon_gnubg(seed: int) -> dict[str, Any]:
    """The course's recipe, no game broken off, for 131,072 games, judged by gnubg in 3,000 games on the way."""
    learner = make_learner("td-gammon", seed=seed, longest=0)
    curve, spent, started = [], 0.0, time.process_time()
    for row in train(learner, until=games(TOWARDS_GNUBG[-1]), every=4, seed=seed):
        if row.games in TOWARDS_GNUBG:
            spent += time.process_time() - started
            curve.append(
                [
                    row.games,
                    round(spent, 1),
                    *_figures(judge_backgammon(learner.agent(), games=3_000, seed=seed)),
                ]
            )
            started = time.process_time()
    return {"seed": seed, "games": row.games, "cpu_seconds": round(spent, 1), "curve": curve}


def td_gammon_source(seed: int) -> dict[str, Any]:
    """The source's learner for 3,000 games: alpha and lambda as printed, as usual, and a control."""
    opponent, readings = RandomAgent(get_game("backgammon")), {}
    for name, (alpha, lam) in READINGS.items():
        learner = make_learner("td-gammon-source", seed=seed, alpha=alpha, lam=lam)
        judge, started = (lambda agent: _against(agent, opponent, seed)), time.process_time()
        rows = list(train(learner, until=games(3_000), judge=judge, every=200, seed=seed))
        readings[name] = {
            "cpu_seconds": round(time.process_time() - started, 1),
            "curve": [
                [
                    row.games,
                    row.verdict.wins / row.verdict.games,
                    round(row.verdict.points_per_game, 3),
                ]
                for row in rows
            ],
        }
    return {"seed": seed, "readings": readings}


def td_gammon_shipped(seed: int) -> dict[str, Any]:
    """The shipped bot against gnubg in 1,000 games, by the network's word and looking two plies ahead; the seed throws the dice."""
    bot, row = load_agent("backgammon/td-gammon"), {"seed": seed, "games": 1_000}
    ahead = TDGammonAgent(bot.game, bot.weights, look_ahead=5)
    for name, agent in (("points", bot), ("points_looking_ahead", ahead)):
        verdict = judge_backgammon(agent, games=row["games"], seed=seed)
        mean = verdict.points_per_game
        row[name] = round(mean, 4)
        row[f"{name}_variance"] = round(
            float(verdict.counts @ (np.array(POINTS) - mean) ** 2 / (row["games"] - 1)), 4
        )
        row[name.replace("points", "wins")] = verdict.wins
    return row


def _against(agent: Any, opponent: Any, seed: int) -> Verdict:
    return judge_backgammon(agent, opponent=opponent, games=1_000, seed=seed)


def _figures(verdict: Verdict) -> list[float]:
    """Points a game with its interval, and the share of wins."""
    low, high = verdict.points_interval()
    return [round(x, 3) for x in (verdict.points_per_game, low, high, verdict.wins / verdict.games)]


EXPERIMENTS = (
    Experiment("td-gammon", td_gammon.__doc__, td_gammon, 40),
    Experiment("td-gammon-gnubg", td_gammon_gnubg.__doc__, td_gammon_gnubg, 5),
    Experiment("td-gammon-shipped", td_gammon_shipped.__doc__, td_gammon_shipped, 5),
    Experiment("td-gammon-source", td_gammon_source.__doc__, td_gammon_source, 5),
)
