"""The blanks of lesson 08, Monte Carlo tree search."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson

# --- alpha-beta -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sketch:
    """A position of a game on paper, with the methods of a `GameState` that a search asks for.

    tree: a list with what each move leads to; a number ends the game and is its `points`, for the
    first player. next_player: 0 or 1.
    """

    tree: Any
    next_player: int = 0

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not isinstance(self.tree, list)

    def legal_moves(self) -> list[int]:
        """The moves, numbered from 0."""
        return list(range(len(self.tree)))

    def apply_move(self, move: int) -> "Sketch":
        """The position after a move; the other player is next."""
        return Sketch(self.tree[move], 1 - self.next_player)

    @property
    def points(self) -> float:
        """Of a finished game, for the first player."""
        return float(self.tree)


def result(state: Any) -> float:
    """The points of a finished game for the player whose turn it would be."""
    points: float = state.points
    return points if state.next_player == 0 else -points


def alpha_beta(state: Any, alpha: float, beta: float, seen: list[Any]) -> float:
    """The value of a position for the player to move; every position visited is noted in `seen`.

    alpha: what the player to move has already; beta: what the opponent lets them have at most.
    Knuth & Moore (1975), in negamax form.
    """
    seen.append(state)
    if state.is_over():
        return result(state)
    best = -math.inf
    for move in state.legal_moves():
        after = state.apply_move(move)
        value = -alpha_beta(after, -beta, -alpha, seen)
        best = max(best, value)
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best


def counted(search: Callable[..., float]) -> Callable[..., tuple[float, int]]:
    """The search of a game on paper: (its value, how many positions were visited)."""

    @wraps(search)
    def count(tree: Any) -> tuple[float, int]:
        seen: list[Any] = []
        value = search(Sketch(tree), -math.inf, math.inf, seen)
        return value, len(seen)

    return count


CUT_MISTAKES = {
    "no_cut": "nothing is cut off: raise alpha to the value of the best move so far, and leave "
    "the loop as soon as alpha reaches beta",
    "strict": "a move that is exactly as good as beta ends the loop as well: the opponent has "
    "something as good elsewhere, so they need not come here",
    "bad_move": "the loop ends at a bad move: the next one may be better. It ends when a move is "
    "so good for the player to move that the opponent avoids this position",
    "first": "the loop ends after the first move, whatever it is worth",
}

_CUT = Case(
    ([[0, 1], [-1, 1, 1]],),
    # The second player picks the lowest number. Move 0 is worth 0. Move 1 is refuted by the
    # first reply, -1: the other two are cut off. Seen: the root, 0 with 2 ends, 1 with 1.
    Key((0.0, 6)),
    title="two moves; the replies end the game with 0 or 1, and with -1, 1 or 1 points",
)
_AS_GOOD = Case(
    ([[1, 0], [0, -1, 1], [1, -1]],),
    # Move 0 is worth 0. Move 1 has the reply 0, so it cannot be better: two replies are cut.
    # Move 2 has -1 as its last reply. Seen: the root, 3, 2 and 3 positions.
    Key((0.0, 9)),
    title="three moves; the reply 0 to the second is as good for the opponent as move 1 allows",
)

# --- the upper confidence bound -------------------------------------------------------------------


@dataclass
class Counts:
    """What a node of the lesson's tree knows of its moves: visits N and sums of values W."""

    N: dict[int, int]
    W: dict[int, float]


def ucb(node: Any, action: int, c: float = 1.4) -> float:
    """Mean value plus c sqrt(ln(sum N) / N); infinite before the first visit.

    UCB1: Auer, Cesa-Bianchi & Fischer (2002). node: its dicts N and W have all legal actions.
    """
    if node.N[action] == 0:
        return math.inf
    total = sum(node.N.values())
    mean: float = node.W[action] / node.N[action]
    return mean + c * math.sqrt(math.log(total) / node.N[action])


def scored(ucb: Callable[..., float]) -> Callable[..., Any]:
    """The score; that of an action which comes before all others as words, since it is infinite."""

    @wraps(ucb)
    def score(node: Counts, action: int, c: float) -> Any:
        bound = ucb(node, action, c)
        return FIRST if bound == math.inf else bound

    return score


