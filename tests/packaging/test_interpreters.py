"""A wrong Python gets a sentence that helps, and the old ones can read the files that say it."""

import ast
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from launcher import interpreters
from launcher.interpreters import Python

ROOT = Path(__file__).resolve().parents[2]
GOOD = Python((3, 12, 1), 64, "cpython", "usual", "x86_64", "/opt/python3.12")


@pytest.mark.parametrize("minor", [11, 12, 13])
@pytest.mark.parametrize(
    ("system", "machine"),
    [("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"), ("win32", "AMD64")],
)
def test_supported_pythons_are_accepted(minor: int, system: str, machine: str) -> None:
    assert (
        interpreters.why_not(GOOD._replace(version=(3, minor, 0), machine=machine), system) is None
    )


@pytest.mark.parametrize(
    ("change", "system", "words"),
    [
        ({"version": (2, 7, 18)}, "linux", "Python 2.7.18 is too old"),
        ({"version": (3, 10, 13)}, "linux", "too old: the course needs Python 3.11, 3.12 or 3.13"),
        ({"version": (3, 14, 0)}, "linux", "too new"),
        ({"bits": 32}, "win32", "32-bit"),
        ({"kind": "pypy"}, "linux", "pypy"),
        ({"threads": "free"}, "linux", "free-threaded"),
        ({"machine": "x86_64"}, "darwin", "Intel Macs"),
        ({"machine": "ARM64"}, "win32", "x86-64 processors only"),
        ({"machine": "armv7l"}, "linux", "armv7l"),
    ],
)
def test_each_unfit_python_is_told_why(change: dict, system: str, words: str) -> None:
    assert words in interpreters.why_not(GOOD._replace(**change), system)


def test_advice_names_the_others_and_the_command() -> None:
    old = GOOD._replace(version=(3, 9, 18), path="/usr/bin/python3")
    text = interpreters.advice(old, "Python 3.9.18 is too old.", [GOOD], ["lab", "--port", "9000"])
    assert "3.12.1   /opt/python3.12" in text
    assert text.endswith("start.py lab --port 9000")
    assert "started with /usr/bin/python3.)" in text


def test_advice_without_a_fitting_python_says_how_to_install_one() -> None:
    old = GOOD._replace(version=(3, 9, 18))
    alone = interpreters.advice(old, "trouble", [], [])
    assert "No other Python was found" in alone and interpreters.how_to_install() in alone
    useless = interpreters.advice(old, "trouble", [GOOD._replace(version=(3, 10, 0), bits=32)], [])
    assert "3.10.0 (32-bit)" in useless and interpreters.how_to_install() in useless
    assert "Start again" not in useless


@pytest.mark.parametrize(
    ("system", "words"), [("win32", "winget"), ("darwin", "brew"), ("linux", "python3-venv")]
)
def test_installation_advice_fits_the_system(system: str, words: str) -> None:
    assert words in interpreters.how_to_install(system)


@pytest.mark.skipif(os.name != "posix", reason="fakes programs by shell scripts")
def test_search_finds_real_ones_and_passes_over_stubs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shim that prints an error, one that says nothing, one that is no
    program, and one Python 3.12.
    """
    answer = json.dumps(GOOD._replace(path="/somewhere/python3.12"))
    bodies = {"a": "echo none >&2; exit 127", "b": "exit 0", "c": f"echo '{answer}'"}
    for folder, body in bodies.items():
        (tmp_path / folder).mkdir()
        program = tmp_path / folder / "python3.12"
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "python3.13").write_text("not a program")
    (tmp_path / "d" / "python3.13").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join(str(tmp_path / folder) for folder in "abcd"))
    commands = [words for words in interpreters.commands() if words[0].startswith(str(tmp_path))]
    assert len(commands) == 16, "four names in four folders"
    monkeypatch.setattr(interpreters, "commands", lambda: commands)
    found = interpreters.others(GOOD._replace(version=(3, 9, 0), path="/other"))
    assert [(python.version, python.path) for python in found] == [
        ((3, 12, 1), "/somewhere/python3.12")
    ]


def test_this_python_answers_for_itself() -> None:
    here, asked = interpreters.this_python(), interpreters.ask([sys.executable])
    assert here.version == tuple(sys.version_info[:3])
    assert asked._replace(path="") == here._replace(path="")


class TooNew(ast.NodeVisitor):
    """Collects syntax that Python 2.7 or 3.6 cannot read."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def generic_visit(self, node: ast.AST) -> None:
        bad = (
            ast.JoinedStr,
            ast.NamedExpr,
            ast.AnnAssign,
            ast.Match,
            ast.AsyncFunctionDef,
            ast.Nonlocal,
            ast.YieldFrom,
        )
        if isinstance(node, bad):
            self.found.append(f"{type(node).__name__} in line {node.lineno}")
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.args, *node.args.posonlyargs, *node.args.kwonlyargs]
            if (
                node.returns
                or node.args.kwonlyargs
                or node.args.posonlyargs
                or any(a.annotation for a in arguments)
            ):
                self.found.append(f"annotations or argument kinds in line {node.lineno}")
        super().generic_visit(node)


@pytest.mark.parametrize("name", ["start.py", "launcher/interpreters.py", "launcher/__init__.py"])
def test_old_pythons_can_read_the_first_files(name: str) -> None:
    source = (ROOT / name).read_text(encoding="ascii")
    visitor = TooNew()
    visitor.visit(ast.parse(source))
    assert visitor.found == []
    assert "from __future__ import print_function" in source or "print(" not in source


def test_the_reader_of_old_syntax_notices_new_syntax() -> None:
    visitor = TooNew()
    visitor.visit(ast.parse("def f(a: int):\n    return f'{a}'\n"))
    assert len(visitor.found) == 2


@pytest.mark.slow
def test_a_real_old_python_prints_the_advice() -> None:
    """Every unfit Python that this computer happens to have."""
    here = interpreters.this_python()
    old = [python for python in interpreters.others(here) if python.version < (3, 11)]
    if not old:
        pytest.skip("no Python older than 3.11 on this computer")
    for python in old:
        result = subprocess.run(
            [
                python.path,
                "-B",
                "-c",
                "import sys; sys.argv = ['start.py', 'lab']; import start;"
                "start.finished_environment = lambda: None; sys.exit(start.main(['lab']))",
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert result.returncode == 1, result.stderr
        assert "is too old" in result.stdout and "Start again with:" in result.stdout
