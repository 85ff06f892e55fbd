"""What each usual mistake would answer to the visible cases of a sheet.

Students get these numbers, and not the oracle that made them. `rlcourse.grading.visible` writes the
file; the right answers are worked by hand and stand with the tasks.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

# task -> title of a case -> mistake -> answer
Slips = Mapping[str, Mapping[str, Mapping[str, Any]]]


def read_slips(path: Path) -> Slips:
    """The answers of mistakes in a file; a mistake that answers a case rightly is not listed there.
    Raises OSError.
    """
    return json.loads(path.read_text(encoding="utf-8"), object_hook=_array)


def to_text(slips: Slips) -> str:
    """The file's text, a line for each mistake in a case; numbers have 12 digits."""
    return _block(slips, 0) + "\n"


def _block(table: Mapping[str, Any], depth: int) -> str:
    if depth == 3:
        return json.dumps(_plain(table))
    rows = (f"{json.dumps(name)}: {_block(part, depth + 1)}" for name, part in table.items())
    inner = ",".join(f"\n{' ' * (depth + 1)}{row}" for row in rows)
    return f"{{{inner}\n{' ' * depth}}}" if inner else "{}"


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"array": _plain(value.tolist())}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return float(f"{value:.12g}") if isinstance(value, float) else value


def _array(table: dict[str, Any]) -> Any:
    return np.array(table["array"]) if table.keys() == {"array"} else table
