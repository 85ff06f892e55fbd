"""The page that a student gets back: every task with its outcome and a sentence that teaches,
figures, a person's comments.

nbgrader's `generate_feedback` makes a page from the same gradebook. This one stays beside it,
because that page has a script, loaded from another computer, and 126 kB before the first answer.
"""

from dataclasses import dataclass
from datetime import timedelta

from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import ManualTask, Outcome, Result
from rlcourse.grading.handed import Answer
from rlcourse.grading.pages import page
from rlcourse.grading.sentences import headline, sentence_on
from rlcourse.grading.whole_class import Row, items_of

_KINDS = {Outcome.RIGHT: "good", Outcome.BLANK: "wait", Outcome.UNSETTLED: "wait"}
_CODE = ("def ", "import ", "from ", "class ")


@dataclass(frozen=True)
class _Card:
    """One item of the sheet on the page.

    points None: none yet. kind: of its colour, good, bad or wait. state: in a word or two. changed:
    whether a person has changed the points of the grader. printed, prose, code: parts of the
    student's answer.
    """

    title: str
    points: float | None
    maximum: float
    kind: str
    state: str
    name: str = ""
    sentence: str = ""
    changed: bool = False
    comment: str = ""
    figures: tuple[str, ...] = ()
    printed: str = ""
    prose: str = ""
    code: str = ""


def feedback_page(sheet: Sheet, row: Row) -> str:
    """The whole page of one student."""
    waits = _waits(sheet, row)
    return page(
        "feedback.html",
        sheet=sheet,
        row=row,
        maximum=sum(item.points for item in items_of(sheet)),
        waits=waits,
        open_points=sum(item.points for item in items_of(sheet) if item.name in waits),
        late_by=_duration(row.late_by),
        reason=_why_not_graded(row),
        checked=[_checked(sheet, row, result) for result in row.results],
        manual=[_manual(row, item) for item in sheet.manual] if row.graded else [],
    )


def _checked(sheet: Sheet, row: Row, result: Result) -> _Card:
    task, by_hand = sheet.task(result.task), row.by_hand(result.task)
    # Where a person has to settle it there are no points yet, not even 0.
    by_grader = None if result.outcome is Outcome.UNSETTLED else result.points
    return _Card(
        headline(task),
        by_grader if by_hand is None else by_hand,
        task.points,
        _KINDS.get(result.outcome, "bad"),
        str(result.outcome),
        name=task.name,
        sentence=sentence_on(task, result),
        changed=by_hand is not None,
        comment=_comment(row, task.name),
        code=_source(row, sheet.cell_of(task)),
    )


def _manual(row: Row, item: ManualTask) -> _Card:
    by_hand, blank = row.by_hand(item.name), _is_blank(row, item.name)
    if by_hand is None:
        kind, state = "wait", "not started" if blank else "waits for a person"
    else:
        kind = "good" if by_hand >= item.points else "bad" if by_hand == 0 else "wait"
        state = "marked"
    answer = Answer("") if blank else _answer(row, item.name)
    is_code = answer.figures or answer.text.strip() or answer.source.lstrip().startswith(_CODE)
    return _Card(
        headline(item),
        0.0 if blank and by_hand is None else by_hand,
        item.points,
        kind,
        state,
        comment=_comment(row, item.name),
        figures=answer.figures,
        printed=answer.text if answer.text.strip() else "",
        prose="" if is_code else answer.source,
        code=_source(row, item.name) if is_code else "",
    )


def _comment(row: Row, cell: str) -> str:
    return row.marks.comments.get(cell, "") if row.marks else ""


def _answer(row: Row, cell: str) -> Answer:
    return row.handed.answers.get(cell, Answer("")) if row.handed else Answer("")


def _is_blank(row: Row, cell: str) -> bool:
    return row.handed is None or cell in row.handed.blank


def _source(row: Row, cell: str) -> str:
    source = "" if _is_blank(row, cell) else _answer(row, cell).source
    return source if source.strip() else ""


def _waits(sheet: Sheet, row: Row) -> set[str]:
    """Names of the items that a person still has to mark."""
    if row.marks is not None:
        return set(row.waiting)
    return {item.name for item in sheet.manual if not _is_blank(row, item.name)}


def _why_not_graded(row: Row) -> str:
    if row.record:
        return row.record.explanation
    return row.attempt.refused if row.attempt else ""


def _duration(late_by: timedelta) -> str:
    hours = late_by.total_seconds() / 3600
    if hours >= 48:
        return f"{hours / 24:.1f} days"
    return f"{hours:.1f} hours" if hours >= 2 else f"{hours * 60:.0f} minutes"
