"""Sheet 06, policy gradients on Go: how the hidden cases are drawn, and what the oracle answers.

Students never get this file.
"""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np

from rlcourse.checks import oracle06
from rlcourse.checks.judging import (
    Frequencies,
    Orders,
    alarm_share,
    by_oracle,
    difference,
    keyed,
    telling,
)
from rlcourse.checks.plain import Rng
from rlcourse.checks.sheet06 import (
    AREAS_MISTAKES,
    LEAGUE_MISTAKES,
    RING_MISTAKES,
    STONES_MISTAKES,
    SURROGATE_MISTAKES,
)
from rlcourse.checks.task import Case, Hidden
from rlcourse.checks.visible06 import PAIRS

# --- torus_areas ----------------------------------------------------------------------------------


def _torus(rng: np.random.Generator, stones: float) -> np.ndarray:
    """[H, W]: each point belongs to the colour of the nearest of four places, across the edges
    too, and some hold a stone.
    """
    shape = rng.integers(4, 9, 2)
    height, width = shape.tolist()
    places, colours = rng.integers(0, shape, (4, 2)), rng.permutation([1, 2, 3, 1])
    away = np.abs(np.indices((height, width))[:, :, :, None] - places.T[:, None, None])
    nearest = np.minimum(away, shape[:, None, None, None] - away).sum(axis=0).argmin(axis=2)
    return np.where(rng.random(shape) < stones, colours[nearest], 0)


# What is seen on each board, beside the listed mistakes: a neighbour that is not looked at, an edge
# joined one way only, and colours that own an empty point.
_TORUS_SHOWS = (
    (0.5, ("no_up",), ()),
    (0.6, ("no_left", "right_ends"), ()),
    (0.6, ("no_down",), (1,)),
    (0.6, ("right_ends",), ()),
    (0.7, ("no_right",), (2,)),
    (0.7, ("down_ends",), (3,)),
    (0.7, ("right_ends", "once"), ()),
    (0.8, ("down_ends",), ()),
)


def _shown_torus(
    rng: np.random.Generator, stones: float, slips: tuple[str, ...], owners: tuple[int, ...]
) -> np.ndarray:
    """A board on which these slips are seen and these colours own an empty point."""
    while True:
        board = _torus(rng, stones)
        right = oracle06.torus_areas(board)
        owned = right - [(board == colour).sum() for colour in (1, 2, 3)]
        if all(owned[colour - 1] > 0 for colour in owners) and all(
            (oracle06.torus_areas(board, slip) != right).any() for slip in slips
        ):
            return board


# (empty point, the one of its neighbours that has another colour); the point is looked at from
# all four sides, inside the board and over its edges
_INSIDE = ((1, 1), (0, 1)), ((1, 4), (1, 3)), ((4, 1), (5, 1)), ((4, 4), (4, 5))
_AT_EDGES = ((0, 1), (-1, 1)), ((-1, 4), (0, 4)), ((4, 0), (4, -1)), ((2, -1), (2, 0))


def _one_region(rng: np.random.Generator, most: int, other: int) -> list[np.ndarray]:
    """Boards of few colours: what an answer that finds no territory, or overlooks one neighbour,
    is told apart by.

    A full one; with one region, a corner or all but a column; with two, rows; with four points
    alone; and with a region that goes down, along, and up again, the other colour at its beginning.
    """
    size = int(rng.integers(4, 6))
    full, corner, rows = (np.full((size, size), most) for _ in range(3))
    corner[0, -1], rows[[0, 2]] = 0, 0
    column = np.zeros((size, 3), np.int64)
    column[:, 1] = most
    boards = [full, corner, rows, column]
    for points in (_INSIDE, _AT_EDGES):
        board = np.full(rng.permutation([6, 7, 8])[:2], most)
        for point, odd in points:
            board[point], board[odd] = 0, other
        boards.append(board)
    winding = np.full((6, 5), most)
    winding[1:5, [1, 3]], winding[4, 2], winding[1, 0] = 0, 0, other
    return [*boards, winding]


