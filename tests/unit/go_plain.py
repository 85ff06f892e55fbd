"""Go once more, as plainly as it can be written: no groups kept, no hashes, every
earlier board stored whole.

An independent opinion for the tests. A board is a tuple of rows from the top;
0 empty, 1 black, 2 white.
"""

from itertools import product


class PlainGo:
    """One game. history: every board so far, the starting one included.
    colour: 1 or 2, who moves.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.board = tuple((0,) * size for _ in range(size))
        self.history = [self.board]
        self.colour, self.passes = 1, 0

    def cells(self) -> list[int]:
        """The cells row by row from the top left."""
        return [cell for row in self.board for cell in row]

    def beside(self, place):
        """The neighbours of (row, col) on the board."""
        row, col = place
        near = ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
        return [(r, c) for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def region(self, board, place):
        """The connected places with the same content, and the contents that touch them."""
        content = board[place[0]][place[1]]
        found, touching, waiting = {place}, set(), [place]
        while waiting:
            for other in self.beside(waiting.pop()):
                if board[other[0]][other[1]] != content:
                    touching.add(board[other[0]][other[1]])
                elif other not in found:
                    found.add(other)
                    waiting.append(other)
        return found, touching

    def after(self, place):
        """The board after the player to move has put a stone there, and what was
        taken; None where it is suicide.
        """
        rows = [list(row) for row in self.board]
        rows[place[0]][place[1]] = self.colour
        taken = set()
        for other in self.beside(place):
            if rows[other[0]][other[1]] == 3 - self.colour:
                group, touching = self.region(rows, other)
                if 0 not in touching:
                    taken |= group
        for row, col in taken:
            rows[row][col] = 0
        if 0 not in self.region(rows, place)[1]:
            return None
        return tuple(map(tuple, rows)), len(taken)

    def why_not(self, action: int) -> str:
        """Why an action is illegal: "occupied", "suicide" or "superko"; "" for a legal one."""
        if action == self.size**2:
            return ""
        place = divmod(action, self.size)
        if self.board[place[0]][place[1]]:
            return "occupied"
        after = self.after(place)
        if after is None:
            return "suicide"
        return "superko" if after[0] in self.history else ""

    def play(self, action: int) -> int:
        """Play and return how many stones were taken."""
        taken = 0
        if action < self.size**2:
            self.board, taken = self.after(divmod(action, self.size))
        self.passes = self.passes + 1 if action == self.size**2 else 0
        self.history.append(self.board)
        self.colour = 3 - self.colour
        return taken

    def area(self) -> tuple[int, int]:
        """Black's and White's area."""
        total = [0, 0, 0]
        for row, col in product(range(self.size), repeat=2):
            cell = self.board[row][col]
            if cell == 0:
                touching = self.region(self.board, (row, col))[1]
                cell = touching.pop() if len(touching) == 1 else 0
            total[cell] += 1
        return total[1], total[2]

    def liberties(self, action: int) -> int:
        """The liberties of the group on a point."""
        group, _ = self.region(self.board, divmod(action, self.size))
        return len(
            {p for stone in group for p in self.beside(stone) if self.board[p[0]][p[1]] == 0}
        )

    def is_eye(self, action: int, colour: int) -> bool:
        """The rule of thumb: neighbours all `colour`, at most one bad corner in the middle of
        the board, none on its edge.
        """
        row, col = divmod(action, self.size)
        if self.board[row][col] or any(
            self.board[r][c] != colour for r, c in self.beside((row, col))
        ):
            return False
        corners = [(row + a, col + b) for a in (-1, 1) for b in (-1, 1)]
        on = [(r, c) for r, c in corners if 0 <= r < self.size and 0 <= c < self.size]
        bad = sum(self.board[r][c] != colour for r, c in on)
        return bad <= (1 if len(on) == 4 else 0)
