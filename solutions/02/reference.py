"""The reference of sheet 02 on which another task builds; students can read it.

While a task is judged it is withheld.
"""

import numpy as np


def nim_update(
    q: np.ndarray, heap: int, take: int, alpha: float, gamma: float, slip: str = ""
) -> float:
    """The new entry q[heap, take - 1] of Q-learning in misere Nim, all values for the
    player to move. q [H + 1, 3].
    """
    gamma = {"gamma": 0.9, "no_gamma": 1.0}.get(slip, gamma)
    rest = heap - take
    seen = heap if slip == "ply" else rest
    legal = 3 if slip == "mask" else min(3, heap if slip == "late_mask" else seen)
    least = slip in ("opponent_minimises", "least")
    best = (q[seen, :legal].min() if least else q[seen, :legal].max()) if seen else 0.0
    if slip == "average" and seen:
        best = q[seen, :legal].mean()
    if slip in ("sign", "least"):
        best = -best
    elif slip == "from_zero":
        best = max(0.0, best)
    elif slip == "steps_swapped":
        alpha = 1 - alpha
    target = -(gamma**2 if slip == "gamma_twice" else gamma) * best
    if rest == 1 and slip in ("foreseen", "foreseen_late"):
        target = gamma if slip == "foreseen_late" else 1.0
    if rest == 0:
        target = {"reward_sign": 1.0, "late_reward": -gamma, "no_reward": 0.0}.get(slip, -1.0)
        if slip == "bootstrap":
            target -= gamma * q[0].max()
    old = q[heap, take - 1]
    if slip == "alpha" or (slip == "end_at_once" and rest == 0):
        return float(target)
    return float(old + alpha * (target if slip == "no_difference" else target - old))
