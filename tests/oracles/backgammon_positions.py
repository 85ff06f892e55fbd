"""Positions to compare two sets of rules of backgammon on: from players who bring rare turns
about, and built on purpose.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from rlcourse.games.backgammon import BackgammonState
from rlcourse.games.backgammon_turn import turn_of
from rlcourse.games.game import BadRecipe

Policy = Callable[[np.ndarray, int, np.random.Generator], np.ndarray]


def checkers_of(first: dict[int, int], second: dict[int, int]) -> np.ndarray:
    """[2, 26] from {own point: checkers}; 25 is the bar, and what is missing from 15 is off."""
    checkers = np.zeros((2, 26), np.int8)
    for board, placed in zip(checkers, (first, second), strict=True):
        for point, count in placed.items():
            board[point - 1] = count
        board[25] = 15 - board.sum()
    return checkers


def position(
    first: dict[int, int],
    second: dict[int, int],
    dice: tuple[int, int] = (0, 0),
    player: int = 0,
) -> BackgammonState:
    """A position by each side's checkers on its own points."""
    return BackgammonState(checkers_of(first, second), player, dice)


def _blots(board: np.ndarray) -> np.ndarray:
    return (board[:, :24] == 1).sum(axis=1)


def _points_made(board: np.ndarray) -> np.ndarray:
    return (board[:, :12] > 1).sum(axis=1)


# Each gives [M] how much the mover likes a board: boards [M, 2, 26], mover.
POLICIES: dict[str, Policy] = {
    "random": lambda boards, mover, rng: rng.random(len(boards)),
    "hitter": lambda boards, mover, rng: 9 * boards[:, 1 - mover, 24] + rng.random(len(boards)),
    "blocker": lambda boards, mover, rng: (
        _points_made(boards[:, mover]) - _blots(boards[:, mover]) + rng.random(len(boards))
    ),
    "runner": lambda boards, mover, rng: (
        -(boards[:, mover, 6:25] @ np.arange(1, 20)) + 9 * rng.random(len(boards))
    ),
    "generous": lambda boards, mover, rng: _blots(boards[:, mover]) + rng.random(len(boards)),
}


def features(state: BackgammonState, boards: np.ndarray) -> Counter:
    """What is special about a turn with the afterstates `boards` [M, 2, 26], so that a test can
    say that all has occurred.
    """
    mover, (high, low) = state.next_player, state.dice
    own, moves = state.checkers[mover], state.legal_moves()
    steps = len(moves[0])
    single = high != low and steps == 1
    return Counter(
        double=int(high == low),
        passed=steps == 0,
        bar=int(own[24] > 0),
        several_on_the_bar=int(own[24] > 1),
        single_die=single,
        higher_die=single and bool(_steps_with(state, low)) and bool(_steps_with(state, high)),
        part_of_a_double=high == low and 0 < steps < 4,
        bearing_off=int((boards[:, mover, 25] > own[25]).any()),
        higher_than_needed=any(end == 0 and start < low for move in moves for start, end in move),
        hit=int((boards[:, 1 - mover, 24] > state.checkers[1 - mover, 24]).any()),
    )


def _steps_with(state: BackgammonState, die: int) -> tuple:
    """The first steps that a double of this die would allow: those that one such die allows."""
    return turn_of(state.with_dice(die, die)).next_steps


def built(rng: np.random.Generator) -> Iterator[BackgammonState]:
    """Boards without a history, for ever: races and bear-offs, closed boards, checkers on
    the bar, few or many left.
    """
    while True:
        checkers = np.zeros((2, 26), np.int8)
        reach = rng.choice([4, 6, 7, 12, 24], 2)
        for player in (0, 1):
            left = int(rng.choice([1, 2, 3, 6, 10, 15]))
            on_bar = min(left, int(rng.choice([0, 0, 0, 1, 2])))
            stacked = rng.random() < 0.5
            free = [i for i in range(reach[player]) if player == 0 or not checkers[0, 23 - i]]
            checkers[player, 24] = on_bar
            checkers[player, 25] = 15 - left
            left -= on_bar
            while left and free:
                put = min(left, int(rng.integers(2, 4)) if stacked else 1)
                checkers[player, rng.choice(free)] += put
                left -= put
            checkers[player, 25] += left
        dice = rng.integers(1, 7, 2)
        try:
            state = BackgammonState(checkers, int(rng.integers(2)), tuple(dice.tolist()))
        except BadRecipe:  # somebody has everything off
            continue
        yield state
