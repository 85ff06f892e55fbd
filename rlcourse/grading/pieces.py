"""Every file that came in, with what its place says: whose it is, and by what evidence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path, PurePosixPath

from rlcourse.grading.archive import BadArchive, File, opened, shared_depth
from rlcourse.grading.roster import Owner, Roster

_MOODLE = re.compile(
    r"^(?P<label>.+?)_(?P<number>\d+)_assignsubmission_(file|onlinetext)_?(?P<rest>.*)$", re.DOTALL
)
_CANVAS = re.compile(r"^(?P<label>[^_]+)(_LATE)?_(?P<number>\d+)_\d+_(?P<rest>.+)$", re.DOTALL)
_NUMBERED = re.compile(r"_\d+_assignsubmission_")
# Here nbgrader's exchange collects STUDENT/SHEET/, with two files that students cannot write.
COLLECTED = "submitted"


class Evidence(Enum):
    """How it is known whose a file is, the strongest last."""

    RECEIPT = "its receipt alone"
    PLATFORM = "the platform's name of it"
    PLACE = "the place where it lies"

    @property
    def strength(self) -> int:
        """The more, the stronger."""
        return list(Evidence).index(self)


@dataclass(frozen=True)
class Piece:
    """A file with what its place says: whose it is, by what evidence, and whether the platform
    calls it late.

    collected: its path below the student's folder, where it lies on disk as nbgrader's exchange
    collects; else "".
    """

    owner: Owner
    evidence: Evidence
    file: File
    origin: str
    late: bool = False
    collected: str = ""


def pieces(path: Path, roster: Roster | None) -> Iterator[Piece]:
    """The files with their owners; a student's own zip is opened, a zip inside it is not."""
    whole = _only_zip(path, roster)
    listed, contents = opened(path) if whole is None else whole.opened()
    depth = _depth(listed, roster)
    collected = whole is None and path.is_dir() and path.name == COLLECTED and depth == 0
    for file in contents:
        parts = tuple(file.name.split("/")[depth:])
        owner, evidence = _owner(parts, roster)
        late = owner.system == "canvas" and parts[0].startswith(f"{owner.label}_LATE_")
        origin = file.name if whole is None else f"{whole.name}/{file.name}"
        below = "/".join(parts[1:]) if collected else ""
        yield from _opened(Piece(owner, evidence, file, origin, late, below))


def _only_zip(path: Path, roster: Roster | None) -> File | None:
    """The one file of a folder where it is the zip of a whole class.

    Beside others a zip is one student's, or nobody's.
    """
    listed, contents = opened(path)
    if len(listed) != 1 or not path.is_dir() or "/" in listed[0]:
        return None
    (file,) = contents
    if not file.is_zip or _is_known((file.name,), roster):
        return None
    try:
        inner, _ = file.opened()
    except BadArchive:
        return None
    depth = _depth(inner, roster)
    return (
        file if any(_is_known(tuple(name.split("/")[depth:]), roster) for name in inner) else None
    )


def _depth(listed: list[str], roster: Roster | None) -> int:
    """How many folders, which hold everything, lie around those of the students: 0, unless students
    are found in there.
    """
    parts = [tuple(name.split("/")) for name in listed]
    for depth in range(shared_depth(listed) + 1):
        if any(_is_known(one[depth:], roster) for one in parts):
            return depth
    return 0


def _is_known(parts: tuple[str, ...], roster: Roster | None) -> bool:
    """Whether the outermost part is a platform's name, or one that the roster knows."""
    owner, evidence = _owner(parts, roster)
    return evidence is Evidence.PLATFORM or (roster is not None and bool(roster.named(owner)))


def _owner(parts: tuple[str, ...], roster: Roster | None) -> tuple[Owner, Evidence]:
    """Whose a file is by its outermost folder, or by its name where it lies in none."""
    first, alone = parts[0], len(parts) == 1
    label = PurePosixPath(first).stem if alone else first
    if roster is not None and roster.named(Owner(label)):
        return Owner(label), Evidence.PLACE
    owners = [
        Owner(match["label"], match["number"], system)
        for system, pattern in (("moodle", _MOODLE), ("canvas", _CANVAS))
        if (roster is None or roster.kind in ("", system))
        and (alone or system == "moodle")
        and (match := pattern.match(first))
    ]
    # A student's own part of the name can look like the platform's: what could be two names is
    # nobody's.
    if len(owners) == 1 and len(_NUMBERED.findall(first)) < 2:
        return owners[0], Evidence.PLATFORM
    return Owner(label), Evidence.RECEIPT if alone else Evidence.PLACE


def _opened(piece: Piece) -> Iterator[Piece]:
    """The piece, or the pieces of a zip, all of them whose the zip is."""
    if not piece.file.is_zip:
        yield piece
        return
    packed = replace(piece, collected="")
    try:
        for one in piece.file.unpacked():
            # The times inside are the student's to choose.
            one = replace(one, moment=piece.file.moment)
            if one.is_zip:
                reason = "a zip inside a zip is not opened; hand in the notebook itself"
                one = replace(one, content=b"", refused=reason)
            yield replace(packed, file=one, origin=f"{piece.origin}/{one.name}")
    except (BadArchive, OSError) as error:
        refused = f"a zip that cannot be read: {error}"
        yield replace(packed, file=replace(piece.file, content=b"", refused=refused))
