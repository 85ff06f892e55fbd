"""Sheet 09, AlphaZero: how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

from contextlib import suppress
from typing import Any

import numpy as np

from rlcourse.checks import oracle09
from rlcourse.checks.judging import Narrow, by_oracle, difference, keyed, telling
from rlcourse.checks.sheet09 import (
    CHANCES_MISTAKES,
    GATE_MISTAKES,
    HEX_MISTAKES,
    TOKEN_MISTAKES,
    VALUE_MISTAKES,
)
from rlcourse.checks.task import Case, Hidden

# --- search_chances -------------------------------------------------------------------------------


def _chances_case(
    rng: np.random.Generator,
    rows: int,
    actions: int,
    *,
    cold: bool = False,
    slow: bool = False,
    short: bool = False,
) -> Case:
    """Searches of all stages of a game. cold: some so late that visits to the power 1 /
    temperature are beyond all floats.

    slow: a game eight times as long, in which the temperature falls as slowly. short: one that is
    played coldly from ply 2 on.
    """
    visits = rng.integers(0, 120, (rows, actions)) * (rng.random((rows, actions)) < 0.8)
    visits[:, :2] = rng.integers(130, 200, (rows, 2))
    q = np.where(visits > 0, rng.uniform(-0.9, 0.9, visits.shape), 0.0)
    visits[rows - 1, :2] = 250  # two moves that the search likes equally
    order = rng.permuted(np.tile(np.arange(actions), (rows, 1)), axis=1)
    visits, q = (np.take_along_axis(table, order, axis=1) for table in (visits, q))
    halving, end = (
        (3.0, 45) if cold else (float(rng.choice([5.5, 6.5, 8.5])), int(rng.integers(12, 20)))
    )
    ply = np.array([3, int(rng.integers(4, 11)), end - 1, end, end + int(rng.integers(1, 9))])
    if slow:
        halving, end, ply = 8 * halving, 8 * end, 8 * ply - 1 + (ply >= end)
    if short:
        halving, end, ply = 1.5, 2, np.array([0, 2, 1, 0, 1])
    return keyed(oracle09.search_chances, CHANCES_MISTAKES, visits, q, ply[-rows:], halving, end)


def _chances_cases(rng: np.random.Generator) -> list[Case]:
    return telling(
        lambda rng: [
            _chances_case(rng, 5, 4),
            _chances_case(rng, 4, 7, slow=True),
            _chances_case(rng, 5, 5, cold=True),
            _chances_case(rng, 5, 4, short=True),
        ],
        rng,
    )


def _chances_domain(
    visits: np.ndarray, q: np.ndarray, ply: np.ndarray, halving: float, end: int
) -> bool:
    counts = (
        visits.shape == q.shape
        and visits.min() >= 0
        and bool((visits.max(axis=1) > 0).all())
        and visits.dtype.kind == "i"
    )
    return (
        counts
        and not q[visits == 0].any()
        and ply.min() >= 0
        and halving > 0
        and len(ply) == len(visits)
    )


# --- hex_examples ---------------------------------------------------------------------------------


def _hex_case(rng: np.random.Generator, size: int, count: int) -> Case:
    """Positions in which both players are to move, with results of both kinds for both."""
    movers = rng.permutation(np.arange(1, count + 1) % 2)
    stones = [
        rng.permutation(size * size)[: 2 * int(rng.integers(2, size * size // 3)) + mover]
        for mover in movers.tolist()
    ]
    boards = np.zeros((count, size * size), int)
    for board, places in zip(boards, stones, strict=True):
        board[places] = np.where(np.arange(len(places)) % 2 == 0, 1, -1)
    policies = rng.dirichlet(np.ones(size * size + 1), count)
    args = boards.reshape(count, size, size), movers, policies, rng.choice([-1, 1], count)
    return keyed(oracle09.hex_examples, HEX_MISTAKES, *args)


def _hex_cases(rng: np.random.Generator) -> list[Case]:
    return telling(
        lambda rng: [_hex_case(rng, *shape) for shape in ((3, 2), (4, 4), (5, 3), (4, 1))], rng
    )


def _hex_domain(
    boards: np.ndarray, movers: np.ndarray, policies: np.ndarray, results: np.ndarray
) -> bool:
    """Player 0 moves first, with as many stones as player 1 when that player is
    to move, and one more else.
    """
    count, size = boards.shape[:2]
    shapes = boards.shape == (count, size, size) and policies.shape == (count, size * size + 1)
    shapes = shapes and movers.shape == results.shape == (count,) and policies.min() >= 0
    turns = (boards.sum(axis=(1, 2)) == movers).all()
    return (
        shapes
        and bool(turns)
        and set(results.tolist()) <= {1, -1}
        and np.allclose(policies.sum(axis=1), 1)
    )


# --- value_targets --------------------------------------------------------------------------------


def _value_case(rng: np.random.Generator, outcomes: tuple[str, ...]) -> Case:
    """Games of these outcomes, one after the other; player 0 begins each, and now and then a
    player is passed over. Games 0, 2, ... end on player 0's turn, or are cut off there, others on
    1's; where the first player wins, the other is passed over before.
    """
    game, mover = [], []
    for number in range(len(outcomes)):
        who = 0
        for _ in range(int(rng.integers(4, 10))):
            game.append(number)
            mover.append(who)
            who = who if rng.random() < 0.25 else 1 - who
        passed_over = outcomes[number] == "first"
        mover[-2:] = [number % 2 if passed_over else 1 - number % 2, number % 2]
    result = [
        {"first": 1.0, "second": -1.0, "draw": 0.0, "cut": 2.0 * (number % 2) - 1}[outcome]
        for number, outcome in enumerate(outcomes)
    ]
    cut = [outcome == "cut" for outcome in outcomes]
    root, share = rng.uniform(-0.9, 0.9, len(game)), float(rng.uniform(0.2, 0.4))
    args = np.array(game), np.array(mover), root, np.array(result), np.array(cut), share
    return keyed(oracle09.value_targets, VALUE_MISTAKES, *args)


def _value_cases(rng: np.random.Generator) -> list[Case]:
    games = (
        ("first",),
        ("second", "draw"),
        ("cut", "draw", "first"),
        ("cut", "second", "draw", "cut"),
    )
    return telling(lambda rng: [_value_case(rng, outcomes) for outcomes in games], rng)


def _value_domain(
    game: np.ndarray,
    mover: np.ndarray,
    root: np.ndarray,
    result: np.ndarray,
    cut: np.ndarray,
    share: float,
) -> bool:
    in_a_row = sorted(game.tolist()) == game.tolist() and set(game.tolist()) == set(
        range(len(result))
    )
    in_a_row = in_a_row and game.shape == mover.shape == root.shape and result.shape == cut.shape
    return bool(
        in_a_row
        and set(mover.tolist()) <= {0, 1}
        and np.isin(result, (1, 0, -1)).all()
        and cut.dtype == bool
        and 0 <= share <= 1
    )


# --- gate_chance ----------------------------------------------------------------------------------


def _gate_case(rng: np.random.Generator, games: int, percent: int) -> Case:
    """A candidate about as good as the gate asks for, better where it moves first."""
    first, second = (rng.dirichlet(2 * np.array(weights)) for weights in ((3, 2, 1), (1.5, 2, 1.5)))
    return keyed(
        oracle09.gate_chance, GATE_MISTAKES, first.tolist(), second.tolist(), games, percent
    )


def _gate_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Five matches in which the candidate may pass and may fail; in all but one
        a score can be just enough.
        """
        shapes = ((1, 50), (6, 75), (2, 100), (20, 55), (51, 67))
        return [_open_case(rng, *shape) for shape in shapes]

    return telling(draw, rng)


