"""What the positions of all games share: each is an immutable value."""

from typing import Any

from rlcourse.drawing import draw
from rlcourse.games.game import IllegalMove


class Position:
    """Base class of the games' positions. A subclass names its attributes in `__slots__`.

    It also writes `apply_move`, `__eq__` and `__hash__`, and `recipe`, from which a copy in another
    process is made.
    """

    __slots__: tuple[str, ...] = ()

    def _fill(self, *values: Any) -> None:
        """Set the attributes in the order of `__slots__`, while the position is made."""
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a position is immutable; apply_move returns a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a position is immutable; apply_move returns a new one")

    def __reduce__(self) -> tuple[Any, ...]:
        from rlcourse.games import from_recipe

        return from_recipe, (self.recipe(),)

    def is_valid_move(self, move: Any) -> bool:
        """Whether `apply_move(move)` would be accepted."""
        try:
            self._check(move)
        except IllegalMove:
            return False
        return True

    def _check(self, move: Any) -> None:
        """Raises IllegalMove for what `apply_move` refuses; Go does it without copying a game."""
        self.apply_move(move)

    def apply_move(self, move: Any) -> Any:
        """The position after `move`. Raises IllegalMove."""
        raise NotImplementedError

    def recipe(self) -> str:
        """The position as one line of text; `from_recipe` gives an equal position back."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"from_recipe({self.recipe()!r})"

    def _repr_svg_(self) -> str:
        return draw(self)
