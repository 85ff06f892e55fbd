"""What the checks say of one changed answer, and whether it is wrong at all.

It is asked as a student's answer is, by the visible check of the notebook and by the examination of
the grader, and stopped as there, only sooner.
"""

import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import replace
from functools import cache
from importlib import import_module
from io import StringIO
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from rlcourse.busy import Deadline
from rlcourse.checks import get_sheet
from rlcourse.checks.calling import Desk, call
from rlcourse.checks.examining import ANSWERED, examine, judged
from rlcourse.checks.judging import Key, Narrow, difference
from rlcourse.checks.limit import TimedOut, time_limit
from rlcourse.checks.numbers import holds
from rlcourse.checks.task import Case, Outcome, Reply, Result, Task
from rlcourse.checks.withholding import withheld
from rlcourse.grading.variants import STEP
from tests.grading.course import hidden_cases
from tests.mutants.making import Mutant

# Each is the secret of a class: a mutant is killed when it fails on all. Where answers are drawn, and
# an examination takes seconds, on the first.
SEEDS = (11, 12)
INPUTS = 2000  # questions from the domain of a task without chance
PATIENCE = 2.0  # seconds for a case, in place of a student's 10; a right answer takes hundredths
ENOUGH = 100.0  # seconds for all questions about a mutant; right answers take some twenty
EXPLAINED = 300  # of them those on which a mistake has to explain each answer


class Domain(NamedTuple):
    """All that a task's text allows its arguments to be.

    draw(rng): a question from anywhere in it. corners: its edges, which a draw seldom meets.
    inputs: how many are drawn.
    """

    draw: Callable[[np.random.Generator], Case]
    corners: Sequence[Case] = ()
    inputs: int = INPUTS


class Fate(NamedTuple):
    """What became of a mutant.

    visible, hidden: "right", the mistake that was named, or how the call ended; hidden of one seed
    that lets it pass, else of the first. offered: the mistakes that the visible check, or a hidden
    one, named. untrue: those of a message in which none explains what it answers all over the
    domain. equal: it gives the right answer all over the domain. facts: what the visible check says
    without a name. narrow: those of them that do not hold all over the domain.
    """

    mutant: Mutant
    visible: str
    hidden: str
    offered: tuple[str, ...] = ()
    untrue: tuple[str, ...] = ()
    equal: bool = False
    facts: tuple[str, ...] = ()
    narrow: tuple[str, ...] = ()


def fate(number: str, name: str, mutant: Mutant) -> Fate:
    """Ask the checks about a mutant of an answer to that task of that sheet."""
    warnings.simplefilter("ignore")
    sheet, asked = get_sheet(number), []
    task = replace(sheet.task(name), seconds=PATIENCE)
    sheet = replace(sheet, tasks=(task,))
    function = answer(mutant.source, task.function)
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        sheet.check(name, function)
        asked.append(sheet.results[name])
        if asked[0].outcome is Outcome.TIMED_OUT:  # the grader waits as long, and hears as little
            return Fate(mutant, *[str(Outcome.TIMED_OUT)] * 2)
        for seed in SEEDS[:1] if task.visible[0].draws else SEEDS:
            asked.append(examined(task, hidden_cases(number, name, seed), function))
        visible, *hidden = map(told, asked)
        wrong = visible != "right" or any(words != "right" for words in hidden)
        passed = "right" if "right" in hidden else hidden[0]
        messages = {tuple(offered(number, task, result)) for result in asked} - {()}
        made = {
            slip: explains(number, task, slip, function)
            for slip in dict.fromkeys(chain.from_iterable(messages))
        }
        untrue = {
            slip for names in messages if not any(made[slip] for slip in names) for slip in names
        }
        equal = not wrong and explains(number, task, "", function)
        facts = asked[0].facts
        narrow = tuple(fact for fact in facts if not holds_everywhere(number, task, fact, function))
    return Fate(mutant, visible, passed, tuple(made), tuple(untrue), equal, facts, narrow)


