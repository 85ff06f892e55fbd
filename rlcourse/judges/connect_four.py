"""The judge of Connect Four.

It counts how often a player throws away a win or a draw where it has the choice. It asks for the
move in 252 positions that the solver has labelled; 588 others are for trials, so that a recipe can
be chosen by positions that do not judge it afterwards.
"""

from dataclasses import dataclass

import numpy as np

from rlcourse.agents.base import BatchAgent
from rlcourse.errors import BadValue
from rlcourse.intervals import wilson
from rlcourse.solvers.connect_four_positions import GRADES, PHASES, SETS, positions


@dataclass(frozen=True)
class Verdict:
    """errors: (wrong, positions) of each set by name, in the order of SETS.

    Illegal moves are wrong.
    """

    agent: str
    errors: dict[str, tuple[int, int]]

    def counts(self, part: str = "") -> tuple[int, int]:
        """(wrong, positions) of a set ("begin-hard"), grade ("hard"), phase ("begin") or all."""
        chosen = [
            count for name, count in self.errors.items() if part in ("", name, *name.split("-"))
        ]
        if not chosen:
            known = ", ".join((*SETS, *GRADES, *PHASES))
            raise BadValue(f"there is no part {part!r}; a part is one of {known}")
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
        return (
            f"{self.agent}: wrong in {text('')} of {self.counts()[1]:,} decisions of Connect Four; "
            f"{grades}"
        )


def judge_connect_four(agent: BatchAgent, *, seed: int = 0, trial: bool = False) -> Verdict:
    """Judge the moves that `agent.decide` makes in the labelled positions.

    trial: in those for trials. Exact for a player without chance; of another it judges the one
    choice drawn with `seed`. Raises ValueError for a player of another game.
    """
    if agent.game.name != "connect-four":
        raise BadValue(f"this judge knows connect-four; {agent.name} plays {agent.game}")
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
        raise BadValue(
            f"the judge wants one action for each of its {len(labelled.score)} positions; "
            f"got {actions.shape}"
        )
    inside = (actions >= 0) & (actions < 7)
    right = labelled.keeps[np.arange(len(actions)), np.where(inside, actions, 0)] & inside
    counts = {
        part: (int((~right[labelled.sets == part]).sum()), int((labelled.sets == part).sum()))
        for part in SETS
    }
    return Verdict(name, counts)


def random_floor() -> float:
    """The share of errors of uniform random play, to stand beside every other figure."""
    labelled = positions()
    legal = labelled.batch.legal()
    return float(1 - (labelled.keeps.sum(axis=1) / legal.sum(axis=1)).mean())
