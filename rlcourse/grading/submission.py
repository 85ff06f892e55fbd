"""A handed-in notebook or .py file as the list of its code cells. Nothing is executed here, and no field is trusted."""

import difflib
import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from rlcourse.checks.task import Task

MAX_BYTES = 16 * 1024 * 1024
MAX_CELLS = 500


class BadSubmission(ValueError):
    """The file is not a notebook or Python source that could be graded. The message says what is wrong with it."""


class Submission(NamedTuple):
    """cells: (number in the notebook from 1, source) of every code cell that is run before the functions are called.

    scored: the same of the cells that are not run, because nbgrader scores them. ids: (cell, nbgrader's id) of the cells to
    solve. mark: what the notebook says of itself, {"sheet": "02", "release": 1}; empty for Python source. kind: "notebook" or
    "source".
    """

    cells: tuple[tuple[int, str], ...]
    scored: tuple[tuple[int, str], ...] = ()
    ids: tuple[tuple[int, str], ...] = ()
    mark: dict[str, Any] = {}
    kind: str = "source"

    def defining(self, name: str) -> int | None:
        """The number of the last cell that defines `name`, whether it runs or not."""
        return next(iter(reversed(self.all_defining(name))), None)

    def all_defining(self, name: str) -> list[int]:
        """The numbers of the cells that define `name`."""
        return [number for number, source in self.cells if _defines(source, name)]

    def names(self) -> dict[str, int]:
        """Function or class -> the last cell that defines it at its top level."""
        pattern = re.compile(r"^(?:async[ \t]+def|def|class)[ \t]+(\w+)", re.M)
        return {name: number for number, source in self.cells for name in pattern.findall(source)}

    def remarks(self, tasks: Iterable[Task]) -> tuple[str, ...]:
        """What happened to the cells of the sheet: functions that are missing, and why, or there twice; copied cells."""
        found = []
        for task in tasks:
            cells = self.all_defining(task.function)
            if not cells:
                found.append(self.why_missing(task))
            elif len(cells) > 1:
                found.append(f"{task.function} is defined in the cells {', '.join(map(str, cells))}: the last one counts")
        for name, count in Counter(name for _, name in self.ids).items():
            if count > 1:
                cells = [str(number) for number, other in self.ids if other == name]
                found.append(f"the cell of {name} is there {count} times, as the cells {', '.join(cells)}: it was copied")
        return tuple(found)

    def why_missing(self, task: Task) -> str:
        """A sentence on a function that no cell defines: renamed, written into another cell, or deleted."""
        head = f"there is no function {task.function} in the hand-in"
        scored = next((number for number, source in self.scored if _defines(source, task.function)), None)
        if scored is not None:
            return f"{head}: it stands in the check cell {scored}, which is not run; write it into the cell above"
        names = self.names()
        close = difflib.get_close_matches(task.function.lower(), [name.lower() for name in names], 1, 0.6)
        renamed = next((name for name in names if close and name.lower() == close[0]), None)
        if self.kind == "notebook" and not {task.name, task.function} & {name for _, name in self.ids}:
            head += ": its cell was deleted" + (" or made anew" if renamed else "")
        return f"{head}; was it renamed? cell {names[renamed]} defines {renamed}" if renamed else head


def _defines(source: str, name: str) -> bool:
    # Blanks and tabs only: a "\s" behind "^" would run over empty lines, and that once for each of them.
    name, gap = re.escape(name), r"[ \t]"
    return re.search(rf"^{gap}*(?:(?:async{gap}+)?def{gap}+{name}\b|class{gap}+{name}\b|{name}{gap}*=)", source, re.M) is not None


def read_submission(content: bytes | str) -> Submission:
    """The cells of a notebook (JSON) or of Python source, one cell. Raises BadSubmission.

    Cells that nbgrader scores are left out: checks call functions of the course that are not there while a sheet is graded,
    and an experiment that a person marks need not run again.
    """
    if len(content) > MAX_BYTES:
        raise BadSubmission(f"the file has {len(content)} bytes; more than {MAX_BYTES} are not read (clear the outputs)")
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
    except UnicodeDecodeError:
        raise BadSubmission("the file is not text in UTF-8") from None
    if "\0" in text:
        raise BadSubmission("the file holds zero bytes; it is not a notebook or Python source")
    return _from_notebook(text) if text.lstrip().startswith("{") else Submission(((1, text),))


def from_json(text: str) -> Any:
    """The value of a JSON text, in which every half of a surrogate pair, which no file and no table takes, is a "?".

    Raises ValueError, RecursionError.
    """
    value = json.loads(text)
    if re.search(r"\\u[dD][89a-fA-F]", text) or not text.isascii() and re.search("[\ud800-\udfff]", text):
        value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return value


def _from_notebook(text: str) -> Submission:
    try:
        notebook = from_json(text)
        cells = notebook["cells"]
    except (ValueError, RecursionError):
        raise BadSubmission("the notebook is damaged: it is not valid JSON") from None
    except (KeyError, TypeError):
        raise BadSubmission("the notebook has no cells; notebooks older than format 4 are not read") from None
    if not isinstance(cells, list) or len(cells) > MAX_CELLS:
        raise BadSubmission(f"a notebook has a list of at most {MAX_CELLS} cells")
    run, scored, ids = [], [], []
    for number, cell in enumerate(cells, 1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            entry = _nbgrader(cell)
            place = scored if entry.get("grade") is True else run
            place.append((number, _source(cell.get("source", ""))))
            if entry.get("solution") is True and isinstance(entry.get("grade_id"), str):
                ids.append((number, entry["grade_id"][:80]))
    metadata = notebook.get("metadata")
    mark = metadata.get("rlcourse") if isinstance(metadata, dict) else None
    return Submission(tuple(run), tuple(scored), tuple(ids), mark if isinstance(mark, dict) else {}, "notebook")


def _nbgrader(cell: dict[str, Any]) -> dict[str, Any]:
    metadata = cell.get("metadata")
    entry = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return entry if isinstance(entry, dict) else {}


def _source(source: Any) -> str:
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    if isinstance(source, str):
        return source
    raise BadSubmission("the source of a cell is not text")
