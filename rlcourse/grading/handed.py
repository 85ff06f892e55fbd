"""The parts of a handed-in notebook that people look at: the answers' sources, what they printed, figures. Nothing is run."""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from rlcourse.grading.hand_in import is_blank, text_of
from rlcourse.grading.submission import MAX_CELLS, from_json

MAX_PIXELS, MAX_FIGURES, MAX_TEXT, MAX_SOURCE = 4_000_000, 6, 4_000, 40_000


@dataclass(frozen=True)
class Answer:
    """One solution cell. text: what it printed and its plain results. figures: PNG in base64, drawn anew."""

    source: str
    text: str = ""
    figures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Handed:
    """answers: id of the cell -> the answer. blank: ids of the cells in which nothing was written, or that are not there.

    duplicated: ids that come twice (the last one counts). missing: ids of solution cells of the sheet that are gone.
    """

    answers: dict[str, Answer]
    blank: frozenset[str]
    duplicated: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def read_handed(content: bytes, cells: list[str]) -> Handed:
    """The answers in a notebook or a .py file; `cells` are the ids of the sheet's solution cells. It never raises."""
    answers, blank, twice = {}, set(cells), []
    for cell in _cells(content):
        entry = (cell.get("metadata") or {}).get("nbgrader") if isinstance(cell.get("metadata"), dict) else None
        name = entry.get("grade_id") if isinstance(entry, dict) else None
        if not isinstance(name, str) or name not in cells:
            continue
        if name in answers:
            twice.append(name)
        source = text_of(cell)[:MAX_SOURCE]
        answers[name] = Answer(source, *_outputs(cell))
        (blank.add if is_blank(cell, source) else blank.discard)(name)
    return Handed(answers, frozenset(blank), tuple(dict.fromkeys(twice)), tuple(name for name in cells if name not in answers))


def _cells(content: bytes) -> Iterator[dict[str, Any]]:
    try:
        cells = from_json(content.decode("utf-8-sig"))["cells"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return
    if isinstance(cells, list):
        yield from (cell for cell in cells[:MAX_CELLS] if isinstance(cell, dict))


def _outputs(cell: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """(text, figures) of a cell: plain text and PNG alone; HTML, scripts, SVG and widgets are left out."""
    texts, figures = [], []
    outputs = cell.get("outputs")
    for output in outputs[:200] if isinstance(outputs, list) else []:
        if not isinstance(output, dict):
            continue
        data = output.get("data") if isinstance(output.get("data"), dict) else {}
        if output.get("output_type") == "stream" and output.get("name") == "stdout":
            texts.append(_joined(output.get("text")))
        elif "image/png" in data and len(figures) < MAX_FIGURES:
            figure = redrawn(data["image/png"])
            figures += [figure] if figure else []
        elif "text/plain" in data:
            texts.append(_joined(data["text/plain"]) + "\n")
    return _plain("".join(texts))[:MAX_TEXT], tuple(figures)


def redrawn(encoded: Any) -> str | None:
    """A figure as a PNG that was written here: decoded, its size checked, encoded anew. None for anything else."""
    from PIL import Image

    try:
        data = base64.b64decode(_joined(encoded))
        with Image.open(BytesIO(data), formats=["PNG"]) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                return None
            drawn, clean = BytesIO(), Image.new("RGBA", picture.size, "white")
            clean.alpha_composite(picture.convert("RGBA"))
            clean.convert("RGB").save(drawn, "PNG")
    except Exception:  # a decoder meets what a stranger wrote
        return None
    return base64.b64encode(drawn.getvalue()).decode()


def _joined(text: Any) -> str:
    if isinstance(text, list):
        return "".join(line for line in text if isinstance(line, str))
    return text if isinstance(text, str) else ""


def _plain(text: str) -> str:
    """Without escape sequences of terminals and other control characters."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
    return "".join(c for c in text if c in "\n\t" or c.isprintable())
