"""AlphaZero over many seeds: tic-tac-toe until nothing beats it, Connect Four for five minutes, what helped, the bots."""

from functools import partial
from typing import Any

from rlcourse.agents import load_agent, make_agent
from rlcourse.agents.base import RandomAgent
from rlcourse.agents.gtp_engine import GnuGoAgent
from rlcourse.agents.search import PUCTAgent, from_agent
from rlcourse.arena import play_match
from rlcourse.experiments.base import Experiment, Stopwatch
from rlcourse.games import get_game
from rlcourse.judges import tictactoe
from rlcourse.judges.connect_four import GRADES, SETS, judge_connect_four
from rlcourse.judges.go import judge_go
from rlcourse.learning import after, games, make_learner, train
from rlcourse.learning.train import Row

ENOUGH = 4_510  # best moves of 4,520, with 50 simulations
MINUTES = 10  # of a processor, both cores together: five minutes on two cores
# What the recipe is made of, taken away or added one at a time: on tic-tac-toe ...
WITHOUT = {
    "visits as target": {"target": "visits"},
    "result alone as value": {"root_value": 0.0},
    "no random openings": {"opening": 0},
    "no noise": {"noise": 0.0},
}
ABLATION = {"the recipe": {}, **WITHOUT, "newest weights play": {"averaging": 0.0}}
# ... and on Connect Four, there of a fuller recipe than the one that is shipped
FULLER = {"target": "completed-q", "opening": 16, "averaging": 0.75}
LARGE = {"network_options": {"filters": 32, "blocks": 3, "head_filters": 32}}
OFTEN, SHOWN = {"reuse": 8.0}, {"encoder": "threats"}
ABLATION_FOUR = {
    "openings, running mean, completed Q": {},
    **WITHOUT,
    "no move drawn": {"sampled_plies": 0},
    "larger heads": LARGE,
    "each position learned 8 times": OFTEN,
    "threats shown by hand": SHOWN,
    "larger heads, learned 8 times, threats": {**LARGE, **OFTEN, **SHOWN},
}
# What to ship: the fewest parts or more, all with the threats shown. A part stays out unless with 800 simulations it wins on
# every seed.
DRAWN = {**SHOWN, "opening": 16, "averaging": 0.75}
ALL = {**SHOWN, **FULLER, **LARGE, **OFTEN}
CHOICE = {
    "the recipe": SHOWN,
    "random openings, running mean": DRAWN,
    "these and completed Q": {**DRAWN, "target": "completed-q"},
    "these and larger heads, learned 8x": {**DRAWN, **LARGE, **OFTEN},
    "all of these": ALL,
}


def alphazero_tictactoe(seed: int) -> dict[str, Any]:
    """Tic-tac-toe until the raw policy and 50 simulations both lose no line, and 50 simulations find 4,510 best moves.

    seconds: of training, by the wall's clock. Rows of the curve: games, such seconds, losing lines and best moves raw, and
    with 50 simulations.
    """
    return tictactoe_run(seed, 50_000)


def alphazero_tictactoe_plain(seed: int) -> dict[str, Any]:
    """The same with visits as target, and the newest weights play. Rows as above."""
    return tictactoe_run(seed, 50_000, target="visits", averaging=0.0)


def alphazero_ablation(seed: int) -> dict[str, Any]:
    """Tic-tac-toe with the recipe and without one of its parts: rows as above, each of 6,144 games at most."""
    return {
        "seed": seed,
        "arms": {name: tictactoe_run(seed, 6_144, **arm) for name, arm in ABLATION.items()},
    }


def tictactoe_run(seed: int, limit: int, **settings: Any) -> dict[str, Any]:
    """One row; reached: whether it was good enough before the limit of games."""

    def verdicts(agent: Any) -> tuple[Any, Any]:
        return tictactoe.judge(agent.with_simulations(0)), tictactoe.judge(
            agent.with_simulations(50)
        )

    def enough(row: Row) -> bool:
        raw, searched = row.verdict
        return raw.unbeatable and searched.unbeatable and searched.optimal >= ENOUGH

    _warm_up("alphazero", **settings)
    learner, spent, curve = make_learner("alphazero", seed=seed, **settings), Stopwatch(), []
    stop = after(enough, games(limit))
    for row in train(learner, until=stop, judge=spent.left_out(verdicts), seed=seed):
        raw, searched = row.verdict
        lines = [raw.losing_lines, raw.optimal, searched.losing_lines, searched.optimal]
        curve.append([row.games, round(row.seconds, 2), *lines])
    used = {"seconds": round(row.seconds, 2), "processor_seconds": round(spent.seconds, 2)}
    return {"seed": seed, "games": row.games, "reached": enough(row), **used, "curve": curve}


