"""What the tasks of sheet 06 ought to answer, and what each usual slip would answer instead.

Every function has one argument `slip`: "" for the right answer, else the name of a mistake; of one
that is made in several ways, which stand here, it gives `Ways` where their answers differ. Only
the grader's side runs this file; while a task is judged its functions are withheld.
"""

from collections.abc import Sequence
from itertools import compress, pairwise, permutations, product

import numpy as np

from rlcourse.checks.difference import in_ways

PASS = -1


def torus_areas(board: np.ndarray, slip: str = "") -> np.ndarray:
    """[3]: the area of each colour on a board [H, W] of 0 (empty) and 1 to 3, whose
    opposite edges are joined.
    """
    joined = {"edges": (False, False), "cylinder": (False, True), "rows_only": (True, False)}.get(
        slip, (True, True)
    )
    areas = np.zeros(3)
    if slip != "territory":
        areas += [(board == colour).sum() for colour in (1, 2, 3)]
    # Not listed: a neighbour that is not looked at, and an edge that is joined one way only.
    missing = {"no_up": (-1, 0), "no_down": (1, 0), "no_left": (0, -1), "no_right": (0, 1)}.get(
        slip
    )
    waiting = (
        set()
        if slip == "stones"
        else {(int(row), int(col)) for row, col in np.argwhere(board == 0)}
    )
    while waiting:
        size, touched, reached = 0, set(), [waiting.pop()]
        while reached:
            size += 1
            here = reached.pop()
            for point in _beside(here, board.shape, joined, slip == "diagonal", missing):
                if (slip == "down_ends" and point[0] == 0 < here[0] == len(board) - 1) or (
                    slip == "right_ends" and point[1] == 0 < here[1] == len(board[0]) - 1
                ):
                    continue
                if board[point]:
                    touched.add(int(board[point]))
                elif point in waiting and slip != "alone":
                    waiting.remove(point)
                    reached.append(point)
        size = 1 if slip == "once" else size
        if slip == "untouched" and not touched:
            areas += size
        elif slip == "most_stones" and len(touched) > 1:
            stones = [(board == colour).sum() * (colour in touched) for colour in (1, 2, 3)]
            areas[np.argmax(stones)] += size
        elif slip == "split" and touched:
            areas[[colour - 1 for colour in touched]] += size / len(touched)
        elif len(touched) == 1 or slip == "shared":
            areas[[colour - 1 for colour in touched]] += size
    return areas


RING_WAYS = {
    "passes": ("passes_near", "passes_widely"),
    "situational": ("situational_always", "situational_stones"),
}


def ring_moves(size: int, moves: Sequence[int], slip: str = "") -> list[int]:
    """The points, in ascending order, on which the player to move may put a stone, after these
    moves from the empty board.

    size: points 0 to size - 1 in a ring; moves: points and PASS, black (1) first, then white (2).

    "passes" reads the moves as other players' than they were: where chains without a liberty come
    of it, a capture is looked for beside the stone ("passes_near") or on the whole board
    ("passes_widely"). "situational" keeps the player to move with each board: after stones alone,
    or after passes as well.
    """
    if slip in RING_WAYS:
        return in_ways(ring_moves(size, moves, way) for way in RING_WAYS[slip])
    boards, movers, colour = [(0,) * size], [1], 1
    for move in moves:
        boards.append(boards[-1] if move == PASS else _put(boards[-1], move, colour, slip))
        colour = colour if move == PASS and slip.startswith("passes") else 3 - colour
        movers.append(colour)
    board, may = boards[-1], []
    if slip == "by_count":  # not listed: who has fewer stones on the board moves
        colour = 1 if board.count(1) <= board.count(2) else 2
    for point in range(size):
        own_eye = board[point - 1] == board[(point + 1) % size] == colour
        if board[point] or (slip == "eyes" and own_eye):
            continue
        after = _put(board, point, colour, slip)
        if slip == "removed" and not _breathes(after, point, slip):
            own = _chain(after, point, slip)
            after = tuple(0 if place in own else cell for place, cell in enumerate(after))
        before = (*board[:point], colour, *board[point + 1 :])
        # Not listed: suicide of a stone alone, or of a chain of several.
        several = len(_chain(after, point, slip)) > 1
        free = slip == ("chains_may" if several else "lone_may")
        if (
            slip not in ("suicide", "removed")
            and not free
            and not _breathes(before if slip == "before_captures" else after, point, slip)
        ):
            continue
        if slip == "simple":
            repeated = len(boards) > 1 and after == boards[-2]
        elif slip.startswith("situational"):
            counted = [slip == "situational_always" or move != PASS for move in (0, *moves)]
            repeated = (after, 3 - colour) in compress(zip(boards, movers, strict=True), counted)
        elif slip == "quiet_only":  # not listed: boards that a capture left are forgotten
            quiet = [b for a, b in pairwise(boards) if b.count(0) == a.count(0) - 1]
            repeated = after in [boards[0], *quiet]
        else:
            repeated = slip != "ko" and after in boards
        if not repeated:
            may.append(point)
    return may


