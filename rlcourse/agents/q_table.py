"""Players of tic-tac-toe that look their moves up in a table: Q-values of moves, or values of afterstates."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.games import Batch, Game, sign_of
from rlcourse.solvers.tictactoe import CODES, codes_of, no_symmetry, symmetry_tables, tables


class TableAgent(BatchAgent):
    """What the two tables share: they are indexed by the code of a position, or of its canonical image."""

    def __init__(
        self, game: Game, table: np.ndarray, *, symmetry: bool = False, seed: int | None = None
    ) -> None:
        if game.name != "tic-tac-toe":
            raise ValueError(f"the tables of this course are for tic-tac-toe, not {game.name}")
        if len(table) != CODES:
            raise ValueError(
                f"a table has one row for each of the {CODES} codes; this one has {len(table)}"
            )
        super().__init__(game, seed=seed)
        self.table = table
        self.symmetry = symmetry
        self.images = symmetry_tables() if symmetry else no_symmetry()

    def values(self, codes: np.ndarray) -> np.ndarray:
        """[R, 9] float64: the value of each square as the table has it, for the player to move."""
        raise NotImplementedError

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """The legal action of highest value; ties go to the lowest square."""
        codes = codes_of(batch.cells[rows])
        q = np.where(batch.legal(rows), self.values(codes), np.nan)
        action = np.nanargmax(q, axis=1)
        return Decision(action.astype(np.int32), value=q[np.arange(len(q)), action], q=q)

    def arrays(self) -> dict[str, np.ndarray]:
        """The rows of positions that can arise, and their codes."""
        codes = np.flatnonzero(tables().reachable)
        return {"codes": codes.astype(np.int32), "rows": self.table[codes].astype(np.float32)}

    def options(self) -> dict[str, Any]:
        """Whether the table is indexed by canonical positions."""
        return {"symmetry": self.symmetry}

    @classmethod
    def from_arrays(
        cls, game: Game, arrays: Mapping[str, np.ndarray], **options: Any
    ) -> "TableAgent":
        """The agent whose `arrays()` these are."""
        codes, rows = arrays["codes"], arrays["rows"]
        if (
            len(codes) != len(rows)
            or codes.dtype.kind not in "iu"
            or (len(codes) and not 0 <= codes.min() <= codes.max() < CODES)
        ):
            raise ValueError("these arrays are not a table: codes and rows do not belong together")
        table = np.zeros((CODES, *rows.shape[1:]), np.float64)
        table[codes] = rows
        return cls(game, table, **options)


class QTableAgent(TableAgent):
    """One Q-table for both players. table [3^9, 9]: values to the *first* player's account, whom the second player minimises.

    masked=False plays as the source does: the best of all nine squares, occupied ones too.
    """

    name = "q-table"

    def __init__(
        self,
        game: Game,
        table: np.ndarray,
        *,
        symmetry: bool = False,
        masked: bool = True,
        seed: int | None = None,
    ) -> None:
        super().__init__(game, table, symmetry=symmetry, seed=seed)
        self.masked = masked

    def values(self, codes: np.ndarray) -> np.ndarray:
        """The table's values with the sign of the player to move."""
        squares = np.take_along_axis(
            self.table[self.images.canonical[codes]],
            self.images.action[codes].astype(np.int64),
            axis=1,
        )
        return squares * sign_of(tables().to_play[codes][:, None])

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """The action of highest value, among the legal ones unless `masked` is False; ties go to the lowest square."""
        if self.masked:
            return super().decide(batch, rows, rng)
        q = self.values(codes_of(batch.cells[rows]))
        return Decision(q.argmax(axis=1).astype(np.int32), value=q.max(axis=1), q=q)

    def options(self) -> dict[str, Any]:
        """Symmetry and mask."""
        return {"symmetry": self.symmetry, "masked": self.masked}


class AfterstateAgent(TableAgent):
    """Values of afterstates (Sutton & Barto 2018, sec. 1.5 and 6.8). table [3^9]: of the position after a move, for the
    player *who made it*, in [-1, 1]."""

    name = "afterstates"

    def values(self, codes: np.ndarray) -> np.ndarray:
        """The value of the position that each square leads to; what stands at illegal squares means nothing."""
        return self.table[self.images.canonical[tables().successor[codes]]]
