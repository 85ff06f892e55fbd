"""What changed in the outputs of a notebook: cell by cell, what is committed beside what a run has shown."""

import difflib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

from tests.notebooks.reading import ROOT, code_cells, is_compared

REPORTS = ROOT / "build" / "notebooks"  # what continuous integration keeps of a run that fails
LEFT_OUT = {
    "image/png",
    "image/jpeg",
    "application/vnd.jupyter.widget-view+json",
}  # nbval does not compare these

LONGEST = 200


class Change(NamedTuple):
    """A cell whose output is another one. number: of the code cell, from 1; compared: whether nbval compares it."""

    number: int
    cell: str
    first_line: str
    compared: bool
    committed: str
    shown: str

    def __str__(self) -> str:
        title = f"cell {self.number} ({self.cell}): {self.first_line}"
        lines = difflib.unified_diff(
            self.committed.splitlines(),
            self.shown.splitlines(),
            "committed",
            "shown",
            lineterm="",
            n=2,
        )
        return "\n".join([title, *(f"    {shorten(line)}" for line in lines)])


def shorten(line: str) -> str:
    """The line, or its first `LONGEST` characters: a drawn board is one line of thousands."""
    return line if len(line) <= LONGEST else f"{line[:LONGEST]} ... ({len(line):,} characters)"


def as_text(outputs: Sequence[Mapping[str, Any]]) -> str:
    """All that a reader sees of a cell's outputs, as text; a figure is its kind alone, an address of an object a word."""
    parts: list[str] = []
    stream = None
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream":
            if stream == output["name"]:
                parts[-1] += _joined(output["text"])
            else:
                parts.append(_joined(output["text"]))
        elif kind == "error":
            parts.append(f"{output['ename']}: {output['evalue']}")
        else:
            for mime, content in sorted(output.get("data", {}).items(), reverse=True):
                parts.append(f"[{mime}]" if mime in LEFT_OUT else _joined(content))
        stream = output.get("name") if kind == "stream" else None
    return re.sub("0x[0-9a-fA-F]{6,16}", "ADDRESS", "\n".join(part.rstrip("\n") for part in parts))


def _joined(text: Any) -> str:
    return "".join(text) if isinstance(text, list) else str(text)


def changes(
    committed: nbformat.NotebookNode, shown: Mapping[str, Sequence[Mapping[str, Any]]]
) -> list[Change]:
    """The cells whose outputs differ. shown: cell id -> the outputs of a run; cells that it did not reach are left out."""
    found = []
    for number, cell in enumerate(code_cells(committed), 1):
        before, now = as_text(cell.outputs), as_text(shown.get(cell.id, cell.outputs))
        if before != now:
            first_line = cell.source.strip().splitlines()[0]
            found.append(Change(number, cell.id, first_line, is_compared(cell), before, now))
    return found


def keep(stem: str, found: Sequence[Change], folder: Path = REPORTS) -> Path:
    """Write the compared changes of one notebook into a text file and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{stem}.txt"
    text = "\n\n".join(str(change) for change in found if change.compared)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")
    return path
