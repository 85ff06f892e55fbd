"""What the tasks of sheet 07 ought to answer, and what each usual slip would answer instead.

Every function has one argument `slip`: "" for the right answer, else the name of a mistake. Only
the grader's side runs this file; while a task is judged its functions are withheld.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np


def points_advantages(
    outputs: np.ndarray, player: np.ndarray, result: int, points: Sequence[float], slip: str = ""
) -> np.ndarray:
    """[T]: the points that the mover of each position earned, less those that
    the critic expected for that player.

    outputs [T, 3]: win, draw, loss for the player to move; player [T] of 0 and 1; result: +1, 0,
    -1, the first player's; points: for a win, a draw and a loss.
    """
    table = np.array((3, 1, 0) if slip == "fixed" else points, float)
    if slip == "draw":
        table[1] = 0.0
    paid = table[[0, 2, 2]] if slip == "draw_got" else table
    counted = table * (1, 0, 1) if slip == "draw_expected" else table
    seat = np.arange(len(outputs)) % 2 if slip == "alternates" else np.asarray(player)
    result = -result if slip == "second_result" else result
    first = 1 - result  # the place of the first player's result in `points`
    earned = np.where((seat == 0) | (slip == "one_return"), paid[first], paid[2 - first])
    if slip == "zero_sum":
        earned = np.where(seat == 0, table[first], -table[first])
    if slip == "place":
        earned = np.where(seat == 0, paid[result], paid[-result])
    turned = np.full(len(seat), slip == "wrong_player") | ((seat == 1) & (slip == "first_view"))
    value = np.where(turned[:, None], outputs[:, ::-1], outputs) @ counted
    if slip == "next_value":
        value = np.append(value[1:], 0.0)
    advantage = value - earned if slip == "sign" else earned - value
    return advantage - advantage.mean() if slip == "centred" else advantage


def batch_weights(
    advantages: Sequence[np.ndarray], options: Sequence[np.ndarray], floor: float, slip: str = ""
) -> list[np.ndarray]:
    """The weight of each decision, a list of [T] as `advantages`: 0 where options is 1, else
    normalised over the whole batch.

    The divisor is the standard deviation, at least `floor`.
    """
    free = [np.asarray(row) > 1 for row in options]
    everything = [np.ones(len(row), bool) for row in free]
    counted = everything if slip in ("counted", "forced") else free
    weighted = everything if slip in ("weighted", "forced") else free
    games = [np.asarray(row, float)[mask] for row, mask in zip(advantages, counted, strict=True)]
    if slip == "all_zero" and np.concatenate(games).std() < floor:
        return [np.zeros(len(row)) for row in free]
    if slip == "per_game":
        scales = [_scale(game, floor, slip) for game in games]
    elif slip == "game_means":
        middle, spread = (
            np.mean([game.mean() for game in games]),
            np.mean([game.std() for game in games]),
        )
        scales = [(middle, max(spread, floor))] * len(games)
    else:
        if slip == "zeros":
            games = [np.where(mask, row, 0.0) for row, mask in zip(advantages, free, strict=True)]
        middle, spread = _scale(np.concatenate(games), floor, slip)
        means = [game.mean() if len(game) else 0.0 for game in games]
        if slip == "mean_of_means":
            middle = np.mean([game.mean() for game in games if len(game)] or [0.0])
        scales = [(mean if slip == "own_means" else middle, spread) for mean in means]
    rows = zip(advantages, scales, weighted, strict=True)
    return [
        np.where(mask, (np.asarray(row, float) - middle) / spread, 0.0)
        for row, (middle, spread), mask in rows
    ]


def two_headed_gradient(
    x: np.ndarray,
    body: np.ndarray,
    actor: np.ndarray,
    critic: np.ndarray,
    action: np.ndarray,
    returns: np.ndarray,
    weights: Sequence[float],
    slip: str = "",
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The gradients with respect to body [F, H], actor [H, A] and critic [H] of the mean over the
    rows of weights[0] * (-advantage * log pi(action)) + weights[1] * (value - return)^2, the
    advantage being a constant.

    x [B, F]; hidden = x @ body; pi = softmax(hidden @ actor); value = tanh(hidden @
    critic); action, returns [B].
    """
    actor_weight, critic_weight = {"weights": (1.0, 1.0), "swapped": (weights[1], weights[0])}.get(
        slip, weights
    )
    rows = np.arange(len(x))
    hidden = x @ body
    odds = np.exp(hidden @ actor)
    pi = odds / odds.sum(axis=1, keepdims=True)
    value = np.tanh(hidden @ critic)
    advantage = value - returns if slip == "sign" else returns - value
    scale = {"unweighted": np.ones(len(x)), "no_baseline": returns}.get(slip, advantage)
    logits = np.zeros(pi.shape) if slip == "one_hot" else pi.copy()  # so far: of -log pi
    logits[rows, action] -= 1
    logits *= actor_weight * scale[:, None]
    target = advantage if slip == "advantage_target" else returns
    output = critic_weight * (1 if slip == "half" else 2) * (value - target)
    if slip == "through":
        output = output + actor_weight * np.log(pi[rows, action])
    output = output * (1 if slip == "slope" else 1 - value**2)
    logits /= 1 if slip in ("sum", "actor_sum") else len(x)
    output /= 1 if slip in ("sum", "critic_sum") else len(x)
    from_actor, from_critic = logits @ actor.T, np.outer(output, critic)
    if slip == "weights_body":
        logits, output = logits / actor_weight, output / critic_weight
    elif slip == "weights_heads":
        from_actor, from_critic = from_actor / actor_weight, from_critic / critic_weight
    both = from_actor * (slip != "critic_only") + from_critic * (slip != "one_head")
    return x.T @ both, hidden.T @ logits, hidden.T @ output


