"""The visible cases of sheet 04: numbers worked by hand, for the right answer and for every usual slip that shows there."""

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def compound() -> tuple[Case, ...]:
    """compound_return: half one step and half two; then weights that reach beyond the end."""
    # gamma 0.5. One step: 1 + 0.5 * 4 = 3. Two steps: 1 + 0.5 * 2 + 0.25 * 3 = 2.75. Half of each: 2.875.
    # The state before instead: 1 + 0.5 * 8 = 5 and 2 + 0.25 * 4 = 3, half of each 4. Values not discounted: 5 and 5; once too
    # little: 5 and 3.5. Rewards one step late: 0.5 + 2 = 2.5 and 1 + 0.75 = 1.75; in full: 3 and 3.75. gamma 0.9: 1 + 3.6 = 4.6
    # and 2.8 + 0.81 * 3 = 5.23.
    slips = {
        "off_by_one": 4.0,
        "undiscounted": 5.0,
        "short_discount": 4.25,
        "late": 2.125,
        "plain_rewards": 3.375,
        "gamma": 4.915,
    }
    first = Key(2.875, slips)
    # gamma 1. One step: 1 + 4 = 5. Two steps and more: the return, 1 + 2 = 3. 0.5 * 5 + 0.25 * 3 + 0.25 * 3 = 4.
    # The state before: 1 + 3 = 4, and 3, 3: 3.5. Weights beyond the end dropped: 2.5 + 0.75 = 3.25, renormalised / 0.75.
    # A value behind the end, 4: 2.5 + 0.25 * 7 + 0.25 * 7 = 6. gamma 0.9: 1 + 3.6 = 4.6 and 1 + 1.8 = 2.8: 2.3 + 1.4 = 3.7.
    slips = {
        "off_by_one": 3.5,
        "past_end": 3.25,
        "renormalised": 13 / 3,
        "end_value": 6.0,
        "gamma": 3.7,
    }
    second = Key(4.0, slips)
    half = (np.array([1.0, 2.0, 2.0]), np.array([8.0, 4.0, 3.0]), np.array([0.5, 0.5]), 0.5)
    return (
        Case(half, first, title="half one step, half two"),
        Case(
            (np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([0.5, 0.25, 0.0, 0.25]), 1.0),
            second,
            title="two steps until the end, weights for up to four",
        ),
    )


def mover() -> tuple[Case, ...]:
    """mover_targets: turns that alternate, then a player who moves twice, then a game that the second player ends and wins."""
    # lam 0.5, gamma 1, players 0, 1, 0, result +1. t = 2: 1. t = 1 (the other's view): -(0.5 * 0.6 + 0.5 * 1) = -0.8.
    # t = 0: -(0.5 * -0.4 + 0.5 * -0.8) = 0.6. No sign: 0.8 and 0.5 * -0.4 + 0.4 = 0.2. Only the value flipped:
    # -0.3 + 0.5 = 0.2 and 0.2 + 0.1 = 0.3. Own value: -(0.5 * -0.4 + 0.5) = -0.3 and -(0.1 - 0.15) = 0.05. A value at the end:
    # 0.3 + 0.5 = 0.8, -(0.3 + 0.4) = -0.7, -(-0.2 - 0.35) = 0.55. gamma 0.9: -0.72 and -0.9 * (-0.2 - 0.36) = 0.504.
    first = Key(
        np.array([0.6, -0.8, 1.0]),
        {
            "sign": np.array([0.2, 0.8, 1.0]),
            "half_sign": np.array([0.3, 0.2, 1.0]),
            "own_value": np.array([0.05, -0.3, 1.0]),
            "end_value": np.array([0.55, -0.7, 0.8]),
            "gamma": np.array([0.504, -0.72, 1.0]),
        },
    )
    # lam 0.25, gamma 0.5, players 0, 0, 1, the first wins. t = 2, the loser's: -1. t = 1: -0.5 * (0.75 * -0.6 - 0.25) = 0.35.
    # t = 0, the same player: 0.5 * (0.75 * 0.4 + 0.25 * 0.35) = 0.19375. No sign: -0.35 and 0.5 * (0.3 - 0.0875) = 0.10625.
    # Sign at every ply: -0.19375. Only the value: 0.5 * (0.45 - 0.25) = 0.1 and 0.5 * (0.3 + 0.025) = 0.1625. The first
    # player's result: 1, -0.5 * (-0.45 + 0.25) = 0.1, 0.1625. Own value: -0.5 * (0.3 - 0.25) = -0.025 and
    # 0.5 * (0.15 - 0.00625) = 0.071875. A value at the end: -0.45 - 0.25 = -0.7, -0.5 * (-0.45 - 0.175) = 0.3125,
    # 0.5 * (0.3 + 0.078125) = 0.1890625. lam 0.75: -0.5 * (-0.15 - 0.75) = 0.45 and 0.5 * (0.1 + 0.3375) = 0.21875.
    # gamma 0.9: 0.63 and 0.9 * (0.3 + 0.1575) = 0.41175.
    second = Key(
        np.array([0.19375, 0.35, -1.0]),
        {
            "sign": np.array([0.10625, -0.35, -1.0]),
            "alternates": np.array([-0.19375, 0.35, -1.0]),
            "half_sign": np.array([0.1625, 0.1, -1.0]),
            "result_sign": np.array([0.1625, 0.1, 1.0]),
            "own_value": np.array([0.071875, -0.025, -1.0]),
            "end_value": np.array([0.1890625, 0.3125, -0.7]),
            "swapped": np.array([0.21875, 0.45, -1.0]),
            "gamma": np.array([0.41175, 0.63, -1.0]),
        },
    )
    in_turn = (np.array([0.2, -0.4, 0.6]), np.array([0, 1, 0]), 1.0, 0.5, 1.0)
    again = (np.array([0.2, 0.4, -0.6]), np.array([0, 0, 1]), 1.0, 0.25, 0.5)
    return (
        Case(in_turn, first, title="players 0, 1, 0; the first one wins"),
        Case(again, second, title="the first player moves twice; the second moves last, and loses"),
    )


