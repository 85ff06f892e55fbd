"""Collect what an answer writes to stderr.

nbgrader gives no points to a check cell that writes there, not even for a right answer that prints
a warning; so a check collects it and shows it on stdout.
"""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from io import StringIO
from typing import Any

from rlcourse.stderr import collected_stderr


@contextmanager
def quiet_stderr() -> Iterator[StringIO]:
    """Within this block nothing reaches stderr.

    Neither prints and warnings do, nor loggers that hold the old stream, nor libraries that write
    to file descriptor 2. The text is in the buffer that the block gets, complete when it ends.
    """
    text, written = StringIO(), bytearray()
    try:
        with collected_stderr() as written, _python_stderr(text):
            yield text
    finally:
        text.write(written.decode(errors="replace"))


@contextmanager
def _python_stderr(text: StringIO) -> Iterator[None]:
    old: Any = sys.stderr  # a stream of any kind: notebooks and pytest have their own
    with redirect_stderr(text), warnings.catch_warnings():
        warnings.simplefilter("default")
        with suppress(AttributeError):
            # Handlers of `logging` made earlier keep the old stream.
            old.write = text.write
        try:
            yield
        finally:
            with suppress(AttributeError):
                del old.write
