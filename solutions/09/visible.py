"""The visible cases of sheet 09, worked by hand."""

import numpy as np

from rlcourse.checks.judging import Key
from rlcourse.checks.task import Case

OVER = [-1, -1, -1]  # the arrows of a place where the game is over


def chances() -> tuple[Case, ...]:
    """search_chances at the temperatures 1, 0 and 1/2; then between two
    halvings, and after the end; then nearly at 0.
    """
    # Temperatures 1, 0, 1/2: visits to the power 1; the two moves with 2 visits; to the power 2.
    visits, ply = np.array([[1, 3, 4], [2, 1, 2], [1, 2, 1]]), np.array([0, 12, 4])
    q = np.log([[1, 2, 1], [1, 4, 3], [2, 1, 1]])
    first = _shares([1, 3, 4], [2, 1, 2], [1, 2, 1]), _shares([1, 3, 4], [1, 0, 1], [1, 4, 1])
    # Ply 7 with halving 4: the power is 2^1.75. Ply 9 is over the end.
    visits_two, q_two = np.array([[4, 0, 1], [0, 3, 1]]), np.log([[1, 1, 3], [1, 1, 2]])
    second = _shares([4, 0, 1], [0, 3, 1]), _shares([4 ** (2**1.75), 0, 1], [0, 1, 0])
    # Ply 1 with halving 1/8: the power is 2^8 = 256, and 1/2 to that power is 1e-77. Ply 0 has
    # 2, 1, 2.
    visits_three, q_three = np.array([[200, 0, 100], [2, 1, 2], [2, 1, 2]]), np.log([[1, 1, 3]] * 3)
    q_three[0, 1] = 0.0
    third = _shares([2, 0, 1], [2, 1, 2], [2, 1, 2]), _shares([1, 0, 0], [1, 0, 1], [2, 1, 2])
    return (
        Case(
            (visits, q, ply, 4.0, 12), Key(first), title="plies 0, 12 and 4, halving = 4, end = 12"
        ),
        Case(
            (visits_two, q_two, np.array([7, 9]), 4.0, 8),
            Key(second),
            title="plies 7 and 9, halving = 4, end = 8",
        ),
        Case(
            (visits_three, q_three, np.array([1, 1, 0]), 0.125, 2),
            Key(third),
            title="plies 1, 1 and 0, halving = 1/8, end = 2: 200 visits to the power 256",
        ),
    )


def hexes() -> tuple[Case, ...]:
    """hex_examples of one stone on a board of 2 x 2 (the picture), then of a
    position of each player on 3 x 3.
    """
    # The one stone, above on the right, is the other player's: mirrored along the diagonal it lies
    # below on the left, as -1. Shares 0.1, 0, 0.2, 0.3 of the points in rows: mirrored 0.1, 0.2, 0,
    # 0.3; turned 0.3, 0, 0.2, 0.1. The swap keeps 0.4.
    boards, policies = np.array([[[0, 1], [0, 0]]]), np.array([[0.1, 0.0, 0.2, 0.3, 0.4]])
    first = (
        np.array([[[0, 0], [-1, 0]], [[0, -1], [0, 0]]]),
        np.array([[0.1, 0.2, 0, 0.3, 0.4], [0.3, 0, 0.2, 0.1, 0.4]]),
        np.array([-1.0, -1.0]),
    )
    # Points are numbered in rows, 0 to 8: turned k is 8 - k, mirrored 3i + j is 3j + i.
    # Player 0's position needs no mirror: 1, 6 turned 7, 2. Player 1's: 2, 7, 4 mirrored 6,
    # 5, 4; these turned 2, 3, 4. The swaps keep their 0.1 and 0.2.
    zero, one = [[1, 0, 0], [0, 0, -1], [0, 0, 0]], [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]
    zero_turned, seen = [[0, 0, 0], [-1, 0, 0], [0, 0, 1]], [[0, 1, 0], [-1, 0, 0], [0, 0, -1]]
    seen_turned = [[-1, 0, 0], [0, 0, -1], [0, 1, 0]]
    second = (
        np.array([zero, seen, zero_turned, seen_turned]),
        np.array([_pair(1, 6), _three(6, 5, 4), _pair(7, 2), _three(2, 3, 4)]),
        np.array([1.0, 1.0, 1.0, 1.0]),
    )
    raw = np.array([_pair(1, 6), _three(2, 7, 4)])
    return (
        Case(
            (boards, np.array([1]), policies, np.array([1])),
            Key(first),
            title="one stone, player 1 to move (the picture)",
        ),
        Case(
            (np.array([zero, one]), np.array([0, 1]), raw, np.array([1, -1])),
            Key(second),
            title="a position of each player on 3 x 3; each has won the own game",
        ),
    )