FIRST = "math.inf, before all others"
UCB_MISTAKES = {
    "unvisited": "a move without visits must come first: its score is math.inf",
    "sum": "the sum of the values stands where their mean belongs: divide W by N",
    "swapped": "N and the sum are exchanged: the logarithm is that of all visits of the node, and "
    "it is divided by the visits of this move",
    "no_log": "the logarithm is missing",
    "no_root": "the square root is missing",
    "no_c": "c is missing: it multiplies the root",
    "minus": "the bonus is subtracted: what is little known might be better, so it is added",
    "no_bonus": "this is the mean alone: the bonus is missing",
}

_NODE = Counts({0: 4, 2: 1, 5: 0, 7: 3}, {0: 2.0, 2: -1.0, 5: 0.0, 7: -1.5})
_OFTEN = Case(
    (_NODE, 0, 2.0),
    # 2 / 4 + 2 sqrt(ln 8 / 4); ln 8 = 2.0794415.
    Key(0.5 + 2 * math.sqrt(math.log(8) / 4)),
    title="4 of 8 visits, values that add up to 2, c = 2",
)
_LOST = Case(
    (_NODE, 2, 0.5),
    # -1 / 1 + 0.5 sqrt(ln 8 / 1)
    Key(-1 + 0.5 * math.sqrt(math.log(8))),
    title="1 of 8 visits, which was lost, c = 0.5",
)
_UNTRIED = Case((_NODE, 5, 2.0), Key(FIRST), title="a move without visits, c = 2")

# --- backing up -----------------------------------------------------------------------------------


def back_up(path: list[tuple[Any, int]], value: float) -> None:
    """Book the value of a leaf on every move of the path, each for the player who made it.

    path: (node, action) from the root on; value: for the player to move at the leaf. The players
    alternate. Coulom (2006); Kocsis & Szepesvari (2006).
    """
    for node, action in reversed(path):
        value = -value
        node.N[action] += 1
        node.W[action] += value


def booked(back_up: Callable[..., None]) -> Callable[..., tuple[list[int], list[float]]]:
    """The visits and sums [T] of the moves on a path after a simulation with this value."""

    @wraps(back_up)
    def book(visits: list[int], sums: list[float], value: float) -> tuple[list[int], list[float]]:
        nodes = [Counts({0: n}, {0: w}) for n, w in zip(visits, sums, strict=True)]
        back_up([(node, 0) for node in nodes], value)
        return [node.N[0] for node in nodes], [node.W[0] for node in nodes]

    return book


BACK_UP_MISTAKES = {
    "no_sign": "the sign never changes: what is good for one player is bad for the other, so turn "
    "it at every ply",
    "late": "the sign changes too late: the value is for the player to move at the leaf, and the "
    "last move was made by the other one, so turn it before you add it",
    "once": "the sign changes only once: turn it again at every ply on the way up",
    "no_visits": "the visits stay as they were: every move of the path gets one more",
    "replaced": "W becomes the last value: add to what earlier simulations brought",
}

_THREE = Case(
    ([5, 2, 1], [1.0, 0.5, 0.25], 1.0),
    # The player to move at the leaf wins, so the last move is bad for its mover: 0.25 - 1.
    Key(([6, 3, 2], [0.0, 1.5, -0.75])),
    title="three moves with sums 1, 0.5 and 0.25; who is to move at the leaf wins, +1",
)
_TWO = Case(
    ([1, 0], [1.0, 0.0], -0.5),
    Key(([2, 1], [0.5, 0.5])),
    title="two moves with sums 1 and 0; the leaf is worth -0.5 for who is to move there",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "08",
    "Monte Carlo tree search",
    Blank(alpha_beta, (_CUT, _AS_GOOD), CUT_MISTAKES, counted),
    Blank(ucb, (_OFTEN, _LOST, _UNTRIED), UCB_MISTAKES, scored),
    Blank(back_up, (_THREE, _TWO), BACK_UP_MISTAKES, booked),
)

your_turn = LESSON.your_turn
