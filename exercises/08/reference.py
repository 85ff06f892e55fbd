"""The reference of sheet 08 on which another task builds; students can read it.

While a task is judged it is withheld.
"""

from collections.abc import Sequence

import numpy as np

from rlcourse.checks.judging import NARROW, Narrow, best


def rollout_values(
    takes: Sequence[int], heap: int, slip: str = ""
) -> tuple[np.ndarray, np.ndarray]:
    """(means [H + 1], misled): what endless random rollouts say of every heap, for its
    mover, and where this misleads.

    A move takes one of `takes` stones; who cannot move has lost. misled: heaps from 0 to `heap`
    with a winning move in which the move with the best mean loses.
    """
    end = 1.0 if slip == "end" else -1.0
    means, wins = np.full(heap + 1, end), np.full(heap + 1, end > 0)
    for h in range(heap + 1):
        left = [h - take for take in takes if take < h + (slip != "strict")]
        if not left:
            means[h] = {"stuck": 0.0, "stuck_won": 1.0}.get(slip, end) if h else end
            wins[h] |= slip == "stuck_won" and h > 0
            continue
        after = [means[k] if slip == "sign" else -means[k] for k in left]
        means[h] = (
            max(after)
            if slip == "best_play"
            else sum(after) / (len(takes) if slip == "all_takes" else len(left))
        )
        wins[h] = not all(wins[k] for k in left)
    misled = [h for h in range(heap + 1) if _misleads(takes, h, means, wins, slip)]
    return means, np.array(misled, int)


def _misleads(takes: Sequence[int], h: int, means: np.ndarray, wins: np.ndarray, slip: str) -> bool:
    left = [h - take for take in takes if take < h + (slip != "strict")]
    if not left:
        return False
    if slip == "by_sign":
        if abs(means[h]) < NARROW and (means[h] or h > 2 * takes[-1]):
            raise Narrow(f"a mean of {means[h]}")
        return bool(wins[h] and means[h] < 0)
    sign = -1.0 if slip in ("worst", "sign") else 1.0
    # Moves that win are all alike, and so are those that lose; of what other slips than "worst"
    # say, equal numbers make fair ties.
    alike = [bool(wins[k]) if slip in ("", "worst") else means[k] for k in left]
    chosen = left[best([-sign * means[k] for k in left], alike)]
    if slip == "first_win":
        return bool(wins[h] and chosen != next(k for k in left if not wins[k]))
    return bool(wins[chosen] and (wins[h] or slip == "lost_too"))
