"""The games of the course by name, and positions by their recipe.

`get_game("tic-tac-toe")`, `from_recipe("tic-tac-toe:X...O....")`.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from inspect import signature
from typing import Any

from rlcourse.games.game import (
    AfterstateBatch,
    BadRecipe,
    Batch,
    Game,
    GameError,
    GameOver,
    GameState,
    IllegalMove,
    Symmetry,
    UnknownGame,
    sign_of,
)
from rlcourse.parts import MODULES, part_of

__all__ = [
    "AfterstateBatch",
    "BadRecipe",
    "Batch",
    "GAME_NAMES",
    "Game",
    "GameError",
    "GameOver",
    "GameState",
    "IllegalMove",
    "Symmetry",
    "UnknownGame",
    "did_you_mean",
    "from_recipe",
    "get_game",
    "no_such",
    "sign_of",
]

GAME_NAMES = tuple(MODULES)


def get_game(name: str, /, **options: Any) -> Game:
    """The game of that name. Raises UnknownGame for a name or an option that does not exist."""
    if name not in MODULES:
        raise UnknownGame(no_such("game", name, GAME_NAMES))
    return _make_game(name, tuple(sorted(options.items())))


def no_such(thing: str, name: object, known: Iterable[str]) -> str:
    """The message on a name that no `thing` of the course has, with those that are known."""
    names = tuple(known)
    near = did_you_mean(name, names)
    return f"there is no {thing} {name!r}{near}; the course knows {', '.join(names)}"


def did_you_mean(word: object, names: Iterable[str] | Mapping[str, str]) -> str:
    """A suggestion for an error message, ", did you mean 'go'?", or "" if no name is similar.

    If `names` is a mapping, `word` is compared with its keys and the value is suggested.
    """
    suggestions = names if isinstance(names, Mapping) else {name: name for name in names}
    lower = str(word).lower()
    similar = get_close_matches(lower, suggestions, 1, 0.6)
    if not similar:
        similar = [name for name in suggestions if lower.startswith(name)]
    return f", did you mean {suggestions[similar[0]]!r}?" if similar else ""


@lru_cache(maxsize=64)
def _make_game(name: str, options: tuple[tuple[str, Any], ...]) -> Game:
    make_game = part_of(__name__, name).make_game
    try:
        signature(make_game).bind(**dict(options))
    except TypeError as error:
        raise UnknownGame(
            f"{name} does not have these options: {dict(options)} ({error})"
        ) from None
    return make_game(**dict(options))


def from_recipe(text: str) -> GameState:
    """The position that a line such as "tic-tac-toe:X...O...." describes.

    Raises BadRecipe, UnknownGame.
    """
    if not isinstance(text, str) or ":" not in text:
        raise BadRecipe(
            f"a recipe reads NAME:POSITION, such as 'tic-tac-toe:X...O....'; got {text!r}"
        )
    head, body = text.split(":", 1)
    name, _, option_text = head.strip().partition(" ")
    try:
        options = {
            key: _number(value) for key, value in (item.split("=") for item in option_text.split())
        }
    except ValueError:
        raise BadRecipe(
            f"options in a recipe read KEY=NUMBER, separated by blanks; got {option_text!r}"
        ) from None
    return get_game(name, **options).parse(body)


def _number(text: str) -> int | float:
    return int(text) if text.lstrip("-").isdigit() else float(text)
