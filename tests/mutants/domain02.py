"""Questions from the whole domain of sheet 02's tasks, and the changes that change no answer."""

import numpy as np

from rlcourse.checks import oracle02
from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case
from tests.mutants.asking import Domain

CALLS = 5_000  # a chance of 1/4 that is off by 0.05 shows with 99% at one question


def _sweep(rng: np.random.Generator) -> Case:
    states, actions = int(rng.integers(1, 8)), int(rng.integers(1, 5))
    probabilities = rng.dirichlet(np.full(states, rng.uniform(0.1, 2)), (states, actions))
    rewards = rng.uniform(-2, 2, probabilities.shape) - rng.choice([0, 2])
    terminal = rng.random(states) < 0.3
    values = rng.uniform(-3, 3, states)
    return Case((values, probabilities, rewards, terminal, float(rng.uniform(0.01, 1))))


def _nim_update(rng: np.random.Generator) -> Case:
    highest = int(rng.integers(1, 13))
    q = rng.uniform(-1, 1, (highest + 1, 3)) - rng.choice([0, 1])
    # row 0 and takes that are not possible mean nothing
    q[0], q[1, 1:] = rng.uniform(-3, 3, 3), rng.uniform(-3, 3, 2)
    if highest > 1:
        q[2, 2] = rng.uniform(-3, 3)
    heap = int(rng.integers(1, highest + 1))
    take = int(rng.integers(1, min(3, heap) + 1))
    alpha, gamma = (float(rng.choice([1.0, rng.uniform(0.01, 1)])) for _ in range(2))
    return Case((q, heap, take, alpha, gamma))


def _choose(rng: np.random.Generator) -> Case:
    size = int(rng.integers(1, 13))
    legal = rng.random(size) < rng.uniform(0.3, 1)
    legal[rng.integers(size)] = True
    q = rng.choice([-0.5, -0.2, 0.0, 0.3], size)
    visits = rng.integers(0, 4, size) + rng.choice([0, 5])
    epsilon = float(rng.choice([0.0, 1.0, rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9)]))
    player, seed = int(rng.integers(2)), int(rng.integers(2**31))
    return Case((q, visits, legal, player, epsilon, Rng(seed)), calls=CALLS)


def _two_estimates(rng: np.random.Generator) -> Case:
    states = int(rng.integers(1, 6))
    walks = [rng.permutation(states).tolist()]
    walks += [
        rng.integers(states, size=int(rng.integers(1, 6))).tolist()
        for _ in range(int(rng.integers(0, 5)))
    ]
    walks = [walks[k] for k in rng.permutation(len(walks))]
    episodes = [[(s, float(rng.uniform(-2, 2))) for s in walk] for walk in walks]
    gamma = 1.0 if rng.random() < 0.1 else float(rng.uniform(0.01, 0.9))
    return Case((episodes, states, gamma))


def _play_from_book(rng: np.random.Generator) -> Case:
    while True:
        size = int(rng.integers(3, 6))
        boards = [rng.choice(3, (size, size), p=[0.6, 0.2, 0.2]).astype(np.int8) for _ in range(4)]
        texts = [[oracle02.text_of(view) for view in oracle02.views(board)] for board in boards]
        if all(len(set(views)) == 8 for views in texts):
            break
    known = texts if rng.random() < 0.9 else texts[1:]
    book = {
        min(views): int(rng.choice([k for k, cell in enumerate(views[0]) if cell == "."]))
        for views in known
    }
    book = {text: int(rng.choice(_empty(text))) for text in book}
    return Case((boards[0], book))


def _empty(text: str) -> list[int]:
    return [k for k, cell in enumerate(text) if cell == "."]


_END = np.array([True])
DOMAINS = {
    "sweep": Domain(
        _sweep,
        (
            Case((np.array([3.0]), np.ones((1, 1, 1)), np.ones((1, 1, 1)), _END, 1.0)),
            Case((np.array([3.0]), np.ones((1, 2, 1)), -np.ones((1, 2, 1)), ~_END, 1.0)),
        ),
    ),
    "nim_update": Domain(
        _nim_update,
        (
            Case((np.full((5, 3), 0.5), 1, 1, 1.0, 1.0)),
            Case((np.full((5, 3), -0.5), 4, 1, 1.0, 1.0)),
            Case((np.zeros((5, 3)), 3, 2, 0.5, 0.5)),
        ),
    ),
    "choose": Domain(
        _choose,
        (
            Case((np.zeros(1), np.zeros(1, int), np.ones(1, bool), 0, 0.5, Rng(1)), calls=CALLS),
            Case((np.zeros(3), np.zeros(3, int), np.ones(3, bool), 1, 0.0, Rng(2)), calls=CALLS),
            Case(
                (
                    np.array([0.1, 0.1, 0.2]),
                    np.array([9, 9, 9]),
                    np.array([True, True, False]),
                    1,
                    1.0,
                    Rng(3),
                ),
                calls=CALLS,
            ),
        ),
        inputs=7,
    ),
    "two_estimates": Domain(_two_estimates, (Case(([[(0, 1.0)]], 1, 1.0)),)),
    "play_from_book": Domain(
        _play_from_book,
        (
            Case((np.zeros((1, 1), np.int8), {})),
            Case((np.zeros((3, 3), np.int8), {".......OX": 1})),
        ),
    ),
}

