"""The page that a student gets back: every task with its outcome and a sentence that teaches, figures, a person's comments."""

from collections.abc import Iterator

from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import ManualTask, Outcome, Result, Task
from rlcourse.grading.handed import Answer
from rlcourse.grading.pages import badge, code_words, number, page, text
from rlcourse.grading.whole_class import Row
from rlcourse.grading.words import headline, told


def feedback_page(sheet: Sheet, row: Row) -> str:
    """The whole page."""
    return page(f"Sheet {sheet.number}, {row.student}", _body(sheet, row))


def _body(sheet: Sheet, row: Row) -> Iterator[str]:
    yield f"<p class=soft>Sheet {text(sheet.number)}</p><h1>{text(sheet.title)}</h1><p>{text(row.student)}</p>"
    if not row.graded:
        yield f'<section class="card wait">{badge(row.status, "wait")}{_not_graded(row)}</section>'
        return
    yield _total(row, sheet)
    yield "<h2>Checked by the course</h2>"
    for result in row.record.results:
        task = sheet.task(result.task)
        yield _checked(task, result, row, sheet.cell_of(task))
    if sheet.manual:
        yield "<h2>Marked by a person</h2>"
    for item in sheet.manual:
        yield _manual(item, row)
    if row.record.notes:
        notes = "".join(f"<li>{text(note)}</li>" for note in row.record.notes)
        yield f"<h2>What happened when your sheet was run</h2><section class=card><ul>{notes}</ul></section>"
    yield (
        "<p class=soft>Hidden cases are never the ones in the notebook: other numbers, other sizes, and the corners that the "
        "last line of a passing check names. They are not shown here, so that they can be used again.</p>"
    )


def _total(row: Row, sheet: Sheet) -> str:
    maximum = sum(item.points for item in (*sheet.tasks, *sheet.manual))
    waiting = _waiting(row, sheet)
    points = row.auto if row.marks is None else row.marks.total
    lines = [f"<p class=big>{number(points)} <span class=soft>of {maximum} points</span></p>"]
    if waiting:
        rest = sum(item.points for item in sheet.manual if item.name in waiting)
        lines.append(
            f"<p>{badge('not final', 'wait')} {number(rest)} points wait for a person.</p>"
        )
    if row.lost:
        lines.append(
            f"<p>Handed in {_duration(row)} late: {row.lost:.0%} of the points are taken off.</p>"
        )
    when = f"{row.attempt.moment:%Y-%m-%d %H:%M}, " if row.attempt.moment else ""
    more = f" It is the one that counts of {row.others + 1} you handed in." if row.others else ""
    lines.append(f"<p class=soft>Hand-in: {when}{text(row.attempt.origin)}.{more}</p>")
    return f"<section class=card>{''.join(lines)}</section>"


def _checked(task: Task, result: Result, row: Row, cell: str) -> str:
    by_hand = row.marks.by_hand.get(task.name) if row.marks else None
    points = result.points if by_hand is None else by_hand
    kind = {Outcome.RIGHT: "good", Outcome.BLANK: "wait"}.get(result.outcome, "bad")
    head = f"<h3>{text(headline(task))} <span class=soft>{text(task.name)}</span></h3>"
    score = f"<span class=points>{number(points)} of {task.points}</span>"
    marked = "<p class=soft>A person has changed the points.</p>" if by_hand is not None else ""
    body = f"<p>{code_words(told(task, result))}</p>{marked}{_comment(row, task.name)}{_source(row, cell)}"
    return f'<section class="card {kind}"><div class=head>{head}{score}</div>{badge(result.outcome, kind)}{body}</section>'


def _manual(item: ManualTask, row: Row) -> str:
    given = row.marks.by_hand.get(item.name) if row.marks else None
    blank = item.name in row.handed.blank
    kind = (
        "wait"
        if given is None
        else "good"
        if given >= item.points
        else "bad"
        if given == 0
        else "wait"
    )
    state = "marked" if given is not None else "not started" if blank else "waits for a person"
    score = f"<span class=points>{number(0.0 if blank and given is None else given)} of {item.points}</span>"
    answer = row.handed.answers.get(item.name, Answer(""))
    shown = "".join(
        f'<img alt="your figure" src="data:image/png;base64,{figure}">' for figure in answer.figures
    )
    shown += f"<pre>{text(answer.text)}</pre>" if answer.text.strip() else ""
    if blank:
        shown = ""
    elif (
        answer.figures
        or answer.text.strip()
        or answer.source.lstrip().startswith(("def ", "import ", "from ", "class "))
    ):
        shown += _source(row, item.name)
    else:
        shown = f"<pre class=words>{text(answer.source)}</pre>"
    head = f"<div class=head><h3>{text(headline(item))}</h3>{score}</div>{badge(state, kind)}"
    return f'<section class="card {kind}">{head}{_comment(row, item.name)}{shown}</section>'


def _comment(row: Row, cell: str) -> str:
    words = row.marks.comments.get(cell, "") if row.marks else ""
    return f"<blockquote>{text(words)}</blockquote>" if words else ""


def _source(row: Row, cell: str) -> str:
    answer = row.handed.answers.get(cell)
    if answer is None or cell in row.handed.blank or not answer.source.strip():
        return ""
    return f"<details><summary>Your code</summary><pre>{text(answer.source)}</pre></details>"


def _waiting(row: Row, sheet: Sheet) -> set[str]:
    if row.marks is not None:
        return set(row.marks.waiting)
    return {item.name for item in sheet.manual if item.name not in row.handed.blank}


def _not_graded(row: Row) -> str:
    words = (
        "Nothing was handed in."
        if row.attempt is None
        else "Your file could not be graded; no points are set, not even 0. Ask your instructor."
    )
    why = row.record.explanation if row.record else row.attempt.refused if row.attempt else ""
    file = f"<p class=soft>File: {text(row.attempt.origin)}</p>" if row.attempt else ""
    return f"<p>{words}</p>{f'<p>{text(why)}</p>' if why else ''}{file}"


def _duration(row: Row) -> str:
    hours = row.late_by.total_seconds() / 3600
    return (
        f"{hours / 24:.1f} days"
        if hours >= 48
        else f"{hours:.1f} hours"
        if hours >= 2
        else f"{hours * 60:.0f} minutes"
    )
