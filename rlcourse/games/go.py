"""Go on boards from 2 x 2 to 19 x 19, by the Tromp-Taylor rules (1995) without suicide.

These are positional superko, area scoring with komi, and two passes that end the game. The actions
are the points row by row from the top left as printed (A5 is 0 on 5 x 5), then the pass. After
4 * size^2 plies a game is scored as it stands and counts as truncated.
"""

import itertools
import math
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from rlcourse.errors import BadValue
from rlcourse.games import go_kernels as kernels
from rlcourse.games.game import Game, IllegalMove, Symmetry, UnknownGame
from rlcourse.games.go_board import LETTERS, Board, GoString, Move, Player, Point, is_point_an_eye
from rlcourse.games.go_state import GoState, action_at, go_position, move_of, parse
from rlcourse.games.grid import GridBatch, cell_symmetries
from rlcourse.games.lockstep import Lockstep

GameState = GoState  # the book's name
__all__ = [
    "Board",
    "GameState",
    "GoBatch",
    "GoState",
    "GoString",
    "Move",
    "Player",
    "Point",
    "go_position",
    "is_point_an_eye",
    "make_game",
]


@dataclass(frozen=True, eq=False)
class GoRules:
    """Size and komi; two rules are equal if these are.

    around [P, 8] uint16: each point's four neighbours, then its four corners; P if off the board.
    start: the arrays of one game before its first move.
    """

    board: tuple[int, int]
    komi: float
    labels: tuple[str, ...]
    around: np.ndarray
    start: Mapping[str, np.ndarray]
    name: str = "go"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GoRules) and (self.board, self.komi) == (other.board, other.komi)

    def __hash__(self) -> int:
        return hash((self.board, self.komi))

    @property
    def num_actions(self) -> int:
        """A = H * W + 1, pass last."""
        return self.board[0] * self.board[1] + 1

    @cached_property
    def lines(self) -> np.ndarray:
        """[P] uint8: steps from each point to the edge of the board."""
        height, width = self.board
        row, column = np.divmod(np.arange(height * width), width)
        across = np.minimum(column, width - 1 - column)
        return np.minimum(np.minimum(row, height - 1 - row), across).astype(np.uint8)

    @property
    def options(self) -> dict[str, Any]:
        """As for get_game."""
        return {"size": self.board[0], "komi": self.komi}