# task -> the reason why these changes change no answer -> a part of each that tells it from others
EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "sweep": {
        "states, actions and next states may come in any order": (
            "range(states - 1, -1, -1)",
            "range(actions - 1, -1, -1)",
        ),
        "lines that do not need one another": ("moved: candidates = []", "moved: expected_value"),
        "a product of two arrays has no order": ("'sat,sat->sa', R, P",),
        "an array does for a list": ("-> return np.max(expected_reward",),
    },
    "nim_update": {
        "lines that do not need one another": (
            "moved: old = q[heap, take - 1]",
            "moved: reward = 0.0",
        ),
        "the smaller of two numbers has no order": ("min(rest, 3)",),
        "a row has three entries, so a cut behind the fourth cuts nothing off": ("min(4, rest)",),
        "the list is not empty, so no start is needed": ("for k in legal]) if legal",),
    },
    "choose": {
        "lines that do not need one another": (
            "moved: sign = ",
            "moved: order = ",
            "moved: tie_breaker = ",
            "moved: candidates = ",
        ),
        "a draw hardly ever is epsilon to its last digit": (
            "if rng.random() <= epsilon:",
            ">= epsilon: -> if rng.random() > epsilon:",
            "rng.uniform() <= epsilon",
        ),
        "values twice as large have the same order": (
            "-> sign = 2 if",
            "else -2",
            "q * (-2) ** player",
        ),
        "1 and -1 are their own inverses": ("q / (-1) ** player", "(-1) ** (-player)"),
        "NumPy's numbers do for Python's": (
            "-> return order[",
            "-> score = -visits if",
            "-> return rng.choice(np.flatnonzero(scores",
            "np.where(legal, -visits, -np.inf)",
        ),
        "the candidates may come in any order, since a number is drawn for each": (
            "range(len(q) - 1, -1, -1)",
            "(score[a], tie_breaker[a - 1])",
        ),
    },
    "two_estimates": {
        "lines that do not need one another": (
            "moved: counts = ",
            "moved: visits = ",
            "moved: reward = ",
            "moved: P = ",
            "moved: td = ",
            "moved: visits[s] += 1",
            "moved: reward[s] += r",
            "moved: n[s] += 1",
        ),
        "a count is a whole number": (
            "counts = np.zeros((num_states, num_states), dtype=int)",
            "visits = np.zeros(num_states, dtype=int)",
            "np.zeros(num_states, dtype=int))",
        ),
        "a list does for an array, and its empty lists have no order": (
            "-> mc = [np.mean(g)",
            "range(num_states - 1, -1, -1)",
        ),
        "the values come to rest from wherever they start": (
            "-> td = np.ones(num_states)",
            "-> td = np.zeros(num_states, dtype=int)",
        ),
        "the first visit of a state replaces the mean of none": ("mc, n = (np.ones",),
        "the values rest long before the last sweep, so sweeps more or less change nothing": (
            "range(5000 + 1)",
            "range(5000 - 1",
            "range(5001)",
            "range(4999)",
            "-> pass",
            "-> continue",
            "break -> ",
            "change <= 1e-12",
            "change < 0.0",
            "np.abs(-new - td)",
            "np.abs(new - -td)",
            "np.abs(new + td)",
            "np.abs(new).max()",
        ),
        "a distance has no direction": ("np.abs(td - new)",),
    },
    "play_from_book": {
        "lines that do not need one another": (
            "moved: numbers = ",
            "moved: views = []",
            "moved: came_from = ",
            "moved: came_from[to_r",
            "moved: texts = ",
        ),
        "the eight views, and the squares of a view, may come in any order": (
            "for flip in (True, False)",
            "range(4 - 1, -1, -1)",
            "if flip else np.fliplr(b)",
            "(np.fliplr(array), array)",
            "range(side - 1, -1, -1)",
        ),
        "four quarter turns lead back to a view that is there": ("range(4 + 1)", "range(5)"),
        "upside down is left to right after a half turn": ("np.flipud",),
        "the same eight maps, each with row and column exchanged": ("move(c, r, side - 1)",),
        "a function without a return gives None": ("return None -> ",),
        "a longer list keeps its last entries unread": (
            "came_from = [None] * side ** (2 + 1)",
            "came_from = [None] * side ** 3",
        ),
        "a square has no sign": ("(-side) ** 2",),
        "NumPy's numbers do for Python's": ("return came_from[book[texts[which]]]",),
    },
}
