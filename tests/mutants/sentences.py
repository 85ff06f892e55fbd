"""The sentences of a task as a student reads them, each with the mistakes that break it.

`sentences/05.toml` holds sheet -> task -> sentence -> the names of those mistakes, or, where the
sentence states no rule, the reason. `tests/unit/test_sentences.py` holds it to the notebooks.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rlcourse.checks import get_sheet, sheet_folder

FOLDER = Path(__file__).with_name("sentences")
SHEETS = sorted(path.stem for path in FOLDER.glob("*.toml"))
OPEN = "open: "  # begins the reason where a rule has no mistake yet
# What is no sentence: folded hints, pictures with their words, the heading, the line of points
_ASIDE = re.compile(
    r"<details.*?</details>|!\[.*?\]\(.*?\)|^#+ [^\n]*$|^\*[^*\n]*\bminutes\b[^*\n]*\*$|^```.*?^```",
    re.DOTALL | re.MULTILINE,
)
_PARTS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*] |\d+\. |\|))")  # paragraphs, items, rows of a table
_ITEM = re.compile(r"^\s*(?:[-*] |\d+\. |> ?)+")
_ENDS = re.compile(r"(?<=[.?!])(?:(?<=e\.g\.))?[*)\"']*\s+(?=[*(`\"'\[]*[A-Z0-9`])")


def read(number: str) -> dict[str, dict[str, list[str] | str]]:
    """Task -> sentence -> mistakes or a reason, as it is stored."""
    return tomllib.loads((FOLDER / f"{number}.toml").read_text(encoding="utf-8"))


def sentences(text: str) -> Iterator[str]:
    """The sentences of Markdown in their order; an item of a list holds one or more of its own."""
    for part in _PARTS.split(re.sub(_ASIDE, "\n\n", text)):
        plain = " ".join(_ITEM.sub("", line).strip() for line in part.splitlines())
        yield from (one.strip() for one in _ENDS.split(plain) if re.search(r"\w", one))


def of_task(number: str, name: str) -> list[str]:
    """All sentences of a task: the text from its heading to its check, and its docstring."""
    return list(sentences("\n\n".join(_texts(_cells(number), get_sheet(number).task(name)))))


def as_markdown() -> str:
    """How many sentences there are of each kind, as docs/checks.md shows them."""
    lines = [
        "| sheet | sentences | with a mistake that breaks it | without a rule | a rule, no mistake |",
        "|---" * 5 + "|",
    ]
    for number in SHEETS:
        stored = [one for task in read(number).values() for one in task.values()]
        broken = sum(not isinstance(one, str) for one in stored)
        still_open = sum(isinstance(one, str) and one.startswith(OPEN) for one in stored)
        without = len(stored) - broken - still_open
        lines.append(f"| {number} | {len(stored)} | {broken} | {without} | {still_open} |")
    return "\n".join(lines)


def _cells(number: str) -> list[Any]:
    folder = sheet_folder(number)
    assert folder is not None
    (notebook,) = folder.glob("*.ipynb")
    cells: list[Any] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return cells


def _texts(cells: list[Any], task: Any) -> Iterator[str]:
    """The Markdown cells above a task's check, up to the heading, and the stub's docstring."""
    sources = ["".join(cell["source"]) for cell in cells]
    end = next(i for i, text in enumerate(sources) if f'.check("{task.name}"' in text)
    start = max(i for i in range(end) if re.search(r"^## ", sources[i], re.MULTILINE))
    for cell, source in zip(cells[start:end], sources[start:end], strict=True):
        if cell["cell_type"] == "markdown":
            yield source
        elif found := re.search(
            rf'^(?:def|class) {task.function}\b[^\n]*\n\s+"""(.*?)"""', source, re.DOTALL | re.M
        ):
            yield found[1]
