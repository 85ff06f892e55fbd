"""Files that are written whole or not at all, also where the writer is killed or the power fails.

The bytes are written beside the target, forced to the disk, and swapped in by a rename.
"""

import errno
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

LEFT_BEHIND = 3600.0  # seconds after which an unfinished file is that of a writer that was killed


def write_atomically(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write the file; text in UTF-8, with the line ends that it has. See `atomic_file`."""
    with atomic_file(path, private=private) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def atomic_file(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A stream to write and read; its bytes become the file `path` when the block ends without an error.

    Until then, and after an error, an earlier file of that name is untouched. private: the file, and
    folders made for it, can be read by their owner alone. Raises OSError.
    """
    if not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
    beginning = f".{path.name[:40]}."  # a file name of 255 characters leaves no room for more
    _sweep(path.parent, beginning)
    part = path.with_name(f"{beginning}{secrets.token_hex(6)}.part")
    try:
        with open(part, "xb+", opener=_private if private else None) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _swap_in(part, path)
    finally:
        part.unlink(missing_ok=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _swap_in(part: Path, path: Path) -> None:
    for pause in (0.05, 0.2, 0.5, 0):
        try:
            os.replace(part, path)
            return
        except PermissionError:  # Windows, while a reader or a virus scanner has the file open
            if not pause:
                raise
            time.sleep(pause)


def _sweep(folder: Path, beginning: str) -> None:
    """Remove what killed writers of this file left behind."""
    for leftover in folder.iterdir():
        if leftover.name.startswith(beginning) and leftover.name.endswith(".part"):
            with suppress(OSError):
                if time.time() - leftover.stat().st_mtime > LEFT_BEHIND:
                    leftover.unlink()
