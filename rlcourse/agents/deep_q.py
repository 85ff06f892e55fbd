"""A player of tic-tac-toe that asks the source's deep Q-network. The forward pass is plain NumPy: boards, judge and match
need no TensorFlow.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision
from rlcourse.games import Batch, Game, sign_of
from rlcourse.networks import check_weights
from rlcourse.solvers.tictactoe import codes_of, no_symmetry, symmetry_tables, tables

SHAPES = {
    "embedding/embeddings": (3, 3),
    "dense_1/kernel": (30, 300),
    "dense_1/bias": (300,),
    "dense_2/kernel": (300, 300),
    "dense_2/bias": (300,),
    "dense_3/kernel": (300, 9),
    "dense_3/bias": (9,),
}


def numbers_of(cells: np.ndarray) -> np.ndarray:
    """What the network reads, [R, 10] int32: the nine cells (0, 1, 2) and whose turn it is (1 or 2). cells [R, 9]."""
    turn = 1 + (cells != 0).sum(axis=1, keepdims=True) % 2
    return np.concatenate([cells, turn], axis=1).astype(np.int32)


def signs_of(cells: np.ndarray) -> np.ndarray:
    """[R] float32: +1 where the first player moves, -1 where the second does. Q * sign speaks for the player to move."""
    return sign_of((cells != 0).sum(axis=1) % 2).astype(np.float32)


def forward(weights: Mapping[str, np.ndarray], numbers: np.ndarray) -> np.ndarray:
    """Q-values [R, 9] float32 to the *first* player's account, of positions as numbers [R, 10]. Names as in SHAPES."""
    hidden = np.maximum(weights["embedding/embeddings"], 0)[numbers].reshape(len(numbers), 30)
    for layer in ("dense_1", "dense_2"):
        hidden = np.maximum(hidden @ weights[f"{layer}/kernel"] + weights[f"{layer}/bias"], 0)
    return hidden @ weights["dense_3/kernel"] + weights["dense_3/bias"]


class DeepQAgent(BatchAgent):
    """Plays the square of highest Q-value; ties go to the lowest square.

    weights: as in SHAPES. symmetry: the position is turned to its canonical
    image before the network sees it. masked=False plays as the source does: the best of all nine squares, occupied ones too.
    """

    name = "deep-q"

    def __init__(
        self,
        game: Game,
        weights: Mapping[str, np.ndarray],
        *,
        symmetry: bool = False,
        masked: bool = True,
        seed: int | None = None,
    ) -> None:
        if (game.name, game.num_actions) != ("tic-tac-toe", 9):
            raise ValueError(f"this network is for tic-tac-toe, not {game.name}")
        super().__init__(game, seed=seed)
        self.weights = check_weights("deep-q", weights, SHAPES)
        self.symmetry, self.masked = symmetry, masked
        self.images = symmetry_tables() if symmetry else no_symmetry()

    def values(self, cells: np.ndarray) -> np.ndarray:
        """[R, 9] float32: what the network says of each square, for the player to move. Equal positions are asked once."""
        codes = codes_of(cells)
        asked, place = np.unique(self.images.canonical[codes], return_inverse=True)
        asked_cells = tables().cells[asked]
        q = forward(self.weights, numbers_of(asked_cells)) * signs_of(asked_cells)[:, None]
        if not self.symmetry:
            return q[place]
        return np.take_along_axis(q[place], self.images.action[codes].astype(np.int64), axis=1)

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """The best of the legal squares, of all nine where `masked` is False. q and value are clipped to [-1, 1]."""
        q = self.values(batch.cells[rows])
        if self.masked:
            q = np.where(batch.legal(rows), q, np.nan)
        action = np.nanargmax(q, axis=1)
        q = np.clip(q, -1.0, 1.0)
        return Decision(action.astype(np.int32), value=q[np.arange(len(q)), action], q=q)

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights."""
        return dict(self.weights)

    def options(self) -> dict[str, Any]:
        """Symmetry and mask."""
        return {"symmetry": self.symmetry, "masked": self.masked}

    @classmethod
    def from_arrays(
        cls, game: Game, arrays: Mapping[str, np.ndarray], **options: Any
    ) -> "DeepQAgent":
        """The agent whose `arrays()` these are."""
        return cls(game, arrays, **options)
