"""What the tasks of sheet 04 ought to answer, and what each usual slip would answer instead.

Every function has one argument `slip`: "" for the right answer, else the name of a mistake. Only
the grader's side runs this file; while a task is judged its functions are withheld.
"""

from collections.abc import Sequence

import numpy as np


def compound_return(
    rewards: np.ndarray, values: np.ndarray, weights: np.ndarray, gamma: float, slip: str = ""
) -> float:
    """The weighted average of the n-step returns of the first state, n = 1 to N
    (Sutton & Barto 2018, sec. 12.1).

    rewards [T], values [T] of the states in which they begin, weights [N] for n = 1 to N; behind
    the last reward is the end.
    """
    gamma = 0.9 if slip == "gamma" else gamma
    if slip in ("past_end", "renormalised"):
        weights = weights[: len(rewards)]
        weights = weights / weights.sum() if slip == "renormalised" else weights
    total = 0.0
    for n, weight in enumerate(weights, 0 if slip == "from_zero" else 1):
        if slip == "last_estimate":
            n = min(n, len(rewards) - 1)
        steps = min(n + (slip == "extra_reward"), len(rewards))
        steps_to = 0.0 if slip == "plain_rewards" else 1.0
        target = sum(gamma ** (steps_to * k + (slip == "late")) * rewards[k] for k in range(steps))
        if n < len(rewards):
            discount = {"undiscounted": 1.0, "short_discount": gamma ** (n - 1)}.get(slip, gamma**n)
            target += discount * values[n - 1 if slip == "off_by_one" else n]
        elif slip in ("end_value", "end_value_ahead"):
            target += gamma ** (steps if slip == "end_value" else n) * values[-1]
        elif slip == "beyond_value" and n > len(rewards):
            target += gamma**steps * values[-1]
        total += weight * target
    return float(total)


def mover_targets(
    values: np.ndarray, player: np.ndarray, result: float, lam: float, gamma: float, slip: str = ""
) -> np.ndarray:
    """[T]: the lambda-return of every position; these and values [T] are for the player
    to move there, player [T].
    """
    gamma = {"gamma": 0.9, "no_gamma": 1.0}.get(slip, gamma)
    lam = 1 - lam if slip == "swapped" else lam
    if slip in ("alternates_first", "first_moves"):
        player = (np.arange(len(player)) + (player[0] if slip == "alternates_first" else 0)) % 2
    last = len(values) - 1
    targets = np.zeros(last + 1)
    targets[last] = result if player[last] == 0 or slip == "result_sign" else -result
    if slip == "late_result":
        targets[last] *= gamma
    if slip == "end_value":
        targets[last] = (1 - lam) * values[last] + lam * targets[last]
    for t in range(last - 1, -1, -1):
        sign = 1.0 if player[t] == player[t + 1] else -1.0
        sign = {"sign": 1.0, "alternates": -1.0}.get(slip, sign)
        value = values[t if slip == "own_value" else t + 1]
        of_value = 1.0 if slip == "half_turned" else sign
        of_target = 1.0 if slip == "half_sign" else sign
        discount = 1.0 if slip == "per_turn" and player[t] == player[t + 1] else gamma
        ahead = (1.0 if slip == "estimate_undiscounted" else discount) * of_value * value
        later = (1.0 if slip == "target_undiscounted" else discount) * of_target * targets[t + 1]
        targets[t] = (1 - lam) * ahead + lam * later
    return np.where(player == 0, targets, -targets) if slip == "one_view" else targets


