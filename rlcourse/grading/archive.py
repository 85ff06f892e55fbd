"""Files that others packed: a folder or a zip as a stream of files. Nothing is extracted, and no name in it is followed.

What cannot be read safely comes with the reason in place of its content, so that it is listed and never lost in silence.
"""

import os
import re
import stat
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from rlcourse.grading.submission import MAX_BYTES

MAX_ZIP = 512 * 1024 * 1024  # bytes of a whole class's archive as it lies on disk, and of what comes out of it in all
MAX_FILES = 5_000
MAX_RATIO = 200  # of unpacked to packed size; a notebook full of figures has about 1.4, one of repeated text up to about 100
_SKIPPED = re.compile(r"(^|/)(\.(?!\.?(/|$))[^/]*|__MACOSX|Thumbs\.db|desktop\.ini)(/|$)")


@dataclass(frozen=True)
class File:
    """One file. name: its path inside, with "/". moment: when it was written, with its zone. refused: why it was not read."""

    name: str
    content: bytes = b""
    moment: datetime | None = None
    refused: str = ""


class BadArchive(ValueError):
    """A zip that cannot be read at all. The message says why."""


def files(path: Path) -> Iterator[File]:
    """Every file of a folder or of a zip. Raises BadArchive, FileNotFoundError."""
    if path.is_dir():
        yield from _of_folder(path)
    elif path.exists():
        with path.open("rb") as stream:
            yield from of_zip(stream)
    else:
        raise FileNotFoundError(f"{path} does not exist; give the folder or the zip with the hand-ins")


def of_zip(stream: BinaryIO) -> Iterator[File]:
    """Every file of a zip, which stays closed where it lies. Raises BadArchive."""
    if stream.seek(0, os.SEEK_END) > MAX_ZIP:
        raise BadArchive(f"the zip has more than {MAX_ZIP:,} bytes; unpack it and give the folder")
    stream.seek(0)
    try:
        with zipfile.ZipFile(stream) as archive:
            yield from _of_archive(archive)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError, OSError) as error:
        raise BadArchive(f"the zip is damaged ({error})") from None


def of_zip_bytes(content: bytes) -> list[File]:
    """Every file of a small zip in memory: what one student packed. Raises BadArchive."""
    return list(of_zip(BytesIO(content)))


def same_name(name: str) -> str:
    """What two names have in common that one folder cannot hold on every system: case and the form of accents aside."""
    return unicodedata.normalize("NFC", name).casefold()


def _of_archive(archive: zipfile.ZipFile) -> Iterator[File]:
    members = [member for member in archive.infolist() if not member.is_dir() and not _SKIPPED.search(_slashes(member))]
    if len(members) > MAX_FILES:
        raise BadArchive(f"the zip holds {len(members):,} files; at most {MAX_FILES:,} are read")
    names, left = Counter(same_name(_slashes(member)) for member in members), MAX_ZIP
    for member in members:
        name, moment = _slashes(member), _moment(member)
        reason = _why_not(member, names[same_name(name)])
        if not reason and left <= 0:
            reason = "the zip unpacks to more than is read from one archive"
        content = b""
        if not reason:
            content, reason = _read_member(archive, member, min(MAX_BYTES, left))
        left -= len(content)
        yield File(printable(name), content, moment, reason)


def _why_not(member: zipfile.ZipInfo, twins: int) -> str:
    """Why a member is not even opened, by its name and its entry alone."""
    name, kind = _slashes(member), stat.S_IFMT(member.external_attr >> 16)
    if name.startswith("/") or re.match(r"^[A-Za-z]:", name):
        return "an absolute path in a zip"
    if ".." in name.split("/"):
        return "a path that leads out of the zip (..)"
    if kind not in (0, stat.S_IFREG):
        return "a link or a device, not a file"
    if twins > 1:
        return "two files whose names differ in nothing, or in case and accents only"
    if member.flag_bits & 1:
        return "an encrypted file"
    if member.file_size > MAX_BYTES:
        return f"it unpacks to {member.file_size:,} bytes; at most {MAX_BYTES:,} are read"
    if member.file_size > 1_000_000 and member.file_size > MAX_RATIO * max(member.compress_size, 1):
        return "it unpacks to much more than it is packed: no notebook does"
    return ""


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> tuple[bytes, str]:
    """(content, why not). What the entry says of its size is not believed."""
    try:
        with archive.open(member) as stream:
            content = stream.read(most + 1)
    except Exception as error:  # damaged in a way of its own: checksums, unknown methods, overlapping entries
        return b"", f"it cannot be unpacked ({type(error).__name__})"
    return (b"", f"it unpacks to more than {most:,} bytes") if len(content) > most else (content, "")


def _of_folder(folder: Path) -> Iterator[File]:
    count = 0
    for base, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not _SKIPPED.search(name))
        for name in [*folders, *sorted(names)]:
            path = Path(base) / name
            inside = path.relative_to(folder).as_posix()
            if name in folders and not path.is_symlink() or _SKIPPED.search(inside):
                continue
            count += 1
            if count > MAX_FILES:
                raise BadArchive(f"{folder} holds more than {MAX_FILES:,} files")
            yield _read_file(path, inside)


def _read_file(path: Path, inside: str) -> File:
    """A regular file and nothing else: a link could lead anywhere, a pipe would wait for ever."""
    inside = printable(inside)
    if path.is_symlink():
        return File(inside, refused="a link, not a file")
    try:
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
        with os.fdopen(handle, "rb") as stream:
            told = os.fstat(handle)
            if not stat.S_ISREG(told.st_mode):
                return File(inside, refused="not a regular file")
            most = MAX_ZIP if path.suffix.lower() == ".zip" else MAX_BYTES
            moment = datetime.fromtimestamp(told.st_mtime).astimezone()
            if told.st_size > most:
                return File(
                    inside, b"", moment, f"it has {told.st_size:,} bytes; at most {most:,} are read (clear the outputs)"
                )
            return File(inside, stream.read(most), moment)
    except OSError as error:
        return File(inside, refused=f"it cannot be read ({error.strerror})")


def _slashes(member: zipfile.ZipInfo) -> str:
    return member.filename.replace("\\", "/")


def _moment(member: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*member.date_time).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def printable(text: str) -> str:
    """A name that can be shown: control characters, and those that turn the direction of text, become "?"."""
    return "".join(c if c.isprintable() and unicodedata.category(c) != "Cf" else "?" for c in text)[:300]
