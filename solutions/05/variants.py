"""Variants of sheet 05: other conventions for the same tasks."""

import numpy as np

from rlcourse.checks.variant import Variant

# --- match_chances: the outputs are those of the player who has just moved ------------------------


def of_the_other(
    outputs: np.ndarray, mine: int, theirs: int, table: np.ndarray
) -> tuple[np.ndarray, int, int, np.ndarray]:
    """The same plays, of which the network speaks for the other player."""
    return (
        np.column_stack([1 - outputs[:, :1], outputs[:, 3:], outputs[:, 1:3]]),
        mine,
        theirs,
        table,
    )


FOR_THE_MOVER = Variant(
    text={
        "as in the lesson **for the player who rolls next**, which is your opponent: the "
        "probabilities that your opponent wins in any way, wins a gammon (or more), wins a "
        "backgammon, loses a gammon (or more), loses a backgammon;": (
            "unlike in the lesson **for the player who has just moved**, which is you: the "
            "probabilities that you win in any way, win a gammon (or more), win a backgammon, lose "
            "a gammon (or more), lose a backgammon;"
        ),
        "`win` holds all wins of the opponent, gammons included;": (
            "The first output holds all your wins, gammons included;"
        ),
        "outputs [M, 5], for the opponent;": "outputs [M, 5], for the mover as well;",
        "    lost = win - win_gammon, win_gammon": "    won = win - win_gammon, win_gammon",
        "    won = 1 - win - lose_gammon, lose_gammon": (
            "    lost = 1 - win - lose_gammon, lose_gammon"
        ),
    },
    asked=of_the_other,
    given=of_the_other,
    in_code={
        "the outputs are read as the mover's own: they are those of the player who rolls next, "
        "whom you want to lose": (
            "the outputs are read as your opponent's: they are those of the player who has just "
            "moved, which is you"
        ),
        "only the first output is turned: their gammons are your lost ones, so those change places "
        "as well": (
            "only the first output is read as your own: the gammons are yours as well, first "
            "those that you win"
        ),
        "the first output is read as the mover's own, and the gammons are not: all five are those "
        "of your opponent, who rolls next": (
            "the first output is read as your opponent's, and the gammons are not: all five are "
            "your own"
        ),
        "'win' holds all their wins, and a single one": (
            "1 - win holds all of them, and a single one"
        ),
        "of your wins, 1 - win, a single one is": "win holds all of them, and a single one is",
    },
)

# --- gammon_targets: chances to lose --------------------------------------------------------------


def losing(outputs: np.ndarray, points: int, lam: float) -> tuple[np.ndarray, int, float]:
    """The same game, of which the network says the chances to lose, or those to win."""
    turned = np.stack([1 - outputs[:, 0], outputs[:, 2], outputs[:, 1]], axis=1)
    return turned, points, lam


def losing_targets(answer: np.ndarray) -> np.ndarray:
    """Rows of (lose, lose a gammon, win a gammon); what is no such table stays as it is."""
    rows = np.asarray(answer)
    if rows.ndim != 2 or rows.shape[1] != 3:
        return rows
    return np.stack([1 - rows[:, 0], rows[:, 2], rows[:, 1]], axis=1)


CHANCES_TO_LOSE = Variant(
    text={
        "the probabilities that the player who rolls next wins, wins a gammon (or more), loses a "
        "gammon (or more).": (
            "the probabilities that the player who rolls next **loses**, loses a gammon (or more), "
            "wins a gammon (or more)."
        ),
        "If the opponent wins with probability 0.7, a gammon with 0.2, and loses one with 0.1:": (
            "If the opponent loses with probability 0.7, a gammon with 0.2, and wins one with 0.1:"
        ),
        "targets = [np.array([1.0, points >= 2, 0.0])]": (
            "targets = [np.array([0.0, 0.0, points >= 2])]"
        ),
        "        win, win_gammon, lose_gammon = (1 - lam)": (
            "        lose, lose_gammon, win_gammon = (1 - lam)"
        ),
        "targets.append(np.array([1 - win, lose_gammon, win_gammon]))": (
            "targets.append(np.array([1 - lose, win_gammon, lose_gammon]))"
        ),
    },
    asked=losing,
    given=losing,
    answered=losing_targets,
    in_code={
        "these are probabilities, the other's win is 1 minus mine": (
            "these are probabilities, the other's loss is 1 minus mine"
        ),
        "a won gammon is a won game, too: its target is 1 for both outputs": (
            "a won gammon is a won game, too: its target in the first output is 0"
        ),
        "the won gammon stands in the last output": "the won gammon stands in the second output",
        "the last position's target is the loser's: who rolls there wins the game": (
            "the last position's target is the loser's: who rolls there wins the game, so their "
            "chance to lose is 0"
        ),
        "the first output is not turned: the other's win is": (
            "the first output is not turned: the other's loss is"
        ),
    },
)

VARIANTS = {"match_chances": [FOR_THE_MOVER], "gammon_targets": [CHANCES_TO_LOSE]}
