"""The visible cases of sheet 04, worked by hand."""

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def compound() -> tuple[Case, ...]:
    """compound_return: half one step and half two; then weights that reach beyond the end."""
    # gamma 0.5. One step: 1 + 0.5 * 4 = 3. Two steps: 1 + 0.5 * 2 + 0.25 * 3 =
    # 2.75. Half of each: 2.875.
    half = (np.array([1.0, 2.0, 2.0]), np.array([8.0, 4.0, 3.0]), np.array([0.5, 0.5]), 0.5)
    # gamma 0.25. One step: 1 + 0.25 * 4 = 2. Two steps and more: the return, 1 + 0.25 * 2 = 1.5.
    # 0.5 * 2 + 0.25 * 1.5 + 0.25 * 1.5 = 1.75.
    ends = np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([0.5, 0.25, 0.0, 0.25]), 0.25
    return (
        Case(half, Key(2.875), title="half one step, half two"),
        Case(ends, Key(1.75), title="two steps until the end, weights for up to four"),
    )


def mover() -> tuple[Case, ...]:
    """mover_targets: turns that alternate, begun by the second player, then a player who moves
    twice. The second player moves last, and loses; then they win; then the first one does.
    """
    # lam 0.5, gamma 1, players 1, 0, 1, the first wins. t = 2, the loser's: -1. t = 1 (the other's
    # view): -(0.5 * 0.6 - 0.5 * 1) = 0.2. t = 0: -(0.5 * -0.4 + 0.5 * 0.2) = 0.1.
    in_turn = (np.array([0.2, -0.4, 0.6]), np.array([1, 0, 1]), 1.0, 0.5, 1.0)
    # lam 0.25, gamma 0.5, players 0, 1, 1, the second wins. t = 2: 1. t = 1, the same player:
    # 0.5 * (0.75 * -0.6 + 0.25 * 1) = -0.1. t = 0: -0.5 * (0.75 * 0.4 - 0.25 * 0.1) = -0.1375.
    again = (np.array([0.2, 0.4, -0.6]), np.array([0, 1, 1]), -1.0, 0.25, 0.5)
    # lam 0.25, gamma 1, players 1, 1, 0, the first wins. t = 2: 1. t = 1: -(0.75 * 0.5 + 0.25 * 1)
    # = -0.625. t = 0, the same player: 0.75 * -0.2 - 0.25 * 0.625 = -0.30625.
    won = (np.array([0.3, -0.2, 0.5]), np.array([1, 1, 0]), 1.0, 0.25, 1.0)
    return (
        Case(in_turn, Key(np.array([0.1, 0.2, -1.0])), title="players 1, 0, 1; player 0 wins"),
        Case(
            again,
            Key(np.array([-0.1375, -0.1, 1.0])),
            title="the second player moves twice, last as well, and wins",
        ),
        Case(
            won,
            Key(np.array([-0.30625, -0.625, 1.0])),
            title="the second player moves twice, then the first one wins",
        ),
    )


def traces() -> tuple[Case, ...]:
    """trace_history: three steps with two features, one feature, and a new episode; then an
    episode of one step. lam 0.25, gamma 0.8, so 0.2 a step.
    """
    features = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 1, 0]])
    starts = np.array([True, False, False, True])
    one, new = [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]
    once = np.array([[1, 0], [0, 1], [1, 0]])
    return (
        # (1, 1, 0); 0.2 of it and (0, 1, 1): (0.2, 1.2, 1); 0.2 of it and (1, 0, 0): (1.04,
        # 0.24, 0.2); anew: (0, 1, 0).
        Case(
            (features, starts, 0.25, 0.8, "accumulating"),
            Key(np.array([one, [0.2, 1.2, 1.0], [1.04, 0.24, 0.2], new])),
            title="accumulating; the fourth step starts anew",
        ),
        # (1, 1, 0); (0.2, 1, 1); (1, 0.2, 0.2); (0, 1, 0).
        Case(
            (features, starts, 0.25, 0.8, "replacing"),
            Key(np.array([one, [0.2, 1.0, 1.0], [1.0, 0.2, 0.2], new])),
            title="the same steps, replacing",
        ),
        # (1, 0); anew: (0, 1); 0.2 of it and (1, 0): (1, 0.2).
        Case(
            (once, np.array([True, True, False]), 0.25, 0.8, "accumulating"),
            Key(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.2]])),
            title="an episode of one step",
        ),
    )


def throws() -> tuple[Case, ...]:
    """learn_throws: two games from a table of six squares; it has 7 for home as
    well, which means nothing.
    """
    table = np.array([7.0, 2.0, 4.0, 1.0, 3.0, 5.0])
    return (
        # alpha 0.25, lam 0.4. Game 1, square 5: surprise 1 + 1 - 5 = -3, V(5) = 4.25. Square 3:
        # 1 + 4 - 1 = 4 with traces 0.4 and 1: V(5) = 4.65, V(3) = 2. Square 2, home: 1 - 4 = -3
        # with 0.16, 0.4 and 1: V(5) = 4.53, V(3) = 1.7, V(2) = 3.25. Game 2, square 3:
        # 1 + 2 - 1.7 = 1.3, V(3) = 2.025. Square 1, home: 1 - 2 = -1 with 0.4 and 1: V(3) = 1.925,
        # V(1) = 1.75.
        Case(
            (table, [[5, 3, 2], [3, 1]], 0.25, 0.4),
            Key(np.array([7.0, 1.75, 3.25, 1.925, 3.0, 4.53])),
            title="two games: from 5 to 3 to 2 to home, then from 3 to 1 to home",
        ),
        # One game that is over at once, from square 4: 1 - 3 = -2, V(4) = 2.
        Case(
            (table, [[4]], 0.5, 0.5),
            Key(np.array([7.0, 2.0, 4.0, 1.0, 2.0, 5.0])),
            title="one throw from square 4 to home",
        ),
    )


