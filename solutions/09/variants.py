"""Variants of sheet 09: other conventions for the same tasks."""

import numpy as np

from rlcourse.checks.variant import Variant

# --- value_targets: the search's values are player 0's --------------------------------------------


def roots_for_player_0(
    game: np.ndarray,
    mover: np.ndarray,
    root: np.ndarray,
    result: np.ndarray,
    cut: np.ndarray,
    share: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, float]:
    """Root values for the player to move as player 0's, or these for the player to move."""
    return game, mover, np.where(mover == 0, root, 0.0 - root), result, cut, share


FOR_PLAYER_0 = Variant(
    text={
        "where root is the value that the search found at this position, and z is the game's "
        "outcome:": (
            "where root is the value that the search found at this position, and z is the game's "
            "outcome, both for its player to move:"
        ),
        "who is to move (0 or 1), and the root value **for that player**;": (
            "who is to move (0 or 1), and the root value **for player 0**, whoever is to move;"
        ),
        "Its root value is for the player who is to move *there*.": (
            "Its root value is for player 0, as `result` is."
        ),
        "each for its player to move. game, mover, root [T]; result, cut [G].": (
            "each for its player to move. game, mover [T]; root [T], result [G] for player 0; cut "
            "[G]."
        ),
        "outcome[g] = sign[last] * root[last]": "outcome[g] = root[last]",
        "return (1 - share) * sign * outcome[game] + share * root": (
            "return sign * ((1 - share) * outcome[game] + share * root)"
        ),
    },
    asked=roots_for_player_0,
    given=roots_for_player_0,
    in_code={
        "the last root value is for the player to move *there*: turn it round for positions of "
        "the other one": (
            "the last root value is turned for the player to move at the end, and then taken for "
            "every position: turn it where player 1 is to move in the position itself"
        ),
        "the last root value is taken for player 0's: it is for the player to move *there*, so "
        "turn it round where that is player 1": (
            "the last root value is turned round where player 1 is to move *there*: it is player "
            "0's already"
        ),
        "root values are turned round: they are for the player to move already, which is what is "
        "asked for": (
            "root values are taken as they are: they are player 0's, so turn them round where "
            "player 1 is to move"
        ),
    },
)

# --- value_targets: the result is for who is to move at the end -----------------------------------


def results_for_the_last(
    game: np.ndarray, mover: np.ndarray, root: np.ndarray, result: np.ndarray, *rest: object
) -> tuple[object, ...]:
    """Results for player 0 as those for the player to move at the end, or the other way round."""
    last = mover[np.append(np.diff(game) != 0, True)]
    return game, mover, root, np.where(last == 0, result, 0 - result), *rest


FOR_THE_LAST = Variant(
    text={
        "the result, +1 where player 0 won, 0 for a draw, −1 where player 1 won, and": (
            "the result **for the player who is to move in its last position**, +1 for a win, 0 "
            "for a draw, −1 for a loss, and"
        ),
        "Its root value is for the player who is to move *there*.": (
            "Its root value is for the player who is to move *there*, and so is its result."
        ),
        "game, mover, root [T]; result, cut [G].": (
            "game, mover, root [T]; cut, result [G] for the last player to move."
        ),
        "    for g in np.flatnonzero(cut):\n": "    for g in range(len(result)):\n",
        "outcome[g] = sign[last] * root[last]": (
            "outcome[g] = sign[last] * (root[last] if cut[g] else result[g])"
        ),
    },
    asked=results_for_the_last,
    given=results_for_the_last,
    in_code={
        "the result is player 0's throughout: turn it round where player 1 is to move": (
            "every position gets the outcome for player 0: turn it round where player 1 is to move"
        ),
    },
)

# --- gate_chance: the chances are the old network's -----------------------------------------------


def other_network(
    first: list[float], second: list[float], games: int, percent: int
) -> tuple[list[float], list[float], int, int]:
    """The same match, with the chances of the other network."""
    return second[::-1], first[::-1], games, percent


OLD_NETWORK = Variant(
    text={
        "`first`: the candidate's chances `(win, draw, loss)` in a game in which it moves first; "
        "`second`: its chances where it moves second.": (
            "`first`: the **old network's** chances `(win, draw, loss)` in a game in which **the "
            "old network** moves first; `second`: its chances where it moves second."
        ),
        "`np.convolve(scores, [loss, draw, win])`.": (
            "`np.convolve(scores, game)`, where `game` holds the chances of 0, 1 and 2 half points."
        ),
        "(score needed, exact chance to reach it). first, second: chances of (win, draw, loss) as "
        "first and as second player.": (
            "(score needed, exact chance to reach it) of the candidate. first, second: the old "
            "network's chances of (win, draw, loss) as first and as second player."
        ),
        "win, draw, loss = first if game % 2 == 0 else second": (
            "win, draw, loss = second if game % 2 == 0 else first  # of the old network"
        ),
        "halves = np.convolve(halves, [loss, draw, win])": (
            "halves = np.convolve(halves, [win, draw, loss])"
        ),
    },
    asked=other_network,
    given=other_network,
    in_code={
        "of an odd number of games the candidate moves first in one more than it moves second: in "
        "games 1, 3, 5, ...": (
            "in games 1, 3, 5, ... the candidate moves first, and so the old network moves second "
            "there"
        ),
        "wins and losses of `second` are exchanged: it holds the candidate's own chances, as "
        "`first` does": (
            "wins and losses of `first` are not exchanged: it holds the old network's own "
            "chances, as `second` does"
        ),
        "three games, 50 percent, better as second": (
            "three games, 50 percent, the candidate is better as second"
        ),
        "20 games, 55 percent: as first it always wins, as second with chance 1/2": (
            "20 games, 55 percent: the candidate always wins as first, as second with chance 1/2"
        ),
        "51 games, 75 percent: as first it always wins, as second with chance 1/2": (
            "51 games, 75 percent: the candidate always wins as first, as second with chance 1/2"
        ),
    },
)

# --- gate_chance: the chances of 0, 1/2 and 1 point -----------------------------------------------


def other_order(first: list[float], second: list[float], *rest: object) -> tuple[object, ...]:
    """The same match, with the chance to lose in the place of that to win."""
    return first[::-1], second[::-1], *rest


LOSSES_FIRST = Variant(
    text={
        "- `first`: the candidate's chances `(win, draw, loss)` in a game": (
            "- `first`: the candidate's chances `(loss, draw, win)`, **in this order**, in a game"
        ),
        "`np.convolve(scores, [loss, draw, win])`.": (
            "`np.convolve(scores, game)`, where `game` holds the chances of 0, 1 and 2 half points."
        ),
        "first, second: chances of (win, draw, loss) as": (
            "first, second: chances of (loss, draw, win) as"
        ),
        "win, draw, loss = first if game % 2 == 0 else second": (
            "loss, draw, win = first if game % 2 == 0 else second"
        ),
    },
    asked=other_order,
    given=other_order,
)

VARIANTS = {
    "value_targets": [FOR_PLAYER_0, FOR_THE_LAST],
    "gate_chance": [OLD_NETWORK, LOSSES_FIRST],
}
