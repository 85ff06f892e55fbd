"""Grade one hand-in of one sheet: every task gets an outcome, whatever the handed-in code does.

Every word that the hand-in's process says was chosen by it and can carry hidden inputs. So what students get to read is put
together here, and what the process said is kept apart, for the instructor.
"""

import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from rlcourse.checks import calling
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import OVERWRITTEN, Case, Outcome, Reply, Result, Task, examine
from rlcourse.grading.channel import Channel, Gone, TimedOut
from rlcourse.grading.launch import Launcher, launch_plain
from rlcourse.grading.meter import IDLE
from rlcourse.grading.notebook import BadSubmission, MoreThanIsRead
from rlcourse.grading.submission import Piece, Plan, Submission, read_submission


@dataclass(frozen=True)
class Patience:
    """Seconds of the processor that a hand-in gets, as `meter` counts them: a busy machine costs no points.

    start: for Python and NumPy to load. cell: for one cell of the notebook; a cell beyond it is left out. case: the most for
    one case, whatever its task allows; None: as the task says. total: for everything, cells and restarts included, seconds in
    which nothing is done counted twice; then a person settles the tasks that are left. attempts: how often a case is tried
    when this machine runs out of memory. left_out: cells that crash or hang, after which a person settles it.
    """

    start: float = 60.0
    cell: float = 60.0
    case: float | None = None
    total: float = 120.0
    attempts: int = 2
    left_out: int = 3


class Status(StrEnum):
    """What became of a file. Points mean something only where it is `graded`; no other status may become a silent 0."""

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
    """What became of one hand-in. results: one a task; none where the status is not graded.

    notes: cells that raised, crashed or hung, and functions that are missing or there twice; for the student as well.
    explanation: a sentence for a status that is not graded. seconds: by the clock; spent: of `Patience.total`, for all seeds
    together.
    """

    sheet: str
    results: tuple[Result, ...]
    notes: tuple[str, ...]
    seconds: float
    status: Status = Status.GRADED
    explanation: str = ""
    spent: float = 0.0

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
    cases: Callable[[Task, int], Sequence[Case]] = Task.hidden_cases,
    read: Callable[[bytes | str], Submission] = read_submission,
) -> Report:
    """Grade a file that somebody handed in for this sheet. Whatever it holds, there is a Report, whose status says what it is.

    cases: what is asked; a class draws the cases of a seed once and keeps them. read: how the file is read.
    """
    status, explanation = Status.GRADED, ""
    try:
        submission = read(content)
        status, explanation = identify(sheet, submission)
    except MoreThanIsRead as error:
        status, explanation = Status.TOO_LARGE, str(error)
    except BadSubmission as error:
        status, explanation = Status.NOT_A_NOTEBOOK, str(error)
    if not status.graded:
        return Report(sheet.number, (), (), 0.0, status, explanation)
    report = next(
        grade_seeds(sheet, submission, [seed], launcher=launcher, patience=patience, cases=cases)
    )
    return (
        report
        if report.status is Status.NOT_RUN
        else replace(report, status=status, explanation=explanation)
    )


def identify(sheet: Sheet, submission: Submission) -> tuple[Status, str]:
    """(status, sentence) of a hand-in that was meant for this sheet."""
    known = any(submission.defining(task.function) for task in sheet.tasks)
    number = submission.mark.get("sheet")
    if submission.kind == "source":
        if known and not submission.trouble:
            return Status.GRADED, ""
        if known:
            ours = f"Python {sys.version_info.major}.{sys.version_info.minor}"
            return (
                Status.NOT_A_NOTEBOOK,
                f"{ours} of the grader cannot read the file ({submission.trouble}); is it a newer Python's?",
            )
        return (
            Status.NOT_A_NOTEBOOK,
            "the file is neither a notebook nor Python source with functions of this sheet",
        )
    if isinstance(number, str) and number != sheet.number:
        return (
            Status.WRONG_SHEET,
            f"the notebook says that it is sheet {number[:20]!r}, not sheet {sheet.number}",
        )
    if number is None and not known:
        return (
            Status.WRONG_SHEET,
            f"the notebook is no sheet of the course and has no function of sheet {sheet.number}",
        )
    return Status.GRADED, ""


