"""Connect Four: seven columns of six cells, stones fall, four in a row win. A move is a column, 0 (a) to 6 (g)."""

import numpy as np

from rlcourse.games.drawing import draw_connect_four
from rlcourse.games.game import Game, Symmetry
from rlcourse.games.grid import GridBatch, GridState, Rules, action_of, cell_symmetries, move_of, parse_cells
from rlcourse.kernels import kernel

HEIGHT, WIDTH = 6, 7


@kernel
def _run(cells, cell, drow, dcol):
    """How many further stones like the one on `cell` follow it in one direction."""
    row, col, stone, length = cell // 7 + drow, cell % 7 + dcol, cells[cell], 0
    while 0 <= row < 6 and 0 <= col < 7 and cells[row * 7 + col] == stone:
        length += 1
        row += drow
        col += dcol
    return length


@kernel
def _wins_through(cells, cell):
    """Whether four or more in a row run through the stone on `cell`."""
    return (
        _run(cells, cell, 1, 0) >= 3
        or _run(cells, cell, 0, 1) + _run(cells, cell, 0, -1) >= 3
        or _run(cells, cell, 1, 1) + _run(cells, cell, -1, -1) >= 3
        or _run(cells, cell, 1, -1) + _run(cells, cell, -1, 1) >= 3
    )


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
    """Whether the `stones` stones on the board, none in the air, can have fallen in turn, the first player's first.

    Searches depth first through the heights of the seven columns, each of the 7^7 at most once.
    """
    tried = np.zeros(7**7, np.bool_)
    heights = np.zeros(7, np.int64)
    path = np.zeros(43, np.int64)  # the column of each ply; at the top of the stack, the next column to try
    ply, code = 0, 0
    while ply < stones:
        col = path[ply]
        if col == 7:  # nothing left to try here: take the stone before back
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

    It can arise if no stone hangs in the air, the stones can have fallen in turn and, when there is a winner, the last
    stone can have been one that completes every four in a row.
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
    """out [R, 7]: the columns that are not full, of every game that still runs."""
    for r in range(cells.shape[0]):
        for a in range(7):
            out[r, a] = cells[r, a] == 0 and not done[r]


@kernel
def _play(cells, to_play, done, points, actions, lengths):
    """Play the first lengths[i] of actions[i] in game i. Returns the first game with an illegal action, else -1."""
    for i in range(cells.shape[0]):
        for d in range(lengths[i]):
            action = actions[i, d]
            if done[i] or action < 0 or action >= 7 or cells[i, action] != 0:
                return i
            cell = action
            while cell + 7 < 42 and cells[i, cell + 7] == 0:
                cell += 7
            cells[i, cell] = 1 + to_play[i]
            if _wins_through(cells[i], cell):
                done[i] = True
                points[i] = 1.0 if to_play[i] == 0 else -1.0
            else:
                full = True
                for top in range(7):
                    full = full and cells[i, top] != 0
                done[i] = full
            to_play[i] = 1 - to_play[i]
    return -1


LABELS = tuple("abcdefg")


def _reason(cells: np.ndarray, action: int) -> str:
    return f"column {LABELS[action]} is full"


RULES = Rules("connect-four", (HEIGHT, WIDTH), WIDTH, LABELS, _legal, _play, _outcome, _reason, draw_connect_four)


def make_game() -> Game:
    """The descriptor that `get_game("connect-four")` returns."""
    identity, mirror = cell_symmetries((HEIGHT, WIDTH), square=False)
    columns = np.arange(WIDTH)
    return Game(
        name="connect-four",
        num_actions=WIDTH,
        board=(HEIGHT, WIDTH),
        new_game=lambda: GridState(RULES, bytes(42), 0, False, 0),
        new_batch=lambda n: GridBatch(RULES, n),
        action=action_of(RULES),
        move=move_of,
        parse=lambda body: parse_cells(RULES, body),
        labels=LABELS,
        symmetries=(Symmetry(columns, identity), Symmetry(columns[::-1].copy(), mirror)),
    )
