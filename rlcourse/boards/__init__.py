"""Boards in a notebook: `play("tic-tac-toe")` plays, `replay(states)` shows a finished game.

Every board is a widget with a still picture, so a page without a kernel shows the position too.
"""

from collections.abc import Sequence
from typing import Any

from rlcourse.boards.referee import Refusal
from rlcourse.boards.widget import PlayBoard
from rlcourse.errors import BadValue
from rlcourse.games import Game, GameState

__all__ = ["PlayBoard", "Refusal", "play", "replay"]


def play(
    source: Game | GameState | str = "tic-tac-toe",
    opponent: Any = "random",
    *,
    side: str = "first",
    overlay: Any = None,
    seed: int | None = None,
) -> PlayBoard:
    """A board against `opponent`: an agent, the name of a stored one, or a dict name -> agent.

    See `PlayBoard` for the arguments. Nobody beats `play("tic-tac-toe", "perfect")`.
    """
    return PlayBoard(source, opponent, side=side, overlay=overlay, seed=seed)


def replay(states: Sequence[GameState], *, overlay: Any = None) -> PlayBoard:
    """A board that steps through a game, from the first of `states`.

    Each state follows from the previous one by a move.
    """
    states = list(states)
    if not states:
        raise BadValue("replay wants the positions of a game, at least one")
    return PlayBoard(states[0], overlay=overlay, line=states)
