"""Connect Four solved: alpha-beta search on bitboards, exact to the last ply.

The game was first solved by Allen and by Allis (1988); this is the usual way since Tromp (1995): a position is two integers,
four in a row is found by shifts, positions met before stand in a table of bounds, and the exact score is found by
narrowing it down with searches that only ask "more than this?" (null windows).

Bit 7 * column + height is a cell, height 0 at the bottom; the seventh bit of a column is always 0, so that no four in a row
runs from one column into the next. `own` are the stones of the player to move, `mask` all stones.

Score of a position, for the player to move: 22 minus the number of stones that the winner will have played if he wins as soon
as he can and the loser holds out as long as he can; negative when the opponent wins; 0 for a draw. It lies in [-21, 21].
"""

from functools import lru_cache

import numpy as np

from rlcourse.games import GameOver, GameState
from rlcourse.games.grid import GridState
from rlcourse.kernels import kernel

CELLS = 42
BOTTOM = sum(1 << 7 * column for column in range(7))
BOARD = BOTTOM * 63
ORDER = np.array([3, 2, 4, 1, 5, 0, 6])  # the centre takes part in most fours
MIRRORED = (
    16  # with fewer stones than this, a position and its mirror image share an entry of the table
)
ILLEGAL = -100  # the score of a move into a full column
BIT = 7 * np.tile(np.arange(7), 6) + np.repeat(
    np.arange(5, -1, -1), 7
)  # [42] the bit of each cell of a game's board


@kernel
def _count(bits):
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def _fours(stones, mask):
    """The empty cells that would give `stones` four in a row, whether or not they can be reached yet."""
    found = (stones << 1) & (stones << 2) & (stones << 3)
    for step in range(6, 9):  # falling diagonal, row, rising diagonal
        pair = (stones << step) & (stones << 2 * step)
        found |= pair & (stones << 3 * step)
        found |= pair & (stones >> step)
        pair = (stones >> step) & (stones >> 2 * step)
        found |= pair & (stones << step)
        found |= pair & (stones >> 3 * step)
    return found & (BOARD ^ mask)


@kernel
def _key(own, mask, stones):
    """A number of 49 bits, not 0, that no other position has; below MIRRORED stones, the same for the mirror image."""
    key = own + mask + BOTTOM
    if stones < MIRRORED:
        mirror = np.int64(0)
        for column in range(7):
            mirror |= (key >> 7 * column & 127) << 7 * (6 - column)
        key = min(key, mirror)
    return key


