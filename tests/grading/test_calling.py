"""The student's side of a case: markers, scripts for classes, watched arguments, and
everything that is not an answer.
"""

import builtins
import sys
from collections import namedtuple

import numpy as np
import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.calling import call, kind_of
from rlcourse.checks.plain import Position, Rng
from rlcourse.checks.quiet import quiet_stderr
from rlcourse.checks.task import GENERAL_MISTAKES, Case, Outcome
from rlcourse.checks.withholding import withheld
from tests.grading.course import NUMBERS


def ask(function, *args, **options):
    return call(function, Case(args, **options).question())


def test_an_answer_is_plain_and_arguments_are_copies():
    given = np.arange(3.0)

    def spoil(array):
        array[:] = 9
        return array.sum()

    assert ask(spoil, given)[:2] == ("changed", 27.0)
    assert given.tolist() == [0.0, 1.0, 2.0]


def test_many_calls_share_one_generator_and_get_fresh_copies():
    def draw(rng, seen):
        seen.append(1)
        return int(rng.integers(1000)) if len(seen) == 1 else -1

    expected = np.random.default_rng(5)
    assert ask(draw, Rng(5), [], calls=4).answer == [int(expected.integers(1000)) for _ in range(4)]


def test_a_class_is_tried_by_a_script():
    class Counter:
        def __init__(self, start):
            self.total = [start]

        def add(self, x):
            self.total[0] += x
            return self.total

    script = (("add", (2,)), ("add", (5,)), ("total", ()))
    assert ask(Counter, 1, script=script).answer == [[3], [8], [8]]


def test_watched_arguments_are_part_of_the_answer():
    def update(table, row):
        table[row] += 1.0

    result, (table,) = ask(update, np.zeros(2), 1, watch=(0,)).answer
    assert result is None and table.tolist() == [0.0, 1.0]


def test_positions_are_recipes():
    def last(position):
        return max(position.legal_moves())

    assert ask(last, Position("tic-tac-toe:X.......O")).answer == 7


def stop(*_):
    raise NotImplementedError


def divide(x):
    return 1 // x


@pytest.mark.parametrize(
    ("function", "status"),
    [
        (stop, "blank"),
        (divide, "raised"),
        (lambda x: {1, 2}, "not_plain"),
        (7, "missing"),
        (lambda: 1, "raised"),
    ],
)
def test_what_is_not_an_answer(function, status):
    assert ask(function, 0).status == status


def test_what_is_begun_and_still_raises_the_error_of_a_blank_is_not_called_blank():
    """The line that was not deleted, below an answer; a method that is still to be written."""

    def begun(x):
        total = 0.0
        raise NotImplementedError(total)

    class Half:
        def __init__(self, rows):
            self.rows = rows

        def add(self, row):
            raise NotImplementedError

    class Blank:
        def __init__(self, rows):
            raise NotImplementedError

        def add(self, row):
            raise NotImplementedError

    script = (("add", (1,)),)
    assert ask(begun, 0).status == ask(Half, [], script=script).status == "raised"
    assert ask(Blank, [], script=script).status == "blank"


def test_a_step_of_a_script_may_give_rows_with_names():
    Row = namedtuple("Row", "state move")

    class Keeper:
        rows = (Row(1, 2),)

    assert ask(Keeper, script=(("rows", ()),)).answer == [((1, 2),)]


def test_a_class_is_asked_for_where_one_is():
    assert ask(7, 0).error == "a function is asked for; this is int"
    assert ask(7, 0, script=(("add", ()),)).error == "a class is asked for; this is int"


def test_an_object_that_fights_back_is_no_answer():
    class Hostile(np.ndarray):
        @property
        def dtype(self):
            raise RuntimeError("boo")

    assert ask(lambda: np.zeros(2).view(Hostile)).status == "not_plain"


class Tensor:
    """As those of TensorFlow and PyTorch, or a Series of pandas."""

    def __init__(self, numbers):
        self.numbers = numbers

    def __array__(self, *_, **__):
        return np.array(self.numbers)


def test_a_tensor_is_an_array():
    answer = ask(lambda: [Tensor([1.0, 2.0]), Tensor(3)]).answer
    assert answer[0].tolist() == [1.0, 2.0] and answer[1] == 3


def test_a_mask_is_not_passed_over():
    reply = ask(lambda: np.ma.masked_array([1.0, 2.0], [False, True]))
    assert reply.status == "not_plain" and "filled" in reply.error
    whole = ask(lambda: np.ma.masked_array([1.0, 2.0], [False, False]))
    assert whole.answer.tolist() == [1.0, 2.0]


