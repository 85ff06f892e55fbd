"""Questions from the whole domain of sheet 06's tasks, and the changes that change no answer."""

import numpy as np

from rlcourse.checks import oracle06
from rlcourse.checks.plain import Rng
from rlcourse.checks.task import Case
from tests.mutants.asking import Domain

PAIRS = 5_500  # a chance of 1/4 that is off by 0.05 shows with 99% at one question, of 49 chances


def _torus_areas(rng: np.random.Generator) -> Case:
    shape = rng.integers(2, 7, 2)
    stones = rng.choice([1, 2, 3], shape, p=rng.dirichlet(np.ones(3)))
    return Case((np.where(rng.random(shape) < rng.uniform(0, 1), stones, 0),))


def _ring_moves(rng: np.random.Generator) -> Case:
    size, moves = int(rng.integers(4, 9)), list[int]()
    for _ in range(int(rng.integers(0, 21))):
        may = oracle06.ring_moves(size, moves)
        passes = not may or rng.random() < 0.1
        if passes and moves[-1:] == [oracle06.PASS]:
            break  # two passes end the game
        moves.append(oracle06.PASS if passes else int(rng.choice(may)))
    return Case((size, moves))


def _league_returns(rng: np.random.Generator) -> Case:
    games, length = int(rng.integers(1, 5)), int(rng.integers(1, 16))
    seats = np.array([rng.permutation(3) for _ in range(games)])
    areas = rng.integers(0, int(rng.choice([2, 4, 30])), (games, 3))
    resigned = rng.random((games, 3)) < 0.3
    resigned[np.arange(games), rng.integers(0, 3, games)] = False
    agent, game = rng.integers(0, 3, length), rng.integers(0, games, length)
    gamma = float(rng.choice([1.0, *rng.uniform(0.1, 1, 2)]))
    return Case((agent, game, seats, areas, resigned, gamma))


def _surrogate_gradient(rng: np.random.Generator) -> Case:
    states, actions, decisions = (int(rng.integers(1, most)) for most in (5, 6, 9))
    legal = rng.random((states, actions)) < 0.7
    legal[np.arange(states), rng.integers(0, actions, states)] = True
    logits, bound = rng.normal(size=legal.shape), float(rng.uniform(0.05, 0.5))
    odds = np.where(legal, np.exp(logits), 0.0)
    p = odds / odds.sum(axis=1, keepdims=True)
    state = rng.integers(0, states, decisions)
    action = np.array([rng.choice(np.flatnonzero(legal[s])) for s in state])
    # Beside the bounds, where the mean has no gradient. What was drawn had a probability up to 1.
    ratio = 1 + bound * rng.choice([-1.5, -0.5, 0.0, 0.5, 1.5], decisions)
    drawn = np.minimum(1.0, p[state, action] / ratio)
    near = np.abs(np.abs(p[state, action] / drawn - 1) - bound) < 1e-3
    drawn[near] = p[state, action][near]
    advantage = rng.choice([1.0, -1.0, rng.normal()], decisions)
    return Case((logits, legal, state, action, advantage, np.log(drawn), bound))


def _two_stones(rng: np.random.Generator) -> Case:
    size = int(rng.integers(4, 7))
    cells = rng.choice([0, 1, 2], size, p=[0.6, 0.3, 0.1])
    p = rng.dirichlet(np.ones(size)) * (rng.random(size) < 0.7)
    p = p / p.sum() if p.any() else np.ones(size) / size
    clip = float(rng.uniform(0.02, 0.3))
    return Case((p, cells, PAIRS, clip, Rng(int(rng.integers(2**31)))), draws_at=2)


DOMAINS = {
    "torus_areas": Domain(
        _torus_areas,
        (Case((np.zeros((3, 2), int),)), Case((np.full((2, 3), 2),))),
    ),
    "ring_moves": Domain(_ring_moves, (Case((4, [])), Case((8, [-1])))),
    "league_returns": Domain(_league_returns),
    "surrogate_gradient": Domain(_surrogate_gradient),
    "two_stones": Domain(
        _two_stones,
        (
            Case((np.ones(4) / 4, np.array([1, 0, 1, 2]), 40, 0.1, Rng(1)), draws_at=2),
            Case((np.ones(5) / 5, np.array([1, 0, 1, 2, 0]), 40, 0.1, Rng(2)), draws_at=2),
        ),
        inputs=5,
    ),
}

