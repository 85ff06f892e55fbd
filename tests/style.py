"""Formatter, linter and type checker over the files that git tracks.

`python start.py style [--fix] [PART ...]`. The same calls run in the tests
(tests/unit/test_style.py) and before a commit (.pre-commit-config.yaml), with the tools that
requirements.lock pins. Settings stand in pyproject.toml.
"""

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SKIP = re.compile(r"#\s*fmt:\s*(skip|off)")
PASSED_OVER = {".git", ".venv", "my", ".course", "build", "dist"}


class Finding(NamedTuple):
    """What one tool says of the tree. right: nothing has to be mended.
    report: the tool's own lines.
    """

    right: bool
    report: str


def source_files(root: Path = ROOT, endings: tuple[str, ...] = (".py",)) -> list[str]:
    """Files with these endings that git tracks or would track, relative to `root`; without git,
    all but what .gitignore names.
    """
    command = ["git", "ls-files", "-co", "--exclude-standard", "--deduplicate", "-z"]
    try:
        listed = subprocess.run(
            command, cwd=root, capture_output=True, text=True, encoding="utf-8", check=True
        )
        names = [name for name in listed.stdout.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = [path.relative_to(root).as_posix() for path in root.rglob("*")]
        names = [name for name in names if not PASSED_OVER & set(Path(name).parts)]
    return sorted(name for name in names if name.endswith(endings) and (root / name).is_file())


def _call(module: str, *arguments: str) -> tuple[int, str]:
    """Exit code and output of `python -m module` in the course's folder."""
    command = [sys.executable, "-m", module, *arguments]
    ended = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", errors="replace"
    )
    return ended.returncode, ended.stdout + ended.stderr


def looks_away(source: str) -> list[int]:
    """Lines that tell the formatter to look away from something that is no table of numbers: a
    statement of at least 12 numbers, more than of everything else that stands in it."""
    if SKIP.search(source) is None:
        return []
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [token for token in tokens if token.type == tokenize.COMMENT]
    lines = [token.start[0] for token in comments if SKIP.search(token.string)]
    tables = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef | ast.ClassDef):
            leaves = [leaf for leaf in ast.walk(node) if isinstance(leaf, ast.Constant | ast.Name)]
            numbers = [
                leaf for leaf in leaves if isinstance(getattr(leaf, "value", None), int | float)
            ]
            if len(numbers) >= 12 and 2 * len(numbers) > len(leaves):
                tables |= set(range(node.lineno, node.end_lineno + 1))
    return [number for number in lines if number not in tables]


def check_format(*, fix: bool = False, files: list[str] | None = None) -> Finding:
    """ruff format: whether every line stands as the formatter would
    write it; `fix` writes it so.
    """
    files = files or source_files()
    code, report = _call("ruff", "format", *([] if fix else ["--diff", "--quiet"]), *files)
    for name in files:
        for line in looks_away((ROOT / name).read_text(encoding="utf-8")):
            code, report = 1, f"{report}{name}:{line}: `fmt: skip` is for tables of numbers\n"
    return Finding(code == 0, report)


def check_lint(*, fix: bool = False, files: list[str] | None = None) -> Finding:
    """ruff check: the rules that pyproject.toml selects; `fix` mends what can be mended
    without changing what it does.
    """
    options = ["--output-format", "concise", *(["--fix"] if fix else [])]
    code, report = _call("ruff", "check", *options, *(files or source_files()))
    return Finding(code == 0, report)


def check_types(*, files: list[str] | None = None) -> Finding:
    """mypy: over the package and the sheets, unless files are given.

    Without an end it is not right.
    """
    code, report = _call("tests.type_checker", *(files or []))
    return Finding(code == 0, report)


def main(arguments: list[str] | None = None) -> int:
    """Run the parts asked for. Returns 1 when something has to be mended."""
    parser = argparse.ArgumentParser(
        prog="start.py style", description="Formatter, linter and type checker."
    )
    parser.add_argument(
        "part", nargs="*", metavar="PART", help="format, lint or types; default: all three"
    )
    parser.add_argument("--fix", action="store_true", help="let ruff mend what it can")
    options = parser.parse_args(arguments)
    parts = options.part or ["lint", "format", "types"]
    if set(parts) - {"lint", "format", "types"}:
        parser.error(f"the parts are format, lint and types, not {', '.join(parts)}")
    right = True
    for part in parts:
        if part == "types":
            finding = check_types()
        else:
            finding = {"format": check_format, "lint": check_lint}[part](fix=options.fix)
        print(f"{part}: {'right' if finding.right else 'to be mended'}")
        if finding.report.strip():
            print(finding.report.rstrip())
        right &= finding.right
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
