"""AlphaZero over many seeds: tic-tac-toe until nothing beats it, Connect Four, Go, and the bots."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from rlcourse.agents import load_agent, make_agent
from rlcourse.agents.base import BatchAgent, RandomAgent
from rlcourse.agents.gtp_engine import GnuGoAgent
from rlcourse.agents.search import PUCTAgent, from_agent
from rlcourse.arena import play_match
from rlcourse.experiments.base import Results, Settings, Stopwatch, experiment, policy_in
from rlcourse.experiments.go import sides
from rlcourse.games import from_recipe, get_game
from rlcourse.judges import tictactoe
from rlcourse.judges.connect_four import GRADES, SETS, Verdict, judge_connect_four
from rlcourse.judges.go import judge_go
from rlcourse.learning import after, games, make_learner, train
from rlcourse.learning.train import Row

SHORT = 768  # games of the run that lesson 09b repeats live
LOOKED_AT = (0, 10, 30, 100)  # simulations with which it is judged
# X is to move: four in column d win at once; and O threatens four at f1.
TACTICS = [
    "connect-four:......./......./......./...X.../..OX.../..OXO..",
    "connect-four:......./......./......./......./...XX../.XOOO..",
]
ENOUGH = 4_510  # best moves of 4,520, with 50 simulations
FILMED = "tic-tac-toe:X........"  # O is to move, and only the centre does not lose
MINUTES = 10  # of a processor, both cores together: five minutes on two cores
# What the recipe is made of, taken away or added one at a time: on tic-tac-toe ...
WITHOUT: dict[str, Settings] = {
    "visits as target": {"target": "visits"},
    "result alone as value": {"root_value": 0.0},
    "no random openings": {"opening": 0},
    "no noise": {"noise": 0.0},
}
ABLATION: dict[str, Settings] = {
    "the recipe": {},
    **WITHOUT,
    "newest weights play": {"averaging": 0.0},
}
# ... and on Connect Four, there of a fuller recipe than the one that is shipped
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


@experiment("alphazero-tictactoe", seeds=40)
def alphazero_tictactoe(seed: int) -> Results:
    """Tic-tac-toe until no line is lost, raw or with 50 simulations, which find 4,510 best moves.

    seconds: of training, by the wall's clock. Rows of the curve: games, such seconds, losing lines
    and best moves raw, and with 50 simulations.
    """
    return tictactoe_run(seed, 50_000)


@experiment("alphazero-tictactoe-plain", seeds=40)
def alphazero_tictactoe_plain(seed: int) -> Results:
    """The same with visits as target, and the newest weights play. Rows as above."""
    return tictactoe_run(seed, 50_000, target="visits", averaging=0.0)


@experiment("alphazero-policies", seeds=1)
def alphazero_policies(seed: int) -> Results:
    """The plain recipe, with the raw policy and that of the search in one position, chunk by chunk.

    counts of a moment: games of self-play; losing lines raw, and with 50 simulations. policies
    [2, 9]: the probability of each move raw, and its share of the visits of 50 simulations.
    """
    learner = make_learner("alphazero", seed=seed, target="visits", averaging=0.0)
    position, moments = from_recipe(FILMED), []
    for row in train(learner, until=games(2_048), every=1, seed=seed):
        agent = learner.agent()
        players = [agent.with_simulations(k).at_temperature(1.0) for k in (0, 50)]
        lost = [tictactoe.judge(agent.with_simulations(k)).losing_lines for k in (0, 50)]
        policies = [policy_in(position, player) for player in players]
        moments.append({"counts": [row.games, *lost], "policies": policies})
    return {"seed": seed, "position": FILMED, "moments": moments}


@experiment("alphazero-ablation", seeds=5)
def alphazero_ablation(seed: int) -> Results:
    """Tic-tac-toe with the recipe and without one of its parts, at most 6,144 games for each."""
    arms = {name: tictactoe_run(seed, 6_144, **arm) for name, arm in ABLATION.items()}
    return {"seed": seed, "arms": arms}


def tictactoe_run(seed: int, limit: int, **settings: Any) -> Results:
    """One row; reached: whether it was good enough before the limit of games."""

    def verdicts(agent: BatchAgent) -> tuple[tictactoe.Verdict, tictactoe.Verdict]:
        with clock.stopped():
            raw, searched = (tictactoe.judge(agent.with_simulations(k)) for k in (0, 50))
        return raw, searched

    def enough(row: Row) -> bool:
        raw, searched = row.verdict
        return raw.unbeatable and searched.unbeatable and searched.optimal >= ENOUGH

    _warm_up("alphazero", **settings)
    learner, clock, curve = make_learner("alphazero", seed=seed, **settings), Stopwatch(), []
    for row in train(learner, until=after(enough, games(limit)), judge=verdicts, seed=seed):
        raw, searched = row.verdict
        lines = [raw.losing_lines, raw.optimal, searched.losing_lines, searched.optimal]
        curve.append([row.games, round(row.seconds, 2), *lines])
    return {
        "seed": seed,
        "games": row.games,
        "reached": enough(row),
        "seconds": round(row.seconds, 2),
        "processor_seconds": round(clock.seconds, 2),
        "curve": curve,
    }


def _warm_up(name: str, **settings: Any) -> None:
    """One update of another learner: TensorFlow compiles the network's functions."""
    learner = make_learner(name, seed=10_000, **settings)
    for _ in train(learner, until=lambda row: row.updates > 0, seed=10_000):
        pass


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


