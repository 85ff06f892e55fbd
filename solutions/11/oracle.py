"""What the tasks of sheet 11 ought to answer, and what each usual slip would answer instead.

Every function has one argument `slip`: "" for the right answer, else the name of a mistake. Only
the grader's side runs this file; while a task is judged its functions are withheld.
"""

import numpy as np


def expected_sarsa(
    q: np.ndarray,
    state: int,
    action: int,
    reward: float,
    following: int,
    over: bool,
    alpha: float,
    gamma: float,
    epsilon: float,
    slip: str = "",
) -> np.ndarray:
    """[S, A]: the table after one step of Expected SARSA (Sutton & Barto 2018, 6.6)."""
    q = np.array(q, float)
    gamma = {"no_gamma": 1.0, "gamma": 0.9}.get(slip, gamma)
    alpha = {"full_step": 1.0, "alpha_swapped": 1 - alpha}.get(slip, alpha)
    alpha = 1.0 if slip == "last_full" and over else alpha
    epsilon = {"q_learning": 0.0, "uniform": 1.0, "swapped": 1 - epsilon}.get(slip, epsilon)
    here = q[state if slip == "own_state" else following]
    mean = here.sum() if slip == "summed" else here.mean()
    if slip == "others":
        mean = np.delete(here, here.argmax()).sum() / max(1, len(here) - 1)
    best = q[state].max() if slip == "own_best" else here.max()
    if slip == "all_best":
        best *= (here == best).sum()
    ahead = (1 - epsilon) * best + epsilon * mean
    if slip == "best_once":
        ahead -= epsilon * best / len(here)
    if over and slip != "end_value":
        ahead = 0.0
    target = ahead if slip == "no_reward" else reward + gamma * ahead
    if slip == "discounted_reward" or (slip == "discounted_sum" and not over):
        target = gamma * (reward + ahead)
    if slip == "no_last" and over:
        target = q[state, action]
    old = 0.0 if slip == "no_difference" else q[state, action]
    q[state, action] += alpha * (target - old)
    return q


def best_within(chances: np.ndarray, rewards: np.ndarray, steps: int, slip: str = "") -> np.ndarray:
    """[steps + 1, S]: row k has the value of each state under best play with k steps left."""
    if slip == "never_ends":
        sums = chances.sum(axis=2, keepdims=True)
        chances = chances / np.where(sums > 0, sums, 1.0)
    elif slip == "from_states":
        chances = chances.transpose(2, 1, 0)
    elif slip == "end_free":
        rewards = rewards * chances.sum(axis=2)
    gamma = {"myopic": 0.0, "gamma": 0.9}.get(slip, 1.0)
    rows = [np.zeros(len(rewards))]
    best = np.zeros(len(rewards), int)
    for left in range(1, steps + 1 + (slip == "shifted")):
        before = rows[-1].copy()
        future = gamma * (chances @ before)
        if slip == "stays":
            future += (1 - chances.sum(axis=2)) * before[:, None]
        q = rewards + future
        if slip == "swept":
            for state in range(len(rewards)):
                before[state] = (rewards[state] + chances[state] @ before).max()
            rows.append(before)
            continue
        if slip == "two_bests":
            rows.append(rewards.max(axis=1) + future.max(axis=1))
            continue
        if slip == "may_stop":
            rows.append(np.maximum(q.max(axis=1), before))
            continue
        if left == 1 or slip != "same_moves":
            best = q.argmax(axis=1)
        rows.append(q.mean(axis=1) if slip == "mean" else q[np.arange(len(q)), best])
    rows = rows[1:] if slip == "shifted" else rows
    return np.array(rows[::-1] if slip == "reversed" else rows)


def gain_of_calling(bets: np.ndarray, pot: float, size: float, slip: str = "") -> np.ndarray:
    """[N]: the chips that a call is expected to win with each card, once the other has bet."""
    count = len(bets)
    gains = np.zeros(count)
    for own in range(count):
        total, reach = 0.0, 0.0
        for other in range(count):
            weight = {
                "unweighted": 1.0,
                "ever": float(bets[other] > 0),
                "not_bet": 1 - bets[other],
            }.get(slip, bets[other])
            if other == own and slip not in ("own_card", "tie_won"):
                reach += weight if slip == "whole_sum" else 0.0
                continue
            wins = other > own if slip == "turned" else own > other
            wins = wins or (slip == "tie_won" and own == other)
            won = {"pot_only": pot, "bet_only": size, "own_chips": pot + 2 * size}.get(
                slip, pot + size
            )
            lost = {"pot_lost": pot + size, "free": 0.0}.get(slip, size)
            total += weight * (won if wins else -lost)
            reach += weight
        reach = {"not_divided": 1.0, "count": count - 1.0}.get(slip, reach)
        gains[own] = total / reach if reach else 0.0
    return np.maximum(gains, 0.0) if slip == "may_fold" else gains


def average_policies(
    payoff: np.ndarray, rounds: int, slip: str = ""
) -> tuple[np.ndarray, np.ndarray]:
    """(row's, column's) average policy of regret matching against itself (Hart & Mas-Colell 2000).

    payoff [R, C]: what the row player wins, and the column player loses.
    """
    theirs = payoff if slip == "same_side" else -payoff
    start = 1.0 if slip == "from_one" else 0.0
    regrets = [np.full(payoff.shape[0], start), np.full(payoff.shape[1], start)]
    sums = [np.zeros(payoff.shape[0]), np.zeros(payoff.shape[1])]

    def matched(regret: np.ndarray) -> np.ndarray:
        positive = np.abs(regret) if slip == "absolute" else np.maximum(regret, 0)
        if positive.sum() == 0:
            return np.full(len(regret), 0.0 if slip == "nothing" else 1 / len(regret))
        if slip == "greedy":
            return np.eye(len(regret))[regret.argmax()]
        return positive / positive.sum()

    row, column = matched(regrets[0]), matched(regrets[1])
    for played in range(1, rounds + 1):
        row, column = matched(regrets[0]), matched(regrets[1])
        worth = [payoff @ column, row @ theirs]
        if slip == "against_mean":
            means = (sums[0] + row) / played, (sums[1] + column) / played
            worth = [payoff @ means[1], means[0] @ theirs]
        if slip == "in_turn":
            regrets[0] = regrets[0] + worth[0] - row @ worth[0]
            worth[1] = matched(regrets[0]) @ theirs
        for k, policy in enumerate((row, column)):
            sums[k] = sums[k] + policy
            if k == 0 and slip == "in_turn":
                continue
            value = {"no_value": 0.0, "plain_mean": worth[k].mean()}.get(slip, policy @ worth[k])
            before = 0.0 if slip == "forgets" else regrets[k]
            regrets[k] = before + worth[k] - value
            if slip == "clipped":
                regrets[k] = np.maximum(regrets[k], 0)
        if slip == "late":
            sums[0] += matched(regrets[0]) - row
            sums[1] += matched(regrets[1]) - column
    if slip == "last":
        return row, column
    if slip == "next":
        return matched(regrets[0]), matched(regrets[1])
    if slip == "sums":
        return sums[0], sums[1]
    return sums[0] / rounds, sums[1] / rounds
