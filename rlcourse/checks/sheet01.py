"""Sheet 01, sampling and clipping: the tasks, what each usual mistake is told, and how the hidden cases are drawn."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from rlcourse.checks import oracle01, visible01
from rlcourse.checks.judging import Frequencies, Orders, by_key, by_oracle, by_orders, keyed, rate
from rlcourse.checks.plain import Rng
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, ManualTask, Task
from rlcourse.checks.visible import read_slips
from rlcourse.checks.visible01 import DRAFTS

# --- boltzmann --------------------------------------------------------------------------------------------------------

BOLTZMANN_MISTAKES = {
    "inverted": "the temperature is inverted: divide the values by it, so that a low one sharpens",
    "temperature": "the temperature changes nothing here: divide the values by it before exp",
    "sign": "the sign of the second player: the table is to the first player's account, so he prefers small values",
    "mask": "illegal moves get a probability: only legal ones may",
    "late_mask": "the illegal moves are taken out after the division, and the sum is no longer 1: divide by what is left",
    "zero": "an illegal move with the value 0 still gets exp(0) = 1: it must not count at all",
    "clipped": "at a low temperature good moves come out equal: cutting large exponents off at a bound makes them the same; subtract "
    "the largest one instead",
    "not_finite": "exp overflows at a low temperature: subtract the largest value first, which changes no probability",
}


def _boltzmann_cases(rng: np.random.Generator) -> list[Case]:
    # Both players, cold and hot, and some so cold that exp(value / temperature) overflows, or is 0 for every legal move.
    asked = []
    for player, temperature, high in (
        (0, 0.3, 0.45), (1, 0.3, 0.45), (0, 2.5, 0.45), (1, 2.5, 0.45), (0, 5e-4, 0.45), (1, 5e-4, 0.45), (0, 5e-4, -0.85), (1, 0.3, -0.45)
    ):  # fmt: skip
        legal, temperature = np.ones(9, bool), temperature * float(rng.uniform(0.9, 1.1))
        legal[rng.choice(9, 4, replace=False)] = False
        mine = rng.uniform(-0.9, high - 0.01, 9)
        # Their lead over the best legal move makes exp(-lead / temperature) 0 or a normal number, never a rounded subnormal one.
        mine[~legal] = rng.uniform(0.5, 0.75, 4)
        best = rng.permutation(np.flatnonzero(legal))[:2]
        mine[best] = (
            high,
            high - min(0.8 * temperature, 0.3),
        )  # two that even a low temperature does not tell apart altogether
        asked.append((mine if player == 0 else -mine, legal, player, temperature))
    q, legal = asked[0][:2]
    asked.append((q, legal, 1, 1.0))  # the same table for the other player
    asked.append((q, np.arange(9) == np.flatnonzero(legal)[0], 0, 0.3))  # one legal move
    size = int(rng.integers(5, 8))  # another game has another number of moves
    asked.append((rng.uniform(-0.4, 0.4, size), np.arange(size) != rng.integers(size), 1, 0.3))
    return [keyed(oracle01.boltzmann, BOLTZMANN_MISTAKES, *args) for args in asked]


def _boltzmann_domain(q: np.ndarray, legal: np.ndarray, player: int, temperature: float) -> bool:
    return (
        q.shape == legal.shape
        and legal.any()
        and np.isfinite(q).all()
        and player in (0, 1)
        and temperature > 0
    )


# --- clip_legal -------------------------------------------------------------------------------------------------------

CLIP_MISTAKES = {
    "as_given": "this is the code as it was handed out: it has two faults, and both are still there",
    "above_only": "only the large probabilities are clipped: a move at 0 stays at 0 and can never be learned again",
    "below_only": "only the small probabilities are clipped: a move at 1 stays above 1 - floor",
    "not_renormalised": "the rows do not have the sum 1: divide by the sum after the clip",
    "illegal_too": "illegal moves get a probability: they stay at exactly 0, only legal ones are lifted",
    "mask_late": "the clip comes too early: take the illegal part out and make the sum 1 first, then clip",
    "zeros_only": "only what is exactly 0 is lifted: every legal probability below floor is",
    "floor": "the bound 1e-5 is written into the code: use the argument floor",
    "whole_batch": "all rows are divided by one sum: every row is a distribution of its own (axis, keepdims)",
    "not_finite": "0 divided by 0: where the legal moves have nothing at all, they share equally",
}


def _clip_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for number in range(4):
        size, rows = int(rng.integers(5, 9)), int(rng.integers(3, 6))
        legal = rng.permuted(np.tile(np.arange(size) >= 2, (rows, 1)), axis=1)
        p = rng.dirichlet(np.full(size, 0.5), rows)
        p[legal] *= 0.5  # half of it is illegal, on average
        for row in range(
            2
        ):  # in two rows one legal move has nearly everything that is legal, and others nothing
            free = rng.permutation(np.flatnonzero(legal[row]))
            p[row, free] = 0.0
            p[row, free[:2]] = 0.5, 0.001
        p /= p.sum(axis=1, keepdims=True)
        if number == 2:  # one legal move, and a network that is sure of an illegal one
            p[0], legal[0] = np.full(size, 1 / size), np.arange(size) == 1
            p[-1] = np.where(np.arange(size) == np.flatnonzero(~legal[-1])[0], 1.0, 0.0)
        args = (p, legal, float(rng.uniform(0.02, 0.06)))
        cases.append(keyed(oracle01.clip_legal, CLIP_MISTAKES, *args))
        if number == 0:  # one row alone; and the same rows with another floor
            cases += [
                keyed(oracle01.clip_legal, CLIP_MISTAKES, *again)
                for again in ((p[:1], legal[:1], args[2]), (p, legal, args[2] / 2))
            ]
    return cases


def _clip_domain(p: np.ndarray, legal: np.ndarray, floor: float) -> bool:
    rows = p.shape == legal.shape and p.ndim == 2 and np.allclose(p.sum(axis=1), 1) and p.min() >= 0
    return rows and bool(legal.any(axis=1).all()) and 0 < floor < 0.5


# --- draft ------------------------------------------------------------------------------------------------------------

DRAFT_MISTAKES = {
    "replacement": "a name can come twice in one draft: whoever is drawn leaves the urn with all his tickets",
    "all_again": "biased rejection: drawing the whole list again when a name repeats favours names with few tickets for the first "
    "place; keep what is drawn and draw on among those who are left",
    "not_renormalised": "after the first draw the bounds do not end at 1, and what is missing falls to the last name: divide by "
    "the tickets that are left",
    "uniform_rest": "only the first place is drawn by tickets, the others uniformly",
    "uniform": "the tickets are ignored: every name is equally likely",
    "sorted": "the names of a draft come sorted: their order is the result",
    "shifted": "the number is a place in the shortened list: translate it back into the name's own number",
    "repeated": "all drafts are the same one: draw each anew, with random numbers from the argument rng; the name with most tickets "
    "is only more likely to come first",
    "distribution": "how often the orders come is not right",
}


def _draft_key(case: Case, cases: int = 1) -> Orders:
    """cases: over how many of them the false alarms are divided."""
    tickets, k = case.args[:2]
    slips = [slip for slip in DRAFT_MISTAKES if slip not in ("repeated", "distribution")]
    chances = {slip: oracle01.draft_chances(tickets, k, slip) for slip in slips}
    key = Frequencies(oracle01.draft_chances(tickets, k), chances, rate(cases))
    return Orders(len(tickets), k, key)


def _draft_case(rng: np.random.Generator, tickets: np.ndarray, k: int, cases: int) -> Case:
    case = Case((tickets, k, DRAFTS, Rng(int(rng.integers(2**31)))), draws_at=2)
    return replace(case, secret=_draft_key(case, cases))


def _draft_cases(rng: np.random.Generator) -> list[Case]:
    four = rng.permutation([12, 6, 3, 2]) + rng.integers(0, 2, 4)
    gap = np.insert(rng.permutation([9, 4, 2]), int(rng.integers(0, 4)), 0)
    return [_draft_case(rng, four, 2, 3), _draft_case(rng, four, 3, 3), _draft_case(rng, gap, 2, 3)]


def _draft_domain(tickets: np.ndarray, places: int, n: int, rng: Rng) -> bool:
    return (
        tickets.dtype.kind == "i"
        and tickets.min() >= 0
        and 1 <= places <= (tickets > 0).sum()
        and n >= 1
    )


# --- box_returns ------------------------------------------------------------------------------------------------------

BOX_MISTAKES = {
    "wrong_end": "the discount counts from the first move of the game: it counts from the move whose return it is",
    "past": "the boxes before a move are added up: a return looks ahead",
    "late": "off by one: the boxes that a move closes itself belong to its return, undiscounted",
    "one_account": "the returns are all to the first player's account: each belongs to the player who made that move",
    "wrong_player": "the rewards go to the wrong collector: what the mover closes counts for him, not against him",
    "alternates": "the sign changes from move to move: here who closes a box moves again, so ask who the mover was",
    "own_only": "the opponent's boxes are left out: they count against the mover",
    "no_sign": "the opponent's boxes count in favour of the mover: they count against him",
    "gamma": "the discount 0.9 is written into the code: use the argument gamma",
}


def _box_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for number, gamma in enumerate((0.5, 0.7, 0.8, 1.0)):
        plies = int(rng.integers(7, 12))
        closed = rng.permutation([1, 1, 2, 1, *[0] * (plies - 4)])
        closed[-1] = int(rng.integers(1, 3))  # the last move of a game closes the last box
        mover = np.full(plies, number % 2)  # either player may begin
        for t in range(1, plies):  # who closes a box moves again
            mover[t] = mover[t - 1] if closed[t - 1] else 1 - mover[t - 1]
        args = (mover, closed, gamma)
        cases.append(keyed(oracle01.box_returns, BOX_MISTAKES, *args))
    for again in (
        (mover, closed, 0.6),
        (np.array([1]), np.array([2]), 0.5),
    ):  # another gamma; a game of one move
        cases.append(keyed(oracle01.box_returns, BOX_MISTAKES, *again))
    return cases


def _box_domain(mover: np.ndarray, boxes: np.ndarray, gamma: float) -> bool:
    again = mover[1:] == mover[:-1]
    return (
        mover.shape == boxes.shape
        and bool((again == (boxes[:-1] > 0)).all())
        and 0 <= boxes.min()
        and 0 < gamma <= 1
    )


# --- the sheet --------------------------------------------------------------------------------------------------------

_SAMPLING = (
    "softmax",
    "with_temperature",
    "mask_probs",
    "clip_probs",
    "normalize",
    "categorical_by_hand",
    "categorical",
    "ranked",
)
_WITHHELD = (
    *(
        f"rlcourse.checks.oracle01:{name}"
        for name in ("boltzmann", "clip_legal", "draft_chances", "box_returns")
    ),
    *(f"rlcourse.sampling:{name}" for name in _SAMPLING),
    "rlcourse.experience:discounted_returns",
)

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
            _boltzmann_cases,
            by_key,
            _WITHHELD,
            "From a Q-table to a distribution",
            visible01.boltzmann(),
            BOLTZMANN_MISTAKES,
            "both players, nine squares, temperatures from 0.0005 to 3, values up to 0.9 in size",
            domain=_boltzmann_domain,
            key=by_oracle(oracle01.boltzmann, BOLTZMANN_MISTAKES),
        ),
        Task(
            "clip_legal",
            15,
            12,
            2,
            "clip_legal",
            _clip_cases,
            by_key,
            _WITHHELD,
            "Find the bugs: clip the legal moves only",
            visible01.clip(),
            CLIP_MISTAKES,
            "batches of 3 to 5 rows, other floors, rows with one legal move or with none that got anything, the arguments afterwards",
            domain=_clip_domain,
            key=by_oracle(oracle01.clip_legal, CLIP_MISTAKES),
        ),
        Task(
            "draft",
            20,
            15,
            2,
            "draft",
            _draft_cases,
            by_orders,
            _WITHHELD,
            "Who chooses first? A draft by tickets",
            visible01.draft(),
            DRAFT_MISTAKES,
            f"three or four names, two or three places, names without a ticket; {DRAFTS:,} drafts, judged by how often each order comes",
            domain=_draft_domain,
            key=_draft_key,
        ),
        Task(
            "box_returns",
            20,
            15,
            2,
            "box_returns",
            _box_cases,
            by_key,
            _WITHHELD,
            "Returns in Dots and Boxes",
            visible01.boxes(),
            BOX_MISTAKES,
            "random games of 7 to 11 moves, gamma from 0.5 to 1",
            domain=_box_domain,
            key=by_oracle(oracle01.box_returns, BOX_MISTAKES),
        ),
    ),
    manual=(
        ManualTask("experiment", 18, 18, 2, "Experiment: the error of a win rate in Connect Four"),
        ManualTask(
            "explanation", 12, 8, 2, "Explain: what a match says, and what clipping cannot do"
        ),
    ),
    slips=read_slips(Path(__file__).with_name("visible01.json")),
)

check, grade, attempt, summary, stand_in = (
    SHEET.check,
    SHEET.grade,
    SHEET.attempt,
    SHEET.summary,
    SHEET.stand_in,
)
