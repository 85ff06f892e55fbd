"""Variants of sheet 07: other conventions for the same tasks."""

import numpy as np

from rlcourse.checks.variant import Variant

# --- points_advantages: the critic speaks for the first player ------------------------------------


def turned_for_the_second(
    outputs: np.ndarray, player: np.ndarray, result: int, points: tuple[float, float, float]
) -> tuple[np.ndarray, np.ndarray, int, tuple[float, float, float]]:
    """Chances for the player to move as the first player's, or these for the player to move."""
    second = (player == 1)[:, None]
    return np.where(second, outputs[:, ::-1], outputs), player, result, points


FOR_THE_FIRST = Variant(
    text={
        "for a position: the chances\nthat **the player to move** wins, draws and loses.": (
            "for a position: the chances\n"
            "that **the first player** wins, draws and loses, whoever is to move."
        ),
        "in each position, **for the player to move there**;": (
            "in each position, **for the first player**, whoever is to move;"
        ),
        "The sum of chance times points over the three results: `outputs @ np.array(points)`.": (
            "The sum of chance times points over the three results: `outputs @ np.array(points)` "
            "is what the first player can expect. The second player wins where the first one loses."
        ),
        "outputs [T, 3], player [T] of 0 and 1, result +1, 0, -1.": (
            "outputs [T, 3] for the first player, player [T] of 0 and 1, result +1, 0, -1."
        ),
        "    return np.where(player == 0, to_first, to_second) - outputs @ points": (
            "    own = np.where((player == 0)[:, None], outputs, outputs[:, ::-1])\n"
            "    return np.where(player == 0, to_first, to_second) - own @ points"
        ),
    },
    asked=turned_for_the_second,
    given=turned_for_the_second,
    in_code={
        "the first of the three numbers is the chance of the player to move": (
            "the first of the three numbers is the chance of the first player"
        ),
        "the outputs of the second player's positions are turned round: they belong to the player "
        "to move already": (
            "the outputs of the second player's positions are taken as they are: they are the "
            "first player's, and the second one wins where the first loses"
        ),
    },
)

# --- points_advantages: the chances of loss, draw and win -----------------------------------------


def other_order(outputs: np.ndarray, *rest: object) -> tuple[object, ...]:
    """The same game, with the chance to lose in the column of that to win."""
    return outputs[:, ::-1], *rest


LOSSES_FIRST = Variant(
    text={
        "that **the player to move** wins, draws and loses.": (
            "that **the player to move** loses, draws and wins, in this order."
        ),
        "the chances of win, draw and loss in each position, **for": (
            "the chances of **loss, draw and win** in each position, **for"
        ),
        "Example: the critic says (0.5, 0.3, 0.2) before": (
            "Example: the critic says (0.2, 0.3, 0.5) before"
        ),
        "over the three results: `outputs @ np.array(points)`.": (
            "over the three results. Which of the `points` belongs to which column of `outputs`?"
        ),
        "outputs [T, 3], player [T] of 0 and 1, result +1, 0, -1.": (
            "outputs [T, 3] of loss, draw and win, player [T] of 0 and 1, result +1, 0, -1."
        ),
        "to_second) - outputs @ points": "to_second) - outputs[:, ::-1] @ points",
    },
    asked=other_order,
    given=other_order,
    in_code={
        "the first of the three numbers is the chance of the player to move": (
            "the first of the three numbers is the chance that the player to move loses"
        ),
    },
)

# --- exact_advantages: a position is worth something to the player who has moved there ------------