def traces() -> tuple[Case, ...]:
    """trace_history: three steps with two features, one feature, and a new episode; lam 0.5, gamma 0.8, so 0.4 a step."""
    features = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 1, 0]])
    starts = np.array([True, False, False, True])
    # Accumulating: (1, 1, 0); 0.4 of it and (0, 1, 1): (0.4, 1.4, 1); 0.4 of it and (1, 0, 0): (1.16, 0.56, 0.4); anew:
    # (0, 1, 0).
    # By 0.5: (0.5, 1.5, 1), (1.25, 0.75, 0.5). By 0.8: (0.8, 1.8, 1), (1.64, 1.44, 0.8). Not at all: (1, 2, 1), (2, 2, 1).
    # Not reset: 0.4 * (1.16, 0.56, 0.4) + (0, 1, 0). Read before the step is counted: 0.4 times the row above.
    # Replacing instead: (0.4, 1, 1), (1, 0.4, 0.4).
    one, new = [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]
    first = Key(
        np.array([one, [0.4, 1.4, 1.0], [1.16, 0.56, 0.4], new]),
        {
            "no_fade": np.array([one, [1.0, 2.0, 1.0], [2.0, 2.0, 1.0], new]),
            "only_lam": np.array([one, [0.5, 1.5, 1.0], [1.25, 0.75, 0.5], new]),
            "only_gamma": np.array([one, [0.8, 1.8, 1.0], [1.64, 1.44, 0.8], new]),
            "not_reset": np.array([one, [0.4, 1.4, 1.0], [1.16, 0.56, 0.4], [0.464, 1.224, 0.16]]),
            "late": np.array([[0.0] * 3, [0.4, 0.4, 0.0], [0.16, 0.56, 0.4], [0.0] * 3]),
            "replaces": np.array([one, [0.4, 1.0, 1.0], [1.0, 0.4, 0.4], new]),
        },
    )
    # Replacing: (1, 1, 0); (0.4, 1, 1); (1, 0.4, 0.4); (0, 1, 0). By 0.5: (0.5, 1, 1), (1, 0.5, 0.5); by 0.8: (0.8, 1, 1),
    # (1, 0.8, 0.8). Not at all: ones wherever there was one. Not reset: 0.4 * (1, 0.4, 0.4), and 1 in the middle.
    # Before the step is counted: 0.4 times the row above. Accumulating: as above. Only the features of now: those.
    second = Key(
        np.array([one, [0.4, 1.0, 1.0], [1.0, 0.4, 0.4], new]),
        {
            "no_fade": np.array([one, [1.0] * 3, [1.0] * 3, new]),
            "only_lam": np.array([one, [0.5, 1.0, 1.0], [1.0, 0.5, 0.5], new]),
            "only_gamma": np.array([one, [0.8, 1.0, 1.0], [1.0, 0.8, 0.8], new]),
            "not_reset": np.array([one, [0.4, 1.0, 1.0], [1.0, 0.4, 0.4], [0.4, 1.0, 0.16]]),
            "late": np.array([[0.0] * 3, [0.4, 0.4, 0.0], [0.16, 0.4, 0.4], [0.0] * 3]),
            "accumulates": np.array([one, [0.4, 1.4, 1.0], [1.16, 0.56, 0.4], new]),
            "clears": features.astype(float),
        },
    )
    return (
        Case(
            (features, starts, 0.5, 0.8, "accumulating"),
            first,
            title="accumulating; the fourth step starts anew",
        ),
        Case((features, starts, 0.5, 0.8, "replacing"), second, title="the same steps, replacing"),
    )


