"""Who plays at a board, and whose numbers it shows: agents, and the names of stored ones."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlcourse.boards.overlay import display_name
from rlcourse.errors import BadType, BadValue
from rlcourse.games import Game


def opponents_of(game: Game, opponent: Any) -> dict[str, Any]:
    """name -> agent, or full name of a stored agent, from the argument `opponent` of `PlayBoard`.

    Each one plays this game.
    """
    if opponent is None:
        return {}
    if isinstance(opponent, Mapping):
        if not opponent:
            raise BadValue(
                "a choice of opponents needs at least one; pass None to move both sides by hand"
            )
        return {str(name): _fitting(game, agent) for name, agent in opponent.items()}
    agent = _fitting(game, opponent)
    name = Path(agent).name.partition(".")[0] if isinstance(agent, str) else agent.name
    return {display_name(name): agent}


def _fitting(game: Game, agent: Any) -> Any:
    """The agent, or the full name of a stored one. Raises if it cannot play this game."""
    if isinstance(agent, str | Path):
        from rlcourse.agents import check_agent

        name = str(agent)
        if "/" not in name and not Path(name).suffix:
            name = f"{game.name}/{name}"
        check_agent(name, game)
        return name
    if not hasattr(agent, "select_move"):
        raise BadType(
            f"an opponent is an agent, the name of a stored one, or a dict of these; got {agent!r}"
        )
    return _of_this_board(game, agent)


def _of_this_board(game: Game, agent: Any) -> Any:
    """The agent; raises ValueError if it was made for another game or size."""
    plays = getattr(agent, "game", None)
    if isinstance(plays, Game) and (plays.name, plays.board) != (game.name, game.board):
        raise BadValue(
            f"{display_name(agent.name)} plays {plays}, not {game}; make it for the board's own "
            "game"
        )
    return agent


def advisor_of(game: Game, overlay: Any) -> Any:
    """The agent whose numbers are shown, from the argument `overlay` of `PlayBoard`."""
    if overlay is None:
        return None
    if isinstance(overlay, str | Path):
        from rlcourse.agents import load_agent

        return load_agent(_fitting(game, overlay), game=game)
    if not (hasattr(overlay, "think") or hasattr(overlay, "candidates")):
        raise BadType(
            "an overlay is an agent that can be asked for its numbers, or the name of a stored "
            f"one; got {overlay!r}"
        )
    return _of_this_board(game, overlay)
