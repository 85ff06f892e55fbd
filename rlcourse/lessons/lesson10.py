"""The blanks of lesson 10, the tournament."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case
from rlcourse.lessons import Blank, Lesson
from rlcourse.lessons.lesson08 import Sketch

# --- best response --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fixed:
    """A champion on paper: it plays the same move in every position, the last one by default."""

    move: int = -1

    def select_move(self, state: Any) -> Any:
        """Its one move."""
        return state.legal_moves()[self.move]


def best_response(state: Any, champion: Any, seat: int) -> float:
    """The best result that any opponent can reach against a champion whose moves are known.

    state: a position. champion: has `select_move` and chooses without chance. seat: the player that
    the champion is, 0 or 1. The result is the opponent's, in [-1, 1]. For poker it is computed by
    Johanson et al. (2011), as a measure of exploitability.
    """
    if state.is_over():
        points: float = state.points
        return points if seat == 1 else -points
    if state.next_player == seat:
        move = champion.select_move(state)
        return best_response(state.apply_move(move), champion, seat)
    best = -1.0
    for move in state.legal_moves():
        after = state.apply_move(move)
        best = max(best, best_response(after, champion, seat))
    return best


def on_paper(best_response: Callable[..., float]) -> Callable[..., float]:
    """The best response in a game on paper, from its first position on."""

    @wraps(best_response)
    def respond(tree: Any, move: int, seat: int) -> float:
        answer = best_response(Sketch(tree), Fixed(move), seat)
        # A loss of nothing, -0.0, is shown as 0.
        return answer + 0.0 if isinstance(answer, (int, float)) else answer

    return respond


_TURNED = (
    "turned on the way up: every result is the opponent's already, so no sign is turned anywhere"
)
RESPONSE_MISTAKES = {
    "champion_tries": "the champion's positions are searched as well: it plays one move, that of "
    "champion.select_move(state)",
    "minimax": "this is minimax: the champion does not look for its best move, it plays the one of "
    "champion.select_move(state)",
    "turned": f"both signs are {_TURNED}",
    "turned_champion": f"the sign after the champion's move is {_TURNED}",
    "turned_own": f"the sign after the opponent's move is {_TURNED}",
    "first": "only the first move is tried: keep the best result of all legal moves",
    "worst": "the worst result is kept: the opponent takes the best one",
    "own": "the opponent plays the champion's moves as well: where it is not the champion's turn, "
    "try all legal moves",
    "seats": "the seats are exchanged: where state.next_player is the champion's seat, the "
    "champion moves",
}

_THREE = Case(
    # Move 0 loses. After move 1 the champion plays its first, -1; after move 2 it plays 0.
    ([-1, [-1, 1], [0, -1]], 0, 1),
    Key(0.0),
    title="you have three moves, then the champion plays the first of its moves",
)
_LAST = Case(
    # The champion plays its last move, then you choose: 1 is the champion's, [1, 0] ends with 0,
    # and [-1, 0, 1] with 1.
    ([1, [1, [1, 0], [-1, 0, 1]]], -1, 0),
    Key(0.0),
    title="the champion begins and always plays the last of its moves",
)
_BLUNDER = Case(
    # The champion could have had a draw.
    ([0, [-1, 1]], -1, 0),
    Key(1.0),
    title="the champion begins, and its last move is a mistake",
)
_BEST = Case(
    # You begin: 0 after move 0, +1 after move 1, where the champion could have won.
    ([[1, 0], [-1, 1]], -1, 1),
    Key(1.0),
    title="you have two moves, then the champion plays the last of its moves",
)

# --- cycles ---------------------------------------------------------------------------------------


def count_cycles(beats: Any) -> int:
    """How many trios beat each other in a cycle, i beats j, j beats k, and k beats i.

    beats: [K, K], true where the row's player beats the column's. Each trio counts once. Kendall &
    Babington Smith (1940) count such circular triads.
    """
    players = range(len(beats))
    cycles = 0
    for i in players:
        for j in players:
            for k in players:
                if beats[i][j] and beats[j][k] and beats[k][i]:
                    cycles += 1
    return cycles // 3


CYCLE_MISTAKES = {
    "thrice": "every trio is counted three times, once from each of its players: divide by 3",
    "one_way": "cycles in one direction only: i beats j beats k beats i can run either way "
    "through the numbers, so let i, j and k each take every number",
    "transitive": "these are trios without a cycle: the third must beat the first, beats[k][i]",
}


def _beats(players: int, *pairs: tuple[int, int]) -> np.ndarray:
    """[K, K] of truth values: true at these (winner, loser)."""
    beats = np.zeros((players, players), bool)
    for winner, loser in pairs:
        beats[winner, loser] = True
    return beats


_ROCK = Case(
    (_beats(3, (0, 1), (1, 2), (2, 0)),),
    Key(1),
    title="rock, paper, scissors",
)
_BACKWARD = Case(
    # The cycle is 0, 2, 1; player 3 beats 0, and nothing else is decided.
    (_beats(4, (0, 2), (2, 1), (1, 0), (3, 0)),),
    Key(1),
    title="four players: 0 beats 2, 2 beats 1, 1 beats 0, 3 beats 0",
)
_ORDER = Case(
    (_beats(4, (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)),),
    Key(0),
    title="four players, each beats all with a higher number",
)

# --- the lesson -----------------------------------------------------------------------------------

LESSON = Lesson(
    "10",
    "The tournament",
    Blank(best_response, (_THREE, _LAST, _BLUNDER, _BEST), RESPONSE_MISTAKES, on_paper),
    Blank(count_cycles, (_ROCK, _BACKWARD, _ORDER), CYCLE_MISTAKES),
)

your_turn = LESSON.your_turn
