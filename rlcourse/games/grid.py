"""Grid games in lock-step, and their descriptor; one position is in `grid_state`.

A cell is int8: 0 empty, 1 the first player's, 2 the second player's. Cells are numbered row by row
from the top left, as printed. A game supplies one `Rules` record with its kernels; positions and
batches call the same kernels.
"""

from collections.abc import Iterable

import numpy as np

from rlcourse.errors import BadValue
from rlcourse.games.game import Game, GameOver, IllegalMove, Symmetry
from rlcourse.games.grid_state import (
    GridState,
    Rules,
    action_of,
    move_of,
    parse_cells,
    start_of,
)
from rlcourse.games.lockstep import Lockstep

# What a game's own module, and what looks at its positions, takes from here.
__all__ = ["GridBatch", "GridState", "Rules", "cell_symmetries", "grid_game"]


class GridBatch(Lockstep):
    """N positions of a grid game in lock-step; see `rlcourse.games.Batch`. cells [N, H*W] int8."""

    cells: np.ndarray
    truncated: np.ndarray

    def __init__(self, rules: Rules, n: int) -> None:
        super().__init__(rules.name, rules.start, n)
        self.rules = rules

    def legal(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R, A] bool: the legal actions of those rows (default: all); none in a finished game."""
        chosen = slice(None) if rows is None else rows
        cells, done = self.cells[chosen], self.done[chosen]
        out = np.zeros((len(cells), self.rules.num_actions), np.bool_)
        self.rules.legal(cells, done, out)
        return out

    sensible = legal

    def step(self, actions: np.ndarray) -> None:
        """Play `actions` [N]; -1 skips a row.

        Raises IllegalMove or GameOver before any row has changed.
        """
        actions = self._one_each(actions, "step wants", "action")
        rows = np.flatnonzero(actions != -1)
        chosen = actions[rows]
        # Numbers that are no actions must not reach the kernel as indices.
        exists = (chosen >= 0) & (chosen < self.rules.num_actions)
        allowed = exists & self._allows(rows, np.where(exists, chosen, 0))
        if not allowed.all():
            bad = int(np.flatnonzero(~allowed)[0])
            self._refuse(int(rows[bad]), int(chosen[bad]))
        self._play(actions[:, None].astype(np.int64), (actions != -1).astype(np.int64))

    def state(self, row: int) -> GridState:
        """One row as a position."""
        over, points = bool(self.done[row]), int(self.points[row])
        return GridState(
            self.rules, self.cells[row].tobytes(), int(self.to_play[row]), over, points
        )

    def load(self, row: int, state: GridState) -> None:
        """Put a position into a row. Raises ValueError for a position of another game."""
        if not isinstance(state, GridState) or state.game != self.rules.name:
            raise BadValue(f"a batch of {self.rules.name} cannot hold {state!r}")
        self.cells[row] = np.frombuffer(state.cells, np.int8)
        self.to_play[row], self.done[row] = state.next_player, state.is_over()
        self.truncated[row], self.points[row] = False, state.points

    def take(self, rows: np.ndarray) -> "GridBatch":
        """A batch of its own with copies of those rows [R]."""
        other = type(self)(self.rules, len(rows))
        other.restore({name: array[rows] for name, array in self._fields().items()})
        return other

    def replay(self, roots: "GridBatch", actions: np.ndarray, lengths: np.ndarray) -> None:
        """Row i becomes row i of `roots` after the first `lengths[i]` of `actions[i]`.

        actions [N, D], lengths [N] in [0, D]. Raises ValueError for wrong shapes, IllegalMove for
        an illegal action (this batch is then half replayed).
        """
        if len(roots) != len(self) or roots.rules.name != self.rules.name:
            raise BadValue(
                f"replay wants roots of the same game and size as this batch of {len(self)} "
                f"{self.rules.name}"
            )
        actions, lengths = np.asarray(actions), np.asarray(lengths)
        fits = actions.ndim == 2 and len(actions) == len(self) and lengths.shape == (len(self),)
        if not fits or {actions.dtype.kind, lengths.dtype.kind} - set("iu"):
            raise BadValue(
                f"replay wants integers, actions [{len(self)}, D] and lengths [{len(self)}]; "
                f"got {actions.dtype} {actions.shape} and {lengths.dtype} {lengths.shape}"
            )
        if lengths.size and not 0 <= lengths.min() <= lengths.max() <= actions.shape[1]:
            raise BadValue(
                f"replay wants actions [{len(self)}, D] and lengths [{len(self)}] from 0 to D = "
                f"{actions.shape[1]}; "
                f"got lengths from {lengths.min()} to {lengths.max()}"
            )
        for name, array in roots._fields().items():
            getattr(self, name)[...] = array
        self._play(actions.astype(np.int64, copy=False), lengths.astype(np.int64, copy=False))

    def plies(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R] integers: plies played in those rows (default: all) since the start of the game."""
        return (self.cells[slice(None) if rows is None else rows] != 0).sum(axis=1)

    def playouts(self, seeds: np.ndarray) -> np.ndarray:
        """[N] float32: the first player's points after one random game from each row.

        The rows do not change. Each ply is uniform over the legal actions. seeds [N] integers:
        equal seeds give equal games.
        """
        seeds = self._one_each(seeds, "playouts want", "seed")
        out = np.empty(len(self), np.float32)
        self.rules.playouts(
            self.cells, self.to_play, self.done, self.points, seeds.astype(np.uint64), out
        )
        return out

    def _play(self, actions: np.ndarray, lengths: np.ndarray) -> None:
        row = self.rules.play(self.cells, self.to_play, self.done, self.points, actions, lengths)
        if row >= 0:
            raise IllegalMove(
                f"game {row} of the batch: {actions[row, : lengths[row]].tolist()} holds an "
                "illegal action"
            )

    def _refuse(self, row: int, action: int) -> None:
        prefix = f"game {row} of the batch: "
        if not 0 <= action < self.rules.num_actions:
            raise IllegalMove(
                f"{prefix}{action} is not an action; actions are 0 to {self.rules.num_actions - 1}"
            )
        if self.done[row]:
            raise GameOver(
                f"{prefix}{self.rules.labels[action]} cannot be played: the game is over"
            )
        raise IllegalMove(prefix + self._reason(row, action))

    def _allows(self, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        return self.legal(rows)[np.arange(len(rows)), actions]

    def _reason(self, row: int, action: int) -> str:
        return self.rules.reason(self.cells[row], action)


def cell_symmetries(board: tuple[int, int], *, square: bool) -> list[np.ndarray]:
    """The symmetries of a grid as images of the cells [H*W].

    square: all eight symmetries; otherwise the identity and the left-right mirror image.
    """
    numbers = np.arange(board[0] * board[1]).reshape(board)
    views = [numbers, numbers[:, ::-1]]
    if square:
        views = [np.rot90(view, turns) for view in views for turns in range(4)]
    # argsort inverts a permutation: from the cell seen at each place to the place of each cell.
    return [np.argsort(view.ravel()) for view in views]


def grid_game(rules: Rules, symmetries: Iterable[Symmetry], *, opening: int = 2) -> Game:
    """The descriptor of the game with these rules, as `get_game` returns it; see `Game`."""
    return Game(
        name=rules.name,
        num_actions=rules.num_actions,
        board=rules.board,
        new_game=lambda: start_of(rules),
        new_batch=lambda n: GridBatch(rules, n),
        action=action_of(rules),
        move=move_of,
        parse=lambda body: parse_cells(rules, body),
        labels=rules.labels,
        symmetries=tuple(symmetries),
        opening=opening,
    )