def _areas_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Eight boards, more and less full, an empty one, and seven of few colours."""
        boards = [_shown_torus(rng, *shows) for shows in _TORUS_SHOWS]
        boards.append(np.zeros(rng.integers(3, 6, 2), np.int64))
        # The commoner colour has the higher number: the first one of a region is not the commonest.
        other, most = sorted(rng.permutation([1, 2, 3])[:2].tolist())
        boards += _one_region(rng, most, other)
        return [keyed(oracle06.torus_areas, AREAS_MISTAKES, board) for board in boards]

    return telling(draw, rng)


def _areas_domain(board: np.ndarray) -> bool:
    return board.ndim == 2 and min(board.shape) >= 2 and set(board.ravel().tolist()) <= {0, 1, 2, 3}


# --- ring_moves -----------------------------------------------------------------------------------


def _ring_case(rng: np.random.Generator, shows: str) -> Case:
    """A game on the ring that ends in a position in which the mistake `shows` is seen."""
    while True:
        moves: list[int] = []
        size = int(rng.integers(4, 9))
        for _ in range(int(rng.integers(6, 31))):
            may = oracle06.ring_moves(size, moves)
            moves.append(int(rng.choice(may)) if may and rng.random() < 0.9 else oracle06.PASS)
            if moves[-2:] == [oracle06.PASS] * 2:
                break
            right, wrong = (oracle06.ring_moves(size, moves, slip) for slip in ("", shows))
            if len(moves) > 3 and difference(wrong, right) is not None:
                return keyed(oracle06.ring_moves, RING_MISTAKES, size, moves)


def _ring_alone(rng: np.random.Generator) -> Case:
    """A ring with one point left, which would fill it with one colour."""
    size = int(rng.integers(4, 9))
    moves = [move for point in rng.permutation(size)[1:] for move in (int(point), oracle06.PASS)]
    return keyed(oracle06.ring_moves, RING_MISTAKES, size, moves)


def _ring_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Each mistake is seen at least once; a ring with one point left; and the empty ring, on
        which all points may be played.
        """
        also = "simple", "situational", "by_count", "lone_may", "chains_may"
        shown = [_ring_case(rng, shows) for shows in (*RING_MISTAKES, *also, "quiet_only")]
        empty = keyed(oracle06.ring_moves, RING_MISTAKES, int(rng.integers(4, 9)), [])
        return [*shown, _ring_alone(rng), empty]

    return telling(draw, rng)


def _ring_domain(size: int, moves: list[int]) -> bool:
    """All moves were legal, and the game is not over by two passes."""
    legal = all(
        move == oracle06.PASS or move in oracle06.ring_moves(size, moves[:ply])
        for ply, move in enumerate(moves)
    )
    return (
        size >= 4
        and legal
        and all(pair != (oracle06.PASS, oracle06.PASS) for pair in pairwise(moves))
    )


# --- league_returns -------------------------------------------------------------------------------


def _league_case(rng: np.random.Generator, mixed: bool) -> Case:
    """Eight games, their moves interleaved or one game after the other.

    Two or three tie for the most area; who has most has resigned, alone, in a tie or with the
    second; those who are left have no area at all; one game is long.
    """
    games = 8
    seats = np.array([rng.permutation(3) for _ in range(games)])
    areas, resigned = rng.integers(3, 9, (games, 3)), np.zeros((games, 3), bool)
    tied, given_up, level, left_tied, two_gave_up, no_area, long = rng.permutation(games)[:7]
    areas[tied] = rng.permutation([7, 7, int(rng.integers(2, 6))])
    areas[level] = 5  # all three share: nobody wins or loses anything
    areas[given_up] = rng.permutation([9, 6, 4])
    resigned[given_up] = areas[given_up] == 9
    order = rng.permutation(3)
    areas[no_area, order] = 9, 0, 0
    resigned[no_area, order[0]] = True
    # The colour after the one that resigned has as much.
    areas[left_tied] = np.roll([7, 7, 3], order[0])
    resigned[left_tied] = np.roll([True, False, False], order[0])
    # Who is left has as much as the colour before.
    areas[two_gave_up] = np.roll([2, 2, 8], order[0])
    resigned[two_gave_up] = np.roll([True, False, True], order[0])
    queues = []
    for g in range(games):
        plies = 14 if g in (long, two_gave_up) else int(rng.integers(5, 10))
        colours = [ply % 3 for ply in range(plies) if ply < 3 or not resigned[g, ply % 3]]
        queues.append([(int(seats[g, colour]), g) for colour in colours])
    order = np.repeat(np.arange(games), [len(queue) for queue in queues])
    order = rng.permutation(order) if mixed else order
    agent, game = np.array([queues[g].pop(0) for g in order]).T
    args = (agent, game, seats, areas, resigned, float(rng.choice([0.5, 0.8, 0.9])))
    return keyed(oracle06.league_returns, LEAGUE_MISTAKES, *args)


