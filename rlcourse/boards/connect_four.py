"""Connect Four at a board: a click on a column is a move."""

import numpy as np

from rlcourse.boards.faces import Face
from rlcourse.boards.review import Judge
from rlcourse.games import Game
from rlcourse.games.grid import GridState
from rlcourse.solvers.connect_four import cells_of, solver

FEWEST = 10  # stones; the solver takes seconds with fewer, and minutes on the empty board


def values(state: GridState) -> list[tuple[int, float]] | None:
    """Each legal column with its exact result, -1, 0 or 1; None with few stones on the board."""
    cells = cells_of(state)
    if np.count_nonzero(cells) < FEWEST:
        return None
    results = solver().scores(cells, reach=1)[0]
    return [(column, float(results[column])) for column in state.legal_moves()]


def judge(game: Game) -> Judge:
    """Perfect play, where a solver finds it quickly."""
    return Judge(f"the exact solver, from {FEWEST} stones on", "result", values)


FACE: Face[GridState] = Face("Connect Four", judge=judge)
