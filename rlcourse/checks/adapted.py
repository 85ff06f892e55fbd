"""Notebooks and pages of a teacher's own course: points set anew, tasks and links taken out."""

import posixpath
import re
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

import nbformat

from rlcourse.checks.course import CourseSettings, changes_of

if TYPE_CHECKING:
    from rlcourse.checks.sheet import Sheet

_LINK = re.compile(r"(?<!!)\[([^\[\]\n]*)\]\(([^()\s]+)\)")
_ROW = re.compile(r"\| \[[^\]]*\]\(([^()\s]+)\)")  # of a table, that begins with a link
_HEADING, _TASK = re.compile(r"#{2,3} "), re.compile(r"## Task (\d+)")
YOU_ARE_HERE = "(you are here)"  # stands in a lesson's line of links to all lessons
_NUMBER = re.compile(r"\d\d[a-z]?")


def adapted_text(text: str, place: str, settings: CourseSettings) -> str:
    """A page or notebook, as text, in a teacher's course: the line of all lessons and the rows of
    tables follow it, and nothing leads to what is not in it (`without_links`).
    """
    lines = [
        _in_order(line, settings) if YOU_ARE_HERE in line and " · " in line else line
        for line in text.split("\n")
    ]
    text = without_links("\n".join(lines), place, lambda name: not settings.has(name))

    def position(line: str) -> int:
        """Of a row that begins with a link to a lesson or a sheet, in the course; else -1."""
        row = _ROW.match(line)
        return settings.position(_file(row[1], place)) if row else -1

    tables = groupby(text.split("\n"), lambda line: position(line) >= 0)
    return "\n".join(line for _, rows in tables for line in sorted(rows, key=position))


def without_links(text: str, place: str, is_missing: Callable[[str], bool]) -> str:
    """A page or notebook, as text, without links to files that are missing, and without the rows of
    tables that begin with one.

    place: its path from the course's folder; a link's file is named in the same way.
    """

    def is_dead(target: str) -> bool:
        return is_missing(_file(target, place))

    lines = []
    for line in text.split("\n"):
        row = _ROW.match(line)
        if not (row and is_dead(row[1])):
            lines.append(_LINK.sub(lambda link: link[1] if is_dead(link[2]) else link[0], line))
    return "\n".join(lines)


def _file(target: str, place: str) -> str:
    """The path, from the course's folder, of the file to which a link in `place` leads."""
    there = posixpath.dirname(place)
    return posixpath.normpath(posixpath.join(there, target.partition("#")[0]))


def _in_order(line: str, settings: CourseSettings) -> str:
    """The line of all lessons, with those of the course in their order."""
    head, body, tail = re.fullmatch(r'( *"?)(.*?)((?:\\n)?"?,?)', line).groups()  # type: ignore
    parts = {number[0]: part for part in body.split(" · ") if (number := _NUMBER.search(part))}
    return head + " · ".join(parts[n] for n in settings.lessons if n in parts) + tail


def adapted_sheet(notebook: nbformat.NotebookNode, sheet: "Sheet") -> nbformat.NotebookNode:
    """The students' notebook of a sheet with the points and tasks of the course, in place."""
    changes = changes_of(sheet)
    if not changes or changes in notebook.cells[0].source:
        return notebook
    worth = sheet.points
    tasks: dict[str, list[str]] = {}  # number of a task in the sheet's own table -> its items
    task, cells = "", []
    for part in _parts(notebook.cells):
        task = number[1] if (number := _TASK.match(part[0].source)) else task
        items = [name for cell in part if (name := _item_of(cell))]
        tasks.setdefault(task, []).extend(items)
        if items and all(name in sheet.left_out for name in items):
            continue
        for name in filter(worth.__contains__, items):
            part[0].source = _with_points(part[0].source, worth, name)
        cells += part
    notebook.cells = cells
    notebook.cells[0].source = _title(notebook.cells[0].source, tasks, worth) + f"\n\n*{changes}*"
    for cell in cells:
        if (name := _item_of(cell)) in worth:
            cell.metadata.nbgrader.points = worth[name]
        _seal(cell)
    return notebook


def _parts(cells: list[Any]) -> Iterator[list[Any]]:
    """The cells from one heading to the next."""
    part: list[Any] = []
    for cell in cells:
        if part and cell.cell_type == "markdown" and _HEADING.match(cell.source):
            yield part
            part = []
        part.append(cell)
    yield part


def _item_of(cell: Any) -> str:
    """The item whose points stand in this cell, or ""."""
    marks = cell.metadata.get("nbgrader", {})
    return marks.get("grade_id", "").removeprefix("check-") if marks.get("grade") else ""


def _with_points(text: str, worth: dict[str, int], name: str) -> str:
    """The text of a task with the points of the course: *20 points, ...* or (8 points)."""
    shown = f"{worth[name]} points" if worth[name] else "bonus"
    if name == "experiment":
        text = re.sub(r"^\*\d+ points for the figure, \d+ ", _both(worth), text, flags=re.M)
    text = re.sub(r"^\*(?:\d+ points|bonus)(?=[,*])", f"*{shown}", text, flags=re.M)
    return re.sub(r"^(### .*)\(\d+ points\)$", rf"\g<1>({shown})", text, flags=re.M)


def _both(worth: dict[str, int]) -> str:
    figure, explanation = worth.get("experiment", 0), worth.get("explanation", 0)
    return f"*{figure} points for the figure, {explanation} "


def _title(text: str, tasks: dict[str, list[str]], worth: dict[str, int]) -> str:
    """The first cell, with the rows of its table as the course has them."""
    lines = []
    for line in text.split("\n"):
        row = re.match(r"\| (\d+) ([^|]*)\|[^|]*\|", line)
        items = tasks.get(row[1], []) if row else []
        points = [worth[name] for name in items if name in worth]
        if items and not points:
            continue
        if row and points:
            shown = " + ".join(map(str, points)) if any(points) else "bonus"
            line = f"| {row[1]} {row[2]}| {shown} |{line[row.end() :]}"
        lines.append(line)
    return "\n".join(lines)


def _seal(cell: Any) -> None:
    """Let nbgrader find the cell unchanged."""
    if cell.metadata.get("nbgrader", {}).get("checksum"):
        from nbgrader.utils import compute_checksum

        cell.metadata.nbgrader.checksum = compute_checksum(cell)
