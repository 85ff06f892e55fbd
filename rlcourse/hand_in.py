"""Handing in: one file from the student's sheet, with a receipt.

The file is the notebook itself, so that it opens everywhere, with the sheet's number and the
receipt in its metadata. The fingerprint tells whether student and instructor speak of the same
file. It is no signature: whoever changes the notebook can compute it too.
"""

import hmac
import json
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rlcourse.atomic import write_atomically
from rlcourse.checks import get_sheet
from rlcourse.checks.sheet import Sheet
from rlcourse.errors import CourseError
from rlcourse.notebook import (
    MARK,
    MAX_BYTES,
    BadSubmission,
    Notebook,
    defines,
    is_blank,
    refuse_too_much,
)

PLACES = ("my/exercises", "exercises")  # below the current folder or one above it


def check_of(code: str, name: str, time: str, fingerprint: str) -> str:
    """The check of a receipt: HMAC-SHA-256 of what it says, with the student's code as the key, in
    hex.
    """
    code = re.sub(r"[\s-]", "", code).lower()
    return hmac.digest(code.encode(), "\n".join((name, time, fingerprint)).encode(), "sha256").hex()


class BadHandIn(CourseError, ValueError):
    """The notebook cannot be handed in. The message says why and what to do."""


@dataclass(frozen=True)
class HandIn:
    """One hand-in. moment: ISO time, with its zone. fingerprint: SHA-256 of the notebook in hex.
    path: the file that was written.

    notes: what the student should know, one sentence each.
    """

    sheet: Sheet
    name: str
    moment: str
    fingerprint: str
    path: Path
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [
            f"Handed in: sheet {self.sheet.number}, {self.sheet.title}",
            f"Name:      {self.name}",
            f"Time:      {self.moment}",
            f"Receipt:   {self.fingerprint[:16]}  (keep this line)",
            f"File:      {self.path}",
            *(f"- {note}" for note in self.notes),
        ]
        return "\n".join(lines)


def hand_in(
    number: str,
    *,
    name: str,
    notebook: Path | None = None,
    folder: Path | None = None,
    code: str = "",
) -> HandIn:
    """Copy the student's sheet into one file for the instructor, with a receipt.

    Blanks are listed, not refused.

    notebook: the sheet; default the one of that number below my/exercises. folder: where the file
    goes; default my/hand-ins.
    code: the student's own, where the instructor gave one; it makes the receipt's check and stands
    in no file. Raises BadHandIn for another notebook, an unknown sheet, a file that cannot be read.
    """
    name = " ".join(name.split())
    if not name or len(name) > 100 or not name.isprintable():
        raise BadHandIn("a hand-in carries a name: up to 100 letters, digits or blanks")
    path, chosen = _find(number) if notebook is None else (Path(notebook), ())
    book = _read(path)
    marked = book.mark.get("sheet")
    if isinstance(marked, str) and marked != number:
        raise BadHandIn(f"{path} is sheet {marked:.20}, not sheet {number}; nothing was handed in")
    sheet = _sheet_of(book, path)
    moment, fingerprint = datetime.now().astimezone(), book.fingerprint()
    receipt = {
        "name": name,
        "time": moment.isoformat(timespec="seconds"),
        "fingerprint": fingerprint,
    }
    if code:
        receipt["check"] = check_of(code, *receipt.values())
    document = dict(book.document)
    document["metadata"] = {**document["metadata"], MARK: {**book.mark, "hand_in": receipt}}
    target = _free(folder or _folder_for(path), f"{number}_{_slug(name)}_{moment:%Y-%m-%d_%H%M%S}")
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    try:
        write_atomically(target, text.encode("utf-8", errors="backslashreplace"))
    except OSError as error:
        raise BadHandIn(
            f"{target} could not be written ({error.strerror}); nothing was handed in"
        ) from None
    notes = (*_notes(book, sheet), *chosen, _saved(path))
    return HandIn(sheet, name, receipt["time"], fingerprint, target, notes)


def _read(path: Path) -> Notebook:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadSubmission(
                f"it has more than {MAX_BYTES:,} bytes; clear large outputs and save it"
            )
        book = Notebook.of(path.read_bytes())
        refuse_too_much([cell.code for cell in book.cells() if cell.is_code])
        return book
    except FileNotFoundError:
        raise BadHandIn(f"{path} does not exist") from None
    except OSError as error:
        raise BadHandIn(f"{path} cannot be read: {error.strerror}") from None
    except (BadSubmission, ValueError) as error:
        raise BadHandIn(f"{path} cannot be handed in: {error}") from None


