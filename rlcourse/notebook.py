"""A student's file as text, and a notebook as its cells: for handing in and for grading.

Nothing is executed here, and no field is trusted.
"""

import ast
import hashlib
import json
import re
import sys
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, NamedTuple

from rlcourse.errors import CourseError

MAX_BYTES = 16 * 1024 * 1024
MAX_CELLS = 500
MAX_CODE = 200_000  # characters in all code cells together; pictures and other outputs do not count
MAX_CHECKS = 200  # in all cells together; a sheet has six or seven
MARK = (
    "rlcourse"  # the course's entry in a notebook's metadata: {"sheet": "01", "hand_in": receipt}
)
UNWRITTEN = "your answer here"  # what nbgrader puts where something is to be written, in any case
# A check in a sheet: `sheet02.check("sweep", sweep)`, at the beginning of a line.
CHECK = re.compile(r"""^[ \t]*(?:\w+\.)?check\(\s*["'](\w+)["']""", re.M)


def skip_address_check() -> None:
    """Spare this process jsonschema's check of web addresses, which takes 1 to 3 s to import.

    To be called before nbformat is imported; no notebook needs the check.
    """
    modules: dict[str, Any] = sys.modules
    modules.setdefault("rfc3987_syntax", None)


class BadSubmission(CourseError, ValueError):
    """The file is not a notebook or Python source that could be graded.

    The message says what is wrong with it.
    """


class MoreThanIsRead(BadSubmission):
    """The file goes beyond a bound that keeps the grader small.

    It may be right all the same: a person has to look at it.
    """


class Cell(NamedTuple):
    """One cell.

    number: in the notebook from 1. fields: as they stand in the file, each of any type.
    """

    number: int
    fields: dict[str, Any]

    @property
    def is_code(self) -> bool:
        """Whether it is a cell of code."""
        return self.fields.get("cell_type") == "code"

    @property
    def source(self) -> str:
        """Its source, as far as that is text."""
        return joined(self.fields.get("source", ""))

    @property
    def code(self) -> str:
        """Its source with a newline at each line's end.

        Raises BadSubmission where that is not text.
        """
        source = self.fields.get("source", "")
        if isinstance(source, list) and all(isinstance(line, str) for line in source):
            source = "".join(source)
        if not isinstance(source, str):
            raise BadSubmission("the source of a cell is not text")
        return _with_newlines(source)

    @property
    def nbgrader(self) -> dict[str, Any]:
        """What nbgrader keeps in it."""
        return _dictionary(_dictionary(self.fields.get("metadata")).get("nbgrader"))

    @property
    def grade_id(self) -> str:
        """nbgrader's name of the cell, "" where it has none."""
        name = self.nbgrader.get("grade_id")
        return name[:80] if isinstance(name, str) else ""

    @property
    def is_solution(self) -> bool:
        """Whether a student writes into it."""
        return self.nbgrader.get("solution") is True

    @property
    def is_scored(self) -> bool:
        """Whether nbgrader gives points for it."""
        return self.nbgrader.get("grade") is True

    @property
    def outputs(self) -> list[dict[str, Any]]:
        """What it printed and drew, each output with its fields."""
        outputs = self.fields.get("outputs")
        listed = outputs if isinstance(outputs, list) else []
        return [output for output in listed if isinstance(output, dict)]


@dataclass(frozen=True)
class Notebook:
    """A notebook as format 4 has it. document: the value of its JSON."""

    document: dict[str, Any]

    @classmethod
    def of(cls, content: bytes | str) -> "Notebook":
        """The notebook in a file; one of an older format is converted. Raises BadSubmission."""
        text = text_in(content)
        if not is_notebook(text):
            raise BadSubmission("it is not a notebook")
        return cls(_document(text))

    @property
    def metadata(self) -> dict[str, Any]:
        """What it says of itself."""
        return _dictionary(self.document.get("metadata"))

    @property
    def mark(self) -> dict[str, Any]:
        """The course's entry: which sheet it is, and the receipt of a hand-in."""
        return _dictionary(self.metadata.get(MARK))

    def cells(self) -> Iterator[Cell]:
        """Every cell."""
        for number, fields in enumerate(self.document["cells"], 1):
            if isinstance(fields, dict):
                yield Cell(number, fields)

    def fingerprint(self) -> str:
        """SHA-256 over the notebook without its receipt, whatever the spacing of the file."""
        mark = {key: value for key, value in self.mark.items() if key != "hand_in"}
        bare = {**self.document, "metadata": {**self.metadata, MARK: mark}}
        return hashlib.sha256(json.dumps(bare, sort_keys=True).encode()).hexdigest()


