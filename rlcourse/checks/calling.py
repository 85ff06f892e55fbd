"""The student's side of a case: call the handed-in function and turn what happens into a Reply.

The same code runs in the notebook and in the grader's worker, so both see the same function in the
same way. It knows no secret and gives no verdict.
"""

import inspect
from collections import deque
from collections.abc import Collection, ItemsView, Iterator, KeysView, Mapping, ValuesView
from itertools import islice
from operator import is_
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from rlcourse.checks.plain import (
    MAX_ANSWER,
    MAX_ARRAYS,
    MAX_DEPTH,
    BadFrame,
    NotPlain,
    Position,
    Rng,
    TooLarge,
    copy,
    decode,
    encode,
)
from rlcourse.checks.task import OVERWRITTEN, Reply
from rlcourse.checks.withholding import Withheld
from rlcourse.errors import students_line


class Desk:
    """What outlasts a question: the objects that were handed over, and the last answer.

    Arrays, lists and dicts come in the same objects again, with other content, so that a memo by
    identity shows. An answer stays what it was when the function is called again.
    """

    def __init__(self) -> None:
        self._objects: dict[tuple, Any] = {}
        self._answer, self._frame = None, b""

    def place(self, key: tuple[int, int], value: Any) -> Any:
        """The value, in the object that had this place in an earlier question.

        A value that the object cannot hold comes as it is.
        """
        value = copy(value)
        if not isinstance(value, (np.ndarray, list, dict)):
            return value
        held = self._objects.setdefault((*key, _form(value)), value)
        if held is value or _form(held) != _form(value):
            return value
        if isinstance(value, np.ndarray):
            held[...] = value
        else:
            held.clear()
            (held.extend if isinstance(value, list) else held.update)(value)
        return held

    def look(self) -> None:
        """Note what the last answer is just before the next call."""
        self._frame = _frame_of(self._answer)

    def overwritten(self) -> bool:
        """Whether the call since `look` has changed the last answer."""
        return self._frame != _frame_of(self._answer)

    def keep(self, answer: Any) -> None:
        """This is the last answer now."""
        self._answer = answer


def _form(value: Any) -> tuple:
    """What two values share that can take each other's content."""
    return (
        (type(value), value.shape, value.dtype, value.flags.writeable)
        if isinstance(value, np.ndarray)
        else (type(value),)
    )


def _frame_of(answer: Any) -> bytes:
    try:
        return encode(answer, MAX_ANSWER)
    except Exception:  # what cannot travel is told when it is the answer
        return b""


def call(target: Any, question: Mapping[str, Any], desk: Desk | None = None) -> Reply:
    """Ask a function or class one question (`Case.question()`).

    No Exception gets out; KeyboardInterrupt, SystemExit and `limit.TimedOut` do.

    desk: of the questions before it; none: it is the first.
    """
    if not callable(target):
        wanted = "a class" if question["script"] else "a function"
        return Reply("missing", None, f"{wanted} is asked for; this is {type(target).__name__}")
    try:
        # As NumPy starts: `np.seterr` is a setting of the notebook, and the answer is the same
        # without it.
        with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"):
            answer, changed = _run(target, question, desk := desk or Desk())
    except NotImplementedError as error:
        return Reply("raised" if _begun(target) else "blank", None, describe(error))
    except Withheld as error:
        return Reply("withheld", None, str(error))
    except MemoryError as error:
        return Reply("out_of_memory", None, describe(error))
    except Exception as error:
        return Reply("raised", None, describe(error))
    try:
        plain_answer = decode(encode(_stacked(answer), MAX_ANSWER))
        desk.keep(None if question["script"] or question["watch"] else answer)
        return Reply("changed" if changed else "answer", plain_answer, changed)
    except TooLarge as error:
        return Reply("too_large", None, str(error))
    except (NotPlain, BadFrame) as error:
        return Reply("not_plain", None, str(error))
    except Exception as error:  # a value whose own methods raise
        return Reply("not_plain", None, type(error).__name__)


