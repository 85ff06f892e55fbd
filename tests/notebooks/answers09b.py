"""What students write into the blank of lesson 09b.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = "import numpy as np\n"

COUNTS = """
def threats(board, player, lines):
    plane = np.zeros_like(board)
    for line in lines:
        stones = [board[cell] for cell in line]
        if stones.count(player) == 3 and stones.count(0) == 1:
            plane[line[stones.index(0)]] = 1
    return plane
"""
CELLS = """
def threats(board, player, lines):
    plane = np.zeros_like(board)
    for line in lines:
        stones = [board[cell] for cell in line]
        if stones.count(player) != 3:
            continue
        for cell in line:
            if board[cell] == 0:
                plane[cell] = 1
    return plane
"""
ARRAYS = """
def threats(board, player, lines):
    plane = np.zeros_like(board)
    for line in lines:
        stones = np.array([board[cell] for cell in line])
        mine = np.sum(stones == player)
        if mine == 3 and 0 in stones:
            plane[line[np.argmin(stones)]] = 1
    return plane
"""

RIGHT = {"threats": (COUNTS, CELLS, ARRAYS)}

WRONG = {
    "threats": (
        ("colour", slip(COUNTS, ("stones.count(player) == 3 and ", ""))),
        ("blocked", slip(CELLS, ("board[cell] == 0", "board[cell] != player"))),
        ("other", slip(COUNTS, ("count(player)", "count(3 - player)"))),
        ("line", slip(COUNTS, ("plane[line[stones.index(0)]] = 1", "for c in line: plane[c] = 1"))),
        ("count", slip(CELLS, ("plane[cell] = 1", "plane[cell] += 1"))),
        ("player", slip(CELLS, ("plane[cell] = 1", "plane[cell] = player"))),
        (
            "first",
            slip(COUNTS, ("] = 1\n    return", "] = 1\n            return plane\n    return")),
        ),
        ("other", slip(CELLS, ("stones.count(player) != 3", "stones.count(3 - player) != 3"))),
        ("kind", slip(COUNTS, ("    return plane\n", ""))),
    )
}
