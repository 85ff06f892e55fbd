"""The tree stands as formatter, linter and type checker ask, by the calls of `start.py style`; and these notice."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from launcher.main import HANDED_ON, ROOT
from tests import style


def test_the_linter_finds_nothing():
    finding = style.check_lint()
    assert finding.right, finding.report


def test_the_tree_stands_as_the_formatter_writes_it():
    finding = style.check_format()
    assert finding.right, finding.report


@pytest.mark.slow
def test_no_module_has_more_type_errors_than_it_may():
    finding = style.check_types()
    assert finding.right, finding.report
    if finding.report:
        print(finding.report)


@pytest.mark.parametrize(
    ("source", "check", "named"),
    [
        ("x = {'a':1}\n", style.check_format, '{"a": 1}'),
        ("import os\n", style.check_lint, "F401"),
        ("import sys\nimport os\n\nprint(os, sys)\n", style.check_lint, "I001"),
        ("def f(x=[]):\n    return x\n", style.check_lint, "B006"),
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


REPORT = """\
rlcourse/plots.py:4: error: Name "x" is not defined  [name-defined]
rlcourse/plots.py:4: note: a note is no error
rlcourse\\games\\go.py:9:3: error: no  [misc]
rlcourse/plots.py:7: error: yes: 'a.py:1: error: b'  [misc]
Found 3 errors in 2 files (checked 200 source files)
"""


def test_errors_are_counted_by_module():
    assert style.count_errors(REPORT) == {"rlcourse/plots.py": 2, "rlcourse/games/go.py": 1}
    assert style.count_errors("Success: no issues found in 200 source files\n") == {}


@pytest.mark.parametrize(
    "report", ["", "mypy: can't read file 'rlcourse'\n", "Traceback (most recent call last):\n"]
)
def test_a_type_checker_that_broke_off_is_not_zero_errors(report):
    with pytest.raises(ValueError, match="did not come to its end"):
        style.count_errors(report)


def test_more_errors_are_refused_and_fewer_are_named():
    allowed = {"a.py": 2, "b.py": 1, "gone.py": 1}
    assert style.compare({"a.py": 2, "b.py": 1, "gone.py": 1}, allowed) == ([], [])
    assert style.compare({"a.py": 3, "new.py": 1}, allowed) == (
        ["a.py", "new.py"],
        ["b.py", "gone.py"],
    )


def test_a_worse_module_fails_with_its_errors_and_a_better_one_says_to_lower(monkeypatch, tmp_path):
    monkeypatch.setattr(style, "_call", lambda module, *arguments: (1, REPORT))
    monkeypatch.setattr(style, "BASELINE", tmp_path / "counts.txt")
    monkeypatch.setattr(
        style, "read_baseline", lambda: {"rlcourse/plots.py": 1, "rlcourse/games/go.py": 5}
    )
    worse = style.check_types()
    assert (
        not worse.right
        and 'Name "x" is not defined' in worse.report
        and "2 type errors, 1 were allowed" in worse.report
    )
    assert "rlcourse/games/go.py: 1 type errors, 5 are allowed. Lower it" in worse.report
    monkeypatch.setattr(
        style, "read_baseline", lambda: {"rlcourse/plots.py": 2, "rlcourse/games/go.py": 5}
    )
    better = style.check_types()
    assert better.right and "Lower it" in better.report


def test_lowering_never_raises(monkeypatch, tmp_path):
    path = tmp_path / "counts.txt"
    style.write_baseline(
        {"rlcourse/plots.py": 1, "rlcourse/games/go.py": 5, "rlcourse/gone.py": 2, "clean.py": 0},
        path,
    )
    assert style.read_baseline(path) == {
        "rlcourse/plots.py": 1,
        "rlcourse/games/go.py": 5,
        "rlcourse/gone.py": 2,
    }
    monkeypatch.setattr(style, "_call", lambda module, *arguments: (1, REPORT))
    monkeypatch.setattr(
        style,
        "read_baseline",
        lambda: {"rlcourse/plots.py": 1, "rlcourse/games/go.py": 5, "rlcourse/gone.py": 2},
    )
    monkeypatch.setattr(
        style, "write_baseline", lambda counts, write=style.write_baseline: write(counts, path)
    )
    assert not style.check_types(lower=True).right
    monkeypatch.undo()
    assert style.read_baseline(path) == {"rlcourse/plots.py": 1, "rlcourse/games/go.py": 1}


def test_every_module_of_the_baseline_is_there():
    assert [name for name in style.read_baseline() if not (ROOT / name).is_file()] == []


def test_files_are_those_of_git_and_new_ones(tmp_path):
    for name in ("kept.py", "new.py", "ignored.py", "text.md"):
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("ignored.py\n", encoding="utf-8")
    assert style.python_files(tmp_path) == ["ignored.py", "kept.py", "new.py"], (
        "no repository: no list to ask"
    )
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "kept.py", ".gitignore"], cwd=tmp_path, check=True)
    assert style.python_files(tmp_path) == ["kept.py", "new.py"]


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
