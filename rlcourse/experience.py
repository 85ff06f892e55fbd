"""What was experienced: one row a decision, in columns with one first axis.

Point of view: everything belongs to the *player who moved*. `reward` is the return of that decision: in [-1, 1] in games that
are won or lost, in points where points are made on the way.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.games.game import sign_of
from rlcourse.storage import StorageError, load, save

REQUIRED = ("state", "action", "reward", "player", "game", "ply")
WHOLE = ("action", "player", "game", "ply")
FORMAT = 1


def discounted_returns(rewards: np.ndarray, gamma: float = 1.0) -> np.ndarray:
    """[T] float64: what follows from each decision of one episode, G_t = r_t + gamma * G_(t+1). rewards [T], of one player.

    r_t is what came between this decision and the player's next. gamma in [0, 1], a decision; 1 adds up without discount.
    Goes backwards once, O(T), where the definition has two loops. Sutton & Barto (2018), eq. 3.9; Pumperla & Ferguson, ch. 9.
    """
    rewards = np.asarray(rewards, np.float64)
    if rewards.ndim != 1:
        raise ValueError(
            f"rewards have the shape [T], one number a decision of one episode; got {rewards.shape}"
        )
    if not np.isfinite(rewards).all():
        raise ValueError(f"reward {int(np.argmin(np.isfinite(rewards)))} is not a finite number")
    if not 0 <= gamma <= 1:
        raise ValueError(f"gamma lies in [0, 1]; got {gamma!r}")
    returns = np.empty(len(rewards))
    following = 0.0
    for t in range(len(rewards) - 1, -1, -1):
        returns[t] = following = rewards[t] + gamma * following
    return returns


def lambda_returns(
    rewards: np.ndarray,
    next_values: np.ndarray,
    lam: float,
    gamma: float = 1.0,
    ends: np.ndarray | None = None,
) -> np.ndarray:
    """[T, ...] float64: the targets of TD(lambda), G_t = r_t + gamma * ((1 - lam) * v_(t+1) + lam * G_(t+1)).

    rewards [T, ...]: what came between the states t and t + 1. next_values, of the same shape: the value of state t + 1, which
    is 0 where the episode is over. ends [T] or [T, B] bool: the last steps of episodes, or of what is known of them; G there
    is r + gamma * v. Without it only step T - 1 is one. All numbers belong to *one and the same* side at every step.
    Further axes are episodes in lock-step, outputs of a network, or both. lam 0: one step ahead; 1: `discounted_returns`.
    Sutton & Barto (2018), eq. 12.2, in the recursive form of their exercise 12.1.
    """
    rewards, next_values = np.asarray(rewards, np.float64), np.asarray(next_values, np.float64)
    if rewards.shape != next_values.shape or rewards.ndim == 0:
        shapes = f"{rewards.shape} and {next_values.shape}"
        raise ValueError(f"rewards and next_values have one shape, [T] or [T, ...]; got {shapes}")
    for name, number in (("lam", lam), ("gamma", gamma)):
        if not 0 <= number <= 1:
            raise ValueError(f"{name} lies in [0, 1]; got {number!r}")
    last = np.zeros(rewards.shape[:1], bool) if ends is None else np.array(ends, bool)
    if last.shape != rewards.shape[: last.ndim]:
        raise ValueError(f"ends has the first axes of rewards {rewards.shape}; got {last.shape}")
    last[-1:] = True
    last = last.reshape(last.shape + (1,) * (rewards.ndim - last.ndim))
    returns, following = np.empty_like(rewards), np.zeros(rewards.shape[1:])
    for t in range(len(rewards) - 1, -1, -1):
        following = np.where(last[t], next_values[t], (1 - lam) * next_values[t] + lam * following)
        returns[t] = following = rewards[t] + gamma * following
    return returns


def n_step_returns(
    rewards: np.ndarray,
    next_values: np.ndarray,
    n: int,
    gamma: float = 1.0,
    ends: np.ndarray | None = None,
) -> np.ndarray:
    """[T, ...] float64: G_t = r_t + gamma r_(t+1) + ... + gamma^(n-1) r_(t+n-1) + gamma^n v_(t+n), the n-step targets.

    Arguments and point of view as in `lambda_returns`; an episode that ends sooner is not bootstrapped. n 1: one step of TD;
    n as long as the episode: `discounted_returns`. Sutton & Barto (2018), eq. 7.1.
    """
    if n < 1:
        raise ValueError(f"n counts steps, from 1; got {n!r}")
    one_step = lambda_returns(rewards, next_values, 0.0, gamma, ends)
    last = np.zeros(one_step.shape, bool)
    if ends is not None:
        last |= np.asarray(ends, bool).reshape(
            np.shape(ends) + (1,) * (one_step.ndim - np.ndim(ends))
        )
    last[-1:] = True
    returns = one_step
    for _ in range(min(n, len(one_step)) - 1):
        longer = np.zeros_like(returns)
        longer[:-1] = rewards[:-1] + gamma * returns[1:]
        returns = np.where(last, one_step, longer)
    return returns


@dataclass(frozen=True)
class ExperienceBuffer:
    """T decisions. Columns:

    state [T, ...] int8 as the encoder gives it; action [T] int32; reward [T] float32, the return; player [T] int8, 0 or 1;
    game [T] int32, counting from 0; ply [T] int32, counting from 0 within the game. Where needed legal [T, A], log_prob [T],
    value [T], advantage [T], policy [T, A], next_state, next_legal, terminal [T], target. Unknown columns are kept.
    meta: game and its options, encoder, and whatever else describes the whole.
    """

    columns: Mapping[str, np.ndarray]
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        missing = [name for name in REQUIRED if name not in self.columns]
        if missing:
            raise ValueError(
                f"an experience buffer has the columns {', '.join(REQUIRED)}; missing: {', '.join(missing)}"
            )
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"the columns of an experience buffer have one length; got {lengths}")
        for name in (*WHOLE, "reward"):
            kind, wanted = self.columns[name].dtype.kind, "f" if name == "reward" else "iu"
            if kind not in wanted or self.columns[name].ndim != 1:
                raise ValueError(
                    f"{name!r} holds one {'float' if wanted == 'f' else 'whole number'} a decision"
                )

    def __len__(self) -> int:
        return len(self.columns["action"])

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name]

    @property
    def games(self) -> int:
        """How many games the decisions come from."""
        return len(np.unique(self["game"]))

    def take(self, rows: np.ndarray) -> "ExperienceBuffer":
        """The decisions `rows` (integers or a mask), in that order."""
        return ExperienceBuffer(
            {name: column[rows] for name, column in self.columns.items()}, self.meta
        )

    def save(self, path: str | Path) -> None:
        """Write an HDF5 file, one dataset a column; a kill while writing leaves the old file whole."""
        save(path, "experience", dict(self.columns), {**self.meta, "format": FORMAT})

    @classmethod
    def load(cls, path: str | Path) -> "ExperienceBuffer":
        """Read a file of `save`. Raises StorageError for everything that is not one."""
        stored = load(path, "experience")
        meta = dict(stored.meta)
        version = meta.pop("format", None)
        if version != FORMAT or isinstance(version, bool):
            age = "a newer" if isinstance(version, int) and version > FORMAT else "an older"
            what = "update the course" if age == "a newer" else "play the games again with this one"
            raise StorageError(
                f"{path} holds experience of format {version!r}, from {age} version of the course that reads {FORMAT}: {what}"
            )
        try:
            return cls(stored.arrays, meta)
        except (ValueError, TypeError) as error:
            raise StorageError(f"{path} is marked as experience, but cannot be: {error}") from None


def advantages_of(buffer: ExperienceBuffer, *, lam: float = 1.0, n_step: int = 0) -> np.ndarray:
    """[T] float32: generalised advantages of the decisions, each for the player who moved; gamma is 1.

    A_t = G_t - v_t, where G_t is the lambda-return of the plies that follow (lam 1: the return, REINFORCE with baseline;
    lam 0: the TD error), or with n_step the n-step return. Needs the columns reward, the return, and value.

    The next state is the next recorded ply of the game. Its value belongs to whoever moves there, in self-play the opponent,
    so everything is turned to the first player's side before the recursion and turned back after it.
    Schulman et al. (2016), "High-dimensional continuous control using generalized advantage estimation", eq. 16.
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

    returns, values = (
        per_game(sign * buffer["reward"][order]),
        per_game(sign * buffer["value"][order]),
    )
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
    """All decisions one after the other; `game` is renumbered so that no two buffers share a game.

    Raises ValueError when the buffers are of different games or encoders, or have different columns.
    """
    buffers = list(buffers)
    if not buffers:
        raise ValueError("there is no experience to combine")
    first = buffers[0]
    for other in buffers[1:]:
        if set(other.columns) != set(first.columns):
            raise ValueError(
                f"these buffers differ in columns: {sorted(set(other.columns) ^ set(first.columns))}"
            )
        for key in ("game", "options", "encoder"):
            if other.meta.get(key) != first.meta.get(key):
                raise ValueError(
                    f"these buffers differ in {key}: {first.meta.get(key)!r} and {other.meta.get(key)!r}"
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
    """Gathers one player's decisions, episode by episode (Pumperla & Ferguson, ch. 9): `begin_episode`, `record_decision`
    for every move, `complete_episode(reward)`; at the end `to_buffer`. `add_reward` is for games with points on the way.
    """

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []
        self._episode: list[dict[str, Any]] | None = None
        self._rewards: list[float] = []
        self._games = 0

    def begin_episode(self) -> None:
        """Start an episode. Decisions of an episode that was never completed are dropped."""
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
        """Record an encoded position, the action chosen, and whatever else is known (log_prob, value, legal ...)."""
        episode = self._running("record_decision")
        ply = len(episode) if ply is None else ply
        episode.append(
            {"state": np.array(state), "action": action, "player": player, "ply": ply, **more}
        )
        self._rewards.append(0.0)

    def add_reward(self, reward: float) -> None:
        """What the last decision has brought so far, for this player: the points of a word in Scrabble. May come in parts."""
        if not self._running("add_reward"):
            raise RuntimeError("add_reward before record_decision: no decision has earned it")
        self._rewards[-1] += reward

    def complete_episode(self, reward: float, *, gamma: float = 1.0) -> None:
        """End the episode: `reward`, for this player, comes at the end. Every decision gets its return, discounted by `gamma`
        a decision; without rewards on the way and with gamma 1 that is `reward` itself. Where the value of the position was
        recorded, the advantage is the return less that value."""
        episode = self._running("complete_episode")
        rewards = np.array(self._rewards, np.float64)
        rewards[-1:] += reward
        returns = discounted_returns(rewards, gamma)
        for row, g in zip(episode, returns, strict=True):
            advantage = {"advantage": g - row["value"]} if "value" in row else {}
            self._rows.append({**row, "reward": g, **advantage, "game": self._games})
        self._games += 1
        self._episode = None

    def to_buffer(self, **meta: Any) -> ExperienceBuffer:
        """Everything that was completed. Raises ValueError when there is nothing."""
        if not self._rows:
            raise ValueError("nothing was recorded: play at least one episode to its end")
        names = list(self._rows[0])
        if any(list(row) != names for row in self._rows):
            raise ValueError("the recorded decisions differ in what they hold")
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

    def _running(self, what: str) -> list[dict[str, Any]]:
        if self._episode is None:
            raise RuntimeError(f"{what} outside an episode: begin_episode comes first")
        return self._episode
