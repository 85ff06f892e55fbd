"""Backgammon by the real rules, without the doubling cube: positions in lock-step, their afterstates, and the 198 units.

Players move from their own 24-point down to 1 and off. Points: 1 a single game, 2 a gammon, 3 a backgammon, the first
player's. The dice are part of a position; a move is the whole turn and is chosen by the position that it leads to.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcourse.games import backgammon_kernels as kernels
from rlcourse.games.backgammon_state import NOT_THROWN, START, BackgammonState, parse_recipe
from rlcourse.games.backgammon_text import Move, board_of_id, position_id
from rlcourse.games.game import Game, GameOver, IllegalMove

UNITS = 198

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

    checkers [M, 2, 26]. first_view [M] (or one number for all): the player whose 98 units come first; the other's 98
    follow. Each player's are: four for each own point from 1 to 24 (exactly one checker; two or more; exactly three;
    (n - 3)/2 beyond three), checkers on the bar / 2, checkers borne off / 15. The last two units are (1, 0) if the player
    who comes first rolls next, else (0, 1). roller [M]: who rolls next.
    """
    checkers = np.asarray(checkers)
    if checkers.ndim != 3 or checkers.shape[1:] != (2, 26):
        raise ValueError(f"units wants checkers [M, 2, 26]; got {checkers.shape}")
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
    """[M] int8: the first player's points on boards [M, 2, 26]: +-1, +-2 a gammon, +-3 a backgammon, 0 while they run."""
    out = np.empty(len(checkers), np.int8)
    kernels.results(np.ascontiguousarray(checkers, np.int8), out)
    return out


