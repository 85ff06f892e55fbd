"""Questions from the whole domain of sheet 03's tasks, and the changes that change no answer."""

from typing import Any

import numpy as np

from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case
from rlcourse.checks.visible03 import DRAWS
from tests.mutants.asking import Domain


def _board(rng: np.random.Generator, most: int = 42) -> np.ndarray:
    """[6, 7]: up to so many stones that fell in turn; some columns are liked more than others."""
    board, liked = np.zeros((6, 7), np.int8), rng.dirichlet(np.full(7, 0.3))
    for ply in range(int(rng.integers(most))):
        chances = (liked + 0.01) * (board[0] == 0)
        column = rng.choice(7, p=chances / chances.sum())
        board[5 - np.count_nonzero(board[:, column]), column] = 1 + ply % 2
    return board


def _size(rng: np.random.Generator) -> float:
    """How large the answers of a network are."""
    return float(rng.choice([0.5, 1.0, 5.0, 20.0]))


def _best_columns(rng: np.random.Generator) -> Case:
    rows, size = int(rng.integers(1, 7)), _size(rng)
    q, mirrored = rng.uniform(-size, size, (2, rows, 7)) + size * rng.choice([-1, 0, 1])
    return Case((q, mirrored, np.array([_board(rng) for _ in range(rows)])))


def _double_targets(rng: np.random.Generator) -> Case:
    rows, size = int(rng.integers(1, 7)), _size(rng)
    boards = np.array([_board(rng, 43) for _ in range(rows)])
    done = (rng.random(rows) < 0.3) | (boards[:, 0] != 0).all(axis=1)
    reward = rng.choice([-1.0, -0.5, 0.0, 0.0, 0.5, 1.0], rows)
    online, target = rng.uniform(-size, size, (2, rows, 7)) + size * rng.choice([-1, 0, 1])
    gamma = float(rng.choice([1.0, *rng.uniform(0.01, 1, 3)]))
    return Case((reward, done, boards, online, target, gamma))


def _gradients(rng: np.random.Generator) -> Case:
    """No sum of a neuron and no error lies on a kink, where a numerical gradient is another."""
    rows, inputs, hidden, outputs = (int(rng.integers(1, n)) for n in (7, 5, 6, 5))
    while True:
        x, w1 = rng.normal(size=(rows, inputs)), rng.normal(size=(inputs, hidden))
        b1, b2 = rng.normal(size=hidden) * 0.5, rng.normal(size=outputs) * 0.5
        w2, targets = rng.normal(size=(hidden, outputs)), rng.normal(size=rows) * 2
        actions, sums = rng.integers(outputs, size=rows), x @ w1 + b1
        errors = (np.maximum(sums, 0) @ w2 + b2)[np.arange(rows), actions] - targets
        if min(abs(sums).min(), abs(abs(errors) - 1).min()) > 0.001:
            return Case((x, w1, b1, w2, b2, actions, targets))


def _memory(rng: np.random.Generator) -> Case:
    """Sampled on the way, and twice at the end."""
    seed, count = int(rng.integers(2**31)), int(rng.integers(2, 13))
    script: list[tuple[str, tuple[Any, ...]]] = []
    for number in range(1, count + 1):
        script.append(("add", (number, float(rng.choice([1, 2, 4, 8]) * rng.uniform(0.9, 1.1)))))
        if rng.random() < 0.3:
            script.append(("sample", (DRAWS, Rng(seed))))
    script += [("sample", (DRAWS, Rng(seed)))] * 2
    return Case((int(rng.integers(2, 8)),), script=tuple(script), draws_at=0)


def _learn(rng: np.random.Generator) -> Case:
    steps, rows, features, actions = (int(rng.integers(1, n)) for n in (8, 6, 5, 5))
    batches = {
        "x": rng.normal(size=(steps, rows, features)),
        "action": rng.integers(actions, size=(steps, rows)),
        "reward": rng.uniform(-1, 1, (steps, rows)),
        "done": rng.random((steps, rows)) < 0.25,
        "x_next": rng.normal(size=(steps, rows, features)),
    }
    weights, every = rng.normal(size=(features, actions)), int(rng.integers(1, 10))
    gamma = float(rng.choice([1.0, *rng.uniform(0.01, 1, 3)]))
    return Case((weights, batches, every, float(rng.uniform(0.01, 0.5)), gamma))


_ONE_OPEN = np.array([[0, *np.resize([1, 2], 6)]] * 6, np.int8)
_EMPTY = np.zeros((1, 6, 7), np.int8)
_DRAW = np.resize(np.array([1, 2], np.int8), (1, 6, 7))
_RISING, _FALLING = np.arange(7.0)[None], -np.arange(7.0)[None]
_FALSE = np.array([False])
DOMAINS = {
    "best_columns": Domain(
        _best_columns,
        (
            Case((_RISING, 2 * _RISING, _EMPTY)),
            Case((_FALLING, -3 + 0 * _RISING, _ONE_OPEN[None])),
        ),
    ),
    "double_targets": Domain(
        _double_targets,
        (
            Case((np.array([0.0]), _FALSE, _EMPTY, _RISING, _FALLING, 1.0)),
            Case((np.array([0.0]), _FALSE, _ONE_OPEN[None], _FALLING - 9, _RISING + 1, 0.5)),
            Case((np.array([0.0]), ~_FALSE, _DRAW, _FALLING, _RISING, 0.5)),
        ),
    ),
    "gradients": Domain(
        _gradients,
        (
            Case(
                (
                    *np.ones((2, 1, 1)),
                    np.ones(1),
                    np.ones((1, 1)),
                    np.ones(1),
                    np.array([0]),
                    9 * np.ones(1),
                )
            ),
        ),
    ),
    "memory": Domain(_memory, inputs=60),
    "learn": Domain(_learn),
}

