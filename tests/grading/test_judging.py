"""Judges: what counts as equal, which mistake is named, and the exact error rates
of the test of distribution.
"""

import random
import secrets
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlcourse.checks import get_sheet, judging, task
from rlcourse.checks.binomial import power, ranges
from rlcourse.checks.calling import call
from rlcourse.checks.difference import Compared, Ways, in_ways
from rlcourse.checks.examining import combine, examine
from rlcourse.checks.judging import (
    FALSE_ALARM,
    Frequencies,
    Key,
    Orders,
    alarm_share,
    by_frequencies,
    by_key,
    by_orders,
    difference,
)
from rlcourse.checks.plain import Position, Rng
from rlcourse.checks.task import Case, Mark, Outcome, Reply, Task

TWO = np.array([0.5, 1.0])


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([0.5, 1.0], TWO),
        ((0.5, 1), TWO),
        (np.array([0.5, 1.0], np.float32), TWO),
        (np.array([0.5, 1.0 + 1e-9]), TWO),
        (1, 1.0),
        (np.array(1.0), 1.0),
        (np.array(3), 3),
        (None, None),
        ("a", "a"),
        (True, True),
        ([np.array([0.5, 1.0]), 2], (TWO, 2)),
        ({"a": 1, "b": 2.0}, {"b": 2.0, "a": 1}),
        (np.array([[1.0, 2.0], [3.0, 4.0]]), (np.array([1.0, 2.0]), np.array([3.0, 4.0]))),
        (np.array([True, False]), np.array([True, False])),
        ([], np.zeros(0)),
    ],
)
def test_equal_in_every_way_that_is_equally_right(answer, expected):
    assert difference(answer, expected) is None


@pytest.mark.parametrize(
    ("answer", "expected", "mistake"),
    [
        (np.array([0.5, 1.1]), TWO, "other"),
        (np.array([[0.5, 1.0]]), TWO, "shape"),
        (np.array([0.5, np.nan]), TWO, "not_finite"),
        (np.array([0.5, np.inf]), TWO, "not_finite"),
        (None, TWO, "kind"),
        ("0.5", 0.5, "kind"),
        (True, 1.0, "kind"),
        (np.array([True, True]), TWO, "kind"),
        ([[0.5], [1.0, 2.0]], TWO, "kind"),
        (["a", "b"], TWO, "kind"),
        ([0.5, None], TWO, "kind"),
        ({"a": 1}, TWO, "kind"),
        (np.array([1.0]), 1.0, "shape"),
        (True, 1, "kind"),
        (1.0, 1, "kind"),
        (2, 1, "other"),
        (1, True, "kind"),
        (0, None, "kind"),
        ((TWO,), (TWO, TWO), "shape"),
        (5, (TWO, TWO), "kind"),
        ({"a": 1}, {"b": 1}, "shape"),
        ([10**18, 1], TWO, "other"),
    ],
)
def test_every_other_answer_is_told_why(answer, expected, mistake):
    assert difference(answer, expected).mistake == mistake


def task_of(*mistakes: str, cases=(), judge=by_key) -> Task:
    return Task(
        "t",
        10,
        5,
        1,
        "f",
        judge,
        cases=lambda rng: cases,
        mistakes={name: f"words of {name}" for name in mistakes},
    )


def test_the_mistake_is_named_that_explains_all_cases():
    """a and b coincide in the first case; the second, where the answer is
    right, would have shown b.
    """
    marks = [Mark(0.0, "b", ("b", "a")), Mark(1.0, "", ("a",), compared=("a", "b"))]
    assert combine(task_of("b", "a"), marks).mistake == "a"


def test_a_mistake_is_not_named_when_a_right_case_excludes_it():
    """The wrong answer fits the slip by accident; where the slip would have
    shown, the answer is right.
    """
    cases = [Case((1,), Key(2.0, {"half": 1.0})), Case((3,), Key(6.0, {"half": 3.0}))]
    result = examine(
        task_of("half"), cases, lambda case: Reply("answer", {1: 1.0, 3: 6.0}[case.args[0]])
    )
    assert result.mistake == "other"


def test_two_mistakes_that_explain_everything_are_both_told():
    case = Case((), Key(2.0, {"half": 1.0, "less": 1.0, "third": 0.7}))
    result = examine(task_of("half", "less", "third"), [case], lambda case: Reply("answer", 1.0))
    assert (result.mistake, result.message) == ("half", "words of half Or: words of less")


