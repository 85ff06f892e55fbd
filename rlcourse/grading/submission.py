"""A handed-in notebook or .py file as the list of its code cells.

Nothing is executed here, and no field is trusted.
"""

import ast
import difflib
import re
import sys
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from rlcourse.checks.task import Task
from rlcourse.notebook import CHECK, Notebook, defines, is_notebook, refuse_too_much, text_in

# What binds a name at the top level of a cell. The course's stand-in is no answer.
_DEFINITION = re.compile(
    r"^(?:(?:async[ \t]+def|def|class)[ \t]+(\w+)|(\w+)[ \t]*(?::[^=\n]*)?=(?!=)(?!.*stand_in\())",
    re.M,
)
# The syntax of Python 3.12 (type parameters and aliases) and 3.14 (except without brackets,
# templates).
_NEWER = re.compile(
    r"""^[ \t]*(?:(?:async[ \t]+)?def|class|type)[ \t]+\w+[ \t]*\["""
    r"""|^[ \t]*type[ \t]+\w+[ \t]*=|^[ \t]*except[ \t]+[\w.]+[ \t]*,"""
    r"""|\b(?:t|T|rt|tr)["']""",
    re.M,
)
_IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+(\w+)(?:[^\n(]*\([^)]{0,2000}\)|.*)", re.M)
# A line that IPython alone understands: %matplotlib inline, !ls, np.where?, files = !ls.
MAGIC = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.][\w. \t]*=[ \t]*[%!].*|[\w.]+\?{1,2}[ \t]*)$", re.M)
# `from rlcourse.checks import sheet02`, as every sheet begins.
_SHEET = re.compile(r"^(?:from[ \t]+rlcourse\.checks[ \t]+)?import\b.*?\bsheet(\d\d)\b", re.M)
MAX_TEXT = 10_000  # characters of a cell that is no code, in which a function is looked for
# An answer that nobody has begun to write.
_UNWRITTEN = re.compile(r"^[ \t]*raise[ \t]+NotImplementedError", re.M)


class Piece(NamedTuple):
    """The top-level statements of a cell that start in the lines first to last, counted from 1:
    what runs without a pause.
    """

    cell: int
    source: str
    first: int
    last: int

    def binds(self) -> set[str]:
        """The names that its lines bind at the top level, as far as they show."""
        lines = "\n".join(self.source.split("\n")[self.first - 1 : self.last])
        return {match[1] or match[2] for match in _DEFINITION.finditer(lines)}


class Plan(NamedTuple):
    """How a hand-in is run.

    pieces: in their order. places: task -> how many of them run before the task is asked.

    earlier: the same of tasks whose function's name is bound to something further down, which may
    be no function at all.
    """

    pieces: tuple[Piece, ...]
    places: dict[str, int]
    earlier: dict[str, int]


