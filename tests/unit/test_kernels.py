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

import pytest

import rlcourse
from rlcourse.warm import warm_modules

ROOT = Path(rlcourse.__file__).parent
LIBRARIES = {"numpy", "math", "numba"}


def is_kernel(node: ast.AST) -> bool:
    """Whether a function is decorated by @kernel."""
    names = [ast.unparse(mark) for mark in getattr(node, "decorator_list", [])]
    return any(name.split("(")[0].split(".")[-1] == "kernel" for name in names)


def complaints(source: str) -> list[str]:
    """What a module's kernels do that the cache would not notice, or could not keep."""
    tree = ast.parse(source)
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
    found = [
        f"{node.name} is a kernel inside a function or class: it is compiled anew each time"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and is_kernel(node)
        and kernels.get(node.name) is not node
    ]
    found += ["numba is used directly; use @kernel"] if "numba" in libraries else []
    for name, node in kernels.items():
        arguments = {
            argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)
        }
        local = {
            part.id
            for part in ast.walk(node)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        called = {
            part.func.id
            for part in ast.walk(node)
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)
        }
        found += [
            f"{name} calls its argument {other}: such a kernel never hits the cache"
            for other in called & arguments
        ]
        read = (
            {part.id for body in node.body for part in ast.walk(body) if isinstance(part, ast.Name)}
            - arguments
            - local
        )
        for other in sorted(read - libraries - set(dir(builtins)) - set(kernels)):
            if other in foreign:
                found.append(
                    f"{name} uses {other} of another file: the cache would not notice an edit there"
                )
            elif other in plain:
                found.append(f"{name} uses {other}, which is no kernel")
            elif other not in assigned:
                found.append(f"{name} uses {other}, which is nowhere at the top of its file")
            elif (
                borrowed := {p.id for p in ast.walk(assigned[other]) if isinstance(p, ast.Name)}
                & foreign
            ):
                found.append(
                    f"{name} uses {other}, made from {', '.join(borrowed)} of another file"
                )
    return found


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
