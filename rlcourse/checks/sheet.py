"""A sheet in the notebook: checks below the tasks, a table, the cells that nbgrader scores."""

import html
import os
import random
import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import Any

import numpy as np

from rlcourse.checks.calling import Desk, call, describe, kind_of, withheld
from rlcourse.checks.figures import comment, drawn_by
from rlcourse.checks.judging import Frequencies, Key, Orders
from rlcourse.checks.limit import TimedOut, time_limit
from rlcourse.checks.quiet import quiet_stderr
from rlcourse.checks.task import Case, ManualTask, Outcome, Reply, Result, Task, examine, judged
from rlcourse.checks.visible import Slips
from rlcourse.errors import CourseError

HIDDEN_SEEDS = 3  # grading seeds that one run of nbgrader uses


class NotRight(CourseError, AssertionError):
    """A task is not right. Raised only where nbgrader validates or scores."""


class UnknownTask(CourseError, ValueError):
    """There is no task of that name in the sheet."""


@dataclass
class Sheet:
    """The tasks of one sheet, and what is known of them in this session. number: "02".

    stand_ins: function name -> reference, for tasks that build on another one; see `stand_in`.
    slips: what the mistakes would answer to the visible cases; see `rlcourse.checks.visible`.
    """

    number: str
    title: str
    tasks: tuple[Task, ...]
    manual: tuple[ManualTask, ...] = ()
    stand_ins: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    slips: Slips = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)

    @property
    def in_notebook(self) -> tuple[Callable[..., Any], ...]:
        """What a notebook calls by the sheet's module: check, grade, attempt, summary, stand_in."""
        return self.check, self.grade, self.attempt, self.summary, self.stand_in

    def task(self, name: str) -> Task:
        """The task of that name. Raises UnknownTask."""
        for task in self.tasks:
            if task.name == name:
                return task
        names = ", ".join(task.name for task in self.tasks)
        raise UnknownTask(f"sheet {self.number} has no task {name!r}; its tasks are {names}")

    def add_hidden(self) -> None:
        """Join the tasks with their hidden cases, where these are: `rlcourse.checks.hiddenNN`."""
        name = f"rlcourse.checks.hidden{self.number}"
        if all(task.cases is None for task in self.tasks) and find_spec(name):
            hidden = import_module(name).HIDDEN
            self.tasks = tuple(replace(task, **hidden[task.name]._asdict()) for task in self.tasks)

    def visible_cases(self, task: Task) -> list[Case]:
        """The visible cases of a task, with what its mistakes would answer."""
        listed = self.slips.get(task.name, {})
        return [
            replace(case, secret=case.secret.with_slips(listed[case.title]))
            if case.title in listed
            else case
            for case in task.visible
        ]

    def cell_of(self, item: Task | ManualTask) -> str:
        """Id of the cell that answers an item.

        It is the item's name, or that of the function where several tasks judge one function.
        """
        if isinstance(item, ManualTask):
            return item.name
        several = sum(task.function == item.function for task in self.tasks) > 1
        return item.function if several else item.name

    def check(self, name: str, function: Any) -> None:
        """Print below a task what is right and which mistake is likely; never raises there."""
        task = self.task(name)
        result = self.results[name] = self._examine(
            task, self.visible_cases(task), function, visible=True
        )
        _show(_visible_text(task, result, function))
        if result.outcome is not Outcome.RIGHT and os.environ.get("NBGRADER_EXECUTION"):
            raise NotRight(_reason(task, result))

    def grade(self, name: str, function: Any, seed: int | None = None) -> float:
        """The hidden check of a task, for nbgrader: the points earned.

        Raises NotRight when there are none.

        It puts HIDDEN_SEEDS sets of hidden cases to the function, in the student's own process:
        convenient, and not proof against a student who attacks it; `rlcourse.grading` is. What the
        function prints is thrown away: feedback has no inputs.
        """
        self.add_hidden()
        task = self.task(name)
        seed = random.SystemRandom().randrange(2**32) if seed is None else seed
        cases = [case for k in range(HIDDEN_SEEDS) for case in task.hidden_cases(seed + k)]
        result = self._examine(task, cases, function)
        if result.points == 0.0:
            raise NotRight(_reason(task, result))
        if result.message:
            print(textwrap.fill(result.message, 100))
        return result.points

    def attempt(self, name: str, function: Callable[[], Any]) -> None:
        """Run the code of an item marked by a person, and say what stands in its figure.

        Neither a blank one nor one that ends in an error stops Run All.
        """
        task = next((task for task in self.manual if task.name == name), None)
        if task is None:
            raise UnknownTask(f"sheet {self.number} has no item {name!r} marked by hand")
        head = f"{name} ({task.points} points)"
        self.results.pop(name, None)
        try:
            figures = drawn_by(function)
        except NotImplementedError:
            self.results[name] = Result(name, Outcome.BLANK, 0.0, "", "", 0.0)
            print(f"{head}: not started.")
        except Exception as error:
            self.results[name] = Result(name, Outcome.RAISED, 0.0, "", "", 0.0)
            _show(f"{head}: raised an error.\n{describe(error)}")
        else:
            if task.figure is not None:
                _show(f"{head}: {comment(figures, task.figure)}")

    def summary(self, release: object = None) -> "Overview":
        """The table at the end of a sheet: task, points and what is known of it.

        release: without effect. Sheets that were handed out say `summary(release=1)`.
        """
        return Overview(self)

    def stand_in(self, name: str) -> Callable[..., Any]:
        """The course's version of a function of another task, so that no task waits for another.

        Not for hand-in: it is withheld while the task itself is judged.
        """
        if name not in self.stand_ins:
            raise UnknownTask(
                f"no stand-in for {name!r}; there are {', '.join(self.stand_ins) or 'none'}"
            )
        return self.stand_ins[name]

    def _examine(
        self, task: Task, cases: list[Case], function: Any, *, visible: bool = False
    ) -> Result:
        answers, warned, desk = [], [], Desk()

        def ask(case: Case) -> Reply:
            """Put a case to the function; what it writes to stderr is kept in `warned`."""
            with (
                quiet_stderr() as text,
                withheld(task.withheld),
                nullcontext() if visible else redirect_stdout(StringIO()),
            ):
                reply = (
                    _in_time(task, function, case, desk)
                    if visible
                    else call(function, case.question(), desk)
                )
            warned.append(text.getvalue())
            answers.append((case, reply))
            return reply if visible else _outlined(task, reply)

        if str(getattr(function, "__module__", "")).startswith("rlcourse."):
            return Result(task.name, Outcome.WRONG, 0.0, "imported", task.words("imported"), 0.0)
        result = examine(task, cases, ask, visible=visible)
        if not visible:
            return result
        lines = list(
            dict.fromkeys(line for text in warned for line in text.splitlines() if line.strip())
        )
        if lines:
            text = f"(Your function also wrote to stderr, which costs no points: {' '.join(lines)}"
            print(textwrap.shorten(text, 300) + ")")
        return _with_example(task, result, answers)


