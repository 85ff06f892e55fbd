"""How long a lesson takes and how its code and English read: `python -m tests.notebooks.measure [notebook ...]`.

Without a name, all lessons; of a sheet (exercises/02/02_q_tables.ipynb) the minutes of its items, by
the rule of `tests.notebooks.sheet_minutes`. A lesson's minutes are words / 200, 10 s a line of visible code, 1.5 a prediction
and 3 a blank. Visible is a code cell that is not folded (`source_hidden`); every line of it that is
not empty counts, comments as well.
"""

import argparse
import ast
import io
import re
import sys
import tokenize
from pathlib import Path
from typing import Any, NamedTuple

from tests.notebooks import sheet_minutes
from tests.notebooks.reading import (
    NOTEBOOKS,
    OPTIONAL,
    ROOT,
    code_cells,
    count_words,
    is_folded,
    prose,
    read,
)

WORDS_A_MINUTE, MINUTES_A_LINE, MINUTES_A_PREDICTION, MINUTES_A_BLANK = 200, 1 / 6, 1.5, 3
ROOM = 10 / 9  # stated minutes to computed ones: the last tenth is for those who read slowly
ROUNDED = 5  # stated minutes are to the nearest 5
SITTING = 60  # minutes
MOST_NODES = 10  # AST nodes a line of code
LEAST_COMMENTS = 8  # for 100 lines of visible code
MOST_COLONS = 15  # for 100 sentences
BLANKS = range(2, 5)  # one is enough in an optional lesson
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ALSO_CALLED = "What others call it"
PICTURE = r"!\[[^\]]*\]\((?!\S+-still\.svg\))[^)]+\)"


class Measure(NamedTuple):
    """One lesson in numbers. nodes: AST nodes a line, and comments: for 100 lines, both of visible code;
    colons: for 100 sentences; nested, walrus, lambdas: how many
    comprehensions in comprehensions, `:=`, and lambdas that are arguments of a call."""

    minutes: float
    words: int
    cells: int
    lines: int
    nodes: float
    comments: float
    nested: int
    walrus: int
    lambdas: int
    colons: float
    predictions: int
    blanks: int
    drawings: int


def measure(notebook: Any) -> Measure:
    """The numbers of a notebook."""
    text = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    sources = [cell.source for cell in code_cells(notebook) if not is_folded(cell)]
    trees = [ast.parse(source) for source in sources]
    lines = [line.strip() for source in sources for line in source.splitlines() if line.strip()]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    words = count_words(text)
    predictions = text.count("**Predict.**")
    blanks = sum("raise NotImplementedError" in source for source in sources)
    minutes = (
        words / WORDS_A_MINUTE
        + len(lines) * MINUTES_A_LINE
        + predictions * MINUTES_A_PREDICTION
        + blanks * MINUTES_A_BLANK
    )
    return Measure(
        minutes=minutes,
        words=words,
        cells=len(notebook.cells),
        lines=len(lines),
        nodes=len(nodes) / max(1, len(lines)),
        comments=100 * sum(map(count_comments, sources)) / max(1, len(lines)),
        nested=sum(map(is_nested, nodes)),
        walrus=sum(isinstance(node, ast.NamedExpr) for node in nodes),
        lambdas=sum(map(count_lambdas, nodes)),
        colons=colons_in_100_sentences(text),
        predictions=predictions,
        blanks=blanks,
        drawings=len(re.findall(rf"{PICTURE}|<img ", text)),
    )


