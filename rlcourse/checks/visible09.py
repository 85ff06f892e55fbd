"""The visible cases of sheet 09: numbers worked by hand, for the right answer and for every usual slip that shows there."""

from math import erf, sqrt

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case


def chances() -> tuple[Case, ...]:
    """search_chances at the temperatures 1, 1/2 and 0; then between two halvings, and after the end."""
    # Temperatures 1, 1/2, 0: visits to the power 1, 2; then the two moves with 2 visits. Q are logarithms of 1 and 2, so that
    # exp(Q) is 1 or 2, exp(Q / 0.5) 1 or 4. Upside down: square roots. In exp: e^n, e^(2n). Without an end the third
    # temperature is 1/8: 2^8 = 256 to 1; so it is where the end begins a ply late. 0, 4 and 12 divide by 4: steps do not show.
    visits, ply = np.array([[1, 3, 4], [1, 2, 1], [2, 1, 2]]), np.array([0, 4, 12])
    q = np.log([[1, 2, 1], [2, 1, 1], [1, 2, 1]])
    shares, squares, both = _shares([1, 3, 4], [1, 2, 1], [2, 1, 2]), [1, 4, 1], [1, 0, 1]
    logits = _shares([1, np.exp(2), np.exp(3)], [1, np.exp(2), 1], both)
    unended = (shares, _shares([1, 3, 4], squares, [256, 1, 256]))
    right = _shares([1, 3, 4], squares, both)
    first = Key(
        (shares, right),
        {
            "from_q": (
                _shares([1, 2, 1], [2, 1, 1], [1, 2, 1]),
                _shares([1, 2, 1], [4, 1, 1], [0, 1, 0]),
            ),
            "best_q": (shares, _shares([1, 3, 4], squares, [0, 1, 0])),
            "inverted": (shares, _shares([1, 3, 4], [1, sqrt(2), 1], both)),
            "softmax": (shares, logits),
            "learned": (right, right),
            "first_tie": (shares, _shares([1, 3, 4], squares, [1, 0, 0])),
            "no_end": unended,
            "late": unended,
        },
    )
    # Ply 6 with halving 4: the power is 2^1.5, in steps 2^1. Ply 9 is over the end; without it the power were 2^2.25.
    # exp(Q) is 1 to 3 and 1 to 2; the move without visits is not in it.
    power, later = 2**1.5, 2**2.25
    visits_two, q_two = np.array([[4, 0, 1], [0, 3, 1]]), np.log([[1, 1, 3], [1, 1, 2]])
    plain, top = _shares([4, 0, 1], [0, 3, 1]), [0, 1, 0]
    right = _shares([4**power, 0, 1], top)
    second = Key(
        (plain, right),
        {
            "from_q": (_shares([1, 0, 3], [0, 1, 2]), _shares([1, 0, 3**power], [0, 0, 1])),
            "best_q": (plain, _shares([4**power, 0, 1], [0, 0, 1])),
            "inverted": (plain, _shares([4 ** (1 / power), 0, 1], top)),
            "softmax": (plain, _shares([np.exp(4 * power), 1, np.exp(power)], top)),
            "learned": (right, right),
            "no_end": (plain, _shares([4**power, 0, 1], [0, 3**later, 1])),
            "steps": (plain, _shares([16, 0, 1], top)),
        },
    )
    return (
        Case((visits, q, ply, 4.0, 12), first, title="plies 0, 4 and 12, halving = 4, end = 12"),
        Case(
            (visits_two, q_two, np.array([6, 9]), 4.0, 8),
            second,
            title="plies 6 and 9, halving = 4, end = 8",
        ),
    )


