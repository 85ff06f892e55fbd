"""Tic-tac-toe at a board: a click on a square is a move."""

from rlcourse.boards.faces import Face
from rlcourse.boards.review import Judge
from rlcourse.games import Game
from rlcourse.games.grid import GridState
from rlcourse.solvers.tictactoe import codes_of, solve


def values(state: GridState) -> list[tuple[int, float]]:
    """Each legal square with its exact result, -1, 0 or 1."""
    q = solve().q[codes_of(state.board.reshape(1, 9))[0]]
    return [(square, float(q[square])) for square in state.legal_moves()]


def judge(game: Game) -> Judge:
    """Perfect play."""
    return Judge("the exact solution of the game", "result", values)


FACE: Face[GridState] = Face("Tic-tac-toe", judge=judge)