def text_in(content: bytes | str) -> str:
    """The text of a file in UTF-8, -16 or -32, or as its first lines say, with a newline at each
    line's end, and "?" for every half of a surrogate pair, which no file and no table takes.

    Raises BadSubmission.
    """
    if len(content) > MAX_BYTES:
        raise BadSubmission(
            f"the file has {len(content)} bytes; "
            f"more than {MAX_BYTES} are not read (clear the outputs)"
        )
    text = content if isinstance(content, str) else _decoded(content)
    if "\0" in text:
        raise BadSubmission("the file holds zero bytes; it is not a notebook or Python source")
    # Some encodings can spell half of a surrogate pair, such as unicode_escape, which a first line
    # may name.
    text = re.sub("[\ud800-\udfff]", "?", text)
    return _with_newlines(text.removeprefix("\ufeff"))


def _decoded(content: bytes) -> str:
    try:
        return content.decode(json.detect_encoding(content))
    except UnicodeDecodeError:
        pass
    try:
        return content.decode(tokenize.detect_encoding(BytesIO(content).readline)[0])
    except (SyntaxError, ValueError, LookupError):
        raise BadSubmission(
            "the file is not text in UTF-8; save it with the encoding UTF-8"
        ) from None


def is_notebook(text: str) -> bool:
    """Whether a text wants to be a notebook."""
    return text.lstrip().startswith("{")


def refuse_too_much(sources: Sequence[str]) -> None:
    """Raises MoreThanIsRead where the code cells with these sources are more than is read."""
    length = sum(map(len, sources))
    if length > MAX_CODE:
        raise MoreThanIsRead(f"the code has {length:,} characters; at most {MAX_CODE:,} are read")
    if sum(len(CHECK.findall(source)) for source in sources) > MAX_CHECKS:
        raise MoreThanIsRead(f"there are more than {MAX_CHECKS} calls of check in the cells")


def defines(source: str, name: str) -> bool:
    """Whether a cell of code defines a function or class of that name, or assigns to it."""
    return line_defining(source, name) > 0


def line_defining(source: str, name: str) -> int:
    """The first line that defines a function or class of that name or assigns to it; 0: none."""
    # Blanks and tabs only: a "\s" behind "^" would run over empty lines, and that once for each of
    # them.
    name, gap = re.escape(name), r"[ \t]"
    # A cell with a magic such as %%time is exported as a call with its lines in quotes.
    defined = rf"(?:^{gap}*|[\"']|\\n)(?:(?:async{gap}+)?def|class){gap}+{name}\b"
    definition = re.search(rf"{defined}|^{gap}*{name}{gap}*=", source, re.M)
    return source.count("\n", 0, definition.start()) + 1 if definition else 0


def is_blank(source: str, *, code: bool) -> bool:
    """Whether nothing was written into a cell: the words or the `raise NotImplementedError` of the
    empty sheet are still there.
    """
    if not code:
        rest = source.lower().replace(UNWRITTEN, "")
        return not re.search(r"\w", rest)
    try:
        raised = [
            node.exc
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Raise) and node.exc is not None
        ]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False  # something was written, if not Python
    names = (node for error in raised for node in ast.walk(error) if isinstance(node, ast.Name))
    return any(node.id == "NotImplementedError" for node in names) or not source.strip()


def joined(text: Any) -> str:
    """A text of a notebook, which may be a list of lines; what is neither is no text."""
    if isinstance(text, list):
        return "".join(line for line in text if isinstance(line, str))
    return text if isinstance(text, str) else ""


def _document(text: str) -> dict[str, Any]:
    """A notebook as format 4 has it; one of an older format is converted. Raises BadSubmission."""
    try:
        notebook = _from_json(text)
    except (ValueError, RecursionError):
        reason = "it is not valid JSON"
        if re.search("^<{7} ", text, re.M):
            reason += ", and has the marks of a merge conflict of git (<<<<<<<)"
        raise BadSubmission(f"the notebook is damaged: {reason}") from None
    if not isinstance(notebook, dict):
        raise BadSubmission("the notebook has no cells")
    if "cells" not in notebook and isinstance(notebook.get("worksheets"), list):
        skip_address_check()
        from nbformat import convert, reader

        parts = [part.get("cells") for part in notebook["worksheets"] if isinstance(part, dict)]
        if sum(len(cells) for cells in parts if isinstance(cells, list)) > MAX_CELLS:
            raise BadSubmission(f"a notebook has a list of at most {MAX_CELLS} cells")
        try:
            notebook = convert(reader.reads(json.dumps(notebook)), 4)
        except Exception as error:  # the converter meets what a stranger wrote
            raise BadSubmission(
                "the notebook is of an older format and cannot be converted "
                f"({type(error).__name__})"
            ) from None
    cells = notebook.get("cells")
    if cells is None:
        raise BadSubmission("the notebook has no cells")
    if not isinstance(cells, list) or len(cells) > MAX_CELLS:
        raise BadSubmission(f"a notebook has a list of at most {MAX_CELLS} cells")
    return notebook


def _from_json(text: str) -> Any:
    """The value of a JSON text, in which every half of a surrogate pair, which no file and no table
    takes, is a "?".

    Raises ValueError, RecursionError.
    """
    value = json.loads(text)
    if re.search(r"\\u[dD][89a-fA-F]", text) or (
        not text.isascii() and re.search("[\ud800-\udfff]", text)
    ):
        value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return value


def _dictionary(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
