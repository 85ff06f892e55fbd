"""The page that a student gets back: every task with its outcome and a sentence that teaches,
figures, a person's comments.

nbgrader's `generate_feedback` makes a page from the same gradebook. This one stays beside it,
because that page has a script, loaded from another computer, and 126 kB before the first answer.
"""

from dataclasses import dataclass
from datetime import timedelta

from rlcourse.checks.course import changes_of
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import ManualTask, Outcome, Result, Task
from rlcourse.grading.handed import Answer
from rlcourse.grading.pages import page
from rlcourse.grading.whole_class import Row

_KINDS = {Outcome.RIGHT: "good", Outcome.BLANK: "wait", Outcome.UNSETTLED: "wait"}
_CODE = ("def ", "import ", "from ", "class ")


@dataclass(frozen=True)
class _Card:
    """One item of the sheet on the page.

    points None: none yet. kind: of its colour, good, bad or wait. state: in a word or two. changed:
    whether a person has changed the points of the grader.
    """

    item: Task | ManualTask
    points: float | None
    kind: str
    state: str
    answer: Answer
    comment: str
    sentence: str = ""
    changed: bool = False

    @property
    def is_code(self) -> bool:
        """Whether the answer is code, which is folded."""
        answer = self.answer
        shows = answer.figures or answer.text.strip() or answer.source.lstrip().startswith(_CODE)
        return isinstance(self.item, Task) or bool(shows)


def feedback_page(sheet: Sheet, row: Row) -> str:
    """The whole page of one student."""
    return page(
        "feedback.html",
        sheet=sheet,
        row=row,
        maximum=sum(sheet.points.values()),
        open_points=sum(n for name, n in sheet.points.items() if name in row.waiting),
        late_by=_duration(row.late_by),
        settings=changes_of(sheet),
        checked=[_checked(sheet, row, result) for result in row.results],
        manual=[_manual(row, item) for item in sheet.manual] if row.graded else [],
    )


def _checked(sheet: Sheet, row: Row, result: Result) -> _Card:
    task, by_hand = sheet.task(result.task), row.by_hand(result.task)
    # Where a person has to settle it there are no points yet, not even 0.
    by_grader = None if result.outcome is Outcome.UNSETTLED else result.points
    return _Card(
        task,
        by_grader if by_hand is None else by_hand,
        _KINDS.get(result.outcome, "bad"),
        str(result.outcome),
        Answer(row.answer(sheet.cell_of(task)).source),
        row.comment(task.name),
        sentence_on(task, result),
        by_hand is not None,
    )


def _manual(row: Row, item: ManualTask) -> _Card:
    points, kind, state = row.by_hand(item.name), "wait", "marked"
    if points is not None:
        kind = "good" if points >= item.points else "bad" if points == 0 else "wait"
    elif row.is_blank(item.name):
        points, state = 0.0, "not started"
    else:
        state = "waits for a person"
    return _Card(item, points, kind, state, row.answer(item.name), row.comment(item.name))


def _duration(late_by: timedelta) -> str:
    hours = late_by.total_seconds() / 3600
    if hours >= 48:
        return f"{hours / 24:.1f} days"
    return f"{hours:.1f} hours" if hours >= 2 else f"{hours * 60:.0f} minutes"


def sentence_on(task: Task, result: Result) -> str:
    """What a student is told of an outcome, in one to three sentences: words of the course, and of
    an error its kind and where their function begins.

    Hidden inputs never get here: what the handed-in code says while it is called is kept apart
    (`Result.private`).
    """
    message = _sentence(result.message)
    match result.outcome:
        case Outcome.RIGHT:
            return "Right in all hidden cases."
        case Outcome.BLANK:
            return "Not started: `raise NotImplementedError()` is still in the function."
        case Outcome.RAISED:
            question = "Which arguments could do that: their size, their signs, a corner?"
            if message.startswith("NameError"):
                question = "Is each name that it uses bound further up when all cells run in order?"
            return f"In a hidden case: {message} {question}"
        case Outcome.TIMED_OUT:
            return f"{message} Is there a loop that never ends, or work that grows too fast?"
        case Outcome.MISSING if message.endswith("in the hand-in."):  # nothing says why
            return f"{message} Was its cell deleted, or `{task.function}` given another name?"
        case Outcome.CRASHED:
            return f"{message} Calls such as exit() do that."
        case Outcome.OUT_OF_MEMORY:
            return f"{message} Print shapes: which array is larger than you meant?"
        case Outcome.UNSETTLED:
            return f"{message} So your instructor looks at it; the points are not settled yet."
    return message or _sentence(task.message(result.mistake))


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) or not text else text + "."