# task -> the reason why these changes change no answer -> a part of each that tells it from others
EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "torus_areas": {
        "the four neighbours, and two axes, may come in any order": (
            "for axis in (1, 0)",
            "for step in (1, -1)",
            "axis=(2, 1)",
            "(r + -down) % H",
            "(r - down) % H",
            "(c + -right) % W",
            "(c - right) % W",
        ),
        "what two masks have in common, or together, has no order": (
            "only = (reached.sum(axis=0) == 1) & reached",
            "wider = beside & (board == 0) | wet",
            "wider = wet | (board == 0) & beside",
        ),
        "a truth counts as 1 or 0": ("reached = np.array(reached, dtype=int)",),
        "only the empty points of the mask are used, and there the board is 0": (
            "beside = board.copy()",
        ),
        "NumPy's whole number is an index, and equal to Python's": (
            "areas = [(board == colour).sum()",
            "touched.add(board[q])",
            "colours = {board[q[0]][q[1]]",
        ),
        "lines that do not need one another": (
            "moved: areas = ",
            "moved: seen ",
            "moved: region",
            "moved: points = ",
            "moved: label = ",
            "moved: changed = True",
            "moved: for r, c in points",
        ),
        "any number will do for a region's name, if its points agree on it": (
            "label = {p: p for",
            "range(rows - 1, -1, -1)",
            "range(cols - 1, -1, -1)",
            "least = max([",
        ),
        "all rows have as many points": ("len(board[1])", "len(board[-1])"),
        "of one colour the smallest is the largest": ("areas[max(colours) - 1]",),
    },
    "ring_moves": {
        "lines that do not need one another, and sets and lists of their own for each": (
            "moved: chain",
            "moved: board = list(board)",
            "moved: result = []",
            "moved: history.append",
            "moved: answer = []",
            "moved: board[dead] = 0",
            "moved: boards = ",
            "moved: found = ",
            "def place_stone",
        ),
        "both sides are looked at, in any order": (
            "for q in ((point + 1) % n, (point - 1) % n):",
            "for q in ((p + 1) % n, (p - 1) % n):",
            "for step in (1, -1)",
            "(place + -step) % size",
            "(place - step) % size",
        ),
        "points may be gone through, and listed, in any order": (
            "range(size - 1, -1, -1)",
            "-> for point in np.flatnonzero(board == 0):",
            "np.flatnonzero(board == 0)[::1]",
        ),
        "a negative index counts from the end, where the ring goes on": (
            "(point - 1) % -n",
            "for q in (point - 1, (point + 1) % n)",
            "(point + 1) % -n",
            "(p - 1) % -n",
            "(p + 1) % -n",
        ),
        "the numbers of the two colours may be exchanged": ("size, 2)", "(size, int), 2,"),
        "only whether there is a liberty counts": ("liberties.add(point)", "liberties.add(p)"),
        "a chain has one colour": ("elif board[q] == board[p] and",),
        "a copy was made before, or none is needed": (
            "return board",
            "dropped: board = board.copy()",
            "board = board.copy() -> ",
            "moved: board = board.copy()",
        ),
        "lists of whole numbers are arrays of them": (
            "-> return answer",
            "return np.array(answer)",
            "answer.append(point)",
            "np.zeros(size, dtype=int)",
        ),
        "what two masks have in common, or together, has no order": (
            "dead = ~alive &",
            "& (np.roll(alive, 1) | np.roll(alive, -1)) | alive",
            "(np.roll(alive, 1) | np.roll(alive, -1)) & (board == colour)",
            "(np.roll(alive, -1) | np.roll(alive, 1))",
        ),
        "no move brings back the empty ring": (
            "{(0,) * -size}",
            "{(0,)}",
            "{size}",
            "{(1,) * size}",
            "{(-1,) * size}",
        ),
        "an even number stays even": ("-len(moves) % 2", "-ply % 2"),
    },
    "league_returns": {
        "every return is written": (
            "[0.0] * agent, {})",
            "[1.0] * len(agent)",
            "(np.ones(len(agent)), {})",
        ),
        "colours and games may be gone through in any order": (
            "range(3 - 1, -1, -1)",
            "range(len(seats) - 1, -1, -1)",
        ),
        "lines and methods that do not need one another": (
            "moved: colour =",
            "moved: same =",
            "moved: points =",
            "def begin_episode",
            "def record_decision",
            "moved: returns, following = (",
        ),
        "what both have has no order": ("(agent[:, None] == agent) & (game",),
        "the last axis is the second": ("np.argsort(seats)[game",),
        "the rows are made anew when a game begins": ("({}, {})",),
        "a reward is a number": ("reward *= gamma",),
        "a fourth collector gets nothing": ("range(3 + 1)", "range(4)"),
        "no area is below 0": ("np.where(resigned[g], -2", "np.where(resigned, -2, areas)"),
        "NumPy's whole numbers, and a pair in another order, name the same agent in the same game": (
            "-> key = (int(game[t]), int(agent[t]))",
            "-> key = (agent[t], int(game[t]))",
            "-> key = (int(agent[t]), game[t])",
        ),
    },
    "surrogate_gradient": {
        "lines, moves and states that do not need one another": (
            "moved: rows",
            "moved: push",
            "moved: gradient",
            "range(A - 1, -1, -1)",
            "range(S - 1, -1, -1)",
        ),
        "the mask comes before the softmax in both": ("-> logits = np.where(legal, logits",),
        "what is added to all logits drops out": (
            "masked - -masked.max(",
            "masked + masked.max(",
            "-> p = np.exp(masked)",
            "masked.max(keepdims=True)",
        ),
        "without an advantage nothing is pushed, and no ratio lies on a bound": (
            "advantage >= 0",
            "adv >= 0",
            "adv <= 0",
            "ratio >= 1 + bound",
            "ratio <= 1 - bound",
        ),
        "a good move is not stopped as a bad one is": ("continue ; if adv < 0",),
        "all rows have as many moves": ("len(logits[-1])",),
        "p is a new array already": ("-> p /= p.sum",),
        "every entry is written": ("-> gradient = logits.copy()", "-> gradient = np.ones("),
        "0 has no sign": ("-0.0)",),
        "the smaller of two numbers, and the middle one of three, have no order": (
            "np.minimum(np.clip(",
            "np.clip(1 - bound, ratio, 1 + bound)",
        ),
    },
    "two_stones": {
        "the number of points, the weights and the list of pairs do not need one another": (
            "moved: size = len(p)",
            "moved: weights = [min(",
            "moved: pairs = ",
        ),
        "an inner function is only called when all are defined": (
            "moved: total = sum(weights)",
            "moved:  ; def fits(board, point)",
        ),
        "the first stone is drawn on the given cells, before or after they are copied": (
            "moved: board = list(cells)",
        ),
        "a stone may be listed before it is placed": ("moved: pair.append(",),
        "the two sides, and what must hold of both, have no order": (
            "np.roll(cells, -1), np.roll(cells, 1)",
            "~((left == 1) & (right == 1)) & (cells == 0)",
            "(right == 1) & (left == 1)",
            "np.where(~(np.roll(own, 1) & np.roll(own, -1)) & (board == 0)",
            "~(np.roll(own, -1) & np.roll(own, 1))",
        ),
        "the smaller and the larger of two numbers, and the middle one of three, have no order": (
            "np.clip(clip, p, 1 - clip)",
            "min(1 - clip, max(",
            "max(clip, float(x))",
            "np.clip(clip, np.exp(log_p), 1 - clip)",
        ),
        "both signs cancel when the weights are divided by their sum": ("-weights * welcome",),
        "no weight is below 0: without a sum there is no mean": ("left.mean() == 0",),
        "where nothing is welcome, nothing is at the next turn, nor after a stone of one's own": (
            "break -> continue",
            "-> board[first] = 1",
            "first >= -1",
        ),
        "the array is a new one": ("weights /= weights.sum()",),
        "the pairs, and points that are asked about, may come in any order": (
            "range(n - 1, -1, -1)",
            "range(2 - 1, -1, -1)",
            "range(size - 1, -1, -1)",
        ),
        "NumPy's whole numbers, and lists, are as good": (
            "pair.append(point)",
            "-> return result",
            "np.array(result, dtype=int)",
            "max(x, clip)",
        ),
        "a negative index counts from the end, where the ring goes on": ("(point + 1) % -size",),
        "a random number meets a bound with chance 0": ("u <= 0",),
        "the last axis is the second": ("np.argsort(-keys)",),
        "only the first two are taken": ("len(pair) <= 2", "len(pair) < 3"),
        "0 has no sign": ("weights, -0.0)",),
    },
}
