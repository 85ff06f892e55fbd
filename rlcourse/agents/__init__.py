"""How each idea *acts*. `load_agent("tic-tac-toe/perfect")`, `save_agent(agent, path)`."""

from collections.abc import Callable
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.agents.base import Agent, BatchAgent, Decision, RandomAgent
from rlcourse.agents.perfect import PerfectAgent, exact_moves_of
from rlcourse.agents.shipped import shipped
from rlcourse.errors import BadValue, CourseError
from rlcourse.games import GAME_NAMES, Game, did_you_mean, get_game, no_such
from rlcourse.storage import StorageError, Stored, load, read_group, save, write_group
from rlcourse.storage_json import load_json, save_json

__all__ = [
    "BUILT_IN",
    "OUTSIDE",
    "Agent",
    "BatchAgent",
    "Decision",
    "PerfectAgent",
    "RandomAgent",
    "agent_names",
    "check_agent",
    "load_agent",
    "make_agent",
    "names_on_any_board",
    "save_agent",
]

# As text, because a class is imported only when it is asked for: no TensorFlow for a random player.
_CLASSES = {
    "random": "rlcourse.agents.base:RandomAgent",
    "perfect": "rlcourse.agents.perfect:PerfectAgent",
    "q-table": "rlcourse.agents.q_table:QTableAgent",
    "afterstates": "rlcourse.agents.q_table:AfterstateAgent",
    "deep-q": "rlcourse.agents.deep_q:DeepQAgent",
    "td-gammon": "rlcourse.agents.td_gammon:TDGammonAgent",
    "policy": "rlcourse.agents.policy:PolicyAgent",
    "actor-critic": "rlcourse.agents.actor_critic:ACAgent",
    "alphazero": "rlcourse.agents.alphazero:AlphaZeroAgent",
    "uct": "rlcourse.agents.search:UCTAgent",
    "puct": "rlcourse.agents.search:PUCTAgent",
    "rave": "rlcourse.agents.rave:RaveAgent",
    "gnubg": "rlcourse.agents.gnubg:GnubgAgent",
    "gnubg-nn": "rlcourse.agents.gnubg:GnubgNetworkAgent",
    "gnugo": "rlcourse.agents.gtp_engine:GnuGoAgent",
}
BUILT_IN = ("random", "perfect", "uct", "puct", "rave", "gnubg", "gnubg-nn", "gnugo")
# Kind -> the one game that it plays; OUTSIDE are programs that are not part of the course.
_OF_ONE_GAME = {"rave": "go"}
OUTSIDE = {"gnubg": "backgammon", "gnubg-nn": "backgammon", "gnugo": "go"}


class UnknownAgent(CourseError, ValueError):
    """No agent of that name, and no file at that path."""


def make_agent(
    kind: str, game: Game, arrays: dict[str, np.ndarray] | None = None, **options: Any
) -> BatchAgent:
    """An agent of a registered kind with its arrays and options. Raises UnknownAgent."""
    return _class_of(kind).from_arrays(game, arrays or {}, **options)


def _class_of(kind: str) -> type[BatchAgent]:
    if kind not in _CLASSES:
        raise UnknownAgent(no_such("kind of agent", kind, sorted(_CLASSES)))
    module, name = _CLASSES[kind].split(":")
    return getattr(import_module(module), name)


def save_agent(agent: BatchAgent, path: str | Path | Any, **about: Any) -> None:
    """Write an agent into one safe file, or into an empty group of an open HDF5 file.

    about: further JSON-able facts, such as the command and the verdict. A path that ends in .json
    is for the weights of a deep Q-network, as nested lists.
    """
    meta = {
        "agent": agent.name,
        "game": agent.game.name,
        "game_options": dict(agent.game.options),
        "options": agent.options(),
        "about": about,
    }
    _form(path)[0](path, "agent", agent.arrays(), meta)


def load_agent(
    name_or_path: str | Path | Any, *, game: Game | None = None, **options: Any
) -> BatchAgent:
    """An agent by name, or from a file or an HDF5 group that `save_agent` wrote.

    Names: "tic-tac-toe/perfect", "connect-four/random", those of the shipped agents;
    "connect-four/uct" (search with random games), "connect-four/puct" (with an evaluation without
    knowledge) and "go/rave" (search with guided games); "backgammon/gnubg" and "go/gnugo", whose
    error explains how to install the program.

    game: the game to be played; players of any board, such as random, are made for it. options: of
    the game and the agent, for these names except shipped ones: load_agent("go/gnugo", size=9,
    level=1). Raises UnknownAgent for an unknown name, StorageError for a file without an agent,
    ValueError for an unknown option or an agent of another game.
    """
    agent = _load(name_or_path, game, options)
    if game is not None and agent.game != game:
        raise _plays_another(name_or_path, agent.game, game)
    return agent


