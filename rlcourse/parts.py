"""The games of the course, and where each floor keeps what belongs to one of them.

A floor such as rlcourse.games, .drawing, .boards or .judges has a module for each game, of the same name everywhere.
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
    """What a floor has of a game: its module, such as rlcourse.boards.go; None where there is none."""
    module = f"{floor}.{MODULES.get(game, game)}"
    return import_module(module) if find_spec(module) else None
