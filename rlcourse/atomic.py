"""Atomic writes: a file is complete or absent, even if the writer is killed or the power fails.

The bytes go to a temporary file in the same folder, are synced to disk, and replace the target by a
rename. `lock_file` keeps a second process out meanwhile.
"""

import errno
import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

LEFT_BEHIND = 3600.0  # seconds after which the writer of an unfinished file counts as killed


def write_atomically(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file; text is UTF-8 with its line ends unchanged. See `atomic_file`."""
    with atomic_file(path, private=private) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def atomic_file(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A stream whose bytes become the file `path` when the block ends without an error.

    Until then, and after an error, an existing file of that name is untouched. private: only the
    owner can read the file and the folders created for it. Raises OSError.
    """
    if not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
    prefix = f".{path.name[:40]}."  # a file name of 255 characters leaves no room for more
    _sweep(path.parent, prefix)
    unfinished = path.with_name(f"{prefix}{secrets.token_hex(6)}.part")
    try:
        with open(unfinished, "xb+", opener=_private if private else None) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _swap_in(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def lock_file(descriptor: int) -> bool:
    """Whether this process could lock an open file, which nobody else holds.

    The system unlocks the file at the end of the process, even if it is killed.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # the latter on Windows
        return False
    except OSError:
        pass  # a network disk that knows no locks: one relies on the person
    return True


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _swap_in(unfinished: Path, path: Path) -> None:
    for pause in (0.05, 0.2, 0.5, 0):
        try:
            os.replace(unfinished, path)
            return
        except PermissionError:  # Windows, while a reader or a virus scanner has the file open
            if not pause:
                raise
            time.sleep(pause)


def _sweep(folder: Path, prefix: str) -> None:
    """Remove the unfinished files of killed writers."""
    for leftover in folder.iterdir():
        if leftover.name.startswith(prefix) and leftover.name.endswith(".part"):
            with suppress(OSError):
                if time.time() - leftover.stat().st_mtime > LEFT_BEHIND:
                    leftover.unlink()