def values() -> tuple[Case, ...]:
    """value_targets of a won game with a player passed over and of a draw; then of a
    game cut off and a lost one; then of a short one and one cut off on player 0's turn.
    """
    # 0.8 z + 0.2 root, player 1 moves twice. z is 1, -1, -1, 1, then 0, 0: 0.8 + 0.1, -0.8 - 0.1
    # twice, 0.8 + 0.2; 0.1, -0.1.
    game, mover = np.array([0, 0, 0, 0, 1, 1]), np.array([0, 1, 1, 0, 0, 1])
    root = np.array([0.5, -0.5, -0.5, 1.0, 0.5, -0.5])
    over = np.array([1.0, 0.0]), np.array([False, False]), 0.2
    # 0.75 z + 0.25 root. The last root of the game that was cut off is -0.6 for player 1, so z is
    # 0.6, -0.6, -0.6, and the result -1 counts for nothing. Player 1 won the other game: z = -1, 1.
    # 0.45 + 0.1, -0.45 - 0.05, -0.45 - 0.15; -0.75 -
    # 0.1, 0.75 + 0.2.
    games = np.array([0, 0, 0, 1, 1]), np.array([0, 1, 1, 0, 1])
    root_two = np.array([0.4, -0.2, -0.6, -0.4, 0.8])
    over_two = np.array([-1.0, -1.0]), np.array([True, False]), 0.25
    # 0.6 z + 0.4 root. Player 0 won the short game: z = -1. The other one's last root is player
    # 0's, so z is -0.5, 0.5. -0.6 - 0.1; -0.3 + 0.1, 0.3 + 0.2.
    short = np.array([0, 1, 1]), np.array([1, 1, 0]), np.array([-0.25, 0.25, 0.5])
    over_three = np.array([1.0, -1.0]), np.array([False, True]), 0.4
    return (
        Case(
            (game, mover, root, *over),
            Key(np.array([0.9, -0.9, -0.9, 1.0, 0.1, -0.1])),
            title="player 0 wins the first game, the second is a draw; share = 0.2",
        ),
        Case(
            (*games, root_two, *over_two),
            Key(np.array([0.55, -0.5, -0.6, -0.85, 0.95])),
            title="the first game cut off, the second won by player 1; share = 0.25",
        ),
        Case(
            (*short, *over_three),
            Key(np.array([-0.7, -0.2, 0.5])),
            title="player 0 wins the first game, the second is cut off; share = 0.4",
        ),
    )


def gates() -> tuple[Case, ...]:
    """gate_chance of a match of two games that needs 1.5 points, then of
    two of three that need 1.5, then of two long ones, and of two games that have to be won.
    """
    return (
        # Two wins 0.5 * 0.25, a win and a draw 0.5 * 0.5 + 0.25 * 0.25.
        Case(
            ([0.5, 0.25, 0.25], [0.25, 0.5, 0.25], 2, 75),
            Key((1.5, 0.4375)),
            title="two games, 75 percent",
        ),
        # Where it moves first it has 2 or 1.5 with 1/4 each: enough. It has 1 with 2 * 1/8 + 1/16,
        # and then does not lose the other game with 1/2; 0.5 with 1/8, and then wins it with 1/4.
        Case(
            ([0.5, 0.25, 0.25], [0.25, 0.25, 0.5], 3, 50),
            Key((1.5, 0.6875)),
            title="three games, 50 percent",
        ),
        # It has 1 as first with 1/4, and then does not lose the other game with 3/4; it has 0.5
        # with 1/2, and then wins it with 1/2: 0.1875 + 0.25.
        Case(
            ([0.0, 0.5, 0.5], [0.5, 0.25, 0.25], 3, 50),
            Key((1.5, 0.4375)),
            title="three games, 50 percent, better as second",
        ),
        # As first it wins 10 games, and one more win is enough: not with 1/2 to the power 10.
        Case(
            ([1.0, 0.0, 0.0], [0.5, 0.0, 0.5], 20, 55),
            Key((11.0, 1023 / 1024)),
            title="20 games, 55 percent: as first it always wins, as second with chance 1/2",
        ),
        # 75 percent of 51 are 38.25, so 38.5 are needed. It has 26 as first and needs 13 of the
        # other 25 games: more than half of an odd number of tosses.
        Case(
            ([1.0, 0.0, 0.0], [0.5, 0.0, 0.5], 51, 75),
            Key((38.5, 0.5)),
            title="51 games, 75 percent: as first it always wins, as second with chance 1/2",
        ),
        # It has to win both: 1/2 times 1/4.
        Case(
            ([0.5, 0.25, 0.25], [0.25, 0.5, 0.25], 2, 100),
            Key((2.0, 0.125)),
            title="two games, 100 percent",
        ),
    )


