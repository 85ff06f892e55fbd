"""*Your turn*: the blanks of a lesson, checked as a sheet checks its tasks, without points.

A blank is a function that the lesson leaves open. The cell below it asks for a check and takes back
the function with which the lesson goes on: the notebook runs to its end whatever the blank holds.

    td_0 = lesson04.your_turn("td_0", td_0)
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

from rlcourse.checks.cells import unread
from rlcourse.checks.judging import by_key
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Case, Outcome, Task
from rlcourse.checks.visible import read_slips

FOLDER = Path(__file__).parent

MINUTES = 3  # for one blank
SECONDS = 3.0  # for one case; a right answer needs less than a thousandth of it


@dataclass(frozen=True)
class Blank:
    """One function that a student writes in a lesson.

    reference: the course's own version; the blank goes by its name.
    cases: hand-worked; what the mistakes would answer is listed in `lessonNN.json`, which
    `python -m tests.notebooks.listed` writes.
    mistakes: name -> a message that teaches.
    asked: makes of the student's function the one that a case is put to, for example
    `changed_argument`.
    """

    reference: Callable[..., Any]
    cases: tuple[Case, ...]
    mistakes: Mapping[str, str]
    asked: Callable[[Callable[..., Any]], Callable[..., Any]] | None = None

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.reference.__name__

    def as_asked(self, function: Any) -> Any:
        """What a case is put to; of anything but a function the check says so itself."""
        return self.asked(function) if self.asked and callable(function) else function

    def task(self) -> Task:
        """The blank as a task of the sheets' framework, worth no points."""
        return Task(
            self.name,
            points=0,
            minutes=MINUTES,
            difficulty=1,
            function=self.name,
            judge=by_key,
            visible=self.cases,
            mistakes=self.mistakes,
            seconds=SECONDS,
        )


class Lesson:
    """The blanks of one lesson. number: "04"."""

    def __init__(self, number: str, title: str, *blanks: Blank) -> None:
        self.blanks = {blank.name: blank for blank in blanks}
        tasks = tuple(blank.task() for blank in blanks)
        references = {blank.name: blank.reference for blank in blanks}
        slips = read_slips(FOLDER / f"lesson{number}.json")
        self.sheet = Sheet(number, title, tasks, stand_ins=references, slips=slips)

    def your_turn(self, name: str, function: Any) -> Callable[..., Any]:
        """Check a blank, and return the function with which the lesson goes on.

        It prints what is right or which mistake is likely. The lesson goes on with the student's
        function where that is right, and else with the course's. Raises UnknownTask.
        """
        reference = self.sheet.stand_in(name)
        if function is reference and not unread(name):
            print(f"{name}: this is the course's. To check yours, run its cell, then this one.")
            return reference
        self.sheet.check(name, self.blanks[name].as_asked(function))
        if self.sheet.results[name].outcome is Outcome.RIGHT:
            print(f"The lesson goes on with your {name}.")
            return function
        print(f"The lesson goes on with the course's {name}.")
        return reference


def changed_argument(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function for a blank that works in place: it gives its first argument as changed."""

    @wraps(function)
    def changed(first: Any, *others: Any) -> Any:
        own = deepcopy(first)
        function(own, *others)
        return own

    return changed
