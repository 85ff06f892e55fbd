"""Connect Four at a board: a click on a column is a move."""

from rlcourse.boards.faces import Face
from rlcourse.games.grid import GridState

FACE: Face[GridState] = Face("Connect Four")
