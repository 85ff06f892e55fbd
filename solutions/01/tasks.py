"""Sheet 01, sampling and clipping: the tasks, and what each usual mistake is told."""

from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.checks import visible01
from rlcourse.checks.judging import by_key, by_orders
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, Case, ManualTask, Mark, Task
from rlcourse.checks.visible import read_slips
from rlcourse.checks.visible01 import DRAFTS

# --- boltzmann ------------------------------------------------------------------------------------

BOLTZMANN_MISTAKES = {
    "inverted": "the temperature is inverted: divide the values by it, so that a low one sharpens",
    "temperature": "the temperature changes nothing here: divide the values by it before exp",
    "sign": "the sign of the second player: the values are the first player's, so the second "
    "player prefers small ones",
    "other_player": "the sign is turned for the wrong player: the table is for the first player, "
    "so it is the second player's values that turn",
    "mask": "illegal moves get a probability: only legal ones may",
    "late_mask": "the illegal moves are taken out after the division, and the sum is no longer 1: "
    "divide by what is left",
    "zero": "an illegal move with the value 0 still gets exp(0) = 1: it must not count at all",
    "clipped": "at a low temperature good moves come out equal: cutting large exponents off at a "
    "bound makes them the same; subtract the largest one instead",
    "other_temperature": "these are the probabilities at another temperature: use the argument as "
    "it is, however low it may be, and divide by it",
    "cold_best": "at a low temperature only the best move comes: how much likelier it is than the "
    "next best one the formula says there, too",
    "not_finite": "the answer holds nan or infinity. At a low temperature exp overflows: subtract "
    "the largest value of the legal moves first, which changes no probability. And -infinity at "
    "illegal moves becomes +infinity if the sign is turned after it was put there",
}


def _by_temperature(case: Case, answer: Any) -> Mark:
    """`by_key`; the right probabilities at another temperature are a mistake of their own."""
    mark = by_key(case, answer)
    if mark.mistake != "other":
        return mark
    q, legal, player, _ = case.args
    p, values = np.asarray(answer, float), q if player == 0 else -q
    high, low = np.argsort(np.where(legal & (p > 0), values, -np.inf))[[-1, -2]]
    if p[low] <= 0 or p[low] == p[high] or values[low] == values[high]:
        return mark
    temperature = (values[high] - values[low]) / np.log(p[high] / p[low])
    weights = np.where(legal, np.exp((values - values[high]) / temperature), 0.0)
    if temperature > 0 and np.allclose(p, weights / weights.sum(), atol=1e-9):
        detail = f"it is right at the temperature {temperature:.3g}"
        return mark._replace(mistake="other_temperature", detail=detail)
    return mark


# --- clip_legal -----------------------------------------------------------------------------------

CLIP_MISTAKES = {
    "as_given": "this is the code as it was handed out: it has two faults, and "
    "both are still there",
    "above_only": "only the large probabilities are clipped: a move at 0 stays at 0 and can "
    "never be learned again",
    "below_only": "only the small probabilities are clipped: a move at 1 stays above 1 - floor",
    "not_renormalised": "the rows do not have the sum 1: divide by the sum after the clip",
    "illegal_too": "illegal moves get a probability: they stay at exactly 0, only "
    "legal ones are lifted",
    "mask_late": "the clip comes too early: take the illegal part out and make the "
    "sum 1 first, then clip",
    "mask_last": "the illegal moves are set to 0 after the division, and the rows no longer have "
    "the sum 1: set them to 0 after the clip, then divide",
    "zeros_only": "only what is exactly 0 is lifted: every legal probability below floor is",
    "floor": "the bound 1e-5 is written into the code: use the argument floor",
    "all_share": "where the legal moves have nothing, the illegal ones get a share as well: only "
    "the legal ones share equally",
    "whole_batch": "all rows are divided by one sum: every row is a distribution of its "
    "own (axis, keepdims)",
    "clipped_again": "the rows are clipped once more after the division, and the sum is no longer "
    "1: the division is the last step, even if it leads out of the range",
    "exact_floor": "what was lifted has exactly floor in the end, and the others share the rest: "
    "all of them are divided by the sum",
    "not_finite": "the answer holds nan or infinity, as after a division by 0: where the legal "
    "moves have nothing at all, they share equally",
}

# --- draft ----------------------------------------------------------------------------------------