def recorder(
    policy: np.ndarray, values: np.ndarray, script: Sequence[tuple[str, tuple]], slip: str = ""
) -> list[Any]:
    """What a script of calls shows of a Recorder: the moves of `select_move`, its `rows` as
    arrays [N, 4], None elsewhere.
    """
    tried, seen = _Recorder(policy, values, slip), []
    for name, args in script:
        if name == "rows":
            seen.append(np.array(tried.rows, float).reshape(-1, 4))
        else:
            seen.append(getattr(tried, name)(*args))
    return seen


def _scale(numbers: np.ndarray, floor: float, slip: str) -> tuple[float, float]:
    """(what is taken off, the divisor) of these advantages."""
    spread = numbers.std(ddof=1 if slip == "sample" else 0)
    if slip == "variance":
        spread = numbers.var()
    divisor = {
        "no_spread": 1.0,
        "added": spread + floor,
        "no_floor": spread,
        "undivided": spread if spread >= floor else 1.0,
    }.get(slip, max(spread, floor))
    return 0.0 if slip == "no_centre" else numbers.mean(), divisor


class _Recorder:
    """The Recorder of the sheet, with the bugs and slips by name."""

    def __init__(self, policy: np.ndarray, values: np.ndarray, slip: str) -> None:
        self.policy, self.values, self.slip = policy, np.array(values, float), slip
        self.bugs = (
            {"unreturned", "leftover", "next_value"}
            if slip == "hasty"
            else set(slip.split("_and_"))
        )
        self.recording = False
        self.steps: list[tuple[int, int, float]] = []
        self.rows: list[tuple[int, int, float, float]] = []

    def begin_episode(self) -> None:
        """A new game: nothing of an earlier one is left."""
        self.recording = True
        if self.slip == "begun_anew":
            self.rows = []
        if not self.bugs & {"leftover", "abandoned"}:
            self.steps = []

    def select_move(self, state: int, u: float) -> int | None:
        """The move for the random number u, recorded while a game is on."""
        bounds = np.cumsum(self.policy[state])
        move = int(np.argmax(bounds >= u if self.slip == "on_bound" else bounds > u))
        if self.slip == "greedy":
            move = int(np.argmax(self.policy[state]))
        if self.recording:
            self.steps.append((state, move, self.values[state]))
            if "unreturned" in self.bugs:
                return None
        return move

    def set_value(self, state: int, value: float) -> None:
        """The critic has learnt."""
        self.values[state] = value

    def complete_episode(self, reward: float) -> None:
        """The game is over: one row for each of its moves."""
        expected = [
            self.values[state] if self.slip == "late_critic" else value
            for state, _, value in self.steps
        ]
        if "next_value" in self.bugs:
            expected = [*expected, 0.0][1:]
        rows = []
        for (state, move, _), value in zip(self.steps, expected, strict=True):
            rows.append(
                (state, move, reward, value - reward if self.slip == "sign" else reward - value)
            )
        self.rows = rows if self.slip == "last_only" else self.rows + rows
        self.recording = False
        if "leftover" not in self.bugs:
            self.steps = []
