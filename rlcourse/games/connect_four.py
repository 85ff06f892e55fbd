"""Connect Four: seven columns of six cells; stones fall, and four in a row win.

A move is a column, 0 (a) to 6 (g).
"""

import numpy as np

from rlcourse.games.game import Game, Symmetry
from rlcourse.games.grid import Rules, cell_symmetries, grid_game
from rlcourse.kernels import kernel

HEIGHT, WIDTH = 6, 7


def _lines_through() -> tuple[np.ndarray, np.ndarray]:
    """(lines of four through each cell [42], the other three cells of each line [42, 13, 3])."""
    lines = [
        [(row + k * drow) * WIDTH + col + k * dcol for k in range(4)]
        for row, col in np.ndindex(HEIGHT, WIDTH)
        for drow, dcol in ((0, 1), (1, 0), (1, 1), (1, -1))
        if row + 3 * drow < HEIGHT and 0 <= col + 3 * dcol < WIDTH
    ]
    count, others = np.zeros(42, np.uint8), np.zeros((42, 13, 3), np.uint8)
    for line in lines:
        for cell in line:
            others[cell, count[cell]] = [other for other in line if other != cell]
            count[cell] += 1
    return count, others


LINES, OTHERS = _lines_through()


@kernel
def _wins_through(cells, cell):
    """Whether the stone on `cell` is part of four in a row."""
    # No branches: whether a line is complete is hard for the processor to predict.
    stone, won = cells[cell], False
    for k in range(LINES[cell]):
        a, b, c = OTHERS[cell, k, 0], OTHERS[cell, k, 1], OTHERS[cell, k, 2]
        won |= (cells[a] == stone) & (cells[b] == stone) & (cells[c] == stone)
    return won


@kernel
def _winners(cells):
    """0 nobody has four in a row, 1 or 2 that player has, 3 both have."""
    won = 0
    for cell in range(42):
        if cells[cell] != 0 and _wins_through(cells, cell):
            won |= cells[cell]
    return won


@kernel
def _can_be_filled(cells, stones):
    """Whether players taking turns, the first player first, can have dropped these `stones` stones.

    No stone hangs in the air. A depth-first search visits each of the 7^7 column heights at most
    once.
    """
    tried = np.zeros(7**7, np.bool_)
    heights = np.zeros(7, np.int64)
    # The column of each ply; at the top of the stack, the next column to try.
    path = np.zeros(43, np.int64)
    ply, code = 0, 0
    while ply < stones:
        col = path[ply]
        if col == 7:  # every column has been tried: take the previous stone back
            if ply == 0:
                return False
            ply -= 1
            col = path[ply]
            heights[col] -= 1
            code -= 7**col
            path[ply] += 1
            continue
        fits = heights[col] < 6 and cells[(5 - heights[col]) * 7 + col] == 1 + ply % 2
        if fits and not tried[code + 7**col]:
            heights[col] += 1
            code += 7**col
            tried[code] = True
            ply += 1
            path[ply] = 0
        else:
            path[ply] += 1
    return True


@kernel
def _outcome(cells):
    """0 running, 1 or 2 that player has four in a row, 3 drawn, -1 the position cannot arise.

    A position can arise if no stone hangs in the air, the players can have dropped the stones in
    turn and, if there is a winner, one last stone can have completed every four in a row.
    """
    stones = 0
    for cell in range(42):
        stones += cells[cell] != 0
        if cell < 35 and cells[cell] != 0 and cells[cell + 7] == 0:
            return -1
    won = _winners(cells)
    if won == 0:
        if not _can_be_filled(cells, stones):
            return -1
        return 3 if stones == 42 else 0
    # The last stone lies on top of a column, and without it nobody has won.
    before = cells.copy()
    for col in range(7):
        cell = col
        while cell < 35 and cells[cell] == 0:
            cell += 7
        if won < 3 and cells[cell] == won:
            before[cell] = 0
            if _winners(before) == 0 and _can_be_filled(before, stones - 1):
                return won
            before[cell] = won
    return -1


@kernel
def _legal(cells, done, out):
    """out [R, 7]: the columns that are not full, in every game that is not over."""
    for r in range(cells.shape[0]):
        for a in range(7):
            out[r, a] = cells[r, a] == 0 and not done[r]


@kernel
def _play(cells, to_play, done, points, actions, lengths):
    """Play the first lengths[i] of actions[i] in game i.

    Returns the first game with an illegal action, else -1.
    """
    for i in range(cells.shape[0]):
        board, player = cells[i], to_play[i]
        for d in range(lengths[i]):
            action = actions[i, d]
            if done[i] or action < 0 or action >= 7 or board[action] != 0:
                return i
            cell = action + 35
            while board[cell] != 0:
                cell -= 7
            board[cell] = 1 + player
            if _wins_through(board, cell):
                done[i] = True
                points[i] = 1.0 if player == 0 else -1.0
            elif cell < 7:
                full = True
                for top in range(7):
                    full = full and board[top] != 0
                done[i] = full
            player = 1 - player
            to_play[i] = player
    return -1


@kernel
def _playouts(cells, to_play, done, points, seeds, out):
    """out [N]: the first player's points after a uniformly random game from each row.

    The rows do not change. Random numbers: SplitMix64 (Steele, Lea, Flood 2014), seeds [N] uint64.
    """
    board, lowest, columns = np.empty(42, np.int8), np.empty(7, np.int64), np.empty(7, np.int64)
    for i in range(len(out)):
        out[i] = points[i]
        count, player, state = 0, to_play[i], seeds[i]
        board[:] = cells[i]
        for column in range(7):
            lowest[column] = column - 7
            while lowest[column] < 35 and board[lowest[column] + 7] == 0:
                lowest[column] += 7
            if lowest[column] >= 0:
                columns[count] = column
                count += 1
        while count > 0 and not done[i]:
            state += np.uint64(0x9E3779B97F4A7C15)
            z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            # The upper 32 bits, multiplied by the count, give an index without a division.
            drawn = np.int64((z >> np.uint64(32)) * np.uint64(count) >> np.uint64(32))
            cell = lowest[columns[drawn]]
            board[cell] = 1 + player
            if _wins_through(board, cell):
                out[i] = 1.0 if player == 0 else -1.0
                break
            lowest[columns[drawn]] -= 7
            if cell < 7:
                count -= 1
                columns[drawn] = columns[count]
            player = 1 - player


LABELS = tuple("abcdefg")


def _reason(cells: np.ndarray, action: int) -> str:
    return f"column {LABELS[action]} is full"


RULES = Rules(
    "connect-four",
    (HEIGHT, WIDTH),
    WIDTH,
    LABELS,
    _legal,
    _play,
    _playouts,
    _outcome,
    _reason,
)


def make_game() -> Game:
    """The descriptor that `get_game("connect-four")` returns."""
    identity, mirror = cell_symmetries((HEIGHT, WIDTH), square=False)
    columns = np.arange(WIDTH)
    straight, mirrored = Symmetry(columns, identity), Symmetry(columns[::-1].copy(), mirror)
    return grid_game(RULES, (straight, mirrored), opening=4)
