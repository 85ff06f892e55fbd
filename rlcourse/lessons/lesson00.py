"""The blanks of lesson 00, play first."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.games import GameState, get_game
from rlcourse.lessons import Blank, Lesson

Player = Callable[[GameState], int]
Memory = dict[tuple[GameState, int], tuple[int, int]]

# --- one game -------------------------------------------------------------------------------------


def play_game(x_player: Player, o_player: Player) -> list[GameState]:
    """All positions of one game of tic-tac-toe, from the empty board to the end."""
    state = get_game("tic-tac-toe").new_game()
    states = [state]
    while not state.is_over():
        if state.next_player == 0:
            move = x_player(state)
        else:
            move = o_player(state)
        state = state.apply_move(move)
        states.append(state)
    return states


def _first_free(moves: list[int]) -> Player:
    """A player that takes the first square of the list that is free."""
    return lambda state: next(move for move in moves if move in state.legal_moves())


def _with_lists(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function asked with two lists of squares; it gives the boards as texts, and what is no
    position as it is.
    """

    @wraps(function)
    def boards(x_moves: list[int], o_moves: list[int]) -> Any:
        """The positions of a game in which each player takes the first free square of a list."""
        states: object = function(_first_free(x_moves), _first_free(o_moves))
        if not isinstance(states, list | tuple):
            return states
        return [
            state.recipe().partition(":")[2] if isinstance(state, GameState) else state
            for state in states
        ]

    return boards


GAME_MISTAKES = {
    "seats": "the players sit in each other's seats: state.next_player is 0 when X is to move",
    "one_player": "the first player makes every move: ask the player who is to move",
    "no_end": "the last position is missing: add the position that follows each move",
    "no_start": "the first position is missing: the list begins with the empty board",
}

_UP, _DOWN = [0, 1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1, 0]
_X_WINS = [".........", "X........", "X.......O", "XX......O", "XX.....OO", "XXX....OO"]
_GAME = Case(
    (_UP, _DOWN),
    # X fills the upper row from the left, and O the lower row from the right.
    Key(_X_WINS),
    title="X takes the first free square, O the last one",
)

# --- the memory -----------------------------------------------------------------------------------


def remember(memory: Memory, state: GameState, move: int, result: int) -> None:
    """Add the result of one game to what the memory knows of a move in a position, in place."""
    total, count = memory.get((state, move), (0, 0))
    memory[state, move] = (total + result, count + 1)


MEMORY_MISTAKES = {
    "overwrites": "the earlier games are forgotten: add to the sum and to the number in the memory",
    "no_count": "the number of games does not grow: it counts every game, a draw as well",
    "wins_only": "only won games are added: a loss adds -1 to the sum, and every game counts",
    "no_move": "all moves of a position share one entry: the key is the pair (state, move)",
    "unchanged": "the memory stays as it was: assign to memory[state, move]",
    "sign": "the sign is turned where O moves: the memory holds results as X sees them, and "
    "`average` turns them",
}


class _Place(str):
    """Stands in for a position with O to move; a check shows it by its name."""

    next_player = 1


def _plain(key: Any) -> Any:
    if isinstance(key, tuple):
        return tuple(map(_plain, key))
    return str(key) if isinstance(key, _Place) else key


def _with_places(function: Callable[..., Any]) -> Callable[..., dict[Any, Any]]:
    """The function asked with names of positions; it gives the memory as changed."""

    @wraps(function)
    def changed(
        memory: dict[tuple[str, int], tuple[int, int]], state: str, move: int, result: int
    ) -> dict[Any, Any]:
        """The memory after the function has changed a copy of it."""
        own = {(_Place(place), played): entry for (place, played), entry in memory.items()}
        function(own, _Place(state), move, result)
        return {_plain(key): entry for key, entry in own.items()}

    return changed


_KNOWN = {("here", 4): (2, 3), ("there", 4): (-1, 1)}
_LOST = Case(
    (_KNOWN, "here", 4, -1),
    Key({("here", 4): (1, 4), ("there", 4): (-1, 1)}),
    title="a move with the sum 2 of 3 games, then a game that X loses",
)
_NEW = Case(
    (_KNOWN, "here", 5, 1),
    Key(_KNOWN | {("here", 5): (1, 1)}),
    title="a move that was never tried, then a game that X wins",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "00",
    "Play first",
    Blank(play_game, (_GAME,), GAME_MISTAKES, _with_lists),
    Blank(remember, (_LOST, _NEW), MEMORY_MISTAKES, _with_places),
)

your_turn = LESSON.your_turn
