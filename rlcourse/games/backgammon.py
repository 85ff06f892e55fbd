"""Backgammon without the doubling cube: positions in lock-step, their afterstates, the 198 units.

Both players move from their own 24-point down to 1 and off. Points are the first player's: 1 for a
single game, 2 for a gammon, 3 for a backgammon. The dice are part of a position. A move is a whole
turn and is chosen by the position it leads to.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcourse.errors import BadType, BadValue
from rlcourse.games import backgammon_kernels as kernels
from rlcourse.games.backgammon_state import NOT_THROWN, START, BackgammonState, parse_recipe
from rlcourse.games.backgammon_text import Move, board_of_id, position_id
from rlcourse.games.game import Game, GameOver, IllegalMove
from rlcourse.games.lockstep import Lockstep

UNITS = 198
START_ARRAYS = {
    "checkers": START,
    "to_play": np.zeros((), np.int8),
    "dice": np.zeros(2, np.int8),
    "done": np.zeros((), np.bool_),
    "points": np.zeros((), np.float32),
}

__all__ = [
    "BackgammonBatch",
    "BackgammonState",
    "Move",
    "START",
    "UNITS",
    "board_of_id",
    "make_game",
    "outcomes",
    "position_id",
    "units",
]


def units(
    checkers: np.ndarray, first_view: np.ndarray | int, roller: np.ndarray | int
) -> np.ndarray:
    """[M, 198] float32: the inputs of TD-Gammon. Tesauro (1995); Sutton & Barto (2018) sec. 16.1.

    checkers [M, 2, 26]. first_view [M] (or one number for all): the player whose 98 units come
    first; the opponent's 98 follow. A player has four units for each own point from 1 to 24
    (exactly one checker; two or more; exactly three; (n - 3)/2 beyond three), then checkers on the
    bar / 2 and checkers borne off / 15. The last two units are (1, 0) if the player whose units
    come first rolls next, else (0, 1). roller [M]: the player who rolls next.
    """
    checkers = np.asarray(checkers)
    if checkers.ndim != 3 or checkers.shape[1:] != (2, 26):
        raise BadValue(f"units wants checkers [M, 2, 26]; got {checkers.shape}")
    out = np.empty((len(checkers), UNITS), np.float32)
    views = np.broadcast_to(np.asarray(first_view, np.int8), len(checkers))
    rollers = np.broadcast_to(np.asarray(roller, np.int8), len(checkers))
    kernels.encode(
        np.ascontiguousarray(checkers, np.int8),
        np.ascontiguousarray(views),
        np.ascontiguousarray(rollers),
        out,
    )
    return out


def outcomes(checkers: np.ndarray) -> np.ndarray:
    """[M] int8: the first player's points on boards [M, 2, 26], 0 while the game runs."""
    out = np.empty(len(checkers), np.int8)
    kernels.results(np.ascontiguousarray(checkers, np.int8), out)
    return out


