"""Where a student stands: which lessons are done, which cell comes next, how the sheets stand, what
was updated. It is a page beside the notebooks, `my/where-you-are.md`.

All of it is read from the student's own files. JupyterLab writes into a cell when it was run
(`start.py lab` switches that on); a cell that came with the course carries no time.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from rlcourse.atomic import write_atomically
from rlcourse.checks import COURSES
from rlcourse.checks.course import read_settings
from rlcourse.errors import CourseError
from rlcourse.notebook import BadSubmission, Cell, Notebook, is_blank

PAGE = "where-you-are.md"
UPDATES = ".updates.json"  # what `start.py update` did, written by launcher/copies.py
STAMP = "2026-11-27_120000"  # as launcher/copies.py begins the name of a backup's folder
SHOWN = 5  # of the updates, the newest first
HEADING = re.compile(r"^## +(.+)$", re.M)
PARTS = {"new": "new", "replaced": "renewed", "beside": "laid beside yours"}


class NoFolder(CourseError, ValueError):
    """There is no folder my/ with notebooks here."""


@dataclass(frozen=True)
class Lesson:
    """One notebook of the lessons. path: relative to my/. cells: of code. ran: how many of them the
    student has run. last: when the last time, None for never.

    next_cell: the first one of code after it, counted among all cells from 1; 0 where the end is
    reached. section: the heading that it stands under. renewed: whether all of this is of the copy
    that an update has replaced.
    """

    path: str
    title: str
    cells: int
    ran: int
    last: datetime | None
    next_cell: int
    section: str
    renewed: bool = False

    @property
    def done(self) -> bool:
        """Whether the student has come to the end."""
        return self.last is not None and not self.next_cell

    def __str__(self) -> str:
        if self.last is None:
            return "not begun"
        before = ", before an update" * self.renewed
        if self.done:
            return f"done on {_day(self.last)}{before}"
        return f"{self.ran} of {self.cells} cells run, the last on {_day(self.last)}{before}"


@dataclass(frozen=True)
class Sheet:
    """One sheet. parts: tasks and texts to write. written: how many are no longer blank.
    handed_in: when, for the last time; None for never.
    """

    path: str
    title: str
    parts: int
    written: int
    handed_in: datetime | None

    def __str__(self) -> str:
        handed = f", handed in on {_day(self.handed_in)}" if self.handed_in else ""
        begun = f"{self.written} of {self.parts} parts written" if self.written else "not begun"
        return begun + handed


Part = TypeVar("Part", Lesson, Sheet)


@dataclass(frozen=True)
class Progress:
    """Everything. updates: what `start.py update` brought, the newest first: (when, what with each
    file).
    """

    lessons: tuple[Lesson, ...]
    sheets: tuple[Sheet, ...]
    updates: tuple[tuple[datetime, tuple[str, ...]], ...]

    @property
    def next_lesson(self) -> Lesson | None:
        """The lesson that was last worked on; where that is done, the first after it that is not.
        None at the end.
        """
        moments = [lesson.last.timestamp() if lesson.last else 0.0 for lesson in self.lessons]
        start = moments.index(max(moments, default=0.0)) if moments else 0
        return next((lesson for lesson in self.lessons[start:] if not lesson.done), None)

    @property
    def begun(self) -> list[Lesson | Sheet]:
        """The lessons that were run and the sheets that were written or handed in."""
        lessons = [lesson for lesson in self.lessons if lesson.last is not None]
        return [*lessons, *(sheet for sheet in self.sheets if sheet.written or sheet.handed_in)]

    def next_step(self) -> str:
        """What comes next, as a sentence without links."""
        lesson = self.next_lesson
        if lesson is None:
            return "Next: you have come to the end of the last lesson."
        if lesson.last is None:
            return f"Next: lesson {lesson.title}."
        place = f"cell {lesson.next_cell}, under “{lesson.section}”"
        return f"Next: lesson {lesson.title}, {place}."


def student_folder(here: Path) -> Path:
    """The folder my/ with notebooks at `here`, below it, or above it. Raises NoFolder."""
    here = here.resolve()
    for base in (here, *here.parents):
        for folder in (base, base / "my"):
            if folder.name == "my" and any(folder.glob("notebooks/*.ipynb")):
                return folder
    raise NoFolder(f"no folder my/ with notebooks at {here}; `python start.py lab` makes it")


def progress(my: Path) -> Progress:
    """What the student's files say. A file that cannot be read is passed over."""
    lessons = [
        _as_before_its_update(my, _lesson(name, book))
        for name, book in _books(my, "notebooks/*.ipynb")
    ]
    handed = _hand_ins(my)
    sheets = [_sheet(name, book, handed) for name, book in _books(my, "exercises/*/*.ipynb")]
    updates = [
        (moment, tuple(f"{name} is {PARTS[part]}" for part in PARTS for name in done[part]))
        for moment, done in _updates(my)
    ]
    return Progress(tuple(_told_apart(lessons)), tuple(_told_apart(sheets)), tuple(updates))