def same_question(
    leads: np.ndarray, reward: np.ndarray, policy: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The game stays as it is."""
    return leads, reward, policy


def values_of_the_other(answer: object) -> object:
    """The values for the other player, the advantages for the same; what is no pair stays."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return answer
    return 0.0 - np.asarray(answer[0]), answer[1]


AFTER_THE_MOVE = Variant(
    text={
        "less what the position before it is worth, is its exact advantage;": (
            "less what the position before it is worth to the same player, is its exact advantage;"
        ),
        "the values `[S]` of the positions and the advantages `[S, A]` of the moves, both **for "
        "the player to move**. The players take turns,": (
            "the values `[S]` of the positions **for the player who has just moved there**, and "
            "the advantages `[S, A]` of the moves **for the player who makes them**. (No move "
            "leads to the first position. Its value is for the player who is not to move.) The "
            "players take turns,"
        ),
        "in position 3 the value is ½ · 1 + ½ · 0 = ½, and the advantages are ½ and −½.": (
            "in position 3 the player to move expects ½ · 1 + ½ · 0 = ½. So the value is −½, and "
            "the advantages are ½ and −½."
        ),
        "If not: the next position has a value for the other player. What is it to you?": (
            "If not: the next position has a value. For which player?"
        ),
        "(values [S], advantages [S, A]) for the player to move, when both play by policy": (
            "(values [S] for the player who has just moved, advantages [S, A] for the one who "
            "moves) when both play by policy"
        ),
        "else -values[leads[s, a]]\n        values[s] = (policy[s] * worth[s]).sum()\n"
        "    return values, np.where(policy > 0, worth - values[:, None], 0.0)": (
            "else values[leads[s, a]]\n        values[s] = -(policy[s] * worth[s]).sum()\n"
            "    return values, np.where(policy > 0, worth + values[:, None], 0.0)"
        ),
        "(task 5; it uses the course's own `exact_advantages`, so you can do this task without "
        "that one)": (
            "for the player to move (it uses an `exact_advantages` of the course's own, so you can "
            "do this task without task 5)"
        ),
    },
    asked=same_question,
    given=same_question,
    answered=values_of_the_other,
    in_code={
        "the next value is not turned: after the move the other player is to move, and what they "
        "win you lose": (
            "the next value is turned: after the move you are the player who is not to move, and "
            "the value is yours already"
        ),
        "the sign of the advantages: what the move is worth minus what the position is worth": (
            "the sign of the advantages: what the move is worth minus what the position is worth "
            "to the player who makes it"
        ),
        "this is what the moves are worth: take off the value of the position": (
            "this is what the moves are worth: take off what the position is worth to the player "
            "to move"
        ),
        "the other player's value is taken off: both the move and the position count for the "
        "player to move": (
            "the value is taken off as it is: it is the other player's, and the move belongs to "
            "the player to move"
        ),
        "a move that is not allowed has the advantage 0, not minus the value": (
            "a move that is not allowed has the advantage 0, not the value of the position"
        ),
    },
)

# --- exact_advantages: the reward is for the other player -----------------------------------------


def rewards_of_the_other(
    leads: np.ndarray, reward: np.ndarray, policy: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same game, with what each end brings the other player."""
    return leads, 0 - reward, policy


FOR_WHO_WOULD_MOVE = Variant(
    text={
        "what the game has then brought **the player who made this move**: +1, 0 or −1.": (
            "what the game has then brought **the other player**, who would be to move next: −1 if "
            "this move has won, else 0 or +1."
        ),
        "If the game ends: the reward. If not: the next position has a value for the other "
        "player. What is it to you?": (
            "If the game ends: the reward. If not: the value of the next position. Both are the "
            "other player's. What are they to you?"
        ),
        "leads, reward [S, A].": "leads [S, A], reward [S, A] for the other player.",
        "worth[s, a] = reward[s, a] if": "worth[s, a] = -reward[s, a] if",
        "(task 5; it uses the course's own `exact_advantages`, so you can do this task without "
        "that one)": (
            "(it uses an `exact_advantages` of the course's own, so you can do this task without "
            "task 5)"
        ),
    },
    asked=rewards_of_the_other,
    given=rewards_of_the_other,
    in_code={
        "the reward at the end is turned: it belongs to the player who has just moved, as the "
        "position does": (
            "the reward at the end is not turned: it belongs to the other player, as the value of "
            "the next position does"
        ),
    },
)

VARIANTS = {
    "points_advantages": [FOR_THE_FIRST, LOSSES_FIRST],
    "exact_advantages": [AFTER_THE_MOVE, FOR_WHO_WOULD_MOVE],
}
