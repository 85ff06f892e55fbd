"""The reference of sheet 07 on which another task builds; students can read it.

While a task is judged it is withheld.
"""

import numpy as np


def exact_advantages(
    leads: np.ndarray, reward: np.ndarray, policy: np.ndarray, slip: str = ""
) -> tuple[np.ndarray, np.ndarray]:
    """(values [S], advantages [S, A]), for the player to move, when both players draw
    their moves from the policy.

    leads [S, A]: the position after a move, which has a higher number and in which the other
    moves; -1: the game is over and has brought the mover reward [S, A]. policy [S, A]: 0
    where a move is not allowed.
    """
    values, worth = np.zeros(len(leads)), np.zeros(leads.shape, int if slip == "whole" else float)
    allowed = policy > 0
    for s in range(len(leads) - 1, -1, -1):
        following = np.zeros(len(leads[s])) if slip == "one_step" else values[leads[s]]
        at_end = -reward[s] if slip == "end_sign" else reward[s]
        over = reward[s] != 0 if slip == "draw_goes_on" else leads[s] < 0
        worth[s] = np.where(over, at_end, following if slip == "view" else -following)
        chances = allowed[s] / allowed[s].sum() if slip == "uniform" else policy[s]
        values[s] = worth[s][allowed[s]].max() if slip == "best" else chances @ worth[s]
    bases = {"no_baseline": np.zeros_like(values), "wrong_player": -values}
    base = bases.get(slip, values)[:, None]
    advantages = base - worth if slip == "sign" else worth - base
    if slip == "unmasked":
        return values, advantages
    if slip == "unmasked_reward":
        return values, np.where(allowed, advantages, reward - values[:, None])
    if slip == "illegal":
        return values, np.where(allowed, advantages, -values[:, None])
    return values, np.where(allowed, advantages * (policy if slip == "weighted" else 1.0), 0.0)