def _sheet_of(book: Notebook, path: Path) -> Sheet:
    """The sheet that the notebook says it is."""
    number = book.mark.get("sheet")
    if not isinstance(number, str):
        raise BadHandIn(
            f"{path} is not one of the course's sheets: it does not say which "
            "(was it made from a copy of the cells?)"
        )
    try:
        return get_sheet(number)
    except ValueError as error:
        raise BadHandIn(f"{path}: {error}") from None


def _find(number: str) -> tuple[Path, tuple[str, ...]]:
    """The sheet of that number in the student's folder: of several, such as one that an update
    laid beside, the only one that was written in. And a note that says so.
    """
    here = Path.cwd()
    for base in (here, *here.parents):
        for place in PLACES:
            mine = [
                path
                for path in sorted((base / place).glob("**/*.ipynb"))
                if ".ipynb_checkpoints" not in path.parts and _is_sheet(path, number)
            ]
            written = [path for path in mine if _is_written(path)]
            if len(mine) > 1 and len(written) == 1:
                chosen = f"of {len(mine)} notebooks of sheet {number} the one with answers"
                return written[0], (f"{chosen}: {written[0]}",)
            if len(mine) > 1:
                listed = "\n".join(f"  {path}" for path in mine)
                raise BadHandIn(
                    f"there are {len(mine)} notebooks of sheet {number}; "
                    f"say which with --notebook PATH\n{listed}"
                )
            if mine:
                return mine[0], ()
        if (base / "my").is_dir():
            break
    raise BadHandIn(
        f"no notebook of sheet {number} below my/exercises of {here}; "
        "say where it is with --notebook PATH"
    )


def _is_sheet(path: Path, number: str) -> bool:
    """Whether the notebook says that it is this sheet. What cannot be read is not."""
    try:
        return _read(path).mark.get("sheet") == number
    except BadHandIn:
        return False


def _is_written(path: Path) -> bool:
    """Whether a part of the sheet is no longer blank."""
    parts = [cell for cell in _read(path).cells() if cell.is_solution]
    return any(not is_blank(cell.source, code=cell.is_code) for cell in parts)


def _notes(book: Notebook, sheet: Sheet) -> tuple[str, ...]:
    """What is missing, blank or not run."""
    cells = list(book.cells())
    sources = [cell.code for cell in cells if cell.is_code and not cell.is_scored]
    missing = [
        task.name
        for task in sheet.tasks
        if not any(defines(source, task.function) for source in sources)
    ]
    ids = {cell.grade_id for cell in cells}
    missing += [task.name for task in sheet.manual if task.name not in ids]
    blanks = [
        cell.grade_id or f"cell {cell.number}"
        for cell in cells
        if cell.is_solution and is_blank(cell.source, code=cell.is_code)
    ]
    code = [cell for cell in cells if cell.is_code and cell.source.strip()]
    not_run = [str(cell.number) for cell in code if cell.fields.get("execution_count") is None]
    failed = [
        str(cell.number)
        for cell in code
        if any(output.get("output_type") == "error" for output in cell.outputs)
    ]
    notes = {
        "missing, because its cell was deleted or renamed": missing,
        "still blank": blanks,
        "cells not run since the notebook was opened or cleared": not_run,
        "cells that end in an error": failed,
    }
    listed = tuple(f"{trouble}: {', '.join(names)}" for trouble, names in notes.items() if names)
    return listed or ("nothing is blank, every cell was run",)


def _saved(path: Path) -> str:
    moment = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
    when = f"{moment:%H:%M:%S} on {moment:%Y-%m-%d}"
    advice = "if you have changed it since, save it (Ctrl+S) and hand in again"
    return f"handed in as it was saved at {when}; {advice}"


def _folder_for(path: Path) -> Path:
    """hand-ins/ in the student's folder my/ above a notebook, or beside a notebook that lies
    elsewhere.
    """
    above = next(
        (folder for folder in path.resolve().parents if folder.name == "my"), path.resolve().parent
    )
    return above / "hand-ins"


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name, flags=re.UNICODE).strip("-.")[:40] or "hand-in"


def _free(folder: Path, stem: str) -> Path:
    """A file name in the folder that nobody uses yet."""
    number, path = 1, folder / f"{stem}.ipynb"
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.ipynb"
    return path