def grade_submission(
    sheet: Sheet,
    content: bytes | str,
    *,
    seed: int,
    launcher: Launcher = launch_plain,
    patience: Patience = Patience(),
) -> Report:
    """Grade a notebook or Python source against the hidden cases of `seed`. Raises BadSubmission for other files."""
    return next(grade_seeds(sheet, content, [seed], launcher=launcher, patience=patience))


def grade_seeds(
    sheet: Sheet,
    content: bytes | str | Submission,
    seeds: Iterable[int],
    *,
    launcher: Launcher = launch_plain,
    patience: Patience = Patience(),
    cases: Callable[[Task, int], Sequence[Case]] = Task.hidden_cases,
) -> Iterator[Report]:
    """One report a seed; the hand-in runs once and is asked for all seeds, so that many seeds cost little."""
    names, seeds = sorted({name for task in sheet.tasks for name in task.withheld}), list(seeds)
    submission = content if isinstance(content, Submission) else read_submission(content)
    remarks, plan = submission.remarks(sheet.tasks), submission.plan(sheet.tasks)
    results: dict[tuple[str, int], Result] = {}
    took = dict.fromkeys(range(len(seeds)), 0.0)

    def ask(task: Task, turn: int, place: int) -> Result:
        """The task's result on the seed of this turn, asked when so many pieces have run."""
        started = time.perf_counter()
        result = examine(
            task, cases(task, seeds[turn]), lambda case: session.ask(task, case, place)
        )
        took[turn] += time.perf_counter() - started
        return result

    def ask_again(tasks: list[tuple[Task, int]]) -> None:
        """Ask each task once more, when so many pieces have run in a new process; the better result counts."""
        session.begin_anew(bool(tasks))
        for task, place in tasks:
            for turn in took:
                result = ask(task, turn, place)
                results[task.name, turn] = _better(results[task.name, turn], result)

    with Session(submission, names, launcher, patience, plan.pieces, len(seeds)) as session:
        for task in sorted(sheet.tasks, key=lambda task: plan.places[task.name]):
            for turn in range(len(seeds)):
                results[task.name, turn] = ask(task, turn, plan.places[task.name])
        again = [
            task
            for task in sheet.tasks
            if _needs_all(task, plan, [results[task.name, k] for k in took])
        ]
        ask_again([(task, len(plan.pieces)) for task in again])
        gone = [
            (task, plan.earlier[task.name])
            for task in sheet.tasks
            if task.name in plan.earlier
            and all(results[task.name, k].outcome is Outcome.MISSING for k in took)
        ]
        ask_again(sorted(gone, key=lambda pair: pair[1]))
        for task, turn in results:
            results[task, turn] = _or_for_a_person(
                sheet.task(task), results[task, turn], submission, session.notes
            )
        for turn in range(len(seeds)):
            notes = (*(session.notes[cell] for cell in sorted(session.notes)), *remarks)
            status = Status.NOT_RUN if session.not_started else Status.GRADED
            told = tuple(results[task.name, turn] for task in sheet.tasks)
            yield Report(
                sheet.number,
                told,
                notes,
                took[turn],
                status,
                session.not_started,
                session.spent,
            )