def throws() -> tuple[Case, ...]:
    """learn_throws: two games from four squares; the table has 2 for home as well, which means nothing."""
    table = np.array([2.0, 1.0, 2.0, 2.0])
    # alpha 0.5, lam 0.5. Game 1, squares 3 and 2: surprise 1 + 2 - 2 = 1, V(3) = 2.5; then home: 1 - 2 = -1 with traces
    # 0.5 and 1: V(3) = 2.25, V(2) = 1.5. Game 2, square 3, home: 1 - 2.25 = -1.25: V(3) = 1.625.
    # Trace kept: it is 0.25 + 1 on square 3 and 0.5 on square 2: V(3) = 2.25 - 0.78125, V(2) = 1.5 - 0.3125.
    # Home counted as 2: the second surprise is 1 + 2 - 2 = 1: V(3) = 2.75, V(2) = 2.5; then 3 - 2.75 = 0.25: V(3) = 2.875.
    # With the trace kept as well: V(3) = 2.75 + 0.125 * 1.25, V(2) = 2.5 + 0.0625.
    # Last throw not counted: -2 with traces 0.5, 1: V(3) = 2, V(2) = 1; then -2: V(3) = 1.
    # No fading: -1 with traces 1, 1: V(3) = 2, V(2) = 1.5; then -1: V(3) = 1.5. No trace: V(3) = 2.5, V(2) = 1.5; then -1.5:
    # V(3) = 1.75. One step late: game 1: nothing, then -1 with 0.5 on square 3: V(3) = 1.75; game 2: nothing.
    first = Key(
        np.array([2.0, 1.0, 1.5, 1.625]),
        {
            "not_reset": np.array([2.0, 1.0, 1.1875, 1.46875]),
            "home": np.array([2.0, 1.0, 2.5, 2.875]),
            "hasty": np.array([2.0, 1.0, 2.5625, 2.90625]),
            "last_throw": np.array([2.0, 1.0, 1.0, 1.0]),
            "no_fade": np.array([2.0, 1.0, 1.5, 1.5]),
            "td_0": np.array([2.0, 1.0, 1.5, 1.75]),
            "late": np.array([2.0, 1.0, 2.0, 1.75]),
            "home_changed": np.array([0.0, 1.0, 1.5, 1.625]),
        },
    )
    # One game that is over at once, from square 2: 1 - 2 = -1, V(2) = 1.5. Home counted: 1 + 2 - 2 = 1, V(2) = 2.5. Last throw
    # not counted: -2, V(2) = 1. Late: nothing.
    second = Key(
        np.array([2.0, 1.0, 1.5, 2.0]),
        {
            "home": np.array([2.0, 1.0, 2.5, 2.0]),
            "hasty": np.array([2.0, 1.0, 2.5, 2.0]),
            "last_throw": np.array([2.0, 1.0, 1.0, 2.0]),
            "late": table,
            "home_changed": np.array([0.0, 1.0, 1.5, 2.0]),
        },
    )
    return (
        Case(
            (table, [[3, 2], [3]], 0.5, 0.5),
            first,
            title="two games: from 3 to 2 to home, then from 3 straight home",
        ),
        Case((table, [[2]], 0.5, 0.5), second, title="one throw from square 2 to home"),
    )


