"""Connect Four at a board: a click on a column is a move."""

import numpy as np

from rlcourse.boards.faces import Face
from rlcourse.boards.review import Judge
from rlcourse.games import Game
from rlcourse.games.grid import GridState
from rlcourse.solvers.connect_four import cells_of, exact_moves


def values(state: GridState) -> list[tuple[int, float]] | None:
    """Each legal column with its exact result, -1, 0 or 1; None where one of them is not known."""
    results = exact_moves(cells_of(state))[0][0]
    legal = list(state.legal_moves())
    if np.isnan(results[legal]).any():
        return None
    return [(column, float(results[column])) for column in legal]


def judge(game: Game) -> Judge:
    """The solver from SOLVED_FROM stones on; before that the book, against the perfect player."""
    return Judge("perfect play, where it is known", "result", values)


FACE: Face[GridState] = Face("Connect Four", judge=judge)