def trace_history(
    features: np.ndarray, starts: np.ndarray, lam: float, gamma: float, kind: str, slip: str = ""
) -> np.ndarray:
    """[T, F]: the traces right after each step has been counted. features [T, F]
    of 0 and 1, starts [T] bool.
    """
    fade = {"no_fade": 1.0, "only_lam": lam, "only_gamma": gamma}.get(slip, gamma * lam)
    kind = {"accumulates": "accumulating", "replaces": "replacing"}.get(slip, kind)
    starts = np.roll(starts, 1) if slip == "start_ends" else starts
    trace, history = np.zeros(features.shape[1]), []
    for active, start in zip(features, starts, strict=True):
        faded = fade * trace
        if slip == "active_stays":
            faded = np.where(active > 0, trace, faded)
        trace = np.zeros(len(trace)) if start and slip != "not_reset" else faded
        if slip == "late":
            history.append(trace)
        if start and slip == "start_empty":
            active = np.zeros(len(trace))
        if kind == "accumulating":
            trace = trace + active
        else:
            trace = active.astype(float) if slip == "clears" else np.where(active > 0, 1.0, trace)
        if slip != "late":
            history.append(trace)
    if slip == "fades_itself":
        history = [fade * trace for trace in history]
    if slip in ("one_array", "episode_array", "row_fades"):
        for t in range(len(history) - 2, -1, -1):
            if slip == "one_array" or not starts[t + 1]:
                history[t] = fade * history[t] if slip == "row_fades" else history[t + 1]
    return np.array(history)


def learn_throws(
    values: np.ndarray, games: Sequence[Sequence[int]], alpha: float, lam: float, slip: str = ""
) -> np.ndarray:
    """[S]: the expected number of throws from every square after online TD(lambda) with
    accumulating traces on these games.
    """
    values, trace = np.array(values, float), np.zeros(len(values))
    fade = {"no_fade": 1.0, "td_0": 0.0}.get(slip, lam)
    for squares in games:
        own = np.isin(np.arange(len(values)), squares)
        if slip not in ("not_reset", "hasty"):
            trace = trace * {"half_reset": own, "own_reset": ~own}.get(slip, 0)
        for t, square in enumerate(squares):
            over = t + 1 == len(squares)
            if over and slip == "no_last":
                continue
            ahead = values[0 if over else squares[t + 1]]
            if over and slip not in ("home", "hasty"):
                ahead = 0.0
            throw = 0.0 if over and slip == "last_throw" else 1.0
            surprise = throw + ahead - values[square]
            trace = np.zeros(len(values)) if over and slip == "cut_home" else fade * trace
            trace[square] += slip != "late"
            values += alpha * surprise * trace
            trace[square] += slip == "late"
    if slip == "home_changed":
        values[0] = 0.0
    return values


def q_lambda(
    q: np.ndarray,
    states: np.ndarray,
    actions: np.ndarray,
    rewards: np.ndarray,
    alpha: float,
    lam: float,
    gamma: float,
    slip: str = "",
) -> np.ndarray:
    """[S, A]: the table after one episode of Watkins's Q(lambda), online, with
    accumulating traces (Watkins 1989).
    """
    given = before = q
    q, trace = np.array(q, float), np.zeros(q.shape)
    fade = {"no_fade": 1.0, "only_lam": lam, "only_gamma": gamma}.get(slip, gamma * lam)
    for t, (s, a, r) in enumerate(zip(states, actions, rewards, strict=True)):
        asked = {"stale_table": given, "offline": given, "early_table": before}.get(slip, q)
        explores = a != q[s].argmax() if slip == "tie" else asked[s, a] < asked[s].max()
        before = q.copy()
        trace = (
            np.zeros(q.shape)
            if (explores and slip not in ("never_cut", "cut_late", "cut_itself"))
            or slip == "always_cut"
            else fade * trace
        )
        trace[s, a] = 1.0 if slip == "replaces" else trace[s, a] + 1.0
        if explores and slip == "cut_itself":
            trace[:] = 0.0
        read = given if slip in ("offline", "stale_ahead") else q
        if t + 1 < len(states):
            following = states[t + 1]
            ahead = q[following, actions[t + 1]] if slip == "sarsa" else read[following].max()
        else:
            ahead = q[s].max() if slip == "end_value" else 0.0
        moved = trace
        if slip == "one_entry":
            moved = np.zeros(q.shape)
            moved[s, a] = trace[s, a]
        ahead *= 1.0 if slip == "no_gamma" else gamma
        own = given[s, a] if slip == "offline" else q[s, a]
        q += alpha * (r + ahead - own) * moved
        if explores and slip == "cut_late":
            trace[:] = 0.0
    return q