def _league_cases(rng: np.random.Generator) -> list[Case]:
    return telling(lambda rng: [_league_case(rng, mixed) for mixed in (True, True, False)], rng)


def _league_domain(
    agent: np.ndarray,
    game: np.ndarray,
    seats: np.ndarray,
    areas: np.ndarray,
    resigned: np.ndarray,
    gamma: float,
) -> bool:
    seated = (
        np.sort(seats, axis=1) == np.arange(3)
    ).all() and areas.shape == resigned.shape == seats.shape
    left = not resigned.all(axis=1).any() and areas.min() >= 0 and agent.shape == game.shape
    return (
        bool(seated)
        and left
        and set(agent) <= {0, 1, 2}
        and set(game) <= set(range(len(seats)))
        and 0 < gamma <= 1
    )


# --- surrogate_gradient ---------------------------------------------------------------------------

# Ratios, in bounds from 1: of four decisions with a negative advantage, then of
# eight with a positive one.
_RATIOS = np.array([-2.0, -0.96, 0.5, 2.0, 1.04, 2.0, 0.96, -2.0, -0.5, 0.5, 2.0, -1.04])


def _surrogate_case(
    rng: np.random.Generator, bound: float, first: int, decisions: int, most: float
) -> Case:
    """Decisions in four states (one alone in one), twelve or those of `_RATIOS` from `first` on:
    far beyond both bounds, just inside and outside. most: the largest advantage.
    """
    states, actions = min(4, decisions), int(rng.integers(4, 7))
    logits, legal = rng.normal(size=(states, actions)), np.ones((states, actions), bool)
    for row in legal:
        row[rng.choice(actions, int(rng.integers(1, 3)), replace=False)] = False
    state = rng.integers(0, states, decisions)
    weights = np.where(legal, np.exp(logits), 0.0)
    p = weights / weights.sum(axis=1, keepdims=True)
    bounds = _RATIOS[first : first + decisions]
    room = np.where(np.abs(np.abs(bounds) - 1) < 0.1, 0.01, 0.2)
    ratio = 1 + bound * bounds * (1 + room * rng.uniform(-1, 1, decisions))
    # A move was drawn with a probability, which is p / ratio: so it is less
    # likely now than the ratio.
    may = [np.flatnonzero((p[s] > 0) & (p[s] < r)) for s, r in zip(state, ratio, strict=True)]
    if not all(map(len, may)):
        return _surrogate_case(rng, bound, first, decisions, most)
    action = np.array([rng.choice(moves) for moves in may])
    signs = np.repeat([-1.0, 1.0], [4, 8])[first : first + decisions]
    advantage = signs * most * rng.uniform(0.5, 1.0, decisions)
    # A numerical gradient in which illegal moves take part wants room around the kinks as well.
    everywhere = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    if (
        np.abs(np.abs(everywhere[state, action] / p[state, action] * ratio - 1) - bound).min()
        < 1e-3
    ):
        return _surrogate_case(rng, bound, first, decisions, most)
    args = (logits, legal, state, action, advantage, np.log(p[state, action] / ratio), bound)
    return keyed(oracle06.surrogate_gradient, SURROGATE_MISTAKES, *args)


