"""The command line in a process of its own that says when it is at work: python
cli_driver.py PLACE COMMAND ...

PLACE is "module:name" of a function that the command calls. It is announced by a line "at work"
and then goes on for ever, by being called again and again, whatever it raises; a generator function
is announced only. With "-" nothing is announced.
"""

import importlib
import inspect
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def for_ever(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, announced, and then called without end."""

    def announced(*arguments: Any, **options: Any) -> Any:
        print("at work", flush=True)
        if inspect.isgeneratorfunction(function):
            return function(*arguments, **options)
        while True:
            with suppress(Exception):
                function(*arguments, **options)

    return announced


def main() -> None:
    """Put the announcement in its place and run the command."""
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # where the tests run in the background it is ignored
    place = sys.argv.pop(1)
    if place != "-":
        module, name = place.split(":")
        setattr(
            importlib.import_module(module),
            name,
            for_ever(getattr(importlib.import_module(module), name)),
        )
    from rlcourse.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
