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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
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
    zip_path: where a zip in a folder lies, which is opened there and has no content here.
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

    def unpacked(self, *, one_student: bool = True) -> Iterator["File"]:
        """What a zip holds. Raises BadArchive, OSError."""
        with self._opened() as stream:
            yield from of_zip(stream, one_student=one_student)

    def listed(self) -> list[str]:
        """The names of the files in a zip. Raises BadArchive, OSError."""
        with self._opened() as stream:
            return names_in_zip(stream)

    def _opened(self) -> BinaryIO:
        return BytesIO(self.content) if self.zip_path is None else _open(self.zip_path)


class BadArchive(ValueError):
    """A zip that cannot be read at all. The message says why."""


def files(path: Path) -> Iterator[File]:
    """Every file of a folder or of a zip, for each folder or file at its top so many as one student
    may hand in.

    Raises BadArchive, FileNotFoundError.
    """
    if path.is_dir():
        yield from _of_folder(path)
        return
    with _class_zip(path) as stream:
        yield from of_zip(stream)


def names(path: Path) -> list[str]:
    """The names of the files of a folder or of a zip, as `files` gives them.

    Raises BadArchive, FileNotFoundError.
    """
    if path.is_dir():
        return [inside for inside, _, _ in _walk(path)]
    with _class_zip(path) as stream:
        return names_in_zip(stream)


def shared_depth(names: list[str]) -> int:
    """How many folders, one inside the other, hold all of these files."""
    depth, parts = 0, [name.split("/")[:-1] for name in names]
    while parts and all(len(one) > depth and one[depth] == parts[0][depth] for one in parts):
        depth += 1
    return depth


def of_zip(stream: BinaryIO, *, one_student: bool = False) -> Iterator[File]:
    """Every file of a zip, which stays closed where it lies. Raises BadArchive."""
    with _archive(stream, MAX_OWN_LISTING if one_student else MAX_LISTING) as archive:
        yield from _of_archive(archive, one_student)


def names_in_zip(stream: BinaryIO) -> list[str]:
    """The names of the files of a zip. Raises BadArchive."""
    with _archive(stream, MAX_LISTING) as archive:
        return [shown_name(_slashes(member)) for member in _members(archive)]


def _class_zip(path: Path) -> BinaryIO:
    if not path.exists():
        raise FileNotFoundError(
            f"{path} does not exist; give the folder or the zip with the hand-ins"
        )
    return path.open("rb")


@contextmanager
def _archive(stream: BinaryIO, most: int) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(_Listing(stream, most))
    except Exception as error:  # a stranger packed it
        raise BadArchive(f"the zip is damaged ({error})") from None
    archive.fp = stream
    with archive:
        yield archive


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


@dataclass
class _Allowance:
    """What is still read below each folder, or file, at the top: one student's abundance costs
    nobody else a file.

    depth: of the folder at whose top the students' files lie; None where all files are one
    student's.
    """

    depth: int | None
    _files: Counter[str] = field(default_factory=Counter)
    _bytes: Counter[str] = field(default_factory=Counter)

    def spent(self, name: str) -> str:
        """Count one more file; why it is not read, or ""."""
        top = self._top(name)
        self._files[top] += 1
        if self._files[top] > MAX_FILES:
            return f"more than {MAX_FILES} files are handed in there; the rest is not read"
        return (
            ""
            if self.left(name) > 0
            else f"what is handed in there has more than {MAX_UNPACKED:,} bytes; this is the rest"
        )

    def left(self, name: str) -> int:
        """Bytes that may still be read."""
        return MAX_UNPACKED - self._bytes[self._top(name)]

    def take(self, name: str, size: int) -> None:
        """Count so many bytes."""
        self._bytes[self._top(name)] += size

    def is_listed(self, name: str) -> bool:
        """Whether the file is told of: of thousands that are not read only the first."""
        return self._files[self._top(name)] <= MAX_FILES + 1

    def _top(self, name: str) -> str:
        return "" if self.depth is None else "/".join(name.split("/")[: self.depth + 1])


def same_name(name: str) -> str:
    """What two names have in common that one folder cannot hold on every system: case and the form
    of accents aside.
    """
    return unicodedata.normalize("NFC", name).casefold()


