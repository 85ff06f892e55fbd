"""Files that others packed: a folder or a zip as a stream of files.

Nothing is extracted, and no name in it is followed.

What cannot be read safely comes with the reason in place of its content, so that it is listed and
never lost in silence.
"""

import os
import re
import stat
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from rlcourse.grading.roster import in_zone, shown_name
from rlcourse.notebook import MAX_BYTES

MAX_FILES = 100  # of one student, or one folder of a class, below which one student's files lie
MAX_UNPACKED = 64 * 1024 * 1024  # bytes of them
MAX_LISTING = 16 * 1024 * 1024  # bytes that the table of contents of a class's zip may have
# And of one student's; the 40,000 entries that it can hold take 20 MB.
MAX_OWN_LISTING = 2 * 1024 * 1024
MAX_DEPTH = 30  # of folders inside one another
# Of unpacked to packed size; a notebook full of figures has about 1.4, one of repeated text 100.
MAX_RATIO = 200
_SKIPPED = re.compile(r"(^|/)(\.(?!\.?(/|$))[^/]*|__MACOSX|Thumbs\.db|desktop\.ini)(/|$)")


@dataclass(frozen=True)
class File:
    """One file.

    name: its path inside, with "/". moment: when it was written, with its zone.
    refused: why it was not read.
    zip_path: where a zip lies, which is opened there and has no content here.
    """

    name: str
    content: bytes = b""
    moment: datetime | None = None
    refused: str = ""
    zip_path: Path | None = None

    @property
    def is_zip(self) -> bool:
        """Whether it is a zip that can be opened."""
        return self.name.lower().endswith(".zip") and not self.refused

    def opened(self) -> tuple[list[str], Iterator["File"]]:
        """(names, files) of a class's zip. Raises BadArchive, OSError."""
        with self._archive(MAX_LISTING) as archive:
            names = [file.name for file, _ in _in_zip(archive)]
        return names, self.unpacked(names)

    def unpacked(self, listed: list[str] | None = None) -> Iterator["File"]:
        """What a zip holds, which stays closed where it lies; listed: see `_within_bounds`.

        Raises BadArchive, OSError.
        """
        with self._archive(MAX_OWN_LISTING if listed is None else MAX_LISTING) as archive:
            yield from _within_bounds(_in_zip(archive), listed)

    @contextmanager
    def _archive(self, most: int) -> Iterator[zipfile.ZipFile]:
        """The zip, opened; its table of contents has so many bytes at most."""
        with BytesIO(self.content) if self.zip_path is None else _open(self.zip_path) as stream:
            try:
                archive = zipfile.ZipFile(_Listing(stream, most))
            except Exception as error:  # a stranger packed it
                raise BadArchive(f"the zip is damaged ({error})") from None
            archive.fp = stream
            with archive:
                yield archive


# A file that is not read yet, and what reads so many bytes of it at most.
_Entry = tuple[File, Callable[[int], File]]


class BadArchive(ValueError):
    """A zip that cannot be read at all. The message says why."""


def opened(path: Path) -> tuple[list[str], Iterator[File]]:
    """(names, files) of a folder or a zip: of each folder or file at its top so many files as one
    student may hand in.

    Raises BadArchive, FileNotFoundError.
    """
    if path.is_dir():
        names = [file.name for file, _ in _in_folder(path)]
        return names, _within_bounds(_in_folder(path), names)
    if not path.exists():
        raise FileNotFoundError(
            f"{path} does not exist; give the folder or the zip with the hand-ins"
        )
    if not zipfile.is_zipfile(path):
        raise BadArchive(f"{path} is no folder and no zip that can be read; give the hand-ins")
    return File(path.name, zip_path=path.resolve()).opened()


def shared_depth(names: list[str]) -> int:
    """How many folders, one inside the other, hold all of these files."""
    depth, parts = 0, [name.split("/")[:-1] for name in names]
    while parts and all(len(one) > depth and one[depth] == parts[0][depth] for one in parts):
        depth += 1
    return depth


class _Listing:
    """A zip's stream while its table of contents is read, which is read in one piece: of so many
    bytes at most.
    """

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self.seek, self.tell, self.seekable = stream.seek, stream.tell, stream.seekable
        self._stream, self._most = stream, most

    def read(self, size: int = -1) -> bytes:
        """So many bytes. Raises BadArchive."""
        content = self._stream.read(size if 0 <= size <= self._most else self._most + 1)
        if len(content) > self._most:
            raise BadArchive(f"its table of contents has more than {self._most:,} bytes")
        return content