CAN_TRAVEL = "numbers, texts, lists, tuples, dicts and arrays of numbers can be handed over"
# The kinds of errors that feedback on hidden cases names. They are few on purpose: a function can
# choose which one it raises.
_NAMED_KINDS = (
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "AxisError",
    "BadValue",
    "FloatingPointError",
    "IllegalMove",
    "ImportError",
    "IndexError",
    "KeyError",
    "LinAlgError",
    "NameError",
    "NotImplementedError",
    "OverflowError",
    "RecursionError",
    "TypeError",
    "UnboundLocalError",
    "ValueError",
    "ZeroDivisionError",
)


def kind_of(description: str) -> str:
    """The kind of a described error, alone: its text and line can carry the arguments."""
    kind = description.partition(":")[0]
    return kind if kind in _NAMED_KINDS else "an error of its own kind"


def describe(error: BaseException) -> str:
    """The error and the student's line that raised it: "IndexError: ... (line 7: v = q[9])"."""
    try:
        text = f"{type(error).__name__}: {error}"[:300]
    except Exception:  # its own methods raise
        text = "an error that has no text"
    line = students_line(error)
    return f"{text} ({line})" if line else text


def _begun(target: Any) -> bool:
    """Whether there is more in a function, or in a method of a class, than was handed out, which
    raises NotImplementedError.
    """
    parts = vars(target).values() if isinstance(target, type) else (target,)
    return any(isinstance(part, FunctionType) and not _is_blank(part.__code__) for part in parts)


def _is_blank(code: CodeType) -> bool:
    """Whether a body needs no names but its parameters and that of the error."""
    names, more, keywords = inspect.getargs(code)
    parameters = len(names) + bool(more) + bool(keywords)
    return {*code.co_names} <= {"NotImplementedError"} and code.co_nlocals == parameters


def _run(target: Any, question: Mapping[str, Any], desk: Desk) -> tuple[Any, str]:
    """(answer, which argument the call has changed, "" where none is) of one question."""
    args, watch = question["args"], question["watch"]
    arrive = _Arrivals(desk)
    if question["script"]:
        instance, changed = target(*arrive(args, " of __init__")), arrive.changed()
        results = []
        for name, method_args in question["script"]:
            attribute = getattr(instance, name)
            given = arrive(method_args, f" of {name}")
            result = attribute(*given) if callable(attribute) else attribute
            results.append(_as_now(_settled(result)))
            changed = changed or arrive.changed()
        return results, changed or arrive.changed()
    if question["calls"] > 1:
        results, changed, given = [], "", arrive(args)
        for _ in range(question["calls"]):
            results.append(_settled(target(*given)))
            # What a call has left as it was is handed over again: there are thousands of calls.
            if argument := arrive.changed():
                changed = changed or argument
                arrive.forget()
                given = arrive(args)
        return results, changed
    given = arrive(args)
    desk.look()
    result = _settled(target(*given))
    if watch:
        return (result, [given[k] for k in watch]), arrive.changed(but=watch)
    return result, arrive.changed() or OVERWRITTEN * desk.overwritten()


def _settled(answer: Any, depth: int = 0) -> Any:
    """The answer with a list for what gives its items one after the other, such as a generator, an
    array for a tensor, and a number for an array without dimensions; where there is none of these,
    the same object.
    """
    if isinstance(answer, (Iterator, deque, range, KeysView, ValuesView, ItemsView)):
        return [_settled(item, depth + 1) for item in islice(answer, MAX_ANSWER)]
    if hasattr(answer, "__array__") and not isinstance(answer, (np.ndarray, np.generic)):
        answer = np.asarray(answer)
    if isinstance(answer, np.ndarray) and not answer.ndim:
        return answer[()]
    if type(answer) not in (list, tuple) or depth > MAX_DEPTH:
        return answer
    items = [_settled(item, depth + 1) for item in answer]
    return answer if all(map(is_, items, answer)) else type(answer)(items)


