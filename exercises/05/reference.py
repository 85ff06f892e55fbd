"""The reference of sheet 05 on which another task builds; students can read it.

While a task is judged it is withheld.
"""

import numpy as np

DIE_SIDES = 4  # of two_ply_chances


def two_ply_chances(
    plays: np.ndarray, theirs: int, goes: np.ndarray, values: np.ndarray, slip: str = ""
) -> np.ndarray:
    """[M]: the mover's chance after each play, looking one throw of the other ahead. plays
    [M] squares to go, 0 is home.

    theirs: the other's square; goes [N + 1]: where a counter that lands on a square ends; values
    [N + 1, N + 1]: the chance of the player who rolls next, their own square first. They throw two
    dice of four sides and move by one of them.
    """
    plays = np.asarray(plays)
    if slip == "one_ply":
        return np.where(plays == 0, 1.0, 1 - values[theirs, plays])
    goes = np.arange(len(goes)) if slip == "no_ladders" else goes
    # What each number, if they move by it, leaves me; more than a die has only in the slips "both"
    # and "both_too".
    sides = 6 if slip == "six_sides" else DIE_SIDES
    left = np.zeros((2 * sides, len(plays)))
    ends = []  # where each number leads
    for die in range(1, 2 * sides + 1):
        landing = (theirs - die) % len(goes) if slip == "wraps" else max(0, theirs - die)
        square = goes[landing]
        if slip == "exact_home" and die > theirs:
            square = theirs
        ends.append(square)
        if slip == "roller":
            left[die - 1] = 1 - values[square, plays]
        else:
            left[die - 1] = values[square, plays] if slip == "view" else values[plays, square]
        climbed = square == 0 and die < theirs and slip == "ladder_home"
        if square == 0 and slip != "their_end" and not climbed:
            left[die - 1] = 1.0 if slip == "their_win" else 0.0
    total, weights = np.zeros(len(plays)), 0.0
    split = np.zeros((2, len(plays)))  # by the higher number, by the lower one
    for high in range(sides):
        for low in range(high + 1):
            weight = 1.0 if high == low or slip in ("doubles", "once") else 2.0
            weights += 2.0 if high != low and slip == "once" else weight
            chosen = _chosen(left[high], left[low], slip)
            if slip == "both":
                chosen = left[high + low + 1]
            elif slip == "both_too":
                chosen = np.minimum(chosen, left[high + low + 1])
            elif slip == "one_reply":
                chosen = min(left[high], left[low], key=np.mean)
            elif slip == "first_reply":
                chosen = min(left[high], left[low], key=lambda reply: reply[0])
            elif slip == "higher":
                chosen = left[high]
            elif slip == "nearest":
                chosen = left[high if ends[high] <= ends[low] else low]
            total += weight * chosen
            split += weight * left[[high, low]]
    chance = (split.min(axis=0) if slip == "before_throw" else total) / weights
    if slip == "best_roll":
        chance = left[:sides].min(axis=0)
    return chance if slip == "my_end" else np.where(plays == 0, 1.0, chance)


def _chosen(high: np.ndarray, low: np.ndarray, slip: str) -> np.ndarray:
    """[M]: my chance if the other takes the better of two numbers, which is the worse for me."""
    if slip == "friendly":
        return np.maximum(high, low)
    return (high + low) / 2 if slip == "random" else np.minimum(high, low)