def tokens() -> tuple[Case, ...]:
    """token_search of six simulations on five places (the picture), and of three to ten in five
    other games.

    In the reasons a path is written as its arrows.
    """
    return (
        _five_places(),
        _seven_places(),
        _three_places(),
        _equal_arrows(),
        _over_at_once(),
        _four_places(),
    )


def _five_places() -> Case:
    """token_search: the picture; six simulations."""
    # Root: 0.1 and 0.5 of 0.6 are 1/6, 5/6; with noise 0.533, 0.467. Alone -0.6. N counts as 1:
    # 2.5 * 0.533 > 2.5 * 0.467: path 0, 0.4 for the other, -0.4. N = 1: -0.4 + 0.67 < 1.17: path 2,
    # 0.3. N = 2: -0.4 + 0.94 < 0.3 + 0.82: path 21, over, 0. N = 3: 0.76 < 0.15 + 0.67: 21, 0.
    # N = 4: -0.4 + 1.33 > 0.1 + 0.58: path 01 (0.857 of 2.5, over 0.143), 0. Sum -0.7, visits 2, 3.
    game = np.array([[1, -1, 2], [3, 4, -1], [-1, 4, -1], OVER, OVER]), np.array([0.0, 0, 0, 1, 0])
    priors = np.array(
        [[0.1, 0.4, 0.5], [0.1, 0.6, 0.3], [0.6, 0.2, 0.2], [0.3, 0.3, 0.4], [0.3, 0.3, 0.4]]
    )
    network = priors, np.array([-0.6, 0.4, -0.3, 0.6, 0.6]), np.array([0.9, 0.0, 0.1]), 0.5
    return Case(
        (*game, 0, *network, 2.5, 6),
        Key((np.array([2, 0, 3]) / 5, -0.7 / 6)),
        title="five places (the picture), six simulations, c = 2.5",
    )


def _seven_places() -> Case:
    """token_search: seven simulations on seven places."""
    # What paths bring to the root: alone 0.2; 0: -0.6; 1: 0.3; 02: -1; 102: 0; 12: 1; 10: -0.6.
    # Root with noise 0.62, 0.38. The search finds 0, 1 and then 10; 0.21 > 0.18: 02; -0.18 < 0.23:
    # 102; -0.11 < 0.22: 12 (0.80 > 0.74).
    goes = np.array([[1, 2, -1], [-1, 3, 4], [3, -1, 5], [-1, 5, 6], OVER, OVER, OVER])
    game = goes, np.array([0.0, 0, 0, 0, -1, 1, 0])
    priors = np.array(
        [[0.5, 0.1, 0.4], [0.2, 0.3, 0.5], [0.5, 0.2, 0.3], [0.6, 0.1, 0.3], *[[0.4, 0.3, 0.3]] * 3]
    )
    values = np.array([0.2, 0.6, -0.3, -0.6, 0.5, 0.5, 0.5])
    network = priors, values, np.array([0.3, 0.7, 0.0]), 0.4
    return Case(
        (*game, 0, *network, 1.5, 7),
        Key((np.array([2, 4, 0]) / 6, -0.7 / 7)),
        title="seven places, seven simulations, c = 1.5",
    )