def _open_case(rng: np.random.Generator, games: int, percent: int) -> Case:
    while True:
        case = _gate_case(rng, games, percent)
        if 0.05 < case.secret.right[1] < 0.95:
            return case


def _gate_domain(first: list[float], second: list[float], games: int, percent: int) -> bool:
    chances = all(abs(sum(one) - 1) < 1e-9 and min(one) >= 0 for one in (first, second))
    return chances and games >= 1 and 1 <= percent <= 100


# --- token_search ---------------------------------------------------------------------------------


def _token_games(
    rng: np.random.Generator, places: int, actions: int, twin: bool
) -> list[tuple[Any, ...]]:
    """The arguments of a game: arrows lead on among places that are numbered at random; three have
    none, and one of these is a draw.

    twin: the game is begun at a second place, too, which has the same arrows.
    """
    goes = np.full((places, actions), -1)
    for place in range(places - 3):
        count = 2 if place % 2 else 3
        arrows = rng.choice(actions, count, replace=False)
        goes[place, arrows] = rng.integers(place + 1, min(places, place + 5), len(arrows))
    # The last place will be called 0: one place has an arrow to it, the next has no other arrows.
    goes[places - 5, np.argmax(goes[places - 5] >= 0)] = places - 1
    goes[places - 4, goes[places - 4] >= 0] = places - 1
    if twin:
        goes[1, goes[0] >= 0] = rng.integers(2, 6, np.sum(goes[0] >= 0))
        goes[1, goes[0] < 0] = -1
    ends = np.zeros(places)
    ends[-3:] = rng.permutation([-1.0, 0.0, 1.0])
    priors, values = rng.dirichlet(np.ones(actions), places), rng.uniform(-0.8, 0.8, places)
    for place in range(
        1, places - 3, 2
    ):  # two arrows that are equally good before either was tried
        priors[place, goes[place] >= 0] = priors[place, goes[place] >= 0].mean()
    noise = np.where(goes[0] >= 0, rng.gamma(0.7, size=actions) + 0.02, 0.0)
    rest = float(rng.uniform(0.25, 0.45)), float(rng.uniform(0.8, 2.0)), int(rng.integers(15, 36))
    number = np.append(rng.permutation(np.arange(1, places)), 0)  # what each place is called
    goes, ends = _renumbered(goes, number), ends[np.argsort(number)]
    network = priors, values, noise / noise.sum()
    return [(goes, ends, start, *network, *rest) for start in number[: 1 + twin].tolist()]