def _in_time(task: Task, function: Any, case: Case, desk: Desk) -> Reply:
    """The reply to a visible case; a function that does not come to an end is stopped."""
    try:
        with time_limit(task.seconds):
            return call(function, case.question(), desk)
    except TimedOut:
        message = f"no answer after {task.seconds:g} seconds: look for a loop that does not end"
        return Reply("timed_out", None, message)


def _outlined(task: Task, reply: Reply) -> Reply:
    """The reply to a hidden case without what the function could have put into its error."""
    if reply.status == "not_plain":
        return reply._replace(
            error="numbers, texts, lists, tuples, dicts and arrays of numbers can be handed over"
        )
    return (
        reply._replace(error=f"{kind_of(reply.error)} in {task.function}")
        if reply.status == "raised"
        else reply
    )


def _with_example(task: Task, result: Result, answers: list[tuple[Case, Reply]]) -> Result:
    """For a visible check: add the first wrong case, what it should give and what came."""
    if result.outcome is not Outcome.WRONG:
        return result
    for case, reply in answers:
        if reply.status not in ("answer", "changed") or result.mistake in ("changed", "rng"):
            continue
        verdict = judged(task, case, reply.answer)
        if verdict.score < 1.0:
            lines = [result.message, f"Case: {case.title}."]
            if case.script:
                calls = (name + _short(args) * bool(args) for name, args in case.script)
                lines.append(textwrap.shorten("Calls: " + ", ".join(calls), 400))
            if isinstance(case.secret, Key):
                lines.append(f"Expected {_short(case.secret.right)}; got {_short(reply.answer)}.")
            elif isinstance(case.secret, Frequencies) and verdict.mistake != "kind":
                shares = [
                    reply.answer.count(a) / len(reply.answer) for a in range(len(case.secret.right))
                ]
                often = f"{_short(case.secret.right)}; got {_short(shares)}"
                lines.append(f"Expected how often each action: {often}.")
            elif isinstance(case.secret, Orders) and verdict.mistake not in ("kind", "shape"):
                lines.append(f"Expected how often: {case.secret.compared(reply.answer)}.")
            return Result(
                task.name,
                result.outcome,
                result.score,
                result.mistake,
                "\n".join(lines),
                result.points,
            )
    return result


