"""Variants of sheet 08: other conventions for the same tasks."""

import numpy as np

from rlcourse.checks.variant import Variant

# --- puct_moves: totals for the player who moves, the network's value for the other one -----------


def other_players(
    visits: np.ndarray,
    totals: np.ndarray,
    priors: np.ndarray,
    legal: np.ndarray,
    value: np.ndarray,
    root: np.ndarray,
    noise: np.ndarray,
    c: float,
    epsilon: float,
) -> tuple[np.ndarray | float, ...]:
    """The same nodes, with the totals and the value for the other player each."""
    return visits, 0.0 - totals, priors, legal, 0.0 - value, root, noise, c, epsilon


VALUE_OF_THE_OTHER = Variant(
    text={
        "- **Totals are kept for the other player, who moves after the move.** $Q_a$ must be for "
        "the player who moves in the node.": (
            "- **Two points of view.** Totals are kept for the player who moves in the node, and "
            "$Q_a$ must be for that player, too. But what the network says, `value`, is for the "
            "**other** player, who has just moved."
        ),
        "is taken to be worth what the network said of the node itself, `value`, and not 0.": (
            "is taken to be worth what the network said of the node itself, and not 0."
        ),
        "- `value` `[R]`: for the player who moves in the node; `root`": (
            "- `value` `[R]`: for the player who has just moved, and does not move in the node; "
            "`root`"
        ),
        "-totals / np.maximum(visits, 1), value[:, None])": (
            "totals / np.maximum(visits, 1), -value[:, None])"
        ),
    },
    asked=other_players,
    given=other_players,
    in_code={
        "Q is not negated: the totals are for the player who moves after the move, and what they "
        "like you do not": (
            "Q is negated: the totals are for the player who moves in the node already"
        ),
        "the first guess is turned as well: `value` is already for the player who moves in the "
        "node": (
            "the first guess is not turned: `value` is for the other player, and what they like "
            "the player who moves in the node does not"
        ),
    },
)

# --- puct_moves: means in place of totals ---------------------------------------------------------


def means(visits: np.ndarray, totals: np.ndarray, *rest: object) -> tuple[object, ...]:
    """The mean of what each action's visits brought; 0 where it has none."""
    return visits, totals / np.maximum(visits, 1), *rest


def totals(visits: np.ndarray, mean: np.ndarray, *rest: object) -> tuple[object, ...]:
    """The sum of what each action's visits brought."""
    return visits, mean * visits, *rest


MEANS = Variant(
    text={
        "- **Totals are kept for the other player, who moves after the move.** $Q_a$": (
            "- **Means are kept in place of totals, for the other player, who moves after the "
            "move.** $Q_a$"
        ),
        "Write `puct_moves(visits, totals, priors,": "Write `puct_moves(visits, mean, priors,",
        "- `visits` ($n_a$), `totals`, `priors` `[R, A]`; `legal` `[R, A]`, True or False; an "
        "illegal action has no visits;": (
            "- `visits` ($n_a$), `mean`, `priors` `[R, A]`; `legal` `[R, A]`, True or False; an "
            "illegal action has no visits, and an action without visits has the mean 0;"
        ),
        "Hint 2: dividing by no visits": "Hint 2: actions without visits",
        "`totals / np.maximum(visits, 1)` is always fine; `np.where(visits > 0, ..., ...)` picks "
        "what counts.": "`np.where(visits > 0, ..., ...)` picks what counts.",
        "def puct_moves(visits, totals, priors,": "def puct_moves(visits, mean, priors,",
        "-totals / np.maximum(visits, 1), value": "-mean, value",
    },
    asked=means,
    given=totals,
    in_code={"the totals are for the player who moves": "the means are for the player who moves"},
)

# --- rollout_values: a heap is worth something to the player who has left it ----------------------


def same_heaps(takes: list[int], heap: int) -> tuple[list[int], int]:
    """The game stays as it is."""
    return takes, heap


