"""Grade one hand-in of one sheet: every task gets an outcome, whatever the handed-in code does."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import itemgetter

from rlcourse.checks.examining import examine
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, Outcome, Result, Task
from rlcourse.grading.launch import Launcher, launch_plain
from rlcourse.grading.reading import ask
from rlcourse.grading.session import Patience, Session
from rlcourse.grading.submission import Plan, Submission, read_submission
from rlcourse.grading.unsettled import PYTHON, missing_here_alone
from rlcourse.notebook import BadSubmission, MoreThanIsRead
from rlcourse.untrusted import printable

# The hidden cases of a task and a seed.
Cases = Callable[[Task, int], Sequence[Case]]


class Status(StrEnum):
    """What became of a file.

    Points mean something only where it is `graded`; no other status may become a silent 0.
    """

    GRADED = "graded"
    NOT_A_NOTEBOOK = "not a notebook"
    WRONG_SHEET = "another sheet"
    NOT_RUN = "could not be run"
    TOO_LARGE = "for you to settle: more than is read"
    NO_TIME = "for you to settle: the time of this student is used up"

    @property
    def graded(self) -> bool:
        """Whether there are results."""
        return self is Status.GRADED


@dataclass(frozen=True)
class Report:
    """What became of one hand-in.

    results: one per task; none where the status is not graded.
    digest: of the file's content, in the records of a class.
    notes: cells that raised, crashed or hung, and functions that are missing or there twice; for
    the student as well.
    explanation: a sentence for a status that is not graded, or on what a person should look at.
    spent: seconds of `Patience.total`, for all seeds together.
    """

    results: tuple[Result, ...] = ()
    notes: tuple[str, ...] = ()
    status: Status = Status.GRADED
    explanation: str = ""
    spent: float = 0.0
    digest: str = ""

    @property
    def points(self) -> float:
        """Points of the tasks that are judged here; those marked by hand are not among them."""
        return sum(result.points for result in self.results)


def grade_file(
    sheet: Sheet,
    content: bytes | str,
    *,
    seed: int,
    launcher: Launcher = launch_plain,
    patience: Patience = Patience(),
    cases: Cases = Task.hidden_cases,
) -> Report:
    """Grade a file that was handed in for this sheet.

    Whatever it holds, there is a Report, whose status says what it is.

    cases: what is asked; a class draws the cases of a seed once and keeps them.
    """
    try:
        submission = ask("read_submission", content)
        status, explanation = identify(sheet, submission)
    except MoreThanIsRead as error:
        status, explanation = Status.TOO_LARGE, str(error)
    except BadSubmission as error:
        status, explanation = Status.NOT_A_NOTEBOOK, str(error)
    if not status.graded:
        return Report(status=status, explanation=explanation)
    report = next(
        grade_seeds(sheet, submission, [seed], launcher=launcher, patience=patience, cases=cases)
    )
    doubt = _doubt(sheet, submission, report)
    return replace(report, notes=(*report.notes, doubt), explanation=doubt) if doubt else report


def identify(sheet: Sheet, submission: Submission) -> tuple[Status, str]:
    """(status, sentence) of a hand-in that was meant for this sheet."""
    is_answered = any(submission.defining(task.function) for task in sheet.tasks)
    if submission.kind == "source":
        if not is_answered:
            reason = "the file is neither a notebook nor Python source with functions of this sheet"
            return Status.NOT_A_NOTEBOOK, reason
        if submission.trouble:
            reason = f"{PYTHON} cannot read the file ({submission.trouble})"
            return Status.NOT_A_NOTEBOOK, f"{reason}; is it a newer Python's?"
    number = submission.mark.get("sheet")
    if isinstance(number, str) and number != sheet.number:
        variant = submission.mark.get("variant")
        which = f" ({printable(variant, instead='')})" if isinstance(variant, str) else ""
        reason = f"the notebook says that it is sheet {number[:20]!r}{which}, not sheet "
        reason += sheet.number
        return Status.WRONG_SHEET, reason
    if number is None and not is_answered:
        reason = "the notebook is no sheet of the course and has no function of sheet "
        return Status.WRONG_SHEET, reason + sheet.number
    imported = submission.imported_sheets()
    if number is None and imported and sheet.number not in imported:
        reason = f"the file imports the checks of sheet {', '.join(sorted(imported))}"
        return Status.WRONG_SHEET, f"{reason}, not those of sheet {sheet.number}"
    return Status.GRADED, ""


def _doubt(sheet: Sheet, submission: Submission, report: Report) -> str:
    """A sentence where a hand-in that names no sheet may be right in another variant of it."""
    if submission.mark.get("sheet") is not None or submission.imported_sheets():
        return ""
    # Not above: it needs nbformat, which takes seconds to import where files are only read.
    from rlcourse.grading.variants import variants_of

    wrong = {result.task for result in report.results if result.outcome is Outcome.WRONG}
    tasks = [name for name in variants_of(sheet.number) if name in wrong]
    head = "no variant of the sheet is named in the file, and another one asks"
    return f"{head} {', '.join(tasks)} otherwise" if tasks else ""


def grade_seeds(
    sheet: Sheet,
    content: bytes | str | Submission,
    seeds: Iterable[int],
    *,
    launcher: Launcher = launch_plain,
    patience: Patience = Patience(),
    cases: Cases = Task.hidden_cases,
) -> Iterator[Report]:
    """One report per seed.

    The hand-in runs once and is asked for all seeds, so that many seeds cost little.
    """
    submission = content if isinstance(content, Submission) else read_submission(content)
    tasks, plan, seeds = sheet.tasks, submission.plan(sheet.tasks), list(seeds)
    withheld = sorted({name for task in tasks for name in task.withheld})
    with Session(submission, withheld, launcher, patience, plan.pieces, len(seeds)) as session:

        def ask(task: Task, place: int) -> list[Result]:
            """The task's result on each seed, asked after `place` pieces have run."""
            return [
                examine(task, cases(task, seed), lambda case: session.ask(task, case, place))
                for seed in seeds
            ]

        results = _results(tasks, plan, ask, session)
        notes = [session.notes[cell] for cell in sorted(session.notes)]
        notes += submission.remarks(tasks)
        status = Status.NOT_RUN if session.not_started else Status.GRADED
        for turn in range(len(seeds)):
            settled = tuple(
                missing_here_alone(task, results[task.name][turn], submission, session.notes)
                for task in tasks
            )
            yield Report(settled, tuple(notes), status, session.not_started, session.spent)