def _members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [
        member
        for member in archive.infolist()
        if not member.is_dir() and not _SKIPPED.search(_slashes(member))
    ]


def _of_archive(archive: zipfile.ZipFile, one_student: bool) -> Iterator[File]:
    members = _members(archive)
    twins = Counter(same_name(_slashes(member)) for member in members)
    allowance = _Allowance(
        None if one_student else shared_depth([shown_name(_slashes(member)) for member in members])
    )
    for member in members:
        name, content = shown_name(_slashes(member)), b""
        reason = allowance.spent(name) or _why_not(member, twins[same_name(_slashes(member))])
        if not allowance.is_listed(name):
            continue
        if not reason:
            content, reason = _read_member(archive, member, min(MAX_BYTES, allowance.left(name)))
        allowance.take(name, len(content))
        yield File(name, content, in_zone(partial(datetime, *member.date_time)), reason)


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
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "a file packed in a way that is not read; make an ordinary zip"
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
    except (
        Exception
    ) as error:  # damaged in a way of its own: checksums, unknown methods, overlapping entries
        return b"", f"it cannot be unpacked ({type(error).__name__})"
    return (
        (b"", f"it unpacks to more than {most:,} bytes") if len(content) > most else (content, "")
    )


def _of_folder(folder: Path) -> Iterator[File]:
    allowance = _Allowance(shared_depth([inside for inside, _, _ in _walk(folder)]))
    for inside, path, reason in _walk(folder):
        reason = allowance.spent(inside) or reason
        if allowance.is_listed(inside):
            file = (
                File(inside, refused=reason)
                if reason
                else _read_file(path, inside, min(MAX_BYTES, allowance.left(inside)))
            )
            allowance.take(inside, len(file.content))
            yield file


def _walk(folder: Path) -> Iterator[tuple[str, Path, str]]:
    """(name inside, path, why it cannot be read) of every file; a folder that cannot be opened is
    one of them.
    """
    waiting = [(folder, 0)]
    while waiting:
        base, depth = waiting.pop()
        place, folders = base.relative_to(folder).as_posix(), []
        try:
            entries = sorted(os.scandir(base), key=lambda entry: entry.name)
        except OSError as error:
            yield shown_name(place), base, f"a folder that cannot be opened ({error.strerror})"
            continue
        for entry in entries:
            inside = entry.name if base == folder else f"{place}/{entry.name}"
            if _SKIPPED.search(inside):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append((base / entry.name, depth + 1))
            else:
                yield shown_name(inside), base / entry.name, ""
        if depth < MAX_DEPTH:
            waiting += reversed(folders)
        elif folders:
            yield (
                shown_name(place),
                base,
                f"folders that lie more than {MAX_DEPTH} deep are not opened",
            )


def _open(path: Path) -> BinaryIO:
    """A file that is no link and no pipe, which would wait for ever. Raises OSError."""
    flags = (getattr(os, name, 0) for name in ("O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
    return os.fdopen(os.open(path, sum(flags)), "rb")


def _read_file(path: Path, inside: str, most: int) -> File:
    """A regular file and nothing else: a link could lead anywhere."""
    if os.path.islink(path):
        return File(inside, refused="a link, not a file")
    try:
        with _open(path) as stream:
            entry = os.fstat(stream.fileno())
            if not stat.S_ISREG(entry.st_mode):
                return File(inside, refused="not a regular file")
            moment = in_zone(lambda: datetime.fromtimestamp(entry.st_mtime))
            if path.suffix.lower() == ".zip":
                return File(inside, b"", moment, zip_path=path)
            content = stream.read(most + 1)
            if len(content) > most:
                size = f"{max(entry.st_size, len(content)):,}"
                return File(
                    inside,
                    b"",
                    moment,
                    f"it has {size} bytes; at most {most:,} are read (clear the outputs)",
                )
            return File(inside, content, moment)
    except OSError as error:
        return File(inside, refused=f"it cannot be read ({error.strerror})")


def _slashes(member: zipfile.ZipInfo) -> str:
    return re.sub(r"^(\./)+", "", member.filename.replace("\\", "/"))