def watkins() -> tuple[Case, ...]:
    """q_lambda: three states in a row, all actions greedy; then the same with a
    second action that explores; ties, two changes of mind, and an action that is played again.
    """
    q = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 4.0]])
    states, rewards = np.array([0, 1, 2]), np.array([0.0, 0.0, 2.0])
    equal = np.array([[1.0, 0.0], [2.0, 2.0], [0.0, 4.0]])
    loses = np.array([[1.0, 0.5], [0.0, -1.0]])
    back = (np.array([0, 1, 0]), np.array([0, 0, 0]), np.array([-2.0, 0.0, 2.0]))
    stays = (np.zeros(4, int), np.zeros(4, int), np.array([-2.0, 1.5, 0.775, 2.0]))
    return (
        # alpha 0.25, lam 0.4, gamma 0.5, so 0.2 a step. Surprises 0.5 * 2 - 1 = 0; 0.5 * 4 - 2 =
        # 0; 2 - 4 = -2, which goes with 1 to q(2, 1) = 3.5, with 0.2 to q(1, 0) = 1.9, with
        # 0.04 to q(0, 0) = 0.98.
        Case(
            (q, states, np.array([0, 0, 1]), rewards, 0.25, 0.4, 0.5),
            Key(np.array([[0.98, 0.0], [1.9, 0.0], [0.0, 3.5]])),
            title="all actions greedy, gamma 0.5",
        ),
        # gamma 1, and action 1 in state 1, worth 0 where 2 is best: it explores. Surprise 2 - 1 =
        # 1: q(0, 0) = 1.25. Then all traces go; surprise 4 - 0 = 4: q(1, 1) = 1. Then 2 - 4 = -2
        # with 1 and 0.4: q(2, 1) = 3.5, q(1, 1) = 0.8.
        Case(
            (q, states, np.array([0, 1, 1]), rewards, 0.25, 0.4, 1.0),
            Key(np.array([[1.25, 0.0], [2.0, 0.8], [0.0, 3.5]])),
            title="the second action explores, gamma 1",
        ),
        # As the first, but both actions of state 1 are worth 2 and the second one is played: it
        # does not explore, and the numbers are those of the first case.
        Case(
            (equal, states, np.array([0, 1, 1]), rewards, 0.25, 0.4, 0.5),
            Key(np.array([[0.98, 0.0], [2.0, 1.9], [0.0, 3.5]])),
            title="two actions are equally good",
        ),
        # alpha, lam, gamma 0.5; rewards -2, 0, 2. Surprise -2 + 0.5 * 0 - 1 = -3: q(0, 0) = -0.5.
        # State 1: 0.5 * 0.5 - 0 = 0.25 with 1 and 0.25: q(1, 0) = 0.125, q(0, 0) = -0.46875. Back
        # in state 0 the action is now worse than the other, 0.5: it explores, all is forgotten, 2 +
        # 0.46875 = 2.46875: q(0, 0) = 0.765625.
        Case(
            (loses, *back, 0.5, 0.5, 0.5),
            Key(np.array([[0.765625, 0.5], [0.125, -1.0]])),
            title="an action that was the best and is not any more",
        ),
        # alpha 0.25, lam 0.4, gamma 1; rewards 0, 3. Surprise 2 - 2 = 0. Then 3 - 2 = 1 with the
        # trace 0.4 + 1: q(1, 0) = 2 + 0.25 * 1.4 = 2.35.
        Case(
            (q[:2], np.array([1, 1]), np.array([0, 0]), np.array([0.0, 3.0]), 0.25, 0.4, 1.0),
            Key(np.array([[1.0, 0.0], [2.35, 0.0]])),
            title="the same action twice",
        ),
        # alpha, lam, gamma 0.5; rewards -2, 1.5, 0.775, 2. Surprise -2 + 0.5 * 1 - 1 = -2.5: -0.25, and
        # now the action is worse than the other: it explores. 1.5 + 0.5 * 0.5 + 0.25 = 2 with 1 alone:
        # 0.75. It is the best again: 0.775 + 0.5 * 0.75 - 0.75 = 0.4 with 0.25 + 1: 1. Then 2 - 1 = 1
        # with 0.25 * 1.25 + 1 = 1.3125: 1.65625.
        Case(
            (loses[:1], *stays, 0.5, 0.5, 0.5),
            Key(np.array([[1.65625, 0.5]])),
            title="the same action four times, the second time it explores",
        ),
    )
