"""Experience: one row per decision, in columns of equal length.

Point of view: everything belongs to the *player who moved*. `reward` is the return of that
decision, in [-1, 1] for games that are won or lost, otherwise in points.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.errors import BadOrder, BadValue
from rlcourse.games.game import sign_of
from rlcourse.storage import StorageError, load, save

REQUIRED = ("state", "action", "reward", "player", "game", "ply")
WHOLE = ("action", "player", "game", "ply")
FORMAT = 1


def discounted_returns(rewards: np.ndarray, gamma: float = 1.0) -> np.ndarray:
    """[T] float64: the return of each decision of one episode, G_t = r_t + gamma * G_(t+1).

    rewards [T] are one player's; r_t comes between this decision and their next. gamma in [0, 1] is
    the discount per decision. One backward pass, O(T). Sutton & Barto (2018), eq. 3.9; Pumperla &
    Ferguson, ch. 9.
    """
    rewards = np.asarray(rewards, np.float64)
    if rewards.ndim != 1:
        raise BadValue(
            f"rewards have the shape [T], one number a decision of one episode; got {rewards.shape}"
        )
    if not np.isfinite(rewards).all():
        raise BadValue(f"reward {int(np.argmin(np.isfinite(rewards)))} is not a finite number")
    if not 0 <= gamma <= 1:
        raise BadValue(f"gamma lies in [0, 1]; got {gamma!r}")
    returns = np.empty(len(rewards))
    later_return = 0.0
    for t in range(len(rewards) - 1, -1, -1):
        returns[t] = later_return = rewards[t] + gamma * later_return
    return returns


def lambda_returns(
    rewards: np.ndarray,
    next_values: np.ndarray,
    lam: float,
    gamma: float = 1.0,
    ends: np.ndarray | None = None,
) -> np.ndarray:
    """[T, ...] float64: the targets of TD(lambda), the lambda-returns.

    G_t = r_t + gamma * ((1 - lam) * v_(t+1) + lam * G_(t+1)).

    rewards [T, ...]: the rewards between the states t and t + 1. next_values, of the same shape:
    the value of state t + 1, 0 after the end of an episode. ends [T] or [T, B] bool: the last
    recorded steps of episodes, where G is r + gamma * v (default: step T - 1 alone). All numbers
    belong to *the same* side at every step. Further axes are episodes in lock-step, outputs of a
    network, or both. lam 0 looks one step ahead; lam 1 gives `discounted_returns`. Sutton & Barto
    (2018), eq. 12.2, in the recursive form of their exercise 12.1.
    """
    rewards, next_values = np.asarray(rewards, np.float64), np.asarray(next_values, np.float64)
    if rewards.shape != next_values.shape or rewards.ndim == 0:
        shapes = f"{rewards.shape} and {next_values.shape}"
        raise BadValue(f"rewards and next_values have one shape, [T] or [T, ...]; got {shapes}")
    for name, number in (("lam", lam), ("gamma", gamma)):
        if not 0 <= number <= 1:
            raise BadValue(f"{name} lies in [0, 1]; got {number!r}")
    last = np.zeros(rewards.shape[:1], bool) if ends is None else np.array(ends, bool)
    if last.shape != rewards.shape[: last.ndim]:
        raise BadValue(f"ends has the first axes of rewards {rewards.shape}; got {last.shape}")
    last[-1:] = True
    last = last.reshape(last.shape + (1,) * (rewards.ndim - last.ndim))
    returns, later_return = np.empty_like(rewards), np.zeros(rewards.shape[1:])
    for t in range(len(rewards) - 1, -1, -1):
        mixture = (1 - lam) * next_values[t] + lam * later_return
        bootstrap = np.where(last[t], next_values[t], mixture)
        returns[t] = later_return = rewards[t] + gamma * bootstrap
    return returns


def n_step_returns(
    rewards: np.ndarray,
    next_values: np.ndarray,
    n: int,
    gamma: float = 1.0,
    ends: np.ndarray | None = None,
) -> np.ndarray:
    """[T, ...] float64: the n-step returns.

    G_t = r_t + gamma r_(t+1) + ... + gamma^(n-1) r_(t+n-1) + gamma^n v_(t+n).

    Arguments and point of view are those of `lambda_returns`. n 1 is one-step TD; an n as long as
    the episode gives `discounted_returns`. Sutton & Barto (2018), eq. 7.1.
    """
    if n < 1:
        raise BadValue(f"n counts steps, from 1; got {n!r}")
    one_step = lambda_returns(rewards, next_values, 0.0, gamma, ends)
    last = np.zeros(one_step.shape, bool)
    if ends is not None:
        further_axes = (1,) * (one_step.ndim - np.ndim(ends))
        last |= np.asarray(ends, bool).reshape(np.shape(ends) + further_axes)
    last[-1:] = True
    # The n-step return follows from the (n - 1)-step return of the next step.
    returns = one_step
    for _ in range(min(n, len(one_step)) - 1):
        longer = np.zeros_like(returns)
        longer[:-1] = rewards[:-1] + gamma * returns[1:]
        returns = np.where(last, one_step, longer)
    return returns


@dataclass(frozen=True)
class ExperienceBuffer:
    """T decisions in named columns.

    state [T, ...] int8 from the encoder; action [T] int32; reward [T] float32, the return; player
    [T] int8, 0 or 1; game [T] int32 from 0; ply [T] int32 from 0 within the game. Optional: legal
    [T, A], log_prob [T], value [T], advantage [T], policy [T, A], next_state, next_legal, terminal
    [T], target, and any other column.
    meta: the game and its options, the encoder, and further facts about all decisions.
    """

    columns: Mapping[str, np.ndarray]
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        missing = [name for name in REQUIRED if name not in self.columns]
        if missing:
            raise BadValue(
                f"an experience buffer has the columns {', '.join(REQUIRED)}; missing: "
                f"{', '.join(missing)}"
            )
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise BadValue(f"the columns of an experience buffer have one length; got {lengths}")
        for name in (*WHOLE, "reward"):
            kinds, number = ("f", "float") if name == "reward" else ("iu", "whole number")
            if self.columns[name].dtype.kind not in kinds or self.columns[name].ndim != 1:
                raise BadValue(f"{name!r} holds one {number} a decision")

    def __len__(self) -> int:
        return len(self.columns["action"])

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name]

    @property
    def games(self) -> int:
        """The number of games the decisions come from."""
        return len(np.unique(self["game"]))

    def take(self, rows: np.ndarray) -> "ExperienceBuffer":
        """The decisions `rows` (integers or a mask), in that order."""
        return ExperienceBuffer(
            {name: column[rows] for name, column in self.columns.items()}, self.meta
        )

    def save(self, path: str | Path) -> None:
        """Write an HDF5 file atomically, one dataset per column."""
        save(path, "experience", dict(self.columns), {**self.meta, "format": FORMAT})

    @classmethod
    def load(cls, path: str | Path) -> "ExperienceBuffer":
        """Read a file written by `save`. Raises StorageError for any other file."""
        stored = load(path, "experience")
        meta = dict(stored.meta)
        version = meta.pop("format", None)
        if version != FORMAT or isinstance(version, bool):
            newer = isinstance(version, int) and version > FORMAT
            age = "a newer" if newer else "an older"
            advice = "update the course" if newer else "play the games again with this one"
            raise StorageError(
                f"{path} holds experience of format {version!r}, from {age} version of the course "
                f"that reads {FORMAT}: {advice}"
            )
        try:
            return cls(stored.arrays, meta)
        except (ValueError, TypeError) as error:
            raise StorageError(f"{path} is marked as experience, but cannot be: {error}") from None


def advantages_of(buffer: ExperienceBuffer, *, lam: float = 1.0, n_step: int = 0) -> np.ndarray:
    """[T] float32: generalised advantages (GAE), each for the player who moved; gamma is 1.

    A_t = G_t - v_t, where G_t is the lambda-return (lam 1: the return, REINFORCE with baseline;
    lam 0: A_t is the TD error) or, with n_step, the n-step return. Needs the columns reward, which
    is the return, and value.

    The next state is the next recorded ply of the game. Its value belongs to the player who moves
    there, in self-play the opponent, so all numbers are converted to the first player's side before
    the recursion and back after it. Schulman et al. (2016), "High-dimensional continuous control
    using generalized advantage estimation", eq. 16.
    """
    order = np.lexsort((buffer["ply"], buffer["game"]))
    _, start, game = np.unique(buffer["game"][order], return_index=True, return_inverse=True)
    step = np.arange(len(order)) - start[game]
    sign = sign_of(buffer["player"][order]).astype(np.float64)

    def per_game(column: np.ndarray) -> np.ndarray:
        """[longest + 1, games]: a row per ply, 0 beyond a game's end."""
        padded = np.zeros((step.max(initial=0) + 2, len(start)))
        padded[step, game] = column
        return padded

    returns = per_game(sign * buffer["reward"][order])
    values = per_game(sign * buffer["value"][order])
    # Without discount, the reward of a step is the difference of two successive returns.
    rewards, next_values = returns[:-1] - returns[1:], values[1:]
    ends = per_game(np.ones(len(order)))[1:] == 0
    if n_step:
        targets = n_step_returns(rewards, next_values, n_step, ends=ends)
    else:
        targets = lambda_returns(rewards, next_values, lam, ends=ends)
    advantages = np.empty(len(order), np.float32)
    advantages[order] = sign * (targets - values[:-1])[step, game]
    return advantages


