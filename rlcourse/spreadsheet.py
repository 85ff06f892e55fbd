"""Texts of strangers in a table that people open in a spreadsheet."""

import re
from typing import TypeVar

# What a spreadsheet takes for the beginning of a formula, in the sign of another width as well.
# Where a comma is for decimals, a semicolon begins a cell.
_FORMULA = re.compile(r"(^|[;,\t\r\n])(\s*)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])")
Cell = TypeVar("Cell")


def plain_cell(cell: Cell) -> Cell | str:
    """The cell of a CSV table, with a quote in front of each formula in a text; numbers stay as they are."""
    if not isinstance(cell, str):
        return cell
    try:
        float(cell)
        return cell
    except ValueError:
        return _FORMULA.sub(r"\1\2'", cell)
