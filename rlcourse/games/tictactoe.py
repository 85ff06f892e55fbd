"""Tic-tac-toe: three in a row on nine squares. Squares are numbered 0 to 8 row by row from the top
left."""

import numpy as np

from rlcourse.games.game import Game, Symmetry
from rlcourse.games.grid import Rules, cell_symmetries, grid_game
from rlcourse.kernels import kernel

LINES = np.array(
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
)


@kernel
def _has_line(cells, stone):
    """Whether `stone` (1 or 2) owns three in a row of cells [9]."""
    for k in range(8):
        if (
            cells[LINES[k, 0]] == stone
            and cells[LINES[k, 1]] == stone
            and cells[LINES[k, 2]] == stone
        ):
            return True
    return False


@kernel
def _outcome(cells):
    """0 running, 1 or 2 that player has a line, 3 drawn, -1 both have one."""
    first, second = _has_line(cells, 1), _has_line(cells, 2)
    if first and second:
        return -1
    if first:
        return 1
    if second:
        return 2
    for cell in cells:
        if cell == 0:
            return 0
    return 3


@kernel
def _legal(cells, done, out):
    """out [R, 9]: the empty squares of every game that still runs."""
    for r in range(cells.shape[0]):
        for a in range(9):
            out[r, a] = cells[r, a] == 0 and not done[r]


@kernel
def _play(cells, to_play, done, points, actions, lengths):
    """Play the first lengths[i] of actions[i] in game i.

    Returns the first game with an illegal action, else -1.
    """
    for i in range(cells.shape[0]):
        for d in range(lengths[i]):
            action = actions[i, d]
            if done[i] or action < 0 or action >= 9 or cells[i, action] != 0:
                return i
            cells[i, action] = 1 + to_play[i]
            outcome = _outcome(cells[i])
            to_play[i] = 1 - to_play[i]
            if outcome != 0:
                done[i] = True
                points[i] = 1.0 if outcome == 1 else (-1.0 if outcome == 2 else 0.0)
    return -1


@kernel
def _playouts(cells, to_play, done, points, seeds, out):
    """out [N]: the first player's points after a uniformly random game from each row.

    The rows do not change. Random numbers: SplitMix64 (Steele, Lea, Flood 2014), seeds [N] uint64.
    """
    board, squares = np.empty(9, np.int8), np.empty(9, np.int64)
    for i in range(len(out)):
        out[i] = points[i]
        count, player, state = 0, to_play[i], seeds[i]
        board[:] = cells[i]
        for square in range(9):
            if board[square] == 0:
                squares[count] = square
                count += 1
        while count > 0 and not done[i]:
            state += np.uint64(0x9E3779B97F4A7C15)
            z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            # The upper 32 bits, multiplied by the count, give an index without a division.
            drawn = np.int64((z >> np.uint64(32)) * np.uint64(count) >> np.uint64(32))
            board[squares[drawn]] = 1 + player
            if _has_line(board, 1 + player):
                out[i] = 1.0 if player == 0 else -1.0
                break
            count -= 1
            squares[drawn] = squares[count]
            player = 1 - player


LABELS = tuple(f"{'abc'[a % 3]}{3 - a // 3}" for a in range(9))


def _reason(cells: np.ndarray, action: int) -> str:
    return f"{LABELS[action]} is occupied by {'?XO'[cells[action]]}"


RULES = Rules("tic-tac-toe", (3, 3), 9, LABELS, _legal, _play, _playouts, _outcome, _reason)


def make_game() -> Game:
    """The descriptor that `get_game("tic-tac-toe")` returns."""
    images = cell_symmetries((3, 3), square=True)
    return grid_game(RULES, [Symmetry(image, image) for image in images])