# task -> the reason why these changes change no answer -> a part of each that tells it from others
EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "best_columns": {
        "twice or half the mean, and any two numbers of opposite signs, have the same best column": (
            "value = (q + q_mirrored[:, ::-1]) * 2",
            "-> value = q + q_mirrored",
            "value = (q + q_mirrored[:, ::-1]) / 3",
            "value = (q + q_mirrored[:, ::-1]) / 1",
            "np.sum([q, np.flip",
            "== 0, 2, -1)",
            "== 0, 1, -2)",
            "(q + q_mirrored[:, ::-1]) * 2",
            "-> mean = q + q_mirrored[:, ::-1]",
            "(q + q_mirrored[:, ::-1]) / 3",
            "(q + q_mirrored[:, ::-1]) / 1",
            "% 2 == 0, -1, 2)",
            "% 2 == 0, -2, 1)",
        ),
        "42 cells and two players: the empty cells, and minus the stones, are even as the stones are": (
            "stones = (boards == 0)",
            "-stones % 2",
            "stones % -2",
            "-np.count_nonzero",
            "% -2 == 0",
            "np.where(-(boards != 0).sum",
            "np.where((boards == 0).sum(axis=(1, 2)) % 2 == 0, -1, 1)",
        ),
        "the axes of a sum have no order, and any negative length is worked out": (
            "axis=(2, 1)",
            "reshape(len(boards), -2)",
        ),
        "no two open columns are equally good, so they may come in any order": (
            "range(7 - 1, -1, -1)",
            "value >= best_value",
        ),
        "lines that do not need one another": (
            "moved: stones =",
            "moved: best, best_value",
            "moved: value = q[b, column]",
            "moved: first_moves",
            "moved: sign = np.where((boards != 0).sum(axis=(1, 2)) % 2",
        ),
    },
    "double_targets": {
        "a reward is a number, which is not changed in place": ("-> r -= gamma",),
        "drawn numbers never tie, and of two equal ones the text prefers none": (
            "range(7 - 1, -1, -1)",
        ),
        "the last axis is the usual one, and it has a single column": (
            "[:, None])[:, 0]",
            "axis=1)[:, -1]",
        ),
        "times -1 is divided by -1": ("/ -1.0 * gamma",),
        "1 less True or False is a whole number": ("(1 - done) * -1.0",),
        "a full column is left out of the choice alone: nobody reads its value": (
            "-> q_online = np.where(boards[:, 0] == 0, q_online, np.inf)",
        ),
    },
    "gradients": {
        "lines that do not need one another": ("moved: ",),
        "the larger of two numbers, and the sum of a product, have no order": (
            "np.maximum(0, z)",
            "np.maximum(0, x @ W1 + b1)",
            "[max(row @ W1[:, j] + b1[j], 0.0)",
            "W1[:, j] @ row",
            "zip(W2[:, a], hidden)",
        ),
        "a number is held between two bounds, which may be named in any order": (
            "np.clip(-1, error, 1)",
        ),
        "no sum and no error lies on a kink, where the text states no slope": (
            "(z >= 0)",
            "if abs(error) < 1 else",
            "error <= 1, error ** 2",
        ),
        "behind |error| <= 1 any bound from -1 to 1 tells plus from minus": (
            "1 if error >= 0",
            "1 if error > 1",
            "1 if error > -1",
        ),
        "a constant in the loss has no slope": (
            "error - -0.5",
            "error + 0.5",
            "error ** 2 / 2, error))",
            "error - 0.0",
        ),
        "the size of a difference, and its square, have no sign": (
            "abs(targets - q[",
            "(-error) ** 2",
        ),
        "every entry is written before it is read": ("np.ones(w.shape)",),
        "the weights are numbers with a point already, and get their old values back": (
            "-> weights = [w for w in (W1, b1, W2, b2)]",
        ),
        "a list does for a tuple": ("-> return measured",),
    },
    "learn": {
        "the copy before step 0 is made in the loop": ("target = weights.copy() ->",),
        "lines that do not need one another": ("moved: ",),
        "a sum has no order": ("range(len(x) - 1, -1, -1)",),
        "a remainder of 0 has no sign": ("-step % every", "step % -every"),
        "all parts of a batch have as many rows": (
            "/ len(a)",
            "/ len(r)",
            "/ len(over)",
            "/ len(x_next)",
        ),
        "weights is an array, and one copy is like another": (
            "= (weights.copy(), np.array(weights), every)",
            "= (np.array(weights), weights.copy(), every)",
        ),
        "nothing is written into the target": ("= (np.array(weights), weights, every)",),
        "the product of two vectors has no order": ("(w[:, a] @ x - wanted)",),
    },
    "memory": {
        "the order of the methods, and of lines that do not need one another": (
            "def __init__",
            "def sample(self, n, rng)",
            "def add(self",
            "moved: ",
        ),
        "a circle of places may begin anywhere and go round either way": (
            "-> self.added -= 1",
            "-> self.added = 1",
            "-> self.added = -1",
            "-self.added %",
            "% -len(self.items)",
        ),
        "a number that is drawn is never just a bound": ("* bounds[-1])", "<= priority"),
        "the text does not say what add returns, and a list does for a tuple": (
            "return len(self.pairs)",
            "-> return drawn",
        ),
    },
}
