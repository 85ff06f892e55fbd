"""What was experienced: one row a decision, in columns with one first axis.

Point of view: everything belongs to the *player who moved*. `reward` is the return of that decision, in [-1, 1].
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.storage import StorageError, load, save

REQUIRED = ("state", "action", "reward", "player", "game", "ply")
FORMAT = 1


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
            raise ValueError(f"an experience buffer has the columns {', '.join(REQUIRED)}; missing: {', '.join(missing)}")
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"the columns of an experience buffer have one length; got {lengths}")

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
        return ExperienceBuffer({name: column[rows] for name, column in self.columns.items()}, self.meta)

    def save(self, path: str | Path) -> None:
        """Write an HDF5 file, one dataset a column; a kill while writing leaves the old file whole."""
        save(path, "experience", dict(self.columns), {**self.meta, "format": FORMAT})

    @classmethod
    def load(cls, path: str | Path) -> "ExperienceBuffer":
        """Read a file of `save`. Raises StorageError for everything that is not one."""
        stored = load(path, "experience")
        meta = dict(stored.meta)
        version = meta.pop("format", None)
        if version != FORMAT:
            raise StorageError(f"{path} holds experience of format {version!r}; this version of the course reads {FORMAT}")
        try:
            return cls(stored.arrays, meta)
        except (ValueError, TypeError) as error:
            raise StorageError(f"{path} is marked as experience, but cannot be: {error}") from None


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
            raise ValueError(f"these buffers differ in columns: {sorted(set(other.columns) ^ set(first.columns))}")
        for key in ("game", "options", "encoder"):
            if other.meta.get(key) != first.meta.get(key):
                raise ValueError(f"these buffers differ in {key}: {first.meta.get(key)!r} and {other.meta.get(key)!r}")
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
    for every move, `complete_episode(reward)`; at the end `to_buffer`.
    """

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []
        self._episode: list[dict[str, Any]] | None = None
        self._games = 0

    def begin_episode(self) -> None:
        """Start an episode. Decisions of an episode that was never completed are dropped."""
        self._episode = []

    def record_decision(
        self, state: np.ndarray, action: int, *, player: int = 0, ply: int | None = None, **more: Any
    ) -> None:
        """Record an encoded position, the action chosen, and whatever else is known (log_prob, value, legal ...)."""
        if self._episode is None:
            raise RuntimeError("record_decision before begin_episode: there is no episode to record into")
        ply = len(self._episode) if ply is None else ply
        self._episode.append({"state": np.asarray(state), "action": action, "player": player, "ply": ply, **more})

    def complete_episode(self, reward: float) -> None:
        """End the episode: `reward` in [-1, 1], for this player, becomes the return of every decision in it."""
        if self._episode is None:
            raise RuntimeError("complete_episode without begin_episode")
        self._rows += [{**row, "reward": reward, "game": self._games} for row in self._episode]
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
        kinds = {"action": np.int32, "player": np.int8, "ply": np.int32, "reward": np.float32, "game": np.int32}
        columns |= {name: columns[name].astype(kind) for name, kind in kinds.items()}
        return ExperienceBuffer(columns, meta)
