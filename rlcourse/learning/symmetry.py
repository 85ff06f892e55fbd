"""A rotated or reflected board is the same position: one example stands for all of them."""

from collections.abc import Mapping

import numpy as np

from rlcourse.games import Game

OVER_ACTIONS = ("legal", "allowed", "pi", "ownership")  # columns with one entry per action


def turned(
    examples: Mapping[str, np.ndarray], game: Game, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """The same decisions, each under a random symmetry of the board: positions and actions alike.

    examples: planes [T, C, H, W]; if present, action [T] and the columns of OVER_ACTIONS, each
    [T, outputs] with the first actions of the game. Other columns [T, ...] are unchanged.
    """
    result = {name: column.copy() for name, column in examples.items()}
    planes = result["planes"].reshape(*result["planes"].shape[:2], -1)
    drawn = rng.integers(len(game.symmetries), size=len(planes))
    for number, symmetry in enumerate(game.symmetries):
        rows = np.flatnonzero(drawn == number)
        # The argsort of a permutation is its inverse: where each point of the image comes from.
        planes[rows] = planes[rows][:, :, np.argsort(symmetry.cells)]
        for column in (result[name] for name in OVER_ACTIONS if name in result):
            column[rows] = column[rows][:, np.argsort(symmetry.actions[: column.shape[1]])]
        if "action" in result:
            result["action"][rows] = symmetry.actions[result["action"][rows]]
    return result
