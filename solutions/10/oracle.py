"""What a player of Connect Four has to see in one position, by the rules alone.

Only the grader's side runs this file.
"""

import numpy as np

from rlcourse.games import GameState, get_game
from rlcourse.games.grid import GridState

# [6][7] what lies on each place: 0 nothing, 1 or 2 a player's stone
Cells = list[list[int]]


def wins(state: GameState) -> list[int]:
    """The moves that make four in a row."""
    return _fours(state, 1 + state.next_player)


def threats(state: GameState) -> list[int]:
    """The moves that would make four in a row for the other player, if they were to move."""
    return _fours(state, 2 - state.next_player)


def gifts(state: GameState) -> list[int]:
    """The moves after which the other player can make four in a row at once."""
    after = {move: state.apply_move(move) for move in state.legal_moves()}
    return [move for move, position in after.items() if not position.is_over() and wins(position)]


def directions(state: GameState, column: int, stone: int) -> set[int]:
    """In which directions a stone (1 or 2) in this column would make four: 0 in a row, 1 in a
    column, 2 and 3 the diagonals.
    """
    return _directions(_cells(state), column, stone)


def inside(state: GameState, column: int, stone: int, way: int) -> bool:
    """Whether a stone in this column lies between two of the same kind, in that direction."""
    cells = _cells(state)
    row = _row(cells, column)
    down, right = _WAYS[way]
    return all(_stone(cells, row + sign * down, column + sign * right) == stone for sign in (1, -1))


def four(state: GameState, column: int, stone: int) -> list[tuple[int, int]]:
    """The four that a stone in this column would make, [] if it makes none, a longer line, or one
    in several directions; the place of that stone comes first.
    """
    cells = _cells(state)
    row = _row(cells, column)
    ways = directions(state, column, stone)
    line = [(row, column)]
    for down, right in (_WAYS[way] for way in ways):
        for sign in (1, -1):
            r, c = row + sign * down, column + sign * right
            while _stone(cells, r, c) == stone:
                line, r, c = [*line, (r, c)], r + sign * down, c + sign * right
    return line if len(ways) == 1 and len(line) == 4 else []


def random_game(rng: np.random.Generator, *, long: bool = False) -> list[GameState]:
    """The positions of a game of random moves, in their order, without the last one, in which the
    game is over. long: nobody makes a four who has another move, so that columns fill up.
    """
    state, positions = get_game("connect-four").new_game(), []
    while not state.is_over():
        positions.append(state)
        legal, fours = state.legal_moves(), wins(state) if long else []
        state = state.apply_move(int(rng.choice([m for m in legal if m not in fours] or legal)))
    return positions


_WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))  # down, right


def _fours(state: GameState, stone: int) -> list[int]:
    """The legal moves in which a stone (1 or 2) would make four in a row."""
    cells = _cells(state)
    return [move for move in state.legal_moves() if _directions(cells, move, stone)]


def _directions(cells: Cells, column: int, stone: int) -> set[int]:
    row = _row(cells, column)
    return {
        number for number, way in enumerate(_WAYS) if _in_line(cells, row, column, stone, way) >= 4
    }


def _cells(state: GameState) -> Cells:
    """[6][7] what lies on each place, row 0 at the top."""
    assert isinstance(state, GridState)
    return state.board.tolist()


def _row(cells: Cells, column: int) -> int:
    """The row into which a stone falls in this column."""
    return sum(row[column] == 0 for row in cells) - 1


def _in_line(cells: Cells, row: int, column: int, stone: int, way: tuple[int, int]) -> int:
    """How many of these stones lie in a line with one on this place, itself included."""
    (down, right), count = way, 1
    for sign in (1, -1):
        r, c = row + sign * down, column + sign * right
        while _stone(cells, r, c) == stone:
            count, r, c = count + 1, r + sign * down, c + sign * right
    return count


def _stone(cells: Cells, row: int, column: int) -> int:
    """What lies on a place: 0 nothing, 1 or 2 a player's stone, -1 where there is no place."""
    return cells[row][column] if 0 <= row < 6 and 0 <= column < 7 else -1
