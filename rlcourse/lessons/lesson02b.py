"""The blanks of lesson 02b: symmetry, exploration, afterstates."""

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson

# --- symmetry -------------------------------------------------------------------------------------


def first_image(cells: list[int], images: list[list[int]]) -> list[int]:
    """The image of the board that sorts first.

    cells: what stands on each square. images: each says for every square of the image which square
    of the board lies there.
    """
    first = images[0]
    for image in images:
        view = [cells[square] for square in image]
        if view < [cells[square] for square in first]:
            first = image
    return first


IMAGE_MISTAKES = {
    "largest": "the image that sorts last is returned: return the one that sorts first",
    "unlooked": "the first image of the list is returned: compare what the board looks like",
    "direction": "the image is read backwards: square k of the view shows cells[image[k]]",
    "view": "the view itself is returned: return the image that leads to it",
    "numbers": "the lists of squares are compared: compare what stands on these squares",
}

# The eight images of a board of 2 x 2, squares 0 1 / 2 3: four turns, and each of them mirrored.
_TURNS = [[3, 2, 1, 0], [1, 3, 0, 2], [0, 1, 2, 3], [2, 0, 3, 1]]
_MIRRORED = [[1, 0, 3, 2], [3, 1, 2, 0], [2, 3, 0, 1], [0, 2, 1, 3]]
_IMAGES = _TURNS + _MIRRORED

_HALF_TURN = Case(
    ([2, 1, 0, 0], _MIRRORED + _TURNS),
    # The views begin with 1, 0, 0, 2, 0, 1, 2, 0; the lowest is 0 0 1 2, by the half turn.
    Key([3, 2, 1, 0]),
    title="the board 2 1 / 0 0 and the eight images of a board of 2 x 2",
)
_QUARTER_TURN = Case(
    ([0, 2, 0, 1], _IMAGES),
    # Square 2 comes first, then 0, 3 and 1: the view is 0 0 1 2.
    Key([2, 0, 3, 1]),
    title="the board 0 2 / 0 1 and the same images in another order",
)

# --- the exploration bonus ------------------------------------------------------------------------


def bold_move(values: dict[int, float], tries: dict[int, int], c: float) -> int:
    """The move of the highest value plus bonus, c over the root of 1 + tries.

    Strehl & Littman (2008). values: for the player to move; tries: how often each was made.
    """
    scores = {}
    for move, value in values.items():
        scores[move] = value + c / (1 + tries[move]) ** 0.5
    return max(scores, key=scores.__getitem__)


BONUS_MISTAKES = {
    "no_bonus": "the bonus is missing: this is the greedy move",
    "away": "the bonus is subtracted: add it, so that moves that were seldom tried look better",
    "grows": "the bonus grows with the tries: divide c by the root",
    "no_root": "the root is missing: c is divided by the root of 1 + tries",
    "least": "the values are left out: the score is value plus bonus",
    "score": "the highest score is returned: return the move that has it",
}

_CURIOUS = Case(
    ({0: 0.5, 4: 0.2, 8: -0.1}, {0: 15, 4: 3, 8: 0}, 1.0),
    # 0.5 + 1/4, 0.2 + 1/2, -0.1 + 1.
    Key(8),
    title="values 0.5, 0.2, -0.1 of the moves 0, 4, 8, tried 15, 3 and 0 times; c = 1",
)
_CONTENT = Case(
    ({0: 0.3, 2: 0.2, 6: 0.4, 8: -0.4}, {0: 8, 2: 3, 6: 99, 8: 0}, 0.5),
    # 0.3 + 0.17, 0.2 + 0.25, 0.4 + 0.05, -0.4 + 0.5. With c = 1, or c in the root, 2 is best.
    Key(0),
    title="values 0.3, 0.2, 0.4, -0.4 of the moves 0, 2, 6, 8, tried 8, 3, 99 and 0 times; c = 0.5",
)
_AMONG_FOUR = Case(
    ({1: 0.6, 3: 0.5, 5: 0.4, 7: 0.0}, {1: 15, 3: 99, 5: 3, 7: 399}, 1.0),
    # 0.6 + 1/4, 0.5 + 1/10, 0.4 + 1/2, 0 + 1/20; without the root 0.6625 beats 0.65.
    Key(5),
    title="values 0.6, 0.5, 0.4, 0 of the moves 1, 3, 5, 7, tried 15, 99, 3 and 399 times; c = 1",
)

# --- the player's own next afterstate -------------------------------------------------------------


def own_next(V: dict[str, float], line: list[str], t: int, reward: float) -> float:
    """The target of the afterstate line[t]: the value of the same player's next one.

    TD(0) on afterstates, Sutton & Barto (2018) 1.5. V: the value of each afterstate for the player
    who made it. line: the position after each ply. reward: the result for the player who made t.
    """
    if t + 2 < len(line):
        return V[line[t + 2]]
    return reward


NEXT_MISTAKES = {
    "opponent": "the next position is the opponent's: the player's own lies two plies later",
    "negated": "the next position is the opponent's, and negating it does not make it the "
    "player's own, which lies two plies later",
    "itself": "the position itself is its target: nothing would be learned",
    "monte_carlo": "every target is the result, as in Monte Carlo",
    "added": "the reward is added before the end: it comes only where no own move follows",
}

_V = {"a": 0.125, "b": -0.25, "c": 0.5, "d": -0.75}
_LINE = ["a", "b", "c", "d"]
_GOES_ON = Case(
    (_V, _LINE, 1, 1.0),
    Key(-0.75),
    title="four plies a, b, c, d with values 0.125, -0.25, 0.5, -0.75; the target of b",
)
_LAST_OWN = Case(
    (_V, _LINE, 2, -1.0),
    Key(-1.0),
    title="the same plies, the target of c; the player of c has lost",
)
_LAST = Case((_V, _LINE, 3, 1.0), Key(1.0), title="the target of d, which won")

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "02b",
    "Symmetry, exploration, afterstates",
    Blank(first_image, (_HALF_TURN, _QUARTER_TURN), IMAGE_MISTAKES),
    Blank(bold_move, (_CURIOUS, _CONTENT, _AMONG_FOUR), BONUS_MISTAKES),
    Blank(own_next, (_GOES_ON, _LAST_OWN, _LAST), NEXT_MISTAKES),
)

your_turn = LESSON.your_turn
