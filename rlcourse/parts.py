"""The games of the course, and the module that each layer has for a game.

Layers such as rlcourse.games, .drawing, .boards or .judges have one module per game, of the same
name in every layer.
"""

from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

# Game -> name of its modules. A game joins the course with a line here.
MODULES = {
    "tic-tac-toe": "tictactoe",
    "connect-four": "connect_four",
    "backgammon": "backgammon",
    "go": "go",
}


@lru_cache(maxsize=256)
def part_of(floor: str, game: str) -> Any:
    """What a floor has of a game: its module, such as rlcourse.boards.go; None where there is
    none."""
    module = f"{floor}.{MODULES.get(game, game)}"
    return import_module(module) if find_spec(module) else None
