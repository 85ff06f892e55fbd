"""Sheet 03, deep Q-learning: how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from rlcourse.checks import oracle03, reference03
from rlcourse.checks.judging import (
    Frequencies,
    alarm_share,
    by_oracle,
    keyed,
    telling,
)
from rlcourse.checks.plain import Rng
from rlcourse.checks.sheet03 import (
    COLUMNS_MISTAKES,
    GRADIENTS_MISTAKES,
    LEARN_MISTAKES,
    MEMORY_MISTAKES,
    TARGETS_MISTAKES,
)
from rlcourse.checks.task import Case, Hidden
from rlcourse.checks.visible03 import DRAWS, Draws, played


def _boards(rng: np.random.Generator, count: int) -> np.ndarray:
    """[count, 6, 7]: stones that fell in turn, with at least one full
    column and two that are not.
    """
    boards = np.zeros((count, 6, 7), np.int8)
    for board in boards:
        heights, order = np.zeros(7, int), rng.permutation(7)
        for ply in range(int(rng.integers(14, 27))):
            free = order[heights[order] < 6]
            column = free[0] if rng.random() < 0.4 or len(free) < 3 else rng.choice(free[:-1])
            board[5 - heights[column], column] = 1 + ply % 2
            heights[column] += 1
    return (
        boards
        if ((boards[:, 0] != 0).any(axis=1) & ((boards[:, 0] == 0).sum(axis=1) > 1)).all()
        else _boards(rng, count)
    )


# --- best_columns ---------------------------------------------------------------------------------


def _columns_case(rng: np.random.Generator, rows: int = 12, size: float = 1.0) -> Case:
    """In half of the rows everything open looks bad to the mover, and what is full looks
    good. size: of the values.
    """
    boards = _boards(rng, rows)
    if rows > 1:  # a single stone, and a board without an empty column
        boards[-1] = played(rng.integers(7, size=1))
        boards[-2] = played([*rng.permutation(7), *rng.permutation(np.repeat(range(7), 3))[:-4]])
    mine = np.where(
        boards[:, 0] == 0, rng.uniform(-0.9, 0.6, (rows, 7)), rng.uniform(-0.6, 0.9, (rows, 7))
    )
    bad = np.arange(rows) % 2 == 0
    low = np.where(
        boards[:, 0] == 0, rng.uniform(-0.9, -0.2, (rows, 7)), rng.uniform(0.3, 0.9, (rows, 7))
    )
    mine[bad] = low[bad]
    best = np.where(boards[:, 0] == 0, mine, -np.inf).argmax(axis=1)
    if rows > 1 and not (boards[np.arange(rows), 1, best] != 0).any():
        return _columns_case(
            rng, rows, size
        )  # the best column has a single empty cell in one row at least
    mean = mine * (1 - 2 * ((boards != 0).sum(axis=(1, 2)) % 2))[:, None]
    apart = rng.uniform(-0.5, 0.5, (rows, 7))
    args = (size * (mean + apart), size * (mean - apart)[:, ::-1], boards)
    return keyed(oracle03.best_columns, COLUMNS_MISTAKES, *args)


_BATCHES = (12, 1.0), (12, 5.0), (12, 1.0), (1, 1.0)  # rows, and the size of the values


def _columns_cases(rng: np.random.Generator) -> list[Case]:
    """Batches whose rows differ in parity, the first one not always as all stones
    together, and one row alone, in which the first player is to move.
    """
    while True:
        cases = telling(lambda rng: [_columns_case(rng, *batch) for batch in _BATCHES], rng)
        stones = [(case.args[2] != 0).sum(axis=(1, 2)) % 2 for case in cases[:3]]
        mixed = all(len(set(parity)) == 2 for parity in stones)
        first_alone = (cases[3].args[2] != 0).sum() % 2 == 0
        if (
            mixed
            and first_alone
            and len({(int(parity.sum()) + parity[0]) % 2 for parity in stones})
            == len({parity[0] for parity in stones})
            == 2
        ):
            return cases


def _columns_domain(q: np.ndarray, q_mirrored: np.ndarray, boards: np.ndarray) -> bool:
    mean, free = (q + q_mirrored[:, ::-1]) / 2, boards[:, 0] == 0
    apart = all(
        len(row[ok]) > 0 and (np.diff(np.sort(row[ok])) > 1e-9).all()
        for row, ok in zip(mean, free, strict=True)
    )
    return q.shape == q_mirrored.shape == (len(boards), 7) and apart and _in_turn(boards)


def _in_turn(boards: np.ndarray) -> bool:
    """Whether stones lie on stones or on the ground, and the first player has as many
    as the second, or one more.
    """
    more = (boards == 1).sum(axis=(1, 2)) - (boards == 2).sum(axis=(1, 2))
    fallen = ((boards[:, :-1] == 0) | (boards[:, 1:] != 0)).all()
    return boards.shape[1:] == (6, 7) and bool(fallen) and set(more.tolist()) <= {0, 1}


# --- double_targets -------------------------------------------------------------------------------


def _targets_case(
    rng: np.random.Generator, gamma: float, rows: int = 10, size: float = 1.0
) -> Case:
    """Three finished games, one of them with a full board; in half of the others everything open
    looks bad. size: of the values.

    In one row at least the reply is a column with a single empty cell, and in one it looks best of
    all seven columns, right beside a full one.
    """
    boards = _boards(rng, 10)
    done = np.arange(10) < 3
    boards[0, :, :] = rng.permuted(np.repeat([1, 2], 21)).reshape(6, 7)  # a draw: the board is full
    full = boards[:, 0] != 0
    online = np.where(full, rng.uniform(-0.2, 0.9, (10, 7)), rng.uniform(-0.9, 0.6, (10, 7)))
    online[5:] = np.where(full[5:], rng.uniform(0.3, 0.9, (5, 7)), rng.uniform(-0.9, -0.1, (5, 7)))
    reward = np.where(
        done, rng.choice([1.0, -1.0], 10), rng.choice([0.0, 0.25, -0.25], 10, p=[0.6, 0.2, 0.2])
    )
    reward[0], reward[-1] = 0.0, 0.25
    replies = np.where(full, -np.inf, online).argmax(axis=1)
    beside = (online.argmax(axis=1) == replies) & full[np.arange(10), replies - 1]
    if not (boards[3:9][np.arange(6), 1, replies[3:9]] != 0).any() or not beside[3:].any():
        return _targets_case(rng, gamma, rows, size)
    order = rng.permutation(10) if rows == 10 else np.array([9])  # one row alone goes on
    online, target = size * online, size * (online + rng.uniform(-0.8, 0.8, (10, 7)))
    parts = (reward, done, boards, online, target)
    args = (*(part[order] for part in parts), gamma)
    return keyed(oracle03.double_targets, TARGETS_MISTAKES, *args)


def _targets_cases(rng: np.random.Generator) -> list[Case]:
    return telling(
        lambda rng: [
            _targets_case(rng, 0.5),
            _targets_case(rng, 0.7, size=20.0),
            _targets_case(rng, 1.0),
            _targets_case(rng, 0.6, 1),
        ],
        rng,
    )


def _targets_domain(
    reward: np.ndarray,
    done: np.ndarray,
    boards: np.ndarray,
    q_online: np.ndarray,
    q_target: np.ndarray,
    gamma: float,
) -> bool:
    full = (boards[:, 0] != 0).all(axis=1)
    shapes = (
        q_online.shape == q_target.shape == (len(reward), 7)
        and reward.shape == done.shape == full.shape
    )
    return shapes and _in_turn(boards) and not (full & ~done).any() and 0 < gamma <= 1


# --- gradients ------------------------------------------------------------------------------------


def _gradients_case(
    rng: np.random.Generator, rows: int, features: int, hidden: int, outputs: int
) -> Case:
    """No sum of a neuron and no error lies near its kink, so that a numerical
    gradient is right as well.
    """
    while True:
        x = rng.normal(size=(rows, features))
        w1, b1 = rng.normal(size=(features, hidden)), rng.normal(size=hidden) * 0.3
        w2, b2 = rng.normal(size=(hidden, outputs)), rng.normal(size=outputs) * 0.3
        actions = rng.integers(0, outputs, rows)
        sums = x @ w1 + b1
        chosen = (np.maximum(sums, 0) @ w2 + b2)[np.arange(rows), actions]
        errors = (rng.permutation([-0.6, 0.4, 0.7, 1.5, -2.0]) * rng.uniform(0.9, 1.1, 5))[:rows]
        if np.abs(sums).min() > 0.02:
            args = (x, w1, b1, w2, b2, actions, chosen - errors)
            return keyed(reference03.gradients, GRADIENTS_MISTAKES, *args)


def _gradients_cases(rng: np.random.Generator) -> list[Case]:
    sizes = (5, 3, 4, 3), (5, 2, 5, 4), (5, 4, 3, 2), (1, 3, 1, 4)
    return telling(lambda rng: [_gradients_case(rng, *size) for size in sizes], rng)


def _gradients_domain(
    x: np.ndarray,
    W1: np.ndarray,
    b1: np.ndarray,
    W2: np.ndarray,
    b2: np.ndarray,
    actions: np.ndarray,
    targets: np.ndarray,
) -> bool:
    (rows, features), (hidden, outputs) = x.shape, W2.shape
    shapes = (W1.shape, b1.shape, b2.shape, targets.shape) == (
        (features, hidden),
        (hidden,),
        (outputs,),
        (rows,),
    )
    return shapes and actions.shape == (rows,) and 0 <= actions.min() and actions.max() < outputs


# --- Memory ---------------------------------------------------------------------------------------

_MEMORY_SAMPLES = 4  # of one hidden case
_LISTED = [
    name
    for name in MEMORY_MISTAKES
    if name not in ("places", "empty", "shared", "repeated", "distribution")
]  # the others show in no list of probabilities


def _memory_key(case: Case, samples: int = 1) -> Draws:
    """samples: over how many of them the false alarms are divided."""
    added, drawn = [], []
    for place, (name, args) in enumerate(case.script):
        if name == "add":
            added.append(args[1])
            continue
        asked = case.args[0], np.array(added)
        chances = {slip: oracle03.memory_chances(*asked, slip) for slip in _LISTED}
        right = oracle03.memory_chances(*asked)
        drawn.append((place, Frequencies(right, chances, alarm_share(samples))))
    return Draws(tuple(drawn))


def _memory_case(rng: np.random.Generator, capacity: int, cases: int) -> Case:
    """Sampled when it is not yet full, when it has just begun to forget, and twice
    after it has forgotten much.
    """
    priorities = rng.permutation([1, 2, 4, 6, 8, 10, 3, 12, 5]) * rng.uniform(0.9, 1.1, 9)
    script: list[tuple[str, tuple[Any, ...]]] = []
    seed = int(rng.integers(2**31))
    for number, priority in enumerate(priorities, start=1):
        script.append(("add", (number, float(priority))))
        for _ in range({3: 1, capacity + 2: 1, 9: 2}.get(number, 0)):
            script.append(("sample", (DRAWS, Rng(seed))))
    case = Case((capacity,), script=tuple(script), draws_at=0)
    return replace(case, secret=_memory_key(case, _MEMORY_SAMPLES * cases))


def _memory_cases(rng: np.random.Generator) -> list[Case]:
    """Drawn again until every two mistakes differ so much in a sample that its counts fit only one
    of them: 0.12 in a probability are over ten standard deviations of 2,000 draws."""
    while True:
        cases = [_memory_case(rng, capacity, 2) for capacity in (4, 5)]
        slips = [frequencies.slips for case in cases for _, frequencies in case.secret.samples]
        if all(
            max(np.abs(p[a] - p[b]).max() for p in slips) > 0.12
            for a, b in combinations(_LISTED, 2)
        ):
            return cases


def _memory_domain(capacity: int, script: tuple) -> bool:
    added = [args for name, args in script if name == "add"]
    sampled = [args for name, args in script if name == "sample"]
    return (
        capacity >= 1
        and all(priority > 0 for _, priority in added)
        and all(n >= 1 for n, _ in sampled)
        and script[0][0] == "add"
    )


# --- learn ----------------------------------------------------------------------------------------


def _learn_case(
    rng: np.random.Generator, gamma: float, every: int, shape: tuple[int, int, int]
) -> Case:
    """Nine steps. shape: rows of a batch, features, actions."""
    steps, (rows, features, actions) = 9, shape
    batches = {
        "x": rng.normal(size=(steps, rows, features)),
        "action": rng.integers(0, actions, (steps, rows)),
        "reward": rng.uniform(-1, 1, (steps, rows)),
        "done": rng.random((steps, rows)) < 0.25,
        "x_next": rng.normal(size=(steps, rows, features)),
    }
    args = (
        rng.normal(size=(features, actions)),
        batches,
        every,
        float(rng.uniform(0.1, 0.3)),
        gamma,
    )
    return keyed(oracle03.learn, LEARN_MISTAKES, *args)


def _learn_cases(rng: np.random.Generator) -> list[Case]:
    """Copies every two to four steps, before each step, and before the first alone, there with
    one row a batch.
    """
    drawn = [(int(rng.integers(2, 5)), shape) for shape in ((4, 3, 3), (4, 2, 4), (5, 4, 3))]
    settings = [*zip((0.5, 0.8, 1.0), *zip(*drawn, strict=True), strict=True)]
    settings += [(0.7, 1, (4, 3, 2)), (0.6, 9, (1, 4, 3))]
    while True:
        cases = telling(lambda rng: [_learn_case(rng, *setting) for setting in settings], rng)
        if all(_unlike(case) for case in cases[:3]):
            return cases


def _unlike(case: Case) -> bool:
    """Whether it shows that the target network values what the learning one chooses."""
    return not np.allclose(case.secret.slips["double"], case.secret.right)


def _learn_domain(
    weights: np.ndarray, batches: dict[str, np.ndarray], every: int, rate: float, gamma: float
) -> bool:
    steps, rows, features = batches["x"].shape
    shapes = all(batches[name].shape == (steps, rows) for name in ("action", "reward", "done"))
    within = (
        0 <= batches["action"].min()
        and batches["action"].max() < weights.shape[1]
        and len(weights) == features
    )
    return (
        shapes
        and within
        and batches["x_next"].shape == batches["x"].shape
        and every >= 1
        and rate > 0
        and 0 < gamma <= 1
    )


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "best_columns": Hidden(
        _columns_cases, _columns_domain, by_oracle(oracle03.best_columns, COLUMNS_MISTAKES)
    ),
    "double_targets": Hidden(
        _targets_cases, _targets_domain, by_oracle(oracle03.double_targets, TARGETS_MISTAKES)
    ),
    "gradients": Hidden(
        _gradients_cases, _gradients_domain, by_oracle(reference03.gradients, GRADIENTS_MISTAKES)
    ),
    "memory": Hidden(_memory_cases, _memory_domain, _memory_key),
    "learn": Hidden(_learn_cases, _learn_domain, by_oracle(oracle03.learn, LEARN_MISTAKES)),
}