class GoBatch(GridBatch):
    """N games of Go in lock-step; see `rlcourse.games.Batch`, and `go_kernels` for two arrays.

    cells [N, P] int8 (read only): 0 empty, 1 black, 2 white. ply [N] int32: plies played.
    moves [N, 4P] int16: the actions. root [N, P+1] int8: the initial cells, then the player who
    moved first.
    """

    # Go shares how a batch is stepped with the grid games; its rules, cells and positions differ.
    rules: GoRules  # type: ignore[assignment]
    board: np.ndarray
    hashes: np.ndarray
    moves: np.ndarray
    ply: np.ndarray
    root: np.ndarray

    def __init__(self, rules: GoRules, n: int) -> None:
        Lockstep.__init__(self, rules.name, rules.start, n)
        self.rules = rules

    @property
    def cells(self) -> np.ndarray:  # type: ignore[override]
        """[N, P] int8, a copy."""
        return self.board[:, kernels.CELL, :-1].astype(np.int8)

    def legal(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R, A] bool: the legal actions of those rows (default: all); none in a finished game."""
        return self._mask(rows, False)

    def sensible(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R, A] bool: the legal actions that fill none of the player's own eyes.

        A pass is sensible only if no other action is.
        """
        return self._mask(rows, True)

    def state(self, row: int) -> "GoState":  # type: ignore[override]
        """One row as a position, with the game that led to it."""
        return GoState(self._single(row))

    def load(self, row: int, state: "GoState") -> None:  # type: ignore[override]
        """Put a position, with the game that led to it, into a row.

        Raises ValueError for a position of another game.
        """
        if not isinstance(state, GoState) or state._game.rules != self.rules:
            raise BadValue(
                f"a batch of go (size={self.rules.board[0]}, komi={self.rules.komi:g}) cannot hold "
                f"{state!r}"
            )
        for name, array in self._fields().items():
            array[row] = getattr(state._game, name)[0]

    def replay(  # type: ignore[override]
        self, roots: "GoBatch", actions: np.ndarray, lengths: np.ndarray
    ) -> None:
        """Row i becomes row i of `roots` after the first `lengths[i]` of `actions[i]`.

        actions [N, D], lengths [N] in [0, D]. Raises ValueError for wrong shapes, IllegalMove for
        an illegal action (this batch is then half replayed).
        """
        if roots.rules != self.rules:
            raise BadValue(
                f"replay wants roots of the same game and size as this batch of {len(self)} go"
            )
        super().replay(roots, actions, lengths)

    def plies(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R] int32: plies played in those rows (default: all) since the start or the set-up."""
        return self.ply[self._rows(rows)]

    def playouts(self, seeds: np.ndarray, *, threads: int = 1) -> np.ndarray:
        """[N] float32: the first player's points after one random game from each row.

        The rows do not change. Each ply is uniform over the sensible actions. seeds [N] integers:
        equal seeds give equal games for any number of `threads`.
        """
        seeds = self._one_each(seeds, "playouts want", "seed").astype(np.uint64)
        out = np.empty(len(self), np.float32)

        def play_rows(rows: slice) -> None:
            """Play out these rows into `out`."""
            kernels.playouts(
                self.board[rows],
                self.hashes[rows],
                self.moves[rows],
                self.ply[rows],
                self.to_play[rows],
                self.done[rows],
                self.points[rows],
                self.rules.around,
                float(self.rules.komi),
                seeds[rows],
                out[rows],
            )

        if threads == 1:
            play_rows(slice(None))
            return out
        # The kernels release Python's lock, so threads share the rows without copying them.
        cuts = np.linspace(0, len(self), threads + 1).astype(int).tolist()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play_rows, itertools.starmap(slice, itertools.pairwise(cuts))))
        return out

    def boards(self, rows: np.ndarray | None = None, count: int = 8) -> np.ndarray:
        """[R, count, P] int8: the last `count` boards, newest first; 0 before the first board."""
        rows = self._rows(rows)
        out = np.empty((len(rows), count, self.rules.num_actions - 1), np.int8)
        kernels.past_boards(self.root, self.moves, self.ply, rows, self.rules.around, out)
        return out

    def liberties(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R, P] int16: the number of liberties of the group on each point, 0 on empty points."""
        rows = self._rows(rows)
        out = np.empty((len(rows), self.rules.num_actions - 1), np.int16)
        kernels.liberties(self.board, rows, self.rules.around, out)
        return out

    def forbidden_by_ko(self, rows: np.ndarray | None = None) -> np.ndarray:
        """[R, P] bool: the points where only superko forbids the player to move to play."""
        rows = self._rows(rows)
        out = np.empty((len(rows), self.rules.num_actions - 1), np.bool_)
        kernels.repeats(
            self.board, self.hashes, self.rules.around, self.to_play, self.done, rows, out
        )
        return out

    def _mask(self, rows: np.ndarray | None, sensible: bool) -> np.ndarray:
        rows = self._rows(rows)
        out = np.empty((len(rows), self.rules.num_actions), np.bool_)
        kernels.legal(
            self.board, self.hashes, self.rules.around, self.to_play, self.done, rows, sensible, out
        )
        return out

    def _allows(self, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        out = np.empty(len(rows), np.bool_)
        actions = actions.astype(np.int64)
        kernels.allows(
            self.board, self.hashes, self.rules.around, self.to_play, self.done, rows, actions, out
        )
        return out

    def _play(self, actions: np.ndarray, lengths: np.ndarray) -> None:
        row = kernels.play(
            self.board,
            self.hashes,
            self.moves,
            self.ply,
            self.to_play,
            self.done,
            self.truncated,
            self.points,
            self.rules.around,
            float(self.rules.komi),
            np.ascontiguousarray(actions),
            lengths,
        )
        if row >= 0:
            raise IllegalMove(
                f"game {row} of the batch: {actions[row, : lengths[row]].tolist()} holds an "
                "illegal action"
            )

    def _reason(self, row: int, action: int) -> str:
        label, board = self.rules.labels[action], self.board[row]
        colour = 1 + int(self.to_play[row])
        verdict = kernels.verdict(board, self.hashes[row], self.rules.around, action, colour)
        if verdict == kernels.OCCUPIED:
            owner = ("?", "black", "white")[board[kernels.CELL, action]]
            return f"{label} is occupied by {owner}"
        if verdict == kernels.SUICIDE:
            return f"{label} would be suicide: the stone would have no liberty"
        return f"{label} is forbidden by superko: the board would be as it has been before"

    def _single(self, row: int) -> "GoBatch":
        """A batch of one game with a copy of that row."""
        single = GoBatch(self.rules, 0)
        for name, array in self._fields().items():
            setattr(single, name, array[[row]])
        return single


def make_game(size: int = 5, komi: float = 7.5) -> Game:
    """The descriptor that `get_game("go", size=5, komi=7.5)` returns.

    size from 2 to 19; komi, White's compensation, in steps of 0.5. Raises UnknownGame.
    """
    if isinstance(size, bool) or not isinstance(size, int) or not 2 <= size <= 19:
        raise UnknownGame(f"go is played on boards of size 2 to 19; got size={size!r}")
    number = isinstance(komi, int | float) and not isinstance(komi, bool)
    if not number or not abs(komi) <= 400 or (2 * komi) % 1:
        raise UnknownGame(
            "komi is what White gets for moving second, a whole or half number such as 7.5; got "
            f"komi={komi!r}"
        )
    # 7 and 7.0 are the same game, and its recipe says "komi=7".
    return _make_game(size, int(komi) if komi == math.floor(komi) else float(komi))


@lru_cache(maxsize=64)
def _make_game(size: int, komi: float) -> Game:
    rules = _make_rules(size, komi)
    images = cell_symmetries(rules.board, square=True)
    return Game(
        name="go",
        num_actions=rules.num_actions,
        board=rules.board,
        new_game=lambda: GoState(GoBatch(rules, 1)),
        new_batch=lambda n: GoBatch(rules, n),
        action=lambda move: action_at(rules, move),
        move=lambda state, action: move_of(rules, state, action),
        parse=lambda body: parse(GoState(GoBatch(rules, 1)), body),
        labels=rules.labels,
        symmetries=tuple(Symmetry(np.append(image, size * size), image) for image in images),
        options=rules.options,
    )


def _make_rules(size: int, komi: float) -> GoRules:
    points = size * size
    row, col = np.divmod(np.arange(points), size)
    steps = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, -1), (-1, 1), (1, 1), (1, -1))
    around = np.empty((points, 8), np.uint16)
    for k, (down, right) in enumerate(steps):
        to_row, to_col = row + down, col + right
        on_board = (0 <= to_row) & (to_row < size) & (0 <= to_col) & (to_col < size)
        around[:, k] = np.where(on_board, to_row * size + to_col, points)
    plies = 4 * points
    # At most 80% of the table is ever filled, so that open addressing stays short.
    table = 2 ** math.ceil(math.log2(1.25 * (plies + 1)))
    start = {
        "board": np.zeros((5, points + 1), np.uint16),
        "hashes": np.zeros(points + 1 + table, np.uint64),
        "moves": np.zeros(plies, np.int16),
        "ply": np.zeros((), np.int32),
        "to_play": np.zeros((), np.int8),
        "done": np.zeros((), np.bool_),
        "truncated": np.zeros((), np.bool_),
        "points": np.zeros((), np.float32),
        "root": np.zeros(points + 1, np.int8),
    }
    start["board"][kernels.CELL, points] = kernels.EDGE
    start["board"][kernels.HEAD] = kernels.NONE
    kernels.set_up(start["board"], start["hashes"], around, start["root"][:-1])
    labels = tuple(f"{LETTERS[a % size]}{size - a // size}" for a in range(points)) + ("pass",)
    return GoRules((size, size), komi, labels, around, start)
