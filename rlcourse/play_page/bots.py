"""Who can be played: every bot of the course that plays a board, each at its levels, and the reader's own."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rlcourse.agents import OUTSIDE, BatchAgent, agent_names, load_agent
from rlcourse.boards.overlay import display_name
from rlcourse.games import Game
from rlcourse.programs import ProgramMissing

SIMULATIONS = {
    "uct": (10_000, 1_000, 100, 10),
    "alphazero": (400, 50, 0),
}  # a move; 0: the network's policy alone
GNUGO_LEVELS = (10, 5, 1)
KINDS = (
    "perfect",
    "alphazero",
    "td-gammon",
    "actor-critic",
    "policy",
    "deep-q",
    "q-table",
    "afterstates",
    "uct",
    "random",
    "gnubg",
    "gnugo",
)  # from the strongest down, the outside ones last
WRITTEN = {
    "alphazero": "AlphaZero",
    "uct": "UCT",
    "q-table": "Q-table",
    "deep-q": "Deep Q-network",
    "gnubg": "GNU Backgammon",
    "gnugo": "GNU Go",
    "policy": "Policy gradient",
    "actor-critic": "Actor-critic",
}


def bots_of(game: Game) -> dict[str, BatchAgent]:
    """name -> agent: the course's own from the strongest down to random play, then the programs from outside."""
    names = [
        *(name for name in agent_names() if name.startswith(f"{game.name}/")),
        *(f"{game.name}/{kind}" for kind, plays in OUTSIDE.items() if plays == game.name),
    ]
    return {
        words: bot
        for agent in sorted(_playing(names, game), key=_rank)
        for words, bot in _levels(agent)
    }


def own_bots(game: Game, files: Sequence[str | Path]) -> dict[str, BatchAgent]:
    """name -> agent of the reader's files that play this board. Raises what `load_agent` does."""
    return {
        f"{Path(file).stem} (yours)": agent
        for file in files
        if (agent := load_agent(file)).game == game
    }


def _playing(names: Sequence[str], game: Game) -> Iterator[BatchAgent]:
    """The agents of these names that can play this board, here."""
    for name in names:
        try:
            yield load_agent(name, game=game)
        except (ValueError, ProgramMissing):
            continue


def _rank(agent: Any) -> int:
    return KINDS.index(agent.name if agent.name in KINDS else "uct")


def _levels(agent: Any) -> Iterator[tuple[str, BatchAgent]]:
    """(name, agent) for each strength at which an agent can play."""
    words = WRITTEN.get(agent.name) or display_name(agent.name)
    if agent.name == "gnugo":
        for level in GNUGO_LEVELS:
            yield (
                f"{words} (level {level})",
                load_agent("go/gnugo", level=level, **agent.game.options),
            )
    elif agent.name in SIMULATIONS:
        for count in SIMULATIONS[agent.name]:
            yield (
                f"{words} ({count:,} simulations)" if count else f"{words} (no search)",
                agent.with_simulations(count),
            )
    elif (greedy := agent.at_temperature(0.0)) is not agent:
        yield f"{words} (best moves)", greedy
        yield f"{words} (drawn moves)", agent
    else:
        yield words, agent
