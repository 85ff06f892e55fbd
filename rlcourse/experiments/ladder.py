"""A ladder for every game: players of the course and some from outside, each against each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcourse.agents import load_agent, make_agent
from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.agents.search import PUCTAgent, from_agent
from rlcourse.arena import play_match
from rlcourse.experiments.base import Results, Stopwatch, experiment
from rlcourse.games import Batch, Game, get_game
from rlcourse.ladder import Ladder, rate
from rlcourse.programs import ProgramMissing
from rlcourse.round_robin import round_robin

Make = Callable[[Game], BatchAgent]


@dataclass(frozen=True)
class Field:
    """Who meets at which game.

    games: of each pair, half of them with either side. anchor: the player whose Elo is 0, one in
    the middle, from whom the others' distances are known best. thinking: the players that search
    before they move.
    """

    title: str
    game: Game
    games: int
    anchor: str
    players: dict[str, Make]
    thinking: frozenset[str]

    def agents(self) -> tuple[dict[str, BatchAgent], list[str]]:
        """(name -> player, names of the programs that are not installed)."""
        there, missing = {}, []
        for name, make in self.players.items():
            try:
                there[name] = make(self.game)
            except ProgramMissing:
                missing.append(name)
        return there, missing


def _built_in(kind: str, **options: Any) -> Make:
    return lambda game: make_agent(kind, game, **options)


def _uct(*simulations: int) -> dict[str, Make]:
    return {f"UCT {n:,}": _built_in("uct", simulations=n) for n in simulations}


def _rave(*simulations: int) -> dict[str, Make]:
    return {f"RAVE {n:,}": _built_in("rave", simulations=n) for n in simulations}


def _gnugo(*levels: int) -> dict[str, Make]:
    return {f"GNU Go {level}": _built_in("gnugo", level=level) for level in levels}


def _shipped(name: str) -> Make:
    return lambda game: load_agent(name, game=game)


def _alphazero(name: str, *simulations: int) -> dict[str, Make]:
    """The shipped bot at a glance and with so many simulations."""

    def searching(n: int) -> Make:
        return lambda game: load_agent(name, game=game).with_simulations(n)

    return {"AlphaZero, glance": searching(0)} | {
        f"AlphaZero {n}": searching(n) for n in simulations
    }


def _favourite(name: str) -> Make:
    """A policy that always plays its likeliest move."""
    return lambda game: load_agent(name, game=game).at_temperature(0)


def _critic_searches(name: str, simulations: int) -> Make:
    """A search that asks both heads of an actor-critic."""

    def make(game: Game) -> PUCTAgent:
        """Its policy undistorted, at temperature 1."""
        return PUCTAgent(
            game, from_agent(load_agent(name, game=game).at_temperature(1)), simulations=simulations
        )

    return make


def _looking_ahead(*widths: int) -> Make:
    """The shipped bot, which values so many plays by the replies to them, ply by ply."""
    return lambda game: load_agent("backgammon/td-gammon").copy_with(look_ahead=widths)


def _taught(games_played: int) -> Make:
    """TD-Gammon after a few games: there is a wide gap from random play to the shipped bot."""

    def make(game: Game) -> BatchAgent:
        """Trained on the spot, in about a second for each thousand games."""
        from rlcourse.learning import games, make_learner, train

        learner = make_learner("td-gammon", seed=0)
        for _ in train(learner, until=games(games_played), every=1, seed=0):
            pass
        return learner.agent()

    return make


def _field(title: str, game: Game, games: int, anchor: str, players: dict[str, Make]) -> Field:
    thinks = ("UCT ", "RAVE ", "AlphaZero ", "actor-critic ", "GNU Go")
    return Field(
        title,
        game,
        games,
        anchor,
        players,
        frozenset(name for name in players if name.startswith(thinks) or name.endswith("-ply")),
    )


RANDOM = {"random": _built_in("random")}
FIELDS = {
    "tic-tac-toe": _field(
        "Tic-tac-toe",
        get_game("tic-tac-toe"),
        144,
        "UCT 100",  # 144: all 72 openings of two plies
        RANDOM
        | _uct(10, 100, 1_000)
        | {
            "afterstates": _shipped("tic-tac-toe/afterstates"),
            "Q-table": _shipped("tic-tac-toe/q-table"),
            "deep Q": _shipped("tic-tac-toe/deep-q"),
            "perfect": _built_in("perfect"),
        }
        | _alphazero("tic-tac-toe/alphazero", 50),
    ),
    "connect-four": _field(
        "Connect Four",
        get_game("connect-four"),
        60,
        "UCT 100",
        RANDOM | _uct(10, 30, 100, 300, 1_000) | _alphazero("connect-four/alphazero", 50, 400),
    ),
    "go-5x5": _field(
        "Go 5 x 5, komi 7.5",
        get_game("go", size=5, komi=7.5),
        16,
        "UCT 100",
        RANDOM
        | _uct(100, 300)
        | {
            "policy": _shipped("go/policy-5x5"),
            "actor-critic": _shipped("go/actor-critic-5x5"),
            "actor-critic 50": _critic_searches("go/actor-critic-5x5", 50),
        }
        | _alphazero("go/alphazero-5x5", 50, 200)
        | _gnugo(1, 5),
    ),
    "go-9x9": _field(
        "Go 9 x 9, komi 7.5",
        get_game("go", size=9, komi=7.5),
        12,
        "actor-critic",
        RANDOM
        | _uct(30, 100)
        | _rave(1_000, 10_000)
        | {
            "policy": _shipped("go/policy-9x9"),
            "policy, favourite": _favourite("go/policy-9x9"),
            "actor-critic": _shipped("go/actor-critic-9x9"),
            "actor-critic 100": _critic_searches("go/actor-critic-9x9", 100),
        }
        | _alphazero("go/alphazero-9x9", 50, 400)
        | _gnugo(1),
    ),
    "backgammon": _field(
        "Backgammon, games won",
        get_game("backgammon"),
        600,
        "TD-Gammon",
        RANDOM
        | {
            "TD-Gammon, 512 games": _taught(512),
            "TD-Gammon, 4,096 games": _shipped("backgammon/td-gammon-4096"),
            "TD-Gammon": _shipped("backgammon/td-gammon"),
            "TD-Gammon, 2-ply": _looking_ahead(5),
            "TD-Gammon, 3-ply": _looking_ahead(5, 3),
            "GNU Backgammon": _built_in("gnubg"),
        },
    ),
}


@experiment("ladder", seeds=len(FIELDS))
def ladder(seed: int) -> Results:
    """Everybody against everybody: seeds 0 to 4 are the five games.

    Seeds 5 to 9 are the same games with other openings and dice. wins [K, K] of the row's player
    over the column's, draws [K, K]; elo with its 95% interval, rounded; distinct: how many
    different games; first: games that the first player won, of those with a winner;
    processor_seconds: of all programs.
    """
    name, field = list(FIELDS.items())[seed % len(FIELDS)]
    (agents, missing), spent = field.agents(), Stopwatch()
    try:
        played = round_robin(agents, games=field.games, seed=seed // len(FIELDS))
        used = round(spent.seconds, 1)
    finally:
        for agent in agents.values():
            agent.close()
    wins, draws = (counts.astype(int).tolist() for counts in played.counts())
    row = {
        "seed": seed,
        "game": name,
        "names": list(agents),
        "missing": missing,
        "pair": field.games,
        "opening": field.game.opening,
        "wins": wins,
        "draws": draws,
    }
    rated = rated_row(row)
    spans = [rated.interval(k) for k in range(len(agents))]
    return row | {
        "anchor": field.anchor,
        "elo": [round(elo) for elo in rated.elo.tolist()],
        "low": [round(low) for low, _ in spans],
        "high": [round(high) for _, high in spans],
        "nu": round(rated.nu, 3),
        "games": len(played.points),
        "distinct": played.distinct,
        "first": list(played.first_wins()),
        "forfeits": played.forfeits(),
        "processor_seconds": used,
    }


def rated_row(row: Results) -> Ladder:
    """The ladder of a stored row, from its wins and draws."""
    return rate(
        row["names"],
        row["wins"],
        row["draws"],
        anchor=row["names"].index(FIELDS[row["game"]].anchor),
    )


FEW = _uct(10, 30, 100)  # simulations: fewer and more than there are moves


class FirstMove(BatchAgent):
    """Always plays the legal move of the lowest number."""

    name = "first move"

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """[R] actions; the random numbers are not used."""
        return Decision(batch.legal(rows).argmax(axis=1))


@experiment("uct-on-go", seeds=1)
def uct_on_go(seed: int) -> Results:
    """UCT with few simulations against random play on Go, 200 games each, half of them as Black.

    On 5 x 5 there are 26 moves at the start, on 9 x 9 there are 82. A count is [games won, games,
    different games]; "first move" is the control that searches nothing.
    """
    row: Results = {"seed": seed}
    for name in ("go-5x5", "go-9x9"):
        game = FIELDS[name].game
        players = {"first move": FirstMove(game), **{n: make(game) for n, make in FEW.items()}}
        row[name] = {}
        for player, agent in players.items():
            met = play_match(agent, make_agent("random", game), games=200, seed=seed)
            row[name][player] = [met.wins, met.games, met.distinct]
    return row
