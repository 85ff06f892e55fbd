"""What the batches of all games share: N games as arrays with one row a game."""

from collections.abc import Mapping

import numpy as np

from rlcourse.errors import BadValue


class Lockstep:
    """Base class of the games' batches.

    name: of the game. start: the arrays that make up one game, as they are before its first move;
    each becomes an attribute [N, ...]. Raises ValueError for a negative N.
    """

    to_play: np.ndarray
    done: np.ndarray
    points: np.ndarray

    def __init__(self, name: str, start: Mapping[str, np.ndarray], n: int) -> None:
        if n < 0:
            raise BadValue(f"a batch has 0 or more games, not {n}")
        self._name, self._start = name, start
        for field, row in start.items():
            setattr(self, field, np.repeat(row[None], n, axis=0))

    def __len__(self) -> int:
        return len(self.done)

    def reset(self, rows: np.ndarray | None = None) -> None:
        """Restart the games in those rows (default: all)."""
        for name, array in self._fields().items():
            array[slice(None) if rows is None else rows] = self._start[name]

    def arrays(self) -> dict[str, np.ndarray]:
        """Copies of all arrays of the batch; the inverse of `restore`."""
        return {name: array.copy() for name, array in self._fields().items()}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Overwrite the batch with the arrays of a batch of equal size.

        Raises ValueError, changing nothing, if their names, shapes or types differ.
        """
        fields = self._fields()
        for name, array in fields.items():
            stored = np.asarray(arrays.get(name))
            if (stored.shape, stored.dtype) != (array.shape, array.dtype):
                raise BadValue(
                    f"these arrays are not of {len(self)} games of {self._name}: {name!r} "
                    "does not fit"
                )
        for name, array in fields.items():
            array[...] = arrays[name]

    def _fields(self) -> dict[str, np.ndarray]:
        return {name: getattr(self, name) for name in self._start}

    def _rows(self, rows: np.ndarray | None) -> np.ndarray:
        """The numbers of those rows, of all by default."""
        everything = np.arange(len(self))
        return everything if rows is None else everything[rows]

    def _one_each(self, values: np.ndarray, wants: str, thing: str) -> np.ndarray:
        """The values as an array [N] of integers. Raises ValueError that says what `wants` them."""
        values = np.asarray(values)
        if values.shape != self.done.shape or values.dtype.kind not in "iu":
            raise BadValue(
                f"{wants} {len(self)} integers, one {thing} a game; got {values.dtype} "
                f"{values.shape}"
            )
        return values
