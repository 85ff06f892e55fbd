"""Formatter, linter and type checker over the files that git tracks: `python start.py style [--fix] [PART ...]`.

The same calls run in the tests (tests/unit/test_style.py) and before a commit (.pre-commit-config.yaml), with the tools
that requirements.lock pins. Settings stand in pyproject.toml. Type errors of today are counted module by module in
.ci/type-errors.txt: a module may have fewer, never more.
"""

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
BASELINE = ROOT / ".ci" / "type-errors.txt"
HEADER = """\
# Type errors of mypy in each module, as `python start.py style --lower` counted them. A count may fall, never rise.
"""
SKIP = re.compile(r"#\s*fmt:\s*(skip|off)")
PASSED_OVER = {".git", ".venv", "my", ".course", "build", "dist"}


class Finding(NamedTuple):
    """What one tool says of the tree. right: nothing has to be mended. report: the tool's own lines."""

    right: bool
    report: str


def python_files(root: Path = ROOT) -> list[str]:
    """Python files that git tracks or would track, relative to `root`; without git, all but what .gitignore names."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "--deduplicate", "-z", "*.py"]
    try:
        listed = subprocess.run(
            command, cwd=root, capture_output=True, text=True, encoding="utf-8", check=True
        )
        names = [name for name in listed.stdout.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = [path.relative_to(root).as_posix() for path in root.rglob("*.py")]
        names = [name for name in names if not PASSED_OVER & set(Path(name).parts)]
    return sorted(name for name in names if (root / name).is_file())


def _call(module: str, *arguments: str) -> tuple[int, str]:
    """Exit code and output of `python -m module` in the course's folder."""
    command = [sys.executable, "-m", module, *arguments]
    ended = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", errors="replace"
    )
    return ended.returncode, ended.stdout + ended.stderr


def looks_away(source: str) -> list[int]:
    """Lines that tell the formatter to look away from something that is no table of numbers: a statement of at least 12
    numbers, more than of everything else that stands in it."""
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
    """ruff format: whether every line stands as the formatter would write it; `fix` writes it so."""
    files = files or python_files()
    code, report = _call("ruff", "format", *([] if fix else ["--diff", "--quiet"]), *files)
    for name in files:
        for line in looks_away((ROOT / name).read_text(encoding="utf-8")):
            code, report = 1, f"{report}{name}:{line}: `fmt: skip` is for tables of numbers\n"
    return Finding(code == 0, report)


def check_lint(*, fix: bool = False, files: list[str] | None = None) -> Finding:
    """ruff check: the rules that pyproject.toml selects; `fix` mends what can be mended without changing what it does."""
    options = ["--output-format", "concise", *(["--fix"] if fix else [])]
    code, report = _call("ruff", "check", *options, *(files or python_files()))
    return Finding(code == 0, report)


def count_errors(report: str) -> Counter[str]:
    """Errors in each file, from mypy's lines. Raises ValueError where mypy did not come to its end."""
    if re.search(r"^(Found \d+ error|Success)", report, re.MULTILINE) is None:
        raise ValueError(f"mypy did not come to its end:\n{report}")
    return Counter(
        path.replace("\\", "/")
        for path in re.findall(r"^(.+?\.py):\d+(?::\d+)?: error:", report, re.MULTILINE)
    )


def read_baseline(path: Path = BASELINE) -> dict[str, int]:
    """Module -> the number of errors that it may have."""
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = [line.split() for line in lines if line and not line.startswith("#")]
    return {name: int(count) for count, name in pairs}


def write_baseline(counts: Mapping[str, int], path: Path = BASELINE) -> None:
    """Write what `read_baseline` reads."""
    lines = [f"{count:3} {name}\n" for name, count in sorted(counts.items()) if count]
    path.write_text(HEADER + "".join(lines), encoding="utf-8", newline="\n")


def compare(counts: Mapping[str, int], allowed: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """(the modules that have more errors than they may, those that have fewer)."""
    more = [name for name in sorted(counts) if counts[name] > allowed.get(name, 0)]
    fewer = [name for name in sorted(allowed) if counts.get(name, 0) < allowed[name]]
    return more, fewer


def check_types(*, lower: bool = False) -> Finding:
    """mypy over the package and the sheets, held against the baseline; `lower` writes counts that fell. Stale counts are named, not refused."""
    _, report = _call("tests.type_checker")
    counts, allowed = count_errors(report), read_baseline()
    more, fewer = compare(counts, allowed)
    lines = [
        line for line in report.splitlines() if line.partition(":")[0].replace("\\", "/") in more
    ]
    lines += [
        f"{name}: {counts[name]} type errors, {allowed.get(name, 0)} were allowed. Mend them."
        for name in more
    ]
    if lower:
        write_baseline({name: min(counts[name], allowed[name]) for name in allowed})
    else:
        lines += [
            f"{name}: {counts[name]} type errors, {allowed[name]} are allowed. Lower it: python start.py style --lower"
            for name in fewer
        ]
    return Finding(not more, "\n".join(lines))


def main(arguments: list[str] | None = None) -> int:
    """Run the parts asked for. Returns 1 when something has to be mended."""
    parser = argparse.ArgumentParser(
        prog="start.py style", description="Formatter, linter and type checker."
    )
    parser.add_argument(
        "part", nargs="*", metavar="PART", help="format, lint or types; default: all three"
    )
    parser.add_argument("--fix", action="store_true", help="let ruff mend what it can")
    parser.add_argument(
        "--lower", action="store_true", help="write the type errors' counts where they fell"
    )
    options = parser.parse_args(arguments)
    parts = options.part or ["lint", "format", "types"]
    if set(parts) - {"lint", "format", "types"}:
        parser.error(f"the parts are format, lint and types, not {', '.join(parts)}")
    right = True
    for part in parts:
        if part == "types":
            finding = check_types(lower=options.lower)
        else:
            finding = {"format": check_format, "lint": check_lint}[part](fix=options.fix)
        print(f"{part}: {'right' if finding.right else 'to be mended'}")
        if finding.report.strip():
            print(finding.report.rstrip())
        right &= finding.right
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