@experiment("alphazero-go-shipped", seeds=1)
def alphazero_go_shipped(seed: int) -> Results:
    """The shipped bot of Go on 5 x 5 against GNU Go at level 10, with two komi.

    Half of the games as Black, who with 24.5 wins only with the whole board. first: its opening
    move on the empty board.
    """
    bot = load_agent("go/alphazero-5x5")
    row: Results = {"seed": seed, "simulations": bot.options()["simulations"]}
    row["first"] = str(bot.select_move(bot.game.new_game()))
    opponent = partial(GnuGoAgent, level=10)
    for komi, met in ((24.5, 400), (7.5, 200)):
        game = get_game("go", size=5, komi=komi)
        player = make_agent("alphazero", game, bot.arrays(), **bot.options())
        verdict = judge_go(player, opponent=opponent, games=met, seed=seed, processes=1)
        row[f"komi {komi}"] = sides(verdict)
    return row


@experiment("alphazero-go-9x9", seeds=1)
def alphazero_go_9x9(seed: int) -> Results:
    """Go on 9 x 9 from nothing, ten minutes of a processor; beside it the course's actor-critic.

    Both search with 0 and 100 simulations (--workers 0) and play random play, [won, drawn, lost],
    and GNU Go at level 1, half of the games as Black: [won, lost, neither] by colour, won where
    both scores say so.
    """
    nine = {"game_options": {"size": 9, "komi": 7.5}, "games": 64, "noise": 0.15, "opening": 20}
    learner, clock = make_learner("alphazero-go", seed=seed, **nine), Stopwatch()
    try:
        for row in train(learner, seed=seed, until=lambda row: clock.seconds >= 60 * MINUTES):
            pass
        used = round(clock.seconds, 1)
    finally:
        learner.close()
    critic = load_agent("go/actor-critic-9x9").at_temperature(1)
    searching = PUCTAgent(critic.game, from_agent(critic))
    matches = {}
    for name, agent in (("AlphaZero", learner.agent()), ("actor-critic", searching)):
        for simulations in (0, 100):
            player = agent.with_simulations(simulations)
            met = play_match(player, RandomAgent(player.game), games=100, seed=seed)
            matches[f"{name} {simulations}"] = {
                "random": [met.wins, met.draws, met.losses],
                "GNU Go 1": sides(judge_go(player, games=100, seed=seed, processes=1)),
            }
    return {"seed": seed, "games": row.games, "processor_seconds": used, "matches": matches}
