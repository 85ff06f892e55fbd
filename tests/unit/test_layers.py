"""The layers of the course, bottom up: nothing imports upward, also not inside a function or by a
name in a string; no cycle.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import rlcourse
from rlcourse.checks import FILES, sheet_folder, sheet_numbers

# The modules that may load Typer; cli_stop hears Ctrl-C before it is loaded.
COMMANDS = (
    "cli",
    "cli_arguments",
    "cli_class",
    "cli_course",
    "cli_grade",
    "cli_hub",
    "cli_learn",
    "cli_output",
    "cli_teach",
    "cli_train",
)
ROOT = Path(rlcourse.__file__).parent
# A name stands for the module, or the package and all in it; the longest name that fits counts.
LAYERS = (
    (
        "atomic",
        "busy",
        "cluster",
        "drawing",
        "storage",
        "storage_json",
        "kernels",
        "workers",
        "distributed",
        "errors",
        "games",
        "gnubg",
        "intervals",
        "nbgrader_settings",
        "notebook",
        "parts",
        "programs",
        "results",
        "stderr",
        "untrusted",
    ),
    ("solvers", "sampling", "encoders", "experience", "tf", "bands"),
    ("architectures", "networks", "forward", "int8", "gtp.turns", "gtp.sgf", "gtp.client"),
    ("agents",),
    ("self_play", "judges", "ladder", "arena", "round_robin"),
    ("learning",),
    (
        "experiments",
        "benchmark",
        "boards",
        "plots",
        "learning_page",
        "page",
        "play_page",
        "progress",
        "site",
        "checks",
        "hand_in",
        "lessons",
        "gtp.analysis",
        "gtp.engine",
        "views",
        "wasm",
    ),
    ("grading",),
    ("hub",),
    (*COMMANDS, "cli_stop", "warm", "__main__"),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
# What comes from outside, and who alone may import it.
KEPT_TO = {
    "tensorflow": ("tf",),
    "keras": ("tf",),
    "rlcourse.tf": ("networks", "forward", "int8", "agents", "learning", "grading", "cli"),
    "numba": ("kernels", "wasm.build", "hub.lab"),
    "h5py": ("storage",),
    "anywidget": ("boards",),
    "ipywidgets": ("boards", "plots", "play_page"),
    "traitlets": ("boards", "grading", "hub"),
    "IPython": ("boards", "plots", "checks", "grading"),
    "matplotlib": ("plots", "bands", "checks"),
    "nbgrader": ("grading", "checks", "hub"),
    "nbformat": ("notebook", "grading", "checks", "cli", "site"),
    "typer": COMMANDS,
    "sgfmill": ("gtp.sgf",),
    "ray": ("cluster", "distributed"),
    "jupyterhub": ("hub.pages", "hub.spawner"),
    "gymnasium": ("views",),
    "pettingzoo": ("views.zoo",),
}
SEARCH_AND_RULES = ("agents.search", "agents.base")  # besides everything below the networks


def module_name(path: Path) -> str:
    """rlcourse/games/grid.py -> "games.grid"; a package goes by its own name, the root is ""."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}
MODULES |= {  # the modules of the sheets are imported as rlcourse.checks.sheet02 and so on
    f"checks.{part}{number}": path
    for number in sheet_numbers()
    for part, file in FILES.items()
    if part not in ("answers", "variants") and (path := sheet_folder(number) / file).exists()
}


