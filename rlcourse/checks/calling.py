"""The student's side of a case: call the handed-in function and turn what happens into a Reply.

The same code runs in the notebook and in the grader's worker, so both see the same function in the same way. It knows no
secret and gives no verdict.
"""

import traceback
from collections.abc import Mapping
from importlib import import_module
from types import FunctionType
from typing import Any

import numpy as np

from rlcourse.checks.plain import BadFrame, NotPlain, Position, Rng, Table, copy, decode, encode
from rlcourse.checks.task import Reply


class Withheld(ImportError):
    """A reference of the course was called while the task that asks for it is judged."""


def withheld_stub(name: str) -> Any:
    """What stands in the place of the reference `name` while a task is judged: calling it raises Withheld."""

    def stub(*_: Any, **__: Any) -> Any:
        raise Withheld(f"{name} is withheld while this task is judged: write it yourself")

    stub.__name__ = name.rpartition(":")[2]
    return stub


class withheld:
    """Within this block the references ("module:name") raise Withheld when they are called.

    A plain function gets other code for the time, so that a name that was bound to it earlier raises as well; anything else
    is replaced in its module. An oracle that is not there, as in the course that students get, needs no such thing.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names, self._kept = names, []

    def __enter__(self) -> None:
        for name in self._names:
            module_name, _, attribute = name.partition(":")
            try:
                module = import_module(module_name)
                reference = getattr(module, attribute)
            except (ModuleNotFoundError, AttributeError):
                if module_name.startswith("rlcourse.checks.oracle"):
                    continue
                raise
            if isinstance(reference, FunctionType) and not reference.__code__.co_freevars:
                self._kept.append((reference, "__code__", reference.__code__))
                reference.__code__ = _refuse.__code__
            else:
                self._kept.append((module, attribute, reference))
                setattr(module, attribute, withheld_stub(name))

    def __exit__(self, *_: object) -> None:
        while self._kept:
            setattr(*self._kept.pop())


def _refuse(*_: Any, **__: Any) -> Any:
    # Runs with the globals of the function whose code it replaces, hence the import here.
    from rlcourse.checks.calling import Withheld as WithheldReference

    raise WithheldReference("this reference is withheld while this task is judged: write it yourself")


def call(target: Any, question: Mapping[str, Any]) -> Reply:
    """Ask a function or class one question (`Case.question()`). Never raises, but for KeyboardInterrupt and SystemExit."""
    if not callable(target):
        return Reply("missing", None, f"a function is asked for; this is {type(target).__name__}")
    try:
        answer = _run(target, question)
    except NotImplementedError as error:
        return Reply("blank", None, describe(error))
    except Withheld as error:
        return Reply("withheld", None, str(error))
    except MemoryError as error:
        return Reply("out_of_memory", None, describe(error))
    except Exception as error:
        return Reply("raised", None, describe(error))
    try:
        return Reply("answer", decode(encode(answer)))
    except (NotPlain, BadFrame) as error:
        return Reply("not_plain", None, str(error))
    except Exception as error:  # a value whose own methods raise
        return Reply("not_plain", None, type(error).__name__)


def describe(error: BaseException) -> str:
    """The error and the line of the student's code that raised it, such as "IndexError: ... (line 7: v = q[9])"."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_students(frame.filename)]
    text = f"{type(error).__name__}: {error}"[:300]
    if not own:
        return text
    line = f"line {own[-1].lineno}"
    return f"{text} ({line}: {own[-1].line})" if own[-1].line else f"{text} ({line})"


def _is_students(filename: str) -> bool:
    """Whether a frame is the student's: a cell of a notebook, wherever the kernel or the worker keeps its source."""
    return filename.startswith("<") and "frozen" not in filename or "ipykernel" in filename


def _run(target: Any, question: Mapping[str, Any]) -> Any:
    args = question["args"]
    arrive = _Arrivals()
    if question["script"]:
        instance = target(*arrive(args))
        results = []
        for name, method_args in question["script"]:
            attribute = getattr(instance, name)
            result = attribute(*arrive(method_args)) if callable(attribute) else attribute
            results.append(copy(result))  # as it is now: a later call may change it
        return results
    if question["calls"] > 1:
        return [target(*arrive(args)) for _ in range(question["calls"])]
    given = arrive(args)
    result = target(*given)
    if question["watch"]:
        return (result, [given[k] for k in question["watch"]])
    return result


class _Arrivals:
    """Turns plain arguments and markers into what the function is called with; one generator a seed for all calls."""

    def __init__(self) -> None:
        self._generators: dict[int, np.random.Generator] = {}

    def __call__(self, args: Any) -> list[Any]:
        return [self._arrive(value) for value in args]

    def _arrive(self, value: Any) -> Any:
        if isinstance(value, Rng):
            return self._generators.setdefault(value.seed, np.random.default_rng(value.seed))
        if isinstance(value, Position):
            from rlcourse.games import from_recipe

            return from_recipe(value.recipe)
        if isinstance(value, Table):
            table = value.values.copy()
            return lambda *indices: table[indices].item()
        return copy(value)
