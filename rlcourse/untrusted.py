"""Texts of strangers, fit for a terminal, a page, and a table that people open in a spreadsheet."""

import csv
import re
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import Any, TypeVar

# What a spreadsheet takes for the beginning of a formula, in the sign of another width as well.
# Where a comma is for decimals, a semicolon begins a cell.
_FORMULA = re.compile(r"(^|[;,\t\r\n])(\s*)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])")
Cell = TypeVar("Cell")


def plain_cell(cell: Cell) -> Cell | str:
    """The cell of a CSV table, with a quote in front of each formula in a text; numbers stay as
    they are."""
    if not isinstance(cell, str):
        return cell
    try:
        float(cell)
        return cell
    except ValueError:
        return _FORMULA.sub(r"\1\2'", cell)


def table(header: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """A CSV table as text.

    Formulas in its cells are quoted; other columns than those of the header are left out.
    """
    out = StringIO()
    writer = csv.DictWriter(
        out, list(header), extrasaction="ignore", restval="", lineterminator="\r\n"
    )
    writer.writeheader()
    writer.writerows({key: plain_cell(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def printable(text: str, *, keep: str = "", instead: str = "?") -> str:
    """The text with `instead` for each character that shows nothing: what a terminal obeys, or what
    turns the direction.

    keep: such characters that stay, as a line's end.
    """
    return "".join(c if c in keep or c.isprintable() else instead for c in text)