def test_a_mistake_that_is_made_in_several_ways_is_named_by_each_of_them():
    asked = Case((), Key(2.0, {"half": Ways((1.0, 0.5)), "third": 0.7}))
    for answer, mistake in ((1.0, "half"), (0.5, "half"), (0.7, "third"), (0.6, "other")):
        assert by_key(asked, answer).mistake == mistake
    assert in_ways([1.0, [1.0]]) == Ways((1.0, [1.0])) and in_ways([1.0, np.float64(1)]) == 1.0


def test_of_two_mistakes_with_several_ways_no_way_of_one_is_a_way_of_the_other():
    one, other, third = Ways((1, [2])), Ways(([2], 3)), Ways((3, 4))
    assert difference(one, other) is None and difference(other, third) is None
    assert difference(one, third) is not None and difference(2, one) is not None


def test_what_a_task_does_not_list_is_named_where_none_of_its_mistakes_explains_the_answer():
    """So is told who answers a variant as the sheet was last year."""
    one, none = (
        examine(
            task_of("half"),
            [Case((), Key(2.0, {"half": half, "convention": 1.0}))],
            lambda case: Reply("answer", 1.0),
        )
        for half in (1.0, 0.5)
    )
    assert (one.mistake, one.message) == ("half", "words of half")
    assert none.mistake == "convention" and "another variant" in none.message


def test_what_a_function_chooses_is_not_told_of_a_hidden_case():
    """The shape of the answer is chosen by the function, which could
    write its arguments into it.
    """
    case, reply = Case((7,), Key(np.zeros(2))), Reply("answer", np.zeros(7))
    hidden = examine(task_of(), [case], lambda case: reply)
    shown = examine(task_of(), [case], lambda case: reply, visible=True)
    assert (
        "7" not in hidden.message
        and "got shape (7,)" in hidden.private
        and "7" not in shown.message
        and "got shape (7,)" in shown.private
    )


def test_two_mistakes_at_once_are_not_called_one_of_them():
    marks = [Mark(0.0, "a", ("a",)), Mark(0.0, "b", ("b",))]
    assert combine(task_of("a", "b"), marks) == Mark(0.0, "other")


def test_an_answer_that_no_slip_explains_is_told_what_is_strange_about_it():
    marks = [Mark(0.0, "a", ("a",)), Mark(0.0, "shape", (), "got (2, 1)")]
    assert combine(task_of("a"), marks) == Mark(0.0, "shape", (), "got (2, 1)")


def test_the_worst_case_decides_the_score():
    assert combine(task_of(), [Mark(1.0), Mark(0.25, "shape"), Mark(0.5, "shape")]).score == 0.25


@pytest.mark.parametrize(
    ("reply", "outcome", "mistake"),
    [
        (Reply("answer", 2.0), Outcome.RIGHT, ""),
        (Reply("answer", 1.0), Outcome.WRONG, "half"),
        (Reply("answer", 7.0), Outcome.WRONG, "other"),
        (Reply("blank"), Outcome.BLANK, ""),
        (Reply("raised", None, "ValueError: no"), Outcome.RAISED, ""),
        (Reply("missing"), Outcome.MISSING, ""),
        (Reply("withheld"), Outcome.WRONG, "imported"),
        (Reply("not_plain", None, "set"), Outcome.WRONG, "kind"),
        (Reply("crashed"), Outcome.CRASHED, ""),
        (Reply("timed_out"), Outcome.TIMED_OUT, ""),
    ],
)
def test_outcomes_are_told_apart(reply, outcome, mistake):
    result = examine(task_of("half"), [Case((), Key(2.0, {"half": 1.0}))], lambda case: reply)
    assert (result.outcome, result.mistake) == (outcome, mistake)
    assert result.points == (10.0 if outcome is Outcome.RIGHT else 0.0)


def test_an_answer_on_which_the_judge_fails_is_wrong():
    def judge(case, answer):
        return 1 // 0

    result = examine(task_of(judge=judge), [Case(())], lambda case: Reply("answer", 1))
    assert (result.outcome, result.mistake) == (Outcome.WRONG, "kind")


def test_secrets_are_not_part_of_the_question():
    question = Case((1, 2), secret=Key(3), title="three").question()
    assert "secret" not in question and "title" not in question and 3 not in question["args"]


# --- distributions --------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.integers(1, 3000), st.lists(st.integers(0, 20), min_size=2, max_size=6).filter(any))
def test_the_ranges_leave_out_at_most_the_share(n, weights):
    """By summing the binomial probabilities themselves, with logarithms of factorials."""
    from scipy.special import gammaln

    p = np.array(weights) / sum(weights)
    low, high = ranges(n, p, 1e-3)
    k = np.arange(n + 1)
    outside = 0.0
    for a in range(len(p)):
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = (
                gammaln(n + 1)
                - gammaln(k + 1)
                - gammaln(n - k + 1)
                + k * np.log(p[a])
                + (n - k) * np.log1p(-p[a])
            )
        mass = np.exp(logs) if 0 < p[a] < 1 else (k == round(p[a]) * n).astype(float)
        outside += mass[(k < low[a]) | (k > high[a])].sum()
    assert outside <= 1e-3 * (1 + 1e-6)


