"""The other form of a stored agent: a deep Q-network as JSON of nested lists, as in the source.

Anything can read such a file, its numbers are exact, and it is four times as large as the safe form
of `rlcourse.storage`. `load_agent("bot.json")` and `save_agent(agent, "bot.json")` lead here.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rlcourse.atomic import write_atomically
from rlcourse.errors import BadValue
from rlcourse.storage import StorageError, Stored

MAX_BYTES = 20_000_000  # 102,318 numbers take about 1.3 million


def save_json(
    path: str | Path, kind: str, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]
) -> None:
    """As `rlcourse.storage.save`, each number as the shortest decimal of the same float32."""
    if meta[kind] != "deep-q":
        raise BadValue(
            f"only deep-q is written as JSON, not {meta[kind]}; give a path that ends in .h5"
        )
    weights = {name: _shortest(array) for name, array in arrays.items()}
    document = {"network": "deep-q", **meta["options"], "about": meta["about"], "weights": weights}
    write_atomically(Path(path), json.dumps(document, separators=(",", ":")) + "\n")


def load_json(path: str | Path, kind: str) -> Stored:
    """What `save_json` was given. Raises StorageError for any other file."""
    path = Path(path)
    if not path.is_file():
        raise StorageError(f"{path} does not exist")
    if path.stat().st_size > MAX_BYTES:
        raise StorageError(
            f"{path} has more than {MAX_BYTES:,} bytes; the weights of a deep Q-network take about "
            "1,300,000"
        )
    try:
        document = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{path} is not valid JSON: {error}") from None
    if not isinstance(document, dict) or document.get("network") != "deep-q":
        raise StorageError(
            f'{path} holds no deep Q-network: it should be an object with "network": "deep-q"'
        )
    try:
        switches = {name: document.get(name) for name in ("symmetry", "masked")}
        for name, value in switches.items():
            if not isinstance(value, bool):
                raise BadValue(f"{name} is true or false, not {value!r}")
        lists = document.get("weights")
        if not isinstance(lists, dict):
            raise BadValue('"weights" should be an object of nested lists')
        weights = {name: _array(name, nested) for name, nested in lists.items()}
    except ValueError as error:
        raise StorageError(f"{path}: {error}") from None
    of_game = {"game": "tic-tac-toe", "game_options": {}}
    return Stored(kind, weights, {kind: "deep-q", **of_game, "options": switches})


def _shortest(array: np.ndarray) -> list:
    short = array.astype(str).astype(np.float64)
    exact = np.where(short.astype(np.float32) == array, short, array.astype(np.float64))
    return exact.tolist()


def _array(name: str, nested: Any) -> np.ndarray:
    try:
        array = np.array(nested)
        fits = array.dtype.kind in "if"
    except (ValueError, OverflowError):  # rows of different lengths, or a huge integer
        fits = False
    if not fits:
        raise BadValue(f"{name} should be nested lists of numbers, all rows of one length")
    return array


def _refuse(constant: str) -> None:
    raise BadValue(f"{constant} is not a number in JSON")
