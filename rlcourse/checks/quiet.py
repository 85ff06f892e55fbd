"""Collect what an answer writes to stderr. nbgrader gives no points to a check cell that writes there, not even for a right
answer that prints a warning; so a check collects it and shows it on stdout."""

import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from io import StringIO


@contextmanager
def quiet_stderr() -> Iterator[StringIO]:
    """Within this block nothing reaches stderr: neither prints and warnings, nor loggers that hold the old stream, nor
    libraries that write to file descriptor 2. The text is in the buffer that the block gets, complete when it ends."""
    text = StringIO()
    old = sys.stderr
    with _descriptor(text), redirect_stderr(text), warnings.catch_warnings():
        warnings.simplefilter("default")
        with suppress(AttributeError):
            old.write = (
                text.write
            )  # for handlers of `logging` made earlier: they keep the old stream
        try:
            yield text
        finally:
            with suppress(AttributeError):
                del old.write


@contextmanager
def _descriptor(text: StringIO) -> Iterator[None]:
    """File descriptor 2 goes to a file for the time of the block; its text is added to `text` at the end."""
    with suppress(Exception):
        sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # no descriptor 2 (a process without a console)
        yield
        return
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            text.write(file.read(100_000).decode(errors="replace"))
