"""The rules that keep compiled functions honest: nothing stale from the cache, and no crash where no cache can be written.

Numba notices an edit in the file of a cached function, not in the files it calls, so a kernel must find all it needs in its
own file. `complaints` reads the source of every module; the slow tests run kernels in fresh processes.
"""

import ast
import builtins
import os
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple

import pytest

import rlcourse
from rlcourse.warm import warm_modules

ROOT = Path(rlcourse.__file__).parent
LIBRARIES = {"numpy", "math", "numba"}


def is_kernel(node: ast.AST) -> bool:
    """Whether a function is decorated by @kernel."""
    names = [ast.unparse(mark) for mark in getattr(node, "decorator_list", [])]
    return any(name.split("(")[0].split(".")[-1] == "kernel" for name in names)


class Top(NamedTuple):
    """The names at the top of a module: kernels, other functions, imports, and what is assigned."""

    kernels: dict[str, ast.FunctionDef]
    plain: set[str]
    libraries: set[str]
    foreign: set[str]
    assigned: dict[str, ast.expr]


def top_of(tree: ast.Module) -> Top:
    """The names of a module."""
    kernels = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and is_kernel(node)
    }
    libraries, foreign, plain, assigned = set(), set(), set(), {}
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            origin = [getattr(node, "module", None)] * len(node.names)
            for alias, module in zip(node.names, origin, strict=True):
                root = (module or alias.name).split(".")[0]
                known = root in LIBRARIES and not getattr(node, "level", 0)
                (libraries if known else foreign).add((alias.asname or alias.name).split(".")[0])
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in kernels:
            plain.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                assigned |= {
                    part.id: node.value for part in ast.walk(target) if isinstance(part, ast.Name)
                }
    return Top(kernels, plain, libraries, foreign, assigned)


def names_in(*nodes: ast.AST) -> set[str]:
    """The names that are read or written in these nodes."""
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def complaints(source: str) -> list[str]:
    """What a module's kernels do that the cache would not notice, or could not keep."""
    tree = ast.parse(source)
    top = top_of(tree)
    inner = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and is_kernel(node)
        and top.kernels.get(node.name) is not node
    ]
    found = [
        f"{node.name} is a kernel inside a function or class: it is compiled anew each time"
        for node in inner
    ]
    found += ["numba is used directly; use @kernel"] if "numba" in top.libraries else []
    for node in top.kernels.values():
        found += complaints_of(node, top)
    return found


def complaints_of(kernel: ast.FunctionDef, top: Top) -> list[str]:
    """What one kernel does that the cache would not notice, or could not keep."""
    arguments = {part.arg for part in ast.walk(kernel.args) if isinstance(part, ast.arg)}
    local, called = set(), set()
    for part in ast.walk(kernel):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            local.add(part.id)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
            called.add(part.func.id)
    found = [
        f"{kernel.name} calls its argument {other}: such a kernel never hits the cache"
        for other in called & arguments
    ]
    known = arguments | local | top.libraries | set(dir(builtins)) | set(top.kernels)
    for other in sorted(names_in(*kernel.body) - known):
        if trouble := trouble_with(other, top):
            found.append(f"{kernel.name} uses {other}{trouble}")
    return found


def trouble_with(name: str, top: Top) -> str:
    """Why a kernel must not use this name of its file; "" where it may."""
    if name in top.foreign:
        return " of another file: the cache would not notice an edit there"
    if name in top.plain:
        return ", which is no kernel"
    if name not in top.assigned:
        return ", which is nowhere at the top of its file"
    borrowed = names_in(top.assigned[name]) & top.foreign
    return f", made from {', '.join(borrowed)} of another file" if borrowed else ""


@pytest.mark.parametrize(
    "path", [p for p in sorted(ROOT.rglob("*.py")) if p.name != "kernels.py"], ids=lambda p: p.stem
)
def test_a_kernel_finds_all_it_needs_in_its_own_file(path):
    assert complaints(path.read_text(encoding="utf-8")) == []


