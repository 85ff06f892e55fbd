"""The visible cases of sheet 07, worked by hand."""

from typing import Any

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def points() -> tuple[Case, ...]:
    """points_advantages of games that the second and the first player have won and of a draw, each
    by another count.
    """
    # Expected points 0.5 * 3 + 0.3 = 1.8; 2.0; 0.8. The second player has won: 0, 3, 3.
    outputs = np.array([[0.5, 0.3, 0.2], [0.6, 0.2, 0.2], [0.1, 0.5, 0.4]])
    # Win 5, draw 2, loss 1: expected 0.2 * 5 + 0.5 * 2 + 0.3 = 2.3, and 3. The second player, who
    # moves first here, has lost: 1, and 5.
    other = np.array([[0.2, 0.5, 0.3], [0.4, 0.4, 0.2]])
    # Win 3, draw 1.5: expected 2.1, 1.2 and 1.8; both get 1.5.
    drawn = np.array([[0.6, 0.2, 0.2], [0.2, 0.4, 0.4], [0.4, 0.4, 0.2]])
    return (
        Case(
            (outputs, np.array([0, 1, 1]), -1, (3, 1, 0)),
            Key(np.array([-1.8, 1.0, 2.2])),
            title="the second player has won, who moved twice",
        ),
        Case(
            (other, np.array([1, 0]), 1, (5, 2, 1)),
            Key(np.array([-1.3, 2.0])),
            title="a win counts 5, a draw 2, a loss 1; the first has won",
        ),
        Case(
            (drawn, np.array([0, 1, 1]), 0, (3, 1.5, 0)),
            Key(np.array([-0.6, 0.3, -0.3])),
            title="a draw, which counts 1.5",
        ),
    )


def weights() -> tuple[Case, ...]:
    """batch_weights of two games with one forced move, of two games whose spread is below the
    floor, and of three games with a larger spread.
    """
    # Without the forced 0.6: mean 0.8 / 4 = 0.2, deviations 0.7, 0.1, -0.1, -0.7,
    # mean square 1 / 4, spread 0.5.
    two = [np.array([0.9, 0.6, 0.3]), np.array([0.1, -0.5])]
    options = [np.array([3, 1, 2]), np.array([2, 4])]
    return (
        Case(
            (two, options, 0.1),
            Key([np.array([1.4, 0.0, 0.2]), np.array([-0.2, -1.4])]),
            title="two games, the second move is forced",
        ),
        # Mean 0.5, spread 0.02, less than the floor 0.1.
        Case(
            ([np.array([0.52, 0.48])], [np.array([2, 2])], 0.1),
            Key([np.array([0.2, -0.2])]),
            title="one game, the advantages nearly alike",
        ),
        # Mean 1, spread 0.5, less than the floor 2.
        Case(
            ([np.array([1.5, 0.5])], [np.array([2, 2])], 2.0),
            Key([np.array([0.25, -0.25])]),
            title="one game, whose spread 0.5 is below the floor 2",
        ),
        # Mean 1, all deviations 2 or -2; the games' own means are 3, -1 and -1.
        Case(
            (
                [np.array([3.0, 3.0]), np.array([-1.0]), np.array([-1.0])],
                [np.array([3, 2]), np.array([2]), np.array([2])],
                0.5,
            ),
            Key([np.array([1.0, 1.0]), np.array([-1.0]), np.array([-1.0])]),
            title="three games, no forced move, spread 2",
        ),
    )


