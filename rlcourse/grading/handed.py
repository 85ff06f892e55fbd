"""The parts of a handed-in notebook that people look at: the answers' sources, what they printed, figures. Nothing is run."""

import ast
import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from rlcourse.grading.hand_in import is_blank, joined, text_of
from rlcourse.grading.submission import BadSubmission, notebook_in, text_in

MAX_PIXELS, MAX_FIGURES, MAX_TEXT, MAX_SOURCE = 4_000_000, 6, 4_000, 40_000


@dataclass(frozen=True)
class Answer:
    """One solution cell. text: what it printed and its plain results. figures: PNG in base64, drawn anew."""

    source: str
    text: str = ""
    figures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Handed:
    """answers: id of the cell -> the answer. blank: ids of the cells that are there as they were handed out, and nothing that
    could be the answer stands elsewhere: no text for a text, no figure for code, in a cell that is not the sheet's.

    duplicated: ids that come twice (the last one in which something is written counts). missing: ids of solution cells of the
    sheet that are gone. elsewhere: ids of blank cells whose answer may be in another one. no_figure: ids of cells of code in
    which something is written, without a figure below.
    """

    answers: dict[str, Answer]
    blank: frozenset[str]
    duplicated: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    no_figure: tuple[str, ...] = ()


def read_handed(content: bytes, cells: list[str]) -> Handed:
    """The answers in a notebook or a .py file; `cells` are the ids of the sheet's solution cells. It never raises."""
    answers, empty, twice, code, others = {}, set(), [], set(), set()
    for cell in _cells(content):
        name, answer = _name(cell, cells), Answer(text_of(cell)[:MAX_SOURCE], *_outputs(cell))
        is_code = cell.get("cell_type") == "code"
        if name is None:
            if not _nbgrader(cell):
                others |= {"figure"} if answer.figures else set()
                others |= {"text"} if not is_code and answer.source.strip() else set()
            continue
        nothing = _is_untouched(cell, answer)
        if name in answers:
            twice.append(name)
            if nothing and name not in empty:
                continue
        answers[name] = answer
        (empty.add if nothing else empty.discard)(name)
        (code.add if is_code else code.discard)(name)
    elsewhere = tuple(name for name in cells if name in empty and ("figure" if name in code else "text") in others)
    return Handed(
        answers,
        frozenset(empty - set(elsewhere)),
        tuple(dict.fromkeys(twice)),
        tuple(name for name in cells if name not in answers),
        elsewhere,
        tuple(name for name in cells if name in code - empty and not answers[name].figures),
    )


def _name(cell: dict[str, Any], cells: list[str]) -> str | None:
    """The id of the sheet's cell that this one is: nbgrader's, or the cell's own where a program has thrown that away."""
    name = _nbgrader(cell).get("grade_id", cell.get("id"))
    return name if isinstance(name, str) and name in cells else None


def _nbgrader(cell: dict[str, Any]) -> dict[str, Any]:
    entry = cell["metadata"].get("nbgrader") if isinstance(cell.get("metadata"), dict) else None
    return entry if isinstance(entry, dict) else {}


def _is_untouched(cell: dict[str, Any], answer: Answer) -> bool:
    """Whether nothing was written: no figure is there, and of each function nothing but the `raise` of the empty sheet."""
    if answer.figures or not is_blank(cell, answer.source):
        return False
    if cell.get("cell_type") != "code" or not answer.source.strip():
        return True
    functions = [node for node in ast.parse(answer.source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    bodies = [[line for line in node.body if not isinstance(line, ast.Expr)] for node in functions]
    return all(len(body) == 1 and isinstance(body[0], ast.Raise) for body in bodies)


def _cells(content: bytes) -> Iterator[dict[str, Any]]:
    try:
        yield from (cell for cell in notebook_in(text_in(content))["cells"] if isinstance(cell, dict))
    except (BadSubmission, AttributeError):
        return


def _outputs(cell: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """(text, figures) of a cell: plain text and PNG alone; HTML, scripts, SVG and widgets are left out."""
    texts, figures = [], []
    outputs = cell.get("outputs")
    for output in outputs[:200] if isinstance(outputs, list) else []:
        if not isinstance(output, dict):
            continue
        data = output.get("data") if isinstance(output.get("data"), dict) else {}
        if output.get("output_type") == "stream" and output.get("name") == "stdout":
            texts.append(joined(output.get("text")))
        elif "image/png" in data and len(figures) < MAX_FIGURES:
            figure = redrawn(data["image/png"])
            figures += [figure] if figure else []
        elif "text/plain" in data:
            texts.append(joined(data["text/plain"]) + "\n")
    return _plain("".join(texts)[: 20 * MAX_TEXT])[:MAX_TEXT], tuple(figures)


def redrawn(encoded: Any) -> str | None:
    """A figure as a PNG that was written here: decoded, its size checked, encoded anew. None for anything else."""
    from PIL import Image

    try:
        data = base64.b64decode(joined(encoded))
        with Image.open(BytesIO(data), formats=["PNG"]) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                return None
            drawn, clean = BytesIO(), Image.new("RGBA", picture.size, "white")
            clean.alpha_composite(picture.convert("RGBA"))
            clean.convert("RGB").save(drawn, "PNG")
    except Exception:  # a decoder meets what a stranger wrote
        return None
    return base64.b64encode(drawn.getvalue()).decode()


def _plain(text: str) -> str:
    """Without escape sequences of terminals and other control characters."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
    return "".join(c for c in text if c in "\n\t" or c.isprintable())