def test_there_are_kernels_to_look_at():
    sources = [path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")]
    assert sum(is_kernel(node) for source in sources for node in ast.walk(ast.parse(source))) > 10


HEAD = "import numpy as np\nfrom rlcourse.kernels import kernel\nfrom rlcourse.games import rules\nTABLE = np.zeros(3)\n"


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("@kernel\ndef f(x):\n    return rules(x)", "f uses rules of another file"),
        ("@kernel\ndef f(x):\n    return rules.LINES[x]", "f uses rules of another file"),
        (
            "MINE = rules.LINES\n@kernel\ndef f(x):\n    return MINE[x]",
            "f uses MINE, made from rules of another file",
        ),
        (
            "MINE, OTHER = np.array(rules), 1\n@kernel\ndef f(x):\n    return MINE[x]",
            "made from rules",
        ),
        (
            "def g(x):\n    return x\n@kernel\ndef f(x):\n    return g(x)",
            "f uses g, which is no kernel",
        ),
        ("@kernel\ndef f(g, x):\n    return g(x)", "f calls its argument g"),
        (
            "def make(g):\n    @kernel\n    def f(x):\n        return g(x)\n    return f",
            "f is a kernel inside a function",
        ),
        ("@kernel\ndef f(x):\n    return nowhere + x", "f uses nowhere"),
        ("import numba\n@numba.njit\ndef f(x):\n    return x", "numba is used directly"),
        (
            "from rlcourse import kernels\n@kernels.kernel\ndef f(x):\n    return rules(x)",
            "f uses rules of another file",
        ),
    ],
)
def test_the_test_notices(source, complaint):
    assert any(complaint in found for found in complaints(HEAD + source)), complaints(HEAD + source)


def test_the_test_accepts():
    source = (
        "@kernel\ndef g(x):\n    total = 0\n    for i in range(len(TABLE)):\n        total += TABLE[i] + np.exp(x)\n    return total\n"
        "@kernel\ndef f(x):\n    return g(x) + min(x, 1)\ndef plain(x):\n    return rules(x) + f(x)"
    )
    assert complaints(HEAD + source) == []


RULES = "from rlcourse.kernels import kernel\n\n\n@kernel\ndef scored(x):\n    return {body}\n"
ASK = (
    "from rules import scored; print(scored(20), sum(getattr(scored.stats, 'cache_hits', {}).values()),"
    " sum(getattr(scored.stats, 'cache_misses', {}).values()), scored.py_func(1))"
)


def asked(folder: Path, **surroundings: str) -> list[int]:
    """scored(20), cache hits, cache misses, scored in plain Python at 1: from a fresh process in `folder`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NUMBA_", "PYTHONPYCACHE"))
    }
    environment = {
        **kept,
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT.parent)]),
        **surroundings,
    }
    done = subprocess.run(
        [sys.executable, "-c", ASK], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr
    return [int(word) for word in done.stdout.split()]


@pytest.mark.slow
def test_a_second_process_finds_the_kernel_and_an_edit_takes_effect(tmp_path):
    rules = tmp_path / "rules.py"
    rules.write_text(RULES.format(body="x + 1"))
    assert asked(tmp_path) == [21, 0, 1, 2]
    assert asked(tmp_path) == [21, 1, 0, 2]
    stamp = rules.stat().st_mtime_ns
    rules.write_text(RULES.format(body="x + 2"))  # as long as before, and saved a second later
    os.utime(rules, ns=(stamp + 10**9, stamp + 10**9))
    assert asked(tmp_path) == [22, 0, 1, 3]


@pytest.mark.slow
def test_a_kernel_works_where_no_cache_can_be_written(tmp_path):
    """Plain files stand where the folders of the cache would be made: that stops root as well as anybody."""
    (tmp_path / "rules.py").write_text(RULES.format(body="x + 1"))
    (tmp_path / "__pycache__").write_text("")
    stop = tmp_path / "file"
    stop.write_text("")
    nowhere = str(stop / "below")
    homes = dict.fromkeys(
        ("HOME", "XDG_CACHE_HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"), nowhere
    )
    assert asked(tmp_path, **homes) == [21, 0, 1, 2]  # no hit: compiled anew
    assert asked(tmp_path, NUMBA_CACHE_DIR=nowhere, **homes) == [
        21,
        0,
        1,
        2,
    ]  # no hit: compiled anew
    assert sorted(path.name for path in tmp_path.iterdir()) == ["__pycache__", "file", "rules.py"]


def test_setup_writes_the_bytecode_where_processes_may_not(tmp_path, monkeypatch):
    """Otherwise every box and every worker would compile the course's modules again."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    for name in ("open", "read_only"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "module.py").write_text("x = 1\n")
    (tmp_path / "read_only" / "__pycache__").write_text("")
    warm_modules(tmp_path)
    written = cache_from_source(str(tmp_path / "open" / "module.py"))
    code = "import module; print(module.__cached__)"
    command = [sys.executable, "-v", "-c", code]
    run = subprocess.run(command, cwd=tmp_path / "open", capture_output=True, text=True)
    assert run.stdout == f"{written}\n" and f"{written} matches" in run.stderr
    assert (tmp_path / "read_only" / "__pycache__").is_file()