def _surrogate_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Twelve decisions, nine, one alone that is not stopped, and one that was sure.

        In one case the last decision of a state is stopped, and an earlier one is not.
        """
        bounds = 0.2, 0.4, 0.1  # 0.4 with large advantages: a sum in place of a product shows
        parts = (0, 12, 1.0), (0, 12, 4.0), (3, 9, 4.0)
        cases = [_surrogate_case(rng, b, *part) for b, part in zip(bounds, parts, strict=True)]
        if not any(map(_last_stopped, cases)):
            return draw(rng)
        return [*cases, _surrogate_case(rng, 0.2, 3, 1, 4.0), _sure_case(rng)]

    return telling(draw, rng)


def _sure_case(rng: np.random.Generator) -> Case:
    """A bad move was drawn with probability 1 and is unlikely now."""
    logits, legal = rng.normal(size=(1, 4)), np.ones((1, 4), bool)
    state, action = np.zeros(1, int), logits.argmin(axis=1)
    args = (logits, legal, state, action, -rng.uniform(0.5, 1.0, 1), np.zeros(1), 0.2)
    return keyed(oracle06.surrogate_gradient, SURROGATE_MISTAKES, *args)


def _last_stopped(case: Case) -> bool:
    """Whether a state's last decision is stopped and an earlier one is not."""
    logits, legal, state, action, advantage, log_prob, bound = case.args
    overwritten = oracle06.surrogate_gradient(
        logits, legal, state, action, advantage, log_prob, bound, "overwritten"
    )
    return difference(overwritten, case.secret.slips["repeats"]) is not None


def _surrogate_domain(
    logits: np.ndarray,
    legal: np.ndarray,
    state: np.ndarray,
    action: np.ndarray,
    advantage: np.ndarray,
    log_prob: np.ndarray,
    bound: float,
) -> bool:
    within = (
        0 <= state.min()
        and state.max() < len(logits)
        and action.min() >= 0
        and bool(legal[state, action].all())
        and logits.shape == legal.shape
    )
    return (
        within
        and action.shape == advantage.shape == log_prob.shape == state.shape
        and log_prob.max() <= 0
        and 0 < bound < 1
    )


# --- two_stones -----------------------------------------------------------------------------------

_LISTED_STONES = [name for name in STONES_MISTAKES if name not in ("repeated", "distribution")]
# Told apart by cases of their own.
_APART = (
    "late_clip",
    "clip_again",
    "zeros_kept",
    "next_only",
    "any_eye",
    "enclosed",
    "low_only",
    "sorted",
    "both_or_none",
)


def _stones_case(rng: np.random.Generator, number: int) -> Case:
    """A ring of seven or eight points, most of them empty; the network gives two
    empty points nothing. An eye lies where the ring is joined: on point 0 in case 0,
    on the last point in case 1."""
    size = int(rng.integers(7, 9))
    cells = (
        np.array([0, 1, 0, 0, 1, 0, 2, 1][:size])
        if rng.random() < 0.5
        else rng.choice([0, 1, 2], size, p=[0.6, 0.3, 0.1])
    )
    cells = np.roll(cells, int(rng.integers(size)))[:: int(rng.choice([-1, 1]))].copy()
    eyes = np.flatnonzero((cells == 0) & (np.roll(cells, 1) == 1) & (np.roll(cells, -1) == 1))
    if not len(eyes):
        return _stones_case(rng, number)
    cells = np.roll(cells, -number - eyes[0])
    p = rng.dirichlet(np.ones(size))
    p[rng.permutation(np.flatnonzero(cells == 0))[:2]] = 0.0
    clip = float(rng.choice([0.04, 0.05, 0.06]))
    return _stones_asked(rng, (p / p.sum(), cells, PAIRS, clip))


def _stones_asked(
    rng: np.random.Generator, args: tuple[np.ndarray, np.ndarray, int, float]
) -> Case:
    """The case with these p, cells, number of pairs and clip."""
    case = Case((*args, Rng(int(rng.integers(2**31)))), draws_at=2)
    return replace(case, secret=_stones_key(case, 8))


def _stones_key(case: Case, cases: int = 1) -> Orders:
    """cases: over how many of them the false alarms are divided."""
    p, cells, _, clip, _ = case.args
    slips = {slip: oracle06.pair_chances(p, cells, clip, slip) for slip in _LISTED_STONES}
    key = Frequencies(oracle06.pair_chances(p, cells, clip), slips, alarm_share(cases))
    return Orders(len(p) + 1, 2, key, oracle06.PASS)