def count_comments(source: str) -> int:
    """Comments of a cell, above a line or behind it."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return sum(token.type == tokenize.COMMENT for token in tokens)


def is_nested(node: ast.AST) -> bool:
    """Whether a comprehension has a second loop or another comprehension in it."""
    if not isinstance(node, COMPREHENSIONS):
        return False
    inside = (inner for inner in ast.walk(node) if inner is not node)
    return len(node.generators) > 1 or any(isinstance(inner, COMPREHENSIONS) for inner in inside)


def count_lambdas(node: ast.AST) -> int:
    """How many arguments of a call are lambdas; 0 for what is no call."""
    if not isinstance(node, ast.Call):
        return 0
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    return sum(isinstance(argument, ast.Lambda) for argument in arguments)


def colons_in_100_sentences(text: str) -> float:
    """Colons between words of the prose, for 100 sentences; formulas, code, tables and headings left out."""
    text = re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$|`[^`\n]*`", "x", prose(text), flags=re.DOTALL)
    lines = [line for line in text.splitlines() if not line.lstrip("> ").startswith(("|", "#"))]
    text = "\n".join(lines)
    sentences = len(re.findall(r"\w[^.!?]*[.!?]+(?=[\s*_\")»]|$)", text))
    return 100 * len(re.findall(r":(?=[\s*_]|$)", text)) / max(1, sentences)


def stated(minutes: float) -> int:
    """The minutes that README, notebook and guide state for so many computed ones."""
    return ROUNDED * round(minutes * ROOM / ROUNDED)


def shortfalls(lesson: Measure, text: str) -> list[str]:
    """What a lesson lacks of the standard, each with what is wanted. text: its Markdown."""
    fewest = 1 if OPTIONAL in text.partition("\n")[0] else BLANKS[0]
    wanted = {
        f"at most {SITTING} minutes, has {lesson.minutes:.1f}": lesson.minutes <= SITTING,
        f"at most {MOST_NODES} nodes a line, has {lesson.nodes:.1f}": lesson.nodes <= MOST_NODES,
        f"at least {LEAST_COMMENTS} comments for 100 lines, has {lesson.comments:.1f}": (
            lesson.comments >= LEAST_COMMENTS
        ),
        f"no comprehension in another, has {lesson.nested}": not lesson.nested,
        f"no walrus, has {lesson.walrus}": not lesson.walrus,
        f"no lambda in a call, has {lesson.lambdas}": not lesson.lambdas,
        f"at most {MOST_COLONS} colons for 100 sentences, has {lesson.colons:.0f}": (
            lesson.colons <= MOST_COLONS
        ),
        f"{fewest} to {BLANKS[-1]} blanks, has {lesson.blanks}": (
            fewest <= lesson.blanks <= BLANKS[-1]
        ),
        f"a section '{ALSO_CALLED}'": f"# {ALSO_CALLED}" in text,
    }
    return [words for words, fulfilled in wanted.items() if not fulfilled]


def stated_in_readme() -> dict[str, int]:
    """Number of a lesson, such as "04" -> the minutes in its row of README's table."""
    return _rows(ROOT / "README.md", r"^\|.*?\(notebooks/(\d\d\w?)_.*?\| (\d+) min \|")


def stated_in_notebook(notebook: Any) -> int:
    """The minutes in the table at a lesson's beginning."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return int(re.search(r"(\d+) minutes to read", text)[1])


def stated_in_guide() -> dict[str, int]:
    """Number of a lesson -> the minutes in the students' guide to the sheets."""
    return _rows(
        ROOT / "exercises" / "README.md", r"\(\.\./notebooks/(\d\d\w?)_\w+\.ipynb\), (\d+) min"
    )


def _rows(path: Path, pattern: str) -> dict[str, int]:
    found = re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    return {number: int(minutes) for number, minutes in found}


HEAD = (
    "lesson  minutes  words cells lines  nodes/line comments/100  nested walrus lambda"
    "  colons/100  predictions blanks drawings"
)


def row(number: str, lesson: Measure) -> str:
    """A line of the table below HEAD."""
    return (
        f"{number:>5}  {lesson.minutes:8.1f} {lesson.words:6} {lesson.cells:5} {lesson.lines:5}"
        f" {lesson.nodes:11.1f} {lesson.comments:12.1f} {lesson.nested:7} {lesson.walrus:6}"
        f" {lesson.lambdas:6} {lesson.colons:11.0f} {lesson.predictions:12} {lesson.blanks:6}"
        f" {lesson.drawings:8}"
    )


def main(arguments: list[str] | None = None) -> int:
    """Print a line for every lesson, and for every item of a sheet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebook", nargs="*", type=Path, default=NOTEBOOKS)
    paths = parser.parse_args(arguments).notebook
    sheets = [path for path in paths if path.resolve().parent.parent != ROOT]
    if lessons := [path for path in paths if path not in sheets]:
        print(HEAD)
    for path in lessons:
        print(row(path.stem.partition("_")[0], measure(read(path))))
    for path in sheets:
        print(*sheet_minutes.table(path.resolve().parent.name), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
