"""What an answer writes while it is checked.

nbgrader gives no points to a check cell that writes to stderr, not even for a right answer that
prints a warning; so a check collects it and shows it on stdout. A function that prints can be
called thousands of times: of its stdout the beginning is shown.
"""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from io import StringIO, TextIOBase
from typing import Any

from rlcourse.stderr import collected_stderr

PRINTED = 20_000  # characters of stdout that are shown: millions of them stop a browser


class Beginning(TextIOBase):
    """A stream that passes the first PRINTED characters on and counts the others."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._length = stream, 0

    def write(self, text: str) -> int:
        """As a stream's."""
        if self._length < PRINTED:
            self._stream.write(text[: PRINTED - self._length])
        self._length += len(text)
        return len(text)

    def flush(self) -> None:
        """As a stream's."""
        self._stream.flush()

    def note(self) -> str:
        """What the reader should know of it: "" where all is shown."""
        if self._length <= PRINTED:
            return ""
        self._stream.write("...\n")
        return (
            f"Your function printed {self._length:,} characters; the first {PRINTED:,} are shown."
        )


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
