"""A player of tic-tac-toe that asks the source's deep Q-network.

The forward pass is plain NumPy, so boards, judge and matches do not load TensorFlow.
"""

from collections.abc import Mapping

import numpy as np

from rlcourse.agents.base import BatchAgent, Decision, greedy
from rlcourse.errors import BadValue
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
    """[R, 10] int32, the input: nine cells (0, 1, 2) and the turn (1 or 2). cells [R, 9]."""
    turn = 1 + (cells != 0).sum(axis=1, keepdims=True) % 2
    return np.concatenate([cells, turn], axis=1).astype(np.int32)


def signs_of(cells: np.ndarray) -> np.ndarray:
    """[R] float32: +1 where the first player moves, else -1. Q * sign is for the player to move."""
    return sign_of((cells != 0).sum(axis=1) % 2).astype(np.float32)


def forward(weights: Mapping[str, np.ndarray], numbers: np.ndarray) -> np.ndarray:
    """Q-values [R, 9] float32 of the *first* player. weights: as in SHAPES; numbers [R, 10]."""
    hidden = np.maximum(weights["embedding/embeddings"], 0)[numbers].reshape(len(numbers), 30)
    for layer in ("dense_1", "dense_2"):
        hidden = np.maximum(hidden @ weights[f"{layer}/kernel"] + weights[f"{layer}/bias"], 0)
    return hidden @ weights["dense_3/kernel"] + weights["dense_3/bias"]


class DeepQAgent(BatchAgent[Batch]):
    """Plays the square of highest Q-value; ties go to the lowest square.

    weights: as in SHAPES. symmetry: the network sees the canonical image of every position.
    masked=False ranks all nine squares, occupied ones too, as the source does.
    """

    name = "deep-q"
    saved = ("symmetry", "masked")
    made_of_weights = True

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
            raise BadValue(f"this network is for tic-tac-toe, not {game.name}")
        super().__init__(game, seed=seed)
        self.weights = check_weights("deep-q", weights, SHAPES)
        self.symmetry, self.masked = symmetry, masked
        self.images = symmetry_tables() if symmetry else no_symmetry()

    def values(self, cells: np.ndarray) -> np.ndarray:
        """[R, 9] float32: the Q-value of each square, for the player to move. cells [R, 9]."""
        codes = codes_of(cells)
        # Games in lock-step share many positions: each distinct one goes through the network once.
        distinct, row = np.unique(self.images.canonical[codes], return_inverse=True)
        distinct_cells = tables().cells[distinct]
        q = forward(self.weights, numbers_of(distinct_cells)) * signs_of(distinct_cells)[:, None]
        if not self.symmetry:
            return q[row]
        return np.take_along_axis(q[row], self.images.action[codes].astype(np.int64), axis=1)

    def decide(self, batch: Batch, rows: np.ndarray, rng: np.random.Generator) -> Decision:
        """The square of highest Q-value. In the Decision q and value are clipped to [-1, 1]."""
        q = self.values(batch.cells[rows])
        action, value, q = greedy(q, batch.legal(rows) if self.masked else None)
        return Decision(action, value=np.clip(value, -1.0, 1.0), q=np.clip(q, -1.0, 1.0))
