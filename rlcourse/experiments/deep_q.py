"""Deep Q-learning over many seeds: the recipe, its rungs, its broken copies, and the source."""

import numpy as np

from rlcourse.agents.deep_q import DeepQAgent
from rlcourse.experiments.base import Results, Settings, experiment, named_curve, train_curve
from rlcourse.judges.tictactoe import judge, judge_actions
from rlcourse.learning import make_learner, train
from rlcourse.learning.train import after, games, satisfied
from rlcourse.solvers.tictactoe import tables

SOURCE: Settings = {
    "games": 1000,
    "masked": False,
    "replay": 0,
    "unique": False,
    "target_every": 0,
    "symmetry": False,
    "steps": 1,
    "batch": 0,
    "learning_rate": 0.01,
    "learning_rate_end": 0.01,
    "start": "normal",
}
SMALL_BATCHES: Settings = {"games": 250, "steps": 20, "batch": 256}
SMALL_RATE: Settings = {"learning_rate": 0.001, "learning_rate_end": 0.001}
STEPS: Settings = {**SOURCE, **SMALL_BATCHES, **SMALL_RATE, "start": "identity"}
NO_SYMMETRY: Settings = {
    "symmetry": False,
    "games": 500,
    "target_every": 100,
    "learning_rate": 0.002,
    "learning_rate_end": 0.0008,
    "schedule": 200,
}
ILLEGAL_LOSES: Settings = {
    "masked": False,
    "games": 2_000,
    "epsilon": 0.4,
    "epsilon_end": 0.4,
    "batch": 512,
    "learning_rate": 0.002,
    "learning_rate_end": 0.0008,
    "schedule": 150,
}
# The rungs from the source to the course; the last, symmetry, is the course's recipe, whose rows
# are those of "deep-q".
RUNGS: dict[str, Settings] = {
    "the source as printed": SOURCE,
    "250 games, 20 steps of 256, rate 0.001, other start": STEPS,
    "+ legal mask": {**STEPS, "masked": True},
    "+ replay, each transition once; target network": {"symmetry": False},
}
# What the second rung changes, in parts; all of it also starts from other first weights.
SMALL_STEPS: dict[str, Settings] = {
    "the source as printed": SOURCE,
    "learning rate 0.001": {**SOURCE, **SMALL_RATE},
    "20 steps of 256 after 250 games": {**SOURCE, **SMALL_BATCHES},
    "20 steps of 256 after 250 games, learning rate 0.001": {
        **SOURCE,
        **SMALL_BATCHES,
        **SMALL_RATE,
    },
}
# Positions whose values the film of the lesson shows: one move wins, and one reply does not lose.
SHOWN = ("XO.XO....", "X........")
# What the museum's short memory changes, one field at a time.
SHORT_MEMORY: dict[str, Settings] = {
    "the newest 256, each transition once": {"replay": 256},
    "20,000 transitions, repeats and all": {"unique": False},
}


@experiment("deep-q", seeds=40)
def deep_q(seed: int) -> Results:
    """The course's recipe until it is perfect (at most 30,000 games)."""
    return named_curve("deep-q", seed, 5, after(satisfied("perfect"), games(30_000)))


@experiment("deep-q-values", seeds=1)
def deep_q_values(seed: int) -> Results:
    """Values in two positions, 0 on taken squares, every 1,000 games until perfect."""
    cells = np.array([[".XO".index(stone) for stone in board] for board in SHOWN], np.int8)
    learner, moments = make_learner("deep-q", seed=seed), []
    until = after(satisfied("perfect"), games(30_000))
    for row in train(learner, until=until, judge=judge, every=4, seed=seed):
        counts = [row.games, row.verdict.losing_lines, row.verdict.optimal]
        player = learner.agent()
        assert isinstance(player, DeepQAgent)
        q = np.where(cells == 0, player.values(cells), 0).clip(-1, 1)
        moments.append({"counts": counts, "values": q.round(3).tolist()})
    return {
        "seed": seed,
        "positions": [f"tic-tac-toe:{board}" for board in SHOWN],
        "moments": moments,
    }