def _told_apart(parts: list[Part]) -> Iterator[Part]:
    """The parts, those of one title with the names of their files: a copy, a renamed sheet."""
    titles = Counter(part.title for part in parts)
    for part in parts:
        one = titles[part.title] == 1
        yield part if one else replace(part, title=f"{part.title} ({Path(part.path).stem})")


def write_page(my: Path, standing: Progress, now: datetime) -> Path:
    """Write the page into my/. Returns where it is."""
    write_atomically(my / PAGE, "\n".join(_lines(standing, now)).encode())
    return my / PAGE


def _lines(standing: Progress, now: datetime) -> Iterator[str]:
    yield "# Where you are\n"
    lesson = standing.next_lesson
    if lesson is None:
        yield "**You have come to the end of the last lesson.**\n"
    elif lesson.last is None:
        yield f"**Next: {_link(lesson)}**\n"
    else:
        yield f"**Next: {_link(lesson)}, cell {lesson.next_cell}, under “{lesson.section}”**\n"
        yield (
            f"You ran {lesson.ran} of its {lesson.cells} cells, the last on {_day(lesson.last)}. "
            "What they computed is gone once the kernel was stopped or restarted. To have it "
            "back, click on the cell and choose *Run > Run All Above Selected Cell*.\n"
        )
    handed = sum(sheet.handed_in is not None for sheet in standing.sheets)
    open_sheets = [sheet for sheet in standing.sheets if sheet.written and not sheet.handed_in]
    begun = "".join(f"; begun: {_link(sheet)}, {sheet}" for sheet in open_sheets)
    yield f"Sheets: {handed} of {len(standing.sheets)} handed in{begun}.\n"
    if standing.updates:
        yield "Updates:\n"
        for moment, changes in standing.updates[:SHOWN]:
            yield f"- {_day(moment)}: {'; '.join(changes)}"
        yield ""
    yield "| lesson | |\n|---|---|"
    yield from (f"| {_link(lesson)} | {lesson} |" for lesson in standing.lessons)
    yield "\n| sheet | |\n|---|---|"
    yield from (f"| {_link(sheet)} | {sheet} |" for sheet in standing.sheets)
    yield (
        f"\n*As of {_day(now)}, {now:%H:%M}. `python start.py lab` makes this page anew when it "
        "starts, and so does `rlcourse progress` in a terminal.*\n"
    )


def _link(part: Lesson | Sheet) -> str:
    return f"[{part.title}]({part.path})"


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _in_course(my: Path, pattern: str) -> list[Path]:
    """The files of a pattern in the order of the course, by name where no teacher has set one."""
    paths, settings = sorted(my.glob(pattern)), read_settings(COURSES[0])
    if settings is None:
        return paths
    order = settings.lessons if pattern.startswith("notebooks") else settings.sheets

    def place(path: Path) -> int:
        """Where a lesson or a sheet stands; what is neither comes last."""
        number = path.name.partition("_")[0]
        return order.index(number) if number in order else len(order)

    chosen = [path for path in paths if settings.has(path.relative_to(my).as_posix())]
    return sorted(chosen, key=place)


