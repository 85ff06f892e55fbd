"""What a player of Connect Four has to see in one position, by the rules alone. Only the grader's side runs this file."""

import numpy as np

from rlcourse.games import GameState, from_recipe, get_game


def wins(state: GameState) -> list[int]:
    """The moves that make four in a row."""
    return [move for move in state.legal_moves() if state.apply_move(move).winner()]


def threats(state: GameState) -> list[int]:
    """The moves that would make four in a row for the other player, if he were to move."""
    cells = state.board
    found = []
    for move in state.legal_moves():
        row = int((cells[:, move] == 0).sum()) - 1
        if _makes_four(cells, row, move, 2 - state.next_player):
            found.append(move)
    return found


def gifts(state: GameState) -> list[int]:
    """The moves after which the other player can make four in a row at once."""
    after = {move: state.apply_move(move) for move in state.legal_moves()}
    return [move for move, position in after.items() if not position.is_over() and wins(position)]


def random_game(rng: np.random.Generator, plies: int) -> GameState:
    """A position after so many random plies in which nobody made four in a row."""
    while True:
        digits = ""
        state = get_game("connect-four").new_game()
        while len(digits) < plies and not state.is_over():
            digits += str(rng.choice(state.legal_moves()))
            state = state.apply_move(int(digits[-1]))
        if not state.is_over():
            return from_recipe(f"connect-four:{digits}")


def _makes_four(cells: np.ndarray, row: int, column: int, stone: int) -> bool:
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        count = 1
        for way in (1, -1):
            r, c = row + way * down, column + way * right
            while 0 <= r < 6 and 0 <= c < 7 and cells[r, c] == stone:
                count, r, c = count + 1, r + way * down, c + way * right
        if count >= 4:
            return True
    return False