DRAFT_MISTAKES = {
    "replacement": "a name can come twice in one draft: whoever is drawn leaves the urn "
    "with all their tickets",
    "one_ticket": "only one ticket of the name that was drawn leaves the urn, so that the name can "
    "come again: all its tickets leave",
    "all_again": "biased rejection: drawing the whole list again when a name repeats favours "
    "names with few tickets for the first place; keep what is drawn and draw on "
    "among those who are left",
    "not_renormalised": "after the first draw the bounds do not end at 1, and what is missing "
    "falls to the last name: divide by the tickets that are left",
    "uniform_rest": "only the first place is drawn by tickets, the others uniformly",
    "uniform": "the tickets are ignored: every name is equally likely",
    "sorted": "the names of a draft come sorted: their order is the result",
    "shifted": "the number is a place in the shortened list: translate it back into "
    "the name's own number",
    "repeated": "all drafts are the same one: draw each anew, with random numbers from the "
    "argument rng; the name with most tickets is only more likely to come first",
    "distribution": "how often the orders come is not right",
}

# --- box_returns ----------------------------------------------------------------------------------

BOX_MISTAKES = {
    "wrong_end": "the discount counts from the first move of the game: it counts from the "
    "move whose return it is",
    "past": "the boxes before a move are added up: a return looks ahead",
    "late": "off by one: the boxes that a move closes itself belong to its return, undiscounted",
    "one_account": "all the returns are those of the first player: each belongs to the "
    "player who made that move",
    "wrong_player": "the rewards go to the wrong collector: what the mover closes counts for "
    "them, not against them",
    "alternates": "the sign changes from move to move: here who closes a box moves again, so "
    "ask who the mover was",
    "before": "the sign turns where the mover is another one than a move before: what follows is "
    "the next move's return, so compare with the next mover",
    "next_boxes": "the sign turns where the next move closes no box: whether a player stays hangs "
    "on the boxes of the move before, and `mover` says who it is",
    "own_discounted": "the boxes that a move closes itself are discounted too: they count in full, "
    "and gamma begins with the next move",
    "own_only": "the opponent's boxes are left out: they count against the mover",
    "no_sign": "the opponent's boxes count in favour of the mover: they count against them",
    "no_gamma": "the discount is missing: what is closed a move later counts gamma",
    "per_turn": "the discount counts changes of the player: it counts moves, and who closes a box "
    "moves again",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
    "whole": "what follows the point is cut off: an array of whole numbers, such as one made with "
    "dtype int or from whole numbers, keeps no fractions",
}

# --- the sheet ------------------------------------------------------------------------------------

_WITHHELD = ("rlcourse.checks.oracle01", "rlcourse.sampling", "rlcourse.experience")

SHEET = Sheet(
    number="01",
    title="Sampling and clipping",
    tasks=(
        Task(
            "boltzmann",
            15,
            12,
            1,
            "boltzmann",
            _by_temperature,
            _WITHHELD,
            "From a Q-table to a distribution",
            visible01.boltzmann(),
            BOLTZMANN_MISTAKES,
            "both players, 6 to 9 squares, temperatures from 0.0004 to 60, values up to 0.9 in "
            "size",
        ),
        Task(
            "clip_legal",
            15,
            15,
            2,
            "clip_legal",
            by_key,
            _WITHHELD,
            "Find the bugs: clip the legal moves only",
            visible01.clip(),
            CLIP_MISTAKES,
            "batches of 1 to 5 rows, other floors, rows with one legal move or with none that got "
            "anything, the arguments afterwards",
        ),
        Task(
            "draft",
            20,
            12,
            2,
            "draft",
            by_orders,
            _WITHHELD,
            "Who chooses first? A draft by tickets",
            visible01.draft(),
            DRAFT_MISTAKES,
            f"three or four names, two or three places, names without a ticket; {DRAFTS:,} drafts, "
            "judged by how often each order comes",
        ),
        Task(
            "box_returns",
            20,
            14,
            2,
            "box_returns",
            by_key,
            _WITHHELD,
            "Returns in Dots and Boxes",
            visible01.boxes(),
            BOX_MISTAKES,
            "random games of 1 to 11 moves, gamma from 0.5 to 1",
        ),
    ),
    manual=(
        ManualTask(
            "experiment",
            18,
            13,
            2,
            "Experiment: the error of a win rate in Connect Four",
            figure=Asked(curves=(2,), points=4, log="xy"),
        ),
        ManualTask("explanation", 12, 20, 2, "Explain: what a match says"),
    ),
    slips=read_slips(Path(__file__).with_name("visible.json")),
)

check, grade, attempt, summary, stand_in = SHEET.in_notebook
