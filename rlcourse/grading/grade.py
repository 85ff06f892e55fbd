"""Grade one hand-in of one sheet: every task gets an outcome, whatever the handed-in code does."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, Outcome, Reply, Result, Task, examine
from rlcourse.grading.channel import Channel, Gone, TimedOut
from rlcourse.grading.launch import Launcher, launch_plain
from rlcourse.grading.submission import Submission, read_submission

CELL_SECONDS = 60.0  # limit for one cell of the hand-in; a cell beyond it is left out
START_SECONDS = 60.0  # for Python and NumPy to load; tried twice
MAX_LEFT_OUT = 3  # cells that crash or hang, after which the hand-in is given up


@dataclass(frozen=True)
class Report:
    """What became of one hand-in. results: one a task. notes: cells that raised, crashed or hung; for people."""

    sheet: str
    results: tuple[Result, ...]
    notes: tuple[str, ...]
    seconds: float

    @property
    def points(self) -> float:
        """Points of the tasks that are judged here; those marked by hand are not among them."""
        return sum(result.points for result in self.results)


def grade_submission(sheet: Sheet, content: bytes | str, *, seed: int, launcher: Launcher = launch_plain) -> Report:
    """Grade a notebook or Python source against the hidden cases of `seed`. Raises BadSubmission for a file of another kind."""
    return next(grade_seeds(sheet, content, [seed], launcher=launcher))


def grade_seeds(
    sheet: Sheet,
    content: bytes | str,
    seeds: Iterable[int],
    *,
    launcher: Launcher = launch_plain,
    cases: Callable[[Task, int], Sequence[Case]] = Task.hidden_cases,
) -> Iterator[Report]:
    """One report a seed; the hand-in runs once and is asked for all seeds, so that many seeds cost little."""
    names = sorted({name for task in sheet.tasks for name in task.withheld})
    with Session(read_submission(content), names, launcher) as session:
        for seed in seeds:
            started = time.perf_counter()
            results = tuple(
                examine(task, cases(task, seed), lambda case, task=task: session.ask(task.function, case, task.seconds))
                for task in sheet.tasks
            )
            yield Report(sheet.number, results, tuple(session.notes.values()), time.perf_counter() - started)


@dataclass
class Session:
    """A hand-in in a process of its own. A crash or a time-out costs the process; the next question starts another one."""

    submission: Submission
    withheld: list[str]
    launcher: Launcher
    notes: dict[int, str] = field(default_factory=dict)  # cell -> what went wrong with it
    _left_out: set[int] = field(default_factory=set)
    _channel: Channel | None = None
    _failed_starts: int = 0
    _given_up: str = ""

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def ask(self, function: str, case: Case, seconds: float) -> Reply:
        """The reply to one case. A time-out counts only when it happens twice: a busy machine must not cost points."""
        for attempt in range(2):
            try:
                channel = self._ready()
                if channel is None:
                    return Reply("crashed", None, self._given_up)
                reply = channel.ask({"do": "call", "function": function, "question": case.question()}, seconds)
                return self._explain(function, reply) if reply.status == "missing" else reply
            except TimedOut:
                self._stop()
                if attempt == 1:
                    return Reply("timed_out", None, f"no answer within {seconds:g} seconds, twice")
            except Gone as error:
                self._stop()
                return Reply("crashed", None, f"while it was called: {error}")
        raise AssertionError("unreachable")

    def _explain(self, function: str, reply: Reply) -> Reply:
        cell = self.submission.defining(function)
        if cell in self.notes:
            return Reply(reply.status, None, f"{reply.error}; {self.notes[cell]}")
        return reply

    def _ready(self) -> Channel | None:
        """A process in which the cells have run, or None when the hand-in cannot be brought to that point."""
        while self._channel is None and not self._given_up:
            cell = 0
            self._channel = Channel(self.launcher())
            try:
                self._channel.ask({"do": "withhold", "names": self.withheld}, START_SECONDS)
                for cell, source in self.submission.cells:
                    if cell in self._left_out:
                        continue
                    reply = self._channel.ask({"do": "run", "source": source, "number": cell}, CELL_SECONDS)
                    if reply.status != "answer":
                        self.notes[cell] = f"cell {cell} raised {reply.error}"
            except (TimedOut, Gone) as error:
                self._stop()
                limit = CELL_SECONDS if cell else START_SECONDS
                what = f"took more than {limit:g} seconds" if isinstance(error, TimedOut) else f"crashed: {error}"
                self._leave_out(cell, what)
        return self._channel

    def _leave_out(self, cell: int, what: str) -> None:
        if cell == 0:
            self._failed_starts += 1
            if self._failed_starts == 2:
                self._given_up = f"the process for the hand-in does not start: it {what}"
            return
        self._left_out.add(cell)
        self.notes[cell] = f"cell {cell} {what}; it was left out"
        if len(self._left_out) > MAX_LEFT_OUT:
            self._given_up = f"more than {MAX_LEFT_OUT} cells crash or hang; the last one: {self.notes[cell]}"

    def _stop(self) -> None:
        if self._channel is not None:
            self._channel.close()
            self._channel = None


def summary(report: Report) -> str:
    """A report as text, one line a task."""
    lines = [f"{r.task:<16} {r.points:5.1f}  {r.outcome}{': ' + r.message if r.message else ''}" for r in report.results]
    right = sum(r.outcome is Outcome.RIGHT for r in report.results)
    return "\n".join([*lines, f"{right} of {len(report.results)} right, {report.points:g} points, {report.seconds:.1f} s", *report.notes])
