"""What the tasks of sheet 01 ought to answer, and what each usual slip would answer instead.

Every function has one argument `slip`: "" for the right answer, else the name of a mistake. Only
the grader's side runs this file; while a task is judged its functions are withheld.
"""

from itertools import product

import numpy as np


def boltzmann(
    q: np.ndarray, legal: np.ndarray, player: int, temperature: float, slip: str = ""
) -> np.ndarray:
    """[A]: exp(value / temperature) over the legal moves, with sum 1. q [A] for
    the first player.
    """
    turned = {"sign": False, "other_player": player == 0}.get(slip, player == 1)
    values = -q if turned else q
    scale = {"inverted": 1 / temperature, "temperature": 1.0}.get(slip, temperature)
    if slip == "zero":
        values = np.where(legal, values, 0.0)
    elif slip not in ("mask", "late_mask"):
        values = np.where(legal, values, -np.inf)
    weights = np.exp((values - values.max()) / scale)
    if slip == "clipped":
        weights = np.where(legal, np.exp(np.clip(values / scale, -700, 700)), 0.0)
    if slip == "cold_best" and temperature < 0.01:
        weights = np.where(np.arange(len(q)) == values.argmax(), 1.0, 0.0)
    p = weights / weights.sum()
    return np.where(legal, p, 0.0) if slip == "late_mask" else p


def clip_legal(p: np.ndarray, legal: np.ndarray, floor: float, slip: str = "") -> np.ndarray:
    """[B, A]: the legal part of each row of p, clipped to [floor, 1 - floor] and divided
    by its sum; 0 where illegal.
    """
    floor = 1e-5 if slip == "floor" else floor
    masked = np.where(legal, p, 0.0)
    if slip == "all_share":
        legal = legal | (masked.sum(axis=1, keepdims=True) == 0)
    masked = np.where(masked.sum(axis=1, keepdims=True) > 0, masked, legal)
    if slip != "mask_late":
        masked = masked / masked.sum(axis=1, keepdims=True)
    low = 0.0 if slip in ("above_only", "as_given") else floor
    high = 1.0 if slip == "below_only" else 1 - floor
    clipped = np.clip(masked, low, high)
    if slip == "zeros_only":
        clipped = np.where(masked == 0, floor, np.minimum(masked, high))
    if slip not in ("illegal_too", "mask_last"):
        clipped = np.where(legal, clipped, 0.0)
    if slip == "not_renormalised":
        return clipped
    if slip == "exact_floor":
        lifted = legal & (masked < floor)
        rest = np.where(lifted, 0.0, masked)
        left = 1 - floor * lifted.sum(axis=1, keepdims=True)
        return np.where(
            lifted, floor, rest * left / np.maximum(1e-12, rest.sum(axis=1, keepdims=True))
        )
    whole = slip in ("whole_batch", "as_given")
    p = clipped / (clipped.sum() if whole else clipped.sum(axis=1, keepdims=True))
    if slip == "clipped_again":
        return np.where(legal, np.clip(p, floor, 1 - floor), 0.0)
    return np.where(legal, p, 0.0) if slip == "mask_last" else p


def draft_chances(weights: np.ndarray, k: int, slip: str = "") -> np.ndarray:
    """[A ** k]: how often each ordered list of k names is drawn; list (a, b, c) has
    the number (a A + b) A + c.
    """
    size, p = len(weights), weights / weights.sum()
    chances = np.zeros(size**k)
    for number, names in enumerate(product(range(size), repeat=k)):
        one = slip == "one_ticket"
        chances[number] = _one_ticket(weights, names) if one else _chance(p, names, slip)
    if slip == "all_again":
        return chances / chances.sum()
    if slip == "sorted":
        by_names = chances.reshape((size,) * k)
        moved = np.zeros_like(by_names)
        for names in product(range(size), repeat=k):
            moved[tuple(sorted(names))] += by_names[names]
        return moved.ravel()
    return chances


def _one_ticket(tickets: np.ndarray, names: tuple[int, ...]) -> float:
    """The chance of an order if only the ticket that was drawn leaves the urn."""
    chance, left = 1.0, tickets.astype(float)
    for name in names:
        if left.sum() == 0:
            return 0.0
        chance *= left[name] / left.sum()
        left[name] = max(0.0, left[name] - 1)
    return float(chance)


def box_returns(mover: np.ndarray, boxes: np.ndarray, gamma: float, slip: str = "") -> np.ndarray:
    """[T]: the boxes from each move on, discounted a ply, those of the mover positive
    and the opponent's negative.
    """
    gamma = 0.9 if slip == "gamma" else gamma
    t, u = np.arange(len(mover))[:, None], np.arange(len(mover))[None, :]
    sign = np.where(mover[:, None] == mover[None, :], 1.0, -1.0)
    if slip == "one_account":
        sign = np.where(mover[None, :] == 0, 1.0, -1.0)
    elif slip == "wrong_player":
        sign = -sign
    elif slip == "alternates":
        sign = np.where((u - t) % 2 == 0, 1.0, -1.0)
    elif slip == "own_only":
        sign = np.where(sign > 0, 1.0, 0.0)
    elif slip == "no_sign":
        sign = np.ones_like(sign)
    elif slip == "before":
        before = np.concatenate([mover[:1], mover[:-1]])
        sign = np.where(before[:, None] == before[None, :], 1.0, -1.0)
    elif slip == "next_boxes":
        turned = np.cumsum(boxes == 0)
        sign = np.where((turned[None, :] - turned[:, None]) % 2 == 0, 1.0, -1.0)
    counted = {"late": u > t, "past": u <= t}.get(slip, u >= t)
    turns = np.cumsum(np.concatenate([[0], mover[1:] != mover[:-1]]))
    power = {
        "wrong_end": u,
        "own_discounted": abs(u - t) + 1,
        "no_gamma": 0 * (u - t),
        "per_turn": abs(turns[None, :] - turns[:, None]),
    }.get(slip, abs(u - t))
    returns = (np.where(counted, gamma**power, 0.0) * sign) @ boxes
    return np.trunc(returns) if slip == "whole" else returns


def _chance(p: np.ndarray, names: tuple[int, ...], slip: str) -> float:
    """The chance that `names` are drawn in this order."""
    if slip in ("replacement", "all_again"):
        again = slip == "all_again" and len(set(names)) < len(names)
        return 0.0 if again else float(np.prod(p[list(names)]))
    chance, left = 1.0, p.copy()
    if slip == "uniform":
        left = (p > 0) / (p > 0).sum()
    alive = list(range(len(p)))  # for "shifted": who is still in the list, by place
    for step, name in enumerate(names):
        if slip == "shifted":
            if name >= len(alive):
                return 0.0
            rest = left[alive]
            chance *= rest[name] / rest.sum()
            alive.pop(name)
            continue
        if slip == "not_renormalised":
            chance *= left[name] + (1 - left.sum() if name == len(p) - 1 else 0.0)
        elif slip == "uniform_rest" and step:
            chance *= (left[name] > 0) / (left > 0).sum()
        else:
            chance *= left[name] / left.sum()
        if chance == 0:
            return 0.0
        left[name] = 0.0
    return float(chance)