def _stones_cases(rng: np.random.Generator) -> list[Case]:
    """Two cases in which every two of (right, mistakes) are well apart, and each of them
    from the same pair every time.
    """
    while True:
        cases = [_stones_case(rng, number) for number in range(2)]
        chances = [
            {"": case.secret.frequencies.right, **case.secret.frequencies.slips} for case in cases
        ]
        others = [name for name in chances[0] if name not in _APART]
        apart = (
            max(np.abs(p[a] - p[b]).max() for p in chances) for a, b in combinations(others, 2)
        )
        commonest = max(p[name].max() for p in chances for name in p)
        if min(apart) > 0.1 and commonest < 0.9 and any(map(_second_weighed, cases)):
            return [*cases, *_stones_left(rng), _stones_clipped(rng)]


def _second_weighed(case: Case) -> bool:
    """Whether it shows that the second stone, too, is drawn by what the network says."""
    p, cells, _, clip, _ = case.args
    evenly = oracle06.pair_chances(p, cells, clip, "second_uniform")
    return bool(np.abs(evenly - case.secret.frequencies.right).max() > 0.08)


def _stones_left(rng: np.random.Generator) -> list[Case]:
    """Rings on which two points, one point and none are welcome, beside an own eye;
    the other's eyes are none. On the fourth a stone on point 0 makes an eye; on the last an eye
    hangs on a stone on the last point, and an empty point lies between the two colours.

    Where there are two, the clip holds the better one down: it would come more often.
    """
    cases, anywhere = [], int(rng.integers(8))
    for cells, clip, pairs, turn in (
        ([1, 0, 1, 2, 0, 2, 0, 2], 0.46, PAIRS * 2 // 3, anywhere),
        ([1, 0, 1, 2, 0, 2, 1, 2], 0.1, 40, anywhere),
        ([1, 0, 1, 0, 1, 2, 2], 0.1, 40, anywhere),
        ([2, 2, 2, 1, 0, 0, 0], 0.3, PAIRS, 2),
        ([1, 0, 1, 2, 0, 1, 0, 2], 0.1, PAIRS // 3, 5),
    ):
        p = 0.04 * rng.dirichlet(np.ones(len(cells)))
        p[rng.permutation([4, 6])] += 0.85, 0.11
        cases.append(_stones_asked(rng, (np.roll(p, turn), np.roll(cells, turn), pairs, clip)))
    return cases


def _stones_clipped(rng: np.random.Generator) -> Case:
    """Most of p lies on a stone of the other's: what is clipped, and when, makes a difference.

    Of four empty points one has no probability, and one less than the clip.
    """
    p = np.array([0.56, 0.0, 0.0, *rng.permutation([0.34, 0.08, 0.02, 0.0])])
    cells, turn = np.array([2, 2, 2, 0, 0, 0, 0]), int(rng.integers(7))
    return _stones_asked(rng, (np.roll(p, turn), np.roll(cells, turn), PAIRS, 0.1))


def _stones_domain(p: np.ndarray, cells: np.ndarray, n: int, clip: float, rng: Rng) -> bool:
    return (
        p.shape == cells.shape
        and bool(np.isclose(p.sum(), 1))
        and set(cells.tolist()) <= {0, 1, 2}
        and 0 < clip < 0.5
    )


# --- the sheet ------------------------------------------------------------------------------------

HIDDEN = {
    "torus_areas": Hidden(
        _areas_cases, _areas_domain, by_oracle(oracle06.torus_areas, AREAS_MISTAKES)
    ),
    "ring_moves": Hidden(_ring_cases, _ring_domain, by_oracle(oracle06.ring_moves, RING_MISTAKES)),
    "league_returns": Hidden(
        _league_cases, _league_domain, by_oracle(oracle06.league_returns, LEAGUE_MISTAKES)
    ),
    "surrogate_gradient": Hidden(
        _surrogate_cases,
        _surrogate_domain,
        by_oracle(oracle06.surrogate_gradient, SURROGATE_MISTAKES),
    ),
    "two_stones": Hidden(_stones_cases, _stones_domain, _stones_key),
}
