"""No cell of a table that the course writes is a formula, whatever a stranger is
called; numbers stay numbers.
"""

import csv
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from rlcourse.ladder import rate
from rlcourse.untrusted import table

SIGNS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")


def scores(text: str, path: Path) -> None:
    """The text as a cell of the class's scores."""
    path.write_text(
        table(["file", "won"], [{"file": text, "won": -5}]), encoding="utf-8", newline=""
    )


def ladder(text: str, path: Path) -> None:
    """The text as a name on the ladder."""
    rate((text, "b"), np.array([[0, 30], [5, 0]]), np.zeros((2, 2))).write_csv(path)


tables = pytest.mark.parametrize("write", [scores, ladder])


@tables
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        " =1+1",
        "a;=1+1",
        "a; @x",
        "x\t-1+cmd",
        "\n=1",
        "x\r\n+1+1",
        "\uff1d1+1",
        "a,\uff0b1",
        "e/a;=cmd|' C calc'!A0.ipynb",
    ],
)
def test_no_text_is_a_formula_whatever_separates_cells(tmp_path, write, text, separator):
    """A spreadsheet where the comma is for decimals separates the cells of
    the same file by semicolons.
    """
    write(text, tmp_path / "table.csv")
    content = (tmp_path / "table.csv").read_bytes().decode()
    for row in csv.reader(StringIO(content, newline=""), delimiter=separator):
        cells = (cell.strip(' "\r\n') for cell in row)
        assert not [cell for cell in cells if cell.startswith(SIGNS) and not _is_number(cell)]


@tables
@pytest.mark.parametrize(
    "text", ["-5", "-1.5", "70", "+3", "1e-5", "Ada Lovelace", "a-b;c=d", "s01/x.ipynb"]
)
def test_numbers_and_names_stand_as_they_are(tmp_path, write, text):
    write(text, tmp_path / "table.csv")
    rows = list(csv.reader((tmp_path / "table.csv").open(encoding="utf-8", newline="")))
    assert text in rows[1]


def _is_number(cell: str) -> bool:
    try:
        float(cell.split(",")[0])
    except ValueError:
        return False
    return True
