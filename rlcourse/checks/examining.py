"""The examination of one task: its cases are put to a function, and the replies become a Result.

It runs on the grader's side, and in the notebook for visible cases.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rlcourse.checks.neighbours import Neighbours
from rlcourse.checks.plain import encode
from rlcourse.checks.task import OVERWRITTEN, REPEATED, Case, Mark, Outcome, Reply, Result, Task

# Beyond this chance two generators may give equal answers, and the case says nothing of them
COINCIDENCE = 1e-9
ANSWERED = ("answer", "changed")
# After these a question more would end no better.
_ENDED = ("withheld", "out_of_memory", "crashed", "timed_out", "unsettled")


def examine(
    task: Task, cases: Sequence[Case], ask: Callable[[Case], Reply], *, visible: bool = False
) -> Result:
    """Put the cases to `ask` and judge the replies. A reply without an answer ends the examination.

    Just before a case its neighbours are asked, which differ from it in one argument; how they are
    answered is not judged.
    visible: whether the cases are those of the notebook, which have no neighbours. No
    message tells what the handed-in function could choose, because it could say a hidden case with
    it; `Result.private` has it.
    """
    outcomes: list[str] = []
    result = _examined(task, cases, ask, outcomes, visible=visible)
    return replace(result, cases=tuple(outcomes))


def _examined(
    task: Task,
    cases: Sequence[Case],
    ask: Callable[[Case], Reply],
    outcomes: list[str],
    *,
    visible: bool,
) -> Result:
    """The result of `examine`, and in `outcomes` that of each case."""
    marks, replies = [], []
    neighbours = Neighbours(cases, None if visible else task.domain)
    for number, case in enumerate(cases):
        ended = next(
            (reply for reply in neighbours.ask(number, ask) if reply.status in _ENDED), None
        )
        reply = ended or ask(case)
        if reply.status not in ANSWERED:
            result = _without_answer(task, reply, number)
            outcomes.append(result.mistake or str(result.outcome))
            return result
        marks.append(judged(task, case, reply.answer))
        outcomes.append("right" if marks[-1].score == 1.0 else marks[-1].mistake or "other")
        replies.append(reply)
        neighbours.answered(reply.answer)
    total = combine(task, marks)
    changed = next((reply for reply in replies if reply.status == "changed"), None)
    if changed is not None and (total.score == 1.0 or total.mistake == "other"):
        total = Mark(
            0.0, "overwritten" if changed.error == OVERWRITTEN else "changed", (), changed.error
        )
    if total.score == 1.0:
        try:
            total = _asked_again(cases, replies, ask)
        except _NoAnswer as none:
            return _without_answer(task, none.args[0], len(cases))
    if total.score == 1.0:
        return Result(task.name, Outcome.RIGHT, 1.0, "", "", float(task.points))
    names = total.fits or (total.mistake,)
    message = " Or: ".join(map(task.message, names))
    points = task.points * total.score
    return Result(
        task.name,
        Outcome.WRONG,
        total.score,
        total.mistake,
        message,
        points,
        total.detail,
    )


class _NoAnswer(Exception):
    """Asked again the hand-in gave no answer. Holds the Reply."""


def _asked_again(
    cases: Sequence[Case], replies: Sequence[Reply], ask: Callable[[Case], Reply]
) -> Mark:
    """Whether all chance comes from the generators that the cases hold.

    An equal generator gives an equal answer; another one gives another answer, but with a chance
    that the secret knows (`coincidence`; a secret without it is sure to tell generators apart).
    Raises _NoAnswer.
    """

    def answer_to(question: Case) -> Any:
        """The answer to a question that was answered before."""
        reply = ask(question)
        if reply.status not in ANSWERED:
            raise _NoAnswer(reply)
        return reply.answer

    for case, reply in zip(cases, replies, strict=True):
        if not case.draws:
            continue
        whole = case.draws_at is None
        first = (
            (reply.answer[:REPEATED] if case.calls > 1 else reply.answer)
            if whole
            else answer_to(case.again(0))
        )
        if not _equal(answer_to(case.again(0)), first):
            return Mark(0.0, "rng", (), "an equal generator gave another answer")
        coincidence = getattr(case.secret, "coincidence", lambda draws: 0.0)
        if coincidence(REPEATED) < COINCIDENCE and _equal(answer_to(case.again(1)), first):
            return Mark(0.0, "rng", (), "another generator gave the same answer")
    return Mark(1.0)


def _equal(one: Any, other: Any) -> bool:
    return encode(one) == encode(other)


def combine(task: Task, marks: Sequence[Mark]) -> Mark:
    """The mark on all cases of a task: the worst case counts, and one mistake is named.

    A mistake is named only if it explains every answer, the right ones included: a slip that would
    have shown in a case where the answer is right was not made. `fits` has all the names that
    explain everything; without chance the hidden cases leave one of them at most.
    """
    failed = [mark for mark in marks if mark.score < 1.0]
    if not failed:
        return Mark(1.0)
    score = min(mark.score for mark in failed)
    excluded = {name for mark in marks for name in mark.compared if name not in mark.fits}

    def explains(name: str) -> bool:
        return name not in excluded and all(name in mark.fits for mark in failed)

    # What the task does not list is the answer to the sheet of which this is a variant.
    names = list(filter(explains, task.mistakes)) or list(filter(explains, failed[0].fits))
    if names:
        return Mark(score, names[0], tuple(names))
    strange = next((mark for mark in failed if mark.mistake not in mark.fits), None)
    return (
        Mark(score, "other")
        if strange is None
        else Mark(score, strange.mistake, (), strange.detail)
    )


def judged(task: Task, case: Case, answer: Any) -> Mark:
    """The task's mark on one answer, whatever that is. Raises nothing but MemoryError."""
    try:
        with np.errstate(all="ignore"):
            return task.judge(case, _asked_for(case, answer))
    except MemoryError:
        raise
    # An answer so odd that it cannot be compared is wrong, not a failure of the grader.
    except Exception as error:
        return Mark(0.0, "kind", (), f"it could not be compared: {type(error).__name__}")


def _asked_for(case: Case, answer: Any) -> Any:
    """The answer, of a script without what steps give that should give nothing.

    The task's text does not say what such steps return.
    """
    right = getattr(case.secret, "right", None)
    if (
        not case.script
        or not isinstance(right, list)
        or not isinstance(answer, list)
        or len(right) != len(answer)
    ):
        return answer
    return [
        None if expected is None else given for expected, given in zip(right, answer, strict=True)
    ]


def _without_answer(task: Task, reply: Reply, number: int) -> Result:
    status, mistake = reply.status, ""
    unwritten = status == "raised" and reply.error.startswith("NotImplementedError")
    if unwritten and not task.worth:
        status = "blank"  # a blank of a lesson is handed out with lines around it
    if status == "blank" and number > 0:
        status = "raised"
    outcome = {
        "blank": Outcome.BLANK,
        "raised": Outcome.RAISED,
        "missing": Outcome.MISSING,
        "crashed": Outcome.CRASHED,
        "timed_out": Outcome.TIMED_OUT,
        "out_of_memory": Outcome.OUT_OF_MEMORY,
        "too_large": Outcome.UNSETTLED,
        "unsettled": Outcome.UNSETTLED,
    }.get(status, Outcome.WRONG)
    message = reply.error
    if status == "withheld":
        mistake, message = "imported", task.message("imported")
    elif status == "not_plain":
        mistake, message = "kind", f"{task.message('kind')} ({reply.error})"
    elif status == "blank":
        message = ""
    return Result(task.name, outcome, 0.0, mistake, message, 0.0, reply.private)