def combine_experience(buffers: Iterable[ExperienceBuffer]) -> ExperienceBuffer:
    """The concatenated decisions; games are renumbered so that no two buffers share one.

    Raises ValueError if the buffers differ in the game, the encoder or the columns.
    """
    buffers = list(buffers)
    if not buffers:
        raise BadValue("there is no experience to combine")
    first = buffers[0]
    for other in buffers[1:]:
        if set(other.columns) != set(first.columns):
            raise BadValue(
                "these buffers differ in columns: "
                f"{sorted(set(other.columns) ^ set(first.columns))}"
            )
        for key in ("game", "options", "encoder"):
            if other.meta.get(key) != first.meta.get(key):
                raise BadValue(
                    f"these buffers differ in {key}: {first.meta.get(key)!r} and "
                    f"{other.meta.get(key)!r}"
                )
    columns = {name: np.concatenate([buffer[name] for buffer in buffers]) for name in first.columns}
    offset, games = 0, []
    for buffer in buffers:
        _, number = np.unique(buffer["game"], return_inverse=True)
        games.append(number.astype(np.int32) + offset)
        offset += int(number.max()) + 1 if len(number) else 0
    columns["game"] = np.concatenate(games)
    return ExperienceBuffer(columns, first.meta)


class ExperienceCollector:
    """Collects one player's decisions episode by episode (Pumperla & Ferguson, ch. 9).

    Call `begin_episode`, `record_decision` for every move, and `complete_episode(reward)`; at the
    end `to_buffer`. `add_reward` serves games with rewards before the end.
    """

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []
        self._episode: list[dict[str, Any]] | None = None
        self._rewards: list[float] = []
        self._games = 0

    def begin_episode(self) -> None:
        """Start an episode; the decisions of an unfinished episode are discarded."""
        self._episode, self._rewards = [], []

    def record_decision(
        self,
        state: np.ndarray,
        action: int,
        *,
        player: int = 0,
        ply: int | None = None,
        **more: Any,
    ) -> None:
        """Record an encoded position, the action, and `more` columns (log_prob, value, legal)."""
        episode = self._running("record_decision")
        ply = len(episode) if ply is None else ply
        episode.append(
            {"state": np.array(state), "action": action, "player": player, "ply": ply, **more}
        )
        self._rewards.append(0.0)

    def add_reward(self, reward: float) -> None:
        """Add to the reward of the last decision, such as the points of a word in Scrabble."""
        if not self._running("add_reward"):
            raise BadOrder("add_reward before record_decision: no decision has earned it")
        self._rewards[-1] += reward

    def complete_episode(self, reward: float, *, gamma: float = 1.0) -> None:
        """End the episode with the final `reward` of this player.

        Every decision receives its return, discounted by `gamma` per decision; without other
        rewards and with gamma 1 that is `reward`. If the value of the position was recorded, the
        advantage is the return minus that value.
        """
        episode = self._running("complete_episode")
        rewards = np.array(self._rewards, np.float64)
        rewards[-1:] += reward
        returns = discounted_returns(rewards, gamma)
        for decision, g in zip(episode, returns, strict=True):
            row = {**decision, "reward": g, "game": self._games}
            if "value" in decision:
                row["advantage"] = g - decision["value"]
            self._rows.append(row)
        self._games += 1
        self._episode = None

    def to_buffer(self, **meta: Any) -> ExperienceBuffer:
        """All completed episodes. Raises ValueError if there are none."""
        if not self._rows:
            raise BadValue("nothing was recorded: play at least one episode to its end")
        names = list(self._rows[0])
        if any(list(row) != names for row in self._rows):
            raise BadValue("the recorded decisions differ in what they hold")
        columns = {name: np.array([row[name] for row in self._rows]) for name in names}
        kinds = {
            "action": np.int32,
            "player": np.int8,
            "ply": np.int32,
            "reward": np.float32,
            "game": np.int32,
        }
        kinds |= dict.fromkeys(columns.keys() & {"value", "advantage"}, np.float32)
        columns |= {name: columns[name].astype(kind) for name, kind in kinds.items()}
        return ExperienceBuffer(columns, meta)

    def _running(self, method: str) -> list[dict[str, Any]]:
        if self._episode is None:
            raise BadOrder(f"{method} outside an episode: begin_episode comes first")
        return self._episode
