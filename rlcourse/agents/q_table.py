"""Players of tic-tac-toe that look values up in a table: of moves (Q-values) or of afterstates."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision, greedy
from rlcourse.errors import BadValue
from rlcourse.games import Batch, Game
from rlcourse.kernels import kernel
from rlcourse.solvers.tictactoe import CODES, codes_of, no_symmetry, symmetry_tables, tables


@kernel
def _action_values(table, afterstates, codes, successor, to_play, canonical, image, out):
    """out [R, 9]: what a table says of each square in the positions `codes`, for the player to
    move; NaN for an occupied square, of which a table of afterstates says nothing.
    """
    for r in range(codes.shape[0]):
        code = codes[r]
        sign = 1.0 - 2.0 * to_play[code]
        for a in range(9):
            after = successor[code, a]
            if not afterstates:
                out[r, a] = sign * table[canonical[code], image[code, a]]
            else:
                out[r, a] = table[canonical[after], 0] if after >= 0 else np.nan


class TableAgent(BatchAgent[Batch]):
    """Base class of both tables, indexed by the code of a position or of its canonical image."""

    afterstates = False  # the table has a value for each position, not for each action
    saved: tuple[str, ...] = ("symmetry",)

    def __init__(
        self,
        game: Game,
        table: np.ndarray,
        *,
        symmetry: bool = False,
        masked: bool = True,
        seed: int | None = None,
    ) -> None:
        if game.name != "tic-tac-toe":
            raise BadValue(f"the tables of this course are for tic-tac-toe, not {game.name}")
        if len(table) != CODES:
            raise BadValue(
                f"a table has one row for each of the {CODES} codes; this one has {len(table)}"
            )
        super().__init__(game, seed=seed)
        self.table, self.symmetry, self.masked = table, symmetry, masked
        self.images = symmetry_tables() if symmetry else no_symmetry()

    def values(self, codes: np.ndarray) -> np.ndarray:
        """[R, 9] float64: the value of each square, for the player to move."""
        rules, images = tables(), self.images
        out = np.empty((len(codes), 9))
        after = (rules.successor, rules.to_play, images.canonical, images.action)
        table = self.table.reshape(CODES, -1)
        _action_values(table, self.afterstates, codes, *after, out)
        return out

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """The square of highest value; ties go to the lowest."""
        q = self.values(codes_of(batch.cells[rows]))
        action, value, q = greedy(q, batch.legal(rows) if self.masked else None)
        return Decision(action, value=value, q=q)

    def arrays(self) -> dict[str, np.ndarray]:
        """The codes of the positions that can arise, and their rows of the table."""
        # 5,478 of the 3^9 = 19,683 codes can arise, so the file holds a quarter of the table.
        codes = np.flatnonzero(tables().reachable)
        return {"codes": codes.astype(np.int32), "rows": self.table[codes].astype(np.float32)}

    @classmethod
    def from_arrays(cls, game: Game, arrays: Mapping[str, np.ndarray], **options: Any) -> Self:
        """Codes that are not among `codes` get rows of zeros. Raises ValueError for no table."""
        codes, rows = arrays["codes"], arrays["rows"]
        whole_numbers = codes.dtype.kind in "iu" and len(codes) == len(rows)
        if not whole_numbers or (len(codes) and not 0 <= codes.min() <= codes.max() < CODES):
            raise BadValue("these arrays are not a table: codes and rows do not belong together")
        table = np.zeros((CODES, *rows.shape[1:]), np.float64)
        table[codes] = rows
        return cls(game, table, **options)


class QTableAgent(TableAgent):
    """One Q-table [3^9, 9] for both players.

    Its values are those of the *first* player: the first maximises them, the second minimises them.
    masked=False ranks all nine squares, occupied ones too, as the source does.
    """

    name = "q-table"
    saved = ("symmetry", "masked")


class AfterstateAgent(TableAgent):
    """Values of afterstates (Sutton & Barto 2018, sec. 1.5 and 6.8).

    table [3^9]: the value of the position after a move, for the player *who made it*, in [-1, 1].
    """

    name = "afterstates"
    afterstates = True
