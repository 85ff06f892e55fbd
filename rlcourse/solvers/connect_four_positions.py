"""Labelled positions of Connect Four for judging players: the exact outcome of every move.

`rlcourse experiment connect-four-positions --folder rlcourse/solvers` made them with the solver.
Each is *decision-only*: some legal move keeps the value of the position (win, draw or loss) and
another loses it. Positions in which all moves are equally good would make an untrained player look
good.

The sets are those of the public benchmark of perfect solvers, by stones on the board (begin: under
14, middle: 14 to 27, end: 28 and more) and by plies until the end under perfect play (easy: under
14, medium: 14 to 27, hard: 28 and more). The positions are different ones: they come from uniformly
random games, and the earliest have 10 stones.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from rlcourse.games import Batch, from_recipe, get_game
from rlcourse.results import load_results

PHASES = {"begin": (10, 13), "middle": (14, 27), "end": (28, 39)}  # stones, from and to
GRADES = {"easy": (1, 13), "medium": (14, 27), "hard": (28, 42)}  # plies until the end, from and to
SETS = ("end-easy", "middle-easy", "begin-easy", "middle-medium", "begin-medium", "begin-hard")
JUDGED = (0, 1, 2, 3, 5, 7, 26, 28, 29)  # seeds whose positions judge; the others are for trials
# The outcome of a move for the player who makes it; x: the column is full.
SYMBOLS = {1: "+", 0: "=", -1: "-"}


def set_of(stones: int, plies: int) -> str:
    """The set of a position with so many stones and plies to play, such as "begin-hard"."""
    phase = next((name for name, (low, high) in PHASES.items() if low <= stones <= high), "other")
    return f"{phase}-{next(name for name, (low, high) in GRADES.items() if low <= plies <= high)}"


def outcome_text(outcomes: np.ndarray) -> str:
    """[7] outcomes as text, such as "-=--x--"."""
    return "".join(SYMBOLS.get(int(outcome), "x") for outcome in outcomes)


@dataclass(frozen=True)
class Positions:
    """M labelled positions.

    batch: their boards; keeps [M, 7] bool: the moves that keep the value; score [M]: the solver's,
    for the player to move; sets [M]: the name of the set.
    """

    batch: Batch
    keeps: np.ndarray
    score: np.ndarray
    sets: np.ndarray


@cache
def positions(*, trial: bool = False) -> Positions:
    """The stored positions that judge, or those for trials; set by set."""
    rows = [
        row
        for row in load_results("connect-four-positions", Path(__file__).parent)["rows"]
        if (row["seed"] not in JUDGED) == trial
    ]
    entries = [(name, *entry) for name in SETS for row in rows for entry in row["sets"][name]]
    batch = get_game("connect-four").new_batch(len(entries))
    keeps, best = np.zeros((len(entries), 7), np.bool_), {"+": 2, "=": 1, "-": 0, "x": -1}
    for k, (_, moves, outcomes, _) in enumerate(entries):
        batch.load(k, from_recipe(f"connect-four:{moves}"))
        ranks = np.array([best[symbol] for symbol in outcomes])
        keeps[k] = ranks == ranks.max()
    return Positions(
        batch,
        keeps,
        np.array([entry[3] for entry in entries]),
        np.array([entry[0] for entry in entries]),
    )