@kernel
def _search(own, mask, stones, alpha, beta, table, moves, threats, nodes):
    """The score if it lies between alpha and beta, else a bound on the side it lies (fail-soft). The player to move must have
    no winning move. moves, threats [43, 7]: room for the moves of each ply. nodes [1] counts the calls."""
    nodes[0] += 1
    other = own ^ mask
    possible = (mask + BOTTOM) & BOARD
    danger = _fours(other, mask)
    forced = possible & danger
    if forced:
        if forced & (forced - 1):  # two cells to stop, one stone
            return -((CELLS - stones) // 2)
        possible = forced
    possible &= ~(danger >> 1)  # a stone below the opponent's winning cell hands it to him
    if possible == 0:
        return -((CELLS - stones) // 2)
    if stones >= CELLS - 2:
        return 0
    lowest, highest = (
        -((40 - stones) // 2),
        (41 - stones) // 2,
    )  # nobody wins with one of the next two stones
    key = _key(own, mask, stones)
    place = (key * np.int64(0x1E3779B97F4A7C15)) >> 20 & (len(table) - 1)
    entry = table[place]
    if entry >> 8 == key:
        bound = (entry & 127) - 64
        if entry & 128:
            lowest = max(lowest, bound)
        else:
            highest = min(highest, bound)
    if lowest >= beta or lowest == highest:
        return lowest
    if highest <= alpha:
        return highest
    alpha, beta = max(alpha, lowest), min(beta, highest)
    count = 0
    for k in range(7):  # most threats first, from the centre out
        move = possible & (127 << 7 * ORDER[k])
        if move:
            threat, at = _count(_fours(own | move, mask | move)), count
            while at > 0 and threats[stones, at - 1] < threat:
                moves[stones, at], threats[stones, at] = (
                    moves[stones, at - 1],
                    threats[stones, at - 1],
                )
                at -= 1
            moves[stones, at], threats[stones, at] = move, threat
            count += 1
    best, start = -CELLS, alpha
    for k in range(count):
        score = -_search(
            other, mask | moves[stones, k], stones + 1, -beta, -alpha, table, moves, threats, nodes
        )
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    if best > start:  # a lower bound; exact if below beta too, but one bound an entry is enough
        table[place] = key << 8 | 128 | (best + 64)
    else:
        table[place] = key << 8 | (best + 64)
    return best


@kernel
def _score(own, mask, lowest, highest, table, moves, threats, nodes):
    """The score, narrowed down within [lowest, highest]; outside, the nearer end. No four in a row on the board."""
    stones = _count(mask)
    if stones == CELLS:
        return min(max(0, lowest), highest)
    if _fours(own, mask) & (mask + BOTTOM):
        return min(max((43 - stones) // 2, lowest), highest)
    lowest, highest = max(lowest, -((CELLS - stones) // 2)), min(highest, (41 - stones) // 2)
    while lowest < highest:
        middle = (lowest + highest) // 2
        if (
            middle <= 0 and lowest // 2 < middle
        ):  # ask near a draw first: quick wins are rare and soon refuted
            middle = lowest // 2
        elif middle > 0 and highest // 2 > middle:
            middle = highest // 2
        middle = min(max(middle, lowest), highest - 1)
        score = _search(own, mask, stones, middle, middle + 1, table, moves, threats, nodes)
        if score <= middle:
            highest = max(score, lowest)
        else:
            lowest = min(score, highest)
    return lowest


@kernel
def _scores(own, mask, reach, table, nodes, out):
    """out [R, 7]: the score of every move, cut off at +-reach; ILLEGAL in a full column."""
    moves, threats = np.empty((43, 7), np.int64), np.empty((43, 7), np.int64)
    for r in range(len(own)):
        wins = _fours(own[r], mask[r])
        for column in range(7):
            move = (mask[r] + BOTTOM) & (63 << 7 * column)
            if move == 0:
                out[r, column] = ILLEGAL
            elif move & wins:
                out[r, column] = min((43 - _count(mask[r])) // 2, reach)
            else:
                out[r, column] = -_score(
                    own[r] ^ mask[r], mask[r] | move, -reach, reach, table, moves, threats, nodes
                )


def bitboards(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(own [R], mask [R]) int64: positions given as cells [R, 42], 0 empty, 1 first player's, 2 second's; nobody has won."""
    first = ((cells == 1) * (1 << BIT)).sum(axis=1)
    mask = ((cells != 0) * (1 << BIT)).sum(axis=1)
    second_moves = (cells != 0).sum(axis=1) % 2 == 1
    return np.where(second_moves, mask ^ first, first), mask


def plies_left(score: np.ndarray, stones: np.ndarray) -> np.ndarray:
    """Plies until the end, both sides playing for this score. stones: on the board before the next move."""
    winner_moves_next = np.asarray(score) > 0
    last = 2 * (
        22 - np.abs(score)
    )  # the winner's stones, and as many of the other's, less one if the first player wins
    first_wins = winner_moves_next == (np.asarray(stones) % 2 == 0)
    return np.where(np.equal(score, 0), CELLS, last - first_wins) - stones


def _cells(state: GameState) -> np.ndarray:
    """[1, 42] int8: the cells of one position of Connect Four. Raises ValueError for another game's."""
    if not isinstance(state, GridState) or len(state.cells) != CELLS:
        raise ValueError(f"this solver knows Connect Four, not {state!r}")
    return state.board.reshape(1, CELLS)


class ConnectFourSolver:
    """Exact scores, with a table of 2**bits bounds (8 bytes each) that later questions profit from.

    From 12 stones on a position takes milliseconds to a second, the empty board some minutes. A search cannot be interrupted.
    nodes: positions searched so far.
    """

    def __init__(self, bits: int = 20) -> None:
        self.table = np.zeros(1 << bits, np.int64)
        self._nodes = np.zeros(1, np.int64)

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self._nodes[0])

    def scores(self, cells: np.ndarray, *, reach: int = 21) -> np.ndarray:
        """[R, 7] int64: the score of every move for the player who makes it, ILLEGAL in a full column. cells [R, 42], of
        running games. reach=1 asks only for +1 win, 0 draw, -1 loss, which is several times faster."""
        cells = np.asarray(cells)
        if cells.ndim != 2 or cells.shape[1] != CELLS:
            raise ValueError(f"positions of Connect Four are cells [R, 42]; got {cells.shape}")
        own, mask = bitboards(cells)
        out = np.empty((len(cells), 7), np.int64)
        _scores(own, mask, reach, self.table, self._nodes, out)
        return out

    def score(self, state: GameState) -> int:
        """The score of one position for the player to move; of a finished one, for the player who would have moved."""
        if state.is_over():
            stones = int((_cells(state) != 0).sum())
            return -(22 - (stones + 1) // 2) if state.winner() else 0
        own, mask = bitboards(_cells(state))
        moves, threats = np.empty((43, 7), np.int64), np.empty((43, 7), np.int64)
        return int(_score(own[0], mask[0], -21, 21, self.table, moves, threats, self._nodes))

    def move_scores(self, state: GameState) -> dict[int, int]:
        """The score of each legal move for the player who makes it. Raises GameOver in a finished game."""
        if state.is_over():
            raise GameOver("there is no move to score: the game is over")
        scores = self.scores(_cells(state))[0]
        return {move: int(scores[move]) for move in state.legal_moves()}


@lru_cache(maxsize=1)
def solver() -> ConnectFourSolver:
    """The solver that a process shares."""
    return ConnectFourSolver()
