"""The judge of Connect Four: how often a player throws away a win or a draw where it has the choice.

Each of the labelled positions, made by `rlcourse experiment connect-four-positions` with the exact solver, is *decision-only*:
some legal move keeps the value of the position (win, draw or loss) and some other loses it. A position where every move is
as good tells nothing: on sets that hold them a player who has learned nothing looks good.

Sets as in the public benchmark of perfect solvers: by stones on the board (begin: under 14, middle: 14 to 27, end: 28 and
more) and by plies until the end under perfect play (easy: under 14, medium: 14 to 27, hard: 28 and more). The positions are
others: they come from uniformly random games, and the earliest have 10 stones.

The judge's own 252 are those of the seeds JUDGED; the other 588 are for trials, so that a recipe can be chosen by positions
that do not judge it afterwards.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from rlcourse.agents.base import BatchAgent
from rlcourse.arena import wilson
from rlcourse.games import Batch, from_recipe, get_game
from rlcourse.results import load_results

PHASES = {"begin": (10, 13), "middle": (14, 27), "end": (28, 39)}  # stones, from and to
GRADES = {"easy": (1, 13), "medium": (14, 27), "hard": (28, 42)}  # plies until the end, from and to
SETS = ("end-easy", "middle-easy", "begin-easy", "middle-medium", "begin-medium", "begin-hard")
JUDGED = (0, 1, 2, 3, 5, 7, 26, 28, 29)  # seeds of connect-four-positions whose positions judge
SYMBOLS = {
    1: "+",
    0: "=",
    -1: "-",
}  # the outcome of a move for the player who makes it; x: the column is full


def set_of(stones: int, plies: int) -> str:
    """The set of a position with so many stones and plies to play, such as "begin-hard"."""
    phase = next((name for name, (low, high) in PHASES.items() if low <= stones <= high), "other")
    return f"{phase}-{next(name for name, (low, high) in GRADES.items() if low <= plies <= high)}"


def outcome_text(outcomes: np.ndarray) -> str:
    """[7] outcomes as text, such as "-=--x--"."""
    return "".join(SYMBOLS.get(int(outcome), "x") for outcome in outcomes)


@dataclass(frozen=True)
class Positions:
    """M labelled positions. batch: their boards; keeps [M, 7] bool: the moves that lose nothing; score [M]: the solver's, for
    the player to move; sets [M]: the name of the set."""

    batch: Batch
    keeps: np.ndarray
    score: np.ndarray
    sets: np.ndarray


@cache
def positions(*, trial: bool = False) -> Positions:
    """The stored positions that judge, or those for trials; set by set."""
    rows = [
        row
        for row in load_results("connect-four-positions")["rows"]
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


@dataclass(frozen=True)
class Verdict:
    """errors: (wrong, positions) of each set by name, in the order of SETS. Illegal moves are wrong."""

    agent: str
    errors: dict[str, tuple[int, int]]

    def counts(self, part: str = "") -> tuple[int, int]:
        """(wrong, positions) of a set ("begin-hard"), a grade ("hard"), a phase ("begin"), or of all."""
        chosen = [
            count for name, count in self.errors.items() if part in ("", name, *name.split("-"))
        ]
        if not chosen:
            raise ValueError(
                f"there is no part {part!r}; a part is one of {', '.join((*SETS, *GRADES, *PHASES))}"
            )
        return sum(wrong for wrong, _ in chosen), sum(count for _, count in chosen)

    def error(self, part: str = "") -> float:
        """Share of wrong moves in [0, 1]; `part` as in counts."""
        wrong, count = self.counts(part)
        return wrong / count

    def interval(self, part: str = "") -> tuple[float, float]:
        """Wilson interval of that share."""
        return wilson(*self.counts(part))

    def __str__(self) -> str:
        def text(part: str) -> str:
            low, high = self.interval(part)
            return f"{self.error(part):.1%} [{low:.1%}, {high:.1%}]"

        grades = ", ".join(f"{grade} {text(grade)}" for grade in GRADES)
        return f"{self.agent}: wrong in {text('')} of {self.counts()[1]:,} decisions of Connect Four; {grades}"


def judge_connect_four(agent: BatchAgent, *, seed: int = 0, trial: bool = False) -> Verdict:
    """Judge the moves that `agent.decide` makes in the labelled positions (trial: in those for trials). Exact for a player
    without chance; of another it judges the one choice drawn with `seed`. Raises ValueError for a player of another game."""
    if agent.game.name != "connect-four":
        raise ValueError(f"this judge knows connect-four; {agent.name} plays {agent.game}")
    labelled = positions(trial=trial)
    rows = np.arange(len(labelled.keeps))
    return judge_actions(
        agent.decide(labelled.batch, rows, np.random.default_rng(seed)).action,
        agent.name,
        trial=trial,
    )


training_judge = judge_connect_four


def judge_actions(
    actions: np.ndarray, name: str = "these moves", *, trial: bool = False
) -> Verdict:
    """The same for actions [M] int, in the order of `positions(trial=trial)`."""
    labelled = positions(trial=trial)
    actions = np.asarray(actions)
    if actions.shape != labelled.score.shape:
        raise ValueError(
            f"the judge wants one action for each of its {len(labelled.score)} positions; got {actions.shape}"
        )
    inside = (actions >= 0) & (actions < 7)
    right = labelled.keeps[np.arange(len(actions)), np.where(inside, actions, 0)] & inside
    counts = {
        part: (int((~right[labelled.sets == part]).sum()), int((labelled.sets == part).sum()))
        for part in SETS
    }
    return Verdict(name, counts)


def random_floor() -> float:
    """The share of errors that uniform random legal play makes: the figure to stand beside every other."""
    labelled = positions()
    legal = labelled.batch.legal()
    return float(1 - (labelled.keeps.sum(axis=1) / legal.sum(axis=1)).mean())