def _books(my: Path, pattern: str) -> Iterator[tuple[str, Notebook]]:
    """The notebooks of the course by name; those that an update laid beside them are left out."""
    for path in _in_course(my, pattern):
        if re.search(r"\.new\d*$", path.stem):
            continue
        try:
            yield path.relative_to(my).as_posix(), Notebook.of(path.read_bytes())
        except (OSError, BadSubmission):
            continue


def _title(book: Notebook, name: str) -> str:
    """The heading at its top; the name of the file where there is none."""
    first = next((cell.source for cell in book.cells()), "")
    line = first.partition("\n")[0]
    return line.removeprefix("# ").strip() if line.startswith("# ") else Path(name).stem


def _ran_at(cell: Cell) -> datetime | None:
    """When a cell was run for the last time."""
    metadata = cell.fields.get("metadata")
    times = metadata.get("execution") if isinstance(metadata, dict) else None
    moment = times.get("shell.execute_reply") if isinstance(times, dict) else None
    return _moment(moment)


def _moment(text: Any) -> datetime | None:
    """The time of a text as ISO 8601 has it, in this computer's zone."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (TypeError, ValueError, OverflowError):
        return None


def _lesson(name: str, book: Notebook) -> Lesson:
    cells = list(book.cells())
    code = [cell for cell in cells if cell.is_code and cell.source.strip()]
    moments = {cell.number: moment for cell in code if (moment := _ran_at(cell))}
    newest = max(moments, key=lambda number: (moments[number], number), default=0)
    following = next((cell.number for cell in code if cell.number > newest), 0)
    section = ""
    for cell in cells[: max(following, 1) - 1]:
        if not cell.is_code and (headings := HEADING.findall(cell.source)):
            section = headings[-1]
    return Lesson(
        name,
        _title(book, name),
        len(code),
        len(moments),
        moments.get(newest),
        following,
        section,
    )


def _as_before_its_update(my: Path, lesson: Lesson) -> Lesson:
    """The lesson as the student had it, where an update has replaced it and it was not run since.

    The backup tells. A later one is of `start.py reset`: who asks for that begins anew.
    """
    backups = sorted(my.glob(f"backups/*/{lesson.path}"))
    updates = [moment for moment, done in _updates(my) if lesson.path in done["replaced"]]
    if lesson.last or not backups or not updates:
        return lesson
    made = backups[-1].relative_to(my / "backups").parts[0]
    try:
        old = _lesson(lesson.path, Notebook.of(backups[-1].read_bytes()))
    except (OSError, BadSubmission):
        return lesson
    of_the_update = made[: len(STAMP)] <= f"{updates[0]:%Y-%m-%d_%H%M%S}"
    return replace(old, title=lesson.title, renewed=True) if of_the_update and old.last else lesson


def _sheet(name: str, book: Notebook, handed: dict[str, datetime]) -> Sheet:
    parts = [cell for cell in book.cells() if cell.is_solution]
    written = sum(not is_blank(cell.source, code=cell.is_code) for cell in parts)
    number = str(book.mark.get("sheet"))
    return Sheet(name, _title(book, name), len(parts), written, handed.get(number))


def _hand_ins(my: Path) -> dict[str, datetime]:
    """Number of a sheet -> when it was handed in for the last time, as the receipts say."""
    latest: dict[str, datetime] = {}
    for _, book in _books(my, "hand-ins/*.ipynb"):
        receipt, number = book.mark.get("hand_in"), str(book.mark.get("sheet"))
        moment = _moment(receipt.get("time")) if isinstance(receipt, dict) else None
        if moment and moment > latest.get(number, moment.min.replace(tzinfo=moment.tzinfo)):
            latest[number] = moment
    return latest


def _updates(my: Path) -> Iterator[tuple[datetime, dict[str, list[str]]]]:
    """When, and the names by what happened, the newest first; a damaged file says nothing."""
    try:
        entries = json.loads((my / UPDATES).read_text(encoding="utf-8"))
        for entry in reversed(entries):
            done = {part: [str(name) for name in entry[part]] for part in PARTS}
            if moment := _moment(entry["time"]):
                yield moment, done
    except (OSError, ValueError, TypeError, KeyError):
        return
