"""The copy of the course in the box: what is withheld is cut out of the source, and what would give it away is not there."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from rlcourse.checks import get_sheet
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Task
from rlcourse.grading import box_copy
from rlcourse.grading.box_copy import NotThere, cut, find_cuts, kernel_links, make_copy
from tests.grading.course import NUMBERS

SOURCE = '''
"""A module."""
import numpy as np

LIMIT = 3  # a number that is asked for

def taught(x: int) -> int:
    """What is withheld."""
    return _core(x) + _shared(x)

taught_again = taught

def _core(x):
    return x ** 7

def _shared(x):
    return x

def kept(x):
    # this comment may tell
    return _shared(x)

@decorated
class Thing:
    size = 5
    def method(self):
        return 11
    def other(self):
        return 13
'''


def run(source, *lines):
    """What these lines give after the source; a refusal gives its words."""
    space = {"decorated": lambda thing: thing}
    exec(source, space)
    found = []
    for line in lines:
        try:
            found.append(eval(line, space))
        except ImportError as error:
            found.append(str(error).split(":")[0])
    return found


def test_a_function_goes_with_what_only_it_called():
    left = cut(SOURCE, {"taught"})
    assert run(left, "taught(2)", "taught_again(2)", "_core(2)", "kept(2)", "LIMIT") == [
        "taught is withheld while this sheet is judged",
        "taught is withheld while this sheet is judged",
        "_core is withheld while this sheet is judged",
        2,
        3,
    ]
    assert "** 7" not in left and "may tell" not in left and "What is withheld" not in left


def test_methods_classes_and_constants():
    assert run(cut(SOURCE, {"Thing.method"}), "Thing().other()", "Thing().method()") == [
        13,
        "method is withheld while this sheet is judged",
    ]
    assert run(cut(SOURCE, {"Thing"}), "Thing()", "kept(1)") == [
        "Thing is withheld while this sheet is judged",
        1,
    ]
    left = cut(SOURCE, {"LIMIT"})
    assert (
        run(left, "LIMIT()") == ["LIMIT is withheld while this sheet is judged"]
        and "= 3" not in left
    )


def test_nothing_is_lost_without_a_cut():
    assert run(cut(SOURCE, {"Thing.method"}), "taught(2)") == [2**7 + 2]


def relative(cuts):
    return {path.relative_to(box_copy.PACKAGE).as_posix(): names for path, names in cuts.items()}


def test_a_name_is_cut_where_it_is_made():
    assert relative(find_cuts(["rlcourse.sampling:softmax"])) == {"sampling.py": {"softmax"}}
    assert relative(find_cuts(["rlcourse.forward:softmax"])) == {"sampling.py": {"softmax"}}
    assert relative(find_cuts(["rlcourse.games:Game"])) == {"games/game.py": {"Game"}}
    assert (
        find_cuts(
            [
                "statistics:fmean",
                "rlcourse.checks.oracle02:sweep",
                "rlcourse.checks.oracle99:own",
                "rlcourse:get_game",
            ]
        )
        == {}
    )


@pytest.mark.parametrize(
    "name",
    ["rlcourse.sampling:sofmax", "rlcourse.sampler:softmax", "rlcourse.storage:Nothing.at_all"],
)
def test_what_would_be_withheld_in_vain_is_refused(name):
    with pytest.raises(NotThere, match=name.split(":")[0]):
        find_cuts([name])


@pytest.mark.parametrize("number", NUMBERS)
def test_the_copy_for_every_sheet(tmp_path, number):
    make_copy(get_sheet(number), tmp_path)
    files = {
        path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()
    }
    plain = {name for name in files if "__pycache__" not in name}
    assert {name for name in plain if name.startswith("checks/")} == {
        f"checks/{part}.py" for part in ("__init__", "calling", "neighbours", "plain", "task")
    }
    assert {name for name in plain if name.startswith("grading/")} == {"grading/worker.py"}
    assert not any(
        word in name
        for name in files
        for word in ("oracle", "visible", "sheet", "results/td", "judging", "experiments", "cli.")
    )
    assert {"games/go_kernels.py", "agents/q_table.py", "boards/board.js", "sampling.py"} <= plain
    for task in get_sheet(number).tasks:
        for name in task.withheld:
            module, _, attribute = name.partition(":")
            path = tmp_path.joinpath(*module.split(".")[1:]).with_suffix(".py")
            assert not path.exists() or f"{attribute} is withheld" in path.read_text()


def test_bytecode_and_kernels_of_a_cut_module_are_made_anew_or_left_out(tmp_path):
    task = Task(
        "t",
        1,
        1,
        1,
        "t",
        lambda case, answer: None,
        ("rlcourse.games.grid:GridState", "rlcourse.sampling:softmax"),
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
    source = package / "rules.py"
    source.write_text("OLD = 'before'\n")
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(package)], check=True)
    source.write_text("NEW = 'and after'\n")
    make_copy(Sheet("00", "nothing", ()), tmp_path / "copy")
    place = importlib.util.cache_from_source(str(tmp_path / "copy" / "rules.py"))
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
