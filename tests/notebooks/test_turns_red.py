"""The validation is worth something only if it can fail: these notebooks and packages are broken on purpose."""

import os
from copy import deepcopy

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tests.notebooks.arithmetic import DEFAULT, OTHER_CPU, cpu_features, kernel_environment
from tests.notebooks.nbval_run import validate, without
from tests.notebooks.reading import (
    ROOT,
    code_cells,
    compared_share,
    not_executed,
    read,
)

# Put on the kernel's path, this replaces one function of rlcourse as soon as its module is imported.
SABOTEUR = """
import importlib.abc, importlib.machinery, os, sys

MODULE, FUNCTION, HOW = os.environ["BREAK"].split(":", 2)


class Saboteur(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != MODULE:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            right = getattr(module, FUNCTION)
            setattr(module, FUNCTION, eval(HOW, vars(module) | {"right": right}))

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, Saboteur())
"""


def small(source: str, printed: str) -> nbformat.NotebookNode:
    """A notebook of one executed cell."""
    cell = new_code_cell(source, id="only", execution_count=1)
    cell.outputs = [new_output("stream", name="stdout", text=printed)]
    return new_notebook(
        cells=[cell], metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    )


def only_up_to(notebook: nbformat.NotebookNode, cell_id: str) -> nbformat.NotebookNode:
    """The notebook up to and with that cell."""
    short = deepcopy(notebook)
    ids = [cell.id for cell in short.cells]
    short.cells = short.cells[: ids.index(cell_id) + 1]
    return short


TRANSPORT = """
import json, ipykernel
print(json.loads(ipykernel.get_connection_info())["transport"])
"""


@pytest.mark.slow
def test_a_true_output_is_green_and_a_changed_one_red(tmp_path):
    (tmp_path / "true").mkdir()
    (tmp_path / "false").mkdir()
    transport = "ipc" if os.name == "posix" else "tcp"  # two notebooks at once share no port
    true = validate(small(TRANSPORT, f"{transport}\n"), tmp_path / "true", DEFAULT)
    assert true.green, true.report
    changed = validate(small("print(4520)", "4521\n"), tmp_path / "false", DEFAULT)
    assert not changed.green and "4521" in changed.report
    [change] = changed.changes
    assert (change.committed, change.shown, change.number, change.compared) == (
        "4521",
        "4520",
        1,
        True,
    )
    assert "    -4521\n    +4520" in str(change)


@pytest.mark.slow
def test_a_failing_cell_is_red(tmp_path):
    assert not validate(small("assert 0 == 1\nprint(1)", "1\n"), tmp_path, DEFAULT).green


def test_a_notebook_that_was_never_run_is_refused(tmp_path):
    notebook = read(ROOT / "notebooks" / "02_q_tables.ipynb")
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = None, []
    validation = validate(notebook, tmp_path, DEFAULT)
    assert not validation.green and "refused" in validation.report


@pytest.mark.slow
def test_tensorflow_in_an_early_lesson_turns_it_red(tmp_path):
    notebook = small("from rlcourse.tf import tf\nprint(1)", "1\n")
    validation = validate(
        notebook, tmp_path, DEFAULT, more_environment=without(tmp_path, "tensorflow")
    )
    assert not validation.green and "does without tensorflow" in validation.report


def test_cells_run_out_of_order_are_refused():
    notebook = read(ROOT / "notebooks" / "00_play_first.ipynb")
    cells = code_cells(notebook)
    cells[2].execution_count, cells[3].execution_count = 4, 3
    assert "execution counts" in not_executed(notebook)


def test_untagging_is_what_counts_a_cell_as_compared():
    notebook = small("print(1)  # NBVAL_IGNORE_OUTPUT", "1\n")
    assert compared_share(notebook) == (0, 1)
    notebook.cells[0].source = "print(1)"
    assert compared_share(notebook) == (1, 1)
    notebook.cells[0].metadata["tags"] = ["nbval-skip"]
    assert compared_share(notebook) == (0, 1)
    notebook.cells[0].outputs = []
    assert compared_share(notebook) == (0, 0)


JUDGE = "rlcourse.judges.tictactoe:_lines"


def validate_broken(how, folder):
    """(cells, Validation) of lesson 00 up to its judge, with one function of rlcourse replaced in its kernel."""
    (folder / "shim").mkdir()
    (folder / "shim" / "sitecustomize.py").write_text(SABOTEUR, encoding="utf-8")
    notebook = only_up_to(read(ROOT / "notebooks" / "00_play_first.ipynb"), "judge")
    broken = {"PYTHONPATH": str(folder / "shim"), "BREAK": how}
    return code_cells(notebook), validate(
        notebook, folder, DEFAULT, more_environment=broken, stop_at_first=True
    )


@pytest.mark.slow
def test_breaking_one_function_turns_the_lesson_red(tmp_path):
    """The judge misses a losing line."""
    fewer = "lambda *a, **k: (lambda n: Lines(max(0, n.lost - 1), n.drawn, n.won))(right(*a, **k))"
    cells, validation = validate_broken(f"{JUDGE}:{fewer}", tmp_path)
    assert not validation.green
    assert f"Cell {len(cells) - 1}" in validation.report, (
        "every cell before the one that checks it stays green"
    )


@pytest.mark.slow
def test_replacing_a_function_by_itself_leaves_it_green(tmp_path):
    """It is the breakage that turns the lesson red, not the way it is brought in."""
    _, validation = validate_broken(f"{JUDGE}:right", tmp_path)
    assert validation.green, validation.report


def test_the_other_arithmetic_switches_off_only_what_the_processor_has():
    other = kernel_environment(OTHER_CPU)
    assert set(other["NPY_DISABLE_CPU_FEATURES"].split()) <= cpu_features()
    assert kernel_environment(DEFAULT)["NPY_DISABLE_CPU_FEATURES"] == ""
