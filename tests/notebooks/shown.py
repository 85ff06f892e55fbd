"""Copied beside a notebook as conftest.py: writes what each cell has shown in nbval's run into shown.jsonl, a line a cell.

And lets nbval wait for what a cell prints: the limit of the whole notebook decides, on a busy machine a later one.
"""

import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import nbval.kernel
import pytest

SHOWN = "shown.jsonl"
NEVER = 86_400  # seconds


def pytest_configure() -> None:
    """The kernel's sockets are files where the system has such: a free port may be another's before the kernel opens it."""
    if os.name == "posix":
        nbval.kernel.KernelManager = partial(nbval.kernel.KernelManager, transport="ipc")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """nbval gives the outputs of a cell 5 s to arrive after its end, and has no option for it."""
    for item in items:
        item.output_timeout = NEVER


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """After each cell, also after one that fails."""
    try:
        return (yield)
    finally:
        outputs = getattr(item, "test_outputs", None)
        if outputs is not None:
            line = json.dumps({"cell": item.cell.id, "outputs": outputs})
            with (Path(__file__).parent / SHOWN).open("a", encoding="utf-8") as file:
                file.write(line + "\n")
