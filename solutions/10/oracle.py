"""What a player of Connect Four has to see in one position, by the rules alone.

Only the grader's side runs this file.
"""

import numpy as np

from rlcourse.games import GameState, get_game
from rlcourse.games.grid import GridState


def wins(state: GameState) -> list[int]:
    """The moves that make four in a row."""
    return [move for move in state.legal_moves() if state.apply_move(move).winner()]


def threats(state: GameState) -> list[int]:
    """The moves that would make four in a row for the other player, if they were to move."""
    found = []
    for move in state.legal_moves():
        if directions(state, move, 2 - state.next_player):
            found.append(move)
    return found


def gifts(state: GameState) -> list[int]:
    """The moves after which the other player can make four in a row at once."""
    after = {move: state.apply_move(move) for move in state.legal_moves()}
    return [move for move, position in after.items() if not position.is_over() and wins(position)]


def directions(state: GameState, column: int, stone: int) -> set[int]:
    """In which directions a stone (1 or 2) in this column would make four: 0 in a row, 1 in a
    column, 2 and 3 the diagonals.
    """
    assert isinstance(state, GridState)
    board = state.board
    row = int((board[:, column] == 0).sum()) - 1
    return {
        number for number, way in enumerate(_WAYS) if _in_line(board, row, column, stone, way) >= 4
    }


def inside(state: GameState, column: int, stone: int, way: int) -> bool:
    """Whether a stone in this column lies between two of the same kind, in that direction."""
    assert isinstance(state, GridState)
    row = int((state.board[:, column] == 0).sum()) - 1
    down, right = _WAYS[way]
    return all(
        _stone(state.board, row + sign * down, column + sign * right) == stone for sign in (1, -1)
    )


def random_game(rng: np.random.Generator) -> list[GameState]:
    """The positions of a game of random moves, in their order, without the last one,
    in which the game is over.
    """
    state, positions = get_game("connect-four").new_game(), []
    while not state.is_over():
        positions.append(state)
        state = state.apply_move(int(rng.choice(state.legal_moves())))
    return positions


_WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))  # down, right


def _in_line(cells: np.ndarray, row: int, column: int, stone: int, way: tuple[int, int]) -> int:
    """How many of these stones lie in a line with one on this place, itself included."""
    (down, right), count = way, 1
    for sign in (1, -1):
        r, c = row + sign * down, column + sign * right
        while _stone(cells, r, c) == stone:
            count, r, c = count + 1, r + sign * down, c + sign * right
    return count


def _stone(cells: np.ndarray, row: int, column: int) -> int:
    """What lies on a place: 0 nothing, 1 or 2 a player's stone, -1 where there is no place."""
    return int(cells[row, column]) if 0 <= row < 6 and 0 <= column < 7 else -1