class BackgammonBatch(Lockstep):
    """N positions in lock-step; see `rlcourse.games.AfterstateBatch`.

    checkers [N, 2, 26] int8, dice [N, 2] int8 (0, 0 before the throw). Read the arrays, and write
    them with `load` and `step`. The afterstates of a row are cached until the batch changes.
    """

    checkers: np.ndarray
    dice: np.ndarray

    def __init__(self, n: int) -> None:
        super().__init__("backgammon", START_ARRAYS, n)
        self._boards = np.empty((kernels.MOST_PLAYS, 2, 26), np.int8)
        self._starts, self._counts = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._cached, self._used = np.zeros(n, np.bool_), 0

    def roll(self, rng: np.random.Generator) -> None:
        """Throw the dice of every running row whose dice are due.

        The first throw of a game is never a double.
        """
        rows = np.flatnonzero((self.dice[:, 0] == 0) & ~self.done)
        if len(rows):
            # 1080 = 30 * 36 is a multiple of the 30 opening throws and of the 36 ordinary ones.
            kernels.throw_dice(
                self.checkers, rows, START, rng.integers(0, 1080, len(rows)), self.dice
            )
            self._clear_cache()

    def counts(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R] int64: how many afterstates those rows (default: all) have.

        0 in a finished game, 1 for a pass. Raises IllegalMove if a row's dice are not thrown.
        """
        rows = self._rows(rows)
        self._generate(rows)
        return self._counts[rows]

    def afterstate_boards(self, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(checkers [M, 2, 26] int8, offsets [R+1]): the boards after every legal move.

        Rows and offsets are those of `afterstates`.
        """
        boards, offsets = self._afterstate_indices(self._rows(rows))
        return self._boards[boards], offsets

    def afterstates(self, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(features [M, 198] float32, offsets [R+1]): the units of every afterstate.

        The point of view is that of the player who rolls *next*. Row r owns
        features[offsets[r]:offsets[r+1]], in the order of `state.legal_moves()`. Raises like
        `counts`.
        """
        rows = self._rows(rows)
        boards, offsets = self.afterstate_boards(rows)
        roller = np.repeat(1 - self.to_play[rows], np.diff(offsets))
        return units(boards, roller, roller), offsets

    def step(self, choice: np.ndarray) -> None:
        """Play `choice` [N], an index into the row's own afterstates; -1 skips a row.

        Raises IllegalMove or GameOver before any row has changed.
        """
        choice = self._one_each(choice, "step wants", "choice")
        rows = np.flatnonzero(choice != -1)
        if self.done[rows].any():
            raise GameOver(
                f"game {rows[self.done[rows]][0]} of the batch: nothing can be moved, the game is "
                "over"
            )
        self._generate(rows)
        bad = rows[(choice[rows] < 0) | (choice[rows] >= self._counts[rows])]
        if len(bad):
            count = self._counts[bad[0]]
            raise IllegalMove(
                f"game {bad[0]} of the batch: {choice[bad[0]]} is not one of its afterstates, 0 to "
                f"{count - 1}"
            )
        chosen = np.full(len(self), -1, np.int64)
        chosen[rows] = self._starts[rows] + choice[rows]
        kernels.play_boards(
            self.checkers, self.to_play, self.dice, self.done, self.points, self._boards, chosen
        )
        self._clear_cache()

    def reset(self, rows: np.ndarray | None = None) -> None:
        """Restart the games in those rows (default: all), before the first throw."""
        super().reset(rows)
        self._clear_cache()

    def state(self, row: int) -> BackgammonState:
        """One row as a position, with its dice if they have been thrown."""
        dice = (int(self.dice[row, 0]), int(self.dice[row, 1]))
        return BackgammonState._of(
            self.checkers[row], int(self.to_play[row]), dice, int(self.points[row])
        )

    def load(self, row: int, state: BackgammonState) -> None:
        """Put a position into a row. Raises ValueError for a position of another game."""
        if not isinstance(state, BackgammonState):
            raise BadValue(f"a batch of backgammon cannot hold {state!r}")
        self.checkers[row], self.to_play[row], self.dice[row] = (
            state.checkers,
            state.next_player,
            state.dice,
        )
        self.done[row], self.points[row] = state.is_over(), state.points
        self._clear_cache()

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        super().restore(arrays)
        self._clear_cache()

    def _clear_cache(self) -> None:
        self._cached[:] = False
        self._used = 0

    def _generate(self, rows: np.ndarray) -> None:
        """Write the afterstates of these rows into `_boards`, unless they are there already."""
        missing = rows[~self._cached[rows]]
        finished = self.done[missing]
        self._counts[missing[finished]] = 0
        missing = missing[~finished]
        if waiting := missing[self.dice[missing, 0] == 0].tolist():
            raise IllegalMove(
                f"game {waiting[0]} of the batch waits for its dice: call roll(rng) first"
            )
        done = 0
        while done < len(missing):
            done, self._used = kernels.generate(
                self.checkers,
                self.to_play,
                self.dice,
                missing,
                done,
                self._boards,
                self._starts,
                self._counts,
                self._used,
            )
            # The kernel stops where the next row might not fit: double the buffer and resume.
            if done < len(missing):
                self._boards = np.concatenate([self._boards, np.empty_like(self._boards)])
        self._cached[rows] = True

    def _afterstate_indices(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(indices into `_boards` [M], offsets [R+1]) of the afterstates, row after row."""
        self._generate(rows)
        counts = self._counts[rows]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        shifts = np.repeat(self._starts[rows] - offsets[:-1], counts)
        return np.arange(offsets[-1]) + shifts, offsets


def _throw(state: BackgammonState, rng: np.random.Generator) -> BackgammonState:
    """`Game.throw`: the position with its dice thrown, or unchanged if no throw is due."""
    if state.is_over() or state.dice != NOT_THROWN:
        return state
    dice = np.zeros((1, 2), np.int8)
    kernels.throw_dice(
        state.checkers[None], np.zeros(1, np.int64), START, rng.integers(0, 1080, 1), dice
    )
    return state.with_dice(*dice[0].tolist())


def _action(move: Any) -> int:
    raise BadType(
        "in backgammon an action is an index into the moves of its position: "
        "state.legal_moves().index(move)"
    )


def _move(state: BackgammonState, action: int) -> Move:
    """`Game.move`: the legal move of that index. Raises IllegalMove."""
    moves = state.legal_moves()
    if not 0 <= action < len(moves):
        raise IllegalMove(f"{action} is not one of the {len(moves)} legal moves of this position")
    return moves[action]


def make_game() -> Game:
    """The descriptor that `get_game("backgammon")` returns."""
    return Game(
        name="backgammon",
        num_actions=None,
        board=(2, 12),
        new_game=lambda: BackgammonState(START),
        new_batch=BackgammonBatch,
        action=_action,
        move=_move,
        parse=parse_recipe,
        opening=0,  # the dice make games different
        throw=_throw,
    )
