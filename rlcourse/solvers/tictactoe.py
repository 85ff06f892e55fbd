"""Tic-tac-toe as a table of 3^9 codes: every transition, every exact value.

The code of a position is the sum of cell * 3^square (cell 0 empty, 1 first player's, 2 second's; square 0 top left), so the
empty board is 0. Of 19,683 codes 5,478 are positions that can arise: 958 of them are finished, 4,520 are decisions.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rlcourse.games import get_game, sign_of

CODES = 3**9
POWERS = 3 ** np.arange(9)


class TicTacToeTables(NamedTuple):
    """The rules as arrays over the codes. Unreachable codes have reachable False and -1 successors.

    cells [3^9, 9] int8; reachable, done [3^9] bool; points [3^9] int8, first player's; to_play [3^9] int8, 0 or 1;
    ply [3^9] int8, stones on the board; successor [3^9, 9] int32, the code after that action, -1 where it is illegal.
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
        """[4520] int64: the codes in which somebody has to move, ascending."""
        return np.flatnonzero(self.reachable & ~self.done)


class TicTacToeSolution(NamedTuple):
    """Exact values over the codes, for the player to move.

    value [3^9] float64: of the position under perfect play (0 where unreachable). q [3^9, 9] float64: of each action, NaN
    where it is illegal. best [3^9, 9] bool: the actions whose q equals the value.
    """

    value: np.ndarray
    q: np.ndarray
    best: np.ndarray


class SymmetryTables(NamedTuple):
    """Each position beside the one that stands for all its images under the eight symmetries.

    canonical [3^9] int32: the smallest code among the images. action [3^9, 9] int8: where each square goes on the way there.
    """

    canonical: np.ndarray
    action: np.ndarray


def codes_of(cells: np.ndarray) -> np.ndarray:
    """[R] int64: the codes of positions given as cells [R, 9]."""
    return cells.astype(np.int64) @ POWERS


@lru_cache(maxsize=1)
def tables() -> TicTacToeTables:
    """The rules as arrays, made by playing every legal move from the empty board, ply by ply."""
    game = get_game("tic-tac-toe")
    cells = (np.arange(CODES)[:, None] // POWERS % 3).astype(np.int8)
    reachable, done = np.zeros(CODES, np.bool_), np.zeros(CODES, np.bool_)
    points, successor = np.zeros(CODES, np.int8), np.full((CODES, 9), -1, np.int32)
    frontier = game.new_batch(1)
    for _ in range(10):
        codes = codes_of(frontier.cells)
        reachable[codes], done[codes], points[codes] = True, frontier.done, frontier.points
        row, action = np.nonzero(frontier.legal())
        children = game.new_batch(len(row))
        children.restore({name: array[row] for name, array in frontier.arrays().items()})
        children.step(action)
        child_codes = codes_of(children.cells)
        successor[codes[row], action] = child_codes
        _, first = np.unique(child_codes, return_index=True)
        frontier = game.new_batch(len(first))
        frontier.restore({name: array[first] for name, array in children.arrays().items()})
    stones = (cells != 0).sum(axis=1).astype(np.int8)
    return TicTacToeTables(cells, reachable, done, points, stones % 2, stones, successor)


@lru_cache(maxsize=8)
def solve(gamma: float = 1.0) -> TicTacToeSolution:
    """Exact values by backward induction: q(s, a) = r for a move that ends the game, else -gamma * max q(s', .).

    gamma 1 is the game itself; a smaller one is what a learner with that discount converges to (a quicker win counts more).
    """
    rules = tables()
    value, q = np.zeros(CODES), np.full((CODES, 9), np.nan)
    sign = sign_of(rules.to_play)
    for codes, after in reversed(list(_plies())):
        of_mover = np.where(
            rules.done[after], rules.points[after] * sign[codes, None], -gamma * value[after]
        )
        q[codes] = np.where(after >= 0, of_mover, np.nan)
        value[codes] = np.nanmax(q[codes], axis=1)
    return TicTacToeSolution(value, q, q == value[:, None])


class PolicyValues(NamedTuple):
    """What two players who both follow one policy can expect, over the codes, for the player to move.

    value [3^9] float64 in [-1, 1]; q [3^9, 9] float64, NaN where the action is illegal; visits [3^9] float64: the probability
    that a game from the empty board passes through the position.
    """

    value: np.ndarray
    q: np.ndarray
    visits: np.ndarray


def evaluate_policy(policy: np.ndarray) -> PolicyValues:
    """The expected values of `policy` [3^9, 9], the probabilities of the actions in each position, by recursion.

    q(s, a) = r for a move that ends the game, else -V(s'); V(s) = sum of policy(a | s) q(s, a). Sutton & Barto (2018), eq. 3.14.
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
    """([3^9], [3^9, 9], [3^9, 9]): the mean of the lambda-return from each position, and its mean and variance after each action.

    policy [3^9, 9]: of both players. critic [3^9]: estimated values in [-1, 1]. All for the player to move; NaN where an action
    is illegal. Exact, by recursion: G(s, a) = -((1 - lam) critic(s') + lam G(s', a')), a' drawn from the policy; lam 1 is the
    return. What the lambda-return less the critic's value says about the true advantage is known with it, without any sampling.
    """
    rules = tables()
    mean, variance = np.full((CODES, 9), np.nan), np.full((CODES, 9), np.nan)
    average, spread = (
        np.zeros(CODES),
        np.zeros(CODES),
    )  # of the lambda-return of a position, over the policy's actions
    for codes, after in reversed(list(_plies())):
        sign = sign_of(rules.to_play[codes, None])
        bootstrapped = -((1 - lam) * critic[after] + lam * average[after])
        of_mover = np.where(rules.done[after], rules.points[after] * sign, bootstrapped)
        mean[codes] = np.where(after >= 0, of_mover, np.nan)
        variance[codes] = np.where(
            after >= 0, np.where(rules.done[after], 0, lam**2 * spread[after]), np.nan
        )
        legal = np.where(after >= 0, policy[codes], 0)
        average[codes] = np.nansum(legal * mean[codes], axis=1)
        spread[codes] = (
            np.nansum(legal * (variance[codes] + mean[codes] ** 2), axis=1) - average[codes] ** 2
        )
    return average, mean, variance


def _plies() -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The decisions, ply by ply from the empty board: their codes [R] and successors [R, 9], -1 where an action is illegal."""
    rules = tables()
    for ply in range(9):
        codes = np.flatnonzero(rules.reachable & ~rules.done & (rules.ply == ply))
        yield codes, rules.successor[codes]


@lru_cache(maxsize=1)
def symmetry_tables() -> SymmetryTables:
    """The canonical code of every code and the way of the squares there, from `game.symmetries`."""
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
