"""The tree stands as formatter, linter and type checker ask, and these notice.

The calls are those of `start.py style`.
"""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from launcher.main import HANDED_ON, ROOT
from tests import size, style


def test_the_linter_finds_nothing():
    finding = style.check_lint()
    assert finding.right, finding.report


def test_the_tree_stands_as_the_formatter_writes_it():
    finding = style.check_format()
    assert finding.right, finding.report


@pytest.mark.slow
def test_the_type_checker_finds_nothing():
    finding = style.check_types()
    assert finding.right, finding.report


@pytest.mark.parametrize(
    ("source", "check", "named"),
    [
        ("x = {'a':1}\n", style.check_format, '{"a": 1}'),
        ("import os\n", style.check_lint, "F401"),
        ("import sys\nimport os\n\nprint(os, sys)\n", style.check_lint, "I001"),
        ("def f(x=[]):\n    return x\n", style.check_lint, "B006"),
        pytest.param("x: int = 'one'\n", style.check_types, "[assignment]", marks=pytest.mark.slow),
    ],
)
def test_each_tool_notices(tmp_path, source, check, named):
    path = tmp_path / "wrong.py"
    path.write_text(source, encoding="utf-8")
    finding = check(files=[str(path)])
    assert not finding.right and named in finding.report
    assert path.read_text(encoding="utf-8") == source, "only --fix writes"


def test_fix_writes_what_the_tools_ask(tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text("import sys\nimport os\nprint( os,sys )\n", encoding="utf-8")
    assert style.check_lint(fix=True, files=[str(path)]).right
    assert style.check_format(fix=True, files=[str(path)]).right
    assert path.read_text(encoding="utf-8") == "import os\nimport sys\n\nprint(os, sys)\n"


def test_a_type_checker_that_broke_off_is_not_right(tmp_path):
    assert not style.check_types(files=[str(tmp_path / "not there.py")]).right


def test_files_are_those_of_git_and_new_ones(tmp_path):
    for name in ("kept.py", "new.py", "ignored.py", "text.md"):
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("ignored.py\n", encoding="utf-8")
    assert style.source_files(tmp_path) == ["ignored.py", "kept.py", "new.py"], (
        "no repository: no list to ask"
    )
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "kept.py", ".gitignore"], cwd=tmp_path, check=True)
    assert style.source_files(tmp_path) == ["kept.py", "new.py"]
    assert style.source_files(tmp_path, (".md",)) == ["text.md"]


def test_the_size_is_that_of_what_people_write_and_read(tmp_path):
    """A binary or a stored row has no lines to read; a page has lines, and no nodes of Python."""
    made = ("code.py", "page.js", "module.wasm", "rows.json")
    for name in made:
        (tmp_path / name).write_text("a = 1\n" * 3, encoding="utf-8")
    assert style.source_files(tmp_path, size.COUNTED) == ["code.py", "page.js"]
    code, both = (size.part(names, tmp_path) for names in (["code.py"], ["code.py", "page.js"]))
    assert (code.lines, code.python, both.lines, both.python) == (3, 3, 6, 3)
    assert code.nodes == both.nodes and str(code).split()[-2] == str(both).split()[-2]


def test_the_hooks_make_the_calls_of_the_tests():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert [repo["repo"] for repo in hooks] == ["local"], (
        "a hook from elsewhere has tools of its own"
    )
    entries = [hook["entry"] for hook in hooks[0]["hooks"]]
    assert entries == [f"python start.py style {part}" for part in ("lint", "format", "types")]
    assert [Path(word) for word in HANDED_ON["style"]] == [Path(style.__file__).resolve()]


@pytest.mark.parametrize(("words", "code"), [(["lint"], 0), (["lnt"], 2)])
def test_the_command(words, code):
    command = [sys.executable, "-P", str(ROOT / "tests" / "style.py"), *words]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == code, ended.stdout + ended.stderr
    assert "lint: right" in ended.stdout or "not lnt" in ended.stderr


TABLE = "TABLE = [\n  [1, 2, 3, 4, 5, 6],\n  [7, 8, 9, 1, 2, -3],\n]  # fmt: {}\n"


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (TABLE.format("skip"), []),
        ("call(one, two, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)  # fmt: skip\n", []),
        ("call(one, two, 1, 2)  # fmt: skip\n", [1]),
        (TABLE.format("skip") + "words = ['a',\n 'b']  #fmt:skip\n", [6]),
        ("# fmt: off\nx = 1\n", [1]),
        (
            f"def f():\n    {'; '.join('x = 1' for _ in range(20))}\n    return x  # fmt: skip\n",
            [3],
        ),
        ("x = 1\n", []),
        ("text = 'x = 1  # fmt: skip'\n", []),
    ],
)
def test_the_formatter_looks_away_only_from_tables_of_numbers(source, lines):
    assert style.looks_away(source) == lines