def check_agent(name_or_path: str | Path, game: Game) -> None:
    """Raise what `load_agent(name_or_path, game=game)` would raise for the name, file and game.

    No network is built and no outside program started; that is left to the first move.
    """
    located = _locate(name_or_path, game)
    if isinstance(located, Path):
        plays = _stored(located)[1]
    elif located[1] in OUTSIDE:
        plays = game if game.name == OUTSIDE[located[1]] else get_game(OUTSIDE[located[1]])
    else:
        plays = _load(name_or_path, game, {}).game
    if plays != game or (not isinstance(located, Path) and located[0] != game.name):
        raise _plays_another(name_or_path, plays, game)


def _plays_another(name: Any, plays: Game, game: Game) -> BadValue:
    names = ", ".join(agent_names(game))
    return BadValue(f"{name} plays {plays}, not {game}; this board can be played with {names}")


def _locate(name_or_path: str | Path, game: Game | None = None) -> Path | tuple[str, str]:
    """The path of a stored agent, or the game and kind of a built-in one.

    Raises UnknownAgent, which with `game` names the agents of that game.
    """
    text = str(name_or_path)
    game_name, _, kind = text.partition("/")
    if game_name in GAME_NAMES:
        if kind in BUILT_IN:
            return game_name, kind
        if text in shipped():
            return shipped()[text]
        problem = f"there is no agent {text!r}"
    elif Path(name_or_path).exists():
        return Path(name_or_path)
    else:
        problem = f"{text!r} is neither a file nor the name of an agent"
    names = agent_names(game)
    # With a game in front, only agents of that game are suggested.
    in_question = [name for name in names if game_name in (name.partition("/")[0], text)]
    near = did_you_mean(kind or text, {name.partition("/")[2]: name for name in in_question})
    offered = "the course has" if game is None else "this board can be played with"
    raise UnknownAgent(f"{problem}{near}; {offered} {', '.join(names)}")


def _load(name_or_path: Any, game: Game | None, options: dict[str, Any]) -> BatchAgent:
    if not isinstance(name_or_path, str | Path):
        return _read(name_or_path)
    game_name, _, kind = str(name_or_path).partition("/")
    if options and not (game_name in GAME_NAMES and kind in BUILT_IN):
        raise BadValue(f"{str(name_or_path)!r} takes no options; only {', '.join(BUILT_IN)} do")
    located = _locate(name_or_path)
    if isinstance(located, Path):
        return _read(located)
    # Options of the game are taken out first; what is left must belong to the agent.
    of_game = dict(game.options) if game is not None and game.name == game_name else {}
    of_game |= {name: options.pop(name) for name in get_game(game_name).options if name in options}
    if not options.keys() <= {*_class_of(kind).saved, "seed"}:
        raise BadValue(f"{name_or_path} does not have all of these options: {', '.join(options)}")
    return make_agent(kind, get_game(game_name, **of_game), **options)


def agent_names(game: Game | None = None) -> tuple[str, ...]:
    """The names of the built-in and the shipped agents. game: only those that play it."""
    if game is None:
        return tuple(sorted(chain.from_iterable(map(names_on_any_board, GAME_NAMES))))
    trained = shipped()
    return tuple(
        name
        for name in names_on_any_board(game.name)
        if name not in trained or _stored(trained[name])[1] == game
    )


def names_on_any_board(game_name: str) -> list[str]:
    """The names of the built-in and the shipped agents of a game, each of some board of it."""
    kinds = ["random", *(kind for kind, only in _OF_ONE_GAME.items() if only == game_name)]
    if exact_moves_of(game_name):
        kinds.append("perfect")
    if get_game(game_name).num_actions is not None:
        kinds.append("uct")
    trained = [name for name in shipped() if name.startswith(f"{game_name}/")]
    return sorted({f"{game_name}/{kind}" for kind in kinds}.union(trained))


def _form(target: Any) -> tuple[Callable[..., None], Callable[..., Stored]]:
    """The functions that write and read an open group, or a file by its ending."""
    if not isinstance(target, str | Path):
        return write_group, read_group
    return (save_json, load_json) if Path(target).suffix == ".json" else (save, load)


def _read(path: Path | Any) -> BatchAgent:
    stored, game = _stored(path)
    try:
        return make_agent(stored.meta["agent"], game, stored.arrays, **stored.meta["options"])
    except (KeyError, TypeError, ValueError) as error:
        raise StorageError(f"{path} is marked as an agent, but cannot be one: {error}") from None


def _stored(path: Path | Any) -> tuple[Stored, Game]:
    """The contents of a file or group, and the game of its agent."""
    stored = _form(path)[1](path, "agent")
    try:
        return stored, get_game(stored.meta["game"], **stored.meta["game_options"])
    except (KeyError, TypeError, ValueError) as error:
        raise StorageError(f"{path} is marked as an agent, but cannot be one: {error}") from None