def hexes() -> tuple[Case, ...]:
    """hex_examples of one stone on a board of 2 x 2 (the picture), then of a position of each player on 3 x 3."""
    # The one stone, above on the right, is the other player's: mirrored along the diagonal it lies below on the left, as -1.
    # Shares 0.1, 0, 0.2, 0.3 of the points in rows: mirrored 0.1, 0.2, 0, 0.3; turned 0.3, 0, 0.2, 0.1. The swap keeps 0.4.
    boards, policies = np.array([[[0, 1], [0, 0]]]), np.array([[0.1, 0.0, 0.2, 0.3, 0.4]])
    below, above = [[0, 0], [-1, 0]], [[0, -1], [0, 0]]
    given, mirrored = [0.1, 0, 0.2, 0.3, 0.4], [0.1, 0.2, 0, 0.3, 0.4]
    turned, given_turned = [0.3, 0, 0.2, 0.1, 0.4], [0.3, 0.2, 0, 0.1, 0.4]
    first = Key(
        _examples([below, above], [mirrored, turned], [-1, -1]),
        {
            "policy_alone": _examples([below, above], [given, given], [-1, -1]),
            "policy_view": _examples([below, above], [given, given_turned], [-1, -1]),
            "policy_turn": _examples([below, above], [mirrored, mirrored], [-1, -1]),
            "colours": _examples(
                [[[0, 0], [1, 0]], [[0, 1], [0, 0]]], [mirrored, turned], [-1, -1]
            ),
            "board_view": _examples([above, below], [given, given_turned], [-1, -1]),
            "flip": _examples(
                [below, [[-1, 0], [0, 0]]], [mirrored, [0, 0.3, 0.1, 0.2, 0.4]], [-1, -1]
            ),
            "quarter": _examples(
                [below, [[0, 0], [0, -1]]], [mirrored, [0.2, 0.3, 0.1, 0, 0.4]], [-1, -1]
            ),
            "swap_moves": _examples([below, above], [mirrored, [0.4, 0.3, 0, 0.2, 0.1]], [-1, -1]),
            "z_first": _examples([below, above], [mirrored, turned], [1, 1]),
            "z_turn": _examples([below, above], [mirrored, turned], [-1, 1]),
        },
    )
    # Points are numbered in rows, 0 to 8: turned k is 8 - k, mirrored 3i + j is 3j + i, flipped 3 (2 - i) + j, a quarter
    # turn takes (i, j) to (2 - j, i). Player 0's position needs no mirror: 1, 6 turned 7, 2, flipped 7, 0, by a quarter 3, 8.
    # Player 1's: 2, 7, 4 mirrored 6, 5, 4; these turned 2, 3, 4, flipped 0, 5, 4, by a quarter 8, 1, 4; unmirrored and
    # turned 6, 1, 4.
    zero, one = [[1, 0, 0], [0, 0, -1], [0, 0, 0]], [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]
    zero_turned, seen = [[0, 0, 0], [-1, 0, 0], [0, 0, 1]], [[0, 1, 0], [-1, 0, 0], [0, 0, -1]]
    seen_turned = [[-1, 0, 0], [0, 0, -1], [0, 1, 0]]
    kept, kept_turned = [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [[1, 0, 0], [0, 0, 1], [0, -1, 0]]
    unmirrored, unmirrored_turned = (
        [[0, -1, 0], [1, 0, 0], [0, 0, -1]],
        [[-1, 0, 0], [0, 0, 1], [0, -1, 0]],
    )
    zero_flipped, seen_flipped = (
        [[0, 0, 0], [0, 0, -1], [1, 0, 0]],
        [[0, 0, -1], [-1, 0, 0], [0, 1, 0]],
    )
    zero_quarter, seen_quarter = (
        [[0, -1, 0], [0, 0, 0], [1, 0, 0]],
        [[0, 0, -1], [1, 0, 0], [0, -1, 0]],
    )
    views, z = [zero, seen, zero_turned, seen_turned], [-1, 1, -1, 1]
    right = [_pair(1, 6), _three(6, 5, 4), _pair(7, 2), _three(2, 3, 4)]
    raw = [_pair(1, 6), _three(2, 7, 4)]
    second = Key(
        _examples(views, right, z),
        {
            "policy_alone": _examples(views, [*raw, *raw], z),
            "policy_view": _examples(views, [*raw, _pair(7, 2), _three(6, 1, 4)], z),
            "policy_turn": _examples(views, [*right[:2], *right[:2]], z),
            "colours": _examples([zero, kept, zero_turned, kept_turned], right, z),
            "board_view": _examples(
                [zero, unmirrored, zero_turned, unmirrored_turned],
                [*raw, _pair(7, 2), _three(6, 1, 4)],
                z,
            ),
            "flip": _examples(
                [zero, seen, zero_flipped, seen_flipped],
                [*right[:2], _pair(7, 0), _three(0, 5, 4)],
                z,
            ),
            "quarter": _examples(
                [zero, seen, zero_quarter, seen_quarter],
                [*right[:2], _pair(3, 8), _three(8, 1, 4)],
                z,
            ),
            "swap_moves": _examples(views, [*right[:2], _pair(8, 3), _three(3, 4, 5)], z),
            "z_first": _examples(views, right, [-1, -1, -1, -1]),
            "z_turn": _examples(views, right, [-1, 1, 1, -1]),
        },
    )
    two = np.array([zero, one]), np.array([0, 1]), np.array(raw), np.array([-1, -1])
    return (
        Case(
            (boards, np.array([1]), policies, np.array([1])),
            first,
            title="one stone, player 1 to move (the picture)",
        ),
        Case(two, second, title="a position of each player on 3 x 3; player 1 has won both games"),
    )


def values() -> tuple[Case, ...]:
    """value_targets of a won game with a player passed over and of a draw; then of a game cut off and a lost one."""
    # 0.8 z + 0.2 root, player 1 moves twice. z is 1, -1, -1, 1, then 0, 0: 0.8 + 0.1, -0.8 - 0.1 twice, 0.8 + 0.2; 0.1, -0.1.
    # Player 0's z: -0.9 becomes 0.8 - 0.1. Turned: -0.8 + 0.1, 0.8 - 0.1, -0.8 + 0.2. By ply 1, -1, 1, -1. A draw as -1:
    # -0.8 + 0.1, -0.8 - 0.1; as 1 for player 1: 0.8 - 0.1. Roots turned for player 1: -0.8 + 0.1, +0.1. 0.2 z + 0.8 root:
    # 0.2 + 0.4, -0.2 - 0.4, 0.2 + 0.8, 0.4.
    game, mover = np.array([0, 0, 0, 0, 1, 1]), np.array([0, 1, 1, 0, 0, 1])
    root = np.array([0.5, -0.5, -0.5, 1.0, 0.5, -0.5])
    first = Key(
        np.array([0.9, -0.9, -0.9, 1.0, 0.1, -0.1]),
        {
            "first": np.array([0.9, 0.7, 0.7, 1.0, 0.1, -0.1]),
            "opponent": np.array([-0.7, 0.7, 0.7, -0.6, 0.1, -0.1]),
            "parity": np.array([0.9, -0.9, 0.7, -0.6, 0.1, -0.1]),
            "draw_loss": np.array([0.9, -0.9, -0.9, 1.0, -0.7, -0.9]),
            "draw_second": np.array([0.9, -0.9, -0.9, 1.0, -0.7, 0.7]),
            "root_view": np.array([0.9, -0.7, -0.7, 1.0, 0.1, 0.1]),
            "swapped": np.array([0.6, -0.6, -0.6, 1.0, 0.4, -0.4]),
            "only_z": np.array([1.0, -1.0, -1.0, 1.0, 0.0, 0.0]),
        },
    )
    # 0.75 z + 0.25 root. The last root of the game that was cut off is -0.6 for player 1, so z is 0.6, -0.6, -0.6, and the
    # result -1 counts for nothing. Player 1 won the other game: z = -1, 1. 0.45 + 0.1, -0.45 - 0.05, -0.45 - 0.15; -0.75 -
    # 0.1, 0.75 + 0.2. The list's last root is 0.8 for player 1: z = -0.8, 0.8, 0.8.
    root_two, lost = np.array([0.4, -0.2, -0.6, -0.4, 0.8]), [-0.85, 0.95]
    second = Key(
        np.array([0.55, -0.5, -0.6, *lost]),
        {
            "first": np.array([0.55, 0.4, 0.3, -0.85, -0.55]),
            "opponent": np.array([-0.35, 0.4, 0.3, 0.65, -0.55]),
            "parity": np.array([0.55, -0.5, 0.3, *lost]),
            "cut_draw": np.array([0.1, -0.05, -0.15, *lost]),
            "cut_result": np.array([-0.65, 0.7, 0.6, *lost]),
            "cut_view": np.array([-0.35, -0.5, -0.6, *lost]),
            "cut_own": np.array([0.4, -0.2, -0.6, *lost]),
            "last_of_all": np.array([-0.5, 0.55, 0.45, *lost]),
            "root_view": np.array([0.55, -0.4, -0.3, -0.85, 0.55]),
            "swapped": np.array([0.45, -0.3, -0.6, -0.55, 0.85]),
            "only_z": np.array([0.6, -0.6, -0.6, -1.0, 1.0]),
        },
    )
    over = np.array([1.0, 0.0]), np.array([False, False]), 0.2
    over_two = np.array([-1.0, -1.0]), np.array([True, False]), 0.25
    games = np.array([0, 0, 0, 1, 1]), np.array([0, 1, 1, 0, 1])
    return (
        Case(
            (game, mover, root, *over),
            first,
            title="player 0 wins the first game, the second is a draw; share = 0.2",
        ),
        Case(
            (*games, root_two, *over_two),
            second,
            title="the first game cut off, the second won by player 1; share = 0.25",
        ),
    )


def gates() -> tuple[Case, ...]:
    """gate_chance of a match of two games that needs 1.5 points, then of one of three that needs 1.5."""
    # Two wins 0.5 * 0.25, a win and a draw 0.5 * 0.25 + 0.25 * 0.25. A draw as a win: 0.75 * 0.5. Moving first twice: 0.25 +
    # 2 * 0.5 * 0.25. Mean 0.375, 0.25, 0.375: 0.1406 + 2 * 0.0938. In half points the means are 1.25 and 0.75, the variances
    # 2.25 - 1.25^2 and 1.25 - 0.75^2. Draws out: a win and a draw pass, two draws do not, as it is.
    first = Key(
        (1.5, 0.3125),
        {
            "draws_win": (1.5, 0.375),
            "draws_lose": (1.5, 0.125),
            "strict": (2.0, 0.125),
            "one_colour": (1.5, 0.5),
            "mean_colours": (1.5, 0.328125),
            "normal": (1.5, 0.5 - 0.5 * erf(1 / sqrt(2 * 1.375))),
            "exactly": (1.5, 0.1875),
            "fails": (1.5, 0.6875),
        },
    )
    # Where it moves first it has 1 or 1/2, else 1/2 or 0, all alike: 2.5, 2, 1.5, 1 come with 1/8, 3/8, 3/8, 1/8. A draw as a
    # win: always two points. As a loss: both first games must be won. Draws out: one win will do, 3/4. First throughout: at
    # least 1.5. Mean 1/4, 1/2, 1/4, which is two coins a game: three heads of six, 1 - 22/64. Half points 3.5, variance 3/4.
    second = Key(
        (1.5, 0.875),
        {
            "draws_win": (1.5, 1.0),
            "draws_lose": (1.5, 0.25),
            "draws_out": (1.5, 0.75),
            "strict": (2.0, 0.5),
            "one_colour": (1.5, 1.0),
            "mean_colours": (1.5, 0.65625),
            "normal": (1.5, 0.5 + 0.5 * erf(0.5 / sqrt(2 * 0.75))),
            "exactly": (1.5, 0.375),
            "fails": (1.5, 0.125),
        },
    )
    return (
        Case(([0.5, 0.25, 0.25], [0.25, 0.25, 0.5], 2, 75), first, title="two games, 75 percent"),
        Case(([0.5, 0.5, 0.0], [0.0, 0.5, 0.5], 3, 50), second, title="three games, 50 percent"),
    )


def tokens() -> tuple[Case, ...]:
    """token_search of six simulations on five places (the picture), of seven on seven, and of three on three."""
    # A path is written as its arrows. Root: 0.1 and 0.5 of 0.6 are 1/6, 5/6; with noise 0.533,
    # 0.467. Alone -0.6. N counts as 1: 2.5 * 0.533 > 2.5 * 0.467: path 0, 0.4 for the other, -0.4.
    # N = 1: -0.4 + 0.67 < 1.17: path 2, 0.3. N = 2: -0.4 + 0.94 < 0.3 + 0.82: path 21, over, 0. N =
    # 3: 0.76 < 0.15 + 0.67: 21, 0. N = 4: -0.4 + 1.33 > 0.1 + 0.58: path 01 (0.857 of 2.5, over
    # 0.143), 0. Sum -0.7, visits 2, 3; Q = -0.2, 0.1.
    # Noise there, 0.52 and 0.43: the last is 00, 1: sum 0.3, Q = 0.3, 0.1. No mask, root 0.5, 0.3:
    # 0; 2; 21; -0.4 + 1.08 > 0.15 + 0.43: 01; -0.2 + 0.83 < 0.15 + 0.5: 21. Both: 00, 1, in its
    # place; then 0.3 + 0.83 > 0.65: 01: 3, 2; Q = 0.2, 0.15. N = 0 in a new node: U = 0, so the
    # last is 00, 1. Not negated: -0.6 + 0.4 - 0.3. Friendly: 0; 2; 0.4 + 0.94 > -0.3 + 0.82: 01;
    # 0.2 + 0.77 > -0.3 + 1.01: 01; 0.80 < 0.87: 21. Asked, 21 is worth 0.6 three times: sum 1.1.
    # Draws lost: 21, -1; 0.76 > -0.35 + 0.67: 01, -1; 0.19 < 0.43: 21, -1. No noise: 0.42 < 2.08:
    # 2; then 21 (0.42 < 1.34; 0.59 < 1.13; 0.72 < 1.00; 0.83 < 0.91). Added: 1.54 < 2.21: 2; 1.54 >
    # 1.40: 0; then 21 (0.69 < 1.86; 0.94 < 1.42; 1.14 < 1.20). No N: the last is -0.4 + 0.67 < 0.1
    # + 0.29: 21. c inside: -0.4 + 0.84 < 0.1 + 0.37: 21.
    late = _outcome(1, 0, 4, -0.7 / 6)
    first = Key(
        _outcome(2, 0, 3, -0.7 / 6),
        {
            "no_total": late, "c_inside": late, "added": late,
            "noise": _outcome(2, 0, 3, 0.3 / 6),
            "q": _by_q({0: -0.2, 2: 0.1}, -0.7 / 6),
            "noise_and_mask": _outcome(3, 0, 2, 0.3 / 6),
            "noise_and_q": _by_q({0: 0.3, 2: 0.1}, 0.3 / 6),
            "mask_and_q": _by_q({0: -0.2, 2: 0.1}, -0.7 / 6),
            "hasty": _by_q({0: 0.2, 2: 0.15}, 0.3 / 6),
            "sign": _outcome(2, 0, 3, -0.5 / 6),
            "friendly": _outcome(3, 0, 2, -0.7 / 6),
            "asks": _outcome(1, 0, 4, 1.1 / 6),
            "draw_loss": _outcome(2, 0, 3, -3.7 / 6),
            "no_noise": _outcome(0, 0, 5, -0.3 / 6),
            "zero_total": _outcome(2, 0, 3, 0.3 / 6),
            "best_only": _outcome(0, 0, 1, -0.7 / 6),
            "all_simulations": (np.array([2, 0, 3]) / 6, -0.7 / 6),
            "root_view": _outcome(2, 0, 3, 0.7 / 6),
        },
    )  # fmt: skip
    # What paths bring to the root: alone 0.2; 0: -0.6; 1: 0.3; 01 and 10: -0.6; 02: -1; 12: 1; 101:
    # -1; 011: -1; 012 and 102: 0. Root with noise 0.62, 0.38. Every search but friendly finds 0, 1
    # and then 10 (once no noise 0.477 > 0.284).
    # Right: 0.21 > 0.18: 02; -0.18 < 0.23: 102; -0.11 < 0.22: 12 (0.80 > 0.74). Noise: 0.21 > 0.18:
    # 01 (0.76 > 0.56); 0.02 < 0.23: 102 (0.68 > 0.65); 0.09 < 0.22: 101 (0.65 > 0.34). No mask,
    # 0.42, 0.34: -0.05 < 0.14: 102; 0.03 < 0.16: 102 (0.654 > 0.636); 0.10 < 0.15: 12. Both: 101
    # (0.51 > 0.27); 0.03 > -0.18: 01; -0.130 > -0.148: 011. Not negated, own values: 0.21 < 0.78:
    # 102; 0.33 < 0.58: 12; 0.44 > 0.23: 02. Friendly: 0; 1.06 > 0.57: 02; 1.24 > 0.81: 01; 1.14 >
    # 0.99: 012; 0.92 < 1.14: 1; 0.97 > 0.34: 012. Asked (02 and 012 are worth 0.5 and -0.5): 02;
    # 0.57 > 0.23: 01; 0.287 > 0.275: 012. Draws lost (102 is worth 1): as it is. End turned (02 is
    # worth 1): 02; 0.82 > 0.23: 01; 0.45 > 0.28: 012. No noise: 0.48 > -0.01: 02; 0.033 > 0.017:
    # 02; -0.17 < 0.04: 102. N = 0 in a new node: 0.21 > 0.18: 01; 0.02 < 0.23: 101; 0.09 > -0.12:
    # 02 (0.94 > 0.88). N: 0.80 > 0.42: 02; 0.44 < 0.61: 102; 0.75 > 0.61: 02. No N: -0.14 < 0.04:
    # 102; 0.04: 102; 0.04: 12. c inside: 0.06 < 0.12: 102; 0.16 > 0.13: 02; -0.23 < 0.16: 102
    # (0.661 > 0.650). Over n: 1.01 > 0.34: 02; 0.13 < 0.42: 102; 0.24 < 0.33: 102 (0.96 > 0.80).
    twice = _outcome(2, 4, 0, -1.7 / 7)
    even = _outcome(3, 3, 0, -2.7 / 7)
    second = Key(
        _outcome(2, 4, 0, -0.7 / 7),
        {
            "noise": _outcome(2, 4, 0, -2.3 / 7),
            "mask": _outcome(1, 5, 0, 0.3 / 7),
            "q": _by_q({0: -1.6 / 2, 1: 0.7 / 4}, -0.7 / 7),
            "noise_and_mask": _outcome(3, 3, 0, -3.3 / 7),
            "noise_and_q": _by_q({0: -1.2 / 2, 1: -1.3 / 4}, -2.3 / 7),
            "mask_and_q": _by_q({0: -0.6, 1: 0.7 / 5}, 0.3 / 7),
            "hasty": _by_q({0: -2.2 / 3, 1: -1.3 / 3}, -3.3 / 7),
            "sign": _outcome(2, 4, 0, -0.1 / 7),
            "friendly": _outcome(5, 1, 0, -1.7 / 7),
            "asks": _outcome(4, 2, 0, -1.3 / 7),
            "draw_loss": _outcome(2, 4, 0, 0.3 / 7),
            "end_view": _outcome(4, 2, 0, -0.3 / 7),
            "no_noise": even, "no_root": even,
            "zero_total": _outcome(3, 3, 0, -3.3 / 7),
            "no_total": _outcome(1, 5, 0, 0.3 / 7),
            "c_inside": twice, "plus_one": twice,
            "best_only": _outcome(0, 1, 0, -0.7 / 7),
            "all_simulations": (np.array([2, 4, 0]) / 7, -0.7 / 7),
            "root_view": _outcome(2, 4, 0, 0.7 / 7),
        },
    )  # fmt: skip
    # Root with noise 0.52, 0.48, so 0, over, 1; then N = 1: 1 + 1.04 > 1.92: 0 again, 1. The root's
    # own visit counted, N = 2: 1 + 1.47 < 2.72: 1, a draw. Friendly: -1 + 1.04 < 1.92: 1. Asked
    # both are worth -0.5, and 1 is taken; end turned, -1 and 0.
    once = _by_q({0: 1.0, 1: 0.0}, 2.2 / 3)
    third = Key(
        _outcome(2, 0, 0, 2.2 / 3),
        {
            "q": once, "noise_and_q": once, "mask_and_q": once, "hasty": once,
            "own": _outcome(1, 1, 0, 1.2 / 3), "friendly": _outcome(1, 1, 0, 1.2 / 3),
            "sign": _outcome(2, 0, 0, -1.8 / 3),
            "asks": _outcome(1, 1, 0, -0.8 / 3), "end_view": _outcome(1, 1, 0, -0.8 / 3),
            "all_simulations": (np.array([2, 0, 0]) / 3, 2.2 / 3),
            "root_view": _outcome(2, 0, 0, -2.2 / 3),
        },
    )  # fmt: skip
    over = [-1, -1, -1]
    goes = np.array([[1, -1, 2], [3, 4, -1], [-1, 4, -1], over, over])
    priors = np.array(
        [[0.1, 0.4, 0.5], [0.1, 0.6, 0.3], [0.6, 0.2, 0.2], [0.3, 0.3, 0.4], [0.3, 0.3, 0.4]]
    )
    network = priors, np.array([-0.6, 0.4, -0.3, 0.6, 0.6])
    goes_two = np.array([[1, 2, -1], [-1, 3, 4], [3, -1, 5], [-1, 5, 6], over, over, over])
    priors_two = np.array(
        [[0.5, 0.1, 0.4], [0.2, 0.3, 0.5], [0.5, 0.2, 0.3], [0.6, 0.1, 0.3], *[[0.4, 0.3, 0.3]] * 3]
    )
    network_two = priors_two, np.array([0.2, 0.6, -0.3, -0.6, 0.5, 0.5, 0.5])
    ends, ends_two = np.array([0.0, 0, 0, 1, 0]), np.array([0.0, 0, 0, 0, -1, 1, 0])
    rest, rest_two = (
        (np.array([0.9, 0.0, 0.1]), 0.5, 2.5, 6),
        (np.array([0.3, 0.7, 0.0]), 0.4, 1.5, 7),
    )
    network_three = np.array([[0.6, 0.4, 0.0], *[[0.4, 0.3, 0.3]] * 2]), np.array([0.2, 0.5, 0.5])
    three = (
        np.array([[1, 2, -1], over, over]),
        np.array([0.0, -1, 0]),
        0,
        *network_three,
        np.array([0.28, 0.72, 0.0]),
    )
    return (
        Case(
            (goes, ends, 0, *network, *rest),
            first,
            title="five places (the picture), six simulations, c = 2.5",
        ),
        Case(
            (goes_two, ends_two, 0, *network_two, *rest_two),
            second,
            title="seven places, seven simulations, c = 1.5",
        ),
        Case((*three, 0.25, 4.0, 3), third, title="three places, three simulations, c = 4"),
    )


def _outcome(zero: int, one: int, two: int, value: float) -> tuple[np.ndarray, float]:
    """The shares of these visits, and the root's value."""
    return np.array([zero, one, two]) / (zero + one + two), value


def _by_q(q: dict[int, float], value: float) -> tuple[np.ndarray, float]:
    """The softmax of Q over the legal arrows, and the root's value."""
    weights = np.array([np.exp(q[a]) if a in q else 0.0 for a in range(3)])
    return weights / weights.sum(), value


def _shares(*rows: list) -> np.ndarray:
    """Each row divided by its sum."""
    return np.array([np.array(row, float) / np.sum(row) for row in rows])


def _examples(boards: list, policies: list, z: list) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.array(boards), np.array(policies, float), np.array(z, float)


def _pair(first: int, second: int) -> np.ndarray:
    """0.6 and 0.4 on two of ten actions."""
    return np.eye(10)[[first, second]].T @ [0.6, 0.4]


def _three(first: int, second: int, third: int) -> np.ndarray:
    """0.5, 0.3 and 0.2 on three of ten actions."""
    return np.eye(10)[[first, second, third]].T @ [0.5, 0.3, 0.2]
