"""Sheet 02, Q-tables: how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

from dataclasses import replace

import numpy as np

from rlcourse.checks import oracle02, reference02, visible02
from rlcourse.checks.judging import Frequencies, alarm_share, by_oracle, keyed
from rlcourse.checks.plain import Rng
from rlcourse.checks.sheet02 import (
    BOOK_MISTAKES,
    CHOOSE_MISTAKES,
    ESTIMATE_MISTAKES,
    NIM_MISTAKES,
    SWEEP_MISTAKES,
)
from rlcourse.checks.task import Case, Hidden

# --- sweep ----------------------------------------------------------------------------------------


def _sweep_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for number, gamma in enumerate((0.5, 0.7, 0.8, 1.0)):
        states, actions = int(rng.integers(5, 9)), int(rng.integers(2, 5))
        probabilities = rng.dirichlet(np.full(states, 0.7), (states, actions))
        rewards = rng.uniform(-2, 2, (states, actions, states))
        terminal = np.zeros(states, bool)
        terminal[rng.choice(states, 2, replace=False)] = True
        if number > 1:  # finished states that stay where they are; in the others P means nothing
            probabilities[terminal] = np.eye(states)[terminal][:, None, :]
            rewards[terminal] = 0.0
        values = rng.uniform(-3, 3, states)
        if number == 2:  # whatever is done costs something
            values, rewards = -abs(values), -abs(rewards)
        args = (values, probabilities, rewards, terminal, gamma)
        cases.append(keyed(oracle02.sweep, SWEEP_MISTAKES, *args))
    again = (values[::-1].copy(), *args[1:])  # the same process, other values
    return [*cases, keyed(oracle02.sweep, SWEEP_MISTAKES, *again)]


def _sweep_domain(
    values: np.ndarray, P: np.ndarray, R: np.ndarray, terminal: np.ndarray, gamma: float
) -> bool:
    states, actions = P.shape[:2]
    shapes = (values.shape, P.shape, R.shape, terminal.shape) == (
        (states,),
        (states, actions, states),
        P.shape,
        (states,),
    )
    return shapes and np.allclose(P.sum(axis=2), 1) and P.min() >= 0 and 0 < gamma <= 1


# --- nim_update -----------------------------------------------------------------------------------


def _nim_cases(rng: np.random.Generator) -> list[Case]:
    # Three with all takes legal afterwards, three with one or two stones left, two that end the
    # game. Each legal take of the opponent is once their best.
    cases = []
    favoured = [*rng.permutation(3).tolist(), 0, *rng.permutation(2).tolist()]
    for number, rest in enumerate((3, *rng.integers(4, 9, 2).tolist(), 1, 2, 2, 0, 0)):
        # A single stone is what is left of three or four, so a row that is cut by the stones before
        # the take keeps all three entries, of which the last is the largest.
        take = int(rng.integers(2 if rest == 1 else 1, 4))
        q = rng.uniform(-0.9, 0.9, (13, 3))
        q[0] = rng.uniform(1.1, 1.9, 3)  # means nothing; who uses it is found out
        q[1, 1:], q[2, 2] = np.sort(rng.uniform(1.1, 1.9, 2)), rng.uniform(1.1, 1.9)
        if number in (1, 4):  # whatever the opponent does is bad for them
            q[rest, : min(3, rest)] = -abs(q[rest, : min(3, rest)]) - 0.05
        if rest:
            legal = q[rest, : min(3, rest)]
            best, place = int(legal.argmax()), favoured[number]
            legal[[best, place]] = legal[[place, best]]
        args = (
            q,
            rest + take,
            take,
            float(rng.uniform(0.15, 0.4)),
            float(rng.choice([0.5, 0.6, 0.7, 1.0] if rest else [0.5, 0.6, 0.7])),
        )
        cases.append(keyed(reference02.nim_update, NIM_MISTAKES, *args))
        if number == 1:  # the same question to another table
            again = (np.clip(rng.permutation(q.ravel()).reshape(q.shape), -0.9, 0.9), *args[1:])
            cases.append(keyed(reference02.nim_update, NIM_MISTAKES, *again))
    # Two stones are left, the second take is best, and the third, which is not legal, looks no better.
    q = rng.uniform(-0.9, 0.9, (13, 3))
    q[2] = np.sort(q[2])[[0, 2, 1]]
    args = (q, 4, 2, float(rng.uniform(0.15, 0.4)), 0.6)
    cases.append(keyed(reference02.nim_update, NIM_MISTAKES, *args))
    # One stone is left of two, and the more the opponent takes that is not there, the better.
    q = rng.uniform(-0.9, 0.9, (13, 3))
    q[1] = np.sort(q[1])
    args = (q, 2, 1, float(rng.uniform(0.15, 0.4)), 0.7)
    return [*cases, keyed(reference02.nim_update, NIM_MISTAKES, *args)]


def _nim_domain(q: np.ndarray, heap: int, take: int, alpha: float, gamma: float) -> bool:
    return (
        q.ndim == 2
        and q.shape[1] == 3
        and 1 <= take <= 3
        and take <= heap < len(q)
        and 0 < alpha <= 1
        and 0 < gamma <= 1
    )


# --- choose ---------------------------------------------------------------------------------------


def _choose_case(
    rng: np.random.Generator,
    player: int,
    cases: int,
    ties: int,
    first: int,
    size: int,
    elsewhere: int,
) -> Case:
    """All legal moves are bad for the mover, `ties` are equally best and as many equally
    least tried; another one is hardly worse, and one was tried once more. Illegal squares
    look good and were tried `elsewhere` times. Square 0 stands at the place `first` in this
    order: best, least tried, ..., illegal."""
    order = np.insert(1 + rng.permutation(size - 1), first, 0)
    legal = np.zeros(size, bool)
    legal[order[:6]] = True
    mine = np.zeros(size)
    best = -rng.uniform(0.1, 0.3)
    mine[order[:6]] = -rng.uniform(0.4, 0.9, 6)
    mine[order[:ties]], mine[order[ties]] = best, best - 0.02
    mine[order[6:]] = rng.uniform(0.3, 0.9, size - 6)
    visits = np.full(size, elsewhere)
    visits[order[:6]] = rng.integers(4, 20, 6)
    visits[order[0]] = 4
    visits[order[ties : 2 * ties]] = 3
    q = mine if player == 0 else -mine
    epsilon, seed = float(rng.uniform(0.3, 0.38)), int(rng.integers(2**31))
    case = Case((q, visits, legal, player, epsilon, Rng(seed)), calls=visible02.CALLS)
    return replace(case, secret=_choose_key(case, cases))


def _choose_good_case(rng: np.random.Generator, player: int, cases: int) -> Case:
    """The other way round: all legal moves are good, illegal squares look bad and were tried often.
    Two are equally best, one of them and another were never tried, and exploring is likely. Of the
    three the one that is both stands last."""
    order = rng.permutation(9)
    order[:3] = np.sort(order[:3])[[2, 0, 1]]
    mine, visits = np.zeros(9), np.zeros(9, np.int64)
    mine[order] = [0.6, 0.6, *rng.uniform(0.1, 0.5, 4), *-rng.uniform(0.3, 0.9, 3)]
    visits[order] = [0, *rng.integers(4, 20, 1), 0, *rng.integers(4, 20, 3), 30, 30, 30]
    q = mine if player == 0 else -mine
    epsilon, seed = float(rng.uniform(0.7, 0.8)), int(rng.integers(2**31))
    case = Case((q, visits, visits < 30, player, epsilon, Rng(seed)), calls=visible02.CALLS)
    return replace(case, secret=_choose_key(case, cases))


def _choose_key(case: Case, cases: int = 1) -> Frequencies:
    """cases: over how many of them the false alarms are divided."""
    args = case.args[:-1]
    slips = {
        slip: oracle02.choice_probabilities(*args, slip=slip)
        for slip in CHOOSE_MISTAKES
        if slip != "distribution"
    }
    return Frequencies(oracle02.choice_probabilities(*args), slips, alarm_share(cases))


def _choose_cases(rng: np.random.Generator) -> list[Case]:
    cases = [
        _choose_case(rng, player, 5, *drawn)
        for player, *drawn in ((0, 2, 0, 9, 0), (1, 2, 8, 9, 5), (0, 3, 2, 12, 0), (1, 3, 3, 7, 0))
    ]
    return [*cases, _choose_good_case(rng, int(rng.integers(2)), 5)]


def _choose_domain(
    q: np.ndarray, visits: np.ndarray, legal: np.ndarray, player: int, epsilon: float, rng: Rng
) -> bool:
    shapes = q.shape == visits.shape == legal.shape
    return (
        shapes
        and bool(legal.any())
        and visits.min() >= 0
        and player in (0, 1)
        and 0 <= epsilon <= 1
    )


# --- two_estimates --------------------------------------------------------------------------------


def _estimates_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for gamma in (0.5, 0.7, 0.8, 0.95):
        states = int(rng.integers(4, 7))
        # The first episode sees every state and comes back to two of them; the others
        # are short, as in real data.
        walks = [
            [*rng.permutation(states).tolist(), *rng.choice(states, 2, replace=False).tolist()]
        ]
        walks += [
            rng.integers(0, states, int(rng.integers(1, 5))).tolist()
            for _ in range(int(rng.integers(4, 8)))
        ]
        episodes = [[(s, round(float(rng.uniform(-2, 2)), 3)) for s in walk] for walk in walks]
        args = (episodes, states, gamma)
        cases.append(keyed(oracle02.two_estimates, ESTIMATE_MISTAKES, *args))
    again = (episodes, states, 0.6)  # the same episodes with another discount
    cases.append(keyed(oracle02.two_estimates, ESTIMATE_MISTAKES, *again))
    # State 1 only ends episodes, so its value is there after one sweep, and also who divides by how
    # often another state followed comes to an end with gamma 1.
    walks = [[0, 0, 2, 0, 1], [2, 0], [1]]
    episodes = [[(s, round(float(rng.uniform(-2, -1)), 3)) for s in walk] for walk in walks]
    return [*cases, keyed(oracle02.two_estimates, ESTIMATE_MISTAKES, episodes, 3, 1.0)]


def _estimates_domain(
    episodes: list[list[tuple[int, float]]], num_states: int, gamma: float
) -> bool:
    seen = {state for episode in episodes for state, _ in episode}
    return seen == set(range(num_states)) and all(episodes) and 0 < gamma <= 1


# --- play_from_book -------------------------------------------------------------------------------


def _book_case(rng: np.random.Generator, view: int) -> Case:
    """A board of 3 x 3 to 6 x 6 without a symmetry of its own that lies in a book of six as the
    given one of its eight views. The book plays empty squares; in view 3 that is its square 0. In
    view 0 the smallest text hangs on O coming before X."""
    while True:
        size = 3 if view == 6 else 6 if view == 2 else int(rng.integers(4, 6))
        stones = [2, 1] if size == 3 else [4, 3]
        board = (
            rng.permutation(np.repeat([0, 1, 2], [size * size - sum(stones), *stones]))
            .reshape(size, size)
            .astype(np.int8)
        )
        texts = [oracle02.text_of(image) for image in oracle02.views(board)]
        if len(set(texts)) < 8 or texts.index(min(texts)) != view or min(texts)[0] != ".":
            continue
        others = [rng.permutation(board.ravel()).reshape(board.shape) for _ in range(5)]
        known = [min(map(oracle02.text_of, oracle02.views(other))) for other in (*others, board)]
        book = {
            text: int(rng.choice([k for k, cell in enumerate(text) if cell == "."]))
            for text in known
        }
        if view == 3:
            book[min(texts)] = 0
        case = keyed(oracle02.play_from_book, BOOK_MISTAKES, board, book)
        key = case.secret
        shown = {
            "unmapped": view > 0,
            "transposed": True,
            "direction": view in (1, 3),
        }  # what this view can show
        if view == 0 and key.right == oracle02.play_from_book(board, book, "letters"):
            continue
        if all(key.slips[slip] != key.right for slip, visible in shown.items() if visible):
            return case


def _book_cases(rng: np.random.Generator) -> list[Case]:
    cases = [_book_case(rng, view) for view in range(8)]
    board, book = _book_case(rng, 0).args
    book.pop(oracle02.text_of(board))
    return [*cases, keyed(oracle02.play_from_book, BOOK_MISTAKES, board, book)]


def _book_domain(board: np.ndarray, book: dict[str, int]) -> bool:
    """The text is silent on boards with a symmetry of their own, but for boards
    that the book does not know.
    """
    texts = [oracle02.text_of(view) for view in oracle02.views(board)]
    square = board.ndim == 2 and board.shape[0] == board.shape[1]
    return (
        square
        and (min(texts) not in book or len(set(texts)) == 8)
        and all(text[move] == "." for text, move in book.items())
    )


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "sweep": Hidden(_sweep_cases, _sweep_domain, by_oracle(oracle02.sweep, SWEEP_MISTAKES)),
    "nim_update": Hidden(_nim_cases, _nim_domain, by_oracle(reference02.nim_update, NIM_MISTAKES)),
    "choose": Hidden(_choose_cases, _choose_domain, _choose_key),
    "two_estimates": Hidden(
        _estimates_cases, _estimates_domain, by_oracle(oracle02.two_estimates, ESTIMATE_MISTAKES)
    ),
    "play_from_book": Hidden(
        _book_cases, _book_domain, by_oracle(oracle02.play_from_book, BOOK_MISTAKES)
    ),
}