def test_right_draws_are_accepted_and_slips_named_many_times():
    right, slip = np.array([0.3, 0.0, 0.7]), np.array([0.45, 0.0, 0.55])
    case = Case((), Frequencies(right, {"slip": slip}), calls=2000)
    assert power(2000, right, slip, FALSE_ALARM) > 0.999
    rng = np.random.default_rng(0)
    for _ in range(300):
        assert by_frequencies(case, rng.choice(3, 2000, p=right).tolist()).score == 1.0
        assert by_frequencies(case, rng.choice(3, 2000, p=slip).tolist()).mistake == "slip"


def test_an_impossible_action_is_wrong_at_once_and_odd_answers_are_told():
    case = Case((), Frequencies(np.array([1.0, 0.0])), calls=1000)
    assert by_frequencies(case, [0] * 1000).score == 1.0
    assert by_frequencies(case, [0] * 999 + [1]).mistake == "distribution"
    for odd in (
        [0] * 999 + [2],
        [0] * 999 + [-1],
        [0.0] * 1000,
        [True] * 1000,
        ["a"] * 1000,
        [None] * 1000,
        5,
    ):
        assert by_frequencies(case, odd).mistake == "kind"


def test_power_of_a_slip_is_what_simulation_says():
    right, slip = np.array([0.5, 0.5]), np.array([0.6, 0.4])
    predicted = power(500, right, slip, 1e-3)
    counts = np.random.default_rng(1).binomial(500, 0.6, 20_000)
    low, high = ranges(500, right, 1e-3)
    assert abs(np.mean((counts < low[0]) | (counts > high[0])) - predicted) < 0.015


# --- own random numbers, changed arguments --------------------------------------------------------

FAIR = np.full(3, 1 / 3)
TOSSES = [
    Case((Rng(1),), Frequencies(FAIR, {}, alarm_share(2)), calls=1000),
    Case((Rng(2),), Frequencies(FAIR, {}, alarm_share(2)), calls=1000),
]


def asked(function, cases=TOSSES):
    """The result of a random function that is called as a notebook calls it."""
    return examine(
        task_of(judge=by_frequencies), cases, lambda case: call(function, case.question())
    )


def global_state(rng):
    return int(np.random.randint(3))


def module_random(rng):
    return random.randrange(3)


def no_seed(rng):
    return int(np.random.default_rng().integers(3))


def seeded_by_time(rng):
    return int(np.random.default_rng(time.perf_counter_ns()).integers(3))


def from_the_system(rng):
    return secrets.randbelow(3)


def in_part(rng):
    """Nine draws of ten are from rng, the tenth is not."""
    drawn = int(rng.integers(10))
    return int(np.random.default_rng().integers(3)) if drawn == 9 else drawn % 3


COUNT = iter(range(10**9))


def counted(rng):
    """No chance at all, and the right frequencies."""
    return next(COUNT) % 3


@pytest.mark.parametrize(
    "function",
    [global_state, module_random, no_seed, seeded_by_time, from_the_system, in_part, counted],
)
def test_random_numbers_of_its_own_are_told_as_such(function):
    assert {asked(function).mistake for _ in range(20)} == {"rng"}


def test_one_fixed_stream_of_its_own_is_told_as_such():
    """Equal answers to equal questions, and to unequal ones."""

    def draft(names, places, n, rng):
        return np.random.default_rng(len(names)).integers(3, size=(n, 1))

    orders = Orders(3, 1, Frequencies(FAIR))
    cases = [Case((np.ones(3), 1, 1000, Rng(4)), orders, draws_at=2)]
    result = examine(task_of(judge=by_orders), cases, lambda case: call(draft, case.question()))
    assert result.mistake == "rng"


def test_one_list_that_comes_every_time_is_told_so_where_a_slip_gives_one_list_too():
    """Of two names in two places sorted lists are all 0, 1; of one place they are as they come."""

    def once(names, places, n, rng):
        return [list(range(places))] * n

    two = Orders(2, 2, Frequencies(np.array([0, 0.5, 0.5, 0]), {"sorted": np.eye(4)[1]}))
    one = Orders(2, 1, Frequencies(np.array([0.5, 0.5]), {"sorted": np.array([0.5, 0.5])}))
    cases = [
        Case((2, 2, 1000, Rng(4)), two, draws_at=2),
        Case((2, 1, 1000, Rng(4)), one, draws_at=2),
    ]
    task = task_of("sorted", "repeated", judge=by_orders)
    assert examine(task, cases, lambda case: call(once, case.question())).mistake == "repeated"


