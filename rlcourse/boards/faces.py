"""How each game shows itself on a board: its drawing, the names of its players and moves, and how clicks become a move.

A game joins the boards with one `Face`. A click is an action number that the drawing gave to one of its elements.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rlcourse.games import Game, GameState, get_game
from rlcourse.games.drawing import Marks, draw_connect_four, draw_tictactoe


def one_click(game: Game, state: GameState, clicks: tuple[int, ...]) -> Any:
    """A click is the whole move. Raises IllegalMove with the reason."""
    return game.move(state, clicks[-1])


def every_legal_action(game: Game, state: GameState, clicks: tuple[int, ...]) -> frozenset[int]:
    """The clicks that can lead to a move: the legal actions."""
    return frozenset(game.action(move) for move in state.legal_moves())


def label_of(game: Game, move: Any) -> str:
    """The move as people write it."""
    return game.labels[game.action(move)]


@dataclass(frozen=True)
class Face:
    """What the boards need to know of a game.

    draw(state, marks) -> SVG. move(game, state, clicks) -> the move these clicks stand for, or None when more are needed;
    raises IllegalMove when no legal move begins like that. targets(game, state, clicks) -> what can be clicked next.
    say(game, move) -> the move as text. players: first and second.
    """

    draw: Callable[[GameState, Marks], str]
    title: str
    players: tuple[str, str] = ("X", "O")
    move: Callable[[Game, GameState, tuple[int, ...]], Any] = one_click
    targets: Callable[[Game, GameState, tuple[int, ...]], frozenset[int]] = every_legal_action
    say: Callable[[Game, Any], str] = label_of


FACES = {
    "tic-tac-toe": Face(draw_tictactoe, "Tic-tac-toe"),
    "connect-four": Face(draw_connect_four, "Connect Four"),
}


def game_and_start(source: Game | GameState | str) -> tuple[Game, GameState]:
    """The game and the position to start from, out of a game, its name, a position, or a recipe."""
    if isinstance(source, str):
        from rlcourse.games import from_recipe

        source = from_recipe(source) if ":" in source else get_game(source)
    if isinstance(source, Game):
        game, start = source, source.new_game()
    elif isinstance(source, GameState):
        game, start = get_game(source.game, **getattr(source, "options", {})), source
    else:
        raise TypeError(f"a board wants a game, its name, a position or a recipe; got {source!r}")
    if game.name not in FACES:
        raise TypeError(f"no board draws {game.name} yet; boards exist for {', '.join(FACES)}")
    return game, start