def answer(source: str, function: str) -> Any:
    """What an answer binds to that name; None where it binds nothing, or ends in an error before."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    with time_limit(10.0), suppress(Exception):
        exec(compile(source, "<answer>", "exec"), scope)
    return scope.get(function)


def told(result: Result) -> str:
    """What was said of an answer, in a word."""
    return "right" if result.outcome is Outcome.RIGHT else result.mistake or str(result.outcome)


def offered(number: str, task: Task, result: Result) -> list[str]:
    """The mistakes that a message names, but for what can be seen at once."""
    return [name for name in slips(number, task.name) if task.message(name) in result.message]


@cache
def slips(number: str, name: str) -> list[str]:
    """The mistakes of a task of which the oracle says what they would answer."""
    shown = get_sheet(number).slips[name].values()
    return list(dict.fromkeys(slip for case in shown for slip in case))


def examined(task: Task, cases: Sequence[Case], function: Any) -> Result:
    """The examination of the grader, with its time limit."""
    desk = Desk()
    return examine(task, cases, lambda case: ask(task, case, function, desk))


def ask(task: Task, case: Case, function: Any, desk: Desk) -> Reply:
    """The reply to a question, with the references withheld."""
    with withheld(task.withheld):
        return reply_in_time(task, case, function, desk)


def reply_in_time(task: Task, case: Case, function: Any, desk: Desk) -> Reply:
    """The reply to a question; a function that does not come to an end is stopped."""
    try:
        with time_limit(task.seconds):
            return call(function, case.question(), desk)
    except TimedOut:
        return Reply("timed_out", None, "no answer in time")


def explains(number: str, task: Task, slip: str, function: Any) -> bool:
    """Whether the function answers as that slip all over the domain; "" is the right answer.

    The right answer never ends in an error, nor in what is no number. An answer with a slip may, as
    if it has a second one, but not always. What takes more than enough time is explained by none.
    """
    deadline = Deadline(ENOUGH)
    desk, fine = Desk(), ("answer", "changed", "raised") if slip else ("answer",)
    answered = False
    cases = domain_cases(number, task.name, slip)  # while the oracle can still be asked
    with withheld(task.withheld):
        for case in cases:
            reply = reply_in_time(task, case, function, desk)
            if deadline.over() or reply.status not in fine:
                return False
            if reply.status == "raised":
                continue  # an error is no answer, and whoever meets it is told of it
            mark = judged(task, case, reply.answer)
            if slip and mark.mistake == "not_finite":
                continue  # nor is what is no number
            if slip not in mark.fits if slip else mark.score < 1.0:
                return False
            answered = True
    return answered


def holds_everywhere(number: str, task: Task, fact: str, function: Any) -> bool:
    """Whether a fact is true of what the function answers all over the domain; of a slow one, of
    what it answers in enough time.
    """
    cases, desk, asked = domain_cases(number, task.name), Desk(), []
    deadline = Deadline(ENOUGH)
    with withheld(task.withheld):
        for case in cases:
            if deadline.over():
                break
            asked.append((case, reply_in_time(task, case, function, desk)))
    answered = [(case, reply) for case, reply in asked if reply.status in ANSWERED]
    return holds(fact, function, answered)


@cache
def domain_cases(number: str, name: str, slip: str = "") -> list[Case]:
    """The corners of a task's domain and questions drawn from it, judged by the right answer.

    Of a slip only the first few, judged by what that slip would answer; it may divide by 0, and
    what is no number says nothing of it.
    """
    if not slip:
        return [
            replace(case, secret=_right(number, name, case)) for case in questions(number, name)
        ]
    return [
        replace(case, secret=secret.with_slips({slip: secret.answers()[slip]}))
        for case, secret in zip(questions(number, name), _secrets(number, name), strict=False)
        if secret is not None and slip in secret.answers() and _finite(secret.answers()[slip])
    ]


@cache
def questions(number: str, name: str) -> list[Case]:
    """The corners of a task's domain and so many questions drawn from it; the same every time."""
    domain: Domain = import_module(f"tests.mutants.domain{base(number)}").DOMAINS[name]
    rng = np.random.default_rng([7, *name.encode()])
    cases = [*domain.corners, *(domain.draw(rng) for _ in range(domain.inputs))]
    if number == base(number):
        return cases
    picked = import_module(f"rlcourse.checks.variants{number}").CHOSEN
    return [picked[name].case(case) for case in cases] if name in picked else cases


def base(number: str) -> str:
    """The number of the sheet of which this one is a variant; of no variant, its own."""
    return f"{int(number) % STEP:02}"


def _right(number: str, name: str, case: Case) -> Any:
    """What a question is judged by: the first right answer's.

    The oracle's where it draws, where several answers are right, and for a class, whose answers may
    be written in many ways.
    """
    several = not isinstance(get_sheet(number).task(name).visible[0].secret, Key)
    if several or case.draws or case.script:
        return _key(number, name, case).with_slips({})
    right = call(reference(number, name), case.question(), Desk()).answer
    wanted = get_sheet(number).task(name).visible[0].secret.right
    return Key(np.asarray(right) if isinstance(wanted, np.ndarray) else right)


@cache
def reference(number: str, name: str) -> Any:
    """The first of the right answers to a task, with which the oracle agrees."""
    source = import_module(f"rlcourse.checks.answers{number}").RIGHT[name][0]
    return answer(source, get_sheet(number).task(name).function)


@cache
def _secrets(number: str, name: str) -> list[Any]:
    """The oracle's secrets of the first questions, with all slips; None where a slip hangs on rounding."""
    secrets: list[Any] = []
    for case in questions(number, name)[:EXPLAINED]:
        try:
            secrets.append(_key(number, name, case))
        except Narrow:
            secrets.append(None)
    return secrets


def _finite(answer: Any) -> bool:
    """Whether an answer holds finite numbers alone, or none: nan is not equal to itself."""
    return difference(answer, answer) is None


def _key(number: str, name: str, case: Case) -> Any:
    key = get_sheet(number).task(name).key
    assert key is not None
    with np.errstate(all="ignore"):  # a mistake may divide by 0
        return key(case)
