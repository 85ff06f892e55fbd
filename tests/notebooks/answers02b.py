"""What students write into the blanks of lesson 02b.

ABOVE: what the lesson has defined. RIGHT[blank] -> sources, WRONG[blank] -> (mistake, source).
"""

from rlcourse.grading.answers import slip

ABOVE = ""

IMAGE_LOOP = """
def first_image(cells, images):
    best = None
    for image in images:
        view = tuple(cells[square] for square in image)
        if best is None or view < lowest:
            best, lowest = image, view
    return best
"""
IMAGE_MIN = """
def first_image(cells, images):
    return min(images, key=lambda image: [cells[square] for square in image])
"""

BOLD_LOOP = """
from math import sqrt

def bold_move(values, tries, c):
    best = None
    for move in values:
        score = values[move] + c / sqrt(1 + tries[move])
        if best is None or score > highest:
            best, highest = move, score
    return best
"""
BOLD_LISTS = """
def bold_move(values, tries, c):
    moves = list(values)
    scores = [values[move] + c * (1 + tries[move]) ** -0.5 for move in moves]
    return moves[scores.index(max(scores))]
"""

NEXT_LENGTH = """
def own_next(V, line, t, reward):
    if t + 2 >= len(line):
        return reward
    else:
        return V[line[t + 2]]
"""
NEXT_LIST = """
def own_next(V, line, t, reward):
    own = line[t + 2::2]
    return V[own[0]] if own else reward
"""

RIGHT = {
    "first_image": (IMAGE_LOOP, IMAGE_MIN),
    "bold_move": (BOLD_LOOP, BOLD_LISTS),
    "own_next": (NEXT_LENGTH, NEXT_LIST),
}

_BACKWARDS = "[cells[image.index(square)] for square in range(len(cells))]"
_ROOT = " + c / sqrt(1 + tries[move])"
_OWN = "V[line[t + 2]]"
_FROM = "t + 2 >= len(line)"

WRONG = {
    "first_image": (
        ("largest", slip(IMAGE_MIN, ("min(", "max("))),
        ("unlooked", slip(IMAGE_MIN, ("min(images, key", "min(images[:1], key"))),
        ("direction", slip(IMAGE_MIN, ("[cells[square] for square in image]", _BACKWARDS))),
        ("view", slip(IMAGE_LOOP, ("return best", "return list(lowest)"))),
        ("numbers", slip(IMAGE_MIN, ("[cells[square] for square in image]", "image"))),
        ("kind", slip(IMAGE_LOOP, ("    return best", ""))),
    ),
    "bold_move": (
        ("no_bonus", slip(BOLD_LOOP, (_ROOT, ""))),
        ("away", slip(BOLD_LOOP, (" + c /", " - c /"))),
        ("grows", slip(BOLD_LOOP, ("c / sqrt", "c * sqrt"))),
        ("no_root", slip(BOLD_LOOP, ("sqrt(1 + tries[move])", "(1 + tries[move])"))),
        ("least", slip(BOLD_LOOP, ("values[move] + c", "c"))),
        ("other", slip(BOLD_LOOP, ("c / sqrt(1 + tries[move])", "sqrt(c / (1 + tries[move]))"))),
        ("other", slip(BOLD_LOOP, ("c / sqrt", "1 / sqrt"))),
        ("score", slip(BOLD_LOOP, ("return best", "return highest"))),
    ),
    "own_next": (
        ("opponent", slip(NEXT_LENGTH, (_FROM, "t + 1 >= len(line)"), (_OWN, "V[line[t + 1]]"))),
        ("negated", slip(NEXT_LENGTH, (_FROM, "t + 1 >= len(line)"), (_OWN, "-V[line[t + 1]]"))),
        ("itself", slip(NEXT_LENGTH, (_FROM, "False"), (_OWN, "V[line[t]]"))),
        ("monte_carlo", slip(NEXT_LENGTH, (_OWN, "reward"))),
        ("added", slip(NEXT_LENGTH, (_OWN, "reward + V[line[t + 2]]"))),
    ),
}
