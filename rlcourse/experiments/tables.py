"""The tables of chapter 2 over many seeds."""

import numpy as np

from rlcourse.experience import ExperienceBuffer
from rlcourse.experiments.base import Results, experiment, named_curve, train_curve
from rlcourse.learning.q_table import AfterstateLearner
from rlcourse.learning.train import after, games, satisfied
from rlcourse.solvers.tictactoe import codes_of, tables

_SOURCE = {
    "alpha": 0.1,
    "epsilon": 0.6,
    "gamma": 0.9,
    "noise": 1.0,
    "symmetry": False,
    "masked": False,
}


@experiment("q-table", seeds=40)
def q_table(seed: int) -> Results:
    """The course's Q-table in plain Python until it is perfect (at most 60,000 games)."""
    until = after(satisfied("perfect"), games(60_000))
    return named_curve("q-table", seed, 500, until, compiled=False)


@experiment("q-table-no-symmetry", seeds=40)
def q_table_no_symmetry(seed: int) -> Results:
    """The same without symmetry, compiled, until it is perfect (at most 200,000 games)."""
    until = after(satisfied("perfect"), games(200_000))
    return named_curve("q-table", seed, 2_500, until, symmetry=False)


@experiment("q-table-source", seeds=3)
def q_table_source(seed: int) -> Results:
    """The source's Q-table as printed: 10,000,000 games, illegal moves allowed, judged 40 times."""
    return named_curve("q-table", seed, 250_000, games(10_000_000), **_SOURCE)


@experiment("afterstates", seeds=40)
def afterstates(seed: int) -> Results:
    """Negamax TD(0) with symmetry until it is perfect (at most 20,000 games)."""
    return named_curve("afterstates", seed, 100, after(satisfied("perfect"), games(20_000)))


@experiment("afterstates-classic", seeds=40)
def afterstates_classic(seed: int) -> Results:
    """Sutton & Barto's TD(0) at constant alpha 0.1, epsilon 0.1, for 200,000 games."""
    settings = {"negamax": False, "alpha": 0.1, "epsilon": 0.1, "symmetry": False}
    return named_curve("afterstates", seed, 5_000, games(200_000), **settings)


@experiment("afterstates-own-next", seeds=40)
def afterstates_own_next(seed: int) -> Results:
    """Sutton & Barto's rule with the course's settings for 5,000 games: own next, greedy moves."""
    return named_curve("afterstates", seed, 100, games(5_000), negamax=False)


class OwnNextLearner(AfterstateLearner):
    """Learns as the best reply does, every move from the last to the first, but from the same
    player's next afterstate."""

    def update(self, buffer: ExperienceBuffer, rng: np.random.Generator) -> dict[str, float]:
        """TD(0) over the one game that the buffer holds."""
        successors = tables().successor[codes_of(buffer["state"]), buffer["action"]]
        line = self.images.canonical[successors]
        value = self.table[:, 0]
        errors = []
        for t in reversed(range(len(line))):
            target = value[line[t + 2]] if t + 2 < len(line) else buffer["reward"][t]
            errors.append(target - value[line[t]])
            value[line[t]] += self.config.alpha * errors[-1]
        return {"td_error": float(np.abs(errors).mean())}


@experiment("afterstates-own-next-all-moves", seeds=40)
def afterstates_own_next_all_moves(seed: int) -> Results:
    """The course's afterstates for 5,000 games, with the own next one as the target of each."""
    return train_curve(OwnNextLearner(), seed, 100, games(5_000))