def _needs_all(task: Task, plan: Plan, results: list[Result]) -> bool:
    """Whether a task that was asked in its place is asked once more when all cells have run.

    Only where nothing was judged, and the cells below bind what it lacks: a judged answer is never asked again.
    """
    place = plan.places[task.name]
    above, below = plan.pieces[:place], plan.pieces[place:]
    outcomes = {result.outcome for result in results}
    if outcomes <= {Outcome.MISSING, Outcome.BLANK}:
        # A check and the course's stand-in name the function and do not define it.
        lines = [
            line for piece in below for line in piece.source.split("\n") if task.function in line
        ]
        return any("stand_in(" not in line and "check(" not in line for line in lines)
    if outcomes != {Outcome.RAISED}:
        return False
    lacks = [
        found[1]
        for result in results
        if (found := re.match(r"NameError: name '(\w+)'", result.private))
    ]
    bound_again = {name for piece in below for name in piece.binds()} & {
        name for piece in above for name in piece.binds()
    }
    return bool(bound_again) or any(name in piece.source for name in lacks for piece in below)


def _better(first: Result, second: Result) -> Result:
    """Of two results the one that counts: the second where it was judged, or where the first has less to tell."""
    judged = second.outcome in (Outcome.RIGHT, Outcome.WRONG)
    says_more = first.outcome in (Outcome.MISSING, Outcome.BLANK) and second.outcome in (
        Outcome.MISSING,
        Outcome.RAISED,
    )
    return second if judged or says_more else first


def _or_for_a_person(
    task: Task, result: Result, submission: Submission, notes: Mapping[int, str]
) -> Result:
    """The result, or UNSETTLED where what it lacks may be lacking here alone: a newer Python's syntax, or a package."""
    if result.outcome not in (Outcome.MISSING, Outcome.RAISED):
        return result
    module = re.match(r"ModuleNotFoundError: No module named '(\w+)", result.private)
    name = re.match(r"NameError: name '(\w+)'", result.private)
    lacks = task.function if result.outcome is Outcome.MISSING else name[1] if name else ""
    absent, sources, why = submission.absent_packages(), dict(submission.cells), ""
    if module and module[1] in [package for package, _ in absent]:
        why = f"the answer uses the package {module[1]}, which the grader does not have"
    elif lacks:
        word, bound = (
            re.compile(rf"\b{lacks}\b"),
            {bound for piece in submission.plan(()).pieces for bound in piece.binds()},
        )
        unread = [
            cell
            for cell, note in notes.items()
            if "SyntaxError" in note and submission.is_newer(cell, note)
        ]
        if cell := next((cell for cell in unread if word.search(sources[cell])), 0):
            ours = f"Python {sys.version_info.major}.{sys.version_info.minor}"
            why = f"{ours} of the grader cannot read cell {cell}, which may be written for a newer Python"
        elif package := next(
            (
                package
                for package, line in absent
                if word.search(line) or lacks in bound or line.endswith("*")
            ),
            "",
        ):
            why = f"the answer needs {lacks}, which may need the package {package}: the grader does not have it"
        elif cell := next(
            (cell for cell, source in sources.items() if _ELSEWHERE.search(source)), 0
        ):
            why = f"the answer needs {lacks}, which may be in the file that cell {cell} runs: it is not in the hand-in"
    if not why:
        return result
    return replace(result, outcome=Outcome.UNSETTLED, message=f"{why}; a person gives the points")


# Cells that run another notebook or script: %run mine.ipynb, exec(open("mine.py").read()).
_ELSEWHERE = re.compile(
    r"""^[ \t]*%run[ \t]|run_line_magic\(["']run["']|^[ \t]*exec\(.*\b(?:open|read_text)\(""", re.M
)


