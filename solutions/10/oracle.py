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
        legal, fours = _open_columns(_cells(state)), wins(state) if long else []
        moves = [m for m in legal if m not in fours] or legal
        state = state.apply_move(moves[int(rng.integers(len(moves)))])
    return positions


_WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))  # down, right


def _others(row: int, column: int, down: int, right: int) -> list[tuple[int, ...]]:
    """The other three places, row and column of each, of every four through one place in a way."""
    fours = []
    for first in range(-3, 1):
        steps = [step for step in range(first, first + 4) if step]
        line = [(row + step * down, column + step * right) for step in steps]
        if all(0 <= r < 6 and 0 <= c < 7 for r, c in line):
            fours.append(tuple(number for place in line for number in place))
    return fours


_OTHERS = [[[_others(r, c, *way) for way in _WAYS] for c in range(7)] for r in range(6)]


def _fours(state: GameState, stone: int) -> list[int]:
    """The legal moves in which a stone (1 or 2) would make four in a row."""
    cells = _cells(state)
    columns = [] if state.is_over() else _open_columns(cells)
    return [column for column in columns if _directions(cells, column, stone)]


def _directions(cells: Cells, column: int, stone: int) -> set[int]:
    directions = set()
    for way, fours in enumerate(_OTHERS[_row(cells, column)][column]):
        for a, b, c, d, e, f in fours:
            if cells[a][b] == cells[c][d] == cells[e][f] == stone:
                directions.add(way)
                break
    return directions


def _cells(state: GameState) -> Cells:
    """[6][7] what lies on each place, row 0 at the top."""
    assert isinstance(state, GridState)
    return state.board.tolist()


def _open_columns(cells: Cells) -> list[int]:
    """The columns that are not full: quicker than to ask a position for its legal moves."""
    return [column for column in range(7) if cells[0][column] == 0]


def _row(cells: Cells, column: int) -> int:
    """The row into which a stone falls in this column."""
    return sum(row[column] == 0 for row in cells) - 1


def _stone(cells: Cells, row: int, column: int) -> int:
    """What lies on a place: 0 nothing, 1 or 2 a player's stone, -1 where there is no place."""
    return cells[row][column] if 0 <= row < 6 and 0 <= column < 7 else -1