def watkins() -> tuple[Case, ...]:
    """q_lambda: three states in a row, all actions greedy; then the same with a second action that explores."""
    q = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 4.0]])
    states, rewards = np.array([0, 1, 2]), np.array([0.0, 0.0, 2.0])
    # alpha 0.5, lam 0.5, gamma 0.5, so 0.25 a step. Surprises 0.5 * 2 - 1 = 0; 0.5 * 4 - 2 = 0; 2 - 4 = -2, which goes with
    # 1 to q(2, 1) = 3, with 0.25 to q(1, 0) = 1.75, with 0.0625 to q(0, 0) = 0.9375. A value at the end: 2 + 0.5 * 4 - 4 = 0,
    # nothing changes. No fading: -1 for all. Fading by 0.5 alone: -0.5 and -0.25.
    first = Key(
        np.array([[0.9375, 0.0], [1.75, 0.0], [0.0, 3.0]]),
        {
            "end_value": q,
            "no_fade": np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 3.0]]),
            "only_lam": np.array([[0.75, 0.0], [1.5, 0.0], [0.0, 3.0]]),
        },
    )
    # gamma 1, and action 1 in state 1, worth 0 where 2 is best: it explores. Surprise 2 - 1 = 1: q(0, 0) = 1.5. Then all
    # traces go; surprise 4 - 0 = 4: q(1, 1) = 2. Then 2 - 4 = -2 with 1 and 0.5: q(2, 1) = 3, q(1, 1) = 1.5.
    # Never cut: q(0, 0) also gets 0.5 * 0.5 * 4 = 1 and 0.5 * 0.25 * -2 = -0.25: 2.25. Cut after the update: the 1, not the
    # -0.25, and q(1, 1) keeps 2. Its own trace cut as well: q(1, 1) stays 0. The next action's value: surprise 0 - 1 = -1,
    # q(0, 0) = 0.5. A value at the end: 2 + 4 - 4 = 2 with 1 and 0.5: 5 and 2.5. No fading: -2 with 1 and 1: q(1, 1) = 1.
    second = Key(
        np.array([[1.5, 0.0], [2.0, 1.5], [0.0, 3.0]]),
        {
            "never_cut": np.array([[2.25, 0.0], [2.0, 1.5], [0.0, 3.0]]),
            "cut_late": np.array([[2.5, 0.0], [2.0, 2.0], [0.0, 3.0]]),
            "cut_itself": np.array([[1.5, 0.0], [2.0, 0.0], [0.0, 3.0]]),
            "sarsa": np.array([[0.5, 0.0], [2.0, 1.5], [0.0, 3.0]]),
            "end_value": np.array([[1.5, 0.0], [2.0, 2.5], [0.0, 5.0]]),
            "no_fade": np.array([[1.5, 0.0], [2.0, 1.0], [0.0, 3.0]]),
        },
    )
    # As the first, but both actions of state 1 are worth 2 and the second one is played: it does not explore, and the numbers are
    # those of the first case. Cut there, q(0, 0) hears nothing of the end.
    equal = np.array([[1.0, 0.0], [2.0, 2.0], [0.0, 4.0]])
    third = Key(
        np.array([[0.9375, 0.0], [2.0, 1.75], [0.0, 3.0]]),
        {
            "tie": np.array([[1.0, 0.0], [2.0, 1.75], [0.0, 3.0]]),
            "end_value": equal,
            "no_fade": np.array([[0.0, 0.0], [2.0, 1.0], [0.0, 3.0]]),
            "only_lam": np.array([[0.75, 0.0], [2.0, 1.5], [0.0, 3.0]]),
        },
    )
    # alpha, lam, gamma 0.5; rewards -2, 0, 2. Surprise -2 + 0.5 * 0 - 1 = -3: q(0, 0) = -0.5. State 1: 0.5 * 0.5 - 0 = 0.25 with 1
    # and 0.25: q(1, 0) = 0.125, q(0, 0) = -0.46875. Back in state 0 the action is now worse than the other, 0.5: it explores, all
    # is forgotten, 2 + 0.46875 = 2.46875: q(0, 0) = 0.765625. By the table as it was it is the best: traces 1.0625 and 0.25, so
    # 0.8427734375 and 0.43359375, as if nothing were ever cut. Cut after the update: the same. Its own trace cut: -0.46875 stays.
    # The next action's value: q(1, 0) = 0.5 * (0.5 * -0.5) = -0.125, q(0, 0) = -0.53125; then 2.53125: 0.734375. A value at the
    # end, 0.25: 2.71875. No fading: q(0, 0) = -0.375; 2.375: 0.8125. By 0.5 alone: -0.4375; 2.4375: 0.78125.
    loses = np.array([[1.0, 0.5], [0.0, -1.0]])
    kept = np.array([[0.8427734375, 0.5], [0.43359375, -1.0]])
    slips = {
        "no_fade": (0.8125, 0.125),
        "only_lam": (0.78125, 0.125),
        "cut_itself": (-0.46875, 0.125),
        "sarsa": (0.734375, -0.125),
    }
    slips |= {"end_value": (-0.46875 + 0.5 * 2.71875, 0.125)}
    moved = {slip: np.array([[one, 0.5], [two, -1.0]]) for slip, (one, two) in slips.items()}
    fourth = Key(
        np.array([[0.765625, 0.5], [0.125, -1.0]]),
        {**moved, "stale_table": kept, "never_cut": kept, "cut_late": kept},
    )
    back = (np.array([0, 1, 0]), np.array([0, 0, 0]), np.array([-2.0, 0.0, 2.0]))
    return (
        Case(
            (q, states, np.array([0, 0, 1]), rewards, 0.5, 0.5, 0.5),
            first,
            title="all actions greedy, gamma 0.5",
        ),
        Case(
            (q, states, np.array([0, 1, 1]), rewards, 0.5, 0.5, 1.0),
            second,
            title="the second action explores, gamma 1",
        ),
        Case(
            (equal, states, np.array([0, 1, 1]), rewards, 0.5, 0.5, 0.5),
            third,
            title="two actions are equally good",
        ),
        Case(
            (loses, *back, 0.5, 0.5, 0.5),
            fourth,
            title="an action that was the best and is not any more",
        ),
    )
