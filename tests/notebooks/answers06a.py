"""What students write into the blanks of lesson 06a.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = """
import numpy as np
from rlcourse.lessons.lesson06a import neighbours
"""

LIBERTIES_SET = """
def liberties(stones, chain):
    free = set()
    for point in chain:
        for beside in neighbours(point):
            if stones[beside] == 0:
                free.add(beside)
    return free
"""
LIBERTIES_LIST = """
def liberties(stones, chain):
    free = []
    for row in range(5):
        for col in range(5):
            near = [point for point in neighbours((row, col)) if point in chain]
            if stones[row, col] == 0 and near:
                free.append((row, col))
    return free
"""

CONVOLVE_PATCH = """
def convolve(plane, window):
    padded = np.pad(plane, 1)
    new = np.zeros(plane.shape)
    for row in range(len(plane)):
        for col in range(len(plane)):
            patch = padded[row : row + 3, col : col + 3]
            new[row, col] = np.sum(patch * window)
    return new
"""
CONVOLVE_SHIFTS = """
def convolve(plane, window):
    size = len(plane)
    padded = np.zeros((size + 2, size + 2))
    padded[1:-1, 1:-1] = plane
    new = 0
    for i in range(3):
        for j in range(3):
            new = new + window[i, j] * padded[i : i + size, j : j + size]
    return new
"""

REWARDS_LOOP = """
def rewards_of(players, winner):
    rewards = []
    for player in players:
        rewards.append(1 if player == winner else -1)
    return rewards
"""
REWARDS_WHERE = """
def rewards_of(players, winner):
    return np.where(players == winner, 1.0, -1.0)
"""

RIGHT = {
    "liberties": (LIBERTIES_SET, LIBERTIES_LIST),
    "convolve": (CONVOLVE_PATCH, CONVOLVE_SHIFTS),
    "rewards_of": (REWARDS_LOOP, REWARDS_WHERE),
}

_LOOK = "            if stones[beside] == 0:\n                free.add(beside)"
_EACH = "1 if player == winner else -1"

REWARDS_LAST = """
def rewards_of(players, winner):
    rewards = np.zeros(len(players))
    for side in (0, 1):
        last = np.flatnonzero(players == side)[-1]
        rewards[last] = 1 if side == winner else -1
    return rewards
"""

WRONG = {
    "liberties": (
        ("twice", slip(LIBERTIES_SET, ("free = set()", "free = []"), ("add", "append"))),
        ("opponent", slip(LIBERTIES_SET, ("== 0", "!= stones[point]"))),
        ("all", slip(LIBERTIES_SET, (_LOOK, "            free.add(beside)"))),
        ("first", slip(LIBERTIES_SET, ("in chain:", "in sorted(chain)[:1]:"))),
        ("number", slip(LIBERTIES_SET, ("return free", "return len(free)"))),
        ("kind", slip(LIBERTIES_SET, ("return free", ""))),
        ("shape", slip(LIBERTIES_SET, ("return free", "return {(0, k) for k in range(9)}"))),
    ),
    "convolve": (
        (
            "no_frame",
            slip(
                CONVOLVE_PATCH,
                ("np.pad(plane, 1)", "plane"),
                ("np.zeros(plane.shape)", "np.zeros((len(plane) - 2, len(plane) - 2))"),
                ("row in range(len(plane))", "row in range(len(plane) - 2)"),
                ("col in range(len(plane))", "col in range(len(plane) - 2)"),
            ),
        ),
        ("turned", slip(CONVOLVE_PATCH, ("patch * window", "patch * window[::-1, ::-1]"))),
        ("shifted", slip(CONVOLVE_PATCH, ("np.pad(plane, 1)", "np.pad(plane, (0, 2))"))),
        ("mean", slip(CONVOLVE_PATCH, ("np.sum", "np.mean"))),
        ("matrix", slip(CONVOLVE_PATCH, ("patch * window", "patch @ window"))),
        ("no_window", slip(CONVOLVE_PATCH, ("patch * window", "patch"))),
        ("kind", slip(CONVOLVE_PATCH, ("return new", ""))),
    ),
    "rewards_of": (
        ("black", slip(REWARDS_LOOP, ("player == winner", "player == 0"))),
        ("both", slip(REWARDS_LOOP, (_EACH, "1"))),
        ("sign", slip(REWARDS_LOOP, (_EACH, "-1 if player == winner else 1"))),
        ("nothing", slip(REWARDS_LOOP, ("else -1", "else 0"))),
        ("last", REWARDS_LAST),
        (
            "turns",
            slip(
                REWARDS_LOOP,
                ("for player in players:", "for t in range(len(players)):"),
                (_EACH, "1 if t % 2 == winner else -1"),
            ),
        ),
        ("kind", slip(REWARDS_LOOP, ("    return rewards", ""))),
    ),
}