def _results(
    tasks: Sequence[Task],
    plan: Plan,
    ask: Callable[[Task, int], list[Result]],
    session: Session,
) -> dict[str, list[Result]]:
    """Task's name -> its results, one per seed.

    Every task is asked in its place; those that came too early or too late in the notebook are
    asked again, in a new process and in another place, and the better result counts.
    """
    places = plan.places
    in_order = sorted(tasks, key=lambda task: places[task.name])
    results = {task.name: ask(task, places[task.name]) for task in in_order}

    def ask_again(chosen: list[tuple[Task, int]]) -> None:
        """Ask each task in its new place, and keep the better result for each seed."""
        if chosen:
            session.forget_questions()
        for task, place in chosen:
            results[task.name] = list(map(_better, results[task.name], ask(task, place)))

    end = len(plan.pieces)
    ask_again([(task, end) for task in tasks if _lacks_later_cells(task, plan, results[task.name])])
    # A name that the sheet binds to something else further down was the student's function above.
    too_late = [
        (task, plan.earlier[task.name])
        for task in tasks
        if task.name in plan.earlier
        and {result.outcome for result in results[task.name]} == {Outcome.MISSING}
    ]
    ask_again(sorted(too_late, key=itemgetter(1)))
    return results


def _lacks_later_cells(task: Task, plan: Plan, results: list[Result]) -> bool:
    """Whether nothing was judged where the task was asked, and cells below bind what it lacks."""
    place = plan.places[task.name]
    above, below = plan.pieces[:place], plan.pieces[place:]
    outcomes = {result.outcome for result in results}
    if outcomes <= {Outcome.MISSING, Outcome.BLANK}:
        lines = [line for piece in below for line in piece.source.split("\n")]
        # A check and the course's stand-in name the function and do not define it.
        stand_ins = re.compile(r"stand_in\(|check\(")
        return any(task.function in line and not stand_ins.search(line) for line in lines)
    if outcomes != {Outcome.RAISED}:
        return False
    bound_above = {name for piece in above for name in piece.binds()}
    bound_below = {name for piece in below for name in piece.binds()}
    if bound_above & bound_below:
        return True
    errors = [re.match(r"NameError: name '(\w+)'", result.private) for result in results]
    unknown = [error[1] for error in errors if error]
    return any(name in piece.source for name in unknown for piece in below)


def _better(first: Result, second: Result) -> Result:
    """Of two results the one that counts: the second where it was judged, or where the first says
    less.
    """
    if second.outcome in (Outcome.RIGHT, Outcome.WRONG):
        return second
    says_little = first.outcome in (Outcome.MISSING, Outcome.BLANK)
    says_more = second.outcome in (Outcome.MISSING, Outcome.RAISED)
    return second if says_little and says_more else first
