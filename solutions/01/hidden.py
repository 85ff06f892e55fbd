"""Sheet 01, sampling and clipping: how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

from dataclasses import replace

import numpy as np

from rlcourse.checks import oracle01
from rlcourse.checks.judging import Frequencies, Orders, alarm_share, by_oracle, keyed
from rlcourse.checks.plain import Rng
from rlcourse.checks.sheet01 import BOLTZMANN_MISTAKES, BOX_MISTAKES, CLIP_MISTAKES, DRAFT_MISTAKES
from rlcourse.checks.task import Case, Hidden
from rlcourse.checks.visible01 import DRAFTS

# --- boltzmann ------------------------------------------------------------------------------------


_LISTED_BOLTZMANN = [name for name in BOLTZMANN_MISTAKES if name != "other_temperature"]


def _boltzmann_cases(rng: np.random.Generator) -> list[Case]:
    # Both players, cold and hot, and some so cold that exp(value / temperature) overflows, or
    # is 0 for every legal move.
    asked = []
    for player, temperature, high in (
        (0, 0.3, 0.45), (1, 0.3, 0.45), (0, 2.5, 0.45), (1, 2.5, 0.45), (0, 50.0, 0.45), (1, 50.0, 0.45), (0, 5e-4, 0.45), (1, 5e-4, 0.45), (0, 5e-4, -0.85), (1, 5e-4, -0.85), (1, 0.3, -0.45)
    ):  # fmt: skip
        legal, temperature = np.ones(9, bool), temperature * float(rng.uniform(0.9, 1.1))
        legal[rng.choice(9, 4, replace=False)] = False
        mine = rng.uniform(-0.9, high - 0.01, 9)
        # Their lead over the best legal move makes exp(-lead / temperature) 0 or a normal number,
        # never a rounded subnormal one.
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
    return [keyed(oracle01.boltzmann, _LISTED_BOLTZMANN, *args) for args in asked]


def _boltzmann_domain(q: np.ndarray, legal: np.ndarray, player: int, temperature: float) -> bool:
    return (
        q.shape == legal.shape
        and bool(legal.any())
        and bool(np.isfinite(q).all())
        and player in (0, 1)
        and temperature > 0
    )


# --- clip_legal -----------------------------------------------------------------------------------


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
        if (
            number == 0
        ):  # one row alone, the same rows with another floor, and nothing that is legal
            alone = np.eye(size)[[np.flatnonzero(~legal[0])[0]]]  # sure of an illegal move
            cases += [
                keyed(oracle01.clip_legal, CLIP_MISTAKES, *again)
                for again in (
                    (p[:1], legal[:1], args[2]),
                    (p, legal, args[2] / 2),
                    (alone, legal[:1], args[2]),
                )
            ]
    return cases


def _clip_domain(p: np.ndarray, legal: np.ndarray, floor: float) -> bool:
    rows = p.shape == legal.shape and p.ndim == 2 and np.allclose(p.sum(axis=1), 1) and p.min() >= 0
    return rows and bool(legal.any(axis=1).all()) and 0 < floor < 0.5


# --- draft ----------------------------------------------------------------------------------------


def _draft_key(case: Case, cases: int = 1) -> Orders:
    """cases: over how many of them the false alarms are divided."""
    tickets, k = case.args[:2]
    slips = [slip for slip in DRAFT_MISTAKES if slip not in ("repeated", "distribution")]
    chances = {slip: oracle01.draft_chances(tickets, k, slip) for slip in slips}
    key = Frequencies(oracle01.draft_chances(tickets, k), chances, alarm_share(cases))
    return Orders(len(tickets), k, key)


def _draft_case(rng: np.random.Generator, tickets: np.ndarray, k: int, cases: int) -> Case:
    case = Case((tickets, k, DRAFTS, Rng(int(rng.integers(2**31)))), draws_at=2)
    return replace(case, secret=_draft_key(case, cases))


def _draft_cases(rng: np.random.Generator) -> list[Case]:
    four = rng.permutation([12, 6, 3, 2]) + rng.integers(0, 2, 4)
    gap = np.insert(rng.permutation([5, 2, 1]), int(rng.integers(0, 4)), 0)
    return [_draft_case(rng, four, 2, 3), _draft_case(rng, four, 3, 3), _draft_case(rng, gap, 2, 3)]


def _draft_domain(tickets: np.ndarray, places: int, n: int, rng: Rng) -> bool:
    return (
        tickets.dtype.kind == "i"
        and tickets.min() >= 0
        and 1 <= places <= (tickets > 0).sum()
        and n >= 1
    )


# --- box_returns ----------------------------------------------------------------------------------


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
        (np.array([1, 0]), np.array([0, 2]), 0.7),
    ):  # another gamma; a game of one move; one that is not ended by who began it
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


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "boltzmann": Hidden(
        _boltzmann_cases, _boltzmann_domain, by_oracle(oracle01.boltzmann, _LISTED_BOLTZMANN)
    ),
    "clip_legal": Hidden(_clip_cases, _clip_domain, by_oracle(oracle01.clip_legal, CLIP_MISTAKES)),
    "draft": Hidden(_draft_cases, _draft_domain, _draft_key),
    "box_returns": Hidden(_box_cases, _box_domain, by_oracle(oracle01.box_returns, BOX_MISTAKES)),
}