@dataclass
class Session:
    """A hand-in in a process of its own. A crash or a time-out costs the process; the next question starts another one.

    not_started: why no process could be started: the grader's fault, not the hand-in's. spent: seconds of the total.
    """

    submission: Submission
    withheld: list[str]
    launcher: Launcher
    patience: Patience = Patience()
    pieces: Sequence[Piece] = ()  # of the submission's plan; none: whole cells
    turns: int = 1  # seeds, each with the total time
    notes: dict[int, str] = field(default_factory=dict)  # cell -> what went wrong with it
    not_started: str = ""
    spent: float = 0.0
    _left_out: set[int] = field(default_factory=set)
    _channel: Channel | None = None
    _failed_starts: int = 0
    _given_up: Reply | None = None
    _asked: set[str] = field(default_factory=set)  # tasks that this process was asked
    _ran: int = 0  # pieces that have run in this process

    def __post_init__(self) -> None:
        self.pieces = self.pieces or self.submission.plan(()).pieces

    def __enter__(self) -> "Session":
        self.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def begin(self) -> None:
        """The total time starts now."""
        self.spent = 0.0

    def begin_anew(self, needed: bool) -> None:
        """Where it is needed, end this process: in the next one nothing was asked yet, so that its cells have no secrets."""
        if needed and self._asked:
            self._stop()

    def ask(self, task: Task, case: Case, place: int) -> Reply:
        """The reply to one case of a task when so many pieces have run, in words that a student may read.

        A crash or a time-out in a process that other tasks were asked in before is not counted: they may have left something.
        """
        limit = min(task.seconds, self.patience.case or task.seconds)
        question = {"do": "call", "function": task.function, "question": case.question()}
        attempt = 1
        while True:
            if self._ready(place) is None:
                return self._given_up or _late(self.patience.total)
            clean = self._asked <= {task.name}
            self._asked.add(task.name)
            try:
                return self._readable(task, self._put(question, limit))
            except (TimedOut, Gone) as error:
                ended_by = self._stop()
                if self._left() <= 0:
                    return _late(self.patience.total)
                excused = (
                    attempt < self.patience.attempts and ended_by == "host"
                )  # by a neighbour's fault
                if clean and not excused:
                    return _ended(error, ended_by, limit)
                attempt += clean

    def _readable(self, task: Task, reply: Reply) -> Reply:
        """The reply with words of our own in place of the hand-in's."""
        private, error = reply.error, ""
        if reply.status == "missing":
            error = self.submission.why_missing(task)
            cell = self.submission.defining(task.function)
            if cell in self.notes:
                error = f"there is no function {task.function} in the hand-in; {self.notes[cell]}"
            elif cell is not None:
                error = f"{task.function} is there in cell {cell}, but it is no function when the cells have run"
        elif reply.status == "raised":
            error = readable_error(reply.error, task.function, self.submission)
        elif reply.status == "out_of_memory":
            error = "Python had no memory left: MemoryError"
        elif reply.status == "not_plain":
            error = "numbers, texts, lists, tuples, dicts and arrays of numbers can be handed over"
        elif reply.status == "changed" and reply.error == OVERWRITTEN:
            error = OVERWRITTEN
        elif reply.status == "too_large":
            error = "the answer is larger than 1 MB, and nothing that the task asks for is"
        return reply._replace(
            error=error,
            private="" if reply.status in ("answer", "changed", "withheld", "blank") else private,
        )

    def _ready(self, place: int | None = None) -> Channel | None:
        """A process in which so many pieces have run, or all; None when the hand-in cannot be brought there in time."""
        place = len(self.pieces) if place is None else place
        while (
            (self._channel is None or self._ran < place)
            and self._given_up is None
            and self._left() > 0
        ):
            cell, clean = 0, True
            try:
                if self._channel is None:
                    self._channel, self._ran = Channel(self.launcher()), 0
                    self._put(
                        {"do": "withhold", "names": self.withheld},
                        self.patience.start,
                        self.patience.start,
                    )
                for piece in self.pieces[self._ran : place]:
                    cell, clean = piece.cell, not self._asked
                    if cell not in self._left_out:
                        self._run(piece)
                    self._ran += 1
            except (TimedOut, Gone) as error:
                ended_by = self._stop()
                if cell and self._left() <= 0:
                    return None
                limit = self.patience.cell if cell else self.patience.start
                what = (
                    f"took more than {limit:g} seconds"
                    if isinstance(error, TimedOut)
                    else f"crashed: {error}"
                )
                # What was asked before may have done it, and how it crashes may tell of that: it is tried in a fresh process.
                if clean or isinstance(error, TimedOut):
                    self._leave_out(cell, _WORDS.get(ended_by, what))
        return None if self._given_up or self._left() <= 0 else self._channel

    def _run(self, piece: Piece) -> None:
        lines = {"first": piece.first, "last": piece.last}
        reply = self._put(
            {"do": "run", "source": piece.source, "number": piece.cell, **lines}, self.patience.cell
        )
        # A cell that runs after a question could tell what was asked: of its errors nothing is said.
        if reply.status != "answer" and not self._asked:
            self.notes.setdefault(piece.cell, f"cell {piece.cell} raised {reply.error}")

    def _put(self, question: dict[str, Any], seconds: float, idle: float = IDLE) -> Reply:
        """The bare reply to a question, within what is left of the total. Raises TimedOut, Gone."""
        channel, left = self._channel, max(self._left(), 0.01)
        try:
            return channel.ask(question, min(seconds, left), min(seconds, idle, left / 2))
        finally:
            self.spent += channel.spent

    def _leave_out(self, cell: int, what: str) -> None:
        if cell == 0:
            self._failed_starts += 1
            if self._failed_starts == 2:
                self.not_started = f"the process for the hand-in does not start: it {what}"
                self._given_up = Reply("crashed", None, self.not_started)
            return
        self._left_out.add(cell)
        self.notes[cell] = f"cell {cell} {what}; it was left out"
        if len(self._left_out) > self.patience.left_out:
            words = f"more than {self.patience.left_out} cells crash or hang; the last one: {self.notes[cell]}"
            self._given_up = Reply("unsettled", None, words)

    def _left(self) -> float:
        return self.patience.total * self.turns - self.spent

    def _stop(self) -> str:
        """End the process; returns why a watch had killed it, or ""."""
        if self._channel is None:
            return ""
        channel, self._channel = self._channel, None
        self._asked.clear()
        channel.close()
        return channel.ended_by