def _warm_up(name: str, **settings: Any) -> None:
    """One update of another learner: TensorFlow compiles the network's functions."""
    learner = make_learner(name, seed=10_000, **settings)
    for _ in train(learner, until=lambda row: row.updates > 0, seed=10_000):
        pass


def alphazero_connect_four(seed: int) -> dict[str, Any]:
    """Connect Four for ten minutes of a processor, two workers and the learner together: five on two cores (--workers 0).

    Rows of the curve: games, seconds of training by the wall's clock and of all processors, errors raw and with 100
    simulations. errors: wrong moves by grade and of all, of so many positions, raw, with 100 and 800 simulations.
    """
    return connect_four_run(seed, 60 * MINUTES)


def alphazero_connect_four_threats(seed: int) -> dict[str, Any]:
    """The same ten minutes with the learner alphazero-connect-four-threats, whose network is shown by hand where four in a row
    threaten. Rows as above."""
    return connect_four_run(seed, 60 * MINUTES, learner="alphazero-connect-four-threats")


def alphazero_connect_four_fuller(seed: int) -> dict[str, Any]:
    """The same ten minutes with stones only and three parts more, FULLER: random openings, a running mean, completed Q."""
    return connect_four_run(seed, 60 * MINUTES, **FULLER)


def alphazero_connect_four_threats_fuller(seed: int) -> dict[str, Any]:
    """The same with threats, those three parts, larger heads, and each position learned 8 times."""
    return connect_four_run(seed, 60 * MINUTES, **ALL)


def alphazero_connect_four_ablation(seed: int) -> dict[str, Any]:
    """Connect Four with a fuller recipe, random openings, completed Q and a running mean, and with one part of it changed: two
    minutes of a processor each (--workers 0)."""
    arms = {
        name: connect_four_run(seed, 120, every=8, **{**FULLER, **arm})
        for name, arm in ABLATION_FOUR.items()
    }
    return {"seed": seed, "arms": arms}


def alphazero_connect_four_choice(seed: int) -> dict[str, Any]:
    """Connect Four with few parts of the recipe and with more, five minutes of one processor each, judged on the 588 positions
    for trials."""
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
) -> dict[str, Any]:
    """One row: training with a budget of processor seconds, judged after every `every` updates, by the judge's positions or
    those for trials."""
    judge = partial(judge_connect_four, trial=trial)

    def wrong(agent: Any) -> list[int]:
        return [judge(agent.with_simulations(k)).counts()[0] for k in (0, 100)]

    learns, spent = make_learner(learner, seed=seed, **settings), Stopwatch()
    judged, curve = spent.left_out(wrong), []
    try:
        for row in train(learns, seed=seed, until=lambda row: spent.seconds >= budget):
            if row.updates % every == 0:
                curve.append(
                    [
                        row.games,
                        round(row.seconds, 1),
                        round(spent.seconds, 1),
                        *judged(learns.agent()),
                    ]
                )
        used = round(spent.seconds, 1)
    finally:
        learns.close()
    agent = learns.agent()
    verdicts = {k: judge(agent.with_simulations(k)) for k in (0, 100, 800)}
    errors = {
        str(k): {part or "all": verdict.counts(part) for part in (*GRADES, "")}
        for k, verdict in verdicts.items()
    }
    spent_on = {"seconds": round(row.seconds, 1), "processor_seconds": used}
    return {"seed": seed, "games": row.games, **spent_on, "errors": errors, "curve": curve}


def alphazero_connect_four_shipped(seed: int) -> dict[str, Any]:
    """The shipped bot of Connect Four, raw, with 100 and with 600 simulations: wrong moves of so many positions, by grade and
    by set."""
    bot, parts = load_agent("connect-four/alphazero"), (*GRADES, *SETS, "")
    verdicts = {k: judge_connect_four(bot.with_simulations(k)) for k in (0, 100, 600)}
    return {
        "seed": seed,
        **{str(k): {part or "all": v.counts(part) for part in parts} for k, v in verdicts.items()},
    }


