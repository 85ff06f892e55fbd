"""Questions from the whole domain of sheet 01's tasks, and the changes that change no answer."""

import numpy as np

from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case
from tests.mutants.asking import Domain

DRAWS = 5_000  # a chance of 1/4 that is off by 0.05 shows with 99% at one question


def _boltzmann(rng: np.random.Generator) -> Case:
    size = int(rng.integers(1, 13))
    q = rng.uniform(-1, 1, size)
    legal = rng.random(size) < rng.uniform(0.2, 1)
    legal[rng.integers(size)] = True
    # what stands at illegal moves means nothing
    q[~legal] = rng.choice([0.0, 1.0, 50.0, 0.5], size)[~legal] * q[~legal]
    temperature = float(10 ** rng.uniform(-4, 2))
    return Case((q, legal, int(rng.integers(2)), temperature))


def _clip_legal(rng: np.random.Generator) -> Case:
    rows, size = int(rng.integers(1, 6)), int(rng.integers(1, 9))
    p = rng.dirichlet(np.full(size, rng.uniform(0.1, 2)), rows)
    legal = rng.random((rows, size)) < rng.uniform(0.3, 1)
    legal[np.arange(rows), rng.integers(size, size=rows)] = True
    if rng.random() < 0.5:  # whatever is legal has nothing in the first row
        shut = ~legal[0]
        p[0] = shut / shut.sum() if shut.any() else p[0]
    return Case((p, legal, float(rng.uniform(0.001, 0.499))))


def _draft(rng: np.random.Generator) -> Case:
    size = int(rng.integers(2, 5))
    tickets = rng.integers(0, 9, size)
    tickets[rng.integers(size)] += 1
    places = int(rng.integers(1, min(3, (tickets > 0).sum()) + 1))
    return Case((tickets, places, DRAWS, Rng(int(rng.integers(2**31)))), draws_at=2)


def _box_returns(rng: np.random.Generator) -> Case:
    plies = int(rng.integers(1, 16))
    boxes = rng.choice([0, 0, 1, 2, 3], plies)
    mover = np.full(plies, rng.integers(2))
    for t in range(1, plies):  # who closes a box moves again
        mover[t] = mover[t - 1] if boxes[t - 1] else 1 - mover[t - 1]
    return Case((mover, boxes, float(rng.choice([1.0, rng.uniform(0.01, 1)]))))


_ALL = np.ones(3, bool)
DOMAINS = {
    "boltzmann": Domain(
        _boltzmann,
        (
            Case((np.array([0.4]), np.ones(1, bool), 1, 0.0005)),
            Case((np.zeros(3), _ALL, 0, 1.0)),
            Case((np.array([1.0, -1.0, 1.0]), _ALL, 1, 1e-4)),
            Case((np.array([1e6, -0.3, -1e6]), np.array([False, True, False]), 0, 0.3)),
            Case((np.array([1e6, -0.3, 0.2]), np.array([False, True, True]), 1, 30.0)),
        ),
    ),
    "clip_legal": Domain(
        _clip_legal,
        (
            Case((np.array([[1.0, 0.0]]), np.array([[False, True]]), 0.1)),
            Case((np.array([[1.0, 0.0, 0.0]]), np.array([[False, True, True]]), 0.4)),
            Case((np.ones((1, 1)), np.ones((1, 1), bool), 0.25)),
        ),
    ),
    "draft": Domain(
        _draft,
        (
            Case((np.array([2]), 1, DRAWS, Rng(1)), draws_at=2),
            Case((np.array([5, 1, 3]), 3, DRAWS, Rng(2)), draws_at=2),
            Case((np.array([1, 0, 9]), 2, DRAWS, Rng(3)), draws_at=2),
        ),
        inputs=7,
    ),
    "box_returns": Domain(_box_returns, (Case((np.array([1]), np.array([2]), 1.0)),)),
}

