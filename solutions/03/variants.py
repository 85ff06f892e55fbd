"""Variants of sheet 03: other conventions for the same tasks."""

import numpy as np

from rlcourse.checks.variant import Variant

# --- best_columns: the network says what the first player loses -----------------------------------


def losses(
    q: np.ndarray, q_mirrored: np.ndarray, boards: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same boards, for which a network says what is lost, or won."""
    return -q, -q_mirrored, boards


WHAT_THE_FIRST_LOSES = Variant(
    text={
        "As in lesson 03 it speaks **from the first player's point of view**: the first player "
        "wants large values, the second small ones.": (
            "It speaks from the first player's point of view, but unlike that of lesson 03 it "
            "says what the first player **loses**: +1 means that the second player will win, -1 "
            "that the first will. So the first player wants small values, the second large ones."
        ),
        "so the second player is to move.\n\n![Left a Connect Four": (
            "so the second player is to move. The numbers in it say what the first player *wins*; "
            "`q` and `q_mirrored` of the check are these numbers with the other sign.\n\n"
            "![Left a Connect Four"
        ),
        "Multiply by +1 or -1 so that every row speaks for its player to move. Then everybody "
        "takes the largest.": (
            "Multiply by +1 or -1 so that every row says what its player to move wins. Then "
            "everybody takes the largest."
        ),
        "q, q_mirrored [B, 7] from the first player's point of view; boards": (
            "q, q_mirrored [B, 7]: what the first player loses; boards"
        ),
        "sign = 1 - 2 * ((boards != 0).sum(axis=(1, 2)) % 2)": (
            "sign = np.where((boards != 0).sum(axis=(1, 2)) % 2 == 0, -1, 1)"
        ),
    },
    asked=losses,
    given=losses,
    in_code={
        "the second player maximises as well: the network speaks from the first player's point of "
        "view, so the second player wants small values": (
            "the second player minimises as well: the network says what the first player loses, "
            "so the second player wants large values"
        ),
        "with an even number of stones on the board the first player is to move": (
            "with an even number of stones on the board the first player is to move, and wants "
            "small values"
        ),
        "the sign is turned after the full columns were given -inf, and turns that into inf: "
        "first the sign": (
            "the sign is turned after the full columns were given the value that is worst for one "
            "of the players, and makes it the best for the other: first the sign"
        ),
        '"zero": "a full column that is multiplied by 0 beats open ones with negative values: '
        'leave it out instead",\n    "mask_turned"': (
            '"zero": "a full column that is multiplied by 0 beats open ones in which the player '
            'to move loses: leave it out instead",\n    "mask_turned"'
        ),
        "the larger of the two answers is taken": "the smaller of the two answers is taken",
        "full columns that look best, values below 0 only": (
            "full columns that look best, open ones that all look bad"
        ),
    },
)

# --- double_targets: all values belong to who has just moved --------------------------------------


def of_the_other(
    reward: np.ndarray,
    done: np.ndarray,
    boards: np.ndarray,
    q_online: np.ndarray,
    q_target: np.ndarray,
    gamma: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, float]:
    """The same games, of which the networks speak for the other player."""
    return reward, done, boards, -q_online, -q_target, gamma


FOR_WHO_HAS_MOVED = Variant(
    text={
        "The maximum of noisy numbers is too high: where seven columns are equally good, the "
        "largest of seven guesses is most likely a guess that errs upwards.": (
            "The best of noisy numbers looks too good: where seven columns are equally good, the "
            "smallest of seven guesses is most likely a guess that errs downwards, the largest "
            "one that errs upwards."
        ),
        r"r - [\text{not over}] \cdot \gamma": r"r + [\text{not over}] \cdot \gamma",
        r"\arg\max_{a'\ \text{legal}}": r"\arg\min_{a'\ \text{legal}}",
        "here **every value belongs to the player to move**, the reward to the player who has "
        "just moved. Hence the minus: in the next position the opponent moves.": (
            "here **every value belongs to the player who has just moved**, and so does the "
            "reward. Hence the minimum: in the next position the opponent moves, and chooses what "
            "is worst for that player."
        ),
        "what the two networks say of these boards, for the player to move there;": (
            "what the two networks say of these boards, for the player who has just moved;"
        ),
        "appear only inside the argmax.": "appear only inside the argmin.",
        "replies = np.where(boards[:, 0] == 0, q_online, -np.inf).argmax(axis=1)": (
            "replies = np.where(boards[:, 0] == 0, q_online, np.inf).argmin(axis=1)"
        ),
        "return reward - np.where(done, 0.0, gamma": "return reward + np.where(done, 0.0, gamma",
    },
    asked=of_the_other,
    given=of_the_other,
    in_code={
        "the sign of the next player: in the next position your opponent moves, and what they win "
        "you lose": (
            "the sign of the next value: it belongs to the player who has just moved, as the "
            "reward does, so it is added as it is"
        ),
        "the maximum goes over full columns too": "the minimum goes over full columns too",
        '"zero": "a full column that is multiplied by 0 beats open ones with negative values: '
        'leave it out instead",\n    "short_list": "the reply': (
            '"zero": "a full column that is multiplied by 0 looks better to the opponent than '
            'open ones with values above 0: leave it out instead",\n    "short_list": "the reply'
        ),
        "on a full board no column is open, so its best value is -inf, and -inf times 0": (
            "on a full board no column is open, so its least value is inf, and inf times 0"
        ),
        "the smaller of both networks' values is taken: the target network says what the chosen "
        "column is worth, also where it says more": (
            "the larger of both networks' values is taken: the target network says what the "
            "chosen column is worth, also where it says less"
        ),
        "every value belongs to the player to move, so the opponent, too, takes the largest of "
        "their own values": (
            "the largest value is taken: every value belongs to the player who has just moved, "
            "so the opponent takes the smallest"
        ),
    },
)

VARIANTS = {"best_columns": [WHAT_THE_FIRST_LOSES], "double_targets": [FOR_WHO_HAS_MOVED]}