class Submission(NamedTuple):
    """cells: (number in the notebook from 1, source) of every code cell that is run before the
    functions are called.

    scored: the same of the cells that are not run, because nbgrader scores them. ids: (cell,
    nbgrader's id) of the cells to solve. mark: what the notebook says of itself, {"sheet": "02"}
    and of a variant which; empty for Python source. kind: "notebook" or "source". python: the
    version that the notebook was saved by, (3, 14), or (). trouble: why a source is not Python, ""
    where it is; a notebook's cells may be anything.
    """

    cells: tuple[tuple[int, str], ...]
    scored: tuple[tuple[int, str], ...] = ()
    ids: tuple[tuple[int, str], ...] = ()
    mark: dict[str, Any] = {}  # noqa: RUF012 - read only
    kind: str = "source"
    python: tuple[int, ...] = ()
    trouble: str = ""
    texts: tuple[tuple[int, str], ...] = ()

    def defining(self, name: str) -> int | None:
        """The number of the last cell that may answer with `name`, whether it runs or not."""
        cells = self.all_defining(name)
        return next((cell for cell in reversed(cells) if not self.is_helper(cell, name)), None)

    def all_defining(self, name: str) -> list[int]:
        """The numbers of the cells that define `name`."""
        return [number for number, source in self.cells if defines(source, name)]

    def is_helper(self, cell: int, name: str) -> bool:
        """Whether a function of that name is no answer in that cell but a help for another one.

        So it is in a cell to solve of another task, where the task's own holds an answer.
        """
        own = {number for number, task in self.ids if task.lower() == name.lower()}
        others = {number for number, _ in self.ids} - own
        return cell in others and any(
            number in own and defines(source, name) and not _UNWRITTEN.search(source)
            for number, source in self.cells
        )

    def plan(self, tasks: Sequence[Task]) -> Plan:
        """Every task is asked where its student saw it pass: at its check, or below it where its
        function is defined again and is no helper.

        So names that the sheet binds further down do not replace the student's. Without a check a
        task is asked right below its function, and a function that no statement defines at the end.
        """
        pieces: list[Piece] = []
        checked: dict[str, list[int]] = defaultdict(list)
        defined: dict[str, int] = {}
        made: dict[str, int] = {}
        names, functions = {task.name for task in tasks}, {task.function for task in tasks}
        ran = {number for number, _ in self.cells} | self._answers_in_checks(functions)
        for number, source in sorted((*self.cells, *self.scored)):
            checks = [(_line(source, call), call[1]) for call in CHECK.finditer(source)]
            if number not in ran:
                for _, name in checks:
                    checked[name].append(len(pieces))
                continue
            ends = sorted(
                {line for line, name in checks if name in names} | {source.count("\n") + 1}
            )
            for line, name in checks:
                checked[name].append(len(pieces) + bisect_left(ends, line) + 1)
            for match in _DEFINITION.finditer(source):
                name = match[1] or match[2]
                if name in functions and not self.is_helper(number, name):
                    defined[name] = len(pieces) + bisect_left(ends, _line(source, match)) + 1
                    made[name] = defined[name] if match[1] else made.get(name, defined[name])
            starts = [1, *(line + 1 for line in ends)]
            bounds = zip(starts, ends, strict=False)
            pieces += [Piece(number, source, first, last) for first, last in bounds]

        def behind(task: Task, least: int) -> int:
            """The place of the task's first check there, or that of its function."""
            checks = (place for place in checked[task.name] if place >= least)
            return next(checks, least or len(pieces))

        places = {task.name: behind(task, defined.get(task.function, 0)) for task in tasks}
        first = {task.name: behind(task, made.get(task.function, 0)) for task in tasks}
        earlier = {name: place for name, place in first.items() if place < places[name]}
        return Plan(tuple(pieces), places, earlier)

    def _answers_in_checks(self, functions: set[str]) -> set[int]:
        """The cells that nbgrader scores and that are run all the same: somebody has written an
        answer into them.

        Of an experiment that holds only for functions that are nowhere else: it can take long, and
        a person marks it.
        """
        elsewhere, experiments = self.names().keys(), {number for number, _ in self.ids}
        made = {number: set(_made(source)) for number, source in self.scored}
        return {
            n
            for n, names in made.items()
            if (names & functions - elsewhere if n in experiments else names)
        }

    def source_of(self, cell: int) -> str:
        """What stands in a cell, with that number, of an answer or of a check."""
        return dict((*self.cells, *self.scored))[cell]

    def is_newer(self, cell: int, error: str) -> bool:
        """Whether a cell that this Python cannot read, with that error, may be written for a newer
        one.
        """
        return (
            self.python > sys.version_info[:2]
            or "f-string" in error
            or _NEWER.search(self.source_of(cell)) is not None
        )

    def absent_packages(self) -> list[tuple[str, str]]:
        """(package, line) of every import of a package that is not installed here."""
        imports = (match for _, source in self.cells for match in _IMPORT.finditer(source))
        return [(one[1], one[0].strip()) for one in imports if not _is_installed(one[1])]

    def imported_sheets(self) -> set[str]:
        """The numbers of the sheets whose checks are imported, one a line."""
        cells = (*self.cells, *self.scored)
        return {match[1] for _, source in cells for match in _SHEET.finditer(source)}

    def names(self) -> dict[str, int]:
        """Function or class -> the last cell that defines it at its top level."""
        return {name: number for number, source in self.cells for name in _made(source)}

    def remarks(self, tasks: Iterable[Task]) -> Iterator[str]:
        """What happened to the cells of the sheet: functions that are there twice; copied cells."""
        for task in tasks:
            cells = self.all_defining(task.function)
            if len(cells) > 1:
                helps = any(self.is_helper(cell, task.function) for cell in cells)
                rest = ", and none in the cell of another task" if helps else ""
                listed = ", ".join(map(str, cells))
                head = f"{task.function} is defined in the cells {listed}"
                yield f"{head}: the last one that is a function counts{rest}"
        for name, count in Counter(name for _, name in self.ids).items():
            if count > 1:
                copies = ", ".join(str(number) for number, other in self.ids if other == name)
                head = f"the cell of {name} is there {count} times"
                yield f"{head}, as the cells {copies}: it was copied"

    def why_missing(self, task: Task) -> str:
        """A sentence on a function that no cell defines: renamed, written into another cell, or
        deleted.
        """
        head = f"there is no function {task.function} in the hand-in"
        if scored := next((n for n, source in self.scored if defines(source, task.function)), None):
            cell = f"the check cell {scored}, which nbgrader puts back as it was"
            return f"{head} but in {cell}: write it into the cell above"
        if text := next((n for n, source in self.texts if defines(source, task.function)), None):
            return f"{head} but in cell {text}, which is a text and no code: press Esc and Y there"
        names = self.names()
        in_lower_case = {name.lower(): name for name in reversed(names)}
        close = difflib.get_close_matches(task.function.lower(), in_lower_case, 1, 0.6)
        renamed = in_lower_case[close[0]] if close else None
        ids = {name for _, name in self.ids}
        if self.kind == "notebook" and ids.isdisjoint((task.name, task.function)):
            head += ": its cell was deleted" + (" or made anew" if renamed else "")
        if renamed:
            head += f"; was it renamed? cell {names[renamed]} defines {renamed}"
        return head


