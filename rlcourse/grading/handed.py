"""The parts of a handed-in notebook that people look at: the answers' sources, what they printed,
figures. Nothing is run.
"""

import ast
import base64
import re
from collections import Counter
from dataclasses import dataclass
from io import BytesIO
from typing import Any, NamedTuple

from rlcourse.notebook import BadSubmission, Cell, Notebook, is_blank, joined
from rlcourse.untrusted import printable

MAX_PIXELS, MAX_FIGURES, MAX_TEXT, MAX_SOURCE = 4_000_000, 6, 4_000, 40_000
LEAST = 2_000  # characters of base64: in less no figure can be recognised
MAX_PICTURES = 1_000_000  # characters of base64: all figures of a hand-in together


@dataclass(frozen=True)
class Answer:
    """One solution cell.

    text: what it printed and its plain results. figures: PNG in base64, drawn anew.
    """

    source: str
    text: str = ""
    figures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Handed:
    """answers: id of the cell -> the answer. blank: ids of the cells that are there as they were
    handed out, and nothing that could be the answer stands elsewhere: no text for a text, no figure
    for code, in a cell that is not the sheet's.

    duplicated: ids that come twice (the last one in which something is written counts). missing:
    ids of solution cells of the sheet that are gone. elsewhere: ids of blank cells whose answer may
    be in another one. no_figure: ids of cells of code in which something is written, without a
    figure below. unshown: how many figures there was no room for.
    """

    answers: dict[str, Answer]
    blank: frozenset[str]
    duplicated: tuple[str, ...]
    missing: tuple[str, ...]
    elsewhere: tuple[str, ...]
    no_figure: tuple[str, ...]
    unshown: int


def read_handed(content: bytes, cells: list[str], room: int = MAX_PICTURES) -> Handed:
    """The answers in a notebook or a .py file; `cells` are the ids of the sheet's solution cells.

    It never raises.

    room: characters of base64 for all figures together; a large figure is drawn smaller.
    """
    written: dict[str, _Written] = {}
    twice: list[str] = []
    others = Counter[str]()
    unshown = 0
    for cell in _cells(content):
        name = _name(cell, cells)
        text, figures, left_out = _outputs(cell, room)
        answer = Answer(cell.source[:MAX_SOURCE], text, figures)
        if name is None:
            if not cell.nbgrader:  # else it is one of the sheet that students do not write into
                others["figure"] += bool(figures)
                others["text"] += not cell.is_code and bool(answer.source.strip())
            continue
        room -= sum(map(len, figures))
        unshown += left_out
        is_empty, before = _is_untouched(cell, answer), written.get(name)
        if before:
            twice.append(name)
        if before is None or before.is_empty or not is_empty:
            written[name] = _Written(answer, is_empty, cell.is_code)
    there = {name: written[name] for name in cells if name in written}
    empty = [name for name, one in there.items() if one.is_empty]
    elsewhere = [name for name in empty if others["figure" if there[name].is_code else "text"]]
    full_code = [name for name, one in there.items() if one.is_code and not one.is_empty]
    return Handed(
        {name: one.answer for name, one in written.items()},
        frozenset(empty).difference(elsewhere),
        duplicated=tuple(dict.fromkeys(twice)),
        missing=tuple(name for name in cells if name not in there),
        elsewhere=tuple(elsewhere),
        no_figure=tuple(name for name in full_code if not there[name].answer.figures),
        unshown=unshown,
    )


class _Written(NamedTuple):
    """A solution cell. is_empty: nothing is written in it."""

    answer: Answer
    is_empty: bool
    is_code: bool


def _name(cell: Cell, cells: list[str]) -> str | None:
    """The id of the sheet's cell that this one is: nbgrader's, or the cell's own where a program
    has thrown that away.
    """
    name = cell.nbgrader.get("grade_id", cell.fields.get("id"))
    return name if isinstance(name, str) and name in cells else None


def _is_untouched(cell: Cell, answer: Answer) -> bool:
    """Whether nothing was written: no figure is there, and of each function nothing but the `raise`
    of the empty sheet.
    """
    if answer.figures or not is_blank(answer.source, code=cell.is_code):
        return False
    if not cell.is_code or not answer.source.strip():
        return True
    for node in ast.parse(answer.source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            lines = [line for line in node.body if not isinstance(line, ast.Expr)]
            if len(lines) != 1 or not isinstance(lines[0], ast.Raise):
                return False
    return True


def _cells(content: bytes) -> list[Cell]:
    try:
        return list(Notebook.of(content).cells())
    except BadSubmission:
        return []


def _outputs(cell: Cell, room: int) -> tuple[str, tuple[str, ...], int]:
    """(text, figures, how many figures there is no room for) of a cell: plain text and PNG alone;
    HTML, scripts, SVG and widgets are left out. A figure gets a quarter of the room at most, so
    that others have some.
    """
    texts: list[str] = []
    figures: list[str] = []
    left_out = 0
    for output in cell.outputs[:200]:
        data = output.get("data")
        data = data if isinstance(data, dict) else {}
        if output.get("output_type") == "stream" and output.get("name") == "stdout":
            texts.append(joined(output.get("text")))
        elif "image/png" in data:
            most = (room - sum(map(len, figures))) // 4
            is_room = len(figures) < MAX_FIGURES and most > LEAST
            figure = redrawn(data["image/png"], most) if is_room else None
            if figure is None:
                left_out += 1
            else:
                figures.append(figure)
        elif "text/plain" in data:
            texts.append(joined(data["text/plain"]) + "\n")
    # Without escape sequences of terminals and other control characters.
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", "".join(texts)[: 20 * MAX_TEXT])
    return printable(text, keep="\n\t", instead="")[:MAX_TEXT], tuple(figures), left_out


def redrawn(encoded: Any, most: int = MAX_PICTURES) -> str | None:
    """A figure as a PNG that was written here: decoded, its size checked, encoded anew, in base64
    of at most so many characters; where it has more it is drawn smaller. None for anything else.
    """
    from PIL import Image

    try:
        data = base64.b64decode(joined(encoded))
        with Image.open(BytesIO(data), formats=["PNG"]) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                return None
            clean = Image.new("RGBA", picture.size, "white")
            clean.alpha_composite(picture.convert("RGBA"))
            clean = clean.convert("RGB")
            while len(figure := _encoded(clean)) > most:
                share = min(0.7, (most / len(figure)) ** 0.5)
                width, height = int(clean.width * share), int(clean.height * share)
                clean = clean.resize((max(1, width), max(1, height)))
    except Exception:  # a decoder meets what a stranger wrote
        return None
    return figure


def _encoded(picture: Any) -> str:
    """A picture as PNG in base64."""
    drawn = BytesIO()
    picture.save(drawn, "PNG")
    return base64.b64encode(drawn.getvalue()).decode()
