"""Tic-tac-toe at a board: a click on a square is a move."""

from rlcourse.boards.faces import Face
from rlcourse.games.grid import GridState

FACE: Face[GridState] = Face("Tic-tac-toe")