def test_the_lists_whose_frequency_is_furthest_off_are_shown():
    """Four draws of two names, 1 and 2: 1, 2 comes three times, and a name twice once."""
    orders = Orders(2, 2, Frequencies(np.array([0, 0.5, 0.5, 0])), lowest=1)
    assert orders.compared([[1, 2], [1, 2], [1, 2], [2, 2]]) == Compared(
        "The answer 2, 2 should never come; it came in 25.0% of the draws.",
        (
            ("1, 2", "0.500", "0.750"),
            ("2, 1", "0.500", "0.000"),
            ("2, 2", "0.000", "0.250"),
        ),
    )


def test_a_visible_check_of_orders_shows_what_was_expected_and_what_came(capsys):
    def by_name(tickets, places, n, rng):
        return [[0, 1]] * (n // 2) + [[1, 0]] * (n // 2)

    get_sheet("01").check("draft", by_name)
    printed = capsys.readouterr().out
    assert "        expected       got\n" in printed and "  0, 1     0.333     0.500\n" in printed


def test_an_array_of_one_action_now_and_then_is_told_so(capsys):
    """`rng.choice(moves, size=1)` in one branch of two."""

    def choose(q, visits, legal, player, epsilon, rng):
        return rng.choice(4, size=1) if rng.random() < 0.5 else rng.choice(4)

    get_sheet("02").check("choose", choose)
    printed = capsys.readouterr().out
    assert "Expected a whole number at every call, got a list or an array." in printed


def test_a_generator_made_from_the_argument_is_right():
    def spawned(rng):
        return int(np.random.default_rng(rng.integers(2**32)).integers(3))

    assert {asked(spawned).outcome for _ in range(20)} == {Outcome.RIGHT}
    assert asked(lambda rng: rng.integers(3)).outcome is Outcome.RIGHT


def test_an_answer_without_a_choice_may_be_equal_for_all_generators():
    sure = [Case((Rng(1),), Frequencies(np.array([0.0, 1.0])), calls=1000)]
    assert asked(lambda rng: 1, sure).outcome is Outcome.RIGHT
    assert sure[0].secret.coincidence(100) == 1.0 and TOSSES[0].secret.coincidence(100) < 1e-40


@pytest.mark.parametrize(
    ("given", "change"),
    [
        (np.zeros(3), lambda x: x.__setitem__(1, 1e-300)),
        ([1, 2], lambda x: x.append(3)),
        ([1, 2], lambda x: x.reverse()),
        ({"a": 1}, lambda x: x.pop("a")),
        ({"a": [np.zeros(2)]}, lambda x: x["a"][0].fill(1)),
        ([(1, [2])], lambda x: x[0][1].clear()),
        (np.zeros(3), lambda x: x.resize((2, 1), refcheck=False)),
        (Position("tic-tac-toe:........."), lambda x: object.__setattr__(x, "cells", b"\1" * 9)),
    ],
    ids=["cell", "append", "reverse", "pop", "nested-array", "nested-list", "shape", "position"],
)
def test_changed_arguments_are_seen_in_every_case(given, change):
    def function(argument):
        change(argument)
        return 1.0

    case = Case((given,), Key(1.0))
    result = examine(task_of(), [case], lambda case: call(function, case.question()))
    assert (result.outcome, result.mistake) == (Outcome.WRONG, "changed")
    assert (
        examine(task_of(), [case], lambda case: call(lambda x: 1.0, case.question())).outcome
        is Outcome.RIGHT
    )


def test_changed_arguments_are_told_only_where_the_values_are_right():
    case = Case((np.zeros(3),), Key(1.0, {"half": 0.5}))
    for value, mistake in ((0.5, "half"), (1.0, "changed"), (7.0, "changed")):
        result = examine(
            task_of("half"), [case], lambda case, value=value: Reply("changed", value, "argument 1")
        )
        assert result.mistake == mistake


def test_sheets_that_were_handed_out_before_have_their_share_of_false_alarms():
    """Their visible.py says `Frequencies(..., share=rate(4))`."""
    assert judging.rate(4) == FALSE_ALARM / 4


def test_an_answer_that_should_never_come_and_never_came_is_in_no_table():
    key = Frequencies(np.array([0.0, 0.5, 0.5, 0.0]))
    rows = key.compared([0] * 3 + [1] * 7).rows
    assert [row[0] for row in rows] == ["0", "1", "2"]


def test_a_sheet_handed_out_before_finds_the_names_that_it_imports():
    assert task.Verdict is Mark
    assert judging.rate is alarm_share
