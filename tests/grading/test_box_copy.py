"""The copy of the course in the box: the modules that are allowed, and nothing but names
of those that are withheld.
"""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Task
from rlcourse.grading import box_copy
from rlcourse.grading.box_copy import NotThere, kernel_links, make_copy, shell, withheld_files
from tests.grading.course import SHEETS

SOURCE = '''
"""A module."""
import numpy as np

LIMIT = 3
SECRETS = np.arange(4)

@kernel
def taught(x: int) -> int:
    """What is withheld."""
    # this comment may tell
    return x ** 7

again = taught

class Thing:
    size = 5
    def method(self):
        return 11
'''


def test_a_shell_has_the_names_and_nothing_behind_them():
    text = shell(SOURCE)
    space = {}
    exec(text, space)
    for name in ("taught", "Thing"):
        with pytest.raises(ImportError, match=f"{name} is withheld while this sheet is judged"):
            space[name](2)
    assert space["LIMIT"] == 3 and not {"SECRETS", "again", "np"} & set(space)
    assert not any(trace in text for trace in ("** 7", "11", "may tell", "What is withheld"))
    exec("class Other(Thing): pass\ndef asks(x: Thing | None): return isinstance(x, Thing)", space)
    assert space["asks"](2) is False, "what other modules make of a name when they are loaded"


def relative(entries):
    return {path.relative_to(box_copy.PACKAGE).as_posix() for path in withheld_files(entries)}


def test_a_module_is_withheld_as_a_whole():
    entries = ["rlcourse.sampling:softmax", "rlcourse.experience", "rlcourse.games.grid:GridBatch"]
    assert relative(entries) == {"sampling.py", "experience.py", "games/grid.py"}
    libraries_and_sheets = ["statistics:fmean", "rlcourse.checks.oracle99:own"]
    assert relative([*libraries_and_sheets, "rlcourse.checks.oracle02"]) == set()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rlcourse.sampling:sofmax", "has no sofmax of its own"),
        ("rlcourse.sampler", "there is no module rlcourse.sampler"),
        ("rlcourse.forward:softmax", "name the module that makes it"),
        ("rlcourse.games:Game", "in one file"),
        ("rlcourse:get_game", "in one file"),
    ],
)
def test_what_would_be_withheld_in_vain_is_refused(name, words):
    with pytest.raises(NotThere, match=f"{name} is withheld, but .*{words}"):
        relative([name])


def imported(path):
    """The modules that a file names in its imports, but for those that
    only a type checker reads.
    """
    tree = ast.parse(path.read_text("utf-8"))
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.If)]
    for_types = [block for block in blocks if ast.unparse(block.test) == "TYPE_CHECKING"]
    unread = {node for block in for_types for node in ast.walk(block)}
    for node in ast.walk(tree):
        if node in unread:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("number", SHEETS)
def test_the_copy_for_every_sheet(tmp_path, number):
    sheet = get_sheet(number)
    make_copy(sheet, tmp_path)
    files = {
        path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()
    }
    plain = {name for name in files if "__pycache__" not in name}
    assert {name for name in plain if name.startswith("checks/")} == {
        f"checks/{part}.py" for part in ("__init__", "calling", "plain", "task", "withholding")
    }
    assert {name for name in plain if name.startswith("grading/")} == {"grading/worker.py"}
    assert {name for name in plain if name.startswith("results/")} == {"results/__init__.py"}
    words = ("oracle", "visible", "sheet", "judg", "experiments", "cli.", "template")
    assert not any(word in name for name in files for word in words)
    assert {"games/go_kernels.py", "agents/q_table.py", "boards/board.js", "sampling.py"} <= plain
    for path in withheld_files(name for task in sheet.tasks for name in task.withheld):
        copied = tmp_path / path.relative_to(box_copy.PACKAGE)
        if path.suffix != ".py":  # what a trained player has learned
            assert not copied.exists()
            continue
        text = copied.read_text("utf-8")
        assert text == shell(path.read_text("utf-8")) and "is withheld" in text