def league_returns(
    agent: np.ndarray,
    game: np.ndarray,
    seats: np.ndarray,
    areas: np.ndarray,
    resigned: np.ndarray,
    gamma: float,
    slip: str = "",
) -> np.ndarray:
    """[T]: the return of each decision, for the agent who made it. agent, game [T]; seats, areas,
    resigned [G, 3] by colour.

    Each of the three pays 1; the most area among those who have not resigned
    takes the 3, or shares them.
    """
    returns = np.zeros(len(agent))
    for t, (a, g) in enumerate(zip(agent, game, strict=True)):
        colour = {"collector": a, "inverse": seats[g, a]}.get(
            slip, int(np.flatnonzero(seats[g] == a)[0])
        )
        out = resigned[g]
        given_up = {"resigned": areas[g], "no_area": 0}.get(slip, -1)
        if slip == "resigned_shares":
            given_up = np.where(areas[g] == areas[g][~out].max(), areas[g], -1)
        standing = np.where(out, given_up, areas[g])
        best = np.flatnonzero(standing == standing.max())
        if slip == "tie_lost" and len(best) > 1:
            best = best[:0]
        if slip == "first_of_tie":
            best = best[:1]
        prize = 3.0 if slip == "full_prize" else 3.0 / max(1, len(best))
        prize = 1.0 + 2.0 / len(best) if slip == "two_shared" else prize
        if slip == "nobody" and out[areas[g] == areas[g].max()].all():
            best = best[:0]
        if colour in best or slip == "all_win":
            reward = prize - (slip not in ("no_cost", "winners_free"))
        else:
            reward = 0.0 if slip in ("losers_free", "no_cost") else -1.0
        if slip == "losers_win" and reward < 0:
            reward = 1.0
        if slip == "resigned_free" and out[colour]:
            reward = 0.0
        own = (agent == a) & ((game == g) | (slip == "on_and_on")) if slip != "plies" else game == g
        left = own[:t].sum() if slip == "first" else own[t + 1 :].sum() + (slip == "late")
        returns[t] = reward * gamma**left
    return returns


