"""The opponents of the play page: all bots of the course at their levels, and the reader's own."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rlcourse.agents import OUTSIDE, BatchAgent, load_agent, names_on_any_board
from rlcourse.boards.overlay import display_name
from rlcourse.games import Game
from rlcourse.programs import ProgramMissing

# Simulations per move; 0 is the network's policy alone.
SIMULATIONS = {
    "uct": (10_000, 1_000, 100, 10),
    "rave": (10_000, 1_000),
    "alphazero": (400, 50, 0),
}
GNUGO_LEVELS = (10, 5, 1)
# How many plays are valued by the replies to them, ply by ply; 0 takes the network's best play.
LOOK_AHEAD = {"td-gammon": {"three plies": (5, 3), "": 0}}
# From the strongest down; the outside programs come last.
KINDS = (
    "perfect",
    "alphazero",
    "td-gammon",
    "actor-critic",
    "policy",
    "deep-q",
    "q-table",
    "afterstates",
    "rave",
    "uct",
    "random",
    "gnubg",
    "gnubg-nn",
    "gnugo",
)
WRITTEN = {
    "alphazero": "AlphaZero",
    "uct": "UCT",
    "rave": "UCT with RAVE",
    "q-table": "Q-table",
    "deep-q": "Deep Q-network",
    "td-gammon-4096": "TD-Gammon (4,096 games)",
    "gnubg": "GNU Backgammon",
    "gnubg-nn": "GNU Backgammon's networks",
    "gnugo": "GNU Go",
    "policy": "Policy gradient",
    "actor-critic": "Actor-critic",
}


def bots_of(game: Game) -> dict[str, BatchAgent]:
    """name -> agent: the course's bots from the strongest to random play, then outside programs."""
    names = [
        *names_on_any_board(game.name),
        *(f"{game.name}/{kind}" for kind, plays in OUTSIDE.items() if plays == game.name),
    ]
    bots: dict[str, BatchAgent] = {}
    for kind, agent in sorted(_playing(names, game), key=_rank):
        written = WRITTEN.get(kind, WRITTEN.get(agent.name))
        bots |= _levels(kind, agent, written or display_name(agent.name))
    return bots


def own_bots(game: Game, files: Sequence[str | Path]) -> dict[str, BatchAgent]:
    """name -> agent of the reader's files that play this board. Raises like `load_agent`."""
    agents = {f"{Path(file).stem} (yours)": load_agent(file) for file in files}
    return {name: agent for name, agent in agents.items() if agent.game == game}


def _playing(names: Sequence[str], game: Game) -> Iterator[tuple[str, BatchAgent]]:
    """(kind, agent) of these names that can play this board on this computer."""
    for name in names:
        try:
            yield name.partition("/")[2], load_agent(name, game=game)
        except (ValueError, ProgramMissing):
            continue


def _rank(playing: tuple[str, BatchAgent]) -> int:
    _, agent = playing
    return KINDS.index(agent.name if agent.name in KINDS else "uct")


def _levels(kind: str, agent: BatchAgent, name: str) -> dict[str, BatchAgent]:
    """name -> agent for each playing strength of an agent, the strongest first."""
    if kind in LOOK_AHEAD:
        return {
            f"{name} ({depth})" if depth else name: agent.copy_with(look_ahead=widths)
            for depth, widths in LOOK_AHEAD[kind].items()
        }
    if agent.name == "gnugo":
        return {
            f"{name} (level {level})": load_agent("go/gnugo", level=level, **agent.game.options)
            for level in GNUGO_LEVELS
        }
    if agent.name in SIMULATIONS:
        levels = {}
        for count in SIMULATIONS[agent.name]:
            search = f"{count:,} simulations" if count else "no search"
            levels[f"{name} ({search})"] = agent.with_simulations(count)
        return levels
    greedy = agent.at_temperature(0.0)
    if greedy is not agent:
        return {f"{name} (best moves)": greedy, f"{name} (drawn moves)": agent}
    return {name: agent}
