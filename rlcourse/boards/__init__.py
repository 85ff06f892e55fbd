"""Boards in a notebook: `play("tic-tac-toe")` to play, `replay(states)` to look at a game that has been played.

Every board is a widget with a still picture behind it, so that a page without a kernel shows the position.
"""

from collections.abc import Sequence
from typing import Any

from rlcourse.boards.referee import Refusal
from rlcourse.boards.widget import PlayBoard
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
    """A board against `opponent`: an agent, the name of a stored one, or a dict name -> agent to choose from.

    See `PlayBoard` for the arguments. `play("tic-tac-toe", "perfect")` is the player that nobody beats.
    """
    return PlayBoard(source, opponent, side=side, overlay=overlay, seed=seed)


def replay(states: Sequence[GameState], *, overlay: Any = None) -> PlayBoard:
    """A board that steps through a played game; it shows the first of `states`. Each follows from the one before by a move."""
    states = list(states)
    if not states:
        raise ValueError("replay wants the positions of a game, at least one")
    return PlayBoard(states[0], overlay=overlay, line=states)
