"""The table at a sheet's end: task, points, and what is known of each."""

import html
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rlcourse.checks.card import marked_up
from rlcourse.checks.task import Outcome, Result, Task

if TYPE_CHECKING:
    from rlcourse.checks.sheet import Sheet


COLUMNS = ("task", "points", "state")
LEFT = "style='text-align:left'"  # JupyterLab sets the cells of tables to the right


def progress(tasks: Sequence[Task], results: Mapping[str, Result]) -> str:
    """How many of the checked tasks are right, and how many points these have."""
    right = [
        task
        for task in tasks
        if task.name in results and results[task.name].outcome is Outcome.RIGHT
    ]
    points, most = (sum(task.points for task in some) for some in (right, tasks))
    return (
        f"{len(right)} of {len(tasks)} checked tasks pass their visible cases "
        f"({points} of {most} points); hidden cases decide."
    )


class Overview:
    """The state of a sheet as a table, in text and in HTML."""

    def __init__(self, sheet: "Sheet") -> None:
        self._number = sheet.number
        self._title = f"Sheet {sheet.number}: {sheet.title}"
        self._rows = [
            (task.name, str(task.points or task.worth), _state(task, sheet.results.get(task.name)))
            for task in sheet.tasks
        ]
        for task in sheet.manual:
            result = sheet.results.get(task.name)
            state = f"{result.outcome}; marked by hand" if result else "marked by hand"
            self._rows.append((task.name, str(task.points), state))
        self._foot = progress(sheet.tasks, sheet.results)

    def _ipython_display_(self) -> None:
        """The table, and below it the form that hands the sheet in."""
        from IPython.display import display

        display({"text/plain": repr(self), "text/html": self._repr_html_()}, raw=True)
        if not os.environ.get("NBGRADER_EXECUTION"):
            from rlcourse.boards.hand_in import HandInForm

            display(HandInForm(self._number))

    def __repr__(self) -> str:
        width = max(len(row[0]) for row in self._rows)
        lines = [
            f"{name:<{width}}  {points:>6}  {state}"
            for name, points, state in (COLUMNS, *self._rows)
        ]
        return "\n".join([self._title, *lines, self._foot])

    def _repr_html_(self) -> str:
        rows = "".join(
            "<tr>" + "".join(f"<td {LEFT}>{marked_up(cell)}</td>" for cell in row) + "</tr>"
            for row in self._rows
        )
        head = "".join(f"<th scope='col' {LEFT}>{name}</th>" for name in COLUMNS)
        return (
            f"<table><caption>{html.escape(self._title)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            f"<p>{html.escape(self._foot)}</p>"
        )


def _state(task: Task, result: Result | None) -> str:
    if result is None:
        return "not checked yet: run the cell below the task"
    if result.outcome is Outcome.WRONG:
        return task.message(result.mistake)
    return str(result.outcome)
