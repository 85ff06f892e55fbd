"""Right answers whose values come in other types: each is accepted, in visible and hidden cases."""

import itertools
from collections import deque
from importlib import import_module

import numpy as np
import pytest

from rlcourse.checks.calling import Desk, call
from rlcourse.checks.examining import examine
from rlcourse.checks.task import Case, Outcome
from tests.grading.course import NUMBERS, hidden_cases, of_every_task


def as_lists(value):
    """Arrays as lists of Python's numbers."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def as_rows(value):
    """An array as the list of its rows."""
    return list(value) if isinstance(value, np.ndarray) and value.ndim else value


def as_arrays(value):
    """Lists of numbers as arrays."""
    numbers = isinstance(value, list) and value and all(type(x) in (int, float) for x in value)
    return np.array(value) if numbers else value


def as_scalars(value):
    """Python's numbers as NumPy's."""
    kinds = {int: np.int64, float: np.float64, bool: np.bool_}
    return kinds[type(value)](value) if type(value) in kinds else value


def as_single(value):
    """Floats of half the digits."""
    if isinstance(value, (float, np.floating)):
        return np.float32(value)
    floats = isinstance(value, np.ndarray) and value.dtype.kind == "f"
    return value.astype(np.float32) if floats else value


def as_zero_dimensional(value):
    """A number as an array without dimensions."""
    return np.array(value) if type(value) in (int, float, bool) else value


def as_tuples(value):
    """A list as a tuple."""
    return tuple(value) if isinstance(value, list) else value


def as_generators(value):
    """A list, or the rows of an array, one after the other."""
    row = isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim)
    return (item for item in value) if row else value


def as_something(value):
    """What a step of a script gives that nobody asks for."""
    return "done" if value is None else value


VALUES = (as_lists, as_rows, as_arrays, as_scalars, as_single, as_zero_dimensional)
FORMS = (*VALUES, as_tuples, as_generators)


def in_form(value, form):
    """The value with every part of it in another form, the outer one last."""
    if isinstance(value, (list, tuple)):
        parts = [in_form(item, form) for item in value]
        value = parts if isinstance(value, list) else tuple(parts)
    if isinstance(value, dict):
        value = {key: in_form(item, form) for key, item in value.items()}
    return form(value)


def answering_in(function, form):
    """The function with what it returns in another form."""
    return lambda *args: in_form(function(*args), form)


def rewritten(target, form):
    """The function, or each method of the class, with what it returns in another form."""
    if not isinstance(target, type):
        return answering_in(target, form)
    methods = {
        name: answering_in(method, form)
        for name, method in vars(target).items()
        if callable(method) and not name.startswith("__")
    }
    return type(target.__name__, (target,), methods)


@pytest.mark.slow
@of_every_task(NUMBERS)
def test_a_right_answer_in_another_form_is_accepted(number, task):
    """Each form with another one of the task's listed answers, in turn: in all visible cases
    and in every eighth hidden one.
    """
    hidden = hidden_cases(number, task.name, 0)
    sources = import_module(f"rlcourse.checks.answers{number}").RIGHT[task.name]
    for place, form in enumerate(FORMS):
        names = {}
        exec(sources[place % len(sources)], names)
        target = names[task.function]
        forms = (form, as_something) if isinstance(target, type) else (form,)
        for rewriting in forms:
            function = rewritten(target, rewriting)
            result = asked(task, [*task.visible, *hidden[place :: len(FORMS)]], function)
            assert result.outcome is Outcome.RIGHT, (rewriting.__name__, result)


def asked(task, cases, function):
    """What becomes of the cases."""
    desk = Desk()
    return examine(task, cases, lambda case: call(function, case.question(), desk))


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        ((k * k for k in range(3)), [0, 1, 4]),
        ({"a": 1}.keys(), ["a"]),
        (deque([1, 2]), [1, 2]),
        ((np.array(1.5), [range(2)]), (1.5, [[0, 1]])),
        ([np.zeros(1), np.ones(1, int)] * 40, [[0.0], [1.0]] * 40),
    ],
)
def test_what_gives_its_items_one_by_one_is_a_list(answer, plain):
    reply = call(lambda: answer, Case(()).question())
    assert reply.status == "answer"
    given = reply.answer.tolist() if isinstance(reply.answer, np.ndarray) else reply.answer
    assert given == plain


def test_a_generator_without_an_end_is_too_large():
    assert call(lambda: itertools.count(), Case(()).question()).status == "too_large"