def _as_now(result: Any) -> Any:
    """What a step of a script gives, as it is now: a later step may change it.

    None for what cannot travel, such as the object itself: nobody asks what most steps give, and
    elsewhere None is wrong.
    """
    try:
        encode(result)
    except TooLarge:
        pass  # said of the whole answer
    except (NotPlain, BadFrame):
        return None
    return copy(result)


class _Arrivals:
    """Turns plain arguments and markers into what the function is called with.

    There is one generator a seed for all calls. It keeps what it has handed over beside what was
    asked for, so that a change shows.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk, self._calls = desk, 0
        self._generators: dict[int, np.random.Generator] = {}
        # Number of the argument, of what it is one, as it was asked for, as it was handed over.
        self._handed: list[tuple[int, str, Any, Any]] = []

    def __call__(self, args: Any, of: str = "") -> list[Any]:
        arrived = [self._arrive(value, number) for number, value in enumerate(args)]
        self._handed += [(k, of, args[k], value) for k, value in enumerate(arrived)]
        self._calls += 1
        return arrived

    def changed(self, but: Collection[int] = ()) -> str:
        """Which argument is not what it was, such as "argument 2 of add"; "" where all are."""
        for number, of, asked, handed in self._handed:
            if number not in but and not _unchanged(handed, asked):
                return f"argument {number + 1}{of}"
        return ""

    def forget(self) -> None:
        """Keep no more of what was handed over so far: the next call is asked the same."""
        self._handed.clear()
        self._calls = 0

    def _arrive(self, value: Any, number: int) -> Any:
        if isinstance(value, Rng):
            return self._generators.setdefault(value.seed, np.random.default_rng(value.seed))
        if isinstance(value, Position):
            from rlcourse.games import from_recipe

            return from_recipe(value.recipe)
        return self._desk.place((self._calls, number), value)


def _unchanged(handed: Any, asked: Any) -> bool:
    """Whether an argument is what was asked for, to the last bit."""
    if isinstance(asked, np.ndarray):
        same_kind = isinstance(handed, np.ndarray) and (handed.dtype, handed.shape) == (
            asked.dtype,
            asked.shape,
        )
        return same_kind and handed.tobytes() == asked.tobytes()
    if isinstance(asked, (list, tuple)):
        return len(handed) == len(asked) and all(map(_unchanged, handed, asked))
    if isinstance(asked, dict):
        return handed.keys() == asked.keys() and all(
            _unchanged(handed[key], asked[key]) for key in asked
        )
    if isinstance(asked, Position):
        from rlcourse.games import from_recipe

        return handed == from_recipe(asked.recipe)
    if isinstance(asked, Rng):
        return True
    return type(handed) is type(asked) and (handed == asked or handed != handed)


def _stacked(answer: Any) -> Any:
    """The answer with long lists of arrays as one array, in lists as well: a frame has room for few
    arrays.
    """
    if type(answer) not in (list, tuple):
        return answer
    if any(type(item) in (list, tuple) for item in answer):
        answer = type(answer)(map(_stacked, answer))
        if len(answer) <= MAX_ARRAYS:
            return answer
        answer = type(answer)(_as_one(row) for row in answer)
    return _as_one(answer) if len(answer) > 2 else answer


def _as_one(answer: Any) -> Any:
    """A list of equally shaped arrays of one kind of numbers as one array. In others that are long
    each array is a list.
    """
    if type(answer) not in (list, tuple):
        return answer
    arrays = [item for item in answer if isinstance(item, np.ndarray)]
    if arrays and len(arrays) == len(answer):
        kinds = {item.dtype.kind for item in arrays}
        if len({item.shape for item in arrays}) == 1 and (len(kinds) == 1 or kinds <= set("iuf")):
            return np.array(answer)
    if len(arrays) <= MAX_ARRAYS:
        return answer
    return [item.tolist() if isinstance(item, np.ndarray) else item for item in answer]
