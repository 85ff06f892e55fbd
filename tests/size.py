"""How large the code is and what is still outside the project's limits.

`python -m tests.size` prints tables over the files that git tracks and people write: lines of each
folder beside its budget, how many of them are Python, AST nodes per line of Python, functions over
the limits, lines over 100 columns. Below rlcourse/ the scripts, styles and templates of pages count
as lines; stored rows (.json), modules (.wasm), weights and fonts never do. It is a command for
whoever makes the code smaller, not a test.
"""

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.style import ROOT, source_files

LINES, ARGUMENTS, COLUMNS = 60, 8, 100
# A kernel takes arrays and returns arrays; a command has an argument for each option.
ALLOWED = {"kernel", "app.command", "app.callback"}
COUNTED = (".py", ".js", ".css", ".html", ".j2")
BUDGETS = {
    "rlcourse without grading": 18_000,
    "rlcourse/grading": 3_900,
    "agents + learning": 4_800,
    "launcher + start.py": 800,
}


class Function(NamedTuple):
    """A function with its lines (decorators not counted) and its arguments."""

    place: str
    lines: int
    arguments: int
    allowed: bool

    def outside(self) -> bool:
        """Whether it is over a limit that holds for it."""
        return not self.allowed and (self.lines > LINES or self.arguments > ARGUMENTS)


class Part(NamedTuple):
    """The code of some folders."""

    files: int
    lines: int
    python: int
    nodes: int
    long_lines: int

    def __str__(self) -> str:
        per_line = self.nodes / self.python if self.python else 0
        counts = f"{self.lines:7,} {self.python:7,} {self.files:6}"
        return f"{counts} {per_line:11.1f} {self.long_lines:10,}"


def functions(source: str, name: str) -> Iterator[Function]:
    """All functions of a file, nested ones and methods included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            taken = node.args
            arguments = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs]
            bound = sum(argument.arg in {"self", "cls"} for argument in arguments)
            called = [getattr(mark, "func", mark) for mark in node.decorator_list]
            yield Function(
                f"{name}:{node.lineno} {node.name}",
                (node.end_lineno or node.lineno) - node.lineno + 1,
                len(arguments) - bound,
                bool({ast.unparse(mark) for mark in called} & ALLOWED),
            )


def part(names: list[str], root: Path = ROOT) -> Part:
    """Count files relative to `root`. A node is one that `ast.walk` visits."""
    lines = python = nodes = long_lines = 0
    for name in names:
        source = (root / name).read_text(encoding="utf-8")
        lines += source.count("\n")
        if name.endswith(".py"):
            python += source.count("\n")
            nodes += sum(1 for _ in ast.walk(ast.parse(source)))
            long_lines += sum(len(line) > COLUMNS for line in source.splitlines())
    return Part(len(names), lines, python, nodes, long_lines)


def folders(names: list[str]) -> dict[str, list[str]]:
    """The files of each part: those with a budget, then every folder."""

    def under(*prefixes: str) -> list[str]:
        return [name for name in names if name.startswith(prefixes)]

    grading = under("rlcourse/grading/")
    parts = {
        "rlcourse without grading": [n for n in under("rlcourse/") if n not in grading],
        "rlcourse/grading": grading,
        "agents + learning": under("rlcourse/agents/", "rlcourse/learning/"),
        "launcher + start.py": under("launcher/", "start.py"),
    }
    for name in names:
        folder = name.split("/")[: 2 if name.startswith("rlcourse/") else 1]
        if len(folder) < name.count("/") + 1:
            parts.setdefault("/".join(folder) + "/", []).append(name)
    return parts


def main(arguments: list[str] | None = None) -> int:
    """Print the tables."""
    argparse.ArgumentParser(prog="tests.size", description=__doc__).parse_args(arguments)
    python = source_files()
    pages = [n for n in source_files(endings=COUNTED[1:]) if n.startswith("rlcourse/")]
    heads = f"{'lines':>7} {'Python':>7} {'files':>6} {'nodes/line':>11} {'over 100':>10}"
    print(f"{'':26} {'budget':>7} {heads}")
    for label, names in folders(sorted([*python, *pages])).items():
        budget = f"{BUDGETS[label]:,}" if label in BUDGETS else ""
        print(f"{label:26} {budget:>7} {part(names)}")
    print(f"\nfunctions over {LINES} lines or {ARGUMENTS} arguments (kernels and commands may be):")
    for name in python:
        for function in functions((ROOT / name).read_text(encoding="utf-8"), name):
            if function.outside():
                print(f"  {function.place}: {function.lines} lines, {function.arguments} arguments")
    return 0


if __name__ == "__main__":
    sys.exit(main())
