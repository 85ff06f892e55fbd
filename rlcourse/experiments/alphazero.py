"""AlphaZero over many seeds: tic-tac-toe until nothing beats it, and Go."""

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
from rlcourse.judges.go import judge_go
from rlcourse.learning import after, games, make_learner, train
from rlcourse.learning.train import Row

ENOUGH = 4_510  # best moves of 4,520, with 50 simulations
FILMED = "tic-tac-toe:X........"  # O is to move, and only the centre does not lose
MINUTES = 10  # of a processor, both cores together: five minutes on two cores
# What the recipe is made of, taken away one at a time.
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
