"""Sheet 06, policy gradients on Go: the tasks, what each usual mistake is told, and how the hidden cases are drawn."""

from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.checks import oracle06, visible06
from rlcourse.checks.judging import (
    Frequencies,
    Orders,
    by_key,
    by_oracle,
    by_orders,
    keyed,
    rate,
    telling,
)
from rlcourse.checks.plain import Rng
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, ManualTask, Task, Verdict
from rlcourse.checks.visible import read_slips
from rlcourse.checks.visible06 import PAIRS

# --- torus_areas ------------------------------------------------------------------------------------------------------

AREAS_MISTAKES = {
    "stones": "area without territory: empty points count as well, for the one colour that their region touches",
    "territory": "territory without stones: in area scoring each stone on the board counts one point, too",
    "shared": "a region that touches two colours or three counts for each of them: it counts for nobody",
    "alone": "each empty point is looked at alone: connected empty points are one region, and all of it decides",
    "edges": "the board ends at its edges here: top and bottom are joined, and so are left and right",
    "cylinder": "only left and right are joined: top and bottom are as well",
    "rows_only": "only top and bottom are joined: left and right are as well",
    "diagonal": "points that meet at a corner count as neighbours: each point has four",
    "untouched": "a region that touches no stone counts for everybody: it counts for nobody",
}


def _torus(rng: np.random.Generator, stones: float) -> np.ndarray:
    """[H, W]: each point belongs to the colour of the nearest of four places, across the edges too, and some hold a stone."""
    shape = rng.integers(4, 9, 2)
    places, colours = rng.integers(0, shape, (4, 2)), rng.permutation([1, 2, 3, 1])
    away = np.abs(np.indices(shape)[:, :, :, None] - places.T[:, None, None])
    nearest = np.minimum(away, shape[:, None, None, None] - away).sum(axis=0).argmin(axis=2)
    return np.where(rng.random(shape) < stones, colours[nearest], 0)


# What is seen on each board, beside the listed mistakes: a neighbour that is not looked at, an edge joined one way only, and
# colours that own an empty point.
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


def _areas_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Eight boards, more and less full, and an empty one."""
        boards = [_shown_torus(rng, *shows) for shows in _TORUS_SHOWS]
        boards.append(np.zeros(rng.integers(3, 6, 2), np.int64))
        return [keyed(oracle06.torus_areas, AREAS_MISTAKES, board) for board in boards]

    return telling(draw, rng)


def _areas_domain(board: np.ndarray) -> bool:
    return board.ndim == 2 and min(board.shape) >= 2 and set(board.ravel().tolist()) <= {0, 1, 2, 3}


# --- ring_moves -------------------------------------------------------------------------------------------------------

RING_MISTAKES = {
    "ko": "ko is ignored: no move may bring back a board that has been there before",
    "simple": "only the board before the last move is compared: here a board may never come back, however long ago it was",
    "situational": "a board may not come back whoever moves next: leave the player out of the comparison",
    "suicide": "suicide is allowed here: after the captures the new stone's own chain needs a liberty",
    "before_captures": "the new stone's liberties are counted before the captures: what it takes gives it liberties",
    "line": "the ring is cut open: points 0 and size - 1 are neighbours",
    "single": "every stone is looked at alone: connected stones of a colour are one chain and share their liberties",
    "passes": "a pass does not change the turn here: after it the other player moves",
}


def _ring_case(rng: np.random.Generator, shows: str) -> Case:
    """A game on the ring that ends in a position in which the mistake `shows` is seen."""
    while True:
        size, moves = int(rng.integers(4, 9)), []
        for _ in range(int(rng.integers(6, 31))):
            may = oracle06.ring_moves(size, moves)
            moves.append(int(rng.choice(may)) if may and rng.random() < 0.9 else oracle06.PASS)
            if moves[-2:] == [oracle06.PASS] * 2:
                break
            if len(moves) > 3 and oracle06.ring_moves(size, moves) != oracle06.ring_moves(
                size, moves, shows
            ):
                return keyed(oracle06.ring_moves, RING_MISTAKES, size, moves)


def _ring_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Each mistake is seen at least once; and the empty ring, on which all points may be played."""
        also = "simple", "situational", "by_count", "eyes_left", "lone_may", "chains_may"
        shown = [_ring_case(rng, shows) for shows in (*RING_MISTAKES, *also)]
        return [*shown, keyed(oracle06.ring_moves, RING_MISTAKES, int(rng.integers(4, 9)), [])]

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


