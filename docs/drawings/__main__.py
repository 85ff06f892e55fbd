"""Make all drawings anew and write the map into each lesson: `python -m docs.drawings`."""

import argparse
from pathlib import Path

import nbformat

from docs.drawings import DRAWINGS
from docs.drawings.course_map import PLACES, with_header
from docs.drawings.openings import openings
from rlcourse.atomic import write_atomically

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
FIGURES = NOTEBOOKS / "figures"


def write_drawings() -> list[str]:
    """Write every drawing and delete files that none makes. Returns the names of the files that
    changed.
    """
    FIGURES.mkdir(exist_ok=True)
    drawings = {name: draw() for name, draw in DRAWINGS.items()} | openings()
    made = {f"{name}.svg": drawing.encode() for name, drawing in drawings.items()}
    there = {path.name: path.read_bytes() for path in FIGURES.glob("*.svg")}
    for name in there.keys() - made.keys():
        (FIGURES / name).unlink()
    for name, drawing in made.items():
        if there.get(name) != drawing:
            write_atomically(FIGURES / name, drawing)
    return sorted(name for name in there.keys() | made.keys() if there.get(name) != made.get(name))


def write_headers() -> list[str]:
    """Write the map and the links below the title of each lesson; its other cells stay. Returns
    what changed.
    """
    changed = []
    for place in PLACES:
        path = NOTEBOOKS / f"{place.notebook}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        opening = with_header(notebook.cells[0].source, place.number)
        if opening != notebook.cells[0].source:
            notebook.cells[0].source = opening
            write_atomically(path, nbformat.writes(notebook) + "\n")
            changed.append(path.name)
    return changed


def main() -> None:
    """Write all and say what changed."""
    argparse.ArgumentParser(prog="python -m docs.drawings", description=__doc__).parse_args()
    changed = write_drawings() + write_headers()
    print("\n".join(changed) or "Every drawing and every header is as it should be.")


if __name__ == "__main__":
    main()
