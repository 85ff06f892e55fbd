"""A memory of transitions from which a learner draws at random (Lin 1992; Mnih et al. 2015)."""

from collections.abc import Mapping

import numpy as np

from rlcourse.errors import BadValue


class ReplayBuffer:
    """Up to `capacity` transitions in columns with one first axis; the newest replace the oldest.

    unique: a transition whose key is already stored is not stored again, so that rare transitions
    are drawn as often as common ones. Columns are arbitrary, but every `add` must bring the same
    set.
    """

    def __init__(self, capacity: int, *, unique: bool = False) -> None:
        if capacity < 1:
            raise BadValue(f"a replay buffer holds at least one transition, not {capacity}")
        self.capacity, self.unique = capacity, unique
        self.size, self.next = 0, 0
        self.columns: dict[str, np.ndarray] = {}
        self._keys = np.zeros(capacity if unique else 0, np.int64)

    def __len__(self) -> int:
        return self.size

    def add(self, columns: Mapping[str, np.ndarray], keys: np.ndarray | None = None) -> int:
        """Store T transitions, in order; returns the number stored. keys [T]: their identity."""
        count = len(next(iter(columns.values())))
        if any(len(column) != count for column in columns.values()):
            raise BadValue("the columns of a transition have one length")
        if self.columns and set(columns) != set(self.columns):
            raise BadValue(f"this buffer holds {sorted(self.columns)}, not {sorted(columns)}")
        chosen = np.arange(count)
        if self.unique:
            if keys is None or len(keys) != count:
                raise BadValue("a buffer of unique transitions needs one key a transition")
            # `unique` sorts by key; the first of each key go back into the order of play.
            first = np.sort(np.unique(keys, return_index=True)[1])
            chosen = first[~np.isin(keys[first], self._keys[: self.size])]
        chosen = chosen[-self.capacity :]  # if more than fit, only the newest would stay
        if not self.columns:
            self.columns = self._empty(columns)
        slots = (self.next + np.arange(len(chosen))) % self.capacity
        for name, column in columns.items():
            self.columns[name][slots] = column[chosen]
        if self.unique and keys is not None:
            self._keys[slots] = keys[chosen]
        self.next = int((self.next + len(chosen)) % self.capacity)
        self.size = min(self.capacity, self.size + len(chosen))
        return len(chosen)

    def _empty(self, columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {
            name: np.zeros((self.capacity, *column.shape[1:]), column.dtype)
            for name, column in columns.items()
        }

    def sample(self, count: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
        """`count` transitions, drawn uniformly from all that are stored, with replacement."""
        if not self.size:
            raise BadValue("nothing is stored: there is nothing to draw from")
        return self.take(rng.integers(self.size, size=count))

    def take(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """The transitions in slots `rows` (0 to len - 1)."""
        return {name: column[rows] for name, column in self.columns.items()}

    def arrays(self) -> dict[str, np.ndarray]:
        """Copies of everything, for checkpoints; the inverse of `restore`."""
        size = self.size
        stored = {f"columns/{name}": column[:size].copy() for name, column in self.columns.items()}
        return {**stored, "keys": self._keys[:size].copy(), "next": np.array(self.next, np.int64)}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Take the arrays of a buffer of equal capacity. Raises ValueError if they do not fit."""
        columns = {
            name.removeprefix("columns/"): array
            for name, array in arrays.items()
            if name.startswith("columns/")
        }
        sizes = {len(array) for array in columns.values()} or {0}
        following = int(arrays["next"])
        if len(sizes) > 1 or max(sizes) > self.capacity or not 0 <= following < self.capacity:
            raise BadValue(
                f"these arrays are not of a replay buffer of {self.capacity} transitions"
            )
        self.size, self.next = sizes.pop(), following
        self.columns = self._empty(columns)
        for name, array in columns.items():
            self.columns[name][: self.size] = array
        if self.unique:
            self._keys[: self.size] = arrays["keys"]
