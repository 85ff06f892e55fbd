"""Exact Connect Four: alpha-beta search on bitboards to the end of the game.

Allen and Allis (1988) first solved the game; the method follows Tromp (1995). A position is two
integers, shifts detect four in a row, a transposition table stores bounds, and null-window
searches, which only ask whether the score exceeds a bound, narrow the exact score down.

Cell `height` of a column (0 at the bottom) is bit 7 * column + height. The seventh bit of each
column is always 0, so no four in a row continues into the next column. `own` are the stones of the
player to move, `mask` all stones.

The score in [-21, 21] is for the player to move, 0 for a draw. If they win, it is 22 minus the
number of stones they will have played, when the winner wins as early and the loser loses as late
as possible; if the opponent wins, it is the negative of that.
"""

from functools import lru_cache

import numpy as np

from rlcourse.errors import BadValue
from rlcourse.games import GameOver, GameState
from rlcourse.games.grid import GridState
from rlcourse.kernels import kernel
from rlcourse.solvers.connect_four_book import SOLVED_FROM, book

CELLS = 42
BOTTOM = sum(1 << 7 * column for column in range(7))
BOARD = BOTTOM * 63
ORDER = np.array([3, 2, 4, 1, 5, 0, 6])  # the centre is part of the most lines
# Below this number of stones a position and its mirror image share an entry of the table.
MIRRORED = 16
ILLEGAL = -100  # the score of a move into a full column
# From so many stones on the exact scores of all moves, and not only their results, take a second.
SCORED_FROM = 12
# [42] the bit of each cell of `GridState.cells`.
BIT = 7 * np.tile(np.arange(7), 6) + np.repeat(np.arange(5, -1, -1), 7)


@kernel
def _count(bits):
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def _fours(stones, mask):
    """The empty cells that would complete four in a row of `stones`, playable yet or not."""
    cells = (stones << 1) & (stones << 2) & (stones << 3)
    for step in range(6, 9):  # falling diagonal, row, rising diagonal
        pair = (stones << step) & (stones << 2 * step)
        cells |= pair & (stones << 3 * step)
        cells |= pair & (stones >> step)
        pair = (stones >> step) & (stones >> 2 * step)
        cells |= pair & (stones << step)
        cells |= pair & (stones >> 3 * step)
    return cells & (BOARD ^ mask)


@kernel
def _key(own, mask, stones):
    """A unique non-zero number of 49 bits; below MIRRORED stones the mirror image shares it."""
    key = own + mask + BOTTOM
    if stones < MIRRORED:
        mirror = np.int64(0)
        for column in range(7):
            mirror |= (key >> 7 * column & 127) << 7 * (6 - column)
        key = min(key, mirror)
    return key


@kernel
def _sort_moves(own, mask, possible, moves, threats):
    """The number of possible moves, which are written into moves [7], the most promising first.

    Those with the most threats, also in threats [7]; from the centre outwards among equals.
    """
    count = 0
    for k in range(7):
        move = possible & (127 << 7 * ORDER[k])
        if move:
            threat, rank = _count(_fours(own | move, mask | move)), count
            while rank > 0 and threats[rank - 1] < threat:
                moves[rank], threats[rank] = moves[rank - 1], threats[rank - 1]
                rank -= 1
            moves[rank], threats[rank] = move, threat
            count += 1
    return count


