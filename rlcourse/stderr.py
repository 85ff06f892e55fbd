"""What is written to file descriptor 2, below Python's reach: by C++ libraries, and by children."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

MOST = 100_000  # bytes that are kept


@contextmanager
def collected_stderr() -> Iterator[bytearray]:
    """Redirect file descriptor 2 to a file; after the block the buffer holds what was written."""
    written = bytearray()
    with suppress(Exception):
        sys.stderr.flush()
    try:
        usual = os.dup(2)
    except OSError:  # no descriptor 2: a process without a console
        yield written
        return
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            yield written
        finally:
            os.dup2(usual, 2)
            os.close(usual)
            file.seek(0)
            written += file.read(MOST)