_WORDS = {
    "memory": "took more memory than a hand-in may have",
    "files": "made more files than a hand-in may have",
    "host": "ran when this machine had no memory left",
}


def _ended(error: TimedOut | Gone, ended_by: str, limit: float) -> Reply:
    """The reply of a process that was killed or has ended."""
    if ended_by:
        return Reply("out_of_memory", None, f"the function {_WORDS[ended_by]}")
    if isinstance(error, TimedOut):
        return Reply("timed_out", None, f"no answer within {limit:g} seconds")
    return Reply(
        "crashed",
        None,
        "the process that ran the function ended, or said something else than an answer",
        str(error),
    )


def _late(total: float) -> Reply:
    return Reply("unsettled", None, f"the whole hand-in took more than {total:g} seconds")


def readable_error(said: str, function: str, submission: Submission) -> str:
    """What a student may read of an error in a hidden case: its kind, and where the asked function stands.

    `said` is "IndexError: index 9 is out of bounds (line 7: v = q[9])", or whatever else the process chose to say. Neither
    its text nor the line that raised is told: a function that raises in one of many lines would say its arguments with it.
    """
    kind, cell = calling.kind_of(said), submission.defining(function)
    source = dict(submission.cells).get(cell, "")
    place = re.search(
        rf"^[ \t]*(?:async[ \t]+def|def|class)[ \t]+{re.escape(function)}\b|^[ \t]*{re.escape(function)}[ \t]*=",
        source,
        re.M,
    )
    if place is None:
        return f"{kind} in {function}"
    line = source.count("\n", 0, place.start()) + 1
    return f"{kind} in {function} (cell {cell}, line {line})"


def summary(report: Report) -> str:
    """A report as text, one line a task."""
    lines = [
        f"{r.task:<16} {r.points:5.1f}  {r.outcome}{': ' + r.message if r.message else ''}"
        for r in report.results
    ]
    right = sum(r.outcome is Outcome.RIGHT for r in report.results)
    return "\n".join(
        [
            *lines,
            f"{right} of {len(report.results)} right, {report.points:g} points, {report.seconds:.1f} s",
            *report.notes,
        ]
    )