def _renumbered(goes: np.ndarray, number: np.ndarray) -> np.ndarray:
    """The arrows [S, A] when place s is called number[s]."""
    return np.where(goes >= 0, number[goes], -1)[np.argsort(number)]


def _tells_apart(args: tuple[Any, ...], slip: str, other: str) -> bool:
    """Whether two slips lead to different answers, of which neither hangs on rounding."""
    try:
        answers = [oracle09.token_search(*args, slip=name) for name in (slip, other)]
    except Narrow:
        return False
    return difference(*answers) is not None


# The games: (places, arrows, a second start), and what is nearly alike and differs in such a game.
# In the last one there are places with every arrow.
_TOKEN_GAMES: tuple[tuple[tuple[int, int, bool], tuple[tuple[str, str], ...]], ...] = (
    ((7, 4, False), (("past_zero", ""), ("quarter", ""))),
    ((9, 5, False), (("last_tie", ""), ("every", ""))),
    ((12, 6, True), (("two", ""), ("two", "own"), ("more", "own"))),
    ((12, 4, False), (("less", ""), ("part", "added"))),
    ((9, 3, False), (("ones", "no_total"),)),
)


def _token_cases(rng: np.random.Generator) -> list[Case]:
    def telling_game(
        rng: np.random.Generator, shape: tuple[int, int, bool], pairs: tuple[tuple[str, str], ...]
    ) -> list[Case]:
        """Few games tell the pairs apart, and all answers to a game take long: pairs first."""
        while True:
            games = _token_games(rng, *shape)
            if not all(any(_tells_apart(args, *pair) for args in games) for pair in pairs):
                continue
            with suppress(Narrow):
                return [keyed(oracle09.token_search, TOKEN_MISTAKES, *args) for args in games]

    def draw(rng: np.random.Generator) -> list[Case]:
        return [case for game in _TOKEN_GAMES for case in telling_game(rng, *game)]

    return telling(draw, rng)


def _always_ends(goes: np.ndarray) -> bool:
    """Whether no way along the arrows [S, A] comes back to where it was."""
    goes_on = np.ones(len(goes), bool)
    for _ in goes:
        goes_on = ((goes >= 0) & goes_on[goes]).any(axis=1)
    return not goes_on.any()


def _token_domain(
    goes: np.ndarray,
    ends: np.ndarray,
    start: int,
    priors: np.ndarray,
    values: np.ndarray,
    noise: np.ndarray,
    epsilon: float,
    c: float,
    simulations: int,
) -> bool:
    existing, places = goes[start] >= 0, len(goes)
    shapes = (
        goes.shape == priors.shape
        and goes.shape[1:] == noise.shape
        and goes.max() < places == len(ends) == len(values)
    )
    shares = (
        np.allclose(priors.sum(axis=1), 1)
        and np.isclose(noise.sum(), 1)
        and not noise[~existing].any()
        and existing.any()
    )
    shares = shares and min(priors.min(), noise.min()) >= 0
    return bool(
        shapes
        and shares
        and _always_ends(goes)
        and np.isin(ends, (1, 0, -1)).all()
        and simulations >= 2
        and c > 0
        and 0 <= epsilon <= 1
    )


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "search_chances": Hidden(
        _chances_cases, _chances_domain, by_oracle(oracle09.search_chances, CHANCES_MISTAKES)
    ),
    "hex_examples": Hidden(_hex_cases, _hex_domain, by_oracle(oracle09.hex_examples, HEX_MISTAKES)),
    "value_targets": Hidden(
        _value_cases, _value_domain, by_oracle(oracle09.value_targets, VALUE_MISTAKES)
    ),
    "gate_chance": Hidden(
        _gate_cases, _gate_domain, by_oracle(oracle09.gate_chance, GATE_MISTAKES)
    ),
    "token_search": Hidden(
        _token_cases, _token_domain, by_oracle(oracle09.token_search, TOKEN_MISTAKES)
    ),
}
