"""A function that remembers an argument from an earlier call is refused, in every task."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.calling import Desk, call
from rlcourse.checks.examining import examine
from rlcourse.checks.judging import Key, by_key
from rlcourse.checks.neighbours import Neighbours
from rlcourse.checks.plain import Position, Rng, encode
from rlcourse.checks.task import GENERAL_MISTAKES, Case, Outcome, Result, Task
from rlcourse.games import GameState
from tests.grading.course import NUMBERS, hidden_cases, of_every_task
from tests.wrong_answers.trial import right_function

SEED = 3
# Arguments that the others determine, or that do not matter: a key may leave them out.
NEEDLESS = {
    (
        "box_returns",
        0,
    ): "the boxes tell the movers, but for who begins: that is the same to both",
    ("two_estimates", 1): "every state occurs in the episodes",
    ("nim_search", 0): "the table has a value for each heap up to this one",
    ("box_backup", 6): "who closes a box moves again: the last move tells who is next",
    ("search_chances", 1): "Q is there to be left alone",
    ("hex_examples", 1): "the stones tell who is to move",
}


def told(task: Task, cases: list[Case], function: Callable) -> Result:
    """The result of a function that is asked in this process."""
    desk = Desk()
    return examine(task, cases, lambda case: call(function, case.question(), desk))


def remembering(
    function: Callable, place: int, part: Callable[[Any], Any], draws_at: int | None = None
) -> Callable:
    """The function with a memo: of one argument its key has only a part."""
    memo = {}

    def answer(*args: Any) -> Any:
        shown = [part(arg) if k == place else arg for k, arg in enumerate(args) if k != draws_at]
        key = encode(
            [
                str(arg) if callable(arg) or isinstance(arg, GameState) else arg
                for arg in shown
                if not is_rng(arg)
            ]
        )
        first = memo.setdefault(key, deepcopy(args[place]))
        return function(*args[:place], first, *args[place + 1 :])

    return answer


def is_rng(value: Any) -> bool:
    return isinstance(value, np.random.Generator)


def arguments(task: Task, kinds: tuple[type, ...]) -> Iterator[int]:
    """Numbers of the arguments of these kinds that matter."""
    for place, value in enumerate(task.visible[0].args):
        if isinstance(value, kinds) and (task.name, place) not in NEEDLESS:
            yield place


@of_every_task(NUMBERS)
def test_a_memo_whose_key_leaves_an_argument_out_is_refused(number, task):
    function, cases = right_function(number, task.name), hidden_cases(number, task.name, SEED)
    for place in arguments(task, (bool, int, float, tuple, list, dict, np.ndarray, Position)):
        if place == cases[0].draws_at:
            continue  # how many draws there are shows in the shape
        result = told(
            task, cases, remembering(function, place, lambda arg: None, cases[0].draws_at)
        )
        assert result.outcome in (Outcome.WRONG, Outcome.RAISED), (place, result)


@of_every_task(NUMBERS)
def test_a_memo_by_identity_is_refused(number, task):
    function, cases = right_function(number, task.name), hidden_cases(number, task.name, SEED)
    if any(case.draws for case in cases):
        pytest.skip("it takes seconds, and the memos above are refused")
    for place in arguments(task, (np.ndarray,)):
        result = told(task, cases, remembering(function, place, id, cases[0].draws_at))
        assert result.outcome in (Outcome.WRONG, Outcome.RAISED), (place, result)


def test_a_memo_by_what_an_array_adds_up_to_is_refused():
    for number, name, place in (
        ("07", "exact_advantages", 2),
        ("09", "search_chances", 0),
        ("07", "points_advantages", 0),
    ):
        task, cases = get_sheet(number).task(name), hidden_cases(number, name, SEED)
        function = remembering(
            right_function(number, name), place, lambda array: round(float(array.sum()), 9)
        )
        assert told(task, cases, function).outcome is Outcome.WRONG, name


def doubles(x: np.ndarray, y: float) -> np.ndarray:
    return 2 * x + y


def doubling(*pairs: tuple[list[float], float]) -> tuple[Task, list[Case]]:
    """A task, twice x plus y, and its cases."""
    cases = [Case((np.array(x), y), Key(2 * np.array(x) + y)) for x, y in pairs]
    return Task(
        "t", 10, 5, 1, "f", by_key, cases=lambda rng: cases, domain=lambda x, y: x.ndim == 1
    ), cases


DOUBLING = doubling(([1.0, 2.0], 3.0), ([4.0, 6.0], 5.0))


def test_a_memo_is_told_that_nothing_is_remembered():
    result = told(*DOUBLING, remembering(doubles, 1, lambda arg: None))
    assert (
        result.mistake == "other"
        and "nothing is remembered" in result.message == GENERAL_MISTAKES["other"]
    )


def test_a_memo_with_all_arguments_in_its_key_is_right():
    for place in (0, 1):
        assert (
            told(*DOUBLING, remembering(doubles, place, lambda arg: arg)).outcome is Outcome.RIGHT
        )


def test_one_array_that_is_returned_each_time_is_told():
    kept = np.zeros(2)

    def overwriting(x, y):
        kept[:] = doubles(x, y)
        return kept

    result = told(*DOUBLING, overwriting)
    assert (result.outcome, result.mistake) == (Outcome.WRONG, "overwritten")


def test_an_argument_may_be_returned_and_a_memo_may_return_its_own_array():
    task, cases = (
        DOUBLING[0],
        [Case((np.array(x), 1.0), Key(np.array(x))) for x in ([1.0, 2.0], [3.0, 4.0])],
    )
    memo = {}
    for same in (
        lambda x, y: x,
        lambda x, y: x[:],
        lambda x, y: memo.setdefault(x.tobytes(), x.copy()),
    ):
        assert told(task, cases, same).outcome is Outcome.RIGHT


def test_a_neighbour_that_raises_costs_nothing_and_one_that_hangs_is_the_last():
    task, cases = DOUBLING
    neighbours = Neighbours(cases, task.domain)
    asked = []
    neighbours.ask(0, asked.append)
    assert (
        all(encode(question.args) != encode(cases[0].args) for question in asked)
        and len(asked) == 4
    )
    assert Neighbours(cases, None).ask(0, asked.append) == []

    def careful(x, y):
        if [x.tolist(), y] not in ([[1.0, 2.0], 3.0], [[4.0, 6.0], 5.0]):
            raise ValueError("no case of the task")
        return doubles(x, y)

    assert told(task, cases, careful).outcome is Outcome.RIGHT


def test_visible_checks_and_tasks_without_a_domain_ask_their_cases_alone():
    task, cases = DOUBLING
    asked = []

    def ask(case):
        asked.append(case)
        return call(doubles, case.question())

    examine(task, cases, ask, visible=True)
    assert asked == cases


@of_every_task(NUMBERS)
def test_neighbours_lie_in_the_domain_and_a_right_answer_answers_them(number, task):
    cases, asked = hidden_cases(number, task.name, SEED), []
    function = right_function(number, task.name)

    def ask(case):
        asked.append(call(function, case.question()))
        return asked[-1]

    assert examine(task, cases, ask).outcome is Outcome.RIGHT
    assert {reply.status for reply in asked} <= {"answer", "changed"}
    matters = {
        place for place, value in enumerate(task.visible[0].args) if not isinstance(value, Rng)
    }
    assert len(asked) > len(cases) or not matters
