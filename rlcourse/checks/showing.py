"""What the card of a visible check says: the message, the case, expected and got."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rlcourse.checks.card import Card
from rlcourse.checks.difference import WIDE, Compared, short
from rlcourse.checks.examining import ANSWERED, judged
from rlcourse.checks.judging import Key
from rlcourse.checks.plain import Position, Rng
from rlcourse.checks.task import Case, Outcome, Reply, Result, Task
from rlcourse.drawing.stones import Stones

CHANGED = ("changed", "overwritten")  # mistakes that the answer itself does not show
UNNAMED = ("other", "distribution")  # mistakes of which no words say what is wrong
MOST_CALLS = 8  # of a script, that are listed


def card_of(
    task: Task, result: Result, asked: Sequence[tuple[Case, Reply]], notes: str = "", foot: str = ""
) -> Card:
    """The card of a visible check.

    asked: the cases that were put to the function, and what it replied. notes: what it wrote to
    stderr.
    """
    head = f"{task.name} ({task.worth})" if task.worth else task.name
    card = Card(result.outcome, head, f"{result.outcome}.", (), foot=foot)
    if result.outcome is Outcome.RIGHT:
        also = f"Also graded: {task.also_graded}" if task.also_graded else ""
        return replace(card, sentence="the visible cases are right.", lines=_given(also, notes))
    if result.outcome is Outcome.BLANK:
        sentence = (
            f"not started. Write `{task.function}` above; "
            "`raise NotImplementedError` stands where your code goes."
        )
        return replace(card, sentence=sentence)
    shown = _shown(task, result, asked)
    if shown is None:
        return replace(card, lines=_given(result.message, _sentence(result.private), notes))
    case, reply = shown
    message, error = _message(result)
    return replace(
        card,
        lines=_given(message, *_right_and_wrong(result, asked), *result.facts, notes),
        case=_asked_text(task, case),
        board=_board(case),
        compared=Compared(error) if error else _compared(task, case, reply, result),
    )


def _given(*lines: str) -> tuple[str, ...]:
    """The lines that say something."""
    return tuple(filter(None, lines))


def _message(result: Result) -> tuple[str, str]:
    """The message, and what of it stands with the case: of an error the student's line, and the
    error.
    """
    error, _, line = result.message.rpartition(" (line ")
    if result.outcome is not Outcome.RAISED:
        return result.message, ""
    if not error:
        return "", result.message
    number, _, code = line.removesuffix(")").partition(": ")
    return f"line {number}: `{code}`" if code else f"line {number}", error


def _right_and_wrong(result: Result, asked: Sequence[tuple[Case, Reply]]) -> list[str]:
    """A line for each case, where some are right and no mistake has a name."""
    if result.mistake not in UNNAMED or "right" not in result.cases:
        return []
    return [
        f"{'Right' if outcome == 'right' else 'Wrong'}: {case.title}."
        for (case, _), outcome in zip(asked, result.cases, strict=True)
        if case.title
    ]


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _shown(
    task: Task, result: Result, asked: Sequence[tuple[Case, Reply]]
) -> tuple[Case, Reply] | None:
    """The case that the card shows, with the reply: the first that went wrong."""
    if result.mistake in ("rng", "imported") or not asked:
        return None  # no single case shows it
    changed = next((pair for pair in asked if pair[1].status == "changed"), None)
    if changed and result.mistake in CHANGED:
        return changed
    if asked[-1][1].status not in ANSWERED:
        return asked[-1]
    marks = [judged(task, case, reply.answer) for case, reply in asked]
    wrong = [k for k, mark in enumerate(marks) if mark.score < 1.0]
    # The message may speak of what one case alone shows, such as a shape.
    fits = [k for k in wrong if marks[k].mistake == result.mistake]
    return asked[(fits or wrong)[0]] if wrong else None


def _compared(task: Task, case: Case, reply: Reply, result: Result) -> Compared:
    """The answer beside the expected one, or in words what is strange about it."""
    if reply.status == "changed" and result.mistake in CHANGED:
        return Compared(f"Changed: {reply.error}.")
    if reply.status not in ANSWERED:
        return Compared("")
    mark = judged(task, case, reply.answer)
    of_its_own = mark.mistake in ("kind", "shape") and not isinstance(case.secret, Key)
    if of_its_own or not hasattr(case.secret, "compared"):
        # A float is told from the whole number that it equals.
        text = f"{reply.answer}" if isinstance(reply.answer, float) else short(reply.answer)
        return Compared(_sentence(mark.detail or f"got {text}" * (len(text) <= WIDE)))
    return case.secret.compared(reply.answer)


def _asked_text(task: Task, case: Case) -> tuple[str, ...]:
    """The case's title, and its calls where these are short."""
    title = f"Case: {case.title}." if case.title else ""
    if case.script:
        calls = [_call(name, args) if args else name for name, args in case.script]
        few = calls[:MOST_CALLS] + ["..."] * (len(calls) > MOST_CALLS)
        return _given(title, f"Calls: `{', '.join(few)}`")
    call = _call(task.function, case.args)
    short_enough = len(call) <= WIDE and "\n" not in call and _board(case) is None
    return _given(title, f"Call: `{call}`" * short_enough)


def _call(name: str, args: Sequence[Any]) -> str:
    return f"{name}({', '.join('rng' if isinstance(arg, Rng) else short(arg) for arg in args)})"


def _board(case: Case) -> Any:
    """What of a case can be drawn: a position, or the board that it names; None for neither."""
    if case.board is not None:
        number, signs = case.board
        return Stones(case.args[number], signs)
    for arg in case.args:
        if isinstance(arg, Position):
            from rlcourse.games import from_recipe

            return from_recipe(arg.recipe)
    return None
