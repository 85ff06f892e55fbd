"""What the tasks of sheet 09 ought to answer, and what each usual slip would answer instead.

Every function has one argument `slip`: "" for the right answer, else the name of a mistake. Only
the grader's side runs this file; while a task is judged its functions are withheld.
"""

from collections.abc import Sequence
from math import erf, sqrt

import numpy as np

from rlcourse.checks.judging import best


def search_chances(
    visits: np.ndarray, q: np.ndarray, ply: np.ndarray, halving: float, end: int, slip: str = ""
) -> tuple[np.ndarray, np.ndarray]:
    """(targets [R, A], chances [R, A]): what the network learns from each search, and how
    likely each move is played.

    visits, q [R, A], ply [R]. The temperature of play is 2 ** (-ply /
    halving), from ply `end` on 0.
    """
    tau = (
        2.0
        ** (-(np.asarray(ply) // halving if slip == "steps" else np.asarray(ply) / halving))[
            :, None
        ]
    )
    targets = visits / visits.sum(axis=1, keepdims=True)
    if slip == "from_q":
        targets, chances = _boltzmann(q, visits, 1.0), _boltzmann(q, visits, tau)
    elif slip == "softmax":
        chances = _boltzmann(visits, np.ones_like(visits), tau)
    else:
        power = (visits / visits.max(axis=1, keepdims=True)) ** (
            tau if slip == "inverted" else 1 / tau
        )
        chances = power / power.sum(axis=1, keepdims=True)
    judge = np.where(visits > 0, q, -np.inf) if slip in ("from_q", "best_q") else visits
    top = judge == judge.max(axis=1, keepdims=True)
    if slip == "first_tie":
        top = np.arange(visits.shape[1]) == judge.argmax(axis=1)[:, None]
    if slip == "q_tie":
        among = np.where(top, q, -np.inf)
        top = np.arange(visits.shape[1]) == among.argmax(axis=1)[:, None]
    late = np.asarray(ply) > end if slip == "late" else np.asarray(ply) >= end
    if slip != "no_end":
        chances = np.where(late[:, None], top / top.sum(axis=1, keepdims=True), chances)
    return (chances if slip == "learned" else targets), chances


def _boltzmann(scores: np.ndarray, visits: np.ndarray, tau: np.ndarray | float) -> np.ndarray:
    """softmax(scores / tau) of each row, over the moves with visits."""
    scores = np.where(visits > 0, scores, -np.inf)
    weights = np.exp((scores - scores.max(axis=1, keepdims=True)) / tau)
    return weights / weights.sum(axis=1, keepdims=True)


def hex_examples(
    boards: np.ndarray,
    movers: np.ndarray,
    policies: np.ndarray,
    results: np.ndarray,
    slip: str = "",
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(boards [2T, S, S], policies [2T, S * S + 1], z [2T]) for the mover, who joins top and
    bottom; then turned by 180.

    boards [T, S, S]: 0 empty, 1 a stone of player 0 (who joins top and bottom), -1 of player 1
    (left and right). movers [T]; policies [T, S * S + 1], the last for the swap; results [T]: +1
    where player 0 won, -1 where player 1.
    """
    size = boards.shape[1]
    views, plans, z = [], [], []
    for board, mover, policy, result in zip(boards, movers, policies, results, strict=True):
        plan = policy[:-1].reshape(size, size)
        if mover == 1:
            board = board if slip == "colours" else -board
            board = board if slip == "board_view" else board.T
            plan = plan if slip in ("board_view", "policy_view", "policy_alone") else plan.T
        views.append(board)
        plans.append(np.append(plan, policy[-1]))
        z.append(result if mover == 0 or slip == "z_first" else -result)
    for board, plan in zip(views[:], plans[:], strict=True):
        plan, swap = plan[:-1].reshape(size, size), plan[-1]
        turned = plan if slip in ("policy_turn", "policy_alone") else _turn(plan, slip)
        views.append(_turn(board, slip))
        plans.append(np.append(swap, turned) if slip == "swap_moves" else np.append(turned, swap))
    outcomes = np.array([*z, *(-np.array(z) if slip == "z_turn" else z)], float)
    order = np.arange(len(views))
    if slip == "in_pairs":
        order = order.reshape(2, -1).T.ravel()
    return np.array(views)[order], np.array(plans)[order], outcomes[order]


def _turn(square: np.ndarray, slip: str) -> np.ndarray:
    return {"flip": square[::-1], "quarter": np.rot90(square)}.get(slip, square[::-1, ::-1])


def value_targets(
    game: np.ndarray,
    mover: np.ndarray,
    root: np.ndarray,
    result: Sequence[float],
    cut: Sequence[bool],
    share: float,
    slip: str = "",
) -> np.ndarray:
    """[T]: (1 - share) times the outcome and share times the search's value,
    both for the player to move.

    game, mover, root [T]; root for the player to move. result [G] for player 0, cut [G]: the game
    was cut off, its result counts for nothing, and the last root value of the game stands for it.
    """
    root = np.asarray(root, float)
    targets = []
    for t in range(len(game)):
        own = np.flatnonzero(game == game[t])
        sign = 1.0 if mover[t] == 0 else -1.0
        if slip == "parity":
            sign = 1.0 if (t - own[0]) % 2 == 0 else -1.0
        if slip == "rows":
            sign = 1.0 if t % 2 == 0 else -1.0
        sign = {"first": 1.0, "opponent": -sign}.get(slip, sign)
        outcome = sign * result[game[t]]
        if result[game[t]] == 0 and slip in ("draw_loss", "draw_second"):
            outcome = -1.0 if slip == "draw_loss" else -sign
        if cut[game[t]] and slip != "cut_result":
            last = {"last_of_all": len(game) - 1, "first_root": own[0]}.get(slip, own[-1])
            for_first = root[last] if mover[last] == 0 else -root[last]
            outcome = {
                "cut_draw": 0.0,
                "cut_view": root[last],
                "cut_first": sign * root[last],
                "cut_own": root[t],
            }.get(slip, sign * for_first)
        value = -root[t] if slip == "root_view" and mover[t] == 1 else root[t]
        w = {"swapped": 1 - share, "only_z": 0.0}.get(slip, share)
        targets.append((1 - w) * outcome + w * value)
    return np.array(targets)


def gate_chance(
    first: Sequence[float], second: Sequence[float], games: int, percent: int, slip: str = ""
) -> tuple[float, float]:
    """(score needed, chance to reach it) of a candidate in a match with colours in
    turn; a draw is half a point.

    first, second: its chances of a win, a draw and a loss where it moves first,
    and where it moves second.
    """
    if slip == "second_first":
        first, second = second, first
    if slip == "turned":
        second = second[::-1]
    rows = [
        np.array(first if g % 2 == 0 or slip == "one_colour" else second, float)
        for g in range(games)
    ]
    if slip == "mean_colours":
        rows = [np.mean([first, second], axis=0)] * games
    if slip == "draws_out":
        return _without_draws(rows, games, percent)
    worth = {"draws_win": 2, "draws_lose": 0}.get(slip, 1)
    halves = np.ones(1)  # the chance of each score, in half points
    for win, draw, loss in rows:
        one = np.zeros(3)
        one[2], one[0] = win, loss
        one[worth] += draw
        halves = np.convolve(halves, one)
    needed = -(-games * 2 * percent // 100)  # rounded up
    needed += slip in ("strict", "argmax") and games * 2 * percent % 100 == 0
    if slip == "argmax" and needed == len(halves):  # no score exceeds the bound
        needed = 0
    needed += slip == "whole_points" and needed % 2
    chance = halves[needed:].sum()
    if slip == "exactly":
        chance = halves[needed]
    if slip == "fails":
        chance = 1 - chance
    if slip == "normal":
        mean = sum(2 * win + draw for win, draw, _ in rows)
        variance = sum(4 * win + draw - (2 * win + draw) ** 2 for win, draw, _ in rows)
        chance = 0.5 - 0.5 * erf((needed - mean) / sqrt(2 * variance))
    return needed if slip == "half_points" else needed / 2, float(chance)


def _without_draws(rows: list[np.ndarray], games: int, percent: int) -> tuple[float, float]:
    """The slip that counts decided games only: wins are compared with the percentage of
    them; no decided game, no pass.
    """
    table = np.zeros((games + 1, games + 1))  # chance of w wins and l losses
    table[0, 0] = 1.0
    for win, draw, loss in rows:
        new = draw * table
        new[1:] += win * table[:-1]
        new[:, 1:] += loss * table[:, :-1]
        table = new
    w, l = np.indices(table.shape)  # noqa: E741
    passed = (100 * w >= percent * (w + l)) & (w + l > 0)
    return -(-games * 2 * percent // 100) / 2, float(table[passed].sum())


def token_search(
    goes: np.ndarray,
    ends: np.ndarray,
    start: int,
    priors: np.ndarray,
    values: np.ndarray,
    noise: np.ndarray,
    epsilon: float,
    c: float,
    simulations: int,
    *,
    slip: str = "",
) -> tuple[np.ndarray, float]:
    """(pi [A], the root's mean value for its player to move) of PUCT on a game in which two
    players move one token in turn.

    goes [S, A]: the place that each arrow leads to, -1 where there is none. ends [S]: the result of
    a place without arrows, for the player who would move there. priors [S, A], values [S]: the
    network's word. noise [A]: for the root. N is the lesson's: the visits of all arrows of a node,
    and 1 where there is none. Slips that no message names, for choosing cases: last_tie, past_zero
    (arrows to place 0 have no prior), two, more and less (N), part (0.9 for 1 - epsilon), quarter
    (0.25 for epsilon), ones (an arrow that is not there has the prior 1), every (it may be taken,
    to the last place).
    """
    bugs = {"noise", "mask", "q"} if slip == "hasty" else set(slip.split("_and_"))
    epsilon = 0.25 if slip == "quarter" else epsilon
    # Moves so far -> the values backed up, each for the mover there.
    seen: dict[tuple[int, ...], list[float]] = {}

    def node_of(moves: tuple[int, ...], place: int) -> tuple[int, ...]:
        return (place,) if slip == "places" else moves

    first = [node_of((a,), int(goes[start, a])) for a in range(goes.shape[1])]
    for _ in range(simulations):
        moves: tuple[int, ...] = ()
        place = start
        path = [node_of(moves, place)]
        while path[-1] in seen and (goes[place] >= 0).any():
            mixed = slip != "no_noise" and (not moves or "noise" in bugs)
            masked = "mask" not in bugs
            share = epsilon if mixed else None
            p = _token_priors(priors[place], goes[place], noise, share, slip, masked=masked)
            arrows = np.flatnonzero((goes[place] >= 0) | (slip == "every"))
            below = {int(a): node_of((*moves, int(a)), int(goes[place, a])) for a in arrows}
            action = _token_action(path[-1], below, p, seen, c, slip)
            moves, place = (*moves, action), int(goes[place, action])
            path.append(below[action])
        over = not (goes[place] >= 0).any()
        value = float(ends[place]) if over and slip != "asks" else float(values[place])
        value = -1.0 if over and value == 0 and slip == "draw_loss" else value
        value = -value if over and slip == "end_view" else value
        for node in reversed(path):
            seen.setdefault(node, []).append(value)
            value = value if slip == "sign" else -value
    value = sum(seen[path[0]]) / len(seen[path[0]])
    pi = _token_policy(first, goes[start] >= 0, seen, simulations, slip, by_value="q" in bugs)
    return pi, -value if slip == "root_view" else value


def _token_policy(
    first: list[tuple[int, ...]],
    there: np.ndarray,
    seen: dict[tuple[int, ...], list[float]],
    simulations: int,
    slip: str,
    *,
    by_value: bool,
) -> np.ndarray:
    """pi [A] of the root, whose arrows lead to the nodes `first`; there [A]: which it has."""
    counts = np.array([len(seen.get(node, ())) for node in first])
    if by_value:
        q = np.array(
            [-sum(seen[node]) / len(seen[node]) if node in seen else 0.0 for node in first]
        )
        weights = np.where(there, np.exp(q), 0.0)
        return weights / weights.sum()
    if slip == "best_only":
        return np.eye(len(counts))[counts.argmax()]
    return counts / (simulations if slip == "all_simulations" else counts.sum())


def _token_priors(
    prior: np.ndarray,
    goes: np.ndarray,
    noise: np.ndarray,
    epsilon: float | None,
    slip: str,
    *,
    masked: bool,
) -> np.ndarray:
    """[A]: the priors of a place whose arrows lead to goes [A]. epsilon: None for no noise."""
    p = np.array(prior, float)
    if slip == "noise_first" and epsilon is not None:
        p = (1 - epsilon) * p + epsilon * noise
    if masked:
        there = goes >= (slip == "past_zero")
        p = np.where(there, p, 1.0 if slip == "ones" else 0.0)
        p = p / max(p.sum(), 1e-12)
    if slip != "noise_first" and epsilon is not None:
        p = {"added": 1.0, "part": 0.9}.get(slip, 1 - epsilon) * p + epsilon * noise
    return p


def _token_action(
    node: tuple[int, ...],
    below: dict[int, tuple[int, ...]],
    p: np.ndarray,
    seen: dict[tuple[int, ...], list[float]],
    c: float,
    slip: str,
) -> int:
    """The action with the highest Q + U; below: each legal action's node."""
    bounds, past = [], []
    visits = sum(len(seen.get(child, ())) for child in below.values())
    total = {
        "own": len(seen[node]),
        "zero_total": visits,
        "more": len(seen[node]) + 1,
        "two": max(2, visits),
        "less": max(1, visits - 1),
        "places": max(1, len(seen[node]) - 1),
    }.get(slip, max(1, visits))
    for a, child in below.items():
        values = seen.get(child, [])
        q = (sum(values) if slip == "friendly" else -sum(values)) / max(1, len(values))
        factor = {"no_root": float(total), "no_total": 1.0, "c_inside": sqrt(total / c)}.get(
            slip, sqrt(total)
        )
        u = p[a] * factor / (max(1, len(values)) if slip == "plus_one" else 1 + len(values))
        bounds.append(q + c * u)
        past.append((q, u))
    return list(below)[best(bounds, past, last=slip == "last_tie")]
