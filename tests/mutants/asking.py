"""What the checks say of one changed answer, and whether it is wrong at all.

It is asked as a student's answer is: by the visible check of the notebook and by the examination of
the grader, with their time limits, in a process of its own kind that the tool can do without.
"""

import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from io import StringIO
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from rlcourse.checks import get_sheet
from rlcourse.checks.calling import Desk, call, withheld
from rlcourse.checks.limit import TimedOut, time_limit
from rlcourse.checks.task import GENERAL_MISTAKES, Case, Outcome, Reply, Result, Task, examine, judged
from tests.mutants.making import Mutant

SEEDS = (11, 12, 13)  # each is the secret of a class: a mutant is killed when it fails on all
INPUTS = 2000  # questions from the domain of a task without chance


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
    domain. equal: it gives the right answer all over the domain.
    """

    mutant: Mutant
    visible: str
    hidden: str
    offered: tuple[str, ...] = ()
    untrue: tuple[str, ...] = ()
    equal: bool = False


def fate(number: str, name: str, mutant: Mutant) -> Fate:
    """Ask the checks about a mutant of an answer to that task of that sheet."""
    warnings.simplefilter("ignore")
    sheet, asked = get_sheet(number), []
    task = sheet.task(name)
    function = answer(mutant.source, task.function)
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        sheet.check(name, function)
        asked.append(sheet.results[name])
        for seed in SEEDS:
            asked.append(examined(task, hidden_cases(number, name, seed), function))
        visible, *hidden = map(told, asked)
        wrong = visible != "right" or any(words != "right" for words in hidden)
        passed = "right" if "right" in hidden else hidden[0]
        messages = {tuple(offered(task, result)) for result in asked} - {()}
        made = {
            slip: explains(number, task, slip, function)
            for slip in dict.fromkeys(chain.from_iterable(messages))
        }
        untrue = {slip for names in messages if not any(made[slip] for slip in names) for slip in names}
        equal = not wrong and explains(number, task, "", function)
    return Fate(mutant, visible, passed, tuple(made), tuple(untrue), equal)


def answer(source: str, function: str) -> Any:
    """What an answer binds to that name; None where it binds nothing."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    with time_limit(10.0):
        exec(compile(source, "<answer>", "exec"), scope)
    return scope.get(function)


def told(result: Result) -> str:
    """What was said of an answer, in a word."""
    return "right" if result.outcome is Outcome.RIGHT else result.mistake or str(result.outcome)


def offered(task: Task, result: Result) -> list[str]:
    """The mistakes of the task's own that a message names, but for what can be seen at once."""
    own = (name for name in task.mistakes if name not in GENERAL_MISTAKES and name != "repeated")
    return [name for name in own if task.words(name) in result.message]


def examined(task: Task, cases: Sequence[Case], function: Any) -> Result:
    """The examination of the grader, with its time limit."""
    desk = Desk()
    return examine(task, cases, lambda case: ask(task, case, function, desk))


def ask(task: Task, case: Case, function: Any, desk: Desk) -> Reply:
    """The reply to a question; a function that does not come to an end is stopped."""
    try:
        with withheld(task.withheld), time_limit(task.seconds):
            return call(function, case.question(), desk)
    except TimedOut:
        return Reply("timed_out", None, "no answer in time")


def explains(number: str, task: Task, slip: str, function: Any) -> bool:
    """Whether the function answers as that slip all over the domain; "" is the right answer."""
    desk = Desk()
    for case in domain_cases(number, task.name):
        own = {slip: case.secret.answers()[slip]} if slip else {}
        case = replace(case, secret=case.secret.with_slips(own))
        reply = ask(task, case, function, desk)
        if reply.status not in (("answer", "changed") if slip else ("answer",)):
            return False
        verdict = judged(task, case, reply.answer)
        if verdict.score < 1.0 if slip == "" else slip not in verdict.fits:
            return False
    return True


@lru_cache(maxsize=None)
def hidden_cases(number: str, name: str, seed: int) -> list[Case]:
    """The hidden cases of a seed, made once a process."""
    return get_sheet(number).task(name).hidden_cases(seed)


@lru_cache(maxsize=None)
def domain_cases(number: str, name: str) -> list[Case]:
    """The corners of a task's domain and so many questions drawn from it, with their secrets."""
    task = get_sheet(number).task(name)
    domain: Domain = import_module(f"tests.mutants.domain{number}").DOMAINS[name]
    rng = np.random.default_rng([7, *name.encode()])
    cases = [*domain.corners, *(domain.draw(rng) for _ in range(domain.inputs))]
    assert task.key is not None
    return [replace(case, secret=task.key(case)) for case in cases]
