"""What each usual mistake would answer to the visible cases of a sheet.

Students get these numbers, and not the oracle that made them. `rlcourse.grading.visible` writes the
file; the right answers are worked by hand and stand with the tasks.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.checks.difference import Ways

# task -> title of a case -> mistake -> answer
Slips = Mapping[str, Mapping[str, Mapping[str, Any]]]


def read_slips(path: Path) -> Slips:
    """The answers of mistakes in a file; a mistake that answers a case rightly is not listed there.
    Raises OSError.
    """
    return json.loads(path.read_text(encoding="utf-8"), object_hook=_from_plain)


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
        shape = {} if value.size or value.ndim == 1 else {"shape": list(value.shape)}
        return {"array": _plain(value.tolist()), **shape}
    if isinstance(value, Ways):
        return {"ways": _plain(value.answers)}
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value):
            return {key: _plain(part) for key, part in value.items()}
        return {"pairs": [[_plain(key), _plain(part)] for key, part in value.items()]}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return float(f"{value:.12g}") if isinstance(value, float) else value


def _from_plain(table: dict[str, Any]) -> Any:
    if "array" in table:
        array = np.array(table["array"])
        return array.reshape(table.get("shape", array.shape))
    if table.keys() == {"ways"}:
        return Ways(tuple(table["ways"]))
    if table.keys() == {"pairs"}:  # of a dict whose keys are no texts
        return {tuple(k) if isinstance(k, list) else k: part for k, part in table["pairs"]}
    return table
