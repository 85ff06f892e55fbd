"""A sheet in the notebook: checks below the tasks, and the cells that nbgrader scores."""

import os
import random
import sys
import textwrap
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import Any

from rlcourse.checks.calling import CAN_TRAVEL, Desk, call, describe, kind_of
from rlcourse.checks.card import Card, show
from rlcourse.checks.cells import unread
from rlcourse.checks.examining import examine
from rlcourse.checks.figures import comment, drawn_by
from rlcourse.checks.limit import TimedOut, time_limit
from rlcourse.checks.numbers import facts
from rlcourse.checks.overview import Overview, progress
from rlcourse.checks.quiet import Beginning, quiet_stderr
from rlcourse.checks.showing import card_of
from rlcourse.checks.task import Case, ManualTask, Outcome, Reply, Result, Task
from rlcourse.checks.variant import in_variant
from rlcourse.checks.visible import Slips
from rlcourse.checks.withholding import withheld
from rlcourse.errors import CourseError, students_line

# Said of a function that passed and no longer does: it looks its names up anew at every call.
PASSED = (
    "This very function has passed this check before. Does another cell, perhaps one of the "
    "sheet's own, give a name that it uses to something else? Run the function's cell again."
)
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
    results, passed: task -> what its check said last, and the function that passed it last.
    left_out, set_anew: what a teacher's settings changed (`rlcourse.checks.course`): names of tasks
    that are not in the course, and name -> (points as the sheet came, points here).
    """

    number: str
    title: str
    tasks: tuple[Task, ...]
    manual: tuple[ManualTask, ...] = ()
    stand_ins: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    slips: Slips = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)
    passed: dict[str, Any] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    set_anew: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def items(self) -> tuple[Task | ManualTask, ...]:
        """All that has points: the tasks that are judged, then those that a person marks."""
        return (*self.tasks, *self.manual)

    @property
    def points(self) -> dict[str, int]:
        """Item -> its points."""
        return {item.name: item.points for item in self.items}

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
            variants = f"rlcourse.checks.variants{self.number}"
            if find_spec(variants):
                module = import_module(variants)
                hidden = in_variant(hidden, module.VARIANTS, getattr(module, "CHOSEN", {}))
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
        """Show below a task what is right and which mistake is likely; never raises there."""
        if self._is_left_out(name):
            return
        task = self.task(name)
        result, asked, notes = self.examine_visible(task, function)
        self.results[name] = result
        if result.outcome is Outcome.RIGHT:
            self.passed[name] = function
        elif function is self.passed.get(name):
            notes = " ".join(filter(None, (PASSED, notes)))
        foot = progress(self.tasks, self.results) if task.worth else ""
        card = card_of(task, result, asked, notes, foot)
        # A lesson is saved with its blanks not started: there the card stays text.
        show(card, plain=result.outcome is Outcome.BLANK and not task.worth)
        if result.outcome is not Outcome.RIGHT and os.environ.get("NBGRADER_EXECUTION"):
            raise NotRight(str(card))

    def examine_visible(
        self, task: Task, function: Any
    ) -> tuple[Result, list[tuple[Case, Reply]], str]:
        """What the visible cases say of a function; see `card_of`."""
        if error := unread(task.function):
            message = f"Python could not read the cell, so nothing of it counts: {error}"
            return Result(task.name, Outcome.RAISED, 0.0, "", message, 0.0), [], ""
        result, asked, notes = self._examine(task, self.visible_cases(task), function, visible=True)
        if result.mistake == "other":
            result = replace(result, facts=facts(function, asked))
        return result, asked, notes

    def grade(self, name: str, function: Any, seed: int | None = None) -> float:
        """The hidden check of a task, for nbgrader: the points earned, 0 for a right bonus task.

        Raises NotRight for an answer that earns none.

        It puts HIDDEN_SEEDS sets of hidden cases to the function, in the student's own process:
        convenient, and not proof against a student who attacks it; `rlcourse.grading` is. What the
        function prints is thrown away: feedback has no inputs.
        """
        self.add_hidden()
        if self._is_left_out(name):
            return 0.0
        task = self.task(name)
        seed = random.SystemRandom().randrange(2**32) if seed is None else seed
        cases = [case for k in range(HIDDEN_SEEDS) for case in task.hidden_cases(seed + k)]
        result, *_ = self._examine(task, cases, function)
        if result.score == 0.0:
            raise NotRight(_reason(task, result))
        if result.message:
            print(textwrap.fill(result.message, 100))
        return result.points

    def attempt(self, name: str, function: Callable[[], Any]) -> None:
        """Run the code of an item marked by a person, and say what stands in its figure.

        Neither a blank one nor one that ends in an error or is interrupted stops Run All.
        """
        if self._is_left_out(name):
            return
        task = next((task for task in self.manual if task.name == name), None)
        if task is None:
            raise UnknownTask(f"sheet {self.number} has no item {name!r} marked by hand")
        head = f"{name} ({task.points} points)"
        self.results.pop(name, None)
        printed = Beginning(sys.stdout)
        try:
            with redirect_stdout(printed):
                figures = drawn_by(function)
        except NotImplementedError:
            self.results[name] = Result(name, Outcome.BLANK, 0.0, "", "", 0.0)
            show(Card(Outcome.BLANK, head, "not started."))
        except (Exception, KeyboardInterrupt) as error:
            self.results[name] = Result(name, Outcome.RAISED, 0.0, "", "", 0.0)
            show(Card(Outcome.RAISED, head, "raised an error.", (describe(error),)))
        else:
            if task.figure is not None:
                show(Card(Outcome.UNSETTLED, head, comment(figures, task.figure)))
        if note := printed.note():
            print(note)

    def _is_left_out(self, name: str) -> bool:
        """Whether a task, of a sheet that was begun before, was left out; then it is said."""
        if name in self.left_out:
            print(f"{name}: your instructor has left this task out; it does not count.")
        return name in self.left_out

    def summary(self, release: object = None) -> Overview:
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
    ) -> tuple[Result, list[tuple[Case, Reply]], str]:
        """The result, the cases that were put to the function with its replies, and a note on what
        it wrote.
        """
        answers, warned, desk, printed = [], [], Desk(), Beginning(sys.stdout)

        def ask(case: Case) -> Reply:
            """Put a case to the function; what it writes to stderr is kept in `warned`."""
            with (
                quiet_stderr() as text,
                withheld(task.withheld),
                redirect_stdout(printed if visible else StringIO()),
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
            imported = task.message("imported")
            return Result(task.name, Outcome.WRONG, 0.0, "imported", imported, 0.0), [], ""
        result = examine(task, cases, ask, visible=visible)
        lines = dict.fromkeys(line for text in warned for line in text.splitlines() if line.strip())
        text = f"Your function also wrote to stderr, which costs no points: {' '.join(lines)}"
        noise = textwrap.shorten(f"({text}", 300) + ")" if lines else ""
        return result, answers, " ".join(filter(None, (printed.note(), noise)))


def _in_time(task: Task, function: Any, case: Case, desk: Desk) -> Reply:
    """The reply to a visible case; a function that does not come to an end is stopped, by the limit
    or by hand.
    """
    try:
        with time_limit(task.seconds):
            return call(function, case.question(), desk)
    except TimedOut:
        message = f"no answer after {task.seconds:g} seconds: look for a loop that does not end"
        return Reply("timed_out", None, message)
    except KeyboardInterrupt as interrupt:
        line = students_line(interrupt)
        message = "interrupted before it had answered" + f" ({line})" * bool(line)
        return Reply("timed_out", None, message)


def _outlined(task: Task, reply: Reply) -> Reply:
    """The reply to a hidden case without what the function could have put into its error."""
    if reply.status == "not_plain":
        return reply._replace(error=CAN_TRAVEL)
    return (
        reply._replace(error=f"{kind_of(reply.error)} in {task.function}")
        if reply.status == "raised"
        else reply
    )


def _reason(task: Task, result: Result) -> str:
    """The outcome and the message in one text: what nbgrader shows and what feedback repeats."""
    head = f"{task.name}: {result.outcome}"
    return f"{head}. {result.message}" if result.message else head
