"""Players as students hand them in: RIGHT[task] -> sources, WRONG[task] -> (mistake it must be told,
source).

A task judges its own duty alone, so a right answer to it may neglect the others. A wrong player is a
right one with one slip; `slip(source, old, new)` shows which.
"""

from rlcourse.grading.answers import slip

# --- players by the rules: a move is made, and its winner asked for -------------------------------

SAFE = '''
def choose(state):
    """The last of the moves after which no reply wins."""
    moves = state.legal_moves()
    safe = [m for m in moves if not loses(state.apply_move(m))]
    return (safe or moves)[-1]


def loses(after):
    return any(after.apply_move(reply).winner() for reply in after.legal_moves())
'''

WINS = '''
def choose(state):
    """A win of one's own, else the first legal move."""
    moves = state.legal_moves()
    own = 1 - 2 * state.next_player
    wins = [m for m in moves if state.apply_move(m).winner() == own]
    return (wins or moves)[0]
'''

ABOVE = """
def choose(state):
    moves = sorted(state.legal_moves(), key=lambda m: abs(m - 3))
    for m in moves:
        after = state.apply_move(m)
        if m not in after.legal_moves() or not after.apply_move(m).winner():
            return m
    return moves[0]
"""

# All four duties
WHOLE = """
def choose(state):
    moves = sorted(state.legal_moves(), key=lambda m: abs(m - 3))
    for m in moves:
        if state.apply_move(m).winner():
            return m
    safe = []
    for m in moves:
        after = state.apply_move(m)
        if not any(after.apply_move(r).winner() for r in after.legal_moves()):
            safe.append(m)
    return (safe or moves)[0]
"""

# --- players by the board alone -------------------------------------------------------------------

OPEN = """
def choose(state):
    columns = [c for c in range(7) if state.board[0, c] == 0]
    return columns[len(columns) // 2]
"""

BOARD = """
import numpy as np

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))
LINES = []
for a, b in WAYS:
    for r in range(6):
        for c in range(7):
            if r + 3 * a < 6 and 0 <= c + 3 * b < 7:
                LINES.append([(r + k * a, c + k * b) for k in range(4)])

def drop(board, column, stone):
    after = board.copy()
    after[max(r for r in range(6) if board[r, column] == 0), column] = stone
    return after

def four(board, stone):
    return any(all(board[cell] == stone for cell in line) for line in LINES)

def open_columns(board):
    return [c for c in range(7) if board[0, c] == 0]
"""

FOURS = f"""{BOARD}
def choose(state):
    board, own = state.board, 1 + state.next_player
    for stone in (own, 3 - own):
        for column in open_columns(board):
            if four(drop(board, column, stone), stone):
                return column
    return open_columns(board)[0]
"""

BOARD_WHOLE = f"""{BOARD}
def choose(state):
    board, own = state.board, 1 + state.next_player
    best, chosen = -1, None
    for column in open_columns(board):
        after = drop(board, column, own)
        if four(after, own):
            return np.int64(column)
        lost = any(four(drop(after, reply, 3 - own), 3 - own) for reply in open_columns(after))
        if (not lost) > best:
            best, chosen = not lost, column
    return chosen
"""

RIGHT = {
    "legal": [SAFE, OPEN],
    "wins": [WINS, FOURS],
    "blocks": [WHOLE, FOURS],
    "gifts": [SAFE, ABOVE],
}

# --- players with a hole --------------------------------------------------------------------------

SOLVER = """
from rlcourse.solvers.connect_four import solver

def choose(state):
    scores = solver().move_scores(state)
    return max(scores, key=scores.get)
"""


def under(source: str, choose: str) -> str:
    """The player is called `keeps`, and this stands below."""
    return f"{slip(source, ('def choose(state)', 'def keeps(state)'))}\n\n{choose}"


def general(source: str) -> list[tuple[str, str]]:
    """What can go wrong with every duty."""
    full = "[c for c in range(7) if state.board[0, c] != 0]"
    return [
        ("imported", SOLVER),
        ("kind", under(source, "def choose(state):\n    print(keeps(state))\n")),
        ("outside", under(source, "def choose(state):\n    return keeps(state) - 7\n")),
        ("full", under(source, f"def choose(state):\n    return ({full} or [keeps(state)])[0]\n")),
        ("missing", slip(source, ("def choose(state)", "def chose(state)"))),
        ("raised an error", under(source, "def choose(state):\n    return keeps(state, 0)\n")),
    ]


OVERLOOKED = ("(0, 1), ", "(1, 0), ", "(1, 1), ", ", (1, -1)")
BLIND = [slip(FOURS, (way, "")) for way in OVERLOOKED]
FIRST_PLAYER = slip(FOURS, ("1 + state.next_player", "1"))
STOPS_FIRST = slip(FOURS, ("(own, 3 - own)", "(3 - own, own)"))

INNER = "    for m in [m for m in moves if 0 < m < 6]:\n        after"

WRONG = {
    "legal": [
        *general(SAFE),
        ("full", "def choose(state):\n    return 3\n"),
        ("full", slip(SAFE, ("(safe or moves)[-1]", "safe[-1] if safe else 3"))),
        ("full", slip(OPEN, ("columns[len(columns) // 2]", "len(columns) // 2"))),
        ("raised an error", slip(OPEN, ("board[0, c]", "board[1, c]"))),
        ("kind", slip(OPEN, ("columns[len(columns) // 2]", "columns"))),
        ("raised an error", slip(SAFE, ("(safe or moves)", "safe"))),
    ],
    "wins": [
        *general(WINS),
        ("blocked", STOPS_FIRST),
        ("missed", SAFE),
        ("missed", slip(WINS, ("1 - 2 * state.next_player", "1"))),
        ("missed", slip(WINS, ("1 - 2 * state.next_player", "state.next_player"))),
        ("missed", slip(WINS, ("(wins or moves)[0]", "moves[0]"))),
        ("missed", FIRST_PLAYER),
        ("missed", slip(FOURS, ("(own, 3 - own)", "(3 - own,)"))),
        *(("missed", source) for source in BLIND),
    ],
    "blocks": [
        *general(WHOLE),
        ("unblocked", WINS),
        ("unblocked", slip(FOURS, ("(own, 3 - own)", "(own,)"))),
        ("unblocked", slip(WHOLE, ("(safe or moves)[0]", "moves[0]"))),
        (
            "unblocked",
            slip(WHOLE, ("    for m in moves:\n        after", INNER)),
        ),
        ("unblocked", ABOVE),
        *(("unblocked", source) for source in BLIND),
    ],
    "gifts": [
        *general(SAFE),
        ("gift", FOURS),
        ("gift", slip(SAFE, ("(safe or moves)[-1]", "moves[-1]"))),
        ("gift", slip(WHOLE, ("(safe or moves)[0]", "moves[0]"))),
        ("gift", slip(SAFE, ("safe or moves", "[m for m in moves if m not in safe] or moves"))),
        ("gift", slip(BOARD_WHOLE, ("1 + state.next_player", "1"))),
        ("raised an error", slip(WHOLE, ("(safe or moves)", "safe"))),
    ],
}
