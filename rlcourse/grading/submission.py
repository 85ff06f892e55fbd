"""A handed-in notebook or .py file as the list of its code cells. Nothing is executed here, and no field is trusted."""

import json
import re
from typing import Any, NamedTuple

MAX_BYTES = 16 * 1024 * 1024
MAX_CELLS = 500


class BadSubmission(ValueError):
    """The file is not a notebook or Python source that could be graded. The message says what is wrong with it."""


class Submission(NamedTuple):
    """cells: (number in the notebook from 1, source) of every code cell that is run before the functions are called."""

    cells: tuple[tuple[int, str], ...]

    def defining(self, name: str) -> int | None:
        """The number of the last cell that defines `name`, whether it runs or not."""
        pattern = re.compile(rf"^\s*(?:(?:async\s+)?def\s+{re.escape(name)}\b|class\s+{re.escape(name)}\b|{re.escape(name)}\s*=)", re.M)
        return next((number for number, source in reversed(self.cells) if pattern.search(source)), None)


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


def _from_notebook(text: str) -> Submission:
    try:
        notebook = json.loads(text)
        cells = notebook["cells"]
    except (ValueError, RecursionError):
        raise BadSubmission("the notebook is damaged: it is not valid JSON") from None
    except (KeyError, TypeError):
        raise BadSubmission("the notebook has no cells; notebooks older than format 4 are not read") from None
    if not isinstance(cells, list) or len(cells) > MAX_CELLS:
        raise BadSubmission(f"a notebook has a list of at most {MAX_CELLS} cells")
    found = []
    for number, cell in enumerate(cells, 1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code" and not _is_graded(cell):
            found.append((number, _source(cell.get("source", ""))))
    return Submission(tuple(found))


def _is_graded(cell: dict[str, Any]) -> bool:
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return isinstance(nbgrader, dict) and nbgrader.get("grade") is True


def _source(source: Any) -> str:
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    if isinstance(source, str):
        return source
    raise BadSubmission("the source of a cell is not text")