def _short(value: Any) -> str:
    """A value on a line, at most six digits a number."""
    if isinstance(value, list) and value and all(isinstance(x, (int, float)) for x in value):
        value = np.asarray(value)
    if isinstance(value, tuple):
        return "(" + ", ".join(_short(item) for item in value) + ")"
    if isinstance(value, list) and any(
        isinstance(item, (np.ndarray, list, tuple)) for item in value
    ):
        text = "[" + ", ".join(_short(item) for item in value[:100]) + "]"
        return text if len(text) <= 400 else f"{text[:400]} ..."
    if isinstance(value, np.ndarray):
        return np.array2string(
            value,
            precision=4,
            suppress_small=True,
            separator=", ",
            max_line_width=200,
            threshold=40,
        )
    if isinstance(value, float):
        return f"{value:.6g}"
    return textwrap.shorten(repr(value), 200)


def _reason(task: Task, result: Result) -> str:
    """The outcome and the message in one text: what nbgrader shows and what feedback repeats."""
    head = f"{task.name}: {result.outcome}"
    return f"{head}. {result.message}" if result.message else head


def _visible_text(task: Task, result: Result, function: Any) -> str:
    head = f"{task.name} ({task.points} points): " if task.points else f"{task.name}: "
    if result.outcome is Outcome.RIGHT:
        more = f"\nAlso graded: {task.also_graded}" if task.also_graded else ""
        return f"{head}the visible cases are right.{more}"
    if result.outcome is Outcome.BLANK:
        return (
            f"{head}not started. Write `{task.function}` above; "
            "`raise NotImplementedError` stands where your code goes."
        )
    return f"{head}{result.outcome}.\n{result.message}"


def _show(text: str) -> None:
    for line in text.split("\n"):
        print(textwrap.fill(line, 110, subsequent_indent="  "))


class Overview:
    """The state of a sheet as a table, in text and in HTML."""

    def __init__(self, sheet: Sheet) -> None:
        self._title = f"Sheet {sheet.number}: {sheet.title}"
        self._rows = [
            (task.name, str(task.points), _state(task, sheet.results.get(task.name)))
            for task in sheet.tasks
        ]
        for task in sheet.manual:
            result = sheet.results.get(task.name)
            state = f"{result.outcome}; marked by hand" if result else "marked by hand"
            self._rows.append((task.name, str(task.points), state))
        right = [task for task in sheet.tasks if _is_right(sheet.results.get(task.name))]
        self._foot = (
            f"{len(right)} of {len(sheet.tasks)} checked tasks pass their visible cases "
            f"({_points(right)} of {_points(sheet.tasks)} points); "
            "hidden cases decide."
        )

    def __repr__(self) -> str:
        width = max(len(row[0]) for row in self._rows)
        lines = [
            f"{name:<{width}}  {points:>6}  {state}"
            for name, points, state in (("task", "points", "state"), *self._rows)
        ]
        return "\n".join([self._title, *lines, self._foot])

    def _repr_html_(self) -> str:
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._rows
        )
        return (
            f"<table><caption>{html.escape(self._title)}</caption>"
            "<thead><tr><th scope='col'>task</th><th scope='col'>points</th>"
            "<th scope='col'>state</th></tr></thead>"
            f"<tbody>{rows}</tbody></table><p>{html.escape(self._foot)}</p>"
        )


def _points(tasks: Sequence[Task]) -> int:
    return sum(task.points for task in tasks)


def _is_right(result: Result | None) -> bool:
    return result is not None and result.outcome is Outcome.RIGHT


def _state(task: Task, result: Result | None) -> str:
    if result is None:
        return "not checked yet: run the cell below the task"
    if result.outcome is Outcome.WRONG:
        return task.words(result.mistake)
    return str(result.outcome)
