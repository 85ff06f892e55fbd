"""What the tasks of sheet 03 ought to answer, and what each usual slip would answer instead.

Every function has one argument `slip`: "" for the right answer, else the name of a mistake. Only
the grader's side runs this file; while a task is judged its functions are withheld.
"""

from collections.abc import Mapping

import numpy as np


def best_columns(
    q: np.ndarray, q_mirrored: np.ndarray, boards: np.ndarray, slip: str = ""
) -> np.ndarray:
    """[B]: the best column for the player to move, by the mean of what a network says of a
    board and of its mirror image.

    q, q_mirrored [B, 7] from the first player's point of view; boards [B, 6, 7] of 0, 1, 2, the top
    row first.
    """
    turned = q_mirrored if slip == "unturned" else q_mirrored[:, ::-1]
    if slip == "one_view":
        turned = q
    elif slip == "rows_turned":
        turned = q_mirrored[::-1]
    elif slip == "mirror_sign":
        turned = -turned
    stones = boards if slip == "cells" else boards != 0
    sign = 1.0 - 2.0 * (stones.sum(axis=(1, 2)) % 2)
    if slip == "player":
        sign = -sign
    elif slip == "sign":
        sign = np.ones(len(boards))
    elif slip == "one_parity":
        sign = np.full(len(boards), 1.0 - 2.0 * ((boards != 0).sum() % 2))
    elif slip == "first_board":
        sign = np.full(len(boards), sign[0])
    value = np.maximum(q, turned) if slip == "maximum" else (q + turned) / 2
    if slip == "board_turned":
        value = value[:, ::-1]
    mine = sign[:, None] * value
    legal = boards[:, -1 if slip == "bottom" else 0] == 0
    if slip == "mask_turned":
        legal = legal[:, ::-1]
    if slip == "mask":
        return mine.argmax(axis=1)
    if slip == "mask_first":
        return (sign[:, None] * np.where(legal, value, -np.inf)).argmax(axis=1)
    best = (mine * legal if slip == "zero" else np.where(legal, mine, -np.inf)).argmax(axis=1)
    if slip == "short_list":
        return np.array([legal[row, :column].sum() for row, column in enumerate(best)])
    return best


def double_targets(
    reward: np.ndarray,
    done: np.ndarray,
    boards: np.ndarray,
    q_online: np.ndarray,
    q_target: np.ndarray,
    gamma: float,
    slip: str = "",
) -> np.ndarray:
    """[B]: targets of double Q-learning (van Hasselt et al. 2016) in Connect Four, all in the
    view of the player to move.

    reward [B] of who moved, done [B] bool; boards [B, 6, 7], q_online and
    q_target [B, 7] after the move.
    """
    gamma = 0.9 if slip == "gamma" else gamma
    legal = boards[:, -1 if slip == "bottom" else 0] == 0
    if slip == "swapped":
        q_online, q_target = q_target, q_online
    asked = {"single": q_target, "opponent_minimises": -q_online}.get(slip, q_online)
    valued = {"online": q_online, "smaller": np.minimum(q_online, q_target)}.get(slip, q_target)
    if slip == "zero":
        asked = asked * legal
    elif slip != "mask":
        asked = np.where(legal, asked, -np.inf)
    chosen = asked.argmax(axis=1)
    if slip == "short_list":
        chosen = np.array([legal[row, :column].sum() for row, column in enumerate(chosen)])
    future = gamma * valued[np.arange(len(reward)), chosen]
    if slip != "sign":
        future = -future
    if slip == "way_reward":
        reward = np.where(done, reward, 0.0)
    elif slip == "gamma_reward":
        reward = np.where(done, reward, gamma * reward)
    if slip == "lost_reward":
        return np.where(done, 0.0, reward + future)
    done = reward != 0 if slip == "rewarded" else done
    return reward + (future if slip == "bootstrap" else np.where(done, 0.0, future))


def memory_chances(capacity: int, priorities: np.ndarray, slip: str = "") -> np.ndarray:
    """[T]: how often each transition is drawn from a memory of `capacity` after T
    additions of these priorities [T].
    """
    total = len(priorities)
    memory = np.arange(max(0, total - capacity), total)
    weights = np.asarray(priorities, float)
    if slip == "no_limit":
        memory = np.arange(total)
    elif slip == "one_more":
        memory = np.arange(max(0, total - capacity - 1), total)
    elif slip == "never_leaves":
        memory = memory if total <= capacity else np.arange(capacity)
    elif slip == "newest_leaves":
        memory = np.array([*range(min(total, capacity) - 1), total - 1])
    elif slip in ("least_leaves", "least_of_all"):
        memory = _least_leaves(capacity, weights, slip)
    elif slip == "stale":
        weights = weights[np.arange(total) % capacity]
    elif slip == "uniform":
        weights = np.ones(total)
    elif slip == "power":
        weights = weights**0.6
    elif slip == "softmax":
        weights = np.exp(weights - weights[memory].max())
    elif slip == "newest":
        memory = memory[-1:]
    elif slip == "greedy":
        memory = memory[[weights[memory].argmax()]]
    chances = np.zeros(total)
    chances[memory - memory[0] if slip == "torn" else memory] = weights[memory]
    return chances / chances.sum()


def learn(
    weights: np.ndarray,
    batches: Mapping[str, np.ndarray],
    every: int,
    rate: float,
    gamma: float,
    slip: str = "",
) -> np.ndarray:
    """The weights [F, A] of a linear network after K gradient steps with a target copy, taken
    before step 0 and again before every `every`-th step. batches: x, x_next [K, B, F]; action,
    reward, done [K, B]. One player."""
    gamma = 0.9 if slip == "gamma" else gamma
    now, target = weights.astype(float), weights.astype(float)
    for step, (x, action, reward, done, x_next) in enumerate(
        zip(*(batches[name] for name in ("x", "action", "reward", "done", "x_next")), strict=True)
    ):
        before = now.copy()
        due = step == 0 or (step + 1) % every == 0 if slip == "early" else step % every == 0
        if slip == "aliased" or (slip not in ("never", "late") and due):
            target = before
        ahead = x_next @ target
        future = gamma * ahead.max(axis=1)
        chooser = {"double": (x_next @ before).argmax(axis=1), "same_action": action}.get(slip)
        if chooser is not None:
            future = gamma * ahead[np.arange(len(x)), chooser]
        wanted = reward + (future if slip == "bootstrap" else np.where(done, 0.0, future))
        error = (x @ before)[np.arange(len(x)), action] - wanted
        error = 2 * error if slip == "twice" else error
        chosen = np.eye(weights.shape[1])[action] * error[:, None]
        now = before - rate * x.T @ chosen / (1 if slip == "sum" else len(x))
        if slip in ("one_go", "row_by_row"):
            now = before.copy()
            for row, (features, a) in enumerate(zip(x, action, strict=True)):
                start, late = (
                    (before, error[row])
                    if slip == "one_go"
                    else (now, features @ now[:, a] - wanted[row])
                )
                now[:, a] = start[:, a] - rate * late * features / len(x)
        if slip == "late" and step % every == 0:
            target = now.copy()
    return now


def _least_leaves(capacity: int, priorities: np.ndarray, slip: str) -> np.ndarray:
    """What is kept, where the least one makes room before the newest comes, or after it."""
    memory: list[int] = []
    for number in range(len(priorities)):
        others = [*memory, number] if slip == "least_of_all" else memory
        if len(memory) == capacity:
            least = min(others, key=lambda one: priorities[one])
            memory = [one for one in memory if one != least]
            if least == number:
                continue
        memory.append(number)
    return np.array(memory)