MOST_POINTS = 10_000  # repetitions included


def _by_points(case: Case, answer: Any) -> Verdict:
    """`by_key` of a list of points in any order."""
    if isinstance(answer, np.ndarray) and answer.size > MOST_POINTS:
        return Verdict(
            0.0, "kind", (), f"expected a list of points, each once; got {answer.size:,} numbers"
        )
    points = answer.tolist() if isinstance(answer, np.ndarray) else answer
    if not isinstance(points, (list, tuple)) or not all(type(point) is int for point in points):
        return Verdict(0.0, "kind", (), "expected a list of points, whole numbers")
    verdict = by_key(case, sorted(set(points)))
    return verdict._replace(mistake="other", detail="") if verdict.mistake == "shape" else verdict


# --- league_returns ---------------------------------------------------------------------------------------------------

LEAGUE_MISTAKES = {
    "collector": "the reward goes to the wrong collector: an agent's number is not its colour, look up its seat in that game",
    "inverse": "seats is read the wrong way round: it says who sits on a colour; find the colour on which the agent sits",
    "losers_win": "the sign of the losing moves: who does not win has paid 1 and gets nothing back",
    "losers_free": "the losers' moves have the return 0 here: each of them has paid 1",
    "all_win": "every move of a game gets the winner's reward: the three have collectors of their own",
    "first_of_tie": "in a tie the first colour takes all: those with most area share the 3",
    "full_prize": "in a tie each gets the full prize: those with most area share the 3",
    "resigned": "who has resigned cannot win, whatever the board says",
    "plies": "the discount counts the moves of all three players: only the agent's own decisions count",
    "on_and_on": "the discount runs on through the following games: an episode ends with its game",
    "first": "the discount counts from the first decision of the game: it counts back from the last",
    "late": "off by one: an agent's last decision in a game gets the reward undiscounted",
}