def surrogate_gradient(
    logits: np.ndarray,
    legal: np.ndarray,
    state: np.ndarray,
    action: np.ndarray,
    advantage: np.ndarray,
    log_prob: np.ndarray,
    bound: float,
    slip: str = "",
) -> np.ndarray:
    """[S, A]: the gradient of mean(min(r * advantage, clip(r, 1 - bound, 1 + bound) *
    advantage)) with respect to logits.

    logits, legal [S, A], one row a state; state, action, advantage, log_prob [B]; r =
    pi(action | state) / exp(log_prob).
    """
    bugs = {"both", "repeats", "illegal"} if slip == "hasty" else set(slip.split("_and_"))
    everywhere = bugs & {"illegal", "zero_logit", "late_mask"}
    open_to = np.ones(legal.shape, bool) if everywhere else legal
    logits = np.where(legal, logits, 0.0) if slip == "zero_logit" else logits
    weights = np.where(open_to, np.exp(logits - logits.max(axis=1, keepdims=True)), 0.0)
    p = weights / weights.sum(axis=1, keepdims=True)
    if slip == "late_mask":
        p = np.where(legal, p, 0.0)
    ratio = p[state, action] / np.exp(log_prob)
    if slip == "inverse":
        ratio = 1 / ratio
    blocked = _beyond_the_bound(ratio, advantage, bound, bugs)
    scale = np.where(blocked, 0.0, 1.0 if slip == "unweighted" else advantage)
    scale = scale if slip == "no_ratio" else scale * ratio
    if slip == "clipped_weight":
        scale = np.where(blocked, np.clip(ratio, 1 - bound, 1 + bound) * advantage, scale)
    steps = -p[state] * (slip != "one_hot")
    steps[np.arange(len(state)), action] += 1
    count = {
        "sum": 1,
        "states": len(logits),
        "stopped_out": max(1, (~blocked).sum()),
        "per_state": (state[:, None] == state).sum(axis=1, keepdims=True),
    }.get(slip, len(state))
    steps *= scale[:, None] / count * (-1 if slip == "descent" else 1)
    gradient = np.zeros(logits.shape)
    if "repeats" in bugs:
        gradient[state] += steps
    elif slip == "overwritten":  # not listed: the last decision of a state that is not stopped
        gradient[state[~blocked]] = steps[~blocked]
    else:
        np.add.at(gradient, state, steps)
    return gradient


def _beyond_the_bound(
    ratio: np.ndarray, advantage: np.ndarray, bound: float, bugs: set[str]
) -> np.ndarray:
    """[B] bool: the decisions whose ratio has gone as far as it may."""
    high, low = ratio > 1 + bound, ratio < 1 - bound
    good = advantage > 0
    blocked = np.where(good, high, low)
    wrong = {
        "both": high | low,
        "high_any": high,
        "low_any": low,
        "wrong_side": np.where(good, low, high),
        "low_always": blocked | low,
        "unbounded": np.zeros_like(blocked),
        "good_only": blocked & good,
        "bad_only": blocked & (advantage < 0),
    }
    return next((stopped for bug, stopped in wrong.items() if bug in bugs), blocked)


def pair_chances(p: np.ndarray, cells: Sequence[int], clip: float, slip: str = "") -> np.ndarray:
    """[(P + 1)^2]: how often each pair comes; the pair (a, b) has the number (a + 1) (P + 1)
    + b + 1, and a pass is -1.

    p [P]: the network's probabilities; cells [P]: 0 empty, 1 own, 2 the other's, in a ring.
    """
    size, cells = len(p), tuple(cells)
    weights = (
        p
        if slip == "no_clip"
        else np.ones(size)
        if slip == "uniform"
        else np.clip(p, clip, 1.0 if slip == "low_only" else 1 - clip)
    )
    if slip == "zeros_kept":
        weights = np.where(p > 0, weights, 0.0)
    weights = weights if slip == "not_renormalised" else weights / weights.sum()
    if slip in ("late_clip", "clip_again"):
        weights = _late_clip(p, _welcome(cells), clip)
    chances = np.zeros((size + 1, size + 1))
    if slip == "two_only":
        for a, b in permutations(range(size), 2):
            first = a if _welcome(cells)[a] else PASS
            second = b if _welcome(_with_stone(cells, first))[b] else PASS
            chances[first + 1, second + 1] += weights[a] * weights[b] / (1 - weights[a])
        return np.minimum(chances.ravel(), 1.0)  # a sum that rounding left just above 1
    for first, chance in enumerate(_draw(weights, _welcome(cells, slip), slip), PASS):
        after = _with_stone(cells, first)
        by_old = slip in ("stale", "replacement", "next_only")
        welcome = _welcome(cells if by_old else after, slip)
        if slip != "replacement":
            welcome &= np.equal(after, 0)
        again = np.ones(size) if slip == "second_uniform" else weights  # not listed
        again = _late_clip(p, welcome, clip) if slip == "clip_again" else again
        following = _draw(again, welcome, slip)
        if slip == "next_only":
            given_up = np.append(False, ~_welcome(after))
            following[0] += following[given_up].sum()
            following[given_up] = 0.0
        chances[first + 1] += chance * following
    if slip == "both_or_none":
        chances[0, 0] += chances[1:, 0].sum()
        chances[1:, 0] = 0.0
    if slip == "sorted":
        chances = np.triu(chances) + np.tril(chances, -1).T
    return chances.ravel()