def _within_bounds(entries: Iterable[_Entry], listed: list[str] | None) -> Iterator[File]:
    """The files, of each student so many as one may hand in: one student's abundance costs nobody
    else a file.

    listed: the names of all, below whose shared folder each student has a folder or file; None
    where all files are one student's.
    """
    depth = 0 if listed is None else shared_depth(listed) + 1
    count, size = Counter[str](), Counter[str]()
    for file, read in entries:
        student = "/".join(file.name.split("/")[:depth])
        count[student] += 1
        left = MAX_UNPACKED - size[student]
        if count[student] > MAX_FILES + 1:
            continue  # of thousands that are not read only the first is listed
        refused = file.refused
        if count[student] > MAX_FILES:
            refused = f"more than {MAX_FILES} files are handed in there; the rest is not read"
        elif left <= 0:
            refused = (
                f"what is handed in there has more than {MAX_UNPACKED:,} bytes; this is the rest"
            )
        file = replace(file, refused=refused) if refused else read(min(MAX_BYTES, left))
        size[student] += len(file.content)
        yield file


def same_name(name: str) -> str:
    """What two names have in common that one folder cannot hold on every system: case and the form
    of accents aside.
    """
    return unicodedata.normalize("NFC", name).casefold()


def _in_zip(archive: zipfile.ZipFile) -> Iterator[_Entry]:
    named = [
        (re.sub(r"^(\./)+", "", member.filename.replace("\\", "/")), member)
        for member in archive.infolist()
        if not member.is_dir()
    ]
    members = [(name, member) for name, member in named if not _SKIPPED.search(name)]
    twins = Counter(same_name(name) for name, _ in members)
    for name, member in members:
        moment = in_zone(partial(datetime, *member.date_time))
        refused = _why_not(name, member, twins[same_name(name)])
        file = File(shown_name(name), moment=moment, refused=refused)
        yield file, partial(_unpacked, file, archive, member)


def _why_not(name: str, member: zipfile.ZipInfo, twins: int) -> str:
    """Why a member is not even opened, by its name and its entry alone."""
    kind = stat.S_IFMT(member.external_attr >> 16)
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
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "a file packed in a way that is not read; make an ordinary zip"
    if member.file_size > MAX_BYTES:
        return f"it unpacks to {member.file_size:,} bytes; at most {MAX_BYTES:,} are read"
    if member.file_size > 1_000_000 and member.file_size > MAX_RATIO * max(member.compress_size, 1):
        return "it unpacks to much more than it is packed: no notebook does"
    return ""


def _unpacked(file: File, archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> File:
    """The file with its content. What the entry says of its size is not believed."""
    try:
        with archive.open(member) as stream:
            content = stream.read(most + 1)
    # Damaged in a way of its own: checksums, unknown methods, overlapping entries.
    except Exception as error:
        return replace(file, refused=f"it cannot be unpacked ({type(error).__name__})")
    if len(content) > most:
        return replace(file, refused=f"it unpacks to more than {most:,} bytes")
    return replace(file, content=content)


def _in_folder(folder: Path) -> Iterator[_Entry]:
    """Every file; a folder that cannot be opened is one of them, refused."""

    def entry(inside: str, refused: str = "") -> _Entry:
        """The file of that name inside the folder."""
        file = File(shown_name(inside), refused=refused)
        return file, partial(_read_file, file, folder / inside)

    waiting = [("", 0)]
    while waiting:
        base, depth = waiting.pop()
        folders = []
        try:
            entries = sorted(os.scandir(folder / base), key=lambda one: one.name)
        except OSError as error:
            yield entry(base or ".", f"a folder that cannot be opened ({error.strerror})")
            continue
        for one in entries:
            inside = f"{base}/{one.name}" if base else one.name
            if _SKIPPED.search(inside):
                continue
            if one.is_dir(follow_symlinks=False):
                folders.append((inside, depth + 1))
            else:
                yield entry(inside)
        if depth < MAX_DEPTH:
            waiting += reversed(folders)
        elif folders:
            yield entry(base, f"folders that lie more than {MAX_DEPTH} deep are not opened")


def _open(path: Path) -> BinaryIO:
    """A file that is no link and no pipe, which would wait for ever. Raises OSError."""
    flags = (getattr(os, name, 0) for name in ("O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
    return os.fdopen(os.open(path, sum(flags)), "rb")


def _read_file(file: File, path: Path, most: int) -> File:
    """A regular file and nothing else: a link could lead anywhere."""
    if os.path.islink(path):
        return replace(file, refused="a link, not a file")
    try:
        with _open(path) as stream:
            state = os.fstat(stream.fileno())
            if not stat.S_ISREG(state.st_mode):
                return replace(file, refused="not a regular file")
            file = replace(file, moment=in_zone(lambda: datetime.fromtimestamp(state.st_mtime)))
            if path.suffix.lower() == ".zip":
                return replace(file, zip_path=path)
            content = stream.read(most + 1)
    except OSError as error:
        return replace(file, refused=f"it cannot be read ({error.strerror})")
    if len(content) > most:
        size = f"it has {max(state.st_size, len(content)):,} bytes"
        return replace(file, refused=f"{size}; at most {most:,} are read (clear the outputs)")
    return replace(file, content=content)
