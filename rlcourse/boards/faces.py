"""How each game shows itself on a board.

Its face has the drawing, the names of its players and moves, and how clicks become a move. A game
joins the boards with a module of its name beside this one, in which `FACE` is its `Face`. A click
is an action number that the drawing gave to one of its elements.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rlcourse.boards.review import Judge
from rlcourse.drawing import draw
from rlcourse.drawing.svg import Marks
from rlcourse.errors import BadType, BadValue
from rlcourse.games import GAME_NAMES, Game, GameState, from_recipe, get_game
from rlcourse.parts import part_of

Clicks = tuple[int, ...]
State = TypeVar("State", bound=GameState)  # a game's own kind of position
_FLOOR = "rlcourse.boards"


def one_click(game: Game, state: GameState, clicks: Clicks) -> Any:
    """A click is the whole move. Raises IllegalMove with the reason."""
    return game.move(state, clicks[-1])


def every_legal_action(game: Game, state: GameState, clicks: Clicks) -> frozenset[int]:
    """The legal actions, as clicks."""
    return frozenset(game.action(move) for move in state.legal_moves())


def label_of(game: Game, state: GameState, move: Any) -> str:
    """The usual notation of the move."""
    return game.labels[game.action(move)]


def draw_position(state: GameState, clicks: Clicks, marks: Marks) -> str:
    """SVG of the position; a click is a whole move, so the clicks do not matter."""
    return draw(state, marks)


@dataclass(frozen=True)
class Face(Generic[State]):
    """What the boards need to know of a game.

    clicks: those of the move under way, () before the first. draw(state, clicks, marks) -> SVG.
    keep(game, state, clicks) -> the clicks that stand after the last of them; raises IllegalMove
    when no legal move begins like that. move(game, state, clicks) -> the move they stand for, None
    when more are needed; may raise too. targets(game, state, clicks) -> what can be clicked next.

    say(game, state, move) -> the move as text. mark(game, state, move) -> the move as `draw` finds
    it in `Marks.last`. ask(state, clicks) -> what the player to move has to do, "" if their turn
    needs no explanation. threw(state): the dice as text after a name. won(state): the size or the
    kind of the win, where there are several.

    keeps_score: whether a win can count more than one point, so that points are added up instead of
    games.
    bare(state): the position before its throw. beside: moves besides the legal ones, such as
    resigning. record(state, first, second) -> the game so far as SGF, with the players' names; None
    where the game has no such file. judge(game) -> who says what a move has cost; None where
    nobody can. players: the names of first and second.
    """

    title: str
    players: tuple[str, str] = ("X", "O")
    draw: Callable[[State, Clicks, Marks], str] = draw_position
    keep: Callable[[Game, State, Clicks], Clicks] = lambda game, state, clicks: clicks
    move: Callable[[Game, State, Clicks], Any] = one_click
    targets: Callable[[Game, State, Clicks], frozenset[int]] = every_legal_action
    say: Callable[[Game, State, Any], str] = label_of
    mark: Callable[[Game, State, Any], Any] = lambda game, state, move: game.action(move)
    ask: Callable[[State, Clicks], str] = lambda state, clicks: ""
    threw: Callable[[State], str] = lambda state: ""
    won: Callable[[State], str] | None = None
    keeps_score: bool = False
    bare: Callable[[State], Any] = lambda state: state
    beside: tuple[Any, ...] = ()
    record: Callable[[Any, str, str], str] | None = None
    judge: Callable[[Game], Judge | None] = lambda game: None


def faces() -> dict[str, Face]:
    """Game -> face, for all games with a board."""
    parts = {name: part_of(_FLOOR, name) for name in GAME_NAMES}
    return {name: part.FACE for name, part in parts.items() if part}


def face_of(game: str) -> Face:
    """The face of a game. Raises TypeError for a game without a board."""
    part = part_of(_FLOOR, game)
    if part is None:
        raise BadType(f"no board draws {game} yet; boards exist for {', '.join(faces())}")
    return part.FACE


def game_and_start(source: Game | GameState | str) -> tuple[Game, GameState]:
    """The game and start position that a game, its name, a position or a recipe describes."""
    if isinstance(source, str):
        source = from_recipe(source) if ":" in source else get_game(source)
    if isinstance(source, Game):
        game, start = source, source.new_game()
    elif isinstance(source, GameState):
        game, start = get_game(source.game, **getattr(source, "options", {})), source
    else:
        raise BadType(f"a board wants a game, its name, a position or a recipe; got {source!r}")
    face_of(game.name)  # refuses a game without one before anything is drawn
    return game, start


def moves_between(face: Face, line: Sequence[GameState]) -> list[Any]:
    """The moves between successive positions of a line.

    In a game with dice each position includes its throw, as in a GameRecord. Raises ValueError if a
    position does not follow from the previous one.
    """
    moves = []
    for k in range(len(line) - 1):
        possible = [] if line[k].is_over() else [*line[k].legal_moves(), *face.beside]
        after = face.bare(line[k + 1])
        move = next((move for move in possible if line[k].apply_move(move) == after), None)
        if move is None:
            raise BadValue(
                f"position {k + 1} of this game does not follow from position {k} by one legal move"
            )
        moves.append(move)
    return moves