class BackgammonBatch:
    """N positions in lock-step; see `rlcourse.games.AfterstateBatch`. Its arrays are to be read; `load` and `step` write.

    checkers [N, 2, 26] int8, dice [N, 2] int8 (0, 0 before the throw). The afterstates of a row are generated once and kept
    until the batch changes.
    """

    def __init__(self, n: int) -> None:
        if n < 0:
            raise ValueError(f"a batch has 0 or more games, not {n}")
        self.checkers = np.tile(START, (n, 1, 1))
        self.to_play = np.zeros(n, np.int8)
        self.dice = np.zeros((n, 2), np.int8)
        self.done = np.zeros(n, np.bool_)
        self.points = np.zeros(n, np.float32)
        self._boards = np.empty((kernels.MOST_PLAYS, 2, 26), np.int8)
        self._starts, self._counts = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._known, self._used = np.zeros(n, np.bool_), 0

    def __len__(self) -> int:
        return len(self.done)

    def roll(self, rng: np.random.Generator) -> None:
        """Throw the dice of every running row that waits for them. A throw in the starting position is no double."""
        rows = np.flatnonzero((self.dice[:, 0] == 0) & ~self.done)
        if len(rows):
            kernels.throw_dice(
                self.checkers, rows, START, rng.integers(0, 1080, len(rows)), self.dice
            )
            self._forget()

    def counts(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R] int64: how many afterstates those rows (default: all) have; 0 in a finished game, 1 for a turn that passes.

        Raises IllegalMove for a row whose dice have not been thrown.
        """
        rows = self._rows(rows)
        self._generate(rows)
        return self._counts[rows]

    def afterstate_boards(self, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(checkers [M, 2, 26] int8, offsets [R+1]): the boards after every legal move of those rows, as in `afterstates`."""
        chosen, offsets = self._chosen(self._rows(rows))
        return self._boards[chosen], offsets

    def afterstates(self, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(features [M, 198] float32, offsets [R+1]): the units of every afterstate, seen by the player who rolls *next*.

        Row r owns features[offsets[r]:offsets[r+1]], in the order of `state.legal_moves()`. Raises as `counts`.
        """
        rows = self._rows(rows)
        boards, offsets = self.afterstate_boards(rows)
        roller = np.repeat(1 - self.to_play[rows], np.diff(offsets))
        return units(boards, roller, roller), offsets

    def step(self, choice: np.ndarray) -> None:
        """Play `choice` [N], an index into the row's own afterstates; -1 leaves a row alone.

        Raises IllegalMove or GameOver before anything is played.
        """
        choice = np.asarray(choice)
        if choice.shape != self.done.shape or choice.dtype.kind not in "iu":
            raise ValueError(
                f"step wants {len(self)} integers, one choice a game; got {choice.dtype} {choice.shape}"
            )
        rows = np.flatnonzero(choice != -1)
        if self.done[rows].any():
            raise GameOver(
                f"game {rows[self.done[rows]][0]} of the batch: nothing can be moved, the game is over"
            )
        self._generate(rows)
        bad = rows[(choice[rows] < 0) | (choice[rows] >= self._counts[rows])]
        if len(bad):
            count = self._counts[bad[0]]
            raise IllegalMove(
                f"game {bad[0]} of the batch: {choice[bad[0]]} is not one of its afterstates, 0 to {count - 1}"
            )
        chosen = np.full(len(self), -1, np.int64)
        chosen[rows] = self._starts[rows] + choice[rows]
        kernels.play_boards(
            self.checkers, self.to_play, self.dice, self.done, self.points, self._boards, chosen
        )
        self._forget()

    def reset(self, rows: np.ndarray | None = None) -> None:
        """Put those rows (default: all) back to the start of the game, before the first throw."""
        rows = self._rows(rows)
        self.checkers[rows] = START
        for array in (self.to_play, self.dice, self.done, self.points):
            array[rows] = 0
        self._forget()

    def state(self, row: int) -> BackgammonState:
        """One row as a position, with its dice if they have been thrown."""
        dice = (int(self.dice[row, 0]), int(self.dice[row, 1]))
        return BackgammonState._of(
            self.checkers[row], int(self.to_play[row]), dice, int(self.points[row])
        )

    def load(self, row: int, state: BackgammonState) -> None:
        """Put a position into a row. Raises ValueError for a position of another game."""
        if not isinstance(state, BackgammonState):
            raise ValueError(f"a batch of backgammon cannot hold {state!r}")
        self.checkers[row], self.to_play[row], self.dice[row] = (
            state.checkers,
            state.next_player,
            state.dice,
        )
        self.done[row], self.points[row] = state.is_over(), state.points
        self._forget()

    def arrays(self) -> dict[str, np.ndarray]:
        """Copies of everything that makes up the batch, dice included, for checkpoints; `restore` takes them back."""
        return {name: array.copy() for name, array in self._fields().items()}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Take the arrays of a batch of equal size. Raises ValueError when they do not fit, changing nothing."""
        fields = self._fields()
        if set(arrays) != set(fields) or any(
            np.shape(arrays[name]) != array.shape for name, array in fields.items()
        ):
            raise ValueError(
                f"these are not the arrays of a batch of {len(self)} games of backgammon: {', '.join(fields)}"
            )
        for name, array in fields.items():
            array[...] = arrays[name]
        self._forget()

    def _fields(self) -> dict[str, np.ndarray]:
        names = ("checkers", "to_play", "dice", "done", "points")
        return {name: getattr(self, name) for name in names}

    def _rows(self, rows: np.ndarray | None) -> np.ndarray:
        return np.arange(len(self)) if rows is None else np.asarray(rows, np.int64)

    def _forget(self) -> None:
        self._known[:] = False
        self._used = 0

    def _generate(self, rows: np.ndarray) -> None:
        """Make sure that the afterstates of these rows are in `_boards`."""
        missing = rows[~self._known[rows]]
        finished = self.done[missing]
        self._counts[missing[finished]] = 0
        missing = missing[~finished]
        if waiting := missing[self.dice[missing, 0] == 0].tolist():
            raise IllegalMove(
                f"game {waiting[0]} of the batch waits for its dice: call roll(rng) first"
            )
        done = 0
        while done < len(missing):
            args = (
                self.checkers,
                self.to_play,
                self.dice,
                missing,
                done,
                self._boards,
                self._starts,
                self._counts,
            )
            done, self._used = kernels.generate(*args, self._used)
            if done < len(missing):
                self._boards = np.concatenate([self._boards, np.empty_like(self._boards)])
        self._known[rows] = True

    def _chosen(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(indices into `_boards` [M], offsets [R+1]) of the afterstates of those rows, row after row."""
        self._generate(rows)
        counts = self._counts[rows]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        return np.arange(offsets[-1]) + np.repeat(
            self._starts[rows] - offsets[:-1], counts
        ), offsets


def _throw(state: BackgammonState, rng: np.random.Generator) -> BackgammonState:
    """`Game.throw`: the position with its dice thrown; unchanged where none are due."""
    if state.is_over() or state.dice != NOT_THROWN:
        return state
    dice = np.zeros((1, 2), np.int8)
    kernels.throw_dice(
        state.checkers[None], np.zeros(1, np.int64), START, rng.integers(0, 1080, 1), dice
    )
    return state.with_dice(*dice[0].tolist())


def _action(move: Any) -> int:
    raise TypeError(
        "in backgammon an action is an index into the moves of its position: state.legal_moves().index(move)"
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
