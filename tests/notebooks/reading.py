"""What the checks need to know of a notebook: which cells print, which of those are compared, where its links lead."""

import re
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path for path in (ROOT / "notebooks").glob("*.ipynb"))
# Number of a lesson -> its notebook. One with a letter, such as "01b", follows the lesson without.
LESSONS = {path.stem.partition("_")[0]: path for path in NOTEBOOKS}
OPTIONAL = "(optional)"  # ends the title of a lesson that no other lesson needs

# A cell with one of these tags runs, but its output is not compared (nbval's own names and comments).
UNCOMPARED_TAGS = {"nbval-ignore-output", "nbval-skip"}
UNCOMPARED_MARK = re.compile(r"#\s*(NBVAL_IGNORE_OUTPUT|NBVAL_SKIP|PYTEST_VALIDATE_IGNORE_OUTPUT)")
SIGNATURE = "signature"
HERE = re.escape("(you are here)")  # in the line of links below the map


def read(path: Path) -> nbformat.NotebookNode:
    """The notebook. Raises nbformat's errors for a file that is none."""
    return nbformat.read(path, as_version=4)


def code_cells(notebook: nbformat.NotebookNode) -> list[Any]:
    """The code cells with something in them."""
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


def tags(cell: Any) -> set[str]:
    """The tags of a cell."""
    return set(cell.metadata.get("tags", []))


def is_folded(cell: Any) -> bool:
    """Whether JupyterLab shows the cell's output alone, and its code at a click."""
    return bool(cell.metadata.get("jupyter", {}).get("source_hidden"))


def text_outputs(cell: Any) -> list[Any]:
    """What nbval can compare of a cell: its outputs less figures (PNG) and widgets, which it passes over or which show only
    the start of a game."""
    return [output for output in cell.outputs if not _is_figure(output) and not _is_board(cell)]


def _is_figure(output: Any) -> bool:
    return "image/png" in output.get("data", {})


def _is_board(cell: Any) -> bool:
    """A board to play on: its last line is a call of `play(...)` or `replay(...)`."""
    return re.match(r"(play|replay|PlayBoard)\(", cell.source.strip().splitlines()[-1]) is not None


def is_compared(cell: Any) -> bool:
    """Whether nbval compares the cell's output."""
    return not (tags(cell) & UNCOMPARED_TAGS or UNCOMPARED_MARK.search(cell.source))


def compared_share(notebook: nbformat.NotebookNode) -> tuple[int, int]:
    """(compared cells, printing cells). A cell prints when it shows text, a table or a drawn position; cells that only show
    a figure or a board to play on are in neither count."""
    printing = [cell for cell in code_cells(notebook) if text_outputs(cell)]
    return sum(is_compared(cell) for cell in printing), len(printing)


def links(notebook: nbformat.NotebookNode) -> list[str]:
    """The targets of all Markdown links and pictures."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return re.findall(r"\]\(([^)\s]+)\)", text)


def anchors(path: Path) -> set[str]:
    """The anchors of a Markdown file's or notebook's headings, as a code host makes them."""
    if path.suffix == ".ipynb":
        text = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    else:
        text = path.read_text(encoding="utf-8")
    return {slug(heading) for heading in re.findall(r"^#{1,6}\s+(.+?)\s*$", text, re.MULTILINE)}


def slug(heading: str) -> str:
    """A heading as an anchor: lower case, blanks become hyphens, other marks vanish."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def broken_links(path: Path) -> list[str]:
    """Links that lead to no file, or to no heading in it. Links into the web are not followed."""
    broken = []
    for link in links(read(path)):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        file = (path.parent / target).resolve() if target else path
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(link)
    return broken


def not_executed(notebook: nbformat.NotebookNode) -> str:
    """Why the outputs are not those of one run from top to bottom; empty when they are."""
    counts = [cell.execution_count for cell in code_cells(notebook)]
    if not counts:
        return "it has no code cells"
    if counts != list(range(1, len(counts) + 1)):
        return f"its execution counts are {counts}, not 1 to {len(counts)}: run it by `python -m tests.notebooks.execute`"
    failed = [
        cell.id
        for cell in code_cells(notebook)
        if any(o.output_type == "error" for o in cell.outputs)
    ]
    return f"these cells show an error: {failed}" if failed else ""


def prose(text: str) -> str:
    """Markdown as it is read: no code blocks, pictures, tags, addresses, nor the map's line of links."""
    text = re.sub(rf"(?m)^.*{HERE}.*$", "", text)
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"</?\w[^>]*>", " ", text)


def count_words(text: str) -> int:
    """Words of Markdown: what stands between blanks and has a letter or a digit in it."""
    return sum(bool(re.search(r"\w", word)) for word in prose(text).split())