def _league_case(rng: np.random.Generator) -> Case:
    """Eight games, their moves interleaved.

    Two or three tie for the most area; who has most has resigned, alone, in a tie or with the second; those who are left have
    no area at all; one game is long.
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
    areas[left_tied, order], areas[two_gave_up, order] = (7, 7, 3), (8, 6, 2)
    areas[no_area, order] = 9, 0, 0
    for g, count in ((left_tied, 1), (two_gave_up, 2), (no_area, 1)):
        resigned[g, order[:count]] = True
    queues = []
    for g in range(games):
        plies = 14 if g == long else int(rng.integers(5, 10))
        colours = [ply % 3 for ply in range(plies) if ply < 3 or not resigned[g, ply % 3]]
        queues.append([(int(seats[g, colour]), g) for colour in colours])
    order = rng.permutation(np.repeat(np.arange(games), [len(queue) for queue in queues]))
    agent, game = np.array([queues[g].pop(0) for g in order]).T
    args = (agent, game, seats, areas, resigned, float(rng.choice([0.5, 0.8, 0.9])))
    return keyed(oracle06.league_returns, LEAGUE_MISTAKES, *args)


def _league_cases(rng: np.random.Generator) -> list[Case]:
    return telling(lambda rng: [_league_case(rng) for _ in range(3)], rng)


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


# --- surrogate_gradient -----------------------------------------------------------------------------------------------

SURROGATE_MISTAKES = {
    "both": "one bug is left: the bound stops a move only on the side to which the advantage pushes it",
    "repeats": "one bug is left: `gradient[state] += ...` adds one row for a state that comes twice: np.add.at adds them all",
    "illegal": "one bug is left: illegal moves take part in the softmax: their probability is 0, and so is their gradient",
    "both_and_repeats": "two bugs are left: when does the bound stop a move? what does += do with a repeated state?",
    "both_and_illegal": "two bugs are left: when does the bound stop a move? what share do illegal moves get?",
    "repeats_and_illegal": "two bugs are left: what does += do with a repeated state? what share do illegal moves get?",
    "hasty": "nothing has changed: all three bugs of hasty_gradient are still there",
    "wrong_side": "the bound stops the wrong side: a good move is held when its ratio is high, a bad one when it is low",
    "unbounded": "nothing is stopped: where the bound holds, the gradient of a decision is 0",
    "unweighted": "the gradient is not weighted: the advantage says how strongly, and in which direction, a move is pushed",
    "one_hot": "only the move that was played is pushed: the others lose what it gains, by the p in one-hot minus p",
    "no_ratio": "the ratio is missing: the gradient of a ratio is the ratio times the gradient of log pi",
    "sum": "this is the sum over the decisions: divide by their number",
    "per_state": "each state's decisions are averaged on their own: the mean is over all decisions, whatever their states",
    "descent": "this is the gradient of the loss: asked is the direction that makes the mean larger",
}


# Ratios, in bounds from 1: of four decisions with a negative advantage, then of eight with a positive one.
_RATIOS = np.array([-2.0, -0.96, 0.5, 2.0, 1.04, 2.0, 0.96, -2.0, -0.5, 0.5, 2.0, -1.04])


def _surrogate_case(rng: np.random.Generator, bound: float, first: int, decisions: int) -> Case:
    """Decisions in four states, twelve or those of `_RATIOS` from `first` on: far beyond both bounds, just inside and outside."""
    states, actions = 4, int(rng.integers(4, 7))
    logits, legal = rng.normal(size=(states, actions)), np.ones((states, actions), bool)
    for row in legal:
        row[rng.choice(actions, int(rng.integers(1, 3)), replace=False)] = False
    state = rng.integers(0, states, decisions)
    weights = np.where(legal, np.exp(logits), 0.0)
    p = weights / weights.sum(axis=1, keepdims=True)
    bounds = _RATIOS[first : first + decisions]
    room = np.where(np.abs(np.abs(bounds) - 1) < 0.1, 0.01, 0.2)
    ratio = 1 + bound * bounds * (1 + room * rng.uniform(-1, 1, decisions))
    # A move was drawn with a probability, which is p / ratio: so it is less likely now than the ratio.
    may = [np.flatnonzero((p[s] > 0) & (p[s] < r)) for s, r in zip(state, ratio, strict=True)]
    if not all(map(len, may)):
        return _surrogate_case(rng, bound, first, decisions)
    action = np.array([rng.choice(moves) for moves in may])
    signs = np.repeat([-1.0, 1.0], [4, 8])[first : first + decisions]
    advantage = signs * rng.uniform(0.5, 1.0, decisions)
    # A numerical gradient in which illegal moves take part wants room around the kinks as well.
    everywhere = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    if (
        np.abs(np.abs(everywhere[state, action] / p[state, action] * ratio - 1) - bound).min()
        < 1e-3
    ):
        return _surrogate_case(rng, bound, first, decisions)
    args = (logits, legal, state, action, advantage, np.log(p[state, action] / ratio), bound)
    return keyed(oracle06.surrogate_gradient, SURROGATE_MISTAKES, *args)


def _surrogate_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rng: np.random.Generator) -> list[Case]:
        """Twelve decisions, nine, and one alone that is not stopped; each with another bound."""
        bounds = rng.permutation([0.1, 0.2, 0.3]).tolist()
        parts = (0, 12), (0, 12), (3, 9)
        cases = [_surrogate_case(rng, b, *part) for b, part in zip(bounds, parts, strict=True)]
        return [*cases, _surrogate_case(rng, 0.2, 3, 1)]

    return telling(draw, rng)


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


# --- two_stones -------------------------------------------------------------------------------------------------------

STONES_MISTAKES = {
    "eye": "own eyes are filled: an empty point between two own stones is left alone",
    "stale": "the second stone goes by the board before the first: the first stone may have made an eye, or filled its side",
    "seam": "an eye can lie where the ring is joined: the points 0 and P - 1 have two neighbours as well",
    "replacement": "the first stone's point is put back: draw the second without it",
    "two_only": "it passes too early: not only the first two of the ranking, every point is tried before a pass",
    "no_clip": "the clip is missing: a point with probability 0 can be drawn as well, and before any pass",
    "not_renormalised": "after the clip, and after points are taken out, divide by the sum: what is missing goes to the last",
    "uniform": "every point that is left is drawn equally often: the network's p says how often each comes",
    "repeated": "all pairs are the same: draw each anew, with random numbers from the argument rng",
    "distribution": "how often the pairs come is not right",
}
_LISTED_STONES = [name for name in STONES_MISTAKES if name not in ("repeated", "distribution")]


def _stones_case(rng: np.random.Generator, number: int) -> Case:
    """A ring of seven or eight points, most of them empty; the network gives two empty points nothing. An eye lies where the
    ring is joined: on point 0 in case 0, on the last point in case 1."""
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
    return replace(case, secret=_stones_key(case, 5))


def _stones_key(case: Case, cases: int = 1) -> Orders:
    """cases: over how many of them the false alarms are divided."""
    p, cells, _, clip, _ = case.args
    slips = {slip: oracle06.pair_chances(p, cells, clip, slip) for slip in _LISTED_STONES}
    key = Frequencies(oracle06.pair_chances(p, cells, clip), slips, rate(cases))
    return Orders(len(p) + 1, 2, key, oracle06.PASS)


def _stones_cases(rng: np.random.Generator) -> list[Case]:
    """Two cases in which every two of (right, mistakes) are well apart, and each of them from the same pair every time."""
    while True:
        cases = [_stones_case(rng, number) for number in range(2)]
        chances = [
            {"": case.secret.frequencies.right, **case.secret.frequencies.slips} for case in cases
        ]
        apart = (
            max(np.abs(p[a] - p[b]).max() for p in chances) for a, b in combinations(chances[0], 2)
        )
        commonest = max(p[name].max() for p in chances for name in p)
        if min(apart) > 0.1 and commonest < 0.9 and any(map(_second_weighed, cases)):
            return [*cases, *_stones_left(rng)]


def _second_weighed(case: Case) -> bool:
    """Whether it shows that the second stone, too, is drawn by what the network says."""
    p, cells, _, clip, _ = case.args
    evenly = oracle06.pair_chances(p, cells, clip, "second_uniform")
    return bool(np.abs(evenly - case.secret.frequencies.right).max() > 0.08)


def _stones_left(rng: np.random.Generator) -> list[Case]:
    """Rings on which two points, one point and none are welcome, beside an own eye; the other's eyes are none.

    Where there are two, the clip holds the better one down: it would come more often.
    """
    cases = []
    for cells, clip, pairs in (
        ([1, 0, 1, 2, 0, 2, 0, 2], 0.46, PAIRS * 2 // 3),
        ([1, 0, 1, 2, 0, 2, 1, 2], 0.1, 40),
        ([1, 0, 1, 0, 1, 2, 2], 0.1, 40),
    ):
        p = 0.04 * rng.dirichlet(np.ones(len(cells)))
        p[rng.permutation([4, 6])] += 0.85, 0.11
        turn = int(rng.integers(len(cells)))
        cases.append(_stones_asked(rng, (np.roll(p, turn), np.roll(cells, turn), pairs, clip)))
    return cases


def _stones_domain(p: np.ndarray, cells: np.ndarray, n: int, clip: float, rng: Rng) -> bool:
    return (
        p.shape == cells.shape
        and bool(np.isclose(p.sum(), 1))
        and set(cells.tolist()) <= {0, 1, 2}
        and 0 < clip < 0.5
    )


# --- the sheet --------------------------------------------------------------------------------------------------------

_ORACLES = ("torus_areas", "ring_moves", "league_returns", "surrogate_gradient", "pair_chances")
_SAMPLING = (
    "mask_probs",
    "clip_probs",
    "normalize",
    "categorical_by_hand",
    "categorical",
    "ranked",
)
_WITHHELD = (
    *(f"rlcourse.checks.oracle06:{name}" for name in _ORACLES),
    *(f"rlcourse.sampling:{name}" for name in _SAMPLING),
)

SHEET = Sheet(
    number="06",
    title="Policy gradients on Go",
    tasks=(
        Task(
            "torus_areas",
            13,
            12,
            1,
            "torus_areas",
            _areas_cases,
            by_key,
            _WITHHELD,
            "Who owns what, among three on a torus",
            visible06.areas(),
            AREAS_MISTAKES,
            "boards of 3 to 8 rows and columns, not always square, more and less full, and one without a stone",
            domain=_areas_domain,
            key=by_oracle(oracle06.torus_areas, AREAS_MISTAKES),
        ),
        Task(
            "ring_moves",
            18,
            16,
            3,
            "ring_moves",
            _ring_cases,
            _by_points,
            _WITHHELD,
            "Go on a ring, with superko",
            visible06.ring(),
            RING_MISTAKES,
            "rings of 4 to 8 points, games of up to 30 moves with passes, captures of chains, boards from long ago",
            domain=_ring_domain,
            key=by_oracle(oracle06.ring_moves, RING_MISTAKES),
        ),
        Task(
            "league_returns",
            15,
            13,
            2,
            "league_returns",
            _league_cases,
            by_key,
            _WITHHELD,
            "Three collectors",
            visible06.league(),
            LEAGUE_MISTAKES,
            "four games at once with other seats, ties, players who resign, gamma 0.5 to 0.9",
            domain=_league_domain,
            key=by_oracle(oracle06.league_returns, LEAGUE_MISTAKES),
        ),
        Task(
            "surrogate_gradient",
            18,
            15,
            3,
            "surrogate_gradient",
            _surrogate_cases,
            by_key,
            _WITHHELD,
            "Find the bugs: a hasty gradient",
            visible06.surrogate(),
            SURROGATE_MISTAKES,
            "twelve decisions in four states, four to six moves, some of them illegal, ratios on both sides of both bounds",
            domain=_surrogate_domain,
            key=by_oracle(oracle06.surrogate_gradient, SURROGATE_MISTAKES),
        ),
        Task(
            "two_stones",
            16,
            14,
            2,
            "two_stones",
            _stones_cases,
            by_orders,
            _WITHHELD,
            "Two stones a turn",
            visible06.stones(),
            STONES_MISTAKES,
            f"rings of seven and eight points, some of which the network gives nothing; {PAIRS:,} pairs, how often each comes",
            domain=_stones_domain,
            key=_stones_key,
        ),
    ),
    manual=(
        ManualTask("experiment", 12, 12, 2, "Experiment: what the entropy bonus costs and saves"),
        ManualTask("explanation", 8, 8, 2, "Explain what you saw"),
    ),
    slips=read_slips(Path(__file__).with_name("visible06.json")),
)

check, grade, attempt, summary, stand_in = (
    SHEET.check,
    SHEET.grade,
    SHEET.attempt,
    SHEET.summary,
    SHEET.stand_in,
)