def test_what_is_allowed_finds_what_it_imports(tmp_path):
    make_copy(Sheet("00", "nothing", ()), tmp_path)
    for path in tmp_path.rglob("*.py"):
        for module in imported(path):
            place = tmp_path.joinpath(*module.split(".")[1:])
            here = place.is_dir() or place.with_suffix(".py").is_file()
            assert here or module.split(".")[0] != "rlcourse", f"{path} imports {module}"


@pytest.mark.slow
@pytest.mark.parametrize("number", ["01", "06", "10"])
def test_the_other_modules_of_a_sheet_load_beside_its_shells(tmp_path, number):
    """Of a cell that imports them for the experiment every line works that does
    not need what is withheld.
    """
    sheet = get_sheet(number)
    make_copy(sheet, tmp_path / "rlcourse")
    names = [name for task in sheet.tasks for name in task.withheld]
    lines = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})",
        "from rlcourse.grading.worker import Masking",
        f"sys.path.insert(0, {str(tmp_path)!r}); sys.meta_path.insert(0, Masking({names!r}))",
        "from rlcourse import load_agent, play_match",
        "from rlcourse.agents import make_agent",
        "from rlcourse.agents.function import FunctionAgent",
        "import rlcourse.agents.policy",  # names a class of rlcourse.experience in an annotation
        "from rlcourse.learning.td_lambda import random_walk",
        "import rlcourse.plots, rlcourse.networks, rlcourse.self_play, rlcourse.experience",
        "from rlcourse.games import get_game",
        "game = get_game('connect-four')",
        "lowest = FunctionAgent(game, lambda state: state.legal_moves()[0])",
        "assert play_match(lowest, lowest, games=2, seed=0).games == 2",
        "assert rlcourse.__file__.startswith(sys.path[0])",
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", "\n".join(lines)], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr


def test_bytecode_and_kernels_of_a_cut_module_are_made_anew_or_left_out(tmp_path):
    task = Task(
        "t",
        1,
        1,
        1,
        "t",
        lambda case, answer: None,
        ("rlcourse.games.grid:GridBatch", "rlcourse.sampling"),
    )
    make_copy(Sheet("00", "trial", (task,)), tmp_path)
    (bytecode,) = (tmp_path / "__pycache__").glob("sampling.*.pyc")
    assert b"softmax is withheld" in bytecode.read_bytes()
    stamp = bytecode.read_bytes()[8:16]
    state = (tmp_path / "sampling.py").stat()
    assert stamp == int(state.st_mtime).to_bytes(4, "little") + state.st_size.to_bytes(4, "little")
    assert not list((tmp_path / "games" / "__pycache__").glob("grid.*.nb?"))


def test_stale_bytecode_is_not_copied(tmp_path, monkeypatch):
    """Bytecode of an older source may hold what has been withheld or moved since."""
    package = tmp_path / "course"
    package.mkdir()
    monkeypatch.setattr(box_copy, "PACKAGE", package)
    source = package / "sampling.py"
    source.write_text("OLD = 'before'\n")
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(package)], check=True)
    source.write_text("NEW = 'and after'\n")
    make_copy(Sheet("00", "nothing", ()), tmp_path / "copy")
    place = importlib.util.cache_from_source(str(tmp_path / "copy" / "sampling.py"))
    content = Path(place).read_bytes()
    assert b"after" in content and b"before" not in content


def test_kernels_are_linked_where_numba_looks(tmp_path, monkeypatch):
    from numba.core.caching import UserProvidedCacheLocator

    folder = tmp_path / "games" / "__pycache__"
    folder.mkdir(parents=True)
    (folder / "grid.step-12.py311.nbi").write_text("")
    (folder / "grid.cpython-311.pyc").write_text("")
    ((link, target),) = kernel_links(tmp_path)
    place = box_copy.PACKAGE / "games" / "grid.py"
    assert (
        link
        == f"{UserProvidedCacheLocator.get_suitable_cache_subpath(str(place))}/grid.step-12.py311.nbi"
    )
    assert target == str(place.parent / "__pycache__" / "grid.step-12.py311.nbi")
