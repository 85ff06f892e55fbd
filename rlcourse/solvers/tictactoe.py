"""Tic-tac-toe as a table of 3^9 codes: every transition, every exact value.

The code of a position is the sum of cell * 3^square (cell 0 empty, 1 the first player's, 2 the
second player's; square 0 is top left), so the empty board is 0. Of 19,683 codes, 5,478 are
reachable positions: 958 of them are finished, and in 4,520 a player has to move.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rlcourse.games import get_game, sign_of
from rlcourse.kernels import kernel

CODES = 3**9
POWERS = 3 ** np.arange(9)


class TicTacToeTables(NamedTuple):
    """The rules as arrays over the codes. The successors of an unreachable code are -1.

    cells [3^9, 9] int8; reachable, done [3^9] bool; points [3^9] int8, first player's; to_play
    [3^9] int8, 0 or 1; ply [3^9] int8, stones on the board; successor [3^9, 9] int32, the code
    after that action, -1 if it is illegal.
    """

    cells: np.ndarray
    reachable: np.ndarray
    done: np.ndarray
    points: np.ndarray
    to_play: np.ndarray
    ply: np.ndarray
    successor: np.ndarray

    @property
    def decisions(self) -> np.ndarray:
        """[4520] int64: the codes in which a player has to move, ascending."""
        return np.flatnonzero(self.reachable & ~self.done)

    @property
    def backwards(self) -> np.ndarray:
        """[5478] int64: the reachable codes, each one after its successors."""
        codes = np.flatnonzero(self.reachable)
        return codes[np.argsort(-self.ply[codes], kind="stable")]


class TicTacToeSolution(NamedTuple):
    """Exact values over the codes, for the player to move.

    value [3^9] float64: of the position under perfect play (0 where unreachable). q [3^9, 9]
    float64: of each action, NaN where it is illegal. best [3^9, 9] bool: the actions whose q equals
    the value.
    """

    value: np.ndarray
    q: np.ndarray
    best: np.ndarray


class SymmetryTables(NamedTuple):
    """The canonical image of each position under the eight symmetries.

    canonical [3^9] int32: the smallest code among the images. action [3^9, 9] int8: the image of
    each square under that symmetry.
    """

    canonical: np.ndarray
    action: np.ndarray


def codes_of(cells: np.ndarray) -> np.ndarray:
    """[R] int64: the codes of positions given as cells [R, 9]."""
    return cells.astype(np.int64) @ POWERS


@lru_cache(maxsize=1)
def tables() -> TicTacToeTables:
    """The rules as arrays, found by playing every legal move from the empty board, ply by ply."""
    game = get_game("tic-tac-toe")
    cells = (np.arange(CODES)[:, None] // POWERS % 3).astype(np.int8)
    reachable, done = np.zeros(CODES, np.bool_), np.zeros(CODES, np.bool_)
    points, successor = np.zeros(CODES, np.int8), np.full((CODES, 9), -1, np.int32)
    frontier = game.new_batch(1)
    for _ in range(10):
        codes = codes_of(frontier.cells)
        reachable[codes], done[codes], points[codes] = True, frontier.done, frontier.points
        row, action = np.nonzero(frontier.legal())
        children = frontier.take(row)
        children.step(action)
        child_codes = codes_of(children.cells)
        successor[codes[row], action] = child_codes
        # Many move orders lead to the same position; the next ply starts from one copy of each.
        _, first = np.unique(child_codes, return_index=True)
        frontier = children.take(first)
    stones = (cells != 0).sum(axis=1).astype(np.int8)
    return TicTacToeTables(cells, reachable, done, points, stones % 2, stones, successor)


@kernel
def _solve(backwards, gamma, done, points, to_play, successor, value, q):
    """Fill value [3^9] and q [3^9, 9] of the decisions among `backwards`; see `solve`."""
    for code in backwards:
        if done[code]:
            continue
        best = -np.inf
        for a in range(9):
            after = successor[code, a]
            if after < 0:
                continue
            if done[after]:
                q[code, a] = points[after] * (1 - 2 * to_play[code])
            else:
                q[code, a] = -gamma * value[after]
            best = max(best, q[code, a])
        value[code] = best


@lru_cache(maxsize=8)
def solve(gamma: float = 1.0) -> TicTacToeSolution:
    """Exact values by backward induction.

    q(s, a) = r for a move that ends the game, else -gamma * max q(s', .). gamma 1 is the game
    itself; with a smaller gamma an earlier win is worth more, as for a learner with that discount.
    """
    rules = tables()
    value, q = np.zeros(CODES), np.full((CODES, 9), np.nan)
    _solve(
        rules.backwards, gamma, rules.done, rules.points, rules.to_play, rules.successor, value, q
    )
    return TicTacToeSolution(value, q, q == value[:, None])


def exact_moves(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(result of each move [R, 9], moves that keep the best one [R, 9] bool) in cells [R, 9].

    A result is 1, 0 or -1 for the player to move, NaN for an illegal move.
    """
    solution, codes = solve(), codes_of(cells)
    return solution.q[codes], solution.best[codes]


class PolicyValues(NamedTuple):
    """Expected values over the codes if both players follow one policy, for the player to move.

    value [3^9] float64 in [-1, 1]; q [3^9, 9] float64, NaN for an illegal action; visits [3^9]
    float64: the probability that a game from the empty board passes through the position.
    """

    value: np.ndarray
    q: np.ndarray
    visits: np.ndarray


def evaluate_policy(policy: np.ndarray) -> PolicyValues:
    """Exact evaluation of `policy` [3^9, 9], the action probabilities in each position.

    q(s, a) = r for a move that ends the game, else -V(s'); V(s) = sum of policy(a | s) q(s, a).
    Sutton & Barto (2018), eq. 3.14.
    """
    value, q, _ = lambda_return_moments(policy, np.zeros(CODES), 1.0)
    visits = np.zeros(CODES)
    visits[0] = 1.0
    for codes, after in _plies():
        chances = np.where(after >= 0, visits[codes, None] * policy[codes], 0)
        np.add.at(visits, after[after >= 0], chances[after >= 0])
    return PolicyValues(value, q, visits)


def lambda_return_moments(
    policy: np.ndarray, critic: np.ndarray, lam: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(mean per position [3^9], mean and variance per action [3^9, 9]) of the lambda-return.

    policy [3^9, 9] is played by both sides. critic [3^9]: estimated values in [-1, 1]. All values
    are for the player to move, NaN for an illegal action. Exact, by recursion: G(s, a) = -((1 -
    lam) critic(s') + lam G(s', a')), a' drawn from the policy; lam 1 gives the return. The bias and
    variance of any advantage estimate follow without sampling.
    """
    rules = tables()
    mean, variance = np.full((CODES, 9), np.nan), np.full((CODES, 9), np.nan)
    # Mean and variance of the lambda-return of a position, over the policy's actions.
    average, spread = np.zeros(CODES), np.zeros(CODES)
    for codes, after in reversed(list(_plies())):
        sign = sign_of(rules.to_play[codes, None])
        bootstrapped = -((1 - lam) * critic[after] + lam * average[after])
        of_mover = np.where(rules.done[after], rules.points[after] * sign, bootstrapped)
        mean[codes] = np.where(after >= 0, of_mover, np.nan)
        later_variance = np.where(rules.done[after], 0, lam**2 * spread[after])
        variance[codes] = np.where(after >= 0, later_variance, np.nan)
        legal = np.where(after >= 0, policy[codes], 0)
        average[codes] = np.nansum(legal * mean[codes], axis=1)
        # The law of total variance: the mean of the squares less the square of the mean.
        squares = np.nansum(legal * (variance[codes] + mean[codes] ** 2), axis=1)
        spread[codes] = squares - average[codes] ** 2
    return average, mean, variance


def _plies() -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """(codes [R], successors [R, 9]) of the decisions of each ply, from the empty board on."""
    rules = tables()
    for ply in range(9):
        codes = np.flatnonzero(rules.reachable & ~rules.done & (rules.ply == ply))
        yield codes, rules.successor[codes]


@lru_cache(maxsize=1)
def symmetry_tables() -> SymmetryTables:
    """The canonical code of every code and the symmetry to it, from `game.symmetries`."""
    cells = tables().cells
    images = np.stack([symmetry.cells for symmetry in get_game("tic-tac-toe").symmetries])  # [8, 9]
    moved = np.stack([codes_of(cells[:, np.argsort(image)]) for image in images])  # [8, 3^9]
    chosen = moved.argmin(axis=0)
    return SymmetryTables(moved.min(axis=0).astype(np.int32), images[chosen].astype(np.int8))


def no_symmetry() -> SymmetryTables:
    """Tables of the same shape in which every position stands for itself."""
    return SymmetryTables(
        np.arange(CODES, dtype=np.int32), np.tile(np.arange(9, dtype=np.int8), (CODES, 1))
    )