def test_an_error_without_a_text_is_an_error():
    class Mute(Exception):
        def __str__(self):
            raise self

    def fail(x):
        raise Mute

    assert ask(fail, 0).status == "raised"


def test_a_withheld_reference_raises_and_comes_back_afterwards():
    from rlcourse.checks import oracle02

    names = ("rlcourse.checks.oracle02:sweep",)
    kept = oracle02.sweep
    code = kept.__code__
    with withheld(names):
        assert ask(lambda: oracle02.sweep(1)).status == "withheld"
        assert ask(lambda: kept(1)).status == "withheld", "a name bound before"
    assert oracle02.sweep is kept and kept.__code__ is code
    assert ask(lambda: oracle02.sweep(1)).status == "raised"


def test_a_module_is_withheld_with_all_that_it_makes():
    from rlcourse import sampling

    before = dict(vars(sampling))
    with withheld(("rlcourse.sampling",)):
        for name in ("softmax", "categorical", "NotADistribution"):
            assert ask(lambda name=name: getattr(sampling, name)()).status == "withheld", name
        assert sampling.np is before["np"] and sampling.CLIP == before["CLIP"]
    assert vars(sampling) == before and ask(lambda: sampling.softmax(np.ones(2))).status == "answer"


def test_a_withheld_class_raises_too():
    import fractions

    with withheld(("fractions:Fraction",)):
        assert ask(lambda: fractions.Fraction(1)).status == "withheld"
    assert fractions.Fraction(1, 2) * 2 == 1


def test_nothing_reaches_stderr_and_everything_is_collected(capfd):
    import logging
    import os

    handler = logging.StreamHandler(sys.stderr)  # keeps the stream of now
    logger = logging.getLogger("student")
    logger.addHandler(handler)
    try:
        with quiet_stderr() as text:
            print("two", file=sys.stderr)
            logger.warning("three")
            os.write(2, b"four\n")
    finally:
        logger.removeHandler(handler)
    print("after", file=sys.stderr)
    assert capfd.readouterr().err == "after\n"
    assert all(word in text.getvalue() for word in ("two", "three", "four"))


def test_a_list_of_equal_arrays_is_an_array():
    """One array a draft, a list of thousands: more arrays than a frame holds."""
    reply = ask(lambda: [np.array([k, 1]) for k in range(5000)])
    assert reply.status == "answer" and np.asarray(reply.answer).tolist() == [
        [k, 1] for k in range(5000)
    ]
    assert ask(lambda: ([np.zeros(2)] * 100, [np.ones(3)] * 100)).status == "answer"
    assert ask(lambda: [[np.zeros(1), np.ones(1)]] * 100).answer.shape == (100, 2, 1)
    assert np.asarray(ask(lambda k: np.array(k), 3, calls=100).answer).tolist() == [3] * 100
    one, other = ask(lambda: (np.zeros(2), np.ones(2))).answer
    assert one.tolist() == [0, 0] and other.tolist() == [1, 1]


def test_the_changed_argument_is_named_wherever_it_was_handed_over():
    class Keeper:
        def __init__(self, row):
            self.row = row

        def add(self, x):
            x.append(1)

        def late(self):
            self.row[0] = 5

    assert ask(lambda a, b: b.append(1), [1], [2]).error == "argument 2"
    assert ask(Keeper, [0], script=(("add", ([1],)), ("row", ()))).error == "argument 1 of add"
    assert ask(Keeper, [0], script=(("late", ()),)).error == "argument 1 of __init__"
    assert ask(Keeper, [0], script=(("late", ()), ("add", ([],)))).error == "argument 1 of __init__"
    assert ask(Keeper, [0], script=(("row", ()),)).status == "answer"
    assert ask(lambda a: a.append(1), [1], watch=(0,)).status == "answer"
    assert ask(lambda a: a.append(1), [1], calls=3).status == "changed"


@pytest.mark.parametrize("number", NUMBERS)
def test_a_function_can_choose_among_fewer_than_64_sentences_of_feedback(number):
    """docs/grading.md says so: about 6 bits on the hidden cases of a task."""
    for task in get_sheet(number).tasks:
        kinds = {
            kind_of(f"{name}: x") for name in (*vars(builtins), "LinAlgError", "AxisError", "Own")
        }
        assert len(kinds) == 18
        assert len({*task.mistakes, *GENERAL_MISTAKES}) + len(kinds) + len(Outcome) < 64, task.name