def gradient() -> tuple[Case, ...]:
    """two_headed_gradient of one decision with one hidden number, and of two with two of them.

    With z = log(3) / 2 the value is tanh(z) = (3 - 1) / (3 + 1) = 1/2, the slope 1 - 1/4 = 3/4.
    """
    half, two = np.log(3) / 2, np.log(2)
    # pi = (3/4, 1/4), value 1/2. Move 0, return 1: advantage 1/2. Policy: 1 * 1/2 * (3/4 - 1) for
    # logit 0. Value: 0.5 * 2 * (1/2 - 1) * 3/4.
    push, pull = -0.125, -0.375
    first = (
        np.array([[push * 2 * half + pull * half]]),
        np.array([[push, -push]]),
        np.array([pull]),
    )
    # Hidden (1, 1): odds 2, 1, 2, pi = (0.4, 0.2, 0.4), value 0. Move 2 won, advantage 1: policy
    # 2 * 1 * (0.4, 0.2, -0.6), value 1.5 * 2 * -1 * 1 = -3; half of all for the mean.
    # Hidden (0, 1): odds 1, 1, 2, pi = (1/4, 1/4, 1/2), value -1/2. Move 1 lost, advantage -1/2:
    # policy 2 * -1/2 * (1/4, -3/4, 1/2), value 1.5 * 2 * 1/2 * 3/4 = 1.125; half of all.
    logits = np.array([[0.4, 0.2, -0.6], [-0.125, 0.375, -0.25]])
    z = np.array([-1.5, 0.5625])
    back = two * logits[:, [0, 2]] + half * np.column_stack([z, -z])
    second = (
        np.array([back[0], back[1], 2 * back[0] + back[1]]),
        np.array([logits[0], logits[0] + logits[1]]),
        np.array([z[0], z[0] + z[1]]),
    )
    return (
        Case(
            (
                np.array([[1.0]]),
                np.array([[1.0]]),
                np.array([[2 * half, 0.0]]),
                np.array([half]),
                np.array([0]),
                np.array([1.0]),
                (1.0, 0.5),
            ),
            Key(first),
            title="one decision, advantage 1/2, weights 1 and 0.5",
        ),
        Case(
            (
                np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]]),
                np.array([[1.0, -1.0], [0.0, 0.0], [0.0, 1.0]]),
                np.array([[two, 0.0, 0.0], [0.0, 0.0, two]]),
                np.array([half, -half]),
                np.array([2, 1]),
                np.array([1.0, -1.0]),
                (2.0, 1.5),
            ),
            Key(second),
            title="two decisions, three inputs, two hidden numbers, three moves; weights 2 and 1.5",
        ),
    )


TWO_MOVES = np.array([[0.5, 0.5], [0.25, 0.75]])  # [states, moves]: a policy
THREE_MOVES = np.array([[0.25, 0.25, 0.5], [0.5, 0.25, 0.25]])


def _recorder_case(
    script: list[tuple],
    moves: list[int],
    rows: list[tuple],
    title: str,
    policy: np.ndarray = TWO_MOVES,
) -> Case:
    """moves: of every select_move; rows: at the end."""
    left = iter(moves)
    results = [next(left) if name == "select_move" else None for name, _ in script]
    right: list[Any] = [*results, np.array(rows, float)]
    values = np.array([0.5, -0.25])
    return Case((policy, values), Key(right), script=(*script, ("rows", ())), title=title)


def recording() -> tuple[Case, ...]:
    """Recorder with two states: one game, two games, a game that was given up, and three moves."""
    # State 0, u 0.6 is past 0.5: move 1; state 1, u 0.2 is below 0.25: move 0.
    # Won: 1 - 0.5 and 1 + 0.25.
    game = [
        ("begin_episode", ()),
        ("select_move", (0, 0.6)),
        ("select_move", (1, 0.2)),
        ("complete_episode", (1.0,)),
    ]
    rows = [(0, 1, 1, 0.5), (1, 0, 1, 1.25)]
    # Then state 1, u 0.5: move 1, lost: -1 + 0.25.
    second = [("begin_episode", ()), ("select_move", (1, 0.5)), ("complete_episode", (-1.0,))]
    # Outside a game: state 1, u 0.1: move 0. A game is begun and given up after state 0.
    # Then state 0, u 0.1: move 0, and the critic goes from 0.5 to -0.5 before the game is
    # won: 1 - 0.5, not 1 + 0.5.
    given_up = [
        ("select_move", (1, 0.1)),
        ("begin_episode", ()),
        ("select_move", (0, 0.9)),
        ("begin_episode", ()),
        ("select_move", (0, 0.1)),
        ("set_value", (0, -0.5)),
        ("complete_episode", (1.0,)),
    ]
    # State 0, u 0.25 is not below 0.25: move 1. Then the critic goes from 0.5 to -0.5; u 0.6 is past
    # 0.5: move 2. State 1, u 0.3: move 0. Lost: -1 - 0.5, -1 + 0.5, -1 + 0.25. Then u 0.5: move 1.
    bounds = [
        ("begin_episode", ()),
        ("select_move", (0, 0.25)),
        ("set_value", (0, -0.5)),
        ("select_move", (0, 0.6)),
        ("select_move", (1, 0.3)),
        ("complete_episode", (-1.0,)),
        ("select_move", (1, 0.5)),
    ]
    learnt = [(0, 1, -1, -1.5), (0, 2, -1, -0.5), (1, 0, -1, -0.75)]
    return (
        _recorder_case(game, [1, 0], rows, "one game of two moves, won"),
        _recorder_case(
            [*game, *second, ("begin_episode", ())],
            [1, 0, 1],
            [*rows, (1, 1, -1, -0.75)],
            "a game that is won, one that is lost, and a third one begun",
        ),
        _recorder_case(
            given_up,
            [0, 1, 0],
            [(0, 0, 1, 0.5)],
            "a move outside a game, a game given up, a critic that learns",
        ),
        _recorder_case(
            bounds,
            [1, 2, 0, 1],
            learnt,
            "three moves, u just on a bound, a state twice, a move after the game",
            THREE_MOVES,
        ),
    )


