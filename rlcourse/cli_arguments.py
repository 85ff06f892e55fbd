"""What the command line refuses at once: unwritable files, sheets that are not there, settings
without a value.
"""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import typer

from rlcourse.checks import get_sheet, sheet_number

Chosen = TypeVar("Chosen", Path, None)  # None: an option that was not given


def writable_file(path: Chosen) -> Chosen:
    """The path, when a file can be written there. Raises BadParameter."""
    if path is not None:
        _try_to_write(path, path.is_file, "an ordinary file", path.parent)
    return path


def writable_folder(path: Chosen) -> Chosen:
    """The path, when files can be written below it; it need not exist. Raises BadParameter."""
    if path is not None:
        _try_to_write(path, path.is_dir, "a folder", path)
    return path


def number_of_sheet(text: str) -> str:
    """The two digits of a sheet, which may be written as "1", "sheet 1" or "exercises/01".

    Raises BadParameter.
    """
    try:
        return text and sheet_number(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def number_of_known_sheet(text: str) -> str:
    """The same, for a sheet that is here. Raises BadParameter with those that are."""
    number = number_of_sheet(text)
    try:
        get_sheet(number)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return number


def parse_settings(pairs: list[str]) -> dict[str, Any]:
    """NAME=VALUE each, a value of JSON or a word, as keyword arguments. Raises BadParameter."""
    settings = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"a setting reads NAME=VALUE, such as alpha=0.2; got {pair!r}")
        try:
            settings[name] = json.loads(value.lower() if value in ("True", "False") else value)
        except json.JSONDecodeError:
            settings[name] = value
    return settings


def _try_to_write(path: Path, fits: Callable[[], bool], kind: str, folder: Path) -> None:
    """Write a file in the folder, or in the nearest one above it that exists, and delete it."""
    try:
        if path.exists() and not fits():
            raise typer.BadParameter(f"{path} is there and is not {kind}; choose another place")
        while not folder.exists():
            folder = folder.parent
        with tempfile.NamedTemporaryFile(
            dir=folder, prefix=f".{path.name}.", suffix="-try.part"
        ) as attempt:
            attempt.write(b"1")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise typer.BadParameter(
            f"{path} cannot be written ({reason}); choose another place"
        ) from None