def _three_places() -> Case:
    """token_search: three simulations, of which the start's other arrow sees none."""
    # The start is called 1. Root with noise 0.52, 0.48, so path 0, over, 1; then N = 1: 1 + 1.04 >
    # 1.92: 0 again, 1.
    game = np.array([OVER, [0, 2, -1], OVER]), np.array([-1.0, 0, 0])
    priors = np.array([[0.4, 0.3, 0.3], [0.6, 0.4, 0.0], [0.4, 0.3, 0.3]])
    network = priors, np.array([0.5, 0.2, 0.5]), np.array([0.28, 0.72, 0.0]), 0.25
    return Case(
        (*game, 1, *network, 4.0, 3),
        Key((np.array([1.0, 0.0, 0.0]), 2.2 / 3)),
        title="three places, the start is 1, three simulations, c = 4",
    )


def _equal_arrows() -> Case:
    """token_search: ten simulations where two arrows lead to one place."""
    # The start is called 1, and equal arrows lead to one place. Root with noise 0.46, 0.54. What
    # paths bring to the root: alone 0.3; 1 and 0: -0.1; 11 and 01: 0.5; 111 and 011, over, -1. Paths:
    # 1; 11 (-0.1 + 0.72 > 0.06); 111 three times, the last with -0.2 + 0.58 > 0.12 and -0.4 after
    # it; 0 (0.13 > -0.52 + 0.54); 111 (0.07 > -0.03); 01 (-0.02 > -0.06); 011 (0.26 > -0.02).
    goes = np.array([[-1, -1], [4, 4], [-1, 3], [-1, 0], [3, 3]])
    priors = np.array([[0.7, 0.3], [0.0, 1.0], [0.1, 0.9], [0.9, 0.1], [0.1, 0.9]])
    values = np.array([-0.2, 0.3, -0.6, 0.5, 0.1])
    game = goes, np.array([1.0, 1, -1, 0, 0]), 1, priors, values
    return Case(
        (*game, np.array([0.1, 0.9]), 0.4, 1.5, 10),
        Key((np.array([3, 6]) / 9, -3.9 / 10)),
        title="five places, the start is 1, ten simulations, c = 1.5",
    )


def _over_at_once() -> Case:
    """token_search: every move of the start ends the game."""
    # The arrows of the start, which is called 1, end at once, with 1 for the root. Their share of
    # the prior is 2/3, 1/3, with noise 0.57, 0.43. Path 1 while 1 + 0.86 sqrt(N) / (1 + n) is more
    # than 0.64 sqrt(N): five times, the last with 1.34 > 1.28; then 1.32 < 1.43.
    goes = np.array([OVER, [-1, 0, 0], [3, 3, 3], OVER])
    priors = np.array([[0.9, 0.0, 0.1], [0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.5, 0.4, 0.1]])
    game = goes, np.array([-1.0, -1, -1, 1]), 1, priors, np.array([-0.5, 0, 0, -0.3])
    return Case(
        (*game, np.array([0.0, 0.2, 0.8]), 0.2, 1.5, 7),
        Key((np.array([0, 5, 1]) / 6, 6 / 7)),
        title="every move of the start ends the game; seven simulations",
    )


def _four_places() -> Case:
    """token_search: three simulations on four places."""
    # Root with noise 0.24, 0.76. Path 1, -0.7; then N = 1: 0.96 > -0.7 + 1.52: 0, -0.7.
    goes = np.array([[1, 3], [2, 2], [-1, -1], [2, -1]])
    priors = np.array([[0.1, 0.9], [0.7, 0.3], [0.1, 0.9], [0.5, 0.5]])
    game = goes, np.array([1.0, -1, 1, 1]), 0, priors, np.array([0.6, 0.7, 0.3, 0.7])
    return Case(
        (*game, np.array([0.8, 0.2]), 0.2, 4.0, 3),
        Key((np.array([0.5, 0.5]), -0.8 / 3)),
        title="four places, three simulations, c = 4",
    )


def _shares(*rows: list) -> np.ndarray:
    """Each row divided by its sum."""
    return np.array([np.array(row, float) / np.sum(row) for row in rows])


def _pair(first: int, second: int) -> np.ndarray:
    """0.5 and 0.4 on two of ten actions, 0.1 on the last, the swap."""
    return np.eye(10)[[first, second, 9]].T @ [0.5, 0.4, 0.1]


def _three(first: int, second: int, third: int) -> np.ndarray:
    """0.4, 0.3 and 0.1 on three of ten actions, 0.2 on the last, the swap."""
    return np.eye(10)[[first, second, third, 9]].T @ [0.4, 0.3, 0.1, 0.2]