def unit_of(name: str) -> str | None:
    """The longest entry of LAYERS that holds the module."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        if ".".join(parts[:length]) in LEVEL:
            return ".".join(parts[:length])
    return None


def imports(name: str, source: str) -> Iterator[str]:
    """Every name that a module imports, wherever in it: "numpy",
    "rlcourse.games.grid"; names in strings too.
    """
    package = ["rlcourse", *name.split(".")] if name else ["rlcourse"]
    is_package = name in MODULES and MODULES[name].name == "__init__.py"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + is_package] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield inner if inner.removeprefix("rlcourse.") in MODULES else base
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if (
                re.fullmatch(r"rlcourse(\.\w+)+", node.value)
                and node.value.removeprefix("rlcourse.") in MODULES
            ):
                yield node.value


def inner_imports(name: str, source: str) -> set[str]:
    """The modules of the course that a module imports, without "rlcourse."; "" is the root."""
    found = {imported for imported in imports(name, source) if imported.split(".")[0] == "rlcourse"}
    return {imported.removeprefix("rlcourse").removeprefix(".") for imported in found}


def upward(name: str, source: str) -> list[str]:
    """The complaints about one module."""
    complaints = []
    for other in sorted(inner_imports(name, source)):
        if not other:
            complaints.append(
                f"{name} imports the root, which leads everywhere; import from the module itself"
            )
        elif not (unit_of(other) and unit_of(name)):
            complaints.append(f"{name} imports {other}, and one of the two has no place in LAYERS")
        elif LEVEL[unit_of(other)] > LEVEL[unit_of(name)]:
            complaints.append(f"{name} imports {other}, which is a layer above it")
    return complaints


def outsiders(name: str, source: str) -> list[str]:
    """What a module imports from outside that is kept to others."""
    complaints = []
    for imported in sorted(set(imports(name, source))):
        for library, owners in KEPT_TO.items():
            if imported == library or imported.startswith(library + "."):
                if not any(name == owner or name.startswith(owner + ".") for owner in owners) or (
                    library == "rlcourse.tf" and name in SEARCH_AND_RULES
                ):
                    complaints.append(
                        f"{name} imports {imported}, which only {', '.join(owners)} may"
                    )
    return complaints


modules = pytest.mark.parametrize("name", [name for name in MODULES if name])


@modules
def test_every_module_has_a_layer(name):
    assert unit_of(name) or name == "gtp", f"put {name} into LAYERS"


@modules
def test_nothing_imports_upward(name):
    assert upward(name, MODULES[name].read_text(encoding="utf-8")) == []


@modules
def test_libraries_stay_where_they_belong(name):
    assert outsiders(name, MODULES[name].read_text(encoding="utf-8")) == []


def test_no_cycle():
    """Between the entries of LAYERS, and between files by the imports at their top."""
    units: dict[str, set[str]] = {}
    files: dict[str, set[str]] = {}
    for name, path in MODULES.items():
        if not name:
            continue
        source = path.read_text(encoding="utf-8")
        units.setdefault(unit_of(name), set()).update(
            unit_of(other) for other in inner_imports(name, source) if other
        )
        units[unit_of(name)].discard(unit_of(name))
        top = "\n".join(
            ast.unparse(node)
            for node in ast.parse(source).body
            if isinstance(node, ast.Import | ast.ImportFrom)
        )
        files[name] = inner_imports(name, top) - {name}
    for graph in (units, files):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            pytest.fail(f"these import each other: {' -> '.join(error.args[1])}")


@pytest.mark.parametrize(
    ("name", "source", "complaint"),
    [
        (
            "games.grid",
            "from rlcourse.agents import base",
            "games.grid imports agents.base, which is a layer above it",
        ),
        (
            "games.grid",
            "def f():\n    import rlcourse.solvers.tictactoe",
            "imports solvers.tictactoe",
        ),
        ("games.grid", "if True:\n    from ..agents.base import Agent", "imports agents.base"),
        ("games", "from ..agents.base import Agent", "imports agents.base"),
        ("games.grid", "import_module('rlcourse.arena')", "imports arena"),
        ("storage", "from rlcourse import load_agent", "storage imports the root"),
        ("games.grid", "import tensorflow as tf", "imports tensorflow, which only tf may"),
        ("games.grid", "from rlcourse.tf import keras", "imports rlcourse.tf, which only"),
        ("agents.base", "from rlcourse.tf import keras", "imports rlcourse.tf, which only"),
        (
            "arena",
            "import matplotlib.pyplot as plt",
            "imports matplotlib.pyplot, which only plots, bands, checks may",
        ),
        ("agents.base", "from IPython.display import display", "imports IPython.display"),
    ],
)
def test_the_test_notices(name, source, complaint):
    assert any(complaint in found for found in upward(name, source) + outsiders(name, source))


def test_the_test_accepts():
    source = "import numpy\nfrom rlcourse.games.game import Game\nfrom rlcourse.storage import save\nx = 'see rlcourse.arena'"
    assert upward("agents.base", source) + outsiders("agents.base", source) == []
    assert upward("games.grid", "from . import game\nfrom .game import Game") == []


@pytest.mark.slow
def test_what_plays_and_judges_loads_no_tensorflow_and_no_page():
    """In a fresh process; the root alone does not even load NumPy."""
    code = (
        "import sys, rlcourse; heavy = {'numpy', 'numba', 'h5py', 'tensorflow'} & "
        "set(sys.modules); assert not heavy, heavy\n"
        "import rlcourse.games, rlcourse.agents, rlcourse.self_play, rlcourse.arena, "
        "rlcourse.judges.tictactoe\n"
        "import rlcourse.learning.q_table, rlcourse.experiments\n"
        "[rlcourse.get_game(name) for name in rlcourse.games.GAME_NAMES]\n"
        "rlcourse.load_agent('tic-tac-toe/perfect')\n"
        "heavy = {'tensorflow', 'keras', 'matplotlib', 'IPython', 'anywidget', 'ipywidgets', "
        "'typer'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT.parent
    )
    assert done.returncode == 0, done.stderr