def alphazero_connect_four_long(seed: int) -> dict[str, Any]:
    """The plain recipe with threats for 61,440 games, about half an hour of one processor, beside the shipped bot, which
    learned from as many with all parts (ALL): wrong moves in the positions for trials, raw, with 100 and 600 simulations."""
    learns = make_learner("alphazero-connect-four-threats", seed=seed, workers=0)
    for row in train(learns, seed=seed, until=games(61_440)):
        pass
    judged: dict[str, Any] = {"seed": seed, "games": row.games}
    for name, player in (
        ("plain", learns.agent()),
        ("shipped", load_agent("connect-four/alphazero")),
    ):
        judged[name] = {
            str(k): judge_connect_four(player.with_simulations(k), trial=True).counts()
            for k in (0, 100, 600)
        }
    return judged


def alphazero_go_shipped(seed: int) -> dict[str, Any]:
    """The shipped bot of Go on 5 x 5 against GNU Go at level 10, half of the games as Black, with two komi: with 24.5 Black
    wins only with the whole board. first: its opening move on the empty board."""
    bot = load_agent("go/alphazero-5x5")
    row: dict[str, Any] = {
        "seed": seed,
        "simulations": bot.simulations,
        "first": str(bot.select_move(bot.game.new_game())),
    }
    for komi, met in ((24.5, 400), (7.5, 200)):
        player = make_agent(
            "alphazero", get_game("go", size=5, komi=komi), bot.arrays(), **bot.options()
        )
        verdict = judge_go(
            player, opponent=partial(GnuGoAgent, level=10), games=met, seed=seed, processes=1
        )
        row[f"komi {komi}"] = {
            "as_black": verdict.as_black,
            "as_white": verdict.as_white,
            "distinct": verdict.distinct,
        }
    return row


def alphazero_go_9x9(seed: int) -> dict[str, Any]:
    """Go on 9 x 9 from nothing, for ten minutes of a processor (--workers 0), and beside it the course's actor-critic behind
    the same search: with 0 and 100 simulations against random play, and GNU Go at level 1, half of the games as Black.

    Against random play [won, drawn, lost]; against GNU Go [won, lost, neither] by colour, won where both scores say so.
    """
    nine = {"game_options": {"size": 9, "komi": 7.5}, "games": 64, "noise": 0.15, "opening": 20}
    learner, spent = make_learner("alphazero-go", seed=seed, **nine), Stopwatch()
    try:
        for row in train(learner, seed=seed, until=lambda row: spent.seconds >= 60 * MINUTES):
            pass
        used = round(spent.seconds, 1)
    finally:
        learner.close()
    critic = load_agent("go/actor-critic-9x9").at_temperature(1)
    players = {
        "AlphaZero": learner.agent().with_simulations,
        "actor-critic": PUCTAgent(critic.game, from_agent(critic)).with_simulations,
    }
    matches = {}
    for name, thinks in players.items():
        for simulations in (0, 100):
            player = thinks(simulations)
            met = play_match(player, RandomAgent(player.game), games=100, seed=seed)
            verdict = judge_go(player, games=100, seed=seed, processes=1)
            told = {
                "as_black": verdict.as_black,
                "as_white": verdict.as_white,
                "distinct": verdict.distinct,
            }
            matches[f"{name} {simulations}"] = {
                "random": [met.wins, met.draws, met.losses],
                "GNU Go 1": told,
            }
    return {"seed": seed, "games": row.games, "processor_seconds": used, "matches": matches}


EXPERIMENTS = tuple(
    Experiment(run.__name__.replace("_", "-"), run.__doc__, run, seeds)
    for run, seeds in (
        (alphazero_tictactoe, 40),
        (alphazero_tictactoe_plain, 40),
        (alphazero_ablation, 5),
        (alphazero_connect_four, 3),
        (alphazero_connect_four_fuller, 3),
        (alphazero_connect_four_threats, 3),
        (alphazero_connect_four_threats_fuller, 3),
        (alphazero_connect_four_ablation, 3),
        (alphazero_connect_four_choice, 3),
        (alphazero_connect_four_shipped, 1),
        (alphazero_connect_four_long, 1),
        (alphazero_go_shipped, 1),
        (alphazero_go_9x9, 1),
    )
)