@experiment("deep-q-no-symmetry", seeds=40)
def deep_q_no_symmetry(seed: int) -> Results:
    """Without symmetry, and with slower settings for it, until perfect (at most 250,000 games)."""
    until = after(satisfied("perfect"), games(250_000))
    return named_curve("deep-q", seed, 10, until, **NO_SYMMETRY)


@experiment("deep-q-illegal-loses", seeds=10)
def deep_q_illegal_loses(seed: int) -> Results:
    """Without the mask: an illegal move loses. Until perfect (at most 1,000,000 games)."""
    until = after(satisfied("perfect"), games(1_000_000))
    return named_curve("deep-q", seed, 20, until, **ILLEGAL_LOSES)


@experiment("deep-q-source", seeds=5)
def deep_q_source(seed: int) -> Results:
    """The source's recipe as printed, for 1,000,000 games (a fifteenth of those given there)."""
    return named_curve("deep-q", seed, 25, games(1_000_000), **SOURCE)


@experiment("deep-q-ladder", seeds=20)
def deep_q_ladder(seed: int) -> Results:
    """The rungs from the source's recipe towards the course's, 20,000 games each."""
    rungs = {}
    for name, settings in RUNGS.items():
        every = 2_000 // settings.get("games", 250)
        rungs[name] = _short(named_curve("deep-q", seed, every, games(20_000), **settings))
    return {"seed": seed, "rungs": rungs}


@experiment("deep-q-small-steps", seeds=5)
def deep_q_small_steps(seed: int) -> Results:
    """What the second rung changes, in parts, 20,000 games each."""
    arms = {name: _choices(seed, settings) for name, settings in SMALL_STEPS.items()}
    return {"seed": seed, "arms": arms}


@experiment("deep-q-museum", seeds=5)
def deep_q_museum(seed: int) -> Results:
    """The recipe with one slip each, 15,000 games."""
    from rlcourse.experiments import deep_q_museum  # brings TensorFlow

    exhibits = {}
    for name in deep_q_museum.EXHIBITS:
        learner = deep_q_museum.make_exhibit(name, seed=seed)
        exhibits[name] = _short(train_curve(learner, seed, 5, games(15_000)))
    return {"seed": seed, "exhibits": exhibits}


@experiment("deep-q-short-memory", seeds=5)
def deep_q_short_memory(seed: int) -> Results:
    """The recipe with a short memory, and with one that holds repeats, 15,000 games each."""
    arms = {
        name: _short(named_curve("deep-q", seed, 5, games(15_000), **settings))
        for name, settings in SHORT_MEMORY.items()
    }
    return {"seed": seed, "arms": arms}


def _choices(seed: int, settings: Settings) -> dict[str, int]:
    """Losing lines after 20,000 games, and counts over the 4,520 decisions.

    optimal: best moves; occupied: choices of an occupied square; optimal_masked: best moves of the
    same network when it may choose legal squares only.
    """
    learner = make_learner("deep-q", seed=seed, **settings)
    for _ in train(learner, until=games(20_000), every=2_000 // settings["games"], seed=seed):
        pass
    cells = tables().cells[tables().decisions]
    player = learner.agent()
    assert isinstance(player, DeepQAgent)
    values, legal = player.values(cells), cells == 0
    chosen = values.argmax(axis=1)
    verdict = judge_actions(chosen)
    masked = judge_actions(np.where(legal, values, -np.inf).argmax(axis=1))
    return {
        "losing_lines": verdict.losing_lines,
        "optimal": verdict.optimal,
        "occupied": int((~legal[np.arange(len(legal)), chosen]).sum()),
        "optimal_masked": masked.optimal,
    }


def _short(row: Results) -> Results:
    columns = ("unbeatable_at", "perfect_at", "losing_lines", "optimal", "curve")
    return {column: row[column] for column in columns}
