"""A course folder for tests of nbgrader: the repository's sources and settings in a folder of its own, and submissions to it."""

import shutil
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = "02_q_tables.ipynb"
QUICK = (("600, seed) for seed in range(20)", "20, seed) for seed in range(2)"), ("np.arange(20, 601, 20)", "np.arange(20, 21, 20)"))


def make_course(folder: Path) -> Any:
    """A copy of solutions/02 with nbgrader's settings; returns nbgrader's API on it, the release generated."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import PyFileConfigLoader

    shutil.copytree(ROOT / "solutions" / "02", folder / "solutions" / "02")
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    api = NbGraderAPI(config=PyFileConfigLoader("nbgrader_config.py", str(folder)).load_config())
    result = api.generate_assignment("02", force=True)
    assert result["success"], result["log"]
    return api


def fill(sources: dict[str, str], written: str = "") -> nbformat.NotebookNode:
    """The committed release with these sources in the solution cells of that id; the experiment in a short version."""
    release = nbformat.read(ROOT / "exercises" / "02" / NOTEBOOK, 4)
    for cell in release.cells:
        if cell.id in sources:
            cell.source = sources[cell.id]
        if cell.id == "explanation" and written:
            cell.source = written
    return release


def solutions() -> dict[str, str]:
    """id -> source of every solution cell of the instructor's notebook, the experiment in a short version."""
    notebook = nbformat.read(ROOT / "solutions" / "02" / NOTEBOOK, 4)
    found = {}
    for cell in notebook.cells:
        if cell.metadata.nbgrader.solution and cell.cell_type == "code":
            lines = [line for line in cell.source.split("\n") if "### BEGIN" not in line and "### END" not in line]
            found[cell.id] = "\n".join(lines)
    for old, new in QUICK:
        assert old in found["experiment"]
        found["experiment"] = found["experiment"].replace(old, new)
    return found


def hand_in(folder: Path, student: str, notebook: nbformat.NotebookNode) -> None:
    """Put a notebook where nbgrader collects that student's submission."""
    place = folder / ".course" / "submitted" / student / "02"
    place.mkdir(parents=True)
    nbformat.write(notebook, place / NOTEBOOK)
