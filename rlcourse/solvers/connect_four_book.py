"""The first moves of perfect Connect Four, where the solver would think for minutes.

`rlcourse experiment connect-four-book --folder rlcourse/solvers` made the book with the solver. It
holds, for either side, one answer to whatever the opponent plays from the empty board on, which
keeps the exact result, up to SOLVED_FROM stones. From there on the solver answers in a second.
"""

from functools import cache
from pathlib import Path

from rlcourse.results import load_results

SOLVED_FROM = 10  # stones
RESULTS = {"+": 1, "=": 0, "-": -1}

Bitboards = tuple[int, int]  # own stones and all stones, as in `connect_four`


def played(columns: str) -> Bitboards:
    """The position after these columns, such as "334", for the player to move."""
    own, mask = 0, 0
    for column in map(int, columns):
        stone = (mask + (1 << 7 * column)) & (127 << 7 * column)
        own, mask = own ^ mask, mask | stone
    return own, mask


def mirrored(columns: str) -> str:
    """The columns of the mirror image."""
    return "".join(str(6 - int(column)) for column in columns)


@cache
def book() -> dict[Bitboards, tuple[int, int]]:
    """Position -> (column to play, exact result for who plays it); with all mirror images."""
    answers = {}
    for row in load_results("connect-four-book", Path(__file__).parent)["rows"]:
        for columns, (column, result) in row["book"].items():
            answers[played(mirrored(columns))] = 6 - int(column), RESULTS[result]
            answers[played(columns)] = int(column), RESULTS[result]
    return answers
