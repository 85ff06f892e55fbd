"""TD-Gammon over many seeds: the class-speed learner, and the source's learner in both readings."""

from collections.abc import Callable
from functools import partial

from rlcourse.agents import BatchAgent, RandomAgent, load_agent
from rlcourse.agents.gnubg import GnubgNetworkAgent
from rlcourse.experiments.base import Results, Stopwatch, experiment
from rlcourse.games import get_game
from rlcourse.judges.backgammon import Verdict, judge_backgammon
from rlcourse.judges.backgammon_errors import error_rate
from rlcourse.learning import games, make_learner, train

TOWARDS_GNUBG = (1_024, 4_096, 16_384, 65_536, 131_072)
# In all a surprise moves a weight by about alpha / (1 - lambda): the control as far as printed.
READINGS = {
    "alpha 0.7, lambda 0.1 (as printed)": (0.7, 0.1),
    "alpha 0.1, lambda 0.7 (as usual)": (0.1, 0.7),
    "alpha 0.233, lambda 0.7 (control)": (0.7 / 0.9 * 0.3, 0.7),
}


@experiment("td-gammon", seeds=40)
def td_gammon(seed: int) -> Results:
    """The course's recipe for 8,192 games; after every 1,024, 1,000 games with random play."""
    learner, judge = make_learner("td-gammon", seed=seed), random_judge(seed)
    curve, reached = [], None
    for row in train(learner, until=games(8_192), judge=judge, every=4, seed=seed):
        share = row.verdict.wins / row.verdict.games
        points = round(row.verdict.points_per_game, 3)
        curve.append([row.games, share, points, round(row.seconds, 2)])
        reached = (reached or curve[-1]) if share >= 0.975 else None
    return {
        "seed": seed,
        "games": row.games,
        "above_97_5_from": reached and reached[0],
        "seconds_until_then": reached and reached[3],
        "training_seconds": round(row.seconds, 2),
        "curve": curve,
    }


@experiment("td-gammon-averages", seeds=20)
def td_gammon_averages(seed: int) -> Results:
    """The course's recipe for 3,072 games with shuffled targets, judged as in td-gammon."""
    from rlcourse.experiments.averages import AveragesLearner  # brings TensorFlow

    learner, judge = AveragesLearner(seed=seed), random_judge(seed)
    curve = [
        [row.games, row.verdict.wins / row.verdict.games]
        for row in train(learner, until=games(3_072), judge=judge, every=4, seed=seed)
    ]
    return {"seed": seed, "games": curve[-1][0], "curve": curve}


@experiment("td-gammon-gnubg", seeds=5)
def td_gammon_gnubg(seed: int) -> Results:
    """The course's recipe for 131,072 games, no game broken off.

    On the way it plays 3,000 games with gnubg. Rows of the curve: games, seconds, points a game
    with their interval, share of wins.
    """
    learner = make_learner("td-gammon", seed=seed, longest=0)
    curve, clock = [], Stopwatch()
    for row in train(learner, until=games(TOWARDS_GNUBG[-1]), every=4, seed=seed):
        if row.games not in TOWARDS_GNUBG:
            continue
        spent = round(clock.seconds, 1)
        with clock.stopped():
            verdict = judge_backgammon(learner.agent(), games=3_000, seed=seed)
        low, high = verdict.points_interval()
        figures = (verdict.points_per_game, low, high, verdict.wins / verdict.games)
        curve.append([row.games, spent, *(round(figure, 3) for figure in figures)])
    return {"seed": seed, "games": row.games, "cpu_seconds": spent, "curve": curve}


@experiment("td-gammon-source", seeds=5)
def td_gammon_source(seed: int) -> Results:
    """The source's learner for 3,000 games: alpha, lambda as printed, as usual, and a control."""
    readings, judge = {}, random_judge(seed)
    for name, (alpha, lam) in READINGS.items():
        learner = make_learner("td-gammon-source", seed=seed, alpha=alpha, lam=lam)
        curve, clock = [], Stopwatch()
        for row in train(learner, until=games(3_000), judge=judge, every=200, seed=seed):
            share = row.verdict.wins / row.verdict.games
            curve.append([row.games, share, round(row.verdict.points_per_game, 3)])
        readings[name] = {"cpu_seconds": round(clock.seconds, 1), "curve": curve}
    return {"seed": seed, "readings": readings}


@experiment("td-gammon-shipped", seeds=5)
def td_gammon_shipped(seed: int) -> Results:
    """The shipped bot in 1,000 games with gnubg, greedy and looking two plies ahead.

    The seed throws the dice.
    """
    bot, played = load_agent("backgammon/td-gammon"), 1_000
    row: Results = {"seed": seed, "games": played}
    ahead = bot.copy_with(look_ahead=5)
    for name, agent in (("points", bot), ("points_looking_ahead", ahead)):
        verdict = judge_backgammon(agent, games=played, seed=seed)
        row[name] = round(verdict.points_per_game, 4)
        row[f"{name}_variance"] = round(verdict.variance, 4)
        row[name.replace("points", "wins")] = verdict.wins
    return row


@experiment("td-gammon-three-plies", seeds=3)
def td_gammon_three_plies(seed: int) -> Results:
    """The shipped bot looking three plies ahead: its errors in 40 games, its points in 1,000.

    The dice are those of td-gammon-errors and td-gammon-shipped with this seed.
    """
    bot = load_agent("backgammon/td-gammon").copy_with(look_ahead=(5, 3))
    rate = error_rate(bot, games=40, seed=seed)
    verdict = judge_backgammon(bot, games=1_000, seed=seed)
    errors = [round(number, 2) for number in (rate.millipoints, *rate.interval())]
    return {
        "seed": seed,
        "errors": [*errors, sum(rate.decisions)],
        "games": verdict.games,
        "points": round(verdict.points_per_game, 4),
        "points_variance": round(verdict.variance, 4),
        "wins": verdict.wins,
    }


@experiment("td-gammon-errors", seeds=5)
def td_gammon_errors(seed: int) -> Results:
    """What a decision costs in millipoints, in 40 games: the runs of td-gammon-gnubg, three bots.

    Each figure: millipoints, their interval, decisions. Rows of the curve: games, and a figure.
    """

    def figure(agent: BatchAgent) -> list[float]:
        rate = error_rate(agent, games=40, seed=seed)
        figures = (rate.millipoints, *rate.interval())
        return [*(round(number, 2) for number in figures), sum(rate.decisions)]

    learner = make_learner("td-gammon", seed=seed, longest=0)
    curve = [
        [row.games, *figure(learner.agent())]
        for row in train(learner, until=games(TOWARDS_GNUBG[-1]), every=4, seed=seed)
        if row.games in TOWARDS_GNUBG
    ]
    bot = load_agent("backgammon/td-gammon")
    bots = {
        "shipped": bot,
        "shipped, looking ahead": bot.copy_with(look_ahead=5),
        "gnubg 0-ply": GnubgNetworkAgent(bot.game),
    }
    return {"seed": seed, "curve": curve, **{name: figure(one) for name, one in bots.items()}}


def random_judge(seed: int) -> Callable[[BatchAgent], Verdict]:
    """Judges agents in 1,000 games with random play, with the same dice for every agent."""
    opponent = RandomAgent(get_game("backgammon"))
    return partial(judge_backgammon, opponent=opponent, games=1_000, seed=seed)