# task -> the reason why these changes change no answer -> a part of each that tells it from others
EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "boltzmann": {
        "two lines that do not need one another": ("moved: moves = np.flatnonzero(legal)",),
        "an array of truths picks the same entries as their numbers": ("-> moves = legal",),
        "(-1) ** -1 is -1 as well": ("(-1) ** (-player)",),
    },
    "clip_legal": {
        "lines that do not need one another, or a division that a later one repeats": (
            "moved: kept = kept / kept.sum(axis=1, keepdims=True)",
            "moved: n = sum(mask)",
            "moved: kept = kept / kept.sum(axis=0",
        ),
        "the array is the function's own": ("kept /= kept.sum(", "p = np.where(legal, p, 0.0)"),
        "-0.0 is 0": ("np.where(legal, p, -0.0)", "np.clip(kept, floor, 1 - floor), -0.0)"),
        "the middle of three numbers is the same in whichever order they are asked": (
            "np.clip(floor, kept, 1 - floor)",
            "np.minimum(1 - floor, np.maximum(shares, floor))",
            "np.maximum(floor, shares)",
            "[min(1 - floor, max(x /",
            "max(floor, x / total",
        ),
        "a mean is 0 where the sum is": ("kept.mean(axis=1) == 0", "kept.mean(axis=0) == 0"),
        "rows are independent of each other": ("for b in range(len(p) - 1, -1, -1)",),
        "equal numbers are clipped to equal ones, and the last division makes equal shares of them": (
            "else -np.ones(len(moves))",
            "/ -len(moves)",
            "* len(moves)",
            "// len(moves)",
            "else len(moves) / np.ones(len(moves))",
            "-> shares = p[b, moves] / total if total > 0 else np.ones(len(moves))",
            "np.zeros(len(moves)) / len(moves)",
            "-> n = sum(row)",
            "else -1 / n",
            "else 1 / -n",
            "else 1 * n",
            "else 1 // n",
            "else n / 1",
            "else 1, floor",
            "else 2 / n",
            "else 0 / n",
        ),
        "an illegal move is 0 before and after it is clipped to 0": (
            "-> floor = np.where(legal, floor, 0.0)",
        ),
        "a sum over the rows fits its columns without an axis of length 1": (
            "-> kept = kept / kept.sum(axis=0)",
            "-> return kept / kept.sum(axis=0)",
            "keepdims=False)",
        ),
    },
    "draft": {
        "drafts are independent of each other, and rows of an array too": (
            "for _ in range(n - 1, -1, -1)",
        ),
        "numbers that are whole already": ("dtype=int)",),
        "lines that do not need one another; a list goes on growing where it lies": (
            "moved: order = []",
            "moved: lists.append(order)",
            "moved: left[name] = 0",
            "moved: result = np.zeros",
        ),
        "whole numbers of NumPy's add up and compare as Python's do": (
            "left = [t for t in tickets]",
            "-> name = np.searchsorted",
        ),
        "every entry is written": ("np.ones((n, places), dtype=int)",),
        "a random number meets a bound once in 2 ** 53 draws": ("rng.random()))",),
        "a warning is no answer": ("np.errstate():",),
        "of two axes the last one is meant by default": ("np.argsort(-keys)[",),
        "a list of arrays does for an array": ("-> return [rng.choice(len(p), size=places",),
    },
    "box_returns": {
        "the mover changes only after a move that closes no box, and -0 is 0": (
            "moved: following = boxes[t] + gamma * following",
        ),
        "every entry is written": ("(np.ones(len(mover)), 0.0)",),
        "dividing by 1 or -1 is multiplying": ("factor / sign",),
        "the other player's account, turned back in the end": (
            "== 0, -1.0, 1.0)",
            "!= 0, 1.0, -1.0)",
            "== 1, 1.0, -1.0)",
        ),
        "mover is an array": ("np.where(mover == 0",),
        "the round for t = -1 writes to the entry behind the last move, which is cut off": (
            "-1 - 1, -1)",
            "-2, -1)",
        ),
        "lines that do not need one another": ("moved: returns, following = (",),
    },
}
