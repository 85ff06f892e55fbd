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
def part_of(layer: str, game: str) -> Any:
    """The module that a layer has for a game, such as rlcourse.boards.go; None if it has none."""
    module = f"{layer}.{MODULES.get(game, game)}"
    return import_module(module) if find_spec(module) else None