def means_of_the_other(answer: object) -> object:
    """The means for the other player, the same heaps; what is no pair stays."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return answer
    return 0.0 - np.asarray(answer[0]), answer[1]


FOR_WHO_LEFT = Variant(
    text={
        "+1 a win and −1 a loss **for the player to move there**;": (
            "+1 a win and −1 a loss **for the player who has just moved and left this heap**;"
        ),
        "After your move the *other* player is to move in a smaller heap, whose mean you know "
        "already. Random play gives each legal move the same weight.": (
            "After your move *you* have left a smaller heap, whose mean you know already. Random "
            "play gives each legal move the same weight. And who has left the heap before your "
            "move?"
        ),
        "The means [heap + 1] of random play for the player to move, and the list": (
            "The means [heap + 1] of random play for the player who left the heap, and the list"
        ),
        "-np.mean([means[left] for left in after]) if after else -1.0)": (
            "-np.mean([means[left] for left in after]) if after else 1.0)"
        ),
        "if wins[h] and wins[min(after, key=lambda left: means[left])]:": (
            "if wins[h] and wins[max(after, key=lambda left: means[left])]:"
        ),
        "The cell uses the course's own\n`rollout_values`; you can do this task without having "
        "solved task 5.": (
            "The cell uses a\n"
            "`rollout_values` of the course's own, whose means are for the player **to move**; you "
            "can do this task without having solved task 5."
        ),
    },
    asked=same_heaps,
    given=same_heaps,
    answered=means_of_the_other,
    in_code={
        "no sign is changed: after your move the other player is to move, and their mean counts "
        "negatively for you": (
            "no sign is changed: the heaps that your moves leave have means for you, and this heap "
            "one for the other player, who has left it to you"
        ),
        "so such a heap is worth -1 to its mover": (
            "so such a heap is worth +1 to the player who has left it"
        ),
        "a negative mean alone misleads nobody": "a positive mean alone misleads nobody",
    },
)

# --- rollout_values: chances to win ---------------------------------------------------------------


def chances(answer: object) -> object:
    """The chances to win, the same heaps; what is no pair stays."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return answer
    return (1 + np.asarray(answer[0])) / 2, answer[1]


CHANCES = Variant(
    text={
        "- `means` `[heap + 1]`: for every heap from 0 on, the exact mean result of random play, "
        "+1 a win and −1 a loss **for the player to move there**;": (
            "- `chances` `[heap + 1]`: for every heap from 0 on, the exact **chance to win**, from "
            "0 to 1, of the player to move there, if both play at random;"
        ),
        "the exact means of random play, and no closer": "those of random play, and no closer",
        "the move with the best mean leads to a loss against best play. (Moves that share the "
        "best mean": (
            "the move with the best chance leads to a loss against best play. (Moves that share "
            "the best chance"
        ),
        "whose mean you know already.": "whose chance you know already.",
        "its mean is 17/81, but to take 4 has 1/3.": "its chance is 49/81, but to take 4 has 2/3.",
        "The means [heap + 1] of random play for the player to move, and the list of the heaps in "
        "which they mislead.": (
            "The chances [heap + 1] of the player to move in random play, and the list of the "
            "heaps in which they mislead."
        ),
        "-np.mean([means[left] for left in after]) if after else -1.0)": (
            "1 - np.mean([means[left] for left in after]) if after else 0.0)"
        ),
        "The cell uses the course's own\n`rollout_values`; you can do this task without having "
        "solved task 5.": (
            "The cell uses a\n"
            "`rollout_values` of the course's own, with means from −1 to +1 in place of chances; "
            "you can do this task without having solved task 5."
        ),
    },
    asked=same_heaps,
    given=same_heaps,
    answered=chances,
    in_code={
        "no sign is changed: after your move the other player is to move, and their mean counts "
        "negatively for you": (
            "the chance is not turned: after your move the other player is to move, and you win "
            "where they lose"
        ),
        "so such a heap is worth -1 to its mover": "so in such a heap the chance is 0",
        "a negative mean alone misleads nobody": "a chance below 1/2 alone misleads nobody",
    },
)

VARIANTS = {
    "puct_moves": [VALUE_OF_THE_OTHER, MEANS],
    "rollout_values": [FOR_WHO_LEFT, CHANCES],
}