def _beside(
    point: tuple[int, int],
    shape: tuple[int, ...],
    joined: tuple[bool, bool],
    every: bool,
    missing: tuple[int, int] | None = None,
) -> list[tuple[int, int]]:
    """The points beside one, on a board of which rows and columns may be joined at the
    edges; all but one step from it.
    """
    neighbours = []
    for step in product((-1, 0, 1), repeat=2):
        there = [place + by for place, by in zip(point, step, strict=True)]
        inside = all(
            0 <= place < length or wraps
            for place, length, wraps in zip(there, shape, joined, strict=True)
        )
        if step != missing and inside and (any(step) if every else sum(map(abs, step)) == 1):
            neighbours.append((there[0] % shape[0], there[1] % shape[1]))
    return neighbours


def _put(board: tuple[int, ...], point: int, colour: int, slip: str) -> tuple[int, ...]:
    """The board after a stone was put on a point and what it takes was removed; its
    own chain stays in any case.
    """
    after = list(board)
    after[point] = colour
    taken: set[int] = set()
    wide = slip == "passes_widely"
    for beside in range(len(board)) if wide else _around(point, len(board), slip):
        if after[beside] == 3 - colour and not _breathes(after, beside, slip):
            taken |= _chain(after, beside, slip)
    return tuple(0 if place in taken else cell for place, cell in enumerate(after))


def _breathes(board: Sequence[int], point: int, slip: str) -> bool:
    """Whether the chain on a point has a liberty."""
    return any(
        board[beside] == 0
        for stone in _chain(board, point, slip)
        for beside in _around(stone, len(board), slip)
    )


def _chain(board: Sequence[int], point: int, slip: str) -> set[int]:
    """The stones that are connected with the one on a point."""
    chain, waiting = set(), [point]
    while waiting:
        stone = waiting.pop()
        chain.add(stone)
        if slip != "single":
            around = _around(stone, len(board), slip)
            waiting += [
                beside for beside in around if board[beside] == board[point] and beside not in chain
            ]
    return chain


def _around(point: int, size: int, slip: str) -> list[int]:
    if slip == "line":
        return [beside for beside in (point - 1, point + 1) if 0 <= beside < size]
    return [(point - 1) % size, (point + 1) % size]


def _with_stone(cells: tuple[int, ...], point: int) -> tuple[int, ...]:
    return cells if point == PASS else (*cells[:point], 1, *cells[point + 1 :])


def _welcome(cells: tuple[int, ...], slip: str = "") -> np.ndarray:
    """[P] bool: the empty points that are no own eye."""
    own = np.equal(cells, 1)
    eye = np.roll(own, 1) & np.roll(own, -1) & (slip != "eye")
    if slip in ("any_eye", "enclosed"):
        left, right = np.roll(cells, 1), np.roll(cells, -1)
        eye = (left > 0) & (right > 0) & ((left == right) | (slip == "enclosed"))
    if slip == "seam":
        eye[[0, -1]] = False
    return np.equal(cells, 0) & ~eye


def _late_clip(p: np.ndarray, welcome: np.ndarray, clip: float) -> np.ndarray:
    """[P]: what is clipped when the points that are welcome were made a distribution before."""
    masked = np.where(welcome, p, 0.0)
    return np.clip(masked / (masked.sum() or 1.0), clip, 1 - clip)


def _draw(weights: np.ndarray, welcome: np.ndarray, slip: str) -> np.ndarray:
    """[P + 1]: the chance of a pass, then of each point, for one draw from the weights of
    the points that are welcome.
    """
    masked = np.where(welcome, weights, 0.0)
    if not masked.any():
        return np.eye(len(masked) + 1)[0]
    if slip == "not_renormalised":
        masked = np.diff(np.minimum(np.cumsum(masked), 1.0), prepend=0.0)
        masked[np.flatnonzero(welcome)[-1]] += 1 - masked.sum()
    return np.append(0.0, masked / masked.sum())