def exact() -> tuple[Case, ...]:
    """exact_advantages of the four positions of the picture, of one position with a forbidden
    move, of two moves that lead to the same position, and of one that leads to a lost one.
    """
    leads = np.array([[1, 2], [-1, 3], [3, -1], [-1, -1]])
    reward = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    policy = np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0], [0.5, 0.5]])
    # From the end: position 3 is worth 1/2. Position 1: 1 or -1/2, half each: 1/4. Position 2:
    # -1/2. Position 0: -1/4 or 1/2: (-1/4 + 3/2) / 4 = 5/16.
    four = (
        np.array([5 / 16, 0.25, -0.5, 0.5]),
        np.array([[-9 / 16, 3 / 16], [0.75, -0.75], [0.0, 0.0], [0.5, -0.5]]),
    )
    # Move 0 loses at once, a quarter of the time, move 1 wins, move 2 is
    # not allowed: 3/4 - 1/4 = 1/2.
    only = np.array([[-1, -1, -1]]), np.array([[-1.0, 1.0, 1.0]]), np.array([[0.25, 0.75, 0.0]])
    # Position 1 is worth 1/2. Position 0: -1/2 in three quarters, else a draw: -3/8.
    joined = (
        np.array([[1, 1, -1], [-1, -1, -1]]),
        np.array([[0.0, 0.0, 0.0], [1.0, 0.0, -1.0]]),
        np.array([[0.5, 0.25, 0.25], [0.5, 0.5, 0.0]]),
    )
    two = (
        np.array([-0.375, 0.5]),
        np.array([[-0.125, -0.125, 0.375], [0.5, -0.5, 0.0]]),
    )
    return (
        Case((leads, reward, policy), Key(four), title="the four positions of the picture"),
        Case(
            only,
            Key((np.array([0.5]), np.array([[-1.5, 0.5, 0.0]]))),
            title="one position: a move that loses, one that wins, one that is not allowed",
        ),
        Case(
            joined,
            Key(two),
            title="two positions; two of three moves lead to the other, one ends in a draw",
        ),
        # In position 1 the only move loses. So in position 0 move 0 wins, three quarters of the
        # time, and move 1 loses at once: 3/4 - 1/4 = 1/2. Move 2 would win, but is not allowed.
        Case(
            (
                np.array([[1, -1, 1], [-1, -1, -1]]),
                np.array([[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0]]),
                np.array([[0.75, 0.25, 0.0], [1.0, 0.0, 0.0]]),
            ),
            Key((np.array([0.5, -1.0]), np.array([[0.5, -1.5, 0.0], [0.0, 0.0, 0.0]]))),
            title="two positions; one move leads to the other, in which the only move loses, and one "
            "that is not allowed would",
        ),
    )