@kernel
def _search(own, mask, stones, alpha, beta, table, moves, threats, nodes):
    """The score if it lies between alpha and beta, else a bound on that side (fail-soft).

    The player to move must have no winning move. moves, threats [43, 7]: work space for the moves
    of each ply. nodes [1] counts the calls.
    """
    nodes[0] += 1
    other = own ^ mask
    possible = (mask + BOTTOM) & BOARD
    danger = _fours(other, mask)
    forced = possible & danger
    if forced:
        if forced & (forced - 1):  # two winning cells, and one stone to stop them
            return -((CELLS - stones) // 2)
        possible = forced
    # A stone below the opponent's winning cell lets the opponent play there.
    possible &= ~(danger >> 1)
    if possible == 0:
        return -((CELLS - stones) // 2)
    if stones >= CELLS - 2:
        return 0
    # Neither of the next two stones wins.
    lowest, highest = -((40 - stones) // 2), (41 - stones) // 2
    # An entry holds the key from bit 8, then bit 7 for a lower bound, then the bound plus 64.
    key = _key(own, mask, stones)
    slot = (key * np.int64(0x1E3779B97F4A7C15)) >> 20 & (len(table) - 1)
    entry = table[slot]
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
    best, start = -CELLS, alpha
    for k in range(_sort_moves(own, mask, possible, moves[stones], threats[stones])):
        score = -_search(
            other, mask | moves[stones, k], stones + 1, -beta, -alpha, table, moves, threats, nodes
        )
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    # Between start and beta the score is exact, but one bound per entry is enough.
    if best > start:
        table[slot] = key << 8 | 128 | (best + 64)
    else:
        table[slot] = key << 8 | (best + 64)
    return best


@kernel
def _score(own, mask, lowest, highest, table, moves, threats, nodes):
    """The score clipped to [lowest, highest], found by bisection. Nobody has four in a row yet."""
    stones = _count(mask)
    if stones == CELLS:
        return min(max(0, lowest), highest)
    if _fours(own, mask) & (mask + BOTTOM):
        return min(max((43 - stones) // 2, lowest), highest)
    lowest, highest = max(lowest, -((CELLS - stones) // 2)), min(highest, (41 - stones) // 2)
    while lowest < highest:
        # Bisect near a draw first: early wins are rare and quickly refuted.
        middle = (lowest + highest) // 2
        if middle <= 0 and lowest // 2 < middle:
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
    """out [R, 7]: the score of every move, clipped to +-reach; ILLEGAL in a full column."""
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
    """(own [R], mask [R]) int64: the bitboards of running games with the cells [R, 42].

    A cell is 0 empty, 1 the first player's, 2 the second player's.
    """
    first = ((cells == 1) * (1 << BIT)).sum(axis=1)
    mask = ((cells != 0) * (1 << BIT)).sum(axis=1)
    second_moves = (cells != 0).sum(axis=1) % 2 == 1
    return np.where(second_moves, mask ^ first, first), mask


def plies_left(score: np.ndarray | int, stones: np.ndarray | int) -> np.ndarray:
    """Plies until the end if both sides play for this score. stones: on the board already."""
    winner_moves_next = np.asarray(score) > 0
    first_wins = winner_moves_next == (np.asarray(stones) % 2 == 0)
    # The loser has played as many stones as the winner, or one less if the first player wins.
    last = 2 * (22 - np.abs(score)) - first_wins
    return np.where(np.equal(score, 0), CELLS, last) - stones


def cells_of(state: GameState) -> np.ndarray:
    """[1, 42] int8: the cells of one position. Raises ValueError for another game."""
    if not isinstance(state, GridState) or len(state.cells) != CELLS:
        raise BadValue(f"this solver knows Connect Four, not {state!r}")
    return state.board.reshape(1, CELLS)


class ConnectFourSolver:
    """Exact scores; a table of 2**bits bounds (8 bytes each) speeds up later calls.

    A position with 12 or more stones takes milliseconds to a second, the empty board some minutes.
    A search cannot be interrupted.
    """

    def __init__(self, bits: int = 20) -> None:
        self.table = np.zeros(1 << bits, np.int64)
        self._nodes = np.zeros(1, np.int64)

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self._nodes[0])

    def scores(self, cells: np.ndarray, *, reach: int = 21) -> np.ndarray:
        """[R, 7] int64: the score of every move for the player to move, ILLEGAL in a full column.

        cells [R, 42] are running games. reach=1 asks only for +1 win, 0 draw or -1 loss, which is
        several times faster.
        """
        cells = np.asarray(cells)
        if cells.ndim != 2 or cells.shape[1] != CELLS:
            raise BadValue(f"positions of Connect Four are cells [R, 42]; got {cells.shape}")
        own, mask = bitboards(cells)
        out = np.empty((len(cells), 7), np.int64)
        _scores(own, mask, reach, self.table, self._nodes, out)
        return out

    def score(self, state: GameState, *, reach: int = 21) -> int:
        """The score for the player to move, or who would have moved if the game is over.

        reach=1 asks only for +1 win, 0 draw or -1 loss.
        """
        if state.is_over():
            stones = int((cells_of(state) != 0).sum())
            return max(-(22 - (stones + 1) // 2), -reach) if state.winner() else 0
        own, mask = bitboards(cells_of(state))
        moves, threats = np.empty((43, 7), np.int64), np.empty((43, 7), np.int64)
        return int(_score(own[0], mask[0], -reach, reach, self.table, moves, threats, self._nodes))

    def move_scores(self, state: GameState) -> dict[int, int]:
        """The score of each legal move for the player to move. Raises GameOver."""
        if state.is_over():
            raise GameOver("there is no move to score: the game is over")
        scores = self.scores(cells_of(state))[0]
        return {move: int(scores[move]) for move in state.legal_moves()}


@lru_cache(maxsize=1)
def solver() -> ConnectFourSolver:
    """The solver that a process shares."""
    return ConnectFourSolver()


def exact_moves(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(result of each move [R, 7], moves to choose from [R, 7] bool) in running games [R, 42].

    A result is 1, 0 or -1 for the player to move, NaN where the move is illegal or its result not
    known. The moves to choose from keep the best result, and a win at once goes before all others;
    with SCORED_FROM stones and more they win soonest or lose latest. With fewer than SOLVED_FROM
    stones the book answers, and where it does not know there is no move to choose from.
    """
    results, choice = np.full((len(cells), 7), np.nan), np.zeros((len(cells), 7), np.bool_)
    for row, (own, mask) in enumerate(zip(*bitboards(cells), strict=True)):
        stones = _count(mask)
        if stones < SOLVED_FROM:
            results[row], choice[row] = _by_the_book(int(own), int(mask))
            continue
        scores = solver().scores(cells[row : row + 1], reach=21 if stones >= SCORED_FROM else 1)[0]
        results[row] = np.where(scores == ILLEGAL, np.nan, np.sign(scores))
        wins = _columns(_fours(own, mask) & (mask + BOTTOM))
        choice[row] = wins if wins.any() else scores == scores.max()
    return results, choice


def _by_the_book(own: int, mask: int) -> tuple[np.ndarray, np.ndarray]:
    """One row of `exact_moves`, for a position with few stones."""
    legal = _columns((mask + BOTTOM) & BOARD)
    wins = _columns(_fours(own, mask) & (mask + BOTTOM))
    results = np.where(wins, 1.0, np.nan)
    for column in np.flatnonzero(legal & ~wins):
        after = own ^ mask, mask | ((mask + BOTTOM) & (127 << 7 * int(column)))
        if _fours(*after) & (after[1] + BOTTOM):
            results[column] = -1
        elif after in book():
            results[column] = -book()[after][1]
    if (own, mask) in book() and not wins.any():
        answer, result = book()[own, mask]
        results[answer] = result
        return results, np.arange(7) == answer
    known = wins.any() or not np.isnan(results[legal]).any()
    return results, (results == np.nanmax(results, initial=-1)) & known


def _columns(cells: int) -> np.ndarray:
    """[7] bool: the columns with one of these cells."""
    return np.array([cells >> 7 * column & 127 != 0 for column in range(7)])
