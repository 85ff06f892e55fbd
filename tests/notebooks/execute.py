"""Run a notebook and save it as it is committed: `python -m tests.notebooks.execute notebooks/02_q_tables.ipynb`.

Without a name, all lessons. Which compared outputs changed is shown cell by cell, old and new; with --look nothing is saved.

Outputs come from one run from top to bottom in the default arithmetic of the machine. Everything that would differ from
run to run without telling anything (widget state, model ids, times, the Python version) is left out, so that a second
run gives a small diff.
"""

import argparse
import os
import sys
import time
from copy import deepcopy
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from rlcourse.atomic import write_atomically
from tests.notebooks.arithmetic import DEFAULT, kernel_environment
from tests.notebooks.changes import Change, changes
from tests.notebooks.reading import NOTEBOOKS, code_cells, is_folded, tags

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}


def execute(path: Path, *, save: bool = True) -> tuple[float, list[Change]]:
    """Run the notebook, and save it in place. Returns the seconds it took and the cells whose outputs changed. Raises
    CellExecutionError at the first failing cell; the file is then left as it was."""
    committed = nbformat.read(path, as_version=4)
    notebook = deepcopy(committed)
    os.environ.update(kernel_environment(DEFAULT))
    started = time.perf_counter()
    NotebookClient(
        notebook,
        timeout=None,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        coalesce_streams=True,
        store_widget_state=False,
    ).execute()
    took = time.perf_counter() - started
    normalise(notebook)
    nbformat.validate(notebook)
    changed = changes(committed, {cell.id: cell.outputs for cell in code_cells(notebook)})
    if not save:
        return took, changed
    text = nbformat.writes(notebook)
    if not text.endswith("\n"):
        text += "\n"
    write_atomically(path, text)
    return took, changed


def normalise(notebook: nbformat.NotebookNode) -> None:
    """Leave out what differs from run to run: widget state and views, times, version and editor of the notebook."""
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": KERNELSPEC, "language_info": {"name": "python"}}
    )
    for cell in notebook.cells:
        folded = {"jupyter": {"source_hidden": True}} if is_folded(cell) else {}
        tagged = {"tags": cell.metadata["tags"]} if tags(cell) else {}
        cell.metadata = nbformat.from_dict({**folded, **tagged})
        cell.pop("attachments", None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)
            output.pop("transient", None)


def main(arguments: list[str] | None = None) -> int:
    """Execute every notebook named on the command line. Returns 1 where --look found a compared output changed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "notebook", nargs="*", type=Path, default=NOTEBOOKS, help="default: all lessons"
    )
    parser.add_argument("--look", action="store_true", help="save nothing, only list what changed")
    options = parser.parse_args(arguments)
    differ = False
    for path in options.notebook:
        took, changed = execute(path, save=not options.look)
        compared = [change for change in changed if change.compared]
        differ |= bool(compared)
        print(
            f"{path}: {took:.1f} s, {path.stat().st_size / 1e6:.2f} MB, {len(compared)} compared outputs changed"
        )
        for change in compared:
            print(f"\n{change}\n")
    return int(options.look and differ)


if __name__ == "__main__":
    sys.exit(main())
