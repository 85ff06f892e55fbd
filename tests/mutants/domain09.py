"""Questions from the whole domain of sheet 09's tasks, and the changes that change no answer."""

import numpy as np

from rlcourse.checks import oracle09
from rlcourse.checks.judging import Narrow
from rlcourse.checks.task import Case
from tests.mutants.asking import Domain


def _search_chances(rng: np.random.Generator) -> Case:
    rows, actions = int(rng.integers(1, 6)), int(rng.integers(1, 8))
    visits = rng.integers(0, rng.choice([4, 200]), (rows, actions))
    visits[:, rng.integers(actions)] += 1
    visits = rng.permuted(visits, axis=1)
    q = np.where(visits > 0, rng.uniform(-1, 1, visits.shape), 0.0)
    halving, end = float(rng.uniform(2, 20)), int(rng.integers(0, 60))
    # many plies lie at the end or beside it
    ply = rng.choice([0, max(0, end - 1), end, end + 1, int(rng.integers(0, 80))], rows)
    return Case((visits, q, ply, halving, end))


def _hex_examples(rng: np.random.Generator) -> Case:
    count, size = int(rng.integers(1, 5)), int(rng.integers(1, 6))
    movers = rng.integers(2, size=count) if size > 1 else np.zeros(count, int)
    boards = np.zeros((count, size * size), int)
    for board, mover in zip(boards, movers.tolist(), strict=True):
        pairs = int(rng.integers(0, (size * size - mover) // 2 + 1))
        places = rng.permutation(size * size)[: 2 * pairs + mover]
        board[places] = np.where(np.arange(len(places)) % 2 == 0, 1, -1)
    policies = rng.dirichlet(np.ones(size * size + 1), count)
    results = rng.choice([-1, 1], count)
    return Case((boards.reshape(count, size, size), movers, policies, results))


def _value_targets(rng: np.random.Generator) -> Case:
    lengths = rng.integers(1, 8, int(rng.integers(1, 5)))
    game = np.repeat(np.arange(len(lengths)), lengths)
    mover = rng.integers(2, size=len(game))
    root = rng.uniform(-1, 1, len(game))
    result = rng.choice([1.0, 0.0, -1.0], len(lengths))
    cut = rng.random(len(lengths)) < 0.4
    share = float(rng.choice([0.0, 1.0, *rng.uniform(0, 1, 4)]))
    return Case((game, mover, root, result, cut, share))


def _gate_chance(rng: np.random.Generator) -> Case:
    first, second = (rng.dirichlet(np.ones(3)).tolist() for _ in range(2))
    games = int(rng.choice([1, 2, 3, 4, 20, int(rng.integers(1, 21))]))
    percent = int(rng.choice([1, 50, 55, 75, 100, int(rng.integers(1, 101))]))
    return Case((first, second, games, percent))


def _token_search(rng: np.random.Generator) -> Case:
    """A game without circles, whose search nobody's rounding can lead another way."""
    while True:
        args = _token_game(rng)
        try:
            oracle09.token_search(*args)
        except Narrow:
            continue
        return Case(args)


def _token_game(rng: np.random.Generator) -> tuple:
    places, actions = int(rng.integers(2, 11)), int(rng.integers(1, 6))
    goes = np.full((places, actions), -1)
    for place in range(places - 1):
        arrows = rng.permutation(actions)[: int(rng.integers(0 if place else 1, actions + 1))]
        goes[place, arrows] = rng.integers(place + 1, places, len(arrows))
    ends, values = rng.choice([1.0, 0.0, -1.0], places), rng.uniform(-1, 1, places)
    priors = rng.dirichlet(np.ones(actions), places)
    if rng.random() < 0.3:  # arrows that are equally good at first
        priors[:] = 1 / actions
    noise = np.where(goes[0] >= 0, rng.gamma(0.7, size=actions) + 0.02, 0.0)
    epsilon, c = float(rng.choice([0.0, *rng.uniform(0, 1, 3)])), float(rng.uniform(0.3, 5))
    # what the places are called says nothing
    number = rng.permutation(places)
    goes = np.where(goes >= 0, number[goes], -1)[np.argsort(number)]
    ends, priors, values = (table[np.argsort(number)] for table in (ends, priors, values))
    simulations = int(rng.integers(2, 25))
    return (
        goes,
        ends,
        int(number[0]),
        priors,
        values,
        noise / noise.sum(),
        epsilon,
        c,
        simulations,
    )


_ONE_ARROW = np.array([[1], [-1]])
DOMAINS = {
    "search_chances": Domain(
        _search_chances,
        (
            Case((np.array([[7]]), np.array([[0.5]]), np.array([0]), 1.0, 0)),
            Case((np.array([[0, 0, 1]]), np.array([[0.0, 0.0, -1.0]]), np.array([3]), 2.0, 9)),
            # 200 visits to the power 1,024
            Case((np.array([[200, 199]]), np.array([[0.1, 0.9]]), np.array([30]), 3.0, 99)),
        ),
    ),
    "hex_examples": Domain(
        _hex_examples,
        (
            Case(
                (np.zeros((1, 1, 1), int), np.array([0]), np.array([[1.0, 0.0]]), np.array([1])),
            ),
        ),
    ),
    "value_targets": Domain(
        _value_targets,
        (
            Case(
                (
                    np.array([0]),
                    np.array([1]),
                    np.array([-0.4]),
                    np.array([1.0]),
                    np.array([True]),
                    0.5,
                )
            ),
        ),
    ),
    "gate_chance": Domain(
        _gate_chance,
        (
            Case(([1.0, 0.0, 0.0], [0.0, 0.0, 1.0], 1, 100)),
            Case(([0.0, 1.0, 0.0], [0.0, 1.0, 0.0], 7, 50)),
            Case(([0.4, 0.2, 0.4], [0.4, 0.2, 0.4], 40, 55)),
        ),
    ),
    "token_search": Domain(
        _token_search,
        (
            Case(
                (
                    _ONE_ARROW,
                    np.array([0.0, 1.0]),
                    0,
                    np.ones((2, 1)),
                    np.array([0.5, -0.5]),
                    np.ones(1),
                    0.25,
                    1.5,
                    2,
                )
            ),
        ),
        inputs=2000,
    ),
}

# task -> the reason why these changes change no answer -> a part of each that tells it from others
EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "search_chances": {
        "lines that do not need one another": (
            "moved: tau = 2.0 ** (-ply / halving)",
            "moved: scaled = ",
            "moved: top = ",
            "moved: most = max(row)",
            "moved: chances = np.zeros(visits.shape)",
        ),
        "a row is divided by its sum in the end, so that a factor, even -1, is lost": (
            "top, -chances)",
            ")] = 2",
        ),
        "rows are independent of each other": ("for r in range(len(visits) - 1, -1, -1)",),
        "an array of truths picks the same entries as their numbers": (
            "-> chances[r, visits[r] == visits[r].max()] = 1",
        ),
    },
    "hex_examples": {
        "lines that do not need one another": (
            "moved: seen, pis, z",
            "moved: if turn:",
            "moved: pis.append",
            "moved: z.append",
            "moved: second = ",
            "moved: mirror = ",
            "moved: turn = ",
            "moved: flat = ",
            "moved: pi = np.where",
            "moved: pi = [[",
            "moved: z = ",
            "moved: both = ",
            "moved: pi[t]",
            "moved: z[t]",
        ),
        "a board has as many rows as columns": ("S = boards.shape[2]",),
        "all boards have one size": ("len(boards[-1]))",),
        "lists do for arrays, and NumPy's numbers for Python's": (
            "return (seen, np.array(pis), np.array(z))",
            "return (np.array(seen), pis, np.array(z))",
            "return (np.array(seen), np.array(pis), z)",
            "= policies[t][-1]",
            "= sign * results[t]",
            "= sign * boards[t][i][j]",
            "= policies[t][S * i + j]",
        ),
        "stones and results are whole numbers": ("dtype=int)",),
        "dividing by 1 or -1 is multiplying": (
            "/ np.where(second, -1, 1)",
            "int(sign / results[t])",
        ),
        "reshape takes any negative number for the length that it is to find": (
            "reshape(-2 * T, S, S)",
            "reshape(2 * -T, S, S)",
            "reshape(T, -2)",
        ),
        "positions and points are independent of each other": (
            "for t in range(T - 1, -1, -1)",
            "for i in range(S - 1, -1, -1)",
            "for j in range(S - 1, -1, -1)",
            "for _ in range(2 * T - 1, -1, -1)]",
            "for _ in range(S - 1, -1, -1)]",
        ),
        "every entry is written": (
            "-> z = [1] *",
            "-> z = [-1] *",
            "-> pi = [[1.0] *",
            "-> new = [[[1] *",
            "-> new = [[[-1] *",
        ),
        "of 2T entries, t - T counted from the end is T + t": ("[-T + t]",),
    },
    "value_targets": {
        "an array does for a list, and NumPy's numbers for Python's": (
            "-> return targets",
            "else (result[g], 0)",
        ),
        "lines that do not need one another": (
            "moved: last = np.zeros(len(result))",
            "moved: outcome = np.array(result",
        ),
        "every entry is written": ("-> last = result.copy()", "-> last = np.ones(len(result))"),
        "dividing by 1 or -1 is multiplying": (
            "root / sign",
            "[game] / sign",
            "(1 - share) / sign * outcome",
        ),
        "every game's entry is written, in any order": (
            "-> outcome = result.copy()",
            "-> outcome = root.copy()",
            "range(len(result) - 1, -1, -1)",
        ),
        "the sign of the last player to move comes in twice, so both may be turned": (
            "np.where(mover == 0, -1, 1)",
            "np.where(mover != 0, 1, -1)",
            "np.where(mover == 1, 1, -1)",
        ),
    },
    "gate_chance": {
        "lines that do not need one another": (
            "moved: needed = ",
            "moved: enough = ",
            "moved: ones",
        ),
        "a list does for an array": ("-> scores = [1.0]",),
        "the first chance is 1, and a convolution with floats gives floats": (
            "[1.0], dtype=int)",
            "-> halves = 1",
        ),
        "games are independent of each other, and each number comes once": (
            "for g in range(games - 1, -1, -1)",
            "range(games - 1, -1, -1)",
        ),
        "a convolution has no order": (
            "np.convolve([loss, draw, win], scores)",
            "np.convolve([win, draw, loss], halves)",
            "np.convolve([loss, draw, win], halves)",
        ),
        "whether a number is even has no sign, and -1 picks the last of two, as 1 does": (
            "if -g % 2 == 0",
            "if g % -2 == 0",
            "[-g % 2])",
            "[g % -2])",
            "second if -game % 2 == 0 else first",
            "second if game % -2 == 0 else first",
            "first if -game % 2 == 0 else second",
            "first if game % -2 == 0 else second",
        ),
        "both factors have the wrong sign, so the product has none": (
            "total[2 * w + d] -= ",
            "total[2 * w + d] += -",
            "-comb(n - w, d)",
            "-win ** w",
            "-draw ** d",
            "-loss ** (n - w - d)",
        ),
        "there are no more wins and draws than games: what is looked at beyond is empty": (
            "for w in range(n + 1 + 1)",
            "for w in range(n + 2)",
            "[0.0] * (2 * n + 2)",
            "[0.0] * (3 * n + 1)",
        ),
        "a sum has no order": (
            "for w in range(n + 1 - 1, -1, -1)",
            "for d in range(n - w + 1 - 1, -1, -1)",
            "-> ones, twos = (counts(second, games // 2), counts(first, ceil(games / 2)))",
            "moved: total = ",
        ),
        "the lowest of the scores is asked for, so higher ones may be looked at as well": (
            "range(2 * games + 1 + 1)",
            "range(2 * games + 2)",
            "range(3 * games + 1)",
            "range(2 * games + 1 - 1, -1, -1)",
        ),
        "NumPy's whole number is an index, too": ("-> needed = np.argmax(100",),
    },
    "token_search": {
        "this version leaves a line of the hasty one whose result is used no more": (
            "q = np.array([-totals[a,]",
        ),
        "numbers of both kinds may begin with 0 or 0.0": (
            "(defaultdict(int), defaultdict(float))",
        ),
        "nobody asks for the number of the round": ("range(simulations - 1, -1, -1)",),
        "visits are whole numbers": ("for a in range(len(noise))], dtype=int)",),
        "lines that do not need one another": ("moved: ",),
        "p and P are the answer's own arrays": ("-> p /= p.sum()", "-> P /= np.maximum"),
        "NumPy's whole number is an index, too": ("-> a = scores.argmax()", "np.inf).argmax()"),
        "the larger of two numbers has no order": (
            "max(visits[node] - 1, 1)",
            "max(node.n - 1, 1)",
            "np.maximum(1e-12, P.sum",
            "N = max(n.sum(), 1)",
        ),
        "0 may be written in three ways": ("priors, 0.0)", "priors, -0)"),
        "the bound under a sum matters only where no arrow is, and nobody chooses there": (
            "-> P = P / P.sum(axis=1, keepdims=True)",
            "keepdims=True), 0.0)",
        ),
        "visits are counted in whole numbers": ("(np.zeros(len(noise), dtype=int), np.zeros",),
        "the sign is lost when p is divided by its sum": ("p = -priors[place] *",),
    },
}