def _line(source: str, match: re.Match[str]) -> int:
    return source.count("\n", 0, match.start()) + 1


def _made(source: str) -> list[str]:
    """The functions and classes that a cell defines at its top level."""
    return [match[1] for match in _DEFINITION.finditer(source) if match[1]]


@lru_cache
def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return True  # a module that is being imported, such as __main__


def read_submission(content: bytes | str) -> Submission:
    """The cells of a notebook (JSON) or of Python source, one cell. Raises BadSubmission.

    Cells that nbgrader scores are left out: checks call functions of the course that are not there
    while a sheet is graded, and an experiment that a person marks need not run again.
    """
    text = text_in(content)
    submission = (
        _from_notebook(Notebook.of(text)) if is_notebook(text) else Submission(((1, text),))
    )
    refuse_too_much([source for _, source in (*submission.cells, *submission.scored)])
    if submission.kind == "notebook":
        return submission
    return submission._replace(trouble=_not_python(text))


def _not_python(source: str) -> str:
    """Why a source is not Python, IPython's magics aside; "" where it is. As much of it as MAX_CODE
    can cost 200 MB: the grader of a class has this asked where all files are read, in `reading`.
    """
    try:
        ast.parse(MAGIC.sub(r"\1pass", source))
    except SyntaxError as error:
        return f"{error.msg}, line {error.lineno}"
    except (ValueError, RecursionError, MemoryError) as error:
        return type(error).__name__
    return ""


def _from_notebook(notebook: Notebook) -> Submission:
    cells = list(notebook.cells())
    code = [cell for cell in cells if cell.is_code]
    texts = [cell for cell in cells if cell.is_solution and not cell.is_code]
    sheet, language = notebook.mark.get("sheet"), notebook.metadata.get("language_info")
    sheet = sheet[:100] if isinstance(sheet, str) else sheet
    mark = {"sheet": sheet} if isinstance(sheet, str | int) else {}
    if isinstance(variant := notebook.mark.get("variant"), str):
        mark["variant"] = variant[:40]
    saved_by = str(language.get("version", "")) if isinstance(language, dict) else ""
    version = re.match(r"(\d{1,3})\.(\d{1,3})", saved_by)
    python = tuple(map(int, version.groups())) if version else ()
    return Submission(
        tuple((cell.number, cell.code) for cell in code if not cell.is_scored),
        tuple((cell.number, cell.code) for cell in code if cell.is_scored),
        tuple((cell.number, cell.grade_id) for cell in code if cell.is_solution and cell.grade_id),
        mark,
        "notebook",
        python,
        texts=tuple((cell.number, cell.source[:MAX_TEXT]) for cell in texts),
    )
