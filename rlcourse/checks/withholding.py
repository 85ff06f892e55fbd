"""References of the course cannot be called while the task that asks for them is judged.

In the notebook `withheld` sees to that, in a grader's process stubs do (`rlcourse.grading.worker`).
"""

from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

from rlcourse.errors import CourseError


class Withheld(CourseError, ImportError):
    """A reference of the course was called while the task that asks for it is judged."""


def withheld_stub(name: str, reference: Any = None) -> Any:
    """What stands in the place of `name` while a task is judged: calling it raises Withheld.

    Where the reference is a class it is one, too, because other modules name it in their
    annotations.
    """

    def stub(*_: Any, **__: Any) -> Any:
        raise Withheld(f"{name} is withheld while this task is judged: write it yourself")

    stub.__name__ = name.rpartition(":")[2]
    return type(stub.__name__, (), {"__new__": stub}) if isinstance(reference, type) else stub


def withheld_names(module: ModuleType, name: str) -> list[str]:
    """The names that an entry withholds: "module:name" the one, "module" all that it makes."""
    if name:
        return [name]
    return [
        name
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    ]


class withheld:
    """Within this block a call of the references raises Withheld.

    They are given as "module" or "module:name". A plain function gets other code for the time, so
    that a name that was bound to it earlier raises as well; anything else is replaced in its
    module. An oracle or reference that is not there, as in the course that students get, needs no
    such thing.
    """

    def __init__(self, entries: tuple[str, ...]) -> None:
        self._entries = entries
        self._originals: list[tuple[Any, str, Any]] = []  # (object, name, value) as they were

    def __enter__(self) -> None:
        for entry in self._entries:
            module_name, _, given = entry.partition(":")
            try:
                module = import_module(module_name)
            except ModuleNotFoundError:
                if module_name.startswith(("rlcourse.checks.oracle", "rlcourse.checks.reference")):
                    continue
                raise
            for name in withheld_names(module, given):
                self._withhold(module, name)

    def _withhold(self, module: ModuleType, name: str) -> None:
        reference = getattr(module, name)
        if isinstance(reference, FunctionType) and not reference.__code__.co_freevars:
            self._originals.append((reference, "__code__", reference.__code__))
            reference.__code__ = _refuse.__code__
        else:
            self._originals.append((module, name, reference))
            setattr(module, name, withheld_stub(f"{module.__name__}:{name}", reference))

    def __exit__(self, *_: object) -> None:
        while self._originals:
            setattr(*self._originals.pop())


def _refuse(*_: Any, **__: Any) -> Any:
    # Runs with the globals of the function whose code it replaces, hence the import here.
    from rlcourse.checks.withholding import Withheld as WithheldReference

    raise WithheldReference(
        "this reference is withheld while this task is judged: write it yourself"
    )
